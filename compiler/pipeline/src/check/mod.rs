//! Whether a table can be run, and what is wrong with it if not.
//!
//! The checks go from the plain to the hidden, and stop after the first group that finds something, because what it finds
//! would show up again in all later ones:
//!
//! 1. `complete`: each `F` once, and each `B`, or `I` and `W`, once; a stage on one rank; on each rank nothing before what
//!    it needs.
//! 2. `posts`: where the table has sends and receives, that each is there once, on its rank, in its place, and that both
//!    ends agree on the order of messages.
//! 3. `crate::order`: the ranks together come to the end if no send ever waits.
//! 4. `deadlock`: they also come to the end under each [`Delivery`].
//!
//! Not here: time and memory ([`crate::simulate`]).

mod complete;
mod deadlock;
mod posts;

use crate::delivery::Delivery;
use crate::order;
use crate::problem::PipelineProblem;
use crate::schedule::PipelineSchedule;
use crate::transfers::{Posting, with_transfers};

/// Everything that is wrong with a table; nothing where it completes under each of the deliveries. A table without sends
/// and receives gets them by [`Posting::Common`].
pub fn check(schedule: &PipelineSchedule, deliveries: &[Delivery]) -> Vec<PipelineProblem> {
    let index = schedule.index();
    let mut problems = complete::problems(schedule, &index);
    if problems.is_empty() && schedule.explicit() {
        problems = posts::problems(schedule, &index);
    }
    if !problems.is_empty() {
        return problems;
    }
    let written = match with_transfers(schedule, Posting::Common) {
        Ok(written) => written,
        Err(problem) => return vec![problem],
    };
    if let Err(cycle) = order::passes(&written, &written.index()) {
        return vec![PipelineProblem::Deadlock { delivery: None, cycle }];
    }
    deliveries.iter().filter_map(|d| deadlock::deadlock(&written, *d)).collect()
}

/// The deadlock of a table with sends and receives under one delivery. `None` where it completes.
///
/// Tables without sends and receives go through [`crate::with_transfers`] first. Messages that cross are found before.
pub fn deadlock(schedule: &PipelineSchedule, delivery: Delivery) -> Option<PipelineProblem> {
    let crossed = posts::problems(schedule, &schedule.index()).into_iter().next();
    crossed.or_else(|| deadlock::deadlock(schedule, delivery))
}
