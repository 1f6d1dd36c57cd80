//! Contractions of operands of 16 and of 8 bits on Hopper, with a producer warp: the tensor memory accelerator copies slices
//! ([`crate::tensor_map`]) while warpgroups multiply.
//!
//! The threads of a block have one of two roles. One thread, the producer, goes through the block's tiles and their slices; it
//! has each slice copied to the next stage as soon as that stage was read. The consumers are warpgroups: they wait for a stage,
//! have `wgmma` read it, and free the stage before it when its matmuls are done. So consumers never compute an address of an
//! operand, and while they store a tile's results, the next tile's slices are copied. Each stage has two barriers. *Full* takes
//! one arrival and the bytes of its boxes; *empty* takes an arrival of each consumer warp.
//!
//! Registers: if a block of two consumer warpgroups has a multiprocessor to itself, the producer's warpgroup gives most of its
//! registers to them (`setmaxnreg`). Layouts, matmuls and the sums of 8 bits are as in [`super::pipeline`], which is for operands
//! without a tensor map.
//!
//! Not here: clusters and multicast. A block has its two operands to itself, and reads what its neighbours read from the L2 cache.

use super::block::MmaType;
use super::bulk::BARRIER;
use super::epilogue::Epilogue;
use super::pipeline::Order;
use super::places::unravel;
use super::tile::{STRIP, Warpgroup};
use super::turns::turns;
use crate::dot::{Dot, Tiling};
use crate::emit::builder::{Builder, ElemKind, Ix, Ty, Val};
use crate::geometry::{ceil_div, product};
use crate::gpu::Grid;
use crate::gpu::LINE;
use crate::gpu::WARP;
use crate::spec::SpecError;
use crate::tensor_map::{Boxes, LinearIndex};

/// Registers of a thread that multiplies, and of of one of the producer's warpgroup, where they are given over: multiples of 8, and 256 and 128 of them
/// have no more than the 384 were launched with, 168 each.
const MULTIPLYING: u32 = 232;
const PRODUCING: u32 = 40;

/// # Errors
/// A contraction without tensor maps.
pub fn emit(b: &mut Builder, spec: &Dot, grid: &Grid) -> Result<(), SpecError> {
    let tiling = grid.tiling;
    b.take_maps(2);
    let Some(boxes) = spec.boxes(&tiling) else {
        return Err(SpecError("dot: its operands have no tensor maps".into()));
    };
    let stages = tiling.stages * tiling.stage_bytes();
    let block = Block {
        spec,
        tiling,
        boxes,
        across: [0, 1].map(|which| !spec.operand(which, true).along_k),
        factors: [0, 1].map(|which| MmaType::of(spec.stored(which))),
        order: Order::of(spec, &tiling),
        epilogue: Epilogue::of_warps(b, spec, grid, stages),
        barriers: stages + tiling.waiting_bytes(),
    };
    let gives = u64::from(tiling.producers) == 4 * WARP;
    if gives {
        b.alone(tiling.block_threads());
    }
    let thread = b.thread();
    let first = b.test("eq", thread, Ix::ZERO);
    b.if_(first, |b| {
        for stage in 0..tiling.stages {
            let [full, empty] = block.barriers(b, stage.into());
            b.init_barrier(full, 1);
            b.init_barrier(empty, u64::from(tiling.threads) / WARP);
        }
        b.fence_barriers();
    });
    b.barrier();
    let producer = Ix::from(u64::from(tiling.threads));
    let multiplies = b.test("slt", thread, producer);
    b.if_else(
        multiplies,
        &[],
        |b| {
            if gives {
                b.set_registers(MULTIPLYING, true);
            }
            block.tiles(b, |b, at, count| block.multiply(b, at, count));
            Vec::new()
        },
        |b| {
            if gives {
                b.set_registers(PRODUCING, false);
            }
            let one = b.test("eq", thread, producer);
            b.if_(one, |b| {
                (0..2).for_each(|map| b.prefetch_map(map));
                block.tiles(b, |b, at, count| block.fetch(b, at, count));
            });
            Vec::new()
        },
    );
    Ok(())
}

struct Block<'a> {
    spec: &'a Dot,
    tiling: Tiling,
    boxes: [Boxes; 2],
    /// Neighbours in memory are rows.
    across: [bool; 2],
    factors: [MmaType; 2],
    order: Order,
    epilogue: Epilogue<'a>,
    /// Where the barriers lie.
    barriers: u64,
}

