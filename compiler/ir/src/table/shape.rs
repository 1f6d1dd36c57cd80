//! Ops that make or move elements without computing: constants, iota, broadcast, reshape, transpose, slice, pad,
//! concatenate, and `constrain`.

use super::{OpDef, arity, no_flops, same};
use crate::factor::{FactorKind, FactorRule, moves};
use crate::layout::Reduction;
use crate::op::Op;
use crate::tensor::{Tensor, for_each_index, strides};
use crate::types::{DType, Literal, TensorType};

macro_rules! attrs {
    ($op:expr, $pat:pat => $value:expr) => {
        match $op {
            $pat => $value,
            other => unreachable!("`{}` evaluated by another entry", other.name()),
        }
    };
}
pub(super) use attrs;

fn parallel(n: usize) -> Vec<FactorKind> {
    vec![FactorKind::Parallel; n]
}

fn each(rank: usize) -> Vec<Vec<usize>> {
    (0..rank).map(|d| vec![d]).collect()
}

pub static CONSTANT: OpDef = OpDef {
    infer: |op, xs| {
        arity(op, xs, 0)?;
        let (dtype, shape, value) = attrs!(op, Op::Constant { dtype, shape, value } => (*dtype, shape, value));
        let ty = TensorType::new(dtype, shape.clone());
        match value {
            Literal::Dense(v) if v.len() as u64 != ty.elements() => {
                Err(format!("{} values given for a constant of {} elements", v.len(), ty.elements()))
            }
            _ => Ok(ty),
        }
    },
    factors: |op, _, r| {
        let mut rule = FactorRule::elementwise(&r.shape, 0, Vec::new());
        if matches!(op, Op::Constant { value: Literal::Dense(_), .. }) {
            rule.kinds.fill(FactorKind::Blocked);
        }
        rule
    },
    localize: |op, l| {
        let (dtype, value) = attrs!(op, Op::Constant { dtype, value, .. } => (*dtype, value.clone()));
        Op::Constant { dtype, shape: l.result.shape.clone(), value }
    },
    grad: None,
    eval: |op, _, _| {
        let (dtype, shape, value) = attrs!(op, Op::Constant { dtype, shape, value } => (*dtype, shape, value));
        Tensor::literal(&TensorType::new(dtype, shape.clone()), value)
    },
    flops: no_flops,
};

pub static IOTA: OpDef = OpDef {
    infer: |op, xs| {
        arity(op, xs, 0)?;
        let (dtype, shape, dim) = attrs!(op, Op::Iota { dtype, shape, dim, .. } => (*dtype, shape, *dim));
        if dim >= shape.len() {
            return Err(format!("iota along dim {dim} of a value of rank {}", shape.len()));
        }
        Ok(TensorType::new(dtype, shape.clone()))
    },
    factors: |_, _, r| FactorRule::elementwise(&r.shape, 0, Vec::new()),
    localize: |op, l| {
        let (dtype, dim) = attrs!(op, Op::Iota { dtype, dim, .. } => (*dtype, *dim));
        let shard = l.assignment.factors.get(&dim).cloned().unwrap_or_default();
        Op::Iota { dtype, shape: l.result.shape.clone(), dim, shard }
    },
    grad: None,
    eval: |op, _, cx| {
        let (dtype, shape, dim, shard) =
            attrs!(op, Op::Iota { dtype, shape, dim, shard } => (*dtype, shape, *dim, shard));
        let start = cx.mesh.index_in(cx.device, shard) * shape[dim];
        let mut out = Vec::new();
        for_each_index(shape, |_, idx| out.push(start as i64 + idx[dim] as i64));
        if dtype.is_float() {
            Tensor::floats(dtype, shape, out.into_iter().map(|x| x as f64).collect())
        } else {
            Tensor::ints(dtype, shape, out)
        }
    },
    flops: no_flops,
};

