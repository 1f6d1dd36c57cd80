//! The executable program of one entry: what every device of the mesh does in one step.
//!
//! A program is a list of instructions over one arena per device. All devices run the same list. A device differs from
//! another only in the contents of its arena and in [`Dim::ShardStart`]. Addresses are byte offsets into the arena, so
//! the program does not say where an arena lies, and a device can be a CPU task, a process or a GPU. `gpu` says how
//! GPUs launch kernels.
//!
//! Conventions that the compiler, the runtime and the certificate share:
//! - The linear index of a device is row-major over `mesh`, first axis major.
//! - The group of a collective is the set of devices that differ only in `axes`. A device's rank in the group is its
//!   linear index over `axes` *in the order they are listed*, major first. A dim laid out over `(a, b)` is gathered by
//!   axes `[a, b]`.
//! - A device has a part of the host's memory too, if [`Program::host_bytes`] says so. Its offsets follow those of the arena:
//!   byte `arena_bytes + n` is byte `n` of the host's part. Ports may lie there, and what loops keep for the backward pass. Copies to
//!   and from the arena touch it; nothing else does, and no buffer has bytes of both.
//! - Buffers are dense and row-major, with the local shape. Every offset is a multiple of [`ALIGN`].
//!
//! `place` says where buffers are and how they move with loops.
//!
//! Not here: reading and writing files (`read`, `write`), checking (`validate`), and everything that executes.

use crate::encoding;
use crate::gpu::GpuLaunch;
pub use crate::place::{BufRef, Iterations, LOOPS, LoopIndex, Move, Moves};
pub use meshloom_scalar::{DType, Reduction, Role};
use serde::{Deserialize, Serialize};

/// Version of the structures in this file. A reader accepts exactly this one.
pub const PROGRAM_VERSION: u32 = 8;

/// Every buffer starts at a multiple of this many bytes: a cache line, and a vector register of the widest target.
pub const ALIGN: u64 = 64;

/// The most machine arguments (pointers and integers together) that a kernel may have.
pub const MAX_KERNEL_ARGS: usize = 32;

/// Bytes of partial sums that a worker keeps for collectives: half of a small L1 cache, so that they stay in it while the
/// worker reads the buffers of a group.
pub const PARTIAL_BYTES: u64 = 16 << 10;

/// All bytes that are ever allocated for one device with a worker of its own, given its arena and what kernels take beside it.
pub fn allocated(arena_bytes: u64, scratch_bytes: u64) -> u64 {
    arena_bytes.saturating_add(scratch_bytes).saturating_add(PARTIAL_BYTES)
}

/// One step of one entry, for every device.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Program {
    pub version: u32,
    /// Name of the entry, as the source declares it.
    pub entry: String,
    /// Mesh axes, major first. Size-1 axes are kept, since `axes` fields index this list.
    pub mesh: Vec<MeshAxis>,
    /// Size of each device's arena: parameters, state, inputs, outputs and temporaries.
    pub arena_bytes: u64,
    /// Bytes of the host's memory that belong to each device: tensors that are on the device only while they are needed.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub host_bytes: u64,
    /// Bytes of private memory of one worker thread, for kernels that take a scratch pointer: the maximum over kernels. On a
    /// GPU, the memory that the blocks of a launch divide among themselves.
    pub scratch_bytes: u64,
    /// Tokens (or samples) that one step consumes, over the whole mesh; 0 if a step consumes none.
    pub tokens_per_step: u64,
    pub kernels: Vec<KernelRef>,
    pub ports: Vec<Port>,
    /// What this pipeline stage and others send each other; none in a program without stages.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub wires: Vec<Wire>,
    pub instrs: Vec<Instr>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MeshAxis {
    pub name: String,
    pub size: u32,
}

