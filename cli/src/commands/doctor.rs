//! `meshloom doctor`: what this machine has, what Meshloom does with it, and what is missing.

use crate::args::DoctorArgs;
use meshloom_run::{Result, status};
use meshloom_runtime::collectives::nccl::{Nccl, library::VARIABLE};
use meshloom_runtime::device::cuda::{Cuda, Gpu, Missing, probe::version_text};
use meshloom_runtime::device::library::has;
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;
#[cfg(feature = "llvm")]
use std::ffi::c_uint;

struct Finding {
    name: &'static str,
    ok: bool,
    text: String,
}

pub fn run(args: &DoctorArgs) -> Result<()> {
    let driver = Cuda::open();
    let cuda = [cuda_driver(&driver), nccl(), cuda(&driver)];
    let findings = [version(), cores(), cpu(), memory(), llvm(), linker(), ptxas()].into_iter().chain(cuda);
    let findings = findings.chain([threads(), shm(), mpi()]).collect::<Vec<_>>();
    if args.json {
        let all: Map<String, Value> =
            findings.iter().map(|f| (f.name.to_owned(), json!({ "ok": f.ok, "text": f.text }))).collect();
        status::data(&format!("{}\n", Value::Object(all)));
    } else {
        let width = findings.iter().map(|f| f.name.len()).max().unwrap_or(0);
        for f in &findings {
            let mark = if f.ok { "ok" } else { "--" };
            status::data(&format!("{:width$}  {mark}  {}\n", f.name, f.text));
        }
    }
    Ok(())
}

fn found(name: &'static str, text: impl Into<String>) -> Finding {
    Finding { name, ok: true, text: text.into() }
}

fn lacks(name: &'static str, text: impl Into<String>) -> Finding {
    Finding { name, ok: false, text: text.into() }
}

fn version() -> Finding {
    found("meshloom", format!("{}, {} {}", env!("CARGO_PKG_VERSION"), std::env::consts::OS, std::env::consts::ARCH))
}

fn cores() -> Finding {
    match std::thread::available_parallelism() {
        Ok(n) => found("cores", format!("{n}; `run` takes one worker thread per core")),
        Err(e) => lacks("cores", format!("unknown ({e}); `run` takes one worker thread")),
    }
}

fn cpu() -> Finding {
    let all = |features: &[&str]| features.iter().all(|f| has(f));
    if all(&["avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl", "fma"]) {
        found("cpu", "x86-64-v4 (AVX-512)")
    } else if all(&["avx2", "fma", "bmi2", "f16c", "lzcnt", "movbe"]) {
        found("cpu", "x86-64-v3 (AVX2)")
    } else {
        lacks("cpu", "below x86-64-v3: models can be planned and compiled here, not run")
    }
}

fn memory() -> Finding {
    let text = std::fs::read_to_string("/proc/meminfo").unwrap_or_default();
    let read = |key: &str| {
        let line = text.lines().find_map(|l| l.strip_prefix(key))?;
        line.split_whitespace().next()?.parse::<u64>().ok()
    };
    match (read("MemTotal:"), read("MemAvailable:")) {
        (Some(total), Some(free)) => {
            found("memory", format!("{}, {} available", status::size(total << 10), status::size(free << 10)))
        }
        _ => lacks("memory", "unknown: /proc/meminfo cannot be read"),
    }
}

#[cfg(feature = "llvm")]
fn llvm() -> Finding {
    let (mut major, mut minor, mut patch): (c_uint, c_uint, c_uint) = (0, 0, 0);
    // SAFETY: LLVMGetVersion writes three integers.
    unsafe { LLVMGetVersion(&mut major, &mut minor, &mut patch) };
    found("llvm", format!("{major}.{minor}.{patch}, with MLIR"))
}

#[cfg(feature = "llvm")]
unsafe extern "C" {
    /// llvm-c/Core.h; linked through the `dialects` crate.
    fn LLVMGetVersion(major: *mut c_uint, minor: *mut c_uint, patch: *mut c_uint);
}

#[cfg(not(feature = "llvm"))]
fn llvm() -> Finding {
    lacks("llvm", "this build has none: it plans, and neither compiles nor runs")
}

fn linker() -> Finding {
    match in_path("cc") {
        Some(path) => found("linker", path.display().to_string()),
        None => lacks("linker", "`cc` is not in PATH: kernels cannot be linked; install gcc or clang"),
    }
}

#[cfg(feature = "llvm")]
fn ptxas() -> Finding {
    match meshloom_codegen::backend::find_ptxas() {
        Some(path) => found("ptxas", path.display().to_string()),
        None => lacks("ptxas", "not found in PATH, $CUDA_HOME or .venv: PTX is not assembled ahead of time"),
    }
}

#[cfg(not(feature = "llvm"))]
fn ptxas() -> Finding {
    lacks("ptxas", "of no use without LLVM")
}

fn in_path(tool: &str) -> Option<std::path::PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|p| p.join(tool)).find(|p| p.is_file())
}

fn cuda_driver(cuda: &Result<Cuda, Missing>) -> Finding {
    match cuda {
        Ok(cuda) => {
            let gpu = |g: &Gpu| format!("{} (sm_{}{})", g.name, g.capability.0, g.capability.1);
            let gpus = cuda.gpus.iter().map(gpu).collect::<Vec<_>>().join(", ");
            found("cuda driver", format!("CUDA {}, {gpus}", version_text(cuda.version)))
        }
        Err(why) => lacks("cuda driver", why.to_string()),
    }
}

fn cuda(driver: &Result<Cuda, Missing>) -> Finding {
    match driver {
        Ok(_) => {
            found("cuda", "on: bundles that were compiled for a GPU run on it; several devices share the first one")
        }
        Err(_) => lacks(
            "cuda",
            "off, since there is no driver that starts: programs run on the CPU, bundles for GPUs do not run",
        ),
    }
}

/// The library, and what the environment tells it.
fn nccl() -> Finding {
    let set: Vec<String> = std::env::vars_os()
        .map(|(name, value)| (name.to_string_lossy().into_owned(), value.to_string_lossy().into_owned()))
        .filter(|(name, _)| name.starts_with("NCCL_") || name == VARIABLE)
        .map(|(name, value)| format!("{name}={value}"))
        .collect();
    let set = match set.is_empty() {
        true => "no NCCL_* variable is set".to_owned(),
        // The environment has no order of its own.
        false => BTreeSet::from_iter(set).into_iter().collect::<Vec<_>>().join(" "),
    };
    match Nccl::open() {
        Ok(nccl) => found("nccl", format!("{} ({}); {set}", nccl.version_text(), nccl.name)),
        Err(why) => lacks("nccl", format!("{why}; {set}")),
    }
}

fn threads() -> Finding {
    found("threads", "collectives between the devices of one process")
}

fn shm() -> Finding {
    match meshloom_runtime::world::available() {
        Ok(()) => found("shm", "collectives between processes of this host: `launch`, torchrun, srun, mpirun"),
        Err(e) => lacks("shm", format!("processes of this host cannot share memory: {e}")),
    }
}

fn mpi() -> Finding {
    lacks("mpi", "this version has none: processes on several CPU hosts cannot run one program")
}
