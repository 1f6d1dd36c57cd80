//! Who comes last to a collective, how often, and by how much.
//!
//! Ranks that share memory write down when they come to a collective, and the last one compares: how long after the last
//! but one it came is the time for which all others waited for it alone. Clocks of one host are one clock, so nothing is
//! synchronized. Each rank remembers for itself where it was last; the table comes to be when it is asked for.
//!
//! Not here: ranks that share no memory. MPI and NCCL wait inside of their own calls.

use super::run::{Meetings, World};
use super::spot::Spot;
use crate::error::{Result, RuntimeError};
use std::sync::PoisonError;
use std::sync::atomic::Ordering::Relaxed;

/// A rank that was last at a collective.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Straggler {
    pub rank: usize,
    /// `all_reduce over data at gpt.loom:31:7`
    pub at: String,
    /// How often it was last there, of how many times.
    pub count: u64,
    pub of: u64,
    /// How long all others waited for it: the median, and all together.
    pub median_nanos: u64,
    pub nanos: u64,
}

impl World {
    /// From now on it is written down who comes last.
    ///
    /// # Errors
    /// Ranks that share no memory.
    pub fn time_arrivals(&self) -> Result<()> {
        if matches!(self.meetings, Meetings::Connections(_)) {
            let message = "ranks that share no memory (several hosts, GPUs) are not compared";
            return Err(RuntimeError::usage("--stragglers", message));
        }
        self.timed.store(true, Relaxed);
        Ok(())
    }

    /// This rank came last to a collective, by so much.
    pub(super) fn came_last(&self, spot: Spot, nanos: u64) {
        let mut all = self.tallies.lock().unwrap_or_else(PoisonError::into_inner);
        all.entry(spot.at_step(0).0).or_default().add(nanos);
    }

    /// Who was last where since this was asked before, those first for whom the others waited longest. All processes ask at the
    /// same time, and all hear the same.
    pub fn stragglers(&self) -> Vec<Straggler> {
        let own = std::mem::take(&mut *self.tallies.lock().unwrap_or_else(PoisonError::into_inner));
        let spots = self.words.lock().unwrap_or_else(PoisonError::into_inner).spots();
        const WORDS: usize = 3;
        let mut bytes = vec![0; spots.len() * self.size * WORDS * 8];
        for (k, spot) in spots.iter().enumerate() {
            let Some(t) = own.get(&spot.0) else { continue };
            let words = [t.count, t.median(), t.nanos].map(u64::to_ne_bytes).concat();
            bytes[(k * self.size + self.rank) * WORDS * 8..][..WORDS * 8].copy_from_slice(&words);
        }
        self.combine(&mut bytes, Spot::BETWEEN);
        let words: Vec<u64> = bytes.chunks_exact(8).map(|b| b.try_into().map_or(0, u64::from_ne_bytes)).collect();
        let said = self.words.lock().unwrap_or_else(PoisonError::into_inner);
        let mut all = Vec::new();
        for (spot, ranks) in spots.iter().zip(words.chunks_exact(self.size * WORDS)) {
            let of = ranks.iter().step_by(WORDS).sum();
            for (rank, w) in ranks.chunks_exact(WORDS).enumerate().filter(|(_, w)| w[0] > 0) {
                let at = said.of(*spot);
                all.push(Straggler { rank, at, count: w[0], of, median_nanos: w[1], nanos: w[2] });
            }
        }
        all.sort_by_key(|s| std::cmp::Reverse(s.nanos));
        all
    }
}
