//! A ring in which a causal mask gives all devices the same work (the order of Llama 3's context parallelism; Dubey et al., "The
//! Llama 3 Herd of Models", 2024, section 3.3.2).
//!
//! Each block has two halves. Block `i` keeps the first, which is chunk `2i` of the sequence, and gets the second of the block that
//! stands as far from the end as it does from the start: chunk `2n - 1 - 2i`. These two numbers add up to the same in all blocks. So
//! what a block has is a lower chunk, of the first half of the sequence, and a higher one. The move is a mirrored `rotate`, and
//! undoes itself.
//!
//! A block first meets its own chunks, which are in the order of the sequence, under the mask. Of each other block's keys it sees
//! two chunks' worth: its higher queries see the lower keys, and besides either its lower queries see the lower keys (where the
//! other lower chunk comes before), or its higher ones the higher keys. None of this needs a mask, so a turn of the ring has half of
//! the work that it has for whole blocks.
//!
//! Not here: the loop and the composites, which are those of [`super::blocks`].

use super::blocks::{Partial, RingForm, numbers, wide};
use meshloom_ir::table::composite::Pass;
use meshloom_ir::{Builder, Op, TensorType, ValueId};

/// A lower and a higher chunk in each block.
type Pair = [ValueId; 2];

impl RingForm {
    pub(super) fn write_zigzag(&self, b: &mut Builder, operands: &[ValueId]) -> Vec<ValueId> {
        let dims = self.form.dims(self.pass, false);
        let xs: Vec<Pair> = operands.iter().zip(&dims).map(|(&v, d)| self.chunks(b, v, d)).collect();
        let together: Vec<ValueId> = xs.iter().zip(&dims).map(|(&x, d)| self.joined(b, x, d)).collect();
        let own = self.attention(b, &together, true);
        let made = match self.pass {
            Pass::Forward => self.zigzag_forward(b, &xs, &together, &own),
            Pass::Backward => self.zigzag_backward(b, &xs, &together, &own),
        };
        let whole = made.into_iter().zip(self.dims_of_results()).zip(&self.types);
        whole.map(|((pair, dims), ty)| self.unchunked(b, pair, dims, ty)).collect()
    }

    /// The chunks of each block of an operand with these dims.
    fn chunks(&self, b: &mut Builder, v: ValueId, dims: &str) -> Pair {
        let v = self.split_up(b, v, dims, 2);
        let at = self.along(dims) + 1;
        let half = |b: &mut Builder, i: u64| {
            let mut limit = b.shape(v);
            let mut start = vec![0; limit.len()];
            (start[at], limit[at]) = (i, i + 1);
            let one = b.op(Op::Slice { start, limit }, &[v]);
            let mut shape = b.shape(one);
            shape.remove(at);
            b.reshape(one, &shape)
        };
        let kept = half(b, 0);
        let moved = half(b, 1);
        let moved = self.mirrored(b, moved);
        let first = self.keeps_lower(b);
        [self.either(b, first, kept, moved), self.either(b, first, moved, kept)]
    }

    /// The inverse of `chunks`, for a tensor of type `ty`.
    fn unchunked(&self, b: &mut Builder, [low, high]: Pair, dims: &str, ty: &TensorType) -> ValueId {
        let [low, high] = [low, high].map(|x| b.convert(x, ty.dtype));
        let first = self.keeps_lower(b);
        let kept = self.either(b, first, low, high);
        let moved = self.either(b, first, high, low);
        let moved = self.mirrored(b, moved);
        let at = self.along(dims) + 1;
        let halves = [kept, moved].map(|x| {
            let mut shape = b.shape(x);
            shape.insert(at, 1);
            b.reshape(x, &shape)
        });
        let v = b.op(Op::Concatenate { dim: at }, &halves);
        self.put_back(b, v, dims, ty, 2)
    }

    /// What the block has that is as far from the end as this one is from the start.
    fn mirrored(&self, b: &mut Builder, x: ValueId) -> ValueId {
        let x = b.op(Op::Rotate { dim: 0, by: self.blocks - 1, mirror: true }, &[x]);
        self.pinned(b, x)
    }

    /// Both chunks, one after the other.
    fn joined(&self, b: &mut Builder, pair: Pair, dims: &str) -> ValueId {
        b.op(Op::Concatenate { dim: self.along(dims) + 1 }, &pair)
    }

