//! The IR's `while`: for loops that end by what they compute, and for branches of which only one may run.
//!
//! Its first carry says whether the loop goes on. The condition is computed once before the loop, and then at the end of each
//! iteration. A branch is a loop of at most one iteration.

use super::state::Import;
use super::state::LoopBody;
use meshloom_ir::{DType, ValueId, copy};
use std::collections::BTreeMap;

type Made = Result<Vec<ValueId>, String>;

/// Operands behind the carries of a loop, and what they are inside: each once.
#[derive(Default)]
struct Invariants {
    operands: Vec<ValueId>,
    inside: BTreeMap<ValueId, ValueId>,
}

impl Invariants {
    fn of(&mut self, i: &mut Import<'_>, region: meshloom_ir::RegionId, outer: ValueId) -> ValueId {
        if let Some(&inner) = self.inside.get(&outer) {
            return inner;
        }
        let ty = i.b.ty(outer).clone();
        let inner = i.b.arg(region, ty);
        self.operands.push(outer);
        self.inside.insert(outer, inner);
        inner
    }
}

/// A loop with its condition and its body.
///
/// # Errors
/// The condition is no single truth value.
pub fn while_loop(i: &mut Import<'_>, starts: &[ValueId], asked: &LoopBody, body: &LoopBody) -> Made {
    let condition = match asked.yields[..] {
        [c] if asked.func.ty(c).dtype == DType::Bool && asked.func.ty(c).shape.is_empty() => c,
        _ => return Err("the condition of a loop is one truth value".to_string()),
    };
    let outside = |v: ValueId| v;
    let first = inline(i, asked, starts, outside)?;
    let carried: Vec<usize> = (0..starts.len()).filter(|&j| body.yields[j] != body.args[j]).collect();
    let types: Vec<_> = starts.iter().map(|&s| i.b.ty(s).clone()).collect();
    let going = asked.func.ty(condition).clone();
    let region = i.b.open();
    i.b.arg(region, going);
    let mut args: Vec<Option<ValueId>> = vec![None; starts.len()];
    for &j in &carried {
        args[j] = Some(i.b.arg(region, types[j].clone()));
    }
    let mut invariants = Invariants::default();
    let mut all = Vec::new();
    for (&start, arg) in starts.iter().zip(args) {
        all.push(match arg {
            Some(arg) => arg,
            None => invariants.of(i, region, start),
        });
    }
    let captures: Vec<(ValueId, ValueId)> = body.captures.iter().chain(&asked.captures).copied().collect();
    for (outer, _) in captures {
        invariants.of(i, region, outer);
    }
    let inside = |v: ValueId| invariants.inside.get(&v).copied().unwrap_or(v);
    let next = inline(i, body, &all, inside);
    let goes_on = next.clone().and_then(|next| inline(i, asked, &next, inside));
    let mut yields = goes_on.clone().unwrap_or_default();
    yields.extend(carried.iter().filter_map(|&j| next.as_ref().ok()?.get(j)));
    i.b.close(yields);
    goes_on?;
    let mut operands = first;
    operands.extend(carried.iter().map(|&j| starts[j]));
    operands.extend(&invariants.operands);
    let made = i.b.while_loop(None, carried.len() + 1, &operands, region)?;
    let mut out = starts.to_vec();
    for (&j, &made) in carried.iter().zip(&made[1..]) {
        out[j] = made;
    }
    Ok(out)
}

/// A loop that runs its body `trip` times.
///
/// # Errors
/// It gives values of other types than it takes.
pub fn repeat(i: &mut Import<'_>, trip: u64, starts: &[ValueId], body: &LoopBody) -> Made {
    let types: Vec<_> = starts.iter().map(|&s| i.b.ty(s).clone()).collect();
    let region = i.b.open();
    let args: Vec<ValueId> = types.into_iter().map(|ty| i.b.arg(region, ty)).collect();
    let mut invariants = Invariants::default();
    for &(outer, _) in &body.captures {
        invariants.of(i, region, outer);
    }
    let next = inline(i, body, &args, |v| invariants.inside.get(&v).copied().unwrap_or(v));
    i.b.close(next.clone().unwrap_or_default());
    next?;
    let operands = [starts, &invariants.operands].concat();
    i.b.repeat(trip, false, starts.len(), 0, &operands, region)
}

/// `before`, or what a branch gives if `taken` holds: nothing of it is computed if not.
///
/// # Errors
/// It gives values of other types.
pub fn branch(i: &mut Import<'_>, taken: ValueId, branch: &LoopBody, before: &[ValueId]) -> Made {
    let types: Vec<_> = before.iter().map(|&s| i.b.ty(s).clone()).collect();
    let going = i.b.ty(taken).clone();
    let region = i.b.open();
    i.b.arg(region, going);
    for ty in types {
        i.b.arg(region, ty);
    }
    let mut invariants = Invariants::default();
    for &(outer, _) in &branch.captures {
        invariants.of(i, region, outer);
    }
    let made = inline(i, branch, &[], |v| invariants.inside.get(&v).copied().unwrap_or(v));
    let done = i.b.constant(DType::Bool, &[], 0.0);
    let yields = [done].into_iter().chain(made.clone().unwrap_or_default()).collect();
    i.b.close(yields);
    made?;
    let operands: Vec<ValueId> = [taken].iter().chain(before).chain(&invariants.operands).copied().collect();
    let made = i.b.while_loop(Some(1), before.len() + 1, &operands, region)?;
    Ok(made[1..].to_vec())
}

/// Copies a body into the open region; `captured` is what stands there for something from outside.
///
/// # Errors
/// It takes other arguments.
pub fn inline(i: &mut Import<'_>, body: &LoopBody, args: &[ValueId], captured: impl Fn(ValueId) -> ValueId) -> Made {
    if args.len() != body.args.len() {
        return Err("a body with another number of arguments".to_string());
    }
    let mut map: copy::ValueMap = body.args.iter().copied().zip(args.iter().copied()).collect();
    map.extend(body.captures.iter().map(|&(outer, inner)| (inner, captured(outer))));
    for &o in &body.func.body().ops {
        copy::graft(&mut i.b, &body.func, o, &mut map);
    }
    let of = |v: &ValueId| map.get(v).copied().ok_or_else(|| "a body that gives something unknown".to_string());
    body.yields.iter().map(of).collect()
}
