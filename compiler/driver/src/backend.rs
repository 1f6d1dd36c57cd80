//! Kernels to machine code, and everything to a bundle.

use crate::failure::Failure;
use crate::program::{Program, Scheduled};
use meshloom_bundle::{Contents, EntryContents, LibraryContents, LibraryKind};
use meshloom_codegen::CodegenError;
use meshloom_codegen::backend::{self, CpuTarget, GpuTarget, Mapping};
use meshloom_codegen::worker::{self, Artifacts, Isolation, KernelModule, Request};
use meshloom_kernels::gpu::{self, GpuArch};
use meshloom_kernels::target::{Level, Target};
use meshloom_kernels::{KernelSpec, SpecError, emit, emit_gpu};
use std::collections::BTreeMap;

/// Which CPU levels a bundle carries kernels for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Cpu {
    pub level: Level,
}

impl Cpu {
    pub fn name(self) -> &'static str {
        match self.level {
            Level::V3 => "x86-64-v3",
            Level::V4 => "x86-64-v4",
        }
    }

    /// Features that the level's code uses, beyond those every x86-64 has.
    pub fn features(self) -> Vec<String> {
        let v3 = ["avx", "avx2", "bmi1", "bmi2", "f16c", "fma", "lzcnt", "movbe"];
        let v4 = ["avx512bw", "avx512cd", "avx512dq", "avx512f", "avx512vl"];
        let all: Vec<&str> = match self.level {
            Level::V3 => v3.to_vec(),
            Level::V4 => v3.into_iter().chain(v4).collect(),
        };
        all.into_iter().map(str::to_string).collect()
    }

    fn target(self) -> CpuTarget {
        match self.level {
            Level::V3 => CpuTarget::X86_64V3,
            Level::V4 => CpuTarget::X86_64V4,
        }
    }
}

/// The distinct kernels of a program's entries, by symbol.
pub fn kernels(program: &Program<Scheduled>) -> BTreeMap<String, &KernelSpec> {
    let specs = program.entries.iter().flat_map(|e| &e.scheduled.kernels);
    specs.map(|k| (k.symbol(), k)).collect()
}

/// MLIR text of every kernel.
///
/// # Errors
/// A spec that the emitter refuses: a bug of the scheduler.
pub fn texts(program: &Program<Scheduled>, cpu: Cpu) -> Result<Vec<KernelModule>, Failure> {
    let target = Target { level: cpu.level };
    let mut out = Vec::new();
    for (symbol, spec) in kernels(program) {
        let text = emit(spec, &target).map_err(|e| refused(spec, &e))?;
        out.push(KernelModule { symbol, text, mapping: Mapping::default() });
    }
    Ok(out)
}

/// MLIR text of every kernel, for a GPU.
///
/// # Errors
/// As [`texts`].
pub fn gpu_texts(program: &Program<Scheduled>, gpu: GpuArch) -> Result<Vec<KernelModule>, Failure> {
    let mut out = Vec::new();
    let scheduled = program.entries.iter().map(|e| &e.scheduled);
    let named: BTreeMap<&str, &KernelSpec> =
        scheduled.flat_map(|s| s.program.kernels.iter().map(|k| k.symbol.as_str()).zip(&s.kernels)).collect();
    for (symbol, spec) in named {
        // The variant for buffers that begin anywhere has another name.
        let (text, mapping) = emit_gpu(spec, gpu, symbol == spec.symbol()).map_err(|e| refused(spec, &e))?;
        let symbol = symbol.to_owned();
        let mapping = match (mapping, gpu::scratch_of_thread(spec)) {
            (gpu::Mapping::Blocks, _) => Mapping::Blocks,
            (gpu::Mapping::Units, 0) => Mapping::Units,
            (gpu::Mapping::Units, bytes) => Mapping::UnitsWithScratch(bytes),
        };
        out.push(KernelModule { symbol, text, mapping });
    }
    Ok(out)
}

fn refused(spec: &KernelSpec, e: &SpecError) -> Failure {
    Failure::Internal { phase: "kernels", message: e.to_string(), reproducer: spec.to_string() }
}

