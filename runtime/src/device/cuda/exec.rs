//! A program on GPU devices. Each device has an arena and a stream; one more stream is for all collectives. A step is
//! captured once and replayed.
//!
//! The devices are those of this process: one device on its own GPU, with the others in other processes, or all devices
//! of the mesh on one GPU. Work is issued in program order ([`super::unroll`]) with the waits that [`super::order`]
//! finds. So a collective begins when its inputs are ready, and only its readers wait for it. A step without a loop
//! that waits for a condition is captured as a graph at its second run.
//!
//! Memory: an arena and a workspace for each device, allocated at once. If the library computes matmuls, each
//! device has a workspace for them as well. Nothing is allocated within a step.

use super::driver::{Address, Driver, Event, Graph, KernelLaunch, Multiply, Priority, Stream, StridedRows};
use super::exchange::{Arenas, Exchange, ExchangeProgress, LocalExchange};
use super::order::{Order, Task, order};
use super::ready::{ReadyKernel, about, ready};
use super::staging::Staging;
use super::unroll::{AddressMap, Sink, Work, single_window, unroll};
use crate::collectives::{Call, Traffic, count};
use crate::device::prepare::pattern;
use crate::error::Result;
use crate::trace::{Label, Trace, TraceSpan, What};
use meshloom_bundle::{BufRef, Dim, Gemm, Instr, Iterations, KernelRef, Program};
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

/// Arenas and workspaces begin at multiples of this: the alignment of allocations, and more than any kernel asks for.
const ALIGN: u64 = 512;

/// If it is `off`, steps are never captured: for tools that cannot look into graphs.
const GRAPHS: &str = "MESHLOOM_CUDA_GRAPHS";

/// Makes the collectives with processes that have the other devices, of the calls that the program makes, and of where the memory of
/// this one's device lies and how much it is.
pub type MakeExchange<'a> =
    dyn FnOnce(&mut dyn Driver, &BTreeMap<u32, Call>, (Address, u64)) -> Result<Box<dyn Exchange>> + 'a;

pub struct GpuMachine {
    // Before the driver: communicators end before the memory that they know.
    work: Issuer,
    driver: Box<dyn Driver>,
    staging: Staging,
    graph: Step,
    /// All that was given out is done, and nothing of it failed.
    healthy: bool,
}

/// What is known of a step as a whole.
enum Step {
    /// It was not run yet. The first run issues one piece of work at a time, since much is made at its first use (connections of
    /// NCCL, code that the driver loads late), and not all of that can be made while work is captured.
    New,
    /// The next run captures it.
    Warm,
    /// Each run issues one piece of work at a time.
    Pieces,
    Captured(Graph),
}

/// What giving out work needs.
struct Issuer {
    program: Arc<Program>,
    own: Range<usize>,
    layout: AddressMap,
    arenas: Arenas,
    kernels: Vec<ReadyKernel>,
    /// Which of them a library computes.
    matmuls: Vec<Option<Multiply>>,
    /// Where the library's workspace lies, that of a device after that of the one before, and how long one is.
    library: (Address, u64),
    calls: BTreeMap<u32, Call>,
    exchange: Box<dyn Exchange>,
    /// Where others watch.
    progress: Option<Arc<ExchangeProgress>>,
    /// By the numbers of [`AddressMap::streams`].
    streams: Vec<Stream>,
    fork: Event,
    events: Vec<Event>,
    /// Set while a step is traced.
    recording: Option<Recording>,
    traffic: Traffic,
}

