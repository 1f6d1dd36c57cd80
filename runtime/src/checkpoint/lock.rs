//! One writer for a folder of checkpoints.
//!
//! The file `.lock` is locked by the operating system (`flock`) for as long as a run may save. That lock ends with the
//! process, however the process ends, and holds between containers, which may all be process 1. The text in the file
//! says who holds it: host, process, and when the process started.
//!
//! Where a file system does not carry such locks to other hosts, the text is what they see. So a file that a process of
//! another host left behind is an error until somebody removes it, and one of a dead process on this host is taken over.
//! A file system without any locks leaves the text alone; two runs that start within the same moment are not told apart
//! there.

use crate::error::{Result, RuntimeError};
use crate::file;
use serde::{Deserialize, Serialize};
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::Write;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

const LOCK: &str = ".lock";
const MAX_TEXT: u64 = 4096;

/// The lock files of this process, for an end at which nothing is dropped.
static HELD: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// Removes the lock files of this process, which is about to end without dropping anything.
pub fn release_locks() {
    HELD.lock().unwrap_or_else(PoisonError::into_inner).drain(..).for_each(|p| _ = fs::remove_file(p));
}

/// Held until it is dropped.
pub struct Lock {
    path: PathBuf,
    /// Closing it ends the lock.
    _file: File,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Holder {
    host: String,
    pid: u32,
    /// When the process started, in the kernel's ticks since boot: two processes of one number differ in it.
    start: u64,
    /// The running kernel.
    boot: String,
    /// Numbers of processes are those of a namespace.
    namespace: String,
}

impl Holder {
    fn here() -> Holder {
        let text = |path: &str| fs::read_to_string(path).unwrap_or_default().trim().to_owned();
        let pid = std::process::id();
        Holder {
            host: text("/proc/sys/kernel/hostname"),
            pid,
            start: started(pid).unwrap_or(0),
            boot: text("/proc/sys/kernel/random/boot_id"),
            namespace: fs::read_link("/proc/self/ns/pid").unwrap_or_default().display().to_string(),
        }
    }

    fn same_kernel(&self, other: &Holder) -> bool {
        self.boot == other.boot && !self.boot.is_empty()
    }
}

/// When a process started.
fn started(pid: u32) -> Option<u64> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    stat.rsplit_once(") ")?.1.split(' ').nth(19)?.parse().ok()
}

