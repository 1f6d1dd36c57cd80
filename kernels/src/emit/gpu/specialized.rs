//! Contractions of operands of 16 and of 8 bits, and of f32 in tf32, on Hopper, with a producer warp: the tensor memory accelerator copies slices
//! ([`crate::tensor_map`]) while warpgroups multiply.
//!
//! The threads of a block have one of two roles. One thread, the producer, goes through the block's tiles and their slices; it
//! has each slice copied to the next stage as soon as that stage was read. The consumers are warpgroups: they wait for a stage,
//! have `wgmma` read it, and free the stage before it when its matmuls are done. So consumers never compute an address of an
//! operand, and while they store a tile's results, the next tile's slices are copied. Each stage has two barriers. *Full* takes
//! one arrival and the bytes of its boxes; *empty* takes an arrival of each consumer warp.
//!
//! The warpgroups of a block have 64 rows of each tile. Or they take the block's tiles in turn (ping-pong, [`Tiling::ping_pong`]),
//! each a whole one, two products of 64 rows at a step: while one stores its results, the other one multiplies. The stages are
//! those of both, filled in the order of the tiles. One more barrier for each warpgroup says that its turn has come: the other one
//! has seen all of its slices arrive. Else a wait for a phase could be over since the phase two before it is.
//!
//! In tf32, warps beside the producer round what was copied ([`super::rounded`]). They tell by a third barrier of each stage.
//!
//! Those warps add up an operand instead, where the kernel is to ([`super::added`]); then a stage is free when they have read it, too.
//!
//! Registers: if a block of two consumer warpgroups has a multiprocessor to itself, the producer's warpgroup gives most of its
//! registers to them (`setmaxnreg`). Layouts, matmuls and the sums of 8 bits are as in [`super::pipeline`], which is for operands
//! without a tensor map.
//!
//! Two blocks can be a cluster ([`Tiling::pairs`]), with tiles below each other. Then each has half of the second operand's slices copied
//! to both (multicast), which halves what is read of it from the L2 cache. A stage is free when the warps of both blocks have read it,
//! and no block ends before the other one.

use super::added::{self, Adder};
use super::block::MmaType;
use super::boxed::{Batch, Boxed};
use super::bulk::BARRIER;
use super::epilogue::Epilogue;
use super::pipeline::Order;
use super::places::{coordinates, unravel};
use super::rounded;
use super::tile::{STRIP, STRIP_ROWS, Warpgroup};
use super::turns::turns;
use crate::added::DotAndSum;
use crate::dot::{Dot, Tiling};
use crate::emit::builder::{Buf, Builder, ElemKind, Ix, Ty, Val};
use crate::geometry::{ceil_div, product};
use crate::gpu::Grid;
use crate::gpu::LINE;
use crate::gpu::LINE_ELEMENTS;
use crate::gpu::WARP;
use crate::spec::SpecError;
use crate::tensor_map::Boxes;

/// Registers of a thread that multiplies, and of one of the producer's warpgroup, where they are given over: multiples of 8, and 256 and 128
/// of them have no more than the 384 were launched with, 168 each. Those that round have 32 numbers each, and those that add up 16 sums.
const REGISTERS: [u32; 2] = [232, 40];
const REGISTERS_ROUNDED: [u32; 2] = [208, 88];
const REGISTERS_ADDED: [u32; 2] = [224, 56];

