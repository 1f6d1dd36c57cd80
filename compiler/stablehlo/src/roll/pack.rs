//! Ops on the entries of stacks, one for each entry, as one op on the stack: what an optimizer does to each layer's parameters.
//!
//! It begins at stacks that exist, and goes on to whatever reads all their entries alike. On the way it makes stacks of further
//! inputs (moments, which no layer reads). It takes only ops that work on each entry by itself, so every element is computed as
//! before.

use super::analysis::Analysis;
use super::found::{Pack, PackOperand};
use super::stacks::StackId;
use meshloom_ir::{Op, OpId, ValueId};
use std::collections::{BTreeMap, BTreeSet};

/// Ops between an op that reads a stack and other inputs that it needs.
const DEPTH: usize = 12;

/// Finds all packs of `a`.
pub fn packs(a: &mut Analysis<'_>) {
    let mut users: BTreeMap<ValueId, Vec<(OpId, usize)>> = BTreeMap::new();
    for &o in &a.numbers.live {
        if a.loop_of(o).is_none() && packable(&a.func.op(o).op) && a.func.op(o).results.len() == 1 {
            for (j, &v) in a.func.op(o).operands.iter().enumerate() {
                users.entry(a.same(v)).or_default().push((o, j));
            }
        }
    }
    let mut taken = BTreeSet::new();
    let mut next = 0;
    while next < a.stacks.count() {
        let entries = a.stacks.entries(StackId(next)).to_vec();
        next += 1;
        // The users of each entry that do the same with it, in order.
        let alike: Vec<BTreeMap<(u32, usize), Vec<OpId>>> = entries
            .iter()
            .map(|v| {
                let mut by = BTreeMap::<_, Vec<OpId>>::new();
                for &(o, j) in users.get(v).into_iter().flatten() {
                    // Equal values are computed once.
                    if a.same(a.func.op(o).results[0]) == a.func.op(o).results[0] {
                        by.entry((a.numbers.kinds[o.index()], j)).or_default().push(o);
                    }
                }
                by
            })
            .collect();
        for (key, first) in &alike[0] {
            let lists: Option<Vec<&Vec<OpId>>> = alike.iter().map(|by| by.get(key)).collect();
            let Some(lists) = lists.filter(|l| l.iter().all(|l| l.len() == first.len())) else { continue };
            for i in 0..first.len() {
                let mut found = Found { a, taken: &mut taken };
                found.pack(lists.iter().map(|l| l[i]).collect(), DEPTH);
            }
        }
    }
}

fn packable(op: &Op) -> bool {
    matches!(
        op,
        Op::Elem(_)
            | Op::Convert { .. }
            | Op::Broadcast { .. }
            | Op::Reshape { .. }
            | Op::Transpose { .. }
            | Op::Reduce { .. }
    )
}

struct Found<'a, 'f> {
    a: &'a mut Analysis<'f>,
    taken: &'a mut BTreeSet<OpId>,
}

impl Found<'_, '_> {
    /// The stack of what `ops` give, if they are one op on stacks.
    fn pack(&mut self, ops: Vec<OpId>, depth: usize) -> Option<StackId> {
        let kind = |o: OpId| self.a.numbers.kinds[o.index()];
        let distinct: BTreeSet<OpId> = ops.iter().copied().collect();
        let free = ops.iter().all(|&o| {
            self.a.loop_of(o).is_none()
                && packable(&self.a.func.op(o).op)
                && self.a.func.op(o).results.len() == 1
                && !self.taken.contains(&o)
                && kind(o) == kind(ops[0])
        });
        if depth == 0 || distinct.len() != ops.len() || !free {
            return None;
        }
        let mut operands = Vec::new();
        for j in 0..self.a.func.op(ops[0]).operands.len() {
            let values: Vec<ValueId> = ops.iter().map(|&o| self.a.same(self.a.func.op(o).operands[j])).collect();
            operands.push(self.part(&values, depth)?);
        }
        // Below, something may have taken them.
        if ops.iter().any(|o| self.taken.contains(o)) {
            return None;
        }
        let results = ops.iter().map(|&o| self.a.func.op(o).results[0]).collect();
        let result = self.a.stacks.add(results);
        self.taken.extend(&ops);
        self.a.packs.push(Pack { ops, operands, result });
        Some(result)
    }

    fn part(&mut self, values: &[ValueId], depth: usize) -> Option<PackOperand> {
        if self.a.numbers.same(values) {
            return Some(PackOperand::Shared(values[0]));
        }
        if let Some(s) = self.a.stacks.exactly(values) {
            return Some(PackOperand::Stack(s));
        }
        if let Some(ops) = values.iter().map(|&v| self.a.func.def_op(v)).collect::<Option<Vec<OpId>>>() {
            return self.pack(ops, depth - 1).map(PackOperand::Stack);
        }
        let group = self.a.group(values);
        self.a.stacks.exactly(values).filter(|_| group).map(PackOperand::Stack)
    }
}
