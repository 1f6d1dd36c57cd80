//! What the processes of one host share apart from arenas: a barrier, where each rank is, and room to pass bytes.
//!
//! ```text
//! 0     how many have arrived        64  the round
//! 128   for each rank a line: meetings it came to, the spot of the last one, when it came, whose value it waits for, and how many
//!       meetings and collectives it came to in all, those of a pipeline's ranks included
//! ..    for each rank STAGE bytes
//! ```
//!
//! The barrier is the one of `device::pool` with a futex in place of a condition variable, since a futex works between
//! processes. It ends by the clock: a process that waits too long reads the lines and knows which rank is late.

use super::segment::{Address, Offer, Segment};
use super::spot::Spot;
use crate::error::Result;
use rustix::thread::futex::{Flags, Timespec, wait, wake};
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering::*};
use std::time::{Duration, Instant};

const LINE: usize = 64;
/// Bytes that a rank hands to the others at once.
const STAGE: usize = 64 << 10;
/// As in `device::pool`.
const SPINS: u32 = 2000;

pub struct Control {
    segment: Segment,
    rank: usize,
    size: usize,
    spins: u32,
    /// Meetings of this rank, one thread at a time.
    came: AtomicU64,
}

/// Ranks that did not come to a meeting in time.
pub type Late = Vec<usize>;

impl Control {
    pub fn len(size: usize) -> u64 {
        ((2 + size) * LINE + size * STAGE) as u64
    }

    pub fn create(rank: usize, size: usize) -> Result<(Control, Offer)> {
        let (segment, offer) = Segment::create(Control::len(size), "the processes' common memory")?;
        Ok((Control::new(segment, rank, size), offer))
    }

    pub fn open(at: Address, rank: usize, size: usize) -> Result<Control> {
        let at = Address { len: Control::len(size), ..at };
        Ok(Control::new(Segment::open(at, "the processes' common memory")?, rank, size))
    }

    /// In a segment of [`Control::len`] zeros, which all have.
    pub fn new(segment: Segment, rank: usize, size: usize) -> Control {
        Control { segment, rank, size, spins: 0, came: AtomicU64::new(0) }
    }

    /// Waits a moment before it blocks: only if every rank has a core of its own.
    pub fn spinning(mut self, spin: bool) -> Control {
        self.spins = if spin { SPINS } else { 0 };
        self
    }

    fn word(&self, line: usize) -> &AtomicU32 {
        debug_assert!(line < 2 + self.size);
        // SAFETY: the line lies in the segment, which is mapped as long as `self` and aligned to a page; every access of any process to
        // it is atomic, and every bit pattern is a value.
        unsafe { AtomicU32::from_ptr(self.segment.base().add(line * LINE).cast()) }
    }

    /// Meetings that a rank came to, and the spot of the last.
    fn place(&self, rank: usize) -> (&AtomicU64, &AtomicU64) {
        debug_assert!(rank < self.size);
        // SAFETY: as in `word`.
        unsafe {
            let at = self.segment.base().add((2 + rank) * LINE).cast::<u64>();
            (AtomicU64::from_ptr(at), AtomicU64::from_ptr(at.add(1)))
        }
    }

    /// The spot of the last meeting that a rank came to.
    pub fn last(&self, rank: usize) -> Spot {
        Spot(self.place(rank).1.load(Relaxed))
    }

    /// This rank is at a spot, which is no meeting.
    #[inline]
    pub fn is_at(&self, spot: Spot) {
        self.place(self.rank).1.store(spot.0, Relaxed);
    }

    /// The rank that another one waits for, from 1 on; 0 is none.
    pub fn waits_for(&self, rank: usize) -> &AtomicU64 {
        debug_assert!(rank < self.size);
        // SAFETY: as in `word`.
        unsafe { AtomicU64::from_ptr(self.segment.base().add((2 + rank) * LINE).cast::<u64>().add(3)) }
    }

    /// Meetings and collectives that a rank came to, wherever they were.
    pub fn came_to(&self, rank: usize) -> &AtomicU64 {
        debug_assert!(rank < self.size);
        // SAFETY: as in `word`.
        unsafe { AtomicU64::from_ptr(self.segment.base().add((2 + rank) * LINE).cast::<u64>().add(4)) }
    }

    /// When a rank came to the last meeting for which that was asked, in nanoseconds of this host's clock.
    fn time(&self, rank: usize) -> &AtomicU64 {
        debug_assert!(rank < self.size);
        // SAFETY: as in `word`.
        unsafe { AtomicU64::from_ptr(self.segment.base().add((2 + rank) * LINE).cast::<u64>().add(2)) }
    }

    fn stage(&self, rank: usize) -> *mut u8 {
        self.segment.base().wrapping_add((2 + self.size) * LINE + rank * STAGE)
    }

