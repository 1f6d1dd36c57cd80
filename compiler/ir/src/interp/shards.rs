//! From a whole tensor to the devices' shards and back: what a layout means.

use super::collective::reduce_into;
use crate::layout::{Layout, Reduction};
use crate::mesh::Mesh;
use crate::tensor::{Data, Tensor, for_each_index, strides};

/// The shard of `t` that `device` holds. A partial value is held by the first device of each group, the others hold zero
/// (sum) or copies (max, min: the value combined with itself is itself).
///
/// # Errors
/// A layout that does not fit the tensor: another rank, an unknown or repeated axis, a dim that does not divide.
pub fn shard(t: &Tensor, layout: &Layout, mesh: &Mesh, device: u64) -> Result<Tensor, String> {
    let local = local_shape(&t.ty.shape, layout, mesh)?;
    let sums = layout.partial.iter().filter(|p| *p.1 == Reduction::Sum);
    let sums: Vec<_> = sums.map(|p| *p.0).collect();
    let holds = mesh.index_in(device, &sums) == 0;
    let start = offset(&t.ty.shape, &local, layout, mesh, device);
    let st = strides(&t.ty.shape);
    Ok(t.gather_by(&local, |idx| {
        let at = idx.iter().zip(&st).map(|(i, s)| i * s).sum::<usize>();
        holds.then_some(start + at)
    }))
}

/// The whole tensor from the shards of all devices; partial values are combined in rank order, axis by axis.
///
/// # Errors
/// A layout that does not fit the shards, or devices whose copies differ in a bit.
pub fn unshard(parts: &[Tensor], layout: &Layout, mesh: &Mesh) -> Result<Tensor, String> {
    if parts.len() as u64 != mesh.devices() {
        return Err(format!("{} shards for {} devices", parts.len(), mesh.devices()));
    }
    let local = parts[0].ty.shape.clone();
    if layout.dims.len() != local.len() || parts.iter().any(|p| p.ty != parts[0].ty) {
        return Err(format!("shards do not fit the layout {}", layout.show(mesh)));
    }
    let shape: Vec<u64> = (local.iter().zip(&layout.dims)).map(|(n, axes)| n * mesh.group_size(axes)).collect();
    local_shape(&shape, layout, mesh)?;
    let mut parts = parts.to_vec();
    for (&axis, &kind) in &layout.partial {
        let whole = (0..mesh.devices()).map(|d| {
            let group = mesh.group(d, &[axis]);
            let mut acc = parts[group[0] as usize].clone();
            for &m in &group[1..] {
                reduce_into(kind, &mut acc, &parts[m as usize]);
            }
            acc
        });
        parts = whole.collect();
    }
    let mut ty = parts[0].ty.clone();
    ty.shape.clone_from(&shape);
    let mut out = Tensor::zeros(&ty);
    let st = strides(&shape);
    let mut holder: Vec<Option<u64>> = vec![None; out.len()];
    let mut differs = None;
    for (device, part) in (0..).zip(&parts) {
        let start = offset(&shape, &local, layout, mesh, device);
        for_each_index(&local, |flat, idx| {
            let at = start + idx.iter().zip(&st).map(|(i, s)| i * s).sum::<usize>();
            let same = match (&mut out.data, &part.data) {
                (Data::Float(o), Data::Float(p)) => {
                    let old = std::mem::replace(&mut o[at], p[flat]);
                    old.to_bits() == p[flat].to_bits()
                }
                (Data::Int(o), Data::Int(p)) => std::mem::replace(&mut o[at], p[flat]) == p[flat],
                _ => false,
            };
            if let Some(other) = holder[at].replace(device)
                && !same
            {
                differs.get_or_insert((other, device, at));
            }
        });
    }
    match differs {
        None => Ok(out),
        Some((a, b, at)) => {
            Err(format!("devices {a} and {b} hold different copies of element {at} under {}", layout.show(mesh)))
        }
    }
}

fn local_shape(shape: &[u64], layout: &Layout, mesh: &Mesh) -> Result<Vec<u64>, String> {
    layout
        .local_shape(shape, mesh)
        .ok_or_else(|| format!("{} does not fit a value of shape {shape:?}", layout.show(mesh)))
}

/// Flat position in the whole tensor at which the shard of `device` begins.
fn offset(shape: &[u64], local: &[u64], layout: &Layout, mesh: &Mesh, device: u64) -> usize {
    (strides(shape).iter().zip(local).zip(&layout.dims))
        .map(|((st, n), axes)| st * (mesh.index_in(device, axes) * n) as usize)
        .sum()
}
