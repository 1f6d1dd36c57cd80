//! Which values may be written over the old ones that they are computed from: no element of the old one is read after it was
//! written. What reads and writes it in one kernel reads an element only where it writes the same element.
//!
//! The sums of gradients over microbatches are such values. They are as large as the parameters, so it matters that they are in
//! memory once. Layers add to them in loops of their own, slice by slice; several loops do if one was cut in segments. So every
//! write is compared with every read, by the bytes that each touches in an iteration.
//!
//! The next value of state is compared with the old one in the same way: a loop over layers that replaces each layer's entry of a
//! cache writes the cache where it is.
//!
//! Not here: which kernels add ([`crate::sums`]); how the next values of parameters and state come to lie over the old ones
//! ([`crate::arrange`]).

use crate::memory::{Launch, Ref, Step};
use crate::view::BufId;
use meshloom_bundle::program::{LoopIndex, Move};
use meshloom_kernels::{KernelSpec, Node};
use std::ops::Range;

/// Whether one slot is enough for a carry. `body` are the steps of its loop. The carry has two slots in `buf`: in the loop at
/// `depth`, the body reads the slot of the iteration and writes the next one.
pub fn carried(body: &[Step], buf: BufId, depth: usize) -> bool {
    let mut touches = Vec::new();
    if !collect(body, buf, &[], &mut touches) {
        return false;
    }
    let slot = |t: &Touch<'_>, delta: i64| t.part.home.moves.0[depth].index == LoopIndex::IterMod { delta, period: 2 };
    // Nothing writes the slot of the iteration.
    let known = touches.iter().all(|t| slot(t, 1) || !t.write && slot(t, 0));
    let (new, old): (Vec<&Touch<'_>>, Vec<&Touch<'_>>) = touches.iter().partition(|t| slot(t, 1));
    let mut writes = new.into_iter().filter(|t| t.write).peekable();
    known && writes.peek().is_some() && writes.all(|w| old.iter().all(|r| in_time(r, w, Some(depth))))
}

/// Whether what a program computes in `new` can be computed where `old` is: nothing writes `old`, and no element of it is read after
/// that of `new` was written. The step at `except`, if there is one, is left out: the copy of one to the other.
pub fn may_lie_over(steps: &[Step], new: BufId, old: BufId, except: Option<usize>) -> bool {
    let touched = |buf: BufId| -> Option<Vec<Touch<'_>>> {
        let mut touches = Vec::new();
        let mut all = steps.iter().enumerate().filter(|(t, _)| Some(*t) != except);
        all.all(|(t, step)| collect_step(step, t, buf, &[], &mut touches)).then_some(touches)
    };
    let (Some(of_new), Some(of_old)) = (touched(new), touched(old)) else { return false };
    let mut writes = of_new.iter().filter(|t| t.write).peekable();
    let read_only = of_old.iter().all(|t| !t.write);
    read_only && writes.peek().is_some() && writes.all(|w| of_old.iter().all(|r| in_time(r, w, None)))
}

/// A read or a write of a part of the carry.
struct Touch<'s> {
    /// The steps that it is in, by place in their lists, from the body of the carry's loop inwards, and the trips of those that are
    /// loops: all but the last.
    path: Vec<(usize, u64)>,
    part: &'s Ref,
    write: bool,
    /// The launch that it is the argument of, with its number.
    arg: Option<(&'s Launch, usize)>,
}

/// Adds what touches `buf` in `steps`, which is in the steps `within`. False if its order is not known.
fn collect<'s>(steps: &'s [Step], buf: BufId, within: &[(usize, u64)], touches: &mut Vec<Touch<'s>>) -> bool {
    steps.iter().enumerate().all(|(t, step)| collect_step(step, t, buf, within, touches))
}

/// The same for the step with the number `t` in its list.
fn collect_step<'s>(
    step: &'s Step,
    t: usize,
    buf: BufId,
    within: &[(usize, u64)],
    touches: &mut Vec<Touch<'s>>,
) -> bool {
    let mut add = |trip: u64, part: &'s Ref, write: bool, arg| {
        if part.home.buf == buf {
            touches.push(Touch { path: [within, &[(t, trip)]].concat(), part, write, arg });
        }
    };
    match step {
        Step::Launch(l) => {
            l.args.iter().enumerate().for_each(|(i, r)| add(1, r, l.writes.contains(&(i as u32)), Some((&**l, i))));
        }
        Step::Collective(_) | Step::Bucket(_) => step.collectives().iter().for_each(|c| {
            add(1, &c.src, false, None);
            add(1, &c.dst, true, None);
        }),
        Step::Fill { dst, .. } | Step::Receive(_, dst) => add(1, dst, true, None),
        Step::Send(_, src) => add(1, src, false, None),
        Step::Copy { src, dst } => {
            add(1, src, false, None);
            add(1, dst, true, None);
        }
        Step::Loop { trip, body, exit: None, .. } => {
            return collect(body, buf, &[within, &[(t, *trip)]].concat(), touches);
        }
        Step::Loop { .. } | Step::Actions(_) => {
            let mut touched = false;
            step.visit(&mut |r, _| touched |= r.home.buf == buf);
            return !touched;
        }
    }
    true
}

