//! From a global program to the program that one device runs.
//!
//! `--plan follow` propagates the layouts of annotations, and takes the cheapest where several layouts follow from them.
//! `--plan search` chooses everything that is open by predicted cost under a memory budget.
//!
//! [`extend`] adds other forms of tensors that the program has. [`saturate`] writes every way to obtain each tensor in each
//! layout into an e-graph, on demand from the outputs. [`search`] picks one e-node per tensor; all readers of a tensor share its
//! conversions. `decide` repeats that for a budget. [`partition`] writes the choice down as a local program and a certificate,
//! which `certify` checks without any of this.
//!
//! The mesh's size changes numbers, never the work: nothing here counts ranks.
//!
//! Not here: kernels, order of execution and offsets in memory (`fusion`, which is asked what a program holds).

pub mod budget;
mod coarse;
mod copied;
pub mod cost;
mod decide;
mod error;
pub mod explain;
pub mod extend;
mod fingerprint;
mod finish;
mod followed;
mod held;
mod held_at_least;
mod kept;
mod layers;
mod least;
mod options;
mod outside;
mod partition;
mod parts;
mod prepared;
mod program;
mod replicas;
mod report;
mod result;
mod ring;
pub mod saturate;
mod search;
mod segment;
mod stats;
mod terms;
mod uneven;
mod written;

use finish::finish;
use least::TooLarge;
use meshloom_ir::Func;
use prepared::Prepared;
use std::cmp::Ordering;

pub use error::PlanError;
pub use held::{Held, MeasuredProgram};
pub use kept::StashPlan;
pub use least::{inputs_at_least, least_memory};
pub use meshloom_ir::Recompute;
pub use options::{Limits, Mode, Objective, PlanOptions};
pub use partition::origin::OpOrigin;
pub use partition::why::CollectiveInfo;
pub use parts::{BY_STAGE, MeasuredParts, MixedParts, Mixes, Parts};
pub use report::{DecidedBy, LevelTotals, TensorPlan, Totals};
pub use result::Plan;
pub use search::cost::Cost;
pub use stats::Stats;

/// Names that [`PlanOptions::disabled_rules`] may hold: rules that give forms of a program, then what gives it other programs.
pub fn rules() -> impl Iterator<Item = &'static str> {
    let forms = saturate::rules::ALL.iter().map(|r| r.name);
    let programs = extend::algebra::RULES.iter().copied().flatten().map(|r| r.name);
    forms.chain(programs).chain([extend::algebra::COMPOSITE, extend::ring::RING, extend::ring::ZIGZAG, parts::BY_STAGE])
}

/// Decides layouts and makes the local program.
///
/// # Errors
/// Annotations that cannot hold (another rank, an axis used twice), or a tensor for which no
/// form exists under the rules that are on; the name of a rule that does not exist.
pub fn plan(global: &Func, options: &PlanOptions) -> Result<Plan, Vec<PlanError>> {
    plan_measured(global, options, None)
}

/// The same where a device does not run the whole local program: `parts` cuts it, and says what the device that holds most holds,
/// against which the budget is held, and how long a step takes.
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
    let mut best = match parts.is_none().then(|| least::too_large(global, options)).flatten() {
        Some(TooLarge::Inputs(e)) => return Err(vec![e]),
        Some(TooLarge::Far(e)) => Err(vec![e]),
        None => plan_round(global, options, (&model, &memory)),
    };
    // Attention in blocks replaces attention, so whether that pays is seen by planning with it too. If nothing fits, what
    // follows from the annotations says where positions are split.
    let searched = options.mode == Mode::Search && options.ring.is_none();
    let followed = (searched && best.is_err()).then(|| {
        let options = PlanOptions { mode: Mode::Follow, budget: None, ..options.clone() };
        plan_recognised(global, &options, (&model, &memory)).ok()
    });
    let seen = best.as_ref().ok().or(followed.as_ref().and_then(Option::as_ref));
    let candidates = seen.map_or(Vec::new(), |plan| ring::candidates(global, plan, options));
    for axes in candidates {
        let with = PlanOptions { ring: Some(axes), ..options.clone() };
        if let Ok(plan) = plan_round(global, &with, (&model, &memory))
            && best.as_ref().map_or(true, |best| key(&plan) < key(best))
        {
            best = Ok(plan);
        }
    }
    if let Ok(plan) = &mut best {
        if parts.is_some() {
            plan.measured = memory.programs();
        } else {
            plan.arrange(options.target.runs());
        }
    }
    best
}

/// Parts of a budget that is in the way, under which plans are made too: on few axes, since each takes a search of its own.
const SMALLER: [(u64, u64); 2] = [(15, 16), (3, 4)];

/// What is less is better.
fn key(p: &Plan) -> (f64, u64) {
    (p.parts_ps.map_or(p.totals.predicted_step_us, |ps| ps as f64 / 1e6), held::bytes(&p.memory))
}

