//! From kernels to machine code, through MLIR. The only crate that uses melior and LLVM.
//!
//! Fusion, order and memory are decided before this crate; what arrives is one function per kernel, written in func, scf,
//! vector, arith, memref and `loom` (math) ops. [`backend`] lowers such text to a CPU object or to PTX, [`worker`] runs
//! that in a child process because LLVM ends the process when it meets a bug. [`loom_mlir`] shows a whole program in MLIR.

pub mod backend;
mod error;
pub mod loom_mlir;
pub mod worker;

pub use error::{CodegenError, CodegenPhase};
