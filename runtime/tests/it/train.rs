//! A least-squares model, data parallel, trained by the loop: losses, metrics, checkpoints, resumption on another mesh, interrupts.

use crate::common::fit::{C, model};
use crate::common::*;
use meshloom_bundle::*;
use meshloom_runtime::checkpoint::{Saver, Saving};
use meshloom_runtime::data::{Feed, Spec, npy};
use meshloom_runtime::nonfinite::OnNonfinite;
use meshloom_runtime::train::{Train, train};
use meshloom_runtime::{HostTensor, RuntimeError, Session, SessionOptions, checkpoint, metrics};
use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

fn session(data: u32, seed: u64) -> Session {
    let b = bundle(vec![(EntryKind::Train, model(data))], C);
    let mut s =
        Session::open(&b, "fit", &SessionOptions { threads: Some(2), seed, ..SessionOptions::default() }).unwrap();
    s.initialize().unwrap();
    for input in ["x=det:uniform:fit/x:1.0", "y=det:uniform:fit/y:1.0"] {
        s.input(&input.parse().unwrap()).unwrap();
    }
    s
}

fn go(s: &mut Session, mut plan: Train) -> (Vec<f64>, meshloom_runtime::train::Finished) {
    let mut losses = Vec::new();
    let done = train(s, &mut plan, &AtomicBool::new(false), &mut |r| losses.push(r.loss.unwrap())).unwrap();
    (losses, done)
}

#[test]
fn losses_fall_and_do_not_depend_on_the_mesh() {
    let (one, _) = go(&mut session(1, 3), Train { steps: 20, ..Train::default() });
    assert!(one[19] < 0.7 * one[0], "{one:?}");
    for data in [2, 4, 8] {
        let mut s = session(data, 3);
        let (many, _) = go(&mut s, Train { steps: 20, ..Train::default() });
        assert!(one.iter().zip(&many).all(|(a, b)| (a - b).abs() < 1e-5 * a), "{one:?} {many:?}");
        // Two all_reduces of 4 and 1 floats per step, by the ring's cost.
        let n = u64::from(data);
        assert_eq!(s.received_bytes().iter().sum::<u64>(), 20 * 2 * (n - 1) * 20);
        assert_eq!(s.program().wire_bytes(), 2 * (n - 1) * 20);
    }
}

#[test]
fn initial_values_do_not_depend_on_the_mesh_but_on_the_seed() {
    let w = |data, seed| session(data, seed).read("blocks.*.w").unwrap();
    assert_eq!(w(1, 0), w(4, 0));
    assert_ne!(w(1, 0), w(1, 1));
    assert_ne!(session(1, 0).read("blocks.0.w").unwrap(), session(1, 0).read("blocks.1.w").unwrap());
}

#[test]
fn metrics_are_json_lines() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("m.jsonl");
    go(&mut session(2, 0), Train { steps: 3, metrics: Some(path.clone()), ..Train::default() });
    let text = fs::read_to_string(path).unwrap();
    let lines: Vec<serde_json::Value> = text.lines().map(|l| serde_json::from_str(l).unwrap()).collect();
    assert_eq!(lines.len(), 3);
    for (k, l) in lines.iter().enumerate() {
        assert_eq!(l["step"], k as u64 + 1);
        assert!(
            l["loss"].is_f64() && l["grad_norm"].is_f64() && l["seconds"].is_f64() && l["tokens_per_second"].is_f64()
        );
        assert!((l["lr"].as_f64().unwrap() - 0.01).abs() < 1e-6);
    }
    let mut r = session(1, 0).step().unwrap();
    r.loss = Some(f64::NAN);
    assert!(metrics::line(&r)["loss"].is_null());
}

