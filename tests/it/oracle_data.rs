//! The loaders agree with the oracles' own files: what the formula gives is what the files hold.

use meshloom_ir::{Constraint, DType, Port, Role, Span, TensorType};
use meshloom_tests::data;

fn port(name: &str) -> Port {
    Port {
        name: name.into(),
        role: Role::Parameter,
        constraint: Constraint::absent(0),
        stacked: name.contains('*'),
        first_layer: 0,
        entries: Vec::new(),
        host: false,
        complex: false,
        unsigned: false,
        init: None,
        range: None,
        updates: None,
        of: None,
        span: Span::default(),
    }
}

#[test]
fn the_formula_gives_the_files_tensors() {
    let x = data::npy("mlp/x.npy").expect("x");
    assert_eq!(x, data::uniform("mlp/x", &x.ty.shape, 1.0));
    let t = data::npy("gpt_tiny/tokens.npy").expect("tokens");
    let (batch, seq) = (t.ty.shape[0], t.ty.shape[1]);
    let all = data::tokens("gpt_tiny/tokens", &[batch, seq + 1], 256);
    for b in 0..batch as usize {
        for s in 0..seq as usize {
            let at = b * (seq as usize + 1) + s;
            assert_eq!(t.i(b * seq as usize + s), all.i(at));
        }
    }
}

#[test]
fn stacked_parameters_are_put_together() {
    let ty = TensorType::new(DType::F32, [2, 64, 64]);
    let w = data::parameter("gpt_tiny/params.safetensors", &port("blocks.*.wq"), &ty).expect("wq");
    let scale = (0.02 * 3f64.sqrt()) as f32;
    let second = data::uniform("gpt_tiny/h1/wq", &[64, 64], scale);
    for i in [0, 1, 4095] {
        assert!((w.f(4096 + i) - second.f(i)).abs() < 1e-9);
    }
    let none = data::parameter("gpt_tiny/params.safetensors", &port("nothing"), &ty);
    assert!(none.is_err());
}

#[test]
fn losses_are_five_numbers() {
    for workload in ["mlp", "gpt_tiny", "gpt_small"] {
        assert_eq!(data::losses(workload).expect("losses").len(), 5);
    }
}
