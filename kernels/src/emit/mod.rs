//! From a spec to MLIR text: one module with one function per kernel, in the vector, scf, arith, memref and loom dialects.
//!
//! Vectors are as wide as the target's registers. The bits of a unit depend on the spec and the target alone: never on which units are
//! computed together.

pub(crate) mod attention;
pub mod builder;
pub(crate) mod column;
pub(crate) mod elem;
mod eval;
mod float8;
pub(crate) mod fused;
pub mod gpu;
mod lanes;
pub(crate) mod matmul;
pub(crate) mod pack;
mod power;
mod quarters;
mod remainder;
pub(crate) mod running;
pub(crate) mod scatter;
pub(crate) mod selection;
pub(crate) mod sort_key;
mod tanh;
mod trig;
pub(crate) mod turned;
mod walk;
mod windowed;

use crate::expr::DType;
use crate::gpu::{GpuArch, Grid, Mapping};
use crate::spec::{KernelSpec, SpecError};
use crate::target::Target;
use builder::Builder;

/// The kernel's module. Its function is called [`KernelSpec::symbol`].
pub fn emit(spec: &KernelSpec, target: &Target) -> Result<String, SpecError> {
    spec.verify()?;
    let mut b = Builder::new();
    spec.entry().emit(&mut b, target)?;
    let buffers: Vec<DType> = spec.args().iter().map(|a| a.dtype).collect();
    Ok(b.finish(&spec.symbol(), &buffers, spec.scratch_bytes() > 0, spec.dims()))
}

/// The kernel's module for a GPU, and what its function is: a unit's work, as on a CPU, or a block's. `aligned` says whether all buffers
/// begin at multiples of [`crate::gpu::ALIGN`]; the function is called [`Grid::symbol`].
///
/// # Errors
/// As [`emit`].
pub fn emit_gpu(spec: &KernelSpec, gpu: GpuArch, aligned: bool) -> Result<(String, Mapping), SpecError> {
    let grid = Grid::of(spec, gpu, aligned);
    let text = match grid.mapping {
        // A thread's registers are a vector's lanes: the narrower ones leave it more of them.
        Mapping::Units => emit(spec, &Target::V3)?,
        Mapping::Blocks => gpu::emit(spec, &grid, &grid.symbol(spec), gpu::block::EmitMode::Device)?,
    };
    Ok((text, grid.mapping))
}
