//! The backward pass, one block of keys at a time.
//!
//! For each block there are two steps. First, all tiles of queries that see the block recompute their probabilities P and the
//! gradients dS of their scores into scratch, and add dS k to dq. Then each tile of keys sums P^T do and dS^T q over the queries.
//! Sums go in the order of positions, so the bits depend on nothing else. Heads of queries that share a head of keys are one
//! unit, and are computed one after the other.

use super::context::{AttentionContext, Columns, Head, HeadOperand, TileMatmul};
use crate::attention::{AttentionBackward, BackwardScratch};
use crate::emit::builder::{Builder, Ix, Val};
use crate::target::Target;

pub fn emit(b: &mut Builder, spec: &AttentionBackward, target: &Target) {
    let context = AttentionContext::new(b, &spec.shape, target);
    let pass = Backward { spec, scratch: spec.scratch(), context };
    let (lo, hi) = (b.lo(), b.hi());
    b.loop_(lo, hi, 1, |b, unit| pass.unit(b, unit));
}

struct Backward<'a> {
    spec: &'a AttentionBackward,
    scratch: BackwardScratch,
    context: AttentionContext,
}

/// The operands of one head of keys, as they are computed with.
#[derive(Clone, Copy)]
struct Keys {
    k: HeadOperand,
    dk: HeadOperand,
    dv: HeadOperand,
}

/// The operands of one head of queries.
struct Unit {
    /// Its place in the group: the first begins the sums of keys and values.
    group: Ix,
    q: HeadOperand,
    keys: Keys,
    segments: Option<[HeadOperand; 2]>,
    o: HeadOperand,
    lse: HeadOperand,
    d_o: HeadOperand,
    dq: HeadOperand,
}

/// Keys or values as a table in scratch that has a row for each of their columns.
#[derive(Clone, Copy)]
struct Transposed {
    /// Where it begins.
    table: u64,
    /// Its rows.
    depth: u64,
}

