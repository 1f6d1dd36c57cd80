//! DualPipe and DualPipeV, in which the forward of one microbatch overlaps with the backward of another (DeepSeek-V3
//! technical report, arXiv 2412.19437, section 3.2.1; the code at github.com/deepseek-ai/DualPipe, whose README has the
//! figures).
//!
//! DualPipe feeds the pipeline from both ends. Rank r has stage r for the first half of the microbatches and stage p-1-r for
//! the second half, so each rank holds two copies of parameters (one of each of two stages). DualPipeV is DualPipe cut in
//! half: rank r has the stages r and 2p-1-r, in the shape of a V, so no stage is there twice. The rows are the same ones: a
//! rank does what the rank in the same distance from the middle does. With `a` for what enters at the near end and `z` for
//! what comes back, h ranks from the end to the middle and r from the end, and n microbatches in a direction:
//!
//! 1. 2(h-r-1) times `Fa`; 2. r+1 times `Fa Fz`; 3. h-r-1 times `Iz Wz Fz`;
//! 4. n-2h+r+1 times `Fa&Bz Fz&Ba` (in the middle the first pair runs one after the other); 5. h-r-1 times `Bz Fz&Ba`;
//! 6. r+1 times `Bz Ba`, the second half of them as `I`; 7. h-r-1 times `W Ia`; 8. r+1 times `W`.
//!
//! `W` come in the order of their `I`. With F&B the time of an overlapped pair and P stages on the way of a microbatch, the
//! bubble is (P/2-1)(F&B + B - 3W), and a rank keeps P+1 activations. The simulator agrees where F = I = W and F&B = F + B.
//! Where F&B is shorter, it finds bubbles that are no larger, and often smaller.

use super::request::{ScheduleEntry, ScheduleRequest, StatedFigures};
use crate::action::{ActionKind, Cell, PipelineAction};
use crate::placement::StagePlacement;
use crate::schedule::PipelineSchedule;
use std::collections::VecDeque;

pub const DUALPIPE: ScheduleEntry = ScheduleEntry {
    name: "dualpipe",
    about: "microbatches enter at both ends, forwards overlap with backwards; two copies of parameters",
    domain: "p is even; m is even and at least 2p",
    source: "DeepSeek-V3, arXiv 2412.19437, section 3.2.1",
    formula: "(p/2-1)(F&B+B-3W)",
    virtual_stages: Some(1),
    make: dualpipe,
    stated: |request| stated(request, u64::from(request.ranks) / 2),
};

pub const DUALPIPE_V: ScheduleEntry = ScheduleEntry {
    name: "dualpipe-v",
    about: "DualPipe cut in half: two stages for each rank, there and back; one copy of parameters",
    domain: "any p; m is at least 2p; v is 2",
    source: "github.com/deepseek-ai/DualPipe, README, \"DualPipeV\"",
    formula: "(p-1)(F&B+B-3W)",
    virtual_stages: Some(2),
    make: dualpipe_v,
    stated: |request| stated(request, u64::from(request.ranks)),
};

fn dualpipe(request: &ScheduleRequest) -> Result<PipelineSchedule, String> {
    let (p, m) = (request.ranks, request.microbatches);
    if p % 2 != 0 {
        return Err(format!("the number of ranks is even, not {p}"));
    }
    if m % 2 != 0 || m < 2 * p {
        return Err(format!("the number of microbatches is even and at least twice that of ranks, {}; not {m}", 2 * p));
    }
    let row = |rank: u32| {
        let near = rank.min(p - 1 - rank);
        // What enters at rank 0 has the first half of the numbers.
        let first = [0, m / 2];
        let [a, z] = if rank < p / 2 { first } else { [first[1], first[0]] };
        Row::new([near, p - 1 - near], [a, z]).fill(p / 2, near, m / 2)
    };
    Ok(PipelineSchedule::new("dualpipe", StagePlacement::two_ways(p, m), (0..p).map(row).collect()))
}

