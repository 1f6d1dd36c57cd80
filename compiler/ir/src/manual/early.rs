//! A `while` in a manual region whose condition differs between devices. All devices iterate together as long as any of them
//! goes on. A device whose own condition has failed keeps the values that it had.

use super::{Lifted, pin, sizes};
use crate::builder::Builder;
use crate::graph::ValueId;
use crate::layout::Reduction;
use crate::mesh::Axis;
use crate::op::Op;
use crate::types::DType;

/// Whether a device goes on, a bool scalar of the global program, where `going` says it for each.
pub fn any(b: &mut Builder, going: &Lifted, manual: &[Axis]) -> ValueId {
    // A maximum over devices is one of numbers.
    let number = b.convert(going.value, DType::I32);
    let all: Vec<usize> = (0..going.over.len()).collect();
    let most = b.reduce(Reduction::Max, number, &all);
    let most = b.op(Op::Constrain(pin(0, &[], manual)), &[most]);
    let none = b.constant(DType::I32, &[], 0.0);
    b.elem("compare_ne", &[most, none])
}

/// `new` on devices that went on, `old` on the others; both vary along `over`, and `going` along some of that.
pub fn kept(b: &mut Builder, going: &Lifted, over: &[Axis], new: ValueId, old: ValueId) -> ValueId {
    if new == old {
        return old;
    }
    let mut shape = sizes(&b.func, over);
    shape.extend(b.shape(old).split_off(over.len()));
    let dims: Vec<usize> = going.over.iter().filter_map(|a| over.iter().position(|o| o == a)).collect();
    let mask = b.broadcast(going.value, &shape, &dims);
    b.select(mask, new, old)
}
