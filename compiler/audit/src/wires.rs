//! What a pipeline stage receives and sends. What is received is an input of the stage's program, and what is sent an output: as a
//! whole, or one microbatch at a time.
//!
//! Not here: that the stage at the other end sends what this one takes it for (`stage`), and that stages that wait for each other
//! come to an end.

use crate::affine::{Affine, dense};
use crate::memory::{Content, Piece};
use crate::place::Place;
use crate::space::{Proof, unfollowed, wrong};
use crate::state::State;
use crate::term::element_type;
use meshloom_bundle::program::Transfer;
use meshloom_ir::{Role, ValueId};
use std::rc::Rc;

/// The value of a wire, by number: what is received first.
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

/// The value of a wire that moves one microbatch at a time.
pub(crate) fn sliced(m: &State<'_>, wire: u32) -> Option<ValueId> {
    m.program.wires.get(wire as usize).filter(|w| w.each)?;
    value(m, wire).map(|v| v.0)
}

/// Whether the wires are those of the program.
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
        if !same || wire.dtype != element_type(ty.dtype) || wire.shape != shape || wire.each && ty.shape.is_empty() {
            return Err(format!("wire `{}` is not as in the program", wire.name));
        }
    }
    Ok(())
}

/// Whether everything was transferred.
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

/// What a transfer moves: its value, and the first index where that is a microbatch.
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
