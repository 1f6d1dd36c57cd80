//! Matmuls by ordinary arithmetic, for types that tensor cores do not multiply. There are 16 x 16 threads. A thread has 4 rows
//! of one operand, and of the other every 16th row, or some of every 16 columns. Weights go through shared memory, where
//! neighbouring threads read them.

use super::context::{Context, F32, HeadRows, Sums, Team, Tile};
use crate::emit::builder::{Builder, ElemKind, Ix, Ty, Val};

/// Threads beside each other: those that share rows.
pub const ACROSS: u64 = 16;

/// Rows of a thread.
pub const ROWS: u64 = 4;

/// How the threads of a block multiply.
pub struct Square {
    /// Where weights are for the threads beside: as many rows as what they are weights of stays, as many columns as rows go by.
    pub weights: Tile,
}

/// First row of a thread in a tile, and its place among those that share it.
pub struct Seat {
    pub row: Ix,
    pub across: Ix,
}

/// Neighbouring columns that a thread takes of sums so wide: as many as all threads of a row have.
fn run(width: u64) -> u64 {
    [4, 2, 1].into_iter().find(|run| width.is_multiple_of(ACROSS * run)).unwrap_or(1)
}

impl Square {
    /// Adds the rows of a tile by the weights that the threads gave.
    fn sum(&self, b: &mut Builder, seat: &Seat, right: Tile, acc: &[Val]) -> Vec<Val> {
        let (each, run) = (acc.len() / ROWS as usize, run(right.width));
        let weights = self.weights.at(b, seat.row, Ix::ZERO);
        let own = b.scale(seat.across, run as i64);
        b.for_(Ix::ZERO, right.rows.into(), 4, acc, |b, j, acc| {
            let mut acc = acc.to_vec();
            let at = b.add(weights, j);
            let p: Vec<Val> = (0..ROWS)
                .map(|r| b.load_aligned(self.weights.buf, at.plus((r * self.weights.stride) as i64), 4))
                .collect();
            let v = right.at(b, j, own);
            for lane in 0..4 {
                let row = v.plus((lane * right.stride) as i64);
                let p: Vec<Val> = p
                    .iter()
                    .map(|&p| {
                        let p = b.extract(p, lane);
                        b.broadcast(p, run)
                    })
                    .collect();
                for n in 0..each {
                    let at = row.plus((n as u64 * ACROSS * run) as i64);
                    let v = b.load_aligned(right.buf, at, run);
                    for (r, &p) in p.iter().enumerate() {
                        acc[r * each + n] = b.multiply_add(p, v, acc[r * each + n]);
                    }
                }
            }
            acc
        })
    }
}

impl Team for Square {
    type Seat = Seat;
    type Stays = Tile;

    fn seat(&self, b: &mut Builder) -> Seat {
        let thread = b.thread();
        let (down, across) = b.div_rem(thread, ACROSS);
        Seat { row: b.scale(down, ROWS as i64), across }
    }

    fn rows(&self, b: &mut Builder, seat: &Seat, first: Ix) -> Vec<Ix> {
        let first = b.add(first, seat.row);
        (0..ROWS).map(|r| first.plus(r as i64)).collect()
    }

    fn alike(&self, _: &mut Builder, _: &Seat, first: Ix) -> (Ix, u64) {
        (first, self.weights.rows)
    }

    fn column(&self, seat: &Seat) -> Ix {
        seat.across
    }

    fn columns(&self, cols: u64) -> Vec<u64> {
        (0..cols / ACROSS).map(|j| j * ACROSS).collect()
    }

