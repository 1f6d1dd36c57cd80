//! Pipeline stages on GPUs that are the host's: driver and NCCL are libraries of C (`runtime/tests/it/common/cuda`). All stages on one
//! GPU, and processes with a GPU each, do what CPU devices do; whoever is late is named with what is waited for.

use super::*;
use crate::common::staged::{C, in_stages, with_kernels};

const DRIVER: &str = include_str!("../../../../../runtime/tests/it/common/cuda/fake.c");
const NCCL: &str = include_str!("../../../../../runtime/tests/it/common/cuda/nccl.c");

/// Two stages on `data` devices each, as `world` processes; on CPUs, or with the libraries that stand for a GPU.
fn ranks(world: usize, data: u32, gpus: bool, args: &[&str]) -> Ranks {
    let mut ranks = Ranks::new(world, args);
    let dir = ranks.dir.path().to_owned();
    let slow = "#include <stdlib.h>\n#include <unistd.h>\nstatic void slow(void) { const char *s = getenv(\"SLOW_MS\"); \
                if (s) usleep(1000 * atoi(s)); }\n";
    let c = format!("{slow}{}", C.replace("float d = out", "if (i == 0) slow(); float d = out"));
    let mut entry = in_stages(data, false);
    if gpus {
        let pipeline = entry.pipeline.as_mut().unwrap();
        let kernels = pipeline.ranks.iter_mut().flat_map(|p| &mut p.kernels);
        kernels.for_each(|k| k.gpu = Some(GpuLaunch::per_thread(128)));
        let mut bundle = Bundle::read(&with_kernels(in_stages(data, false), &c)).unwrap();
        bundle.contents.libraries.iter_mut().for_each(|l| (l.name, l.kind) = ("sm_90a".into(), LibraryKind::Cubin));
        let contents = Contents { target: "h100-sxm".into(), entries: vec![entry], ..bundle.contents };
        std::fs::write(dir.join("fit.loomx"), write(&contents).unwrap()).unwrap();
        std::fs::write(dir.join("libcuda.so.1"), common::library(DRIVER)).unwrap();
        std::fs::write(dir.join("libnccl.so.2"), common::library(NCCL)).unwrap();
    } else {
        std::fs::write(dir.join("fit.loomx"), with_kernels(entry, &c)).unwrap();
    }
    for c in &mut ranks.commands {
        c.env("LD_LIBRARY_PATH", &dir).env("FAKE_NCCL_DIR", &dir);
    }
    ranks
}

#[test]
fn stages_do_what_cpu_devices_do() {
    let args = ["--steps", "5", "--json", "--save", "c", "--check-desync", "2"];
    let run = |world: usize, data: u32, gpus: bool, env: &[(&str, &str)]| {
        let mut ranks = ranks(world, data, gpus, &args);
        ranks.commands.iter_mut().for_each(|c| _ = c.envs(env.iter().copied()));
        let ended = ranks.finish();
        all_say(&ended, 0, &[]);
        let saved = ["model.safetensors", "state.safetensors"];
        let saved = saved.map(|f| std::fs::read(ranks.dir.path().join("c/step-000005").join(f)).unwrap());
        (losses(&ended[0]), saved, ended)
    };
    for (data, worlds) in [(1, &[1, 2][..]), (2, &[4][..])] {
        let (expected, saved, _) = run(1, data, false, &[]);
        for &world in worlds {
            for env in [&[][..], &[("MESHLOOM_CUDA_GRAPHS", "off")][..]] {
                let (found, kept, ended) = run(world, data, true, env);
                assert_eq!(found, expected, "{world} processes, {env:?}");
                assert_eq!(kept, saved, "{world} processes, {env:?}");
                let nccl = ended[0].stderr.contains("for collectives and wires");
                assert_eq!(nccl, world > 1, "{}", ended[0].stderr);
            }
        }
    }
}

/// Each stage is traced by its own process, actions and wires included.
#[test]
fn a_step_of_processes_with_a_gpu_each_is_traced() {
    let mut ranks = ranks(2, 1, true, &["--steps", "4", "--trace", "t.json"]);
    all_say(&ranks.finish(), 0, &[]);
    let names = |file: &str, category: &str| -> Vec<String> {
        let text = std::fs::read_to_string(ranks.dir.path().join(file)).unwrap();
        let json: serde_json::Value = serde_json::from_str(&text).unwrap();
        let of = |e: &&serde_json::Value| e["cat"] == category;
        let mut all: Vec<String> =
            json["traceEvents"].as_array().unwrap().iter().filter(of).map(|e| e["name"].to_string()).collect();
        all.sort();
        all.dedup();
        all
    };
    assert_eq!(names("t.json", "wire"), ["\"receive back\"", "\"send there\""]);
    assert_eq!(names("t.rank1.json", "wire"), ["\"receive there\"", "\"send back\""]);
    assert_eq!(names("t.rank1.json", "action").len(), 8);
}

#[test]
fn a_stopped_gpu_is_named_with_what_is_waited_for() {
    for stopped in [1, 0] {
        let mut ranks = ranks(2, 1, true, &["--timeout", "5"]);
        let mut children = ranks.running();
        signal(&children[stopped], libc::SIGSTOP);
        let late = children.remove(stopped);
        let rest: Vec<Ended> = children.into_iter().map(ended).collect();
        let (name, waits) = (format!("rank {stopped}"), format!("rank {} of the pipeline waits ", 1 - stopped));
        all_say(&rest, 3, &[&name, " within 5 s", " was last seen at ", "step "]);
        let between = ["the end of a step", "the reading of a tensor", "the start of a step"];
        let said = &rest[0].stderr;
        let at_wire = said.contains(&waits) && said.contains(" of microbatch ");
        assert!(at_wire || between.iter().any(|w| said.contains(w)), "{said}");
        signal(&late, libc::SIGCONT);
        assert_eq!(ended(late).code, Some(3));
    }
}

#[test]
fn a_killed_gpu_ends_all() {
    let mut ranks = ranks(4, 2, true, &[]);
    let mut children = ranks.running();
    signal(&children[2], libc::SIGKILL);
    assert_eq!(ended(children.remove(2)).code, None);
    let rest: Vec<Ended> = children.into_iter().map(ended).collect();
    all_say(&rest, 3, &["rank 2 ended without a word (killed?); it was last seen at ", ", step "]);
}
