//! Boxes that go from shared memory to tensors. They are read as late as they may be, when a thread waits for them; or when it has them
//! stored. So memory that is written again too early shows as a wrong result in the one case, and a box that is stored before it is
//! written in the other.

use super::bulk::{Map, When, places};
use super::{MAIL_WORDS, call};
use std::collections::VecDeque;

struct Store {
    map: usize,
    from: usize,
    at: Vec<i64>,
}

/// Of each thread, what it began since its last group, and its groups.
pub struct Stores {
    maps: Vec<Map>,
    when: When,
    threads: Vec<(Vec<Store>, VecDeque<Vec<Store>>)>,
}

impl Stores {
    pub fn new(threads: usize, maps: Vec<Map>, when: When) -> Stores {
        Stores { maps, when, threads: (0..threads).map(|_| Default::default()).collect() }
    }

    /// Whether the call is one of these.
    pub fn call(&mut self, why: i64, thread: usize, mail: &[u32; MAIL_WORDS], shared: *const u8) -> bool {
        let (begun, groups) = &mut self.threads[thread];
        match why {
            call::STORE_BOX => {
                let (map, from) = (mail[0] as usize, mail[1] as usize);
                assert!(from.is_multiple_of(1024), "a box at {from}");
                let rank = self.maps[map].map.shape.len();
                let at = mail[2..2 + rank].iter().map(|&c| i64::from(c as i32)).collect();
                let store = Store { map, from, at };
                if self.when == When::Early {
                    done(&self.maps, &store, shared);
                }
                begun.push(store);
            }
            call::COMMIT_STORES => groups.push_back(std::mem::take(begun)),
            call::WAIT_STORES => {
                while groups.len() > mail[0] as usize {
                    let group = groups.pop_front().into_iter().flatten();
                    group.filter(|_| self.when == When::Late).for_each(|store| done(&self.maps, &store, shared));
                }
            }
            _ => return false,
        }
        true
    }

    /// The block ended.
    pub fn end(&self) {
        let left = self.threads.iter().any(|(begun, groups)| !begun.is_empty() || !groups.is_empty());
        assert!(!left, "boxes were stored and never waited for");
    }
}

fn done(maps: &[Map], store: &Store, shared: *const u8) {
    let map = &maps[store.map];
    let size = map.map.dtype.bytes() as usize;
    for (offset, to) in places(map, &store.at) {
        let from = store.from + offset;
        let from = from ^ (from >> 7 & 7) << 4;
        // SAFETY: the kernel's own addresses, as far as the map says that the tensor reaches.
        unsafe {
            if let Some(to) = to {
                (to as *mut u8).copy_from_nonoverlapping(shared.add(from), size);
            }
        }
    }
}
