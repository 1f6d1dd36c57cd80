//! The executable program: ports, steps and memory as the bundle's types.

use crate::ScheduleError;
use crate::lower::Views;
use crate::memory::{Collective, Launch, Ref, Step, plan, root};
use crate::normalize::{Expanded, Normal, normalize};
use crate::region::Scheduler;
use crate::view::{BufId, Home, View};
use meshloom_bundle::program as out;
use meshloom_ir::op::UNBOUNDED;
use meshloom_ir::{DType, Func, Init, Literal, Op, Role, Span, ValueId};
use meshloom_kernels::gpu::{ALIGN, Grid};
use meshloom_kernels::tensor_map::Boxes;
use meshloom_kernels::{DType as KernelType, Device, KernelSpec, Node, product};
use std::collections::{BTreeMap, BTreeSet};

/// What scheduling needs to know besides the program.
pub struct Options<'a> {
    /// Source places of spans, for messages at run time.
    pub locate: &'a dyn Fn(Span) -> Option<out::Source>,
    pub tokens_per_step: u64,
    /// What runs it.
    pub device: Device,
    /// GPUs round f32 to tf32 where they contract it.
    pub tf32: bool,
}

pub struct Scheduled {
    pub program: out::Program,
    /// In the order of `program.kernels`.
    pub kernels: Vec<KernelSpec>,
    /// Composites that no kernel runs, in the order of the program.
    pub expanded: Vec<Expanded>,
}

/// The bundle's name of a dtype. Types that the runtime does not store yet were refused before.
pub fn bundle_dtype(d: DType) -> out::DType {
    match d {
        DType::F32 => out::DType::F32,
        DType::F64 => out::DType::F64,
        DType::F16 => out::DType::F16,
        DType::BF16 => out::DType::Bf16,
        DType::I32 => out::DType::I32,
        DType::I64 => out::DType::I64,
        DType::U32 => out::DType::U32,
        DType::U8 | DType::F8E4M3 | DType::F8E5M2 => out::DType::U8,
        DType::Bool => out::DType::Bool,
    }
}

/// What kernels and collectives do not do in floats of 8 bits, which are bytes to everything but a conversion.
fn of_eight_bits(f: &Func) -> Option<ScheduleError> {
    let narrow = |v: &ValueId| f.ty(*v).dtype.is_float8();
    let said = |what: &str, v: ValueId, span| {
        let message = format!("{what} of type {}; convert it to bf16 or f32 there", f.ty(v).dtype);
        Some(ScheduleError { message, span })
    };
    let ports = f.inputs.iter().zip(&f.body().args).chain(f.outputs.iter().zip(&f.body().yields));
    if let Some((port, &v)) = ports.into_iter().find(|(_, v)| narrow(v)) {
        return said(&format!("`{}` is an input or output", port.name), v, port.span);
    }
    f.walk(Func::BODY).into_iter().find_map(|o| {
        let data = f.op(o);
        let v = data.results.iter().chain(&data.operands).copied().find(narrow)?;
        match &data.op {
            Op::AllReduce { .. } | Op::ReduceScatter { .. } => said("devices reduce numbers", v, data.span),
            Op::Constant { value: Literal::Dense(_), .. } => said("this is a list of numbers", v, data.span),
            Op::DotGeneral(_) if narrow(&data.results[0]) => said("a contraction sums to a result", v, data.span),
            _ => None,
        }
    })
}

