//! An event simulation of all iterations of a loop, one by one, that shares no code with the schedule that it checks: time
//! goes from event to event, nothing is skipped, and every choice looks at everything.

use super::super::tasks::{LoopTask, LoopTasks, TaskPlace};
use super::super::{bound, list};

/// A task of one iteration.
#[derive(Clone, Copy)]
struct Instance {
    admitted: bool,
    started: bool,
    end: Option<u64>,
}

struct Simulation<'a> {
    l: &'a LoopTasks,
    all: Vec<Vec<Instance>>,
    free: Vec<u64>,
    way: Vec<u64>,
    growth: u64,
    /// When something is computed, and when a collective runs.
    computing: Vec<(u64, u64)>,
    communicating: Vec<(u64, u64)>,
}

/// The longest way from task `i` to the end of `left` iterations, its own the first.
fn way(l: &LoopTasks, i: usize, left: u64) -> u64 {
    let readers = l.tasks.iter().enumerate().flat_map(|(j, t)| t.reads.iter().map(move |&(d, s)| (j, d, s as usize)));
    let after = readers.filter(|&(_, d, s)| s == i && d < left).map(|(j, d, _)| way(l, j, left - d)).max();
    after.unwrap_or(0) + l.tasks[i].latency + l.tasks[i].ps
}

impl Simulation<'_> {
    fn ready(&self, k: usize, i: usize, now: u64) -> bool {
        let t = &self.l.tasks[i];
        let over = |&(d, s): &(u64, u32)| {
            let Some(at) = k.checked_sub(d as usize) else { return true };
            self.all[at][s as usize].end.is_some_and(|e| e <= now)
        };
        let x = &self.all[k][i];
        x.admitted && !x.started && t.reads.iter().all(over)
    }

    /// Admits iterations and passes views on until nothing changes.
    fn settle(&mut self, from: usize, now: u64) {
        loop {
            let mut changed = false;
            for k in from..self.all.len() {
                let over = |x: &Instance| x.end.is_some_and(|e| e <= now);
                if !self.all[k].iter().all(|x| x.admitted) {
                    if k >= 3 && !self.all[k - 3].iter().all(over) {
                        break;
                    }
                    self.all[k].iter_mut().for_each(|x| x.admitted = true);
                    changed = true;
                }
                for i in 0..self.l.tasks.len() {
                    if self.l.tasks[i].place == TaskPlace::View && self.ready(k, i, now) {
                        self.all[k][i] = Instance { admitted: true, started: true, end: Some(now) };
                        changed = true;
                    }
                }
            }
            if !changed {
                return;
            }
        }
    }

    /// The best of what stream `s` could start.
    fn best(&self, from: usize, s: usize, now: u64) -> Option<(usize, usize)> {
        let mut best: Option<(i128, usize, usize)> = None;
        for k in from..self.all.len() {
            if !self.all[k][0].admitted {
                break;
            }
            for (i, t) in self.l.tasks.iter().enumerate() {
                let stream = match t.place {
                    TaskPlace::View => continue,
                    TaskPlace::All => 0,
                    TaskPlace::Lane(lane) => lane.min(self.free.len() - 1),
                };
                if stream == s && self.ready(k, i, now) {
                    let way = i128::from(self.way[i]) - k as i128 * i128::from(self.growth);
                    let key = (-way, k, i);
                    if best.is_none_or(|b| key < b) {
                        best = Some(key);
                    }
                }
            }
        }
        best.map(|(_, k, i)| (k, i))
    }

    fn exposed(&self) -> u64 {
        let hidden = |(from, to): (u64, u64)| -> u64 {
            self.computing.iter().map(|&(a, b)| to.min(b).saturating_sub(from.max(a))).sum()
        };
        self.communicating.iter().map(|&c| c.1 - c.0 - hidden(c)).sum()
    }

    fn start(&mut self, from: usize, now: u64) -> bool {
        for s in (0..self.free.len()).rev() {
            if self.free[s] > now {
                continue;
            }
            let Some((k, i)) = self.best(from, s, now) else { continue };
            let t = &self.l.tasks[i];
            let mut members = vec![i];
            let mut room = (8 * t.latency).saturating_sub(t.ps);
            let mut others: Vec<usize> = (0..self.l.tasks.len()).filter(|&j| j != i && t.kind.is_some()).collect();
            others.sort_by_key(|&j| (std::cmp::Reverse(self.way[j]), j));
            for j in others {
                let o = &self.l.tasks[j];
                let stream = matches!((o.place, t.place), (TaskPlace::Lane(a), TaskPlace::Lane(b)) if a == b);
                if stream && o.kind == t.kind && o.ps < room && self.ready(k, j, now) {
                    room -= o.ps;
                    members.push(j);
                }
            }
            let at =
                if t.place == TaskPlace::All { self.free.iter().copied().max().unwrap_or(0).max(now) } else { now };
            let latency = members.iter().map(|&j| self.l.tasks[j].latency).max().unwrap_or(0);
            let end = at + latency + members.iter().map(|&j| self.l.tasks[j].ps).sum::<u64>();
            match t.place {
                TaskPlace::Lane(lane) if lane > 0 => self.communicating.push((at, end)),
                _ => self.computing.push((at, end)),
            }
            for j in members {
                self.all[k][j].started = true;
                self.all[k][j].end = Some(end);
            }
            match t.place {
                TaskPlace::All => self.free.fill(end),
                _ => self.free[s] = end,
            }
            return true;
        }
        false
    }
}

