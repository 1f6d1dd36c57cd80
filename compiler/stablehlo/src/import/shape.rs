//! Ops that move elements without computing with them, and contractions.

use super::state::{Import, ImportRule};
use crate::lexer::Token;
use crate::module::TextOp;
use crate::read;
use crate::tree::Tree;
use meshloom_ir::{DType, Einsum, Op as Ir, ValueId};

type Made = Result<Vec<ValueId>, String>;

pub const RULES: &[(&str, ImportRule)] = &[
    ("stablehlo.broadcast_in_dim", broadcast),
    ("stablehlo.dynamic_broadcast_in_dim", dynamic_broadcast),
    ("stablehlo.reshape", reshape),
    ("stablehlo.dynamic_reshape", dynamic_reshape),
    ("stablehlo.get_dimension_size", dimension_size),
    ("stablehlo.transpose", transpose),
    ("stablehlo.slice", slice),
    ("stablehlo.pad", pad),
    ("stablehlo.concatenate", concatenate),
    ("stablehlo.dot", dot),
    ("stablehlo.dot_general", dot_general),
    ("stablehlo.optimization_barrier", barrier),
];

/// The shape that is written of the only result.
fn shape(op: &TextOp<'_>) -> Result<Vec<u64>, String> {
    Ok(op.result_types()?.into_iter().next().ok_or("the type of the result is missing")?.shape)
}

fn either(op: &TextOp<'_>, names: [&str; 2]) -> Result<Vec<usize>, String> {
    let name = names.into_iter().find(|n| op.attr(n).is_some());
    name.map_or(Ok(Vec::new()), |n| op.dims(n))
}

fn broadcast(i: &mut Import<'_>, op: &TextOp<'_>) -> Made {
    let [x] = i.exactly(op)?;
    broadcasted(i, op, x)
}

/// The shape, which is the second operand, is written beside the op as well.
fn dynamic_broadcast(i: &mut Import<'_>, op: &TextOp<'_>) -> Made {
    let [x, _] = i.exactly(op)?;
    broadcasted(i, op, x)
}

fn broadcasted(i: &mut Import<'_>, op: &TextOp<'_>, x: ValueId) -> Made {
    let to = shape(op)?;
    let dims = either(op, ["dims", "broadcast_dimensions"])?;
    let from = i.b.shape(x);
    if dims.len() != from.len() || dims.iter().any(|&d| d >= to.len()) {
        return Err("`dims` are not one dim of the result for each dim of the operand".to_string());
    }
    // A dim of size 1 is spread: it is dropped, and comes back as a new one.
    let kept: Vec<usize> = (0..from.len()).filter(|&d| from[d] == to[dims[d]]).collect();
    let sizes: Vec<u64> = kept.iter().map(|&d| from[d]).collect();
    let places: Vec<usize> = kept.iter().map(|&d| dims[d]).collect();
    let x = if kept.len() == from.len() { x } else { i.emit(Ir::Reshape { shape: sizes }, &[x])? };
    // Dims may come in any order here; ours are broadcast in theirs.
    let mut order: Vec<usize> = (0..places.len()).collect();
    order.sort_by_key(|&k| places[k]);
    let x = if order.is_sorted() { x } else { i.emit(Ir::Transpose { perm: order }, &[x])? };
    let mut places = places;
    places.sort_unstable();
    Ok(vec![if i.b.shape(x) == to { x } else { i.emit(Ir::Broadcast { shape: to, dims: places }, &[x])? }])
}

fn reshape(i: &mut Import<'_>, op: &TextOp<'_>) -> Made {
    let [x] = i.exactly(op)?;
    let to = shape(op)?;
    Ok(vec![if i.b.shape(x) == to { x } else { i.emit(Ir::Reshape { shape: to }, &[x])? }])
}

/// As [`dynamic_broadcast`].
fn dynamic_reshape(i: &mut Import<'_>, op: &TextOp<'_>) -> Made {
    let [x, _] = i.exactly(op)?;
    let to = shape(op)?;
    Ok(vec![i.reshaped(x, &to)?])
}

fn dimension_size(i: &mut Import<'_>, op: &TextOp<'_>) -> Made {
    let [x] = i.exactly(op)?;
    let dim = op.int("dim").or_else(|| op.int("dimension")).and_then(|d| usize::try_from(d).ok());
    let size = dim.and_then(|d| i.b.shape(x).get(d).copied()).ok_or("`dim` is no dim of the operand")?;
    Ok(vec![i.b.constant(DType::I32, &[], size as f64)])
}

