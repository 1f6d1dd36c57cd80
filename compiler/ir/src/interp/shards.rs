//! Cuts a global tensor into the devices' shards and puts them together again: the meaning of a layout.
//!
//! A dim of n that its k blocks do not divide has blocks of ceil(n / k). The last blocks are short or empty. What pads them is
//! unspecified; the interpreter fills in a value that shows if a program makes use of it.

use crate::layout::{Layout, Reduction};
use crate::mesh::Mesh;
use crate::table::contract::identity_of;
use crate::table::wire::reduce_all;
use crate::tensor::{Data, Tensor, for_each_index, strides, unspecified};

/// The shard of `t` that `device` holds. If the value is a partial sum or product, the first device of each group has
/// it, and the others have the identity (0 or 1). If the reduction is idempotent, as a maximum is, all devices have
/// copies.
///
/// # Errors
/// A layout that does not fit the tensor: another rank, an unknown or repeated axis.
pub fn shard(t: &Tensor, layout: &Layout, mesh: &Mesh, device: u64) -> Result<Tensor, String> {
    let local = local_shape(&t.ty.shape, layout, mesh)?;
    let partial = [Reduction::Sum, Reduction::Prod].into_iter().find(|kind| {
        let axes = layout.partial.iter().filter(|p| p.1 == kind);
        mesh.index_in(device, &axes.map(|p| *p.0).collect::<Vec<_>>()) != 0
    });
    let holds = partial.is_none();
    let padding = partial.map_or_else(|| unspecified(t.ty.dtype), |kind| identity_of(kind, t.ty.dtype));
    let (start, st) = (start(&local, layout, mesh, device), strides(&t.ty.shape));
    Ok(t.gather_or(&local, padding, |idx| if holds { place(&t.ty.shape, &st, &start, idx) } else { None }))
}

/// [`unshard_as`] for a layout that leaves no padding: the shape follows from the shards.
///
/// # Errors
/// As [`unshard_as`].
pub fn unshard(parts: &[Tensor], layout: &Layout, mesh: &Mesh) -> Result<Tensor, String> {
    let local = parts.first().map_or(&[][..], |p| &p.ty.shape);
    let shape: Vec<u64> = local.iter().zip(&layout.dims).map(|(n, axes)| n * mesh.group_size(axes)).collect();
    unshard_as(&shape, parts, layout, mesh)
}

/// The whole tensor of `shape` from the shards of all devices; partial values are combined in rank order, axis by axis.
///
/// # Errors
/// A layout that does not fit the shards, or devices whose copies differ in a bit.
pub fn unshard_as(shape: &[u64], parts: &[Tensor], layout: &Layout, mesh: &Mesh) -> Result<Tensor, String> {
    if parts.len() as u64 != mesh.devices() {
        return Err(format!("{} shards for {} devices", parts.len(), mesh.devices()));
    }
    let local = local_shape(shape, layout, mesh)?;
    if parts.iter().any(|p| p.ty.dtype != parts[0].ty.dtype || p.ty.shape != local) {
        return Err(format!("shards do not fit the layout {} of {shape:?}", layout.show(mesh)));
    }
    let mut parts = parts.to_vec();
    for (&axis, &kind) in &layout.partial {
        let whole = (0..mesh.devices()).map(|d| {
            let group = mesh.group(d, &[axis]);
            reduce_all(kind, group.iter().map(|&m| parts[m as usize].clone()))
        });
        parts = whole.flatten().collect();
    }
    let mut ty = parts[0].ty.clone();
    ty.shape = shape.to_vec();
    let mut out = Tensor::zeros(&ty);
    let st = strides(shape);
    let mut holder: Vec<Option<u64>> = vec![None; out.len()];
    let mut differs = None;
    for (device, part) in (0..).zip(&parts) {
        let start = start(&local, layout, mesh, device);
        for_each_index(&local, |flat, idx| {
            let Some(at) = place(shape, &st, &start, idx) else { return };
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

/// The index in the whole tensor at which the shard of `device` begins.
fn start(local: &[u64], layout: &Layout, mesh: &Mesh, device: u64) -> Vec<usize> {
    local.iter().zip(&layout.dims).map(|(n, axes)| (mesh.index_in(device, axes) * n) as usize).collect()
}

/// Flat position in the whole tensor of element `idx` of a shard; `None` for padding.
fn place(shape: &[u64], strides: &[usize], start: &[usize], idx: &[usize]) -> Option<usize> {
    let at = idx.iter().zip(start).map(|(i, s)| i + s);
    let inside = at.clone().zip(shape).all(|(i, &n)| i < n as usize);
    inside.then(|| at.zip(strides).map(|(i, s)| i * s).sum())
}
