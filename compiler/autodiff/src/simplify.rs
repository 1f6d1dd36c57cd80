//! Folds the trivial algebra that gradient rules leave behind, and merges equal ops. It works in place: it rewrites an
//! op as another op with the same result, or replaces the result by an existing value. What then has no use is left to
//! [`crate::prune()`]. Only rewrites that give the same number (signs of zero aside) are done here. Rewrites that trade
//! bytes or reassociate belong to the planner.

use crate::value::{Known, fold_splats, known};
use meshloom_ir::graph::RegionId;
use meshloom_ir::{Arithmetic, Func, Op, OpId, Phase, ValueId};
use std::collections::HashMap;

pub fn simplify(func: &mut Func) {
    let mut pass = Pass { replaced: (0..func.values.len() as u32).map(ValueId).collect(), func };
    pass.region(Func::BODY);
}

struct Pass<'f> {
    func: &'f mut Func,
    /// The value that replaces each value; itself, unless it was replaced.
    replaced: Vec<ValueId>,
}

/// What equal ops have in common. The phase is part of it: the backward pass recomputes a cheap forward value
/// rather than keeping it.
type Key = (Op, Vec<ValueId>, Phase);

impl Pass<'_> {
    fn region(&mut self, region: RegionId) {
        // Looked up, never iterated.
        let mut seen: HashMap<Key, OpId> = HashMap::new();
        for o in self.func.region(region).ops.clone() {
            let replaced = &self.replaced;
            for x in &mut self.func.ops[o.index()].operands {
                *x = replaced[x.index()];
            }
            let regions = self.func.op(o).regions.clone();
            if !regions.is_empty() {
                regions.into_iter().for_each(|r| self.region(r));
                continue;
            }
            if let Some(v) = self.fold(o) {
                self.replace(o, v);
                continue;
            }
            let data = self.func.op(o);
            let key = (data.op.clone(), data.operands.clone(), data.phase);
            match seen.get(&key) {
                Some(&first) => {
                    let (v, weight) = (self.func.op(first).results[0], data.weight_grad);
                    self.func.ops[first.index()].weight_grad |= weight;
                    self.replace(o, v);
                }
                None => {
                    seen.insert(key, o);
                }
            }
        }
        let replaced = &self.replaced;
        for y in &mut self.func.regions[region.index()].yields {
            *y = replaced[y.index()];
        }
    }

    fn replace(&mut self, o: OpId, v: ValueId) {
        let old = self.func.op(o).results[0];
        self.replaced[old.index()] = v;
        // The more telling name survives.
        if self.func.value(v).name.is_none() {
            self.func.values[v.index()].name = self.func.value(old).name.clone();
        }
    }

    /// Rewrites `o` in place, or says which value stands for its result.
    fn fold(&mut self, o: OpId) -> Option<ValueId> {
        if let Some(c) = fold_splats(self.func, o) {
            let ty = self.func.ty(self.func.op(o).results[0]).clone();
            let data = &mut self.func.ops[o.index()];
            data.op = Op::Constant { dtype: ty.dtype, shape: ty.shape, value: c };
            data.operands.clear();
            return None;
        }
        let data = self.func.op(o);
        let x = *data.operands.first()?;
        let result = self.func.ty(data.results[0]);
        match &data.op {
            Op::Elem(_) => self.elem(o, data.op.arithmetic()),
            Op::Convert { .. } | Op::Reshape { .. } | Op::Broadcast { .. } if self.func.ty(x) == result => Some(x),
            Op::Reshape { .. } => {
                let inner = self.operand_of(x, |op| matches!(op, Op::Reshape { .. }))?;
                self.set(o, data.op.clone(), vec![inner])
            }
            Op::Transpose { perm } if perm.iter().enumerate().all(|(i, &p)| i == p) => Some(x),
            Op::Transpose { perm } => {
                let inner = self.operand_of(x, |op| matches!(op, Op::Transpose { .. }))?;
                let Op::Transpose { perm: first } = &self.func.op(self.func.def_op(x)?).op else { return None };
                let perm = perm.iter().map(|&p| first[p]).collect();
                self.set(o, Op::Transpose { perm }, vec![inner])
            }
            Op::Broadcast { shape, dims } => {
                let inner = self.operand_of(x, |op| matches!(op, Op::Broadcast { .. }))?;
                let Op::Broadcast { dims: first, .. } = &self.func.op(self.func.def_op(x)?).op else { return None };
                let op = Op::Broadcast { shape: shape.clone(), dims: first.iter().map(|&d| dims[d]).collect() };
                self.set(o, op, vec![inner])
            }
            Op::Reduce { kind, dims } if kind.is_idempotent() => {
                // The extreme of copies, or their and, is the copied value.
                let Op::Broadcast { dims: kept, .. } = &self.func.op(self.func.def_op(x)?).op else { return None };
                let inner = self.func.op(self.func.def_op(x)?).operands[0];
                let copies = dims.iter().all(|d| !kept.contains(d)) && self.func.ty(inner) == result;
                copies.then_some(inner)
            }
            _ => None,
        }
    }

    fn elem(&mut self, o: OpId, arithmetic: Arithmetic) -> Option<ValueId> {
        let data = self.func.op(o);
        let xs = data.operands.clone();
        let float = self.func.ty(data.results[0]).dtype.is_float();
        let is = |i: usize, c: f64| known(self.func, xs[i]) == Some(Known::splat(c));
        let elem = |name: &str| Op::elem(name);
        match arithmetic {
            Arithmetic::Same => Some(xs[0]),
            Arithmetic::Add if is(0, 0.0) => Some(xs[1]),
            Arithmetic::Add | Arithmetic::Subtract if is(1, 0.0) => Some(xs[0]),
            Arithmetic::Subtract if float && is(0, 0.0) => self.set(o, elem("negate")?, vec![xs[1]]),
            Arithmetic::Multiply if is(0, 1.0) => Some(xs[1]),
            Arithmetic::Multiply | Arithmetic::Divide if is(1, 1.0) => Some(xs[0]),
            Arithmetic::Multiply if float && is(0, -1.0) => self.set(o, elem("negate")?, vec![xs[1]]),
            Arithmetic::Multiply | Arithmetic::Divide if float && is(1, -1.0) => {
                self.set(o, elem("negate")?, vec![xs[0]])
            }
            Arithmetic::Negate => self.operand_of(xs[0], is_negate),
            Arithmetic::Select if xs[1] == xs[2] => Some(xs[1]),
            Arithmetic::Add | Arithmetic::Subtract if float => {
                // x + (-y) = x - y, (-x) + y = y - x, x - (-y) = x + y.
                let flipped = elem(if arithmetic == Arithmetic::Add { "subtract" } else { "add" })?;
                if let Some(y) = self.operand_of(xs[1], is_negate) {
                    return self.set(o, flipped, vec![xs[0], y]);
                }
                if arithmetic == Arithmetic::Add
                    && let Some(x) = self.operand_of(xs[0], is_negate)
                {
                    return self.set(o, flipped, vec![xs[1], x]);
                }
                None
            }
            _ => None,
        }
    }

    /// The operand of the op that defines `v`, if that is of the kind asked for.
    fn operand_of(&self, v: ValueId, kind: fn(&Op) -> bool) -> Option<ValueId> {
        let data = self.func.op(self.func.def_op(v)?);
        kind(&data.op).then(|| data.operands[0])
    }

    /// Rewrites `o`, which keeps its result, and folds again.
    fn set(&mut self, o: OpId, op: Op, operands: Vec<ValueId>) -> Option<ValueId> {
        let data = &mut self.func.ops[o.index()];
        (data.op, data.operands) = (op, operands);
        self.fold(o)
    }
}

fn is_negate(op: &Op) -> bool {
    op.arithmetic() == Arithmetic::Negate
}
