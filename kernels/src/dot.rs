//! Contractions that read their operands as they lie in memory. GPUs run these in place of packs and a GEMM on panels.
//!
//! Here are the spec and the table of tilings. The template is in [`crate::emit::gpu`]. The type of the operands
//! decides what multiplies:
//! - 16 bits: tensor cores, with sums in f32.
//! - f32: ordinary arithmetic in f32. If the spec says so, operands are rounded to tf32 (the range of f32, 10 bits of
//!   mantissa), and tensor cores multiply them.
//! - Floats of 8 bits: tensor cores, if the GPU has instructions for 8 bits and both operands lie along `k`. Otherwise operands
//!   become bf16, which can express all of their numbers: only 16 bits can be transposed on the way.
//! - Integers of 8 bits: tensor cores of every GPU, by `mma.sync`, with sums in i32, which wrap. Operands that do not lie along `k` are
//!   turned byte by byte on their way to shared memory.

use crate::expr::{Access, Body, DType};
use crate::geometry::{ceil_div, product};
use crate::gpu::{ALIGN, GpuArch, LINE, WARP};

/// `acc[batch, m, n] = sum over k of a[batch, m, k] * b[batch, n, k]`, then the body over the space `batch`, `m`, `n`,
/// in which [`crate::expr::Node::Acc`] is the sum. Buffer 0 is A and buffer 1 is B. Both have one float type, or each
/// has one of the 8-bit floats, or one of the 8-bit integers. Sums are of the type that operands are computed in.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Dot {
    pub batch: Vec<u64>,
    pub m: Vec<u64>,
    pub n: Vec<u64>,
    pub k: Vec<u64>,
    /// How A is read, over `batch`, `m`, `k`.
    pub a: Access,
    /// How B is read, over `batch`, `n`, `k`.
    pub b: Access,
    pub body: Body,
    /// Whether threads copy slices of the operands even where the tensor memory accelerator could.
    pub by_threads: bool,
    /// Whether f32 operands are rounded to tf32 before they are multiplied: to the nearest, ties away from zero.
    pub tf32: bool,
}

/// The version of the tables below. It is part of a spec's text, so kernels of different versions have different names.
pub const TUNING_VERSION: u32 = 9;

/// The tile that a block computes at a time, and how.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Tiling {
    pub rows: u64,
    pub cols: u64,
    pub k: u64,
    /// The threads that multiply.
    pub threads: u32,
    /// The threads of producer warps. One of these warps has the tensor memory accelerator copy slices. If there are
    /// none, the threads that multiply copy slices.
    pub producers: u32,
    /// The number of warps beside each other along the columns, if tensor cores multiply.
    pub warp_cols: u64,
    /// The number of slices of `k` in shared memory at a time, filled in the background; 0 if a slice waits in
    /// registers.
    pub stages: u64,
    /// Whether warpgroups of Hopper multiply, 64 rows each. If they do not although a producer warp copies slices, see
    /// [`Tiling::in_tensor_memory`].
    pub warpgroups: bool,
    /// Whether each warpgroup has a tile to itself, all of its rows, and the warpgroups of a block take tiles in turn
    /// (ping-pong): one stores its results while another multiplies.
    pub ping_pong: bool,
    /// Whether two blocks, a cluster, have tiles below each other at the same time. Each brings half of the second operand's
    /// slices, for both.
    pub pairs: bool,
    /// Whether warps of the producer's warpgroup make tf32 of the f32 that was copied, along `k`, before warpgroups read it.
    pub rounded: bool,
}

/// The columns by which rows of sums in shared memory are padded, so that those of one warp are in different banks.
pub const SUMS_PAD: u64 = 8;

/// The columns of a warp's sums that are written out at a time: a line of shared memory.
pub const PART: u64 = 32;

/// Tilings for each way to multiply, large ones first. Without a producer warp, the first tiling is taken that gives a
/// tile to half of the processors. The figures follow from what fits registers and shared memory, and from what others found. They are not
/// measured yet.
const WARPGROUPS: [Tiling; 4] =
    [warpgroups(128, 256, 256), warpgroups(128, 128, 256), warpgroups(64, 128, 128), warpgroups(64, 64, 128)];
