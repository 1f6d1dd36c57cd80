//! The last steps of a plan within a budget: a few whole programs near it are tried. They are tried first under the rent that made the
//! plan fit. If the resulting plan leaves much of the budget unused, they are then tried without a rent, to take back what was given up
//! for memory.

use super::{Decider, Decision, Extraction};
use crate::PlanError;
use crate::memory::budget::Ask;
use crate::search::Solution;
use std::rc::Rc;

/// The part of a budget that a plan has to leave for its rent to be dropped.
const LEFT: u64 = 8;

/// The part of the time that a plan without a rent has to save, since it holds more.
const WORTH: u64 = 1000;

impl Decider<'_, '_> {
    /// The best decision near one that fits, or that decision itself. `ask` says which stashes are recomputed.
    ///
    /// # Errors
    /// A tensor cannot be converted to a layout that is required of it.
    pub fn polished(
        &self,
        of: &mut Extraction<'_, '_>,
        from: Rc<Decision>,
        ask: &Ask,
        budget: u64,
    ) -> Result<Rc<Decision>, PlanError> {
        let mut near = |from: &Decision, rent: u64| {
            let ask = Ask { rent, rematerialized: ask.rematerialized.clone(), ..Ask::default() };
            self.solve(of, &ask, |Extraction { search, problem, .. }, rent| {
                let judge = &mut |s: &Solution| {
                    let (time, local) = self.briefly(s);
                    // A slower program is not taken, whatever it holds.
                    if time < from.whole_ps && self.is_large(s, &local, budget) { u64::MAX } else { time }
                };
                let choices = &from.solution.choices;
                Ok((search.polish(problem, rent, choices, from.whole_ps, judge)?, from.effort))
            })
        };
        let fits = |d: &Decision| d.peak_bytes <= budget;
        let first = near(&from, from.rent)?;
        let best = if fits(&first) && first.time_ps < from.time_ps { first } else { from };
        if best.rent == 0 || best.peak_bytes > budget - budget / LEFT {
            return Ok(best);
        }
        let free = near(&best, 0)?;
        Ok(if fits(&free) && free.time_ps < best.time_ps - best.time_ps / WORTH { free } else { best })
    }
}
