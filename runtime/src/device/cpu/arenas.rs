//! The arenas of a mesh's devices that this process can reach. They lie in its own memory. If devices of other
//! processes are reached too, they lie in a segment that all processes of the host map. The host's memory that belongs to a device
//! lies right behind the device's arena, so an offset says where a byte of either is.

use crate::device::memory::{MemoryCounter, MemoryRegion};
use crate::error::{ErrorKind, Result, RuntimeError};
use crate::world::{ProgramRanks, Segment};
use meshloom_bundle::Program;
use std::ops::Range;
use std::sync::Arc;

/// Arenas in a segment begin at multiples of this, so that huge pages are not shared between devices.
const APART: u64 = 2 << 20;

pub struct Arenas {
    bases: Vec<Base>,
    len: usize,
    own: Range<usize>,
    _memory: Kept,
}

/// What the bases point into.
enum Kept {
    Own { _regions: Vec<MemoryRegion> },
    Shared { _segment: Segment },
}

/// The base of an arena.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub struct Base(*mut u8);

// SAFETY: an address; the order of accesses through it is kept by barriers.
unsafe impl Send for Base {}
// SAFETY: as above.
unsafe impl Sync for Base {}

impl Base {
    #[inline]
    pub fn pointer(self) -> *mut u8 {
        self.0
    }

    pub fn pointers(all: &[Base]) -> &[*mut u8] {
        // SAFETY: `Base` is transparent over the pointer.
        unsafe { std::slice::from_raw_parts(all.as_ptr().cast(), all.len()) }
    }
}

impl Arenas {
    /// `own` are the devices of this process. All processes make theirs at the same time.
    pub fn new(
        program: &Program,
        own: Range<usize>,
        memory: &Arc<MemoryCounter>,
        group: Option<&ProgramRanks>,
    ) -> Result<Arenas> {
        let (arena, host) = (program.arena_bytes, program.host_bytes);
        let both = arena.saturating_add(host);
        let len = usize::try_from(both).unwrap_or(usize::MAX);
        let Some(group) = group.filter(|g| g.shares_memory()) else {
            let one = |d: usize| MemoryRegion::with_host(memory, arena, host, &format!("device {d}"));
            let regions = own.clone().map(one).collect::<Result<Vec<_>>>()?;
            // Devices of processes that send messages have no place here.
            let base = |d: usize| {
                d.checked_sub(own.start).and_then(|k| regions.get(k)).map_or(std::ptr::null_mut(), MemoryRegion::base)
            };
            let bases = (0..program.devices()).map(|d| Base(base(d))).collect();
            return Ok(Arenas { bases, len, own, _memory: Kept::Own { _regions: regions } });
        };
        let (what, devices) = ("the devices' memory", program.devices());
        let apart = if both < APART { 4096 } else { APART };
        let stride = both.max(1).checked_next_multiple_of(apart);
        let total = stride.and_then(|s| s.checked_mul(devices as u64)).filter(|&n| isize::try_from(n).is_ok());
        let (Some(stride), Some(total)) = (stride, total) else {
            return Err(RuntimeError::new(ErrorKind::DoesNotFit, what, "more than this machine can address"));
        };
        let Some(segment) = group.share(total, what)? else {
            return Err(RuntimeError::usage(what, "is shared by processes that meet over connections"));
        };
        memory.count(arena * own.len() as u64);
        memory.count_host(host * own.len() as u64);
        let bases = (0..devices).map(|d| Base(segment.base().wrapping_add(d * stride as usize))).collect();
        Ok(Arenas { bases, len, own, _memory: Kept::Shared { _segment: segment } })
    }

    pub fn own(&self) -> Range<usize> {
        self.own.clone()
    }

    pub fn bases(&self) -> &[Base] {
        &self.bases
    }

    /// Base and length of the memory of one of this process's devices.
    pub fn at(&self, device: usize) -> (*mut u8, usize) {
        assert!(self.own.contains(&device), "device {device} is another process's");
        (self.bases[device].0, self.len)
    }
}
