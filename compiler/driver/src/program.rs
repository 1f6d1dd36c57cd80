//! A program on its way through the phases: what of it is the same at every stage, and what each stage adds to its entries.
//!
//! A stage is a type: an entry that was planned has a plan and a proof, one that was scheduled has memory. Whoever needs a
//! plan takes [`Planned`] entries, and cannot be handed others. Each stage holds the one before, and is read as that one too.
//!
//! Not here: how an entry comes from one stage to the next ([`crate::front`], [`crate::pipeline`]).

use crate::cut::Cut;
use crate::failure::Failure;
use crate::pipelining::Stages;
use crate::stages::RankProgram;
use meshloom_audit::Audit;
use meshloom_bundle::EntryKind;
use meshloom_bundle::program::SourcePlace;
use meshloom_certify as certify;
use meshloom_fusion::Runs;
use meshloom_ir::{Func, Mesh, Span};
use meshloom_plan as planner;
use meshloom_plan::cost::{Model, Target};
use meshloom_schedule as schedule;
use meshloom_source::assertion::Assert;
use meshloom_source::entry::{Memory, Offload};
use meshloom_source::{Diagnostic, FrontOptions, SourceMap};
use std::collections::BTreeMap;
use std::ops::{Deref, DerefMut};
use std::time::{Duration, Instant};

/// What the name of an entry that computes the loss of another ends in; no name of a source has a dot.
pub const EVALUATION: &str = ".eval";

/// What the caller chooses.
#[derive(Clone, Debug, Default)]
pub struct CompileOptions {
    pub front: FrontOptions,
    /// Give every parameter's gradient as an output `grad.<path>` too.
    pub gradients: bool,
    /// How the planner decides, and for what target.
    pub plan: planner::PlanOptions,
    /// Assertions beside those of the source, as Loom writes them behind the word `assert`.
    pub asserts: Vec<String>,
    /// What lies in the host's memory, whatever the source says.
    pub offload: Option<Offload>,
    /// Plans that break an `assert` are rejected by whoever asks for them, and not here.
    pub asserts_later: bool,
    /// Reshards that are reported, or rejected.
    pub reshards: Bounds,
    /// Contractions of f32 are computed in tf32 by devices that have it: GPUs.
    pub tf32: bool,
}

impl CompileOptions {
    /// As commands have them that are given no options: what is open is searched for.
    pub fn searching() -> CompileOptions {
        let plan = planner::PlanOptions { mode: planner::Mode::Search, ..planner::PlanOptions::default() };
        CompileOptions { plan, ..CompileOptions::default() }
    }
}

/// Bytes on the wire, per device and step, above which one reshard is reported.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Bounds {
    pub warn: Option<u64>,
    pub deny: Option<u64>,
}

