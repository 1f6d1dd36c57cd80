//! The decision for a budget: one that fits, and moves from it to faster ones. Each move is tried in turn with the best decision so far,
//! and the rule of all moves ([`crate::moves`]) says whether what it leads to is taken.
//!
//! Not here: the search for a decision that fits ([`crate::memory::budget`]).

use super::lead::Lead;
use super::solving::Solving;
use super::{Begun, Decider, Decision, Fit, polish};
use crate::memory::budget::{self, Ask, BudgetOutcome, Candidate};
use crate::memory::copied;
use crate::moves::{Measure, Move};
use crate::search::cost::Rent;
use crate::{PlanError, Recompute, effort};
use std::rc::Rc;

/// Makes a move from the best decision so far, under a budget.
type Make = fn(&mut Solving<'_, '_, '_>, &Rc<Decision>, u64) -> Result<Lead, PlanError>;

/// In the order in which they are tried.
const MOVES: [(Move, Make); 6] = [
    (Move::Copied, recomputed),
    (Move::GoneOn, gone_on),
    (Move::Start, start),
    (Move::Outside, outside),
    (Move::Polish, polish::under_its_rent),
    (Move::Free, polish::without_rent),
];

impl Decider<'_, '_> {
    /// The decision for the budget, or for none.
    ///
    /// # Errors
    /// Annotations cannot be satisfied together, or nothing fits.
    pub fn decide(&self, budget: Option<u64>, begun: &mut Begun<'_, '_>) -> Result<Decision, PlanError> {
        let mut solving = Solving::new(self, budget, begun);
        let Some(budget) = budget else {
            return Ok(Rc::unwrap_or_clone(solving.solve(&Ask::default())?.plan));
        };
        let prices = &|c: &Candidate<Rc<Decision>>| self.prices(&c.plan);
        let outcome = budget::within(budget, self.runs_in_parts(), &mut |ask| solving.solve(ask), prices)?;
        match outcome {
            BudgetOutcome::Fits(c) => {
                solving.bound = !solving.large.is_empty();
                let best = improved(&mut solving, c.plan, budget)?;
                Ok(Decision { bound: solving.bound, ..Rc::unwrap_or_clone(best) })
            }
            BudgetOutcome::TooLarge(c) => {
                let (made, least) = self.outside(solving.large, budget);
                let made = made.map(|d| Decision { bound: true, ..d });
                made.ok_or_else(|| PlanError::too_large(c.peak_bytes.min(least), budget))
            }
        }
    }
}

/// The best decision that moves lead to from `best`, which fits.
///
/// # Errors
/// A tensor cannot be converted to a layout that is required of it.
fn improved(solving: &mut Solving<'_, '_, '_>, mut best: Rc<Decision>, budget: u64) -> Result<Rc<Decision>, PlanError> {
    for (of, make) in MOVES {
        let (via, found) = match make(solving, &best, budget)? {
            Lead::NotTried => continue,
            Lead::Nowhere => (None, None),
            Lead::To(found) => (None, Some(found)),
            Lead::Via(via, found) => (Some(via), Some(found)),
        };
        let Some(found) = found.filter(|d| d.peak_bytes <= budget) else {
            solving.moves(|moves| moves.count(of, Measure::Program, None));
            continue;
        };
        let (old, new) = (best.worth(), found.worth());
        if solving.moves(|moves| moves.accepts(of, old, new)) {
            via.into_iter()
                .for_each(|via| solving.moves(|m| m.count(via, Measure::Program, Some([old.step_ps, new.step_ps]))));
            best = found;
        }
    }
    Ok(best)
}

fn recomputed(solving: &mut Solving<'_, '_, '_>, best: &Rc<Decision>, budget: u64) -> Result<Lead, PlanError> {
    if !solving.decider.program.func.stashes_in_host {
        return Ok(Lead::NotTried);
    }
    let worth = solving.decider.prices(best);
    let fits = solving.candidate(best.clone());
    let found = copied::recomputed(fits, budget, best.rent, &worth, &mut |ask| solving.solve(ask))?.plan;
    Ok(if Rc::ptr_eq(&found, best) { Lead::Nowhere } else { Lead::To(found) })
}

/// The search for a rent goes on from one choice, the cheapest without a rent. What it found from other starts may be faster under
/// the same rent.
fn gone_on(solving: &mut Solving<'_, '_, '_>, best: &Rc<Decision>, budget: u64) -> Result<Lead, PlanError> {
    let Some(first) = solving.first.as_ref().filter(|_| solving.starts) else { return Ok(Lead::NotTried) };
    let (decider, of) = (solving.decider, &mut *solving.extraction);
    let rent = Rent(best.rent);
    // Choices are numbers of options, and the settings of stashes take some options away.
    let taken = decider.restrict(&mut of.problem, &solving.base);
    let others = of.search.under(&mut of.problem, rent, &first.found, effort::STARTS_GONE_ON);
    let timed = decider.all_timed(of, rent, &others);
    for (s, site) in taken {
        of.problem.sites[s] = site;
    }
    let fit = decider.fitting(&timed?, budget, best.time_ps);
    written(solving, best, fit)
}

/// A start, as it stands.
fn start(solving: &mut Solving<'_, '_, '_>, best: &Rc<Decision>, budget: u64) -> Result<Lead, PlanError> {
    let Some(first) = solving.first.as_mut().filter(|_| solving.starts) else { return Ok(Lead::NotTried) };
    let (decider, of) = (solving.decider, &mut *solving.extraction);
    let timed = match &first.timed {
        Some(timed) => timed,
        None => first.timed.insert(decider.all_timed(of, Rent::default(), &first.found)?),
    };
    let fit = decider.fitting(timed, budget, best.time_ps);
    written(solving, best, fit)
}

/// A choice that fits, as a decision.
fn written(solving: &mut Solving<'_, '_, '_>, best: &Decision, fit: Option<Fit>) -> Result<Lead, PlanError> {
    let Some(fit) = fit.filter(|f| f.time_ps < best.time_ps) else { return Ok(Lead::Nowhere) };
    let ask = Ask { rent: best.rent, ..solving.base.clone() };
    let found = solving.decider.solve(solving.extraction, &ask, |of, rent| {
        Ok((of.search.finish(&mut of.problem, rent, &fit.found)?, best.spent))
    });
    Ok(Lead::Via(fit.found.by, found?))
}

/// What stands outside of loops is rematerialized where layouts and loops leave too much, or cost more than that does.
fn outside(solving: &mut Solving<'_, '_, '_>, best: &Rc<Decision>, budget: u64) -> Result<Lead, PlanError> {
    let large: Vec<Rc<Decision>> = solving.large.iter().filter(|d| d.time_ps < best.time_ps).cloned().collect();
    if !solving.bound || large.is_empty() || solving.decider.options.recompute_outside() != Recompute::Auto {
        return Ok(Lead::NotTried);
    }
    let found = solving.decider.outside_fitting(large, budget, best.time_ps);
    Ok(found.map_or(Lead::Nowhere, |d| Lead::To(Rc::new(d))))
}
