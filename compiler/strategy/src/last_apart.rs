//! A step whose last microbatch is computed after the loop over the others.
//!
//! Iterations of a loop over microbatches lie over devices in one way. So what sums gradients over an axis does so for each microbatch, or
//! once after all of them, when nothing is left to run beside it. After a loop over the others, the gradients of the last one go into these sums
//! layer by layer, and devices add them up beside its backward pass. Data-parallel trainers do the same (`no_sync` of PyTorch's DDP and
//! FSDP on all microbatches but the last).
//!
//! The program is nearly twice as long, so it is planned only where the plan of the loop leaves sums with nothing beside them, and taken
//! only where it is faster.
//!
//! Not here: how the loop is taken apart (`ir::peel`), and stages of a pipeline, whose schedule orders microbatches itself.

use crate::entry::Elaborated;
use meshloom_bundle::EntryKind;
use meshloom_ir::{Func, Op, OpId, Phase, peel};
use meshloom_plan::{CollectiveInfo, Mode, Objective, Plan, PlanOptions};

/// The part of a step's time that has to be gained, of a thousand: the program is nearly twice as long.
pub const GAIN: u64 = 5;

/// A form `global` of an entry's step with its last microbatch apart; `None` where it has no loop over microbatches, or is a stage's.
pub fn step(e: &Elaborated, global: &Func) -> Option<Func> {
    if e.kind != EntryKind::Train || e.pipeline.is_some() {
        return None;
    }
    let mut loops = global.body().ops.iter().filter(|&&o| is_over_microbatches(global, o));
    peel::last_iteration(global, *loops.next()?)
}

/// Whether a loop computes losses and their gradients: a backward pass over layers computes no forward pass that it is the first to.
fn is_over_microbatches(func: &Func, o: OpId) -> bool {
    let data = func.op(o);
    let loops = matches!(data.op, Op::Repeat { reverse: false, .. }) && data.phase == Phase::Backward;
    let is = |&o: &OpId| {
        let inner = func.op(o);
        inner.phase == Phase::Forward && !inner.is_rematerialized()
    };
    loops && data.regions.iter().any(|&r| func.region(r).ops.iter().any(is))
}

/// Whether so much may be gained: of the plan of a loop over all microbatches, by what is exposed of its collectives outside of loops, and
/// of sums in the backward pass, which may be taken for each microbatch to hide them.
pub fn promises(plan: &Plan, options: &PlanOptions) -> bool {
    let asked = options.mode == Mode::Search && options.objective() == Objective::Time && options.target.overlap;
    let counts = |c: &&CollectiveInfo| {
        let sums = c.does.effect().reduced.is_some() && c.phase == Phase::Backward;
        sums || plan.local.op(c.op).parent == Func::BODY
    };
    let exposed: f64 = plan.collectives.iter().filter(counts).map(|c| c.exposed_us).sum();
    asked && exposed > plan.totals.predicted_step_us * GAIN as f64 / 1000.0
}
