//! A GPU, by CUDA's driver API.
//!
//! There is one context (the primary one, which NCCL and others share) and one module with the bundle's kernels.
//! Streams do not wait for the legacy default stream. All calls are made from one thread.

use super::blas::{Matmuls, Plan};
use super::driver::*;
use super::functions::CudaFunctions;
use super::images;
use super::newer::{self, Newer};
use super::probe::{Cuda, version_text};
use super::reduction;
use super::waited::Word;
use crate::error::{ErrorKind, Result, RuntimeError};
use cudarc::driver::sys::*;
use meshloom_bundle::{DType, Gemm, GpuLaunch, LibraryContents, LibraryKind, MAX_KERNEL_ARGS, Reduction};
use std::collections::BTreeMap;
use std::ffi::{CString, c_void};
use std::ptr::null_mut;

/// The most waves of blocks that a launch has. With more, each thread would do less, and no more would run concurrently.
const WAVES: u64 = 8;
/// Threads that a multiprocessor of these architectures holds.
const THREADS_PER_MULTIPROCESSOR: u64 = 2048;
/// Shared memory of a multiprocessor with a tensor memory accelerator, and what the system takes of it for each block.
const SHARED_OF_MULTIPROCESSOR: u64 = 228 << 10;
const SHARED_OF_SYSTEM: u64 = 1 << 10;
/// What the JIT may say.
const LOG: usize = 16 << 10;
/// Dynamic shared memory that needs no permission.
const SHARED: u32 = 48 << 10;

pub struct Gpu {
    f: CudaFunctions,
    newer: Option<Newer>,
    /// The newest CUDA that the driver knows.
    version: i32,
    device: CUdevice,
    multiprocessors: u64,
    max_pitch: u64,
    module: CUmodule,
    library: String,
    functions: Vec<CUfunction>,
    reductions: BTreeMap<(Reduction, DType), [CUfunction; 2]>,
    matmuls: Matmuls,
    plans: Vec<Plan>,
    modules: Vec<CUmodule>,
    memory: Vec<CUdeviceptr>,
    allocated: u64,
    pinned: Vec<*mut c_void>,
    streams: Vec<CUstream>,
    events: Vec<CUevent>,
    graphs: Vec<CUgraphExec>,
    waited: Option<Word>,
}

impl Gpu {
    /// The process's first GPU with a bundle's kernels for it.
    ///
    /// # Errors
    /// No driver, no GPU, no kernels for it.
    pub fn open(cuda: Cuda, ordinal: usize, libraries: &[LibraryContents]) -> Result<Gpu> {
        let Some(info) = cuda.gpus.get(ordinal) else {
            let has = cuda.gpus.len();
            return Err(RuntimeError::usage(
                "cuda",
                format!("rank {ordinal} of this host has no GPU: there are {has}"),
            ));
        };
        let library = images::choose(libraries, info, cuda.version)?;
        let (mut device, mut context) = (0, null_mut());
        let f = cuda.functions;
        // SAFETY: each writes one value; the context is made current for this thread.
        unsafe {
            f.check("cuDeviceGet", (f.cuDeviceGet)(&mut device, ordinal as i32))?;
            f.check("cuDevicePrimaryCtxRetain", (f.cuDevicePrimaryCtxRetain)(&mut context, device))?;
            f.check("cuCtxSetCurrent", (f.cuCtxSetCurrent)(context))?;
        }
        let matmuls = Matmuls::from_env(info.capability, cuda.version)?;
        let attribute = |a: CUdevice_attribute| {
            let mut value = 0;
            // SAFETY: writes one integer.
            let code = unsafe { (f.cuDeviceGetAttribute)(&mut value, a as u32, device) };
            if code == 0 { value.max(0) as u64 } else { 0 }
        };
        let multiprocessors = attribute(CUdevice_attribute::CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT).max(1);
        let max_pitch = attribute(CUdevice_attribute::CU_DEVICE_ATTRIBUTE_MAX_PITCH).max(1);
        let module = f.load(&library.bytes, library.kind == LibraryKind::Ptx).map_err(|why| {
            RuntimeError::usage(format!("kernels/{}", library.name), format!("cannot be loaded: {why}"))
        })?;
        let waited = Word::of(&f, module, &library.bytes, &|what, code| f.check(what, code))?;
        Ok(Gpu {
            waited,
            newer: Newer::of(&f.library),
            version: cuda.version,
            f,
            device,
            multiprocessors,
            max_pitch,
            module,
            library: library.name.clone(),
            functions: Vec::new(),
            reductions: BTreeMap::new(),
            matmuls,
            plans: Vec::new(),
            modules: Vec::new(),
            memory: Vec::new(),
            allocated: 0,
            pinned: Vec::new(),
            streams: Vec::new(),
            events: Vec::new(),
            graphs: Vec::new(),
        })
    }

