//! Runs a prepared program on CPU devices.
//!
//! Devices are tasks, not threads. Workers form as many teams as there are devices, with at most one worker to a team
//! when there are at least as many devices as workers. Each team runs its devices one after the other through to the
//! next collective, where all teams meet. If there are fewer devices than workers, a team has several workers, which
//! split the units of each launch and meet after it. So one device on two threads and eight devices on two threads both
//! keep two cores busy. Units are independent and reductions are ordered, so the bits are the same.

use super::arenas::{Arenas, Base};
use super::channels::RankWires;
use super::pool::{Barrier, Pool, may_spin};
use super::prepare::{DeviceOp, DimValue, LoopBounds, Prepared, TeamStep, WireTransfer, prepare};
use super::turns::TurnTimes;
use crate::collectives::{Call, Collectives, Messages, Others, Threads, WorkerPart};
use crate::device::call::call;
use crate::device::library::Library;
use crate::device::memory::{MemoryCounter, MemoryRegion, physical_bytes};
use crate::error::{ErrorKind, Result, RuntimeError};
use crate::trace::{Label, Trace, TraceSpan, What};
use crate::world::{ProgramRanks, Spot, World};
use meshloom_bundle::{BufRef, Iterations, LOOPS, MAX_KERNEL_ARGS, Program};
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

/// The devices of one program in this process: all of them, or a rank's share.
pub struct CpuMachine {
    arenas: Arenas,
    scratch: Vec<MemoryRegion>,
    nodes: Vec<TeamStep>,
    collectives: Box<dyn Collectives>,
    pool: Pool,
    all: Barrier,
    teams: Vec<Barrier>,
    memory: Arc<MemoryCounter>,
    wires: Option<RankWires>,
    turns: Mutex<TurnTimes>,
    /// The processes of the run, and the program's number for messages.
    world: Option<(Arc<World>, usize)>,
    // Dropped last: `nodes` holds addresses of its functions.
    _library: Arc<Library>,
}

/// With whom a machine shares a run.
pub struct Share {
    /// The processes that have devices of the program, where the run has several.
    pub group: Option<ProgramRanks>,
    /// The program's number, for messages.
    pub number: usize,
    /// Machines that have the same cores, this one included.
    pub sharers: usize,
}

impl Share {
    /// Of a process alone, or of one whose run has devices of the program in all processes.
    ///
    /// # Errors
    /// Devices that cannot be shared out evenly.
    pub fn of(program: &Program, world: Option<&Arc<World>>) -> Result<Share> {
        let group = world.map(|w| ProgramRanks::all(w, program.devices())).transpose()?;
        let number = world.map_or(0, |w| w.register(program));
        Ok(Share { group, number, sharers: world.map_or(1, |w| w.sharers()) })
    }
}

/// A worker's place: its team, the team's devices.
struct Place {
    worker: usize,
    workers: usize,
    team: usize,
    rank: usize,
    size: usize,
    devices: Range<usize>,
}

impl CpuMachine {
    /// `program` was validated. At most `threads` workers. The processes of `share` make theirs at the same time.
    /// `wires` are those to the other ranks, of a program of a pipeline's rank.
    pub fn new(
        program: &Program,
        library: Arc<Library>,
        threads: usize,
        share: Share,
        wires: Option<RankWires>,
    ) -> Result<CpuMachine> {
        if !program.wires.is_empty() && wires.is_none() {
            let what = "it is the program of one pipeline stage, which runs with the others alone";
            return Err(RuntimeError::usage(format!("entry `{}`", program.entry), what));
        }
        let Share { group, number, sharers } = share;
        let own = group.as_ref().map_or(0..program.devices(), ProgramRanks::devices);
        let (devices, workers) = (own.len(), threads.max(1));
        let memory = Arc::new(MemoryCounter::default());
        let need = (program.arena_bytes + program.host_bytes + 4096) as u128 * devices as u128
            + program.scratch_bytes as u128 * workers as u128;
        if let Some(have) = physical_bytes().filter(|&have| need > u128::from(have)) {
            let arena = program.arena_bytes + program.host_bytes;
            let why =
                format!("{devices} devices of {arena} bytes and scratch need {need} bytes; this machine has {have}");
            return Err(RuntimeError::new(ErrorKind::DoesNotFit, format!("entry `{}`", program.entry), why));
        }
        let nodes = prepare(program, &library)?;
        let arenas = Arenas::new(program, own, &memory, group.as_ref())?;
        let scratch = (0..workers)
            .map(|w| MemoryRegion::new(&memory, program.scratch_bytes, &format!("scratch of worker {w}")))
            .collect::<Result<_>>()?;
        let world = group.as_ref().map(|g| (g.world().clone(), number));
        let others = group.filter(|g| g.size() > 1 || g.shares_memory()).map(|group| Others { group, program: number });
        let collectives: Box<dyn Collectives> = match others {
            Some(o) if o.group.world().transport().is_some() => {
                Box::new(Messages::new(program, arenas.own(), &memory, o)?)
            }
            others => Box::new(Threads::new(program.devices(), workers, &memory, others)?),
        };
        let pool = Pool::new(workers).map_err(|e| RuntimeError::usage("worker threads", e.to_string()))?;
        let spin = may_spin(workers * sharers);
        let teams = devices.min(workers);
        let team_size = |t: usize| (0..workers).filter(|&w| team_of(w, workers, teams) == t).count();
        let teams = (0..teams).map(|t| Barrier::new(team_size(t), spin)).collect();
        Ok(CpuMachine {
            arenas,
            scratch,
            nodes,
            collectives,
            pool,
            all: Barrier::new(workers, spin),
            teams,
            memory,
            wires,
            turns: Mutex::default(),
            world,
            _library: library,
        })
    }

