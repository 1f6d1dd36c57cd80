//! The word in which kernels say what they waited for in vain: see [`meshloom_bundle::waited`].
//!
//! It lies in pinned memory of the host that the device sees, so it can be read when the device's own memory no longer can: a kernel
//! that traps takes the context with it.

use super::functions::CudaFunctions;
use crate::error::Result;
use cudarc::driver::sys::*;
use meshloom_bundle::waited::{VARIABLE, Waited};
use std::ffi::{CString, c_void};
use std::ptr::null_mut;

pub struct Word {
    at: *mut u64,
    /// The kernels made ready so far.
    symbols: Vec<String>,
}

/// Says what failed.
type Check<'a> = &'a dyn Fn(&str, u32) -> Result<()>;

impl Word {
    /// Has a module's kernels write here; `None` where none of them waits, in whose code the variable's name is nowhere. (A driver that is
    /// asked for what is not there reports it to tools that watch the program.)
    pub fn of(f: &CudaFunctions, module: CUmodule, code: &[u8], check: Check<'_>) -> Result<Option<Word>> {
        if !code.windows(VARIABLE.len()).any(|w| w == VARIABLE.as_bytes()) {
            return Ok(None);
        }
        let (mut variable, mut bytes, mut at, mut seen) = (0, 0, null_mut::<c_void>(), 0);
        let Ok(name) = CString::new(VARIABLE) else { return Ok(None) };
        // SAFETY: each writes what it is given a place for; the name ends with a 0. The variable has 8 bytes, which are copied before
        // the default stream is done.
        unsafe {
            if (f.cuModuleGetGlobal_v2)(&mut variable, &mut bytes, module, name.as_ptr()) != 0 || bytes != 8 {
                return Ok(None);
            }
            let mapped = CU_MEMHOSTALLOC_DEVICEMAP;
            check("cuMemHostAlloc", (f.cuMemHostAlloc)(&mut at, size_of::<u64>(), mapped))?;
            at.cast::<u64>().write_volatile(0);
            check("cuMemHostGetDevicePointer", (f.cuMemHostGetDevicePointer_v2)(&mut seen, at, 0))?;
            let from = std::ptr::from_ref(&seen).cast();
            check("an upload", (f.cuMemcpyHtoDAsync_v2)(variable, from, size_of::<u64>(), null_mut()))?;
            check("work on the GPU", (f.cuStreamSynchronize)(null_mut()))?;
        }
        Ok(Some(Word { at: at.cast(), symbols: Vec::new() }))
    }

    pub fn note(&mut self, symbol: &str) {
        self.symbols.push(symbol.to_owned());
    }

    /// What a kernel waited for in vain, if one did.
    pub fn tell(&self) -> Option<String> {
        // SAFETY: the memory lives as long as this, and is 0 or a word that a kernel wrote at once.
        let word = unsafe { self.at.read_volatile() };
        Waited::of(word).map(|w| w.tell(&self.symbols))
    }

    /// Gives the memory back.
    ///
    /// # Safety
    /// No kernel of the module runs any more.
    pub unsafe fn end(self, f: &CudaFunctions) {
        // SAFETY: made once, given back once; what giving back says is of no use.
        unsafe { (f.cuMemFreeHost)(self.at.cast()) };
    }
}
