//! Chooses a mesh for a number of devices: the sizes of all axes, stages, microbatches, schedule, layout block and
//! recomputation, by the predicted time among those that fit memory.
//!
//! Planning every mesh in full would take hours. So the work narrows in three rounds, each of them bounded by counts:
//!
//! 1. For each layout block and each choice of the axes inside a layer ([`candidate`]) the planner plans the model once, for a
//!    data axis that stands for all. From that plan, formulas compose the figures of all meshes, microbatches and schedules
//!    with these axes ([`rough`]).
//! 2. The best of them are planned at their own mesh and microbatch, and composed again, by simulation of each schedule.
//! 3. The best of these are planned in full ([`full`]), by the calls that `plan --mesh` makes. Only what such a plan predicts is
//!    printed. One that does not fit memory gives its place to the next.
//!
//! A candidate is a few declarations in the place of the source's: mesh, stages and settings ([`meshloom_syntax::overrides`]). The
//! lines that are printed for the user to write are where its tree differs from the source's.

mod axes;
mod candidate;
mod full;
mod race;
mod report;
mod rough;
mod search;
mod shape;
pub mod sweep;
pub mod traced;

use crate::compiler::{self, Compiler, GivenSource};
use crate::settings::Settings;
use candidate::{Candidate, Open, all, schedules};
use full::{FullPlan, Tried};
use meshloom_ir::mesh::MAX_DEVICES;
use meshloom_pipeline::PipelineSchedule;
use meshloom_plan::Recompute;
use meshloom_report::{DevicesReport, human};
use meshloom_source::entry::ScheduleChoice;
use meshloom_source::{CompileResult, Diagnostic, Failure, SourceMap};
use race::Rough;
use report::CandidateOutcome;
use rough::{Base, Estimate};
use search::{Ranked, SLOWER, Search};
use shape::ModelShape;

/// The most candidates that are planned at their own mesh, to be composed from.
const CLOSER: usize = 9;
/// If the even cut exceeds the budget by at most this part of the budget, another cut is searched for.
const UNEVEN: u64 = 4;
/// The most stages for which another cut is searched for.
const MOVED: u64 = 16;
/// Candidates that are planned in full, at most.
const FULL: usize = 7;
/// If a number of devices has no mesh, how many other numbers are tried on each side of it.
const NEAR: usize = 1024;
/// Plans that are shown.
const SHOWN: usize = 5;
/// Plans from which on a candidate that is expected to be slower by [`SLOWER`] is left out.
const ENOUGH: usize = 2;

/// Chooses meshes of so many devices for the `train` of a source, the fastest first. The options for layout, schedule,
/// recomputation and memory are kept, and so are the sizes of axes in `settings.front.mesh`.
///
/// # Errors
/// Those of the source; a number of devices that no mesh has; nothing that fits the memory of a device.
pub fn choose(by: &dyn Compiler, settings: &Settings, devices: u64) -> CompileResult<DevicesReport> {
    let Choice { shape, open, candidates, map } = choice(by, settings, devices)?;
    let refused = |f: Failure| (f, map);
    let search = Search { by, shape: &shape, settings, open: &open, budget: budget(settings) };
    let rough = search.rough(&candidates);
    let closer = search.closer(&rough, CLOSER);
    let Planned { plans, tried, nearest, cannot, outcomes } = search.full(&closer);
    if plans.is_empty() {
        return Err(refused(search.nothing(devices, nearest, cannot)));
    }
    let found = report::Found {
        plans: &plans,
        outcomes: &outcomes,
        considered: candidates.len(),
        composed: closer.len().min(CLOSER),
        planned: tried.len(),
    };
    Ok(report::of(&shape, settings, devices, &found))
}

/// What there is to choose from.
struct Choice {
    shape: ModelShape,
    open: Open,
    /// At least one.
    candidates: Vec<Candidate>,
    /// The sources: the text alone.
    map: SourceMap,
}

fn choice(by: &dyn Compiler, settings: &Settings, devices: u64) -> CompileResult<Choice> {
    let GivenSource { path, text, .. } = by.source();
    let mut map = SourceMap::new();
    map.add(path, text);
    let refused = |f: Failure| (f, map.clone());
    let one = |d: Box<Diagnostic>| Failure::Rejected(vec![*d]);
    let open = open(settings).map_err(|d| refused(one(d)))?;
    let target = &settings.plan.target;
    nodes(devices, target).map_err(|d| refused(one(d)))?;
    let shape = ModelShape::read(by, settings)?;
    fixed(&shape, settings).map_err(|d| refused(one(d)))?;
    let candidates = all(&shape, devices, target, &open);
    if candidates.is_empty() {
        return Err(refused(one(Box::new(no_mesh(&shape, devices, target, &open)))));
    }
    Ok(Choice { shape, open, candidates, map })
}

