//! One instruction of the lanes of a warp that are at it.

use crate::block::{Block, Sent, ToBlock};
use crate::copies::LaneCopy;
use crate::decode::{MemorySpace, Op, Shuffle};
use crate::memory::Global;
use crate::operand::{MemoryPlace, Operand, PARAMETERS};
use crate::tile::TileFetch;
use crate::warp::{LANES, Lane, Warp, lanes};

/// The barrier of the cluster, among those of the block.
pub const CLUSTER_BARRIER: u64 = u64::MAX;

/// Where each lane's address is.
///
/// # Errors
/// A register without a value.
pub fn addresses(w: &Warp, at: MemoryPlace, mask: u32) -> Result<[u64; LANES], String> {
    let mut all = w.values(at.base, mask)?;
    all.iter_mut().for_each(|a| *a = a.wrapping_add_signed(at.offset));
    Ok(all)
}

impl Block<'_> {
    /// The same in the own shared memory, whose addresses have 32 bits.
    fn shared_addresses(&self, w: &Warp, at: MemoryPlace, mask: u32) -> Result<[u64; LANES], String> {
        let mut all = addresses(w, at, mask)?;
        for l in lanes(mask) {
            all[l] = self.own_place(all[l] & 0xffff_ffff)?;
        }
        Ok(all)
    }

    /// Runs what these lanes are at; whether the warp came further.
    ///
    /// # Errors
    /// What is not defined.
    pub fn step(&mut self, w: &mut Warp, global: &mut Global, at: usize, here: u32) -> Result<bool, String> {
        let kernel = self.launch.kernel;
        let Some(instr) = kernel.instrs.get(at) else { return Err("the text ends".into()) };
        w.steps += 1;
        if whole_warp(&instr.op) && here != w.live() {
            lanes(here).for_each(|l| w.lanes[l] = Lane::Parked);
            // The others run on, and come here or not.
            return Ok(w.next().is_some());
        }
        lanes(here).for_each(|l| w.lanes[l] = Lane::Running);
        let mask = w.guarded(instr.guard, here)?;
        if whole_warp(&instr.op) && mask != here && mask != 0 {
            return Err("only some lanes of the warp execute it".into());
        }
        let next = |w: &mut Warp, mask: u32| lanes(mask).for_each(|l| w.at[l] = at + 1);
        if mask == 0 {
            next(w, here);
            return Ok(true);
        }
        match &instr.op {
            Op::Branch(to) => {
                next(w, here & !mask);
                lanes(mask).for_each(|l| w.at[l] = *to);
                return Ok(true);
            }
            Op::BranchIndex(by, to) => {
                let by = w.values(*by, mask)?;
                next(w, here & !mask);
                for l in lanes(mask) {
                    w.at[l] = *to.get(by[l] as usize).ok_or("a place that is not in the table")?;
                }
                return Ok(true);
            }
            Op::Exit => {
                next(w, here & !mask);
                lanes(mask).for_each(|l| w.lanes[l] = Lane::Done);
                return Ok(true);
            }
            Op::Trap => return Err("the kernel traps".into()),
            Op::Barrier { id, threads } => {
                let id = w.value(*id, mask.trailing_zeros() as usize)?;
                let threads = threads.map(|t| w.value(t, mask.trailing_zeros() as usize)).transpose()?;
                self.barriers.meet(id, threads, w, mask)?;
                lanes(mask).for_each(|l| w.lanes[l] = Lane::AtBarrier(id));
                return Ok(true);
            }
            Op::ClusterWait => {
                lanes(mask).for_each(|l| w.lanes[l] = Lane::AtBarrier(CLUSTER_BARRIER));
                return Ok(true);
            }
            op @ Op::TryWait { .. } => return self.try_wait(w, op, at, here, mask),
            op => self.one(w, global, op, mask)?,
        }
        next(w, here);
        Ok(true)
    }

    /// Lanes wait for a phase, and come further where it is over. Of the lanes `here`, all at instruction `at`, those of `mask` do.
    fn try_wait(&mut self, w: &mut Warp, op: &Op, at: usize, here: u32, mask: u32) -> Result<bool, String> {
        let &Op::TryWait { d, at: place, parity } = op else { return Err("no wait".into()) };
        let (places, parities) = (self.shared_addresses(w, place, mask)?, w.values(parity, mask)?);
        let mut over = 0;
        for l in lanes(mask) {
            match self.barriers.waited(places[l], parities[l], w, l)? {
                Some(known) => {
                    over |= 1 << l;
                    w.hears(&known);
                }
                None => w.lanes[l] = Lane::Waiting { at: places[l], parity: parities[l] & 1 },
            }
        }
        w.set(d, over, &[1; LANES])?;
        lanes(over | here & !mask).for_each(|l| w.at[l] = at + 1);
        Ok(over | here & !mask != 0)
    }

    fn one(&mut self, w: &mut Warp, global: &mut Global, op: &Op, mask: u32) -> Result<(), String> {
        match op {
            Op::Compute { f, d, from: [a, b, c] } => {
                let (a, b, c) = (w.values(*a, mask)?, w.values(*b, mask)?, w.values(*c, mask)?);
                let mut out = [0; LANES];
                lanes(mask).for_each(|l| out[l] = f(a[l], b[l], c[l]));
                w.set(*d, mask, &out)
            }
            Op::Select { d, yes, no, p } => {
                let p = w.values(*p, mask)?;
                let taken = lanes(mask).filter(|&l| p[l] & 1 == 1).fold(0, |m, l| m | 1 << l);
                // What is not taken need not have a value.
                let (yes, no) = (w.values(*yes, taken)?, w.values(*no, mask & !taken)?);
                let out = std::array::from_fn(|l| if taken >> l & 1 == 1 { yes[l] } else { no[l] });
                w.set(*d, mask, &out)
            }
            Op::Join { .. } | Op::Split { .. } => parts(w, op, mask),
            Op::Load { .. } => self.load(w, global, op, mask),
            Op::Store { .. } => self.store(w, global, op, mask),
            Op::Shuffle { mode, d, from, by, clamp } => shuffle(w, *mode, *d, [*from, *by, *clamp], mask),
            Op::Elect(d) => {
                let first = mask.trailing_zeros() as usize;
                w.set(*d, mask, &std::array::from_fn(|l| u64::from(l == first)))
            }
            Op::WarpSync => {
                w.meet();
                Ok(())
            }
            Op::FenceProxy => {
                w.fence_proxy(mask);
                self.barriers.open(w.agent);
                Ok(())
            }
            Op::FenceBarrierInit => {
                self.barriers.open(w.agent);
                Ok(())
            }
            Op::BarrierInit { .. } | Op::Arrive { .. } => self.barrier(w, op, mask),
            Op::ClusterArrive => {
                let told = w.told(mask);
                self.met.0 += u64::from(mask.count_ones());
                self.met.1.join(&told);
                Ok(())
            }
            Op::CopyAsync { bytes, to, from, read } => {
                let (to, from) = (self.shared_addresses(w, *to, mask)?, addresses(w, *from, mask)?);
                let bytes = u64::from(*bytes);
                let read = read.map_or(Ok([bytes; LANES]), |r| w.values(r, mask))?;
                let copy = |l: usize| LaneCopy { to: to[l], from: from[l], bytes, read: read[l] };
                lanes(mask).try_for_each(|l| self.copy_async(w, l, global, copy(l)))
            }
            Op::CopyCommit => {
                lanes(mask).for_each(|l| w.copies[l].push_back(Vec::new()));
                Ok(())
            }
            Op::CopyWait(left) => self.copies_done(w, mask, *left),
            Op::Tile { .. } | Op::StoreTile { .. } | Op::StoreCommit | Op::StoreWait(..) => {
                self.by_maps(w, global, op, mask)
            }
            Op::LoadMatrix { .. } | Op::Mma { .. } => self.matrix(w, op),
            Op::WgmmaFence | Op::WgmmaCommit | Op::WgmmaWait(_) | Op::Wgmma(_) => self.warpgroup(w, op),
            Op::Tensor(op) => self.tensor(w, op, mask),
            Op::Nothing => Ok(()),
            Op::Branch(_)
            | Op::BranchIndex(..)
            | Op::Exit
            | Op::Trap
            | Op::Barrier { .. }
            | Op::ClusterWait
            | Op::TryWait { .. } => Err("no such step".into()),
        }
    }

    /// Copies of tiles by tensor maps, to shared memory and from there.
    fn by_maps(&mut self, w: &mut Warp, global: &mut Global, op: &Op, mask: u32) -> Result<(), String> {
        let begins = |w: &Warp, coordinates: &[Operand], l: usize| -> Result<Vec<i32>, String> {
            coordinates.iter().map(|c| w.value(*c, l).map(|c| c as i32)).collect()
        };
        match op {
            Op::Tile { to, map, coordinates, barrier, blocks } => {
                let (to, barrier) = (self.shared_addresses(w, *to, mask)?, self.shared_addresses(w, *barrier, mask)?);
                for l in lanes(mask) {
                    let (map, place) = (w.value(*map, l)?, begins(w, coordinates, l)?);
                    let blocks = blocks.map_or(Ok(1 << self.rank), |b| w.value(b, l))?;
                    let tile = TileFetch { to: to[l], map, coordinates: &place, barrier: barrier[l], blocks };
                    self.tile(w, l, global, &tile)?;
                }
                Ok(())
            }
            Op::StoreTile { from, map, coordinates } => {
                let from = self.shared_addresses(w, *from, mask)?;
                for l in lanes(mask) {
                    let (map, place) = (w.value(*map, l)?, begins(w, coordinates, l)?);
                    self.store_tile(w, l, map, &place, from[l])?;
                }
                Ok(())
            }
            Op::StoreCommit => {
                lanes(mask).for_each(|l| w.stores[l].push_back(Vec::new()));
                Ok(())
            }
            Op::StoreWait(left, read) => self.stores_done(w, global, mask, *left, *read),
            _ => Err("no copy by a tensor map".into()),
        }
    }

    fn barrier(&mut self, w: &mut Warp, op: &Op, mask: u32) -> Result<(), String> {
        match op {
            Op::BarrierInit { at, count } => {
                let (at, count) = (self.shared_addresses(w, *at, mask)?, w.values(*count, mask)?);
                lanes(mask).try_for_each(|l| self.barriers.make(at[l], count[l], w.accessor(l).stamp))
            }
            Op::Arrive { at, expect } => {
                let at = addresses(w, *at, mask)?;
                let expect = expect.map_or(Ok([0; LANES]), |e| w.values(e, mask))?;
                let told = w.told(mask);
                for l in lanes(mask) {
                    let by = w.accessor(l);
                    match self.place_in_cluster(at[l] & 0xffff_ffff)? {
                        (rank, at) if rank == self.rank => self.barriers.arrive(at, &by, &told, expect[l] as i64)?,
                        (rank, at) => {
                            let what = ToBlock::Arrive(at, Box::new(told));
                            self.sent.push(Sent { rank, stamp: by.stamp, knows: *by.knows, what });
                        }
                    }
                }
                Ok(())
            }
            _ => Err("no barrier".into()),
        }
    }

    fn load(&mut self, w: &mut Warp, global: &mut Global, op: &Op, mask: u32) -> Result<(), String> {
        let &Op::Load { space, bytes, signed, ref d, from } = op else { return Err("no load".into()) };
        let size = u64::from(bytes) * d.len() as u64;
        let mut out = vec![[0; LANES]; d.len()];
        let from = if space == MemorySpace::Shared {
            self.shared_addresses(w, from, mask)?
        } else {
            addresses(w, from, mask)?
        };
        for l in lanes(mask) {
            let by = w.accessor(l);
            if !from[l].is_multiple_of(size) {
                return Err(format!("thread {} reads {size} bytes at {:#x}", w.thread(l), from[l]));
            }
            let found = match space {
                MemorySpace::Global => global.read(from[l], size, &by),
                MemorySpace::Shared => self.shared.read(from[l], size, &by),
                MemorySpace::Param => {
                    let at = (from[l] & !PARAMETERS) as usize;
                    self.launch.params.get(at..at + size as usize).ok_or_else(|| format!("no parameter at byte {at}"))
                }
            };
            let found = found.map_err(|why| format!("thread {} reads {why}", w.thread(l)))?;
            for (out, part) in out.iter_mut().zip(found.chunks(bytes as usize)) {
                let mut whole = [0; 8];
                whole[..part.len()].copy_from_slice(part);
                let value = u64::from_le_bytes(whole);
                out[l] = if signed { crate::number::sign(value, bytes * 8) as u64 } else { value };
            }
        }
        d.iter().zip(&out).try_for_each(|(d, out)| d.map_or(Ok(()), |d| w.set(d, mask, out)))
    }

    fn store(&mut self, w: &mut Warp, global: &mut Global, op: &Op, mask: u32) -> Result<(), String> {
        let &Op::Store { space, bytes, to, ref values } = op else { return Err("no store".into()) };
        let size = u64::from(bytes) * values.len() as u64;
        let to =
            if space == MemorySpace::Shared { self.shared_addresses(w, to, mask)? } else { addresses(w, to, mask)? };
        let values: Vec<[u64; LANES]> = values.iter().map(|v| w.values(*v, mask)).collect::<Result<_, _>>()?;
        if space == MemorySpace::Shared {
            w.unfenced |= mask;
        }
        for l in lanes(mask) {
            if !to[l].is_multiple_of(size) {
                return Err(format!("thread {} writes {size} bytes at {:#x}", w.thread(l), to[l]));
            }
            let mut all = [0; 16];
            for (part, v) in all.chunks_mut(bytes as usize).zip(&values) {
                part.copy_from_slice(&v[l].to_le_bytes()[..bytes as usize]);
            }
            let (by, all) = (w.accessor(l), &all[..size as usize]);
            match space {
                MemorySpace::Global => global.write(to[l], all, &by),
                MemorySpace::Shared => self.shared.write(to[l], all, &by),
                MemorySpace::Param => Err("a parameter".into()),
            }
            .map_err(|why| format!("thread {} writes {why}", w.thread(l)))?;
        }
        Ok(())
    }
}

