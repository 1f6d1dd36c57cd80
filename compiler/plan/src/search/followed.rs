//! What annotations say of a program by themselves: a start of every search.
//!
//! Not here: plans of `--plan follow`, which are decided and timed as others are (`decide`).

use crate::ask::options::{Mode, PlanOptions};
use crate::extend::Extended;
use crate::saturate::program::SearchedProgram;
use crate::{cost, saturate, search};
use meshloom_ir::Func;

/// What following the annotations decides, where that is possible.
pub fn follow(global: &Func, options: &PlanOptions, model: &cost::Model) -> Option<search::Solution> {
    let options = PlanOptions { mode: Mode::Follow, ..options.clone() };
    let ext = Extended::new(global.clone());
    let program = SearchedProgram::new(&ext, &options).ok()?;
    let saturation = saturate::run(&program, &options);
    let mut problem = search::read::read(&program, &saturation, model, options.objective()).ok()?;
    let search = search::Search::new(&program, &saturation, &mut problem, options.limits);
    let rent = search::cost::Rent::default();
    let (found, _) = search.solve(&mut problem, rent, None, 1).ok()?;
    search.refine(&mut problem, rent, found, &mut |_| 0).ok()
}
