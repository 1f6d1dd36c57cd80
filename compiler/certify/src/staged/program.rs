//! The programs of a pipeline's ranks, as they are described to the checker: what their ports are, which loops are actions, and in
//! which order a rank works. The checker trusts none of it.

use meshloom_ir::{Func, OpId};

/// Rows `lo..hi` of dim 0.
pub type LayerRange = (u64, u64);

/// What an input of a rank's program is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RankInput {
    /// An input of the local program, or some of its layers.
    Input { input: usize, layers: Option<LayerRange> },
    /// What rank `from` sends over the wire that is named as the port; entry by entry of a stack by microbatches if `each`.
    Received { from: usize, each: bool },
}

/// What an output of a rank's program is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RankOutput {
    /// An output of the local program, or some of its layers.
    Output {
        output: usize,
        layers: Option<LayerRange>,
    },
    Sent {
        to: usize,
        each: bool,
    },
}

/// A loop over microbatches whose iterations run when the schedule says so.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RankLoop {
    pub repeat: OpId,
    /// As the schedule writes it.
    pub name: String,
}

/// One step in the order of a rank.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum RankStep {
    /// This iteration of an action, by its place in [`Rank::actions`].
    Run { action: usize, iteration: u64 },
    /// Hands on this output, or this entry of it. It is a copy and never waits.
    Send { output: usize, entry: Option<u64> },
    /// Waits for this input, or this entry of it.
    Receive { input: usize, entry: Option<u64> },
}

/// The program of one rank, and what its ports are.
#[derive(Clone, Debug)]
pub struct Rank<'a> {
    pub func: &'a Func,
    /// By input and by output of `func`.
    pub inputs: Vec<RankInput>,
    pub outputs: Vec<RankOutput>,
    pub actions: Vec<RankLoop>,
    /// In the order of time. Ops outside of the actions are not in it: they run between the steps that they need and those
    /// that need them.
    pub steps: Vec<RankStep>,
}
