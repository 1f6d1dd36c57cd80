//! State fields and metrics of a loss: batch norm as in Flax, on one device and on meshes, in microbatches and in loops, and what is
//! left of both where nothing is trained. The figures are those of `scripts/oracles/state.py`, in f64.

use meshloom_driver::{CompileOptions, Program, check};
use meshloom_ir::interp::eval::eval;
use meshloom_ir::{DType, Func, Role, Tensor};
use safetensors::SafeTensors;
use std::collections::BTreeMap;

const SOURCE: &str = "
mesh [data: 1, model: 1]
dim batch = 12, side = 3, n = 6
struct Layer { w: f32[n, n] @ [_, model], norm: BatchNorm[n] }
struct Net { first: BatchNorm[n], layers: [Layer; 3], head: f32[n] }
fn forward(m: Net, x: f32[batch, side, side, n] @ [data, _, _, _]) -> f32[batch] {
    x = batch_norm(x, m.first, momentum: 0.8)
    for p in m.layers {
        x = x + tanh(batch_norm(dot(x, p.w), p.norm))
        metric(\"size\", mean(abs(x)))
    }
    dot(mean(x, [1, 2]), m.head)
}
fn loss(m: Net, x: f32[batch, side, side, n] @ [data, _, _, _], y: f32[batch] @ [data]) -> f32 {
    mse(forward(m, x), y)
}
train net = adamw(loss, lr: 0.02, weight_decay: 0.01, betas: (0.9, 0.999))
entry predict(m: Net, x: f32[batch, side, side, n] @ [data, _, _, _]) -> f32[batch] { forward(m, x) }
";
const STEPS: usize = 4;

fn figures() -> BTreeMap<String, Tensor> {
    let bytes = include_bytes!("../../../../tests/data/library/state.safetensors");
    let file = SafeTensors::deserialize(bytes).unwrap();
    let read = |t: &safetensors::tensor::TensorView<'_>| {
        let shape: Vec<u64> = t.shape().iter().map(|&n| n as u64).collect();
        let values = t.data().chunks_exact(8).map(|b| f64::from_le_bytes(b.try_into().unwrap()));
        Tensor::floats(DType::F64, &shape, values.collect())
    };
    file.tensors().into_iter().map(|(name, t)| (name, read(&t))).collect()
}

/// The data of one step.
fn row(all: &Tensor, t: usize) -> Tensor {
    let size = all.len() / STEPS;
    Tensor::floats(DType::F64, &all.ty.shape[1..], (t * size..(t + 1) * size).map(|i| all.f(i)).collect())
}

fn options(mesh: &[(&str, u64)]) -> CompileOptions {
    let mut o = CompileOptions::default();
    o.front.float = Some(DType::F64);
    o.front.mesh = Some(mesh.iter().map(|&(n, k)| (n.to_string(), k)).collect());
    o
}

fn program(source: &str, mesh: &[(&str, u64)]) -> Program {
    check("state.loom", source, &options(mesh)).unwrap_or_else(|(f, _)| panic!("{f}"))
}

#[track_caller]
fn near(what: &str, got: &[f64], want: &Tensor) {
    assert_eq!(got.len(), want.len(), "{what}");
    for (i, &a) in got.iter().enumerate() {
        assert!((a - want.f(i)).abs() <= 1e-9, "{what}: element {i} is {a}, should be {}", want.f(i));
    }
}

fn values(t: &Tensor) -> Vec<f64> {
    (0..t.len()).map(|i| t.f(i)).collect()
}

/// Four steps by the interpreter, each compared with `name`'s figures. Gives the last parameters and statistics.
fn interpreted(name: &str, step: &Func) -> BTreeMap<String, Tensor> {
    let all = figures();
    let mut now: BTreeMap<String, Tensor> = BTreeMap::new();
    for (p, &v) in step.inputs.iter().zip(&step.body().args) {
        let start = all.get(&format!("start/{}", p.name)).cloned();
        now.insert(p.name.clone(), start.unwrap_or_else(|| Tensor::zeros(step.ty(v))));
    }
    for t in 0..STEPS {
        now.insert("x".into(), row(&all["x"], t));
        now.insert("y".into(), row(&all["y"], t));
        let inputs: Vec<Tensor> = step.inputs.iter().map(|p| now[&p.name].clone()).collect();
        let mut compared = 0;
        for (p, got) in step.outputs.iter().zip(eval(step, &inputs).unwrap()) {
            if let Some(want) = all.get(&format!("{name}.{t}/{}", p.name)) {
                near(&format!("{name} step {t} {}", p.name), &values(&got), want);
                compared += 1;
            }
            if p.updates.is_some() {
                now.insert(p.name.clone(), got);
            }
        }
        assert_eq!(compared, 12, "parameters, statistics, the loss and a metric");
    }
    now
}

#[test]
fn batch_norm_trains_as_in_flax() {
    let all = figures();
    for (name, source) in
        [("whole", SOURCE.to_string()), ("micro", SOURCE.replace("lr: 0.02", "lr: 0.02, accumulate: 2"))]
    {
        let p = program(&source, &[]);
        let last = interpreted(name, &p.entry("net").unwrap().global);
        let predict = &p.entry("predict").unwrap().global;
        let x = row(&all["x"], 0);
        let inputs: Vec<Tensor> =
            predict.inputs.iter().map(|p| if p.name == "x" { x.clone() } else { last[&p.name].clone() }).collect();
        let out = eval(predict, &inputs).unwrap();
        let at = predict.outputs.iter().position(|p| p.role == Role::Output).unwrap();
        near("the prediction", &values(&out[at]), &all[&format!("{name}/predicted")]);
    }
}