/// Stopping after 6 steps and going on to 12, on another mesh, gives the bits of 12 steps at once on that mesh's sums.
#[test]
fn resumption_is_bit_equal_on_the_same_mesh_and_works_on_another() {
    let dir = tempfile::tempdir().unwrap();
    let (all, _) = go(&mut session(2, 5), Train { steps: 12, ..Train::default() });
    let plan = Train { steps: 6, save: Some(Saving { every: 4, ..Saving::to(dir.path()) }), ..Train::default() };
    let (first, done) = go(&mut session(2, 5), plan);
    assert_eq!(done.saved.as_deref(), Some(dir.path().join("step-000006").as_path()));
    assert!(dir.path().join("step-000004/manifest.json").exists());
    assert!(fs::read_to_string(dir.path().join("latest")).unwrap().starts_with("step-000006\n"));
    assert_eq!(first, all[..6]);
    for data in [2, 1, 8] {
        let mut s = session(data, 5);
        assert_eq!(checkpoint::resume(&mut s, dir.path()).unwrap().step, 6);
        assert_eq!(s.read("t").unwrap(), HostTensor::i32(&[], &[6]));
        let (rest, _) = go(&mut s, Train { steps: 12, ..Train::default() });
        if data == 2 {
            assert_eq!(rest, all[6..]);
        }
        assert!(rest.iter().zip(&all[6..]).all(|(a, b)| (a - b).abs() < 1e-5 * a));
    }
    // Names are per layer.
    let bytes = fs::read(dir.path().join("step-000006/model.safetensors")).unwrap();
    let file = safetensors::SafeTensors::deserialize(&bytes).unwrap();
    let mut names = file.names();
    names.sort();
    assert_eq!(names, ["blocks.0.w", "blocks.1.w"]);
    // Saving a step again replaces it, and leaves nothing else behind.
    let mut s = session(2, 5);
    checkpoint::resume(&mut s, dir.path()).unwrap();
    checkpoint::save(&s, &Saving::to(dir.path())).unwrap();
    let mut left: Vec<String> =
        fs::read_dir(dir.path()).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
    left.sort();
    assert_eq!(left, ["latest", "step-000004", "step-000006"]);
    let again = Train { steps: 6, save: Some(Saving::to(dir.path())), ..Train::default() };
    assert_eq!(go(&mut s, again).1.steps_done, 6);
}

#[test]
fn an_interrupt_stops_between_steps_and_saves() {
    let dir = tempfile::tempdir().unwrap();
    let mut s = session(2, 0);
    let stop = AtomicBool::new(false);
    let mut plan = Train { steps: 100, save: Some(Saving::to(dir.path())), ..Train::default() };
    let done = train(&mut s, &mut plan, &stop, &mut |r| stop.store(r.step == 3, Relaxed)).unwrap();
    assert!(done.interrupted && done.steps_done == 3);
    assert!(dir.path().join("step-000003/manifest.json").exists());
}

const FILES: [&str; 4] = ["model.safetensors", "state.safetensors", "manifest.json", "manifest.sha256"];

