//! Runs a table with sends that never wait: in each pass every rank does its next cell if the inputs are there.
//!
//! Which rank goes first makes no difference to whether all come to the end, since a cell that may run stays so. The passes
//! also give one order of all ranks, by which transfers are posted.

use crate::action::PipelineAction;
use crate::ends::send_of;
use crate::index::{Index, Spot};
use crate::problem::{Waits, Where};
use crate::schedule::PipelineSchedule;

/// For each pass the cells that ran in it, by rank.
///
/// # Errors
/// The waits that close a circle, where the ranks do not come to the end; or those up to an action that is nowhere.
pub fn passes(schedule: &PipelineSchedule, index: &Index) -> Result<Vec<Vec<Spot>>, Vec<Waits>> {
    let rows = schedule.rows();
    let mut next = vec![0; rows.len()];
    let mut passes = Vec::new();
    loop {
        let before = next.clone();
        let mut pass = Vec::new();
        for (rank, row) in rows.iter().enumerate() {
            while row.get(next[rank]).is_some_and(|c| c.actions().is_empty()) {
                next[rank] += 1;
            }
            let Some(cell) = row.get(next[rank]) else { continue };
            let spot = (rank, next[rank]);
            if cell.actions().iter().all(|a| missing(index, *a, spot, &before).is_none()) {
                pass.push(spot);
                next[rank] += 1;
            }
        }
        if pass.is_empty() {
            break;
        }
        passes.push(pass);
    }
    match (0..rows.len()).find(|r| next[*r] < rows[*r].len()) {
        None => Ok(passes),
        Some(rank) => Err(circle(schedule, index, &next, rank)),
    }
}

/// What a cell waits for: the first input that has not run when rank `r` is at `next[r]`.
fn missing(index: &Index, action: PipelineAction, spot: Spot, next: &[usize]) -> Option<(PipelineAction, Spot)> {
    let receive = send_of(action).and_then(|s| index.find(s).map(|spot| (s, spot)));
    let inputs = index.inputs(action).into_iter().chain(receive);
    // Own inputs of the pass at hand ran before, in another cell of the row.
    let ran =
        |&(_, (rank, slot)): &(PipelineAction, Spot)| if rank == spot.0 { slot < spot.1 } else { slot < next[rank] };
    inputs.into_iter().find(|input| !ran(input))
}

fn circle(schedule: &PipelineSchedule, index: &Index, next: &[usize], start: usize) -> Vec<Waits> {
    let mut waits: Vec<(usize, Vec<Waits>)> = Vec::new();
    let mut rank = start;
    loop {
        if let Some(from) = waits.iter().position(|(r, _)| *r == rank) {
            return waits.drain(from..).flat_map(|(_, w)| w).collect();
        }
        let spot = (rank, next[rank]);
        let cell = schedule.rows()[rank][next[rank]];
        let stuck = cell.actions().iter().find_map(|a| missing(index, *a, spot, next).map(|m| (*a, m)));
        let Some((action, (needs, (to, slot)))) = stuck else {
            return waits.into_iter().flat_map(|(_, w)| w).collect();
        };
        let whom = Where { rank: to, slot, action: needs };
        let mut told = vec![Waits { who: Where { rank, slot: spot.1, action }, why: "waits for", whom }];
        let head = schedule.rows()[to].get(next[to]).and_then(|c| c.actions().first());
        if let Some(head) = head.filter(|_| next[to] != slot) {
            let first = Where { rank: to, slot: next[to], action: *head };
            told.push(Waits { who: whom, why: "comes after", whom: first });
        }
        waits.push((rank, told));
        rank = to;
    }
}
