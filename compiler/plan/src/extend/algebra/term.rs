//! Terms of the algebra: an op, with its attributes and the region it stands in, over the classes of its operands. Whatever
//! the algebra does not look into (arguments, results of repeats and composites, pinned values) is a leaf.
//!
//! The region is part of a term, so that terms of one body never meet those of another: a value of a body stands for a
//! family over the iterations, and nothing here speaks of families.

use egg::{Analysis, DidMerge, EGraph, Id, Language};
use meshloom_ir::{Einsum, Op, RegionId, ValueId};
use rustc_hash::FxHashMap;
use std::fmt;

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum AlgebraTerm {
    /// A value, by id.
    Leaf(u32),
    /// An op, by spec.
    Op(u32, Box<[Id]>),
}

impl Language for AlgebraTerm {
    type Discriminant = (bool, u32);

    fn discriminant(&self) -> (bool, u32) {
        match self {
            AlgebraTerm::Leaf(v) => (false, *v),
            AlgebraTerm::Op(s, _) => (true, *s),
        }
    }

    fn matches(&self, other: &AlgebraTerm) -> bool {
        match (self, other) {
            (AlgebraTerm::Leaf(a), AlgebraTerm::Leaf(b)) => a == b,
            (AlgebraTerm::Op(a, x), AlgebraTerm::Op(b, y)) => a == b && x.len() == y.len(),
            _ => false,
        }
    }

    fn children(&self) -> &[Id] {
        match self {
            AlgebraTerm::Leaf(_) => &[],
            AlgebraTerm::Op(_, c) => c,
        }
    }

    fn children_mut(&mut self) -> &mut [Id] {
        match self {
            AlgebraTerm::Leaf(_) => &mut [],
            AlgebraTerm::Op(_, c) => c,
        }
    }
}

impl fmt::Display for AlgebraTerm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            AlgebraTerm::Leaf(v) => write!(f, "v{v}"),
            AlgebraTerm::Op(s, _) => write!(f, "op{s}"),
        }
    }
}

/// Ops of a region, interned. Einsums that differ in their subscripts alone are one.
#[derive(Default)]
pub struct Specs(FxHashMap<(RegionId, Op), u32>);

impl Specs {
    pub fn put(&mut self, region: RegionId, op: &Op) -> u32 {
        let op = match op {
            Op::DotGeneral(e) => Op::DotGeneral(canonical(e)),
            other => other.clone(),
        };
        let next = self.0.len() as u32;
        *self.0.entry((region, op)).or_insert(next)
    }
}

/// The einsum with its subscripts renamed in the order of their first appearance.
pub fn canonical(e: &Einsum) -> Einsum {
    let mut seen: Vec<char> = Vec::new();
    let mut rename = |subscripts: &[char]| -> Vec<char> {
        let one = |c: &char| {
            let i = seen.iter().position(|s| s == c).unwrap_or_else(|| {
                seen.push(*c);
                seen.len() - 1
            });
            subscript(i)
        };
        subscripts.iter().map(one).collect()
    };
    let operands = e.operands.iter().map(|o| rename(o)).collect();
    let result = rename(&e.result);
    Einsum { operands, result, to: e.to }
}

/// Subscript `i` of an einsum; there are 52.
pub fn subscript(i: usize) -> char {
    let i = i as u8;
    char::from(if i < 26 { b'a' + i } else { b'A' + (i - 26) })
}

/// By class: the values that are it, in the order in which they came.
#[derive(Clone, Default)]
pub struct Members {
    /// The value whose term is being added.
    pub next: Option<ValueId>,
}

impl Analysis<AlgebraTerm> for Members {
    type Data = Vec<ValueId>;

    fn make(egraph: &mut EGraph<AlgebraTerm, Members>, _: &AlgebraTerm, _: Id) -> Vec<ValueId> {
        egraph.analysis.next.take().into_iter().collect()
    }

    fn merge(&mut self, a: &mut Vec<ValueId>, b: Vec<ValueId>) -> DidMerge {
        let before = a.len();
        a.extend(b);
        a.sort_unstable();
        a.dedup();
        DidMerge(a.len() != before, true)
    }
}
