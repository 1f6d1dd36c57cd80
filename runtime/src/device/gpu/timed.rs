//! How long runs take that are given out together: the device's clock around many replays of one graph, and one wait for all of them. So
//! neither the host's work between steps nor waking up counts.

use super::exec::{GpuMachine, Step};
use super::parts::LoadedPart;
use crate::error::Result;
use std::time::Instant;

impl GpuMachine {
    /// Seconds of one of `runs` runs. A step that cannot be one graph (`MESHLOOM_CUDA_GRAPHS=off`, a loop that waits for a condition, other
    /// processes to look after) is waited for each time, by the host's clock.
    ///
    /// # Errors
    /// As [`GpuMachine::run`].
    pub fn timed(&mut self, runs: u64) -> Result<f64> {
        // The first run gives out piece by piece, the second one captures.
        while matches!(self.graph, Step::New | Step::Warm) {
            self.run()?;
        }
        let runs = runs.max(1);
        let watched = self.work.parts.iter().any(|p| p.exchange.watched());
        let graph = match self.graph {
            Step::Captured(graph) if !watched => graph,
            _ => {
                let start = Instant::now();
                (0..runs).try_for_each(|_| self.run())?;
                return Ok(start.elapsed().as_secs_f64() / runs as f64);
            }
        };
        let stream = self.work.streams[0];
        let (from, to) = (self.driver.timed_event()?, self.driver.timed_event()?);
        self.healthy = false;
        self.driver.record(from, stream)?;
        for _ in 0..runs {
            self.work.parts.iter_mut().for_each(|p| p.exchange.begin());
            // SAFETY: captured from the program that these arenas are of.
            unsafe { self.driver.replay(graph, stream)? };
            self.work.parts.iter().for_each(LoadedPart::count);
        }
        self.driver.record(to, stream)?;
        self.driver.synchronize(stream)?;
        self.healthy = true;
        Ok(self.driver.elapsed(from, to)? / 1e6 / runs as f64)
    }
}
