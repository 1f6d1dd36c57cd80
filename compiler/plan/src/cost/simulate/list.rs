//! A list schedule of the iterations of a loop over streams. What runs is given as [`LoopTasks`].
//!
//! Whenever a stream is free it takes, of the tasks whose operands are there, the one with the longest way to the end.
//! Iterations overlap: the tasks of an iteration are admitted when the iteration [`WINDOW`] before it has ended, since a
//! device holds the values of so many. The way to the end is that to the end of [`WINDOW`] iterations, the task's own among
//! them; of the same task in the next iteration it is shorter by what an iteration adds to the longest way.
//!
//! All iterations are scheduled. Where the state at the admission of an iteration is that of an earlier one, the iterations
//! between the two are a period, and equal periods are skipped. States are equal if the same tasks are open, and times
//! differ by no more than a small part of the period. So the work seldom grows with the trip count.
//!
//! Not here: prices, programs.

use super::exposed::Exposed;
use super::tasks::{LoopRun, LoopTasks, TaskPlace, TaskStart, WINDOW};
use smallvec::SmallVec;
use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap, VecDeque};

/// A collective is small, and worth starting together with others, while its bytes take less than this many latencies. The
/// scheduler knows no latencies, and stops at so many bytes ([`meshloom_lower::call::CALL_BYTES`]).
const SMALL: u64 = 8;
/// States that differ by less than this part of the period are equal.
const ALIKE: i128 = 4096;
/// Periods are at most so many iterations long.
const PERIODS: usize = 4;
/// Iterations after which what the second half of them took is taken for a period.
const SCHEDULED: u64 = 256;

/// The schedule of all iterations. What of each collective is exposed is only said where that is asked for.
pub fn run(l: &LoopTasks, exposed: bool) -> LoopRun {
    let mut list = List::new(l);
    list.exposed = exposed.then(|| Exposed::new(l.tasks.len()));
    for _ in 0..WINDOW {
        list.admit_next();
    }
    while list.next() {}
    if let Some(mut exposed) = list.exposed {
        exposed.idle(list.free[0], list.run.end, u64::MAX);
        list.run.exposed = exposed.ps;
    }
    list.run.end = list.run.end.saturating_add(list.skipped);
    list.run
}

/// By task, the longest way to the end of [`WINDOW`] iterations, its own the first; and what one more of them adds.
fn heights(l: &LoopTasks) -> (Vec<u64>, u64) {
    let mut of: Vec<Vec<u64>> = Vec::new();
    for left in 1..=WINDOW {
        let mut here = vec![0u64; l.tasks.len()];
        for (i, t) in l.tasks.iter().enumerate() {
            for &(d, s) in t.reads.iter().filter(|r| r.0 > 0 && r.0 < left) {
                let after: &Vec<u64> = &of[(left - d - 1) as usize];
                here[s as usize] = here[s as usize].max(after[i]);
            }
        }
        // Readers come later in the list.
        for (i, t) in l.tasks.iter().enumerate().rev() {
            here[i] = here[i].saturating_add(t.whole());
            for &(_, s) in t.reads.iter().filter(|r| r.0 == 0) {
                here[s as usize] = here[s as usize].max(here[i]);
            }
        }
        of.push(here);
    }
    let longest = |h: &[u64]| h.iter().copied().max().unwrap_or(0);
    let adds = longest(&of[2]).saturating_sub(longest(&of[1]));
    (of.swap_remove(2), adds)
}

/// The tasks of one iteration that is open.
#[derive(Clone, Default)]
struct Open {
    iteration: u64,
    /// Operands whose end is not known.
    waits: Vec<u32>,
    ready: Vec<u64>,
    ends: Vec<Option<u64>>,
    left: usize,
    end: u64,
}

/// A task, by what it is chosen by: the way to the end, the iteration, the order of the program.
type Key = (Reverse<i128>, u64, u32);

/// Tasks of one stream whose operands are known.
#[derive(Default)]
struct Queue {
    /// By the time when their operands are there.
    later: BinaryHeap<Reverse<(u64, u64, u32)>>,
    /// Whose operands are there.
    now: BTreeSet<Key>,
}

