//! What the templates of attention share: operands and their tiles, which keys a query sees, the softmax of a row.

use crate::attention::{AttentionShape, Strides};
use crate::emit::attention::ahead;
use crate::emit::builder::{Buf, Builder, ElemKind, Ix, Ty, Val};
use crate::emit::elem::convert;
use crate::emit::gpu::tile::CHUNK;
use crate::expr::DType;
use crate::gpu::Grid;
use crate::target::attention_pad;
use std::cell::Cell;

pub const F32: Ty = Ty { kind: ElemKind::F32, lanes: 0 };

/// A head of queries: batch, head of keys and values, place in its group.
pub type Head = [Ix; 3];

/// An operand of one head: where its first element is, from one position to the next, positions, and elements of each.
#[derive(Clone, Copy)]
pub struct HeadRows {
    pub buf: Buf,
    pub base: Ix,
    pub seq: i64,
    pub len: u64,
    pub width: u64,
}

/// Rows in shared memory.
#[derive(Clone, Copy)]
pub struct Tile {
    pub buf: Buf,
    pub rows: u64,
    /// Elements of a row, zeros at its end included.
    pub width: u64,
    /// From one row to the next.
    pub stride: u64,
    /// Where it begins in the block's memory, in bytes, and by how many elements this stage of it is further.
    pub from: u64,
    pub shift: Ix,
}

impl Tile {
    /// The address of an element.
    pub fn address(self, b: &mut Builder, at: Ix) -> Ix {
        let bytes = b.scale(at, self.buf.kind.bytes() as i64);
        b.dynamic_address(bytes.plus(self.from as i64))
    }

    pub fn at(self, b: &mut Builder, row: Ix, col: Ix) -> Ix {
        let row = b.scale(row, self.stride as i64);
        let at = b.add(row, col);
        b.add(at, self.shift)
    }

    /// The columns of one of so many parts.
    pub fn part(self, b: &mut Builder, part: Ix, parts: u64) -> Tile {
        let width = self.width / parts;
        let from = b.scale(part, width as i64);
        Tile { width, shift: b.add(self.shift, from), ..self }
    }

    /// One of several of these that lie one after the other.
    pub fn stage(self, b: &mut Builder, stage: Ix) -> Tile {
        Tile { shift: b.scale(stage, (self.rows * self.stride) as i64), ..self }
    }
}

/// What the rows of a tile of scores are; its columns are the others.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Side {
    Queries,
    Keys,
}

impl Side {
    pub fn other(self) -> Side {
        if self == Side::Queries { Side::Keys } else { Side::Queries }
    }
}

/// How the threads of a block multiply tiles: who has which part of results and sums. On tensor cores ([`super::tensor::Warps`]), or by ordinary
/// arithmetic ([`super::square::Square`]).
pub trait Team {
    /// Where a thread's parts begin.
    type Seat;

    /// What a thread has of rows that one matmul after the other is made of.
    type Stays;

    fn seat(&self, b: &mut Builder) -> Self::Seat;

    /// The thread's rows of a tile whose first is `first`.
    fn rows(&self, b: &mut Builder, seat: &Self::Seat, first: Ix) -> Vec<Ix>;

    /// Rows of the same tile, among which are all those of the threads of a warp: the first, and how many.
    fn alike(&self, b: &mut Builder, seat: &Self::Seat, first: Ix) -> (Ix, u64);

    /// The thread's first column of a matmul, and where its columns are from there on, of so many.
    fn column(&self, seat: &Self::Seat) -> Ix;
    fn columns(&self, cols: u64) -> Vec<u64>;

    /// The matmul of the rows of one tile and those of another: a list for each of the thread's rows, of its columns.
    fn matmul(&self, b: &mut Builder, seat: &Self::Seat, left: Tile, right: Tile) -> Vec<Vec<Val>>;

    /// The thread's rows of a tile that is on its way. All threads of the block must call, and wait for the tile before a matmul.
    fn stay(&self, b: &mut Builder, seat: &Self::Seat, tile: Tile) -> Self::Stays;

    /// As [`Team::matmul`].
    fn products_of(&self, b: &mut Builder, seat: &Self::Seat, left: &Self::Stays, right: Tile) -> Vec<Vec<Val>>;

    /// Bits of the lane's number in which lanes that share a row differ.
    fn beside(&self) -> &'static [u64];

