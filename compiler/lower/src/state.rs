//! The state of lowering a program to kernels over buffers, with what all kinds of kernels need of it: buffers, views
//! of operands, and launches.
//!
//! Not here: in which order regions are lowered ([`crate::region`]), and which spec each kernel has ([`crate::lower`]).

use crate::error::LowerError;
use crate::expand::{BufferArg, Stop, resolve};
use crate::facts::Facts;
use crate::memory::{Buffer, Launch, Ref, Scope, Step};
use crate::runs::Runs;

use crate::view::{BufId, View, Views};
use meshloom_bundle::program::Dim;
use meshloom_ir::{Func, OpId, Span, ValueId};
use meshloom_kernels::{BufferRole, Device, KernelSpec};
use std::collections::{BTreeMap, BTreeSet};

pub struct Lowering<'a> {
    pub func: &'a Func,
    pub facts: Facts<'a>,
    pub buffers: Vec<Buffer>,
    /// Packs made so far in this region: the spec, its operand, and the buffer of the panels.
    pub packed: Vec<(KernelSpec, BufferArg, BufId)>,
    pub scope: Scope,
    /// The number of loops so far, and of loops around the current region.
    pub loops: usize,
    pub depth: usize,
    /// For each op of the normalized function, the certified op that it comes from.
    pub origin: &'a [u32],
    /// The device. GPUs multiply operands as they lie in memory; CPUs pack them.
    pub device: Device,
    pub tf32: bool,
    /// The numbers of loops, by op.
    pub numbers: BTreeMap<OpId, usize>,
    /// Stacks of which only some entries are in memory at a time, by buffer: how many. Entry `i` is in slot `i` modulo that.
    pub rings: BTreeMap<BufId, u64>,
    /// The same by value: stacks by microbatch that a pipeline stage writes and reads entry by entry.
    pub ring_values: BTreeMap<ValueId, u64>,
    /// Stacks that lie in the host's memory ([`crate::stashes`]).
    pub stashes: BTreeSet<ValueId>,
    /// By value: how often ops read it and regions yield it.
    pub uses: Vec<u32>,
}

