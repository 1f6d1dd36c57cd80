//! Properties of a machine, and the tuning table: the numbers that were measured rather than derived.
//!
//! Panel formats and units are the same for every target (see [`crate::spec`]). Only the work within a tile differs.

use crate::attention::AttentionShape;
use crate::expr::DType;
use crate::geometry::{ceil_div, round_up};
use crate::gpu::{GpuArch, LINE, LINE_ELEMENTS};

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

/// Numbers that were measured. `Target::tuning` is the table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Tuning {
    /// Rows and vectors of a register tile. V4 has 16 accumulators in 32 registers, V3 has 8 in 16. A larger tile
    /// spills, and takes 1.4 times as long.
    pub tile_rows: u64,
    pub tile_vectors: u64,
    /// Rows of A (in whole panels) that are multiplied with one column panel of B before the next one is loaded.
    pub m_block: u64,
    /// Whether lines that an epilogue reads are prefetched before the GEMM. Rows that lie 4 KiB apart share one set of
    /// L1, so the loads of an epilogue would wait for L2 one after the other.
    pub prefetch_epilogue: bool,
    /// The unrolling of attention's short loops over k.
    pub attention_unroll: u64,
}

impl Target {
    pub const V3: Target = Target { level: Level::V3 };
    pub const V4: Target = Target { level: Level::V4 };

    /// The name of the CPU for the code generator.
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

/// The version of the tables of [`AttentionTiles`]. It is part of a spec's text, so kernels of different versions have
/// different names.
pub const ATTENTION_TUNING: u32 = 6;

/// The tile of attention that a block of a GPU takes at a time.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct AttentionTiles {
    /// The queries that stay in the block; in the backward pass's sums over queries, the keys.
    pub rows: u64,
    /// The keys that the block walks through; or the queries.
    pub keys: u64,
    /// The queries that walk past keys in the backward pass, where tiles are fetched.
    pub queries: u64,
    /// The threads that compute.
    pub threads: u32,
    /// The threads beside them of which one has tiles fetched by the tensor memory accelerator: 0 where all threads copy.
    pub producers: u32,
    /// Tiles of what the block walks through that are under way or in use, where they are fetched; and of queries that walk past keys.
    pub stages: u64,
    pub query_stages: u64,
    /// Tiles of rows that stay in the block, in use or under way, where they are fetched.
    pub kept: u64,
    /// Blocks that share a multiprocessor, where tiles are fetched.
    pub beside: u32,
    /// A block takes two tiles of rows at a time, one that sees much and one that sees little.
    pub paired: bool,
    /// The number of blocks that share the columns of a tile's sums in the backward pass. Each of them computes all
    /// scores of the tile.
    pub parts: u64,
}

/// The elements by which rows in shared memory are padded: 16 bytes, so that neighbouring rows begin in different
/// banks.
pub fn attention_pad(dtype: DType) -> u64 {
    16 / dtype.bytes()
}

const fn tiles(rows: u64, keys: u64, threads: u32) -> AttentionTiles {
    AttentionTiles {
        rows,
        keys,
        queries: 0,
        threads,
        producers: 0,
        stages: 0,
        query_stages: 0,
        kept: 0,
        beside: 1,
        paired: false,
        parts: 1,
    }
}

/// Tiles for warpgroups, each of which has 64 of the rows.
const fn fetched(rows: u64, keys: u64, stages: u64, kept: u64) -> AttentionTiles {
    AttentionTiles { producers: 128, stages, kept, ..tiles(rows, keys, 2 * rows as u32) }
}

/// The same with queries that go past keys.
const fn fetched_backward(queries: u64, query_stages: u64, fetched: AttentionTiles) -> AttentionTiles {
    AttentionTiles { queries, query_stages, ..fetched }
}

/// For heads of up to so many elements, on tensor cores: the tiles if there are enough of them to fill the GPU, and the
/// tiles if not. With 128 rows a warp has two fragments of rows, so it uses each fragment of keys and values twice. The
/// figures follow from what fits registers and shared memory (see `emit::gpu::attention`). They are not measured yet.
const TENSOR_FORWARD: [(u64, [AttentionTiles; 2]); 3] = [
    (64, [tiles(128, 64, 128), tiles(64, 64, 128)]),
    (128, [tiles(128, 32, 128), tiles(64, 64, 128)]),
    (256, [tiles(64, 32, 128), tiles(64, 32, 128)]),
];
/// With a producer warp and warpgroups: what fits registers (a warpgroup's scores, the weights before them and its sums), and
/// shared memory (tiles of queries, and some of keys and of values). The next tile of queries is under way where there is room, so that
/// a unit begins as the one before ends. Blocks with the registers of a multiprocessor to themselves take more than half of the memory, too,
/// so that no launch counts on two.
const FETCHED_FORWARD: [(u64, AttentionTiles); 3] =
    [(64, fetched(128, 128, 4, 2)), (128, fetched(128, 128, 2, 2)), (256, fetched(128, 80, 2, 1))];
