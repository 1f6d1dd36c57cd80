//! Compiled pipeline stages on GPUs that are the host's: the kernels are those of a bundle for CPUs, and the libraries of C that the
//! runtime is tested with stand for the driver and for NCCL. So what the schedules of the compiler ask of streams, graphs and
//! messages is run, by one process with all stages and by one for each; the code of GPU kernels is not.

use crate::support::{Place, losses, meshloom, root};
use meshloom_bundle::{Bundle, GpuLaunch, KernelRef, LibraryKind, write};

/// Writes the bundle's programs with its best library as what a GPU runs to a file, and the libraries that stand for one.
fn for_gpus(place: &Place, to: &str) {
    let read = |name: &str| std::fs::read(place.path().join(name)).expect("a file");
    let mut contents = Bundle::read(&read("m.loomx")).unwrap_or_else(|e| panic!("{e}")).contents;
    contents.libraries.truncate(1);
    for e in &mut contents.entries {
        for p in e.pipeline.iter_mut().flat_map(|p| &mut p.ranks) {
            let (scratch, plain) = (p.scratch_bytes, GpuLaunch::per_thread(128));
            let launch = |k: &KernelRef| GpuLaunch { workspace: if k.scratch { scratch } else { 0 }, ..plain.clone() };
            p.kernels.iter_mut().for_each(|k| k.gpu = Some(launch(k)));
        }
    }
    contents.libraries.iter_mut().for_each(|l| (l.name, l.kind) = ("sm_90a".into(), LibraryKind::Cubin));
    let bytes = write(&contents).unwrap_or_else(|e| panic!("{e}"));
    std::fs::write(place.path().join(to), bytes).expect("writes");
    for (c, library) in [("fake.c", "libcuda.so.1"), ("nccl.c", "libnccl.so.2")] {
        let source = root().join("runtime/tests/it/common/cuda").join(c);
        let mut cc = std::process::Command::new("cc");
        let done = cc.args(["-O2", "-fPIC", "-shared", "-o"]).arg(place.path().join(library)).arg(source).status();
        assert!(done.expect("a C compiler").success());
    }
}

/// By one schedule of one stage for each rank, and by one of several, whose ranks send to each other at one time.
/// `MESHLOOM_SCHEDULES=all` takes more.
#[test]
fn stages_train_as_on_cpu_devices() {
    let all = std::env::var("MESHLOOM_SCHEDULES").is_ok_and(|s| s == "all");
    let place = Place::new();
    for name in ["zb-h1", "zb-v", "1f1b", "interleaved", "gpipe", "zb-h2", "dualpipe", "dualpipe-v", "breadth-first"] {
        if !all && !["zb-h1", "zb-v"].contains(&name) {
            continue;
        }
        let args = ["compile", "stages.loom", "--mesh", "pipe=2", "--plan", "follow", "--cpu", "native"];
        let out = meshloom(&place, &[&args[..], &["--schedule", name, "-o", "m.loomx"]].concat());
        assert_eq!(out.code, 0, "{name}: {}", out.stderr);
        for_gpus(&place, "gpu.loomx");
        let trained = |args: &[&str]| {
            let mut c = place.command(&[args, &["--steps", "4", "--json", "--random-inputs", "0"]].concat());
            c.env("LD_LIBRARY_PATH", place.path()).env("FAKE_NCCL_DIR", place.path());
            // A step that waits for itself fails, and does not hang.
            c.env("FAKE_NCCL_DEADLINE", "60000");
            let out = crate::support::finish(c);
            assert_eq!(out.code, 0, "{name}, {args:?}: {}", out.stderr);
            losses(&out.stdout)
        };
        let want = trained(&["run", "m.loomx"]);
        assert!(want.len() == 4 && want[3] < want[0], "{want:?}");
        assert_eq!(trained(&["run", "gpu.loomx"]), want, "{name}, all stages in one process");
        assert_eq!(trained(&["launch", "--nproc-per-node", "2", "gpu.loomx"]), want, "{name}, a process for each");
    }
}

/// `scripts/gpu run` on a folder with one schedule of the four: its losses are the oracle's on one GPU and as two ranks, and the other
/// bundles are said to be missing. gpt_small takes a while, so this is among what `MESHLOOM_SCHEDULES=all` asks for.
#[test]
fn the_script_for_gpus_compares_stages() {
    if std::env::var("MESHLOOM_SCHEDULES").is_ok_and(|s| s != "all") || std::env::var("MESHLOOM_SCHEDULES").is_err() {
        return;
    }
    let place = Place::new();
    let changes = [
        ("seq: 1]", "seq: 1, pipe: 1]"),
        ("[Block; layers]", "[Block; layers] @ pipe"),
        ("weight_decay: 0.01)", "weight_decay: 0.01, accumulate: 4)"),
    ];
    let text = changes.iter().fold(place.read("examples/gpt_small.loom"), |text, (from, to)| text.replace(from, to));
    std::fs::write(place.path().join("gpt_small.loom"), text).expect("writes");
    let args = ["compile", "gpt_small.loom", "--mesh", "pipe=2", "--layout", "dp", "--schedule", "interleaved"];
    let out = meshloom(&place, &[&args[..], &["--cpu", "native", "-o", "m.loomx"]].concat());
    assert_eq!(out.code, 0, "{}", out.stderr);
    for_gpus(&place, "gpt_small-pipe2-interleaved.loomx");
    let at = |name: &str| place.path().join(name);
    std::fs::copy(root().join("scripts/gpu"), at("gpu")).expect("a copy");
    let binary = env!("CARGO_BIN_EXE_meshloom");
    std::fs::write(at("meshloom-run"), format!("#!/bin/sh\nexec {binary} run \"$@\"\n")).expect("writes");
    let mut permissions = std::fs::metadata(at("meshloom-run")).expect("a file").permissions();
    std::os::unix::fs::PermissionsExt::set_mode(&mut permissions, 0o755);
    std::fs::set_permissions(at("meshloom-run"), permissions).expect("a script");
    let oracles: Vec<String> = ["mlp", "gpt_tiny", "gpt_small"]
        .iter()
        .map(|work| format!("{work:?}: {:?}", crate::support::oracle_losses(work)))
        .collect();
    std::fs::write(at("oracles.json"), format!("{{{}}}", oracles.join(", "))).expect("writes");
    let mut c = std::process::Command::new("python3");
    c.current_dir(place.path()).args(["gpu", "run", "--only", "stages", "--no-sanitizer", "--no-peers", "--no-ops"]);
    c.env("LD_LIBRARY_PATH", place.path())
        .env("FAKE_NCCL_DIR", place.path())
        .env_remove("RANK")
        .env_remove("WORLD_SIZE");
    let out = crate::support::finish(c);
    assert_eq!(out.code, 0, "{}{}", out.stdout, out.stderr);
    let rows = |how: &str| {
        out.stdout.lines().any(|l| l.contains("stages, interleaved") && l.contains(how) && l.contains(" ok "))
    };
    assert!(["as a graph", "piece by piece", "2 ranks of NCCL"].iter().all(|how| rows(how)), "{}", out.stdout);
    assert!(out.stdout.contains("no bundle of it in this folder"), "{}", out.stdout);
    println!("{}", out.stdout);
}
