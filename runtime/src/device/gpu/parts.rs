//! The devices of one program in this process: their memory, its kernels, its collectives, and its ends of wires.
//!
//! There is one program, or one for each rank of a pipeline that this process has. Each has an arena of its own for each of its
//! devices; behind it lie the kernels' workspace and the slots of the wires that the rank receives from. What is offloaded lies in
//! pinned memory of the host.

use super::driver::{Address, Driver, Multiply};
use super::exchange::{Arenas, Exchange, LocalExchange, MakeExchange};
use super::order::Task;
use super::progress::ExchangeProgress;
use super::ready::{ReadyKernel, ready};
use super::sequence::{WireStep, other_end, slots};
use super::staging::Staging;
use super::unroll::{AddressMap, HostMemory, Work};
use crate::collectives::{Call, Traffic, count};
use crate::error::Result;
use meshloom_bundle::{Gemm, Instr, KernelRef, Pipeline, Program, Transfer};
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

/// Arenas, workspaces and slots begin at multiples of this: the alignment of allocations, and more than any kernel asks for.
pub const ALIGN: u64 = 512;

/// A wire, as one of its ends has it.
#[derive(Clone, Copy, Debug)]
pub struct WireEnd {
    /// The rank at the other end, and the number of the wire there.
    pub other: (usize, u32),
    pub bytes: u64,
    /// Of the end that receives: where in a device's memory its slots lie, how many there are, and how far apart.
    pub offset: u64,
    pub slots: u64,
    pub stride: u64,
    /// The first device's stream; those of the others follow.
    pub stream: usize,
}

impl WireEnd {
    fn slot(&self, microbatch: u64) -> u64 {
        self.offset + microbatch % self.slots.max(1) * self.stride
    }
}

pub struct LoadedPart {
    /// Of the pipeline; 0 without one.
    pub rank: usize,
    pub program: Arc<Program>,
    /// Its devices in this process: their places in the rank.
    pub own: Range<usize>,
    pub layout: AddressMap,
    pub kernels: Vec<ReadyKernel>,
    /// Which of them a library computes.
    pub matmuls: Vec<Option<Multiply>>,
    /// Where the library's workspace lies, that of a device after that of the one before, and how long one is.
    pub library: (Address, u64),
    pub calls: BTreeMap<u32, Call>,
    pub exchange: Box<dyn Exchange>,
    /// Where others watch.
    pub progress: Option<Arc<ExchangeProgress>>,
    pub traffic: Traffic,
    /// By number in the program.
    pub wires: Vec<WireEnd>,
}

/// Which part of a run a program is.
pub struct PartPlace {
    /// Of the pipeline; 0 without one.
    pub rank: usize,
    /// Its devices in this process: their places in the rank.
    pub own: Range<usize>,
    /// By number in the program.
    pub wires: Vec<WireEnd>,
}

