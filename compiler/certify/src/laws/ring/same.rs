//! Whether values of a form are those of a right side that is written down as a program: op by op, loops and composites included.
//!
//! Layouts that the form pins are passed over, and a composite has to mean what the right side's does.

use crate::kernels::{self, Meaning};
use crate::laws::LawCx;
use meshloom_ir::op::Attr;
use meshloom_ir::table::composite::BLOCKED;
use meshloom_ir::{Def, Func, Op, OpData, ValueId};
use std::collections::BTreeMap;

/// What `v` is, where layouts are said of it.
fn said(func: &Func, mut v: ValueId) -> ValueId {
    while let Some(data) = func.def_op(v).map(|o| func.op(o)).filter(|d| matches!(d.op, Op::Constrain(_))) {
        v = data.operands[0];
    }
    v
}

/// Whether values of the form are those of the right side.
pub(super) struct Same<'a> {
    pub cx: &'a LawCx<'a>,
    pub right: &'a Func,
    pub of: Meaning,
    pub given: &'a OpData,
    /// By value of the right side.
    pub known: BTreeMap<ValueId, ValueId>,
}

impl Same<'_> {
    pub fn value(&mut self, right: ValueId, v: ValueId) -> bool {
        let v = said(self.cx.func, v);
        if let Some(&known) = self.known.get(&right) {
            return known == v;
        }
        let same = match self.right.value(right).def {
            // Arguments of a loop are known by their place.
            Def::Arg(r, i) => {
                r == Func::BODY && self.given.operands.get(i as usize).is_some_and(|&x| self.cx.same(x, v))
            }
            Def::Op(o, i) => match self.cx.func.value(v).def {
                Def::Op(p, j) if i == j => self.op(self.right.op(o), self.cx.func.op(p)),
                _ => false,
            },
        };
        // Values of the program that are equal may stand for an operand in several places.
        if same && !matches!(self.right.value(right).def, Def::Arg(..)) {
            self.known.insert(right, v);
        }
        same
    }

    fn op(&mut self, right: &OpData, data: &OpData) -> bool {
        let operands = |s: &mut Self| right.operands.iter().zip(&data.operands).all(|(&x, &v)| s.value(x, v));
        if right.op != data.op || right.operands.len() != data.operands.len() || !operands(self) {
            return false;
        }
        match &right.op {
            Op::Composite { attrs, .. } => kernels::meaning(self.cx.func, data).is_some_and(|m| {
                let causal = attrs.get("causal") == Some(&Attr::Bool(m.causal));
                causal && m.form == &BLOCKED && m.pass == self.of.pass && m.scale == self.of.scale
            }),
            Op::Repeat { .. } => {
                let (r, s) = (self.right.region(right.regions[0]), self.cx.func.region(data.regions[0]));
                if r.args.len() != s.args.len() || r.yields.len() != s.yields.len() {
                    return false;
                }
                self.known.extend(r.args.iter().copied().zip(s.args.iter().copied()));
                r.yields.iter().zip(&s.yields).all(|(&x, &v)| self.value(x, v))
            }
            _ => true,
        }
    }
}
