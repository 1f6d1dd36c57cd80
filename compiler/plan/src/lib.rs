//! From a global program to the program that one device runs.
//!
//! `--plan follow`: annotated layouts are propagated, and where several layouts follow from them the cheapest is taken.
//! `--plan search`: everything open is chosen by predicted cost under a memory budget. [`extend`] adds other forms of
//! tensors the program has; [`saturate`] writes every way of obtaining each tensor in each layout into an e-graph,
//! demand-driven from the outputs; [`search`] picks one of its e-nodes per tensor, with the conversions between layouts
//! shared by all readers; `decide` repeats that for a budget; [`partition`] writes the choice down as a local program and as a certificate that
//! `certify` checks without any of this. The mesh's size changes numbers, never the work: nothing here counts ranks.
//!
//! Not here: offsets in memory and order of execution (`schedule`).

pub mod budget;
pub mod cost;
mod decide;
mod error;
pub mod explain;
pub mod extend;
mod kept;
mod outside;
mod partition;
mod program;
mod report;
pub mod saturate;
mod search;
mod segment;
mod uneven;

use extend::Extended;
use meshloom_certify::Certificate;
use meshloom_ir::segments::Split;
use meshloom_ir::{Func, OpId};
use std::collections::BTreeSet;

pub use error::PlanError;
pub use kept::StashPlan;
pub use meshloom_ir::Recompute;
pub use partition::why::CollectiveInfo;
pub use report::{DecidedBy, TensorPlan, Totals};
pub use search::cost::Cost;

/// What bounds the work. Counts, never seconds, so that a plan does not depend on the machine that makes it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// E-nodes; beyond them tensors are only offered whole.
    pub nodes: usize,
    /// Layouts considered for one tensor.
    pub layouts: usize,
    /// Changes forced by the search to leave a local minimum.
    pub kicks: usize,
    /// Placements tried by the search, in all.
    pub moves: usize,
    /// States of the exact solution of small programs.
    pub states: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { nodes: 3_000_000, layouts: 1024, kicks: 2000, moves: 12_000_000, states: 400_000 }
    }
}

/// Who decides what no annotation says.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Mode {
    /// What is not annotated is replicated; intermediates follow from annotations.
    #[default]
    Follow,
    /// Everything open is chosen by predicted time under the memory budget.
    Search,
}

/// What a search minimises.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Objective {
    /// The predicted time of a step.
    Time,
    /// The same where every byte also passes a network of 1 Gbit/s: bytes on the wire count most. For devices that share
    /// memory, whose links say nothing about the machine that a plan is tried out for.
    Traffic,
}

#[derive(Clone, Debug, Default)]
pub struct PlanOptions {
    pub mode: Mode,
    /// By default [`Objective::Traffic`] for CPUs, whose devices share memory; else [`Objective::Time`].
    pub objective: Option<Objective>,
    /// Devices and links to plan for.
    pub target: cost::Target,
    /// Bytes that a device may hold; the target's memory where absent.
    pub budget: Option<u64>,
    /// No rewrite that changes the order of floating point operations.
    pub strict_float: bool,
    /// What is computed again in the backward pass: of loops that the source says nothing of, and of what stands outside of
    /// loops.
    pub recompute: Recompute,
    /// The same, whatever the source says of its loops.
    pub recompute_all: Option<Recompute>,
    /// Names of rules that are not applied ([`saturate::rules::ALL`]); for tests, and for asking what a rule is worth.
    pub disabled_rules: BTreeSet<String>,
    pub limits: Limits,
}

#[derive(Clone, Debug)]
pub struct Plan {
    /// The given program with loops cut into segments, where that was decided: what ids of global values and ops are about.
    pub split: Option<Split>,
    /// Inputs, outputs and named intermediates with their layouts, in the order of the program.
    pub tensors: Vec<TensorPlan>,
    pub local: Func,
    pub certificate: Certificate,
    /// In the order of the local program.
    pub collectives: Vec<CollectiveInfo>,
    pub totals: Totals,
    /// The fullest moment of a step, as estimated from the local program.
    pub memory: cost::memory::Peak,
    /// What loops keep for the backward pass, and what is computed again. Empty when following annotations.
    pub stashes: Vec<StashPlan>,
    pub stats: Stats,
}

