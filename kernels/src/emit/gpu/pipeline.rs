//! Contractions of operands of 16 and of 8 bits, and of f32 in tf32, by a pipeline: asynchronous copies fill stages in shared
//! memory while tensor cores work on earlier stages.
//!
//! There is one barrier for each slice. A slice is one line of `k`: 64 steps, 128 of 8 bits, 32 of f32. Before the barrier, a
//! thread waits for its own copies of the slice. After the barrier, the slice is there, and no thread reads the stage that is
//! filled next. Hopper's warpgroups multiply what lies in shared memory (`wgmma`), and begin one slice while the one before is
//! under way. On other GPUs, and for integers of 8 bits on all, warps load fragments (`ldmatrix`) for `mma.sync`. Both read the layout of [`super::tile`], in which
//! either operand may lie along `k` or, in 16 bits, across it.
//!
//! Hopper sums products of 8 bits with about 14 bits of mantissa ("DeepSeek-V3 Technical Report", 2024, 3.3.2). So each slice of
//! 8 bits has sums of its own, which are added to f32 sums when they are complete.

use super::added;
use super::block::MmaType;
use super::dot::keep_fragments;
use super::epilogue::Epilogue;
use super::places::{place, unravel};
use super::tile::{CHUNK, STRIP, Warpgroup, chunk_at};
use super::turns::turns;
use crate::added::DotAndSum;
use crate::dot::{Dot, DotOperand, Tiling};
use crate::emit::builder::{Buf, Builder, Ix, Val};
use crate::emit::eval::address;
use crate::geometry::{ceil_div, product};
use crate::gpu::Grid;
use crate::gpu::{LINE, LINE_ELEMENTS, WARP};

/// `sum` is what is added up besides.
pub fn emit(b: &mut Builder, spec: &Dot, grid: &Grid, sum: Option<&DotAndSum>) {
    let (rows, cols) = (product(&spec.m), product(&spec.n));
    if product(&spec.space()) == 0 {
        return;
    }
    let tiling = grid.tiling;
    let operand = |which: usize| DotOperand { lanes: grid.operand_lanes[which], ..spec.operand(which, true) };
    let side = |which: usize, tile: u64, total: u64, at: u64| Side { operand: operand(which), which, tile, total, at };
    let block = Block {
        sides: [side(0, tiling.rows, rows, 0), side(1, tiling.cols, cols, tiling.rows * LINE)],
        spec,
        tiling,
        factors: [0, 1].map(|which| MmaType::of(spec.stored(which))),
        epilogue: Epilogue::new(b, spec, grid),
    };
    let order = Order::of(spec, &tiling);
    let hi = b.hi();
    let (first, step) = turns(b, 1);
    b.loop_by(first, hi, step, |b, u| {
        let [batch, row, col] = order.tile(b, u);
        let batch = unravel(b, batch, &spec.batch);
        block.tile(b, &batch, row, col);
        sum.iter().for_each(|s| added::from_memory(b, s, &tiling, [row, col]));
    });
}

/// In which order units are tiles.
pub struct Order {
    rows: u64,
    cols: u64,
    down: u64,
    across: u64,
    band: u64,
}

impl Order {
    /// Tiles below each other that neighbouring blocks take before they go on to the next columns: what they read is then in the cache
    /// that all share.
    const BAND: u64 = 8;

    pub fn of(spec: &Dot, tiling: &Tiling) -> Order {
        let (rows, cols) = (tiling.rows, tiling.cols);
        let (down, across) = (ceil_div(product(&spec.m), rows), ceil_div(product(&spec.n), cols));
        // Pairs of tiles stay together.
        let least = u64::from(tiling.cluster());
        let fits = |n: &u64| down.is_multiple_of(*n) && n.is_multiple_of(least);
        let band = (1..=Order::BAND).rev().find(fits).unwrap_or(1);
        Order { rows, cols, down, across, band }
    }

    /// The number of the batch, and the first row and column in it.
    pub fn tile(&self, b: &mut Builder, unit: Ix) -> [Ix; 3] {
        let (batch, tile) = b.div_rem(unit, self.down * self.across);
        let (bands, within) = b.div_rem(tile, self.band * self.across);
        let (c, r) = b.div_rem(within, self.band);
        let bands = b.scale(bands, self.band as i64);
        let r = b.add(bands, r);
        [batch, b.scale(r, self.rows as i64), b.scale(c, self.cols as i64)]
    }
}

/// One operand's way from memory to shared memory.
struct Side<'a> {
    operand: DotOperand<'a>,
    which: usize,
    /// Rows (or columns) of a tile, and of all there is.
    tile: u64,
    total: u64,
    /// Where its part of a stage begins.
    at: u64,
}

