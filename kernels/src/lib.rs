//! Kernels: what one launch of a Meshloom program computes ([`spec`]), and the MLIR text that computes it
//! ([`emit`](mod@emit)).
//!
//! This crate is pure: a spec and a target go in, and text comes out. It knows neither the IR that specs come from nor
//! the compiler that the text goes to. So every kernel can be tested alone, on any shape, against a slow reference.
//!
//! Read in this order: [`expr`] (the language of fusion), [`spec`] (the list of kernels, and what an entry says),
//! [`contraction`] (from an einsum to packs and a GEMM), [`reference`], then [`emit`](mod@emit). `examples/bench.rs`
//! times the kernels.

pub mod added;
mod args;
pub mod attention;
pub mod column;
pub mod contraction;
pub mod dot;
pub mod emit;
pub mod expr;
mod fnv;
pub mod fused;
pub mod gemm;
pub mod geometry;
pub mod gpu;
pub mod grid;
mod launch;
pub mod matmul;
pub mod reference;
pub mod running;
pub mod scatter;
pub mod spec;
pub mod split;
pub mod summed;
pub mod target;
pub mod tensor_map;
mod text;
mod verify;
mod windowed;

pub use emit::{emit, emit_gpu};
pub use expr::{Access, Body, Comparison, DType, Elem, Node, NodeId, Output, Reduction, Start};
pub use gpu::{Device, GpuArch};
pub use spec::{Arg, BufferRole, Fused, KernelSpec, Matmul, Operand, Pack, SpecError};
pub use target::Target;
