//! Interleaved 1F1B: each rank has v stages, every p-th one, and works on groups of p microbatches (Narayanan et al., arXiv
//! 2104.04473, section 2.2.2).
//!
//! A group goes through the rank's first stage, then through its second, and so on; rank r begins to alternate after
//! 2(p-1-r) + (v-1)p forwards. The bubble is that of 1F1B divided by v: (p-1)(F+B) with the times of the smaller stages.
//! With v = 1 this is 1F1B itself, as in Megatron, which then takes its other code.

use super::one_f_one_b::ONE_F_ONE_B;
use super::request::{ScheduleEntry, ScheduleRequest, StatedFigures};
use crate::action::{ActionKind, Cell};
use crate::placement::StagePlacement;
use crate::schedule::PipelineSchedule;

pub const INTERLEAVED: ScheduleEntry = ScheduleEntry {
    name: "interleaved",
    about: "1F1B on v stages for each rank; 1F1B's bubble divided by v",
    domain: "any p and v; m is a multiple of p",
    source: "Megatron-LM, arXiv 2104.04473, section 2.2.2",
    formula: "(p-1)(F+B), F and B of one of the v stages",
    virtual_stages: None,
    make,
    stated,
};

fn make(request: &ScheduleRequest) -> Result<PipelineSchedule, String> {
    let (p, m, v) = (request.ranks, request.microbatches, request.v());
    if m % p != 0 {
        return Err(format!("microbatches are a multiple of the ranks; {m} is none of {p}"));
    }
    if v == 1 {
        let mut same = (ONE_F_ONE_B.make)(request)?;
        same.name = "interleaved".into();
        return Ok(same);
    }
    let total = m * v;
    // The k-th forward of a rank; backwards go through the stages of a group from the last to the first.
    let place = |k: u32| (k % (p * v) / p, k / (p * v) * p + k % p);
    let row = |rank: u32| {
        let forward = |k| {
            let (chunk, microbatch) = place(k);
            Cell::one(chunk * p + rank, ActionKind::F, microbatch)
        };
        let backward = |k| {
            let (chunk, microbatch) = place(k);
            Cell::one((v - 1 - chunk) * p + rank, ActionKind::B, microbatch)
        };
        let warmup = (2 * (p - 1 - rank) + (v - 1) * p).min(total);
        let mut cells: Vec<Cell> = (0..warmup).map(forward).collect();
        for k in 0..total {
            if warmup + k < total {
                cells.push(forward(warmup + k));
            }
            cells.push(backward(k));
        }
        cells
    };
    Ok(PipelineSchedule::new("interleaved", StagePlacement::looped(p, v, m), (0..p).map(row).collect()))
}

fn stated(request: &ScheduleRequest) -> StatedFigures {
    let t = request.times.stage(0);
    // The paper gives the bubble; the number of activations follows from the warm-up of its figure 4.
    StatedFigures { bubble: Some(u64::from(request.ranks - 1) * (t.f + t.b)), in_flight: None }
}
