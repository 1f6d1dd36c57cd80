//! Entries with pipeline stages train as one device does: as threads and as processes, saved on one mesh and resumed on another.

use crate::common::staged::{C, alike, bundle_of, in_stages, with_kernels};
use crate::world::{ranks, ranks_by};
use meshloom_bundle::Bundle;
use meshloom_runtime::checkpoint::{Saver, Saving};
use meshloom_runtime::nonfinite::OnNonfinite;
use meshloom_runtime::trace::{TraceSpan, What};
use meshloom_runtime::train::{Train, train};
use meshloom_runtime::{HostTensor, MeasuredRank, Session, SessionOptions, World, checkpoint};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

fn open(bundle: &Bundle, threads: usize, world: Option<&Arc<World>>) -> Session {
    let options = SessionOptions { threads: Some(threads), seed: 5, world: world.cloned(), late: None };
    let mut s = Session::open(bundle, "fit", &options).unwrap_or_else(|e| panic!("{e}"));
    s.initialize().unwrap();
    for input in ["x=det:uniform:fit/x:1.0", "y=det:uniform:fit/y:1.0"] {
        s.input(&input.parse().unwrap()).unwrap();
    }
    s
}

fn losses(s: &mut Session, steps: usize) -> Vec<f64> {
    (0..steps).map(|_| s.step().unwrap().loss.unwrap()).collect()
}

/// All parameters and state.
fn values(s: &Session) -> Vec<HostTensor> {
    ["blocks.*.w", "moments.*.w"].iter().map(|n| s.read(n).unwrap()).collect()
}

#[track_caller]
fn close(a: &[f64], b: &[f64]) {
    assert_eq!(a.len(), b.len());
    let near = |(a, b): (&f64, &f64)| (a - b).abs() < 1e-5 * a.abs().max(1e-3);
    assert!(a.iter().zip(b).all(near), "{a:?}\n{b:?}");
}

#[track_caller]
fn same(a: &[HostTensor], b: &[HostTensor]) {
    for (a, b) in a.iter().zip(b) {
        close(&a.to_f64().unwrap(), &b.to_f64().unwrap());
    }
}

#[test]
fn stages_train_as_one_device_does() {
    let mut one = open(&bundle_of(alike(1)), 1, None);
    let start = values(&one);
    let wanted = losses(&mut one, 12);
    assert!(wanted[11] < wanted[0], "{wanted:?}");
    for threads in [1, 2, 5] {
        let mut s = open(&bundle_of(in_stages(1, true)), threads, None);
        assert_eq!(values(&s), start, "initial values are those of the whole's layers");
        assert_eq!(s.read("blocks.3.w").unwrap(), one_layer(&start[0], 3));
        close(&losses(&mut s, 12), &wanted);
        same(&values(&s), &values(&one));
        assert_eq!(s.step().unwrap().metric("rate"), Some(f64::from(0.02f32)));
        // Of each microbatch 8 floats there, and 8 back, in 13 steps.
        assert_eq!(s.received_bytes(), [13 * 4 * 32, 13 * 4 * 32]);
    }
    // Two shards of the data, and both orders of the axes.
    let mut two = open(&bundle_of(alike(2)), 2, None);
    let wanted = losses(&mut two, 12);
    for inner in [false, true] {
        let mut s = open(&bundle_of(in_stages(2, inner)), 4, None);
        assert_eq!((s.devices(), s.program().devices()), (0..4, 4));
        close(&losses(&mut s, 12), &wanted);
        same(&values(&s), &values(&two));
        s.check_replicas().unwrap();
    }
}

