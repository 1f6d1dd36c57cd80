//! Ops that combine elements: `dot_general` (an einsum of two operands) and `reduce`.

use super::{BASE, Class, Cost, FLOAT, GradCx, INT, NO_TEXT, OpDef, Text, arity, attrs, lead};
use crate::builder::Builder;
use crate::einsum::Einsum;
use crate::factor::{FactorKind, FactorRule};
use crate::graph::ValueId;
use crate::layout::Reduction;
use crate::mesh::Mesh;
use crate::op::Op;
use crate::tensor::{Data, Tensor, for_each_index, strides};
use crate::types::{DType, Scalar, TensorType};

/// The entries of this family.
pub static ENTRIES: &[&OpDef] = &[&DOT_GENERAL, &REDUCE];

fn spec(op: &Op) -> &Einsum {
    attrs!(op, Op::DotGeneral(e) => e)
}

/// Size of each subscript, or which dims disagree.
fn sizes(e: &Einsum, xs: &[&TensorType]) -> Result<Vec<(char, u64)>, String> {
    let mut sizes: Vec<(char, u64)> = Vec::new();
    for (subscripts, x) in e.operands.iter().zip(xs) {
        if subscripts.len() != x.rank() {
            return Err(format!("`{e}` names {} dims of an operand {x} of rank {}", subscripts.len(), x.rank()));
        }
        for (&c, &n) in subscripts.iter().zip(&x.shape) {
            match sizes.iter().find(|s| s.0 == c) {
                Some(&(_, m)) if m != n => {
                    return Err(format!("dim `{c}` of `{e}` is {m} in one operand and {n} in another"));
                }
                Some(_) => {}
                None => sizes.push((c, n)),
            }
        }
    }
    Ok(sizes)
}

fn size_of(sizes: &[(char, u64)], c: char) -> u64 {
    sizes.iter().find(|s| s.0 == c).map_or(1, |s| s.1)
}

fn infer(op: &Op, xs: &[&TensorType], _: &Mesh) -> Result<TensorType, String> {
    arity(op, xs, 2)?;
    let e = spec(op);
    if e.operands.len() != 2 {
        return Err(format!("`{e}` names {} operands; a dot_general has 2", e.operands.len()));
    }
    let sizes = sizes(e, xs)?;
    let shape = e.result.iter().map(|&c| size_of(&sizes, c)).collect::<Vec<_>>();
    // Integers of 8 bits, with or without a sign, are multiplied exactly.
    if xs.iter().all(|x| x.dtype.is_int8()) && e.to == Some(DType::I32) {
        let stays = |c: &char| e.result.contains(c) || e.operands.iter().all(|o| o.contains(c));
        return match e.operands.iter().flatten().copied().find(|c| !stays(c)) {
            // Summed before the product, as kernels do, the numbers would wrap.
            Some(c) => Err(format!("`{e}` sums dim `{c}` of one operand alone, which is for floats")),
            None => Ok(TensorType::new(DType::I32, shape)),
        };
    }
    // The two floats of 8 bits multiply each other: gradients have the wider exponents.
    let eight = xs.iter().all(|x| x.dtype.is_float8());
    let same = xs[0].dtype == xs[1].dtype || (eight && e.to.is_some());
    if !same || !xs[0].dtype.is_float() {
        return Err(format!(
            "dot_general needs two operands of one float type, or two integers of 8 bits that it sums to i32, not {} and {}",
            xs[0].dtype, xs[1].dtype
        ));
    }
    let from = xs[0].dtype;
    let to = e.to.unwrap_or(from);
    if to != from && !(to.is_float() && to.bytes() > from.bytes()) {
        return Err(format!("a dot_general of {from} cannot sum to {to}, which is no wider float"));
    }
    Ok(TensorType::new(to, shape))
}

