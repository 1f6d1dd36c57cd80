//! Kernel text to machine code. The short pipeline here was measured to compile six times faster than `O2`, and its
//! code runs as fast.
//!
//! There is one module per kernel, and a context per thread with only the dialects that kernels use and with MLIR's own
//! threads off. A short pipeline leads to LLVM IR, then come four LLVM passes and code generation at O1. Nothing here
//! prints: what MLIR and LLVM report comes back in the error.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::context::{Lowering, MlirContext, PIPELINE};
use crate::llvm::{FileKind, KernelIr, TargetMachine};
use crate::ptx::PtxCompiler;
use meshloom_codegen::target::{CpuTarget, GpuTarget, Mapping};
use meshloom_codegen::worker::Compiled;
use meshloom_codegen::{CodegenError, CodegenPhase};

/// `licm` must sit inside `loop-mssa`: LLVM aborts otherwise.
const LLVM_PASSES: &str = "function(early-cse,loop-mssa(licm),instcombine<no-verify-fixpoint>,simplifycfg)";

/// Everything one thread needs to compile kernels for one target; reused from kernel to kernel.
pub struct CpuCompiler {
    context: MlirContext,
    machine: TargetMachine,
}

impl CpuCompiler {
    pub fn new(target: CpuTarget) -> Result<Self, CodegenError> {
        Ok(CpuCompiler { context: MlirContext::new(), machine: TargetMachine::for_cpu(target)? })
    }

    /// Compiles one module; `name` is for messages, symbols come from the text.
    pub fn compile(&self, name: &str, mlir_text: &str) -> Result<Vec<u8>, CodegenError> {
        let mut module = self.context.parse(name, mlir_text)?;
        self.context.run(name, &mut module, PIPELINE, Lowering::Trusted)?;
        let unit = KernelIr::translate(name, &self.context, &module)?;
        unit.optimize(&self.machine, LLVM_PASSES)?;
        unit.emit(&self.machine, FileKind::Object)
    }
}

/// Compiles one module to a relocatable object. To compile several, [`compile_all`] shares the set-up.
pub fn compile_object(name: &str, mlir_text: &str, target: &CpuTarget) -> Result<Vec<u8>, CodegenError> {
    CpuCompiler::new(*target)?.compile(name, mlir_text)
}

/// What [`compile_all`] reports while it works, from the thread that does the work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KernelProgress {
    Started,
    Finished,
}

/// Compiles kernels `(symbol, text)` on `threads` threads. Results are in the order of `kernels` and do not depend on
/// `threads`; the longest texts go first, so that no thread is left with a long one at the end.
pub fn compile_all(kernels: &[(&str, &str)], target: CpuTarget, threads: usize) -> Vec<Compiled> {
    compile_all_with(kernels, target, threads, &|_, _| {})
}

/// [`compile_all`] with a callback `(kernel index, what)`.
pub fn compile_all_with(
    kernels: &[(&str, &str)],
    target: CpuTarget,
    threads: usize,
    progress: Watch<'_>,
) -> Vec<Compiled> {
    let sizes: Vec<usize> = kernels.iter().map(|k| k.1.len()).collect();
    let compile = |compiler: &CpuCompiler, i: usize| compiler.compile(kernels[i].0, kernels[i].1);
    in_parallel(&sizes, threads, progress, &|| CpuCompiler::new(target), &compile)
}

/// The same for a GPU: a module of PTX for each of the kernels `(symbol, text, mapping)`.
pub fn compile_all_ptx(
    kernels: &[(&str, &str, Mapping)],
    target: GpuTarget,
    threads: usize,
    progress: Watch<'_>,
) -> Vec<Compiled> {
    let sizes: Vec<usize> = kernels.iter().map(|k| k.1.len()).collect();
    let compile = |compiler: &PtxCompiler, i: usize| {
        let (symbol, text, mapping) = kernels[i];
        compiler.compile(symbol, text, mapping).map(String::into_bytes)
    };
    in_parallel(&sizes, threads, progress, &|| PtxCompiler::new(target), &compile)
}

/// Told of each kernel's start and end.
type Watch<'w> = &'w (dyn Fn(usize, KernelProgress) + Sync);

/// Compiles kernels whose texts have these sizes, on threads that each have a compiler of their own.
fn in_parallel<C>(
    sizes: &[usize],
    threads: usize,
    progress: Watch<'_>,
    start: &(dyn Fn() -> Result<C, CodegenError> + Sync),
    compile: &(dyn Fn(&C, usize) -> Compiled + Sync),
) -> Vec<Compiled> {
    let mut order: Vec<usize> = (0..sizes.len()).collect();
    order.sort_by_key(|&index| std::cmp::Reverse(sizes[index]));
    let next = AtomicUsize::new(0);
    let results: Vec<Mutex<Option<Compiled>>> = sizes.iter().map(|_| Mutex::new(None)).collect();
    let store = |index: usize, result: Compiled| {
        *results[index].lock().unwrap_or_else(|poisoned| poisoned.into_inner()) = Some(result);
    };
    let work = || {
        let mut compiler = None;
        while let Some(&index) = order.get(next.fetch_add(1, Ordering::Relaxed)) {
            progress(index, KernelProgress::Started);
            let result = match &compiler {
                Some(compiler) => compile(compiler, index),
                None => start().and_then(|fresh| compile(compiler.insert(fresh), index)),
            };
            progress(index, KernelProgress::Finished);
            store(index, result);
        }
    };
    let threads = threads.clamp(1, sizes.len().max(1));
    if threads == 1 {
        work();
    } else {
        std::thread::scope(|scope| {
            // A thread that cannot be had leaves its share to this one.
            for _ in 1..threads {
                if std::thread::Builder::new().spawn_scoped(scope, work).is_err() {
                    break;
                }
            }
            work();
        });
    }
    let unfilled = || Err(CodegenError::general(CodegenPhase::Worker, "a compile thread ended early"));
    results
        .into_iter()
        .map(|slot| slot.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner()).unwrap_or_else(unfilled))
        .collect()
}
