//! The forward pass in f32, which tensor cores do not multiply: 16 x 16 threads, each with 4 rows, and every 16th key and some of every 16
//! columns. Weights go through shared memory, for the threads beside to read.

use super::super::turns;
use super::{Context, F32, Head, Masked, Rows, Seen, Side, Tile};
use crate::attention::Attention;
use crate::emit::builder::{Buf, Builder, Ix, Kind, Ty, Val};
use crate::emit::elem::convert;
use crate::geometry::ceil_div;
use crate::gpu::Grid;
use crate::target::AttentionTiles;

/// Threads beside each other: those that share rows.
const ACROSS: u64 = 16;

/// Rows of a thread.
const ROWS: u64 = 4;

/// Lanes that share a row.
const LANES: [u64; 4] = [1, 2, 4, 8];

pub fn emit(b: &mut Builder, spec: &Attention, grid: &Grid) {
    let shape = &spec.shape;
    let c = Context::new(shape, grid);
    let tiles = grid.tiles;
    let v = c.tile(b, tiles.keys, shape.value);
    // As many neighbours as all threads of a row have.
    let run = [4, 2, 1].into_iter().find(|run| v.width.is_multiple_of(ACROSS * run)).unwrap_or(1);
    let pass = Forward {
        spec,
        tiles,
        q: c.tile(b, tiles.rows, shape.head),
        k: c.tile(b, tiles.keys, shape.head),
        v,
        weights: c.tile(b, tiles.rows, tiles.keys),
        run,
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
    weights: Tile,
    /// Neighbouring columns of values that a thread takes.
    run: u64,
}

/// First row of the thread in the tile, and its place among those that share it.
#[derive(Clone, Copy)]
struct Seat {
    row: Ix,
    across: Ix,
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
        let thread = b.thread();
        let (down, across) = b.div_rem(thread, ACROSS);
        let seat = Seat { row: b.scale(down, ROWS as i64), across };
        let first = b.add(i0, seat.row);
        let rows: Vec<Ix> = (0..ROWS).map(|r| first.plus(r as i64)).collect();

        let zero = b.number(Ty::vector(Kind::F32, self.run), 0.0);
        let sums = (ROWS * self.v.width / ACROSS / self.run) as usize;
        let start = Seen::start(b, zero, sums, rows.len());
        let done = b.for_(from, to, self.tiles.keys, &start, |b, j0, carried| {
            let (acc, seen) = carried.split_at(sums);
            let mut seen = Seen::rows(seen);
            b.wait_copies(0);
            b.barrier();
            c.fetch(b, &v, j0, self.v);
            b.commit_copies();
            let scores = self.scores(b, seat);
            let columns: Vec<u64> = (0..self.tiles.keys / ACROSS).map(|j| j * ACROSS).collect();
            let masked = Masked {
                side: Side::Queries,
                batch: at[0],
                rows: &rows,
                first: i0,
                whole: self.tiles.rows,
                from: j0,
                tile: self.tiles.keys,
                column: b.add(j0, across),
                columns: &columns,
            };
            let mut scores = c.masked(b, &masked, scores);
            let mut acc = acc.to_vec();
            let each = sums / ROWS as usize;
            for (r, row) in scores.iter_mut().enumerate() {
                let earlier = c.softmax(b, &mut seen[r], row, &LANES);
                let earlier = b.broadcast(earlier, self.run);
                for x in &mut acc[r * each..][..each] {
                    *x = b.binary("mulf", *x, earlier);
                }
                let place = self.weights.at(b, seat.row.plus(r as i64), across);
                for (j, &p) in row.iter().enumerate() {
                    b.store(p, self.weights.buf, place.plus((j as u64 * ACROSS) as i64));
                }
            }
            b.wait_copies(0);
            b.barrier();
            let next = j0.plus(self.tiles.keys as i64);
            let more = b.test("slt", next, to);
            b.if_(more, |b| c.fetch(b, &k, next, self.k));
            b.commit_copies();
            let mut acc = self.add_values(b, seat, acc);
            acc.extend(seen.iter().flat_map(|s| [s.max, s.sum]));
            acc
        });
        let (acc, seen) = done.split_at(sums);
        let each = sums / ROWS as usize;
        for (r, (&i, s)) in rows.iter().zip(seen.chunks(2)).enumerate() {
            let (inverse, lse) = c.finish(b, &Seen { max: s[0], sum: s[1] }, &LANES);
            let inverse = b.broadcast(inverse, self.run);
            let values: Vec<Val> = acc[r * each..][..each].iter().map(|&x| b.binary("mulf", x, inverse)).collect();
            let exists = b.test("slt", i, self.spec.shape.q_len.into());
            b.if_(exists, |b| self.store(b, seat, at, i, &values, lse));
        }
    }

    /// Scores of the thread's rows against its keys: a list for each row.
    fn scores(&self, b: &mut Builder, seat: Seat) -> Vec<Vec<Val>> {
        let cols = self.tiles.keys / ACROSS;
        let zero = b.float(F32, 0.0);
        let start = vec![zero; (ROWS * cols) as usize];
        let (q, k) = (self.q.at(b, seat.row, Ix::ZERO), self.k.at(b, seat.across, Ix::ZERO));
        let acc = b.for_(Ix::ZERO, self.q.width.into(), 4, &start, |b, d, acc| {
            let mut acc = acc.to_vec();
            let (q, k) = (b.add(q, d), b.add(k, d));
            let four = |b: &mut Builder, tile: Tile, at: Ix, row: u64| {
                let v = b.load_aligned(tile.buf, at.plus((row * tile.stride) as i64), 4);
                [0, 1, 2, 3].map(|lane| b.extract(v, lane))
            };
            let of_q: Vec<[Val; 4]> = (0..ROWS).map(|r| four(b, self.q, q, r)).collect();
            for j in 0..cols {
                let of_k = four(b, self.k, k, j * ACROSS);
                for (r, of_q) in of_q.iter().enumerate() {
                    let x = &mut acc[r * cols as usize + j as usize];
                    for (&q, &k) in of_q.iter().zip(&of_k) {
                        *x = b.multiply_add(q, k, *x);
                    }
                }
            }
            acc
        });
        let mut rows: Vec<Vec<Val>> = acc.chunks(cols as usize).map(<[Val]>::to_vec).collect();
        rows.iter_mut().for_each(|row| self.c.scaled(b, row));
        rows
    }

    /// Adds the values of the tile's keys, by their weights.
    fn add_values(&self, b: &mut Builder, seat: Seat, acc: Vec<Val>) -> Vec<Val> {
        let each = acc.len() / ROWS as usize;
        let weights = self.weights.at(b, seat.row, Ix::ZERO);
        let own = b.scale(seat.across, self.run as i64);
        b.for_(Ix::ZERO, self.tiles.keys.into(), 4, &acc, |b, j, acc| {
            let mut acc = acc.to_vec();
            let at = b.add(weights, j);
            let p: Vec<Val> = (0..ROWS)
                .map(|r| b.load_aligned(self.weights.buf, at.plus((r * self.weights.stride) as i64), 4))
                .collect();
            let v = self.v.at(b, j, own);
            for lane in 0..4 {
                let row = v.plus((lane * self.v.stride) as i64);
                let p: Vec<Val> = p
                    .iter()
                    .map(|&p| {
                        let p = b.extract(p, lane);
                        b.broadcast(p, self.run)
                    })
                    .collect();
                for n in 0..each {
                    let at = row.plus((n as u64 * ACROSS * self.run) as i64);
                    let v = b.load_aligned(self.v.buf, at, self.run);
                    for (r, &p) in p.iter().enumerate() {
                        acc[r * each + n] = b.multiply_add(p, v, acc[r * each + n]);
                    }
                }
            }
            acc
        })
    }

    /// A row that exists.
    fn store(&self, b: &mut Builder, seat: Seat, at: Head, i: Ix, values: &[Val], lse: Val) {
        let (c, s) = (&self.c, self.spec);
        let o = s.shape.inputs();
        let rows = c.rows(b, o, s.o, at, [s.shape.q_len, s.shape.value]);
        store_row(b, c, &rows, i, seat.across, self.run, values);
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

/// Runs of `run` columns, those of all threads of a row beside each other; what a row has not is left out.
fn store_row(b: &mut Builder, c: &Context<'_>, x: &Rows, i: Ix, across: Ix, run: u64, values: &[Val]) {
    let own = b.scale(across, run as i64);
    let at = b.scale(i, x.seq);
    let at = b.add(at, x.base);
    let at = b.add(at, own);
    let lanes = c.lanes.min(run);
    for (n, &v) in values.iter().enumerate() {
        let from = n as u64 * ACROSS * run;
        for e in (0..run).step_by(lanes as usize) {
            let skip = (from + e) as i64;
            let store = |b: &mut Builder| {
                let part: Vec<Val> = (e..e + lanes).map(|lane| b.extract(v, lane)).collect();
                let part = b.elements(&part);
                b.store_aligned(part, x.buf, at.plus(skip));
            };
            if from + ACROSS * run <= x.width {
                store(b);
            } else {
                let inside = b.test("slt", own.plus(skip), x.width.into());
                b.if_(inside, store);
            }
        }
    }
}
