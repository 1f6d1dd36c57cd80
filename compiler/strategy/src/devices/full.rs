//! A candidate planned in full, by the calls that `plan --mesh ..` makes: what stands otherwise than in the source, and what is
//! predicted of the plan with it.

use super::candidate::{Candidate, ScheduleOf};
use super::shape::ModelShape;
use crate::compiler::{Attempt, Compiler};
use crate::cut::Cut;
use crate::settings::Settings;
use crate::wire;
use meshloom_plan::Limits;
use meshloom_plan::cost::Model;
use meshloom_source::entry::Overrides;
use meshloom_syntax::overrides;

/// Plans with a loop in two segments, where a plan is made with less effort.
const SEGMENTS: usize = 2;

/// What is predicted of a candidate, and how to fix it.
#[derive(Clone, Debug)]
pub struct FullPlan {
    pub candidate: Candidate,
    pub schedule: Option<ScheduleOf>,
    pub step_ps: u64,
    /// Bytes of the device that holds most.
    pub peak: u64,
    /// Communication of a step in which a device computes nothing; of a pipeline that is not known.
    pub exposed_us: Option<f64>,
    /// The share of its time that a rank waits, on the rank that waits longest.
    pub bubble: f64,
    /// For each level of the target's links, bytes that a device sends in a step; of a pipeline on the rank that sends most.
    pub wire: Vec<u64>,
    /// What to write into the source.
    pub lines: Vec<String>,
}

/// What came of planning a candidate.
pub enum Tried {
    Planned(Box<FullPlan>),
    /// So many bytes on a device.
    TooLarge(u64),
    /// Why it cannot be planned.
    Cannot(String),
}

/// The settings of a candidate, but for what stands otherwise than in the source.
pub fn settings(shape: &ModelShape, of: &Candidate, asked: &Settings) -> Settings {
    let mut own = asked.clone();
    own.front.entry = Some(shape.train.clone());
    own.front.mesh = None;
    own.front.layout.clone_from(&shape.layouts[of.layout].name);
    // Many meshes are planned.
    let Limits { programs, smaller, segments, perturbations, rings, .. } = Limits::BRIEF;
    own.plan.limits = Limits { programs, smaller, segments, perturbations, rings, ..own.plan.limits };
    if of.pipe < 2 {
        (own.front.schedule, own.front.virtual_stages, own.front.stages) = (None, None, None);
    }
    own
}

/// The lines to write into the source for a candidate; none where they cannot be.
pub fn lines(shape: &ModelShape, of: &Candidate, schedule: Option<ScheduleOf>, asked: &Settings) -> Vec<String> {
    overrides::lines(&shape.text, &overridden(shape, of, schedule, asked)).unwrap_or_default()
}

fn overridden(shape: &ModelShape, of: &Candidate, schedule: Option<ScheduleOf>, asked: &Settings) -> Overrides {
    // Where the command line says it, the source need not. Without stages the planner keeps to the budget by itself.
    let recompute = asked.plan.recompute_all.is_none() && of.pipe > 1;
    of.overrides(shape, schedule, recompute)
}

/// Plans a candidate, with less effort where it is to be `brief`.
pub fn plan(
    by: &dyn Compiler,
    shape: &ModelShape,
    of: &Candidate,
    schedule: Option<ScheduleOf>,
    asked: &Settings,
    brief: bool,
) -> Tried {
    let mut own = settings(shape, of, asked);
    if brief {
        own.plan.limits = Limits { segments: SEGMENTS, ..Limits::BRIEF };
    }
    (own.front.schedule, own.front.virtual_stages) = (None, None);
    own.front.overrides = overridden(shape, of, schedule, asked);
    let entries = match by.entries(&own) {
        Ok(entries) => entries,
        Err((failure, _)) => return Tried::Cannot(failure.to_string()),
    };
    let Some(entry) = entries.first() else { return Tried::Cannot("it has no entry".into()) };
    let target = &own.plan.target;
    match by.plan(entry, &own) {
        Ok(Attempt::TooLarge { needs }) => Tried::TooLarge(needs),
        Err(failure) => Tried::Cannot(failure.to_string()),
        Ok(Attempt::Planned(made)) => {
            let (plan, ranks) = *made;
            let model = Model::new(target, &entry.global.mesh);
            let step_ps = match &ranks {
                Some(ranks) => ranks.cut.as_ref().map(|c| c.step.ps),
                None => Some((plan.totals.predicted_step_us * 1e6) as u64),
            };
            let peak = match &ranks {
                Some(ranks) => ranks.device_bytes(),
                None => plan.memory.as_ref().map(|p| p.total).map_err(Clone::clone),
            };
            let (Some(step_ps), Ok(peak)) = (step_ps, peak) else {
                return Tried::Cannot("its time or memory is not known".into());
            };
            let share = |c: &Cut| c.step.bubble_share.numerator as f64 / c.step.bubble_share.denominator as f64;
            let bubble = ranks.as_ref().and_then(|r| r.cut.as_ref()).map_or(0.0, share);
            let exposed = || plan.totals.levels.iter().map(|l| l.exposed_us).sum();
            let exposed_us = ranks.is_none().then(exposed);
            let wire = wire::of_plan(&model, &plan, ranks.as_ref(), of.pipe);
            let lines = overrides::lines(&shape.text, &own.front.overrides).unwrap_or_default();
            let candidate = of.clone();
            Tried::Planned(Box::new(FullPlan { candidate, schedule, step_ps, peak, exposed_us, bubble, wire, lines }))
        }
    }
}
