//! One entry of a bundle, loaded onto the devices of this process.
//!
//! ```no_run
//! # fn main() -> meshloom_runtime::Result<()> {
//! # let bytes = Vec::new();
//! use meshloom_runtime::{Session, SessionOptions};
//! let bundle = meshloom_bundle::Bundle::read(&bytes).map_err(|e| meshloom_runtime::RuntimeError::bundle("model.loomx", &e))?;
//! let mut session = Session::open(&bundle, "gpt", &SessionOptions::default())?;
//! session.initialize()?;
//! session.input(&"tokens=@tokens.npy".parse()?)?;
//! let report = session.step()?;
//! # Ok(()) }
//! ```

use crate::data::{Feed, Input, convert, init::initial};
use crate::device::{CpuMachine, DeviceKind, LateStages, Share, cores, gpu, library::Library};
use crate::engine::Engine;
use crate::error::{ErrorKind, Result, RuntimeError};
use crate::held::Held;
use crate::host::{HostTensor, describe};
use crate::measured::{self, MeasuredRank};
use crate::named;
use crate::origin::Origin;
use crate::shard::{self, Window};
use crate::stages::Stages;
use crate::trace::Trace;
use crate::world::{Spot, World};
use meshloom_bundle::{Bundle, DType, EntryContents, EntryKind, Pipeline, Port, Program, Role};
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Instant;
use twox_hash::XxHash3_64;

#[derive(Clone, Debug, Default)]
pub struct SessionOptions {
    /// Worker threads; by default one per core.
    pub threads: Option<usize>,
    /// For initial values and data order.
    pub seed: u64,
    /// The other processes, where this is one of several. All of them then do the same with their sessions, in the same order.
    pub world: Option<Arc<World>>,
    /// Who hears of ranks of a pipeline that are late, where they are threads of this process.
    pub late: Option<LateStages>,
}

pub struct Session {
    /// Of an entry with pipeline stages, the outline.
    program: Program,
    pipeline: Option<Pipeline>,
    kind: EntryKind,
    engine: Engine,
    /// Hash of the bundle, and what it was made from: kept with checkpoints.
    pub(crate) bundle: String,
    pub(crate) origin: Origin,
    seed: u64,
    steps_done: u64,
    pub(crate) data: DataPosition,
    world: Option<Arc<World>>,
    /// How many runs there were, the one of them that is to be traced, and its trace.
    runs: u64,
    traced: Option<u64>,
    trace: Option<Trace>,
    /// Set while rank 0 reads alone, and the others hand it what it reads.
    alone: Cell<bool>,
    /// Hashes of the global values that were written before the first run, by port and layer: for ranks to compare.
    written: BTreeMap<(usize, Option<u64>), u64>,
}

/// How far a run has read its data.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DataPosition {
    /// Rows that were trained on, over all epochs.
    pub samples: u64,
    /// What they were read from, in the words of [`crate::data::Feed::describe`].
    pub source: Option<String>,
}

/// What one step reported.
#[derive(Clone, Debug, PartialEq)]
pub struct StepReport {
    /// Steps done, this one included: the first reports 1.
    pub step: u64,
    pub loss: Option<f64>,
    /// Metrics by name, in the program's order.
    pub metrics: Vec<(String, f64)>,
    /// Mean loss on held-out data after this step, where it was asked for.
    pub eval_loss: Option<f64>,
    /// Mean of each metric of that loss on these data.
    pub eval_metrics: Vec<(String, f64)>,
    pub seconds: f64,
    pub tokens: u64,
}

/// A copy of parameters and state: device, offset in its arena, bytes.
pub(crate) struct KeptState(Vec<(usize, u64, Vec<u8>)>);

impl StepReport {
    pub fn metric(&self, name: &str) -> Option<f64> {
        self.metrics.iter().find(|m| m.0 == name).map(|m| m.1)
    }

    pub fn tokens_per_second(&self) -> f64 {
        self.tokens as f64 / self.seconds.max(1e-9)
    }
}