fn factors(op: &Op, xs: &[&TensorType], _: &TensorType) -> FactorRule {
    let e = spec(op);
    let all = e.factors();
    let sizes = sizes(e, xs).expect("verified IR");
    let dims = |subscripts: &[char]| -> Vec<Vec<usize>> {
        subscripts.iter().map(|c| vec![all.iter().position(|f| f == c).expect("a subscript of the einsum")]).collect()
    };
    FactorRule {
        sizes: all.iter().map(|&c| size_of(&sizes, c)).collect(),
        kinds: all
            .iter()
            .map(|c| if e.result.contains(c) { FactorKind::Parallel } else { FactorKind::Reduced(Reduction::Sum) })
            .collect(),
        operands: e.operands.iter().map(|o| dims(o)).collect(),
        results: vec![dims(&e.result)],
        // Integers of 8 bits that add up to a whole one wrap; the i32 here do not wrap there.
        linear: if xs[0].dtype.is_float() { vec![vec![0], vec![1]] } else { Vec::new() },
        commuting: Vec::new(),
    }
}

/// Cotangent of operand `i`: the einsum of the result's cotangent with the other operand. A subscript that only operand `i`
/// has was summed there, so its gradient is the same along it.
fn operand_grad(b: &mut Builder, e: &Einsum, ct: ValueId, operands: &[ValueId], i: usize) -> ValueId {
    let (mine, other) = (&e.operands[i], &e.operands[1 - i]);
    let ct = if e.to.is_some() { b.convert(ct, b.ty(operands[i]).dtype) } else { ct };
    let known: Vec<char> = mine.iter().copied().filter(|c| e.result.contains(c) || other.contains(c)).collect();
    // Operand order as in the forward op: the weight stays on its side.
    let (spec, x, y) = if i == 0 {
        (Einsum::new(vec![e.result.clone(), other.clone()], known.clone()), ct, operands[1])
    } else {
        (Einsum::new(vec![other.clone(), e.result.clone()], known.clone()), operands[0], ct)
    };
    let d = b.dot(spec, x, y);
    if known.len() == mine.len() {
        return d;
    }
    let shape = b.shape(operands[i]);
    let dims: Vec<usize> = (0..mine.len()).filter(|&d| known.contains(&mine[d])).collect();
    b.broadcast(d, &shape, &dims)
}

/// Both operands are laid out as rows of the contracted subscripts, one row per index over the subscripts that they share with
/// the result; then every result element is the product of two rows.
fn eval(op: &Op, xs: &[&Tensor]) -> Tensor {
    let e = spec(op);
    let types = [&xs[0].ty, &xs[1].ty];
    let ty = infer(op, &types, &Mesh::default()).expect("verified IR");
    let all = sizes(e, &types).expect("verified IR");
    let shape_of = |subscripts: &[char]| -> Vec<u64> { subscripts.iter().map(|&c| size_of(&all, c)).collect() };
    let contracted = e.contracted();
    let width = shape_of(&contracted).iter().product::<u64>() as usize;
    let rows = [0, 1].map(|k| -> (Vec<char>, Tensor) {
        let kept: Vec<char> = e.result.iter().copied().filter(|c| e.operands[k].contains(c)).collect();
        let order: Vec<char> = kept.iter().chain(&contracted).copied().collect();
        let st = strides(&xs[k].ty.shape);
        // A contracted subscript of the other operand alone repeats this one's elements.
        let steps: Vec<usize> =
            order.iter().map(|c| e.operands[k].iter().position(|x| x == c).map_or(0, |d| st[d])).collect();
        let packed = xs[k].gather_by(&shape_of(&order), |idx| Some(idx.iter().zip(&steps).map(|(i, s)| i * s).sum()));
        (kept, packed)
    });
    // How far a step along each result dim moves in the rows of each operand.
    let steps: Vec<[usize; 2]> = e
        .result
        .iter()
        .map(|c| {
            [0, 1].map(|k| {
                let (kept, _) = &rows[k];
                let st = strides(&shape_of(kept));
                kept.iter().position(|x| x == c).map_or(0, |d| st[d] * width)
            })
        })
        .collect();
    match (&rows[0].1.data, &rows[1].1.data) {
        (Data::Float(a), Data::Float(b)) => {
            let mut out = vec![0.0; ty.elements() as usize];
            pairs_of_rows(&ty.shape, &steps, |flat, [x, y]| {
                for (p, q) in a[x..x + width].iter().zip(&b[y..y + width]) {
                    out[flat] += p * q;
                }
            });
            Tensor::floats(ty.dtype, &ty.shape, out)
        }
        (Data::Int(a), Data::Int(b)) => {
            let mut out = vec![0i64; ty.elements() as usize];
            pairs_of_rows(&ty.shape, &steps, |flat, [x, y]| {
                for (p, q) in a[x..x + width].iter().zip(&b[y..y + width]) {
                    out[flat] = out[flat].wrapping_add(p.wrapping_mul(*q));
                }
            });
            Tensor::ints(ty.dtype, &ty.shape, out)
        }
        _ => unreachable!("dot_general of floats or of integers, as the verifier saw to"),
    }
}

