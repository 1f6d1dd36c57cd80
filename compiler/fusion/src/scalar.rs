//! Elementwise ops as nodes of a kernel's body. The op table says of each op either a primitive of the code generator
//! or an s-expression over primitives. So a new op needs no line here.

use meshloom_ir::table::elem::{ElemDef, Lower};
use meshloom_kernels::{Body, DType, Elem, NodeId};

/// Adds `def` applied to `args`.
///
/// # Errors
/// The name that neither the code generator nor the table's expression knows.
pub fn apply(body: &mut Body, def: &ElemDef, args: &[NodeId]) -> Result<NodeId, String> {
    match (def.lower, Elem::by_name(def.name)) {
        (Lower::Primitive, Some(e)) | (Lower::Expr(_), Some(e)) => Ok(body.elem(e, args)),
        (Lower::Expr(text), None) => {
            let mut tokens = tokens(text).into_iter();
            let like = args.last().map_or(DType::F32, |&a| body.dtype(a));
            expr(body, &mut tokens, args, like)
        }
        (Lower::Primitive, None) => Err(format!("the code generator has no `{}`", def.name)),
    }
}

fn tokens(text: &str) -> Vec<String> {
    text.replace('(', " ( ").replace(')', " ) ").split_whitespace().map(str::to_string).collect()
}

fn expr(
    body: &mut Body,
    tokens: &mut std::vec::IntoIter<String>,
    args: &[NodeId],
    like: DType,
) -> Result<NodeId, String> {
    let t = tokens.next().ok_or("expression ends early")?;
    if let Some(n) = t.strip_prefix('$') {
        let i: usize = n.parse().map_err(|_| format!("`{t}` is no argument"))?;
        return args.get(i).copied().ok_or_else(|| format!("`{t}` is beyond the arguments"));
    }
    if t != "(" {
        let x: f64 = t.parse().map_err(|_| format!("`{t}` is no number"))?;
        if !like.is_float() && x.fract() != 0.0 {
            return Err(format!("`{t}` is no {}", like.name()));
        }
        return Ok(body.constant(like, x));
    }
    let name = tokens.next().ok_or("expression ends early")?;
    let e = Elem::by_name(&name).ok_or_else(|| format!("the code generator has no `{name}`"))?;
    let mut xs = Vec::new();
    for _ in 0..e.arity() {
        xs.push(expr(body, tokens, args, like)?);
    }
    match tokens.next().as_deref() {
        Some(")") => Ok(body.elem(e, &xs)),
        other => Err(format!("expected `)` after `{name}`, not {other:?}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use meshloom_kernels::Access;

    #[test]
    fn every_row_of_the_table_lowers() {
        for def in meshloom_ir::table::elem::TABLE {
            let mut body = Body::new(&[DType::F32; 3]);
            let args: Vec<NodeId> = (0..def.arity).map(|i| body.leaf(Access::new(i as u32, &[1]))).collect();
            apply(&mut body, def, &args).unwrap_or_else(|e| panic!("{}: {e}", def.name));
        }
    }
}
