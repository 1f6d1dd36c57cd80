//! About how little a device can hold: what a short search finds under a rent so high that memory counts most. For whoever
//! looks for a program that fits, and asks about many.
//!
//! And what no plan can hold less than: the inputs, each in the smallest shard that annotations admit. A budget below that needs
//! no search, nor does one that is hardly above it and far below what a small plan needs.
//!
//! Not here: how fast the plan would be, and the plan (`decide`).

use crate::ask::options::{Limits, Mode, PlanOptions};
use crate::ask::parts::Parts;
use crate::decide::Decider;
use crate::effort;
use crate::extend::Extended;
use crate::extend::prepared::Prepared;
use crate::memory::held::PeakMemo;
use crate::saturate::program::SearchedProgram;
use crate::saturate::reach;
use crate::saturate::tables::Tables;
use crate::{PlanError, cost, saturate};
use meshloom_ir::{Func, TensorType};

/// How thoroughly is searched. The order of axes in a dim says nothing of memory.
const LIMITS: Limits = Limits {
    orders: 1,
    perturbations: 0,
    moves: 200_000,
    states: 100_000,
    programs: 0,
    smaller: 0,
    segments: 0,
    nodes: 3_000_000,
    layouts: 1024,
    rings: 0,
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
        Mode::Follow => decider.decide(None, &mut decider.begin().ok()?).ok()?.memory.held.ok().map(|p| p.total),
    }
}

/// Bytes of the inputs of a program on a device, which it holds from the first op on under whatever plan; without those that lie in
/// the host's memory. `None` where the program cannot be planned.
pub fn inputs_at_least(global: &Func, options: &PlanOptions) -> Option<u64> {
    let ext = Extended::new(global.clone());
    let program = SearchedProgram::new(&ext, options).ok()?;
    let tables = Tables::new(&program, &reach::reach(&program), &options.limits);
    let (func, mesh) = (program.func, &program.func.mesh);
    let least = |(i, &v)| {
        let ty = func.ty(v);
        let layouts = tables.universe(v).layouts.iter().map(|&l| tables.layouts.get(l));
        let shapes = layouts.filter(|l| program.admits(i, l)).filter_map(|l| l.local_shape(&ty.shape, mesh));
        shapes.map(|shape| TensorType::new(ty.dtype, shape).bytes()).min().unwrap_or(0)
    };
    let args = func.body().args.iter().enumerate().filter(|(i, _)| !func.inputs[*i].host);
    Some(args.map(least).fold(0, u64::saturating_add))
}

/// Why nothing fits, which is known without a search.
pub enum TooLarge {
    /// The inputs alone are too large.
    Inputs(PlanError),
    /// The inputs leave little, and a plan that was made to be small is too large by far: no search makes that up. The same program
    /// with other forms of its ops may fit.
    Far(PlanError),
}

/// What speaks against a search under the budget; with what a plan that was made to be small needs.
pub fn too_large(global: &Func, options: &PlanOptions) -> Option<TooLarge> {
    let budget = options.budget.unwrap_or(options.target.room());
    let inputs = if options.mode == Mode::Search { inputs_at_least(global, options)? } else { return None };
    if budget.saturating_sub(inputs) > budget / effort::LITTLE {
        return None;
    }
    let needs = least_memory(global, options, None)?;
    let e = || PlanError::too_large(needs, budget);
    if inputs > budget {
        return (needs > budget).then(|| TooLarge::Inputs(e()));
    }
    (needs > budget.saturating_add(budget / effort::FAR)).then(|| TooLarge::Far(e()))
}