    fn matmul(&self, b: &mut Builder, seat: &Seat, left: Tile, right: Tile) -> Vec<Vec<Val>> {
        let cols = right.rows / ACROSS;
        let zero = b.float(F32, 0.0);
        let start = vec![zero; (ROWS * cols) as usize];
        let (x, y) = (left.at(b, seat.row, Ix::ZERO), right.at(b, seat.across, Ix::ZERO));
        let acc = b.for_(Ix::ZERO, left.width.into(), 4, &start, |b, d, acc| {
            let mut acc = acc.to_vec();
            let (x, y) = (b.add(x, d), b.add(y, d));
            let four = |b: &mut Builder, tile: Tile, at: Ix, row: u64| {
                let v = b.load_aligned(tile.buf, at.plus((row * tile.stride) as i64), 4);
                [0, 1, 2, 3].map(|lane| b.extract(v, lane))
            };
            let of_rows: Vec<[Val; 4]> = (0..ROWS).map(|r| four(b, left, x, r)).collect();
            for j in 0..cols {
                let of_col = four(b, right, y, j * ACROSS);
                for (r, of_row) in of_rows.iter().enumerate() {
                    let sum = &mut acc[r * cols as usize + j as usize];
                    for (&x, &y) in of_row.iter().zip(&of_col) {
                        *sum = b.multiply_add(x, y, *sum);
                    }
                }
            }
            acc
        });
        acc.chunks(cols as usize).map(<[Val]>::to_vec).collect()
    }

    fn stay(&self, _: &mut Builder, _: &Seat, tile: Tile) -> Tile {
        tile
    }

    fn products_of(&self, b: &mut Builder, seat: &Seat, left: &Tile, right: Tile) -> Vec<Vec<Val>> {
        self.matmul(b, seat, *left, right)
    }

    fn beside(&self) -> &'static [u64] {
        &[1, 2, 4, 8]
    }

    fn zeros(&self, b: &mut Builder, tile: Tile) -> Vec<Val> {
        let run = run(tile.width);
        let zero = b.number(Ty::vector(ElemKind::F32, run), 0.0);
        vec![zero; (ROWS * tile.width / ACROSS / run) as usize]
    }

    fn scale(&self, b: &mut Builder, sums: &mut [Val], r: usize, factor: Val) {
        let each = sums.len() / ROWS as usize;
        for x in &mut sums[r * each..][..each] {
            let factor = b.broadcast(factor, b.ty(*x).lanes);
            *x = b.binary("mulf", *x, factor);
        }
    }

    fn give(&self, b: &mut Builder, seat: &Seat, weights: &[Vec<Val>]) {
        for (r, row) in weights.iter().enumerate() {
            let place = self.weights.at(b, seat.row.plus(r as i64), seat.across);
            for (j, &p) in row.iter().enumerate() {
                b.store(p, self.weights.buf, place.plus((j as u64 * ACROSS) as i64));
            }
        }
    }

    fn add_given(&self, b: &mut Builder, seat: &Seat, _: &[Vec<Val>], right: Tile, acc: &mut [Val]) {
        let sums = self.sum(b, seat, right, acc);
        acc.copy_from_slice(&sums);
    }

    fn add(&self, b: &mut Builder, seat: &Seat, weights: &[Vec<Val>], right: Tile, acc: &mut [Val]) {
        // The weights before these have been read.
        b.barrier();
        self.give(b, seat, weights);
        b.barrier();
        self.add_given(b, seat, weights, right, acc);
    }

    /// Runs of columns, those of all threads of a row beside each other.
    fn store(&self, b: &mut Builder, c: &Context<'_>, seat: &Seat, x: &HeadRows, i: Ix, row: Sums<'_>) {
        let each = row.sums.len() / ROWS as usize;
        let values = &row.sums[row.r * each..][..each];
        let run = b.ty(values[0]).lanes;
        let factor = b.broadcast(row.factor, run);
        let own = b.scale(seat.across, run as i64);
        let at = b.scale(i, x.seq);
        let at = b.add(at, x.base);
        let at = b.add(at, own);
        let lanes = c.lanes.min(run);
        for (n, &v) in values.iter().enumerate() {
            let v = b.binary("mulf", v, factor);
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
}
