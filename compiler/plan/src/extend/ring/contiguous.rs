//! A ring of contiguous blocks: block `i` first meets its own keys, and then those of the blocks before it. With a causal mask, what
//! comes round from behind is computed and not counted.

use super::blocks::{Partial, RingForm, numbers, wide};
use meshloom_ir::table::composite::Pass;
use meshloom_ir::{Builder, ValueId};

/// What leaves a part out of a sum of exponentials.
const NOTHING: f64 = -1e30;

impl RingForm {
    pub fn write(&self, b: &mut Builder, operands: &[ValueId]) -> Vec<ValueId> {
        let dims = self.form.dims(self.pass, false);
        let xs: Vec<ValueId> = operands.iter().zip(&dims).map(|(&v, d)| self.in_blocks(b, v, d)).collect();
        let own = self.attention(b, &xs, self.causal);
        let made = match self.pass {
            Pass::Forward => self.forward(b, &xs, &own),
            Pass::Backward => self.backward(b, &xs, &own),
        };
        let whole = made.into_iter().zip(self.dims_of_results()).zip(&self.types);
        whole
            .map(|((v, dims), ty)| {
                let v = b.convert(v, ty.dtype);
                self.put_back(b, v, dims, ty, 1)
            })
            .collect()
    }

    fn in_blocks(&self, b: &mut Builder, v: ValueId, dims: &str) -> ValueId {
        self.split_up(b, v, dims, 1)
    }

    fn forward(&self, b: &mut Builder, xs: &[ValueId], own: &[ValueId]) -> Vec<ValueId> {
        let &[q, k, v] = xs else { return Vec::new() };
        let out = wide(b, own[0]);
        let body = |b: &mut Builder, held: &[ValueId], step: Option<ValueId>, q: &[ValueId]| {
            let (k, v) = (self.next(b, held[0]), self.next(b, held[1]));
            let part = self.attention(b, &[q[0], k, v], false);
            let out = wide(b, part[0]);
            let lse = step.map_or(part[1], |step| self.counted(b, step, part[1], NOTHING));
            let all = self.merged(b, Partial { out: held[2], lse: held[3] }, Partial { out, lse });
            vec![k, v, all.out, all.lse]
        };
        let made = self.round(b, &[k, v, out, own[1]], &[q], body);
        made[2..].to_vec()
    }

    fn backward(&self, b: &mut Builder, xs: &[ValueId], own: &[ValueId]) -> Vec<ValueId> {
        let &[q, k, v, out, lse, d_out] = xs else { return Vec::new() };
        let own: Vec<ValueId> = own.iter().map(|&x| wide(b, x)).collect();
        let body = |b: &mut Builder, held: &[ValueId], step: Option<ValueId>, same: &[ValueId]| {
            let (k, v) = (self.next(b, held[0]), self.next(b, held[1]));
            let sums = [held[2], self.next(b, held[3]), self.next(b, held[4])];
            let parts = self.attention(b, &[same[0], k, v, same[1], same[2], same[3]], false);
            let mut yields = vec![k, v];
            for (sum, part) in sums.into_iter().zip(parts) {
                let part = wide(b, part);
                let part = step.map_or(part, |step| self.counted(b, step, part, 0.0));
                yields.push(b.add(sum, part));
            }
            yields
        };
        let made = self.round(b, &[k, v, own[0], own[1], own[2]], &[q, out, lse, d_out], body);
        vec![made[2], self.next(b, made[3]), self.next(b, made[4])]
    }

    /// `x` for the blocks of queries that come after the keys which they have in iteration `step`, and elsewhere `none`. These keys
    /// are from `step + 1` blocks before.
    fn counted(&self, b: &mut Builder, step: ValueId, x: ValueId, none: f64) -> ValueId {
        let step = b.broadcast(step, &[self.blocks], &[]);
        let block = numbers(b, self.blocks);
        let counts = b.elem("compare_lt", &[step, block]);
        let shape = b.shape(x);
        let counts = b.broadcast(counts, &shape, &[0]);
        let none = b.constant_like(x, none);
        b.select(counts, x, none)
    }
}