/// A kernel: `void symbol(ptr buffer.., [ptr scratch], i64 lo, i64 hi, i64 dim..)`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KernelRef {
    pub symbol: String,
    /// Content hash of the kernel's specification (hex): equal specifications are one kernel.
    pub hash: String,
    /// How many buffers it takes.
    pub buffers: u32,
    /// How many `i64` dims follow `hi`.
    pub dims: u32,
    /// Whether it takes a scratch pointer after the buffers.
    pub scratch: bool,
    /// Bytes of scratch memory that a CPU's thread must have for it.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub scratch_bytes: u64,
    /// Its units: each launch runs `0..units`.
    pub units: u64,
    /// For each buffer, what all units together touch of it: no launch gives it less.
    pub touches: Vec<Vec<Touched>>,
    /// How a GPU launches it; absent in programs for CPUs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gpu: Option<GpuLaunch>,
}

/// Bytes from a buffer's start on that a kernel may read or write.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Touched {
    pub bytes: u64,
    /// Where they begin later by as much as a dim of the launch says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<DimStart>,
}

/// `stride` bytes times the value of a launch's dim.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DimStart {
    pub dim: u32,
    pub stride: u64,
}

fn is_zero(n: &u64) -> bool {
    *n == 0
}

fn is_false(b: &bool) -> bool {
    !b
}

impl KernelRef {
    /// What a library defines for it.
    pub fn symbols(&self) -> impl Iterator<Item = &str> {
        let other = self.gpu.as_ref().and_then(|g| g.by_threads.as_ref());
        std::iter::once(self.symbol.as_str()).chain(other.map(|o| o.symbol.as_str()))
    }
}

/// A tensor that the outside sees, and where its shard lies in the arena.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Port {
    /// Path in the source: `tok`, `blocks.*.qkv`; the name of an input or output otherwise.
    pub name: String,
    #[serde(with = "encoding")]
    pub role: Role,
    #[serde(with = "encoding")]
    pub dtype: DType,
    pub global_shape: Vec<u64>,
    pub local_shape: Vec<u64>,
    /// For each dim, the mesh axes that split it, major first, as indices into [`Program::mesh`]. A dim of `n` split into `k` has
    /// blocks of `ceil(n / k)`; the last ones may be short or empty. Over axes that no dim names, the tensor is replicated.
    pub layout: Vec<Vec<u32>>,
    /// Byte offset of the shard in the arena.
    pub offset: u64,
    /// Bytes of the shard: the local shape times the element size.
    pub bytes: u64,
    /// Dim 0 is the layer index of a `[Block; L]`: files hold one tensor per layer, `*` in the name replaced by its number.
    pub stacked: bool,
    /// Of a pipeline stage's part of a stacked tensor: the layer of the whole that its dim 0 begins with.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub first_layer: u64,
    /// Names of the layers of a stacked tensor, where they are not `name` with a number for its `*`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub entries: Vec<String>,
    /// Its elements are complex numbers: the last dim, of size 2, has real and imaginary part. In files it is complex64 or complex128.
    #[serde(default, skip_serializing_if = "is_false")]
    pub complex: bool,
    /// Its i64s are the bits of unsigned integers. In files they are u64.
    #[serde(default, skip_serializing_if = "is_false")]
    pub unsigned: bool,
    /// For an output that *is* another port after the step (an updated parameter): that port's index. Same offset, same bytes.
    pub alias: Option<u32>,
    /// The initial value of a parameter or state.
    pub init: Init,
    /// For integer inputs, the values allowed: `lo <= x < hi`. The runtime refuses others, since kernels index with them.
    pub range: Option<Range>,
}

impl Port {
    /// What files and numpy call its elements: `f32`, `complex64`, `u64`.
    pub fn element(&self) -> String {
        match self.complex {
            true => format!("complex{}", 16 * self.dtype.bytes()),
            false if self.unsigned => "u64".to_string(),
            false => self.dtype.name().to_string(),
        }
    }

