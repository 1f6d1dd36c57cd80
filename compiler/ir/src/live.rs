//! Live values: those that a function's outputs depend on. The analysis goes through the ports of loops. A carry is live or
//! dead in all iterations; a slice, an invariant or a stacked result is live by itself.
//!
//! The planner writes live values alone, and the certificate's checker asks no more.

use crate::graph::{Def, Func, OpId, ValueId};
use crate::op::Op;

/// By value: whether an output depends on it. Values inside composites are not asked about.
pub fn live_values(func: &Func) -> Vec<bool> {
    live_with(func, |_, _| {})
}

/// The same, where a value may bring others along that it does not depend on: `brings` adds them to the list.
pub fn live_with(func: &Func, mut brings: impl FnMut(ValueId, &mut Vec<ValueId>)) -> Vec<bool> {
    let mut live = vec![false; func.values.len()];
    let mut work: Vec<ValueId> = func.body().yields.clone();
    while let Some(v) = work.pop() {
        if std::mem::replace(&mut live[v.index()], true) {
            continue;
        }
        brings(v, &mut work);
        // A carry is alive as a whole: where it starts, what it becomes, its argument and its result.
        let mut carry = |o: OpId, i: usize| {
            let body = func.region(func.op(o).regions[0]);
            work.extend([func.op(o).operands[i], body.yields[i], body.args[i], func.op(o).results[i]]);
            // How often it is computed is for the condition to say.
            work.extend(body.args.first().filter(|_| func.op(o).op.ends_early()));
        };
        match func.value(v).def {
            Def::Arg(r, i) => {
                if let Some(o) = func.region(r).owner
                    && let Op::Repeat { carries, .. } = func.op(o).op
                {
                    if (i as usize) < carries {
                        carry(o, i as usize);
                    } else {
                        work.push(func.op(o).operands[i as usize]);
                    }
                }
            }
            Def::Op(o, i) => match func.op(o).op {
                Op::Repeat { carries, .. } if (i as usize) < carries => carry(o, i as usize),
                Op::Repeat { .. } => work.push(func.region(func.op(o).regions[0]).yields[i as usize]),
                // An op gives all its results or none.
                _ => work.extend(func.op(o).operands.iter().chain(&func.op(o).results)),
            },
        }
    }
    live
}