impl GpuMachine {
    /// `program` was validated. `others` makes the collectives where other processes have devices.
    ///
    /// # Errors
    /// The device has too little memory; a kernel is missing.
    pub fn new(
        program: &Program,
        mut driver: Box<dyn Driver>,
        own: Range<usize>,
        others: Option<Box<MakeExchange<'_>>>,
    ) -> Result<GpuMachine> {
        if !program.wires.is_empty() {
            let what = "it is the program of one pipeline stage, and stages do not run on GPUs yet";
            return Err(crate::error::RuntimeError::usage(format!("entry `{}`", program.entry), what));
        }
        let arena = program.arena_bytes.max(1).next_multiple_of(ALIGN);
        let span = arena + program.scratch_bytes.next_multiple_of(ALIGN);
        let layout = AddressMap { devices: own.len(), span, workspace: (arena, program.scratch_bytes) };
        let what = format!("{} of entry `{}`", devices(own.len()), program.entry);
        let base = driver.alloc(span.saturating_mul(own.len() as u64), &what)?;
        let arenas = Arenas { base, span };
        let kernels = ready(program, &mut *driver, base)?;
        let mut matmuls = Vec::new();
        for (k, aligned) in program.kernels.iter().zip(&alignments(program)) {
            matmuls.push(offered(k).map_or(Ok(None), |p| driver.matmul(p, aligned))?);
        }
        let most = matmuls.iter().flatten().map(|m| m.workspace).max().unwrap_or(0).next_multiple_of(ALIGN);
        let library = match most {
            0 => (0, 0),
            _ => (driver.alloc(most.saturating_mul(own.len() as u64), "the workspace of matmuls")?, most),
        };
        let mut streams = Vec::new();
        for _ in 0..own.len() {
            streams.push(driver.stream(Priority::Compute)?);
        }
        streams.push(driver.stream(Priority::Communication)?);
        let mut staging = Staging::new(&mut *driver)?;
        // SAFETY: the memory was just made.
        unsafe { driver.fill(streams[0], base, &[0], span * own.len() as u64)? };
        driver.synchronize(streams[0])?;
        let calls = calls(program);
        let mut exchange: Box<dyn Exchange> = match others {
            Some(make) => make(&mut *driver, &calls, (base, span))?,
            None => {
                // SAFETY: tables are memory of their own, and of that size.
                let write = |d: &mut dyn Driver, to, bytes: &[u8]| unsafe { staging.write(d, to, bytes) };
                Box::new(LocalExchange::new(&mut *driver, arenas, &calls, write)?)
            }
        };
        let mut progress = None;
        if exchange.watched() {
            // SAFETY: memory of its own, and of that size.
            let write = |d: &mut dyn Driver, to, bytes: &[u8]| unsafe { staging.write(d, to, bytes) };
            let made = Arc::new(ExchangeProgress::new(&mut *driver, collectives_of(&program.instrs), write)?);
            exchange.report(made.clone());
            progress = Some(made);
        }
        let fork = driver.event()?;
        let work = Issuer {
            program: Arc::new(program.clone()),
            traffic: Traffic::new(program.devices()),
            own,
            layout,
            arenas,
            kernels,
            matmuls,
            library,
            calls,
            exchange,
            progress,
            streams,
            fork,
            events: Vec::new(),
            recording: None,
        };
        let pieces = std::env::var(GRAPHS).is_ok_and(|v| v == "off");
        let graph = if pieces || !driver.captures() { Step::Pieces } else { Step::New };
        Ok(GpuMachine { work, driver, staging, graph, healthy: true })
    }

    /// One run of the whole program on all devices of this process; returns when it is done.
    ///
    /// # Errors
    /// What the device says of any work since the last run: of kind [`crate::Kind::Rank`].
    pub fn run(&mut self) -> Result<()> {
        self.healthy = false;
        self.step()?;
        self.healthy = true;
        Ok(())
    }