fn budget(settings: &Settings) -> u64 {
    settings.plan.budget.unwrap_or(settings.plan.target.room())
}

/// What the settings leave open.
fn open(settings: &Settings) -> Result<Open, Box<Diagnostic>> {
    if settings.front.stages.is_some() {
        let d = Diagnostic::error("stages", "--devices: how many stages there are is chosen, so --stages says nothing");
        return Err(Box::new(d.help("leave it out, or give the mesh: --mesh pipe=4,data=2")));
    }
    let schedule = match &settings.front.schedule {
        None => None,
        Some(ScheduleChoice::Named { name, .. }) => Some(name.clone()),
        Some(ScheduleChoice::Table { file, .. }) => {
            let d = Diagnostic::error("schedule", format!("--devices: `{file}` is a table for one number of ranks"));
            return Err(Box::new(d.help("name a schedule, or give the mesh: --mesh pipe=4,data=2")));
        }
    };
    let known = candidate::NAMES;
    if let Some(name) = schedule.as_ref().filter(|n| !known.contains(&n.as_str())) {
        let d = Diagnostic::error("schedule", format!("--devices: no mesh is chosen for the schedule `{name}`"));
        return Err(Box::new(d.help(format!("one of {}; or give the mesh: --mesh pipe=4,data=2", known.join(", ")))));
    }
    Ok(Open { recompute: settings.plan.recompute_all, schedule, virtual_stages: settings.front.virtual_stages })
}

/// A number of devices that is no whole number of nodes.
fn nodes(devices: u64, target: &meshloom_plan::cost::Target) -> Result<(), Box<Diagnostic>> {
    let wrong = |message: String| Diagnostic::error("mesh", message);
    if devices == 0 {
        return Err(Box::new(wrong("--devices 0: a mesh has at least one device".into())));
    }
    if devices > MAX_DEVICES {
        return Err(Box::new(wrong(format!("--devices {devices}: at most {MAX_DEVICES} are planned for"))));
    }
    let node = target.levels.first().and_then(|l| l.devices.map(|n| (n, l)));
    let Some((node, level)) = node.filter(|(n, _)| devices > *n && !devices.is_multiple_of(*n)) else { return Ok(()) };
    let down = devices / node * node;
    let message =
        format!("--devices {devices}: `{}` has nodes of {node} devices (level `{}`)", target.name, level.name);
    let help =
        format!("use {down} or {} devices, or a target file whose level has another number of `devices`", down + node);
    Err(Box::new(wrong(message).help(help)))
}

/// Axes of `--mesh` that the model does not have.
fn fixed(shape: &ModelShape, settings: &Settings) -> Result<(), Box<Diagnostic>> {
    let axes = || shape.axes.iter().map(|a| &a.name).chain(shape.list.iter().map(|l| &l.axis));
    let unknown = settings.front.mesh.iter().flatten().find(|(name, _)| !axes().any(|a| a == name));
    match unknown {
        None => Ok(()),
        Some((name, _)) => {
            let all: Vec<&str> = axes().map(String::as_str).collect();
            let d = Diagnostic::error("unknown-axis", format!("--mesh {name}: the mesh has no axis `{name}`"));
            Err(Box::new(d.help(format!("its axes: {}", all.join(", ")))))
        }
    }
}

/// Why there is no mesh of so many devices, and for which numbers there is one.
fn no_mesh(shape: &ModelShape, devices: u64, target: &meshloom_plan::cost::Target, open: &Open) -> Diagnostic {
    let has = |n: &u64| nodes(*n, target).is_ok() && !all(shape, *n, target, open).is_empty();
    let below = (1..devices).rev().take(NEAR).find(has);
    let above = (devices + 1..=MAX_DEVICES).take(NEAR).find(has);
    let near: Vec<String> = below.into_iter().chain(above).map(|n| n.to_string()).collect();
    let message = format!("no mesh of {devices} devices divides `{}`", shape.train);
    let rest = &shape.axes[shape.rest].name;
    let note = format!(
        "stages are at most as many as layers, axes inside a layer divide a node and what they split, and `{rest}` divides a batch \
         of {}",
        shape.batch
    );
    let d = Diagnostic::error("mesh", message).at(shape.span, "").note(note);
    let d = if near.is_empty() { d } else { d.help(format!("there is one of {} devices", near.join(" or "))) };
    d.help("`--dim batch=..` sets another batch, `--mesh` sizes of axes that stay")
}

type Timed = (Estimate, PipelineSchedule);

