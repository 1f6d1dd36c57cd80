//! Functions of chlo on real numbers, as XLA computes them. What they are is written in Loom (`special.loom`).
//!
//! Not here: those of complex numbers (`complex/functions.rs`).

use super::state::{Import, ImportRule};
use crate::module::TextOp;
use meshloom_ir::{DType, ValueId};

type Made = Result<Vec<ValueId>, String>;

pub const RULES: &[(&str, ImportRule)] = &[
    ("chlo.acos", of_elements),
    ("chlo.acosh", of_elements),
    ("chlo.asin", of_elements),
    ("chlo.asinh", of_elements),
    ("chlo.atan", of_elements),
    ("chlo.atanh", of_elements),
    ("chlo.cosh", of_elements),
    ("chlo.sinh", of_elements),
    ("chlo.erfc", of_elements),
    ("chlo.erf_inv", of_elements),
    ("chlo.lgamma", of_elements),
    ("chlo.digamma", of_elements),
    ("chlo.zeta", of_elements),
    ("chlo.polygamma", of_elements),
    ("chlo.bessel_i1e", of_elements),
    ("chlo.is_inf", of_elements),
    ("chlo.is_pos_inf", of_elements),
    ("chlo.is_neg_inf", of_elements),
    ("chlo.next_after", next_after),
];

/// Each function by its name in chlo.
pub const LOOM: &str = include_str!("special.loom");

/// Those that are computed in f64 and rounded once: their sums cancel. All others are computed in f32 at least.
const IN_F64: &[&str] = &["lgamma", "digamma", "erf_inv", "zeta", "polygamma", "bessel_i1e"];

fn of_elements(i: &mut Import<'_>, op: &TextOp<'_>) -> Made {
    let name = op.name.trim_start_matches("chlo.");
    let of_two = matches!(name, "zeta" | "polygamma");
    let mut xs = if of_two { i.exactly::<2>(op)?.to_vec() } else { i.exactly::<1>(op)?.to_vec() };
    let dtype = floats(i, op, xs[0])?;
    if i.b.ty(xs[0]).elements() == 0 {
        // Loom has no tensors without elements; all of a type are the same.
        let shape = i.b.shape(xs[0]);
        return Ok(vec![if name.starts_with("is_") { i.b.constant(DType::Bool, &shape, 0.0) } else { xs[0] }]);
    }
    let double = dtype == DType::F64;
    let wide = if double || IN_F64.contains(&name) { DType::F64 } else { DType::F32 };
    for x in &mut xs {
        *x = i.convert(*x, wide)?;
    }
    let call = if of_two { format!("{name}(x0, x1)") } else { format!("{name}(x0)") };
    let made = i.loom(LOOM, &format!("double = {double}"), &call, &xs)?;
    // Whether a number is infinite is no number.
    made.into_iter().map(|y| if i.b.ty(y).dtype.is_float() { i.convert(y, dtype) } else { Ok(y) }).collect()
}

fn floats(i: &Import<'_>, op: &TextOp<'_>, x: ValueId) -> Result<DType, String> {
    let dtype = i.b.ty(x).dtype;
    if dtype.is_float() { Ok(dtype) } else { Err(format!("`{}` is for floats", op.name)) }
}

/// The bits of a float are ordered as its size is: one more, or one less.
fn next_after(i: &mut Import<'_>, op: &TextOp<'_>) -> Made {
    let [x, y] = i.exactly(op)?;
    let (dtype, element) = (floats(i, op, x)?, op.elements()[0]);
    let zero = i.b.constant_like(x, 0.0);
    let (up, above) = (i.elem("compare_gt", &[y, x])?, i.elem("compare_gt", &[x, zero])?);
    let away = i.elem("compare_eq", &[up, above])?;
    let bits = i.bits_of(x, element)?;
    let (one, minus) = (i.b.constant_like(bits, 1.0), i.b.constant_like(bits, -1.0));
    let step = i.select(away, one, minus)?;
    let next = i.elem("add", &[bits, step])?;
    let next = i.of_bits(next, element, dtype)?;
    // From zero to the smallest there is, with the sign of where it goes.
    let least = i.of_bits(one, element, dtype)?;
    let most = i.elem("negate", &[least])?;
    let least = i.select(up, least, most)?;
    let none = i.elem("compare_eq", &[x, zero])?;
    let next = i.select(none, least, next)?;
    let there = i.elem("compare_eq", &[x, y])?;
    let next = i.select(there, y, next)?;
    // A sum with a NaN is one.
    let sum = i.elem("add", &[x, y])?;
    let (good, own) = (i.elem("compare_eq", &[x, x])?, i.elem("compare_eq", &[y, y])?);
    let good = i.elem("and", &[good, own])?;
    Ok(vec![i.select(good, next, sum)?])
}
