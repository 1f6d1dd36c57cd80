//! The executable program: ports, steps and memory as the bundle's types.

use crate::LowerError;
use crate::arrange::{Arranged, Runs, arrange, arrange_stage};
use crate::memory::{ActionBody, Collective, Ref, Step};
use crate::normalize::Expanded;
use crate::weave::Weave;
use meshloom_bundle::{ByThreads, held_as, port_role, program as out};
use meshloom_ir::op::UNBOUNDED;
use meshloom_ir::{Axis, Func, Init, Mesh, Role, Scalar, Span, ValueId};
use meshloom_kernels::gpu::{ALIGN, GpuArch, Grid};
use meshloom_kernels::tensor_map::TensorMap;
use meshloom_kernels::{DType, Device, KernelSpec, gemm};
use std::collections::BTreeMap;

/// What scheduling needs to know besides the program.
pub struct ScheduleOptions<'a> {
    /// Source places of spans, for messages at run time.
    pub locate: &'a dyn Fn(Span) -> Option<out::SourcePlace>,
    pub tokens_per_step: u64,
    /// What runs it.
    pub device: Device,
    /// GPUs round f32 to tf32 where they contract it.
    pub tf32: bool,
    /// Every op rounds to its type, inside of kernels too.
    pub rounds_each: bool,
}

impl ScheduleOptions<'_> {
    pub fn runs(&self) -> Runs {
        Runs { device: self.device, tf32: self.tf32, rounds_each: self.rounds_each }
    }
}

pub struct Scheduled {
    pub program: out::Program,
    /// In the order of `program.kernels`.
    pub kernels: Vec<KernelSpec>,
    /// Kernels that take the place of those with tensor maps, where a driver refuses a map: each once.
    pub by_threads: Vec<KernelSpec>,
    /// Composites that no kernel runs, in the order of the program.
    pub expanded: Vec<Expanded>,
}

impl Scheduled {
    /// The kernels by symbol, and then those that take the place of some.
    pub fn named(&self) -> impl Iterator<Item = (&str, &KernelSpec)> {
        let refs = &self.program.kernels;
        let others = refs.iter().filter_map(|k| k.symbols().nth(1)).zip(&self.by_threads);
        refs.iter().map(|k| k.symbol.as_str()).zip(&self.kernels).chain(others)
    }
}

/// Schedules a local program. `global` gives the ports their whole shapes.
///
/// # Errors
/// An op or type that the CPU target cannot run yet, with its place.
pub fn schedule(local: &Func, global: &Func, opts: &ScheduleOptions<'_>) -> Result<Scheduled, LowerError> {
    let made = arrange(local, opts.runs())?;
    Ok(write_down(&made, global, opts))
}

/// The same, of a local program that was arranged for [`ScheduleOptions::runs`].
pub fn write_down(made: &Arranged, global: &Func, opts: &ScheduleOptions<'_>) -> Scheduled {
    let whole = |values: &[meshloom_ir::ValueId]| values.iter().map(|&v| global.ty(v).shape.clone()).collect();
    written(made, [whole(&global.body().args), whole(&global.body().yields)], Vec::new(), opts)
}

/// The outline of a local program whose devices run stages of it: the ports of the whole, at no place in memory, on the mesh of all
/// devices, and nothing that runs. `local` and `global` are on `mesh` without `axis`.
pub fn outline(local: &Func, global: &Func, mesh: &Mesh, axis: Axis, tokens_per_step: u64) -> Scheduled {
    let over = |a: u32| if a < u32::from(axis.0) { a } else { a + 1 };
    let port = |v: ValueId, port: &meshloom_ir::Port, whole: Option<&ValueId>, alias| {
        let mut made = port_of(local, v, port, whole.map(|w| &global.ty(*w).shape), 0, alias);
        made.layout.iter_mut().flatten().for_each(|a| *a = over(*a));
        made
    };
    let (inner, outer) = (local.body(), global.body());
    let inputs = inner.args.iter().zip(&local.inputs).enumerate();
    let inputs = inputs.map(|(i, (v, p))| port(*v, p, outer.args.get(i), None));
    let outputs = inner.yields.iter().zip(&local.outputs).enumerate();
    let outputs = outputs.map(|(i, (v, p))| port(*v, p, outer.yields.get(i), p.updates.map(|u| u as u32)));
    let ports = whole(inputs.chain(outputs).collect());
    let program = out::Program {
        version: out::PROGRAM_VERSION,
        entry: local.name.clone(),
        mesh: mesh_of(mesh),
        arena_bytes: 0,
        host_bytes: 0,
        scratch_bytes: 0,
        tokens_per_step,
        kernels: Vec::new(),
        ports,
        wires: Vec::new(),
        instrs: Vec::new(),
    };
    Scheduled { program, kernels: Vec::new(), by_threads: Vec::new(), expanded: Vec::new() }
}

