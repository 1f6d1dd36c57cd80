//! The library against JAX and optax: every function forward and backward, every optimizer step by step, every schedule.
//! The figures are those of `scripts/oracles/library.py`; all of it is in f64.

use meshloom_autodiff::{TrainOptions, train_step};
use meshloom_driver::{CompileOptions, Program, check};
use meshloom_ir::interp::eval::eval;
use meshloom_ir::{Builder, DType, Func, Port, Reduction, Role, Tensor, TensorType};
use meshloom_syntax::elaborate::train_spec;
use safetensors::{Dtype, SafeTensors};
use std::collections::BTreeMap;
use std::path::PathBuf;

fn path(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/library").join(name)
}

/// All tensors of a file of figures.
fn figures(name: &str) -> BTreeMap<String, Tensor> {
    let bytes = std::fs::read(path(name)).unwrap();
    let file = SafeTensors::deserialize(&bytes).unwrap();
    let read = |t: &safetensors::tensor::TensorView<'_>| {
        let shape: Vec<u64> = t.shape().iter().map(|&n| n as u64).collect();
        match t.dtype() {
            Dtype::F64 => {
                let values = t.data().chunks_exact(8).map(|b| f64::from_le_bytes(b.try_into().unwrap()));
                Tensor::floats(DType::F64, &shape, values.collect())
            }
            Dtype::I32 => {
                let values = t.data().chunks_exact(4).map(|b| i64::from(i32::from_le_bytes(b.try_into().unwrap())));
                Tensor::ints(DType::I32, &shape, values.collect())
            }
            other => panic!("{name}: {other:?}"),
        }
    };
    file.tensors().into_iter().map(|(name, t)| (name, read(&t))).collect()
}

fn program(name: &str) -> Program {
    program_on(name, 1)
}

/// On `n * n` devices, with nothing split yet.
fn program_on(name: &str, n: u64) -> Program {
    let text = format!("mesh [a: {n}, b: {n}]\n{}", std::fs::read_to_string(path(name)).unwrap());
    let mut options = CompileOptions::default();
    options.front.float = Some(DType::F64);
    check(name, &text, &options).unwrap_or_else(|(f, _)| panic!("{name}: {f}"))
}

#[track_caller]
fn alike(what: &str, got: &Tensor, want: &Tensor, tolerance: f64) {
    assert_eq!(got.ty.shape, want.ty.shape, "{what}");
    let size = (0..want.len()).fold(1.0f64, |n, i| n.max(want.f(i).abs()));
    for i in 0..want.len() {
        let (a, b) = (got.f(i), want.f(i));
        assert!((a - b).abs() <= tolerance * size, "{what}: element {i} is {a}, should be {b}");
    }
}

/// The sum of the outputs times a cotangent each, differentiated by every float input.
fn gradient(f: &Func) -> Func {
    let mut b = Builder::resume(f.clone());
    for (p, &v) in b.func.inputs.iter_mut().zip(&f.body().args) {
        if f.ty(v).dtype.is_float() {
            p.role = Role::Parameter;
        }
    }
    let mut total = b.constant(DType::F64, &[], 0.0);
    for (p, &y) in f.outputs.iter().zip(&f.body().yields) {
        let (ty, rank) = (f.ty(y).clone(), f.ty(y).rank());
        let ct = b.input(ty, Port::new(format!("ct.{}", p.name), Role::Input, rank));
        let both = b.mul(y, ct);
        let sum = b.reduce(Reduction::Sum, both, &(0..rank).collect::<Vec<_>>());
        total = b.add(total, sum);
    }
    b.func.outputs.clear();
    b.func.regions[0].yields.clear();
    b.output(total, Port::new("loss", Role::Loss, 0));
    let loss = b.finish();
    let spec = train_spec("sgd(loss, lr: 0)", &loss).unwrap();
    train_step(&loss, &spec, &TrainOptions { only_gradients: true, ..TrainOptions::default() }).unwrap()
}

/// The inputs of a function, by name.
fn given(f: &Func, entry: &str, all: &BTreeMap<String, Tensor>) -> Vec<Tensor> {
    let one = |p: &Port| all.get(&format!("{entry}/{}", p.name)).unwrap_or_else(|| panic!("{entry}: no {}", p.name));
    f.inputs.iter().map(|p| one(p).clone()).collect()
}

