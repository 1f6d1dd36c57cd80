//! The right side of `ring-attention`: block `i` has the positions from `i` times its length on.

use super::super::attend::wide;
use super::blocks::{PartialAttention, RightSide, merge};
use meshloom_ir::table::composite::Pass;
use meshloom_ir::{Builder, DType, Op, TensorType, ValueId};

/// The score of keys that no query of a block sees. Beside any other score its exponential is 0.
const UNSEEN: f64 = -1e30;

impl RightSide {
    pub fn write(&self, b: &mut Builder, inputs: &[ValueId]) -> Vec<ValueId> {
        let letters = self.of.form.dims(self.of.pass, false);
        let types: Vec<TensorType> = inputs.iter().map(|&v| b.ty(v).clone()).collect();
        let xs: Vec<ValueId> = inputs.iter().zip(&letters).map(|(&v, d)| self.apart(b, v, d, 1)).collect();
        let first = self.attention(b, &xs, self.of.causal);
        let results = match self.of.pass {
            Pass::Forward => self.forward(b, &xs, first),
            Pass::Backward => self.backward(b, &xs, first),
        };
        let like = self.like(&types);
        results
            .into_iter()
            .zip(like)
            .map(|(v, (ty, dims))| {
                let v = b.convert(v, ty.dtype);
                self.together(b, v, &ty, dims, 1)
            })
            .collect()
    }

    fn forward(&self, b: &mut Builder, xs: &[ValueId], first: Vec<ValueId>) -> Vec<ValueId> {
        let out = wide(b, first[0]);
        let results = self.go_round(b, &[xs[1], xs[2], out, first[1]], &xs[..1], |b, held, step, same| {
            let [k, v] = [held[0], held[1]].map(|x| b.op(Op::Rotate { dim: 0, by: 1, mirror: false }, &[x]));
            let so_far = PartialAttention { out: held[2], lse: held[3] };
            let these = self.attention(b, &[same[0], k, v], false);
            let (new, mut rows) = (wide(b, these[0]), these[1]);
            if let Some(step) = step {
                let seen = self.sees(b, step, rows);
                let low = b.constant_like(rows, UNSEEN);
                rows = b.select(seen, rows, low);
            }
            let both = merge(b, so_far, PartialAttention { out: new, lse: rows });
            vec![k, v, both.out, both.lse]
        });
        results[2..].to_vec()
    }

    fn backward(&self, b: &mut Builder, xs: &[ValueId], first: Vec<ValueId>) -> Vec<ValueId> {
        let own: Vec<ValueId> = first.into_iter().map(|v| wide(b, v)).collect();
        let same = [xs[0], xs[3], xs[4], xs[5]];
        let results = self.go_round(b, &[xs[1], xs[2], own[0], own[1], own[2]], &same, |b, held, step, same| {
            let mut turn = |x: ValueId| b.op(Op::Rotate { dim: 0, by: 1, mirror: false }, &[x]);
            let (k, v) = (turn(held[0]), turn(held[1]));
            let sums = [held[2], turn(held[3]), turn(held[4])];
            let these = self.attention(b, &[same[0], k, v, same[1], same[2], same[3]], false);
            let mut yields = vec![k, v];
            for (sum, new) in sums.into_iter().zip(these) {
                let mut new = wide(b, new);
                if let Some(step) = step {
                    let seen = self.sees(b, step, new);
                    let none = b.constant_like(new, 0.0);
                    new = b.select(seen, new, none);
                }
                yields.push(b.add(sum, new));
            }
            yields
        });
        let home = |b: &mut Builder, x: ValueId| b.op(Op::Rotate { dim: 0, by: 1, mirror: false }, &[x]);
        vec![results[2], home(b, results[3]), home(b, results[4])]
    }

    /// Whether block `i` of queries sees the keys that it has in this iteration: they came from `step + 1` blocks before.
    fn sees(&self, b: &mut Builder, step: ValueId, like: ValueId) -> ValueId {
        let step = b.broadcast(step, &[self.blocks], &[]);
        let block = b.op(Op::Iota { dtype: DType::I32, shape: vec![self.blocks], dim: 0, shard: Vec::new() }, &[]);
        let seen = b.elem("compare_lt", &[step, block]);
        let shape = b.shape(like);
        b.broadcast(seen, &shape, &[0])
    }
}
