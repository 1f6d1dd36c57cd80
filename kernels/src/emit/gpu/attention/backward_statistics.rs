//! The statistics of queries in the backward pass on Hopper, by three warps of the producer's warpgroup, so that no warpgroup that multiplies waits
//! for memory. Of queries that go by, two warps multiply rows of `o` and `do` on tensor cores and keep the diagonal, while the consumers are
//! a tile behind, and the third one loads log-sum-exps as soon as a stage is free. Of queries that stay, all three read the rows from
//! memory, a unit ahead.

use super::backward::{minus_lse, over_neighbours, part_of_sum};
use super::backward_block::{BackwardBlock, Unit, own_warps};
use super::context::{F32, Head};
use super::segments::SegmentNumbers;
use crate::emit::builder::{Builder, Ix, Val};
use crate::emit::gpu::tile::{CHUNK, chunk_at};
use crate::geometry::ceil_div;
use crate::gpu::{LINE, LINE_ELEMENTS, WARP};

/// Rows of a tile that the two warps have at a time.
const ROWS: u64 = 32;

impl BackwardBlock<'_> {
    /// The sums of o * do of the queries that go by a unit of keys, by two warps of which the first begins at thread `from`.
    pub fn measure(&self, b: &mut Builder, from: u64, u: &Unit) {
        let (thread, ring) = (b.thread(), self.ring(u.side));
        let (warp, lane) = b.div_rem(thread.plus(-(from as i64)), WARP);
        let leads = b.test("eq", lane, Ix::ZERO);
        self.heads(b, u, |b, _, (_, before)| {
            b.loop_(Ix::ZERO, u.walk.tiles, 1, |b, t| {
                let count = b.add(before, t);
                let stage = ring.stage(b, count);
                ring.await_full(b, stage);
                let of = [2, 1].map(|which| self.goes_by_at(b, u.side, which, stage));
                let to = self.statistics_of(b, stage);
                self.diagonal(b, of, to, [warp, lane]);
                b.warp_barrier();
                self.measured.arrive(b, stage.number, leads);
            });
        });
    }

    /// Minus the log-sum-exps of the same queries, by the warp that begins at thread `from`; 0 where there is no query.
    pub fn load(&self, b: &mut Builder, from: u64, u: &Unit) {
        let (thread, ring) = (b.thread(), self.ring(u.side));
        let lane = thread.plus(-(from as i64));
        let leads = b.test("eq", lane, Ix::ZERO);
        self.heads(b, u, |b, _, (at, before)| {
            let first = u.walk.column(b, Ix::ZERO);
            let first = self.minus_lses(b, at, [first, lane]);
            b.for_(Ix::ZERO, u.walk.tiles, 1, &first, |b, t, loaded| {
                // The next tile's come while this one's wait. Beyond the last tile, any do.
                let next = u.walk.column(b, t.plus(1));
                let next = b.max(next, Ix::ZERO);
                let next = self.minus_lses(b, at, [next, lane]);
                let count = b.add(before, t);
                if let Some(numbers) = self.numbers(u.side) {
                    let first = u.walk.column(b, t);
                    numbers.load(b, &self.c, [at[0], first], count);
                }
                let stage = ring.stage(b, count);
                ring.await_empty(b, stage);
                let to = self.statistics_of(b, stage);
                let to = b.add(to, lane);
                for (n, &lse) in loaded.iter().enumerate() {
                    b.store(lse, self.statistics, to.plus(n as i64 * WARP as i64));
                }
                b.warp_barrier();
                self.measured.arrive(b, stage.number, leads);
                next
            });
        });
    }

    /// Minus the log-sum-exps of a lane's queries of a tile; 0 where there is no query.
    fn minus_lses(&self, b: &mut Builder, at: Head, [first, lane]: [Ix; 2]) -> Vec<Val> {
        let (len, zero) = (Ix::from(self.spec.shape.q_len), b.float(F32, 0.0));
        let i = b.add(first, lane);
        let rows = (0..self.tiles.queries).step_by(WARP as usize);
        let load = |row: u64| {
            let i = i.plus(row as i64);
            let there = b.min(i, len.plus(-1));
            let lse = minus_lse(b, self.spec, &self.c, at, there);
            let exists = b.test("slt", i, len);
            b.select(exists, lse, zero)
        };
        rows.map(load).collect()
    }

    /// The segments of keys that go by a unit of queries, if there are any, by one warp.
    pub fn load_numbers(&self, b: &mut Builder, numbers: &SegmentNumbers, u: &Unit) {
        b.loop_(Ix::ZERO, u.walk.tiles, 1, |b, t| {
            let (j, count) = (u.walk.column(b, t), b.add(u.before, t));
            numbers.load(b, &self.c, [u.at[0], j], count);
        });
    }

    /// Both statistics of the queries of a unit of those, by [`own_warps`], of which the first begins at thread `from`.
    pub fn measure_own(&self, b: &mut Builder, from: u64, u: &Unit) {
        let (s, c, shape) = (self.spec, &self.c, &self.spec.shape);
        let thread = b.thread();
        let thread = thread.plus(-(from as i64));
        let (_, lane) = b.div_rem(thread, WARP);
        let leads = b.test("eq", lane, Ix::ZERO);
        // Neighbouring threads share a row: few registers each.
        let share = if shape.value > LINE_ELEMENTS { 8 } else { 4 };
        let at_once = own_warps(s) * WARP / share;
        let (own, part) = b.div_rem(thread, share);
        let one = b.test("eq", part, Ix::ZERO);
        let stage = self.own.stage(b, u.turn);
        self.own.await_empty(b, stage);
        let to = self.own_statistics(b, stage);
        b.loop_(Ix::ZERO, self.tiles.rows.into(), at_once, |b, rows| {
            let row = b.add(rows, own);
            let i = b.add(u.first, row);
            // Of the last query, where there is none: all lanes exchange.
            let i = b.min(i, Ix::from(shape.q_len).plus(-1));
            let lse = minus_lse(b, s, c, u.at, i);
            let sum = part_of_sum(b, s, c, u.at, i, part, share);
            let sum = over_neighbours(b, sum, share);
            let inside = b.test("slt", row, self.tiles.rows.into());
            let keeps = b.binary("andi", one, inside);
            b.if_(keeps, |b| {
                let to = b.add(to, row);
                b.store(lse, self.statistics, to);
                b.store(sum, self.statistics, to.plus(self.tiles.rows as i64));
            });
        });
        b.warp_barrier();
        self.own.fill(b, stage, leads);
    }

    /// The sums of o * do of every second 16 rows, by the diagonal of a matmul; those of the tile's first row go to `to`, behind its lists'
    /// first one.
    fn diagonal(&self, b: &mut Builder, [out, gradients]: [Ix; 2], to: Ix, [warp, lane]: [Ix; 2]) {
        let (factor, queries) = (self.team.factor, self.tiles.queries);
        let (half, within) = b.div_rem(lane, 16);
        let (octet, inner) = b.div_rem(lane, 8);
        let (_, odd) = b.div_rem(octet, 2);
        let below = b.scale(half, 8);
        let of_right = b.add(below, inner);
        let row = b.scale(warp, 16);
        // Where the lane's first chunk lies; another one is permuted as this one is, and so are those of other rows.
        let places = [(out, b.add(row, within), half), (gradients, b.add(row, of_right), odd)];
        let places = places.map(|(from, line, chunk)| {
            let place = chunk_at(b, line, chunk);
            b.add(from, place)
        });
        // Lane `4 r + r / 2` has element `r` of row `r`, and of the eighth row after it.
        let (group, four) = b.div_rem(lane, 4);
        let (pair, second) = b.div_rem(group, 2);
        let has = b.test("eq", four, pair);
        let second = b.test("eq", second, 1i64.into());
        let (row, zero) = (b.add(row, group), b.float(F32, 0.0));
        let to = b.add(to, row).plus(queries as i64);
        for rows in (0..queries).step_by(ROWS as usize) {
            let mut sums = [[zero; 4]; 2];
            for step in 0..ceil_div(self.spec.shape.value, 16) {
                let (part, chunk) = (2 * step / 8, 2 * step % 8);
                let [x, y] = places.map(|place| {
                    let place = b.xor(place, (chunk * CHUNK).into());
                    let place = place.plus(((part * queries + rows) * LINE) as i64);
                    b.load_matrices(place, false).map(|word| b.factors(factor, word))
                });
                for (n, sums) in sums.iter_mut().enumerate() {
                    *sums = b.multiply([factor; 2], x, [y[2 * n], y[2 * n + 1]], *sums);
                }
            }
            let own = [b.select(second, sums[0][1], sums[0][0]), b.select(second, sums[1][3], sums[1][2])];
            b.if_(has, |b| {
                for (sum, more) in own.into_iter().zip([0, 8]) {
                    b.store(sum, self.statistics, to.plus((rows + more) as i64));
                }
            });
        }
    }
}