/// Schedules a local program. `global` gives the ports their whole shapes.
///
/// # Errors
/// An op or type that the CPU target cannot run yet, with its place.
pub fn schedule(local: &Func, global: &Func, opts: &Options<'_>) -> Result<Scheduled, ScheduleError> {
    if let Some(e) = of_eight_bits(local) {
        return Err(e);
    }
    let Normal { func, origin, expanded } = normalize(local, opts.device);
    let mut s = Scheduler::new(&func, &origin, opts.device, opts.tf32);
    let body = func.body().clone();

    // Inputs, then outputs that update nothing, have buffers of their own.
    let mut views = Views::new();
    for &a in &body.args {
        let buf = s.buffer(func.ty(a).bytes(), crate::memory::Scope::Step, true);
        views.insert(a, View::dense(Home::fixed(buf), &func.ty(a).shape));
    }
    let inputs: Vec<BufId> = body.args.iter().map(|a| views[a].home.buf).collect();
    let mut targets = Views::new();
    let mut places: Vec<View> = Vec::new();
    for (&y, port) in body.yields.iter().zip(&func.outputs) {
        // A next value is computed beside the old one, and put over it below where nothing reads the old one afterwards.
        let buf = s.buffer(func.ty(y).bytes(), crate::memory::Scope::Step, port.updates.is_none());
        let view = View::dense(Home::fixed(buf), &func.ty(y).shape);
        if func.def_op(y).is_some() {
            targets.entry(y).or_insert_with(|| view.clone());
        }
        places.push(view);
    }
    let (mut steps, views) = s.region(Func::BODY, views, &targets)?;
    // First what reads what a step began with, then what is put over that.
    let updated: BTreeSet<BufId> = func.outputs.iter().filter_map(|p| p.updates).map(|i| inputs[i]).collect();
    let mut next = Vec::new();
    for ((&y, port), place) in body.yields.iter().zip(&func.outputs).zip(&places) {
        let op = func.def_op(y).unwrap_or(meshloom_ir::OpId(0));
        let src = crate::expand::resolve(&func, y, &|v| views.get(&v).cloned(), None)
            .map(|x| x.0)
            .ok_or_else(|| ScheduleError { message: "internal: an output has no memory".into(), span: port.span })?;
        let ty = func.ty(y);
        let Some(i) = port.updates else {
            if src != *place {
                steps.push(s.copy(op, ty, &src, place, &[])?);
            }
            continue;
        };
        let old = View::dense(Home::fixed(inputs[i]), &ty.shape);
        if src == old {
            continue; // unchanged
        }
        if updated.contains(&src.home.buf) {
            steps.push(s.copy(op, ty, &src, place, &[])?);
            next.push((op, ty, place.clone(), place, old));
        } else {
            next.push((op, ty, src, place, old));
        }
    }
    for (op, ty, src, place, old) in next {
        if src.home.buf == place.home.buf && may_lie_over(&steps, &s.buffers, place.home.buf, old.home.buf) {
            s.buffers[place.home.buf.0].over = Some(old.home.buf);
            continue;
        }
        steps.push(s.copy(op, ty, &src, &old, &[])?);
    }

    let layout = plan(&steps, &s.buffers)?;
    let mut e = Emitter {
        offsets: &layout.offsets,
        kernels: Vec::new(),
        refs: Vec::new(),
        ids: BTreeMap::new(),
        next: 0,
        opts,
    };
    let instrs = e.steps(&steps);
    let scratch = |k: &KernelSpec| match opts.device.gpu() {
        None => k.scratch_bytes(),
        Some(gpu) => Grid::of(k, gpu, true).workspace_bytes(),
    };
    let scratch = e.kernels.iter().map(scratch).max().unwrap_or(0);
    let (kernels, refs) = (e.kernels, e.refs);
    let offset = |b: BufId| layout.offsets[root(&s.buffers, b).0];
    let mut ports = Vec::new();
    for (i, (&a, port)) in body.args.iter().zip(&func.inputs).enumerate() {
        ports.push(port_of(&func, global, a, port, &global.body().args, i, offset(inputs[i]), None));
    }
    for (i, (&y, port)) in body.yields.iter().zip(&func.outputs).enumerate() {
        let buf = port.updates.map_or(places[i].home.buf, |k| inputs[k]);
        let alias = port.updates.map(|k| k as u32);
        ports.push(port_of(&func, global, y, port, &global.body().yields, i, offset(buf), alias));
    }
    let program = out::Program {
        version: out::PROGRAM_VERSION,
        entry: func.name.clone(),
        mesh: func.mesh.axes.iter().map(|(n, s)| out::MeshAxis { name: n.clone(), size: *s as u32 }).collect(),
        arena_bytes: layout.bytes,
        scratch_bytes: scratch,
        tokens_per_step: opts.tokens_per_step,
        kernels: refs,
        ports,
        instrs,
    };
    Ok(Scheduled { program, kernels, expanded })
}

