//! What this machine has to run bundles with, and what is missing: the part of `doctor` that both programs share.

use crate::status;
use meshloom_runtime::collectives::nccl::{Nccl, library::VARIABLE};
use meshloom_runtime::device::gpu::{Cuda, GpuInfo, Missing, blas, newer, probe::version_text};
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;

pub struct Finding {
    name: &'static str,
    ok: bool,
    text: String,
}

pub fn found(name: &'static str, text: impl Into<String>) -> Finding {
    Finding { name, ok: true, text: text.into() }
}

pub fn lacks(name: &'static str, text: impl Into<String>) -> Finding {
    Finding { name, ok: false, text: text.into() }
}

/// Who can execute, and how they exchange data.
pub fn devices() -> Vec<Finding> {
    let driver = Cuda::open();
    vec![cuda_driver(&driver), tensor_maps(&driver), nccl(), cublaslt(&driver), cuda(&driver), threads(), shm(), mpi()]
}

/// On standard output.
pub fn print(findings: Vec<Finding>, as_json: bool) {
    if as_json {
        let all: Map<String, Value> =
            findings.into_iter().map(|f| (f.name.to_owned(), json!({ "ok": f.ok, "text": f.text }))).collect();
        status::data(&format!("{}\n", Value::Object(all)));
        return;
    }
    let width = findings.iter().map(|f| f.name.len()).max().unwrap_or(0);
    for f in &findings {
        let mark = if f.ok { "ok" } else { "--" };
        status::data(&format!("{:width$}  {mark}  {}\n", f.name, f.text));
    }
}

/// The library, and who computes matmuls.
fn cublaslt(driver: &Result<Cuda, Missing>) -> Finding {
    let choice = match blas::BlasChoice::from_env() {
        Ok(blas::BlasChoice::Own) => "own: kernels compute all matmuls",
        Ok(blas::BlasChoice::Auto) => "auto: the tuning table decides between it and kernels",
        Ok(blas::BlasChoice::Library) => "cublaslt: it computes all matmuls that it can",
        Err(e) => return lacks("cublaslt", e.to_string()),
    };
    let choice = format!("{} is {choice} (table {})", blas::CHOICE, blas::TABLE_VERSION);
    match blas::describe(driver.as_ref().ok().map(|d| d.version)) {
        Ok(text) => found("cublaslt", format!("{text}; {choice}")),
        Err(why) => lacks("cublaslt", format!("{why}; kernels compute all matmuls")),
    }
}

fn cuda_driver(cuda: &Result<Cuda, Missing>) -> Finding {
    match cuda {
        Ok(cuda) => {
            let gpu = |g: &GpuInfo| format!("{} (sm_{}{})", g.name, g.capability.0, g.capability.1);
            let gpus = cuda.gpus.iter().map(gpu).collect::<Vec<_>>().join(", ");
            found("cuda driver", format!("CUDA {}, {gpus}", version_text(cuda.version)))
        }
        Err(why) => lacks("cuda driver", why.to_string()),
    }
}

/// What copies operands of matrix products on Hopper and later.
fn tensor_maps(driver: &Result<Cuda, Missing>) -> Finding {
    let name = "tensor maps";
    let Ok(cuda) = driver else { return lacks(name, "no driver makes them") };
    if cuda.gpus.iter().all(|g| g.capability < (9, 0)) {
        return lacks(name, "GPUs have them from sm_90 on: threads copy");
    }
    match newer::probe(cuda) {
        Ok(()) => found(name, "the driver makes them; where it refuses one that a program has, threads copy"),
        Err(why) => lacks(name, format!("{why}: threads copy")),
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
    match cfg!(feature = "mpi") {
        true => found("mpi", "collectives between processes of several CPU hosts, under mpirun: `--collectives mpi`"),
        false => {
            lacks("mpi", "this build has none: processes on several CPU hosts need one with the cargo feature `mpi`")
        }
    }
}