/// `sum` is what is added up besides.
///
/// # Errors
/// A contraction without tensor maps; sums without warps for them.
pub fn emit(b: &mut Builder, spec: &Dot, grid: &Grid, sum: Option<&DotAndSum>) -> Result<(), SpecError> {
    let tiling = grid.tiling;
    let stages = tiling.stages * tiling.stage_bytes();
    let results = match spec.results(&tiling) {
        Some(boxes) => Results::Boxed(Box::new(Boxed::new(b, spec, &tiling, boxes, stages))),
        None => Results::ByWarps(Box::new(Epilogue::of_warps(b, spec, grid, stages))),
    };
    b.take_maps(2 + if let Results::Boxed(r) = &results { r.maps() } else { 0 });
    if sum.is_some() && !tiling.spares_warps() {
        return Err(SpecError("dot: no warps to spare for the sums of an operand".into()));
    }
    let readers = if sum.is_some() { added::WARPS } else { 0 };
    let block = Block::new(spec, tiling, results)?;
    let sum = sum.map(|s| (s, b.dynamic_memory(ElemKind::memory(spec.stored(s.which as usize)), stages / 2, 0)));
    let words = tiling.rounded.then(|| b.dynamic_memory(ElemKind::I32, stages / 4, 0));
    let gives = u64::from(tiling.producers) == 4 * WARP && u64::from(tiling.threads) == 8 * WARP;
    let [multiplying, producing] = match sum {
        Some(_) => REGISTERS_ADDED,
        None if tiling.rounded => REGISTERS_ROUNDED,
        None => REGISTERS,
    };
    if gives {
        b.alone(tiling.block_threads());
    }
    block.init_barriers(b, readers);
    block.meet(b);
    let thread = b.thread();
    let producer = Ix::from(u64::from(tiling.threads));
    let multiplies = b.test("slt", thread, producer);
    b.if_else(
        multiplies,
        &[],
        |b| {
            if gives {
                b.set_registers(multiplying, true);
            }
            let group = if u64::from(tiling.threads) > 4 * WARP {
                let (group, _) = b.div_rem(thread, 4 * WARP);
                b.uniform(group)
            } else {
                Ix::ZERO
            };
            let turn = tiling.ping_pong.then_some(group);
            block.tiles(b, turn, |b, at, count, taken| block.multiply(b, at, count, [group, taken]));
            if let Results::Boxed(results) = &block.results {
                results.end(b);
            }
            Vec::new()
        },
        |b| {
            if gives {
                b.set_registers(producing, false);
            }
            let one = b.test("eq", thread, producer);
            b.if_(one, |b| {
                (0..2).for_each(|map| b.prefetch_map(map));
                block.tiles(b, None, |b, at, count, _| block.fetch(b, at, count));
            });
            if let Some(words) = words {
                block.round_tiles(b, words);
            }
            if let Some((sum, memory)) = sum {
                block.add_tiles(b, sum, memory);
            }
            Vec::new()
        },
    );
    if tiling.pairs {
        block.meet(b);
    }
    Ok(())
}

/// What becomes of sums: boxes that are stored, or what threads store.
enum Results<'a> {
    Boxed(Box<Boxed<'a>>),
    ByWarps(Box<Epilogue<'a>>),
}

/// What producers and those that multiply know of a block, and what becomes of its sums.
pub(super) struct Block<'a, R> {
    pub(super) spec: &'a Dot,
    pub(super) tiling: Tiling,
    boxes: [Boxes; 2],
    /// Neighbours in memory, and in what is copied, are rows.
    pub(super) across: [bool; 2],
    pub(super) factors: [MmaType; 2],
    order: Order,
    pub(super) results: R,
    /// Where the barriers lie.
    pub(super) barriers: u64,
}

impl<'a, R> Block<'a, R> {
    /// # Errors
    /// A contraction without tensor maps.
    pub(super) fn new(spec: &'a Dot, tiling: Tiling, results: R) -> Result<Block<'a, R>, SpecError> {
        let Some(boxes) = spec.boxes(&tiling) else {
            return Err(SpecError("dot: its operands have no tensor maps".into()));
        };
        Ok(Block {
            spec,
            tiling,
            boxes,
            across: [0, 1].map(|which| !spec.operand(which, true).along_k),
            factors: [0, 1].map(|which| MmaType::of(spec.stored(which))),
            order: Order::of(spec, &tiling),
            results,
            barriers: tiling.stages * tiling.stage_bytes() + tiling.waiting_bytes(spec),
        })
    }
}

impl<R> Block<'_, R> {
    pub(super) fn slices(&self) -> u64 {
        ceil_div(product(&self.spec.k), LINE / self.spec.dtype().bytes())
    }

