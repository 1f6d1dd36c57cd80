//! What is decided about one form of a program, and on which terms.
//!
//! Not here: the variants that ask it, and who decides ([`super::decisions`]).

use crate::decide::{Begun, Decider, Decision};
use crate::extend::prepared::Prepared;
use crate::{Mode, Plan, PlanError};
use meshloom_ir::Func;

/// What is decided about.
pub struct Decisions<'d, 'a> {
    pub global: &'d Func,
    pub whole: &'d Prepared,
    pub decider: &'d Decider<'d, 'a>,
    pub begun: Begun<'d, 'a>,
    pub budget: Option<u64>,
    /// The least time of all that was decided: what does not promise less is not made to fit.
    pub longest: u64,
    /// Time and peak of the fastest decision about whole loops.
    pub fastest: Option<(u64, u64)>,
    /// A budget for which nothing was found.
    pub too_small: Option<u64>,
}

/// How it is decided.
pub enum Terms {
    /// As was asked.
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

/// What is decided.
pub enum Decided {
    Whole(Box<Decision>),
    Cut(Box<Plan>),
}

/// Why nothing is.
pub enum Nothing {
    Plan(Vec<PlanError>),
    Said(&'static str),
}

impl Decisions<'_, '_> {
    /// What one that is made to fit has to fit, and to take less than.
    pub fn limits(&self) -> (u64, u64) {
        (self.budget.unwrap_or(u64::MAX), self.longest)
    }

    /// The budget, where there is one and all is tried.
    fn thorough(&self) -> Option<u64> {
        let options = self.decider.options;
        self.budget.filter(|_| options.mode == Mode::Search && options.limits.smaller > 0)
    }
}

/// Whether nothing on other terms is to be tried: the search is a brief one, or parts of the program run on different devices.
pub fn is_brief(of: &Decisions<'_, '_>) -> Option<&'static str> {
    if of.thorough().is_none() {
        return Some("nothing is searched for, or briefly");
    }
    of.decider.runs_in_parts().then_some("a device runs a part of the program")
}
