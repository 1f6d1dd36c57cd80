//! The update against its definition, written out in f64: AdamW, SGD, clipping, the learning rate's schedule.

use crate::common;
use crate::common::random::Rng;
use crate::common::{eval, input, loss, mesh};
use meshloom_autodiff::{TrainOptions, train_step};
use meshloom_ir::{Builder, DType, Func, Reduction, Role, Tensor, TensorType};

enum Schedule {
    Constant(f64),
    WarmupCosine { peak: f64, warmup: u64, total: u64, floor: f64 },
}

enum Optimizer {
    Sgd,
    AdamW { beta1: f64, beta2: f64, eps: f64, weight_decay: f64 },
}

struct TrainSpec {
    optimizer: Optimizer,
    lr: Schedule,
    clip: Option<f64>,
}

impl TrainSpec {
    /// As a `train` declaration says it.
    fn text(&self) -> String {
        let (name, settings) = match self.optimizer {
            Optimizer::Sgd => ("sgd", String::new()),
            Optimizer::AdamW { beta1, beta2, eps, weight_decay } => {
                let betas = format!("betas: ({beta1:?}, {beta2:?})");
                ("adamw", format!(", {betas}, eps: {eps:?}, weight_decay: {weight_decay:?}"))
            }
        };
        let lr = match self.lr {
            Schedule::Constant(lr) => format!("{lr:?}"),
            Schedule::WarmupCosine { peak, warmup, total, floor } => {
                format!("warmup_cosine(peak: {peak:?}, warmup: {warmup}, total: {total}, floor: {floor:?})")
            }
        };
        let clip = self.clip.map_or(String::new(), |c| format!(", clip: {c:?}"));
        format!("{name}(loss, lr: {lr}{settings}{clip})")
    }
}

/// `sum(p^3) + sum(q^2 x)`: its gradients are `3 p^2` and `2 q x`.
fn cubic(dtype: DType) -> Func {
    let mut b = Builder::new("cubic", mesh());
    let p = input(&mut b, "p", Role::Parameter, TensorType::new(dtype, vec![3]));
    let x = input(&mut b, "x", Role::Input, TensorType::new(dtype, vec![2]));
    let q = input(&mut b, "q", Role::Parameter, TensorType::new(dtype, vec![2]));
    let pp = b.mul(p, p);
    let ppp = b.mul(pp, p);
    let qq = b.mul(q, q);
    let qqx = b.mul(qq, x);
    let (s, t) = (b.reduce(Reduction::Sum, ppp, &[0]), b.reduce(Reduction::Sum, qqx, &[0]));
    let l = b.add(s, t);
    loss(&mut b, l);
    b.finish()
}

fn rate(schedule: &Schedule, t: f64) -> f64 {
    match *schedule {
        Schedule::Constant(lr) => lr,
        Schedule::WarmupCosine { peak, warmup, total, floor } => {
            let (w, n) = (warmup as f64, total as f64);
            if t <= w {
                return peak * t / w;
            }
            let done = ((t - w) / (n - w)).min(1.0);
            floor + (peak - floor) * 0.5 * (1.0 + (std::f64::consts::PI * done).cos())
        }
    }
}

