//! What local ops and collectives cost: bytes on the wire by the ring, and time on a target.
//!
//! [`Target`] is a device and its links, read from a file; [`Model`] is a target on a mesh, and knows how long each op and
//! each collective takes; [`simulate`] says when each runs and how long a step takes.
//!
//! Not here: what a device holds. That follows from which kernels there are, which `meshloom_fusion` knows.

mod model;
mod quantity;
mod simulate;
mod target;

use meshloom_ir::table::comm::Effect;
use meshloom_ir::{Axis, Exchange, Mesh, Op, TensorType};

pub use model::Model;
pub use quantity::Unit;
pub use simulate::{Call, Timeline, alone_ps, iteration, simulate};
pub use target::{Achievable, Arch, Level, Target, TargetError};

/// One device's full buffer: for `all_gather` the gathered result, for all others the operand. Where the axes do not divide
/// the dim, with what pads its blocks, since whole blocks are sent.
pub fn buffer_bytes(op: &Op, operand: &TensorType, mesh: &Mesh) -> u64 {
    let padded = |axes: &[Axis], dim: usize| {
        let n = mesh.group_size(axes);
        let mut ty = operand.clone();
        ty.shape[dim] = ty.shape[dim].div_ceil(n).saturating_mul(n);
        ty.bytes()
    };
    let axes = op.collective_axes().unwrap_or_default();
    match op.effect() {
        _ if !op.communicates() => operand.bytes(),
        Effect { split: Some(dim), .. } => padded(axes, dim),
        Effect { gathered: Some(_), .. } => operand.bytes().saturating_mul(mesh.group_size(axes)),
        _ => operand.bytes(),
    }
}

/// Bytes on the wire of one execution, summed over the devices of the mesh. The ring's share of one device, `2 (n-1)/n` of
/// the buffer for `all_reduce`, `(n-1)/n` for gather, scatter and all_to_all, all of it for a permute, need not be whole.
pub fn wire_bytes(op: &Op, operand: &TensorType, mesh: &Mesh) -> u64 {
    let (Some(axes), Some(exchange)) = (op.collective_axes(), op.exchange()) else { return 0 };
    let n = mesh.group_size(axes);
    let parts = match exchange {
        Exchange::Twice => 2 * (n - 1),
        Exchange::Permute => n,
        Exchange::Once | Exchange::Pairs => n - 1,
    };
    let groups = mesh.devices() / n;
    buffer_bytes(op, operand, mesh).saturating_mul(parts).saturating_mul(groups)
}
