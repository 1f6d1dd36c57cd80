//! The right side of `zigzag-attention`: block `i` of `n` has chunks `2i` and `2n - 1 - 2i` of `2n`, the lower of which lies in the
//! first half of the sequence and the higher in the second.
//!
//! Why all pairs of chunks are met once: let `a < c` be the lower chunks of two blocks, so `2n - 1 - a > 2n - 1 - c` are their higher
//! ones. Under a causal mask the block of `a` sees of the other: by its higher chunk, `c` and `2n - 1 - c`; by its lower one, nothing.
//! The block of `c` sees `a` by both of its chunks, and `2n - 1 - a` by none. So higher queries always see lower keys. Besides, where
//! the keys' lower chunk comes first, lower queries see it; and where not, higher queries see the higher keys. A block's own two
//! chunks lie in their order, so among them the mask is that of positions.

use super::super::attend::wide;
use super::blocks::{PartialAttention, RightSide, merge};
use meshloom_ir::table::composite::Pass;
use meshloom_ir::{Builder, DType, Op, TensorType, ValueId};

/// Of every block the lower chunk, and the higher one.
#[derive(Clone, Copy)]
struct Chunks {
    low: ValueId,
    high: ValueId,
}

impl RightSide {
    pub fn write_zigzag(&self, b: &mut Builder, inputs: &[ValueId]) -> Vec<ValueId> {
        let letters = self.of.form.dims(self.of.pass, false);
        let types: Vec<TensorType> = inputs.iter().map(|&v| b.ty(v).clone()).collect();
        let mut pieces = Vec::new();
        let mut xs = Vec::new();
        for (&v, dims) in inputs.iter().zip(&letters) {
            let of = self.deal(b, v, dims);
            pieces.push(of);
            xs.push(self.both(b, of, dims));
        }
        let first = self.attention(b, &xs, true);
        let results = match self.of.pass {
            Pass::Forward => self.turns(b, &pieces, &xs, &first),
            Pass::Backward => self.turns_of_gradient(b, &pieces, &xs, &first),
        };
        let like = self.like(&types);
        results.into_iter().zip(like).map(|(of, (ty, dims))| self.collect(b, of, &ty, dims)).collect()
    }

    /// The dim of positions once blocks are dim 0.
    fn positions(&self, dims: &str) -> usize {
        self.length_at(dims) + 1
    }

    fn deal(&self, b: &mut Builder, v: ValueId, dims: &str) -> Chunks {
        let at = self.positions(dims);
        let v = self.apart(b, v, dims, 2);
        let shape = b.shape(v);
        let without: Vec<u64> = shape.iter().enumerate().filter(|d| d.0 != at).map(|d| *d.1).collect();
        let [own, given] = [0, 1].map(|i| {
            let start = (0..shape.len()).map(|d| if d == at { i } else { 0 }).collect();
            let limit = shape.iter().enumerate().map(|(d, &n)| if d == at { i + 1 } else { n }).collect();
            let part = b.op(Op::Slice { start, limit }, &[v]);
            b.reshape(part, &without)
        });
        let received = self.swap(b, given);
        let in_front = self.in_front(b);
        Chunks { low: choose(b, in_front, own, received), high: choose(b, in_front, received, own) }
    }

    fn collect(&self, b: &mut Builder, of: Chunks, ty: &TensorType, dims: &str) -> ValueId {
        let at = self.positions(dims);
        let (low, high) = (b.convert(of.low, ty.dtype), b.convert(of.high, ty.dtype));
        let in_front = self.in_front(b);
        let own = choose(b, in_front, low, high);
        let received = choose(b, in_front, high, low);
        let given = self.swap(b, received);
        let parts = [own, given].map(|x| {
            let mut shape = b.shape(x);
            shape.splice(at..at, [1]);
            b.reshape(x, &shape)
        });
        let v = b.op(Op::Concatenate { dim: at }, &parts);
        self.together(b, v, ty, dims, 2)
    }

