//! Slices whose position is computed: `dynamic_slice`, `dynamic_update` and `take`.
//!
//! They are rows taken by indices (the IR's `gather`) and a `select` by position. So everything that is known of those
//! holds for them: how they may be split, their gradients, their kernels. A cache that is split along the updated dim
//! is updated in place of each shard, and nothing is sent.

use super::emit::Blame;
use super::primitive::{Args, Given, Prim, need};
use super::state::Elab;
use super::value::{Dim, Num, TensorVal, Val};
use meshloom_ir::{DType, Op, Span};
use meshloom_source::Diagnostic;

pub const PRIMS: &[Prim] = &[
    Prim { name: "take", params: &["x", "indices", "dim?"], run: take },
    Prim { name: "dynamic_slice", params: &["x", "start", "size", "dim?"], run: slice },
    Prim { name: "dynamic_update", params: &["x", "update", "start", "dim?"], run: update },
];

/// `dynamic_slice(x, start, size, dim)`: `size` entries of a dim from `start` on, which is clamped so that all of them are inside.
pub fn slice(cx: &mut Elab<'_>, p: &Prim, args: Args) -> Val {
    let (x, start, size) = (need!(args, 0), need!(args, 1), need!(args, 2));
    let run = |cx: &mut Elab<'_>| {
        let t = solid_arg(cx, p, &x)?;
        let dim = first_dim(cx, &t, args.get(3), args.span)?;
        let n = t.dims[dim].size;
        let name = match &size.value {
            Val::Number(_, name) => name.clone(),
            _ => None,
        };
        let len = cx.int_arg(&size)?;
        let Some(len) = u64::try_from(len).ok().filter(|l| (1..=n).contains(l)) else {
            let d = Diagnostic::error("dims", format!("a slice of {len} entries of a dim of {}", t.dims[dim]));
            cx.error(
                d.at(size.span, "").also(x.span, x.value.to_string()).help(format!("at least 1, and at most {n}")),
            );
            return None;
        };
        let start = start_arg(cx, p, &start, n - len, args.span)?;
        let rows = counter(cx, Dim { size: len, name }, args.span)?;
        let rows = joined(cx, p, "add", &[rows, start], args.span)?;
        rows_of(cx, &t, &rows, dim, args.span)
    };
    run(cx).map_or(Val::Error, Val::Tensor)
}

/// `dynamic_update(x, update, start, dim)`: `x` with `update` in place of its entries from `start` on, clamped likewise.
pub fn update(cx: &mut Elab<'_>, p: &Prim, args: Args) -> Val {
    let (x, new, start) = (need!(args, 0), need!(args, 1), need!(args, 2));
    let run = |cx: &mut Elab<'_>| {
        let (t, u) = (solid_arg(cx, p, &x)?, solid_arg(cx, p, &new)?);
        let dim = first_dim(cx, &t, args.get(3), args.span)?;
        if u.dtype != t.dtype {
            let d = Diagnostic::error("dtype-mismatch", format!("{} goes into {}", new.value, x.value));
            cx.error(d.at(new.span, "").also(x.span, "").help(format!("convert it: `.. as {}`", t.dtype)));
            return None;
        }
        let fits = u.rank() == t.rank()
            && (0..t.rank())
                .all(|d| if d == dim { u.dims[d].size <= t.dims[d].size } else { u.dims[d].size == t.dims[d].size });
        if !fits {
            let d = Diagnostic::error(
                "shape-mismatch",
                format!("{} does not fit into {} along dim {dim}", new.value, x.value),
            );
            cx.error(
                d.at(new.span, "")
                    .also(x.span, "")
                    .help("it may be shorter along that dim, and is alike in everything else"),
            );
            return None;
        }
        let (n, len) = (t.dims[dim].size, u.dims[dim].size);
        let start = start_arg(cx, p, &start, n - len, args.span)?;
        // Position along the dim, as a tensor that is broadcast along the others.
        let mut at = counter(cx, t.dims[dim].clone(), args.span)?;
        at = joined(cx, p, "subtract", &[at, start], args.span)?;
        let (zero, end) = (integer(cx, 0, args.span)?, integer(cx, len as i64, args.span)?);
        let inside = joined(cx, p, "compare_ge", &[at.clone(), zero.clone()], args.span)?;
        let before = joined(cx, p, "compare_lt", &[at.clone(), end], args.span)?;
        let inside = joined(cx, p, "and", &[inside, before], args.span)?;
        let new = if len == 1 {
            u
        } else {
            let last = integer(cx, len as i64 - 1, args.span)?;
            let row = joined(cx, p, "clamp", &[zero, at, last], args.span)?;
            rows_of(cx, &u, &row, dim, args.span)?
        };
        let inside = along(inside, dim, t.rank());
        joined(cx, p, "select", &[inside, new, t], args.span)
    };
    run(cx).map_or(Val::Error, Val::Tensor)
}

