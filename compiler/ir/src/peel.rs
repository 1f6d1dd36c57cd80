//! A loop without its last iteration, which is computed after the loop. What the program computes does not change.
//!
//! All iterations of a loop lie over devices in one way, and so do its carries. What follows a loop may lie otherwise: where a loop sums
//! over its iterations, the iteration after it can hand on a sum over devices, which costs one collective and not one each time.
//!
//! A certificate is checked against a program that this module has made, so certificates rest on it. It is deterministic and depends on
//! nothing but the order of the program, and tests run both sides. Which loops are worth it is not decided here.

use crate::builder::Builder;
use crate::copy::{ValueMap, graft};
use crate::graph::{Def, Func, OpId, Phase, Region, Value, ValueId};
use crate::op::Op;

/// The program with the last iteration of a loop of its body after it. `None` for what is no such loop, or one that may end early,
/// goes backwards, or has one iteration.
pub fn last_iteration(func: &Func, repeat: OpId) -> Option<Func> {
    let data = func.op(repeat);
    let Op::Repeat { trip, reverse: false, early: false, .. } = data.op else { return None };
    if data.parent != Func::BODY || trip < 2 {
        return None;
    }
    let mut b = Builder::resume(Func::like(func));
    let mut map = ValueMap::new();
    for (i, &a) in func.body().args.iter().enumerate() {
        let v = ValueId(b.func.values.len() as u32);
        b.func.values.push(Value { def: Def::Arg(Func::BODY, i as u32), ..func.value(a).clone() });
        b.func.regions[0].args.push(v);
        map.insert(a, v);
    }
    for &o in &func.body().ops {
        if o == repeat {
            apart(&mut b, func, o, &mut map);
        } else {
            graft(&mut b, func, o, &mut map);
        }
    }
    let Region { args, ops, owner, .. } = std::mem::take(&mut b.func.regions[0]);
    let yields = func.body().yields.iter().map(|y| map[y]).collect();
    b.func.regions[0] = Region { args, ops, owner, yields };
    let mut made = b.finish();
    made.inputs.clone_from(&func.inputs);
    made.outputs.clone_from(&func.outputs);
    Some(made)
}

/// Appends the loop and, behind it, its last iteration.
fn apart(b: &mut Builder, func: &Func, repeat: OpId, map: &mut ValueMap) {
    let data = func.op(repeat);
    let Op::Repeat { trip, reverse, carries, xs, early } = data.op else { return };
    let sliced = &data.operands[carries..carries + xs];
    b.span = data.span;
    // What the iterations are given is there before any of them.
    b.phase = Phase::Forward;
    let stacks: Vec<ValueId> = sliced.iter().map(|x| map[x]).collect();
    let first: Vec<ValueId> = stacks.iter().map(|&x| entries(b, x, 0, trip - 1)).collect();
    let last: Vec<ValueId> = stacks.iter().map(|&x| entry(b, x, trip - 1)).collect();

    let all = graft(b, func, repeat, map);
    let made = &mut b.func.ops[all.index()];
    made.op = Op::Repeat { trip: trip - 1, reverse, carries, xs, early };
    made.operands[carries..carries + xs].copy_from_slice(&first);
    let results = made.results.clone();
    for &r in &results {
        // The name is that of what all iterations come to.
        b.func.values[r.index()].name = None;
    }
    for &r in &results[carries..] {
        b.func.values[r.index()].ty.shape[0] -= 1;
    }

    let body = func.region(data.regions[0]);
    let shared = data.operands[carries + xs..].iter().map(|x| map[x]);
    let operands: Vec<ValueId> = results[..carries].iter().copied().chain(last).chain(shared).collect();
    let mut own: ValueMap = body.args.iter().copied().zip(operands).collect();
    for &o in &body.ops {
        graft(b, func, o, &mut own);
    }
    b.phase = data.phase;
    for (i, (&old, y)) in data.results.iter().zip(&body.yields).enumerate() {
        let mut v = own[y];
        if i >= carries {
            let shape = [&[1], &b.shape(v)[..]].concat();
            let row = b.reshape(v, &shape);
            v = b.op(Op::Concatenate { dim: 0 }, &[results[i], row]);
        }
        if let Some(name) = func.value(old).name.as_ref().filter(|_| b.func.value(v).name.is_none()) {
            b.name(v, name);
        }
        map.insert(old, v);
    }
}

/// Entries `from..to` of a stack.
fn entries(b: &mut Builder, x: ValueId, from: u64, to: u64) -> ValueId {
    let (mut start, mut limit) = (vec![0; b.shape(x).len()], b.shape(x));
    (start[0], limit[0]) = (from, to);
    b.op(Op::Slice { start, limit }, &[x])
}

/// One entry of a stack.
fn entry(b: &mut Builder, x: ValueId, at: u64) -> ValueId {
    let shape = b.shape(x)[1..].to_vec();
    let one = entries(b, x, at, at + 1);
    b.reshape(one, &shape)
}
