//! Searches for a zero-bubble order that suits given times and a limit of memory (after Qi et al., arXiv 2401.10241, section
//! 3.1, which starts from the same observation: few knobs of a greedy order are enough).
//!
//! A greedy run builds the table in the order of time. A rank that is free does an `I` if one is there, else an `F` if one is
//! there and it may have one more, else a `W`. The knobs are
//!
//! - how many forwards a rank may be ahead of its `I`: from p-r (1F1B) over 2(p-r)-1 (ZB-H2) to all that memory allows;
//! - whether an `F` goes before an `I` while fewer than that are ahead;
//! - which `W` fill a wait: any, only one that ends before the next input is known to come, or none but those that memory
//!   or the end demands; and whether a rank does each `W` at once when more are due than a number that grows with its rank.
//!
//! All combinations run, and so do the orders of 1F1B, ZB-H1 and ZB-H2 where they keep the limit. The least bubble wins,
//! then the shortest makespan, then the least memory, then the first. So the result is never worse than those that fit.

use super::request::{ScheduleEntry, ScheduleRequest, StatedFigures};
use super::zero_bubble::rows;
use crate::action::{ActionKind, Cell};
use crate::placement::StagePlacement;
use crate::schedule::PipelineSchedule;
use crate::simulate::simulate;
use crate::times::PipelineTimes;
use std::fmt;

pub const SEARCH: ScheduleEntry = ScheduleEntry {
    name: "search",
    about: "the best zero-bubble order that a search finds for given times and memory",
    domain: "any p and m; memory is at least 1",
    source: "Zero Bubble, arXiv 2401.10241, section 3.1",
    formula: "",
    virtual_stages: Some(1),
    make: |r| search(r.ranks, r.microbatches, &r.times, r.memory).map_err(|e| e.to_string()),
    stated: |_| StatedFigures { bubble: None, in_flight: None },
};

/// There is no order that keeps nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SearchRefused;

impl fmt::Display for SearchRefused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a rank keeps at least one activation")
    }
}

impl std::error::Error for SearchRefused {}

/// The best order found of `F`, `I` and `W` on one stage for each rank. `memory` limits the activations that a rank keeps
/// from `F` until `W`.
///
/// # Errors
/// A limit of 0, and no ranks.
pub fn search(
    ranks: u32,
    microbatches: u32,
    times: &PipelineTimes,
    memory: Option<u64>,
) -> Result<PipelineSchedule, SearchRefused> {
    let limit = u32::try_from(memory.unwrap_or(u64::MAX)).unwrap_or(u32::MAX).min(microbatches);
    if limit == 0 || ranks == 0 {
        return Err(SearchRefused);
    }
    let request = ScheduleRequest { times: times.clone(), ..ScheduleRequest::of(ranks, microbatches) };
    let known = [
        rows("search", &request, |p, r| p - r, |_| 0),
        rows("search", &request, |p, r| p - r, |r| r),
        rows("search", &request, |p, r| 2 * (p - r) - 1, |r| 2 * r),
    ];
    let greedy = knobs().into_iter().map(|k| Greedy::new(ranks, microbatches, limit, times, k).run());
    let mut best: Option<([u64; 3], PipelineSchedule)> = None;
    for candidate in known.into_iter().chain(greedy) {
        let Ok(run) = simulate(&candidate, times) else { continue };
        let kept = run.most_in_flight().until_weights;
        let score = [run.bubble(), run.makespan, kept];
        if kept <= u64::from(limit) && best.as_ref().is_none_or(|(s, _)| score < *s) {
            best = Some((score, candidate));
        }
    }
    best.map(|(_, schedule)| schedule).ok_or(SearchRefused)
}

/// When a `W` may fill a wait.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Fill {
    Any,
    Fitting,
    Never,
}

#[derive(Clone, Copy)]
struct Knobs {
    /// Forwards ahead, in halves of (p-1-r), beside the one.
    ahead: u32,
    forward_first: bool,
    fill: Fill,
    /// `W` that stay due, in halves of the rank's number; more are done at once.
    due: Option<u32>,
}

fn knobs() -> Vec<Knobs> {
    let mut all = Vec::new();
    for ahead in [2, 3, 4, 6, u32::MAX] {
        for forward_first in [false, true] {
            for fill in [Fill::Any, Fill::Fitting, Fill::Never] {
                for due in [None, Some(0), Some(2), Some(4)] {
                    all.push(Knobs { ahead, forward_first, fill, due });
                }
            }
        }
    }
    all
}

/// One rank of a greedy run.
#[derive(Clone, Default)]
struct RankState {
    now: u64,
    /// How many `F`, `I` and `W` it has done.
    f: u32,
    i: u32,
    w: u32,
    /// When the k-th `F` and `I` ended.
    f_ends: Vec<u64>,
    i_ends: Vec<u64>,
    cells: Vec<Cell>,
}

struct Greedy<'a> {
    times: &'a PipelineTimes,
    knobs: Knobs,
    microbatches: u32,
    limit: u32,
    ranks: Vec<RankState>,
}