/// With segments, for which the producer has a warp beside it.
const SEGMENTED_FORWARD: (u64, AttentionTiles) = (64, fetched(128, 128, 4, 2));
/// With ordinary arithmetic: 16 x 16 threads.
const SINGLE_FORWARD: [(u64, [AttentionTiles; 2]); 1] = [(128, [tiles(64, 64, 256), tiles(64, 64, 256)])];

/// The backward pass on tensor cores. The sums of keys and values with 256 elements would take all registers. So two
/// blocks have half of the sums each, and both compute the scores.
const TENSOR_BACKWARD: [(u64, AttentionTiles); 3] =
    [(64, tiles(64, 64, 128)), (128, tiles(64, 32, 128)), (256, AttentionTiles { parts: 2, ..tiles(64, 32, 128) })];
/// With a producer and warpgroups. Where keys stay, a thread has the sums of both operands, so fewer queries go by at a time. Between the
/// request for a tile of those and its use lie two latencies, that of the copy and that of the warps that measure: three stages at least.
const FETCHED_BACKWARD: [(u64, AttentionTiles); 3] = [
    (64, fetched_backward(64, 6, fetched(128, 128, 4, 2))),
    (128, fetched_backward(64, 3, fetched(128, 128, 2, 1))),
    (256, AttentionTiles { parts: 2, ..fetched_backward(32, 2, fetched(128, 32, 3, 1)) }),
];
/// The same with ordinary arithmetic, in at most 164 KiB of shared memory.
const SINGLE_BACKWARD: [(u64, AttentionTiles); 2] = [(64, tiles(64, 64, 256)), (128, tiles(64, 32, 256))];

/// Bytes of shared memory that a block of an H100 may have.
const BLOCK_SHARED: u64 = 227 << 10;

/// Tiles of queries that stay whose statistics a block has at a time: those in use and the next.
pub const OWN_STAGES: u64 = 2;

impl AttentionTiles {
    /// The tiles of the backward pass. `None` if the table has none for the type or the length of heads, or if parts
    /// would not be whole fragments.
    pub fn backward(s: &AttentionShape) -> Option<AttentionTiles> {
        let table: &[(u64, AttentionTiles)] = match s.dtype {
            DType::BF16 | DType::F16 => &TENSOR_BACKWARD,
            DType::F32 => &SINGLE_BACKWARD,
            _ => return None,
        };
        let fits = |(head, _): &&(u64, AttentionTiles)| s.head.max(s.value) <= *head;
        let (_, tiles) = table.iter().find(fits)?;
        let whole = |width: u64| tiles.parts == 1 || width.is_multiple_of(16 * tiles.parts);
        (whole(s.head) && whole(s.value)).then_some(*tiles)
    }

    /// Bytes of shared memory in the backward pass: two tiles that stay, two stages of those that the block walks
    /// through, and statistics of queries. Without tensor cores, weights too.
    pub fn backward_shared(&self, s: &AttentionShape) -> u64 {
        if self.producers > 0 {
            let [stays, of_queries, of_keys] = self.fetched_backward_bytes(s);
            let goes_by = (self.query_stages * of_queries).max(self.stages * of_keys);
            // Two statistics of each query; barriers: two of each stage, and one of measured queries.
            let barriers = 2 * (self.kept + self.stages + OWN_STAGES) + 3 * self.query_stages;
            let statistics = 8 * (self.query_stages * self.queries + OWN_STAGES * self.rows);
            // Full and empty, of stages of segments, which lie where statistics do.
            let numbered = if s.segments.is_some() { 2 * (self.query_stages + self.stages) } else { 0 };
            return self.kept * stays + goes_by + statistics + 8 * (barriers + numbered);
        }
        let pad = attention_pad(s.dtype);
        let both = round_up(s.head, 16) + round_up(s.value, 16) + 2 * pad;
        let elements = (self.rows + 2 * self.keys) * both + self.weights(s);
        s.dtype.bytes() * elements + 4 * (4 * self.keys).max(2 * self.rows)
    }

    /// Elements of shared memory through which weights are exchanged. On tensor cores they stay in registers.
    fn weights(&self, s: &AttentionShape) -> u64 {
        if s.is_narrow() { 0 } else { self.rows * (self.keys + attention_pad(s.dtype)) }
    }