    /// One run of the whole program on all devices.
    pub fn run(&mut self) {
        self.run_with(None);
    }

    /// The same, with what each worker did when.
    pub fn trace(&mut self, begin: Instant) -> Trace {
        let workers = self.pool.workers();
        let clock = Clock { begin, spans: (0..workers).map(|_| Mutex::default()).collect() };
        self.run_with(Some(&clock));
        let spans = clock.spans.into_iter().flat_map(|s| s.into_inner().unwrap_or_else(PoisonError::into_inner));
        Trace { tracks: (0..workers).map(|w| format!("worker {w}")).collect(), spans: spans.collect() }
    }

    fn run_with(&mut self, clock: Option<&Clock>) {
        let workers = self.pool.workers();
        let run = Run {
            arenas: self.arenas.bases(),
            own: self.arenas.own(),
            scratch: &self.scratch,
            collectives: &*self.collectives,
            all: &self.all,
            teams: &self.teams,
            wires: self.wires.as_ref(),
            turns: &self.turns,
            waited: AtomicU64::new(0),
            world: self.world.as_ref().map(|(w, number)| (&**w, *number)),
            clock,
        };
        let nodes = &self.nodes;
        self.pool.run(&|worker| {
            let place = run.place(worker, workers);
            run.nodes(nodes, &mut [0; LOOPS], 0, &place);
        });
    }

    pub fn workers(&self) -> usize {
        self.pool.workers()
    }

    /// How long the turns of its actions took.
    pub fn turns(&self) -> TurnTimes {
        self.turns.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub fn memory(&self) -> &MemoryCounter {
        &self.memory
    }

    /// Bytes that each device has received from others.
    pub fn received_bytes(&self) -> Vec<u64> {
        let mut all = self.collectives.traffic().per_device();
        let wires = self.wires.iter().flat_map(|w| w.received_bytes());
        all.iter_mut().zip(wires).for_each(|(a, b)| *a += b);
        all
    }

    /// The devices of this process.
    pub fn own(&self) -> Range<usize> {
        self.arenas.own()
    }

    /// The memory of a device of this process, to read: its arena, and the host's memory that belongs to it.
    pub fn arena(&self, device: usize) -> &[u8] {
        let (base, len) = self.arenas.at(device);
        // SAFETY: the arena is mapped and initialised. Workers of this process write to it only within `run`, which borrows the machine
        // mutably; those of others only in collectives, which end before `run` does.
        unsafe { std::slice::from_raw_parts(base, len) }
    }

    /// The same, to write.
    pub fn arena_mut(&mut self, device: usize) -> &mut [u8] {
        let (base, len) = self.arenas.at(device);
        // SAFETY: as in `arena`, and the machine is borrowed mutably. The others read it only in collectives, for which they wait.
        unsafe { std::slice::from_raw_parts_mut(base, len) }
    }
}

fn team_of(worker: usize, workers: usize, teams: usize) -> usize {
    worker * teams / workers
}

/// What all workers share during one run.
struct Run<'a> {
    /// Of all devices that this process can reach.
    arenas: &'a [Base],
    own: Range<usize>,
    scratch: &'a [MemoryRegion],
    collectives: &'a dyn Collectives,
    all: &'a Barrier,
    teams: &'a [Barrier],
    wires: Option<&'a RankWires>,
    turns: &'a Mutex<TurnTimes>,
    /// How long worker 0 has waited at wires, in nanoseconds.
    waited: AtomicU64,
    world: Option<(&'a World, usize)>,
    /// Where the run is traced.
    clock: Option<&'a Clock>,
}

/// What each worker did, written down by itself.
struct Clock {
    begin: Instant,
    spans: Vec<Mutex<Vec<TraceSpan>>>,
}

impl Run<'_> {
    fn place(&self, worker: usize, workers: usize) -> Place {
        let teams = self.teams.len();
        let team = team_of(worker, workers, teams);
        let mates: Vec<usize> = (0..workers).filter(|&w| team_of(w, workers, teams) == team).collect();
        let (first, n) = (self.own.start, self.own.len());
        let devices = first + n * team / teams..first + n * (team + 1) / teams;
        Place { worker, workers, team, rank: worker - mates[0], size: mates.len(), devices }
    }

