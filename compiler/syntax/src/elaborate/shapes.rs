//! Primitives that make or rearrange tensors without computing.

use super::dynamic::{dim_arg, solid_arg};
use super::primitive::{Args, Given, Prim, need};
use super::state::Elab;
use super::value::{Dim, Num, TensorVal, Val, count, sizes_note};
use super::window::filling;
use meshloom_ir::{DType, Literal, Op, Span};
use meshloom_source::Diagnostic;

pub const PRIMS: &[Prim] = &[
    Prim { name: "transpose", params: &["x", "order?"], run: transpose },
    Prim { name: "movedim", params: &["x", "from", "to"], run: movedim },
    Prim { name: "reshape", params: &["x", "dims"], run: reshape },
    Prim { name: "broadcast", params: &["x", "dims"], run: broadcast },
    Prim { name: "expand", params: &["x", "at"], run: expand },
    Prim { name: "concat", params: &["parts", "dim"], run: concat },
    Prim { name: "iota", params: &["n"], run: iota },
    Prim { name: "full", params: &["dims", "value"], run: full },
];

pub fn transpose(cx: &mut Elab<'_>, p: &Prim, args: Args) -> Val {
    let x = need!(args, 0);
    let Some(t) = cx.tensor_arg(p, &x) else { return Val::Error };
    let Some(t) = cx.solid(&t, args.span) else { return Val::Error };
    let perm = match args.get(1) {
        None if t.rank() == 2 => vec![1, 0],
        None => {
            let d = Diagnostic::error("arguments", format!("`transpose` of {} needs the order of its dims", x.value));
            return cx.error(
                d.at(args.span, "").help("such as `transpose(x, [0, 2, 1])`; only two dims are simply swapped"),
            );
        }
        Some(g) => {
            let items = match &g.value {
                Val::List(v) | Val::Tuple(v) => v.clone(),
                v => vec![v.clone()],
            };
            let mut perm: Vec<usize> = Vec::new();
            for v in items {
                let Some(n) = cx.int_arg(&Given { value: v, ..g.clone() }) else { return Val::Error };
                let i = if n < 0 { n + t.rank() as i64 } else { n };
                perm.extend(usize::try_from(i).ok());
            }
            let mut sorted = perm.clone();
            sorted.sort_unstable();
            if sorted != (0..t.rank()).collect::<Vec<_>>() {
                let d = Diagnostic::error(
                    "dims",
                    format!("this is not an order of the {} of {}", count(t.rank()), x.value),
                );
                return cx.error(d.at(g.span, "").help("each dim stands in it once: `[0, 2, 1]`"));
            }
            perm
        }
    };
    let dims = perm.iter().map(|&i| t.dims[i].clone()).collect();
    cx.tensor(Op::Transpose { perm }, &[t.id], dims, args.span)
}

/// Dim `from` stands at `to` in the result; the others stay in order.
pub fn movedim(cx: &mut Elab<'_>, p: &Prim, args: Args) -> Val {
    let (x, from, to) = (need!(args, 0), need!(args, 1), need!(args, 2));
    let Some(t) = solid_arg(cx, p, &x) else { return Val::Error };
    let (from, to) = (dim_arg(cx, &t, Some(&from), args.span), dim_arg(cx, &t, Some(&to), args.span));
    let (Some(from), Some(to)) = (from, to) else { return Val::Error };
    if from == to {
        return Val::Tensor(t);
    }
    let mut perm: Vec<usize> = (0..t.rank()).filter(|&d| d != from).collect();
    perm.insert(to, from);
    let dims = perm.iter().map(|&i| t.dims[i].clone()).collect();
    cx.tensor(Op::Transpose { perm }, &[t.id], dims, args.span)
}

