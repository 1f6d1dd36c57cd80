//! Copies between the devices' memory and memory of somebody else on the same GPU, such as an array of PyTorch: without the host.

use super::driver::{Address, StridedRows};
use super::exec::{GpuMachine, MemoryPlace};
use crate::error::Result;
use std::ffi::c_void;

/// Which way bytes go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    ToDevice,
    FromDevice,
}

impl GpuMachine {
    /// CUDA's handle of the stream on which [`GpuMachine::pass`] copies.
    pub fn stream_of_copies(&self) -> *mut c_void {
        self.driver.handle(self.staging.stream())
    }

    /// Copies rows, whose sources are offsets in a device's memory and whose destinations are offsets from `other` (the other way round
    /// with [`Direction::ToDevice`]), after what was given to the stream of copies, and waits for the end. `false`: the device keeps some
    /// of it in the host's memory, and nothing was copied.
    ///
    /// # Errors
    /// The device's.
    ///
    /// # Safety
    /// At `other` is memory of this GPU for all rows, and nothing else touches it that the stream of copies has not waited for.
    pub unsafe fn pass(&mut self, device: usize, rows: &[StridedRows], other: Address, way: Direction) -> Result<bool> {
        let mut copies = Vec::with_capacity(rows.len());
        for r in rows {
            let span = r.rows.saturating_sub(1) * r.src_pitch + r.width;
            let MemoryPlace::Device(own) = self.place(device, r.src, span as usize) else { return Ok(false) };
            let there = other + r.dst;
            copies.push(match way {
                Direction::FromDevice => StridedRows { src: own, dst: there, ..*r },
                Direction::ToDevice => {
                    StridedRows { src: there, src_pitch: r.dst_pitch, dst: own, dst_pitch: r.src_pitch, ..*r }
                }
            });
        }
        let stream = self.staging.stream();
        for c in &copies {
            // SAFETY: of the devices', it is within their memory, and no work is going on between runs; the rest as the caller promises.
            unsafe { self.driver.copy(stream, c)? };
        }
        self.driver.synchronize(stream)?;
        Ok(true)
    }
}
