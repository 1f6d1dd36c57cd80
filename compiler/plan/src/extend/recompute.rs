//! Recomputation as alternatives. A backward body reads forward values from stacks that the forward loop fills (stashes). For
//! each such argument, this module adds a copy of the forward ops that compute it to the backward body. The copy reads what the
//! forward ops read: the carry as it was at the start of the iteration, from a stack of its own; parameters and invariants
//! directly. The argument and the copy are one tensor. The search chooses between them, layout by layout. In the same way it
//! chooses whether a weight that the copy reads is gathered again.
//!
//! A copy reads other stashes as arguments, and those have copies of their own. So every depth of recomputation is a
//! combination of single choices, and ops that several copies need stand in the body once.
//!
//! Some inputs of the forward loop are not inputs of the backward loop. If they depend on no input of the program (masks, above
//! all), they are rematerialized in the backward body.
//!
//! No law is needed for this. Values of a body are families over the iteration; a stash that is read slice by slice is the family
//! that was stacked; and the copy is congruent with that family. Autodiff gives the backward loop the arguments (its option
//! `wide`).
//!
//! Sums that a comparison depends on have no copy, and stay stashes: computed again they may be rounded otherwise, and nothing equals
//! a maximum of other numbers ([`decisive_sums`]).
//!
//! Not here: values of the function's own body, which stay where they are; loops inside loops, whose stashes are the outer
//! loop's; whether any of it pays (`search`, `budget`).

use super::{Equal, Extended};
use crate::effort;
use crate::{PlanOptions, Recompute};
use meshloom_ir::copy::{ValueMap, copy_op};
use meshloom_ir::{Builder, Func, Op, OpId, Phase, RegionId, ValueId};
use meshloom_lower::rounding::decisive_sums;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// A forward value that the backward pass may read or recompute.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stash {
    /// The backward body's argument.
    pub arg: ValueId,
    /// What it slices: a result of the forward loop.
    pub stack: ValueId,
    /// The forward body's value.
    pub of: ValueId,
    /// The same value, recomputed in the backward body.
    pub copy: ValueId,
    /// The setting of its loop: to recompute everything (then the value is recomputed, unless it is what enters the body), or what
    /// pays.
    pub how: Recompute,
}

/// Adds the copies of all stashes, in the order of the backward bodies' arguments. With [`Recompute::Full`], the caller does
/// not offer the arguments to the search. With [`Recompute::None`], only rounded weights have copies.
pub fn extend(ext: &mut Extended, options: &PlanOptions) -> Vec<Stash> {
    let func = std::mem::replace(&mut ext.func, Func::new("", meshloom_ir::Mesh::default()));
    let decisive = decisive_sums(&func);
    let repeats: Vec<OpId> = func.walk(Func::BODY);
    let mut b = Builder::resume(func);
    b.phase = Phase::Backward;
    let mut stashes = Vec::new();
    for o in repeats {
        if let Op::Repeat { .. } = b.func.op(o).op {
            let body = b.func.op(o).regions[0];
            let forwards: BTreeSet<OpId> =
                b.func.region(body).args.iter().filter_map(|&a| b.func.stash_of(a)).map(|s| s.0).collect();
            for f in forwards {
                stashes.extend(backward(&mut b, body, f, options, &decisive));
            }
        }
    }
    ext.func = b.finish();
    let equal = stashes.iter().filter(|s| largest(&ext.func, s.copy));
    ext.equal.extend(equal.map(|s| Equal { a: s.arg, b: s.copy, law: "congruence" }));
    stashes
}

/// Of an op with several results the largest is offered: a tensor comes about by itself, the search does not choose pairs, and
/// the others (the logarithms of attention's sums, a word for each row) are small beside it.
fn largest(func: &Func, v: ValueId) -> bool {
    let Some(data) = func.def_op(v).map(|o| func.op(o)) else { return true };
    let bytes = |v: ValueId| func.ty(v).bytes();
    let most = data.results.iter().map(|&r| bytes(r)).max();
    data.results.iter().find(|&&r| Some(bytes(r)) == most) == Some(&v)
}

/// Whether `v` is an argument of the forward body in fewer bits.
fn rounded(func: &Func, v: ValueId) -> bool {
    let by = func.def_op(v).map(|o| func.op(o)).filter(|d| matches!(d.op, Op::Convert { .. }));
    by.is_some_and(|d| func.def_op(d.operands[0]).is_none())
}

