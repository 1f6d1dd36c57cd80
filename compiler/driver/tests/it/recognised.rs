//! Attention as JAX prints it, op by op (`tests/data/stablehlo/attention`): planned as the composite, forward and backward, with a
//! certificate, and as machine code equal to what JAX computes.
#![cfg(feature = "llvm")]

use crate::support::*;
use meshloom_driver::{Program, Scheduled};
use meshloom_ir::{DType, Func, Op, Tensor};
use meshloom_plan::Mode;
use std::path::PathBuf;

fn dir() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/stablehlo/attention")
}

fn program(name: &str, mesh: [u64; 2], without: Option<&str>) -> Program<Scheduled> {
    let text = std::fs::read_to_string(dir().join(name).with_extension("mlir")).unwrap();
    let mut o = on(&[("data", mesh[0]), ("model", mesh[1])], "");
    o.plan.mode = Mode::Search;
    o.plan.disabled_rules.extend(without.map(str::to_string));
    compiled(&format!("{name}.mlir"), &text, &o)
}

/// Names of the composites that each device runs.
fn composites(p: &Program<Scheduled>) -> Vec<String> {
    let local = &p.entries[0].plan.local;
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
        let (dtype, values) = match t.dtype() {
            safetensors::Dtype::F32 => {
                (DType::F32, t.data().chunks(4).map(|c| f32::from_le_bytes(c.try_into().unwrap()).into()).collect())
            }
            safetensors::Dtype::BF16 => {
                let wide = |c: &[u8]| f32::from_bits(u32::from(u16::from_le_bytes([c[0], c[1]])) << 16).into();
                (DType::BF16, t.data().chunks(2).map(wide).collect())
            }
            other => panic!("{name} holds {other:?}"),
        };
        Some(Tensor::floats(dtype, &shape, values))
    };
    (0..).map_while(one).collect()
}

fn runs_as_jax(p: &Program<Scheduled>, name: &str) {
    let (inputs, want) = (tensors(name, "in"), tensors(name, "out"));
    let mut s = session(p);
    let found = outputs(&mut s, &p.entries[0].global, &inputs);
    if name.contains("bf16") {
        // Within two steps of 8 bits of the largest.
        to_within(2f64.powi(-7), name, &p.entries[0].global, &want, &found);
    } else {
        as_the_interpreter(name, &p.entries[0].global, &want, &found);
    }
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
            runs_as_jax(&p, name);
        }
        let p = program(name, [2, 4], Some("attention"));
        assert_eq!(composites(&p), [""; 0], "{name} without the rule");
    }
}

/// `jax.nn.dot_product_attention`, heads of queries in groups, in f32 and in 16 bits.
#[test]
fn attention_of_jax_nn_is_recognised() {
    let both = &["grouped_attention", "grouped_attention_grad"][..];
    for (name, expected) in [
        ("nn_forward", &both[..1]),
        ("nn_gradient", both),
        ("nn_grouped_gradient", both),
        ("nn_bf16_forward", &both[..1]),
        ("nn_bf16_gradient", both),
    ] {
        for mesh in [[1, 1], [2, 1]] {
            let p = program(name, mesh, None);
            assert_eq!(composites(&p), expected, "{name} on {mesh:?}");
            runs_as_jax(&p, name);
        }
    }
}
