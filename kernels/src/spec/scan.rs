//! Running sums, products, minima and maxima.

use crate::emit::builder::{Builder, Ty, Val};
use crate::expr::{DType, Elem, Reduction};
use crate::reference::{apply, bitwise, reduce, store};
use crate::running::{Along, Running};
use crate::text::Dims;
use std::fmt::{Formatter, Result as Written};

/// The elements up to each one, combined by `kind`, along the middle dim of `[outer, n, inner]`; from the end with
/// `reverse`. With `exclusive`, the element itself is left out. Buffers: x, out. Both are dense.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Scan {
    pub dtype: DType,
    pub kind: Reduction,
    pub outer: u64,
    pub n: u64,
    pub inner: u64,
    pub reverse: bool,
    pub exclusive: bool,
}

impl Scan {
    /// The result of no elements, where that of the wider type that they are computed in would wrap to another.
    fn of_nothing(&self) -> Option<f64> {
        match (self.dtype, self.kind) {
            (DType::I8, Reduction::Max) => Some(i8::MIN.into()),
            (DType::I8, Reduction::Min) => Some(i8::MAX.into()),
            _ => None,
        }
    }
}

impl Running for Scan {
    fn name(&self) -> &'static str {
        "scan"
    }

    fn text(&self, f: &mut Formatter<'_>) -> Written {
        let (reverse, exclusive) = (self.reverse, self.exclusive);
        let shape = Dims(&[self.outer, self.n, self.inner]);
        let (dtype, kind) = (self.dtype.name(), self.kind.name());
        writeln!(f, "scan {dtype} {kind} {shape} reverse {reverse} exclusive {exclusive}")
    }

    fn along(&self) -> Along {
        let &Scan { dtype, outer, n, inner, reverse, exclusive, .. } = self;
        Along { dtype, outer, n, inner, reverse, exclusive }
    }

    fn identity(&self, b: &mut Builder, ty: Ty) -> Vec<Val> {
        vec![match self.of_nothing() {
            Some(x) => b.number(ty, x),
            None => b.identity(self.kind, ty),
        }]
    }

    fn combine(&self, b: &mut Builder, first: &[Val], second: &[Val]) -> Vec<Val> {
        vec![b.combine(self.kind, first[0], second[0])]
    }

    fn reference(&self, row: &[f64]) -> Vec<f64> {
        // The result of no elements, in the dtype.
        let mut sum = self.of_nothing().unwrap_or_else(|| match (self.dtype, self.kind) {
            (DType::I32, Reduction::Max) => f64::from(i32::MIN),
            (DType::I32, Reduction::Min) => f64::from(i32::MAX),
            _ => reduce(self.kind, std::iter::empty()),
        });
        let step = |&x: &f64| {
            let next = match self.kind {
                Reduction::Sum => sum + x,
                // An i32 wraps. A product of two of them in f64 would lose the low bits.
                Reduction::Prod if self.dtype == DType::I32 => f64::from((sum as i32).wrapping_mul(x as i32)),
                Reduction::Prod => sum * x,
                Reduction::And | Reduction::Or => bitwise(self.kind, sum, x),
                Reduction::Max => apply(Elem::Maximum, self.dtype, &[sum, x]),
                Reduction::Min => apply(Elem::Minimum, self.dtype, &[sum, x]),
            };
            let before = std::mem::replace(&mut sum, store(self.dtype, next));
            store(self.dtype, if self.exclusive { before } else { next })
        };
        row.iter().map(step).collect()
    }
}