impl Session {
    /// Loads kernels and allocates arenas, which are zero. Parameters have no values before [`Session::initialize`] or a load.
    pub fn open(bundle: &Bundle, entry: &str, options: &SessionOptions) -> Result<Session> {
        let found = find_entry(bundle, entry)?;
        let world = options.world.clone();
        let engine = match DeviceKind::of(&bundle.contents.libraries) {
            DeviceKind::Cpu => {
                let library = Library::load(&bundle.contents.libraries)?;
                let default = || cores() / world.as_ref().map_or(1, |w| w.sharers());
                let threads = options.threads.unwrap_or_else(default).clamp(1, 1024);
                match &found.pipeline {
                    Some(p) => {
                        let stages = Stages::open(found, p, library, threads, world.as_ref(), options.late)?;
                        Engine::Stages(Box::new(stages))
                    }
                    None => {
                        let share = Share::of(&found.program, world.as_ref())?;
                        let library = Arc::new(library);
                        Engine::Cpu(Box::new(CpuMachine::new(&found.program, library, threads, share, None)?))
                    }
                }
            }
            DeviceKind::Cuda => {
                let (libraries, pipeline) = (&bundle.contents.libraries, found.pipeline.as_ref());
                let machine = gpu::open(&found.program, pipeline, libraries, world.as_ref())?;
                Engine::Cuda(Box::new(RefCell::new(machine)))
            }
        };
        Ok(Session::with(bundle, found, options, engine))
    }

    /// As [`Session::open`], on devices that a driver of the caller's has, all in this process: see [`gpu::simulated`].
    ///
    /// # Errors
    /// As [`Session::open`], and what the driver says.
    pub fn on_driver(
        bundle: &Bundle,
        entry: &str,
        options: &SessionOptions,
        driver: Box<dyn gpu::driver::Driver>,
    ) -> Result<Session> {
        let found = find_entry(bundle, entry)?;
        let (program, pipeline) = (&found.program, found.pipeline.as_ref());
        let machine = gpu::GpuMachine::of(program, pipeline, driver, 0..program.devices(), None, &[])?;
        Ok(Session::with(bundle, found, options, Engine::Cuda(Box::new(RefCell::new(machine)))))
    }

    fn with(bundle: &Bundle, found: &EntryContents, options: &SessionOptions, engine: Engine) -> Session {
        let world = options.world.clone();
        let (program, kind) = (found.program.clone(), found.kind);
        Session {
            program,
            pipeline: found.pipeline.clone(),
            kind,
            engine,
            bundle: bundle.hash.clone(),
            origin: Origin::of(bundle, &found.program.entry, &found.program.ports),
            seed: options.seed,
            steps_done: 0,
            data: DataPosition::default(),
            world,
            runs: 0,
            traced: None,
            trace: None,
            alone: Cell::new(false),
            written: BTreeMap::new(),
        }
    }

    /// The processes of the run, where there are several.
    pub fn world(&self) -> Option<&World> {
        self.world.as_deref()
    }

    /// The devices of this process.
    pub fn devices(&self) -> std::ops::Range<usize> {
        self.engine.own()
    }

    pub(crate) fn engine(&self) -> &Engine {
        &self.engine
    }

    pub fn program(&self) -> &Program {
        &self.program
    }

