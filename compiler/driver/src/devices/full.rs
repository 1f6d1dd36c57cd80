//! A candidate planned in full, by the calls that `plan --mesh ..` makes: what is written into the source, and what is
//! predicted of the plan of that text.

use super::candidate::{Candidate, ScheduleOf};
use super::shape::ModelShape;
use crate::front::check;
use crate::pipeline::{self, Attempt};
use crate::program::CompileOptions;
use crate::wire;
use meshloom_plan::Limits;
use meshloom_plan::cost::Model;
use meshloom_syntax::devices::{self, WrittenSource};

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

/// The options under which a candidate is checked and planned.
pub fn options(shape: &ModelShape, of: &Candidate, options: &CompileOptions) -> CompileOptions {
    let mut own = options.clone();
    own.front.entry = Some(shape.train.clone());
    own.front.mesh = None;
    own.front.layout.clone_from(&shape.layouts[of.layout].name);
    own.asserts_later = true;
    // Many meshes are planned.
    let Limits { programs, smaller, segments, perturbations, .. } = Limits::BRIEF;
    own.plan.limits = Limits { programs, smaller, segments, perturbations, ..own.plan.limits };
    if of.pipe < 2 {
        (own.front.schedule, own.front.virtual_stages, own.front.stages) = (None, None, None);
    }
    own
}

/// What is written into the source for a candidate; nothing where it cannot be.
pub fn lines(shape: &ModelShape, of: &Candidate, schedule: Option<ScheduleOf>, asked: &CompileOptions) -> Vec<String> {
    written(shape, of, schedule, asked).map_or_else(Vec::new, |w| w.lines)
}

fn written(
    shape: &ModelShape,
    of: &Candidate,
    schedule: Option<ScheduleOf>,
    asked: &CompileOptions,
) -> Option<WrittenSource> {
    // Where the command line says it, the source need not. Without stages the planner keeps to the budget by itself.
    let recompute = asked.plan.recompute_all.is_none() && of.pipe > 1;
    devices::write(&shape.text, &of.wanted(shape, schedule, recompute))
}

/// Plans a candidate, with less effort where it is to be `brief`.
pub fn plan(
    path: &str,
    shape: &ModelShape,
    of: &Candidate,
    schedule: Option<ScheduleOf>,
    asked: &CompileOptions,
    brief: bool,
) -> Tried {
    let mut own = options(shape, of, asked);
    if brief {
        own.plan.limits = Limits { segments: SEGMENTS, ..Limits::BRIEF };
    }
    (own.front.schedule, own.front.virtual_stages) = (None, None);
    let Some(written) = written(shape, of, schedule, asked) else {
        return Tried::Cannot(format!("the source has no `train {}` that can be written into", shape.train));
    };
    let program = match check(path, &written.text, &own) {
        Ok(program) => program,
        Err((failure, _)) => return Tried::Cannot(failure.to_string()),
    };
    let Some(entry) = program.entries.first() else { return Tried::Cannot("it has no entry".into()) };
    let target = &own.plan.target;
    match pipeline::attempt(&program, entry, &own) {
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
            let share =
                |c: &crate::cut::Cut| c.step.bubble_share.numerator as f64 / c.step.bubble_share.denominator as f64;
            let bubble = ranks.as_ref().and_then(|r| r.cut.as_ref()).map_or(0.0, share);
            let exposed = || plan.totals.levels.iter().map(|l| l.exposed_us).sum();
            let exposed_us = ranks.is_none().then(exposed);
            let wire = wire::of_plan(&model, &plan, ranks.as_ref(), of.pipe);
            let lines = written.lines;
            let candidate = of.clone();
            Tried::Planned(Box::new(FullPlan { candidate, schedule, step_ps, peak, exposed_us, bubble, wire, lines }))
        }
    }
}
