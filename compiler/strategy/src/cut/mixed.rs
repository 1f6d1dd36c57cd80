//! Cuts of two programs that differ in what their layers keep: the first stages have the layers of one, the others those of the
//! other one. A stage that waits for many microbatches keeps little of each, and the last ones, which wait for few, keep more and
//! compute less again; so they can have more layers.
//!
//! Each program has lines of its own ([`super::price`]), and the search over cuts takes a stage's figures from the lines of its
//! program. Not here: the program with both kinds of layers, which the planner makes, and how a layer comes to keep less.

use super::price::Lines;
use super::request::{CutError, CutRequest};
use super::search::{self, Problem};
use super::table::StageTable;
use super::{CELLS, FEWEST, HeldByRanks, RankBytes, StepPredictor};
use crate::rank_program;
use meshloom_ir::Func;
use meshloom_pipeline::{PipelineSchedule, Simulator};
use meshloom_plan::MixedParts;
use meshloom_plan::cost::Model;
use std::rc::Rc;
use std::sync::Arc;

/// Stages with which the others begin that are tried first, evenly spread, each with few moves of layers; then the best and those
/// around it.
const SPREAD: usize = 8;

/// The program that keeps little, as far as cuts of it are compared. It is the same for all that keep more.
pub(crate) struct LeanCuts<'a> {
    asked: CutRequest<'a>,
    schedule: PipelineSchedule,
    table: StageTable,
    lines: Lines,
}

impl<'a> LeanCuts<'a> {
    /// # Errors
    /// A program that cannot be cut so.
    pub fn of(asked: &CutRequest<'a>) -> Result<LeanCuts<'a>, CutError> {
        let schedule = rank_program::plain(asked.schedule);
        let table = StageTable::of(&schedule)?;
        let model = Model::new(asked.target, &asked.local.mesh);
        let lines = Lines::of(&CutRequest { schedule: &schedule, ..*asked }, &table, &model)?;
        Ok(LeanCuts { asked: *asked, schedule, table, lines })
    }
}

/// Both programs.
pub(crate) struct MixedCuts<'a> {
    lean: Rc<LeanCuts<'a>>,
    rich: Arc<Lines>,
}

impl<'a> MixedCuts<'a> {
    /// `rich` is the program that keeps more.
    ///
    /// # Errors
    /// A program that cannot be cut so.
    pub fn of(lean: Rc<LeanCuts<'a>>, rich: &'a Func) -> Result<MixedCuts<'a>, CutError> {
        let asked = CutRequest { local: rich, schedule: &lean.schedule, ..lean.asked };
        let rich = Arc::new(Lines::of(&asked, &lean.table, &Model::new(asked.target, &rich.mesh))?);
        Ok(MixedCuts { lean, rich })
    }

    /// The cut that should be fastest where ranks leave `spare` bytes of the budget. With sizes that are `given`, only where the
    /// other layers begin is open. `None` where no cut fits.
    pub fn best(&self, spare: u64, given: Option<&[u64]>) -> Option<MixedParts> {
        let (table, stages) = (&self.lean.table, self.lean.table.stages);
        let run = Simulator::new(&self.lean.schedule).ok()?;
        let predictor = StepPredictor { table, run: &run };
        let budget = self.lean.asked.budget.saturating_sub(spare);
        let all = (CELLS / run.cells().max(1)).max(FEWEST);
        let at = |stage: usize, moves: usize| {
            let lines = self.lean.lines.with_late(stage, &self.rich);
            let problem = Problem::new(&lines, table, self.lean.schedule.ranks(), budget);
            let step = |sizes: &[u64]| predictor.step_ps(&lines, sizes);
            let sizes = match given {
                Some(sizes) => Some(sizes.to_vec()).filter(|s| problem.fits(s)),
                None => search::best(&problem, moves, &step),
            }?;
            let first = sizes.iter().take(stage).sum();
            Some(MixedParts { first, step_ps: step(&sizes)?, sizes })
        };
        let spread = SPREAD.min(stages.checked_sub(1)?).max(1);
        let tried = (1..=spread).map(|i| i * (stages - 1) / spread).filter(|s| *s > 0);
        let found: Vec<(usize, MixedParts)> = tried.filter_map(|s| Some((s, at(s, FEWEST)?))).collect();
        let (middle, best) = found.into_iter().min_by_key(|(s, m)| (m.step_ps, *s))?;
        let reach = (stages - 1) / spread;
        let near = (middle.saturating_sub(reach).max(1)..(middle + reach).min(stages)).filter_map(|s| at(s, all));
        std::iter::once(best).chain(near).min_by_key(|m| (m.step_ps, m.first))
    }
}

/// What each rank of such a cut holds, by its own program.
///
/// # Errors
/// A program that cannot be cut so.
pub(crate) fn held_mixed(asked: &CutRequest<'_>, sizes: &[u64]) -> Result<HeldByRanks, CutError> {
    let schedule = &rank_program::plain(asked.schedule);
    let asked = &CutRequest { schedule, ..*asked };
    RankBytes::new(asked, &StageTable::of(schedule)?, None).of(sizes)
}