/// Copies into `body` what it reads of the forward loop `f`, but for `decisive` sums.
fn backward(
    b: &mut Builder,
    body: RegionId,
    f: OpId,
    options: &PlanOptions,
    decisive: &BTreeSet<ValueId>,
) -> Vec<Stash> {
    let forward = b.func.region(b.func.op(f).regions[0]).clone();
    let mut here = arguments(&b.func, body, f);
    let loaded = forward.ops.iter().flat_map(|&o| b.func.op(o).results.iter().map(move |&v| (o, v)));
    let loaded: Vec<(ValueId, ValueId, Recompute)> = loaded
        .filter_map(|(o, v)| {
            // What an inner loop stacks is for that loop to say.
            let inner = matches!(b.func.op(o).op, Op::Repeat { .. });
            let how = options.recompute_in(&b.func, if inner { o } else { f });
            // Weights are no activations: whether a rounded one is kept is open in any case.
            let open = how != Recompute::None || rounded(&b.func, v);
            here.get(&v).filter(|_| open).map(|&arg| (v, arg, how))
        })
        .collect();
    if loaded.is_empty() {
        return Vec::new();
    }
    let order = needed(&b.func, &forward.ops, &here);
    // The backward body has ops of the forward one already: what autodiff itself recomputes rather than keeping it.
    let mut made: HashMap<(Op, Vec<ValueId>), OpId> = HashMap::new();
    for &o in &b.func.region(body).ops {
        let data = b.func.op(o);
        if data.regions.is_empty() {
            made.entry((data.op.clone(), data.operands.clone())).or_insert(o);
        }
    }
    // What the forward body's invariants are outside.
    let outer = b.func.op(f).operands.iter().copied();
    let first = if let Op::Repeat { carries, xs, .. } = b.func.op(f).op { carries + xs } else { forward.args.len() };
    let given: ValueMap = forward.args.iter().copied().zip(outer).skip(first).collect();
    let (mut copies, mut constants) = (ValueMap::new(), ValueMap::new());
    for o in order {
        let data = b.func.op(o);
        if data.results.iter().any(|v| decisive.contains(v)) {
            continue;
        }
        let (op, results, plain) = (data.op.clone(), data.results.clone(), data.regions.is_empty());
        for x in data.operands.clone() {
            // Masks and the like: the backward loop was given them only where it reads them itself.
            if !here.contains_key(&x)
                && let Some(&outer) = given.get(&x).filter(|&&v| fixed(&b.func, v, 0))
            {
                let made = rematerialized(b, body, outer, &mut constants);
                here.insert(x, made);
            }
        }
        let operands = &b.func.op(o).operands;
        let Some(operands) = operands.iter().map(|x| here.get(x).copied()).collect::<Option<Vec<_>>>() else {
            continue; // reads what the backward loop is not given
        };
        let key = (op, operands.clone());
        let copy = match made.get(&key).filter(|_| plain) {
            Some(&same) => same,
            None => {
                let mut map: ValueMap = b.func.op(o).operands.iter().copied().zip(operands).collect();
                let copy = b.within(body, |b| copy_op(b, o, &mut map));
                made.insert(key, copy);
                copy
            }
        };
        for (&v, &c) in results.iter().zip(&b.func.op(copy).results) {
            copies.insert(v, c);
            here.entry(v).or_insert(c);
        }
    }
    let stash = |(of, arg, how)| {
        let (f, j) = b.func.stash_of(arg)?;
        Some(Stash { arg, stack: b.func.op(f).results[j], of, copy: *copies.get(&of)?, how })
    };
    loaded.into_iter().filter_map(stash).collect()
}

/// Whether `v`, outside of a loop, depends on no input and costs next to nothing.
fn fixed(func: &Func, v: ValueId, depth: usize) -> bool {
    let data = func.def_op(v).map(|o| func.op(o)).filter(|d| depth < effort::MASK_OPS && d.op.is_cheap());
    // Draws are not for copying: that two of them are one is not for this pass to say.
    let data = data.filter(|d| !matches!(d.op, Op::RandomBits { .. }));
    data.is_some_and(|d| d.operands.iter().all(|&x| fixed(func, x, depth + 1)))
}

/// Such a value, computed in `body`.
fn rematerialized(b: &mut Builder, body: RegionId, v: ValueId, made: &mut ValueMap) -> ValueId {
    if let Some(&x) = made.get(&v) {
        return x;
    }
    let Some(o) = b.func.def_op(v) else { return v };
    for x in b.func.op(o).operands.clone() {
        rematerialized(b, body, x, made);
    }
    let copy = b.within(body, |b| copy_op(b, o, made));
    b.func.op(copy).results[0]
}

/// Values of the body of `f` that are arguments of `body`: stashes, xs and invariants.
fn arguments(func: &Func, body: RegionId, f: OpId) -> ValueMap {
    let inner = func.region(func.op(f).regions[0]);
    let Some(reader) = func.region(body).owner else { return ValueMap::new() };
    let (Op::Repeat { carries, xs, trip, .. }, Op::Repeat { carries: fc, xs: fx, trip: n, .. }) =
        (&func.op(reader).op, &func.op(f).op)
    else {
        return ValueMap::new();
    };
    let sliced = |i: usize| (*carries..carries + xs).contains(&i);
    // What the reader's arguments are, by operand and by whether they are slices of it.
    let mut given: BTreeMap<(ValueId, bool), ValueId> = BTreeMap::new();
    for (i, &outer) in func.op(reader).operands.iter().enumerate().skip(*carries) {
        given.entry((outer, sliced(i))).or_insert(func.region(body).args[i]);
    }
    let mut here = ValueMap::new();
    for (i, &outer) in func.op(f).operands.iter().enumerate().skip(*fc) {
        let is_slice = i < fc + fx;
        if let Some(&arg) = given.get(&(outer, is_slice)).filter(|_| !is_slice || trip == n) {
            here.insert(inner.args[i], arg);
        }
    }
    for &arg in &func.region(body).args {
        if let Some((_, j)) = func.stash_of(arg).filter(|s| s.0 == f) {
            here.entry(inner.yields[j]).or_insert(arg);
        }
    }
    here
}

/// Ops of the forward body, in order, that some stash depends on; those behind another stash are that one's.
fn needed(func: &Func, ops: &[OpId], here: &ValueMap) -> Vec<OpId> {
    let mut wanted: BTreeSet<ValueId> = here.keys().copied().collect();
    let mut order = Vec::new();
    for &o in ops.iter().rev() {
        let data = func.op(o);
        if data.results.iter().any(|r| wanted.contains(r)) {
            wanted.extend(&data.operands);
            order.push(o);
        }
    }
    order.reverse();
    order
}
