//! What a turn of a pipeline stage asked of memory and of loops while it ran.
//!
//! Not here: what follows from that for other turns ([`crate::turns`]).

use crate::affine::Affine;
use crate::index::{Lying, Span};
use crate::memory::{Memory, Piece};
use std::collections::BTreeSet;
use std::rc::Rc;

/// What a turn asks of memory and of loops while it runs.
pub(crate) struct Asked {
    /// What lay in memory before it.
    pub before: Rc<Memory>,
    /// Where it found some of that.
    pub found: BTreeSet<Span>,
    /// The least iteration of which a carry was followed; `None` if something was proved of this turn alone.
    pub least: Option<i64>,
}

impl Asked {
    pub fn of(before: &Rc<Memory>) -> Asked {
        Asked { before: Rc::clone(before), found: BTreeSet::new(), least: Some(i64::MAX) }
    }

    /// Something depends on what lies in these bytes, of which this is what can be read.
    pub fn looks(&mut self, memory: &Memory, seen: &[&Lying<Rc<Piece>>], from: &Affine, bytes: i64) {
        self.found.extend(memory.older(seen, self.before.stamp, from, bytes));
    }

    /// Something was proved that followed carries to this iteration at the least, if it says the same of other iterations.
    pub fn proved(&mut self, least: Option<i64>) {
        self.least = self.least.zip(least).map(|(a, b)| a.min(b));
    }
}
