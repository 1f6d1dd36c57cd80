//! Choices judged as whole programs, by what these take: the state's total adds times up, and what overlaps is not known there.

use super::cost::Rent;
use super::perturb::{self, Depth};
use super::problem::Problem;
use super::start::Inputs;
use super::state::State;
use super::{Choices, Search, SearchResult, Solution, plain, write};
use crate::PlanError;
use crate::effort;
use crate::moves::{Measure, Move};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

impl Search<'_, '_> {
    /// Goes on from choices by what plans really take, which `judge` says: from each a little, and from the best of them
    /// further.
    ///
    /// # Errors
    /// As [`Search::solve`].
    pub fn refine(
        &self,
        problem: &mut Problem,
        rent: Rent,
        from: Vec<SearchResult>,
        judge: &mut dyn FnMut(&Solution) -> u64,
    ) -> Result<Solution, PlanError> {
        if let [only] = &from[..] {
            return self.finish(problem, rent, only);
        }
        // What is gone on from differs, but often leads to the same.
        let mut judged = FxHashMap::default();
        let mut judge = |s: &mut State<'_>| {
            let took = judged.entry(s.question("judge"));
            *took.or_insert_with(|| judge(&write(self.program, self.saturation, s)))
        };
        let mut all = Vec::new();
        for found in from {
            let took = judge(&mut self.state(problem, rent, &found.chosen));
            // Who changes parameters first ends elsewhere than who leaves them as they are.
            if found.fixed == Inputs::Open {
                all.push((
                    took,
                    SearchResult { fixed: Inputs::Kept, by: Move::Kept, ..found.clone() },
                    BTreeSet::new(),
                ));
            }
            all.push((took, found, BTreeSet::new()));
        }
        // Programs on many axes are larger, and each question about a whole one is more expensive.
        let part = if self.program.axes.len() < effort::MANY_AXES { 1 } else { 2 };
        let mut open = self.limits.programs.min(effort::ASKED_SITES / problem.sites.len().max(1));
        for (most, each, sites) in effort::ROUNDS {
            let depth = if sites { Depth::Sites } else { Depth::Dims };
            let Some(dims) = &self.dims else {
                break;
            };
            all.sort_by_key(|r| r.0);
            let mut left = (most / part).min(open);
            for (took, found, seen) in &mut all {
                if left == 0 {
                    break;
                }
                found.fixed.hold(problem, self.program, &found.chosen);
                let mut state = self.state(problem, rent, &found.chosen);
                let before = seen.len();
                *took = perturb::refine(&mut state, dims, *took, each.min(left), depth, seen, &mut judge);
                let asked = (seen.len() - before).min(left);
                (left, open) = (left - asked, open - asked);
                *found = SearchResult { fixed: found.fixed, by: found.by, ..SearchResult::of(state) };
            }
        }
        Inputs::Open.hold(problem, self.program, &[]);
        // Of plans that take the same, the one that moves least, in the fewest calls, with the fewest layouts.
        let told = |r: &SearchResult| (r.cost.wire, r.cost.calls, r.kinds);
        let all: Vec<(u64, SearchResult)> = all.into_iter().map(|r| (r.0, r.1)).collect();
        let Some(best) = all.iter().min_by_key(|r| (r.0, told(&r.1))) else { return self.chosen(problem, rent, &[]) };
        self.note(&all, best);
        self.chosen(problem, rent, &best.1.chosen)
    }

    /// Notes which moves led to some choices, and which to the best of them: it gained what the best of the others takes longer.
    fn note(&self, all: &[(u64, SearchResult)], best: &(u64, SearchResult)) {
        let others = all.iter().filter(|r| r.1.by != best.1.by).map(|r| r.0).min();
        let tried: BTreeSet<Move> = all.iter().map(|r| r.1.by).collect();
        for of in tried {
            let won = (of == best.1.by).then(|| [others.unwrap_or(best.0), best.0]);
            self.moves(|moves| moves.count(of, Measure::Program, won));
        }
    }

    /// A choice without collectives that are hardly worth it ([`plain`]); `took` is what it takes.
    ///
    /// # Errors
    /// As [`Search::solve`].
    pub fn plain(
        &self,
        problem: &mut Problem,
        rent: Rent,
        from: &Solution,
        took: u64,
        judge: &mut dyn FnMut(&Solution) -> u64,
    ) -> Result<Solution, PlanError> {
        let mut state = self.state(problem, rent, &Search::numbers(problem, &from.choices));
        plain::leave_out(&mut state, took, &mut |s| judge(&write(self.program, self.saturation, s)));
        let chosen = state.chosen;
        self.chosen(problem, rent, &chosen)
    }

    /// Goes on a little from a choice by what plans really take; `took` is what that one takes.
    ///
    /// # Errors
    /// As [`Search::solve`].
    pub fn polish(
        &self,
        problem: &mut Problem,
        rent: Rent,
        from: &Choices,
        took: u64,
        judge: &mut dyn FnMut(&Solution) -> u64,
    ) -> Result<Solution, PlanError> {
        let mut state = self.state(problem, rent, &Search::numbers(problem, from));
        if let Some(dims) = &self.dims {
            let mut judge = |s: &mut State<'_>| judge(&write(self.program, self.saturation, s));
            let most = effort::ASKED_NEAR.min(self.limits.programs);
            let (mut seen, mut best) = (BTreeSet::new(), took);
            loop {
                let before = best;
                best = perturb::refine(&mut state, dims, before, most, Depth::Dims, &mut seen, &mut judge);
                if before - best < (before / effort::POLISH_GAIN).max(1) {
                    break;
                }
            }
        }
        let chosen = state.chosen;
        self.chosen(problem, rent, &chosen)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Limits;
    use crate::search::tests::on_random;

    /// Of choices whose programs take the same, that is taken which moves least, in the fewest calls, with the fewest layouts.
    #[test]
    fn equal_plans_are_told_apart_by_bytes_calls_and_layouts() {
        let mut by_layouts = 0;
        on_random::found(Limits { states: 0, programs: 0, ..Limits::default() }, |seed, search, problem, found| {
            let told = |r: &SearchResult| (r.cost.wire, r.cost.calls, r.kinds);
            let least = found.iter().map(told).min();
            let best = search.refine(problem, Rent(0), found.clone(), &mut |_| 0).expect("there is a plan");
            let chosen = Search::numbers(problem, &best.choices);
            let best = search.result(problem, Rent(0), &chosen);
            assert_eq!(Some(told(&best)), least, "seed {seed}");
            let moves = |r: &&SearchResult| (r.cost.wire, r.cost.calls) == (best.cost.wire, best.cost.calls);
            by_layouts += usize::from(found.iter().filter(moves).any(|r| r.kinds > best.kinds));
        });
        assert!(by_layouts > 0);
    }
}
