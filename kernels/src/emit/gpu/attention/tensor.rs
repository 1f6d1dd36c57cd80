//! Matmuls on tensor cores (`m16n8k16`): scores of rows against rows, and sums of rows by weights. A warp has its rows, 16 or
//! more, to itself.
//!
//! Both matmuls leave each lane two rows of every fragment, and of these rows two neighbours in every 8 columns. So two fragments
//! of scores, rounded to pairs, are one fragment of weights, and nothing but operands goes through shared memory.

use super::super::block::MmaType;
use super::context::{Context, F32, HeadRows, Sums, Team, Tile};
use crate::emit::builder::{Builder, Ix, Val};
use crate::emit::elem::convert;
use crate::geometry::round_up;
use crate::gpu::WARP;

/// Registers that rows which stay may stay in.
const KEPT: u64 = 32;

/// How the warps of a block multiply.
pub struct Warps {
    pub factor: MmaType,
    /// Fragments of rows one below the other, of a warp.
    pub rows: u64,
}

/// Where a lane's fragments begin.
pub struct Places {
    /// First row of the warp.
    pub warp: Ix,
    /// Row in a fragment, and first of two columns.
    pub group: Ix,
    pub pair: Ix,
    /// What the lane gives of rows by 16 columns (factors by rows, and by columns if transposed), and of columns by 16.
    by_rows: [Ix; 2],
    by_cols: [Ix; 2],
}

/// The rows of a matmul: fragments for each 16 of their elements, or where they are.
pub enum Left {
    Kept(Vec<Vec<[Val; 4]>>),
    Tile(Tile),
}

impl Warps {
    pub fn places(&self, b: &mut Builder) -> Places {
        let thread = b.thread();
        let (warp, lane) = b.div_rem(thread, WARP);
        let (group, within) = b.div_rem(lane, 4);
        let (half, row) = b.div_rem(lane, 16);
        let (octet, inner) = b.div_rem(lane, 8);
        let (_, odd) = b.div_rem(octet, 2);
        let below = b.scale(half, 8);
        Places {
            warp: b.scale(warp, 16 * self.rows as i64),
            group,
            pair: b.scale(within, 2),
            by_rows: [row, below],
            by_cols: [b.add(below, inner), b.scale(odd, 8)],
        }
    }

    /// The lane's rows, the first of the tile being `first`.
    pub fn rows_from(&self, b: &mut Builder, places: &Places, first: Ix) -> Vec<Ix> {
        let row = b.add(first, places.warp);
        let row = b.add(row, places.group);
        (0..2 * self.rows).map(|r| row.plus(8 * r as i64)).collect()
    }

    /// The lane's columns of so many, from its first on.
    fn columns_of(cols: u64) -> Vec<u64> {
        (0..cols / 8).flat_map(|j| [8 * j, 8 * j + 1]).collect()
    }

    /// Fragments so many elements behind an address.
    fn matrices(&self, b: &mut Builder, at: Ix, elements: u64, transposed: bool) -> [Val; 4] {
        let words = b.load_matrices(at.plus(2 * elements as i64), transposed);
        words.map(|word| b.factors(self.factor, word))
    }

    /// Fragments of the warp's rows of a tile, elements `16 d` and on.
    fn left(&self, b: &mut Builder, places: &Places, tile: Tile, d: u64) -> Vec<[Val; 4]> {
        let row = b.add(places.warp, places.by_rows[0]);
        let at = tile.at(b, row, places.by_rows[1]);
        let at = tile.address(b, at);
        (0..self.rows).map(|i| self.matrices(b, at, i * 16 * tile.stride + 16 * d, false)).collect()
    }

