//! 1F1B, or PipeDream-Flush: after p-1-r forwards rank r alternates between one forward and one backward (Narayanan et al.,
//! arXiv 2104.04473, section 2.2.1).
//!
//! The bubble is that of GPipe, but a rank keeps p activations at most, however many microbatches there are.

use super::request::{ScheduleEntry, ScheduleRequest, StatedFigures};
use crate::action::{ActionKind, Cell};
use crate::placement::StagePlacement;
use crate::schedule::PipelineSchedule;

pub const ONE_F_ONE_B: ScheduleEntry = ScheduleEntry {
    name: "1f1b",
    about: "one forward, one backward; GPipe's bubble, and at most p activations",
    domain: "any p and m",
    source: "PipeDream-Flush, arXiv 2104.04473, section 2.2.1",
    formula: "(p-1)(F+B)",
    virtual_stages: Some(1),
    make,
    stated,
};

fn make(request: &ScheduleRequest) -> Result<PipelineSchedule, String> {
    let (p, m) = (request.ranks, request.microbatches);
    let row = |rank: u32| {
        let warmup = (p - 1 - rank).min(m);
        let mut cells: Vec<Cell> = (0..warmup).map(|k| Cell::one(rank, ActionKind::F, k)).collect();
        for k in 0..m {
            if warmup + k < m {
                cells.push(Cell::one(rank, ActionKind::F, warmup + k));
            }
            cells.push(Cell::one(rank, ActionKind::B, k));
        }
        cells
    };
    Ok(PipelineSchedule::new("1f1b", StagePlacement::looped(p, 1, m), (0..p).map(row).collect()))
}

fn stated(request: &ScheduleRequest) -> StatedFigures {
    let t = request.times.stage(0);
    StatedFigures {
        bubble: Some(u64::from(request.ranks - 1) * (t.f + t.b)),
        in_flight: Some(u64::from(request.ranks.min(request.microbatches))),
    }
}
