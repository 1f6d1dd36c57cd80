//! Entries with pipeline stages, after planning: the programs of the ranks, their memory, and the proof of them.
//!
//! A step with stages is planned as a whole, for the devices of one stage, and then cut. So a budget bounds the memory of the rank
//! that needs most, and not that of the plan. Not here: how a program is cut ([`crate::stages`]), which stages there are
//! ([`crate::pipelining`]).

use crate::certified::certified;
use crate::cut::{self, Cut, CutError, CutRequest, HeldByRanks, LeanCuts, MixedCuts};
use crate::failure::Failure;
use crate::parallel;
use crate::pipelining::Stages;
use crate::program::{Planned, Ranks};
use crate::stages::{self, RankProgram};
use meshloom_audit::{Audit, KeptFloats, Objection};
use meshloom_bundle::{self as bundle, Pipeline};
use meshloom_fusion::Peak;
use meshloom_fusion::arrange::arrange_stage;
use meshloom_ir::{Func, Role, print};
use meshloom_kernels::KernelSpec;
use meshloom_pipeline::{Fraction, csv};
use meshloom_plan::cost::Target;
use meshloom_plan::{MeasuredParts, MixedParts, Mixes, Parts, Plan};
use meshloom_report::{PipelineReport, RankReport, StageReport};
use meshloom_schedule::{ScheduleError, ScheduleOptions, Scheduled};
use meshloom_source::Diagnostic;
use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;

/// Programs whose cuts are remembered.
const REMEMBERED: usize = 16;

/// The cuts of programs that were measured for a budget. The program of the final plan is one of the last that were measured.
#[derive(Default)]
pub struct MeasuredCuts {
    known: RefCell<VecDeque<(Func, HeldByRanks)>>,
}

impl MeasuredCuts {
    fn note(&self, local: &Func, held: HeldByRanks) {
        let mut known = self.known.borrow_mut();
        if known.len() == REMEMBERED {
            known.pop_front();
        }
        known.push_back((local.clone(), held));
    }

    fn find(&self, local: &Func) -> Option<HeldByRanks> {
        self.known.borrow().iter().rev().find(|k| k.0 == *local).map(|k| k.1.clone())
    }
}

/// Cuts the plan of an entry into the programs of its ranks. Where the source does not say how many layers a stage has, the cut is
/// the one with the shortest predicted step whose ranks have room; if none has room, it is the even one, and its memory is
/// reported. Ranks that are not to be `written` are scheduled only if their memory is not known otherwise.
///
/// # Errors
/// A program or a table that cannot be cut so.
pub fn ranks(
    parts: &StageParts<'_>,
    plan: &Plan,
    options: &ScheduleOptions<'_>,
    written: bool,
) -> Result<Ranks, Box<Diagnostic>> {
    let StageParts { global, of, budget, cuts, .. } = *parts;
    let request = parts.request(&plan.local);
    let known = cuts.find(&plan.local);
    let known = known.and_then(|held| cut::priced(&request, &held.sizes, Some(&held)).ok());
    let fits = |cut: &Cut| of.given || cut.memory.iter().all(|bytes| *bytes <= budget);
    let chosen = known.filter(|made| fits(&made.0));
    let chosen = chosen.or_else(|| if of.given { None } else { cut::chosen(&request).ok() });
    let (cut, programs) = match chosen.or_else(|| cut::priced(&request, &of.sizes, None).ok()) {
        Some((cut, programs)) => (Some(cut), programs),
        None => {
            let made = stages::ranks(&plan.local, global, &of.list, &of.sizes, &of.schedule);
            (None, made.map_err(|why| Box::new(Diagnostic::error("stages", why).at(of.span, "cut into these stages")))?)
        }
    };
    let sizes = cut.as_ref().map_or_else(|| of.sizes.clone(), |c| c.sizes.clone());
    let made = (written || cut.is_none()).then(|| all(&programs, options));
    Ok(Ranks { programs, sizes, cut, made, planned: options.runs(), budget, apart: None, by_stage: false })
}

/// The stages of an entry, for the planner: each plan of the step that is tried is cut and measured.
pub struct StageParts<'a> {
    pub global: &'a Func,
    pub of: &'a Stages,
    pub target: &'a Target,
    /// Bytes that a device may hold.
    pub budget: u64,
    /// Remembers how.
    pub cuts: &'a MeasuredCuts,
}

