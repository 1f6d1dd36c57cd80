//! A plan: the local program, its certificate, and what is said of both.

use crate::memory::held::{self, Held, MeasuredProgram};
use crate::partition::why::CollectiveInfo;
use crate::saturate::stats::Stats;
use crate::write::kept::StashPlan;
use crate::write::report::{TensorPlan, Totals};
use crate::write::tried::{Tried, Worth};
use meshloom_certify::Certificate;
use meshloom_fusion::Runs;
use meshloom_fusion::arrange::{Arranged, arrange};
use meshloom_ir::Func;
use meshloom_ir::segments::Split;
use std::sync::Arc;

#[derive(Clone, Debug)]
pub struct Plan {
    /// The given program with loops cut into segments, where that was decided: what ids of global values and ops are about.
    pub split: Option<Split>,
    /// Inputs, outputs and named intermediates with their layouts, in the order of the program.
    pub tensors: Vec<TensorPlan>,
    pub local: Func,
    pub certificate: Certificate,
    /// In the order of the local program.
    pub collectives: Vec<CollectiveInfo>,
    pub totals: Totals,
    /// What a device holds; why that is not known, where the target cannot run the program.
    pub memory: Held,
    /// The kernels and the arena of which that is said, for whoever schedules the plan for its target. `None` where they are not
    /// kept, and must be made again.
    pub arranged: Option<Arc<Arranged>>,
    /// How long a step of all devices takes, in picoseconds, where the program runs in parts and whoever measured them says so.
    pub parts_ps: Option<u64>,
    /// Of a program in parts: what else was measured on the way, faster programs that are too large among it.
    pub measured: Vec<MeasuredProgram>,
    /// What loops keep for the backward pass, and what is recomputed. Empty when following annotations.
    pub stashes: Vec<StashPlan>,
    pub stats: Stats,
    /// What else was tried, and why it lost.
    pub tried: Vec<Tried>,
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

    /// Makes the kernels and the arena of the local program as it is, whatever it was measured as.
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
