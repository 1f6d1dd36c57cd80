//! How much memory a device needs for a local program, and for what: the bytes of the arena, and the moment of a step
//! at which most of the arena is in use.
//!
//! The total is exact, and so are the bytes of parameters, state and ports. Values that are live at the fullest moment
//! are counted by the phase that computes them. The rest is scratch: temporaries of kernels, and gaps between buffers.

use crate::arrange::{Arranged, Runs, arrange};
use crate::error::LowerError;
use crate::memory::{Buffer, Scope, Step, lifetimes, root, up};
use crate::view::BufId;
use meshloom_bundle::program::allocated;
use meshloom_ir::{Func, Op, OpId, Phase, Role, Span, ValueId};
use std::collections::BTreeSet;

/// The bytes that one device needs, in total and in parts.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Peak {
    /// The sum of all others but those of the host.
    pub total: u64,
    pub parameters: u64,
    pub state: u64,
    /// Bytes of the host's memory, which are not in the total.
    pub host: u64,
    /// Inputs that are data, and outputs that are no input's next value.
    pub ports: u64,
    /// Forward values that are live at the fullest moment. Most of them wait for the backward pass.
    pub activations: u64,
    /// Backward values that the update reads.
    pub gradients: u64,
    /// Everything else: temporaries of kernels and of the current iteration, buffers of collectives, gaps between
    /// buffers.
    pub scratch: u64,
    /// The op that runs at that moment; `None` for a program without kernels.
    pub at: Option<OpId>,
    pub phase: Phase,
    pub span: Span,
}

/// The bytes that a device needs for a local program.
///
/// # Errors
/// Those of [`arrange`].
pub fn peak(local: &Func, runs: Runs) -> Result<Peak, LowerError> {
    arrange(local, runs).map(|made| made.peak())
}

/// What is in memory at the fullest moment of a step. From this, the memory of a similar program can be predicted.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Fullest {
    /// All bytes in use at that moment, without gaps between buffers.
    pub bytes: u64,
    /// Buffers in use whose memory other buffers may use later: the value of each, and its bytes. Scratch memory of a kernel has no value.
    pub buffers: Vec<(Option<ValueId>, u64)>,
    /// The ops of the local program that are computed then.
    pub ops: Vec<OpId>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Activation,
    Gradient,
    Scratch,
}

/// What is live while a step runs: the bytes of each kind, the op that the step computes, and the place of the step, or of the loop that it
/// is in, outside of loops.
#[derive(Clone, Copy, Default)]
struct Moment {
    live: [u64; 3],
    at: Option<OpId>,
    step: usize,
}

impl Moment {
    fn total(&self) -> u64 {
        self.live.iter().sum()
    }
}

impl Arranged {
    /// The bytes that a device needs for the program.
    pub fn peak(&self) -> Peak {
        self.measured().0
    }

    /// The same, and what is in memory at the fullest moment.
    pub fn measured(&self) -> (Peak, Fullest) {
        let func = &self.func;
        let total = allocated(self.layout.bytes, self.scratch);
        let mut peak = Peak { total, host: self.layout.host, ..Peak::default() };
        for (port, &a) in func.inputs.iter().zip(&func.body().args) {
            let bytes = up(func.ty(a).bytes().max(1));
            match port.role {
                _ if port.host => {}
                Role::Parameter => peak.parameters += bytes,
                Role::State => peak.state += bytes,
                _ => peak.ports += bytes,
            }
        }
        let outputs = func.outputs.iter().zip(&func.body().yields).filter(|(p, _)| p.updates.is_none());
        peak.ports += outputs.map(|(_, &y)| up(func.ty(y).bytes().max(1))).sum::<u64>();
        let mut updated = BTreeSet::new();
        read_by_update(func, &self.steps, &mut updated);
        let kinds: Vec<Kind> =
            (0..self.buffers.len()).map(|b| kind(func, &self.buffers[b], updated.contains(&b))).collect();
        let fullest = self.fullest(&self.steps, Scope::Step, &kinds, Moment::default());
        [peak.activations, peak.gradients] = [fullest.live[0], fullest.live[1]];
        let parts = peak.parameters + peak.state + peak.ports + peak.activations + peak.gradients;
        peak.scratch = total.saturating_sub(parts);
        peak.at = fullest.at;
        if let Some(data) = fullest.at.and_then(|o| func.ops.get(o.index())) {
            (peak.phase, peak.span) = (data.phase, data.span);
        }
        (peak, self.there(&fullest))
    }