#[test]
fn functions_and_their_gradients_are_those_of_jax() {
    let all = figures("functions.safetensors");
    for e in &program("functions.loom").entries {
        let outputs = eval(&e.global, &given(&e.global, &e.name, &all)).unwrap();
        for (p, got) in e.global.outputs.iter().zip(&outputs) {
            alike(&format!("{} {}", e.name, p.name), got, &all[&format!("{}/{}", e.name, p.name)], 1e-12);
        }
        let backward = gradient(&e.global);
        let gradients = eval(&backward, &given(&backward, &e.name, &all)).unwrap();
        let mut compared = 0;
        for (p, got) in backward.outputs.iter().zip(&gradients).filter(|(p, _)| p.role == Role::Gradient) {
            alike(&format!("{} {}", e.name, p.name), got, &all[&format!("{}/{}", e.name, p.name)], 1e-12);
            compared += 1;
        }
        let expected = all.keys().filter(|k| k.starts_with(&format!("{}/grad.", e.name))).count();
        assert_eq!(compared, expected, "{}: gradients", e.name);
    }
}

/// Every function, struct and optimizer of the library is used by a test, or by another of the library.
#[test]
fn nothing_of_the_library_is_left_out() {
    let read = |name: &str| std::fs::read_to_string(path(name)).unwrap();
    let tests = read("functions.loom") + &read("optimizers.loom") + &read("defaults.loom") + include_str!("state.rs");
    let library: String = meshloom_syntax::library::FILES.iter().map(|f| f.1).collect();
    let code: String =
        (tests + &library).lines().filter(|l| !l.trim_start().starts_with("//")).collect::<Vec<_>>().join("\n");
    let mut found = 0;
    for line in library.lines() {
        let name = ["fn ", "composite fn ", "optimizer ", "struct "].iter().find_map(|k| line.strip_prefix(k));
        let Some(name) = name.map(|n| n.split(['(', '[', '<', ' ']).next().unwrap_or(n)) else { continue };
        found += 1;
        let called = |n: usize| {
            ["(", "[", ","].map(|c| format!("{name}{c}")).iter().map(|c| code.matches(c).count()).sum::<usize>() > n
        };
        // The settings of `train` call these by name.
        let by_train = ["clip_by_value", "average_parameter"].contains(&name);
        // Chance has tests of its own: dropout.rs.
        assert!(called(1) || by_train || name == "dropout", "`{name}` is tested nowhere");
    }
    assert!(found > 50, "only {found} declarations");
}

/// Inputs of a step by name, with the state of the one before.
struct Run<'a> {
    step: &'a Func,
    values: BTreeMap<String, Tensor>,
}

