//! What depends on the order of elements along a dim: `argmax` and `argmin`, `top_k`, sorts, running sums and the like.
//!
//! The result of `argmax` is the least of all positions that hold the maximum, so `argmax` is two reductions. A split
//! dim costs one number per row and reduction on the wire, and no candidates are gathered. NaN counts as an extreme, as
//! in JAX.

use super::dynamic::{along, counter, dim_arg, integer, joined, solid_arg};
use super::primitive::{Args, Prim, need};
use super::state::Elab;
use super::value::{Dim, Num, TensorVal, Val};
use meshloom_ir::{DType, Op, Reduction, Span};
use meshloom_source::Diagnostic;

pub const PRIMS: &[Prim] = &[
    Prim { name: "argmax", params: &["x", "dim?", "keep?"], run: extreme },
    Prim { name: "argmin", params: &["x", "dim?", "keep?"], run: extreme },
    Prim { name: "cumsum", params: &["x", "dim?", "reverse?", "exclusive?"], run: cumulative },
    Prim { name: "cummax", params: &["x", "dim?", "reverse?", "exclusive?"], run: cumulative },
    Prim { name: "cummin", params: &["x", "dim?", "reverse?", "exclusive?"], run: cumulative },
    Prim { name: "cumprod", params: &["x", "dim?", "reverse?", "exclusive?"], run: cumulative },
    Prim { name: "cumlogsumexp", params: &["x", "dim?", "reverse?"], run: cumulative_log_sum_exp },
    Prim { name: "cumall", params: &["x", "dim?", "reverse?", "exclusive?"], run: cumulative_logical },
    Prim { name: "cumany", params: &["x", "dim?", "reverse?", "exclusive?"], run: cumulative_logical },
    Prim { name: "top_k", params: &["x", "k", "dim?"], run: top_k },
    Prim { name: "sort", params: &["x", "dim?", "descending?"], run: sort },
    Prim { name: "argsort", params: &["x", "dim?", "descending?"], run: sort },
];

/// `argmax(x, dim, keep)`: the first position along a dim (the last one, where none is given), as i32.
pub fn extreme(cx: &mut Elab<'_>, p: &Prim, args: Args) -> Val {
    let Some(keep) = cx.bool_arg(args.get(2)) else { return Val::Error };
    let run = |cx: &mut Elab<'_>| {
        let (t, dim) = numbers_along(cx, p, &args, 1)?;
        let kind = if p.name == "argmin" { Reduction::Min } else { Reduction::Max };
        positions(cx, p, &t, dim, kind, args.span)
    };
    let Some((at, dim)) = run(cx) else { return Val::Error };
    cx.reduce(Reduction::Min, &at, &[dim], keep, args.span)
}

/// A tensor of numbers and one of its dims (the last one, where none is given).
fn numbers_along(cx: &mut Elab<'_>, p: &Prim, args: &Args, at: usize) -> Option<(TensorVal, usize)> {
    let x = args.get(0)?.clone();
    let t = solid_arg(cx, p, &x)?;
    if t.dtype == DType::Bool {
        let d = Diagnostic::error("type-mismatch", format!("`{}` is for numbers, not bool", p.name));
        cx.error(d.at(x.span, "").help("convert it: `x as i32`"));
        return None;
    }
    let dim = dim_arg(cx, &t, args.get(at), args.span)?;
    Some((t, dim))
}

/// `cumsum(x, dim, reverse, exclusive)` and its like.
pub fn cumulative(cx: &mut Elab<'_>, p: &Prim, args: Args) -> Val {
    let Some((t, dim)) = numbers_along(cx, p, &args, 1) else { return Val::Error };
    let (Some(reverse), Some(exclusive)) = (cx.bool_arg(args.get(2)), cx.bool_arg(args.get(3))) else {
        return Val::Error;
    };
    let kind = match p.name {
        "cummax" => Reduction::Max,
        "cummin" => Reduction::Min,
        "cumprod" => Reduction::Prod,
        _ => Reduction::Sum,
    };
    cx.tensor(Op::Cumulative { kind, dim, reverse, exclusive }, &[t.id], t.dims, args.span)
}

/// `cumlogsumexp(x, dim, reverse)`: the logarithm of the sum of exponentials so far.
pub fn cumulative_log_sum_exp(cx: &mut Elab<'_>, p: &Prim, args: Args) -> Val {
    let x = need!(args, 0);
    let Some((t, dim)) = numbers_along(cx, p, &args, 1) else { return Val::Error };
    if !t.dtype.is_float() {
        let d = Diagnostic::error("type-mismatch", format!("`{}` is for floats, not {}", p.name, t.dtype));
        return cx.error(d.at(x.span, format!("this is {}", x.value)).help("convert it: `x as f32`"));
    }
    let Some(reverse) = cx.bool_arg(args.get(2)) else { return Val::Error };
    cx.tensor(Op::CumLogSumExp { dim, reverse }, &[t.id], t.dims, args.span)
}