/// A chunk that a thread copies: where it begins in memory but for `k`, whether that is there, and its first step of `k`.
struct Slot {
    base: Ix,
    exists: Option<Val>,
    k: Ix,
}

/// The chunks of a thread, and where the first goes; the others follow at equal distances.
struct Slots {
    all: Vec<Slot>,
    first: Ix,
    step: u64,
}

impl Side<'_> {
    /// Of an operand whose neighbours in memory are rows.
    fn across(&self) -> bool {
        !self.operand.along_k
    }

    fn slots(&self, b: &mut Builder, spec: &Dot, threads: u64, batch: &[Ix], origin: Ix) -> Slots {
        let thread = b.thread();
        let (line, chunk) = b.div_rem(thread, LINE / CHUNK);
        let (each, lines) = (self.tile * LINE / CHUNK / threads, threads / (LINE / CHUNK));
        let within = b.scale(chunk, (CHUNK / spec.dtype().bytes()) as i64);
        let slot = |i: u64, b: &mut Builder| {
            let (strip, step) = ((i * lines) / LINE_ELEMENTS, (i * lines) % LINE_ELEMENTS);
            let (row, k) = if self.across() {
                (within.plus((strip * LINE_ELEMENTS) as i64), line.plus(step as i64))
            } else {
                (line.plus((i * lines) as i64), within)
            };
            let row = b.add(origin, row);
            let exists = (!self.total.is_multiple_of(self.tile)).then(|| b.test("slt", row, self.total.into()));
            let index = [batch, &unravel(b, row, self.operand.free)].concat();
            Slot { base: address(b, self.operand.access, &index), exists, k }
        };
        let all = (0..each).map(|i| slot(i, b)).collect();
        let first = chunk_at(b, line, chunk).plus(self.at as i64);
        Slots { all, first: b.dynamic_address(first), step: lines * LINE }
    }

    /// Begins to fill a stage with the slice from step `k` on.
    fn copy(&self, b: &mut Builder, spec: &Dot, slots: &Slots, stage: Ix, from: Ix) {
        let source = Buf::arg(self.which as u32, spec.stored(self.which));
        let strides = &self.operand.access.strides[self.operand.access.strides.len() - spec.k.len()..];
        let first = b.add(slots.first, stage);
        for (i, slot) in slots.all.iter().enumerate() {
            let k = b.add(from, slot.k);
            let mut exists = b.test("slt", k, product(&spec.k).into());
            if let Some(row) = slot.exists {
                exists = b.binary("andi", exists, row);
            }
            let mut at = slot.base;
            for (i, &stride) in unravel(b, k, &spec.k).into_iter().zip(strides) {
                let part = b.scale(i, stride);
                at = b.add(at, part);
            }
            b.copy_async(first.plus((i as u64 * slots.step) as i64), source, at, exists);
        }
    }

    /// The address in a stage of what this lane names for `ldmatrix`: of 16 rows from `row` on and 32 bytes of `k`, the slice's
    /// `step`th. Matrices go along `k` first, or along rows.
    fn fragment(&self, b: &mut Builder, row: Ix, step: u64, k_first: bool) -> Ix {
        let thread = b.thread();
        let (_, lane) = b.div_rem(thread, WARP);
        let (matrix, line) = b.div_rem(lane, 8);
        let (high, low) = b.div_rem(matrix, 2);
        let (of_rows, of_k) = if k_first { (high, low) } else { (low, high) };
        if self.across() {
            let (strip, row) = b.div_rem(row, LINE_ELEMENTS);
            let (chunk, _) = b.div_rem(row, 8);
            let chunk = b.add(chunk, of_rows);
            let below = b.scale(of_k, 8);
            let line = b.add(line, below);
            let (at, strip) = (chunk_at(b, line, chunk), b.scale(strip, STRIP as i64));
            return b.add(at, strip).plus((self.at + step * 16 * LINE) as i64);
        }
        let chunk = of_k.plus((step * 2) as i64);
        let below = b.scale(of_rows, 8);
        let (line, rows) = (b.add(line, below), b.scale(row, LINE as i64));
        let at = chunk_at(b, line, chunk);
        b.add(at, rows).plus(self.at as i64)
    }
}

struct Block<'a> {
    sides: [Side<'a>; 2],
    spec: &'a Dot,
    tiling: Tiling,
    factors: [MmaType; 2],
    epilogue: Epilogue<'a>,
}

