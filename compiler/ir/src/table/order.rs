//! Ops in which the order along one dim counts: running sums and extremes (`cumulative`), running sums of exponentials as
//! logarithms (`cumulative_log_sum_exp`), and the first few by size (`top_k`, of which a sort is the case that keeps all).
//!
//! The dim itself is blocked in their factor rules. That a split dim can be worked on in blocks is algebra over these ops, a
//! law of its own: the op in each block, and the op again over what the blocks have to say to each other.

use super::contract::{combine, combine_int, identity_of};
use super::{BASE, Class, Cost, FLOAT, GradCx, INT, NO_TEXT, OpDef, Text, arity, attrs};
use crate::builder::Builder;
use crate::factor::{FactorKind, FactorRule};
use crate::graph::ValueId;
use crate::layout::Reduction;
use crate::op::Op;
use crate::tensor::{Data, Tensor};
use crate::types::{DType, TensorType};
use std::cmp::Ordering;

/// The entries of this family.
pub static ENTRIES: &[&OpDef] = &[&CUMULATIVE, &CUM_LOG_SUM_EXP, &TOP_K];

/// A number type, and a dim that is there.
fn check_dim(op: &Op, x: &TensorType, dim: usize) -> Result<(), String> {
    if x.dtype == DType::Bool {
        return Err(format!("`{}` is not for bool", op.name()));
    }
    if dim >= x.rank() {
        return Err(format!("`{}` along dim {dim} of {x}", op.name()));
    }
    Ok(())
}

/// Elements before, along and after a dim.
fn around(shape: &[u64], dim: usize) -> [usize; 3] {
    [&shape[..dim], &shape[dim..=dim], &shape[dim + 1..]].map(|s| s.iter().product::<u64>() as usize)
}

/// Reduction, dim, reverse, exclusive.
fn cumulative(op: &Op) -> (Reduction, usize, bool, bool) {
    attrs!(op, Op::Cumulative { kind, dim, reverse, exclusive } => (*kind, *dim, *reverse, *exclusive))
}

/// Dim, reverse.
fn cum_log_sum_exp(op: &Op) -> (usize, bool) {
    attrs!(op, Op::CumLogSumExp { dim, reverse } => (*dim, *reverse))
}

/// Dim, count, largest, indices.
fn top_k(op: &Op) -> (usize, u64, bool, bool) {
    attrs!(op, Op::TopK { dim, k, largest, indices } => (*dim, *k, *largest, *indices))
}