    /// `at` is the iteration of each loop around, of which there are `depth`.
    fn nodes(&self, nodes: &[TeamStep], at: &mut Iterations, depth: usize, place: &Place) {
        for node in nodes {
            match node {
                TeamStep::Segment(ops) => {
                    place.devices.clone().for_each(|device| self.ops(ops, device, at, depth, place))
                }
                TeamStep::Exchange(buckets) => {
                    let meet = |calls: &[Call], done| self.all.wait_and(|| self.collectives.meet(calls, done));
                    buckets.first().iter().for_each(|(_, calls)| meet(calls, false));
                    for (label, calls) in buckets {
                        let start = self.now();
                        let part = WorkerPart { worker: place.worker, workers: place.workers };
                        // SAFETY: all workers of all processes are here, between two barriers, and run the same validated program.
                        unsafe { self.collectives.run(calls, Base::pointers(self.arenas), at, part) };
                        self.note(start, place, None, at, || label.clone());
                        meet(calls, true);
                    }
                }
                TeamStep::Transfer(t) => self.transfer(place, t, at),
                TeamStep::Actions { names, bodies, order } => {
                    let first = place.worker == 0;
                    let turns = || self.turns.lock().unwrap_or_else(PoisonError::into_inner);
                    if first {
                        turns().begin(order.len());
                    }
                    for (k, turn) in order.iter().enumerate() {
                        if let Some((world, program)) = self.world.filter(|_| first) {
                            world.begin(Spot::turn(program, k));
                        }
                        self.wires.iter().filter(|_| first).for_each(|w| w.turn(Some(k)));
                        at[depth] = turn.microbatch;
                        let (start, waited) = (Instant::now(), self.waited.load(Relaxed));
                        self.nodes(&bodies[turn.action as usize], at, depth + 1, place);
                        if first {
                            turns().add(k, start.elapsed(), self.waited.load(Relaxed) - waited);
                            let name = || format!("{}{}", names[turn.action as usize], turn.microbatch);
                            let label = || Label { name: name(), what: What::Action, source: None };
                            self.note(Some(start), place, None, at, label);
                        }
                    }
                    self.wires.iter().filter(|_| first).for_each(|w| w.turn(None));
                    at[depth] = 0;
                }
                TeamStep::Loop(bounds, body) => {
                    for i in 0..bounds.most {
                        at[depth] = i;
                        // The condition is the same on all devices, so each team asks one of its own.
                        if !self.goes_on(bounds, place.devices.start, at) {
                            break;
                        }
                        self.nodes(body, at, depth + 1, place);
                        at[depth] = i + 1;
                    }
                    if let Some(exit) = &bounds.exit {
                        let after = |d: usize, at: &mut Iterations| self.ops(&exit.after, d, at, depth + 1, place);
                        place.devices.clone().for_each(|device| after(device, at));
                    }
                    at[depth] = 0;
                }
            }
        }
    }

    /// Sends or receives the bytes of a buffer, device by device.
    fn transfer(&self, place: &Place, t: &WireTransfer, at: &Iterations) {
        if let Some(wires) = self.wires.filter(|_| place.rank == 0) {
            for device in place.devices.clone() {
                let (base, len) = (self.at(device, &t.buf, at), t.buf.bytes as usize);
                // SAFETY: the buffer lies in the arena, as was validated. The other workers of the team wait below.
                let bytes = unsafe { std::slice::from_raw_parts_mut(base, len) };
                let start = self.now();
                let waited = match t.sends {
                    true => wires.send(t.wire, device, at[0], bytes),
                    false => wires.receive(t.wire, device, at[0], bytes),
                };
                if place.worker == 0 {
                    self.waited.fetch_add(waited, Relaxed);
                }
                self.note(start, place, Some(device), at, || t.label.clone());
            }
        }
        self.teams[place.team].wait();
    }

