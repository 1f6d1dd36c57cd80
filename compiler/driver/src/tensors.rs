//! Tensors of a planned program: what their names mean, where their values are made, and what those are outside of loops.
//!
//! Not here: which tensor a question means ([`crate::question`], [`crate::inspect`]).

use crate::program::{HasPlan, Program};
use meshloom_ir::{Def, Func, Op, Span, ValueId};
use meshloom_plan::TensorPlan;
use meshloom_source::suggest;

/// Whether `blocks.0.up` is an entry of the list `blocks.*.up`.
pub fn is_entry(name: &str, t: &TensorPlan) -> bool {
    let (asked, has): (Vec<&str>, Vec<&str>) = (name.split('.').collect(), t.name.split('.').collect());
    let stacked = t.shape.first().filter(|_| has.contains(&"*"));
    let first = t.first_layer.unwrap_or(0);
    let layer = |i: u64| stacked.is_some_and(|n| (first..first + n).contains(&i));
    let one = |(a, h): (&&str, &&str)| a == h || (*h == "*" && a.parse().is_ok_and(layer));
    stacked.is_some() && asked.len() == has.len() && asked.iter().zip(&has).all(one)
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
