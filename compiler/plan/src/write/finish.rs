//! Writes a decision down as a plan.

use crate::ask::options::Mode;
use crate::decide::{Decider, Decision};
use crate::extend::prepared::Prepared;
use crate::memory::held::Measured;
use crate::moves::Record;
use crate::partition;
use crate::saturate::stats::Stats;
use crate::write::kept;
use crate::write::report;
use crate::write::result::Plan;
use meshloom_ir::Func;

/// The plan of `global` that a decision makes.
pub fn finish(global: &Func, prepared: &Prepared, decider: &Decider<'_, '_>, decision: Decision) -> Plan {
    let Decider { program, saturation, model, options, .. } = *decider;
    let Decision { solution, local, spent, lower_bound, memory, outside, .. } = decision;
    let local = if local.is_brief() { partition::build(program, &solution) } else { local };
    let mut limits_hit = prepared.limits_hit.clone();
    limits_hit.extend(saturation.stats.limits_hit.iter().cloned());
    if spent.limited {
        limits_hit.push(match options.mode {
            Mode::Follow => format!("the search ended after {} perturbations", options.limits.perturbations),
            Mode::Search => {
                let most = options.limits.moves;
                format!("the search ended after {most} placements: layouts that are given leave it fewer to try")
            }
        });
    }
    let stats = Stats { moves: spent.moves, limits_hit, ..saturation.stats.clone() };
    let mut collectives = partition::why::collectives(program, &solution, &local);
    let mut totals = report::totals(model, &local.func, &mut collectives);
    totals.lower_bound_us = (options.mode == Mode::Search).then_some(lower_bound as f64 / 1e6);
    let tensors = report::tensors(program, &solution, global.values.len());
    let mut certificate = local.certificate;
    certificate.form = partition::form::of(&prepared.ext, global, program, &solution, &certificate);
    let mut stashes = kept::stashes(program, &solution, &prepared.stashes, &decider.rematerialized(&solution));
    stashes.extend(outside.iter().map(|a| kept::outside(program, a)));
    let (local, Measured { held: memory, step_ps: parts_ps, .. }) = (local.func, memory);
    Plan {
        split: None,
        tensors,
        local,
        certificate,
        collectives,
        totals,
        memory,
        arranged: None,
        parts_ps,
        measured: Vec::new(),
        stashes,
        stats,
        tried: Vec::new(),
        moves: Record::default(),
    }
}
