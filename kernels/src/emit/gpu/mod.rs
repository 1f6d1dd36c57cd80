//! Templates for GPUs: what one block does. How many threads it has and which units it takes is in [`crate::gpu`].
//!
//! A block takes units in turn, `block`, `block + blocks` and so on, so any grid gives the same bits. Threads of a warp touch
//! neighbouring memory, 16 bytes each where the layout allows it, and sums are taken in an order that no launch changes: within a
//! thread, then across its warp in a butterfly, then over the warps by number.

mod added;
pub(crate) mod attention;
pub(crate) mod blackwell;
pub mod block;
mod boxed;
mod bulk;
pub(crate) mod column;
pub(crate) mod dot;
mod epilogue;
pub(crate) mod fused;
pub(crate) mod pipeline;
mod places;
pub(crate) mod rounded;
pub mod scan;
pub(crate) mod scatter;
pub mod sort;
pub(crate) mod specialized;
pub(crate) mod summed;
pub mod tile;
pub(crate) mod turns;

use super::builder::Builder;
use crate::expr::DType;
use crate::gpu::Grid;
use crate::spec::{KernelSpec, SpecError};
use block::EmitMode;

/// The kernel's module, for a grid of blocks.
///
/// # Errors
/// A spec that is not well-formed, or that no template is for.
pub fn emit(spec: &KernelSpec, grid: &Grid, symbol: &str, form: EmitMode) -> Result<String, SpecError> {
    spec.verify()?;
    let mut b = Builder::for_gpu(form);
    spec.entry().emit_gpu(&mut b, grid)?;
    let buffers: Vec<DType> = spec.args().iter().map(|a| a.dtype).collect();
    Ok(b.finish(symbol, &buffers, grid.workspace > 0, spec.dims()))
}
