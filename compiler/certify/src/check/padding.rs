//! Checks that the padding of uneven dims never gets into a result. An op that contracts or reduces such a dim must
//! have operands whose padding is the identity of the reduction, by a mask or because it cannot be anything else. The
//! checker derives what is known of padding from the program. The certificate says nothing about it, so it cannot say
//! anything wrong.

use meshloom_ir::padding::{Padding, after_move, after_op, needs};
use meshloom_ir::{Assignment, DType, FactorRule, Func, Mesh, Op, OpId, ValueId};

/// What is known of each local value's padding, by `ValueId`.
pub(crate) struct Known(Vec<Padding>);

impl Known {
    pub fn new(local: &Func) -> Known {
        Known(vec![Padding::UNSPECIFIED; local.values.len()])
    }

    fn of(&self, v: ValueId) -> &Padding {
        &self.0[v.index()]
    }

    /// `to` is the same local tensor as `from`: an argument of a region and what comes in by it.
    pub fn alias(&mut self, to: ValueId, from: ValueId) {
        self.0[to.index()] = self.0[from.index()].clone();
    }

    /// The padding of the operands of a local form of the op `global`, and what its result's then is.
    ///
    /// # Errors
    /// It is not the identity of what the op does with it.
    pub fn after_op(
        &mut self,
        local: &Func,
        mesh: &Mesh,
        o: OpId,
        global: &Op,
        rule: &FactorRule,
        a: &Assignment,
    ) -> Result<(), String> {
        let data = local.op(o);
        for need in needs(global, rule, a, mesh) {
            let v = data.operands[need.operand];
            if !self.of(v).is_identity(need.dim, need.kind, local.ty(v).dtype) {
                let names: Vec<&str> = need.axes.iter().map(|&x| mesh.name(x)).collect();
                return Err(format!(
                    "combines dim {} of operand {}, %{}, whose {} elements are split unevenly over {}: what pads the last \
                     blocks is not the identity of {}; a `pad_mask` is missing",
                    need.dim,
                    need.operand,
                    v.0,
                    need.size,
                    names.join(", "),
                    need.kind.name()
                ));
            }
        }
        let [result] = data.results[..] else { return Ok(()) };
        let operands: Vec<(&Padding, DType)> = data.operands.iter().map(|&v| (self.of(v), local.ty(v).dtype)).collect();
        let after = after_op(global, rule, &operands, local.ty(result).rank());
        self.0[result.index()] = after;
        Ok(())
    }

    /// What is known after a reshard.
    pub fn after_move(&mut self, local: &Func, o: OpId) {
        let data = local.op(o);
        if let ([x], [result]) = (&data.operands[..], &data.results[..]) {
            self.0[result.index()] = after_move(&data.op, self.of(*x), local.ty(*x));
        }
    }
}
