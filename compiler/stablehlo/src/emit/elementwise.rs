//! Ops of one element each: a row of the op table says what StableHLO calls it. What StableHLO has not is written as the row's
//! expression.

use super::state::Emit;
use super::text::{TextValue, tensor};
use meshloom_ir::table::elem::{Arithmetic, Elem, Formula};
use meshloom_ir::{DType, Literal, Op, Scalar, TensorType, table};

pub fn write(e: &mut Emit<'_>, row: Elem, xs: &[TextValue]) -> Result<TextValue, String> {
    let operands: Vec<&TextValue> = xs.iter().collect();
    let unsigned = xs[0].ty.dtype.is_unsigned();
    match (row.def().arithmetic, row.def().hlo) {
        (Arithmetic::Compare(c), _) => Ok(e.out.compare(c.direction(), &xs[0], &xs[1])),
        (Arithmetic::Select, _) => Ok(e.out.select(&xs[0], &xs[1], &xs[2])),
        // StableHLO has none for unsigned integers.
        (_, "stablehlo.abs") if unsigned => Ok(xs[0].clone()),
        // An arithmetic shift takes the highest bit for a sign, also where it is none.
        (_, "stablehlo.shift_right_arithmetic") if unsigned => {
            Ok(e.out.same("stablehlo.shift_right_logical", &operands))
        }
        (_, "") => {
            let formula = row.def().lower.formula().ok_or("StableHLO has no such op, nor other ops that make it")?;
            apply(e, &formula, xs)
        }
        (_, hlo) => {
            let types: Vec<&TensorType> = xs.iter().map(|x| &x.ty).collect();
            let ty = table::infer(&Op::Elem(row), &types)?;
            if ty == xs[0].ty && hlo.starts_with("stablehlo.") {
                return Ok(e.out.same(hlo, &operands));
            }
            let names: Vec<&str> = xs.iter().map(|x| x.name.as_str()).collect();
            let head = format!("{hlo} {}", names.join(", "));
            if hlo.starts_with("stablehlo.") {
                return Ok(e.out.typed(&head, &operands, ty));
            }
            // chlo prints the types of operands without brackets.
            let from: Vec<String> = xs.iter().map(TextValue::tensor).collect();
            let to = tensor(&ty);
            Ok(e.out.op(ty, &format!("{head} : {} -> {to}", from.join(", "))))
        }
    }
}

fn apply(e: &mut Emit<'_>, formula: &Formula, xs: &[TextValue]) -> Result<TextValue, String> {
    match formula {
        Formula::Argument(i) => Ok(xs[*i].clone()),
        Formula::Number(x) => {
            let ty = xs.last().map_or_else(|| TensorType::scalar(DType::F32), |x| x.ty.clone());
            let value = Literal::Splat(Scalar::of(ty.dtype, *x));
            Ok(e.out.constant(ty, &value))
        }
        Formula::Apply(name, inner) => {
            let row = Elem::by_name(name).ok_or("its expression has an op that does not exist")?;
            let inner = inner.iter().map(|f| apply(e, f, xs)).collect::<Result<Vec<_>, _>>()?;
            write(e, row, &inner)
        }
    }
}
