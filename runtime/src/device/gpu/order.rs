//! Which work has to wait for which, from the bytes that each reads and writes.
//!
//! Streams keep their own order; between streams, only events order work. [`order`] takes a list of tasks in program
//! order and finds the fewest events that keep the order of all tasks that touch the same bytes (unless both only
//! read). A task waits for another stream at the very task that it depends on, not at later tasks of that stream. It
//! does not wait where it has waited already, directly or through a third stream.
//!
//! Pure: no device, no memory. It makes a collective start when its inputs are ready, and lets everything else
//! continue.

use std::collections::BTreeMap;
use std::ops::Range;

/// A piece of work, as far as its order depends on it.
#[derive(Clone, Debug, Default)]
pub struct Task {
    pub stream: usize,
    pub reads: Vec<Range<u64>>,
    pub writes: Vec<Range<u64>>,
}

/// What keeps one task in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TaskOrder {
    /// Tasks of other streams whose events this one waits for first.
    pub waits: Vec<usize>,
    /// Whether another task waits for this one.
    pub recorded: bool,
}

/// How tasks are kept in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Order {
    pub steps: Vec<TaskOrder>,
    /// The last task of each stream that has any; what comes after all of them waits for these.
    pub last: BTreeMap<usize, usize>,
}

/// The last task to touch a range of memory.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Touched {
    end: u64,
    writer: Option<usize>,
    /// Since the writer: the latest of each stream.
    readers: Vec<usize>,
}

/// Ranges of memory by where they begin, disjoint.
#[derive(Default)]
struct Memory(BTreeMap<u64, Touched>);

impl Memory {
    /// Makes `at` a boundary between ranges, if it lies within one.
    fn cut(&mut self, at: u64) {
        if let Some((&start, piece)) = self.0.range_mut(..at).next_back()
            && piece.end > at
        {
            let after = piece.clone();
            piece.end = at;
            debug_assert!(start < at);
            self.0.insert(at, after);
        }
    }

    fn within(&self, r: &Range<u64>) -> impl Iterator<Item = &Touched> {
        // The range before may reach into this one.
        let first = self.0.range(..=r.start).next_back().filter(|(_, p)| p.end > r.start).map_or(r.start, |(&s, _)| s);
        self.0.range(first..r.end.max(first)).map(|(_, p)| p)
    }

    fn read(&mut self, r: &Range<u64>, task: usize, tasks: &[Task]) {
        self.cut(r.start);
        self.cut(r.end);
        let mut at = r.start;
        let mut gaps = Vec::new();
        for (&start, piece) in self.0.range_mut(r.clone()) {
            if start > at {
                gaps.push(at..start);
            }
            piece.readers.retain(|&t| tasks[t].stream != tasks[task].stream);
            piece.readers.push(task);
            at = piece.end;
        }
        if at < r.end {
            gaps.push(at..r.end);
        }
        for g in gaps {
            self.0.insert(g.start, Touched { end: g.end, writer: None, readers: vec![task] });
        }
    }

    fn write(&mut self, r: &Range<u64>, task: usize) {
        self.cut(r.start);
        self.cut(r.end);
        let covered: Vec<u64> = self.0.range(r.clone()).map(|(&s, _)| s).collect();
        for s in covered {
            self.0.remove(&s);
        }
        self.0.insert(r.start, Touched { end: r.end, writer: Some(task), readers: Vec::new() });
    }
}

