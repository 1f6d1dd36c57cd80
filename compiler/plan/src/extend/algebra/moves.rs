//! Rules of ops that move elements: those that undo each other, and those that an op may as well be done before or after, where
//! it then touches less.

use super::graph::{Algebra, Rule};
use super::law;
use super::product;
use meshloom_ir::types::dim_groups;
use meshloom_ir::{Einsum, Op, OpData, OpId, ValueId};

pub const RULES: &[Rule] = &[
    Rule {
        name: "moves",
        about: "transposes of transposes, reshapes of reshapes and broadcasts of broadcasts are one, or nothing",
        reassociates: false,
        apply: moves,
    },
    Rule {
        name: "transpose-elementwise",
        about: "a transpose of an elementwise op goes to its operands, if each takes it in: contractions, transposes, numbers",
        reassociates: false,
        apply: transpose_elementwise,
    },
    Rule {
        name: "reshape",
        about: "a reshape goes through elementwise ops, broadcasts and contractions, if a slice is read of it, or if a mesh axis \
                could split its result and not its operand",
        reassociates: false,
        apply: reshape,
    },
    Rule {
        name: "broadcast-elementwise",
        about: "an elementwise op on tensors that are repeated alike is done before",
        reassociates: false,
        apply: broadcast_elementwise,
    },
    Rule {
        name: "gather-elementwise",
        about: "an elementwise op on gathered rows is done on the table, or the other way round, where there are fewer elements",
        reassociates: false,
        apply: gather_elementwise,
    },
    Rule {
        name: "convert",
        about: "a conversion of what was only widened is one conversion, or none",
        reassociates: false,
        apply: convert,
    },
];

fn moves(a: &mut Algebra<'_>, o: OpId) {
    let d = a.op(o).clone();
    let Some(&x) = d.operands.first() else { return };
    if !matches!(d.op, Op::Transpose { .. } | Op::Reshape { .. } | Op::Broadcast { .. }) {
        return;
    }
    for m in a.definitions(x) {
        if !a.first("moves", o, m) {
            continue;
        }
        let inner = a.op(m).clone();
        let form = match (&d.op, &inner.op) {
            (Op::Transpose { perm: q }, Op::Transpose { perm: p }) => {
                let perm = q.iter().map(|&i| p[i]).collect();
                a.make(o, Op::Transpose { perm }, &inner.operands)
            }
            (Op::Reshape { .. }, Op::Reshape { .. }) => a.make(o, d.op.clone(), &inner.operands),
            // Dims that are repeated later must not be mixed up with those of size 1 that are there.
            (Op::Broadcast { shape, dims: q }, Op::Broadcast { dims: p, shape: middle })
                if q.iter().zip(middle).all(|(&k, &n)| shape[k] == n) =>
            {
                let dims = p.iter().map(|&i| q[i]).collect();
                a.make(o, Op::Broadcast { shape: shape.clone(), dims }, &inner.operands)
            }
            _ => None,
        };
        a.equate(o, form, law::MOVES);
    }
}

fn transpose_elementwise(a: &mut Algebra<'_>, o: OpId) {
    let Op::Transpose { perm } = a.op(o).op.clone() else { return };
    for m in a.definitions(a.op(o).operands[0]) {
        let d = a.op(m).clone();
        let takes_in = |x: &ValueId| {
            a.splat(*x).is_some()
                || a.definitions(*x).iter().any(|&i| matches!(a.op(i).op, Op::DotGeneral(_) | Op::Transpose { .. }))
        };
        if !d.op.is_elementwise() || !d.operands.iter().all(takes_in) || !a.first("transpose-elementwise", o, m) {
            continue;
        }
        let mut xs = Vec::new();
        for &x in &d.operands {
            let shape = perm.iter().map(|&p| a.shape(x)[p]).collect();
            let turned = match a.splat(x) {
                Some(value) => a.make(o, Op::Constant { dtype: a.ty(x).dtype, shape, value }, &[]),
                None => product::transpose(a, o, x, perm.clone()),
            };
            xs.extend(turned);
        }
        let form = if xs.len() == d.operands.len() { a.make(o, d.op, &xs) } else { None };
        a.equate(o, form, law::ELEMENTWISE);
    }
}

