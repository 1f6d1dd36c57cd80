//! Steps around attention: its two composites, and the ops that read a tensor as it lies in memory. Kernels store results of
//! attention in an order of dims of their own, so each kind of reader has to meet such a result, straight behind it, out of a
//! loop's stack, and beside readers of other kinds.

use super::program::{Generator, MAX_ELEMENTS};
use meshloom_ir::einsum::Einsum;
use meshloom_ir::graph::ValueId;
use meshloom_ir::layout::Reduction;
use meshloom_ir::op::{Attr, Op};
use meshloom_ir::table::composite::{Attention, DENSE, GROUPED};
use meshloom_ir::types::DType;
use std::collections::BTreeMap;

impl Generator<'_> {
    /// Adds the results of attention to the pool, or of something that reads one of the last values.
    pub fn attend(&mut self) {
        if self.rng.chance(35) {
            let v = attention(self);
            self.add(v);
            // Readers straight behind it, none of them now and then.
            for _ in 0..self.rng.below(3) {
                let r = reader(self, v);
                self.add(r);
            }
            return;
        }
        // Stacks of such results have a dim more.
        let x = match self.find(|t| t.dtype.is_float() && t.rank() >= 4) {
            Some(x) if self.rng.chance(70) => x,
            _ => self.float(),
        };
        let v = reader(self, x);
        self.add(v);
    }
}

/// One op that reads `x`: mostly one that takes it as consecutive memory, or something that changes its view first.
fn reader(g: &mut Generator<'_>, x: ValueId) -> ValueId {
    let shape = g.b.shape(x);
    if shape.is_empty() || !g.is_float(x) {
        return x;
    }
    let dim = g.rng.below(shape.len());
    match g.rng.below(9) {
        0..=2 if g.rng.chance(25) => g.b.op(Op::CumLogSumExp { dim, reverse: g.rng.chance(40) }, &[x]),
        0..=2 => {
            let kind = g.rng.pick(&[Reduction::Sum, Reduction::Max, Reduction::Min]);
            let (reverse, exclusive) = (g.rng.chance(40), kind == Reduction::Sum && g.rng.chance(30));
            let v = g.b.op(Op::Cumulative { kind, dim, reverse, exclusive }, &[x]);
            if kind == Reduction::Sum { g.scaled(v, 1.0 / shape[dim] as f64) } else { v }
        }
        3 => {
            let k = 1 + g.rng.below(shape[dim] as usize) as u64;
            g.b.op(Op::top_k(dim, k, g.rng.chance(50), false), &[x])
        }
        4 => {
            let y = g.float_of(&shape);
            let mut both = [x, y];
            g.rng.shuffle(&mut both);
            g.b.op(Op::Concatenate { dim }, &both)
        }
        5 => {
            let indices = g.int();
            let fits = g.b.ty(x).elements() / shape[0].max(1) * g.b.ty(indices).elements() <= MAX_ELEMENTS;
            let small = shape.len() + g.b.ty(indices).rank() <= 6;
            if fits && small { g.b.op(Op::Gather { shard: Vec::new(), total: None }, &[x, indices]) } else { x }
        }
        6 => g.b.op(Op::Reverse { dim }, &[x]),
        // Heads merged into a model dim, or turned about.
        7 if shape.len() == 4 => {
            let turned = g.b.transpose(x, &[0, 2, 1, 3]);
            g.b.reshape(turned, &[shape[0], shape[2], shape[1] * shape[3]])
        }
        _ => {
            let rows: u64 = shape[..dim].iter().product();
            g.b.reshape(x, &[rows, shape[dim..].iter().product()])
        }
    }
}

