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

pub mod messages;
#[cfg(feature = "mpi")]
pub mod mpi;
pub mod nccl;
pub(crate) mod reduce;
mod threads;
pub(crate) mod tiles;

pub use messages::{Messages, Transport};
pub use threads::Threads;

use crate::world::{Spot, World};

use meshloom_bundle::{Collective, Iterations, Program};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// A collective with its groups worked out.
#[derive(Clone, Debug)]
pub struct Call {
    pub collective: Collective,
    /// Each group's devices by rank. All devices are in exactly one group.
    pub groups: Vec<Vec<usize>>,
}

impl Call {
    /// `program` was validated.
    pub fn new(program: &Program, collective: &Collective) -> Call {
        let mut groups: std::collections::BTreeMap<Vec<u32>, Vec<(u64, usize)>> = Default::default();
        for device in 0..program.devices() {
            let mut rest = program.coordinates(device);
            for &a in &collective.axes {
                rest[a as usize] = 0;
            }
            groups.entry(rest).or_default().push((program.rank_over(device, &collective.axes), device));
        }
        let ordered = |mut g: Vec<(u64, usize)>| {
            g.sort_unstable();
            g.into_iter().map(|(_, device)| device).collect()
        };
        Call { collective: collective.clone(), groups: groups.into_values().map(ordered).collect() }
    }

    pub fn group_size(&self) -> usize {
        self.groups.first().map_or(1, Vec::len)
    }
}

/// One worker's part in the work of a collective: of all workers of this process.
#[derive(Clone, Copy, Debug)]
pub struct Part {
    pub worker: usize,
    pub workers: usize,
}

/// The other processes of a run, to one of its programs.
pub struct Others {
    pub world: Arc<World>,
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
    unsafe fn run(&self, calls: &[Call], arenas: &[*mut u8], at: &Iterations, part: Part);

    /// Waits for the other processes before and after a bucket. One worker calls it while those of its process wait for it.
    fn meet(&self, calls: &[Call]);

    fn traffic(&self) -> &Traffic;
}

/// Bytes that each device received from others since the start.
pub struct Traffic(Vec<AtomicU64>);

impl Traffic {
    pub fn new(devices: usize) -> Traffic {
        Traffic((0..devices).map(|_| AtomicU64::new(0)).collect())
    }

    #[inline]
    pub fn received(&self, device: usize, bytes: usize) {
        self.0[device].fetch_add(bytes as u64, Relaxed);
    }

    pub fn per_device(&self) -> Vec<u64> {
        self.0.iter().map(|b| b.load(Relaxed)).collect()
    }

    /// Over all devices: comparable with `wire_bytes_per_device` times the number of devices.
    pub fn total(&self) -> u64 {
        self.per_device().iter().sum()
    }
}
