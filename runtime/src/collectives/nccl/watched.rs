//! The ranks of NCCL under watch: where each GPU is, who is late, and who has failed.
//!
//! If one rank does not come to a collective, the GPUs of all others wait, without an error. So before each collective
//! the communication stream writes its number to the host's memory. Ranks tell each other how far they are, and rank 0
//! finds the one that is behind ([`crate::world`]). Whatever ends a run, the thread that issues work hears of it here,
//! and only that thread aborts communicators.

use super::comm::Watch;
use super::exchange::Remote;
use crate::collectives::Call;
use crate::device::gpu::driver::{Driver, Stream};
use crate::device::gpu::exchange::{Exchange, WireMessage};
use crate::device::gpu::progress::ExchangeProgress;
use crate::device::gpu::whereabouts::StageProgress;
use crate::error::Result;
use crate::world::{Spot, World};
use meshloom_bundle::Iterations;
use std::sync::Arc;
use std::time::{Duration, Instant};

pub struct Watched {
    remote: Remote,
    world: Arc<World>,
    /// The program's number, for messages.
    program: usize,
    progress: Option<Arc<ExchangeProgress>>,
    /// Of a rank of a pipeline.
    stage: Option<Arc<StageProgress>>,
    /// What that said last, and since when.
    seen: (u64, Option<Instant>),
}

impl Watched {
    /// `program` is the number that the world has given to the program.
    pub fn new(remote: Remote, world: &Arc<World>, program: usize) -> Watched {
        Watched { remote, world: world.clone(), program, progress: None, stage: None, seen: (0, None) }
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

    unsafe fn transfer(&mut self, d: &mut dyn Driver, s: Stream, message: &WireMessage) -> Result<()> {
        // SAFETY: as the caller promises.
        unsafe { self.remote.transfer(d, s, message) }
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

    fn follow(&mut self, stage: Arc<StageProgress>) {
        let (program, seen, progress) = (self.program, stage.clone(), self.progress.clone());
        let begun = move || {
            let (count, last) = progress.as_ref().map_or((0, None), |p| p.begun());
            let turn = seen.turn().map(|k| Spot::turn(program, k));
            (count, turn.or(last.map(|id| Spot::new(program, id))))
        };
        self.world.watch_device(Some(Box::new(begun)));
        self.stage = Some(stage);
    }

    fn begin(&mut self) {
        self.world.arrive(Spot::STEP);
        self.seen = (0, None);
    }

    fn watch(&mut self, waited: Duration) -> Result<()> {
        self.world.check()?;
        self.remote.check()?;
        if let Some(stage) = self.stage.clone() {
            return self.watch_stage(&stage);
        }
        if waited <= self.world.timeout() {
            return Ok(());
        }
        let last = self.progress.as_ref().and_then(|p| p.begun().1);
        Err(self.world.stuck(last.map_or(Spot::STEP, |id| Spot::new(self.program, id))))
    }

    fn rest(&mut self) {
        self.world.wait_for(None);
    }

    fn finish(&mut self) -> Result<()> {
        self.remote.finish()
    }
}

impl Watched {
    /// Tells the others where the rank is, and what it waits for. It is stuck where no stream of it has gone on for the timeout.
    fn watch_stage(&mut self, stage: &StageProgress) -> Result<()> {
        let waits = stage.waits();
        self.world.wait_for(waits.as_ref().map(|w| w.process));
        let last = self.progress.as_ref().map_or((0, None), |p| p.begun());
        let collective = last.1.map(|id| Spot::new(self.program, id));
        let spot = stage.turn().map(|k| Spot::turn(self.program, k)).or(collective);
        spot.into_iter().for_each(|s| self.world.begin(s));
        let count = stage.counts() + last.0;
        match self.seen {
            (before, Some(since)) if before == count && since.elapsed() > self.world.timeout() => {}
            (before, Some(_)) if before == count => return Ok(()),
            _ => {
                self.seen = (count, Some(Instant::now()));
                return Ok(());
            }
        }
        Err(match waits.or_else(|| stage.sends()) {
            Some(w) => self.world.late_at_wire(&w.what, w.process, w.receives),
            None => self.world.stuck(spot.unwrap_or(Spot::STEP)),
        })
    }
}

impl Drop for Watched {
    fn drop(&mut self) {
        self.rest();
        self.world.watch_device(None);
        self.world.supervise(false);
    }
}
