//! Plans one entry in one form, cuts the plan into the programs of its ranks if it has stages, and compares its memory with the
//! budget.
//!
//! Not here: which forms there are ([`crate::variants`]), and all entries of a program (`driver::pipeline`).

use crate::cut_plan::{self, MeasuredCuts, Ranks, StageParts};
use crate::entry::Elaborated;
use crate::pipelining::Stages;
use crate::speed::tokens;
use crate::{by_stage, offload};
use meshloom_ir::verify::MAX_BUILT;
use meshloom_ir::{Func, Op};
use meshloom_lower as lowered;
use meshloom_lower::{Runs, composite};
use meshloom_plan as planner;
use meshloom_source::Diagnostic;

/// The plan of an entry, and the programs of its ranks.
pub type Outcome = Result<(planner::Plan, Option<Ranks>), EntryRefused>;

/// Why an entry has no plan.
pub enum EntryRefused {
    /// Annotations that cannot hold.
    Layouts(Vec<planner::PlanError>),
    /// The target has no kernels for it, so its memory is not known and cannot be compared with a budget.
    Target(lowered::LowerError),
    /// A program that cannot be cut into stages, or a tensor that is larger than any may be.
    Said(Box<Diagnostic>),
    /// What the smallest plan found needs on a device, and what there is, in bytes.
    TooLarge { needs: u64, budget: u64 },
}

/// The plan of one form of an entry's step, and the programs of its ranks; `mix` has layouts by stage. If the target cannot run a
/// plan, its memory is unknown, and the budget counts as not met. Programs of ranks are scheduled only if they are to be `written`.
pub(crate) fn planned(entry: &Elaborated, options: &planner::PlanOptions, stages: ForStages<'_>) -> Outcome {
    if let Some(d) = built(&entry.global) {
        return Err(EntryRefused::Said(Box::new(d)));
    }
    let search = options.mode == planner::Mode::Search;
    let limit = options.budget.or(search.then_some(options.target.room())).filter(|_| entry.pipeline.is_some());
    let of = entry.pipeline.as_deref();
    // A device holds only a part of a step with stages, so each plan that is tried is cut.
    let parts = of.map(|of| parts(&entry.global, of, options, stages.cuts));
    let by_stage = match (stages.mix, &parts) {
        (Some(mix), Some(parts)) => Some(by_stage::planned(parts, mix, options).map_err(layouts)?),
        _ => None,
    };
    let (plan, global, of) = match by_stage {
        Some(made) => (made.plan, Some(made.global), Some(made.stages)),
        None => {
            let parts = parts.as_ref().map(|p| p as &dyn planner::Parts);
            (planner::plan_measured(&entry.global, options, parts).map_err(layouts)?, None, of.cloned())
        }
    };
    let ranks = match &of {
        None => None,
        Some(of) => {
            let Runs { device, tf32, rounds_each } = options.target.runs();
            let tokens_per_step = tokens(&entry.global);
            // Only their memory is looked at, so places in the source are left out.
            let schedule = lowered::ScheduleOptions { locate: &|_| None, tokens_per_step, device, tf32, rounds_each };
            let global = global.as_ref().unwrap_or(&entry.global);
            let parts = self::parts(global, of, options, stages.cuts);
            let ranks = cut_plan::ranks(&parts, &plan, &schedule, stages.written).map_err(EntryRefused::Said)?;
            Some(Ranks { by_stage: stages.mix.is_some(), ..ranks })
        }
    };
    let ranks = ranks.map(|ranks| Ranks { apart: global, ..ranks });
    let host = match &ranks {
        None => plan.memory.as_ref().ok().map(|p| p.host),
        Some(ranks) => ranks.host_bytes(),
    };
    if let Some(d) = host.and_then(|bytes| offload::refused(&options.target, bytes)) {
        return Err(EntryRefused::Said(Box::new(d.at(entry.span, ""))));
    }
    let memory = match &ranks {
        None => plan.memory.as_ref().map(|p| p.total).map_err(Clone::clone),
        Some(ranks) => ranks.device_bytes(),
    };
    match (memory, limit) {
        (Err(e), _) if options.budget.is_some() => Err(EntryRefused::Target(e)),
        (Ok(needs), Some(budget)) if needs > budget => Err(EntryRefused::TooLarge { needs, budget }),
        _ => Ok((plan, ranks)),
    }
}

/// How a step with stages is planned.
#[derive(Clone, Copy)]
pub(crate) struct ForStages<'a> {
    /// Layouts by stage.
    pub mix: Option<&'a by_stage::Mix>,
    pub cuts: &'a MeasuredCuts,
    /// Programs of ranks are scheduled.
    pub written: bool,
}

fn layouts(e: Vec<planner::PlanError>) -> EntryRefused {
    let large = e.iter().find_map(|e| e.too_large);
    large.map_or(EntryRefused::Layouts(e), |(needs, budget)| EntryRefused::TooLarge { needs, budget })
}

/// Another form of an entry's step.
pub struct StepForm {
    pub global: Func,
    pub last_apart: bool,
}

/// The stages of a step as they are measured: with the memory of a device of the target where no budget is given to a search.
pub(crate) fn parts<'a>(
    global: &'a Func,
    of: &'a Stages,
    options: &'a planner::PlanOptions,
    cuts: &'a MeasuredCuts,
) -> StageParts<'a> {
    let search = options.mode == planner::Mode::Search;
    let budget = options.budget.or(search.then_some(options.target.room())).unwrap_or(u64::MAX);
    StageParts { global, of, target: &options.target, budget, cuts }
}

/// A tensor of more elements than a source may ask for that a composite names, where no kernel runs the composite: what its body
/// names is built then, as the scores of attention are.
fn built(global: &Func) -> Option<Diagnostic> {
    let most = MAX_BUILT.saturating_mul(global.mesh.devices());
    let composites = global.walk(Func::BODY).into_iter().filter(|&o| matches!(global.op(o).op, Op::Composite { .. }));
    composites.into_iter().find_map(|o| {
        let data = global.op(o);
        let Op::Composite { name, .. } = &data.op else { return None };
        let inner = global.walk(data.regions[0]);
        let named = inner.iter().flat_map(|&x| global.result_types(x));
        let largest = named.max_by_key(|ty| ty.elements()).filter(|ty| ty.elements() > most)?;
        let why = composite::call(global, o).err()?;
        let d = Diagnostic::error("too-large", format!("a tensor of type {largest} is too large"));
        let label = format!("`{name}` runs as single ops here, and they build it: {why}");
        Some(d.at(data.span, label).note(format!("at most {MAX_BUILT} elements for each device")))
    })
}