/// A checked source, with its entries at a stage `E`.
pub struct Program<E = Elaborated> {
    /// The path as the user wrote it.
    pub path: String,
    pub text: String,
    pub sources: SourceMap,
    /// The layout block in use.
    pub layout: Option<String>,
    /// What it is planned for.
    pub target: Target,
    /// As [`CompileOptions::tf32`].
    pub tf32: bool,
    /// Warnings; errors end compilation.
    pub diagnostics: Vec<Diagnostic>,
    pub entries: Vec<E>,
    pub asserts: Vec<Assert>,
    /// How long each phase took.
    pub timings: Vec<(&'static str, Duration)>,
}

/// An entry as a verified global function: what the front end gives.
#[derive(Clone)]
pub struct Elaborated {
    pub name: String,
    pub kind: EntryKind,
    pub span: Span,
    /// What the source says of memory.
    pub memory: Memory,
    /// The loss of a train entry, the function of another, as elaborated.
    pub elaborated: Func,
    /// The loss of a train entry where nothing is trained, if that is another program: one without dropout.
    pub evaluation: Option<Func>,
    /// The whole step: what is planned.
    pub global: Func,
    /// How its layers are split over an axis of the mesh; then `global` is on the mesh without that axis.
    pub pipeline: Option<Box<Stages>>,
    /// Its last microbatch is computed after the loop over the others ([`crate::last_apart`]).
    pub last_apart: bool,
    /// It stands in no source, but is the loss of a train entry: see [`Program::add_evaluations`].
    pub derived: bool,
    /// For a train entry, the values of its settings, and of the dims and constants of the source.
    pub settings: BTreeMap<String, String>,
}

impl Elaborated {
    /// The names and types of its inputs and outputs, which are known before there is a plan.
    pub fn ports(&self) -> Vec<meshloom_bundle::Port> {
        schedule::declared(&self.global)
    }
}

/// An entry whose plan was certified.
pub struct Planned {
    pub entry: Elaborated,
    /// The programs of its ranks, where it has stages.
    pub ranks: Option<Ranks>,
    /// The settings that the source or the caller gave for its plan.
    pub asked: Vec<Asked>,
    pub plan: planner::Plan,
    /// Certified steps.
    pub proof: certify::Proof,
}

/// An entry as an executable program, which was validated and audited against its plan.
pub struct Scheduled {
    pub entry: Planned,
    /// The program. For an entry with stages it is an outline: ports and no instructions.
    pub scheduled: schedule::Scheduled,
    /// What the devices of each rank run, if the entry has stages.
    pub staged: Vec<schedule::Scheduled>,
    /// How much of the program is proved to compute the plan.
    pub audit: Audit,
}

/// What the ranks of a pipeline run.
pub struct Ranks {
    pub programs: Vec<RankProgram>,
    /// Layers of each stage.
    pub sizes: Vec<u64>,
    /// What is predicted of it.
    pub cut: Option<Cut>,
    /// The programs, scheduled for what they were planned for, or why that cannot run them; `None` if plans are only compared.
    pub made: Option<Result<Vec<schedule::Scheduled>, schedule::ScheduleError>>,
    /// What they were planned for, and the bytes that a device may hold.
    pub planned: Runs,
    pub budget: u64,
    /// The whole step with its list in parts, where the search chose layouts by stage ([`crate::by_stage`]).
    pub apart: Option<Func>,
    /// Whether the search chose layouts by stage.
    pub by_stage: bool,
}

impl Ranks {
    /// Bytes of the device that holds most.
    ///
    /// # Errors
    /// Why the target cannot run them.
    pub fn device_bytes(&self) -> Result<u64, schedule::ScheduleError> {
        self.bytes().map(|all| all.into_iter().max().unwrap_or(0))
    }

    /// Bytes of the host's memory for a device of the rank that has most of it; `None` where the target cannot run them, or they
    /// are not scheduled.
    pub fn host_bytes(&self) -> Option<u64> {
        let made = self.made.as_ref()?.as_ref().ok()?;
        Some(made.iter().map(|s| s.program.host_bytes).max().unwrap_or(0))
    }

    /// How long a step takes, in microseconds: the actions, and behind them copies to and from the host's memory, in both directions
    /// at one time; `None` where it is not predicted.
    pub fn step_us(&self, model: &Model) -> Option<f64> {
        let copies = model.host_ps(self.host_bytes().unwrap_or(0));
        self.cut.as_ref().map(|c| c.step.ps.saturating_add(copies) as f64 / 1e6)
    }

    /// By rank, the bytes of one of its devices.
    ///
    /// # Errors
    /// Those of [`Ranks::device_bytes`].
    pub fn bytes(&self) -> Result<Vec<u64>, schedule::ScheduleError> {
        match &self.made {
            Some(Ok(made)) => Ok(made.iter().map(|s| s.program.device_bytes()).collect()),
            Some(Err(e)) => Err(e.clone()),
            None => Ok(self.cut.as_ref().map_or_else(Vec::new, |c| c.memory.clone())),
        }
    }
}

/// A setting of planning that is not the usual one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Asked {
    pub setting: &'static str,
    pub value: String,
    /// Where the source says so; absent for what the caller says.
    pub span: Option<Span>,
}

impl Elaborated {
    /// All devices: the mesh of its step, and the axis of its pipeline.
    pub fn mesh(&self) -> &Mesh {
        self.pipeline.as_ref().map_or(&self.global.mesh, |p| &p.mesh)
    }

