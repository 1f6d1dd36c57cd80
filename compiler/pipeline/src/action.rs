//! What a rank does in one slot: kinds of actions, actions, and cells of a table.
//!
//! The letters are those of the zero-bubble paper as PyTorch writes them: `F` is the forward pass of one stage on one
//! microbatch, `I` its gradient by the input, `W` its gradient by the weights, and `B` is `I` and `W` in one. (The paper
//! itself calls the second one B.) A text of a cell is one that `torch.distributed.pipelining` reads, and the other way
//! round: see [`crate::csv`].

use std::fmt;

/// What is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ActionKind {
    /// Forward.
    F,
    /// Gradient by the input of the stage.
    I,
    /// Gradient by the weights of the stage.
    W,
    /// Full backward: `I` and `W`.
    B,
    /// Sends the output of the stage to the next stage.
    SendF,
    /// Receives the input of the stage from the stage before it.
    RecvF,
    /// Sends the gradient by the input of the stage to the stage before it.
    SendB,
    /// Receives the gradient by the output of the stage from the next stage.
    RecvB,
    /// Gathers the parameters of a stage (PyTorch's FSDP). Takes no time here.
    Unshard,
    /// Gives the gathered parameters back. Takes no time here.
    Reshard,
    /// Reduces the gradients of a stage over data-parallel replicas. Takes no time here.
    ReduceGrad,
}

impl ActionKind {
    /// All kinds, a longer text before each of its prefixes.
    pub const ALL: [ActionKind; 11] = {
        use ActionKind::{B, F, I, RecvB, RecvF, ReduceGrad, Reshard, SendB, SendF, Unshard, W};
        [Unshard, Reshard, ReduceGrad, SendF, RecvF, SendB, RecvB, F, I, B, W]
    };

    /// As tables write it.
    pub fn text(self) -> &'static str {
        match self {
            ActionKind::F => "F",
            ActionKind::I => "I",
            ActionKind::W => "W",
            ActionKind::B => "B",
            ActionKind::SendF => "SEND_F",
            ActionKind::RecvF => "RECV_F",
            ActionKind::SendB => "SEND_B",
            ActionKind::RecvB => "RECV_B",
            ActionKind::Unshard => "UNSHARD",
            ActionKind::Reshard => "RESHARD",
            ActionKind::ReduceGrad => "REDUCE_GRAD",
        }
    }

    /// `F`, `I`, `W`, `B`: what takes time on the rank.
    pub fn computes(self) -> bool {
        matches!(self, ActionKind::F | ActionKind::I | ActionKind::W | ActionKind::B)
    }

    /// A send or a receive.
    pub fn transfers(self) -> bool {
        matches!(self, ActionKind::SendF | ActionKind::RecvF | ActionKind::SendB | ActionKind::RecvB)
    }

    /// `UNSHARD`, `RESHARD`, `REDUCE_GRAD`: actions on a whole stage, without a microbatch.
    pub fn whole_stage(self) -> bool {
        !self.computes() && !self.transfers()
    }
}

/// One kind of work on one stage and one microbatch: `2F0`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PipelineAction {
    /// From 0, in the order of the forward pass.
    pub stage: u32,
    pub kind: ActionKind,
    /// From 0; 0 where the kind is of a whole stage.
    pub microbatch: u32,
}

impl PipelineAction {
    pub fn new(stage: u32, kind: ActionKind, microbatch: u32) -> PipelineAction {
        PipelineAction { stage, kind, microbatch }
    }
}

impl fmt::Display for PipelineAction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.stage, self.kind.text())?;
        match self.kind.whole_stage() {
            true => Ok(()),
            false => write!(f, "{}", self.microbatch),
        }
    }
}

/// What stands in one slot of one rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Cell {
    Idle,
    One(PipelineAction),
    /// A forward and a backward (`B` or `I`) that run at once: DeepSeek's F&B, `(0F1;1B2)OVERLAP_F_B`.
    Overlap([PipelineAction; 2]),
}

impl Cell {
    pub fn one(stage: u32, kind: ActionKind, microbatch: u32) -> Cell {
        Cell::One(PipelineAction::new(stage, kind, microbatch))
    }

    /// Its actions, in the order of the text.
    pub fn actions(&self) -> &[PipelineAction] {
        match self {
            Cell::Idle => &[],
            Cell::One(a) => std::slice::from_ref(a),
            Cell::Overlap(pair) => pair,
        }
    }

    /// Takes time on the rank.
    pub fn computes(&self) -> bool {
        self.actions().iter().any(|a| a.kind.computes())
    }
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Cell::Idle => Ok(()),
            Cell::One(a) => a.fmt(f),
            Cell::Overlap([a, b]) => write!(f, "({a};{b})OVERLAP_F_B"),
        }
    }
}
