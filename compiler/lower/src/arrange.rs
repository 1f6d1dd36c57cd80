//! Arranging: a local program becomes kernels and collectives over one arena. The result says what a device runs, and
//! where every value lies meanwhile.
//!
//! Ports come first in the arena. The next value of a parameter or state is computed into a buffer of its own. That
//! buffer is then laid over the old value's, if no step reads an element of the old one after the element of the next one was
//! written ([`crate::inplace`]). A kernel may read the old value, element by element where it writes. A loop's carry that begins as
//! the old value and ends as the next one lies over the port, too, and is copied neither in nor out.
//!
//! Not here: how each decision is taken. The other files of this crate do that, in the order that the crate's own
//! comment lists.

use crate::error::LowerError;
use crate::inplace::{self, same_points};
use crate::memory::{ArenaLayout, Buffer, Scope, Step, plan, root};
use crate::normalize::{Expanded, Normal, normalize};
use crate::offload;
pub use crate::runs::Runs;
use crate::state::Lowering;
use crate::view::{BufId, Home, View, Views};
use crate::weave::{self, End, Ends, Weave};
use meshloom_ir::{Func, Literal, Op, OpId, Role, TensorType, ValueId};
use meshloom_kernels::gpu::Grid;
use meshloom_kernels::{Access, Device, KernelSpec, Node};
use std::collections::{BTreeMap, BTreeSet};

/// A local program with its kernels in order and a place in memory for every buffer.
#[derive(Debug)]
pub struct Arranged {
    /// The normalized program, which the steps compute: see [`crate::normalize`].
    pub func: Func,
    pub steps: Vec<Step>,
    pub buffers: Vec<Buffer>,
    pub layout: ArenaLayout,
    /// Composites that no kernel runs, in the order of the program.
    pub expanded: Vec<Expanded>,
    /// Buffers of the inputs, in the order of the ports.
    pub inputs: Vec<BufId>,
    pub outputs: Vec<BufId>,
    /// Bytes of scratch memory that kernels take beside the arena while they run.
    pub scratch: u64,
}

impl Arranged {
    /// Where a buffer begins.
    pub fn offset(&self, b: BufId) -> u64 {
        self.layout.offsets[root(&self.buffers, b).0]
    }
}

/// Decides kernels and memory of a local program.
///
/// # Errors
/// An op or type that the device cannot run yet, with its place.
pub fn arrange(local: &Func, runs: Runs) -> Result<Arranged, LowerError> {
    arranged(local, runs, None)
}

/// The same for the program of a pipeline stage, whose loops over microbatches run in the order of a schedule.
///
/// # Errors
/// As [`arrange`].
pub fn arrange_stage(local: &Func, runs: Runs, weave: &Weave) -> Result<Arranged, LowerError> {
    arranged(local, runs, Some(weave))
}

