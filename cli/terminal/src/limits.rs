//! Limits of the system that end a process by default, made into errors of the calls that meet them.
//!
//! Beyond `ulimit -f` a write fails with "File too large". But before it does, the system sends SIGXFSZ, which ends a
//! process without a word. Whoever writes a file says what failed, and leaves what was there before.
//!
//! Not here: memory (`memory`), which no call reports in the same way.

/// Leaves files that may not grow to whoever writes them. To be called first in `main`; processes that are started inherit it.
pub fn install() {
    // SAFETY: it sets what is done with a signal of which no handler is called.
    unsafe { libc::signal(libc::SIGXFSZ, libc::SIG_IGN) };
}
