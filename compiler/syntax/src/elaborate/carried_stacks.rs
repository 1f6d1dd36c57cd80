//! Carried stacks whose entry at the loop's counter is read and replaced in each iteration, such as the keys of a decoder's layers.
//! The loop then goes over the stack and stacks what it makes of each entry, so every iteration has its entry and nothing else.
//!
//! `keys = dynamic_update(keys, expand(past, 0), layer)` is a `select` over all of the stack. Here that select, and the `keys[layer]`
//! that read the stack, become a value of one entry. What else reads the stack, or replaces more than the counter's entry, leaves
//! it a carry.
//!
//! Not here: loops of JAX, of which `stablehlo` finds the same (`import/counted`).

use meshloom_ir::{Arithmetic, Comparison, Def, Func, Literal, Op, OpId, RegionId, Scalar, TensorType, ValueId};

/// Makes entries of all such stacks. Returns whether there were any; their counters may then be dead.
pub fn apart(func: &mut Func) -> bool {
    let mut found = false;
    for op in func.walk(Func::BODY) {
        while let Some(stack) = stack(func, op) {
            stack.apart(func, op);
            found = true;
        }
    }
    found
}

/// A carried stack, by the number of its carry.
struct Stack {
    carry: usize,
    /// The slab that replaces the counter's entry, with a first dim of size 1.
    slab: ValueId,
    /// The `gather`s that read an entry, each with whether it is one of the new stack.
    reads: Vec<(OpId, bool)>,
}

fn stack(func: &Func, op: OpId) -> Option<Stack> {
    let data = func.op(op);
    let Op::Repeat { trip, reverse: false, carries, early: false, .. } = data.op else { return None };
    let counters = counters(func, op);
    (0..carries).find_map(|carry| {
        let body = func.region(data.regions[0]);
        let (old, new) = (body.args[carry], body.yields[carry]);
        if func.ty(old).shape.first() != Some(&trip) {
            return None;
        }
        let update = func.def_op(new)?;
        let slab = replaced(func, update, old, &counters)?;
        let reads = reads(func, data.regions[0], [old, new], update, &counters)?;
        Some(Stack { carry, slab, reads })
    })
}

/// Values of the body that are the number of the iteration: carries that begin with 0 and grow by 1, and entries of `iota`.
fn counters(func: &Func, op: OpId) -> Vec<ValueId> {
    let data = func.op(op);
    let Op::Repeat { trip, carries, xs, .. } = data.op else { return Vec::new() };
    let body = func.region(data.regions[0]);
    let counts = |k: usize| {
        if k >= carries {
            let numbers = func.def_op(data.operands[k]).map(|o| &func.op(o).op);
            return matches!(numbers, Some(Op::Iota { shape, shard, .. }) if shape[..] == [trip] && shard.is_empty());
        }
        let step = func.def_op(body.yields[k]).map(|o| func.op(o)).filter(|o| o.op.arithmetic() == Arithmetic::Add);
        number(func, data.operands[k]) == Some(0)
            && step.is_some_and(|s| {
                let other = |i: usize| s.operands[i] == body.args[k] && number(func, s.operands[1 - i]) == Some(1);
                other(0) || other(1)
            })
    };
    let scalar = |k: &usize| func.ty(body.args[*k]).shape.is_empty() && func.ty(body.args[*k]).dtype.is_int();
    (0..carries + xs).filter(|k| scalar(k) && counts(*k)).map(|k| body.args[k]).collect()
}

/// An integer that is the same everywhere.
fn number(func: &Func, v: ValueId) -> Option<i64> {
    match &func.op(func.def_op(v)?).op {
        Op::Constant { value: Literal::Splat(Scalar::Int(n)), .. } => Some(*n),
        Op::Broadcast { .. } => number(func, func.op(func.def_op(v)?).operands[0]),
        _ => None,
    }
}

/// The operands of `v`, if it is this operation.
fn operands(func: &Func, v: ValueId, is: Arithmetic) -> Option<&[ValueId]> {
    let data = func.op(func.def_op(v)?);
    (data.op.arithmetic() == is).then_some(&data.operands[..])
}

/// The slab that `update` puts in the place of a counter's entry of `old`.
fn replaced(func: &Func, update: OpId, old: ValueId, counters: &[ValueId]) -> Option<ValueId> {
    let [inside, new, kept] = operands(func, func.op(update).results[0], Arithmetic::Select)? else { return None };
    let spread = func.op(func.def_op(*new)?);
    let slab = *spread.operands.first()?;
    let rank = func.ty(old).rank();
    let whole = matches!(&spread.op, Op::Broadcast { dims, .. } if dims.iter().copied().eq(0..rank));
    let fits = whole && func.ty(slab).shape[0] == 1 && func.ty(slab).shape[1..] == func.ty(old).shape[1..];
    (*kept == old && fits && is_entry(func, *inside, func.ty(old).shape[0], counters)?).then_some(slab)
}

