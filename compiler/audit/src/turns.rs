//! Reuse of whole turns. If a turn of a pipeline stage finds in memory what an earlier turn of its action found, it is not run: what
//! it leaves is what that turn left, moved to its own microbatch.
//!
//! Most turns of a stage are alike. What a turn leaves follows from what it finds. So if it finds what an earlier turn found, of
//! iterations that are `n` microbatches later, it leaves what that turn left, `n` microbatches later. The conditions for single
//! launches ([`crate::again`]) have to hold for all instructions of the turn. In addition, the buffers of the turn have to overlap as
//! they did. They do if buffers that move differently with the microbatch never overlap, or if those that overlap are back where they
//! were.
//!
//! Data that is no value of the program (panels, parts of a sum) is mostly read in the turn that wrote it, so it is not moved. If
//! a later turn reads it all the same, the machine notices, and audits the program again with every turn run
//! ([`crate::machine`]).
//!
//! Not here: what an instruction does, and which launches find the same.

use crate::affine::Affine;
use crate::again::Again;
use crate::asked::Asked;
use crate::memory::{Content, Memory, Piece};
use crate::rounds::{each, extremes, lcm};
use crate::state::State;
use crate::wires;
use meshloom_bundle::program::{Actions, BufRef, Instr, LoopIndex, SourcePlace};
use std::cell::Cell;
use std::rc::Rc;

/// Answers that are kept of an action.
const ANSWERS: usize = 8;

/// How a buffer moves with the microbatch.
type Move = (LoopIndex, u64);

/// After how many microbatches a buffer with this move is back where it was; `None` if it never is.
fn turn(index: LoopIndex) -> Option<u64> {
    match index {
        LoopIndex::Fixed => Some(1),
        LoopIndex::IterMod { period, .. } => Some(period.max(1)),
        LoopIndex::Iter { .. } | LoopIndex::IterReversed { .. } => None,
    }
}

/// What lies in some bytes.
struct Found {
    moves: usize,
    /// Without what the move adds for the microbatch.
    from: i64,
    bytes: i64,
    words: Vec<i64>,
}

/// What a turn found and left.
struct Answer {
    microbatch: i64,
    /// The earliest iteration at which a carry was followed, counted from the microbatch.
    least: i64,
    found: Vec<Found>,
    /// Each with the move of the buffer that it lies in.
    left: Vec<(usize, Piece)>,
    done: Done,
}

/// What a turn did beside what it left in memory.
#[derive(Clone)]
pub(crate) struct Done {
    pub steps: usize,
    /// Where the last launch stands whose results are no value of the program.
    pub unnamed: Option<SourcePlace>,
}

/// An action.
struct Body {
    moves: Vec<Move>,
    /// The bytes of the buffers of each move in all turns, in order.
    places: Vec<(i64, i64, usize)>,
    /// What it receives and sends.
    wires: Vec<u32>,
    /// A turn is answered only by turns that are a multiple of so many microbatches away.
    period: u64,
    answers: Vec<Answer>,
}

/// The actions of a stage; `None` for an action all of whose turns are run.
#[derive(Default)]
pub(crate) struct Turns {
    bodies: Vec<Option<Body>>,
    skipped: Rc<Cell<bool>>,
}

impl Turns {
    /// `skipped` is set where something is read that was not moved.
    pub fn of(s: &State<'_>, again: &Again, a: &Actions, skipped: &Rc<Cell<bool>>) -> Turns {
        let sliced = |&w: &u32| wires::sliced(s, w).is_some_and(|v| again.is_sliced(s.func, v));
        let body = |list: &[Instr]| Body::of(list, a.microbatches).filter(|b| b.wires.iter().all(sliced));
        Turns { bodies: a.bodies.iter().map(|b| body(&b.body)).collect(), skipped: Rc::clone(skipped) }
    }

    /// Leaves in memory what a turn leaves, if an earlier turn answers it.
    pub fn answered(&self, again: &Again, s: &mut State<'_>, action: usize, now: i64) -> Option<Done> {
        let body = self.bodies.get(action)?.as_ref()?;
        let wire = |w: &u32| (*w, Some(now as u64));
        if body.wires.iter().any(|w| s.transferred.contains(&wire(w))) {
            return None;
        }
        let mut words = again.words(now);
        let mut lies = |f: &Found| {
            let from = Affine::constant(f.from.wrapping_add(body.moved(f.moves, now)));
            words.are(&s.memory, &from, f.bytes, &f.words)
        };
        let turned = |a: &Answer| now.abs_diff(a.microbatch).is_multiple_of(body.period);
        let mut fits = |a: &&Answer| turned(a) && now.saturating_add(a.least) >= 1 && a.found.iter().all(&mut lies);
        let a = body.answers.iter().rev().find(&mut fits)?;
        s.transferred.extend(body.wires.iter().map(wire));
        for (moves, p) in &a.left {
            let content = match &p.content {
                Content::Value(p) => Content::Value(again.place(p, now - a.microbatch)),
                Content::Number(n) => Content::Number(*n),
                Content::Padding => Content::Padding,
                _ => Content::Skipped(Rc::clone(&self.skipped)),
            };
            let by = body.moved(*moves, now).wrapping_sub(body.moved(*moves, a.microbatch));
            let (coordinates, devices) = (p.coordinates.clone(), p.devices.clone());
            s.write(Piece { base: p.base.shifted(by), coordinates, element: p.element, content, devices });
        }
        Some(a.done.clone())
    }