const WARPS: [Tiling; 2] =
    [Tiling { stages: 4, ..registers(128, 128, 64, 256, 4) }, Tiling { stages: 4, ..registers(64, 64, 64, 128, 2) }];
/// The same where the tensor memory accelerator copies slices. One more warpgroup serves it, whose registers the others
/// take over; or one more warp, where a block has registers enough. There are as many stages as fit shared memory, for
/// two blocks where tiles are small. Which of these is taken is a matter of [`Tiling::time`]. In pairs, tiles of 128 x 256
/// were 3 % slower on an H100 (2026-11-26): they are not bound by the L2 cache.
const WITH_PRODUCER: [Tiling; 7] = [
    Tiling::with_producer(128, 256, 4),
    Tiling::with_producer(128, 192, 5),
    Tiling::with_producer(128, 128, 6),
    Tiling::in_turn(128, 128, 6).in_pairs(),
    Tiling::in_turn(128, 128, 6),
    Tiling::with_producer(64, 128, 4),
    Tiling::with_producer(64, 64, 4),
];
const EIGHT_WITH_PRODUCER: [Tiling; 3] = [eight(WITH_PRODUCER[2]), eight(WITH_PRODUCER[5]), eight(WITH_PRODUCER[6])];
/// The same in tf32: half as many steps in a line, and always a warpgroup beside those that multiply, since its warps round what was
/// copied. No card has measured these.
const TF32_WITH_PRODUCER: [Tiling; 4] =
    [rounded(WITH_PRODUCER[0]), rounded(WITH_PRODUCER[2]), rounded(WITH_PRODUCER[5]), rounded(WITH_PRODUCER[6])];
/// In 8 bits, a line of shared memory has twice as many steps. Sums wait twice on Hopper (see `emit::gpu::pipeline`),
/// so there are registers for half as many.
const EIGHT_WARPGROUPS: [Tiling; 3] =
    [eight(warpgroups(128, 128, 256)), eight(warpgroups(64, 128, 128)), eight(warpgroups(64, 64, 128))];
/// Sums of integers are added up in place, so all tilings of 16 bits have twice as many steps in a line. No card has measured these.
const INTEGER_WARPGROUPS: [Tiling; 4] =
    [eight(WARPGROUPS[0]), eight(WARPGROUPS[1]), eight(WARPGROUPS[2]), eight(WARPGROUPS[3])];
const INTEGERS_WITH_PRODUCER: [Tiling; 7] = [
    eight(WITH_PRODUCER[0]),
    eight(WITH_PRODUCER[1]),
    eight(WITH_PRODUCER[2]),
    eight(WITH_PRODUCER[3]),
    eight(WITH_PRODUCER[4]),
    eight(WITH_PRODUCER[5]),
    eight(WITH_PRODUCER[6]),
];
/// Where tensor memory has the sums. Its lanes are rows, so tiles have 128. Two tiles of 256 columns take all of it, and a
/// multiprocessor to themselves; two blocks share one where tiles are narrow.
const TENSOR_MEMORY: [Tiling; 3] =
    [Tiling::tensor_memory(256, 4), Tiling::tensor_memory(128, 6), Tiling::tensor_memory(64, 4)];
const EIGHT_TENSOR_MEMORY: [Tiling; 3] = [eight(TENSOR_MEMORY[0]), eight(TENSOR_MEMORY[1]), eight(TENSOR_MEMORY[2])];
const EIGHT_WARPS: [Tiling; 2] = [eight(WARPS[0]), eight(WARPS[1])];
/// Half as many steps, in tf32.
const TF32_WARPS: [Tiling; 2] = [half(WARPS[0]), half(WARPS[1])];
/// For operands of which 16 bytes cannot be copied at once.
const SCATTERED: [Tiling; 2] = [registers(128, 128, 32, 256, 4), registers(64, 64, 32, 128, 2)];
const TF32_SCATTERED: [Tiling; 2] = [registers(128, 128, 16, 256, 4), registers(64, 64, 16, 128, 2)];
/// The same in integers of 8 bits, for vectors of at least four of them and for fewer: a thread has as many loads under way.
const BYTES: [Tiling; 2] = [registers(128, 128, 64, 256, 4), registers(64, 64, 64, 128, 2)];
const SINGLE_BYTES: [Tiling; 2] = [registers(128, 128, 32, 256, 4), registers(64, 64, 32, 128, 2)];
const SINGLE: [Tiling; 2] = [registers(128, 128, 8, 256, 0), registers(64, 64, 8, 64, 0)];
/// Sums of doubles take twice the registers, so fewer are left to fetch ahead with.
const DOUBLE: [Tiling; 1] = [registers(64, 64, 4, 64, 0)];

