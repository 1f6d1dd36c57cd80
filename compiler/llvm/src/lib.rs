//! Kernels through MLIR and LLVM. The only crate that calls them, beside `dialects`, which registers the `loom` dialect.
//!
//! What arrives is one function per kernel, written in func, scf, vector, arith, memref and `loom` (math) ops. [`compile_all`]
//! lowers such text to CPU objects and [`compile_all_ptx`] to PTX; [`main_if_requested`] does so as the worker process that
//! `meshloom_codegen::worker` starts. [`roundtrip`] reads and prints a whole program.
//!
//! Not here: linking, assembling, and anything that plans.

mod compile;
mod context;
mod llvm;
mod ptx;
mod remembered;
mod roundtrip;
mod serve;

pub use compile::{CpuCompiler, KernelProgress, compile_all, compile_all_ptx, compile_all_with, compile_object};
pub use context::{Lowering, MlirContext};
pub use llvm::llvm_version;
pub use ptx::{PtxCompiler, compile_ptx};
pub use remembered::remembered;
pub use roundtrip::roundtrip;
pub use serve::{in_process, main_if_requested};
