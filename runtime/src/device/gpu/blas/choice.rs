//! Who computes a matmul: the kernel in the bundle or the library.

use crate::error::{Result, RuntimeError};
use meshloom_bundle::{DType, Gemm};

/// Says who computes matmuls: `auto`, `own` or `cublaslt`.
pub const VARIABLE: &str = "MESHLOOM_MATMUL";

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BlasChoice {
    /// The table decides.
    Auto,
    /// The kernels in the bundle.
    Own,
    /// The library, wherever it can.
    Library,
}

/// Version of the table: a run with another one may differ in the last bits.
pub const TABLE_VERSION: u32 = 1;

/// The library computes matmuls of these types and of at least this many operations on these GPUs. The kernel computes
/// those that no row matches.
struct Row {
    /// Major compute capabilities, the last one included.
    capabilities: (i32, i32),
    dtypes: &'static [DType],
    flops: u64,
    /// Least length of the shortest side: below it a library's tiles are mostly empty, and ours are smaller.
    side: u64,
}

/// On 9.x as an H100 measured it (docs/performance.md): at the sizes of GPT-2's layers our kernel is within 2 % of the library, and the library
/// is up to 10 % faster on wider ones, never slower. The other rows are not from measurements: they say where our kernel does not use
/// all of the hardware, or where no card has measured it yet. On 8.x it multiplies by warps. On 10.x it has sums in tensor memory
/// (`tcgen05`), which no card has run; so what is longer than a launch goes to the library there. In f32 it has
/// a simple blocking only. A small matmul takes as long as a launch, and our kernel contains the epilogue.
const TABLE: [Row; 4] = [
    Row { capabilities: (8, 8), dtypes: &[DType::BF16, DType::F16], flops: 1 << 31, side: 64 },
    Row { capabilities: (9, 9), dtypes: &[DType::BF16, DType::F16], flops: 1 << 31, side: 64 },
    Row { capabilities: (10, i32::MAX), dtypes: &[DType::BF16, DType::F16], flops: 1 << 30, side: 64 },
    Row { capabilities: (8, i32::MAX), dtypes: &[DType::F32], flops: 1 << 28, side: 32 },
];

impl BlasChoice {
    /// # Errors
    /// A word that is none of the three.
    pub fn from_env() -> Result<BlasChoice> {
        let word = std::env::var(VARIABLE).unwrap_or_default();
        BlasChoice::named(&word).ok_or_else(|| {
            let message = format!("`{word}` is none of auto, own and cublaslt");
            RuntimeError::usage(VARIABLE, message)
        })
    }

    fn named(word: &str) -> Option<BlasChoice> {
        match word {
            "" | "auto" => Some(BlasChoice::Auto),
            "own" => Some(BlasChoice::Own),
            "cublaslt" => Some(BlasChoice::Library),
            _ => None,
        }
    }

    /// Whether the library computes it on a GPU of compute capability `major`.
    pub(super) fn takes_library(self, p: &Gemm, major: i32) -> bool {
        let fits = |r: &Row| {
            (r.capabilities.0..=r.capabilities.1).contains(&major)
                && r.dtypes.contains(&p.dtype)
                && p.flops() >= r.flops
                && p.m.min(p.n).min(p.k) >= r.side
        };
        match self {
            BlasChoice::Own => false,
            BlasChoice::Library => true,
            BlasChoice::Auto => TABLE.iter().any(fits),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use meshloom_bundle::Matrix;

    fn matmul(n: u64, dtype: DType) -> Gemm {
        let matrix = |arg| Matrix { arg, offset: 0, transposed: false, ld: n, stride: 0 };
        let (a, b, d) = (matrix(0), matrix(1), matrix(2));
        Gemm { m: n, n, k: n, batch: 1, dtype, result: dtype, tf32: false, a, b, d, c: None, bias: None }
    }

    #[test]
    fn the_table_decides_by_size_type_and_gpu() {
        let takes = |n, dtype, major| BlasChoice::Auto.takes_library(&matmul(n, dtype), major);
        assert!(takes(4096, DType::BF16, 9) && takes(4096, DType::F16, 8) && takes(1024, DType::F32, 9));
        assert!(!takes(128, DType::BF16, 9) && !takes(64, DType::F32, 10) && !takes(4096, DType::BF16, 7));
        assert!(BlasChoice::Library.takes_library(&matmul(1, DType::F32), 7));
        assert!(!BlasChoice::Own.takes_library(&matmul(8192, DType::BF16), 9));
    }

    #[test]
    fn words() {
        let all = ["", "auto", "own", "cublaslt", "cublas"].map(BlasChoice::named);
        assert_eq!(
            all,
            [Some(BlasChoice::Auto), Some(BlasChoice::Auto), Some(BlasChoice::Own), Some(BlasChoice::Library), None]
        );
    }
}
