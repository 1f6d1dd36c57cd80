//! A table with the sends and receives that it needs written out ([`crate::ends`] says which).

use crate::action::{Cell, PipelineAction};
use crate::ends::transfer;
use crate::order;
use crate::problem::PipelineProblem;
use crate::schedule::PipelineSchedule;

/// Where sends and receives are posted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Posting {
    /// Both ends at the same point of one order of all ranks: when the value is made, the sender posts its send and the
    /// receiver its receive, which may be earlier than it needs the value. All ranks then post in one common order, so no
    /// delivery can deadlock (PyTorch does the same).
    Common,
    /// A receive right before the action that uses it, a send right after the action that made it: what a rank would do
    /// that knows its own row alone. Some tables then deadlock under some deliveries.
    AtUse,
}

/// The same table with all sends and receives written out, and without idle cells. A table that has them stays as it is.
///
/// # Errors
/// The deadlock of a table that does not run to its end.
pub fn with_transfers(schedule: &PipelineSchedule, posting: Posting) -> Result<PipelineSchedule, PipelineProblem> {
    if schedule.explicit() {
        return Ok(schedule.clone());
    }
    let rows = match posting {
        Posting::Common => common(schedule)?,
        Posting::AtUse => at_use(schedule),
    };
    Ok(PipelineSchedule::new(&schedule.name, schedule.placement().clone(), rows))
}

fn common(schedule: &PipelineSchedule) -> Result<Vec<Vec<Cell>>, PipelineProblem> {
    let passes = order::passes(schedule, &schedule.index())
        .map_err(|cycle| PipelineProblem::Deadlock { delivery: None, cycle })?;
    let mut rows = vec![Vec::new(); schedule.ranks()];
    for pass in passes {
        let mut posts = Vec::new();
        for (rank, slot) in pass {
            let cell = schedule.rows()[rank][slot];
            rows[rank].push(cell);
            posts.extend(cell.actions().iter().filter_map(|a| transfer(schedule.placement(), *a)));
        }
        for (send, from, receive, to) in posts {
            rows[from as usize].push(Cell::One(send));
            rows[to as usize].push(Cell::One(receive));
        }
    }
    Ok(rows)
}

fn at_use(schedule: &PipelineSchedule) -> Vec<Vec<Cell>> {
    let placement = schedule.placement();
    let index = schedule.index();
    // Of the inputs of a backward one is the stage's own F, whose transfer goes on to the next stage.
    let received = |a: &PipelineAction| {
        let inputs = index.inputs(*a).into_iter();
        let of = a.stage;
        inputs
            .filter_map(|(m, _)| transfer(placement, m))
            .map(|t| t.2)
            .filter(move |r| r.stage == of)
            .collect::<Vec<_>>()
    };
    let row = |cells: &Vec<Cell>| {
        let mut out = Vec::new();
        for cell in cells {
            out.extend(cell.actions().iter().flat_map(received).map(Cell::One));
            if *cell != Cell::Idle {
                out.push(*cell);
            }
            out.extend(cell.actions().iter().filter_map(|a| transfer(placement, *a)).map(|t| Cell::One(t.0)));
        }
        out
    };
    schedule.rows().iter().map(row).collect()
}
