//! A device that is the host: memory is the host's, kernels are a CPU library's, and streams promise what CUDA's do and
//! nothing more.
//!
//! Work that is issued to a stream waits in a queue. When the host waits for something, queues are emptied in an order
//! drawn by a seed: a stream may be far behind or ahead of the others, and only events hold it. So a program whose work
//! is not ordered by events gives wrong results for some seed, on any machine. Capturing follows CUDA's rules as well:
//! streams that joined must have come back at the end, nothing may wait for what was recorded outside, and the host may
//! not wait meanwhile.

use super::blas::{Matmuls, Plan};
use super::driver::*;
use crate::collectives::reduce;
use crate::device::call::{KernelAddress, call};
use crate::device::library::Library;
use crate::error::{ErrorKind, Result, RuntimeError};
use meshloom_bundle::{DType, Gemm, GpuLaunch, LibraryContents, Reduction};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::ffi::c_void;
use std::ops::Range;
use std::rc::Rc;

/// What was asked for since the start.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    pub launches: usize,
    pub matmuls: usize,
    pub reductions: usize,
    pub copies: usize,
    pub waits: usize,
    pub replays: usize,
    /// Pieces of work that were done while another stream had earlier ones left.
    pub overtaken: usize,
}

pub struct Simulated {
    library: Library,
    kernels: Vec<KernelAddress>,
    matmuls: Matmuls,
    plans: Vec<Rc<Plan>>,
    /// What of the work failed first.
    failed: Option<RuntimeError>,
    memory: Vec<Vec<u64>>,
    pinned: Vec<Range<usize>>,
    allocated: u64,
    queues: Vec<VecDeque<(usize, Item)>>,
    /// How often each event was recorded, and the latest of these that has come.
    recorded: Vec<usize>,
    come: Vec<usize>,
    /// Microseconds that each stream has been at work and has waited, and when each event came, each time. Streams run side by side in this
    /// time, whatever order their work is done in.
    clocks: Vec<f64>,
    times: Vec<Vec<f64>>,
    capture: Option<Capture>,
    graphs: Vec<Vec<Node>>,
    random: Random,
    given: usize,
    counts: Counts,
    eager: bool,
}

enum Item {
    Do(Op),
    Record(Event, usize),
    Wait(Event, usize),
}

#[derive(Clone)]
enum Op {
    Launch(KernelAddress, Vec<usize>),
    Multiply(Rc<Plan>, Vec<Address>, Address),
    Reduce(Reduce),
    Copy(StridedRows),
    Fill(Address, Vec<u8>, u64),
    Move { dst: usize, src: usize, bytes: usize },
    Graph(usize),
}

struct Node {
    op: Op,
    after: Vec<usize>,
}

#[derive(Default)]
struct Capture {
    origin: usize,
    nodes: Vec<Node>,
    /// Of each stream that takes part, what comes next is after these.
    tails: BTreeMap<usize, BTreeSet<usize>>,
    events: BTreeMap<usize, BTreeSet<usize>>,
}

struct Random(u64);

impl Random {
    fn next(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((self.0 >> 33) % n.max(1) as u64) as usize
    }
}

fn wrong<T>(what: &str) -> Result<T> {
    Err(RuntimeError::new(ErrorKind::Rank, "simulated device", what))
}

