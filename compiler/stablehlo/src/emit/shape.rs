//! Making, moving, converting, contracting and reducing.

use super::frame;
use super::state::{Emit, EmitRule, mismatch};
use super::text::{TextValue, list};
use meshloom_ir::types::Scalar;
use meshloom_ir::{DType, Op, OpData, Reduction, TensorType, table};

type Made = Result<Vec<TextValue>, String>;

pub const RULES: &[(&str, EmitRule)] = &[
    ("constant", constant),
    ("iota", iota),
    ("convert", convert),
    ("broadcast_in_dim", broadcast),
    ("reshape", reshape),
    ("transpose", transpose),
    ("slice", slice),
    ("pad", pad),
    ("concatenate", concatenate),
    ("rotate", rotate),
    ("windows", windows),
    ("reverse", reverse),
    ("constrain", constrain),
    ("dot_general", dot),
    ("reduce", reduce),
];

fn constant(e: &mut Emit<'_>, data: &OpData, _: &[TextValue]) -> Made {
    let Op::Constant { dtype, shape, value } = &data.op else { return mismatch() };
    Ok(vec![e.out.constant(TensorType::new(*dtype, shape.clone()), value)])
}

fn iota(e: &mut Emit<'_>, data: &OpData, _: &[TextValue]) -> Made {
    let Op::Iota { dtype, shape, dim, shard } = &data.op else { return mismatch() };
    let local = e.out.iota(*dtype, shape, *dim);
    if shard.is_empty() {
        return Ok(vec![local]);
    }
    let start = e.start(shard, shape[*dim]);
    let start = e.out.convert(&start, *dtype);
    let start = e.out.broadcast(&start, shape, &[]);
    Ok(vec![e.out.same("stablehlo.add", &[&local, &start])])
}

fn convert(e: &mut Emit<'_>, data: &OpData, xs: &[TextValue]) -> Made {
    let Op::Convert { to } = &data.op else { return mismatch() };
    Ok(vec![e.out.convert(&xs[0], *to)])
}

fn broadcast(e: &mut Emit<'_>, data: &OpData, xs: &[TextValue]) -> Made {
    let Op::Broadcast { shape, dims } = &data.op else { return mismatch() };
    Ok(vec![e.out.broadcast(&xs[0], shape, dims)])
}

fn reshape(e: &mut Emit<'_>, data: &OpData, xs: &[TextValue]) -> Made {
    let Op::Reshape { shape } = &data.op else { return mismatch() };
    Ok(vec![e.out.reshape(&xs[0], shape)])
}

fn transpose(e: &mut Emit<'_>, data: &OpData, xs: &[TextValue]) -> Made {
    let Op::Transpose { perm } = &data.op else { return mismatch() };
    Ok(vec![e.out.transpose(&xs[0], perm)])
}

fn slice(e: &mut Emit<'_>, data: &OpData, xs: &[TextValue]) -> Made {
    let Op::Slice { start, limit } = &data.op else { return mismatch() };
    Ok(vec![e.out.slice(&xs[0], start, limit)])
}

fn pad(e: &mut Emit<'_>, data: &OpData, xs: &[TextValue]) -> Made {
    let Op::Pad { low, high } = &data.op else { return mismatch() };
    let signed = |all: &[u64]| all.iter().map(|&n| n as i64).collect::<Vec<_>>();
    Ok(vec![e.out.pad(&xs[0], &signed(low), &signed(high), Scalar::of(xs[0].ty.dtype, 0.0))])
}

fn concatenate(e: &mut Emit<'_>, data: &OpData, xs: &[TextValue]) -> Made {
    let Op::Concatenate { dim } = &data.op else { return mismatch() };
    Ok(vec![joined(e, xs, *dim)])
}

