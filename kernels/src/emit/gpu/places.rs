//! Where in a tile of a contraction a thread's part lies, and in a tensor map a box.

use crate::dot::Tiling;
use crate::emit::builder::{Builder, Ix};
use crate::gpu::WARP;
use crate::tensor_map::{Boxes, Coordinate, LinearIndex};

/// The index along each of `dims`; the linear one is in range.
pub fn unravel(b: &mut Builder, linear: Ix, dims: &[u64]) -> Vec<Ix> {
    let (mut index, mut rest) = (vec![Ix::ZERO; dims.len()], linear);
    for (i, &d) in dims.iter().enumerate().rev() {
        (rest, index[i]) = if i == 0 { (Ix::ZERO, rest) } else { b.div_rem(rest, d) };
    }
    index
}

/// First row and column of the thread's warp in a tile, and the thread's group and place in it.
pub fn place(b: &mut Builder, tiling: &Tiling) -> [Ix; 4] {
    let thread = b.thread();
    let (warp, lane) = b.div_rem(thread, WARP);
    let (down, across) = b.div_rem(warp, tiling.warp_cols);
    let [rows, cols] = tiling.fragments();
    let (group, within) = b.div_rem(lane, 4);
    [b.scale(down, 16 * rows as i64), b.scale(across, 8 * cols as i64), group, within]
}

/// Where the box for a batch, a row, a column of a result or a step of `k` begins in its map.
pub fn coordinates(b: &mut Builder, boxes: &Boxes, [batch, row, col, k]: [Ix; 4]) -> Vec<Ix> {
    let of = |b: &mut Builder, c: &Coordinate| {
        let index = match c.along {
            LinearIndex::Batch => batch,
            LinearIndex::Rows => row,
            LinearIndex::Cols => col,
            LinearIndex::K => k,
        };
        let (index, _) = b.div_rem(index, c.step);
        c.size.map_or(index, |n| b.div_rem(index, n).1)
    };
    boxes.coordinates.iter().map(|c| of(b, c)).collect()
}