    fn event_of(&mut self, flags: CUevent_flags_enum) -> Result<Event> {
        let mut event = null_mut();
        // SAFETY: writes one handle.
        self.f.check("cuEventCreate", unsafe { (self.f.cuEventCreate)(&mut event, flags as u32) })?;
        self.events.push(event);
        Ok(Event(self.events.len() - 1))
    }

    /// Whether work went well. If not, the error says what a kernel waited for in vain, if that was it.
    fn worked(&self, what: &str, code: u32) -> Result<()> {
        let went = self.f.check(what, code);
        match self.waited.as_ref().filter(|_| went.is_err()).and_then(Word::tell) {
            Some(told) => Err(RuntimeError::new(
                ErrorKind::Rank,
                "cuda",
                format!("{what} failed: {told} ({})", self.f.name(code)),
            )),
            None => went,
        }
    }
}

/// The number of blocks for each multiprocessor, concurrent and one after the other. Blocks with tensor maps fetch the next unit
/// while they store the last, so they run as long as there is work; of these it is the number that shared memory can hold.
fn blocks_of_a_multiprocessor(shape: &GpuLaunch) -> u64 {
    let at_once = (THREADS_PER_MULTIPROCESSOR / u64::from(shape.threads.max(1))).clamp(1, 32);
    if shape.tensor_maps.is_empty() {
        return at_once * WAVES;
    }
    (SHARED_OF_MULTIPROCESSOR / (u64::from(shape.shared_bytes) + SHARED_OF_SYSTEM)).clamp(1, at_once)
}

impl CudaFunctions {
    fn check(&self, what: &str, code: u32) -> Result<()> {
        if code == 0 {
            return Ok(());
        }
        Err(RuntimeError::new(ErrorKind::Rank, "cuda", format!("{what} failed: {}", self.name(code))))
    }

    /// Loads PTX or a cubin. The error has what the JIT said.
    fn load(&self, image: &[u8], text: bool) -> Result<CUmodule, String> {
        // A cubin says itself how long it is; a text ends with a 0.
        let image = if text { [image, &[0]].concat() } else { image.to_vec() };
        let mut log = vec![0u8; LOG];
        let mut options = [
            CUjit_option_enum::CU_JIT_ERROR_LOG_BUFFER as u32,
            CUjit_option_enum::CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES as u32,
        ];
        // Sizes are passed in the place of pointers.
        let mut values = [log.as_mut_ptr().cast::<c_void>(), LOG as *mut c_void];
        let mut module = null_mut();
        // SAFETY: the image ends as the driver expects; the log has the size that is said; all live through the call.
        let code = unsafe {
            let (options, values) = (options.as_mut_ptr(), values.as_mut_ptr());
            (self.cuModuleLoadDataEx)(&mut module, image.as_ptr().cast(), 2, options, values)
        };
        if code == 0 {
            return Ok(module);
        }
        let log = String::from_utf8_lossy(&log[..log.iter().position(|&b| b == 0).unwrap_or(LOG)]).trim().to_owned();
        Err(if log.is_empty() { self.name(code) } else { format!("{}: {log}", self.name(code)) })
    }

    fn function(&self, module: CUmodule, symbol: &str) -> Option<CUfunction> {
        let (mut function, name) = (null_mut(), CString::new(symbol).ok()?);
        // SAFETY: writes one handle; the name ends with a 0.
        let code = unsafe { (self.cuModuleGetFunction)(&mut function, module, name.as_ptr()) };
        (code == 0).then_some(function)
    }

    /// # Safety
    /// The kernel takes these words, and what they mean is as the caller of [`Driver::launch`] promises.
    unsafe fn launch(
        &self,
        f: CUfunction,
        blocks: u64,
        threads: u32,
        shared: u32,
        s: CUstream,
        words: &[u64],
    ) -> Result<()> {
        // As many as any kernel takes: the driver reads as many as this one does.
        let mut values = [0u64; MAX_KERNEL_ARGS];
        values[..words.len()].copy_from_slice(words);
        let mut places = values.each_mut().map(|v| std::ptr::from_mut(v).cast::<c_void>());
        let blocks = blocks.min(i32::MAX as u64) as u32;
        // SAFETY: the arguments are copied before the call returns; the rest is as the caller promises.
        let code = unsafe {
            (self.cuLaunchKernel)(f, blocks, 1, 1, threads, 1, 1, shared, s, places.as_mut_ptr(), null_mut())
        };
        self.check("a launch", code)
    }
}

