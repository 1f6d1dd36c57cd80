//! Collectives behind one trait, and the arenas of a mesh that a process can reach.
//!
//! `threads` moves data between devices that share memory: the devices of one process, or those of several processes on
//! one host, whose arenas lie in a segment that all of them map. All workers of all processes then share the work of a
//! collective, and `meet` is a barrier between processes. So one code serves both, and the bits are the same.
//! `messages` is for CPU processes that share no memory; MPI carries its messages (cargo feature `mpi`). `nccl` is for
//! GPUs.
//!
//! Plans, the interpreter and bit-equal resumption rely on these rules, which every implementation keeps:
//! - A group's ranks are ordered as in [`meshloom_bundle::Program::rank_over`].
//! - A reduction is taken in the order of ranks, `((x0 + x1) + x2) + ..`, whatever the number of threads.
//! - Bytes are counted where they are copied from one device's memory to another's, at the receiver.

mod call;
pub mod messages;
pub(crate) mod moves;
#[cfg(feature = "mpi")]
pub mod mpi;
pub mod nccl;
pub(crate) mod reduce;
mod threads;
pub(crate) mod tiles;
mod transport;

pub(crate) use call::count;
pub use call::{Call, Traffic, WorkerPart};
pub use messages::Messages;
pub use threads::Threads;
pub use transport::{Letter, Posted, Transport};

use crate::world::{ProgramRanks, Spot};
use meshloom_bundle::Iterations;

/// The other processes of a run, to one of its programs.
pub struct Others {
    /// Those that have devices of the program.
    pub group: ProgramRanks,
    /// The program's number, for messages.
    pub program: usize,
}

/// Moves data between devices.
pub trait Collectives: Send + Sync {
    /// Does this worker's part of a bucket of collectives in iteration `at` of the loops around it. `arenas` are the bases of all devices'
    /// arenas.
    ///
    /// # Safety
    /// Every worker of `part.workers` calls this for the same bucket between two barriers, in which no other thread touches the
    /// buffers; `calls` come from a validated program whose arenas these are.
    unsafe fn run(&self, calls: &[Call], arenas: &[*mut u8], at: &Iterations, part: WorkerPart);

    /// Waits for the other processes before a bucket, and after it (`done`). One worker calls it while those of its process wait for it.
    fn meet(&self, calls: &[Call], done: bool);

    fn traffic(&self) -> &Traffic;
}