    /// Whether it runs in the stages of a train entry, which says how many layers each has.
    pub(crate) fn follows(&self) -> bool {
        self.derived && self.pipeline.is_some()
    }

    /// Options of its plan: what its `train` says of memory holds where the caller says nothing.
    pub fn plan_options(&self, options: &planner::PlanOptions) -> planner::PlanOptions {
        let said = self.memory;
        planner::PlanOptions {
            budget: options.budget.or(said.budget),
            recompute: said.recompute.unwrap_or(options.recompute),
            layers: self.pipeline.as_ref().map(|of| of.list.clone()),
            ..options.clone()
        }
    }
}

macro_rules! reads_as {
    ($stage:ty, $before:ty) => {
        impl Deref for $stage {
            type Target = $before;

            fn deref(&self) -> &$before {
                &self.entry
            }
        }

        impl DerefMut for $stage {
            fn deref_mut(&mut self) -> &mut $before {
                &mut self.entry
            }
        }
    };
}

reads_as!(Planned, Elaborated);
reads_as!(Scheduled, Planned);

impl Scheduled {
    /// What devices run: its program, or those of its ranks.
    pub fn programs(&self) -> &[schedule::Scheduled] {
        if self.staged.is_empty() { std::slice::from_ref(&self.scheduled) } else { &self.staged }
    }

    /// Bytes of the device that holds most.
    pub fn device_bytes(&self) -> u64 {
        self.programs().iter().map(|s| s.program.device_bytes()).max().unwrap_or(0)
    }
}

impl Planned {
    /// What the plan's ids of global values and ops are about: the whole step, with its loops cut where the plan cuts them.
    pub fn program(&self) -> &Func {
        self.plan.program(&self.global)
    }
}

/// An entry at any stage.
pub trait Entry {
    fn elaborated(&self) -> &Elaborated;
}

impl Entry for Elaborated {
    fn elaborated(&self) -> &Elaborated {
        self
    }
}

impl Entry for Planned {
    fn elaborated(&self) -> &Elaborated {
        self
    }
}

impl Entry for Scheduled {
    fn elaborated(&self) -> &Elaborated {
        self
    }
}

/// An entry that has a plan, scheduled or not yet.
pub trait HasPlan: Entry {
    fn planned(&self) -> &Planned;
    fn scheduled(&self) -> Option<&schedule::Scheduled>;
}

impl HasPlan for Planned {
    fn planned(&self) -> &Planned {
        self
    }

    fn scheduled(&self) -> Option<&schedule::Scheduled> {
        None
    }
}

impl HasPlan for Scheduled {
    fn planned(&self) -> &Planned {
        &self.entry
    }

    fn scheduled(&self) -> Option<&schedule::Scheduled> {
        Some(&self.scheduled)
    }
}

impl<E> Program<E> {
    /// The file, line and column of a span.
    pub fn locate(&self, span: Span) -> Option<SourcePlace> {
        if span.is_none() {
            return None;
        }
        let file = self.sources.get(span.file)?;
        let p = self.sources.position(span)?;
        Some(SourcePlace { file: file.name.clone(), line: p.line as u32, column: p.column as u32 })
    }

    /// The same program with its entries at another stage.
    pub(crate) fn with<F>(self, entries: Vec<F>) -> Program<F> {
        let Program { path, text, sources, layout, target, tf32, diagnostics, entries: _, asserts, timings } = self;
        Program { path, text, sources, layout, target, tf32, diagnostics, entries, asserts, timings }
    }

    /// Adds to the time that a phase took.
    pub(crate) fn timed(&mut self, phase: &'static str, start: Instant) {
        let spent = start.elapsed();
        match self.timings.iter_mut().find(|t| t.0 == phase) {
            Some(t) => t.1 += spent,
            None => self.timings.push((phase, spent)),
        }
    }
}

impl<E: Entry> Program<E> {
    pub fn entry(&self, name: &str) -> Option<&E> {
        self.entries.iter().find(|e| e.elaborated().name == name)
    }
}

/// Both what went wrong and the sources its spans point into.
pub type CompileResult<T> = Result<T, (Failure, SourceMap)>;
