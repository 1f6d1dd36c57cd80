//! From kernels to machine code: what is asked of LLVM, and what is done with its answer.
//!
//! Fusion, order and memory are decided before this crate; what arrives is one function per kernel, as text of MLIR. [`worker`]
//! has them compiled in a child process, because LLVM ends the process when it meets a bug. [`link`] makes a shared library of
//! objects, [`ptx`] one module of several, [`ptxas`] a cubin of PTX, [`cache`] keeps what was compiled. [`loom_mlir`] writes a whole program in MLIR.
//!
//! Not here: MLIR and LLVM themselves, which `meshloom_llvm` calls. So what depends on this crate alone loads neither.

pub mod cache;
mod error;
pub mod link;
pub mod loom_mlir;
pub mod ptx;
pub mod ptxas;
pub mod target;
pub mod worker;

pub use error::{CodegenError, CodegenPhase};
