//! Elementwise ops, which have the names of the IR's, and constants.

use super::{Import, Rule};
use crate::lexer::Token;
use crate::module::Op;
use crate::types;
use meshloom_ir::{DType, Op as Ir, ValueId};

type Made = Result<Vec<ValueId>, String>;

pub const RULES: &[(&str, Rule)] = &[
    ("stablehlo.add", by_name),
    ("stablehlo.subtract", by_name),
    ("stablehlo.multiply", by_name),
    ("stablehlo.divide", by_name),
    ("stablehlo.maximum", by_name),
    ("stablehlo.minimum", by_name),
    ("stablehlo.power", by_name),
    ("stablehlo.remainder", by_name),
    ("stablehlo.atan2", by_name),
    ("stablehlo.negate", by_name),
    ("stablehlo.abs", by_name),
    ("stablehlo.sign", by_name),
    ("stablehlo.exponential", by_name),
    ("stablehlo.exponential_minus_one", by_name),
    ("stablehlo.log", by_name),
    ("stablehlo.log_plus_one", by_name),
    ("stablehlo.logistic", logistic),
    ("stablehlo.tanh", by_name),
    ("stablehlo.tan", tan),
    ("stablehlo.sine", by_name),
    ("stablehlo.cosine", by_name),
    ("stablehlo.sqrt", by_name),
    ("stablehlo.rsqrt", by_name),
    ("stablehlo.cbrt", by_name),
    ("stablehlo.floor", by_name),
    ("stablehlo.ceil", by_name),
    ("stablehlo.round_nearest_even", by_name),
    ("stablehlo.round_nearest_afz", away_from_zero),
    ("stablehlo.is_finite", is_finite),
    ("stablehlo.not", by_name),
    ("stablehlo.and", by_name),
    ("stablehlo.or", by_name),
    ("stablehlo.xor", by_name),
    ("stablehlo.shift_left", by_name),
    ("stablehlo.shift_right_logical", by_name),
    ("stablehlo.shift_right_arithmetic", by_name),
    ("stablehlo.select", select),
    ("stablehlo.clamp", clamp),
    ("stablehlo.compare", compare),
    ("stablehlo.convert", convert),
    ("stablehlo.constant", constant),
    ("stablehlo.iota", iota),
    ("chlo.erf", by_name),
    ("stablehlo.count_leading_zeros", by_name),
    ("stablehlo.popcnt", by_name),
    ("chlo.square", square),
    ("chlo.tan", tan),
];

fn by_name(i: &mut Import<'_>, op: &Op<'_>) -> Made {
    let name = op.name.split_once('.').map_or(op.name, |n| n.1);
    let operands = i.operands(op)?;
    Ok(vec![i.elem(name, &operands)?])
}

/// 1 / (1 + exp(-x))
fn logistic(i: &mut Import<'_>, op: &Op<'_>) -> Made {
    let [x] = i.exactly(op)?;
    let one = i.b.constant_like(x, 1.0);
    let negative = i.elem("negate", &[x])?;
    let e = i.elem("exponential", &[negative])?;
    let below = i.elem("add", &[one, e])?;
    Ok(vec![i.elem("divide", &[one, below])?])
}

fn tan(i: &mut Import<'_>, op: &Op<'_>) -> Made {
    let [x] = i.exactly(op)?;
    let (sine, cosine) = (i.elem("sine", &[x])?, i.elem("cosine", &[x])?);
    Ok(vec![i.elem("divide", &[sine, cosine])?])
}

/// The floor of |x|, one more where half or more is left, with the sign of x. Not floor(|x| + 1/2): the sum may round up.
fn away_from_zero(i: &mut Import<'_>, op: &Op<'_>) -> Made {
    let [x] = i.exactly(op)?;
    let size = i.elem("abs", &[x])?;
    let whole = i.elem("floor", &[size])?;
    let left = i.elem("subtract", &[size, whole])?;
    let half = i.b.constant_like(x, 0.5);
    let more = i.elem("compare_ge", &[left, half])?;
    let one = i.b.constant_like(x, 1.0);
    let next = i.elem("add", &[whole, one])?;
    let rounded = i.select(more, next, whole)?;
    let sign = i.elem("sign", &[x])?;
    Ok(vec![i.elem("multiply", &[rounded, sign])?])
}

