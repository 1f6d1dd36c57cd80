//! Loops that are followed as a whole: their first iterations run as they are, and the others as one round with a number.
//!
//! A round is as many iterations as all periods of the loop's buffers have in common, so that in each round a carry is in the same
//! slot. What lies in memory when a round begins is guessed from what lies there when the first one does ([`guess`]): the same, one
//! round on. The round is then run once for all of its numbers, and has to leave what was guessed of the next round. A guess that does
//! not hold is dropped, and the round is run again; so what is left holds by induction. All other bytes that the loop writes are
//! unknown. After the loop there are the carries of the last round, and the slices of stacks that no later round writes over.
//!
//! Not here: what a round computes. In proofs, the number of the round is one more index, which may have any value.

use crate::affine::{Affine, Var};
use crate::bytes::Bytes;
use crate::memory::{Content, Memory, Piece};
use crate::piece::COORDINATES;
use crate::space::Devices;
use crate::state::State;
use meshloom_bundle::program::{BufRef, Instr, LoopIndex};
use std::rc::Rc;

/// The most iterations of a round.
const PERIOD: u64 = 8;

/// Rounds of a loop without an end.
const MANY: u64 = 1 << 31;

/// How a loop is cut: iterations that run as they are, iterations of a round, and rounds.
#[derive(Clone, Copy)]
pub(crate) struct Cut {
    pub first: u64,
    pub period: u64,
    pub rounds: u64,
}

/// How a loop at a depth is cut; `None` if it is too short.
pub(crate) fn cut(trip: u64, body: &[Instr], depth: usize) -> Option<Cut> {
    let period = period(body, depth);
    let first = 2 * period + trip % period;
    (period <= PERIOD && trip >= first + 2 * period).then(|| Cut { first, period, rounds: (trip - first) / period })
}

/// How a loop at a depth is cut that ends early, after `most` iterations at the latest; `None` if the period of its buffers is
/// too long. The last round may go on beyond `most`.
pub(crate) fn cut_early(most: u64, body: &[Instr], depth: usize) -> Option<Cut> {
    let period = period(body, depth);
    let first = (2 * period).min(most);
    (period <= PERIOD).then(|| Cut { first, period, rounds: (most - first).div_ceil(period).min(MANY) })
}

/// The iterations after which all buffers of a loop are where they were.
fn period(body: &[Instr], depth: usize) -> u64 {
    let mut period = 1;
    each(body, &mut |b, _| {
        if let Some(LoopIndex::IterMod { period: p, .. }) = b.moves.0.get(depth).map(|m| m.index) {
            period = lcm(period, p.max(1));
        }
    });
    period
}

pub(crate) fn lcm(a: u64, b: u64) -> u64 {
    let (mut x, mut y) = (a, b);
    while y != 0 {
        (x, y) = (y, x % y);
    }
    (a / x.max(1)).saturating_mul(b)
}

/// Instructions that running a list takes, with so many turns of each action; where `whole`, with loops followed as a whole if that
/// is less.
pub(crate) fn cost(list: &[Instr], depth: usize, whole: bool, turns: u64) -> u64 {
    let one = |i: &Instr| match i {
        Instr::Loop { trip, body } => {
            let each = cost(body, depth + 1, whole, turns).saturating_mul(*trip);
            match cut(*trip, body, depth).filter(|_| whole) {
                Some(c) => each.min(rounds(c, body, depth)),
                None => each,
            }
        }
        Instr::Actions(a) => {
            let mut times = vec![0u64; a.bodies.len()];
            a.order.iter().for_each(|t| times[t.action as usize] += 1);
            let each = |b: &[Instr]| cost(b, depth + 1, whole, turns);
            let all = a.bodies.iter().zip(times).map(|(b, n)| each(&b.body).saturating_mul(n.min(turns)));
            all.fold(0, u64::saturating_add)
        }
        _ => 1,
    };
    list.iter().map(one).fold(0, u64::saturating_add)
}

/// The same for a loop that is followed as a whole. Loops in it are not.
pub(crate) fn rounds(c: Cut, body: &[Instr], depth: usize) -> u64 {
    cost(body, depth + 1, false, u64::MAX).saturating_mul(c.first + 2 * c.period)
}

