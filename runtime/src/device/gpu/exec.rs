//! Programs on GPU devices. Each device has an arena and a stream; one more stream is for all collectives of a program, and
//! one for what each rank of a pipeline sends to another one. A device that has memory of the host has two more, for copies from there
//! and to there. A step is captured once and replayed.
//!
//! The devices are those of this process: one device on its own GPU, with the others in other processes, or all devices
//! of the mesh on one GPU. Of a pipeline, each rank has a program of its own; the programs of the ranks that are here are issued as
//! one list ([`super::sequence`]), so a step of a pipeline is one graph as well, in which the turns of all microbatches have their
//! buffers, and each rank's turns run beside those of the others as far as wires allow.
//!
//! Work is issued in program order ([`super::unroll`]) with the waits that [`super::order`]
//! finds. So a collective begins when its inputs are ready, and only its readers wait for it. A step without a loop
//! that waits for a condition is captured as a graph at its second run.
//!
//! Memory: an arena, a workspace and the slots of wires for each device, allocated at once. If the library computes matmuls, each
//! device has a workspace for them as well. Nothing is allocated within a step.

use super::driver::{Address, Driver, Event, Graph, KernelLaunch, Priority, Stream, StridedRows};
use super::exchange::{MakeExchange, WireMessage};
use super::order::{Order, Task, order};
use super::parts::{LoadedPart, PartPlace, WireEnd, moved, task, wire_ends};
use super::ready::{ReadyKernel, about};
use super::recording::Recording;
use super::sequence::{Piece, WireStep, alone, together};
use super::staging::Staging;
use super::unroll::{Sink, UnrolledPart, WINDOW, Work, pieces_of, single_window, unroll};
use super::whereabouts::{Mark, StageEnd, StageProgress};
use crate::collectives::{Call, Traffic};
use crate::device::pattern::pattern;
use crate::error::{ErrorKind, Result, RuntimeError};
use crate::held::{Held, parts};
use crate::trace::Trace;
use meshloom_bundle::{BufRef, Dim, Instr, Iterations, Pipeline, Port, Program};
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

/// If it is `off`, steps are never captured: for tools that cannot look into graphs.
const GRAPHS: &str = "MESHLOOM_CUDA_GRAPHS";
/// The most pieces of work of a step in which other processes send: it is given out as one.
const MOST: u64 = 16 * WINDOW as u64;

pub struct GpuMachine {
    // Before the driver: communicators end before the memory that they know.
    pub(super) work: Issuer,
    pub(super) driver: Box<dyn Driver>,
    pub(super) staging: Staging,
    pub(super) graph: Step,
    /// The devices of this process.
    own: Range<usize>,
    /// The entry's, to ask whose a device is.
    whole: Program,
    pipeline: Option<Pipeline>,
    /// All that was given out is done, and nothing of it failed.
    pub(super) healthy: bool,
}

/// What is known of a step as a whole.
pub(super) enum Step {
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
pub(super) struct Issuer {
    pub(super) parts: Vec<LoadedPart>,
    /// In which order their instructions are given out.
    sequence: Vec<Piece>,
    pub(super) streams: Vec<Stream>,
    /// What each stream is for, for people.
    names: Vec<String>,
    fork: Event,
    events: Vec<Event>,
    /// Of a rank of a pipeline whose neighbours are other processes: where it is.
    stage: Option<Arc<StageProgress>>,
    /// Set while a step is traced.
    recording: Option<Recording>,
}

/// The ranks of an entry that a process has: program, number, places of its devices, ends of its wires.
type Rank<'p> = (&'p Program, usize, Range<usize>, Vec<WireEnd>);

impl GpuMachine {
    /// `program` was validated. `others` makes the collectives where other processes have devices.
    ///
    /// # Errors
    /// The device has too little memory; a kernel is missing.
    pub fn new(
        program: &Program,
        driver: Box<dyn Driver>,
        own: Range<usize>,
        others: Option<Box<MakeExchange<'_>>>,
    ) -> Result<GpuMachine> {
        if !program.wires.is_empty() {
            let what = "it is the program of one pipeline stage, which runs with the others alone";
            return Err(RuntimeError::usage(format!("entry `{}`", program.entry), what));
        }
        GpuMachine::of(program, None, driver, own, others, &[])
    }

