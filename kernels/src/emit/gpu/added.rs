//! Operands that are added up beside a contraction ([`crate::added`]): from slices in shared memory, by the warps of the producer's warpgroup
//! that do not fetch; or, where threads copy slices, from memory once more, by all threads after each tile.
//!
//! A slice that lies across `k` is strips of 64 columns and 64 lines. A warp has some of the strips. Eight lanes read a line, 16 bytes each,
//! without conflicts of banks, and four lines at a time; so a lane has eight columns of each strip in registers, over all slices of a part,
//! and at the end the four lanes with the same columns add up theirs.

use super::places::unravel;
use super::tile::{CHUNK, STRIP, chunk_at};
use crate::added::DotAndSum;
use crate::dot::Tiling;
use crate::emit::builder::{Buf, Builder, ElemKind, Ix, Ty, Val};
use crate::emit::elem::convert;
use crate::emit::eval::address;
use crate::expr::DType;
use crate::geometry::product;
use crate::gpu::{LINE_ELEMENTS, WARP};

/// Warps that add up: all of the producer's warpgroup but the one that fetches.
pub const WARPS: u64 = 3;

/// Columns of a chunk, and lines that a warp reads at a time.
const EACH: u64 = CHUNK / 2;
const LINES: u64 = 4;

/// The operand's part of a tile: how many columns it has, and where it begins in a stage, in elements.
pub fn side(sum: &DotAndSum, tiling: &Tiling) -> (u64, u64) {
    if sum.which == 0 { (tiling.rows, 0) } else { (tiling.cols, tiling.rows * LINE_ELEMENTS) }
}

/// A tile's number among those that have the same slices of the operand, and its first column there.
pub fn place(b: &mut Builder, sum: &DotAndSum, tiling: &Tiling, [row, col]: [Ix; 2]) -> (Ix, Ix) {
    let (other, size, first) = if sum.which == 0 { (col, tiling.cols, row) } else { (row, tiling.rows, col) };
    (b.div_rem(other, size).0, first)
}

/// A warp among those that add up, and a lane of it.
#[derive(Clone, Copy)]
pub struct Adder {
    pub warp: Ix,
    pub lane: Ix,
}

impl Adder {
    fn strip(self, b: &mut Builder, j: u64, strips: u64) -> (Ix, Option<Val>) {
        let strip = self.warp.plus((j * WARPS) as i64);
        let exists = ((j + 1) * WARPS > strips).then(|| b.test("slt", strip, strips.into()));
        (strip, exists)
    }

    /// Sums of nothing: of each strip that the warp has at the most.
    pub fn nothing(self, b: &mut Builder, cols: u64) -> Vec<Val> {
        let zero = b.number(Ty::vector(ElemKind::F32, EACH), 0.0);
        vec![zero; (cols / LINE_ELEMENTS).div_ceil(WARPS) as usize]
    }

    /// Sums with those of a slice, of which the operand's part begins at this element.
    pub fn with_slice(self, b: &mut Builder, memory: Buf, at: Ix, cols: u64, sums: &[Val]) -> Vec<Val> {
        let (below, chunk) = b.div_rem(self.lane, LINE_ELEMENTS / EACH);
        // In every second four lines, chunks are permuted alike.
        let places = [0, LINES].map(|line| {
            let byte = chunk_at(b, below.plus(line as i64), chunk);
            b.div_rem(byte, 2).0
        });
        let strips = cols / LINE_ELEMENTS;
        let ty = Ty::vector(ElemKind::F32, EACH);
        let mut out = Vec::new();
        for (j, &sum) in (0..).zip(sums) {
            let (strip, exists) = self.strip(b, j, strips);
            let add = |b: &mut Builder| {
                let strip = b.scale(strip, (STRIP / 2) as i64);
                let first = b.add(at, strip);
                (0..LINE_ELEMENTS / LINES).fold(sum, |sum, i| {
                    let at = b.add(first, places[i as usize % 2]);
                    let at = at.plus((i / 2 * 2 * LINES * LINE_ELEMENTS) as i64);
                    let v = b.load_aligned(memory, at, EACH);
                    let v = convert(b, v, ElemKind::F32);
                    b.binary("addf", sum, v)
                })
            };
            out.push(match exists {
                Some(exists) => b.if_else(exists, &[ty], |b| vec![add(b)], |_| vec![sum])[0],
                None => add(b),
            });
        }
        out
    }

