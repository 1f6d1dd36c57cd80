//! What kernels for Hopper and later need of the driver: clusters of blocks, and tensor maps. A tensor map tells the
//! tensor memory accelerator where a tensor lies. It holds an address, so one is made for each launch, and a captured
//! step keeps it.

use super::driver::KernelLaunch;
use super::functions::CudaFunctions;
use super::probe::{Cuda, version_text};
use crate::error::{ErrorKind, Result, RuntimeError};
use cudarc::driver::sys::*;
use meshloom_bundle::{DType, MAX_KERNEL_ARGS, Swizzle, TensorMap};
use std::ffi::c_void;
use std::ptr::null_mut;

/// The most tensor maps of a kernel, as bundles are validated.
pub const MAPS: usize = 8;

type Encode = unsafe extern "C" fn(
    *mut CuTensorMap,
    u32,
    u32,
    *mut c_void,
    *const u64,
    *const u64,
    *const u32,
    *const u32,
    u32,
    u32,
    u32,
    u32,
) -> u32;
type LaunchEx = unsafe extern "C" fn(*const CUlaunchConfig, CUfunction, *mut *mut c_void, *mut *mut c_void) -> u32;

/// A `CUtensorMap`.
#[derive(Clone, Copy)]
#[repr(C, align(128))]
pub struct CuTensorMap([u64; 16]);

/// Functions of drivers for CUDA 12 and later.
#[derive(Clone, Copy)]
pub struct Newer {
    encode: Encode,
    launch: LaunchEx,
}

/// What a driver says of a code.
pub type Check<'a> = &'a dyn Fn(&str, u32) -> Result<()>;

impl Newer {
    /// The functions of a driver; `None` where it is older. They live as long as the library.
    pub fn of(library: &libloading::Library) -> Option<Newer> {
        // SAFETY: the types are those of cuda.h, whose enums are passed as integers.
        unsafe {
            Some(Newer {
                encode: *library.get::<Encode>(b"cuTensorMapEncodeTiled").ok()?,
                launch: *library.get::<LaunchEx>(b"cuLaunchKernelEx").ok()?,
            })
        }
    }

    /// A map of what lies at `address`; where the driver refuses, its code.
    pub fn try_map(&self, m: &TensorMap, address: u64) -> Result<CuTensorMap, u32> {
        // CUtensorMapDataType.
        let dtype = match m.dtype {
            DType::I8 | DType::U8 | DType::F8E4M3 | DType::F8E5M2 | DType::Bool => 0,
            DType::U32 => 2,
            DType::I32 => 3,
            DType::I64 => 5,
            DType::F16 => 6,
            DType::F32 => 7,
            DType::F64 => 8,
            DType::BF16 => 9,
        };
        let swizzle = match m.swizzle {
            Swizzle::None => 0,
            Swizzle::Bytes32 => 1,
            Swizzle::Bytes64 => 2,
            Swizzle::Bytes128 => 3,
        };
        let (mut map, steps) = (CuTensorMap([0; 16]), [1u32; 5]);
        // No interleaving, lines of 128 bytes into the L2 cache, zeros outside.
        let (interleave, promotion, outside) = (0, 2, 0);
        // SAFETY: writes the map; a bundle's maps have as many dims as are said here, at most 5.
        let code = unsafe {
            let at = (address + m.offset) as *mut c_void;
            let (shape, strides, tile) = (m.shape.as_ptr(), m.strides.as_ptr(), m.tile.as_ptr());
            let rank = m.shape.len() as u32;
            (self.encode)(
                &mut map,
                dtype,
                rank,
                at,
                shape,
                strides,
                tile,
                steps.as_ptr(),
                interleave,
                swizzle,
                promotion,
                outside,
            )
        };
        if code == 0 { Ok(map) } else { Err(code) }
    }