    /// A shape of it, or of a layer, as files have it: complex numbers have no dim for their parts there.
    pub fn numbers<'s>(&self, shape: &'s [u64]) -> &'s [u64] {
        if self.complex { shape.split_last().map_or(shape, |s| s.1) } else { shape }
    }

    /// The name of a layer of a stacked tensor in files; its own layers are counted from 0.
    pub fn layer_name(&self, layer: u64) -> String {
        match usize::try_from(layer).ok().and_then(|l| self.entries.get(l)) {
            Some(name) => name.clone(),
            None => self.name.replace('*', &(self.first_layer + layer).to_string()),
        }
    }

    /// Which of its layers has this name in files: 3 for `blocks.3.qkv` of `blocks.*.qkv`, 1 of a part that begins with layer 2.
    pub fn layer_named(&self, name: &str) -> Option<u64> {
        if !self.entries.is_empty() {
            return self.entries.iter().position(|e| e == name).map(|l| l as u64);
        }
        let (before, after) = self.name.split_once('*').filter(|_| self.stacked)?;
        let middle = name.strip_prefix(before)?.strip_suffix(after)?;
        let digits = !middle.is_empty() && middle.bytes().all(|b| b.is_ascii_digit());
        let layer = middle.parse().ok().filter(|_| digits).and_then(|l: u64| l.checked_sub(self.first_layer))?;
        (layer < self.global_shape[0]).then_some(layer)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Range {
    pub lo: i64,
    pub hi: i64,
}

/// Initial values. Random ones are counter-based: they depend on (seed, path, layer, global index) and on no layout.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Init {
    Zeros,
    /// No initial value: the caller of the function must give one. For state of a program without initial values.
    Given,
    Ones,
    Constant(Number),
    /// Mean 0 and this standard deviation.
    Normal {
        std: f64,
    },
    /// The low 32 bits of the run's seed.
    Seed,
    /// Uniform in `[-bound, bound)`.
    Uniform {
        bound: f64,
    },
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Instr {
    Launch(Launch),
    Collective(Collective),
    /// Collectives of one kind over the same axes that do not depend on each other: devices meet once for all of them.
    Bucket(Vec<Collective>),
    /// Between parts of the arena, or between the arena and the host's memory.
    Copy {
        src: BufRef,
        dst: BufRef,
        bytes: u64,
    },
    /// Writes `count` elements of one value.
    Fill {
        dst: BufRef,
        #[serde(with = "encoding")]
        dtype: DType,
        count: u64,
        value: Number,
    },
    /// Runs `body` for iteration 0, 1, .. `trip - 1`. Loops nest at most [`LOOPS`] deep.
    Loop {
        trip: u64,
        body: Vec<Instr>,
    },
    While(Box<While>),
    Actions(Box<Actions>),
    /// Hands a value to the device at the same place of the mesh in another stage.
    Send(Transfer),
    /// Waits for a value of such a device.
    Receive(Transfer),
}

/// The work of a pipeline stage on the microbatches of a step, in the order of a schedule.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Actions {
    pub microbatches: u64,
    pub bodies: Vec<Action>,
    /// Each action once for each microbatch; those of one action in the order of the microbatches.
    pub order: Vec<Turn>,
}

/// What a stage does with one microbatch at a time: the body of a loop over microbatches, whose iterations run when their turn
/// comes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Action {
    /// As schedules write it: the stage, and F, B, I or W.
    pub name: String,
    pub body: Vec<Instr>,
}

/// One iteration of an action.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Turn {
    /// Index into [`Actions::bodies`].
    pub action: u32,
    pub microbatch: u64,
}

/// One side of what a stage sends to another. Both sides have a wire of the same name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Wire {
    pub name: String,
    /// The rank at the other end: its coordinate on the axis of the pipeline.
    pub stage: u32,
    /// Whether this stage sends.
    pub sends: bool,
    #[serde(with = "encoding")]
    pub dtype: DType,
    /// Of one device's shard, for one microbatch if it is one for each.
    pub shape: Vec<u64>,
    /// Once for each microbatch; else once in a step.
    pub each: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Transfer {
    /// Index into [`Program::wires`].
    pub wire: u32,
    pub buf: BufRef,
}

/// A loop that ends when a condition fails. All devices find the same condition, so they leave it together.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct While {
    /// The most iterations that it may run, if it has a limit.
    pub most: Option<u64>,
    /// One byte, read before each iteration at its place in that iteration: 0 ends the loop.
    pub going: BufRef,
    pub body: Vec<Instr>,
    /// Runs once after the loop, as if in the iteration after the last: copies what the last one left to where it is read.
    pub after: Vec<Instr>,
}

