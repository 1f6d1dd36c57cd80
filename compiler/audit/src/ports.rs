//! Ports: what the arena holds when a step begins, and what it has to hold when the step ends.

use crate::affine::{Affine, dense};
use crate::memory::{Buffer, Content, Piece};
use crate::place::Place;
use crate::space::Proof;
use crate::state::State;
use meshloom_bundle::held_as;
use meshloom_bundle::program::{Init, Number, Port};
use meshloom_ir::{Init as ProgramInit, Port as ProgramPort, Role, Scalar, ValueId};
use std::rc::Rc;

/// What a port of the local program is in the arena.
fn role(r: Role) -> Role {
    match r {
        Role::Received => Role::Input,
        Role::Gradient | Role::Sent => Role::Output,
        other => other,
    }
}

fn same_init(port: &ProgramPort, init: Init) -> bool {
    let equal = |x: Scalar, n: Number| match (x, n) {
        (Scalar::Int(a), Number::Int(b)) => a == b,
        (x, n) => x.as_f64() == n.as_f64(),
    };
    match (port.init, init) {
        (None, Init::Given) => port.role == Role::State,
        (None, Init::Zeros) => port.role != Role::State,
        (Some(ProgramInit::Constant(x)), Init::Zeros) => x.as_f64() == 0.0,
        (Some(ProgramInit::Constant(x)), Init::Ones) => x.as_f64() == 1.0,
        (Some(ProgramInit::Constant(x)), Init::Constant(n)) => equal(x, n),
        (Some(ProgramInit::Normal(b)), Init::Normal { std }) => f64::from_bits(b) == std,
        (Some(ProgramInit::Uniform(b)), Init::Uniform { bound }) => f64::from_bits(b) == bound,
        (Some(ProgramInit::Seed), Init::Seed) => true,
        _ => false,
    }
}

/// The place of an input among the ports.
fn place(m: &State<'_>, input: usize) -> u32 {
    let before = m.func.inputs.iter().take(input);
    before.filter(|p| !matches!(p.role, Role::Received | Role::Sent)).count() as u32
}

/// The ports that the arena has: what other stages send, and are sent, is none ([`crate::wires`]).
fn own<'p>(
    values: &'p [ValueId],
    ports: &'p [ProgramPort],
) -> impl Iterator<Item = (ValueId, &'p ProgramPort)> + Clone {
    let own = |x: &(ValueId, &ProgramPort)| !matches!(x.1.role, Role::Received | Role::Sent);
    values.iter().copied().zip(ports).filter(own)
}

/// Whether a port is what the local program says of it.
fn is_as_said(m: &State<'_>, port: &Port, v: ValueId, said: &ProgramPort) -> Result<(), String> {
    let (ty, value) = (m.func.ty(v), m.func.value(v));
    if value.layout.as_ref().is_some_and(|l| !l.partial.is_empty()) {
        return Err(format!("port `{}` is partial: who reads it takes what one device has for the whole", port.name));
    }
    let layout: Vec<Vec<u32>> = match &value.layout {
        Some(l) => l.dims.iter().map(|d| d.iter().map(|a| u32::from(a.0)).collect()).collect(),
        None => vec![Vec::new(); ty.rank()],
    };
    let blocks =
        |d: usize| port.layout[d].iter().map(|&a| m.axes.get(a as usize).copied().unwrap_or(1)).product::<u64>();
    let checks = [
        ("name", port.name == said.name),
        ("role", port.role == role(said.role)),
        ("type", port.dtype == held_as(ty.dtype)),
        ("kind of elements", (port.unsigned, port.complex) == (said.unsigned, said.complex)),
        ("shape", port.local_shape == ty.shape && port.bytes == ty.bytes()),
        ("layout", port.layout == layout && port.global_shape.len() == ty.rank()),
        ("range", port.range.map(|r| (r.lo, r.hi)) == said.range),
        ("entries", port.stacked == said.stacked && port.entries == said.entries),
        ("first layer", port.first_layer == said.first_layer),
        ("input that it updates", port.alias == said.updates.map(|i| place(m, i))),
    ];
    if let Some((what, _)) = checks.iter().find(|c| !c.1) {
        return Err(format!("port `{}` has another {what} than in the program", port.name));
    }
    let whole = (0..ty.rank()).all(|d| port.global_shape[d].div_ceil(blocks(d).max(1)) == ty.shape[d]);
    if whole { Ok(()) } else { Err(format!("port `{}` is not split into blocks of its size", port.name)) }
}

