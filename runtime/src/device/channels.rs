//! The wires of a pipeline: for each wire and each place of the mesh a ring of slots between the device that sends and the
//! device that receives, in memory that both processes have.
//!
//! A send copies a value into the next slot, and a receive copies it out. A sender waits where all slots are full, a receiver
//! where the next one is empty; the reader of bundles has shown that this comes to an end ([`Pipeline::room`]). Each end counts
//! for itself, so that a slot's one word is all that the two share. Who waits blocks on that word (a futex, as in
//! `world::control`).
//!
//! Not here: wires between hosts, and between GPUs.

use super::memory::{MemoryCounter, MemoryRegion};
use super::wires::Carrier;
use crate::error::{ErrorKind, Result, RuntimeError};
use crate::world::{ProgramRanks, Segment, World};
use meshloom_bundle::{Pipeline, Program};
use rustix::thread::futex::{Flags, Timespec, wait, wake};
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering::*};
use std::time::{Duration, Instant};

/// A slot begins with its word and is followed by the value.
const HEADER: u64 = 64;
const SPINS: u32 = 2000;
/// How long a wait sleeps at most before it looks whether the run goes on.
const NAP: Duration = Duration::from_millis(200);

/// All wires of a pipeline, as one process sees them.
pub struct Channels {
    rings: BTreeMap<(usize, u32, usize), Ring>,
    _own: MemoryRegion,
    _shared: Option<Segment>,
}

/// One end of a wire at one place.
struct Ring {
    base: *mut u8,
    bytes: usize,
    slots: u64,
    stride: usize,
    /// The process at the other end, where that is another one.
    process: Option<usize>,
    /// Values that went through.
    count: AtomicU64,
}

// SAFETY: an address in memory that lives as long as the channels; a slot's word says which end may touch its value.
unsafe impl Send for Ring {}
// SAFETY: as above; one thread at a time uses an end.
unsafe impl Sync for Ring {}

/// An end of a wire: rank, wire, place; and where its ring lies.
struct Planned {
    end: (usize, u32, usize),
    process: Option<usize>,
    at: u64,
    bytes: u64,
    slots: u64,
}

