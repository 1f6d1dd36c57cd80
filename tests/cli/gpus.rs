//! Compiled pipeline stages on GPUs that are the host's: the kernels are those of a bundle for CPUs, and the libraries of C that the
//! runtime is tested with stand for the driver and for NCCL. So what the schedules of the compiler ask of streams, graphs and
//! messages is run, by one process with all stages and by one for each; the code of GPU kernels is not.

use crate::for_gpus::for_gpus;
use crate::support::{Place, losses, meshloom, root};
use std::path::Path;

/// Writes the libraries that stand for a GPU's to a folder.
pub fn gpu_libraries(folder: &Path) {
    for (c, library) in [("fake.c", "libcuda.so.1"), ("nccl.c", "libnccl.so.2")] {
        shared_object(&folder.join(library), &root().join("runtime/tests/it/common/cuda").join(c));
    }
}

pub fn shared_object(to: &Path, source: &Path) {
    let mut cc = std::process::Command::new("cc");
    let done = cc.args(["-O2", "-fPIC", "-shared", "-o"]).arg(to).arg(source).status();
    assert!(done.expect("a C compiler").success());
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
        let bundle = std::fs::read(place.path().join("m.loomx")).expect("a bundle");
        std::fs::write(place.path().join("gpu.loomx"), for_gpus(&bundle)).expect("writes");
        gpu_libraries(place.path());
        let trained = |args: &[&str]| four_steps(&place, name, args);
        let want = trained(&["run", "m.loomx"]);
        assert!(want.len() == 4 && want[3] < want[0], "{want:?}");
        assert_eq!(trained(&["run", "gpu.loomx"]), want, "{name}, all stages in one process");
        assert_eq!(trained(&["launch", "--nproc-per-node", "2", "gpu.loomx"]), want, "{name}, a process for each");
    }
}

/// The losses of four steps beside the libraries that stand in for a GPU's.
fn four_steps(place: &Place, what: &str, args: &[&str]) -> Vec<f64> {
    let mut c = place.command(&[args, &["--steps", "4", "--json", "--random-inputs", "0"]].concat());
    c.env("LD_LIBRARY_PATH", place.path()).env("FAKE_NCCL_DIR", place.path());
    // A step that waits for itself fails, and does not hang.
    c.env("FAKE_NCCL_DEADLINE", "60000");
    let out = crate::support::finish(c);
    assert_eq!(out.code, 0, "{what}, {args:?}: {}", out.stderr);
    losses(&out.stdout)
}

/// With the optimizer's state in the host's memory, which the driver pins and copies on streams of its own: on all devices of a mesh,
/// and in pipeline stages, in one process and in two.
#[test]
fn offloaded_state_trains_as_on_cpu_devices() {
    let place = Place::new();
    gpu_libraries(place.path());
    for mesh in ["data=2", "pipe=2"] {
        let compile = |args: &[&str], to: &str| {
            let all = ["compile", "stages.loom", "--mesh", mesh, "--plan", "follow", "--cpu", "native", "-o", to];
            let out = meshloom(&place, &[&all[..], args].concat());
            assert_eq!(out.code, 0, "{mesh}: {}", out.stderr);
        };
        compile(&[], "m.loomx");
        compile(&["--offload", "state"], "moved.loomx");
        let bundle = std::fs::read(place.path().join("moved.loomx")).expect("a bundle");
        std::fs::write(place.path().join("gpu.loomx"), for_gpus(&bundle)).expect("writes");
        let trained = |args: &[&str]| four_steps(&place, mesh, args);
        let want = trained(&["run", "m.loomx"]);
        assert!(want.len() == 4 && want[3] < want[0], "{want:?}");
        for args in
            [&["run", "moved.loomx"][..], &["run", "gpu.loomx"], &["launch", "--nproc-per-node", "2", "gpu.loomx"]]
        {
            assert_eq!(trained(args), want, "{mesh}, {args:?}");
        }
    }
}
