//! Bundles for GPUs on machines that lack something of what they need: what is said, and exit code 2. The driver, where a test wants
//! one, is a library of C that says what the test asks for (`runtime/tests/common/cuda/fake.c`).

#[path = "../../../runtime/tests/common/mod.rs"]
mod common;

use common::fit::{C, model};
use meshloom_bundle::*;
use std::path::Path;
use std::process::Command;

/// A bundle of the model of `common::fit` with these libraries.
fn bundle(dir: &Path, libraries: Vec<(LibraryKind, &str, Vec<u8>)>) {
    let program = model(1);
    let symbols: Vec<String> = program.kernels.iter().map(|k| k.symbol.clone()).collect();
    let library = |(kind, name, bytes): (LibraryKind, &str, Vec<u8>)| LibraryContents {
        name: name.into(),
        kind,
        cpu_features: vec![],
        symbols: symbols.clone(),
        bytes,
    };
    let entry = EntryContents { kind: EntryKind::Train, program, plan: String::new(), certificate: String::new() };
    let libraries = libraries.into_iter().map(library).collect();
    let contents = Contents { target: "h100-sxm".into(), entries: vec![entry], libraries, sources: vec![] };
    std::fs::write(dir.join("fit.loomx"), write(&contents).unwrap()).unwrap();
}

fn ptx(version: &str, target: &str) -> Vec<u8> {
    format!(".version {version}\n.target {target}\n.address_size 64\n").into_bytes()
}

/// Compiles the driver into a folder.
fn driver(dir: &Path, c: &str) {
    std::fs::write(dir.join("libcuda.so.1"), common::library(c)).unwrap();
}

/// Runs the bundle with a loader that finds the folder's libraries, and gives the exit code and what was said.
fn run(dir: &Path, env: &[(&str, &str)]) -> (i32, String) {
    let mut c = Command::new(env!("CARGO_BIN_EXE_meshloom-run"));
    c.current_dir(dir).args(["fit.loomx", "--launcher", "none", "--steps", "3", "--json"]);
    c.args(["--input", "x=det:uniform:fit/x:1.0", "--input", "y=det:uniform:fit/y:1.0"]);
    c.env("LD_LIBRARY_PATH", dir).envs(env.iter().copied());
    let out = c.output().unwrap();
    let text = |b: &[u8]| String::from_utf8_lossy(b).into_owned();
    (out.status.code().unwrap_or(-1), text(&out.stderr) + &text(&out.stdout))
}

const FAKE: &str = include_str!("../../../runtime/tests/common/cuda/fake.c");

#[test]
fn what_is_missing_is_said() {
    let dir = tempfile::tempdir().unwrap();
    bundle(dir.path(), vec![(LibraryKind::Ptx, "sm_90a", ptx("8.0", "sm_90a"))]);
    let says = |env: &[(&str, &str)]| {
        let (code, text) = run(dir.path(), env);
        assert_eq!(code, 2, "{text}");
        text
    };
    // A machine with a driver of its own has something else to say.
    if !Path::new("/proc/driver/nvidia").exists() {
        let text = says(&[]);
        assert!(text.contains("error: cuda: libcuda.so.1 not found: NVIDIA's driver is not installed"), "{text}");
        assert!(text.contains("help: "), "{text}");
    }
    driver(dir.path(), "int cuInit(unsigned f) { return 0; }");
    assert!(says(&[]).contains("libcuda.so.1 has no cu"), "a driver that lacks functions");
    driver(dir.path(), FAKE);
    let text = says(&[("FAKE_CUDA_INIT", "100")]);
    assert!(text.contains("cuda: the driver finds no GPU"), "{text}");
    let text = says(&[("FAKE_CUDA_GPUS", "0")]);
    assert!(text.contains("cuda: the driver finds no GPU"), "{text}");
    let text = says(&[("FAKE_CUDA_INIT", "999")]);
    assert!(text.contains("the driver does not start: CUDA_ERROR_UNKNOWN: unknown error (error 999)"), "{text}");
    let text = says(&[("FAKE_CUDA_VERSION", "11080")]);
    assert!(
        text.contains("`sm_90a` is PTX 8.0, which needs a driver for CUDA 12.0, and this one knows 11.8"),
        "{text}"
    );
    let text = says(&[("FAKE_CUDA_CAPABILITY", "80")]);
    assert!(text.contains("runs on this GPU (A GPU that is none, sm_80): `sm_90a` is for sm_90a"), "{text}");
}

/// The same program runs on the CPU where a driver is broken: nothing of CUDA is touched.
#[test]
fn bundles_for_cpus_need_no_driver() {
    let dir = tempfile::tempdir().unwrap();
    bundle(dir.path(), vec![(LibraryKind::ElfSo, "any", common::library(C))]);
    driver(dir.path(), "__attribute__((constructor)) static void f(void) { __builtin_trap(); }");
    let (code, text) = run(dir.path(), &[]);
    assert_eq!(code, 0, "{text}");
}