    /// All threads that know of the block's barriers.
    fn meet(&self, b: &mut Builder) {
        if self.tiling.pairs { b.cluster_barrier() } else { b.barrier() }
    }

    /// The block's number in its cluster.
    fn rank(&self, b: &mut Builder) -> Ix {
        let block = b.block();
        b.div_rem(block, self.tiling.cluster().into()).1
    }

    /// By every warp: frees a stage, if `when`. In a cluster, a lane tells each block.
    fn free(&self, b: &mut Builder, empty: Ix, when: Option<Val>) {
        let (thread, blocks) = (b.thread(), u64::from(self.tiling.cluster()));
        let (_, lane) = b.div_rem(thread, WARP);
        let mut tells = b.test("slt", lane, blocks.into());
        if let Some(when) = when {
            tells = b.binary("andi", tells, when);
        }
        if self.tiling.pairs {
            // The lanes that tell nobody name a block, too.
            let (_, block) = b.div_rem(lane, blocks);
            b.arrive_at(empty, block, tells);
        } else {
            b.arrive(empty, tells);
        }
    }

    fn warps_of_tile(&self) -> u64 {
        u64::from(self.tiling.tile_threads()) / WARP
    }

    /// The block's tiles (number of the batch, first row and column), with the numbers of slices and of tiles before each: all of
    /// them, or those of a warpgroup.
    pub(super) fn tiles(&self, b: &mut Builder, turn: Option<Ix>, each: impl FnOnce(&mut Builder, [Ix; 3], Ix, Ix)) {
        let hi = b.hi();
        let (mut first, mut step) = turns(b, 1);
        let (mut before, mut slices) = (Ix::ZERO, self.slices() as i64);
        if let Some(turn) = turn {
            let [own, by] = [turn, step].map(|x| b.ix(x));
            let later = Ix::from(b.binary("muli", own, by));
            (before, first) = (b.scale(turn, slices), b.add(first, later));
            let groups = i64::from(self.tiling.threads / self.tiling.tile_threads());
            (slices, step) = (slices * groups, b.scale(step, groups));
        }
        let [first, hi, step, before, none] = [first, hi, step, before, Ix::ZERO].map(|x| b.ix(x));
        b.loop_over(first, hi, step, &[before, none], |b, u, carried| {
            let [count, taken] = [carried[0], carried[1]].map(Ix::from);
            let at = self.order.tile(b, u);
            each(b, at, count, taken);
            [count.plus(slices), taken.plus(1)].map(|x| b.ix(x)).to_vec()
        });
    }

    /// The stage of a slice, by the number of those before, and the parity of the phase of its full barrier.
    pub(super) fn stage(&self, b: &mut Builder, count: Ix) -> [Ix; 2] {
        let (stage, parity) = b.stage_of(count, self.tiling.stages);
        [stage, parity]
    }

    /// Those of the next slice. A division for each slice would take as long as some of its products.
    pub(super) fn next(&self, b: &mut Builder, [stage, parity]: [Ix; 2]) -> [Val; 2] {
        let next = stage.plus(1);
        let last = b.test("eq", next, self.tiling.stages.into());
        let other = b.xor(parity, 1i64.into());
        let [next, first, same, other] = [next, Ix::ZERO, parity, other].map(|x| b.ix(x));
        [b.select(last, first, next), b.select(last, other, same)]
    }

    pub(super) fn at(&self, b: &mut Builder, stage: Ix) -> Ix {
        let stage = b.scale(stage, self.tiling.stage_bytes() as i64);
        b.dynamic_address(stage)
    }