#[test]
fn as_processes() {
    for data in [1, 2] {
        for inner in [false, true] {
            let bundle = bundle_of(in_stages(data, inner));
            let mut one = open(&bundle, 2, None);
            let wanted: Vec<f64> = losses(&mut one, 6);
            for (size, mail) in [(2, false), (4, false), (2, true), (4, true)] {
                if size as u32 > 2 * data {
                    continue;
                }
                let all = ranks_by(&bundle, size, mail, |w| {
                    let mut s = open(&bundle, 2, Some(w));
                    let found = losses(&mut s, 6);
                    s.check_replicas().unwrap();
                    (found, values(&s), s.received_bytes(), s.peak_bytes())
                });
                let case = format!("data {data}, {size} processes, mail: {mail}");
                for (found, values_there, _, peak) in &all {
                    assert_eq!(found, &wanted, "{case}");
                    assert_eq!(values_there, &values(&one), "{case}");
                    assert!(*peak > 0);
                }
                let received = all.iter().map(|r| r.2.iter().sum::<u64>()).sum::<u64>();
                assert_eq!(received, one.received_bytes().iter().sum::<u64>(), "{case}");
            }
        }
    }
}

fn saving(dir: &Path, sharded: bool) -> Saving {
    Saving { sharded: Some(sharded), ..Saving::to(dir) }
}

/// Trains three steps, saves, and gives the values.
fn saved(bundle: &Bundle, size: usize, dir: &Path, sharded: bool) -> Vec<HostTensor> {
    let go = |world: Option<&Arc<World>>| {
        let mut s = open(bundle, 2, world);
        losses(&mut s, 3);
        let mut saver = Saver::open(&s, &saving(dir, sharded)).unwrap();
        saver.save(&s).unwrap();
        saver.settle(&s).unwrap();
        values(&s)
    };
    if size == 1 { go(None) } else { ranks(bundle, size, |w| go(Some(w))).swap_remove(0) }
}

#[test]
fn any_mesh_resumes_what_another_one_saved() {
    let meshes = [(bundle_of(alike(2)), 1), (bundle_of(in_stages(2, true)), 1), (bundle_of(in_stages(2, false)), 4)];
    for sharded in [false, true] {
        for (bundle, size) in &meshes {
            let dir = tempfile::tempdir().unwrap();
            let kept = saved(bundle, *size, dir.path(), sharded);
            for (other, size) in &meshes {
                let resume = |world: Option<&Arc<World>>| {
                    let mut s = open(other, 2, world);
                    assert_eq!(checkpoint::resume(&mut s, dir.path()).unwrap().step, 3);
                    (values(&s), losses(&mut s, 3))
                };
                let (values, losses) =
                    if *size == 1 { resume(None) } else { ranks(other, *size, |w| resume(Some(w))).swap_remove(0) };
                same(&values, &kept);
                let mut one = open(bundle, 2, None);
                close(&losses, &self::losses(&mut one, 6)[3..]);
            }
        }
    }
}

/// A step that is dropped leaves parameters and state of all stages as they were.
#[test]
fn a_step_that_is_not_finite_is_dropped() {
    let bundle = bundle_of(in_stages(2, true));
    let mut s = open(&bundle, 2, None);
    losses(&mut s, 2);
    let before = values(&s);
    s.write("y", HostTensor::f32(&[4, 16], &[f32::INFINITY; 64])).unwrap();
    let mut plan = Train { steps: 3, on_nonfinite: OnNonfinite::Skip, ..Train::default() };
    train(&mut s, &mut plan, &AtomicBool::new(false), &mut |r| assert!(!r.loss.unwrap().is_finite())).unwrap();
    assert_eq!(values(&s), before);
}

/// One device's copy changes alone, in the third update of all.
#[test]
fn a_copy_that_differs_is_found() {
    let damage = "v[i] = 0.5f * v[i] + dw[i]; if (i == lo && __sync_add_and_fetch(&calls, 1) == 3) w[i] += 0.25f;";
    let c = format!("static int calls;\n{}", C.replace("v[i] = 0.5f * v[i] + dw[i];", damage));
    let bundle = Bundle::read(&with_kernels(in_stages(2, true), &c)).unwrap();
    let mut s = open(&bundle, 2, None);
    s.check_replicas().unwrap();
    losses(&mut s, 1);
    let e = s.check_replicas().unwrap_err().message;
    assert!(e.contains("the copies of `blocks.*.w` differ, which are equal along data in a sound run"), "{e}");
    // The devices of one stage or of the other.
    let both = |a: u32, b: u32| e.contains(&format!("device {a} has")) && e.contains(&format!("device {b} has"));
    assert!(both(0, 2) || both(1, 3), "{e}");
}