impl Driver for Gpu {
    fn alloc(&mut self, bytes: u64, what: &str) -> Result<Address> {
        let (mut free, mut total, mut at) = (0, 0, 0);
        // SAFETY: each writes what it is given a place for.
        let code = unsafe {
            self.f.check("cuMemGetInfo", (self.f.cuMemGetInfo_v2)(&mut free, &mut total))?;
            (self.f.cuMemAlloc_v2)(&mut at, usize::try_from(bytes.max(1)).unwrap_or(usize::MAX))
        };
        if code == CUresult::CUDA_ERROR_OUT_OF_MEMORY as u32 {
            let message = format!("needs {bytes} bytes, and of the GPU's {total} bytes {free} are free");
            return Err(RuntimeError::new(ErrorKind::DoesNotFit, what, message));
        }
        self.f.check("cuMemAlloc", code)?;
        self.memory.push(at);
        self.allocated += bytes;
        Ok(at)
    }

    fn allocated(&self) -> u64 {
        self.allocated
    }

    fn pinned(&mut self, bytes: usize) -> Result<*mut u8> {
        let mut at = null_mut();
        // SAFETY: writes one pointer.
        let code = unsafe { (self.f.cuMemHostAlloc)(&mut at, bytes, 0) };
        if code == CUresult::CUDA_ERROR_OUT_OF_MEMORY as u32 {
            let message =
                format!("{bytes} bytes cannot be pinned: there are not as many, or the system's limit is lower");
            return Err(RuntimeError::new(ErrorKind::DoesNotFit, "the host's memory", message));
        }
        self.f.check("cuMemHostAlloc", code)?;
        self.pinned.push(at);
        Ok(at.cast())
    }

    fn stream(&mut self, priority: Priority) -> Result<Stream> {
        let (mut stream, mut least, mut greatest) = (null_mut(), 0, 0);
        let flags = CUstream_flags_enum::CU_STREAM_NON_BLOCKING as u32;
        // SAFETY: each writes what it is given a place for.
        unsafe {
            self.f.check(
                "cuCtxGetStreamPriorityRange",
                (self.f.cuCtxGetStreamPriorityRange)(&mut least, &mut greatest),
            )?;
            let priority = if priority == Priority::Communication { greatest } else { least };
            self.f.check("cuStreamCreate", (self.f.cuStreamCreateWithPriority)(&mut stream, flags, priority))?;
        }
        self.streams.push(stream);
        Ok(Stream(self.streams.len() - 1))
    }

    fn event(&mut self) -> Result<Event> {
        self.event_of(CUevent_flags_enum::CU_EVENT_DISABLE_TIMING)
    }

    fn timed_event(&mut self) -> Result<Event> {
        self.event_of(CUevent_flags_enum::CU_EVENT_DEFAULT)
    }

    fn elapsed(&mut self, from: Event, to: Event) -> Result<f64> {
        let mut ms = 0f32;
        // SAFETY: writes one number; handles of this driver.
        let code = unsafe { (self.f.cuEventElapsedTime)(&mut ms, self.events[from.0], self.events[to.0]) };
        self.f.check("cuEventElapsedTime", code)?;
        Ok(f64::from(ms) * 1e3)
    }

    fn kernel(&mut self, symbol: &str, shape: &GpuLaunch) -> Result<KernelHandle> {
        let Some(function) = self.f.function(self.module, symbol) else {
            return Err(RuntimeError::usage(
                format!("kernels/{}", self.library),
                format!("does not define `{symbol}`"),
            ));
        };
        if (shape.cluster > 1 || !shape.tensor_maps.is_empty()) && self.newer.is_none() {
            return Err(newer::missing(symbol));
        }
        if shape.shared_bytes > SHARED {
            let attribute = CUfunction_attribute_enum::CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES as u32;
            // SAFETY: a function of a loaded module.
            let code = unsafe { (self.f.cuFuncSetAttribute)(function, attribute, shape.shared_bytes as i32) };
            self.f.check(&format!("{} bytes of shared memory for `{symbol}`", shape.shared_bytes), code)?;
        }
        self.functions.push(function);
        if let Some(word) = &mut self.waited {
            word.note(symbol);
        }
        Ok(KernelHandle(self.functions.len() - 1))
    }