    /// A stage's barriers: full, empty.
    pub(super) fn barriers(&self, b: &mut Builder, stage: Ix) -> [Ix; 2] {
        let at = b.scale(stage, (self.tiling.barriers_of_stage() * BARRIER) as i64).plus(self.barriers as i64);
        let full = b.dynamic_address(at);
        [full, full.plus(BARRIER as i64)]
    }

    /// The barrier that says that a stage can be multiplied: that it is full or, where it has to be, rounded.
    fn is_there(&self, full: Ix) -> Ix {
        full.plus(if self.tiling.rounded { 2 * BARRIER as i64 } else { 0 })
    }

    /// The barrier that says that a warpgroup's turn has come.
    fn turn_of(&self, b: &mut Builder, group: Ix) -> Ix {
        let at = b.scale(group, BARRIER as i64);
        b.dynamic_address(
            at.plus((self.barriers + self.tiling.stages * self.tiling.barriers_of_stage() * BARRIER) as i64),
        )
    }

    // ---- the producer

    pub(super) fn fetch(&self, b: &mut Builder, [batch, row, col]: [Ix; 3], count: Ix) {
        let line = LINE / self.spec.dtype().bytes();
        let start = self.stage(b, count).map(|x| b.ix(x));
        b.for_(Ix::ZERO, self.slices().into(), 1, &start, |b, slice, place| {
            let [stage, parity] = [place[0], place[1]].map(Ix::from);
            let [full, empty] = self.barriers(b, stage);
            // Of the round before; in the first, of none.
            let other = b.xor(parity, 1i64.into());
            b.await_phase(empty, other);
            b.arrive_expecting(full, self.tiling.stage_bytes());
            let k = b.scale(slice, line as i64);
            let at = self.at(b, stage);
            let tiling = &self.tiling;
            let (rank, brought) = (self.rank(b), tiling.brought_cols());
            // The own rows, and the own part of the columns.
            let (own, part) = (b.scale(rank, brought as i64), b.scale(rank, (brought * LINE) as i64));
            let (col, of_b) = (b.add(col, own), b.add(at, part).plus((tiling.rows * LINE) as i64));
            let sides = [(row, tiling.rows, at, 1), (col, brought, of_b, tiling.cluster())];
            for (map, (origin, tile, at, blocks)) in sides.into_iter().enumerate() {
                let boxes = &self.boxes[map];
                for i in 0..tile / boxes.rows {
                    let index = [batch, origin.plus((i * boxes.rows) as i64), Ix::ZERO, k];
                    let coordinates = coordinates(b, boxes, index);
                    b.fetch_for(blocks, map, &coordinates, at.plus((i * boxes.bytes()) as i64), full);
                }
            }
            self.next(b, [stage, parity]).to_vec()
        });
    }
}

impl Block<'_, Results<'_>> {
    /// By one thread, before all meet. `readers` are warps that read slices beside those that multiply.
    fn init_barriers(&self, b: &mut Builder, readers: u64) {
        let tiling = &self.tiling;
        let thread = b.thread();
        let first = b.test("eq", thread, Ix::ZERO);
        b.if_(first, |b| {
            for stage in 0..tiling.stages {
                let [full, empty] = self.barriers(b, stage.into());
                b.init_barrier(full, 1);
                b.init_barrier(empty, (self.warps_of_tile() + readers) * u64::from(tiling.cluster()));
                if tiling.rounded {
                    b.init_barrier(self.is_there(full), rounded::WARPS);
                }
            }
            for group in 0..if tiling.ping_pong { 2u64 } else { 0 } {
                let turn = self.turn_of(b, group.into());
                b.init_barrier(turn, self.warps_of_tile());
            }
            if let Results::Boxed(results) = &self.results {
                results.init_barriers(b);
            }
            b.fence_barriers();
        });
    }

    // ---- the producer's other warps

