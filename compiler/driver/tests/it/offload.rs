//! Steps whose optimizer state or stashes lie in the host's memory: they train bit for bit as steps without, in less memory of the
//! device, and what runs is proved.
#![cfg(feature = "llvm")]

use crate::support::{bundle, compiled, expected, gpt_small_inputs, on, session, sizes};
use meshloom_driver::{CompileOptions, Program, Scheduled, check, plan, report};
use meshloom_plan::Mode;
use meshloom_plan::cost::{Host, Target};
use meshloom_runtime::device::gpu::simulated::Simulated;
use meshloom_runtime::{Session, SessionOptions, checkpoint};
use meshloom_source::Failure;
use meshloom_source::entry::Offload;
use std::path::PathBuf;

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn options(mesh: &[(&str, u64)], layout: &str, offload: Offload) -> CompileOptions {
    CompileOptions { offload: Some(offload), ..on(mesh, layout) }
}

fn built(of: Oracle, options: &CompileOptions) -> Program<Scheduled> {
    let file = format!("{}.loom", of.name());
    let text = std::fs::read_to_string(root().join("examples").join(&file)).unwrap();
    compiled(&file, &text, options)
}

/// An oracle's workload.
#[derive(Clone, Copy, PartialEq)]
enum Oracle {
    Tiny,
    Small,
}

impl Oracle {
    fn name(self) -> &'static str {
        match self {
            Oracle::Tiny => "gpt_tiny",
            Oracle::Small => "gpt_small",
        }
    }

    fn begin(self, s: &mut Session) {
        if self == Oracle::Small {
            return gpt_small_inputs(s);
        }
        let dir = root().join("tests/data/oracles/gpt_tiny");
        s.initialize().unwrap();
        checkpoint::load_parameters(s, &dir.join("params.safetensors"), None).unwrap_or_else(|e| panic!("{e}"));
        for name in ["tokens", "targets"] {
            let input = format!("{name}=@{}", dir.join(name).with_extension("npy").display());
            s.input(&input.parse().unwrap()).unwrap_or_else(|e| panic!("{e}"));
        }
    }

    fn steps(self, s: &mut Session, n: usize) -> Vec<f64> {
        self.begin(s);
        more(s, n)
    }
}

fn more(s: &mut Session, n: usize) -> Vec<f64> {
    (0..n).map(|_| s.step().unwrap().loss.unwrap()).collect()
}

/// Losses of a workload with its state or stashes in the host's memory, held against JAX's and against those without.
fn trains(oracle: Oracle, mesh: &[(&str, u64)], layout: &str, how: Offload, steps: usize) {
    let of = |offload| built(oracle, &options(mesh, layout, offload));
    let (plain, moved) = (of(Offload::None), of(how));
    let [kept, peak] = [&plain, &moved].map(|p| p.entries[0].plan.memory.clone().unwrap());
    assert!(moved.entries[0].audit.unfollowed.is_empty(), "{:?}", moved.entries[0].audit.unfollowed);
    let mut s = session(&moved);
    let losses = oracle.steps(&mut s, steps);
    println!("{} {mesh:?} {layout}: {losses:?}, device {} and host {}", oracle.name(), peak.total, peak.host);
    for (step, (got, want)) in losses.iter().zip(expected(oracle.name())).enumerate() {
        let e = ((got - want) / want).abs();
        assert!(e < 1e-5, "{mesh:?} {layout}, step {step}: loss {got}, the oracle has {want}");
    }
    let mut other = session(&plain);
    assert_eq!(losses, oracle.steps(&mut other, steps), "{mesh:?} {layout}");
    // What is predicted is what is allocated, of either memory; scratch memory of further workers is not predicted.
    let devices: u64 = mesh.iter().map(|m| m.1).product();
    let arenas = [&plain, &moved].map(|p| devices * p.entries[0].scheduled.program.arena_bytes);
    assert_eq!(other.peak_bytes() - s.peak_bytes(), arenas[0] - arenas[1], "{mesh:?} {layout}");
    assert!(other.host_bytes() == 0 && peak.total < kept.total, "{peak:?} and {kept:?}");
    let host = s.host_bytes() / devices;
    assert_eq!(host, peak.host);
    assert_eq!(report::peak(&moved.entries[0]).unwrap(), peak.total);
    // All but small tensors of the state went there, and most of what the loop keeps.
    let state = if how.state() { kept.state * 97 / 100 } else { 0 };
    let stashes = if how.stashes() { kept.activations / 4 } else { 0 };
    assert!(kept.host == 0 && peak.host >= state + stashes, "{peak:?} and {kept:?}");
    assert!(!how.stashes() || peak.activations < kept.activations, "{peak:?} and {kept:?}");
}

