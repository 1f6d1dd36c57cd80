//! How a launch covers the units of a kernel on a GPU.
//!
//! Two mappings. *Units*: the function that a CPU runs becomes a device function, and every thread calls it for single units; right for
//! any spec, and nothing more. *Blocks*: a template of its own for GPUs ([`crate::emit::gpu`]), which knows of threads, warps and shared
//! memory. What [`Grid::of`] says of a spec, the emitter and the bundle agree on.

pub mod scan;
pub mod sort;

use crate::attention::{Attention, AttentionBackward, AttentionShape, Strides};
use crate::column::Column;
use crate::dot::{Dot, Tiling};
use crate::expr::{Access, Body, DType, Node, NodeId};
use crate::fused::{Fused, Passes};
use crate::geometry::{ceil_div, product};
use crate::gpu::{ALIGN, GpuArch, WARP};
use crate::running::Along;
use crate::scatter::ScatterRows;
use crate::target::AttentionTiles;

/// Who computes a unit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mapping {
    /// A thread, running the function that a CPU runs.
    Units,
    /// A thread or a block, running a template for GPUs.
    Blocks,
}

/// How the units of a kernel are spread over threads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Grid {
    pub mapping: Mapping,
    pub units: u64,
    /// Units that a block takes at a time.
    pub units_per_block: u64,
    /// Threads of a block.
    pub threads: u32,
    /// Neighbouring points that a thread takes at a time.
    pub lanes: u64,
    /// What a block of a contraction computes at a time, and how many neighbours of each operand a thread loads at once.
    pub tiling: Tiling,
    pub operand_lanes: [u64; 2],
    /// What a block of attention takes at a time.
    pub tiles: AttentionTiles,
    /// Dynamic shared memory.
    pub shared_bytes: u32,
    /// Bytes of device memory that a block needs to itself.
    pub workspace: u64,
    /// The kernel is another one than that for aligned buffers.
    pub(crate) unaligned: bool,
}

/// Threads of a block that take units one by one.
const THREADS: u32 = 128;

/// The same where each thread has scratch of its own: the fewer there are, the less memory a launch takes.
const THREADS_WITH_SCRATCH: u32 = 32;

/// Blocks that have a workspace at a time, at most; and what they may take together, unless one alone takes more.
const WORKSPACE_BLOCKS: u64 = 512;

const WORKSPACE_BYTES: u64 = 64 << 20;

/// The most vectors of a row that a thread has, where a block's threads have equally many.
const ROW_VECTORS: u64 = 4;

/// The most bytes of partial results of a block that reduces columns: blocks share a multiprocessor's memory.
const PARTIAL_BYTES: u64 = 32 << 10;

/// Rows that are read once for each pass: the second pass finds a row in the L2 cache only if the rows of all blocks at work are there, in
/// half of an H100's 50 MB together with what is written. At about 1,536 threads a multiprocessor, wider blocks are fewer.
fn of_long_rows(s: &Fused) -> u64 {
    const PROCESSORS: u64 = 132;
    const RESIDENT: u64 = 1536;
    const CACHED: u64 = 28_000_000;
    let dim = s.shape.len() - 1;
    let read = s.body.nodes.iter().filter_map(|n| match n {
        Node::Leaf(a) if a.strides[dim] != 0 => Some(s.body.buffers[a.buffer as usize].bytes()),
        _ => None,
    });
    let row = read.sum::<u64>() * s.cols();
    [256, 512].into_iter().find(|threads| RESIDENT / threads * PROCESSORS * row <= CACHED).unwrap_or(768)
}

impl Grid {
    /// A row of the table for each block.
    pub(crate) fn of_scatter(s: &ScatterRows, aligned: bool) -> Grid {
        let mut lanes = if aligned { ALIGN / s.dtype.bytes() } else { 1 };
        let steps = [s.cols as i64, s.update_stride, s.out_stride];
        while steps.iter().any(|n| n % lanes as i64 != 0) {
            lanes /= 2;
        }
        let threads = (s.cols / lanes).next_multiple_of(WARP).clamp(WARP, 256) as u32;
        Grid::by_blocks(s.rows, 1, threads, lanes)
    }