fn transpose(i: &mut Import<'_>, op: &TextOp<'_>) -> Made {
    let [x] = i.exactly(op)?;
    let perm = either(op, ["dims", "permutation"])?;
    Ok(vec![if perm.is_sorted() { x } else { i.emit(Ir::Transpose { perm }, &[x])? }])
}

/// `[0:2048:2, 0:8]`, or three attributes.
fn slice(i: &mut Import<'_>, op: &TextOp<'_>) -> Made {
    let [x] = i.exactly(op)?;
    let (start, limit, strides) = match op.items.iter().find_map(|t| t.group(b'[')) {
        Some(ranges) => ranges_of(ranges)?,
        None => (op.sizes("start_indices")?, op.sizes("limit_indices")?, op.sizes("strides")?),
    };
    let from = i.b.shape(x);
    let fits = start.len() == from.len() && limit.len() == from.len() && strides.len() == from.len();
    if !fits || !(0..from.len()).all(|d| start[d] <= limit[d] && limit[d] <= from[d] && strides[d] > 0) {
        return Err("the ranges are not ranges of the operand".to_string());
    }
    let mut x =
        if start.iter().all(|&s| s == 0) && limit == from { x } else { i.emit(Ir::Slice { start, limit }, &[x])? };
    for (d, &step) in strides.iter().enumerate().filter(|(_, s)| **s > 1) {
        x = every(i, x, d, step)?;
    }
    Ok(vec![x])
}

/// Each `step`-th element along `dim`: the first of each group of `step`, where the last group is filled up.
fn every(i: &mut Import<'_>, x: ValueId, dim: usize, step: u64) -> Result<ValueId, String> {
    let shape = i.b.shape(x);
    let groups = shape[dim].div_ceil(step);
    let missing = groups * step - shape[dim];
    let x = if missing == 0 {
        x
    } else {
        let mut high = vec![0; shape.len()];
        high[dim] = missing;
        i.emit(Ir::Pad { low: vec![0; shape.len()], high }, &[x])?
    };
    let mut split = shape.clone();
    split[dim] = groups;
    split.insert(dim + 1, step);
    let x = i.emit(Ir::Reshape { shape: split.clone() }, &[x])?;
    split[dim + 1] = 1;
    let x = i.emit(Ir::Slice { start: vec![0; split.len()], limit: split.clone() }, &[x])?;
    split.remove(dim + 1);
    i.emit(Ir::Reshape { shape: split }, &[x])
}

type Ranges = (Vec<u64>, Vec<u64>, Vec<u64>);

