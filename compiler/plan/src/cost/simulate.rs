//! When each op of a local program runs: a list schedule on two streams.
//!
//! Kernels occupy the compute stream and collectives the communication stream, one at a time each. Whenever a stream is
//! free it takes, of the ops whose operands are there, the one with the longest way to the end of the program, so that
//! reductions of gradients give way to collectives that somebody waits for. Where the target groups, small collectives of
//! one kind ([`meshloom_fusion::call`]) that are ready together start as one: bytes add up, the latency counts once.
//! Targets that do not overlap have one stream.
//!
//! A repeat occupies both streams for its whole time. Of its body a few iterations are scheduled together, each reading the
//! carries of the one before, so that what an iteration does not wait for (weights gathered ahead, gradients reduced behind)
//! runs beside its neighbours; each further one takes what the last of them added. The work does not grow with the trip
//! count.
//!
//! Not here: the order in which the program is executed. A runtime that starts kernels in another order hides less.

use super::Model;
use meshloom_fusion::call::CallKind;
use meshloom_fusion::joined::joined;
use meshloom_ir::{Def, Func, Op, OpId, RegionId, TensorType, ValueId, table};
use smallvec::SmallVec;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap};

/// Iterations of a repeat that are scheduled together.
const UNROLLED: u64 = 3;
/// A collective is small, and worth starting together with others, while its bytes take less than this many latencies. The
/// scheduler knows no latencies, and stops at so many bytes ([`meshloom_fusion::call::CALL_BYTES`]).
const SMALL: u64 = 8;

/// One step, in picoseconds: `step = compute + communication - hidden`.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Timeline {
    pub step_ps: u64,
    pub compute_ps: u64,
    pub communication_ps: u64,
    /// Communication that runs under computation.
    pub hidden_ps: u64,
    /// In the order of their start, those of a body in the place of its repeat.
    pub calls: Vec<Call>,
}

/// A collective in the timeline.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Call {
    pub op: OpId,
    /// In the first iteration of its region, from the start of that.
    pub start_ps: u64,
    /// One execution. The first of a group carries the latency of all.
    pub ps: u64,
    /// Executions in one step.
    pub times: u64,
    /// How many collectives start with it as one, itself included.
    pub grouped: u64,
}

/// Schedules a local program.
pub fn simulate(model: &Model, local: &Func) -> Timeline {
    region(model, local, Func::BODY, 0, 1)
}

/// One iteration of a loop of a local program, in picoseconds.
pub fn iteration(model: &Model, local: &Func, repeat: OpId) -> u64 {
    local.op(repeat).regions.iter().map(|&r| region(model, local, r, 0, 1).step_ps).sum()
}

/// One op of a local program with all that is in it and nothing beside it, in picoseconds.
pub fn alone_ps(model: &Model, local: &Func, o: OpId) -> u64 {
    let step = step(model, local, o);
    step.latency.saturating_add(step.ps)
}

