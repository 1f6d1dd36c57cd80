//! What the passes of attention share: operands of one head, their copies in scratch, and matmuls of tiles.

use crate::attention::{AttentionShape, Strides};
use crate::emit::builder::{Buf, Builder, ElemKind, Ix, Ty, Val};
use crate::emit::elem::convert;
use crate::expr::DType;
use crate::geometry::ceil_div;
use crate::spec::TILE_ROWS;
use crate::target::{Target, Tuning};

/// What both passes need to know.
pub struct AttentionContext {
    pub shape: AttentionShape,
    pub lanes: u64,
    pub tuning: Tuning,
    pub scratch: Buf,
}

/// A head of queries: batch, head of keys and values, place in its group.
pub type Head = [Ix; 3];

/// An operand of one head: its buffer, where its first element is, and elements from one position to the next.
#[derive(Clone, Copy)]
pub struct HeadOperand {
    pub buf: Buf,
    pub base: Ix,
    pub seq: i64,
}

/// Columns of a register tile: where a vector begins, and which of its lanes exist.
#[derive(Clone, Copy)]
pub struct Columns {
    pub at: Ix,
    pub mask: Option<Val>,
}

/// What the sum of a row and a vector of columns starts from.
pub type Start<'f> = &'f dyn Fn(&mut Builder, u64, Columns) -> Val;

/// A matmul of a tile: `sum over k of left(row, k) * right(k, columns)`.
pub struct TileMatmul<'f> {
    pub rows: u64,
    pub cols: u64,
    pub k: [Ix; 2],
    /// Whether k can be taken by fours.
    pub whole: bool,
    pub left: &'f dyn Fn(&mut Builder, u64, Ix) -> Val,
    pub right: &'f dyn Fn(&mut Builder, Ix, Columns) -> Val,
    /// What the sum starts from, if not from zero.
    pub start: Option<Start<'f>>,
}

impl AttentionContext {
    pub fn new(b: &mut Builder, shape: &AttentionShape, target: &Target) -> AttentionContext {
        let dtype = shape.computed();
        let scratch = b.scratch(ElemKind::value(dtype));
        AttentionContext { shape: *shape, lanes: target.lanes(dtype), tuning: target.tuning(), scratch }
    }

    /// What is computed with.
    pub fn kind(&self) -> ElemKind {
        self.scratch.kind
    }

    pub fn vector(&self) -> Ty {
        Ty::vector(self.kind(), self.lanes)
    }

    pub fn operand(&self, b: &mut Builder, buffer: u32, at: Strides, head: Head) -> HeadOperand {
        self.operand_of(b, Buf::arg(buffer, self.shape.dtype), at, head)
    }

    /// The log-sum-exp.
    pub fn statistic(&self, b: &mut Builder, buffer: u32, at: Strides, head: Head) -> HeadOperand {
        self.operand_of(b, Buf::arg(buffer, self.shape.computed()), at, head)
    }

    pub fn operand_of(&self, b: &mut Builder, buf: Buf, at: Strides, [batch, head, group]: Head) -> HeadOperand {
        let (x, y, z) = (b.scale(batch, at.batch), b.scale(head, at.head), b.scale(group, at.group));
        let base = b.add(x, y);
        let base = b.add(base, z).plus(at.offset);
        HeadOperand { buf, base, seq: at.seq }
    }

    /// A table of scratch, row after row.
    pub fn table(&self, at: u64, row: u64) -> HeadOperand {
        HeadOperand { buf: self.scratch, base: at.into(), seq: row as i64 }
    }

    /// Rows `from..from + len` of an operand as they are computed with: the operand itself, or its copy in scratch, from row 0 on.
    pub fn widened(&self, b: &mut Builder, x: HeadOperand, [from, len]: [Ix; 2], row: u64, at: u64) -> HeadOperand {
        if x.buf.kind == self.kind() {
            let base = self.row(b, x, from);
            return HeadOperand { base, ..x };
        }
        let wide = self.table(at, row);
        b.loop_(Ix::ZERO, len, 1, |b, i| {
            let source = b.add(from, i);
            self.copy_row(b, [x, wide], [source, i], row);
        });
        wide
    }

    /// Where sums of an operand are made: in its place, or in scratch.
    pub fn sums(&self, x: HeadOperand, row: u64, at: u64) -> HeadOperand {
        if x.buf.kind == self.kind() { x } else { self.table(at, row) }
    }

