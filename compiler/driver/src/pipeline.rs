//! The pipeline behind the front end: a list of calls, each from one stage of a program to the next.
//!
//! ```text
//! text --front::check--> global functions --plan--> local functions and proofs --lower--> executable programs and kernels
//! ```
//!
//! Each phase's output is verified before the next one sees it. An entry that a check was not made of does not come through:
//! a stage without its proof cannot be written down.

use crate::entry_plan::{ForStages, Outcome, Refused, Step, parts, planned};
use crate::failure::{Failure, unscheduled, verified};
use crate::fit::{self, Asking, Change, Need, Shortage};
use crate::front::check;
use crate::pipelining::Stages;
use crate::program::{Asked, CompileOptions, CompileResult, Elaborated, Planned, Program, Ranks, Scheduled};
use crate::speed::tokens;
use crate::{assert, gathered, parallel, staged, variants};
use meshloom_audit::KeptFloats;
use meshloom_bundle::EntryKind as BundleKind;
use meshloom_certify as certify;
use meshloom_fusion::Runs;
use meshloom_ir::{Func, Span};
use meshloom_kernels::Device;
use meshloom_plan as planner;
use meshloom_schedule as schedule;
use meshloom_source::Diagnostic;
use meshloom_source::entry::Offload;
use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

/// Phases `plan` to `certify`: layouts, local functions, and the proof that they compute the same.
///
/// # Errors
/// Annotations that cannot hold, of all entries; entries that fit no device. A certificate that does not check is an internal
/// error.
pub fn plan(mut program: Program, options: &CompileOptions) -> CompileResult<Program<Planned>> {
    let start = Instant::now();
    program.target.clone_from(&options.plan.target);
    // Entries know nothing of each other. But those that run in the stages of a step have the layers where the step has them.
    let (own, following): (Vec<usize>, Vec<usize>) =
        (0..program.entries.len()).partition(|&i| !program.entries[i].follows());
    let all = |p: &Program, of: &[usize]| {
        let one = |e: &Elaborated| variants::best(p, e, options, true);
        of.iter().copied().zip(parallel::map(of, |&i| one(&p.entries[i]))).collect::<BTreeMap<_, _>>()
    };
    let first = all(&program, &own);
    let mut made = placed(&mut program, first);
    for &i in &following {
        same_layers(&mut program, i, &made);
    }
    let rest = all(&program, &following);
    made.extend(placed(&mut program, rest));
    let (mut plans, mut errors, mut large) = (Vec::new(), Vec::new(), Vec::new());
    for (entry, (_, made)) in program.entries.iter().zip(made) {
        match made {
            Ok(plan) => plans.push(plan),
            Err(Refused::Layouts(e)) => match e.iter().find(|e| e.mistake) {
                Some(mistake) => {
                    let reproducer = meshloom_ir::print::print(&entry.global);
                    let failure = Failure::Internal { phase: "plan", message: mistake.to_string(), reproducer };
                    return Err((failure, program.sources));
                }
                None => errors.extend(e.into_iter().map(refused)),
            },
            Err(Refused::Target(e)) => errors.push(unscheduled(e)),
            Err(Refused::Said(d)) => errors.push(*d),
            Err(Refused::TooLarge { needs, budget }) => {
                large.push(does_not_fit(&program, entry, options, needs, budget));
            }
        }
    }
    program.timed("plan", start);
    if !errors.is_empty() {
        errors.extend(large);
        return Err((Failure::Rejected(errors), program.sources));
    }
    if !large.is_empty() {
        return Err((Failure::TooLarge(large), program.sources));
    }
    let start = Instant::now();
    let mut entries = Vec::new();
    for (mut entry, (plan, mut ranks)) in std::mem::take(&mut program.entries).into_iter().zip(plans) {
        if let Some(apart) = ranks.as_mut().and_then(|r| r.apart.take()) {
            entry.global = apart;
        }
        match certified(&entry.global, &plan) {
            Ok(proof) => {
                let asked = settings(&entry, options);
                entries.push(Planned { entry, ranks, asked, plan, proof });
            }
            Err(f) => return Err((f, program.sources)),
        }
    }
    let mut program = program.with(entries);
    program.timed("certify", start);
    let (errors, warnings): (Vec<_>, Vec<_>) =
        assert::reshards(&program, options.reshards).into_iter().partition(Diagnostic::is_error);
    program.diagnostics.extend(warnings);
    let gathered = gathered::windows(&program);
    program.diagnostics.extend(gathered);
    let mistakes: Vec<Diagnostic> = program.entries.iter().flat_map(variants::mistakes).collect();
    program.diagnostics.extend(mistakes);
    let broken = if options.asserts_later { Vec::new() } else { assert::check(&program) };
    let errors: Vec<Diagnostic> = errors.into_iter().chain(broken).collect();
    if errors.is_empty() { Ok(program) } else { Err((Failure::Rejected(errors), program.sources)) }
}

