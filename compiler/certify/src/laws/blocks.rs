//! Laws of work in blocks: the result of an op along a dim follows from its results in each block of the dim. The op is
//! applied once more to the blocks' totals, or to the few candidates of each block. So a split dim is not gathered.
//!
//! The left side and the number of blocks fix what the right side must be; the number is read off the right side. The
//! right side is written down completely as a pattern, and the values must match it.

use super::{Law, LawCx, sample};
use meshloom_ir::random::Rng;
use meshloom_ir::{Builder, DType, Literal, Op, Reduction, Scalar, TensorType, ValueId};

pub const LAWS: &[Law] = &[
    Law {
        name: "cumulative-sum-blocks",
        law: "running sums and products are those of each block combined with that of all blocks before it",
        reassociates: true,
        check: |cx, a, b| cumulative(cx, a, b, rounds),
        sample: |rng, b| {
            let kind = rng.pick(&[Reduction::Sum, Reduction::Prod]);
            cumulative_sample(rng, b, kind, DType::F64)
        },
    },
    Law {
        name: "cumulative-blocks",
        law: "running extremes, or any of integers, are those of each block combined with that of all blocks before it",
        reassociates: false,
        check: |cx, a, b| cumulative(cx, a, b, |kind, dtype| !rounds(kind, dtype)),
        sample: |rng, b| match rng.pick(&Reduction::ALL) {
            Reduction::Max => cumulative_sample(rng, b, Reduction::Max, DType::F64),
            kind => cumulative_sample(rng, b, kind, DType::I32),
        },
    },
    Law {
        name: "cumulative-log-sum-exp-blocks",
        law: "running log(sum(exp)) are those of each block combined with that of all blocks before it",
        reassociates: true,
        check: log_sum_exp,
        sample: log_sum_exp_sample,
    },
    Law {
        name: "top-k-blocks",
        law: "the first k are the first k of the first k of each block",
        reassociates: false,
        check: top_k,
        sample: top_k_sample,
    },
];

/// A pattern: a known value, or an op on patterns.
#[derive(Clone)]
pub(super) enum Is {
    Value(ValueId),
    Op(Op, Vec<Is>),
}

impl Is {
    pub fn elem(name: &str, xs: Vec<Is>) -> Option<Is> {
        Some(Is::Op(Op::elem(name)?, xs))
    }

    pub fn met(&self, cx: &LawCx<'_>, v: ValueId) -> bool {
        match self {
            Is::Value(x) => cx.same(v, *x),
            Is::Op(op, xs) => cx.defs(v).any(|d| {
                d.op == *op && d.operands.len() == xs.len() && d.operands.iter().zip(xs).all(|(&o, x)| x.met(cx, o))
            }),
        }
    }
}

/// The shape with dim `dim` taken apart into `blocks`; `None` where it cannot be.
pub(super) fn in_blocks(shape: &[u64], dim: usize, blocks: u64) -> Option<Vec<u64>> {
    let n = *shape.get(dim)?;
    let fits = blocks > 0 && n > 0 && n.is_multiple_of(blocks);
    fits.then(|| [&shape[..dim], &[blocks, n / blocks], &shape[dim + 1..]].concat())
}

/// All dims of a rank but one.
fn but(rank: usize, dim: usize) -> Vec<usize> {
    (0..rank).filter(|&d| d != dim).collect()
}

/// The dim sizes of what a reshape that defines `v` is made from.
fn reshaped<'a>(cx: &'a LawCx<'a>, v: ValueId) -> impl Iterator<Item = Vec<u64>> + 'a {
    cx.defs(v).filter(|d| matches!(d.op, Op::Reshape { .. })).map(move |d| cx.ty(d.operands[0]).shape.clone())
}

/// Whether the order in which elements are combined changes the last digits.
fn rounds(kind: Reduction, dtype: DType) -> bool {
    matches!(kind, Reduction::Sum | Reduction::Prod) && dtype.is_float()
}

fn cumulative(cx: &LawCx<'_>, a: ValueId, b: ValueId, of: fn(Reduction, DType) -> bool) -> bool {
    let ty = cx.ty(a).clone();
    cx.defs(a).any(|d| {
        let Op::Cumulative { kind, dim, .. } = d.op else { return false };
        of(kind, ty.dtype)
            && reshaped(cx, b).any(|from| {
                let blocks = from.get(dim).copied().unwrap_or(0);
                let right = cumulative_in_blocks(d.operands[0], &ty.shape, blocks, &d.op);
                right.is_some_and(|right| right.met(cx, b))
            })
    })
}