    /// The matmul of the warp's rows and all rows of a tile: a list for each of the lane's rows, of its columns.
    fn products_with(&self, b: &mut Builder, places: &Places, left: &Left, right: Tile) -> Vec<Vec<Val>> {
        let cols = (right.rows / 8) as usize;
        let zero = b.float(F32, 0.0);
        let mut acc = vec![[zero; 4]; self.rows as usize * cols];
        let at = right.at(b, places.by_cols[0], places.by_cols[1]);
        let at = right.address(b, at);
        for d in 0..right.width / 16 {
            let x = match left {
                Left::Kept(kept) => kept[d as usize].clone(),
                Left::Tile(tile) => self.left(b, places, *tile, d),
            };
            for j in (0..cols).step_by(2) {
                let y = self.matrices(b, at, j as u64 * 8 * right.stride + 16 * d, false);
                for (i, &x) in x.iter().enumerate() {
                    for (j, y) in [(j, [y[0], y[1]]), (j + 1, [y[2], y[3]])] {
                        acc[i * cols + j] = b.multiply([self.factor; 2], x, y, acc[i * cols + j]);
                    }
                }
            }
        }
        let mut rows = Vec::new();
        for of_rows in acc.chunks(cols) {
            for half in [0, 2] {
                rows.push(of_rows.iter().flat_map(|four| [four[half], four[half + 1]]).collect());
            }
        }
        rows
    }

    /// Step `t` of 16 columns of two rows, rounded: the lane's fragment of what multiplies such columns.
    pub fn words(&self, b: &mut Builder, rows: &[Vec<Val>], t: usize) -> [Val; 4] {
        [(0, 0), (1, 0), (0, 2), (1, 2)].map(|(half, col)| {
            let pair = &rows[half][4 * t + col..][..2];
            b.rounded_pair(self.factor, pair[0], pair[1])
        })
    }

    /// Adds the rows of a tile by their weights: one list for each of the lane's rows, of its columns.
    fn weighted(&self, b: &mut Builder, places: &Places, weights: &[Vec<Val>], right: Tile, acc: &mut [Val]) {
        let cols = (right.width / 8) as usize;
        let at = right.at(b, places.by_rows[0], places.by_rows[1]);
        let at = right.address(b, at);
        for t in 0..(right.rows / 16) as usize {
            let p: Vec<[Val; 4]> =
                weights.chunks(2).map(|rows| self.words(b, rows, t).map(|word| b.factors(self.factor, word))).collect();
            for j in (0..cols).step_by(2) {
                let v = self.matrices(b, at, t as u64 * 16 * right.stride + 8 * j as u64, true);
                for (i, &p) in p.iter().enumerate() {
                    for (j, v) in [(j, [v[0], v[1]]), (j + 1, [v[2], v[3]])] {
                        let four = &mut acc[(i * cols + j) * 4..][..4];
                        let sums = b.multiply([self.factor; 2], p, v, [four[0], four[1], four[2], four[3]]);
                        four.copy_from_slice(&sums);
                    }
                }
            }
        }
    }

    /// The sums of the lane's row `r`, two neighbours at a time.
    fn row<'v>(&self, acc: &'v [Val], r: usize) -> impl Iterator<Item = Val> + use<'v> {
        let each = acc.len() / self.rows as usize;
        let of = acc[r / 2 * each..][..each].chunks(4);
        of.flat_map(move |four| [four[r % 2 * 2], four[r % 2 * 2 + 1]])
    }

    fn row_mut<'v>(&self, acc: &'v mut [Val], r: usize) -> impl Iterator<Item = &'v mut Val> + use<'v> {
        let each = acc.len() / self.rows as usize;
        let of = acc[r / 2 * each..][..each].chunks_mut(4);
        of.flat_map(move |four| four[r % 2 * 2..][..2].iter_mut())
    }
}

impl Team for Warps {
    type Seat = Places;
    type Stays = Left;

    fn seat(&self, b: &mut Builder) -> Places {
        self.places(b)
    }

    fn rows(&self, b: &mut Builder, seat: &Places, first: Ix) -> Vec<Ix> {
        self.rows_from(b, seat, first)
    }

