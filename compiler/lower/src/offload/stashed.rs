//! Windows on stashes: a loop of the forward pass writes each slice of its stack into a window, from where it is copied to the
//! host's memory, and a loop of the backward pass has its slice copied into a window before it reads it.
//!
//! On a GPU a window has two slots, which alternate by iteration: a slice is on its way while the next one is computed, or the last
//! one read. No other buffer of the loop's body lies there, since its kernels would wait for the copies.
//!
//! Not here: which stacks these are ([`crate::stashes`]).

use super::Windows;
use crate::memory::{Ref, Scope, Step, up};
use crate::view::{BufId, Home};
use meshloom_bundle::program::{LoopIndex, Move};
use std::collections::{BTreeMap, BTreeSet};

/// A slice of a stack that an iteration of a loop reads or writes.
struct Slice {
    buf: BufId,
    moves: Move,
    /// Where the slice of iteration 0 would begin if it did not move.
    first: u64,
    /// The first step that touches it, and whether that reads it.
    begin: usize,
    read: bool,
    /// The last step that writes it.
    written: Option<usize>,
}

impl Slice {
    /// Whether a part of a buffer is in the slice.
    fn has(&self, b: BufId, r: &Ref, depth: usize) -> bool {
        let m = r.home.moves.0[depth];
        (self.buf, self.moves, self.first) == (b, m, r.offset / m.stride.max(1) * m.stride)
    }
}

impl Windows<'_> {
    /// The stacks in the host's memory of which the body of a loop at `depth` touches a slice in each iteration, or that it makes
    /// itself for loops in it. Of others it would need all.
    pub(super) fn stashes_of(&self, body: &[Step], number: usize, depth: usize) -> BTreeSet<BufId> {
        let mut sliced: BTreeMap<BufId, bool> = BTreeMap::new();
        parts(body, &mut Vec::new(), &mut |r, trips| {
            let Some(b) = self.host(r).filter(|b| !self.buffers[b.0].port) else { return };
            let own = self.buffers[b.0].scope == Scope::Loop(number) && r.home.moves.0[depth].index.is_fixed();
            *sliced.entry(b).or_insert(true) &= own || in_slice(r, depth, trips);
        });
        sliced.into_iter().filter(|x| x.1).map(|x| x.0).collect()
    }

    /// The body of loop `number`, with windows in the place of slices of these stacks. `scope` is what the loop is in.
    pub(super) fn sliced(
        &mut self,
        body: Vec<Step>,
        number: usize,
        depth: usize,
        scope: Scope,
        stashes: &BTreeSet<BufId>,
    ) -> Vec<Step> {
        let slices = self.touched(&body, depth, stashes);
        let (mut fetched, mut stored) = (BTreeMap::<usize, Vec<Step>>::new(), BTreeMap::<usize, Vec<Step>>::new());
        let mut homes: Vec<(Slice, Home)> = Vec::new();
        for s in slices {
            let (bytes, two) = (s.moves.stride, self.slots > 1);
            let home = match two {
                true => Home::fixed(self.window(up(bytes) * self.slots, scope)).with(
                    depth,
                    up(bytes),
                    LoopIndex::IterMod { delta: 0, period: self.slots },
                ),
                false => Home::fixed(self.window(bytes, Scope::Loop(number))),
            };
            let there = Ref { home: Home::fixed(s.buf).with(depth, bytes, s.moves.index), offset: s.first, bytes };
            let here = Ref { home, offset: 0, bytes };
            if s.read {
                fetched.entry(s.begin).or_default().push(Step::Copy { src: there, dst: here });
            }
            if let Some(t) = s.written {
                stored.entry(t).or_default().push(Step::Copy { src: here, dst: there });
            }
            homes.push((s, home));
        }
        let mut steps = Vec::new();
        for (t, mut step) in body.into_iter().enumerate() {
            let to = self.goes_there(&step);
            step.change(&mut |r| {
                let Some(b) = self.host(r) else { return };
                if let Some((s, home)) = homes.iter().find(|(s, _)| s.has(b, r, depth)) {
                    let mut moves = r.home.moves;
                    moves.0[depth] = home.moves.0[depth];
                    r.home = Home { buf: home.buf, moves };
                    r.offset -= s.first;
                }
            });
            if let (Step::Copy { dst, .. }, Some(to)) = (&mut step, to) {
                *dst = to;
            }
            steps.extend(fetched.remove(&t).into_iter().flatten());
            steps.extend(self.step(step, depth + 1, Scope::Loop(number)));
            steps.extend(stored.remove(&t).into_iter().flatten());
        }
        steps
    }

    /// The slices that a body touches, but for those that it copies to the host's memory as they are.
    fn touched(&self, body: &[Step], depth: usize, stashes: &BTreeSet<BufId>) -> Vec<Slice> {
        let mut slices: Vec<Slice> = Vec::new();
        for (t, step) in body.iter().enumerate() {
            let direct = self.goes_there(step).is_some();
            step.visit(&mut |r, write| {
                let Some(buf) = self.host(r).filter(|b| stashes.contains(b)) else { return };
                let moves = r.home.moves.0[depth];
                if moves.index.is_fixed() || (direct && write) {
                    return;
                }
                let at = slices.iter().position(|s| s.has(buf, r, depth)).unwrap_or_else(|| {
                    let first = r.offset / moves.stride * moves.stride;
                    slices.push(Slice { buf, moves, first, begin: t, read: false, written: None });
                    slices.len() - 1
                });
                let s = &mut slices[at];
                s.read |= s.begin == t && !write;
                s.written = if write { Some(t) } else { s.written };
            });
        }
        slices
    }

    /// Where a step copies bytes to, if that is in the host's memory.
    fn goes_there(&self, step: &Step) -> Option<Ref> {
        match step {
            Step::Copy { dst, .. } => self.host(dst).map(|_| *dst),
            _ => None,
        }
    }
}

/// Calls `f` with each part of a buffer that steps touch, and the trips of the loops around it, those of `steps` being none.
fn parts(steps: &[Step], trips: &mut Vec<u64>, f: &mut impl FnMut(&Ref, &[u64])) {
    for step in steps {
        match step {
            Step::Loop { trip, body, exit: None, .. } => {
                trips.push(*trip);
                parts(body, trips, f);
                trips.pop();
            }
            other => other.visit(&mut |r, _| f(r, trips)),
        }
    }
}

/// Whether a part of a stack stays in the slice that the loop at `depth` moves on with each iteration, whatever the loops in it do.
fn in_slice(r: &Ref, depth: usize, trips: &[u64]) -> bool {
    let m = r.home.moves.0[depth];
    if m.index.is_fixed() || m.stride == 0 {
        return false;
    }
    let at = i128::from(r.offset % m.stride);
    let (mut lo, mut hi) = (at, at + i128::from(r.bytes));
    for (k, m) in r.home.moves.0.iter().enumerate().filter(|(k, m)| *k != depth && !m.index.is_fixed()) {
        // What moves in a loop that is not known here, a `while`, may be anywhere.
        let Some(&trip) = k.checked_sub(depth + 1).and_then(|k| trips.get(k)) else { return false };
        let ends = match m.index {
            LoopIndex::IterMod { period, .. } => (0, period.max(1) as i64 - 1),
            index => (index.value(0), index.value(trip.max(1) - 1)),
        };
        lo += i128::from(m.stride) * i128::from(ends.0.min(ends.1));
        hi += i128::from(m.stride) * i128::from(ends.0.max(ends.1));
    }
    lo >= 0 && hi <= i128::from(m.stride)
}
