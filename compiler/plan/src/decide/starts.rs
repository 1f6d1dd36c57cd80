//! The first choice, without a rent; and the other choices of that search, which are tried again under a budget.
//!
//! The search for a rent that meets the budget starts from one choice only, the cheapest one without a rent. A start that
//! fits as it stands, or a descent from a start under the same rent, may be faster than its result. Then that one is
//! taken.

use super::{Decider, Extraction, First, Fit, Timed};
use crate::effort;
use crate::moves::Move;
use crate::search::cost::Rent;
use crate::search::{SearchResult, Solution};
use crate::{Objective, PlanError};

impl Decider<'_, '_> {
    /// How many choices are timed as whole programs: one, if it does not matter how fast a plan is.
    pub fn timed_at_most(&self) -> usize {
        let matters = self.options.objective() == Objective::Time && self.options.limits.programs > 0;
        if matters { effort::TIMED } else { 1 }
    }

    /// The best solution that a search finds from the choices in `first.found`, by the times of whole programs. If the cheapest
    /// choice does not fit the budget, the search continues from it alone, since it changes much before it fits. In that case one of
    /// the other choices may be better as it stands, if the program has loops; the second result says so.
    ///
    /// # Errors
    /// A tensor cannot be converted to a layout that is required of it.
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
            // A program that is too slow is not taken, whatever it holds.
            let large = |b| time < Move::Plain.below(took) && self.is_large(s, &local, b);
            if budget.is_some_and(large) { u64::MAX } else { time }
        };
        Ok((search.plain(problem, rent, &best, took, judge)?, false))
    }

    /// The programs of some choices, the fastest first.
    pub fn all_timed(
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
    pub fn fitting(&self, timed: &[Timed], budget: u64, longest: u64) -> Option<Fit> {
        let parts = self.runs_in_parts();
        let most = if parts { effort::STARTS_GONE_ON } else { timed.len() };
        let mut open = timed.iter().take(most).take_while(|t| parts || t.time_ps < longest);
        let fit = open.find(|t| !self.is_large(&t.solution, &t.local, budget))?;
        let step_ps = || self.peak(&self.local(&fit.solution)).step_ps;
        let time_ps = if parts { step_ps().unwrap_or(fit.time_ps) } else { fit.time_ps };
        Some(Fit { time_ps, found: fit.found.clone() })
    }
}
