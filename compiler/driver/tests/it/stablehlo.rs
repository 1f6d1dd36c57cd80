//! Programs as JAX prints them, through the whole house: machine code on 8 devices and on one, each step fed with the results of
//! the one before; losses as JAX computes them.
#![cfg(feature = "llvm")]

use crate::support::*;
use meshloom_driver::{Program, Scheduled};
use meshloom_ir::Op;
use meshloom_ir::interp::eval;
use meshloom_plan::{Mode, Objective};
use meshloom_random as random;
use meshloom_runtime::{HostTensor, Session};
use std::path::PathBuf;

fn dir() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/data")
}

fn text(file: &str) -> String {
    std::fs::read_to_string(dir().join("stablehlo").join(file)).unwrap()
}

/// A dump on the mesh that it was made for, or on another.
fn program(file: &str, text: &str, mode: Mode, mesh: Sizes<'_>) -> Program<Scheduled> {
    let mut o = on(mesh, "");
    o.front.mesh = o.front.mesh.filter(|m| !m.is_empty());
    o.plan.mode = mode;
    o.plan.objective = Some(Objective::Traffic);
    compiled(file, text, &o)
}

/// The oracle's parameters, by their paths; `prefix` is where the program has them.
fn parameters(s: &mut Session, workload: &str, prefix: &str) {
    let bytes = std::fs::read(dir().join("oracles").join(workload).join("params.safetensors")).unwrap();
    let tensors = safetensors::SafeTensors::deserialize(&bytes).unwrap();
    for (name, t) in tensors.iter() {
        let shape: Vec<u64> = t.shape().iter().map(|&n| n as u64).collect();
        let values: Vec<f32> = t.data().chunks(4).map(|c| f32::from_le_bytes(c.try_into().unwrap())).collect();
        // `blocks.0.wq` was `h0/wq` to JAX.
        let name = match name.strip_prefix("blocks.").and_then(|n| n.split_once('.')) {
            Some((layer, field)) => format!("h{layer}/{field}"),
            None => name.to_string(),
        };
        s.write(&format!("{prefix}{name}"), HostTensor::f32(&shape, &values)).unwrap_or_else(|e| panic!("{e}"));
    }
}

