//! A block of the backward pass on Hopper ([`super::fetched_backward`]): what lies where in its memory, and which tiles it takes in which order.
//! The producer, the warps that measure and those that multiply walk through the same units.
//!
//! First come the tiles of keys, with queries that go by, then those of queries, with keys that do. Both kinds have stages and barriers of their
//! own, of which the stages lie in the same bytes: those of keys are fetched when nobody reads queries any more.

use super::super::turns::turns;
use super::context::{Context, Head, Side};
use super::rings::{Gate, Gates, Ring, RingStage};
use super::segments::SegmentNumbers;
use super::tensor::Warps;
use super::walk::{self, Walk};
use crate::attention::AttentionBackward;
use crate::emit::builder::{Buf, Builder, ElemKind, Ix};
use crate::gpu::WARP;
use crate::target::{AttentionTiles, OWN_STAGES};
use crate::tensor_map::attention::RowBoxes;

/// Warps that measure.
const MEASURING: u64 = 3;

/// Those that measure queries that stay. With segments, the first one loads those of keys in the meantime.
pub fn own_warps(spec: &AttentionBackward) -> u64 {
    if spec.shape.segments.is_some() { MEASURING - 1 } else { MEASURING }
}

pub struct BackwardBlock<'a> {
    pub spec: &'a AttentionBackward,
    pub c: Context<'a>,
    pub tiles: AttentionTiles,
    pub team: Warps,
    pub boxes: [RowBoxes; 5],
    /// Both tiles that stay.
    pub stays: Ring,
    /// Queries that go by, and keys.
    goes_by: [Ring; 2],
    /// Of stages of queries: their statistics are there.
    pub measured: Gate,
    /// Of each of those stages: minus the log-sum-exps of its queries, then their sums of o * do. Then the same of queries that stay.
    pub statistics: Buf,
    /// The stages of the latter.
    pub own: Ring,
    /// Segments of queries that go by, and of keys.
    numbers: [Option<SegmentNumbers>; 2],
    /// The thread's warpgroup.
    pub group: Ix,
}

/// A tile that stays, and the tiles that go by, for each head of the group.
pub struct Unit {
    pub side: Side,
    pub number: Ix,
    pub at: Head,
    pub first: Ix,
    pub walk: Walk,
    /// Heads of queries that go by, one after the other.
    pub heads: u64,
    /// Tiles of this kind that went by before, and units of both.
    pub before: Ix,
    pub round: Ix,
    /// Units of this kind before.
    pub turn: Ix,
    /// Which part of the sums' columns is the block's.
    pub part: Ix,
}

impl<'a> BackwardBlock<'a> {
    /// And its barriers. `group` is the thread's warpgroup.
    pub fn new(
        b: &mut Builder,
        spec: &'a AttentionBackward,
        c: Context<'a>,
        tiles: AttentionTiles,
        team: Warps,
        boxes: [RowBoxes; 5],
        group: Ix,
    ) -> (BackwardBlock<'a>, Gates) {
        let [stays, of_queries, of_keys] = tiles.fetched_backward_bytes(&spec.shape);
        let from = tiles.kept * stays;
        let at = from + (tiles.query_stages * of_queries).max(tiles.stages * of_keys);
        let [of_each, own] = [2 * tiles.queries, 2 * tiles.rows];
        let before = tiles.query_stages * of_each;
        let elements = before + OWN_STAGES * own;
        let statistics = b.dynamic_memory(ElemKind::F32, elements, at);
        let warps = u64::from(tiles.threads) / WARP;
        // Segments of queries that go by lie where statistics of those that stay will, and those of keys where the ones of queries that
        // went by were.
        let numbers_at = [at + 4 * before, at];
        debug_assert!(tiles.query_stages * tiles.queries <= OWN_STAGES * own && tiles.stages * tiles.keys <= before);
        let mut gates = Gates::from(at + 4 * elements);
        let stays = gates.ring([0, stays], tiles.kept, [1, warps]);
        let queries = gates.ring([from, of_queries], tiles.query_stages, [1, warps]);
        let keys = gates.ring([from, of_keys], tiles.stages, [1, warps]);
        let measured = gates.add(tiles.query_stages, MEASURING);
        let own = gates.ring([at + 4 * before, 4 * own], OWN_STAGES, [own_warps(spec), warps]);
        let mut numbers = |side: Side, from: u64, size: [u64; 2]| {
            SegmentNumbers::new(b, &mut gates, &spec.shape, side, from, size, warps)
        };
        let numbers = [
            numbers(Side::Keys, numbers_at[0], [tiles.queries, tiles.query_stages]),
            numbers(Side::Queries, numbers_at[1], [tiles.keys, tiles.stages]),
        ];
        let goes_by = [queries, keys];
        (
            BackwardBlock { spec, c, tiles, team, boxes, stays, goes_by, measured, statistics, own, numbers, group },
            gates,
        )
    }

