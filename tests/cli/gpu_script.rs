//! `scripts/gpu` from beginning to end on a machine that is no GPU: packed in parts, joined, and run with the libraries that stand for the
//! driver and for NCCL, with bundles for CPUs in the place of those for GPUs. The peers, compute-sanitizer and nvidia-smi are scripts.
//! What is tested is the script: that each stage runs what it names, that what is wrong or hangs is found and named, that nothing is measured
//! twice, and that a call which ends early is gone on with.

use crate::for_gpus::for_gpus;
use crate::gpus::{gpu_libraries, shared_object};
use crate::support::{Output, Place, finish, root};
use meshloom_bundle::{
    BufRef, Contents, EntryContents, EntryKind, GpuLaunch, Instr, KernelRef, Launch, LibraryContents, LibraryKind,
    MeshAxis, PROGRAM_VERSION, Program, Touched,
};
use meshloom_run::kernels::{Carried, Launched, METADATA, WrittenBuffer};
use safetensors::tensor::{Dtype, TensorView, serialize};
use serde_json::Value;
use std::collections::{BTreeMap, HashMap};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Kernels of 8 floats each: `y = x + 1` twice, and two that are no such thing.
const KERNELS: &str = "#include <unistd.h>
void plus(const float *x, float *y, long lo, long hi) { for (long i = lo; i < hi; i++) y[i] = x[i] + 1; }
void one_more(const float *x, float *y, long lo, long hi) { plus(x, y, lo, hi); }
void minus(const float *x, float *y, long lo, long hi) { for (long i = lo; i < hi; i++) y[i] = x[i] - 1; }
void waits(const float *x, float *y, long lo, long hi) { (void)x, (void)y, (void)lo, (void)hi; for (;;) pause(); }
";

/// A pack that launches these kernels, each of which is to add one.
fn pack(folder: &Path, name: &str, kernels: &[&str]) {
    let source = folder.join("kernels.c");
    std::fs::write(&source, KERNELS).expect("writes");
    shared_object(&folder.join("kernels.so"), &source);
    let library = LibraryContents {
        name: "sm_90a".into(),
        kind: LibraryKind::Cubin,
        cpu_features: vec![],
        symbols: kernels.iter().map(ToString::to_string).collect(),
        tools: BTreeMap::default(),
        bytes: std::fs::read(folder.join("kernels.so")).expect("a library"),
    };
    let touches = vec![vec![Touched { bytes: 32, start: None }]; 2];
    let kernel = |(i, symbol): (usize, &&str)| KernelRef {
        symbol: (*symbol).into(),
        hash: format!("{i:016x}"),
        buffers: 2,
        units: 8,
        touches: touches.clone(),
        gpu: Some(GpuLaunch::per_thread(128)),
        ..KernelRef::default()
    };
    let launch = |i: usize| {
        let at = 256 * i as u64;
        let args = vec![BufRef::fixed(at, 32), BufRef::fixed(at + 128, 32)];
        let (writes, dims, ops) = (vec![1], vec![], vec![]);
        Instr::Launch(Launch { kernel: i as u32, args, writes, units: 8, dims, source: None, ops })
    };
    let program = Program {
        version: PROGRAM_VERSION,
        entry: "kernels".into(),
        mesh: vec![MeshAxis { name: "data".into(), size: 1 }],
        arena_bytes: 256 * kernels.len() as u64,
        host_bytes: 0,
        scratch_bytes: 0,
        tokens_per_step: 0,
        kernels: kernels.iter().enumerate().map(kernel).collect(),
        ports: vec![],
        wires: vec![],
        instrs: (0..kernels.len()).map(launch).collect(),
    };
    let (plan, certificate) = (String::new(), String::new());
    let entries = vec![EntryContents { kind: EntryKind::Function, program, pipeline: None, plan, certificate }];
    let contents = Contents { target: "h100-sxm".into(), entries, libraries: vec![library], sources: vec![] };
    let bundle = meshloom_bundle::write(&contents).unwrap_or_else(|e| panic!("{e}"));
    std::fs::write(folder.join(format!("{name}.loomx")), bundle).expect("writes");
    let launched = |(i, kernel): (usize, &&str)| Launched {
        kernel: (*kernel).into(),
        spec: "y = x + 1".into(),
        end: 256 * (i as u64 + 1),
        results: vec![WrittenBuffer {
            argument: "y".into(),
            offset: 256 * i as u64 + 128,
            dtype: "f32".into(),
            elements: 8,
            scaled: 0.0,
            relative: 0.0,
        }],
    };
    let carried = Carried { launched: kernels.iter().enumerate().map(launched).collect() };
    let memory: Vec<u8> = (0..64 * kernels.len()).flat_map(|i| (i as f32).to_le_bytes()).collect();
    let expected: Vec<u8> = (0..kernels.len())
        .flat_map(|k| (0..8).map(move |i| (64 * k + i + 1) as f32))
        .flat_map(f32::to_le_bytes)
        .collect();
    let view = |b| TensorView::new(Dtype::U8, vec![<[u8]>::len(b)], b).expect("bytes");
    let text = serde_json::to_string(&carried).expect("plain data");
    let tensors = [("memory", view(&memory)), ("expected", view(&expected))];
    let data = serialize(tensors, Some(HashMap::from([(METADATA.to_owned(), text)]))).expect("two tensors");
    std::fs::write(folder.join(format!("{name}.safetensors")), data).expect("writes");
}

