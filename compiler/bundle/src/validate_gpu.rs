//! Checks of GPU launches: what hardware allows, what a library such as cuBLASLt takes, and that the tensors of both lie
//! within the arguments of a launch.

use crate::gemm::Gemm;
use crate::gpu::{GpuLaunch, Swizzle, TensorMap};
use crate::program::{DType, KernelRef, Launch, Program};

/// What hardware allows, over all architectures that kernels are made for.
mod limits {
    pub const THREADS: u32 = 1024;
    pub const SHARED: u32 = 227 << 10;
    /// Portable over all GPUs that have clusters.
    pub const CLUSTER: u32 = 8;
    pub const MAPS: usize = 8;
    pub const RANK: usize = 5;
    pub const TILE: u32 = 256;
    pub const STRIDE: u64 = 1 << 40;
    pub const EXTENT: u64 = 1 << 32;
}

/// Largest size of a side, and the largest distance in elements: libraries count sides in 32 bits.
const SIDE: u64 = i32::MAX as u64;

const DISTANCE: u64 = 1 << 40;

/// Whether the launch is within what hardware allows, and the one that may take its place.
pub(crate) fn check(p: &Program, k: &KernelRef) -> Result<(), String> {
    let Some(g) = &k.gpu else { return Ok(()) };
    launch(p, k, g)?;
    let Some(other) = &g.by_threads else { return Ok(()) };
    let o = &other.launch;
    let plain = o.tensor_maps.is_empty() && o.by_threads.is_none() && o.gemm.is_none();
    if g.tensor_maps.is_empty() || !plain || other.units > i64::MAX as u64 {
        let (maps, units) = (o.tensor_maps.len(), other.units);
        return Err(format!("`{}` takes its place with {maps} tensor maps and {units} units", other.symbol));
    }
    launch(p, k, o)
}

fn launch(p: &Program, k: &KernelRef, g: &GpuLaunch) -> Result<(), String> {
    let wrong = |what: String| Err(format!("`{}`: {what}", k.symbol.escape_debug()));
    if g.threads == 0 || g.threads > limits::THREADS || !g.threads.is_multiple_of(32) {
        return wrong(format!("{} threads in a block", g.threads));
    }
    if g.units_per_block == 0 || g.units_per_block > i64::MAX as u64 {
        return wrong(format!("{} units for a block", g.units_per_block));
    }
    if g.shared_bytes > limits::SHARED {
        return wrong(format!("{} bytes of shared memory", g.shared_bytes));
    }
    if g.cluster == 0 || g.cluster > limits::CLUSTER {
        return wrong(format!("clusters of {} blocks", g.cluster));
    }
    if k.scratch != (g.workspace > 0) || g.workspace.saturating_mul(g.cluster.into()) > p.scratch_bytes {
        return wrong(format!("a workspace of {} bytes for a block, of {}", g.workspace, p.scratch_bytes));
    }
    if g.tensor_maps.len() > limits::MAPS {
        return wrong(format!("{} tensor maps", g.tensor_maps.len()));
    }
    if let Some(p) = &g.gemm {
        gemm(p, k).or_else(wrong)?;
    }
    for (i, m) in g.tensor_maps.iter().enumerate() {
        if let Err(what) = tensor_map(k, m) {
            return wrong(format!("tensor map {i} has {what}"));
        }
    }
    Ok(())
}

fn tensor_map(k: &KernelRef, m: &TensorMap) -> Result<(), String> {
    if m.arg >= k.buffers {
        return Err(format!("argument {} of {}", m.arg, k.buffers));
    }
    let rank = m.shape.len();
    if rank == 0 || rank > limits::RANK || m.strides.len() + 1 != rank || m.tile.len() != rank {
        return Err(format!("{rank} dims, {} strides, a tile of {}", m.strides.len(), m.tile.len()));
    }
    if m.shape.iter().any(|&n| n == 0 || n > limits::EXTENT) {
        return Err(format!("a shape of {:?}", m.shape));
    }
    if !m.offset.is_multiple_of(16) || m.strides.iter().any(|&s| !s.is_multiple_of(16) || s >= limits::STRIDE) {
        return Err(format!("an offset of {} and strides of {:?}", m.offset, m.strides));
    }
    let row = u64::from(m.tile[0]) * m.dtype.bytes();
    let widest = match m.swizzle {
        Swizzle::None => u64::MAX,
        Swizzle::Bytes32 => 32,
        Swizzle::Bytes64 => 64,
        Swizzle::Bytes128 => 128,
    };
    if m.tile.iter().any(|&n| n == 0 || n > limits::TILE) || !row.is_multiple_of(16) || row > widest {
        return Err(format!("a tile of {:?}", m.tile));
    }
    Ok(())
}

