//! Sums over microbatches, taken apart. A carry of the loop over microbatches that begins with zeros, and to which each iteration
//! adds, is the sum of its parts: those that different stages add, and those of different microbatches. Each part becomes a carry
//! of its own, and the parts are added after the loop. So a gradient of which two stages have a part, as of an embedding that is
//! the head as well, is sent once in a step, and not for each microbatch; and microbatches that other ranks compute begin with
//! zeros of their own.
//!
//! What the program computes does not change, but for the order of sums. `certify::staged` proves what is made of it.
//! Not here: which stage an addend belongs to ([`crate::actions`]).

use meshloom_ir::{Arithmetic, Def, Func, Literal, Op, OpData, OpId, RegionId, Value, ValueId};
use std::collections::BTreeMap;

/// A carry that is a sum.
pub struct Sum {
    pub carry: usize,
    /// What an iteration adds.
    pub addends: Vec<ValueId>,
    /// Converts what is added to the type of the sum.
    convert: Option<OpId>,
    /// The additions of one iteration.
    adds: Vec<OpId>,
}

/// The carries of a loop that are sums and begin with zeros.
pub fn sums(func: &Func, repeat: OpId) -> Vec<Sum> {
    let data = func.op(repeat);
    let Op::Repeat { carries, early: false, .. } = data.op else { return Vec::new() };
    let body = func.region(data.regions[0]);
    let mut uses: BTreeMap<ValueId, usize> = BTreeMap::new();
    let read = body.ops.iter().flat_map(|&o| &func.op(o).operands).chain(&body.yields);
    read.for_each(|v| *uses.entry(*v).or_default() += 1);
    let once = |v: &ValueId| uses.get(v) == Some(&1);
    (0..carries).filter(|&k| is_zero(func, data.operands[k])).filter_map(|k| sum(func, repeat, k, &once)).collect()
}

fn is_zero(func: &Func, v: ValueId) -> bool {
    let Some(o) = func.def_op(v) else { return false };
    let data = func.op(o);
    match &data.op {
        Op::Constant { value: Literal::Splat(s), .. } => s.as_f64() == 0.0,
        Op::PartialSplit { .. } | Op::Broadcast { .. } | Op::Convert { .. } => is_zero(func, data.operands[0]),
        _ => false,
    }
}

fn adds(func: &Func, v: ValueId) -> Option<OpId> {
    func.def_op(v).filter(|&o| func.op(o).op.arithmetic() == Arithmetic::Add)
}

fn sum(func: &Func, repeat: OpId, carry: usize, once: &impl Fn(&ValueId) -> bool) -> Option<Sum> {
    let body = func.region(func.op(repeat).regions[0]);
    let (arg, top) = (body.args[carry], body.yields[carry]);
    if !once(&arg) || !once(&top) {
        return None;
    }
    let mut found = Sum { carry, addends: Vec::new(), convert: None, adds: vec![adds(func, top)?] };
    let mut open: Vec<ValueId> = func.op(found.adds[0]).operands.iter().rev().copied().collect();
    let mut carried = false;
    while let Some(v) = open.pop() {
        if v == arg {
            carried = true;
        } else if let Some(o) = adds(func, v).filter(|_| once(&v)) {
            found.adds.push(o);
            open.extend(func.op(o).operands.iter().rev());
        } else {
            found.addends.push(v);
        }
    }
    // What is added may be a sum of a narrower type.
    if let [one] = found.addends[..]
        && let Some(o) = func.def_op(one).filter(|_| once(&one))
        && let Op::Convert { .. } = func.op(o).op
        && let [from] = func.op(o).operands[..]
        && func.ty(from).dtype.bytes() < func.ty(one).dtype.bytes()
        && func.ty(from).dtype.is_float()
        && once(&from)
        && let Some(inner) = adds(func, from)
    {
        found.convert = Some(o);
        found.adds.push(inner);
        found.addends = func.op(inner).operands.clone();
    }
    carried.then_some(found)
}

/// Makes a carry of each group of addends. The sum is the first group's carry, and the others are added to it after the loop.
pub fn split(func: &mut Func, repeat: OpId, sum: &Sum, groups: &[Vec<ValueId>]) {
    let Op::Repeat { trip, reverse, carries, xs, early } = func.op(repeat).op else { return };
    let region = func.op(repeat).regions[0];
    let (arg, top) = (func.region(region).args[sum.carry], func.region(region).yields[sum.carry]);
    let (init, total) = (func.op(repeat).operands[sum.carry], func.op(repeat).results[sum.carry]);
    let Some(&add) = sum.adds.first() else { return };
    let mut at = func.region(region).ops.iter().position(|&o| o == add).unwrap_or(0);
    let mut emit = |func: &mut Func, like: OpId, operands: Vec<ValueId>| {
        let v = insert(func, region, at, like, operands);
        at += 1;
        v
    };
    let mut parts = vec![total];
    for (g, group) in groups.iter().enumerate() {
        let Some((&first, rest)) = group.split_first() else { continue };
        let narrow = sum.adds.last().copied().filter(|_| sum.convert.is_some()).unwrap_or(add);
        let mut part = first;
        for &x in rest {
            part = emit(func, narrow, vec![part, x]);
        }
        if let Some(convert) = sum.convert {
            part = emit(func, convert, vec![part]);
        }
        if g == 0 {
            let next = emit(func, add, vec![arg, part]);
            func.values[next.index()].name = func.value(top).name.clone();
            func.regions[region.index()].yields[sum.carry] = next;
            continue;
        }
        let k = carries + g - 1;
        let own = value(func, arg, Def::Arg(region, k as u32));
        let next = emit(func, add, vec![own, part]);
        let result = value(func, total, Def::Op(repeat, k as u32));
        let r = &mut func.regions[region.index()];
        r.args.insert(k, own);
        r.yields.insert(k, next);
        let data = &mut func.ops[repeat.index()];
        data.operands.insert(k, init);
        data.results.insert(k, result);
        parts.push(result);
    }
    func.ops[repeat.index()].op = Op::Repeat { trip, reverse, carries: carries + groups.len() - 1, xs, early };
    renumber(func, repeat);
    let gone = |o: &OpId| sum.adds.contains(o) || sum.convert == Some(*o);
    func.regions[region.index()].ops.retain(|o| !gone(o));
    total_after(func, repeat, add, &parts);
}