/// Orders tasks, given in program order, on `streams` streams.
pub fn order(tasks: &[Task], streams: usize) -> Order {
    let mut memory = Memory::default();
    let mut steps: Vec<TaskOrder> = vec![TaskOrder::default(); tasks.len()];
    // Of each task, one more than the last task of each stream that is done when it is.
    let mut done: Vec<Vec<usize>> = Vec::with_capacity(tasks.len());
    let mut last: BTreeMap<usize, usize> = BTreeMap::new();
    for (t, task) in tasks.iter().enumerate() {
        let empty = |r: &&Range<u64>| r.start < r.end;
        let mut needs = vec![0; streams];
        let mut need = |d: usize| needs[tasks[d].stream] = needs[tasks[d].stream].max(d + 1);
        for r in task.reads.iter().filter(empty) {
            memory.within(r).filter_map(|p| p.writer).for_each(&mut need);
        }
        for r in task.writes.iter().filter(empty) {
            for piece in memory.within(r) {
                piece.writer.iter().chain(&piece.readers).copied().for_each(&mut need);
            }
        }
        let mut clock = last.get(&task.stream).map_or_else(|| vec![0; streams], |&before| done[before].clone());
        // The latest first: what it waited for need not be waited for again.
        let mut needs: Vec<usize> = needs.into_iter().filter(|&d| d > 0).map(|d| d - 1).collect();
        needs.sort_unstable_by(|a, b| b.cmp(a));
        for d in needs {
            if clock[tasks[d].stream] <= d {
                steps[t].waits.push(d);
                steps[d].recorded = true;
                clock.iter_mut().zip(&done[d]).for_each(|(c, &d)| *c = (*c).max(d));
            }
        }
        clock[task.stream] = t + 1;
        done.push(clock);
        last.insert(task.stream, t);
        task.reads.iter().filter(empty).for_each(|r| memory.read(r, t, tasks));
        task.writes.iter().filter(empty).for_each(|r| memory.write(r, t));
    }
    Order { steps, last }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reads and writes are pairs of bounds.
    fn task(stream: usize, reads: &[(u64, u64)], writes: &[(u64, u64)]) -> Task {
        let ranges = |all: &[(u64, u64)]| all.iter().map(|&(a, b)| a..b).collect();
        Task { stream, reads: ranges(reads), writes: ranges(writes) }
    }

    fn overlap(a: &[Range<u64>], b: &[Range<u64>]) -> bool {
        a.iter().any(|x| b.iter().any(|y| x.start.max(y.start) < x.end.min(y.end)))
    }

    fn conflict(a: &Task, b: &Task) -> bool {
        overlap(&a.writes, &b.writes) || overlap(&a.writes, &b.reads) || overlap(&a.reads, &b.writes)
    }

    /// For each task, all that are surely done before it begins, by streams and waits alone.
    fn before(tasks: &[Task], order: &Order) -> Vec<Vec<bool>> {
        let mut all: Vec<Vec<bool>> = Vec::new();
        for t in 0..tasks.len() {
            let mut mine = vec![false; tasks.len()];
            let previous = (0..t).rev().find(|&p| tasks[p].stream == tasks[t].stream);
            for d in previous.into_iter().chain(order.steps[t].waits.iter().copied()) {
                mine[d] = true;
                mine.iter_mut().zip(&all[d]).for_each(|(m, &d)| *m |= d);
            }
            all.push(mine);
        }
        all
    }

    /// A collective's inputs come from the kernel before the last; only that one is waited for, and the kernel after the collective that
    /// reads its result waits for it, while the one between goes on.
    #[test]
    fn a_collective_waits_for_its_inputs_alone() {
        let tasks = [
            task(0, &[], &[(0, 64)]),
            task(0, &[], &[(64, 128)]),
            task(1, &[(0, 64)], &[(0, 64)]),
            task(0, &[(64, 128)], &[(128, 192)]),
            task(0, &[(0, 64)], &[(192, 256)]),
            task(0, &[(0, 64)], &[(256, 320)]),
        ];
        let waits: Vec<Vec<usize>> = order(&tasks, 2).steps.into_iter().map(|s| s.waits).collect();
        assert_eq!(waits, [vec![], vec![], vec![0], vec![], vec![2], vec![]]);
    }

    /// A buffer that a collective still reads is not written over.
    #[test]
    fn writers_wait_for_readers() {
        let tasks = [task(0, &[], &[(0, 64)]), task(1, &[(0, 64)], &[(64, 128)]), task(0, &[], &[(32, 40)])];
        assert_eq!(order(&tasks, 2).steps[2].waits, [1]);
        // Empty ranges touch nothing.
        let tasks = [task(0, &[], &[(0, 64)]), task(1, &[(32, 32)], &[])];
        assert_eq!(order(&tasks, 2).steps[1].waits, [] as [usize; 0]);
    }

    /// Random programs over few bytes: every pair that conflicts is ordered, no wait is for what does not conflict, and none could be
    /// left out.
    #[test]
    fn every_conflict_is_ordered_and_nothing_else_is_waited_for() {
        let mut state = 7u64;
        let mut random = move |n: u64| {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 33) % n
        };
        let (mut pairs, mut waits) = (0, 0);
        for _ in 0..300 {
            let (streams, n) = (1 + random(4) as usize, 2 + random(40) as usize);
            let mut ranges = |most: u64| -> Vec<Range<u64>> {
                (0..random(most + 1))
                    .map(|_| {
                        let start = random(64);
                        start..start + random(24)
                    })
                    .collect()
            };
            let accesses: Vec<_> = (0..n).map(|_| (ranges(3), ranges(2))).collect();
            let tasks: Vec<Task> = accesses
                .into_iter()
                .map(|(reads, writes)| Task { stream: random(streams as u64) as usize, reads, writes })
                .collect();
            let found = order(&tasks, streams);
            let reached = before(&tasks, &found);
            for t in 0..n {
                for d in (0..t).filter(|&d| conflict(&tasks[d], &tasks[t])) {
                    assert!(reached[t][d], "{d} before {t} in {tasks:?}");
                    pairs += 1;
                }
                for &d in &found.steps[t].waits {
                    assert!(d < t && found.steps[d].recorded && conflict(&tasks[d], &tasks[t]), "{t} waits for {d}");
                    let mut without = found.clone();
                    without.steps[t].waits.retain(|&w| w != d);
                    assert!(!before(&tasks, &without)[t][d], "{t} need not wait for {d} in {tasks:?}");
                    waits += 1;
                }
            }
        }
        assert!(pairs > 10_000 && waits > 1000, "{pairs} pairs, {waits} waits");
    }
}
