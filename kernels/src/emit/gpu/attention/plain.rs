//! The forward pass in f32, which tensor cores do not multiply, on 16 x 16 threads ([`Square`]).

use super::super::turns;
use super::square::{LANES, Seat, Square};
use super::{Context, Head, Masked, Seen, Side, Sums, Team, Tile};
use crate::attention::Attention;
use crate::emit::builder::{Buf, Builder, Ix, Val};
use crate::emit::elem::convert;
use crate::geometry::ceil_div;
use crate::gpu::Grid;
use crate::target::AttentionTiles;

pub fn emit(b: &mut Builder, spec: &Attention, grid: &Grid) {
    let shape = &spec.shape;
    let c = Context::new(shape, grid);
    let tiles = grid.tiles;
    let pass = Forward {
        spec,
        tiles,
        q: c.tile(b, tiles.rows, shape.head),
        k: c.tile(b, tiles.keys, shape.head),
        v: c.tile(b, tiles.keys, shape.value),
        square: Square { weights: c.tile(b, tiles.rows, tiles.keys) },
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
    q: Tile,
    k: Tile,
    v: Tile,
    square: Square,
}

impl Forward<'_> {
    fn unit(&self, b: &mut Builder, unit: Ix) {
        let (c, s) = (&self.c, self.spec);
        let (head, rank) = b.div_rem(unit, ceil_div(s.shape.q_len, self.tiles.rows));
        let i0 = b.scale(rank, self.tiles.rows as i64);
        let at = c.head(b, head);
        let (q, k) = (c.queries(b, 0, s.q, at), c.keys(b, 1, s.k, at));
        let v = c.rows(b, 2, s.v, at, [s.shape.kv_len, s.shape.value]);
        let [from, to] = c.columns(b, Side::Queries, i0, self.tiles.rows, self.tiles.keys);
        c.fetch(b, &q, i0, self.q);
        c.fetch(b, &k, from, self.k);
        b.commit_copies();
        let square = &self.square;
        let seat = square.seat(b);
        let rows = square.rows(b, &seat, i0);
        let (first, whole) = square.alike(b, &seat, i0);

        let zeros = square.zeros(b, self.v);
        let sums = zeros.len();
        let start = Seen::start(b, zeros, rows.len());
        let done = b.for_(from, to, self.tiles.keys, &start, |b, j0, carried| {
            let (acc, seen) = carried.split_at(sums);
            let mut seen = Seen::rows(seen);
            b.wait_copies(0);
            b.barrier();
            c.fetch(b, &v, j0, self.v);
            b.commit_copies();
            let mut scores = square.products(b, &seat, self.q, self.k);
            scores.iter_mut().for_each(|row| c.scaled(b, row));
            let columns = square.columns(self.tiles.keys);
            let masked = Masked {
                side: Side::Queries,
                batch: at[0],
                rows: &rows,
                first,
                whole,
                from: j0,
                tile: self.tiles.keys,
                column: b.add(j0, square.column(&seat)),
                columns: &columns,
            };
            let mut scores = c.masked(b, &masked, scores);
            let mut acc = acc.to_vec();
            for (r, row) in scores.iter_mut().enumerate() {
                let earlier = c.softmax(b, &mut seen[r], row, &LANES);
                for x in square.row(&mut acc, r) {
                    let earlier = b.broadcast(earlier, b.ty(*x).lanes);
                    *x = b.binary("mulf", *x, earlier);
                }
            }
            square.put(b, &seat, &scores);
            b.wait_copies(0);
            b.barrier();
            let next = j0.plus(self.tiles.keys as i64);
            let more = b.test("slt", next, to);
            b.if_(more, |b| c.fetch(b, &k, next, self.k));
            b.commit_copies();
            let mut acc = square.sum(b, &seat, self.v, &acc);
            acc.extend(seen.iter().flat_map(|s| [s.max, s.sum]));
            acc
        });
        let (acc, seen) = done.split_at(sums);
        for (r, (&i, s)) in rows.iter().zip(seen.chunks(2)).enumerate() {
            let (factor, lse) = c.finish(b, &Seen { max: s[0], sum: s[1] }, &LANES);
            let exists = b.test("slt", i, self.spec.shape.q_len.into());
            b.if_(exists, |b| self.store(b, &seat, at, i, Sums { sums: acc, r, factor }, lse));
        }
    }

    /// A row that exists.
    fn store(&self, b: &mut Builder, seat: &Seat, at: Head, i: Ix, row: Sums<'_>, lse: Val) {
        let (c, s) = (&self.c, self.spec);
        let o = s.shape.inputs();
        let rows = c.rows(b, o, s.o, at, [s.shape.q_len, s.shape.value]);
        self.square.store(b, c, seat, &rows, i, row);
        let one = b.test("eq", seat.across, Ix::ZERO);
        b.if_(one, |b| {
            let base = c.base(b, s.lse, at);
            let i = b.scale(i, s.lse.seq);
            let (at, buf) = (b.add(base, i), Buf::arg(o + 1, s.shape.statistic));
            let lse = convert(b, lse, buf.kind);
            b.store(lse, buf, at);
        });
    }
}