impl Simulated {
    /// A device with the kernels of a bundle's best library for this CPU, and an order of work drawn by `seed`.
    ///
    /// # Errors
    /// There is no library that runs here.
    pub fn new(libraries: &[LibraryContents], seed: u64) -> Result<Simulated> {
        Ok(Simulated {
            library: Library::load(libraries)?,
            kernels: Vec::new(),
            matmuls: Matmuls::none(),
            plans: Vec::new(),
            failed: None,
            memory: Vec::new(),
            pinned: Vec::new(),
            allocated: 0,
            queues: Vec::new(),
            recorded: Vec::new(),
            come: Vec::new(),
            clocks: Vec::new(),
            times: Vec::new(),
            capture: None,
            graphs: Vec::new(),
            random: Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x5bd1_e995),
            given: 0,
            counts: Counts::default(),
            eager: false,
        })
    }

    /// A device that does everything when it is given: for others who work on its memory at their own time.
    ///
    /// # Errors
    /// As [`Simulated::new`].
    pub fn eager(libraries: &[LibraryContents]) -> Result<Simulated> {
        Ok(Simulated { eager: true, ..Simulated::new(libraries, 0)? })
    }

    /// The same with matmuls of a library that works on the host's memory.
    pub fn with_matmuls(self, matmuls: Matmuls) -> Simulated {
        Simulated { matmuls, ..self }
    }

    pub fn counts(&self) -> Counts {
        self.counts
    }

    fn give(&mut self, stream: Stream, op: Op) -> Result<()> {
        if let Some(c) = &mut self.capture
            && let Some(tail) = c.tails.get_mut(&stream.0)
        {
            let captured = match op {
                // As CUDA has it: to and from memory of the host that is pinned, and so stays where it is.
                Op::Move { dst, src, bytes } => {
                    let holds = |p: &Range<usize>, at: usize| p.start <= at && at + bytes <= p.end;
                    self.pinned.iter().any(|p| holds(p, dst) || holds(p, src))
                }
                Op::Graph(_) => false,
                _ => true,
            };
            if !captured {
                return wrong("work that cannot be captured");
            }
            let after = std::mem::take(tail).into_iter().collect();
            tail.insert(c.nodes.len());
            c.nodes.push(Node { op, after });
            return Ok(());
        }
        self.push(stream, Item::Do(op));
        self.failed.take().map_or(Ok(()), Err)
    }

    fn push(&mut self, stream: Stream, item: Item) {
        if self.eager {
            self.tick(stream.0, &item);
            match item {
                Item::Do(op) => self.perform(op),
                Item::Record(e, at) => self.come[e.0] = at,
                Item::Wait(..) => {}
            }
            return;
        }
        self.given += 1;
        self.queues[stream.0].push_back((self.given, item));
    }

    /// Does the next of some stream that can go on, until `done` says enough.
    fn advance(&mut self, done: impl Fn(&Simulated) -> bool) -> Result<()> {
        if self.capture.is_some() {
            return wrong("the host waits while work is captured");
        }
        let mut favourite = self.random.next(self.queues.len());
        while !done(self) {
            // For a while one stream is quicker than the others.
            if self.random.next(8) == 0 {
                favourite = self.random.next(self.queues.len());
            }
            let n = self.queues.len();
            let next = (0..n).map(|k| (favourite + k) % n).find(|&s| match self.queues[s].front() {
                Some((_, Item::Wait(e, at))) => self.come[e.0] >= *at,
                Some(_) => true,
                None => false,
            });
            let Some(s) = next else { return wrong("every stream waits for another one") };
            let Some((number, item)) = self.queues[s].pop_front() else { continue };
            self.tick(s, &item);
            match item {
                Item::Do(op) => {
                    let behind = self.queues.iter().flatten().any(|(k, i)| *k < number && matches!(i, Item::Do(_)));
                    self.counts.overtaken += usize::from(behind);
                    self.perform(op);
                }
                Item::Record(e, at) => self.come[e.0] = self.come[e.0].max(at),
                Item::Wait(..) => {}
            }
            if let Some(e) = self.failed.take() {
                return Err(e);
            }
        }
        Ok(())
    }

    /// Moves a stream's clock past an item.
    fn tick(&mut self, stream: usize, item: &Item) {
        let cost = |op: &Op| match op {
            Op::Launch(..) | Op::Multiply(..) => 10.0,
            Op::Graph(_) => 100.0,
            _ => 4.0,
        };
        match item {
            Item::Do(op) => self.clocks[stream] += cost(op),
            // An event comes in the order in which it was recorded.
            Item::Record(e, _) => self.times[e.0].push(self.clocks[stream]),
            Item::Wait(e, at) => {
                let came = at.checked_sub(1).and_then(|k| self.times[e.0].get(k)).copied().unwrap_or(0.0);
                self.clocks[stream] = self.clocks[stream].max(came);
            }
        }
    }

    fn perform(&mut self, op: Op) {
        // SAFETY: whoever gave the work promised that addresses are of memory that this gave out, or pinned; all of it is the host's,
        // and one thing is done at a time.
        unsafe {
            match op {
                Op::Launch(code, words) => call(code, &words),
                Op::Multiply(plan, args, workspace) => {
                    if let Err(e) = plan.run(&args, workspace, std::ptr::null_mut()) {
                        self.failed.get_or_insert(e);
                    }
                }
                Op::Reduce(r) => perform_reduce(&r),
                Op::Copy(r) => {
                    for row in 0..r.rows {
                        let (src, dst) = (r.src + row * r.src_pitch, r.dst + row * r.dst_pitch);
                        std::ptr::copy(src as *const u8, dst as *mut u8, r.width as usize);
                    }
                }
                Op::Fill(dst, element, count) => {
                    for i in 0..count as usize {
                        let to = (dst as *mut u8).add(i * element.len());
                        std::ptr::copy_nonoverlapping(element.as_ptr(), to, element.len());
                    }
                }
                Op::Move { dst, src, bytes } => std::ptr::copy_nonoverlapping(src as *const u8, dst as *mut u8, bytes),
                Op::Graph(g) => self.perform_graph(g),
            }
        }
    }

    /// Any order that the graph allows.
    fn perform_graph(&mut self, g: usize) {
        let nodes: Vec<(Op, Vec<usize>)> = self.graphs[g].iter().map(|n| (n.op.clone(), n.after.clone())).collect();
        let mut left: Vec<usize> = nodes.iter().map(|n| n.1.len()).collect();
        let mut readers: Vec<Vec<usize>> = vec![Vec::new(); nodes.len()];
        for (k, (_, after)) in nodes.iter().enumerate() {
            after.iter().for_each(|&a| readers[a].push(k));
        }
        let mut ready: Vec<usize> = (0..nodes.len()).filter(|&k| left[k] == 0).collect();
        while !ready.is_empty() {
            // Rather the latest or the earliest than any: work runs far ahead, or lags far behind.
            let pick = match self.random.next(3) {
                0 => 0,
                1 => ready.len() - 1,
                _ => self.random.next(ready.len()),
            };
            let k = ready.remove(pick);
            self.counts.overtaken += usize::from(ready.iter().any(|&r| r < k));
            self.perform(nodes[k].0.clone());
            for &r in &readers[k] {
                left[r] -= 1;
                if left[r] == 0 {
                    ready.push(r);
                }
            }
        }
    }
}

