//! Types of the ops that stand in local programs only. What they do to layouts is in `certify` and `plan`; what they do to
//! values is in `interp::spmd`, which sees all devices.

use super::arity;
use crate::mesh::{Axis, Mesh};
use crate::op::Op;
use crate::types::TensorType;

/// The device whose block `device` receives in a collective_permute from one split to another. A block that several devices
/// hold, or several need, goes from the first to the first, and so on in the order of the axes that do not split.
pub fn permute_source(mesh: &Mesh, axes: &[Axis], from: &[Vec<Axis>], to: &[Vec<Axis>], device: u64) -> u64 {
    let mut coords = mesh.coords(device);
    let rest = |lists: &[Vec<Axis>]| -> Vec<Axis> {
        axes.iter().copied().filter(|a| !lists.iter().any(|l| l.contains(a))).collect()
    };
    let (copies, needs) = (rest(from), rest(to));
    for (old, new) in from.iter().zip(to).chain([(&copies, &needs)]) {
        let mut block = mesh.index_in(device, new);
        for &a in old.iter().rev() {
            coords[a.index()] = block % mesh.size(a);
            block /= mesh.size(a);
        }
    }
    mesh.device(&coords)
}

/// Result type of a collective (or `shard_slice`, `partial_split`) on one device.
///
/// # Errors
/// What does not fit: an unknown or repeated axis, a dim out of range or not divisible.
pub fn infer(op: &Op, operands: &[&TensorType], mesh: &Mesh) -> Result<TensorType, String> {
    arity(op, operands, 1)?;
    let x = operands[0];
    let axes = op.collective_axes().ok_or_else(|| format!("`{}` is not a collective", op.name()))?;
    if axes.is_empty() {
        return Err(format!("`{}` over no axis", op.name()));
    }
    for (i, a) in axes.iter().enumerate() {
        if a.index() >= mesh.axes.len() {
            return Err(format!("`{}` over axis {}, but the mesh {mesh} has {}", op.name(), a.0, mesh.axes.len()));
        }
        if axes[..i].contains(a) {
            return Err(format!("`{}` names axis `{}` twice", op.name(), mesh.name(*a)));
        }
    }
    let n = mesh.group_size(axes);
    let mut shape = x.shape.clone();
    let at = |dim: usize| {
        if dim < x.rank() { Ok(dim) } else { Err(format!("`{}` along dim {dim} of {x}", op.name())) }
    };
    let divide = |shape: &mut Vec<u64>, dim: usize| {
        if !shape[dim].is_multiple_of(n) {
            return Err(format!("`{}` divides dim {dim} of {x} by {n}", op.name()));
        }
        shape[dim] /= n;
        Ok(())
    };
    match op {
        Op::AllReduce { .. } | Op::PartialSplit { .. } => {}
        Op::AllGather { dim, .. } => {
            let dim = at(*dim)?;
            shape[dim] = shape[dim].saturating_mul(n);
        }
        Op::ReduceScatter { dim, .. } | Op::ShardSlice { dim, .. } => divide(&mut shape, at(*dim)?)?,
        Op::AllToAll { split, concat, .. } => {
            if split == concat {
                return Err("`all_to_all` splits and gathers the same dim".into());
            }
            divide(&mut shape, at(*split)?)?;
            let concat = at(*concat)?;
            shape[concat] = shape[concat].saturating_mul(n);
        }
        Op::CollectivePermute { from, to, .. } => {
            if from.len() != x.rank() || to.len() != x.rank() {
                return Err(format!("`collective_permute` of {} dims on {x}", from.len().max(to.len())));
            }
            for lists in [from, to] {
                let all: Vec<Axis> = lists.iter().flatten().copied().collect();
                if let Some(a) = (1..all.len()).find(|&i| all[..i].contains(&all[i])).map(|i| all[i]) {
                    return Err(format!("`collective_permute` splits by axis `{}` twice", mesh.name(a)));
                }
            }
            if *op != Op::permute(from.clone(), to.clone()) {
                return Err("`collective_permute` is over other axes than it moves blocks along".into());
            }
            if let Some(d) = (0..x.rank()).find(|&d| mesh.group_size(&from[d]) != mesh.group_size(&to[d])) {
                return Err(format!("`collective_permute` changes the number of blocks of dim {d}"));
            }
        }
        _ => {}
    }
    Ok(TensorType::new(x.dtype, shape))
}