impl<'a> Lowering<'a> {
    pub fn new(func: &'a Func, origin: &'a [u32], runs: Runs) -> Lowering<'a> {
        let Runs { device, tf32, rounds_each } = runs;
        let (buffers, packed, scope) = (Vec::new(), Vec::new(), Scope::Step);
        let mut uses = vec![0; func.values.len()];
        let read = func.ops.iter().flat_map(|o| &o.operands).chain(func.regions.iter().flat_map(|r| &r.yields));
        read.for_each(|v| uses[v.index()] += 1);
        Lowering {
            func,
            facts: Facts::of(func, device.gpu(), rounds_each),
            buffers,
            packed,
            scope,
            loops: 0,
            depth: 0,
            origin,
            device,
            tf32,
            numbers: BTreeMap::new(),
            rings: BTreeMap::new(),
            ring_values: BTreeMap::new(),
            stashes: crate::stashes::in_host(func),
            uses,
        }
    }

    pub fn origin(&self, op: OpId) -> u32 {
        self.origin.get(op.index()).copied().unwrap_or(op.0)
    }

    pub fn buffer(&mut self, bytes: u64, scope: Scope, port: bool) -> BufId {
        self.buffers.push(Buffer { bytes: bytes.max(1), scope, port, host: false, over: None, value: None });
        BufId(self.buffers.len() - 1)
    }

    /// The buffer of an input or output: of a stack that is in memory entry by entry, its slots.
    pub fn port(&mut self, v: ValueId) -> BufId {
        let ty = self.func.ty(v);
        let slots = self.ring_values.get(&v).copied().zip(ty.shape.first().copied());
        let bytes = slots.map_or(ty.bytes(), |(n, of)| ty.bytes() / of.max(1) * n);
        let buf = self.buffer(bytes, Scope::Step, true);
        self.rings.extend(slots.map(|(n, _)| (buf, n)));
        buf
    }

    /// A buffer that lives for as long as steps of the current region use it.
    pub fn temporary(&mut self, bytes: u64) -> BufId {
        self.buffer(bytes, self.scope, false)
    }

    /// A temporary buffer that has a value.
    pub fn buffer_of(&mut self, v: ValueId, bytes: u64) -> BufId {
        let buf = self.temporary(bytes);
        self.buffers[buf.0].value = Some(v);
        buf
    }

    pub fn stopped(&self, op: OpId, stop: Stop) -> LowerError {
        let message = match stop {
            Stop::Fail(m) => m,
            Stop::Materialize(v) => {
                format!("internal: `{}` reads %{} where it has no memory", self.func.op(op).op.name(), v.index())
            }
        };
        LowerError { message, span: self.span(op) }
    }

    /// Where an op comes from. A program that hands its inputs on has copies and no op.
    fn span(&self, op: OpId) -> Span {
        self.func.ops.get(op.index()).map_or(Span::default(), |o| o.span)
    }

    /// The view of an operand.
    pub fn operand(&self, views: &Views, op: OpId, v: ValueId) -> Result<View, LowerError> {
        resolve(self.func, v, &|x| views.get(&x).cloned(), None)
            .map(|x| x.0)
            .ok_or_else(|| self.stopped(op, Stop::Materialize(v)))
    }

    /// The view of an operand that is read as consecutive memory.
    ///
    /// # Errors
    /// An operand that is not consecutive. [`crate::fuse`] should have had it copied, or [`crate::storage`] stored
    /// row-major.
    pub fn row_major_operand(&self, views: &Views, op: OpId, v: ValueId) -> Result<View, LowerError> {
        let view = self.operand(views, op, v)?;
        self.row_major(op, v, &view)?;
        Ok(view)
    }

    /// Checks that the view of `v`, which `op` reads or writes as consecutive memory, is row-major.
    ///
    /// # Errors
    /// A view that is not.
    pub fn row_major<'v>(&self, op: OpId, v: ValueId, view: &'v View) -> Result<&'v View, LowerError> {
        let shape = &self.func.ty(v).shape;
        if view.is_dense(shape) {
            return Ok(view);
        }
        let name = self.func.op(op).op.name();
        let why =
            format!("internal: `{name}` takes {shape:?} as consecutive memory, and it has strides {:?}", view.strides);
        Err(self.stopped(op, Stop::Fail(why)))
    }

    /// The greatest value of a launch's dim, over all devices.
    fn greatest(&self, dims: &[Dim], which: u32) -> u64 {
        match dims.get(which as usize) {
            Some(Dim::Const(n)) => n.unsigned_abs(),
            Some(Dim::ShardStart { axes, block }) => {
                let size = |a: &u32| self.func.mesh.axes.get(*a as usize).map_or(1, |(_, n)| *n);
                block.unsigned_abs() * (axes.iter().map(size).product::<u64>().saturating_sub(1))
            }
            None => 0,
        }
    }

    /// The launch of a spec over buffer arguments.
    pub fn launch(&self, spec: KernelSpec, args: &[BufferArg], dims: Vec<Dim>, op: OpId, ops: &[OpId]) -> Step {
        let sharded = spec.body().is_some_and(|b| b.accesses().any(|a| a.start.is_some()));
        let described = spec.args();
        let args_out = args
            .iter()
            .zip(&described)
            .map(|(a, d)| {
                let whole = self.buffers[a.home.buf.0].bytes.saturating_sub(a.offset);
                // What a loop moves ends where that of another iteration begins.
                let moves = a.home.moves.0.iter().filter(|m| !m.index.is_fixed() && m.stride > 0);
                let whole = moves.map(|m| m.stride).fold(whole, u64::min);
                // What begins where the device says ends as much later.
                let started = d.started.iter().map(|(s, n)| n + s.stride.unsigned_abs() * self.greatest(&dims, s.dim));
                let known = started.max().unwrap_or(0).max(d.elements) * d.dtype.bytes();
                let bytes = if (sharded && d.role == BufferRole::Read && a.home.moves.is_fixed()) || d.elements == 0 {
                    whole
                } else {
                    known
                };
                Ref { home: a.home, offset: a.offset, bytes }
            })
            .collect();
        let writes = (0..described.len() as u32).filter(|&i| described[i as usize].role != BufferRole::Read).collect();
        let ops = ops.iter().map(|&o| self.origin(o)).collect();
        let span = self.span(op);
        let at = OpId(self.origin(op));
        Step::Launch(Box::new(Launch { spec, args: args_out, writes, dims, span, at, ops }))
    }
}