/// Compiles the kernels for one CPU level into a shared library.
///
/// # Errors
/// What LLVM or the linker said.
pub fn library(
    program: &Program<Scheduled>,
    cpu: Cpu,
    isolation: &Isolation,
    threads: usize,
) -> Result<LibraryContents, Failure> {
    let mut kernels = texts(program, cpu)?;
    let symbols = kernels.iter().map(|k| k.symbol.clone()).collect();
    if kernels.is_empty() {
        // A program may only copy and exchange, but linkers make no library of nothing.
        let text = "module {\n  func.func @meshloom_none() {\n    return\n  }\n}\n";
        kernels.push(KernelModule { symbol: "meshloom_none".into(), text: text.into(), mapping: Mapping::default() });
    }
    let artifacts =
        worker::compile(&Request { kernels, target: cpu.target().into(), threads }, isolation).map_err(internal)?;
    let file = tempfile::Builder::new()
        .prefix("meshloom-")
        .suffix(".so")
        .tempfile()
        .map_err(|e| Failure::Environment(format!("cannot make a temporary file: {e}")))?;
    artifacts.link(file.path()).map_err(internal)?;
    let bytes =
        std::fs::read(file.path()).map_err(|e| Failure::Environment(format!("cannot read the linked kernels: {e}")))?;
    Ok(LibraryContents {
        name: cpu.name().into(),
        kind: LibraryKind::ElfSo,
        cpu_features: cpu.features(),
        symbols,
        bytes,
    })
}

fn internal(e: CodegenError) -> Failure {
    let reproducer =
        e.reproducer.as_ref().map(|p| format!("the kernel is kept in {}", p.display())).unwrap_or_default();
    Failure::Internal { phase: "codegen", message: e.to_string(), reproducer }
}

/// Compiles the kernels for a GPU: one module of PTX and, where this machine has an assembler, a cubin besides. No GPU is needed.
///
/// # Errors
/// What LLVM or the assembler said.
pub fn gpu_libraries(
    program: &Program<Scheduled>,
    gpu: GpuArch,
    isolation: &Isolation,
    threads: usize,
) -> Result<Vec<LibraryContents>, Failure> {
    let target = match gpu {
        GpuArch::Sm80 => GpuTarget::Sm80,
        GpuArch::Sm90a => GpuTarget::Sm90a,
        GpuArch::Sm100a => GpuTarget::Sm100a,
    };
    let kernels = gpu_texts(program, gpu)?;
    let symbols: Vec<String> = kernels.iter().map(|k| k.symbol.clone()).collect();
    let artifacts = match kernels.is_empty() {
        true => Artifacts { objects: Vec::new() },
        false => {
            let request = Request { kernels, target: worker::CodegenTarget::Gpu(target), threads };
            worker::compile(&request, isolation).map_err(internal)?
        }
    };
    let ptx = artifacts.join(target).map_err(internal)?;
    let library = |kind, bytes| LibraryContents {
        name: gpu.name().into(),
        kind,
        cpu_features: Vec::new(),
        symbols: symbols.clone(),
        bytes,
    };
    let cubin = match backend::find_ptxas() {
        Some(ptxas) => Some(backend::assemble(gpu.name(), &ptx, target, &ptxas, threads).map_err(internal)?),
        None => None,
    };
    let mut libraries = vec![library(LibraryKind::Ptx, ptx.into_bytes())];
    libraries.extend(cubin.map(|bytes| library(LibraryKind::Cubin, bytes)));
    Ok(libraries)
}

/// A bundle of a program that was lowered for a GPU.
///
/// # Errors
/// As [`gpu_libraries`].
pub fn gpu_bundle(
    program: &Program<Scheduled>,
    gpu: GpuArch,
    isolation: &Isolation,
    threads: usize,
) -> Result<Contents, Failure> {
    let libraries = gpu_libraries(program, gpu, isolation, threads)?;
    Ok(contents(program, &program.target.name, libraries))
}

/// A bundle of a lowered program, for CPUs.
///
/// # Errors
/// Code generation.
pub fn bundle(
    program: &Program<Scheduled>,
    cpus: &[Cpu],
    isolation: &Isolation,
    threads: usize,
) -> Result<Contents, Failure> {
    let mut libraries = Vec::new();
    for &cpu in cpus {
        libraries.push(library(program, cpu, isolation, threads)?);
    }
    Ok(contents(program, "cpu", libraries))
}

/// The entries that were lowered, with these libraries.
fn contents(program: &Program<Scheduled>, target: &str, libraries: Vec<LibraryContents>) -> Contents {
    let mut entries = Vec::new();
    for e in &program.entries {
        let plan = &e.plan;
        entries.push(EntryContents {
            kind: e.kind,
            program: e.scheduled.program.clone(),
            plan: meshloom_ir::print::print(&plan.local),
            certificate: meshloom_certify::text::print(&plan.certificate, &e.global, &plan.local),
        });
    }
    Contents {
        target: target.into(),
        entries,
        libraries,
        sources: program
            .sources
            .files()
            .filter(|(_, f)| !f.library)
            .map(|(_, f)| (f.name.clone(), f.text.clone()))
            .collect(),
    }
}