fn arranged(local: &Func, runs: Runs, weave: Option<&Weave>) -> Result<Arranged, LowerError> {
    if let Some(e) = of_eight_bits(local).or_else(|| beyond_addresses(local)) {
        return Err(e);
    }
    let Normal { func, origin, expanded, stored } = normalize(local, runs.device);
    let mut s = Lowering::new(&func, &origin, runs);
    s.facts.once.extend(stored.vectors.iter().chain(&stored.results));
    s.facts.masked = stored.results;
    s.ring_values = weave.map_or_else(BTreeMap::new, |w| w.slots(&func));
    s.facts.received = weave.map_or_else(Vec::new, |w| w.received(&func));
    let body = func.body();
    // Inputs, then outputs that update nothing, have buffers of their own.
    let mut views = Views::new();
    for (&a, port) in body.args.iter().zip(&func.inputs) {
        let buf = s.port(a);
        s.buffers[buf.0].host = port.host;
        views.insert(a, View::dense(Home::fixed(buf), &func.ty(a).shape));
    }
    let inputs: Vec<BufId> = body.args.iter().map(|a| views[a].home.buf).collect();
    let mut targets = Views::new();
    let mut places: Vec<View> = Vec::new();
    for (&y, port) in body.yields.iter().zip(&func.outputs) {
        // A next value is computed beside the old one, and put over it below where nothing reads the old one afterwards.
        let view = match targets.get(&y).filter(|_| port.role == Role::Sent) {
            // A value that several stages are sent is there once.
            Some(there) => there.clone(),
            None if port.role == Role::Sent && weave::given(&func, y) => views[&y].clone(),
            None if port.updates.is_none() => View::dense(Home::fixed(s.port(y)), &func.ty(y).shape),
            None => View::dense(Home::fixed(s.buffer(func.ty(y).bytes(), Scope::Step, false)), &func.ty(y).shape),
        };
        if func.def_op(y).is_some() {
            targets.entry(y).or_insert_with(|| view.clone());
        }
        places.push(view);
    }
    let (mut steps, views) = s.region(Func::BODY, views, &targets)?;
    handed_out(&mut s, &mut steps, &views, &inputs, &places)?;
    if let Some(w) = weave {
        let ends = ends(&s, w, &inputs, &places);
        steps = weave::weave(steps, &s.buffers, w, &s.numbers, &ends)?;
    }
    let mut loops = s.loops;
    let steps = offload::windows(steps, &mut s.buffers, &mut loops, runs.device);
    let layout = plan(&steps, &s.buffers)?;
    let scratch = scratch(&steps, runs.device);
    let (buffers, outputs) = (s.buffers, places.iter().map(|p| p.home.buf).collect());
    Ok(Arranged { func, steps, buffers, layout, expanded, inputs, outputs, scratch })
}

/// What a stage receives and sends, in memory.
fn ends(s: &Lowering<'_>, w: &Weave, inputs: &[BufId], places: &[View]) -> Ends {
    let (received, sent) = weave::wires(s.func);
    let end = |wire: usize, buf: BufId, v: ValueId, each: bool| {
        let bytes = s.func.ty(v).bytes() / if each { w.microbatches.max(1) } else { 1 };
        let slots = each.then(|| s.rings.get(&buf).copied().unwrap_or(w.microbatches));
        End { wire: wire as u32, buf, bytes, slots, after: BTreeSet::new(), given: false }
    };
    let body = s.func.body();
    let first = received.len();
    let taken = |(k, &i): (usize, &usize)| {
        let after = w.after.get(&i).into_iter().flatten().map(|&o| places[o].home.buf).collect();
        End { after, ..end(k, inputs[i], body.args[i], w.received_each.contains(&i)) }
    };
    let given = |(k, &i): (usize, &usize)| {
        let given = weave::given(s.func, body.yields[i]);
        End { given, ..end(first + k, places[i].home.buf, body.yields[i], w.sent_each.contains(&i)) }
    };
    Ends {
        received: received.iter().enumerate().map(taken).collect(),
        sent: sent.iter().enumerate().map(given).collect(),
    }
}

