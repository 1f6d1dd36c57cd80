//! The train loop: feeds data, steps, evaluates, reports, saves, and stops cleanly on request.

use crate::checkpoint::{Saved, Saver, Saving};
use crate::data::Feed;
use crate::elastic::Keeper;
use crate::error::Result;
use crate::evaluate::Evaluation;
use crate::metrics::Metrics;
use crate::nonfinite::{Guard, OnNonfinite};
use crate::session::{Session, StepReport};
use crate::tensorboard::Events;
use crate::world::{Spot, Straggler};
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::{Acquire, Relaxed};

/// What to train with. Inputs given with `--input` are written to the session before.
#[derive(Default)]
pub struct Train {
    /// Steps in all, those of the run being resumed included.
    pub steps: u64,
    pub feed: Option<Feed>,
    /// Checkpoints. One is written at the end, also after an interrupt.
    pub save: Option<Saving>,
    pub metrics: Option<PathBuf>,
    /// A folder for event files of TensorBoard.
    pub tensorboard: Option<PathBuf>,
    pub eval: Option<Evaluation>,
    /// Steps between comparisons of the copies that devices hold ([`Session::check_replicas`]); 0 for none.
    pub check_desync: u64,
    pub on_nonfinite: OnNonfinite,
    /// Set beside `interrupt` where the stop is a preemption: whoever stops the run is going to take the machine away.
    pub preempt: Option<&'static AtomicBool>,
    /// What is kept in memory for the processes of the next generation, where there may be one.
    pub keeper: Option<Keeper>,
    /// Hears who came last to collectives, every so many steps (0: at the end alone) and at the end. All processes ask, and rank 0 hears.
    pub stragglers: Option<(u64, TellStragglers)>,
    /// Hears what goes wrong and does not end the run.
    pub warn: Option<fn(&str)>,
}

/// Hears the steps done, and who came last where.
pub type TellStragglers = fn(u64, &[Straggler]);

/// What processes tell each other between two steps, as bits.
const STOP: u8 = 1;
const PREEMPT: u8 = 2;
/// A part of the save in the background is still being written.
const SAVING: u8 = 4;
/// The launcher asks for the end of the generation.
const RESHAPE: u8 = 8;

impl Train {
    /// A saver that is open, where checkpoints are wanted.
    fn saver(&self, session: &Session) -> Result<Option<Saver>> {
        self.save.as_ref().map(|s| Saver::open(session, s)).transpose()
    }

    /// Saves, and waits for the save in the background if that is the last.
    fn save(&self, saver: &mut Saver, session: &Session, last: bool, done: &mut Finished) -> Result<()> {
        if saver.started() != Some(session.steps_done()) {
            self.saved(saver.save(session)?, done);
        }
        if last { self.settle(saver, session, done) } else { Ok(()) }
    }

    /// After a step: keeps a copy in memory where one is due, and tells the launcher that the step is done.
    fn keep(&mut self, session: &Session) -> Result<()> {
        let (step, Some(keeper)) = (session.steps_done(), &mut self.keeper) else { return Ok(()) };
        if keeper.due(step) {
            keeper.keep(session)?;
        }
        keeper.done(step)
    }

    /// Reports the stragglers since the last report, if a report is due.
    fn tell_stragglers(&self, session: &Session, last: bool) {
        let (Some((every, tell)), Some(world)) = (self.stragglers, session.world()) else { return };
        let done = session.steps_done();
        if last || every > 0 && done.is_multiple_of(every) {
            let all = world.stragglers();
            if world.rank() == 0 && !all.is_empty() {
                tell(done, &all);
            }
        }
    }

    fn keeps(&self) -> bool {
        self.keeper.as_ref().is_some_and(Keeper::keeps)
    }

    fn settle(&self, saver: &mut Saver, session: &Session, done: &mut Finished) -> Result<()> {
        self.saved(saver.settle(session)?, done);
        Ok(())
    }

    fn saved(&self, saved: impl IntoIterator<Item = Saved>, done: &mut Finished) {
        for s in saved {
            self.say(&s.warnings);
            done.saved = Some(s.folder);
        }
    }

    /// What any process has to say between two steps: a signal may come to one before a step and to another after it.
    fn hear(&self, session: &Session, interrupt: &AtomicBool, saver: Option<&Saver>) -> u8 {
        // Whoever sets both sets the preemption first.
        let interrupt = interrupt.load(Acquire);
        let preempt = self.preempt.is_some_and(|p| p.load(Relaxed));
        let saving = saver.and_then(Saver::flight) == Some(false);
        let reshape = self.keeper.as_ref().is_some_and(Keeper::asked);
        let bit = |b: bool, bit: u8| if b { bit } else { 0 };
        let stop = bit(interrupt, STOP) | bit(preempt, PREEMPT);
        let mut byte = [stop | bit(saving, SAVING) | bit(reshape, RESHAPE)];
        if let Some(w) = session.world() {
            w.combine(&mut byte, Spot::BETWEEN);
        }
        byte[0]
    }