/// `take(x, indices, dim)`: the entries of a dim at these indices, clamped; in place of the dim stand those of the indices.
pub fn take(cx: &mut Elab<'_>, p: &Prim, args: Args) -> Val {
    let (x, rows) = (need!(args, 0), need!(args, 1));
    let run = |cx: &mut Elab<'_>| {
        let t = solid_arg(cx, p, &x)?;
        let dim = first_dim(cx, &t, args.get(2), args.span)?;
        let rows = match &rows.value {
            Val::Number(n, _) => cx.scalar(*n, DType::I32, rows.span)?,
            _ => solid_arg(cx, p, &rows)?,
        };
        if !rows.dtype.is_int() {
            let d = Diagnostic::error("type-mismatch", format!("indices are integers, not {}", Val::Tensor(rows)));
            cx.error(d.at(args.span, ""));
            return None;
        }
        rows_of(cx, &t, &rows, dim, args.span)
    };
    run(cx).map_or(Val::Error, Val::Tensor)
}

pub(super) fn solid_arg(cx: &mut Elab<'_>, p: &Prim, g: &Given) -> Option<TensorVal> {
    let t = cx.tensor_arg(p, g)?;
    cx.solid(&t, g.span)
}

/// One dim; `None` of a given one is the last.
pub(super) fn dim_arg(cx: &mut Elab<'_>, t: &TensorVal, g: Option<&Given>, span: Span) -> Option<usize> {
    if t.rank() == 0 {
        cx.error(Diagnostic::error("dims", "a scalar has no dims").at(span, ""));
        return None;
    }
    let Some(g) = g else { return Some(t.rank() - 1) };
    let at = cx.positions(Some(g), t.rank())?;
    let [dim] = at[..] else {
        cx.error(Diagnostic::error("dims", "this goes along one dim").at(g.span, ""));
        return None;
    };
    Some(dim)
}

/// One dim, the first where none is given.
fn first_dim(cx: &mut Elab<'_>, t: &TensorVal, g: Option<&Given>, span: Span) -> Option<usize> {
    match g {
        None if t.rank() > 0 => Some(0),
        _ => dim_arg(cx, t, g, span),
    }
}

/// A scalar index in `0..=last`, as i32.
fn start_arg(cx: &mut Elab<'_>, p: &Prim, g: &Given, last: u64, span: Span) -> Option<TensorVal> {
    let t = match &g.value {
        Val::Number(n, _) => cx.scalar(*n, DType::I32, g.span)?,
        _ => solid_arg(cx, p, g)?,
    };
    if !t.dtype.is_int() || t.rank() > 0 {
        let d = Diagnostic::error("type-mismatch", format!("`{}` starts at one integer, not at {}", p.name, g.value));
        cx.error(d.at(g.span, ""));
        return None;
    }
    let t = if t.dtype == DType::I32 {
        t
    } else {
        TensorVal { id: cx.emit(Op::Convert { to: DType::I32 }, &[t.id], span)?, dtype: DType::I32, ..t }
    };
    let (zero, last) = (integer(cx, 0, span)?, integer(cx, last as i64, span)?);
    joined(cx, p, "clamp", &[zero, t, last], span)
}

pub(super) fn integer(cx: &mut Elab<'_>, n: i64, span: Span) -> Option<TensorVal> {
    cx.scalar(Num::Int(n), DType::I32, span)
}

/// 0, 1, 2 and so on, as i32.
pub(super) fn counter(cx: &mut Elab<'_>, dim: Dim, span: Span) -> Option<TensorVal> {
    let op = Op::Iota { dtype: DType::I32, shape: vec![dim.size], dim: 0, shard: Vec::new() };
    tensor(cx.tensor(op, &[], vec![dim], span))
}

fn tensor(v: Val) -> Option<TensorVal> {
    match v {
        Val::Tensor(t) => Some(t),
        _ => None,
    }
}

/// An elementwise op on tensors that fit.
pub(super) fn joined(cx: &mut Elab<'_>, p: &Prim, op: &str, ts: &[TensorVal], span: Span) -> Option<TensorVal> {
    tensor(cx.elementwise(op, p.name, ts, Blame { operation: span, operands: &[] }, span))
}

/// A vector as the dim `dim` of a tensor of `rank` dims, the others of size 1.
pub(super) fn along(t: TensorVal, dim: usize, rank: usize) -> TensorVal {
    let mut dims = vec![Dim::plain(1); rank];
    dims[dim] = t.dims[0].clone();
    TensorVal { dims, units: (0..rank).filter(|&d| d != dim).collect(), ..t }
}

/// Rows of any dim: it is moved to the front and the indices' dims back to its place.
fn rows_of(cx: &mut Elab<'_>, t: &TensorVal, rows: &TensorVal, dim: usize, span: Span) -> Option<TensorVal> {
    let front: Vec<usize> = std::iter::once(dim).chain((0..t.rank()).filter(|&d| d != dim)).collect();
    let k = rows.rank();
    let table = if dim == 0 { t.id } else { cx.emit(Op::Transpose { perm: front.clone() }, &[t.id], span)? };
    let taken = cx.emit(Op::Gather { shard: Vec::new(), total: None }, &[table, rows.id], span)?;
    let dims: Vec<Dim> = t.dims[..dim].iter().chain(&rows.dims).chain(&t.dims[dim + 1..]).cloned().collect();
    // The result's dims among those of what was taken: the indices', then the others in order.
    let back: Vec<usize> = (k..k + dim).chain(0..k).chain(k + dim..k + t.rank() - 1).collect();
    let id = if dim == 0 { taken } else { cx.emit(Op::Transpose { perm: back }, &[taken], span)? };
    Some(TensorVal { id, dtype: t.dtype, dims, units: Vec::new() })
}
