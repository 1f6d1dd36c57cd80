//! Lists of positions sorted by blocks: the order that scatters sum in, and the rows whose first few elements are asked for.
//!
//! Positions are sorted by the digits of their keys, the least first. In a pass each thread counts the digits of a piece of the list, the
//! counts of all threads are summed in the order of digits and then of threads, and each thread puts its piece where its sums say:
//! what has equal digits keeps its order, so no bit depends on which thread was first. No atomics.

use super::turns::turns;
use crate::emit::builder::{Buf, Builder, ElemKind, Ix, Val};
use crate::emit::scatter::{load_index, named_row, store_index};
use crate::expr::DType;
use crate::geometry::ceil_div;
use crate::grid::Grid;
use crate::grid::sort::{BITS, THREADS};
use crate::spec::SegmentSort;

/// How many digits there are.
const DIGITS: u64 = 1 << BITS;

/// A block's sort of `n` positions. They go from one list of the block's workspace to the other and back.
pub struct Radix {
    n: u64,
    pub space: Buf,
    /// Where the block's part of the workspace begins, in words.
    base: Ix,
    /// By digit, then by thread.
    counts: Buf,
    sums: Buf,
}

impl Radix {
    pub fn new(b: &mut Builder, n: u64, grid: &Grid) -> Radix {
        let (space, block, threads) = (b.scratch(ElemKind::I32), b.block(), u64::from(THREADS));
        let base = b.scale(block, (grid.workspace / 4) as i64);
        let (counts, sums) = (b.block_memory(ElemKind::I32, DIGITS * threads), b.block_memory(ElemKind::I32, threads));
        Radix { n, space, base, counts, sums }
    }

    /// The place in the workspace of what follows the two lists.
    fn behind(&self) -> Ix {
        self.base.plus(2 * self.n as i64)
    }

    /// Sorts by as many digits; `digit` gives that of a position whose lowest bit in the key is the given one. The result is a list
    /// from the given place in the workspace on.
    pub fn sort(&self, b: &mut Builder, digits: u64, digit: &dyn Fn(&mut Builder, Ix, Ix) -> Ix) -> Ix {
        let n = self.n as i64;
        self.each(b, |b, i| {
            let at = b.add(self.base, i);
            store_index(b, i, self.space, at.plus(n));
        });
        b.loop_(Ix::ZERO, Ix::from(digits), 1, |b, pass| {
            let (_, odd) = b.div_rem(pass, 2);
            let (to, back) = (b.scale(odd, n), b.scale(odd, -n));
            let (from, to) = (b.add(self.base, back.plus(n)), b.add(self.base, to));
            let bit = b.scale(pass, BITS as i64);
            self.pass(b, [from, to], &|b, x| digit(b, x, bit));
        });
        self.base.plus((digits + 1) as i64 % 2 * n)
    }

    /// Calls `f` with each place of the thread's piece.
    fn each(&self, b: &mut Builder, f: impl FnOnce(&mut Builder, Ix)) {
        let (thread, piece) = (b.thread(), ceil_div(self.n, THREADS.into()));
        let first = b.scale(thread, piece as i64);
        let end = b.min(first.plus(piece as i64), Ix::from(self.n));
        b.loop_(first, end, 1, f);
    }

    fn pass(&self, b: &mut Builder, [from, to]: [Ix; 2], digit: &dyn Fn(&mut Builder, Ix) -> Ix) {
        let (threads, thread) = (u64::from(THREADS), b.thread());
        let fetch = |b: &mut Builder, i: Ix| {
            let at = b.add(from, i);
            let x = load_index(b, self.space, at);
            let d = digit(b, x);
            let at = b.scale(d, threads as i64);
            (x, b.add(at, thread))
        };
        for d in 0..DIGITS {
            store_index(b, Ix::ZERO, self.counts, thread.plus((d * threads) as i64));
        }
        self.each(b, |b, i| {
            let (_, at) = fetch(b, i);
            let n = load_index(b, self.counts, at);
            store_index(b, n.plus(1), self.counts, at);
        });
        b.barrier();
        self.sum_before(b);
        self.each(b, |b, i| {
            let (x, at) = fetch(b, i);
            let place = load_index(b, self.counts, at);
            store_index(b, place.plus(1), self.counts, at);
            let at = b.add(to, place);
            store_index(b, x, self.space, at);
        });
        b.barrier();
    }

