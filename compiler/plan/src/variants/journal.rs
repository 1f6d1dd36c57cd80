//! The journal in which tries are noted during a search for a plan.
//!
//! Not here: a try ([`crate::write::tried`]).

use crate::moves::Record;
use crate::write::tried::{Tried, Verdict, Worth, label};
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::ops::Range;

/// How good the plan of one try is, or why there is none.
#[derive(Clone, Default, Debug)]
pub(super) struct Place {
    pub worth: Option<Worth>,
    /// Bytes of the smallest that was found, where nothing fits.
    pub needs: Option<u64>,
    pub why: String,
}

/// The tries that were noted, and the variants in which the next one is.
#[derive(Default)]
pub struct Journal {
    off: BTreeSet<String>,
    within: RefCell<Vec<String>>,
    tried: RefCell<Vec<Tried>>,
    moves: RefCell<Record>,
}

/// Until [`Inside::leave`], tries that are noted are inside of a variant.
pub(super) struct Inside<'j> {
    journal: &'j Journal,
}

impl Inside<'_> {
    pub fn leave(self) {
        self.journal.within.borrow_mut().pop();
    }
}

impl Journal {
    /// Variants with these names are not tried.
    pub fn new(off: &BTreeSet<String>) -> Journal {
        Journal { off: off.clone(), ..Journal::default() }
    }

    pub(super) fn is_off(&self, variant: &str) -> bool {
        self.off.contains(variant)
    }

    pub(super) fn enter(&self, variant: &str, with: &str) -> Inside<'_> {
        self.within.borrow_mut().push(label(variant, with));
        Inside { journal: self }
    }

    pub(super) fn note(
        &self,
        variant: &'static str,
        with: &str,
        [worth, before]: [Option<Worth>; 2],
        verdict: Verdict,
    ) {
        let within = self.within.borrow().clone();
        self.tried.borrow_mut().push(Tried { variant, with: with.to_owned(), within, worth, before, verdict });
    }

    /// Adds how the moves of a search went.
    pub fn count(&self, moves: &Record) {
        self.moves.borrow_mut().add(moves);
    }

    /// Adds the tries that were noted elsewhere while a plan was made. They count as inside of the current try.
    pub fn absorb(&self, tried: Vec<Tried>) {
        let within = self.within.borrow();
        let inside = tried.into_iter().map(|t| Tried { within: [within.as_slice(), &t.within].concat(), ..t });
        self.tried.borrow_mut().extend(inside);
    }

    /// How much is noted so far.
    pub(super) fn now(&self) -> usize {
        self.tried.borrow().len()
    }

    /// Marks tries that were taken as beaten, since the plan that they led to is not taken in the end.
    pub(super) fn beaten(&self, then: Range<usize>) {
        let mut tried = self.tried.borrow_mut();
        for t in tried[then].iter_mut().filter(|t| t.verdict == Verdict::Taken) {
            t.verdict = Verdict::Beaten;
        }
    }

    /// All tries, in the order in which they were noted, and how the moves of all searches went.
    pub fn finish(self) -> (Vec<Tried>, Record) {
        (self.tried.into_inner(), self.moves.into_inner())
    }
}