fn ranges_of(trees: &[Tree<'_>]) -> Result<Ranges, String> {
    let mut out = (Vec::new(), Vec::new(), Vec::new());
    // Of a scalar there are none.
    for part in trees.split(|t| t.leaf(Token::Comma).is_some()).filter(|_| !trees.is_empty()) {
        let n: Vec<u64> = read::ints(part).into_iter().filter_map(|n| u64::try_from(n).ok()).collect();
        let (start, limit, step) = match n[..] {
            [a, b] => (a, b, 1),
            [a, b, c] => (a, b, c),
            _ => return Err("a range is `start:limit` or `start:limit:step`".to_string()),
        };
        out.0.push(start);
        out.1.push(limit);
        out.2.push(step);
    }
    Ok(out)
}

/// Padding with anything but zeros is padding with zeros, and the value where the operand is not.
fn pad(i: &mut Import<'_>, op: &TextOp<'_>) -> Made {
    let [x, value] = i.exactly(op)?;
    let names = [["low", "edge_padding_low"], ["high", "edge_padding_high"], ["interior", "interior_padding"]];
    let of = |names: [&str; 2]| names.into_iter().find_map(|n| op.ints(n)).ok_or("the padding is missing");
    let [low, high, interior] = [of(names[0])?, of(names[1])?, of(names[2])?];
    let from = i.b.shape(x);
    if [&low, &high, &interior].iter().any(|p| p.len() != from.len()) || interior.iter().any(|&n| n < 0) {
        return Err("the padding has another number of dims than the operand".to_string());
    }
    // JAX pads with nothing before it selects and scatters.
    if [&low, &high, &interior].iter().all(|p| p.iter().all(|&n| n == 0)) {
        return Ok(vec![x]);
    }
    let dtype = i.b.ty(x).dtype;
    let out = padded(i, x, &low, &high, &interior)?;
    if super::state::constant(i.func(), value).is_some_and(super::state::is_zero) {
        return Ok(vec![out]);
    }
    let ones = i.b.constant(dtype, &from, 1.0);
    let inside = padded(i, ones, &low, &high, &interior)?;
    let to = i.b.shape(out);
    let zero = i.b.constant(dtype, &to, 0.0);
    let inside = i.elem("compare_ne", &[inside, zero])?;
    let value = i.broadcast(value, &to, &[])?;
    Ok(vec![i.select(inside, out, value)?])
}

/// Zeros between the elements, then around them; negative padding cuts.
fn padded(i: &mut Import<'_>, mut x: ValueId, low: &[i64], high: &[i64], interior: &[i64]) -> Result<ValueId, String> {
    for (d, &gap) in interior.iter().enumerate().filter(|(_, n)| **n > 0) {
        let shape = i.b.shape(x);
        if shape[d] < 2 {
            continue;
        }
        let mut split = shape.clone();
        split.insert(d + 1, 1);
        x = i.emit(Ir::Reshape { shape: split.clone() }, &[x])?;
        let mut after = vec![0; split.len()];
        after[d + 1] = gap as u64;
        x = i.emit(Ir::Pad { low: vec![0; split.len()], high: after }, &[x])?;
        let mut flat = shape.clone();
        flat[d] = shape[d].checked_mul(1 + gap as u64).ok_or("the padding is too large")?;
        x = i.emit(Ir::Reshape { shape: flat.clone() }, &[x])?;
        // No gap after the last element.
        flat[d] -= gap as u64;
        x = i.emit(Ir::Slice { start: vec![0; flat.len()], limit: flat }, &[x])?;
    }
    let around = |p: &[i64]| -> Vec<u64> { p.iter().map(|&n| n.max(0) as u64).collect() };
    let (before, after) = (around(low), around(high));
    if before.iter().chain(&after).any(|&n| n > 0) {
        x = i.emit(Ir::Pad { low: before, high: after }, &[x])?;
    }
    if low.iter().chain(high).any(|&n| n < 0) {
        let shape = i.b.shape(x);
        let cut = |n: i64| n.min(0).unsigned_abs();
        let start: Vec<u64> = low.iter().map(|&n| cut(n)).collect();
        let limit = shape.iter().zip(high).map(|(&s, &n)| s.checked_sub(cut(n)).ok_or("the padding cuts too much"));
        let limit: Vec<u64> = limit.collect::<Result<_, _>>()?;
        x = i.emit(Ir::Slice { start, limit }, &[x])?;
    }
    Ok(x)
}

fn concatenate(i: &mut Import<'_>, op: &TextOp<'_>) -> Made {
    let all = i.operands(op)?;
    let dim = op.int("dim").or_else(|| op.int("dimension")).and_then(|d| usize::try_from(d).ok());
    let dim = dim.ok_or("`dim` is missing")?;
    Ok(vec![if let [x] = all[..] { x } else { i.emit(Ir::Concatenate { dim }, &all)? }])
}

/// The dims that two operands share, as `[0] x [1]` or as `lhs_.., rhs_..` of `#stablehlo.dot<..>`.
fn pairs(op: &TextOp<'_>, pretty: &str, generic: &str) -> Result<[Vec<usize>; 2], String> {
    let sizes = |n: Vec<i64>| -> Result<Vec<usize>, String> {
        n.into_iter().map(|n| usize::try_from(n).map_err(|_| format!("{n} is no dim"))).collect()
    };
    if let Some(t) = op.attr(pretty) {
        let lists: Vec<&[Tree<'_>]> = t.iter().filter_map(|t| t.group(b'[')).collect();
        if let [x, y] = lists[..] {
            return Ok([sizes(read::ints(x))?, sizes(read::ints(y))?]);
        }
        return Err(format!("`{pretty}` is not two lists of dims"));
    }
    let numbers = op.attr("dot_dimension_numbers").and_then(|t| t.iter().find_map(|t| t.group(b'<')));
    let of = |side: &str| match numbers.and_then(|n| read::setting(n, &format!("{side}_{generic}_dimensions"))) {
        Some(t) => sizes(read::ints(t)),
        None => Ok(Vec::new()),
    };
    Ok([of("lhs")?, of("rhs")?])
}

/// Of vectors and matrices: the last dim of the one with the first of the other.
fn dot(i: &mut Import<'_>, op: &TextOp<'_>) -> Made {
    let [x, y] = i.exactly(op)?;
    match (i.b.ty(x).rank(), i.b.ty(y).rank()) {
        (rank @ 1..=2, 1..=2) => contracted(i, op, [&[], &[]], [&[rank - 1], &[0]]),
        _ => Err(format!(
            "`stablehlo.dot` is of vectors and matrices, not of {} and {}\nmore dims are those of `dot_general`",
            i.b.ty(x),
            i.b.ty(y)
        )),
    }
}

fn dot_general(i: &mut Import<'_>, op: &TextOp<'_>) -> Made {
    let [xb, yb] = pairs(op, "batching_dims", "batching")?;
    let [xc, yc] = pairs(op, "contracting_dims", "contracting")?;
    contracted(i, op, [&xb, &yb], [&xc, &yc])
}

fn contracted(i: &mut Import<'_>, op: &TextOp<'_>, [xb, yb]: [&[usize]; 2], [xc, yc]: [&[usize]; 2]) -> Made {
    let [x, y] = i.exactly(op)?;
    let (xr, yr) = (i.b.ty(x).rank(), i.b.ty(y).rank());
    if xb.len() != yb.len() || xc.len() != yc.len() {
        return Err("one operand has more batching or contracting dims than the other".to_string());
    }
    if xb.iter().chain(xc).any(|&d| d >= xr) || yb.iter().chain(yc).any(|&d| d >= yr) {
        return Err("a batching or contracting dim that its operand does not have".to_string());
    }
    let mut subscripts = ('a'..='z').chain('A'..='Z');
    let mut left = vec![None; xr];
    let mut right = vec![None; yr];
    let mut result = Vec::new();
    let mut next = || subscripts.next().ok_or("more dims than letters");
    for (&d, &e) in xb.iter().zip(yb) {
        let c = next()?;
        (left[d], right[e]) = (Some(c), Some(c));
        result.push(c);
    }
    for (&d, &e) in xc.iter().zip(yc) {
        let c = next()?;
        (left[d], right[e]) = (Some(c), Some(c));
    }
    for side in [&mut left, &mut right] {
        for slot in side.iter_mut().filter(|s| s.is_none()) {
            let c = next()?;
            *slot = Some(c);
            result.push(c);
        }
    }
    let operands: Vec<Vec<char>> = vec![left.into_iter().flatten().collect(), right.into_iter().flatten().collect()];
    let to = op.result_types()?.into_iter().next().ok_or("the type of the result is missing")?.dtype;
    if to == DType::I32
        && let (Some(x), Some(y)) = (of_bytes(i, x), of_bytes(i, y))
    {
        return Ok(vec![i.emit(Ir::DotGeneral(Einsum { to: Some(to), ..Einsum::new(operands, result) }), &[x, y])?]);
    }
    // Sums are taken in the type of the result.
    let (x, y) = (i.convert(x, to)?, i.convert(y, to)?);
    if to.is_float() {
        return Ok(vec![i.emit(Ir::DotGeneral(Einsum::new(operands, result)), &[x, y])?]);
    }
    Ok(vec![integer_dot(i, [x, y], &operands, &result)?])
}

/// An operand of 8 bits, as it is or before it was converted to i32, which has all of its numbers.
fn of_bytes(i: &Import<'_>, v: ValueId) -> Option<ValueId> {
    let func = &i.b.func;
    let narrow = |v: &ValueId| func.ty(*v).dtype.is_int8();
    let converted = || {
        let data = func.op(func.def_op(v)?);
        matches!(data.op, Ir::Convert { to: DType::I32 }).then(|| data.operands[0])
    };
    Some(v).filter(narrow).or_else(converted).filter(narrow)
}

/// A contraction of other integers: the sum of products, each operand spread over all dims first.
fn integer_dot(
    i: &mut Import<'_>,
    xs: [ValueId; 2],
    operands: &[Vec<char>],
    result: &[char],
) -> Result<ValueId, String> {
    let mut subscripts = result.to_vec();
    subscripts.extend(operands[0].iter().filter(|c| !result.contains(c)));
    let mut shape = vec![1; subscripts.len()];
    for (&x, own) in xs.iter().zip(operands) {
        for (&c, n) in own.iter().zip(i.b.shape(x)) {
            shape[subscripts.iter().position(|&l| l == c).unwrap_or(0)] = n;
        }
    }
    let mut wide = Vec::new();
    for (&x, own) in xs.iter().zip(operands) {
        let places: Vec<usize> = own.iter().filter_map(|c| subscripts.iter().position(|l| l == c)).collect();
        let mut order: Vec<usize> = (0..own.len()).collect();
        order.sort_by_key(|&d| places[d]);
        let x = i.permuted(x, &order)?;
        let mut places = places;
        places.sort_unstable();
        wide.push(i.broadcast(x, &shape, &places)?);
    }
    let products = i.elem("multiply", &wide)?;
    let summed: Vec<usize> = (result.len()..subscripts.len()).collect();
    i.reduce(meshloom_ir::Reduction::Sum, products, &summed)
}

fn barrier(i: &mut Import<'_>, op: &TextOp<'_>) -> Made {
    i.operands(op)
}