/// What all lanes of a warp that have not ended execute together.
fn whole_warp(op: &Op) -> bool {
    matches!(
        op,
        Op::Shuffle { .. }
            | Op::Barrier { .. }
            | Op::WarpSync
            | Op::Elect(_)
            | Op::LoadMatrix { .. }
            | Op::Mma { .. }
            | Op::WgmmaFence
            | Op::WgmmaCommit
            | Op::WgmmaWait(_)
            | Op::Wgmma(_)
    ) || matches!(op, Op::Tensor(op) if op.is_of_warps())
}

/// A register from parts, and parts of a register.
fn parts(w: &mut Warp, op: &Op, mask: u32) -> Result<(), String> {
    match op {
        Op::Join { d, parts, bits } => {
            let mut out = [0; LANES];
            for (i, part) in parts.iter().enumerate() {
                let part = w.values_or_nan(*part, mask)?;
                lanes(mask).for_each(|l| out[l] |= crate::number::zero(part[l], *bits) << (*bits * i as u32));
            }
            w.set(*d, mask, &out)
        }
        Op::Split { d, from, bits } => {
            let from = w.values(*from, mask)?;
            for (i, d) in d.iter().enumerate() {
                if let Some(d) = d {
                    w.set(*d, mask, &from.map(|v| crate::number::zero(v >> (*bits * i as u32), *bits)))?;
                }
            }
            Ok(())
        }
        _ => Err("no parts".into()),
    }
}

