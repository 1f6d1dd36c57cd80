//! Sums that grow in loops in loops: each iteration of the outer loop adds a stack, and an inner loop makes the stack and adds it
//! entry by entry. So gradients are summed over microbatches (`autodiff::inside`).
//!
//! A kernel of its own adds to an entry, in place ([`crate::inplace`]). A contraction that made the gradient and added it in one
//! would keep its partial sums where the old value still is.

use meshloom_ir::{Arithmetic, Def, Func, Op, OpId, ValueId};
use std::collections::BTreeSet;
use std::ops::Range;

/// Entries of sums, each the result of an `add`, where the sum is a carry of the loop around and nothing else is done with it.
pub fn sums(func: &Func) -> BTreeSet<ValueId> {
    let mut sums = BTreeSet::new();
    let mut uses = vec![0; func.values.len()];
    func.ops.iter().flat_map(|o| &o.operands).for_each(|v| uses[v.index()] += 1);
    for o in func.walk(Func::BODY) {
        let data = func.op(o);
        let Op::Repeat { carries, early: false, .. } = data.op else { continue };
        let body = func.region(data.regions[0]);
        for (&arg, &next) in body.args.iter().zip(&body.yields).take(carries) {
            let mut open = slices(func, arg, next);
            while let Some((old, new)) = open.pop() {
                let adds = |o| func.op(o).op.arithmetic() == Arithmetic::Add && func.op(o).operands.contains(&old);
                if uses[old.index()] == 1 && func.def_op(new).is_some_and(adds) {
                    sums.insert(new);
                }
                open.extend(slices(func, old, new));
            }
        }
    }
    sums
}

/// What the bodies of loops have of the stacks `old`, which they read slice by slice, and `new`, which they make: one loop, or one
/// for each segment where it was cut.
fn slices(func: &Func, old: ValueId, new: ValueId) -> Vec<(ValueId, ValueId)> {
    let Def::Op(o, i) = func.value(new).def else { return Vec::new() };
    let data = func.op(o);
    match data.op {
        Op::Concatenate { dim: 0 } => {
            let mut start = 0;
            let each = data.operands.iter().filter_map(|&part| {
                let rows = start..start + func.ty(part).shape[0];
                start = rows.end;
                let Def::Op(o, i) = func.value(part).def else { return None };
                stacked(func, o, i as usize, &|x| is_rows(func, x, old, &rows))
            });
            each.collect()
        }
        _ => stacked(func, o, i as usize, &|x| x == old).into_iter().collect(),
    }
}

/// An entry of the stack that `is` says, which the loop `o` reads, and the entry of its result `i` that the body makes.
fn stacked(func: &Func, o: OpId, i: usize, is: &dyn Fn(ValueId) -> bool) -> Option<(ValueId, ValueId)> {
    let data = func.op(o);
    let Op::Repeat { carries, xs, early: false, .. } = data.op else { return None };
    let at = (carries..carries + xs).find(|&k| is(data.operands[k]))?;
    let body = func.region(data.regions[0]);
    (i >= carries).then(|| (body.args[at], body.yields[i]))
}

/// Whether `x` is these rows of `of`.
fn is_rows(func: &Func, x: ValueId, of: ValueId, rows: &Range<u64>) -> bool {
    let Some(data) = func.def_op(x).map(|o| func.op(o)) else { return false };
    let Op::Slice { start, limit } = &data.op else { return false };
    data.operands[0] == of && start.first() == Some(&rows.start) && limit.first() == Some(&rows.end)
}