/// Whether `inside` is true of the counter's entry alone, along the first of the stack's dims.
fn is_entry(func: &Func, inside: ValueId, entries: u64, counters: &[ValueId]) -> Option<bool> {
    let along = func.op(func.def_op(inside)?);
    if !matches!(&along.op, Op::Broadcast { dims, .. } if dims[..] == [0]) {
        return Some(false);
    }
    let [low, high] = operands(func, along.operands[0], Arithmetic::And)? else { return None };
    let [from, zero] = operands(func, *low, Arithmetic::Compare(Comparison::Ge))? else { return None };
    let [to, one] = operands(func, *high, Arithmetic::Compare(Comparison::Lt))? else { return None };
    let [place, start] = operands(func, *from, Arithmetic::Subtract)? else { return None };
    let start = func.op(func.def_op(*start)?);
    let counted = matches!(&func.op(func.def_op(*place)?).op, Op::Iota { shape, .. } if shape[..] == [entries]);
    let bounds = from == to && number(func, *zero) == Some(0) && number(func, *one) == Some(1);
    let at = *start.operands.first()?;
    Some(counted && bounds && matches!(start.op, Op::Broadcast { .. }) && is_counter(func, at, entries, counters))
}

/// Whether a scalar is a counter, clamped to the entries or not.
fn is_counter(func: &Func, at: ValueId, entries: u64, counters: &[ValueId]) -> bool {
    if counters.contains(&at) {
        return true;
    }
    let Some(data) = func.def_op(at).map(|o| func.op(o)) else { return false };
    let ends = || [data.operands[0], data.operands[2]].map(|v| number(func, v));
    data.op.name() == "clamp" && counters.contains(&data.operands[1]) && ends() == [Some(0), Some(entries as i64 - 1)]
}

/// What reads the stack as it comes in or as it goes on, beside `update`: entries at a counter, and nothing else.
fn reads(
    func: &Func,
    region: RegionId,
    stacks: [ValueId; 2],
    update: OpId,
    counters: &[ValueId],
) -> Option<Vec<(OpId, bool)>> {
    let mut reads = Vec::new();
    let yielded: usize = func.regions.iter().flat_map(|r| &r.yields).filter(|y| stacks.contains(y)).count();
    for o in func.walk(Func::BODY) {
        let data = func.op(o);
        let of = data.operands.iter().filter(|v| stacks.contains(v)).count();
        if of == 0 || o == update && of == 1 {
            continue;
        }
        let entry = matches!(&data.op, Op::Gather { shard, total: None } if shard.is_empty());
        if !entry || of != 1 || data.parent != region || !counters.contains(&data.operands[1]) {
            return None;
        }
        reads.push((o, data.operands[0] == stacks[1]));
    }
    (yielded == 1).then_some(reads)
}

impl Stack {
    /// The values of the stack become values of its entry: the argument, and the result of the update.
    fn apart(self, func: &mut Func, op: OpId) {
        let region = func.op(op).regions[0];
        let (arg, next) = (func.region(region).args[self.carry], func.region(region).yields[self.carry]);
        let entry = TensorType::new(func.ty(arg).dtype, func.ty(arg).shape[1..].to_vec());
        let update = match func.value(next).def {
            Def::Op(o, _) => o,
            Def::Arg(..) => return,
        };
        let data = &mut func.ops[update.index()];
        (data.op, data.operands) = (Op::Reshape { shape: entry.shape.clone() }, vec![self.slab]);
        for v in [arg, next] {
            func.values[v.index()].ty = entry.clone();
        }
        for (read, of_new) in self.reads {
            let (from, to) = (func.op(read).results[0], if of_new { next } else { arg });
            func.regions.iter_mut().for_each(|r| r.ops.retain(|o| *o != read));
            let operands = func.ops.iter_mut().flat_map(|o| &mut o.operands);
            operands
                .chain(func.regions.iter_mut().flat_map(|r| &mut r.yields))
                .filter(|v| **v == from)
                .for_each(|v| *v = to);
        }
        // Carries come first, then entries; what is stacked comes after the carries that are left.
        let Op::Repeat { carries, xs, .. } = &mut func.ops[op.index()].op else { return };
        (*carries, *xs) = (*carries - 1, *xs + 1);
        let entries = *carries + *xs - 1;
        let data = &mut func.ops[op.index()];
        let (stack, result) = (data.operands.remove(self.carry), data.results.remove(self.carry));
        data.operands.insert(entries, stack);
        data.results.push(result);
        let results = data.results.clone();
        let body = &mut func.regions[region.index()];
        let (arg, next) = (body.args.remove(self.carry), body.yields.remove(self.carry));
        body.args.insert(entries, arg);
        body.yields.push(next);
        let args = body.args.clone();
        results.iter().enumerate().for_each(|(i, r)| func.values[r.index()].def = Def::Op(op, i as u32));
        args.iter().enumerate().for_each(|(i, a)| func.values[a.index()].def = Def::Arg(region, i as u32));
    }
}