pub static CUMULATIVE: OpDef = OpDef {
    name: "cumulative",
    class: Class::Scan,
    text: Text {
        show: |op, _| {
            let (kind, dim, reverse, exclusive) = cumulative(op);
            let flag = |on: bool, word: &'static str| if on { word } else { "" };
            Some(format!("{} dim {dim}{}{}", kind.name(), flag(reverse, " reverse"), flag(exclusive, " exclusive")))
        },
        read: Some(|a| {
            Ok(Op::Cumulative {
                kind: a.reduction()?,
                dim: a.keyed_dim("dim")?,
                reverse: a.c.eat_word("reverse"),
                exclusive: a.c.eat_word("exclusive"),
            })
        }),
        ..NO_TEXT
    },
    cost: Cost::Kernel,
    along: Some((
        |op| cumulative(op).1,
        |op, dim| {
            let (kind, _, reverse, exclusive) = cumulative(op);
            Op::Cumulative { kind, dim, reverse, exclusive }
        },
    )),
    anchor: |_| true,
    accumulates: |_| true,
    adds: |op| cumulative(op).0 == Reduction::Sum,
    infer: |op, xs, _| {
        arity(op, xs, 1)?;
        let (kind, dim, ..) = cumulative(op);
        check_dim(op, xs[0], dim)?;
        if !kind.is_for(xs[0].dtype) {
            return Err(format!("cumulative {} is not for {}", kind.name(), xs[0].dtype));
        }
        Ok(xs[0].clone())
    },
    factors: |op, xs, _| {
        let (kind, dim, ..) = cumulative(op);
        let linear = if kind == Reduction::Sum { vec![vec![0]] } else { Vec::new() };
        let mut rule = FactorRule::elementwise(&xs[0].shape, 1, linear);
        rule.kinds[dim] = FactorKind::Blocked;
        rule
    },
    grad: Some(|b, cx| {
        let (kind, dim, reverse, exclusive) = cumulative(cx.op);
        if kind == Reduction::Sum {
            let op = Op::Cumulative { kind, dim, reverse: !reverse, exclusive };
            return vec![Some(b.op(op, &[cx.ct]))];
        }
        if kind == Reduction::Prod {
            return vec![Some(product_gradient(b, cx))];
        }
        // An element is a record if it exceeds all before it; the extreme at each place is the latest record, and that one
        // takes the cotangent. Ties go to the first.
        let x = cx.operands[0];
        let before = b.op(Op::Cumulative { kind, dim, reverse, exclusive: true }, &[x]);
        let record = b.elem(if kind == Reduction::Max { "compare_gt" } else { "compare_lt" }, &[x, before]);
        let shape = b.shape(x);
        let mut at = b.op(Op::Iota { dtype: DType::I32, shape: shape.clone(), dim, shard: Vec::new() }, &[]);
        if reverse {
            let last = b.constant(DType::I32, &shape, shape[dim] as f64 - 1.0);
            at = b.sub(last, at);
        }
        let none = b.constant(DType::I32, &shape, -1.0);
        let records = b.select(record, at, none);
        let latest = b.op(Op::Cumulative { kind: Reduction::Max, dim, reverse, exclusive }, &[records]);
        vec![Some(sum_at(b, cx.ct, latest, at, dim))]
    }),
    eval: |op, xs, _| {
        let (kind, dim, reverse, exclusive) = cumulative(op);
        let x = xs[0];
        let [outer, n, inner] = around(&x.ty.shape, dim);
        let first = identity_of(kind, x.ty.dtype);
        // Places along the dim, in the order in which they are combined.
        let along = |f: &mut dyn FnMut(usize, bool)| {
            for row in 0..outer * inner {
                for i in 0..n {
                    let at = if reverse { n - 1 - i } else { i };
                    f((row / inner * n + at) * inner + row % inner, i == 0);
                }
            }
        };
        match &x.data {
            Data::Float(v) => {
                let (mut out, mut sum) = (vec![0.0; v.len()], 0.0);
                along(&mut |at, start| {
                    let before = if start { first.as_f64() } else { sum };
                    sum = combine(kind, before, v[at]);
                    out[at] = if exclusive { before } else { sum };
                });
                Tensor::floats(x.ty.dtype, &x.ty.shape, out)
            }
            Data::Int(v) => {
                let (mut out, mut sum) = (vec![0; v.len()], 0);
                along(&mut |at, start| {
                    let before = if start { first.as_i64() } else { sum };
                    sum = combine_int(kind, before, v[at]);
                    out[at] = if exclusive { before } else { sum };
                });
                Tensor::ints(x.ty.dtype, &x.ty.shape, out)
            }
        }
    },
    flops: |_, xs, _| xs[0].elements(),
    samples: |put| {
        for kind in [Reduction::And, Reduction::Or] {
            put(Op::Cumulative { kind, dim: 1, reverse: false, exclusive: false }, &[(INT, &[4, 6])]);
        }
        for kind in [Reduction::Sum, Reduction::Max, Reduction::Min, Reduction::Prod] {
            for (dim, reverse, exclusive) in [(0, false, false), (1, true, true)] {
                put(Op::Cumulative { kind, dim, reverse, exclusive }, &[(FLOAT, &[4, 6])]);
            }
        }
    },
    ..BASE
};

