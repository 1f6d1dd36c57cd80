//! How blocks share the work of a running sum: the figures that the grid and the template agree on ([`crate::emit::gpu`]).

use crate::geometry::ceil_div;
use crate::gpu::WARP;
use crate::running::Along;

/// Neighbours along the dim that a thread takes at a time.
pub const EACH: u64 = 4;

/// Threads of a block at most: a round of the exchange is a barrier, and rounds are their logarithm.
const THREADS: u64 = 256;

/// Columns of a block, side by side in memory.
pub fn columns(s: &Along) -> u64 {
    s.inner.next_power_of_two().min(WARP)
}

/// Enough for the dim in one chunk, if there are so many.
pub fn threads(s: &Along) -> u32 {
    (columns(s) * ceil_div(s.n, EACH).next_power_of_two()).clamp(WARP, THREADS) as u32
}

pub fn units(s: &Along) -> u64 {
    s.outer * ceil_div(s.inner, columns(s))
}
