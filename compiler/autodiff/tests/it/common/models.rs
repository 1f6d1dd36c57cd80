//! The oracles' models, built by hand: the front end is another crate's business.

use super::{input, loss, mesh};
use meshloom_ir::op::Attr;
use meshloom_ir::{Builder, DType, Einsum, Func, Op, Reduction, Role, TensorType, ValueId};
use std::collections::BTreeMap;

fn einsum(s: &str) -> Einsum {
    Einsum::parse(s).unwrap()
}

/// `relu(x w1 + b1) w2 + b2`, mean squared error.
pub fn mlp(batch: u64, din: u64, hid: u64, dout: u64) -> Func {
    let mut b = Builder::new("mlp", mesh());
    let f32s = |shape: &[u64]| TensorType::new(DType::F32, shape);
    let w1 = input(&mut b, "w1", Role::Parameter, f32s(&[din, hid]));
    let b1 = input(&mut b, "b1", Role::Parameter, f32s(&[hid]));
    let w2 = input(&mut b, "w2", Role::Parameter, f32s(&[hid, dout]));
    let b2 = input(&mut b, "b2", Role::Parameter, f32s(&[dout]));
    let x = input(&mut b, "x", Role::Input, f32s(&[batch, din]));
    let y = input(&mut b, "y", Role::Input, f32s(&[batch, dout]));
    let h = b.dot(einsum("bd,dh->bh"), x, w1);
    let h = add_rows(&mut b, h, b1);
    let zero = b.constant_like(h, 0.0);
    let h = b.elem("maximum", &[h, zero]);
    let out = b.dot(einsum("bh,ho->bo"), h, w2);
    let out = add_rows(&mut b, out, b2);
    let e = b.sub(out, y);
    let e = b.mul(e, e);
    let l = mean(&mut b, e, &[0, 1]);
    loss(&mut b, l);
    b.finish()
}

fn add_rows(b: &mut Builder, x: ValueId, bias: ValueId) -> ValueId {
    let shape = b.shape(x);
    let bias = b.broadcast(bias, &shape, &[shape.len() - 1]);
    b.add(x, bias)
}

fn mean(b: &mut Builder, x: ValueId, dims: &[usize]) -> ValueId {
    let n: u64 = dims.iter().map(|&d| b.shape(x)[d]).product();
    let s = b.reduce(Reduction::Sum, x, dims);
    let n = b.constant_like(s, n as f64);
    b.div(s, n)
}

pub fn layer_norm(b: &mut Builder, x: ValueId, gain: ValueId, bias: ValueId) -> ValueId {
    let last = b.shape(x).len() - 1;
    let m = mean(b, x, &[last]);
    let m = b.unreduce(m, x, &[last]);
    let centred = b.sub(x, m);
    let squares = b.mul(centred, centred);
    let var = mean(b, squares, &[last]);
    let eps = b.constant_like(var, 1e-5);
    let var = b.add(var, eps);
    let r = b.elem("rsqrt", &[var]);
    let r = b.unreduce(r, x, &[last]);
    let n = b.mul(centred, r);
    let shape = b.shape(x);
    let gain = b.broadcast(gain, &shape, &[last]);
    let n = b.mul(n, gain);
    add_rows(b, n, bias)
}

fn gelu(b: &mut Builder, x: ValueId) -> ValueId {
    let xx = b.mul(x, x);
    let xxx = b.mul(xx, x);
    let (a, c) = (b.constant_like(x, 0.044715), b.constant_like(x, (2.0 / std::f64::consts::PI).sqrt()));
    let t = b.mul(xxx, a);
    let t = b.add(x, t);
    let t = b.mul(t, c);
    let t = b.elem("tanh", &[t]);
    let (one, half) = (b.constant_like(x, 1.0), b.constant_like(x, 0.5));
    let t = b.add(t, one);
    let t = b.mul(t, x);
    b.mul(t, half)
}

/// log(sum(exp(x))) over the last dim, which the result lacks.
fn log_sum_exp(b: &mut Builder, x: ValueId) -> ValueId {
    let last = b.shape(x).len() - 1;
    let m = b.reduce(Reduction::Max, x, &[last]);
    let m = b.elem("stop_gradient", &[m]);
    let wide = b.unreduce(m, x, &[last]);
    let e = b.sub(x, wide);
    let e = b.elem("exponential", &[e]);
    let s = b.reduce(Reduction::Sum, e, &[last]);
    let s = b.elem("log", &[s]);
    b.add(s, m)
}

/// `attention(q, k, v) -> (out, lse)` as a composite, for `[batch, heads, seq, head]`; `name` other than "attention" gives
/// one without a gradient of its own.
pub fn attention(b: &mut Builder, name: &str, causal: bool, q: ValueId, k: ValueId, v: ValueId) -> [ValueId; 2] {
    let scale = 1.0 / (*b.shape(q).last().unwrap() as f64).sqrt();
    let body = b.open();
    let [q1, k1, v1] = [q, k, v].map(|x| {
        let ty = b.ty(x).clone();
        b.arg(body, ty)
    });
    let s = b.dot(einsum("bhsd,bhtd->bhst"), q1, k1);
    let c = b.constant_like(s, scale);
    let mut s = b.mul(s, c);
    if causal {
        let shape = b.shape(s);
        let mut index = |dim| b.op(Op::Iota { dtype: DType::I32, shape: shape.clone(), dim, shard: Vec::new() }, &[]);
        let (i, j) = (index(2), index(3));
        let seen = b.elem("compare_ge", &[i, j]);
        let low = b.constant_like(s, -1e9);
        s = b.select(seen, s, low);
    }
    let lse = log_sum_exp(b, s);
    let wide = b.unreduce(lse, s, &[3]);
    let p = b.sub(s, wide);
    let p = b.elem("exponential", &[p]);
    let out = b.dot(einsum("bhst,bhtd->bhsd"), p, v1);
    let body = b.close(vec![out, lse]);
    let attrs = BTreeMap::from([
        ("causal".to_string(), Attr::Bool(causal)),
        ("scale".to_string(), Attr::Float(scale.to_bits())),
    ]);
    let r = b.composite(name, attrs, &[q, k, v], body).unwrap();
    [r[0], r[1]]
}

