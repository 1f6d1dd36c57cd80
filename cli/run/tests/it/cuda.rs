//! Bundles for GPUs on machines that lack something that they need: the message, and exit code 2. If a test wants a
//! driver, it is a library in C that says what the test asks for (`runtime/tests/it/common/cuda/fake.c`).

use crate::common;
use crate::common::fit::{C, model};
use meshloom_bundle::*;
use std::path::Path;
use std::process::Command;

/// A bundle of the model of `common::fit` on some devices with these libraries.
fn bundle(dir: &Path, devices: u32, libraries: Vec<(LibraryKind, &str, Vec<u8>)>) {
    bundle_with(dir, devices, libraries, &GpuLaunch::per_thread(128));
}

/// The same, with a launch of the first kernel.
fn bundle_with(dir: &Path, devices: u32, libraries: Vec<(LibraryKind, &str, Vec<u8>)>, first: &GpuLaunch) {
    let gpus = libraries.iter().any(|l| l.0 != LibraryKind::ElfSo);
    let mut program = model(devices);
    for k in &mut program.kernels {
        k.gpu = gpus.then(|| GpuLaunch::per_thread(128));
    }
    if gpus {
        program.kernels[0].gpu = Some(first.clone());
    }
    let symbols: Vec<String> = program.kernels.iter().flat_map(|k| k.symbols().map(String::from)).collect();
    let library = |(kind, name, bytes): (LibraryKind, &str, Vec<u8>)| LibraryContents {
        name: name.into(),
        kind,
        cpu_features: vec![],
        symbols: symbols.clone(),
        tools: Default::default(),
        bytes,
    };
    let program = common::fitted(program);
    let entry = EntryContents {
        kind: EntryKind::Train,
        program,
        pipeline: None,
        plan: String::new(),
        certificate: String::new(),
    };
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

const FAKE: &str = include_str!("../../../../runtime/tests/it/common/cuda/fake.c");

#[test]
fn what_is_missing_is_said() {
    let dir = tempfile::tempdir().unwrap();
    bundle(dir.path(), 1, vec![(LibraryKind::Ptx, "sm_90a", ptx("8.0", "sm_90a"))]);
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
    bundle(dir.path(), 1, vec![(LibraryKind::ElfSo, "any", common::library(C))]);
    driver(dir.path(), "__attribute__((constructor)) static void f(void) { __builtin_trap(); }");
    let (code, text) = run(dir.path(), &[]);
    assert_eq!(code, 0, "{text}");
}

/// The calls into the driver are made for real, to a GPU that is the host: the losses are those of the CPU, a step is captured once and
/// replayed, and what the JIT says of PTX is passed on.
#[test]
fn a_driver_that_computes_on_the_host() {
    let dir = tempfile::tempdir().unwrap();
    driver(dir.path(), FAKE);
    let losses = |text: &str| -> Vec<String> {
        let loss = |l: &str| Some(l.split_once("\"loss\":")?.1.split(',').next()?.to_owned());
        text.lines().filter_map(loss).collect()
    };
    bundle(dir.path(), 1, vec![(LibraryKind::ElfSo, "any", common::library(C))]);
    let (code, text) = run(dir.path(), &[]);
    let cpu = losses(&text);
    assert_eq!((code, cpu.len()), (0, 3), "{text}");
    let cubin =
        || vec![(LibraryKind::Cubin, "sm_90a", common::library(C)), (LibraryKind::Ptx, "sm_90a", ptx("8.0", "sm_90a"))];
    bundle(dir.path(), 1, cubin());
    let log = dir.path().join("log");
    let (code, text) = run(dir.path(), &[("FAKE_CUDA_LOG", log.to_str().unwrap())]);
    assert_eq!((code, losses(&text)), (0, cpu), "{text}");
    let counts = std::fs::read_to_string(&log).unwrap();
    // Two kernels a step, and two sums over one device, which move nothing.
    assert!(counts.starts_with("launches 6 copies 0 fills 1 ") && counts.contains(" graphs 2 "), "{counts}");
    let (code, text) = run(dir.path(), &[("FAKE_CUDA_LOG", log.to_str().unwrap()), ("MESHLOOM_CUDA_GRAPHS", "off")]);
    let counts = std::fs::read_to_string(&log).unwrap();
    assert!(code == 0 && counts.starts_with("launches 6 ") && counts.contains(" graphs 0 "), "{text}{counts}");
    // A traced step is given out piece by piece, and the one after it replayed.
    let mut c = Command::new(env!("CARGO_BIN_EXE_meshloom-run"));
    c.current_dir(dir.path()).args(["fit.loomx", "--launcher", "none", "--steps", "4", "--random-inputs", "1"]);
    c.args(["--trace", "t.json"]).env("LD_LIBRARY_PATH", dir.path()).env("FAKE_CUDA_LOG", &log);
    let out = c.output().unwrap();
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
    assert!(std::fs::read_to_string(&log).unwrap().contains(" graphs 2 "));
    let text = std::fs::read_to_string(dir.path().join("t.json")).unwrap();
    let json: serde_json::Value = serde_json::from_str(&text).unwrap();
    let names: Vec<_> =
        json["traceEvents"].as_array().unwrap().iter().filter(|e| e["ph"] == "X").map(|e| &e["name"]).collect();
    assert_eq!(names, ["forward", "all_reduce over data", "all_reduce over data", "update"], "{text}");
    // A GPU of another architecture takes the PTX, which this one cannot assemble.
    bundle(dir.path(), 1, vec![(LibraryKind::Ptx, "sm_80", ptx("7.0", "sm_80"))]);
    let (code, text) = run(dir.path(), &[]);
    assert_eq!(code, 2, "{text}");
    let said = "kernels/sm_80: cannot be loaded: CUDA_ERROR_INVALID_PTX: ptxas fatal   : this GPU assembles nothing";
    assert!(text.contains(said), "{text}");
    // Several devices need reductions, which come as PTX too: sums of f32 are what this driver has.
    bundle(dir.path(), 2, vec![(LibraryKind::ElfSo, "any", common::library(C))]);
    let (_, cpu) = run(dir.path(), &[]);
    bundle(dir.path(), 2, cubin());
    let (code, text) = run(dir.path(), &[]);
    assert_eq!((code, losses(&text)), (0, losses(&cpu)), "{text}");
}

/// A kernel with clusters that finds its first argument by a tensor map: its driver has to be new enough, and gets a map for each launch.
#[test]
fn clusters_and_tensor_maps() {
    let dir = tempfile::tempdir().unwrap();
    let c = C
        .replace("long hi, long rows) {", "long hi, long rows, const float *map) {")
        .replace("x[4 * r + k]", "map[4 * r + k]");
    assert_eq!(c.matches("map").count(), 3);
    driver(dir.path(), FAKE);
    bundle(dir.path(), 1, vec![(LibraryKind::ElfSo, "any", common::library(C))]);
    let (_, cpu) = run(dir.path(), &[]);
    let map = TensorMap {
        arg: 0,
        offset: 0,
        dtype: DType::F32,
        shape: vec![4, 8],
        strides: vec![16],
        tile: vec![4, 8],
        swizzle: Swizzle::None,
    };
    let first = GpuLaunch { cluster: 2, tensor_maps: vec![map], ..GpuLaunch::per_thread(128) };
    bundle_with(dir.path(), 1, vec![(LibraryKind::Cubin, "sm_90a", common::library(&c))], &first);
    let log = dir.path().join("log");
    let losses = |text: &str| -> Vec<String> {
        let loss = |l: &str| Some(l.split_once("\"loss\":")?.1.split(',').next()?.to_owned());
        text.lines().filter_map(loss).collect()
    };
    let (code, text) = run(dir.path(), &[("FAKE_CUDA_LOG", log.to_str().unwrap())]);
    assert_eq!((code, losses(&text)), (0, losses(&cpu)), "{text}");
    let counts = std::fs::read_to_string(&log).unwrap();
    // Of three steps, the first is given out, the second captured and replayed with its map.
    assert!(counts.contains(" clusters 2 maps 2"), "{counts}");
    driver(dir.path(), &FAKE.replace("cuLaunchKernelEx", "cuLaunchKernelOld"));
    let (code, text) = run(dir.path(), &[]);
    assert!(
        code == 2 && text.contains("uses clusters or tensor maps: a driver for CUDA 12.0 or newer is needed"),
        "{text}"
    );
}

/// NCCL where wheels have it, in an environment where the loader does not look: `doctor` says which one a run would take.
#[test]
fn nccl_inside_of_a_python_package() {
    let dir = tempfile::tempdir().unwrap();
    let package = dir.path().join("lib/python3.12/site-packages/nvidia/nccl/lib");
    std::fs::create_dir_all(&package).unwrap();
    let fake = include_str!("../../../../runtime/tests/it/common/cuda/nccl.c");
    std::fs::write(package.join("libnccl.so.2"), common::library(fake)).unwrap();
    let doctor = |environment: &Path| {
        let mut c = Command::new(env!("CARGO_BIN_EXE_meshloom-run"));
        let out = c.arg("doctor").env("VIRTUAL_ENV", environment).env("PATH", "").env("HOME", "").output().unwrap();
        String::from_utf8_lossy(&out.stdout).into_owned()
    };
    let without = doctor(&dir.path().join("none"));
    // A machine that has one of its own takes that.
    if without.contains("nccl         --") {
        let text = doctor(dir.path());
        let said = format!("nccl         ok  2.28.4 ({}/libnccl.so.2)", package.display());
        assert!(text.contains(&said), "{text}");
    }
}

/// A driver that refuses a tensor map, or is too old for any: the kernel that copies by threads runs in place of the one with the map, with
/// units of its own, and the run and `doctor` say so.
#[test]
fn refused_tensor_maps() {
    let dir = tempfile::tempdir().unwrap();
    let map = TensorMap {
        arg: 0,
        offset: 0,
        dtype: DType::F32,
        shape: vec![4, 8],
        strides: vec![16],
        tile: vec![4, 8],
        swizzle: Swizzle::None,
    };
    // The one with the map computes nothing, and the other asks for the units that are its own.
    let c = C.replace("forward(", "by_threads(").replace("r < rows", "r < (hi == 4 ? rows : 0)");
    let c = format!("{c}\nvoid forward(void) {{}}");
    assert_eq!(c.matches("hi == 4").count(), 1, "{c}");
    bundle(dir.path(), 1, vec![(LibraryKind::ElfSo, "any", common::library(C))]);
    driver(dir.path(), FAKE);
    let losses = |text: &str| -> Vec<String> {
        let loss = |l: &str| Some(l.split_once("\"loss\":")?.1.split(',').next()?.to_owned());
        text.lines().filter_map(loss).collect()
    };
    let (_, cpu) = run(dir.path(), &[]);
    let with = GpuLaunch { tensor_maps: vec![map], ..GpuLaunch::per_thread(128) };
    let by_threads = ByThreads { symbol: "by_threads".into(), units: 4, launch: GpuLaunch::per_thread(64) };
    let both = GpuLaunch { by_threads: Some(Box::new(by_threads)), ..with.clone() };
    bundle_with(dir.path(), 1, vec![(LibraryKind::Cubin, "sm_90a", common::library(&c))], &both);
    let refuses = ("FAKE_CUDA_NO_MAPS", "1");
    let said = "copies by threads in 1 of 1 kernels with tensor maps, which the driver refuses: ";
    let (code, text) = run(dir.path(), &[refuses]);
    assert_eq!((code, losses(&text)), (0, losses(&cpu)), "{text}");
    assert!(text.contains(&format!("{said}CUDA_ERROR_INVALID_VALUE")), "{text}");
    // A driver that makes maps takes the kernel with the map.
    let (code, text) = run(dir.path(), &[]);
    assert!(code == 0 && losses(&text) != losses(&cpu) && !text.contains("copies by threads"), "{text}");
    // A bundle that has no other kernel says what failed.
    bundle_with(dir.path(), 1, vec![(LibraryKind::Cubin, "sm_90a", common::library(&c))], &with);
    let (code, text) = run(dir.path(), &[refuses]);
    assert!(code == 3 && text.contains("a tensor map failed: CUDA_ERROR_INVALID_VALUE"), "{code} {text}");
    let doctor = |env: &[(&str, &str)]| {
        let mut c = Command::new(env!("CARGO_BIN_EXE_meshloom-run"));
        let out = c.arg("doctor").env("LD_LIBRARY_PATH", dir.path()).envs(env.iter().copied()).output().unwrap();
        String::from_utf8_lossy(&out.stdout).into_owned()
    };
    assert!(doctor(&[]).contains("tensor maps  ok  the driver makes them"));
    let text = doctor(&[refuses]);
    assert!(text.contains("tensor maps  --  the driver refuses a plain one: CUDA_ERROR_INVALID_VALUE"), "{text}");
    // An older driver knows no maps.
    bundle_with(dir.path(), 1, vec![(LibraryKind::Cubin, "sm_90a", common::library(&c))], &both);
    driver(dir.path(), &FAKE.replace("cuLaunchKernelEx", "cuLaunchKernelOld"));
    let (code, text) = run(dir.path(), &[("FAKE_CUDA_VERSION", "11080")]);
    assert_eq!((code, losses(&text)), (0, losses(&cpu)), "{text}");
    assert!(text.contains(&format!("{said}it knows CUDA 11.8, and 12.0 is needed")), "{text}");
}

/// A kernel that gives up waiting says for what, by the module's variable: the error has its name, and the step is over.
#[test]
fn what_a_kernel_waited_for() {
    let dir = tempfile::tempdir().unwrap();
    driver(dir.path(), FAKE);
    let waited = waited::Waited { kernel: waited::kernel_number("update"), barrier: 24, parity: 1, block: 5 };
    for (step, name) in [("1", "given out"), ("3", "replayed")] {
        let gives_up = format!("*lr = 0.01f; if (*t + 1 == {step}) *{} = {}ul;", waited::VARIABLE, waited.word());
        let c = format!("unsigned long *{};\n{}", waited::VARIABLE, C.replace("*lr = 0.01f;", &gives_up));
        bundle(dir.path(), 1, vec![(LibraryKind::Cubin, "sm_90a", common::library(&c))]);
        let (code, text) = run(dir.path(), &[]);
        let said = "failed: kernel `update` waited in vain: block 5, the barrier at byte 24 of shared memory, phase of parity 1 \
                    (CUDA_ERROR_LAUNCH_FAILED";
        assert!(code == 3 && text.contains(said), "{name}: {code} {text}");
    }
    // The variable alone changes nothing.
    let c = format!("unsigned long *{};\n{C}", waited::VARIABLE);
    bundle(dir.path(), 1, vec![(LibraryKind::Cubin, "sm_90a", common::library(&c))]);
    let (code, text) = run(dir.path(), &[]);
    assert_eq!(code, 0, "{text}");
}

/// What is said where there is no library.
const NONE: &str =
    "Using kernels for all matmuls, since there is no cuBLASLt: libcublasLt.so.13 not found, neither by the loader";

/// Writes `linear.loomx`: one contraction that a library could compute.
fn linear(dir: &Path) {
    // The kernel computes loss and gradient, so that one is a program of its own: y [4, 8] = x [4, 8] . w [8, 8].
    let c = "void linear(const float *x, const float *w, float *y, long lo, long hi) {
        for (long i = lo; i < hi; i++) { y[i] = 0; for (int k = 0; k < 8; k++) y[i] += x[i / 8 * 8 + k] * w[k * 8 + i % 8]; }
    }";
    let mut p = common::program(&[("data", 1)], 4096);
    let f = DType::F32;
    p.ports.push(common::port(&p, "x", Role::Input, f, &[4, 8], &[&[], &[]], 0));
    p.ports.push(common::port(&p, "w", Role::Input, f, &[8, 8], &[&[], &[]], 256));
    p.ports.push(common::port(&p, "y", Role::Output, f, &[4, 8], &[&[], &[]], 1024));
    let matrix = |arg| Matrix { arg, offset: 0, transposed: false, ld: 8, stride: 0 };
    let (a, b, d) = (matrix(1), matrix(0), matrix(2));
    let gemm = Gemm { m: 8, n: 4, k: 8, batch: 1, dtype: f, result: f, tf32: false, a, b, d, c: None, bias: None };
    let gpu = Some(GpuLaunch { gemm: Some(gemm), ..GpuLaunch::per_thread(128) });
    p.kernels = vec![KernelRef { gpu, ..common::kernel("linear", 3, 0, false) }];
    let at = BufRef::fixed;
    p.instrs = vec![common::launch(0, vec![at(0, 128), at(256, 256), at(1024, 128)], vec![2], 32, vec![])];
    let library = LibraryContents {
        name: "sm_90a".into(),
        kind: LibraryKind::Cubin,
        cpu_features: vec![],
        symbols: vec!["linear".into()],
        tools: Default::default(),
        bytes: common::library(c),
    };
    let entry = EntryContents {
        kind: EntryKind::Function,
        program: common::fitted(p),
        pipeline: None,
        plan: String::new(),
        certificate: String::new(),
    };
    let contents =
        Contents { target: "h100-sxm".into(), entries: vec![entry], libraries: vec![library], sources: vec![] };
    std::fs::write(dir.join("linear.loomx"), write(&contents).unwrap()).unwrap();
}

