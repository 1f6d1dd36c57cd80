//! Values that a device could have had split just as well: what is repeated along a dim, as a number or a table is that PyTorch broadcasts
//! to the size of the other operand. In the program that size is written down, and it is the whole.

use crate::assign::major;
use crate::state::Walk;
use crate::tensor::{LocalTensor, TensorKind};
use meshloom_ir::{Assignment, Axis, Class, Def, Layout, Op, OpId, ValueId, table};

/// So many ops back at most: broadcasts stand close to what they are for.
const DEPTH: usize = 16;

impl Walk<'_> {
    /// The value split by `dim`, where it only repeats itself along it.
    pub fn repeated(&mut self, v: ValueId, dim: usize, axes: &[Axis]) -> Option<LocalTensor> {
        self.repeated_within(v, dim, axes, DEPTH)
    }

    fn repeated_within(&mut self, v: ValueId, dim: usize, axes: &[Axis], depth: usize) -> Option<LocalTensor> {
        let held = self.held[v.index()].clone()?;
        let mut layout = held.layout.clone();
        if depth == 0 || self.bounded.contains(&v) || !layout.dims[dim].is_empty() || !layout.partial.is_empty() {
            return None;
        }
        layout.dims[dim] = axes.to_vec();
        if let Some(&local) = self.forms.get(&(v, layout.clone())) {
            return Some(LocalTensor { local, layout, ..held });
        }
        let Def::Op(o, 0) = self.func.value(v).def else { return None };
        let data = self.func.op(o);
        let moves = matches!(data.op.class(), Class::View | Class::Source) || data.op.is_elementwise();
        // What `arange` gives would begin with 0 on each device.
        let counts = matches!(&data.op, Op::Iota { dim: d, .. } if *d == dim) && held.kind.axis().is_none();
        if !moves || counts {
            return None;
        }
        let rule = table::factors(self.func, o)?;
        let f = major(&rule, &rule.results[0][dim])?;
        let mut a: Assignment = self.assigned.get(&o)?.clone();
        let group = self.func.mesh.group_size(axes);
        if a.factors.contains_key(&f) || !rule.splittable(f) || !rule.sizes[f].is_multiple_of(group) {
            return None;
        }
        a.factors.insert(f, axes.to_vec());
        if !rule.admits(&a, &self.func.mesh) || rule.result_layout(&a, 0) != layout {
            return None;
        }
        let mut operands = Vec::new();
        for (i, &x) in data.operands.iter().enumerate() {
            let at = rule.operands[i].iter().position(|fs| major(&rule, fs) == Some(f));
            let one = match at {
                Some(d) => self.repeated_within(x, d, axes, depth - 1)?,
                None => self.held[x.index()].clone()?,
            };
            if one.layout != rule.operand_layout(&a, i) {
                return None;
            }
            operands.push(one.local);
        }
        let local = self.local.op(o, &rule, &a, operands)[0];
        self.forms.insert((v, layout.clone()), local);
        Some(LocalTensor { local, layout, ..held })
    }

    /// The value split by `dim`: as it is repeated, or, of what DTensor knows the whole of, cut.
    pub fn split(
        &mut self,
        v: ValueId,
        held: &LocalTensor,
        dim: usize,
        axes: &[Axis],
        near: OpId,
    ) -> Option<LocalTensor> {
        if let Some(made) = self.repeated(v, dim, axes) {
            return Some(made);
        }
        let mut to: Layout = held.layout.clone();
        to.dims[dim].extend(axes);
        self.resharded(v, held, &to, near)
    }

    /// What DTensor makes of a tensor that it has.
    pub fn resharded(&mut self, v: ValueId, held: &LocalTensor, to: &Layout, near: OpId) -> Option<LocalTensor> {
        let shape = self.func.ty(v).shape.clone();
        let steps = crate::reshard::steps(&held.layout, to, &shape, &self.func.mesh)?;
        let mut local = held.local;
        for (op, layout) in steps {
            local = self.local.reshard(v, near, op, local, &layout);
        }
        let since = held.since.clone().filter(|_| !to.is_replicated() || held.kind.axis().is_some());
        Some(LocalTensor { local, layout: to.clone(), kind: held.kind, since })
    }

    /// What a result is made of.
    pub fn kind_of(held: &[LocalTensor]) -> TensorKind {
        held.iter().map(|h| h.kind).max().unwrap_or(TensorKind::Free)
    }
}