/// When the last iteration ends, and for how long collectives run while nothing is computed.
fn simulate(l: &LoopTasks) -> (u64, u64) {
    let fresh = Instance { admitted: false, started: false, end: None };
    let ways = |left| (0..l.tasks.len()).map(|i| way(l, i, left)).collect::<Vec<u64>>();
    let longest = |w: Vec<u64>| w.into_iter().max().unwrap_or(0);
    let mut s = Simulation {
        l,
        all: vec![vec![fresh; l.tasks.len()]; l.trip as usize],
        free: vec![0; if l.shared { 1 } else { l.lanes }],
        way: ways(3),
        growth: longest(ways(3)) - longest(ways(2)),
        computing: Vec::new(),
        communicating: Vec::new(),
    };
    let (mut now, mut from) = (0, 0);
    loop {
        // Iterations whose results nobody waits for any more.
        while from < s.all.len()
            && s.all[from].iter().all(|x| x.end.is_some_and(|e| e <= now))
            && from + 3 < s.all.len()
        {
            let waits = |x: &Instance| !x.admitted;
            if s.all[from + 3].iter().any(waits) {
                break;
            }
            from += 1;
        }
        s.settle(from, now);
        while s.start(from, now) {
            s.settle(from, now);
        }
        let ends = s.all[from..].iter().flatten().filter_map(|x| x.end);
        match ends.chain(s.free.iter().copied()).filter(|&e| e > now).min() {
            Some(next) => now = next,
            None => return (s.all.iter().flatten().filter_map(|x| x.end).max().unwrap_or(0), s.exposed()),
        }
    }
}

/// Numbers from a seed (SplitMix64).
struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) % n
    }
}

/// A loop of up to nine tasks on up to three lanes, with carries over one or two iterations.
fn random_loop(seed: u64) -> LoopTasks {
    let mut r = Random(seed);
    let lanes = 2 + r.below(2) as usize;
    let n = 2 + r.below(8);
    let shared = r.below(10) == 0;
    let mut tasks = Vec::new();
    for i in 0..n {
        let place = match r.below(20) {
            0 => TaskPlace::View,
            1 => TaskPlace::All,
            2..12 => TaskPlace::Lane(0),
            _ => TaskPlace::Lane(1 + r.below(lanes as u64 - 1) as usize),
        };
        let (collective, whole) = (matches!(place, TaskPlace::Lane(1..)), place == TaskPlace::All);
        let most = if r.below(4) == 0 { 100_000 } else { 1_000_000 };
        let ps = if place == TaskPlace::View { 0 } else { 1 + r.below(most) };
        // On one stream what is inside does not run beside itself.
        let most = if shared { ps / lanes as u64 } else { ps };
        let inner = if whole { (0..lanes).map(|_| r.below(most + 1)).collect() } else { Vec::new() };
        let latency = if collective { r.below(20_000) } else { 0 };
        let kind = (collective && r.below(2) == 0).then(|| place_kind(place));
        let mut reads = Vec::new();
        for _ in 0..r.below(3) {
            if i > 0 {
                reads.push((0, r.below(i) as u32));
            }
        }
        tasks.push(LoopTask { place, latency, ps, inner, kind, reads: reads.into() });
    }
    for _ in 0..r.below(4) {
        let (to, from) = (r.below(n) as usize, r.below(n) as u32);
        tasks[to].reads.push((1 + r.below(2), from));
    }
    LoopTasks { tasks, lanes, shared, trip: 1 + r.below(60) }
}

fn place_kind(place: TaskPlace) -> u32 {
    if let TaskPlace::Lane(lane) = place { lane as u32 } else { 0 }
}

#[test]
fn all_iterations_one_by_one_take_as_long() {
    for seed in 0..500 {
        let l = random_loop(seed);
        let (run, (true_end, exposed)) = (list::run(&l, true), simulate(&l));
        let off = run.end.abs_diff(true_end) as f64 / true_end.max(1) as f64;
        assert!(off <= 0.005, "seed {seed}: {} predicted, {true_end} simulated\n{l:#?}", run.end);
        let path = bound::critical_path(&l);
        let busy = if l.shared { run.busy.iter().sum() } else { run.busy.iter().copied().max().unwrap_or(0) };
        // Equal periods may differ by a part in some thousand.
        assert!(run.end + run.end / 1000 >= path.max(busy), "seed {seed}: {} under {path} or {busy}", run.end);
        assert!(path <= true_end, "seed {seed}: a chain of {path} in {true_end}");
        let said: u64 = run.exposed.iter().sum();
        assert!(
            said.abs_diff(exposed) <= true_end / 100,
            "seed {seed}: {said} exposed, {exposed} simulated of {true_end}"
        );
    }
}

#[test]
fn long_loops_take_no_longer_to_schedule() {
    let l = LoopTasks { trip: 1_000_000_000, ..random_loop(3) };
    let (long, longer) = (list::run(&l, true).end, list::run(&LoopTasks { trip: 2 * l.trip, ..l }, true).end);
    assert!((2 * long).abs_diff(longer) < long / 1000, "{long} {longer}");
}