/// State is not trained: it has no gradient, no moments, and counts in no norm.
#[test]
fn state_is_no_parameter_of_the_optimizer() {
    let step = &program(SOURCE, &[]).entry("net").unwrap().global.clone();
    let state = |n: &str| step.inputs.iter().any(|p| p.name == n);
    assert!(state("m.first.scale") && state("m.layers.*.norm.bias"));
    assert!(!state("m.first.mean") && !state("v.layers.*.norm.variance"));
    let next = |n: &str| step.outputs.iter().any(|p| p.name == n && p.updates.is_some());
    assert!(next("first.mean") && next("layers.*.norm.variance"));
}

/// Where nothing is trained, statistics are read and stay as they are, and metrics are told all the same.
#[test]
fn evaluation_changes_no_state() {
    let mut p = program(SOURCE, &[]);
    p.add_evaluations(&options(&[]));
    for name in ["net.eval", "predict"] {
        let f = &p.entry(name).unwrap().global;
        assert!(f.outputs.iter().all(|p| p.updates.is_none() || p.role == Role::State), "{name}");
        assert!(f.outputs.iter().any(|p| p.role == Role::Metric && p.name == "size"), "{name}");
    }
}

/// An update that is not made, for a gradient that is not finite, leaves statistics as they were, too.
#[test]
fn a_skipped_step_keeps_its_state() {
    let source = SOURCE.replace("lr: 0.02", "lr: 0.02, precision: f16, loss_scale: dynamic");
    let mut o = options(&[]);
    o.front.float = None;
    let p = check("state.loom", &source, &o).unwrap_or_else(|(f, _)| panic!("{f}"));
    let step = &p.entry("net").unwrap().global;
    let mut inputs: Vec<Tensor> = step
        .inputs
        .iter()
        .zip(&step.body().args)
        .map(|(p, &v)| {
            let ty = step.ty(v);
            match p.name.as_str() {
                "scaling.scale" => Tensor::splat(ty, 1.0),
                "x" => Tensor::splat(ty, f64::NAN),
                _ => Tensor::splat(ty, if p.role == Role::Parameter { 0.25 } else { 0.0 }),
            }
        })
        .collect();
    let at = step.inputs.iter().position(|p| p.name == "first.mean").unwrap();
    let mean = |inputs: &[Tensor]| {
        let out = eval(step, inputs).unwrap();
        values(&out[step.outputs.iter().position(|p| p.updates == Some(at)).unwrap()])
    };
    assert_eq!(mean(&inputs), [0.25; 6]);
    let x = step.inputs.iter().position(|p| p.name == "x").unwrap();
    inputs[x] = Tensor::splat(step.ty(step.body().args[x]), 1.0);
    assert!(mean(&inputs).iter().all(|m| (m - 0.4).abs() < 1e-6), "{:?}", mean(&inputs));
}

/// Machine code on meshes, one of which splits the batch unevenly.
#[cfg(feature = "llvm")]
mod on_devices {
    use super::*;
    use crate::support::{bundle, compiled, host, open};
    use meshloom_plan::Mode;

    fn trains(name: &str, source: &str, mesh: &[(&str, u64)], mode: Mode) {
        let all = figures();
        let mut o = options(mesh);
        o.plan.mode = mode;
        o.front.entry = Some("net".into());
        let p = compiled("state.loom", source, &o);
        let mut s = open(&bundle(&p), "net");
        s.initialize().unwrap();
        let names: Vec<String> = p.entries[0].global.inputs.iter().map(|p| p.name.clone()).collect();
        for n in &names {
            if let Some(t) = all.get(&format!("start/{n}")) {
                s.write(n, host(t)).unwrap();
            }
        }
        for t in 0..STEPS {
            s.write("x", host(&row(&all["x"], t))).unwrap();
            s.write("y", host(&row(&all["y"], t))).unwrap();
            let report = s.step().unwrap();
            near(&format!("{mesh:?} step {t} loss"), &[report.loss.unwrap()], &all[&format!("{name}.{t}/loss")]);
            near(
                &format!("{mesh:?} step {t} size"),
                &[report.metric("size").unwrap()],
                &all[&format!("{name}.{t}/size")],
            );
            for n in &names {
                if let Some(want) = all.get(&format!("{name}.{t}/{n}")) {
                    near(&format!("{mesh:?} step {t} {n}"), &s.read(n).unwrap().to_f64().unwrap(), want);
                }
            }
        }
    }

    #[test]
    fn statistics_are_those_of_the_whole_batch() {
        trains("whole", SOURCE, &[("data", 2), ("model", 2)], Mode::Search);
        trains("whole", SOURCE, &[("data", 5)], Mode::Follow);
    }

    #[test]
    fn microbatches_hand_statistics_on() {
        let source = SOURCE.replace("lr: 0.02", "lr: 0.02, accumulate: 2");
        trains("micro", &source, &[("data", 2), ("model", 3)], Mode::Follow);
    }
}
