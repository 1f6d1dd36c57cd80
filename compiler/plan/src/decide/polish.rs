//! The last moves of a plan within a budget: a few whole programs near it are tried. They are tried first under the rent that made
//! the plan fit. If the resulting plan leaves much of the budget unused, they are then tried without a rent, to take back what was
//! given up for memory.

use super::Decision;
use super::lead::Lead;
use super::solving::Solving;
use crate::memory::budget::Ask;
use crate::search::Solution;
use crate::{PlanError, effort};
use std::rc::Rc;

/// The best decision near one that fits, under the same rent.
///
/// # Errors
/// A tensor cannot be converted to a layout that is required of it.
pub fn under_its_rent(solving: &mut Solving<'_, '_, '_>, best: &Rc<Decision>, budget: u64) -> Result<Lead, PlanError> {
    if !solving.is_polished(best) {
        return Ok(Lead::NotTried);
    }
    near(solving, best, best.rent, budget)
}

/// The same without a rent.
///
/// # Errors
/// Those of [`under_its_rent`].
pub fn without_rent(solving: &mut Solving<'_, '_, '_>, best: &Rc<Decision>, budget: u64) -> Result<Lead, PlanError> {
    if !solving.is_polished(best) || best.rent == 0 || best.peak_bytes > budget - budget / effort::POLISH_ROOM {
        return Ok(Lead::NotTried);
    }
    near(solving, best, 0, budget)
}

fn near(solving: &mut Solving<'_, '_, '_>, best: &Decision, rent: u64, budget: u64) -> Result<Lead, PlanError> {
    let decider = solving.decider;
    let ask = Ask { rent, ..solving.base.clone() };
    let took = if decider.runs_in_parts() { decider.judged(&best.solution).0 } else { best.whole_ps };
    if took == u64::MAX {
        return Ok(Lead::NotTried);
    }
    let found = decider.solve(solving.extraction, &ask, |of, rent| {
        let judge = &mut |s: &Solution| {
            let (time, local) = decider.judged(s);
            // A slower program is not taken, whatever it holds.
            if time < took && decider.is_large(s, &local, budget) { u64::MAX } else { time }
        };
        let choices = &best.solution.choices;
        Ok((of.search.polish(&mut of.problem, rent, choices, took, judge)?, best.spent))
    });
    found.map(Lead::To)
}
