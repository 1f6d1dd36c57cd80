//! Primitives about windows: sliding windows over a dim, padding, the order of a dim turned around; and tensors of given
//! numbers. Convolutions and pooling are Loom over these (`lib/conv.loom`): windows are a view, a convolution is an `einsum` of
//! it, and pooling a reduction.

use super::primitive::{Args, Given, Prim, need};
use super::state::Elab;
use super::value::{Dim, Num, TensorVal, Val};
use meshloom_ir::{DType, Literal, Op, Scalar, Span, ValueId, Window};
use meshloom_source::Diagnostic;

pub const PRIMS: &[Prim] = &[
    Prim { name: "windows", params: &["x", "size", "dim", "stride?", "dilation?", "padding?", "fill?"], run: windows },
    Prim { name: "pad", params: &["x", "padding", "dim", "value?", "between?"], run: pad },
    Prim { name: "reverse", params: &["x", "dims"], run: reverse },
    Prim { name: "tensor", params: &["values"], run: tensor },
];

/// One dim of a tensor.
fn one_dim(cx: &mut Elab<'_>, p: &Prim, g: &Given, rank: usize) -> Option<usize> {
    let dims = cx.positions(Some(g), rank)?;
    if let [d] = dims[..] {
        return Some(d);
    }
    cx.error(Diagnostic::error("dims", format!("`{}` is about one dim", p.name)).at(g.span, ""));
    None
}

/// A whole number of at least `least`, or `default` where none is given.
fn count(cx: &mut Elab<'_>, p: &Prim, g: Option<&Given>, [least, default]: [i64; 2]) -> Option<u64> {
    let Some(g) = g else { return Some(default as u64) };
    let n = cx.int_arg(g)?;
    if n < least {
        let message = format!("`{}` takes at least {least} here, not {n}", p.name);
        cx.error(Diagnostic::error("size", message).at(g.span, ""));
        return None;
    }
    Some(n as u64)
}

/// `padding`: one number for both ends, or a pair for the low and the high one; `()` is none. Less than nothing cuts off.
fn ends(cx: &mut Elab<'_>, p: &Prim, g: Option<&Given>) -> Option<[i64; 2]> {
    let Some(g) = g else { return Some([0, 0]) };
    match &g.value {
        Val::Tuple(v) if v.is_empty() => Some([0, 0]),
        Val::Tuple(v) | Val::List(v) => {
            let [low, high] = &v[..] else {
                let message = format!("`{}` pads a low and a high end, found {} numbers", p.name, v.len());
                cx.error(
                    Diagnostic::error("size", message).at(g.span, "").help("such as `(2, 0)`; or one number for both"),
                );
                return None;
            };
            let low = cx.int_arg(&Given { value: low.clone(), ..g.clone() })?;
            Some([low, cx.int_arg(&Given { value: high.clone(), ..g.clone() })?])
        }
        _ => {
            let n = cx.int_arg(g)?;
            Some([n, n])
        }
    }
}

/// What stands where there is no element: a number, or as a string what is no literal. Zero where nothing is given.
pub(super) fn filling(cx: &mut Elab<'_>, g: Option<&Given>, dtype: DType) -> Option<Scalar> {
    let Some(g) = g else { return Some(Scalar::of(dtype, 0.0)) };
    match &g.value {
        Val::Str(text) if dtype.is_float() && matches!(&**text, "inf" | "-inf" | "nan") => {
            text.parse().ok().map(|x| Scalar::of(dtype, x))
        }
        Val::Number(n, _) => cx.check_literal(*n, dtype, g.span).then(|| scalar(*n, dtype)),
        other => {
            let d = Diagnostic::error("type-mismatch", format!("expected a constant number, found {other}"));
            cx.error(d.at(g.span, "").help("of floats, \"-inf\", \"inf\" and \"nan\" are numbers here too"));
            None
        }
    }
}

fn scalar(n: Num, dtype: DType) -> Scalar {
    match n {
        Num::Int(n) if dtype.is_int() => Scalar::Int(n),
        n => Scalar::of(dtype, n.as_f64()),
    }
}

/// Emits the windows of a dim: two dims in its place.
fn emit_windows(
    cx: &mut Elab<'_>,
    t: &TensorVal,
    dim: usize,
    window: Window,
    span: Span,
) -> Option<(ValueId, Vec<Dim>)> {
    let places = match window.count(t.dims[dim].size) {
        Ok(0) => Err(format!(
            "windows of {} elements do not fit into {} of {}",
            window.span(),
            t.dims[dim],
            t.dims[dim].size
        )),
        other => other,
    };
    let n = match places {
        Ok(n) => n,
        Err(message) => {
            cx.error(Diagnostic::error("size", message).at(span, ""));
            return None;
        }
    };
    let id = cx.emit(Op::Windows { dim, window }, &[t.id], span)?;
    let mut dims = t.dims.clone();
    dims[dim] = if n == t.dims[dim].size { t.dims[dim].clone() } else { Dim::plain(n) };
    dims.insert(dim + 1, Dim::plain(window.size));
    Some((id, dims))
}

fn windows(cx: &mut Elab<'_>, p: &Prim, args: Args) -> Val {
    let run = |cx: &mut Elab<'_>| {
        let (x, size, at) = (args.get(0)?.clone(), args.get(1)?.clone(), args.get(2)?.clone());
        let t = cx.tensor_arg(p, &x)?;
        let t = cx.solid(&t, x.span)?;
        let dim = one_dim(cx, p, &at, t.rank())?;
        let size = count(cx, p, Some(&size), [1, 1])?;
        let stride = count(cx, p, args.get(3), [1, 1])?;
        let dilation = count(cx, p, args.get(4), [1, 1])?;
        let [low, high] = ends(cx, p, args.get(5))?;
        let fill = filling(cx, args.get(6), t.dtype)?;
        let window = Window { size, stride, dilation, low, high, fill };
        let (id, dims) = emit_windows(cx, &t, dim, window, args.span)?;
        Some(Val::Tensor(TensorVal { id, dtype: t.dtype, dims, units: Vec::new() }))
    };
    run(cx).unwrap_or(Val::Error)
}

