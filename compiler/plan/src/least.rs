//! About how little a device can hold: what a short search finds under a rent so high that memory counts most. For whoever
//! looks for a program that fits, and asks about many.
//!
//! Not here: how fast the plan would be, and the plan (`decide`).

use crate::decide::Decider;
use crate::held::PeakMemo;
use crate::options::{Limits, Mode, PlanOptions};
use crate::parts::Parts;
use crate::prepared::Prepared;
use crate::program::SearchedProgram;
use crate::{cost, saturate};
use meshloom_ir::Func;

/// How thoroughly is searched.
const LIMITS: Limits = Limits {
    perturbations: 0,
    moves: 200_000,
    states: 100_000,
    programs: 0,
    smaller: 0,
    segments: 0,
    nodes: 3_000_000,
    layouts: 1024,
};

/// Bytes that a device holds for a plan that was made to be small, with as much recomputation as `options` allow. It was made as
/// programs are made that run, so this much is enough; a thorough search under a budget may find a smaller one. `None` where
/// the program cannot be planned so, or the target cannot run it.
pub fn least_memory(global: &Func, options: &PlanOptions, parts: Option<&dyn Parts>) -> Option<u64> {
    let options = PlanOptions { limits: LIMITS, ..options.clone() };
    let model = cost::Model::new(&options.target, &global.mesh);
    let memory = PeakMemo::new(parts);
    let prepared = Prepared::new(global, &options);
    let program = SearchedProgram::new(&prepared.ext, &options).ok()?;
    let saturation = saturate::run(&program, &options);
    let decider = Decider {
        program: &program,
        saturation: &saturation,
        model: &model,
        memory: &memory,
        options: &options,
        stashes: &prepared.stashes,
        given: global.ops.len(),
        followed: None,
        mixed: None,
    };
    match options.mode {
        Mode::Search => decider.least(),
        // Nothing is open that a rent could move.
        Mode::Follow => decider.decide(None, &mut None).ok()?.memory.held.ok().map(|p| p.total),
    }
}
