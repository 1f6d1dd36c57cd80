//! `meshloom bench --gpu`: kernels and whole steps on this machine's GPU, beside JAX and PyTorch if they are installed,
//! as one table.
//!
//! `scripts/gpu` does the measuring, so a machine without this program can run it as well. This program contains the
//! script with all that it needs: examples, the oracles' losses, the peers. This program compiles, and the
//! `meshloom-run` beside it runs.

use meshloom_runtime::device::gpu::{Cuda, GpuInfo};
use meshloom_terminal::{Failed, Result, status};
use std::path::PathBuf;
use std::process::Command;

macro_rules! files {
    ($($path:literal)*) => { [$(($path, include_str!(concat!("../../../", $path)))),*] };
}

/// By their paths in the repository, where the script looks for them.
const FILES: [(&str, &str); 20] = files! {
    "scripts/gpu" "scripts/on_gpu/works.py" "scripts/on_gpu/pack.py" "scripts/on_gpu/results.py" "scripts/on_gpu/process.py"
    "scripts/on_gpu/correct.py" "scripts/on_gpu/speed.py" "scripts/on_gpu/stages.py" "scripts/on_gpu/peer.py" "scripts/on_gpu/ops.loom"
    "examples/oracle_mlp.loom" "examples/gpt_tiny.loom" "examples/gpt_small.loom" "examples/gpt2.loom"
    "tests/data/bench/peer_jax.py" "tests/data/bench/peer_torch.py" "tests/data/oracles/det.py"
    "tests/data/oracles/mlp/expected.json" "tests/data/oracles/gpt_tiny/expected.json" "tests/data/oracles/gpt_small/expected.json"
};

/// Nobody waits for this machine, so all stages may take what they take.
const MINUTES: &str = "600";

pub fn run() -> Result<()> {
    let cuda = Cuda::open().map_err(|why| {
        Failed::usage(format!("there is no GPU to measure: {why}"))
            .help("`scripts/gpu pack` makes a folder for a machine that has one: docs/running.md")
    })?;
    let target = cuda.gpus.first().map_or(Err("no GPU".to_owned()), target).map_err(Failed::usage)?;
    let own = std::env::current_exe().map_err(|e| Failed::usage(format!("this program cannot be found: {e}")))?;
    let runner = own.with_file_name("meshloom-run");
    if !runner.is_file() {
        let text = format!("{} is not there: it is what runs bundles", runner.display());
        return Err(Failed::usage(text).help("cargo build --release -p meshloom-run"));
    }
    let failed = |e: std::io::Error| Failed::usage(format!("cannot be written: {e}"));
    let place = tempfile::tempdir().map_err(failed)?;
    for (path, text) in FILES {
        let path = place.path().join(path);
        std::fs::create_dir_all(path.parent().unwrap_or(place.path())).map_err(failed)?;
        std::fs::write(path, text).map_err(failed)?;
    }
    let pack = place.path().join("pack");
    status::say("Compiling", &format!("for {target}"));
    let command = |script: PathBuf, what: &str| {
        let mut c = Command::new("python3");
        c.arg(script).arg(what);
        c
    };
    let mut first = command(place.path().join("scripts/gpu"), "pack");
    first.arg(&pack).args(["--target", target]).arg("--meshloom").arg(&own).arg("--meshloom-run").arg(&runner);
    // Nothing is carried.
    first.args(["--room", "65536"]);
    // Its summary is status; the table is data.
    let packed = first.stdout(std::io::stderr()).status().map_err(|e| no_python(&e))?;
    if !packed.success() {
        return Err(Failed::usage("the programs to measure were not all made"));
    }
    let mut second = command(pack.join("gpu"), "run");
    second.args(["--minutes", MINUTES]);
    let code = second.status().map_err(|e| no_python(&e))?.code();
    if code == Some(0) { Ok(()) } else { Err(Failed::rejected("a result of this GPU is wrong: see the table")) }
}

fn no_python(e: &std::io::Error) -> Failed {
    Failed::usage(format!("python3 cannot be started, and the table is made by a script: {e}"))
}

/// The built-in target of a GPU.
fn target(gpu: &GpuInfo) -> std::result::Result<&'static str, String> {
    match gpu.capability {
        (8, 0) => Ok("a100-80g"),
        (9, 0) if gpu.name.contains("H200") => Ok("h200"),
        (9, 0) => Ok("h100-sxm"),
        (10, _) => Ok("b200"),
        (major, minor) => Err(format!("{} is of sm_{major}{minor}, for which there is no target", gpu.name)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn targets() {
        let of = |name: &str, capability| target(&GpuInfo { name: name.into(), capability });
        assert_eq!(of("NVIDIA H200", (9, 0)), Ok("h200"));
        assert_eq!(of("NVIDIA H100 80GB HBM3", (9, 0)), Ok("h100-sxm"));
        assert_eq!(of("NVIDIA A100-SXM4-80GB", (8, 0)), Ok("a100-80g"));
        assert!(of("NVIDIA GeForce RTX 2080", (7, 5)).is_err_and(|e| e.contains("sm_75")));
        assert!(FILES.iter().all(|(path, text)| std::path::Path::new(path).is_relative() && !text.is_empty()));
    }
}