impl Lock {
    /// Takes the lock of a folder.
    ///
    /// # Errors
    /// Somebody else has it, or may have it: with the host, and what to do.
    pub fn take(dir: &Path) -> Result<Lock> {
        let path = dir.join(LOCK);
        let fail = |e: &std::io::Error| RuntimeError::io(&path, "cannot be written", e);
        let own = Holder::here();
        loop {
            let file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(&path);
            let mut file = file.map_err(|e| fail(&e))?;
            let locks = match file.try_lock() {
                Ok(()) => true,
                Err(TryLockError::WouldBlock) => return Err(busy(&path, read(&path)?.as_ref())),
                // Not every file system has locks.
                Err(TryLockError::Error(_)) => false,
            };
            // Whoever had it may have removed it between the two calls.
            let (ours, there) = (file.metadata().map_err(|e| fail(&e))?, fs::metadata(&path));
            if !there.is_ok_and(|m| (m.dev(), m.ino()) == (ours.dev(), ours.ino())) {
                continue;
            }
            if let Some(was) = read(&path)?
                && !is_over(&was, &own, locks)
            {
                return Err(busy(&path, Some(&was)));
            }
            let text = serde_json::to_string(&own).unwrap_or_default() + "\n";
            file.set_len(0).and_then(|()| file.write_all(text.as_bytes())).map_err(|e| fail(&e))?;
            HELD.lock().unwrap_or_else(PoisonError::into_inner).push(path.clone());
            return Ok(Lock { path, _file: file });
        }
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        // The name goes before the lock does, so that nobody locks a file that is about to go.
        let mut held = HELD.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(at) = held.iter().position(|p| *p == self.path) {
            held.remove(at);
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// Whether the run that left a text behind is certainly over. `locks`: this process has the system's lock now.
fn is_over(was: &Holder, own: &Holder, locks: bool) -> bool {
    if was.same_kernel(own) {
        // On one kernel the system's lock decides, whatever the namespaces are.
        let dead = || was.namespace == own.namespace && started(was.pid) != Some(was.start);
        return locks || was == own || dead();
    }
    // The host has started again since.
    was.host == own.host
}

/// Who wrote the file; `None` for one that is empty.
fn read(path: &Path) -> Result<Option<Holder>> {
    let Some(text) = file::own(path, MAX_TEXT)? else { return Ok(None) };
    if text.is_empty() {
        return Ok(None);
    }
    let holder = serde_json::from_slice(&text);
    holder.map(Some).map_err(|_| {
        let message = "does not say who saves here: remove it once no run does";
        RuntimeError::usage(path.display().to_string(), message)
    })
}

fn busy(path: &Path, holder: Option<&Holder>) -> RuntimeError {
    let who = holder.map_or("another run".to_owned(), |h| format!("process {} of host {}", h.pid, h.host));
    let message = format!("{who} saves here: save to another folder, or, once that run has ended, remove this file");
    RuntimeError::usage(path.display().to_string(), message)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_at_a_time() {
        let dir = tempfile::tempdir().unwrap();
        let first = Lock::take(dir.path()).unwrap();
        let Err(e) = Lock::take(dir.path()) else { panic!("two have it") };
        let due = format!("process {} of host {} saves here", std::process::id(), Holder::here().host);
        assert!(e.to_string().contains(&due), "{e}");
        drop(first);
        assert!(!dir.path().join(LOCK).exists());
        drop(Lock::take(dir.path()).unwrap());
    }

    #[test]
    fn what_was_left_behind() {
        let dir = tempfile::tempdir().unwrap();
        let own = Holder::here();
        let left = |h: &Holder| {
            fs::write(dir.path().join(LOCK), serde_json::to_string(h).unwrap()).unwrap();
            Lock::take(dir.path()).map(|_| ()).map_err(|e| e.to_string())
        };
        // Process 1 of another container on this host: the system's lock says that it is gone.
        assert_eq!(left(&Holder { pid: 1, namespace: "pid:[7]".into(), ..own.clone() }), Ok(()));
        assert_eq!(left(&Holder { boot: "before".into(), ..own.clone() }), Ok(()), "the host has started again");
        let e = left(&Holder { host: "node7".into(), boot: "other".into(), pid: 1, ..own.clone() }).unwrap_err();
        let due = ".lock: process 1 of host node7 saves here: save to another folder, or, once that run has ended, \
                   remove this file";
        assert!(e.ends_with(due), "{e}");
        fs::write(dir.path().join(LOCK), "{").unwrap();
        assert!(Lock::take(dir.path()).is_err_and(|e| e.to_string().contains("does not say who saves here")));
        fs::write(dir.path().join(LOCK), "").unwrap();
        assert!(Lock::take(dir.path()).is_ok());
    }

    #[test]
    fn without_locks_the_process_decides() {
        let own = Holder::here();
        let child = std::process::Command::new("true").spawn().map(|mut c| {
            let pid = c.id();
            _ = c.wait();
            pid
        });
        let dead = Holder { pid: child.unwrap(), start: 1, ..own.clone() };
        let alive = Holder { pid: 1, start: started(1).unwrap(), ..own.clone() };
        assert!(is_over(&dead, &own, false) && !is_over(&alive, &own, false));
        // A number of another namespace says nothing.
        assert!(!is_over(&Holder { namespace: "pid:[7]".into(), ..dead }, &own, false));
    }
}