/// For each element of a result, where its rows begin.
fn pairs_of_rows(shape: &[u64], steps: &[[usize; 2]], mut each: impl FnMut(usize, [usize; 2])) {
    for_each_index(shape, |flat, idx| {
        let at = idx.iter().zip(steps).fold([0, 0], |[x, y], (i, [s, t])| [x + i * s, y + i * t]);
        each(flat, at);
    });
}

pub static DOT_GENERAL: OpDef = OpDef {
    name: "dot_general",
    class: Class::Contraction,
    accumulates: |_| true,
    text: Text {
        show: |op, _| {
            let e = spec(op);
            Some(e.to.map_or_else(|| e.to_string(), |to| format!("{e} to {to}")))
        },
        read: Some(|a| {
            let at = a.c.pos();
            let text = a.c.raw_until('}')?;
            let (subscripts, to) = match text.split_once(" to ") {
                None => (text, None),
                Some((subscripts, name)) => match DType::from_name(name.trim()) {
                    Some(to) => (subscripts, Some(to)),
                    None => return a.c.error_at(at, format!("`{}` is no element type", name.trim())),
                },
            };
            match Einsum::parse(subscripts) {
                Ok(e) => Ok(Op::DotGeneral(Einsum { to, ..e })),
                Err(message) => a.c.error_at(at, message),
            }
        }),
        ..NO_TEXT
    },
    check: |op, _| {
        let e = spec(op);
        match Einsum::parse(&e.to_string()) {
            Ok(same) if same.operands == e.operands && same.result == e.result => Ok(()),
            Ok(_) => Err(format!("`{e}` is not an einsum")),
            Err(m) => Err(m),
        }
    },
    cost: Cost::Kernel,
    anchor: |_| true,
    infer,
    factors,
    grad: Some(|b, cx| {
        let e = spec(cx.op).clone();
        (0..2).map(|i| Some(operand_grad(b, &e, cx.ct, cx.operands, i))).collect()
    }),
    eval: |op, xs, _| eval(op, xs),
    flops: |op, xs, _| {
        let s = sizes(spec(op), xs).unwrap_or_default();
        s.iter().fold(2u64, |n, x| n.saturating_mul(x.1))
    },
    samples: |put| {
        for spec in ["ab,bc->ac", "abc,acd->adb", "ab,ab->", "ab,b->ba", "a,b->ab"] {
            let Ok(e) = Einsum::parse(spec) else { continue };
            let sizes = |l: &[char]| l.iter().map(|&c| [4, 6, 5, 12][c as usize - 'a' as usize]).collect::<Vec<u64>>();
            let shapes: Vec<Vec<u64>> = e.operands.iter().map(|o| sizes(o)).collect();
            let operands: Vec<(DType, &[u64])> = shapes.iter().map(|s| (FLOAT, s.as_slice())).collect();
            put(Op::DotGeneral(e.clone()), &operands);
            for eight in [[DType::I8; 2], [DType::U8, DType::I8]] {
                let operands: Vec<(DType, &[u64])> = eight.into_iter().zip(shapes.iter().map(Vec::as_slice)).collect();
                put(Op::DotGeneral(Einsum { to: Some(DType::I32), ..e.clone() }), &operands);
            }
        }
    },
    ..BASE
};

fn reduce_attrs(op: &Op) -> (Reduction, &[usize]) {
    attrs!(op, Op::Reduce { kind, dims } => (*kind, dims.as_slice()))
}

/// The neutral element of a reduction over floats.
pub fn identity(kind: Reduction) -> f64 {
    match kind {
        Reduction::Sum | Reduction::Or => 0.0,
        Reduction::Prod => 1.0,
        Reduction::Max => f64::NEG_INFINITY,
        Reduction::Min => f64::INFINITY,
        Reduction::And => -1.0,
    }
}

