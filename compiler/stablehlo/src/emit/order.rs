//! Running sums and the like, as windows that begin before the first element; the largest of a dim, as a stable sort.

use super::shape;
use super::state::{Emit, EmitRule, mismatch};
use super::text::{TextValue, array, signature, tensor};
use meshloom_ir::types::Scalar;
use meshloom_ir::{DType, Op, OpData, TensorType};

type Made = Result<Vec<TextValue>, String>;

pub const RULES: &[(&str, EmitRule)] =
    &[("cumulative", cumulative), ("cumulative_log_sum_exp", cumulative_log_sum_exp), ("top_k", top_k)];

fn cumulative(e: &mut Emit<'_>, data: &OpData, xs: &[TextValue]) -> Made {
    let &Op::Cumulative { kind, dim, reverse, exclusive } = &data.op else { return mismatch() };
    let (mut x, rank, dtype) = (xs[0].clone(), xs[0].shape().len(), xs[0].ty.dtype);
    let first = shape::identity(kind, dtype);
    let at_dim = |n: i64| (0..rank).map(|d| if d == dim { n } else { 0 }).collect::<Vec<i64>>();
    if exclusive {
        let by = if reverse { -1 } else { 1 };
        x = e.out.pad(&x, &at_dim(by), &at_dim(-by), first);
    }
    let init = e.out.splat(dtype, &[], first);
    let head = windows(&x, &init, dim, reverse);
    Ok(vec![e.generic(&head, &[&x, &init], x.ty.clone(), dtype, kind)])
}

/// The head of a reduction over windows that hold all up to their element, or from it on.
fn windows(x: &TextValue, init: &TextValue, dim: usize, reverse: bool) -> String {
    let (rank, n) = (x.shape().len(), x.shape()[dim]);
    let window: Vec<u64> = (0..rank).map(|d| if d == dim { n.max(1) } else { 1 }).collect();
    let ahead = n.saturating_sub(1);
    let rows: Vec<Vec<u64>> = (0..rank)
        .map(|d| match (d == dim, reverse) {
            (false, _) => vec![0, 0],
            (true, false) => vec![ahead, 0],
            (true, true) => vec![0, ahead],
        })
        .collect();
    format!(
        "\"stablehlo.reduce_window\"({}, {}) <{{padding = {}, window_dimensions = {}, window_strides = {}}}> ({{",
        x.name,
        init.name,
        super::text::table(&rows),
        array(&window),
        array(&vec![1; rank])
    )
}

/// The body that JAX writes for two elements: their maximum, and the logarithm of one and the exponential of their distance.
fn cumulative_log_sum_exp(e: &mut Emit<'_>, data: &OpData, xs: &[TextValue]) -> Made {
    let &Op::CumLogSumExp { dim, reverse } = &data.op else { return mismatch() };
    let (x, scalar) = (&xs[0], TensorType::scalar(xs[0].ty.dtype));
    let init = e.out.splat(scalar.dtype, &[], Scalar::float(f64::NEG_INFINITY));
    let out = e.out.fresh(x.ty.clone());
    e.out.open(&format!("{} = {}", out.name, windows(x, &init, dim, reverse)));
    let (a, b) = (e.out.fresh(scalar.clone()), e.out.fresh(scalar.clone()));
    let ty = tensor(&scalar);
    e.out.line(&format!("^bb0({}: {ty}, {}: {ty}):", a.name, b.name));
    let most = e.out.same("stablehlo.maximum", &[&a, &b]);
    let apart = e.out.same("stablehlo.subtract", &[&a, &b]);
    // Not a number where one is not, or where both are the same infinity.
    let none = e.out.compare("NE", &apart, &apart);
    let sum = e.out.same("stablehlo.add", &[&a, &b]);
    let distance = e.out.same("stablehlo.abs", &[&apart]);
    let negated = e.out.same("stablehlo.negate", &[&distance]);
    let less = e.out.same("stablehlo.exponential", &[&negated]);
    let log = e.out.same("stablehlo.log_plus_one", &[&less]);
    let both = e.out.same("stablehlo.add", &[&most, &log]);
    let result = e.out.select(&none, &sum, &both);
    e.out.line(&format!("stablehlo.return {} : {ty}", result.name));
    e.out.close(&format!("}}) : {}", signature(&[x, &init], &x.tensor())), false);
    Ok(vec![out])
}

fn top_k(e: &mut Emit<'_>, data: &OpData, xs: &[TextValue]) -> Made {
    let &Op::TopK { dim, k, largest, indices } = &data.op else { return mismatch() };
    let x = &xs[0];
    let places = e.out.iota(DType::I32, x.shape(), dim);
    let (made, names) = e.out.several(&[x.ty.clone(), places.ty.clone()]);
    e.out.open(&format!(
        "{names} = \"stablehlo.sort\"({}, {}) <{{dimension = {dim} : i64, is_stable = true}}> ({{",
        x.name, places.name
    ));
    let of = |dtype| TensorType::scalar(dtype);
    let args: Vec<TextValue> = [x.ty.dtype, x.ty.dtype, DType::I32, DType::I32].map(|d| e.out.fresh(of(d))).to_vec();
    let list: Vec<String> = args.iter().map(|a| format!("{}: {}", a.name, a.tensor())).collect();
    e.out.line(&format!("^bb0({}):", list.join(", ")));
    let direction = if largest { "GT" } else { "LT" };
    let first = if x.ty.dtype.is_float() {
        // One zero and one NaN, which is above all numbers.
        let keys = [0, 1].map(|i: usize| key(e, &args[i]));
        e.out.compare_as(direction, "TOTALORDER", &keys[0], &keys[1])
    } else {
        e.out.compare(direction, &args[0], &args[1])
    };
    e.out.line(&format!("stablehlo.return {} : {}", first.name, tensor(&of(DType::Bool))));
    let results = format!("({}, {})", made[0].tensor(), made[1].tensor());
    e.out.close(&format!("}}) : {}", signature(&[x, &places], &results)), false);
    Ok(vec![e.out.cut(&made[usize::from(indices)], dim, k)])
}

fn key(e: &mut Emit<'_>, x: &TextValue) -> TextValue {
    let dtype = x.ty.dtype;
    let (zero, nan) = (e.out.splat(dtype, &[], Scalar::float(0.0)), e.out.splat(dtype, &[], Scalar::float(f64::NAN)));
    let is_zero = e.out.compare("EQ", x, &zero);
    let is_nan = e.out.compare("NE", x, x);
    let x = e.out.select(&is_zero, &zero, x);
    e.out.select(&is_nan, &nan, &x)
}
