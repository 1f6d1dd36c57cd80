//! The backward pass on Hopper: tiles are fetched by the tensor memory accelerator and multiplied by warpgroups, as in the forward pass
//! ([`super::fetched`]). There are the two kinds of blocks of [`super::backward`], with the same seven products; so no sum has two
//! owners, and any grid gives the same bits.
//!
//! A warpgroup has 64 rows of a tile that stays (keys and values, or queries and the gradients of their outputs). A round begins the
//! scores of the next tile that goes by, and adds the products of the last one to the sums; the exponentials are taken under those
//! additions. Then come the gradients of weights, under which the other warpgroup works. Weights and their gradients stay in the
//! registers in which they were summed, as first factors.
//!
//! The statistics of queries, where those go by: two warps of the producer's warpgroup multiply rows of `o` and `do` on tensor cores and keep
//! the diagonal, while the consumers are a tile behind. So `o` is fetched besides.
//!
//! Registers, for heads of 128 and keys that stay: 128 sums, 32 scores, 32 words of weights and their gradients; then 32
//! weights and 32 gradients beside the sums. Where queries stay there are half as many sums and twice as many columns.
//!
//! Not here: five products in place of seven, which needs partial sums of `dq` in memory; heads of more than 128.

use super::super::block::MmaType;
use super::super::bulk::BARRIER;
use super::super::tile::{CHUNK, First, STRIP, SharedLines, chunk_at};
use super::backward::{minus_lse, over_neighbours, part_of_sum, store};
use super::context::{Context, F32, Head, Masked, Side, Team};
use super::tensor::{Places, Warps, rows_of};
use super::walk::{self, Walk};
use crate::attention::AttentionBackward;
use crate::emit::builder::{Buf, Builder, ElemKind, Ix, Ty, Val};
use crate::geometry::{ceil_div, round_up};
use crate::gpu::{Grid, LINE, WARP};
use crate::spec::SpecError;
use crate::target::AttentionTiles;
use crate::tensor_map::attention::RowBoxes;

/// Registers of a thread that multiplies, and of one of the producer's warpgroup: those that measure need about fifty, and have fewer where
/// sums take almost all.
const fn registers(together: bool) -> [u32; 2] {
    if together { [224, 56] } else { [232, 40] }
}

/// The most registers for sums, words, scores and gradients of weights, where both of the latter are under way at once.
const TOGETHER: u64 = 200;

/// The numbers of maps.
const Q: usize = 0;
const K: usize = 1;
const V: usize = 2;
const O: usize = 3;
const D_O: usize = 4;

/// # Errors
/// Operands without tensor maps.
pub fn emit(b: &mut Builder, spec: &AttentionBackward, grid: &Grid) -> Result<(), SpecError> {
    let (shape, tiles) = (&spec.shape, grid.tiles);
    b.take_maps(5);
    let Some(boxes) = spec.boxes(&tiles) else {
        return Err(SpecError("attention's gradient: its operands have no tensor maps".into()));
    };
    let c = Context::new(shape, grid);
    let team = Warps { factor: MmaType::of(shape.dtype), rows: 1 };
    let [stays, stage] = tiles.fetched_backward_bytes(shape);
    let statistics_at = stays + tiles.stages * stage;
    let statistics = b.dynamic_memory(ElemKind::F32, tiles.stages * 2 * tiles.queries, statistics_at);
    let barriers = statistics_at + tiles.stages * 2 * tiles.queries * 4;
    let thread = b.thread();
    let (group, _) = b.div_rem(thread, 4 * WARP);
    let group = b.uniform(group);
    let block = Block { spec, c, tiles, team, boxes, stays, stage, statistics, barriers, group };
    b.alone(tiles.block_threads());
    let one = b.test("eq", thread, Ix::ZERO);
    b.if_(one, |b| {
        block.make_barriers(b);
        b.fence_barriers();
    });
    b.barrier();
    let producer = Ix::from(u64::from(tiles.threads));
    let multiplies = b.test("slt", group, Ix::from(u64::from(tiles.threads) / (4 * WARP)));
    let [multiplying, producing] = registers(block.together(Side::Keys));
    b.if_else(
        multiplies,
        &[],
        |b| {
            b.set_registers(multiplying, true);
            block.units(b, true, &|b, u| block.multiply(b, u));
            Vec::new()
        },
        |b| {
            b.set_registers(producing, false);
            let one = b.test("eq", thread, producer);
            b.if_(one, |b| {
                (0..5).for_each(|map| b.prefetch_map(map));
                block.units(b, false, &|b, u| block.fetch(b, u));
            });
            let measures = b.test("sge", thread, producer.plus(2 * WARP as i64));
            b.if_(measures, |b| block.units(b, true, &|b, u| block.measure(b, u)));
            Vec::new()
        },
    );
    Ok(())
}

