//! The forward pass on tensor cores (`m16n8k16`).
//!
//! A warp has 16 or 32 rows of the tile of queries. Scores stay in the registers that they are summed in: two fragments of them, rounded
//! to pairs, are a fragment of what multiplies the values. While scores are made the values are on their way, and while those are
//! multiplied the next keys.
//!
//! The floor, for heads of 128 and a tile of 128 queries by 32 keys: 4 x 128 x 32 x 128 operations; 4 warps read 8 KiB of keys, of values
//! and of queries each, 96 KiB. At 128 bytes a cycle that is 768 cycles, in each of which tensor cores may do 2.7 thousand operations: more
//! than `mma.sync` reaches on Hopper (about 2.5 thousand). With 16 rows for each warp it were 1.8 thousand: shared memory would be
//! the bound. The 4,096 exponentials take 256 cycles of the unit beside. Registers: 128 sums of values, 32 scores, 2 x 4 words of queries
//! and 4 of keys leave some eighty for addresses, rows' maxima and sums, and loads ahead of their use; with 64 keys a few would be spilled.
//! 51 KiB of shared memory and 255 registers let two blocks share a processor, so that one multiplies while the other takes exponentials.

use super::super::block::{Factor, WARP};
use super::super::turns;
use super::tensor::{LANES, Left, Places, Warps};
use super::{Context, Masked, Seen, Side, Sums, Team, Tile};
use crate::attention::Attention;
use crate::emit::builder::{Buf, Builder, Ix, Val};
use crate::emit::elem::convert;
use crate::geometry::ceil_div;
use crate::gpu::Grid;
use crate::target::AttentionTiles;

/// Registers that queries may stay in.
const KEPT: u64 = 32;

pub fn emit(b: &mut Builder, spec: &Attention, grid: &Grid) {
    let shape = &spec.shape;
    let c = Context::new(shape, grid);
    let tiles = grid.tiles;
    let pass = Forward {
        spec,
        tiles,
        warps: Warps { factor: Factor::of(shape.dtype), rows: tiles.rows * WARP / c.threads / 16 },
        q: c.tile(b, tiles.rows, shape.head),
        k: c.tile(b, tiles.keys, shape.head),
        v: c.tile(b, tiles.keys, shape.value),
        c,
    };
    debug_assert_eq!(pass.c.used.get(), u64::from(grid.shared_bytes));
    let hi = b.hi();
    let (first, step) = turns(b, 1);
    b.loop_by(first, hi, step, |b, u| pass.unit(b, u));
}

struct Forward<'a> {
    spec: &'a Attention,
    c: Context<'a>,
    tiles: AttentionTiles,
    warps: Warps,
    q: Tile,
    k: Tile,
    v: Tile,
}

impl Forward<'_> {
    fn unit(&self, b: &mut Builder, unit: Ix) {
        let (c, s) = (&self.c, self.spec);
        let tiles = ceil_div(s.shape.q_len, self.tiles.rows);
        let begin = |b: &mut Builder, unit: Ix| {
            let (head, rank) = b.div_rem(unit, tiles);
            // Those that see most come first.
            let tile = if s.shape.after().is_some() { b.scale(rank, -1).plus(tiles as i64 - 1) } else { rank };
            (c.head(b, head), b.scale(tile, self.tiles.rows as i64))
        };
        let (at, i0) = begin(b, unit);
        let (q, k) = (c.queries(b, 0, s.q, at), c.keys(b, 1, s.k, at));
        let v = c.rows(b, 2, s.v, at, [s.shape.kv_len, s.shape.value]);
        let [from, to] = c.columns(b, Side::Queries, i0, self.tiles.rows, self.tiles.keys);
        c.fetch(b, &q, i0, self.q);
        c.fetch(b, &k, from, self.k);
        b.commit_copies();
        let places = self.warps.seat(b);
        let (first, whole) = self.warps.alike(b, &places, i0);
        let rows = self.warps.rows(b, &places, i0);
        let depth = self.q.width / 16;
        let kept = (self.warps.rows * depth * 4 <= KEPT).then(|| {
            b.wait_copies(0);
            b.barrier();
            (0..depth).map(|d| self.warps.left(b, &places, self.q, d)).collect::<Vec<_>>()
        });
        let queries = kept.as_deref().map_or(Left::Tile(self.q), Left::Kept);

        let zeros = self.warps.zeros(b, self.v);
        let sums = zeros.len();
        let start = Seen::start(b, zeros, rows.len());
        let done = b.for_(from, to, self.tiles.keys, &start, |b, j0, carried| {
            let (acc, seen) = carried.split_at(sums);
            let mut seen = Seen::rows(seen);
            b.wait_copies(0);
            b.barrier();
            c.fetch(b, &v, j0, self.v);
            b.commit_copies();
            let mut scores = self.warps.products_with(b, &places, &queries, self.k);
            scores.iter_mut().for_each(|row| c.scaled(b, row));
            let column = b.add(j0, places.pair);
            let columns = self.warps.columns(self.tiles.keys);
            let masked = Masked {
                side: Side::Queries,
                batch: at[0],
                rows: &rows,
                first,
                whole,
                from: j0,
                tile: self.tiles.keys,
                column,
                columns: &columns,
            };
            let mut scores = c.masked(b, &masked, scores);
            let mut acc = acc.to_vec();
            for (r, row) in scores.iter_mut().enumerate() {
                let earlier = c.softmax(b, &mut seen[r], row, &LANES);
                for x in self.warps.row_mut(&mut acc, r) {
                    *x = b.binary("mulf", *x, earlier);
                }
            }
            b.wait_copies(0);
            b.barrier();
            let next = j0.plus(self.tiles.keys as i64);
            let more = b.test("slt", next, to);
            b.if_(more, |b| c.fetch(b, &k, next, self.k));
            b.commit_copies();
            self.warps.add(b, &places, &scores, self.v, &mut acc);
            acc.extend(seen.iter().flat_map(|s| [s.max, s.sum]));
            acc
        });
        let (acc, seen) = done.split_at(sums);
        let unit = b.afresh(unit);
        let (at, i0) = begin(b, unit);
        let rows = self.warps.rows(b, &places, i0);
        for (r, (&i, s)) in rows.iter().zip(seen.chunks(2)).enumerate() {
            let (factor, lse) = c.finish(b, &Seen { max: s[0], sum: s[1] }, &LANES);
            let exists = b.test("slt", i, self.spec.shape.q_len.into());
            b.if_(exists, |b| self.store(b, &places, at, i, Sums { sums: acc, r, factor }, lse));
        }
    }

    /// A row that exists.
    fn store(&self, b: &mut Builder, places: &Places, at: [Ix; 3], i: Ix, row: Sums<'_>, lse: Val) {
        let (c, s) = (&self.c, self.spec);
        let o = s.shape.inputs();
        let rows = c.rows(b, o, s.o, at, [s.shape.q_len, s.shape.value]);
        self.warps.store(b, c, places, &rows, i, row);
        let one = b.test("eq", places.pair, Ix::ZERO);
        b.if_(one, |b| {
            let base = c.base(b, s.lse, at);
            let i = b.scale(i, s.lse.seq);
            let (at, buf) = (b.add(base, i), Buf::arg(o + 1, s.shape.statistic));
            let lse = convert(b, lse, buf.kind);
            b.store(lse, buf, at);
        });
    }
}
