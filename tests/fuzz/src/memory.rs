//! Counts the memory that is allocated, so that each case has a limit of its own, which no larger case before it
//! raises.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

struct Counting;

#[global_allocator]
static COUNTING: Counting = Counting;
static NOW: AtomicU64 = AtomicU64::new(0);
static PEAK: AtomicU64 = AtomicU64::new(0);

fn took(bytes: usize) {
    let now = NOW.fetch_add(bytes as u64, Relaxed) + bytes as u64;
    PEAK.fetch_max(now, Relaxed);
}

fn gave(bytes: usize) {
    NOW.fetch_sub(bytes as u64, Relaxed);
}

// SAFETY: everything is passed on as it came; what is added is arithmetic.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as the caller promises.
        let p = unsafe { System.alloc(layout) };
        if !p.is_null() {
            took(layout.size());
        }
        p
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as the caller promises.
        let p = unsafe { System.alloc_zeroed(layout) };
        if !p.is_null() {
            took(layout.size());
        }
        p
    }

    unsafe fn dealloc(&self, p: *mut u8, layout: Layout) {
        // SAFETY: as the caller promises.
        unsafe { System.dealloc(p, layout) };
        gave(layout.size());
    }

    unsafe fn realloc(&self, p: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: as the caller promises.
        let new = unsafe { System.realloc(p, layout, size) };
        if !new.is_null() {
            gave(layout.size());
            took(size);
        }
        new
    }
}

/// Starts a peak of its own; the bytes allocated now.
pub fn begin() -> u64 {
    let now = NOW.load(Relaxed);
    PEAK.store(now, Relaxed);
    now
}

/// Most bytes that were allocated at a time since [`begin`].
pub fn peak() -> u64 {
    PEAK.load(Relaxed)
}

/// Ends the process that asks for more address space than this.
pub fn limit(bytes: u64) -> std::io::Result<()> {
    let limit = libc::rlimit { rlim_cur: bytes, rlim_max: bytes };
    // SAFETY: a pointer to a struct that lives across the call.
    match unsafe { libc::setrlimit(libc::RLIMIT_AS, &limit) } {
        0 => Ok(()),
        _ => Err(std::io::Error::last_os_error()),
    }
}
