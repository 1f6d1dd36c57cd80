//! The forward pass. A block keeps a tile of queries; keys and values go past. Values are copied while scores are computed, and
//! the next keys while values are multiplied.
//!
//! On tensor cores (`m16n8k16`) a warp has 16 or 32 rows of the tile of queries. Scores stay in the registers in which they are
//! summed: two fragments of scores, rounded to pairs, are one fragment of what multiplies the values. Tensor cores do not
//! multiply f32, which 16 x 16 threads compute ([`Square`]).
//!
//! The lower bound, for heads of 128 and a tile of 128 queries by 32 keys: 4 x 128 x 32 x 128 operations. 4 warps read 8 KiB of
//! keys, of values and of queries each: 96 KiB, or 768 cycles at 128 bytes a cycle. In each of these cycles tensor cores may do
//! 2.7 thousand operations, which is more than `mma.sync` reaches on Hopper (about 2.5 thousand). With 16 rows for each warp it
//! would be 1.8 thousand, and shared memory the limit. The 4,096 exponentials take 256 cycles of another unit. Registers: 128
//! sums of values, 32 scores, 2 x 4 words of queries and 4 of keys leave about eighty for addresses, rows' maxima and sums, and
//! early loads; with 64 keys a few would be spilled. At 51 KiB of shared memory and 255 registers, two blocks share a processor,
//! so that one multiplies while the other takes exponentials.

use super::super::block::MmaType;
use super::super::turns::turns;
use super::context::{Context, Head, Masked, Member, Seen, Side, Sums, Team, Tile};
use super::square::Square;
use super::tensor::Warps;
use crate::attention::Attention;
use crate::emit::builder::{Buf, Builder, Ix, Val};
use crate::geometry::ceil_div;
use crate::gpu::Grid;
use crate::gpu::WARP;
use crate::target::AttentionTiles;

pub fn emit(b: &mut Builder, spec: &Attention, grid: &Grid) {
    let (shape, tiles) = (&spec.shape, grid.tiles);
    let c = Context::new(shape, grid);
    let operands =
        [c.tile(b, tiles.rows, shape.head), c.tile(b, tiles.keys, shape.head), c.tile(b, tiles.keys, shape.value)];
    if shape.is_narrow() {
        let team = Warps { factor: MmaType::of(shape.tiled()), rows: tiles.rows * WARP / c.threads / 16 };
        Forward { spec, c, tiles, team, operands }.emit(b, grid);
    } else {
        let team = Square { weights: c.tile(b, tiles.rows, tiles.keys) };
        Forward { spec, c, tiles, team, operands }.emit(b, grid);
    }
}

struct Forward<'a, T> {
    spec: &'a Attention,
    c: Context<'a>,
    tiles: AttentionTiles,
    team: T,
    /// Queries, keys, values.
    operands: [Tile; 3],
}

impl<T: Team> Forward<'_, T> {
    fn emit(&self, b: &mut Builder, grid: &Grid) {
        debug_assert_eq!(self.c.used.get(), u64::from(grid.shared_bytes));
        let hi = b.hi();
        let (first, step) = turns(b, 1);
        b.loop_by(first, hi, step, |b, u| {
            // What others read of the last unit's queries they have read, also where that unit had no keys to wait for.
            b.barrier();
            self.unit(b, u);
        });
    }

    fn unit(&self, b: &mut Builder, unit: Ix) {
        let (c, s, team) = (&self.c, self.spec, &self.team);
        let [of_queries, of_keys, of_values] = self.operands;
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
        let [from, to] = c.span(b, Side::Queries, at[0], i0, [self.tiles.rows, self.tiles.keys]);
        c.fetch(b, &q, i0, of_queries);
        c.fetch(b, &k, from, of_keys);
        b.commit_copies();
        let seat = team.seat(b);
        let (first, whole) = team.alike(b, &seat, i0);
        let rows = team.rows(b, &seat, i0);
        let queries = team.stay(b, &seat, of_queries);

        let zeros = team.zeros(b, of_values);
        let sums = zeros.len();
        let start = Seen::start(b, zeros, rows.len());
        let done = b.for_(from, to, self.tiles.keys, &start, |b, j0, carried| {
            let (acc, seen) = carried.split_at(sums);
            let mut seen = Seen::rows(seen);
            b.wait_copies(0);
            b.barrier();
            c.fetch(b, &v, j0, of_values);
            b.commit_copies();
            let mut scores = team.products_of(b, &seat, &queries, of_keys);
            scores.iter_mut().for_each(|row| c.scaled(b, row));
            let column = b.add(j0, team.column(&seat));
            let columns = team.columns(self.tiles.keys);
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
                numbers: None,
            };
            let mut scores = c.masked(b, &masked, scores);
            let mut acc = acc.to_vec();
            let factors = c.softmax(b, &mut seen, &mut scores, team.beside());
            for (r, factor) in factors.into_iter().enumerate() {
                team.scale(b, &mut acc, r, factor);
            }
            team.give(b, &seat, &scores);
            b.wait_copies(0);
            b.barrier();
            let next = j0.plus(self.tiles.keys as i64);
            let more = b.test("slt", next, to);
            b.if_(more, |b| c.fetch(b, &k, next, of_keys));
            b.commit_copies();
            team.add_given(b, &seat, &scores, of_values, &mut acc);
            acc.extend(seen.iter().flat_map(|s| [s.max, s.sum]));
            acc
        });
        // Where the tile sees nothing, nobody has waited for it: the next unit's copies go to the same bytes, and copies have no order.
        b.wait_copies(0);
        let (acc, seen) = done.split_at(sums);
        let unit = b.afresh(unit);
        let (at, i0) = begin(b, unit);
        let rows = team.rows(b, &seat, i0);
        let member = Member { c, team, seat: &seat };
        for (r, (&i, s)) in rows.iter().zip(seen.chunks(2)).enumerate() {
            let (factor, lse) = c.finish(b, &Seen { max: s[0], sum: s[1] }, team.beside());
            let exists = b.test("slt", i, self.spec.shape.q_len.into());
            let row = Sums { sums: acc, r, factor };
            b.if_(exists, |b| store(b, self.spec, &member, at, i, row, lse));
        }
    }
}

/// Row `i`, which exists, and its log-sum-exp.
pub fn store<T: Team>(
    b: &mut Builder,
    s: &Attention,
    member: &Member<'_, T>,
    at: Head,
    i: Ix,
    row: Sums<'_>,
    lse: Val,
) {
    let Member { c, team, seat } = *member;
    let o = s.shape.inputs();
    let rows = c.rows(b, o, s.o, at, [s.shape.q_len, s.shape.value]);
    team.store(b, c, seat, &rows, i, row);
    let one = b.test("eq", team.column(seat), Ix::ZERO);
    b.if_(one, |b| {
        let base = c.base(b, s.lse, at);
        let i = b.scale(i, s.lse.seq);
        let (at, buf) = (b.add(base, i), Buf::arg(o + 1, s.shape.computed()));
        b.store(lse, buf, at);
    });
}