impl<'a> Run<'a> {
    fn new(step: &'a Func, all: &BTreeMap<String, Tensor>) -> Run<'a> {
        let mut values = BTreeMap::new();
        for (p, &v) in step.inputs.iter().zip(&step.body().args) {
            let value = match (p.role, p.name.as_str()) {
                (Role::Parameter, "layers.*.u") => stacked(&all["start/layers.0.u"], &all["start/layers.1.u"]),
                (Role::Parameter, name) => all[&format!("start/{name}")].clone(),
                _ => Tensor::zeros(step.ty(v)),
            };
            values.insert(p.name.clone(), value);
        }
        Run { step, values }
    }

    /// One step; gives the outputs by name.
    fn step(&mut self, data: &[(&str, Tensor)]) -> BTreeMap<String, Tensor> {
        for (name, t) in data {
            self.values.insert(name.to_string(), t.clone());
        }
        let inputs: Vec<Tensor> = self.step.inputs.iter().map(|p| self.values[&p.name].clone()).collect();
        let outputs = eval(self.step, &inputs).unwrap();
        let mut named = BTreeMap::new();
        for (p, t) in self.step.outputs.iter().zip(outputs) {
            if p.updates.is_some() {
                self.values.insert(p.name.clone(), t.clone());
            }
            named.insert(p.name.clone(), t);
        }
        named
    }
}

fn stacked(a: &Tensor, b: &Tensor) -> Tensor {
    let shape = [&[2], &a.ty.shape[..]].concat();
    let values = (0..a.len()).map(|i| a.f(i)).chain((0..b.len()).map(|i| b.f(i)));
    Tensor::floats(DType::F64, &shape, values.collect())
}

/// optax computes powers of betas one way and the library another: the last digits differ.
const EXACT: f64 = 1e-9;

#[test]
fn optimizers_step_as_in_optax() {
    let all = figures("optimizers.safetensors");
    let program = program("optimizers.loom");
    let mut compared = 0;
    for e in program.entries.iter().filter(|e| all.contains_key(&format!("{}.0/w", e.name))) {
        let mut run = Run::new(&e.global, &all);
        for t in 0..6 {
            let data = [("gw", "w"), ("gu", "u"), ("gb", "b")];
            run.step(&data.map(|(name, of)| (name, all[&format!("gradient.{t}/{of}")].clone())));
            let want = |name: &str| &all[&format!("{}.{t}/{name}", e.name)];
            // optax leaves the 1e-6 out that `clip` adds to the norm, and has adafactor's decay in f32.
            let rough = e.name == "clipped" || e.name.starts_with("adafactor");
            let tolerance = if rough { 1e-6 } else { EXACT };
            for name in ["w", "b"] {
                alike(&format!("{} step {t} {name}", e.name), &run.values[name], want(name), tolerance);
            }
            let layers = stacked(want("layers.0.u"), want("layers.1.u"));
            alike(&format!("{} step {t} layers", e.name), &run.values["layers.*.u"], &layers, tolerance);
            if e.name == "averaged" {
                alike("the average of w", &run.values["ema.w"], want("ema.w"), EXACT);
            }
            compared += 1;
        }
    }
    assert_eq!(compared, 21 * 6);
}

/// Twenty steps with no setting but the learning rate (scripts/oracles/defaults.py, which says where a default is not optax's).
#[test]
fn defaults_are_those_of_optax() {
    let all = figures("defaults.safetensors");
    let program = program("defaults.loom");
    for e in &program.entries {
        let mut run = Run::new(&e.global, &all);
        // optax has adafactor's decay in f32.
        let tolerance = if e.name == "of_adafactor" { 1e-6 } else { EXACT };
        for t in 0..20 {
            run.step(&[("gw", "w"), ("gu", "u"), ("gb", "b")].map(|(name, of)| {
                let stack = &all[&format!("gradient.{of}")];
                let n = stack.len() / 20;
                let one = (0..n).map(|i| stack.f(t * n + i)).collect();
                (name, Tensor::floats(DType::F64, &stack.ty.shape[1..], one))
            }));
            if ![0, 19].contains(&t) {
                continue;
            }
            let want = |name: &str| &all[&format!("{}.{}/{name}", e.name, t + 1)];
            for name in ["w", "b"] {
                alike(&format!("{} step {t} {name}", e.name), &run.values[name], want(name), tolerance);
            }
            let layers = stacked(want("layers.0.u"), want("layers.1.u"));
            alike(&format!("{} step {t} layers", e.name), &run.values["layers.*.u"], &layers, tolerance);
        }
    }
    assert_eq!(program.entries.len(), 12);
}

#[test]
fn schedules_are_those_of_optax() {
    let all = figures("optimizers.safetensors");
    let program = program("optimizers.loom");
    let mut compared = 0;
    for e in program.entries.iter().filter(|e| e.name.starts_with("s_")) {
        let want = &all[&format!("{}/lr", e.name)];
        let mut run = Run::new(&e.global, &all);
        for t in 0..want.len() {
            let lr = run.step(&[])["lr"].clone();
            alike(
                &format!("{} at step {}", e.name, t + 1),
                &lr,
                &Tensor::splat(&TensorType::scalar(DType::F64), want.f(t)),
                1e-7,
            );
            compared += 1;
        }
    }
    assert_eq!(compared, 11 * 9);
}

/// A schedule that counts samples or tokens is the one that counts steps, as long as the batch is the same; after that it goes on where
/// it was.
#[test]
fn schedules_count_samples_and_tokens() {
    let made = |batch: u64, lr: &str| {
        let text = format!(
            "dim batch = {batch}, seq = 5\nstruct Net {{ w: f32[seq] }}\n\
             fn loss(m: Net, x: f32[batch, seq]) -> f32 {{ mean(dot(x, m.w)) }}\n\
             train it = adamw(loss, lr: {lr})\n"
        );
        check("m.loom", &text, &CompileOptions::default()).unwrap_or_else(|(f, _)| panic!("{f}"))
    };
    let follow = |p: &Program, counted: f64| -> Vec<f64> {
        let f = &p.entries[0].global;
        let start = |name: &str, ty| Tensor::splat(ty, if name.starts_with("counted.") { counted } else { 0.0 });
        let ports = f.inputs.iter().zip(&f.body().args);
        let values = ports.map(|(p, &v)| (p.name.clone(), start(&p.name, f.ty(v)))).collect();
        let mut run = Run { step: f, values };
        (0..6).map(|_| run.step(&[])["lr"].f(0)).collect()
    };
    let steps = follow(&made(4, "warmup_cosine(peak: 0.1, warmup: 2, total: 5)"), 0.0);
    for counted in [
        "warmup_cosine(step: samples, peak: 0.1, warmup: 8, total: 20)",
        "warmup_cosine(step: tokens, peak: 0.1, warmup: 40, total: 100)",
    ] {
        let found = follow(&made(4, counted), 0.0);
        assert!(steps.iter().zip(&found).all(|(a, b)| (a - b).abs() < 1e-8), "{counted}: {found:?}, not {steps:?}");
    }
    // Three steps of four samples, then steps of two.
    let half = follow(&made(2, "warmup_cosine(step: samples, peak: 0.1, warmup: 8, total: 20)"), 12.0);
    assert!((half[1] - steps[3]).abs() < 1e-8 && (half[3] - steps[4]).abs() < 1e-8, "{half:?}, not {steps:?}");
    // Where nothing asks for them there are none, and a constant by that name is what it is.
    let p = check("m.loom", &plain(), &CompileOptions::default()).unwrap_or_else(|(f, _)| panic!("{f}"));
    assert!(!p.entries[0].global.inputs.iter().any(|p| p.name.starts_with("counted.")));
}

fn plain() -> String {
    "const samples = 3\nstruct Net { w: f32[5] }\nfn loss(m: Net, x: f32[5]) -> f32 { mean(m.w * x) }\n\
     train it = sgd(loss, lr: 0.1 * samples)\n"
        .into()
}

/// A frozen parameter has no state, no gradient and no next value; it counts in no norm.
#[test]
fn frozen_parameters_stay() {
    let program = program("optimizers.loom");
    let step = &program.entry("grouped").unwrap().global;
    assert!(step.inputs.iter().any(|p| p.name == "w" && p.role == Role::Parameter));
    assert!(!step.inputs.iter().any(|p| p.name == "m.w"));
    assert!(!step.outputs.iter().any(|p| p.name == "w"));
    assert!(step.inputs.iter().any(|p| p.name == "m.layers.*.u"));
}

/// The same figures from machine code on four devices, with every input split in its last two dims, which the devices do not
/// all divide.
#[cfg(feature = "llvm")]
mod on_devices {
    use super::*;
    use crate::support::{bundle, host, open};
    use meshloom_driver::{Scheduled, lower, plan};
    use meshloom_ir::{Axis, Constraint, DimSpec};
    use meshloom_runtime::Session;
    use meshloom_strategy::entry::Elaborated;

