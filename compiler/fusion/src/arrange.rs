//! A local program as kernels and collectives over one arena: what a device runs, and where everything lies meanwhile.
//!
//! Ports come first in the arena. A next value is computed beside the old one, and laid over it where one kernel writes each
//! element after it alone has read the same element of the old one.

use crate::error::FusionError;
use crate::memory::{ArenaLayout, Buffer, Launch, Scope, Step, plan, root};
use crate::normalize::{Expanded, Normal, normalize};
use crate::state::Lowering;
use crate::view::{BufId, Home, View, Views};
use meshloom_ir::{Func, Literal, Op, OpId, TensorType, ValueId};
use meshloom_kernels::gpu::Grid;
use meshloom_kernels::{Device, KernelSpec, Node};
use std::collections::BTreeSet;

/// What runs a program.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Runs {
    pub device: Device,
    /// GPUs round f32 to tf32 where they contract it.
    pub tf32: bool,
}

/// A local program whose kernels have memory.
pub struct Arranged {
    /// What the steps are about: the program without what no kernel computes as it stands.
    pub func: Func,
    pub steps: Vec<Step>,
    pub buffers: Vec<Buffer>,
    pub layout: ArenaLayout,
    /// Composites that no kernel runs, in the order of the program.
    pub expanded: Vec<Expanded>,
    /// Buffers of the inputs, and of the outputs beside them.
    pub inputs: Vec<BufId>,
    pub outputs: Vec<BufId>,
    /// What kernels take beside the arena while they run, in bytes.
    pub scratch: u64,
}

impl Arranged {
    /// Where a buffer begins.
    pub fn offset(&self, b: BufId) -> u64 {
        self.layout.offsets[root(&self.buffers, b).0]
    }
}

/// Kernels and memory of a local program.
///
/// # Errors
/// An op or type that the device cannot run yet, with its place.
pub fn arrange(local: &Func, runs: Runs) -> Result<Arranged, FusionError> {
    if let Some(e) = of_eight_bits(local).or_else(|| beyond_addresses(local)) {
        return Err(e);
    }
    let Normal { func, origin, expanded } = normalize(local, runs.device);
    let mut s = Lowering::new(&func, &origin, runs.device, runs.tf32);
    let body = func.body();
    // Inputs, then outputs that update nothing, have buffers of their own.
    let mut views = Views::new();
    for &a in &body.args {
        let buf = s.buffer(func.ty(a).bytes(), Scope::Step, true);
        views.insert(a, View::dense(Home::fixed(buf), &func.ty(a).shape));
    }
    let inputs: Vec<BufId> = body.args.iter().map(|a| views[a].home.buf).collect();
    let mut targets = Views::new();
    let mut places: Vec<View> = Vec::new();
    for (&y, port) in body.yields.iter().zip(&func.outputs) {
        // A next value is computed beside the old one, and put over it below where nothing reads the old one afterwards.
        let buf = s.buffer(func.ty(y).bytes(), Scope::Step, port.updates.is_none());
        let view = View::dense(Home::fixed(buf), &func.ty(y).shape);
        if func.def_op(y).is_some() {
            targets.entry(y).or_insert_with(|| view.clone());
        }
        places.push(view);
    }
    let (mut steps, views) = s.region(Func::BODY, views, &targets)?;
    handed_out(&mut s, &mut steps, &views, &inputs, &places)?;
    let layout = plan(&steps, &s.buffers)?;
    let scratch = scratch(&steps, runs.device);
    let (buffers, outputs) = (s.buffers, places.iter().map(|p| p.home.buf).collect());
    Ok(Arranged { func, steps, buffers, layout, expanded, inputs, outputs, scratch })
}

/// Puts what a program yields where it belongs: first what reads what a step began with, then what is put over that.
fn handed_out(
    s: &mut Lowering<'_>,
    steps: &mut Vec<Step>,
    views: &Views,
    inputs: &[BufId],
    places: &[View],
) -> Result<(), FusionError> {
    let func = s.func;
    let updated: BTreeSet<BufId> = func.outputs.iter().filter_map(|p| p.updates).map(|i| inputs[i]).collect();
    let mut next: Vec<(OpId, &TensorType, View, &View, View)> = Vec::new();
    for ((&y, port), place) in func.body().yields.iter().zip(&func.outputs).zip(places) {
        let op = func.def_op(y).unwrap_or(OpId(0));
        let src = crate::expand::resolve(func, y, &|v| views.get(&v).cloned(), None)
            .map(|x| x.0)
            .ok_or_else(|| FusionError { message: "internal: an output has no memory".into(), span: port.span })?;
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
        if src.home.buf == place.home.buf && may_lie_over(steps, &s.buffers, place.home.buf, old.home.buf) {
            s.buffers[place.home.buf.0].over = Some(old.home.buf);
            continue;
        }
        steps.push(s.copy(op, ty, &src, &old, &[])?);
    }
    Ok(())
}

/// The most that a kernel of some steps takes for itself.
fn scratch(steps: &[Step], device: Device) -> u64 {
    let of = |k: &KernelSpec| match device.gpu() {
        None => k.scratch_bytes(),
        Some(gpu) => Grid::of(k, gpu, true).workspace_bytes(),
    };
    let each = steps.iter().map(|step| match step {
        Step::Launch(l) => of(&l.spec),
        Step::Loop { body, exit, .. } => {
            scratch(body, device).max(exit.as_ref().map_or(0, |e| scratch(&e.after, device)))
        }
        Step::Collective(_) | Step::Bucket(_) | Step::Fill { .. } => 0,
    });
    each.max().unwrap_or(0)
}

/// Sizes with which nothing is counted: beyond them, sums of bytes and strides overflow.
fn beyond_addresses(f: &Func) -> Option<FusionError> {
    let bytes = f.values.iter().fold(0u64, |n, v| n.saturating_add(v.ty.elements().saturating_mul(ELEMENT)));
    (bytes > i64::MAX as u64).then(FusionError::too_large)
}

/// Bytes of an element in whatever a kernel makes of a value, with room for that.
const ELEMENT: u64 = 64;

/// What kernels and collectives do not do in floats of 8 bits, which are bytes to everything but a conversion.
fn of_eight_bits(f: &Func) -> Option<FusionError> {
    let narrow = |v: &ValueId| f.ty(*v).dtype.is_float8();
    let said = |what: &str, v: ValueId, span| {
        let message = format!("{what} of type {}; convert it to bf16 or f32 there", f.ty(v).dtype);
        Some(FusionError { message, span })
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

/// Whether the buffer `new` can lie over `old`: `new` is written by one step, nothing reads `old` after it, and the step itself
/// reads an element of `old` only where it writes the same element of `new`.
fn may_lie_over(steps: &[Step], buffers: &[Buffer], new: BufId, old: BufId) -> bool {
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
