//! Ops that are put before an op of a function, in its region, phase and place.
//!
//! Not here: which ops are written in other ops ([`crate::normalize`], [`crate::vector_product`]).

use crate::contracted::size_of;
use meshloom_ir::{DType, Func, Op, OpData, OpId, TensorType, Value, ValueId};

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

/// The operands of a contraction, each over all of its dims: what their product is made of, element by element.
pub struct Spread {
    /// Ops that come before the contraction.
    pub before: Vec<OpId>,
    pub operands: Vec<ValueId>,
    pub shape: Vec<u64>,
}

/// Spreads the operands of the contraction `o` over `dims`, in this order, in a type. That takes no memory. The contraction has no operands
/// then. `None` for other ops.
pub fn spread(f: &mut Func, o: OpId, dims: &[char], to: DType) -> Option<Spread> {
    let Op::DotGeneral(e) = f.op(o).op.clone() else { return None };
    let given = std::mem::take(&mut f.ops[o.index()].operands);
    let shape: Vec<u64> = dims.iter().map(|c| size_of(f, &given, &e, *c)).collect();
    let (mut before, mut operands) = (Vec::new(), Vec::new());
    for (subscripts, x) in e.operands.iter().zip(given) {
        let mut perm: Vec<usize> = (0..subscripts.len()).collect();
        let place = |d: &usize| dims.iter().position(|c| *c == subscripts[*d]);
        perm.sort_by_key(place);
        let own = perm.iter().filter_map(place).collect();
        let converted = (f.ty(x).dtype != to).then_some(Op::Convert { to });
        let spread = [Op::Transpose { perm }, Op::Broadcast { shape: shape.clone(), dims: own }];
        f.ops[o.index()].operands = vec![x];
        before.extend(insert_before(f, o, 0, converted.into_iter().chain(spread).collect()));
        operands.extend(before.last().map(|last| f.op(*last).results[0]));
    }
    f.ops[o.index()].operands.clear();
    Some(Spread { before, operands, shape })
}
