//! Element types, tensor types and literals.

use std::fmt;

/// Element type. Names are those of the Loom language.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum DType {
    F32,
    F64,
    BF16,
    F16,
    F8E4M3,
    F8E5M2,
    I32,
    I64,
    I8,
    U8,
    U32,
    Bool,
}

impl DType {
    pub const ALL: [DType; 12] = [
        DType::F32,
        DType::F64,
        DType::BF16,
        DType::F16,
        DType::F8E4M3,
        DType::F8E5M2,
        DType::I32,
        DType::I64,
        DType::I8,
        DType::U8,
        DType::U32,
        DType::Bool,
    ];

    pub fn name(self) -> &'static str {
        match self {
            DType::F32 => "f32",
            DType::F64 => "f64",
            DType::BF16 => "bf16",
            DType::F16 => "f16",
            DType::F8E4M3 => "f8e4m3",
            DType::F8E5M2 => "f8e5m2",
            DType::I32 => "i32",
            DType::I64 => "i64",
            DType::I8 => "i8",
            DType::U8 => "u8",
            DType::U32 => "u32",
            DType::Bool => "bool",
        }
    }

    pub fn from_name(name: &str) -> Option<DType> {
        DType::ALL.into_iter().find(|d| d.name() == name)
    }

    /// Size of one element in bytes.
    pub fn bytes(self) -> u64 {
        match self {
            DType::F64 | DType::I64 => 8,
            DType::F32 | DType::I32 | DType::U32 => 4,
            DType::BF16 | DType::F16 => 2,
            DType::F8E4M3 | DType::F8E5M2 | DType::I8 | DType::U8 | DType::Bool => 1,
        }
    }

    pub fn is_float(self) -> bool {
        matches!(self, DType::F32 | DType::F64 | DType::BF16 | DType::F16) || self.is_float8()
    }

    /// Whether both are floats and every value is one of the other type, which is another.
    pub fn widens_to(self, to: DType) -> bool {
        self.is_float() && to.is_float() && to.bytes() > self.bytes()
    }

    /// One of the two formats of 8 bits, which are multiplied and converted and nothing else.
    pub fn is_float8(self) -> bool {
        matches!(self, DType::F8E4M3 | DType::F8E5M2)
    }

    /// An integer of 8 bits.
    pub fn is_int8(self) -> bool {
        matches!(self, DType::I8 | DType::U8)
    }

    pub fn is_int(self) -> bool {
        matches!(self, DType::I32 | DType::I64 | DType::I8 | DType::U8 | DType::U32)
    }
}

impl fmt::Display for DType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

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
