//! How far a call is that plans many programs, for whoever waits for it to look at.
//!
//! Counts and no calls back: what is shown, and when, is the reader's. Nothing that is decided depends on them.
//!
//! Not here: a clock, and a line on a terminal (`meshloom_terminal::waiting`).

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// Programs that are to be planned, and those that are. Clones count as one.
#[derive(Clone, Debug, Default)]
pub struct Progress(Arc<Counts>);

#[derive(Debug, Default)]
struct Counts {
    begun: AtomicUsize,
    done: AtomicUsize,
}

impl Progress {
    /// So many more programs are to be planned.
    pub fn expect(&self, more: usize) {
        self.0.begun.fetch_add(more, Relaxed);
    }

    /// One of them is planned, or cannot be.
    pub fn done(&self) {
        self.0.done.fetch_add(1, Relaxed);
    }

    /// How many programs were planned, and how many are to be, as far as that is known. Both are 0 where there is one program.
    pub fn counts(&self) -> (usize, usize) {
        (self.0.done.load(Relaxed), self.0.begun.load(Relaxed))
    }
}
