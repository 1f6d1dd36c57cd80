//! Which values may be written over the old ones that they are computed from: one kernel writes the next value, reads an element
//! of the old one only where it writes the same element, and nothing reads the old one afterwards.
//!
//! The sums of gradients over microbatches are such values. They are as large as the parameters, so it matters that they are in
//! memory once. Not here: the next values of parameters and state, which [`crate::arrange`] lays over the old ones.

use crate::memory::{Launch, Step};
use crate::view::BufId;
use meshloom_bundle::program::{LoopIndex, Move};
use meshloom_kernels::{KernelSpec, Node};

/// Whether a carry can do with one slot, `body` being the steps of its loop. It was given two in `buf`, and in the loop at `depth`
/// the body reads the slot of the iteration and writes the next one.
pub fn carried(body: &[Step], buf: BufId, depth: usize) -> bool {
    let old = |index: LoopIndex| index == LoopIndex::IterMod { delta: 0, period: 2 };
    let (mut writers, mut last_read, mut known) = (Vec::new(), None, true);
    for (t, step) in body.iter().enumerate() {
        step.visit(&mut |r, write| {
            if r.home.buf == buf {
                match (write, r.home.moves.0[depth].index) {
                    (true, LoopIndex::IterMod { delta: 1, period: 2 }) => writers.push(t),
                    (false, LoopIndex::IterMod { delta: 1, period: 2 }) => {}
                    (false, index) if old(index) => last_read = Some(t),
                    _ => known = false,
                }
            }
        });
    }
    let [t] = writers[..] else { return false };
    if !known {
        return false;
    }
    let Step::Launch(l) = &body[t] else { return false };
    let at = |i: usize| l.args[i].home.moves.0[depth].index;
    let own: Vec<usize> = (0..l.args.len()).filter(|&i| l.args[i].home.buf == buf).collect();
    let (new, read): (Vec<usize>, Vec<usize>) = own.into_iter().partition(|&i| l.writes.contains(&(i as u32)));
    match (new.as_slice(), last_read) {
        (_, None) => true,
        (_, Some(last)) if last != t => last < t,
        // Both are the whole carry: beside its slot nothing moves them.
        ([n], _) => read.iter().all(|&r| {
            let (new, old_ref) = (&l.args[*n], &l.args[r]);
            old(at(r)) && old_ref.offset == new.offset && same_points(l, *n, r)
        }),
        _ => false,
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
    let KernelSpec::Fused(spec) = &l.spec else { return false };
    let (new, old) = (new as u32, old as u32);
    let written: Vec<_> = spec.body.outputs.iter().filter(|x| x.access.buffer == new).map(|x| &x.access).collect();
    let [w] = written[..] else { return false };
    spec.body.nodes.iter().all(|node| match node {
        Node::Leaf(a) if a.buffer == old => a.strides == w.strides && a.offset == w.offset && a.start == w.start,
        Node::Gather { access, .. } => access.buffer != old,
        _ => true,
    })
}
