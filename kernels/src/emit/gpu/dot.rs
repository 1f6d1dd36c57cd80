//! Contractions by tiles, for operands that copies of 16 bytes cannot move. All others go through [`super::pipeline`].
//!
//! A block goes through `k` one slice at a time. Its threads hold the next slice in registers while they multiply the one in
//! shared memory, each thread a part of the tile. At the end they give the sums to the body.
//!
//! Tensor cores (16 bits by `m16n8k16`, integers of 8 bits by `m16n8k32`, tf32 by `m16n8k8`) read slices that lie as `[row][k]`. Rows
//! are padded by 16 bytes from a power of two, so that the fragments which a warp loads are in different banks. Floats of 8 bits
//! become bf16, which holds all of them. Ordinary arithmetic reads slices that lie as `[k][row]`; a thread has 8 x 8 of the tile, as four squares of
//! neighbours. Beyond an operand's end, shared memory has zeros, so only the body needs to ask which elements exist.

use super::added;
use super::block::MmaType;
use super::epilogue::Epilogue;
use super::places::{place, unravel};
use super::turns::turns;
use crate::added::DotAndSum;
use crate::dot::{Dot, DotOperand, Tiling};
use crate::emit::builder::{Buf, Builder, ElemKind, Ix, Ty, Val};
use crate::emit::elem::convert;
use crate::geometry::{ceil_div, product};
use crate::gpu::Grid;

/// Elements by which the rows of a slice are longer than what they hold.
const PAD_TENSOR_BYTES: u64 = 16;
const PAD_ORDINARY: u64 = 4;

/// A thread's share of a tile without tensor cores, in each direction.
const SHARE: u64 = 8;

/// `sum` is what is added up besides.
pub fn emit(b: &mut Builder, spec: &Dot, grid: &Grid, sum: Option<&DotAndSum>) {
    let (rows, cols) = (product(&spec.m), product(&spec.n));
    if product(&spec.space()) == 0 {
        return;
    }
    let tiling = grid.tiling;
    let side = |b: &mut Builder, which: usize, tile: u64, total: u64| {
        let operand = DotOperand { lanes: grid.operand_lanes[which], ..spec.operand(which, true) };
        let kind = ElemKind::memory(spec.multiplied(which));
        let pad = PAD_TENSOR_BYTES / kind.bytes();
        let (width, lines) =
            if spec.on_tensor_cores() { (tiling.k + pad, tile) } else { (tile + PAD_ORDINARY, tiling.k) };
        let buf = b.block_memory(kind, width * lines);
        Side { spec, tiling, operand, which, tile, total, width, buf }
    };
    let dot = Block {
        a: side(b, 0, tiling.rows, rows),
        b: side(b, 1, tiling.cols, cols),
        spec,
        tiling,
        epilogue: Epilogue::new(b, spec, grid),
    };
    let (tile_rows, tile_cols) = (ceil_div(rows, tiling.rows), ceil_div(cols, tiling.cols));
    let hi = b.hi();
    let (first, step) = turns(b, 1);
    b.loop_by(first, hi, step, |b, u| {
        let (batch, tile) = b.div_rem(u, tile_rows * tile_cols);
        let (r, c) = b.div_rem(tile, tile_cols);
        let batch = unravel(b, batch, &spec.batch);
        let (row, col) = (b.scale(r, tiling.rows as i64), b.scale(c, tiling.cols as i64));
        dot.tile(b, &batch, row, col);
        sum.iter().for_each(|s| added::from_memory(b, s, &tiling, [row, col]));
    });
}

/// Stores the sums that a thread has in its warp's fragments.
pub fn keep_fragments(b: &mut Builder, epilogue: &Epilogue<'_>, tiling: &Tiling, to: Buf, sums: &[Val]) {
    let [row, col, group, within] = place(b, tiling);
    let [rows, cols] = tiling.fragments();
    let (row, pair) = (b.add(row, group), b.scale(within, 2));
    let col = b.add(col, pair);
    for i in 0..rows {
        for j in 0..cols {
            for half in 0..2 {
                let at = ((i * cols + j) * 4 + half * 2) as usize;
                let two = b.elements(&sums[at..at + 2]);
                let (row, col) = (row.plus((i * 16 + half * 8) as i64), col.plus((j * 8) as i64));
                let at = epilogue.place(b, row, col);
                b.store_aligned(two, to, at);
            }
        }
    }
}

/// One operand's way from memory to shared memory.
struct Side<'a> {
    spec: &'a Dot,
    tiling: Tiling,
    operand: DotOperand<'a>,
    which: usize,
    /// Rows (or columns) of a tile, and of all there is.
    tile: u64,
    total: u64,
    /// From one line of the slice to the next.
    width: u64,
    buf: Buf,
}

