//! A run that is killed at any moment and resumed ends with the same bits as a run that was not: parameters, state and
//! metrics.
//!
//! This program is the run as well. With an argument, it trains in the folder of that name and saves after every step.
//! Without one, it starts such runs and kills them (SIGKILL, which nothing can catch).

#[path = "it/common/mod.rs"]
mod common;

use common::fit::{C, model};
use common::*;
use libtest_mimic::{Arguments, Trial};
use meshloom_bundle::*;
use meshloom_runtime::checkpoint::{self, Saving};
use meshloom_runtime::data::{Feed, Spec, npy};
use meshloom_runtime::train::{Train, train};
use meshloom_runtime::{HostTensor, Session, SessionOptions};
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

const STEPS: u64 = 40;
/// Runs that are killed again and again until they are through.
const RUNS: u64 = 12;
/// The least number of times that each of them is killed.
const KILLS: u64 = 2;

fn main() {
    match std::env::args_os().nth(1).filter(|a| Path::new(a).is_dir()) {
        Some(folder) => run(Path::new(&folder)),
        None => {
            let test = Trial::test("killed_at_any_moment", || {
                killed_at_any_moment();
                Ok(())
            });
            libtest_mimic::run(&Arguments::from_args(), vec![test]).exit();
        }
    }
}

/// Trains in a folder with `model.loomx`, `x.npy` and `y.npy` beside it; goes on from the last checkpoint if there is one.
fn run(folder: &Path) {
    let beside = folder.parent().unwrap();
    let bundle = Bundle::read(&fs::read(beside.join("model.loomx")).unwrap()).unwrap();
    let mut s =
        Session::open(&bundle, "fit", &SessionOptions { threads: Some(1), seed: 3, ..SessionOptions::default() })
            .unwrap();
    s.initialize().unwrap();
    let items = ["x", "y"].map(|n| format!("{n}={}", beside.join(format!("{n}.npy")).display()).parse().unwrap());
    let ports: Vec<Port> = s.ports(&[Role::Input]).cloned().collect();
    let feed = Feed::open(&Spec { items: items.into(), ..Spec::default() }, "fit", &ports, 3).unwrap();
    let out = folder.join("out");
    if out.join("latest").exists() {
        checkpoint::resume(&mut s, &out).unwrap();
    }
    let save = Saving { every: 1, keep: Some(2), shard_bytes: 10, ..Saving::to(out) };
    let metrics = Some(folder.join("log.jsonl"));
    let mut plan = Train { steps: STEPS, feed: Some(feed), save: Some(save), metrics, ..Train::default() };
    train(&mut s, &mut plan, &AtomicBool::new(false), &mut |_| {}).unwrap();
}

/// What must not depend on interruptions: the files of the last checkpoint, and the metrics without their times.
fn result(folder: &Path) -> (Vec<(String, Vec<u8>)>, Vec<serde_json::Value>) {
    let latest = fs::read_to_string(folder.join("out/latest")).unwrap();
    let last = folder.join("out").join(latest.lines().next().unwrap());
    let mut files: Vec<(String, Vec<u8>)> = fs::read_dir(last)
        .unwrap()
        .map(|e| e.unwrap())
        .map(|e| (e.file_name().into_string().unwrap(), fs::read(e.path()).unwrap()))
        .collect();
    files.sort();
    let lines = fs::read_to_string(folder.join("log.jsonl")).unwrap();
    let metrics = lines.lines().map(|l| {
        let mut v: serde_json::Value = serde_json::from_str(l).unwrap();
        for time in ["seconds", "tokens_per_second"] {
            v.as_object_mut().unwrap().remove(time);
        }
        v
    });
    (files, metrics.collect())
}

