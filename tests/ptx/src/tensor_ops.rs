//! Instructions of tensor memory: products that one thread begins and a barrier hears of, loads of warps.
//!
//! Products are made at once. Instructions of tensor memory work in the background. So what a thread knows by barriers does not hold for them: it
//! holds from its next `fence::after_thread_sync` on. In the same way others know of a warp's loads only if it waited for them, and came to a
//! `fence::before_thread_sync`, before it told.

use crate::block::Block;
use crate::clock::{LOADS, PRODUCTS};
use crate::exec::addresses;
use crate::memory::Shared;
use crate::operand::{MemoryPlace, Operand};
use crate::tcgen05::{ProductKind, Shape, TensorOp};
use crate::tensor::{Described, OperandPart, product};
use crate::tensor_memory::{Column, Commit, ROWS, UnderWay};
use crate::warp::{LANES, Warp, lanes};

/// Bits of an address below its lane.
const LANE: u32 = 16;

/// Bytes along the summed dim of one instruction.
const STEP: u64 = 32;

impl Block<'_> {
    /// # Errors
    /// What is not defined.
    pub fn tensor(&mut self, w: &mut Warp, op: &TensorOp, mask: u32) -> Result<(), String> {
        let lane = mask.trailing_zeros() as usize;
        match op {
            TensorOp::Allocate { to, columns } => {
                let at = self.memory.allocate(w.value(*columns, lane)?, w.index)?;
                let to = self.one_place(w, *to, mask)?;
                let word = (at as u32).to_le_bytes();
                self.shared.write(to, &word, &w.accessor(lane)).map_err(|why| format!("the block writes {why}"))
            }
            TensorOp::Free { from, columns } => self.memory.free(w.value(*from, lane)?, w.value(*columns, lane)?, w),
            TensorOp::Relinquish => {
                self.memory.relinquished = true;
                Ok(())
            }
            TensorOp::Product { to, first, second, instruction, adds, kind } => {
                let operands = [*first, *second, *instruction, *adds];
                lanes(mask).try_for_each(|l| self.tensor_product(w, l, *to, operands, *kind))
            }
            TensorOp::Commit(barrier) => {
                for l in lanes(mask) {
                    let barrier = self.one_place(w, *barrier, 1 << l)?;
                    self.barriers.expects(barrier, &w.accessor(l))?;
                    let told = w.told(1 << l);
                    self.memory.commits.push_back(Commit { barrier, agent: PRODUCTS + w.agent, number: w.made, told });
                }
                Ok(())
            }
            TensorOp::Load { d, from } => self.tensor_load(w, d, *from),
            TensorOp::WaitLoads => {
                std::mem::take(&mut w.loading).iter().for_each(|r| w.flying[*r as usize] -= 1);
                w.loaded = w.loads;
                Ok(())
            }
            TensorOp::FenceBefore => {
                w.clock.0[LOADS + w.agent] = w.loaded;
                Ok(())
            }
            TensorOp::FenceAfter => {
                w.tensor.join(&w.clock);
                Ok(())
            }
        }
    }

    /// The byte of shared memory that the lanes name alike.
    fn one_place(&self, w: &Warp, at: MemoryPlace, mask: u32) -> Result<u64, String> {
        let all = addresses(w, at, mask)?;
        let first = all[mask.trailing_zeros() as usize];
        match lanes(mask).all(|l| all[l] == first) {
            true => self.own_place(first & 0xffff_ffff),
            false => Err("the lanes of the warp name other places".into()),
        }
    }

    /// One lane begins a product.
    fn tensor_product(
        &mut self,
        w: &mut Warp,
        lane: usize,
        to: MemoryPlace,
        [first, second, instruction, adds]: [Operand; 4],
        kind: ProductKind,
    ) -> Result<(), String> {
        let at = addresses(w, to, 1 << lane)?[lane] & 0xffff_ffff;
        let adds = w.value(adds, lane)? & 1 == 1;
        let shape = Shape::of(w.value(instruction, lane)? as u32, kind)?;
        if at >> LANE != 0 {
            return Err(format!("sums of 128 rows from lane {} on", at >> LANE));
        }
        self.memory.own(at, shape.columns)?;
        let by = w.tensor_accessor(lane);
        let (agent, number) = (usize::from(by.stamp.agent), by.stamp.time);
        let mut reads = Vec::new();
        let mut operand = |which: usize, descriptor: u64, count: u64| {
            let (part, along_k) = (shape.parts[which], !shape.across[which]);
            let d = Described::of_tensor(descriptor)?;
            let wanted = OperandPart { from: 0, count, k: STEP / part.bytes(), part, along_k };
            self.shared.described(&by, &d, wanted, &mut reads)
        };
        let rows = operand(0, w.value(first, lane)?, ROWS as u64)?;
        let columns = operand(1, w.value(second, lane)?, shape.columns)?;
        let first = at & 0xffff;
        for (i, (sums, column)) in self.memory.own(at, shape.columns)?.iter_mut().zip(&columns).enumerate() {
            let what = |why: String| format!("column {} of tensor memory: {why}", first + i as u64);
            // One thread's products are done in the order in which it begins them.
            let own = sums.write.is_some_and(|(a, l, _)| (a, l) == (agent, lane));
            if !own {
                sums.is_written(&w.tensor).map_err(what)?;
            }
            Column { write: None, ..sums.clone() }.is_done(&w.tensor).map_err(what)?;
            for (sum, row) in sums.values.iter_mut().zip(&rows) {
                let start = match (adds, &sum) {
                    (false, _) => 0,
                    (true, Some(x)) => *x,
                    (true, None) => return Err(what("it has no value".into())),
                };
                *sum = Some(product(row, column, start, kind == ProductKind::I8));
            }
            sums.write = Some((agent, lane, number));
            sums.reads.clear();
        }
        reads.iter().for_each(|(at, bytes)| self.shared.product_begins(*at, *bytes));
        self.memory.under_way.push(UnderWay { agent, number, reads });
        w.made += 1;
        Ok(())
    }

    /// A warp loads from its 32 rows.
    fn tensor_load(&mut self, w: &mut Warp, d: &[u32], from: MemoryPlace) -> Result<(), String> {
        if w.live() != u32::MAX {
            return Err("some lanes of the warp have ended".into());
        }
        let all = addresses(w, from, u32::MAX)?;
        let at = all[0] & 0xffff_ffff;
        if all.iter().any(|a| a & 0xffff_ffff != at) {
            return Err("the lanes of the warp name other places in tensor memory".into());
        }
        let (lane, first) = ((at >> LANE) as usize, at & 0xffff);
        if lane != w.index % 4 * LANES {
            return Err(format!("warp {} may not load from lane {lane} of tensor memory on", w.index));
        }
        let (agent, number) = (LOADS + w.agent, w.loads + 1);
        let mut out = vec![[0; LANES]; d.len()];
        for (i, (c, out)) in self.memory.own(at, d.len() as u64)?.iter_mut().zip(&mut out).enumerate() {
            let what = |why: String| format!("column {} of tensor memory: {why}", first + i as u64);
            c.is_written(&w.tensor).map_err(what)?;
            for (row, to) in out.iter_mut().enumerate() {
                let value = c.values[lane + row].ok_or_else(|| what("it has no value".into()))?;
                *to = u64::from(value);
            }
            c.reads.retain(|(a, _)| *a != agent);
            c.reads.push((agent, number));
        }
        w.loads = number;
        for (r, out) in d.iter().zip(&out) {
            w.set(*r, u32::MAX, out)?;
            w.flying[*r as usize] += 1;
            w.loading.push(*r);
        }
        Ok(())
    }

    /// A barrier hears of products; whether there was one that is to.
    ///
    /// # Errors
    /// As [`crate::barrier::Barriers::arrive`].
    pub fn one_commit(&mut self) -> Result<bool, String> {
        let Some(c) = self.memory.commits.pop_front() else { return Ok(false) };
        let is_done = |p: &UnderWay| p.agent == c.agent && p.number <= c.number;
        let done = self.memory.under_way.extract_if(.., |p| is_done(p));
        finish(done, &mut self.shared);
        self.barriers.products_came(c.barrier, &c.told, c.agent, c.number)?;
        Ok(true)
    }
}

/// What products read may be overwritten.
fn finish(done: impl Iterator<Item = UnderWay>, shared: &mut Shared) {
    for p in done {
        p.reads.iter().for_each(|(at, bytes)| shared.product_ends(*at, *bytes));
    }
}