impl Block<'_> {
    fn tile(&self, b: &mut Builder, batch: &[Ix], row: Ix, col: Ix) {
        let [of_a, of_b] = &self.sides;
        let threads = self.tiling.threads.into();
        let slots = [of_a.slots(b, self.spec, threads, batch, row), of_b.slots(b, self.spec, threads, batch, col)];
        let (stages, bytes) = (self.tiling.stages, self.tiling.stage_bytes());
        let apart = self.tiling.warpgroups && self.spec.dtype().is_float8();
        let line = LINE / self.spec.dtype().bytes();
        // A warpgroup may still read the stage before this one, unless it has waited for its matmuls.
        let ahead = if self.tiling.warpgroups && !apart { stages - 2 } else { stages - 1 };
        let copy = |b: &mut Builder, slice: Ix, stage: Ix| {
            let (from, stage) = (b.scale(slice, line as i64), b.scale(stage, bytes as i64));
            for (side, slots) in self.sides.iter().zip(&slots) {
                side.copy(b, self.spec, slots, stage, from);
            }
            b.commit_copies();
        };
        for slice in 0..ahead {
            copy(b, slice.into(), slice.into());
        }
        let [down, across] = self.tiling.fragments();
        let zero = b.number(self.factors[0].sums(), 0.0);
        let start = vec![zero; (down * across * 4) as usize];
        let slices = ceil_div(product(&self.spec.k), line);
        let mut sums = b.for_(Ix::ZERO, slices.into(), 1, &start, |b, slice, sums| {
            b.wait_copies(ahead - 1);
            if self.tiling.warpgroups {
                b.fence_async();
            }
            b.barrier();
            let (_, stage) = b.div_rem(slice, stages);
            let stage = b.scale(stage, bytes as i64);
            let next = slice.plus(ahead as i64);
            let (_, to) = b.div_rem(next, stages);
            if apart {
                let parts = self.by_warpgroups(b, stage, None);
                copy(b, next, to);
                let parts = b.wait_matmuls(0, &parts);
                return sums.iter().zip(parts).map(|(&sum, part)| b.binary("addf", sum, part)).collect();
            }
            if self.tiling.warpgroups {
                let sums = self.by_warpgroups(b, stage, Some(sums));
                copy(b, next, to);
                return b.wait_matmuls(1, &sums);
            }
            copy(b, next, to);
            self.by_warps(b, stage, sums)
        });
        if self.tiling.warpgroups && !apart {
            sums = b.wait_matmuls(0, &sums);
        }
        b.wait_copies(0);
        b.barrier();
        self.epilogue.finish(b, batch, row, col, |b, to| {
            keep_fragments(b, &self.epilogue, &self.tiling, to, &sums);
        });
    }

    fn by_warpgroups(&self, b: &mut Builder, stage: Ix, sums: Option<&[Val]>) -> Vec<Val> {
        let [of_a, of_b] = &self.sides;
        let thread = b.thread();
        let (group, _) = b.div_rem(thread, 128);
        let (own, stage) = (b.scale(group, STRIP as i64), b.dynamic_address(stage));
        let at = [b.add(stage, own), stage.plus(of_b.at as i64)];
        let w = Warpgroup { factors: self.factors, cols: self.tiling.cols, across: [of_a.across(), of_b.across()] };
        b.multiply_async(&w, at, sums)
    }

    fn by_warps(&self, b: &mut Builder, stage: Ix, sums: &[Val]) -> Vec<Val> {
        let [of_a, of_b] = &self.sides;
        let [row, col, ..] = place(b, &self.tiling);
        let [rows, cols] = self.tiling.fragments();
        let stage = b.dynamic_address(stage);
        let mut sums = sums.to_vec();
        let load = |b: &mut Builder, side: &Side<'_>, row: Ix, step: u64, k_first: bool| {
            let at = side.fragment(b, row, step, k_first);
            let at = b.add(stage, at);
            let words = b.load_matrices(at, side.across());
            words.map(|w| b.factors(self.factors[side.which], w))
        };
        for step in 0..LINE / 32 {
            let factors: Vec<[Val; 4]> =
                (0..cols / 2).map(|j| load(b, of_b, col.plus((j * 16) as i64), step, true)).collect();
            for i in 0..rows {
                let a = load(b, of_a, row.plus((i * 16) as i64), step, false);
                for j in 0..cols {
                    let (pair, half) = (factors[j as usize / 2], j as usize % 2 * 2);
                    let at = ((i * cols + j) * 4) as usize;
                    let c = [sums[at], sums[at + 1], sums[at + 2], sums[at + 3]];
                    let c = b.multiply(self.factors, a, [pair[half], pair[half + 1]], c);
                    sums[at..at + 4].copy_from_slice(&c);
                }
            }
        }
        sums
    }
}