/// Puts the steps that plans are of in the place of those that were given.
fn placed(program: &mut Program, made: BTreeMap<usize, (Outcome, Option<Step>)>) -> BTreeMap<usize, Outcome> {
    let mut plans = BTreeMap::new();
    for (i, (outcome, step)) in made {
        if let Some(Step { global, last_apart }) = step {
            let entry = &mut program.entries[i];
            (entry.global, entry.last_apart) = (global, last_apart);
        }
        plans.insert(i, outcome);
    }
    plans
}

/// Gives the stages of an entry the layers that those of a step were found to have, so that parameters stay where they are.
fn same_layers(program: &mut Program, follower: usize, made: &BTreeMap<usize, Outcome>) {
    let sizes = |of: &Stages| {
        let mut steps =
            made.iter().filter_map(|(&i, m)| Some((program.entries[i].pipeline.as_ref()?, m.as_ref().ok()?)));
        let same = |s: &Stages| s.list == of.list && s.schedule.stages() == of.schedule.stages();
        steps.find(|(s, _)| same(s)).and_then(|(_, made)| Some(made.1.as_ref()?.sizes.clone()))
    };
    let found = program.entries[follower].pipeline.as_ref().and_then(|of| sizes(of));
    if let (Some(sizes), Some(of)) = (found, &mut program.entries[follower].pipeline) {
        (of.sizes, of.given) = (sizes, true);
    }
}

fn refused(e: planner::PlanError) -> Diagnostic {
    let d = Diagnostic::error("layout", e.message).at(e.span, "");
    match e.help {
        Some(h) => d.help(h),
        None => d,
    }
}

/// The settings for recomputation, offloading and the budget, each with the place in the source that has it, or none if it is
/// an option.
fn settings(entry: &Elaborated, options: &CompileOptions) -> Vec<Asked> {
    let recompute = |how: planner::Recompute, span| Asked { setting: "recompute", value: how.name().into(), span };
    let mut out: Vec<Asked> = Vec::new();
    if entry.kind == BundleKind::Train && options.plan.mode == planner::Mode::Search {
        match options.plan.recompute_all {
            Some(how) => out.push(recompute(how, None)),
            None => {
                let said = entry.memory.recompute.into_iter().map(|how| recompute(how, Some(entry.span)));
                let loops = entry.elaborated.ops.iter();
                let loops = loops.filter_map(|d| d.recompute.map(|how| recompute(how, Some(d.span))));
                out.extend(said.chain(loops));
            }
        }
    }
    let shown = |n: u64| meshloom_report::human::bytes(n as f64);
    let budget = |n: u64, span| Asked { setting: "budget", value: shown(n), span };
    out.extend(match (options.plan.budget, entry.memory.budget) {
        (Some(n), _) => Some(budget(n, None)),
        (None, Some(n)) => Some(budget(n, Some(entry.span))),
        (None, None) => None,
    });
    let offload = |how: Offload, span| Asked { setting: "offload", value: how.name().into(), span };
    out.extend(match (options.offload, entry.memory.offload) {
        (Some(how), _) => Some(offload(how, None)),
        (None, said) => said.map(|how| offload(how, Some(entry.span))),
    });
    out
}

