//! From a global program to the program that one device runs.
//!
//! `--plan follow` propagates the layouts of annotations, and takes the cheapest where several layouts follow from them.
//! `--plan search` chooses everything that is open by predicted cost under a memory budget.
//!
//! `ask` has the options of a caller. [`extend`] adds other forms of the program's tensors. [`saturate`] writes every way to obtain each
//! tensor in each layout into an e-graph, on demand from the outputs. `search` picks one e-node per tensor by its [`cost`]; all readers of a
//! tensor share its conversions. `decide` repeats the search until the plan fits a budget, and asks `memory` what a device holds and what
//! may be recomputed. [`variants`] repeats all of it in other ways. `partition` writes a choice down as a local program and a certificate,
//! which `certify` checks without any of this, and `write` makes a plan of it.
//!
//! The mesh's size changes numbers, never the work: nothing here counts ranks.
//!
//! Not here: kernels, order of execution and offsets in memory (`lower`, which is asked what a program holds).

mod ask;
pub mod cost;
mod decide;
mod effort;
pub mod extend;
mod memory;
pub mod moves;
mod partition;
pub mod saturate;
mod search;
pub mod variants;
mod write;

use decide::least::{self, TooLarge};
use memory::held;
use meshloom_ir::Func;
use variants::journal::Journal;
use variants::programs::{self, ProgramForm, Programs};

pub use ask::error::PlanError;
pub use ask::options::{Limits, Mode, Objective, PlanOptions};
pub use ask::parts::{MeasuredParts, MixedParts, Mixes, Parts};
pub use decide::least::{inputs_at_least, least_memory};
pub use memory::budget;
pub use memory::held::{Held, MeasuredProgram};
pub use meshloom_ir::Recompute;
pub use partition::origin::OpOrigin;
pub use partition::why::CollectiveInfo;
pub use saturate::stats::Stats;
pub use search::cost::Cost;
pub use write::kept::StashPlan;
pub use write::report::{DecidedBy, LevelTotals, TensorPlan, Totals};
pub use write::result::Plan;
pub use write::{explain, reads, tried};

/// Names that [`PlanOptions::disabled_rules`] may hold: rules that give forms of a program, then what gives it other programs.
pub fn rules() -> impl Iterator<Item = &'static str> {
    let forms = saturate::rules::ALL.iter().map(|r| r.name);
    let programs = extend::algebra::RULES.iter().copied().flatten().map(|r| r.name);
    forms.chain(programs).chain([extend::algebra::COMPOSITE, extend::ring::RING, extend::ring::ZIGZAG])
}

/// Decides layouts and makes the local program.
///
/// # Errors
/// Annotations that cannot hold (another rank, an axis used twice), or a tensor for which no
/// form exists under the rules that are on; the name of a rule that does not exist.
pub fn plan(global: &Func, options: &PlanOptions) -> Result<Plan, Vec<PlanError>> {
    plan_measured(global, options, None)
}

/// The same if a device runs only a part of the local program. `parts` cuts it. It says how much memory the device that holds
/// most needs, which has to fit the budget, and how long a step takes.
///
/// # Errors
/// Those of [`plan`].
pub fn plan_measured(global: &Func, options: &PlanOptions, parts: Option<&dyn Parts>) -> Result<Plan, Vec<PlanError>> {
    if let Some(unknown) = options.disabled_rules.iter().find(|r| !rules().any(|known| known == r.as_str())) {
        let names: Vec<&str> = rules().collect();
        let e = PlanError::new(Default::default(), format!("the planner has no rule `{unknown}`"));
        return Err(vec![e.help(format!("there are {}", names.join(", ")))]);
    }
    if let Some(unknown) = options.ring.iter().flatten().find(|n| global.mesh.axis(n).is_none()) {
        let e =
            PlanError::new(Default::default(), format!("keys cannot go round `{unknown}`: the mesh has no such axis"));
        let names: Vec<&str> = global.mesh.axes.iter().map(|a| a.0.as_str()).collect();
        return Err(vec![e.help(format!("its axes are {}", names.join(", ")))]);
    }
    let model = cost::Model::new(&options.target, &global.mesh);
    let memory = held::PeakMemo::new(parts);
    let far = match parts.is_none().then(|| least::too_large(global, options)).flatten() {
        Some(TooLarge::Inputs(e)) => return Err(vec![e]),
        Some(TooLarge::Far(e)) => Some(e),
        None => None,
    };
    let journal = Journal::new(&options.disabled_variants);
    let mut programs = Programs::new(global, &model, &memory, &journal, far);
    let mut best = variants::explore(&mut programs, &programs::table(), &ProgramForm::given(options), &journal)?;
    if parts.is_some() {
        best.measured = memory.programs();
    } else {
        best.arrange(options.target.runs());
    }
    (best.tried, best.moves) = journal.finish();
    Ok(best)
}
