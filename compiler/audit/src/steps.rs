//! What a proof asked of loops that are in no other loop, and of buffers: whether it says the same of other iterations.
//!
//! Not here: what follows from that ([`crate::again`]).

use crate::affine::Affine;
use meshloom_ir::{OpId, ValueId};
use std::collections::{BTreeMap, BTreeSet};

/// What proofs asked of loops that are in no other loop.
#[derive(Default)]
pub(crate) struct Steps {
    /// Loops of which a carry was followed to where it comes from, and the least iteration of these.
    carried: BTreeMap<OpId, i64>,
    /// Loops of which what they leave behind their last iteration was followed.
    ended: BTreeSet<OpId>,
    /// Stacks of which the slice of an iteration was read.
    sliced: BTreeSet<ValueId>,
    /// Something was read that may lie beyond its buffer, on some device.
    beyond: bool,
}

impl Steps {
    pub fn carried(&mut self, of: OpId, now: &Affine) {
        let least = self.carried.entry(of).or_insert(i64::MAX);
        *least = (*least).min(now.as_constant().unwrap_or(i64::MIN));
    }

    pub fn ended(&mut self, of: OpId) {
        self.ended.insert(of);
    }

    pub fn sliced(&mut self, stack: ValueId) {
        self.sliced.insert(stack);
    }

    pub fn beyond(&mut self) {
        self.beyond = true;
    }

    /// Whether all that was read lies in its buffer.
    pub fn is_within(&self) -> bool {
        !self.beyond
    }

    /// Whether none of some loops was followed from behind its last iteration, which is the same one whichever asks.
    pub fn is_of_any(&self, of: &BTreeSet<OpId>) -> bool {
        self.ended.is_disjoint(of)
    }

    pub fn stacks(&self) -> impl Iterator<Item = ValueId> + '_ {
        self.sliced.iter().copied()
    }

    /// The least iteration of some loops of which a carry was followed; the greatest number if none was.
    pub fn least(&self, of: &BTreeSet<OpId>) -> i64 {
        self.carried.iter().filter(|x| of.contains(x.0)).map(|x| *x.1).min().unwrap_or(i64::MAX)
    }

    pub fn add(&mut self, other: Steps) {
        other.carried.into_iter().for_each(|(o, n)| self.carried(o, &Affine::constant(n)));
        self.ended.extend(other.ended);
        self.sliced.extend(other.sliced);
        self.beyond |= other.beyond;
    }
}