    fn maps(&self, shape: &GpuLaunch, args: &[Address]) -> Result<(), String> {
        let Some(newer) = self.newer.filter(|_| !shape.tensor_maps.is_empty()) else {
            let older = || format!("it knows CUDA {}, and 12.0 is needed", version_text(self.version));
            return if shape.tensor_maps.is_empty() { Ok(()) } else { Err(older()) };
        };
        shape.tensor_maps.iter().try_for_each(|m| {
            let code = newer.try_map(m, args[m.arg as usize]).err();
            code.map_or(Ok(()), |code| Err(self.f.name(code)))
        })
    }

    fn reduction(&mut self, op: Reduction, dtype: DType) -> Result<()> {
        if self.reductions.contains_key(&(op, dtype)) {
            return Ok(());
        }
        let fail = |why: String| {
            RuntimeError::new(ErrorKind::Rank, "cuda", format!("the reduction of {}: {why}", dtype.name()))
        };
        let text = reduction::ptx(op, dtype).ok_or_else(|| fail("there is none".into()))?;
        let module = self.f.load(text.as_bytes(), true).map_err(fail)?;
        self.modules.push(module);
        let find = |name: &str| self.f.function(module, name).ok_or_else(|| fail(format!("no `{name}`")));
        let [all, scatter] = reduction::entries(op, dtype);
        self.reductions.insert((op, dtype), [find(&all)?, find(&scatter)?]);
        Ok(())
    }

    fn matmul(&mut self, p: &Gemm, aligned: &[u64]) -> Result<Option<Multiply>> {
        Ok(self.matmuls.plan(p, aligned)?.map(|plan| {
            let workspace = plan.workspace();
            self.plans.push(plan);
            Multiply { plan: self.plans.len() - 1, workspace }
        }))
    }

    fn about_matmuls(&self, taken: usize, all: usize) -> String {
        self.matmuls.describe(taken, all)
    }

    unsafe fn multiply(&mut self, s: Stream, what: Multiply, args: &[Address], workspace: Address) -> Result<()> {
        // SAFETY: as the caller promises.
        unsafe { self.plans[what.plan].run(args, workspace, self.handle(s)) }
    }

    fn most_blocks(&self, shape: &GpuLaunch) -> u64 {
        self.multiprocessors * blocks_of_a_multiprocessor(shape)
    }

    unsafe fn launch(&mut self, stream: Stream, l: &KernelLaunch<'_>) -> Result<()> {
        let (function, stream) = (self.functions[l.kernel.0], self.streams[stream.0]);
        if let Some(newer) = self.newer.filter(|_| l.shape.cluster > 1 || !l.shape.tensor_maps.is_empty()) {
            // SAFETY: as the caller promises.
            return unsafe { newer.launch(function, stream, l, &|what, code| self.f.check(what, code)) };
        }
        // SAFETY: as the caller promises.
        unsafe { self.f.launch(function, l.blocks, l.shape.threads, l.shape.shared_bytes, stream, l.words) }
    }

    unsafe fn reduce(&mut self, stream: Stream, r: &Reduce) -> Result<()> {
        let Some([all, scatter]) = self.reductions.get(&(r.op, r.dtype)) else {
            return Err(RuntimeError::new(ErrorKind::Rank, "cuda", "a reduction that was not made ready"));
        };
        let (function, total, a, b) = match r.shape {
            Reduced::All { count } => (*all, count, count, 0),
            Reduced::Scatter { rows, run } => (*scatter, r.ranks * rows * run, rows, run),
        };
        if total == 0 {
            return Ok(());
        }
        let most = self.multiprocessors * THREADS_PER_MULTIPROCESSOR / u64::from(reduction::THREADS) * WAVES;
        let blocks = total.div_ceil(reduction::THREADS.into()).min(most);
        let words = [r.bases, r.ranks, r.src, r.dst, a, b];
        // SAFETY: the entry's parameters; as the caller promises.
        unsafe { self.f.launch(function, blocks, reduction::THREADS, 0, self.streams[stream.0], &words) }
    }