/// Whether the read `r` of the old value is done with each element before the write `w` of the new one comes to it. Both are in
/// the loop at `depth`, whose iterations have slots of their own; without one, their paths begin with the program.
fn in_time(r: &Touch<'_>, w: &Touch<'_>, depth: Option<usize>) -> bool {
    let first = depth.map_or(0, |d| d + 1);
    for k in 0..r.path.len().min(w.path.len()) {
        let (read, written) = (r.bytes(k, first), w.bytes(k, first));
        if read.end <= written.start || written.end <= read.start {
            return true;
        }
        if r.path[k] != w.path[k] {
            return r.path[k].0 < w.path[k].0;
        }
        if k + 1 == r.path.len() {
            break;
        }
        // Both are in a loop. Each of its iterations has a slice of its own, in which both stay.
        let (read, written) = (r.bytes(k + 1, first), w.bytes(k + 1, first));
        let both = read.start.min(written.start)..read.end.max(written.end);
        let (m, n) = (r.part.home.moves.0[first + k], w.part.home.moves.0[first + k]);
        let each = matches!(m.index, LoopIndex::Iter { .. } | LoopIndex::IterReversed { .. });
        if !each || m != n || both.end - both.start > i128::from(m.stride) {
            return false;
        }
    }
    match (r.arg, w.arg) {
        (Some((l, old)), Some((_, new))) => {
            let (new_ref, old_ref) = (&l.args[new], &l.args[old]);
            let apart = |(d, (m, n)): (usize, (&Move, &Move))| Some(d) != depth && m != n;
            let moves = old_ref.home.moves.0.iter().zip(&new_ref.home.moves.0).enumerate();
            old_ref.offset == new_ref.offset && !moves.into_iter().any(apart) && same_points(l, new, old)
        }
        _ => false,
    }
}

impl Touch<'_> {
    /// The bytes of the carry in all iterations of the loops from number `from` of its path on, where those around stand still. The
    /// first loop of the path is the one at the depth `first`.
    fn bytes(&self, from: usize, first: usize) -> Range<i128> {
        let at = i128::from(self.part.offset);
        let mut bytes = at..at + i128::from(self.part.bytes);
        let loops = self.path.len() - 1;
        for (k, &(_, trip)) in self.path.iter().enumerate().take(loops).skip(from) {
            let m = self.part.home.moves.0[first + k];
            let all = match m.index {
                LoopIndex::IterMod { period, .. } => 0..=period.max(1) as i64 - 1,
                // It rises or falls all the way.
                index => {
                    let (low, high) = (index.value(0), index.value(trip.max(1) - 1));
                    low.min(high)..=low.max(high)
                }
            };
            bytes.start += i128::from(m.stride) * i128::from(*all.start());
            bytes.end += i128::from(m.stride) * i128::from(*all.end());
        }
        bytes
    }
}

/// Takes the slots of a carry from the steps of its loop.
pub fn one_slot(body: &mut [Step], buf: BufId, depth: usize) {
    for step in body {
        step.change(&mut |r| {
            if r.home.buf == buf {
                r.home.moves.0[depth] = Move::default();
            }
        });
    }
}