/// All buffers of a list, and whether each is written, with the loops inside of the list that they are in.
pub(crate) fn each(list: &[Instr], f: &mut impl FnMut(&BufRef, bool)) {
    for i in list {
        match i {
            Instr::Launch(l) => l.args.iter().zip(0..).for_each(|(b, k)| f(b, l.writes.contains(&k))),
            Instr::Collective(c) => [(&c.src, false), (&c.dst, true)].into_iter().for_each(|(b, w)| f(b, w)),
            Instr::Bucket(all) => all.iter().for_each(|c| {
                f(&c.src, false);
                f(&c.dst, true);
            }),
            Instr::Copy { src, dst, .. } => [(src, false), (dst, true)].into_iter().for_each(|(b, w)| f(b, w)),
            Instr::Fill { dst, .. } => f(dst, true),
            Instr::Loop { body, .. } => each(body, f),
            Instr::While(w) => {
                each(&w.body, f);
                each(&w.after, f);
            }
            Instr::Actions(a) => a.bodies.iter().for_each(|b| each(&b.body, f)),
            Instr::Send(t) => f(&t.buf, false),
            Instr::Receive(t) => f(&t.buf, true),
        }
    }
}

/// Whether a list has instructions that only concrete iterations have: transfers, and loops that end early.
pub(crate) fn is_plain(list: &[Instr]) -> bool {
    list.iter().all(|i| match i {
        Instr::Loop { body, .. } => is_plain(body),
        Instr::While(_) | Instr::Actions(_) | Instr::Send(_) | Instr::Receive(_) => false,
        _ => true,
    })
}

/// The arena's bytes that the iterations of a loop write, as intervals in order.
fn written(s: &State<'_>, trip: u64, body: &[Instr]) -> Vec<(i64, i64)> {
    let depth = s.iterations.len();
    let mut trips = vec![trip];
    let mut out = Vec::new();
    hull(s, depth, &mut trips, body, &mut out);
    out.sort_unstable();
    let mut merged: Vec<(i64, i64)> = Vec::new();
    for (start, end) in out {
        match merged.last_mut() {
            Some(last) if start <= last.1 => last.1 = last.1.max(end),
            _ => merged.push((start, end)),
        }
    }
    merged
}

fn hull(s: &State<'_>, depth: usize, trips: &mut Vec<u64>, list: &[Instr], out: &mut Vec<(i64, i64)>) {
    for i in list {
        if let Instr::Loop { trip, body } = i {
            trips.push(*trip);
            hull(s, depth, trips, body, out);
            trips.pop();
            continue;
        }
        each(std::slice::from_ref(i), &mut |b, write| {
            if !write {
                return;
            }
            // At its place in iteration 0 of all loops from this one on, and how far it moves from there.
            let (mut lo, mut hi) = (b.offset as i64, b.offset as i64);
            for (d, m) in b.moves.0.iter().enumerate() {
                let (least, most) = match s.iterations.get(d).and_then(Affine::as_constant) {
                    Some(i) => (m.index.value(i as u64), m.index.value(i as u64)),
                    None => extremes(m.index, trips.get(d.wrapping_sub(depth)).copied().unwrap_or(1)),
                };
                let (x, y) = ((m.stride as i64).wrapping_mul(least), (m.stride as i64).wrapping_mul(most));
                (lo, hi) = (lo.wrapping_add(x.min(y)), hi.wrapping_add(x.max(y)));
            }
            out.push((lo, hi.saturating_add(b.bytes as i64)));
        });
    }
}

/// The least and the greatest value of an index in a loop.
pub(crate) fn extremes(index: LoopIndex, trip: u64) -> (i64, i64) {
    match index {
        LoopIndex::IterMod { period, .. } => (0, period as i64 - 1),
        other => {
            let (a, b) = (other.value(0), other.value(trip.max(1) - 1));
            (a.min(b), a.max(b))
        }
    }
}

/// Bytes of a round, over all rounds.
fn over_rounds(base: &Affine, reach: i64, round: Var, rounds: u64) -> (i64, i64) {
    let far = base.offset.saturating_add(base.factor(round).saturating_mul(rounds as i64 - 1));
    (base.offset.min(far), base.offset.max(far).saturating_add(reach))
}

/// Nothing is known of bytes that a loop writes.
fn lost(written: &[(i64, i64)]) -> impl Iterator<Item = Piece> + '_ {
    written.iter().map(|&(start, end)| Piece {
        base: Affine::constant(start),
        coordinates: vec![(1, (end - start).max(1) as u64)],
        element: 1,
        content: Content::Unknown("what a loop leaves that is followed as a whole".into()),
        devices: Devices::default(),
    })
}

/// Makes what the iterations of a loop write unknown, from where the loop begins.
pub(crate) fn lose(s: &mut State<'_>, trip: u64, body: &[Instr]) {
    let written = written(s, trip, body);
    lost(&written).for_each(|p| s.write(p));
}

