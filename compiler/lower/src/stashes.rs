//! Stashes in the host's memory: which of the stacks that loops of the forward pass make for the backward pass go there.
//!
//! Only a stack that loops write and read slice by slice is a stash here, since no more than two slices of it are then on the
//! device at a time ([`crate::offload`]). What anything else reads, a conversion to another layout for instance, would be there
//! whole after all.
//!
//! Not here: whether stashes go at all ([`Func::stashes_in_host`]).

use meshloom_ir::{Func, Op, OpId, Phase, ValueId};
use std::collections::{BTreeMap, BTreeSet};

/// A stash of fewer bytes than this part of all stashes stays on the device: its copies take as long as starting them does.
const SMALL: u64 = 1024;
/// Slots of a window on a GPU.
pub const SLOTS: u64 = 2;

/// The stashes of a program that lie in the host's memory.
pub fn in_host(func: &Func) -> BTreeSet<ValueId> {
    if func.stashes_in_host { sliced(func) } else { BTreeSet::new() }
}

/// The stashes of a program that could lie there.
pub fn sliced(func: &Func) -> BTreeSet<ValueId> {
    let ops = func.walk(Func::BODY);
    // By stack: whether a loop of the backward pass reads it.
    let mut stacks: BTreeMap<ValueId, bool> = ops.iter().flat_map(|&o| made(func, o)).map(|&v| (v, false)).collect();
    for &o in &ops {
        let data = func.op(o);
        let slices = slices(&data.op);
        for (i, v) in data.operands.iter().enumerate() {
            match stacks.get_mut(v) {
                Some(read) if slices.contains(&i) => *read |= data.phase == Phase::Backward,
                Some(_) => _ = stacks.remove(v),
                None => {}
            }
        }
    }
    for v in func.regions.iter().flat_map(|r| &r.yields) {
        stacks.remove(v);
    }
    stacks.retain(|_, read| *read);
    let all = stacks.keys().fold(0, |n: u64, &v| n.saturating_add(func.ty(v).bytes()));
    stacks.into_keys().filter(|&v| func.ty(v).bytes() > all / SMALL).collect()
}

/// What a stash of so many bytes, of as many slices, takes of the device while it lies in the host's memory.
pub fn window_bytes(bytes: u64, slices: u64) -> u64 {
    bytes / slices.max(1) * slices.min(SLOTS)
}

/// What a loop of the forward pass stacks.
fn made(func: &Func, o: OpId) -> &[ValueId] {
    let data = func.op(o);
    match data.op {
        Op::Repeat { trip: 2.., carries, early: false, .. } if data.phase == Phase::Forward => &data.results[carries..],
        _ => &[],
    }
}

/// The operands of which an iteration of a loop reads a slice.
fn slices(op: &Op) -> std::ops::Range<usize> {
    match *op {
        Op::Repeat { carries, xs, early: false, .. } => carries..carries + xs,
        _ => 0..0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The stashes of two loops, of which the second reads a stack of the first as `read` says. `also` reads it outside of loops.
    fn found(read: &str, also: &str) -> Vec<u32> {
        let text = format!(
            "func @f on [] stashes host {{
              input %0 x: f32[100] @ [_] input
              input %1 w: f32[4, 100] @ [_, _] input
              %2, %3 = repeat carries(%0) xs(%1) invariants() {{trip 4}} : f32[100] @ [_], f32[4, 100] @ [_, _] {{
                arg %4 x: f32[100] @ [_]
                arg %5 w: f32[100] @ [_]
                %6 = multiply %4, %5 : f32[100] @ [_]
                yield %6, %6
              }}
              %7 = repeat carries(%2) {read} {{trip 4 reverse}} : f32[100] @ [_] backward {{
                arg %8 x: f32[100] @ [_]
                arg %9 w: f32[100] @ [_]
                %10 = multiply %8, %9 : f32[100] @ [_]
                yield %10
              }}
              {also}
              output %7 out: output
            }}"
        );
        let func = meshloom_ir::parse::parse(&text).unwrap_or_else(|e| panic!("{e}"));
        assert_eq!(meshloom_ir::parse::parse(&meshloom_ir::print::print(&func)).ok().as_ref(), Some(&func));
        let all = in_host(&func);
        assert_eq!(all, sliced(&func));
        let kept = Func { stashes_in_host: false, ..func };
        assert_eq!(in_host(&kept), BTreeSet::new());
        all.into_iter().map(|v| v.0).collect()
    }

    #[test]
    fn what_is_read_slice_by_slice_alone() {
        assert_eq!(found("xs(%3) invariants()", ""), [3]);
        assert_eq!(found("xs(%1) invariants()", ""), [] as [u32; 0]);
        assert_eq!(found("xs(%3) invariants()", "%11 = multiply %3, %3 : f32[4, 100] @ [_, _]"), [] as [u32; 0]);
    }
}