/// Checks the ports and puts the inputs where they lie. What is wrong is said with the value of the port that it is about.
pub(crate) fn start(m: &mut State<'_>) -> Result<(), (Option<ValueId>, String)> {
    let (func, program) = (m.func, m.program);
    let mesh = program.mesh.iter().map(|a| (a.name.clone(), u64::from(a.size)));
    if program.entry != func.name || !mesh.eq(func.mesh.axes.iter().cloned()) {
        return Err((None, "its name or its mesh is not that of the program".into()));
    }
    let inputs = own(&func.body().args, &func.inputs);
    let outputs = own(&func.body().yields, &func.outputs);
    let count = inputs.clone().count();
    if program.ports.len() != count + outputs.clone().count() {
        return Err((None, "it has not as many ports as the program".into()));
    }
    let values: Vec<ValueId> = inputs.clone().chain(outputs.clone()).map(|x| x.0).collect();
    let said: Vec<&ProgramPort> = inputs.clone().map(|i| i.1).collect();
    for (port, (v, said)) in program.ports.iter().zip(inputs.clone().chain(outputs)) {
        is_as_said(m, port, v, said).map_err(|why| (Some(v), why))?;
    }
    let mut places: Vec<(u64, u64, &str)> = Vec::new();
    for (i, port) in program.ports.iter().enumerate() {
        let wrong = |why: String| Err((Some(values[i]), why));
        if let Some(k) = port.alias {
            let of = program.ports.get(k as usize).filter(|_| (k as usize) < count);
            if of.is_none_or(|p| p.offset != port.offset) {
                return wrong(format!("port `{}` lies elsewhere than what it updates", port.name));
            }
            continue;
        }
        if i < count && port.bytes > 0 && program.in_host(port.offset) != said[i].host {
            return wrong(format!("port `{}` is in another memory than in the program", port.name));
        }
        if i < count && !same_init(said[i], port.init) {
            return wrong(format!("port `{}` begins with other values than in the program", port.name));
        }
        let end = port.offset + port.bytes;
        if let Some(other) = places.iter().find(|p| p.0 < end && port.offset < p.1) {
            return wrong(format!("ports `{}` and `{}` lie over each other", port.name, other.2));
        }
        places.push((port.offset, end, &port.name));
    }
    for (port, (value, _)) in program.ports.iter().zip(inputs) {
        let ty = func.ty(value);
        if ty.elements() > 0 {
            let piece = Piece::dense(Affine::constant(port.offset as i64), &ty.shape, ty.dtype.bytes(), |at| {
                Content::Value(Place { value, iterations: Rc::from([]), at: at.into() })
            });
            m.write(piece);
        }
    }
    Ok(())
}

/// Whether each port holds the value that it stands for: outputs, and what lives from step to step and is not updated.
pub(crate) fn end(m: &State<'_>) -> Vec<(String, ValueId, Proof<()>)> {
    let func = m.func;
    let held = |port: &Port, value: ValueId| {
        let (start, bytes) = (Affine::constant(port.offset as i64), port.bytes as i64);
        let from = Buffer { start, bytes, memory: Rc::clone(&m.memory) };
        let ty = func.ty(value);
        let place = Place { value, iterations: Rc::from([]), at: Rc::from([]) };
        m.facts.begin();
        (port.name.clone(), value, m.holds(&from, &dense(&ty.shape, ty.dtype.bytes() as i64), 0, &place))
    };
    let said = own(&func.body().args, &func.inputs);
    let (inputs, outputs) = m.program.ports.split_at(said.clone().count());
    let updated = |v: ValueId| {
        let i = func.body().args.iter().position(|&a| a == v);
        func.outputs.iter().any(|o| o.updates.is_some() && o.updates == i)
    };
    let kept = inputs.iter().zip(said.map(|s| s.0));
    let kept = kept.filter(|(p, v)| matches!(p.role, Role::Parameter | Role::State) && !updated(*v));
    let kept = kept.map(|(p, v)| held(p, v));
    let given = own(&func.body().yields, &func.outputs).map(|s| s.0);
    outputs.iter().zip(given).map(|(p, v)| held(p, v)).chain(kept).collect()
}
