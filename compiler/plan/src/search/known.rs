//! Remembers to which choices perturbations lead.
//!
//! Perturbations from the same choices come again and again. A round that gained nothing is followed by a deeper one, which
//! begins with the same perturbations; runs from several starts meet; and different perturbations make the same change. What a
//! perturbation leads to depends only on the choices that it starts from and on what the sites may take. So it is computed once,
//! and a perturbation that is known to lead nowhere is not tried twice.
//!
//! The moves that it took are remembered with it and counted each time: bounds count what would have been tried. So a search with
//! this memory ends where it would end without.

use super::cost::Cost;
use crate::effort;
use crate::moves::Record;
use rustc_hash::FxHashMap;

/// A state of the search and what is done from there. Two of them are taken for the same when a hash of 64 bits and all
/// parts of the exact cost agree.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Question {
    cost: Cost,
    hash: u64,
}

impl Question {
    /// `hash` is of what is done and of the choices of a state that has nothing unsettled and this cost.
    pub fn new(cost: Cost, hash: u64) -> Question {
        Question { cost, hash }
    }
}

/// The result: the total, and how many placements were tried on the way.
#[derive(Clone, Copy)]
pub struct Answer {
    pub total: Cost,
    pub moves: usize,
}

/// What a search remembers. A hash map is never iterated, so its order shows nowhere.
#[derive(Default)]
pub struct Known {
    answers: FxHashMap<Question, Answer>,
    /// How the moves went.
    pub moves: Record,
}

impl Known {
    pub fn get(&self, question: &Question) -> Option<Answer> {
        self.answers.get(question).copied()
    }

    pub fn add(&mut self, question: Question, answer: Answer) {
        if self.answers.len() < effort::KNOWN {
            self.answers.insert(question, answer);
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::cost::{Model, Target};
    use crate::extend::Extended;
    use crate::saturate::program::SearchedProgram;
    use crate::search::cost::Rent;
    use crate::search::{Search, read};
    use crate::{Limits, Mode, Objective, PlanOptions, saturate};
    use meshloom_ir::Mesh;
    use meshloom_random::{RandomOptions, program};

    /// The second search is told what the first found out, and has to end where that did, after as many placements.
    #[test]
    fn a_search_that_knows_ends_as_one_that_does_not() {
        let target = Target::builtin("h100-sxm").expect("is built in");
        let options = PlanOptions { mode: Mode::Search, target: target.clone(), ..PlanOptions::default() };
        let (mut compared, mut answers) = (0, 0);
        for seed in 0..40 {
            let mesh = Mesh::new([("x", 2u64), ("y", 2)]);
            let ext = Extended::new(program(
                seed,
                &RandomOptions { steps: 8, repeats: seed % 2 == 0, ..RandomOptions::new(mesh) },
            ));
            let Ok(program) = SearchedProgram::new(&ext, &options) else {
                continue;
            };
            let saturation = saturate::run(&program, &options);
            let model = Model::new(&target, &ext.func.mesh);
            let Ok(mut problem) = read::read(&program, &saturation, &model, Objective::Time) else {
                continue;
            };
            let search = Search::new(&program, &saturation, &mut problem, Limits { states: 0, ..Limits::default() });
            for rent in [Rent(0), Rent(1000), Rent(0)] {
                let ends = [(); 2].map(|()| {
                    let end = search.solve(&mut problem, rent, None, 8);
                    end.map(|(found, spent)| {
                        (found.into_iter().map(|f| (f.cost, f.chosen)).collect::<Vec<_>>(), spent.moves)
                    })
                });
                let [Ok(first), Ok(second)] = ends else {
                    continue;
                };
                assert_eq!(first, second, "seed {seed}, {rent:?}");
                compared += 1;
            }
            answers += search.known.borrow().answers.len();
        }
        assert!(compared > 90 && answers > 1_000, "{compared} searches, {answers} answers");
    }
}
