//! What local ops and collectives cost: bytes on the wire by the ring, floating point operations from the op table, and a
//! first estimate of time. The constants of the `cpu` target stand here until targets are files.

use meshloom_ir::{Func, Mesh, Op, OpId, TensorType, table};

/// A device and its links, as far as one number each can say.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Target {
    pub name: &'static str,
    /// Floating point operations per second that dense contractions reach.
    pub contraction_flops: f64,
    /// Bytes per second that streaming ops reach.
    pub memory: f64,
    /// Bytes per second and device through collectives.
    pub link: f64,
    /// Seconds before the first byte of a collective.
    pub latency: f64,
    /// Seconds to start a kernel.
    pub launch: f64,
}

/// One core of a current server, its share of memory bandwidth, collectives through shared memory.
impl Default for Target {
    fn default() -> Target {
        CPU
    }
}

pub const CPU: Target =
    Target { name: "cpu", contraction_flops: 6e10, memory: 8e9, link: 6e9, latency: 5e-6, launch: 1e-6 };

/// One device's full buffer: for `all_gather` the gathered result, for all others the operand.
pub fn buffer_bytes(op: &Op, operand: &TensorType, mesh: &Mesh) -> u64 {
    match op {
        Op::AllGather { axes, .. } => operand.bytes().saturating_mul(mesh.group_size(axes)),
        _ => operand.bytes(),
    }
}

/// Bytes on the wire of one execution, summed over the devices of the mesh. The ring's share of one device, `2 (n-1)/n` of
/// the buffer for `all_reduce`, `(n-1)/n` for gather, scatter and all_to_all, all of it for a permute, need not be whole.
pub fn wire_bytes(op: &Op, operand: &TensorType, mesh: &Mesh) -> u64 {
    let Some(axes) = op.collective_axes().filter(|_| op.communicates()) else {
        return 0;
    };
    let n = mesh.group_size(axes);
    let parts = match op {
        Op::AllReduce { .. } => 2 * (n - 1),
        Op::CollectivePermute { .. } => n,
        _ => n - 1,
    };
    let groups = mesh.devices() / n;
    buffer_bytes(op, operand, mesh).saturating_mul(parts).saturating_mul(groups)
}

/// Seconds for one execution of a collective over `n` devices that moves `bytes` per device.
pub fn collective_seconds(target: &Target, n: u64, bytes: f64) -> f64 {
    if n <= 1 { 0.0 } else { target.latency * (n as f64).log2().ceil() + bytes / target.link }
}

/// Seconds for one local op: the slower of arithmetic and memory. Elementwise ops are taken as fused two by two.
pub fn op_seconds(target: &Target, func: &Func, o: OpId) -> f64 {
    let data = func.op(o);
    let bytes = |t: &&TensorType| t.bytes() as f64;
    let moved: f64 = func.operand_types(o).iter().chain(&func.result_types(o)).map(bytes).sum();
    let flops = table::flops(func, o) as f64;
    match data.op {
        Op::DotGeneral(_) | Op::Composite { .. } => {
            (flops / target.contraction_flops).max(moved / target.memory) + target.launch
        }
        Op::Constant { .. } | Op::Iota { .. } | Op::Reshape { .. } | Op::Broadcast { .. } => 0.0,
        _ => moved / target.memory / 2.0,
    }
}