    /// A launch with clusters, tensor maps, or both.
    ///
    /// # Safety
    /// As [`super::driver::Driver::launch`].
    pub unsafe fn launch(&self, f: CUfunction, s: CUstream, l: &KernelLaunch<'_>, check: Check<'_>) -> Result<()> {
        let mut values = [0u64; MAX_KERNEL_ARGS];
        values[..l.words.len()].copy_from_slice(l.words);
        let mut maps = [CuTensorMap([0; 16]); MAPS];
        for (m, to) in l.shape.tensor_maps.iter().zip(&mut maps) {
            match self.try_map(m, l.words[m.arg as usize]) {
                Ok(map) => *to = map,
                Err(code) => check("a tensor map", code)?,
            }
        }
        let mut places = [null_mut::<c_void>(); MAX_KERNEL_ARGS + MAPS];
        let words = values[..l.words.len()].iter_mut().map(|v| std::ptr::from_mut(v).cast::<c_void>());
        let words = words.chain(maps.iter_mut().map(|m| std::ptr::from_mut(m).cast()));
        places.iter_mut().zip(words).for_each(|(to, from)| *to = from);
        // Nobody reads beyond a kernel's parameters; all the same there is something.
        let last = places[l.words.len() + MAPS - 1];
        places.iter_mut().filter(|p| p.is_null()).for_each(|p| *p = last);
        // SAFETY: a union of plain numbers.
        let mut value: CUlaunchAttributeValue = unsafe { std::mem::zeroed() };
        value.clusterDim.x = l.shape.cluster;
        value.clusterDim.y = 1;
        value.clusterDim.z = 1;
        let id = CUlaunchAttributeID::CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION;
        let mut attribute = CUlaunchAttribute { id, pad: [0; 4], value };
        let config = CUlaunchConfig {
            gridDimX: u32::try_from(l.blocks).unwrap_or(i32::MAX as u32),
            gridDimY: 1,
            gridDimZ: 1,
            blockDimX: l.shape.threads,
            blockDimY: 1,
            blockDimZ: 1,
            sharedMemBytes: l.shape.shared_bytes,
            hStream: s,
            attrs: &mut attribute,
            numAttrs: u32::from(l.shape.cluster > 1),
        };
        // SAFETY: arguments and configuration are copied before the call returns; the rest is as the caller promises.
        check("a launch", unsafe { (self.launch)(&config, f, places.as_mut_ptr(), null_mut()) })
    }
}

/// Whether a driver makes tensor maps at all, asked for a plain one of no memory in particular. A driver makes none without a context, so the
/// first GPU's is current for this thread meanwhile. The error says why not, for people.
///
/// # Errors
/// It is older than CUDA 12.0, gives no context, or refuses the map.
pub fn probe(cuda: &Cuda) -> Result<(), String> {
    let Some(newer) = Newer::of(&cuda.functions.library) else {
        return Err(format!("the driver knows CUDA {}, and 12.0 is needed", version_text(cuda.version)));
    };
    let plain = TensorMap {
        arg: 0,
        offset: 0,
        dtype: DType::BF16,
        shape: vec![64, 64],
        strides: vec![128],
        tile: vec![64, 64],
        swizzle: Swizzle::Bytes128,
    };
    // An address like any other: nothing is read or written.
    let refused = |code| format!("the driver refuses a plain one: {}", cuda.functions.name(code));
    let context =
        Context::of_first(cuda).map_err(|code| format!("the GPU's context: {}", cuda.functions.name(code)))?;
    let made = newer.try_map(&plain, 1 << 32).map(|_| ()).map_err(refused);
    drop(context);
    made
}

/// The primary context of the first GPU, current for this thread as long as this lives.
struct Context<'a> {
    f: &'a CudaFunctions,
    device: CUdevice,
}

