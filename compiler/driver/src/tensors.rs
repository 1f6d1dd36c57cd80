//! Tensors of a planned program: what their names mean, where their values are made, and what those are outside of loops.
//!
//! Not here: which tensor a question means ([`crate::question`], [`crate::inspect`]).

use crate::program::{HasPlan, Program};
use meshloom_ir::{Def, Func, Op, Span, ValueId};
use meshloom_plan::TensorPlan;
use meshloom_source::suggest;

/// Whether `blocks.0.up`, `blocks[0].up` or `blocks[0..4].up` is an entry, or a run of entries, of the list `blocks.*.up`: of the
/// part of it that this tensor is, where layers have layouts by stage.
pub fn is_entry(name: &str, t: &TensorPlan) -> bool {
    let has: Vec<&str> = t.name.split('.').collect();
    let Some(layers) = t.shape.first().filter(|_| has.contains(&"*")) else { return false };
    let first = t.first_layer.unwrap_or(0);
    let own = first..first + layers;
    let asked = steps(name);
    let one = |(a, h): (&&str, &&str)| {
        a == h || (*h == "*" && run(a).is_some_and(|(f, l)| own.contains(&f) && own.contains(&l)))
    };
    asked.len() == has.len() && asked.iter().zip(&has).all(one)
}

/// The steps of a path: names, and what stands in brackets.
fn steps(path: &str) -> Vec<&str> {
    let mut out = Vec::new();
    for piece in path.split('[') {
        let (inside, rest) = piece.split_once(']').map_or((None, piece), |(inside, rest)| (Some(inside), rest));
        out.extend(inside);
        out.extend(rest.split('.').filter(|s| !s.is_empty()));
    }
    out
}

/// The first and the last layer of `3` or `2..8`.
fn run(step: &str) -> Option<(u64, u64)> {
    let (first, end) = match step.split_once("..") {
        Some((first, end)) => (first.parse().ok()?, end.parse().ok()?),
        None => step.parse().ok().and_then(|i: u64| Some((i, i.checked_add(1)?)))?,
    };
    (first < end).then(|| (first, end - 1))
}

/// The name that was most likely meant.
pub fn nearest<E: HasPlan>(program: &Program<E>, name: &str) -> Option<String> {
    let tensors = program.entries.iter().flat_map(|e| &e.planned().plan.tensors);
    let names: Vec<&str> = tensors.map(|t| t.name.as_str()).collect();
    suggest::nearest(name, names).map(str::to_string)
}

/// What an argument of a loop's or composite's body is outside, where it is one thing: not for what a loop carries.
pub fn outside(func: &Func, v: ValueId) -> ValueId {
    let mut at = v;
    while let Def::Arg(r, i) = func.value(at).def {
        let Some(o) = func.region(r).owner else { break };
        if matches!(func.op(o).op, Op::Repeat { carries, .. } if (i as usize) < carries) {
            break;
        }
        match func.op(o).operands.get(i as usize) {
            Some(&x) => at = x,
            None => break,
        }
    }
    at
}

/// Whether a value is what a loop keeps of all its iterations, for the backward pass: it has the name of one iteration's.
pub fn is_stash(func: &Func, v: ValueId) -> bool {
    match func.value(v).def {
        Def::Op(o, i) => matches!(func.op(o).op, Op::Repeat { carries, .. } if i as usize >= carries),
        Def::Arg(..) => false,
    }
}

/// Where a value is made.
pub fn span_of(func: &Func, v: ValueId) -> Span {
    match func.value(v).def {
        Def::Op(o, _) => func.op(o).span,
        Def::Arg(..) => func.value(v).span,
    }
}