/// Ports of which some are parts of one stack, as the ports of whole tensors: each with the layout of its first part.
fn whole(parts: Vec<out::Port>) -> Vec<out::Port> {
    let mut all: Vec<out::Port> = Vec::new();
    // By part: its whole.
    let mut of: Vec<u32> = Vec::new();
    for part in parts {
        let alias = part.alias.and_then(|i| of.get(i as usize).copied());
        let continues = |w: &out::Port| {
            part.stacked
                && (w.role, &w.name, w.alias) == (part.role, &part.name, alias)
                && w.global_shape.first().is_some_and(|n| w.first_layer + n == part.first_layer)
        };
        match all.iter_mut().enumerate().rev().find(|(_, w)| continues(w)) {
            Some((i, w)) => {
                let layers = part.global_shape.first().copied().unwrap_or(0);
                w.bytes += w.bytes / w.local_shape[0].max(1) * layers;
                w.global_shape[0] += layers;
                w.local_shape[0] += layers;
                w.entries.extend(part.entries);
                of.push(i as u32);
            }
            None => {
                of.push(all.len() as u32);
                all.push(out::Port { alias, ..part });
            }
        }
    }
    all
}

fn mesh_of(mesh: &Mesh) -> Vec<out::MeshAxis> {
    mesh.axes.iter().map(|(n, s)| out::MeshAxis { name: n.clone(), size: *s as u32 }).collect()
}

/// The program of a pipeline stage, and what it has to do with others.
pub struct Stage<'a> {
    pub func: &'a Func,
    pub weave: &'a Weave,
    /// The whole shapes of inputs and outputs.
    pub shapes: [Vec<Vec<u64>>; 2],
    /// What it receives, in the order of its inputs, then what it sends, in that of its outputs.
    pub wires: Vec<out::Wire>,
}

/// Schedules the program of a pipeline stage.
///
/// # Errors
/// As [`schedule`].
pub fn schedule_stage(stage: Stage<'_>, opts: &ScheduleOptions<'_>) -> Result<Scheduled, LowerError> {
    let made = arrange_stage(stage.func, opts.runs(), stage.weave)?;
    Ok(written(&made, stage.shapes, stage.wires, opts))
}

fn written(
    made: &Arranged,
    shapes: [Vec<Vec<u64>>; 2],
    wires: Vec<out::Wire>,
    opts: &ScheduleOptions<'_>,
) -> Scheduled {
    let func = &made.func;
    let mut e = Emitter {
        offsets: &made.layout.offsets,
        kernels: Vec::new(),
        by_threads: Vec::new(),
        refs: Vec::new(),
        ids: BTreeMap::new(),
        next: 0,
        opts,
    };
    let instrs = e.steps(&made.steps);
    let (kernels, by_threads, refs) = (e.kernels, e.by_threads, e.refs);
    let mut ports = Vec::new();
    let [inputs, outputs] = shapes;
    // What is received and sent is no port.
    let own = |p: &meshloom_ir::Port| !matches!(p.role, Role::Received | Role::Sent);
    for (i, (&a, port)) in func.body().args.iter().zip(&func.inputs).enumerate().filter(|x| own(x.1.1)) {
        ports.push(port_of(func, a, port, inputs.get(i), made.offset(made.inputs[i]), None));
    }
    for (i, (&y, port)) in func.body().yields.iter().zip(&func.outputs).enumerate().filter(|x| own(x.1.1)) {
        let buf = port.updates.map_or(made.outputs[i], |k| made.inputs[k]);
        let before = |k: &usize| func.inputs[..*k].iter().filter(|p| own(p)).count() as u32;
        let alias = port.updates.as_ref().map(before);
        ports.push(port_of(func, y, port, outputs.get(i), made.offset(buf), alias));
    }
    let program = out::Program {
        version: out::PROGRAM_VERSION,
        entry: func.name.clone(),
        mesh: mesh_of(&func.mesh),
        arena_bytes: made.layout.bytes,
        host_bytes: made.layout.host,
        scratch_bytes: made.scratch,
        tokens_per_step: opts.tokens_per_step,
        kernels: refs,
        ports,
        wires,
        instrs,
    };
    Scheduled { program, kernels, by_threads, expanded: made.expanded.clone() }
}

