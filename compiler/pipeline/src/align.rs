//! Idle cells where a rank waits: the form in which PyTorch writes tables, one column for each time slot.

use crate::action::Cell;
use crate::schedule::PipelineSchedule;
use crate::simulate::simulate;
use crate::times::{PipelineTimes, StageTimes};

/// The same order, with idle cells where a rank waits if every cell took one slot. A table with
/// other actions than computations, or one that cannot run to its end stays as it is.
pub fn aligned(schedule: PipelineSchedule) -> PipelineSchedule {
    let others = schedule.rows().iter().flatten().flat_map(Cell::actions).any(|a| !a.kind.computes());
    if others {
        return schedule;
    }
    let slot = StageTimes { f: 1, i: 1, w: 1, b: 1 };
    let mut slots = PipelineTimes::all(slot);
    slots.overlapped = Some(1);
    let Ok(run) = simulate(&schedule, &slots) else { return schedule };
    let mut rows = Vec::with_capacity(schedule.ranks());
    for (row, events) in schedule.rows().iter().zip(&run.events) {
        let mut cells: Vec<Cell> = Vec::new();
        for event in events {
            let start = usize::try_from(event.start).unwrap_or(usize::MAX);
            cells.resize(start.max(cells.len()), Cell::Idle);
            cells.extend(row.get(event.slot));
        }
        rows.push(cells);
    }
    PipelineSchedule::new(&schedule.name, schedule.placement().clone(), rows)
}
