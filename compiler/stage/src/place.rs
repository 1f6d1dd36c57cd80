//! The stages of what stands around the loop over microbatches: casts and gathers of parameters before it, and the optimizer's
//! update after it.
//!
//! What depends on the loop is in the stage of the largest value that it reads, so that small values travel: the norm of all
//! gradients goes to where the gradients are, and is broadcast to their shape there. What does not is where it is read: scalars
//! and what is made of the data in each stage that reads them, anything else in the first of them, from which the others are
//! sent it once a step.
//!
//! A parameter of a layer, and its state, is with the layer's stage, wherever its next value is computed: a program that is split
//! along its layers computes those of several stages together.

use crate::staged::Action;
use meshloom_ir::{Arithmetic, Def, Func, Op, OpId, Role, ValueId};
use std::collections::{BTreeMap, BTreeSet};

pub struct Placed {
    pub ops: BTreeMap<OpId, Vec<usize>>,
    pub inputs: Vec<Vec<usize>>,
}

/// Values of at most so many bytes are computed by each stage that reads them.
pub const SMALL: u64 = 16;

/// `layers` says of each input which stage has the layers that it is of, if it is of layers.
pub fn place(func: &Func, actions: &[Action], stages: usize, layers: &[Option<usize>]) -> Placed {
    let body = func.body();
    let mut ops: BTreeMap<OpId, Vec<usize>> = actions.iter().map(|a| (a.repeat, vec![a.stage])).collect();
    let looped: BTreeSet<OpId> = ops.keys().copied().collect();
    let mut sums: BTreeSet<OpId> = BTreeSet::new();
    for &o in &body.ops {
        if ops.contains_key(&o) || spread(func, o) {
            continue;
        }
        let made = |x: &ValueId| Some((func.ty(*x).bytes(), *ops.get(&func.def_op(*x)?)?.first()?));
        let read: Vec<(u64, usize)> = func.op(o).operands.iter().filter_map(made).collect();
        let of_actions = |x: &ValueId| func.def_op(*x).is_some_and(|d| sums.contains(&d) || looped.contains(&d));
        // Of two that are as large, the later stage. But parts of a gradient are added in the earliest: that is where the
        // parameter is read first, and where it is in a program that trains nothing.
        let earliest = func.op(o).op.arithmetic() == Arithmetic::Add && func.op(o).operands.iter().all(of_actions);
        if earliest {
            sums.insert(o);
        }
        let largest = read.iter().map(|r| r.0).max();
        let found = read.iter().filter(|r| Some(r.0) == largest).map(|r| r.1);
        if let Some(stage) = if earliest { found.min() } else { found.max() } {
            ops.insert(o, vec![stage]);
        }
    }
    let small = small(func);
    let users = users(func);
    for &o in body.ops.iter().rev() {
        if ops.contains_key(&o) {
            continue;
        }
        let found = readers(&users, &ops, &func.op(o).results);
        let most = if small.contains(&o) { stages } else { 1 };
        let mut found: Vec<usize> = found.into_iter().take(most).collect();
        if found.is_empty() {
            found.push(0);
        }
        ops.insert(o, found);
    }
    let own = |i: usize| layers.get(i).copied().flatten().map(|s| vec![s]);
    let inputs = (0..func.inputs.len()).map(|i| own(i).unwrap_or_else(|| home(func, &users, &ops, i))).collect();
    Placed { ops, inputs }
}

/// Whether an op makes much of little: it stands where it is read, and what is sent is the little.
fn spread(func: &Func, o: OpId) -> bool {
    let data = func.op(o);
    let little = |x: &ValueId| func.ty(*x).bytes() <= SMALL;
    data.op.is_view() && data.operands.iter().all(little) && !data.results.iter().all(little)
}

/// By value: the ops of the body that read it.
fn users(func: &Func) -> Vec<Vec<OpId>> {
    let mut all = vec![Vec::new(); func.values.len()];
    for &o in &func.body().ops {
        func.op(o).operands.iter().for_each(|x| all[x.index()].push(o));
    }
    all
}

fn readers(users: &[Vec<OpId>], ops: &BTreeMap<OpId, Vec<usize>>, values: &[ValueId]) -> BTreeSet<usize> {
    let reads = values.iter().flat_map(|v| &users[v.index()]);
    reads.filter_map(|o| ops.get(o)).flatten().copied().collect()
}

/// Ops that depend on nothing but small values and data, and cost next to nothing.
fn small(func: &Func) -> BTreeSet<OpId> {
    let mut found = BTreeSet::new();
    for &o in &func.body().ops {
        let data = func.op(o);
        let free = |x: &ValueId| match func.value(*x).def {
            Def::Arg(_, i) => func.ty(*x).bytes() <= SMALL || func.inputs[i as usize].role == Role::Input,
            Def::Op(d, _) => found.contains(&d),
        };
        // Zeros that sums over microbatches begin with are a part of a sum on each device; each has a part of a learning rate.
        let part = matches!(data.op, Op::PartialSplit { .. } | Op::ShardSlice { .. });
        let cheap = data.op.is_cheap() || part || data.operands.is_empty() || data.op.is_view();
        if spread(func, o) || cheap && data.operands.iter().all(free) {
            found.insert(o);
        }
    }
    found
}

/// Where an input lies.
fn home(func: &Func, users: &[Vec<OpId>], ops: &BTreeMap<OpId, Vec<usize>>, i: usize) -> Vec<usize> {
    let read = readers(users, ops, &[func.body().args[i]]);
    if func.inputs[i].role == Role::Input {
        return if read.is_empty() { vec![0] } else { read.into_iter().collect() };
    }
    let next = func.outputs.iter().zip(&func.body().yields).find(|(p, _)| p.updates == Some(i));
    let computed = next.and_then(|(_, &y)| func.def_op(y)).and_then(|o| ops.get(&o)?.first().copied());
    vec![computed.or(read.first().copied()).unwrap_or(0)]
}
