//! Signals that ask a process to end: which one came, and who sent it.
//!
//! A handler may do next to nothing. So it writes number and sender into a pipe, and a thread reads them there and does
//! the rest. Two signals that come one after the other are two, and so is what they ask for.
//!
//! Not here: what a signal means for a rank (`interrupt`) or for a launcher (`launch`).

use crate::{Failed, INTERRUPTED, PREEMPTED, Result};
use rustix::process::Signal;
use std::fs::File;
use std::io::Read;
use std::os::fd::{IntoRawFd, OwnedFd};
use std::sync::atomic::{AtomicI32, Ordering::SeqCst};
use std::sync::mpsc::channel;

/// What somebody who sees enough sends: Ctrl-C, the end of a terminal.
const STOP: [i32; 2] = [libc::SIGINT, libc::SIGHUP];
/// What schedulers send before they take the machine. SLURM's `--signal=USR1@120` sends the second.
const PREEMPT: [i32; 2] = [libc::SIGTERM, libc::SIGUSR1];
/// What a launcher sends to a rank that has not ended although another rank did. It is none of those above, so that a rank
/// that ends by it is not taken for one that somebody has stopped.
pub(crate) const GIVEN_UP: Signal = Signal::USR2;

/// The variable in which a launcher says to its ranks which process it is.
pub(crate) const LAUNCHED_BY: &str = "MESHLOOM_LAUNCH";

/// Where the handler writes; below 0 while there is none.
static PIPE: AtomicI32 = AtomicI32::new(-1);

/// A signal, and the process that sent it, where that is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Sent {
    pub signal: i32,
    pub by: Option<i32>,
}

impl Sent {
    /// Whether it is a preemption.
    pub fn preempts(self) -> bool {
        PREEMPT.contains(&self.signal)
    }

    /// `SIGTERM from process 4711 (slurmstepd)`
    pub fn describe(self) -> String {
        let signal = name(self.signal).map_or_else(|| format!("signal {}", self.signal), str::to_owned);
        let Some(pid) = self.by else { return signal };
        if is_launcher(pid) {
            return format!("{signal} from the launcher, process {pid}");
        }
        match std::fs::read_to_string(format!("/proc/{pid}/comm")) {
            Ok(program) => format!("{signal} from process {pid} ({})", program.trim().escape_debug()),
            // It has ended.
            Err(_) => format!("{signal} from process {pid}"),
        }
    }

    /// Whether the launcher has passed it on, which says so itself.
    pub fn is_passed_on(self) -> bool {
        self.by.is_some_and(is_launcher)
    }
}

/// Whether a process has started this one, as a rank.
fn is_launcher(pid: i32) -> bool {
    std::env::var_os(LAUNCHED_BY).is_some_and(|l| l.to_str() == Some(pid.to_string().as_str()))
}

/// The exit code of a run that ends because of a signal, if it is one of those that ask for that.
pub(crate) fn asks_for_the_end(signal: i32) -> Option<i32> {
    match signal {
        s if STOP.contains(&s) => Some(INTERRUPTED),
        s if PREEMPT.contains(&s) => Some(PREEMPTED),
        _ => None,
    }
}

pub(crate) fn name(signal: i32) -> Option<&'static str> {
    Some(match signal {
        libc::SIGHUP => "SIGHUP",
        libc::SIGINT => "SIGINT",
        libc::SIGILL => "SIGILL",
        libc::SIGABRT => "SIGABRT",
        libc::SIGBUS => "SIGBUS",
        libc::SIGFPE => "SIGFPE",
        libc::SIGKILL => "SIGKILL",
        libc::SIGSEGV => "SIGSEGV",
        libc::SIGTERM => "SIGTERM",
        libc::SIGUSR1 => "SIGUSR1",
        libc::SIGUSR2 => "SIGUSR2",
        _ => return None,
    })
}