/// Whether somebody would gain from a reshape that is done earlier.
fn wanted(a: &Algebra<'_>, o: OpId) -> bool {
    let d = a.op(o);
    let result = d.results[0];
    if a.readers(result).into_iter().any(|r| matches!(a.op(r).op, Op::Slice { .. })) {
        return true;
    }
    let (from, to) = (a.shape(d.operands[0]), a.shape(result));
    let mesh = &a.func().mesh;
    dim_groups(from, to).iter().any(|(f, t)| {
        let big: Vec<u64> = t.iter().map(|&j| to[j]).filter(|&n| n > 1).collect();
        let [major, minor @ ..] = &big[..] else { return false };
        let splits = |n: u64, k: u64| k > 1 && n.is_multiple_of(k);
        f.len() == 1
            && mesh.all_axes().any(|x| !splits(*major, mesh.size(x)) && minor.iter().any(|&n| splits(n, mesh.size(x))))
    })
}

fn reshape(a: &mut Algebra<'_>, o: OpId) {
    let Op::Reshape { shape } = a.op(o).op.clone() else { return };
    if !wanted(a, o) {
        return;
    }
    for m in a.definitions(a.op(o).operands[0]) {
        let d = a.op(m).clone();
        let fits = d.op.is_elementwise() || matches!(d.op, Op::DotGeneral(_) | Op::Broadcast { .. });
        if !fits || !a.first("reshape", o, m) {
            continue;
        }
        let (form, law) = match &d.op {
            Op::DotGeneral(e) => (reshape_contraction(a, o, e, &d, &shape), law::MOVE_PRODUCT),
            Op::Broadcast { dims, .. } => (reshape_broadcast(a, o, dims, &d, &shape), law::MOVES),
            _ => {
                let xs: Option<Vec<ValueId>> = d.operands.iter().map(|&x| reshaped(a, o, x, &shape)).collect();
                (xs.and_then(|xs| a.make(o, d.op, &xs)), law::ELEMENTWISE)
            }
        };
        a.equate(o, form, law);
    }
}

fn reshaped(a: &mut Algebra<'_>, at: OpId, x: ValueId, shape: &[u64]) -> Option<ValueId> {
    if let Some(value) = a.splat(x) {
        return a.make(at, Op::Constant { dtype: a.ty(x).dtype, shape: shape.to_vec(), value }, &[]);
    }
    let v = a.make(at, Op::Reshape { shape: shape.to_vec() }, &[x])?;
    // It is wanted for what the whole is wanted for.
    a.settle(v);
    Some(v)
}

/// The dims of the result regrouped: each run of dims stands together in every operand that has one of them.
fn reshape_contraction(a: &mut Algebra<'_>, o: OpId, e: &Einsum, d: &OpData, shape: &[u64]) -> Option<ValueId> {
    let from = a.shape(d.results[0]).to_vec();
    let mut fresh = (0..52).map(super::term::subscript).filter(|c| !e.factors().contains(c));
    let mut operands = e.operands.clone();
    let mut shapes: Vec<Vec<u64>> = d.operands.iter().map(|&x| a.shape(x).to_vec()).collect();
    let mut result = vec![' '; shape.len()];
    for (f, t) in dim_groups(&from, shape) {
        if let ([i], [j]) = (&f[..], &t[..]) {
            result[*j] = e.result[*i];
            continue;
        }
        let old: Vec<char> = f.iter().map(|&i| e.result[i]).collect();
        let new: Vec<char> = t.iter().map(|_| fresh.next()).collect::<Option<_>>()?;
        if old.is_empty() {
            return None;
        }
        for (subscripts, sizes) in operands.iter_mut().zip(&mut shapes) {
            let Some(at) = subscripts.iter().position(|c| old.contains(c)) else { continue };
            let end = at + old.len();
            if end > subscripts.len() || subscripts[at..end] != old[..] {
                return None;
            }
            subscripts.splice(at..end, new.iter().copied());
            sizes.splice(at..end, t.iter().map(|&j| shape[j]));
        }
        for (&j, &c) in t.iter().zip(&new) {
            result[j] = c;
        }
    }
    let mut xs = Vec::new();
    for (&x, to) in d.operands.iter().zip(&shapes) {
        xs.push(reshaped(a, o, x, to)?);
    }
    a.make(o, Op::DotGeneral(Einsum { operands, result, to: e.to }), &xs)
}

