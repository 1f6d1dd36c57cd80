//! Which values of a repeat body the forward loop keeps for the backward loop. The backward body recomputes everything
//! else from the kept values, the loop's xs (parameters, read again, never copied) and its invariants.
//!
//! The policy is that of hand-written trainers:
//! - Keep what is expensive to recompute: results of contractions, gathers, composites and inner loops.
//! - Keep what contractions read, so that no chain runs twice to feed a weight gradient.
//! - Recompute elementwise chains, reductions and moves.
//!
//! There are two refinements:
//! - A contraction's result is kept where its chain of additions ends: after the bias and the residual. The sum costs
//!   the same bytes and need not be recomputed. A value that is partial over a mesh axis is complete by then, so the
//!   backward body never reduces it a second time.
//! - Moves (reshape, transpose, slice, broadcast) are looked through: their operand is kept, once.
//!
//! A value that depends on xs and invariants alone, through cheap ops, is not kept: keeping costs one copy per
//! iteration, recomputing nothing. The exception are weights in 16 bits that contractions read. A contraction wants its operands in
//! memory, so rounding a weight is a kernel, and rounding it again in the backward pass another one. Only slices are kept, each by its
//! own iteration, and not where a loop runs several times before its first backward pass, inside of another loop or for the microbatches
//! of pipeline stages: each time would keep all weights. Carries are always kept. The planner may later decide otherwise for each region. The
//! engine asks this file alone, so a decision changes this file's answer and nothing else.

use meshloom_ir::{Arithmetic, Class, Func, Op, OpId, RegionId, ValueId};
use std::collections::{BTreeMap, BTreeSet};

/// The values of a repeat body that are kept when the backward body asks for them. `weights` are the slices of which those in fewer bits
/// are kept, too.
pub fn keep(func: &Func, body: RegionId, carries: usize, weights: &[ValueId]) -> BTreeSet<ValueId> {
    let region = func.region(body);
    let mut kept: BTreeSet<ValueId> = region.args[..carries].iter().copied().collect();
    // Values behind a carry or an expensive op; the others are recomputed from xs and invariants.
    let mut far = kept.clone();
    for &o in &region.ops {
        let data = func.op(o);
        if expensive(&data.op) || data.operands.iter().any(|x| far.contains(x)) {
            far.extend(&data.results);
        }
    }
    let users = users(func, body);
    for &o in &region.ops {
        let data = func.op(o);
        if !expensive(&data.op) {
            continue;
        }
        for &x in &data.operands {
            let x = source(func, body, x);
            if far.contains(&x) || is_rounded(func, body, x, weights) {
                kept.insert(x);
            }
        }
        for &r in &data.results {
            let contraction = matches!(data.op, Op::DotGeneral(_));
            kept.insert(if contraction { after_additions(func, &users, r) } else { r });
        }
    }
    kept
}

fn expensive(op: &Op) -> bool {
    use Class::{Contraction, Region, Rows, Scan, Sort};
    matches!(op.class(), Contraction | Rows | Scan | Sort | Region)
}

/// Whether a value is one of `weights` in fewer bits.
fn is_rounded(func: &Func, body: RegionId, v: ValueId, weights: &[ValueId]) -> bool {
    let by = func.def_op(v).map(|o| func.op(o)).filter(|d| matches!(d.op, Op::Convert { .. }));
    by.is_some_and(|d| {
        let (from, to) = (func.ty(d.operands[0]).dtype, func.ty(v).dtype);
        from.is_float() && from.bytes() > to.bytes() && weights.contains(&source(func, body, d.operands[0]))
    })
}

/// The value to which only moves lead back. A constrained value stays: it is kept in the layout it was given.
fn source(func: &Func, body: RegionId, mut v: ValueId) -> ValueId {
    while let Some(o) = func.def_op(v) {
        let data = func.op(o);
        let moved = data.op.class() == Class::View;
        if data.parent != body || !moved {
            break;
        }
        v = data.operands[0];
    }
    v
}

/// The end of the chain of additions that starts at `v`: as long as the value has one user and that adds to it.
fn after_additions(func: &Func, users: &BTreeMap<ValueId, Vec<Option<OpId>>>, mut v: ValueId) -> ValueId {
    while let Some([Some(user)]) = users.get(&v).map(Vec::as_slice) {
        let data = func.op(*user);
        if !matches!(data.op.arithmetic(), Arithmetic::Add | Arithmetic::Subtract)
            && !matches!(data.op, Op::Constrain(_))
        {
            break;
        }
        v = data.results[0];
    }
    v
}

/// Users of each value of a region; `None` stands for the region's own yield.
fn users(func: &Func, body: RegionId) -> BTreeMap<ValueId, Vec<Option<OpId>>> {
    let region = func.region(body);
    let mut users: BTreeMap<ValueId, Vec<Option<OpId>>> = BTreeMap::new();
    for &o in &region.ops {
        for &x in &func.op(o).operands {
            users.entry(x).or_default().push(Some(o));
        }
    }
    for &y in &region.yields {
        users.entry(y).or_default().push(None);
    }
    users
}