    /// The devices of an entry, with pipeline stages or without: all of them, or that of this process, where `others` makes what
    /// it exchanges with the others, and `processes` says by device which process has it.
    ///
    /// # Errors
    /// As [`GpuMachine::new`]; and a program that cannot be issued at once where other processes have its neighbours.
    pub fn of(
        whole: &Program,
        pipeline: Option<&Pipeline>,
        mut driver: Box<dyn Driver>,
        own: Range<usize>,
        others: Option<Box<MakeExchange<'_>>>,
        processes: &[usize],
    ) -> Result<GpuMachine> {
        let held = Held { whole, pipeline };
        let here: Vec<(usize, Range<usize>)> = (0..held.ranks())
            .map(|k| (k, held.places(own.clone(), k)))
            .filter(|(_, places)| !places.is_empty())
            .collect();
        // Streams of the ranks, then those of pairs of ranks that send to each other.
        let mut names = Vec::new();
        let mut first = Vec::new();
        for (rank, places) in &here {
            first.push(names.len());
            names.extend(places.clone().map(|p| format!("device {}: compute", held.device(*rank, p))));
            names.push(if pipeline.is_some() { format!("stage {rank}: collectives") } else { "collectives".into() });
            names.extend(host_streams(&held, *rank, places));
        }
        let mut pairs: BTreeMap<(usize, usize), usize> = BTreeMap::new();
        for (from, to) in pipeline.map(neighbours).unwrap_or_default() {
            let end = here.iter().find(|(rank, _)| [from, to].contains(rank));
            if let Some((_, places)) = end {
                pairs.insert((from, to), names.len());
                let devices = places.clone().map(|p| (held.device(from, p), held.device(to, p)));
                names.extend(devices.map(|(a, b)| format!("device {a} to {b}")));
            }
        }
        let room = pipeline.map_or(1, Pipeline::room);
        let stream = |from: usize, to: usize| pairs.get(&(from, to)).copied().unwrap_or(0);
        let wires = |rank| pipeline.map_or_else(Vec::new, |p| wire_ends(p, rank, room, stream));
        let ranks: Vec<Rank<'_>> =
            here.iter().map(|(k, places)| (held.program(*k), *k, places.clone(), wires(*k))).collect();
        let remote = others.is_some() && pipeline.is_some();
        let sequence = match (pipeline, ranks.first()) {
            (Some(p), Some(r)) if remote => alone(p, r.1, room),
            _ => together(&ranks.iter().map(|r| r.0).collect::<Vec<_>>(), room),
        };
        let stuck =
            || RuntimeError::new(ErrorKind::Rejected, entry(whole), "the ranks of its pipeline wait for each other");
        let sequence = sequence.ok_or_else(stuck)?;
        if remote {
            let parts: Vec<UnrolledPart<'_>> =
                ranks.iter().map(|r| UnrolledPart { program: r.0, devices: r.2.len() }).collect();
            if pieces_of(&parts, &sequence).is_none_or(|n| n > MOST) {
                let what = "a stage with a loop that waits for a condition, or with more than a million pieces of work in a \
                            step, runs on one GPU with all others (`--launcher none`) or on CPU devices";
                return Err(RuntimeError::usage(entry(whole), what));
            }
        }
        let mut staging = Staging::new(&mut *driver)?;
        let (mut others, mut parts) = (others, Vec::new());
        for ((program, rank, own, wires), first) in ranks.into_iter().zip(first) {
            let place = PartPlace { rank, own, wires };
            parts.push(LoadedPart::new(program, place, &mut *driver, &mut staging, first, others.take())?);
        }
        let compute: Vec<usize> = parts.iter().flat_map(|p| p.layout.stream..p.layout.communication()).collect();
        let mut streams = Vec::new();
        for s in 0..names.len() {
            let compute = compute.contains(&s);
            streams.push(driver.stream(if compute { Priority::Compute } else { Priority::Communication })?);
        }
        let mut stage = None;
        if let Some(part) = parts.first_mut().filter(|p| remote && p.exchange.watched()) {
            let process = |w: &WireEnd| processes.get(held.device(w.other.0, part.own.start)).copied().unwrap_or(0);
            let end = |(w, e): (&meshloom_bundle::Wire, &WireEnd)| StageEnd {
                name: w.name.clone(),
                each: w.each,
                process: process(e),
            };
            let ends = part.program.wires.iter().zip(&part.wires).map(end).collect();
            // SAFETY: memory of its own, and of that size.
            let write = |d: &mut dyn Driver, to, bytes: &[u8]| unsafe { staging.write(d, to, bytes) };
            let sends: Vec<usize> =
                part.program.wires.iter().zip(&part.wires).filter(|w| w.0.sends).map(|w| w.1.stream).collect();
            let made = Arc::new(StageProgress::new(&mut *driver, part.rank, ends, &sends, sequence.len(), write)?);
            part.exchange.follow(made.clone());
            stage = Some(made);
        }
        let fork = driver.event()?;
        let work = Issuer { parts, sequence, streams, names, fork, events: Vec::new(), stage, recording: None };
        let pieces = std::env::var(GRAPHS).is_ok_and(|v| v == "off");
        let graph = if pieces || !driver.captures() { Step::Pieces } else { Step::New };
        let (whole, pipeline) = (whole.clone(), pipeline.cloned());
        Ok(GpuMachine { work, driver, staging, graph, own, whole, pipeline, healthy: true })
    }