fn killed_at_any_moment() {
    let dir = tempfile::tempdir().unwrap();
    let contents = bundle(vec![(EntryKind::Train, model(2))], C).contents;
    fs::write(dir.path().join("model.loomx"), write(&contents).unwrap()).unwrap();
    // 50 rows, 8 a step: epochs end within batches.
    let mut rng = Rng(11);
    let mut array = |shape: &[u64]| {
        let values: Vec<f32> = (0..shape.iter().product()).map(|_| rng.next(2001) as f32 / 1000.0 - 1.0).collect();
        npy::to_bytes(&HostTensor::f32(shape, &values))
    };
    fs::write(dir.path().join("x.npy"), array(&[50, 4])).unwrap();
    fs::write(dir.path().join("y.npy"), array(&[50])).unwrap();
    let folder = |name: String| {
        let f = dir.path().join(name);
        fs::create_dir(&f).unwrap();
        f
    };
    let whole = folder("whole".into());
    let start = Instant::now();
    run(&whole);
    // A kill comes within this time: at first within about a quarter of a whole run.
    let mut within = start.elapsed() / 4;
    let expected = result(&whole);
    // Two shards of parameters, three of state, an index of each, the manifest and its hash.
    assert_eq!((expected.0.len(), expected.1.len()), (9, STEPS as usize));
    let (mut kills, mut saved) = (0, 0);
    for k in 0..RUNS {
        let (place, more) = loop {
            let place = folder(format!("killed-{k}"));
            let (more, with) = killed_until_through(&place, &mut rng, within);
            saved += with;
            if more >= KILLS {
                break (place, more);
            }
            // The whole run may have waited for a processor that this one had: its kills came too late.
            within /= 2;
            assert!(!within.is_zero(), "runs end before they can be killed");
            fs::remove_dir_all(place).unwrap();
        };
        kills += more;
        let found = result(&place);
        assert_eq!(found.1, expected.1, "metrics of run {k}");
        assert_eq!(found.0, expected.0, "the checkpoint of run {k}");
        // Nothing is left behind but what was asked for.
        let mut names: Vec<String> =
            fs::read_dir(place.join("out")).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        assert_eq!(names, ["latest", "step-000039", "step-000040"], "run {k}");
    }
    assert!(saved > 0, "{kills} kills, none of them with a checkpoint");
    println!("{RUNS} runs, killed {kills} times, {saved} times with a checkpoint: the bits are those of a whole run");
}

/// Starts a run again and again until it ends by itself. Returns how often it was killed, and how often a checkpoint was there then.
fn killed_until_through(place: &Path, rng: &mut Rng, within: Duration) -> (u64, u64) {
    let (mut kills, mut saved) = (0, 0);
    loop {
        let mut child = Command::new(std::env::current_exe().unwrap())
            .arg(place)
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        std::thread::sleep(Duration::from_micros(rng.next(within.as_micros() as u64 + 1)));
        let _ = child.kill();
        let out = child.wait_with_output().unwrap();
        if out.status.success() {
            return (kills, saved);
        }
        assert_eq!(out.status.code(), None, "it failed by itself: {}", String::from_utf8_lossy(&out.stderr));
        kills += 1;
        assert!(kills < 10_000, "runs do not come to an end");
        saved += u64::from(all_complete(&place.join("out")));
    }
}

/// Every checkpoint that is there can be resumed, whatever moment the run died in. Returns whether there was one.
fn all_complete(out: &Path) -> bool {
    let mut any = false;
    for e in fs::read_dir(out).into_iter().flatten().flatten() {
        let name = e.file_name().into_string().unwrap();
        if let Some(step) = name.strip_prefix("step-") {
            let bundle =
                Bundle::read(&fs::read(out.parent().unwrap().parent().unwrap().join("model.loomx")).unwrap()).unwrap();
            let mut s = Session::open(
                &bundle,
                "fit",
                &SessionOptions { threads: Some(1), seed: 3, ..SessionOptions::default() },
            )
            .unwrap();
            let resumed = checkpoint::resume(&mut s, &e.path()).unwrap_or_else(|e| panic!("{name}: {e}"));
            assert_eq!(Ok(resumed.step), step.parse());
            assert_eq!(resumed.data.samples, 8 * resumed.step);
            any = true;
        }
    }
    any
}