#[test]
fn gpt_tiny_trains_as_the_oracle() {
    for (mesh, layout) in [
        (&[("data", 1), ("model", 1)][..], "dp"),
        (&[("data", 1), ("model", 4)], "megatron"),
        (&[("data", 2), ("model", 2)], "megatron"),
    ] {
        trains(Oracle::Tiny, mesh, layout, Offload::State, 5);
        trains(Oracle::Tiny, mesh, layout, Offload::Stashes, 5);
    }
}

#[test]
fn gpt_small_trains_as_the_oracle() {
    trains(Oracle::Small, &[("data", 1), ("model", 1), ("seq", 1)], "dp", Offload::State, 5);
    trains(Oracle::Small, &[("data", 2), ("model", 2), ("seq", 1)], "megatron", Offload::State, 3);
    trains(Oracle::Small, &[("data", 4), ("model", 1), ("seq", 1)], "zero1", Offload::State, 3);
    trains(Oracle::Small, &[("data", 1), ("model", 1), ("seq", 1)], "dp", Offload::Stashes, 3);
    trains(Oracle::Small, &[("data", 2), ("model", 2), ("seq", 1)], "megatron", Offload::All, 3);
}

/// On the executor for GPUs, with a device that does work in any order that its events allow.
#[test]
fn copies_wait_for_what_they_copy() {
    for how in [Offload::State, Offload::All] {
        waits(how);
    }
}

fn waits(how: Offload) {
    let program = built(Oracle::Tiny, &options(&[("data", 2), ("model", 2)], "megatron", how));
    let (bundle, entry) = (bundle(&program), program.entries[0].name.as_str());
    let cpu = Oracle::Tiny.steps(&mut Session::open(&bundle, entry, &SessionOptions::default()).unwrap(), 5);
    for seed in 0..3 {
        let driver = Box::new(Simulated::new(&bundle.contents.libraries, seed).unwrap());
        let mut s = Session::on_driver(&bundle, entry, &SessionOptions::default(), driver).unwrap();
        assert_eq!(Oracle::Tiny.steps(&mut s, 5), cpu, "seed {seed}");
        assert_eq!(s.host_bytes(), 4 * program.entries[0].scheduled.program.host_bytes.next_multiple_of(512));
    }
}

/// A checkpoint says nothing of where tensors lay: either run goes on from the other's.
#[test]
fn checkpoints_are_those_of_every_other_run() {
    let mesh = [("data", 2), ("model", 1)];
    let of = |offload| built(Oracle::Tiny, &options(&mesh, "dp", offload));
    let (plain, moved) = (of(Offload::None), of(Offload::State));
    let want = Oracle::Tiny.steps(&mut session(&plain), 6);
    for (first, second) in [(&plain, &moved), (&moved, &plain)] {
        let dir = tempfile::tempdir().unwrap();
        let mut s = session(first);
        assert_eq!(Oracle::Tiny.steps(&mut s, 3), want[..3]);
        checkpoint::save(&s, &checkpoint::Saving::to(dir.path())).unwrap_or_else(|e| panic!("{e}"));
        let mut s = session(second);
        Oracle::Tiny.begin(&mut s);
        checkpoint::resume(&mut s, dir.path()).unwrap_or_else(|e| panic!("{e}"));
        assert_eq!(more(&mut s, 3), want[3..]);
    }
}

/// Device memory, host memory and predicted time of a step of gpt_small on an H100 that may hold so many bytes; what is said where
/// nothing fits.
fn under(budget: Option<u64>, offload: Offload) -> Result<(u64, u64, f64), String> {
    let mut o = options(&[("data", 1), ("model", 1), ("seq", 1)], "", offload);
    o.front.dims = sizes(&[("batch", 32), ("d", 512), ("heads", 8), ("head", 64)]);
    (o.plan.mode, o.plan.budget) = (Mode::Search, budget);
    o.plan.target = Target::builtin("h100-sxm").unwrap();
    let text = std::fs::read_to_string(root().join("examples/gpt_small.loom")).unwrap();
    match check("gpt_small.loom", &text, &o).and_then(|p| plan(p, &o)) {
        Ok(p) => {
            let made = &p.entries[0].plan;
            let peak = made.memory.as_ref().unwrap();
            Ok((peak.total, peak.host, made.totals.predicted_step_us))
        }
        Err((Failure::TooLarge(d), _)) => Err(format!("{d:?}")),
        Err((e, _)) => panic!("{e}"),
    }
}