    /// Sums of the thread's rows, of a tile's width, before anything is added.
    fn zeros(&self, b: &mut Builder, tile: Tile) -> Vec<Val>;

    /// Multiplies the sums of the thread's row `r`.
    fn scale(&self, b: &mut Builder, sums: &mut [Val], r: usize, factor: Val);

    /// Weights of the thread's rows, as results of matmuls are, to where the threads beside find them after a barrier.
    fn give(&self, b: &mut Builder, seat: &Self::Seat, weights: &[Vec<Val>]);

    /// Adds the rows of a tile by their weights, which were given.
    fn add_given(&self, b: &mut Builder, seat: &Self::Seat, weights: &[Vec<Val>], right: Tile, acc: &mut [Val]);

    /// The same of weights that were not. All threads of the block must call.
    fn add(&self, b: &mut Builder, seat: &Self::Seat, weights: &[Vec<Val>], right: Tile, acc: &mut [Val]);

    /// Writes a row of sums to position `i`, which exists; what such a row has not is left out.
    fn store(&self, b: &mut Builder, c: &Context<'_>, seat: &Self::Seat, x: &HeadRows, i: Ix, row: Sums<'_>);
}

/// A thread of a team, and what it computes with.
pub struct Member<'a, T: Team> {
    pub c: &'a Context<'a>,
    pub team: &'a T,
    pub seat: &'a T::Seat,
}

/// One of a thread's rows of sums, and by what it is to be multiplied.
#[derive(Clone, Copy)]
pub struct Sums<'a> {
    pub sums: &'a [Val],
    pub r: usize,
    pub factor: Val,
}

/// The columns that a row sees, where something bounds them: the first and the last.
pub struct Limits {
    pub first: Option<Ix>,
    pub last: Option<Ix>,
}

pub struct Context<'a> {
    pub shape: &'a AttentionShape,
    pub lanes: u64,
    pub threads: u64,
    /// Bytes of shared memory that are given away.
    pub used: Cell<u64>,
}

