//! Reductions. A body is recognised by the one op that it is.

use super::{Import, Rule};
use crate::lexer::Token;
use crate::module::{self, Op};
use crate::tree::Tree;
use meshloom_ir::{DType, Reduction, ValueId};

type Made = Result<Vec<ValueId>, String>;

pub const RULES: &[(&str, Rule)] = &[("stablehlo.reduce", reduce)];

/// How a body combines two elements.
pub fn combines(region: &[Tree<'_>]) -> Result<String, String> {
    let region = match region {
        // `^bb0(%a: .., %b: ..):`
        [label, _, colon, rest @ ..] if label.leaf(Token::Block).is_some() && colon.leaf(Token::Colon).is_some() => {
            rest
        }
        all => all,
    };
    let ops: Vec<Op<'_>> = module::ops(region).map_err(|d| d.message)?;
    match &ops[..] {
        [one, end] if end.name.ends_with("return") && one.results.iter().eq(end.operands().iter()) => {
            Ok(one.name.to_string())
        }
        _ => Err("only bodies of one op (add, maximum, minimum, ..) are supported".to_string()),
    }
}

fn reduce(i: &mut Import<'_>, op: &Op<'_>) -> Made {
    let dims = match op.attr("dimensions") {
        Some(_) => op.dims("dimensions")?,
        None => return Err("`dimensions` is missing".to_string()),
    };
    let applied = op.items.iter().position(|t| t.is_word("applies"));
    let by = match applied.and_then(|at| op.items.get(at + 1)?.leaf(Token::Word)) {
        Some(name) => name.to_string(),
        None => combines(op.regions().first().copied().ok_or("the body is missing")?)?,
    };
    let [x, init] = i.exactly(op)?;
    let (kind, name) = match by.as_str() {
        "stablehlo.add" => (Reduction::Sum, "add"),
        "stablehlo.maximum" => (Reduction::Max, "maximum"),
        "stablehlo.minimum" => (Reduction::Min, "minimum"),
        "stablehlo.multiply" => (Reduction::Prod, "multiply"),
        "stablehlo.and" => (Reduction::And, "and"),
        "stablehlo.or" => (Reduction::Or, "or"),
        other => return Err(format!("reducing by `{other}` is not supported")),
    };
    if dims.iter().any(|&d| d >= i.b.ty(x).rank()) {
        return Err("a dim that the operand does not have is reduced".to_string());
    }
    // Truth values are reduced as integers of one bit each.
    let truth = i.b.ty(x).dtype == DType::Bool;
    let x = if truth { i.convert(x, DType::I32)? } else { x };
    let out = i.reduce(kind, x, &dims)?;
    let out = if truth { i.convert(out, DType::Bool)? } else { out };
    if neutral(i, init, kind) {
        return Ok(vec![out]);
    }
    let shape = i.b.shape(out);
    let init = i.broadcast(init, &shape, &[])?;
    Ok(vec![i.elem(name, &[out, init])?])
}

/// Whether a value changes nothing as the start of a reduction.
pub fn neutral(i: &Import<'_>, init: ValueId, kind: Reduction) -> bool {
    let Some(x) = super::constant(i.func(), init).map(|x| x.as_f64()) else { return false };
    let least = match i.b.ty(init).dtype {
        DType::I32 => f64::from(i32::MIN),
        DType::I64 => i64::MIN as f64,
        DType::U8 | DType::U32 | DType::Bool => 0.0,
        _ => f64::NEG_INFINITY,
    };
    match kind {
        Reduction::Sum => x == 0.0,
        Reduction::Max => x == least,
        Reduction::Min => x == f64::INFINITY,
        Reduction::Prod => x == 1.0,
        Reduction::And => x == if i.b.ty(init).dtype == DType::Bool { 1.0 } else { -1.0 },
        Reduction::Or => x == 0.0,
    }
}
