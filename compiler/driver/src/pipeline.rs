//! The table of phases, and the pipeline: a list of calls.
//!
//! ```text
//! source --check--> global functions --plan--> local functions and certificates --lower--> executable programs and kernels
//! ```

use crate::assert::{self, Bounds};
use crate::{Failure, files, fit, gathered, parallel};
use meshloom_autodiff as autodiff;
use meshloom_bundle::EntryKind as BundleKind;
use meshloom_bundle::program::Source;
use meshloom_certify as certify;
use meshloom_ir::{Func, Role, Span, verify};
use meshloom_kernels::Device;
use meshloom_plan as planner;
use meshloom_schedule as schedule;
use meshloom_syntax::diagnostic::Diagnostic;
use meshloom_syntax::elaborate::assert::Assert;
use meshloom_syntax::elaborate::{self, EntryKind, Memory};
use meshloom_syntax::import;
use meshloom_syntax::source::SourceMap;
use std::borrow::Cow;
use std::path::Path;
use std::time::{Duration, Instant};

/// One phase: what goes in, what comes out, what checks it.
#[derive(Clone, Copy, Debug)]
pub struct Phase {
    /// Its name in `--emit`, in timings and in the tests' folders.
    pub name: &'static str,
    pub input: &'static str,
    pub output: &'static str,
    pub verified_by: &'static str,
}

/// All phases, in order. `--emit NAME` prints the output of one.
pub const PHASES: &[Phase] = &[
    Phase {
        name: "parse",
        input: "source text",
        output: "syntax tree, as formatted source",
        verified_by: "the formatter reads its own output",
    },
    Phase {
        name: "elaborate",
        input: "syntax tree",
        output: "global IR, one function per entry",
        verified_by: "ir::verify",
    },
    Phase {
        name: "grad",
        input: "global IR of a loss",
        output: "global IR of the train step",
        verified_by: "ir::verify",
    },
    Phase {
        name: "stablehlo",
        input: "global IR",
        output: "the program as StableHLO, sdy annotations",
        verified_by: "JAX's parser, by run.py",
    },
    Phase { name: "plan", input: "global IR", output: "layouts and collectives", verified_by: "certify" },
    Phase { name: "local", input: "global IR and layouts", output: "local IR", verified_by: "ir::verify" },
    Phase {
        name: "certify",
        input: "global IR, local IR, certificate",
        output: "certificate",
        verified_by: "certify::check",
    },
    Phase {
        name: "stablehlo-local",
        input: "local IR",
        output: "each device's program as StableHLO",
        verified_by: "JAX's parser, by run.py",
    },
    Phase {
        name: "schedule",
        input: "local IR",
        output: "executable program over one arena",
        verified_by: "bundle::validate",
    },
    Phase {
        name: "kernels",
        input: "kernel specs",
        output: "one MLIR function per kernel",
        verified_by: "MLIR's verifier",
    },
    Phase {
        name: "loom-mlir",
        input: "executable program",
        output: "the program in the loom dialect",
        verified_by: "MLIR's verifier",
    },
];

/// What the name of an entry that computes the loss of another ends in; no name of a source has a dot.
pub const EVALUATION: &str = ".eval";

/// What the caller chooses.
#[derive(Clone, Debug, Default)]
pub struct Options {
    pub front: elaborate::Options,
    /// Give every parameter's gradient as an output `grad.<path>` too.
    pub gradients: bool,
    /// How the planner decides, and for what target.
    pub plan: planner::PlanOptions,
    /// Plans that break an `assert` are rejected by whoever asks for them, and not here.
    pub asserts_later: bool,
    /// Reshards that are reported, or rejected.
    pub reshards: Bounds,
    /// Contractions of f32 are computed in tf32 by devices that have it: GPUs.
    pub tf32: bool,
}