    /// The tiles that go by those of a side.
    pub fn ring(&self, side: Side) -> &Ring {
        &self.goes_by[usize::from(side == Side::Queries)]
    }

    /// The segments of what goes by those of a side, if there are any.
    pub fn numbers(&self, side: Side) -> Option<&SegmentNumbers> {
        self.numbers[usize::from(side == Side::Queries)].as_ref()
    }

    /// Columns of a tile that goes by.
    pub fn cols(&self, side: Side) -> u64 {
        if side == Side::Keys { self.tiles.queries } else { self.tiles.keys }
    }

    /// Bytes of so many rows of queries or keys, and of values or gradients of outputs.
    pub fn bytes(&self, rows: u64) -> [u64; 2] {
        let s = &self.spec.shape;
        [s.head, s.value].map(|width| AttentionTiles::fetched_bytes(rows, width))
    }

    /// Where the statistics of a stage of queries that go by begin among all.
    pub fn statistics_of(&self, b: &mut Builder, stage: RingStage) -> Ix {
        b.scale(stage.number, 2 * self.tiles.queries as i64)
    }

    /// The same of queries that stay.
    pub fn own_statistics(&self, b: &mut Builder, stage: RingStage) -> Ix {
        let before = self.tiles.query_stages * 2 * self.tiles.queries;
        b.scale(stage.number, 2 * self.tiles.rows as i64).plus(before as i64)
    }

    /// Where a tile that stays lies: 0 for queries or keys, 1 for the other.
    pub fn stays_at(&self, b: &mut Builder, which: usize, stage: RingStage) -> Ix {
        self.stays.place(b, stage).plus([0, self.bytes(self.tiles.rows)[0]][which] as i64)
    }

    /// The same of one that goes by; 2 are outputs.
    pub fn goes_by_at(&self, b: &mut Builder, side: Side, which: usize, stage: RingStage) -> Ix {
        let [first, second] = self.bytes(self.cols(side));
        self.ring(side).place(b, stage).plus([0, first, first + second][which] as i64)
    }

    /// The block's units of a side. `start` units came before. Behind them: the tiles that went by, and the units.
    pub fn units(
        &self,
        b: &mut Builder,
        side: Side,
        whole: bool,
        start: Ix,
        each: &dyn Fn(&mut Builder, &Unit),
    ) -> [Ix; 2] {
        let (shape, rows) = (&self.spec.shape, self.tiles.rows);
        let (parts, pairs) = (self.tiles.parts, if self.tiles.paired { 2 } else { 1 });
        let units_of_keys = self.tiles.units(shape.batch * shape.heads, shape.kv_len) * parts;
        let of_keys = Ix::from(units_of_keys);
        let (hi, (first, step)) = (b.hi(), turns(b, 1));
        // Where the last round of keys leaves blocks idle, the first one of queries begins: blocks come in descending order.
        let range = if side == Side::Keys {
            [first, b.min(hi, of_keys), step]
        } else {
            let (lo, block) = (b.lo(), b.block());
            let back = b.scale(block, -1);
            let last = b.add(step, back).plus(-1);
            let begin = b.max(lo, of_keys);
            [b.add(begin, last), hi, step]
        };
        let numbered = (pairs * units_of_keys) as i64;
        walk::units(b, &self.tiles, whole, range, [Ix::ZERO, start], |b, number, [before, round]| {
            let number = if side == Side::Keys { number } else { number.plus(-numbered) };
            // The parts of a pair, or of a single tile, come after each other.
            let (unit, half) = b.div_rem(number, pairs);
            let (unit, part) = b.div_rem(unit, parts);
            let number = b.scale(unit, pairs as i64);
            let number = b.add(number, half);
            let (at, first) = walk::begin(&self.c, b, side, &self.tiles, number);
            let walk = Walk::new(&self.c, b, side, [at[0], first], [rows, self.cols(side)]);
            let heads = if side == Side::Keys { shape.group } else { 1 };
            let earlier = b.scale(start, -1);
            let turn = b.add(round, earlier);
            each(b, &Unit { side, number, at, first, walk, heads, before, round, turn, part });
            b.scale(walk.tiles, heads as i64)
        })
    }

    /// Waits until nobody reads any queries that went by, of which so many tiles were fetched, or what was kept of them.
    pub fn await_queries(&self, b: &mut Builder, fetched: Ix) {
        let queries = self.ring(Side::Keys);
        for n in 0..self.tiles.query_stages {
            let stage = queries.stage(b, fetched.plus(n as i64));
            queries.await_empty(b, stage);
        }
    }

    /// Each head that goes by, by its number, and the number of tiles before it.
    pub fn heads(&self, b: &mut Builder, u: &Unit, each: impl FnOnce(&mut Builder, Ix, (Head, Ix))) {
        b.loop_(Ix::ZERO, u.heads.into(), 1, |b, n| {
            let of = self.head(b, u, n);
            each(b, n, of);
        });
    }

    pub fn head(&self, b: &mut Builder, u: &Unit, n: Ix) -> (Head, Ix) {
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
}