/// Puts the outputs of a program into their buffers. Copies that read inputs come first; the next values of inputs are
/// written over the old ones after them.
fn handed_out(
    s: &mut Lowering<'_>,
    steps: &mut Vec<Step>,
    views: &Views,
    inputs: &[BufId],
    places: &[View],
) -> Result<(), LowerError> {
    let func = s.func;
    let updated: BTreeSet<BufId> = func.outputs.iter().filter_map(|p| p.updates).map(|i| inputs[i]).collect();
    let mut next: Vec<(OpId, &TensorType, View, &View, View)> = Vec::new();
    let mut touched = Touched::default();
    steps.iter().for_each(|step| touched.note(step));
    for ((&y, port), place) in func.body().yields.iter().zip(&func.outputs).zip(places) {
        let op = func.def_op(y).unwrap_or(OpId(0));
        let src = crate::expand::resolve(func, y, &|v| views.get(&v).cloned(), None)
            .map(|x| x.0)
            .ok_or_else(|| LowerError { message: "internal: an output has no memory".into(), span: port.span })?;
        let ty = func.ty(y);
        let Some(i) = port.updates else {
            if src != *place {
                let copy = s.copy(op, ty, &src, place, &[])?;
                if port.role == Role::Sent {
                    // As soon as it is there: others wait for it.
                    let writes = |step: &Step| {
                        let mut found = false;
                        step.visit(&mut |r, write| found |= write && r.home.buf == src.home.buf);
                        found
                    };
                    let at = steps.iter().rposition(writes).map_or(0, |t| t + 1);
                    steps.insert(at, copy);
                    touched = Touched::default();
                    steps.iter().for_each(|step| touched.note(step));
                } else {
                    touched.push(steps, copy);
                }
            }
            continue;
        };
        let old = View::dense(Home::fixed(inputs[i]), &ty.shape);
        if src == old {
            continue; // unchanged
        }
        if updated.contains(&src.home.buf) {
            touched.push(steps, s.copy(op, ty, &src, place, &[])?);
            next.push((op, ty, place.clone(), place, old));
        } else {
            next.push((op, ty, src, place, old));
        }
    }
    let mut carried = Vec::new();
    for (op, ty, src, place, old) in next {
        if src.home.buf == place.home.buf && touched.may_lie_over(steps, &s.buffers, place.home.buf, old.home.buf) {
            s.buffers[place.home.buf.0].over = Some(old.home.buf);
            continue;
        }
        if let Some(copy) = touched.begins_as(steps, &s.buffers, &src, &old) {
            s.buffers[src.home.buf.0].over = Some(old.home.buf);
            carried.push(copy);
            continue;
        }
        touched.push(steps, s.copy(op, ty, &src, &old, &[])?);
    }
    carried.sort_unstable();
    carried.into_iter().rev().for_each(|copy| drop(steps.remove(copy)));
    Ok(())
}

/// Whether a step copies all of `old` to `new` and does nothing else: element by element, at the same places.
fn is_whole_copy(step: &Step, new: BufId, old: BufId, bytes: u64) -> bool {
    let Step::Launch(l) = step else { return false };
    let KernelSpec::Fused(spec) = &l.spec else { return false };
    let ([Node::Leaf(from)], [to]) = (&spec.body.nodes[..], &spec.body.outputs[..]) else { return false };
    let of = |a: &Access| &l.args[a.buffer as usize];
    let ends = [(from, old), (&to.access, new)];
    (&from.strides, from.offset, from.start) == (&to.access.strides, to.access.offset, to.access.start)
        && ends.iter().all(|(a, b)| of(a).home == Home::fixed(*b) && of(a).offset == 0 && of(a).bytes == bytes)
}

/// The scratch memory of the kernel that takes the most of it.
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
        Step::Actions(a) => a.bodies.iter().map(|b| scratch(&b.steps, device)).max().unwrap_or(0),
        Step::Collective(_)
        | Step::Bucket(_)
        | Step::Fill { .. }
        | Step::Copy { .. }
        | Step::Send(..)
        | Step::Receive(..) => 0,
    });
    each.max().unwrap_or(0)
}

/// An error for a program whose sizes are so large that sums of bytes and strides would overflow.
fn beyond_addresses(f: &Func) -> Option<LowerError> {
    let bytes = f.values.iter().fold(0u64, |n, v| n.saturating_add(v.ty.elements().saturating_mul(ELEMENT)));
    (bytes > i64::MAX as u64).then(LowerError::too_large)
}

/// An upper bound for the bytes that any kernel makes of one element of a value.
const ELEMENT: u64 = 64;

