//! How the processes of a run end, and which of them is to blame for the end of all.
//!
//! Whatever ends one rank ends the others within moments, so of several ends one is the reason, and the rest follow from it.
//!
//! Not here: starting and watching ranks (`launch`), and what an elastic run makes of an end (`elastic::agent`).

use crate::signals::{GIVEN_UP, asks_for_the_end, name};
use crate::{INTERRUPTED, PREEMPTED, RESHAPED};
use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;

/// How a rank ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    /// By a signal that no launcher has sent, and that asks for nothing: it crashed, or memory was out.
    Killed(i32),
    /// By an error of its own, with this exit code.
    Failed(i32),
    /// Somebody has stopped the run, with this exit code (130 or 143) and, if the rank did not listen yet, by this signal.
    Stopped(i32, Option<i32>),
    /// It did not end by itself, so the launcher ended it.
    Hung,
    /// It lost other ranks, or waited for them in vain (exit code 3).
    Lost,
    /// It is sound, and its generation has ended.
    Reshaped,
    Done,
}

impl End {
    /// Of a process, and of what its launcher did to it: gave it up, or killed it since somebody asked a third time.
    pub fn of(status: ExitStatus, given_up: bool, asked_thrice: Option<i32>) -> End {
        if let Some(signal) = status.signal() {
            return match (signal, asked_thrice) {
                (libc::SIGKILL, Some(code)) => End::Stopped(code, Some(signal)),
                _ if given_up && [libc::SIGKILL, GIVEN_UP.as_raw()].contains(&signal) => End::Hung,
                _ => asks_for_the_end(signal).map_or(End::Killed(signal), |code| End::Stopped(code, Some(signal))),
            };
        }
        match status.code() {
            Some(0) => End::Done,
            Some(3) | None => End::Lost,
            Some(RESHAPED) => End::Reshaped,
            Some(code @ (INTERRUPTED | PREEMPTED)) => End::Stopped(code, None),
            Some(code) => End::Failed(code),
        }
    }

    /// What is to blame first comes first.
    pub fn place(self) -> u8 {
        match self {
            End::Killed(_) => 0,
            End::Failed(_) => 1,
            End::Stopped(..) => 2,
            End::Hung => 3,
            End::Lost => 4,
            End::Reshaped => 5,
            End::Done => 6,
        }
    }

    /// The exit code of a run that ends so.
    pub fn code(self) -> i32 {
        match self {
            End::Done => 0,
            End::Failed(code) | End::Stopped(code, _) => code,
            End::Killed(_) | End::Hung | End::Lost | End::Reshaped => 3,
        }
    }

    /// Whether a rank that ended so is as much to blame as another one.
    pub fn is_like(self, other: End) -> bool {
        self.place() == other.place()
    }

    /// Whether the rank ended as it should, since somebody wanted it to.
    pub fn is_orderly(self) -> bool {
        matches!(self, End::Stopped(..) | End::Reshaped | End::Done)
    }

    /// `was killed by signal 9 (SIGKILL; out of memory?)`
    pub fn describe(self) -> String {
        let by = |signal: i32| format!("signal {signal}{}", name(signal).map_or(String::new(), |n| format!(" ({n})")));
        match self {
            End::Killed(libc::SIGKILL) => format!("was killed by signal {} (SIGKILL; out of memory?)", libc::SIGKILL),
            End::Killed(signal) | End::Stopped(_, Some(signal)) => format!("was killed by {}", by(signal)),
            End::Hung => "hung, and was killed".into(),
            End::Reshaped => "gave up, as all others did".into(),
            End::Failed(_) | End::Stopped(..) | End::Lost | End::Done => {
                format!("ended with exit code {}", self.code())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn signal(n: i32) -> ExitStatus {
        ExitStatus::from_raw(n)
    }

    fn code(n: i32) -> ExitStatus {
        ExitStatus::from_raw(n << 8)
    }

    #[test]
    fn who_sent_a_signal_decides() {
        let of = |s, given_up| End::of(s, given_up, None);
        // Memory ran out on one rank, and another one had to be ended for it: the first is the reason.
        assert_eq!(of(signal(libc::SIGKILL), false), End::Killed(libc::SIGKILL));
        assert_eq!(of(signal(libc::SIGKILL), true), End::Hung);
        assert_eq!(of(signal(GIVEN_UP.as_raw()), true), End::Hung);
        assert!(of(signal(libc::SIGKILL), false).place() < of(signal(GIVEN_UP.as_raw()), true).place());
        // It ended by itself in the moment in which it was given up.
        assert_eq!(
            [of(code(75), true), of(code(3), true), of(code(2), true)],
            [End::Reshaped, End::Lost, End::Failed(2)]
        );
        assert_eq!(of(signal(libc::SIGSEGV), true), End::Killed(libc::SIGSEGV));
        // A rank that did not listen yet.
        assert_eq!(of(signal(libc::SIGTERM), false), End::Stopped(143, Some(libc::SIGTERM)));
        assert_eq!(of(code(143), false), End::Stopped(143, None));
        assert_eq!(End::of(signal(libc::SIGKILL), false, Some(130)), End::Stopped(130, Some(libc::SIGKILL)));
    }

    #[test]
    fn the_reason_stands_before_what_follows_from_it() {
        let all =
            [End::Killed(9), End::Failed(1), End::Stopped(143, None), End::Hung, End::Lost, End::Reshaped, End::Done];
        assert!(all.is_sorted_by_key(|end| end.place()));
        assert_eq!(all.map(End::code), [3, 1, 143, 3, 3, 3, 0]);
        assert_eq!(all.map(End::is_orderly), [false, false, true, false, false, true, true]);
        assert!(End::Failed(101).is_like(End::Failed(2)) && !End::Lost.is_like(End::Hung));
    }
}
