//! The train loop: feeds data, steps, reports, saves, and stops cleanly when asked to.

use crate::checkpoint;
use crate::data::Text;
use crate::error::{Error, Kind, Result};
use crate::host::Tensor;
use crate::metrics::Metrics;
use crate::session::{Session, StepReport};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// What to train with. Inputs given with `--input` are written to the session before.
#[derive(Default)]
pub struct Train {
    /// Steps in all, those of the run being resumed included.
    pub steps: u64,
    pub text: Option<Text>,
    /// Folder of checkpoints. One is written at the end, also after an interrupt.
    pub save: Option<PathBuf>,
    /// Steps between checkpoints; 0 for the last one only.
    pub save_every: u64,
    pub metrics: Option<PathBuf>,
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq)]
pub struct Finished {
    pub steps_done: u64,
    pub interrupted: bool,
    /// The last checkpoint.
    pub saved: Option<PathBuf>,
    pub last: Option<StepReport>,
}

/// Trains until `steps` are done or `interrupt` is set, which is looked at between steps. `on_step` sees each report.
pub fn train(
    session: &mut Session,
    plan: &Train,
    interrupt: &AtomicBool,
    on_step: &mut dyn FnMut(&StepReport),
) -> Result<Finished> {
    let mut metrics = plan.metrics.as_ref().map(|p| Metrics::create(p, session.steps_done() > 0)).transpose()?;
    let tokens = match &plan.text {
        None => None,
        Some(text) => {
            let ports = session.token_ports().ok_or_else(|| {
                let message = "text feeds two integer inputs of shape [batch, seq], tokens and targets; this entry has no such pair";
                Error::usage(format!("entry `{}`", session.program().entry), message)
            })?;
            Some((text, ports))
        }
    };
    let mut done = Finished { steps_done: session.steps_done(), interrupted: false, saved: None, last: None };
    while session.steps_done() < plan.steps {
        if interrupt.load(Relaxed) {
            done.interrupted = true;
            break;
        }
        if let Some((text, (a, b, rows, width))) = &tokens {
            let (x, y) = text.batch(session.steps_done(), *rows, *width)?;
            session.write(a, Tensor::i32(&[*rows, *width], &x))?;
            session.write(b, Tensor::i32(&[*rows, *width], &y))?;
        }
        let report = session.step()?;
        if let Some(m) = &mut metrics {
            m.write(&report)?;
        }
        on_step(&report);
        let broken = report.loss.is_some_and(|l| !l.is_finite());
        done.steps_done = report.step;
        done.last = Some(report);
        if broken {
            // The last checkpoint is better than parameters that are not numbers.
            let message =
                format!("the loss of step {} is not finite; training stops and does not save", done.steps_done);
            return Err(Error::new(Kind::Rank, format!("entry `{}`", session.program().entry), message));
        }
        if let Some(dir) =
            plan.save.as_ref().filter(|_| plan.save_every > 0 && done.steps_done.is_multiple_of(plan.save_every))
        {
            done.saved = Some(checkpoint::save(session, dir)?);
        }
    }
    if let Some(dir) = &plan.save {
        let current = done.saved.is_some() && plan.save_every > 0 && done.steps_done.is_multiple_of(plan.save_every);
        if !current {
            done.saved = Some(checkpoint::save(session, dir)?);
        }
    }
    Ok(done)
}
