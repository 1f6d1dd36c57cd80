//! Entries at computed places, over several dims: `gather` and `scatter`.
//!
//! The indexed dims are moved to the front and counted as one, so a place is a row. Rows are the IR's `gather` and `scatter`, which
//! have layouts, gradients and kernels. What combines otherwise than by sums of floats is a reduction: at each place, over the
//! updates that belong there.

use super::dynamic::{integer, joined, solid_arg};
use super::primitive::{Args, Given, Prim, need};
use super::state::Elab;
use super::value::{Dim, Num, TensorVal, Val};
use meshloom_ir::{DType, Op, Reduction, Span};
use meshloom_source::Diagnostic;

pub const PRIMS: &[Prim] = &[
    Prim { name: "gather", params: &["x", "indices", "dims?"], run: gather },
    Prim { name: "scatter", params: &["x", "indices", "updates", "by?", "dims?"], run: scatter },
];

/// How `scatter` combines updates with what is there, and with each other.
const WAYS: [&str; 5] = ["add", "set", "mul", "max", "min"];

/// Indices of some dims of a tensor.
struct Places {
    /// The indexed dims of the tensor, and then the others.
    order: Vec<usize>,
    /// How many there are of the former.
    indexed: usize,
    /// Numbers of rows, with the dims of the indices.
    rows: TensorVal,
    /// How many rows there are.
    total: u64,
    /// Whether all indices of a place are inside.
    inside: TensorVal,
}

/// `gather(x, [i, j], dims)`: the entries of `x` at these indices, clamped. First come the dims of the indices, then those of `x` that
/// are not indexed.
fn gather(cx: &mut Elab<'_>, p: &Prim, args: Args) -> Val {
    let (x, indices) = (need!(args, 0), need!(args, 1));
    let run = |cx: &mut Elab<'_>| {
        let t = solid_arg(cx, p, &x)?;
        let at = places(cx, p, &t, &indices, args.get(2), args.span)?;
        let (table, rest) = rows_first(cx, &t, &at, args.span)?;
        let id = cx.emit(Op::Gather { shard: Vec::new(), total: None }, &[table, at.rows.id], args.span)?;
        let dims = at.rows.dims.iter().cloned().chain(rest).collect();
        Some(TensorVal { id, dtype: t.dtype, dims, units: Vec::new() })
    };
    run(cx).map_or(Val::Error, Val::Tensor)
}

/// `scatter(x, [i, j], updates, by, dims)`: `x` with the updates put in at these indices. An update that is not inside is dropped.
fn scatter(cx: &mut Elab<'_>, p: &Prim, args: Args) -> Val {
    let (x, indices, updates) = (need!(args, 0), need!(args, 1), need!(args, 2));
    let run = |cx: &mut Elab<'_>| {
        let t = solid_arg(cx, p, &x)?;
        let way = way(cx, args.get(3))?;
        let at = places(cx, p, &t, &indices, args.get(4), args.span)?;
        let (table, rest) = rows_first(cx, &t, &at, args.span)?;
        let u = updates_of(cx, p, &t, &updates, &at, &rest, args.span)?;
        let dims = std::iter::once(Dim::plain(at.total)).chain(rest).collect();
        let x = TensorVal { id: table, dtype: t.dtype, dims, units: Vec::new() };
        let made = combined(cx, p, way, &at, x, u, args.span)?;
        // Back to the dims of `x`, in their order.
        let shape: Vec<u64> = at.order.iter().map(|&d| t.dims[d].size).collect();
        let made = cx.emit(Op::Reshape { shape }, &[made], args.span)?;
        let back: Vec<usize> = (0..t.rank()).filter_map(|d| at.order.iter().position(|&o| o == d)).collect();
        let sorted = back.iter().enumerate().all(|(i, &d)| i == d);
        let id = if sorted { made } else { cx.emit(Op::Transpose { perm: back }, &[made], args.span)? };
        Some(TensorVal { id, ..t })
    };
    run(cx).map_or(Val::Error, Val::Tensor)
}

