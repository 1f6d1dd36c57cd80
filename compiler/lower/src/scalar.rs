//! Elementwise ops as nodes of a kernel's body. The op table says of each op either a primitive of the code generator
//! or an expression over other rows. So a new op needs no line here.

use meshloom_ir::table::elem::{Elem as Row, ElemDef, Formula};
use meshloom_kernels::{Body, DType, Elem, NodeId};

/// Adds `def` applied to `args`.
///
/// # Errors
/// The name that neither the code generator nor the table's expression knows.
pub fn apply(body: &mut Body, def: &ElemDef, args: &[NodeId]) -> Result<NodeId, String> {
    if let Some(e) = Elem::by_name(def.name) {
        return Ok(body.elem(e, args));
    }
    let formula = def.lower.formula().ok_or_else(|| format!("the code generator has no `{}`", def.name))?;
    let like = args.last().map_or(DType::F32, |&a| body.dtype(a));
    expr(body, &formula, args, like)
}

fn expr(body: &mut Body, formula: &Formula, args: &[NodeId], like: DType) -> Result<NodeId, String> {
    match formula {
        Formula::Argument(i) => args.get(*i).copied().ok_or_else(|| format!("`${i}` is beyond the arguments")),
        Formula::Number(x) if !like.is_float() && x.fract() != 0.0 => Err(format!("`{x}` is no {}", like.name())),
        Formula::Number(x) => Ok(body.constant(like, *x)),
        Formula::Apply(name, inner) => {
            let row = Row::by_name(name).ok_or_else(|| format!("there is no `{name}`"))?;
            let inner = inner.iter().map(|f| expr(body, f, args, like)).collect::<Result<Vec<_>, _>>()?;
            apply(body, row.def(), &inner)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use meshloom_ir::table::elem::{Drawn, Lower, Sig, TABLE};
    use meshloom_kernels::{Access, reference};

    #[test]
    fn every_row_of_the_table_lowers() {
        for def in TABLE {
            let mut body = Body::new(&[DType::F32; 3]);
            let args: Vec<NodeId> = (0..def.arity).map(|i| body.leaf(Access::new(i as u32, &[1]))).collect();
            apply(&mut body, def, &args).unwrap_or_else(|e| panic!("{}: {e}", def.name));
            assert_eq!(Elem::by_name(def.name).is_some(), def.lower == Lower::Primitive, "{}", def.name);
        }
    }

    /// What kernels know of a primitive is what its row says.
    #[test]
    fn primitives_are_their_rows() {
        for def in TABLE.iter().filter(|d| !matches!(d.sig, Sig::ToBits | Sig::OfBits)) {
            let Some(e) = Elem::by_name(def.name) else { continue };
            assert_eq!(e.arity(), def.arity, "{}", def.name);
            for k in 0..20 {
                let x = |i: usize| f64::from((7 * k + 3 * i as i32) % 11 - 5) / 4.0;
                let of = |i: usize| match (def.sig, def.domain.get(i)) {
                    (Sig::Bits | Sig::Integer, _) => x(i).abs().trunc(),
                    (_, Some(Drawn::Positive | Drawn::ExactPositive)) => x(i).abs() + 0.5,
                    (Sig::Select, _) if i == 0 => f64::from(k % 2),
                    _ => x(i),
                };
                let xs: Vec<f64> = (0..def.arity).map(of).collect();
                let (want, dtype) = match def.eval_int.filter(|_| matches!(def.sig, Sig::Bits | Sig::Integer)) {
                    Some(eval) => {
                        let xs: Vec<i64> = xs.iter().map(|x| *x as i64).collect();
                        (eval(&xs, meshloom_ir::DType::I32) as f64, DType::I32)
                    }
                    None => ((def.eval)(&xs), DType::F64),
                };
                let got = reference::apply(e, dtype, &xs);
                let close = (got - want).abs() <= 1e-12 * want.abs();
                assert!(
                    close || got == want || got.is_nan() && want.is_nan(),
                    "{} of {xs:?}: {got}, not {want}",
                    def.name
                );
            }
        }
    }
}