/// Products that take as long as it takes to bring one line of an operand from the L2 cache, where all processors read at
/// once. It is from products that an H100 took the time of (2026-11-26): tiles of 64 x 128 and of 128 x 256 both moved 36
/// bytes in a cycle of a processor, which makes 32 x 32 products meanwhile.
const LINE_COST: u64 = 114;
/// A cycle in the unit of [`Tiling::time`].
const CYCLE: u64 = 32;
/// The share of the products that tensor cores could make: more than three quarters no kernel reached on that day, since
/// the card slows down to keep its power.
const REACHED: (u64, u64) = (3, 4);
/// How many times Hopper's products tensor cores of Blackwell make in a cycle: 8,192 for 4,096 of 16 bits, as published. Not
/// measured, nor is what its L2 cache gives.
const TENSOR_MEMORY_RATE: u64 = 2;
/// By how much (a part of it) the products of warpgroups in turn take longer: half as many columns for each read of the
/// first operand from shared memory. Not measured.
const TURNS_COST: u64 = 16;
/// The same for a result: what it takes to write one, and how many operations are done with results meanwhile. On the same
/// day, GELU and its gradient took 12 and 24.
const RESULT_COST: u64 = 20;
const RESULT_RATE: u64 = 4;

/// Shared memory of a multiprocessor of Hopper, and what of it the system takes of each block.
const SHARED_BYTES: u64 = 228 << 10;
const SYSTEM_BYTES: u64 = 1 << 10;

const fn warpgroups(rows: u64, cols: u64, threads: u32) -> Tiling {
    Tiling {
        rows,
        cols,
        k: 64,
        threads,
        producers: 0,
        warp_cols: 1,
        stages: 4,
        warpgroups: true,
        ping_pong: false,
        pairs: false,
        rounded: false,
    }
}

const fn eight(tiling: Tiling) -> Tiling {
    Tiling { k: 128, ..tiling }
}

const fn half(tiling: Tiling) -> Tiling {
    Tiling { k: 32, ..tiling }
}

const fn rounded(tiling: Tiling) -> Tiling {
    Tiling { producers: 128, rounded: true, ..half(tiling) }
}

const fn registers(rows: u64, cols: u64, k: u64, threads: u32, warp_cols: u64) -> Tiling {
    Tiling {
        rows,
        cols,
        k,
        threads,
        producers: 0,
        warp_cols,
        stages: 0,
        warpgroups: false,
        ping_pong: false,
        pairs: false,
        rounded: false,
    }
}

impl Tiling {
    /// A tiling of warpgroups, 64 rows each, for slices that the tensor memory accelerator copies.
    pub const fn with_producer(rows: u64, cols: u64, stages: u64) -> Tiling {
        let (threads, producers) = if rows == 128 { (256, 128) } else { (128, 32) };
        Tiling {
            rows,
            cols,
            k: 64,
            threads,
            producers,
            warp_cols: 1,
            stages,
            warpgroups: true,
            ping_pong: false,
            pairs: false,
            rounded: false,
        }
    }

    /// The same with two warpgroups that take tiles in turn.
    pub const fn in_turn(rows: u64, cols: u64, stages: u64) -> Tiling {
        Tiling { threads: 256, producers: 128, ping_pong: true, ..Tiling::with_producer(rows, cols, stages) }
    }

    /// A tiling of 128 rows whose sums Blackwell's tensor memory has. One thread multiplies, and four warps take what comes out
    /// of a tile while the next one is multiplied.
    pub const fn tensor_memory(cols: u64, stages: u64) -> Tiling {
        Tiling { threads: 128, producers: 64, warpgroups: false, ..Tiling::with_producer(128, cols, stages) }
    }