    /// What is there at a moment.
    fn there(&self, moment: &Moment) -> Fullest {
        let lives = lifetimes(&self.steps, &self.buffers, Scope::Step);
        let now = |b: usize| lives[b].is_some_and(|(first, last)| (first..=last).contains(&moment.step));
        let ports = self.buffers.iter().filter(|b| b.port && b.over.is_none() && !b.host);
        let ports: u64 = ports.map(|b| up(b.bytes)).sum();
        let there = self.buffers.iter().enumerate().filter_map(|(b, buffer)| {
            let root = root(&self.buffers, BufId(b)).0;
            let there = self.buffers[root].comes_and_goes() && self.buffers[root].scope == Scope::Step && now(root);
            there.then(|| (buffer.value, up(self.buffers[root].bytes)))
        });
        let ops = match self.steps.get(moment.step) {
            Some(Step::Launch(l)) => l.ops.iter().map(|&o| OpId(o)).collect(),
            Some(step) => step.collectives().iter().flat_map(|c| &c.ops).map(|&o| OpId(o)).collect(),
            None => Vec::new(),
        };
        Fullest { bytes: allocated(ports + moment.total(), self.scratch), buffers: there.collect(), ops }
    }

    /// The fullest moment of some steps, on top of the values that are live throughout.
    fn fullest(&self, steps: &[Step], scope: Scope, kinds: &[Kind], base: Moment) -> Moment {
        let mut begins: Vec<Vec<usize>> = vec![Vec::new(); steps.len()];
        let mut ends: Vec<Vec<usize>> = vec![Vec::new(); steps.len()];
        for (b, life) in lifetimes(steps, &self.buffers, scope).into_iter().enumerate() {
            if let Some((first, last)) = life.filter(|_| self.buffers[b].comes_and_goes()) {
                begins[first].push(b);
                ends[last].push(b);
            }
        }
        let mut best = base;
        let mut now = base;
        for (t, step) in steps.iter().enumerate() {
            begins[t].iter().for_each(|&b| now.live[kinds[b] as usize] += up(self.buffers[b].bytes));
            let here = match step {
                Step::Loop { number, body, .. } => self.fullest(body, Scope::Loop(*number), kinds, now),
                Step::Actions(a) => {
                    let each = a.bodies.iter().map(|b| self.fullest(&b.steps, Scope::Loop(b.number), kinds, now));
                    each.fold(now, |a, b| if b.total() > a.total() || a.at.is_none() { b } else { a })
                }
                other => Moment { at: at(other).or(now.at), ..now },
            };
            let here = Moment { step: t, ..here };
            if here.total() > best.total() || best.at.is_none() {
                best = here;
            }
            ends[t].iter().for_each(|&b| now.live[kinds[b] as usize] -= up(self.buffers[b].bytes));
        }
        best
    }
}

/// The op that a step computes.
fn at(step: &Step) -> Option<OpId> {
    match step {
        Step::Launch(l) => Some(l.at),
        Step::Collective(_) | Step::Bucket(_) => {
            step.collectives().first().and_then(|c| c.ops.first()).map(|&o| OpId(o))
        }
        _ => None,
    }
}

/// What a buffer's bytes count as. A backward value counts as a gradient if it is a weight's gradient, if a loop stacks
/// it, or if the update reads it.
fn kind(func: &Func, buffer: &Buffer, updated: bool) -> Kind {
    let Some(data) = buffer.value.and_then(|v: ValueId| func.def_op(v)).map(|o| func.op(o)) else {
        return Kind::Scratch;
    };
    match data.phase {
        Phase::Forward => Kind::Activation,
        Phase::Backward if updated || data.weight_grad || matches!(data.op, Op::Repeat { .. }) => Kind::Gradient,
        _ => Kind::Scratch,
    }
}

/// Buffers that steps of the update read.
fn read_by_update(func: &Func, steps: &[Step], out: &mut BTreeSet<usize>) {
    for step in steps {
        if let Step::Loop { body, .. } = step {
            read_by_update(func, body, out);
        } else if let Step::Actions(a) = step {
            a.bodies.iter().for_each(|b| read_by_update(func, &b.steps, out));
        } else if at(step).and_then(|o| func.ops.get(o.index())).is_some_and(|data| data.phase == Phase::Update) {
            step.visit(&mut |r, write| {
                if !write {
                    out.insert(r.home.buf.0);
                }
            });
        }
    }
}