    /// The chunks of something that has both.
    fn cut(&self, b: &mut Builder, v: ValueId, dims: &str) -> Pair {
        let at = self.along(dims) + 1;
        let shape = b.shape(v);
        let half = shape[at] / 2;
        [0, 1].map(|i| {
            let (mut start, mut limit) = (vec![0; shape.len()], shape.clone());
            (start[at], limit[at]) = (i * half, (i + 1) * half);
            b.op(Op::Slice { start, limit }, &[v])
        })
    }

    /// In each block `x` or `y`.
    fn either(&self, b: &mut Builder, which: ValueId, x: ValueId, y: ValueId) -> ValueId {
        let shape = b.shape(x);
        let which = b.broadcast(which, &shape, &[0]);
        b.select(which, x, y)
    }

    fn either_of(&self, b: &mut Builder, which: ValueId, x: Partial, y: Partial) -> Partial {
        Partial { out: self.either(b, which, x.out, y.out), lse: self.either(b, which, x.lse, y.lse) }
    }

    /// Twice the number of each of some blocks, which is that of the chunk that it keeps, and the number of the other.
    fn chunk_numbers(&self, b: &mut Builder, blocks: ValueId) -> Pair {
        let two = b.constant_like(blocks, 2.0);
        let kept = b.mul(blocks, two);
        let last = b.constant_like(blocks, (2 * self.blocks - 1) as f64);
        let other = b.sub(last, kept);
        [kept, other]
    }

    /// Whether the chunk that a block keeps is its lower one.
    fn keeps_lower(&self, b: &mut Builder) -> ValueId {
        let blocks = numbers(b, self.blocks);
        let [kept, other] = self.chunk_numbers(b, blocks);
        b.elem("compare_lt", &[kept, other])
    }

    /// Whether the lower chunk of the keys that a block has in iteration `step` comes before the block's own.
    fn comes_before(&self, b: &mut Builder, step: ValueId) -> ValueId {
        let step = b.broadcast(step, &[self.blocks], &[]);
        let own = numbers(b, self.blocks);
        let around = b.constant_like(own, (self.blocks - 1) as f64);
        let ahead = b.add(own, around);
        let from = b.sub(ahead, step);
        let n = b.constant_like(own, self.blocks as f64);
        let from = b.elem("remainder", &[from, n]);
        let lower = [from, own].map(|x| {
            let both = self.chunk_numbers(b, x);
            b.elem("minimum", &both)
        });
        b.elem("compare_lt", &lower)
    }

    fn zigzag_forward(&self, b: &mut Builder, xs: &[Pair], together: &[ValueId], own: &[ValueId]) -> Vec<Pair> {
        let (&[q, ..], &[_, k, v]) = (xs, together) else { return Vec::new() };
        let out = wide(b, own[0]);
        let out = self.cut(b, out, self.form.out);
        let rows = self.cut(b, own[1], self.form.rows);
        let body = |b: &mut Builder, held: &[ValueId], step: Option<ValueId>, q: &[ValueId]| {
            let Some(step) = step else { return Vec::new() };
            let (k, v) = (self.next(b, held[0]), self.next(b, held[1]));
            let (keys, values) = (self.cut(b, k, self.form.k), self.cut(b, v, self.form.v));
            let before = self.comes_before(b, step);
            let part = self.attention(b, &[q[1], keys[0], values[0]], false);
            let [low, high] = [2, 4].map(|i| Partial { out: held[i], lse: held[i + 1] });
            let part = Partial { out: wide(b, part[0]), lse: part[1] };
            let high = self.merged(b, high, part);
            let [q, k_half, v_half] = [[q[0], q[1]], keys, values].map(|x| self.either(b, before, x[0], x[1]));
            let part = self.attention(b, &[q, k_half, v_half], false);
            let part = Partial { out: wide(b, part[0]), lse: part[1] };
            let was = self.either_of(b, before, low, high);
            let new = self.merged(b, was, part);
            let (low, high) = (self.either_of(b, before, new, low), self.either_of(b, before, high, new));
            vec![k, v, low.out, low.lse, high.out, high.lse]
        };
        let made = self.round(b, &[k, v, out[0], rows[0], out[1], rows[1]], &q, body);
        vec![[made[2], made[4]], [made[3], made[5]]]
    }

