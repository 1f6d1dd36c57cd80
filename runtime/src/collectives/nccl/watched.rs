//! The ranks of NCCL under watch: where each GPU is, who is late, and who has failed.
//!
//! If one rank does not come to a collective, the GPUs of all others wait, without an error. So before each collective
//! the communication stream writes its number to the host's memory. Ranks tell each other how far they are, and rank 0
//! finds the one that is behind ([`crate::world`]). Whatever ends a run, the thread that issues work hears of it here,
//! and only that thread aborts communicators.

use super::comm::Watch;
use super::exchange::Remote;
use crate::collectives::Call;
use crate::device::cuda::driver::{Driver, Stream};
use crate::device::cuda::exchange::{Exchange, ExchangeProgress};
use crate::error::Result;
use crate::world::{Spot, World};
use meshloom_bundle::{Iterations, Program};
use std::sync::Arc;
use std::time::Duration;

pub struct Watched {
    remote: Remote,
    world: Arc<World>,
    /// The program's number, for messages.
    program: usize,
    progress: Option<Arc<ExchangeProgress>>,
}

impl Watched {
    pub fn new(remote: Remote, world: &Arc<World>, program: &Program) -> Watched {
        Watched { remote, world: world.clone(), program: world.register(program), progress: None }
    }

    /// What ends a wait early: another rank has failed.
    pub fn watch_of(world: &Arc<World>) -> Watch {
        let world = world.clone();
        world.supervise(true);
        Arc::new(move || world.check())
    }
}

impl Exchange for Watched {
    unsafe fn enqueue(&mut self, d: &mut dyn Driver, s: Stream, calls: &[&Call], at: &Iterations) -> Result<()> {
        // SAFETY: as the caller promises.
        unsafe { self.remote.enqueue(d, s, calls, at) }
    }

    fn library(&self) -> Option<String> {
        self.remote.library()
    }

    fn watched(&self) -> bool {
        true
    }

    fn report(&mut self, progress: Arc<ExchangeProgress>) {
        let (program, seen) = (self.program, progress.clone());
        let begun = move || {
            let (count, last) = seen.begun();
            (count, last.map(|id| Spot::new(program, id)))
        };
        self.world.watch_device(Some(Box::new(begun)));
        self.progress = Some(progress);
    }

    fn begin(&mut self) {
        self.world.arrive(Spot::STEP);
    }

    fn watch(&mut self, waited: Duration) -> Result<()> {
        self.world.check()?;
        self.remote.check()?;
        if waited <= self.world.timeout() {
            return Ok(());
        }
        let last = self.progress.as_ref().and_then(|p| p.begun().1);
        Err(self.world.stuck(last.map_or(Spot::STEP, |id| Spot::new(self.program, id))))
    }

    fn finish(&mut self) -> Result<()> {
        self.remote.finish()
    }
}

impl Drop for Watched {
    fn drop(&mut self) {
        self.world.watch_device(None);
        self.world.supervise(false);
    }
}