impl StageParts<'_> {
    fn request<'r>(&'r self, local: &'r Func) -> CutRequest<'r> {
        let StageParts { global, of, target, budget, .. } = *self;
        CutRequest { local, global, list: of.list.as_str(), schedule: &of.schedule, target, budget }
    }

    fn given(&self) -> Option<&[u64]> {
        self.of.given.then_some(self.of.sizes.as_slice())
    }

    fn noted(&self, local: &Func, held: HeldByRanks) -> u64 {
        let most = held.bytes.iter().max().copied().unwrap_or(0);
        self.cuts.note(local, held);
        most
    }
}

impl Parts for StageParts<'_> {
    fn measure(&self, local: &Func) -> MeasuredParts {
        let request = self.request(local);
        let (held, step_ps) = cut::held(&request, self.given());
        let total = match held {
            Ok(held) => self.noted(local, held),
            Err(CutError::DoesNotFit { needs, .. }) => needs,
            Err(CutError::Cannot(_)) => unpriced(&request, &self.of.sizes).unwrap_or(u64::MAX),
        };
        MeasuredParts { held: Ok(Peak { total, ..Peak::default() }), step_ps }
    }

    fn mixes<'p>(&'p self, lean: &'p Func, rich: &[&'p Func]) -> Vec<Option<Mixes<'p>>> {
        let request = self.request(lean);
        let Ok(lean) = LeanCuts::of(&request) else { return rich.iter().map(|_| None).collect() };
        let lean = Rc::new(lean);
        let mixes = |rich: &&'p Func| {
            let cuts = MixedCuts::of(lean.clone(), rich).ok()?;
            let best: Mixes<'p> = Box::new(move |spare| cuts.best(spare, self.given()));
            Some(best)
        };
        rich.iter().map(mixes).collect()
    }

    fn measure_mixed(&self, local: &Func, of: &MixedParts) -> MeasuredParts {
        let held = cut::held_mixed(&self.request(local), &of.sizes);
        let total = held.map_or(u64::MAX, |held| self.noted(local, held));
        MeasuredParts { held: Ok(Peak { total, ..Peak::default() }), step_ps: Some(of.step_ps) }
    }
}

/// What the rank that holds most holds, where there is no prediction of the cut; `None` where there is no cut.
fn unpriced(of: &CutRequest<'_>, sizes: &[u64]) -> Option<u64> {
    let ranks = stages::ranks(of.local, of.global, of.list, sizes, of.schedule).ok()?;
    let held =
        |r: &RankProgram| arrange_stage(&r.program.func, of.target.runs(), &r.weave).ok().map(|a| a.peak().total);
    ranks.iter().map(held).collect::<Option<Vec<u64>>>()?.into_iter().max()
}

fn all(programs: &[RankProgram], options: &ScheduleOptions<'_>) -> Result<Vec<Scheduled>, ScheduleError> {
    programs.iter().map(|p| stages::scheduled(p, options)).collect()
}

/// The executable programs of all ranks, validated; together they compute the plan, and come to an end.
///
/// # Errors
/// Ops that the device cannot run; what breaks the rules of bundles, as a bug.
pub fn scheduled(
    entry: &Planned,
    of: &Stages,
    ranks: &Ranks,
    options: &ScheduleOptions<'_>,
) -> Result<Vec<Scheduled>, Failure> {
    let made = all(&ranks.programs, options);
    let made = made.map_err(|e| Failure::Rejected(vec![crate::failure::unscheduled(e)]))?;
    let internal =
        |func: &Func, message: String| Failure::Internal { phase: "schedule", message, reproducer: print::print(func) };
    for (s, p) in made.iter().zip(&ranks.programs) {
        bundle::validate(&s.program).map_err(|e| match e.limit {
            true => {
                let message = format!("the program of `{}` is too large: {e}", s.program.entry);
                Failure::Rejected(vec![Diagnostic::error("too-large", message).at(entry.span, "")])
            }
            false => internal(&p.program.func, e.to_string()),
        })?;
    }
    let as_planned = options.runs() == ranks.planned;
    if let Some(before) = ranks.made.as_ref().and_then(|m| m.as_ref().ok()).filter(|_| as_planned)
        && !before.iter().zip(&made).all(|(a, b)| a.program.device_bytes() == b.program.device_bytes())
    {
        return Err(internal(&entry.plan.local, "its ranks take other memory than its plan said".into()));
    }
    bundle::validate_wires(&contents(of, &made)).map_err(|e| internal(&entry.plan.local, e.to_string()))?;
    let programs: Vec<&bundle::Program> = made.iter().map(|s| &s.program).collect();
    certified(&entry.plan.local, &ranks.programs, &programs)?;
    Ok(made)
}

