//! Whole train steps in the interpreter against JAX: the losses of five steps and the first step's gradients.

use crate::common;
use crate::common::data::{expected_losses, npy, parameter, path};
use crate::common::models::{Gpt, mlp};
use meshloom_autodiff::{TrainOptions, train_step};
use meshloom_ir::{DType, Func, Role, Tensor};

fn train(loss: &Func, optimizer: &str, workload: &str, data: &[(&str, &str)]) {
    let options = TrainOptions { gradients: true, ..TrainOptions::default() };
    let step = train_step(loss, &common::spec(optimizer, loss), &options).unwrap();
    common::check(&step);
    let read = |name: &str| std::fs::read(path(&format!("{workload}/{name}"))).unwrap();
    let (parameters, gradients) = (read("params.safetensors"), read("grads.safetensors"));
    let mut inputs: Vec<Tensor> = Vec::new();
    for (port, &a) in step.inputs.iter().zip(&step.body().args) {
        let ty = step.ty(a);
        inputs.push(match port.role {
            Role::Parameter => parameter(&parameters, port, ty),
            Role::State => Tensor::zeros(ty),
            _ => npy(&format!("{workload}/{}", data.iter().find(|d| d.0 == port.name).unwrap().1), ty),
        });
    }
    for (n, expected) in expected_losses(workload).into_iter().enumerate() {
        let outs = common::eval(&step, &inputs);
        let loss = outs[step.output("loss").unwrap()].f(0);
        assert!((loss - expected).abs() < 2e-6 * expected, "step {n}: {loss}, expected {expected}");
        for (i, port) in step.outputs.iter().enumerate() {
            if port.role == Role::Gradient && n == 0 {
                close(&outs[i], &parameter(&gradients, port, &outs[i].ty), &port.name);
            }
            if let Some(at) = port.updates {
                inputs[at] = outs[i].clone();
            }
        }
        let t = step.input("step").unwrap();
        assert_eq!(inputs[t].i(0), n as i64 + 1);
    }
}

/// Equal to 1e-5 of the expected norm.
fn close(x: &Tensor, expected: &Tensor, what: &str) {
    let norm = |f: &dyn Fn(usize) -> f64| (0..x.len()).map(|i| f(i) * f(i)).sum::<f64>().sqrt();
    let (error, size) = (norm(&|i| x.f(i) - expected.f(i)), norm(&|i| expected.f(i)));
    assert!(error <= 1e-5 * size + 1e-9, "{what}: off by {error} of {size}");
}

#[test]
fn mlp_trains_as_jax_does() {
    train(&mlp(64, 128, 512, 64), "sgd(loss, lr: 0.05)", "mlp", &[("x", "x.npy"), ("y", "y.npy")]);
}

#[test]
fn gpt_tiny_trains_as_jax_does() {
    let gpt = Gpt { layers: 2, d: 64, heads: 4, seq: 32, batch: 8, vocab: 256, dtype: DType::F32 };
    train(&gpt.loss(), "adamw(loss, lr: 1e-3)", "gpt_tiny", &[("tokens", "tokens.npy"), ("targets", "targets.npy")]);
}
