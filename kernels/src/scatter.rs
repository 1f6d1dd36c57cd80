//! The specs of scatter-add, which needs no atomics: a sort of the indices, and a sum for each row.

use crate::expr::DType;

/// Sorts `count` indices by the row of a table that they name. Buffers: the indices; `order` (`count` elements), the
/// positions of the indices grouped by row, ascending within a row; `segments` (`rows + 1` elements), where each row's
/// group begins. Indices are clamped to `0..total`, and if `sharded`, the launch's dim 0 is subtracted. Indices outside
/// of `0..rows` are then left out. All buffers are i32. There is one unit.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct SegmentSort {
    pub count: u64,
    pub rows: u64,
    pub total: u64,
    pub sharded: bool,
}

/// `out[row, c] = sum over q in segment of row of updates[order[q], c]`, in ascending order of position. The bits are
/// the same on any number of threads. Buffers: order, segments, updates, out.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ScatterRows {
    pub dtype: DType,
    pub rows: u64,
    pub cols: u64,
    /// Elements from one row of the updates to the next. The columns of a row are contiguous.
    pub update_stride: i64,
    pub out_stride: i64,
}