/// An error where a program asks for what kernels and collectives do not do in 8-bit floats. To everything but a
/// conversion and a contraction, these types are bytes.
fn of_eight_bits(f: &Func) -> Option<LowerError> {
    let narrow = |v: &ValueId| f.ty(*v).dtype.is_float8();
    let said = |what: &str, v: ValueId, span| {
        let message = format!("{what} of type {}; convert it to bf16 or f32 there", f.ty(v).dtype);
        Some(LowerError { message, span })
    };
    let ports = f.inputs.iter().zip(&f.body().args).chain(f.outputs.iter().zip(&f.body().yields));
    if let Some((port, &v)) = ports.into_iter().find(|(_, v)| narrow(v)) {
        return said(&format!("`{}` is an input or output", port.name), v, port.span);
    }
    f.walk(Func::BODY).into_iter().find_map(|o| {
        let data = f.op(o);
        let v = data.results.iter().chain(&data.operands).copied().find(narrow)?;
        match &data.op {
            op if op.effect().reduced.is_some() => said("devices reduce numbers", v, data.span),
            Op::Constant { value: Literal::Dense(_), .. } => said("this is a list of numbers", v, data.span),
            Op::DotGeneral(_) if narrow(&data.results[0]) => said("a contraction sums to a result", v, data.span),
            _ => None,
        }
    })
}

/// By buffer: the steps that read or write it, in order, with whether they write.
#[derive(Default)]
struct Touched {
    by: Vec<Vec<(usize, bool)>>,
    steps: usize,
}

impl Touched {
    fn note(&mut self, step: &Step) {
        step.visit(&mut |r, write| {
            let b = r.home.buf.0;
            if self.by.len() <= b {
                self.by.resize(b + 1, Vec::new());
            }
            if self.by[b].last() != Some(&(self.steps, write)) {
                self.by[b].push((self.steps, write));
            }
        });
        self.steps += 1;
    }

    fn push(&mut self, steps: &mut Vec<Step>, step: Step) {
        self.note(&step);
        steps.push(step);
    }

    fn of(&self, b: BufId) -> &[(usize, bool)] {
        self.by.get(b.0).map_or(&[], Vec::as_slice)
    }

    /// Whether the buffer `new` can lie over `old`: nothing reads an element of `old` after the step that writes it in `new`, and
    /// nothing writes `old`.
    fn may_lie_over(&self, steps: &[Step], buffers: &[Buffer], new: BufId, old: BufId) -> bool {
        let mut writers = self.of(new).iter().filter(|x| x.1).map(|x| x.0);
        let Some(writer) = writers.next() else { return false };
        if buffers[new.0].bytes != buffers[old.0].bytes {
            return false;
        }
        let Step::Launch(l) = &steps[writer] else { return inplace::may_lie_over(steps, new, old, None) };
        let reads_old = || self.of(old).iter().map(|x| x.0);
        writers.all(|t| t == writer)
            && !self.of(old).iter().any(|x| x.1)
            && reads_old().all(|t| t <= writer)
            && (reads_old().all(|t| t != writer) || {
                let of = |b: BufId| l.args.iter().position(|r| r.home.buf == b);
                of(new).zip(of(old)).is_some_and(|(n, o)| same_points(l, n, o))
            })
    }

    /// The step that copies `old`, whole, to where the carry of a loop begins that ends as `src`, if the carry can lie over `old`.
    fn begins_as(&self, steps: &[Step], buffers: &[Buffer], src: &View, old: &View) -> Option<usize> {
        let (new, old) = (src.home.buf, old.home.buf);
        let buffer = &buffers[new.0];
        let whole = src.home == Home::fixed(new) && src.offset == 0 && src.shard.is_none();
        let alike = buffer.comes_and_goes() && buffer.over.is_none() && buffer.scope == Scope::Step;
        let (copy, _) = *self.of(new).first()?;
        let found = whole
            && alike
            && buffer.bytes == buffers[old.0].bytes
            && is_whole_copy(&steps[copy], new, old, buffer.bytes)
            && inplace::may_lie_over(steps, new, old, Some(copy));
        found.then_some(copy)
    }
}