/// Whether each program gives the oracle's losses.
fn losses(programs: &[(&str, Mode, Sizes<'_>)], workload: &str, prefix: &str, inputs: [(&str, &str); 2], loss: &str) {
    for &(file, mode, mesh) in programs {
        let mut s = session(&program(file, &text(file), mode, mesh));
        s.initialize().unwrap();
        parameters(&mut s, workload, prefix);
        for (port, file) in inputs {
            let path = dir().join("oracles").join(workload).join(file);
            s.input(&format!("{port}=@{}", path.display()).parse().unwrap()).unwrap_or_else(|e| panic!("{e}"));
        }
        for (step, want) in expected(workload).into_iter().enumerate() {
            s.run().unwrap();
            let got = s.read(loss).unwrap_or_else(|e| panic!("{e}")).to_f64().unwrap()[0];
            let off = ((got - want) / want).abs();
            assert!(off < 1e-5, "{file} {mesh:?} step {step}: loss {got}, JAX has {want}");
        }
    }
}

const BOTH: [Mode; 2] = [Mode::Follow, Mode::Search];
/// The mesh of the dump.
const OWN: Sizes<'_> = &[];
/// One device, for dumps of meshes of one axis and of two.
const ONE: Sizes<'_> = &[("data", 1)];
const ONE_OF_TWO: Sizes<'_> = &[("data", 1), ("model", 1)];

#[test]
fn mlp_train_steps() {
    let files = ["mlp.dp8.mlir", "mlp.dp2tp4.mlir"];
    let mut all: Vec<_> = files.iter().flat_map(|&f| BOTH.map(|m| (f, m, OWN))).collect();
    all.extend([("mlp.dp8.mlir", Mode::Search, ONE), ("mlp.dp2tp4.mlir", Mode::Search, ONE_OF_TWO)]);
    losses(&all, "mlp", "", [("arg4", "x.npy"), ("arg5", "y.npy")], "result.1");
}

#[test]
fn gpt_train_steps() {
    let files = ["gpt_tiny.dp8.mlir", "gpt_tiny.fsdp8.mlir", "gpt_tiny.dp2tp4_cs.mlir", "gpt_tiny.dp2tp4_sp.mlir"];
    let mut all: Vec<_> = files.iter().map(|&f| (f, Mode::Follow, OWN)).collect();
    all.extend([("gpt_tiny.dp2tp4_sp.mlir", Mode::Search, OWN), ("gpt_tiny.dp2tp4_sp.mlir", Mode::Search, ONE_OF_TWO)]);
    losses(&all, "gpt_tiny", "p.", [("arg112", "tokens.npy"), ("arg113", "targets.npy")], "result.1");
}

/// The small programs, and MB that each device moves: as XLA plans them for CPUs, and by hand. `tests/data/plans` has the same
/// programs in Loom.
const SMALL: [(&str, f64, f64); 7] = [
    ("01a_add_of_partials", 58.72, 29.36),
    ("01b_scaled_sub_of_partials", 58.72, 29.36),
    ("02a_reduce_of_partial", 117.44, 0.029),
    ("03a_chain_reassoc", 58.72, 0.2294),
    ("08a_partial_to_sharded_out", 29.36, 14.681),
    ("08b_tp_input_grad_qkv", 88.08, 29.361),
    ("12_common_gather", 29.361, 14.681),
];

#[test]
fn small_programs_move_no_more_than_xla_and_the_plan_by_hand() {
    for (name, xla, hand) in SMALL {
        let file = format!("plans/{name}.mlir");
        for (mode, most) in [(Mode::Follow, xla), (Mode::Search, hand)] {
            let p = program(&file, &text(&file), mode, OWN);
            let moved = p.entries[0].plan.totals.wire_bytes_per_device / 1e6;
            assert!(moved <= most + 1e-3, "{name} {mode:?}: {moved} MB, at most {most}");
        }
    }
}

/// With dims of a sixty-fourth, so that the interpreter is done in time.
#[test]
fn small_programs_run_as_the_interpreter_says() {
    for (mesh, devices) in [(OWN, 8), (&[("m", 1)], 1)] {
        let programs = SMALL.iter().flat_map(|(name, ..)| BOTH.map(|mode| (name, mode))).map(|(name, mode)| {
            let file = format!("plans/{name}.mlir");
            let text = text(&file).replace("4096", "64").replace("2048", "32").replace("1024", "16");
            (format!("{name}.{mode:?}"), program(&file, &text, mode, mesh))
        });
        let all = together(programs);
        let bundle = bundle(&all);
        for e in &all.entries {
            let inputs = random::inputs(&e.global, 11);
            let want = eval(&e.global, &inputs).unwrap();
            let mut s = open(&bundle, &e.name);
            assert_eq!(s.program().devices(), devices, "{}", e.name);
            let found = outputs(&mut s, &e.global, &inputs);
            as_the_interpreter(&e.name, &e.global, &want, &found);
        }
    }
}

/// A scan whose deepest level is a sum of nothing: its kernels have no points, and their operands may have no bytes.
#[test]
fn an_associative_scan_runs_as_the_interpreter_says() {
    let text = text("control/associative_scan.mlir");
    for (mesh, mode) in [(OWN, Mode::Follow), (OWN, Mode::Search), (&[("x", 4), ("y", 1)], Mode::Search)] {
        let p = program("associative_scan.mlir", &text, mode, mesh);
        let bundle = bundle(&p);
        let e = &p.entries[0];
        let inputs = random::inputs(&e.global, 11);
        let found = outputs(&mut open(&bundle, &e.name), &e.global, &inputs);
        as_the_interpreter(&format!("{mode:?}"), &e.global, &eval(&e.global, &inputs).unwrap(), &found);
    }
}

/// What tests/data/stablehlo/cnn/make.py draws: a number in -scale/2 to scale/2 for each place.
fn drawn(shape: &[u64], seed: u64, scale: f64) -> HostTensor {
    let at = |i: u64| ((i * 2_654_435_761 + seed * 40_503) % (1 << 32)) as f64 / (1u64 << 32) as f64 - 0.5;
    HostTensor::f32(shape, &(0..shape.iter().product()).map(|i| (at(i) * scale) as f32).collect::<Vec<_>>())
}

/// A convolutional network, data parallel: on one device, and on eight.
#[test]
fn convolutional_train_steps() {
    let json = std::fs::read_to_string(dir().join("stablehlo/cnn/expected.json")).unwrap();
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    let want: Vec<f64> = json["loss_curve"].as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect();
    assert!(want.len() == 5 && want[4] < want[0], "{want:?}");
    let text = text("cnn/cnn.dp8.mlir");
    for devices in [1, 8] {
        let p = compiled("cnn.dp8.mlir", &text, &on(&[("data", devices)], ""));
        let mut s = session(&p);
        s.initialize().unwrap();
        let global = &p.entries[0].global;
        // In the order of their names, as JAX has them.
        for (k, (port, &v)) in global.inputs.iter().zip(&global.body().args).take(6).enumerate() {
            let shape = &global.ty(v).shape;
            let fan_in: u64 = shape[..shape.len() - 1].iter().product();
            s.write(&port.name, drawn(shape, k as u64, 4.0 / (fan_in as f64).sqrt())).unwrap();
        }
        s.write("arg6", drawn(&[16, 16, 16, 3], 17, 4.0)).unwrap();
        s.write("arg7", HostTensor::i32(&[16], &(0..16).map(|i| i * 7 % 10).collect::<Vec<i32>>())).unwrap();
        for (step, want) in want.iter().enumerate() {
            s.run().unwrap();
            let got = s.read("result.1").unwrap().to_f64().unwrap()[0];
            assert!(((got - want) / want).abs() < 1e-5, "{devices} devices, step {step}: {got}, JAX has {want}");
        }
    }
}

/// Names and shapes of a program's tensors whose name begins with `prefix`, layer by layer, in JAX's order: keys sorted.
fn leaves(p: &Program<Scheduled>, prefix: &str) -> Vec<(String, Vec<u64>)> {
    let global = &p.entries[0].global;
    let mut out = Vec::new();
    for (port, &v) in global.inputs.iter().zip(&global.body().args) {
        let shape = &global.ty(v).shape;
        match (port.stacked, &port.entries[..]) {
            (false, _) => out.push((port.name.clone(), shape.clone())),
            (true, []) => {
                out.extend((0..shape[0]).map(|i| (port.name.replace('*', &i.to_string()), shape[1..].to_vec())));
            }
            (true, names) => out.extend(names.iter().map(|n| (n.clone(), shape[1..].to_vec()))),
        }
    }
    out.retain(|(name, _)| name.starts_with(prefix));
    out.sort_by_key(|(name, _)| name.split('.').map(str::to_string).collect::<Vec<_>>());
    out
}

/// `tests/data/stablehlo/models`: a decoder of Flax modules, a scan over layers behind `jax.checkpoint`, layers behind it that
/// are written out, a scan over layers in bf16, and state space layers in complex numbers with Fourier transforms. The batch is split as the dump says, the rest is the planner's. Five steps, each on what the one before left.
#[test]
fn transformers_as_users_of_jax_write_them() {
    let dir = dir().join("stablehlo/models");
    let json: serde_json::Value =
        serde_json::from_str(&std::fs::read_to_string(dir.join("losses.json")).unwrap()).unwrap();
    let runs = [
        ("flax", [1, 1], Mode::Follow),
        ("flax", [2, 4], Mode::Search),
        ("scan", [1, 1], Mode::Follow),
        ("scan", [2, 4], Mode::Search),
        ("checkpoint", [1, 1], Mode::Follow),
        ("checkpoint", [2, 4], Mode::Follow),
        ("mixed", [1, 1], Mode::Search),
        ("mixed", [2, 4], Mode::Search),
        ("ssm", [1, 1], Mode::Search),
        ("ssm", [2, 4], Mode::Follow),
        ("ssm", [2, 4], Mode::Search),
    ];
    for (name, [data, model], mode) in runs {
        let text = std::fs::read_to_string(dir.join(name).with_extension("mlir")).unwrap();
        let mut o = on(&[("data", data), ("model", model)], "");
        o.plan.mode = mode;
        let p = compiled(&format!("{name}.mlir"), &text, &o);
        let global = &p.entries[0].global;
        let loops = global.body().ops.iter().filter(|&&o| matches!(global.op(o).op, Op::Repeat { .. })).count();
        assert_eq!(loops, if name == "ssm" { 0 } else { 2 }, "{name}: a loop over layers, and one back");
        let mut s = session(&p);
        s.initialize().unwrap();
        for (i, (name, shape)) in leaves(&p, "params.").into_iter().enumerate() {
            let values = match name.rsplit('.').next() {
                Some("bias") => HostTensor::f32(&shape, &vec![0.0; shape.iter().product::<u64>() as usize]),
                Some("scale" | "ln1" | "ln2") => {
                    let small = drawn(&shape, i as u64, 0.2).to_f64().unwrap();
                    HostTensor::f32(&shape, &small.iter().map(|&x| 1.0 + x as f32).collect::<Vec<_>>())
                }
                _ => drawn(&shape, i as u64, 0.6),
            };
            s.write(&name, values).unwrap_or_else(|e| panic!("{e}"));
        }
        let mut arguments = leaves(&p, "arg");
        arguments.sort_by_key(|(name, _)| name[3..].parse::<u64>().unwrap());
        assert_eq!(arguments.len(), 2, "{arguments:?}");
        for ((port, shape), seed) in arguments.iter().zip([3, 5]) {
            let tokens = (0..32).map(|k| (k * 7 + k * k * seed) % 32).collect::<Vec<i32>>();
            s.write(port, HostTensor::i32(shape, &tokens)).unwrap();
        }
        for (step, want) in json[name].as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).enumerate() {
            s.run().unwrap();
            let got = s.read("result.1").unwrap().to_f64().unwrap()[0];
            // In 8 bits each side rounds in places of its own.
            let tolerance = if name == "mixed" { 2e-3 } else { 1e-5 };
            assert!(
                ((got - want) / want).abs() < tolerance,
                "{name} on {data}x{model} {mode:?}, step {step}: {got}, JAX has {want}"
            );
        }
    }
}
