//! Where the ranks of a pipeline are, if they are threads of one process, and a warning about a rank for which another has waited
//! long.
//!
//! A process that is late ends the run, since it may never come ([`crate::world`]). A thread does not get lost, and cannot be ended
//! without its process: it is slow, or its core has other work. So the others wait for as long as it takes, and the caller of the
//! step is warned once about the action and the microbatch that take so long. Not here: the waits themselves ([`super::channels`]).

use meshloom_bundle::{Instr, Pipeline, Program};
use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// When to warn that a rank which is a thread of this process is late, and how.
#[derive(Clone, Copy, Debug)]
pub struct LateStages {
    /// A wait that is longer than this leads to a warning.
    pub after: Duration,
    pub warn: fn(&str),
}

/// All ranks of a pipeline, as far as they are threads of this process.
pub struct Whereabouts {
    ranks: Vec<Here>,
    late: Option<LateStages>,
    /// The turns, by rank, for which there was a warning.
    said: Mutex<BTreeSet<(usize, u64)>>,
}

struct Here {
    /// Some of its devices are in this process.
    here: bool,
    /// `action 1F of microbatch 0`, by turn.
    turns: Vec<String>,
    /// The turn that runs, from 1 on; 0 between them.
    turn: AtomicU64,
    /// The rank that it waits for, from 1 on; 0 where it waits for none.
    waits_for: AtomicUsize,
}

impl Whereabouts {
    /// `places` are the places that this process has of each rank.
    pub fn new(pipeline: &Pipeline, places: &[Range<usize>], late: Option<LateStages>) -> Whereabouts {
        let here = |(program, places): (&Program, &Range<usize>)| Here {
            here: !places.is_empty(),
            turns: turns(program),
            turn: AtomicU64::new(0),
            waits_for: AtomicUsize::new(0),
        };
        Whereabouts { ranks: pipeline.ranks.iter().zip(places).map(here).collect(), late, said: Mutex::default() }
    }

    /// A rank begins a turn, by its place in the order of its program; `None` behind the last one.
    pub fn turn(&self, rank: usize, turn: Option<usize>) {
        if let Some(here) = self.ranks.get(rank) {
            here.turn.store(turn.map_or(0, |t| t as u64 + 1), Relaxed);
        }
    }

    /// A rank waits for another one, or no more.
    pub fn waits(&self, rank: usize, other: Option<usize>) {
        if let Some(here) = self.ranks.get(rank) {
            here.waits_for.store(other.map_or(0, |o| o + 1), Relaxed);
        }
    }

    /// Warns about the rank that is late, once `waited` is long: the last of the ranks that wait for each other, beginning with
    /// `other`. `what` says who waits, and for what. Returns whether this wait needs no more calls.
    pub fn late(&self, what: &dyn Fn() -> String, other: usize, waited: Duration) -> bool {
        let Some(of) = self.late else { return true };
        if waited <= of.after {
            return false;
        }
        let mut seen = BTreeSet::from([other]);
        let mut late = other;
        while let Some(next) = self.ranks.get(late).and_then(|r| r.waits_for.load(Relaxed).checked_sub(1)) {
            if !seen.insert(next) {
                break;
            }
            late = next;
        }
        // If that rank is in another process, that process reports it, and ends the run.
        let Some(here) = self.ranks.get(late).filter(|r| r.here) else { return true };
        let turn = here.turn.load(Relaxed);
        if self.said.lock().unwrap_or_else(PoisonError::into_inner).insert((late, turn)) {
            let at = turn.checked_sub(1).and_then(|t| here.turns.get(t as usize));
            let at = at.map_or("between its actions".to_owned(), |t| format!("in {t}"));
            let seconds = of.after.as_secs_f64();
            (of.warn)(&format!(
                "{} for more than {seconds} s: rank {late}, a thread of this process, is {at}, and is waited for as long as it takes",
                what()
            ));
        }
        true
    }
}

fn turns(program: &Program) -> Vec<String> {
    let actions = program.instrs.iter().find_map(|i| match i {
        Instr::Actions(a) => Some(a),
        _ => None,
    });
    let Some(a) = actions else { return Vec::new() };
    let name = |action: u32| a.bodies.get(action as usize).map_or("", |b| b.name.as_str());
    a.order.iter().map(|t| format!("action {} of microbatch {}", name(t.action), t.microbatch)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    static TOLD: Mutex<Vec<String>> = Mutex::new(Vec::new());

    /// Of ranks that wait for each other the one that waits for nobody is named, once for each of its actions.
    #[test]
    fn the_rank_that_all_wait_for_is_named_once() {
        let here = |turns: [&str; 1]| Here {
            here: true,
            turns: turns.map(String::from).into(),
            turn: AtomicU64::new(1),
            waits_for: AtomicUsize::new(0),
        };
        let ranks = [["action 0F of microbatch 3"], ["action 1F of microbatch 2"], ["action 2F of microbatch 1"]];
        let warn = |text: &str| TOLD.lock().unwrap().push(text.to_owned());
        let late = Some(LateStages { after: Duration::from_secs(2), warn });
        let all = Whereabouts { ranks: ranks.map(here).into(), late, said: Mutex::default() };
        all.waits(0, Some(1));
        all.waits(1, Some(2));
        assert!(!all.late(&|| "rank 0 waits".into(), 1, Duration::from_secs(2)));
        assert!(
            all.late(&|| "rank 0 waits".into(), 1, Duration::from_secs(3))
                && all.late(&|| "rank 1 waits".into(), 2, Duration::from_secs(4))
        );
        let told = std::mem::take(&mut *TOLD.lock().unwrap());
        let want = "rank 0 waits for more than 2 s: rank 2, a thread of this process, is in action 2F of microbatch 1, and is waited for \
                    as long as it takes";
        assert_eq!(told, [want]);
        all.turn(2, None);
        all.late(&|| "rank 1 waits".into(), 2, Duration::from_secs(4));
        assert!(TOLD.lock().unwrap()[0].contains("rank 2, a thread of this process, is between its actions"));
        // Ranks that seem to wait for each other in a circle, since they are read one after the other.
        all.waits(2, Some(0));
        assert!(all.late(&|| "rank 1 waits".into(), 2, Duration::from_secs(4)));
    }
}
