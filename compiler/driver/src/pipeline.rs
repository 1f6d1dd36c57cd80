//! The pipeline behind the front end: a list of calls, each from one stage of a program to the next.
//!
//! ```text
//! text --front::check--> global functions --plan--> local functions and proofs --lower--> executable programs and kernels
//! ```
//!
//! Each phase's output is verified before the next one sees it. An entry that a check was not made of does not come through:
//! a stage without its proof cannot be written down.

use crate::attempt::{certified, refused};
use crate::choices::Phases;
use crate::failure::unscheduled;
use crate::program::{Asked, CompileOptions, Planned, Program, Scheduled};
use crate::{assert, gathered, parallel, staged, variants};
use meshloom_audit::KeptFloats;
use meshloom_bundle::EntryKind as BundleKind;
use meshloom_ir::Span;
use meshloom_kernels::Device;
use meshloom_lower as lowered;
use meshloom_lower::Runs;
use meshloom_plan as planner;
use meshloom_source::entry::Offload;
use meshloom_source::{CompileResult, Diagnostic, Failure};
use meshloom_strategy::entry::Elaborated;
use meshloom_strategy::entry_plan::{EntryRefused, Outcome, StepForm};
use meshloom_strategy::fit::{Shortage, does_not_fit};
use meshloom_strategy::pipelining::Stages;
use meshloom_strategy::speed::tokens;
use meshloom_strategy::variants::best;
use std::collections::BTreeMap;
use std::time::Instant;

/// Phases `plan` to `certify`: layouts, local functions, and the proof that they compute the same.
///
/// # Errors
/// Annotations that cannot hold, of all entries; entries that fit no device. A certificate that does not check is an internal
/// error.
pub fn plan(mut program: Program, options: &CompileOptions) -> CompileResult<Program<Planned>> {
    let start = Instant::now();
    program.target.clone_from(&options.plan.target);
    let settings = options.settings();
    // Entries know nothing of each other. But those that run in the stages of a step have the layers where the step has them.
    let (own, following): (Vec<usize>, Vec<usize>) =
        (0..program.entries.len()).partition(|&i| !program.entries[i].follows());
    let all = |p: &Program, of: &[usize]| {
        let one = |e: &Elaborated| best(e, &settings, true);
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
            Err(EntryRefused::Layouts(e)) => match e.iter().find(|e| e.mistake) {
                Some(mistake) => {
                    let reproducer = meshloom_ir::print::print(&entry.global);
                    let failure = Failure::Internal { phase: "plan", message: mistake.to_string(), reproducer };
                    return Err((failure, program.sources));
                }
                None => errors.extend(e.into_iter().map(refused)),
            },
            Err(EntryRefused::Target(e)) => errors.push(unscheduled(e)),
            Err(EntryRefused::Said(d)) => errors.push(*d),
            Err(EntryRefused::TooLarge { needs, budget }) => {
                let phases = Phases { path: &program.path, text: &program.text, options };
                let shortage = Shortage { needed: needs, budget };
                large.push(does_not_fit(&phases, program.layout.as_deref(), entry, &settings, shortage));
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
                let asked = asked(&entry, options);
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
fn placed(program: &mut Program, made: BTreeMap<usize, (Outcome, Option<StepForm>)>) -> BTreeMap<usize, Outcome> {
    let mut plans = BTreeMap::new();
    for (i, (outcome, step)) in made {
        if let Some(StepForm { global, last_apart }) = step {
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

/// The settings for recomputation, offloading and the budget, each with the place in the source that has it, or none if it is
/// an option.
fn asked(entry: &Elaborated, options: &CompileOptions) -> Vec<Asked> {
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
        let opts = lowered::ScheduleOptions { locate: &locate, tokens_per_step, device, tf32, rounds_each };
        let made = match (&entry.pipeline, &entry.ranks) {
            (Some(of), Some(ranks)) => staged::scheduled(&entry, of, ranks, &opts).map(|staged| {
                let outline = lowered::outline(&entry.plan.local, &entry.global, &of.mesh, of.axis, tokens_per_step);
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
    options: &lowered::ScheduleOptions<'_>,
    planned: Runs,
) -> Result<lowered::Scheduled, Failure> {
    let local = &entry.plan.local;
    let as_planned = options.runs() == planned;
    // Planning has made the kernels and the arena already; they are only written down.
    let made = match entry.plan.arranged.as_ref().filter(|_| as_planned) {
        Some(arranged) => lowered::write_down(arranged, &entry.global, options),
        None => {
            lowered::schedule(local, &entry.global, options).map_err(|e| Failure::Rejected(vec![unscheduled(e)]))?
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