/// What the outside sees of a whole program that has no memory yet: names, types and ranges of its ports. Offsets are 0.
pub fn declared(func: &Func) -> Vec<out::Port> {
    let ports = |values: &[meshloom_ir::ValueId], of: &[meshloom_ir::Port]| -> Vec<out::Port> {
        let alias = |p: &meshloom_ir::Port| p.updates.map(|i| i as u32);
        values.iter().zip(of).map(|(&v, p)| port_of(func, v, p, None, 0, alias(p))).collect()
    };
    let mut all = ports(&func.body().args, &func.inputs);
    all.extend(ports(&func.body().yields, &func.outputs));
    whole(all)
}

fn port_of(
    func: &Func,
    v: meshloom_ir::ValueId,
    port: &meshloom_ir::Port,
    whole: Option<&Vec<u64>>,
    offset: u64,
    alias: Option<u32>,
) -> out::Port {
    let ty = func.ty(v);
    let layout = match &func.value(v).layout {
        Some(l) => l.dims.iter().map(|d| d.iter().map(|a| u32::from(a.0)).collect()).collect(),
        None => vec![Vec::new(); ty.rank()],
    };
    out::Port {
        name: port.name.clone(),
        role: port_role(port.role),
        dtype: held_as(ty.dtype),
        global_shape: whole.unwrap_or(&ty.shape).clone(),
        local_shape: ty.shape.clone(),
        layout,
        offset,
        bytes: ty.bytes(),
        stacked: port.stacked,
        first_layer: port.first_layer,
        entries: port.entries.clone(),
        complex: port.complex,
        unsigned: port.unsigned,
        alias,
        init: match port.init {
            None if port.role == Role::State && alias.is_none() => out::Init::Given,
            None => out::Init::Zeros,
            Some(Init::Constant(x)) if x.as_f64() == 0.0 => out::Init::Zeros,
            Some(Init::Constant(x)) if x.as_f64() == 1.0 => out::Init::Ones,
            Some(Init::Constant(x)) => out::Init::Constant(match x {
                Scalar::Int(n) => out::Number::Int(n),
                Scalar::Float(bits) => out::Number::Float(f64::from_bits(bits)),
            }),
            Some(Init::Normal(b)) => out::Init::Normal { std: f64::from_bits(b) },
            Some(Init::Seed) => out::Init::Seed,
            Some(Init::Uniform(b)) => out::Init::Uniform { bound: f64::from_bits(b) },
        },
        range: port.range.map(|(lo, hi)| out::Range { lo, hi }),
    }
}

/// What a kernel says of its buffers, in bytes.
pub fn touches(spec: &KernelSpec) -> Vec<Vec<out::Touched>> {
    let of = |arg: meshloom_kernels::Arg| {
        let size = arg.dtype.bytes();
        let first = out::Touched { bytes: arg.elements * size, start: None };
        // Of a kernel without points nothing is touched, wherever it would begin.
        let started = arg.started.into_iter().filter(|s| s.1 > 0).map(move |(s, elements)| {
            let start = out::DimStart { dim: s.dim, stride: s.stride.unsigned_abs() * size };
            out::Touched { bytes: elements * size, start: Some(start) }
        });
        let mut all: Vec<out::Touched> = std::iter::once(first).chain(started).collect();
        all.dedup();
        all
    };
    spec.args().into_iter().map(of).collect()
}