pub static BROADCAST: OpDef = OpDef {
    infer: |op, xs| {
        arity(op, xs, 1)?;
        let (shape, dims) = attrs!(op, Op::Broadcast { shape, dims } => (shape, dims));
        if dims.len() != xs[0].rank() || !dims.is_sorted_by(|a, b| a < b) {
            return Err(format!("broadcast_in_dim maps {} dims of an operand of rank {}", dims.len(), xs[0].rank()));
        }
        for (i, &d) in dims.iter().enumerate() {
            let n = xs[0].shape[i];
            match shape.get(d) {
                Some(&m) if m == n || n == 1 => {}
                Some(&m) => {
                    return Err(format!("dim {i} of size {n} cannot be broadcast to size {m}"));
                }
                None => {
                    return Err(format!("dim {i} is mapped to dim {d} of a result of rank {}", shape.len()));
                }
            }
        }
        Ok(TensorType::new(xs[0].dtype, shape.clone()))
    },
    factors: |op, xs, r| {
        let dims = attrs!(op, Op::Broadcast { dims, .. } => dims);
        let mut rule = FactorRule::elementwise(&r.shape, 0, vec![vec![0]]).commuting_with(moves(xs[0].dtype, &[0]));
        // A dim of size 1 that is repeated is a factor of its own.
        let operand = (0..xs[0].rank())
            .map(|i| {
                if xs[0].shape[i] == r.shape[dims[i]] {
                    return vec![dims[i]];
                }
                rule.sizes.push(1);
                rule.kinds.push(FactorKind::Blocked);
                vec![rule.sizes.len() - 1]
            })
            .collect();
        rule.operands = vec![operand];
        rule
    },
    localize: |op, l| {
        let dims = attrs!(op, Op::Broadcast { dims, .. } => dims.clone());
        Op::Broadcast { shape: l.result.shape.clone(), dims }
    },
    grad: Some(|b, cx| {
        let dims = attrs!(cx.op, Op::Broadcast { dims, .. } => dims);
        let (from, to) = (b.shape(cx.operands[0]), b.shape(cx.ct));
        let summed: Vec<usize> =
            (0..to.len()).filter(|d| dims.iter().position(|x| x == d).is_none_or(|i| from[i] != to[*d])).collect();
        let s = b.reduce(Reduction::Sum, cx.ct, &summed);
        vec![Some(b.reshape(s, &from))]
    }),
    eval: |op, xs, _| {
        let (shape, dims) = attrs!(op, Op::Broadcast { shape, dims } => (shape, dims));
        let st = strides(&xs[0].ty.shape);
        xs[0].gather_by(shape, |idx| {
            Some(dims.iter().enumerate().map(|(i, &d)| if xs[0].ty.shape[i] == 1 { 0 } else { idx[d] * st[i] }).sum())
        })
    },
    flops: no_flops,
};