/// Damaged and mismatching files are refused by name, and change nothing.
#[test]
fn bad_checkpoints_are_refused() {
    let dir = tempfile::tempdir().unwrap();
    let good = session(2, 0);
    let folder = checkpoint::save(&good, &Saving::to(dir.path())).unwrap();
    let before = good.read("blocks.*.w").unwrap();
    let mut s = session(2, 0);
    let mut refused = |change: &dyn Fn(&Path), load: &dyn Fn(&mut Session, &Path) -> BundleResult<(), RuntimeError>| {
        let copy = tempfile::tempdir().unwrap();
        for f in FILES {
            fs::copy(folder.join(f), copy.path().join(f)).unwrap();
        }
        change(copy.path());
        let e = load(&mut s, copy.path()).unwrap_err();
        assert_eq!(s.read("blocks.*.w").unwrap(), before);
        e.to_string()
    };
    let resume = |s: &mut Session, p: &Path| checkpoint::resume(s, p).map(|_| ());
    let load =
        |s: &mut Session, p: &Path| checkpoint::load_parameters(s, &p.join("model.safetensors"), None).map(|_| ());
    let flip = |name: &'static str| {
        move |p: &Path| {
            let mut b = fs::read(p.join(name)).unwrap();
            *b.last_mut().unwrap() ^= 1;
            fs::write(p.join(name), b).unwrap();
        }
    };
    assert!(refused(&flip("model.safetensors"), &resume).contains("model.safetensors: its sha256 differs"));
    assert!(refused(&flip("state.safetensors"), &resume).contains("state.safetensors: its sha256 differs"));
    for of in ["manifest.json", "manifest.sha256"] {
        assert!(refused(&flip(of), &resume).contains("manifest.json: its sha256 is not the one in manifest.sha256"));
    }
    let e = refused(&|p| fs::remove_file(p.join("manifest.sha256")).unwrap(), &resume);
    assert!(e.contains("manifest.sha256: cannot be read"), "{e}");
    let e = refused(&|p| fs::remove_file(p.join("manifest.json")).unwrap(), &resume);
    assert!(e.contains("no complete checkpoint"), "{e}");
    for n in [0, 7, 8, 40, 100] {
        let e = refused(
            &|p| fs::write(p.join("model.safetensors"), &fs::read(p.join("model.safetensors")).unwrap()[..n]).unwrap(),
            &load,
        );
        assert!(e.contains("model.safetensors: no valid safetensors file"), "{e}");
    }
    let rewrite = |tensors: &'static [(&'static str, &'static [usize], safetensors::Dtype)]| {
        move |p: &Path| {
            let data = [0; 64];
            let views = tensors.iter().map(|(n, shape, d)| {
                let len = shape.iter().product::<usize>() * d.bitsize() / 8;
                (*n, safetensors::tensor::TensorView::new(*d, shape.to_vec(), &data[..len]).unwrap())
            });
            safetensors::serialize_to_file(views, None, &p.join("model.safetensors")).unwrap();
        }
    };
    use safetensors::Dtype::{F32, I32};
    let e = refused(&rewrite(&[("blocks.0.w", &[2], F32)]), &load);
    assert!(e.ends_with("tensor `blocks.1.w`: expected f32[2], but the file has none of that name"), "{e}");
    let e = refused(&rewrite(&[("blocks.0.w", &[2], F32), ("blocks.1.w", &[3], F32)]), &load);
    assert!(e.ends_with("tensor `blocks.1.w`: expected f32[2], found f32[3]"), "{e}");
    let e = refused(&rewrite(&[("blocks.0.w", &[2], I32), ("blocks.1.w", &[2], F32)]), &load);
    assert!(e.ends_with("tensor `blocks.0.w`: expected f32[2], found i32[2]"), "{e}");
    // Another seed would read other data.
    assert!(checkpoint::resume(&mut session(2, 9), dir.path()).unwrap_err().to_string().contains("the run had seed 0"));
    // Weights alone need no seed, and tensors that are too many are told.
    let extra = tempfile::tempdir().unwrap();
    rewrite(&[("blocks.0.w", &[2], F32), ("blocks.1.w", &[2], F32), ("other", &[1], F32)])(extra.path());
    let unused =
        checkpoint::load_parameters(&mut session(2, 9), &extra.path().join("model.safetensors"), None).unwrap();
    assert_eq!(unused, ["other"]);
}

#[test]
fn inputs_are_checked() {
    let mut p = model(2);
    p.ports[3].dtype = DType::I32;
    p.ports[3].range = Some(Range { lo: 0, hi: 100 });
    let b = bundle(vec![(EntryKind::Train, p)], C);
    let mut s = Session::open(&b, "fit", &SessionOptions::default()).unwrap();
    let mut x = vec![0; 32];
    s.write("x", HostTensor::i32(&[8, 4], &x)).unwrap();
    x[5] = 100;
    assert_eq!(
        s.write("x", HostTensor::i32(&[8, 4], &x)).unwrap_err().to_string(),
        "x: element 5 is 100; the program takes 0..100"
    );
    x[5] = -1;
    assert!(s.write("x", HostTensor::i32(&[8, 4], &x)).is_err());
    let e = s.write("x", HostTensor::i32(&[4, 8], &x)).unwrap_err().to_string();
    assert_eq!(e, "x: expected i32[8, 4], found i32[4, 8]");
    assert!(
        s.write("nope", HostTensor::i32(&[], &[0]))
            .unwrap_err()
            .to_string()
            .contains("is no input, output or parameter")
    );
    assert!(s.read("blocks.2.w").is_err());
}

