//! ZB-V: two stages for each rank in the shape of a V, no bubble, and no more activations than 1F1B (Qi et al., arXiv
//! 2401.10241, section 6; as V-ZB among the V-shaped building blocks of arXiv 2405.15362).
//!
//! With stage `a` the first and `z` the second one of rank r, and of each the next microbatch that is due:
//!
//! 1. 2(p-r)-1 times `Fa`, r times `Fz Fa`, then p-r times `Fz Iz Wz`;
//! 2. until all forwards are done: `Fa` while there is one, `Ia Wa`, `Fz Iz Wz`;
//! 3. r times `Ia Iz`, p-r times `Ia Wa`, then the `W` that are left, those of `z` first.
//!
//! That is whole from 2p-1 microbatches on; for fewer it is the table for 2p-1 without those that are not there. At equal
//! times no rank waits between its first and last cell. A rank keeps 2p activations of half its layers, that is p of all.

use super::request::{ScheduleEntry, ScheduleRequest, StatedFigures};
use crate::action::{ActionKind, Cell};
use crate::placement::StagePlacement;
use crate::schedule::PipelineSchedule;

pub const ZB_V: ScheduleEntry = ScheduleEntry {
    name: "zb-v",
    about: "two stages for each rank, there and back; no bubble, 1F1B's memory",
    domain: "any p and m; v is 2",
    source: "Zero Bubble, arXiv 2401.10241, section 6; arXiv 2405.15362",
    formula: "0, for F = I = W and m >= 2p-1",
    virtual_stages: Some(2),
    make,
    stated,
};

/// The cells of a rank, with the next microbatch of each kind of action on each of its stages.
struct Row {
    cells: Vec<Cell>,
    stages: [u32; 2],
    next: [[u32; 3]; 2],
    microbatches: u32,
}

const KINDS: [ActionKind; 3] = [ActionKind::F, ActionKind::I, ActionKind::W];

impl Row {
    fn put(&mut self, half: usize, kinds: &[usize]) {
        for &kind in kinds {
            let k = self.next[half][kind];
            self.next[half][kind] += 1;
            if k < self.microbatches {
                self.cells.push(Cell::one(self.stages[half], KINDS[kind], k));
            }
        }
    }

    fn times(&mut self, n: u32, what: &[(usize, &[usize])]) {
        for _ in 0..n {
            for (half, kinds) in what {
                self.put(*half, kinds);
            }
        }
    }
}

fn make(request: &ScheduleRequest) -> Result<PipelineSchedule, String> {
    let (p, m) = (request.ranks, request.microbatches);
    let whole = m.max(2 * p - 1);
    let row = |r: u32| {
        let mut row = Row { cells: Vec::new(), stages: [r, 2 * p - 1 - r], next: [[0; 3]; 2], microbatches: m };
        row.times(2 * (p - r) - 1, &[(0, &[0])]);
        row.times(r, &[(1, &[0]), (0, &[0])]);
        row.times(p - r, &[(1, &[0, 1, 2])]);
        while row.next[1][0] < whole {
            if row.next[0][0] < whole {
                row.put(0, &[0]);
            }
            row.times(1, &[(0, &[1, 2]), (1, &[0, 1, 2])]);
        }
        row.times(r, &[(0, &[1]), (1, &[1])]);
        row.times(p - r, &[(0, &[1, 2])]);
        for half in [1, 0] {
            row.times(whole - row.next[half][2], &[(half, &[2])]);
        }
        row.cells
    };
    Ok(PipelineSchedule::new("zb-v", StagePlacement::v_shape(p, m), (0..p).map(row).collect()))
}

fn stated(request: &ScheduleRequest) -> StatedFigures {
    let t = request.times.stage(0);
    let (p, m) = (u64::from(request.ranks), u64::from(request.microbatches));
    let whole = m >= 2 * p - 1;
    let holds = whole && t.f == t.i && t.i == t.w && request.times.communication == 0;
    StatedFigures { bubble: holds.then_some(0), in_flight: whole.then_some(2 * p) }
}