/// # Safety
/// The table and what it leads to are the host's memory.
unsafe fn perform_reduce(r: &Reduce) {
    let size = r.dtype.bytes();
    // SAFETY: as the caller promises.
    let base = |k: u64| unsafe { *(r.bases as *const u64).add(k as usize) };
    let one = |from: u64, elements: u64, to: &mut dyn FnMut(&[u8])| {
        let bytes = (elements * size) as usize;
        let mut out = vec![0u64; bytes.div_ceil(8)];
        // SAFETY: as above; the sum is private, and aligned for every type.
        unsafe {
            let out = out.as_mut_ptr().cast::<u8>();
            reduce::all(r.op, r.dtype, out, r.ranks as usize, bytes, &|k| (base(k as u64) + r.src + from) as *const u8);
            to(std::slice::from_raw_parts(out, bytes));
        }
    };
    let put = |rank: u64, at: u64, bytes: &[u8]| {
        // SAFETY: as above.
        unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), (base(rank) + r.dst + at) as *mut u8, bytes.len()) };
    };
    match r.shape {
        Reduced::All { count } => one(0, count, &mut |sum| (0..r.ranks).for_each(|k| put(k, 0, sum))),
        Reduced::Scatter { rows, run } => {
            for row in 0..rows {
                for rank in 0..r.ranks {
                    let from = (row * r.ranks + rank) * run * size;
                    one(from, run, &mut |sum| put(rank, row * run * size, sum));
                }
            }
        }
    }
}

