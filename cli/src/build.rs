//! From a planned program to a bundle.

use crate::args::CpuLevels;
use crate::rejected;
use meshloom_bundle::{Bundle, Contents, LibraryKind};
use meshloom_codegen::cache::KernelCache;
use meshloom_codegen::worker::{self, Isolation, Worker};
use meshloom_driver::backend::{self, Cpu};
use meshloom_driver::{Program, Scheduled};
use meshloom_kernels::GpuArch;
use meshloom_kernels::target::Level;
use meshloom_runtime::device::library::has;
use meshloom_source::{Failure, SourceMap};
use meshloom_strategy::per_rank::RankShare;
use meshloom_terminal::{Failed, Result, status};
use std::time::Instant;

/// All levels that bundles carry, the plainest first.
pub const LEVELS: [Cpu; 2] = [Cpu { level: Level::V3 }, Cpu { level: Level::V4 }];

/// The best level that this machine runs.
pub fn host() -> Option<Cpu> {
    LEVELS.into_iter().rev().find(|cpu| cpu.features().iter().all(|f| has(f)))
}

/// As [`host`].
///
/// # Errors
/// A machine that runs none.
fn native() -> Result<Cpu> {
    host().ok_or_else(|| Failed::usage("this CPU has no AVX2; kernels are made for x86-64-v3 and v4"))
}

/// The levels that `--cpu` names.
///
/// # Errors
/// That of this machine, where it has none.
pub fn levels(of: CpuLevels) -> Result<Vec<Cpu>> {
    Ok(match of {
        CpuLevels::All => LEVELS.to_vec(),
        CpuLevels::V3 => vec![LEVELS[0]],
        CpuLevels::V4 => vec![LEVELS[1]],
        CpuLevels::Native => vec![native()?],
    })
}

/// Compiles the kernels of a program that was lowered for CPUs, but those that the cache has. LLVM works in a child process: this one
/// survives it.
///
/// # Errors
/// What LLVM or the linker said.
pub fn contents(program: &Program<Scheduled>, cpus: &[Cpu], cache: Option<KernelCache>) -> Result<Contents> {
    let names: Vec<&str> = cpus.iter().map(|c| c.name()).collect();
    compiled(&names.join(" and "), cache, |isolation, threads| backend::bundle(program, cpus, isolation, threads))
}

/// The same for a program that was lowered for a GPU. Neither a GPU nor NVIDIA's tools are needed; where there is an assembler, the
/// bundle holds its output too.
///
/// # Errors
/// What LLVM or the assembler said.
pub fn gpu_contents(program: &Program<Scheduled>, gpu: GpuArch, cache: Option<KernelCache>) -> Result<Contents> {
    let contents =
        compiled(gpu.name(), cache, |isolation, threads| backend::gpu_bundle(program, gpu, isolation, threads))?;
    if contents.libraries.iter().all(|l| l.kind != LibraryKind::Cubin) {
        status::say(
            "Left out",
            "a cubin, since there is no ptxas here: the driver will compile the PTX when it is loaded",
        );
    }
    Ok(contents)
}

fn compiled(
    target: &str,
    cache: Option<KernelCache>,
    bundle: impl FnOnce(&Isolation, usize) -> std::result::Result<Contents, Failure>,
) -> Result<Contents> {
    let start = Instant::now();
    let failed = |f: Failure| rejected::failed((f, SourceMap::new()));
    let program = worker::program().map_err(|e| Failed::usage(e.to_string()))?;
    let isolation = Isolation::Child(Worker { program, cache: cache.clone() });
    let what = format!("kernels for {target}");
    status::waits("Compiling", move || what.clone());
    let threads = std::thread::available_parallelism().map_or(1, |n| n.get());
    let contents = bundle(&isolation, threads).map_err(failed)?;
    status::waited();
    let kernels = contents.libraries.first().map_or(0, |l| l.symbols.len());
    let took = status::duration(start.elapsed().as_secs_f64());
    let kept = match cache.map_or(0, |c| c.taken()) {
        0 => String::new(),
        kept => format!(", {kept} of them before"),
    };
    status::say("Compiled", &format!("{} for {target} in {took}{kept}", status::count(kernels as u64, "kernel")));
    Ok(contents)
}

/// The bundle's bytes.
///
/// # Errors
/// Contents that contradict each other: a bug, since they were all made here.
pub fn pack(contents: &Contents) -> Result<Vec<u8>> {
    meshloom_bundle::write(contents).map_err(|e| internal(&e))
}

/// The same, with plans for other numbers of devices, packed before.
///
/// # Errors
/// As [`pack`].
pub fn pack_with(contents: &Contents, others: &[Vec<u8>]) -> Result<Vec<u8>> {
    meshloom_bundle::write_with(contents, others).map_err(|e| internal(&e))
}

/// A bundle that is run at once. It is packed into bytes and read back, so that the run uses what a file would have.
///
/// # Errors
/// As [`contents`].
pub fn in_memory(program: &Program<Scheduled>, cache: Option<KernelCache>) -> Result<Bundle> {
    let bytes = pack(&contents(program, &[native()?], cache)?)?;
    Bundle::read(&bytes).map_err(|e| internal(&e))
}

fn internal(e: &meshloom_bundle::BundleError) -> Failed {
    let f = Failure::Internal { phase: "bundle", message: e.to_string(), reproducer: String::new() };
    rejected::failed((f, SourceMap::new()))
}

/// Prints what was decided, in a line for each entry.
pub fn planned(program: &Program<Scheduled>) {
    for e in &program.entries {
        let collectives = e.most_of_a_device(|s| s.collectives.iter().map(|c| c.times).sum::<u64>() as f64) as u64;
        let wire = status::size(e.most_of_a_device(RankShare::wire_bytes) as u64);
        let memory = status::size(e.device_bytes());
        status::say(
            "Planned",
            &format!(
                "{}: {} proved; per device {} with {wire} on the wire, {memory} of memory",
                e.name,
                status::count(e.proof.steps as u64, "step"),
                status::count(collectives, "collective")
            ),
        );
        if let Some(first) = e.audit.unfollowed.first() {
            let more = e.audit.unfollowed.len() - 1;
            let more = if more > 0 { format!("; and {more} more") } else { String::new() };
            status::say("Left open", &format!("{}: its schedule is not proved in whole: {first}{more}", e.name));
        }
    }
}