    /// Block `i` and block `n - 1 - i` exchange what they have.
    fn swap(&self, b: &mut Builder, x: ValueId) -> ValueId {
        b.op(Op::Rotate { dim: 0, by: self.blocks - 1, mirror: true }, &[x])
    }

    fn both(&self, b: &mut Builder, of: Chunks, dims: &str) -> ValueId {
        b.op(Op::Concatenate { dim: self.positions(dims) }, &[of.low, of.high])
    }

    fn parted(&self, b: &mut Builder, v: ValueId, dims: &str) -> Chunks {
        let at = self.positions(dims);
        let end = b.shape(v);
        let half = end[at] / 2;
        let mut middle = (vec![0; end.len()], end.clone());
        middle.0[at] = half;
        middle.1[at] = half;
        let low = b.op(Op::Slice { start: vec![0; end.len()], limit: middle.1 }, &[v]);
        let high = b.op(Op::Slice { start: middle.0, limit: end }, &[v]);
        Chunks { low, high }
    }

    fn count(&self, b: &mut Builder) -> ValueId {
        b.op(Op::Iota { dtype: DType::I32, shape: vec![self.blocks], dim: 0, shard: Vec::new() }, &[])
    }

    /// The two chunks of each of these blocks: the one that it had, and the one that it is given.
    fn numbered(&self, b: &mut Builder, blocks: ValueId) -> (ValueId, ValueId) {
        let twice = b.constant_like(blocks, 2.0);
        let had = b.mul(blocks, twice);
        let all = b.constant_like(blocks, (2 * self.blocks - 1) as f64);
        (had, b.sub(all, had))
    }

    /// Whether a block's own chunk is the lower one.
    fn in_front(&self, b: &mut Builder) -> ValueId {
        let blocks = self.count(b);
        let (had, given) = self.numbered(b, blocks);
        b.elem("compare_lt", &[had, given])
    }

    /// Whether the lower chunk of the keys that came round, from `step + 1` blocks before, is lower than the block's own lower one.
    fn precede(&self, b: &mut Builder, step: ValueId) -> ValueId {
        let step = b.broadcast(step, &[self.blocks], &[]);
        let here = self.count(b);
        let once_round = b.constant_like(here, (self.blocks - 1) as f64);
        let there = b.add(here, once_round);
        let there = b.sub(there, step);
        let size = b.constant_like(here, self.blocks as f64);
        let there = b.elem("remainder", &[there, size]);
        let mut lower = |blocks: ValueId| {
            let (had, given) = self.numbered(b, blocks);
            b.elem("minimum", &[had, given])
        };
        let (theirs, ours) = (lower(there), lower(here));
        b.elem("compare_lt", &[theirs, ours])
    }

    fn round_by_one(&self, b: &mut Builder, x: ValueId) -> ValueId {
        b.op(Op::Rotate { dim: 0, by: 1, mirror: false }, &[x])
    }

    fn turns(&self, b: &mut Builder, pieces: &[Chunks], xs: &[ValueId], first: &[ValueId]) -> Vec<Chunks> {
        let form = self.of.form;
        let out = wide(b, first[0]);
        let (out, rows) = (self.parted(b, out, form.out), self.parted(b, first[1], form.rows));
        let carries = [xs[1], xs[2], out.low, rows.low, out.high, rows.high];
        let queries = [pieces[0].low, pieces[0].high];
        let results = self.go_round(b, &carries, &queries, |b, held, step, same| {
            let (k, v) = (self.round_by_one(b, held[0]), self.round_by_one(b, held[1]));
            let (keys, values) = (self.parted(b, k, form.k), self.parted(b, v, form.v));
            let mut low = PartialAttention { out: held[2], lse: held[3] };
            let mut high = PartialAttention { out: held[4], lse: held[5] };
            let Some(step) = step else { return Vec::new() };
            let earlier = self.precede(b, step);
            let these = self.attention(b, &[same[1], keys.low, values.low], false);
            let new = PartialAttention { out: wide(b, these[0]), lse: these[1] };
            high = merge(b, high, new);
            let q = choose(b, earlier, same[0], same[1]);
            let (k_part, v_part) =
                (choose(b, earlier, keys.low, keys.high), choose(b, earlier, values.low, values.high));
            let these = self.attention(b, &[q, k_part, v_part], false);
            let new = PartialAttention { out: wide(b, these[0]), lse: these[1] };
            let so_far = choose_partial(b, earlier, low, high);
            let more = merge(b, so_far, new);
            low = choose_partial(b, earlier, more, low);
            high = choose_partial(b, earlier, high, more);
            vec![k, v, low.out, low.lse, high.out, high.lse]
        });
        vec![Chunks { low: results[2], high: results[4] }, Chunks { low: results[3], high: results[5] }]
    }

