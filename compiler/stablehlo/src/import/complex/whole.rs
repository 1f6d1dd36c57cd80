//! Constants, conversions and indices.

use super::number::{ComplexParts, Made};
use crate::import::state::{Import, ImportRule};
use crate::module::TextOp;
use crate::types;
use meshloom_ir::{DType, Literal, Op as Ir};

pub const RULES: &[(&str, ImportRule)] = &[
    ("stablehlo.constant", constant),
    ("sdy.constant", constant),
    ("stablehlo.convert", convert),
    ("stablehlo.iota", iota),
];

fn constant<'m>(i: &mut Import<'m>, op: &TextOp<'m>) -> Made {
    let ty = op.result_types()?.into_iter().next().ok_or("the type of the constant is missing")?;
    let value = op.attr("value").unwrap_or(op.items);
    let parts: [Literal; 2] = match i.resource_bytes(value)? {
        Some(bytes) => types::complex_bytes(&bytes, &ty)?,
        None => {
            let at = value.iter().position(|t| t.is_word("dense"));
            let inner = at.and_then(|at| value.get(at + 1)?.group(b'<'));
            types::complex(inner.ok_or("only constants written as `dense<..>` are read")?, &ty)?
        }
    };
    let one = |value| i.emit(Ir::Constant { dtype: ty.dtype, shape: ty.shape.clone(), value }, &[]);
    parts.into_iter().map(one).collect()
}

/// A real number has no imaginary part, and of what is asked for as a real number the real part is converted.
fn convert<'m>(i: &mut Import<'m>, op: &TextOp<'m>) -> Made {
    let to = op.result_types()?.first().ok_or("the type of the result is missing")?.dtype;
    let [[re, im]]: [ComplexParts; 1] = i.numbers(op)?;
    let re = i.converted(re, to, op.elements())?;
    match (op.complex_results()[..] == [true], op.operands().first().is_some_and(|x| i.is_complex(x))) {
        (false, _) => Ok(vec![re]),
        (true, true) => Ok(vec![re, i.convert(im, to)?]),
        (true, false) => Ok(vec![re, i.b.constant_like(re, 0.0)]),
    }
}

fn iota<'m>(i: &mut Import<'m>, op: &TextOp<'m>) -> Made {
    let ty = op.result_types()?.into_iter().next().ok_or("the type of the result is missing")?;
    let dim = op.int("dim").or_else(|| op.int("iota_dimension")).ok_or("`dim` is missing")?;
    let dim = usize::try_from(dim).ok().filter(|&d| d < ty.rank()).ok_or("`dim` is no dim of the result")?;
    let places = i.emit(Ir::Iota { dtype: DType::I32, shape: ty.shape, dim, shard: Vec::new() }, &[])?;
    let re = i.convert(places, ty.dtype)?;
    Ok(vec![re, i.b.constant_like(re, 0.0)])
}