fn script(path: &Path, text: &str) {
    std::fs::write(path, format!("#!/bin/sh\n{text}\n")).expect("writes");
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755)).expect("a script");
}

/// The programs around `scripts/gpu`, and the folders that it works in.
struct Walk {
    place: Place,
}

impl Walk {
    fn new() -> Walk {
        let walk = Walk { place: Place::new() };
        let tools = walk.at("tools");
        std::fs::create_dir_all(&tools).expect("a folder");
        gpu_libraries(&tools);
        // What the script compiles for a GPU is compiled for this CPU.
        let drop = "for a; do shift; if [ $skip ]; then skip=; elif [ $a = --target ]; then skip=1; else set -- \"$@\" $a; fi; done";
        let compiler = env!("CARGO_BIN_EXE_meshloom");
        script(&tools.join("meshloom"), &format!("{drop}\nexec {compiler} \"$@\" --cpu native"));
        let asked = walk.at("asked");
        let peer = format!(
            "echo \"$@\" >> {}
case $1,$3 in
-c,*) ;;
*/peer.py,ops) echo '{{\"copy\": 4, \"gelu_chain\": 2, \"softmax_rows\": 2, \"layer_norm_rows\": 2, \"matmul\": 2, \"matmul_tf32\": 3, \"attend\": 2, \"attend_and_back\": 1e-9}}' ;;
*/peer.py,*) echo '{{\"step\": 5000}}' ;;
*) echo '{{\"step_ms\": {{\"median\": 1.5}}, \"losses\": [2.25]}}' ;;
esac",
            asked.display()
        );
        script(&tools.join("torch-python"), &peer);
        let sanitizer = "while [ $1 != --error-exitcode ]; do shift; done; shift 2
\"$@\" > /dev/null; code=$?
echo '========= ERROR SUMMARY: 0 errors'; exit $code";
        script(&tools.join("compute-sanitizer"), sanitizer);
        let smi = "case $1 in
--query-gpu*) echo 'A GPU that is none, 580.00, 81559 MiB' ;;
*) pgrep meshloom-run | sed 's/$/, 100/' ;;
esac";
        script(&tools.join("nvidia-smi"), smi);
        walk
    }

    fn at(&self, name: &str) -> PathBuf {
        self.place.path().join(name)
    }

    fn gpu(&self, folder: &Path, args: &[&str]) -> Output {
        let mut c = Command::new("python3");
        c.current_dir(self.place.path()).arg(folder.join("gpu")).args(args);
        let path = std::env::var("PATH").unwrap_or_default();
        c.env("PATH", format!("{}:{path}", self.at("tools").display()));
        c.env("LD_LIBRARY_PATH", self.at("tools")).env("FAKE_NCCL_DIR", self.at("tools"));
        c.env("TORCH_PYTHON", self.at("tools/torch-python")).env("JAX_PYTHON", "/nowhere/python3");
        ["RANK", "WORLD_SIZE", "MESHLOOM_NCCL", "MESHLOOM_MATMUL"].iter().for_each(|v| {
            c.env_remove(v);
        });
        finish(c)
    }

    fn rows(&self, file: &str) -> Vec<Value> {
        let text = std::fs::read_to_string(self.at(file)).expect("results");
        text.lines().map(|l| serde_json::from_str(l).unwrap_or_else(|e| panic!("{e}: {l}"))).collect()
    }

    /// How often the peer's python was asked for something.
    fn asked(&self, what: &str) -> usize {
        let text = std::fs::read_to_string(self.at("asked")).unwrap_or_default();
        text.lines().filter(|l| l.contains(what)).count()
    }
}