/// What there was of the schedule when an iteration was admitted.
#[derive(Clone)]
struct Seen {
    iteration: u64,
    base: u64,
    busy: Vec<u64>,
    exposed: Vec<u64>,
}

/// The state when an iteration is admitted.
struct Mark {
    seen: Seen,
    /// Operands that are waited for, by task; `None` for what is done.
    open: Vec<Option<u32>>,
    /// Relative to `base`.
    times: Vec<i128>,
}

struct List<'a> {
    l: &'a LoopTasks,
    heights: Vec<u64>,
    adds: u64,
    /// By task: iterations later, and the task that waits for it.
    readers: Vec<SmallVec<[(u64, u32); 4]>>,
    free: Vec<u64>,
    queue: Vec<Queue>,
    ring: Vec<Open>,
    /// Iterations, without those that are skipped.
    trip: u64,
    admitted: u64,
    /// The end of all iterations before the window.
    base: u64,
    now: u64,
    marks: VecDeque<Mark>,
    half: Option<Seen>,
    skipped: u64,
    done: bool,
    exposed: Option<Exposed>,
    run: LoopRun,
}

impl<'a> List<'a> {
    fn new(l: &'a LoopTasks) -> List<'a> {
        let (heights, adds) = heights(l);
        let mut readers = vec![SmallVec::new(); l.tasks.len()];
        for (i, t) in l.tasks.iter().enumerate() {
            for &(d, s) in t.reads.iter().filter(|r| r.0 < WINDOW) {
                readers[s as usize].push((d, i as u32));
            }
        }
        let streams = if l.shared { 1 } else { l.lanes };
        List {
            l,
            heights,
            adds,
            readers,
            free: vec![0; streams],
            queue: (0..streams).map(|_| Queue::default()).collect(),
            ring: vec![Open::default(); WINDOW as usize],
            trip: l.trip,
            admitted: 0,
            base: 0,
            now: 0,
            marks: VecDeque::new(),
            half: None,
            skipped: 0,
            done: false,
            exposed: None,
            run: LoopRun {
                end: 0,
                busy: vec![0; l.lanes],
                exposed: Vec::new(),
                starts: Vec::new(),
                computed: Vec::new(),
            },
        }
    }

    fn slot(&self, iteration: u64) -> usize {
        (iteration % WINDOW) as usize
    }

    /// The next iteration, if the one [`WINDOW`] before it has ended.
    fn admit_next(&mut self) {
        let n = self.l.tasks.len();
        while self.admitted < self.trip && n > 0 {
            let k = self.admitted;
            if k >= WINDOW {
                let before = &self.ring[self.slot(k)];
                if before.left > 0 {
                    return;
                }
                self.base = self.base.max(before.end);
                self.skip(k);
                if k >= self.trip {
                    return;
                }
            }
            let mut open = Open {
                iteration: k,
                waits: vec![0; n],
                ready: vec![self.base; n],
                ends: vec![None; n],
                left: n,
                end: 0,
            };
            for (i, t) in self.l.tasks.iter().enumerate() {
                for &(d, s) in t.reads.iter().filter(|r| r.0 < WINDOW && r.0 <= k) {
                    let end = if d == 0 { None } else { self.ring[self.slot(k - d)].ends[s as usize] };
                    match end {
                        Some(end) => open.ready[i] = open.ready[i].max(end),
                        None => open.waits[i] += 1,
                    }
                }
            }
            let slot = self.slot(k);
            let first: Vec<u32> = (0..n as u32).filter(|&i| open.waits[i as usize] == 0).collect();
            self.ring[slot] = open;
            self.admitted += 1;
            for i in first {
                self.know(k, i);
            }
            if k < WINDOW {
                return;
            }
        }
    }

    /// The operands of a task are known: queues it, or passes a view on.
    fn know(&mut self, iteration: u64, i: u32) {
        let ready = self.ring[self.slot(iteration)].ready[i as usize];
        let stream = match self.l.tasks[i as usize].place {
            TaskPlace::View => return self.finish(iteration, i, ready),
            TaskPlace::Lane(lane) => self.l.stream(lane),
            TaskPlace::All => 0,
        };
        self.queue[stream].later.push(Reverse((ready, iteration, i)));
    }

    fn finish(&mut self, iteration: u64, i: u32, end: u64) {
        let mut done = vec![(iteration, i, end)];
        while let Some((k, i, end)) = done.pop() {
            self.run.end = self.run.end.max(end);
            let slot = self.slot(k);
            let open = &mut self.ring[slot];
            open.ends[i as usize] = Some(end);
            open.left -= 1;
            open.end = open.end.max(end);
            for at in 0..self.readers[i as usize].len() {
                let (d, r) = self.readers[i as usize][at];
                if k + d >= self.admitted {
                    continue;
                }
                let slot = self.slot(k + d);
                let open = &mut self.ring[slot];
                let (ready, waits) = (&mut open.ready[r as usize], &mut open.waits[r as usize]);
                *ready = (*ready).max(end);
                *waits -= 1;
                let ready = *ready;
                if *waits > 0 {
                    continue;
                }
                match self.l.tasks[r as usize].place {
                    TaskPlace::View => done.push((k + d, r, ready)),
                    _ => self.know(k + d, r),
                }
            }
        }
    }

    /// When stream `s` could start its next task.
    fn start(&self, s: usize) -> Option<u64> {
        let queue = &self.queue[s];
        if !queue.now.is_empty() {
            return Some(self.free[s]);
        }
        queue.later.peek().map(|Reverse((ready, ..))| self.free[s].max(*ready))
    }

    fn key(&self, iteration: u64, i: u32) -> Key {
        let gone = i128::from(iteration) * i128::from(self.adds);
        (Reverse(i128::from(self.heights[i as usize]) - gone), iteration, i)
    }

    /// Starts one task, or a group; false at the end.
    fn next(&mut self) -> bool {
        // Collectives first: kernels behind them in the same instant lose nothing.
        let starts = (0..self.free.len()).rev().filter_map(|s| self.start(s).map(|at| (at, s)));
        let Some((at, s)) = starts.min_by_key(|x| x.0) else { return false };
        while let Some(&Reverse((_, k, i))) = self.queue[s].later.peek().filter(|x| x.0.0 <= at) {
            let key = self.key(k, i);
            let queue = &mut self.queue[s];
            queue.later.pop();
            queue.now.insert(key);
        }
        let Some((_, k, i)) = self.queue[s].now.pop_first() else { return false };
        self.now = at;
        let l = self.l;
        let task = &l.tasks[i as usize];
        match task.place {
            TaskPlace::All => {
                let at = self.free.iter().fold(at, |a, &f| a.max(f));
                let end = at.saturating_add(task.whole());
                for (busy, more) in self.run.busy.iter_mut().zip(&task.inner) {
                    *busy = busy.saturating_add(*more);
                }
                if k == 0 {
                    self.run.starts.push(TaskStart { task: i, at, ps: task.whole(), grouped: 1 });
                }
                self.computes(at, end);
                self.free.fill(end);
                self.finish(k, i, end);
            }
            TaskPlace::Lane(lane) if lane > 0 => self.collective(s, at, k, i),
            TaskPlace::Lane(_) | TaskPlace::View => {
                let end = at.saturating_add(task.whole());
                self.run.busy[0] = self.run.busy[0].saturating_add(task.whole());
                if k == 0 && self.exposed.is_some() {
                    self.run.computed.push(TaskStart { task: i, at, ps: task.whole(), grouped: 1 });
                }
                self.computes(at, end);
                self.free[s] = end;
                self.finish(k, i, end);
            }
        }
        self.admit_next();
        true
    }

    /// The stream of computation works in `from..to`.
    fn computes(&mut self, from: u64, to: u64) {
        let free = self.free[0];
        if let Some(exposed) = self.exposed.as_mut().filter(|_| !self.l.shared) {
            exposed.idle(free, from, to);
        }
    }

    /// Starts collective `first` of iteration `k` on stream `s`, with those that start with it.
    fn collective(&mut self, s: usize, at: u64, k: u64, first: u32) {
        let group = self.group(s, k, first);
        let l = self.l;
        let task = |i: u32| &l.tasks[i as usize];
        let latency = group.iter().map(|&i| task(i).latency).max().unwrap_or(0);
        let end = group.iter().fold(at.saturating_add(latency), |end, &i| end.saturating_add(task(i).ps));
        if k == 0 {
            for (n, &i) in group.iter().enumerate() {
                let ps = task(i).ps.saturating_add(if n == 0 { latency } else { 0 });
                self.run.starts.push(TaskStart { task: i, at, ps, grouped: group.len() as u64 });
            }
        }
        if let Some(exposed) = &mut self.exposed {
            let mut from = at;
            for (n, &i) in group.iter().enumerate() {
                let to = from.saturating_add(task(i).ps).saturating_add(if n == 0 { latency } else { 0 });
                exposed.runs(i, from, to, l.shared);
                from = to;
            }
        }
        if let TaskPlace::Lane(lane) = task(first).place {
            self.run.busy[lane] = self.run.busy[lane].saturating_add(end - at);
        }
        self.free[s] = end;
        for i in group {
            self.finish(k, i, end);
        }
    }

    /// The collectives of iteration `k` that start with `first`.
    fn group(&mut self, s: usize, k: u64, first: u32) -> Vec<u32> {
        let mut group = vec![first];
        let l = self.l;
        let of = &l.tasks[first as usize];
        let mut left = SMALL.saturating_mul(of.latency).saturating_sub(of.ps);
        if of.kind.is_none() || left == 0 {
            return group;
        }
        let mut gone = Vec::new();
        for &key in self.queue[s].now.iter().filter(|x| x.1 == k) {
            let t = &l.tasks[key.2 as usize];
            if t.ps < left && t.kind == of.kind {
                left -= t.ps;
                group.push(key.2);
                gone.push(key);
            }
        }
        for key in gone {
            self.queue[s].now.remove(&key);
        }
        group
    }

    /// Before iteration `k` is admitted: skips periods, if there are equal ones behind it.
    fn skip(&mut self, k: u64) {
        if self.done {
            return;
        }
        let mark = self.mark(k);
        let period = self.marks.iter().rev().find(|m| m.alike(&mark)).map(|m| m.seen.clone());
        let forced = self.half.clone().filter(|_| k == SCHEDULED);
        if let Some(then) = period.or(forced) {
            let long = k - then.iteration;
            // The last one is scheduled again.
            let times = self.trip.saturating_sub(k + 1) / long;
            self.trip -= times * long;
            self.skipped = (mark.seen.base - then.base).saturating_mul(times);
            let again = |now: &mut u64, then: u64| {
                *now = now.saturating_add(now.saturating_sub(then).saturating_mul(times));
            };
            self.run.busy.iter_mut().zip(then.busy).for_each(|(now, then)| again(now, then));
            if let Some(exposed) = &mut self.exposed {
                exposed.ps.iter_mut().zip(then.exposed).for_each(|(now, then)| again(now, then));
            }
            self.done = true;
            self.marks.clear();
            return;
        }
        if k == SCHEDULED / 2 {
            self.half = Some(mark.seen.clone());
        }
        if self.marks.len() == PERIODS {
            self.marks.pop_front();
        }
        self.marks.push_back(mark);
    }

    fn mark(&mut self, k: u64) -> Mark {
        let now = self.now.max(self.free[0]);
        self.computes(now, now);
        // Nothing starts before now any more.
        let since = |t: u64| i128::from(t.max(self.now)) - i128::from(self.base);
        let mut open = Vec::new();
        let mut times: Vec<i128> = self.free.iter().map(|&f| since(f)).collect();
        for before in 1..WINDOW {
            let o = &self.ring[self.slot(k - before)];
            debug_assert_eq!(o.iteration, k - before);
            for i in 0..self.l.tasks.len() {
                open.push(o.ends[i].is_none().then_some(o.waits[i]));
                times.push(since(o.ends[i].unwrap_or(o.ready[i])));
            }
        }
        let exposed = self.exposed.as_ref().map_or(Vec::new(), |e| e.ps.clone());
        let seen = Seen { iteration: k, base: self.base, busy: self.run.busy.clone(), exposed };
        Mark { seen, open, times }
    }
}

impl Mark {
    /// Whether what follows is the same.
    fn alike(&self, later: &Mark) -> bool {
        let most = i128::from(later.seen.base - self.seen.base) / ALIKE;
        self.open == later.open && self.times.iter().zip(&later.times).all(|(a, b)| (a - b).abs() <= most)
    }
}
