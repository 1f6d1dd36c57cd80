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
mod places;
pub mod scan;
mod scatter;
pub mod sort;
pub mod tile;
mod turns;

use super::builder::Builder;
use crate::expr::DType;
use crate::gpu::Grid;
use crate::spec::{KernelSpec, SpecError};
use block::Form;

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
