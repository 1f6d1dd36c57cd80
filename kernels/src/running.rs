//! Running results along one dim: each element is combined with all elements before it.
//!
//! A [`Running`] kernel says which state is carried from element to element: one value for a sum or a maximum, several
//! for others. The loops that carry the state are the same for all of them ([`crate::emit`]).

use crate::emit::builder::{Builder, Ty, Val};
use crate::expr::DType;
use crate::geometry::ceil_div;
use std::fmt::{Formatter, Result as Written};

/// The columns that one unit takes through the whole dim on a CPU: a few registers of the widest target.
pub const COLUMNS: u64 = 64;

/// A walk along the middle dim of dense `[outer, n, inner]`, from its end with `reverse`. A result combines the
/// elements before its own, and its own unless `exclusive`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Along {
    pub dtype: DType,
    pub outer: u64,
    pub n: u64,
    pub inner: u64,
    pub reverse: bool,
    pub exclusive: bool,
}

impl Along {
    pub fn elements(&self) -> u64 {
        self.outer * self.n * self.inner
    }

    /// The number of units on a CPU.
    pub fn units(&self) -> u64 {
        self.outer * ceil_div(self.inner, COLUMNS)
    }
}

/// A kernel that combines elements along a dim. A state is a list of values of one type, as many as the identity has.
pub trait Running {
    /// The family's name.
    fn name(&self) -> &'static str;

    fn text(&self, f: &mut Formatter<'_>) -> Written;

    fn along(&self) -> Along;

    /// The state of no elements.
    fn identity(&self, b: &mut Builder, ty: Ty) -> Vec<Val>;

    /// The state of one element.
    fn of(&self, _b: &mut Builder, x: Val) -> Vec<Val> {
        vec![x]
    }

    /// The state of two runs of elements, the first before the second.
    fn combine(&self, b: &mut Builder, first: &[Val], second: &[Val]) -> Vec<Val>;

    /// The value that is stored for a state.
    fn result(&self, _b: &mut Builder, state: &[Val]) -> Val {
        state[0]
    }

    /// Floating point operations for each element.
    fn flops(&self) -> u64 {
        1
    }

    /// The results of one row, in f64, rounded to the dtype, in the order of the walk.
    fn reference(&self, row: &[f64]) -> Vec<f64>;
}