/// A loop between its first iterations and its end.
pub(crate) struct Whole {
    cut: Cut,
    depth: usize,
    /// Axes of the mesh: the number of the round's variable.
    axes: usize,
    /// What lay in memory before the first round.
    before: Rc<Memory>,
    written: Vec<(i64, i64)>,
    /// What lies in memory when a round begins, as far as the loop writes there.
    guess: Vec<Piece>,
}

impl Whole {
    /// The number of a round as a variable: the one behind those of the devices.
    fn round(s: &State<'_>) -> Var {
        s.axes.len() as Var
    }

    /// After the first iterations.
    pub fn begin(s: &State<'_>, cut: Cut, trip: u64, body: &[Instr]) -> Whole {
        let mut whole = Whole {
            cut,
            depth: s.iterations.len(),
            axes: s.axes.len(),
            before: Rc::clone(&s.memory),
            written: written(s, trip, body),
            guess: Vec::new(),
        };
        whole.guess = guess(s, &whole, body);
        whole
    }

    /// An iteration of a round.
    pub fn iteration(&self, s: &State<'_>, of_round: u64) -> Affine {
        let first = (self.cut.first + of_round) as i64;
        Affine::var(Self::round(s)).scaled(self.cut.period as i64).shifted(first)
    }

    fn unknown(&self) -> impl Iterator<Item = Piece> + '_ {
        lost(&self.written)
    }

    /// Whether rounds wrote only where the loop's buffers are.
    fn is_inside(&self, log: &[Bytes]) -> bool {
        let round = Var::try_from(self.axes).unwrap_or(Var::MAX);
        log.iter().all(|(base, reach)| {
            let (start, end) = over_rounds(base, *reach, round, self.cut.rounds);
            self.written.iter().any(|w| w.0 <= start && end <= w.1)
        })
    }

    /// After the rounds of a loop of which nothing is kept; `false` where it wrote other bytes than its buffers have.
    pub fn leave(self, s: &mut State<'_>) -> bool {
        let log = s.log.take().unwrap_or_default();
        s.rounds = None;
        self.is_inside(&log)
    }

    /// Puts into memory what a round finds.
    pub fn set(&self, s: &mut State<'_>) {
        s.memory = Rc::clone(&self.before);
        s.rounds = Some((Self::round(s), self.cut.rounds));
        Rc::make_mut(&mut s.memory).rounds = s.rounds;
        self.unknown().chain(self.guess.iter().cloned()).for_each(|p| s.write(p));
        s.log = Some(Vec::new());
    }

    /// Drops what a round does not leave as it is to be in the next one; whether that was all as guessed.
    pub fn holds(&mut self, s: &State<'_>) -> bool {
        let round = Self::round(s);
        let count = self.guess.len();
        self.guess.retain(|p| {
            let next = at_round(p, round, &Affine::var(round).shifted(1));
            let there = s.memory.part(&next.base, next.reach()).last();
            there.is_some_and(|q| same(q, &next))
        });
        self.guess.len() == count
    }

    /// Puts into memory what the loop leaves; `false` where it wrote other bytes than its buffers have.
    pub fn end(self, s: &mut State<'_>) -> bool {
        let (round, n) = (Self::round(s), self.cut.rounds);
        let log = s.log.take().unwrap_or_default();
        let last = std::mem::take(&mut s.memory);
        let all = |base: &Affine, reach: i64| over_rounds(base, reach, round, n);
        let whole = self.is_inside(&log);
        let apart = |a: (i64, i64), b: (i64, i64)| a.1 <= b.0 || b.1 <= a.0;
        let mut kept: Vec<Piece> = Vec::new();
        // What the first iterations left, and no round writes over.
        for p in self.before.on_top() {
            let own = (p.base.offset, p.base.offset.saturating_add(p.reach()));
            let hidden = self.written.iter().any(|&w| !apart(own, w));
            if hidden && log.iter().all(|(base, reach)| apart(own, all(base, *reach))) {
                kept.push((**p).clone());
            }
        }
        // Slices of stacks: no later round writes there, and nothing after it in its own.
        for q in last.on_top() {
            let step = q.base.factor(round);
            let (reach, at) = (q.reach(), &q.base);
            let later = |(base, size): &(Affine, i64)| {
                if base.factor(round) != step {
                    return !apart(all(base, *size), all(at, reach));
                }
                let d = base.offset - at.offset;
                let (a, b) = (d.saturating_add(step), d.saturating_add(step.saturating_mul(n as i64 - 1)));
                n > 1 && a.min(b) < reach && a.max(b) > -*size
            };
            if step != 0 && !log.iter().any(later) {
                kept.extend(stack(q, round, n, step));
            }
        }
        kept.extend(self.guess.iter().map(|p| at_round(p, round, &Affine::constant(n as i64))));
        s.rounds = None;
        s.memory = Rc::clone(&self.before);
        self.unknown().chain(kept).for_each(|p| s.write(p));
        whole
    }
}