    /// Whether tensor memory has the sums: one producer warp has slices copied and another one has them multiplied.
    /// [`Tiling::threads`] are those that store.
    pub fn in_tensor_memory(&self) -> bool {
        self.producers > 0 && !self.warpgroups
    }

    /// Columns of tensor memory, 128 sums each: one tile is stored while another is multiplied.
    pub fn tensor_columns(&self) -> u64 {
        2 * self.cols
    }

    /// Whether warps beside the one that fetches have nothing to do.
    pub fn spares_warps(&self) -> bool {
        self.warpgroups && u64::from(self.producers) == 4 * WARP && !self.rounded
    }

    /// The same by clusters of two blocks.
    pub const fn in_pairs(self) -> Tiling {
        Tiling { pairs: true, ..self }
    }

    /// Blocks of a cluster.
    pub fn cluster(&self) -> u32 {
        if self.pairs { 2 } else { 1 }
    }

    /// Columns of a slice of the second operand that a block brings.
    pub fn brought_cols(&self) -> u64 {
        self.cols / u64::from(self.cluster())
    }

    /// The threads that multiply a tile together.
    pub fn tile_threads(&self) -> u32 {
        if self.ping_pong { 128 } else { self.threads }
    }

    /// Threads of a block.
    pub fn block_threads(&self) -> u32 {
        self.threads + self.producers
    }

    /// The tilings for a contraction, large ones first. `aligned` as for [`crate::gpu::Grid::of`].
    pub fn table(spec: &Dot, gpu: GpuArch, aligned: bool) -> Vec<Tiling> {
        let (copied, otherwise) = Tiling::tables(spec, gpu, aligned);
        // Those that the operands have boxes for; the others if there are none.
        let all: Vec<Tiling> =
            copied.iter().copied().filter(|t| t.fits(spec)).filter(|t| spec.boxes(t).is_some()).collect();
        if all.is_empty() { otherwise.to_vec() } else { all }
    }

    /// Tilings whose slices the tensor memory accelerator may copy, all of them with a producer; and those without one.
    fn tables(spec: &Dot, gpu: GpuArch, aligned: bool) -> (&'static [Tiling], &'static [Tiling]) {
        let chunks = || (0..2).all(|which| spec.operand(which, aligned).lanes * spec.dtype().bytes() == ALIGN);
        let along = || (0..2).all(|which| spec.operand(which, aligned).along_k);
        let possible = aligned && gpu.fetches() && !spec.by_threads;
        let mapped =
            |table: &'static [Tiling], otherwise: &'static [Tiling]| (if possible { table } else { &[] }, otherwise);
        match spec.dtype() {
            d if d.is_float8() => match gpu {
                GpuArch::Sm90a if along() && chunks() => mapped(&EIGHT_WITH_PRODUCER, &EIGHT_WARPGROUPS),
                GpuArch::Sm100a if along() && chunks() => mapped(&EIGHT_TENSOR_MEMORY, &EIGHT_WARPS),
                _ => (&[], &SCATTERED),
            },
            DType::I8 | DType::U8 if along() && chunks() => match gpu {
                // Warpgroups take factors with and without signs from PTX 8.4 on, which drivers of CUDA 12.4 and later know.
                GpuArch::Sm90a if spec.stored(0) == spec.stored(1) => {
                    mapped(&INTEGERS_WITH_PRODUCER, &INTEGER_WARPGROUPS)
                }
                GpuArch::Sm100a => mapped(&EIGHT_TENSOR_MEMORY, &EIGHT_WARPS),
                _ => (&[], &EIGHT_WARPS),
            },
            DType::I8 | DType::U8 if (0..2).all(|which| spec.operand(which, aligned).lanes >= 4) => (&[], &BYTES),
            DType::I8 | DType::U8 => (&[], &SINGLE_BYTES),
            DType::BF16 | DType::F16 if !chunks() => (&[], &SCATTERED),
            DType::BF16 | DType::F16 if gpu == GpuArch::Sm90a => mapped(&WITH_PRODUCER, &WARPGROUPS),
            DType::BF16 | DType::F16 => mapped(&TENSOR_MEMORY, &WARPS),
            DType::F64 => (&[], &DOUBLE),
            DType::F32 if spec.tf32 && chunks() && gpu == GpuArch::Sm90a => {
                mapped(&TF32_WITH_PRODUCER, if along() { &TF32_WARPS } else { &TF32_SCATTERED })
            }
            DType::F32 if spec.tf32 && along() && chunks() => (&[], &TF32_WARPS),
            DType::F32 if spec.tf32 => (&[], &TF32_SCATTERED),
            _ => (&[], &SINGLE),
        }
    }