    /// A few columns for each block.
    pub(crate) fn of_running(s: &Along, aligned: bool) -> Grid {
        let whole = aligned && s.inner == 1 && s.n.is_multiple_of(scan::EACH) && s.dtype.bytes() * scan::EACH <= ALIGN;
        Grid::by_blocks(scan::units(s), 1, scan::threads(s), if whole { scan::EACH } else { 1 })
    }

    pub(crate) fn by_blocks(units: u64, units_per_block: u64, threads: u32, lanes: u64) -> Grid {
        let mapping = Mapping::Blocks;
        Grid {
            mapping,
            units,
            units_per_block,
            threads,
            lanes,
            tiling: Tiling::default(),
            operand_lanes: [1; 2],
            tiles: AttentionTiles::default(),
            shared_bytes: 0,
            workspace: 0,
            unaligned: false,
        }
    }

    /// `scratch`: bytes that each thread has to itself.
    pub(crate) fn by_units(units: u64, scratch: u64) -> Grid {
        let threads = if scratch > 0 { THREADS_WITH_SCRATCH } else { THREADS };
        let threads = if units == 1 { THREADS_WITH_SCRATCH } else { threads };
        let workspace = u64::from(threads).min(units.max(1)) * scratch;
        let grid = Grid::by_blocks(units, threads.into(), threads, 1);
        Grid { mapping: Mapping::Units, workspace, ..grid }
    }

    /// A vector of points for each thread; or, where rows are reduced, a row for each block, whose threads have a few vectors each.
    pub(crate) fn of_fused(s: &Fused, aligned: bool) -> Grid {
        let (cols, rows) = (s.cols(), product(&s.shape[..s.shape.len() - 1]));
        let lanes = if aligned { lanes(&s.body, s.shape.len() - 1, cols) } else { 1 };
        if !s.body.has_reduce() {
            return Grid::by_blocks(rows * (cols / lanes), 256, 256, lanes);
        }
        // Blocks of equal work for all threads come first: such a row stays in registers.
        let vectors = cols / lanes;
        let even = |threads: &u64| vectors.is_multiple_of(*threads) && (1..=ROW_VECTORS).contains(&(vectors / threads));
        let threads = match vectors {
            0..=64 => 32,
            65..=512 => (2..=8).map(|w| w * WARP).rfind(|t| *t <= 128 && even(t)).unwrap_or(128),
            _ => (4..=16).map(|w| w * WARP).find(even).unwrap_or_else(|| of_long_rows(s)),
        } as u32;
        Grid::by_blocks(rows, 1, threads, lanes)
    }

    /// A warp's width of vectors of columns for each block. Vectors are shorter where there are few columns or blocks, or where the
    /// block's partial results would take too much shared memory; and blocks that do not even fill half of the device have more warps.
    pub(crate) fn of_column(s: &Column, gpu: GpuArch, aligned: bool) -> Grid {
        let mut warps = ceil_div(product(&s.reduce), 4).clamp(1, 8);
        let mut lanes = if aligned { column_lanes(s) } else { 1 };
        let blocks = |lanes: u64| product(&s.outer) * ceil_div(s.cols / lanes, WARP);
        let reduces = (0..s.body.nodes.len() as u32).map(NodeId);
        let reduces = reduces.filter(|id| matches!(s.body.nodes[id.index()], Node::Reduce { .. }));
        let word: u64 = reduces.map(|id| s.body.dtype(id).bytes()).sum();
        while lanes > 1 && (blocks(lanes) < gpu.processors() || warps * WARP * lanes * word > PARTIAL_BYTES) {
            lanes /= 2;
        }
        if blocks(lanes) < gpu.processors() / 2 {
            warps = ceil_div(product(&s.reduce), 4).clamp(warps, 32);
        }
        while warps > 8 && warps * WARP * lanes * word > PARTIAL_BYTES {
            warps /= 2;
        }
        Grid::by_blocks(blocks(lanes), 1, (warps * WARP) as u32, lanes)
    }