/// A vector that a thread moves: where it begins in memory but for `k`, whether that is there, and its place in the slice.
struct Slot {
    base: Ix,
    exists: Option<Val>,
    row: Ix,
    k: Ix,
}

impl Side<'_> {
    fn slots(&self, b: &mut Builder, batch: &[Ix], origin: Ix) -> Vec<Slot> {
        let (lanes, thread) = (self.operand.lanes, b.thread());
        let threads = u64::from(self.tiling.threads);
        let each = self.tile * self.tiling.k / lanes / threads;
        let slot = |i: u64, b: &mut Builder| {
            let v = thread.plus((i * threads) as i64);
            let (row, k) = if self.operand.along_k {
                let (row, k) = b.div_rem(v, self.tiling.k / lanes);
                (row, b.scale(k, lanes as i64))
            } else {
                let (k, row) = b.div_rem(v, self.tile / lanes);
                (b.scale(row, lanes as i64), k)
            };
            let at = b.add(origin, row);
            let exists = (!self.total.is_multiple_of(self.tile)).then(|| b.test("slt", at, self.total.into()));
            let index = [batch, &unravel(b, at, self.operand.free)].concat();
            let mut base = Ix::from(self.operand.access.offset);
            if let Some(start) = self.operand.access.start {
                let dim = b.dim(start.dim);
                let part = b.scale(dim, start.stride);
                base = b.add(base, part);
            }
            for (&i, &stride) in index.iter().zip(&self.operand.access.strides) {
                let part = b.scale(i, stride);
                base = b.add(base, part);
            }
            Slot { base, exists, row, k }
        };
        (0..each).map(|i| slot(i, b)).collect()
    }

    /// This thread's part of the slice from `k` on.
    fn fetch(&self, b: &mut Builder, slots: &[Slot], from: Ix) -> Vec<Val> {
        let (lanes, dtype) = (self.operand.lanes, self.spec.stored(self.which));
        let (source, ty) = (Buf::arg(self.which as u32, dtype), Ty::vector(ElemKind::memory(dtype), lanes));
        let dims = &self.spec.k;
        let strides = &self.operand.access.strides[self.operand.access.strides.len() - dims.len()..];
        let one = |slot: &Slot| {
            let k = b.add(from, slot.k);
            let mut exists = b.test("slt", k, product(dims).into());
            if let Some(row) = slot.exists {
                exists = b.binary("andi", exists, row);
            }
            let nothing = b.number(ty, 0.0);
            let loaded = b.if_else(
                exists,
                &[ty],
                |b| {
                    let mut at = slot.base;
                    for (i, &stride) in unravel(b, k, dims).into_iter().zip(strides) {
                        let part = b.scale(i, stride);
                        at = b.add(at, part);
                    }
                    vec![b.load_aligned(source, at, lanes)]
                },
                |_| vec![nothing],
            );
            loaded[0]
        };
        slots.iter().map(one).collect()
    }

    fn keep(&self, b: &mut Builder, slots: &[Slot], values: &[Val]) {
        // Lines are rows for tensor cores, and steps of k otherwise.
        let by_row = self.spec.on_tensor_cores();
        for (slot, &v) in slots.iter().zip(values) {
            let v = convert(b, v, self.buf.kind);
            let (line, at) = if by_row { (slot.row, slot.k) } else { (slot.k, slot.row) };
            let line = b.scale(line, self.width as i64);
            let at = b.add(line, at);
            if self.operand.lanes == 1 || self.operand.along_k == by_row {
                b.store_aligned(v, self.buf, at);
                continue;
            }
            for lane in 0..self.operand.lanes {
                let x = b.extract(v, lane);
                b.store(x, self.buf, at.plus((lane * self.width) as i64));
            }
        }
    }
}

struct Block<'a> {
    a: Side<'a>,
    b: Side<'a>,
    spec: &'a Dot,
    tiling: Tiling,
    epilogue: Epilogue<'a>,
}

