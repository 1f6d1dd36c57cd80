//! Formulas of elements.

use super::index::{Affine, Loop};
use crate::classes::TermId;
use meshloom_ir::{DType, Op, Reduction};
use std::collections::BTreeSet;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reading {
    /// As real numbers.
    Real,
    /// As floating point operations.
    Exact,
}

/// One index of an element.
#[derive(Clone, Debug)]
pub enum Index {
    At(Affine),
    /// The row that an element of another tensor says, clamped to so many rows.
    Row(Sum, u64),
}

#[derive(Clone, Debug)]
pub enum Factor {
    /// An element of a tensor that is not written out.
    Element { of: TermId, at: Vec<Index> },
    /// An operation on elements.
    Apply { op: Op, args: Vec<Sum> },
    /// A reduction that is not written into the sum it stands in.
    Fold { kind: Reduction, over: Vec<Loop>, body: Sum },
    /// The logarithm of a number that is positive whatever the inputs are.
    Log { of: Sum },
    /// The index itself, as a number.
    Position { dtype: DType, at: Affine },
}

/// A number that a term is multiplied with, or divided by; bits of an f64.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Scale {
    Times(u64),
    Over(u64),
}

/// A product, summed over loops of its own.
#[derive(Clone, Debug)]
pub struct Term {
    pub negative: bool,
    pub scales: Vec<Scale>,
    pub over: Vec<Loop>,
    pub factors: Vec<Factor>,
}

pub type Sum = Vec<Term>;

/// Where to stop writing out: at tensors that both sides have, but not before so many ops.
pub struct Stop<'a> {
    pub common: &'a BTreeSet<TermId>,
    pub through: usize,
    pub depth: usize,
}

/// The most definitions that are tried of one side.
pub const TRIES: usize = 48;

/// The most terms of a sum.
pub const TERMS: usize = 64;
