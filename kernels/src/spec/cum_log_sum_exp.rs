//! Running sums of exponentials, as logarithms.
//!
//! A state is two numbers: the greatest element so far, and the sum of exp(element - greatest) over the elements so
//! far. The sum lies between 1 and the number of elements. So nothing overflows, and the terms of an addition are of
//! similar size. The logarithm is taken where a result is stored, so its rounding error does not go on to the next
//! element.

use crate::emit::builder::{Builder, Ty, Val};
use crate::emit::elem;
use crate::expr::{Comparison, DType, Elem};
use crate::reference::store;
use crate::running::{Along, Running};
use crate::text::Dims;
use std::fmt::{Formatter, Result as Written};

/// log(sum(exp(x))) over the elements up to each one, along the middle dim of `[outer, n, inner]`; from the end with
/// `reverse`. Buffers: x, out. Both are dense, of one float type.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct CumLogSumExp {
    pub dtype: DType,
    pub outer: u64,
    pub n: u64,
    pub inner: u64,
    pub reverse: bool,
}

impl CumLogSumExp {
    fn op(&self, b: &mut Builder, op: Elem, args: &[Val]) -> Val {
        elem::emit(b, op, self.dtype.computed(), args, None)
    }
}

impl Running for CumLogSumExp {
    fn name(&self) -> &'static str {
        "cum_log_sum_exp"
    }

    fn text(&self, f: &mut Formatter<'_>) -> Written {
        let shape = Dims(&[self.outer, self.n, self.inner]);
        writeln!(f, "cum_log_sum_exp {} {shape} reverse {}", self.dtype.name(), self.reverse)
    }

    fn along(&self) -> Along {
        let &CumLogSumExp { dtype, outer, n, inner, reverse } = self;
        Along { dtype, outer, n, inner, reverse, exclusive: false }
    }

    fn identity(&self, b: &mut Builder, ty: Ty) -> Vec<Val> {
        vec![b.float(ty, f64::NEG_INFINITY), b.float(ty, 0.0)]
    }

    fn of(&self, b: &mut Builder, x: Val) -> Vec<Val> {
        let ty = b.ty(x);
        vec![x, b.float(ty, 1.0)]
    }

    fn combine(&self, b: &mut Builder, first: &[Val], second: &[Val]) -> Vec<Val> {
        let (top, sum, x, other) = (first[0], first[1], second[0], second[1]);
        let one = b.float(b.ty(top), 1.0);
        let most = self.op(b, Elem::Maximum, &[top, x]);
        // exp(-distance). It is 1 for two equal infinities, whose difference is NaN.
        let apart = self.op(b, Elem::Subtract, &[top, x]);
        let distance = self.op(b, Elem::Abs, &[apart]);
        let negated = self.op(b, Elem::Negate, &[distance]);
        let less = self.op(b, Elem::Exponential, &[negated]);
        let same = self.op(b, Elem::Compare(Comparison::Eq), &[top, x]);
        let less = b.select(same, one, less);
        let grows = self.op(b, Elem::Compare(Comparison::Lt), &[top, x]);
        let (of_top, of_x) = (b.select(grows, less, one), b.select(grows, one, less));
        let sum = self.op(b, Elem::Multiply, &[sum, of_top]);
        let other = self.op(b, Elem::Multiply, &[other, of_x]);
        vec![most, self.op(b, Elem::Add, &[sum, other])]
    }

    fn result(&self, b: &mut Builder, state: &[Val]) -> Val {
        let log = self.op(b, Elem::Log, &[state[1]]);
        self.op(b, Elem::Add, &[state[0], log])
    }

    fn flops(&self) -> u64 {
        8
    }

    fn reference(&self, row: &[f64]) -> Vec<f64> {
        let of = |so_far: &[f64]| {
            if so_far.iter().any(|x| x.is_nan()) {
                return f64::NAN;
            }
            let most = so_far.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            if most.is_infinite() { most } else { most + so_far.iter().map(|x| (x - most).exp()).sum::<f64>().ln() }
        };
        (1..=row.len()).map(|n| store(self.dtype, of(&row[..n]))).collect()
    }
}
