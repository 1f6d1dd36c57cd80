//! ZB-H1 and ZB-H2, the handcrafted zero-bubble schedules (Qi et al., arXiv 2401.10241, section 2).
//!
//! The backward is cut into `I`, for which the rank before waits, and `W`, for which nobody does. Rank r does some forwards,
//! and then `I W F` over and over; it starts with its `W` a few microbatches late, so that the last `W` fill the end:
//!
//! | | forwards before the first `I` | `W` late by | bubble | kept |
//! |---|---|---|---|---|
//! | ZB-H1, section 2.1 | p - r | r | (p-1)(F+I-W) | p |
//! | ZB-H2, section 2.2 | 2(p-r) - 1 | 2r | (p-1)(F+I-2W) | 2p - 1 |
//!
//! The bubbles are those of the paper's table 1 and hold for equal times, where they are (p-1) and 0. For ZB-H2 ranks end
//! one after the other, as they begin; the paper's optimizer step (section 4) makes use of that.

use super::request::{ScheduleEntry, ScheduleRequest, StatedFigures};
use crate::action::{ActionKind, Cell};
use crate::placement::StagePlacement;
use crate::schedule::PipelineSchedule;

pub const ZB_H1: ScheduleEntry = ScheduleEntry {
    name: "zb-h1",
    about: "1F1B with the weights' gradients delayed; a third of its bubble, as many activations",
    domain: "any p and m",
    source: "Zero Bubble, arXiv 2401.10241, section 2.1",
    formula: "(p-1)(F+I-W), for F = I = W and m >= p",
    virtual_stages: Some(1),
    make: |request| Ok(rows("zb-h1", request, |p, r| p - r, |r| r)),
    stated: |request| stated(request, 1),
};

pub const ZB_H2: ScheduleEntry = ScheduleEntry {
    name: "zb-h2",
    about: "more forwards at the start and weights' gradients at the end; no bubble, 2p-1 activations",
    domain: "any p and m",
    source: "Zero Bubble, arXiv 2401.10241, section 2.2",
    formula: "(p-1)(F+I-2W), for F = I = W and m >= 2p-1",
    virtual_stages: Some(1),
    make: |request| Ok(rows("zb-h2", request, |p, r| 2 * (p - r) - 1, |r| 2 * r)),
    stated: |request| stated(request, 2),
};

/// `forwards` before the first `I` of a rank, and by how many microbatches its `W` are `late`.
pub fn rows(
    name: &str,
    request: &ScheduleRequest,
    forwards: impl Fn(u32, u32) -> u32,
    late: impl Fn(u32) -> u32,
) -> PipelineSchedule {
    let (p, m) = (request.ranks, request.microbatches);
    let row = |rank: u32| {
        let (ahead, late) = (forwards(p, rank).min(m), late(rank).min(m));
        let mut cells: Vec<Cell> = (0..ahead).map(|k| Cell::one(rank, ActionKind::F, k)).collect();
        for k in 0..m {
            cells.push(Cell::one(rank, ActionKind::I, k));
            if k >= late {
                cells.push(Cell::one(rank, ActionKind::W, k - late));
            }
            if ahead + k < m {
                cells.push(Cell::one(rank, ActionKind::F, ahead + k));
            }
        }
        cells.extend((m - late..m).map(|k| Cell::one(rank, ActionKind::W, k)));
        cells
    };
    PipelineSchedule::new(name, StagePlacement::looped(p, 1, m), (0..p).map(row).collect())
}

fn stated(request: &ScheduleRequest, weights: u64) -> StatedFigures {
    let t = request.times.stage(0);
    let (p, m) = (u64::from(request.ranks), u64::from(request.microbatches));
    let kept = if weights == 1 { p } else { 2 * p - 1 };
    let holds = t.f == t.i && t.i == t.w && request.times.communication == 0 && m >= kept;
    StatedFigures {
        bubble: holds.then(|| (p - 1) * (t.f + t.i).saturating_sub(weights * t.w)),
        in_flight: (m >= kept).then_some(kept),
    }
}