    pub(crate) fn of_dot(s: &Dot, gpu: GpuArch, aligned: bool) -> Grid {
        Grid::tiled(s, Tiling::of(s, gpu, aligned), aligned)
    }

    /// A tile for each block, of a given size.
    pub fn tiled(s: &Dot, tiling: Tiling, aligned: bool) -> Grid {
        let lanes = if aligned { dot_lanes(s) } else { 1 };
        let operand_lanes = [0, 1].map(|which| s.operand(which, aligned).lanes);
        let shared_bytes = tiling.shared_bytes(s) as u32;
        Grid {
            tiling,
            operand_lanes,
            shared_bytes,
            ..Grid::by_blocks(tiling.tiles(s), 1, tiling.block_threads(), lanes)
        }
    }

    /// A tile of queries for each block; `None` where heads are too long for a block's memory.
    pub(crate) fn of_attention(s: &Attention, gpu: GpuArch, aligned: bool) -> Option<Grid> {
        let shape = &s.shape;
        let enough = |t: &AttentionTiles| t.units(shape.batch * shape.q_heads(), shape.q_len) >= gpu.processors() / 2;
        let fetched = s.fetched_tiles().filter(|t| aligned && gpu.has_warpgroups() && enough(t));
        let fetched = fetched.map(|t| t.in_pairs(shape, gpu));
        let tiles = fetched.or_else(|| AttentionTiles::forward(shape, gpu))?;
        Some(Grid::attention_tiled(s, tiles, aligned))
    }

    /// The same with tiles of a given size.
    pub fn attention_tiled(s: &Attention, tiles: AttentionTiles, aligned: bool) -> Grid {
        let shape = &s.shape;
        let lanes = attention_lanes(shape, &s.operands(), aligned);
        let units = tiles.units(shape.batch * shape.q_heads(), shape.q_len);
        let shared_bytes = tiles.forward_shared(shape) as u32;
        Grid { tiles, shared_bytes, ..Grid::by_blocks(units, 1, tiles.block_threads(), lanes) }
    }

    /// A tile of keys for each block, then one of queries for each.
    pub(crate) fn of_attention_backward(s: &AttentionBackward, gpu: GpuArch, aligned: bool) -> Option<Grid> {
        let shape = &s.shape;
        let enough = |t: &AttentionTiles| t.units(shape.batch * shape.q_heads(), shape.q_len) >= gpu.processors() / 2;
        let fetched = s.fetched_tiles().filter(|t| aligned && gpu.has_warpgroups() && enough(t));
        let fetched = fetched.map(|t| t.in_pairs(shape, gpu));
        let tiles = fetched.or_else(|| AttentionTiles::backward(shape))?;
        Some(Grid::attention_backward_tiled(s, tiles, aligned))
    }

    /// The same with tiles of a given size.
    pub fn attention_backward_tiled(s: &AttentionBackward, tiles: AttentionTiles, aligned: bool) -> Grid {
        let shape = &s.shape;
        let lanes = attention_lanes(shape, &s.operands(), aligned);
        let of_keys = tiles.units(shape.batch * shape.heads, shape.kv_len);
        let of_queries = tiles.units(shape.batch * shape.q_heads(), shape.q_len);
        let shared_bytes = tiles.backward_shared(shape) as u32;
        let units = (of_keys + of_queries) * tiles.parts;
        Grid { tiles, shared_bytes, ..Grid::by_blocks(units, 1, tiles.block_threads(), lanes) }
    }

    /// Workspace of a whole launch.
    pub fn workspace_bytes(&self) -> u64 {
        let busy = self.units.div_ceil(self.units_per_block).clamp(1, WORKSPACE_BLOCKS);
        self.workspace * busy.min(WORKSPACE_BYTES / self.workspace.max(1)).max(1)
    }
}

