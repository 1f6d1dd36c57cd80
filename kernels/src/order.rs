//! Kernels in which the order along a dim counts: running sums and extremes, and the first few elements by size.

use crate::expr::{DType, ReduceKind};

/// Columns of a [`Scan`] that one unit takes through the whole dim: the widest target's registers, a few of them.
pub const SCAN_COLS: u64 = 64;

/// What `kind` makes of the elements of the middle dim of `[outer, n, inner]` up to each (with `reverse` from the end), without
/// the element itself if `exclusive`. Buffers: x, out, both dense.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Scan {
    pub dtype: DType,
    pub kind: ReduceKind,
    pub outer: u64,
    pub n: u64,
    pub inner: u64,
    pub reverse: bool,
    pub exclusive: bool,
}

impl Scan {
    pub fn units(&self) -> u64 {
        self.outer * self.inner.div_ceil(SCAN_COLS)
    }

    pub fn elements(&self) -> u64 {
        self.outer * self.n * self.inner
    }
}

/// The first `k` of each row of `n` elements by size, NaN being the largest and ties in the order of their positions: the elements,
/// or their positions. Buffers: x, out, both dense. A unit is a row, sorted by merging runs of doubled length.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct TopK {
    pub dtype: DType,
    pub rows: u64,
    pub n: u64,
    pub k: u64,
    pub largest: bool,
    pub indices: bool,
}

impl TopK {
    /// Passes over the row: the first merges runs of one.
    pub fn passes(&self) -> u32 {
        u64::BITS - self.n.saturating_sub(1).leading_zeros()
    }

    /// Two lists of positions, written in turn.
    pub fn scratch_bytes(&self) -> u64 {
        8 * self.n.max(1)
    }

    pub fn out_dtype(&self) -> DType {
        if self.indices { DType::I32 } else { self.dtype }
    }
}