    /// Each count becomes the sum of those before it.
    fn sum_before(&self, b: &mut Builder) {
        let (threads, thread) = (u64::from(THREADS), b.thread());
        let first = b.scale(thread, DIGITS as i64);
        let own: Vec<Ix> = (0..DIGITS).map(|i| load_index(b, self.counts, first.plus(i as i64))).collect();
        let total = own.iter().fold(Ix::ZERO, |sum, &n| b.add(sum, n));
        store_index(b, total, self.sums, thread);
        b.barrier();
        let mut step = 1;
        while step < threads {
            let mine = load_index(b, self.sums, thread);
            let there = b.test("sge", thread, Ix::from(step));
            let other = b.max(thread.plus(-(step as i64)), Ix::ZERO);
            let other = load_index(b, self.sums, other);
            let (other, zero) = (b.ix(other), b.ix(Ix::ZERO));
            let other = b.select(there, other, zero);
            b.barrier();
            let sum = b.add(mine, other.into());
            store_index(b, sum, self.sums, thread);
            b.barrier();
            step *= 2;
        }
        let through = load_index(b, self.sums, thread);
        let back = b.scale(total, -1);
        let mut before = b.add(through, back);
        for (i, n) in own.into_iter().enumerate() {
            store_index(b, before, self.counts, first.plus(i as i64));
            before = b.add(before, n);
        }
        b.barrier();
    }
}

/// Bits `bit` to `bit + BITS` of a key.
pub fn digit_of(b: &mut Builder, key: Val, bit: Ix) -> Ix {
    let ty = b.ty(key);
    let bit = b.ix(bit);
    let (bit, mask) = (b.cast("index_cast", bit, ty.kind), b.int(ty, DIGITS as i64 - 1));
    let digit = b.binary("shrui", key, bit);
    let digit = b.binary("andi", digit, mask);
    b.cast("index_cast", digit, ElemKind::Index).into()
}

/// Buffers: indices, order, segments. Workspace: two lists of positions, and the rows of all in their order.
pub fn emit_segments(b: &mut Builder, s: &SegmentSort, grid: &Grid) {
    let [indices, order, segments] = [0, 1, 2].map(|i| Buf::arg(i, DType::I32));
    let radix = Radix::new(b, s.count, grid);
    let (count, rows) = (Ix::from(s.count), radix.behind());
    // Indices of no row of ours come last.
    let key = |b: &mut Builder, position: Ix| {
        let (row, inside) = named_row(b, s, indices, position);
        let (row, none) = (b.ix(row), b.ix(Ix::from(s.rows)));
        (b.select(inside, row, none), inside)
    };
    let digits = ceil_div(u64::from(u64::BITS - s.rows.leading_zeros()), BITS).max(1);
    let (hi, thread) = (b.hi(), b.thread());
    let (first, step) = turns(b, 1);
    b.loop_by(first, hi, step, |b, _| {
        let sorted = radix.sort(b, digits, &|b, position, bit| {
            let (row, _) = key(b, position);
            let row = b.cast("index_cast", row, ElemKind::I64);
            digit_of(b, row, bit)
        });
        b.loop_(thread, count, THREADS.into(), |b, i| {
            let at = b.add(sorted, i);
            let position = load_index(b, radix.space, at);
            let (row, inside) = key(b, position);
            let at = b.add(rows, i);
            store_index(b, row.into(), radix.space, at);
            b.if_(inside, |b| store_index(b, position, order, i));
        });
        b.barrier();
        // Where each row begins: how many are of rows before it.
        b.loop_(thread, Ix::from(s.rows + 1), THREADS.into(), |b, row| {
            let mut begin = Ix::ZERO;
            let mut step = if s.count == 0 { 0 } else { 1u64 << s.count.ilog2() };
            while step > 0 {
                let next = begin.plus(step as i64);
                let last = b.min(next.plus(-1), count.plus(-1));
                let last = b.add(rows, last);
                let of = load_index(b, radix.space, last);
                let (there, before) = (b.test("sle", next, count), b.test("slt", of, row));
                let goes = b.binary("andi", there, before);
                let (next, stays) = (b.ix(next), b.ix(begin));
                begin = b.select(goes, next, stays).into();
                step /= 2;
            }
            store_index(b, begin, segments, row);
        });
        b.barrier();
    });
}
