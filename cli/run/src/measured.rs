//! What a run measured, kept for who shows it when the run has ended, however it ended.
//!
//! Not here: showing it. `meshloom run --html` draws it beside the plan.

use meshloom_runtime::trace::Trace;
use meshloom_runtime::{Session, StepReport};

#[derive(Debug, Default)]
pub struct Measured {
    pub entry: String,
    /// This process among those that share the run's devices.
    pub rank: usize,
    /// Devices of this process.
    pub devices: usize,
    pub tokens_per_step: u64,
    pub steps: Vec<MeasuredStep>,
    /// A step by its number, and what ran when in it.
    pub traced: Option<(u64, Trace)>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MeasuredStep {
    pub step: u64,
    pub loss: Option<f64>,
    pub eval_loss: Option<f64>,
    pub seconds: f64,
}

impl Measured {
    pub(crate) fn step(&mut self, r: &StepReport) {
        self.tokens_per_step = r.tokens;
        let (step, loss, eval_loss, seconds) = (r.step, r.loss, r.eval_loss, r.seconds);
        self.steps.push(MeasuredStep { step, loss, eval_loss, seconds });
    }

    /// A call of a function, which is no train step.
    pub(crate) fn call(&mut self, step: u64, seconds: f64) {
        self.steps.push(MeasuredStep { step, loss: None, eval_loss: None, seconds });
    }

    pub(crate) fn end(&mut self, session: &Session, entry: &str) {
        self.entry = entry.into();
        self.rank = session.world().map_or(0, |w| w.rank());
        self.devices = session.devices().len();
        self.traced = session.trace().map(|t| (session.traced_run(), t.clone()));
    }
}