fn cumulative_in_blocks(x: ValueId, shape: &[u64], blocks: u64, op: &Op) -> Option<Is> {
    let &Op::Cumulative { kind, dim, reverse, exclusive } = op else { return None };
    let split = in_blocks(shape, dim, blocks)?;
    let x = || Is::Op(Op::Reshape { shape: split.clone() }, vec![Is::Value(x)]);
    let inside = Is::Op(Op::Cumulative { kind, dim: dim + 1, reverse, exclusive }, vec![x()]);
    let totals = Is::Op(Op::Reduce { kind, dims: vec![dim + 1] }, vec![x()]);
    let before = Is::Op(Op::Cumulative { kind, dim, reverse, exclusive: true }, vec![totals]);
    let before = Is::Op(Op::Broadcast { shape: split.clone(), dims: but(split.len(), dim + 1) }, vec![before]);
    Some(Is::Op(Op::Reshape { shape: shape.to_vec() }, vec![Is::elem(kind.elementwise(), vec![inside, before])?]))
}

fn cumulative_sample(rng: &mut Rng, b: &mut Builder, kind: Reduction, dtype: DType) -> (ValueId, ValueId) {
    let mut shape = sample::shape(rng, 2);
    let (dim, blocks) = (rng.below(2), 1 + rng.below(3) as u64);
    shape[dim] *= blocks;
    let (reverse, exclusive) = (rng.chance(50), rng.chance(50));
    let x = sample::typed_input(b, dtype, &shape);
    let whole = b.op(Op::Cumulative { kind, dim, reverse, exclusive }, &[x]);
    let split = in_blocks(&shape, dim, blocks).unwrap_or_default();
    let y = b.op(Op::Reshape { shape: split.clone() }, &[x]);
    let inside = b.op(Op::Cumulative { kind, dim: dim + 1, reverse, exclusive }, &[y]);
    let totals = b.op(Op::Reduce { kind, dims: vec![dim + 1] }, &[y]);
    let before = b.op(Op::Cumulative { kind, dim, reverse, exclusive: true }, &[totals]);
    let before = b.op(Op::Broadcast { shape: split, dims: but(shape.len() + 1, dim + 1) }, &[before]);
    let both = b.elem(kind.elementwise(), &[inside, before]);
    (whole, b.op(Op::Reshape { shape }, &[both]))
}

/// Elements `from..to` of dim `dim`.
fn part(shape: &[u64], dim: usize, from: u64, to: u64) -> Op {
    let (mut start, mut limit) = (vec![0; shape.len()], shape.to_vec());
    (start[dim], limit[dim]) = (from, to);
    Op::Slice { start, limit }
}

fn log_sum_exp(cx: &LawCx<'_>, a: ValueId, b: ValueId) -> bool {
    let ty = cx.ty(a).clone();
    cx.defs(a).any(|d| {
        let Op::CumLogSumExp { dim, reverse } = d.op else { return false };
        reshaped(cx, b).any(|from| {
            let blocks = from.get(dim).copied().unwrap_or(0);
            let right = log_sum_exp_in_blocks(d.operands[0], &ty, blocks, dim, reverse);
            right.is_some_and(|right| right.met(cx, b))
        })
    })
}

fn log_sum_exp_in_blocks(x: ValueId, ty: &TensorType, blocks: u64, dim: usize, reverse: bool) -> Option<Is> {
    let (dtype, shape) = (ty.dtype, &ty.shape);
    let split = in_blocks(shape, dim, blocks)?;
    let constant = |shape: &[u64], x: f64| {
        let value = Literal::Splat(Scalar::float(x));
        Is::Op(Op::Constant { dtype, shape: shape.to_vec(), value }, Vec::new())
    };
    let inside = || {
        let x = Is::Op(Op::Reshape { shape: split.clone() }, vec![Is::Value(x)]);
        Is::Op(Op::CumLogSumExp { dim: dim + 1, reverse }, vec![x])
    };
    let (mut few, mut one) = (shape.clone(), shape.clone());
    (few[dim], one[dim]) = (blocks, 1);
    // The last result of a block is about all of it. Those of the blocks before are one block behind.
    let before = || {
        let last = if reverse { 0 } else { split[dim + 1] - 1 };
        let totals = Is::Op(part(&split, dim + 1, last, last + 1), vec![inside()]);
        let totals = Is::Op(Op::Reshape { shape: few.clone() }, vec![totals]);
        let so_far = Is::Op(Op::CumLogSumExp { dim, reverse }, vec![totals]);
        let from = u64::from(reverse);
        let rest = Is::Op(part(&few, dim, from, from + blocks - 1), vec![so_far]);
        let nothing = constant(&one, f64::NEG_INFINITY);
        let parts = if reverse { vec![rest, nothing] } else { vec![nothing, rest] };
        let before = Is::Op(Op::Concatenate { dim }, parts);
        Is::Op(Op::Broadcast { shape: split.clone(), dims: but(split.len(), dim + 1) }, vec![before])
    };
    // log(exp(x) + exp(y)), with a difference of 0 for equal infinities.
    let both = |name| Is::elem(name, vec![inside(), before()]);
    let apart = Is::elem("abs", vec![both("subtract")?])?;
    let apart = Is::elem("select", vec![both("compare_eq")?, constant(&split, 0.0), apart])?;
    let share = Is::elem("exponential", vec![Is::elem("negate", vec![apart])?])?;
    let sum = Is::elem("add", vec![both("maximum")?, Is::elem("log_plus_one", vec![share])?])?;
    Some(Is::Op(Op::Reshape { shape: shape.clone() }, vec![sum]))
}