    /// Who holds what of the entry's tensors.
    pub fn held(&self) -> Held<'_> {
        Held { whole: &self.whole, pipeline: self.pipeline.as_ref() }
    }

    /// The program that a device of this process runs.
    pub fn program_of(&self, device: usize) -> Option<Arc<Program>> {
        let rank = self.held().place(device).0;
        self.work.parts.iter().find(|p| p.rank == rank).map(|p| p.program.clone())
    }

    /// What a device's program has of a tensor.
    pub fn ports(&self, whole: &Port, device: usize) -> Vec<Port> {
        match &self.pipeline {
            None => vec![whole.clone()],
            Some(p) => {
                p.ranks.get(self.held().place(device).0).into_iter().flat_map(|r| parts(r, whole)).cloned().collect()
            }
        }
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
        let programs: Vec<Arc<Program>> = self.work.parts.iter().map(|p| p.program.clone()).collect();
        let devices = self.work.parts.iter().map(|p| p.own.len());
        let parts: Vec<UnrolledPart<'_>> =
            programs.iter().zip(devices).map(|(program, devices)| UnrolledPart { program, devices }).collect();
        let captured = matches!(self.graph, Step::Captured(_));
        for p in &mut self.work.parts {
            p.exchange.begin();
            if let Some(progress) = &p.progress {
                progress.restart(captured);
            }
        }
        self.work.stage.iter().for_each(|s| s.restart(captured));
        if matches!(self.graph, Step::Warm) {
            self.graph = match single_window(&parts, &self.work.sequence) {
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
                let sequence = std::mem::take(&mut self.work.sequence);
                let mut giving = Giving { driver: &mut *self.driver, work: &mut self.work, staging: &mut self.staging };
                let given = unroll(&parts, &sequence, &mut giving);
                self.work.sequence = sequence;
                given?;
                if matches!(self.graph, Step::New) {
                    self.graph = Step::Warm;
                }
            }
        }
        self.work.parts.iter().for_each(LoadedPart::count);
        self.work.wait(&mut *self.driver)
    }

    /// As [`GpuMachine::run`], with what ran when. The step is issued one piece of work at a time, whether or not it was captured.
    ///
    /// # Errors
    /// As [`GpuMachine::run`].
    pub fn trace(&mut self) -> Result<Trace> {
        self.healthy = false;
        self.work.recording = Some(Recording::new(&mut *self.driver, self.work.streams[0])?);
        let captured = std::mem::replace(&mut self.graph, Step::Pieces);
        let done = self.step();
        self.graph = match captured {
            Step::New if self.driver.captures() => Step::Warm,
            before => before,
        };
        let recording = self.work.recording.take();
        done?;
        self.healthy = true;
        let device = |part: usize, place: usize| {
            let p = &self.work.parts[part];
            (p.layout.stream + place, self.held().device(p.rank, p.own.start + place))
        };
        let action = |part: usize, turn: usize| self.work.parts[part].action(turn);
        Ok(recording.map(|r| r.finish(self.work.names.clone(), device, action)).unwrap_or_default())
    }

    /// The devices of this process.
    pub fn own(&self) -> Range<usize> {
        self.own.clone()
    }

    /// Libraries that were found, and what was taken in the place of those that were not: a line for each, for people.
    pub fn libraries(&self) -> Vec<String> {
        let counts = self.work.parts.iter().map(LoadedPart::offered);
        let (taken, offered) = counts.fold((0, 0), |a, b| (a.0 + b.0, a.1 + b.1));
        let matmuls = (offered > 0).then(|| self.driver.about_matmuls(taken, offered));
        let maps = self.work.parts.iter().filter_map(|p| about(&p.program, &p.kernels));
        let exchanges = self.work.parts.iter().filter_map(|p| p.exchange.library());
        matmuls.into_iter().chain(maps).chain(exchanges).collect()
    }

    /// Of the first program.
    pub fn traffic(&self) -> &Traffic {
        &self.work.parts[0].traffic
    }

    /// Bytes that each device of the mesh has received from others.
    pub fn received_bytes(&self) -> Vec<u64> {
        let mut all = vec![0; self.whole.devices()];
        for p in &self.work.parts {
            for (place, bytes) in p.traffic.per_device().into_iter().enumerate() {
                all[self.held().device(p.rank, place)] = bytes;
            }
        }
        all
    }

    /// Bytes of device memory that were allocated.
    pub fn allocated(&self) -> u64 {
        self.driver.allocated()
    }

    /// Bytes of the host's memory that the devices keep tensors in.
    pub fn host_bytes(&self) -> u64 {
        self.work.parts.iter().map(|p| p.layout.host.span * p.own.len() as u64).sum()
    }

    /// Reads `bytes.len()` bytes of a device's memory.
    ///
    /// # Errors
    /// The device's.
    pub fn read(&mut self, device: usize, offset: u64, bytes: &mut [u8]) -> Result<()> {
        match self.place(device, offset, bytes.len()) {
            // SAFETY: within the arena, and no work is going on between runs.
            MemoryPlace::Device(from) => unsafe { self.staging.read(&mut *self.driver, from, bytes) },
            MemoryPlace::Host(from) => {
                // SAFETY: within the host's memory of the device, and no work is going on between runs.
                unsafe { std::ptr::copy_nonoverlapping(from as *const u8, bytes.as_mut_ptr(), bytes.len()) };
                Ok(())
            }
        }
    }

    /// Writes to a device's memory.
    ///
    /// # Errors
    /// The device's.
    pub fn write(&mut self, device: usize, offset: u64, bytes: &[u8]) -> Result<()> {
        match self.place(device, offset, bytes.len()) {
            // SAFETY: as for reading.
            MemoryPlace::Device(to) => unsafe { self.staging.write(&mut *self.driver, to, bytes) },
            MemoryPlace::Host(to) => {
                // SAFETY: as for reading.
                unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), to as *mut u8, bytes.len()) };
                Ok(())
            }
        }
    }

    pub(super) fn place(&self, device: usize, offset: u64, len: usize) -> MemoryPlace {
        let (rank, place) = self.held().place(device);
        let part = self.work.parts.iter().find(|p| p.rank == rank && p.own.contains(&place));
        let end = |p: &LoadedPart| match p.program.in_host(offset) {
            true => p.program.arena_bytes + p.program.host_bytes,
            false => p.program.arena_bytes,
        };
        let Some(part) = part.filter(|p| offset + len as u64 <= end(p)) else { panic!("outside of a device's memory") };
        let place = place - part.own.start;
        let host = part.layout.host.place(place, offset).map(MemoryPlace::Host);
        host.unwrap_or_else(|| MemoryPlace::Device(part.arena(place) + offset))
    }
}

