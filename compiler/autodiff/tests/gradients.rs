//! Gradients against finite differences, in f64: random programs, then the constructs one by one.

mod common;

use common::random::Rng;
use common::{eval, input, loss, mesh};
use meshloom_autodiff::{Options, train_step};
use meshloom_ir::train::{Optimizer, Schedule, TrainSpec};
use meshloom_ir::{Builder, DType, Einsum, Func, Op, Phase, Reduction, Role, Tensor, TensorType};

fn gradients_of(f: &Func) -> Func {
    let spec = TrainSpec { optimizer: Optimizer::Sgd, lr: Schedule::Constant(0.1), clip: None };
    let options = Options { only_gradients: true, ..Options::default() };
    let g = train_step(f, &spec, &options).unwrap();
    common::check(&g);
    g
}

/// Compares directional derivatives along random directions, per parameter and over all of them.
fn check_gradients(f: &Func, rng: &mut Rng, what: &str) {
    let g = gradients_of(f);
    let point: Vec<Tensor> = g.body().args.iter().map(|&a| rng.tensor(&g.ty(a).shape)).collect();
    let parameters: Vec<usize> = (0..g.inputs.len()).filter(|&i| g.inputs[i].role == Role::Parameter).collect();
    let outs = eval(&g, &point);
    let value = |point: &[Tensor]| {
        // The loss function takes its inputs in its own order.
        let ordered: Vec<Tensor> = f.inputs.iter().map(|p| point[g.input(&p.name).unwrap()].clone()).collect();
        eval(f, &ordered)[f.output("loss").unwrap()].f(0)
    };
    assert!((value(&point) - outs[g.output("loss").unwrap()].f(0)).abs() <= 1e-12);
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
    }
}

#[test]
fn random_programs() {
    let count = 400;
    for seed in 0..count {
        let mut rng = Rng(seed);
        let f = common::random::program(&mut rng);
        check_gradients(&f, &mut rng, &format!("seed {seed}"));
    }
}
