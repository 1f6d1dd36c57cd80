//! Signals: the first asks for a clean stop, the second stops at once. Before the first step nothing is worth saving,
//! so the run and all its processes end at once.
//!
//! Ctrl-C (and SIGHUP) comes from a person who has seen enough. SIGTERM (and SIGUSR1) comes from a scheduler that takes the machine
//! away: the run is preempted, and may have a deadline. The two differ in the exit code alone. The process that got the signal says
//! which one it was and who sent it, whichever rank it is.

use crate::signals::{GIVEN_UP, Sent, end_by, on_signals};
use crate::{INTERRUPTED, PREEMPTED, Result, status};
use meshloom_runtime::World;
use meshloom_runtime::checkpoint::release_locks;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

static REQUESTED: AtomicBool = AtomicBool::new(false);
static PREEMPT: AtomicBool = AtomicBool::new(false);
/// Set once there are steps that a stop would wait for.
static RUNNING: AtomicBool = AtomicBool::new(false);
/// Set once everything that a stop has to save is saved.
static ENDED: AtomicBool = AtomicBool::new(false);
/// The other processes of the run, which end too.
static WORLD: OnceLock<Arc<World>> = OnceLock::new();

/// Catches the signals from here on. After SIGTERM the process ends within `deadline`, saved or not.
///
/// # Errors
/// The system has no means left to listen with.
pub fn catch(deadline: Option<Duration>) -> Result<()> {
    on_signals(true, move |sent| {
        if sent.signal == GIVEN_UP.as_raw() {
            given_up();
        }
        let running = RUNNING.load(SeqCst);
        if REQUESTED.load(SeqCst) || !running {
            // A second one means at once.
            if let Some(world) = WORLD.get() {
                world.interrupted(sent.preempts());
            }
            let when = if running { "at once" } else { "before the first step" };
            say(sent, if sent.preempts() { "Preempted" } else { "Interrupted" }, when, "");
            leave(if sent.preempts() { PREEMPTED } else { INTERRUPTED });
        }
        if sent.preempts() {
            PREEMPT.store(true, SeqCst);
            deadline.into_iter().for_each(limit);
        }
        REQUESTED.store(true, SeqCst);
        let what = if sent.preempts() { "preempted: after this step" } else { "after this step" };
        say(sent, "Stopping", what, "; again to stop at once");
    })
}

/// Says what a signal does. If a launcher passed the signal on to all ranks, rank 0 alone says it. A rank that got a signal alone
/// says it itself.
fn say(sent: Sent, verb: &str, what: &str, more: &str) {
    let text = format!("{what}, since {} came{more}", sent.describe());
    if sent.is_passed_on() { status::say(verb, &text) } else { status::say_from_any_rank(verb, &text) }
}

/// Another rank has failed, this one has not ended for seconds, and the launcher waits no longer.
fn given_up() -> ! {
    release_locks();
    status::error("this process has not ended, although another rank did; the launcher ends it");
    end_by(GIVEN_UP)
}

/// Ends the process once the deadline has passed.
fn limit(deadline: Duration) {
    let _ = std::thread::Builder::new().name("deadline".into()).spawn(move || {
        std::thread::sleep(deadline);
        if ENDED.load(SeqCst) {
            return;
        }
        let seconds = deadline.as_secs_f64();
        status::error(&format!(
            "the run was not saved within --preempt-deadline {seconds}; the checkpoint before is the newest"
        ));
        leave(3);
    });
}

#[expect(clippy::disallowed_methods, reason = "somebody wants the process to end now")]
pub(crate) fn leave(code: i32) -> ! {
    release_locks();
    std::process::exit(code)
}

/// Names the processes that are to hear of it when this one ends at once.
pub fn tell(world: &Arc<World>) {
    let _ = WORLD.set(world.clone());
}

/// From here on all is saved that is to be: no deadline ends the process.
pub fn steps_end() {
    ENDED.store(true, SeqCst);
}

/// From here on there are steps: a stop waits for the end of one.
pub fn steps_begin() {
    RUNNING.store(true, SeqCst);
}

/// Set once a stop was asked for.
pub fn requested() -> &'static AtomicBool {
    &REQUESTED
}

/// Set before [`requested`] if the stop is a preemption.
pub fn preempt() -> &'static AtomicBool {
    &PREEMPT
}

/// The exit code of a run that stopped on request.
pub fn exit_code() -> i32 {
    if PREEMPT.load(SeqCst) { PREEMPTED } else { INTERRUPTED }
}
