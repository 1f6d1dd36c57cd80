//! The devices of an entry with pipeline stages that this process has: for each rank of the pipeline a machine, which runs on a
//! thread of its own.
//!
//! The ranks of a step run at the same time and wait for each other at wires. Each thread is started when the session is opened
//! and is handed its machine for each step, so no step starts a thread, and a machine has one owner at any time.

use crate::device::library::Library;
use crate::device::memory::MemoryCounter;
use crate::device::{Channels, CpuMachine, LateStages, RankWires, Share, TurnTimes, may_spin};
use crate::error::{ErrorKind, Result, RuntimeError};
use crate::held::{Held, parts};
use crate::shard::{self, Window};
use crate::trace::Trace;
use crate::world::{ProgramRanks, World};
use meshloom_bundle::{EntryContents, Pipeline, Port, Program};
use std::ops::Range;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::JoinHandle;
use std::time::Instant;

pub struct Stages {
    whole: Program,
    pipeline: Pipeline,
    own: Range<usize>,
    stages: Vec<Stage>,
    /// Of the wires.
    memory: Arc<MemoryCounter>,
}

/// A rank of the pipeline.
struct Stage {
    rank: usize,
    /// With its thread while a step runs.
    machine: Option<Box<CpuMachine>>,
    runner: Runner,
}

type Work = (Box<CpuMachine>, Option<Instant>);
type Done = (Box<CpuMachine>, Option<Trace>);

/// The thread that runs a machine.
struct Runner {
    to: Option<SyncSender<Work>>,
    back: Receiver<Done>,
    thread: Option<JoinHandle<()>>,
}

impl Runner {
    fn new(rank: usize) -> Result<Runner> {
        let (to, work) = sync_channel::<Work>(1);
        let (done, back) = sync_channel::<Done>(1);
        let run = move || {
            for (mut machine, begin) in work {
                let trace = match begin {
                    Some(begin) => Some(machine.trace(begin)),
                    None => {
                        machine.run();
                        None
                    }
                };
                if done.send((machine, trace)).is_err() {
                    return;
                }
            }
        };
        let thread = std::thread::Builder::new().name(format!("stage {rank}")).spawn(run);
        let thread = thread.map_err(|e| RuntimeError::usage("worker threads", e.to_string()))?;
        Ok(Runner { to: Some(to), back, thread: Some(thread) })
    }
}