/// Where a byte of a device's memory is.
pub(super) enum MemoryPlace {
    Device(Address),
    /// In pinned memory of the host.
    Host(Address),
}

/// What the streams are called for a rank's copies from the host's memory and to it.
fn host_streams(held: &Held<'_>, rank: usize, places: &Range<usize>) -> Vec<String> {
    let places = places.clone().filter(|_| held.program(rank).host_bytes > 0);
    let both = |p| ["from", "to"].map(|way| format!("device {}: {way} the host", held.device(rank, p)));
    places.flat_map(both).collect()
}

fn entry(program: &Program) -> String {
    format!("entry `{}`", program.entry)
}

/// The pairs of ranks of which one sends to the other, in order.
pub fn neighbours(pipeline: &Pipeline) -> std::collections::BTreeSet<(usize, usize)> {
    let of = |(k, p): (usize, &Program)| {
        let sends = p.wires.iter().enumerate().filter(|w| w.1.sends);
        let to = sends.filter_map(move |(w, _)| super::sequence::other_end(pipeline, k, w as u32));
        to.map(|(other, _)| (k, other)).collect::<Vec<_>>()
    };
    pipeline.ranks.iter().enumerate().flat_map(of).collect()
}

impl Drop for GpuMachine {
    /// Ranks that are well end their communicators together. Where something failed they are aborted when they are dropped. In either case
    /// NCCL waits for the graphs that hold its operations, so these go first.
    fn drop(&mut self) {
        self.graph = Step::Pieces;
        self.driver.end_graphs();
        if self.healthy {
            // Who does not come to it has a reason of its own to give.
            self.work.parts.iter_mut().for_each(|p| _ = p.exchange.finish());
        }
    }
}

