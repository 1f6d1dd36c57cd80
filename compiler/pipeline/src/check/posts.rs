//! Sends and receives that a table has itself: each there once, on its rank, after what makes the value and before what
//! uses it, and in the same order at both ends.

use super::complete::here;
use crate::action::{ActionKind, PipelineAction};
use crate::ends::{receive_of, transfer};
use crate::index::Index;
use crate::problem::{PipelineProblem, Where};
use crate::schedule::PipelineSchedule;
use std::collections::BTreeMap;

pub fn problems(schedule: &PipelineSchedule, index: &Index) -> Vec<PipelineProblem> {
    let mut problems = Vec::new();
    needed(schedule, index, &mut problems);
    idle_posts(schedule, &mut problems);
    if problems.is_empty() {
        crossed(schedule, &mut problems);
    }
    problems
}

/// All actions of a table with their places.
fn all(schedule: &PipelineSchedule) -> impl Iterator<Item = Where> {
    schedule.rows().iter().enumerate().flat_map(|(rank, row)| {
        let cells = row.iter().enumerate();
        cells.flat_map(move |(slot, c)| c.actions().iter().map(move |a| Where { rank, slot, action: *a }))
    })
}

/// What leaves a rank is sent and received, each in its place.
fn needed(schedule: &PipelineSchedule, index: &Index, problems: &mut Vec<PipelineProblem>) {
    for at in all(schedule).filter(|w| w.action.kind.computes()) {
        let Some((send, from, receive, to)) = transfer(schedule.placement(), at.action) else { continue };
        match index.find(send) {
            Some((rank, slot)) if rank == from as usize => {
                if slot < at.slot {
                    problems.push(PipelineProblem::TooEarly { at: here((rank, slot), send), needs: at });
                }
            }
            _ => problems.push(PipelineProblem::Unposted { action: send, rank: from }),
        }
        let Some((rank, slot)) = index.find(receive).filter(|spot| spot.0 == to as usize) else {
            problems.push(PipelineProblem::Unposted { action: receive, rank: to });
            continue;
        };
        let user = match receive.kind {
            ActionKind::RecvF => {
                let f = PipelineAction::new(receive.stage, ActionKind::F, receive.microbatch);
                index.find(f).map(|spot| (f, spot))
            }
            _ => index.backward(receive.stage, receive.microbatch),
        };
        if let Some((user, spot)) = user.filter(|(_, spot)| spot.1 <= slot) {
            let (at, receive) = (here(spot, user), here((rank, slot), receive));
            problems.push(PipelineProblem::UsedEarly { at, receive });
        }
    }
}

/// Sends and receives of what does not leave a rank, or on the wrong rank.
fn idle_posts(schedule: &PipelineSchedule, problems: &mut Vec<PipelineProblem>) {
    for at in all(schedule).filter(|w| w.action.kind.transfers()) {
        let PipelineAction { stage, kind, microbatch } = at.action;
        let (other, end) = match kind {
            ActionKind::SendF => (stage.checked_add(1), "the last stage sends no output"),
            ActionKind::RecvB => (stage.checked_add(1), "the last stage receives no gradient"),
            ActionKind::RecvF => (stage.checked_sub(1), "stage 0 receives no input"),
            _ => (stage.checked_sub(1), "stage 0 sends no gradient"),
        };
        let rank = |s| schedule.placement().rank(s, microbatch);
        let reason = match other.and_then(rank) {
            None => Some(end),
            Some(there) if rank(stage) == Some(there) => {
                Some("goes between two stages of one rank, where nothing is sent")
            }
            Some(_) if rank(stage).is_some_and(|r| r as usize != at.rank) => Some("is not on the rank of its stage"),
            Some(_) => None,
        };
        problems.extend(reason.map(|reason| PipelineProblem::NoTransfer { at, reason }));
    }
}

/// The k-th send from one rank to another is the k-th receive at the other end.
fn crossed(schedule: &PipelineSchedule, problems: &mut Vec<PipelineProblem>) {
    let mut sends: BTreeMap<(usize, usize), Vec<Where>> = BTreeMap::new();
    let mut receives: BTreeMap<(usize, usize), Vec<Where>> = BTreeMap::new();
    let rank = |s, m| schedule.placement().rank(s, m).map_or(usize::MAX, |r| r as usize);
    for at in all(schedule) {
        let PipelineAction { stage, kind, microbatch } = at.action;
        match kind {
            ActionKind::SendF => sends.entry((at.rank, rank(stage + 1, microbatch))).or_default().push(at),
            ActionKind::SendB => {
                sends.entry((at.rank, rank(stage.saturating_sub(1), microbatch))).or_default().push(at);
            }
            ActionKind::RecvF => {
                receives.entry((rank(stage.saturating_sub(1), microbatch), at.rank)).or_default().push(at);
            }
            ActionKind::RecvB => receives.entry((rank(stage + 1, microbatch), at.rank)).or_default().push(at),
            _ => {}
        }
    }
    for (pair, sends) in sends {
        let receives = receives.remove(&pair).unwrap_or_default();
        let differs = sends.iter().zip(&receives).find(|(s, r)| receive_of(s.action) != Some(r.action));
        problems.extend(differs.map(|(s, r)| PipelineProblem::Crossed { send: *s, receive: *r }));
    }
}
