//! What a loop's body reads: its own values, carries, entries of stacks, values from outside, and what it says itself.

use super::analysis::Analysis;
use super::stacks::StackId;
use super::wiring::{Loop, Read};
use meshloom_ir::{Op, OpId, ValueId};
use std::collections::BTreeMap;

/// Broadcasts of broadcasts that a body makes itself.
const SUNK_DEPTH: usize = 8;

/// An operand in a body.
#[derive(Clone, Debug)]
pub enum Source {
    /// Result `1` of the op at place `0`.
    Here(usize, usize),
    /// An argument, by its place among those of its kind.
    Carry(usize),
    Entry(usize),
    Invariant(usize),
    /// Made anew from constants.
    Closed(ValueId),
    /// A broadcast of something smaller, as this op does it: not worth a stack.
    Sunk(OpId, Vec<Source>),
}

/// What goes from one iteration to the next: result `1` of the op at place `0`.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Carry {
    pub from: (usize, usize),
    pub init: ValueId,
}

#[derive(Clone, Debug, Default)]
pub struct Body {
    pub carries: Vec<Carry>,
    /// Of each tensor that the loop goes through: its entries, as the iterations read them.
    pub entries: Vec<Vec<ValueId>>,
    pub invariants: Vec<ValueId>,
    /// By place and operand.
    pub sources: Vec<Vec<Source>>,
    /// Iteration 0 is the last entry of the stacks: it runs backwards through what another loop has written.
    pub reverse: bool,
    /// Carries whose values before each iteration others read, and their stacks.
    pub before: Vec<(usize, StackId)>,
    /// Values of the body that others read, and their stacks.
    pub stacked: Vec<((usize, usize), StackId)>,
}

/// What the loop reads, as the other loops before it have been read.
pub fn body(a: &Analysis<'_>, l: &Loop) -> Body {
    let mut out = Body::default();
    let mut known = Known::default();
    for (p, reads) in l.reads.iter().enumerate() {
        let source = |(j, read): (usize, &Read)| {
            let values = || -> Vec<ValueId> {
                (0..l.count).map(|k| a.same(a.func.op(l.op(&a.line, k, p)).operands[j])).collect()
            };
            match *read {
                Read::Here(p, r) => Source::Here(p, r),
                Read::Before(q, r) => {
                    let init = a.same(a.func.op(l.op(&a.line, 0, p)).operands[j]);
                    Source::Carry(known.carry(&mut out, Carry { from: (q, r), init }))
                }
                Read::Outside | Read::Far => outside(a, &mut out, &mut known, values(), 0),
            }
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
}

impl Known {
    fn carry(&mut self, out: &mut Body, c: Carry) -> usize {
        *self.carries.entry(c.clone()).or_insert_with(|| {
            out.carries.push(c);
            out.carries.len() - 1
        })
    }
}

/// The source of an operand that is `values` in the iterations, in their order.
fn outside(a: &Analysis<'_>, out: &mut Body, known: &mut Known, values: Vec<ValueId>, depth: usize) -> Source {
    let first = values[0];
    if a.numbers.same(&values) {
        if a.numbers.closed(first) {
            return Source::Closed(first);
        }
        let slot = known.invariants.entry(first).or_insert_with(|| {
            out.invariants.push(first);
            out.invariants.len() - 1
        });
        return Source::Invariant(*slot);
    }
    if depth < SUNK_DEPTH
        && let Some(ops) = values.iter().map(|&v| a.func.def_op(v)).collect::<Option<Vec<OpId>>>()
        && let Op::Broadcast { .. } = a.func.op(ops[0]).op
        && ops.iter().all(|&o| a.numbers.kinds[o.index()] == a.numbers.kinds[ops[0].index()])
        && a.func.ty(first).elements() > a.func.ty(a.func.op(ops[0]).operands[0]).elements()
    {
        let operands = ops.iter().map(|&o| a.same(a.func.op(o).operands[0])).collect();
        let source = outside(a, out, known, operands, depth + 1);
        return Source::Sunk(ops[0], vec![source]);
    }
    let slot = known.entries.entry(values.clone()).or_insert_with(|| {
        out.entries.push(values);
        out.entries.len() - 1
    });
    Source::Entry(*slot)
}
