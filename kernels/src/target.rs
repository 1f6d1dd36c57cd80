//! What the machine is like, and the tuning table: the numbers that were measured rather than derived.
//!
//! Panel formats and units are the same for every target (see [`crate::spec`]); only what happens within a tile differs.

use crate::expr::DType;

/// An x86-64 level, as in the psABI: V3 is AVX2 and FMA, V4 is AVX-512.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Level {
    V3,
    V4,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Target {
    pub level: Level,
}

/// Numbers found by measuring. `Target::tuning` is the table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Tuning {
    /// Rows and vectors of a register tile. V4 holds 16 accumulators of 32 registers, V3 8 of 16: a larger tile spills, and takes
    /// 1.4 times as long.
    pub tile_rows: u64,
    pub tile_vectors: u64,
    /// Rows of A (in whole panels) that share a column panel of B before the next one is fetched.
    pub m_block: u64,
    /// Whether lines that an epilogue reads are fetched before the product: rows 4 KiB apart share one set of L1, and the loads of
    /// an epilogue would wait for L2 one after the other.
    pub prefetch_epilogue: bool,
    /// Unrolling of the short k loops of attention.
    pub attention_unroll: u64,
}

impl Target {
    pub const V3: Target = Target { level: Level::V3 };
    pub const V4: Target = Target { level: Level::V4 };

    /// The CPU name that the code generator is given.
    pub fn cpu(self) -> &'static str {
        match self.level {
            Level::V3 => "x86-64-v3",
            Level::V4 => "x86-64-v4",
        }
    }

    pub fn vector_bytes(self) -> u64 {
        match self.level {
            Level::V3 => 32,
            Level::V4 => 64,
        }
    }

    /// Elements of a vector register.
    pub fn lanes(self, dtype: DType) -> u64 {
        self.vector_bytes() / dtype.bytes().max(4)
    }

    pub fn tuning(self) -> Tuning {
        match self.level {
            Level::V3 => {
                Tuning { tile_rows: 4, tile_vectors: 2, m_block: 128, prefetch_epilogue: true, attention_unroll: 4 }
            }
            Level::V4 => {
                Tuning { tile_rows: 8, tile_vectors: 2, m_block: 128, prefetch_epilogue: true, attention_unroll: 4 }
            }
        }
    }
}
