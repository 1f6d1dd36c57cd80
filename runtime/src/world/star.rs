//! Meetings of processes that share no memory. They go over the connections to rank 0, which hears and answers all others.
//!
//! What goes this way is small and rare: that a step is done, the number by which NCCL's ranks find each other, a
//! tensor that is saved. The tensors of a step go by NCCL or MPI, where a process that waits cannot tell which process
//! it waits for. So each rank also says now and then where it is ([`RankPosition`]). When rank 0 is asked why nothing
//! happens, it asks all ranks. A rank that does not answer has stopped. If all answer, the others wait for the one
//! that is furthest behind, since all ranks come to the same places in the same order.

use super::control::Late;
use super::spot::Spot;
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Bytes that are handed around at once.
pub const PIECE: usize = 1 << 20;
/// The longest time that a rank takes to answer, if it answers at all.
pub const ANSWER: Duration = Duration::from_secs(2);

/// Where a rank is. Ranks are compared by the first two.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct RankPosition {
    /// Meetings and collectives that it came to.
    pub came: u64,
    /// Collectives that its GPU has begun since then.
    pub begun: u64,
    /// The last of these, as [`Spot`].
    pub spot: u64,
    /// The rank that it waits for at a wire of a pipeline, and 1; 0 where it waits for none.
    pub waits: u64,
}

impl RankPosition {
    pub fn spot(&self) -> Spot {
        Spot(self.spot)
    }
}

pub struct Star {
    size: usize,
    state: Mutex<State>,
    changed: Condvar,
}

struct State {
    /// What each rank handed over, oldest first.
    inbox: Vec<VecDeque<Vec<u8>>>,
    at: Vec<RankPosition>,
    /// Who has answered since everybody was asked.
    answered: Vec<bool>,
}

