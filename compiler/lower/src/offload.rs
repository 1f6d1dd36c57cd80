//! What lies in the host's memory between steps, such as the optimizer's state: which parts of it are on the device when.
//!
//! A step that reads or writes such a buffer is given a *window* in its place, a buffer on the device. Before the step the
//! window is filled from the host, and after it the host gets what was written. An update of a large tensor goes element by
//! element, so it is cut into slices of rows, in a loop that has one slice of each tensor on the device at a time. On a GPU there
//! are two, since the next slice is on its way while one is updated; the runtime orders copies and kernels by the bytes that they
//! touch, and no order is said here.
//!
//! Windows are ordinary buffers: where they lie, and how much memory they take, is decided with all others ([`crate::memory`]).
//!
//! Stashes are read and written slice by slice, by the iterations of loops that are there already ([`stashed`]).
//!
//! Not here: what lies in the host's memory (`Port::host`, [`crate::stashes`]).

mod stashed;

use crate::memory::{Buffer, Launch, Ref, Scope, Step, root, up};
use crate::stashes::SLOTS;
use crate::view::{BufId, Home};
use meshloom_bundle::program::{ALIGN, LoopIndex};
use meshloom_kernels::{Device, Fused, KernelSpec, Node};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// Into how many parts of about one size all that lies in the host's memory is cut, and the least and the most bytes of a part:
/// copies of fewer bytes take as long as starting them, and more bytes make no copy faster.
const PARTS: u64 = 64;
const LEAST: u64 = 256 << 10;
const MOST: u64 = 64 << 20;

/// Puts windows in the place of what lies in the host's memory. `loops` is the number of loops so far.
pub fn windows(steps: Vec<Step>, buffers: &mut Vec<Buffer>, loops: &mut usize, device: Device) -> Vec<Step> {
    if !buffers.iter().any(|b| b.host) {
        return steps;
    }
    let all: u64 = buffers.iter().filter(|b| b.host && b.port).map(|b| b.bytes).sum();
    let mut w = Windows {
        buffers,
        loops,
        slots: if device.gpu().is_some() { SLOTS } else { 1 },
        part: (all / PARTS).clamp(LEAST, MOST),
    };
    steps.into_iter().flat_map(|step| w.step(step, 0, Scope::Step)).collect()
}

struct Windows<'a> {
    buffers: &'a mut Vec<Buffer>,
    loops: &'a mut usize,
    /// Windows of a slice.
    slots: u64,
    /// About how many bytes of a tensor a slice has.
    part: u64,
}

/// The bytes of a buffer in the host's memory that a step touches.
struct HostPart {
    bytes: Range<u64>,
    written: bool,
}

