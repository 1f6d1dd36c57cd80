//! Brute force: carries tables out by trying everything again and again until nothing moves. Shares no code with the checks:
//! it asks the actions alone, keeps facts in sets, and knows of no index, lanes or circles.

use meshloom_pipeline::{ActionKind, Cell, PipelineAction, PipelineSchedule};
use std::collections::BTreeSet;

/// Does a table without sends and receives do all that it should, once, and come to its end?
pub fn completes(schedule: &PipelineSchedule) -> bool {
    use ActionKind::{B, F, I, W};
    let (stages, microbatches) = (schedule.stages(), schedule.microbatches());
    let mut done: BTreeSet<(u32, &str, u32)> = BTreeSet::new();
    let mut left: Vec<Vec<Cell>> = schedule.rows().iter().map(|r| r.iter().rev().copied().collect()).collect();
    let mut moved = true;
    while moved {
        moved = false;
        for row in &mut left {
            let Some(cell) = row.last() else { continue };
            let has = |s: u32, what, m| done.contains(&(s, what, m));
            let ready = |a: &PipelineAction| match a.kind {
                F => a.stage == 0 || has(a.stage - 1, "f", a.microbatch),
                I | B => {
                    has(a.stage, "f", a.microbatch) && (a.stage + 1 == stages || has(a.stage + 1, "i", a.microbatch))
                }
                W => has(a.stage, "i", a.microbatch),
                _ => false,
            };
            if !cell.actions().iter().all(ready) {
                continue;
            }
            for a in cell.actions() {
                let what: &[&str] = match a.kind {
                    F => &["f"],
                    I => &["i"],
                    W => &["w"],
                    _ => &["i", "w"],
                };
                for w in what {
                    if !done.insert((a.stage, w, a.microbatch)) {
                        return false;
                    }
                }
            }
            row.pop();
            moved = true;
        }
    }
    left.iter().all(Vec::is_empty) && done.len() as u32 == 3 * stages * microbatches
}

/// Does a table with sends and receives come to its end if a rank stays at each of them until the other end is there too,
/// and messages between two ranks have no names?
pub fn blocking_completes(schedule: &PipelineSchedule) -> bool {
    let rank = |s: u32, m: u32| schedule.placement().rank(s, m).map(|r| r as usize);
    // (is a send, from, to, the action of the sender)
    let post = |a: &PipelineAction| {
        let (s, m) = (a.stage, a.microbatch);
        match a.kind {
            ActionKind::SendF => Some((true, rank(s, m)?, rank(s + 1, m)?, (s, 'f', m))),
            ActionKind::RecvF => Some((false, rank(s.checked_sub(1)?, m)?, rank(s, m)?, (s - 1, 'f', m))),
            ActionKind::SendB => Some((true, rank(s, m)?, rank(s.checked_sub(1)?, m)?, (s, 'b', m))),
            ActionKind::RecvB => Some((false, rank(s + 1, m)?, rank(s, m)?, (s + 1, 'b', m))),
            _ => None,
        }
    };
    let mut left: Vec<Vec<PipelineAction>> = schedule
        .rows()
        .iter()
        .map(|r| r.iter().rev().flat_map(|c| c.actions().iter().rev().copied()).collect())
        .collect();
    loop {
        let mut moved = false;
        for row in &mut left {
            while row.last().is_some_and(|a| !a.kind.transfers()) {
                row.pop();
                moved = true;
            }
        }
        for a in 0..left.len() {
            for b in 0..left.len() {
                let (Some(x), Some(y)) = (left[a].last().and_then(post), left[b].last().and_then(post)) else {
                    continue;
                };
                if x.0 && !y.0 && (x.1, x.2) == (a, b) && (y.1, y.2) == (a, b) {
                    if x.3 != y.3 {
                        return false;
                    }
                    left[a].pop();
                    left[b].pop();
                    moved = true;
                }
            }
        }
        if !moved {
            return left.iter().all(Vec::is_empty);
        }
    }
}
