//! A run of several processes, each with some of the mesh's devices.
//!
//! ```text
//! place        which of how many, from the launcher's environment
//! rendezvous   all ranks meet at rank 0 and compare what they are going to run
//! segment      memory that processes of one host share: arenas, and
//! control      a barrier that ends by the clock, bytes handed around, where each rank is
//! link         the open connections: who ends badly takes all others along, with the reason
//! star         the same as control, over the connections, where memory is not shared or shows too little;
//! watch        whom all wait for, then
//! ```
//!
//! Devices go to ranks in order, equally many to each. A program does the same as in one process, since every process
//! sees the arenas of all devices of its host ([`crate::collectives`]), or is sent what it needs in the same order. So
//! results are the same, bit for bit.
//!
//! Not here: starting processes (`meshloom launch`), and what devices exchange between hosts.

mod control;
pub mod hosts;
mod link;
pub mod place;
mod rendezvous;
mod segment;
mod spot;
mod star;
mod watch;

pub use place::{Launcher, Place};
pub use segment::Segment;
pub(crate) use spot::Spot;

use crate::collectives::Transport;
use crate::device::DeviceKind;
use crate::error::{Error, Kind, Result};
use control::{Control, Late};
use link::Link;
use meshloom_bundle::{Bundle, Program};
use rendezvous::{Hello, Message};
use star::{PIECE, Star};
use std::collections::BTreeMap;
use std::net::TcpListener;
use std::ops::Range;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// How long a thread may take to clean up before the process ends all the same.
const ORDER: Duration = Duration::from_secs(if cfg!(test) { 3600 } else { 5 });
/// How often a rank says where it is, at most.
const BEAT: Duration = Duration::from_secs(1);

/// Prints why another process ends this one, before this one ends with the error's exit code.
pub type OnFailure = Box<dyn Fn(&Error) + Send + Sync>;

/// What is needed to join a run.
pub struct Join {
    pub rank: usize,
    pub size: usize,
    /// Host and port of rank 0.
    pub master: (String, u16),
    /// Rank 0's socket, where the launcher made it.
    pub listener: Option<TcpListener>,
    /// The longest that a rank is waited for, at the start and at any collective.
    pub timeout: Duration,
    /// Options that must be the same on all ranks, by name.
    pub options: BTreeMap<String, String>,
    /// What carries collectives of CPU devices to other hosts.
    pub remote: Option<Remote>,
    pub on_failure: OnFailure,
}

/// A way to other hosts.
pub struct Remote {
    /// What ranks compare: `mpi`.
    pub name: String,
    /// Whether it is used on one host too.
    pub forced: bool,
    /// Makes it: all ranks at the same time.
    pub make: Box<dyn FnOnce() -> Result<Box<dyn Transport>> + Send>,
}

/// The processes of a run, as one of them sees them.
pub struct World {
    rank: usize,
    size: usize,
    sharers: usize,
    timeout: Duration,
    /// Its number among those of its host.
    local: usize,
    meetings: Meetings,
    transport: Option<Box<dyn Transport>>,
    link: Link,
    words: Mutex<spot::Words>,
    step: AtomicU64,
    /// Meetings and collectives that this rank came to, and the spot of the last.
    came: AtomicU64,
    spot: AtomicU64,
    /// Collectives that its GPU has begun.
    device: Mutex<Option<Begun>>,
    /// The working thread cleans up and ends this process, and other threads give it a moment for that.
    supervised: AtomicBool,
    /// Why.
    failed: Mutex<Option<Error>>,
    on_this_host: usize,
    /// Somebody judges whom all wait for.
    judging: AtomicBool,
    on_failure: OnFailure,
}

/// How many collectives of a step a GPU has begun, and the last of them.
pub(crate) type Begun = Box<dyn Fn() -> (u64, Option<Spot>) + Send>;

/// How processes meet.
enum Meetings {
    Memory(Control),
    Connections(Star),
}

