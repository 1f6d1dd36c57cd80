//! Random programs of two axes, with their search and what it found: for tests of what is done with that.

use crate::cost::{Model, Target};
use crate::extend::Extended;
use crate::saturate::program::SearchedProgram;
use crate::search::cost::Rent;
use crate::search::problem::Problem;
use crate::search::{Search, SearchResult, read};
use crate::{Limits, Mode, Objective, PlanOptions, saturate};
use meshloom_ir::Mesh;
use meshloom_random::{RandomOptions, program};

/// Programs for which there is no plan are left out. `each` is given a program's seed first.
pub fn found(limits: Limits, mut each: impl FnMut(u64, &Search<'_, '_>, &mut Problem, Vec<SearchResult>)) {
    let target = Target::builtin("h100-sxm").expect("is built in");
    let options = PlanOptions { mode: Mode::Search, target: target.clone(), ..PlanOptions::default() };
    for seed in 0..40 {
        let mesh = Mesh::new([("x", 2u64), ("y", 2)]);
        let random = RandomOptions { steps: 8, repeats: seed % 2 == 0, ..RandomOptions::new(mesh) };
        let ext = Extended::new(program(seed, &random));
        let Ok(program) = SearchedProgram::new(&ext, &options) else { continue };
        let saturation = saturate::run(&program, &options);
        let model = Model::new(&target, &ext.func.mesh);
        let Ok(mut problem) = read::read(&program, &saturation, &model, Objective::Time) else { continue };
        let search = Search::new(&program, &saturation, &mut problem, limits);
        if let Ok((found, _)) = search.solve(&mut problem, Rent(0), None, 8) {
            each(seed, &search, &mut problem, found);
        }
    }
}
