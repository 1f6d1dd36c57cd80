//! A contraction in the words of BLAS: what a library such as cuBLASLt needs to know to compute what a kernel computes.
//!
//! If a GPU kernel is a plain contraction, its launch has a [`Gemm`] beside it, and a runtime that has the library
//! may call the library instead. The library gets the launch's own buffers and gives the same result, up to the order
//! of sums. The kernel is in the bundle in any case. The runtime chooses by its tuning table.

use crate::encoding;
use meshloom_scalar::DType;
use serde::{Deserialize, Serialize};

/// `D = op(A) op(B) + C + bias` for each of `batch` matrices, by columns: element `(i, j)` of a matrix lies at `i + ld * j`. `op(A)` is
/// `m x k`, `op(B)` is `k x n`, `C` and `D` are `m x n`. Sums are of f32.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Gemm {
    pub m: u64,
    pub n: u64,
    pub k: u64,
    pub batch: u64,
    /// Of A and B: f32, bf16 or f16.
    #[serde(with = "encoding")]
    pub dtype: DType,
    /// Of C, D and the bias: that of A and B, or f32.
    #[serde(with = "encoding")]
    pub result: DType,
    /// A and B are f32, and may be rounded to tf32 before they are multiplied.
    #[serde(default, skip_serializing_if = "is_false")]
    pub tf32: bool,
    pub a: Matrix,
    pub b: Matrix,
    pub d: Matrix,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub c: Option<Matrix>,
    /// `m` elements, one after the other, added to each column.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bias: Option<Vector>,
}

/// Where a matrix lies in an argument of the launch.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Matrix {
    pub arg: u32,
    /// Bytes from the argument's start to the first element.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub offset: u64,
    /// Memory has the transpose of the matrix. Only for A and B.
    #[serde(default, skip_serializing_if = "is_false")]
    pub transposed: bool,
    /// Elements from one column to the next, in memory.
    pub ld: u64,
    /// Elements from one matrix to the next.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub stride: u64,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Vector {
    pub arg: u32,
    /// Bytes from the argument's start to the first element.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub offset: u64,
}

fn is_zero(n: &u64) -> bool {
    *n == 0
}

fn is_false(b: &bool) -> bool {
    !*b
}

impl Gemm {
    /// The matrices, with their rows and columns in memory, and their element types.
    pub fn matrices(&self) -> Vec<(&'static str, &Matrix, [u64; 2], DType)> {
        let lies = |t: bool, rows: u64, cols: u64| if t { [cols, rows] } else { [rows, cols] };
        let mut all = vec![
            ("A", &self.a, lies(self.a.transposed, self.m, self.k), self.dtype),
            ("B", &self.b, lies(self.b.transposed, self.k, self.n), self.dtype),
            ("D", &self.d, [self.m, self.n], self.result),
        ];
        all.extend(self.c.as_ref().map(|c| ("C", c, [self.m, self.n], self.result)));
        all
    }

    /// Multiplications and additions.
    pub fn flops(&self) -> u64 {
        [self.n, self.k, self.batch].iter().fold(self.m.saturating_mul(2), |f, &n| f.saturating_mul(n))
    }
}
