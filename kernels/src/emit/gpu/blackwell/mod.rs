//! Contractions of operands of 16 and of 8 bits on Blackwell. The tensor memory accelerator copies slices, one thread has tensor cores
//! multiply them (`tcgen05.mma`), and tensor memory keeps the sums, in f32 whatever the operands are.
//!
//! A block's warps have three roles. A thread of the first warp behind those that store is the producer of [`super::specialized`]. A thread
//! of the next warp multiplies: it waits for a stage, begins the products of 128 rows with all columns of the tile, and has them free the
//! stage when they are done. Four warps store: each has the 32 lanes of tensor memory that hardware lets it read, a row in each.
//!
//! Tensor memory has two tiles, so the sums of one are stored while those of the next are made. Each has two barriers. *Full* takes one
//! arrival, of the tile's last products; *empty* one of each warp that has read all of its sums. Who waited for either also needs a fence of
//! tensor memory, for whose instructions a barrier alone orders nothing.
//!
//! A warp loads some columns of its rows at a time, a row in each lane, and puts them where its lanes find them by vectors of the results.
//! From there on all goes as for the sums of warpgroups ([`super::epilogue`]).

mod memory;

use super::bulk::BARRIER;
use super::epilogue::Epilogue;
use super::places::unravel;
use super::specialized::Block;
use super::tile::{STRIP, SharedLines};
use crate::dot::{Dot, PART};
use crate::emit::builder::{Builder, ElemKind, Ix};
use crate::geometry::{ceil_div, product};
use crate::gpu::{Grid, LINE, WARP};
use crate::spec::SpecError;
use memory::{LOADED, TensorProduct, rows_of_warp};

const _: () = assert!(LOADED == PART);

/// Tiles in tensor memory.
const TILES: u64 = 2;

/// # Errors
/// A contraction without tensor maps.
pub fn emit(b: &mut Builder, spec: &Dot, grid: &Grid) -> Result<(), SpecError> {
    let tiling = grid.tiling;
    let epilogue = Epilogue::of_warps(b, spec, grid, tiling.stages * tiling.stage_bytes());
    b.take_maps(2);
    let block = Block::new(spec, tiling, epilogue)?;
    let of_tiles = block.barriers + tiling.stages * 2 * BARRIER;
    let address = b.dynamic_memory(ElemKind::I32, 1, of_tiles + TILES * 2 * BARRIER);
    let storing = u64::from(tiling.threads);
    let thread = b.thread();
    let (warp, lane) = b.div_rem(thread, WARP);
    let warp = b.uniform(warp);
    let multiplies = b.test("eq", warp, (storing / WARP + 1).into());
    let first = b.test("eq", thread, Ix::ZERO);
    b.if_(first, |b| {
        for stage in 0..tiling.stages {
            let [full, empty] = block.barriers(b, stage.into());
            b.init_barrier(full, 1);
            b.init_barrier(empty, 1);
        }
        for tile in 0..TILES {
            let [full, empty] = barriers(b, of_tiles, tile.into());
            b.init_barrier(full, 1);
            b.init_barrier(empty, storing / WARP);
        }
        b.fence_barriers();
    });
    b.if_(multiplies, |b| {
        let to = b.dynamic_address((of_tiles + TILES * 2 * BARRIER).into());
        b.allocate_tensor_memory(to, tiling.tensor_columns());
    });
    b.fence_before_threads();
    b.barrier();
    b.fence_after_threads();
    let memory = b.load(address, Ix::ZERO, 0);
    let memory = Ix::from(b.cast("index_castui", memory, ElemKind::Index));
    let tensor = Tensor { block, of_tiles, memory };
    let stores = b.test("slt", warp, (storing / WARP).into());
    b.if_else(
        stores,
        &[],
        |b| {
            tensor.block.tiles(b, None, |b, at, _, taken| tensor.store(b, at, taken, [warp, lane]));
            Vec::new()
        },
        |b| {
            let one = b.elected();
            b.if_(one, |b| {
                b.if_else(
                    multiplies,
                    &[],
                    |b| {
                        tensor.block.tiles(b, None, |b, _, count, taken| tensor.multiply(b, count, taken));
                        Vec::new()
                    },
                    |b| {
                        (0..2).for_each(|map| b.prefetch_map(map));
                        tensor.block.tiles(b, None, |b, at, count, _| tensor.block.fetch(b, at, count));
                        Vec::new()
                    },
                );
            });
            Vec::new()
        },
    );
    // All sums were read.
    b.warp_barrier();
    b.fence_before_threads();
    b.barrier();
    b.if_(multiplies, |b| {
        b.fence_after_threads();
        b.free_tensor_memory(memory, tiling.tensor_columns());
    });
    Ok(())
}

