//! The wires of a pipeline: for each wire and each place of the mesh a ring of slots between the device that sends and the
//! device that receives, in memory that both processes have. Where processes share no memory, each end has a ring of its own,
//! and a thread carries values from one to the other ([`super::courier`]).
//!
//! A send copies a value into the next slot, and a receive copies it out. A sender waits where all slots are full, a receiver
//! where the next one is empty; the reader of bundles has shown that this comes to an end ([`Pipeline::room`]). Each end counts
//! for itself, so that a slot's one word is all that the two share. Who waits blocks on that word (a futex, as in
//! `world::control`).
//!
//! Not here: wires between GPUs (`gpu::sequence`).

use super::courier::{Courier, WireEnd, turn};
use super::late::{LateStages, Whereabouts};
use crate::device::memory::{MemoryCounter, MemoryRegion};
use crate::error::{ErrorKind, Result, RuntimeError};
use crate::world::{ProgramRanks, Segment, World};
use meshloom_bundle::{Pipeline, Program};
use rustix::thread::futex::{Flags, Timespec, wait};
use std::collections::{BTreeMap, VecDeque};
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering::*};
use std::time::{Duration, Instant};

/// A slot begins with its word and is followed by the value.
const HEADER: u64 = 64;
const SPINS: u32 = 2000;
const WHAT: &str = "the wires of the pipeline";
/// How long a wait sleeps at most before it looks whether the run goes on.
const NAP: Duration = Duration::from_millis(200);

/// All wires of a pipeline, as one process sees them.
pub struct Channels {
    rings: BTreeMap<(usize, u32, usize), Ring>,
    // Dropped before the memory of the ends.
    courier: Option<Courier>,
    at: Whereabouts,
    _own: MemoryRegion,
    _shared: Option<Segment>,
}

/// One end of a wire at one place.
struct Ring {
    base: *mut u8,
    bytes: usize,
    slots: u64,
    stride: usize,
    /// The rank at the other end, and its process, where that is another one.
    rank: usize,
    process: Option<usize>,
    carried: bool,
    /// Values that went through.
    count: AtomicU64,
}

// SAFETY: an address in memory that lives as long as the channels; a slot's word says which end may touch its value.
unsafe impl Send for Ring {}
// SAFETY: as above; one thread at a time uses an end.
unsafe impl Sync for Ring {}

/// An end of a wire: rank, wire, place; the rank at the other end; and where its ring lies.
struct Planned {
    end: (usize, u32, usize),
    rank: usize,
    process: Option<usize>,
    at: u64,
    bytes: u64,
    slots: u64,
    /// Where a message carries each value: its tag, and whether this end sends.
    carried: Option<(u32, bool)>,
}

/// Where the rings of a process lie.
struct Rings {
    /// In memory of its own, and in memory that processes share, each with its bytes.
    inside: Vec<Planned>,
    own: u64,
    between: Vec<Planned>,
    shared: u64,
    /// The most wires that any process has to another one, where messages carry them.
    tags: u32,
}

impl Rings {
    /// `messages`: processes share no memory.
    fn new(
        pipeline: &Pipeline,
        places: &[Range<usize>],
        process: impl Fn(usize, usize) -> usize,
        messages: bool,
    ) -> Result<Rings> {
        // By the two processes: how many wires they have, which are numbered the same on both.
        let mut tags: BTreeMap<(usize, usize), u32> = BTreeMap::new();
        let too_large = || RuntimeError::new(ErrorKind::DoesNotFit, WHAT, "more than this machine can address");
        let room = pipeline.room();
        let (mut inside, mut between) = (Vec::new(), Vec::new());
        let (mut own, mut shared) = (0u64, 0u64);
        for (from, program) in pipeline.ranks.iter().enumerate() {
            for (number, wire) in program.wires.iter().enumerate().filter(|w| w.1.sends) {
                let other = pipeline.ranks.iter().enumerate().find_map(|(to, p)| {
                    let here = |w: &meshloom_bundle::Wire| !w.sends && w.name == wire.name;
                    Some((to, p.wires.iter().position(here)?))
                });
                let Some((to, received)) = other else { continue };
                let bytes = wire.shape.iter().product::<u64>() * wire.dtype.bytes();
                let slots = if wire.each { room.min(microbatches(program)) } else { 1 };
                let size =
                    bytes.checked_next_multiple_of(HEADER).and_then(|b| b.checked_add(HEADER)?.checked_mul(slots));
                let size = size.ok_or_else(too_large)?;
                for place in 0..program.devices() {
                    let (a, b) = (process(from, place), process(to, place));
                    if a != b && messages {
                        let tag = tags.entry((a, b)).or_default();
                        for (rank, wire, other, sends) in [(from, number, b, true), (to, received, a, false)] {
                            if places.get(rank).is_some_and(|p| p.contains(&place)) {
                                let (end, carried) = ((rank, wire as u32, place), Some((*tag, sends)));
                                let (process, rank) = (Some(other), if sends { to } else { from });
                                inside.push(Planned { end, rank, process, at: own, bytes, slots, carried });
                                own = own.checked_add(size).ok_or_else(too_large)?;
                            }
                        }
                        *tag += 1;
                        continue;
                    }
                    let (all, end) = if a == b { (&mut inside, &mut own) } else { (&mut between, &mut shared) };
                    let at = *end;
                    for (rank, wire, other) in [(from, number, b), (to, received, a)] {
                        let process = (a != b).then_some(other);
                        if places.get(rank).is_some_and(|p| p.contains(&place)) {
                            let end = (rank, wire as u32, place);
                            let rank = if rank == from { to } else { from };
                            all.push(Planned { end, rank, process, at, bytes, slots, carried: None });
                        }
                    }
                    // What is inside of other processes takes no room here.
                    let mine = places.get(from).is_some_and(|p| p.contains(&place));
                    if a != b || mine {
                        *end = end.checked_add(size).ok_or_else(too_large)?;
                    }
                }
            }
        }
        let tags = tags.into_values().max().unwrap_or(0);
        Ok(Rings { inside, between, own, shared, tags })
    }
}