impl Drop for Runner {
    fn drop(&mut self) {
        // The thread ends when nothing can come any more.
        self.to = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

impl Stages {
    /// Of a validated entry. The stages of this process share `threads` workers. The processes of a run make theirs at the same
    /// time. `late` hears of stages of this process for which others wait long.
    ///
    /// # Errors
    /// Devices that cannot be shared out evenly, and what machines say.
    pub fn open(
        entry: &EntryContents,
        pipeline: &Pipeline,
        library: Library,
        threads: usize,
        world: Option<&Arc<World>>,
        late: Option<LateStages>,
    ) -> Result<Stages> {
        let (held, library) = (Held::of(entry), Arc::new(library));
        let all = world.map(|w| ProgramRanks::all(w, held.devices())).transpose()?;
        let own = all.as_ref().map_or(0..held.devices(), ProgramRanks::devices);
        let processes = all.as_ref().map(ProgramRanks::processes);
        let process = |rank, place| processes.as_ref().map_or(0, |p| p[held.device(rank, place)]);
        let places: Vec<Range<usize>> = (0..held.ranks()).map(|k| held.places(own.clone(), k)).collect();
        let memory = Arc::new(MemoryCounter::default());
        let here = places.iter().filter(|p| !p.is_empty()).count().max(1);
        let threads = (threads / here).max(1);
        let sharers = here * world.map_or(1, |w| w.sharers());
        let spin = may_spin(threads * sharers);
        // The thread that carries messages is one more for each process.
        let awake = may_spin(threads * sharers + world.map_or(1, |w| w.sharers()));
        let channels = Arc::new(Channels::new(pipeline, &places, process, &memory, all.as_ref(), awake, late)?);
        let mut stages = Vec::new();
        for (rank, program) in pipeline.ranks.iter().enumerate() {
            let number = world.map_or(0, |w| w.register(program));
            let mut group = None;
            if let Some(world) = world {
                let each = held.devices() / world.size();
                let of = |r: usize| (r, held.places(r * each..(r + 1) * each, rank));
                let members = (0..world.size()).map(of).filter(|m| !m.1.is_empty()).collect();
                group = ProgramRanks::of(world, members)?;
            }
            if places[rank].is_empty() {
                continue;
            }
            let wires = RankWires::new(&channels, rank, program, world, spin);
            let share = Share { group, number, sharers };
            let machine = CpuMachine::new(program, library.clone(), threads, share, Some(wires))?;
            stages.push(Stage { rank, machine: Some(Box::new(machine)), runner: Runner::new(rank)? });
        }
        Ok(Stages { whole: entry.program.clone(), pipeline: pipeline.clone(), own, stages, memory })
    }

    fn held(&self) -> Held<'_> {
        Held { whole: &self.whole, pipeline: Some(&self.pipeline) }
    }

    /// The ranks of this process: number, program, machine.
    fn ranks(&self) -> impl Iterator<Item = (usize, &Program, &CpuMachine)> {
        self.stages.iter().filter_map(|s| Some((s.rank, self.pipeline.ranks.get(s.rank)?, s.machine.as_deref()?)))
    }

    fn machine(&self, rank: usize) -> Option<&CpuMachine> {
        self.stages.iter().find(|s| s.rank == rank)?.machine.as_deref()
    }

    /// Runs all ranks at the same time.
    ///
    /// # Errors
    /// A rank's thread that has ended.
    pub fn run(&mut self, begin: Option<Instant>) -> Result<Vec<(usize, Trace)>> {
        let gone = |rank: usize| {
            let message = "its thread has ended, and its devices are lost";
            RuntimeError::new(ErrorKind::Rank, format!("rank {rank} of the pipeline"), message)
        };
        for s in &mut self.stages {
            let machine = s.machine.take().ok_or_else(|| gone(s.rank))?;
            let to = s.runner.to.as_ref().ok_or_else(|| gone(s.rank))?;
            to.send((machine, begin)).map_err(|_| gone(s.rank))?;
        }
        let mut traces = Vec::new();
        for s in &mut self.stages {
            let (machine, trace) = s.runner.back.recv().map_err(|_| gone(s.rank))?;
            s.machine = Some(machine);
            traces.extend(trace.map(|t| (s.rank, t)));
        }
        Ok(traces)
    }

    /// As [`Stages::run`], with what ran when on all ranks of this process.
    pub fn trace(&mut self) -> Result<Trace> {
        let mut all = Trace::default();
        for (rank, trace) in self.run(Some(Instant::now()))? {
            let first = all.tracks.len();
            all.tracks.extend(trace.tracks.iter().map(|t| format!("stage {rank}, {t}")));
            let held = self.held();
            all.spans.extend(trace.spans.into_iter().map(|mut s| {
                s.track += first;
                s.device = s.device.map(|place| held.device(rank, place));
                s
            }));
        }
        Ok(all)
    }

    pub fn own(&self) -> Range<usize> {
        self.own.clone()
    }

    pub fn workers(&self) -> usize {
        self.ranks().map(|r| r.2.workers()).sum()
    }

    /// By rank of the pipeline, how long its turns took, and the most bytes that were allocated for one of its devices; of ranks
    /// whose first device is in this process.
    pub fn turns(&self) -> Vec<(usize, TurnTimes, u64)> {
        let first = self.ranks().filter(|(_, _, m)| m.own().start == 0);
        first.map(|(k, _, m)| (k, m.turns(), m.memory().peak_bytes() / m.own().len().max(1) as u64)).collect()
    }

    pub fn peak_bytes(&self) -> u64 {
        self.memory.peak_bytes() + self.ranks().map(|r| r.2.memory().peak_bytes()).sum::<u64>()
    }

    pub fn host_bytes(&self) -> u64 {
        self.ranks().map(|r| r.2.memory().host_bytes()).sum()
    }

    /// By device of the whole mesh.
    pub fn received_bytes(&self) -> Vec<u64> {
        let mut all = vec![0; self.whole.devices()];
        for (rank, _, machine) in self.ranks() {
            for (place, bytes) in machine.received_bytes().into_iter().enumerate() {
                all[self.held().device(rank, place)] = bytes;
            }
        }
        all
    }

    /// Reads a window of a global tensor into `host`, as far as this process holds it; what others hold is left as it is.
    pub fn gather(&self, whole: &Port, w: &Window, host: &mut [u8]) {
        for (_, program, machine) in self.ranks() {
            for port in parts(program, whole) {
                for place in machine.own().filter(|&d| shard::is_first_copy(program, port, d)) {
                    shard::gather_from(program, port, w, host, place, 0, machine.arena(place));
                }
            }
        }
    }

    /// Writes a window of a global tensor, as far as this process holds it.
    pub fn scatter(&mut self, whole: &Port, w: &Window, host: &[u8]) {
        for s in &mut self.stages {
            let (Some(program), Some(machine)) = (self.pipeline.ranks.get(s.rank), s.machine.as_deref_mut()) else {
                continue;
            };
            for port in parts(program, whole) {
                for place in machine.own() {
                    shard::scatter(program, port, w, host, place, machine.arena_mut(place));
                }
            }
        }
    }

    /// A window of a global tensor that one device of this process holds all of.
    pub fn part(&self, whole: &Port, w: &Window, device: usize) -> Vec<u8> {
        let mut host = vec![0; shard::bytes(whole, w) as usize];
        let (rank, place) = self.held().place(device);
        if let (Some(program), Some(machine)) = (self.pipeline.ranks.get(rank), self.machine(rank)) {
            for port in parts(program, whole) {
                shard::gather_from(program, port, w, &mut host, place, 0, machine.arena(place));
            }
        }
        host
    }

    /// Where a device of this process has its parts of a tensor: offset and bytes in its arena.
    pub fn places(&self, whole: &Port, device: usize) -> Vec<(u64, u64)> {
        let program = self.pipeline.ranks.get(self.held().place(device).0);
        program.into_iter().flat_map(|p| parts(p, whole)).map(|p| (p.offset, p.bytes)).collect()
    }

    /// The arena of a device of this process.
    pub fn arena(&self, device: usize) -> &[u8] {
        let (rank, place) = self.held().place(device);
        self.machine(rank).map_or(&[], |m| m.arena(place))
    }

    pub fn arena_mut(&mut self, device: usize) -> &mut [u8] {
        let (rank, place) = self.held().place(device);
        let stage = self.stages.iter_mut().find(|s| s.rank == rank);
        stage.and_then(|s| s.machine.as_deref_mut()).map_or(&mut [], |m| m.arena_mut(place))
    }
}