/// The first result of attention over values of the pool, heads shared or not, masked or not.
fn attention(g: &mut Generator<'_>) -> ValueId {
    let mut size = |most: u64| {
        let n = g.rng.pick(&g.sizes);
        if n > most { 1 + n % most } else { n }
    };
    let (b, h, s, d) = (size(3), size(4), size(8), size(6));
    let grouped = g.rng.chance(30);
    let t = if g.rng.chance(70) { s } else { 1 + g.rng.below(6) as u64 };
    let e = if grouped && g.rng.chance(50) { 1 + g.rng.below(5) as u64 } else { d };
    let q_shape = if grouped { vec![b, h, 1 + g.rng.below(2) as u64, s, d] } else { vec![b, h, s, d] };
    let q = various(g, &q_shape);
    let k = if q_shape == [b, h, t, d] && g.rng.chance(30) { q } else { various(g, &[b, h, t, d]) };
    let v = various(g, &[b, h, t, e]);
    composite(g, if grouped { &GROUPED } else { &DENSE }, [q, k, v])
}

/// A float value of a shape whose elements differ: one of the pool, an input, or one that is computed.
fn various(g: &mut Generator<'_>, shape: &[u64]) -> ValueId {
    if g.options.any_op
        && let Some(v) = g.array(g.options.dtype, Some(shape))
    {
        return v;
    }
    if let Some(v) = g.find(|t| t.dtype.is_float() && t.shape == shape) {
        return v;
    }
    if g.is_outermost() && g.rng.chance(60) {
        return g.float_input(shape);
    }
    let mut at = g.float_of(shape);
    // 16 bits have no fractions of large numbers, so that their sines are anything.
    let step = if g.options.dtype.bytes() == 2 { 1.0 / 16.0 } else { 1.0 };
    for dim in 0..shape.len() {
        let i = g.b.op(Op::Iota { dtype: DType::I32, shape: shape.to_vec(), dim, shard: Vec::new() }, &[]);
        let i = g.b.convert(i, g.options.dtype);
        let i = g.scaled(i, step * (0.7 + 1.3 * dim as f64));
        at = g.b.add(at, i);
    }
    g.b.elem("sine", &[at])
}

fn composite(g: &mut Generator<'_>, of: &Attention, operands: [ValueId; 3]) -> ValueId {
    let causal = g.rng.chance(50);
    let all = format!("{}t", of.rows);
    let einsum = |x: &str, y: &str, to: &str| {
        let subscripts = |s: &str| s.chars().collect::<Vec<char>>();
        Einsum::new(vec![subscripts(x), subscripts(y)], subscripts(to))
    };
    let types = operands.map(|v| g.b.ty(v).clone());
    let scale = 1.0 / (*types[0].shape.last().unwrap_or(&1) as f64).sqrt();
    let r = g.open();
    let [q, k, v] = types.map(|ty| g.arg(r, ty));
    let scores = g.b.dot(einsum(of.q, of.k, &all), q, k);
    let mut scores = g.scaled(scores, scale);
    let shape = g.b.shape(scores);
    let last = shape.len() - 1;
    if causal {
        let mut index = |dim| g.b.op(Op::Iota { dtype: DType::I32, shape: shape.clone(), dim, shard: Vec::new() }, &[]);
        let (i, j) = (index(last - 1), index(last));
        let seen = g.b.elem("compare_ge", &[i, j]);
        let low = g.b.constant_like(scores, -1e9);
        scores = g.b.select(seen, scores, low);
    }
    let most = g.b.reduce(Reduction::Max, scores, &[last]);
    let most = g.b.elem("stop_gradient", &[most]);
    let wide = g.b.unreduce(most, scores, &[last]);
    let less = g.b.sub(scores, wide);
    let e = g.b.elem("exponential", &[less]);
    let sum = g.b.reduce(Reduction::Sum, e, &[last]);
    let log = g.b.elem("log", &[sum]);
    let lse = g.b.add(log, most);
    let wide = g.b.unreduce(lse, scores, &[last]);
    let less = g.b.sub(scores, wide);
    let p = g.b.elem("exponential", &[less]);
    let out = g.b.dot(einsum(&all, of.v, of.out), p, v);
    let body = g.close(vec![out, lse]);
    let attrs = BTreeMap::from([
        ("causal".to_string(), Attr::Bool(causal)),
        ("scale".to_string(), Attr::Float(scale.to_bits())),
    ]);
    let results = g.b.composite(of.name, attrs, &operands, body);
    results.expect("operands and arguments were made to fit")[0]
}
