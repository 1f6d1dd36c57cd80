//! How far a stream is, where the host can see it: the stream itself writes numbers to the host's memory.

use super::driver::{Address, Driver, Stream};
use crate::error::Result;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

/// How many collectives (or buckets of them) of the present step the device has begun: before each, its stream writes the number of it to
/// the host's memory.
pub struct ExchangeProgress {
    /// Pinned, and there as long as the driver is.
    word: *const AtomicU32,
    /// On the device: the numbers from 1 on, to copy from.
    numbers: Address,
    most: u32,
    /// The first collective of each, in the order in which they were given out.
    given: Mutex<Vec<u32>>,
}

// SAFETY: the word is read by atomic loads only, and written by the device, or by the host while the device has no work.
unsafe impl Send for ExchangeProgress {}
// SAFETY: as above.
unsafe impl Sync for ExchangeProgress {}

impl ExchangeProgress {
    /// For so many in a step; of more, those beyond are not seen. `write` writes to the device.
    ///
    /// # Errors
    /// The driver's.
    pub fn new(
        driver: &mut dyn Driver,
        most: u32,
        mut write: impl FnMut(&mut dyn Driver, Address, &[u8]) -> Result<()>,
    ) -> Result<ExchangeProgress> {
        let bytes: Vec<u8> = (1..=most).flat_map(u32::to_ne_bytes).collect();
        let numbers = driver.alloc(bytes.len() as u64, "the numbers of collectives")?;
        write(driver, numbers, &bytes)?;
        let word = driver.pinned(size_of::<u32>())?.cast::<AtomicU32>().cast_const();
        let progress = ExchangeProgress { word, numbers, most, given: Mutex::default() };
        progress.restart(false);
        Ok(progress)
    }

    fn word(&self) -> &AtomicU32 {
        // SAFETY: pinned memory of four bytes, aligned as all of it is; the driver, which lives longer, frees it.
        unsafe { &*self.word }
    }

    /// A step begins; the device has no work. One that was not `captured` is given out anew.
    pub fn restart(&self, captured: bool) {
        self.word().store(0, Relaxed);
        if !captured {
            self.given.lock().unwrap_or_else(PoisonError::into_inner).clear();
        }
    }

    /// The stream is about to begin this collective.
    ///
    /// # Errors
    /// The driver's.
    pub fn mark(&self, driver: &mut dyn Driver, stream: Stream, id: u32) -> Result<()> {
        let mut given = self.given.lock().unwrap_or_else(PoisonError::into_inner);
        let k = given.len() as u32;
        if k >= self.most {
            return Ok(());
        }
        given.push(id);
        // SAFETY: one of the numbers; the word is pinned, and written by this stream alone.
        unsafe { driver.download(stream, self.word.cast_mut().cast(), self.numbers + u64::from(k) * 4, 4) }
    }

    /// How many were begun, and the last of them.
    pub fn begun(&self) -> (u64, Option<u32>) {
        let n = self.word().load(Relaxed);
        let given = self.given.lock().unwrap_or_else(PoisonError::into_inner);
        (n.into(), n.checked_sub(1).and_then(|k| given.get(k as usize).copied()))
    }
}