impl Search<'_> {
    /// The best candidates by plans of their own, and by simulation.
    fn closer(&self, Rough { ranked, bases }: &Rough, most: usize) -> Ranked {
        if self.shape.list.is_none() {
            return ranked.clone();
        }
        let some = race::raced(ranked, most, self.room());
        let found = compiler::map(self.by, &some, |c| {
            let own = bases.iter().find(|b| b.is_of(c));
            let made = if own.is_none() { Base::of(self.by, self.shape, c, self.settings) } else { None };
            let base = own.or(made.as_ref())?;
            if c.pipe < 2 {
                return Some(base.alone(c));
            }
            let orders = schedules(c, base.layers(), self.open);
            let timed = orders.into_iter().filter_map(|s| base.simulated(c, s));
            let (e, table) = self.roomy(base, timed.collect())?;
            if e.bytes <= self.budget {
                return Some(e);
            }
            // Layers move to ranks that have more room.
            let near =
                e.bytes <= self.budget.saturating_add(self.budget / UNEVEN) && u64::from(table.stages()) <= MOVED;
            let moved = near.then(|| base.uneven(&table, &self.settings.plan.target, self.budget)).flatten();
            Some(moved.map_or(e, |(step_ps, bytes)| Estimate { step_ps, bytes, ..e }))
        });
        // Without stages the planner keeps to the budget by itself, so what is kept now decides nothing.
        let open = |e: Estimate, c: &Candidate| Estimate { bytes: if c.pipe < 2 { 0 } else { e.bytes }, ..e };
        let all = found.into_iter().zip(some).filter_map(|(e, c)| Some((open(e?, c), c.clone())));
        self.sorted(all.collect(), self.budget)
    }

    /// The fastest schedule whose ranks have room; where none has, the one that holds least of those that were arranged. What is fast
    /// and has no room is in nobody's way: the lines say which schedules to hope for, and what they leave out is about the same under
    /// each, so the leanest one says it for all.
    fn roomy(&self, base: &Base, mut timed: Vec<Timed>) -> Option<Timed> {
        timed.sort_by_key(|t| t.0.step_ps);
        let least = (0..timed.len()).min_by_key(|i| timed[*i].0.bytes)?;
        let leanest = base.held(&timed[least].1);
        let off = leanest.map_or(0, |held| i128::from(held) - i128::from(timed[least].0.bytes));
        let mut some: Vec<Timed> = Vec::new();
        for (i, (e, table)) in timed.into_iter().enumerate() {
            let hoped = i128::from(e.bytes) + off <= i128::from(self.room());
            let held = match i == least {
                true => leanest,
                false => hoped.then(|| base.held(&table)).flatten(),
            };
            let Some(bytes) = held else { continue };
            some.push((Estimate { bytes, ..e }, table));
            if bytes <= self.budget {
                return some.pop();
            }
        }
        some.into_iter().min_by_key(|t| t.0.bytes)
    }

    /// Full plans, the fastest first.
    fn full(&self, ranked: &Ranked) -> Planned {
        let mut all = Planned::default();
        for (estimate, c) in ranked {
            // Without stages the planner decides itself what is recomputed.
            let recompute = if c.pipe > 1 { c.recompute } else { Recompute::None };
            let own = Candidate { recompute, ..c.clone() };
            let best = all.plans.iter().map(|p| p.step_ps).min();
            let slower =
                best.is_some_and(|best| u128::from(estimate.step_ps) * 1000 > u128::from(best) * u128::from(SLOWER));
            if all.tried.contains(&own) {
                continue;
            }
            let out = if all.plans.len() >= SHOWN {
                Some(format!("{SHOWN} plans fit that were expected to be faster"))
            } else if all.tried.len() >= FULL {
                Some(format!("{FULL} that were expected to be faster were planned"))
            } else {
                let far = slower && all.plans.len() >= ENOUGH;
                far.then(|| "it is expected to take a quarter longer than the best plan".to_owned())
            };
            if let Some(why) = out {
                all.outcome(estimate, &own, None, "not_planned", Some(why));
                continue;
            }
            // Its ranks were arranged. To look for a plan that fits all the same takes long, and seldom finds one.
            if own.pipe > 1 && estimate.bytes > self.budget {
                let why = format!("its ranks hold {} as they were arranged", human::bytes(estimate.bytes as f64));
                all.outcome(estimate, &own, None, "too_large", Some(why));
                all.too_large(estimate.bytes, own);
                continue;
            }
            let plan = |of: &Candidate| full::plan(self.by, self.shape, of, estimate.schedule, self.settings, slower);
            // Where recomputing no layer does not fit, what lies between is faster than recomputing all, by up to a quarter.
            if !slower && own.pipe > 1 && own.recompute == Recompute::Full && self.open.recompute.is_none() {
                let between = Candidate { recompute: Recompute::Auto, ..own.clone() };
                if all.tried.contains(&between) {
                    continue;
                }
                let before = all.plans.len();
                all.take(plan(&between), between, estimate, self.budget);
                if all.plans.get(before).is_some_and(|p| p.step_ps <= estimate.step_ps) {
                    let why = "layers that recompute only what they have no room for are as fast".to_owned();
                    all.outcome(estimate, &own, None, "not_planned", Some(why));
                    continue;
                }
            }
            all.take(plan(&own), own, estimate, self.budget);
        }
        all.plans.sort_by_key(|p| (p.step_ps, p.peak));
        all.plans.truncate(SHOWN);
        all.judge();
        all
    }

    /// Nothing fits, or nothing could be planned.
    fn nothing(&self, devices: u64, nearest: Option<(u64, Candidate)>, cannot: Option<String>) -> Failure {
        let shape = self.shape;
        let Some((bytes, c)) = nearest else {
            let message = format!("no mesh of {devices} devices that was tried can be planned for `{}`", shape.train);
            let d = Diagnostic::error("mesh", message).at(shape.span, "");
            let d = cannot.into_iter().fold(d, Diagnostic::note);
            return Failure::Rejected(vec![d.help("`plan --mesh` with a mesh of your own says more")]);
        };
        let shown = |n: u64| human::bytes(n as f64);
        let message =
            format!("no plan of `{}` for {devices} devices fits into {} per device", shape.train, shown(self.budget));
        let mesh: Vec<String> = c.mesh(shape).iter().map(|(a, n)| format!("{a}={n}")).collect();
        let lacks = shown(bytes.saturating_sub(self.budget));
        let note = format!("the nearest, {}, needs {}: {lacks} more than there is", mesh.join(","), shown(bytes));
        let d = Diagnostic::error("does-not-fit", message).at(shape.span, "").note(note);
        Failure::TooLarge(vec![d.help("use more devices, a smaller batch (`--dim batch=..`), or `--recompute full`")])
    }
}