/// The result of planning one entry.
pub(crate) enum Attempt {
    Planned(Box<(planner::Plan, Option<Ranks>)>),
    TooLarge { needs: u64 },
}

/// Plans and certifies an entry as [`plan`] does, without a search for what would help where it does not fit.
///
/// # Errors
/// Those of [`plan`].
pub(crate) fn attempt(program: &Program, entry: &Elaborated, options: &CompileOptions) -> Result<Attempt, Failure> {
    let (made, step) = variants::best(program, entry, options, false);
    match made {
        Ok((plan, ranks)) => {
            let apart = ranks.as_ref().and_then(|r| r.apart.as_ref());
            let apart = apart.or(step.as_ref().map(|s| &s.global));
            certified(apart.unwrap_or(&entry.global), &plan)?;
            Ok(Attempt::Planned(Box::new((plan, ranks))))
        }
        Err(Refused::TooLarge { needs, .. }) => Ok(Attempt::TooLarge { needs }),
        Err(Refused::Layouts(e)) => Err(Failure::Rejected(e.into_iter().map(refused).collect())),
        Err(Refused::Target(e)) => Err(Failure::Rejected(vec![unscheduled(e)])),
        Err(Refused::Said(d)) => Err(Failure::Rejected(vec![*d])),
    }
}

fn does_not_fit(
    program: &Program,
    entry: &Elaborated,
    options: &CompileOptions,
    needs: u64,
    budget: u64,
) -> Diagnostic {
    let shown = |n: u64| meshloom_report::human::bytes(n as f64);
    let found = match needs {
        // Of none of them it is known what a device would hold.
        u64::MAX => "none could be cut into its stages".to_owned(),
        _ => format!("the smallest found needs {}", shown(needs)),
    };
    let message = format!("no plan of `{}` fits into {} per device: {found}", entry.name, shown(budget));
    let d = Diagnostic::error("does-not-fit", message).at(entry.span, "");
    let changed = Changed { program, entry, last: Mutex::default() };
    let estimated = |c: &Change| estimated(&changed, c, budget);
    let planned = |c: &Change| need(&changed, c);
    let inputs = |c: &Change| inputs(&changed, c);
    let asking = Asking { estimated: &estimated, inputs: &inputs, planned: &planned };
    let remedies = fit::remedies(program, entry, options, Shortage { needed: needs, budget }, &asking);
    if remedies.is_empty() {
        let tried =
            "search, recomputation, offloading, microbatches, other layouts and meshes, more devices, a smaller batch";
        return d.note(format!("nothing that was tried makes it much smaller: {tried}"));
    }
    // A list of what is not enough sends the reader from one to the next.
    if remedies.iter().all(|r| !r.fits) {
        let nearest = remedies.iter().min_by_key(|r| r.needs).map_or(String::new(), |r| r.text(needs));
        return d.note("nothing that was tried is enough; this comes nearest").help(nearest);
    }
    remedies.iter().fold(d, |d, r| d.help(r.text(needs)))
}

/// What changes are asked about: a program and its entry.
struct Changed<'a> {
    program: &'a Program,
    entry: &'a Elaborated,
    /// The last programs that were read: most changes are asked about twice.
    last: Mutex<VecDeque<(String, Arc<Program>)>>,
}

/// Changes whose programs are kept: there are not more workers that ask.
const LAST: usize = 8;

impl Changed<'_> {
    /// The program under a change; `None` where it has errors then.
    fn under(&self, change: &Change) -> Option<Arc<Program>> {
        let last = || self.last.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, known)) = last().iter().find(|(shown, _)| shown == change.shown()) {
            return Some(known.clone());
        }
        let mut options = change.options.clone();
        options.front.entry = Some(self.entry.name.clone());
        let text = change.source.as_ref().unwrap_or(&self.program.text);
        let made = Arc::new(check(&self.program.path, text, &options).ok()?);
        let mut last = last();
        if last.len() == LAST {
            last.pop_front();
        }
        last.push_back((change.shown().to_owned(), made.clone()));
        Some(made)
    }
}

