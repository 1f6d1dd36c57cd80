//! Collectives between processes that share no memory. What a process's devices need from those of another process goes
//! in one message for each bucket. The receiver reduces in the order of ranks, so the bits are those of
//! [`super::Threads`].
//!
//! Each element of an all_reduce has an owner. The others' values go to the owner, and the sum comes back from it: two
//! exchanges, and the bytes of the ring algorithm. Everything else is one exchange. A process with several devices of a
//! group gets what they share once for each of them. The contents of a bucket's messages are worked out when the bucket
//! first runs; after that nothing is allocated.
//!
//! Not here: what carries the messages ([`Transport`]; `mpi` is one).

use super::moves::moves;
use super::tiles::{TILE, share};
use super::{Call, Collectives, Others, Spot, Traffic, WorkerPart, count, reduce};
use crate::device::memory::{MemoryCounter, MemoryRegion};
use crate::error::Result;
use meshloom_bundle::{CollectiveKind, Iterations, Program, Reduction};
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Alignment in messages.
const WORD: u64 = 8;

/// Rows of a call's buffer on a device of this process, packed one after the other.
#[derive(Clone, Copy)]
struct Rows {
    call: usize,
    device: usize,
    at: u64,
    pitch: u64,
    width: u64,
    rows: u64,
}

impl Rows {
    fn bytes(&self) -> u64 {
        self.width * self.rows
    }

    /// In a message: what comes after it is aligned for any element.
    fn packed(&self) -> u64 {
        self.bytes().next_multiple_of(WORD)
    }
}

/// What one exchange sends, receives and copies.
#[derive(Default)]
struct Round {
    /// From sources, or from destinations in the second exchange; by process.
    out: BTreeMap<usize, Vec<Rows>>,
    into: BTreeMap<usize, Vec<Landing>>,
    /// Between devices of this process.
    local: Vec<(Rows, Rows)>,
}

/// Where what came from another process goes.
#[derive(Clone, Copy)]
enum Landing {
    Rows(Rows),
    /// Stays where it is until it is reduced.
    Kept(u64),
}

/// A block that a device of this process reduces.
struct Block {
    call: usize,
    device: usize,
    op: Reduction,
    /// In the destination: bytes of a row, and how many rows, one after the other from there on.
    to: u64,
    width: u64,
    rows: u64,
    /// By rank.
    from: Vec<Operand>,
}

/// A rank's block: in the source of a device of this process, or in what came from a process.
enum Operand {
    Own { device: usize, at: u64, pitch: u64 },
    Came { process: usize, at: u64 },
}

struct Plan {
    first: Round,
    reduce: Vec<Block>,
    /// Devices that receive nothing of a permute.
    zero: Vec<Rows>,
    second: Round,
}

#[derive(Default)]
struct State {
    /// By the first collective of the bucket.
    plans: BTreeMap<u32, Plan>,
    /// By process.
    out: Vec<Vec<u8>>,
    into: Vec<Vec<u8>>,
}

pub struct Messages {
    traffic: Traffic,
    own: Range<usize>,
    /// By device, the process that has it.
    processes: Vec<usize>,
    partial: MemoryRegion,
    state: Mutex<State>,
    others: Others,
    memory: Arc<MemoryCounter>,
}

impl Messages {
    /// For the devices of a program, of which `own` are this process's.
    ///
    /// # Errors
    /// No memory.
    pub fn new(program: &Program, own: Range<usize>, memory: &Arc<MemoryCounter>, others: Others) -> Result<Messages> {
        let state = State {
            out: vec![Vec::new(); others.group.world().size()],
            into: vec![Vec::new(); others.group.world().size()],
            plans: BTreeMap::new(),
        };
        Ok(Messages {
            traffic: Traffic::new(program.devices()),
            processes: others.group.processes(),
            own,
            partial: MemoryRegion::new(memory, TILE as u64, "partial sums of collectives")?,
            state: Mutex::new(state),
            others,
            memory: memory.clone(),
        })
    }

    fn plan(&self, calls: &[Call]) -> Plan {
        let (processes, own) = (&self.processes, self.own.clone());
        let mut planner = Planner { processes, own, plan: Plan::new(), came: BTreeMap::new() };
        calls.iter().enumerate().for_each(|(k, call)| planner.call(k, call));
        planner.plan
    }