struct Block<'a> {
    spec: &'a AttentionBackward,
    c: Context<'a>,
    tiles: AttentionTiles,
    team: Warps,
    boxes: [RowBoxes; 5],
    /// Bytes of both tiles that stay, and of a stage.
    stays: u64,
    stage: u64,
    /// Of each stage: minus the log-sum-exps of its queries, then their sums of o * do.
    statistics: Buf,
    /// Where the barriers lie.
    barriers: u64,
    /// The thread's warpgroup.
    group: Ix,
}

/// A tile that stays, and the tiles that go by, for each head of the group.
struct Unit {
    side: Side,
    number: Ix,
    at: Head,
    first: Ix,
    walk: Walk,
    /// Heads of queries that go by, one after the other.
    heads: u64,
    /// Tiles that went by, and units, before.
    before: Ix,
    round: Ix,
}

/// A barrier of the block. Those of a stage come after each other, then those of what stays.
#[derive(Clone, Copy)]
enum Wait {
    Full,
    Measured,
    Empty,
    FullStays,
    EmptyStays,
}

impl Block<'_> {
    // ---- barriers and places

    fn barrier(&self, b: &mut Builder, wait: Wait, stage: Ix) -> Ix {
        let (each, first) = match wait {
            Wait::Full => (3, 0),
            Wait::Measured => (3, 1),
            Wait::Empty => (3, 2),
            Wait::FullStays => (0, 3 * self.tiles.stages),
            Wait::EmptyStays => (0, 3 * self.tiles.stages + 1),
        };
        let at = b.scale(stage, (each * BARRIER) as i64).plus((self.barriers + first * BARRIER) as i64);
        b.dynamic_address(at)
    }

    fn make_barriers(&self, b: &mut Builder) {
        let warps = u64::from(self.tiles.threads) / WARP;
        let mut make = |wait: Wait, stage: u64, arrivals: u64| {
            let at = self.barrier(b, wait, stage.into());
            b.init_barrier(at, arrivals);
        };
        for stage in 0..self.tiles.stages {
            make(Wait::Full, stage, 1);
            make(Wait::Measured, stage, 2);
            make(Wait::Empty, stage, warps);
        }
        make(Wait::FullStays, 0, 1);
        make(Wait::EmptyStays, 0, warps);
    }

    fn await_full(&self, b: &mut Builder, wait: Wait, stage: Ix, parity: Ix) {
        let at = self.barrier(b, wait, stage);
        b.await_phase(at, parity);
    }

    fn arrive(&self, b: &mut Builder, wait: Wait, stage: Ix, leads: Val) {
        let at = self.barrier(b, wait, stage);
        b.arrive(at, leads);
    }

    /// Bytes of so many rows of queries or keys, and of values or gradients of outputs.
    fn bytes(&self, rows: u64) -> [u64; 2] {
        let s = &self.spec.shape;
        [s.head, s.value].map(|width| AttentionTiles::fetched_bytes(rows, width))
    }

    /// Where a tile that stays lies: 0 for queries or keys, 1 for the other.
    fn stays_at(&self, b: &mut Builder, which: usize) -> Ix {
        let from = [0, self.bytes(self.tiles.rows)[0]][which];
        b.dynamic_address(from.into())
    }

    /// The same of a stage; 2 are outputs.
    fn goes_by_at(&self, b: &mut Builder, side: Side, which: usize, stage: Ix) -> Ix {
        let [first, second] = self.bytes(self.cols(side));
        let from = self.stays + [0, first, first + second][which];
        let at = b.scale(stage, self.stage as i64).plus(from as i64);
        b.dynamic_address(at)
    }

    /// Columns of a tile that goes by.
    fn cols(&self, side: Side) -> u64 {
        if side == Side::Keys { self.tiles.queries } else { self.tiles.keys }
    }

    // ---- units

    /// Those of keys, then those of queries.
    fn units(&self, b: &mut Builder, whole: bool, each: &dyn Fn(&mut Builder, &Unit)) {
        let (shape, rows) = (&self.spec.shape, self.tiles.rows);
        let of_keys = self.tiles.units(shape.batch * shape.heads, shape.kv_len) * if self.tiles.paired { 2 } else { 1 };
        walk::units(b, &self.tiles, whole, |b, number, [before, round]| {
            let of = |b: &mut Builder, side: Side| {
                let number = if side == Side::Keys { number } else { number.plus(-(of_keys as i64)) };
                let (at, first) = walk::begin(&self.c, b, side, &self.tiles, number);
                let walk = Walk::new(&self.c, b, side, first, [rows, self.cols(side)]);
                let heads = if side == Side::Keys { shape.group } else { 1 };
                each(b, &Unit { side, number, at, first, walk, heads, before, round });
                let all = b.scale(walk.tiles, heads as i64);
                vec![b.ix(all)]
            };
            let keys = b.test("slt", number, of_keys.into());
            let index = Ty::scalar(ElemKind::Index);
            b.if_else(keys, &[index], |b| of(b, Side::Keys), |b| of(b, Side::Queries))[0].into()
        });
    }

    /// Each head that goes by, and the number of tiles before it.
    fn heads(&self, b: &mut Builder, u: &Unit, each: impl FnOnce(&mut Builder, Head, Ix)) {
        b.loop_(Ix::ZERO, u.heads.into(), 1, |b, n| {
            let (at, before) = self.head(b, u, n);
            each(b, at, before);
        });
    }

    fn head(&self, b: &mut Builder, u: &Unit, n: Ix) -> (Head, Ix) {
        let [batch, head, group] = u.at;
        let group = if u.side == Side::Keys { n } else { group };
        let walked = match n.known() {
            Some(n) => b.scale(u.walk.tiles, n),
            None => {
                let (n, tiles) = (b.ix(n), b.ix(u.walk.tiles));
                b.binary("muli", n, tiles).into()
            }
        };
        ([batch, head, group], b.add(u.before, walked))
    }

    // ---- the producer

    fn fetch(&self, b: &mut Builder, u: &Unit) {
        let tiles = self.tiles;
        let ([stay, stay_too], by) = match u.side {
            Side::Keys => ([K, V], &[Q, D_O, O][..]),
            Side::Queries => ([Q, D_O], &[K, V][..]),
        };
        let (_, parity) = b.div_rem(u.round, 2);
        let [full, empty] = [Wait::FullStays, Wait::EmptyStays].map(|wait| self.barrier(b, wait, Ix::ZERO));
        let other = b.xor(parity, 1i64.into());
        b.await_phase(empty, other);
        b.arrive_expecting(full, self.stays);
        for (which, map) in [stay, stay_too].into_iter().enumerate() {
            let to = self.stays_at(b, which);
            walk::fetch_rows(b, (map, &self.boxes[map]), u.at, (u.first, tiles.rows), [to, full]);
        }
        let cols = self.cols(u.side);
        let [first, second] = self.bytes(cols);
        let bytes = first + second * (by.len() as u64 - 1);
        self.heads(b, u, |b, at, before| {
            b.loop_(Ix::ZERO, u.walk.tiles, 1, |b, t| {
                let count = b.add(before, t);
                let (stage, parity) = b.stage_of(count, self.tiles.stages);
                let [full, empty] = [Wait::Full, Wait::Empty].map(|wait| self.barrier(b, wait, stage));
                let other = b.xor(parity, 1i64.into());
                b.await_phase(empty, other);
                b.arrive_expecting(full, bytes);
                let i = u.walk.column(b, t);
                for (which, &map) in by.iter().enumerate() {
                    let to = self.goes_by_at(b, u.side, which, stage);
                    walk::fetch_rows(b, (map, &self.boxes[map]), at, (i, cols), [to, full]);
                }
            });
        });
    }

    // ---- the warps that measure

    /// The statistics of queries that go by.
    fn measure(&self, b: &mut Builder, u: &Unit) {
        if u.side == Side::Queries {
            return;
        }
        let thread = b.thread();
        let (warp, lane) = b.div_rem(thread.plus(-(i64::from(self.tiles.threads) + 2 * WARP as i64)), WARP);
        let leads = b.test("eq", lane, Ix::ZERO);
        self.heads(b, u, |b, at, before| {
            b.loop_(Ix::ZERO, u.walk.tiles, 1, |b, t| {
                let count = b.add(before, t);
                let (stage, parity) = b.stage_of(count, self.tiles.stages);
                self.await_full(b, Wait::Full, stage, parity);
                let i = u.walk.column(b, t);
                let [out, gradients] = [2, 1].map(|which| self.goes_by_at(b, Side::Keys, which, stage));
                let to = b.scale(stage, 2 * self.tiles.queries as i64);
                self.measure_rows(b, at, [out, gradients], [i, to], [warp, lane]);
                b.warp_barrier();
                self.arrive(b, Wait::Measured, stage, leads);
            });
        });
    }

    /// Those of every second 16 rows, by the diagonal of a matmul.
    fn measure_rows(
        &self,
        b: &mut Builder,
        at: Head,
        [out, gradients]: [Ix; 2],
        [i, to]: [Ix; 2],
        [warp, lane]: [Ix; 2],
    ) {
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
        let (i, to) = (b.add(i, row), b.add(to, row));
        for rows in (0..queries).step_by(32) {
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
            let [upper, lower] = [b.select(second, sums[0][1], sums[0][0]), b.select(second, sums[1][3], sums[1][2])];
            b.if_(has, |b| {
                for (more, sum) in [(0, upper), (8, lower)] {
                    let (i, to) = (i.plus((rows + more) as i64), to.plus((rows + more) as i64));
                    let exists = b.test("slt", i, self.spec.shape.q_len.into());
                    let lse = |b: &mut Builder| vec![minus_lse(b, self.spec, &self.c, at, i)];
                    let lse = b.if_else(exists, &[F32], lse, |_| vec![zero])[0];
                    b.store(lse, self.statistics, to);
                    b.store(sum, self.statistics, to.plus(queries as i64));
                }
            });
        }
    }

    // ---- the warpgroups that multiply

    fn multiply(&self, b: &mut Builder, u: &Unit) {
        let (c, s, team, shape) = (&self.c, self.spec, &self.team, &self.spec.shape);
        let seat = team.seat(b);
        let thread = b.thread();
        let (_, lane) = b.div_rem(thread, WARP);
        let leads = b.test("eq", lane, Ix::ZERO);
        let own: Option<Vec<[Val; 2]>> = (u.side == Side::Queries).then(|| {
            let (_, part) = b.div_rem(lane, 4);
            let rows = team.rows(b, &seat, u.first);
            // Of the last query, where there is none: no branch, and all loads begin at once.
            let rows: Vec<Ix> = rows.iter().map(|&i| b.min(i, Ix::from(shape.q_len).plus(-1))).collect();
            let parts: Vec<[Val; 2]> =
                rows.iter().map(|&i| [minus_lse(b, s, c, u.at, i), part_of_sum(b, s, c, u.at, i, (part, 4))]).collect();
            parts.into_iter().map(|[lse, sum]| [lse, over_neighbours(b, sum, 4)]).collect()
        });
        let (_, parity) = b.div_rem(u.round, 2);
        self.await_full(b, Wait::FullStays, Ix::ZERO, parity);
        let start = vec![b.float(F32, 0.0); self.sums(u.side).iter().sum::<u64>() as usize];
        let done = b.for_(Ix::ZERO, u.heads.into(), 1, &start, |b, n, acc| {
            let (at, before) = self.head(b, u, n);
            let stream = Stream { u, at, before, own: own.as_deref(), leads };
            self.stream(b, &seat, &stream, acc)
        });
        self.arrive(b, Wait::EmptyStays, Ix::ZERO, leads);
        let number = b.afresh(u.number);
        let (at, first) = walk::begin(c, b, u.side, &self.tiles, number);
        let rows = team.rows(b, &seat, first);
        let o = shape.inputs();
        let (of_first, of_second) = done.split_at(self.sums(u.side)[0] as usize);
        if u.side == Side::Queries {
            let dq = c.rows(b, o + 3, s.dq, at, [shape.q_len, shape.head]);
            return store(b, c, team, &seat, &rows, &dq, (of_first, shape.scale()));
        }
        let dk = c.rows(b, o + 4, s.dk, at, [shape.kv_len, shape.head]);
        store(b, c, team, &seat, &rows, &dk, (of_first, shape.scale()));
        let dv = c.rows(b, o + 5, s.dv, at, [shape.kv_len, shape.value]);
        store(b, c, team, &seat, &rows, &dv, (of_second, 1.0));
    }

    /// A thread's sums: of what goes by first, and, where that are queries, of what goes by beside.
    fn sums(&self, side: Side) -> [u64; 2] {
        let s = &self.spec.shape;
        [round_up(s.head, 16) / 2, if side == Side::Keys { round_up(s.value, 16) / 2 } else { 0 }]
    }

    /// Everything that goes by of a head, added to the sums.
    fn stream(&self, b: &mut Builder, seat: &Places, s: &Stream<'_>, acc: &[Val]) -> Vec<Val> {
        let u = s.u;
        let (stage, parity) = b.stage_of(s.before, self.tiles.stages);
        self.await_full(b, Wait::Full, stage, parity);
        let scores = self.products(b, u.side, 0, stage);
        let scores = b.wait_matmuls(0, &scores);
        let weights = self.weights(b, seat, s, (Ix::ZERO, u.walk.masks[0]), &scores);
        let gradients = self.products(b, u.side, 1, stage);
        let gradients = b.wait_matmuls(0, &gradients);
        let words = self.words(b, seat, s, stage, weights, &gradients);
        let mut carried = [acc, &words].concat();
        for (from, to, masked) in u.walk.parts() {
            carried = b.for_(from, to, 1, &carried, |b, t, carried| self.round(b, seat, s, (t, masked), carried));
        }
        let (acc, words) = carried.split_at(acc.len());
        let count = b.add(s.before, u.walk.tiles).plus(-1);
        let (stage, _) = b.stage_of(count, self.tiles.stages);
        let begun = self.add(b, u.side, stage, words, acc);
        let acc = self.added(b, None, begun);
        self.free(b, s, stage);
        acc
    }

    /// The weights of a tile and their gradients, and under the former the sums of the one before.
    fn round(
        &self,
        b: &mut Builder,
        seat: &Places,
        s: &Stream<'_>,
        (t, masked): (Ix, bool),
        carried: &[Val],
    ) -> Vec<Val> {
        let side = s.u.side;
        let (acc, words) = carried.split_at(self.sums(side).iter().sum::<u64>() as usize);
        let count = b.add(s.before, t);
        let count = b.uniform(count);
        let (stage, parity) = b.stage_of(count, self.tiles.stages);
        let (earlier, _) = b.stage_of(count.plus(-1), self.tiles.stages);
        self.await_full(b, Wait::Full, stage, parity);
        let scores = self.products(b, side, 0, stage);
        let early = self.together(side).then(|| self.products(b, side, 1, stage));
        let begun = self.add(b, side, earlier, words, acc);
        let adds = if side == Side::Keys { 2 } else { 1 };
        let scores = b.wait_matmuls(adds + u64::from(early.is_some()), &scores);
        let weights = self.weights(b, seat, s, (t, masked), &scores);
        // No sign, nor that of a sum of such numbers.
        let bits: Vec<Val> = weights.iter().flatten().map(|&x| b.bitcast(x, ElemKind::I32)).collect();
        let any = bits.iter().skip(1).fold(bits[0], |any, &x| b.binary("ori", any, x));
        let done = b.bitcast(any, ElemKind::F32);
        let early = early.map(|gradients| b.wait_matmuls_after(adds, done, &gradients));
        let acc = self.added(b, Some(done), begun);
        self.free(b, s, earlier);
        let gradients = early.unwrap_or_else(|| {
            let gradients = self.products(b, side, 1, stage);
            b.wait_matmuls(0, &gradients)
        });
        let words = self.words(b, seat, s, stage, weights, &gradients);
        [acc, words].concat()
    }

    /// The stage has been read; by all lanes, where they read statistics.
    fn free(&self, b: &mut Builder, s: &Stream<'_>, stage: Ix) {
        if s.u.side == Side::Keys {
            b.warp_barrier();
        }
        self.arrive(b, Wait::Empty, stage, s.leads);
    }

    /// Whether a thread has registers for scores and gradients of weights at once.
    fn together(&self, side: Side) -> bool {
        let cols = self.cols(side);
        let words = if side == Side::Keys { cols / 2 } else { cols / 4 };
        self.sums(side).iter().sum::<u64>() + words + cols <= TOGETHER
    }

    /// Begins the matmul of the warpgroup's rows that stay with a tile that goes by: scores (0), or gradients of weights (1).
    fn products(&self, b: &mut Builder, side: Side, which: usize, stage: Ix) -> Vec<Val> {
        let (factor, cols, shape) = (self.team.factor, self.cols(side), &self.spec.shape);
        let own = b.scale(self.group, STRIP as i64);
        let stays = self.stays_at(b, which);
        let first = SharedLines { at: b.add(stays, own), apart: self.tiles.rows * LINE, across: false };
        let second = SharedLines { at: self.goes_by_at(b, side, which, stage), apart: cols * LINE, across: false };
        let width = [shape.head, shape.value][which];
        b.multiply_lines([factor; 2], First::Lines(first, 1), second, [cols, ceil_div(width, 16)], None)
    }

    /// Begins to add a tile that goes by to the sums, by the words of [`Block::words`].
    fn add(&self, b: &mut Builder, side: Side, stage: Ix, words: &[Val], acc: &[Val]) -> [Vec<Val>; 2] {
        let (factor, cols) = (self.team.factor, self.cols(side));
        let (of_first, of_second) = acc.split_at(self.sums(side)[0] as usize);
        let (of_weights, of_gradients) = words.split_at(words.len() - cols as usize / 4);
        let mut begin = |which: usize, words: &[Val], acc: &[Val]| {
            let second = SharedLines { at: self.goes_by_at(b, side, which, stage), apart: cols * LINE, across: true };
            let size = [2 * acc.len() as u64, cols / 16];
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
    fn statistic(&self, b: &mut Builder, seat: &Places, s: &Stream<'_>, stage: Ix, which: usize) -> [Vec<Val>; 2] {
        let cols = self.cols(s.u.side);
        if let Some(own) = s.own {
            return [0, 1].map(|r| vec![own[r][which]; cols as usize / 4]);
        }
        let from = b.scale(stage, 2 * cols as i64).plus((which as u64 * cols) as i64);
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
        (t, masked): (Ix, bool),
        scores: &[Val],
    ) -> [Vec<Val>; 2] {
        let (c, team, u) = (&self.c, &self.team, s.u);
        let count = b.add(s.before, t);
        let (stage, parity) = b.stage_of(count, self.tiles.stages);
        if u.side == Side::Keys {
            self.await_full(b, Wait::Measured, stage, parity);
        }
        let lse = self.statistic(b, seat, s, stage, 0);
        let factor = b.float(F32, self.spec.shape.scale() * c.of_exponents());
        let mut rows = rows_of(scores);
        for (row, lse) in rows.iter_mut().zip(&lse) {
            row.iter_mut().zip(lse).for_each(|(x, &lse)| *x = b.multiply_add(*x, factor, lse));
        }
        if masked {
            let cols = self.cols(u.side);
            let (from, columns) = (u.walk.column(b, t), team.columns(cols));
            let numbers = team.rows(b, seat, u.first);
            let (first, whole) = team.alike(b, seat, u.first);
            let column = b.add(from, team.column(seat));
            let mask = Masked {
                side: u.side,
                batch: s.at[0],
                rows: &numbers,
                first,
                whole,
                from,
                tile: cols,
                column,
                columns: &columns,
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
        stage: Ix,
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
    at: Head,
    /// Tiles that went by before.
    before: Ix,
    /// The statistics of the thread's rows, where those are queries.
    own: Option<&'a [[Val; 2]]>,
    leads: Val,
}
