//! Where the largest elements are: `argmax` and `argmin`.
//!
//! The first position that holds the extreme is the least of all positions that do, so these are two reductions: a split dim
//! costs one number per row and reduction on the wire, and no candidates are gathered. NaN counts as extreme, as in JAX.

use super::Elab;
use super::dynamic::{along, counter, dim_arg, integer, joined, solid_arg};
use super::prims::{Args, Prim, need};
use super::value::{Tensor, Val};
use crate::diagnostic::Diagnostic;
use meshloom_ir::{DType, Op, Reduction, Span};

/// `argmax(x, dim, keep)`: the first position along a dim (the last one, where none is given), as i32.
pub fn extreme(cx: &mut Elab<'_>, p: &Prim, args: Args) -> Val {
    let x = need!(args, 0);
    let Some(keep) = cx.bool_arg(args.get(2)) else { return Val::Error };
    let run = |cx: &mut Elab<'_>| {
        let t = solid_arg(cx, p, &x)?;
        if t.dtype == DType::Bool {
            let d = Diagnostic::error("type-mismatch", format!("`{}` is for numbers, not bool", p.name));
            cx.error(d.at(x.span, "").help("convert it: `x as i32`"));
            return None;
        }
        let dim = dim_arg(cx, &t, args.get(1), args.span)?;
        let kind = if p.name == "argmin" { Reduction::Min } else { Reduction::Max };
        positions(cx, p, &t, dim, kind, args.span)
    };
    let Some((at, dim)) = run(cx) else { return Val::Error };
    cx.reduce(Reduction::Min, &at, &[dim], keep, args.span)
}

/// The positions along `dim` of what is extreme there, and a position beyond the end everywhere else.
fn positions(
    cx: &mut Elab<'_>,
    p: &Prim,
    t: &Tensor,
    dim: usize,
    kind: Reduction,
    span: Span,
) -> Option<(Tensor, usize)> {
    let best = cx.emit(Op::Reduce { kind, dims: vec![dim] }, &[t.id], span)?;
    let mut best = Tensor { id: best, ..t.clone() };
    best.units = vec![dim];
    best.dims[dim] = super::value::Dim::plain(1);
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