/// The result of the last row of a stage that is about this.
fn result<'r>(rows: &'r [Value], stage: &str, what: &str, on: &str) -> (&'r str, &'r str) {
    let row = rows.iter().rev().find(|r| r["stage"] == stage && r["what"] == what && r["on"] == on);
    let row = row.unwrap_or_else(|| panic!("{stage}, {what}, {on}: no row of it in {rows:#?}"));
    (row["result"].as_str().unwrap_or(""), row["note"].as_str().unwrap_or(""))
}

#[test]
fn the_script_for_gpus_from_beginning_to_end() {
    let walk = Walk::new();
    let packs = walk.at("packs");
    std::fs::create_dir_all(&packs).expect("a folder");
    pack(&packs, "right.plus", &["plus", "one_more"]);
    pack(&packs, "wrong.minus", &["plus", "minus", "one_more"]);
    pack(&packs, "wrong.plus", &["plus"]);
    pack(&packs, "hangs.waits", &["plus", "waits"]);
    ["kernels.c", "kernels.so"].iter().for_each(|f| std::fs::remove_file(packs.join(f)).expect("a file"));
    let runner = Path::new(env!("CARGO_BIN_EXE_meshloom")).with_file_name("meshloom-run");
    assert!(runner.is_file(), "{}: build it first (cargo build -p meshloom-run)", runner.display());

    let whole = packed_and_joined(&walk, &packs, &runner);
    wrong_kernels(&walk, &whole);
    // The rest with kernels that are right.
    let mut zip = Command::new("python3");
    zip.current_dir(&packs).args(["-m", "zipfile", "-c"]).arg(whole.join("kernels.zip"));
    assert!(zip.args(["right.plus.loomx", "right.plus.safetensors"]).status().expect("python3").success());
    all_stages(&walk, &whole);
}

fn text(path: &Path) -> String {
    path.display().to_string()
}

/// In parts, of which none is larger than it may be, and together again.
fn packed_and_joined(walk: &Walk, packs: &Path, runner: &Path) -> PathBuf {
    let (parts, compiler, nccl) = (walk.at("parts"), walk.at("tools/meshloom"), walk.at("tools/libnccl.so.2"));
    let args = ["pack", &text(&parts), "--small", "--room", "6", "--kernels", &text(packs), "--nccl", &text(&nccl)];
    let more = ["--meshloom", &text(&compiler), "--meshloom-run", &text(runner)];
    let out = walk.gpu(&root().join("scripts"), &[&args[..], &more].concat());
    let lacks: Vec<&str> = out.stdout.lines().filter(|l| l.starts_with("lacks ")).collect();
    assert!(out.code == 1 && lacks.iter().all(|l| l.contains("it has no PTX")), "{}{}", out.stdout, out.stderr);
    assert_eq!(lacks.len(), 5, "{}", out.stdout);
    let folders: Vec<&str> =
        out.stdout.lines().filter_map(|l| Some(l.split_once(": ")?.0)).filter(|l| l.starts_with('/')).collect();
    assert!(folders.len() > 1, "{}", out.stdout);
    let whole = walk.at("whole");
    for (i, folder) in folders.iter().enumerate() {
        let size = |p: PathBuf| {
            std::fs::read_dir(p)
                .expect("a folder")
                .flatten()
                .filter_map(|e| e.metadata().ok())
                .map(|m| m.len())
                .sum::<u64>()
        };
        assert!(size(folder.into()) < (6 << 20) + (1 << 16), "{folder}");
        let out = walk.gpu(Path::new(folder), &["join", &text(&whole)]);
        assert_eq!(out.code, 0, "{}", out.stderr);
        assert_eq!(out.stdout.contains("complete"), i + 1 == folders.len(), "{}", out.stdout);
    }
    for file in std::fs::read_dir(&whole).expect("a folder").flatten().map(|e| e.path()) {
        if file.extension().is_some_and(|e| e == "loomx") {
            let bundle = std::fs::read(&file).expect("a bundle");
            std::fs::write(&file, for_gpus(&bundle)).expect("writes");
        }
    }
    whole
}

