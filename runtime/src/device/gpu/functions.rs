//! The functions of CUDA's driver that the runtime calls, under the names that the library exports.

use crate::foreign::functions;
use cudarc::driver::sys::*;
use std::ffi::{c_char, c_int, c_uint, c_void};

functions! {
    /// `libcuda.so.1`. All functions are there since CUDA 11.4.
    pub struct CudaFunctions {
        fn cuInit(c_uint);
        fn cuDriverGetVersion(*mut c_int);
        fn cuDeviceGetCount(*mut c_int);
        fn cuDeviceGet(*mut CUdevice, c_int);
        fn cuDeviceGetName(*mut c_char, c_int, CUdevice);
        fn cuDeviceGetAttribute(*mut c_int, c_uint, CUdevice);
        fn cuDevicePrimaryCtxRetain(*mut CUcontext, CUdevice);
        fn cuDevicePrimaryCtxRelease_v2(CUdevice);
        fn cuCtxSetCurrent(CUcontext);
        fn cuCtxPushCurrent_v2(CUcontext);
        fn cuCtxPopCurrent_v2(*mut CUcontext);
        fn cuGetErrorName(c_uint, *mut *const c_char);
        fn cuGetErrorString(c_uint, *mut *const c_char);
        fn cuMemGetInfo_v2(*mut usize, *mut usize);
        fn cuMemAlloc_v2(*mut CUdeviceptr, usize);
        fn cuMemFree_v2(CUdeviceptr);
        fn cuMemHostAlloc(*mut *mut c_void, usize, c_uint);
        fn cuMemFreeHost(*mut c_void);
        fn cuMemHostGetDevicePointer_v2(*mut CUdeviceptr, *mut c_void, c_uint);
        fn cuMemcpyDtoH_v2(*mut c_void, CUdeviceptr, usize);
        fn cuMemcpyHtoDAsync_v2(CUdeviceptr, *const c_void, usize, CUstream);
        fn cuMemcpyDtoHAsync_v2(*mut c_void, CUdeviceptr, usize, CUstream);
        fn cuMemcpyDtoDAsync_v2(CUdeviceptr, CUdeviceptr, usize, CUstream);
        fn cuMemcpy2DAsync_v2(*const CUDA_MEMCPY2D, CUstream);
        fn cuMemsetD8Async(CUdeviceptr, u8, usize, CUstream);
        fn cuMemsetD16Async(CUdeviceptr, u16, usize, CUstream);
        fn cuMemsetD32Async(CUdeviceptr, c_uint, usize, CUstream);
        fn cuMemsetD2D32Async(CUdeviceptr, usize, c_uint, usize, usize, CUstream);
        fn cuModuleLoadDataEx(*mut CUmodule, *const c_void, c_uint, *mut c_uint, *mut *mut c_void);
        fn cuModuleUnload(CUmodule);
        fn cuModuleGetGlobal_v2(*mut CUdeviceptr, *mut usize, CUmodule, *const c_char);
        fn cuModuleGetFunction(*mut CUfunction, CUmodule, *const c_char);
        fn cuFuncSetAttribute(CUfunction, c_uint, c_int);
        fn cuLaunchKernel(
            CUfunction, c_uint, c_uint, c_uint, c_uint, c_uint, c_uint, c_uint, CUstream, *mut *mut c_void, *mut *mut c_void,
        );
        fn cuStreamCreateWithPriority(*mut CUstream, c_uint, c_int);
        fn cuCtxGetStreamPriorityRange(*mut c_int, *mut c_int);
        fn cuStreamDestroy_v2(CUstream);
        fn cuStreamSynchronize(CUstream);
        fn cuStreamQuery(CUstream);
        fn cuStreamWaitEvent(CUstream, CUevent, c_uint);
        fn cuStreamBeginCapture_v2(CUstream, c_uint);
        fn cuStreamEndCapture(CUstream, *mut CUgraph);
        fn cuEventCreate(*mut CUevent, c_uint);
        fn cuEventDestroy_v2(CUevent);
        fn cuEventSynchronize(CUevent);
        fn cuEventRecord(CUevent, CUstream);
        fn cuEventElapsedTime(*mut f32, CUevent, CUevent);
        fn cuGraphInstantiateWithFlags(*mut CUgraphExec, CUgraph, u64);
        fn cuGraphLaunch(CUgraphExec, CUstream);
        fn cuGraphDestroy(CUgraph);
        fn cuGraphExecDestroy(CUgraphExec);
    }
}
