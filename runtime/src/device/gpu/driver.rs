//! What the executor asks of a device: memory, streams, events, launches, captured graphs. There are two drivers: a GPU
//! by CUDA's driver API ([`super::gpu`]), and the host ([`super::simulated`]). The host promises of streams and events
//! what CUDA promises and no more, so tests on any machine find code that relies on more.
//!
//! Handles are numbers of things that live as long as the driver.

pub use crate::collectives::moves::StridedRows;
use crate::error::Result;
use meshloom_bundle::{DType, Gemm, GpuLaunch, Reduction};
use std::ffi::c_void;

/// A place in device memory.
pub type Address = u64;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stream(pub usize);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Event(pub usize);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KernelHandle(pub usize);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Graph(pub usize);

/// A matmul by a library.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Multiply {
    pub plan: usize,
    /// Bytes of device memory that it needs to itself while it runs.
    pub workspace: u64,
}

/// What a stream is for: work that is short and waited for goes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Priority {
    Compute,
    Communication,
}

/// One launch of a kernel.
#[derive(Clone, Debug)]
pub struct KernelLaunch<'a> {
    pub kernel: KernelHandle,
    pub shape: &'a GpuLaunch,
    pub blocks: u64,
    /// Buffers, workspace, `lo`, `hi`, dims.
    pub words: &'a [u64],
}

/// A reduction over the arenas of several devices that have one memory, in the order of ranks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reduce {
    pub op: Reduction,
    pub dtype: DType,
    /// Where the table of the ranks' arenas lies, and how many there are.
    pub bases: Address,
    pub ranks: u64,
    /// Bytes from each base.
    pub src: u64,
    pub dst: u64,
    pub shape: Reduced,
}

/// In elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reduced {
    /// `[count]` of every rank, into every rank's.
    All { count: u64 },
    /// `[rows, ranks * run]` of every rank, into `[rows, run]` of each: its own columns.
    Scatter { rows: u64, run: u64 },
}

/// A device and its streams. Work on one stream is done in order; between two streams, only events order work.
pub trait Driver {
    /// Uninitialised memory, aligned to 256 bytes.
    ///
    /// # Errors
    /// Too little memory: of kind [`crate::Kind::DoesNotFit`].
    fn alloc(&mut self, bytes: u64, what: &str) -> Result<Address>;

    /// Bytes allocated so far.
    fn allocated(&self) -> u64;

    /// Pinned host memory: copies between it and the device need no other buffer. It lives as long as the driver.
    fn pinned(&mut self, bytes: usize) -> Result<*mut u8>;

    fn stream(&mut self, priority: Priority) -> Result<Stream>;

    fn event(&mut self) -> Result<Event>;

    /// An event that knows when it came.
    fn timed_event(&mut self) -> Result<Event>;

    /// Microseconds between two such events, both of which have come.
    fn elapsed(&mut self, from: Event, to: Event) -> Result<f64>;

    /// A kernel of the loaded library, made ready for launches of this shape.
    fn kernel(&mut self, symbol: &str, shape: &GpuLaunch) -> Result<KernelHandle>;

    /// Whether the tensor maps of a launch of this shape can be made, of arguments that lie here. The error says why not, for people.
    fn maps(&self, _shape: &GpuLaunch, _args: &[Address]) -> Result<(), String> {
        Ok(())
    }

    /// Makes ready for a kind of reduction.
    fn reduction(&mut self, op: Reduction, dtype: DType) -> Result<()>;

    /// Makes a matmul ready for a library, where it is to compute it in the place of a kernel: see [`super::blas`].
    ///
    /// # Errors
    /// The library fails.
    fn matmul(&mut self, p: &Gemm, aligned: &[u64]) -> Result<Option<Multiply>>;

    /// Who computes `all` matmuls, of which `taken` were made ready for a library; for people.
    fn about_matmuls(&self, taken: usize, all: usize) -> String;

    /// A matmul of the arguments that lie here.
    ///
    /// # Safety
    /// As [`Driver::launch`]; and of the workspace.
    unsafe fn multiply(&mut self, s: Stream, what: Multiply, args: &[Address], workspace: Address) -> Result<()>;

    /// The number of blocks beyond which a launch gains nothing.
    fn most_blocks(&self, shape: &GpuLaunch) -> u64;

    /// # Safety
    /// The kernel takes these arguments, and they are addresses of what it expects. Nothing else touches what it writes, except
    /// work on a stream that has waited for it. The same goes for all work that is issued to streams.
    unsafe fn launch(&mut self, stream: Stream, launch: &KernelLaunch<'_>) -> Result<()>;

    /// # Safety
    /// As [`Driver::launch`].
    unsafe fn reduce(&mut self, stream: Stream, reduce: &Reduce) -> Result<()>;

    /// # Safety
    /// As [`Driver::launch`].
    unsafe fn copy(&mut self, stream: Stream, rows: &StridedRows) -> Result<()>;

    /// Repeats an element of 1, 2, 4 or 8 bytes.
    ///
    /// # Safety
    /// As [`Driver::launch`].
    unsafe fn fill(&mut self, stream: Stream, dst: Address, element: &[u8], count: u64) -> Result<()>;

    /// # Safety
    /// As [`Driver::launch`]; `src` is pinned, and stays as it is until the stream has come past this.
    unsafe fn upload(&mut self, stream: Stream, dst: Address, src: *const u8, bytes: usize) -> Result<()>;

    /// # Safety
    /// As [`Driver::launch`]; `dst` is pinned, and is read after the stream has come past this.
    unsafe fn download(&mut self, stream: Stream, dst: *mut u8, src: Address, bytes: usize) -> Result<()>;

    /// Sets the event to the present end of the stream.
    fn record(&mut self, event: Event, stream: Stream) -> Result<()>;

    /// Work that is issued to the stream from now on waits for the place where the event was recorded last.
    fn wait(&mut self, stream: Stream, event: Event) -> Result<()>;

    /// Returns when the event has come.
    fn finish(&mut self, event: Event) -> Result<()>;

    /// Returns when all that was given to the stream is done.
    ///
    /// # Errors
    /// What of it failed, on any stream.
    fn synchronize(&mut self, stream: Stream) -> Result<()>;

    /// Whether all that was given to the stream is done.
    ///
    /// # Errors
    /// As [`Driver::synchronize`].
    fn is_done(&mut self, stream: Stream) -> Result<bool>;

    /// Whether work can be captured.
    fn captures(&self) -> bool {
        true
    }

    /// From now on, work that is issued to the stream, and to streams that wait for it, is recorded and not done.
    fn begin_capture(&mut self, stream: Stream) -> Result<()>;

    fn end_capture(&mut self, stream: Stream) -> Result<Graph>;

    /// Does what was recorded.
    ///
    /// # Safety
    /// As for each part of it.
    unsafe fn replay(&mut self, graph: Graph, stream: Stream) -> Result<()>;

    /// Ends all graphs, and with them what they hold on to, such as communicators: none is replayed afterwards. Work that goes on still
    /// does, and its graph ends after it.
    fn end_graphs(&mut self);

    /// CUDA's own handle, for NCCL.
    fn handle(&self, stream: Stream) -> *mut c_void;
}