/// A folder that says another step than its manifest was renamed by mistake; other names are anybody's.
#[test]
fn the_folder_s_name_and_the_step() {
    let dir = tempfile::tempdir().unwrap();
    let mut s = session(2, 0);
    let folder = checkpoint::save(&s, &Saving::to(dir.path())).unwrap();
    let renamed = |name: &str| {
        let to = dir.path().join(name);
        fs::rename(&folder, &to).unwrap();
        to
    };
    let wrong = renamed("step-000500");
    let e = checkpoint::resume(&mut s, &wrong).unwrap_err().to_string();
    assert!(e.ends_with("manifest.json: is of step 0, and the folder's name says 500"), "{e}");
    fs::rename(&wrong, &folder).unwrap();
    assert_eq!(checkpoint::resume(&mut s, &renamed("best")).unwrap().step, 0);
}

/// What changed since the checkpoint is said with both values, and nothing is refused for it.
#[test]
fn other_settings_are_said() {
    let dir = tempfile::tempdir().unwrap();
    let of = |source: &str, settings: &[(&str, &str)], tokens: u64| {
        let mut p = model(1);
        p.ports[3].global_shape[0] = tokens;
        (p.ports[3].local_shape[0], p.ports[3].bytes) = (tokens, tokens * 16);
        let mut b = bundle(vec![(EntryKind::Train, p)], C);
        let settings: String = settings.iter().map(|(name, v)| format!("{name} = {v}\n")).collect();
        b.contents.sources = vec![("fit.loom".into(), source.into()), ("settings of fit".into(), settings)];
        let mut s = Session::open(&b, "fit", &SessionOptions::default()).unwrap();
        s.initialize().unwrap();
        s
    };
    let was = ("fn f() { dropout(x, 0.1) }", &[("lr", "0.01"), ("precision", "f32"), ("constant n", "3")][..]);
    checkpoint::save(&of(was.0, was.1, 8), &Saving::to(dir.path())).unwrap();
    let said = |source: &str, settings, tokens| {
        checkpoint::resume(&mut of(source, settings, tokens), dir.path()).unwrap().differences
    };
    assert_eq!(said(was.0, was.1, 8), Vec::<String>::new());
    let now = &[("clip", "1.0"), ("lr", "0.001"), ("precision", "bf16"), ("constant n", "4")];
    let due = [
        "setting `clip` was not given, and is `1.0`",
        "constant `n` was `3`, and is `4`",
        "setting `lr` was `0.01`, and is `0.001`",
        "setting `precision` was `f32`, and is `bf16`",
    ];
    assert_eq!(said(was.0, now, 8), due);
    assert_eq!(said(was.0, was.1, 4), ["input `x` was `f32[8, 4]`, and is `f32[4, 4]`"]);
    let due = "fit.loom:2 was `fn f() { dropout(x, 0.1) }`, and is `fn f() { dropout(x, 0.2) }`";
    assert_eq!(said("// more\nfn f() { dropout(x, 0.2) }", was.1, 8), [due]);
}

/// A file may have a part of the parameters, where that is asked for: by an option, or by the rename file.
#[test]
fn what_a_file_lacks_keeps_its_initial_value() {
    let dir = tempfile::tempdir().unwrap();
    let path = |name: &str| dir.path().join(name);
    let save = |name: &str| {
        let data = [0u8; 8];
        let view = safetensors::tensor::TensorView::new(safetensors::Dtype::F32, vec![2], &data).unwrap();
        safetensors::serialize_to_file([(name, view)], None, &path("w.safetensors")).unwrap();
    };
    let load = |lines: &str, partial: bool| {
        fs::write(path("r.rename"), lines).unwrap();
        let renames = checkpoint::Renames::open(&path("r.rename")).unwrap();
        let mut s = session(1, 0);
        let before = s.read("blocks.1.w").unwrap();
        let loaded = checkpoint::load(&mut s, &[&path("w.safetensors")], Some(&renames), partial)?;
        assert!(s.read("blocks.0.w").unwrap().bytes == [0; 8] && s.read("blocks.1.w").unwrap() == before);
        Ok::<_, RuntimeError>(loaded.initial)
    };
    save("h.0");
    let lines = "h.{i} -> blocks.{i}.w\n";
    assert_eq!(load(lines, true).unwrap(), ["blocks.1.w"]);
    assert_eq!(load(&format!("{lines}initial blocks.*.w"), false).unwrap(), ["blocks.1.w"]);
    let e = load(lines, false).unwrap_err().to_string();
    assert!(e.ends_with("tensor `blocks.1.w`: expected f32[2], but the file has none of that name"), "{e}");
    let e = load(&format!("{lines}initial blocks.*.v"), false).unwrap_err().to_string();
    assert!(e.ends_with("r.rename:2: `blocks.*.v` matches no parameter"), "{e}");
    let two = ["h.0", "blocks.0.w"]
        .map(|n| (n, safetensors::tensor::TensorView::new(safetensors::Dtype::F32, vec![2], &[0u8; 8]).unwrap()));
    safetensors::serialize_to_file(two, None, &path("w.safetensors")).unwrap();
    let e = load(lines, true).unwrap_err().to_string();
    assert!(
        e.ends_with("`blocks.0.w` and `h.0` are both `blocks.0.w`; a line `blocks.0.w -> skip` leaves one out"),
        "{e}"
    );
    assert_eq!(load(&format!("{lines}blocks.0.w -> skip"), true).unwrap(), ["blocks.1.w"]);
    save("other");
    let e = load("", true).unwrap_err().to_string();
    assert!(e.ends_with("has none of the parameters of the program"), "{e}");
}