fn reshape_broadcast(a: &mut Algebra<'_>, o: OpId, dims: &[usize], d: &OpData, shape: &[u64]) -> Option<ValueId> {
    let (from, x) = (a.shape(d.results[0]).to_vec(), d.operands[0]);
    let inner = a.shape(x).to_vec();
    let (mut to, mut kept) = (Vec::new(), Vec::new());
    for (f, t) in dim_groups(&from, shape) {
        let has = |i: &usize| dims.iter().position(|k| k == i).is_some_and(|p| inner[p] == from[*i]);
        let none = |i: &usize| !dims.contains(i);
        if f.iter().all(has) {
            to.extend(t.iter().map(|&j| shape[j]));
            kept.extend(t);
        } else if !f.iter().all(none) {
            return None;
        }
    }
    let y = reshaped(a, o, x, &to)?;
    a.make(o, Op::Broadcast { shape: shape.to_vec(), dims: kept }, &[y])
}

fn broadcast_elementwise(a: &mut Algebra<'_>, o: OpId) {
    let d = a.op(o).clone();
    if !d.op.is_elementwise() || !a.first("broadcast-elementwise", o, o) {
        return;
    }
    let result = a.shape(d.results[0]).to_vec();
    let spread = |x: ValueId| {
        a.defined_by(x, |d| match &d.op {
            Op::Broadcast { dims, .. } => Some((d.operands[0], dims.clone())),
            _ => None,
        })
    };
    let all: Vec<Option<(ValueId, Vec<usize>)>> =
        d.operands.iter().map(|&x| if a.splat(x).is_some() { None } else { spread(x) }).collect();
    let Some((first, dims)) = all.iter().flatten().next().cloned() else { return };
    let shape = a.shape(first).to_vec();
    let alike = d.operands.iter().zip(&all).all(|(&x, s)| match s {
        Some((y, k)) => *k == dims && a.shape(*y) == shape,
        None => a.splat(x).is_some(),
    });
    if !alike || shape.iter().product::<u64>() >= result.iter().product() {
        return;
    }
    let mut xs = Vec::new();
    for (&x, s) in d.operands.iter().zip(&all) {
        let y = match (s, a.splat(x)) {
            (Some((y, _)), _) => Some(*y),
            (None, Some(value)) => a.make(o, Op::Constant { dtype: a.ty(x).dtype, shape: shape.clone(), value }, &[]),
            (None, None) => None,
        };
        xs.extend(y);
    }
    let inner = a.make(o, d.op.clone(), &xs);
    let form = inner.and_then(|v| a.make(o, Op::Broadcast { shape: result, dims }, &[v]));
    a.equate(o, form, law::ELEMENTWISE);
}

fn gather_elementwise(a: &mut Algebra<'_>, o: OpId) {
    let d = a.op(o).clone();
    let (outer_gathers, operand) = match &d.op {
        Op::Gather { .. } => (true, d.operands[0]),
        op if op.is_elementwise() && d.operands.len() == 1 => (false, d.operands[0]),
        _ => return,
    };
    for m in a.definitions(operand) {
        let inner = a.op(m).clone();
        let form = match &inner.op {
            op if op.is_elementwise() && outer_gathers && inner.operands.len() == 1 => {
                let (rows, table) = (a.ty(d.results[0]).elements(), a.ty(operand).elements());
                if rows > table || !a.first("gather-elementwise", o, m) {
                    continue;
                }
                let rows = a.make(o, d.op.clone(), &[inner.operands[0], d.operands[1]]);
                rows.and_then(|v| a.make(o, inner.op.clone(), &[v]))
            }
            Op::Gather { .. } if !outer_gathers => {
                let (rows, table) = (a.ty(operand).elements(), a.ty(inner.operands[0]).elements());
                if table >= rows || !a.first("gather-elementwise", o, m) {
                    continue;
                }
                let table = a.make(o, d.op.clone(), &[inner.operands[0]]);
                table.and_then(|v| a.make(o, inner.op.clone(), &[v, inner.operands[1]]))
            }
            _ => continue,
        };
        a.equate(o, form, law::ELEMENTWISE);
    }
}

fn convert(a: &mut Algebra<'_>, o: OpId) {
    let Op::Convert { to } = a.op(o).op else { return };
    for m in a.definitions(a.op(o).operands[0]) {
        let Op::Convert { to: middle } = a.op(m).op else { continue };
        let x = a.op(m).operands[0];
        if a.ty(x).dtype.widens_to(middle) && a.first("convert", o, m) {
            let form = a.make(o, Op::Convert { to }, &[x]);
            a.equate(o, form, law::CONVERT);
        }
    }
}
