//! Where the rank of a pipeline is whose neighbours are in other processes: its turn, and the wire that it waits at.
//!
//! The host gives out a whole step at once, so only the GPU knows. Its streams write numbers of *marks* to the host's memory
//! ([`ExchangeProgress`]): the stream of computation before it waits for a value and when it goes on, and each stream that sends
//! before a value and after it.

use super::driver::{Address, Driver, Stream};
use super::progress::ExchangeProgress;
use crate::error::Result;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::sync::{Mutex, PoisonError};

/// What a stream says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// It computes: at a turn, or outside of them.
    At {
        turn: Option<usize>,
    },
    /// It waits for a value.
    Take {
        turn: Option<usize>,
        wire: u32,
        microbatch: u64,
    },
    /// The receiver has room for a value as soon as this is over.
    Send {
        wire: u32,
        microbatch: u64,
    },
    Sent,
}

/// A wire, to name it.
#[derive(Clone, Debug)]
pub struct StageEnd {
    pub name: String,
    pub each: bool,
    /// The process at the other end.
    pub process: usize,
}

/// What a rank waits for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WireWait {
    /// `rank 0 of the pipeline waits for `3>1.2` of microbatch 1`
    pub what: String,
    pub process: usize,
    pub receives: bool,
}

pub struct StageProgress {
    rank: usize,
    ends: Vec<StageEnd>,
    compute: ExchangeProgress,
    /// By the number of the stream.
    sends: BTreeMap<usize, ExchangeProgress>,
    marks: Mutex<Vec<Mark>>,
    /// The last that the stream of computation was given.
    last: Mutex<Option<Mark>>,
}

/// Marks of a stream that are told apart.
const MOST: usize = 1 << 16;

impl StageProgress {
    /// Of a rank with these ends, which sends on these streams, and has so many pieces in a step. `write` writes to the device.
    ///
    /// # Errors
    /// The driver's.
    pub fn new(
        driver: &mut dyn Driver,
        rank: usize,
        ends: Vec<StageEnd>,
        streams: &[usize],
        pieces: usize,
        mut write: impl FnMut(&mut dyn Driver, Address, &[u8]) -> Result<()>,
    ) -> Result<StageProgress> {
        let most = (2 * pieces + 2).min(MOST) as u32;
        let compute = ExchangeProgress::new(driver, most, &mut write)?;
        let mut sends = BTreeMap::new();
        for &s in streams {
            if let Entry::Vacant(free) = sends.entry(s) {
                free.insert(ExchangeProgress::new(driver, most, &mut write)?);
            }
        }
        Ok(StageProgress { rank, ends, compute, sends, marks: Mutex::default(), last: Mutex::default() })
    }

    /// A step begins. One that was `captured` gives the marks that it gave when it was.
    pub fn restart(&self, captured: bool) {
        self.compute.restart(captured);
        self.sends.values().for_each(|p| p.restart(captured));
        if !captured {
            self.marks.lock().unwrap_or_else(PoisonError::into_inner).clear();
        }
        *self.last.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }

    fn number(&self, mark: Mark) -> u32 {
        let mut marks = self.marks.lock().unwrap_or_else(PoisonError::into_inner);
        marks.push(mark);
        marks.len() as u32 - 1
    }

    fn mark_of(&self, progress: &ExchangeProgress) -> Option<Mark> {
        let marks = self.marks.lock().unwrap_or_else(PoisonError::into_inner);
        marks.get(progress.begun().1? as usize).copied()
    }

    /// The stream of computation comes here next. What it has said last is not said again.
    ///
    /// # Errors
    /// The driver's.
    pub fn compute(&self, driver: &mut dyn Driver, stream: Stream, mark: Mark) -> Result<()> {
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        if *last == Some(mark) {
            return Ok(());
        }
        *last = Some(mark);
        self.compute.mark(driver, stream, self.number(mark))
    }

    /// Stream `number`, which sends, comes here next.
    ///
    /// # Errors
    /// The driver's.
    pub fn sending(&self, driver: &mut dyn Driver, number: usize, stream: Stream, mark: Mark) -> Result<()> {
        let Some(progress) = self.sends.get(&number) else { return Ok(()) };
        progress.mark(driver, stream, self.number(mark))
    }

    /// Something that changes whenever a stream goes on.
    pub fn counts(&self) -> u64 {
        self.compute.begun().0 + self.sends.values().map(|p| p.begun().0).sum::<u64>()
    }

    /// The turn that the rank is at.
    pub fn turn(&self) -> Option<usize> {
        match self.mark_of(&self.compute)? {
            Mark::At { turn } | Mark::Take { turn, .. } => turn,
            Mark::Send { .. } | Mark::Sent => None,
        }
    }

    /// What the rank waits for from another one.
    pub fn waits(&self) -> Option<WireWait> {
        let Some(Mark::Take { wire, microbatch, .. }) = self.mark_of(&self.compute) else { return None };
        self.at_wire(wire, microbatch, true)
    }

    /// What the rank has to send, and another one does not take.
    pub fn sends(&self) -> Option<WireWait> {
        self.sends.values().find_map(|p| match self.mark_of(p) {
            Some(Mark::Send { wire, microbatch }) => self.at_wire(wire, microbatch, false),
            _ => None,
        })
    }

    fn at_wire(&self, wire: u32, microbatch: u64, receives: bool) -> Option<WireWait> {
        let end = self.ends.get(wire as usize)?;
        let of = if end.each { format!(" of microbatch {microbatch}") } else { String::new() };
        let verb = if receives { "waits for" } else { "waits until there is room for" };
        let what = format!("rank {} of the pipeline {verb} `{}`{of}", self.rank, end.name);
        Some(WireWait { what, process: end.process, receives })
    }
}