    fn alike(&self, b: &mut Builder, seat: &Places, first: Ix) -> (Ix, u64) {
        (b.add(first, seat.warp), 16 * self.rows)
    }

    fn column(&self, seat: &Places) -> Ix {
        seat.pair
    }

    fn columns(&self, cols: u64) -> Vec<u64> {
        Warps::columns_of(cols)
    }

    fn matmul(&self, b: &mut Builder, seat: &Places, left: Tile, right: Tile) -> Vec<Vec<Val>> {
        self.products_with(b, seat, &Left::Tile(left), right)
    }

    fn stay(&self, b: &mut Builder, seat: &Places, tile: Tile) -> Left {
        let depth = tile.width / 16;
        if self.rows * depth * 4 > KEPT {
            return Left::Tile(tile);
        }
        b.wait_copies(0);
        b.barrier();
        Left::Kept((0..depth).map(|d| self.left(b, seat, tile, d)).collect())
    }

    fn products_of(&self, b: &mut Builder, seat: &Places, left: &Left, right: Tile) -> Vec<Vec<Val>> {
        self.products_with(b, seat, left, right)
    }

    fn beside(&self) -> &'static [u64] {
        &[1, 2]
    }

    fn zeros(&self, b: &mut Builder, tile: Tile) -> Vec<Val> {
        vec![b.float(F32, 0.0); (self.rows * tile.width / 2) as usize]
    }

    fn scale(&self, b: &mut Builder, sums: &mut [Val], r: usize, factor: Val) {
        for x in self.row_mut(sums, r) {
            *x = b.binary("mulf", *x, factor);
        }
    }

    /// A lane has what it needs of them.
    fn give(&self, _: &mut Builder, _: &Places, _: &[Vec<Val>]) {}

    fn add_given(&self, b: &mut Builder, seat: &Places, weights: &[Vec<Val>], right: Tile, acc: &mut [Val]) {
        self.weighted(b, seat, weights, right, acc);
    }

    fn add(&self, b: &mut Builder, seat: &Places, weights: &[Vec<Val>], right: Tile, acc: &mut [Val]) {
        self.weighted(b, seat, weights, right, acc);
    }

    fn store(&self, b: &mut Builder, c: &Context<'_>, seat: &Places, x: &HeadRows, i: Ix, row: Sums<'_>) {
        let values: Vec<Val> = self.row(row.sums, row.r).map(|v| b.binary("mulf", v, row.factor)).collect();
        store_row(b, c, x, i, seat.pair, &values);
    }
}

/// Pairs of neighbours, 8 columns apart, from column `first` on; what a row has not is left out.
fn store_row(b: &mut Builder, c: &Context<'_>, x: &HeadRows, i: Ix, first: Ix, values: &[Val]) {
    let at = b.scale(i, x.seq);
    let at = b.add(at, x.base);
    let at = b.add(at, first);
    let lanes = c.lanes.min(2) as usize;
    for (j, pair) in values.chunks(2).enumerate() {
        for (e, group) in pair.chunks(lanes).enumerate() {
            let col = first.plus((8 * j + e) as i64);
            let at = at.plus((8 * j + e) as i64);
            let store = |b: &mut Builder| {
                let group: Vec<Val> = group.iter().map(|&v| convert(b, v, x.buf.kind)).collect();
                let v = b.elements(&group);
                b.store_aligned(v, x.buf, at);
            };
            if 8 * (j as u64 + 1) <= x.width {
                store(b);
            } else if 8 * (j as u64) < round_up(x.width, 8) {
                let inside = b.test("slt", col, x.width.into());
                b.if_(inside, store);
            }
        }
    }
}

/// A thread's two rows of the result of a warpgroup's matmul.
pub fn rows_of(result: &[Val]) -> Vec<Vec<Val>> {
    let row = |half: usize| result.chunks(4).flat_map(|four| [four[2 * half], four[2 * half + 1]]).collect();
    vec![row(0), row(1)]
}