/// The library in the place of a kernel, in a whole program on a driver that is the host's: the same losses, also from a captured step. What is
/// missing of it, and what it says, reaches whoever asked for it.
#[test]
fn matmuls_by_cublaslt() {
    let dir = tempfile::tempdir().unwrap();
    let fake = include_str!("../../../../runtime/tests/it/common/cuda/cublaslt.c");
    driver(dir.path(), FAKE);
    linear(dir.path());
    let log = dir.path().join("log");
    let run = |env: &[(&str, &str)]| {
        let mut c = Command::new(env!("CARGO_BIN_EXE_meshloom-run"));
        c.current_dir(dir.path()).args(["linear.loomx", "--launcher", "none", "--steps", "4", "--random-inputs", "3"]);
        c.args(["--save-outputs", "out.safetensors"]);
        c.env("LD_LIBRARY_PATH", dir.path()).env("FAKE_CUDA_LOG", &log).envs(env.iter().copied());
        let out = c.output().unwrap();
        let (text, saved) = (String::from_utf8_lossy(&out.stderr).into_owned(), dir.path().join("out.safetensors"));
        let outputs = std::fs::read(&saved).unwrap_or_default();
        let _ = std::fs::remove_file(saved);
        (out.status.code().unwrap_or(-1), text, outputs, std::fs::read_to_string(&log).unwrap_or_default())
    };
    let (code, text, want, counts) = run(&[("MESHLOOM_MATMUL", "own")]);
    assert!(code == 0 && counts.starts_with("launches 4 "), "{text}{counts}");
    let (code, text, ..) = run(&[("MESHLOOM_MATMUL", "cublaslt"), ("MESHLOOM_CUBLASLT", "/nowhere/lib.so")]);
    assert_eq!(code, 2, "{text}");
    let said = "cublaslt: MESHLOOM_MATMUL asks for it: MESHLOOM_CUBLASLT is /nowhere/lib.so, which cannot be loaded: ";
    assert!(text.contains(said), "{text}");
    let (code, text, ..) = run(&[("MESHLOOM_MATMUL", "blas")]);
    assert!(code == 2 && text.contains("MESHLOOM_MATMUL: `blas` is none of auto, own and cublaslt"), "{text}");
    let put = |defines: &str| {
        let bytes = common::library(&format!("{defines}\n{fake}"));
        std::fs::write(dir.path().join("libcublasLt.so.13"), bytes).unwrap();
    };
    put("");
    for graphs in ["on", "off"] {
        let (code, text, got, counts) = run(&[("MESHLOOM_MATMUL", "cublaslt"), ("MESHLOOM_CUDA_GRAPHS", graphs)]);
        assert_eq!((code, &got), (0, &want), "{text}");
        let replayed = if graphs == "on" { " graphs 3 " } else { " graphs 0 " };
        assert!(counts.starts_with("launches 0 ") && counts.contains(replayed), "{counts}");
    }
    // By the table this one is too small for the library, and a library that is too old is left alone.
    let (code, text, got, counts) = run(&[]);
    assert!(code == 0 && got == want && counts.starts_with("launches 4 "), "{text}{counts}");
    assert!(text.contains("Using cuBLASLt 12.8.2 (libcublasLt.so.13) for 0 of 1 matmuls"), "{text}");
    // As wheels have it, where the loader does not look.
    let venv = dir.path().join("venv");
    let package = venv.join("lib/python3.12/site-packages/nvidia/cublas/lib");
    std::fs::create_dir_all(&package).unwrap();
    std::fs::rename(dir.path().join("libcublasLt.so.13"), package.join("libcublasLt.so.12")).unwrap();
    let environment = ("VIRTUAL_ENV", venv.to_str().unwrap());
    let (code, text, got, counts) = run(&[("MESHLOOM_MATMUL", "cublaslt"), environment]);
    assert!(code == 0 && got == want && counts.starts_with("launches 0 "), "{text}{counts}");
    let said = format!("Using cuBLASLt 12.8.2 ({}/libcublasLt.so.12) for 1 of 1 matmuls", package.display());
    assert!(text.contains(&said), "{text}");
    // A machine that has one of its own has something else to say.
    let (code, text, ..) = run(&[("PATH", ""), ("HOME", "")]);
    assert!(code == 0 && (text.contains("Using cuBLASLt ") || text.contains(NONE)), "{text}");
    put("#define FAIL 13");
    let (code, text, ..) = run(&[("MESHLOOM_MATMUL", "cublaslt")]);
    assert!(code == 3 && text.contains("CUBLAS_STATUS_EXECUTION_FAILED (error 13)"), "{code} {text}");
    put("#define VERSION 110505");
    let (code, text, ..) = run(&[("MESHLOOM_MATMUL", "cublaslt")]);
    assert!(code == 2 && text.contains("libcublasLt.so.13 is cuBLASLt 11.5.5: 12.0 or newer is needed"), "{text}");
    assert_eq!(run(&[]).0, 0);
    let doctor = Command::new(env!("CARGO_BIN_EXE_meshloom-run"))
        .arg("doctor")
        .env("LD_LIBRARY_PATH", dir.path())
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&doctor.stdout).into_owned();
    assert!(
        doctor.status.success() && text.contains("cuda driver  ok  CUDA 13.0, A GPU that is none (sm_90)"),
        "{text}"
    );
    assert!(text.contains("cublaslt     --  libcublasLt.so.13 is cuBLASLt 11.5.5"), "{text}");
    put("");
    let doctor = Command::new(env!("CARGO_BIN_EXE_meshloom-run"))
        .arg("doctor")
        .env("LD_LIBRARY_PATH", dir.path())
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&doctor.stdout).into_owned();
    let line = "cublaslt     ok  12.8.2 (libcublasLt.so.13); MESHLOOM_MATMUL is auto: the tuning table decides between it and kernels (table 1)";
    assert!(text.contains(line), "{text}");
}
