//! Ops that are put before an op of a function, in its region, phase and place.
//!
//! Not here: which ops are written in other ops ([`crate::normalize`], [`crate::vector_product`]).

use meshloom_ir::{Func, Op, OpData, OpId, TensorType, Value, ValueId};

/// Makes a chain of ops that begins at operand `i` of `o`.
pub fn insert_before(f: &mut Func, o: OpId, i: usize, ops: Vec<Op>) -> Vec<OpId> {
    let mut ids = Vec::new();
    let mut x = f.op(o).operands[i];
    for op in ops {
        let ty: TensorType = meshloom_ir::table::infer(&op, &[f.ty(x)]).unwrap_or_else(|_| f.ty(x).clone());
        let id = push(f, o, op, vec![x], ty);
        ids.push(id);
        x = f.op(id).results[0];
    }
    ids
}

/// A new op in the region, phase and place of `o`. No region lists it yet.
pub fn push(f: &mut Func, o: OpId, op: Op, operands: Vec<ValueId>, ty: TensorType) -> OpId {
    let id = OpId(f.ops.len() as u32);
    let v = ValueId(f.values.len() as u32);
    let OpData { parent, span, phase, .. } = *f.op(o);
    f.values.push(Value { ty, def: meshloom_ir::Def::Op(id, 0), name: None, span, layout: None });
    f.ops.push(OpData {
        op,
        operands,
        results: vec![v],
        regions: vec![],
        parent,
        span,
        phase,
        weight_grad: false,
        recompute: None,
    });
    id
}