    /// Writes the sums of a part, of columns from `first` on.
    pub fn store(self, b: &mut Builder, sum: &DotAndSum, part: Ix, first: Ix, cols: u64, sums: &[Val]) {
        let total = product(sum.free());
        let to = Buf::arg(sum.buffer(), DType::F32);
        let (_, chunk) = b.div_rem(self.lane, LINE_ELEMENTS / EACH);
        let leads = b.test("slt", self.lane, (LINE_ELEMENTS / EACH).into());
        let line = b.scale(part, total as i64);
        for (j, &v) in (0..).zip(sums) {
            let mut all: Vec<Val> = (0..EACH).map(|i| b.extract(v, i)).collect();
            let mut apart = LINE_ELEMENTS / EACH;
            while apart < WARP {
                for x in &mut all {
                    let other = b.shuffle_xor(*x, apart);
                    *x = b.binary("addf", *x, other);
                }
                apart *= 2;
            }
            let (strip, exists) = self.strip(b, j, cols / LINE_ELEMENTS);
            let (strip, own) = (b.scale(strip, LINE_ELEMENTS as i64), b.scale(chunk, EACH as i64));
            let col = b.add(first, strip);
            let col = b.add(col, own);
            let mut writes = b.test("slt", col, total.into());
            for test in [Some(leads), exists].into_iter().flatten() {
                writes = b.binary("andi", writes, test);
            }
            b.if_(writes, |b| {
                for half in 0..2 {
                    let four = b.elements(&all[4 * half..4 * half + 4]);
                    let at = b.add(line, col).plus(4 * half as i64);
                    b.store_aligned(four, to, at);
                }
            });
        }
    }
}

/// By all threads, for the parts of a tile that begins here: each has columns of its own, and reads them from memory.
pub fn from_memory(b: &mut Builder, sum: &DotAndSum, tiling: &Tiling, origin: [Ix; 2]) {
    let dot = &sum.dot;
    let (own, first) = place(b, sum, tiling, origin);
    let (total, (cols, _)) = (product(sum.free()), side(sum, tiling));
    let (source, to) = (Buf::arg(sum.which, dot.stored(sum.which as usize)), Buf::arg(sum.buffer(), DType::F32));
    let thread = b.thread();
    b.loop_(thread, cols.into(), tiling.threads.into(), |b, c| {
        let col = b.add(first, c);
        let exists = b.test("slt", col, total.into());
        b.if_(exists, |b| {
            let free = unravel(b, col, sum.free());
            b.loop_(own, sum.parts.into(), sum.sharing(tiling), |b, part| {
                let begin = b.scale(part, sum.depth() as i64);
                let zero = b.number(Ty::scalar(ElemKind::F32), 0.0);
                let added = b.for_(Ix::ZERO, sum.depth().into(), 1, &[zero], |b, k, sums| {
                    let k = b.add(begin, k);
                    let index = [free.clone(), unravel(b, k, &dot.k)].concat();
                    let at = address(b, sum.access(), &index);
                    let x = b.load(source, at, 0);
                    let x = convert(b, x, ElemKind::F32);
                    vec![b.binary("addf", sums[0], x)]
                });
                let line = b.scale(part, total as i64);
                let at = b.add(line, col);
                b.store(added[0], to, at);
            });
        });
    });
    // Lanes without a column would go on to the next tile, whose products want whole warps.
    b.barrier();
}
