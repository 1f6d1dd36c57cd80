//! The requests to a worker, and its answers.

use crate::CodegenError;
use crate::target::{CpuTarget, GpuTarget, Mapping};
use serde::{Deserialize, Serialize};

/// A request to a worker.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Errand {
    Compile(Request),
    /// A program in the `loom` dialect, to be read and printed.
    Print(String),
}

/// One kernel's object, or why there is none.
pub type Compiled = Result<Vec<u8>, CodegenError>;

/// The answer to a request to compile.
pub struct CompiledKernels {
    /// The result for each kernel, in the request's order.
    pub results: Vec<Compiled>,
    /// LLVM's version.
    pub llvm: String,
}

/// Answers a request within this process, which must have LLVM.
pub type Compile = fn(&Request) -> CompiledKernels;

/// One kernel: the symbol it defines, and its module.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct KernelModule {
    pub symbol: String,
    pub text: String,
    /// How a GPU runs the text. CPUs ignore it.
    pub mapping: Mapping,
}

/// What machine to compile for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum CodegenTarget {
    /// Artifacts are objects.
    Cpu(CpuTarget),
    /// Artifacts are modules of PTX.
    Gpu(GpuTarget),
}

impl Default for CodegenTarget {
    fn default() -> CodegenTarget {
        CodegenTarget::Cpu(CpuTarget::default())
    }
}

impl From<CpuTarget> for CodegenTarget {
    fn from(target: CpuTarget) -> CodegenTarget {
        CodegenTarget::Cpu(target)
    }
}

/// What to compile, and how.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Request {
    pub kernels: Vec<KernelModule>,
    pub target: CodegenTarget,
    pub threads: usize,
}
