//! Ops of one element each: a row says what StableHLO calls one, where that is another name.

use super::state::Emit;
use super::text::TextValue;
use meshloom_ir::{DType, TensorType};

/// Names that are not StableHLO's own.
const NAMES: &[(&str, &str)] = &[("erf", "chlo.erf")];

const COMPARISONS: &[(&str, &str)] = &[
    ("compare_eq", "EQ"),
    ("compare_ne", "NE"),
    ("compare_lt", "LT"),
    ("compare_le", "LE"),
    ("compare_gt", "GT"),
    ("compare_ge", "GE"),
];

pub fn write(e: &mut Emit<'_>, name: &str, xs: &[TextValue]) -> Result<TextValue, String> {
    if let Some((_, direction)) = COMPARISONS.iter().find(|c| c.0 == name) {
        return Ok(e.out.compare(direction, &xs[0], &xs[1]));
    }
    let operands: Vec<&TextValue> = xs.iter().collect();
    let unsigned = matches!(xs[0].ty.dtype, DType::U8 | DType::U32);
    Ok(match name {
        // StableHLO has none for unsigned integers.
        "abs" if unsigned => xs[0].clone(),
        // An arithmetic shift takes the highest bit for a sign, also where it is none.
        "shift_right_arithmetic" if unsigned => e.out.same("stablehlo.shift_right_logical", &operands),
        // Of gradients alone.
        "stop_gradient" => xs[0].clone(),
        "select" => e.out.select(&xs[0], &xs[1], &xs[2]),
        // The integer of as many bits, or the float.
        "bits_of_float" | "float_of_bits" => {
            let to = match xs[0].ty.dtype {
                DType::F32 => DType::I32,
                DType::F64 => DType::I64,
                DType::I64 => DType::F64,
                _ => DType::F32,
            };
            let ty = TensorType::new(to, xs[0].shape());
            e.out.typed(&format!("stablehlo.bitcast_convert {}", xs[0].name), &operands, ty)
        }
        "is_finite" => {
            let ty = TensorType::new(DType::Bool, xs[0].shape());
            e.out.typed(&format!("stablehlo.is_finite {}", xs[0].name), &operands, ty)
        }
        _ => match NAMES.iter().find(|n| n.0 == name) {
            // chlo prints operand and result.
            Some((_, other)) => {
                let (x, ty) = (&xs[0], xs[0].tensor());
                e.out.op(x.ty.clone(), &format!("{other} {} : {ty} -> {ty}", x.name))
            }
            None => e.out.same(&format!("stablehlo.{name}"), &operands),
        },
    })
}
