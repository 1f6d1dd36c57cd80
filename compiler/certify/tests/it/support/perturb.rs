//! Changes one random op of a program: other attributes, other operands, another function. Types are kept where that is
//! easy, so many changes verify and only the computed numbers differ.

use super::Rng;
use meshloom_ir::types::{Literal, Scalar};
use meshloom_ir::*;

/// A copy with one op changed; `None` where the dice found nothing to change.
pub fn one(func: &Func, rng: &mut Rng) -> Option<Func> {
    let ops = func.walk(Func::BODY);
    if ops.is_empty() {
        return None;
    }
    of(func, rng.pick(&ops), rng)
}

/// A copy with op `o` changed.
pub fn of(func: &Func, o: OpId, rng: &mut Rng) -> Option<Func> {
    let mut out = func.clone();
    let before = func.op(o);
    let region = func.region(before.parent);
    let data = &mut out.ops[o.index()];
    if !data.operands.is_empty() && rng.chance(50) {
        operand(func, region, data, rng);
    } else {
        attribute(&mut data.op, rng);
    }
    (*before != *data).then(|| retyped(out, o))
}

/// Another operand of the same type that stands before the op, or two of them swapped.
fn operand(func: &Func, region: &Region, data: &mut OpData, rng: &mut Rng) {
    let i = rng.below(data.operands.len());
    if data.operands.len() > 1 && rng.chance(40) {
        let j = rng.below(data.operands.len());
        data.operands.swap(i, j);
        return;
    }
    let ops = region.ops.iter().take_while(|&&o| func.op(o).results != data.results);
    let before = region.args.iter().chain(ops.flat_map(|&o| &func.op(o).results)).copied();
    let like: Vec<ValueId> = before.filter(|&v| func.ty(v) == func.ty(data.operands[i])).collect();
    data.operands[i] = rng.pick(&like);
}

fn attribute(op: &mut Op, rng: &mut Rng) {
    let pair = |rng: &mut Rng, n: usize| (rng.below(n), rng.below(n));
    match op {
        Op::Transpose { perm: dims } | Op::Broadcast { dims, .. } if !dims.is_empty() => {
            let (i, j) = pair(rng, dims.len());
            dims.swap(i, j);
        }
        Op::Broadcast { shape, .. } | Op::Reshape { shape } if !shape.is_empty() => {
            let (i, j) = pair(rng, shape.len());
            shape.swap(i, j);
        }
        Op::Slice { start, limit } if !start.is_empty() => {
            let i = rng.below(start.len());
            match rng.below(3) {
                0 => start[i] = start[i].saturating_sub(1),
                1 => limit[i] += 1,
                _ => {
                    start[i] += 1;
                    limit[i] += 1;
                }
            }
        }
        Op::Pad { low, high } if !low.is_empty() => {
            let i = rng.below(low.len());
            std::mem::swap(&mut low[i], &mut high[i]);
        }
        Op::Concatenate { dim } => *dim = rng.below(4),
        Op::Iota { dim, shape, .. } => *dim = rng.below(shape.len()),
        Op::Constant { dtype, value, .. } => {
            *value = Literal::Splat(Scalar::of(*dtype, rng.pick(&[-1.0, 0.0, 1.0, 2.0])))
        }
        Op::Reduce { kind, dims } => {
            if rng.chance(50) {
                *kind = rng.pick(&[Reduction::Sum, Reduction::Max, Reduction::Min]);
            } else if !dims.is_empty() {
                let i = rng.below(dims.len());
                dims[i] = rng.below(4);
                dims.sort_unstable();
                dims.dedup();
            }
        }
        Op::DotGeneral(e) => {
            let lists: Vec<usize> = (0..e.operands.len()).filter(|&i| e.operands[i].len() > 1).collect();
            if !lists.is_empty() && rng.chance(60) {
                let list = &mut e.operands[rng.pick(&lists)];
                let (i, j) = pair(rng, list.len());
                list.swap(i, j);
            } else if e.result.len() > 1 {
                let (i, j) = pair(rng, e.result.len());
                e.result.swap(i, j);
            }
        }
        Op::Convert { to } => *to = rng.pick(&[DType::F64, DType::F32, DType::BF16, DType::I32]),
        Op::Elem(e) => {
            let d = e.def();
            let twins: Vec<&str> =
                table::elem::TABLE.iter().filter(|t| t.arity == d.arity && t.sig == d.sig).map(|t| t.name).collect();
            if let Some(other) = Op::elem(rng.pick(&twins)) {
                *op = other;
            }
        }
        Op::Repeat { reverse, .. } => *reverse = !*reverse,
        _ => {}
    }
}

/// Gives the op's result the type that it now has, if it has one.
fn retyped(mut func: Func, o: OpId) -> Func {
    let data = func.op(o);
    if let ([v], Ok(ty)) = (&data.results[..], table::infer(&data.op, &func.operand_types(o))) {
        let v = *v;
        func.values[v.index()].ty = ty;
    }
    func
}