impl Windows<'_> {
    /// The buffer in the host's memory that a part of a buffer is in.
    fn host(&self, r: &Ref) -> Option<BufId> {
        let b = root(self.buffers, r.home.buf);
        self.buffers[b.0].host.then_some(b)
    }

    /// A step in loops to the number of `depth`, whose buffers have this scope.
    fn step(&mut self, step: Step, depth: usize, scope: Scope) -> Vec<Step> {
        let (step, inside) = match step {
            Step::Loop { number, trip, body, exit: None } => {
                let inside = self.stashes_of(&body, number, depth);
                let body = self.sliced(body, number, depth, scope, &inside);
                (Step::Loop { number, trip, body, exit: None }, inside)
            }
            Step::Copy { src, dst } if self.host(&src).is_none() => return vec![Step::Copy { src, dst }],
            other => (other, BTreeSet::new()),
        };
        let mut parts: BTreeMap<BufId, HostPart> = BTreeMap::new();
        step.visit(&mut |r, write| {
            let Some(b) = self.host(r).filter(|b| !inside.contains(b)) else { return };
            // Where a loop moves it, all of the buffer.
            let bytes = match r.home.moves.is_fixed() {
                true => r.offset / ALIGN * ALIGN..(r.offset + r.bytes).min(self.buffers[b.0].bytes),
                false => 0..self.buffers[b.0].bytes,
            };
            let part = parts.entry(b).or_insert(HostPart { bytes: bytes.clone(), written: false });
            part.bytes = part.bytes.start.min(bytes.start)..part.bytes.end.max(bytes.end);
            part.written |= write;
        });
        if parts.is_empty() {
            return vec![step];
        }
        match &step {
            Step::Launch(l) if depth == 0 => self.slices(l, &parts),
            _ => None,
        }
        .map_or_else(|| self.whole(step, &parts, scope), |s| vec![s])
    }

    fn window(&mut self, bytes: u64, scope: Scope) -> BufId {
        self.buffers.push(Buffer { bytes: bytes.max(1), scope, port: false, host: false, over: None, value: None });
        BufId(self.buffers.len() - 1)
    }

    /// A step between copies of all that it touches.
    fn whole(&mut self, mut step: Step, parts: &BTreeMap<BufId, HostPart>, scope: Scope) -> Vec<Step> {
        let made: BTreeMap<BufId, BufId> =
            parts.iter().map(|(&b, p)| (b, self.window(p.bytes.end - p.bytes.start, scope))).collect();
        step.change(&mut |r| {
            let b = root(self.buffers, r.home.buf);
            if let Some(part) = parts.get(&b) {
                r.home.buf = made[&b];
                r.offset -= part.bytes.start;
            }
        });
        let ends = |b: &BufId, p: &HostPart| {
            let bytes = p.bytes.end - p.bytes.start;
            let there = Ref { home: Home::fixed(*b), offset: p.bytes.start, bytes };
            (there, Ref { home: Home::fixed(made[b]), offset: 0, bytes })
        };
        let mut steps: Vec<Step> = Vec::new();
        for (b, p) in parts {
            let (there, here) = ends(b, p);
            steps.push(Step::Copy { src: there, dst: here });
        }
        steps.push(step);
        for (b, p) in parts.iter().filter(|x| x.1.written) {
            let (there, here) = ends(b, p);
            steps.push(Step::Copy { src: here, dst: there });
        }
        steps
    }

    /// A loop over slices of the rows of a kernel. `None` of a kernel that cannot be cut so, and of one that need not be.
    fn slices(&mut self, l: &Launch, parts: &BTreeMap<BufId, HostPart>) -> Option<Step> {
        let KernelSpec::Fused(spec) = &l.spec else { return None };
        let Rows { strides, started } = rows_of(spec)?;
        let sizes: Vec<u64> = l.spec.args().iter().map(|a| a.dtype.bytes()).collect();
        // One part of each buffer, which one window stands for.
        let mut at: BTreeMap<BufId, u64> = BTreeMap::new();
        if !l.args.iter().all(|r| self.host(r).is_none_or(|b| *at.entry(b).or_insert(r.offset) == r.offset)) {
            return None;
        }
        let largest = parts.values().map(|p| p.bytes.end - p.bytes.start).max()?;
        let rows = *spec.shape.first()?;
        let fits = |trip: u64| {
            let step = |k: usize| rows / trip * strides[k] * sizes[k];
            let cut = cut(spec, rows / trip);
            let of = |k: usize| cut.args()[k].elements * sizes[k];
            l.args.iter().enumerate().all(|(k, r)| {
                let whole = r.home.moves.is_fixed() && r.bytes > (trip - 1) * step(k);
                // A slice in the host's memory ends where the next one begins.
                let dense = || !started[k] && step(k).is_multiple_of(ALIGN) && step(k) == of(k);
                whole && (self.host(r).is_none() || dense())
            })
        };
        let least = largest.div_ceil(self.part);
        if least < 2 {
            return None;
        }
        let trip = (least..=rows.min(least.saturating_mul(8))).find(|&t| rows.is_multiple_of(t) && fits(t))?;
        let number = *self.loops;
        *self.loops += 1;
        let part = cut(spec, rows / trip);
        let (mut fetched, mut stored, mut args) = (Vec::new(), Vec::new(), Vec::new());
        let mut made: BTreeMap<BufId, Ref> = BTreeMap::new();
        let mut written: BTreeSet<BufId> = BTreeSet::new();
        for (k, r) in l.args.iter().enumerate() {
            let step = rows / trip * strides[k] * sizes[k];
            let moved = |buf: BufId| Home::fixed(buf).with(0, step, LoopIndex::Iter { delta: 0 });
            let Some(b) = self.host(r) else {
                let moves = Ref { home: moved(r.home.buf), bytes: r.bytes - (trip - 1) * step, ..*r };
                args.push(if step == 0 { *r } else { moves });
                continue;
            };
            let there = Ref { home: moved(b), bytes: step, ..*r };
            let here = *made.entry(b).or_insert_with(|| {
                let home = Home::fixed(self.window(up(step) * self.slots, Scope::Loop(number)));
                let turns = LoopIndex::IterMod { delta: 0, period: self.slots };
                let home = if self.slots > 1 { home.with(0, up(step), turns) } else { home };
                let here = Ref { home, offset: 0, bytes: step };
                fetched.push(Step::Copy { src: there, dst: here });
                here
            });
            if l.writes.contains(&(k as u32)) && written.insert(b) {
                stored.push(Step::Copy { src: here, dst: there });
            }
            args.push(here);
        }
        let launch = Step::Launch(Box::new(Launch { spec: part, args, ..l.clone() }));
        let body = fetched.into_iter().chain([launch]).chain(stored).collect();
        Some(Step::Loop { number, trip, body, exit: None })
    }
}

/// The same kernel over the first `rows` of its rows.
fn cut(spec: &Fused, rows: u64) -> KernelSpec {
    let mut shape = spec.shape.clone();
    shape[0] = rows;
    KernelSpec::Fused(Fused { shape, body: spec.body.clone() })
}

/// What a kernel's buffers are to its rows.
struct Rows {
    /// By buffer, the elements from one row to the next.
    strides: Vec<u64>,
    /// By buffer, whether it begins where the device's shard does.
    started: Vec<bool>,
}

/// The rows of a kernel that does with each row what it does with all others, where rows follow each other in each buffer; `None` of
/// other kernels.
fn rows_of(spec: &Fused) -> Option<Rows> {
    let body = &spec.body;
    let own = |n: &Node| match n {
        Node::Iota { dim } => *dim != 0,
        Node::Leaf(_) | Node::Const { .. } | Node::Dim { .. } | Node::Elem { .. } | Node::Reduce { .. } => true,
        Node::Gather { .. } | Node::Acc => false,
    };
    let all_written = body.outputs.iter().all(|o| o.access.strides.first().is_some_and(|&s| s > 0));
    if !all_written || spec.shape.len() < 1 + usize::from(body.has_reduce()) || !body.nodes.iter().all(own) {
        return None;
    }
    let mut strides: Vec<Option<u64>> = vec![None; body.buffers.len()];
    let mut started = vec![false; body.buffers.len()];
    for a in body.accesses() {
        let stride = u64::try_from(a.strides[0]).ok()?;
        let known = &mut strides[a.buffer as usize];
        if known.is_some_and(|s| s != stride) {
            return None;
        }
        *known = Some(stride);
        started[a.buffer as usize] |= a.start.is_some();
    }
    Some(Rows { strides: strides.into_iter().map(|s| s.unwrap_or(0)).collect(), started })
}
