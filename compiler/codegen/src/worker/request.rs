//! What is to be compiled, and the compilation of it in this process.
//!
//! Not here: another process ([`super`]).

use crate::backend::{self, Compiled, CpuTarget, GpuTarget, KernelProgress, Mapping};
use serde::{Deserialize, Serialize};

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

pub fn in_process(request: &Request, progress: &(dyn Fn(usize, KernelProgress) + Sync)) -> Vec<Compiled> {
    match request.target {
        CodegenTarget::Cpu(target) => {
            let kernels: Vec<_> = request.kernels.iter().map(|k| (k.symbol.as_str(), k.text.as_str())).collect();
            backend::compile_all_with(&kernels, target, request.threads, progress)
        }
        CodegenTarget::Gpu(target) => {
            let kernels: Vec<_> =
                request.kernels.iter().map(|k| (k.symbol.as_str(), k.text.as_str(), k.mapping)).collect();
            backend::compile_all_ptx(&kernels, target, request.threads, progress)
        }
    }
}