/// A checked source: its entries as global functions.
pub struct Program {
    /// The path as the user wrote it.
    pub path: String,
    pub text: String,
    pub sources: SourceMap,
    /// The layout block in use.
    pub layout: Option<String>,
    /// Name of the target that it is planned for; empty before that.
    pub target: String,
    /// As [`Options::tf32`].
    pub tf32: bool,
    /// Warnings; errors end compilation.
    pub diagnostics: Vec<Diagnostic>,
    pub entries: Vec<Entry>,
    pub asserts: Vec<Assert>,
    /// How long each phase took.
    pub timings: Vec<(&'static str, Duration)>,
}

/// A setting of planning that is not the usual one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Asked {
    pub setting: &'static str,
    pub value: String,
    /// Where the source says so; absent for what the caller says.
    pub span: Option<Span>,
}

/// One entry on its way through the phases.
pub struct Entry {
    pub name: String,
    pub kind: BundleKind,
    pub span: Span,
    /// What the source says of memory.
    pub memory: Memory,
    /// What was asked of its plan, by the source or by the caller.
    pub asked: Vec<Asked>,
    /// The loss of a train entry, the function of another, as elaborated.
    pub elaborated: Func,
    /// The loss of a train entry where nothing is trained, if that is another program: one without dropout.
    pub evaluation: Option<Func>,
    /// The whole step: what is planned.
    pub global: Func,
    /// It stands in no source, but is the loss of a train entry: see [`Program::add_evaluations`].
    pub derived: bool,
    pub plan: Option<planner::Plan>,
    /// Certified steps.
    pub proof: Option<certify::Proof>,
    pub scheduled: Option<schedule::Scheduled>,
}

impl Entry {
    /// What the plan's ids of global values and ops are about: the whole step, with its loops cut where the plan cuts them.
    pub fn program(&self) -> &Func {
        self.plan.as_ref().map_or(&self.global, |p| p.program(&self.global))
    }
}

impl Program {
    /// The file, line and column of a span.
    pub fn locate(&self, span: Span) -> Option<Source> {
        if span.is_none() {
            return None;
        }
        let file = self.sources.get(span.file)?;
        let p = self.sources.position(span)?;
        Some(Source { file: file.name.clone(), line: p.line as u32, column: p.column as u32 })
    }

    pub fn entry(&self, name: &str) -> Option<&Entry> {
        self.entries.iter().find(|e| e.name == name)
    }

    /// Adds for each train entry `gpt` an entry `gpt.eval` that computes its loss and nothing else: what validation runs. No
    /// assertion is about it.
    pub fn add_evaluations(&mut self) {
        let trains = self.entries.iter().filter(|e| e.kind == BundleKind::Train);
        let losses: Vec<Entry> = trains
            .map(|e| {
                let name = format!("{}{EVALUATION}", e.name);
                let mut global = e.evaluation.as_ref().unwrap_or(&e.elaborated).clone();
                global.name.clone_from(&name);
                let (kind, elaborated) = (BundleKind::Function, global.clone());
                Entry {
                    name,
                    kind,
                    span: e.span,
                    elaborated,
                    evaluation: None,
                    global,
                    derived: true,
                    memory: e.memory,
                    asked: Vec::new(),
                    plan: None,
                    proof: None,
                    scheduled: None,
                }
            })
            .collect();
        self.entries.extend(losses);
    }

    fn timed(&mut self, phase: &'static str, start: Instant) {
        let spent = start.elapsed();
        match self.timings.iter_mut().find(|t| t.0 == phase) {
            Some(t) => t.1 += spent,
            None => self.timings.push((phase, spent)),
        }
    }
}

/// Both what went wrong and the sources its spans point into.
pub type Outcome<T> = Result<T, (Failure, SourceMap)>;