/// Adds parts after a loop, and gives the sum to all that read the first one, or the last one, so far.
pub fn total_after(func: &mut Func, repeat: OpId, add: OpId, parts: &[ValueId]) {
    let parent = func.op(repeat).parent;
    let (Some(&old), Some((&first, rest))) = (parts.first(), parts.split_first()) else { return };
    let mut at = func.region(parent).ops.iter().position(|&o| o == repeat).map_or(0, |i| i + 1);
    let begin = at;
    let mut sum = first;
    for &x in rest {
        sum = insert(func, parent, at, add, vec![sum, x]);
        func.values[sum.index()].layout = func.value(first).layout.clone();
        at += 1;
    }
    let own = begin..at;
    let later: Vec<OpId> =
        func.region(parent).ops.iter().enumerate().filter(|o| !own.contains(&o.0)).map(|o| *o.1).collect();
    let replace = |v: &mut ValueId| {
        if *v == old {
            *v = sum;
        }
    };
    // A loop never reads its own results.
    later.iter().for_each(|o| func.ops[o.index()].operands.iter_mut().for_each(replace));
    func.regions[parent.index()].yields.iter_mut().for_each(replace);
}

/// Inserts an op like another one; its result is like that one's.
fn insert(func: &mut Func, region: RegionId, at: usize, like: OpId, operands: Vec<ValueId>) -> ValueId {
    let id = OpId(func.ops.len() as u32);
    let data = func.op(like).clone();
    let of = data.results[0];
    func.ops.push(OpData { operands, results: Vec::new(), parent: region, weight_grad: false, ..data });
    let v = value(func, of, Def::Op(id, 0));
    func.ops[id.index()].results.push(v);
    func.regions[region.index()].ops.insert(at, id);
    v
}

fn value(func: &mut Func, of: ValueId, def: Def) -> ValueId {
    let id = ValueId(func.values.len() as u32);
    let value = Value { def, name: None, ..func.value(of).clone() };
    func.values.push(value);
    id
}

fn renumber(func: &mut Func, repeat: OpId) {
    let data = func.op(repeat).clone();
    let region = data.regions[0];
    for (i, v) in data.results.iter().enumerate() {
        func.values[v.index()].def = Def::Op(repeat, i as u32);
    }
    for (i, v) in func.region(region).args.clone().iter().enumerate() {
        func.values[v.index()].def = Def::Arg(region, i as u32);
    }
}

/// Cuts a loop over microbatches into `copies` loops of as many iterations, none of which reads what another one gives. They
/// stand one after the other.
///
/// # Errors
/// Iterations that do not divide, or a carry that is no sum.
pub fn copies(func: &Func, repeat: OpId, copies: u64) -> Result<Func, String> {
    let Op::Repeat { trip, carries, .. } = func.op(repeat).op else { return Err("no loop over microbatches".into()) };
    if copies < 2 {
        return Ok(func.clone());
    }
    if trip % copies != 0 {
        return Err(format!("{trip} microbatches cannot go {copies} ways, as many each way"));
    }
    let found = sums(func, repeat);
    if let Some(k) = (0..carries).find(|k| !found.iter().any(|s| s.carry == *k)) {
        let name = func.value(func.op(repeat).results[k]).name.clone().unwrap_or_default();
        return Err(format!("microbatches cannot go {copies} ways: `{name}` is no sum over them"));
    }
    let at = (1..copies).map(|c| c * (trip / copies)).collect();
    let split = meshloom_ir::segments::split(func, &[meshloom_ir::segments::Cut { repeat, at }])?;
    let mut func = split.func;
    let loops: Vec<OpId> = func
        .body()
        .ops
        .iter()
        .copied()
        .filter(|o| split.ops.get(o.index()).copied().flatten() == Some(repeat))
        .collect();
    let (Some(&first), Some(&last)) = (loops.first(), loops.last()) else {
        return Err("internal: a loop was lost".into());
    };
    for k in 0..carries {
        let init = func.op(first).operands[k];
        loops.iter().for_each(|o| func.ops[o.index()].operands[k] = init);
        let top = func.region(func.op(last).regions[0]).yields[k];
        let Some(add) = adds(&func, top) else { return Err("internal: a sum was lost".into()) };
        // What was read is the result of the last loop.
        let parts: Vec<ValueId> = loops.iter().rev().map(|o| func.op(*o).results[k]).collect();
        total_after(&mut func, last, add, &parts);
    }
    Ok(func)
}
