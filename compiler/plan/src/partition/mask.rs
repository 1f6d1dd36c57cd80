//! Masks before ops that contract or reduce an uneven dim. A mask is written as late as possible, where an op asks for it: most
//! ops compute on padding, and nothing reads the result. The checker's own rules (`ir::padding`) say what is known of the
//! padding, so no mask stands where the padding is right already.

use super::writer::{OpFrom, Writer};
use crate::OpOrigin;
use meshloom_certify::Step;
use meshloom_ir::padding::{self, Padding};
use meshloom_ir::{Assignment, DType, FactorRule, Op, ValueId};

impl Writer<'_, '_> {
    /// The operands of a global op's local form as it needs them; `globals` are those of the global op.
    pub fn masked(
        &mut self,
        op: &Op,
        rule: &FactorRule,
        a: &Assignment,
        mut operands: Vec<ValueId>,
        globals: &[ValueId],
    ) -> Vec<ValueId> {
        for need in padding::needs(op, rule, a, &self.program.func.mesh) {
            let v = operands[need.operand];
            let dtype = self.func.ty(v).dtype;
            if self.padding[v.index()].is_identity(need.dim, need.kind, dtype) {
                continue;
            }
            let key = (v, need.dim, need.kind);
            let masked = self.masks.get(&key).copied().unwrap_or_else(|| {
                let global = globals[need.operand];
                let layout = self.layout(v).unwrap_or_else(|| rule.operand_layout(a, need.operand));
                let span = self.program.func.value(global).span;
                let how =
                    OpFrom { step: Step::Reshard, origin: OpOrigin::Reshard(global), ..OpFrom::new(span, self.phase) };
                self.push(need.mask(), how, vec![v], &[(global, layout)])[0]
            });
            self.masks.insert(key, masked);
            operands[need.operand] = masked;
        }
        operands
    }

    /// What is known of the padding of a result of a global op's local form.
    pub fn padding_after(&self, op: &Op, rule: &FactorRule, operands: &[ValueId], rank: usize) -> Padding {
        let known: Vec<(&Padding, DType)> =
            operands.iter().map(|v| (&self.padding[v.index()], self.func.ty(*v).dtype)).collect();
        padding::after_op(op, rule, &known, rank)
    }
}
