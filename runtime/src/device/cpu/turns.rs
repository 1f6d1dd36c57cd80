//! How long the turns of a pipeline's rank take, and how long it waits in them for other ranks.
//!
//! Two readings of the clock for each turn, by one worker, so every run is measured. The first run touches memory and makes
//! connections; it counts only as long as it is the only one.

use std::time::Duration;

/// Sums over runs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TurnTimes {
    /// Those that count.
    pub runs: u64,
    /// Whether the first one was forgotten.
    warm: bool,
    /// In the order in which they run.
    pub turns: Vec<TurnTime>,
}

/// One turn, in nanoseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TurnTime {
    /// Without the waits.
    pub busy: u64,
    /// At wires.
    pub waits: u64,
}

impl TurnTimes {
    /// Of so many runs, as another process measured them.
    pub fn of(runs: u64, turns: Vec<TurnTime>) -> TurnTimes {
        TurnTimes { runs, warm: true, turns }
    }

    /// A run of so many turns begins.
    pub fn begin(&mut self, turns: usize) {
        if self.runs == 1 && !self.warm {
            *self = TurnTimes { warm: true, ..TurnTimes::default() };
        }
        self.runs += 1;
        self.turns.resize(turns, TurnTime::default());
    }

    pub fn add(&mut self, turn: usize, all: Duration, waits: u64) {
        if let Some(t) = self.turns.get_mut(turn) {
            t.busy += (all.as_nanos() as u64).saturating_sub(waits);
            t.waits += waits;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_of_several_runs_does_not_count() {
        let mut t = TurnTimes::default();
        let mut run = |micros: u64| {
            t.begin(1);
            t.add(0, Duration::from_micros(micros), 1000);
            (t.runs, t.turns[0].busy, t.turns[0].waits)
        };
        assert_eq!(run(90), (1, 89_000, 1000));
        assert_eq!(run(10), (1, 9_000, 1000));
        assert_eq!(run(30), (2, 38_000, 2000));
    }
}
