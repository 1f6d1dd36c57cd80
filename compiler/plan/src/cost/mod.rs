//! What local ops and collectives cost: bytes on the wire by the ring, and time on a target.
//!
//! [`Target`] is a device and its links, read from a file; [`Model`] is a target on a mesh, and knows how long each op
//! ([`model`], [`gemm`]) and each collective ([`network`]) takes; [`simulate`] says when each runs and how long a step takes.
//!
//! Not here: what a device holds. That follows from which kernels there are, which `meshloom_lower` knows.

mod gemm;
mod model;
mod network;
mod quantity;
mod roofline;
mod simulate;
mod target;

use meshloom_ir::table::comm::Effect;
use meshloom_ir::{Axis, Cost, Exchange, Func, Mesh, Op, OpId, TensorType};

pub use gemm::{MatmulShape, TileShape, Tiles};
pub use model::Model;
pub use quantity::Unit;
pub use roofline::{Bound, OpLoad, loads};
pub use simulate::{Call, RegionItem, Timeline, TimelineSpan, alone_ps, iteration, simulate, simulate_exposed};
pub use target::{Achievable, Arch, Band, Host, Level, Profile, ProfileRow, Profiled, Target, TargetError};

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

/// The operands that op `o` reads from memory, by position. An op that is fused with its neighbours reads each tensor once, and
/// no constant, nor what repeats something smaller: these are computed in its kernel.
pub fn reads(func: &Func, o: OpId) -> Vec<usize> {
    let data = func.op(o);
    let fused = data.op.entry().cost == Cost::Fused;
    let made = |i: usize| {
        let by = func.def_op(data.operands[i]).map(|by| &func.op(by).op);
        matches!(by, Some(Op::Constant { .. } | Op::Iota { .. } | Op::Broadcast { .. }))
    };
    let again = |i: usize| data.operands[..i].contains(&data.operands[i]);
    (0..data.operands.len()).filter(|&i| !(fused && (made(i) || again(i)))).collect()
}