impl Plan {
    /// The program that ids of global values and ops are about: the given one, with its loops cut as was decided.
    pub fn program<'a>(&'a self, given: &'a Func) -> &'a Func {
        self.split.as_ref().map_or(given, |s| &s.func)
    }
}

impl PlanOptions {
    /// What is asked for outside of loops.
    pub fn recompute_outside(&self) -> Recompute {
        self.recompute_all.unwrap_or(self.recompute)
    }

    /// What is asked for the values of the loop `o`.
    pub fn recompute_in(&self, func: &Func, o: OpId) -> Recompute {
        self.recompute_all.or(func.op(o).recompute).unwrap_or(self.recompute)
    }

    pub fn objective(&self) -> Objective {
        let usual = if self.target.arch.is_gpu() { Objective::Time } else { Objective::Traffic };
        self.objective.unwrap_or(usual)
    }
}

/// How large the decision was. Deterministic, so it may be printed and compared.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Stats {
    pub nodes: usize,
    pub classes: usize,
    /// Placements that the search tried.
    pub moves: usize,
    /// Limits that were reached, in words.
    pub limits_hit: Vec<String>,
}

/// A program with its alternatives.
struct Prepared {
    ext: Extended,
    stashes: Vec<extend::recompute::Stash>,
    limits_hit: Vec<String>,
}

impl Prepared {
    fn new(global: &Func, options: &PlanOptions) -> Prepared {
        let mut ext = Extended::new(global.clone());
        let follows = options.mode == Mode::Follow;
        // An op along a dim has no form on a split one but those that work in blocks.
        let blocks = global.ops.iter().any(|d| extend::algebra::blocks::concern(&d.op));
        if follows && !blocks {
            return Prepared { ext, stashes: Vec::new(), limits_hit: Vec::new() };
        }
        let stashes = if follows { Vec::new() } else { extend::recompute::extend(&mut ext, options) };
        let algebra = extend::algebra::AlgebraOptions {
            strict_float: options.strict_float,
            disabled: &options.disabled_rules,
            limits: extend::algebra::AlgebraLimits::default(),
            blocks_alone: follows,
        };
        let limits_hit = extend::algebra::extend(&mut ext, &algebra).limits_hit;
        Prepared { ext, stashes, limits_hit }
    }
}

/// Names that [`PlanOptions::disabled_rules`] may hold: rules that give forms of a program, then those that give it other programs.
pub fn rules() -> impl Iterator<Item = &'static str> {
    let forms = saturate::rules::ALL.iter().map(|r| r.name);
    let programs = extend::algebra::RULES.iter().copied().flatten().map(|r| r.name);
    forms.chain(programs).chain([extend::algebra::COMPOSITE])
}

/// Decides layouts and makes the local program.
///
/// # Errors
/// Annotations that cannot hold (another rank, an axis used twice), or a tensor for which no
/// form exists under the rules that are on; the name of a rule that does not exist.
pub fn plan(global: &Func, options: &PlanOptions) -> Result<Plan, Vec<PlanError>> {
    if let Some(unknown) = options.disabled_rules.iter().find(|r| !rules().any(|known| known == r.as_str())) {
        let names: Vec<&str> = rules().collect();
        let e = PlanError::new(Default::default(), format!("the planner has no rule `{unknown}`"));
        return Err(vec![e.help(format!("there are {}", names.join(", ")))]);
    }
    let whole = Prepared::new(global, options);
    let model = cost::Model::new(&options.target, &global.mesh);
    // The program as it is given, whatever is recognised in it.
    let followed = (options.mode == Mode::Search).then(|| follow(global, options, &model)).flatten();
    if whole.ext.preferred.is_empty() {
        return plan_prepared(global, options, whole, &model, followed.as_ref());
    }
    // Composites that were recognised replace what they stand for, so whether that pays is seen by planning without them too.
    let disabled_rules = options.disabled_rules.iter().cloned().chain([extend::RECOGNITION.to_string()]).collect();
    let without = PlanOptions { disabled_rules, ..options.clone() };
    let single = plan_prepared(global, &without, Prepared::new(global, &without), &model, followed.as_ref());
    let whole = plan_prepared(global, options, whole, &model, followed.as_ref());
    let key = |p: &Plan| (p.totals.predicted_step_us, p.memory.total);
    match (whole, single) {
        (Ok(whole), Ok(single)) => Ok(if key(&single) < key(&whole) { single } else { whole }),
        (Ok(plan), Err(_)) | (Err(_), Ok(plan)) => Ok(plan),
        (Err(_), Err(e)) => Err(e),
    }
}

