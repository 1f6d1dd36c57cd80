//! The moves of the search: each is a way from one choice to another, which is taken where it is better. One table says what they
//! are, one rule accepts what they lead to, and a record counts how often each was tried, how often it won, and what that gained.
//!
//! A search without a record cannot say which of its moves earn their keep: whoever adds one adds an entry, and sees in `moves` of
//! `plan --json` whether it ever wins.
//!
//! Not here: how a move is made (`search::perturb`, `search::whole`, `decide::improve`), and other ways to plan the whole program
//! ([`crate::variants`]), which the same rule judges.

/// A move, by its position in [`TABLE`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Move {
    Readers,
    Beside,
    IntoLoops,
    Ports,
    Dims,
    Updates,
    Homes,
    Pairs,
    Follow,
    Force,
    Exact,
    Starts,
    Standing,
    Kept,
    Leaner,
    Hiding,
    Plain,
    Copied,
    GoneOn,
    Start,
    Outside,
    Polish,
    Free,
}

/// An entry of the table of moves.
pub struct MoveRow {
    pub of: Move,
    pub name: &'static str,
    /// One line that says what the move changes.
    pub why: &'static str,
    /// The part of a step's time that the move has to save to be taken, in parts of 10,000. If it is less than nothing, the step may
    /// get so much longer.
    pub gain: i64,
}

const fn entry(of: Move, name: &'static str, why: &'static str) -> MoveRow {
    MoveRow { of, name, why, gain: 0 }
}

pub const TABLE: [MoveRow; 23] = [
    entry(Move::Readers, "readers", "all readers of a tensor in one layout read it in another that is there"),
    entry(Move::Beside, "beside", "a tensor that is read beside a converted one is converted for all its readers"),
    entry(Move::IntoLoops, "into-loops", "tensors made of what loops stack are converted inside of the loops"),
    entry(Move::Ports, "ports", "a tensor that comes into a loop or out of it is converted on the other side"),
    entry(Move::Dims, "dims", "an axis is laid along one dim of the model wherever that dim goes"),
    entry(Move::Updates, "updates", "the next value of optimizer state comes about in the layout of the state"),
    entry(Move::Homes, "homes", "a parameter and its state lie in another layout together"),
    entry(Move::Pairs, "pairs", "two axes are laid along two dims of the model at once"),
    entry(Move::Follow, "follow", "one site takes another form, and its surroundings follow"),
    entry(Move::Force, "force", "one site takes another form"),
    entry(Move::Exact, "exact", "small programs without loops are solved exactly"),
    entry(
        Move::Starts,
        "starts",
        "the search goes on from each start, and whole programs are timed of what that leads to",
    ),
    entry(Move::Standing, "standing", "starts are timed as they stand"),
    entry(Move::Kept, "kept", "parameters stay where they are while whole programs are timed"),
    entry(Move::Leaner, "leaner", "all that is live has a small price"),
    entry(Move::Hiding, "hiding", "what loops can hide counts a part of its time"),
    // Predictions are not as exact as that, and a collective less makes a plan easier to read.
    MoveRow { gain: -25, ..entry(Move::Plain, "plain", "collectives that are hardly worth it are left out") },
    entry(Move::Copied, "copied", "stashes whose copies to the host and back take longer than that are recomputed"),
    entry(Move::GoneOn, "gone-on", "the search goes on from its starts under the rent that met the budget"),
    entry(Move::Start, "start", "a start that fits is taken as it stands"),
    entry(Move::Outside, "outside", "ops outside of loops are rematerialized in a plan that is too large"),
    entry(Move::Polish, "polish", "whole programs near the plan are timed, under its rent"),
    // It holds more.
    MoveRow { gain: 10, ..entry(Move::Free, "free", "whole programs near the plan are timed, without a rent") },
];

impl Move {
    pub fn entry(self) -> &'static MoveRow {
        &TABLE[self as usize]
    }

    /// The time that a step has to stay below for the move to be taken where a step takes `old`.
    pub fn below(self, old: u64) -> u64 {
        below(old, self.entry().gain)
    }
}

/// What moves are judged by. What is less is better, and time counts first.
pub trait Judged: Ord + Copy {
    const BY: Measure;

    fn time_ps(self) -> u64;
}

/// What says how long a step takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Measure {
    /// The sum of the times of ops and conversions, with the price of what is live.
    Sum,
    /// The timeline of the whole program.
    Program,
}