fn joined(e: &mut Emit<'_>, xs: &[TextValue], dim: usize) -> TextValue {
    let mut shape = xs[0].shape().to_vec();
    shape[dim] = xs.iter().map(|x| x.shape()[dim]).sum();
    let names: Vec<&str> = xs.iter().map(|x| x.name.as_str()).collect();
    let ty = TensorType::new(xs[0].ty.dtype, shape);
    let operands: Vec<&TextValue> = xs.iter().collect();
    e.out.typed(&format!("stablehlo.concatenate {}, dim = {dim}", names.join(", ")), &operands, ty)
}

fn rotate(e: &mut Emit<'_>, data: &OpData, xs: &[TextValue]) -> Made {
    let &Op::Rotate { dim, by, mirror } = &data.op else { return mismatch() };
    let n = xs[0].shape()[dim];
    // Mirrored it is reversed, and one place further on.
    let (x, by) = match mirror {
        true => (&reversed(e, &xs[0], dim), by + 1),
        false => (&xs[0], by),
    };
    if n == 0 || by % n == 0 {
        return Ok(vec![x.clone()]);
    }
    let (mut start, mut limit) = (vec![0; x.shape().len()], x.shape().to_vec());
    limit[dim] = n - by % n;
    let first = e.out.slice(x, &start, &limit);
    (start[dim], limit[dim]) = (n - by % n, n);
    let last = e.out.slice(x, &start, &limit);
    Ok(vec![joined(e, &[last, first], dim)])
}

/// A slice for each place in a window, side by side.
fn windows(e: &mut Emit<'_>, data: &OpData, xs: &[TextValue]) -> Made {
    let &Op::Windows { dim, window: w } = &data.op else { return mismatch() };
    let count = w.count(xs[0].shape()[dim])?;
    let rank = xs[0].shape().len();
    let at = |n: i64| (0..rank).map(|d| if d == dim { n } else { 0 }).collect::<Vec<i64>>();
    let x = match (w.low, w.high) {
        (0, 0) => xs[0].clone(),
        (low, high) => e.out.pad(&xs[0], &at(low), &at(high), w.fill),
    };
    let mut shape = x.shape().to_vec();
    shape[dim] = count;
    let place: Vec<u64> = shape[..=dim].iter().copied().chain([1]).chain(shape[dim + 1..].iter().copied()).collect();
    let ranges = |k: u64| -> Vec<String> {
        let first = k * w.dilation;
        let of = |(d, &n): (usize, &u64)| match d == dim {
            true => {
                format!("{first}:{}:{}", first + count.saturating_sub(1) * w.stride + u64::from(count > 0), w.stride)
            }
            false => format!("0:{n}"),
        };
        x.shape().iter().enumerate().map(of).collect()
    };
    let parts: Vec<TextValue> = (0..w.size)
        .map(|k| {
            let head = format!("stablehlo.slice {} [{}]", x.name, ranges(k).join(", "));
            let part = e.out.typed(&head, &[&x], TensorType::new(x.ty.dtype, shape.clone()));
            e.out.reshape(&part, &place)
        })
        .collect();
    Ok(vec![joined(e, &parts, dim + 1)])
}

fn reverse(e: &mut Emit<'_>, data: &OpData, xs: &[TextValue]) -> Made {
    let Op::Reverse { dim } = &data.op else { return mismatch() };
    Ok(vec![reversed(e, &xs[0], *dim)])
}

fn reversed(e: &mut Emit<'_>, x: &TextValue, dim: usize) -> TextValue {
    e.out.op(x.ty.clone(), &format!("stablehlo.reverse {}, dims = [{dim}] : {}", x.name, x.tensor()))
}

/// Identity: an axis that is partial in it is left for XLA to add up, which is where it would anyway.
fn constrain(e: &mut Emit<'_>, data: &OpData, xs: &[TextValue]) -> Made {
    let Op::Constrain(c) = &data.op else { return mismatch() };
    let x = &xs[0];
    if e.func.mesh.axes.is_empty() {
        return Ok(vec![x.clone()]);
    }
    let sharding = frame::constraint(c, &e.func.mesh);
    Ok(vec![
        e.out.op(x.ty.clone(), &format!("sdy.sharding_constraint {} <@mesh, {sharding}> : {}", x.name, x.tensor())),
    ])
}

