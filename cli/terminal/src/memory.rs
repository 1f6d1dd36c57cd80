//! What happens where the system gives no more memory (`ulimit -v`, a container's limit): a sentence and exit code 4. The
//! standard library would abort, which looks like a bug and leaves no exit code that anybody documented.
//!
//! Rust calls no code of ours between an allocation that failed and its abort. So the allocator notes what failed, and
//! a handler of SIGABRT looks at the note. The note stays where somebody can go on without the memory (`try_reserve`),
//! since what happens before the abort (a backtrace) allocates too. Nothing else in these programs aborts a thread.
//!
//! The planner allocates small things all the time, which mimalloc (cargo feature `mimalloc`) does faster than the system.
//!
//! Not here: arenas, which are allocated in one place with an error of their own (`runtime::device`).

use crate::status;
use std::alloc::{GlobalAlloc, Layout};
use std::cell::Cell;
use std::io::Write;

#[cfg(feature = "mimalloc")]
use mimalloc::MiMalloc as Allocator;
#[cfg(not(feature = "mimalloc"))]
use std::alloc::System as Allocator;

/// The allocator, with a note of what it could not give.
struct Noting;

#[global_allocator]
static NOTING: Noting = Noting;

thread_local! {
    /// Bytes of this thread's last allocation that failed; 0 if none has.
    static LACKING: Cell<usize> = const { Cell::new(0) };
}

fn noted(p: *mut u8, bytes: usize) -> *mut u8 {
    if p.is_null() {
        // A thread that is ending has no note any more.
        let _ = LACKING.try_with(|l| l.set(bytes));
    }
    p
}

// SAFETY: everything is passed on as it came; what is added allocates nothing.
unsafe impl GlobalAlloc for Noting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as the caller promises.
        noted(unsafe { Allocator.alloc(layout) }, layout.size())
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as the caller promises.
        noted(unsafe { Allocator.alloc_zeroed(layout) }, layout.size())
    }

    unsafe fn dealloc(&self, p: *mut u8, layout: Layout) {
        // SAFETY: as the caller promises.
        unsafe { Allocator.dealloc(p, layout) }
    }

    unsafe fn realloc(&self, p: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: as the caller promises.
        noted(unsafe { Allocator.realloc(p, layout, size) }, size)
    }
}

/// Makes an allocation that fails end the program with exit code 4. To be called first in `main`.
pub fn install() {
    let handler: extern "C" fn(libc::c_int) = aborted;
    // SAFETY: the handler calls nothing that a handler may not.
    unsafe { libc::signal(libc::SIGABRT, handler as libc::sighandler_t) };
}

extern "C" fn aborted(_: libc::c_int) {
    let bytes = LACKING.try_with(Cell::get).unwrap_or(0);
    if bytes == 0 {
        // `abort` goes on by itself once this returns.
        return;
    }
    let (mut text, why) = ([0; 256], "raise the limit (`ulimit -v`, the container's), or do less at a time");
    let mut rest = &mut text[..];
    // Into a buffer that is there: a handler may not allocate.
    let _ = match status::json() {
        true => writeln!(
            rest,
            r#"{{"reason":"diagnostic","level":"error","code":null,"message":"out of memory: {bytes} bytes cannot be had","spans":[],"children":[]}}"#
        ),
        false => writeln!(rest, "error: out of memory: {bytes} bytes cannot be had\n  help: {why}"),
    };
    let left = rest.len();
    // SAFETY: both may be called in a handler, and the pointer is to as many bytes.
    unsafe {
        libc::write(2, text.as_ptr().cast(), text.len() - left);
        libc::_exit(4);
    }
}
