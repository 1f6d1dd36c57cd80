//! Messages by MPI: non-blocking sends and receives that are polled, since a blocking call could not tell which rank is
//! late.
//!
//! One thread at a time makes a call: all calls are made under one lock, which nobody holds while waiting. The thread
//! that began MPI also ends it, both at the orderly end. A process that fails leaves without ending MPI, and `mpirun`
//! ends the others if they have not noticed themselves.

use super::transport::{Letter, Posted, Transport};
use crate::error::{Result, RuntimeError};
use mpi::environment::Universe;
use mpi::request::{Request, StaticScope};
use mpi::topology::SimpleCommunicator;
use mpi::traits::{Communicator, Destination, Source};
use mpi::{Tag, Threading};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Tags below this are those of channels, in which messages come in the order in which they are sent.
const CHANNELS: u32 = 4096;
/// Every MPI has tags up to this one.
const LAST_TAG: u32 = 32767;
/// Longest message: MPI counts with 32 bits.
const MOST: usize = 1 << 30;

pub struct Mpi {
    world: SimpleCommunicator,
    place: (usize, usize),
    // Ends MPI when it goes.
    universe: Mutex<Option<Universe>>,
    /// Held during each call.
    calls: Calls,
}

type Calls = Arc<Mutex<()>>;

fn lock(calls: &Calls) -> MutexGuard<'_, ()> {
    calls.lock().unwrap_or_else(PoisonError::into_inner)
}

// SAFETY: handles of MPI, which are addresses. It was begun for calls by any thread, one at a time, and so are all here, under a lock.
unsafe impl Send for Mpi {}
// SAFETY: as above.
unsafe impl Sync for Mpi {}

impl Mpi {
    /// Begins MPI: all processes at the same time.
    ///
    /// # Errors
    /// MPI is of one thread only, or was begun before.
    pub fn new() -> Result<Mpi> {
        let fail = |m: &str| RuntimeError::usage("mpi", m);
        let Some((universe, threads)) = mpi::initialize_with_threading(Threading::Serialized) else {
            return Err(fail("it was begun before"));
        };
        if threads < Threading::Serialized {
            return Err(fail("this MPI lets only one thread call it (MPI_THREAD_SERIALIZED is needed)"));
        }
        let world = universe.world();
        let place = (world.rank() as usize, world.size() as usize);
        Ok(Mpi { world, place, universe: Mutex::new(Some(universe)), calls: Calls::default() })
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

    fn exchange(&self, channel: usize, out: &[(usize, &[u8])], into: &mut [(usize, &mut [u8])], idle: &dyn Fn()) {
        let n = out.len() + into.len();
        let tag = (channel % CHANNELS as usize) as Tag;
        mpi::request::multiple_scope(n, |scope, requests| {
            let begin = lock(&self.calls);
            for (from, bytes) in into {
                let from = self.world.process_at_rank(*from as i32);
                for part in bytes.chunks_mut(MOST) {
                    requests.add(from.immediate_receive_into_with_tag(scope, part, tag));
                }
            }
            for (to, bytes) in out {
                let to = self.world.process_at_rank(*to as i32);
                for part in bytes.chunks(MOST) {
                    requests.add(to.immediate_send_with_tag(scope, part, tag));
                }
            }
            drop(begin);
            let mut done = Vec::new();
            while requests.incomplete() > 0 {
                done.clear();
                let call = lock(&self.calls);
                requests.test_some(&mut done);
                drop(call);
                if done.is_empty() {
                    idle();
                }
            }
        });
    }

    unsafe fn post(&self, message: Letter) -> Box<dyn Posted> {
        let Letter { sends, process, tag, at, bytes } = message;
        let tag = (CHANNELS + tag) as Tag;
        let (other, _call) = (self.world.process_at_rank(process as i32), lock(&self.calls));
        let part = |first: usize| {
            let (at, bytes) = (at.wrapping_add(first), MOST.min(bytes - first));
            // SAFETY: as the caller promises, for as long as the request is under way: it ends with the message, or is cancelled.
            unsafe {
                if sends {
                    let part: &'static [u8] = std::slice::from_raw_parts(at, bytes);
                    other.immediate_send_with_tag(StaticScope, part, tag)
                } else {
                    let part: &'static mut [u8] = std::slice::from_raw_parts_mut(at, bytes);
                    other.immediate_receive_into_with_tag(StaticScope, part, tag)
                }
            }
        };
        let parts = (0..bytes.max(1)).step_by(MOST).map(part).collect();
        Box::new(Parts { parts, calls: self.calls.clone() })
    }

    fn tags(&self) -> u32 {
        LAST_TAG - CHANNELS
    }

    fn finish(&self) {
        let _call = lock(&self.calls);
        drop(self.universe.lock().unwrap_or_else(PoisonError::into_inner).take());
    }
}

/// The requests of one message that are not done.
struct Parts {
    parts: Vec<Request<'static, [u8], StaticScope>>,
    calls: Calls,
}

// SAFETY: handles of MPI, which any thread may use, one at a time.
unsafe impl Send for Parts {}

impl Posted for Parts {
    fn is_done(&mut self) -> bool {
        let _call = lock(&self.calls);
        while let Some(request) = self.parts.pop() {
            if let Err(again) = request.test() {
                self.parts.push(again);
                return false;
            }
        }
        true
    }

    fn take_back(mut self: Box<Self>) {
        let _call = lock(&self.calls);
        for request in std::mem::take(&mut self.parts) {
            request.cancel();
            request.wait_without_status();
        }
    }
}
