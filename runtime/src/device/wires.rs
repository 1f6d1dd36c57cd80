//! Wires between the pipeline stages of one process: what a device sends waits until the device at the same place in the other
//! stage takes it.
//!
//! A send is a copy and never waits; a receive waits. So stages come to an end in any order in which their values can be computed.
//! Not here: wires between processes, and between GPUs.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Condvar, Mutex, PoisonError};

/// Carries what the devices of a program send to those of others, and receive from them.
pub trait Carrier: Send + Sync {
    /// `wire` is its number in the program.
    fn send(&self, wire: u32, device: usize, microbatch: u64, bytes: &[u8]);

    /// Waits for the next value.
    fn receive(&self, wire: u32, device: usize, microbatch: u64, into: &mut [u8]);

    /// By device.
    fn received_bytes(&self) -> Vec<u64> {
        Vec::new()
    }
}

/// The wires of a program, by their names.
pub struct NamedWires {
    pub wires: Arc<Wires>,
    pub names: Vec<String>,
}

impl Carrier for NamedWires {
    fn send(&self, wire: u32, device: usize, microbatch: u64, bytes: &[u8]) {
        self.wires.send(&self.names[wire as usize], device, microbatch, bytes);
    }

    fn receive(&self, wire: u32, device: usize, microbatch: u64, into: &mut [u8]) {
        self.wires.receive(&self.names[wire as usize], device, microbatch, into);
    }
}

/// The wire, the device, and the microbatch (0 of what is sent once in a step).
type Key = (String, usize, u64);

/// All wires of a run, for the sessions of its stages to share.
#[derive(Debug, Default)]
pub struct Wires {
    waiting: Mutex<BTreeMap<Key, VecDeque<Vec<u8>>>>,
    arrived: Condvar,
}

impl Wires {
    pub fn send(&self, wire: &str, device: usize, microbatch: u64, bytes: &[u8]) {
        let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        waiting.entry((wire.to_owned(), device, microbatch)).or_default().push_back(bytes.to_vec());
        self.arrived.notify_all();
    }

    /// Waits for the next value, which has the size of `into`.
    pub fn receive(&self, wire: &str, device: usize, microbatch: u64, into: &mut [u8]) {
        let key = (wire.to_owned(), device, microbatch);
        let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            if let Some(bytes) = waiting.get_mut(&key).and_then(VecDeque::pop_front) {
                let n = bytes.len().min(into.len());
                into[..n].copy_from_slice(&bytes[..n]);
                return;
            }
            waiting = self.arrived.wait(waiting).unwrap_or_else(PoisonError::into_inner);
        }
    }
}