    unsafe fn copy(&mut self, stream: Stream, r: &StridedRows) -> Result<()> {
        let (f, s) = (&self.f, self.streams[stream.0]);
        if r.width == 0 || r.rows == 0 {
            return Ok(());
        }
        let whole = r.rows == 1 || (r.width == r.src_pitch && r.width == r.dst_pitch);
        if whole {
            // SAFETY: as the caller promises.
            let code = unsafe { (f.cuMemcpyDtoDAsync_v2)(r.dst, r.src, (r.width * r.rows) as usize, s) };
            return f.check("a copy", code);
        }
        if r.src_pitch.max(r.dst_pitch) > self.max_pitch {
            for row in 0..r.rows {
                let (dst, src) = (r.dst + row * r.dst_pitch, r.src + row * r.src_pitch);
                // SAFETY: as the caller promises.
                f.check("a copy", unsafe { (f.cuMemcpyDtoDAsync_v2)(dst, src, r.width as usize, s) })?;
            }
            return Ok(());
        }
        let copy = CUDA_MEMCPY2D {
            srcXInBytes: 0,
            srcY: 0,
            srcMemoryType: CUmemorytype_enum::CU_MEMORYTYPE_DEVICE,
            srcHost: std::ptr::null(),
            srcDevice: r.src,
            srcArray: null_mut(),
            srcPitch: r.src_pitch as usize,
            dstXInBytes: 0,
            dstY: 0,
            dstMemoryType: CUmemorytype_enum::CU_MEMORYTYPE_DEVICE,
            dstHost: null_mut(),
            dstDevice: r.dst,
            dstArray: null_mut(),
            dstPitch: r.dst_pitch as usize,
            WidthInBytes: r.width as usize,
            Height: r.rows as usize,
        };
        // SAFETY: as the caller promises; the description is read before the call returns.
        f.check("a copy of rows", unsafe { (f.cuMemcpy2DAsync_v2)(&copy, s) })
    }

    unsafe fn fill(&mut self, stream: Stream, dst: Address, element: &[u8], count: u64) -> Result<()> {
        let (f, s, n) = (&self.f, self.streams[stream.0], count as usize);
        if n == 0 {
            return Ok(());
        }
        let word = |at: usize| u32::from_ne_bytes(std::array::from_fn(|i| element[at + i]));
        // SAFETY: as the caller promises.
        let code = unsafe {
            match element.len() {
                1 => (f.cuMemsetD8Async)(dst, element[0], n, s),
                2 => (f.cuMemsetD16Async)(dst, u16::from_ne_bytes([element[0], element[1]]), n, s),
                4 => (f.cuMemsetD32Async)(dst, word(0), n, s),
                _ if word(0) == word(4) => (f.cuMemsetD32Async)(dst, word(0), 2 * n, s),
                // Two columns of words, one after the other.
                _ => match (f.cuMemsetD2D32Async)(dst, 8, word(0), 1, n, s) {
                    0 => (f.cuMemsetD2D32Async)(dst + 4, 8, word(4), 1, n, s),
                    code => code,
                },
            }
        };
        f.check("a fill", code)
    }

    unsafe fn upload(&mut self, stream: Stream, dst: Address, src: *const u8, bytes: usize) -> Result<()> {
        // SAFETY: as the caller promises.
        let code = unsafe { (self.f.cuMemcpyHtoDAsync_v2)(dst, src.cast(), bytes, self.streams[stream.0]) };
        self.f.check("an upload", code)
    }

    unsafe fn download(&mut self, stream: Stream, dst: *mut u8, src: Address, bytes: usize) -> Result<()> {
        // SAFETY: as the caller promises.
        let code = unsafe { (self.f.cuMemcpyDtoHAsync_v2)(dst.cast(), src, bytes, self.streams[stream.0]) };
        self.f.check("a download", code)
    }

    fn record(&mut self, event: Event, stream: Stream) -> Result<()> {
        // SAFETY: handles of this driver.
        self.f.check("cuEventRecord", unsafe { (self.f.cuEventRecord)(self.events[event.0], self.streams[stream.0]) })
    }

    fn wait(&mut self, stream: Stream, event: Event) -> Result<()> {
        // SAFETY: as above.
        let code = unsafe { (self.f.cuStreamWaitEvent)(self.streams[stream.0], self.events[event.0], 0) };
        self.f.check("cuStreamWaitEvent", code)
    }

    fn finish(&mut self, event: Event) -> Result<()> {
        // SAFETY: as above.
        self.worked("work on the GPU", unsafe { (self.f.cuEventSynchronize)(self.events[event.0]) })
    }

    fn is_done(&mut self, stream: Stream) -> Result<bool> {
        // SAFETY: as above.
        match unsafe { (self.f.cuStreamQuery)(self.streams[stream.0]) } {
            code if code == CUresult::CUDA_ERROR_NOT_READY as u32 => Ok(false),
            code => self.worked("work on the GPU", code).map(|()| true),
        }
    }