/// About how little a device holds under a change; `None` where the program cannot be planned then.
fn estimated(changed: &Changed<'_>, change: &Change, budget: u64) -> Option<u64> {
    let other = changed.under(change)?;
    let entry = other.entry(&changed.entry.name)?;
    let options = planner::PlanOptions { budget: Some(budget), ..entry.plan_options(&change.options.plan) };
    let cuts = staged::MeasuredCuts::default();
    let parts = entry.pipeline.as_ref().map(|of| parts(&entry.global, of, &options, &cuts));
    planner::least_memory(&entry.global, &options, parts.as_ref().map(|p| p as &dyn planner::Parts))
}

/// Bytes of the inputs on a device under a change; `None` where that is not known.
fn inputs(changed: &Changed<'_>, change: &Change) -> Option<u64> {
    let other = changed.under(change)?;
    let entry = other.entry(&changed.entry.name).filter(|e| e.pipeline.is_none())?;
    planner::inputs_at_least(&entry.global, &entry.plan_options(&change.options.plan))
}

/// What a device holds for a plan under a change; `None` where the program cannot be planned then.
fn need(changed: &Changed<'_>, change: &Change) -> Option<Need> {
    let other = changed.under(change)?;
    let entry = other.entry(&changed.entry.name)?;
    // It is about memory: how fast a plan is that fits does not matter.
    let limits = planner::Limits { programs: 0, segments: 0, ..planner::Limits::BRIEF };
    let options = planner::PlanOptions { limits, ..entry.plan_options(&change.options.plan) };
    let stages = ForStages { mix: None, cuts: &staged::MeasuredCuts::default(), written: false };
    match planned(&other, entry, &options, stages) {
        Ok((_, Some(ranks))) => ranks.device_bytes().ok().map(|bytes| Need { bytes, fits: true }),
        Ok((plan, None)) => plan.memory.ok().map(|p| Need { bytes: p.total, fits: true }),
        Err(Refused::TooLarge { needs, .. }) => Some(Need { bytes: needs, fits: false }),
        Err(Refused::Layouts(_) | Refused::Target(_) | Refused::Said(_)) => None,
    }
}

fn certified(global: &Func, plan: &planner::Plan) -> Result<certify::Proof, Failure> {
    verified("local", &plan.local)?;
    certify::check(global, &plan.local, &plan.certificate).map_err(|rejections| Failure::Internal {
        phase: "certify",
        message: rejections.iter().take(5).map(|r| r.to_string()).collect::<Vec<_>>().join("; "),
        reproducer: format!(
            "{}\n{}\n{}",
            meshloom_ir::print::print(global),
            meshloom_ir::print::print(&plan.local),
            certify::text::print(&plan.certificate, global, &plan.local)
        ),
    })
}

/// Phase `schedule`: executable programs for CPUs, whatever target they were planned for.
///
/// # Errors
/// Ops or types that the target cannot run yet.
pub fn lower(program: Program<Planned>) -> CompileResult<Program<Scheduled>> {
    lower_for(program, Device::Cpu)
}