impl Greedy<'_> {
    fn new(ranks: u32, microbatches: u32, limit: u32, times: &PipelineTimes, knobs: Knobs) -> Greedy<'_> {
        Greedy { times, knobs, microbatches, limit, ranks: vec![RankState::default(); ranks as usize] }
    }

    /// The rank that is free first acts first, so that all it can know of has been decided.
    fn run(mut self) -> PipelineSchedule {
        let total = self.microbatches;
        while let Some(rank) =
            (0..self.ranks.len()).filter(|r| self.ranks[*r].w < total).min_by_key(|r| self.ranks[*r].now)
        {
            match self.choose(rank) {
                Some(kind) => self.put(rank, kind),
                None => self.wait(rank),
            }
        }
        let placement = StagePlacement::looped(u32::try_from(self.ranks.len()).unwrap_or(u32::MAX), 1, total);
        PipelineSchedule::new("search", placement, self.ranks.into_iter().map(|r| r.cells).collect())
    }

    /// When the input of the next `F` is there; `None` where that is not known yet, or there is none left.
    fn f_comes(&self, rank: usize) -> Option<u64> {
        let of = &self.ranks[rank];
        if of.f == self.microbatches {
            return None;
        }
        let Some(before) = rank.checked_sub(1) else { return Some(0) };
        self.ranks[before].f_ends.get(of.f as usize).map(|t| t + self.times.communication)
    }

    /// The same for the next `I`.
    fn i_comes(&self, rank: usize) -> Option<u64> {
        let of = &self.ranks[rank];
        let own = of.f_ends.get(of.i as usize)?;
        match self.ranks.get(rank + 1) {
            None => Some(*own),
            Some(next) => next.i_ends.get(of.i as usize).map(|t| t + self.times.communication),
        }
    }

    fn choose(&self, rank: usize) -> Option<ActionKind> {
        let of = &self.ranks[rank];
        let behind = u32::try_from(self.ranks.len() - 1 - rank).unwrap_or(0);
        let ahead = (u64::from(self.knobs.ahead) * u64::from(behind) / 2).saturating_add(1);
        let room = of.f - of.w < self.limit;
        let due = of.i - of.w;
        let here = |t: Option<u64>| t.is_some_and(|t| t <= of.now);
        let f = here(self.f_comes(rank)) && room && u64::from(of.f - of.i) < ahead;
        let i = here(self.i_comes(rank));
        let stay = self.knobs.due.map(|d| d * u32::try_from(rank).unwrap_or(0) / 2);
        if due > 0 && stay.is_some_and(|s| due > s) {
            return Some(ActionKind::W);
        }
        if f && i {
            return Some(if self.knobs.forward_first { ActionKind::F } else { ActionKind::I });
        }
        if i || f {
            return Some(if i { ActionKind::I } else { ActionKind::F });
        }
        if due == 0 {
            return None;
        }
        let next =
            [self.f_comes(rank).filter(|_| room), self.i_comes(rank)].into_iter().flatten().filter(|t| *t > of.now);
        let w = self.times.stage(u32::try_from(rank).unwrap_or(0)).w;
        let demanded = !room || of.i == self.microbatches;
        let fills = match self.knobs.fill {
            Fill::Any => true,
            Fill::Fitting => next.min().is_none_or(|t| of.now + w <= t),
            Fill::Never => false,
        };
        (fills || demanded).then_some(ActionKind::W)
    }

    fn put(&mut self, rank: usize, kind: ActionKind) {
        let stage = u32::try_from(rank).unwrap_or(0);
        let t = self.times.stage(stage);
        let of = &mut self.ranks[rank];
        let (count, took) = match kind {
            ActionKind::F => (&mut of.f, t.f),
            ActionKind::I => (&mut of.i, t.i),
            _ => (&mut of.w, t.w),
        };
        of.cells.push(Cell::one(stage, kind, *count));
        *count += 1;
        of.now += took;
        match kind {
            ActionKind::F => of.f_ends.push(of.now),
            ActionKind::I => of.i_ends.push(of.now),
            _ => {}
        }
    }

    /// Nothing to do: on to the next input that is known to come, or to when another rank is free and may make one. If all
    /// others are through with their work or wait at this very point, a `W` is left to do.
    fn wait(&mut self, rank: usize) {
        let now = self.ranks[rank].now;
        let comes = [self.f_comes(rank), self.i_comes(rank)].into_iter().flatten();
        let total = self.microbatches;
        let others = self.ranks.iter().enumerate().filter(|(r, of)| *r != rank && of.w < total).map(|(_, of)| of.now);
        match comes.chain(others).filter(|t| *t > now).min() {
            Some(next) => self.ranks[rank].now = next,
            None => self.move_on(rank, now),
        }
    }

    /// No event lies ahead. Another rank that is free at the same time goes first; if none can act, a `W` that was held back
    /// is done, or the forward that only its place ahead held back.
    fn move_on(&mut self, rank: usize, now: u64) {
        let able = (0..self.ranks.len()).find(|r| {
            *r != rank && self.ranks[*r].now == now && self.ranks[*r].w < self.microbatches && self.choose(*r).is_some()
        });
        let of = &self.ranks[rank];
        if let Some(other) = able {
            if let Some(kind) = self.choose(other) {
                self.put(other, kind);
            }
        } else if of.i > of.w {
            self.put(rank, ActionKind::W);
        } else {
            self.ranks[rank].now = now + 1;
        }
    }
}