    fn synchronize(&mut self, stream: Stream) -> Result<()> {
        // SAFETY: as above.
        self.worked("work on the GPU", unsafe { (self.f.cuStreamSynchronize)(self.streams[stream.0]) })
    }

    fn begin_capture(&mut self, stream: Stream) -> Result<()> {
        // Of this thread: NCCL's own threads go on with what they do.
        let mode = CUstreamCaptureMode_enum::CU_STREAM_CAPTURE_MODE_THREAD_LOCAL as u32;
        // SAFETY: as above.
        let code = unsafe { (self.f.cuStreamBeginCapture_v2)(self.streams[stream.0], mode) };
        self.f.check("cuStreamBeginCapture", code)
    }

    fn end_capture(&mut self, stream: Stream) -> Result<Graph> {
        let (mut graph, mut executable) = (null_mut(), null_mut());
        // SAFETY: as above; the graph is of no use once it is instantiated.
        unsafe {
            let code = (self.f.cuStreamEndCapture)(self.streams[stream.0], &mut graph);
            self.f.check("cuStreamEndCapture", code)?;
            let code = (self.f.cuGraphInstantiateWithFlags)(&mut executable, graph, 0);
            (self.f.cuGraphDestroy)(graph);
            self.f.check("cuGraphInstantiate", code)?;
        }
        self.graphs.push(executable);
        Ok(Graph(self.graphs.len() - 1))
    }

    unsafe fn replay(&mut self, graph: Graph, stream: Stream) -> Result<()> {
        // SAFETY: as the caller promises.
        let code = unsafe { (self.f.cuGraphLaunch)(self.graphs[graph.0], self.streams[stream.0]) };
        self.worked("a step", code)
    }

    fn end_graphs(&mut self) {
        for g in self.graphs.drain(..) {
            // SAFETY: made once and given back once. What giving back says is of no use: the next call says it again.
            unsafe { (self.f.cuGraphExecDestroy)(g) };
        }
    }

    fn handle(&self, stream: Stream) -> *mut c_void {
        self.streams[stream.0].cast()
    }
}

impl Drop for Gpu {
    fn drop(&mut self) {
        // The library has a handle for the context that goes below.
        (0..self.streams.len()).for_each(|s| _ = self.synchronize(Stream(s)));
        self.plans.clear();
        self.matmuls = Matmuls::none();
        self.end_graphs();
        // SAFETY: each handle was made once and is given back once, after all work is done or has failed. What giving back says is of
        // no use to anybody: the process goes on without the GPU, or ends.
        unsafe {
            self.events.iter().for_each(|&e| _ = (self.f.cuEventDestroy_v2)(e));
            self.streams.iter().for_each(|&s| _ = (self.f.cuStreamDestroy_v2)(s));
            self.pinned.iter().for_each(|&p| _ = (self.f.cuMemFreeHost)(p));
            if let Some(word) = self.waited.take() {
                word.end(&self.f);
            }
            self.memory.iter().for_each(|&p| _ = (self.f.cuMemFree_v2)(p));
            self.modules.iter().chain([&self.module]).for_each(|&m| _ = (self.f.cuModuleUnload)(m));
            (self.f.cuDevicePrimaryCtxRelease_v2)(self.device);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use meshloom_bundle::{Swizzle, TensorMap};

    /// A block of 217,152 bytes has a multiprocessor to itself, of 108,608 bytes there are two.
    #[test]
    fn kernels_with_tensor_maps_are_given_to_each_multiprocessor_once() {
        let map = TensorMap {
            arg: 0,
            offset: 0,
            dtype: DType::BF16,
            shape: vec![64, 128],
            strides: vec![128],
            tile: vec![64, 128],
            swizzle: Swizzle::Bytes128,
        };
        let of = |threads, shared_bytes, maps: &[TensorMap]| {
            let tensor_maps = maps.to_vec();
            blocks_of_a_multiprocessor(&GpuLaunch { shared_bytes, tensor_maps, ..GpuLaunch::per_block(threads) })
        };
        assert_eq!(of(384, 217_152, std::slice::from_ref(&map)), 1);
        assert_eq!(of(160, 108_608, std::slice::from_ref(&map)), 2);
        assert_eq!(of(1024, 1024, std::slice::from_ref(&map)), 2);
        assert_eq!(of(256, 200_000, &[]), 8 * WAVES);
    }
}