fn log_sum_exp_sample(rng: &mut Rng, b: &mut Builder) -> (ValueId, ValueId) {
    let mut shape = sample::shape(rng, 2);
    let (dim, blocks, reverse) = (rng.below(2), 2 + rng.below(3) as u64, rng.chance(50));
    let n = shape[dim];
    shape[dim] *= blocks;
    let x = sample::input(b, &shape);
    let whole = b.op(Op::CumLogSumExp { dim, reverse }, &[x]);
    let split = in_blocks(&shape, dim, blocks).unwrap_or_default();
    let y = b.reshape(x, &split);
    let inside = b.op(Op::CumLogSumExp { dim: dim + 1, reverse }, &[y]);
    let last = if reverse { 0 } else { n - 1 };
    let totals = b.op(part(&split, dim + 1, last, last + 1), &[inside]);
    let (mut few, mut one) = (shape.clone(), shape.clone());
    (few[dim], one[dim]) = (blocks, 1);
    let totals = b.reshape(totals, &few);
    let so_far = b.op(Op::CumLogSumExp { dim, reverse }, &[totals]);
    let from = u64::from(reverse);
    let rest = b.op(part(&few, dim, from, from + blocks - 1), &[so_far]);
    let nothing = b.constant(DType::F64, &one, f64::NEG_INFINITY);
    let parts = if reverse { [rest, nothing] } else { [nothing, rest] };
    let before = b.op(Op::Concatenate { dim }, &parts);
    let before = b.broadcast(before, &split, &but(3, dim + 1));
    let (most, apart) = (b.elem("maximum", &[inside, before]), b.sub(inside, before));
    let (apart, same) = (b.elem("abs", &[apart]), b.elem("compare_eq", &[inside, before]));
    let zero = b.constant(DType::F64, &split, 0.0);
    let apart = b.select(same, zero, apart);
    let less = b.neg(apart);
    let share = b.elem("exponential", &[less]);
    let more = b.elem("log_plus_one", &[share]);
    let sum = b.add(most, more);
    (whole, b.reshape(sum, &shape))
}

/// The op, without what it gives of the elements.
#[derive(Clone, Copy)]
struct TopK {
    dim: usize,
    k: u64,
    largest: bool,
}

impl TopK {
    fn op(self, dim: usize, indices: bool) -> Op {
        Op::TopK { dim, k: self.k, largest: self.largest, indices }
    }
}

fn top_k(cx: &LawCx<'_>, a: ValueId, b: ValueId) -> bool {
    cx.defs(a).any(|d| {
        let Op::TopK { dim, k, largest, indices } = d.op else { return false };
        let (x, t) = (d.operands[0], TopK { dim, k, largest });
        let shape = &cx.ty(x).shape;
        // Of the candidates there are k per block.
        let count = |v: ValueId| cx.ty(v).shape.get(dim).copied().unwrap_or(0);
        let meets = |candidates: u64| {
            let right = (k > 0 && candidates.is_multiple_of(k))
                .then(|| top_k_in_blocks(x, shape, candidates / k, t, indices))
                .flatten();
            right.is_some_and(|right| right.met(cx, b))
        };
        cx.defs(b).any(|e| match e.op {
            Op::TopK { .. } => meets(count(e.operands[0])),
            Op::Reduce { .. } => meets(cx.ty(e.operands[0]).shape.last().copied().unwrap_or(0)),
            _ => false,
        })
    })
}