    /// # Safety
    /// As [`Collectives::run`]; the exchange is of these calls.
    unsafe fn round(
        &self,
        r: &Round,
        calls: &[Call],
        arenas: &[*mut u8],
        at: &Iterations,
        state: &mut Buffers<'_>,
        second: bool,
    ) {
        let source = |x: &Rows| {
            let c = &calls[x.call].collective;
            let b = if second { &c.dst } else { &c.src };
            arenas[x.device].wrapping_add((b.at(at) + x.at) as usize)
        };
        let target = |x: &Rows| arenas[x.device].wrapping_add((calls[x.call].collective.dst.at(at) + x.at) as usize);
        for (process, all) in &r.out {
            let mut to = state.out[*process].as_mut_ptr();
            for x in all {
                for row in 0..x.rows {
                    // SAFETY: validated to lie in the arena of a device of this process; the buffer has room for the exchange.
                    unsafe {
                        std::ptr::copy_nonoverlapping(source(x).add((row * x.pitch) as usize), to, x.width as usize);
                        to = to.add(x.width as usize);
                    }
                }
                to = to.wrapping_add((x.packed() - x.bytes()) as usize);
            }
        }
        let bytes = |all: &Vec<Rows>| all.iter().map(Rows::packed).sum::<u64>() as usize;
        let out: Vec<(usize, &[u8])> = r.out.iter().map(|(p, all)| (*p, &state.out[*p][..bytes(all)])).collect();
        let mut into: Vec<(usize, &mut [u8])> = state
            .into
            .iter_mut()
            .enumerate()
            .filter_map(|(p, buffer)| Some((p, &mut buffer[..landings(r.into.get(&p)?)])))
            .collect();
        if !out.is_empty() || !into.is_empty() {
            self.exchange(calls, &out, &mut into);
        }
        for (a, b) in &r.local {
            for row in 0..a.rows {
                // SAFETY: as above; sources and destinations of a collective are the same buffer or do not overlap.
                unsafe {
                    let (from, to) = (source(a).add((row * a.pitch) as usize), target(b).add((row * b.pitch) as usize));
                    std::ptr::copy(from, to, a.width as usize);
                }
            }
        }
        for (process, all) in &r.into {
            let mut from = state.into[*process].as_ptr();
            for landing in all {
                match landing {
                    Landing::Kept(bytes) => from = from.wrapping_add(*bytes as usize),
                    Landing::Rows(x) => {
                        for row in 0..x.rows {
                            // SAFETY: as above.
                            unsafe {
                                std::ptr::copy_nonoverlapping(
                                    from,
                                    target(x).add((row * x.pitch) as usize),
                                    x.width as usize,
                                );
                                from = from.add(x.width as usize);
                            }
                        }
                        from = from.wrapping_add((x.packed() - x.bytes()) as usize);
                    }
                }
            }
        }
    }

    fn exchange(&self, calls: &[Call], out: &[(usize, &[u8])], into: &mut [(usize, &mut [u8])]) {
        let world = self.others.group.world();
        let Some(transport) = world.transport() else { return };
        let spot = Spot::new(self.others.program, calls.first().map_or(0, |c| c.collective.id));
        let begin = Instant::now();
        transport.exchange(self.others.program, out, into, &|| {
            if begin.elapsed() > world.timeout() {
                world.give_up(spot);
            }
            match begin.elapsed() < Duration::from_millis(5) {
                true => std::thread::yield_now(),
                false => std::thread::sleep(Duration::from_micros(100)),
            }
        });
    }

