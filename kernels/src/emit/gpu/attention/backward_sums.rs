//! What a warpgroup does in the backward pass on Hopper ([`super::fetched_backward`]): the weights of tiles that go by, their gradients, and the sums
//! of what goes by with both.

use super::backward::store;
use super::backward_block::{BackwardBlock, Unit};
use super::context::{F32, Head, Masked, Member, Side, Team};
use super::rings::RingStage;
use super::tensor::{Places, rows_of};
use super::walk::{self, WalkTile};
use crate::emit::builder::{Builder, ElemKind, Ix, Val};
use crate::emit::gpu::tile::{First, STRIP, SharedLines};
use crate::geometry::{ceil_div, round_up};
use crate::gpu::{LINE, LINE_ELEMENTS, WARP};

/// The most registers for sums, words, scores and gradients of weights, where both of the latter are under way at once.
const TOGETHER: u64 = 200;

impl BackwardBlock<'_> {
    /// Registers of a thread that multiplies, and of one of the producer's warpgroup, which has fewer where sums take almost all.
    pub fn registers(&self) -> [u32; 2] {
        if self.together(Side::Keys) { [224, 56] } else { [232, 40] }
    }

    /// A unit, by a warpgroup.
    pub fn multiply(&self, b: &mut Builder, u: &Unit) {
        let (c, s, team, shape) = (&self.c, self.spec, &self.team, &self.spec.shape);
        let seat = team.seat(b);
        let thread = b.thread();
        let (_, lane) = b.div_rem(thread, WARP);
        let leads = b.test("eq", lane, Ix::ZERO);
        let own: Option<Vec<[Val; 2]>> = (u.side == Side::Queries).then(|| {
            let stage = self.own.stage(b, u.turn);
            self.own.await_full(b, stage);
            let from = self.own_statistics(b, stage);
            let rows = team.rows(b, &seat, from);
            let of = |b: &mut Builder, row: Ix| {
                [0, self.tiles.rows].map(|list| b.load(self.statistics, row.plus(list as i64), 0))
            };
            let own = rows.into_iter().map(|row| of(b, row)).collect();
            b.warp_barrier();
            self.own.free(b, stage, leads);
            own
        });
        let positions = team.rows(b, &seat, u.first);
        let numbers = c.segments(b, u.side, u.at[0], &positions);
        let kept = self.stays.stage(b, u.round);
        self.stays.await_full(b, kept);
        let start = vec![b.float(F32, 0.0); self.sums(u.side).iter().sum::<u64>() as usize];
        let done = b.for_(Ix::ZERO, u.heads.into(), 1, &start, |b, n, acc| {
            let (at, before) = self.head(b, u, n);
            let stream = Stream { u, kept, at, before, own: own.as_deref(), numbers: &numbers, leads };
            self.stream(b, &seat, &stream, acc)
        });
        self.stays.free(b, kept, leads);
        let number = b.afresh(u.number);
        let (at, first) = walk::begin(c, b, u.side, &self.tiles, number);
        let rows = team.rows(b, &seat, first);
        let member = Member { c, team, seat: &seat };
        let o = shape.inputs();
        let (of_first, of_second) = done.split_at(self.sums(u.side)[0] as usize);
        if u.side == Side::Queries {
            let dq = c.rows(b, o + 3, s.dq, at, [shape.q_len, shape.head]);
            let dq = c.part_of(b, dq, u.part, self.tiles.parts);
            return store(b, &member, &rows, &dq, of_first, shape.scale());
        }
        let dk = c.rows(b, o + 4, s.dk, at, [shape.kv_len, shape.head]);
        let dk = c.part_of(b, dk, u.part, self.tiles.parts);
        store(b, &member, &rows, &dk, of_first, shape.scale());
        let dv = c.rows(b, o + 5, s.dv, at, [shape.kv_len, shape.value]);
        let dv = c.part_of(b, dv, u.part, self.tiles.parts);
        store(b, &member, &rows, &dv, of_second, 1.0);
    }

    /// A thread's sums: of what goes by first, and, where that are queries, of what goes by beside.
    fn sums(&self, side: Side) -> [u64; 2] {
        let s = &self.spec.shape;
        let of = |width: u64| round_up(width, 16) / (2 * self.tiles.parts);
        [of(s.head), if side == Side::Keys { of(s.value) } else { 0 }]
    }

    /// Everything that goes by of a head, added to the sums.
    fn stream(&self, b: &mut Builder, seat: &Places, s: &Stream<'_>, acc: &[Val]) -> Vec<Val> {
        let u = s.u;
        let ring = self.ring(u.side);
        let stage = ring.stage(b, s.before);
        ring.await_full(b, stage);
        let scores = self.products(b, s, 0, stage);
        let early = self.together(u.side).then(|| self.products(b, s, 1, stage));
        let scores = b.wait_matmuls(early.is_some().into(), &scores);
        let weights = self.weights(b, seat, s, WalkTile { t: Ix::ZERO, masked: u.walk.masks[0] }, stage, &scores);
        let gradients = early.unwrap_or_else(|| self.products(b, s, 1, stage));
        let gradients = b.wait_matmuls(0, &gradients);
        let words = self.words(b, seat, s, stage, weights, &gradients);
        let mut carried = [acc, &words].concat();
        for (from, to, masked) in u.walk.parts() {
            carried =
                b.for_(from, to, 1, &carried, |b, t, carried| self.round(b, seat, s, WalkTile { t, masked }, carried));
        }
        let (acc, words) = carried.split_at(acc.len());
        let count = b.add(s.before, u.walk.tiles).plus(-1);
        let stage = ring.stage(b, count);
        let begun = self.add(b, u, stage, words, acc);
        let acc = self.added(b, None, begun);
        self.free(b, s, stage);
        acc
    }

    /// The weights of a tile and their gradients, and under the former the sums of the one before.
    fn round(&self, b: &mut Builder, seat: &Places, s: &Stream<'_>, tile: WalkTile, carried: &[Val]) -> Vec<Val> {
        let side = s.u.side;
        let (acc, words) = carried.split_at(self.sums(side).iter().sum::<u64>() as usize);
        let count = b.add(s.before, tile.t);
        let count = b.uniform(count);
        let ring = self.ring(side);
        let (stage, earlier) = (ring.stage(b, count), ring.stage(b, count.plus(-1)));
        ring.await_full(b, stage);
        let scores = self.products(b, s, 0, stage);
        let early = self.together(side).then(|| self.products(b, s, 1, stage));
        let begun = self.add(b, s.u, earlier, words, acc);
        let adds = if side == Side::Keys { 2 } else { 1 };
        let scores = b.wait_matmuls(adds + u64::from(early.is_some()), &scores);
        let weights = self.weights(b, seat, s, tile, stage, &scores);
        // No sign, nor that of a sum of such numbers.
        let bits: Vec<Val> = weights.iter().flatten().map(|&x| b.bitcast(x, ElemKind::I32)).collect();
        let any = bits.iter().skip(1).fold(bits[0], |any, &x| b.binary("ori", any, x));
        let done = b.bitcast(any, ElemKind::F32);
        let early = early.map(|gradients| b.wait_matmuls_after(adds, done, &gradients));
        let acc = self.added(b, Some(done), begun);
        self.free(b, s, earlier);
        let gradients = early.unwrap_or_else(|| {
            let gradients = self.products(b, s, 1, stage);
            b.wait_matmuls(0, &gradients)
        });
        let words = self.words(b, seat, s, stage, weights, &gradients);
        [acc, words].concat()
    }

    /// The stage has been read; by all lanes, where they read statistics.
    fn free(&self, b: &mut Builder, s: &Stream<'_>, stage: RingStage) {
        if s.u.side == Side::Keys {
            b.warp_barrier();
        }
        self.ring(s.u.side).free(b, stage, s.leads);
    }

    /// Whether a thread has registers for scores and gradients of weights at once.
    fn together(&self, side: Side) -> bool {
        let cols = self.cols(side);
        let words = if side == Side::Keys { cols / 2 } else { cols / 4 };
        self.sums(side).iter().sum::<u64>() + words + cols <= TOGETHER
    }

    /// Begins the matmul of the warpgroup's rows that stay with a tile that goes by: scores (0), or gradients of weights (1).
    fn products(&self, b: &mut Builder, s: &Stream<'_>, which: usize, stage: RingStage) -> Vec<Val> {
        let side = s.u.side;
        let (factor, cols, shape) = (self.team.factor, self.cols(side), &self.spec.shape);
        let own = b.scale(self.group, STRIP as i64);
        let stays = self.stays_at(b, which, s.kept);
        let first = SharedLines { at: b.add(stays, own), apart: self.tiles.rows * LINE, across: false };
        let second = SharedLines { at: self.goes_by_at(b, side, which, stage), apart: cols * LINE, across: false };
        let width = [shape.head, shape.value][which];
        b.multiply_lines([factor; 2], First::Lines(first, 1), second, [cols, ceil_div(width, 16)], None)
    }

    /// Begins to add a tile that goes by to the sums, by the words of [`BackwardBlock::words`].
    fn add(&self, b: &mut Builder, u: &Unit, stage: RingStage, words: &[Val], acc: &[Val]) -> [Vec<Val>; 2] {
        let side = u.side;
        let (factor, cols) = (self.team.factor, self.cols(side));
        let (of_first, of_second) = acc.split_at(self.sums(side)[0] as usize);
        let (of_weights, of_gradients) = words.split_at(words.len() - cols as usize / 4);
        let mut begin = |which: usize, words: &[Val], acc: &[Val]| {
            let width = 2 * acc.len() as u64;
            // Lines of the block's part of the columns.
            let own = b.scale(u.part, (width / LINE_ELEMENTS * cols * LINE) as i64);
            let at = self.goes_by_at(b, side, which, stage);
            let second = SharedLines { at: b.add(at, own), apart: cols * LINE, across: true };
            let size = [width, cols / 16];
            b.multiply_lines([factor; 2], First::Words(words), second, size, Some(acc))
        };
        // The weights' come first: their sums are waited for first.
        let second = if of_second.is_empty() { Vec::new() } else { begin(1, of_weights, of_second) };
        [begin(0, of_gradients, of_first), second]
    }

    /// Waits for what was added, but not before `done` is known.
    fn added(&self, b: &mut Builder, done: Option<Val>, [first, second]: [Vec<Val>; 2]) -> Vec<Val> {
        let mut wait = |pending: u64, sums: &[Val]| match done {
            Some(done) => b.wait_matmuls_after(pending, done, sums),
            None => b.wait_matmuls(pending, sums),
        };
        let second = if second.is_empty() { second } else { wait(1, &second) };
        [wait(0, &first), second].concat()
    }

    /// What a row's or a column's queries have: minus the log-sum-exp (0), or the sum of o * do (1), for each of the thread's rows and columns.
    fn statistic(
        &self,
        b: &mut Builder,
        seat: &Places,
        s: &Stream<'_>,
        stage: RingStage,
        which: usize,
    ) -> [Vec<Val>; 2] {
        let cols = self.cols(s.u.side);
        if let Some(own) = s.own {
            return [0, 1].map(|r| vec![own[r][which]; cols as usize / 4]);
        }
        let from = self.statistics_of(b, stage).plus((which as u64 * cols) as i64);
        let from = b.add(from, seat.pair);
        let of_columns: Vec<Val> = (0..cols / 8)
            .flat_map(|j| {
                let two = b.load_aligned(self.statistics, from.plus(8 * j as i64), 2);
                [b.extract(two, 0), b.extract(two, 1)]
            })
            .collect();
        [of_columns.clone(), of_columns]
    }

    /// The weights of a thread's two rows.
    fn weights(
        &self,
        b: &mut Builder,
        seat: &Places,
        s: &Stream<'_>,
        tile: WalkTile,
        stage: RingStage,
        scores: &[Val],
    ) -> [Vec<Val>; 2] {
        let (c, team, u) = (&self.c, &self.team, s.u);
        if u.side == Side::Keys {
            self.measured.wait(b, stage.number, stage.parity);
        }
        let lse = self.statistic(b, seat, s, stage, 0);
        let factor = b.float(F32, self.spec.shape.scale() * c.of_exponents());
        let mut rows = rows_of(scores);
        for (row, lse) in rows.iter_mut().zip(&lse) {
            row.iter_mut().zip(lse).for_each(|(x, &lse)| *x = b.multiply_add(*x, factor, lse));
        }
        if tile.masked {
            let cols = self.cols(u.side);
            let (from, columns) = (u.walk.column(b, tile.t), team.columns(cols));
            let positions = team.rows(b, seat, u.first);
            let (first, whole) = team.alike(b, seat, u.first);
            let column = b.add(from, team.column(seat));
            let count = b.add(s.before, tile.t);
            let of_columns = self.numbers(u.side).map(|numbers| numbers.read(b, seat, count, s.leads));
            let mask = Masked {
                side: u.side,
                batch: s.at[0],
                rows: &positions,
                first,
                whole,
                from,
                tile: cols,
                column,
                columns: &columns,
                numbers: of_columns.as_deref().map(|columns| [s.numbers, columns]),
            };
            rows = c.masked_always(b, &mask, rows);
        }
        rows.iter_mut().flatten().for_each(|x| *x = c.exponential(b, *x));
        let [first, second] = [0, 1].map(|r| std::mem::take(&mut rows[r]));
        [first, second]
    }

    /// The words of the weights, where sums are of those, and then those of their gradients.
    fn words(
        &self,
        b: &mut Builder,
        seat: &Places,
        s: &Stream<'_>,
        stage: RingStage,
        weights: [Vec<Val>; 2],
        gradients: &[Val],
    ) -> Vec<Val> {
        let (team, side) = (&self.team, s.u.side);
        let weights = weights.map(|row| b.not_before(&row));
        let sums = self.statistic(b, seat, s, stage, 1);
        let mut rows = rows_of(gradients);
        for ((row, sums), weights) in rows.iter_mut().zip(&sums).zip(&weights) {
            for ((x, &sum), &weight) in row.iter_mut().zip(sums).zip(weights) {
                let above = b.binary("subf", *x, sum);
                *x = b.binary("mulf", weight, above);
            }
        }
        let steps = self.cols(side) as usize / 16;
        let mut words = Vec::new();
        if side == Side::Keys {
            words.extend((0..steps).flat_map(|t| team.words(b, &weights, t)));
        }
        words.extend((0..steps).flat_map(|t| team.words(b, &rows, t)));
        words
    }
}

/// What goes by of one head.
struct Stream<'a> {
    u: &'a Unit,
    /// Where what stays lies.
    kept: RingStage,
    at: Head,
    /// Tiles that went by before.
    before: Ix,
    /// The statistics of the thread's rows, where those are queries.
    own: Option<&'a [[Val; 2]]>,
    /// The segments of the thread's rows.
    numbers: &'a [Val],
    leads: Val,
}