impl Block<'_> {
    fn tile(&self, b: &mut Builder, batch: &[Ix], row: Ix, col: Ix) {
        let (of_a, of_b) = (self.a.slots(b, batch, row), self.b.slots(b, batch, col));
        let mut start = self.zeros(b);
        let sums = start.len();
        start.extend(self.a.fetch(b, &of_a, Ix::ZERO));
        start.extend(self.b.fetch(b, &of_b, Ix::ZERO));
        let step = self.tiling.k;
        let done = b.for_(Ix::ZERO, product(&self.spec.k).into(), step, &start, |b, k, carried| {
            let (acc, fetched) = carried.split_at(sums);
            let (for_a, for_b) = fetched.split_at(of_a.len());
            self.a.keep(b, &of_a, for_a);
            self.b.keep(b, &of_b, for_b);
            b.barrier();
            let next = k.plus(step as i64);
            let mut next = [self.a.fetch(b, &of_a, next), self.b.fetch(b, &of_b, next)].concat();
            let mut out = if self.spec.on_tensor_cores() { self.by_warps(b, acc) } else { self.by_threads(b, acc) };
            b.barrier();
            out.append(&mut next);
            out
        });
        let keep = |b: &mut Builder, to: Buf| {
            if self.spec.on_tensor_cores() {
                return keep_fragments(b, &self.epilogue, &self.tiling, to, &done[..sums]);
            }
            self.keep_threads(b, to, &done[..sums]);
        };
        self.epilogue.finish(b, batch, row, col, keep);
    }

    fn zeros(&self, b: &mut Builder) -> Vec<Val> {
        let kind = ElemKind::value(self.spec.dtype().computed());
        if self.spec.on_tensor_cores() {
            let [rows, cols] = self.tiling.fragments();
            let zero = b.number(Ty::scalar(kind), 0.0);
            return vec![zero; (rows * cols * 4) as usize];
        }
        let zero = b.number(Ty::vector(kind, 4), 0.0);
        vec![zero; (SHARE * SHARE / 4) as usize]
    }

    // ---- tensor cores

    fn by_warps(&self, b: &mut Builder, acc: &[Val]) -> Vec<Val> {
        let factors = [0, 1].map(|which| MmaType::of(self.spec.multiplied(which)));
        let [row, col, group, within] = place(b, &self.tiling);
        let [rows, cols] = self.tiling.fragments();
        let (depth, half) = (factors[0].depth(), factors[0].depth() / 2);
        let pair = b.scale(within, depth as i64 / 8);
        let origin = |b: &mut Builder, first: Ix, width: u64| {
            let line = b.add(first, group);
            let line = b.scale(line, width as i64);
            b.add(line, pair)
        };
        let (at_a, at_b) = (origin(b, row, self.a.width), origin(b, col, self.b.width));
        let mut acc = acc.to_vec();
        for k in (0..self.tiling.k).step_by(depth as usize) {
            let of_b: Vec<[Val; 2]> = (0..cols)
                .map(|j| {
                    let at = j * 8 * self.b.width + k;
                    [0, half].map(|step| b.pair(factors[1], self.b.buf, at_b.plus((at + step) as i64)))
                })
                .collect();
            for i in 0..rows {
                let at = i * 16 * self.a.width + k;
                let below = 8 * self.a.width;
                let of_a = [0, below, half, below + half]
                    .map(|step| b.pair(factors[0], self.a.buf, at_a.plus((at + step) as i64)));
                for (j, of_b) in of_b.iter().enumerate() {
                    let at = (i as usize * cols as usize + j) * 4;
                    let c = [acc[at], acc[at + 1], acc[at + 2], acc[at + 3]];
                    acc[at..at + 4].copy_from_slice(&b.multiply(factors, of_a, *of_b, c));
                }
            }
        }
        acc
    }

    // ---- ordinary arithmetic

    /// The thread's row and column among the threads.
    fn seat(&self, b: &mut Builder) -> (Ix, Ix) {
        let thread = b.thread();
        b.div_rem(thread, self.tiling.cols / SHARE)
    }

    fn by_threads(&self, b: &mut Builder, acc: &[Val]) -> Vec<Val> {
        let (down, across) = self.seat(b);
        let (row, col) = (b.scale(down, 4), b.scale(across, 4));
        let mut acc = acc.to_vec();
        let halves = |b: &mut Builder, side: &Side<'_>, first: Ix, k: u64| {
            [0, side.tile / 2].map(|half| b.load_aligned(side.buf, first.plus((k * side.width + half) as i64), 4))
        };
        for k in 0..self.tiling.k {
            let (of_a, of_b) = (halves(b, &self.a, row, k), halves(b, &self.b, col, k));
            for i in 0..SHARE as usize {
                let x = b.extract(of_a[i / 4], i as u64 % 4);
                let x = b.broadcast(x, 4);
                for (j, &y) in of_b.iter().enumerate() {
                    acc[2 * i + j] = b.multiply_add(x, y, acc[2 * i + j]);
                }
            }
        }
        acc
    }

    fn keep_threads(&self, b: &mut Builder, to: Buf, acc: &[Val]) {
        let (down, across) = self.seat(b);
        let (row, col) = (b.scale(down, 4), b.scale(across, 4));
        for i in 0..SHARE {
            for j in 0..2 {
                let row = row.plus((i / 4 * self.tiling.rows / 2 + i % 4) as i64);
                let col = col.plus((j * self.tiling.cols / 2) as i64);
                let at = self.epilogue.place(b, row, col);
                b.store_aligned(acc[(2 * i + j) as usize], to, at);
            }
        }
    }
}
