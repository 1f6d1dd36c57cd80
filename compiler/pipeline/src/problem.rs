//! What may be wrong with a table, each as one line for people that names rank, slot and action.

use crate::action::{ActionKind, PipelineAction};
use crate::delivery::Delivery;
use std::fmt;

/// An action in its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Where {
    pub rank: usize,
    pub slot: usize,
    pub action: PipelineAction,
}

impl fmt::Display for Where {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} (rank {}, slot {})", self.action, self.rank, self.slot)
    }
}

/// One wait of a deadlock: `who` cannot go on before `whom` does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Waits {
    pub who: Where,
    pub why: &'static str,
    pub whom: Where,
}

impl fmt::Display for Waits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {}", self.who, self.why, self.whom)
    }
}

/// A fault of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PipelineProblem {
    /// A rank without an action.
    IdleRank { rank: usize },
    /// Nobody does this.
    Missing { kind: ActionKind, stage: u32, microbatch: u32 },
    /// The same action twice.
    Doubled { first: Where, again: Where },
    /// `B`, and `I` or `W` too.
    TwoBackwards { whole: Where, part: Where },
    /// Actions of one stage on several ranks, and the ranks are not those of two directions.
    Scattered { one: Where, other: Where },
    /// An action on another rank than the others of its stage and microbatch.
    Elsewhere { at: Where, rank: u32 },
    /// On one rank, an action before one that it needs.
    TooEarly { at: Where, needs: Where },
    /// An overlapped pair of which one part needs the other.
    PairWaits { at: Where, needs: PipelineAction },
    /// A send or receive of something that does not leave its rank, or does not exist.
    NoTransfer { at: Where, reason: &'static str },
    /// A table with sends and receives lacks one.
    Unposted { action: PipelineAction, rank: u32 },
    /// A receive after the action that uses what it brings.
    UsedEarly { at: Where, receive: Where },
    /// Two ranks disagree on the order of messages between them.
    Crossed { send: Where, receive: Where },
    /// A stage is used while its parameters are not gathered.
    Resharded { at: Where, since: Where },
    /// Gradients are reduced before the last one is there.
    ReducedEarly { at: Where, before: Where },
    /// Nothing can go on. Without a delivery: even if sends never waited.
    Deadlock { delivery: Option<Delivery>, cycle: Vec<Waits> },
}

impl PipelineProblem {
    /// The cells that the problem is about, the one that is wrong before those that it does not agree with. None where an
    /// action or a rank is missing; of a deadlock, whoever waits.
    pub fn places(&self) -> Vec<Where> {
        use PipelineProblem::{
            Crossed, Deadlock, Doubled, Elsewhere, IdleRank, Missing, NoTransfer, PairWaits, ReducedEarly, Resharded,
            Scattered, TooEarly, TwoBackwards, Unposted, UsedEarly,
        };
        match self {
            IdleRank { .. } | Missing { .. } | Unposted { .. } => Vec::new(),
            Elsewhere { at, .. } | PairWaits { at, .. } | NoTransfer { at, .. } => vec![*at],
            Doubled { first, again } => vec![*again, *first],
            TwoBackwards { whole, part } => vec![*part, *whole],
            Scattered { one, other } => vec![*other, *one],
            TooEarly { at, needs } => vec![*at, *needs],
            UsedEarly { at, receive } => vec![*at, *receive],
            Crossed { send, receive } => vec![*receive, *send],
            Resharded { at, since } => vec![*at, *since],
            ReducedEarly { at, before } => vec![*at, *before],
            Deadlock { cycle, .. } => cycle.iter().map(|w| w.who).collect(),
        }
    }
}

impl fmt::Display for PipelineProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PipelineProblem::IdleRank { rank } => write!(f, "rank {rank} does nothing"),
            PipelineProblem::Missing { kind, stage, microbatch } => {
                write!(f, "{} is missing", PipelineAction::new(*stage, *kind, *microbatch))
            }
            PipelineProblem::Doubled { first, again } => write!(f, "{again} is done already by {first}"),
            PipelineProblem::TwoBackwards { whole, part } => {
                write!(f, "{part} is done already by {whole}: a B is an I and a W")
            }
            PipelineProblem::Scattered { one, other } => write!(
                f,
                "stage {} is on two ranks, {one} and {other}, and the table is not one of two directions",
                one.action.stage
            ),
            PipelineProblem::Elsewhere { at, rank } => {
                write!(f, "{at} is on another rank than its F: stage {} is on rank {rank}", at.action.stage)
            }
            PipelineProblem::TooEarly { at, needs } => write!(f, "{at} stands before {needs}, which it needs"),
            PipelineProblem::PairWaits { at, needs } => write!(f, "{at} overlaps with {needs}, which it needs"),
            PipelineProblem::NoTransfer { at, reason } => write!(f, "{at} {reason}"),
            PipelineProblem::Unposted { action, rank } => {
                write!(f, "{action} is missing on rank {rank}: a table with sends and receives has all of them")
            }
            PipelineProblem::UsedEarly { at, receive } => {
                write!(f, "{at} stands before {receive}, which brings its input")
            }
            PipelineProblem::Crossed { send, receive } => write!(
                f,
                "messages cross: rank {} sends {send} where rank {} receives {receive}",
                send.rank, receive.rank
            ),
            PipelineProblem::Resharded { at, since } => write!(f, "{at} uses parameters that {since} gave back"),
            PipelineProblem::ReducedEarly { at, before } => {
                write!(f, "{at} stands before {before}, whose gradient it lacks")
            }
            PipelineProblem::Deadlock { delivery, cycle } => {
                let told: Vec<String> = cycle.iter().map(Waits::to_string).collect();
                match delivery {
                    None => write!(f, "deadlock: ")?,
                    Some(d) => write!(f, "deadlock ({d}): ")?,
                }
                f.write_str(&told.join("; "))
            }
        }
    }
}
