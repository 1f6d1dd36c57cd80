//! A warp: registers of its 32 lanes, where each lane is, and what it waits for.

use crate::clock::{Accessor, Clock, KnownAccesses, PRODUCTS, Stamp};
use crate::kernel::Kernel;
use crate::memory::of_cluster;
use crate::operand::{Operand, Special};
use crate::tile_store::StoreGroups;
use std::collections::VecDeque;
use std::sync::Arc;

pub const LANES: usize = 32;

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Lane {
    Running,
    /// At an instruction of the whole warp, before the others.
    Parked,
    /// At a barrier of the block.
    AtBarrier(u64),
    /// For the phase of this parity of a barrier in shared memory.
    Waiting {
        at: u64,
        parity: u64,
    },
    Done,
}

/// A copy by `cp.async` that is not waited for: where to, and what.
pub struct Pending {
    pub to: u64,
    pub values: Vec<u8>,
}

/// What one matrix product reads of shared memory and writes to registers until it is waited for.
#[derive(Default)]
pub struct Product {
    pub reads: Vec<(u64, u64)>,
    pub registers: Vec<u32>,
    /// Its number among those of the warp.
    pub number: u32,
}

pub struct Warp {
    pub index: usize,
    /// Its number among the warps of the cluster, and that of its block.
    pub agent: usize,
    pub rank: usize,
    pub registers: Vec<[u64; LANES]>,
    names: Arc<[String]>,
    /// Lanes of each register that have a value.
    pub known: Vec<u32>,
    widths: Vec<u32>,
    pub at: [usize; LANES],
    pub lanes: [Lane; LANES],
    pub clock: Clock,
    /// Generic writes of which it knows that they were fenced for the async proxy.
    pub fenced: Clock,
    /// Lanes that wrote to shared memory since they fenced it last.
    pub unfenced: u32,
    /// How often all lanes met, and the own time since then.
    pub meeting: u32,
    pub since: u32,
    /// By lane, groups of copies; the last one is not committed.
    pub copies: Vec<VecDeque<Vec<Pending>>>,
    /// By lane.
    pub stores: Vec<StoreGroups>,
    /// Groups of matrix products; the last one is not committed.
    pub products: VecDeque<Vec<Product>>,
    /// Matrix products so far.
    pub made: u32,
    /// For each register, the products that still write it.
    pub flying: Vec<u16>,
    /// When each register was written by something else, and when `wgmma.fence` came last.
    pub written: Vec<u32>,
    pub fence: u32,
    /// What it knows for its instructions of tensor memory.
    pub tensor: Clock,
    /// Loads from tensor memory so far, those that it waited for, and the registers of the others.
    pub loads: u32,
    pub loaded: u32,
    pub loading: Vec<u32>,
    pub steps: u32,
    /// The block's number, how many there are, threads of a block.
    pub place: [u64; 3],
}

/// The lanes of a mask.
pub fn lanes(mask: u32) -> impl Iterator<Item = usize> {
    (0..LANES).filter(move |l| mask >> l & 1 == 1)
}

impl Warp {
    /// The warp `index` of a block of a cluster; `place` as in [`Warp::place`].
    pub fn new(kernel: &Kernel, index: usize, rank: usize, place: [u64; 3]) -> Warp {
        let agent = rank * (place[2] as usize / LANES) + index;
        let n = kernel.registers.len();
        let mut clock = Clock::NEVER;
        clock.0[agent] = 1;
        let group = || VecDeque::from([Vec::new()]);
        Warp {
            index,
            agent,
            rank,
            registers: vec![[0; LANES]; n],
            names: kernel.names.clone(),
            known: vec![0; n],
            widths: kernel.registers.clone(),
            at: [0; LANES],
            lanes: [Lane::Running; LANES],
            clock,
            fenced: Clock::NEVER,
            unfenced: 0,
            meeting: 1,
            since: 1,
            copies: (0..LANES).map(|_| group()).collect(),
            stores: (0..LANES).map(|_| VecDeque::from([Vec::new()])).collect(),
            products: VecDeque::from([Vec::new()]),
            made: 0,
            flying: vec![0; n],
            written: vec![0; n],
            fence: 0,
            tensor: Clock::NEVER,
            loads: 0,
            loaded: 0,
            loading: Vec::new(),
            steps: 0,
            place,
        }
    }