impl LoadedPart {
    /// `first` is the number of its first stream; `others` makes its collectives, where other processes have devices.
    ///
    /// # Errors
    /// The device has too little memory; a kernel is missing.
    pub fn new(
        program: &Program,
        place: PartPlace,
        driver: &mut dyn Driver,
        staging: &mut Staging,
        first: usize,
        others: Option<Box<MakeExchange<'_>>>,
    ) -> Result<LoadedPart> {
        let PartPlace { rank, own, wires } = place;
        let layout = AddressMap { base: 0, devices: own.len(), stream: first, ..layout(program, &wires) };
        let span = layout.span;
        let what = format!("{} of entry `{}`", devices(own.len()), program.entry);
        let base = driver.alloc(span.saturating_mul(own.len() as u64), &what)?;
        let layout = AddressMap { base, host: host(program, own.len(), driver)?, ..layout };
        let kernels = ready(program, driver, base)?;
        let mut matmuls = Vec::new();
        for (k, aligned) in program.kernels.iter().zip(&alignments(program)) {
            matmuls.push(offered(k).map_or(Ok(None), |p| driver.matmul(p, aligned))?);
        }
        let most = matmuls.iter().flatten().map(|m| m.workspace).max().unwrap_or(0).next_multiple_of(ALIGN);
        let library = match most {
            0 => (0, 0),
            _ => (driver.alloc(most.saturating_mul(own.len() as u64), "the workspace of matmuls")?, most),
        };
        // SAFETY: the memory was just made.
        unsafe { staging.clear(driver, base, span * own.len() as u64)? };
        let calls = calls(program);
        // SAFETY: what is written is memory of its own, and of that size.
        let mut write = |d: &mut dyn Driver, to, bytes: &[u8]| unsafe { staging.write(d, to, bytes) };
        let arenas = Arenas { base, span };
        let mut exchange: Box<dyn Exchange> = match others {
            Some(make) => make(driver, &calls, arenas)?,
            None => Box::new(LocalExchange::new(driver, arenas, &calls, &mut write)?),
        };
        let mut progress = None;
        if exchange.watched() {
            let made = Arc::new(ExchangeProgress::new(driver, collectives_of(&program.instrs), &mut write)?);
            exchange.report(made.clone());
            progress = Some(made);
        }
        let (program, traffic) = (Arc::new(program.clone()), Traffic::new(program.devices()));
        Ok(LoadedPart {
            rank,
            program,
            own,
            layout,
            kernels,
            matmuls,
            library,
            calls,
            exchange,
            progress,
            traffic,
            wires,
        })
    }

    pub fn arena(&self, device: usize) -> Address {
        self.layout.base + device as u64 * self.layout.span
    }

    /// The name of the action of a turn.
    pub fn action(&self, turn: usize) -> String {
        let actions = self.program.instrs.iter().find_map(|i| match i {
            Instr::Actions(a) => Some(a),
            _ => None,
        });
        let name = actions.and_then(|a| Some(&a.bodies.get(a.order.get(turn)?.action as usize)?.name));
        name.cloned().unwrap_or_default()
    }

    /// Kernels that a library could compute, and of how many it does.
    pub fn offered(&self) -> (usize, usize) {
        let all = self.program.kernels.iter().filter(|k| offered(k).is_some()).count();
        (self.matmuls.iter().flatten().count(), all)
    }

    /// Counts what a run moved. A `while` counts as one iteration.
    pub fn count(&self) {
        fn all(instrs: &[Instr], times: u64, f: &mut dyn FnMut(&Instr, u64)) {
            for i in instrs {
                match i {
                    Instr::Loop { trip, body } => all(body, times * trip, f),
                    Instr::While(w) => all(&w.body, times, f),
                    Instr::Actions(a) => a.bodies.iter().for_each(|b| all(&b.body, times * a.microbatches, f)),
                    _ => f(i, times),
                }
            }
        }
        all(&self.program.instrs, 1, &mut |i, times| match i {
            Instr::Receive(t) => {
                self.own.clone().for_each(|d| self.traffic.received(d, (t.buf.bytes * times) as usize))
            }
            _ => i.collectives().iter().for_each(|c| count(&self.traffic, &self.calls[&c.id], &self.own, times)),
        });
    }
}

/// A transfer of a value, with where it lies on both sides.
pub struct Moved {
    pub wire: u32,
    pub end: WireEnd,
    pub microbatch: u64,
    pub bytes: u64,
    /// Where it comes from, and where it goes; `None` where that is in another process.
    pub from: Option<Address>,
    pub to: Option<Address>,
    pub stream: usize,
}

