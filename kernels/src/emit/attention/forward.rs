//! The forward pass: scores of a tile of queries, a softmax per row, the matmul with the values.

use super::context::{AttentionContext, Columns, HeadOperand, TileMatmul};
use crate::attention::{Attention, ForwardScratch};
use crate::emit::builder::{Builder, Ix};
use crate::emit::elem::convert;
use crate::target::Target;

pub fn emit(b: &mut Builder, spec: &Attention, target: &Target) {
    let context = AttentionContext::new(b, &spec.shape, target);
    let pass = Forward { spec, scratch: spec.scratch(), context };
    let (lo, hi) = (b.lo(), b.hi());
    b.loop_(lo, hi, 1, |b, unit| pass.unit(b, unit));
}

struct Forward<'a> {
    spec: &'a Attention,
    scratch: ForwardScratch,
    context: AttentionContext,
}

/// The operands of one unit.
struct Unit {
    q: HeadOperand,
    v: HeadOperand,
    segments: Option<[HeadOperand; 2]>,
    o: HeadOperand,
    lse: HeadOperand,
}

impl Forward<'_> {
    fn unit(&self, b: &mut Builder, unit: Ix) {
        let (c, s) = (&self.context, self.spec);
        let (batch, head) = b.div_rem(unit, s.shape.q_heads());
        let (head, group) = b.div_rem(head, s.shape.group);
        let (at, out) = ([batch, head, group], s.shape.inputs());
        let k = c.operand(b, 1, s.k, at);
        let v = c.operand(b, 2, s.v, at);
        let unit = Unit {
            q: c.operand(b, 0, s.q, at),
            v: c.widened(b, v, [Ix::ZERO, s.shape.kv_len.into()], s.shape.value, self.scratch.v),
            segments: c.segments(b, at),
            o: c.operand(b, out, s.o, at),
            lse: c.statistic(b, out + 1, s.lse, at),
        };
        c.transpose(b, k, s.shape.head, self.scratch.kt);
        let len = s.shape.q_len;
        c.row_tiles(b, Ix::ZERO, len.into(), len, &|b, i0, rows| self.tile(b, &unit, i0, rows));
    }

    /// `rows` queries from `i0` on.
    fn tile(&self, b: &mut Builder, unit: &Unit, i0: Ix, rows: u64) {
        let (c, shape) = (&self.context, &self.spec.shape);
        let keys = [c.first_key(b, i0), c.seen(b, i0, rows)];
        let q = c.widened(b, unit.q, [i0, rows.into()], shape.head, self.scratch.q);
        b.loop_(keys[0], keys[1], shape.key_tile(), |b, j0| self.scores(b, q, rows, j0));
        b.loop_(Ix::ZERO, rows.into(), 1, |b, r| self.softmax(b, unit, i0, r, keys));
        let values = TileMatmul {
            rows,
            cols: shape.value,
            k: keys,
            whole: c.by_fours(shape.kv_len),
            left: &|b, r, k| {
                let at = k.plus(self.score_row(r));
                c.splat_scratch(b, at)
            },
            right: &|b, k, at| c.load(b, unit.v, k, at),
            start: None,
        };
        c.matmul(b, &values, &|b, r, at, sum| {
            let inverse = c.splat_scratch(b, (self.scratch.inverse + r).into());
            let o = b.binary("mulf", sum, inverse);
            c.store(b, o, unit.o, i0.plus(r as i64), at);
        });
    }

    /// Where the scores of row `r` of the tile begin.
    fn score_row(&self, r: u64) -> i64 {
        (self.scratch.scores + r * self.spec.shape.kv_pad()) as i64
    }

    /// Scaled scores of the tile's queries against keys `j0..j0 + key_tile`.
    fn scores(&self, b: &mut Builder, q: HeadOperand, rows: u64, j0: Ix) {
        let (c, shape) = (&self.context, &self.spec.shape);
        let matmul = TileMatmul {
            rows,
            cols: shape.key_tile(),
            k: [Ix::ZERO, shape.head.into()],
            whole: c.by_fours(shape.head),
            left: &|b, r, d| c.splat(b, q, r.into(), d),
            right: &|b, d, at: Columns| {
                let row = b.scale(d, shape.kv_pad() as i64);
                let at = b.add(at.at, j0);
                let at = b.add(row, at);
                b.load(c.scratch, at.plus(self.scratch.kt as i64), c.lanes)
            },
            start: None,
        };
        let scale = b.float(c.vector(), shape.scale());
        c.matmul(b, &matmul, &|b, r, at, sum| {
            let score = b.binary("mulf", sum, scale);
            let at = b.add(at.at, j0);
            b.store(score, c.scratch, at.plus(self.score_row(r)));
        });
    }

    /// Exponentials of a row's scores in their place; one over their sum, and the log-sum-exp, beside.
    fn softmax(&self, b: &mut Builder, unit: &Unit, i0: Ix, r: Ix, keys: [Ix; 2]) {
        let (c, lanes) = (&self.context, self.context.lanes);
        let (i, row) = (b.add(i0, r), b.scale(r, self.spec.shape.kv_pad() as i64));
        let row = row.plus(self.scratch.scores as i64);
        let (lowest, zero) = (b.float(c.vector(), f64::NEG_INFINITY), b.float(c.vector(), 0.0));
        let max = b.for_(keys[0], keys[1], lanes, &[lowest], |b, j, acc| {
            let at = b.add(row, j);
            let x = b.load(c.scratch, at, lanes);
            let mask = c.visible(b, j, i, unit.segments);
            let x = c.keep(b, mask, x, f64::NEG_INFINITY);
            // One instruction, unlike `maximumf`: a NaN that it passes over still reaches the sum.
            let above = b.compare("ogt", x, acc[0]);
            vec![b.select(above, x, acc[0])]
        });
        let max = b.reduction("maximumf", max[0]);
        let shift = b.broadcast(max, lanes);
        let sum = b.for_(keys[0], keys[1], lanes, &[zero], |b, j, acc| {
            let at = b.add(row, j);
            let x = b.load(c.scratch, at, lanes);
            let x = b.binary("subf", x, shift);
            let e = b.unary("loom.exp", x);
            let mask = c.visible(b, j, i, unit.segments);
            let e = c.keep(b, mask, e, 0.0);
            b.store(e, c.scratch, at);
            vec![b.binary("addf", acc[0], e)]
        });
        let sum = b.reduction("add", sum[0]);
        let one = b.float(c.vector().scalar_of(), 1.0);
        let inverse = b.binary("divf", one, sum);
        b.store(inverse, c.scratch, r.plus(self.scratch.inverse as i64));
        let log = b.unary("loom.log", sum);
        let lse = b.binary("addf", log, max);
        let at = c.row(b, unit.lse, i);
        let lse = convert(b, lse, unit.lse.buf.kind);
        b.store(lse, unit.lse.buf, at);
    }
}
