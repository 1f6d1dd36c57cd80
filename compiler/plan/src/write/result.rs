//! A plan: the local program, its certificate, and the figures and reasons that are reported with them.

use crate::memory::held::{self, Held, MeasuredProgram};
use crate::moves::Record;
use crate::partition::why::CollectiveInfo;
use crate::saturate::stats::Stats;
use crate::write::kept::StashPlan;
use crate::write::report::{TensorPlan, Totals};
use crate::write::tried::{Tried, Worth};
use meshloom_certify::Certificate;
use meshloom_ir::Func;
use meshloom_ir::segments::Split;
use meshloom_lower::Runs;
use meshloom_lower::arrange::{Arranged, arrange};
use std::sync::Arc;

#[derive(Clone, Debug)]
pub struct Plan {
    /// The given program with loops cut into segments, if the plan cuts any. Ids of global values and ops then refer to this
    /// program.
    pub split: Option<Split>,
    /// Inputs, outputs and named intermediates with their layouts, in the order of the program.
    pub tensors: Vec<TensorPlan>,
    pub local: Func,
    pub certificate: Certificate,
    /// In the order of the local program.
    pub collectives: Vec<CollectiveInfo>,
    pub totals: Totals,
    /// What a device holds, or why the target cannot run the program.
    pub memory: Held,
    /// The kernels and the arena of which `memory` is the size. Scheduling for the plan's target uses them. `None` if they were
    /// not kept and have to be made again.
    pub arranged: Option<Arc<Arranged>>,
    /// The time of a step of all devices, in picoseconds, for a program that runs in parts, if the parts were measured.
    pub parts_ps: Option<u64>,
    /// For a program in parts: the programs that were measured on the way, among them faster ones that are too large.
    pub measured: Vec<MeasuredProgram>,
    /// What loops keep for the backward pass, and what is recomputed. Empty when following annotations.
    pub stashes: Vec<StashPlan>,
    pub stats: Stats,
    /// What else was tried, and why it lost.
    pub tried: Vec<Tried>,
    /// How the moves of the search went.
    pub moves: Record,
}

impl Plan {
    /// How long a step of the whole program takes.
    pub(crate) fn step_ps(&self) -> u64 {
        (self.totals.predicted_step_us * 1e6).round() as u64
    }

    /// How good it is.
    pub fn worth(&self) -> Worth {
        Worth { step_ps: self.parts_ps.unwrap_or_else(|| self.step_ps()), bytes: held::bytes(&self.memory) }
    }

    /// Makes the kernels and the arena of the local program itself, even if its memory was measured on parts of it.
    pub fn arrange(&mut self, runs: Runs) {
        (self.memory, self.arranged) = match arrange(&self.local, runs) {
            Ok(made) => (Ok(made.peak()), Some(Arc::new(made))),
            Err(e) => (Err(e), None),
        };
    }

    /// The program that ids of global values and ops are about: the given one, with its loops cut as was decided.
    pub fn program<'a>(&'a self, given: &'a Func) -> &'a Func {
        self.split.as_ref().map_or(given, |s| &s.func)
    }
}