/// What ran is what the table says, cell by cell.
#[test]
fn a_step_of_all_stages_is_traced() {
    let entry = in_stages(2, true);
    let table = entry.pipeline.as_ref().unwrap().schedule.clone();
    let mut s = open(&bundle_of(entry), 2, None);
    s.trace_run(2);
    losses(&mut s, 2);
    let trace = s.trace().unwrap();
    assert_eq!(trace.tracks, ["stage 0, worker 0", "stage 1, worker 0"]);
    for (track, devices) in [(0, [0, 2]), (1, [1, 3])] {
        let of = |name: &'static str| trace.spans.iter().filter(move |x| x.track == track && x.label.name == name);
        let (send, receive) = if track == 0 { ("there", "back") } else { ("back", "there") };
        let wires = ["send", "receive"].map(|what| {
            let name = format!("{what} {}", if what == "send" { send } else { receive });
            trace.spans.iter().filter(|x| x.track == track && x.label.name == name).count()
        });
        assert_eq!((of("fwd").count(), of("bwd").count(), wires), (8, 8, [8, 8]));
        assert!(of("fwd").all(|x| x.device.is_some_and(|d| devices.contains(&d))));
        assert_eq!(of("update").count(), 2);
        let mut actions: Vec<_> =
            trace.spans.iter().filter(|x| x.track == track && x.label.what == What::Action).collect();
        actions.sort_by(|a, b| a.start.total_cmp(&b.start));
        let names: Vec<&str> = actions.iter().map(|x| x.label.name.as_str()).collect();
        assert_eq!(names.join(","), table.lines().nth(track).unwrap());
        assert!(actions.windows(2).all(|w| w[0].end <= w[1].start), "one after the other");
        let within = |x: &TraceSpan| actions.iter().any(|a| a.start <= x.start && x.end <= a.end && a.at[0] == x.at[0]);
        assert!(of("fwd").all(within), "of the microbatch");
    }
}

/// 1F1B with 2 ranks and 4 microbatches: rank 0 waits for a fifth of its time, where everything takes equally long.
#[test]
fn ranks_are_measured() {
    let slow = C.replace("long layers) {", "long layers) { usleep(1000);");
    let c = format!("#include <unistd.h>\n{slow}");
    let check = |all: &[MeasuredRank], steps: u64| {
        assert_eq!(all.len(), 2);
        for (k, r) in all.iter().enumerate() {
            let kinds: Vec<(&str, u64)> = r.kinds.iter().map(|k| (k.0.as_str(), k.1)).collect();
            assert_eq!((r.rank, r.steps, kinds), (k, steps, vec![("B", 4), ("F", 4)]));
            assert!(r.kinds.iter().all(|k| k.2 > 1e-3) && r.seconds > 8e-3, "{r:?}");
            assert!(r.peak_bytes > 0 && r.planned_bytes > 0, "{r:?}");
            assert!((r.at_unit_times - [0.2, 0.0][k]).abs() < 1e-9, "{r:?}");
        }
        assert!(all[0].idle > 0.05 && all[0].by_table > 0.05, "{all:?}");
    };
    let bundle = Bundle::read(&with_kernels(in_stages(1, true), &c)).unwrap();
    let mut s = open(&bundle, 2, None);
    assert_eq!(s.measured_ranks(), []);
    losses(&mut s, 4);
    check(&s.measured_ranks(), 3);
    let heard = ranks_by(&bundle, 2, true, |w| {
        let mut s = open(&bundle, 1, Some(w));
        losses(&mut s, 3);
        s.measured_ranks()
    });
    heard.iter().for_each(|all| check(all, 2));
    assert_eq!(heard[0], heard[1]);
}

fn one_layer(t: &HostTensor, layer: usize) -> HostTensor {
    HostTensor { shape: t.shape[1..].to_vec(), bytes: t.bytes[layer * 32..][..32].to_vec(), ..t.clone() }
}
