//! The cotangent of a value that is read in slices: `q`, `k` and `v` of one tensor, say, or the halves of a rotation. A slice's
//! gradient is filled up with zeros on both sides, and these are then added. Where two of them lie side by side, their sum is
//! one behind the other (signs of zero aside), which takes no zeros and no sum, and which kernels write in place.
//!
//! Not here: slices that overlap or leave a gap between them, which are added.

use meshloom_ir::{Builder, Op, ValueId};

/// The sum of two paddings that lie side by side along one dim and have the same place along all others.
pub(crate) fn joined(b: &mut Builder, x: ValueId, y: ValueId) -> Option<ValueId> {
    let (x, y) = (Part::of(b, x)?, Part::of(b, y)?);
    let dim = x.beside(&y)?;
    let (first, second) = if x.low[dim] < y.low[dim] { (x, y) } else { (y, x) };
    let all = [first.along(b, dim), second.along(b, dim)].concat();
    let whole = b.op(Op::Concatenate { dim }, &all);
    let (low, mut high) = (first.low, first.high);
    high[dim] = second.high[dim];
    let filled = low.iter().chain(&high).any(|&n| n > 0);
    Some(if filled { b.op(Op::Pad { low, high }, &[whole]) } else { whole })
}

/// What is filled up with zeros.
struct Part {
    inner: ValueId,
    shape: Vec<u64>,
    low: Vec<u64>,
    high: Vec<u64>,
}

impl Part {
    fn of(b: &Builder, v: ValueId) -> Option<Part> {
        let data = b.func.op(b.func.def_op(v)?);
        let Op::Pad { low, high } = &data.op else { return None };
        let inner = data.operands[0];
        Some(Part { inner, shape: b.func.ty(inner).shape.clone(), low: low.clone(), high: high.clone() })
    }

    /// The dim along which one ends where the other one begins, if they agree in all others.
    fn beside(&self, other: &Part) -> Option<usize> {
        let differs = |d: &usize| (self.low[*d], self.high[*d]) != (other.low[*d], other.high[*d]);
        let mut dims = (0..self.low.len()).filter(differs);
        let dim = dims.next().filter(|_| dims.next().is_none())?;
        let end = |p: &Part| p.low[dim] + p.shape[dim];
        (end(self) == other.low[dim] || end(other) == self.low[dim]).then_some(dim)
    }

    /// What it is joined of, if it was joined along this dim.
    fn along(&self, b: &Builder, dim: usize) -> Vec<ValueId> {
        match b.func.def_op(self.inner).map(|o| b.func.op(o)) {
            Some(data) if data.op == (Op::Concatenate { dim }) => data.operands.clone(),
            _ => vec![self.inner],
        }
    }
}
