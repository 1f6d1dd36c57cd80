//! The costliest ops of a planned entry in the words of its source, against what the target can do.
//!
//! Not here: how long an op takes (`meshloom_plan::cost`).

use crate::program::{Planned, Program};
use crate::report::source;
use meshloom_plan::cost::{Model, OpLoad, loads};
use meshloom_report::{RooflineReport, RooflineRow};
use meshloom_strategy::speed::StepWork;

/// Ops that are shown.
const SHOWN: usize = 10;

/// What one device computes; of an entry with pipeline stages, of all stages one after the other.
pub fn of<E>(program: &Program<E>, entry: &Planned) -> RooflineReport {
    let (local, target) = (&entry.plan.local, &program.target);
    let all = loads(&Model::new(target, &local.mesh), local);
    let dtype = StepWork::of(entry).dtype;
    let us = |ps: u64| ps as f64 / 1e6;
    let row = |l: &OpLoad| {
        let op = local.op(l.op);
        let place = program.locate(op.span);
        RooflineRow {
            op: op.op.name().to_string(),
            phase: op.phase.name().to_string(),
            text: source(program, op.span).map_or_else(String::new, |s| s.text),
            place: place.map_or_else(String::new, |p| format!("{}:{}:{}", p.file, p.line, p.column)),
            times: l.times,
            us: us(l.ps),
            flops: l.flops,
            bytes: l.bytes,
            of_peak: l.peak,
            of_bandwidth: l.bandwidth,
            bound: l.bound.name().to_string(),
        }
    };
    RooflineReport {
        entry: entry.name.clone(),
        target: target.name.clone(),
        peak: target.peak(dtype) as f64,
        dtype: dtype.name().to_string(),
        bandwidth: target.bandwidth as f64,
        ops: all.len() as u64,
        us: us(all.iter().fold(0, |n, l| n.saturating_add(l.ps))),
        costliest: all.iter().take(SHOWN).map(row).collect(),
    }
}