fn top_k_in_blocks(x: ValueId, shape: &[u64], blocks: u64, t: TopK, indices: bool) -> Option<Is> {
    let split = in_blocks(shape, t.dim, blocks)?;
    let (dim, rank) = (t.dim, shape.len());
    if t.k > split[dim + 1] {
        return None;
    }
    let x = || Is::Op(Op::Reshape { shape: split.clone() }, vec![Is::Value(x)]);
    let (mut few, mut all, mut first) = (split.clone(), shape.to_vec(), shape.to_vec());
    (few[dim + 1], all[dim], first[dim]) = (t.k, blocks * t.k, t.k);
    let candidates = || {
        let inside = Is::Op(t.op(dim + 1, false), vec![x()]);
        Is::Op(Op::Reshape { shape: all.clone() }, vec![inside])
    };
    if !indices {
        return Some(Is::Op(t.op(dim, false), vec![candidates()]));
    }
    // Positions of the candidates in the whole dim, and of those the ones that were picked.
    let integers = |value: u64, shape: &[u64]| {
        let value = Literal::Splat(Scalar::Int(value as i64));
        Is::Op(Op::Constant { dtype: DType::I32, shape: shape.to_vec(), value }, Vec::new())
    };
    let iota = |shape: &[u64], dim| {
        Is::Op(Op::Iota { dtype: DType::I32, shape: shape.to_vec(), dim, shard: Vec::new() }, Vec::new())
    };
    let inside = Is::Op(t.op(dim + 1, true), vec![x()]);
    let start = Is::elem("multiply", vec![iota(&few, dim), integers(split[dim + 1], &few)])?;
    let place = Is::Op(Op::Reshape { shape: all.clone() }, vec![Is::elem("add", vec![inside, start])?]);
    let mut wide = first;
    wide.push(blocks * t.k);
    let order: Vec<usize> = but(rank, dim).into_iter().chain([dim]).collect();
    let place = if dim + 1 == rank { place } else { Is::Op(Op::Transpose { perm: order }, vec![place]) };
    let dims = but(rank, dim).into_iter().chain([rank]).collect();
    let place = Is::Op(Op::Broadcast { shape: wide.clone(), dims }, vec![place]);
    let picked = Is::Op(t.op(dim, true), vec![candidates()]);
    let picked = Is::Op(Op::Broadcast { shape: wide.clone(), dims: (0..rank).collect() }, vec![picked]);
    let hit = Is::elem("compare_eq", vec![picked, iota(&wide, rank)])?;
    let chosen = Is::elem("select", vec![hit, place, integers(0, &wide)])?;
    Some(Is::Op(Op::Reduce { kind: Reduction::Sum, dims: vec![rank] }, vec![chosen]))
}

fn top_k_sample(rng: &mut Rng, b: &mut Builder) -> (ValueId, ValueId) {
    let mut shape = sample::shape(rng, 2);
    let (dim, blocks) = (rng.below(2), 1 + rng.below(3) as u64);
    let block = shape[dim];
    let t = TopK { dim, k: 1 + rng.below(block as usize) as u64, largest: rng.chance(50) };
    shape[dim] *= blocks;
    // Integers have ties.
    let dtype = rng.pick(&[DType::F64, DType::I32]);
    let indices = rng.chance(60);
    let x = sample::typed_input(b, dtype, &shape);
    let whole = b.op(t.op(dim, indices), &[x]);
    let split = in_blocks(&shape, dim, blocks).unwrap_or_default();
    let (mut few, mut all) = (split.clone(), shape.clone());
    (few[dim + 1], all[dim]) = (t.k, blocks * t.k);
    let y = b.op(Op::Reshape { shape: split }, &[x]);
    let inside = b.op(t.op(dim + 1, false), &[y]);
    let candidates = b.op(Op::Reshape { shape: all.clone() }, &[inside]);
    if !indices {
        return (whole, b.op(t.op(dim, false), &[candidates]));
    }
    let inside = b.op(t.op(dim + 1, true), &[y]);
    let number = b.op(Op::Iota { dtype: DType::I32, shape: few.clone(), dim, shard: Vec::new() }, &[]);
    let size = b.constant(DType::I32, &few, block as f64);
    let start = b.mul(number, size);
    let place = b.add(inside, start);
    let place = b.op(Op::Reshape { shape: all.clone() }, &[place]);
    let picked = b.op(t.op(dim, true), &[candidates]);
    let mut wide = b.shape(picked);
    wide.push(all[dim]);
    let place = if dim == 1 { place } else { b.transpose(place, &[1, 0]) };
    let place = b.broadcast(place, &wide, &[1 - dim, 2]);
    let picked = b.broadcast(picked, &wide, &[0, 1]);
    let at = b.op(Op::Iota { dtype: DType::I32, shape: wide.clone(), dim: 2, shard: Vec::new() }, &[]);
    let hit = b.elem("compare_eq", &[picked, at]);
    let none = b.constant(DType::I32, &wide, 0.0);
    let chosen = b.select(hit, place, none);
    (whole, b.op(Op::Reduce { kind: Reduction::Sum, dims: vec![2] }, &[chosen]))
}
