//! Kernels to machine code, and everything to a bundle.

use crate::program::{Program, Scheduled};
use crate::staged;
use meshloom_bundle::{Contents, EntryContents, LibraryContents, LibraryKind, sha256};
use meshloom_codegen::CodegenError;
use meshloom_codegen::target::{CpuTarget, GpuTarget, Mapping};
use meshloom_codegen::worker::{self, Isolation, KernelModule, Request};
use meshloom_codegen::{link, ptxas};
use meshloom_kernels::gpu::{self, GpuArch};
use meshloom_kernels::target::{Level, Target};
use meshloom_kernels::{KernelSpec, SpecError, emit, emit_gpu};
use meshloom_source::Failure;
use meshloom_strategy::entry::Elaborated;
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

/// Kernels by symbol.
pub type Kernels<'a> = BTreeMap<&'a str, &'a KernelSpec>;

/// The distinct kernels of a program's entries.
pub fn kernels(program: &Program<Scheduled>) -> Kernels<'_> {
    program.entries.iter().flat_map(|e| e.programs()).flat_map(|s| s.named()).collect()
}

/// MLIR text of every kernel.
///
/// # Errors
/// A spec that the emitter refuses: a bug of the scheduler.
pub fn texts(kernels: &Kernels<'_>, cpu: Cpu) -> Result<Vec<KernelModule>, Failure> {
    let target = Target { level: cpu.level };
    let mut out = Vec::new();
    for (&symbol, spec) in kernels {
        let text = emit(spec, &target).map_err(|e| refused(spec, &e))?;
        out.push(KernelModule { symbol: symbol.to_owned(), text, mapping: Mapping::default() });
    }
    Ok(out)
}

/// MLIR text of every kernel, for a GPU.
///
/// # Errors
/// As [`texts`].
pub fn gpu_texts(kernels: &Kernels<'_>, gpu: GpuArch) -> Result<Vec<KernelModule>, Failure> {
    let mut out = Vec::new();
    for (&symbol, spec) in kernels {
        // The variant for buffers that begin anywhere has another name.
        let (text, mapping) = emit_gpu(spec, gpu, symbol == spec.symbol()).map_err(|e| refused(spec, &e))?;
        let mapping = match (mapping, gpu::scratch_of_thread(spec)) {
            (gpu::Mapping::Blocks, _) => Mapping::Blocks,
            (gpu::Mapping::Units, 0) => Mapping::Units,
            (gpu::Mapping::Units, bytes) => Mapping::UnitsWithScratch(bytes),
        };
        out.push(KernelModule { symbol: symbol.to_owned(), text, mapping });
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
    kernels: &Kernels<'_>,
    cpu: Cpu,
    isolation: &Isolation,
    threads: usize,
) -> Result<LibraryContents, Failure> {
    let mut kernels = texts(kernels, cpu)?;
    let linker = link::linker_version().map_err(internal)?;
    let texts = hashed(&kernels);
    let symbols = kernels.iter().map(|k| k.symbol.clone()).collect();
    if kernels.is_empty() {
        // A program may only copy and exchange, but linkers make no library of nothing.
        let text = "module {\n  func.func @meshloom_none() {\n    return\n  }\n}\n";
        kernels.push(KernelModule { symbol: "meshloom_none".into(), text: text.into(), mapping: Mapping::default() });
    }
    let artifacts =
        worker::compile(&Request { kernels, target: cpu.target().into(), threads }, isolation).map_err(internal)?;
    let tools = tools(texts, [("llvm", artifacts.llvm.clone()), ("linker", linker)]);
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
        tools,
        bytes,
    })
}

fn hashed(kernels: &[KernelModule]) -> String {
    let texts: String = kernels.iter().map(|k| k.text.as_str()).collect();
    sha256(texts.as_bytes())
}

/// What made a library: this compiler, the text that it made of the kernels, and the tools after it.
fn tools<const N: usize>(texts: String, of: [(&str, String); N]) -> BTreeMap<String, String> {
    let own = [("meshloom", env!("CARGO_PKG_VERSION").to_owned()), ("mlir", texts)];
    own.into_iter().chain(of).map(|(name, version)| (name.to_owned(), version)).collect()
}

fn internal(e: CodegenError) -> Failure {
    if e.environment {
        let place = std::env::temp_dir();
        return Failure::Environment(format!("{e} (temporary files are in {}, as TMPDIR says)", place.display()));
    }
    let reproducer =
        e.reproducer.as_ref().map(|p| format!("the kernel is kept in {}", p.display())).unwrap_or_default();
    Failure::Internal { phase: "codegen", message: e.to_string(), reproducer }
}

