//! Whether this machine has CUDA, and why not if it has not. `doctor` prints the answer, and a run ends on it before
//! anything is loaded.

use super::functions::CudaFunctions;
use crate::error::{Result, RuntimeError};
use crate::foreign;
use cudarc::driver::sys::{CUdevice, CUdevice_attribute};
use std::ffi::{CStr, c_char, c_int};

/// A driver that started, and its GPUs.
pub struct Cuda {
    pub functions: CudaFunctions,
    /// The newest CUDA that it knows: 13000 for 13.0.
    pub version: i32,
    pub gpus: Vec<GpuInfo>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GpuInfo {
    pub name: String,
    /// Compute capability: `(9, 0)`.
    pub capability: (i32, i32),
}

/// Why there is no CUDA.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Missing {
    /// No driver, with the loader's words.
    Library(String),
    /// A driver that lacks a function.
    Function(&'static str),
    /// A driver that does not start: the code of `cuInit`, and the name of it.
    Start(u32, String),
    NoGpu,
}

impl std::fmt::Display for Missing {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Missing::Library(why) if why.contains("No such file") => {
                f.write_str("libcuda.so.1 not found: NVIDIA's driver is not installed, or not on the loader's path")
            }
            Missing::Library(why) => write!(f, "libcuda.so.1 cannot be loaded: {why}"),
            Missing::Function(name) => {
                write!(f, "libcuda.so.1 has no {name}: a driver for CUDA 11.4 or newer is needed")
            }
            Missing::Start(100, _) | Missing::NoGpu => {
                f.write_str("the driver finds no GPU (CUDA_VISIBLE_DEVICES hides GPUs, containers need them passed in)")
            }
            Missing::Start(code, name) => {
                write!(f, "the driver does not start: {name} (error {code}); `nvidia-smi` may tell more")
            }
        }
    }
}

impl From<Missing> for RuntimeError {
    fn from(m: Missing) -> RuntimeError {
        RuntimeError::usage("cuda", m.to_string())
    }
}

impl Cuda {
    /// Loads and starts the driver.
    ///
    /// # Errors
    /// What of it is missing.
    pub fn open() -> Result<Cuda, Missing> {
        let names = ["libcuda.so.1", "libcuda.so"].map(String::from);
        Cuda::of(foreign::open(&names).map_err(Missing::Library)?.0)
    }

    /// Starts an opened driver.
    ///
    /// # Errors
    /// As [`Cuda::open`].
    pub fn of(library: libloading::Library) -> Result<Cuda, Missing> {
        // SAFETY: the types are those of cuda.h, in which a result is an unsigned number, and so are attributes.
        let functions = unsafe { CudaFunctions::of(library) }.map_err(Missing::Function)?;
        let (mut version, mut count) = (0, 0);
        // SAFETY: cuInit takes flags, which must be 0; the others write one integer.
        let (started, counted) = unsafe {
            (functions.cuDriverGetVersion)(&mut version);
            ((functions.cuInit)(0), (functions.cuDeviceGetCount)(&mut count))
        };
        if let Some(code) = [started, counted].into_iter().find(|&c| c != 0) {
            return Err(Missing::Start(code, functions.name(code)));
        }
        let gpus: Vec<GpuInfo> = (0..count).filter_map(|k| functions.gpu(k)).collect();
        if gpus.is_empty() {
            return Err(Missing::NoGpu);
        }
        Ok(Cuda { functions, version, gpus })
    }
}

impl CudaFunctions {
    /// `CUDA_ERROR_NO_DEVICE: no CUDA-capable device is detected`.
    pub fn name(&self, code: u32) -> String {
        let text = |f: unsafe extern "C" fn(u32, *mut *const c_char) -> u32| {
            let mut text = std::ptr::null();
            // SAFETY: writes a pointer to a constant string, or null for a code that it does not know.
            unsafe {
                f(code, &mut text);
                (!text.is_null()).then(|| CStr::from_ptr(text).to_string_lossy().into_owned())
            }
        };
        match (text(self.cuGetErrorName), text(self.cuGetErrorString)) {
            (Some(name), Some(words)) => format!("{name}: {words}"),
            (Some(name), None) => name,
            _ => format!("error {code}"),
        }
    }

    fn gpu(&self, ordinal: c_int) -> Option<GpuInfo> {
        let mut device: CUdevice = 0;
        let mut name = [0 as c_char; 256];
        // SAFETY: each writes what it is given a place for, the name with its end within 256 bytes.
        unsafe {
            if (self.cuDeviceGet)(&mut device, ordinal) != 0
                || (self.cuDeviceGetName)(name.as_mut_ptr(), 256, device) != 0
            {
                return None;
            }
        }
        let attribute = |a: CUdevice_attribute| {
            let mut value = 0;
            // SAFETY: writes one integer.
            let code = unsafe { (self.cuDeviceGetAttribute)(&mut value, a as u32, device) };
            (code == 0).then_some(value)
        };
        let major = attribute(CUdevice_attribute::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR)?;
        let minor = attribute(CUdevice_attribute::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR)?;
        // SAFETY: the driver ended the text with a 0.
        let name = unsafe { CStr::from_ptr(name.as_ptr()) }.to_string_lossy().into_owned();
        Some(GpuInfo { name, capability: (major, minor) })
    }
}

/// `13.0` for 13000.
pub fn version_text(version: i32) -> String {
    format!("{}.{}", version / 1000, version % 1000 / 10)
}
