//! Notes of what a turn of a pipeline stage reads of memory, and of what its proofs use of loops.
//!
//! Not here: what follows from that for other turns ([`crate::turns`]).

use crate::affine::Affine;
use crate::index::{Lying, Span};
use crate::memory::{Memory, Piece};
use std::collections::BTreeSet;
use std::rc::Rc;

/// What a turn reads of memory, and what its proofs use of loops.
pub(crate) struct Asked {
    /// What lay in memory before it.
    pub before: Rc<Memory>,
    /// The bytes in which it read some of that.
    pub found: BTreeSet<Span>,
    /// The earliest iteration at which a carry was followed; `None` if some proof holds for this turn alone.
    pub least: Option<i64>,
}

impl Asked {
    pub fn of(before: &Rc<Memory>) -> Asked {
        Asked { before: Rc::clone(before), found: BTreeSet::new(), least: Some(i64::MAX) }
    }

    /// Notes that the turn reads these bytes. `seen` are the pieces that can be read in them.
    pub fn looks(&mut self, memory: &Memory, seen: &[&Lying<Rc<Piece>>], from: &Affine, bytes: i64) {
        self.found.extend(memory.older(seen, self.before.stamp, from, bytes));
    }

    /// Notes a proof: the earliest iteration to which it followed carries, or `None` if it does not hold for other
    /// iterations.
    pub fn proved(&mut self, least: Option<i64>) {
        self.least = self.least.zip(least).map(|(a, b)| a.min(b));
    }
}