fn way(cx: &mut Elab<'_>, g: Option<&Given>) -> Option<&'static str> {
    let Some(g) = g else { return Some("add") };
    let found = match &g.value {
        Val::Str(s) => WAYS.into_iter().find(|w| *w == &**s),
        _ => None,
    };
    if found.is_none() {
        let d = Diagnostic::error("arguments", "this is no way to combine updates").at(g.span, "");
        cx.error(d.help(format!("one of \"{}\"", WAYS.join("\", \""))));
    }
    found
}

fn places(
    cx: &mut Elab<'_>,
    p: &Prim,
    t: &TensorVal,
    indices: &Given,
    dims: Option<&Given>,
    span: Span,
) -> Option<Places> {
    let list = match &indices.value {
        Val::List(v) | Val::Tuple(v) => v.clone(),
        one => vec![one.clone()],
    };
    let all: Vec<usize> = (0..list.len().min(t.rank())).collect();
    let dims = match dims {
        Some(g) => cx.positions_as_given(Some(g), t.rank())?,
        None => all,
    };
    if list.is_empty() || dims.len() != list.len() {
        let is = Val::Tensor(t.clone());
        let (given, wanted) = (list.len(), dims.len());
        let message = format!("{given} tensors of indices for {wanted} of the {} dims of {is}", t.rank());
        let d = Diagnostic::error("dims", message).at(indices.span, "");
        cx.error(d.help("one for each dim that is indexed: `gather(x, [i, j], [0, 1])`"));
        return None;
    }
    let total = dims.iter().try_fold(1u64, |n, &d| n.checked_mul(t.dims[d].size)).filter(|&n| i32::try_from(n).is_ok());
    let Some(total) = total else {
        cx.error(Diagnostic::error("too-large", "the dims that are indexed have more than 2^31 places").at(span, ""));
        return None;
    };
    let (mut rows, mut inside): (Option<TensorVal>, Option<TensorVal>) = (None, None);
    for (v, &d) in list.into_iter().zip(&dims) {
        let i = index(cx, p, &Given { value: v, ..indices.clone() })?;
        let (zero, n) = (integer(cx, 0, span)?, integer(cx, t.dims[d].size as i64, span)?);
        let last = integer(cx, t.dims[d].size as i64 - 1, span)?;
        let (low, high) = (
            joined(cx, p, "compare_ge", &[i.clone(), zero.clone()], span)?,
            joined(cx, p, "compare_lt", &[i.clone(), n.clone()], span)?,
        );
        let own = joined(cx, p, "and", &[low, high], span)?;
        inside = Some(match inside {
            None => own,
            Some(others) => joined(cx, p, "and", &[others, own], span)?,
        });
        let i = joined(cx, p, "clamp", &[zero, i, last], span)?;
        rows = Some(match rows {
            None => i,
            Some(others) => {
                let of_rows = joined(cx, p, "multiply", &[others, n], span)?;
                joined(cx, p, "add", &[of_rows, i], span)?
            }
        });
    }
    let (rows, inside) = (rows?, inside?);
    let (rows, inside) = (cx.solid(&rows, span)?, cx.solid(&inside, span)?);
    let order = dims.iter().copied().chain((0..t.rank()).filter(|d| !dims.contains(d))).collect();
    Some(Places { order, indexed: dims.len(), rows, total, inside })
}

/// A tensor of indices, as i32.
fn index(cx: &mut Elab<'_>, p: &Prim, g: &Given) -> Option<TensorVal> {
    let t = match &g.value {
        Val::Number(n, _) => cx.scalar(*n, DType::I32, g.span)?,
        _ => solid_arg(cx, p, g)?,
    };
    if !t.dtype.is_int() {
        let d = Diagnostic::error("type-mismatch", format!("indices are integers, not {}", Val::Tensor(t)));
        cx.error(d.at(g.span, ""));
        return None;
    }
    match t.dtype {
        DType::I32 => Some(t),
        _ => Some(TensorVal { id: cx.emit(Op::Convert { to: DType::I32 }, &[t.id], g.span)?, dtype: DType::I32, ..t }),
    }
}

/// The tensor as rows: its indexed dims are one, in front. And its other dims.
fn rows_first(cx: &mut Elab<'_>, t: &TensorVal, at: &Places, span: Span) -> Option<(meshloom_ir::ValueId, Vec<Dim>)> {
    let sorted = at.order.iter().enumerate().all(|(i, &d)| i == d);
    let moved = if sorted { t.id } else { cx.emit(Op::Transpose { perm: at.order.clone() }, &[t.id], span)? };
    let rest: Vec<Dim> = at.order[at.indexed..].iter().map(|&d| t.dims[d].clone()).collect();
    let shape = std::iter::once(at.total).chain(rest.iter().map(|d| d.size)).collect();
    let rows = if at.indexed == 1 { moved } else { cx.emit(Op::Reshape { shape }, &[moved], span)? };
    Some((rows, rest))
}

/// The updates with the dims of the indices as one, in front.
fn updates_of(
    cx: &mut Elab<'_>,
    p: &Prim,
    t: &TensorVal,
    g: &Given,
    at: &Places,
    rest: &[Dim],
    span: Span,
) -> Option<TensorVal> {
    let u = match &g.value {
        Val::Number(n, _) => cx.scalar(*n, t.dtype, g.span)?,
        _ => solid_arg(cx, p, g)?,
    };
    let dims: Vec<Dim> = at.rows.dims.iter().chain(rest).cloned().collect();
    if u.dtype != t.dtype {
        let d = Diagnostic::error("dtype-mismatch", format!("updates of {} go into {}", u.dtype, t.dtype));
        cx.error(d.at(g.span, "").help(format!("convert them: `.. as {}`", t.dtype)));
        return None;
    }
    let fits = u.rank() <= dims.len()
        && u.dims.iter().rev().zip(dims.iter().rev()).all(|(a, b)| a.size == b.size || a.size == 1);
    if !fits {
        let wanted = Val::Tensor(TensorVal { dims, ..t.clone() });
        let d = Diagnostic::error("shape-mismatch", format!("updates are {}, not {wanted}", g.value));
        cx.error(d.at(g.span, "").help("the dims of the indices, then those of the tensor that are not indexed"));
        return None;
    }
    let Val::Tensor(u) = cx.broadcast_to(&u, dims, span) else { return None };
    let u = cx.solid(&u, span)?;
    let count = at.rows.dims.iter().map(|d| d.size).product();
    let dims: Vec<Dim> = std::iter::once(Dim::plain(count)).chain(rest.iter().cloned()).collect();
    let shape = dims.iter().map(|d| d.size).collect();
    Some(TensorVal { id: cx.emit(Op::Reshape { shape }, &[u.id], span)?, dims, ..u })
}

/// The rows `x` with the updates `u`.
fn combined(
    cx: &mut Elab<'_>,
    p: &Prim,
    way: &str,
    at: &Places,
    x: TensorVal,
    u: TensorVal,
    span: Span,
) -> Option<meshloom_ir::ValueId> {
    let m = u.dims[0].clone();
    let flat = |cx: &mut Elab<'_>, v: &TensorVal| {
        let id = cx.emit(Op::Reshape { shape: vec![m.size] }, &[v.id], span)?;
        Some(TensorVal { id, dims: vec![m.clone()], ..v.clone() })
    };
    let (rows, inside) = (flat(cx, &at.rows)?, flat(cx, &at.inside)?);
    if way == "add" && x.dtype.is_float() {
        let column = leading(inside, u.rank());
        let zero = cx.scalar(Num::Int(0), x.dtype, span)?;
        let u = joined(cx, p, "select", &[column, u, zero], span)?;
        let op = Op::Scatter { rows: at.total, total: at.total, shard: Vec::new() };
        let sums = cx.emit(op, &[rows.id, u.id], span)?;
        return Some(joined(cx, p, "add", &[TensorVal { id: sums, ..x.clone() }, x], span)?.id);
    }
    // Which updates belong to which place: [m, total].
    let counter = Op::Iota { dtype: DType::I32, shape: vec![at.total], dim: 0, shard: Vec::new() };
    let Val::Tensor(counter) = cx.tensor(counter, &[], vec![Dim::plain(at.total)], span) else { return None };
    let hit = joined(cx, p, "compare_eq", &[leading(rows, 2), counter], span)?;
    let hit = joined(cx, p, "and", &[hit, leading(inside, 2)], span)?;
    if way == "set" {
        return Some(replaced(cx, p, &hit, &x, &u, span)?.id);
    }
    let hit = leading(hit, u.rank() + 1);
    let mut spread = u.dims.clone();
    spread.insert(1, Dim::plain(1));
    let u = TensorVal {
        id: cx.emit(Op::Reshape { shape: spread.iter().map(|d| d.size).collect() }, &[u.id], span)?,
        dims: spread,
        ..u
    };
    let (kind, name) = match way {
        "mul" => (Reduction::Prod, "multiply"),
        "max" => (Reduction::Max, "maximum"),
        "min" => (Reduction::Min, "minimum"),
        _ => (Reduction::Sum, "add"),
    };
    // What is there may be combined with itself by maxima and minima; sums and products have numbers that change nothing.
    let other = match kind {
        Reduction::Sum => cx.scalar(Num::Int(0), x.dtype, span)?,
        Reduction::Prod => cx.scalar(Num::Int(1), x.dtype, span)?,
        _ => x.clone(),
    };
    let terms = joined(cx, p, "select", &[hit, u, other], span)?;
    let Val::Tensor(out) = cx.reduce(kind, &terms, &[0], false, span) else { return None };
    Some(joined(cx, p, name, &[x, out], span)?.id)
}

