//! Attention as ops: what the body of a composite of each form may look like. Laws that are about composites write their right
//! sides and samples with it.
//!
//! Not here: which bodies are accepted ([`crate::kernels`] reads them, and knows nothing of this file).

use meshloom_ir::op::Attr;
use meshloom_ir::table::composite::{Attention, Pass};
use meshloom_ir::{Builder, DType, Einsum, Op, Reduction, ValueId};
use std::collections::BTreeMap;

/// The score of keys that a causal mask hides.
const HIDDEN: f64 = -1e9;

#[derive(Clone, Copy)]
pub struct AttentionBody {
    pub form: &'static Attention,
    pub pass: Pass,
    pub causal: bool,
    pub scale: f64,
}

impl AttentionBody {
    /// Appends the composite of these operands.
    pub fn write(&self, b: &mut Builder, operands: &[ValueId]) -> Vec<ValueId> {
        let inside = b.open();
        let types: Vec<_> = operands.iter().map(|&v| b.ty(v).clone()).collect();
        let args: Vec<ValueId> = types.into_iter().map(|ty| b.arg(inside, ty)).collect();
        let yields = match (self.pass, &args[..]) {
            (Pass::Forward, &[q, k, v]) => self.forward(b, q, k, v),
            (Pass::Backward, &[q, k, v, out, lse, d_out]) => self.backward(b, [q, k, v, out, lse, d_out]),
            _ => Vec::new(),
        };
        let body = b.close(yields);
        let name = if self.pass == Pass::Forward { self.form.name } else { self.form.gradient };
        let attrs = BTreeMap::from([
            ("causal".to_string(), Attr::Bool(self.causal)),
            ("scale".to_string(), Attr::Float(self.scale.to_bits())),
        ]);
        b.composite(name, attrs, operands, body).unwrap_or_default()
    }

    /// Scores with the dims of rows and then keys.
    fn scores(&self, b: &mut Builder, q: ValueId, k: ValueId) -> ValueId {
        let (q, k) = (wide(b, q), wide(b, k));
        let x = dot(b, (self.form.q, q), (self.form.k, k), &self.dims());
        let by = b.constant_like(x, self.scale);
        let x = b.mul(x, by);
        if !self.causal {
            return x;
        }
        let shape = b.shape(x);
        let last = shape.len() - 1;
        let mut index = |dim| b.op(Op::Iota { dtype: DType::I32, shape: shape.clone(), dim, shard: Vec::new() }, &[]);
        let (query, key) = (index(last - 1), index(last));
        let seen = b.elem("compare_ge", &[query, key]);
        let low = b.constant_like(x, HIDDEN);
        b.select(seen, x, low)
    }

    fn dims(&self) -> String {
        format!("{}t", self.form.rows)
    }

    fn forward(&self, b: &mut Builder, q: ValueId, k: ValueId, v: ValueId) -> Vec<ValueId> {
        let x = self.scores(b, q, k);
        let last = b.shape(x).len() - 1;
        let top = b.reduce(Reduction::Max, x, &[last]);
        let below = b.unreduce(top, x, &[last]);
        let below = b.sub(x, below);
        let e = b.elem("exponential", &[below]);
        let sum = b.reduce(Reduction::Sum, e, &[last]);
        let log = b.elem("log", &[sum]);
        let lse = b.add(log, top);
        let p = self.weights(b, x, lse);
        let dtype = b.ty(v).dtype;
        let p = b.convert(p, dtype);
        vec![dot(b, (&self.dims(), p), (self.form.v, v), self.form.out), lse]
    }

    fn weights(&self, b: &mut Builder, x: ValueId, lse: ValueId) -> ValueId {
        let last = b.shape(x).len() - 1;
        let below = b.unreduce(lse, x, &[last]);
        let below = b.sub(x, below);
        b.elem("exponential", &[below])
    }

    fn backward(&self, b: &mut Builder, [q, k, v, out, lse, d_out]: [ValueId; 6]) -> Vec<ValueId> {
        let types = [q, k, v].map(|x| b.ty(x).dtype);
        let [q, k, v, out, d_out] = [q, k, v, out, d_out].map(|x| wide(b, x));
        let (form, dims) = (self.form, self.dims());
        let x = self.scores(b, q, k);
        let last = dims.len() - 1;
        let p = self.weights(b, x, lse);
        let dv = dot(b, (&dims, p), (form.out, d_out), form.v);
        let dp = dot(b, (form.out, d_out), (form.v, v), &dims);
        let both = b.mul(d_out, out);
        let delta = b.reduce(Reduction::Sum, both, &[last]);
        let below = b.unreduce(delta, dp, &[last]);
        let centred = b.sub(dp, below);
        let ds = b.mul(p, centred);
        let by = b.constant_like(ds, self.scale);
        let ds = b.mul(ds, by);
        let dq = dot(b, (&dims, ds), (form.k, k), form.q);
        let dk = dot(b, (&dims, ds), (form.q, q), form.k);
        [dq, dk, dv].into_iter().zip(types).map(|(x, t)| b.convert(x, t)).collect()
    }
}

/// `v` in the type that kernels compute in.
pub fn wide(b: &mut Builder, v: ValueId) -> ValueId {
    let dtype = b.ty(v).dtype;
    b.convert(v, if dtype.bytes() < 4 { DType::F32 } else { dtype })
}

/// The contraction of two operands, each with the letters of its dims.
fn dot(b: &mut Builder, x: (&str, ValueId), y: (&str, ValueId), to: &str) -> ValueId {
    let chars = |s: &str| s.chars().collect::<Vec<char>>();
    b.dot(Einsum::new(vec![chars(x.0), chars(y.0)], chars(to)), x.1, y.1)
}
