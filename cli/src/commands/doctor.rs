//! `meshloom doctor`: what this machine has, what Meshloom does with it, and what is missing.

use crate::args::DoctorArgs;
use meshloom_run::doctor::{self, Finding, found, lacks};
use meshloom_runtime::device::library::has;
use meshloom_terminal::{Result, status};

pub fn run(args: &DoctorArgs) -> Result<()> {
    let own = [version(), cores(), cpu(), memory(), llvm(), kernel_cache(), linker(), ptxas()];
    doctor::print(own.into_iter().chain(doctor::devices()).collect(), args.json);
    Ok(())
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
    use meshloom_codegen::worker;
    match worker::program().and_then(|program| worker::llvm_version(&program)) {
        Ok(version) => found("llvm", format!("{version}, with MLIR")),
        Err(e) => lacks("llvm", e.to_string()),
    }
}

#[cfg(not(feature = "llvm"))]
fn llvm() -> Finding {
    lacks("llvm", "this build has none: it plans, and neither compiles nor runs")
}

/// Where kernels are kept. A machine without such a folder lacks nothing: it compiles them each time.
#[cfg(feature = "llvm")]
fn kernel_cache() -> Finding {
    match crate::cache::find() {
        Ok(cache) => {
            let held = cache.held();
            let kernels = status::count(held.0 as u64, "kernel");
            let (bytes, most) = (status::size(held.1), status::size(cache.most()));
            found("cache", format!("{}: {kernels}, {bytes} of at most {most}", cache.folder().display()))
        }
        Err(why) => found("cache", why),
    }
}

#[cfg(not(feature = "llvm"))]
fn kernel_cache() -> Finding {
    found("cache", "of no use without LLVM")
}

fn linker() -> Finding {
    match in_path("cc") {
        Some(path) => found("linker", path.display().to_string()),
        None => lacks("linker", "`cc` is not in PATH: kernels cannot be linked; install gcc or clang"),
    }
}

#[cfg(feature = "llvm")]
fn ptxas() -> Finding {
    match meshloom_codegen::ptxas::find_ptxas() {
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