/// The barriers of a tile in tensor memory, of which the first ones lie there: full, empty.
fn barriers(b: &mut Builder, first: u64, tile: Ix) -> [Ix; 2] {
    let at = b.scale(tile, 2 * BARRIER as i64).plus(first as i64);
    let full = b.dynamic_address(at);
    [full, full.plus(BARRIER as i64)]
}

struct Tensor<'a> {
    block: Block<'a, Epilogue<'a>>,
    /// Where the barriers of tiles lie.
    of_tiles: u64,
    /// Where the block's tensor memory begins.
    memory: Ix,
}

impl Tensor<'_> {
    /// The barriers of a tile, by the number of those before; the parity of the phase of the full one; and where its sums lie.
    fn tile(&self, b: &mut Builder, taken: Ix) -> ([Ix; 2], Ix, Ix) {
        let (tile, parity) = b.stage_of(taken, TILES);
        let cols = b.scale(tile, self.block.tiling.cols as i64);
        (barriers(b, self.of_tiles, tile), parity, b.add(self.memory, cols))
    }

    /// By one thread: the products of a tile, before which there were so many slices and tiles.
    fn multiply(&self, b: &mut Builder, count: Ix, taken: Ix) {
        let block = &self.block;
        let ([full, empty], parity, to) = self.tile(b, taken);
        // Of the round before; in the first, of none.
        let other = b.xor(parity, 1i64.into());
        b.await_phase(empty, other);
        let product = TensorProduct { factors: block.factors, across: block.across, cols: block.tiling.cols };
        let start = block.stage(b, count).map(|x| b.ix(x));
        b.for_(Ix::ZERO, block.slices().into(), 1, &start, |b, slice, place| {
            let [stage, parity] = [place[0], place[1]].map(Ix::from);
            let [full, empty] = block.barriers(b, stage);
            b.await_phase(full, parity);
            b.fence_after_threads();
            let of_a = block.at(b, stage);
            let of_b = of_a.plus((block.tiling.rows * LINE) as i64);
            let lines = [0, 1].map(|i| SharedLines { at: [of_a, of_b][i], apart: STRIP, across: block.across[i] });
            let adds = b.test("sgt", slice, Ix::ZERO);
            b.multiply_in_tensor_memory(&product, to, lines, adds);
            b.commit_products_to(empty);
            block.next(b, [stage, parity]).to_vec()
        });
        b.commit_products_to(full);
    }

    /// By a warp that stores: its rows of a tile, before which there were so many.
    fn store(&self, b: &mut Builder, [batch, row, col]: [Ix; 3], taken: Ix, [warp, lane]: [Ix; 2]) {
        let (tiling, epilogue) = (&self.block.tiling, &self.block.results);
        let ([full, empty], parity, from) = self.tile(b, taken);
        let batch = unravel(b, batch, &self.block.spec.batch);
        let early = epilogue.begin_by_warps(b, &batch, row, col);
        b.await_phase(full, parity);
        b.fence_after_threads();
        // Loads are of whole warps, and each lane waited for itself.
        b.warp_barrier();
        let rows = rows_of_warp(b, from, warp);
        let own = b.scale(warp, WARP as i64);
        let line = b.add(own, lane);
        let leads = b.test("eq", lane, Ix::ZERO);
        // Of the last tile, those columns that exist.
        let (cols, whole) = (product(&self.block.spec.n), tiling.cols / PART);
        let parts = if cols.is_multiple_of(tiling.cols) {
            Ix::from(whole)
        } else {
            let before = b.div_rem(col, PART).0;
            let left = b.scale(before, -1).plus(ceil_div(cols, PART) as i64);
            b.min(left, whole.into())
        };
        epilogue.parts(b, &batch, [row, col], parts, early, |b, part| {
            let column = b.scale(part, PART as i64);
            let at = b.add(rows, column);
            let sums = b.load_from_tensor_memory(at, self.block.factors[0].sums());
            b.fence_before_threads();
            let last = b.test("eq", part, parts.plus(-1));
            let tells = b.binary("andi", leads, last);
            b.arrive(empty, tells);
            for (chunk, four) in sums.chunks(4).enumerate() {
                let four = b.elements(four);
                let at = epilogue.chunked(b, line, (4 * chunk as u64).into());
                b.store_aligned(four, epilogue.sums, at);
            }
        });
    }
}