/// The same for a device.
///
/// # Errors
/// As [`lower`].
pub fn lower_for(mut program: Program<Planned>, device: Device) -> CompileResult<Program<Scheduled>> {
    let start = Instant::now();
    let mut entries = Vec::new();
    for entry in std::mem::take(&mut program.entries) {
        let locate = |s: Span| program.locate(s);
        let tokens_per_step = tokens(&entry.global);
        let (tf32, rounds_each) = (program.tf32, program.target.strict_float);
        let opts = schedule::ScheduleOptions { locate: &locate, tokens_per_step, device, tf32, rounds_each };
        let made = match (&entry.pipeline, &entry.ranks) {
            (Some(of), Some(ranks)) => staged::scheduled(&entry, of, ranks, &opts).map(|staged| {
                let outline = schedule::outline(&entry.plan.local, &entry.global, &of.mesh, of.axis, tokens_per_step);
                (outline, staged)
            }),
            _ => scheduled(&entry, &opts, program.target.runs()).map(|made| (made, Vec::new())),
        };
        match made {
            Ok((scheduled, staged)) => entries.push((entry, scheduled, staged)),
            Err(f) => return Err((f, program.sources)),
        }
    }
    let mut program = program.with(Vec::new());
    program.timed("schedule", start);
    let start = Instant::now();
    // Each on its own thread.
    let narrow = narrow(program.target.strict_float);
    let audits = parallel::map(&entries, |(entry, made, staged)| match &entry.ranks {
        None => meshloom_audit::audit_with(&entry.plan.local, &made.program, &made.kernels, narrow),
        Some(ranks) => {
            let programs = ranks.programs.iter().zip(staged);
            staged::audit(programs.map(|(p, s)| (&p.program.func, &s.program, s.kernels.as_slice())), narrow)
        }
    });
    for ((entry, scheduled, staged), audit) in entries.into_iter().zip(audits) {
        let audit = match audit {
            Ok(audit) => audit,
            Err(refused) => {
                let message = format!("the instructions of `{}` do not compute its plan: {refused}", entry.name);
                let reproducer = meshloom_ir::print::print(&entry.plan.local);
                return Err((Failure::Internal { phase: "audit", message, reproducer }, program.sources));
            }
        };
        program.entries.push(Scheduled { entry, scheduled, staged, audit });
    }
    program.timed("audit", start);
    Ok(program)
}

/// What an audit asks of roundings, where floats are computed strictly or not.
pub(crate) fn narrow(strict_float: bool) -> KeptFloats {
    if strict_float { KeptFloats::RoundsEach } else { KeptFloats::MayStayWide }
}

/// Schedules the local program. `planned` is what planning measured its memory for, so a program that is scheduled for the
/// same holds just as much.
fn scheduled(
    entry: &Planned,
    options: &schedule::ScheduleOptions<'_>,
    planned: Runs,
) -> Result<schedule::Scheduled, Failure> {
    let local = &entry.plan.local;
    let as_planned = options.runs() == planned;
    // Planning has made the kernels and the arena already; they are only written down.
    let made = match entry.plan.arranged.as_ref().filter(|_| as_planned) {
        Some(arranged) => schedule::write_down(arranged, &entry.global, options),
        None => {
            schedule::schedule(local, &entry.global, options).map_err(|e| Failure::Rejected(vec![unscheduled(e)]))?
        }
    };
    let internal = |message: String| {
        let reproducer = meshloom_ir::print::print(local);
        Failure::Internal { phase: "schedule", message, reproducer }
    };
    meshloom_bundle::validate(&made.program).map_err(|x| match x.limit {
        // The planner and the scheduler have no limits of their own: what is sound and larger than any machine ends here.
        true if made.program.arena_bytes > meshloom_bundle::limits::ARENA => {
            Failure::TooLarge(vec![beyond("does-not-fit", entry, &x)])
        }
        true => Failure::Rejected(vec![beyond("too-large", entry, &x)]),
        false => internal(x.to_string()),
    })?;
    let (bytes, said) = (made.program.device_bytes(), entry.plan.memory.as_ref().map(|p| p.total));
    if as_planned && said != Ok(bytes) {
        return Err(internal(format!("its schedule takes {bytes} bytes, and its plan said {said:?}")));
    }
    Ok(made)
}

/// What says that a program is larger than any that is run.
fn beyond(code: &'static str, entry: &Planned, e: &meshloom_bundle::BundleError) -> Diagnostic {
    Diagnostic::error(code, format!("the program of `{}` is too large: {e}", entry.name)).at(entry.span, "")
}
