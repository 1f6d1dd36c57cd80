//! GPipe: all forwards, then all backwards in the reverse order (Huang et al., arXiv 1811.06965, section 2.3, figure 2c).
//!
//! The bubble is (p-1)(F+B), (p-1)/(m+p-1) of the step. All m activations are kept, since no backward starts before the
//! last forward.

use super::request::{ScheduleEntry, ScheduleRequest, StatedFigures};
use crate::action::{ActionKind, Cell};
use crate::placement::StagePlacement;
use crate::schedule::PipelineSchedule;

pub const GPIPE: ScheduleEntry = ScheduleEntry {
    name: "gpipe",
    about: "all forwards, then all backwards; keeps m activations",
    domain: "any p and m",
    source: "GPipe, arXiv 1811.06965, section 2.3",
    formula: "(p-1)(F+B)",
    virtual_stages: Some(1),
    make,
    stated,
};

fn make(request: &ScheduleRequest) -> Result<PipelineSchedule, String> {
    let (p, m) = (request.ranks, request.microbatches);
    let row = |stage| {
        let forward = (0..m).map(move |k| Cell::one(stage, ActionKind::F, k));
        forward.chain((0..m).rev().map(move |k| Cell::one(stage, ActionKind::B, k))).collect()
    };
    Ok(PipelineSchedule::new("gpipe", StagePlacement::looped(p, 1, m), (0..p).map(row).collect()))
}

fn stated(request: &ScheduleRequest) -> StatedFigures {
    let t = request.times.stage(0);
    StatedFigures {
        bubble: Some(u64::from(request.ranks - 1) * (t.f + t.b)),
        in_flight: Some(u64::from(request.microbatches)),
    }
}
