//! Running sums by blocks. A block has a few columns (one, where the dim is the last) and walks along the dim in chunks: each thread adds
//! up a few neighbours, the threads of a column exchange what they have in rounds of doubled distance, and what a chunk adds up to goes
//! on to the next. Every element is read once and written once, in an order of sums that no launch changes.
//!
//! Not here: several blocks for one row. Rows that are few and long leave processors idle; a plan that splits them is
//! `cumulative-in-blocks`.

use super::turns::turns;
use crate::emit::builder::{Buf, Builder, Ix, Kind, Ty, Val};
use crate::emit::elem::convert;
use crate::emit::fused::{combine, identity};
use crate::geometry::ceil_div;
use crate::grid::Grid;
use crate::grid::scan::{EACH, columns};
use crate::order::Scan;

/// Buffers: x, out.
pub fn emit(b: &mut Builder, s: &Scan, grid: &Grid) {
    let block = Block::new(b, s, grid);
    let (hi, columns) = (b.hi(), columns(s));
    let (first, step) = turns(b, 1);
    b.loop_by(first, hi, step, |b, unit| {
        let (outer, group) = b.div_rem(unit, ceil_div(s.inner, columns));
        let (base, from) = (b.scale(outer, (s.n * s.inner) as i64), b.scale(group, columns as i64));
        let column = b.add(from, block.lane);
        let inside = (!s.inner.is_multiple_of(columns)).then(|| b.test("slt", column, s.inner.into()));
        // Threads beyond the last column read it too, and store nothing.
        let column = if inside.is_some() { b.min(column, Ix::from(s.inner - 1)) } else { column };
        let base = b.add(base, column);
        let start = identity(b, s.kind, block.ty);
        let chunk = block.segments * EACH;
        b.for_(Ix::ZERO, ceil_div(s.n, chunk).into(), 1, &[start], |b, k, carry| {
            let (from, own) = (b.scale(k, chunk as i64), b.scale(block.segment, EACH as i64));
            let row = b.add(from, own);
            let sums = block.own(b, base, row);
            let (before, all) = block.exchange(b, sums[sums.len() - 1]);
            let before = combine(b, s.kind, carry[0], before);
            block.store(b, base, row, before, &sums, inside);
            b.barrier();
            vec![combine(b, s.kind, carry[0], all)]
        });
    });
}

struct Block<'s> {
    s: &'s Scan,
    /// The type that is computed in.
    ty: Ty,
    /// Neighbours that are loaded at once: [`EACH`], or 1.
    lanes: u64,
    /// Threads of a column, and which of them this is, of which column.
    segments: u64,
    segment: Ix,
    lane: Ix,
    /// What threads have, by segment and column; read in one, written in the other.
    parts: [Buf; 2],
}