/// What is wrong and what hangs is named, and what is beside it is right.
fn wrong_kernels(walk: &Walk, whole: &Path) {
    let out =
        walk.gpu(whole, &["run", "doctor", "kernels", "--patience", "0.1", "--results", &text(&walk.at("first"))]);
    assert_eq!(out.code, 1, "{}{}", out.stdout, out.stderr);
    let rows = walk.rows("first");
    assert_eq!(result(&rows, "doctor", "card", ""), ("ok", "A GPU that is none, 580.00, 81559 MiB"));
    assert_eq!(result(&rows, "doctor", "cuda driver", "").0, "ok");
    assert!(result(&rows, "doctor", "nccl", "").1.contains("whole/libnccl.so.2"), "{rows:#?}");
    assert_eq!(result(&rows, "kernels", "right", "1 packs"), ("ok", "2 kernels: all equal (1 pack)"));
    assert_eq!(result(&rows, "kernels", "wrong", "2 packs"), ("WRONG", "1 wrong when run alone"));
    assert_eq!(result(&rows, "kernels", "wrong.plus", "alone").0, "ok");
    let (is, note) = result(&rows, "kernels", "wrong.minus", "launch 1");
    assert!(is == "WRONG" && note.starts_with("minus: minus: y[0] is 63, not 65"), "{note}");
    assert_eq!(result(&rows, "kernels", "hangs.waits", "alone").0, "deadline");
    let (is, note) = result(&rows, "kernels", "hangs.waits", "launch 1");
    assert!(is == "deadline" && note.starts_with("waits: ended after"), "{note}");
    let launches = rows.iter().filter(|r| r["on"].as_str().is_some_and(|on| on.starts_with("launch"))).count();
    assert_eq!(launches, 2, "{rows:#?}");
}

/// What there is no time for is left, a stage that is ended is gone on with, and nothing is measured twice.
fn all_stages(walk: &Walk, whole: &Path) {
    let all = text(&walk.at("all"));
    let run = |more: &[&str]| walk.gpu(whole, &[&["run", "--results", &all, "--measure", "0.2"], more].concat());
    let out = run(&["--minutes", "0.1"]);
    assert!(out.code == 0 && out.stdout.contains("doctor and what comes after it are left"), "{}", out.stdout);
    let out = run(&["losses", "--patience", "0.001"]);
    assert!(out.stdout.contains("what is missing is measured by the same command"), "{}{}", out.stdout, out.stderr);
    let out = run(&["--minutes", "60", "--patience", "3"]);
    assert_eq!(out.code, 0, "{}{}", out.stdout, out.stderr);
    println!("{}", out.stdout);
    let rows = walk.rows("all");
    for stage in ["doctor", "kernels", "losses", "ops", "gpt2", "nccl", "sanitize"] {
        assert_eq!(result(&rows, stage, "stage", "finished").0, "ok");
    }
    for (what, on) in [("mlp", "data=1,model=1"), ("mlp", "data=2,model=2"), ("gpt_tiny", "data=1,model=1")] {
        for how in ["as a graph", "piece by piece"] {
            assert_eq!(result(&rows, "losses", &format!("{what} losses, {how}"), on).0, "ok");
        }
    }
    assert_eq!(result(&rows, "losses", "gpt_small stages, zb-v, as a graph", "pipe=2").0, "missing");
    assert_eq!(result(&rows, "nccl", "mlp as 4 ranks", "data=2,model=2").0, "ok");
    assert_eq!(result(&rows, "peers", "ops", "jax").0, "missing");
    // The host's kernels are no match for an op that takes a picosecond.
    assert_eq!(result(&rows, "ops", "attend_and_back", "ours").0, "below");
    assert!(result(&rows, "ops", "matmul", "our kernel").1.contains("of torch's speed (2.000 ms), the aim is 80%"));
    assert!(result(&rows, "ops", "matmul_tf32", "ours").1.contains("of torch's speed (3.000 ms), the aim is 95%"));
    assert_eq!(result(&rows, "ops", "gpt_tiny step", "torch"), ("ok", "first loss 2.250000"));
    assert_eq!(result(&rows, "gpt2", "gpt2_medium losses", "ours").0, "ok");
    assert_eq!(result(&rows, "gpt2", "gpt2_medium bf16 step", "beside peers").0, "ok");
    assert_eq!(result(&rows, "gpt2", "memory", "measured").0, "ok");
    for tool in ["memcheck", "racecheck", "synccheck", "initcheck"] {
        assert_eq!(
            result(&rows, "sanitize", &format!("mlp {tool}"), "data=2,model=2"),
            ("ok", "ERROR SUMMARY: 0 errors")
        );
    }
    assert_eq!((walk.asked("peer.py torch ops --small"), walk.asked("peer.py torch gpt2_medium --small")), (1, 1));

    // Nothing is left to do, and the table says what there is.
    let out = run(&[]);
    assert_eq!((out.code, walk.rows("all").len()), (0, rows.len()), "{}", out.stdout);
    assert_eq!(walk.asked("peer.py"), 2);
    let out = walk.gpu(whole, &["table", &all]);
    assert!(out.code == 0 && out.stdout.contains(&format!("{} rows, 0 of them wrong", rows.len())), "{}", out.stdout);
    assert_eq!(walk.gpu(whole, &["table", &text(&walk.at("first"))]).code, 1);
}