impl Channels {
    /// Of a validated pipeline. `places` are the places that this process has of each rank, `process` is the process that has a
    /// place of a rank. All processes of the run make theirs at the same time. `awake`: the thread that carries messages
    /// has a core. `late`: who hears of ranks of this process that are late.
    ///
    /// # Errors
    /// Not enough memory, threads or tags of messages.
    pub fn new(
        pipeline: &Pipeline,
        places: &[Range<usize>],
        process: impl Fn(usize, usize) -> usize,
        memory: &Arc<MemoryCounter>,
        group: Option<&ProgramRanks>,
        awake: bool,
        late: Option<LateStages>,
    ) -> Result<Channels> {
        let remote = group.map(ProgramRanks::world).filter(|w| w.transport().is_some());
        let Rings { inside, between, own, shared, tags } = Rings::new(pipeline, places, process, remote.is_some())?;
        let own = MemoryRegion::new(memory, own, WHAT)?;
        let segment = match group.filter(|_| shared > 0) {
            Some(group) => group.share(shared, WHAT)?,
            None => None,
        };
        let first = remote.map_or(Ok(0), |w| w.take_tags(tags))?;
        let (mut rings, mut ends) = (BTreeMap::new(), Vec::new());
        let bases = [(inside, Some(own.base())), (between, segment.as_ref().map(Segment::base))];
        for (all, base) in bases {
            let Some(base) = base else { continue };
            for p in all {
                let stride = (p.bytes.next_multiple_of(HEADER) + HEADER) as usize;
                let base = base.wrapping_add(p.at as usize);
                let (bytes, slots, count) = (p.bytes as usize, p.slots, AtomicU64::new(0));
                if let (Some((tag, sends)), Some(process)) = (p.carried, p.process) {
                    let (tag, header, under_way) = (first + tag, HEADER as usize, VecDeque::new());
                    ends.push(WireEnd { sends, process, tag, base, header, bytes, slots, stride, begun: 0, under_way });
                }
                let carried = p.carried.is_some();
                let (rank, process) = (p.rank, p.process);
                rings.insert(p.end, Ring { base, bytes, slots, stride, rank, process, carried, count });
            }
        }
        if segment.is_some() {
            let received = |(end, ring): (&(usize, u32, usize), &Ring)| {
                let wire = pipeline.ranks.get(end.0).and_then(|p| p.wires.get(end.1 as usize));
                let counts = ring.process.is_some() && wire.is_some_and(|w| !w.sends);
                if counts { ring.stride as u64 * ring.slots } else { 0 }
            };
            memory.count(rings.iter().map(received).sum());
        }
        let courier = match remote.filter(|_| !ends.is_empty()) {
            Some(world) => Some(Courier::new(ends, world.clone(), awake)?),
            None => None,
        };
        let at = Whereabouts::new(pipeline, places, late);
        Ok(Channels { rings, courier, at, _own: own, _shared: segment })
    }
}

/// How often the actions of a rank run in a step.
fn microbatches(program: &Program) -> u64 {
    let of = |i: &meshloom_bundle::Instr| match i {
        meshloom_bundle::Instr::Actions(a) => Some(a.microbatches),
        _ => None,
    };
    program.instrs.iter().find_map(of).unwrap_or(1)
}

/// The wires of one rank.
pub struct RankWires {
    channels: Arc<Channels>,
    rank: usize,
    /// By wire: its name, and whether it is of microbatches.
    names: Vec<(String, bool)>,
    world: Option<Arc<World>>,
    /// Whether all who wait have a core each.
    spin: bool,
    received: Vec<AtomicU64>,
}

