//! What a kernel is to everyone who does not care which kernel it is: arguments, units and text, code for CPUs and for
//! GPUs, and values.
//!
//! A kernel is a struct with an entry, as an op of the IR is. The entry is an implementation of [`Kernel`] in a file of
//! this folder. [`crate::spec`] has the list of all kernels. Whoever writes, lists, launches or counts kernels goes by the entry.
//! Kernels are named by the code that makes and changes specs (`lower`), and by
//! the checker of executable programs (`audit`), which says by itself what each kernel means.

use crate::emit::builder::Builder;
use crate::expr::{Body, DType, Start};
use crate::gpu::GpuArch;
use crate::grid::Grid;
use crate::reference::Data;
use crate::target::Target;
use crate::tensor_map::TensorMap;
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
    /// The elements that the kernel may touch, counted from the buffer's start. `start` offsets of accesses are not
    /// included.
    pub elements: u64,
    /// The accesses that begin where a dim of the launch says: how many elements each touches if the dim is 0.
    pub started: Vec<(Start, u64)>,
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
    /// The name of the family. Names of functions begin with it.
    fn kind(&self) -> &'static str;

    /// The text form. The content hash is taken of it: specs with equal texts are equal.
    fn text(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result;

    /// Whether the emitters and the reference can take this spec.
    ///
    /// # Errors
    /// What is wrong with it.
    fn verify(&self) -> Result<(), SpecError>;

    /// Buffer arguments, in the order of the kernel's signature.
    fn args(&self) -> Vec<Arg>;

    /// The number of units, which do not depend on each other. A launch covers `0..units()`, or a part of it.
    fn units(&self) -> u64;

    /// Floating point operations of all units.
    fn flops(&self) -> u64;

    /// Computes all units, slowly. `buffers` are the arguments; those that are written change in place.
    fn reference(&self, buffers: &mut [Data], dims: &[i64]);

    /// Writes the function that a CPU runs. The spec has been verified.
    ///
    /// # Errors
    /// A kernel that CPUs do not have.
    fn emit(&self, b: &mut Builder, target: &Target) -> Result<(), SpecError>;

    /// How blocks of a GPU share the work. `None` if threads run the function of CPUs. `aligned` says whether all
    /// buffers begin at multiples of [`crate::gpu::ALIGN`].
    fn grid(&self, _gpu: GpuArch, _aligned: bool) -> Option<Grid> {
        None
    }

    /// What a launch on such a grid has the tensor memory accelerator fetch.
    fn tensor_maps(&self, _grid: &Grid) -> Vec<TensorMap> {
        Vec::new()
    }

    /// The same kernel, whose threads copy what this one may fetch.
    fn by_threads(&self) -> Option<Self>
    where
        Self: Sized,
    {
        None
    }

    /// Writes what a block of a GPU does. The spec has been verified and has a [`Kernel::grid`].
    ///
    /// # Errors
    /// A kernel without a template.
    fn emit_gpu(&self, _b: &mut Builder, _grid: &Grid) -> Result<(), SpecError> {
        Err(SpecError(format!("{} has no template for GPUs", self.kind())))
    }

    /// The body, for the families that have one.
    fn body(&self) -> Option<&Body> {
        None
    }

    /// The number of i64 dims that the kernel takes after `hi`.
    fn dims(&self) -> u32 {
        self.body().map_or(0, Body::dims)
    }

    /// Bytes of scratch memory that each worker gives to the kernel after the buffers; 0 if it takes none.
    fn scratch_bytes(&self) -> u64 {
        0
    }
}