/// Where keys go round in zigzag, the plan with contiguous blocks too: it computes more, in fewer and larger pieces. The faster one.
fn plan_round(
    global: &Func,
    options: &PlanOptions,
    with: (&cost::Model, &held::PeakMemo<'_>),
) -> Result<Plan, Vec<PlanError>> {
    let zigzag = plan_recognised(global, options, with);
    let mirrors = |o: &meshloom_ir::OpData| matches!(o.op, meshloom_ir::Op::CollectiveShift { mirror: true, .. });
    let used = options.ring.is_some() && zigzag.as_ref().map_or(true, |p| p.local.ops.iter().any(mirrors));
    let off = [extend::ring::RING, extend::ring::ZIGZAG].iter().any(|r| options.disabled_rules.contains(*r));
    if !used || off || options.mode != Mode::Search {
        return zigzag;
    }
    let mut contiguous = options.clone();
    contiguous.disabled_rules.insert(extend::ring::ZIGZAG.to_string());
    let contiguous = plan_recognised(global, &contiguous, with);
    faster(zigzag, contiguous)
}

/// The faster of two plans, or the one that there is.
fn faster(a: Result<Plan, Vec<PlanError>>, b: Result<Plan, Vec<PlanError>>) -> Result<Plan, Vec<PlanError>> {
    match (a, b) {
        (Ok(a), Ok(b)) => Ok(if key(&b) < key(&a) { b } else { a }),
        (Ok(plan), Err(_)) | (Err(_), Ok(plan)) => Ok(plan),
        (Err(_), Err(e)) => Err(e),
    }
}

fn plan_recognised(
    global: &Func,
    options: &PlanOptions,
    (model, memory): (&cost::Model, &held::PeakMemo<'_>),
) -> Result<Plan, Vec<PlanError>> {
    let whole = Prepared::new(global, options);
    // The program as it is given, whatever is recognised in it.
    let followed = (options.mode == Mode::Search).then(|| followed::follow(global, options, model)).flatten();
    let recognised =
        whole.ext.preferred.iter().any(|&o| matches!(whole.ext.func.op(o).op, meshloom_ir::Op::Composite { .. }));
    if !recognised {
        return plan_prepared(global, options, whole, (model, memory), followed.as_ref());
    }
    // Composites that were recognised replace what they stand for, so whether that pays is seen by planning without them too.
    let disabled_rules = options.disabled_rules.iter().cloned().chain([extend::RECOGNITION.to_string()]).collect();
    let without = PlanOptions { disabled_rules, ..options.clone() };
    let single = plan_prepared(global, &without, Prepared::new(global, &without), (model, memory), followed.as_ref());
    let whole = plan_prepared(global, options, whole, (model, memory), followed.as_ref());
    faster(whole, single)
}

fn plan_prepared(
    global: &Func,
    options: &PlanOptions,
    whole: Prepared,
    (model, memory): (&cost::Model, &held::PeakMemo<'_>),
    followed: Option<&search::Solution>,
) -> Result<Plan, Vec<PlanError>> {
    let program = program::SearchedProgram::new(&whole.ext, options)?;
    let saturation = saturate::run(&program, options);
    let decider = decide::Decider {
        program: &program,
        saturation: &saturation,
        model,
        memory,
        options,
        stashes: &whole.stashes,
        given: global.ops.len(),
        followed,
        mixed: None,
    };
    let memory = (options.mode == Mode::Search).then(|| options.budget.unwrap_or(options.target.room()));
    let budget = memory.or(options.budget);
    let mut begun = decider.begin().map_err(|e| vec![e])?;
    let mut best = decider.decide(budget, &mut begun).map_err(|e| vec![e])?;
    let thorough = budget.filter(|_| options.mode == Mode::Search && options.limits.smaller > 0);
    for on_other_terms in [coarse::decision, replicas::decision] {
        let with = (&decider, &mut begun);
        let made = thorough.and_then(|b| on_other_terms(global, &whole, with, (b, best.time_ps)));
        if let Some(faster) = made.filter(|d| d.time_ps < best.time_ps) {
            best = faster;
        }
    }
    let Some(budget) = budget.filter(|_| best.bound) else {
        return Ok(finish(global, &whole, &decider, best));
    };
    if let Some(parts) = decider.memory.parts() {
        let mixed = segment::in_parts(global, &whole, &decider, &best, (budget, parts))?;
        let whole = finish(global, &whole, &decider, best);
        return Ok(mixed.filter(|mixed| key(mixed) < key(&whole)).unwrap_or(whole));
    }
    // A cut keeps the layouts of the whole. Those for less memory hold less, and leave more to the stashes.
    let mut cut = segment::improve(global, &whole, &decider, &best, (budget, best.time_ps))?;
    let few = program.axes.len() < search::MANY_AXES;
    for (n, of) in SMALLER.into_iter().take(options.limits.smaller).filter(|_| few) {
        let Ok(smaller) = decider.decide(Some(budget / of * n), &mut begun) else { break };
        if (smaller.time_ps, smaller.peak_bytes) == (best.time_ps, best.peak_bytes) {
            continue;
        }
        let longest = cut.as_ref().map_or(best.time_ps, |cut| best.time_ps.min(cut.step_ps()));
        let made = segment::improve(global, &whole, &decider, &smaller, (budget, longest))?;
        cut = cut.into_iter().chain(made).min_by(|a, b| key(a).partial_cmp(&key(b)).unwrap_or(Ordering::Equal));
        if smaller.time_ps < best.time_ps {
            best = smaller;
        }
    }
    let whole = finish(global, &whole, &decider, best);
    Ok(cut.filter(|cut| key(cut) < key(&whole)).unwrap_or(whole))
}