impl World {
    /// Meets the other ranks. When it returns, all of them are going to run this bundle with these options.
    ///
    /// # Errors
    /// Ranks that do not come in time, that run something else, or that are on other hosts; a port that is taken.
    pub fn join(bundle: &Bundle, join: Join) -> Result<Arc<World>> {
        let Join { rank, size, master, listener, timeout, options, remote, on_failure } = join;
        let own = Hello {
            protocol: Hello::protocol(),
            version: env!("CARGO_PKG_VERSION").into(),
            rank,
            world: size,
            bundle: bundle.hash.clone(),
            device: DeviceKind::of(&bundle.contents.libraries).name().into(),
            kernels: crate::device::kernels(&bundle.contents.libraries)?,
            options,
            host: host_identity(),
            remote: remote.as_ref().map(|r| r.name.clone()),
            forced: remote.as_ref().is_some_and(|r| r.forced),
            cores: crate::device::affinity(),
            name: std::fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default().trim().to_owned(),
            pid: std::process::id(),
        };
        let (control, peers, go) = if rank == 0 {
            let listener = match listener {
                Some(l) => l,
                None => listen(&master)?,
            };
            let (control, offer) = Control::create(rank, size)?;
            let (peers, go) = rendezvous::serve(&own, &listener, offer.address(), timeout)?;
            (go.control.is_some().then_some(control), peers, go)
        } else {
            let (mut peer, go) = rendezvous::join(&own, &master, timeout)?;
            let control = match go.control.map(|at| Control::open(at, rank, size)).transpose() {
                Ok(c) => c,
                Err(e) => {
                    let _ = peer.say(&Message::Failed(e.to_string()));
                    return Err(e);
                }
            };
            let gone = |e| Error::usage("rendezvous", format!("rank 0 went away before the run began: {e}"));
            peer.say(&Message::Ready).map_err(gone)?;
            (control, vec![peer], go)
        };
        let readers = peers.iter().map(|p| p.rank).collect::<Vec<_>>();
        let (link, reads) = Link::new(peers);
        let sharers = go.sharers[rank];
        let meetings = match control {
            Some(c) => Meetings::Memory(c.spinning(crate::device::may_spin(sharers))),
            None => Meetings::Connections(Star::new(size)),
        };
        let transport = match (&go.remote, remote) {
            (Some(_), Some(r)) => Some((r.make)()?),
            _ => None,
        };
        if let Some((r, n)) = transport.as_ref().map(|t| t.place()).filter(|&p| p != (rank, size)) {
            let message = format!("this is rank {rank} of {size}, and to the transport rank {r} of {n}");
            return Err(Error::usage("rendezvous", message));
        }
        let world = Arc::new(World {
            rank,
            size,
            sharers,
            timeout,
            local: go.local[rank],
            meetings,
            transport,
            link,
            words: Mutex::default(),
            step: AtomicU64::new(0),
            came: AtomicU64::new(0),
            spot: AtomicU64::new(0),
            device: Mutex::new(None),
            supervised: AtomicBool::new(false),
            failed: Mutex::new(None),
            on_this_host: go.hosted[rank],
            judging: AtomicBool::new(false),
            on_failure,
        });
        for (from, read) in readers.into_iter().zip(reads) {
            link::listen(&world, from, read)?;
        }
        if rank > 0 && world.star().is_some() {
            watch::beat(&world)?;
        }
        world.meet(Spot::START);
        Ok(world)
    }

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