#[allow(clippy::too_many_arguments)]
fn port_of(
    func: &Func,
    global: &Func,
    v: meshloom_ir::ValueId,
    port: &meshloom_ir::Port,
    globals: &[meshloom_ir::ValueId],
    i: usize,
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
        role: match port.role {
            Role::Parameter => out::Role::Parameter,
            Role::State => out::Role::State,
            Role::Input => out::Role::Input,
            Role::Output | Role::Gradient => out::Role::Output,
            Role::Loss => out::Role::Loss,
            Role::Metric => out::Role::Metric,
        },
        dtype: bundle_dtype(ty.dtype),
        global_shape: globals.get(i).map_or_else(|| ty.shape.clone(), |&g| global.ty(g).shape.clone()),
        local_shape: ty.shape.clone(),
        layout,
        offset,
        bytes: ty.bytes(),
        stacked: port.stacked,
        entries: port.entries.clone(),
        alias,
        init: match port.init {
            None if port.role == Role::State && alias.is_none() => out::Init::Given,
            None => out::Init::Zeros,
            Some(Init::Constant(b)) => match f64::from_bits(b) {
                0.0 => out::Init::Zeros,
                1.0 => out::Init::Ones,
                x => out::Init::Constant(x),
            },
            Some(Init::Normal(b)) => out::Init::Normal { std: f64::from_bits(b) },
            Some(Init::Seed) => out::Init::Seed,
            Some(Init::Uniform(b)) => out::Init::Uniform { bound: f64::from_bits(b) },
        },
        range: port.range.map(|(lo, hi)| out::Range { lo, hi }),
    }
}

/// Whether the buffer `new` can lie over `old`: `new` is written by one step, nothing reads `old` after it, and the step itself
/// reads an element of `old` only where it writes the same element of `new`.
fn may_lie_over(steps: &[Step], buffers: &[crate::memory::Buffer], new: BufId, old: BufId) -> bool {
    if buffers[new.0].bytes != buffers[old.0].bytes {
        return false;
    }
    let mut writer = None;
    for (t, step) in steps.iter().enumerate() {
        let (mut writes_new, mut reads_old, mut writes_old) = (false, false, false);
        step.visit(&mut |r, write| {
            writes_new |= write && r.home.buf == new;
            reads_old |= !write && r.home.buf == old;
            writes_old |= write && r.home.buf == old;
        });
        if writes_old || (writes_new && writer.is_some()) || (writer.is_some() && reads_old) {
            return false;
        }
        if writes_new {
            let Step::Launch(l) = step else { return false };
            if reads_old && !same_points(l, new, old) {
                return false;
            }
            writer = Some(t);
        }
    }
    writer.is_some()
}

/// Whether a fused kernel reads `old` at exactly the points where it writes `new`.
fn same_points(l: &Launch, new: BufId, old: BufId) -> bool {
    let KernelSpec::Fused(spec) = &l.spec else { return false };
    let of = |b: BufId| l.args.iter().position(|r| r.home.buf == b).map(|i| i as u32);
    let (Some(n), Some(o)) = (of(new), of(old)) else { return false };
    let written: Vec<_> = spec.body.outputs.iter().filter(|x| x.access.buffer == n).map(|x| &x.access).collect();
    let [w] = written[..] else { return false };
    spec.body.nodes.iter().all(|node| match node {
        Node::Leaf(a) if a.buffer == o => a.strides == w.strides && a.offset == w.offset && a.start == w.start,
        Node::Gather { access, .. } => access.buffer != o,
        _ => true,
    })
}

