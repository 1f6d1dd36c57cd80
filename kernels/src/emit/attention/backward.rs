//! The backward pass, one block of keys at a time.
//!
//! For a block: all tiles of queries that see it recompute their probabilities P and the gradients dS of their scores into scratch, and
//! add dS k to dq; then each tile of keys sums P^T do and dS^T q over the queries. Sums go in the order of positions, so the bits
//! depend on nothing else.

use super::{Columns, Context, Operand, Product};
use crate::attention::{AttentionBackward, BackwardScratch};
use crate::emit::builder::{Builder, Ix, Val};
use crate::target::Target;

pub fn emit(b: &mut Builder, spec: &AttentionBackward, target: &Target) {
    let context = Context::new(b, &spec.shape, target);
    let pass = Backward { spec, scratch: spec.scratch(), context };
    let (lo, hi) = (b.lo(), b.hi());
    b.loop_(lo, hi, 1, |b, unit| pass.unit(b, unit));
}

struct Backward<'a> {
    spec: &'a AttentionBackward,
    scratch: BackwardScratch,
    context: Context,
}

/// The operands of one unit.
struct Unit {
    q: Operand,
    k: Operand,
    o: Operand,
    lse: Operand,
    d_o: Operand,
    dq: Operand,
    dk: Operand,
    dv: Operand,
}

