//! What a loop's body reads: its own values, carries, entries of stacks, values from outside, and what it says itself.

use super::analysis::Analysis;
use super::found::{Carry, OperandSource, RolledBody};
use super::wiring::{Loop, Read};
use meshloom_ir::{Op, OpId, ValueId};
use std::collections::{BTreeMap, BTreeSet};

/// Ops in a row that a body makes itself.
const SUNK_DEPTH: usize = 8;
/// What is that many times smaller than what is made of it may be stacked in its place.
const SMALLER: u64 = 8;

/// What the loop reads, as the other loops before it have been read.
pub fn body(a: &Analysis<'_>, l: &Loop) -> RolledBody {
    let mut out = RolledBody::default();
    let values = |p: usize, j: usize| {
        (0..l.count).map(|k| a.same(a.func.op(l.op(&a.line, k, p)).operands[j])).collect::<Vec<_>>()
    };
    let from_outside = |r: &Read| matches!(r, Read::Outside | Read::Far);
    let wanted =
        l.reads.iter().enumerate().flat_map(|(p, reads)| {
            reads.iter().enumerate().filter(|r| from_outside(r.1)).map(move |(j, _)| values(p, j))
        });
    let mut known = Known { wanted: wanted.collect(), ..Known::default() };
    for (p, reads) in l.reads.iter().enumerate() {
        let source = |(j, read): (usize, &Read)| match *read {
            Read::Here(p, r) => OperandSource::Here(p, r),
            Read::Before(q, r) => {
                let init = a.same(a.func.op(l.op(&a.line, 0, p)).operands[j]);
                OperandSource::Carry(known.carry(&mut out, Carry { from: (q, r), init }))
            }
            Read::Outside | Read::Far => outside(a, &mut out, &mut known, values(p, j), 0),
        };
        let all = reads.iter().enumerate().map(source).collect();
        out.sources.push(all);
    }
    // Backwards, if that is how more of its entries lie in stacks.
    let lies = |list: &[ValueId]| a.stacks.find(list).is_some();
    let turned = |list: &[ValueId]| lies(&list.iter().rev().copied().collect::<Vec<_>>());
    let forward = out.entries.iter().filter(|e| lies(e)).count();
    out.reverse = out.entries.iter().filter(|e| turned(e)).count() > forward;
    out
}

#[derive(Default)]
struct Known {
    carries: BTreeMap<Carry, usize>,
    entries: BTreeMap<Vec<ValueId>, usize>,
    invariants: BTreeMap<ValueId, usize>,
    sunk: BTreeMap<Vec<ValueId>, usize>,
    /// All that the body reads from outside.
    wanted: BTreeSet<Vec<ValueId>>,
}

impl Known {
    fn carry(&mut self, out: &mut RolledBody, c: Carry) -> usize {
        *self.carries.entry(c.clone()).or_insert_with(|| {
            out.carries.push(c);
            out.carries.len() - 1
        })
    }
}

/// The source of an operand that is `values` in the iterations, in their order.
fn outside(
    a: &Analysis<'_>,
    out: &mut RolledBody,
    known: &mut Known,
    values: Vec<ValueId>,
    depth: usize,
) -> OperandSource {
    let first = values[0];
    if a.numbers.same(&values) {
        if a.numbers.closed(first) {
            return OperandSource::Closed(first);
        }
        let slot = known.invariants.entry(first).or_insert_with(|| {
            out.invariants.push(first);
            out.invariants.len() - 1
        });
        return OperandSource::Invariant(*slot);
    }
    if depth < SUNK_DEPTH
        && let Some((op, operands)) = made_of(a, &known.wanted, &values, depth)
    {
        let sources = operands.into_iter().map(|list| outside(a, out, known, list, depth + 1)).collect();
        let next = known.sunk.len();
        return OperandSource::Sunk(*known.sunk.entry(values).or_insert(next), op, sources);
    }
    let slot = known.entries.entry(values.clone()).or_insert_with(|| {
        out.entries.push(values);
        out.entries.len() - 1
    });
    OperandSource::Entry(*slot)
}

/// The op that makes `values` in all iterations, and its operands in them, where the body had better do it itself: a broadcast of
/// something smaller; what another loop's values are once dims of 1 come or go; or an elementwise op of another loop whose operands the
/// body reads anyway, or can make, or that are much smaller.
/// What JAX keeps from the forward pass is many steps of one chain (the exponentials, their quotients ..), of which one is enough.
fn made_of(
    a: &Analysis<'_>,
    wanted: &BTreeSet<Vec<ValueId>>,
    values: &[ValueId],
    depth: usize,
) -> Option<(OpId, Vec<Vec<ValueId>>)> {
    let ops: Vec<OpId> = values.iter().map(|&v| a.func.def_op(v)).collect::<Option<_>>()?;
    let kind = |o: &OpId| a.numbers.kinds[o.index()];
    if ops.iter().any(|o| kind(o) != kind(&ops[0])) {
        return None;
    }
    let data = a.func.op(ops[0]);
    let list = |j: usize| ops.iter().map(|&o| a.same(a.func.op(o).operands[j])).collect::<Vec<_>>();
    let operands: Vec<Vec<ValueId>> = (0..data.operands.len()).map(list).collect();
    let elements = a.func.ty(values[0]).elements();
    let fits = |list: &Vec<ValueId>| {
        let small = a.func.ty(list[0]).elements().saturating_mul(SMALLER) <= elements;
        let makes = || depth + 1 < SUNK_DEPTH && made_of(a, wanted, list, depth + 1).is_some();
        a.numbers.same(list) || wanted.contains(list) || small || makes()
    };
    let sinks = match data.op {
        Op::Broadcast { .. } if elements > a.func.ty(data.operands[0]).elements() => true,
        // Of no size of its own: where no loop stacks it, the entries would be taken out of their stack and put together again.
        Op::Broadcast { .. } | Op::Reshape { .. } => {
            let turned: Vec<ValueId> = values.iter().rev().copied().collect();
            a.stacks.find(values).is_none() && a.stacks.find(&turned).is_none()
        }
        Op::Elem(_) | Op::Convert { .. } => ops.iter().all(|&o| a.loop_of(o).is_some()) && operands.iter().all(fits),
        _ => false,
    };
    sinks.then(|| (ops[0], operands))
}