/// Whether a fused kernel reads its argument `old` at exactly the points where it writes its argument `new`.
pub fn same_points(l: &Launch, new: usize, old: usize) -> bool {
    let body = match &l.spec {
        KernelSpec::Fused(spec) => &spec.body,
        // A block has loaded a row before it stores it, and nothing else reads that row.
        KernelSpec::Summed(spec) => &spec.body,
        _ => return false,
    };
    let (new, old) = (new as u32, old as u32);
    let written: Vec<_> = body.outputs.iter().filter(|x| x.access.buffer == new).map(|x| &x.access).collect();
    let [w] = written[..] else { return false };
    body.nodes.iter().all(|node| match node {
        Node::Leaf(a) if a.buffer == old => a.strides == w.strides && a.offset == w.offset && a.start == w.start,
        Node::Gather { access, .. } => access.buffer != old,
        _ => true,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::call::CallKind;
    use crate::memory::Collective;
    use crate::view::Home;
    use meshloom_bundle::program::{CollectiveKind, DType, Number, Reduction};
    use meshloom_ir::Span;

    /// Bytes of one of four slices.
    const SLICE: u64 = 64;

    /// `bytes` of the carry, which is buffer 0, from `offset` on: of the old value, or of the new one.
    fn part(new: bool, offset: u64, bytes: u64) -> Ref {
        let index = LoopIndex::IterMod { delta: i64::from(new), period: 2 };
        Ref { home: Home::fixed(BufId(0)).with(0, 4 * SLICE, index), offset, bytes }
    }

    /// A slice, which moves with a loop in the carry's loop.
    fn slice(new: bool, first: u64, index: LoopIndex) -> Ref {
        let whole = part(new, first * SLICE, SLICE);
        Ref { home: whole.home.with(1, SLICE, index), ..whole }
    }

    fn write(dst: Ref) -> Step {
        Step::Fill { dst, dtype: DType::F32, count: dst.bytes / 4, value: Number::Float(0.0) }
    }

    fn read(src: Ref) -> Step {
        let count = src.bytes / 4;
        Step::Collective(Box::new(Collective {
            kind: CollectiveKind::AllReduce { reduction: Reduction::Sum, count },
            axes: vec![0],
            dtype: DType::F32,
            src,
            dst: Ref { home: Home::fixed(BufId(1)), offset: 0, bytes: src.bytes },
            span: Span::default(),
            ops: Vec::new(),
            rematerialized: false,
            call: CallKind {
                op: "all_reduce",
                reduction: Some(meshloom_ir::layout::Reduction::Sum),
                axes: vec![meshloom_ir::Axis(0)],
                dtype: Some(DType::F32),
            },
        }))
    }

    fn repeat(trip: u64, body: Vec<Step>) -> Step {
        Step::Loop { number: 0, trip, body, exit: None }
    }

    fn fits(body: &[Step]) -> bool {
        carried(body, BufId(0), 0)
    }

    #[test]
    fn reads_come_before_writes() {
        let (old, new) = (part(false, 0, 4 * SLICE), part(true, 0, 4 * SLICE));
        assert!(fits(&[read(old), write(new)]));
        assert!(fits(&[write(new)]));
        assert!(fits(&[read(old), write(new), read(new)]));
        assert!(!fits(&[write(new), read(old)]));
        assert!(!fits(&[read(old)]), "nothing writes it");
        assert!(!fits(&[read(old), write(new), write(old)]));
    }

    /// The parts of a sum may be written by several steps in any order, while none reads what another has written.
    #[test]
    fn several_writers_of_parts_that_do_not_overlap() {
        let half = |new, k: u64| part(new, k * 2 * SLICE, 2 * SLICE);
        assert!(fits(&[read(half(false, 1)), write(half(true, 1)), read(half(false, 0)), write(half(true, 0))]));
        // The second one begins in the last byte of the first.
        let wide = part(false, 2 * SLICE - 1, 2 * SLICE);
        assert!(!fits(&[read(half(false, 0)), write(half(true, 0)), read(wide), write(half(true, 1))]));
        assert!(fits(&[read(half(false, 0)), read(wide), write(half(true, 0)), write(half(true, 1))]));
    }

    #[test]
    fn loops_over_slices() {
        let on = LoopIndex::Iter { delta: 0 };
        let back = |trip| LoopIndex::IterReversed { trip, delta: 0 };
        let both =
            |trip, first, index| repeat(trip, vec![read(slice(false, first, index)), write(slice(true, first, index))]);
        assert!(fits(&[both(4, 0, on)]));
        assert!(fits(&[both(4, 0, back(4))]));
        // The last segment goes first.
        assert!(fits(&[both(2, 2, back(2)), both(2, 0, back(2))]));
        assert!(!fits(&[both(2, 2, on), both(3, 0, on)]), "both have slice 2");
        // In one iteration a slice is written before it is read.
        assert!(!fits(&[repeat(4, vec![write(slice(true, 0, on)), read(slice(false, 0, on))])]));
        // An iteration writes what a later one reads, and the other way round.
        let shifted = |index| vec![repeat(3, vec![read(slice(false, 0, index)), write(slice(true, 1, index))])];
        assert!(!fits(&shifted(on)) && !fits(&shifted(back(3))));
        let opposite = vec![read(slice(false, 0, on)), write(slice(true, 0, back(4)))];
        assert!(!fits(&[repeat(4, opposite)]));
        let whole = vec![read(part(false, 0, 4 * SLICE)), write(slice(true, 0, on))];
        assert!(!fits(&[repeat(4, whole)]), "all of it is read in each iteration");
        let long = Ref { bytes: SLICE + 1, ..slice(false, 0, on) };
        assert!(!fits(&[repeat(3, vec![read(long), write(slice(true, 0, on))])]));
    }
}