    fn step(&mut self) -> Result<()> {
        let program = self.work.program.clone();
        self.work.exchange.begin();
        if let Some(progress) = &self.work.progress {
            progress.restart();
            if !matches!(self.graph, Step::Captured(_)) {
                progress.forget();
            }
        }
        if matches!(self.graph, Step::Warm) {
            self.graph = match single_window(&program, self.work.own.len()) {
                None => Step::Pieces,
                Some(window) => {
                    self.driver.begin_capture(self.work.streams[0])?;
                    let given = self.work.window(&mut *self.driver, &window);
                    // A capture that failed has to be ended too; what failed first says more.
                    let graph = self.driver.end_capture(self.work.streams[0]);
                    given?;
                    Step::Captured(graph?)
                }
            };
        }
        match self.graph {
            // SAFETY: captured from the program that these arenas are of.
            Step::Captured(graph) => unsafe { self.driver.replay(graph, self.work.streams[0])? },
            _ => {
                let mut giving = Giving { driver: &mut *self.driver, work: &mut self.work, staging: &mut self.staging };
                unroll(&program, giving.work.own.len(), &mut giving)?;
                if matches!(self.graph, Step::New) {
                    self.graph = Step::Warm;
                }
            }
        }
        self.work.count();
        self.work.wait(&mut *self.driver)
    }

    /// As [`GpuMachine::run`], with what ran when. The step is issued one piece of work at a time, whether or not it was captured.
    ///
    /// # Errors
    /// As [`GpuMachine::run`].
    pub fn trace(&mut self) -> Result<Trace> {
        self.healthy = false;
        self.work.record(&mut *self.driver)?;
        let captured = std::mem::replace(&mut self.graph, Step::Pieces);
        let done = self.step();
        self.graph = match captured {
            Step::New if self.driver.captures() => Step::Warm,
            before => before,
        };
        let recording = self.work.recording.take();
        done?;
        self.healthy = true;
        Ok(recording.map(|r| r.trace).unwrap_or_default())
    }

    /// The devices of this process.
    pub fn own(&self) -> Range<usize> {
        self.work.own.clone()
    }

    /// Libraries that were found, and what was taken in the place of those that were not: a line for each, for people.
    pub fn libraries(&self) -> Vec<String> {
        let offered = self.work.program.kernels.iter().filter(|k| offered(k).is_some()).count();
        let taken = self.work.matmuls.iter().flatten().count();
        let matmuls = (offered > 0).then(|| self.driver.about_matmuls(taken, offered));
        let maps = about(&self.work.program, &self.work.kernels);
        matmuls.into_iter().chain(maps).chain(self.work.exchange.library()).collect()
    }

    pub fn traffic(&self) -> &Traffic {
        &self.work.traffic
    }

    /// Bytes of device memory that were allocated.
    pub fn allocated(&self) -> u64 {
        self.driver.allocated()
    }

    /// Reads `bytes.len()` bytes of a device's arena.
    ///
    /// # Errors
    /// The device's.
    pub fn read(&mut self, device: usize, offset: u64, bytes: &mut [u8]) -> Result<()> {
        let from = self.place(device, offset, bytes.len());
        // SAFETY: within the arena, and no work is going on between runs.
        unsafe { self.staging.read(&mut *self.driver, from, bytes) }
    }

    /// Writes to a device's arena.
    ///
    /// # Errors
    /// The device's.
    pub fn write(&mut self, device: usize, offset: u64, bytes: &[u8]) -> Result<()> {
        let to = self.place(device, offset, bytes.len());
        // SAFETY: as for reading.
        unsafe { self.staging.write(&mut *self.driver, to, bytes) }
    }

    fn place(&self, device: usize, offset: u64, len: usize) -> Address {
        let w = &self.work;
        assert!(w.own.contains(&device) && offset + len as u64 <= w.program.arena_bytes, "outside of an arena");
        w.arenas.at(device - w.own.start) + offset
    }
}

impl Drop for GpuMachine {
    /// Ranks that are well end their communicators together. Where something failed they are aborted when they are dropped. In either case
    /// NCCL waits for the graphs that hold its operations, so these go first.
    fn drop(&mut self) {
        self.graph = Step::Pieces;
        self.driver.end_graphs();
        if self.healthy {
            // Who does not come to it has a reason of its own to give.
            let _ = self.work.exchange.finish();
        }
    }
}

