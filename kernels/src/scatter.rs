//! Rows added up by index, without atomics: a sort of the indices, and a sum for each row.

use crate::expr::DType;

/// Sorts `count` indices by the row of a table they name: buffers are the indices, `order` (`count` elements: positions, grouped by
/// row, ascending within a row) and `segments` (`rows + 1`: where each row's group begins). Indices are clamped to `0..total`, then
/// taken relative to the launch's dim 0 if `sharded`; those outside `0..rows` are left out. All i32, one unit.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct SegmentSort {
    pub count: u64,
    pub rows: u64,
    pub total: u64,
    pub sharded: bool,
}

/// `out[row, c] = sum over q in segment of row of updates[order[q], c]`, in ascending order of position: scatter-add without
/// atomics, the same bits on any number of threads. Buffers: order, segments, updates, out.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ScatterRows {
    pub dtype: DType,
    pub rows: u64,
    pub cols: u64,
    /// Elements from one row of the updates to the next; their columns are contiguous.
    pub update_stride: i64,
    pub out_stride: i64,
}
