//! One parameter's update. Scalars that all parameters share (learning rate, bias corrections) are computed once and
//! broadcast.

use meshloom_ir::train::Optimizer;
use meshloom_ir::{Builder, ValueId};

/// What every parameter's update shares.
pub struct Shared {
    pub lr: ValueId,
    /// `1 / (1 - beta1^t)` and `1 / (1 - beta2^t)`; AdamW's alone.
    pub corrections: Option<[ValueId; 2]>,
}

impl Shared {
    /// `t` is the number of the step, 1 on the first.
    pub fn new(b: &mut Builder, optimizer: &Optimizer, lr: ValueId, t: ValueId) -> Shared {
        let corrections = match *optimizer {
            Optimizer::Sgd => None,
            Optimizer::AdamW { beta1, beta2, .. } => Some([beta1, beta2].map(|beta| {
                let left = one_minus_power(b, beta, t);
                let one = b.constant_like(t, 1.0);
                b.div(one, left)
            })),
        };
        Shared { lr, corrections }
    }
}

/// `1 - beta^t`. Taken literally this cancels: with beta 0.999 the first step would be off by 6e-5 in f32. With
/// `h = tanh(t log(1 / beta) / 2)` it is `2 h / (1 + h)`, which loses nothing.
fn one_minus_power(b: &mut Builder, beta: f64, t: ValueId) -> ValueId {
    if beta <= 0.0 {
        return b.constant_like(t, 1.0);
    }
    let rate = b.constant_like(t, -beta.ln() / 2.0);
    let angle = b.mul(t, rate);
    let h = b.elem("tanh", &[angle]);
    let (one, two) = (b.constant_like(t, 1.0), b.constant_like(t, 2.0));
    let (above, below) = (b.mul(two, h), b.add(one, h));
    b.div(above, below)
}

/// The next values of a parameter and of its state.
pub struct Next {
    pub parameter: ValueId,
    pub state: Vec<ValueId>,
}

/// Names of the state that an optimizer keeps per parameter, before the parameter's path.
pub fn state_names(optimizer: &Optimizer) -> &'static [&'static str] {
    match optimizer {
        Optimizer::Sgd => &[],
        Optimizer::AdamW { .. } => &["m", "v"],
    }
}

/// Appends the update of `p` by its gradient `g`.
pub fn update(b: &mut Builder, optimizer: &Optimizer, s: &Shared, p: ValueId, g: ValueId, state: &[ValueId]) -> Next {
    let lr = spread(b, s.lr, p);
    match (*optimizer, s.corrections, state) {
        (Optimizer::AdamW { beta1, beta2, eps, weight_decay }, Some([c1, c2]), &[m, v]) => {
            let gg = b.mul(g, g);
            let m = average(b, beta1, m, g);
            let v = average(b, beta2, v, gg);
            let (c1, c2) = (spread(b, c1, p), spread(b, c2, p));
            let (m_hat, v_hat) = (b.mul(m, c1), b.mul(v, c2));
            let root = b.elem("sqrt", &[v_hat]);
            let eps = b.constant_like(p, eps);
            let root = b.add(root, eps);
            let mut step = b.div(m_hat, root);
            if weight_decay != 0.0 {
                let decay = b.constant_like(p, weight_decay);
                let decay = b.mul(decay, p);
                step = b.add(step, decay);
            }
            let step = b.mul(lr, step);
            Next { parameter: b.sub(p, step), state: vec![m, v] }
        }
        _ => {
            let step = b.mul(lr, g);
            Next { parameter: b.sub(p, step), state: Vec::new() }
        }
    }
}

/// `beta old + (1 - beta) new`.
fn average(b: &mut Builder, beta: f64, old: ValueId, new: ValueId) -> ValueId {
    let (keep, take) = (b.constant_like(old, beta), b.constant_like(old, 1.0 - beta));
    let (old, new) = (b.mul(keep, old), b.mul(take, new));
    b.add(old, new)
}

/// A scalar in every element of a value like `like`.
pub fn spread(b: &mut Builder, scalar: ValueId, like: ValueId) -> ValueId {
    let ty = b.ty(like).clone();
    let scalar = b.convert(scalar, ty.dtype);
    b.broadcast(scalar, &ty.shape, &[])
}