    fn say(&self, warnings: &[String]) {
        warnings.iter().for_each(|w| self.warn.iter().for_each(|warn| warn(w)));
    }
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq)]
pub struct Finished {
    pub steps_done: u64,
    pub interrupted: bool,
    /// Whether the interrupt was a preemption, for any process.
    pub preempted: bool,
    /// Whether the generation ended before the run did; what is needed to go on is in memory, or in the last checkpoint.
    pub reshaped: bool,
    /// The last checkpoint.
    pub saved: Option<PathBuf>,
    pub last: Option<StepReport>,
}

/// Trains until `steps` are done or `interrupt` is set, which is looked at between steps. `on_step` sees each report.
///
/// # Errors
/// Data or files that fail, another run that saves into the same folder, and, of kind [`crate::ErrorKind::Rank`], a loss or gradient norm
/// that is not finite.
pub fn train(
    session: &mut Session,
    plan: &mut Train,
    interrupt: &AtomicBool,
    on_step: &mut dyn FnMut(&StepReport),
) -> Result<Finished> {
    // First of all, so that nobody finds out after hours of training, and a run that is refused changes nothing.
    let mut saver = plan.saver(session)?;
    let speaks = session.world().is_none_or(|w| w.rank() == 0);
    let metrics = plan.metrics.as_ref().filter(|_| speaks);
    let mut metrics = metrics.map(|p| Metrics::create(p, session.steps_done())).transpose()?;
    let tensorboard = plan.tensorboard.as_ref().filter(|_| speaks);
    let mut events = tensorboard.map(|dir| Events::create(dir, session.steps_done())).transpose()?;
    session.data.source = plan.feed.as_ref().map(Feed::describe);
    let mut guard = Guard::new(plan.on_nonfinite, session);
    let steps_done = session.steps_done();
    let mut done =
        Finished { steps_done, interrupted: false, preempted: false, reshaped: false, saved: None, last: None };
    while session.steps_done() < plan.steps {
        let heard = plan.hear(session, interrupt, saver.as_ref());
        if let Some(saver) = saver.as_mut().filter(|s| s.flight().is_some() && heard & SAVING == 0) {
            plan.settle(saver, session, &mut done)?;
        }
        if heard & STOP != 0 {
            (done.interrupted, done.preempted) = (true, heard & PREEMPT != 0);
            break;
        }
        if heard & RESHAPE != 0 {
            plan.keeper.as_mut().map_or(Ok(()), |k| k.keep(session))?;
            // Who is asked to stop in this moment saves; the next generation would not.
            let heard = plan.hear(session, interrupt, saver.as_ref());
            (done.interrupted, done.preempted) = (heard & STOP != 0, heard & PREEMPT != 0);
            done.reshaped = !done.interrupted;
            break;
        }
        if let Some(feed) = &plan.feed {
            session.feed(feed, session.data.samples)?;
            session.data.samples += feed.batch_rows();
        }
        guard.before(session)?;
        let mut report = session.step()?;
        let mut warnings: Vec<Result<String>> = Vec::new();
        warnings.extend(guard.broken(&report).map(|what| guard.after(what, session)));
        let last = report.step >= plan.steps;
        let goes_on = warnings.iter().all(Result::is_ok);
        if let Some(eval) = plan.eval.as_mut().filter(|e| goes_on && (last || report.step.is_multiple_of(e.every))) {
            let (loss, metrics) = eval.run(session)?;
            warnings.extend((!loss.is_finite()).then(|| guard.held_out(session)));
            (report.eval_loss, report.eval_metrics) = (Some(loss), metrics);
        }
        if let Some(m) = &mut metrics {
            m.write(&report)?;
        }
        if let Some(e) = &mut events {
            e.write(&report)?;
        }
        on_step(&report);
        done.steps_done = report.step;
        done.last = Some(report);
        // The checkpoint that is being written is a good one.
        if let Some(saver) = saver.as_mut().filter(|_| warnings.iter().any(Result::is_err)) {
            plan.settle(saver, session, &mut done)?;
        }
        for warning in warnings {
            plan.say(&[warning?]);
        }
        if plan.check_desync > 0 && done.steps_done.is_multiple_of(plan.check_desync) {
            // Before anything is saved: copies that differ are no checkpoint.
            session.check_replicas()?;
        }
        // After all that is said of the step: what is lost before this is said again.
        plan.keep(session)?;
        plan.tell_stragglers(session, false);
        if let Some(saver) = saver.as_mut().filter(|s| s.due(done.steps_done)) {
            plan.save(saver, session, false, &mut done)?;
        }
    }
    plan.tell_stragglers(session, true);
    match &mut saver {
        // What is being written is finished; the rest is in memory.
        Some(saver) if done.reshaped && plan.keeps() => plan.settle(saver, session, &mut done)?,
        Some(saver) => plan.save(saver, session, true, &mut done)?,
        None => {}
    }
    Ok(done)
}