impl Backward<'_> {
    fn unit(&self, b: &mut Builder, unit: Ix) {
        let (c, s) = (&self.context, self.spec);
        let (batch, head) = b.div_rem(unit, s.shape.heads);
        let at = if s.shape.heads == 1 { [unit, Ix::ZERO] } else { [batch, head] };
        let mut operand = |buffer: u32, strides| c.operand(b, buffer, strides, at);
        let v = operand(2, s.v);
        let unit = Unit {
            q: operand(0, s.q),
            k: operand(1, s.k),
            o: operand(3, s.o),
            lse: operand(4, s.lse),
            d_o: operand(5, s.d_o),
            dq: operand(6, s.dq),
            dk: operand(7, s.dk),
            dv: operand(8, s.dv),
        };
        c.transpose(b, unit.k, self.scratch.kt);
        c.transpose(b, v, self.scratch.vt);
        b.loop_(Ix::ZERO, s.shape.q_len.into(), 1, |b, i| self.delta(b, &unit, i));
        let (pad, block) = (s.shape.kv_pad(), s.shape.key_block());
        b.loop_(Ix::ZERO, pad.into(), block, |b, from| {
            let to = b.min(from.plus(block as i64), pad.into());
            // Shifted, any tile may be the first to see this block, and those before it begin their sums.
            let first = if s.shape.causal && !s.shape.shifted { from } else { Ix::ZERO };
            let (q, kv) = (s.shape.q_len, s.shape.kv_len);
            c.row_tiles(b, first, q.into(), q, &|b, i0, rows| self.queries(b, &unit, i0, rows, [from, to]));
            c.row_tiles(b, from, to, kv, &|b, j0, rows| self.keys(b, &unit, j0, rows, from));
        });
    }

    /// The sum over d of o * do of query `i`: what the softmax's gradient subtracts.
    fn delta(&self, b: &mut Builder, unit: &Unit, i: Ix) {
        let c = &self.context;
        let mut sum = b.float(c.vector(), 0.0);
        for at in (0..self.spec.shape.head).step_by(c.lanes as usize) {
            let d = c.columns(b, at, self.spec.shape.head);
            let (x, y) = (c.load(b, unit.o, i, d), c.load(b, unit.d_o, i, d));
            sum = b.multiply_add(x, y, sum);
        }
        let sum = b.reduction("add", sum);
        b.store(sum, c.scratch, i.plus(self.scratch.delta as i64));
    }

    /// Where row `i`, key `j` of P or dS lies, for a block that begins at `from`.
    fn cell(&self, b: &mut Builder, table: u64, i: Ix, j: Ix, from: Ix) -> Ix {
        let row = b.scale(i, self.spec.shape.key_block() as i64);
        let back = b.scale(from, -1);
        let j = b.add(j, back);
        b.add(row, j).plus(table as i64)
    }

    /// P, dS and dq of queries `i0..i0 + rows` against keys `from..to`.
    fn queries(&self, b: &mut Builder, unit: &Unit, i0: Ix, rows: u64, [from, to]: [Ix; 2]) {
        let (c, shape) = (&self.context, &self.spec.shape);
        let seen = c.seen(b, i0, rows);
        let end = b.min(seen, to);
        b.loop_(from, end, shape.key_tile(), |b, j0| self.scores(b, unit, i0, rows, j0, from));
        let earlier = |b: &mut Builder, r: u64, at: Columns| -> Val {
            let zero = b.float(c.vector(), 0.0);
            if from.known() == Some(0) {
                return zero;
            }
            let first = b.test("eq", from, Ix::ZERO);
            let load = |b: &mut Builder| vec![c.load(b, unit.dq, i0.plus(r as i64), at)];
            b.if_else(first, &[c.vector()], |_| vec![zero], load)[0]
        };
        let product = Product {
            rows,
            cols: shape.head,
            k: [from, end],
            whole: c.by_fours(shape.kv_len),
            left: &|b, r, k| {
                let at = self.cell(b, self.scratch.ds, i0.plus(r as i64), k, from);
                c.splat_scratch(b, at)
            },
            right: &|b, k, at| c.load(b, unit.k, k, at),
            start: Some(&earlier),
        };
        c.product(b, &product, &|b, r, at, sum| c.store(b, sum, unit.dq, i0.plus(r as i64), at));
    }

    /// A product of rows of an operand and transposed keys or values: one tile.
    fn against(
        &self,
        b: &mut Builder,
        x: Operand,
        [i0, j0]: [Ix; 2],
        rows: u64,
        table: u64,
        done: &dyn Fn(&mut Builder, u64, Columns, Val),
    ) {
        let (c, shape) = (&self.context, &self.spec.shape);
        let product = Product {
            rows,
            cols: shape.key_tile(),
            k: [Ix::ZERO, shape.head.into()],
            whole: c.by_fours(shape.head),
            left: &|b, r, d| c.splat(b, x, i0.plus(r as i64), d),
            right: &|b, d, at: Columns| {
                let row = b.scale(d, shape.kv_pad() as i64);
                let at = b.add(at.at, j0);
                let at = b.add(row, at);
                b.load(c.scratch, at.plus(table as i64), c.lanes)
            },
            start: None,
        };
        c.product(b, &product, done);
    }

    /// P and dS of one tile.
    fn scores(&self, b: &mut Builder, unit: &Unit, i0: Ix, rows: u64, j0: Ix, from: Ix) {
        let (c, shape, scratch) = (&self.context, &self.spec.shape, &self.scratch);
        let dp_at = |r: u64, at: Columns| at.at.plus((scratch.dp + r * shape.key_tile()) as i64);
        self.against(b, unit.d_o, [i0, j0], rows, scratch.vt, &|b, r, at, dp| {
            let delta = c.splat_scratch(b, i0.plus((scratch.delta + r) as i64));
            let v = b.binary("subf", dp, delta);
            b.store(v, c.scratch, dp_at(r, at));
        });
        let scale = b.float(c.vector(), shape.scale());
        self.against(b, unit.q, [i0, j0], rows, scratch.kt, &|b, r, at, score| {
            let i = i0.plus(r as i64);
            let lse = c.splat(b, unit.lse, i, Ix::ZERO);
            let x = b.binary("mulf", score, scale);
            let x = b.binary("subf", x, lse);
            let p = b.unary("loom.exp", x);
            let j = b.add(at.at, j0);
            let mask = c.visible(b, j, i);
            let p = c.keep(b, mask, p, 0.0);
            let dp = b.load(c.scratch, dp_at(r, at), c.lanes);
            let ds = b.binary("mulf", p, scale);
            let ds = b.binary("mulf", ds, dp);
            // Beyond the last key, scratch holds anything: zero times it may be no zero.
            let ds = c.keep(b, mask, ds, 0.0);
            for (table, v) in [(scratch.p, p), (scratch.ds, ds)] {
                let cell = self.cell(b, table, i, j, from);
                b.store(v, c.scratch, cell);
            }
        });
    }

    /// dv and dk of keys `j0..j0 + rows`.
    fn keys(&self, b: &mut Builder, unit: &Unit, j0: Ix, rows: u64, from: Ix) {
        let (c, shape) = (&self.context, &self.spec.shape);
        let first = c.first_query(b, j0);
        for (table, x, out) in [(self.scratch.p, unit.d_o, unit.dv), (self.scratch.ds, unit.q, unit.dk)] {
            let product = Product {
                rows,
                cols: shape.head,
                k: [first, shape.q_len.into()],
                whole: c.by_fours(shape.q_len),
                left: &|b, r, i| {
                    let at = self.cell(b, table, i, j0.plus(r as i64), from);
                    c.splat_scratch(b, at)
                },
                right: &|b, i, at| c.load(b, x, i, at),
                start: None,
            };
            c.product(b, &product, &|b, r, at, sum| c.store(b, sum, out, j0.plus(r as i64), at));
        }
    }
}