impl Driver for Simulated {
    fn alloc(&mut self, bytes: u64, what: &str) -> Result<Address> {
        let Some(words) = usize::try_from(bytes).ok().filter(|b| *b < 1 << 40).map(|b| b / 8 + 33) else {
            return Err(RuntimeError::new(
                ErrorKind::DoesNotFit,
                what,
                format!("{bytes} bytes are more than this device has"),
            ));
        };
        // What was there before is anything: here no number.
        let memory = vec![0xfff8_a5a5_a5a5_a5a5; words];
        let address = (memory.as_ptr() as u64).next_multiple_of(256);
        self.memory.push(memory);
        self.allocated += bytes;
        Ok(address)
    }

    fn allocated(&self) -> u64 {
        self.allocated
    }

    fn pinned(&mut self, bytes: usize) -> Result<*mut u8> {
        let mut memory = vec![0u64; bytes.div_ceil(8)];
        let base: *mut u8 = memory.as_mut_ptr().cast();
        self.pinned.push(base as usize..base as usize + bytes);
        self.memory.push(memory);
        Ok(base)
    }

    fn stream(&mut self, _: Priority) -> Result<Stream> {
        self.queues.push(VecDeque::new());
        self.clocks.push(0.0);
        Ok(Stream(self.queues.len() - 1))
    }

    fn event(&mut self) -> Result<Event> {
        self.recorded.push(0);
        self.come.push(0);
        self.times.push(Vec::new());
        Ok(Event(self.come.len() - 1))
    }

    fn timed_event(&mut self) -> Result<Event> {
        self.event()
    }

    fn elapsed(&mut self, from: Event, to: Event) -> Result<f64> {
        match (self.times[from.0].last(), self.times[to.0].last()) {
            (Some(from), Some(to)) => Ok(to - from),
            _ => wrong("a time between events that have not come"),
        }
    }

    fn kernel(&mut self, symbol: &str, _: &GpuLaunch) -> Result<KernelHandle> {
        self.kernels.push(self.library.kernel(symbol)?);
        Ok(KernelHandle(self.kernels.len() - 1))
    }

    fn reduction(&mut self, _: Reduction, _: DType) -> Result<()> {
        Ok(())
    }

    fn matmul(&mut self, p: &Gemm, aligned: &[u64]) -> Result<Option<Multiply>> {
        Ok(self.matmuls.plan(p, aligned)?.map(|plan| {
            let workspace = plan.workspace();
            self.plans.push(Rc::new(plan));
            Multiply { plan: self.plans.len() - 1, workspace }
        }))
    }

    fn about_matmuls(&self, taken: usize, all: usize) -> String {
        self.matmuls.describe(taken, all)
    }

    unsafe fn multiply(&mut self, s: Stream, what: Multiply, args: &[Address], workspace: Address) -> Result<()> {
        self.counts.matmuls += 1;
        self.give(s, Op::Multiply(self.plans[what.plan].clone(), args.to_vec(), workspace))
    }

    fn most_blocks(&self, _: &GpuLaunch) -> u64 {
        u64::MAX
    }

    unsafe fn launch(&mut self, stream: Stream, launch: &KernelLaunch<'_>) -> Result<()> {
        self.counts.launches += 1;
        let words = launch.words.iter().map(|&w| w as usize).collect();
        self.give(stream, Op::Launch(self.kernels[launch.kernel.0], words))
    }

    unsafe fn reduce(&mut self, stream: Stream, reduce: &Reduce) -> Result<()> {
        self.counts.reductions += 1;
        self.give(stream, Op::Reduce(*reduce))
    }