    /// Who holds what of the entry's tensors.
    pub(crate) fn held(&self) -> Held<'_> {
        Held { whole: &self.program, pipeline: self.pipeline.as_ref() }
    }

    pub fn kind(&self) -> EntryKind {
        self.kind
    }

    pub fn seed(&self) -> u64 {
        self.seed
    }

    pub fn steps_done(&self) -> u64 {
        self.steps_done
    }

    pub(crate) fn set_position(&mut self, steps: u64, data: DataPosition) {
        (self.steps_done, self.data) = (steps, data);
    }

    /// How far the data was read.
    pub fn data_position(&self) -> &DataPosition {
        &self.data
    }

    /// Bytes that each device has received from others since the session was opened.
    pub fn received_bytes(&self) -> Vec<u64> {
        self.engine.received_bytes()
    }

    /// The most bytes that were allocated for the devices at any time: arenas, scratch, buffers of collectives.
    pub fn peak_bytes(&self) -> u64 {
        self.engine.peak_bytes()
    }

    /// Bytes of the host's memory in which the devices of this process keep tensors.
    pub fn host_bytes(&self) -> u64 {
        self.engine.host_bytes()
    }

    /// Libraries of the machine that the run takes, and what it takes in the place of those that are not there: a line for each.
    pub fn libraries(&self) -> Vec<String> {
        self.engine.libraries()
    }

    /// What was measured of the ranks of a pipeline since the session was opened, beside what its table says; empty without
    /// pipeline stages, and before the first run. All processes ask at the same time, and all hear the same.
    pub fn measured_ranks(&self) -> Vec<MeasuredRank> {
        let Some(p) = &self.pipeline else { return Vec::new() };
        let mut bytes = measured::to_bytes(p, &self.engine.turns());
        if let Some(w) = &self.world {
            w.combine(&mut bytes, Spot::BETWEEN);
        }
        measured::ranks(p, &measured::from_bytes(p, &bytes))
    }

    pub fn workers(&self) -> usize {
        self.engine.workers()
    }

    /// Ports in the program's order, aliases left out.
    pub fn ports(&self, roles: &'static [Role]) -> impl Iterator<Item = &Port> {
        self.program.ports.iter().filter(|p| p.alias.is_none() && roles.contains(&p.role))
    }

    /// Gives parameters and state their initial values, the same on every mesh.
    pub fn initialize(&mut self) -> Result<()> {
        for index in 0..self.program.ports.len() {
            let p = &self.program.ports[index];
            if p.alias.is_some() || !matches!(p.role, Role::Parameter | Role::State) {
                continue;
            }
            for (name, layer) in names(p) {
                let p = &self.program.ports[index];
                let (shape, seed) = (shape_of(p, layer), self.seed);
                let t = initial(p.init, p.dtype, &shape, &name, seed)?;
                self.put(index, layer, &t.bytes)?;
            }
        }
        self.set_position(0, DataPosition::default());
        Ok(())
    }

    /// Gives an input (or a parameter) its value.
    pub fn input(&mut self, input: &Input) -> Result<()> {
        let (index, layer) = self.find(&input.name)?;
        let p = &self.program.ports[index];
        // A formula for all layers of a stacked tensor, if its key says where the number goes.
        if p.stacked && layer.is_none() && !matches!(input.value, crate::data::InputSource::File(..)) {
            for (name, layer) in names(p) {
                let p = &self.program.ports[index];
                let t = input.value.tensor(&name, p, &shape_of(p, layer), layer)?;
                self.put(index, layer, &t.bytes)?;
            }
            return Ok(());
        }
        crate::named::fits(&self.program.ports, &self.program.entry, &input.name, &input.value)?;
        let t = input.value.tensor(&input.name, p, &shape_of(p, layer), layer)?;
        self.write_from(&input.name, &input.value.place(&input.name), t)
    }

    /// The inputs of the step that begins with this sample, of which a process reads the rows that its devices hold.
    ///
    /// # Errors
    /// As [`Feed::batch`].
    pub fn feed(&mut self, feed: &Feed, sample: u64) -> Result<()> {
        self.feed_copies(feed, sample, u64::MAX)
    }

    /// As [`Session::feed`], with copies of `of` rows in turn where the batch has more.
    ///
    /// # Errors
    /// As there.
    pub fn feed_copies(&mut self, feed: &Feed, sample: u64, of: u64) -> Result<()> {
        let mut rows: Option<std::ops::Range<u64>> = None;
        for name in feed.inputs() {
            let Some(port) = self.program.port(name) else { continue };
            for device in self.engine.own() {
                for own in self.held().blocks(port, device).into_iter().filter_map(|b| b.into_iter().next()) {
                    if !own.is_empty() {
                        rows = Some(rows.map_or(own.clone(), |r| r.start.min(own.start)..r.end.max(own.end)));
                    }
                }
            }
        }
        for (name, t) in feed.part_of_batch(sample, of, rows.unwrap_or(0..0))? {
            self.write(name, t)?;
        }
        Ok(())
    }

    /// Writes a global value. Ports are named by path; `blocks.3.qkv` is one layer of `blocks.*.qkv`.
    pub fn write(&mut self, name: &str, t: HostTensor) -> Result<()> {
        self.write_from(name, name, t)
    }

    /// The same; errors say that the value is from `place`.
    fn write_from(&mut self, name: &str, place: &str, t: HostTensor) -> Result<()> {
        let (index, layer) = self.find(name)?;
        let p = &self.program.ports[index];
        let t = convert(t, p.dtype, &shape_of(p, layer)).map_err(|m| RuntimeError::usage(place, m))?;
        if let Some(r) = p.range
            && let Some((at, v)) =
                t.to_i64().and_then(|v| v.into_iter().enumerate().find(|(_, v)| !(r.lo..r.hi).contains(v)))
        {
            return Err(RuntimeError::usage(
                place,
                format!("element {at} is {v}; the program takes {}..{}", r.lo, r.hi),
            ));
        }
        self.put(index, layer, &t.bytes)?;
        Ok(())
    }

    /// Hashes of the global values of these roles that were written before the first run, by name; none in a run of one process.
    pub fn written(&self, roles: &[Role]) -> Vec<(String, u64)> {
        let of = |(&(index, layer), &hash): (&(usize, Option<u64>), &u64)| {
            let port = &self.program.ports[index];
            let name = layer.map_or_else(|| port.name.clone(), |l| port.layer_name(l));
            roles.contains(&port.role).then_some((name, hash))
        };
        self.written.iter().filter_map(of).collect()
    }

    /// As [`Session::write`], from memory that stays the caller's: where the element type is the port's, the bytes are copied once, to
    /// where the devices have them.
    ///
    /// # Errors
    /// As [`Session::write`], and memory that does not have as many bytes as the shape says.
    pub fn write_from_memory(&mut self, name: &str, dtype: DType, shape: &[u64], bytes: &[u8]) -> Result<()> {
        let (index, layer) = self.find(name)?;
        let p = &self.program.ports[index];
        let expected = shape.iter().try_fold(dtype.bytes(), |n, d| n.checked_mul(*d));
        if expected != Some(bytes.len() as u64) {
            return Err(RuntimeError::usage(name, format!("{} bytes for {}", bytes.len(), describe(dtype, shape))));
        }
        if p.dtype == dtype && p.range.is_none() && shape_of(p, layer) == shape {
            return self.put(index, layer, bytes);
        }
        self.write(name, HostTensor { dtype, shape: shape.to_vec(), bytes: bytes.to_vec() })
    }

    /// As [`Session::read`], into memory of the caller's, of a run of one process.
    ///
    /// # Errors
    /// An unknown name, memory that has not as many bytes as the value.
    pub fn read_into(&self, name: &str, host: &mut [u8]) -> Result<()> {
        let (index, layer) = self.find(name)?;
        let port = &self.program.ports[index];
        let window = shard::window(port, layer);
        if shard::bytes(port, &window) != host.len() as u64 || self.world.is_some() {
            let what = describe(port.dtype, &shape_of(port, layer));
            return Err(RuntimeError::usage(name, format!("{} bytes of memory of one process for {what}", host.len())));
        }
        self.engine.gather(&self.program, port, &window, host)
    }

    /// The stream of a GPU on which this session copies from and to memory of others there ([`Session::write_from_gpu`]): the number of
    /// the GPU, and CUDA's handle. `None` on CPU devices, and where other processes have devices.
    pub fn stream_of_copies(&self) -> Option<(usize, *mut std::ffi::c_void)> {
        match &self.engine {
            // Without other processes, all devices share the first GPU.
            Engine::Cuda(m) if self.world.is_none() => Some((0, m.borrow().stream_of_copies())),
            _ => None,
        }
    }

    /// As [`Session::write_from_memory`], from memory of the devices' GPU, in order on the stream of copies; returns when it was read.
    /// `false`: the value has to come by way of the host, since its type or shape is not the port's, its elements have to be looked at,
    /// or the devices keep it in the host's memory.
    ///
    /// # Errors
    /// An unknown name; the device's.
    ///
    /// # Safety
    /// At `address` lies a dense, row-major value of this type and shape, in memory of the GPU that [`Session::stream_of_copies`] names.
    /// What writes it is done, or the stream of copies waits for it.
    pub unsafe fn write_from_gpu(&mut self, name: &str, dtype: DType, shape: &[u64], address: u64) -> Result<bool> {
        let (index, layer) = self.find(name)?;
        let p = &self.program.ports[index];
        if p.dtype != dtype || p.range.is_some() || shape_of(p, layer) != shape || self.world.is_some() {
            return Ok(false);
        }
        // SAFETY: as the caller promises.
        unsafe { self.engine.pass(p, &shard::window(p, layer), address, gpu::Direction::ToDevice) }
    }

    /// As [`Session::read_into`], into memory of the devices' GPU; returns when it is written. `false`: it has to come by way of the host.
    ///
    /// # Errors
    /// An unknown name; the device's.
    ///
    /// # Safety
    /// At `address` is memory of the GPU that [`Session::stream_of_copies`] names, for the bytes of the value, which nothing else touches.
    pub unsafe fn read_into_gpu(&self, name: &str, address: u64) -> Result<bool> {
        let (index, layer) = self.find(name)?;
        let p = &self.program.ports[index];
        if self.world.is_some() {
            return Ok(false);
        }
        // SAFETY: as the caller promises.
        unsafe { self.engine.pass(p, &shard::window(p, layer), address, gpu::Direction::FromDevice) }
    }

    /// Reads a global value: an output, a gradient, a parameter, anything that is a port.
    pub fn read(&self, name: &str) -> Result<HostTensor> {
        let (index, layer) = self.find(name)?;
        let p = &self.program.ports[index];
        Ok(HostTensor { dtype: p.dtype, shape: shape_of(p, layer), bytes: self.get(p, layer)? })
    }

    /// Runs the program once without counting a step: an entry that is a function.
    pub fn run(&mut self) -> Result<()> {
        self.runs += 1;
        if self.traced != Some(self.runs) {
            return self.engine.run();
        }
        self.trace = Some(self.engine.trace()?);
        Ok(())
    }

    /// Runs the program `runs` times, and says how many seconds one of them took: on GPUs by the device's clock, with one wait for all.
    /// No step is counted, and nothing is read in between.
    ///
    /// # Errors
    /// As [`Session::run`].
    pub fn timed(&mut self, runs: u64) -> Result<f64> {
        self.runs += runs;
        self.engine.timed(runs)
    }

    /// Records what runs when in one later run, by its number: 1 is the first since the session was opened.
    pub fn trace_run(&mut self, number: u64) {
        self.traced = Some(number);
    }

    /// The number of the run that was asked for; 0 if none was.
    pub fn traced_run(&self) -> u64 {
        self.traced.unwrap_or(0)
    }

    /// The run that was traced, once it is done.
    pub fn trace(&self) -> Option<&Trace> {
        self.trace.as_ref()
    }

    /// Runs one train step.
    pub fn step(&mut self) -> Result<StepReport> {
        let start = Instant::now();
        if let Some(w) = &self.world {
            w.set_step(self.steps_done + 1);
        }
        self.run()?;
        let seconds = start.elapsed().as_secs_f64();
        self.steps_done += 1;
        let metrics = self.metrics();
        let (step, loss, tokens) = (self.steps_done, self.loss(), self.program.tokens_per_step);
        Ok(StepReport { step, loss, metrics, eval_loss: None, eval_metrics: Vec::new(), seconds, tokens })
    }

    /// Room for a copy of the parameters and state of this process's devices.
    pub(crate) fn kept_state(&self) -> KeptState {
        let mut all = Vec::new();
        for device in self.engine.own() {
            for port in self.ports(&[Role::Parameter, Role::State]) {
                let places = self.engine.places(port, device).into_iter();
                all.extend(places.map(|(offset, bytes)| (device, offset, vec![0; bytes as usize])));
            }
        }
        KeptState(all)
    }

    /// Copies parameters and state as they are now.
    pub(crate) fn keep(&self, kept: &mut KeptState) -> Result<()> {
        kept.0.iter_mut().try_for_each(|(device, offset, bytes)| self.engine.read(*device, *offset, bytes))
    }

    /// Gives parameters and state the values that were kept.
    pub(crate) fn put_back(&mut self, kept: &KeptState) -> Result<()> {
        kept.0.iter().try_for_each(|(device, offset, bytes)| self.engine.write(*device, *offset, bytes))
    }

    /// The loss of the last run.
    pub fn loss(&self) -> Option<f64> {
        self.scalar(self.program.ports.iter().find(|p| p.role == Role::Loss)?)
    }

    /// The metrics of the last run by name, in the program's order.
    pub(crate) fn metrics(&self) -> Vec<(String, f64)> {
        let ports = self.program.ports.iter().filter(|p| p.role == Role::Metric);
        ports.filter_map(|p| Some((p.name.clone(), self.scalar(p)?))).collect()
    }

    fn scalar(&self, p: &Port) -> Option<f64> {
        HostTensor { dtype: p.dtype, shape: vec![], bytes: self.own_scalar(p)? }
            .to_f64()
            .and_then(|v| v.first().copied())
    }

    /// Copies the parameters of another entry of the same bundle, by path: `generate` after `train`.
    pub fn copy_parameters(&mut self, from: &Session) -> Result<()> {
        for index in 0..self.program.ports.len() {
            let p = &self.program.ports[index];
            if p.alias.is_some() || p.role != Role::Parameter {
                continue;
            }
            for (name, layer) in names(p) {
                let t = from.read(&name).map_err(|e| {
                    RuntimeError::new(ErrorKind::Rejected, name.clone(), format!("the other entry: {e}"))
                })?;
                let p = &self.program.ports[index];
                let t = convert(t, p.dtype, &shape_of(p, layer))
                    .map_err(|m| RuntimeError::new(ErrorKind::Rejected, name, m))?;
                self.put(index, layer, &t.bytes)?;
            }
        }
        Ok(())
    }

    /// The name in the program of what `name` means: see [`named::resolve`].
    pub fn resolve(&self, name: &str) -> Option<String> {
        named::resolve(&self.program.ports, name)
    }

    /// The port of a path, and the layer if the path names one.
    fn find(&self, name: &str) -> Result<(usize, Option<u64>)> {
        named::find(&self.program.ports, &self.program.entry, name)
    }

    /// A scalar lies on every device, so that no process has to ask another one; but for pipeline stages, of which one has it.
    fn own_scalar(&self, p: &Port) -> Option<Vec<u8>> {
        if !p.global_shape.is_empty() || !self.engine.is_alike() {
            return self.get(p, None).ok();
        }
        self.engine.first_bytes(p, p.dtype.bytes() as usize).ok()
    }

    /// The global bytes of a port, or of one layer. With several processes, all of them ask for the same, or rank 0 asks within
    /// [`Session::on_first`].
    pub(crate) fn get(&self, port: &Port, layer: Option<u64>) -> Result<Vec<u8>> {
        if let Some(w) = self.world.as_ref().filter(|_| self.alone.get()) {
            let index = self.program.ports.iter().position(|p| std::ptr::eq(p, port)).unwrap_or(usize::MAX);
            w.combine(&mut Request::Tensor(index, layer).to_bytes(), Spot::READ);
        }
        let window = shard::window(port, layer);
        // What other processes hold is 0 here: ranks combine what they have.
        let mut bytes = vec![0; shard::bytes(port, &window) as usize];
        self.engine.gather(&self.program, port, &window, &mut bytes)?;
        if let Some(w) = &self.world {
            w.combine(&mut bytes, Spot::READ);
        }
        Ok(bytes)
    }

    /// Runs `f` on rank 0, for work that only one process should do, such as writing files. Meanwhile the other ranks send the tensors
    /// that `f` reads, in the order in which it reads them, and get `None`. With one process, `f` simply runs.
    ///
    /// # Errors
    /// What `f` says.
    pub fn on_first<T, E>(&self, f: impl FnOnce(&Session) -> Result<T, E>) -> Result<Option<T>, E> {
        let Some(w) = &self.world else { return f(self).map(Some) };
        if w.rank() == 0 {
            self.alone.set(true);
            let result = f(self);
            self.alone.set(false);
            w.combine(&mut Request::Done.to_bytes(), Spot::READ);
            return result.map(Some);
        }
        loop {
            let mut request = [0; Request::BYTES];
            w.combine(&mut request, Spot::READ);
            match Request::from_bytes(request) {
                Request::Done => return Ok(None),
                Request::Tensor(index, layer) => {
                    if let Some(port) = self.program.ports.get(index) {
                        // Rank 0 sees what this rank has, or that it is gone.
                        let _ = self.get(port, layer);
                    }
                }
            }
        }
    }

    /// A window of a port that one device of this process holds all of.
    pub(crate) fn part(&self, port: &Port, w: &Window, device: usize) -> Result<Vec<u8>> {
        self.engine.part(&self.program, port, w, device)
    }

    /// Whether a device of this process holds something of a window of a port.
    pub(crate) fn holds(&self, index: usize, w: &Window) -> bool {
        let port = &self.program.ports[index];
        self.engine.own().any(|d| self.held().holds(port, w, d))
    }

    /// Writes a window of a port, as far as the devices of this process hold it.
    pub(crate) fn put_window(&mut self, index: usize, w: &Window, bytes: &[u8]) -> Result<()> {
        self.engine.scatter(&self.program, &self.program.ports[index], w, bytes)
    }

    /// Writes global bytes to the shards of this process.
    pub(crate) fn put(&mut self, index: usize, layer: Option<u64>, bytes: &[u8]) -> Result<()> {
        self.note_written(index, layer, bytes);
        let port = &self.program.ports[index];
        self.engine.scatter(&self.program, port, &shard::window(port, layer), bytes)
    }

    /// What ranks compare of a value: its bytes, or something that stands for all of them where each rank writes its own part.
    pub(crate) fn note_written(&mut self, index: usize, layer: Option<u64>, bytes: &[u8]) {
        if self.world.is_some() && self.runs == 0 {
            self.written.insert((index, layer), XxHash3_64::oneshot(bytes));
        }
    }
}

