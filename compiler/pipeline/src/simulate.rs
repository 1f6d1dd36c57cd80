//! When everything happens: an exact simulation in ticks, the bubble, and how many activations a rank keeps.
//!
//! A rank starts a cell when it is through with the one before and all inputs are there. A result made on another rank is
//! there [`PipelineTimes::communication`] after it was made; sends keep no rank busy, and transfers do not slow each other.
//! Where a table has sends and receives of its own, a transfer starts when both are posted, and posting takes no time.

use crate::action::{ActionKind, Cell, PipelineAction};
use crate::ends::send_of;
use crate::fraction::Fraction;
use crate::index::{Index, Spot};
use crate::order;
use crate::problem::PipelineProblem;
use crate::schedule::PipelineSchedule;
use crate::times::PipelineTimes;

/// One cell as it ran.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PipelineEvent {
    /// The cell's place in its row.
    pub slot: usize,
    /// In ticks.
    pub start: u64,
    pub end: u64,
}

/// How many activations a rank keeps at most. An activation is what one `F` of one stage leaves for its backward; a rank
/// with `v` stages has activations of a `v`-th of its layers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct InFlight {
    /// Counted from the start of `F` to the end of `B`, or of `W`: all of the activation stays until the weights' gradient
    /// is made.
    pub until_weights: u64,
    /// Counted from the start of `F` to the end of `B`, or of `I`: nothing stays for `W`. What a program really keeps lies
    /// between the two, since `I` releases what only the input's gradient needs.
    pub until_inputs: u64,
}

/// A table with times.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Simulation {
    /// For each rank, its computing cells in order.
    pub events: Vec<Vec<PipelineEvent>>,
    /// For each rank, the ticks that it computes.
    pub busy: Vec<u64>,
    /// The end of the last cell of all, in ticks; the start is 0.
    pub makespan: u64,
    /// For each rank.
    pub in_flight: Vec<InFlight>,
}

impl Simulation {
    /// From the start of a rank's first cell to the end of its last one.
    pub fn span(&self, rank: usize) -> u64 {
        let events = self.events.get(rank).map(Vec::as_slice).unwrap_or_default();
        events.last().map_or(0, |e| e.end) - events.first().map_or(0, |e| e.start)
    }

    /// How long a rank waits between its first and its last cell.
    pub fn waits(&self, rank: usize) -> u64 {
        self.span(rank) - self.busy.get(rank).copied().unwrap_or(0)
    }

    /// The rank that waits longest.
    pub fn worst(&self) -> usize {
        (0..self.busy.len()).rev().max_by_key(|r| self.waits(*r)).unwrap_or(0)
    }

    /// The bubble as the zero-bubble paper has it (section 2.3): the wait of the rank that waits longest, in ticks. Where
    /// ranks do not begin and end together this is less than what is idle in the makespan; the paper's optimizer step lets
    /// the next step begin in that time.
    pub fn bubble(&self) -> u64 {
        self.waits(self.worst())
    }

    /// The bubble as a share of that rank's span.
    pub fn bubble_share(&self) -> Fraction {
        Fraction::new(self.bubble(), self.span(self.worst()))
    }

    /// What all ranks together idle from 0 to the makespan, as a share of it.
    pub fn idle_share(&self) -> Fraction {
        let whole = self.makespan * self.busy.len() as u64;
        Fraction::new(whole - self.busy.iter().sum::<u64>(), whole)
    }

    /// The most that any rank keeps.
    pub fn most_in_flight(&self) -> InFlight {
        InFlight {
            until_weights: self.in_flight.iter().map(|i| i.until_weights).max().unwrap_or(0),
            until_inputs: self.in_flight.iter().map(|i| i.until_inputs).max().unwrap_or(0),
        }
    }
}

/// Runs a table.
///
/// # Errors
/// The deadlock of a table that does not come to its end even where no send waits. [`crate::check`] finds this and more.
pub fn simulate(schedule: &PipelineSchedule, times: &PipelineTimes) -> Result<Simulation, PipelineProblem> {
    let index = schedule.index();
    let passes =
        order::passes(schedule, &index).map_err(|cycle| PipelineProblem::Deadlock { delivery: None, cycle })?;
    let explicit = schedule.explicit();
    let mut ends: Vec<Vec<u64>> = schedule.rows().iter().map(|r| vec![0; r.len()]).collect();
    let mut now = vec![0; schedule.ranks()];
    let mut events = vec![Vec::new(); schedule.ranks()];
    // A pass runs only what earlier passes made ready, so ends are known before they are asked for.
    for (rank, slot) in passes.into_iter().flatten() {
        let cell = &schedule.rows()[rank][slot];
        let inputs = cell.actions().iter().filter(|a| !a.kind.transfers());
        let there = inputs.flat_map(|a| arrivals(&index, *a, rank, explicit, &ends, times)).max().unwrap_or(0);
        let start = there.max(now[rank]);
        let end = start + times.cell(cell);
        now[rank] = end;
        ends[rank][slot] = end;
        if cell.computes() {
            events[rank].push(PipelineEvent { slot, start, end });
        }
    }
    let busy = events.iter().map(|of: &Vec<PipelineEvent>| of.iter().map(|e| e.end - e.start).sum()).collect();
    let makespan = events.iter().filter_map(|of| of.last()).map(|e| e.end).max().unwrap_or(0);
    Ok(Simulation { events, busy, makespan, in_flight: schedule.rows().iter().map(|r| in_flight(r)).collect() })
}

/// When the inputs of a computation are on its rank.
fn arrivals(
    index: &Index,
    action: PipelineAction,
    rank: usize,
    explicit: bool,
    ends: &[Vec<u64>],
    times: &PipelineTimes,
) -> Vec<u64> {
    let end = |(rank, slot): Spot| ends[rank][slot];
    let one = |(maker, spot): (PipelineAction, Spot)| {
        if spot.0 == rank {
            return end(spot);
        }
        let receive = match maker.kind {
            ActionKind::F => ActionKind::RecvF,
            _ => ActionKind::RecvB,
        };
        let receive = PipelineAction { kind: receive, ..action };
        let posted = [send_of(receive), Some(receive)].into_iter().flatten().filter_map(|a| index.find(a)).map(end);
        let made = if explicit { posted.max().unwrap_or_else(|| end(spot)) } else { end(spot) };
        made + times.communication
    };
    index.inputs(action).into_iter().map(one).collect()
}

/// The activations that a row keeps. The order alone decides: a rank works through one cell at a time, and in an overlapped
/// pair the activation of the `F` comes before that of the backward goes.
pub fn in_flight(row: &[Cell]) -> InFlight {
    let (mut whole, mut inputs) = (0i64, 0i64);
    let mut most = InFlight::default();
    let count = |cell: &Cell, of: &[ActionKind]| {
        i64::try_from(cell.actions().iter().filter(|a| of.contains(&a.kind)).count()).unwrap_or(0)
    };
    for cell in row {
        let new = count(cell, &[ActionKind::F]);
        (whole, inputs) = (whole + new, inputs + new);
        most.until_weights = most.until_weights.max(u64::try_from(whole).unwrap_or(0));
        most.until_inputs = most.until_inputs.max(u64::try_from(inputs).unwrap_or(0));
        whole -= count(cell, &[ActionKind::B, ActionKind::W]);
        inputs -= count(cell, &[ActionKind::B, ActionKind::I]);
    }
    most
}