/// Within segments of the warp, as the clamp's upper bits say.
fn shuffle(w: &mut Warp, mode: Shuffle, d: u32, [from, by, clamp]: [Operand; 3], mask: u32) -> Result<(), String> {
    let (from, by, clamp) = (w.values(from, mask)?, w.values(by, mask)?, w.values(clamp, mask)?);
    let mut out = [0; LANES];
    for l in lanes(mask) {
        let (lane, by) = (l as i64, (by[l] & 31) as i64);
        let (segment, bound) = ((clamp[l] >> 8 & 31) as i64, (clamp[l] & 31) as i64);
        let (low, high) = (lane & segment, (lane & segment) | (bound & !segment));
        let (source, inside) = match mode {
            Shuffle::Butterfly => (lane ^ by, (lane ^ by) <= high),
            Shuffle::Down => (lane + by, lane + by <= high),
            Shuffle::Up => (lane - by, lane - by >= high),
            Shuffle::Index => (low | (by & !segment), low | (by & !segment) <= high),
        };
        // A lane beyond the segment reads its own value.
        let source = if inside { source as usize } else { l };
        if mask >> source & 1 == 0 {
            return Err(format!("thread {} shuffles with one that is not there", w.thread(l)));
        }
        out[l] = from[source];
    }
    w.set(d, mask, &out)
}