    pub fn of(spec: &Dot, gpu: GpuArch, aligned: bool) -> Tiling {
        let (copied, otherwise) = Tiling::tables(spec, gpu, aligned);
        // Boxes take longer to find than times, so the fastest that has some is looked for in the order of times.
        let mut by_time: Vec<&Tiling> = copied.iter().filter(|t| t.fits(spec)).collect();
        by_time.sort_by_cached_key(|t| t.time(spec, gpu));
        if let Some(best) = by_time.into_iter().find(|t| spec.boxes(t).is_some()) {
            return *best;
        }
        let busy = |t: &&Tiling| t.tiles(spec) >= gpu.processors() / 2;
        otherwise.iter().find(busy).copied().unwrap_or(otherwise[otherwise.len() - 1])
    }

    /// How long the processor that has most tiles takes, in a unit of its own: the products of a slice of `k`, or the lines
    /// of the operands that are brought for them, and what becomes of the sums. So large tiles are better, unless many
    /// processors have none at the end; and warpgroups take tiles in turn where sums are short and much is done with them.
    pub(crate) fn time(&self, spec: &Dot, gpu: GpuArch) -> u64 {
        let (elements, lines) = (self.rows * self.cols, self.rows + self.brought_cols());
        let rate = if self.in_tensor_memory() { TENSOR_MEMORY_RATE } else { 1 };
        let slice = (elements * REACHED.1 / REACHED.0 / rate).max(LINE_COST * lines);
        let slice = if self.rounded { slice.max(self.rounding()) } else { slice };
        let products = ceil_div(product(&spec.k), self.k) * slice;
        let results = elements * (RESULT_COST + spec.body.cost()) / RESULT_RATE;
        let turns = ceil_div(self.tiles(spec), gpu.processors());
        if self.in_tensor_memory() {
            return turns * products.max(results) + results;
        }
        if self.ping_pong {
            let products = products + products / TURNS_COST;
            // The last results have nothing beside them.
            return turns * products.max((products + results) / 2) + results;
        }
        turns * (products + results)
    }

    /// How long shared memory is busy with a slice that is rounded, in the same unit, at a line (128 bytes) in a cycle: each line is read and
    /// written once more, and a strip of 64 rows reads all columns.
    fn rounding(&self) -> u64 {
        CYCLE * (2 * (self.rows + self.cols) + self.rows + self.rows / 64 * self.cols)
    }

    /// The number of 16 x 8 fragments in a warp's share, along rows and columns, if tensor cores multiply.
    pub fn fragments(&self) -> [u64; 2] {
        let warps = u64::from(self.tile_threads()) / WARP;
        [self.rows / (warps / self.warp_cols) / 16, self.cols / self.warp_cols / 8]
    }

    /// Bytes of a slice of both operands.
    pub fn stage_bytes(&self) -> u64 {
        (self.rows + self.cols) * LINE
    }

    /// Bytes beside the stages, if a producer warp copies slices: for sums that are being written out, or for boxes of results.
    pub fn waiting_bytes(&self, spec: &Dot) -> u64 {
        let rows = if self.in_tensor_memory() { 32 } else { 16 };
        let sums = || u64::from(self.threads) / WARP * rows * PART * DType::F32.bytes();
        spec.results(self).map_or_else(sums, |r| r.bytes(self))
    }

    /// The most bytes of them: as many blocks as without boxes of results fit a multiprocessor.
    pub(crate) fn room(&self) -> u64 {
        let blocks = match (self.rows, self.cols) {
            (128, _) => 1,
            (_, 128) => 2,
            _ => 3,
        };
        SHARED_BYTES / blocks - SYSTEM_BYTES - self.stages * self.stage_bytes() - self.barrier_bytes()
    }

