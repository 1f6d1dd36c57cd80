//! Between the host's memory and a device's, through two pinned buffers: while the device copies one, the host fills the other.

use super::driver::{Address, Driver, Event, Priority, Stream};
use crate::error::Result;

/// Bytes of a buffer: large enough that a copy takes longer than starting it, small enough to be no burden on the host.
const PIECE: usize = 4 << 20;

pub struct Staging {
    stream: Stream,
    buffers: [Buffer; 2],
}

struct Buffer {
    memory: *mut u8,
    /// When the device is done with it.
    free: Event,
}

impl Staging {
    pub fn new(driver: &mut dyn Driver) -> Result<Staging> {
        let stream = driver.stream(Priority::Communication)?;
        let mut buffer = || -> Result<Buffer> { Ok(Buffer { memory: driver.pinned(PIECE)?, free: driver.event()? }) };
        Ok(Staging { stream, buffers: [buffer()?, buffer()?] })
    }

    /// The stream of all copies here.
    pub fn stream(&self) -> Stream {
        self.stream
    }

    /// Makes memory of the device zero.
    ///
    /// # Safety
    /// There is device memory of as many bytes at `to`, and nothing that was given to another stream touches it.
    pub unsafe fn clear(&mut self, driver: &mut dyn Driver, to: Address, bytes: u64) -> Result<()> {
        // SAFETY: as the caller promises.
        unsafe { driver.fill(self.stream, to, &[0], bytes)? };
        driver.synchronize(self.stream)
    }

    /// Writes to the device, after what was given to `after` and before what is given to it from now on.
    ///
    /// # Safety
    /// There is device memory of as many bytes at `to`, and nothing that was given to another stream touches it.
    pub unsafe fn write(&mut self, driver: &mut dyn Driver, to: Address, bytes: &[u8]) -> Result<()> {
        for (k, piece) in bytes.chunks(PIECE).enumerate() {
            let buffer = &self.buffers[k % 2];
            if k >= 2 {
                driver.finish(buffer.free)?;
            }
            // SAFETY: the buffer has PIECE bytes, and the device has read what it held before.
            unsafe { std::ptr::copy_nonoverlapping(piece.as_ptr(), buffer.memory, piece.len()) };
            // SAFETY: as the caller promises; the buffer stays as it is until its event.
            unsafe { driver.upload(self.stream, to + (k * PIECE) as u64, buffer.memory, piece.len())? };
            driver.record(buffer.free, self.stream)?;
        }
        driver.synchronize(self.stream)
    }

    /// Reads from the device.
    ///
    /// # Safety
    /// There is device memory of as many bytes at `from`, and all that writes to it is done.
    pub unsafe fn read(&mut self, driver: &mut dyn Driver, from: Address, bytes: &mut [u8]) -> Result<()> {
        let pieces = bytes.len().div_ceil(PIECE);
        let len = bytes.len();
        let part = |k: usize| k * PIECE..len.min((k + 1) * PIECE);
        let ask = |driver: &mut dyn Driver, k: usize| -> Result<()> {
            let buffer = &self.buffers[k % 2];
            // SAFETY: as the caller promises; the buffer has PIECE bytes, and what it held before was taken.
            unsafe { driver.download(self.stream, buffer.memory, from + part(k).start as u64, part(k).len())? };
            driver.record(buffer.free, self.stream)
        };
        if pieces > 0 {
            ask(driver, 0)?;
        }
        for k in 0..pieces {
            if k + 1 < pieces {
                ask(driver, k + 1)?;
            }
            let buffer = &self.buffers[k % 2];
            driver.finish(buffer.free)?;
            let range = part(k);
            // SAFETY: the device has written the piece.
            let piece = unsafe { std::slice::from_raw_parts(buffer.memory, range.len()) };
            bytes[range].copy_from_slice(piece);
        }
        Ok(())
    }
}
