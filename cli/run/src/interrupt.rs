//! Ctrl-C and SIGTERM: the first asks for a clean stop, the second stops at once.

use crate::{INTERRUPTED, status};
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};

static REQUESTED: AtomicBool = AtomicBool::new(false);

/// Catches the signals from here on. Without it they end the process, as they should while nothing is worth saving.
#[expect(clippy::disallowed_methods, reason = "a second Ctrl-C means at once")]
pub fn catch() {
    let handler = || {
        if REQUESTED.swap(true, SeqCst) {
            std::process::exit(INTERRUPTED);
        }
        status::say("Stopping", "after this step; again to stop at once");
    };
    // Another handler in the same process can only be a second call.
    let _ = ctrlc::set_handler(handler);
}

/// Set once a stop was asked for.
pub fn requested() -> &'static AtomicBool {
    &REQUESTED
}