    unsafe fn copy(&mut self, stream: Stream, rows: &StridedRows) -> Result<()> {
        self.counts.copies += 1;
        if rows.rows > 1 && (rows.width > rows.src_pitch || rows.width > rows.dst_pitch) {
            return wrong("rows that overlap");
        }
        self.give(stream, Op::Copy(*rows))
    }

    unsafe fn fill(&mut self, stream: Stream, dst: Address, element: &[u8], count: u64) -> Result<()> {
        self.give(stream, Op::Fill(dst, element.to_vec(), count))
    }

    unsafe fn upload(&mut self, stream: Stream, dst: Address, src: *const u8, bytes: usize) -> Result<()> {
        self.give(stream, Op::Move { dst: dst as usize, src: src as usize, bytes })
    }

    unsafe fn download(&mut self, stream: Stream, dst: *mut u8, src: Address, bytes: usize) -> Result<()> {
        self.give(stream, Op::Move { dst: dst as usize, src: src as usize, bytes })
    }

    fn record(&mut self, event: Event, stream: Stream) -> Result<()> {
        if let Some(c) = &mut self.capture
            && let Some(tail) = c.tails.get(&stream.0)
        {
            c.events.insert(event.0, tail.clone());
            return Ok(());
        }
        self.recorded[event.0] += 1;
        self.push(stream, Item::Record(event, self.recorded[event.0]));
        Ok(())
    }

    fn wait(&mut self, stream: Stream, event: Event) -> Result<()> {
        self.counts.waits += 1;
        if let Some(c) = &mut self.capture {
            match c.events.get(&event.0) {
                Some(after) => c.tails.entry(stream.0).or_default().extend(after),
                None if c.tails.contains_key(&stream.0) => {
                    return wrong("captured work waits for what is not captured");
                }
                None => {}
            }
            if c.tails.contains_key(&stream.0) {
                return Ok(());
            }
        }
        self.push(stream, Item::Wait(event, self.recorded[event.0]));
        Ok(())
    }

    fn finish(&mut self, event: Event) -> Result<()> {
        let at = self.recorded[event.0];
        self.advance(|s| s.come[event.0] >= at)
    }

    fn is_done(&mut self, stream: Stream) -> Result<bool> {
        self.synchronize(stream).map(|()| true)
    }

    fn synchronize(&mut self, stream: Stream) -> Result<()> {
        self.advance(|s| s.queues[stream.0].is_empty())
    }

    fn captures(&self) -> bool {
        !self.eager
    }

    fn begin_capture(&mut self, stream: Stream) -> Result<()> {
        let tails = BTreeMap::from([(stream.0, BTreeSet::new())]);
        match self.capture.replace(Capture { origin: stream.0, tails, ..Capture::default() }) {
            None => Ok(()),
            Some(_) => wrong("captured twice"),
        }
    }

    fn end_capture(&mut self, stream: Stream) -> Result<Graph> {
        let Some(c) = self.capture.take().filter(|c| c.origin == stream.0) else { return wrong("nothing is captured") };
        // All that was captured must come before the end of the first stream.
        let mut before = vec![false; c.nodes.len()];
        let mut open: Vec<usize> = c.tails[&c.origin].iter().copied().collect();
        while let Some(k) = open.pop() {
            if !std::mem::replace(&mut before[k], true) {
                open.extend(&c.nodes[k].after);
            }
        }
        if before.contains(&false) {
            return wrong("a stream that joined has not come back");
        }
        self.graphs.push(c.nodes);
        Ok(Graph(self.graphs.len() - 1))
    }

    unsafe fn replay(&mut self, graph: Graph, stream: Stream) -> Result<()> {
        self.counts.replays += 1;
        self.give(stream, Op::Graph(graph.0))
    }

    fn end_graphs(&mut self) {
        self.graphs.clear();
    }

    fn handle(&self, _: Stream) -> *mut c_void {
        std::ptr::null_mut()
    }
}