impl Model {
    /// One op of a local program. The body of a repeat is not in it.
    pub fn local_ps(&self, func: &Func, o: OpId) -> u64 {
        let data = func.op(o);
        let types = |values: &[ValueId]| values.iter().map(|&v| func.ty(v)).collect::<SmallVec<[&TensorType; 4]>>();
        if moves_nothing(func, o) {
            return 0;
        }
        self.op_ps(&data.op, &types(&data.operands), &types(&data.results), table::flops(func, o))
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Stream {
    /// A view: there as soon as its operand is.
    None,
    Compute,
    Communication,
    Both,
}

/// What an op takes in one iteration.
struct Step {
    op: OpId,
    stream: Stream,
    latency: u64,
    /// Without the latency.
    ps: u64,
    /// Of a repeat.
    body: Option<Timeline>,
}

/// `trip` iterations of a region whose first `carries` arguments are the last iteration's first yields.
fn region(model: &Model, func: &Func, r: RegionId, carries: usize, trip: u64) -> Timeline {
    let steps: Vec<Step> = func.region(r).ops.iter().map(|&o| step(model, func, o)).collect();
    let unrolled = trip.min(UNROLLED);
    let mut all = schedule(model, func, (r, carries), &steps, unrolled);
    if trip > unrolled {
        let less = schedule(model, func, (r, carries), &steps, unrolled - 1);
        let more = |a: u64, b: u64| a.saturating_add(a.saturating_sub(b).saturating_mul(trip - unrolled));
        all.step_ps = more(all.step_ps, less.step_ps);
        all.compute_ps = more(all.compute_ps, less.compute_ps);
        all.communication_ps = more(all.communication_ps, less.communication_ps);
        all.hidden_ps = all.compute_ps.saturating_add(all.communication_ps).saturating_sub(all.step_ps);
    }
    for c in &mut all.calls {
        c.times = c.times.saturating_mul(trip);
    }
    all
}

fn step(model: &Model, func: &Func, o: OpId) -> Step {
    let data = func.op(o);
    if let Op::Repeat { carries, .. } = data.op {
        let body = region(model, func, data.regions[0], carries, data.op.iterations());
        return Step { op: o, stream: Stream::Both, latency: 0, ps: body.step_ps, body: Some(body) };
    }
    let ps = model.local_ps(func, o);
    let communicates = data.op.communicates();
    let latency = if communicates { model.latency_ps(&data.op).min(ps) } else { 0 };
    let stream = match () {
        () if communicates => Stream::Communication,
        () if ps == 0 => Stream::None,
        () => Stream::Compute,
    };
    Step { op: o, stream, latency, ps: ps - latency, body: None }
}

/// A step in one iteration.
struct Task<'a> {
    step: &'a Step,
    first_iteration: bool,
    /// Operands that are not there yet.
    waits: usize,
    readers: SmallVec<[usize; 4]>,
    /// From its start to the end of the program, if nothing else ran.
    height: u64,
    /// When its operands are there, as far as they are known.
    ready: u64,
}

fn schedule(model: &Model, func: &Func, (r, carries): (RegionId, usize), steps: &[Step], iterations: u64) -> Timeline {
    let tasks = tasks(func, (r, carries), steps, iterations);
    let free = vec![0; if model.target.overlap { 2 } else { 1 }];
    let queue = free.iter().map(|_| Queue::default()).collect();
    let mut list = List { model, func, tasks, free, queue, end: 0, timeline: Timeline::default() };
    for i in 0..list.tasks.len() {
        if list.tasks[i].waits == 0 {
            list.admit(i);
        }
    }
    while list.next() {}
    let t = &mut list.timeline;
    t.step_ps = list.end;
    t.hidden_ps = t.compute_ps.saturating_add(t.communication_ps).saturating_sub(t.step_ps);
    list.timeline
}

fn tasks<'a>(func: &Func, (r, carries): (RegionId, usize), steps: &'a [Step], iterations: u64) -> Vec<Task<'a>> {
    let region = func.region(r);
    let place: BTreeMap<OpId, usize> = region.ops.iter().enumerate().map(|(i, &o)| (o, i)).collect();
    let mut tasks: Vec<Task<'_>> = Vec::new();
    for iteration in 0..iterations as usize {
        let base = iteration * steps.len();
        // Which task makes a value; `None` where it is there from the start.
        let made = |mut v: ValueId, mut base: usize| loop {
            match func.value(v).def {
                Def::Op(o, _) => return place.get(&o).map(|i| base + i),
                Def::Arg(at, i) if at == r && (i as usize) < carries && base > 0 => {
                    v = region.yields[i as usize];
                    base -= steps.len();
                }
                Def::Arg(..) => return None,
            }
        };
        for (i, step) in steps.iter().enumerate() {
            let mut sources: SmallVec<[usize; 4]> =
                func.op(step.op).operands.iter().filter_map(|&v| made(v, base)).collect();
            sources.sort_unstable();
            sources.dedup();
            for &s in &sources {
                tasks[s].readers.push(base + i);
            }
            let first_iteration = iteration == 0;
            let waits = sources.len();
            tasks.push(Task { step, first_iteration, waits, readers: SmallVec::new(), height: 0, ready: 0 });
        }
    }
    // Readers come later in the list.
    for i in (0..tasks.len()).rev() {
        let after = tasks[i].readers.iter().map(|&j| tasks[j].height).max().unwrap_or(0);
        tasks[i].height = after.saturating_add(tasks[i].step.latency).saturating_add(tasks[i].step.ps);
    }
    tasks
}

/// Tasks whose operands are known, of one stream.
#[derive(Default)]
struct Queue {
    /// By the time when their operands are there.
    later: BinaryHeap<Reverse<(u64, usize)>>,
    /// Whose operands are there: the longest way to the end first, then the order of the program.
    now: BTreeSet<(Reverse<u64>, usize)>,
}

struct List<'a> {
    model: &'a Model,
    func: &'a Func,
    tasks: Vec<Task<'a>>,
    /// When each stream is free.
    free: Vec<u64>,
    queue: Vec<Queue>,
    end: u64,
    timeline: Timeline,
}