impl<'a> Context<'a> {
    pub fn new(shape: &'a AttentionShape, grid: &Grid) -> Context<'a> {
        Context { shape, lanes: grid.lanes, threads: grid.threads.into(), used: Cell::new(0) }
    }

    /// Of a number among all heads of queries.
    pub fn head(&self, b: &mut Builder, head: Ix) -> Head {
        let (batch, head) = b.div_rem(head, self.shape.q_heads());
        let (head, group) = b.div_rem(head, self.shape.group);
        [batch, head, group]
    }

    /// Where position 0 of an operand is.
    pub fn base(&self, b: &mut Builder, at: Strides, [batch, head, group]: Head) -> Ix {
        let (x, y, z) = (b.scale(batch, at.batch), b.scale(head, at.head), b.scale(group, at.group));
        let base = b.add(x, y);
        b.add(base, z).plus(at.offset)
    }

    /// A buffer of so many positions and elements of each.
    pub fn rows(&self, b: &mut Builder, buffer: u32, at: Strides, head: Head, [len, width]: [u64; 2]) -> HeadRows {
        HeadRows { buf: Buf::arg(buffer, self.shape.dtype), base: self.base(b, at, head), seq: at.seq, len, width }
    }

    /// The columns of one of so many parts, which are whole.
    pub fn part_of(&self, b: &mut Builder, x: HeadRows, part: Ix, parts: u64) -> HeadRows {
        let width = x.width / parts;
        let from = b.scale(part, width as i64);
        HeadRows { base: b.add(x.base, from), width, ..x }
    }

    pub fn queries(&self, b: &mut Builder, buffer: u32, at: Strides, head: Head) -> HeadRows {
        self.rows(b, buffer, at, head, [self.shape.q_len, self.shape.head])
    }

    pub fn keys(&self, b: &mut Builder, buffer: u32, at: Strides, head: Head) -> HeadRows {
        self.rows(b, buffer, at, head, [self.shape.kv_len, self.shape.head])
    }

    pub fn tile(&self, b: &mut Builder, rows: u64, width: u64) -> Tile {
        self.stages(b, rows, width, 1)
    }

    /// The first of so many tiles, one after the other.
    pub fn stages(&self, b: &mut Builder, rows: u64, width: u64, stages: u64) -> Tile {
        let width = width.next_multiple_of(16);
        let stride = width + attention_pad(self.shape.tiled());
        let (buf, from) = self.memory(b, ElemKind::memory(self.shape.tiled()), stages * rows * stride);
        Tile { buf, rows, width, stride, from, shift: Ix::ZERO }
    }

    /// Shared memory, and where it begins.
    pub fn memory(&self, b: &mut Builder, kind: ElemKind, elements: u64) -> (Buf, u64) {
        let from = self.used.get();
        self.used.set(from + (elements * kind.bytes()).next_multiple_of(CHUNK));
        (b.dynamic_memory(kind, elements, from), from)
    }

    /// Positions from `from` on to a tile, by all threads: there after [`Builder::wait_copies`] and a barrier.
    pub fn fetch(&self, b: &mut Builder, x: &HeadRows, from: Ix, tile: Tile) {
        let (lanes, thread) = (self.lanes, b.thread());
        let across = tile.width / lanes;
        let vectors = tile.rows * across;
        // Single elements are many: those are a loop.
        let at_once = if lanes == 1 { 1 } else { vectors.div_ceil(self.threads) };
        let step = at_once * self.threads;
        b.loop_(Ix::ZERO, vectors.into(), step, |b, first| {
            let begin = b.add(first, thread);
            let (first_row, first_col) = b.div_rem(begin, across);
            let first_col = b.scale(first_col, lanes as i64);
            let first_place = tile.at(b, first_row, first_col);
            for i in 0..at_once {
                let v = begin.plus((i * self.threads) as i64);
                // Rows a constant apart have addresses a constant apart, which take no registers.
                let (row, col, place) = if self.threads.is_multiple_of(across) {
                    let down = (i * (self.threads / across)) as i64;
                    (first_row.plus(down), first_col, first_place.plus(down * tile.stride as i64))
                } else {
                    let (row, col) = b.div_rem(v, across);
                    let col = b.scale(col, lanes as i64);
                    (row, col, tile.at(b, row, col))
                };
                if vectors.is_multiple_of(self.threads) {
                    self.fetch_vector(b, x, from, tile, [row, col, place]);
                } else {
                    let inside = b.test("slt", v, vectors.into());
                    b.if_(inside, |b| self.fetch_vector(b, x, from, tile, [row, col, place]));
                }
            }
        });
    }

    pub fn fetch_vector(&self, b: &mut Builder, x: &HeadRows, from: Ix, tile: Tile, [row, col, place]: [Ix; 3]) {
        let lanes = self.lanes;
        let i = b.add(from, row);
        let mut exists = (!x.len.is_multiple_of(tile.rows)).then(|| b.test("slt", i, x.len.into()));
        if x.width < tile.width {
            let inside = b.test("slt", col, x.width.into());
            exists = Some(exists.map_or(inside, |e| b.binary("andi", e, inside)));
        }
        let at = b.scale(i, x.seq);
        let at = b.add(at, col);
        let at = b.add(x.base, at);
        if lanes * x.buf.kind.bytes() == CHUNK && x.buf.kind == tile.buf.kind {
            let (to, there) = (tile.address(b, place), b.int(Ty::scalar(ElemKind::I1), 1));
            return b.copy_async(to, x.buf, at, exists.unwrap_or(there));
        }
        let v = match exists {
            None => b.load_aligned(x.buf, at, lanes),
            Some(exists) => {
                let ty = Ty::vector(x.buf.kind, lanes);
                let nothing = b.number(ty, 0.0);
                b.if_else(exists, &[ty], |b| vec![b.load_aligned(x.buf, at, lanes)], |_| vec![nothing])[0]
            }
        };
        let v = convert(b, v, tile.buf.kind);
        b.store_aligned(v, tile.buf, place);
    }

    // ---- which keys a query sees

    /// The columns that row `row` sees, of tiles of `tile` columns: none beyond the last that exists.
    pub fn limits(&self, b: &mut Builder, side: Side, row: Ix, tile: u64) -> Limits {
        let (shape, ahead) = (self.shape, ahead(b, self.shape));
        let (at, before, after, len) = match side {
            Side::Queries => (b.add(row, ahead), shape.before(), shape.after(), shape.kv_len),
            Side::Keys => {
                let back = b.scale(ahead, -1);
                (b.add(row, back), shape.after(), shape.before(), shape.q_len)
            }
        };
        let end = Ix::from(len).plus(-1);
        let last = match after {
            None => (!len.is_multiple_of(tile)).then_some(end),
            Some(after) => Some(b.min(at.plus(after as i64), end)),
        };
        Limits { first: before.map(|before| at.plus(-(before as i64))), last }
    }

    /// Columns that rows `row..row + rows` see, the first at the beginning of a tile.
    pub fn columns(&self, b: &mut Builder, side: Side, row: Ix, rows: u64, tile: u64) -> [Ix; 2] {
        let len = if side == Side::Queries { self.shape.kv_len } else { self.shape.q_len };
        let first = self.limits(b, side, row, tile).first.map_or(Ix::ZERO, |first| {
            let first = b.max(first, Ix::ZERO);
            let (tiles, _) = b.div_rem(first, tile);
            b.scale(tiles, tile as i64)
        });
        let last = self.limits(b, side, row.plus(rows as i64 - 1), tile).last;
        [first, last.map_or(len.into(), |last| last.plus(1))]
    }

    /// Scores of rows `rows` (numbers, not values) against columns, with minus infinity where a row does not see a column. `scores` has
    /// one list for each row, `columns` says where its elements are from `column` on. All rows are among `whole` from `first` on, which
    /// is the same for all lanes of a warp.
    pub fn masked(&self, b: &mut Builder, m: &Masked<'_>, scores: Vec<Vec<Val>>) -> Vec<Vec<Val>> {
        let Some(needed) = self.mask_is_needed(b, m) else { return scores };
        let types = vec![F32; scores.iter().map(Vec::len).sum()];
        let flat: Vec<Val> = scores.iter().flatten().copied().collect();
        let out = match needed {
            Needed::Always => self.mask(b, m, &scores),
            Needed::If(condition) => b.if_else(condition, &types, |b| self.mask(b, m, &scores), |_| flat),
        };
        alike(out, &scores)
    }

    /// The same for a tile in which some row does not see some column.
    pub fn masked_always(&self, b: &mut Builder, m: &Masked<'_>, scores: Vec<Vec<Val>>) -> Vec<Vec<Val>> {
        let out = self.mask(b, m, &scores);
        alike(out, &scores)
    }

    pub fn mask_is_needed(&self, b: &mut Builder, m: &Masked<'_>) -> Option<Needed> {
        if self.shape.segments.is_some() {
            return Some(Needed::Always);
        }
        let last = self.limits(b, m.side, m.first, m.tile).last;
        let end = m.first.plus(m.whole as i64 - 1);
        let first = self.limits(b, m.side, end, m.tile).first;
        let beyond = last.map(|last| b.test("slt", last, m.from.plus(m.tile as i64 - 1)));
        let early = first.map(|first| b.test("sgt", first, m.from));
        match (beyond, early) {
            (None, None) => None,
            (Some(one), None) | (None, Some(one)) => Some(Needed::If(one)),
            (Some(x), Some(y)) => Some(Needed::If(b.binary("ori", x, y))),
        }
    }

    pub fn mask(&self, b: &mut Builder, m: &Masked<'_>, scores: &[Vec<Val>]) -> Vec<Val> {
        let nothing = b.float(F32, f64::NEG_INFINITY);
        let back = b.scale(m.column, -1);
        let found = self.shape.segments.is_some() && m.numbers.is_none();
        let found = found.then(|| {
            let columns: Vec<Ix> = m.columns.iter().map(|&c| m.column.plus(c as i64)).collect();
            [self.segments(b, m.side, m.batch, m.rows), self.segments(b, m.side.other(), m.batch, &columns)]
        });
        let numbers = m.numbers.or(found.as_ref().map(|[rows, columns]| [rows, columns].map(Vec::as_slice)));
        let mut out = Vec::new();
        for (r, (&row, scores)) in m.rows.iter().zip(scores).enumerate() {
            let limits = self.limits(b, m.side, row, m.tile);
            let [first, last] = [limits.first, limits.last].map(|limit| {
                limit.map(|limit| {
                    let from_column = b.add(limit, back);
                    self.number(b, from_column)
                })
            });
            for (i, (&c, &score)) in m.columns.iter().zip(scores).enumerate() {
                let c = b.int(Ty::scalar(ElemKind::I32), c as i64);
                let mut sees = last.map(|last| b.compare("sge", last, c));
                if let Some(first) = first {
                    let late = b.compare("sle", first, c);
                    sees = Some(sees.map_or(late, |s| b.binary("andi", s, late)));
                }
                if let Some([rows, columns]) = numbers {
                    let alike = b.compare("eq", rows[r], columns[i]);
                    sees = Some(sees.map_or(alike, |s| b.binary("andi", s, alike)));
                }
                out.push(sees.map_or(score, |sees| b.select(sees, score, nothing)));
            }
        }
        out
    }

    /// The numbers of positions' segments, of queries or keys; where one does not exist, the last one's. None without segments.
    pub fn segments(&self, b: &mut Builder, side: Side, batch: Ix, positions: &[Ix]) -> Vec<Val> {
        let Some([q, k]) = self.shape.segments else { return Vec::new() };
        let (buffer, at, len) =
            if side == Side::Queries { (3, q, self.shape.q_len) } else { (4, k, self.shape.kv_len) };
        let base = self.base(b, at, [batch, Ix::ZERO, Ix::ZERO]);
        let load = |b: &mut Builder, i: Ix| {
            let i = b.min(i, Ix::from(len).plus(-1));
            let i = b.scale(i, at.seq);
            let at = b.add(base, i);
            b.load(Buf::arg(buffer, DType::I32), at, 0)
        };
        positions.iter().map(|&i| load(b, i)).collect()
    }

    pub fn number(&self, b: &mut Builder, x: Ix) -> Val {
        let x = b.ix(x);
        b.cast("index_cast", x, ElemKind::I32)
    }

    // ---- softmax

    /// What rows have seen: `scores`, in place of which their exponentials come back, and by what each row has to multiply what it had.
    /// Their other elements have the lanes whose numbers differ in the bits of `lanes`. Rows, and parts of each, come in turns, since
    /// what follows from the result before has to wait for it.
    pub fn softmax(&self, b: &mut Builder, seen: &mut [Seen], scores: &mut [Vec<Val>], lanes: &[u64]) -> Vec<Val> {
        // Passes over NaN, which still reaches the sum.
        let max = |b: &mut Builder, x, y| b.apply("arith.maxnumf", x, y);
        let mut maxima: Vec<[Option<Val>; PARTS]> = seen.iter().map(|s| [Some(s.max), None]).collect();
        let columns = scores.first().map_or(0, Vec::len);
        for i in 0..columns {
            for (all, row) in maxima.iter_mut().zip(&*scores) {
                let part = &mut all[i % PARTS];
                *part = Some(part.map_or(row[i], |x| max(b, x, row[i])));
            }
        }
        let mut maxima: Vec<Val> = maxima.into_iter().map(|parts| over(b, parts, max)).collect();
        for &mask in lanes {
            for x in &mut maxima {
                let other = b.shuffle_xor(*x, mask);
                *x = max(b, *x, other);
            }
        }
        let (lowest, zero) = (b.float(F32, f64::NEG_INFINITY), b.float(F32, 0.0));
        let (factor, minus) = (b.float(F32, self.factor()), b.float(F32, -self.factor()));
        let shifts: Vec<Val> = maxima
            .iter()
            .map(|&max| {
                // A row that has seen nothing: its exponentials are those of minus infinity, not of NaN.
                let nothing = b.compare("oeq", max, lowest);
                let shift = b.select(nothing, zero, max);
                b.binary("mulf", shift, minus)
            })
            .collect();
        let exponential = |b: &mut Builder, x: Val, shift: Val| {
            let x = b.multiply_add(x, factor, shift);
            self.exponential(b, x)
        };
        let earlier: Vec<Val> = seen.iter().zip(&shifts).map(|(s, &shift)| exponential(b, s.max, shift)).collect();
        let of_earlier = seen.iter().zip(&earlier).map(|(s, &e)| [Some(b.binary("mulf", s.sum, e)), None]);
        let mut sums: Vec<[Option<Val>; PARTS]> = of_earlier.collect();
        for i in 0..columns {
            for ((all, row), &shift) in sums.iter_mut().zip(&mut *scores).zip(&shifts) {
                row[i] = exponential(b, row[i], shift);
                let part = &mut all[i % PARTS];
                *part = Some(part.map_or(row[i], |x| b.binary("addf", x, row[i])));
            }
        }
        for ((s, max), parts) in seen.iter_mut().zip(maxima).zip(sums) {
            *s = Seen { max, sum: over(b, parts, |b, x, y| b.binary("addf", x, y)) };
        }
        earlier
    }

    /// What scores are multiplied by before they are: those with a negative scale, whose largest are the least.
    pub fn scaled(&self, b: &mut Builder, scores: &mut [Val]) {
        if self.shape.scale() > 0.0 {
            return;
        }
        let scale = b.float(F32, self.shape.scale());
        for x in scores {
            *x = b.binary("mulf", *x, scale);
        }
    }

    /// What is left of the scale.
    pub fn left_scale(&self) -> f64 {
        if self.shape.scale() > 0.0 { self.shape.scale() } else { 1.0 }
    }

    /// The same, as exponentials are taken.
    pub fn factor(&self) -> f64 {
        self.left_scale() * self.of_exponents()
    }

    /// The exponential of what was multiplied by [`Context::of_exponents`]: a power of two, to 22 bits, is good enough for 16.
    pub fn exponential(&self, b: &mut Builder, x: Val) -> Val {
        if self.shape.is_narrow() { b.exp2(x) } else { b.unary("loom.exp", x) }
    }

    pub fn of_exponents(&self) -> f64 {
        if self.shape.is_narrow() { std::f64::consts::LOG2_E } else { 1.0 }
    }

    /// One over the sum of a row, and its log-sum-exp; all lanes of the row must call.
    pub fn finish(&self, b: &mut Builder, seen: &Seen, lanes: &[u64]) -> (Val, Val) {
        let mut sum = seen.sum;
        for &mask in lanes {
            let other = b.shuffle_xor(sum, mask);
            sum = b.binary("addf", sum, other);
        }
        let (one, scale) = (b.float(F32, 1.0), b.float(F32, self.left_scale()));
        let inverse = b.binary("divf", one, sum);
        let log = b.unary("loom.log", sum);
        (inverse, b.multiply_add(seen.max, scale, log))
    }
}

/// In how many parts a row's maximum and sum are taken.
const PARTS: usize = 2;

/// All parts together. The first is there.
fn over(b: &mut Builder, parts: [Option<Val>; PARTS], mut f: impl FnMut(&mut Builder, Val, Val) -> Val) -> Val {
    let [first, second] = parts;
    let first = first.unwrap_or_else(|| b.float(F32, 0.0));
    second.map_or(first, |second| f(b, first, second))
}

/// A list in rows as long as others.
fn alike(mut list: Vec<Val>, others: &[Vec<Val>]) -> Vec<Vec<Val>> {
    let mut rows = Vec::new();
    for other in others {
        let rest = list.split_off(other.len());
        rows.push(std::mem::replace(&mut list, rest));
    }
    rows
}

/// What a row has seen of its scores: the largest, and this thread's part of the sum of exponentials.
#[derive(Clone, Copy)]
pub struct Seen {
    pub max: Val,
    pub sum: Val,
}

impl Seen {
    pub fn nothing(b: &mut Builder) -> Seen {
        Seen { max: b.float(F32, f64::NEG_INFINITY), sum: b.float(F32, 0.0) }
    }

    /// What a loop carries of `rows` rows before the first key, behind the sums of their weighted values.
    pub fn start(b: &mut Builder, zeros: Vec<Val>, rows: usize) -> Vec<Val> {
        let mut start = zeros;
        for _ in 0..rows {
            let Seen { max, sum } = Seen::nothing(b);
            start.extend([max, sum]);
        }
        start
    }

    /// Of each row, from what a loop carries.
    pub fn rows(carried: &[Val]) -> Vec<Seen> {
        carried.chunks(2).map(|s| Seen { max: s[0], sum: s[1] }).collect()
    }
}

/// A tile of scores that is to be masked: see [`Context::masked`].
pub struct Masked<'a> {
    pub side: Side,
    pub batch: Ix,
    pub rows: &'a [Ix],
    pub first: Ix,
    pub whole: u64,
    /// Where the tile's columns begin, how many there are, where this thread's begin, and which it has from there on.
    pub from: Ix,
    pub tile: u64,
    pub column: Ix,
    pub columns: &'a [u64],
    /// The segments of rows and columns, where those are known already.
    pub numbers: Option<[&'a [Val]; 2]>,
}

pub enum Needed {
    Always,
    If(Val),
}
