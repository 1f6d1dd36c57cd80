//! Buffers, and where in the arena they lie: lifetimes over the scheduled steps, then first fit by size.
//!
//! A buffer of a loop's body lives within one iteration, so the bodies are planned separately. Each loop is one block
//! in the plan around it. Ports (parameters, state, inputs, outputs) live always.

use crate::call::CallKind;
use crate::error::LowerError;
use crate::view::{BufId, Home};
use meshloom_bundle::program::{ALIGN, CollectiveKind, DType, Dim, Number};
use meshloom_ir::{OpId, Span, ValueId};
use meshloom_kernels::KernelSpec;

/// The plan that a buffer belongs to.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Scope {
    /// The whole step.
    Step,
    /// One iteration of the loop with this number.
    Loop(usize),
}

#[derive(Clone, Debug)]
pub struct Buffer {
    pub bytes: u64,
    pub scope: Scope,
    /// It lives always and shares its memory with no other buffer.
    pub port: bool,
    /// It lies in the host's memory. Only copies touch it ([`crate::offload`]).
    pub host: bool,
    /// The buffer that it lies exactly over: an updated parameter lies over the old one.
    pub over: Option<BufId>,
    /// The value that it has. Scratch memory of a kernel and ports have none.
    pub value: Option<ValueId>,
}

impl Buffer {
    /// Whether it is in the device's memory while something uses it, and other buffers are there at other times.
    pub fn comes_and_goes(&self) -> bool {
        !self.port && !self.host
    }
}

