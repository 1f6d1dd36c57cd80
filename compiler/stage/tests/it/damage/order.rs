//! Damage to the order of steps.

use super::{Mutants, Owned, Whole, carries, places};
use meshloom_certify::staged::{RankInput, RankOutput, RankStep};

pub const ORDERS: &[(&str, usize)] = &[
    ("an action left out", 6),
    ("an action twice", 6),
    ("microbatches exchanged", 4),
    ("the first microbatch last", 4),
    ("another microbatch", 4),
    ("a microbatch that there is not", 4),
    ("another action", 4),
    ("a send left out", 6),
    ("a send twice", 6),
    ("a send before its action", 6),
    ("a send of another microbatch", 6),
    ("a send of all microbatches", 6),
    ("sends what is not sent", 6),
    ("a receive left out", 6),
    ("a receive twice", 6),
    ("a receive after its action", 6),
    ("a receive of another microbatch", 6),
    ("receives what is not received", 6),
    ("all receives first", 2),
    ("all sends last", 1),
    ("an action of another loop", 2),
];

/// Each change of a rank's steps, at a step.
fn steps(w: &Whole, change: impl Fn(&Owned, usize) -> Option<Vec<RankStep>>) -> Vec<Whole> {
    places(
        w,
        |r| r.steps.len(),
        |r, i| {
            let new = change(r, i).filter(|n| *n != r.steps);
            new.is_some_and(|n| {
                r.steps = n;
                true
            })
        },
    )
}

