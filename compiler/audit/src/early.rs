//! Loops that end early: which loop of the local program an instruction carries out, and what it leaves in memory.
//!
//! The iteration in which such a loop ends is unknown. So in each iteration in which it may end, the flag that it reads has to be
//! the program's, and the instructions after the loop have to leave the carries of that iteration. Then these bytes hold the results
//! of the program's loop. All other bytes that the loop writes are unknown.
//!
//! Not here: running the iterations ([`crate::machine`]), and rounds of them ([`crate::rounds`]).

use crate::affine::{Affine, dense};
use crate::memory::{Buffer, Content, Piece};
use crate::place::Place;
use crate::space::Proof;
use crate::state::State;
use meshloom_bundle::program::{Instr, While};
use meshloom_ir::op::UNBOUNDED;
use meshloom_ir::{Op, OpId};
use std::rc::Rc;

/// A carry that lies in a buffer when the loop is over.
#[derive(Clone)]
pub(crate) struct Left {
    carry: usize,
    start: Affine,
    bytes: i64,
}

/// The loop of the local program whose ops the instructions name.
pub(crate) fn of_program(s: &State<'_>, w: &While) -> Option<OpId> {
    let mut named = Vec::new();
    ops(&w.body, &mut named);
    named.into_iter().filter(|&o| (o as usize) < s.func.ops.len()).find_map(|o| {
        let (mut region, mut found, mut depth) = (s.func.op(OpId(o)).parent, None, 0);
        // The loop that has as many around it as the instruction has.
        let mut around = Vec::new();
        while let Some(owner) = s.func.region(region).owner {
            if matches!(s.func.op(owner).op, Op::Repeat { .. }) {
                around.push(owner);
            }
            region = s.func.op(owner).parent;
        }
        for &owner in around.iter().rev() {
            if depth == s.iterations.len() && s.func.op(owner).op.ends_early() {
                found = Some(owner);
            }
            depth += 1;
        }
        found
    })
}

fn ops(list: &[Instr], out: &mut Vec<u32>) {
    for i in list {
        match i {
            Instr::Launch(l) => out.extend(&l.ops),
            Instr::Collective(c) => out.extend(&c.ops),
            Instr::Bucket(all) => all.iter().for_each(|c| out.extend(&c.ops)),
            Instr::Loop { body, .. } => ops(body, out),
            Instr::While(w) => ops(&w.body, out),
            _ => {}
        }
    }
}

/// The most iterations of the program's loop, if it has a limit.
pub(crate) fn limit(s: &State<'_>, o: OpId) -> Option<u64> {
    match s.func.op(o).op {
        Op::Repeat { trip, .. } => (trip != UNBOUNDED).then_some(trip),
        _ => None,
    }
}

/// A carry as iteration `n` finds it.
fn carry(s: &State<'_>, o: OpId, i: usize, n: &Affine) -> Place {
    let value = s.func.region(s.func.op(o).regions[0]).args[i];
    Place { value, iterations: [&s.iterations[..], std::slice::from_ref(n)].concat().into(), at: Rc::from([]) }
}

/// Whether the flag that is read before iteration `n` is the program's.
pub(crate) fn goes_on(s: &State<'_>, w: &While, o: OpId, n: &Affine) -> Proof<()> {
    let at = [&s.iterations[..], std::slice::from_ref(n)].concat();
    let from = Buffer { start: State::at(&w.going, &at), bytes: w.going.bytes as i64, memory: Rc::clone(&s.memory) };
    s.holds(&from, &[], 0, &carry(s, o, 0, n))
}

/// Buffers that the instructions after a loop write, and the carries that each may hold.
pub(crate) fn candidates(s: &State<'_>, w: &While, o: OpId) -> Vec<Left> {
    let data = s.func.op(o);
    let mut out = Vec::new();
    for i in &w.after {
        let written: Vec<_> = match i {
            Instr::Launch(l) => l.writes.iter().map(|&k| &l.args[k as usize]).collect(),
            Instr::Copy { dst, .. } => vec![dst],
            _ => Vec::new(),
        };
        for b in written.into_iter().filter(|b| b.moves.0.get(s.iterations.len()).is_none_or(|m| m.index.is_fixed())) {
            let (start, bytes) = s.bytes(b);
            for (carry, &v) in data.results.iter().enumerate() {
                if s.func.ty(v).bytes() <= b.bytes {
                    out.push(Left { carry, start: start.clone(), bytes });
                }
            }
        }
    }
    out
}

/// Those of the carries in `left` that do lie in their buffers, if the loop ends before iteration `n`.
pub(crate) fn kept(s: &State<'_>, o: OpId, n: &Affine, left: &[Left]) -> Vec<Left> {
    let is = |l: &&Left| {
        let place = carry(s, o, l.carry, n);
        let ty = s.func.ty(place.value);
        let from = Buffer { start: l.start.clone(), bytes: l.bytes, memory: Rc::clone(&s.memory) };
        s.facts.begin();
        s.holds(&from, &dense(&ty.shape, ty.dtype.bytes() as i64), 0, &place).is_ok()
    };
    left.iter().filter(is).cloned().collect()
}

/// Writes the loop's results to the buffers of the carries in `left`.
pub(crate) fn results(s: &mut State<'_>, o: OpId, left: &[Left]) {
    for l in left {
        let value = s.func.op(o).results[l.carry];
        let ty = s.func.ty(value);
        if ty.elements() > 0 {
            let iterations: Rc<[Affine]> = s.iterations.as_slice().into();
            let piece = Piece::dense(l.start.clone(), &ty.shape, ty.dtype.bytes(), |at| {
                Content::Value(Place { value, iterations, at: at.into() })
            });
            s.write(piece);
        }
    }
}