#[derive(Clone, Copy)]
pub struct Gpt {
    pub layers: u64,
    pub d: u64,
    pub heads: u64,
    pub seq: u64,
    pub batch: u64,
    pub vocab: u64,
    pub dtype: DType,
}

const BLOCK: [&str; 16] =
    ["ln1_g", "ln1_b", "wq", "bq", "wk", "bk", "wv", "bv", "wo", "bo", "ln2_g", "ln2_b", "w1", "b1", "w2", "b2"];

impl Gpt {
    fn block_shape(&self, name: &str) -> Vec<u64> {
        let (d, f) = (self.d, 4 * self.d);
        match name {
            "w1" => vec![d, f],
            "b1" => vec![f],
            "w2" => vec![f, d],
            n if n.starts_with('w') => vec![d, d],
            _ => vec![d],
        }
    }

    /// The loss of the oracle's decoder.
    pub fn loss(&self) -> Func {
        let mut b = Builder::new("gpt", mesh());
        let float = |shape: &[u64]| TensorType::new(self.dtype, shape);
        let (d, l) = (self.d, self.layers);
        let wte = input(&mut b, "wte", Role::Parameter, float(&[self.vocab, d]));
        let wpe = input(&mut b, "wpe", Role::Parameter, float(&[self.seq, d]));
        let blocks: Vec<ValueId> = BLOCK
            .iter()
            .map(|n| {
                let shape = [&[l], &self.block_shape(n)[..]].concat();
                let v = input(&mut b, &format!("blocks.*.{n}"), Role::Parameter, float(&shape));
                b.func.inputs.last_mut().unwrap().stacked = true;
                v
            })
            .collect();
        let lnf_g = input(&mut b, "lnf_g", Role::Parameter, float(&[d]));
        let lnf_b = input(&mut b, "lnf_b", Role::Parameter, float(&[d]));
        let head = input(&mut b, "head", Role::Parameter, float(&[d, self.vocab]));
        let ints = TensorType::new(DType::I32, vec![self.batch, self.seq]);
        let tokens = input(&mut b, "tokens", Role::Input, ints.clone());
        let targets = input(&mut b, "targets", Role::Input, ints);

        let x = b.op(Op::Gather { shard: Vec::new(), total: None }, &[wte, tokens]);
        let shape = b.shape(x);
        let pos = b.broadcast(wpe, &shape, &[1, 2]);
        let x = b.add(x, pos);

        let body = b.open();
        let x_in = b.arg(body, float(&shape));
        let args: Vec<ValueId> = BLOCK.iter().map(|n| b.arg(body, float(&self.block_shape(n)))).collect();
        let p = |name: &str| args[BLOCK.iter().position(|n| *n == name).unwrap()];
        let x_out = self.block(&mut b, x_in, &p);
        let body = b.close(vec![x_out]);
        let operands = [&[x], &blocks[..]].concat();
        let x = b.repeat(l, false, 1, BLOCK.len(), &operands, body).unwrap()[0];

        let x = layer_norm(&mut b, x, lnf_g, lnf_b);
        let logits = b.dot(einsum("btd,dv->btv"), x, head);
        let lse = log_sum_exp(&mut b, logits);
        let wide = b.shape(logits);
        let index = b.op(Op::Iota { dtype: DType::I32, shape: wide.clone(), dim: 2, shard: Vec::new() }, &[]);
        let target = b.broadcast(targets, &wide, &[0, 1]);
        let hit = b.elem("compare_eq", &[index, target]);
        let zero = b.constant_like(logits, 0.0);
        let picked = b.select(hit, logits, zero);
        let picked = b.reduce(Reduction::Sum, picked, &[2]);
        let e = b.sub(lse, picked);
        let l = mean(&mut b, e, &[0, 1]);
        loss(&mut b, l);
        b.finish()
    }

    fn block(&self, b: &mut Builder, x: ValueId, p: &dyn Fn(&str) -> ValueId) -> ValueId {
        let dense = |b: &mut Builder, x: ValueId, w: &str, bias: &str| {
            let y = b.dot(einsum("btd,de->bte"), x, p(w));
            add_rows(b, y, p(bias))
        };
        let (t, h, n) = (self.seq, self.heads, self.d / self.heads);
        let a = layer_norm(b, x, p("ln1_g"), p("ln1_b"));
        let [q, k, v] = [("wq", "bq"), ("wk", "bk"), ("wv", "bv")].map(|(w, bias)| {
            let y = dense(b, a, w, bias);
            let y = b.reshape(y, &[self.batch, t, h, n]);
            b.transpose(y, &[0, 2, 1, 3])
        });
        let [out, _] = attention(b, "attention", true, q, k, v);
        let out = b.transpose(out, &[0, 2, 1, 3]);
        let out = b.reshape(out, &[self.batch, t, self.d]);
        let out = dense(b, out, "wo", "bo");
        let x = b.add(x, out);
        let m = layer_norm(b, x, p("ln2_g"), p("ln2_b"));
        let m = dense(b, m, "w1", "b1");
        let m = gelu(b, m);
        let m = dense(b, m, "w2", "b2");
        b.add(x, m)
    }
}