/// Trains the step function and the definition side by side.
fn compare(spec: &TrainSpec, dtype: DType, steps: usize, tolerance: f64) {
    let f = cubic(dtype);
    let step = train_step(&f, &common::spec(&spec.text(), &f), &TrainOptions::default()).unwrap();
    common::check(&step);
    let mut rng = Rng(3);
    let mut inputs: Vec<Tensor> = Vec::new();
    for (port, &a) in step.inputs.iter().zip(&step.body().args) {
        let ty = step.ty(a);
        inputs.push(if port.role == Role::State { Tensor::zeros(ty) } else { rng.tensor_of(ty) });
    }
    let at = |name: &str| step.input(name).unwrap();
    let values = |t: &Tensor| (0..t.len()).map(|i| t.f(i)).collect::<Vec<f64>>();
    let x = values(&inputs[at("x")]);
    let mut params = [values(&inputs[at("p")]), values(&inputs[at("q")])];
    let mut m = [vec![0.0; 3], vec![0.0; 2]];
    let mut v = m.clone();
    for n in 1..=steps {
        let outs = eval(&step, &inputs);
        let out = |name: &str| outs[step.output(name).unwrap()].f(0);
        let mut grads = [
            params[0].iter().map(|p| 3.0 * p * p).collect::<Vec<f64>>(),
            params[1].iter().zip(&x).map(|(q, x)| 2.0 * q * x).collect(),
        ];
        let norm = grads.iter().flatten().map(|g| g * g).sum::<f64>().sqrt();
        let lr = rate(&spec.lr, n as f64);
        let near = |a: f64, b: f64, what: &str| {
            assert!((a - b).abs() <= tolerance * (b.abs() + 1e-3), "step {n}: {what} is {a}, should be {b}");
        };
        near(out("grad_norm"), norm, "grad_norm");
        near(out("lr"), lr, "lr");
        let scale = spec.clip.map_or(1.0, |c| (c / (norm + 1e-6)).min(1.0));
        grads.iter_mut().flatten().for_each(|g| *g *= scale);
        for k in 0..2 {
            for i in 0..params[k].len() {
                let (g, p) = (grads[k][i], &mut params[k][i]);
                match spec.optimizer {
                    Optimizer::Sgd => *p -= lr * g,
                    Optimizer::AdamW { beta1, beta2, eps, weight_decay } => {
                        let (m, v) = (&mut m[k][i], &mut v[k][i]);
                        *m = beta1 * *m + (1.0 - beta1) * g;
                        *v = beta2 * *v + (1.0 - beta2) * g * g;
                        let m_hat = *m / (1.0 - beta1.powi(n as i32));
                        let v_hat = *v / (1.0 - beta2.powi(n as i32));
                        *p -= lr * (m_hat / (v_hat.sqrt() + eps) + weight_decay * *p);
                    }
                }
            }
        }
        for (i, port) in step.outputs.iter().enumerate() {
            if let Some(to) = port.updates {
                inputs[to] = outs[i].clone();
            }
        }
        for (k, name) in ["p", "q"].into_iter().enumerate() {
            for (a, b) in values(&inputs[at(name)]).iter().zip(&params[k]) {
                near(*a, *b, name);
            }
        }
    }
}

const ADAMW: Optimizer = Optimizer::AdamW { beta1: 0.9, beta2: 0.999, eps: 1e-8, weight_decay: 0.1 };
const COSINE: Schedule = Schedule::WarmupCosine { peak: 3e-2, warmup: 3, total: 9, floor: 1e-3 };

#[test]
fn adamw() {
    compare(&TrainSpec { optimizer: ADAMW, lr: Schedule::Constant(1e-2), clip: None }, DType::F64, 12, 1e-8);
    compare(&TrainSpec { optimizer: ADAMW, lr: COSINE, clip: Some(0.5) }, DType::F64, 12, 1e-8);
    // The bias corrections do not cancel: f32 stays at its own precision from the first step on.
    compare(&TrainSpec { optimizer: ADAMW, lr: COSINE, clip: Some(0.5) }, DType::F32, 12, 2e-5);
}

#[test]
fn adamw_without_momentum_or_decay() {
    let optimizer = Optimizer::AdamW { beta1: 0.0, beta2: 0.95, eps: 1e-8, weight_decay: 0.0 };
    compare(&TrainSpec { optimizer, lr: Schedule::Constant(1e-2), clip: None }, DType::F64, 5, 1e-8);
}

#[test]
fn sgd() {
    compare(&TrainSpec { optimizer: Optimizer::Sgd, lr: COSINE, clip: None }, DType::F64, 12, 1e-8);
    compare(&TrainSpec { optimizer: Optimizer::Sgd, lr: COSINE, clip: Some(0.01) }, DType::F64, 12, 1e-8);
}

/// No warm-up, and no length: nothing divides by zero.
#[test]
fn odd_schedules() {
    for (warmup, total) in [(0, 5), (4, 5), (0, 1)] {
        let lr = Schedule::WarmupCosine { peak: 1.0, warmup, total, floor: 0.25 };
        let spec = TrainSpec { optimizer: Optimizer::Sgd, lr, clip: None };
        let step =
            train_step(&cubic(DType::F32), &common::spec(&spec.text(), &cubic(DType::F32)), &TrainOptions::default())
                .unwrap();
        let mut inputs: Vec<Tensor> = step.body().args.iter().map(|&a| Tensor::zeros(step.ty(a))).collect();
        let at = step.input("step").unwrap();
        for n in 1..8u64 {
            let outs = eval(&step, &inputs);
            let lr = outs[step.output("lr").unwrap()].f(0);
            assert!((0.25..=1.0).contains(&lr), "lr is {lr} at step {n} of {warmup}, {total}");
            if n > total {
                assert!((lr - 0.25).abs() < 1e-6);
            }
            inputs[at] = outs[step.output("step").unwrap()].clone();
        }
    }
}