/// What a library could compute in the place of a kernel.
fn offered(k: &KernelRef) -> Option<&Gemm> {
    k.gpu.as_ref().and_then(|g| g.gemm.as_ref())
}

fn devices(n: usize) -> String {
    if n == 1 { "the memory of a device".into() } else { format!("the memory of {n} devices") }
}

/// The number of collectives of a step, by which a device says how far it is. A bucket counts once; of loops that wait for a
/// condition, the first iterations count.
fn collectives_of(instrs: &[Instr]) -> u32 {
    const MOST: u64 = 1 << 16;
    let count = |i: &Instr| match i {
        Instr::Loop { trip, body } => trip.saturating_mul(collectives_of(body).into()),
        Instr::While(w) => 64 * u64::from(collectives_of(&w.body)),
        Instr::Actions(a) => {
            let each = a.bodies.iter().map(|b| u64::from(collectives_of(&b.body))).sum();
            a.microbatches.saturating_mul(each)
        }
        Instr::Collective(_) | Instr::Bucket(_) => 1,
        _ => 0,
    };
    instrs.iter().map(count).fold(0, u64::saturating_add).min(MOST) as u32
}

/// For each kernel and argument, how many bytes its addresses are multiples of in all launches, up to [`ALIGN`].
fn alignments(program: &Program) -> Vec<Vec<u64>> {
    fn list(instrs: &[Instr], all: &mut [Vec<u64>]) {
        for i in instrs {
            match i {
                Instr::Loop { body, .. } => list(body, all),
                Instr::While(w) => [&w.body, &w.after].into_iter().for_each(|b| list(b, all)),
                Instr::Actions(a) => a.bodies.iter().for_each(|b| list(&b.body, all)),
                Instr::Launch(l) => {
                    for (to, b) in all[l.kernel as usize].iter_mut().zip(&l.args) {
                        let moves = b.moves.0.iter().filter(|m| !m.index.is_fixed());
                        *to = moves.fold(*to | b.offset, |bits, m| bits | m.stride);
                    }
                }
                _ => {}
            }
        }
    }
    let mut all: Vec<_> = program.kernels.iter().map(|k| vec![ALIGN; k.buffers as usize]).collect();
    list(&program.instrs, &mut all);
    all.iter_mut().flatten().for_each(|bits| *bits = 1 << bits.trailing_zeros());
    all
}

/// All collectives, by number.
fn calls(program: &Program) -> BTreeMap<u32, Call> {
    fn add(program: &Program, instrs: &[Instr], to: &mut BTreeMap<u32, Call>) {
        for i in instrs {
            match i {
                Instr::Loop { body, .. } => add(program, body, to),
                Instr::While(w) => add(program, &w.body, to),
                Instr::Actions(a) => a.bodies.iter().for_each(|b| add(program, &b.body, to)),
                _ => to.extend(i.collectives().iter().map(|c| (c.id, Call::new(program, c)))),
            }
        }
    }
    let mut all = BTreeMap::new();
    add(program, &program.instrs, &mut all);
    all
}

