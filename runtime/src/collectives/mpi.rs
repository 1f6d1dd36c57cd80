//! Messages by MPI: non-blocking sends and receives that are polled, since a blocking call could not tell which rank is
//! late.
//!
//! One thread at a time makes all calls. The thread that began MPI also ends it, both at the orderly end. A process
//! that fails leaves without ending MPI, and `mpirun` ends the others if they have not noticed themselves.

use super::messages::Transport;
use crate::error::{Error, Result};
use mpi::environment::Universe;
use mpi::topology::SimpleCommunicator;
use mpi::traits::{Communicator, Destination, Source};
use mpi::{Tag, Threading};
use std::sync::{Mutex, PoisonError};

/// Of all messages: they come in the order in which they are sent.
const TAG: Tag = 0x6d6c;
/// Longest message: MPI counts with 32 bits.
const MOST: usize = 1 << 30;

pub struct Mpi {
    world: SimpleCommunicator,
    place: (usize, usize),
    // Ends MPI when it goes.
    universe: Mutex<Option<Universe>>,
}

// SAFETY: handles of MPI, which are addresses. It was begun for calls by any thread, one at a time, and so are all here: collectives are made
// by one worker of a process, while the others wait.
unsafe impl Send for Mpi {}
// SAFETY: as above.
unsafe impl Sync for Mpi {}

impl Mpi {
    /// Begins MPI: all processes at the same time.
    ///
    /// # Errors
    /// MPI is of one thread only, or was begun before.
    pub fn new() -> Result<Mpi> {
        let fail = |m: &str| Error::usage("mpi", m);
        let Some((universe, threads)) = mpi::initialize_with_threading(Threading::Serialized) else {
            return Err(fail("it was begun before"));
        };
        if threads < Threading::Serialized {
            return Err(fail("this MPI lets only one thread call it (MPI_THREAD_SERIALIZED is needed)"));
        }
        let world = universe.world();
        let place = (world.rank() as usize, world.size() as usize);
        Ok(Mpi { world, place, universe: Mutex::new(Some(universe)) })
    }
}

/// `Open MPI v4.1.4`.
pub fn version() -> String {
    mpi::environment::library_version().unwrap_or_default().split(',').next().unwrap_or_default().trim().to_owned()
}

impl Transport for Mpi {
    fn place(&self) -> (usize, usize) {
        self.place
    }

    fn exchange(&self, out: &[(usize, &[u8])], into: &mut [(usize, &mut [u8])], idle: &dyn Fn()) {
        let n = out.len() + into.len();
        mpi::request::multiple_scope(n, |scope, requests| {
            for (from, bytes) in into {
                let from = self.world.process_at_rank(*from as i32);
                for part in bytes.chunks_mut(MOST) {
                    requests.add(from.immediate_receive_into_with_tag(scope, part, TAG));
                }
            }
            for (to, bytes) in out {
                let to = self.world.process_at_rank(*to as i32);
                for part in bytes.chunks(MOST) {
                    requests.add(to.immediate_send_with_tag(scope, part, TAG));
                }
            }
            let mut done = Vec::new();
            while requests.incomplete() > 0 {
                done.clear();
                requests.test_some(&mut done);
                if done.is_empty() {
                    idle();
                }
            }
        });
    }

    fn finish(&self) {
        drop(self.universe.lock().unwrap_or_else(PoisonError::into_inner).take());
    }
}