impl Star {
    pub fn new(size: usize) -> Star {
        let state = State {
            inbox: vec![VecDeque::new(); size],
            at: vec![RankPosition::default(); size],
            answered: vec![false; size],
        };
        Star { size, state: Mutex::new(state), changed: Condvar::new() }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until `ready`; false if that is not within the time.
    fn until(&self, timeout: Duration, mut ready: impl FnMut(&mut State) -> bool) -> bool {
        let (start, mut state) = (Instant::now(), self.state());
        loop {
            if ready(&mut state) {
                return true;
            }
            let Some(left) = timeout.checked_sub(start.elapsed()).filter(|d| !d.is_zero()) else { return false };
            state = self.changed.wait_timeout(state, left).unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// A rank hands over bytes.
    pub fn deliver(&self, from: usize, bytes: Vec<u8>) {
        if let Some(inbox) = self.state().inbox.get_mut(from) {
            inbox.push_back(bytes);
        }
        self.changed.notify_all();
    }

    /// A rank says where it is. `asked` if that is an answer.
    pub fn seen(&self, from: usize, at: RankPosition, asked: bool) {
        let mut state = self.state();
        if from < self.size {
            state.at[from] = at;
            state.answered[from] |= asked;
        }
        drop(state);
        self.changed.notify_all();
    }

    /// Where a rank was last seen.
    pub fn last(&self, rank: usize) -> RankPosition {
        self.state().at.get(rank).copied().unwrap_or_default()
    }

    /// What one rank handed over.
    ///
    /// # Errors
    /// Nothing came in time.
    pub fn take(&self, from: usize, timeout: Duration) -> Result<Vec<u8>, Late> {
        let mut taken = None;
        self.until(timeout, |s| {
            taken = s.inbox[from].pop_front();
            taken.is_some()
        });
        taken.ok_or_else(|| vec![from])
    }

    /// What all others handed over, on rank 0.
    ///
    /// # Errors
    /// The ranks that are not there in time.
    pub fn take_all(&self, timeout: Duration) -> Result<Vec<Vec<u8>>, Late> {
        let there = self.until(timeout, |s| s.inbox[1..].iter().all(|i| !i.is_empty()));
        let mut state = self.state();
        if !there {
            return Err((1..self.size).filter(|&r| state.inbox[r].is_empty()).collect());
        }
        Ok(state.inbox[1..].iter_mut().filter_map(VecDeque::pop_front).collect())
    }

    /// From now on, answers count.
    pub fn ask(&self) {
        self.state().answered.fill(false);
    }

    /// The ranks that all others wait for, after every rank but rank 0 and the one that `asks` was asked: those that do not answer,
    /// else those that are furthest behind. None if all are at the same place.
    ///
    /// The ranks of a pipeline come to places of their own, and are found by whom they wait for ([`State::behind`]).
    pub fn judge(&self, asks: usize) -> Late {
        let known = [0, asks];
        let others = |s: &State| (0..s.at.len()).filter(|r| !known.contains(r) && !s.answered[*r]).collect::<Late>();
        self.until(ANSWER, |s| others(s).is_empty());
        let state = self.state();
        let silent = others(&state);
        if !silent.is_empty() {
            return silent;
        }
        let place = |r: usize| (state.at[r].came, state.at[r].begun);
        let furthest = |among: &[usize]| {
            let last = among.iter().map(|&r| place(r)).min();
            among.iter().copied().filter(|&r| Some(place(r)) == last).collect::<Late>()
        };
        let all: Late = (0..self.size).collect();
        if state.at.iter().any(|p| p.waits > 0) {
            return behind(&state.at, asks, asks);
        }
        let last = furthest(&all);
        if last.len() == self.size { Vec::new() } else { last }
    }
}

/// Whom a rank of a pipeline waits for: the rank at the end of its chain of waits at wires. Where others that run the same
/// program are behind that one, it waits for them at a collective; or for one of them that waits at a wire itself. A rank that has
/// not begun the step of that one is behind it too. A chain ends before the rank that `asks`: who is stopped may look as if it
/// still waited for that one. It starts at `from`.
pub fn behind(at: &[RankPosition], from: usize, asks: usize) -> Late {
    let program = |r: usize| at[r].spot >> 56;
    let step = |r: usize| at[r].spot & 0xffff_ffff;
    let place = |r: usize| (at[r].came, at[r].begun);
    let (mut rank, mut seen) = (from, Vec::new());
    loop {
        let end = end(at, rank, asks);
        seen.push(end);
        let mates: Late =
            (0..at.len()).filter(|&r| r != end && program(r) != 0 && program(r) == program(end)).collect();
        let late: Late = mates.iter().copied().filter(|&r| at[r].waits == 0 && place(r) < place(end)).collect();
        if !late.is_empty() {
            let last = late.iter().map(|&r| place(r)).min();
            return late.into_iter().filter(|&r| Some(place(r)) == last).collect();
        }
        let outside = |r: &usize| program(*r) == 0 && at[*r].waits == 0 && step(*r) < step(end);
        let late: Late = (0..at.len()).filter(outside).collect();
        if at[end].spot().is_collective() && !late.is_empty() {
            return late;
        }
        match mates.into_iter().find(|&r| at[r].waits > 0 && !seen.contains(&self::end(at, r, asks))) {
            Some(mate) => rank = mate,
            None => return if end == from { Vec::new() } else { vec![end] },
        }
    }
}

/// Whom a rank waits for that waits for what another one sends, and so on: the rank that does not wait.
fn end(at: &[RankPosition], mut rank: usize, asks: usize) -> usize {
    for _ in 0..at.len() {
        match at[rank].waits.checked_sub(1).map(|r| r as usize) {
            Some(next) if next < at.len() && next != asks => rank = next,
            _ => break,
        }
    }
    rank
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whom_all_wait_for() {
        let at = |came, begun| RankPosition { came, begun, ..RankPosition::default() };
        let star = Star::new(4);
        star.ask();
        for (rank, p) in [at(7, 3), at(7, 2), at(6, 9), at(7, 3)].into_iter().enumerate() {
            star.seen(rank, p, true);
        }
        assert_eq!(star.judge(0), [2], "furthest back");
        star.seen(2, at(7, 3), true);
        assert_eq!(star.judge(0), [1]);
        star.seen(1, at(7, 3), true);
        assert_eq!(star.judge(0), Vec::<usize>::new(), "it is nobody's fault");
        star.ask();
        for rank in [0, 1, 2] {
            star.seen(rank, at(9, 0), true);
        }
        star.seen(3, at(9, 0), false);
        assert_eq!(star.judge(0), [3], "a heartbeat is no answer");
        assert_eq!(star.take(1, Duration::from_millis(1)), Err(vec![1]));
        star.deliver(1, vec![1]);
        star.deliver(3, vec![3]);
        assert_eq!(star.take_all(Duration::from_millis(1)), Err(vec![2]));
        star.deliver(2, vec![2]);
        assert_eq!(star.take_all(Duration::from_millis(1)), Ok(vec![vec![1], vec![2], vec![3]]));
    }

    /// Two ranks of a pipeline, each on two devices: ranks 0 and 1 have the first program, 2 and 3 the second.
    #[test]
    fn whom_the_ranks_of_a_pipeline_wait_for() {
        let all = |at: [(u64, u64); 4]| {
            let star = Star::new(4);
            for (rank, (came, waits)) in at.into_iter().enumerate() {
                star.seen(rank, RankPosition { came, begun: 0, spot: (1 + rank as u64 / 2) << 56, waits }, true);
            }
            move |asks| {
                (0..4).for_each(|rank| star.seen(rank, star.last(rank), true));
                star.judge(asks)
            }
        };
        // Rank 3 computes; rank 1 waits for it at a wire, ranks 0 and 2 at collectives. The second program has more of them.
        let judge = all([(5, 0), (4, 4), (9, 0), (8, 0)]);
        assert_eq!((judge(0), judge(2), judge(1)), (vec![3], vec![3], vec![3]));
        // Ranks 0 and 1 wait at wires, and rank 2 for rank 3.
        let judge = all([(4, 3), (4, 4), (9, 0), (8, 0)]);
        assert_eq!((judge(0), judge(1), judge(2)), (vec![3], vec![3], vec![3]));
        // Rank 1 computes.
        let judge = all([(5, 0), (4, 0), (9, 0), (8, 2)]);
        assert_eq!((judge(0), judge(2), judge(3)), (vec![1], vec![1], vec![1]));
    }

    /// Rank 0 waits at a wire for rank 2, which waits at a collective for rank 3: that one has not begun the step, or is in an action
    /// before the collective.
    #[test]
    fn who_has_not_come_to_a_collective_of_a_stage() {
        let of = |program: u64, what: u64, step: u64| program << 56 | what << 32 | step;
        let judge = |last: u64, came: u64| {
            let mut at = [RankPosition::default(); 4];
            at[0] = RankPosition { came: 3, spot: of(1, 1 << 23, 7), waits: 3, ..at[0] };
            at[1] = RankPosition { came: 3, spot: of(1, 1 << 23, 7), waits: 4, ..at[1] };
            at[2] = RankPosition { came: 9, spot: of(2, 5, 7), ..at[2] };
            at[3] = RankPosition { came, spot: last, ..at[3] };
            behind(&at, 0, 0)
        };
        assert_eq!(judge(of(2, 1 << 23, 7), 8), [3], "in an action");
        assert_eq!(judge(of(0, 1, 6), 8), [3], "before the step");
        assert_eq!(judge(of(0, 1, 7), 9), [2], "after it: rank 2 is late itself");
        assert_eq!(judge(of(2, 5, 7), 9), [2], "at the same collective");
    }
}
