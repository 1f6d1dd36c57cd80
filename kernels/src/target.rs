//! What the machine is like, and the tuning table: the numbers that were measured rather than derived.
//!
//! Panel formats and units are the same for every target (see [`crate::spec`]); only what happens within a tile differs.

use crate::attention::AttentionShape;
use crate::expr::DType;
use crate::geometry::{ceil_div, round_up};
use crate::gpu::GpuArch;

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

/// Version of [`AttentionTiles`]' table. It is part of the text of a spec, so that kernels of another version have other names.
pub const ATTENTION_TUNING: u32 = 3;

/// What a block of a GPU takes of attention at a time.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct AttentionTiles {
    /// Queries that stay, or keys in the backward pass's sums over queries.
    pub rows: u64,
    /// Keys (or queries) that go by.
    pub keys: u64,
    pub threads: u32,
    /// Blocks that share the columns of a tile's sums in the backward pass, each with all of its scores.
    pub parts: u64,
}

/// Elements by which rows in shared memory are longer than what they hold: 16 bytes, so that rows beside each other begin in other banks.
pub fn attention_pad(dtype: DType) -> u64 {
    16 / dtype.bytes()
}

const fn tiles(rows: u64, keys: u64, threads: u32) -> AttentionTiles {
    AttentionTiles { rows, keys, threads, parts: 1 }
}

/// For heads up to so many elements on tensor cores: tiles for when there are enough of them to fill the GPU, and for when not. With 128
/// rows a warp has two fragments of rows, so that what it reads of keys and values is used twice. Derived from what fits registers
/// and shared memory (see `emit::gpu::attention`); not yet from measurements.
const TENSOR_FORWARD: [(u64, [AttentionTiles; 2]); 3] = [
    (64, [tiles(128, 64, 128), tiles(64, 64, 128)]),
    (128, [tiles(128, 32, 128), tiles(64, 64, 128)]),
    (256, [tiles(64, 32, 128), tiles(64, 32, 128)]),
];
/// By ordinary arithmetic: 16 x 16 threads.
const SINGLE_FORWARD: [(u64, [AttentionTiles; 2]); 1] = [(128, [tiles(64, 64, 256), tiles(64, 64, 256)])];

/// Of the backward pass on tensor cores. Sums of keys and of values of 256 elements would take all registers, so that two blocks have
/// half of them each, and make the scores twice.
const TENSOR_BACKWARD: [(u64, AttentionTiles); 3] =
    [(64, tiles(64, 64, 128)), (128, tiles(64, 32, 128)), (256, AttentionTiles { parts: 2, ..tiles(64, 32, 128) })];
/// And by ordinary arithmetic, in at most 164 KiB of shared memory.
const SINGLE_BACKWARD: [(u64, AttentionTiles); 2] = [(64, tiles(64, 64, 256)), (128, tiles(64, 32, 256))];

impl AttentionTiles {
    /// Of the backward pass; `None` where there are no tiles for the type or the length of heads, or where parts are not whole fragments.
    pub fn backward(s: &AttentionShape) -> Option<AttentionTiles> {
        let table: &[(u64, AttentionTiles)] = match s.dtype {
            DType::Bf16 | DType::F16 => &TENSOR_BACKWARD,
            DType::F32 => &SINGLE_BACKWARD,
            _ => return None,
        };
        let fits = |(head, _): &&(u64, AttentionTiles)| s.head.max(s.value) <= *head;
        let (_, tiles) = table.iter().find(fits)?;
        let whole = |width: u64| tiles.parts == 1 || width.is_multiple_of(16 * tiles.parts);
        (whole(s.head) && whole(s.value)).then_some(*tiles)
    }

    /// Shared memory of the backward pass, in bytes: two tiles that stay, two stages of those that go by, statistics of queries; without
    /// tensor cores, weights too.
    pub fn backward_shared(&self, s: &AttentionShape) -> u64 {
        let pad = attention_pad(s.dtype);
        let both = round_up(s.head, 16) + round_up(s.value, 16) + 2 * pad;
        let elements = (self.rows + 2 * self.keys) * both + self.weights(s);
        s.dtype.bytes() * elements + 4 * (4 * self.keys).max(2 * self.rows)
    }

    /// Elements of shared memory that weights are exchanged in: on tensor cores they stay in registers.
    fn weights(&self, s: &AttentionShape) -> u64 {
        if s.is_narrow() { 0 } else { self.rows * (self.keys + attention_pad(s.dtype)) }
    }

    /// Of the forward pass; `None` where there are no tiles for the type or the length of heads.
    pub fn forward(s: &AttentionShape, gpu: GpuArch) -> Option<AttentionTiles> {
        let table: &[(u64, [AttentionTiles; 2])] = match s.dtype {
            DType::Bf16 | DType::F16 => &TENSOR_FORWARD,
            DType::F32 => &SINGLE_FORWARD,
            _ => return None,
        };
        let (_, [large, small]) = table.iter().find(|(head, _)| s.head.max(s.value) <= *head)?;
        let units = s.batch * s.q_heads() * ceil_div(s.q_len, large.rows);
        Some(if units >= gpu.processors() / 2 { *large } else { *small })
    }

    /// Shared memory of the forward pass, in bytes: a tile of queries, one of keys and one of values; without tensor cores, of
    /// probabilities too.
    pub fn forward_shared(&self, s: &AttentionShape) -> u64 {
        let pad = attention_pad(s.dtype);
        let (head, value) = (round_up(s.head, 16) + pad, round_up(s.value, 16) + pad);
        s.dtype.bytes() * ((self.rows + self.keys) * head + self.keys * value + self.weights(s))
    }
}
