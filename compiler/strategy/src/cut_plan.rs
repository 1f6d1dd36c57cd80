//! A plan of a step with pipeline stages, cut into the programs of its ranks.
//!
//! A step with stages is planned as a whole, for the devices of one stage, and then cut. So a budget bounds the memory of the rank
//! that needs most, and not that of the plan. The planner asks what each plan that it tries takes when it is cut ([`StageParts`]).
//!
//! Not here: how a program is cut ([`crate::rank_program`]), which stages there are ([`crate::pipelining`]), and the proof of what the
//! ranks run (`driver::staged`).

use crate::cut::{self, Cut, CutError, CutRequest, HeldByRanks, LeanCuts, MixedCuts};
use crate::pipelining::Stages;
use crate::rank_program::{self, RankProgram};
use meshloom_ir::Func;
use meshloom_lower::arrange::arrange_stage;
use meshloom_lower::{LowerError, ScheduleOptions, Scheduled};
use meshloom_lower::{Peak, Runs};
use meshloom_plan::cost::{Model, Target};
use meshloom_plan::{MeasuredParts, MixedParts, Mixes, Parts, Plan};
use meshloom_source::Diagnostic;
use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;

/// What the ranks of a pipeline run.
pub struct Ranks {
    pub programs: Vec<RankProgram>,
    /// Layers of each stage.
    pub sizes: Vec<u64>,
    /// What is predicted of it.
    pub cut: Option<Cut>,
    /// The programs, scheduled for what they were planned for, or why that cannot run them; `None` if plans are only compared.
    pub made: Option<Result<Vec<Scheduled>, LowerError>>,
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
    pub fn device_bytes(&self) -> Result<u64, LowerError> {
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
    pub fn bytes(&self) -> Result<Vec<u64>, LowerError> {
        match &self.made {
            Some(Ok(made)) => Ok(made.iter().map(|s| s.program.device_bytes()).collect()),
            Some(Err(e)) => Err(e.clone()),
            None => Ok(self.cut.as_ref().map_or_else(Vec::new, |c| c.memory.clone())),
        }
    }
}

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
            let made = rank_program::ranks(&plan.local, global, &of.list, &of.sizes, &of.schedule);
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

    /// The step that is predicted of a plan with as many layers in each stage, whether or not its ranks have room for that; `None`
    /// where it cannot be cut so.
    pub fn even_step_ps(&self, local: &Func) -> Option<u64> {
        cut::price(&self.request(local), &self.of.sizes).ok().map(|c| c.step.ps)
    }

    /// Layers of each stage, as the fastest cut of a plan has them if ranks have room for everything.
    pub fn balanced_sizes(&self, local: &Func) -> Option<Vec<u64>> {
        cut::choose(&CutRequest { budget: u64::MAX, ..self.request(local) }).ok().map(|cut| cut.sizes)
    }

    /// About what could be had of a plan's cut by recomputing so much more of the forward pass, in per mille, and cutting otherwise.
    pub fn balanced_ps(&self, local: &Func, of: &Cut, more: u64) -> Option<u64> {
        cut::balanced_ps(&self.request(local), of, more)
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

    fn step_ps(&self, local: &Func) -> Option<u64> {
        // A loop over several microbatches takes most of a step, and no stage hides less in one of its iterations than the program does.
        let alone = self.of.schedule.microbatches() == 1;
        alone.then(|| cut::expected(&self.request(local), &self.of.sizes)).flatten()
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
    let ranks = rank_program::ranks(of.local, of.global, of.list, sizes, of.schedule).ok()?;
    let held =
        |r: &RankProgram| arrange_stage(&r.program.func, of.target.runs(), &r.weave).ok().map(|a| a.peak().total);
    ranks.iter().map(held).collect::<Option<Vec<u64>>>()?.into_iter().max()
}

fn all(programs: &[RankProgram], options: &ScheduleOptions<'_>) -> Result<Vec<Scheduled>, LowerError> {
    programs.iter().map(|p| rank_program::scheduled(p, options)).collect()
}
