//! How much memory a local program holds at its fullest moment, by liveness.
//!
//! What is counted is what a schedule gives memory to: [`kernels`] says which values those are (an elementwise chain is
//! computed where it is read, a view is its operand's memory) and what each kernel reads. Parameters, state, inputs and
//! outputs live always; the next value of an input lies over the old one where its kernel may write in place. A loop's
//! stacks and carries live across it, its body's own values within one iteration, however often it runs.
//!
//! An estimate: the order is the program's, and holes between buffers are not foreseen. It is held against the arena of
//! real schedules by a test. What a device really allocates is the schedule's to say.

mod kernels;

use kernels::{Kernel, kernels};
use meshloom_ir::{Func, Op, OpId, Phase, RegionId, Role, Span, ValueId};
use std::collections::{BTreeMap, BTreeSet};

/// Offsets of buffers are multiples of this.
const ALIGN: u64 = 64;
/// Partial sums of collectives, where kernels take panels.
const PARTIAL: u64 = 16 << 10;

/// The fullest moment of a step, on one device.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Peak {
    /// The sum of all others.
    pub total: u64,
    pub parameters: u64,
    pub state: u64,
    /// Data, and outputs that are no input's next value.
    pub ports: u64,
    /// Forward values that are there at that moment: kept for the backward pass, most of them.
    pub activations: u64,
    /// Backward values that the update reads.
    pub gradients: u64,
    /// Everything else: temporaries of kernels and of the iteration that runs, buffers of collectives.
    pub scratch: u64,
    /// Panels of contractions are in it: the target is one whose kernels take them, as the CPU's do.
    pub packs: bool,
    /// The op that runs; `None` for a program without ops.
    pub at: Option<OpId>,
    pub phase: Phase,
    pub span: Span,
}

