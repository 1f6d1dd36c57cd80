//! Barriers: those of the block (`bar.sync`), and those in shared memory with phases, arrivals and bytes that are expected (mbarrier).

use crate::clock::{Accessor, KnownAccesses, Stamp};
use crate::warp::Warp;
use std::collections::BTreeMap;

/// A barrier in shared memory.
struct Phased {
    count: u64,
    /// Arrivals and bytes that the phase still waits for.
    left: u64,
    bytes: i64,
    phase: u64,
    /// What those that arrived in this phase knew, and in all phases before.
    gathered: KnownAccesses,
    over: KnownAccesses,
    made: Stamp,
    /// Whether copies may use it: its making was fenced.
    open: bool,
}

/// Warps at a barrier of the block.
struct Meeting {
    threads: u64,
    wanted: Option<u64>,
    /// What all know together.
    known: KnownAccesses,
}

#[derive(Default)]
pub struct Barriers {
    phased: BTreeMap<u64, Phased>,
    meetings: BTreeMap<u64, Meeting>,
}

impl Barriers {
    /// A warp comes to a barrier of the block.
    ///
    /// # Errors
    /// Others came for another number of threads.
    pub fn meet(&mut self, id: u64, wanted: Option<u64>, w: &mut Warp, mask: u32) -> Result<(), String> {
        let known = w.told(mask);
        let m = self.meetings.entry(id).or_insert(Meeting { threads: 0, wanted, known });
        if m.wanted != wanted {
            return Err(format!("barrier {id} for {wanted:?} threads, where others came for {:?}", m.wanted));
        }
        m.threads += u64::from(mask.count_ones());
        m.known.join(&known);
        Ok(())
    }

    /// A barrier of the block that has all its threads, with what they know together.
    pub fn complete(&mut self, all: u64) -> Option<(u64, KnownAccesses)> {
        let id = *self.meetings.iter().find(|(_, m)| m.threads >= m.wanted.unwrap_or(all))?.0;
        self.meetings.remove(&id).map(|m| (id, m.known))
    }

    /// # Errors
    /// A place that is no multiple of 8, or a count of 0.
    pub fn make(&mut self, at: u64, count: u64, made: Stamp) -> Result<(), String> {
        if !at.is_multiple_of(8) || count == 0 || count >= 1 << 20 {
            return Err(format!("a barrier at byte {at} for {count} arrivals"));
        }
        let (gathered, over) = (KnownAccesses::NEVER, KnownAccesses::NEVER);
        let new = Phased { count, left: count, bytes: 0, phase: 0, gathered, over, made, open: false };
        self.phased.insert(at, new);
        Ok(())
    }

    /// A fence after the making of barriers.
    pub fn open(&mut self, agent: usize) {
        self.phased.values_mut().filter(|b| usize::from(b.made.agent) == agent).for_each(|b| b.open = true);
    }

    fn of(&mut self, at: u64) -> Result<&mut Phased, String> {
        self.phased.get_mut(&at).ok_or_else(|| format!("there is no barrier at byte {at} of shared memory"))
    }

    /// One lane comes to a barrier that it knows of.
    ///
    /// # Errors
    /// It does not know of its making, or all had arrived.
    pub fn arrive(&mut self, at: u64, by: &Accessor<'_>, told: &KnownAccesses, expect: i64) -> Result<(), String> {
        let b = self.of(at)?;
        if !by.knows(&b.made) {
            return Err(format!("a race: the making of the barrier at byte {at} is not known to be over"));
        }
        b.bytes += expect;
        b.left =
            b.left.checked_sub(1).ok_or_else(|| format!("more arrivals at the barrier at byte {at} than it is for"))?;
        b.gathered.join(told);
        b.turn();
        Ok(())
    }

    /// Whether the phase of this parity is over, as far as anything is there.
    pub fn is_over(&self, at: u64, parity: u64) -> bool {
        self.phased.get(&at).is_none_or(|b| b.phase & 1 != parity & 1)
    }

    /// What is known to who has waited for a phase; nothing while it goes on.
    ///
    /// # Errors
    /// As [`Barriers::arrive`].
    pub fn waited(&mut self, at: u64, parity: u64, w: &Warp, lane: usize) -> Result<Option<KnownAccesses>, String> {
        let by = w.accessor(lane);
        let b = self.of(at)?;
        if !by.knows(&b.made) {
            return Err(format!("a race: the making of the barrier at byte {at} is not known to be over"));
        }
        Ok((b.phase & 1 != parity & 1).then_some(b.over))
    }

    /// A copy that will tell a barrier of its bytes.
    ///
    /// # Errors
    /// The barrier's making is not known to who asks for the copy, or was not fenced.
    pub fn expects(&mut self, at: u64, by: &Accessor<'_>) -> Result<(), String> {
        let b = self.of(at)?;
        if !by.knows(&b.made) {
            return Err(format!("a race: the making of the barrier at byte {at} is not known to be over"));
        }
        match b.open {
            true => Ok(()),
            false => {
                Err(format!("no fence came between the making of the barrier at byte {at} and a copy that tells it"))
            }
        }
    }

    /// Bytes of a copy have come; `agent` and `time` are the copier's.
    ///
    /// # Errors
    /// There is no such barrier.
    pub fn bytes_came(&mut self, at: u64, bytes: u64, agent: usize, time: u32) -> Result<(), String> {
        let b = self.of(at)?;
        b.bytes -= bytes as i64;
        b.gathered.clock.0[agent] = time;
        b.turn();
        Ok(())
    }
}

impl Barriers {
    /// Matrix products are done, up to `number` of an agent; `told` is what the thread knew that began them.
    ///
    /// # Errors
    /// As [`Barriers::arrive`].
    pub fn products_came(&mut self, at: u64, told: &KnownAccesses, agent: usize, number: u32) -> Result<(), String> {
        let b = self.of(at)?;
        b.left =
            b.left.checked_sub(1).ok_or_else(|| format!("more arrivals at the barrier at byte {at} than it is for"))?;
        b.gathered.join(told);
        b.gathered.clock.0[agent] = b.gathered.clock.0[agent].max(number);
        b.turn();
        Ok(())
    }
}

impl Phased {
    /// The next phase, where this one is over.
    fn turn(&mut self) {
        if self.left == 0 && self.bytes == 0 {
            let gathered = std::mem::replace(&mut self.gathered, KnownAccesses::NEVER);
            self.over.join(&gathered);
            self.left = self.count;
            self.phase += 1;
        }
    }
}
