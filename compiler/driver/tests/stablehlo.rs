//! Programs as JAX prints them, through the whole house: machine code on 8 devices, each step fed with the results of the one
//! before; losses as JAX computes them.
#![cfg(feature = "llvm")]

mod support;

use meshloom_driver::{Options, Program};
use meshloom_plan::{Mode, Objective};
use meshloom_runtime::{Session, Tensor as Host};
use std::path::PathBuf;
use support::*;

fn dir() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/data")
}

fn program(file: &str, mode: Mode) -> Program {
    let text = std::fs::read_to_string(dir().join("stablehlo").join(file)).unwrap();
    let mut o = Options::default();
    o.plan.mode = mode;
    o.plan.objective = Some(Objective::Traffic);
    compiled(file, &text, &o)
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
        s.write(&format!("{prefix}{name}"), Host::f32(&shape, &values)).unwrap_or_else(|e| panic!("{e}"));
    }
}

fn losses(programs: &[(&str, Mode)], workload: &str, prefix: &str, inputs: [(&str, &str); 2], loss: &str) {
    for &(file, mode) in programs {
        let mut s = session(&program(file, mode));
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
            assert!(off < 1e-5, "{file} step {step}: loss {got}, JAX has {want}");
        }
    }
}

const BOTH: [Mode; 2] = [Mode::Follow, Mode::Search];

#[test]
fn mlp_train_steps() {
    let files = ["mlp.dp8.mlir", "mlp.dp2tp4.mlir"];
    let all: Vec<(&str, Mode)> = files.iter().flat_map(|&f| BOTH.map(|m| (f, m))).collect();
    losses(&all, "mlp", "", [("arg4", "x.npy"), ("arg5", "y.npy")], "result.1");
}

#[test]
fn gpt_train_steps() {
    let files = ["gpt_tiny.dp8.mlir", "gpt_tiny.fsdp8.mlir", "gpt_tiny.dp2tp4_cs.mlir", "gpt_tiny.dp2tp4_sp.mlir"];
    let all: Vec<(&str, Mode)> = files.iter().map(|&f| (f, Mode::Follow)).collect();
    losses(&all, "gpt_tiny", "p.", [("arg112", "tokens.npy"), ("arg113", "targets.npy")], "result.1");
}

/// Bytes that each device moves, of plans by hand: `tests/data/plans` has the same programs in Loom.
#[test]
fn small_programs_are_planned_as_by_hand() {
    let hand = [
        ("01a_add_of_partials", 29.36),
        ("01b_scaled_sub_of_partials", 29.36),
        ("02a_reduce_of_partial", 0.029),
        ("03a_chain_reassoc", 0.2294),
        ("08a_partial_to_sharded_out", 14.681),
        ("08b_tp_input_grad_qkv", 29.361),
        ("12_common_gather", 14.681),
    ];
    for (name, megabytes) in hand {
        let p = program(&format!("plans/{name}.mlir"), Mode::Search);
        let moved = p.entries[0].plan.as_ref().unwrap().totals.wire_bytes_per_device / 1e6;
        assert!(moved <= megabytes + 1e-3, "{name}: {moved} MB, by hand {megabytes}");
    }
}
