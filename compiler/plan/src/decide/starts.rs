//! The first choice, for no rent at all; and what a budget makes of the choices that this search has met on its way.
//!
//! The rent that a budget asks for is brought to one choice only, the one that is cheapest without a rent. Where that ends
//! slower than a start that fits as it stands, or that is gone on from under the same rent, the start is taken.

use super::{Decider, Decision, Extraction, First, Fit, TIMED, Timed};
use crate::memory::budget::{Ask, Candidate};
use crate::search::cost::Rent;
use crate::search::plain::longest;
use crate::search::{SearchResult, Solution};
use crate::{Objective, PlanError};
use std::rc::Rc;

/// Starts that are gone on from under the rent that a budget asks for; and those of a program in parts that are measured.
const GONE_ON: usize = 4;

impl Decider<'_, '_> {
    /// Choices that are timed as whole programs: one, where it does not matter how fast a plan is.
    pub fn timed_at_most(&self) -> usize {
        let matters = self.options.objective() == Objective::Time && self.options.limits.programs > 0;
        if matters { TIMED } else { 1 }
    }

    /// The best of the choices `found`, gone on from by what whole programs take. Where the cheapest of them does not fit the
    /// budget, it alone is gone on from, since it changes much before it fits: then one of the others may be better as it is, if the
    /// program has loops.
    ///
    /// # Errors
    /// Some tensor cannot be converted to what is asked of it.
    pub fn first(
        &self,
        of: &mut Extraction<'_, '_>,
        rent: Rent,
        first: &First,
        budget: Option<u64>,
    ) -> Result<(Solution, bool), PlanError> {
        let Extraction { search, problem, .. } = of;
        let found = &first.found;
        // The search adds times up; how far they overlap is seen in the whole program only.
        let judge = &mut |s: &Solution| self.took(s);
        let best = search.finish(problem, rent, &found[0])?;
        if let Some(budget) = budget
            && self.is_large(&best, &self.briefly(&best).1, budget)
        {
            let only = found.iter().take(1).cloned().collect();
            return Ok((search.refine(problem, rent, only, judge)?, search.has_loops()));
        }
        let best = search.refine(problem, rent, found.clone(), judge)?;
        if self.timed_at_most() == 1 || !search.has_loops() {
            return Ok((best, false));
        }
        let took = self.took(&best);
        let judge = &mut |s: &Solution| {
            let (time, local) = self.briefly(s);
            // What is too slow is not taken, whatever it holds.
            let large = |b| time <= longest(took) && self.is_large(s, &local, b);
            if budget.is_some_and(large) { u64::MAX } else { time }
        };
        Ok((search.plain(problem, rent, &best, took, judge)?, false))
    }

    /// What was found within a budget, `c` under `ask`, or a start that is faster and fits: as it stands, or gone on from under the same
    /// rent.
    ///
    /// # Errors
    /// Some tensor cannot be converted to what is asked of it.
    pub fn or_start(
        &self,
        of: &mut Extraction<'_, '_>,
        c: Candidate<Rc<Decision>>,
        ask: &Ask,
        first: &mut First,
        budget: u64,
    ) -> Result<Candidate<Rc<Decision>>, PlanError> {
        let rent = Rent(ask.rent);
        let stand = match &first.timed {
            Some(timed) => timed,
            None => first.timed.insert(self.all_timed(of, Rent::default(), &first.found)?),
        };
        let stand = self.fitting(stand, budget, c.time_ps);
        // Choices are numbers of options, and what is asked of stashes takes some of these away.
        let taken = self.restrict(&mut of.problem, ask);
        let others = of.search.under(&mut of.problem, rent, &first.found, GONE_ON);
        let timed = self.all_timed(of, rent, &others);
        for (s, site) in taken {
            of.problem.sites[s] = site;
        }
        let gone_on = self.fitting(&timed?, budget, c.time_ps);
        let fit = gone_on.into_iter().chain(stand).min_by_key(|f| f.time_ps);
        let Some(fit) = fit.filter(|f| f.time_ps < c.time_ps) else { return Ok(c) };
        let effort = c.plan.effort;
        let d = self.solve(of, ask, |of, rent| Ok((of.search.finish(&mut of.problem, rent, &fit.found)?, effort)))?;
        if d.peak_bytes > budget || d.time_ps >= c.time_ps {
            return Ok(c);
        }
        let rematerialized = self.rematerialized(&d.solution);
        Ok(Candidate { time_ps: d.time_ps, peak_bytes: d.peak_bytes, rematerialized, plan: d })
    }

    /// The programs of some choices, the fastest first.
    fn all_timed(
        &self,
        of: &mut Extraction<'_, '_>,
        rent: Rent,
        found: &[SearchResult],
    ) -> Result<Vec<Timed>, PlanError> {
        let mut all = Vec::new();
        for found in found {
            let solution = of.search.finish(&mut of.problem, rent, found)?;
            let (time_ps, local) = self.briefly(&solution);
            all.push(Timed { time_ps, found: found.clone(), solution, local });
        }
        all.sort_by_key(|t| t.time_ps);
        Ok(all)
    }

    /// The fastest of some choices that fits the budget as it is, of those whose programs take less than `longest`. A program in parts takes long
    /// to measure, so few of those are, however long the program as a whole takes.
    fn fitting(&self, timed: &[Timed], budget: u64, longest: u64) -> Option<Fit> {
        let parts = self.runs_in_parts();
        let most = if parts { GONE_ON } else { timed.len() };
        let mut open = timed.iter().take(most).take_while(|t| parts || t.time_ps < longest);
        let fit = open.find(|t| !self.is_large(&t.solution, &t.local, budget))?;
        let step_ps = || self.peak(&self.local(&fit.solution)).step_ps;
        let time_ps = if parts { step_ps().unwrap_or(fit.time_ps) } else { fit.time_ps };
        Some(Fit { time_ps, found: fit.found.clone() })
    }
}