/// The gradient of running products. What comes to an element before the first 0 is the sum of cotangent times product over
/// the places behind it, by the element; to the first 0 the same with 1 in its place; to what is behind it nothing, since
/// that 0 is in all of their products.
fn product_gradient(b: &mut Builder, cx: &GradCx<'_>) -> ValueId {
    let (_, dim, reverse, exclusive) = cumulative(cx.op);
    let x = cx.operands[0];
    let (one, zero) = (b.constant_like(x, 1.0), b.constant_like(x, 0.0));
    let is_zero = b.elem("compare_eq", &[x, zero]);
    let ones = b.select(is_zero, one, zero);
    let sum = |b: &mut Builder, x: ValueId, reverse: bool, exclusive: bool| {
        b.op(Op::Cumulative { kind: Reduction::Sum, dim, reverse, exclusive }, &[x])
    };
    let zeros_before = sum(b, ones, reverse, true);
    let none_before = b.elem("compare_eq", &[zeros_before, zero]);
    let first = b.elem("and", &[is_zero, none_before]);
    let without = b.select(first, one, x);
    let products = b.op(Op::Cumulative { kind: Reduction::Prod, dim, reverse, exclusive }, &[without]);
    let from_here = |b: &mut Builder, products: ValueId| {
        let terms = b.mul(cx.ct, products);
        sum(b, terms, !reverse, exclusive)
    };
    let (whole, rest) = (from_here(b, cx.result), from_here(b, products));
    let divisor = b.select(is_zero, one, x);
    let share = b.div(whole, divisor);
    let g = b.select(first, rest, share);
    b.select(none_before, g, zero)
}

/// `out[.., j, ..] = sum over r of values[.., r, ..] where at[.., r, ..] = place[.., j, ..]`: a scatter along one dim, as a
/// comparison with every place, so that it is split like any sum.
fn sum_at(b: &mut Builder, values: ValueId, at: ValueId, place: ValueId, dim: usize) -> ValueId {
    let (from, to) = (b.shape(values), b.shape(place));
    let mut wide = to.clone();
    wide.push(from[dim]);
    let order: Vec<usize> = (0..from.len()).filter(|&d| d != dim).chain([dim]).collect();
    let mut dims: Vec<usize> = (0..from.len()).filter(|&d| d != dim).collect();
    dims.push(to.len());
    let spread = |b: &mut Builder, x: ValueId| {
        let x = b.transpose(x, &order);
        b.broadcast(x, &wide, &dims)
    };
    let (values, at) = (spread(b, values), spread(b, at));
    let all: Vec<usize> = (0..to.len()).collect();
    let place = b.broadcast(place, &wide, &all);
    let hit = b.elem("compare_eq", &[at, place]);
    let zero = b.constant_like(values, 0.0);
    let hits = b.select(hit, values, zero);
    b.reduce(Reduction::Sum, hits, &[to.len()])
}

