//! The train loop: feeds data, steps, evaluates, reports, saves, and stops cleanly on request.

use crate::checkpoint::{self, Saving};
use crate::data::Feed;
use crate::error::{ErrorKind, Result, RuntimeError};
use crate::metrics::Metrics;
use crate::session::{Session, StepReport};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// What to train with. Inputs given with `--input` are written to the session before.
#[derive(Default)]
pub struct Train {
    /// Steps in all, those of the run being resumed included.
    pub steps: u64,
    pub feed: Option<Feed>,
    /// Checkpoints. One is written at the end, also after an interrupt.
    pub save: Option<Saving>,
    pub metrics: Option<PathBuf>,
    pub eval: Option<Evaluation>,
}

/// Loss on data that is not trained on.
pub struct Evaluation {
    /// The loss alone, as a program of its own with its own memory: training state is read and never written.
    pub session: Session,
    pub feed: Feed,
    /// Steps between evaluations; the last step always ends with one.
    pub every: u64,
    /// The same ones every time, from the first on.
    pub batches: u64,
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
///
/// # Errors
/// Data or files that fail, and a loss that is no number (of kind [`ErrorKind::Rank`]).
pub fn train(
    session: &mut Session,
    plan: &mut Train,
    interrupt: &AtomicBool,
    on_step: &mut dyn FnMut(&StepReport),
) -> Result<Finished> {
    let speaks = session.world().is_none_or(|w| w.rank() == 0);
    let metrics = plan.metrics.as_ref().filter(|_| speaks);
    let mut metrics = metrics.map(|p| Metrics::create(p, session.steps_done())).transpose()?;
    session.data.source = plan.feed.as_ref().map(Feed::describe);
    let mut done = Finished { steps_done: session.steps_done(), interrupted: false, saved: None, last: None };
    while session.steps_done() < plan.steps {
        let stop = interrupt.load(Relaxed);
        // A signal may come to one process before a step and to another after it.
        if session.world().map_or(stop, |w| w.any(stop)) {
            done.interrupted = true;
            break;
        }
        if let Some(feed) = &plan.feed {
            session.feed(feed, session.data.samples)?;
            session.data.samples += feed.batch_rows();
        }
        let mut report = session.step()?;
        let broken = report.loss.is_some_and(|l| !l.is_finite());
        let last = report.step >= plan.steps;
        if let Some(eval) = plan.eval.as_mut().filter(|e| !broken && (last || report.step.is_multiple_of(e.every))) {
            report.eval_loss = Some(evaluate(eval, session)?);
        }
        if let Some(m) = &mut metrics {
            m.write(&report)?;
        }
        on_step(&report);
        done.steps_done = report.step;
        done.last = Some(report);
        if broken {
            // The last checkpoint is better than parameters that are not numbers.
            let message =
                format!("the loss of step {} is not finite; training stops and does not save", done.steps_done);
            return Err(RuntimeError::new(ErrorKind::Rank, format!("entry `{}`", session.program().entry), message));
        }
        if let Some(save) = plan.save.as_ref().filter(|s| s.due(done.steps_done)) {
            done.saved = Some(checkpoint::save(session, save)?);
        }
    }
    if let Some(save) = &plan.save
        && !(done.saved.is_some() && save.due(done.steps_done))
    {
        done.saved = Some(checkpoint::save(session, save)?);
    }
    Ok(done)
}

/// Mean loss of the held-out batches with the parameters as they are now.
fn evaluate(eval: &mut Evaluation, session: &Session) -> Result<f64> {
    eval.session.copy_parameters(session)?;
    // Fewer rows than were asked for are read once, and not more often.
    let batches = eval.batches.min(eval.feed.rows() / eval.feed.batch_rows().max(1)).max(1);
    let mut sum = 0.0;
    for k in 0..batches {
        eval.session.feed(&eval.feed, k * eval.feed.batch_rows())?;
        eval.session.run()?;
        sum += eval.session.loss().unwrap_or(f64::NAN);
    }
    Ok(sum / batches as f64)
}
