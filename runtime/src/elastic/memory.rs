//! Files in memory that have no name: the launcher makes and holds them, and ranks open them through `/proc`.
//!
//! They are written and read as files and never mapped, so a process that is killed leaves at worst a part of a write,
//! and nobody shares an address.

use super::format::{Kept, SLOTS};
use crate::error::{ErrorKind, Result, RuntimeError};
use rustix::fs::{MemfdFlags, memfd_create};
use serde::{Deserialize, Serialize};
use std::fs::{File, OpenOptions};
use std::os::fd::AsRawFd;
use std::os::unix::fs::FileExt;

/// Where the first rank says how many steps are done, behind what the launcher asks.
const DONE: u64 = 8;

/// What a launcher tells a rank: descriptors of its own that the rank opens.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Handed {
    /// Counted from 0. Ranks of another generation are sent away.
    pub generation: u64,
    /// Process number of the launcher.
    pub launcher: u32,
    /// Has a byte that is not 0 once the generation is to end after a step, and the number of steps that are done.
    pub ask: i32,
    /// What each rank of this generation keeps its parts in, by rank; empty if nothing is kept.
    pub keeps: Vec<i32>,
    /// Steps between two copies.
    pub every: u64,
    /// What earlier generations have kept, the newest first.
    pub before: Vec<Vec<i32>>,
}

/// A file in memory, on the launcher's side.
pub struct KeptMemory(File);

impl KeptMemory {
    /// An empty one.
    ///
    /// # Errors
    /// The system gives none.
    pub fn new() -> Result<KeptMemory> {
        let made = memfd_create("meshloom-kept", MemfdFlags::CLOEXEC);
        made.map(|fd| KeptMemory(File::from(fd))).map_err(|e| {
            RuntimeError::new(ErrorKind::DoesNotFit, "--elastic", format!("no memory to keep copies in: {e}"))
        })
    }

    /// The descriptor, for [`Handed`].
    pub fn descriptor(&self) -> i32 {
        self.0.as_raw_fd()
    }

    /// Asks those who look to end.
    ///
    /// # Errors
    /// The system says so.
    pub fn ask(&self) -> Result<()> {
        self.0
            .write_all_at(&[1], 0)
            .map_err(|e| RuntimeError::usage("--elastic", format!("ranks cannot be asked: {e}")))
    }

    /// How many steps are done, if those who were asked have done one since this memory was made.
    pub fn done(&self) -> Option<u64> {
        let mut bytes = [0; 8];
        self.0.read_exact_at(&mut bytes, DONE).ok()?;
        Some(u64::from_ne_bytes(bytes)).filter(|&n| n > 0)
    }

    /// The newest step that every one of these has a copy of.
    pub fn common_step(all: &[KeptMemory]) -> Option<u64> {
        let steps = |m: &KeptMemory| -> Vec<u64> { (0..SLOTS).filter_map(|s| Kept::step_in(&m.0, s)).collect() };
        let first = steps(all.first()?);
        first.into_iter().filter(|s| all.iter().all(|m| steps(m).contains(s))).max()
    }
}

/// A descriptor of another process, as a file.
pub(super) fn open(pid: u32, fd: i32) -> Result<File> {
    let path = format!("/proc/{pid}/fd/{fd}");
    let fail = |e: std::io::Error| {
        let message =
            format!("memory of the launcher (process {pid}) cannot be opened: {e}; ranks must be of its user");
        RuntimeError::usage("--elastic", message)
    };
    OpenOptions::new().read(true).write(true).open(path).map_err(fail)
}

/// Tells the launcher, in the memory by which it asks, how many steps are done.
pub(super) fn tell_done(ask: &File, steps: u64) -> Result<()> {
    let fail = |e| RuntimeError::usage("--elastic", format!("the launcher cannot be told of a step: {e}"));
    ask.write_all_at(&steps.to_ne_bytes(), DONE).map_err(fail)
}

/// Whether the launcher asks for the end of the generation.
pub(super) fn asked(file: &File) -> bool {
    let mut byte = [0];
    file.read_at(&mut byte, 0).is_ok_and(|n| n == 1 && byte[0] != 0)
}