/// What came of the last round.
#[derive(Default)]
struct Planned {
    plans: Vec<FullPlan>,
    tried: Vec<Candidate>,
    /// Of those that do not fit, the smallest.
    nearest: Option<(u64, Candidate)>,
    /// Why the first that cannot be planned cannot.
    cannot: Option<String>,
    /// What became of each candidate that was looked at.
    outcomes: Vec<CandidateOutcome>,
}

impl Planned {
    fn take(&mut self, made: Tried, c: Candidate, estimate: &Estimate, budget: u64) {
        self.tried.push(c.clone());
        match made {
            Tried::Planned(plan) => {
                let fits = plan.peak <= budget;
                let verdict = if fits { "slower" } else { "too_large" };
                self.outcome(estimate, &c, Some((plan.step_ps, plan.peak)), verdict, None);
                if fits { self.plans.push(*plan) } else { self.too_large(plan.peak, c) }
            }
            Tried::TooLarge(bytes) => {
                let why = format!("the smallest plan holds {}", human::bytes(bytes as f64));
                self.outcome(estimate, &c, None, "too_large", Some(why));
                self.too_large(bytes, c);
            }
            Tried::Cannot(why) => {
                self.outcome(estimate, &c, None, "no_plan", why.lines().next().map(str::to_owned));
                self.cannot = self.cannot.take().or(Some(why));
            }
        }
    }

    fn outcome(
        &mut self,
        estimate: &Estimate,
        c: &Candidate,
        made: Option<(u64, u64)>,
        verdict: &'static str,
        why: Option<String>,
    ) {
        let Estimate { step_ps: expected_ps, schedule, .. } = *estimate;
        self.outcomes.push(CandidateOutcome { candidate: c.clone(), schedule, expected_ps, made, verdict, why });
    }

    /// Of the plans that were made, the best is taken.
    fn judge(&mut self) {
        let best = self.plans.first().map(|p| (p.candidate.clone(), p.schedule));
        let own = self
            .outcomes
            .iter_mut()
            .find(|o| best.as_ref().is_some_and(|b| (&o.candidate, o.schedule) == (&b.0, b.1) && o.made.is_some()));
        if let Some(o) = own {
            o.verdict = "taken";
        }
    }

    fn too_large(&mut self, bytes: u64, c: Candidate) {
        if self.nearest.as_ref().is_none_or(|n| bytes < n.0) {
            self.nearest = Some((bytes, c));
        }
    }
}
