//! Complex numbers. The IR has none: a complex tensor is two values, its real and its imaginary parts, so that plans, certificates
//! and kernels are of real numbers. In scope, the name of a complex tensor is that of its real parts, and [`scope::imaginary`] is the
//! name of the others.
//!
//! - What treats both parts alike (sums, everything that moves elements, collectives) is imported twice, once of each part
//!   ([`PARTWISE`]); a product of two tensors four times.
//! - Loops, branches, calls, regions and factors of matrices take and give both parts of each value ([`BOTH`]); their files know of it by
//!   [`Import::values`](super::state::Import::values).
//! - Everything else has a rule of its own: [`arithmetic`], [`functions`], [`whole`], [`fourier`].
//! - Parameters and results of an entry are one tensor with a last dim of two ([`ports`]).

mod arithmetic;
mod fourier;
mod functions;
mod number;
mod ports;
mod whole;

use super::linear_algebra;
use super::refused;
use super::regions::NamedRegion;
use super::state::{Import, ImportRule};
use crate::module::TextOp;
use meshloom_ir::ValueId;
use number::Made;
pub use ports::mark;

/// Rules of complex numbers, but for those of functions.
const RULES: &[&[(&str, ImportRule)]] = &[arithmetic::RULES, whole::RULES, fourier::RULES];

/// The rule of real numbers is that of each part.
const PARTWISE: &[&str] = &[
    "stablehlo.add",
    "stablehlo.subtract",
    "stablehlo.negate",
    "stablehlo.select",
    "stablehlo.bitcast_convert",
    "stablehlo.broadcast_in_dim",
    "stablehlo.reshape",
    "stablehlo.transpose",
    "stablehlo.slice",
    "stablehlo.pad",
    "stablehlo.concatenate",
    "stablehlo.reverse",
    "stablehlo.dynamic_slice",
    "stablehlo.dynamic_update_slice",
    "stablehlo.gather",
    "stablehlo.torch_index_select",
    "stablehlo.all_reduce",
    "stablehlo.reduce_scatter",
    "stablehlo.all_gather",
    "stablehlo.all_to_all",
    "stablehlo.collective_permute",
    "stablehlo.collective_broadcast",
    "stablehlo.collective_reduce",
    "stablehlo.custom_call",
    "sdy.sharding_constraint",
    "sdy.reshard",
    "sdy.all_gather",
    "sdy.all_slice",
    "sdy.all_to_all",
    "sdy.all_reduce",
    "sdy.collective_permute",
    "sdy.reduce_scatter",
    "sdy.replicated_to_unreduced",
    "sdy.sharded_to_unreduced",
    "sdy.propagation_barrier",
    "sdy.data_flow_edge",
    "sdy.func_data_flow_edge",
    "sdy.sharding_group",
];

/// The rule of real numbers, where the body adds or replaces; else with a body of complex numbers ([`BOTH`]).
const BY_BODY: &[&str] = &["stablehlo.reduce", "stablehlo.reduce_window", "stablehlo.scatter"];

/// The rule of real numbers takes and gives both parts.
const BOTH: &[&str] = &[
    "stablehlo.while",
    "stablehlo.case",
    "stablehlo.if",
    "stablehlo.composite",
    "stablehlo.get_tuple_element",
    "stablehlo.optimization_barrier",
    "stablehlo.map",
    "stablehlo.sort",
    "stablehlo.triangular_solve",
    "stablehlo.cholesky",
    "sdy.manual_computation",
    "sdy.named_computation",
];

/// The rule of complex numbers for an op.
pub fn rule(name: &str) -> Option<ImportRule> {
    rules().find(|r| r.0 == name).map(|r| r.1)
}

/// Ops with a rule of complex numbers.
pub fn rules() -> impl Iterator<Item = (&'static str, ImportRule)> {
    let called = functions::CALLS.iter().map(|c| (c.0, functions::called as ImportRule));
    RULES.iter().flat_map(|r| r.iter().copied()).chain(called)
}

/// Imports an op that a type of complex numbers stands beside; `rule` is that of real numbers.
///
/// # Errors
/// As of any op; and there is none of complex numbers.
pub fn import<'m>(i: &mut Import<'m>, op: &TextOp<'m>, rule: ImportRule) -> Made {
    if let Some(own) = self::rule(op.name) {
        return own(i, op);
    }
    if BOTH.contains(&op.name) {
        return rule(i, op);
    }
    if op.name == "stablehlo.custom_call"
        && let Some(made) = linear_algebra::lapack(i, op, op.target())
    {
        return made;
    }
    if matches!(op.name, "stablehlo.dot" | "stablehlo.dot_general" | "stablehlo.convolution") {
        return product(i, op, rule);
    }
    if BY_BODY.contains(&op.name) && !adds_or_replaces(op) {
        return rule(i, op);
    }
    let combines =
        matches!(op.name, "stablehlo.all_reduce" | "stablehlo.collective_reduce" | "stablehlo.reduce_scatter");
    let partwise_body = !combines || adds_or_replaces(op);
    if BY_BODY.contains(&op.name) || PARTWISE.contains(&op.name) && partwise_body {
        return partwise(i, op, rule);
    }
    Err(refused::complex(op.name))
}

/// An op on the real parts of its complex operands, and again on the imaginary ones.
fn partwise<'m>(i: &mut Import<'m>, op: &TextOp<'m>, rule: ImportRule) -> Made {
    let real = part(i, op, rule, [false; 2])?;
    let imaginary = part(i, op, rule, [true; 2])?;
    Ok(real.into_iter().zip(imaginary).flat_map(|(re, im)| [re, im]).collect())
}

/// The rule of real numbers on parts: of the first operand, and of the others.
fn part<'m>(i: &mut Import<'m>, op: &TextOp<'m>, rule: ImportRule, of: [bool; 2]) -> Made {
    let before = i.part.replace(of);
    let made = rule(i, op);
    i.part = before;
    made
}

/// A sum of products: four of real numbers.
fn product<'m>(i: &mut Import<'m>, op: &TextOp<'m>, rule: ImportRule) -> Made {
    let mut one = |of: [bool; 2]| -> Result<ValueId, String> {
        part(i, op, rule, of)?.first().copied().ok_or_else(|| format!("`{}` has no result", op.name))
    };
    let [rr, ii] = [one([false; 2])?, one([true; 2])?];
    let [ri, ir] = [one([false, true])?, one([true, false])?];
    Ok(vec![i.elem("subtract", &[rr, ii])?, i.elem("add", &[ri, ir])?])
}

/// Two complex numbers as an op of reductions combines them, which are sums in parts.
///
/// # Errors
/// It has no meaning for them.
pub fn combined(i: &mut Import<'_>, by: &str, pairs: &[ValueId]) -> Made {
    match (by, pairs) {
        ("stablehlo.multiply", &[a, b, c, d]) => Ok(i.product([a, b], [c, d])?.to_vec()),
        _ => Err(refused::complex(by)),
    }
}

/// Whether a body adds its arguments, or returns those of the second side.
fn adds_or_replaces(op: &TextOp<'_>) -> bool {
    let applied = op.items.iter().position(|t| t.is_word("applies"));
    if let Some(at) = applied {
        return op.items.get(at + 1).is_some_and(|t| t.is_word("stablehlo.add"));
    }
    let Ok(body) = NamedRegion::of(op, 0) else { return false };
    let replaces = body.ops.len() == 1 && body.ops[0].operands().iter().eq(body.names[body.names.len() / 2..].iter());
    replaces || body.one_op().is_some_and(|one| one.name == "stablehlo.add")
}