    /// Returns when all ranks have called it. What they wrote before, to any memory that they share, is visible to all after.
    /// With `timed`, which is the same on all ranks, the last one hears how many nanoseconds after all others it came.
    ///
    /// # Errors
    /// The ranks that are not there in time.
    #[inline]
    pub fn meet(&self, spot: Spot, timeout: Duration, timed: bool) -> Result<Option<u64>, Late> {
        let came = self.came.load(Relaxed) + 1;
        self.came.store(came, Relaxed);
        let own = self.place(self.rank);
        own.1.store(spot.0, Relaxed);
        own.0.store(came, Release);
        let at = if timed { now_nanos() } else { 0 };
        if timed {
            self.time(self.rank).store(at, Relaxed);
        }
        let (arrived, round) = (self.word(0), self.word(1));
        // The round cannot end before this rank has arrived.
        let now = round.load(Relaxed);
        if arrived.fetch_add(1, AcqRel) + 1 == self.size as u32 {
            // Before the others are let go: they would write down when they come to the next one.
            let others = (0..self.size).filter(|&r| timed && r != self.rank);
            let late = others.map(|r| self.time(r).load(Relaxed)).max().map(|last| at.saturating_sub(last));
            arrived.store(0, Relaxed);
            round.store(now.wrapping_add(1), SeqCst);
            let _ = wake(round, Flags::empty(), i32::MAX as u32);
            return Ok(late);
        }
        for _ in 0..self.spins {
            if round.load(Acquire) != now {
                return Ok(None);
            }
            std::hint::spin_loop();
        }
        self.block(now, came, timeout).map(|()| None)
    }

    #[cold]
    fn block(&self, now: u32, came: u64, timeout: Duration) -> Result<(), Late> {
        let (round, start) = (self.word(1), Instant::now());
        while round.load(SeqCst) == now {
            let Some(left) = timeout.checked_sub(start.elapsed()).filter(|d| !d.is_zero()) else {
                let late: Late = (0..self.size).filter(|&r| self.place(r).0.load(Acquire) < came).collect();
                // The last one may have come just now.
                if late.is_empty() {
                    std::thread::yield_now();
                    continue;
                }
                return Err(late);
            };
            let spec = Timespec { tv_sec: left.as_secs() as _, tv_nsec: left.subsec_nanos().into() };
            // Woken, changed before, or too late: the loop looks again.
            let _ = wait(round, Flags::empty(), now, Some(&spec));
        }
        Ok(())
    }

    /// Gives every rank the bitwise or of all ranks' bytes, which are equally many.
    ///
    /// # Errors
    /// As [`Control::meet`].
    pub fn combine(&self, bytes: &mut [u8], spot: Spot, timeout: Duration) -> Result<(), Late> {
        for part in bytes.chunks_mut(STAGE) {
            // SAFETY: the stage holds STAGE bytes in the segment; only this rank writes to it, and the others read it between the two
            // meetings below.
            unsafe { std::ptr::copy_nonoverlapping(part.as_ptr(), self.stage(self.rank), part.len()) };
            self.meet(spot, timeout, false)?;
            for other in (0..self.size).filter(|&r| r != self.rank) {
                // SAFETY: as above, and nobody writes to it now.
                let theirs = unsafe { std::slice::from_raw_parts(self.stage(other), part.len()) };
                part.iter_mut().zip(theirs).for_each(|(a, b)| *a |= b);
            }
            self.meet(spot, timeout, false)?;
        }
        Ok(())
    }
}

/// The clock that all processes of this host share.
fn now_nanos() -> u64 {
    let mut t = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the structure lives through the call, which writes to nothing else.
    let done = unsafe { libc::clock_gettime(libc::CLOCK_MONOTONIC, &raw mut t) };
    if done == 0 { t.tv_sec as u64 * 1_000_000_000 + t.tv_nsec as u64 } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_meet_and_combine() {
        let (first, offer) = Control::create(0, 3).unwrap();
        let long = Duration::from_secs(60);
        std::thread::scope(|s| {
            for (rank, control) in
                [first, Control::open(offer.address(), 1, 3).unwrap(), Control::open(offer.address(), 2, 3).unwrap()]
                    .into_iter()
                    .enumerate()
            {
                s.spawn(move || {
                    for round in 0..200usize {
                        let n = 1 + round * 997 % (STAGE + 100);
                        let mut bytes: Vec<u8> =
                            (0..n).map(|i| if i % 3 == rank { (i + round) as u8 } else { 0 }).collect();
                        control.combine(&mut bytes, Spot::START, long).unwrap();
                        assert!(bytes.iter().enumerate().all(|(i, &b)| b == (i + round) as u8), "{rank} {round}");
                    }
                });
            }
        });
    }

    /// Exactly one rank is last each time, and hears by how much.
    #[test]
    fn who_comes_last_hears_by_how_much() {
        let (first, offer) = Control::create(0, 2).unwrap();
        let second = Control::open(offer.address(), 1, 2).unwrap();
        let long = Duration::from_secs(60);
        let slow = |c: &Control| -> Vec<Option<u64>> {
            let pause = Duration::from_millis(if c.rank == 1 { 20 } else { 0 });
            (0..5)
                .map(|_| {
                    std::thread::sleep(pause);
                    c.meet(Spot::START, long, true).unwrap()
                })
                .collect()
        };
        let (a, b) = std::thread::scope(|s| {
            let a = s.spawn(|| slow(&first));
            (slow(&second), a.join().unwrap())
        });
        let one = a.iter().zip(&b).all(|(a, b)| a.is_some() != b.is_some());
        assert!(one, "{a:?} {b:?}");
        // On a busy machine the other one may be late, too, once in a while.
        assert!(a.iter().flatten().filter(|&&n| n > 5_000_000).count() >= 3, "{a:?}");
    }

    #[test]
    fn who_does_not_come_is_named() {
        let (first, offer) = Control::create(0, 3).unwrap();
        let third = Control::open(offer.address(), 2, 3).unwrap();
        std::thread::scope(|s| {
            s.spawn(|| assert_eq!(third.meet(Spot::START, Duration::from_millis(300), false), Err(vec![1])));
            assert_eq!(first.meet(Spot::START, Duration::from_millis(300), false), Err(vec![1]));
        });
        assert!(Control::open(Address { fd: -1, ..offer.address() }, 1, 3).is_err());
    }
}