impl Measure {
    pub const ALL: [Measure; 2] = [Measure::Sum, Measure::Program];

    pub fn name(self) -> &'static str {
        match self {
            Measure::Sum => "sum",
            Measure::Program => "program",
        }
    }
}

/// How long a step of the whole program takes.
impl Judged for u64 {
    const BY: Measure = Measure::Program;

    fn time_ps(self) -> u64 {
        self
    }
}

/// How good a plan is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Worth {
    /// How long a step takes.
    pub step_ps: u64,
    /// What a device holds.
    pub bytes: u64,
}

impl Judged for Worth {
    const BY: Measure = Measure::Program;

    fn time_ps(self) -> u64 {
        self.step_ps
    }
}

/// Whether `new` is taken in the place of `old`, where it has to save `gain` parts of 10,000 of the time: the one rule, of moves and of
/// variants.
pub fn is_better<J: Judged>(new: J, old: J, gain: i64) -> bool {
    if gain == 0 { new < old } else { new.time_ps() < below(old.time_ps(), gain) }
}

/// The time that what saves so many parts of 10,000 stays below.
fn below(old: u64, gain: i64) -> u64 {
    let part = u128::from(old) * u128::from(gain.unsigned_abs()) / 10_000;
    let part = u64::try_from(part).unwrap_or(u64::MAX);
    if gain < 0 { old.saturating_add(part) } else { old.saturating_sub(part) }
}

/// How a move went.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Count {
    pub tried: u64,
    pub won: u64,
    /// By how much steps became shorter where it won, in picoseconds of the measure.
    pub gained_ps: i64,
}

impl Count {
    fn add(&mut self, other: Count) {
        self.tried += other.tried;
        self.won += other.won;
        self.gained_ps = self.gained_ps.saturating_add(other.gained_ps);
    }
}

/// How all moves went, by move and measure.
#[derive(Clone, Default, Debug)]
pub struct Record([[Count; 2]; TABLE.len()]);

impl Record {
    /// Whether what a move leads to is taken in the place of what there is.
    pub fn accepts<J: Judged>(&mut self, of: Move, old: J, new: J) -> bool {
        let better = is_better(new, old, of.entry().gain);
        self.count(of, J::BY, better.then_some([old.time_ps(), new.time_ps()]));
        better
    }

    /// Notes a try; where it won, the time before and the time that it led to.
    pub fn count(&mut self, of: Move, by: Measure, won: Option<[u64; 2]>) {
        let gained = won.filter(|[old, _]| *old < u64::MAX).map_or(0, |[old, new]| old.wrapping_sub(new).cast_signed());
        self.0[of as usize][by as usize].add(Count { tried: 1, won: won.is_some().into(), gained_ps: gained });
    }

    /// Adds what was noted elsewhere.
    pub fn add(&mut self, other: &Record) {
        for (here, there) in self.0.iter_mut().flatten().zip(other.0.iter().flatten()) {
            here.add(*there);
        }
    }

    /// What was tried, in the order of the table.
    pub fn told(&self) -> impl Iterator<Item = (&'static MoveRow, Measure, Count)> {
        let each = TABLE.iter().zip(&self.0);
        let all = each.flat_map(|(e, counts)| Measure::ALL.map(|by| (e, by, counts[by as usize])));
        all.filter(|(_, _, count)| count.tried > 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_are_where_their_moves_say() {
        assert!(TABLE.iter().enumerate().all(|(i, e)| e.of as usize == i));
    }

    #[test]
    fn a_move_has_to_save_what_its_entry_says() {
        let mut record = Record::default();
        assert!(record.accepts(Move::Polish, 1_000_000u64, 999_999));
        assert!(!record.accepts(Move::Polish, 1_000_000u64, 1_000_000));
        assert!(!record.accepts(Move::Free, 1_000_000u64, 999_000));
        assert!(record.accepts(Move::Free, 1_000_000u64, 998_999));
        assert!(record.accepts(Move::Plain, 1_000_000u64, 1_002_499));
        assert!(!record.accepts(Move::Plain, 1_000_000u64, 1_002_500));
        let told: Vec<_> = record.told().map(|(e, _, c)| (e.name, c.tried, c.won, c.gained_ps)).collect();
        assert_eq!(told, [("plain", 2, 1, -2_499), ("polish", 2, 1, 1), ("free", 2, 1, 1_001)]);
    }
}