/// What a piece of work about a wire moves; `None` of any other work.
pub fn moved(parts: &[LoadedPart], w: &Work<'_>) -> Option<Moved> {
    let part = &parts[w.part];
    let (Instr::Send(Transfer { wire, buf }) | Instr::Receive(Transfer { wire, buf })) = w.instr else { return None };
    let end = *part.wires.get(*wire as usize)?;
    let (own, microbatch) = (part.layout.place(w.device, buf, &w.at).start, w.at[0]);
    // Devices at the same place have the same number, since a process has all places of its ranks or one of one rank.
    let slot = |p: &LoadedPart, e: &WireEnd| p.layout.within(w.device, e.slot(microbatch), e.bytes).start;
    let there = || {
        let p = parts.iter().find(|p| p.rank == end.other.0)?;
        Some(slot(p, p.wires.get(end.other.1 as usize)?))
    };
    let (from, to, stream) = match w.wire {
        WireStep::Send => (Some(own), there(), end.stream + w.device),
        WireStep::Post => (None, Some(slot(part, &end)), end.stream + w.device),
        _ => (Some(slot(part, &end)), Some(own), part.layout.stream + w.device),
    };
    Some(Moved { wire: *wire, end, microbatch, bytes: buf.bytes, from, to, stream })
}

/// What a piece of work does to memory.
pub fn task(parts: &[LoadedPart], w: &Work<'_>) -> Task {
    let part = &parts[w.part];
    let Some(m) = moved(parts, w) else { return part.layout.task(&part.program, w) };
    let range = |at: Option<Address>| at.map(|a| a..a + m.bytes).into_iter().collect();
    Task { stream: m.stream, reads: range(m.from), writes: range(m.to) }
}

/// The ends of wires of a rank, with slots behind its devices' arenas and workspaces. `stream` is that of a pair of ranks.
pub fn wire_ends(pipeline: &Pipeline, rank: usize, room: u64, stream: impl Fn(usize, usize) -> usize) -> Vec<WireEnd> {
    let Some(program) = pipeline.ranks.get(rank) else { return Vec::new() };
    let mut end = layout(program, &[]).span;
    let of = |(k, w): (usize, &meshloom_bundle::Wire)| {
        let other = other_end(pipeline, rank, k as u32)?;
        let bytes = w.shape.iter().product::<u64>().saturating_mul(w.dtype.bytes());
        let (offset, stride) = (end, bytes.next_multiple_of(ALIGN));
        let slots = if w.sends { 0 } else { slots(program, k as u32, room) };
        end = end.saturating_add(stride.saturating_mul(slots));
        let stream = if w.sends { stream(rank, other.0) } else { stream(other.0, rank) };
        Some(WireEnd { other, bytes, offset, slots, stride, stream })
    };
    program.wires.iter().enumerate().filter_map(of).collect()
}

/// A device's memory, without where it lies.
fn layout(program: &Program, wires: &[WireEnd]) -> AddressMap {
    let arena = program.arena_bytes.max(1).next_multiple_of(ALIGN);
    let span = arena + program.scratch_bytes.next_multiple_of(ALIGN);
    let ends = wires.iter().map(|w| w.offset.saturating_add(w.stride.saturating_mul(w.slots)));
    let span = ends.fold(span, u64::max);
    let workspace = (arena, program.scratch_bytes);
    AddressMap { base: 0, devices: 0, span, workspace, stream: 0, host: HostMemory::default() }
}

/// The host's memory of a program's devices: pinned, and zero.
fn host(program: &Program, devices: usize, driver: &mut dyn Driver) -> Result<HostMemory> {
    if program.host_bytes == 0 {
        return Ok(HostMemory::default());
    }
    let span = program.host_bytes.next_multiple_of(ALIGN);
    let bytes = span.saturating_mul(devices as u64);
    let len = usize::try_from(bytes).unwrap_or(usize::MAX);
    let base = driver.pinned(len)?;
    // SAFETY: the memory was just made, has as many bytes, and nobody else knows of it.
    unsafe { base.write_bytes(0, len) };
    Ok(HostMemory { base: base as u64, span, from: program.arena_bytes })
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
pub fn calls(program: &Program) -> BTreeMap<u32, Call> {
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