/// Runs a kernel over units `0..units`. Units are independent: any split into ranges gives the same bits.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Launch {
    /// Index into [`Program::kernels`].
    pub kernel: u32,
    pub args: Vec<BufRef>,
    /// Which of `args` the kernel writes; it may also read them.
    pub writes: Vec<u32>,
    /// As the kernel says ([`KernelRef::units`]).
    pub units: u64,
    pub dims: Vec<Dim>,
    pub source: Option<SourcePlace>,
    /// The certified local ops that this launch carries out.
    pub ops: Vec<u32>,
}

/// A collective over strided blocks, so that no dim has to be transposed to the front first.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Collective {
    /// Unique in the program; ranks compare it before they exchange anything.
    pub id: u32,
    pub kind: CollectiveKind,
    /// The mesh axes of the group, major first.
    pub axes: Vec<u32>,
    #[serde(with = "encoding")]
    pub dtype: DType,
    pub src: BufRef,
    /// May be equal to `src` for `all_reduce`; otherwise the two do not overlap.
    pub dst: BufRef,
    pub source: Option<SourcePlace>,
    /// The certified local ops that this collective carries out.
    pub ops: Vec<u32>,
}

/// Shapes are in elements; `n` is the group's size. A buffer is viewed as `[outer, dim, inner]`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum CollectiveKind {
    /// `[count]` to `[count]`.
    AllReduce {
        #[serde(with = "encoding")]
        reduction: Reduction,
        count: u64,
    },
    /// `[outer, block, inner]` to `[outer, n * block, inner]`, blocks by rank.
    AllGather { outer: u64, block: u64, inner: u64 },
    /// `[outer, n * block, inner]` to `[outer, block, inner]`.
    ReduceScatter {
        #[serde(with = "encoding")]
        reduction: Reduction,
        outer: u64,
        block: u64,
        inner: u64,
    },
    /// The split dim falls from `n * split` to `split`, the concat dim grows from `concat` to `n * concat`. With `split_first` the
    /// source is `[outer, n * split, middle, concat, inner]`, otherwise `[outer, concat, middle, n * split, inner]`.
    AllToAll { split_first: bool, outer: u64, split: u64, middle: u64, concat: u64, inner: u64 },
    /// `(from, to)` ranks in the group; a rank that no pair names as `to` receives zeros.
    CollectivePermute { count: u64, pairs: Vec<(u32, u32)> },
}

/// An integer argument of a kernel.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Dim {
    Const(i64),
    /// Where this device's block of a dim begins: (its linear index over `axes`, major first) x `block`.
    ShardStart {
        axes: Vec<u32>,
        block: i64,
    },
}

/// A place in the source text.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SourcePlace {
    pub file: String,
    pub line: u32,
    pub column: u32,
}

impl std::fmt::Display for SourcePlace {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}:{}", self.file, self.line, self.column)
    }
}

/// One element of any type: integers are exact, all 64 bits of them. JSON tells the two apart by the point that a float has.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Number {
    Int(i64),
    Float(f64),
}

impl Number {
    /// Integers beyond 2^53 are rounded.
    pub fn as_f64(self) -> f64 {
        match self {
            Number::Int(n) => n as f64,
            Number::Float(x) => x,
        }
    }

    pub fn as_i64(self) -> i64 {
        match self {
            Number::Int(n) => n,
            Number::Float(x) => x as i64,
        }
    }
}

impl std::fmt::Display for Number {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Number::Int(n) => n.fmt(f),
            Number::Float(x) => x.fmt(f),
        }
    }
}

impl Serialize for Number {
    fn serialize<S: serde::Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        match self {
            Number::Int(n) => s.serialize_i64(*n),
            Number::Float(x) => number::serialize(x, s),
        }
    }
}

impl<'de> Deserialize<'de> for Number {
    fn deserialize<D: serde::Deserializer<'de>>(d: D) -> Result<Number, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum Either {
            Int(i64),
            Float(#[serde(with = "number")] f64),
        }
        Ok(match Either::deserialize(d)? {
            Either::Int(n) => Number::Int(n),
            Either::Float(x) => Number::Float(x),
        })
    }
}

/// JSON has no infinities, and masks and maxima need them: they are written as text.
mod number {
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Number {
        Finite(f64),
        Text(String),
    }

