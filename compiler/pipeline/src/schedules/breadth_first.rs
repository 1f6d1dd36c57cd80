//! Looped breadth-first: each rank has v stages, and all microbatches go through one before any goes through the next
//! (Lamy-Poirier, arXiv 2211.05953).
//!
//! The bubble is that of the interleaved schedule, and all v m activations are kept. In return all microbatches of a stage
//! come one after the other, so its parameters are gathered once and its gradients are reduced early. Backwards take the
//! microbatches in the reverse order, as PyTorch's `ScheduleLoopedBFS` does.

use super::request::{ScheduleEntry, ScheduleRequest, StatedFigures};
use crate::action::{ActionKind, Cell};
use crate::placement::StagePlacement;
use crate::schedule::PipelineSchedule;

pub const BREADTH_FIRST: ScheduleEntry = ScheduleEntry {
    name: "breadth-first",
    about: "all microbatches through one of a rank's v stages before the next; keeps v m activations",
    domain: "any p, m and v",
    source: "Breadth-First Pipeline Parallelism, arXiv 2211.05953",
    formula: "(p-1)(F+B), F and B of one of the v stages, for m >= p",
    virtual_stages: None,
    make,
    stated,
};

fn make(request: &ScheduleRequest) -> Result<PipelineSchedule, String> {
    let (p, m, v) = (request.ranks, request.microbatches, request.v());
    let row = |rank: u32| {
        let forward = (0..v).flat_map(|c| (0..m).map(move |k| Cell::one(c * p + rank, ActionKind::F, k)));
        let backward = |c| (0..m).rev().map(move |k| Cell::one(c * p + rank, ActionKind::B, k));
        forward.chain((0..v).rev().flat_map(backward)).collect()
    };
    Ok(PipelineSchedule::new("breadth-first", StagePlacement::looped(p, v, m), (0..p).map(row).collect()))
}

fn stated(request: &ScheduleRequest) -> StatedFigures {
    let t = request.times.stage(0);
    let holds = request.microbatches >= request.ranks;
    StatedFigures {
        bubble: holds.then(|| u64::from(request.ranks - 1) * (t.f + t.b)),
        in_flight: Some(u64::from(request.microbatches) * u64::from(request.v())),
    }
}