/// Phases `parse` to `grad`: a source text to verified global functions. Files that it imports are read from disk, unless the
/// options have them.
///
/// # Errors
/// Every diagnostic of the source.
pub fn check(path: &str, text: &str, options: &Options) -> Outcome<Program> {
    let start = Instant::now();
    let outcome = if is_stablehlo(path) {
        meshloom_stablehlo::compile(path, text, &options.front)
    } else {
        loom(path, text, options)
    };
    let elaborated = match outcome.elaborated {
        Some(e) => e,
        None => return Err((Failure::Rejected(outcome.diagnostics), outcome.sources)),
    };
    let mut program = Program {
        path: path.to_string(),
        text: text.to_string(),
        sources: outcome.sources,
        layout: elaborated.layout,
        target: String::new(),
        tf32: options.tf32,
        diagnostics: outcome.diagnostics,
        entries: Vec::new(),
        asserts: elaborated.asserts,
        timings: Vec::new(),
    };
    program.timed("elaborate", start);
    let start = Instant::now();
    let mut errors = Vec::new();
    for e in elaborated.entries {
        let made = entry(e, options, &mut program.diagnostics);
        match made {
            Ok(e) => program.entries.push(e),
            Err(Failure::Rejected(mut d)) => errors.append(&mut d),
            Err(other) => return Err((other, program.sources)),
        }
    }
    program.timed("grad", start);
    if errors.is_empty() { Ok(program) } else { Err((Failure::Rejected(errors), program.sources)) }
}

/// Whether a file holds StableHLO: by its name, as `opt` and `plan` take text from anywhere.
pub fn is_stablehlo(path: &str) -> bool {
    Path::new(path).extension().is_some_and(|e| e == "mlir" || e == "stablehlo")
}

fn loom(path: &str, text: &str, options: &Options) -> elaborate::Outcome {
    let mut front = Cow::Borrowed(&options.front);
    if front.files.is_empty() {
        let files = import::gather(path, text, &mut files::read);
        if !files.is_empty() {
            front.to_mut().files = files;
        }
    }
    elaborate::compile(path, text, &front)
}

/// Microbatches that do not add up to the batch, whatever they count for.
fn not_separable(m: &elaborate::Microbatch, coupled: &autodiff::Coupled) -> Diagnostic {
    Diagnostic::warning("accumulate", format!("{} microbatches do not add up to one batch", m.count))
        .at(m.span, "the mean of their losses is taken")
        .also(coupled.span, coupled.message.clone())
        .help("a loss that is a sum or a mean over the batch gives the same as without `accumulate`")
}

fn entry(e: elaborate::Entry, options: &Options, warnings: &mut Vec<Diagnostic>) -> Result<Entry, Failure> {
    verified("elaborate", &e.func)?;
    let (kind, global, evaluation) = match &e.kind {
        EntryKind::Function => (BundleKind::Function, e.func.clone(), None),
        EntryKind::Train { spec, state, microbatch, evaluation, .. } => {
            let microbatch = microbatch.as_ref().map(|m| {
                let weight = autodiff::weight(&e.func, &m.loss, m.count).unwrap_or_else(|coupled| {
                    warnings.push(not_separable(m, &coupled));
                    1.0 / m.count as f64
                });
                autodiff::Microbatch { loss: m.loss.clone(), count: m.count, weight }
            });
            let opts = autodiff::Options {
                gradients: options.gradients,
                state: state.clone(),
                wide: true,
                microbatch,
                ..autodiff::Options::default()
            };
            let mut step = autodiff::train_step(&e.func, spec, &opts).map_err(|x| {
                let at = if x.span == Span::default() { e.span } else { x.span };
                let d = Diagnostic::error(x.code, x.message).at(at, "");
                Failure::Rejected(vec![match x.help {
                    Some(help) => d.help(help),
                    None => d,
                }])
            })?;
            step.name.clone_from(&e.name);
            (BundleKind::Train, step, evaluation.as_deref().cloned())
        }
    };
    verified("grad", &global)?;
    let memory = match &e.kind {
        EntryKind::Train { memory, .. } => *memory,
        EntryKind::Function => Memory::default(),
    };
    let (name, span, elaborated) = (e.name, e.span, e.func);
    Ok(Entry {
        name,
        kind,
        span,
        memory,
        asked: Vec::new(),
        elaborated,
        evaluation,
        global,
        derived: false,
        plan: None,
        proof: None,
        scheduled: None,
    })
}

fn verified(phase: &'static str, func: &Func) -> Result<(), Failure> {
    verify::verify(func).map_err(|errors| {
        let message = errors.iter().map(|e| e.to_string()).collect::<Vec<_>>().join("; ");
        Failure::Internal { phase, message, reproducer: meshloom_ir::print::print(func) }
    })
}