    fn ops(&self, ops: &[DeviceOp], device: usize, at: &mut Iterations, depth: usize, place: &Place) {
        for op in ops {
            let start = self.now();
            match op {
                DeviceOp::Launch(l) => self.launch(l, device, at, place),
                DeviceOp::Copy { src, dst, .. } => {
                    let part = split(dst.bytes as usize, 64, place);
                    let (from, to) = (self.at(device, src, at), self.at(device, dst, at));
                    // SAFETY: both buffers are validated to lie in the device's memory and not to overlap; the team's parts are disjoint.
                    unsafe { std::ptr::copy_nonoverlapping(from.add(part.start), to.add(part.start), part.len()) };
                }
                DeviceOp::Fill { dst, pattern } => {
                    let part = split(dst.bytes as usize, 64, place);
                    // SAFETY: as for the copy; 64 is a multiple of every element's size, so the part holds whole elements.
                    let bytes =
                        unsafe { std::slice::from_raw_parts_mut(self.at(device, dst, at).add(part.start), part.len()) };
                    fill(bytes, &pattern.bytes[..pattern.size]);
                }
                DeviceOp::Loop(bounds, body) => {
                    for i in 0..bounds.most {
                        at[depth] = i;
                        if !self.goes_on(bounds, device, at) {
                            break;
                        }
                        self.ops(body, device, at, depth + 1, place);
                        at[depth] = i + 1;
                    }
                    if let Some(exit) = &bounds.exit {
                        self.ops(&exit.after, device, at, depth + 1, place);
                    }
                    at[depth] = 0;
                    // The body has met after each of its ops.
                    continue;
                }
            }
            self.note(start, place, Some(device), at, || label_of(op));
            self.teams[place.team].wait();
        }
    }

    #[inline]
    fn now(&self) -> Option<Instant> {
        self.clock.map(|_| Instant::now())
    }

    /// Writes down what a worker has just done, where that is asked for.
    #[inline]
    fn note(
        &self,
        start: Option<Instant>,
        place: &Place,
        device: Option<usize>,
        at: &Iterations,
        label: impl FnOnce() -> Label,
    ) {
        let (Some(clock), Some(start)) = (self.clock, start) else { return };
        let micros = |t: Instant| t.duration_since(clock.begin).as_secs_f64() * 1e6;
        let (start, end) = (micros(start), micros(Instant::now()));
        let span = TraceSpan { label: label(), track: place.worker, device, at: *at, start, end };
        clock.spans[place.worker].lock().unwrap_or_else(PoisonError::into_inner).push(span);
    }

    /// Whether a loop makes the iteration that `at` says.
    fn goes_on(&self, bounds: &LoopBounds, device: usize, at: &Iterations) -> bool {
        // SAFETY: validated to lie in the arena. What wrote the byte was followed by a barrier of the team, and what writes it
        // next is an op of the body, which the team begins together: a slot is written in every other iteration only.
        bounds.exit.as_ref().is_none_or(|e| unsafe { *self.at(device, &e.going, at) } != 0)
    }

    #[inline]
    fn launch(&self, l: &Prepared, device: usize, at: &Iterations, place: &Place) {
        let units = split(l.units as usize, 1, place);
        if units.is_empty() {
            return;
        }
        let mut args = [0usize; MAX_KERNEL_ARGS];
        let mut n = 0;
        let mut push = |x: usize| {
            args[n] = x;
            n += 1;
        };
        for a in &l.args {
            push(self.at(device, a, at) as usize);
        }
        if l.scratch {
            push(self.scratch[place.worker].base() as usize);
        }
        push(units.start);
        push(units.end);
        for d in &l.dims {
            push(match d {
                DimValue::Same(n) => *n,
                DimValue::PerDevice(by) => by[device],
            } as usize);
        }
        // SAFETY: the program was validated: as many arguments as the kernel's entry says, every buffer in the arena. Members of the team
        // have disjoint units, other teams other arenas, and each worker its own scratch.
        unsafe { call(l.kernel, &args[..n]) };
    }

    #[inline]
    fn at(&self, device: usize, b: &BufRef, at: &Iterations) -> *mut u8 {
        self.arenas[device].pointer().wrapping_add(b.at(at) as usize)
    }
}

fn label_of(op: &DeviceOp) -> Label {
    match op {
        DeviceOp::Launch(Prepared { label, .. }) | DeviceOp::Copy { label, .. } => label.clone(),
        DeviceOp::Fill { .. } | DeviceOp::Loop(..) => Label { name: "fill".into(), what: What::Copy, source: None },
    }
}

/// This worker's part of `n` units of its team's work, cut at multiples of `grain`.
fn split(n: usize, grain: usize, place: &Place) -> Range<usize> {
    if place.size == 1 {
        return 0..n;
    }
    let grains = n.div_ceil(grain);
    let cut = |k: usize| ((grains as u128 * k as u128 / place.size as u128) as usize * grain).min(n);
    cut(place.rank)..cut(place.rank + 1)
}

/// Repeats an element. Whole elements only.
fn fill(bytes: &mut [u8], element: &[u8]) {
    if element.iter().all(|&b| b == element[0]) {
        bytes.fill(element[0]);
    } else {
        bytes.chunks_exact_mut(element.len()).for_each(|c| c.copy_from_slice(element));
    }
}