fn find_entry<'a>(bundle: &'a Bundle, entry: &str) -> Result<&'a EntryContents> {
    let found = bundle.entry(entry).ok_or_else(|| {
        let names: Vec<&str> = bundle.manifest.entries.iter().map(|e| e.name.as_str()).collect();
        RuntimeError::usage(format!("entry `{entry}`"), format!("is not in the bundle, which has {}", names.join(", ")))
    })?;
    // Bundles are values, and may have been changed since they were read.
    meshloom_bundle::validate_entry(found).map_err(|e| RuntimeError::bundle(&format!("entry `{entry}`"), &e))?;
    Ok(found)
}

/// What rank 0 asks the others for.
enum Request {
    /// A port, and a layer of it.
    Tensor(usize, Option<u64>),
    Done,
}

impl Request {
    const BYTES: usize = 16;

    fn to_bytes(&self) -> [u8; Request::BYTES] {
        let (port, layer) = match self {
            Request::Done => (0, 0),
            Request::Tensor(p, l) => (*p as u64 + 1, l.map_or(0, |l| l + 1)),
        };
        std::array::from_fn(|i| if i < 8 { port.to_le_bytes()[i] } else { layer.to_le_bytes()[i - 8] })
    }

    fn from_bytes(b: [u8; Request::BYTES]) -> Request {
        let word = |at: usize| u64::from_le_bytes(std::array::from_fn(|i| b[at + i]));
        match word(0).checked_sub(1) {
            None => Request::Done,
            Some(port) => Request::Tensor(port as usize, word(8).checked_sub(1)),
        }
    }
}

/// The tensors that files hold for a port: one, or one for each layer.
pub(crate) fn names(p: &Port) -> Vec<(String, Option<u64>)> {
    if !p.stacked {
        return vec![(p.name.clone(), None)];
    }
    (0..p.global_shape[0]).map(|l| (p.layer_name(l), Some(l))).collect()
}

/// Shape of a port, or of one layer of it.
pub(crate) fn shape_of(p: &Port, layer: Option<u64>) -> Vec<u64> {
    if layer.is_some() { p.global_shape[1..].to_vec() } else { p.global_shape.clone() }
}
