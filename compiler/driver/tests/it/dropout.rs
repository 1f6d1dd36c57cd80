//! Random numbers and dropout in a loss, on machine code: the same on every mesh, anew in every step and microbatch, again
//! where an activation is recomputed, and off where nothing is trained.
#![cfg(feature = "llvm")]

use crate::support::{Sizes, bundle, compiled, on, open};
use meshloom_bundle::Bundle;
use meshloom_driver::{CompileOptions, Program, check};
use meshloom_ir::{DType, Func, Op, OpId, Phase, Role};
use meshloom_plan::{Mode, Recompute};
use meshloom_runtime::{HostTensor, Session, SessionOptions, checkpoint};

/// Neither the batch nor the width nor the hidden dim are divided by what the meshes below have.
const SOURCE: &str = "
mesh [data: 1, model: 1]
dim batch = 6, n = 7, hidden = 10
struct Layer {
    up:   f32[n, hidden] @ [_, model] = normal(0.5),
    down: f32[hidden, n] @ [model, _] = normal(0.5),
}
struct Net { layers: [Layer; 3], head: f32[n] = normal(1.0) }
fn loss(m: Net, x: f32[batch, n] @ [data, _]) -> f32 {
    for p in m.layers {
        let h = dropout(tanh(dot(x, p.up)), 0.3)
        x = x + dropout(dot(h, p.down), 0.2)
    }
    let noise = 1 + 0.1 * random_normal([batch])
    mean(dot(x, m.head) * noise)
}
train net = adamw(loss, lr: 0.01)
entry draws(x: f32[batch, hidden] @ [data, model]) -> (i32[batch, hidden], f32[batch, hidden], f32[batch, hidden]) {
    (random_bits(x), random_uniform(x) @ [data, model], dropout(x, 0.4, on: true))
}
";

fn options(mesh: Sizes<'_>, mode: Mode) -> CompileOptions {
    let mut o = on(mesh, "");
    o.plan.mode = mode;
    o.front.float = Some(DType::F64);
    o
}

/// An entry of a source, compiled.
fn bundled(source: &str, entry: &str, options: &CompileOptions) -> Bundle {
    let mut o = options.clone();
    o.front.entry = Some(entry.into());
    bundle(&compiled("dropout.loom", source, &o))
}

fn begun(bundle: &Bundle, entry: &str, batch: u64, width: u64) -> Session {
    let mut s = open(bundle, entry);
    s.initialize().unwrap_or_else(|e| panic!("{e}"));
    let x: Vec<f64> = (0..batch * width).map(|i| (i as f64 * 0.7).sin() + 0.1).collect();
    s.write("x", HostTensor::f64(&[batch, width], &x)).unwrap_or_else(|e| panic!("{e}"));
    s
}

fn parameters(s: &Session) -> Vec<f64> {
    ["layers.*.up", "layers.*.down", "head"].into_iter().flat_map(|n| s.read(n).unwrap().to_f64().unwrap()).collect()
}

fn losses(s: &mut Session, steps: usize) -> Vec<f64> {
    (0..steps).map(|_| s.step().unwrap().loss.unwrap()).collect()
}

/// Losses of three steps, and the parameters after them.
fn trained(bundle: &Bundle) -> Vec<f64> {
    let mut s = begun(bundle, "net", 6, 7);
    [losses(&mut s, 3), parameters(&s)].concat()
}

#[track_caller]
fn alike(what: &str, want: &[f64], got: &[f64]) {
    assert_eq!(want.len(), got.len(), "{what}");
    for (i, (a, b)) in want.iter().zip(got).enumerate() {
        assert!((a - b).abs() <= 1e-11 * a.abs().max(1.0), "{what}: figure {i} is {b}, on one device {a}");
    }
}