    fn turns_of_gradient(&self, b: &mut Builder, pieces: &[Chunks], xs: &[ValueId], first: &[ValueId]) -> Vec<Chunks> {
        let form = self.of.form;
        let own: Vec<ValueId> = first.iter().map(|&v| wide(b, v)).collect();
        let d_q = self.parted(b, own[0], form.q);
        let [q, out, lse, d_out] = [0, 3, 4, 5].map(|i| pieces[i]);
        let same: Vec<ValueId> = [q, out, lse, d_out].iter().flat_map(|of| [of.low, of.high]).collect();
        let carries = [xs[1], xs[2], d_q.low, d_q.high, own[1], own[2]];
        let results = self.go_round(b, &carries, &same, |b, held, step, same| {
            let Some(step) = step else { return Vec::new() };
            let [k, v, d_k, d_v] = [held[0], held[1], held[4], held[5]].map(|x| self.round_by_one(b, x));
            let (keys, values) = (self.parted(b, k, form.k), self.parted(b, v, form.v));
            let earlier = self.precede(b, step);
            let always = self.attention(b, &[same[1], keys.low, values.low, same[3], same[5], same[7]], false);
            let always: Vec<ValueId> = always.into_iter().map(|x| wide(b, x)).collect();
            let lows = [same[0], keys.low, values.low, same[2], same[4], same[6]];
            let highs = [same[1], keys.high, values.high, same[3], same[5], same[7]];
            let either: Vec<ValueId> = lows.iter().zip(&highs).map(|(&x, &y)| choose(b, earlier, x, y)).collect();
            let also = self.attention(b, &either, false);
            let also: Vec<ValueId> = also.into_iter().map(|x| wide(b, x)).collect();
            // What is added to lower chunks, and to higher ones.
            let mut dealt = |x: ValueId| {
                let zero = b.constant_like(x, 0.0);
                Chunks { low: choose(b, earlier, x, zero), high: choose(b, earlier, zero, x) }
            };
            let (to_q, to_k, to_v) = (dealt(also[0]), dealt(also[1]), dealt(also[2]));
            let low = b.add(held[2], to_q.low);
            let high = b.add(held[3], always[0]);
            let high = b.add(high, to_q.high);
            let mut summed = |so_far: ValueId, lower: ValueId, more: Chunks, dims: &str| {
                let low = b.add(lower, more.low);
                let both = self.both(b, Chunks { low, high: more.high }, dims);
                b.add(so_far, both)
            };
            let d_k = summed(d_k, always[1], to_k, form.k);
            let d_v = summed(d_v, always[2], to_v, form.v);
            vec![k, v, low, high, d_k, d_v]
        });
        let (d_k, d_v) = (self.round_by_one(b, results[4]), self.round_by_one(b, results[5]));
        let d_q = Chunks { low: results[2], high: results[3] };
        vec![d_q, self.parted(b, d_k, form.k), self.parted(b, d_v, form.v)]
    }
}

/// `x` in the blocks where `which` holds, `y` in the others.
fn choose(b: &mut Builder, which: ValueId, x: ValueId, y: ValueId) -> ValueId {
    let shape = b.shape(x);
    let which = b.broadcast(which, &shape, &[0]);
    b.select(which, x, y)
}

fn choose_partial(b: &mut Builder, which: ValueId, x: PartialAttention, y: PartialAttention) -> PartialAttention {
    PartialAttention { out: choose(b, which, x.out, y.out), lse: choose(b, which, x.lse, y.lse) }
}
