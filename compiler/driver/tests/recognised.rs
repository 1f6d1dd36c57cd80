//! Attention as JAX prints it, op by op (`tests/data/stablehlo/attention`): planned as the composite, forward and backward, with a
//! certificate, and as machine code equal to what JAX computes.
#![cfg(feature = "llvm")]

mod support;

use meshloom_driver::Program;
use meshloom_ir::{Func, Op, Tensor};
use meshloom_plan::Mode;
use std::path::PathBuf;
use support::*;

fn dir() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/stablehlo/attention")
}

fn program(name: &str, mesh: [u64; 2], without: Option<&str>) -> Program {
    let text = std::fs::read_to_string(dir().join(name).with_extension("mlir")).unwrap();
    let mut o = on(&[("data", mesh[0]), ("model", mesh[1])], "");
    o.plan.mode = Mode::Search;
    o.plan.disabled_rules.extend(without.map(str::to_string));
    compiled(&format!("{name}.mlir"), &text, &o)
}

/// Names of the composites that each device runs.
fn composites(p: &Program) -> Vec<String> {
    let local = &p.entries[0].plan.as_ref().unwrap().local;
    let name = |o: &Op| match o {
        Op::Composite { name, .. } => Some(name.to_string()),
        _ => None,
    };
    local.walk(Func::BODY).into_iter().filter_map(|o| name(&local.op(o).op)).collect()
}

fn tensors(name: &str, prefix: &str) -> Vec<Tensor> {
    let bytes = std::fs::read(dir().join(name).with_extension("safetensors")).unwrap();
    let file = safetensors::SafeTensors::deserialize(&bytes).unwrap();
    let one = |i: usize| {
        let t = file.tensor(&format!("{prefix}{i}")).ok()?;
        let shape: Vec<u64> = t.shape().iter().map(|&n| n as u64).collect();
        let values = t.data().chunks(4).map(|c| f32::from_le_bytes(c.try_into().unwrap()).into()).collect();
        Some(Tensor::floats(meshloom_ir::DType::F32, &shape, values))
    };
    (0..).map_while(one).collect()
}

#[test]
fn attention_is_recognised() {
    for (name, expected) in [
        ("forward", &["attention"][..]),
        ("forward_causal", &["attention"]),
        ("gradient", &["attention", "attention_grad"]),
        ("gradient_causal", &["attention", "attention_grad"]),
    ] {
        for mesh in [[1, 1], [2, 4]] {
            let p = program(name, mesh, None);
            assert_eq!(composites(&p), expected, "{name} on {mesh:?}");
            let (inputs, want) = (tensors(name, "in"), tensors(name, "out"));
            let mut s = session(&p);
            let found = outputs(&mut s, &p.entries[0].global, &inputs);
            as_the_interpreter(name, &p.entries[0].global, &want, &found);
        }
        let p = program(name, [2, 4], Some("attention"));
        assert_eq!(composites(&p), [""; 0], "{name} without the rule");
    }
}
