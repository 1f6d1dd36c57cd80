//! A rank keeps its parts of parameters and state, between two steps.

use super::format::{Header, Kept, KeptPart, Position};
use super::memory::{Handed, asked, open, tell_done};
use crate::checkpoint::{PartPlan, shard_plan};
use crate::error::{Result, RuntimeError};
use crate::session::{Session, shape_of};
use crate::shard::bytes;
use std::fs::File;

/// What one rank keeps, and where.
pub struct Keeper {
    ask: File,
    rank: usize,
    every: u64,
    /// `None` where nothing is kept.
    kept: Option<(Kept, Vec<PartPlan>)>,
    /// The slot to be written next.
    next: usize,
    /// The step that was kept last.
    last: Option<u64>,
}

impl Keeper {
    /// Of a session whose parameters and state are there.
    ///
    /// # Errors
    /// Memory that cannot be opened or is not enough.
    pub fn new(handed: &Handed, session: &Session) -> Result<Keeper> {
        let ask = open(handed.launcher, handed.ask)?;
        let (rank, ranks) = session.world().map_or((0, 1), |w| (w.rank(), w.size()));
        let mut kept = None;
        if handed.every > 0 && !handed.keeps.is_empty() {
            let fd = handed.keeps.get(rank).copied();
            let fd = fd.ok_or_else(|| RuntimeError::usage("--elastic", format!("rank {rank} has no memory")))?;
            let files = shard_plan(session.held(), ranks, u64::MAX)?;
            let parts: Vec<PartPlan> = files.into_iter().filter(|f| f.rank == rank).flat_map(|f| f.parts).collect();
            let mut offset = 0;
            let one = |p: &PartPlan| {
                let port = &session.program().ports[p.port];
                let part = KeptPart {
                    tensor: p.tensor.clone(),
                    dtype: port.dtype.name().into(),
                    tensor_shape: shape_of(port, p.layer),
                    from: p.place().iter().map(|r| r.start).collect(),
                    shape: p.shape(),
                    offset,
                    bytes: bytes(port, &p.window),
                };
                offset += part.bytes;
                part
            };
            let all = parts.iter().map(one).collect();
            let header = Header { entry: session.program().entry.clone(), seed: session.seed(), parts: all };
            kept = Some((Kept::create(open(handed.launcher, fd)?, header)?, parts));
        }
        Ok(Keeper { ask, rank, every: handed.every, kept, next: 0, last: None })
    }

    /// Whether this rank has heard that the generation is to end.
    pub fn asked(&self) -> bool {
        asked(&self.ask)
    }

    /// Whether there are copies at all.
    pub fn keeps(&self) -> bool {
        self.kept.is_some()
    }

    /// A step is over, and its copy is kept, where one was due.
    ///
    /// # Errors
    /// The launcher cannot be told.
    pub fn done(&self, step: u64) -> Result<()> {
        if self.rank == 0 { tell_done(&self.ask, step) } else { Ok(()) }
    }

    /// Whether a copy is due after this step.
    pub fn due(&self, step: u64) -> bool {
        self.every > 0 && step.is_multiple_of(self.every)
    }

    /// Keeps parameters and state as they are now, unless that is done.
    ///
    /// # Errors
    /// Not enough memory.
    pub fn keep(&mut self, session: &Session) -> Result<()> {
        let step = session.steps_done();
        let Some((kept, parts)) = self.kept.as_ref().filter(|_| self.last != Some(step)) else { return Ok(()) };
        let position = Position { step, data: session.data_position().clone() };
        kept.write(self.next, &position, |k| {
            let p = &parts[k];
            session.part(&session.program().ports[p.port], &p.window, p.device)
        })?;
        (self.next, self.last) = (1 - self.next, Some(step));
        Ok(())
    }
}