impl Block<'_> {
    fn slices(&self) -> u64 {
        ceil_div(product(&self.spec.k), LINE / self.spec.dtype().bytes())
    }

    /// The block's tiles (number of the batch, first row and column), with the number of slices before each.
    fn tiles(&self, b: &mut Builder, each: impl FnOnce(&mut Builder, [Ix; 3], Ix)) {
        let hi = b.hi();
        let (first, step) = turns(b, 1);
        let [first, hi, step, none] = [first, hi, step, Ix::ZERO].map(|x| b.ix(x));
        let slices = self.slices();
        b.loop_over(first, hi, step, &[none], |b, u, count| {
            let count = Ix::from(count[0]);
            let at = self.order.tile(b, u);
            each(b, at, count);
            vec![b.ix(count.plus(slices as i64))]
        });
    }

    /// The stage of a slice, by the number of those before, and the parity of the phase of its full barrier.
    fn stage(&self, b: &mut Builder, count: Ix) -> (Ix, Ix) {
        let (round, stage) = b.div_rem(count, self.tiling.stages);
        (stage, b.div_rem(round, 2).1)
    }

    fn at(&self, b: &mut Builder, stage: Ix) -> Ix {
        let stage = b.scale(stage, self.tiling.stage_bytes() as i64);
        b.dynamic_address(stage)
    }

    /// A stage's barriers: full, empty.
    fn barriers(&self, b: &mut Builder, stage: Ix) -> [Ix; 2] {
        let at = b.scale(stage, 2 * BARRIER as i64).plus(self.barriers as i64);
        let full = b.dynamic_address(at);
        [full, full.plus(BARRIER as i64)]
    }

    // ---- the producer

    fn fetch(&self, b: &mut Builder, [batch, row, col]: [Ix; 3], count: Ix) {
        let line = LINE / self.spec.dtype().bytes();
        b.loop_(Ix::ZERO, self.slices().into(), 1, |b, slice| {
            let count = b.add(count, slice);
            let (stage, parity) = self.stage(b, count);
            let [full, empty] = self.barriers(b, stage);
            // Of the round before; in the first, of none.
            let other = b.xor(parity, 1i64.into());
            b.await_phase(empty, other);
            b.arrive_expecting(full, self.tiling.stage_bytes());
            let k = b.scale(slice, line as i64);
            let at = self.at(b, stage);
            let sides = [(row, self.tiling.rows, 0), (col, self.tiling.cols, self.tiling.rows * LINE)];
            for (map, (origin, tile, from)) in sides.into_iter().enumerate() {
                let boxes = &self.boxes[map];
                for i in 0..tile / boxes.rows {
                    let index = [batch, origin.plus((i * boxes.rows) as i64), k];
                    let coordinates = coordinates(b, boxes, index);
                    b.fetch(map, &coordinates, at.plus((from + i * boxes.bytes()) as i64), full);
                }
            }
        });
    }

    // ---- the warpgroups that multiply

    fn multiply(&self, b: &mut Builder, [batch, row, col]: [Ix; 3], before: Ix) {
        let thread = b.thread();
        let (_, lane) = b.div_rem(thread, WARP);
        let leads = b.test("eq", lane, Ix::ZERO);
        let apart = self.spec.dtype().is_float8();
        let [down, across] = self.tiling.fragments();
        let zero = b.number(Ty::scalar(ElemKind::F32), 0.0);
        let start = vec![zero; (down * across * 4) as usize];
        let slices = self.slices();
        let mut sums = b.for_(Ix::ZERO, slices.into(), 1, &start, |b, slice, sums| {
            let count = b.add(before, slice);
            let (stage, parity) = self.stage(b, count);
            let [full, empty] = self.barriers(b, stage);
            b.await_phase(full, parity);
            if apart {
                let parts = self.begin(b, stage, None);
                let parts = b.wait_matmuls(0, &parts);
                b.arrive(empty, leads);
                return sums.iter().zip(parts).map(|(&sum, part)| b.binary("addf", sum, part)).collect();
            }
            let sums = self.begin(b, stage, Some(sums));
            let sums = b.wait_matmuls(1, &sums);
            // What is there now is the matmul of the slice before this one.
            let (stage, _) = self.stage(b, count.plus(self.tiling.stages as i64 - 1));
            let [_, empty] = self.barriers(b, stage);
            let some = b.test("sgt", slice, Ix::ZERO);
            let when = b.binary("andi", leads, some);
            b.arrive(empty, when);
            sums
        });
        if !apart {
            sums = b.wait_matmuls(0, &sums);
            let (stage, _) = self.stage(b, before.plus(slices as i64 - 1));
            let [_, empty] = self.barriers(b, stage);
            b.arrive(empty, leads);
        }
        let batch = unravel(b, batch, &self.spec.batch);
        self.epilogue.finish_by_warps(b, &batch, row, col, &sums);
    }

    /// Begins the matmul of a stage.
    fn begin(&self, b: &mut Builder, stage: Ix, sums: Option<&[Val]>) -> Vec<Val> {
        let thread = b.thread();
        let (group, _) = b.div_rem(thread, 4 * WARP);
        let (own, stage) = (b.scale(group, STRIP as i64), self.at(b, stage));
        let at = [b.add(stage, own), stage.plus((self.tiling.rows * LINE) as i64)];
        let w = Warpgroup { factors: self.factors, cols: self.tiling.cols, across: self.across };
        b.multiply_async(&w, at, sums)
    }
}

/// Where the box for a batch, a row and a step of `k` begins in its map.
fn coordinates(b: &mut Builder, boxes: &Boxes, [batch, row, k]: [Ix; 3]) -> Vec<Ix> {
    let of = |b: &mut Builder, c: &crate::tensor_map::Coordinate| {
        let index = match c.along {
            LinearIndex::Batch => batch,
            LinearIndex::Rows => row,
            LinearIndex::K => k,
        };
        let (index, _) = b.div_rem(index, c.step);
        c.size.map_or(index, |n| b.div_rem(index, n).1)
    };
    boxes.coordinates.iter().map(|c| of(b, c)).collect()
}
