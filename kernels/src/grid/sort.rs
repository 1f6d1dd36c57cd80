//! How blocks sort and search rows: the figures that the grid and the template agree on ([`crate::emit::gpu`]).

use crate::gpu::WARP;
use crate::order::TopK;

/// Threads of a block that sorts: a count for each of them and each digit is what static shared memory holds.
pub const THREADS: u32 = 512;

/// Rows shorter than this are searched by a warp.
pub const SHORT_ROW: u64 = 1024;

/// Whether the first few are found one by one: keys and positions fit a word together, and rounds are fewer than what sorting takes.
pub fn is_searched(s: &TopK) -> bool {
    s.dtype.computed().bytes() <= 4 && s.k <= 32
}

/// Threads of a block that searches a row.
pub fn search_threads(n: u64) -> u32 {
    if n <= SHORT_ROW { WARP as u32 } else { 256 }
}
