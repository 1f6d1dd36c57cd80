//! What a `train` declaration says, as plain data: the front end fills it in, autodiff builds the step from it.
//!
//! An optimizer is not a variant of an enum here: it is a function, which the front end makes of its text in Loom for each
//! type of parameter, and which autodiff copies into the step.

use crate::graph::Func;
use crate::types::DType;
use std::collections::BTreeMap;
use std::sync::Arc;

/// How one parameter is updated, for an entry of its list where it is in one.
///
/// Inputs of `func`: the parameter, its gradient, the number of the step (a float scalar, 1 on the first), the `samples` and `tokens`
/// that were trained on with it where these names are free, then the state, each a port of role `State` with its name and initial
/// value. Outputs: the next parameter, then the next state.
pub type Update = Func;

#[derive(Clone, Debug)]
pub struct TrainSpec {
    /// The learning rate, for reports: from the number of the step (a float scalar, 1 on the first) to a float scalar.
    pub lr: Func,
    /// By the path of the parameter. One that is not here is frozen: no gradient is taken by it, and it stays as it is.
    pub updates: BTreeMap<String, Arc<Update>>,
    /// Global gradient norm that larger gradients are scaled down to.
    pub clip: Option<f64>,
    /// What the loss is computed in, where that is not what it is written in.
    pub precision: Option<Precision>,
}

/// `precision: bf16`: f32 parameters, and a loss in 16 bits.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Precision {
    /// What activations and parameters are converted to: bf16 or f16.
    pub compute: DType,
    /// What gradients of parameters are summed in, on each device and between devices: `compute` or f32.
    pub reduce: DType,
    pub loss_scale: LossScale,
    /// Contractions of parameters, and of their gradients, take operands of 8 bits.
    pub eight: bool,
}

/// What the loss is multiplied by, and its gradients are divided by: f16 holds no numbers below 6e-8.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum LossScale {
    /// The same in all steps.
    Fixed(f64),
    /// Kept with the optimizer's state: halved, and the update left out, where a gradient is not finite; doubled after `every` updates in
    /// a row.
    Dynamic { start: f64, every: u32 },
}

impl LossScale {
    /// In the first step.
    pub fn first(self) -> f64 {
        match self {
            LossScale::Fixed(x) | LossScale::Dynamic { start: x, .. } => x,
        }
    }

    pub fn is_dynamic(self) -> bool {
        matches!(self, LossScale::Dynamic { .. })
    }
}
