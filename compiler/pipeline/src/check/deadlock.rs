//! Simulates a table with sends and receives under one [`Delivery`], and finds the cycle of waits if it stops.
//!
//! A row becomes *items* (computations, and sends and receives as groups), and each item goes into a *lane*, which works in
//! order: the rank itself, or a stream. The head of a lane starts when the items that it comes `after` are done. A group is
//! done when the other ends of all its transfers have started too. An item that may start may still start later, so the
//! order in which lanes are visited makes no difference.

use crate::action::{ActionKind, PipelineAction};
use crate::delivery::Delivery;
use crate::ends::{receive_of, send_of};
use crate::problem::{PipelineProblem, Waits, Where};
use crate::schedule::PipelineSchedule;
use std::collections::BTreeMap;

struct Item {
    at: Vec<Where>,
    lane: usize,
    /// Items of the same rank that must be done before.
    after: Vec<usize>,
    state: State,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Waiting,
    Started,
    Done,
}

struct Lanes {
    items: Vec<Item>,
    lanes: Vec<Vec<usize>>,
    /// The item that holds a send or a receive.
    holder: BTreeMap<PipelineAction, usize>,
    /// For each lane, how many of its items are done.
    next: Vec<usize>,
}

pub fn deadlock(schedule: &PipelineSchedule, delivery: Delivery) -> Option<PipelineProblem> {
    let mut lanes = Lanes::new(schedule, delivery);
    while lanes.progress() {}
    lanes.stuck().map(|item| PipelineProblem::Deadlock { delivery: Some(delivery), cycle: lanes.circle(item) })
}

fn other_end(action: PipelineAction) -> Option<PipelineAction> {
    receive_of(action).or_else(|| send_of(action))
}

impl Lanes {
    fn new(schedule: &PipelineSchedule, delivery: Delivery) -> Lanes {
        let ranks = schedule.ranks();
        // Lane 0 of a rank computes; then come the streams, one for each other rank.
        let mut all = Lanes {
            items: Vec::new(),
            lanes: vec![Vec::new(); ranks * (ranks + 1)],
            holder: BTreeMap::new(),
            next: vec![],
        };
        all.next = vec![0; all.lanes.len()];
        for (rank, row) in schedule.rows().iter().enumerate() {
            let base = rank * (ranks + 1);
            // The last computation, and the groups that are open: those with no computation since.
            let (mut computed, mut open): (Option<usize>, BTreeMap<usize, usize>) = (None, BTreeMap::new());
            for (slot, cell) in row.iter().enumerate().filter(|(_, c)| !c.actions().is_empty()) {
                let at: Vec<_> = cell.actions().iter().map(|a| Where { rank, slot, action: *a }).collect();
                let transfers = cell.actions().iter().any(|a| a.kind.transfers());
                if !transfers {
                    let after = cell.actions().iter().flat_map(|a| all.receives(*a)).collect();
                    computed = Some(all.push(Item { at, lane: base, after, state: State::Waiting }));
                    open.clear();
                    continue;
                }
                let (lane, grouped) = match delivery {
                    Delivery::Blocking => (base, false),
                    Delivery::Nccl { stream_per_pair: false, grouped } => (base + 1, grouped),
                    Delivery::Nccl { grouped, .. } => (base + 1 + peer(schedule, &at).unwrap_or(rank), grouped),
                };
                match open.get(&lane).filter(|_| grouped) {
                    Some(group) => all.join(*group, at),
                    None => {
                        let item =
                            all.push(Item { at, lane, after: computed.into_iter().collect(), state: State::Waiting });
                        open.insert(lane, item);
                    }
                }
            }
        }
        all
    }

    fn push(&mut self, item: Item) -> usize {
        let number = self.items.len();
        self.lanes[item.lane].push(number);
        self.holder.extend(item.at.iter().filter(|w| w.action.kind.transfers()).map(|w| (w.action, number)));
        self.items.push(item);
        number
    }

    fn join(&mut self, group: usize, at: Vec<Where>) {
        self.holder.extend(at.iter().map(|w| (w.action, group)));
        self.items[group].at.extend(at);
    }

    /// The items that bring an action its inputs.
    fn receives(&self, action: PipelineAction) -> Vec<usize> {
        let kind = match action.kind {
            ActionKind::F => ActionKind::RecvF,
            ActionKind::I | ActionKind::B => ActionKind::RecvB,
            _ => return Vec::new(),
        };
        self.holder.get(&PipelineAction { kind, ..action }).copied().into_iter().collect()
    }

    /// Starts and ends what can be; whether anything was.
    fn progress(&mut self) -> bool {
        let mut any = false;
        for lane in 0..self.lanes.len() {
            while let Some(&head) = self.lanes[lane].get(self.next[lane]) {
                if self.items[head].state == State::Waiting
                    && self.items[head].after.iter().all(|i| self.items[*i].state == State::Done)
                {
                    self.items[head].state = State::Started;
                    any = true;
                }
                if self.items[head].state != State::Started || self.unmet(head).is_some() {
                    break;
                }
                self.items[head].state = State::Done;
                self.next[lane] += 1;
                any = true;
            }
        }
        any
    }

    /// The first transfer of an item whose other end has not started, and the item of that end.
    fn unmet(&self, item: usize) -> Option<(Where, usize)> {
        let transfers = self.items[item].at.iter().filter(|w| w.action.kind.transfers());
        let ends = transfers.filter_map(|w| Some((*w, *self.holder.get(&other_end(w.action)?)?)));
        ends.into_iter().find(|(_, end)| self.items[*end].state == State::Waiting)
    }

    fn stuck(&self) -> Option<usize> {
        (0..self.lanes.len()).find_map(|l| self.lanes[l].get(self.next[l]).copied())
    }

    /// Follows waits from a stuck item until one comes up again. Every stuck item waits for a stuck item.
    fn circle(&self, start: usize) -> Vec<Waits> {
        let mut path: Vec<(usize, Waits)> = Vec::new();
        let mut item = start;
        loop {
            if let Some(from) = path.iter().position(|(i, _)| *i == item) {
                return path.drain(from..).map(|(_, w)| w).collect();
            }
            let Some((next, waits)) = self.wait(item) else { return path.into_iter().map(|(_, w)| w).collect() };
            path.push((item, waits));
            item = next;
        }
    }

    fn wait(&self, item: usize) -> Option<(usize, Waits)> {
        let Item { at, lane, after, state } = &self.items[item];
        let me = *at.first()?;
        let head = *self.lanes[*lane].get(self.next[*lane])?;
        if head != item {
            return Some((head, Waits { who: me, why: "comes after", whom: *self.items[head].at.first()? }));
        }
        if *state == State::Started {
            let (mine, end) = self.unmet(item)?;
            let theirs = self.items[end].at.iter().find(|w| Some(w.action) == other_end(mine.action))?;
            return Some((end, Waits { who: mine, why: "waits for", whom: *theirs }));
        }
        let first = after.iter().copied().find(|i| self.items[*i].state != State::Done)?;
        Some((first, Waits { who: me, why: "waits for", whom: *self.items[first].at.first()? }))
    }
}

/// The rank at the other end of a send or receive.
fn peer(schedule: &PipelineSchedule, at: &[Where]) -> Option<usize> {
    let end = other_end(at.first()?.action)?;
    schedule.placement().rank(end.stage, end.microbatch).map(|r| r as usize)
}