impl Issuer {
    /// Gives out a window, after all before it and before all after it.
    fn window(&mut self, driver: &mut dyn Driver, work: &[Work<'_>]) -> Result<()> {
        let tasks: Vec<_> = work.iter().map(|w| task(&self.parts, w)).collect();
        let Order { steps, last } = order(&tasks, self.streams.len());
        driver.record(self.fork, self.streams[0])?;
        for &s in last.keys().filter(|&&s| s != 0) {
            driver.wait(self.streams[s], self.fork)?;
        }
        let mut used = 0;
        let mut event_of = vec![None; tasks.len()];
        for (t, (task, step)) in tasks.iter().zip(&steps).enumerate() {
            let stream = self.streams[task.stream];
            self.mark_turn(driver, stream, &work[t])?;
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

    /// Before work is waited for: says where the rank is, to whoever waits for it.
    fn mark_turn(&self, driver: &mut dyn Driver, stream: Stream, w: &Work<'_>) -> Result<()> {
        let Some(stage) = &self.stage else { return Ok(()) };
        match (w.wire, w.instr) {
            (WireStep::Take, Instr::Receive(t)) => {
                let (wire, microbatch) = (t.wire, w.at[0]);
                stage.compute(driver, stream, Mark::Take { turn: w.turn, wire, microbatch })
            }
            // Copies to and from the host are on streams of their own.
            (WireStep::None, Instr::Copy { src, dst, .. })
                if [src, dst].iter().any(|b| self.parts[w.part].program.in_host(b.offset)) =>
            {
                Ok(())
            }
            (WireStep::None, Instr::Launch(_) | Instr::Copy { .. } | Instr::Fill { .. }) => {
                stage.compute(driver, stream, Mark::At { turn: w.turn })
            }
            _ => Ok(()),
        }
    }

    /// The times of a window that is done.
    fn read_times(&mut self, driver: &mut dyn Driver, tasks: &[Task], work: &[Work<'_>]) -> Result<()> {
        let Some(r) = &mut self.recording else { return Ok(()) };
        let program = |w: &Work<'_>| self.parts[w.part].program.clone();
        r.read(driver, tasks.iter().map(|t| t.stream).zip(work), program)
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
    /// The work is of the programs whose arenas these are, and what it waits for was waited for.
    unsafe fn give(&mut self, driver: &mut dyn Driver, stream: Stream, w: &Work<'_>) -> Result<()> {
        if w.wire != WireStep::None {
            // SAFETY: as the caller promises.
            return unsafe { self.transfer(driver, stream, w) };
        }
        let part = &mut self.parts[w.part];
        let arena = part.arena(w.device);
        let place = |b: &BufRef| arena + b.at(&w.at);
        match w.instr {
            Instr::Launch(l) if l.units == 0 => Ok(()),
            Instr::Launch(l) => {
                let ReadyKernel { handle, shape, units, .. } = &part.kernels[l.kernel as usize];
                let units = units.unwrap_or(l.units);
                let mut words: Vec<u64> = l.args.iter().map(place).collect();
                if let Some(matmul) = part.matmuls[l.kernel as usize] {
                    let workspace = part.library.0 + w.device as u64 * part.library.1;
                    // SAFETY: validated to stay within the arguments, of which it writes what the launch does; the workspace is this
                    // device's, whose work is all on one stream.
                    return unsafe { driver.multiply(stream, matmul, &words, workspace) };
                }
                if part.program.kernels[l.kernel as usize].scratch {
                    words.push(arena + part.layout.workspace.0);
                }
                words.extend([0, units]);
                let device = part.own.start + w.device;
                words.extend(l.dims.iter().map(|d| match d {
                    Dim::Const(n) => *n as u64,
                    Dim::ShardStart { axes, block } => (part.program.rank_over(device, axes) as i64 * block) as u64,
                }));
                let blocks = shape.blocks(units, part.program.scratch_bytes, driver.most_blocks(shape));
                let launch = KernelLaunch { kernel: *handle, shape, blocks, words: &words };
                // SAFETY: as many arguments as the kernel's entry says; as the caller promises.
                unsafe { driver.launch(stream, &launch) }
            }
            Instr::Copy { src, dst, bytes } => {
                let host = |b: &BufRef| part.layout.host.place(w.device, b.at(&w.at));
                // SAFETY: as the caller promises; the host's memory is pinned, and only work that is in order touches it.
                unsafe {
                    match (host(src), host(dst)) {
                        (Some(from), _) => driver.upload(stream, place(dst), from as *const u8, *bytes as usize),
                        (None, Some(to)) => driver.download(stream, to as *mut u8, place(src), *bytes as usize),
                        (None, None) => driver.copy(stream, &StridedRows::one(place(dst), place(src), *bytes)),
                    }
                }
            }
            Instr::Fill { dst, dtype, count, value } => {
                let p = pattern(*dtype, *value);
                // SAFETY: as the caller promises.
                unsafe { driver.fill(stream, place(dst), &p.bytes[..p.size], *count) }
            }
            Instr::Collective(_) | Instr::Bucket(_) => {
                let calls: Vec<&Call> = w.instr.collectives().iter().map(|c| &part.calls[&c.id]).collect();
                if let (Some(progress), Some(first)) = (&part.progress, calls.first()) {
                    progress.mark(driver, stream, first.collective.id)?;
                }
                // SAFETY: as the caller promises.
                unsafe { part.exchange.enqueue(driver, stream, &calls, &w.at) }
            }
            Instr::Loop { .. } | Instr::While(_) | Instr::Actions(_) | Instr::Send(_) | Instr::Receive(_) => Ok(()),
        }
    }

    /// Work about a wire: a copy where both sides are here.
    ///
    /// # Safety
    /// As [`Issuer::give`].
    unsafe fn transfer(&mut self, driver: &mut dyn Driver, stream: Stream, w: &Work<'_>) -> Result<()> {
        let Some(m) = moved(&self.parts, w) else { return Ok(()) };
        let (at, sends) = match (m.from, m.to) {
            // SAFETY: the buffer lies in its arena, and the slot has room for the wire's value, which is as large.
            (Some(from), Some(to)) => return unsafe { driver.copy(stream, &StridedRows::one(to, from, m.bytes)) },
            (Some(from), None) => (from, true),
            (None, Some(to)) => (to, false),
            (None, None) => return Ok(()),
        };
        let message = WireMessage { sends, rank: m.end.other.0, at, bytes: m.bytes };
        let (wire, microbatch) = (m.wire, m.microbatch);
        let stage = self.stage.as_ref().filter(|_| sends);
        stage.map_or(Ok(()), |s| s.sending(driver, m.stream, stream, Mark::Send { wire, microbatch }))?;
        // SAFETY: as above.
        unsafe { self.parts[w.part].exchange.transfer(driver, stream, &message)? };
        stage.map_or(Ok(()), |s| s.sending(driver, m.stream, stream, Mark::Sent))
    }

    /// Waits for all that was given out, and looks after the others meanwhile.
    fn wait(&mut self, driver: &mut dyn Driver) -> Result<()> {
        if !self.parts.iter().any(|p| p.exchange.watched()) {
            return driver.synchronize(self.streams[0]);
        }
        let begin = std::time::Instant::now();
        while !driver.is_done(self.streams[0])? {
            let waited = begin.elapsed();
            self.parts.iter_mut().try_for_each(|p| p.exchange.watch(waited))?;
            // The host polls often while a step runs, and seldom once something seems to hang.
            if waited > std::time::Duration::from_millis(20) {
                std::thread::sleep(std::time::Duration::from_micros(50));
            } else {
                std::thread::yield_now();
            }
        }
        self.parts.iter_mut().for_each(|p| p.exchange.rest());
        Ok(())
    }
}

/// Giving out programs window by window.
struct Giving<'a> {
    driver: &'a mut dyn Driver,
    work: &'a mut Issuer,
    staging: &'a mut Staging,
}

impl<'p> Sink<'p> for Giving<'_> {
    type Error = RuntimeError;

    fn window(&mut self, work: &[Work<'p>]) -> Result<()> {
        self.work.window(self.driver, work)
    }

    fn goes_on(&mut self, part: usize, condition: &BufRef, at: &Iterations) -> Result<bool> {
        self.work.wait(self.driver)?;
        let mut byte = [0];
        let from = self.work.parts[part].arena(0) + condition.at(at);
        // SAFETY: validated to lie in the arena, and all work is done.
        unsafe { self.staging.read(self.driver, from, &mut byte)? };
        Ok(byte[0] != 0)
    }
}