fn plan_prepared(
    global: &Func,
    options: &PlanOptions,
    whole: Prepared,
    model: &cost::Model,
    followed: Option<&search::Solution>,
) -> Result<Plan, Vec<PlanError>> {
    let program = program::Program::new(&whole.ext, options)?;
    let saturation = saturate::run(&program, options);
    let decider = decide::Decider {
        program: &program,
        saturation: &saturation,
        model,
        options,
        stashes: &whole.stashes,
        given: global.ops.len(),
        followed,
    };
    let memory = (options.mode == Mode::Search).then(|| options.budget.unwrap_or(options.target.memory));
    let budget = memory.or(options.budget);
    let decision = decider.decide(budget).map_err(|e| vec![e])?;
    if let Some(budget) = budget.filter(|_| decision.bound)
        && let Some(better) = segment::improve(global, &whole, &decider, &decision, budget)?
    {
        return Ok(better);
    }
    Ok(finish(global, &whole, &decider, decision))
}

/// The plan of `global` that a decision makes.
fn finish(global: &Func, prepared: &Prepared, decider: &decide::Decider<'_, '_>, decision: decide::Decision) -> Plan {
    let decide::Decider { program, saturation, model, options, .. } = *decider;
    let decide::Decision { solution, local, effort, lower_bound, outside, .. } = decision;
    let mut limits_hit = prepared.limits_hit.clone();
    limits_hit.extend(saturation.stats.limits_hit.iter().cloned());
    if effort.limited {
        limits_hit.push(match options.mode {
            Mode::Follow => format!("kicks of the search ({})", options.limits.kicks),
            Mode::Search => format!("placements tried by the search ({})", options.limits.moves),
        });
    }
    let stats = Stats { moves: effort.moves, limits_hit, ..saturation.stats.clone() };
    let collectives = partition::why::collectives(program, &solution, &local, model);
    let mut totals = report::totals(model, &local.func, &collectives);
    totals.lower_bound_us = (options.mode == Mode::Search).then_some(lower_bound as f64 / 1e6);
    let tensors = report::tensors(program, &solution, global.values.len());
    let mut certificate = local.certificate;
    certificate.form = partition::form::of(&prepared.ext, global, program, &solution);
    let memory = cost::memory::peak(&local.func, !model.target.arch.is_gpu());
    let mut stashes = kept::stashes(program, &solution, &prepared.stashes, &decider.again(&solution));
    stashes.extend(outside.iter().map(|a| kept::outside(program, a)));
    Plan { split: None, tensors, local: local.func, certificate, collectives, totals, memory, stashes, stats }
}

/// What following the annotations decides, where that is possible.
fn follow(global: &Func, options: &PlanOptions, model: &cost::Model) -> Option<search::Solution> {
    let options = PlanOptions { mode: Mode::Follow, ..options.clone() };
    let ext = Extended::new(global.clone());
    let program = program::Program::new(&ext, &options).ok()?;
    let saturation = saturate::run(&program, &options);
    let mut problem = search::read::read(&program, &saturation, model, options.objective()).ok()?;
    let search = search::Search::new(&program, &saturation, &mut problem, options.limits);
    let rent = search::cost::Rent::default();
    let (found, _) = search.solve(&mut problem, rent, None, 1).ok()?;
    search.refine(&mut problem, rent, found, &mut |_| 0).ok()
}

/// Where an op of the local program comes from.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Origin {
    /// The local form of a global op.
    Op(OpId),
    /// Inserted to convert a global value between layouts.
    Reshard(meshloom_ir::ValueId),
}
