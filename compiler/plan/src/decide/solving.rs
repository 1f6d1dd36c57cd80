//! The requests that are solved on the way to one decision, and what of their results later ones go on from.
//!
//! Not here: what single stashes are worth ([`crate::memory::budget`]), and who asks ([`super::improve`]).

use super::{Begun, Decider, Decision, Extraction, First};
use crate::effort;
use crate::memory::budget::{Ask, Candidate};
use crate::moves::Record;
use crate::search::{Choices, Depth};
use crate::{PlanError, Recompute};
use std::collections::BTreeSet;
use std::rc::Rc;

/// What is found out on the way to one decision.
pub struct Solving<'r, 's, 'a> {
    pub decider: &'r Decider<'r, 'r>,
    pub extraction: &'r mut Extraction<'s, 'a>,
    pub first: &'r mut Option<First>,
    /// What every request asks.
    pub base: Ask,
    /// Decisions that are too large, and are kept to be made smaller.
    pub large: Vec<Rc<Decision>>,
    /// One of the choices that the first search found may be better as it stands.
    pub starts: bool,
    /// The fastest decision did not fit.
    pub bound: bool,
    budget: Option<u64>,
    last: Option<Choices>,
    rents: BTreeSet<u64>,
}

impl<'r, 's, 'a> Solving<'r, 's, 'a> {
    pub fn new(decider: &'r Decider<'r, 'r>, budget: Option<u64>, begun: &'r mut Begun<'s, 'a>) -> Self {
        Solving {
            decider,
            extraction: &mut begun.extraction,
            first: &mut begun.first,
            base: decider.all_or_nothing(),
            large: Vec::new(),
            starts: false,
            bound: false,
            budget,
            last: None,
            rents: BTreeSet::new(),
        }
    }

    /// What comes of a request, gone on from the request before.
    ///
    /// # Errors
    /// A tensor cannot be converted to a layout that is required of it.
    pub fn solve(&mut self, ask: &Ask) -> Result<Candidate<Rc<Decision>>, PlanError> {
        let Solving { decider, base, budget, last, rents, .. } = self;
        let rematerialized = ask.rematerialized.union(&base.rematerialized).copied().collect();
        let ask = Ask { rematerialized, ..ask.clone() };
        let (first, starts, budget) = (&mut *self.first, &mut self.starts, *budget);
        let d = decider.solve(self.extraction, &ask, |of, rent| match last {
            None => {
                let first = decider.met(of, rent, first)?;
                let best;
                (best, *starts) = decider.first(of, rent, first, budget)?;
                Ok((best, first.spent))
            }
            Some(from) => {
                // A rent moves layouts; what is said of single stashes seldom does.
                let depth = if rents.insert(ask.rent) { Depth::Dims } else { Depth::Readers };
                of.search.resume(&mut of.problem, rent, from, depth)
            }
        })?;
        self.last = Some(d.solution.choices.clone());
        if budget.is_some_and(|b| d.peak_bytes > b) {
            note(&mut self.large, &d);
        }
        Ok(self.candidate(d))
    }

    /// A decision, as far as a budget is concerned.
    pub fn candidate(&self, d: Rc<Decision>) -> Candidate<Rc<Decision>> {
        let rematerialized = self.decider.rematerialized(&d.solution);
        Candidate { time_ps: d.time_ps, peak_bytes: d.peak_bytes, rematerialized, plan: d }
    }

    /// Whether whole programs near a decision are asked about.
    pub fn is_polished(&self, best: &Decision) -> bool {
        // What is rematerialized outside of loops is decided about one program only.
        let alone = best.outside.is_empty() || self.decider.options.recompute_outside() == Recompute::Full;
        // The search has judged a program in parts by what it takes as a whole, which says less of its step.
        let parts = self.decider.runs_in_parts();
        let open = if parts { self.decider.mixed.is_none() } else { self.bound };
        open && alone && self.decider.timed_at_most() > 1
    }

    pub fn moves<T>(&self, ask: impl FnOnce(&mut Record) -> T) -> T {
        self.extraction.search.moves(ask)
    }
}

fn note(large: &mut Vec<Rc<Decision>>, d: &Rc<Decision>) {
    large.push(d.clone());
    if large.len() > effort::LARGE {
        let smallest = large.iter().enumerate().min_by_key(|(i, d)| (d.peak_bytes, *i)).map(|(i, _)| i);
        let others = large.iter().enumerate().filter(|(i, _)| Some(*i) != smallest);
        let slowest = others.max_by_key(|(i, d)| (d.time_ps, *i)).map(|(i, _)| i);
        slowest.into_iter().for_each(|i| {
            large.remove(i);
        });
    }
}