pub fn reshape(cx: &mut Elab<'_>, p: &Prim, args: Args) -> Val {
    let (x, g) = (need!(args, 0), need!(args, 1));
    let Some(t) = cx.tensor_arg(p, &x) else { return Val::Error };
    let all = t.dims.iter().fold(1u64, |n, d| n.saturating_mul(d.size));
    let Some(dims) = cx.sizes(&g, Some(all)) else { return Val::Error };
    if let (Val::List(v) | Val::Tuple(v), false) = (&g.value, dims.is_empty())
        && let Some(at) = v.iter().position(|v| matches!(v, Val::Number(Num::Int(-1), _)))
    {
        let rest = dims.iter().enumerate().filter(|d| d.0 != at).fold(1u64, |n, d| n.saturating_mul(d.1.size));
        if !all.is_multiple_of(rest) {
            let message = format!("{} cannot be reshaped so: {all} elements do not divide by {rest}", x.value);
            return cx.error(Diagnostic::error("shape-mismatch", message).at(g.span, "nothing fits for -1"));
        }
    }
    let new = dims.iter().fold(1u64, |n, d| n.saturating_mul(d.size));
    if new != all {
        let shown = super::value::show_dims(&dims);
        let d = Diagnostic::error("shape-mismatch", format!("{} cannot be reshaped to [{shown}]", x.value))
            .at(g.span, format!("{new} elements"))
            .also(x.span, format!("{all} elements"));
        return cx.error(match sizes_note(t.dims.iter().chain(&dims)) {
            Some(n) => d.note(n),
            None => d,
        });
    }
    let shape: Vec<u64> = dims.iter().map(|d| d.size).collect();
    if shape == t.shape() && t.units.is_empty() {
        return Val::Tensor(TensorVal { dims, ..t });
    }
    cx.tensor(Op::Reshape { shape }, &[t.id], dims, args.span)
}

pub fn broadcast(cx: &mut Elab<'_>, p: &Prim, args: Args) -> Val {
    let (x, g) = (need!(args, 0), need!(args, 1));
    let Some(dims) = cx.sizes(&g, None) else { return Val::Error };
    if let Val::Number(n, _) = x.value {
        let dtype = cx.program.float.unwrap_or(DType::F32);
        return filled(cx, dtype, dims, n, args.span);
    }
    match cx.tensor_arg(p, &x) {
        Some(t) => cx.broadcast_to(&t, dims, args.span),
        None => Val::Error,
    }
}

/// A dim of size 1 more, before position `at` of the result.
pub fn expand(cx: &mut Elab<'_>, p: &Prim, args: Args) -> Val {
    let (x, g) = (need!(args, 0), need!(args, 1));
    let Some(mut t) = cx.tensor_arg(p, &x) else { return Val::Error };
    let Some(at) = cx.positions(Some(&g), t.rank() + 1) else { return Val::Error };
    for i in at {
        t.dims.insert(i.min(t.dims.len()), Dim::plain(1));
        t.units.iter_mut().filter(|u| **u >= i).for_each(|u| *u += 1);
        t.units.push(i);
        t.units.sort_unstable();
    }
    Val::Tensor(t)
}