impl Context<'_> {
    fn of_first(cuda: &Cuda) -> Result<Context<'_>, u32> {
        let (f, mut device, mut context) = (&cuda.functions, 0, null_mut());
        let good = |code: u32| if code == 0 { Ok(()) } else { Err(code) };
        // SAFETY: each writes what it is given a place for.
        unsafe {
            good((f.cuDeviceGet)(&mut device, 0))?;
            good((f.cuDevicePrimaryCtxRetain)(&mut context, device))?;
        }
        let held = Context { f, device };
        // SAFETY: a context that is held.
        good(unsafe { (f.cuCtxSetCurrent)(context) })?;
        Ok(held)
    }
}

impl Drop for Context<'_> {
    fn drop(&mut self) {
        // SAFETY: none is current afterwards; retained once, released once.
        unsafe {
            (self.f.cuCtxSetCurrent)(null_mut());
            (self.f.cuDevicePrimaryCtxRelease_v2)(self.device);
        }
    }
}

/// What is said where the driver has not what a kernel needs.
pub fn missing(symbol: &str) -> RuntimeError {
    let message = format!("`{symbol}` uses clusters or tensor maps: a driver for CUDA 12.0 or newer is needed");
    RuntimeError::new(ErrorKind::Usage, "cuda", message)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::RefCell;

    thread_local! {
        static CALLED: RefCell<Vec<String>> = const { RefCell::new(Vec::new()) };
    }

    /// Writes down what it is asked for, and the address into the map.
    unsafe extern "C" fn encode(
        map: *mut CuTensorMap,
        dtype: u32,
        rank: u32,
        at: *mut c_void,
        shape: *const u64,
        strides: *const u64,
        tile: *const u32,
        steps: *const u32,
        interleave: u32,
        swizzle: u32,
        promotion: u32,
        outside: u32,
    ) -> u32 {
        let n = rank as usize;
        // SAFETY: arrays of the lengths that the driver API says; a map to write.
        let said = unsafe {
            (*map).0[0] = at as u64;
            let (shape, strides) = (std::slice::from_raw_parts(shape, n), std::slice::from_raw_parts(strides, n - 1));
            let (tile, steps) = (std::slice::from_raw_parts(tile, n), std::slice::from_raw_parts(steps, n));
            format!(
                "type {dtype} at {:#x} shape {shape:?} strides {strides:?} tile {tile:?} steps {steps:?} interleave {interleave} \
                 swizzle {swizzle} promotion {promotion} outside {outside}",
                at as u64
            )
        };
        CALLED.with(|c| c.borrow_mut().push(said));
        u32::from(!(map as u64).is_multiple_of(64))
    }

    unsafe extern "C" fn launch(
        _: *const CUlaunchConfig,
        _: CUfunction,
        _: *mut *mut c_void,
        _: *mut *mut c_void,
    ) -> u32 {
        0
    }

    /// Numbers as `CUtensorMapDataType` and its like have them in cuda.h of CUDA 12.
    #[test]
    fn a_map_is_encoded_as_the_bundle_says() {
        let newer = Newer { encode, launch };
        let heads = TensorMap {
            arg: 1,
            offset: 32,
            dtype: DType::BF16,
            shape: vec![64, 4, 96],
            strides: vec![128, 512],
            tile: vec![64, 1, 128],
            swizzle: Swizzle::Bytes128,
        };
        let bytes = TensorMap { dtype: DType::U8, offset: 0, ..heads.clone() };
        assert_eq!(newer.try_map(&heads, 0x7000).map(|m| m.0[0]), Ok(0x7020));
        assert_eq!(newer.try_map(&bytes, 0x7000).map(|m| m.0[0]), Ok(0x7000));
        let said = |dtype: u32, at: &str| {
            format!(
                "type {dtype} at {at} shape [64, 4, 96] strides [128, 512] tile [64, 1, 128] steps [1, 1, 1] interleave 0 swizzle 3 \
                 promotion 2 outside 0"
            )
        };
        CALLED.with(|c| assert_eq!(*c.borrow(), [said(9, "0x7020"), said(0, "0x7000")]));
    }
}
