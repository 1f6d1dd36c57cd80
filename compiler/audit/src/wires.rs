//! The wires of a pipeline's rank: what it receives and what it sends. A tensor that is received is an input of the rank's local
//! program, and a tensor that is sent is an output. A wire moves its tensor once in a step, or one slice of it for each
//! microbatch.
//!
//! Not here: whether the rank at the other end sends the value that this one expects, and whether ranks that wait for each other
//! deadlock (both `certify::staged`).

use crate::affine::{Affine, dense};
use crate::memory::{Content, Piece};
use crate::place::Place;
use crate::space::{Proof, unfollowed, wrong};
use crate::state::State;
use meshloom_bundle::held_as;
use meshloom_bundle::program::Transfer;
use meshloom_ir::{Role, ValueId};
use std::rc::Rc;

/// The value and the name of a wire. Wires are numbered in the order of the ports: first those that receive, then those that send.
fn value<'s>(m: &'s State<'_>, wire: u32) -> Option<(ValueId, &'s str)> {
    let func = m.func;
    let of = |role: Role, ports: &'_ [meshloom_ir::Port]| -> Vec<usize> {
        ports.iter().enumerate().filter(|p| p.1.role == role).map(|p| p.0).collect()
    };
    let (received, sent) = (of(Role::Received, &func.inputs), of(Role::Sent, &func.outputs));
    let k = wire as usize;
    match received.get(k) {
        Some(&i) => Some((func.body().args[i], func.inputs[i].name.as_str())),
        None => sent.get(k - received.len()).map(|&i| (func.body().yields[i], func.outputs[i].name.as_str())),
    }
}

/// The value of a wire that moves one microbatch at a time; `None` for any other wire.
pub(crate) fn sliced(m: &State<'_>, wire: u32) -> Option<ValueId> {
    m.program.wires.get(wire as usize).filter(|w| w.each)?;
    value(m, wire).map(|v| v.0)
}

/// Checks that the executable program has the wires that the local program's ports require: names, directions, types and shapes.
pub(crate) fn start(m: &mut State<'_>) -> Result<(), String> {
    let count = |role: Role, ports: &[meshloom_ir::Port]| ports.iter().filter(|p| p.role == role).count();
    let received = count(Role::Received, &m.func.inputs);
    if m.program.wires.len() != received + count(Role::Sent, &m.func.outputs) {
        return Err("it has not as many wires as the program".into());
    }
    for (k, wire) in m.program.wires.iter().enumerate() {
        let Some((v, name)) = value(m, k as u32) else {
            return Err(format!("wire `{}` is none of the program's", wire.name));
        };
        let ty = m.func.ty(v);
        let shape = if wire.each { ty.shape.get(1..).unwrap_or(&[]) } else { &ty.shape[..] };
        let same = wire.name == name && wire.sends == (k >= received);
        if !same || wire.dtype != held_as(ty.dtype) || wire.shape != shape || wire.each && ty.shape.is_empty() {
            return Err(format!("wire `{}` is not as in the program", wire.name));
        }
    }
    Ok(())
}

/// Checks that each wire was used once, or once for each microbatch.
pub(crate) fn end(m: &State<'_>) -> Result<(), String> {
    for (k, wire) in m.program.wires.iter().enumerate() {
        let Some((v, _)) = value(m, k as u32) else { continue };
        let times = if wire.each { m.func.ty(v).shape[0] } else { 1 };
        let done = m.transferred.range((k as u32, None)..(k as u32 + 1, None)).count() as u64;
        if done != times {
            return Err(format!("wire `{}` is used {done} times of {times}", wire.name));
        }
    }
    Ok(())
}

/// What a transfer moves: a value, its first index if the wire moves one microbatch at a time, and the shape of the rest. A second
/// transfer of the same is an error.
fn moved(m: &mut State<'_>, t: &Transfer) -> Proof<(ValueId, Vec<Affine>, Vec<u64>)> {
    let Some((v, name)) = value(m, t.wire) else { return wrong("a transfer over no wire") };
    let name = name.to_string();
    let each = m.program.wires[t.wire as usize].each;
    let microbatch = match m.iterations.first().filter(|_| each) {
        Some(i) => {
            Some(i.as_constant().map_or_else(|| unfollowed("a transfer in a loop that is followed as a whole"), Ok)?
                as u64)
        }
        None => None,
    };
    if !m.transferred.insert((t.wire, microbatch)) {
        return wrong(format!("wire `{name}` is used twice for one microbatch"));
    }
    let shape = &m.func.ty(v).shape;
    Ok((v, microbatch.map(|i| Affine::constant(i as i64)).into_iter().collect(), shape[usize::from(each)..].to_vec()))
}

pub(crate) fn received(m: &mut State<'_>, t: &Transfer) -> Proof<()> {
    let (value, first, shape) = moved(m, t)?;
    let base = m.address(&t.buf);
    let bytes = m.func.ty(value).dtype.bytes();
    let piece = Piece::dense(base, &shape, bytes, |at| {
        Content::Value(Place { value, iterations: Rc::from([]), at: [&first[..], &at].concat().into() })
    });
    m.write(piece);
    Ok(())
}

pub(crate) fn sent(m: &mut State<'_>, t: &Transfer) -> Proof<()> {
    let (value, first, shape) = moved(m, t)?;
    let from = m.buffer(&t.buf);
    let strides = dense(&shape, m.func.ty(value).dtype.bytes() as i64);
    let place = Place { value, iterations: Rc::from([]), at: first.into() };
    m.holds_part(&from, &strides, &shape, &place)
}