impl<'s> Block<'s> {
    fn new(b: &mut Builder, s: &'s Scan, grid: &Grid) -> Block<'s> {
        let (ty, columns, threads) = (Ty::scalar(Kind::value(s.dtype.computed())), columns(s), u64::from(grid.threads));
        let thread = b.thread();
        let (segment, lane) = b.div_rem(thread, columns);
        let parts = [(); 2].map(|()| b.block_memory(ty.kind, threads));
        Block { s, ty, lanes: grid.lanes, segments: threads / columns, segment, lane, parts }
    }

    /// Where a row of the walk is.
    fn place(&self, b: &mut Builder, base: Ix, row: Ix) -> Ix {
        let inner = self.s.inner as i64;
        let at = b.scale(row, if self.s.reverse { -inner } else { inner });
        let at = if self.s.reverse { at.plus((self.s.n as i64 - 1) * inner) } else { at };
        b.add(base, at)
    }

    /// Sums of the thread's own rows up to each. Rows beyond the end are as if they were not there.
    fn own(&self, b: &mut Builder, base: Ix, row: Ix) -> Vec<Val> {
        let x = Buf::arg(0, self.s.dtype);
        let values: Vec<Val> = if self.lanes == EACH {
            let last = b.min(row, Ix::from(self.s.n - EACH));
            let at = self.place(b, base, last);
            let all = b.load_aligned(x, self.first(at), EACH);
            let all = convert(b, all, self.ty.kind);
            (0..EACH).map(|i| b.extract(all, if self.s.reverse { EACH - 1 - i } else { i })).collect()
        } else {
            let each = (0..EACH).map(|i| {
                let at = b.min(row.plus(i as i64), Ix::from(self.s.n - 1));
                let at = self.place(b, base, at);
                let value = b.load(x, at, 0);
                convert(b, value, self.ty.kind)
            });
            each.collect()
        };
        let none = identity(b, self.s.kind, self.ty);
        let mut sums: Vec<Val> = Vec::new();
        for (i, value) in values.into_iter().enumerate() {
            let there = b.test("slt", row.plus(i as i64), self.s.n.into());
            let value = b.select(there, value, none);
            sums.push(sums.last().map_or(value, |&sum| combine(b, self.s.kind, sum, value)));
        }
        sums
    }

    /// The first in memory of [`EACH`] neighbours, of which the first of the walk is at `at`.
    fn first(&self, at: Ix) -> Ix {
        if self.s.reverse { at.plus(1 - EACH as i64) } else { at }
    }

    /// What the threads of the column before this one have, and what all of them have (Hillis and Steele, "Data parallel algorithms",
    /// 1986). All threads of the block must call.
    fn exchange(&self, b: &mut Builder, own: Val) -> (Val, Val) {
        let (thread, none) = (b.thread(), identity(b, self.s.kind, self.ty));
        let columns = columns(self.s);
        let [mut from, mut to] = self.parts;
        let before = |b: &mut Builder, from: Buf, distance: u64| {
            let at = b.max(thread.plus(-((distance * columns) as i64)), Ix::ZERO);
            let (there, value) = (b.test("sge", self.segment, distance.into()), b.load(from, at, 0));
            b.select(there, value, none)
        };
        let mut sum = own;
        b.store(sum, from, thread);
        b.barrier();
        let mut distance = 1;
        while distance < self.segments {
            let other = before(b, from, distance);
            sum = combine(b, self.s.kind, other, sum);
            b.store(sum, to, thread);
            b.barrier();
            std::mem::swap(&mut from, &mut to);
            distance *= 2;
        }
        let all = b.load(from, self.lane.plus(((self.segments - 1) * columns) as i64), 0);
        (before(b, from, 1), all)
    }

    fn store(&self, b: &mut Builder, base: Ix, row: Ix, before: Val, sums: &[Val], inside: Option<Val>) {
        let (out, stored) = (Buf::arg(1, self.s.dtype), Kind::memory(self.s.dtype));
        let results: Vec<Val> = (0..sums.len())
            .map(|i| match (self.s.exclusive, i) {
                (true, 0) => before,
                (true, _) => combine(b, self.s.kind, before, sums[i - 1]),
                (false, _) => combine(b, self.s.kind, before, sums[i]),
            })
            .collect();
        if self.lanes == EACH {
            let there = b.test("slt", row, self.s.n.into());
            return b.if_(there, |b| {
                let at = self.place(b, base, row);
                let mut results = results;
                if self.s.reverse {
                    results.reverse();
                }
                let all = b.elements(&results);
                let all = convert(b, all, stored);
                b.store_aligned(all, out, self.first(at));
            });
        }
        for (i, result) in results.into_iter().enumerate() {
            let row = row.plus(i as i64);
            let there = b.test("slt", row, self.s.n.into());
            let there = inside.map_or(there, |inside| b.binary("andi", there, inside));
            b.if_(there, |b| {
                let at = self.place(b, base, row);
                let result = convert(b, result, stored);
                b.store(result, out, at);
            });
        }
    }
}
