//! The oracles, through the whole house: Loom source, machine code, devices; losses as JAX computes them.
#![cfg(feature = "llvm")]

use meshloom_codegen::worker::Isolation;
use meshloom_driver::backend::{self, Cpu};
use meshloom_driver::{Options, Program, check, lower, plan};
use meshloom_kernels::target::Level;
use meshloom_runtime::{Options as RunOptions, Session, checkpoint};
use std::path::PathBuf;

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn build(file: &str, mesh: &[(&str, u64)], layout: &str, gradients: bool) -> Program {
    let path = root().join("examples").join(file);
    let text = std::fs::read_to_string(&path).unwrap();
    let mut options = Options { gradients, ..Options::default() };
    options.front.mesh = Some(mesh.iter().map(|&(n, s)| (n.to_string(), s)).collect());
    options.front.layout = Some(layout.to_string()).filter(|l| !l.is_empty());
    let shown = |(f, _): (meshloom_driver::Failure, _)| -> Program { panic!("{file} {mesh:?} {layout}: {f}") };
    let p = check(file, &text, &options).unwrap_or_else(shown);
    let p = plan(p, &options).unwrap_or_else(shown);
    lower(p).unwrap_or_else(shown)
}

fn session(p: &Program) -> Session {
    let level = if meshloom_runtime::device::library::has("avx512f") { Level::V4 } else { Level::V3 };
    let contents = backend::bundle(p, &[Cpu { level }], &Isolation::InProcess, 2).unwrap_or_else(|e| panic!("{e}"));
    let bytes = meshloom_bundle::write(&contents).unwrap_or_else(|e| panic!("{e}"));
    let bundle = meshloom_bundle::Bundle::read(&bytes).unwrap_or_else(|e| panic!("{e}"));
    let entry = p.entries[0].name.clone();
    Session::open(&bundle, &entry, &RunOptions::default()).unwrap_or_else(|e| panic!("{e}"))
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
    checkpoint::load_parameters(s, &dir.join("params.safetensors")).unwrap_or_else(|e| panic!("{e}"));
    let inputs: Vec<String> = inputs.iter().map(|(n, f)| format!("{n}=@{}", dir.join(f).display())).collect();
    give(s, &inputs);
}

fn gpt_small_inputs(s: &mut Session) {
    s.initialize().unwrap();
    let scale = 0.02 * 3f64.sqrt();
    let mut inputs = vec![
        "tokens=det:tokens:gpt_small/tokens:1024:129:0".to_string(),
        "targets=det:tokens:gpt_small/tokens:1024:129:1".to_string(),
    ];
    for n in ["wte", "wpe", "head"] {
        inputs.push(format!("{n}=det:uniform:gpt_small/{n}:{scale}"));
    }
    for n in ["wq", "wk", "wv", "wo", "w1", "w2"] {
        inputs.push(format!("blocks.*.{n}=det:uniform:gpt_small/h*/{n}:{scale}"));
    }
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
        let layout = if layout == "dp" { "" } else { layout };
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

#[test]
fn gpt_small() {
    for (mesh, layout) in MESHES {
        let mut s = session(&build("gpt_small.loom", mesh, layout, false));
        gpt_small_inputs(&mut s);
        losses(&mut s, "gpt_small");
    }
}
