//! Random differentiable programs over `n x n` matrices: elementwise ops, contractions, reductions, moves, gathers,
//! composites and repeats, nested.

use super::{input, loss, mesh};
use meshloom_ir::{Builder, DType, Einsum, Func, Literal, Op, Reduction, Role, Scalar, Tensor, TensorType, ValueId};
use std::collections::BTreeMap;

pub const N: u64 = 3;

/// splitmix64.
pub struct Rng(pub u64);

impl Rng {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    pub fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }

    /// In -1..1.
    pub fn uniform(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    pub fn tensor(&mut self, shape: &[u64]) -> Tensor {
        let n: u64 = shape.iter().product();
        Tensor::floats(DType::F64, shape, (0..n).map(|_| self.uniform()).collect())
    }
}

impl Rng {
    /// Floats in -1..1, integers in 0..5.
    pub fn tensor_of(&mut self, ty: &TensorType) -> Tensor {
        if ty.dtype.is_float() {
            let n = ty.elements();
            return Tensor::floats(ty.dtype, &ty.shape, (0..n).map(|_| self.uniform()).collect());
        }
        let n = ty.elements();
        Tensor::ints(ty.dtype, &ty.shape, (0..n).map(|_| self.below(5) as i64).collect())
    }
}

fn square() -> TensorType {
    TensorType::new(DType::F64, vec![N, N])
}

/// A loss over two parameters and a stacked one, with one data input.
pub fn program(rng: &mut Rng) -> Func {
    let mut b = Builder::new("random", mesh());
    let mut pool = vec![
        input(&mut b, "p", Role::Parameter, square()),
        input(&mut b, "q", Role::Parameter, square()),
        input(&mut b, "x", Role::Input, square()),
    ];
    let trip = 1 + rng.below(4) as u64;
    let stacked = input(&mut b, "blocks.*.w", Role::Parameter, TensorType::new(DType::F64, vec![trip, N, N]));
    for _ in 0..3 {
        step(&mut b, rng, &mut pool, 2);
    }
    let r = repeat(&mut b, rng, &pool, Some(stacked), 2);
    pool.push(r);
    for _ in 0..3 {
        step(&mut b, rng, &mut pool, 2);
    }
    let last = *pool.last().unwrap();
    let l = b.reduce(Reduction::Sum, last, &[0, 1]);
    loss(&mut b, l);
    b.finish()
}

fn any(rng: &mut Rng, pool: &[ValueId]) -> ValueId {
    pool[rng.below(pool.len())]
}

/// Late values more often, so that chains grow long.
fn recent(rng: &mut Rng, pool: &[ValueId]) -> ValueId {
    let n = pool.len().min(3);
    pool[pool.len() - 1 - rng.below(n)]
}

#[allow(clippy::too_many_lines)] // one arm for each kind of op
fn step(b: &mut Builder, rng: &mut Rng, pool: &mut Vec<ValueId>, depth: usize) {
    let (x, y) = (recent(rng, pool), any(rng, pool));
    let v = match rng.below(if depth > 0 { 29 } else { 26 }) {
        0 => b.add(x, y),
        1 => b.sub(x, y),
        2 | 3 => b.mul(x, y),
        4 => {
            let y = above_one(b, y);
            b.div(x, y)
        }
        5 => b.elem("maximum", &[x, y]),
        6 => b.elem("minimum", &[x, y]),
        7 => b.elem("tanh", &[x]),
        8 => {
            let t = b.elem("tanh", &[x]);
            b.elem("exponential", &[t])
        }
        9 => {
            let y = above_one(b, x);
            b.elem("log", &[y])
        }
        10 => {
            let y = above_one(b, x);
            b.elem("sqrt", &[y])
        }
        11 => {
            let y = above_one(b, x);
            b.elem("rsqrt", &[y])
        }
        12 => b.elem("logistic", &[x]),
        13 => b.elem("abs", &[x]),
        14 => b.dot(Einsum::parse("ij,jk->ik").unwrap(), x, y),
        15 => b.dot(Einsum::parse("ij,kj->ki").unwrap(), x, y),
        16 => b.dot(Einsum::parse("ij,ij->ij").unwrap(), x, y),
        17 => {
            // A subscript of one operand alone.
            let s = b.dot(Einsum::parse("ij,jk->i").unwrap(), x, y);
            b.unreduce(s, x, &[1])
        }
        18 => {
            let s = b.reduce(Reduction::Sum, x, &[0]);
            b.unreduce(s, x, &[0])
        }
        19 => {
            let s = b.reduce(Reduction::Max, x, &[1]);
            let s = b.unreduce(s, x, &[1]);
            b.sub(y, s)
        }
        20 => b.transpose(x, &[1, 0]),
        21 => roll(b, x),
        22 => {
            let rows = b.op(
                Op::Constant {
                    dtype: DType::I32,
                    shape: vec![N],
                    value: Literal::Dense((0..N).map(|_| Scalar::Int(rng.below(N as usize) as i64)).collect()),
                },
                &[],
            );
            if rng.below(2) == 0 {
                b.op(Op::Gather { shard: Vec::new(), total: None }, &[x, rows])
            } else {
                b.op(Op::Scatter { rows: N, total: N, shard: Vec::new() }, &[rows, x])
            }
        }
        23 => {
            let (c, zero) = (b.constant_like(x, 0.1), b.constant_like(x, 0.0));
            let hit = b.elem("compare_gt", &[y, zero]);
            let c = b.mul(x, c);
            b.select(hit, x, c)
        }
        24 => {
            let base = above_one(b, x);
            let y = b.elem("tanh", &[y]);
            b.elem("power", &[base, y])
        }
        25 => {
            let s = b.elem("stop_gradient", &[y]);
            let t = b.sub(y, s);
            let one = b.constant_like(t, 1.0);
            let t = b.add(t, one);
            // Zero but for its gradient, which finite differences see through `y - stop(y)` only where it is undone.
            let back = b.sub(t, one);
            let t = b.sub(t, back);
            b.mul(x, t)
        }
        26 => composite(b, rng, &[x, y], depth - 1),
        _ => repeat(b, rng, pool, None, depth - 1),
    };
    pool.push(v);
}