pub static CUM_LOG_SUM_EXP: OpDef = OpDef {
    name: "cumulative_log_sum_exp",
    class: Class::Scan,
    text: Text {
        show: |op, _| {
            let (dim, reverse) = cum_log_sum_exp(op);
            Some(format!("dim {dim}{}", if reverse { " reverse" } else { "" }))
        },
        read: Some(|a| Ok(Op::CumLogSumExp { dim: a.keyed_dim("dim")?, reverse: a.c.eat_word("reverse") })),
        ..NO_TEXT
    },
    cost: Cost::Kernel,
    along: Some((|op| cum_log_sum_exp(op).0, |op, dim| Op::CumLogSumExp { dim, reverse: cum_log_sum_exp(op).1 })),
    anchor: |_| true,
    accumulates: |_| true,
    infer: |op, xs, _| {
        arity(op, xs, 1)?;
        check_dim(op, xs[0], cum_log_sum_exp(op).0)?;
        if !xs[0].dtype.is_float() {
            return Err(format!("`{}` is for floats, not {}", op.name(), xs[0].dtype));
        }
        Ok(xs[0].clone())
    },
    factors: |op, xs, _| {
        let mut rule = FactorRule::elementwise(&xs[0].shape, 1, Vec::new());
        rule.kinds[cum_log_sum_exp(op).0] = FactorKind::Blocked;
        rule
    },
    grad: Some(|b, cx| vec![Some(log_sum_exp_gradient(b, cx))]),
    eval: |op, xs, _| {
        let (dim, reverse) = cum_log_sum_exp(op);
        let x = xs[0];
        let [outer, n, inner] = around(&x.ty.shape, dim);
        let mut out = vec![0.0; x.len()];
        for row in 0..outer * inner {
            // The greatest so far, and the sum of exponentials of what each is less by.
            let (mut top, mut sum) = (f64::NEG_INFINITY, 0.0);
            for i in 0..n {
                let at = (row / inner * n + if reverse { n - 1 - i } else { i }) * inner + row % inner;
                let next = combine(Reduction::Max, top, x.f(at));
                // Equal infinities differ by nothing.
                let share = |of: f64| if of == next { 1.0 } else { (of - next).exp() };
                (sum, top) = (sum * share(top) + share(x.f(at)), next);
                out[at] = top + sum.ln();
            }
        }
        Tensor::floats(x.ty.dtype, &x.ty.shape, out)
    },
    // Two exponentials at most, and a logarithm.
    flops: |_, xs, _| xs[0].elements().saturating_mul(8),
    samples: |put| {
        for (dim, reverse) in [(0, false), (1, true)] {
            put(Op::CumLogSumExp { dim, reverse }, &[(FLOAT, &[4, 6])]);
        }
    },
    ..BASE
};

/// What comes to an element is the sum over the results from it on of the cotangent times exp(x - y): exp(x) times the sum of
/// exponentials of log(cotangent) - y, which is the op again, from the other end. Cotangents of either sign are added up apart,
/// since only positive ones have a logarithm. Nothing overflows that the gradient itself does not.
fn log_sum_exp_gradient(b: &mut Builder, cx: &GradCx<'_>) -> ValueId {
    let (dim, reverse) = cum_log_sum_exp(cx.op);
    let x = cx.operands[0];
    let (zero, one) = (b.constant_like(x, 0.0), b.constant_like(x, 1.0));
    let low = b.constant_like(x, f64::NEG_INFINITY);
    // Where all so far is -inf no element has a share, and -inf less -inf would be NaN.
    let nothing = b.elem("compare_eq", &[cx.result, low]);
    let y = b.select(nothing, zero, cx.result);
    let share = |b: &mut Builder, ct: ValueId| {
        let positive = b.elem("compare_gt", &[ct, zero]);
        let size = b.select(positive, ct, one);
        let log = b.elem("log", &[size]);
        let log = b.select(positive, log, low);
        let less = b.sub(log, y);
        let sum = b.op(Op::CumLogSumExp { dim, reverse: !reverse }, &[less]);
        let sum = b.add(sum, x);
        b.elem("exponential", &[sum])
    };
    let more = share(b, cx.ct);
    let negated = b.neg(cx.ct);
    let less = share(b, negated);
    b.sub(more, less)
}

/// Before, equal or after in the order of [`Op::TopK`]; NaN is larger than all numbers.
fn compare(x: f64, y: f64, largest: bool) -> Ordering {
    let order = match (x.is_nan(), y.is_nan()) {
        (false, false) => x.partial_cmp(&y).unwrap_or(Ordering::Equal),
        (a, b) => a.cmp(&b),
    };
    if largest { order.reverse() } else { order }
}

