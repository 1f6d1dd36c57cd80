//! The tensor memory accelerator and barriers in shared memory. Boxes move as late as they may, when no thread can go on without one; or
//! as early, when they are asked for. So a stage that is read before it is there shows as a wrong result in the one case, and one
//! that is overwritten before its readers are done in the other. A barrier that too many arrive at, or that is used before it is
//! made, is a failure.

use super::{MAIL_WORDS, call};
use meshloom_kernels::tensor_map::TensorMap;
use std::collections::{BTreeMap, VecDeque};

/// When boxes move.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum When {
    Late,
    Early,
}

/// A tensor map and where its buffer begins.
#[derive(Clone)]
pub struct Map {
    pub map: TensorMap,
    pub base: usize,
}

#[derive(Debug)]
struct Barrier {
    arrivals: u32,
    /// Of the phase that goes on: arrivals and bytes that it waits for.
    left: u32,
    bytes: i64,
    phase: u32,
}

struct Fetch {
    map: usize,
    to: usize,
    barrier: usize,
    at: Vec<i64>,
}

/// The elements of a box that begins here: the byte of each in the box, and where it is in memory, if the tensor has it.
pub fn places(Map { map, base }: &Map, at: &[i64]) -> Vec<(usize, Option<usize>)> {
    let size = map.dtype.bytes() as usize;
    let elements: usize = map.tile.iter().map(|&n| n as usize).product();
    let place = |i: usize| {
        let (mut rest, mut from, mut inside) = (i, base + map.offset as usize, true);
        for (d, &n) in map.tile.iter().enumerate() {
            let at = at[d] + (rest % n as usize) as i64;
            rest /= n as usize;
            inside &= (0..map.shape[d] as i64).contains(&at);
            let step = if d == 0 { size as u64 } else { map.strides[d - 1] };
            from = from.wrapping_add((at as u64).wrapping_mul(step) as usize);
        }
        (i * size, inside.then_some(from))
    };
    (0..elements).map(place).collect()
}

pub struct Bulk {
    maps: Vec<Map>,
    when: When,
    barriers: BTreeMap<usize, Barrier>,
    under_way: VecDeque<Fetch>,
    unfenced: bool,
    /// All threads met after barriers were made.
    ready: bool,
    /// The next box is not to arrive.
    loses: bool,
}

impl Bulk {
    pub fn new(maps: Vec<Map>, when: When, loses: bool) -> Bulk {
        let (barriers, under_way) = (BTreeMap::new(), VecDeque::new());
        Bulk { maps, when, barriers, under_way, unfenced: false, ready: false, loses }
    }

    /// Whether the call is one of these and the thread goes on; `None` for other calls.
    pub fn call(&mut self, why: i64, mail: &[u32; MAIL_WORDS], shared: *mut u8) -> Option<bool> {
        let at = mail[0] as usize;
        match why {
            call::INIT_BARRIER => {
                assert!(at.is_multiple_of(8), "a barrier at {at}");
                let barrier = Barrier { arrivals: mail[1], left: mail[1], bytes: 0, phase: 0 };
                assert!(self.barriers.insert(at, barrier).is_none(), "a barrier is made twice");
                self.unfenced = true;
            }
            call::FENCE_BARRIERS => self.unfenced = false,
            call::AWAIT_PHASE => return Some(self.is_over(mail)),
            call::ARRIVE => self.arrive(at, 1, 0),
            call::ARRIVE_EXPECTING => self.arrive(at, 1, mail[1].into()),
            call::FETCH => {
                let map = &self.maps[at].map;
                let (to, barrier) = (mail[1] as usize, mail[2] as usize);
                assert!(to.is_multiple_of(1024), "a box at {to}");
                let coordinates = mail[3..3 + map.shape.len()].iter().map(|&c| i64::from(c as i32)).collect();
                self.under_way.push_back(Fetch { map: at, to, barrier, at: coordinates });
                if self.when == When::Early {
                    self.advance(shared);
                }
            }
            _ => return None,
        }
        Some(true)
    }

    /// All threads of the block met.
    pub fn barrier(&mut self) {
        assert!(!self.unfenced, "barriers are made without a fence");
        self.ready = true;
    }

    pub fn is_over(&mut self, mail: &[u32; MAIL_WORDS]) -> bool {
        let barrier = self.of(mail[0] as usize);
        barrier.phase % 2 != mail[1]
    }

    fn of(&mut self, at: usize) -> &mut Barrier {
        assert!(self.ready, "a barrier is used before all threads know of it");
        self.barriers.get_mut(&at).unwrap_or_else(|| panic!("no barrier at {at}"))
    }

    fn arrive(&mut self, at: usize, arrivals: u32, bytes: i64) {
        let barrier = self.of(at);
        assert!(barrier.left >= arrivals, "more arrive than a phase takes: {barrier:?}");
        barrier.left -= arrivals;
        barrier.bytes += bytes;
        if barrier.left == 0 && barrier.bytes == 0 {
            barrier.left = barrier.arrivals;
            barrier.phase += 1;
        }
    }

    /// Moves the next box, if one is under way.
    pub fn advance(&mut self, shared: *mut u8) -> bool {
        let Some(f) = self.under_way.pop_front() else { return false };
        if std::mem::take(&mut self.loses) {
            return true;
        }
        let map = &self.maps[f.map];
        let size = map.map.dtype.bytes() as usize;
        let all = places(map, &f.at);
        for &(offset, from) in &all {
            let to = f.to + offset;
            let to = to ^ (to >> 7 & 7) << 4;
            // SAFETY: the kernel's own addresses; what it reads in vain ends at a page that cannot be read.
            unsafe {
                let to = shared.add(to);
                to.write_bytes(0, size);
                if let Some(from) = from {
                    to.copy_from_nonoverlapping(from as *const u8, size);
                }
            }
        }
        self.arrive(f.barrier, 0, -((all.len() * size) as i64));
        true
    }

    /// The block ended.
    pub fn end(&self) {
        assert!(self.under_way.is_empty(), "{} boxes were never waited for", self.under_way.len());
        let open: Vec<_> = self.barriers.values().filter(|b| b.bytes != 0).collect();
        assert!(open.is_empty(), "bytes that never came: {open:?}");
    }
}