/// Windows of one element: with elements around, or with some cut off. First the dim is spread, if something goes between.
fn pad(cx: &mut Elab<'_>, p: &Prim, args: Args) -> Val {
    let run = |cx: &mut Elab<'_>| {
        let (x, at) = (args.get(0)?.clone(), args.get(2)?.clone());
        let t = cx.tensor_arg(p, &x)?;
        let mut t = cx.solid(&t, x.span)?;
        let dim = one_dim(cx, p, &at, t.rank())?;
        let [low, high] = ends(cx, p, args.get(1))?;
        let fill = filling(cx, args.get(3), t.dtype)?;
        let between = count(cx, p, args.get(4), [0, 0])?;
        if between > 0 {
            t = spread(cx, &t, dim, between, fill, args.span)?;
        }
        let one = Window { size: 1, stride: 1, dilation: 1, low, high, fill };
        let (id, mut dims) = emit_windows(cx, &t, dim, one, args.span)?;
        dims.remove(dim + 1);
        let shape = dims.iter().map(|d| d.size).collect();
        Some(cx.tensor(Op::Reshape { shape }, &[id], dims, args.span))
    };
    run(cx).unwrap_or(Val::Error)
}

/// `n` elements of `fill` between every two of a dim: each gets them behind it, and those behind the last are cut off.
fn spread(cx: &mut Elab<'_>, t: &TensorVal, dim: usize, n: u64, fill: Scalar, span: Span) -> Option<TensorVal> {
    let mut apart = t.shape();
    apart.insert(dim + 1, 1);
    let id = cx.emit(Op::Reshape { shape: apart.clone() }, &[t.id], span)?;
    let behind = i64::try_from(n).ok()?;
    let window = Window { size: 1, stride: 1, dilation: 1, low: 0, high: behind, fill };
    let id = cx.emit(Op::Windows { dim: dim + 1, window }, &[id], span)?;
    let mut shape = t.shape();
    shape[dim] = shape[dim].checked_mul(n + 1)?;
    let id = cx.emit(Op::Reshape { shape: shape.clone() }, &[id], span)?;
    shape[dim] -= n;
    let id = cx.emit(Op::Slice { start: vec![0; shape.len()], limit: shape.clone() }, &[id], span)?;
    let mut dims = t.dims.clone();
    dims[dim] = Dim::plain(shape[dim]);
    Some(TensorVal { id, dims, ..t.clone() })
}

fn reverse(cx: &mut Elab<'_>, p: &Prim, args: Args) -> Val {
    let (x, g) = (need!(args, 0), need!(args, 1));
    let Some(t) = cx.tensor_arg(p, &x) else { return Val::Error };
    let Some(t) = cx.solid(&t, x.span) else { return Val::Error };
    let Some(dims) = cx.positions(Some(&g), t.rank()) else { return Val::Error };
    let mut id = t.id;
    for dim in dims {
        let Some(next) = cx.emit(Op::Reverse { dim }, &[id], args.span) else { return Val::Error };
        id = next;
    }
    Val::Tensor(TensorVal { id, ..t })
}

/// Numbers in brackets, and brackets in brackets, as a tensor: of the float type, or `i32` if all are whole, or of bools.
fn tensor(cx: &mut Elab<'_>, _: &Prim, args: Args) -> Val {
    let g = need!(args, 0);
    let (mut shape, mut numbers) = (Vec::new(), Vec::new());
    if let Err(message) = flatten(&g.value, 0, &mut shape, &mut numbers) {
        let d = Diagnostic::error("type-mismatch", message).at(g.span, "");
        return cx.error(d.help("such as `tensor([[0, 1], [2, 3]])`; tensors are put together by `concat`"));
    }
    let whole = numbers.iter().all(|n| matches!(n, Num::Int(_)));
    let dtype = if whole { DType::I32 } else { cx.program.float.unwrap_or(DType::F32) };
    if !numbers.iter().all(|n| cx.check_literal(*n, dtype, g.span)) {
        return Val::Error;
    }
    let values: Vec<Scalar> = numbers.into_iter().map(|n| scalar(n, dtype)).collect();
    let dims = shape.iter().map(|&n| Dim::plain(n)).collect();
    let value = Literal::Dense(values);
    cx.tensor(Op::Constant { dtype, shape, value }, &[], dims, args.span)
}

/// The numbers of a list in order, and the sizes of the lists in it, which are alike.
fn flatten(v: &Val, depth: usize, shape: &mut Vec<u64>, out: &mut Vec<Num>) -> Result<(), String> {
    match v {
        Val::Number(n, _) if depth == shape.len() && depth > 0 => out.push(*n),
        Val::List(items) if !items.is_empty() => {
            let n = items.len() as u64;
            if depth == shape.len() && out.is_empty() {
                shape.push(n);
            }
            if shape.get(depth) != Some(&n) {
                return Err("the lists in a tensor have as many entries as one another".to_string());
            }
            items.iter().try_for_each(|v| flatten(v, depth + 1, shape, out))?;
        }
        Val::List(_) => return Err("a tensor has at least one element".to_string()),
        other if depth == 0 => return Err(format!("`tensor` takes a list of numbers, not {other}")),
        other => return Err(format!("the entries of a tensor are constant numbers, not {other}")),
    }
    Ok(())
}