#[allow(clippy::too_many_lines, reason = "a list of kinds")]
pub fn orders(w: &Whole) -> Mutants {
    let run = |s: &RankStep| matches!(s, RankStep::Run { .. });
    let send = |s: &RankStep| matches!(s, RankStep::Send { .. });
    let receive = |s: &RankStep| matches!(s, RankStep::Receive { .. });
    let carried = |r: &Owned, a: usize| carries(&r.func, r.actions[a].repeat).is_some_and(|c| c.1 > 0);
    let removed = |r: &Owned, i: usize| {
        let mut s = r.steps.clone();
        s.remove(i);
        Some(s)
    };
    let doubled = |r: &Owned, i: usize| {
        let mut s = r.steps.clone();
        s.insert(i, s[i]);
        Some(s)
    };
    let with = |r: &Owned, i: usize, new: RankStep| {
        let mut s = r.steps.clone();
        s[i] = new;
        Some(s)
    };
    let moved = |r: &Owned, i: usize, to: usize| {
        let mut s = r.steps.clone();
        let one = s.remove(i);
        s.insert(to, one);
        Some(s)
    };
    let run_of = |r: &Owned, entry: u64, from: usize, back: bool| {
        let is = |s: &RankStep| matches!(s, RankStep::Run { iteration, .. } if *iteration == entry);
        match back {
            true => r.steps[..from].iter().rposition(is),
            false => r.steps[from..].iter().position(is).map(|p| p + from),
        }
    };
    vec![
        ("an action left out", steps(w, |r, i| removed(r, i).filter(|_| run(&r.steps[i])))),
        ("an action twice", steps(w, |r, i| doubled(r, i).filter(|_| run(&r.steps[i])))),
        (
            "microbatches exchanged",
            steps(w, |r, i| match r.steps[i] {
                RankStep::Run { action, iteration: 0 } if carried(r, action) => {
                    let j = r.steps.iter().position(|s| *s == RankStep::Run { action, iteration: 1 })?;
                    let mut s = r.steps.clone();
                    s.swap(i, j);
                    Some(s)
                }
                _ => None,
            }),
        ),
        (
            "the first microbatch last",
            steps(w, |r, i| match r.steps[i] {
                RankStep::Run { action, iteration: 0 } if carried(r, action) => moved(r, i, r.steps.len() - 1),
                _ => None,
            }),
        ),
        (
            "another microbatch",
            steps(w, |r, i| match r.steps[i] {
                RankStep::Run { action, iteration } => {
                    with(r, i, RankStep::Run { action, iteration: (iteration + 1) % 4 })
                }
                _ => None,
            }),
        ),
        (
            "a microbatch that there is not",
            steps(w, |r, i| match r.steps[i] {
                RankStep::Run { action, iteration: 3 } => with(r, i, RankStep::Run { action, iteration: 4 }),
                _ => None,
            }),
        ),
        (
            "another action",
            steps(w, |r, i| match r.steps[i] {
                RankStep::Run { action, iteration } => with(r, i, RankStep::Run { action: action + 1, iteration }),
                _ => None,
            }),
        ),
        ("a send left out", steps(w, |r, i| removed(r, i).filter(|_| send(&r.steps[i])))),
        ("a send twice", steps(w, |r, i| doubled(r, i).filter(|_| send(&r.steps[i])))),
        (
            "a send before its action",
            steps(w, |r, i| match r.steps[i] {
                RankStep::Send { entry: Some(m), .. } => moved(r, i, run_of(r, m, i, true)?),
                _ => None,
            }),
        ),
        (
            "a send of another microbatch",
            steps(w, |r, i| match r.steps[i] {
                RankStep::Send { output, entry: Some(m) } => with(r, i, RankStep::Send { output, entry: Some(m + 1) }),
                _ => None,
            }),
        ),
        (
            "a send of all microbatches",
            steps(w, |r, i| match r.steps[i] {
                RankStep::Send { output, entry } => {
                    with(r, i, RankStep::Send { output, entry: if entry.is_some() { None } else { Some(0) } })
                }
                _ => None,
            }),
        ),
        (
            "sends what is not sent",
            steps(w, |r, i| match r.steps[i] {
                RankStep::Send { entry, .. } => with(r, i, RankStep::Send { output: 0, entry }),
                _ => None,
            }),
        ),
        ("a receive left out", steps(w, |r, i| removed(r, i).filter(|_| receive(&r.steps[i])))),
        ("a receive twice", steps(w, |r, i| doubled(r, i).filter(|_| receive(&r.steps[i])))),
        (
            "a receive after its action",
            steps(w, |r, i| match r.steps[i] {
                RankStep::Receive { entry: Some(m), .. } => moved(r, i, run_of(r, m, i, false)?),
                _ => None,
            }),
        ),
        (
            "a receive of another microbatch",
            steps(w, |r, i| match r.steps[i] {
                RankStep::Receive { input, entry: Some(m) } => {
                    with(r, i, RankStep::Receive { input, entry: Some((m + 1) % 4) })
                }
                _ => None,
            }),
        ),
        (
            "receives what is not received",
            steps(w, |r, i| match r.steps[i] {
                RankStep::Receive { entry, .. } => with(r, i, RankStep::Receive { input: 0, entry }),
                _ => None,
            }),
        ),
        (
            "all receives first",
            places(
                w,
                |_| 1,
                |r, _| {
                    // Where the rank has something to send before it can be given anything back.
                    let sends = r.outputs.iter().any(|t| matches!(t, RankOutput::Sent { each: true, .. }));
                    r.steps.sort_by_key(|s| !matches!(s, RankStep::Receive { .. }));
                    sends && r.inputs.iter().any(|s| matches!(s, RankInput::Received { each: true, .. }))
                },
            ),
        ),
        (
            "all sends last",
            places(
                w,
                |_| 1,
                |r, _| {
                    let first = r.outputs.iter().any(|t| matches!(t, RankOutput::Sent { each: true, .. }));
                    r.steps.sort_by_key(|s| matches!(s, RankStep::Send { .. }));
                    first && r.inputs.iter().any(|s| matches!(s, RankInput::Received { each: true, .. }))
                },
            ),
        ),
        (
            "an action of another loop",
            places(
                w,
                |r| r.actions.len(),
                |r, a| {
                    let other = r.actions[(a + 1) % r.actions.len()].repeat;
                    r.actions[a].repeat = other;
                    r.actions.len() > 1
                },
            ),
        ),
    ]
}