    /// The tiles of the forward pass. `None` if the table has none for the type or the length of heads.
    pub fn forward(s: &AttentionShape, gpu: GpuArch) -> Option<AttentionTiles> {
        let table: &[(u64, [AttentionTiles; 2])] = match s.tiled() {
            DType::BF16 | DType::F16 => &TENSOR_FORWARD,
            DType::F32 => &SINGLE_FORWARD,
            _ => return None,
        };
        let (_, [large, small]) = table.iter().find(|(head, _)| s.head.max(s.value) <= *head)?;
        let units = s.batch * s.q_heads() * ceil_div(s.q_len, large.rows);
        Some(if units >= gpu.processors() / 2 { *large } else { *small })
    }

    /// The tiles of the forward pass for warpgroups whose tiles are fetched. `None` for other types and longer heads.
    pub fn fetched_forward(s: &AttentionShape) -> Option<AttentionTiles> {
        let segmented = s.segments.map(|_| SEGMENTED_FORWARD);
        let mut table = segmented.iter().chain(&FETCHED_FORWARD);
        let (_, tiles) = table.find(|(head, _)| s.head.max(s.value) <= *head)?;
        (s.is_narrow() && s.tiled() == s.dtype).then_some(*tiles)
    }

    /// The tiles of the backward pass for warpgroups whose tiles are fetched. `None` for other types and longer heads, if parts of the columns
    /// would not be whole lines, and if segments leave too little memory.
    pub fn fetched_backward(s: &AttentionShape) -> Option<AttentionTiles> {
        let (_, tiles) = FETCHED_BACKWARD.iter().find(|(head, _)| s.head.max(s.value) <= *head)?;
        let whole = |width: u64| tiles.parts == 1 || width.is_multiple_of(LINE_ELEMENTS * tiles.parts);
        let fits = whole(s.head) && whole(s.value) && tiles.backward_shared(s) <= BLOCK_SHARED;
        (s.is_narrow() && s.tiled() == s.dtype && fits).then_some(*tiles)
    }

    /// Bytes of the tiles that stay in the backward pass; and of those of one stage, of queries with outputs and the gradients of those, and of
    /// keys with values.
    pub fn fetched_backward_bytes(&self, s: &AttentionShape) -> [u64; 3] {
        let of = |rows: u64, values: u64| {
            AttentionTiles::fetched_bytes(rows, s.head) + values * AttentionTiles::fetched_bytes(rows, s.value)
        };
        [of(self.rows, 1), of(self.queries, 2), of(self.keys, 1)]
    }

    /// Tiles of `len` rows of each head, or pairs of them.
    pub fn units(&self, heads: u64, len: u64) -> u64 {
        let tiles = ceil_div(len, self.rows);
        heads * if self.paired { tiles.div_ceil(2) } else { tiles }
    }

    /// The same tiles in pairs, if those are as much work as each other, and enough to fill the GPU.
    pub fn in_pairs(self, s: &AttentionShape, gpu: GpuArch) -> AttentionTiles {
        let paired = AttentionTiles { paired: true, ..self };
        let at_once = gpu.processors() * u64::from(self.beside);
        let fits = s.causal && s.is_plain() && paired.units(s.batch * s.heads, s.kv_len) >= at_once;
        if fits { paired } else { self }
    }

    /// Threads of a block.
    pub fn block_threads(&self) -> u32 {
        self.threads + self.producers
    }

    /// Bytes of a fetched tile of so many rows, in lines of 128 bytes.
    pub fn fetched_bytes(rows: u64, width: u64) -> u64 {
        rows * ceil_div(width, LINE_ELEMENTS) * LINE
    }

    /// Bytes of a tile that is fetched in the forward pass, of queries, keys and values.
    pub fn fetched_forward_bytes(&self, s: &AttentionShape) -> [u64; 3] {
        let of = AttentionTiles::fetched_bytes;
        [of(self.rows, s.head), of(self.keys, s.head), of(self.keys, s.value)]
    }

    /// Bytes of shared memory in the forward pass: a tile of queries, one of keys and one of values. Without tensor
    /// cores, one of probabilities too.
    pub fn forward_shared(&self, s: &AttentionShape) -> u64 {
        if self.producers > 0 {
            let [queries, keys, values] = self.fetched_forward_bytes(s);
            // Barriers: full and empty for each tile, and a warpgroup's turn.
            let barriers = 4 * self.stages + 2 * self.kept + u64::from(self.threads) / 128;
            // The segments of keys, and full and empty.
            let numbers = if s.segments.is_some() { self.stages * (4 * self.keys + 16) } else { 0 };
            return self.kept * queries + self.stages * (keys + values) + 8 * barriers + numbers;
        }
        let pad = attention_pad(s.tiled());
        let (head, value) = (round_up(s.head, 16) + pad, round_up(s.value, 16) + pad);
        s.tiled().bytes() * ((self.rows + self.keys) * head + self.keys * value + self.weights(s))
    }
}
