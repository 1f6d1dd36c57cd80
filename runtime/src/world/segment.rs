//! Memory that the processes of one host share.
//!
//! A segment is a file that lives in memory and has no name (`memfd_create`). The process that makes it tells the
//! others its number, and they open it through `/proc`. So there is nothing to clean up: the memory goes with the last
//! process that maps it, however that process ends. The size of `/dev/shm`, which is 64 MB in most containers, does not
//! matter.

use crate::error::{ErrorKind, Result, RuntimeError};
use memmap2::{MmapOptions, MmapRaw};
use rustix::fs::{MemfdFlags, SealFlags, fcntl_add_seals, fstat, ftruncate, memfd_create};
use rustix::io::Errno;
use rustix::process::{Pid, test_kill_process};
use serde::{Deserialize, Serialize};
use std::fs::{File, OpenOptions};
use std::os::fd::{AsRawFd, OwnedFd};

/// A shared mapping. Whoever writes to it answers for the order of accesses.
pub struct Segment(MmapRaw);

/// Where other processes find a segment, while the process that made it keeps its [`Offer`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Address {
    pub pid: u32,
    pub fd: i32,
    pub len: u64,
}

impl Address {
    /// All but the length, for ranks to hand around.
    pub fn to_word(self) -> u64 {
        u64::from(self.pid) << 32 | u64::from(self.fd as u32)
    }

    pub fn from_word(word: u64, len: u64) -> Address {
        Address { pid: (word >> 32) as u32, fd: word as u32 as i32, len }
    }
}

/// Keeps a segment open for others to find.
pub struct Offer(OwnedFd, u64);

impl Offer {
    pub fn address(&self) -> Address {
        Address { pid: std::process::id(), fd: self.0.as_raw_fd(), len: self.1 }
    }
}

impl Segment {
    /// A new segment of zeros.
    pub fn create(len: u64, what: &str) -> Result<(Segment, Offer)> {
        let fail = |e: &dyn std::fmt::Display| {
            RuntimeError::new(ErrorKind::DoesNotFit, what, format!("{len} bytes of shared memory cannot be made: {e}"))
        };
        let fd = memfd_create("meshloom", MemfdFlags::CLOEXEC | MemfdFlags::ALLOW_SEALING).map_err(|e| fail(&e))?;
        ftruncate(&fd, len).map_err(|e| fail(&e))?;
        // Nobody can make it shorter, so no access to the mapping can fail for its end.
        fcntl_add_seals(&fd, SealFlags::SHRINK | SealFlags::GROW | SealFlags::SEAL).map_err(|e| fail(&e))?;
        let file = File::from(fd);
        let segment = Segment::map(&file, len, what)?;
        Ok((segment, Offer(file.into(), len)))
    }

    /// A segment that another process offers.
    pub fn open(at: Address, what: &str) -> Result<Segment> {
        let path = format!("/proc/{}/fd/{}", at.pid, at.fd);
        let fail = |m: String| {
            let help = "ranks on one host must be of one user and see each other's processes (containers: share the pid namespace)";
            RuntimeError::usage(what, format!("shared memory of process {} cannot be opened: {m}; {help}", at.pid))
        };
        // A rank that is lost while others look for its memory is no fault of who is looking.
        let gone = || RuntimeError::new(ErrorKind::Rank, what, format!("process {}, which has it, has ended", at.pid));
        let opened = OpenOptions::new().read(true).write(true).open(&path);
        let file = opened.map_err(|e| if is_gone(at.pid) { gone() } else { fail(e.to_string()) })?;
        let found = fstat(&file).map_err(|e| fail(e.to_string()))?.st_size;
        if u64::try_from(found) != Ok(at.len) {
            return Err(fail(format!("it has {found} bytes and not {}", at.len)));
        }
        Segment::map(&file, at.len, what)
    }

    fn map(file: &File, len: u64, what: &str) -> Result<Segment> {
        let fail = |why: String| {
            RuntimeError::new(ErrorKind::DoesNotFit, what, format!("{len} bytes cannot be mapped: {why}"))
        };
        let len = usize::try_from(len).map_err(|_| fail("more than this machine can address".into()))?;
        let map = MmapOptions::new().len(len).map_raw(file).map_err(|e| fail(e.to_string()))?;
        // Advice may be refused (no huge pages for shared memory); nothing depends on it.
        #[cfg(target_os = "linux")]
        let _ = map.advise(memmap2::Advice::HugePage);
        Ok(Segment(map))
    }

    pub fn base(&self) -> *mut u8 {
        self.0.as_mut_ptr()
    }

    pub fn len(&self) -> usize {
        self.0.len()
    }

    pub fn is_empty(&self) -> bool {
        self.0.len() == 0
    }
}

/// Whether there is no such process, of any user.
fn is_gone(pid: u32) -> bool {
    let pid = i32::try_from(pid).ok().and_then(Pid::from_raw);
    pid.is_none_or(|pid| test_kill_process(pid) == Err(Errno::SRCH))
}

/// Whether processes of this host can share memory.
///
/// # Errors
/// What the system said when it was tried.
pub fn available() -> Result<()> {
    let (_kept, offer) = Segment::create(4096, "a test")?;
    Segment::open(offer.address(), "a test").map(|_| ())
}
