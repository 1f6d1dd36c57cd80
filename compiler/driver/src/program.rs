//! A program on its way through the phases: what of it is the same at every stage, and what each stage adds to its entries.
//!
//! A stage is a type: an entry that was planned has a plan and a proof, one that was scheduled has memory. Whoever needs a
//! plan takes [`Planned`] entries, and cannot be handed others. Each stage holds the one before, and is read as that one too.
//!
//! Not here: an entry before it is planned ([`meshloom_strategy::entry`]), and how it comes from one stage to the next ([`crate::front`],
//! [`crate::pipeline`]).

use crate::progress::Progress;
use meshloom_audit::Audit;
use meshloom_bundle::program::SourcePlace;
use meshloom_certify as certify;
use meshloom_ir::{Func, Span};
use meshloom_lower as lowered;
use meshloom_plan as planner;
use meshloom_plan::CollectiveInfo;
use meshloom_plan::cost::Target;
use meshloom_source::assertion::Assert;
use meshloom_source::entry::Offload;
use meshloom_source::{Diagnostic, FrontOptions, SourceMap};
use meshloom_strategy::cut_plan::Ranks;
use meshloom_strategy::entry::Elaborated;
use meshloom_strategy::per_rank::{self, CallShare, RankShare};
use meshloom_strategy::settings::Settings;
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
    /// Where a call that plans many programs counts them.
    pub progress: Progress,
}

impl CompileOptions {
    /// As commands have them that are given no options: what is open is searched for.
    pub fn searching() -> CompileOptions {
        let plan = planner::PlanOptions { mode: planner::Mode::Search, ..planner::PlanOptions::default() };
        CompileOptions { plan, ..CompileOptions::default() }
    }

    /// What of them decides about a plan.
    pub fn settings(&self) -> Settings {
        Settings { front: self.front.clone(), plan: self.plan.clone(), offload: self.offload }
    }

    /// The same with other settings.
    pub fn with(&self, settings: &Settings) -> CompileOptions {
        let Settings { front, plan, offload } = settings.clone();
        CompileOptions { front, plan, offload, ..self.clone() }
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
    pub scheduled: lowered::Scheduled,
    /// What the devices of each rank run, if the entry has stages.
    pub staged: Vec<lowered::Scheduled>,
    /// How much of the program is proved to compute the plan.
    pub audit: Audit,
}

/// A setting of planning that is not the usual one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Asked {
    pub setting: &'static str,
    pub value: String,
    /// Where the source says so; absent for what the caller says.
    pub span: Option<Span>,
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
    pub fn programs(&self) -> &[lowered::Scheduled] {
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

    /// With stages, by rank, what one of its devices does and holds; nothing without.
    pub fn shares(&self) -> Vec<RankShare> {
        self.ranks.as_ref().map_or_else(Vec::new, |ranks| per_rank::shares(&self.plan, ranks))
    }

    /// By collective of the plan, the bytes that one device sends in it; of a pipeline, on the rank that sends most of it.
    pub fn sent(&self) -> Vec<f64> {
        let shares = self.shares();
        let of = |(k, c): (usize, &CollectiveInfo)| match self.ranks {
            Some(_) => shares.iter().map(|s| s.collectives[k].wire_bytes).fold(0.0, f64::max),
            None => c.wire_bytes_per_device,
        };
        self.plan.collectives.iter().enumerate().map(of).collect()
    }

    /// The most that one device has of what is `counted` of the plan's collectives: of a pipeline, on the rank that has most.
    pub fn most_of_a_device(&self, counted: impl Fn(&RankShare) -> f64) -> f64 {
        if self.ranks.is_some() {
            return self.shares().iter().map(counted).fold(0.0, f64::max);
        }
        let own = |c: &CollectiveInfo| CallShare { times: c.times_per_step, wire_bytes: c.wire_bytes_per_device };
        counted(&RankShare { collectives: self.plan.collectives.iter().map(own).collect(), ..RankShare::default() })
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
    fn scheduled(&self) -> Option<&lowered::Scheduled>;
}

impl HasPlan for Planned {
    fn planned(&self) -> &Planned {
        self
    }

    fn scheduled(&self) -> Option<&lowered::Scheduled> {
        None
    }
}

impl HasPlan for Scheduled {
    fn planned(&self) -> &Planned {
        &self.entry
    }

    fn scheduled(&self) -> Option<&lowered::Scheduled> {
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
