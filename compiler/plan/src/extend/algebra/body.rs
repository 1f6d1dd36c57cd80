//! A body of a composite, in terms of values of the program.
//!
//! Not here: how a body is found (`attend/body.rs`).

use meshloom_ir::op::Attr;
use meshloom_ir::{Builder, Func, Op, Port, RegionId, Role, TensorType, ValueId};
use std::collections::BTreeMap;

/// What a composite computes: from `inputs`, by `ops` in order, `outputs`. Values of the program stand for those of the body.
pub struct CompositeBody {
    pub inputs: Vec<ValueId>,
    /// By input.
    pub types: Vec<TensorType>,
    /// A value of the program, and the op that computes it from others.
    pub ops: Vec<(ValueId, Op, Vec<ValueId>)>,
    pub outputs: Vec<ValueId>,
}

impl CompositeBody {
    /// A composite that computes this of `operands`. `same` says which values of the program are one tensor.
    pub fn write(
        &self,
        b: &mut Builder,
        name: &str,
        attrs: &BTreeMap<String, Attr>,
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
        name: &str,
        attrs: &BTreeMap<String, Attr>,
        same: &dyn Fn(ValueId, ValueId) -> bool,
    ) -> bool {
        let mut b = Builder::new("", func.mesh.clone());
        let outer = self.types.iter().map(|ty| b.input(ty.clone(), Port::new("", Role::Input, ty.rank())));
        let outer: Vec<ValueId> = outer.collect();
        let made = self.write(&mut b, name, attrs, &outer, same);
        let func = b.finish();
        let o = made.and_then(|v| func.def_op(*v.first()?));
        o.is_some_and(|o| meshloom_certify::kernels::check_body(&func, o).is_ok())
    }
}
