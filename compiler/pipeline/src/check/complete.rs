//! What can be seen without running a table: what is missing or doubled, on the wrong rank, or before what it needs.

use crate::action::{ActionKind, Cell, PipelineAction};
use crate::index::{Index, Spot};
use crate::problem::{PipelineProblem, Where};
use crate::schedule::PipelineSchedule;

pub fn problems(schedule: &PipelineSchedule, index: &Index) -> Vec<PipelineProblem> {
    let mut problems = Vec::new();
    counts(schedule, index, &mut problems);
    ranks(schedule, index, &mut problems);
    if problems.is_empty() {
        early(schedule, index, &mut problems);
        whole_stages(schedule, &mut problems);
    }
    problems
}

pub fn here(spot: Spot, action: PipelineAction) -> Where {
    let (rank, slot) = spot;
    Where { rank, slot, action }
}

fn counts(schedule: &PipelineSchedule, index: &Index, problems: &mut Vec<PipelineProblem>) {
    let idle = schedule.rows().iter().enumerate().filter(|(_, r)| r.iter().all(|c| *c == Cell::Idle));
    problems.extend(idle.map(|(rank, _)| PipelineProblem::IdleRank { rank }));
    for (action, spot) in &index.again {
        if let Some(first) = index.find(*action) {
            problems.push(PipelineProblem::Doubled { first: here(first, *action), again: here(*spot, *action) });
        }
    }
    for stage in 0..schedule.stages() {
        for microbatch in 0..schedule.microbatches() {
            let of = |kind| PipelineAction::new(stage, kind, microbatch);
            let missing = |kind| PipelineProblem::Missing { kind, stage, microbatch };
            let [f, i, w, b] = [ActionKind::F, ActionKind::I, ActionKind::W, ActionKind::B].map(|k| index.find(of(k)));
            if f.is_none() {
                problems.push(missing(ActionKind::F));
            }
            match (b, i, w) {
                (None, None, None) => problems.push(missing(ActionKind::B)),
                (None, None, Some(_)) => problems.push(missing(ActionKind::I)),
                (None, Some(_), None) => problems.push(missing(ActionKind::W)),
                (None, Some(_), Some(_)) | (Some(_), None, None) => {}
                (Some(b), _, _) => {
                    let parts = [(ActionKind::I, i), (ActionKind::W, w)].into_iter();
                    let parts = parts.filter_map(|(k, at)| at.map(|at| here(at, of(k))));
                    let whole = here(b, of(ActionKind::B));
                    problems.extend(parts.map(|part| PipelineProblem::TwoBackwards { whole, part }));
                }
            }
        }
    }
}

/// Each stage on one rank, or on the two ranks of two directions; each action on the rank of its stage.
fn ranks(schedule: &PipelineSchedule, index: &Index, problems: &mut Vec<PipelineProblem>) {
    let routes = schedule.placement().routes();
    let mirrored = |a: &[u32], b: &[u32]| a.iter().eq(b.iter().rev());
    let fine = match routes {
        [] | [_] => true,
        [a, b] => mirrored(a, b),
        _ => false,
    };
    if !fine {
        let place = |stage, microbatch| {
            let f = PipelineAction::new(stage, ActionKind::F, microbatch);
            index.find(f).map(|spot| (f, spot)).or_else(|| index.backward(stage, microbatch))
        };
        for stage in 0..schedule.stages() {
            let places: Vec<_> = (0..schedule.microbatches()).filter_map(|m| place(stage, m)).collect();
            let Some((a, at)) = places.first() else { continue };
            if let Some((b, other)) = places.iter().find(|p| p.1.0 != at.0) {
                problems.push(PipelineProblem::Scattered { one: here(*at, *a), other: here(*other, *b) });
            }
        }
        return;
    }
    for (rank, row) in schedule.rows().iter().enumerate() {
        for (slot, action) in row.iter().enumerate().flat_map(|(s, c)| c.actions().iter().map(move |a| (s, *a))) {
            let home = schedule.placement().rank(action.stage, action.microbatch);
            let Some(home) = home.filter(|h| *h as usize != rank && action.kind.computes()) else { continue };
            problems.push(PipelineProblem::Elsewhere { at: here((rank, slot), action), rank: home });
        }
    }
}

/// On one rank, whatever is needed stands before.
fn early(schedule: &PipelineSchedule, index: &Index, problems: &mut Vec<PipelineProblem>) {
    for (rank, row) in schedule.rows().iter().enumerate() {
        for (slot, action) in row.iter().enumerate().flat_map(|(s, c)| c.actions().iter().map(move |a| (s, *a))) {
            for (needs, spot) in index.inputs(action).into_iter().filter(|n| n.1.0 == rank) {
                let at = here((rank, slot), action);
                if spot.1 > slot {
                    problems.push(PipelineProblem::TooEarly { at, needs: here(spot, needs) });
                } else if spot.1 == slot {
                    problems.push(PipelineProblem::PairWaits { at, needs });
                }
            }
        }
    }
}

/// `UNSHARD`, `RESHARD` and `REDUCE_GRAD` where they are used at all.
fn whole_stages(schedule: &PipelineSchedule, problems: &mut Vec<PipelineProblem>) {
    for (rank, row) in schedule.rows().iter().enumerate() {
        for stage in 0..schedule.stages() {
            let all = row.iter().enumerate().flat_map(|(s, c)| c.actions().iter().map(move |a| (s, *a)));
            let of_stage: Vec<_> = all.filter(|(_, a)| a.stage == stage).collect();
            if of_stage.iter().all(|(_, a)| !a.kind.whole_stage()) {
                continue;
            }
            let (mut gone, mut reduced): (Option<Where>, Option<Where>) = (None, None);
            for (slot, action) in of_stage {
                let at = here((rank, slot), action);
                match action.kind {
                    ActionKind::Unshard => gone = None,
                    ActionKind::Reshard => gone = Some(at),
                    ActionKind::ReduceGrad => reduced = Some(at),
                    kind if kind.computes() => {
                        if let Some(since) = gone {
                            problems.push(PipelineProblem::Resharded { at, since });
                        }
                        if let Some(reduce) = reduced.filter(|_| matches!(kind, ActionKind::W | ActionKind::B)) {
                            problems.push(PipelineProblem::ReducedEarly { at: reduce, before: at });
                        }
                    }
                    _ => {}
                }
            }
        }
    }
}
