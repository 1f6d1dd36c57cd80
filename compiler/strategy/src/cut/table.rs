//! What a table of a pipeline says of each stage: its rank, its actions in order, and how many microbatches are in flight.

use super::request::CutError;
use crate::rank_program::Ways;
use meshloom_pipeline::{ActionKind, Cell, PipelineSchedule};
use meshloom_stage::Kind;

/// The kinds of a stage's actions, in the order in which a microbatch comes to them.
pub const KINDS: [Kind; 3] = [Kind::Forward, Kind::Input, Kind::Weight];

/// Where microbatches go two ways, each stage is on two ranks: stage `s` of way `w` is number `w * stages + s`.
pub struct StageTable {
    /// Gradients of weights are actions of their own.
    pub weights: bool,
    /// How many there are each way.
    pub stages: usize,
    pub ways: usize,
    /// For each stage of each way.
    pub rank_of: Vec<usize>,
    /// For each stage of each way: slots that a value needs which is there from one kind of action to another, by their
    /// places in [`KINDS`].
    pub slots: Vec<[[u64; 3]; 3]>,
}

/// What tells the program of a stage from those of others.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct StageKind {
    way: usize,
    first: bool,
    last: bool,
    layers: u64,
    /// Whether the stages before it and behind it are on the same rank.
    beside: [bool; 2],
}

impl StageTable {
    /// # Errors
    /// A table in which not as many microbatches go each way.
    pub fn of(schedule: &PipelineSchedule) -> Result<StageTable, CutError> {
        let ways = Ways::of(schedule, false)?;
        let (stages, count) = (schedule.stages() as usize, ways.routes.len().max(1));
        let all = || schedule.rows().iter().flatten().flat_map(Cell::actions);
        let weights = all().any(|a| matches!(a.kind, ActionKind::I | ActionKind::W));
        let mut turns: Vec<Vec<(Kind, u64)>> = vec![Vec::new(); stages * count];
        for a in all() {
            let Some((way, m)) = ways.turns.get(a.microbatch as usize).copied().flatten() else { continue };
            let Some(of) = turns.get_mut(way * stages + a.stage as usize) else { continue };
            match a.kind {
                ActionKind::F => of.push((Kind::Forward, m)),
                ActionKind::I => of.push((Kind::Input, m)),
                ActionKind::W => of.push((Kind::Weight, m)),
                ActionKind::B => {
                    of.push((Kind::Input, m));
                    of.extend(weights.then_some((Kind::Weight, m)));
                }
                _ => {}
            }
        }
        let slots = turns.iter().map(|t| in_flight(t, schedule.microbatches() as usize / count)).collect();
        let rank_of = ways.routes.iter().flat_map(|r| r.iter()).map(|r| *r as usize).collect();
        Ok(StageTable { weights, stages, ways: count, rank_of, slots })
    }

    /// The stages of a rank, by their number among those of all ways.
    pub fn own(&self, rank: usize) -> impl Iterator<Item = usize> + '_ {
        (0..self.rank_of.len()).filter(move |s| self.rank_of[*s] == rank)
    }

    /// What the program of a rank depends on, but for the slots of what waits, where stages have so many layers.
    pub fn kinds(&self, rank: usize, sizes: &[u64]) -> Vec<StageKind> {
        let kind = |u: usize| {
            let (way, s) = (u / self.stages, u % self.stages);
            let here = |of: Option<usize>| {
                of.filter(|s| *s < self.stages).is_some_and(|s| self.rank_of[way * self.stages + s] == rank)
            };
            StageKind {
                way,
                first: s == 0,
                last: s + 1 == self.stages,
                layers: sizes[s],
                beside: [here(s.checked_sub(1)), here(Some(s + 1))],
            }
        };
        self.own(rank).map(kind).collect()
    }

    /// The ranks of each stage, one for each way.
    pub fn ranks_of(&self) -> Vec<Vec<usize>> {
        let of = |s: usize| self.rank_of.iter().skip(s).step_by(self.stages.max(1)).copied().collect();
        (0..self.stages).map(of).collect()
    }
}

/// As `lower::weave` counts slots: microbatch `i` is in slot `i` modulo their number.
fn in_flight(turns: &[(Kind, u64)], microbatches: usize) -> [[u64; 3]; 3] {
    let mut at = [const { Vec::new() }; 3];
    for (k, times) in KINDS.iter().zip(&mut at) {
        *times = vec![None; microbatches];
        for (t, (_, m)) in turns.iter().enumerate().filter(|x| x.1.0 == *k) {
            if let Some(of) = usize::try_from(*m).ok().and_then(|m| times.get_mut(m)) {
                *of = Some(t);
            }
        }
    }
    let mut slots = [[1; 3]; 3];
    for first in 0..3 {
        // By turn, the last microbatch that has begun.
        let mut begun: Vec<(usize, usize)> = (0..microbatches).filter_map(|i| Some((at[first][i]?, i))).collect();
        begun.sort_unstable();
        let mut last_begun = 0;
        begun.iter_mut().for_each(|b| {
            last_begun = last_begun.max(b.1);
            b.1 = last_begun;
        });
        for last in first..3 {
            for (i, end) in at[last].iter().enumerate() {
                let Some(end) = *end else { continue };
                let upto = begun.partition_point(|b| b.0 <= end);
                let still = upto.checked_sub(1).map_or(i, |k| begun[k].1);
                slots[first][last] = slots[first][last].max(still.saturating_sub(i) as u64 + 1);
            }
        }
    }
    slots
}

#[cfg(test)]
mod tests {
    use super::*;
    use meshloom_pipeline::{ScheduleRequest, schedules};

    fn table(name: &str, p: u32, m: u32) -> Result<StageTable, CutError> {
        let made = schedules::make(schedules::find(name).expect("a name"), &ScheduleRequest::of(p, m));
        StageTable::of(&made.expect("a table"))
    }

    #[test]
    fn microbatches_in_flight_are_those_of_the_schedule() {
        let slots = |name, s: usize| table(name, 4, 8).expect("one route").slots[s];
        assert_eq!((slots("1f1b", 0)[0][1], slots("1f1b", 3)[0][1]), (4, 1));
        assert_eq!((slots("gpipe", 0)[0][1], slots("gpipe", 3)[0][1]), (8, 8));
        // Weights are late by the rank's number.
        assert_eq!((slots("zb-h1", 0)[0][1], slots("zb-h1", 3)[0][1], slots("zb-h1", 3)[0][2]), (4, 1, 4));
        assert!(!table("1f1b", 4, 8).expect("one route").weights && table("zb-h1", 4, 8).expect("one route").weights);
        // Both copies of a stage, each for half of the microbatches.
        let two = table("dualpipe", 4, 8).expect("two routes");
        assert_eq!((two.ways, two.ranks_of()), (2, vec![vec![0, 3], vec![1, 2], vec![2, 1], vec![3, 0]]));
        assert_eq!(two.slots[..4], two.slots[4..]);
        assert!(two.slots.iter().all(|s| s[0][1] <= 4));
    }
}