/// A part of a buffer.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Ref {
    pub home: Home,
    pub offset: u64,
    pub bytes: u64,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Launch {
    pub spec: KernelSpec,
    pub args: Vec<Ref>,
    pub writes: Vec<u32>,
    pub dims: Vec<Dim>,
    pub span: Span,
    /// The certified op that it is launched for, and all ops that it computes.
    pub at: OpId,
    pub ops: Vec<u32>,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Collective {
    pub kind: CollectiveKind,
    pub axes: Vec<u32>,
    pub dtype: DType,
    pub src: Ref,
    pub dst: Ref,
    pub span: Span,
    pub ops: Vec<u32>,
    /// Whether it is rematerialized for the backward pass, so that its result is not live before.
    pub rematerialized: bool,
    /// Which others it can start with.
    pub call: CallKind,
}

/// An instruction whose buffers have no addresses yet.
#[derive(Clone, PartialEq, Debug)]
pub enum Step {
    Launch(Box<Launch>),
    Collective(Box<Collective>),
    /// Collectives of one call: see [`crate::bucket`].
    Bucket(Vec<Collective>),
    Fill {
        dst: Ref,
        dtype: DType,
        count: u64,
        value: Number,
    },
    /// Bytes between the device's memory and the host's.
    Copy {
        src: Ref,
        dst: Ref,
    },
    Loop {
        number: usize,
        trip: u64,
        body: Vec<Step>,
        /// How the loop ends, if it is a `while`.
        exit: Option<Exit>,
    },
    /// The loops over microbatches of a pipeline stage, whose iterations run in the order of a schedule.
    Actions(Actions),
    /// Over the wire with this number: what another stage needs, or computes.
    Send(u32, Ref),
    Receive(u32, Ref),
}

/// Loops whose iterations run in an order of their own.
#[derive(Clone, PartialEq, Debug)]
pub struct Actions {
    pub microbatches: u64,
    pub bodies: Vec<ActionBody>,
    /// Which body runs, and for which microbatch.
    pub order: Vec<(usize, u64)>,
}

#[derive(Clone, PartialEq, Debug)]
pub struct ActionBody {
    /// As schedules write it.
    pub name: String,
    /// The number of the loop that it is the body of.
    pub number: usize,
    pub steps: Vec<Step>,
}

/// How a `while` ends.
#[derive(Clone, PartialEq, Debug)]
pub struct Exit {
    /// One bool, which is read before each iteration.
    pub going: Ref,
    /// Steps that run once after the loop, and are given the number of its iterations.
    pub after: Vec<Step>,
}

impl Step {
    /// The collectives of this step. Those inside a loop's body are not among them.
    pub fn collectives(&self) -> &[Collective] {
        match self {
            Step::Collective(c) => std::slice::from_ref(c),
            Step::Bucket(all) => all,
            _ => &[],
        }
    }

    /// Calls `f` with each part of a buffer that is read or written, and whether it is written. A loop counts as one
    /// step of the plan around it.
    pub fn visit(&self, f: &mut impl FnMut(&Ref, bool)) {
        match self {
            Step::Launch(l) => l.args.iter().enumerate().for_each(|(i, r)| f(r, l.writes.contains(&(i as u32)))),
            Step::Collective(_) | Step::Bucket(_) => self.collectives().iter().for_each(|c| {
                f(&c.src, false);
                f(&c.dst, true);
            }),
            Step::Fill { dst, .. } | Step::Receive(_, dst) => f(dst, true),
            Step::Send(_, src) => f(src, false),
            Step::Copy { src, dst } => {
                f(src, false);
                f(dst, true);
            }
            Step::Actions(a) => a.bodies.iter().flat_map(|b| &b.steps).for_each(|s| s.visit(f)),
            Step::Loop { body, exit, .. } => {
                exit.iter().for_each(|e| f(&e.going, false));
                body.iter().for_each(|s| s.visit(f));
                exit.iter().flat_map(|e| &e.after).for_each(|s| s.visit(f));
            }
        }
    }
}

impl Step {
    /// Changes each part of a buffer that is read or written, those of loops' bodies too.
    pub fn change(&mut self, f: &mut impl FnMut(&mut Ref)) {
        match self {
            Step::Launch(l) => l.args.iter_mut().for_each(f),
            Step::Collective(c) => [&mut c.src, &mut c.dst].into_iter().for_each(f),
            Step::Bucket(all) => all.iter_mut().flat_map(|c| [&mut c.src, &mut c.dst]).for_each(f),
            Step::Fill { dst, .. } | Step::Receive(_, dst) => f(dst),
            Step::Send(_, src) => f(src),
            Step::Copy { src, dst } => [src, dst].into_iter().for_each(f),
            Step::Actions(a) => a.bodies.iter_mut().flat_map(|b| &mut b.steps).for_each(|s| s.change(f)),
            Step::Loop { body, exit, .. } => {
                body.iter_mut().for_each(|s| s.change(f));
                if let Some(e) = exit {
                    f(&mut e.going);
                    e.after.iter_mut().for_each(|s| s.change(f));
                }
            }
        }
    }
}

/// The offsets of all buffers, and the size of the arena. What lies in the host's memory has the offsets that follow the arena's.
#[derive(Debug)]
pub struct ArenaLayout {
    pub offsets: Vec<u64>,
    pub bytes: u64,
    /// Of the host's memory.
    pub host: u64,
}

/// A buffer's size in the arena: bytes rounded up to the alignment.
pub fn up(n: u64) -> u64 {
    n.div_ceil(ALIGN) * ALIGN
}

/// The buffer whose memory a buffer uses.
pub fn root(buffers: &[Buffer], b: BufId) -> BufId {
    let mut b = b;
    while let Some(o) = buffers[b.0].over {
        b = o;
    }
    b
}

/// A block of memory that is in use over the steps `first..=last`.
struct Block {
    bytes: u64,
    first: usize,
    last: usize,
}

/// Offsets at which no two blocks overlap that are in use at one time. The largest block comes first, and each takes
/// the lowest offset that is free.
fn first_fit(blocks: &[Block]) -> (Vec<u64>, u64) {
    let mut order: Vec<usize> = (0..blocks.len()).collect();
    order.sort_by_key(|&i| (std::cmp::Reverse(blocks[i].bytes), blocks[i].first, i));
    let mut offsets = vec![0u64; blocks.len()];
    let mut placed: Vec<usize> = Vec::new();
    let mut end = 0;
    for i in order {
        let b = &blocks[i];
        let mut busy: Vec<(u64, u64)> = placed
            .iter()
            .filter(|&&p| blocks[p].first <= b.last && b.first <= blocks[p].last)
            .map(|&p| (offsets[p], offsets[p] + up(blocks[p].bytes)))
            .collect();
        busy.sort_unstable();
        let mut at = 0;
        for (from, to) in busy {
            if at + up(b.bytes) <= from {
                break;
            }
            at = at.max(to);
        }
        offsets[i] = at;
        end = end.max(at + up(b.bytes));
        placed.push(i);
    }
    (offsets, end)
}

/// The first and the last step in which each buffer of `scope` is used.
pub fn lifetimes(steps: &[Step], buffers: &[Buffer], scope: Scope) -> Vec<Option<(usize, usize)>> {
    let mut life: Vec<Option<(usize, usize)>> = vec![None; buffers.len()];
    for (t, step) in steps.iter().enumerate() {
        step.visit(&mut |r, _| {
            let b = root(buffers, r.home.buf);
            if buffers[b.0].scope == scope {
                let (first, _) = life[b.0].unwrap_or((t, t));
                life[b.0] = Some((first, t));
            }
        });
    }
    life
}

/// The bytes of one scope with the loops inside it, and the offset in them of each buffer.
fn plan_scope(steps: &[Step], buffers: &[Buffer], scope: Scope) -> (u64, Vec<(usize, u64)>) {
    let mut blocks = Vec::new();
    let mut owners: Vec<Vec<(usize, u64)>> = Vec::new(); // (buffer, offset within the block)
    for (t, step) in steps.iter().enumerate() {
        let (bytes, places) = match step {
            Step::Loop { number, body, .. } => plan_scope(body, buffers, Scope::Loop(*number)),
            // One action runs after the other, so what they need within an iteration lies in the same place.
            Step::Actions(a) => a.bodies.iter().fold((0, Vec::new()), |(bytes, mut all), b| {
                let (n, places) = plan_scope(&b.steps, buffers, Scope::Loop(b.number));
                all.extend(places);
                (bytes.max(n), all)
            }),
            _ => continue,
        };
        blocks.push(Block { bytes, first: t, last: t });
        owners.push(places);
    }
    for (i, l) in lifetimes(steps, buffers, scope).into_iter().enumerate() {
        if let Some((first, last)) = l.filter(|_| buffers[i].comes_and_goes()) {
            blocks.push(Block { bytes: buffers[i].bytes, first, last });
            owners.push(vec![(i, 0)]);
        }
    }
    let (at, bytes) = first_fit(&blocks);
    let inner = |(owner, at): (Vec<(usize, u64)>, u64)| owner.into_iter().map(move |(b, o)| (b, at + o));
    (bytes, owners.into_iter().zip(at).flat_map(inner).collect())
}

/// Plans the arena.
///
/// # Errors
/// If the sizes are more than an address can express.
pub fn plan(steps: &[Step], buffers: &[Buffer]) -> Result<ArenaLayout, LowerError> {
    if buffers.iter().try_fold(0u64, |n, b| n.checked_add(up(b.bytes))).is_none_or(|n| n > i64::MAX as u64) {
        return Err(LowerError::too_large());
    }
    let mut offsets = vec![0u64; buffers.len()];
    // Ports first, in order: their place does not depend on what is scheduled.
    let mut base = 0;
    for (i, b) in buffers.iter().enumerate() {
        if b.port && b.over.is_none() && !b.host {
            offsets[i] = base;
            base += up(b.bytes);
        }
    }
    let (bytes, places) = plan_scope(steps, buffers, Scope::Step);
    for (b, at) in places {
        offsets[b] = base + at;
    }
    let arena = base + bytes;
    let mut host = 0;
    for (i, b) in buffers.iter().enumerate().filter(|(_, b)| b.host && b.over.is_none()) {
        offsets[i] = arena + host;
        host += up(b.bytes);
    }
    for i in 0..buffers.len() {
        offsets[i] = offsets[root(buffers, BufId(i)).0];
    }
    Ok(ArenaLayout { offsets, bytes: arena, host })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_that_live_at_once_do_not_overlap() {
        let blocks = [
            Block { bytes: 100, first: 0, last: 2 },
            Block { bytes: 200, first: 1, last: 3 },
            Block { bytes: 100, first: 3, last: 4 },
        ];
        let (at, bytes) = first_fit(&blocks);
        assert_eq!(bytes, 256 + 128);
        assert_eq!((at[0], at[1], at[2]), (256, 0, 256));
    }
}