impl Issuer {
    /// Gives out a window, after all before it and before all after it.
    fn window(&mut self, driver: &mut dyn Driver, work: &[Work<'_>]) -> Result<()> {
        let program = self.program.clone();
        let tasks: Vec<_> = work.iter().map(|w| self.layout.task(&program, w)).collect();
        let Order { steps, last } = order(&tasks, self.layout.streams());
        driver.record(self.fork, self.streams[0])?;
        for &s in last.keys().filter(|&&s| s != 0) {
            driver.wait(self.streams[s], self.fork)?;
        }
        let mut used = 0;
        let mut event_of = vec![None; tasks.len()];
        for (t, (task, step)) in tasks.iter().zip(&steps).enumerate() {
            let stream = self.streams[task.stream];
            for event in step.waits.iter().filter_map(|&d| event_of[d]) {
                driver.wait(stream, event)?;
            }
            if let Some(r) = &mut self.recording {
                r.mark(driver, stream)?;
            }
            // SAFETY: the program is validated, so that every buffer lies in its device's arena; and kept in order by these waits.
            unsafe { self.give(driver, stream, &work[t])? };
            if let Some(r) = &mut self.recording {
                r.mark(driver, stream)?;
            }
            if step.recorded {
                event_of[t] = Some(self.mark(driver, stream, &mut used)?);
            }
        }
        for &s in last.keys().filter(|&&s| s != 0) {
            let end = self.mark(driver, self.streams[s], &mut used)?;
            driver.wait(self.streams[0], end)?;
        }
        if self.recording.is_some() {
            self.wait(driver)?;
            self.read_times(driver, &tasks, work)?;
        }
        Ok(())
    }

    /// From here on, what runs is written down.
    fn record(&mut self, driver: &mut dyn Driver) -> Result<()> {
        let begin = driver.timed_event()?;
        driver.record(begin, self.streams[0])?;
        let first = self.own.start;
        let devices = (0..self.layout.devices).map(|d| format!("device {}: compute", first + d));
        let tracks = devices.chain(["collectives".to_owned()]).collect();
        let trace = Trace { tracks, spans: Vec::new() };
        self.recording = Some(Recording { begin, events: Vec::new(), used: 0, trace });
        Ok(())
    }

    /// The times of a window that is done.
    fn read_times(&mut self, driver: &mut dyn Driver, tasks: &[Task], work: &[Work<'_>]) -> Result<()> {
        let Some(r) = &mut self.recording else { return Ok(()) };
        for ((task, w), ends) in tasks.iter().zip(work).zip(r.events.chunks(2)) {
            let label = Label::of(&self.program, w.instr);
            let (start, end) = (driver.elapsed(r.begin, ends[0])?, driver.elapsed(r.begin, ends[1])?);
            let device = (label.what != What::Collective).then_some(self.own.start + w.device);
            r.trace.spans.push(TraceSpan { label, track: task.stream, device, at: w.at, start, end });
        }
        r.used = 0;
        Ok(())
    }

    /// The next event, recorded.
    fn mark(&mut self, driver: &mut dyn Driver, stream: Stream, used: &mut usize) -> Result<Event> {
        if *used == self.events.len() {
            self.events.push(driver.event()?);
        }
        let event = self.events[*used];
        *used += 1;
        driver.record(event, stream)?;
        Ok(event)
    }

    /// # Safety
    /// The work is of the program whose arenas these are, and what it waits for was waited for.
    unsafe fn give(&mut self, driver: &mut dyn Driver, stream: Stream, w: &Work<'_>) -> Result<()> {
        let arena = self.arenas.at(w.device);
        let place = |b: &BufRef| arena + b.at(&w.at);
        match w.instr {
            Instr::Launch(l) if l.units == 0 => Ok(()),
            Instr::Launch(l) => {
                let ReadyKernel { handle, shape, units, .. } = &self.kernels[l.kernel as usize];
                let units = units.unwrap_or(l.units);
                let mut words: Vec<u64> = l.args.iter().map(place).collect();
                if let Some(matmul) = self.matmuls[l.kernel as usize] {
                    let workspace = self.library.0 + w.device as u64 * self.library.1;
                    // SAFETY: validated to stay within the arguments, of which it writes what the launch does; the workspace is this
                    // device's, whose work is all on one stream.
                    return unsafe { driver.multiply(stream, matmul, &words, workspace) };
                }
                if self.program.kernels[l.kernel as usize].scratch {
                    words.push(arena + self.layout.workspace.0);
                }
                words.extend([0, units]);
                let device = self.own.start + w.device;
                words.extend(l.dims.iter().map(|d| match d {
                    Dim::Const(n) => *n as u64,
                    Dim::ShardStart { axes, block } => (self.program.rank_over(device, axes) as i64 * block) as u64,
                }));
                let blocks = shape.blocks(units, self.program.scratch_bytes, driver.most_blocks(shape));
                let launch = KernelLaunch { kernel: *handle, shape, blocks, words: &words };
                // SAFETY: as many arguments as the kernel's entry says; as the caller promises.
                unsafe { driver.launch(stream, &launch) }
            }
            // SAFETY: as the caller promises.
            Instr::Copy { src, dst, bytes } => unsafe {
                driver.copy(stream, &StridedRows::one(place(dst), place(src), *bytes))
            },
            Instr::Fill { dst, dtype, count, value } => {
                let p = pattern(*dtype, *value);
                // SAFETY: as the caller promises.
                unsafe { driver.fill(stream, place(dst), &p.bytes[..p.size], *count) }
            }
            Instr::Collective(_) | Instr::Bucket(_) => {
                let calls: Vec<&Call> = w.instr.collectives().iter().map(|c| &self.calls[&c.id]).collect();
                if let (Some(progress), Some(first)) = (&self.progress, calls.first()) {
                    progress.mark(driver, stream, first.collective.id)?;
                }
                // SAFETY: as the caller promises.
                unsafe { self.exchange.enqueue(driver, stream, &calls, &w.at) }
            }
            Instr::Loop { .. } | Instr::While(_) | Instr::Actions(_) | Instr::Send(_) | Instr::Receive(_) => Ok(()),
        }
    }

    /// Counts what a run moved. A `while` counts as one iteration.
    fn count(&self) {
        fn all(instrs: &[Instr], times: u64, f: &mut dyn FnMut(u32, u64)) {
            for i in instrs {
                match i {
                    Instr::Loop { trip, body } => all(body, times * trip, f),
                    Instr::While(w) => all(&w.body, times, f),
                    Instr::Actions(a) => a.bodies.iter().for_each(|b| all(&b.body, times * a.microbatches, f)),
                    _ => i.collectives().iter().for_each(|c| f(c.id, times)),
                }
            }
        }
        all(&self.program.instrs, 1, &mut |id, times| count(&self.traffic, &self.calls[&id], &self.own, times));
    }

    /// Waits for all that was given out, and looks after the others meanwhile.
    fn wait(&mut self, driver: &mut dyn Driver) -> Result<()> {
        if !self.exchange.watched() {
            return driver.synchronize(self.streams[0]);
        }
        let begin = std::time::Instant::now();
        while !driver.is_done(self.streams[0])? {
            let waited = begin.elapsed();
            self.exchange.watch(waited)?;
            // The host polls often while a step runs, and seldom once something seems to hang.
            if waited > std::time::Duration::from_millis(20) {
                std::thread::sleep(std::time::Duration::from_micros(50));
            } else {
                std::thread::yield_now();
            }
        }
        Ok(())
    }
}

/// A step as it is traced: two events for each piece of a window, before and after it.
struct Recording {
    begin: Event,
    events: Vec<Event>,
    used: usize,
    trace: Trace,
}

impl Recording {
    fn mark(&mut self, driver: &mut dyn Driver, stream: Stream) -> Result<()> {
        if self.used == self.events.len() {
            self.events.push(driver.timed_event()?);
        }
        self.used += 1;
        driver.record(self.events[self.used - 1], stream)
    }
}

/// Giving out a program window by window.
struct Giving<'a> {
    driver: &'a mut dyn Driver,
    work: &'a mut Issuer,
    staging: &'a mut Staging,
}

impl<'p> Sink<'p> for Giving<'_> {
    type Error = crate::error::RuntimeError;

    fn window(&mut self, work: &[Work<'p>]) -> Result<()> {
        self.work.window(self.driver, work)
    }

    fn goes_on(&mut self, condition: &BufRef, at: &Iterations) -> Result<bool> {
        self.work.wait(self.driver)?;
        let mut byte = [0];
        // SAFETY: validated to lie in the arena, and all work is done.
        unsafe { self.staging.read(self.driver, self.work.arenas.at(0) + condition.at(at), &mut byte)? };
        Ok(byte[0] != 0)
    }
}