    /// A register as the text calls it.
    pub fn name(&self, r: u32) -> &str {
        &self.names[r as usize]
    }

    pub fn thread(&self, lane: usize) -> u64 {
        (self.index * LANES + lane) as u64
    }

    /// Lanes that have not ended.
    pub fn live(&self) -> u32 {
        (0..LANES).filter(|&l| self.lanes[l] != Lane::Done).fold(0, |m, l| m | 1 << l)
    }

    /// Lanes that run the next instruction: those that are furthest behind, with those that wait for them there.
    pub fn next(&self) -> Option<(usize, u32)> {
        let running = (0..LANES).filter(|&l| self.lanes[l] == Lane::Running);
        let at = running.map(|l| self.at[l]).min().or_else(|| self.all_parked())?;
        let here = |l: &usize| self.at[*l] == at && matches!(self.lanes[*l], Lane::Running | Lane::Parked);
        Some((at, (0..LANES).filter(here).fold(0, |m, l| m | 1 << l)))
    }

    /// Where all lanes are that have not ended, if they wait for each other: those that ended do not come.
    fn all_parked(&self) -> Option<usize> {
        let mut live = (0..LANES).filter(|&l| self.lanes[l] != Lane::Done);
        let first = live.next()?;
        let with_it = |l: usize| self.lanes[l] == Lane::Parked && self.at[l] == self.at[first];
        (with_it(first) && live.all(with_it)).then_some(self.at[first])
    }

