//! A run as one of its processes sees it: where it is, and how all of them meet and end.
//!
//! Who waits for whom where memory does not show it is in [`super::watch`]; how a run begins is in [`super::join`].

use super::control::{Control, Late};
use super::link::Link;
use super::messages::Message;
use super::ranks::share;
use super::spot::{Spot, Words};
use super::star::{PIECE, Star};
use super::tally::Tallies;
use crate::collectives::Transport;
use crate::error::{ErrorKind, Result, RuntimeError};
use meshloom_bundle::Program;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// How long a thread may take to clean up before the process ends all the same.
const ORDER: Duration = Duration::from_secs(if cfg!(test) { 3600 } else { 5 });

/// How long others may take to end once they know that they should.
const MOMENT: Duration = Duration::from_secs(2);

/// Prints why another process ends this one, before this one ends with the error's exit code.
pub type OnFailure = Box<dyn Fn(&RuntimeError) + Send + Sync>;

/// The processes of a run, as one of them sees them.
pub struct World {
    pub(super) rank: usize,
    pub(super) size: usize,
    pub(super) sharers: usize,
    pub(super) timeout: Duration,
    /// Its number among those of its host.
    pub(super) local: usize,
    pub(super) meetings: Meetings,
    pub(super) transport: Option<Box<dyn Transport>>,
    /// Tags of messages that are taken.
    pub(super) tags: AtomicU32,
    /// The rank that this one waits for at a wire, and 1; 0 where it waits for none.
    pub(super) waits: AtomicU64,
    pub(super) link: Link,
    pub(super) words: Mutex<Words>,
    pub(super) step: AtomicU64,
    /// Meetings and collectives that this rank came to, and the spot of the last.
    pub(super) came: AtomicU64,
    pub(super) spot: AtomicU64,
    /// Whether it is written down who comes last to collectives, and where this rank was.
    pub(super) timed: AtomicBool,
    pub(super) tallies: Mutex<Tallies>,
    /// Collectives that its GPU has begun.
    pub(super) device: Mutex<Option<Begun>>,
    /// The working thread cleans up and ends this process, and other threads give it a moment for that.
    pub(super) supervised: AtomicBool,
    /// Why.
    pub(super) failed: Mutex<Option<RuntimeError>>,
    pub(super) on_this_host: usize,
    /// Somebody judges whom all wait for.
    pub(super) judging: AtomicBool,
    pub(super) on_failure: OnFailure,
}

/// How many collectives of a step a GPU has begun, and the last of them.
pub(crate) type Begun = Box<dyn Fn() -> (u64, Option<Spot>) + Send>;

/// How processes meet.
pub(super) enum Meetings {
    Memory(Control),
    Connections(Star),
}

impl World {
    pub fn rank(&self) -> usize {
        self.rank
    }

    /// Processes in all.
    pub fn size(&self) -> usize {
        self.size
    }

    /// Processes that have the same cores as this one, itself included.
    pub fn sharers(&self) -> usize {
        self.sharers
    }

    /// This process's number among those of its host.
    pub fn local(&self) -> usize {
        self.local
    }

    /// Processes on this one's host.
    pub fn on_this_host(&self) -> usize {
        self.on_this_host
    }

    /// What carries collectives, where the arenas of all devices are not in memory that all see.
    pub(crate) fn transport(&self) -> Option<&dyn Transport> {
        self.transport.as_deref()
    }

    /// So many tags for messages between any two processes: the first. All processes ask in the same order, for equally many.
    ///
    /// # Errors
    /// There are not so many left.
    pub(crate) fn take_tags(&self, n: u32) -> Result<u32> {
        let first = self.tags.fetch_add(n, Relaxed);
        let most = self.transport().map_or(u32::MAX, Transport::tags);
        if first.checked_add(n).is_none_or(|end| end > most) {
            let message = format!("two processes have {n} wires between them, and their messages have {most} tags");
            return Err(RuntimeError::usage("pipeline stages", message));
        }
        Ok(first)
    }

    pub(super) fn star(&self) -> Option<&Star> {
        match &self.meetings {
            Meetings::Connections(star) => Some(star),
            Meetings::Memory(_) => None,
        }
    }

    /// The longest that anybody is waited for.
    pub fn timeout(&self) -> Duration {
        self.timeout
    }

    /// The devices that this process has, of those of a mesh.
    ///
    /// # Errors
    /// They cannot be shared out evenly.
    pub fn devices(&self, of: usize) -> Result<Range<usize>> {
        share(of, self.rank, self.size)
    }

    /// Collectives of this program can be named from now on, under the number returned.
    pub(crate) fn register(&self, program: &Program) -> usize {
        self.words.lock().unwrap_or_else(PoisonError::into_inner).add(program)
    }

    /// What messages call the present.
    pub(crate) fn set_step(&self, step: u64) {
        self.step.store(step, Relaxed);
    }

    /// Waits for all processes.
    #[inline]
    pub(crate) fn meet(&self, spot: Spot) {
        self.met(spot, false);
    }