    /// The warp's number among those after the first of the producer's warpgroup, whether it is one of them, and the lane.
    fn beside(&self, b: &mut Builder) -> (Ix, Val, Ix) {
        let thread = b.thread();
        let (warp, lane) = b.div_rem(thread, WARP);
        let warp = b.uniform(warp);
        let first = u64::from(self.tiling.threads) / WARP + 1;
        (warp.plus(-(first as i64)), b.test("sge", warp, first.into()), lane)
    }

    /// By the producer's warpgroup, in memory that has all stages as elements: adds up an operand. Of the tiles that have the same slices of
    /// it, each takes some parts.
    fn add_tiles(&self, b: &mut Builder, sum: &DotAndSum, memory: Buf) {
        let (warp, adds, lane) = self.beside(b);
        let adder = Adder { warp, lane };
        let (cols, begins) = added::side(sum, &self.tiling);
        let each = sum.depth() / LINE_ELEMENTS;
        b.if_(adds, |b| {
            self.tiles(b, None, |b, [_, row, col], count, _| {
                let (own, first) = added::place(b, sum, &self.tiling, [row, col]);
                let start = self.stage(b, count).map(|x| b.ix(x));
                b.for_(Ix::ZERO, sum.parts.into(), 1, &start, |b, part, place| {
                    let (_, by) = b.div_rem(part, sum.sharing(&self.tiling));
                    let mine = b.test("eq", by, own);
                    let nothing = adder.nothing(b, cols);
                    let count = nothing.len();
                    let types: Vec<Ty> = nothing.iter().map(|v| b.ty(*v)).collect();
                    let start = [&nothing[..], place].concat();
                    let done = b.for_(Ix::ZERO, each.into(), 1, &start, |b, _, carried| {
                        let (sums, place) = carried.split_at(count);
                        let [stage, parity] = [place[0], place[1]].map(Ix::from);
                        let [full, empty] = self.barriers(b, stage);
                        b.await_phase(full, parity);
                        let at = b.scale(stage, (self.tiling.stage_bytes() / 2) as i64).plus(begins as i64);
                        let with = |b: &mut Builder| adder.with_slice(b, memory, at, cols, sums);
                        let sums = b.if_else(mine, &types, with, |_| sums.to_vec());
                        b.warp_barrier();
                        self.free(b, empty, None);
                        [&sums[..], &self.next(b, [stage, parity])].concat()
                    });
                    b.if_(mine, |b| adder.store(b, sum, part, first, cols, &done[..count]));
                    done[count..].to_vec()
                });
            });
        });
    }

    /// By the producer's warpgroup, in memory that has all stages as words: its warps after the first.
    fn round_tiles(&self, b: &mut Builder, words: Buf) {
        let (warp, rounds, lane) = self.beside(b);
        let leads = b.test("eq", lane, Ix::ZERO);
        let sides = [(self.tiling.rows, self.across[0]), (self.tiling.cols, self.across[1])];
        b.if_(rounds, |b| {
            self.tiles(b, None, |b, _, count, _| {
                let start = self.stage(b, count).map(|x| b.ix(x));
                b.for_(Ix::ZERO, self.slices().into(), 1, &start, |b, _, place| {
                    let [stage, parity] = [place[0], place[1]].map(Ix::from);
                    let [full, _] = self.barriers(b, stage);
                    b.await_phase(full, parity);
                    let at = b.scale(stage, (self.tiling.stage_bytes() / 4) as i64);
                    rounded::slice(b, words, warp, at, sides);
                    b.fence_async();
                    b.warp_barrier();
                    b.arrive(self.is_there(full), leads);
                    self.next(b, [stage, parity]).to_vec()
                });
            });
        });
    }

    // ---- the warpgroups that multiply

