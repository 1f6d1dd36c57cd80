//! Collects the body of an attention composite from the ops of the program and of the e-graph. Not here: how attention is
//! recognised (`forward`, `backward`).

use super::softmax::outside;
use crate::effort;
use crate::extend::algebra::body::CompositeBody;
use crate::extend::algebra::graph::Algebra;
use meshloom_ir::{OpId, ValueId};

/// The ops that compute `outputs` from `inputs`, with the constants that they read. A value can have several definitions, and
/// `by` names the op to take for it. `None` where a value has no definition, or where the body is too large.
pub fn body(a: &Algebra<'_>, inputs: &[ValueId], outputs: &[ValueId], by: &[(ValueId, OpId)]) -> Option<CompositeBody> {
    let types = inputs.iter().map(|&v| a.ty(v).clone()).collect();
    let mut out = CompositeBody { inputs: inputs.to_vec(), types, ops: Vec::new(), outputs: outputs.to_vec() };
    for &v in outputs {
        visit(a, v, by, &mut out, 0)?;
    }
    Some(out)
}

fn visit(a: &Algebra<'_>, v: ValueId, by: &[(ValueId, OpId)], out: &mut CompositeBody, depth: usize) -> Option<()> {
    let v = outside(a, v);
    if out.inputs.iter().chain(out.ops.iter().map(|x| &x.0)).any(|&x| a.same(x, v)) {
        return Some(());
    }
    if depth > effort::BODY_OPS || out.ops.len() > effort::BODY_OPS {
        return None;
    }
    let known = by.iter().find(|(of, _)| a.same(*of, v)).map(|x| x.1);
    let own = a.func().def_op(v).filter(|&o| a.op(o).regions.is_empty());
    let o = known.or(own).or_else(|| a.definitions(v).into_iter().min())?;
    let operands: Vec<ValueId> = a.op(o).operands.iter().map(|&x| outside(a, x)).collect();
    for &x in &operands {
        visit(a, x, by, out, depth + 1)?;
    }
    out.ops.push((v, a.op(o).op.clone(), operands));
    Some(())
}