impl List<'_> {
    /// The operands of task `i` are known: queues it, or passes a view on.
    fn admit(&mut self, i: usize) {
        let stream = match self.tasks[i].step.stream {
            Stream::None => return self.finish(i, self.tasks[i].ready),
            Stream::Communication => self.free.len() - 1,
            Stream::Compute | Stream::Both => 0,
        };
        self.queue[stream].later.push(Reverse((self.tasks[i].ready, i)));
    }

    fn finish(&mut self, first: usize, end: u64) {
        self.end = self.end.max(end);
        let mut done = vec![first];
        while let Some(i) = done.pop() {
            let end = if i == first { end } else { self.tasks[i].ready };
            for j in std::mem::take(&mut self.tasks[i].readers) {
                let t = &mut self.tasks[j];
                t.ready = t.ready.max(end);
                t.waits -= 1;
                if t.waits > 0 {
                    continue;
                }
                match t.step.stream {
                    Stream::None => done.push(j),
                    _ => self.admit(j),
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
        queue.later.peek().map(|Reverse((ready, _))| self.free[s].max(*ready))
    }

    /// Starts one task, or a group; false at the end.
    fn next(&mut self) -> bool {
        // Collectives first: kernels behind them in the same instant lose nothing.
        let starts = (0..self.free.len()).rev().filter_map(|s| self.start(s).map(|at| (at, s)));
        let Some((at, s)) = starts.min_by_key(|x| x.0) else { return false };
        let queue = &mut self.queue[s];
        while let Some(&Reverse((ready, i))) = queue.later.peek().filter(|x| x.0.0 <= at) {
            debug_assert!(ready <= at);
            queue.later.pop();
            queue.now.insert((Reverse(self.tasks[i].height), i));
        }
        let Some((_, i)) = queue.now.pop_first() else { return false };
        match self.tasks[i].step.stream {
            Stream::Communication => self.collective(s, at, i),
            Stream::Both => {
                let at = self.free.iter().fold(at, |a, &f| a.max(f));
                let step = self.tasks[i].step;
                let end = at.saturating_add(step.ps);
                if let Some(body) = &step.body {
                    let t = &mut self.timeline;
                    t.compute_ps = t.compute_ps.saturating_add(body.compute_ps);
                    t.communication_ps = t.communication_ps.saturating_add(body.communication_ps);
                    if self.tasks[i].first_iteration {
                        t.calls.extend(&body.calls);
                    }
                }
                self.free.fill(end);
                self.finish(i, end);
            }
            Stream::None | Stream::Compute => {
                let ps = self.tasks[i].step.ps;
                self.timeline.compute_ps = self.timeline.compute_ps.saturating_add(ps);
                self.free[s] = at.saturating_add(ps);
                self.finish(i, self.free[s]);
            }
        }
        true
    }

    fn collective(&mut self, s: usize, at: u64, first: usize) {
        let group = self.group(s, first);
        let latency = group.iter().map(|&i| self.tasks[i].step.latency).max().unwrap_or(0);
        let mut end = at.saturating_add(latency);
        for &i in &group {
            end = end.saturating_add(self.tasks[i].step.ps);
        }
        let mut ps = latency;
        for &i in &group {
            let step = self.tasks[i].step;
            if self.tasks[i].first_iteration {
                let ps = ps.saturating_add(step.ps);
                self.timeline.calls.push(Call { op: step.op, start_ps: at, ps, times: 1, grouped: group.len() as u64 });
            }
            ps = 0;
        }
        self.timeline.communication_ps = self.timeline.communication_ps.saturating_add(end - at);
        self.free[s] = end;
        for i in group {
            self.finish(i, end);
        }
    }

    /// The collectives that start with `first`.
    fn group(&mut self, s: usize, first: usize) -> Vec<usize> {
        let mut group = vec![first];
        let room = |t: &Task<'_>| SMALL.saturating_mul(t.step.latency);
        let mut left = room(&self.tasks[first]).saturating_sub(self.tasks[first].step.ps);
        if !self.model.target.grouped || left == 0 {
            return group;
        }
        let kind = CallKind::of(self.func, self.tasks[first].step.op);
        let queue = &mut self.queue[s];
        for &(_, i) in &queue.now {
            let t = &self.tasks[i];
            if t.step.ps < left && CallKind::of(self.func, t.step.op) == kind {
                left -= t.step.ps;
                group.push(i);
            }
        }
        for &i in &group[1..] {
            queue.now.remove(&(Reverse(self.tasks[i].height), i));
        }
        group
    }
}

#[cfg(test)]
mod tests;

/// Whether an op is a matter of where its operands or results lie: parts that are written into the stack that they make up, and
/// a part of a stack that loops read slice by slice.
fn moves_nothing(func: &Func, o: OpId) -> bool {
    let data = func.op(o);
    match data.op {
        Op::Concatenate { dim: 0 } => {
            let joined = joined(func, data.parent);
            data.operands.iter().all(|x| joined.contains_key(x))
        }
        Op::Slice { .. } => {
            let region = func.region(data.parent);
            let reads = |r: &&OpId| func.op(**r).operands.contains(&data.results[0]);
            let mut readers = region.ops.iter().filter(reads);
            readers.all(|&r| matches!(func.op(r).op, Op::Repeat { .. })) && !region.yields.contains(&data.results[0])
        }
        _ => false,
    }
}