/// The most neighbouring columns that a thread loads at once. All lanes of a warp have some.
pub(crate) fn column_lanes(s: &Column) -> u64 {
    let mut lanes = lanes(&s.body, s.reduced().end, s.cols);
    while lanes > 1 && s.cols / lanes < WARP {
        lanes /= 2;
    }
    lanes
}

/// The neighbouring results of a contraction whose body runs on vectors of them, where buffers are aligned.
pub(crate) fn dot_lanes(s: &Dot) -> u64 {
    lanes(&s.body, s.space().len() - 1, s.n.last().copied().unwrap_or(1))
}

/// Points along `dim` that a thread loads at once: 16 bytes of the narrowest type, as far as every access keeps to multiples of them.
pub(crate) fn lanes(body: &Body, dim: usize, cols: u64) -> u64 {
    let moving = || body.accesses().filter(|a| a.strides[dim] != 0);
    let bytes = moving().map(|a| body.buffers[a.buffer as usize].bytes()).filter(|&b| b > 1).min();
    let mut lanes = ALIGN / bytes.unwrap_or(4);
    let whole = |a: &Access, lanes: i64| {
        let others = a.strides.iter().enumerate().filter(|(d, _)| *d != dim).map(|(_, &s)| s);
        a.strides[dim] == 1 && others.chain([a.offset, a.start.map_or(0, |s| s.stride)]).all(|s| s % lanes == 0)
    };
    let rows = |lanes: i64| {
        let strides =
            body.nodes.iter().filter_map(|n| if let Node::Gather { stride, .. } = n { Some(*stride) } else { None });
        strides.into_iter().all(|s| s % lanes == 0)
    };
    while lanes > 1 && !(cols.is_multiple_of(lanes) && moving().all(|a| whole(a, lanes as i64)) && rows(lanes as i64)) {
        lanes /= 2;
    }
    lanes
}

/// Elements of a head that a thread moves at once: 16 bytes, as far as every operand keeps to multiples of them.
fn attention_lanes(s: &AttentionShape, operands: &[(&str, Strides)], aligned: bool) -> u64 {
    let mut lanes = if aligned { ALIGN / s.tiled().bytes() } else { 1 };
    let whole = |lanes: u64| {
        let rows = operands.iter().filter(|(name, _)| *name != "lse");
        let mut steps = rows.flat_map(|(_, at)| [at.offset, at.batch, at.head, at.group, at.seq]);
        s.head.is_multiple_of(lanes) && s.value.is_multiple_of(lanes) && steps.all(|n| n % lanes as i64 == 0)
    };
    while !whole(lanes) {
        lanes /= 2;
    }
    lanes
}

/// Threads exchange 32 and 64 bits, and no two of them write one place.
pub(crate) fn fused_has_template(s: &Fused) -> bool {
    let dim = s.shape.len() - 1;
    let passes = Passes::of(&s.body, dim);
    let apart = |o: &crate::expr::Output| o.access.strides[dim] != 0 || !passes.varies[o.node.index()];
    reductions_are_exchanged(&s.body) && s.body.outputs.iter().all(apart)
}

pub(crate) fn column_has_template(s: &Column) -> bool {
    reductions_are_exchanged(&s.body) && s.body.has_reduce() && s.cols > 0
}

fn reductions_are_exchanged(body: &Body) -> bool {
    let ids = (0..body.nodes.len() as u32).map(NodeId);
    ids.filter(|id| matches!(body.nodes[id.index()], Node::Reduce { .. })).all(|id| is_exchanged(body.dtype(id)))
}

/// Whether a reduction of these values can be exchanged between threads: words of 32 and 64 bits.
pub(crate) fn is_exchanged(dtype: DType) -> bool {
    matches!(dtype, DType::F32 | DType::F64 | DType::I32 | DType::I64)
}
