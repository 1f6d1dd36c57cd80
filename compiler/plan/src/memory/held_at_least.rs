//! What a device holds at least for a local program, told without its kernels and its arena, which take long to make. What is too
//! large by this bound is too large.
//!
//! Inputs are there from the first op on. What a loop of the forward pass stacks is there until the last loop that reads it has begun,
//! unless it lies in the host's memory.
//! Not here: what a device holds ([`crate::memory::held`]), and what no plan of a program can hold less than ([`crate::decide::least`]).

use meshloom_ir::{Def, Func, Op, OpId, Phase, ValueId};
use meshloom_lower::stashes;
use std::collections::{BTreeMap, BTreeSet};

/// Bytes that are there at once, whatever becomes of the rest.
pub fn bytes_at_least(local: &Func) -> u64 {
    let body = local.body();
    let inputs = body.args.iter().zip(&local.inputs).filter(|(_, p)| !p.host);
    let inputs = inputs.map(|(&v, _)| local.ty(v).bytes()).fold(0, u64::saturating_add);
    let mut last: BTreeMap<ValueId, usize> = BTreeMap::new();
    let elsewhere = stashes::in_host(local);
    let loops = body.ops.iter().enumerate().filter(|(_, o)| matches!(local.op(**o).op, Op::Repeat { .. }));
    for (at, &o) in loops {
        let read: BTreeSet<ValueId> = local.op(o).operands.iter().copied().collect();
        last.extend(read.into_iter().filter(|v| is_stash(local, *v) && !elsewhere.contains(v)).map(|v| (v, at)));
    }
    // By place: what is made there, and what is read there for the last time.
    let mut most = 0;
    for (at, &o) in body.ops.iter().enumerate() {
        let made = |v: &ValueId| local.def_op(*v).is_some_and(|by| place(local, by) < at);
        if matches!(local.op(o).op, Op::Repeat { .. }) {
            let there = last.iter().filter(|(v, end)| **end >= at && made(v));
            most = most.max(there.map(|(v, _)| local.ty(*v).bytes()).fold(0, u64::saturating_add));
        }
    }
    inputs.saturating_add(most)
}

fn place(local: &Func, o: OpId) -> usize {
    local.body().ops.iter().position(|&x| x == o).unwrap_or(usize::MAX)
}

/// Whether a value is a stack of what the iterations of a forward loop compute. What they were given is elsewhere, perhaps.
fn is_stash(local: &Func, v: ValueId) -> bool {
    let Def::Op(o, i) = local.value(v).def else { return false };
    let data = local.op(o);
    let Op::Repeat { carries, .. } = data.op else { return false };
    if data.phase != Phase::Forward || (i as usize) < carries {
        return false;
    }
    let inner = local.region(data.regions[0]);
    let yields = &inner.yields;
    // Two stacks of one value may be one.
    let once = yields.iter().skip(carries).filter(|&&y| y == yields[i as usize]).count() == 1;
    let computed = local.def_op(yields[i as usize]).is_some_and(|by| computes(local, by));
    once && computed
}

/// Whether the results of an op are new bytes, and not others seen in another way.
fn computes(local: &Func, o: OpId) -> bool {
    local.op(o).op.communicates() || meshloom_ir::table::flops(local, o) > 0
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two loops, of which the second reads what the first stacks.
    fn loops(stacked: &str, read: &str) -> Func {
        let text = format!(
            "func @f on [d: 2] {{
              input %0 x: f32[100] @ [_] input
              input %1 w: f32[4, 100] @ [_, _] input
              %2, %3 = repeat carries(%0) xs(%1) invariants() {{trip 4}} : f32[100] @ [_], f32[4, 100] @ [_, _] {{
                arg %4 x: f32[100] @ [_]
                arg %5 w: f32[100] @ [_]
                %6 = multiply %4, %5 : f32[100] @ [_]
                yield %6, {stacked}
              }}
              %7 = repeat carries(%2) xs({read}) invariants() {{trip 4 reverse}} : f32[100] @ [_] {{
                arg %8 x: f32[100] @ [_]
                arg %9 w: f32[100] @ [_]
                %10 = multiply %8, %9 : f32[100] @ [_]
                yield %10
              }}
              output %7 out: output
            }}"
        );
        meshloom_ir::parse::parse(&text).unwrap_or_else(|e| panic!("{e}"))
    }

    #[test]
    fn inputs_and_stacks_that_are_still_to_be_read() {
        let inputs = 4 * (100 + 400);
        assert_eq!(bytes_at_least(&loops("%6", "%3")), inputs + 4 * 400);
        // What was given needs no place of its own, nor does what nothing reads.
        assert_eq!(bytes_at_least(&loops("%5", "%3")), inputs);
        assert_eq!(bytes_at_least(&loops("%6", "%1")), inputs);
    }
}