/// Whether a library could compute it.
fn gemm(p: &Gemm, k: &KernelRef) -> Result<(), String> {
    if [p.m, p.n, p.k, p.batch].iter().any(|&n| n == 0 || n > SIDE) {
        return Err(format!("a GEMM of {} x {} x {}, {} times", p.m, p.n, p.k, p.batch));
    }
    let floats = matches!(p.dtype, DType::F32 | DType::BF16 | DType::F16);
    if !floats || (p.result != p.dtype && p.result != DType::F32) {
        return Err(format!("a GEMM of {} as {}", p.dtype.name(), p.result.name()));
    }
    if p.tf32 && p.dtype != DType::F32 {
        return Err(format!("a GEMM of {} in tf32", p.dtype.name()));
    }
    for (name, m, [rows, _], dtype) in p.matrices() {
        if m.arg >= k.buffers {
            return Err(format!("{name} of a GEMM in argument {} of {}", m.arg, k.buffers));
        }
        let far = m.ld > DISTANCE || m.stride > DISTANCE || m.offset > DISTANCE;
        if m.ld < rows || far || !m.offset.is_multiple_of(dtype.bytes()) {
            let (ld, stride, offset) = (m.ld, m.stride, m.offset);
            return Err(format!(
                "{name} of a GEMM with {rows} rows, {ld} apart, matrices {stride} apart, from byte {offset}"
            ));
        }
    }
    if p.c.iter().any(|c| c.transposed) || p.d.transposed {
        return Err("a GEMM whose result is transposed".into());
    }
    match &p.bias {
        Some(b) if b.arg >= k.buffers || b.offset > DISTANCE || !b.offset.is_multiple_of(p.result.bytes()) => {
            Err(format!("the bias of a GEMM from byte {} of argument {} of {}", b.offset, b.arg, k.buffers))
        }
        _ => Ok(()),
    }
}

/// Whether the tensors of its maps lie within the launch's arguments.
pub(crate) fn fits(g: &GpuLaunch, l: &Launch) -> Result<(), String> {
    for (i, m) in g.tensor_maps.iter().enumerate() {
        let dims = m.shape[1..].iter().zip(&m.strides).map(|(&n, &s)| (u128::from(n) - 1) * u128::from(s));
        let row = u128::from(m.shape[0]) * u128::from(m.dtype.bytes());
        let end = u128::from(m.offset) + dims.sum::<u128>() + row;
        match l.args.get(m.arg as usize) {
            Some(b) if end <= u128::from(b.bytes) => {}
            _ => return Err(format!("tensor map {i} ends at byte {end} of argument {}", m.arg)),
        }
    }
    Ok(())
}

/// Whether it stays within a launch's buffers, and writes what the launch writes. The launch itself must be validated.
pub(crate) fn gemm_fits(p: &Gemm, l: &Launch) -> Result<(), String> {
    let lies = |name: &str, arg: u32, end: u128| match l.args.get(arg as usize) {
        Some(b) if end <= u128::from(b.bytes) => Ok(()),
        _ => Err(format!("{name} of a GEMM ends at byte {end} of argument {arg}")),
    };
    for (name, m, [rows, cols], dtype) in p.matrices() {
        let [batch, stride, cols, ld, rows] = [p.batch, m.stride, cols, m.ld, rows].map(u128::from);
        let elements = (batch - 1) * stride + (cols - 1) * ld + rows;
        lies(name, m.arg, u128::from(m.offset) + elements * u128::from(dtype.bytes()))?;
    }
    if let Some(b) = &p.bias {
        lies("the bias", b.arg, u128::from(b.offset) + u128::from(p.m) * u128::from(p.result.bytes()))?;
    }
    if l.writes != [p.d.arg] {
        return Err(format!("a GEMM writes argument {}, and its launch {:?}", p.d.arg, l.writes));
    }
    Ok(())
}