    pub fn serialize<S: Serializer>(x: &f64, s: S) -> Result<S::Ok, S::Error> {
        if x.is_finite() { s.serialize_f64(*x) } else { s.serialize_str(&x.to_string()) }
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(d: D) -> Result<f64, D::Error> {
        match Number::deserialize(d)? {
            Number::Finite(x) => Ok(x),
            Number::Text(t) => match t.as_str() {
                "inf" => Ok(f64::INFINITY),
                "-inf" => Ok(f64::NEG_INFINITY),
                "NaN" => Ok(f64::NAN),
                _ => Err(D::Error::custom("expected a number, `inf`, `-inf` or `NaN`")),
            },
        }
    }
}

/// The arguments of a function in the order of its positions. An updated parameter is no other tensor than the parameter.
pub fn arguments(ports: &[Port]) -> impl Iterator<Item = &Port> {
    let roles = [Role::Parameter, Role::State, Role::Input];
    ports.iter().filter(move |p| p.alias.is_none() && roles.contains(&p.role))
}

impl Program {
    /// Number of devices of the mesh.
    pub fn devices(&self) -> usize {
        self.mesh.iter().map(|a| a.size as usize).product()
    }

    /// All bytes that are ever allocated for one device with a worker of its own.
    pub fn device_bytes(&self) -> u64 {
        allocated(self.arena_bytes, self.scratch_bytes)
    }

    /// Whether a place in a device's memory is in the host's part of it.
    pub fn in_host(&self, offset: u64) -> bool {
        self.host_bytes > 0 && offset >= self.arena_bytes
    }

    /// Number of devices in a group over `axes`.
    pub fn group_size(&self, axes: &[u32]) -> u64 {
        axes.iter().map(|&a| u64::from(self.mesh[a as usize].size)).product()
    }

    /// A device's coordinates on the mesh.
    pub fn coordinates(&self, device: usize) -> Vec<u32> {
        let mut rest = device;
        let mut c = vec![0; self.mesh.len()];
        for (k, axis) in self.mesh.iter().enumerate().rev() {
            c[k] = (rest % axis.size as usize) as u32;
            rest /= axis.size as usize;
        }
        c
    }

    /// A device's linear index over `axes`, major first: its rank in the group, or the number of its block of a dim.
    pub fn rank_over(&self, device: usize, axes: &[u32]) -> u64 {
        let c = self.coordinates(device);
        axes.iter().fold(0, |r, &a| r * u64::from(self.mesh[a as usize].size) + u64::from(c[a as usize]))
    }

    /// The bytes that all devices together put on the wire in one run, by the ring algorithm. It is the number of devices
    /// times a plan's `totals.wire_bytes_per_device`, and the runtime counts the same. A `while` counts with all iterations
    /// that its limit allows, and with one if it has no limit. The program must be validated.
    pub fn wire_bytes(&self) -> u64 {
        fn of(p: &Program, c: &Collective) -> u64 {
            let n = p.group_size(&c.axes);
            let bytes = c.kind.full_elements(n) * c.dtype.bytes();
            c.kind.wire_bytes_of_group(n, bytes) * (p.devices() as u64 / n)
        }
        fn sum(p: &Program, instrs: &[Instr]) -> u64 {
            let one = |i: &Instr| match i {
                Instr::Loop { trip, body } => trip * sum(p, body),
                Instr::While(w) => w.most.unwrap_or(1) * sum(p, &w.body),
                Instr::Actions(a) => a.microbatches * a.bodies.iter().map(|b| sum(p, &b.body)).sum::<u64>(),
                other => other.collectives().iter().map(|c| of(p, c)).sum(),
            };
            instrs.iter().map(one).sum()
        }
        sum(self, &self.instrs)
    }

    pub fn port(&self, name: &str) -> Option<&Port> {
        self.ports.iter().find(|p| p.name == name)
    }
}

impl Instr {
    /// The collectives that devices meet for here; those of a loop's body are not among them.
    pub fn collectives(&self) -> &[Collective] {
        match self {
            Instr::Collective(c) => std::slice::from_ref(c),
            Instr::Bucket(all) => all,
            _ => &[],
        }
    }
}

impl CollectiveKind {
    /// Whether one call can do both, given the same elements and group: the same kind and reduction.
    pub fn alike(&self, other: &CollectiveKind) -> bool {
        std::mem::discriminant(self) == std::mem::discriminant(other) && self.reduction() == other.reduction()
    }