    fn star(&self) -> Option<&Star> {
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
        let spot = self.arrive(spot);
        match &self.meetings {
            Meetings::Memory(control) => {
                if let Err(late) = control.meet(spot, self.timeout) {
                    self.hang(spot, &late);
                }
            }
            Meetings::Connections(star) => self.hand_around(star, &mut [], spot),
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
        self.spot.store(spot.0, Relaxed);
        self.came.fetch_add(1, Relaxed);
        spot
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

    /// Memory that all processes share: the first one makes it.
    pub(crate) fn share(&self, len: u64, what: &str) -> Result<Segment> {
        let made = if self.rank == 0 { Some(Segment::create(len, what)?) } else { None };
        let word = |at: segment::Address| u64::from(at.pid) << 32 | u64::from(at.fd as u32);
        let word = self.gather(made.as_ref().map_or(0, |m| word(m.1.address())))[0];
        let at = segment::Address { pid: (word >> 32) as u32, fd: word as u32 as i32, len };
        let (segment, _offer) = match made {
            Some((segment, offer)) => (segment, Some(offer)),
            None => (Segment::open(at, what)?, None),
        };
        // The offer ends once all have it.
        self.meet(Spot::START);
        Ok(segment)
    }

    fn hang(&self, spot: Spot, late: &Late) -> ! {
        self.end(&Error::new(Kind::Rank, format!("rank {}", self.rank), self.late(spot, late)))
    }

    /// Another rank's connection is gone, and it has not said that it was done.
    fn lost(&self, rank: usize) -> ! {
        let words = self.words.lock().unwrap_or_else(PoisonError::into_inner);
        let at = words.of(self.last(rank));
        drop(words);
        let message = format!("rank {rank} ended without a word (killed?); it was last seen at {at}");
        self.end(&Error::new(Kind::Rank, format!("rank {}", self.rank), message))
    }

    /// Tells the others why this process is about to end.
    pub fn fail(&self, message: &str) {
        if self.link.begin_ending() {
            self.link.tell(&Message::Failed(format!("rank {} failed: {message}", self.rank)));
        }
    }

    /// Ends this process, and with it all others.
    fn end(&self, error: &Error) -> ! {
        if !self.link.begin_ending() {
            park();
        }
        self.link.tell(&Message::Failed(error.message.clone()));
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

/// Rank 0's socket: on this host alone, if that is all that the address promises.
fn listen((host, port): &(String, u16)) -> Result<TcpListener> {
    let fail = |e: std::io::Error| {
        let place = format!("rank 0 at {host}:{port}");
        if e.kind() == std::io::ErrorKind::AddrInUse {
            let m = format!(
                "port {port} is taken by another program: choose another one with MASTER_PORT, the same for all ranks"
            );
            return Error::usage(place, m);
        }
        Error::usage(place, format!("cannot listen: {e}"))
    };
    let local = matches!(host.as_str(), "localhost" | "127.0.0.1" | "::1");
    if local {
        return TcpListener::bind((host.as_str(), *port)).map_err(fail);
    }
    TcpListener::bind(("::", *port)).or_else(|_| TcpListener::bind(("0.0.0.0", *port))).map_err(fail)
}

/// Equal for processes that can share memory and see each other in `/proc`.
fn host_identity() -> String {
    let boot = std::fs::read_to_string("/proc/sys/kernel/random/boot_id").unwrap_or_default();
    let namespace = std::fs::read_link("/proc/self/ns/pid").unwrap_or_default();
    format!("{} {}", boot.trim(), namespace.display())
}

/// Whether processes of this host can share memory.
///
/// # Errors
/// What the system said when it was tried.
pub fn available() -> Result<()> {
    let (_kept, offer) = Segment::create(4096, "a test")?;
    Segment::open(offer.address(), "a test").map(|_| ())
}

/// The devices of one of several processes.
///
/// # Errors
/// They cannot be shared out evenly.
pub fn share(devices: usize, rank: usize, size: usize) -> Result<Range<usize>> {
    if size == 0 || !devices.is_multiple_of(size) {
        let fits: Vec<String> = (1..=devices).filter(|n| devices.is_multiple_of(*n)).map(|n| n.to_string()).collect();
        let message =
            format!("{devices} devices cannot be shared evenly by {size} processes: start {}", fits.join(" or "));
        return Err(Error::usage("world size", message));
    }
    let each = devices / size;
    Ok(rank * each..(rank + 1) * each)
}

/// `rank 2`, `ranks 1, 2, 5`
pub fn ranks(all: &[usize]) -> String {
    let text: Vec<String> = all.iter().map(usize::to_string).collect();
    format!("rank{} {}", if all.len() == 1 { "" } else { "s" }, text.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn devices_are_shared_evenly() {
        assert_eq!(share(8, 1, 4), Ok(2..4));
        assert_eq!(share(4, 3, 4), Ok(3..4));
        let e = share(4, 0, 3).unwrap_err();
        assert_eq!(e.message, "4 devices cannot be shared evenly by 3 processes: start 1 or 2 or 4");
    }
}
