//! What all rounds of the choice of a mesh share: what is asked, and the order of estimates.

use super::candidate::{Candidate, Open};
use super::rough::Estimate;
use super::shape::ModelShape;
use crate::compiler::Compiler;
use crate::settings::Settings;

/// By how much an estimate of memory may be over the budget in the first round, in per mille.
const MARGIN: u64 = 1100;
/// A candidate that is expected to take more than this part of the best plan's step, in per mille, is hardly the best: with room to
/// recompute less it may take a quarter less than was composed. So it is planned with less effort or left out.
pub const SLOWER: u64 = 1250;

/// What all rounds need.
pub struct Search<'a> {
    pub by: &'a dyn Compiler,
    pub shape: &'a ModelShape,
    pub settings: &'a Settings,
    pub open: &'a Open,
    pub budget: u64,
}

/// Estimates and what they are of, in an order.
pub type Ranked = Vec<(Estimate, Candidate)>;

impl Search<'_> {
    pub fn best(&self, estimates: impl Iterator<Item = Estimate>, room: u64) -> Option<Estimate> {
        // Where nothing fits, what comes nearest: the full plan says by how much.
        estimates.min_by_key(|e| (e.bytes > room, if e.bytes > room { e.bytes } else { e.step_ps }))
    }

    pub fn sorted(&self, mut all: Ranked, room: u64) -> Ranked {
        all.sort_by_key(|(e, c)| {
            let over = e.bytes > room;
            (over, if over { e.bytes } else { e.step_ps }, c.clone())
        });
        all
    }

    /// What estimates may hold.
    pub fn room(&self) -> u64 {
        u64::try_from(u128::from(self.budget) * u128::from(MARGIN) / 1000).unwrap_or(u64::MAX)
    }
}
