//! Gradients against finite differences, in f64: random programs, then the constructs one by one.

use crate::common;
use crate::common::models::{Gpt, attention};
use crate::common::random::Rng;
use crate::common::{eval, input, loss, mesh};
use meshloom_autodiff::{TrainOptions, train_step};
use meshloom_ir::{Builder, DType, Func, Op, Reduction, Role, Tensor, TensorType};

fn gradients_of(f: &Func) -> Func {
    let spec = common::spec("sgd(loss, lr: 0.1)", f);
    let options = TrainOptions { only_gradients: true, ..TrainOptions::default() };
    let g = train_step(f, &spec, &options).unwrap();
    common::check(&g);
    g
}

/// Compares directional derivatives along random directions, per parameter and over all of them. Gives their size.
fn check_gradients(f: &Func, rng: &mut Rng, what: &str) -> f64 {
    let g = gradients_of(f);
    let point: Vec<Tensor> = g.body().args.iter().map(|&a| rng.tensor_of(g.ty(a))).collect();
    let parameters: Vec<usize> = (0..g.inputs.len()).filter(|&i| g.inputs[i].role == Role::Parameter).collect();
    let outs = eval(&g, &point);
    let value = |point: &[Tensor]| {
        // The loss function takes its inputs in its own order.
        let ordered: Vec<Tensor> = f.inputs.iter().map(|p| point[g.input(&p.name).unwrap()].clone()).collect();
        eval(f, &ordered)[f.output("loss").unwrap()].f(0)
    };
    assert!((value(&point) - outs[g.output("loss").unwrap()].f(0)).abs() <= 1e-12);
    let mut total = 0.0;
    let mut sets: Vec<Vec<usize>> = parameters.iter().map(|&i| vec![i]).collect();
    sets.push(parameters.clone());
    for set in sets {
        let mut plus = point.clone();
        let mut minus = point.clone();
        let (mut slope, mut size) = (0.0, 0.0);
        let h = 1e-6;
        for &i in &set {
            let d = rng.tensor(&point[i].ty.shape);
            let grad = &outs[g.output(&format!("grad.{}", g.inputs[i].name)).unwrap()];
            slope += (0..d.len()).map(|k| grad.f(k) * d.f(k)).sum::<f64>();
            size += (0..d.len()).map(|k| (grad.f(k) * d.f(k)).abs()).sum::<f64>();
            let moved = |s: f64| (0..d.len()).map(|k| point[i].f(k) + s * h * d.f(k)).collect();
            plus[i] = Tensor::floats(DType::F64, &point[i].ty.shape, moved(1.0));
            minus[i] = Tensor::floats(DType::F64, &point[i].ty.shape, moved(-1.0));
        }
        let numeric = (value(&plus) - value(&minus)) / (2.0 * h);
        let error = (numeric - slope).abs() / (size + value(&point).abs() * 1e-2 + 1e-3);
        let names: Vec<&str> = set.iter().map(|&i| g.inputs[i].name.as_str()).collect();
        assert!(error < 1e-6, "{what}: d loss / d {names:?} is {slope}, by differences {numeric}");
        total = size;
    }
    total
}

#[test]
fn random_programs() {
    let count = 400;
    let mut telling = 0;
    for seed in 0..count {
        let mut rng = Rng(seed);
        let f = common::random::program(&mut rng);
        let size = check_gradients(&f, &mut rng, &format!("seed {seed}"));
        telling += u64::from(size > 1e-3);
    }
    assert!(telling > count * 8 / 10, "only {telling} of {count} programs had gradients to speak of");
}

#[test]
fn a_whole_decoder() {
    let gpt = Gpt { layers: 2, d: 8, heads: 2, seq: 4, batch: 2, vocab: 5, dtype: DType::F64 };
    check_gradients(&gpt.loss(), &mut Rng(1), "gpt");
}

/// Attention through its own gradient, through its body (another name), and with a log-sum-exp that is used.
#[test]
fn attention_by_rule_and_by_body() {
    for (name, causal, use_lse) in
        [("attention", true, false), ("attention", false, false), ("other", true, false), ("attention", true, true)]
    {
        let mut b = Builder::new("f", mesh());
        let ty = TensorType::new(DType::F64, vec![2, 2, 5, 3]);
        let [q, k, v] = ["q", "k", "v"].map(|n| input(&mut b, n, Role::Parameter, ty.clone()));
        let x = input(&mut b, "x", Role::Input, ty);
        let [out, lse] = attention(&mut b, name, causal, q, k, v);
        let out = b.mul(out, x);
        let mut l = b.reduce(Reduction::Sum, out, &[0, 1, 2, 3]);
        if use_lse {
            let s = b.mul(lse, lse);
            let s = b.reduce(Reduction::Sum, s, &[0, 1, 2]);
            l = b.add(l, s);
        }
        loss(&mut b, l);
        let f = b.finish();
        check_gradients(&f, &mut Rng(7), name);
        let g = gradients_of(&f);
        let ruled = g.ops.iter().any(|o| matches!(&o.op, Op::Composite { name, .. } if name == "attention_grad"));
        assert_eq!(ruled, name == "attention" && !use_lse);
    }
}

/// Ties in a maximum share the gradient.
#[test]
fn ties() {
    let mut b = Builder::new("f", mesh());
    let p = input(&mut b, "p", Role::Parameter, TensorType::new(DType::F64, vec![4]));
    let m = b.reduce(Reduction::Max, p, &[0]);
    loss(&mut b, m);
    let g = gradients_of(&b.finish());
    let outs = eval(&g, &[Tensor::floats(DType::F64, &[4], vec![1.0, 2.0, 0.0, 2.0])]);
    assert_eq!(outs[1], Tensor::floats(DType::F64, &[4], vec![0.0, 0.5, 0.0, 0.5]));
}

/// A parameter that the loss does not reach has a gradient of zeros.
#[test]
fn unused_parameter() {
    let mut b = Builder::new("f", mesh());
    let p = input(&mut b, "p", Role::Parameter, TensorType::new(DType::F64, vec![2]));
    input(&mut b, "q", Role::Parameter, TensorType::new(DType::F64, vec![3]));
    let s = b.reduce(Reduction::Sum, p, &[0]);
    loss(&mut b, s);
    let g = gradients_of(&b.finish());
    let outs = eval(&g, &[Tensor::zeros(g.ty(g.body().args[0])), Tensor::zeros(g.ty(g.body().args[1]))]);
    assert_eq!(outs[1], Tensor::floats(DType::F64, &[2], vec![1.0, 1.0]));
    assert_eq!(outs[2], Tensor::zeros(&TensorType::new(DType::F64, vec![3])));
}