/// What a sum over `dtype` does not change, to the last bit: of floats -0, since -0 and 0 are 0. Devices that have nothing of a
/// value that is moved by a sum have this.
pub fn nothing(dtype: DType) -> Scalar {
    Scalar::of(dtype, dtype.nothing())
}

/// The neutral element of a reduction over `dtype`: what masks put into padding.
pub fn identity_of(kind: Reduction, dtype: DType) -> Scalar {
    let Some(range) = dtype.range() else { return Scalar::float(identity(kind)) };
    let (least, most) = range.into_inner();
    match kind {
        Reduction::Sum | Reduction::Or => Scalar::Int(0),
        Reduction::Prod => Scalar::Int(1),
        Reduction::Max => Scalar::Int(least),
        Reduction::Min => Scalar::Int(most),
        // All bits: the largest of unsigned numbers, -1 of others.
        Reduction::And if least == 0 => Scalar::Int(most),
        Reduction::And => Scalar::Int(-1),
    }
}

/// One step of a reduction. NaN spreads through max and min, as in StableHLO.
pub fn combine(kind: Reduction, x: f64, y: f64) -> f64 {
    match kind {
        Reduction::Sum => x + y,
        Reduction::Prod => x * y,
        Reduction::And | Reduction::Or => combine_int(kind, x as i64, y as i64) as f64,
        _ if x.is_nan() || y.is_nan() => f64::NAN,
        // Of two zeros -0 is the smaller one, where `f64::max` may give either.
        Reduction::Max => [x, y][usize::from(x.total_cmp(&y).is_lt())],
        Reduction::Min => [x, y][usize::from(x.total_cmp(&y).is_gt())],
    }
}

/// One step of a reduction of integers.
pub fn combine_int(kind: Reduction, x: i64, y: i64) -> i64 {
    match kind {
        Reduction::Sum => x.wrapping_add(y),
        Reduction::Max => x.max(y),
        Reduction::Min => x.min(y),
        Reduction::Prod => x.wrapping_mul(y),
        Reduction::And => x & y,
        Reduction::Or => x | y,
    }
}

/// The gradient of a product over `dims`: to each element the product of the others. That is the product by the element where
/// none is 0; beside one 0 it is the product of all else for that one and 0 for the others; beside two it is 0. So it takes
/// reductions alone, which any dim may be split for.
fn product_gradient(b: &mut Builder, cx: &GradCx<'_>, dims: &[usize]) -> ValueId {
    let x = cx.operands[0];
    let (one, zero) = (b.constant_like(x, 1.0), b.constant_like(x, 0.0));
    let is_zero = b.elem("compare_eq", &[x, zero]);
    let ones = b.select(is_zero, one, zero);
    let zeros = b.reduce(Reduction::Sum, ones, dims);
    let zeros = b.unreduce(zeros, x, dims);
    let others = b.select(is_zero, one, x);
    let rest = b.reduce(Reduction::Prod, others, dims);
    let rest = b.unreduce(rest, x, dims);
    // The zeros beside this element.
    let beside = b.sub(zeros, ones);
    let alone = b.elem("compare_eq", &[beside, zero]);
    let share = b.div(rest, others);
    let ct = b.unreduce(cx.ct, x, dims);
    let g = b.mul(ct, share);
    b.select(alone, g, zero)
}

