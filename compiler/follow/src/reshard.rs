//! The collectives that take a tensor from one layout to another, axis by axis.

use meshloom_ir::layout::Slot;
use meshloom_ir::{Axis, Layout, Mesh, Op, Reduction};

/// Ops with the layouts after them, from `from` to `to`. `None` where a dim is split by several axes in an order that these steps do not
/// bring about, or does not divide.
pub fn steps(from: &Layout, to: &Layout, shape: &[u64], mesh: &Mesh) -> Option<Vec<(Op, Layout)>> {
    let mut out = Vec::new();
    let mut at = from.clone();
    for axis in mesh.all_axes() {
        if at.slot(axis) == to.slot(axis) {
            continue;
        }
        for (op, slot) in moved(at.slot(axis), to.slot(axis), axis) {
            if let Slot::Split(d) = at.slot(axis)
                && at.dims[d].last() != Some(&axis)
            {
                return None;
            }
            at = at.with(axis, slot);
            let divides = at.dims.iter().zip(shape).all(|(axes, n)| n.is_multiple_of(mesh.group_size(axes)));
            if !divides {
                return None;
            }
            out.push((op, at.clone()));
        }
    }
    (at == *to).then_some(out)
}

fn moved(from: Slot, to: Slot, axis: Axis) -> Vec<(Op, Slot)> {
    let axes = vec![axis];
    let slice = |dim| (Op::ShardSlice { axes: vec![axis], dim }, Slot::Split(dim));
    let made_partial = (Op::PartialSplit { axes: vec![axis] }, Slot::Partial(Reduction::Sum));
    let whole = match from {
        Slot::Replicated => Vec::new(),
        Slot::Partial(kind) => match to {
            Slot::Split(dim) => return vec![(Op::ReduceScatter { axes, dim, kind }, to)],
            _ => vec![(Op::AllReduce { axes, kind }, Slot::Replicated)],
        },
        Slot::Split(dim) => vec![(Op::AllGather { axes, dim, size: None }, Slot::Replicated)],
    };
    let then = match to {
        Slot::Replicated => None,
        Slot::Split(dim) => Some(slice(dim)),
        Slot::Partial(_) => Some(made_partial),
    };
    whole.into_iter().chain(then).collect()
}
