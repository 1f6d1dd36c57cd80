//! What a run does about a step whose loss or gradient norm is not finite.
//!
//! A program updates parameters in place, and by the time that its loss is known the update is made. So dropping an
//! update takes a copy of parameters and state, which is made before each step while [`OnNonfinite::Skip`] is asked for.
//!
//! A program with a dynamic loss scale drops such updates by itself and halves the scale, so for it only the loss counts.

use crate::error::{ErrorKind, Result, RuntimeError};
use crate::session::{KeptState, Session, StepReport};
use std::str::FromStr;

/// What to do about it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OnNonfinite {
    /// The run ends, and nothing is saved.
    #[default]
    Stop,
    /// The step counts and its rows are read, and parameters and state are as before it.
    Skip,
    /// As if nothing were.
    Continue,
}

impl OnNonfinite {
    pub const ALL: [(&str, OnNonfinite); 3] =
        [("stop", OnNonfinite::Stop), ("skip", OnNonfinite::Skip), ("continue", OnNonfinite::Continue)];
}

impl FromStr for OnNonfinite {
    type Err = String;

    fn from_str(s: &str) -> Result<OnNonfinite, String> {
        let found = OnNonfinite::ALL.iter().find(|(name, _)| *name == s);
        found.map(|(_, o)| *o).ok_or_else(|| format!("`{s}` is none of stop, skip, continue"))
    }
}

/// Watches the steps of one run.
pub struct Guard {
    policy: OnNonfinite,
    kept: Option<KeptState>,
    scaled: bool,
}

/// The metric that says whether gradients are finite, and the state of a program that looks itself.
const NORM: &str = "grad_norm";
const SCALE: &str = "scaling.scale";

impl Guard {
    pub fn new(policy: OnNonfinite, session: &Session) -> Guard {
        let kept = (policy == OnNonfinite::Skip).then(|| session.kept_state());
        Guard { policy, kept, scaled: session.program().port(SCALE).is_some() }
    }

    /// Before each step.
    ///
    /// # Errors
    /// A device that cannot be read.
    pub fn before(&mut self, session: &Session) -> Result<()> {
        self.kept.as_mut().map_or(Ok(()), |kept| session.keep(kept))
    }

    /// What of a step is not finite, for people.
    pub fn broken(&self, r: &StepReport) -> Option<&'static str> {
        let bad = |x: Option<f64>| x.is_some_and(|x| !x.is_finite());
        match (bad(r.loss), bad(r.metric(NORM)) && !self.scaled) {
            (true, _) => Some("loss"),
            (false, true) => Some("gradient norm"),
            (false, false) => None,
        }
    }

    /// After a step whose parameters give a held-out loss that is not finite. There is no update to drop; else as
    /// [`Guard::after`].
    ///
    /// # Errors
    /// The run does not go on.
    pub fn held_out(&self, session: &Session) -> Result<String> {
        let step = session.steps_done();
        match self.policy {
            OnNonfinite::Stop => Err(stopped("held-out loss", session)),
            OnNonfinite::Skip | OnNonfinite::Continue => {
                Ok(format!("the held-out loss after step {step} is not finite; training goes on"))
            }
        }
    }

    /// After a step of which `what` is not finite. Returns a warning, where the run goes on.
    ///
    /// # Errors
    /// It does not.
    pub fn after(&self, what: &str, session: &mut Session) -> Result<String> {
        let step = session.steps_done();
        if let Some(kept) = &self.kept {
            session.put_back(kept)?;
        }
        match self.policy {
            OnNonfinite::Stop => Err(stopped(what, session)),
            OnNonfinite::Skip => Ok(format!("the {what} of step {step} is not finite; its update is dropped")),
            OnNonfinite::Continue => Ok(format!("the {what} of step {step} is not finite; training goes on")),
        }
    }
}

/// The end of a run: the last checkpoint is better than parameters that are not numbers.
fn stopped(what: &str, session: &Session) -> RuntimeError {
    let step = session.steps_done();
    let message =
        format!("the {what} of step {step} is not finite; training stops and does not save (--on-nonfinite stop)");
    RuntimeError::new(ErrorKind::Rank, format!("entry `{}`", session.program().entry), message)
}