pub static REDUCE: OpDef = OpDef {
    name: "reduce",
    class: Class::Reduction,
    text: Text {
        show: |op, _| {
            let (kind, dims) = reduce_attrs(op);
            Some(format!("{} {dims:?}", kind.name()))
        },
        read: Some(|a| Ok(Op::Reduce { kind: a.reduction()?, dims: a.dims()? })),
        ..NO_TEXT
    },
    cost: Cost::Kernel,
    keeps_rounded: |op| matches!(reduce_attrs(op).0, Reduction::Max | Reduction::Min),
    adds: |op| reduce_attrs(op).0 == Reduction::Sum,
    batch: |op, l| {
        let (kind, dims) = reduce_attrs(op);
        Ok(Op::Reduce { kind, dims: lead::moved(l, dims) })
    },
    infer: |op, xs, _| {
        arity(op, xs, 1)?;
        let (kind, dims) = reduce_attrs(op);
        if !dims.is_sorted_by(|a, b| a < b) || dims.last().is_some_and(|&d| d >= xs[0].rank()) {
            return Err(format!("{dims:?} are not dims of {}", xs[0]));
        }
        if !kind.is_for(xs[0].dtype) {
            return Err(format!("reduce by {} is not for {}", kind.name(), xs[0].dtype));
        }
        let kept: Vec<u64> = (0..xs[0].rank()).filter(|d| !dims.contains(d)).map(|d| xs[0].shape[d]).collect();
        Ok(TensorType::new(xs[0].dtype, kept))
    },
    factors: |op, xs, _| {
        let (kind, dims) = reduce_attrs(op);
        let linear = if kind == Reduction::Sum { vec![vec![0]] } else { Vec::new() };
        // A maximum of maxima is one; a sum of maxima is not the maximum of sums.
        let commuting = if kind == Reduction::Sum { Vec::new() } else { vec![(kind, vec![0])] };
        let mut rule = FactorRule::elementwise(&xs[0].shape, 1, linear).commuting_with(commuting);
        for &d in dims {
            rule.kinds[d] = FactorKind::Reduced(kind);
        }
        rule.results = vec![(0..xs[0].rank()).filter(|d| !dims.contains(d)).map(|d| vec![d]).collect()];
        rule
    },
    grad: Some(|b, cx| {
        let (kind, dims) = reduce_attrs(cx.op);
        let (dims, x) = (dims.to_vec(), cx.operands[0]);
        let ct = b.unreduce(cx.ct, x, &dims);
        match kind {
            Reduction::Sum => return vec![Some(ct)],
            Reduction::Prod => return vec![Some(product_gradient(b, cx, &dims))],
            Reduction::And | Reduction::Or => return vec![None],
            Reduction::Max | Reduction::Min => {}
        }
        // The extreme elements share the cotangent equally.
        let y = b.unreduce(cx.result, x, &dims);
        let hit = b.elem("compare_eq", &[x, y]);
        let (one, zero) = (b.constant_like(x, 1.0), b.constant_like(x, 0.0));
        let hits = b.select(hit, one, zero);
        let count = b.reduce(Reduction::Sum, hits, &dims);
        let count = b.unreduce(count, x, &dims);
        let share = b.div(ct, count);
        vec![Some(b.select(hit, share, zero))]
    }),
    eval: |op, xs, _| {
        let (kind, dims) = reduce_attrs(op);
        let x = xs[0];
        let kept: Vec<usize> = (0..x.ty.rank()).filter(|d| !dims.contains(d)).collect();
        let shape: Vec<u64> = kept.iter().map(|&d| x.ty.shape[d]).collect();
        let out_strides = strides(&shape);
        let target = |idx: &[usize]| kept.iter().zip(&out_strides).map(|(&d, s)| idx[d] * s).sum::<usize>();
        let n = shape.iter().product::<u64>() as usize;
        match &x.data {
            Data::Float(v) => {
                let mut out = vec![identity(kind); n];
                for_each_index(&x.ty.shape, |flat, idx| {
                    let t = target(idx);
                    out[t] = combine(kind, out[t], v[flat]);
                });
                Tensor::floats(x.ty.dtype, &shape, out)
            }
            Data::Int(v) => {
                let mut out = vec![identity_of(kind, x.ty.dtype).as_i64(); n];
                for_each_index(&x.ty.shape, |flat, idx| {
                    let t = target(idx);
                    out[t] = combine_int(kind, out[t], v[flat]);
                });
                Tensor::ints(x.ty.dtype, &shape, out)
            }
        }
    },
    flops: |_, xs, _| xs[0].elements(),
    samples: |put| {
        for kind in [Reduction::And, Reduction::Or] {
            put(Op::Reduce { kind, dims: vec![0] }, &[(INT, &[6, 4])]);
        }
        for kind in [Reduction::Sum, Reduction::Max, Reduction::Min, Reduction::Prod] {
            for dims in [vec![0], vec![1], vec![0, 1]] {
                put(Op::Reduce { kind, dims }, &[(FLOAT, &[4, 6])]);
            }
            put(Op::Reduce { kind, dims: vec![1] }, &[(INT, &[6, 5, 4])]);
        }
    },
    ..BASE
};