/// The last update of each place, where there is one.
fn replaced(
    cx: &mut Elab<'_>,
    p: &Prim,
    hit: &TensorVal,
    x: &TensorVal,
    u: &TensorVal,
    span: Span,
) -> Option<TensorVal> {
    let counter = Op::Iota { dtype: DType::I32, shape: vec![u.dims[0].size], dim: 0, shard: Vec::new() };
    let Val::Tensor(counter) = cx.tensor(counter, &[], vec![u.dims[0].clone()], span) else { return None };
    let none = integer(cx, -1, span)?;
    let own = joined(cx, p, "select", &[hit.clone(), leading(counter, 2), none], span)?;
    let Val::Tensor(last) = cx.reduce(Reduction::Max, &own, &[0], false, span) else { return None };
    let zero = integer(cx, 0, span)?;
    let some = joined(cx, p, "compare_ge", &[last.clone(), zero.clone()], span)?;
    let row = joined(cx, p, "maximum", &[last, zero], span)?;
    let id = cx.emit(Op::Gather { shard: Vec::new(), total: None }, &[u.id, row.id], span)?;
    let here = TensorVal { id, dtype: u.dtype, dims: x.dims.clone(), units: Vec::new() };
    joined(cx, p, "select", &[leading(some, x.rank()), here, x.clone()], span)
}

/// A tensor as the first dims of one of `rank` dims, the others of size 1.
fn leading(t: TensorVal, rank: usize) -> TensorVal {
    let own = t.rank();
    let dims = t.dims.into_iter().chain((own..rank).map(|_| Dim::plain(1))).collect();
    TensorVal { dims, units: t.units.into_iter().chain(own..rank).collect(), ..t }
}
