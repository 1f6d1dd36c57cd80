//! How blocks sort rows: the figures that the grid and the template agree on ([`crate::emit::gpu`]).

/// Threads of a block that sorts: a count for each of them and each digit is what static shared memory holds.
pub const THREADS: u32 = 512;

/// Bits of a digit of the keys that rows are sorted by.
pub const BITS: u64 = 4;
