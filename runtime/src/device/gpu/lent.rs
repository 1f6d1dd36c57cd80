//! Memory of a GPU that a caller owns and may keep for longer than the session it was made for, as a result that is handed to another
//! library. It is of the primary context, which it keeps alive; it is given back on whichever thread drops it last.

use super::driver::Address;
use super::functions::CudaFunctions;
use super::probe::Cuda;
use crate::error::{ErrorKind, Result, RuntimeError};
use cudarc::driver::sys::{CUcontext, CUdevice, CUresult};
use std::ptr::null_mut;

pub struct DeviceMemory {
    f: CudaFunctions,
    device: CUdevice,
    context: CUcontext,
    address: Address,
    bytes: u64,
}

// SAFETY: handles of the driver, whose functions may be called on any thread; the context is made current around each call.
unsafe impl Send for DeviceMemory {}
// SAFETY: as above; `&DeviceMemory` gives out a number.
unsafe impl Sync for DeviceMemory {}

impl DeviceMemory {
    /// Uninitialised memory of the GPU with this number, aligned to 256 bytes.
    ///
    /// # Errors
    /// No driver, no such GPU, too little memory (of kind [`ErrorKind::DoesNotFit`]).
    pub fn new(ordinal: usize, bytes: u64, what: &str) -> Result<DeviceMemory> {
        let f = Cuda::open()?.functions;
        let (mut device, mut context) = (0, null_mut());
        let ordinal = i32::try_from(ordinal).unwrap_or(i32::MAX);
        // SAFETY: each writes one value.
        let code = unsafe {
            match (f.cuDeviceGet)(&mut device, ordinal) {
                0 => (f.cuDevicePrimaryCtxRetain)(&mut context, device),
                code => code,
            }
        };
        if code != 0 {
            return Err(RuntimeError::new(ErrorKind::Rank, "cuda", format!("GPU {ordinal}: {}", f.name(code))));
        }
        // From here on, the context is given back when this is dropped. No memory has the address 0.
        let mut memory = DeviceMemory { f, device, context, address: 0, bytes };
        let mut address = 0;
        // SAFETY: writes one address.
        let code = memory.within(|f| unsafe {
            (f.cuMemAlloc_v2)(&mut address, usize::try_from(bytes.max(1)).unwrap_or(usize::MAX))
        });
        match code {
            0 => {
                memory.address = address;
                Ok(memory)
            }
            code if code == CUresult::CUDA_ERROR_OUT_OF_MEMORY as u32 => {
                let message = format!("{bytes} bytes are more than the GPU has free");
                Err(RuntimeError::new(ErrorKind::DoesNotFit, what, message))
            }
            code => {
                Err(RuntimeError::new(ErrorKind::Rank, "cuda", format!("cuMemAlloc failed: {}", memory.f.name(code))))
            }
        }
    }

    pub fn address(&self) -> Address {
        self.address
    }

    /// Copies what lies there to the host.
    ///
    /// # Errors
    /// The device's; and more bytes than there are.
    pub fn read(&self, host: &mut [u8]) -> Result<()> {
        if host.len() as u64 > self.bytes {
            let message = format!("{} bytes of {} that there are", host.len(), self.bytes);
            return Err(RuntimeError::usage("memory of the GPU", message));
        }
        // SAFETY: both are as long.
        let code = self.within(|f| unsafe { (f.cuMemcpyDtoH_v2)(host.as_mut_ptr().cast(), self.address, host.len()) });
        match code {
            0 => Ok(()),
            code => {
                Err(RuntimeError::new(ErrorKind::Rank, "cuda", format!("a download failed: {}", self.f.name(code))))
            }
        }
    }

    /// Calls the driver with the context current, and leaves the thread with the one that it had: it may be a thread of a library whose
    /// own context, of another GPU, is current there.
    fn within(&self, call: impl FnOnce(&CudaFunctions) -> u32) -> u32 {
        // SAFETY: the context is alive as long as this is.
        let code = unsafe { (self.f.cuCtxPushCurrent_v2)(self.context) };
        if code != 0 {
            return code;
        }
        let code = call(&self.f);
        let mut own = null_mut();
        // SAFETY: takes off what was put on above.
        unsafe { (self.f.cuCtxPopCurrent_v2)(&mut own) };
        code
    }
}

impl Drop for DeviceMemory {
    fn drop(&mut self) {
        if self.address != 0 {
            // SAFETY: allocated once and given back once; the driver waits for work that uses it. What it says is of no use to anybody.
            self.within(|f| unsafe { (f.cuMemFree_v2)(self.address) });
        }
        // SAFETY: retained once.
        unsafe { (self.f.cuDevicePrimaryCtxRelease_v2)(self.device) };
    }
}
