//! Ports for recomputation. A backward loop has arguments only for what it reads of the forward loop. So a planner that
//! would rather recompute a stash has nothing to compute it from. This file gives every backward body the values from
//! which its stashes are computed: the forward loop's carries as they enter an iteration (the forward loop then yields
//! them), its xs and its invariants.
//!
//! Only ports are added. What nothing uses is dead, and dead ports cost nothing from the planner on. [`crate::prune()`]
//! would remove them again, so this comes after it.

use meshloom_ir::graph::{Def, Value};
use meshloom_ir::{Func, Op, OpId, RegionId, TensorType, ValueId};
use std::collections::BTreeSet;

/// Widens every repeat that reads stacks of another one.
pub fn widen(func: &mut Func) {
    let repeats: Vec<OpId> = func.walk(Func::BODY);
    for o in repeats {
        if let Op::Repeat { .. } = func.op(o).op {
            backward(func, o);
        }
    }
}

fn backward(func: &mut Func, o: OpId) {
    let body = func.op(o).regions[0];
    let stashes: Vec<(OpId, usize)> = func.region(body).args.iter().filter_map(|&a| func.stash_of(a)).collect();
    let forwards: BTreeSet<OpId> = stashes.iter().map(|s| s.0).collect();
    for f in forwards {
        let kept = stashes.iter().filter(|s| s.0 == f).map(|s| s.1);
        let needed = arguments(func, f, kept);
        let Op::Repeat { carries, xs, .. } = func.op(f).op else { continue };
        for i in needed {
            let arg = func.region(func.op(f).regions[0]).args[i];
            let outer = if i < carries { stack(func, f, arg) } else { func.op(f).operands[i] };
            port(func, o, outer, arg, i < carries + xs);
        }
    }
}

/// Arguments of the body of `f` that the given results of it depend on, within one iteration.
fn arguments(func: &Func, f: OpId, results: impl Iterator<Item = usize>) -> BTreeSet<usize> {
    let body: RegionId = func.op(f).regions[0];
    let mut work: Vec<ValueId> = results.map(|j| func.region(body).yields[j]).collect();
    // What is the carry itself is read from its stash, and nothing else is needed for it.
    work.retain(|v| func.def_op(*v).is_some());
    let mut seen: BTreeSet<ValueId> = BTreeSet::new();
    let mut found = BTreeSet::new();
    while let Some(v) = work.pop() {
        if !seen.insert(v) {
            continue;
        }
        match func.value(v).def {
            Def::Arg(_, i) => {
                found.insert(i as usize);
            }
            Def::Op(o, _) => work.extend(&func.op(o).operands),
        }
    }
    found
}

/// The stack of a body value of `f`; yielded from now on if it was not.
fn stack(func: &mut Func, f: OpId, v: ValueId) -> ValueId {
    let Op::Repeat { trip, carries, .. } = func.op(f).op else { return v };
    let body = func.op(f).regions[0];
    if let Some(j) = func.region(body).yields.iter().skip(carries).position(|&y| y == v) {
        return func.op(f).results[carries + j];
    }
    let old = func.value(v).clone();
    let mut shape = vec![trip];
    shape.extend(&old.ty.shape);
    let (all, at) = (ValueId(func.values.len() as u32), func.op(f).results.len() as u32);
    func.values.push(Value { ty: TensorType::new(old.ty.dtype, shape), def: Def::Op(f, at), layout: None, ..old });
    func.ops[f.index()].results.push(all);
    func.regions[body.index()].yields.push(v);
    all
}

/// Gives the body of `o` an argument for `outer`, sliced or invariant, unless it has one. The argument has the name of `like`.
fn port(func: &mut Func, o: OpId, outer: ValueId, like: ValueId, sliced: bool) {
    let Op::Repeat { trip, reverse, carries, xs, early } = func.op(o).op else { return };
    let body = func.op(o).regions[0];
    let (slices, whole) = func.op(o).operands[carries..].split_at(xs);
    let taken = if sliced { slices } else { whole };
    if taken.contains(&outer) {
        return;
    }
    let at = if sliced { carries + xs } else { func.op(o).operands.len() };
    let arg = ValueId(func.values.len() as u32);
    let value = Value { def: Def::Arg(body, at as u32), layout: None, ..func.value(like).clone() };
    func.values.push(value);
    func.ops[o.index()].operands.insert(at, outer);
    func.ops[o.index()].op = Op::Repeat { trip, reverse, carries, xs: xs + usize::from(sliced), early };
    func.regions[body.index()].args.insert(at, arg);
    for (i, &a) in func.regions[body.index()].args.iter().enumerate().skip(at + 1) {
        func.values[a.index()].def = Def::Arg(body, i as u32);
    }
}
