//! The record of what was tried: of each variant whether it was tried, what came of it, what that was compared with, and the verdict.

use super::Worth;
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::ops::Range;

/// One try.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tried {
    /// The variant's name.
    pub variant: &'static str,
    /// Which of several that it asks; empty where there is one.
    pub with: String,
    /// The variants inside of which it was tried, from the outermost on.
    pub within: Vec<String>,
    /// What it came to, and the best that there was before.
    pub worth: Option<Worth>,
    pub before: Option<Worth>,
    pub verdict: Verdict,
}

/// What a try comes to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// It is part of the plan.
    Taken,
    /// It was better than what there was, and something else was better still.
    Beaten,
    /// It was no faster, or not by as much as it has to be.
    Slower,
    /// Nothing fits: the smallest that was found needs so many bytes.
    TooLarge(u64),
    /// There is no plan, and why if that is known.
    NoPlan(String),
    /// There was nothing to try, and why.
    NotTried(String),
}

impl Verdict {
    /// As `plan --json` has it.
    pub fn name(&self) -> &'static str {
        match self {
            Verdict::Taken => "taken",
            Verdict::Beaten => "beaten",
            Verdict::Slower => "slower",
            Verdict::TooLarge(_) => "too_large",
            Verdict::NoPlan(_) => "no_plan",
            Verdict::NotTried(_) => "not_tried",
        }
    }

    /// Why there is no plan, or nothing was tried.
    pub fn reason(&self) -> Option<&str> {
        match self {
            Verdict::NoPlan(why) | Verdict::NotTried(why) if !why.is_empty() => Some(why),
            _ => None,
        }
    }
}

/// How a variant and what it asks are written.
pub fn label(variant: &str, with: &str) -> String {
    if with.is_empty() { variant.to_owned() } else { format!("{variant} {with}") }
}

/// What came of one way to plan.
#[derive(Clone, Default, Debug)]
pub(super) struct Place {
    pub worth: Option<Worth>,
    /// Bytes of the smallest that was found, where nothing fits.
    pub needs: Option<u64>,
    pub why: String,
}

/// Where tries are noted.
#[derive(Default)]
pub struct Journal {
    off: BTreeSet<String>,
    within: RefCell<Vec<String>>,
    tried: RefCell<Vec<Tried>>,
}

/// While it is there, what is noted is inside of a variant.
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

    /// Notes what whoever made a plan has noted, inside of what is tried now.
    pub fn absorb(&self, tried: Vec<Tried>) {
        let within = self.within.borrow();
        let inside = tried.into_iter().map(|t| Tried { within: [within.as_slice(), &t.within].concat(), ..t });
        self.tried.borrow_mut().extend(inside);
    }

    /// How much is noted so far.
    pub(super) fn now(&self) -> usize {
        self.tried.borrow().len()
    }

    /// What was noted then led to a plan that is not taken after all.
    pub(super) fn beaten(&self, then: Range<usize>) {
        let mut tried = self.tried.borrow_mut();
        for t in tried[then].iter_mut().filter(|t| t.verdict == Verdict::Taken) {
            t.verdict = Verdict::Beaten;
        }
    }

    /// All that was noted, in the order in which it was tried.
    pub fn finish(self) -> Vec<Tried> {
        self.tried.into_inner()
    }
}