/// `auto` leaves state where it is while there is room, and is no slower than either choice where there is not. Where only
/// offloading helps, that is told.
#[test]
fn auto_takes_the_faster_of_what_fits() {
    let (full, host, _) = under(None, Offload::Auto).unwrap();
    assert_eq!(host, 0);
    let (mut moved, mut both) = (0, 0);
    for percent in [80, 50, 40] {
        let budget = Some(full * percent / 100);
        let [none, state, stashes, all, auto] = Offload::ALL.map(|o| under(budget, o));
        println!("{percent} %: {none:?}, state {state:?}, stashes {stashes:?}, all {all:?}, auto {auto:?}");
        let time = |x: &Result<(u64, u64, f64), String>| x.as_ref().map_or(f64::INFINITY, |x| x.2);
        let best = [&none, &state, &stashes, &all].map(time).into_iter().fold(f64::INFINITY, f64::min);
        assert_eq!(time(&auto), best, "{percent} %");
        if let (Err(told), Ok(_)) = (&none, &state) {
            assert!(told.contains("--offload state: "), "{told}");
            moved += 1;
        }
        if let (Err(told), Err(_), Ok(_)) = (&none, &state, &all) {
            assert!(told.contains("--offload all: "), "{told}");
            both += 1;
        }
        assert!(auto.is_ok_and(|x| x.0 <= full * percent / 100));
    }
    assert!(moved > 0, "everything fits without");
    assert!(both > 0, "state alone always helps");
}

/// Copies keep their streams busy, and a step is at least as long as either.
#[test]
fn copies_take_time() {
    let (kept, moved) = (under(None, Offload::None).unwrap(), under(None, Offload::State).unwrap());
    let host = Target::builtin("h100-sxm").unwrap().host.unwrap();
    let copy_us = moved.1 as f64 / (host.bandwidth as f64 * host.achievable as f64 / 1000.0) * 1e6;
    println!("{kept:?}, {moved:?}, {copy_us} us in each direction");
    assert!(moved.2 >= kept.2 + 0.9 * copy_us && moved.2 <= kept.2 + 2.1 * copy_us, "{kept:?}, {moved:?}, {copy_us}");
    assert!(moved.0 < kept.0 - moved.1 / 2, "{kept:?}, {moved:?}");
}

/// Copies of stashes run beside the layers, and a step is at least as long as either.
#[test]
fn copies_of_stashes_run_beside_layers() {
    let (kept, moved) = (under(None, Offload::None).unwrap(), under(None, Offload::Stashes).unwrap());
    let host = Target::builtin("h100-sxm").unwrap().host.unwrap();
    let copy_us = moved.1 as f64 / (host.bandwidth as f64 * host.achievable as f64 / 1000.0) * 1e6;
    println!("{kept:?}, {moved:?}, {copy_us} us in each direction");
    assert!(moved.1 > 0 && moved.2 > kept.2.max(copy_us) && moved.2 < kept.2 + 2.0 * copy_us, "{kept:?}, {moved:?}");
    // Of four layers' slices, two are on the device.
    assert!(moved.0 < kept.0 - moved.1 / 4, "{kept:?}, {moved:?}");
}

/// What has no stashes, or keeps those of several microbatches, says so; `auto` does without.
#[test]
fn stashes_that_cannot_be_moved_are_refused() {
    let text = std::fs::read_to_string(root().join("examples/gpt_tiny.loom")).unwrap();
    let flat = "dim batch = 2, n = 8\nstruct Net { w: f32[n, n] = normal(0.1) }\n\
        fn loss(m: Net, x: f32[batch, n]) -> f32 { mean(dot(x, m.w)) }\ntrain net = sgd(loss, lr: 0.1)\n";
    let staged = text.replace("mesh [", "mesh [rank: 2, ").replace("[Block; layers]", "[Block; layers] @ rank");
    for (text, said) in [(flat, "no loop that keeps anything"), (&staged, "pipeline stages")] {
        for how in [Offload::Stashes, Offload::All, Offload::Auto] {
            let o = CompileOptions { offload: Some(how), ..CompileOptions::default() };
            let made = check("net.loom", text, &o).err().map(|(e, _)| format!("{e:?}")).unwrap_or_default();
            assert_eq!(made.contains(said), how != Offload::Auto, "{how:?}: {made}");
        }
    }
}

/// What the target does not say cannot be planned.
#[test]
fn a_target_without_a_host_is_refused() {
    let mut o = options(&[("data", 1), ("model", 1)], "dp", Offload::State);
    o.plan.target = Target { host: None, ..o.plan.target };
    let refused = |o: &CompileOptions| {
        let text = std::fs::read_to_string(root().join("examples/gpt_tiny.loom")).unwrap();
        let made = check("gpt_tiny.loom", &text, o).and_then(|p| plan(p, o));
        made.err().map(|(e, _)| format!("{e:?}")).unwrap_or_default()
    };
    assert!(refused(&o).contains("says nothing of a host's memory"), "{}", refused(&o));
    o.plan.target.host = Some(Host { memory: 1 << 10, bandwidth: 1, achievable: 1 });
    assert!(refused(&o).contains("1.0 KiB"), "{}", refused(&o));
}