/// Weights and adapters for them are two files: together they have all parameters, and no tensor is in both.
#[test]
fn parameters_come_from_several_files() {
    let dir = tempfile::tempdir().unwrap();
    let path = |name: &str| dir.path().join(name);
    let save = |file: &str, name: &str, x: f32| {
        let data = [x.to_le_bytes(), x.to_le_bytes()].concat();
        let view = safetensors::tensor::TensorView::new(safetensors::Dtype::F32, vec![2], &data).unwrap();
        safetensors::serialize_to_file([(name, view)], None, &path(file)).unwrap();
    };
    save("a.safetensors", "blocks.0.w", 1.0);
    save("b.safetensors", "blocks.1.w", 2.0);
    let mut s = session(1, 0);
    let both = [path("a.safetensors"), path("b.safetensors")];
    let loaded = checkpoint::load(&mut s, &both.each_ref().map(|p| p.as_path()), None, false).unwrap();
    assert_eq!(loaded, checkpoint::Loaded::default());
    let first = |name: &str| s.read(name).unwrap().bytes[..4].to_vec();
    assert_eq!([first("blocks.0.w"), first("blocks.1.w")], [1f32, 2.0].map(|x| x.to_le_bytes().to_vec()));
    save("b.safetensors", "blocks.0.w", 3.0);
    let e = checkpoint::load(&mut s, &both.each_ref().map(|p| p.as_path()), None, false).unwrap_err().to_string();
    assert!(e.contains("b.safetensors: `blocks.0.w` is in ") && e.ends_with("a.safetensors too"), "{e}");
}

/// `latest` follows from what is there: without it, the newest whole checkpoint is taken.
#[test]
fn the_newest_is_found_by_looking() {
    let dir = tempfile::tempdir().unwrap();
    assert!(!checkpoint::has_checkpoint(dir.path()) && !checkpoint::has_checkpoint(&dir.path().join("none")));
    let mut a = session(1, 0);
    let mut plan = Train { steps: 3, save: Some(Saving { every: 1, ..Saving::to(dir.path()) }), ..Train::default() };
    train(&mut a, &mut plan, &AtomicBool::new(false), &mut |_| ()).unwrap();
    let resumed = || checkpoint::resume(&mut session(1, 0), dir.path());
    let found = resumed().unwrap();
    assert!(found.step == 3 && found.differences.is_empty(), "{:?}", found.differences);
    let latest = fs::read(dir.path().join("latest")).unwrap();
    fs::remove_file(dir.path().join("latest")).unwrap();
    assert!(checkpoint::has_checkpoint(dir.path()));
    let found = resumed().unwrap();
    assert_eq!((found.step, found.differences.len()), (3, 1));
    assert!(found.differences[0].contains("found by looking"), "{:?}", found.differences);
    // What is not whole is no checkpoint: a file is missing, or shorter.
    fs::remove_file(dir.path().join("step-000003/state.safetensors")).unwrap();
    assert_eq!(resumed().unwrap().step, 2);
    fs::write(dir.path().join("step-000002/model.safetensors"), "").unwrap();
    assert_eq!(resumed().unwrap().step, 1);
    // A damaged pointer is an error, and not taken for none.
    fs::write(dir.path().join("latest"), "step-000001\n").unwrap();
    assert!(resumed().is_err() && checkpoint::has_checkpoint(dir.path()));
    // So are checkpoints of which none is whole: a run that began anew would save over them.
    fs::remove_dir_all(dir.path().join("step-000003")).unwrap();
    fs::write(dir.path().join("step-000001/state.safetensors"), "").unwrap();
    fs::write(dir.path().join("latest"), latest).unwrap();
    for pointed in [true, false] {
        if !pointed {
            fs::remove_file(dir.path().join("latest")).unwrap();
        }
        let e = resumed().unwrap_err().to_string();
        assert!(checkpoint::has_checkpoint(dir.path()) && e.contains("none of them whole"), "{e}");
    }
}