/// Dims of one operand alone that the result lacks are summed first; then the dims of the product are put in order.
fn dot(e: &mut Emit<'_>, data: &OpData, xs: &[TextValue]) -> Made {
    let Op::DotGeneral(spec) = &data.op else { return mismatch() };
    let [left, right] = &spec.operands[..] else { return Err("it has another number of operands than two".into()) };
    let (mut subscripts, mut operands) = ([left.clone(), right.clone()], [xs[0].clone(), xs[1].clone()]);
    for i in 0..2 {
        let lone = |c: &char| !spec.result.contains(c) && !subscripts[1 - i].contains(c);
        let dims: Vec<usize> = subscripts[i].iter().enumerate().filter(|(_, c)| lone(c)).map(|(d, _)| d).collect();
        if !dims.is_empty() {
            operands[i] = reduced(e, &operands[i], Reduction::Sum, &dims);
            subscripts[i] = subscripts[i].iter().copied().filter(|c| !lone(c)).collect();
        }
    }
    let both: Vec<char> = subscripts[0].iter().copied().filter(|c| subscripts[1].contains(c)).collect();
    let (batch, contracted): (Vec<char>, Vec<char>) = both.iter().partition(|c| spec.result.contains(c));
    let place = |i: usize, all: &[char]| -> Vec<usize> {
        all.iter().filter_map(|c| subscripts[i].iter().position(|d| d == c)).collect()
    };
    let mut order = batch.clone();
    subscripts.iter().for_each(|l| order.extend(l.iter().filter(|c| !both.contains(c))));
    let size = |c: &char| {
        let of = |i: usize| subscripts[i].iter().position(|d| d == c).map(|d| operands[i].shape()[d]);
        of(0).or_else(|| of(1)).unwrap_or(1)
    };
    let shape: Vec<u64> = order.iter().map(size).collect();
    let dims = |name: &str, all: &[char]| match all.is_empty() {
        true => String::new(),
        false => format!(", {name} = {} x {}", list(&place(0, all)), list(&place(1, all))),
    };
    // Without the comma, contracting_dims is where the grammar begins.
    let contracting =
        format!(", contracting_dims = {} x {}", list(&place(0, &contracted)), list(&place(1, &contracted)));
    let head = format!(
        "stablehlo.dot_general {}, {}{}{contracting}",
        operands[0].name,
        operands[1].name,
        dims("batching_dims", &batch),
    );
    let to = spec.to.unwrap_or(xs[0].ty.dtype);
    let product = e.out.typed(&head, &[&operands[0], &operands[1]], TensorType::new(to, shape));
    let perm: Vec<usize> = spec.result.iter().filter_map(|c| order.iter().position(|d| d == c)).collect();
    Ok(vec![e.out.transpose(&product, &perm)])
}

fn reduce(e: &mut Emit<'_>, data: &OpData, xs: &[TextValue]) -> Made {
    let Op::Reduce { kind, dims } = &data.op else { return mismatch() };
    Ok(vec![reduced(e, &xs[0], *kind, dims)])
}

fn reduced(e: &mut Emit<'_>, x: &TextValue, kind: Reduction, dims: &[usize]) -> TextValue {
    let init = e.out.splat(x.ty.dtype, &[], identity(kind, x.ty.dtype));
    let kept = |(d, &n): (usize, &u64)| (!dims.contains(&d)).then_some(n);
    let shape: Vec<u64> = x.shape().iter().enumerate().filter_map(kept).collect();
    let by = format!("stablehlo.{}", kind.elementwise());
    let head =
        format!("stablehlo.reduce({} init: {}) applies {by} across dimensions = {}", x.name, init.name, list(dims));
    e.out.typed(&head, &[x, &init], TensorType::new(x.ty.dtype, shape))
}

/// What a reduction begins with.
pub fn identity(kind: Reduction, dtype: DType) -> Scalar {
    table::contract::identity_of(kind, dtype)
}
