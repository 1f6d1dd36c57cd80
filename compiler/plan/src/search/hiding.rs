//! Choices that overlap well. A sum of times takes a collective that stands in the way of every layer for as expensive as one that
//! runs beside other layers; so it prefers a little communication that is waited for to much that is not. Here starts are gone on
//! from with what loops can hide at a part of its price ([`super::read`] says what that is); sums that are finished behind loops may
//! then go into them ([`super::through`]). Whole programs tell whether there was enough to run it beside.

use super::cost::Rent;
use super::problem::Problem;
use super::{Depth, Search, SearchResult, Spent, cheapest_first};
use crate::effort;

impl Search<'_, '_> {
    /// What is found from those of some choices that would hide most.
    pub fn hiding<'f>(
        &self,
        problem: &mut Problem,
        rent: Rent,
        from: impl Iterator<Item = &'f SearchResult>,
        spent: &mut Spent,
    ) -> Vec<SearchResult> {
        problem.hides = true;
        let again = |problem: &mut Problem, f: &SearchResult| SearchResult {
            fixed: f.fixed,
            ..self.result(problem, rent, &f.chosen)
        };
        let mut all: Vec<SearchResult> = from.map(|f| again(problem, f)).collect();
        cheapest_first(&mut all);
        all.truncate(effort::STARTS_GONE_ON);
        for f in &mut all {
            *f = self.perturbed(problem, rent, &f.chosen, Depth::Dims, spent);
        }
        cheapest_first(&mut all);
        problem.hides = false;
        all.iter().map(|f| again(problem, f)).collect()
    }
}
