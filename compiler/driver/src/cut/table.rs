//! What a table of a pipeline says of each stage: its rank, its actions in order, and how many microbatches are in flight.

use super::request::CutError;
use meshloom_pipeline::{ActionKind, Cell, PipelineSchedule};
use meshloom_stage::Kind;

/// The kinds of a stage's actions, in the order in which a microbatch comes to them.
pub const KINDS: [Kind; 3] = [Kind::Forward, Kind::Input, Kind::Weight];

pub struct StageTable {
    /// Gradients of weights are actions of their own.
    pub weights: bool,
    /// For each stage.
    pub rank_of: Vec<usize>,
    /// For each stage: slots that a value needs which is there from one kind of action to another, by their places in
    /// [`KINDS`].
    pub slots: Vec<[[u64; 3]; 3]>,
}

impl StageTable {
    /// # Errors
    /// A table in which stages have more than one rank.
    pub fn of(schedule: &PipelineSchedule) -> Result<StageTable, CutError> {
        let [route] = schedule.placement().routes() else {
            let why =
                format!("{} keeps two copies of parameters, which stages of a program do not have", schedule.name);
            return Err(CutError::Cannot(why));
        };
        let all = || schedule.rows().iter().flatten().flat_map(Cell::actions);
        let weights = all().any(|a| matches!(a.kind, ActionKind::I | ActionKind::W));
        let mut turns: Vec<Vec<(Kind, u64)>> = vec![Vec::new(); route.len()];
        for a in all() {
            let Some(of) = turns.get_mut(a.stage as usize) else { continue };
            let m = u64::from(a.microbatch);
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
        let slots = turns.iter().map(|t| in_flight(t, schedule.microbatches() as usize)).collect();
        Ok(StageTable { weights, rank_of: route.iter().map(|r| *r as usize).collect(), slots })
    }

    pub fn stages(&self) -> usize {
        self.rank_of.len()
    }
}

/// As `fusion::weave` counts slots: microbatch `i` is in slot `i` modulo their number.
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
        for last in first..3 {
            for i in 0..microbatches {
                let Some(end) = at[last][i] else { continue };
                let still = at[first].iter().rposition(|b: &Option<usize>| b.is_some_and(|b| b <= end)).unwrap_or(i);
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
        assert!(table("dualpipe", 4, 8).is_err());
    }
}