impl Backward<'_> {
    fn unit(&self, b: &mut Builder, unit: Ix) {
        let (c, s) = (&self.context, self.spec);
        let (batch, head) = b.div_rem(unit, s.shape.heads);
        let at = [batch, head, Ix::ZERO];
        let (k, v) = (c.operand(b, 1, s.k, at), c.operand(b, 2, s.v, at));
        c.transpose(b, k, s.shape.head, self.scratch.kt);
        c.transpose(b, v, s.shape.value, self.scratch.vt);
        let first = s.shape.inputs();
        let (dk, dv) = (c.operand(b, first + 4, s.dk, at), c.operand(b, first + 5, s.dv, at));
        let keys = Keys {
            k: c.widened(b, k, [Ix::ZERO, s.shape.kv_len.into()], s.shape.head, self.scratch.k),
            dk: c.sums(dk, s.shape.head, self.scratch.dk),
            dv: c.sums(dv, s.shape.value, self.scratch.dv),
        };
        b.loop_(Ix::ZERO, s.shape.group.into(), 1, |b, group| self.queries_of(b, keys, [batch, head, group]));
        c.narrowed(b, [keys.dk, dk], s.shape.kv_len, s.shape.head);
        c.narrowed(b, [keys.dv, dv], s.shape.kv_len, s.shape.value);
    }

    /// All queries of one head.
    fn queries_of(&self, b: &mut Builder, keys: Keys, at: Head) {
        let (c, s, first) = (&self.context, self.spec, self.spec.shape.inputs());
        let (q, d_o, dq) =
            (c.operand(b, 0, s.q, at), c.operand(b, first + 2, s.d_o, at), c.operand(b, first + 3, s.dq, at));
        let all = [Ix::ZERO, s.shape.q_len.into()];
        let unit = Unit {
            group: at[2],
            q: c.widened(b, q, all, s.shape.head, self.scratch.q),
            keys,
            segments: c.segments(b, at),
            o: c.operand(b, first, s.o, at),
            lse: c.statistic(b, first + 1, s.lse, at),
            d_o: c.widened(b, d_o, all, s.shape.value, self.scratch.d_o),
            dq: c.sums(dq, s.shape.head, self.scratch.dq),
        };
        b.loop_(Ix::ZERO, s.shape.q_len.into(), 1, |b, i| self.prepare(b, &unit, i));
        let (pad, block) = (s.shape.kv_pad(), s.shape.key_block());
        b.loop_(Ix::ZERO, pad.into(), block, |b, from| {
            let to = b.min(from.plus(block as i64), pad.into());
            let (first, last) = (c.first_query(b, from), c.last_query(b, to));
            let (q, kv) = (s.shape.q_len, s.shape.kv_len);
            c.row_tiles(b, first, last, q, &|b, i0, rows| self.queries(b, &unit, i0, rows, [from, to]));
            c.row_tiles(b, from, to, kv, &|b, j0, rows| self.keys(b, &unit, j0, rows, from));
        });
        c.narrowed(b, [unit.dq, dq], s.shape.q_len, s.shape.head);
    }

    /// The sum over d of o * do of query `i`: what the softmax's gradient subtracts. Where it is not the first block of keys that
    /// every query sees, dq begins here.
    fn prepare(&self, b: &mut Builder, unit: &Unit, i: Ix) {
        let (c, shape) = (&self.context, &self.spec.shape);
        let zero = b.float(c.vector(), 0.0);
        for at in (0..shape.head).step_by(c.lanes as usize).filter(|_| !shape.is_plain()) {
            let d = c.columns(b, at, shape.head);
            c.store(b, zero, unit.dq, i, d);
        }
        let mut sum = zero;
        for at in (0..shape.value).step_by(c.lanes as usize) {
            let d = c.columns(b, at, shape.value);
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
        let (first, seen) = (c.first_key(b, i0), c.seen(b, i0, rows));
        let start = if shape.before().is_some() { b.max(from, first) } else { from };
        let end = b.min(seen, to);
        b.loop_(start, end, shape.key_tile(), |b, j0| self.scores(b, unit, i0, rows, j0, from));
        let earlier = |b: &mut Builder, r: u64, at: Columns| -> Val {
            let load = |b: &mut Builder| c.load(b, unit.dq, i0.plus(r as i64), at);
            if shape.is_plain() { self.unless_first(b, from, load) } else { load(b) }
        };
        let matmul = TileMatmul {
            rows,
            cols: shape.head,
            k: [start, end],
            whole: c.by_fours(shape.kv_len),
            left: &|b, r, k| {
                let at = self.cell(b, self.scratch.ds, i0.plus(r as i64), k, from);
                c.splat_scratch(b, at)
            },
            right: &|b, k, at| c.load(b, unit.keys.k, k, at),
            start: Some(&earlier),
        };
        c.matmul(b, &matmul, &|b, r, at, sum| c.store(b, sum, unit.dq, i0.plus(r as i64), at));
    }

    /// Zeros if an index is 0, else what `load` loads.
    fn unless_first(&self, b: &mut Builder, n: Ix, load: impl FnOnce(&mut Builder) -> Val) -> Val {
        let ty = self.context.vector();
        let zero = b.float(ty, 0.0);
        if n.known() == Some(0) {
            return zero;
        }
        let first = b.test("eq", n, Ix::ZERO);
        b.if_else(first, &[ty], |_| vec![zero], |b| vec![load(b)])[0]
    }

    /// A matmul of rows of an operand and keys or values: one tile.
    fn against(
        &self,
        b: &mut Builder,
        x: HeadOperand,
        [i0, j0]: [Ix; 2],
        rows: u64,
        other: Transposed,
        done: &dyn Fn(&mut Builder, u64, Columns, Val),
    ) {
        let (c, shape) = (&self.context, &self.spec.shape);
        let matmul = TileMatmul {
            rows,
            cols: shape.key_tile(),
            k: [Ix::ZERO, other.depth.into()],
            whole: c.by_fours(other.depth),
            left: &|b, r, d| c.splat(b, x, i0.plus(r as i64), d),
            right: &|b, d, at: Columns| {
                let row = b.scale(d, shape.kv_pad() as i64);
                let at = b.add(at.at, j0);
                let at = b.add(row, at);
                b.load(c.scratch, at.plus(other.table as i64), c.lanes)
            },
            start: None,
        };
        c.matmul(b, &matmul, done);
    }

    /// P and dS of one tile.
    fn scores(&self, b: &mut Builder, unit: &Unit, i0: Ix, rows: u64, j0: Ix, from: Ix) {
        let (c, shape, scratch) = (&self.context, &self.spec.shape, &self.scratch);
        let dp_at = |r: u64, at: Columns| at.at.plus((scratch.dp + r * shape.key_tile()) as i64);
        let values = Transposed { table: scratch.vt, depth: shape.value };
        self.against(b, unit.d_o, [i0, j0], rows, values, &|b, r, at, dp| {
            let delta = c.splat_scratch(b, i0.plus((scratch.delta + r) as i64));
            let v = b.binary("subf", dp, delta);
            b.store(v, c.scratch, dp_at(r, at));
        });
        let scale = b.float(c.vector(), shape.scale());
        let keys = Transposed { table: scratch.kt, depth: shape.head };
        self.against(b, unit.q, [i0, j0], rows, keys, &|b, r, at, score| {
            let i = i0.plus(r as i64);
            let lse = c.splat(b, unit.lse, i, Ix::ZERO);
            let x = b.binary("mulf", score, scale);
            let x = b.binary("subf", x, lse);
            let p = b.unary("loom.exp", x);
            let j = b.add(at.at, j0);
            let mask = c.visible(b, j, i, unit.segments);
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
        let queries = [c.first_query(b, j0), c.last_query(b, j0.plus(rows as i64))];
        for (table, x, out, cols) in
            [(self.scratch.p, unit.d_o, unit.keys.dv, shape.value), (self.scratch.ds, unit.q, unit.keys.dk, shape.head)]
        {
            // What the heads before it in the group gave.
            let others = |b: &mut Builder, r: u64, at: Columns| {
                self.unless_first(b, unit.group, |b| c.load(b, out, j0.plus(r as i64), at))
            };
            let matmul = TileMatmul {
                rows,
                cols,
                k: queries,
                whole: c.by_fours(shape.q_len),
                left: &|b, r, i| {
                    let at = self.cell(b, table, i, j0.plus(r as i64), from);
                    c.splat_scratch(b, at)
                },
                right: &|b, i, at| c.load(b, x, i, at),
                start: Some(&others),
            };
            c.matmul(b, &matmul, &|b, r, at, sum| c.store(b, sum, out, j0.plus(r as i64), at));
        }
    }
}
