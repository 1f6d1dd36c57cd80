//! Signals: the first asks for a clean stop, the second stops at once. Before the first step a run ends at once, since
//! nothing is worth saving, and with it all its processes.
//!
//! Ctrl-C (and SIGHUP) is somebody who has seen enough. SIGTERM (and SIGUSR1) is a scheduler that takes the machine away: the run is
//! preempted, and may have a deadline. The two differ in the exit code alone.

use crate::{INTERRUPTED, PREEMPTED, status};
use meshloom_runtime::World;
use meshloom_runtime::checkpoint::release_locks;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

static REQUESTED: AtomicBool = AtomicBool::new(false);
static PREEMPT: AtomicBool = AtomicBool::new(false);
/// Set once there are steps that a stop would wait for.
static RUNNING: AtomicBool = AtomicBool::new(false);
/// The other processes of the run, which end too.
static WORLD: OnceLock<Arc<World>> = OnceLock::new();
/// Whether the last signal was SIGTERM.
static TERMINATED: AtomicBool = AtomicBool::new(false);
/// What `ctrlc` does about SIGTERM: a function of one number.
static NEXT: AtomicUsize = AtomicUsize::new(0);

/// Calls `f` with each signal that asks this process to end, and whether it is SIGTERM. Without it they end the process, as they should
/// while nothing is worth saving.
pub(crate) fn on_signals(f: impl Fn(bool) + Send + 'static) {
    // Another handler in the same process can only be a second call.
    if ctrlc::set_handler(move || f(TERMINATED.swap(false, SeqCst))).is_ok() {
        note_sigterm();
    }
}

/// `ctrlc` calls all signals one. So its handler of SIGTERM gets one before it that writes down which signal it was. SIGUSR1, which
/// SLURM can send before the end of a job (`--signal=USR1@120`), has the same handler.
fn note_sigterm() {
    // SAFETY: both structures live across the calls; all zeros are a value of theirs. The handler below does what handlers may.
    unsafe {
        let mut old: libc::sigaction = std::mem::zeroed();
        if libc::sigaction(libc::SIGTERM, std::ptr::null(), &mut old) != 0 {
            return;
        }
        let mut new = old;
        NEXT.store(old.sa_sigaction, SeqCst);
        new.sa_sigaction = heard_sigterm as extern "C" fn(libc::c_int) as usize;
        libc::sigaction(libc::SIGTERM, &new, std::ptr::null_mut());
        libc::sigaction(libc::SIGUSR1, &new, std::ptr::null_mut());
    }
}

extern "C" fn heard_sigterm(signal: libc::c_int) {
    TERMINATED.store(true, SeqCst);
    let next = NEXT.load(SeqCst);
    if ![libc::SIG_DFL, libc::SIG_IGN].contains(&next) {
        // SAFETY: `ctrlc` has set this handler without SA_SIGINFO, so it is a function of one number.
        let next: extern "C" fn(libc::c_int) = unsafe { std::mem::transmute(next) };
        next(signal);
    }
}

/// Catches the signals from here on. After SIGTERM the process ends within `deadline`, saved or not.
pub fn catch(deadline: Option<Duration>) {
    on_signals(move |terminated| {
        let running = RUNNING.load(SeqCst);
        if REQUESTED.load(SeqCst) || !running {
            // A second one means at once.
            if let Some(world) = WORLD.get() {
                world.interrupted(terminated);
            }
            if !running {
                status::say(if terminated { "Preempted" } else { "Interrupted" }, "before the first step");
            }
            leave(if terminated { PREEMPTED } else { INTERRUPTED });
        }
        if terminated {
            PREEMPT.store(true, SeqCst);
            deadline.into_iter().for_each(limit);
        }
        REQUESTED.store(true, SeqCst);
        let what = if terminated { "preempted: " } else { "" };
        status::say("Stopping", &format!("{what}after this step; again to stop at once"));
    });
}

/// Ends the process once the deadline has passed.
fn limit(deadline: Duration) {
    let _ = std::thread::Builder::new().name("deadline".into()).spawn(move || {
        std::thread::sleep(deadline);
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

/// From here on there are steps: a stop waits for the end of one.
pub fn steps_begin() {
    RUNNING.store(true, SeqCst);
}

/// Set once a stop was asked for.
pub fn requested() -> &'static AtomicBool {
    &REQUESTED
}

/// Set before [`requested`] where it is a preemption.
pub fn preempt() -> &'static AtomicBool {
    &PREEMPT
}

/// The exit code of a run that stopped as it was asked to.
pub fn exit_code() -> i32 {
    if PREEMPT.load(SeqCst) { PREEMPTED } else { INTERRUPTED }
}