/// Whether a buffer begins at a multiple of what threads load at once, in every iteration.
fn is_aligned(b: &out::BufRef) -> bool {
    let moves = b.moves.0.iter().filter(|m| !m.index.is_fixed());
    b.offset.is_multiple_of(ALIGN) && moves.into_iter().all(|m| m.stride.is_multiple_of(ALIGN))
}

/// The bundle's form of a kernel's grid, and of what a library could compute in its place.
pub fn gpu_launch(grid: &Grid, spec: &KernelSpec) -> meshloom_bundle::GpuLaunch {
    let gemm = if let KernelSpec::Dot(dot) = spec { dot.gemm().map(|p| library_gemm(&p)) } else { None };
    meshloom_bundle::GpuLaunch {
        gemm,
        tf32: matches!(spec, KernelSpec::Dot(dot) if dot.tf32),
        tensor_maps: spec.entry().tensor_maps(grid).into_iter().map(tensor_map).collect(),
        units_per_block: grid.units_per_block,
        shared_bytes: grid.shared_bytes,
        cluster: grid.tiling.cluster(),
        workspace: grid.workspace,
        ..meshloom_bundle::GpuLaunch::per_block(grid.threads)
    }
}

/// The kernel that takes the place of one with tensor maps, as a launch and as a spec: the same, whose threads copy.
fn by_threads(launch: &meshloom_bundle::GpuLaunch, spec: &KernelSpec, gpu: GpuArch) -> Option<(ByThreads, KernelSpec)> {
    if launch.tensor_maps.is_empty() {
        return None;
    }
    let spec = spec.by_threads()?;
    // Tensor maps are of buffers that are aligned.
    let grid = Grid::of(&spec, gpu, true);
    // A library that computes it does so in the place of either.
    let launch = meshloom_bundle::GpuLaunch { gemm: None, ..gpu_launch(&grid, &spec) };
    Some((ByThreads { symbol: grid.symbol(&spec), units: grid.units, launch }, spec))
}

/// The bundle's form of a tensor map.
fn tensor_map(m: TensorMap) -> meshloom_bundle::TensorMap {
    meshloom_bundle::TensorMap {
        arg: m.buffer,
        offset: m.offset,
        // Copies do not look into bytes.
        dtype: if m.dtype.bytes() == 1 { DType::U8 } else { m.dtype },
        shape: m.shape,
        strides: m.strides,
        tile: m.tile,
        swizzle: meshloom_bundle::Swizzle::Bytes128,
    }
}

/// The bundle's form of a GEMM.
fn library_gemm(p: &gemm::Gemm) -> meshloom_bundle::Gemm {
    let matrix = |m: &gemm::Matrix, of: DType| meshloom_bundle::Matrix {
        arg: m.buffer,
        offset: m.offset * of.bytes(),
        transposed: m.transposed,
        ld: m.ld,
        stride: m.stride,
    };
    meshloom_bundle::Gemm {
        m: p.m,
        n: p.n,
        k: p.k,
        batch: p.batch,
        dtype: p.dtype,
        result: p.result,
        tf32: p.tf32,
        a: matrix(&p.a, p.dtype),
        b: matrix(&p.b, p.dtype),
        d: matrix(&p.d, p.result),
        c: p.c.as_ref().map(|c| matrix(c, p.result)),
        bias: p.bias.as_ref().map(|b| meshloom_bundle::Vector { arg: b.buffer, offset: b.offset * p.result.bytes() }),
    }
}

struct Emitter<'a> {
    offsets: &'a [u64],
    kernels: Vec<KernelSpec>,
    by_threads: Vec<KernelSpec>,
    refs: Vec<out::KernelRef>,
    ids: BTreeMap<String, u32>,
    next: u32,
    opts: &'a ScheduleOptions<'a>,
}

