//! Concatenation without copies: a part is written straight into its place in the result.
//!
//! What is joined is often a value with dims of size 1 before its own, as slices of a stack are: these have no memory, so the
//! value itself is placed.

use meshloom_ir::{Def, Func, Op, RegionId, ValueId};
use std::collections::BTreeMap;

/// Where a value lies in the result of a concatenation along dim 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Joined {
    pub whole: ValueId,
    /// The row of `whole` at which it begins.
    pub start: u64,
    /// Dims of size 1 that the part has before those of the value.
    pub lead: usize,
}

/// Values that ops of `region` compute and that are parts of concatenations along dim 0. One that is a part twice is left out.
pub fn joined(func: &Func, region: RegionId) -> BTreeMap<ValueId, Joined> {
    let mut out: BTreeMap<ValueId, Joined> = BTreeMap::new();
    let mut twice = Vec::new();
    for &o in &func.region(region).ops {
        let data = func.op(o);
        if !matches!(data.op, Op::Concatenate { dim: 0 }) {
            continue;
        }
        let mut start = 0;
        for &part in &data.operands {
            let (x, lead) = source(func, part);
            let placed = match func.value(x).def {
                Def::Arg(..) => false,
                Def::Op(p, i) => match func.op(p).op {
                    _ if func.op(p).parent != region => false,
                    Op::Repeat { carries, .. } => i as usize >= carries,
                    Op::Concatenate { .. } => false,
                    _ => true,
                },
            };
            if placed && out.insert(x, Joined { whole: data.results[0], start, lead }).is_some() {
                twice.push(x);
            }
            start += func.ty(part).shape[0];
        }
    }
    out.retain(|x, _| !twice.contains(x));
    out
}

/// The value that `v` is but for dims of size 1 before its own, and how many these are.
pub fn source(func: &Func, v: ValueId) -> (ValueId, usize) {
    let (mut x, mut lead) = (v, 0);
    while let Some(o) = func.def_op(x)
        && let Op::Reshape { .. } = func.op(o).op
    {
        let from = func.op(o).operands[0];
        let (to, own) = (&func.ty(x).shape, &func.ty(from).shape);
        let Some(more) = to.len().checked_sub(own.len()) else { break };
        if to[..more].iter().any(|&n| n != 1) || to[more..] != own[..] {
            break;
        }
        (x, lead) = (from, lead + more);
    }
    (x, lead)
}