    /// A lane that reads or writes now.
    pub fn accessor(&self, lane: usize) -> Accessor<'_> {
        let stamp = Stamp {
            block: self.place[0] as u32 + 1,
            time: self.clock.0[self.agent],
            meeting: self.meeting,
            agent: self.agent as u8,
            lane: lane as u8,
        };
        Accessor { stamp, knows: &self.clock, fenced: None }
    }

    /// The warp's next matrix product: by the async proxy, and not over before the warp waits for it.
    pub fn product(&self) -> Accessor<'_> {
        let agent = (PRODUCTS + self.agent) as u8;
        let stamp = Stamp { time: self.made + 1, agent, ..self.accessor(0).stamp };
        Accessor { stamp, knows: &self.clock, fenced: Some(&self.fenced) }
    }

    /// The lane's next matrix product in tensor memory.
    pub fn tensor_accessor(&self, lane: usize) -> Accessor<'_> {
        let stamp = Stamp { lane: lane as u8, ..self.product().stamp };
        Accessor { stamp, knows: &self.tensor, fenced: Some(&self.fenced) }
    }

    /// All lanes meet: each knows of the others' accesses, and that these were fenced, where each lane fenced its own.
    pub fn meet(&mut self) {
        if self.unfenced == 0 {
            self.fenced.0[self.agent] = self.clock.0[self.agent];
        }
        self.meeting += 1;
        self.clock.0[self.agent] += 1;
        self.since = self.clock.0[self.agent];
    }

    /// What others may know that hear of these lanes: where not all of them are there, nothing of what the others did since they met.
    pub fn told(&mut self, mask: u32) -> KnownAccesses {
        let (mut clock, own) = (self.clock, self.agent);
        if mask != self.live() {
            clock.0[own] = self.since - 1;
        }
        self.clock.0[own] += 1;
        KnownAccesses { clock, fenced: self.fenced }
    }

    /// These lanes fence what they know of generic writes for the async proxy.
    pub fn fence_proxy(&mut self, mask: u32) {
        let mut known = self.clock;
        // What other lanes wrote since they met last is not known.
        if mask != self.live() {
            known.0[self.agent] = self.since - 1;
        }
        self.fenced.join(&known);
        self.unfenced &= !mask;
        self.clock.0[self.agent] += 1;
    }

    pub fn hears(&mut self, told: &KnownAccesses) {
        let own = self.clock.0[self.agent];
        self.clock.join(&told.clock);
        self.clock.0[self.agent] = own;
        self.fenced.join(&told.fenced);
    }

    fn special(&self, s: Special, lane: usize) -> u64 {
        match s {
            Special::Thread => self.thread(lane),
            Special::Threads => self.place[2],
            Special::Block => self.place[0],
            Special::Blocks => self.place[1],
            Special::Lane => lane as u64,
            Special::Clock => u64::from(self.steps),
            // Blocks of a cluster have windows of their own.
            Special::Shared(at) => of_cluster(at, self.rank as u64),
            Special::Zero => 0,
            Special::One => 1,
        }
    }

    /// # Errors
    /// A register without a value, or one that a matrix product or a load still writes.
    pub fn values(&self, o: Operand, mask: u32) -> Result<[u64; LANES], String> {
        match o {
            Operand::Number(n) => Ok([n; LANES]),
            Operand::Special(s) => Ok(std::array::from_fn(|l| self.special(s, l))),
            Operand::Register(r) => {
                let missing = mask & !self.known[r as usize];
                if missing != 0 {
                    return Err(format!(
                        "register {} of thread {} has no value",
                        self.name(r),
                        self.thread(missing.trailing_zeros() as usize)
                    ));
                }
                if self.flying[r as usize] > 0 {
                    return Err(format!(
                        "register {} is read, and what writes it in the background was not waited for",
                        self.name(r)
                    ));
                }
                Ok(self.registers[r as usize])
            }
        }
    }

    /// The same for a part of a pair, of which the other part alone may matter: a NaN where there is no value, which spoils what is computed of it.
    ///
    /// # Errors
    /// A matrix product still writes the register.
    pub fn values_or_nan(&self, o: Operand, mask: u32) -> Result<[u64; LANES], String> {
        let Operand::Register(r) = o else { return self.values(o, mask) };
        let known = mask & self.known[r as usize];
        let values = self.values(o, known)?;
        Ok(std::array::from_fn(|l| if known >> l & 1 == 1 { values[l] } else { 0x7fff_ffff }))
    }

    /// # Errors
    /// As [`Warp::values`].
    pub fn value(&self, o: Operand, lane: usize) -> Result<u64, String> {
        match o {
            Operand::Number(n) => Ok(n),
            Operand::Special(s) => Ok(self.special(s, lane)),
            Operand::Register(_) => self.values(o, 1 << lane).map(|v| v[lane]),
        }
    }

    /// # Errors
    /// A matrix product still writes the register.
    pub fn set(&mut self, r: u32, mask: u32, values: &[u64; LANES]) -> Result<(), String> {
        let i = r as usize;
        if self.flying[i] > 0 {
            return Err(format!(
                "register {} is written, and what writes it in the background was not waited for",
                self.name(r)
            ));
        }
        let width = self.widths[i];
        let keep = if width >= 64 { u64::MAX } else { (1 << width) - 1 };
        let to = &mut self.registers[i];
        if mask == u32::MAX {
            to.iter_mut().zip(values).for_each(|(to, v)| *to = v & keep);
        } else {
            lanes(mask).for_each(|l| to[l] = values[l] & keep);
        }
        self.known[i] |= mask;
        self.written[i] = self.steps;
        Ok(())
    }

    /// Lanes in which a predicate holds, or does not.
    ///
    /// # Errors
    /// As [`Warp::values`].
    pub fn guarded(&self, guard: Option<(u32, bool)>, mask: u32) -> Result<u32, String> {
        let Some((p, not)) = guard else { return Ok(mask) };
        let values = self.values(Operand::Register(p), mask)?;
        Ok(lanes(mask).filter(|&l| (values[l] & 1 == 1) != not).fold(0, |m, l| m | 1 << l))
    }
}