/// One run for a folder: another one is refused before its first step.
#[test]
fn a_folder_has_one_writer() {
    let dir = tempfile::tempdir().unwrap();
    let (a, mut b) = (session(1, 0), session(1, 0));
    let saver = Saver::open(&a, &Saving::to(dir.path())).unwrap();
    let plan = || Train { steps: 2, save: Some(Saving::to(dir.path())), ..Train::default() };
    let e = train(&mut b, &mut plan(), &AtomicBool::new(false), &mut |_| panic!("a step")).unwrap_err();
    assert_eq!(e.exit_code(), 2);
    assert!(e.to_string().contains(&format!("process {} of host ", std::process::id())), "{e}");
    drop(saver);
    assert_eq!(go(&mut b, plan()).1.steps_done, 2);
    let mut left: Vec<_> = fs::read_dir(dir.path()).unwrap().map(|e| e.unwrap().file_name()).collect();
    left.sort();
    assert_eq!(left, ["latest", "step-000002"]);
}

/// A second entry reads the trained parameters by path, on its own layout.
#[test]
fn entries_share_parameters() {
    let mut other = model(2);
    other.entry = "apply".into();
    other.ports.truncate(1);
    other.ports[0].layout = vec![vec![], vec![0]];
    other.ports[0].local_shape = vec![2, 1];
    other.ports[0].bytes = 8;
    other.instrs.clear();
    other.kernels.clear();
    let b = bundle(vec![(EntryKind::Train, model(2)), (EntryKind::Function, other)], C);
    let mut a = Session::open(&b, "fit", &SessionOptions::default()).unwrap();
    a.initialize().unwrap();
    let mut f = Session::open(&b, "apply", &SessionOptions::default()).unwrap();
    f.copy_parameters(&a).unwrap();
    assert_eq!(f.read("blocks.*.w").unwrap(), a.read("blocks.*.w").unwrap());
}

/// What `on_nonfinite` does about a row whose label is infinite; returns the result and the session after it.
fn with_a_bad_row(row: usize, policy: OnNonfinite, dir: &Path, keep: u64) -> (Result<u64, RuntimeError>, Session) {
    let (xs, ys) = (dir.join("x.npy"), dir.join("y.npy"));
    let x: Vec<f32> = (0..160).map(|i| (i * 37 % 101) as f32 / 50.0 - 1.0).collect();
    let y: Vec<f32> = (0..40).map(|i| if i == row { f32::INFINITY } else { (i % 7) as f32 / 7.0 }).collect();
    fs::write(&xs, npy::to_bytes(&HostTensor::f32(&[40, 4], &x))).unwrap();
    fs::write(&ys, npy::to_bytes(&HostTensor::f32(&[40], &y))).unwrap();
    let mut s = session(2, 0);
    let items = [format!("x={}", xs.display()), format!("y={}", ys.display())].map(|i| i.parse().unwrap());
    let ports: Vec<Port> = s.ports(&[Role::Input]).cloned().collect();
    let feed = Feed::open(&Spec { items: items.into(), ..Spec::default() }, "fit", &ports, 0).unwrap().in_order();
    let save = Saving { every: 1, keep: Some(keep), ..Saving::to(dir.join("out")) };
    let mut plan = Train { steps: 5, feed: Some(feed), save: Some(save), on_nonfinite: policy, ..Train::default() };
    let done = train(&mut s, &mut plan, &AtomicBool::new(false), &mut |_| {}).map(|f| f.steps_done);
    (done, s)
}