fn dualpipe_v(request: &ScheduleRequest) -> Result<PipelineSchedule, String> {
    let (p, m) = (request.ranks, request.microbatches);
    if m < 2 * p {
        return Err(format!("the number of microbatches is at least twice that of ranks, {}; not {m}", 2 * p));
    }
    let row = |rank: u32| Row::new([rank, 2 * p - 1 - rank], [0, 0]).fill(p, rank, m);
    Ok(PipelineSchedule::new("dualpipe-v", StagePlacement::v_shape(p, m), (0..p).map(row).collect()))
}

/// A row as it grows: for each direction its stage, the number of its first microbatch, and how many forwards and backwards
/// it has had; and the weights' gradients that are due.
struct Row {
    cells: Vec<Cell>,
    stages: [u32; 2],
    first: [u32; 2],
    forwards: [u32; 2],
    backwards: [u32; 2],
    due: VecDeque<PipelineAction>,
}

impl Row {
    fn new(stages: [u32; 2], first: [u32; 2]) -> Row {
        let (forwards, backwards) = ([0; 2], [0; 2]);
        Row { cells: Vec::new(), stages, first, forwards, backwards, due: VecDeque::new() }
    }

    fn forward(&mut self, way: usize) -> PipelineAction {
        self.forwards[way] += 1;
        PipelineAction::new(self.stages[way], ActionKind::F, self.first[way] + self.forwards[way] - 1)
    }

    fn backward(&mut self, way: usize, kind: ActionKind) -> PipelineAction {
        self.backwards[way] += 1;
        let action = PipelineAction::new(self.stages[way], kind, self.first[way] + self.backwards[way] - 1);
        if kind == ActionKind::I {
            self.due.push_back(PipelineAction { kind: ActionKind::W, ..action });
        }
        action
    }

    fn f(&mut self, way: usize) {
        let cell = Cell::One(self.forward(way));
        self.cells.push(cell);
    }

    fn b(&mut self, way: usize, kind: ActionKind) {
        let cell = Cell::One(self.backward(way, kind));
        self.cells.push(cell);
    }

    fn pair(&mut self, forward: usize) {
        let pair = [self.forward(forward), self.backward(1 - forward, ActionKind::B)];
        self.cells.push(Cell::Overlap(pair));
    }

    fn w(&mut self) {
        self.cells.extend(self.due.pop_front().map(Cell::One));
    }

    /// The steps of the head of this file: `h` ranks from the end to the middle, `r` from the end, `n` microbatches.
    fn fill(mut self, h: u32, r: u32, n: u32) -> Vec<Cell> {
        let rest = h - r - 1;
        (0..2 * rest).for_each(|_| self.f(0));
        for _ in 0..=r {
            self.f(0);
            self.f(1);
        }
        for _ in 0..rest {
            self.b(1, ActionKind::I);
            self.w();
            self.f(1);
        }
        for k in 0..n + r + 1 - 2 * h {
            if k == 0 && rest == 0 {
                self.f(0);
                self.b(1, ActionKind::B);
            } else {
                self.pair(0);
            }
            self.pair(1);
        }
        for _ in 0..rest {
            self.b(1, ActionKind::B);
            self.pair(1);
        }
        // The second half of 2(r+1) backwards, rounded so that it begins with the direction that is due.
        for k in 0..2 * (r + 1) {
            let kind = if k > r { ActionKind::I } else { ActionKind::B };
            self.b(usize::from(k % 2 == 0), kind);
        }
        for _ in 0..rest {
            self.w();
            self.b(0, ActionKind::I);
        }
        (0..=r).for_each(|_| self.w());
        self.cells
    }
}

fn stated(request: &ScheduleRequest, half: u64) -> StatedFigures {
    let t = request.times.stage(0);
    let pair = request.times.overlapped.unwrap_or(t.f + t.b);
    let even = t.f == t.i && t.i == t.w && pair == t.f + t.b && request.times.communication == 0;
    StatedFigures {
        bubble: even.then(|| half.saturating_sub(1) * (pair + t.b).saturating_sub(3 * t.w)),
        in_flight: Some(2 * half + 1),
    }
}
