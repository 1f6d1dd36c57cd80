//! Which kernels stay apart from others over the same space, on CPUs: those that may leave out most of it (`kernels/src/windowed.rs`).
//! Together with a kernel that computes all of the space they could not.

use super::{Fuser, Kind, Node};
use meshloom_ir::{Arithmetic, Def, Op, ValueId};

/// How far the search for positions goes back from a condition.
const DEPTH: usize = 8;

impl Fuser<'_> {
    /// Whether two kernels may be one for all that each of them may leave out: neither leaves out anything, or both the same.
    pub(super) fn leave_out_alike(&self, a: &Node, b: &Node) -> bool {
        if self.facts.gpu.is_some() {
            return true;
        }
        let conditions = |n: &Node| -> Vec<Option<ValueId>> {
            let Kind::Rows { roots, .. } = &n.kind else { return Vec::new() };
            roots.iter().map(|&r| self.left_out(r)).collect()
        };
        let (x, y) = (conditions(a), conditions(b));
        let one = x.iter().chain(&y).all(|c| Some(c) == x.first());
        one || x.iter().chain(&y).all(Option::is_none)
    }

    /// The condition where `v` is an update of a part, or a product that is masked by position. Elsewhere there is less to do.
    fn left_out(&self, v: ValueId) -> Option<ValueId> {
        let data = self.func.op(self.func.def_op(v)?);
        let [condition, _, old] = data.operands[..] else { return None };
        let select = data.op.arithmetic() == Arithmetic::Select;
        let given = matches!(self.func.value(old).def, Def::Arg(..));
        (select && (given || self.facts.masked.contains(&v)) && self.by_position(condition, DEPTH)).then_some(condition)
    }

    fn by_position(&self, v: ValueId, depth: usize) -> bool {
        let Some(data) = self.func.def_op(v).map(|o| self.func.op(o)).filter(|_| depth > 0) else { return false };
        matches!(data.op, Op::Iota { .. }) || data.operands.iter().any(|x| self.by_position(*x, depth - 1))
    }
}
