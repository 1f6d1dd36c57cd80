//! What a kernel is to everyone who does not care which: its arguments, units and text, its code for CPUs and GPUs, its values.
//!
//! A kernel is a struct with an entry, as an op of the IR is: an implementation of [`Kernel`] in a file of this folder. The list of all
//! is in [`crate::spec`], and nothing else names a kernel, save whoever makes specs of it.

use crate::emit::builder::Builder;
use crate::expr::{Body, DType};
use crate::gpu::GpuArch;
use crate::grid::Grid;
use crate::reference::Data;
use crate::target::Target;
use std::fmt;

/// How a kernel uses a buffer argument.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum BufferRole {
    Read,
    Write,
    ReadWrite,
}

/// A buffer argument of a kernel.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Arg {
    pub name: String,
    pub dtype: DType,
    pub role: BufferRole,
    /// Elements that the kernel may touch, counted from the buffer's start (`start` offsets of accesses not included).
    pub elements: u64,
}

/// Why a spec is refused.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SpecError(pub String);

impl fmt::Display for SpecError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "invalid kernel: {}", self.0)
    }
}

impl std::error::Error for SpecError {}

/// The entry of a kernel.
pub trait Kernel {
    /// The family's name, with which functions' names begin.
    fn kind(&self) -> &'static str;

    /// The text form, of which the content hash is taken: equal text is equal spec.
    fn text(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result;

    /// Whether the emitters and the reference can take this spec.
    ///
    /// # Errors
    /// What is wrong with it.
    fn verify(&self) -> Result<(), SpecError>;

    /// Buffer arguments, in the order of the kernel's signature.
    fn args(&self) -> Vec<Arg>;

    /// How many independent pieces the work has. A launch covers `0..units()`.
    fn units(&self) -> u64;

    /// Floating point operations of all units.
    fn flops(&self) -> u64;

    /// Computes all units, slowly. `buffers` are the arguments; written ones are changed in place.
    fn reference(&self, buffers: &mut [Data], dims: &[i64]);

    /// Writes the function that a CPU runs, for a spec that was verified.
    ///
    /// # Errors
    /// There is none for CPUs.
    fn emit(&self, b: &mut Builder, target: &Target) -> Result<(), SpecError>;

    /// How blocks of a GPU share the work; `None` where threads run the function of CPUs. `aligned` says whether all buffers begin at
    /// multiples of [`crate::gpu::ALIGN`].
    fn grid(&self, _gpu: GpuArch, _aligned: bool) -> Option<Grid> {
        None
    }

    /// Writes what a block of a GPU does, for a spec that was verified and has a [`Kernel::grid`].
    ///
    /// # Errors
    /// No template is for it.
    fn emit_gpu(&self, _b: &mut Builder, _grid: &Grid) -> Result<(), SpecError> {
        Err(SpecError(format!("{} has no template for GPUs", self.kind())))
    }

    /// The body, for the families that have one.
    fn body(&self) -> Option<&Body> {
        None
    }

    /// How many i64 dims the kernel takes after `hi`.
    fn dims(&self) -> u32 {
        self.body().map_or(0, Body::dims)
    }

    /// Bytes of private memory that each worker hands to the kernel after the buffers; 0 means that it takes none.
    fn scratch_bytes(&self) -> u64 {
        0
    }
}
