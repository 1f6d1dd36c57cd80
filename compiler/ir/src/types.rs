//! Tensor types and literals.

pub use meshloom_scalar::DType;
use std::fmt;

/// Element type and shape of a value.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct TensorType {
    pub dtype: DType,
    pub shape: Vec<u64>,
}

impl TensorType {
    pub fn new(dtype: DType, shape: impl Into<Vec<u64>>) -> TensorType {
        TensorType { dtype, shape: shape.into() }
    }

    pub fn scalar(dtype: DType) -> TensorType {
        TensorType { dtype, shape: Vec::new() }
    }

    pub fn rank(&self) -> usize {
        self.shape.len()
    }

    /// Number of elements; saturates rather than overflows, so that absurd shapes are refused by a limit and not by a wrap.
    pub fn elements(&self) -> u64 {
        self.shape.iter().fold(1u64, |n, &d| n.saturating_mul(d))
    }

    pub fn bytes(&self) -> u64 {
        self.elements().saturating_mul(self.dtype.bytes())
    }
}

impl fmt::Display for TensorType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.dtype)?;
        if !self.shape.is_empty() {
            write!(f, "[")?;
            for (i, d) in self.shape.iter().enumerate() {
                write!(f, "{}{d}", if i > 0 { ", " } else { "" })?;
            }
            write!(f, "]")?;
        }
        Ok(())
    }
}

/// One element, kept exactly: floats as the bits of an f64 (every dtype of at most 64 bits fits), the rest as i64.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Scalar {
    Float(u64),
    Int(i64),
}

impl Scalar {
    pub fn float(x: f64) -> Scalar {
        Scalar::Float(x.to_bits())
    }

    pub fn as_f64(self) -> f64 {
        match self {
            Scalar::Float(b) => f64::from_bits(b),
            Scalar::Int(i) => i as f64,
        }
    }

    pub fn as_i64(self) -> i64 {
        match self {
            Scalar::Float(b) => f64::from_bits(b) as i64,
            Scalar::Int(i) => i,
        }
    }

    /// The value `x` as an element of `dtype`.
    pub fn of(dtype: DType, x: f64) -> Scalar {
        if dtype.is_float() { Scalar::float(x) } else { Scalar::Int(x as i64) }
    }
}

/// A constant tensor: one value everywhere, or every element in row-major order.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Literal {
    Splat(Scalar),
    Dense(Vec<Scalar>),
}

/// What a reshape makes of what: runs of dims of `from` and `to` with equal products, as small as can be. Dims of size 1 go with what stands before them.
pub fn dim_groups(from: &[u64], to: &[u64]) -> Vec<(Vec<usize>, Vec<usize>)> {
    let mut out = Vec::new();
    let (mut i, mut j) = (0, 0);
    while i < from.len() || j < to.len() {
        let (mut f, mut t) = (Vec::new(), Vec::new());
        let (mut x, mut y) = (1u64, 1u64);
        while f.is_empty() || t.is_empty() || x != y {
            let more_of_from = f.is_empty() || !t.is_empty() && x < y;
            if i < from.len() && (more_of_from || j == to.len()) {
                x = x.saturating_mul(from[i]);
                f.push(i);
                i += 1;
            } else if j < to.len() {
                y = y.saturating_mul(to[j]);
                t.push(j);
                j += 1;
            } else {
                break;
            }
        }
        out.push((f, t));
    }
    out
}
