//! Column reductions beside kernels that read the same arrays: which row kernel or contraction takes which of them, on a GPU.
//!
//! Whether it is worth it is a matter of bytes: what need not be read again, against the parts of sums, which are written and read
//! ([`crate::summed`] and [`crate::operand_sum`] have the kernels).

use super::{Fuser, Kind, Node, path_through_others};
use crate::expand::resolve;
use crate::operand_sum;
use crate::summed;
use meshloom_ir::ValueId;
use std::collections::BTreeSet;

impl Fuser<'_> {
    /// Gives column reductions to row kernels over the same space, where these read or compute the same arrays and the bytes that need
    /// not be read again are more than those of the parts of sums. Rows that need a sum before they begin cannot take it along.
    pub(super) fn with_sums(&mut self, mut nodes: Vec<Node>) -> Vec<Node> {
        if self.facts.gpu.is_none() {
            return nodes;
        }
        let mut writer: Vec<usize> = vec![usize::MAX; self.memory.len()];
        for (i, n) in nodes.iter().enumerate() {
            n.writes.iter().for_each(|v| writer[v.index()] = i);
        }
        let mut gone = vec![false; nodes.len()];
        for i in 0..nodes.len() {
            for j in 0..nodes.len() {
                let (a, b) = (&nodes[i], &nodes[j]);
                let Some(kind) = added(&a.kind, &b.kind).filter(|_| !gone[j]) else { continue };
                let waits = !a.reads.is_disjoint(&b.writes);
                if waits || self.brings_back(a, b) || path_through_others(&nodes, &writer, i, j) {
                    continue;
                }
                let both: Vec<ValueId> =
                    b.reads.iter().copied().filter(|v| a.reads.contains(v) || a.writes.contains(v)).collect();
                let saved: u64 = both.iter().map(|&v| self.func.ty(v).bytes()).sum();
                let number = self.number(kind);
                let Ok(reads) = self.reads(number) else { continue };
                let kind = self.known[number].kind.clone();
                if self.parts_of_sums(&kind).is_none_or(|bytes| saved <= 2 * bytes) {
                    continue;
                }
                nodes[j].writes.iter().for_each(|v| writer[v.index()] = i);
                nodes[i] = self.node(&kind, reads);
                gone[j] = true;
            }
        }
        let mut nodes: Vec<Node> = nodes.into_iter().zip(gone).filter(|x| !x.1).map(|x| x.0).collect();
        self.forget_unread(&mut nodes);
        nodes
    }

    /// Gives column reductions to contractions that read the same array as an operand, where that is less work. Each takes one.
    pub(super) fn with_operand_sums(&mut self, mut nodes: Vec<Node>) -> Vec<Node> {
        let Some(gpu) = self.facts.gpu else { return nodes };
        let mut writer: Vec<usize> = vec![usize::MAX; self.memory.len()];
        for (i, n) in nodes.iter().enumerate() {
            n.writes.iter().for_each(|v| writer[v.index()] = i);
        }
        let mut gone = vec![false; nodes.len()];
        for j in 0..nodes.len() {
            let Kind::Columns { roots, .. } = &nodes[j].kind else { continue };
            let &[root] = &roots[..] else { continue };
            let takes = |i: &usize| {
                let (a, b) = (&nodes[*i], &nodes[j]);
                let Kind::Dot { op, sum: None, .. } = &a.kind else { return false };
                b.reads.is_subset(&a.reads)
                    && a.reads.is_disjoint(&b.writes)
                    && !self.brings_back(a, b)
                    && !path_through_others(&nodes, &writer, *i, j)
                    && operand_sum::fits(self.func, self.facts, &|v| self.view(v), *op, root, gpu)
            };
            let Some(i) = (0..nodes.len()).find(takes) else { continue };
            let Kind::Dot { op, stored, inside, .. } = nodes[i].kind.clone() else { continue };
            let reads = nodes[i].reads.clone();
            nodes[i] = self.node(&Kind::Dot { op, stored, inside, sum: Some(root) }, reads);
            writer[root.index()] = i;
            gone[j] = true;
        }
        nodes.into_iter().zip(gone).filter(|x| !x.1).map(|x| x.0).collect()
    }

    /// Takes the memory of results of rows that only their own sums of columns read: what a row's reductions are, as a rule.
    fn forget_unread(&mut self, nodes: &mut [Node]) {
        let base = |v: &ValueId| resolve(self.func, *v, &|x| self.view(x), None).map(|x| x.1);
        let mut read: BTreeSet<ValueId> = self.func.region(self.region).yields.iter().filter_map(base).collect();
        nodes.iter().for_each(|n| read.extend(n.reads.iter().copied()));
        for node in nodes {
            let Kind::Summed { space, roots, sums } = &node.kind else { continue };
            let (kept, unread): (Vec<ValueId>, Vec<ValueId>) = roots.iter().partition(|r| read.contains(r));
            if kept.is_empty() || unread.is_empty() {
                continue;
            }
            let kind = Kind::Summed { space: space.clone(), roots: kept, sums: sums.clone() };
            unread.iter().for_each(|v| self.memory[v.index()] = false);
            let number = self.number(kind);
            match self.reads(number) {
                Ok(reads) => *node = self.node(&self.known[number].kind, reads),
                Err(_) => unread.iter().for_each(|v| self.memory[v.index()] = true),
            }
        }
    }

    /// Bytes of the parts of a kernel's sums of columns.
    fn parts_of_sums(&self, kind: &Kind) -> Option<u64> {
        let Kind::Summed { space, roots, sums } = kind else { return None };
        let call = summed::expand(self.func, self.facts, &|v| self.view(v), space, roots, sums).ok()?;
        Some(call.spec.moved())
    }
}

/// The kernel of rows, or of rows and sums, with the column reductions of another one.
fn added(rows: &Kind, columns: &Kind) -> Option<Kind> {
    let Kind::Columns { of, dims, roots: more } = columns else { return None };
    let (space, roots, sums) = match rows {
        Kind::Rows { space, roots } => (space, roots, &[][..]),
        Kind::Summed { space, roots, sums } => (space, roots, &sums[..]),
        _ => return None,
    };
    let all = of == space && dims.iter().copied().eq(0..of.len() - 1);
    all.then(|| Kind::Summed { space: space.clone(), roots: roots.clone(), sums: [sums, more].concat() })
}