impl Peak {
    fn add(&mut self, kind: Kind, bytes: u64) {
        let part = match kind {
            Kind::Activation => &mut self.activations,
            Kind::Gradient => &mut self.gradients,
            Kind::Scratch => &mut self.scratch,
        };
        *part = part.saturating_add(bytes);
        self.total = self.total.saturating_add(bytes);
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Activation,
    Gradient,
    Scratch,
}

/// Memory that is taken from one kernel to another.
struct Buffer {
    bytes: u64,
    first: usize,
    last: usize,
    kind: Kind,
}

/// The peak of a local program. `packs`: the target's contractions read copies of their operands in an order of their own.
pub fn peak(local: &Func, packs: bool) -> Peak {
    let mut base = Peak { packs, ..Peak::default() };
    for (p, &a) in local.inputs.iter().zip(&local.body().args) {
        let bytes = up(local.ty(a).bytes());
        match p.role {
            Role::Parameter => base.parameters = base.parameters.saturating_add(bytes),
            Role::State => base.state = base.state.saturating_add(bytes),
            _ => base.ports = base.ports.saturating_add(bytes),
        }
    }
    for (p, &y) in local.outputs.iter().zip(&local.body().yields) {
        if p.updates.is_none() {
            base.ports = base.ports.saturating_add(up(local.ty(y).bytes()));
        }
    }
    base.scratch = if packs { PARTIAL } else { 0 };
    base.total = base.scratch.saturating_add(base.parameters).saturating_add(base.state).saturating_add(base.ports);
    fullest(local, Func::BODY, packs, base)
}

fn up(bytes: u64) -> u64 {
    bytes.max(1).div_ceil(ALIGN).saturating_mul(ALIGN)
}

/// The fullest moment of one run of a region, on top of what is there all the while.
fn fullest(func: &Func, r: RegionId, packs: bool, base: Peak) -> Peak {
    let (kernels, buffers) = region(func, r, packs);
    let mut begins: Vec<Vec<usize>> = vec![Vec::new(); kernels.len()];
    let mut ends: Vec<Vec<usize>> = vec![Vec::new(); kernels.len()];
    for (i, b) in buffers.iter().enumerate() {
        begins[b.first].push(i);
        ends[b.last].push(i);
    }
    let mut best: Option<Peak> = None;
    let mut live = [0u64; 3];
    for (t, k) in kernels.iter().enumerate() {
        for &i in &begins[t] {
            live[buffers[i].kind as usize] += buffers[i].bytes;
        }
        let data = func.op(k.op);
        let mut now = Peak { at: Some(k.op), phase: data.phase, span: data.span, ..base };
        for kind in [Kind::Activation, Kind::Gradient, Kind::Scratch] {
            now.add(kind, live[kind as usize]);
        }
        if let Op::Repeat { .. } = data.op {
            now = fullest(func, data.regions[0], packs, now);
        }
        if best.is_none_or(|b| now.total > b.total) {
            best = Some(now);
        }
        for &i in &ends[t] {
            live[buffers[i].kind as usize] -= buffers[i].bytes;
        }
    }
    best.unwrap_or(base)
}

/// The kernels of a region in order, and the memory that its values take beside its arguments and what it yields.
fn region(func: &Func, r: RegionId, packs: bool) -> (Vec<Kernel>, Vec<Buffer>) {
    let kernels = kernels(func, r, packs);
    // What the region yields has a place outside: a port of the program, the slot of a carry, an entry of a stack.
    let placed: BTreeSet<ValueId> = if r == Func::BODY {
        let own = func.body().yields.iter().zip(&func.outputs).filter(|(_, p)| p.updates.is_none());
        own.map(|(&y, _)| y).chain(in_place(func, &kernels)).collect()
    } else {
        func.region(r).yields.iter().copied().collect()
    };
    let yields: BTreeSet<ValueId> = func.region(r).yields.iter().copied().collect();
    // Parts of a stack are written where they go in it.
    let whole = joined(func, r);
    let placed: BTreeSet<ValueId> =
        placed.iter().copied().chain(whole.iter().filter(|(_, w)| placed.contains(w)).map(|(v, _)| *v)).collect();
    let mut place: BTreeMap<ValueId, usize> = BTreeMap::new();
    let mut buffers: Vec<Buffer> = Vec::new();
    for (t, k) in kernels.iter().enumerate() {
        if let Op::Repeat { .. } = func.op(k.op).op {
            let fixed = |v: &ValueId| placed.contains(v) || whole.contains_key(v);
            loop_buffers(func, k.op, t, &fixed, &mut place, &mut buffers);
        }
        for &v in &k.writes {
            if placed.contains(&v) || place.contains_key(&v) {
                continue;
            }
            let all = whole.get(&v).copied().unwrap_or(v);
            if let Some(&b) = place.get(&all) {
                place.insert(v, b);
                continue;
            }
            place.extend([(v, buffers.len()), (all, buffers.len())]);
            buffers.push(Buffer { bytes: up(func.ty(all).bytes()), first: t, last: t, kind: kind(func, v) });
        }
        for &bytes in &k.temporaries {
            buffers.push(Buffer { bytes: up(bytes), first: t, last: t, kind: Kind::Scratch });
        }
    }
    let end = kernels.len().saturating_sub(1);
    for (t, k) in kernels.iter().enumerate() {
        for v in &k.reads {
            if let Some(&b) = place.get(v) {
                buffers[b].last = buffers[b].last.max(t);
                let made = func.def_op(*v).map(|o| func.op(o).phase);
                if func.op(k.op).phase == Phase::Update && made == Some(Phase::Backward) {
                    buffers[b].kind = Kind::Gradient;
                }
            }
        }
    }
    for v in &yields {
        if let Some(&b) = place.get(v) {
            buffers[b].last = end;
        }
    }
    (kernels, buffers)
}

/// Stacks that the backward pass makes are gradients, and so is what the update reads of it ([`region`] sees to that).
fn kind(func: &Func, v: ValueId) -> Kind {
    let Some(data) = func.def_op(v).map(|o| func.op(o)) else { return Kind::Scratch };
    match data.phase {
        Phase::Forward => Kind::Activation,
        Phase::Backward if data.weight_grad || matches!(data.op, Op::Repeat { .. }) => Kind::Gradient,
        _ => Kind::Scratch,
    }
}

/// A carry alternates between two slots, or moves through the stack that keeps it as it comes in, which then has one slot
/// more. Every other stack is a buffer of its own.
fn loop_buffers(
    func: &Func,
    o: OpId,
    t: usize,
    fixed: &dyn Fn(&ValueId) -> bool,
    place: &mut BTreeMap<ValueId, usize>,
    buffers: &mut Vec<Buffer>,
) {
    let data = func.op(o);
    let Op::Repeat { trip, reverse, carries, .. } = data.op else { return };
    let body = func.region(data.regions[0]);
    for k in 0..carries {
        let bytes = func.ty(data.results[k]).bytes();
        let free = |j: &usize| body.yields[*j] == body.args[k] && !place.contains_key(&data.results[*j]);
        let stack = (carries..body.yields.len()).find(|j| !reverse && free(j) && !fixed(&data.results[*j]));
        let bytes = match stack {
            Some(_) => up(bytes.saturating_mul(trip.saturating_add(1))),
            None => up(bytes).saturating_mul(2),
        };
        let kind = kind(func, data.results[k]);
        for v in [Some(data.results[k]), stack.map(|j| data.results[j])].into_iter().flatten() {
            place.insert(v, buffers.len());
        }
        buffers.push(Buffer { bytes, first: t, last: t, kind });
    }
}

/// Operands of concatenations along dim 0 that ops of `r` make, with the result that each is a part of: they are written where
/// they go, and the concatenation moves nothing. One that goes to two places is in none.
pub(crate) fn joined(func: &Func, r: RegionId) -> BTreeMap<ValueId, ValueId> {
    let mut out = BTreeMap::new();
    let mut twice = Vec::new();
    for &o in &func.region(r).ops {
        let data = func.op(o);
        if !matches!(data.op, Op::Concatenate { dim: 0 }) {
            continue;
        }
        for &x in &data.operands {
            let made = func.def_op(x).is_some_and(|p| match func.op(p).op {
                Op::Repeat { carries, .. } => func.op(p).results[carries..].contains(&x),
                Op::Concatenate { .. } => false,
                _ => true,
            });
            if made && out.insert(x, data.results[0]).is_some() {
                twice.push(x);
            }
        }
    }
    out.retain(|x, _| !twice.contains(x));
    out
}

/// Next values that are written over the old ones: made by an elementwise kernel, and nothing after it reads the old one.
fn in_place(func: &Func, kernels: &[Kernel]) -> Vec<ValueId> {
    let mut last_read: BTreeMap<ValueId, usize> = BTreeMap::new();
    let mut writer: BTreeMap<ValueId, usize> = BTreeMap::new();
    for (t, k) in kernels.iter().enumerate() {
        last_read.extend(k.reads.iter().map(|&v| (v, t)));
        writer.extend(k.writes.iter().map(|&v| (v, t)));
    }
    let mut out = Vec::new();
    for (&y, p) in func.body().yields.iter().zip(&func.outputs) {
        let Some(old) = p.updates.map(|i| func.body().args[i]) else { continue };
        let Some(&t) = writer.get(&y) else { continue };
        let elementwise = kernels[t].elementwise;
        if elementwise && last_read.get(&old).is_none_or(|&l| l <= t) {
            out.push(y);
        }
    }
    out
}