/// `cumall` and `cumany`: whether all elements so far are true, or any; of integers for kernels, as `all` and `any` are.
pub fn cumulative_logical(cx: &mut Elab<'_>, p: &Prim, args: Args) -> Val {
    let x = need!(args, 0);
    let Some(t) = solid_arg(cx, p, &x) else { return Val::Error };
    if t.dtype != DType::Bool {
        let d = Diagnostic::error("type-mismatch", format!("`{}` is for bools, not {}", p.name, t.dtype));
        return cx.error(d.at(x.span, format!("this is {}", x.value)).help("compare it: `x != 0`"));
    }
    let Some(dim) = dim_arg(cx, &t, args.get(1), args.span) else { return Val::Error };
    let (Some(reverse), Some(exclusive)) = (cx.bool_arg(args.get(2)), cx.bool_arg(args.get(3))) else {
        return Val::Error;
    };
    let kind = if p.name == "cumall" { Reduction::And } else { Reduction::Or };
    let run = |cx: &mut Elab<'_>| {
        let numbers = cx.emit(Op::Convert { to: DType::I32 }, &[t.id], args.span)?;
        let id = cx.emit(Op::Cumulative { kind, dim, reverse, exclusive }, &[numbers], args.span)?;
        let zero = cx.scalar(Num::Int(0), DType::I32, args.span)?;
        joined(cx, p, "compare_ne", &[TensorVal { id, dtype: DType::I32, ..t }, zero], args.span)
    };
    run(cx).map_or(Val::Error, Val::Tensor)
}

/// `top_k(x, k, dim)`: the largest, and where they are.
pub fn top_k(cx: &mut Elab<'_>, p: &Prim, args: Args) -> Val {
    let given = need!(args, 1);
    let Some((t, dim)) = numbers_along(cx, p, &args, 2) else { return Val::Error };
    let Some(k) = cx.int_arg(&given) else { return Val::Error };
    let Some(k) = u64::try_from(k).ok().filter(|k| (1..=t.dims[dim].size).contains(k)) else {
        let d = Diagnostic::error("dims", format!("the largest {k} of a dim of {}", t.dims[dim]));
        return cx.error(d.at(given.span, "").help("at least 1, and at most as many as there are"));
    };
    let mut dims = t.dims.clone();
    dims[dim] = match &given.value {
        Val::Number(_, name) => Dim { size: k, name: name.clone() },
        _ => Dim::plain(k),
    };
    let mut of = |indices| {
        let op = Op::top_k(dim, k, true, indices);
        cx.tensor(op, &[t.id], dims.clone(), args.span)
    };
    Val::Tuple(vec![of(false), of(true)])
}

/// `sort(x, dim, descending)`, and `argsort`: where each element of the sorted tensor was.
pub fn sort(cx: &mut Elab<'_>, p: &Prim, args: Args) -> Val {
    let Some((t, dim)) = numbers_along(cx, p, &args, 1) else { return Val::Error };
    let Some(largest) = cx.bool_arg(args.get(2)) else { return Val::Error };
    let op = Op::top_k(dim, t.dims[dim].size, largest, p.name == "argsort");
    cx.tensor(op, &[t.id], t.dims, args.span)
}

/// The positions along `dim` of what is extreme there, and a position beyond the end everywhere else.
fn positions(
    cx: &mut Elab<'_>,
    p: &Prim,
    t: &TensorVal,
    dim: usize,
    kind: Reduction,
    span: Span,
) -> Option<(TensorVal, usize)> {
    let best = cx.emit(Op::Reduce { kind, dims: vec![dim] }, &[t.id], span)?;
    let mut best = TensorVal { id: best, ..t.clone() };
    best.units = vec![dim];
    best.dims[dim] = Dim::plain(1);
    let mut hit = joined(cx, p, "compare_eq", &[t.clone(), best], span)?;
    if t.dtype.is_float() {
        let nan = joined(cx, p, "compare_ne", &[t.clone(), t.clone()], span)?;
        hit = joined(cx, p, "or", &[hit, nan], span)?;
    }
    let at = counter(cx, t.dims[dim].clone(), span)?;
    let beyond = integer(cx, t.dims[dim].size as i64, span)?;
    let at = along(at, dim, t.rank());
    Some((joined(cx, p, "select", &[hit, at, beyond], span)?, dim))
}