impl Emitter<'_> {
    fn buf(&self, r: &Ref) -> out::BufRef {
        out::BufRef { offset: self.offsets[r.home.buf.0] + r.offset, bytes: r.bytes, moves: r.home.moves }
    }

    fn steps(&mut self, steps: &[Step]) -> Vec<out::Instr> {
        steps.iter().map(|s| self.step(s)).collect()
    }

    fn collective(&mut self, c: &Collective) -> out::Collective {
        self.next += 1;
        out::Collective {
            id: self.next - 1,
            kind: c.kind.clone(),
            axes: c.axes.clone(),
            dtype: c.dtype,
            src: self.buf(&c.src),
            dst: self.buf(&c.dst),
            source: (self.opts.locate)(c.span),
            ops: c.ops.clone(),
        }
    }

    fn step(&mut self, step: &Step) -> out::Instr {
        match step {
            Step::Launch(l) => {
                let args: Vec<out::BufRef> = l.args.iter().map(|r| self.buf(r)).collect();
                let grid = self.opts.device.gpu().map(|gpu| Grid::of(&l.spec, gpu, args.iter().all(is_aligned)));
                let symbol = grid.map_or_else(|| l.spec.symbol(), |g| g.symbol(&l.spec));
                let kernel = *self.ids.entry(symbol.clone()).or_insert_with(|| {
                    let mut gpu = grid.as_ref().map(|g| gpu_launch(g, &l.spec));
                    if let (Some(launch), Some(arch)) = (&mut gpu, self.opts.device.gpu())
                        && let Some((other, spec)) = by_threads(launch, &l.spec, arch)
                    {
                        launch.by_threads = Some(Box::new(other));
                        self.by_threads.push(spec);
                    }
                    let scratch_bytes = if gpu.is_none() { l.spec.scratch_bytes() } else { 0 };
                    self.refs.push(out::KernelRef {
                        symbol,
                        scratch_bytes,
                        units: grid.map_or_else(|| l.spec.units(), |g| g.units),
                        touches: touches(&l.spec),
                        hash: l.spec.hash(),
                        buffers: l.args.len() as u32,
                        dims: l.spec.dims(),
                        scratch: gpu.as_ref().map_or(l.spec.scratch_bytes(), |g| g.workspace) > 0,
                        gpu,
                    });
                    self.kernels.push(l.spec.clone());
                    (self.kernels.len() - 1) as u32
                });
                out::Instr::Launch(out::Launch {
                    kernel,
                    args,
                    writes: l.writes.clone(),
                    units: grid.map_or_else(|| l.spec.units(), |g| g.units),
                    dims: l.dims.clone(),
                    source: (self.opts.locate)(l.span),
                    ops: l.ops.clone(),
                })
            }
            Step::Collective(c) => out::Instr::Collective(self.collective(c)),
            Step::Bucket(all) => out::Instr::Bucket(all.iter().map(|c| self.collective(c)).collect()),
            Step::Fill { dst, dtype, count, value } => {
                out::Instr::Fill { dst: self.buf(dst), dtype: *dtype, count: *count, value: *value }
            }
            Step::Copy { src, dst } => out::Instr::Copy { src: self.buf(src), dst: self.buf(dst), bytes: src.bytes },
            Step::Actions(a) => {
                let action = |b: &ActionBody| out::Action {
                    name: b.name.clone(),
                    body: b.steps.iter().map(|s| self.step(s)).collect(),
                };
                let bodies = a.bodies.iter().map(action).collect();
                let turn = |&(k, microbatch): &(usize, u64)| out::Turn { action: k as u32, microbatch };
                let order = a.order.iter().map(turn).collect();
                out::Instr::Actions(Box::new(out::Actions { microbatches: a.microbatches, bodies, order }))
            }
            Step::Send(wire, src) => out::Instr::Send(out::Transfer { wire: *wire, buf: self.buf(src) }),
            Step::Receive(wire, dst) => out::Instr::Receive(out::Transfer { wire: *wire, buf: self.buf(dst) }),
            Step::Loop { trip, body, exit: None, .. } => out::Instr::Loop { trip: *trip, body: self.steps(body) },
            Step::Loop { trip, body, exit: Some(exit), .. } => out::Instr::While(Box::new(out::While {
                most: (*trip != UNBOUNDED).then_some(*trip),
                going: self.buf(&exit.going),
                body: self.steps(body),
                after: self.steps(&exit.after),
            })),
        }
    }
}