    const AXES: [Axis; 2] = [Axis(0), Axis(1)];

    /// Splits the inputs; parameters of a list keep all entries on all devices.
    fn split(mut f: Func) -> Func {
        for i in 0..f.inputs.len() {
            let (rank, stacked) = (f.ty(f.body().args[i]).rank(), f.inputs[i].stacked);
            let mut dims = vec![DimSpec::Exactly(Vec::new()); rank];
            let own = usize::from(stacked);
            for (dim, axis) in dims[own..].iter_mut().rev().zip(AXES) {
                *dim = DimSpec::Exactly(vec![axis]);
            }
            let state = f.inputs[i].role == Role::State;
            if rank > 0 && !state {
                f.inputs[i].constraint = Constraint { dims, ..Constraint::absent(rank) };
                f.inputs[i].constraint.absent = false;
            }
        }
        f
    }

    /// The entries as they are split, compiled as one bundle.
    fn compiled(mut p: Program, entries: Vec<(String, Func)>) -> (Program<Scheduled>, meshloom_bundle::Bundle) {
        let mut made = Vec::new();
        for (name, f) in entries {
            let of = p.entries.iter().position(|e| name.starts_with(&e.name)).unwrap();
            let e = &p.entries[of];
            let mut global = split(f);
            global.name.clone_from(&name);
            made.push(Elaborated { name, global, evaluation: None, pipeline: None, derived: false, ..e.clone() });
        }
        p.entries = made;
        let p = plan(p, &CompileOptions::default()).and_then(lower).unwrap_or_else(|(f, _)| panic!("{f}"));
        let b = bundle(&p);
        (p, b)
    }

