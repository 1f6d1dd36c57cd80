//! Functions of complex numbers, element by element. What they are is written in Loom (`functions.loom`).

use super::number::Made;
use crate::import::special;
use crate::import::state::Import;
use crate::module::TextOp;
use meshloom_ir::DType;

/// Each op, and what it calls: `x0` and `x1` are the parts of the first operand, `x2` and `x3` those of the second.
pub const CALLS: &[(&str, &str)] = &[
    ("stablehlo.divide", "quotient([x0, x1], [x2, x3])"),
    ("stablehlo.abs", "length([x0, x1])"),
    ("stablehlo.sign", "direction([x0, x1])"),
    ("stablehlo.exponential", "exponential([x0, x1])"),
    ("stablehlo.exponential_minus_one", "exponential_minus_one([x0, x1])"),
    ("stablehlo.log", "logarithm([x0, x1])"),
    ("stablehlo.log_plus_one", "log_plus_one([x0, x1])"),
    ("stablehlo.logistic", "logistic([x0, x1])"),
    ("stablehlo.sqrt", "root([x0, x1])"),
    ("stablehlo.rsqrt", "inverse_root([x0, x1])"),
    ("stablehlo.cbrt", "cube_root([x0, x1])"),
    ("stablehlo.power", "power([x0, x1], [x2, x3])"),
    ("stablehlo.atan2", "angle([x0, x1], [x2, x3])"),
    ("stablehlo.sine", "sine([x0, x1])"),
    ("stablehlo.cosine", "cosine([x0, x1])"),
    ("stablehlo.tan", "turned_back(hyperbolic_tangent(turned([x0, x1])))"),
    ("stablehlo.tanh", "hyperbolic_tangent([x0, x1])"),
    ("chlo.tan", "turned_back(hyperbolic_tangent(turned([x0, x1])))"),
    ("chlo.sinh", "turned_back(sine(turned([x0, x1])))"),
    ("chlo.cosh", "cosine(turned([x0, x1]))"),
    ("chlo.asin", "arcsine([x0, x1])"),
    ("chlo.acos", "arccosine([x0, x1])"),
    ("chlo.atan", "turned_back(area_tangent(turned([x0, x1])))"),
    ("chlo.asinh", "turned_back(arcsine(turned([x0, x1])))"),
    ("chlo.acosh", "area_cosine([x0, x1])"),
    ("chlo.atanh", "area_tangent([x0, x1])"),
];

/// An op of [`CALLS`].
///
/// # Errors
/// Other operands.
pub fn called<'m>(i: &mut Import<'m>, op: &TextOp<'m>) -> Made {
    let call = CALLS.iter().find(|c| c.0 == op.name).map(|c| c.1).ok_or("there is no such function")?;
    let xs = if call.contains("x2") { i.numbers::<2>(op)?.concat() } else { i.numbers::<1>(op)?.concat() };
    // Loom has no tensors without elements; all of a type are the same.
    if i.b.ty(xs[0]).elements() == 0 {
        return Ok(xs[..if op.complex_results() == [true] { 2 } else { 1 }].to_vec());
    }
    let wide = i.b.ty(xs[0]).dtype == DType::F64;
    let text = [include_str!("functions.loom"), special::LOOM].concat();
    i.loom(&text, &format!("wide = {wide}, double = {wide}"), call, &xs)
}