/// Compiles the kernels for a GPU into one module of PTX. No GPU is needed.
///
/// # Errors
/// What LLVM said.
pub fn ptx(
    kernels: &Kernels<'_>,
    gpu: GpuArch,
    isolation: &Isolation,
    threads: usize,
) -> Result<LibraryContents, Failure> {
    let target = gpu_target(gpu);
    let kernels = gpu_texts(kernels, gpu)?;
    let texts = hashed(&kernels);
    let symbols: Vec<String> = kernels.iter().map(|k| k.symbol.clone()).collect();
    let request = Request { kernels, target: worker::CodegenTarget::Gpu(target), threads };
    let artifacts = worker::compile(&request, isolation).map_err(internal)?;
    let made = tools(texts, [("llvm", artifacts.llvm.clone())]);
    let ptx = artifacts.join(target).map_err(internal)?;
    Ok(LibraryContents {
        name: gpu.name().into(),
        kind: LibraryKind::Ptx,
        cpu_features: Vec::new(),
        symbols,
        tools: made,
        bytes: ptx.into_bytes(),
    })
}

fn gpu_target(gpu: GpuArch) -> GpuTarget {
    match gpu {
        GpuArch::Sm80 => GpuTarget::Sm80,
        GpuArch::Sm90a => GpuTarget::Sm90a,
        GpuArch::Sm100a => GpuTarget::Sm100a,
    }
}

/// PTX, assembled; `None` where this machine has no assembler.
///
/// # Errors
/// What the assembler said.
pub fn cubin(ptx: &LibraryContents, gpu: GpuArch, threads: usize) -> Result<Option<LibraryContents>, Failure> {
    let Some(ptxas) = ptxas::find_ptxas() else { return Ok(None) };
    let text = String::from_utf8_lossy(&ptx.bytes);
    let bytes = ptxas::assemble(gpu.name(), &text, gpu_target(gpu), &ptxas, threads).map_err(internal)?;
    let tools = [("ptx", sha256(&ptx.bytes)), ("ptxas", ptxas::ptxas_version(&ptxas).map_err(internal)?)];
    let tools = tools.map(|(name, version)| (name.to_owned(), version)).into();
    Ok(Some(LibraryContents { kind: LibraryKind::Cubin, tools, bytes, ..ptx.clone() }))
}

/// A bundle of a program that was lowered for a GPU: PTX and, where this machine has an assembler, a cubin besides.
///
/// # Errors
/// What LLVM or the assembler said.
pub fn gpu_bundle(
    program: &Program<Scheduled>,
    gpu: GpuArch,
    isolation: &Isolation,
    threads: usize,
) -> Result<Contents, Failure> {
    let mut made = ptx_bundle(program, gpu, isolation, threads)?;
    let cubin = cubin(&made.libraries[0], gpu, threads)?;
    made.libraries.extend(cubin);
    Ok(made)
}

/// The same with PTX alone, which a GPU's driver assembles when it loads the bundle.
///
/// # Errors
/// What LLVM said.
pub fn ptx_bundle(
    program: &Program<Scheduled>,
    gpu: GpuArch,
    isolation: &Isolation,
    threads: usize,
) -> Result<Contents, Failure> {
    let ptx = ptx(&kernels(program), gpu, isolation, threads)?;
    Ok(contents(program, &program.target.name, vec![ptx]))
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
    let (mut libraries, kernels) = (Vec::new(), kernels(program));
    for &cpu in cpus {
        libraries.push(library(&kernels, cpu, isolation, threads)?);
    }
    Ok(contents(program, "cpu", libraries))
}

/// What the settings of a train entry came to, beside its source: a line for each. A run that is resumed is compared by them
/// (`runtime/src/origin/mod.rs`).
fn settings(e: &Elaborated) -> Option<(String, String)> {
    let lines: String = e.settings.iter().map(|(name, value)| format!("{name} = {value}\n")).collect();
    (!lines.is_empty()).then(|| (format!("settings of {}", e.name), lines))
}

/// The entries that were lowered, with these libraries.
fn contents(program: &Program<Scheduled>, target: &str, libraries: Vec<LibraryContents>) -> Contents {
    let mut entries = Vec::new();
    for e in &program.entries {
        let plan = &e.plan;
        entries.push(EntryContents {
            kind: e.kind,
            program: e.scheduled.program.clone(),
            pipeline: e.pipeline.as_ref().map(|of| staged::contents(of, &e.staged)),
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
            .chain(program.entries.iter().filter_map(|e| settings(e)))
            .collect(),
    }
}