    /// The same; with `timed`, how much later this rank came than all others, if it came last to a meeting in memory.
    #[inline]
    pub(super) fn met(&self, spot: Spot, timed: bool) -> Option<u64> {
        let spot = self.arrive(spot);
        match &self.meetings {
            Meetings::Memory(control) => match control.meet(spot, self.timeout, timed) {
                Ok(last) => last,
                Err(late) => self.hang(spot, &late),
            },
            Meetings::Connections(star) => {
                self.hand_around(star, &mut [], spot);
                None
            }
        }
    }

    /// Gives every process the bitwise or of all processes' bytes.
    pub(crate) fn combine(&self, bytes: &mut [u8], spot: Spot) {
        let spot = self.arrive(spot);
        match &self.meetings {
            Meetings::Memory(control) => {
                if let Err(late) = control.combine(bytes, spot, self.timeout) {
                    self.hang(spot, &late);
                }
            }
            Meetings::Connections(star) => bytes.chunks_mut(PIECE).for_each(|part| self.hand_around(star, part, spot)),
        }
    }

    /// This rank has come to a meeting or a collective.
    #[inline]
    pub(crate) fn arrive(&self, spot: Spot) -> Spot {
        let spot = spot.at_step(self.step.load(Relaxed));
        let came = self.came.fetch_add(1, Relaxed) + 1;
        self.is_at(spot);
        if let Meetings::Memory(control) = &self.meetings {
            control.came_to(self.rank).store(came, Relaxed);
        }
        spot
    }

    /// This rank is here, for others to see.
    #[inline]
    fn is_at(&self, spot: Spot) {
        self.spot.store(spot.0, Relaxed);
        if let Meetings::Memory(control) = &self.meetings {
            control.is_at(spot);
        }
    }

    /// This rank begins with a piece of work for which it need not wait.
    #[inline]
    pub(crate) fn begin(&self, spot: Spot) {
        self.is_at(spot.at_step(self.step.load(Relaxed)));
    }

    /// Whether any process says yes. All of them ask at the same time, and all hear the same.
    pub fn any(&self, yes: bool) -> bool {
        let mut byte = [u8::from(yes)];
        self.combine(&mut byte, Spot::BETWEEN);
        byte[0] != 0
    }

    /// A number of each process, by rank. All of them ask at the same time.
    pub(crate) fn gather(&self, own: u64) -> Vec<u64> {
        let mut bytes = vec![0; 8 * self.size];
        bytes[8 * self.rank..][..8].copy_from_slice(&own.to_ne_bytes());
        self.combine(&mut bytes, Spot::START);
        bytes.chunks_exact(8).map(|b| b.try_into().map_or(0, u64::from_ne_bytes)).collect()
    }

    pub(super) fn hang(&self, spot: Spot, late: &Late) -> ! {
        self.end(&RuntimeError::new(ErrorKind::Rank, format!("rank {}", self.rank), self.late(spot, late)))
    }

    /// Another rank's connection is gone, and it has not said that it was done.
    pub(super) fn lost(&self, rank: usize) -> ! {
        let words = self.words.lock().unwrap_or_else(PoisonError::into_inner);
        let at = words.of(self.last(rank));
        drop(words);
        let message = format!("rank {rank} ended without a word (killed?); it was last seen at {at}");
        self.end(&RuntimeError::new(ErrorKind::Rank, format!("rank {}", self.rank), message))
    }

    /// Tells the others why this process is about to end.
    pub fn fail(&self, message: &str) {
        if self.link.begin_ending() {
            self.link.tell(&Message::Failed(format!("rank {} failed: {message}", self.rank)));
        }
    }

    /// As [`World::fail`]; returns once the others have ended, or after a moment in which they should have.
    pub fn fail_first(&self, message: &str) {
        self.fail(message);
        self.link.wait_for_all_closed(MOMENT);
    }

    /// Tells the others that this process is about to end at once, after Ctrl-C or preempted, and that they should.
    pub fn interrupted(&self, preempted: bool) {
        if self.link.begin_ending() {
            self.link.tell(&Message::Interrupted { preempted });
        }
    }

    /// Ends this process, and with it all others.
    #[expect(clippy::disallowed_methods, reason = "all processes end when one does")]
    pub(super) fn end(&self, error: &RuntimeError) -> ! {
        if !self.link.begin_ending() {
            park();
        }
        self.link.tell(&match error.kind {
            ErrorKind::Interrupted => Message::Interrupted { preempted: false },
            ErrorKind::Preempted => Message::Interrupted { preempted: true },
            _ => Message::Failed(error.message.clone()),
        });
        if self.supervised.load(std::sync::atomic::Ordering::SeqCst) {
            *self.failed.lock().unwrap_or_else(PoisonError::into_inner) = Some(error.clone());
            std::thread::sleep(ORDER);
        }
        (self.on_failure)(error);
        std::process::exit(error.exit_code());
    }

    /// The orderly end: waits for all ranks. After it, a connection that closes is no error.
    pub fn finish(&self) {
        self.meet(Spot::END);
        self.transport.iter().for_each(|t| t.finish());
        if !self.link.begin_ending() {
            park();
        }
        self.link.tell(&Message::Bye);
    }
}

impl std::fmt::Debug for World {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "rank {} of {}", self.rank, self.size)
    }
}

/// For a thread that comes second where another one is ending the process.
fn park() -> ! {
    loop {
        std::thread::park();
    }
}