    /// By a warpgroup, which had so many tiles before.
    fn multiply(&self, b: &mut Builder, [batch, row, col]: [Ix; 3], before: Ix, [group, taken]: [Ix; 2]) {
        let thread = b.thread();
        let (_, lane) = b.div_rem(thread, WARP);
        let leads = b.test("eq", lane, Ix::ZERO);
        let number = batch;
        let batch = unravel(b, batch, &self.spec.batch);
        let numbered = Batch { number, index: &batch };
        if let Results::Boxed(results) = &self.results {
            results.begin(b, numbered, [row, col], taken);
        }
        if self.tiling.ping_pong {
            // The first warpgroup waits for the second one's tile before, of which the first time there is none.
            let own = self.turn_of(b, group);
            let phase = b.add(taken, group);
            let parity = b.div_rem(phase.plus(1), 2).1;
            b.await_phase(own, parity);
        }
        let apart = self.spec.dtype().is_float8();
        let [down, across] = self.tiling.fragments();
        let zero = b.number(self.factors[0].sums(), 0.0);
        let count = (down * across * 4) as usize;
        let place = self.stage(b, before);
        // Before the first slice there is none to free.
        let [_, none] = self.barriers(b, place[0]);
        let place = [place[0], place[1], none].map(|x| b.ix(x));
        let start = [&vec![zero; count][..], &place].concat();
        let mut carried = b.for_(Ix::ZERO, self.slices().into(), 1, &start, |b, slice, carried| {
            let (sums, place) = carried.split_at(count);
            let [stage, parity, last] = [place[0], place[1], place[2]].map(Ix::from);
            let [full, empty] = self.barriers(b, stage);
            let there = self.is_there(full);
            b.await_phase(there, parity);
            let sums = if apart {
                let parts = self.begin(b, stage, group, None);
                let parts = b.wait_matmuls(0, &parts);
                self.free(b, empty, None);
                sums.iter().zip(parts).map(|(&sum, part)| b.binary("addf", sum, part)).collect()
            } else {
                let sums = self.begin(b, stage, group, Some(sums));
                let sums = b.wait_matmuls(1, &sums);
                // What is there now is the matmul of the slice before this one.
                let some = b.test("sgt", slice, Ix::ZERO);
                self.free(b, last, Some(some));
                sums
            };
            let [stage, parity] = self.next(b, [stage, parity]);
            [&sums[..], &[stage, parity, b.ix(empty)]].concat()
        });
        let last = Ix::from(carried[count + 2]);
        carried.truncate(count);
        let mut sums = carried;
        if self.tiling.ping_pong {
            let other = b.xor(group, 1i64.into());
            let next = self.turn_of(b, other);
            b.arrive(next, leads);
        }
        let early = match &self.results {
            Results::Boxed(_) => Vec::new(),
            Results::ByWarps(epilogue) => epilogue.begin_by_warps(b, &batch, row, col),
        };
        if !apart {
            sums = b.wait_matmuls(0, &sums);
            self.free(b, last, None);
        }
        match &self.results {
            Results::Boxed(results) => results.finish(b, numbered, [row, col], taken, &sums),
            Results::ByWarps(epilogue) => epilogue.finish_by_warps(b, &batch, row, col, &sums, early),
        }
    }

    /// Begins the matmul of a stage.
    fn begin(&self, b: &mut Builder, stage: Ix, group: Ix, sums: Option<&[Val]>) -> Vec<Val> {
        let stage = self.at(b, stage);
        let of_b = stage.plus((self.tiling.rows * LINE) as i64);
        // What is rounded lies along `k` then.
        let across = self.across.map(|across| across && !self.tiling.rounded);
        let w = Warpgroup { factors: self.factors, cols: self.tiling.cols, across };
        if self.tiling.ping_pong {
            return b.multiply_strips_async(&w, self.tiling.rows / STRIP_ROWS, [stage, of_b], sums);
        }
        let own = b.scale(group, STRIP as i64);
        let of_a = b.add(stage, own);
        b.multiply_async(&w, [of_a, of_b], sums)
    }
}
