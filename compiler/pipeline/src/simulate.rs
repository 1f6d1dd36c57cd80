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
    Ok(Simulator::new(schedule)?.run(times))
}

/// A table that is run more than once, with other times: what each cell waits for is found out once.
pub struct Simulator<'s> {
    schedule: &'s PipelineSchedule,
    /// In an order in which all inputs of a cell come before it.
    cells: Vec<Ready>,
    in_flight: Vec<InFlight>,
}

/// A cell, and the places in that order of what it waits for; true where that comes from another rank.
struct Ready {
    rank: usize,
    slot: usize,
    inputs: Vec<(u32, bool)>,
}

impl<'s> Simulator<'s> {
    /// # Errors
    /// Those of [`simulate`].
    pub fn new(schedule: &'s PipelineSchedule) -> Result<Simulator<'s>, PipelineProblem> {
        let index = schedule.index();
        let passes =
            order::passes(schedule, &index).map_err(|cycle| PipelineProblem::Deadlock { delivery: None, cycle })?;
        let explicit = schedule.explicit();
        let rows = schedule.rows();
        let mut places: Vec<Vec<u32>> = rows.iter().map(|r| vec![0; r.len()]).collect();
        let mut cells: Vec<Ready> = Vec::new();
        // A pass runs only what earlier passes made ready, so the places of inputs are known before they are asked for.
        for (rank, slot) in passes.into_iter().flatten() {
            let own = rows[rank][slot].actions().iter().filter(|a| !a.kind.transfers());
            let inputs = own.flat_map(|a| arrivals(&index, *a, rank, explicit));
            let inputs = inputs.map(|((r, s), far)| (places[r][s], far)).collect();
            places[rank][slot] = cells.len() as u32;
            cells.push(Ready { rank, slot, inputs });
        }
        Ok(Simulator { schedule, cells, in_flight: rows.iter().map(|r| in_flight(r)).collect() })
    }

    /// How many cells there are.
    pub fn cells(&self) -> usize {
        self.cells.len()
    }

    pub fn run(&self, times: &PipelineTimes) -> Simulation {
        let rows = self.schedule.rows();
        let mut ends: Vec<u64> = Vec::with_capacity(self.cells.len());
        let mut now = vec![0; rows.len()];
        let mut events: Vec<Vec<PipelineEvent>> = rows.iter().map(|r| Vec::with_capacity(r.len())).collect();
        for c in &self.cells {
            let cell = &rows[c.rank][c.slot];
            let at = |(i, far): &(u32, bool)| ends[*i as usize] + if *far { times.communication } else { 0 };
            let start = c.inputs.iter().map(at).max().unwrap_or(0).max(now[c.rank]);
            let end = start + times.cell(cell);
            now[c.rank] = end;
            ends.push(end);
            if cell.computes() {
                events[c.rank].push(PipelineEvent { slot: c.slot, start, end });
            }
        }
        let busy = events.iter().map(|of| of.iter().map(|e| e.end - e.start).sum()).collect();
        let makespan = events.iter().filter_map(|of| of.last()).map(|e| e.end).max().unwrap_or(0);
        Simulation { events, busy, makespan, in_flight: self.in_flight.clone() }
    }
}

/// What brings the inputs of a computation to its rank, and whether that comes from another one.
fn arrivals(index: &Index, action: PipelineAction, rank: usize, explicit: bool) -> Vec<(Spot, bool)> {
    let mut all = Vec::new();
    for (maker, spot) in index.inputs(action) {
        if spot.0 == rank {
            all.push((spot, false));
            continue;
        }
        let receive = match maker.kind {
            ActionKind::F => ActionKind::RecvF,
            _ => ActionKind::RecvB,
        };
        let receive = PipelineAction { kind: receive, ..action };
        let posted = [send_of(receive), Some(receive)].into_iter().flatten().filter_map(|a| index.find(a));
        let posted: Vec<Spot> = posted.filter(|_| explicit).collect();
        match posted.is_empty() {
            true => all.push((spot, true)),
            false => all.extend(posted.into_iter().map(|s| (s, true))),
        }
    }
    all
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