    /// Begins the notes of what a turn reads. `None` if turns of this action are never answered.
    pub fn begin(&self, s: &State<'_>, action: usize) -> Option<Asked> {
        self.bodies.get(action)?.as_ref()?;
        Some(Asked::of(&s.memory))
    }

    /// Remembers a turn that was proved completely.
    pub fn end(&mut self, again: &Again, s: &State<'_>, asked: &Asked, action: usize, now: i64, done: Done) {
        let Some(body) = self.bodies.get_mut(action).and_then(Option::as_mut) else { return };
        if let Some(answer) = body.answer(again, &s.memory, asked, now, done) {
            if body.answers.len() == ANSWERS {
                body.answers.remove(0);
            }
            body.answers.push(answer);
        }
    }
}

impl Body {
    /// An action whose buffers lie to each other in all turns as they do in one.
    fn of(list: &[Instr], microbatches: u64) -> Option<Body> {
        let mut all = Buffers { trips: vec![microbatches], ..Buffers::default() };
        all.list(list)?;
        let Buffers { moves, mut places, wires, .. } = all;
        places.sort_unstable();
        let mut merged: Vec<(i64, i64, usize)> = Vec::new();
        let mut period = 1;
        for (start, end, of) in places {
            match merged.last_mut() {
                Some(last) if start < last.1 && last.2 != of => {
                    // A carry that is read from one slot and written to the next one: these are where they were after all slots.
                    period = lcm(period, lcm(turn(moves[of].0)?, turn(moves[last.2].0)?));
                    last.1 = last.1.max(end);
                }
                Some(last) if start <= last.1 && last.2 == of => last.1 = last.1.max(end),
                _ => merged.push((start, end, of)),
            }
        }
        Some(Body { moves, places: merged, wires, period, answers: Vec::new() })
    }

    /// By how many bytes a buffer with this move lies further for a microbatch than for microbatch 0.
    fn moved(&self, of: usize, microbatch: i64) -> i64 {
        let (index, stride) = self.moves[of];
        index.value(microbatch as u64).wrapping_mul(stride as i64)
    }

    /// The move of the buffers that the bytes from `start` to `end` are in.
    fn of_bytes(&self, start: i64, end: i64) -> Option<usize> {
        let i = self.places.partition_point(|p| p.0 <= start).checked_sub(1)?;
        let (_, last, of) = self.places[i];
        (end <= last).then_some(of)
    }

    /// The answer that a turn gives for other turns, if it gives one.
    fn answer(&self, again: &Again, memory: &Memory, asked: &Asked, now: i64, done: Done) -> Option<Answer> {
        let least = asked.least?.saturating_sub(now);
        let found = asked.found.iter().map(|&(start, end)| {
            let moves = self.of_bytes(start, end)?;
            let words = again.found(&asked.before, &Affine::constant(start), end - start, now)?;
            Some(Found { moves, from: start.wrapping_sub(self.moved(moves, now)), bytes: end - start, words })
        });
        let found = found.collect::<Option<Vec<Found>>>()?;
        let left = memory.since(asked.before.stamp).map(|p| {
            let start = p.base.as_constant()?;
            let told = match &p.content {
                Content::Value(p) => again.is_told(p),
                Content::Unknown(_) => false,
                _ => true,
            };
            told.then_some((self.of_bytes(start, start.saturating_add(p.reach()))?, (**p).clone()))
        });
        Some(Answer { microbatch: now, least, found, left: left.collect::<Option<_>>()?, done })
    }
}

/// The buffers of an action.
#[derive(Default)]
struct Buffers {
    /// Iterations of the loops around.
    trips: Vec<u64>,
    moves: Vec<Move>,
    places: Vec<(i64, i64, usize)>,
    wires: Vec<u32>,
}

impl Buffers {
    /// `None` where there is what a turn may not have.
    fn list(&mut self, list: &[Instr]) -> Option<()> {
        for i in list {
            match i {
                Instr::Loop { trip, body } => {
                    self.trips.push(*trip);
                    self.list(body)?;
                    self.trips.pop();
                }
                Instr::While(_) | Instr::Actions(_) => return None,
                Instr::Send(t) | Instr::Receive(t) => {
                    // Once in a turn.
                    if self.trips.len() > 1 {
                        return None;
                    }
                    self.wires.push(t.wire);
                    self.buffer(&t.buf)?;
                }
                other => {
                    let mut all = Some(());
                    each(std::slice::from_ref(other), &mut |b, _| all = all.and_then(|()| self.buffer(b)));
                    all?;
                }
            }
        }
        Some(())
    }

    fn buffer(&mut self, b: &BufRef) -> Option<()> {
        let (mut lo, mut hi) = (i64::try_from(b.offset).ok()?, i64::try_from(b.offset).ok()?);
        for (m, &trip) in b.moves.0.iter().zip(&self.trips) {
            let (least, most) = extremes(m.index, trip);
            let stride = i64::try_from(m.stride).ok()?;
            let ends = (stride.checked_mul(least)?, stride.checked_mul(most)?);
            (lo, hi) = (lo.checked_add(ends.0.min(ends.1))?, hi.checked_add(ends.0.max(ends.1))?);
        }
        let first =
            b.moves.0.first().filter(|m| !m.index.is_fixed()).map_or((LoopIndex::Fixed, 0), |m| (m.index, m.stride));
        let of = self.moves.iter().position(|&m| m == first).unwrap_or_else(|| {
            self.moves.push(first);
            self.moves.len() - 1
        });
        self.places.push((lo, hi.checked_add(i64::try_from(b.bytes).ok()?)?, of));
        Some(())
    }
}
