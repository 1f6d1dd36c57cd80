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
/// Inputs of `func`: the parameter, its gradient, the number of the step (a float scalar, 1 on the first), then the state,
/// each a port of role `State` with its name and initial value. Outputs: the next parameter, then the next state.
pub type Update = Func;

/// The inputs of an [`Update`] before its state.
pub const UPDATE_INPUTS: usize = 3;

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
    /// The loss is multiplied by this, and its gradients are divided by it: f16 holds no numbers below 6e-8.
    pub loss_scale: f64,
}
