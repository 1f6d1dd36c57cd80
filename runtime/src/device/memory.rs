//! The one place where memory of devices is allocated, so that its peak is a measurement and not an estimate.
//!
//! Arenas are mapped, aligned to 2 MiB and advised to use huge pages: a train step walks all of its arena, and with 4
//! KiB pages TLB misses take a tenth of its time. Mapped memory is zero.

use crate::error::{ErrorKind, Result, RuntimeError};
use std::ptr::NonNull;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

const HUGE: usize = 2 << 20;

/// Counts the bytes of all regions that were made with it.
#[derive(Default)]
pub struct MemoryCounter {
    now: AtomicU64,
    peak: AtomicU64,
    host: AtomicU64,
}

impl MemoryCounter {
    pub fn peak_bytes(&self) -> u64 {
        self.peak.load(Relaxed)
    }

    pub fn bytes(&self) -> u64 {
        self.now.load(Relaxed)
    }

    /// Bytes of the host's memory that devices keep tensors in, which are not among the others.
    pub fn host_bytes(&self) -> u64 {
        self.host.load(Relaxed)
    }

    /// Counts memory of the host that lives as long as this.
    pub(crate) fn count_host(&self, bytes: u64) {
        self.host.fetch_add(bytes, Relaxed);
    }

    /// Counts memory that lives as long as this.
    pub(crate) fn count(&self, bytes: u64) {
        let now = self.now.fetch_add(bytes, Relaxed) + bytes;
        self.peak.fetch_max(now, Relaxed);
    }
}

/// A mapping that this process owns.
pub struct MemoryRegion {
    base: NonNull<u8>,
    len: usize,
    /// How many of its bytes are a device's.
    counted: u64,
    map: (*mut libc::c_void, usize),
    memory: Arc<MemoryCounter>,
}

// SAFETY: a region is plain memory; whoever writes to it through `base` answers for the order of accesses (see `device::exec`).
unsafe impl Send for MemoryRegion {}
// SAFETY: as above; `&Region` gives out a pointer and no references.
unsafe impl Sync for MemoryRegion {}

impl MemoryRegion {
    /// Maps `len` zeroed bytes. Small regions (scratch) are not padded to huge pages.
    pub fn new(memory: &Arc<MemoryCounter>, len: u64, what: &str) -> Result<MemoryRegion> {
        MemoryRegion::with_host(memory, len, 0, what)
    }

    /// A device's `own` bytes, and behind them those of the host that belong to the device.
    pub fn with_host(memory: &Arc<MemoryCounter>, own: u64, host: u64, what: &str) -> Result<MemoryRegion> {
        let len = own.saturating_add(host);
        let fail = |why: String| Err(RuntimeError::new(ErrorKind::DoesNotFit, what, why));
        let Ok(len) = usize::try_from(len) else {
            return fail(format!("{len} bytes are more than this machine can address"));
        };
        let huge = len >= HUGE;
        let align = if huge { HUGE } else { 4096 };
        let Some(padded) =
            len.max(1).checked_next_multiple_of(4096).and_then(|n| n.checked_add(if huge { HUGE } else { 0 }))
        else {
            return fail(format!("{len} bytes are more than this machine can address"));
        };
        let (prot, flags) = (libc::PROT_READ | libc::PROT_WRITE, libc::MAP_PRIVATE | libc::MAP_ANONYMOUS);
        // SAFETY: an anonymous mapping at an address of the kernel's choice touches no existing memory.
        let map = unsafe { libc::mmap(std::ptr::null_mut(), padded, prot, flags, -1, 0) };
        if map == libc::MAP_FAILED {
            return fail(format!("{len} bytes cannot be allocated: {}", std::io::Error::last_os_error()));
        }
        let skip = (map as usize).next_multiple_of(align) - map as usize;
        // SAFETY: `skip` < `align`, and for huge regions the mapping is longer by that much; otherwise it is 0.
        let start = unsafe { map.cast::<u8>().add(skip) };
        if huge {
            // SAFETY: the range lies in the mapping just made. Advice may be refused (no huge pages); nothing depends on it.
            unsafe { libc::madvise(start.cast(), len, libc::MADV_HUGEPAGE) };
        }
        let Some(base) = NonNull::new(start) else { return fail("was mapped at address 0".into()) };
        memory.count(own);
        memory.count_host(host);
        Ok(MemoryRegion { base, len, counted: own, map: (map, padded), memory: memory.clone() })
    }

    pub fn base(&self) -> *mut u8 {
        self.base.as_ptr()
    }

    pub fn len(&self) -> usize {
        self.len
    }

    pub fn is_empty(&self) -> bool {
        self.len == 0
    }
}

impl Drop for MemoryRegion {
    fn drop(&mut self) {
        self.memory.now.fetch_sub(self.counted, Relaxed);
        self.memory.host.fetch_sub(self.len as u64 - self.counted, Relaxed);
        // SAFETY: exactly the mapping made in `new`, unmapped once.
        unsafe { libc::munmap(self.map.0, self.map.1) };
    }
}

/// Physical memory of the machine, or `None` where the system does not say.
pub fn physical_bytes() -> Option<u64> {
    // SAFETY: `sysconf` takes a number and returns one.
    let (pages, size) = unsafe { (libc::sysconf(libc::_SC_PHYS_PAGES), libc::sysconf(libc::_SC_PAGESIZE)) };
    u64::try_from(pages).ok()?.checked_mul(u64::try_from(size).ok()?)
}
