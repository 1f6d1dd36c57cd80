//! Types of the ops that stand in local programs only. What they do to layouts is in `certify` and `plan`; what they do to
//! values is in `interp::spmd`, which sees all devices.

use super::arity;
use crate::mesh::Mesh;
use crate::op::Op;
use crate::types::TensorType;

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
        Op::CollectivePermute { dim, from, to } => {
            at(*dim)?;
            let (mut a, mut b) = (from.clone(), to.clone());
            a.sort_unstable();
            b.sort_unstable();
            if a != b {
                return Err("`collective_permute` must keep the axes of its dim".into());
            }
        }
        _ => {}
    }
    Ok(TensorType::new(x.dtype, shape))
}