impl RankWires {
    pub fn new(
        channels: &Arc<Channels>,
        rank: usize,
        program: &Program,
        world: Option<&Arc<World>>,
        spin: bool,
    ) -> RankWires {
        RankWires {
            channels: channels.clone(),
            rank,
            names: program.wires.iter().map(|w| (w.name.clone(), w.each)).collect(),
            world: world.cloned(),
            spin,
            received: (0..program.devices()).map(|_| AtomicU64::new(0)).collect(),
        }
    }

    /// The ring of an end, and the next slot's word and value, once the word is `ready`; and for how many nanoseconds it was not.
    fn slot(&self, wire: u32, place: usize, microbatch: u64, ready: u32) -> Option<(&Ring, &AtomicU32, *mut u8, u64)> {
        let ring = self.channels.rings.get(&(self.rank, wire, place))?;
        let at = ring.base.wrapping_add((ring.count.fetch_add(1, Relaxed) % ring.slots) as usize * ring.stride);
        // SAFETY: the slot begins in the ring's memory, at a multiple of 64 from its aligned beginning; every access of any process to
        // the word is atomic.
        let word = unsafe { AtomicU32::from_ptr(at.cast()) };
        let value = at.wrapping_add(HEADER as usize);
        if word.load(Acquire) == ready {
            return Some((ring, word, value, 0));
        }
        let start = Instant::now();
        for _ in 0..if self.spin { SPINS } else { 0 } {
            if word.load(Acquire) == ready {
                return Some((ring, word, value, start.elapsed().as_nanos() as u64));
            }
            std::hint::spin_loop();
        }
        self.block(ring, word, ready, wire, microbatch);
        Some((ring, word, value, start.elapsed().as_nanos() as u64))
    }

    #[cold]
    fn block(&self, ring: &Ring, word: &AtomicU32, ready: u32, wire: u32, microbatch: u64) {
        let (start, at) = (Instant::now(), &self.channels.at);
        let waits = self.world.as_ref().zip(ring.process);
        waits.iter().for_each(|(w, process)| w.wait_for(Some(*process)));
        at.waits(self.rank, Some(ring.rank));
        let mut told = ring.process.is_some();
        let what = || {
            let (name, each) = self.names.get(wire as usize).map_or(("", false), |n| (&n.0, n.1));
            let of = if each { format!(" of microbatch {microbatch}") } else { String::new() };
            let what = if ready == 1 { "waits for" } else { "waits until there is room for" };
            format!("rank {} of the pipeline {what} `{name}`{of}", self.rank)
        };
        while word.load(SeqCst) != ready {
            let spec = Timespec { tv_sec: 0, tv_nsec: NAP.subsec_nanos().into() };
            // Woken, changed before, or time to look again.
            let _ = wait(word, Flags::empty(), 1 - ready, Some(&spec));
            if let Some((w, process)) = waits.filter(|(w, _)| start.elapsed() > w.timeout()) {
                w.wire_is_late(&what(), process, ready == 1);
            }
            if !told && word.load(SeqCst) != ready {
                told = at.late(&what, ring.rank, start.elapsed());
            }
        }
        at.waits(self.rank, None);
        waits.iter().for_each(|(w, _)| w.wait_for(None));
    }

    /// The rank begins a turn, by its place in the order of its program; `None` behind the last one.
    pub fn turn(&self, turn: Option<usize>) {
        self.channels.at.turn(self.rank, turn);
    }

    /// Sends a value; for how many nanoseconds there was no room. `wire` is its number in the program.
    pub fn send(&self, wire: u32, place: usize, microbatch: u64, bytes: &[u8]) -> u64 {
        let Some((ring, word, to, waited)) = self.slot(wire, place, microbatch, 0) else { return 0 };
        // SAFETY: the slot has room for the wire's value, which was validated to be as large as the buffer; it is this end's as long as
        // its word is 0.
        unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), to, bytes.len().min(ring.bytes)) };
        turn(word, 1);
        if ring.carried {
            self.channels.courier.iter().for_each(Courier::wake);
        }
        waited
    }

    /// Waits for the next value, and says for how many nanoseconds.
    pub fn receive(&self, wire: u32, place: usize, microbatch: u64, into: &mut [u8]) -> u64 {
        let Some((ring, word, from, waited)) = self.slot(wire, place, microbatch, 1) else { return 0 };
        let n = into.len().min(ring.bytes);
        // SAFETY: as above; it is this end's as long as its word is 1.
        unsafe { std::ptr::copy_nonoverlapping(from, into.as_mut_ptr(), n) };
        turn(word, 0);
        if let Some(bytes) = self.received.get(place) {
            bytes.fetch_add(n as u64, Relaxed);
        }
        waited
    }

    /// By place.
    pub fn received_bytes(&self) -> Vec<u64> {
        self.received.iter().map(|b| b.load(Relaxed)).collect()
    }
}