/// Splits two shapes of equal element count into common factors, major first. Where they do not line up the rest of the
/// group is blocked.
fn reshape_factors(dtype: DType, from: &[u64], to: &[u64]) -> FactorRule {
    let mut rule = FactorRule {
        sizes: Vec::new(),
        kinds: Vec::new(),
        operands: vec![vec![Vec::new(); from.len()]],
        results: vec![vec![Vec::new(); to.len()]],
        linear: vec![vec![0]],
        commuting: moves(dtype, &[0]),
    };
    let mut push = |size: u64, kind: FactorKind| {
        rule.sizes.push(size);
        rule.kinds.push(kind);
        rule.sizes.len() - 1
    };
    if from.contains(&0) || to.contains(&0) {
        for (i, &n) in from.iter().enumerate() {
            rule.operands[0][i].push(push(n, FactorKind::Blocked));
        }
        for (j, &n) in to.iter().enumerate() {
            rule.results[0][j].push(push(n, FactorKind::Blocked));
        }
        return rule;
    }
    let (mut i, mut j) = (0, 0);
    let (mut left, mut right) = (1u64, 1u64); // what is left of dims i-1 and j-1
    let mut aligned = true;
    loop {
        while left == 1 && i < from.len() {
            left = from[i];
            i += 1;
            if left == 1 {
                rule.operands[0][i - 1].push(push(1, FactorKind::Parallel));
            }
        }
        while right == 1 && j < to.len() {
            right = to[j];
            j += 1;
            if right == 1 {
                rule.results[0][j - 1].push(push(1, FactorKind::Parallel));
            }
        }
        if left == 1 && right == 1 {
            return rule;
        }
        let common = gcd(left, right);
        if aligned && (common == left || common == right) {
            let f = push(common, FactorKind::Parallel);
            rule.operands[0][i - 1].push(f);
            rule.results[0][j - 1].push(f);
            left /= common;
            right /= common;
            continue;
        }
        // Not nested: a common major factor is still one index, what follows is not.
        if aligned && common > 1 {
            let f = push(common, FactorKind::Parallel);
            rule.operands[0][i - 1].push(f);
            rule.results[0][j - 1].push(f);
            left /= common;
            right /= common;
        }
        aligned = false;
        if left > 1 {
            rule.operands[0][i - 1].push(push(left, FactorKind::Blocked));
            left = 1;
        }
        if right > 1 {
            rule.results[0][j - 1].push(push(right, FactorKind::Blocked));
            right = 1;
        }
    }
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

pub static RESHAPE: OpDef = OpDef {
    infer: |op, xs| {
        arity(op, xs, 1)?;
        let shape = attrs!(op, Op::Reshape { shape } => shape);
        let ty = TensorType::new(xs[0].dtype, shape.clone());
        if ty.elements() != xs[0].elements() {
            return Err(format!(
                "reshape of {} to {ty}: {} elements against {}",
                xs[0],
                xs[0].elements(),
                ty.elements()
            ));
        }
        Ok(ty)
    },
    factors: |_, xs, r| reshape_factors(r.dtype, &xs[0].shape, &r.shape),
    localize: |_, l| Op::Reshape { shape: l.result.shape.clone() },
    grad: Some(|b, cx| {
        let from = b.shape(cx.operands[0]);
        vec![Some(b.reshape(cx.ct, &from))]
    }),
    eval: |op, xs, _| {
        let shape = attrs!(op, Op::Reshape { shape } => shape);
        Tensor { ty: TensorType::new(xs[0].ty.dtype, shape.clone()), data: xs[0].data.clone() }
    },
    flops: no_flops,
};

pub static TRANSPOSE: OpDef = OpDef {
    infer: |op, xs| {
        arity(op, xs, 1)?;
        let perm = attrs!(op, Op::Transpose { perm } => perm);
        let mut sorted = perm.clone();
        sorted.sort_unstable();
        if !sorted.iter().copied().eq(0..xs[0].rank()) {
            return Err(format!("{perm:?} is not a permutation of the dims of {}", xs[0]));
        }
        Ok(TensorType::new(xs[0].dtype, perm.iter().map(|&p| xs[0].shape[p]).collect::<Vec<_>>()))
    },
    factors: |op, xs, _| {
        let perm = attrs!(op, Op::Transpose { perm } => perm);
        let mut rule = FactorRule::elementwise(&xs[0].shape, 1, vec![vec![0]]).commuting_with(moves(xs[0].dtype, &[0]));
        rule.results = vec![perm.iter().map(|&p| vec![p]).collect()];
        rule
    },
    localize: same,
    grad: Some(|b, cx| {
        let perm = attrs!(cx.op, Op::Transpose { perm } => perm);
        let mut inverse = vec![0; perm.len()];
        for (i, &p) in perm.iter().enumerate() {
            inverse[p] = i;
        }
        vec![Some(b.transpose(cx.ct, &inverse))]
    }),
    eval: |op, xs, _| {
        let perm = attrs!(op, Op::Transpose { perm } => perm);
        let st = strides(&xs[0].ty.shape);
        let shape: Vec<u64> = perm.iter().map(|&p| xs[0].ty.shape[p]).collect();
        xs[0].gather_by(&shape, |idx| Some(idx.iter().zip(perm).map(|(i, &p)| i * st[p]).sum()))
    },
    flops: no_flops,
};

/// Dims that an op leaves alone are shared factors; the others are blocked, one factor on each side.
fn resized(from: &TensorType, to: &TensorType, untouched: impl Fn(usize) -> bool) -> FactorRule {
    let from = &from.shape;
    let mut rule = FactorRule::elementwise(&to.shape, 0, vec![vec![0]]).commuting_with(moves(to.dtype, &[0]));
    let operand = (0..from.len())
        .map(|d| {
            if untouched(d) {
                return vec![d];
            }
            rule.kinds[d] = FactorKind::Blocked;
            rule.sizes.push(from[d]);
            rule.kinds.push(FactorKind::Blocked);
            vec![rule.sizes.len() - 1]
        })
        .collect();
    rule.operands = vec![operand];
    rule
}

pub static SLICE: OpDef = OpDef {
    infer: |op, xs| {
        arity(op, xs, 1)?;
        let (start, limit) = attrs!(op, Op::Slice { start, limit } => (start, limit));
        if start.len() != xs[0].rank() || limit.len() != xs[0].rank() {
            return Err(format!("slice gives {} ranges for a value of rank {}", start.len(), xs[0].rank()));
        }
        for (d, (&s, &l)) in start.iter().zip(limit).enumerate() {
            if s > l || l > xs[0].shape[d] {
                return Err(format!("slice {s}:{l} of dim {d}, which has size {}", xs[0].shape[d]));
            }
        }
        Ok(TensorType::new(xs[0].dtype, limit.iter().zip(start).map(|(l, s)| l - s).collect::<Vec<_>>()))
    },
    factors: |op, xs, r| {
        let start = attrs!(op, Op::Slice { start, .. } => start);
        resized(xs[0], r, |d| start[d] == 0 && r.shape[d] == xs[0].shape[d])
    },
    localize: |op, l| {
        let start = attrs!(op, Op::Slice { start, .. } => start.clone());
        let limit = start.iter().zip(&l.result.shape).map(|(s, n)| s + n).collect();
        Op::Slice { start, limit }
    },
    grad: Some(|b, cx| {
        let (start, limit) = attrs!(cx.op, Op::Slice { start, limit } => (start, limit));
        let from = b.shape(cx.operands[0]);
        let high = from.iter().zip(limit).map(|(n, l)| n - l).collect();
        vec![Some(b.op(Op::Pad { low: start.clone(), high }, &[cx.ct]))]
    }),
    eval: |op, xs, _| {
        let (start, limit) = attrs!(op, Op::Slice { start, limit } => (start, limit));
        let shape: Vec<u64> = limit.iter().zip(start).map(|(l, s)| l - s).collect();
        let st = strides(&xs[0].ty.shape);
        xs[0].gather_by(&shape, |idx| Some((0..idx.len()).map(|d| (idx[d] + start[d] as usize) * st[d]).sum()))
    },
    flops: no_flops,
};

pub static PAD: OpDef = OpDef {
    infer: |op, xs| {
        arity(op, xs, 1)?;
        let (low, high) = attrs!(op, Op::Pad { low, high } => (low, high));
        if low.len() != xs[0].rank() || high.len() != xs[0].rank() {
            return Err(format!("pad gives {} widths for a value of rank {}", low.len(), xs[0].rank()));
        }
        let shape: Vec<u64> =
            (0..low.len()).map(|d| xs[0].shape[d].saturating_add(low[d]).saturating_add(high[d])).collect();
        Ok(TensorType::new(xs[0].dtype, shape))
    },
    factors: |op, xs, r| {
        let (low, high) = attrs!(op, Op::Pad { low, high } => (low, high));
        resized(xs[0], r, |d| low[d] == 0 && high[d] == 0)
    },
    localize: same,
    grad: Some(|b, cx| {
        let low = attrs!(cx.op, Op::Pad { low, .. } => low.clone());
        let from = b.shape(cx.operands[0]);
        let limit = low.iter().zip(&from).map(|(l, n)| l + n).collect();
        vec![Some(b.op(Op::Slice { start: low, limit }, &[cx.ct]))]
    }),
    eval: |op, xs, _| {
        let (low, high) = attrs!(op, Op::Pad { low, high } => (low, high));
        let from = &xs[0].ty.shape;
        let shape: Vec<u64> = (0..low.len()).map(|d| from[d] + low[d] + high[d]).collect();
        let st = strides(from);
        xs[0].gather_by(&shape, |idx| {
            let mut flat = 0;
            for d in 0..idx.len() {
                let i = idx[d].checked_sub(low[d] as usize)?;
                if i >= from[d] as usize {
                    return None;
                }
                flat += i * st[d];
            }
            Some(flat)
        })
    },
    flops: no_flops,
};

pub static CONCATENATE: OpDef = OpDef {
    infer: |op, xs| {
        let dim = attrs!(op, Op::Concatenate { dim } => *dim);
        let first = xs.first().ok_or("concatenate needs at least one operand")?;
        if dim >= first.rank() {
            return Err(format!("concatenate along dim {dim} of values of rank {}", first.rank()));
        }
        let mut shape = first.shape.clone();
        for x in &xs[1..] {
            let fits = x.dtype == first.dtype
                && x.rank() == first.rank()
                && (0..x.rank()).all(|d| d == dim || x.shape[d] == first.shape[d]);
            if !fits {
                return Err(format!("{x} and {first} cannot be put together along dim {dim}"));
            }
            shape[dim] = shape[dim].saturating_add(x.shape[dim]);
        }
        Ok(TensorType::new(first.dtype, shape))
    },
    factors: |op, xs, r| {
        let dim = attrs!(op, Op::Concatenate { dim } => *dim);
        let mut rule = FactorRule::elementwise(&r.shape, xs.len(), vec![(0..xs.len()).collect()]);
        rule.commuting = moves(r.dtype, &(0..xs.len()).collect::<Vec<_>>());
        // The other parts are whole, and a maximum with itself is itself.
        let alone = (0..xs.len()).flat_map(|i| moves(r.dtype, &[i])).filter(|s| xs.len() > 1 && s.0.is_idempotent());
        rule.commuting.extend(alone);
        rule.kinds = parallel(r.rank());
        rule.kinds[dim] = FactorKind::Blocked;
        for (i, x) in xs.iter().enumerate() {
            rule.sizes.push(x.shape[dim]);
            rule.kinds.push(FactorKind::Blocked);
            rule.operands[i] = each(x.rank());
            rule.operands[i][dim] = vec![rule.sizes.len() - 1];
        }
        rule
    },
    localize: same,
    grad: Some(|b, cx| {
        let dim = attrs!(cx.op, Op::Concatenate { dim } => *dim);
        let mut at = 0;
        let mut out = Vec::new();
        for &x in cx.operands {
            let shape = b.shape(x);
            let mut start = vec![0; shape.len()];
            start[dim] = at;
            let limit = start.iter().zip(&shape).map(|(s, n)| s + n).collect();
            out.push(Some(b.op(Op::Slice { start, limit }, &[cx.ct])));
            at += shape[dim];
        }
        out
    }),
    eval: |op, xs, _| Tensor::concat(xs, attrs!(op, Op::Concatenate { dim } => *dim)),
    flops: no_flops,
};

/// Split over as many devices as the dim has entries, it is a shift between them; no other split is admitted.
pub static ROTATE: OpDef = OpDef {
    infer: |op, xs| {
        arity(op, xs, 1)?;
        let (dim, by) = attrs!(op, Op::Rotate { dim, by } => (*dim, *by));
        match xs[0].shape.get(dim) {
            Some(&n) if by < n.max(1) => Ok(xs[0].clone()),
            Some(n) => Err(format!("a dim of {n} entries rotated by {by}")),
            None => Err(format!("rotate along dim {dim} of a value of rank {}", xs[0].rank())),
        }
    },
    factors: |op, xs, _| {
        let dim = attrs!(op, Op::Rotate { dim, .. } => *dim);
        let mut rule = FactorRule::elementwise(&xs[0].shape, 1, vec![vec![0]]).commuting_with(moves(xs[0].dtype, &[0]));
        rule.kinds[dim] = FactorKind::Single;
        rule
    },
    localize: |op, l| {
        let (dim, by) = attrs!(op, Op::Rotate { dim, by } => (*dim, *by));
        match l.assignment.factors.get(&dim) {
            Some(axes) => Op::CollectiveShift { axes: axes.clone(), by },
            None => op.clone(),
        }
    },
    grad: Some(|b, cx| {
        let (dim, by) = attrs!(cx.op, Op::Rotate { dim, by } => (*dim, *by));
        let n = b.shape(cx.ct)[dim].max(1);
        vec![Some(b.op(Op::Rotate { dim, by: (n - by) % n }, &[cx.ct]))]
    }),
    eval: |op, xs, _| {
        let (dim, by) = attrs!(op, Op::Rotate { dim, by } => (*dim, *by as usize));
        let (shape, st) = (&xs[0].ty.shape, strides(&xs[0].ty.shape));
        let n = shape[dim] as usize;
        let place = |d: usize, i: usize| if d == dim { (i + n - by) % n } else { i };
        xs[0].gather_by(shape, |idx| Some(idx.iter().enumerate().map(|(d, &i)| place(d, i) * st[d]).sum()))
    },
    flops: no_flops,
};

pub static CONSTRAIN: OpDef = OpDef {
    infer: |op, xs| {
        arity(op, xs, 1)?;
        let c = attrs!(op, Op::Constrain(c) => c);
        if c.dims.len() != xs[0].rank() {
            return Err(format!("a layout of {} dims on a value of rank {}", c.dims.len(), xs[0].rank()));
        }
        Ok(xs[0].clone())
    },
    factors: |_, xs, _| {
        FactorRule::elementwise(&xs[0].shape, 1, vec![vec![0]]).commuting_with(moves(xs[0].dtype, &[0]))
    },
    localize: same,
    // The cotangent is pinned like the value: what the user said of an activation holds for its gradient. Not where the value is
    // one of copies, whose cotangents are still to be added.
    grad: Some(|b, cx| {
        let c = attrs!(cx.op, Op::Constrain(c) => c.clone());
        vec![Some(if c.partial.is_empty() && c.copies.is_empty() { b.op(Op::Constrain(c), &[cx.ct]) } else { cx.ct })]
    }),
    eval: |_, xs, _| xs[0].clone(),
    flops: no_flops,
};
