//! When each op of a local program runs: a list schedule ([`list`]) over streams.
//!
//! A device computes on one stream, and has one stream of collectives for each level of the network: NVLink is busy in a
//! node while InfiniBand is between nodes. A collective over several levels is on the stream of the slowest. Of what could
//! start, the op with the longest way to the end of the program does, so that reductions of gradients give way to collectives that
//! somebody waits for. Where the target groups, small collectives of one kind ([`meshloom_lower::call`]) that are ready
//! together start as one: bytes add up, the latency counts once. Targets that do not overlap have one stream.
//!
//! A repeat occupies all streams for its whole time. In it iterations overlap, so that what an iteration does not wait for
//! (weights gathered ahead, gradients reduced behind) runs beside its neighbours.
//!
//! What lies in the host's memory is copied on two streams more, one for each direction ([`host`]).
//!
//! What is hidden costs a part of its time all the same ([`INTERFERENCE`]), so no collective is free.
//!
//! What is predicted is never less than the work of a stream, nor than the longest chain of ops ([`bound`]).
//!
//! Not here: the order in which the program is executed. A runtime that starts kernels in another order hides less.

mod bound;
mod exposed;
mod host;
mod list;
mod tasks;

use super::model::OpPrice;
use super::{Model, reads};
pub use host::RegionItem;
use meshloom_ir::{Def, Func, Op, OpId, RegionId, TensorType, ValueId, table};
use meshloom_lower::call::CallKind;
use meshloom_lower::joined::{joined, source};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use tasks::{LoopRun, LoopTask, LoopTasks, TaskPlace, WINDOW};

/// What runs beside something else slows it down by a part of its own time: collectives take processors and bandwidth of the
/// memory from kernels. NCCL runs on 16 to 32 of a GPU's 108 to 148 processors, where half of them wait for data.
const INTERFERENCE: u64 = 16;

/// One step, in picoseconds: `step = compute + communication + host - hidden`.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Timeline {
    pub step_ps: u64,
    pub compute_ps: u64,
    /// Of all levels.
    pub communication_ps: u64,
    /// Copies from the host's memory, and to it.
    pub copies_ps: [u64; 2],
    /// Communication and copies that run under computation, or under those of another stream.
    pub hidden_ps: u64,
    /// Communication by level of the target.
    pub levels_ps: Vec<u64>,
    /// In the order of their start, those of a body in the place of its repeat.
    pub calls: Vec<Call>,
    /// All that takes time, for a picture; [`simulate`] leaves it out. Of a loop, the first iteration is there.
    pub spans: Vec<TimelineSpan>,
}

impl Timeline {
    /// Copies in both directions.
    pub fn host_ps(&self) -> u64 {
        self.copies_ps[0].saturating_add(self.copies_ps[1])
    }
}

/// A stretch of a timeline, in the first iteration of its region.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TimelineSpan {
    pub of: RegionItem,
    /// 0 for computation, `1 + n` for level `n` of the network, behind these the two streams of copies from the host and to it; `None`
    /// for a loop, which is on all of them.
    pub lane: Option<usize>,
    /// From the start of the step.
    pub start_ps: u64,
    /// Of a loop, all of its iterations.
    pub ps: u64,
    /// How often it runs in a step.
    pub times: u64,
    /// Loops around it.
    pub depth: usize,
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
    /// For how long of the time of all executions nothing is computed. [`simulate`] leaves it out.
    pub exposed_ps: u64,
    /// How many collectives start with it as one, itself included.
    pub grouped: u64,
}

/// Schedules a local program.
pub fn simulate(model: &Model, local: &Func) -> Timeline {
    region(model, local, Iterations::one(Func::BODY), false)
}

/// The same with what of each collective is exposed.
pub fn simulate_exposed(model: &Model, local: &Func) -> Timeline {
    region(model, local, Iterations::one(Func::BODY), true)
}

/// One iteration of a loop of a local program, in picoseconds.
pub fn iteration(model: &Model, local: &Func, repeat: OpId) -> u64 {
    local.op(repeat).regions.iter().map(|&r| region(model, local, Iterations::one(r), false).step_ps).sum()
}

/// One op of a local program with all that is in it and nothing beside it, in picoseconds.
pub fn alone_ps(model: &Model, local: &Func, o: OpId) -> u64 {
    match local.op(o).op {
        Op::Repeat { .. } => repeat(model, local, o, false).step_ps,
        _ => model.local_ps(local, o),
    }
}

