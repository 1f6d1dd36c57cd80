//! A staged program: a local program whose ops have stages.
//!
//! Not here: how one is made ([`crate::cut`]).

use crate::actions::Kind;
use meshloom_ir::unstack;
use meshloom_ir::{Func, OpId};
use std::collections::BTreeMap;

/// A loop over microbatches that is the work of one action.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Action {
    pub repeat: OpId,
    pub stage: usize,
    pub kind: Kind,
}

/// A local program whose ops have stages.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Staged {
    pub func: Func,
    /// Where microbatches go several ways, each way has stages of its own: stage `s` of way `w` is number `w * n + s` of `n` each.
    pub stages: usize,
    /// Of each action.
    pub microbatches: u64,
    /// Loops over microbatches, in an order in which all their iterations can run.
    pub actions: Vec<Action>,
    /// By op of the function's body: the stages that compute it.
    pub ops: BTreeMap<OpId, Vec<usize>>,
    /// By input: the stages that have it in memory. State and parameters are with the stage that computes their next value.
    pub inputs: Vec<Vec<usize>>,
    /// By input and by output: which port of the local program it is, and which of its layers.
    pub input_layers: Vec<unstack::Layers>,
    pub output_layers: Vec<unstack::Layers>,
}
