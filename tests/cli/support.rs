//! A folder to work in, and the binary.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

pub fn root() -> PathBuf {
    let cli = Path::new(env!("CARGO_MANIFEST_DIR"));
    cli.parent().expect("the workspace").to_owned()
}

/// A fresh folder with the examples and the fixtures; removed at the end.
pub struct Place(tempfile::TempDir);

impl Place {
    pub fn new() -> Place {
        let dir = tempfile::tempdir().expect("a temporary folder");
        for examples in ["examples", "examples/launch"] {
            copy(&root().join(examples), &dir.path().join(examples));
        }
        copy(&root().join("tests/cli/fixtures"), dir.path());
        Place(dir)
    }

    pub fn path(&self) -> &Path {
        self.0.path()
    }

    pub fn command(&self, args: &[&str]) -> Command {
        let mut c = Command::new(env!("CARGO_BIN_EXE_meshloom"));
        c.args(args).current_dir(self.path()).stdin(Stdio::null());
        // All tests share the kernels that they compile.
        c.env("MESHLOOM_CACHE", concat!(env!("CARGO_TARGET_TMPDIR"), "/kernels"));
        // Reports of bugs land where they are removed with the rest.
        c.env("TMPDIR", self.path()).env_remove("CLICOLOR_FORCE").env_remove("NO_COLOR");
        c
    }

    pub fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path().join(name)).unwrap_or_else(|e| panic!("{name}: {e}"))
    }
}

pub fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).expect("a folder");
    for e in std::fs::read_dir(from).expect("a folder").flatten().filter(|e| e.path().is_file()) {
        std::fs::copy(e.path(), to.join(e.file_name())).expect("a copy");
    }
}

pub struct Output {
    pub code: i32,
    pub stdout: String,
    pub stderr: String,
}

pub fn meshloom(place: &Place, args: &[&str]) -> Output {
    finish(place.command(args))
}

pub fn finish(mut command: Command) -> Output {
    let out = command.output().expect("the binary runs");
    Output {
        code: out.status.code().unwrap_or(-1),
        stdout: String::from_utf8_lossy(&out.stdout).into_owned(),
        stderr: String::from_utf8_lossy(&out.stderr).into_owned(),
    }
}

/// The binary as so many ranks of `mpirun`; none where it is not installed, which is said.
#[cfg(feature = "llvm")]
pub fn mpirun(place: &Place, processes: &str, args: &[&str]) -> Option<Command> {
    if Command::new("mpirun").arg("--version").output().is_err() {
        eprintln!("mpirun is not installed: not tested under it");
        return None;
    }
    let mut c = Command::new("mpirun");
    c.current_dir(place.path()).args(["-np", processes, "--oversubscribe", "--bind-to", "none"]);
    c.arg(env!("CARGO_BIN_EXE_meshloom")).args(args);
    c.envs([("OMPI_ALLOW_RUN_AS_ROOT", "1"), ("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1")]);
    for name in ["RANK", "WORLD_SIZE", "SLURM_STEP_ID"] {
        c.env_remove(name);
    }
    c.stdin(Stdio::null()).env_remove("CLICOLOR_FORCE").env_remove("NO_COLOR");
    Some(c)
}

/// A file of the oracles.
pub fn oracle(name: &str) -> String {
    root().join("tests/data/oracles").join(name).display().to_string()
}

/// The losses that JAX computed, each taken before its step's update.
pub fn oracle_losses(workload: &str) -> Vec<f64> {
    let text = std::fs::read_to_string(oracle(&format!("{workload}/expected.json"))).expect("the oracle");
    let json: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    json["loss_curve"].as_array().expect("a curve").iter().map(|x| x.as_f64().expect("a number")).collect()
}

/// The losses of 20 steps of gpt_tiny that JAX computed by the recipe of `precision` (`scripts/oracles/bf16.py`).
pub fn mixed_losses(precision: &str) -> Vec<f64> {
    let text = std::fs::read_to_string(root().join("tests/data/bf16/gpt_tiny.json")).expect("the table");
    let json: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    json[precision].as_array().expect("a curve").iter().map(|x| x.as_f64().expect("a number")).collect()
}

/// The losses of `run --json`.
pub fn losses(stdout: &str) -> Vec<f64> {
    named_losses(stdout, "loss")
}

/// The same of a program that has another name for its loss.
pub fn named_losses(stdout: &str, name: &str) -> Vec<f64> {
    let loss = |line: &str| {
        let json: serde_json::Value = serde_json::from_str(line).unwrap_or_else(|e| panic!("{e}: {line}"));
        json[name].as_f64().expect("a loss")
    };
    stdout.lines().map(loss).collect()
}

pub fn assert_close(found: &[f64], expected: &[f64], relative: f64) {
    assert_eq!(found.len(), expected.len(), "{found:?}");
    for (step, (a, b)) in found.iter().zip(expected).enumerate() {
        assert!((a - b).abs() <= relative * b.abs(), "step {}: {a} where {b} is due", step + 1);
    }
}