    /// # Safety
    /// As [`Collectives::run`]; the block is of these calls.
    unsafe fn reduce(&self, b: &Block, calls: &[Call], arenas: &[*mut u8], at: &Iterations, came: &[Vec<u8>]) {
        let c = &calls[b.call].collective;
        let (src, dst) = (c.src.at(at), c.dst.at(at));
        for row in 0..b.rows {
            for from in (0..b.width).step_by(TILE) {
                let len = (b.width - from).min(TILE as u64) as usize;
                let operand = |k: usize| match b.from[k] {
                    Operand::Own { device, at, pitch } => {
                        arenas[device].wrapping_add((src + at + row * pitch + from) as usize).cast_const()
                    }
                    Operand::Came { process, at } => {
                        came[process].as_ptr().wrapping_add((at + row * b.width + from) as usize)
                    }
                };
                let to = arenas[b.device].wrapping_add((dst + b.to + row * b.width + from) as usize);
                // SAFETY: validated to lie in the arena, or in the buffer of what came; a whole tile is reduced before it is written, so
                // source and destination may be the same.
                unsafe {
                    reduce::all(b.op, c.dtype, self.partial.base(), b.from.len(), len, &operand);
                    std::ptr::copy_nonoverlapping(self.partial.base(), to, len);
                }
            }
        }
    }
}

struct Buffers<'a> {
    out: &'a mut [Vec<u8>],
    into: &'a mut [Vec<u8>],
}

fn landings(all: &[Landing]) -> usize {
    let bytes = |l: &Landing| match l {
        Landing::Rows(x) => x.packed(),
        Landing::Kept(bytes) => *bytes,
    };
    all.iter().map(bytes).sum::<u64>() as usize
}

impl Collectives for Messages {
    unsafe fn run(&self, calls: &[Call], arenas: &[*mut u8], at: &Iterations, part: WorkerPart) {
        let Some(first) = calls.first().filter(|_| part.worker == 0) else { return };
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let State { plans, out, into } = &mut *state;
        let plan = plans.entry(first.collective.id).or_insert_with(|| {
            let plan = self.plan(calls);
            let room = |buffer: &mut Vec<u8>, bytes: usize| {
                if buffer.len() < bytes {
                    self.memory.count((bytes - buffer.len()) as u64);
                    buffer.resize(bytes, 0);
                }
            };
            for round in [&plan.first, &plan.second] {
                round
                    .out
                    .iter()
                    .for_each(|(&p, r)| room(&mut out[p], r.iter().map(Rows::packed).sum::<u64>() as usize));
                round.into.iter().for_each(|(&p, r)| room(&mut into[p], landings(r)));
            }
            plan
        });
        self.others.group.world().arrive(Spot::new(self.others.program, first.collective.id));
        // SAFETY: as the caller promises; the plan is of these calls.
        unsafe {
            self.round(&plan.first, calls, arenas, at, &mut Buffers { out, into }, false);
            plan.reduce.iter().for_each(|b| self.reduce(b, calls, arenas, at, into));
            for x in &plan.zero {
                let to = arenas[x.device].wrapping_add((calls[x.call].collective.dst.at(at) + x.at) as usize);
                std::ptr::write_bytes(to, 0, x.bytes() as usize);
            }
            self.round(&plan.second, calls, arenas, at, &mut Buffers { out, into }, true);
        }
        calls.iter().for_each(|call| count(&self.traffic, call, &self.own, 1));
    }

    /// A process waits for those whose data it needs, when it needs them.
    fn meet(&self, _: &[Call], _: bool) {}

    fn traffic(&self) -> &Traffic {
        &self.traffic
    }
}

impl Plan {
    fn new() -> Plan {
        Plan { first: Round::default(), reduce: Vec::new(), zero: Vec::new(), second: Round::default() }
    }
}

/// Plans a bucket's messages. Both ends do so in the same order, so messages need no headers.
struct Planner<'a> {
    processes: &'a [usize],
    own: Range<usize>,
    plan: Plan,
    /// Bytes that come from each process in the first exchange, so far.
    came: BTreeMap<usize, u64>,
}

/// In `moves`, an address is a rank and a byte.
const RANK: u32 = 44;

