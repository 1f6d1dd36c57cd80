//! Collectives of a manual region in the global program. There an axis of the mesh is a dim, and a collective is what it does
//! to that dim.

use super::{Lifted, pin, sizes, spread, union};
use crate::builder::Builder;
use crate::graph::ValueId;
use crate::layout::{Constraint, Reduction};
use crate::mesh::Axis;
use crate::op::Op;
use crate::table::comm::Effect;

/// The global form of a collective on `x`, whose result varies along `over`. `None` for a collective that users do not write.
pub fn lift(b: &mut Builder, op: &Op, x: &Lifted, over: &[Axis]) -> Option<ValueId> {
    let axes = op.collective_axes()?;
    // Devices that have the same value take part with it, replicated.
    let all = union(&x.over, axes);
    let v = spread(b, x, &all);
    let at = |a: &Axis| all.iter().position(|o| o == a);
    let group: Vec<usize> = axes.iter().filter_map(at).collect();
    let own = b.shape(v)[all.len()..].to_vec();
    let k = all.len();
    // Every device has one entry of the dim of its axis.
    if let &Op::CollectiveShift { by, mirror, .. } = op {
        return match group[..] {
            [dim] => Some(b.op(Op::Rotate { dim, by, mirror }, &[v])),
            _ => None,
        };
    }
    let Effect { reduced, gathered, split } = op.effect();
    let mut made = None;
    let rest: Vec<usize> = (0..k).filter(|d| !group.contains(d)).collect();
    if let Some(kind) = reduced {
        made = Some(partial_reduction(b, kind, x, v, &all, axes));
    }
    match gathered {
        // The dims of the axes go to where they are gathered.
        Some((dim, None)) => {
            let mut order = rest.clone();
            order.extend(k..k + dim);
            order.extend(&group);
            order.extend(k + dim..k + own.len());
            let before = b.transpose(v, &order);
            let mut shape: Vec<u64> = rest.iter().map(|&d| b.func.mesh.size(all[d])).collect();
            shape.extend(&own);
            shape[rest.len() + dim] *= b.func.mesh.group_size(axes);
            made = Some(b.reshape(before, &shape));
        }
        Some((_, Some(_))) => return None,
        None => {}
    }
    // New dims of the axes are taken from where it is split.
    if let Some(dim) = split {
        let rest: Vec<Axis> = rest.into_iter().map(|d| all[d]).collect();
        made = Some(scattered(b, made?, &rest, axes, dim, over));
    }
    made
}

/// `v`, which is `x` spread along `all`, reduced over `axes`: each device has its part, and to put the parts together is what is to
/// come. Without the annotation, blocks could be exchanged before the reduction as well. Annotations pass on
/// partial sums alone; what is replicated is not partial.
fn partial_reduction(b: &mut Builder, kind: Reduction, x: &Lifted, v: ValueId, all: &[Axis], axes: &[Axis]) -> ValueId {
    let dims: Vec<usize> = (0..all.len()).filter(|&d| axes.contains(&all[d])).collect();
    let reduced = b.reduce(kind, v, &dims);
    if kind != Reduction::Sum || !axes.iter().all(|a| x.over.contains(a)) {
        return reduced;
    }
    let rest: Vec<Axis> = all.iter().copied().filter(|a| !axes.contains(a)).collect();
    let pinned = pin(b.ty(reduced).rank(), &rest, &[]);
    let partial = axes.iter().map(|&a| (a, kind)).collect();
    b.op(Op::Constrain(Constraint { partial, ..pinned }), &[reduced])
}

/// `v`, which varies along `rest`, with its own dim `dim` split by `axes`: it then varies along `over`.
fn scattered(b: &mut Builder, v: ValueId, rest: &[Axis], axes: &[Axis], dim: usize, over: &[Axis]) -> ValueId {
    let mut shape = b.shape(v);
    let own = shape.len() - rest.len();
    let at = rest.len() + dim;
    shape[at] /= b.func.mesh.group_size(axes);
    shape.splice(at..at, sizes(&b.func, axes));
    let apart = b.reshape(v, &shape);
    let place = |a: &Axis| match axes.iter().position(|x| x == a) {
        Some(i) => at + i,
        None => rest.iter().position(|x| x == a).unwrap_or(0),
    };
    let mut order: Vec<usize> = over.iter().map(place).collect();
    order.extend((0..own).map(|d| rest.len() + d + if d < dim { 0 } else { axes.len() }).enumerate().map(|(d, p)| {
        // The split dim itself stands behind the axes.
        if d == dim { at + axes.len() } else { p }
    }));
    b.transpose(apart, &order)
}

/// The position of a device along the axes, as the local op that counts it has it: `[1]` on each device.
pub fn axis_index(b: &mut Builder, op: &Op, axes: &[Axis]) -> ValueId {
    let Op::Iota { dtype, shape, .. } = op else { unreachable!("called for iota") };
    let n = b.func.mesh.group_size(axes);
    let numbers = b.op(Op::Iota { dtype: *dtype, shape: vec![n], dim: 0, shard: Vec::new() }, &[]);
    let mut to = sizes(&b.func, axes);
    to.extend(shape);
    let apart = b.reshape(numbers, &to);
    // Leading dims in the mesh's order.
    let sorted = union(&[], axes);
    let mut order: Vec<usize> = sorted.iter().filter_map(|a| axes.iter().position(|x| x == a)).collect();
    order.extend(axes.len()..to.len());
    b.transpose(apart, &order)
}