pub fn concat(cx: &mut Elab<'_>, p: &Prim, args: Args) -> Val {
    let (parts, g) = (need!(args, 0), need!(args, 1));
    let (Val::List(items) | Val::Tuple(items)) = &parts.value else {
        let d = Diagnostic::error("type-mismatch", format!("`concat` takes a list of tensors, not {}", parts.value));
        return cx.error(d.at(parts.span, "").help("such as `concat([x, y], -1)`"));
    };
    let mut tensors: Vec<TensorVal> = Vec::new();
    for v in items {
        let Some(t) = cx.tensor_arg(p, &Given { value: v.clone(), ..parts.clone() }) else { return Val::Error };
        let Some(t) = cx.solid(&t, parts.span) else { return Val::Error };
        tensors.push(t);
    }
    let Some(first) = tensors.first().cloned() else {
        return cx.error(Diagnostic::error("type-mismatch", "`concat` needs at least one tensor").at(parts.span, ""));
    };
    let Some(at) = cx.positions(Some(&g), first.rank()) else { return Val::Error };
    let [dim] = at[..] else {
        return cx.error(Diagnostic::error("dims", "`concat` goes along one dim").at(g.span, ""));
    };
    for t in &tensors {
        let fits = t.rank() == first.rank()
            && t.dtype == first.dtype
            && (0..t.rank()).all(|i| i == dim || t.dims[i].size == first.dims[i].size);
        if !fits {
            let (x, y) = (Val::Tensor(first.clone()), Val::Tensor(t.clone()));
            let d = Diagnostic::error("shape-mismatch", format!("{x} and {y} cannot be put together along dim {dim}"))
                .at(parts.span, "their other dims must be equal");
            return cx.error(match sizes_note(first.dims.iter().chain(&t.dims)) {
                Some(n) => d.note(n),
                None => d,
            });
        }
    }
    let mut dims = first.dims.clone();
    dims[dim] = Dim::plain(tensors.iter().map(|t| t.dims.get(dim).map_or(0, |d| d.size)).sum());
    if let [only] = &tensors[..] {
        return Val::Tensor(only.clone());
    }
    let ids: Vec<_> = tensors.iter().map(|t| t.id).collect();
    cx.tensor(Op::Concatenate { dim }, &ids, dims, args.span)
}

pub fn iota(cx: &mut Elab<'_>, _: &Prim, args: Args) -> Val {
    let g = need!(args, 0);
    let Some(dims) = cx.sizes(&g, None) else { return Val::Error };
    let [d] = &dims[..] else {
        return cx.error(Diagnostic::error("dims", "`iota` takes one size").at(g.span, ""));
    };
    let op = Op::Iota { dtype: DType::I32, shape: vec![d.size], dim: 0, shard: Vec::new() };
    cx.tensor(op, &[], dims.clone(), args.span)
}

/// One value everywhere. In place of sizes a tensor may stand, whose dims and type it then has.
pub fn full(cx: &mut Elab<'_>, p: &Prim, args: Args) -> Val {
    let (g, v) = (need!(args, 0), need!(args, 1));
    let like = match &g.value {
        Val::Tensor(t) => Some(t.clone()),
        _ => None,
    };
    let dims = like.as_ref().map_or_else(|| cx.sizes(&g, None), |t| Some(t.dims.clone()));
    let Some(dims) = dims else { return Val::Error };
    let dtype = match (&like, &v.value) {
        (Some(t), Val::Tensor(value)) if t.dtype != value.dtype => {
            let message = format!("`{}` like {} takes a value of its type, not {}", p.name, g.value, v.value);
            return cx.error(Diagnostic::error("dtype-mismatch", message).at(v.span, "").also(g.span, ""));
        }
        (_, Val::Tensor(value)) => return cx.broadcast_to(&value.clone(), dims, args.span),
        (Some(t), _) => t.dtype,
        (None, Val::Number(n, _)) => cx.literal_type(&[*n]),
        (None, _) => cx.program.float.unwrap_or(DType::F32),
    };
    let Some(value) = filling(cx, Some(&v), dtype) else { return Val::Error };
    let units = like.map_or_else(Vec::new, |t| t.units);
    let shape = (0..dims.len()).filter(|d| !units.contains(d)).map(|d| dims[d].size).collect();
    match cx.emit(Op::Constant { dtype, shape, value: Literal::Splat(value) }, &[], args.span) {
        Some(id) => Val::Tensor(TensorVal { id, dtype, dims, units }),
        None => Val::Error,
    }
}

fn filled(cx: &mut Elab<'_>, dtype: DType, dims: Vec<Dim>, n: Num, span: Span) -> Val {
    if !cx.check_literal(n, dtype, span) {
        return Val::Error;
    }
    let shape: Vec<u64> = dims.iter().map(|d| d.size).collect();
    match cx.splat(dtype, &shape, n, span) {
        Some(id) => Val::Tensor(TensorVal { id, dtype, dims, units: Vec::new() }),
        None => Val::Error,
    }
}