fn above_one(b: &mut Builder, x: ValueId) -> ValueId {
    let xx = b.mul(x, x);
    let one = b.constant_like(x, 1.0);
    b.add(xx, one)
}

/// Rows moved round by one, the long way: reshape, slice, pad, concatenate, reshape.
fn roll(b: &mut Builder, x: ValueId) -> ValueId {
    let flat = b.reshape(x, &[N * N]);
    let head = b.op(Op::Slice { start: vec![0], limit: vec![N] }, &[flat]);
    let tail = b.op(Op::Slice { start: vec![N], limit: vec![N * N] }, &[flat]);
    let padded = b.op(Op::Pad { low: vec![1], high: vec![0] }, &[head]);
    let head = b.op(Op::Slice { start: vec![1], limit: vec![N + 1] }, &[padded]);
    let both = b.op(Op::Concatenate { dim: 0 }, &[tail, head]);
    b.reshape(both, &[N, N])
}

fn composite(b: &mut Builder, rng: &mut Rng, operands: &[ValueId], depth: usize) -> ValueId {
    let body = b.open();
    let mut pool: Vec<ValueId> = operands.iter().map(|_| b.arg(body, square())).collect();
    for _ in 0..3 {
        step(b, rng, &mut pool, depth);
    }
    let body = b.close(vec![*pool.last().unwrap(), pool[2]]);
    let results = b.composite("mystery", BTreeMap::new(), operands, body).unwrap();
    b.mul(results[0], results[1])
}

fn repeat(b: &mut Builder, rng: &mut Rng, pool: &[ValueId], xs: Option<ValueId>, depth: usize) -> ValueId {
    let xs = xs.unwrap_or_else(|| {
        let parts: Vec<ValueId> = (0..1 + rng.below(3))
            .map(|_| {
                let x = any(rng, pool);
                b.reshape(x, &[1, N, N])
            })
            .collect();
        b.op(Op::Concatenate { dim: 0 }, &parts)
    });
    let trip = b.shape(xs)[0];
    let (carries, invariants) = (1 + rng.below(2), rng.below(3));
    let mut operands: Vec<ValueId> = (0..carries).map(|_| recent(rng, pool)).collect();
    operands.push(xs);
    operands.extend((0..invariants).map(|_| any(rng, pool)));
    let body = b.open();
    let mut inner: Vec<ValueId> = operands.iter().map(|_| b.arg(body, square())).collect();
    let args = inner.clone();
    for _ in 0..3 + rng.below(4) {
        step(b, rng, &mut inner, depth);
    }
    // Carries stay bounded over iterations.
    let mut yields: Vec<ValueId> = (0..carries)
        .map(|i| {
            let v = recent(rng, &inner);
            let v = b.elem("tanh", &[v]);
            if i == 1 { args[0] } else { v }
        })
        .collect();
    for _ in 0..rng.below(2) {
        yields.push(recent(rng, &inner));
    }
    let body = b.close(yields);
    let results = b.repeat(trip, rng.below(2) == 1, carries, 1, &operands, body).unwrap();
    let mut sum = results[0];
    for &r in &results[1..] {
        let r = if b.ty(r).rank() == 3 { b.reduce(Reduction::Sum, r, &[0]) } else { r };
        sum = b.add(sum, r);
    }
    sum
}
