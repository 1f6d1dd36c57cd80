//! Running sums by blocks. A block has a few columns (one, where the dim is the last) and walks along the dim in chunks: each thread adds
//! up a few neighbours, the threads of a column exchange what they have in rounds of doubled distance, and what a chunk adds up to goes
//! on to the next. Every element is read once and written once, in an order of sums that no launch changes.
//!
//! Not here: several blocks for one row. Rows that are few and long leave processors idle; a plan that splits them is
//! `cumulative-in-blocks`.

use super::turns::turns;
use crate::emit::builder::{Buf, Builder, ElemKind, Ix, Ty, Val};
use crate::emit::elem::convert;
use crate::geometry::ceil_div;
use crate::grid::Grid;
use crate::grid::scan::{EACH, columns};
use crate::running::{Along, Running};

/// Buffers: x, out.
pub fn emit(b: &mut Builder, running: &dyn Running, grid: &Grid) {
    let block = Block::new(b, running, grid);
    let s = block.s;
    let (hi, columns) = (b.hi(), columns(&s));
    let (first, step) = turns(b, 1);
    b.loop_by(first, hi, step, |b, unit| {
        let (outer, group) = b.div_rem(unit, ceil_div(s.inner, columns));
        let (base, from) = (b.scale(outer, (s.n * s.inner) as i64), b.scale(group, columns as i64));
        let column = b.add(from, block.lane);
        let inside = (!s.inner.is_multiple_of(columns)).then(|| b.test("slt", column, s.inner.into()));
        // Threads beyond the last column read it too, and store nothing.
        let column = if inside.is_some() { b.min(column, Ix::from(s.inner - 1)) } else { column };
        let base = b.add(base, column);
        let start = running.identity(b, block.ty);
        let chunk = block.segments * EACH;
        b.for_(Ix::ZERO, ceil_div(s.n, chunk).into(), 1, &start, |b, k, carry| {
            let (from, own) = (b.scale(k, chunk as i64), b.scale(block.segment, EACH as i64));
            let row = b.add(from, own);
            let sums = block.own(b, base, row);
            let (before, all) = block.exchange(b, &sums[sums.len() - 1]);
            let before = running.combine(b, carry, &before);
            block.store(b, base, row, &before, &sums, inside);
            b.barrier();
            running.combine(b, carry, &all)
        });
    });
}

/// What is carried: the values of a state.
type State = Vec<Val>;

struct Block<'s> {
    running: &'s dyn Running,
    s: Along,
    /// The type that is computed in.
    ty: Ty,
    /// Neighbours that are loaded at once: [`EACH`], or 1.
    lanes: u64,
    /// Threads of a column, and which of them this is, of which column.
    segments: u64,
    segment: Ix,
    lane: Ix,
    /// What threads have, by segment and column, a buffer for each value of a state; read in one, written in the other.
    parts: [Vec<Buf>; 2],
}

impl<'s> Block<'s> {
    fn new(b: &mut Builder, running: &'s dyn Running, grid: &Grid) -> Block<'s> {
        let s = running.along();
        let (ty, columns, threads) =
            (Ty::scalar(ElemKind::value(s.dtype.computed())), columns(&s), u64::from(grid.threads));
        let thread = b.thread();
        let (segment, lane) = b.div_rem(thread, columns);
        let values = running.identity(b, ty).len();
        let parts = [(); 2].map(|()| (0..values).map(|_| b.block_memory(ty.kind, threads)).collect());
        Block { running, s, ty, lanes: grid.lanes, segments: threads / columns, segment, lane, parts }
    }

    /// Where a row of the walk is.
    fn place(&self, b: &mut Builder, base: Ix, row: Ix) -> Ix {
        let inner = self.s.inner as i64;
        let at = b.scale(row, if self.s.reverse { -inner } else { inner });
        let at = if self.s.reverse { at.plus((self.s.n as i64 - 1) * inner) } else { at };
        b.add(base, at)
    }

    /// Sums of the thread's own rows up to each. Rows beyond the end are as if they were not there.
    fn own(&self, b: &mut Builder, base: Ix, row: Ix) -> Vec<State> {
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
        let none = self.running.identity(b, self.ty);
        let mut sums: Vec<State> = Vec::new();
        for (i, value) in values.into_iter().enumerate() {
            let own = self.running.of(b, value);
            let there = b.test("slt", row.plus(i as i64), self.s.n.into());
            let own: State = own.into_iter().zip(&none).map(|(x, &none)| b.select(there, x, none)).collect();
            sums.push(match sums.last() {
                Some(sum) => self.running.combine(b, sum, &own),
                None => own,
            });
        }
        sums
    }

    /// The first in memory of [`EACH`] neighbours, of which the first of the walk is at `at`.
    fn first(&self, at: Ix) -> Ix {
        if self.s.reverse { at.plus(1 - EACH as i64) } else { at }
    }

    /// What the threads of the column before this one have, and what all of them have (Hillis and Steele, "Data parallel algorithms",
    /// 1986). All threads of the block must call.
    fn exchange(&self, b: &mut Builder, own: &[Val]) -> (State, State) {
        let (thread, none) = (b.thread(), self.running.identity(b, self.ty));
        let columns = columns(&self.s);
        let [mut from, mut to] = [&self.parts[0], &self.parts[1]];
        let before = |b: &mut Builder, from: &[Buf], distance: u64| -> State {
            let at = b.max(thread.plus(-((distance * columns) as i64)), Ix::ZERO);
            let there = b.test("sge", self.segment, distance.into());
            let values = from.iter().zip(&none).map(|(&from, &none)| {
                let value = b.load(from, at, 0);
                b.select(there, value, none)
            });
            values.collect()
        };
        let write =
            |b: &mut Builder, sum: &[Val], to: &[Buf]| sum.iter().zip(to).for_each(|(&x, &to)| b.store(x, to, thread));
        let mut sum = own.to_vec();
        write(b, &sum, from);
        b.barrier();
        let mut distance = 1;
        while distance < self.segments {
            let other = before(b, from, distance);
            sum = self.running.combine(b, &other, &sum);
            write(b, &sum, to);
            b.barrier();
            std::mem::swap(&mut from, &mut to);
            distance *= 2;
        }
        let last = self.lane.plus(((self.segments - 1) * columns) as i64);
        let all = from.iter().map(|&from| b.load(from, last, 0)).collect();
        (before(b, from, 1), all)
    }

    fn store(&self, b: &mut Builder, base: Ix, row: Ix, before: &[Val], sums: &[State], inside: Option<Val>) {
        let (out, stored) = (Buf::arg(1, self.s.dtype), ElemKind::memory(self.s.dtype));
        let results: Vec<Val> = (0..sums.len())
            .map(|i| {
                let state = match (self.s.exclusive, i) {
                    (true, 0) => before.to_vec(),
                    (true, _) => self.running.combine(b, before, &sums[i - 1]),
                    (false, _) => self.running.combine(b, before, &sums[i]),
                };
                self.running.result(b, &state)
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