    fn read(s: &Session, name: &str, like: &Tensor) -> Tensor {
        let values = s.read(name).unwrap_or_else(|e| panic!("{name}: {e}")).to_f64().unwrap();
        Tensor::floats(DType::F64, &like.ty.shape, values)
    }

    #[test]
    fn functions_and_their_gradients() {
        let all = figures("functions.safetensors");
        let p = program_on("functions.loom", 2);
        let both = p.entries.iter().flat_map(|e| {
            let backward = gradient(&e.global);
            [(e.name.clone(), e.global.clone()), (format!("{}.gradient", e.name), backward)]
        });
        let entries: Vec<(String, Func)> = both.collect();
        let (p, bundle) = compiled(p, entries);
        let mut compared = 0;
        for e in &p.entries {
            let of = e.name.trim_end_matches(".gradient");
            let mut s = open(&bundle, &e.name);
            s.initialize().unwrap_or_else(|x| panic!("{}: {x}", e.name));
            for (port, t) in e.global.inputs.iter().zip(given(&e.global, of, &all)) {
                s.write(&port.name, host(&t)).unwrap_or_else(|x| panic!("{}: {x}", e.name));
            }
            s.run().unwrap_or_else(|x| panic!("{}: {x}", e.name));
            for port in e.global.outputs.iter().filter(|p| p.role != Role::Loss) {
                let want = &all[&format!("{of}/{}", port.name)];
                alike(&format!("{} {} on four devices", e.name, port.name), &read(&s, &port.name, want), want, 1e-11);
                compared += 1;
            }
        }
        assert!(compared > 80, "{compared}");
    }

    #[test]
    fn optimizers() {
        let all = figures("optimizers.safetensors");
        let p = program_on("optimizers.loom", 2);
        let trains = p.entries.iter().filter(|e| all.contains_key(&format!("{}.0/w", e.name)));
        let entries: Vec<(String, Func)> = trains.map(|e| (e.name.clone(), e.global.clone())).collect();
        let (p, bundle) = compiled(p, entries);
        for e in &p.entries {
            let mut run = Run::new(&e.global, &all);
            let mut s = open(&bundle, &e.name);
            s.initialize().unwrap_or_else(|x| panic!("{}: {x}", e.name));
            for port in e.global.inputs.iter().filter(|p| p.role == Role::Parameter) {
                s.write(&port.name, host(&run.values[&port.name])).unwrap_or_else(|x| panic!("{}: {x}", e.name));
            }
            for t in 0..6 {
                let data = [("gw", "w"), ("gu", "u"), ("gb", "b")];
                let data = data.map(|(name, of)| (name, all[&format!("gradient.{t}/{of}")].clone()));
                for (name, t) in &data {
                    s.write(name, host(t)).unwrap_or_else(|x| panic!("{}: {x}", e.name));
                }
                s.step().unwrap_or_else(|x| panic!("{}: {x}", e.name));
                // The interpreter on one device, which another test holds against optax.
                run.step(&data);
                for name in ["w", "b", "layers.*.u"] {
                    let want = &run.values[name];
                    alike(&format!("{} step {t} {name}", e.name), &read(&s, name, want), want, 1e-11);
                }
            }
        }
        assert_eq!(p.entries.len(), 21);
    }
}