impl Model {
    /// One op of a local program. The body of a repeat is not in it.
    pub fn local_ps(&self, func: &Func, o: OpId) -> u64 {
        if moves_nothing(func, o) {
            return 0;
        }
        let (operands, results) = touched(func, o);
        self.op_ps(&func.op(o).op, func.op(o).phase, &operands, &results, table::flops(func, o))
    }

    /// What its time is made of; nothing for a collective.
    pub(super) fn local_price(&self, func: &Func, o: OpId) -> OpPrice {
        if moves_nothing(func, o) {
            return OpPrice::default();
        }
        let (operands, results) = touched(func, o);
        self.priced(&func.op(o).op, func.op(o).phase, &operands, &results, table::flops(func, o))
    }
}

type Types<'a> = SmallVec<[&'a TensorType; 4]>;

/// What an op reads from memory, and what it writes.
fn touched(func: &Func, o: OpId) -> (Types<'_>, Types<'_>) {
    let data = func.op(o);
    let operands = reads(func, o).into_iter().map(|i| func.ty(data.operands[i])).collect();
    (operands, data.results.iter().map(|&v| func.ty(v)).collect())
}

/// What an op does in one iteration of its region.
fn task(model: &Model, func: &Func, o: OpId, kinds: &mut Vec<CallKind>, exposed: bool) -> (LoopTask, Option<Timeline>) {
    let mut task =
        LoopTask { place: TaskPlace::View, latency: 0, ps: 0, inner: Vec::new(), kind: None, reads: SmallVec::new() };
    let op = &func.op(o).op;
    if let Op::Repeat { .. } = op {
        let body = repeat(model, func, o, exposed);
        task.place = TaskPlace::All;
        task.ps = body.step_ps;
        task.inner.push(body.compute_ps);
        task.inner.extend(body.levels_ps.iter().chain(&body.copies_ps));
        return (task, Some(body));
    }
    task.ps = model.local_ps(func, o);
    if op.communicates() {
        task.place = TaskPlace::Lane(1 + model.level(op));
        task.latency = model.latency_ps(op).min(task.ps);
        task.ps -= task.latency;
        if model.target.grouped {
            let kind = CallKind::of(func, o);
            let at = kinds.iter().position(|k| *k == kind).unwrap_or(kinds.len());
            if at == kinds.len() {
                kinds.push(kind);
            }
            task.kind = Some(at as u32);
        }
    } else if task.ps > 0 {
        task.place = TaskPlace::Lane(0);
    }
    (task, None)
}

fn repeat(model: &Model, func: &Func, o: OpId, exposed: bool) -> Timeline {
    let data = func.op(o);
    let carries = if let Op::Repeat { carries, .. } = data.op { carries } else { 0 };
    let all = Iterations { region: data.regions[0], carries, trip: data.op.iterations() };
    region(model, func, all, exposed)
}

/// Iterations of a region, one after the other.
#[derive(Clone, Copy)]
struct Iterations {
    region: RegionId,
    /// So many of the region's first arguments are the last iteration's first yields.
    carries: usize,
    /// How many iterations there are.
    trip: u64,
}

impl Iterations {
    /// One, which waits for no other.
    fn one(region: RegionId) -> Iterations {
        Iterations { region, carries: 0, trip: 1 }
    }
}

