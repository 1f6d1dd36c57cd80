//! What a `train` declaration says, as plain data: the front end fills it in, autodiff builds the step from it.

/// Learning rate as a function of the step (1 on the first step).
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Schedule {
    Constant(f64),
    /// Linear from 0 to `peak` over `warmup` steps, then half a cosine down to `floor` at step `total`.
    WarmupCosine {
        peak: f64,
        warmup: u64,
        total: u64,
        floor: f64,
    },
}

#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Optimizer {
    /// `p -= lr g`.
    Sgd,
    /// Loshchilov and Hutter 2019: `p -= lr (mhat / (sqrt(vhat) + eps) + weight_decay p)`.
    AdamW { beta1: f64, beta2: f64, eps: f64, weight_decay: f64 },
}

#[derive(Clone, PartialEq, Debug)]
pub struct TrainSpec {
    pub optimizer: Optimizer,
    pub lr: Schedule,
    /// Global gradient norm that larger gradients are scaled down to.
    pub clip: Option<f64>,
}