    /// What it reduces by, if it does.
    pub fn reduction(&self) -> Option<Reduction> {
        match self {
            CollectiveKind::AllReduce { reduction, .. } | CollectiveKind::ReduceScatter { reduction, .. } => {
                Some(*reduction)
            }
            _ => None,
        }
    }

    /// Which dims of [`CollectiveKind::shapes`] change: the one that is split or gathered; or first the split one, then the gathered.
    pub fn dims(&self) -> &'static [usize] {
        match self {
            CollectiveKind::AllReduce { .. } | CollectiveKind::CollectivePermute { .. } => &[],
            CollectiveKind::AllGather { .. } | CollectiveKind::ReduceScatter { .. } => &[1],
            CollectiveKind::AllToAll { split_first: true, .. } => &[1, 3],
            CollectiveKind::AllToAll { split_first: false, .. } => &[3, 1],
        }
    }

    /// What one device's source and destination are seen as in a group of `n`; `None` on overflow.
    pub fn shapes(&self, n: u64) -> Option<(Vec<u64>, Vec<u64>)> {
        let times = |x: u64| x.checked_mul(n);
        Some(match *self {
            CollectiveKind::AllReduce { count, .. } | CollectiveKind::CollectivePermute { count, .. } => {
                (vec![count], vec![count])
            }
            CollectiveKind::AllGather { outer, block, inner } => {
                (vec![outer, block, inner], vec![outer, times(block)?, inner])
            }
            CollectiveKind::ReduceScatter { outer, block, inner, .. } => {
                (vec![outer, times(block)?, inner], vec![outer, block, inner])
            }
            CollectiveKind::AllToAll { split_first: true, outer, split, middle, concat, inner } => {
                (vec![outer, times(split)?, middle, concat, inner], vec![outer, split, middle, times(concat)?, inner])
            }
            CollectiveKind::AllToAll { split_first: false, outer, split, middle, concat, inner } => {
                (vec![outer, concat, middle, times(split)?, inner], vec![outer, times(concat)?, middle, split, inner])
            }
        })
    }

    pub fn name(&self) -> &'static str {
        match self {
            CollectiveKind::AllReduce { .. } => "all_reduce",
            CollectiveKind::AllGather { .. } => "all_gather",
            CollectiveKind::ReduceScatter { .. } => "reduce_scatter",
            CollectiveKind::AllToAll { .. } => "all_to_all",
            CollectiveKind::CollectivePermute { .. } => "collective_permute",
        }
    }

    /// Elements of one device's source and destination in a group of `n`; `None` on overflow.
    pub fn elements(&self, n: u64) -> Option<(u64, u64)> {
        let elements = |xs: Vec<u64>| xs.into_iter().try_fold(1u64, u64::checked_mul);
        let (from, to) = self.shapes(n)?;
        Some((elements(from)?, elements(to)?))
    }

    /// One device's full buffer, in elements: the `bytes` of a plan, before the element size.
    pub fn full_elements(&self, n: u64) -> u64 {
        self.elements(n).map_or(u64::MAX, |(s, d)| s.max(d))
    }

    /// The bytes that the whole group puts on the wire by the ring algorithm, for `bytes` = one device's full buffer: `n` times the
    /// `wire_bytes_per_device` of a plan. A whole number even where one device's share is a fraction.
    pub fn wire_bytes_of_group(&self, n: u64, bytes: u64) -> u64 {
        match self {
            CollectiveKind::AllReduce { .. } => 2 * (n - 1) * bytes,
            CollectiveKind::AllGather { .. }
            | CollectiveKind::ReduceScatter { .. }
            | CollectiveKind::AllToAll { .. } => (n - 1) * bytes,
            CollectiveKind::CollectivePermute { pairs, .. } => {
                pairs.iter().filter(|(a, b)| a != b).count() as u64 * bytes
            }
        }
    }
}