    /// Sums that were made in scratch to their place.
    pub fn narrowed(&self, b: &mut Builder, [sums, x]: [HeadOperand; 2], len: u64, row: u64) {
        if sums.buf != x.buf {
            b.loop_(Ix::ZERO, len.into(), 1, |b, i| self.copy_row(b, [sums, x], [i, i], row));
        }
    }

    pub fn copy_row(&self, b: &mut Builder, [x, y]: [HeadOperand; 2], [from, to]: [Ix; 2], row: u64) {
        for at in (0..row).step_by(self.lanes as usize) {
            let d = self.columns(b, at, row);
            let v = self.load(b, x, from, d);
            self.store(b, v, y, to, d);
        }
    }

    /// Segments of queries and of keys.
    pub fn segments(&self, b: &mut Builder, head: Head) -> Option<[HeadOperand; 2]> {
        let [q, k] = self.shape.segments?;
        let mut operand = |buffer, at| {
            let x = self.operand(b, buffer, at, head);
            HeadOperand { buf: Buf::arg(buffer, DType::I32), ..x }
        };
        Some([operand(3, q), operand(4, k)])
    }

    /// Where position `i` of an operand begins.
    pub fn row(&self, b: &mut Builder, x: HeadOperand, i: Ix) -> Ix {
        let part = b.scale(i, x.seq);
        b.add(x.base, part)
    }

    /// A vector of one position.
    pub fn load(&self, b: &mut Builder, x: HeadOperand, i: Ix, c: Columns) -> Val {
        let row = self.row(b, x, i);
        let at = b.add(row, c.at);
        let v = match c.mask {
            None => b.load(x.buf, at, self.lanes),
            Some(mask) => b.masked_load(x.buf, at, mask),
        };
        convert(b, v, self.kind())
    }

    pub fn store(&self, b: &mut Builder, v: Val, x: HeadOperand, i: Ix, c: Columns) {
        let row = self.row(b, x, i);
        let (at, v) = (b.add(row, c.at), convert(b, v, x.buf.kind));
        match c.mask {
            None => b.store(v, x.buf, at),
            Some(mask) => b.masked_store(v, x.buf, at, mask),
        }
    }

    /// One element of one position, in every lane.
    pub fn splat(&self, b: &mut Builder, x: HeadOperand, i: Ix, d: Ix) -> Val {
        let row = self.row(b, x, i);
        let at = b.add(row, d);
        let v = b.load(x.buf, at, 0);
        let v = convert(b, v, self.kind());
        b.broadcast(v, self.lanes)
    }

    /// An element of scratch, in every lane.
    pub fn splat_scratch(&self, b: &mut Builder, at: Ix) -> Val {
        b.splat(self.scratch, at, self.lanes)
    }

    /// `TILE_ROWS` rows at a time from `from` on, then what is left of `len`. Whole tiles stop at `to`.
    pub fn row_tiles(&self, b: &mut Builder, from: Ix, to: Ix, len: u64, tile: &dyn Fn(&mut Builder, Ix, u64)) {
        let whole = len / TILE_ROWS * TILE_ROWS;
        let end = b.min(to, whole.into());
        b.loop_(from, end, TILE_ROWS, |b, i| tile(b, i, TILE_ROWS));
        if whole == len {
            return;
        }
        match to.known() {
            Some(to) if to as u64 >= len => tile(b, whole.into(), len - whole),
            Some(_) => {}
            None => {
                let last = b.test("sge", to, len.into());
                b.if_(last, |b| tile(b, whole.into(), len - whole));
            }
        }
    }

    /// Columns `at..at + lanes` of `cols`.
    pub fn columns(&self, b: &mut Builder, at: u64, cols: u64) -> Columns {
        let mask = (at + self.lanes > cols).then(|| b.mask(self.lanes, cols - at));
        Columns { at: at.into(), mask }
    }

