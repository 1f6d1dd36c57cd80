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
/// What does not fit: an unknown or repeated axis, a dim out of range, a size that the blocks do not make up.
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
    let split = |shape: &mut Vec<u64>, dim: usize| shape[dim] = shape[dim].div_ceil(n);
    let gather = |shape: &mut Vec<u64>, dim: usize, size: Option<u64>| {
        let blocks = shape[dim].saturating_mul(n);
        match size {
            None => shape[dim] = blocks,
            Some(s) if s < blocks && s.div_ceil(n) == shape[dim] => shape[dim] = s,
            Some(s) => {
                return Err(format!("`{}` makes dim {dim} of size {s} from {n} blocks of {}", op.name(), shape[dim]));
            }
        }
        Ok(())
    };
    match op {
        Op::AllReduce { .. } | Op::PartialSplit { .. } => {}
        Op::CollectiveShift { by, .. } if *by < n => {}
        Op::CollectiveShift { by, .. } => return Err(format!("`collective_permute` shifts {n} devices by {by}")),
        Op::AllGather { dim, size, .. } => gather(&mut shape, at(*dim)?, *size)?,
        Op::ReduceScatter { dim, .. } | Op::ShardSlice { dim, .. } => split(&mut shape, at(*dim)?),
        Op::AllToAll { split: onto, concat, size, .. } => {
            if onto == concat {
                return Err("`all_to_all` splits and gathers the same dim".into());
            }
            split(&mut shape, at(*onto)?);
            gather(&mut shape, at(*concat)?, *size)?;
        }
        Op::PadMask { dim, size, .. } => {
            let dim = at(*dim)?;
            if size.div_ceil(n) != shape[dim] || size.is_multiple_of(n) {
                let b = shape[dim];
                return Err(format!("`pad_mask` of dim {dim}: {size} elements in {n} blocks of {b} have no padding"));
            }
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
