//! Numbers as their types hold them.

use meshloom_bundle::program::Number as BundleNumber;
use meshloom_ir::tensor::{round, wrap};
use meshloom_ir::{DType, Scalar};

/// A number as its type holds it.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Exact {
    Float(f64),
    Int(i64),
}

impl Exact {
    pub fn same(self, other: Exact) -> bool {
        match (self, other) {
            (Exact::Int(a), Exact::Int(b)) => a == b,
            (Exact::Float(a), Exact::Float(b)) => a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan(),
            (Exact::Int(a), Exact::Float(b)) | (Exact::Float(b), Exact::Int(a)) => a as f64 == b && b as i64 == a,
        }
    }

    /// An element that an instruction fills in.
    pub fn filled(dtype: DType, x: BundleNumber) -> Exact {
        Exact::of(
            dtype,
            match x {
                BundleNumber::Int(n) => Scalar::Int(n),
                BundleNumber::Float(x) => Scalar::float(x),
            },
        )
    }

    /// An element of a type of the local program.
    pub fn of(dtype: DType, x: Scalar) -> Exact {
        if dtype.is_float() { Exact::Float(round(dtype, x.as_f64())) } else { Exact::Int(wrap(dtype, x.as_i64())) }
    }
}