fn is_finite(i: &mut Import<'_>, op: &Op<'_>) -> Made {
    let [x] = i.exactly(op)?;
    let size = i.elem("abs", &[x])?;
    let infinity = i.b.constant_like(x, f64::INFINITY);
    Ok(vec![i.elem("compare_lt", &[size, infinity])?])
}

/// A scalar predicate is spread over the result.
fn select(i: &mut Import<'_>, op: &Op<'_>) -> Made {
    let [c, x, y] = i.exactly(op)?;
    let shape = i.b.shape(x);
    let c = i.broadcast(c, &shape, &[])?;
    Ok(vec![i.elem("select", &[c, x, y])?])
}

/// Bounds may be scalars.
fn clamp(i: &mut Import<'_>, op: &Op<'_>) -> Made {
    let [low, x, high] = i.exactly(op)?;
    let shape = i.b.shape(x);
    let [low, high] = [i.broadcast(low, &shape, &[])?, i.broadcast(high, &shape, &[])?];
    let least = i.elem("maximum", &[low, x])?;
    Ok(vec![i.elem("minimum", &[least, high])?])
}

fn compare(i: &mut Import<'_>, op: &Op<'_>) -> Made {
    let [x, y] = i.exactly(op)?;
    let direction = op.attr("comparison_direction").and_then(|t| {
        // `#stablehlo<comparison_direction GT>`
        let inner = t.iter().find_map(|t| t.group(b'<'))?;
        inner.last()?.leaf(Token::Word)
    });
    let direction = direction.or_else(|| op.word(0)).ok_or("which comparison this is is missing")?;
    let name = match direction {
        "EQ" => "compare_eq",
        "NE" => "compare_ne",
        "LT" => "compare_lt",
        "LE" => "compare_le",
        "GT" => "compare_gt",
        "GE" => "compare_ge",
        other => return Err(format!("`{other}` is no comparison")),
    };
    if op.word(1) == Some("TOTALORDER") {
        return Err("comparisons by total order are not supported".to_string());
    }
    Ok(vec![i.elem(name, &[x, y])?])
}

fn convert(i: &mut Import<'_>, op: &Op<'_>) -> Made {
    let [x] = i.exactly(op)?;
    let to = op.result_types()?.first().ok_or("the type of the result is missing")?.dtype;
    Ok(vec![i.convert(x, to)?])
}

fn constant(i: &mut Import<'_>, op: &Op<'_>) -> Made {
    let ty = op.result_types()?.into_iter().next().ok_or("the type of the constant is missing")?;
    let value = op.attr("value").unwrap_or(op.items);
    if let Some(value) = i.resource(value, &ty)? {
        return Ok(vec![i.emit(Ir::Constant { dtype: ty.dtype, shape: ty.shape, value }, &[])?]);
    }
    let at = value.iter().position(|t| t.is_word("dense"));
    let inner = at.and_then(|at| value.get(at + 1)?.group(b'<'));
    let inner = inner.ok_or("only constants written as `dense<..>` are read")?;
    let value = types::dense(inner, &ty)?;
    Ok(vec![i.emit(Ir::Constant { dtype: ty.dtype, shape: ty.shape, value }, &[])?])
}

fn iota(i: &mut Import<'_>, op: &Op<'_>) -> Made {
    let ty = op.result_types()?.into_iter().next().ok_or("the type of the result is missing")?;
    let dim = op.int("dim").or_else(|| op.int("iota_dimension")).ok_or("`dim` is missing")?;
    let dim = usize::try_from(dim).ok().filter(|&d| d < ty.rank()).ok_or("`dim` is no dim of the result")?;
    Ok(vec![i.emit(Ir::Iota { dtype: ty.dtype, shape: ty.shape, dim, shard: Vec::new() }, &[])?])
}

fn square(i: &mut Import<'_>, op: &Op<'_>) -> Made {
    let [x] = i.exactly(op)?;
    if i.b.ty(x).dtype == DType::Bool {
        return Err("the square of a truth value".to_string());
    }
    Ok(vec![i.elem("multiply", &[x, x])?])
}
