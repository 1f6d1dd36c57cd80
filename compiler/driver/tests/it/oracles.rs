//! The oracles, through the whole house: Loom source, machine code, devices; losses as JAX computes them. gpt_small is in `layouts.rs`.
#![cfg(feature = "llvm")]

use crate::support::{bundle, session};
use meshloom_codegen::worker::Isolation;
use meshloom_driver::backend::{self, Cpu};
use meshloom_driver::{CompileOptions, Program, Scheduled, check, lower, plan};
use meshloom_ir::DType;
use meshloom_ir::interp::spmd;
use meshloom_kernels::target::Level;
use meshloom_random as random;
use meshloom_runtime::device::gpu::simulated::Simulated;
use meshloom_runtime::{Session, SessionOptions, checkpoint};
use std::path::PathBuf;

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..")
}

type Mesh<'a> = &'a [(&'a str, u64)];

fn build(file: &str, mesh: Mesh<'_>, layout: &str, gradients: bool) -> Program<Scheduled> {
    build_in(file, mesh, layout, gradients, None)
}

fn build_in(file: &str, mesh: Mesh<'_>, layout: &str, gradients: bool, float: Option<DType>) -> Program<Scheduled> {
    let path = root().join("examples").join(file);
    let text = std::fs::read_to_string(&path).unwrap();
    let mut options = CompileOptions { gradients, ..CompileOptions::default() };
    options.front.float = float;
    options.front.mesh = Some(mesh.iter().map(|&(n, s)| (n.to_string(), s)).collect());
    options.front.layout = Some(layout.to_string()).filter(|l| !l.is_empty());
    let p = check(file, &text, &options).and_then(|p| plan(p, &options)).and_then(lower);
    p.unwrap_or_else(|(f, _)| panic!("{file} {mesh:?} {layout}: {f}"))
}

/// Five steps on CPU devices, and on the executor for GPUs with a device that is the host and does work in any order that its events
/// allow: the same losses, bit for bit.
fn in_any_order(file: &str, workload: &str, inputs: &[(&str, &str)], mesh: Mesh<'_>, layout: &str) {
    let program = build(file, mesh, layout, false);
    let (bundle, entry) = (bundle(&program), program.entries[0].name.as_str());
    let five = |mut s: Session| -> Vec<f64> {
        oracle_files(&mut s, workload, inputs);
        (0..5).map(|_| s.step().unwrap().loss.unwrap()).collect()
    };
    let cpu = five(Session::open(&bundle, entry, &SessionOptions::default()).unwrap());
    for seed in 0..3 {
        let driver = Box::new(Simulated::new(&bundle.contents.libraries, seed).unwrap());
        let found = five(Session::on_driver(&bundle, entry, &SessionOptions::default(), driver).unwrap());
        assert_eq!(found, cpu, "{workload} {mesh:?} {layout}, seed {seed}");
    }
}

#[test]
fn streams_keep_programs_in_order() {
    let mesh: Mesh<'_> = &[("data", 2), ("model", 2)];
    in_any_order("oracle_mlp.loom", "mlp", &[("x", "x.npy"), ("y", "y.npy")], mesh, "megatron");
    in_any_order(
        "gpt_tiny.loom",
        "gpt_tiny",
        &[("tokens", "tokens.npy"), ("targets", "targets.npy")],
        mesh,
        "megatron",
    );
}

fn expected(workload: &str) -> Vec<f64> {
    let text = std::fs::read_to_string(root().join("tests/data/oracles").join(workload).join("expected.json")).unwrap();
    let json: serde_json::Value = serde_json::from_str(&text).unwrap();
    json["loss_curve"].as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect()
}

fn losses(s: &mut Session, workload: &str) {
    for (step, want) in expected(workload).into_iter().enumerate() {
        let got = s.step().unwrap().loss.unwrap();
        let e = ((got - want) / want).abs();
        println!("{workload} step {step}: {got} against {want} ({e:.1e})");
        assert!(e < 1e-5, "{workload} step {step}: loss {got}, the oracle has {want}");
    }
}

fn give(s: &mut Session, inputs: &[String]) {
    for i in inputs {
        s.input(&i.parse().unwrap()).unwrap_or_else(|e| panic!("{e}"));
    }
}

fn oracle_files(s: &mut Session, workload: &str, inputs: &[(&str, &str)]) {
    let dir = root().join("tests/data/oracles").join(workload);
    s.initialize().unwrap();
    checkpoint::load_parameters(s, &dir.join("params.safetensors"), None).unwrap_or_else(|e| panic!("{e}"));
    let inputs: Vec<String> = inputs.iter().map(|(n, f)| format!("{n}=@{}", dir.join(f).display())).collect();
    give(s, &inputs);
}

const MESHES: [(&[(&str, u64)], &str); 4] = [
    (&[("data", 1), ("model", 1)], "dp"),
    (&[("data", 8), ("model", 1)], "dp"),
    (&[("data", 1), ("model", 8)], "megatron"),
    (&[("data", 2), ("model", 4)], "megatron"),
];

#[test]
fn mlp() {
    for (mesh, layout) in MESHES {
        let mut s = session(&build("oracle_mlp.loom", mesh, layout, false));
        oracle_files(&mut s, "mlp", &[("x", "x.npy"), ("y", "y.npy")]);
        losses(&mut s, "mlp");
    }
}

#[test]
fn gpt_tiny() {
    for (mesh, layout) in MESHES {
        let mut s = session(&build("gpt_tiny.loom", mesh, layout, false));
        oracle_files(&mut s, "gpt_tiny", &[("tokens", "tokens.npy"), ("targets", "targets.npy")]);
        losses(&mut s, "gpt_tiny");
    }
}

/// Files hold one tensor per layer, and so do the gradients asked for.
fn gradients_of(file: &str, workload: &str, inputs: &[(&str, &str)]) {
    let bytes = std::fs::read(root().join("tests/data/oracles").join(workload).join("grads.safetensors")).unwrap();
    let want = safetensors::SafeTensors::deserialize(&bytes).unwrap();
    for (mesh, layout) in MESHES {
        let mut s = session(&build(file, mesh, layout, true));
        oracle_files(&mut s, workload, inputs);
        s.step().unwrap();
        for (name, t) in want.iter() {
            let want: Vec<f64> =
                t.data().chunks(4).map(|c| f64::from(f32::from_le_bytes(c.try_into().unwrap()))).collect();
            let got = s.read(&format!("grad.{name}")).unwrap_or_else(|e| panic!("{e}")).to_f64().unwrap();
            let norm = |x: &[f64]| x.iter().map(|v| v * v).sum::<f64>().sqrt();
            let off: Vec<f64> = got.iter().zip(&want).map(|(a, b)| a - b).collect();
            // A bias of the keys changes no score: its gradient is zero but for rounding.
            let e = norm(&off) / norm(&want).max(1e-6);
            assert!(e < 1e-5 || norm(&want) < 1e-6, "{workload} {mesh:?} grad.{name}: off by {e:.1e} of its norm");
        }
    }
}

#[test]
fn mlp_gradients() {
    gradients_of("oracle_mlp.loom", "mlp", &[("x", "x.npy"), ("y", "y.npy")]);
}

#[test]
fn gpt_tiny_gradients() {
    gradients_of("gpt_tiny.loom", "gpt_tiny", &[("tokens", "tokens.npy"), ("targets", "targets.npy")]);
}

fn curve(
    file: &str,
    workload: &str,
    inputs: &[(&str, &str)],
    mesh: Mesh<'_>,
    layout: &str,
    float: Option<DType>,
) -> Vec<f64> {
    let mut s = session(&build_in(file, mesh, layout, false, float));
    oracle_files(&mut s, workload, inputs);
    (0..5).map(|_| s.step().unwrap().loss.unwrap()).collect()
}

/// A sharded run differs from one device by rounding alone.
fn same_on_every_mesh(file: &str, workload: &str, inputs: &[(&str, &str)]) {
    for (float, bound) in [(None, 2e-6), (Some(DType::F64), 1e-11)] {
        let alone = curve(file, workload, inputs, MESHES[0].0, MESHES[0].1, float);
        for (mesh, layout) in &MESHES[1..] {
            let sharded = curve(file, workload, inputs, mesh, layout, float);
            for (a, b) in alone.iter().zip(&sharded) {
                let e = ((a - b) / a).abs();
                assert!(e <= bound, "{workload} {mesh:?} {float:?}: {b} against {a} on one device ({e:.1e})");
            }
        }
    }
}

#[test]
fn mlp_is_the_same_on_every_mesh() {
    same_on_every_mesh("oracle_mlp.loom", "mlp", &[("x", "x.npy"), ("y", "y.npy")]);
}

#[test]
fn gpt_tiny_is_the_same_on_every_mesh() {
    same_on_every_mesh("gpt_tiny.loom", "gpt_tiny", &[("tokens", "tokens.npy"), ("targets", "targets.npy")]);
}

/// What XLA's CPU pipeline puts on the wire, in MB per device and step (oracles' README).
const XLA_CPU_MB: [f64; 4] = [0.0, 26.02, 47.73, 24.29];

/// Bytes on the wire: as planned, as copied by the simulated devices, as copied by the runtime.
#[test]
fn wire_bytes_are_counted_three_ways() {
    for (file, layouts) in [("oracle_mlp.loom", MESHES), ("gpt_tiny.loom", MESHES), ("gpt_small.loom", MESHES)] {
        for (i, (mesh, layout)) in layouts.into_iter().enumerate() {
            let p = build(file, mesh, layout, false);
            let plan = &p.entries[0].plan;
            let planned = plan.totals.mesh_wire_bytes;
            let devices: u64 = mesh.iter().map(|m| m.1).product();
            if file == "gpt_small.loom" {
                let mb = planned as f64 / devices as f64 / 1e6;
                assert!(mb <= XLA_CPU_MB[i] + 0.005, "{mesh:?}: {mb} MB, XLA has {}", XLA_CPU_MB[i]);
                // What the runtime copies of it is counted where it is trained, in `layouts.rs`.
                continue;
            }
            let mut s = session(&p);
            s.initialize().unwrap();
            s.step().unwrap();
            let received: u64 = s.received_bytes().iter().sum();
            assert_eq!(received, planned, "{file} {mesh:?} in the runtime");
            let inputs = random::inputs(&p.entries[0].global, 7);
            let (_, traffic) = spmd::run_global(&plan.local, &inputs).unwrap();
            let simulated = traffic.per_device() * devices as f64;
            assert!(
                (simulated - planned as f64).abs() < 0.5,
                "{file} {mesh:?}: {simulated} simulated, {planned} planned"
            );
        }
    }
}

#[test]
fn bundles_are_byte_identical() {
    let bytes = || {
        let p = build("gpt_tiny.loom", MESHES[3].0, MESHES[3].1, false);
        let contents =
            backend::bundle(&p, &[Cpu { level: Level::V3 }], &Isolation::InProcess(meshloom_llvm::in_process), 2)
                .unwrap();
        meshloom_bundle::write(&contents).unwrap()
    };
    assert!(bytes() == bytes());
}