/// Phases `plan` to `certify`: layouts, local functions, and the proof that they compute the same.
///
/// # Errors
/// Annotations that cannot hold. A certificate that does not check is an internal error.
pub fn plan(mut program: Program, options: &Options) -> Outcome<Program> {
    let start = Instant::now();
    program.target.clone_from(&options.plan.target.name);
    let mut errors = Vec::new();
    // Entries know nothing of each other.
    let made = parallel::map(&program.entries, |e| planned(e, &asked(e, &options.plan)));
    for (i, made) in made.into_iter().enumerate() {
        program.entries[i].asked = settings(&program.entries[i], &options.plan);
        match made {
            Ok(p) => program.entries[i].plan = Some(p),
            Err(e) => match fit::too_large(&e) {
                Some((needs, budget)) => {
                    let d = does_not_fit(&program, &program.entries[i], options, needs, budget);
                    return Err((Failure::TooLarge(vec![d]), program.sources));
                }
                None => errors.extend(e.into_iter().map(|e| {
                    let d = Diagnostic::error("layout", e.message).at(e.span, "");
                    match e.help {
                        Some(h) => d.help(h),
                        None => d,
                    }
                })),
            },
        }
    }
    program.timed("plan", start);
    if !errors.is_empty() {
        return Err((Failure::Rejected(errors), program.sources));
    }
    let start = Instant::now();
    for i in 0..program.entries.len() {
        if let Err(f) = certified(&mut program.entries[i]) {
            return Err((f, program.sources));
        }
    }
    program.timed("certify", start);
    let (errors, warnings): (Vec<_>, Vec<_>) =
        assert::reshards(&program, options.reshards).into_iter().partition(Diagnostic::is_error);
    program.diagnostics.extend(warnings);
    let gathered = gathered::windows(&program);
    program.diagnostics.extend(gathered);
    let broken = if options.asserts_later { Vec::new() } else { assert::check(&program) };
    let errors: Vec<Diagnostic> = errors.into_iter().chain(broken).collect();
    if errors.is_empty() { Ok(program) } else { Err((Failure::Rejected(errors), program.sources)) }
}

/// Options for one entry: what its `train` says of memory holds where the caller says nothing.
pub fn asked(entry: &Entry, options: &planner::PlanOptions) -> planner::PlanOptions {
    let said = entry.memory;
    planner::PlanOptions {
        budget: options.budget.or(said.budget),
        recompute: said.recompute.unwrap_or(options.recompute),
        ..options.clone()
    }
}