pub static TOP_K: OpDef = OpDef {
    name: "top_k",
    class: Class::Sort,
    text: Text {
        show: |op, _| {
            let (dim, k, largest, indices) = top_k(op);
            let (order, what) = (if largest { "largest" } else { "smallest" }, if indices { " indices" } else { "" });
            Some(format!("dim {dim} {order} {k}{what}"))
        },
        read: Some(|a| {
            let dim = a.keyed_dim("dim")?;
            let largest = a.c.eat_word("largest");
            if !largest {
                a.c.expect_word("smallest")?;
            }
            Ok(Op::TopK { dim, k: a.count("a count")?, largest, indices: a.c.eat_word("indices") })
        }),
        ..NO_TEXT
    },
    cost: Cost::Kernel,
    along: Some((
        |op| top_k(op).0,
        |op, dim| {
            let (_, k, largest, indices) = top_k(op);
            Op::TopK { dim, k, largest, indices }
        },
    )),
    anchor: |_| true,
    decides: |_| true,
    infer: |op, xs, _| {
        arity(op, xs, 1)?;
        let (dim, k, _, indices) = top_k(op);
        check_dim(op, xs[0], dim)?;
        let mut shape = xs[0].shape.clone();
        if k > shape[dim] {
            return Err(format!("the first {k} of a dim of {}", shape[dim]));
        }
        shape[dim] = k;
        Ok(TensorType::new(if indices { DType::I32 } else { xs[0].dtype }, shape))
    },
    factors: |op, xs, r| {
        let (dim, ..) = top_k(op);
        let mut rule = FactorRule::elementwise(&r.shape, 1, Vec::new());
        rule.kinds[dim] = FactorKind::Blocked;
        rule.sizes.push(xs[0].shape[dim]);
        rule.kinds.push(FactorKind::Blocked);
        rule.operands[0][dim] = vec![rule.sizes.len() - 1];
        rule
    },
    grad: Some(|b, cx| {
        let (dim, k, largest, indices) = top_k(cx.op);
        if indices {
            return vec![None];
        }
        let x = cx.operands[0];
        let at = b.op(Op::TopK { dim, k, largest, indices: true }, &[x]);
        let shape = b.shape(x);
        let place = b.op(Op::Iota { dtype: DType::I32, shape, dim, shard: Vec::new() }, &[]);
        vec![Some(sum_at(b, cx.ct, at, place, dim))]
    }),
    eval: |op, xs, _| {
        let (dim, k, largest, indices) = top_k(op);
        let k = k as usize;
        let x = xs[0];
        let [outer, n, inner] = around(&x.ty.shape, dim);
        let mut from = vec![0; outer * k * inner];
        let mut position = from.clone();
        for row in 0..outer * inner {
            let place = |i: usize| (row / inner * n + i) * inner + row % inner;
            let mut order: Vec<usize> = (0..n).collect();
            order.sort_by(|&i, &j| match &x.data {
                Data::Float(v) => compare(v[place(i)], v[place(j)], largest),
                Data::Int(v) if largest => v[place(j)].cmp(&v[place(i)]),
                Data::Int(v) => v[place(i)].cmp(&v[place(j)]),
            });
            for (r, &i) in order.iter().take(k).enumerate() {
                let to = (row / inner * k + r) * inner + row % inner;
                (from[to], position[to]) = (place(i), i);
            }
        }
        let mut shape = x.ty.shape.clone();
        shape[dim] = k as u64;
        match &x.data {
            _ if indices => Tensor::ints(DType::I32, &shape, position.into_iter().map(|i| i as i64).collect()),
            Data::Float(v) => Tensor::floats(x.ty.dtype, &shape, from.into_iter().map(|i| v[i]).collect()),
            Data::Int(v) => Tensor::ints(x.ty.dtype, &shape, from.into_iter().map(|i| v[i]).collect()),
        }
    },
    // Comparisons of a merge sort.
    flops: |op, xs, _| {
        let (dim, ..) = top_k(op);
        let n = xs[0].shape.get(dim).copied().unwrap_or(1);
        xs[0].elements().saturating_mul(u64::from(u64::BITS - n.leading_zeros()))
    },
    samples: |put| {
        for indices in [false, true] {
            put(Op::top_k(1, 2, true, indices), &[(FLOAT, &[4, 6])]);
            put(Op::top_k(0, 4, false, indices), &[(FLOAT, &[4, 6])]);
        }
    },
    ..BASE
};