impl Channels {
    /// Of a validated pipeline. `places` are the places that this process has of each rank, `process` is the process that has a
    /// place of a rank. All processes of the run make theirs at the same time.
    ///
    /// # Errors
    /// Not enough memory.
    pub fn new(
        pipeline: &Pipeline,
        places: &[Range<usize>],
        process: impl Fn(usize, usize) -> usize,
        memory: &Arc<MemoryCounter>,
        group: Option<&ProgramRanks>,
    ) -> Result<Channels> {
        let what = "the wires of the pipeline";
        let too_large = || RuntimeError::new(ErrorKind::DoesNotFit, what, "more than this machine can address");
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
                let bytes = wire.shape.iter().product::<u64>() * wire.dtype.size();
                let slots = if wire.each { room.min(microbatches(program)) } else { 1 };
                let size =
                    bytes.checked_next_multiple_of(HEADER).and_then(|b| b.checked_add(HEADER)?.checked_mul(slots));
                let size = size.ok_or_else(too_large)?;
                for place in 0..program.devices() {
                    let (a, b) = (process(from, place), process(to, place));
                    let (all, end) = if a == b { (&mut inside, &mut own) } else { (&mut between, &mut shared) };
                    let at = *end;
                    for (rank, wire, other) in [(from, number, b), (to, received, a)] {
                        let process = (a != b).then_some(other);
                        if places.get(rank).is_some_and(|p| p.contains(&place)) {
                            all.push(Planned { end: (rank, wire as u32, place), process, at, bytes, slots });
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
        let own = MemoryRegion::new(memory, own, what)?;
        let segment = match group.filter(|_| shared > 0) {
            Some(group) => group.share(shared, what)?,
            None => None,
        };
        let mut rings = BTreeMap::new();
        let bases = [(inside, Some(own.base())), (between, segment.as_ref().map(Segment::base))];
        for (all, base) in bases {
            let Some(base) = base else { continue };
            for p in all {
                let stride = (p.bytes.next_multiple_of(HEADER) + HEADER) as usize;
                let base = base.wrapping_add(p.at as usize);
                let (bytes, slots, count) = (p.bytes as usize, p.slots, AtomicU64::new(0));
                rings.insert(p.end, Ring { base, bytes, slots, stride, process: p.process, count });
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
        Ok(Channels { rings, _own: own, _shared: segment })
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

    /// The ring of an end, and the next slot's word and value, once the word is `ready`.
    fn slot(&self, wire: u32, place: usize, microbatch: u64, ready: u32) -> Option<(&Ring, &AtomicU32, *mut u8)> {
        let ring = self.channels.rings.get(&(self.rank, wire, place))?;
        let at = ring.base.wrapping_add((ring.count.fetch_add(1, Relaxed) % ring.slots) as usize * ring.stride);
        // SAFETY: the slot begins in the ring's memory, at a multiple of 64 from its aligned beginning; every access of any process to
        // the word is atomic.
        let word = unsafe { AtomicU32::from_ptr(at.cast()) };
        for _ in 0..if self.spin { SPINS } else { 1 } {
            if word.load(Acquire) == ready {
                return Some((ring, word, at.wrapping_add(HEADER as usize)));
            }
            std::hint::spin_loop();
        }
        self.block(ring, word, ready, wire, microbatch);
        Some((ring, word, at.wrapping_add(HEADER as usize)))
    }

    #[cold]
    fn block(&self, ring: &Ring, word: &AtomicU32, ready: u32, wire: u32, microbatch: u64) {
        let start = Instant::now();
        let waits = self.world.as_ref().zip(ring.process);
        waits.iter().for_each(|(w, process)| w.wait_for(Some(*process)));
        while word.load(SeqCst) != ready {
            let spec = Timespec { tv_sec: 0, tv_nsec: NAP.subsec_nanos().into() };
            // Woken, changed before, or time to look again.
            let _ = wait(word, Flags::empty(), 1 - ready, Some(&spec));
            if let Some((w, process)) = waits.filter(|(w, _)| start.elapsed() > w.timeout()) {
                let (name, each) = self.names.get(wire as usize).map_or(("", false), |n| (&n.0, n.1));
                let of = if each { format!(" of microbatch {microbatch}") } else { String::new() };
                let what = if ready == 1 { "waits for" } else { "waits until there is room for" };
                w.wire_is_late(&format!("rank {} of the pipeline {what} `{name}`{of}", self.rank), process);
            }
        }
        waits.iter().for_each(|(w, _)| w.wait_for(None));
    }
}

impl Carrier for RankWires {
    fn send(&self, wire: u32, place: usize, microbatch: u64, bytes: &[u8]) {
        let Some((ring, word, to)) = self.slot(wire, place, microbatch, 0) else { return };
        // SAFETY: the slot has room for the wire's value, which was validated to be as large as the buffer; it is this end's as long as
        // its word is 0.
        unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), to, bytes.len().min(ring.bytes)) };
        word.store(1, SeqCst);
        let _ = wake(word, Flags::empty(), 1);
    }

    fn receive(&self, wire: u32, place: usize, microbatch: u64, into: &mut [u8]) {
        let Some((ring, word, from)) = self.slot(wire, place, microbatch, 1) else { return };
        let n = into.len().min(ring.bytes);
        // SAFETY: as above; it is this end's as long as its word is 1.
        unsafe { std::ptr::copy_nonoverlapping(from, into.as_mut_ptr(), n) };
        word.store(0, SeqCst);
        let _ = wake(word, Flags::empty(), 1);
        if let Some(bytes) = self.received.get(place) {
            bytes.fetch_add(n as u64, Relaxed);
        }
    }

    fn received_bytes(&self) -> Vec<u64> {
        self.received.iter().map(|b| b.load(Relaxed)).collect()
    }
}