/// Whether a buffer begins at a multiple of what threads load at once, in every iteration.
fn is_aligned(b: &out::BufRef) -> bool {
    let moves = b.moves.0.iter().filter(|m| !m.index.is_fixed());
    b.offset.is_multiple_of(ALIGN) && moves.into_iter().all(|m| m.stride.is_multiple_of(ALIGN))
}

/// The bundle's form of a kernel's grid, and of what a library could compute in its place.
pub fn gpu_launch(grid: &Grid, spec: &KernelSpec) -> meshloom_bundle::GpuLaunch {
    let product = if let KernelSpec::Dot(dot) = spec { dot.product().and_then(|p| library_product(&p)) } else { None };
    let tensor_maps = match spec {
        KernelSpec::Dot(dot) if grid.tiling.fetchers > 0 => dot.boxes(&grid.tiling).map(|b| b.map(tensor_map).into()),
        _ => None,
    };
    meshloom_bundle::GpuLaunch {
        product,
        tf32: matches!(spec, KernelSpec::Dot(dot) if dot.tf32),
        tensor_maps: tensor_maps.unwrap_or_default(),
        units_per_block: grid.units_per_block,
        shared_bytes: grid.shared_bytes,
        workspace: grid.workspace,
        ..meshloom_bundle::GpuLaunch::per_block(grid.threads)
    }
}

/// The bundle's form of a tensor map.
fn tensor_map(boxes: Boxes) -> meshloom_bundle::TensorMap {
    let m = boxes.map;
    let dtype = match m.dtype {
        KernelType::Bf16 => out::DType::Bf16,
        KernelType::F16 => out::DType::F16,
        // Floats of 8 bits are bytes to the runtime.
        _ => out::DType::U8,
    };
    meshloom_bundle::TensorMap {
        arg: m.buffer,
        offset: m.offset,
        dtype,
        shape: m.shape,
        strides: m.strides,
        tile: m.tile,
        swizzle: meshloom_bundle::Swizzle::Bytes128,
    }
}

/// The bundle's form of a product; `None` of one in a type that bundles do not have.
fn library_product(p: &product::Product) -> Option<meshloom_bundle::Product> {
    let dtype = |d: KernelType| match d {
        KernelType::F32 => Some(out::DType::F32),
        KernelType::Bf16 => Some(out::DType::Bf16),
        KernelType::F16 => Some(out::DType::F16),
        _ => None,
    };
    let matrix = |m: &product::Matrix, of: KernelType| meshloom_bundle::Matrix {
        arg: m.buffer,
        offset: m.offset * of.bytes(),
        transposed: m.transposed,
        ld: m.ld,
        stride: m.stride,
    };
    Some(meshloom_bundle::Product {
        m: p.m,
        n: p.n,
        k: p.k,
        batch: p.batch,
        dtype: dtype(p.dtype)?,
        result: dtype(p.result)?,
        tf32: p.tf32,
        a: matrix(&p.a, p.dtype),
        b: matrix(&p.b, p.dtype),
        d: matrix(&p.d, p.result),
        c: p.c.as_ref().map(|c| matrix(c, p.result)),
        bias: p.bias.as_ref().map(|b| meshloom_bundle::Vector { arg: b.buffer, offset: b.offset * p.result.bytes() }),
    })
}

struct Emitter<'a> {
    offsets: &'a [u64],
    kernels: Vec<KernelSpec>,
    refs: Vec<out::KernelRef>,
    ids: BTreeMap<String, u32>,
    next: u32,
    opts: &'a Options<'a>,
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
                    let gpu = grid.as_ref().map(|g| gpu_launch(g, &l.spec));
                    self.refs.push(out::KernelRef {
                        symbol,
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