/// What was asked about recomputation and memory, and by whom.
fn settings(entry: &Entry, options: &planner::PlanOptions) -> Vec<Asked> {
    let recompute = |how: planner::Recompute, span| Asked { setting: "recompute", value: how.name().into(), span };
    let mut out: Vec<Asked> = Vec::new();
    if entry.kind == BundleKind::Train && options.mode == planner::Mode::Search {
        match options.recompute_all {
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
    out.extend(match (options.budget, entry.memory.budget) {
        (Some(n), _) => Some(budget(n, None)),
        (None, Some(n)) => Some(budget(n, Some(entry.span))),
        (None, None) => None,
    });
    out
}

/// Times that a plan whose real arena is over the budget is made again under a lower one.
const AGAIN: usize = 3;

/// The plan of an entry. What a budget is held against is the arena that the schedule takes, not the planner's estimate of
/// it, wherever the target is one that is scheduled for.
fn planned(entry: &Entry, options: &planner::PlanOptions) -> Result<planner::Plan, Vec<planner::PlanError>> {
    let mut tighter = options.clone();
    let mut over = None;
    for _ in 0..AGAIN {
        let plan = match planner::plan(&entry.global, &tighter) {
            // Nothing fits the tighter budget: what was found before is the smallest there is.
            Err(_) if let Some((real, budget)) = over => return Err(vec![planner::PlanError::too_large(real, budget)]),
            result => result?,
        };
        let (Some(budget), false) = (options.budget, options.target.overlap) else { return Ok(plan) };
        let opts = schedule::Options { locate: &|_| None, tokens_per_step: 0, device: Device::Cpu, tf32: false };
        let Ok(s) = schedule::schedule(&plan.local, &entry.global, &opts) else { return Ok(plan) };
        let real = s.program.device_bytes();
        if real <= budget {
            return Ok(plan);
        }
        over = Some((real, budget));
        let excess = real.saturating_sub(plan.memory.total.min(budget)).max(1);
        tighter.budget = tighter.budget.map(|b| b.saturating_sub(excess));
    }
    let (real, budget) = over.unwrap_or_default();
    Err(vec![planner::PlanError::too_large(real, budget)])
}

fn does_not_fit(program: &Program, entry: &Entry, options: &Options, needs: u64, budget: u64) -> Diagnostic {
    let shown = |n: u64| meshloom_report::human::bytes(n as f64);
    let message = format!(
        "no plan of `{}` fits into {} per device: the smallest found needs {}",
        entry.name,
        shown(budget),
        shown(needs)
    );
    let d = Diagnostic::error("does-not-fit", message).at(entry.span, "");
    let remedies = fit::remedies(program, entry, options, needs);
    if remedies.is_empty() {
        return d.note("nothing that was tried makes it smaller: search, recomputation, more devices, a smaller batch");
    }
    remedies.iter().fold(d, |d, r| d.help(r.text(needs)))
}

fn certified(entry: &mut Entry) -> Result<(), Failure> {
    let Some(plan) = &entry.plan else { return Ok(()) };
    verified("local", &plan.local)?;
    match certify::check(&entry.global, &plan.local, &plan.certificate) {
        Ok(proof) => {
            entry.proof = Some(proof);
            Ok(())
        }
        Err(rejections) => Err(Failure::Internal {
            phase: "certify",
            message: rejections.iter().take(5).map(|r| r.to_string()).collect::<Vec<_>>().join("; "),
            reproducer: format!(
                "{}\n{}\n{}",
                meshloom_ir::print::print(&entry.global),
                meshloom_ir::print::print(&plan.local),
                certify::text::print(&plan.certificate, &entry.global, &plan.local)
            ),
        }),
    }
}

/// Phase `schedule`: executable programs for CPUs, whatever target they were planned for.
///
/// # Errors
/// Ops or types that the target cannot run yet.
pub fn lower(program: Program) -> Outcome<Program> {
    lower_for(program, Device::Cpu)
}

/// The same for a device.
///
/// # Errors
/// As [`lower`].
pub fn lower_for(mut program: Program, device: Device) -> Outcome<Program> {
    let start = Instant::now();
    let mut made = Vec::new();
    for e in &program.entries {
        let Some(plan) = &e.plan else { continue };
        let locate = |s: Span| program.locate(s);
        let opts =
            schedule::Options { locate: &locate, tokens_per_step: tokens(&e.global), device, tf32: program.tf32 };
        match schedule::schedule(&plan.local, &e.global, &opts) {
            Ok(s) => match meshloom_bundle::validate(&s.program) {
                Ok(()) => made.push(s),
                Err(x) => {
                    let reproducer = meshloom_ir::print::print(&plan.local);
                    let f = Failure::Internal { phase: "schedule", message: x.to_string(), reproducer };
                    return Err((f, program.sources));
                }
            },
            Err(x) => {
                let d = Diagnostic::error("target", x.message).at(x.span, "");
                return Err((Failure::Rejected(vec![d]), program.sources));
            }
        }
    }
    for (e, s) in program.entries.iter_mut().zip(made) {
        e.scheduled = Some(s);
    }
    program.timed("schedule", start);
    Ok(program)
}

/// Tokens (or rows) that one step consumes: the elements of the first integer input, else the first dim of the first input.
fn tokens(func: &Func) -> u64 {
    let inputs =
        || func.inputs.iter().zip(&func.body().args).filter(|(p, _)| p.role == Role::Input).map(|(_, &a)| func.ty(a));
    let integer = inputs().find(|t| t.dtype.is_int()).map(|t| t.elements());
    integer.or_else(|| inputs().next().and_then(|t| t.shape.first().copied())).unwrap_or(0)
}