    /// Calls `done(row, columns, sum)` for every vector of a matmul, one register tile after the other.
    pub fn matmul(&self, b: &mut Builder, p: &TileMatmul<'_>, done: &dyn Fn(&mut Builder, u64, Columns, Val)) {
        let width = self.tuning.tile_vectors * self.lanes;
        let whole = p.cols / width;
        // Few register tiles are written out, many are a loop.
        let looped = if whole > 2 { whole } else { 0 };
        b.loop_(Ix::ZERO, (looped * width).into(), width, |b, at| {
            let columns: Vec<Columns> = (0..self.tuning.tile_vectors)
                .map(|v| Columns { at: at.plus((v * self.lanes) as i64), mask: None })
                .collect();
            self.column_tile(b, p, &columns, done);
        });
        for at in (looped * width..p.cols).step_by(width as usize) {
            let count = ceil_div(p.cols - at, self.lanes).min(self.tuning.tile_vectors);
            let columns: Vec<Columns> = (0..count).map(|v| self.columns(b, at + v * self.lanes, p.cols)).collect();
            self.column_tile(b, p, &columns, done);
        }
    }

    pub fn column_tile(
        &self,
        b: &mut Builder,
        p: &TileMatmul<'_>,
        columns: &[Columns],
        done: &dyn Fn(&mut Builder, u64, Columns, Val),
    ) {
        for r0 in (0..p.rows).step_by(self.tuning.tile_rows as usize) {
            let rows = r0..(r0 + self.tuning.tile_rows).min(p.rows);
            let zero = b.float(self.vector(), 0.0);
            let mut start = Vec::new();
            for r in rows.clone() {
                start.extend(columns.iter().map(|&c| p.start.map_or(zero, |f| f(b, r, c))));
            }
            let unroll = if p.whole { self.tuning.attention_unroll } else { 1 };
            let sums = b.for_(p.k[0], p.k[1], unroll, &start, |b, k, acc| {
                let mut acc = acc.to_vec();
                for u in 0..unroll {
                    let k = k.plus(u as i64);
                    let right: Vec<Val> = columns.iter().map(|&c| (p.right)(b, k, c)).collect();
                    for r in rows.clone() {
                        let left = (p.left)(b, r, k);
                        for (v, &x) in right.iter().enumerate() {
                            let at = (r - r0) as usize * columns.len() + v;
                            acc[at] = b.multiply_add(left, x, acc[at]);
                        }
                    }
                }
                acc
            });
            for r in rows {
                for (v, &c) in columns.iter().enumerate() {
                    done(b, r, c, sums[(r - r0) as usize * columns.len() + v]);
                }
            }
        }
    }

    /// Whether k loops over these bounds can be taken by fours.
    pub fn by_fours(&self, len: u64) -> bool {
        len.is_multiple_of(self.tuning.attention_unroll)
    }

    /// Transposes keys or values, of `head` elements, into scratch: `[head][kv_pad]` from `dst` on. Columns beyond the last key are
    /// left as they are.
    pub fn transpose(&self, b: &mut Builder, x: HeadOperand, head: u64, dst: u64) {
        let (lanes, len) = (self.lanes, self.shape.kv_len);
        let whole = len / lanes * lanes;
        b.loop_(Ix::ZERO, whole.into(), lanes, |b, t| self.transpose_keys(b, x, head, dst, t, lanes));
        if whole < len {
            self.transpose_keys(b, x, head, dst, whole.into(), len - whole);
        }
    }

    /// `keys` keys from `t` on.
    pub fn transpose_keys(&self, b: &mut Builder, x: HeadOperand, head: u64, dst: u64, t: Ix, keys: u64) {
        let lanes = self.lanes;
        let whole = head / lanes * lanes;
        let square = |b: &mut Builder, d: Columns, depth: u64| {
            let zero = b.float(self.vector(), 0.0);
            let mut rows = Vec::new();
            for r in 0..lanes {
                rows.push(if r < keys { self.load(b, x, t.plus(r as i64), d) } else { zero });
            }
            for (i, &v) in b.transpose(&rows).iter().enumerate().take(depth as usize) {
                let row = b.scale(d.at.plus(i as i64), self.shape.kv_pad() as i64);
                let at = b.add(row, t);
                b.store(v, self.scratch, at.plus(dst as i64));
            }
        };
        b.loop_(Ix::ZERO, whole.into(), lanes, |b, d| square(b, Columns { at: d, mask: None }, lanes));
        if whole < head {
            let d = self.columns(b, whole, head);
            square(b, d, head - whole);
        }
    }

    pub fn keep(&self, b: &mut Builder, mask: Option<Val>, v: Val, otherwise: f64) -> Val {
        let Some(mask) = mask else { return v };
        let other = b.float(self.vector(), otherwise);
        b.select(mask, v, other)
    }
}