/// Calls `f` with each signal that asks this process to end, and with [`GIVEN_UP`] where this is a rank. Without it they end the
/// process, as they should while nothing is worth saving. A second call in one process changes nothing.
///
/// # Errors
/// No pipe, or no thread to listen with.
pub(crate) fn on_signals(rank: bool, f: impl Fn(Sent) + Send + 'static) -> Result<()> {
    let fail = |e: std::io::Error| Failed::usage(format!("signals cannot be heard: {e}"));
    let (read, write) = std::io::pipe().map_err(fail)?;
    // A handler must not wait, whatever happens to the thread.
    rustix::io::ioctl_fionbio(&write, true).map_err(|e| fail(e.into()))?;
    let mut read = File::from(OwnedFd::from(read));
    let (ready, begun) = channel();
    let listen = move || {
        if ready.send(()).is_err() {
            return;
        }
        let mut word = [0; 8];
        while read.read_exact(&mut word).is_ok() {
            let word = u64::from_ne_bytes(word);
            let by = word as u32 as i32;
            f(Sent { signal: (word >> 32) as i32, by: Some(by).filter(|&p| p > 0) });
        }
    };
    if PIPE.load(SeqCst) >= 0 {
        return Ok(());
    }
    std::thread::Builder::new().name("signals".into()).spawn(listen).map_err(fail)?;
    // Where memory is short, a thread may end before it has begun, and nobody would hear a signal that is caught.
    begun.recv().map_err(|_| fail(std::io::ErrorKind::OutOfMemory.into()))?;
    PIPE.store(OwnedFd::from(write).into_raw_fd(), SeqCst);
    STOP.into_iter().chain(PREEMPT).chain(rank.then_some(GIVEN_UP.as_raw())).try_for_each(catch).map_err(fail)
}

fn catch(signal: i32) -> std::io::Result<()> {
    // SAFETY: both structures live across the calls, and all zeros are a value of theirs. The handler does what handlers may.
    let done = unsafe {
        let mut old: libc::sigaction = std::mem::zeroed();
        let mut new: libc::sigaction = std::mem::zeroed();
        new.sa_sigaction = heard as extern "C" fn(i32, *mut libc::siginfo_t, *mut libc::c_void) as usize;
        new.sa_flags = libc::SA_SIGINFO | libc::SA_RESTART;
        match libc::sigaction(signal, std::ptr::null(), &mut old) {
            // Under `nohup` the end of the terminal is no reason to stop.
            0 if signal == libc::SIGHUP && old.sa_sigaction == libc::SIG_IGN => 0,
            0 => libc::sigaction(signal, &new, std::ptr::null_mut()),
            code => code,
        }
    };
    if done == 0 { Ok(()) } else { Err(std::io::Error::last_os_error()) }
}

extern "C" fn heard(signal: i32, info: *mut libc::siginfo_t, _: *mut libc::c_void) {
    // SAFETY: the kernel gives a structure that lives through the call, in which a signal that a process sent (a code of 0
    // or less) has the number of that process. `write` may be called here; `errno` is as it was.
    unsafe {
        let errno = libc::__errno_location();
        let was = *errno;
        let by = if (*info).si_code <= 0 { (*info).si_pid() } else { 0 };
        let word = u64::from(signal as u32) << 32 | u64::from(by as u32);
        libc::write(PIPE.load(SeqCst), (&raw const word).cast(), 8);
        *errno = was;
    }
}

/// Ends this process by a signal, as if it had not been caught.
pub(crate) fn end_by(signal: Signal) -> ! {
    // SAFETY: neither call touches memory of this program.
    unsafe {
        libc::signal(signal.as_raw(), libc::SIG_DFL);
        libc::kill(libc::getpid(), signal.as_raw());
    }
    loop {
        std::thread::park();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_sent_it_is_said() {
        let own = std::process::id() as i32;
        let said = Sent { signal: libc::SIGTERM, by: Some(own) }.describe();
        assert!(said.starts_with(&format!("SIGTERM from process {own} (")), "{said}");
        let ended = Sent { signal: libc::SIGUSR1, by: Some(i32::MAX) };
        assert_eq!((ended.describe().as_str(), ended.preempts()), ("SIGUSR1 from process 2147483647", true));
        let terminal = Sent { signal: libc::SIGINT, by: None };
        assert_eq!((terminal.describe().as_str(), terminal.preempts()), ("SIGINT", false));
        assert_eq!(asks_for_the_end(libc::SIGHUP), Some(INTERRUPTED));
        assert_eq!(asks_for_the_end(GIVEN_UP.as_raw()), None);
    }
}
