//! Tensor memory of a block: which of its 512 columns of 128 lanes the block has, what they hold, and what still works on them.
//!
//! Products count as under way until a barrier that they were committed to heard of them, which is as late as anyone waits for it.

use crate::clock::{Clock, KnownAccesses, LOADS, PRODUCTS};
use crate::warp::Warp;
use std::collections::VecDeque;

const COLUMNS: usize = 512;
pub const ROWS: usize = 128;
/// A column.
#[derive(Clone)]
pub struct Column {
    /// The bits of sums.
    pub values: [Option<u32>; ROWS],
    /// The last product that writes it: agent, lane, its number.
    pub write: Option<(usize, usize, u32)>,
    /// Loads since then: agent and number.
    pub reads: Vec<(usize, u32)>,
}

/// A product until it is known to be done.
pub struct UnderWay {
    pub agent: usize,
    pub number: u32,
    /// What it reads of shared memory.
    pub reads: Vec<(u64, u64)>,
}

/// A barrier that is to hear of products up to a number.
pub struct Commit {
    pub barrier: u64,
    pub agent: usize,
    pub number: u32,
    pub told: KnownAccesses,
}

pub struct TensorMemory {
    columns: Vec<Column>,
    /// First column, how many, the warp that took them.
    taken: Vec<(usize, usize, usize)>,
    pub relinquished: bool,
    pub under_way: Vec<UnderWay>,
    pub commits: VecDeque<Commit>,
}

impl Default for TensorMemory {
    fn default() -> TensorMemory {
        let none = Column { values: [None; ROWS], write: None, reads: Vec::new() };
        let (taken, relinquished) = (Vec::new(), false);
        TensorMemory {
            columns: vec![none; COLUMNS],
            taken,
            relinquished,
            under_way: Vec::new(),
            commits: VecDeque::new(),
        }
    }
}

impl TensorMemory {
    /// The columns that come last of those that are free, as if other blocks had the first ones.
    ///
    /// # Errors
    /// A count that the manual excludes, or one that does not become free.
    pub fn allocate(&mut self, count: u64, warp: usize) -> Result<u64, String> {
        if !count.is_power_of_two() || !(32..=COLUMNS as u64).contains(&count) {
            return Err(format!("{count} columns of tensor memory are no power of two from 32 to 512"));
        }
        if self.relinquished {
            return Err("the block gave up its right to take tensor memory".into());
        }
        let count = count as usize;
        let is_free = |first: usize| self.taken.iter().all(|&(at, n, _)| first + count <= at || at + n <= first);
        let first = (0..=COLUMNS - count).rev().step_by(32).find(|&first| is_free(first));
        let first = first.ok_or_else(|| format!("{count} columns of tensor memory are waited for in vain"))?;
        self.taken.push((first, count, warp));
        Ok(first as u64)
    }

    /// # Errors
    /// They are not what the warp took, or something works on them.
    pub fn free(&mut self, first: u64, count: u64, w: &Warp) -> Result<(), String> {
        let own = (first as usize, count as usize, w.index);
        let found = self.taken.iter().position(|t| *t == own);
        let Some(found) = found else {
            return Err(format!("{count} columns from {first} on are not what the warp took of tensor memory"));
        };
        for (i, c) in self.columns.iter_mut().enumerate().skip(own.0).take(own.1) {
            c.is_done(&w.tensor).map_err(|why| format!("column {i} is given back, and {why}"))?;
            *c = Column { values: [None; ROWS], write: None, reads: Vec::new() };
        }
        self.taken.remove(found);
        Ok(())
    }

    /// Columns that the block has.
    ///
    /// # Errors
    /// It has not all of them.
    pub fn own(&mut self, at: u64, count: u64) -> Result<&mut [Column], String> {
        let (first, count) = ((at & 0xffff) as usize, count as usize);
        match self.taken.iter().any(|&(at, n, _)| at <= first && first + count <= at + n) {
            true => Ok(&mut self.columns[first..first + count]),
            false => Err(format!("columns {first} to {} of tensor memory are not the block's", first + count - 1)),
        }
    }

    /// # Errors
    /// What must not be when a block ends.
    pub fn end(&self) -> Result<(), String> {
        if let Some((first, count, _)) = self.taken.first() {
            return Err(format!("the block ends with {count} columns of tensor memory from {first} on"));
        }
        match self.under_way.is_empty() && self.commits.is_empty() {
            true => Ok(()),
            false => Err("the block ends before matrix products were waited for".into()),
        }
    }
}

impl Column {
    /// Whether all that was done with it is known to be over.
    ///
    /// # Errors
    /// What is not.
    pub fn is_done(&self, known: &Clock) -> Result<(), String> {
        self.is_written(known)?;
        match self.reads.iter().find(|(agent, number)| known.0[*agent] < *number) {
            None => Ok(()),
            Some((agent, _)) => Err(format!("a load of warp {} is not known to be over", agent - LOADS)),
        }
    }

    /// Whether the last product is.
    ///
    /// # Errors
    /// It is not.
    pub fn is_written(&self, known: &Clock) -> Result<(), String> {
        match self.write {
            Some((agent, _, number)) if known.0[agent] < number => {
                Err(format!("a matrix product of warp {} is not known to be over", agent - PRODUCTS))
            }
            _ => Ok(()),
        }
    }
}
