//! Bodies of composites, taken from the ops of the program.

use super::softmax::outside;
use crate::extend::algebra::graph::Algebra;
use meshloom_ir::op::Attr;
use meshloom_ir::{Builder, Func, Op, OpId, Port, RegionId, Role, TensorType, ValueId};
use std::collections::BTreeMap;

/// Ops of a body, at most.
const BODY: usize = 96;

/// What a composite computes: from `inputs`, by `ops` in order, `outputs`. Values of the program stand for those of the body.
pub struct CompositeBody {
    pub inputs: Vec<ValueId>,
    types: Vec<TensorType>,
    /// A value of the program, and the op that computes it from others.
    pub ops: Vec<(ValueId, Op, Vec<ValueId>)>,
    pub outputs: Vec<ValueId>,
}

impl CompositeBody {
    /// A composite that computes this of `operands`. `same` says which values of the program are one tensor.
    pub fn write(
        &self,
        b: &mut Builder,
        (name, attrs): (&str, &BTreeMap<String, Attr>),
        operands: &[ValueId],
        same: &dyn Fn(ValueId, ValueId) -> bool,
    ) -> Option<Vec<ValueId>> {
        let inside = b.open();
        let yields = self.ops(b, inside, same);
        let inside = b.close(yields.clone().unwrap_or_default());
        yields.and_then(|_| b.composite(name, attrs.clone(), operands, inside).ok())
    }

    fn ops(&self, b: &mut Builder, inside: RegionId, same: &dyn Fn(ValueId, ValueId) -> bool) -> Option<Vec<ValueId>> {
        // What values of the program are in the body.
        let mut here: Vec<(ValueId, ValueId)> = Vec::new();
        for (&v, ty) in self.inputs.iter().zip(&self.types) {
            here.push((v, b.arg(inside, ty.clone())));
        }
        let of = |here: &[(ValueId, ValueId)], v: ValueId| here.iter().find(|(w, _)| same(*w, v)).map(|x| x.1);
        for (v, op, operands) in &self.ops {
            let operands = operands.iter().map(|&x| of(&here, x)).collect::<Option<Vec<_>>>()?;
            here.push((*v, b.emit(op.clone(), &operands).ok()?));
        }
        self.outputs.iter().map(|&v| of(&here, v)).collect()
    }

    /// Whether a composite of this body is what its name says.
    pub fn means(
        &self,
        func: &Func,
        named: (&str, &BTreeMap<String, Attr>),
        same: &dyn Fn(ValueId, ValueId) -> bool,
    ) -> bool {
        let mut b = Builder::new("", func.mesh.clone());
        let outer = self.types.iter().map(|ty| b.input(ty.clone(), Port::new("", Role::Input, ty.rank())));
        let outer: Vec<ValueId> = outer.collect();
        let made = self.write(&mut b, named, &outer, same);
        let func = b.finish();
        let o = made.and_then(|v| func.def_op(*v.first()?));
        o.is_some_and(|o| meshloom_certify::kernels::check_body(&func, o).is_ok())
    }
}

/// Follows `outputs` down to `inputs` and to what comes from nothing. `by` says by which op a value is computed, where there are
/// several.
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
    if depth > BODY || out.ops.len() > BODY {
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