impl Planner<'_> {
    fn call(&mut self, k: usize, call: &Call) {
        let (c, n) = (&call.collective, call.group_size() as u64);
        let size = c.dtype.bytes();
        for group in &call.groups {
            match c.kind {
                CollectiveKind::AllReduce { reduction, count } if n > 1 => {
                    let block = |r: u64| {
                        let s = share(count as usize, r as usize, n as usize);
                        (s.start as u64 * size, s.len() as u64 * size)
                    };
                    let piece = |r: u64| (block(r).0, block(r).1, block(r).1, 1);
                    self.blocks(k, group, reduction, &piece, |r| block(r).0);
                    for (a, b) in pairs(n).filter(|(a, b)| a != b) {
                        let rows = |device| Rows {
                            call: k,
                            device,
                            at: block(a).0,
                            pitch: block(a).1,
                            width: block(a).1,
                            rows: 1,
                        };
                        let (from, to) = (rows(group[a as usize]), rows(group[b as usize]));
                        Planner::pass(&mut self.plan.second, self.processes, &self.own, from, to);
                    }
                }
                CollectiveKind::ReduceScatter { reduction, outer, block, inner } if n > 1 => {
                    let run = block * inner * size;
                    self.blocks(k, group, reduction, &|r| (r * run, n * run, run, outer), |_| 0);
                }
                ref kind => {
                    for m in moves(kind, n, size, &|r, byte| r << RANK | byte, &|r, byte| r << RANK | byte) {
                        let side = |at: u64, pitch| Rows {
                            call: k,
                            device: group[(at >> RANK) as usize],
                            at: at & ((1 << RANK) - 1),
                            pitch,
                            width: m.width,
                            rows: m.rows,
                        };
                        let (from, to) = (side(m.src, m.src_pitch), side(m.dst, m.dst_pitch));
                        if from.bytes() > 0 {
                            self.first(from, to);
                        }
                    }
                    if let CollectiveKind::CollectivePermute { count, pairs } = kind {
                        let none = |r: &usize| pairs.iter().all(|p| p.1 as usize != *r);
                        for device in (0..group.len()).filter(none).map(|r| group[r]).filter(|d| self.own.contains(d)) {
                            let bytes = count * size;
                            self.plan.zero.push(Rows { call: k, device, at: 0, pitch: bytes, width: bytes, rows: 1 });
                        }
                    }
                }
            }
        }
    }

    fn process(&self, device: usize) -> usize {
        self.processes[device]
    }

    fn pass(round: &mut Round, processes: &[usize], own: &Range<usize>, from: Rows, to: Rows) {
        if from.bytes() == 0 {
            return;
        }
        match (own.contains(&from.device), own.contains(&to.device)) {
            (true, true) => round.local.push((from, to)),
            (true, false) => round.out.entry(processes[to.device]).or_default().push(from),
            (false, true) => round.into.entry(processes[from.device]).or_default().push(Landing::Rows(to)),
            (false, false) => {}
        }
    }

    fn first(&mut self, from: Rows, to: Rows) {
        if self.own.contains(&to.device) && !self.own.contains(&from.device) {
            *self.came.entry(self.process(from.device)).or_default() += from.packed();
        }
        Planner::pass(&mut self.plan.first, self.processes, &self.own, from, to);
    }

    /// Every rank's block, reduced by its owner. `piece` is where the block of a rank lies in each source: from, pitch, width, rows.
    fn blocks(
        &mut self,
        k: usize,
        group: &[usize],
        op: Reduction,
        piece: &dyn Fn(u64) -> (u64, u64, u64, u64),
        to: impl Fn(u64) -> u64,
    ) {
        for owner in 0..group.len() as u64 {
            let (at, pitch, width, rows) = piece(owner);
            if width * rows == 0 {
                continue;
            }
            let device = group[owner as usize];
            let mut from = Vec::new();
            for &other in group {
                let (ours, theirs) = (self.own.contains(&device), self.own.contains(&other));
                if ours && theirs {
                    from.push(Operand::Own { device: other, at, pitch });
                } else if ours {
                    let process = self.process(other);
                    let came = self.came.entry(process).or_default();
                    from.push(Operand::Came { process, at: *came });
                    let packed = (width * rows).next_multiple_of(WORD);
                    *came += packed;
                    self.plan.first.into.entry(process).or_default().push(Landing::Kept(packed));
                } else if theirs {
                    let rows = Rows { call: k, device: other, at, pitch, width, rows };
                    self.plan.first.out.entry(self.process(device)).or_default().push(rows);
                }
            }
            if self.own.contains(&device) {
                self.plan.reduce.push(Block { call: k, device, op, to: to(owner), width, rows, from });
            }
        }
    }
}

fn pairs(n: u64) -> impl Iterator<Item = (u64, u64)> {
    (0..n).flat_map(move |a| (0..n).map(move |b| (a, b)))
}