/// What is proved of the programs of all ranks.
///
/// # Errors
/// The first rank whose program does something else, and what.
pub fn audit<'a>(
    ranks: impl Iterator<Item = (&'a Func, &'a bundle::Program, &'a [KernelSpec])>,
    narrow: KeptFloats,
) -> Result<Audit, Objection> {
    let mut all = Audit::default();
    let ranks: Vec<_> = ranks.collect();
    // Each on its own thread; what is told is in the order of the ranks.
    let audits =
        parallel::map(&ranks, |(func, program, kernels)| meshloom_audit::audit_with(func, program, kernels, narrow));
    for (k, audit) in audits.into_iter().enumerate() {
        let of_rank = |mut o: Objection| {
            o.message = format!("rank {k}: {}", o.message);
            o
        };
        let Audit { steps, work, unfollowed } = audit.map_err(of_rank)?;
        all.steps += steps;
        all.work = all.work.max(work);
        all.unfollowed.extend(unfollowed.into_iter().map(of_rank));
    }
    Ok(all)
}

/// What a bundle has of the stages.
pub fn contents(of: &Stages, ranks: &[Scheduled]) -> Pipeline {
    Pipeline {
        axis: u32::from(of.axis.0),
        schedule: csv::print(of.schedule.rows()),
        ranks: ranks.iter().map(|s| s.program.clone()).collect(),
    }
}

/// What `plan` tells of the stages.
pub fn report(of: &Stages, ranks: &Ranks) -> PipelineReport {
    let first: Vec<u64> = ranks.sizes.iter().scan(0, |at, n| Some(std::mem::replace(at, *at + n))).collect();
    let stages = ranks.sizes.iter().zip(&first).enumerate().map(|(s, (layers, from))| {
        let mut on = of.ranks_of(s as u32).map(|r| r as u64);
        let rank = on.next().unwrap_or(0);
        StageReport { stage: s as u64, rank, copy: on.next(), first_layer: *from, layers: *layers }
    });
    let simulated = of.at_unit_times().ok();
    let of_rank = |(k, p): (usize, &RankProgram)| RankReport {
        rank: k as u64,
        stages: of.stages_of(k).into_iter().map(u64::from).collect(),
        parameters: elements(p),
        bytes_per_device: ranks.bytes().ok().and_then(|all| all.get(k).copied()),
        activations_in_flight: simulated.as_ref().and_then(|s| s.in_flight.get(k)).map_or(0, |i| i.until_weights),
    };
    PipelineReport {
        axis: of.mesh.name(of.axis).to_owned(),
        list: of.list.clone(),
        schedule: of.schedule.name.clone(),
        microbatches: u64::from(of.schedule.microbatches()),
        stages: stages.collect(),
        ranks: ranks.programs.iter().enumerate().map(of_rank).collect(),
        bubble: simulated.as_ref().map(bubble),
        predicted_bubble: ranks.cut.as_ref().map(|c| share(c.step.bubble_share)),
    }
}

/// The bubble as a share of the time of the rank that has it.
pub fn bubble(s: &meshloom_pipeline::Simulation) -> f64 {
    share(s.bubble_share())
}

fn share(of: Fraction) -> f64 {
    of.numerator as f64 / of.denominator as f64
}

/// Elements of the parameters of a rank: of the whole tensors, not of one device's shards.
fn elements(p: &RankProgram) -> u64 {
    let own = p.program.func.inputs.iter().zip(&p.shapes[0]).filter(|(port, _)| port.role == Role::Parameter);
    own.map(|(_, shape)| shape.iter().product::<u64>()).sum()
}