    fn zigzag_backward(&self, b: &mut Builder, xs: &[Pair], together: &[ValueId], own: &[ValueId]) -> Vec<Pair> {
        let (&[q, _, _, out, lse, d_out], &[_, k, v, ..]) = (xs, together) else { return Vec::new() };
        let own: Vec<ValueId> = own.iter().map(|&x| wide(b, x)).collect();
        let d_q = self.cut(b, own[0], self.form.q);
        let body = |b: &mut Builder, held: &[ValueId], step: Option<ValueId>, same: &[ValueId]| {
            let Some(step) = step else { return Vec::new() };
            let (k, v) = (self.next(b, held[0]), self.next(b, held[1]));
            let (d_k, d_v) = (self.next(b, held[4]), self.next(b, held[5]));
            let (keys, values) = (self.cut(b, k, self.form.k), self.cut(b, v, self.form.v));
            let before = self.comes_before(b, step);
            let [q, out, lse, d_out] = [0, 2, 4, 6].map(|i| [same[i], same[i + 1]]);
            let first = self.attention(b, &[q[1], keys[0], values[0], out[1], lse[1], d_out[1]], false);
            let chosen = [q, keys, values, out, lse, d_out].map(|x| self.either(b, before, x[0], x[1]));
            let second = self.attention(b, &chosen, false);
            let [first, second]: [Vec<ValueId>; 2] =
                [first, second].map(|parts| parts.into_iter().map(|x| wide(b, x)).collect());
            // What the second attention gives belongs to the lower chunks, or to the higher ones.
            let mut shares = |x: ValueId| {
                let none = b.constant_like(x, 0.0);
                [self.either(b, before, x, none), self.either(b, before, none, x)]
            };
            let [of_q, of_k, of_v] = [second[0], second[1], second[2]].map(&mut shares);
            let low = b.add(held[2], of_q[0]);
            let high = b.add(held[3], first[0]);
            let high = b.add(high, of_q[1]);
            let mut sum = |total: ValueId, first: ValueId, of: Pair, dims: &str| {
                let low = b.add(first, of[0]);
                let both = self.joined(b, [low, of[1]], dims);
                b.add(total, both)
            };
            let d_k = sum(d_k, first[1], of_k, self.form.k);
            let d_v = sum(d_v, first[2], of_v, self.form.v);
            vec![k, v, low, high, d_k, d_v]
        };
        let same = [q, out, lse, d_out].concat();
        let made = self.round(b, &[k, v, d_q[0], d_q[1], own[1], own[2]], &same, body);
        let (d_k, d_v) = (self.next(b, made[4]), self.next(b, made[5]));
        vec![[made[2], made[3]], self.cut(b, d_k, self.form.k), self.cut(b, d_v, self.form.v)]
    }
}

/// Whether two chunks in each block cost no more than one. There have to be enough positions, and two chunks must not need
/// padding where one needs none.
pub(super) fn fits(queries: u64, blocks: u64) -> bool {
    let divides = queries.is_multiple_of(2 * blocks) || !queries.is_multiple_of(blocks);
    divides && queries >= 2 * blocks
}

#[cfg(test)]
mod tests {
    /// Which chunks a block has, and which keys of another block its queries see: every pair of chunks once.
    #[test]
    fn all_pairs_of_chunks_are_met_once() {
        for n in 2..9i64 {
            let of = |i: i64| [(2 * i).min(2 * n - 1 - 2 * i), (2 * i).max(2 * n - 1 - 2 * i)];
            let mut met = vec![];
            for (i, step) in (0..n).flat_map(|i| (0..n - 1).map(move |s| (i, s))) {
                let (own, other) = (of(i), of((i + n - 1 - step) % n));
                met.push((own[1], other[0]));
                met.push(if other[0] < own[0] { (own[0], other[0]) } else { (own[1], other[1]) });
            }
            met.extend((0..n).map(|i| (of(i)[1], of(i)[0])));
            met.sort_unstable();
            let all: Vec<(i64, i64)> = (0..2 * n).flat_map(|q| (0..q).map(move |k| (q, k))).collect();
            assert_eq!(met, all, "{n} blocks");
        }
    }
}
