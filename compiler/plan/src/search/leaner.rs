//! Searches again under a small price on all live bytes. This finds choices that the sum of times gives no reason to make, but
//! that can make the whole program faster. Their sums of times are equal or nearly so, partial sums are finished in loops, and
//! less is live. Much of the time that they add is hidden behind other work.

use super::cost::{Cost, Rent};
use super::problem::Problem;
use super::start::Inputs;
use super::{Depth, Search, SearchResult, Spent, cheapest_first};
use crate::effort;
use meshloom_ir::Op;

impl Search<'_, '_> {
    /// Leaner choices near the best one, and near starts whose parameters are split.
    pub fn leaner(
        &self,
        problem: &mut Problem,
        best: &SearchResult,
        starts: &[(Inputs, SearchResult)],
        spent: &mut Spent,
    ) -> Vec<SearchResult> {
        let mut all = self.leaner_than(problem, &best.chosen, &effort::LEAN, Depth::Dims, spent);
        // Parameters that are split stay so, and what is made of them is finished where it is made.
        for (_, s) in starts.iter().filter(|s| self.is_split(s.0)) {
            all.extend(self.leaner_than(problem, &s.chosen, &effort::LEAN[1..2], Depth::Readers, spent));
        }
        all
    }

    /// What is found near a choice under a small price on what is live, one price after another; `parts` are these, as in [`effort::LEAN`].
    fn leaner_than(
        &self,
        problem: &mut Problem,
        from: &[u32],
        parts: &[u128],
        depth: Depth,
        spent: &mut Spent,
    ) -> Vec<SearchResult> {
        let Cost { time, live, .. } = self.state(problem, Rent(0), from).total;
        let mut all = Vec::new();
        let mut chosen = from.to_vec();
        for part in parts {
            let rent = Rent((u128::from(time) * 1024 / u128::from(live.max(1)) / part).try_into().unwrap_or(u64::MAX));
            chosen = self.perturbed(problem, rent, &chosen, depth, spent).chosen;
            all.push(self.result(problem, Rent(0), &chosen));
        }
        all
    }

    /// Whether anything can run beside other iterations: a sum of times misjudges that most.
    pub fn has_loops(&self) -> bool {
        self.dims.is_some() && self.program.func.ops.iter().any(|d| matches!(d.op, Op::Repeat { .. }))
    }

    /// Whether parameters are split there: over each axis or, of many, over all of them.
    fn is_split(&self, fixed: Inputs) -> bool {
        let axes = self.program.axes.len();
        matches!(fixed, Inputs::Split(set) if axes < effort::MANY_AXES || set.count_ones() as usize == axes)
    }

    /// Those of some choices that cost least under a rent, gone on from: the cheapest first.
    pub fn under(&self, problem: &mut Problem, rent: Rent, from: &[SearchResult], most: usize) -> Vec<SearchResult> {
        let mut all: Vec<SearchResult> = Vec::new();
        for f in from {
            all.push(SearchResult { fixed: f.fixed, by: f.by, ..self.result(problem, rent, &f.chosen) });
        }
        cheapest_first(&mut all);
        all.truncate(most);
        let mut spent = Spent::default();
        for f in &mut all {
            *f = self.perturbed(problem, rent, &f.chosen, Depth::Dims, &mut spent).by(f.by);
        }
        cheapest_first(&mut all);
        all
    }
}