fn steps(dir: &Path) -> Vec<String> {
    let names = fs::read_dir(dir.join("out")).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<String> = names.filter(|n| n != "latest").collect();
    names.sort();
    names
}

#[test]
fn a_bad_step_stops_is_skipped_or_is_passed_over() {
    // Rows are shuffled; one of them is in the third batch.
    let stops_at_3 = |&row: &usize| {
        let dir = tempfile::tempdir().unwrap();
        let e = with_a_bad_row(row, OnNonfinite::Stop, dir.path(), 1).0.unwrap_err();
        assert_eq!(e.exit_code(), 3);
        let third = e.to_string().contains("the loss of step 3 is not finite; training stops and does not save");
        assert!(!third || steps(dir.path()) == ["step-000002"]);
        third
    };
    let row = (0..40).find(stops_at_3).unwrap();

    // The rows of the bad step are read, and nothing else of it is left: as if the batch had not been there.
    let dir = tempfile::tempdir().unwrap();
    let (done, s) = with_a_bad_row(row, OnNonfinite::Skip, dir.path(), 2);
    assert_eq!((done, s.data_position().samples), (Ok(5), 40));
    assert_eq!(s.read("t").unwrap(), HostTensor::i32(&[], &[4]));
    assert!(s.read("blocks.*.w").unwrap().to_f64().unwrap().iter().all(|x| x.is_finite()));
    assert_eq!(steps(dir.path()), ["step-000004", "step-000005"]);

    // What is not finite is kept beside the last good one, and does not drive it out.
    let dir = tempfile::tempdir().unwrap();
    let (done, s) = with_a_bad_row(row, OnNonfinite::Continue, dir.path(), 1);
    assert_eq!(done, Ok(5));
    assert!(s.read("blocks.*.w").unwrap().to_f64().unwrap().iter().any(|x| !x.is_finite()));
    assert_eq!(steps(dir.path()), ["step-000002", "step-000005"]);
    let resumed = checkpoint::resume(&mut session(2, 0), &dir.path().join("out")).unwrap();
    assert_eq!((resumed.step, resumed.differences), (5, vec!["it has values that are not finite".to_owned()]));
    let resumed = checkpoint::resume(&mut session(2, 0), &dir.path().join("out/step-000002")).unwrap();
    assert_eq!(resumed.differences, Vec::<String>::new());
}

/// A gradient norm counts as much as a loss does, unless the program keeps a scale and looks at it itself.
#[test]
fn a_gradient_norm_that_is_not_finite() {
    for scaled in [false, true] {
        let mut p = model(1);
        if scaled {
            // Somewhere in the arena that nothing else uses.
            let scale = port(&p, "scaling.scale", Role::State, DType::F32, &[], &[], 3072);
            p.ports.push(scale);
        }
        let c = C.replace("*norm = n;", "*norm = 1.0f / (float)(*t - 2);");
        let b = bundle(vec![(EntryKind::Train, p)], &c);
        let mut s = Session::open(&b, "fit", &SessionOptions::default()).unwrap();
        s.initialize().unwrap();
        let mut plan = Train { steps: 4, ..Train::default() };
        let done = train(&mut s, &mut plan, &AtomicBool::new(false), &mut |_| {}).map_err(|e| e.to_string());
        match done {
            Ok(done) => assert!(scaled && done.steps_done == 4),
            Err(e) => assert!(!scaled && e.contains("the gradient norm of step 2 is not finite"), "{e}"),
        }
    }
}

/// A loss that is no number ends the run with the rank's exit code, and nothing is saved over good weights.
#[test]
fn a_broken_loss_ends_the_run() {
    let dir = tempfile::tempdir().unwrap();
    let mut s = session(1, 0);
    s.write("y", HostTensor::f32(&[8], &[f32::INFINITY; 8])).unwrap();
    let mut plan = Train { steps: 5, save: Some(Saving::to(dir.path())), ..Train::default() };
    let e = train(&mut s, &mut plan, &AtomicBool::new(false), &mut |_| {}).unwrap_err();
    assert_eq!(e.exit_code(), 3);
    assert!(fs::read_dir(dir.path()).unwrap().next().is_none());
}
