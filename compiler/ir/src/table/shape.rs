//! Ops that make or move elements without computing: constants, iota, broadcast, reshape, transpose, slice, pad,
//! concatenate, rotate, and `constrain`. What moves elements says where they come from ([`crate::index_map`]).

use super::{BASE, Class, Cost, FLOAT, INT, NO_TEXT, OpDef, Text, arity, attrs, lead};
use crate::factor::{FactorKind, FactorRule};
use crate::index_map::{At, IndexMap, Part};
use crate::layout::{Constraint, Reduction};
use crate::op::Op;
use crate::tensor::{Tensor, for_each_index};
use crate::text::{show_constraint, show_ranges, show_scalar, show_shard};
use crate::types::{DType, Literal, Scalar, TensorType};
use crate::verify::{MAX_ELEMENTS, MAX_RANK, check_axes, check_constraint, check_shape};

/// The entries of this family.
pub static ENTRIES: &[&OpDef] =
    &[&CONSTANT, &IOTA, &BROADCAST, &RESHAPE, &TRANSPOSE, &SLICE, &PAD, &CONCATENATE, &ROTATE, &CONSTRAIN];

pub static CONSTANT: OpDef = OpDef {
    name: "constant",
    class: Class::Source,
    text: Text {
        show: |op, _| {
            Some(match attrs!(op, Op::Constant { value, .. } => value) {
                Literal::Splat(x) => show_scalar(*x),
                Literal::Dense(xs) => {
                    let xs: Vec<String> = xs.iter().map(|&x| show_scalar(x)).collect();
                    format!("[{}]", xs.join(", "))
                }
            })
        },
        read: Some(|a| Ok(Op::Constant { dtype: DType::F32, shape: Vec::new(), value: a.literal()? })),
        complete: |op, ty| {
            if let Op::Constant { dtype, shape, .. } = op {
                (*dtype, *shape) = (ty.dtype, ty.shape.clone());
            }
        },
        ..NO_TEXT
    },
    check: |op, _| check_shape(attrs!(op, Op::Constant { shape, .. } => shape)),
    batch: |_, _| Err("it has no operands"),
    anchor: |op| matches!(op, Op::Constant { value: Literal::Dense(_), .. }),
    infer: |op, xs, _| {
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
    eval: |op, _, _| {
        let (dtype, shape, value) = attrs!(op, Op::Constant { dtype, shape, value } => (*dtype, shape, value));
        Tensor::literal(&TensorType::new(dtype, shape.clone()), value)
    },
    samples: |put| {
        put(Op::Constant { dtype: FLOAT, shape: vec![4, 6], value: Literal::Splat(Scalar::of(FLOAT, 3.0)) }, &[]);
        put(Op::Constant { dtype: INT, shape: vec![4], value: Literal::Dense((0..4).map(Scalar::Int).collect()) }, &[]);
    },
    ..BASE
};

pub static IOTA: OpDef = OpDef {
    name: "iota",
    class: Class::Source,
    text: Text {
        show: |op, mesh| {
            let (dim, shard) = attrs!(op, Op::Iota { dim, shard, .. } => (dim, shard));
            Some(format!("dim {dim}{}", show_shard(" ", shard, mesh)))
        },
        read: Some(|a| {
            Ok(Op::Iota { dtype: DType::F32, shape: Vec::new(), dim: a.keyed_dim("dim")?, shard: a.shard()? })
        }),
        complete: |op, ty| {
            if let Op::Iota { dtype, shape, .. } = op {
                (*dtype, *shape) = (ty.dtype, ty.shape.clone());
            }
        },
        ..NO_TEXT
    },
    check: |op, mesh| {
        let (shape, shard) = attrs!(op, Op::Iota { shape, shard, .. } => (shape, shard));
        check_shape(shape)?;
        check_axes(shard, mesh)
    },
    batch: |_, _| Err("it has no operands"),
    reads_device: |op| attrs!(op, Op::Iota { shard, .. } => !shard.is_empty()),
    infer: |op, xs, _| {
        arity(op, xs, 0)?;
        let (dtype, shape, dim) = attrs!(op, Op::Iota { dtype, shape, dim, .. } => (*dtype, shape, *dim));
        if dim >= shape.len() {
            return Err(format!("iota along dim {dim} of a value of rank {}", shape.len()));
        }
        Ok(TensorType::new(dtype, shape.clone()))
    },
    factors: |_, _, r| FactorRule::elementwise(&r.shape, 0, Vec::new()),
    localize: |op, l| {
        let (dtype, dim, shard) = attrs!(op, Op::Iota { dtype, dim, shard, .. } => (*dtype, *dim, shard));
        let shard = l.assignment.factors.get(&dim).unwrap_or(shard).clone();
        Op::Iota { dtype, shape: l.result.shape.clone(), dim, shard }
    },
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
    samples: |put| {
        for dim in 0..2 {
            put(Op::Iota { dtype: INT, shape: vec![4, 6], dim, shard: vec![] }, &[]);
        }
    },
    ..BASE
};

pub static BROADCAST: OpDef = OpDef {
    name: "broadcast_in_dim",
    class: Class::View,
    text: Text {
        show: |op, _| Some(format!("dims {:?}", attrs!(op, Op::Broadcast { dims, .. } => dims))),
        read: Some(|a| {
            a.c.expect_word("dims")?;
            Ok(Op::Broadcast { shape: Vec::new(), dims: a.dims()? })
        }),
        complete: |op, ty| {
            if let Op::Broadcast { shape, .. } = op {
                shape.clone_from(&ty.shape);
            }
        },
        ..NO_TEXT
    },
    check: |op, _| check_shape(attrs!(op, Op::Broadcast { shape, .. } => shape)),
    batch: |op, l| {
        let (shape, dims) = attrs!(op, Op::Broadcast { shape, dims } => (shape, dims));
        Ok(Op::Broadcast { shape: lead::with(l, shape), dims: lead::all(l, dims) })
    },
    map: Some(|op, xs, r| {
        let dims = attrs!(op, Op::Broadcast { dims, .. } => dims);
        let at = |(i, &d): (usize, &usize)| if xs[0].shape[i] == r.shape[d] { At::dim(d) } else { At::default() };
        IndexMap::of(dims.iter().enumerate().map(at).collect())
    }),
    infer: |op, xs, _| {
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
    samples: |put| {
        put(Op::Broadcast { shape: vec![4, 6, 3], dims: vec![1] }, &[(FLOAT, &[6])]);
        put(Op::Broadcast { shape: vec![4, 6, 3], dims: vec![0, 2] }, &[(FLOAT, &[4, 1])]);
    },
    ..BASE
};

pub static RESHAPE: OpDef = OpDef {
    name: "reshape",
    class: Class::View,
    text: Text {
        bare: Some(|_| Some(Op::Reshape { shape: Vec::new() })),
        complete: |op, ty| {
            if let Op::Reshape { shape } = op {
                shape.clone_from(&ty.shape);
            }
        },
        ..NO_TEXT
    },
    check: |op, _| check_shape(attrs!(op, Op::Reshape { shape } => shape)),
    batch: |op, l| Ok(Op::Reshape { shape: lead::with(l, attrs!(op, Op::Reshape { shape } => shape)) }),
    map: Some(|_, _, _| IndexMap::Flat),
    infer: |op, xs, _| {
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
    localize: |_, l| Op::Reshape { shape: l.result.shape.clone() },
    grad: Some(|b, cx| {
        let from = b.shape(cx.operands[0]);
        vec![Some(b.reshape(cx.ct, &from))]
    }),
    samples: |put| {
        let reshapes: [(&[u64], &[u64]); 4] =
            [(&[4, 6], &[24]), (&[24], &[4, 6]), (&[6, 4], &[3, 8]), (&[4, 5, 6], &[20, 6])];
        for (from, to) in reshapes {
            put(Op::Reshape { shape: to.to_vec() }, &[(FLOAT, from)]);
        }
    },
    ..BASE
};

pub static TRANSPOSE: OpDef = OpDef {
    name: "transpose",
    class: Class::View,
    text: Text {
        show: |op, _| Some(format!("{:?}", attrs!(op, Op::Transpose { perm } => perm))),
        read: Some(|a| Ok(Op::Transpose { perm: a.dims()? })),
        ..NO_TEXT
    },
    batch: |op, l| Ok(Op::Transpose { perm: lead::all(l, attrs!(op, Op::Transpose { perm } => perm)) }),
    map: Some(|op, _, _| {
        let perm = attrs!(op, Op::Transpose { perm } => perm);
        let mut at = vec![At::default(); perm.len()];
        for (d, &p) in perm.iter().enumerate() {
            at[p] = At::dim(d);
        }
        IndexMap::of(at)
    }),
    infer: |op, xs, _| {
        arity(op, xs, 1)?;
        let perm = attrs!(op, Op::Transpose { perm } => perm);
        let mut sorted = perm.clone();
        sorted.sort_unstable();
        if !sorted.iter().copied().eq(0..xs[0].rank()) {
            return Err(format!("{perm:?} is not a permutation of the dims of {}", xs[0]));
        }
        Ok(TensorType::new(xs[0].dtype, perm.iter().map(|&p| xs[0].shape[p]).collect::<Vec<_>>()))
    },
    grad: Some(|b, cx| {
        let perm = attrs!(cx.op, Op::Transpose { perm } => perm);
        let mut inverse = vec![0; perm.len()];
        for (i, &p) in perm.iter().enumerate() {
            inverse[p] = i;
        }
        vec![Some(b.transpose(cx.ct, &inverse))]
    }),
    samples: |put| put(Op::Transpose { perm: vec![2, 0, 1] }, &[(FLOAT, &[4, 6, 3])]),
    ..BASE
};

pub static SLICE: OpDef = OpDef {
    name: "slice",
    class: Class::View,
    text: Text {
        show: |op, _| {
            let (start, limit) = attrs!(op, Op::Slice { start, limit } => (start, limit));
            Some(show_ranges(start, limit))
        },
        read: Some(|a| {
            let (start, limit) = a.ranges()?;
            Ok(Op::Slice { start, limit })
        }),
        ..NO_TEXT
    },
    cost: Cost::Result,
    batch: |op, l| {
        let (start, limit) = attrs!(op, Op::Slice { start, limit } => (start, limit));
        Ok(Op::Slice { start: lead::zeros(l, start), limit: lead::with(l, limit) })
    },
    map: Some(|op, _, _| {
        let start = attrs!(op, Op::Slice { start, .. } => start);
        IndexMap::of(start.iter().enumerate().map(|(d, &s)| At::dim(d).shifted(s as i64)).collect())
    }),
    infer: |op, xs, _| {
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
    samples: |put| {
        put(Op::Slice { start: vec![0, 2], limit: vec![4, 6] }, &[(FLOAT, &[4, 6])]);
        put(Op::Slice { start: vec![0, 1], limit: vec![6, 4] }, &[(INT, &[6, 5])]);
    },
    ..BASE
};

pub static PAD: OpDef = OpDef {
    name: "pad",
    class: Class::Move,
    text: Text {
        show: |op, _| {
            let (low, high) = attrs!(op, Op::Pad { low, high } => (low, high));
            Some(show_ranges(low, high))
        },
        read: Some(|a| {
            let (low, high) = a.ranges()?;
            Ok(Op::Pad { low, high })
        }),
        ..NO_TEXT
    },
    check: |op, _| {
        let (low, high) = attrs!(op, Op::Pad { low, high } => (low, high));
        let fits = low.iter().chain(high).all(|&n| n <= MAX_ELEMENTS);
        fits.then_some(()).ok_or_else(|| "`pad` is too wide".into())
    },
    cost: Cost::Fused,
    batch: |op, l| {
        let (low, high) = attrs!(op, Op::Pad { low, high } => (low, high));
        Ok(Op::Pad { low: lead::zeros(l, low), high: lead::zeros(l, high) })
    },
    anchor: |_| true,
    // A device that has a block of the result already has the zeros of it, too.
    localize: |op, l| {
        let (low, high) = attrs!(op, Op::Pad { low, high } => (low.clone(), high));
        let split = |d: usize| l.rule.results[0][d].iter().any(|f| l.assignment.factors.contains_key(f));
        Op::Pad { low, high: high.iter().enumerate().map(|(d, &n)| if split(d) { 0 } else { n }).collect() }
    },
    map: Some(|op, xs, _| {
        let low = attrs!(op, Op::Pad { low, .. } => low);
        let at = low.iter().enumerate().map(|(d, &n)| At::dim(d).shifted(-(n as i64))).collect();
        let fill = Some(Scalar::of(xs[0].dtype, 0.0));
        IndexMap::Affine { parts: vec![Part { operand: 0, at }], fill }
    }),
    infer: |op, xs, _| {
        arity(op, xs, 1)?;
        let (low, high) = attrs!(op, Op::Pad { low, high } => (low, high));
        if low.len() != xs[0].rank() || high.len() != xs[0].rank() {
            return Err(format!("pad gives {} widths for a value of rank {}", low.len(), xs[0].rank()));
        }
        let shape: Vec<u64> =
            (0..low.len()).map(|d| xs[0].shape[d].saturating_add(low[d]).saturating_add(high[d])).collect();
        Ok(TensorType::new(xs[0].dtype, shape))
    },
    grad: Some(|b, cx| {
        let low = attrs!(cx.op, Op::Pad { low, .. } => low.clone());
        let from = b.shape(cx.operands[0]);
        let limit = low.iter().zip(&from).map(|(l, n)| l + n).collect();
        vec![Some(b.op(Op::Slice { start: low, limit }, &[cx.ct]))]
    }),
    samples: |put| put(Op::Pad { low: vec![0, 1], high: vec![0, 1] }, &[(FLOAT, &[6, 4])]),
    ..BASE
};

pub static CONCATENATE: OpDef = OpDef {
    name: "concatenate",
    class: Class::Move,
    text: Text {
        show: |op, _| Some(format!("dim {}", attrs!(op, Op::Concatenate { dim } => dim))),
        read: Some(|a| Ok(Op::Concatenate { dim: a.keyed_dim("dim")? })),
        ..NO_TEXT
    },
    cost: Cost::Fused,
    along: Some((|op| attrs!(op, Op::Concatenate { dim } => *dim), |_, dim| Op::Concatenate { dim })),
    anchor: |_| true,
    map: Some(|op, xs, _| {
        let dim = attrs!(op, Op::Concatenate { dim } => *dim);
        let mut start = 0;
        let part = |(operand, x): (usize, &&TensorType)| {
            let at = (0..x.rank()).map(|d| if d == dim { At::dim(d).shifted(-start) } else { At::dim(d) }).collect();
            start += x.shape[dim] as i64;
            Part { operand, at }
        };
        IndexMap::Affine { parts: xs.iter().enumerate().map(part).collect(), fill: None }
    }),
    infer: |op, xs, _| {
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
    samples: |put| put(Op::Concatenate { dim: 1 }, &[(FLOAT, &[4, 6]), (FLOAT, &[4, 2])]),
    ..BASE
};

/// Split over as many devices as the dim has entries, it is a shift between them; no other split is admitted.
pub static ROTATE: OpDef = OpDef {
    name: "rotate",
    class: Class::Move,
    text: Text {
        show: |op, _| {
            let (dim, by, mirror) = attrs!(op, Op::Rotate { dim, by, mirror } => (dim, by, *mirror));
            Some(format!("dim {dim} by {by}{}", if mirror { " mirror" } else { "" }))
        },
        read: Some(|a| {
            Ok(Op::Rotate { dim: a.keyed_dim("dim")?, by: a.keyed_size("by")?, mirror: a.c.eat_word("mirror") })
        }),
        ..NO_TEXT
    },
    cost: Cost::Fused,
    along: Some((
        |op| attrs!(op, Op::Rotate { dim, .. } => *dim),
        |op, dim| attrs!(op, &Op::Rotate { by, mirror, .. } => Op::Rotate { dim, by, mirror }),
    )),
    exchanges: true,
    map: Some(|op, xs, _| {
        let (dim, by, mirror) = attrs!(op, Op::Rotate { dim, by, mirror } => (*dim, *by as i64, *mirror));
        let (step, offset) = if mirror { (-1, by) } else { (1, -by) };
        let turned = At { terms: vec![(dim, step)], offset, around: true };
        IndexMap::of((0..xs[0].rank()).map(|d| if d == dim { turned.clone() } else { At::dim(d) }).collect())
    }),
    infer: |op, xs, _| {
        arity(op, xs, 1)?;
        let (dim, by) = attrs!(op, Op::Rotate { dim, by, .. } => (*dim, *by));
        match xs[0].shape.get(dim) {
            Some(&n) if by < n.max(1) => Ok(xs[0].clone()),
            Some(n) => Err(format!("a dim of {n} entries rotated by {by}")),
            None => Err(format!("rotate along dim {dim} of a value of rank {}", xs[0].rank())),
        }
    },
    localize: |op, l| {
        let (dim, by, mirror) = attrs!(op, Op::Rotate { dim, by, mirror } => (*dim, *by, *mirror));
        match l.assignment.factors.get(&dim) {
            Some(axes) => Op::CollectiveShift { axes: axes.clone(), by, mirror },
            None => op.clone(),
        }
    },
    grad: Some(|b, cx| {
        let (dim, by, mirror) = attrs!(cx.op, Op::Rotate { dim, by, mirror } => (*dim, *by, *mirror));
        let n = b.shape(cx.ct)[dim].max(1);
        // Entry `i` comes back from `by - i` by the same op.
        let by = if mirror { by } else { (n - by) % n };
        vec![Some(b.op(Op::Rotate { dim, by, mirror }, &[cx.ct]))]
    }),
    samples: |put| {
        put(Op::Rotate { dim: 0, by: 1, mirror: false }, &[(FLOAT, &[4, 6])]);
        put(Op::Rotate { dim: 1, by: 4, mirror: false }, &[(INT, &[5, 6])]);
        put(Op::Rotate { dim: 0, by: 3, mirror: true }, &[(FLOAT, &[4, 6])]);
        put(Op::Rotate { dim: 1, by: 2, mirror: true }, &[(INT, &[5, 6])]);
    },
    ..BASE
};

pub static CONSTRAIN: OpDef = OpDef {
    name: "constrain",
    class: Class::Pin,
    text: Text {
        show: |op, mesh| Some(show_constraint(attrs!(op, Op::Constrain(c) => c), mesh)),
        read: Some(|a| {
            if a.c.eat_word("absent") {
                let rank = a.c.number("a rank", MAX_RANK as u64)?;
                return Ok(Op::Constrain(Constraint::absent(rank as usize)));
            }
            Ok(Op::Constrain(a.constraint()?))
        }),
        ..NO_TEXT
    },
    check_operands: |op, xs, mesh| check_constraint(attrs!(op, Op::Constrain(c) => c), xs[0], mesh),
    map: Some(|_, xs, _| IndexMap::of((0..xs[0].rank()).map(At::dim).collect())),
    infer: |op, xs, _| {
        arity(op, xs, 1)?;
        let c = attrs!(op, Op::Constrain(c) => c);
        if c.dims.len() != xs[0].rank() {
            return Err(format!("a layout of {} dims on a value of rank {}", c.dims.len(), xs[0].rank()));
        }
        Ok(xs[0].clone())
    },
    // The cotangent is pinned like the value: what the user said of an activation holds for its gradient. Not where the value is
    // one of replicated values, whose cotangents are still to be added.
    grad: Some(|b, cx| {
        let c = attrs!(cx.op, Op::Constrain(c) => c.clone());
        vec![Some(if c.partial.is_empty() && c.replicated.is_empty() {
            b.op(Op::Constrain(c), &[cx.ct])
        } else {
            cx.ct
        })]
    }),
    samples: |put| put(Op::Constrain(Constraint::absent(2)), &[(FLOAT, &[4, 6])]),
    ..BASE
};
