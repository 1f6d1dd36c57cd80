//! Composites by their bodies. A composite has a kernel of its own. A dim with which its body does more than pass it along stays
//! replicated, such as the keys' dim of attention. Written out, that dim can be split: partial maxima and sums are small beside
//! the keys and values that would have to be gathered. This pays if the body's intermediates are small themselves (one query
//! position), or if an annotation splits the keys.
//!
//! That a composite equals its body needs no law: the checker reads the one as the other.

use super::graph::Algebra;
use crate::ask::written;
use crate::effort;
use meshloom_ir::{Constraint, Def, DimSpec, FactorKind, Func, Op, OpId, RegionId, ValueId, table};

/// Writes composites out where it can pay.
pub fn composites(a: &mut Algebra<'_>, live: &[bool]) {
    let func = a.func();
    let mut found = Vec::new();
    for (r, region) in func.regions.iter().enumerate() {
        let body = r == 0 || region.owner.is_some_and(|o| matches!(func.op(o).op, Op::Repeat { .. }));
        if body && region.ops.iter().all(|o| o.index() < func.ops.len()) {
            found.extend(region.ops.iter().copied().filter(|&o| {
                let d = func.op(o);
                matches!(d.op, Op::Composite { .. }) && d.results.iter().any(|v| live[v.index()]) && pays(func, o)
            }));
        }
    }
    for o in found {
        a.inline(o);
    }
}

fn pays(func: &Func, o: OpId) -> bool {
    let d = func.op(o);
    let Some(rule) = table::factors(func, o) else { return false };
    // Dims that are gathered as it is written are gathered.
    let said = written::factors(func, o, &rule);
    let blocked = |f: &usize| rule.kinds[*f] == FactorKind::Blocked && rule.sizes[*f] > 1 && !said.contains_key(f);
    let dims: Vec<(ValueId, usize)> = rule
        .operands
        .iter()
        .zip(&d.operands)
        .flat_map(|(dims, &v)| {
            dims.iter().enumerate().filter(|(_, fs)| fs.iter().any(blocked)).map(move |(k, _)| (v, k))
        })
        .collect();
    if dims.is_empty() {
        return false;
    }
    let largest = d.operands.iter().map(|&v| func.ty(v).elements()).max().unwrap_or(0);
    let inside = func.region(d.regions[0]).ops.iter().flat_map(|&i| &func.op(i).results);
    let small = inside.clone().all(|&v| func.ty(v).elements().saturating_mul(effort::INLINE_SMALLER) <= largest);
    let plain = func.region(d.regions[0]).ops.iter().all(|&i| func.op(i).regions.is_empty());
    plain && (small || dims.iter().any(|&(v, k)| annotated(func, v, k)))
}

/// Whether dim `k` of `v` is split by what somebody wrote of it, or of what it is moved from.
fn annotated(func: &Func, mut v: ValueId, mut k: usize) -> bool {
    for _ in 0..func.values.len() {
        match func.value(v).def {
            Def::Arg(r, i) => match outside(func, r, i as usize, k) {
                Some((w, dim)) => (v, k) = (w, dim),
                None => return r == Func::BODY && splits(func, &func.inputs[i as usize].constraint, k),
            },
            Def::Op(o, _) => {
                let d = func.op(o);
                if let Op::Constrain(c) = &d.op
                    && splits(func, c, k)
                {
                    return true;
                }
                let moves = matches!(
                    d.op,
                    Op::Transpose { .. }
                        | Op::Reshape { .. }
                        | Op::Slice { .. }
                        | Op::Concatenate { .. }
                        | Op::Convert { .. }
                        | Op::Constrain(_)
                );
                let Some(rule) = table::factors(func, o).filter(|_| moves) else { return false };
                let dims = rule.operands[0].iter();
                let from = dims.clone().position(|fs| fs.iter().any(|f| rule.results[0][k].contains(f)));
                // A dim that is cut or put together is still that dim.
                let same_place = !matches!(d.op, Op::Transpose { .. } | Op::Reshape { .. });
                let Some(from) = from.or(same_place.then_some(k)) else { return false };
                (v, k) = (d.operands[0], from);
            }
        }
    }
    false
}

/// What argument `i` of a repeat's body is outside.
fn outside(func: &Func, r: RegionId, i: usize, k: usize) -> Option<(ValueId, usize)> {
    let o = func.region(r).owner?;
    let Op::Repeat { carries, xs, .. } = func.op(o).op else { return None };
    let slice = i >= carries && i < carries + xs;
    Some((func.op(o).operands[i], k + usize::from(slice)))
}

fn splits(func: &Func, c: &Constraint, k: usize) -> bool {
    let axes = c.dims.get(k).map(|(DimSpec::Exactly(a) | DimSpec::AtLeast(a))| a);
    axes.is_some_and(|a| func.mesh.group_size(a) > 1)
}
