//! The thread that carries the values of wires between processes which share no memory.
//!
//! Each end of a wire has a ring of its own ([`super::channels`]), and the courier moves values from the ring of the sender to that
//! of the receiver. It posts a receive for each slot that is empty, before anything is sent, and a send for each slot that is full.
//! It never waits for one of them: it asks for the oldest of each ring in turn, and opens a slot again once it is done. So what is
//! sent does not wait for what is received, whatever the transport makes of large messages, and both go on beside the computation.
//!
//! While nothing moves, the thread sleeps for short times, since nothing wakes it when a message comes; a device that sends does.

use crate::collectives::{Letter, Posted, Transport};
use crate::error::{Result, RuntimeError};
use crate::world::World;
use rustix::thread::futex::{Flags, wake};
use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering::*};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// How long the courier looks for messages without sleeping, where it has a core for that.
const AWAKE: Duration = Duration::from_micros(50);
/// How long it sleeps: in a step, and where nothing has moved for longer than `QUIET`.
const NAP: Duration = Duration::from_micros(50);
const QUIET: Duration = Duration::from_millis(200);
const LONG_NAP: Duration = Duration::from_millis(1);

/// Hands a slot over to the other side, and wakes who waits for it.
pub fn turn(word: &AtomicU32, to: u32) {
    word.store(to, SeqCst);
    let _ = wake(word, Flags::empty(), 1);
}

/// One end of a wire: its ring, and the messages under way.
pub struct WireEnd {
    pub sends: bool,
    /// The process at the other end.
    pub process: usize,
    pub tag: u32,
    /// The first slot: a word, and the value `header` bytes behind it.
    pub base: *mut u8,
    pub header: usize,
    pub bytes: usize,
    pub slots: u64,
    pub stride: usize,
    pub begun: u64,
    /// Oldest first.
    pub under_way: VecDeque<Box<dyn Posted>>,
}

// SAFETY: an address in memory that outlives the courier; the word of a slot says whose its value is.
unsafe impl Send for WireEnd {}

impl WireEnd {
    fn slot(&self, number: u64) -> *mut u8 {
        self.base.wrapping_add((number % self.slots) as usize * self.stride)
    }

    fn word(&self, number: u64) -> &AtomicU32 {
        // SAFETY: a slot begins with its word, aligned, in memory that outlives the end; all accesses to it are atomic.
        unsafe { AtomicU32::from_ptr(self.slot(number).cast()) }
    }

    /// Posts what can be, and opens the slots of what is done. Whether anything moved.
    fn go(&mut self, transport: &dyn Transport) -> bool {
        let (ready, mut moved) = (u32::from(self.sends), false);
        while (self.under_way.len() as u64) < self.slots && self.word(self.begun).load(Acquire) == ready {
            let at = self.slot(self.begun).wrapping_add(self.header);
            let (sends, process, tag, bytes) = (self.sends, self.process, self.tag, self.bytes);
            // SAFETY: the slot's value is the courier's as long as its word is as it is now, and only the courier changes that.
            let posted = unsafe { transport.post(Letter { sends, process, tag, at, bytes }) };
            self.under_way.push_back(posted);
            self.begun += 1;
            moved |= sends;
        }
        while self.under_way.front_mut().is_some_and(|p| p.is_done()) {
            turn(self.word(self.begun - self.under_way.len() as u64), 1 - ready);
            self.under_way.pop_front();
            moved = true;
        }
        moved
    }

    /// Whether something is still to be sent.
    fn sends_more(&self) -> bool {
        self.sends && (!self.under_way.is_empty() || self.word(self.begun).load(Acquire) == 1)
    }

    /// At the end of a session: takes receives back for which nothing will come.
    fn end(&mut self) {
        for posted in std::mem::take(&mut self.under_way) {
            if self.sends {
                // Its receiver is lost, and the run with it. A send cannot be taken back.
                std::mem::forget(posted);
            } else {
                posted.take_back();
            }
        }
    }
}

pub struct Courier {
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Courier {
    /// `awake`: there is a core for the thread. The memory of the ends has to outlive the courier.
    ///
    /// # Errors
    /// No thread can be had.
    pub fn new(mut ends: Vec<WireEnd>, world: Arc<World>, awake: bool) -> Result<Courier> {
        let stop = Arc::new(AtomicBool::new(false));
        let stopped = stop.clone();
        let carry = move || {
            let Some(transport) = world.transport() else { return };
            let mut moved = Instant::now();
            while !stopped.load(Acquire) {
                let any = ends.iter_mut().map(|r| r.go(transport)).fold(false, |a, b| a | b);
                if any {
                    moved = Instant::now();
                    continue;
                }
                match moved.elapsed() {
                    still if awake && still < AWAKE => std::hint::spin_loop(),
                    still => std::thread::park_timeout(if still < QUIET { NAP } else { LONG_NAP }),
                }
            }
            // Others may still be in the step that this process has ended.
            let start = Instant::now();
            while ends.iter().any(WireEnd::sends_more) && start.elapsed() < world.timeout() {
                ends.iter_mut().filter(|e| e.sends).for_each(|e| _ = e.go(transport));
                std::thread::sleep(NAP);
            }
            ends.iter_mut().for_each(WireEnd::end);
        };
        let thread = std::thread::Builder::new().name("courier".into()).spawn(carry);
        let thread = thread.map_err(|e| RuntimeError::usage("a thread for the wires", e.to_string()))?;
        Ok(Courier { stop, thread: Some(thread) })
    }

    /// There is something to send.
    pub fn wake(&self) {
        self.thread.iter().for_each(|t| t.thread().unpark());
    }
}

impl Drop for Courier {
    fn drop(&mut self) {
        self.stop.store(true, Release);
        self.wake();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}
