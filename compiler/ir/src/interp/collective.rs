//! The collectives on the tensors of all devices at once: each group of devices by itself. What a group does is in the op's
//! entry ([`crate::table::comm`]).

use crate::mesh::{Axis, Mesh};
use crate::op::Op;
use crate::table::wire::Members;
use crate::tensor::Tensor;
use std::rc::Rc;

pub use crate::table::wire::Wire;

/// The groups over `axes`, each in order.
fn groups(mesh: &Mesh, axes: &[Axis]) -> Vec<Vec<u64>> {
    (0..mesh.devices()).filter(|&d| mesh.index_in(d, axes) == 0).map(|d| mesh.group(d, axes)).collect()
}

/// Runs a collective (or `shard_slice`, `partial_split`, `pad_mask`) of a verified program: the result on each device.
pub fn run(op: &Op, mesh: &Mesh, xs: &[Rc<Tensor>], wire: &mut Wire) -> Vec<Tensor> {
    let mut out: Vec<Tensor> = xs.iter().map(|t| (**t).clone()).collect();
    let Some(entry) = op.entry().group else { unreachable!("`{}` is not a collective", op.name()) };
    for devices in groups(mesh, op.collective_axes().unwrap_or_default()) {
        let results = (entry.run)(op, &Members { mesh, devices: &devices, all: xs }, wire);
        for (&d, t) in devices.iter().zip(results) {
            out[d as usize] = t;
        }
    }
    out
}