const MESHES: &[(Sizes<'_>, Mode)] = &[
    (&[("data", 1), ("model", 1)], Mode::Follow),
    (&[("data", 2), ("model", 2)], Mode::Follow),
    (&[("data", 2), ("model", 2)], Mode::Search),
    (&[("data", 8), ("model", 1)], Mode::Search),
    (&[("data", 1), ("model", 8)], Mode::Follow),
    (&[("data", 4), ("model", 3)], Mode::Follow),
];

/// An entry of a source on a mesh of the above.
fn at(source: &str, entry: &str, mesh: usize) -> Bundle {
    bundled(source, entry, &options(MESHES[mesh].0, MESHES[mesh].1))
}

#[test]
fn losses_are_those_of_one_device() {
    let run = |i: usize| trained(&at(SOURCE, "net", i));
    let want = run(0);
    // What is drawn is compared on all of them, below.
    for (i, mesh) in MESHES.iter().enumerate().skip(1).step_by(2) {
        alike(&format!("{mesh:?}"), &want, &run(i));
    }
}

#[test]
fn bits_are_those_of_one_device() {
    let drawn = |i: usize| {
        let mut s = begun(&at(SOURCE, "draws", i), "draws", 6, 10);
        s.run().unwrap_or_else(|e| panic!("{e}"));
        ["out.0", "out.1", "out.2"].map(|n| s.read(n).unwrap().to_f64().unwrap())
    };
    let want = drawn(0);
    assert!(want[2].iter().filter(|x| **x == 0.0).count() > 10);
    for (i, mesh) in MESHES.iter().enumerate().skip(1) {
        assert_eq!(drawn(i), want, "{mesh:?}");
    }
}

/// 65,536 elements of 1: as many are 0 as the rate says, in every row and column, and the mean stays what it was.
#[test]
fn as_many_are_dropped_as_the_rate_says() {
    let source =
        "mesh [m: 1]\nentry f(x: f32[256, 256] @ [m, _]) -> f32[256, 256] @ [m, _] { dropout(x, 0.3, on: true) }";
    let mut s = {
        let b = bundle(&compiled("rate.loom", source, &on(&[("m", 2)], "")));
        open(&b, "f")
    };
    s.initialize().unwrap();
    s.write("x", HostTensor::f32(&[256, 256], &[1.0; 65536])).unwrap();
    s.run().unwrap();
    let y = s.read("out").unwrap().to_f64().unwrap();
    let kept = f64::from(1.0f32 / 0.7);
    assert!(y.iter().all(|&v| v == 0.0 || (v - kept).abs() < 1e-6));
    // Within five standard deviations of a binomial distribution.
    let near = |dropped: usize, of: f64| (dropped as f64 - 0.3 * of).abs() < 5.0 * (0.21 * of).sqrt();
    let zeros = |of: &mut dyn Iterator<Item = &f64>| of.filter(|v| **v == 0.0).count();
    assert!(near(zeros(&mut y.iter()), 65536.0), "{}", zeros(&mut y.iter()));
    for i in 0..256 {
        assert!(near(zeros(&mut y[i * 256..(i + 1) * 256].iter()), 256.0), "row {i}");
        assert!(near(zeros(&mut y[i..].iter().step_by(256)), 256.0), "column {i}");
    }
    let mean = y.iter().sum::<f64>() / 65536.0;
    assert!((mean - 1.0).abs() < 5.0 * (0.3 / 0.7 / 65536.0f64).sqrt(), "{mean}");
}

/// With a rate of learning of 0 only the random numbers tell the steps apart, and with another seed the runs.
#[test]
fn every_step_and_every_seed_draws_anew() {
    let source = SOURCE.replace("lr: 0.01", "lr: 0, weight_decay: 0");
    let bundle = at(&source, "net", 0);
    let run = |seed: u64| {
        let mut s = Session::open(&bundle, "net", &SessionOptions { seed, ..SessionOptions::default() }).unwrap();
        s.initialize().unwrap();
        // Parameters of one seed, so that those do not make the difference.
        for (name, t) in [("head", HostTensor::f64(&[7], &[1.0; 7])), ("x", HostTensor::f64(&[6, 7], &[0.5; 42]))] {
            s.write(name, t).unwrap();
        }
        for name in ["layers.*.up", "layers.*.down"] {
            let shape = if name.ends_with("up") { [3, 7, 10] } else { [3, 10, 7] };
            let values: Vec<f64> = (0..210).map(|i| f64::from(i * 31 % 17) / 10.0 - 0.8).collect();
            s.write(name, HostTensor::f64(&shape, &values)).unwrap();
        }
        losses(&mut s, 4)
    };
    let (a, b) = (run(1), run(2));
    assert_eq!(a, run(1));
    let all = [a, b].concat();
    for (i, x) in all.iter().enumerate() {
        assert!(!all[..i].contains(x), "{all:?}");
    }
}

/// What is saved is enough to go on: the same bits on the same mesh, the same numbers on another.
#[test]
fn resumed_runs_go_on_as_they_would_have() {
    let dir = tempfile::tempdir().unwrap();
    let (bundle, other) = (at(SOURCE, "net", 1), at(SOURCE, "net", 5));
    let mut a = begun(&bundle, "net", 6, 7);
    losses(&mut a, 2);
    checkpoint::save(&a, &checkpoint::Saving::to(dir.path())).unwrap_or_else(|e| panic!("{e}"));
    let want = [losses(&mut a, 3), parameters(&a)].concat();
    let resumed = |bundle: &Bundle| {
        let mut s = begun(bundle, "net", 6, 7);
        assert_eq!(checkpoint::resume(&mut s, dir.path()).unwrap_or_else(|e| panic!("{e}")).step, 2);
        [losses(&mut s, 3), parameters(&s)].concat()
    };
    assert_eq!(resumed(&bundle), want);
    alike("another mesh", &want, &resumed(&other));
}

/// How many ops draw numbers for a tensor in the backward loop, or elsewhere.
fn draws(f: &Func, backward: bool) -> usize {
    let drawn = |o: &&OpId| matches!(f.op(**o).op, Op::RandomBits { ref shape, .. } if shape.len() > 1);
    let inside = |o: OpId| f.region(f.op(o).parent).owner.is_some_and(|l| f.op(l).phase == Phase::Backward);
    f.walk(Func::BODY).iter().filter(drawn).filter(|&&o| inside(o) == backward).count()
}

/// Activations that are recomputed are dropped out as they were.
#[test]
fn recomputed_activations_have_the_same_mask() {
    let mesh: Sizes<'_> = &[("data", 2), ("model", 2)];
    let all = [Recompute::None, Recompute::Full].map(|recompute| {
        let mut o = options(mesh, Mode::Search);
        o.plan.recompute = recompute;
        o
    });
    let again = compiled("dropout.loom", SOURCE, &all[1]);
    let local = &again.entries[0].plan.local;
    assert!(draws(local, true) > 0, "nothing random is recomputed");
    let runs = all.map(|o| trained(&bundled(SOURCE, "net", &o)));
    alike("recomputed", &runs[0], &runs[1]);
}

#[test]
fn microbatches_on_meshes() {
    let source = SOURCE.replace("lr: 0.01", "lr: 0.01, accumulate: 3");
    let runs = [0, 1].map(|i| trained(&at(&source, "net", i)));
    alike("three microbatches", &runs[0], &runs[1]);
}

/// Nothing is dropped where nothing is trained: in the evaluation of a `train`, and in entries.
#[test]
fn evaluation_drops_nothing() {
    let source = SOURCE
        .replace("mean(dot(x, m.head) * noise)", "mean(dot(x, m.head))")
        .replace("let noise = 1 + 0.1 * random_normal([batch])", "")
        + "entry score(m: Net, x: f32[batch, n] @ [data, _]) -> f32 { loss(m, x) }";
    let mut p =
        check("dropout.loom", &source, &options(MESHES[1].0, Mode::Follow)).unwrap_or_else(|(f, _)| panic!("{f}"));
    p.add_evaluations(&options(MESHES[1].0, Mode::Follow));
    let find = |p: &Program, name: &str| p.entry(name).map(|e| e.global.clone()).unwrap();
    let (evaluation, score) = (find(&p, "net.eval"), find(&p, "score"));
    for f in [&evaluation, &score] {
        assert_eq!(draws(f, false), 0);
        let state = f.inputs.iter().filter(|p| p.role == Role::State);
        assert!(state.clone().all(|p| p.name.starts_with("held-out.")), "a seed for nothing");
    }
    assert!(draws(&find(&p, "net"), false) > 0);
    let value = |f: &Func| meshloom_ir::interp::eval(f, &crate::held_out::first(f, 5)).unwrap()[0].f(0);
    assert_eq!(value(&evaluation), value(&score));
}
