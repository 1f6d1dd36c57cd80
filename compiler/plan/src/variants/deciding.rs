//! The decisions about one form of a program, and the terms on which they are made.
//!
//! Not here: the variants that request decisions, and the code that decides ([`super::decisions`]).

use crate::decide::{Begun, Decider, Decision};
use crate::extend::prepared::Prepared;
use crate::moves::{Record, Worth};
use crate::{Mode, Plan, PlanError};
use meshloom_ir::Func;

/// The program to decide about, and what was decided so far.
pub struct Decisions<'d, 'a> {
    pub global: &'d Func,
    pub whole: &'d Prepared,
    pub decider: &'d Decider<'d, 'a>,
    pub begun: Begun<'d, 'a>,
    pub budget: Option<u64>,
    /// The least time among the decisions so far. A decision that does not promise less is not made to fit.
    pub longest: u64,
    /// The best decision about whole loops.
    pub fastest: Option<Worth>,
    /// A budget for which no decision was found.
    pub too_small: Option<u64>,
    /// How the moves of searches on other terms went.
    pub moves: Record,
}

/// The terms of a decision.
pub enum Terms {
    /// Those of the caller.
    Given,
    /// With axes that annotations name together as one.
    Joined,
    /// With parameters as HSDP and Megatron have them.
    Hsdp,
    /// For less memory.
    Smaller(u64),
    /// With loops of this decision in segments.
    Segments(Box<Decision>),
}

/// The result: a decision about the whole program, or a plan with loops in segments.
pub enum Decided {
    Whole(Box<Decision>),
    Cut(Box<Plan>),
}

/// Why there is no decision.
pub enum Nothing {
    Plan(Vec<PlanError>),
    Said(&'static str),
}

impl Decisions<'_, '_> {
    /// The budget that a decision which is made to fit has to meet, and the time that it has to stay below.
    pub fn limits(&self) -> (u64, u64) {
        (self.budget.unwrap_or(u64::MAX), self.longest)
    }

    /// The budget, if there is one and the search is thorough.
    fn thorough(&self) -> Option<u64> {
        let options = self.decider.options;
        self.budget.filter(|_| options.mode == Mode::Search && options.limits.smaller > 0)
    }
}

/// Why no other terms are tried, if so: the search is brief, or parts of the program run on different devices.
pub fn is_brief(of: &Decisions<'_, '_>) -> Option<&'static str> {
    if of.thorough().is_none() {
        return Some("nothing is searched for, or briefly");
    }
    of.decider.runs_in_parts().then_some("a device runs a part of the program")
}