    /// Bytes of the barriers: two for each stage, and one more where it is rounded; then those for turns, or for tiles in tensor memory and
    /// the word that says where these begin.
    fn barrier_bytes(&self) -> u64 {
        let more = match self.in_tensor_memory() {
            true => 4 * 8 + 8,
            false if self.ping_pong => 16,
            false => 0,
        };
        self.stages * self.barriers_of_stage() * 8 + more
    }

    /// Filled, free; and rounded.
    pub(crate) fn barriers_of_stage(&self) -> u64 {
        2 + u64::from(self.rounded)
    }

    /// Bytes of shared memory that a launch gives a block. The sums take the place of the stages; or, with a producer
    /// warp, parts of the sums and the barriers lie beside the stages.
    pub fn shared_bytes(&self, spec: &Dot) -> u64 {
        if self.producers > 0 {
            return self.stages * self.stage_bytes() + self.waiting_bytes(spec) + self.barrier_bytes();
        }
        let sums = self.rows * (self.cols + SUMS_PAD) * spec.dtype().computed().bytes();
        sums.max(self.stages * self.stage_bytes())
    }

    /// Whether tiles come in pairs, if they have to.
    fn fits(&self, spec: &Dot) -> bool {
        !self.pairs || ceil_div(product(&spec.m), self.rows).is_multiple_of(2)
    }

    /// The number of tiles in all batches.
    pub fn tiles(&self, spec: &Dot) -> u64 {
        product(&spec.batch) * ceil_div(product(&spec.m), self.rows) * ceil_div(product(&spec.n), self.cols)
    }
}

/// One operand: where its elements lie, and how a block reads them.
pub struct DotOperand<'s> {
    pub access: &'s Access,
    /// The sizes of `m` or `n`.
    pub free: &'s [u64],
    /// Whether neighbours in memory follow `k`. Otherwise they follow the last dim of `free`, or nothing.
    pub along_k: bool,
    /// The number of neighbours that are loaded at once.
    pub lanes: u64,
}

impl Dot {
    /// The type of the operands in memory. For 8 bits it is the type of A.
    pub fn dtype(&self) -> DType {
        self.stored(0)
    }

    /// The type of operand 0 or 1 in memory.
    pub fn stored(&self, which: usize) -> DType {
        self.body.buffers.get(which).copied().unwrap_or(DType::F32)
    }

    /// The type in which operand 0 or 1 is multiplied where slices wait in registers.
    pub fn multiplied(&self, which: usize) -> DType {
        if self.stored(which).is_float8() { DType::BF16 } else { self.stored(which) }
    }

    pub fn on_tensor_cores(&self) -> bool {
        self.tf32 || matches!(self.multiplied(0), DType::BF16 | DType::F16 | DType::I8 | DType::U8)
    }

    pub fn space(&self) -> Vec<u64> {
        [&self.batch[..], &self.m, &self.n].concat()
    }

    /// Operand 0 or 1; `aligned` as for [`crate::gpu::Grid::of`].
    pub fn operand(&self, which: usize, aligned: bool) -> DotOperand<'_> {
        let (access, free) = if which == 0 { (&self.a, &self.m[..]) } else { (&self.b, &self.n[..]) };
        let (first, last) = (self.batch.len(), access.strides.len() - 1);
        let of_free = (first + free.len()).checked_sub(1).filter(|_| !free.is_empty());
        let unit = |d: usize| access.strides[d] == 1;
        let along_k = unit(last) || !of_free.is_some_and(unit);
        let (dim, run) = if along_k { (last, self.k.last()) } else { (of_free.unwrap_or(last), free.last()) };
        let mut lanes = if aligned && unit(dim) { ALIGN / self.dtype().bytes() } else { 1 };
        let others = || access.strides.iter().enumerate().filter(move |(d, _)| *d != dim).map(|(_, &s)| s);
        let start = access.start.map_or(0, |s| s.stride);
        let whole = |lanes: u64| others().chain([access.offset, start]).all(|s| s % lanes as i64 == 0);
        while lanes > 1 && !(run.is_some_and(|r| r.is_multiple_of(lanes)) && whole(lanes)) {
            lanes /= 2;
        }
        DotOperand { access, free, along_k, lanes }
    }
}