/// What lies in memory when a round begins, guessed from what lies there when the first one does.
fn guess(s: &State<'_>, whole: &Whole, body: &[Instr]) -> Vec<Piece> {
    let round = Affine::var(Whole::round(s));
    let (first, period) = (whole.cut.first as i64, whole.cut.period as i64);
    let mut out = Vec::new();
    for p in whole.before.on_top() {
        let (start, end) = (p.base.offset, p.base.offset.saturating_add(p.reach()));
        if !whole.written.iter().any(|w| w.0 < end && start < w.1) {
            continue;
        }
        let mut p = (**p).clone();
        if let Content::Value(place) = &mut p.content
            && let Some(i) = place.iterations.get(whole.depth).and_then(Affine::as_constant)
        {
            // Older than a round: a slice of a stack.
            if i >= first || i < first - period {
                continue;
            }
            let mut iterations = place.iterations.to_vec();
            iterations[whole.depth] = round.scaled(period).shifted(i);
            place.iterations = iterations.into();
            // Where the buffer moves that it was written to.
            let mut step = 0;
            let at = [&s.iterations[..], &[Affine::constant(i)]].concat();
            each(body, &mut |b, write| {
                let Some(m) = b.moves.0.get(whole.depth).filter(|_| write) else { return };
                let base = State::at(b, &at).offset;
                if base <= start && end <= base.saturating_add(b.bytes as i64) {
                    step = match m.index {
                        LoopIndex::Iter { .. } => m.stride as i64,
                        LoopIndex::IterReversed { .. } => -(m.stride as i64),
                        _ => 0,
                    };
                }
            });
            p.base = p.base.plus(&round, step.saturating_mul(period));
        }
        if matches!(p.content, Content::Value(_) | Content::Number(_)) {
            out.push(p);
        }
    }
    out
}

/// A piece in another round.
fn at_round(p: &Piece, round: Var, is: &Affine) -> Piece {
    let put = |a: &Affine| a.with(&|v| (v == round).then(|| is.clone()));
    Piece { base: put(&p.base), content: placed(&p.content, &put), ..p.clone() }
}

/// A content with other sums, iterations among them.
fn placed(content: &Content, put: &dyn Fn(&Affine) -> Affine) -> Content {
    match content {
        Content::Value(p) => Content::Value(p.map(put)),
        other => other.clone(),
    }
}

/// Whether two pieces are one.
fn same(a: &Piece, b: &Piece) -> bool {
    let content = match (&a.content, &b.content) {
        (Content::Value(x), Content::Value(y)) => x == y,
        (Content::Number(x), Content::Number(y)) => x == y,
        _ => false,
    };
    content && a.base == b.base && a.coordinates == b.coordinates && a.element == b.element && a.devices == b.devices
}

/// What the rounds leave that write a piece each, `step` bytes apart.
fn stack(p: &Piece, round: Var, n: u64, step: i64) -> Option<Piece> {
    if !matches!(p.content, Content::Value(_) | Content::Number(_)) || p.devices.ranges().iter().any(|r| r.0 == round) {
        return None;
    }
    // From the lowest address on.
    let back = if step < 0 { n as i64 - 1 } else { 0 };
    let base = Affine::constant(p.base.offset.saturating_add(step.saturating_mul(back)));
    let strides: Vec<i64> = p.coordinates.iter().map(|c| c.0).chain([step.abs()]).collect();
    let sizes: Vec<u64> = p.coordinates.iter().map(|c| c.1).chain([n]).collect();
    let piece = Piece::strided(base, &strides, &sizes, p.element, |index| {
        let slice = &index[p.coordinates.len()];
        let is = if step < 0 { Affine::constant(back).minus(slice) } else { slice.clone() };
        let put = |a: &Affine| {
            a.with(&|v| match v.checked_sub(COORDINATES) {
                Some(i) => index.get(i as usize).cloned(),
                None => (v == round).then(|| is.clone()),
            })
        };
        placed(&p.content, &put)
    });
    piece.map(|made| Piece { devices: p.devices.clone(), ..made })
}