fn region(model: &Model, func: &Func, iterations: Iterations, exposed: bool) -> Timeline {
    let Iterations { region: r, trip, .. } = iterations;
    let items = host::items(func, r);
    let copies = host::copies(func, r, &items);
    let at = |item: &RegionItem| if let RegionItem::Op(o) = item { Some(*o) } else { None };
    let place: FxHashMap<OpId, u32> = items.iter().enumerate().filter_map(|(i, x)| Some((at(x)?, i as u32))).collect();
    let levels = model.target.levels.len();
    let mut bodies = Vec::new();
    let mut kinds = Vec::new();
    let mut tasks: Vec<LoopTask> = Vec::new();
    for item in &items {
        let (task, body) = match item {
            RegionItem::Op(o) => {
                let (mut task, body) = task(model, func, *o, &mut kinds, exposed);
                task.reads = waits_for(func, iterations, &place, *o);
                task.reads.extend(copies.waited(func, *o));
                (task, body)
            }
            RegionItem::Fetch(v) => {
                (host::copy(model, func, *v, 1 + levels, copies.before_fetch(func, &items, tasks.len())), None)
            }
            RegionItem::Store(v, by) => {
                let by = by.and_then(|o| place.get(&o)).map(|&i| (0, i));
                (host::copy(model, func, *v, 2 + levels, by), None)
            }
        };
        tasks.push(task);
        bodies.push(body);
    }
    let ops: Vec<Option<OpId>> = items.iter().map(at).collect();
    let hosted = items.len() > func.region(r).ops.len() || bodies.iter().flatten().any(|b| b.host_ps() > 0);
    let lanes = 1 + levels + if hosted { 2 } else { 0 };
    let l = LoopTasks { tasks, lanes, shared: !model.target.overlap, trip };
    let run = list::run(&l, exposed);
    let busiest = if l.shared {
        run.busy.iter().fold(0, |n: u64, b| n.saturating_add(*b))
    } else {
        run.busy.iter().copied().max().unwrap_or(0)
    };
    let sum = |busy: &[u64]| busy.iter().fold(0, |n: u64, b| n.saturating_add(*b));
    let (communication_ps, copied) = (sum(&run.busy[1..=levels]), &run.busy[1 + levels..]);
    let copies_ps = [0, 1].map(|k| copied.get(k).copied().unwrap_or(0));
    let all = run.busy[0].saturating_add(communication_ps).saturating_add(sum(copied));
    let end = run.end.max(busiest).max(bound::critical_path(&l));
    let within = bodies.iter().flatten().fold(0, |n: u64, b| n.saturating_add(b.hidden_ps)).saturating_mul(trip);
    let beside = all.saturating_sub(end).saturating_sub(within);
    let step_ps = end.saturating_add(beside / INTERFERENCE).min(all);
    let mut calls = Vec::new();
    let spans = if exposed { spans(&items, &l, &run, &bodies) } else { Vec::new() };
    for s in &run.starts {
        match &bodies[s.task as usize] {
            Some(body) => calls.extend(body.calls.iter().map(|c| Call {
                times: c.times.saturating_mul(trip),
                exposed_ps: c.exposed_ps.saturating_mul(trip),
                ..*c
            })),
            None => {
                let Some(op) = ops[s.task as usize] else { continue };
                let exposed_ps = run.exposed.get(s.task as usize).copied().unwrap_or(0);
                calls.push(Call { op, start_ps: s.at, ps: s.ps, times: trip, exposed_ps, grouped: s.grouped });
            }
        }
    }
    let hidden_ps = all - step_ps;
    let levels_ps = run.busy[1..=levels].to_vec();
    Timeline { step_ps, compute_ps: run.busy[0], communication_ps, copies_ps, hidden_ps, levels_ps, calls, spans }
}

/// What the first iteration of a region does when, with what is in its loops.
fn spans(items: &[RegionItem], l: &LoopTasks, run: &LoopRun, bodies: &[Option<Timeline>]) -> Vec<TimelineSpan> {
    let mut all = Vec::new();
    for s in run.starts.iter().chain(&run.computed) {
        let task = s.task as usize;
        let lane = if let TaskPlace::Lane(lane) = l.tasks[task].place { Some(lane) } else { None };
        all.push(TimelineSpan { of: items[task], lane, start_ps: s.at, ps: s.ps, times: l.trip, depth: 0 });
        all.extend(bodies[task].iter().flat_map(|b| &b.spans).map(|b| TimelineSpan {
            start_ps: b.start_ps.saturating_add(s.at),
            times: b.times.saturating_mul(l.trip),
            depth: b.depth + 1,
            ..*b
        }));
    }
    all.sort_by_key(|s| (s.start_ps, s.depth, s.lane));
    all
}

/// What op `o` of a region waits for: how many iterations ago, and the op's place.
fn waits_for(func: &Func, iterations: Iterations, place: &FxHashMap<OpId, u32>, o: OpId) -> SmallVec<[(u64, u32); 4]> {
    let Iterations { region, carries, .. } = iterations;
    let made = |&v: &ValueId| {
        let (mut v, mut ago) = (v, 0);
        loop {
            match func.value(v).def {
                Def::Op(by, _) => return place.get(&by).map(|&i| (ago, i)),
                // What was made long ago is there.
                Def::Arg(at, i) if at == region && (i as usize) < carries && ago + 1 < WINDOW => {
                    v = func.region(region).yields[i as usize];
                    ago += 1;
                }
                Def::Arg(..) => return None,
            }
        }
    };
    let mut reads: SmallVec<[(u64, u32); 4]> = func.op(o).operands.iter().filter_map(made).collect();
    reads.sort_unstable();
    reads.dedup();
    reads
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
            data.operands.iter().all(|&x| joined.contains_key(&source(func, x).0))
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
