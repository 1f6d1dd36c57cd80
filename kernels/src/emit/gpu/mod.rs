//! Templates for GPUs: what one block does. How many threads it has and which units it takes is in [`crate::gpu`].
//!
//! A block takes units in turn, `block`, `block + blocks` and so on, so any grid gives the same bits. Threads of a warp touch
//! neighbouring memory, 16 bytes each where the layout allows it, and sums are taken in an order that no launch changes: within a
//! thread, then across its warp in a butterfly, then over the warps by number.

mod attention;
pub mod block;
mod bulk;
mod column;
mod dot;
mod epilogue;
mod fetched;
mod fused;
mod pipeline;
pub mod scan;
mod scatter;
pub mod sort;
pub mod tile;

use super::builder::{Builder, Ix, Kind, Val};
use super::fused::combine;
use crate::expr::{DType, ReduceKind};
use crate::gpu::Grid;
use crate::spec::{KernelSpec, SpecError};
use block::{Form, WARP};

/// The kernel's module, for a grid of blocks.
///
/// # Errors
/// A spec that is not well-formed, or that no template is for.
pub fn emit(spec: &KernelSpec, grid: &Grid, symbol: &str, form: Form) -> Result<String, SpecError> {
    spec.verify()?;
    let mut b = Builder::for_gpu(form);
    match spec {
        KernelSpec::Fused(s) => fused::emit(&mut b, s, grid),
        KernelSpec::Column(s) => column::emit(&mut b, s, grid),
        KernelSpec::Dot(s) if grid.tiling.fetchers > 0 => fetched::emit(&mut b, s, grid)?,
        KernelSpec::Dot(s) if grid.tiling.stages > 0 => pipeline::emit(&mut b, s, grid),
        KernelSpec::Dot(s) => dot::emit(&mut b, s, grid),
        KernelSpec::Attention(s) => attention::emit_forward(&mut b, s, grid),
        KernelSpec::AttentionBackward(s) => attention::emit_backward(&mut b, s, grid),
        KernelSpec::SegmentSort(s) => sort::emit_segments(&mut b, s, grid),
        KernelSpec::ScatterRows(s) => scatter::emit(&mut b, s, grid),
        KernelSpec::TopK(s) => sort::emit_top_k(&mut b, s, grid),
        KernelSpec::Scan(s) => scan::emit(&mut b, s, grid),
        _ => return Err(SpecError(format!("{} has no template for GPUs", spec.kind()))),
    }
    let buffers: Vec<DType> = spec.args().iter().map(|a| a.dtype).collect();
    Ok(b.finish(symbol, &buffers, grid.workspace > 0, spec.dims()))
}

/// The first unit of this block (of `each` units side by side, one for each thread where that is more than one), and the step to its
/// next.
fn turns(b: &mut Builder, each: u64) -> (Ix, Ix) {
    let (lo, block, blocks) = (b.lo(), b.block(), b.blocks());
    let (first, step) = (b.scale(block, each as i64), b.scale(blocks, each as i64));
    let first = if each > 1 {
        let thread = b.thread();
        b.add(first, thread)
    } else {
        first
    };
    (b.add(lo, first), step)
}

/// What the threads of a block have, combined; every thread gets it. All of them must call.
fn over_block(b: &mut Builder, values: &[(ReduceKind, Val)], threads: u64) -> Vec<Val> {
    let mut values = values.to_vec();
    let mut mask = WARP / 2;
    while mask > 0 {
        for (kind, v) in &mut values {
            let other = b.shuffle_xor(*v, mask);
            *v = combine(b, *kind, *v, other);
        }
        mask /= 2;
    }
    let warps = threads / WARP;
    if warps == 1 {
        return values.into_iter().map(|(_, v)| v).collect();
    }
    let thread = b.thread();
    let (warp, lane) = b.div_rem(thread, WARP);
    let parts: Vec<_> = values.iter().map(|(_, v)| b.block_memory(b.ty(*v).kind, warps)).collect();
    let first = b.test("eq", lane, Ix::ZERO);
    b.if_(first, |b| {
        for ((_, v), &part) in values.iter().zip(&parts) {
            b.store(*v, part, warp);
        }
    });
    b.barrier();
    let totals = values.iter().zip(&parts).map(|(&(kind, _), &part)| {
        let mut total = b.load(part, Ix::ZERO, 0);
        for w in 1..warps {
            let next = b.load(part, Ix::from(w), 0);
            total = combine(b, kind, total, next);
        }
        total
    });
    let totals = totals.collect();
    // The next values may lie where these do.
    b.barrier();
    totals
}

/// Whether a reduction of these values can be exchanged between threads.
pub fn is_exchanged(dtype: DType) -> bool {
    matches!(Kind::value(dtype), Kind::F32 | Kind::F64 | Kind::I32 | Kind::I64)
}
