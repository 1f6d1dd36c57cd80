//! The trusted base of certificates, tested numerically: for every entry of the op table, every assignment that its factor
//! rule admits over up to two mesh axes (size 1 included) gives local ops that together compute the whole op. Operands that
//! the rule takes as partial are split into random parts. Dims that do not divide are padded with NaN or wild integers, and
//! with the identity only where the local form asks for it; what is said of a result's padding is looked up in it.

use crate::common::{assignments, close, split, ty};
use meshloom_ir::index_map::{At, IndexMap, Part};
use meshloom_ir::interp::collective;
use meshloom_ir::layout::Constraint;
use meshloom_ir::padding::{self, Padding};

use meshloom_ir::table::elem::{Sig, TABLE};
use meshloom_ir::table::{self, EvalCx, Local};
use meshloom_ir::tensor::for_each_index;
use meshloom_ir::types::{Literal, Scalar};
use meshloom_ir::{Axis, Class, DType, Einsum, Layout, Mesh, Op, Reduction, Tensor, TensorType, Window, interp};
use meshloom_random::{Rng, instances, tensor};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

const FLOAT: DType = DType::F64;
const INT: DType = DType::I32;

fn meshes() -> Vec<Mesh> {
    [vec![("a", 2), ("b", 2)], vec![("a", 2), ("b", 3), ("c", 1)], vec![("a", 1), ("b", 4)], vec![("a", 3), ("b", 2)]]
        .into_iter()
        .map(Mesh::new)
        .collect()
}

/// Checks one op; how many assignments over at least one axis it had.
fn check(rng: &mut Rng, op: &Op, types: &[TensorType], ints: (i64, i64), mesh: &Mesh) -> usize {
    let def = table::def(op).unwrap();
    let refs: Vec<&TensorType> = types.iter().collect();
    let result = table::infer(op, &refs).unwrap_or_else(|e| panic!("{op:?}: {e}"));
    let rule = (def.factors)(op, &refs, &result);
    let xs: Vec<Tensor> = types.iter().map(|t| tensor(rng, t, ints)).collect();
    let eval = |op: &Op, xs: &[&Tensor], device| (def.eval)(op, xs, &EvalCx { mesh, device });
    let whole = eval(op, &xs.iter().collect::<Vec<_>>(), 0);
    assert_eq!(whole.ty, result);
    let all = assignments(&rule, mesh);
    for a in &all {
        let place = || format!("{op:?} of {types:?} on {mesh} under {a:?}");
        let layout = rule.result_layout(a, 0);
        let local_shape = layout.local_shape(&result.shape, mesh).unwrap_or_else(|| panic!("{}", place()));
        let local_result = TensorType::new(result.dtype, local_shape);
        let local = (def.localize)(op, &Local { mesh, rule: &rule, assignment: a, result: &local_result });
        let mut shards: Vec<Vec<Tensor>> =
            xs.iter().enumerate().map(|(i, x)| split(rng, x, &rule.operand_layout(a, i), mesh)).collect();
        let mut known = vec![Padding::UNSPECIFIED; xs.len()];
        let mut mask = |i: usize, op: &Op, known: &mut Vec<Padding>| {
            known[i] = padding::after_move(op, &known[i], &shards[i][0].ty);
            shards[i] = masked(op, mesh, &shards[i]);
        };
        for (i, x) in xs.iter().enumerate() {
            let layout = rule.operand_layout(a, i);
            for dim in (0..x.ty.rank()).filter(|&d| layout.is_uneven(d, x.ty.shape[d], mesh)) {
                let (axes, size, kind) = (layout.dims[dim].clone(), x.ty.shape[dim], rng.pick(&KINDS));
                if rng.chance(50) {
                    mask(i, &Op::PadMask { axes, dim, size, kind }, &mut known);
                }
            }
        }
        for need in padding::needs(op, &rule, a, mesh) {
            if !known[need.operand].is_identity(need.dim, need.kind, xs[need.operand].ty.dtype) {
                mask(need.operand, &need.mask(), &mut known);
            }
        }
        // A dim that is rotated while every device has one entry of it is a shift between devices.
        let moves = local.collective_axes().is_some();
        let outs: Vec<Tensor> = if moves {
            masked(&local, mesh, &shards[0])
        } else {
            (0..mesh.devices())
                .map(|d| {
                    let xs: Vec<&Tensor> = shards.iter().map(|s| &s[d as usize]).collect();
                    let types: Vec<&TensorType> = xs.iter().map(|x| &x.ty).collect();
                    assert_eq!(table::infer(&local, &types).as_ref(), Ok(&local_result), "{}", place());
                    eval(&local, &xs, d)
                })
                .collect()
        };
        let together =
            interp::unshard_as(&result.shape, &outs, &layout, mesh).unwrap_or_else(|e| panic!("{}: {e}", place()));
        let operands: Vec<(&Padding, DType)> = known.iter().zip(&xs).map(|(k, x)| (k, x.ty.dtype)).collect();
        let after = padding::after_op(op, &rule, &operands, result.rank());
        for (d, out) in outs.iter().enumerate() {
            pads(out, &after, &layout, &result.shape, mesh, d as u64).unwrap_or_else(|e| panic!("{}: {e}", place()));
        }
        // Without partial values every element is computed as in the whole op.
        let tolerance = if layout.partial.is_empty() { 0.0 } else { types.iter().map(precision).fold(1e-12, f64::max) };
        close(&whole, &together, tolerance).unwrap_or_else(|e| panic!("{}: {e}", place()));
    }
    all.len() - 1
}

const KINDS: [Reduction; 6] = Reduction::ALL;

/// All devices' shards after a mask or a collective.
fn masked(op: &Op, mesh: &Mesh, shards: &[Tensor]) -> Vec<Tensor> {
    let shards: Vec<Rc<Tensor>> = shards.iter().map(|t| Rc::new(t.clone())).collect();
    collective::run(op, mesh, &shards, &mut collective::Wire::new(mesh.devices()))
}

/// That a shard's padding holds what is known of it.
fn pads(t: &Tensor, known: &Padding, layout: &Layout, shape: &[u64], mesh: &Mesh, device: u64) -> Result<(), String> {
    let mut wrong = Ok(());
    for dim in (0..shape.len()).filter(|&d| layout.is_uneven(d, shape[d], mesh)) {
        let Some(value) = known.holds(dim) else { continue };
        let start = mesh.index_in(device, &layout.dims[dim]) * t.ty.shape[dim];
        for_each_index(&t.ty.shape, |flat, idx| {
            if start + idx[dim] as u64 >= shape[dim] && t.f(flat) != value.as_f64() {
                wrong = Err(format!("device {device} has {} at {idx:?} for {value:?}", t.f(flat)));
            }
        });
    }
    wrong
}

/// How far sums of a few parts, each rounded to the operand's type, may be from the whole.
fn precision(ty: &TensorType) -> f64 {
    match ty.dtype {
        DType::F32 => 1e-6,
        DType::F16 => 0.01,
        DType::BF16 => 0.05,
        _ => 1e-12,
    }
}

/// Shapes of `rank` dims that the meshes divide more often than not.
fn shape(rng: &mut Rng, rank: usize) -> Vec<u64> {
    (0..rank).map(|_| rng.pick(&[1, 2, 3, 4, 5, 6, 7, 12])).collect()
}

/// Checks what `make` returns on every mesh, many times; every family must have been split somehow.
fn family(name: &str, rounds: usize, mut make: impl FnMut(&mut Rng) -> (Op, Vec<TensorType>)) {
    let mut split = 0;
    for (m, mesh) in meshes().iter().enumerate() {
        for round in 0..rounds {
            let mut rng = Rng::new((m * 1000 + round) as u64);
            let (op, types) = make(&mut rng);
            split += check(&mut rng, &op, &types, (-3, 9), mesh);
        }
    }
    assert!(split > 0, "`{name}` was never split");
}

/// The samples of every entry, so that no op goes without: split in every way that its rule admits. The tests below do the same
/// with random shapes and attributes.
#[test]
fn samples_follow_their_rules() {
    let mut split: BTreeMap<&str, usize> = BTreeMap::new();
    for (m, mesh) in meshes().iter().enumerate() {
        for (n, i) in instances().iter().enumerate() {
            let mut rng = Rng::new((m * 1000 + n) as u64);
            *split.entry(i.op.name()).or_default() += check(&mut rng, &i.op, &i.operands, (-3, 9), mesh);
        }
    }
    let never: Vec<_> = split.iter().filter(|s| *s.1 == 0).collect();
    assert!(never.is_empty() && split.len() > TABLE.len() + 15, "never split: {never:?}");
}

#[test]
fn elementwise() {
    for def in TABLE {
        let op = Op::elem(def.name).unwrap();
        let dtypes = match def.sig {
            Sig::Float => vec![FLOAT],
            Sig::Number => vec![FLOAT, INT, DType::I8, DType::U8],
            Sig::Compare => vec![FLOAT, INT, DType::Bool],
            Sig::Bits => vec![DType::Bool, INT],
            Sig::Integer if def.sees_upper_bits() => vec![INT, DType::U8],
            Sig::Integer => vec![INT, DType::I8, DType::U8],
            Sig::Test | Sig::ToBits => vec![FLOAT],
            Sig::OfBits => vec![INT],
            Sig::Select => vec![FLOAT, INT, DType::Bool],
        };
        for dtype in dtypes {
            family(def.name, 6, |rng| {
                let rank = rng.below(4).max(1);
                let s = shape(rng, rank);
                let mut types = vec![ty(dtype, &s); def.arity];
                if def.sig == Sig::Select {
                    types[0].dtype = DType::Bool;
                }
                (op.clone(), types)
            });
        }
    }
}

#[test]
fn convert() {
    for from in [FLOAT, DType::F32, DType::BF16, INT, DType::Bool, DType::I8, DType::U8] {
        for to in DType::ALL {
            family("convert", 3, |rng| (Op::Convert { to }, vec![ty(from, &shape(rng, 2))]));
        }
    }
}

/// Where converting is taken as linear, it is: both formats of 16 bits hold what the other does not.
#[test]
fn narrowing_is_not_linear() {
    for from in DType::ALL {
        for to in DType::ALL {
            let (op, x) = (Op::Convert { to }, ty(from, &[4]));
            let def = table::def(&op).unwrap();
            let linear = !(def.factors)(&op, &[&x], &ty(to, &[4])).linear.is_empty();
            let exact = from == to || (to.bytes() > from.bytes());
            assert_eq!(linear, from.is_float() && to.is_float() && exact, "{from} to {to}");
        }
    }
}

#[test]
fn constant() {
    for dtype in [FLOAT, INT] {
        family("constant", 6, |rng| {
            let shape = shape(rng, 2);
            (Op::Constant { dtype, shape, value: Literal::Splat(Scalar::of(dtype, 3.0)) }, vec![])
        });
    }
    // Every element given: the same on every device, so nothing is split.
    let value = Literal::Dense((0..4).map(Scalar::Int).collect());
    let op = Op::Constant { dtype: INT, shape: vec![4], value };
    assert_eq!(check(&mut Rng::new(0), &op, &[], (0, 1), &meshes()[0]), 0);
}

#[test]
fn iota() {
    for dtype in [FLOAT, INT] {
        family("iota", 12, |rng| {
            let shape = shape(rng, 3);
            (Op::Iota { dtype, shape, dim: rng.below(3), shard: vec![] }, vec![])
        });
    }
}

#[test]
fn broadcast() {
    family("broadcast_in_dim", 30, |rng| {
        let shape = shape(rng, 3);
        let dims: Vec<usize> = (0..3).filter(|_| rng.chance(60)).collect();
        let from: Vec<u64> = dims.iter().map(|&d| if rng.chance(30) { 1 } else { shape[d] }).collect();
        (Op::Broadcast { shape, dims }, vec![ty(FLOAT, &from)])
    });
}

#[test]
fn reshape() {
    let cases: &[(&[u64], &[u64])] = &[
        (&[4, 6], &[24]),
        (&[24], &[4, 6]),
        (&[12], &[2, 2, 3]),
        (&[2, 2, 3], &[12]),
        (&[4, 6], &[6, 4]),
        (&[6, 4], &[4, 6]),
        (&[4, 6], &[2, 12]),
        (&[2, 12], &[4, 6]),
        (&[8, 3, 4], &[8, 12]),
        (&[8, 12], &[8, 3, 4]),
        (&[8, 12], &[4, 2, 12]),
        (&[1, 4], &[4, 1]),
        (&[4, 1, 6], &[4, 6]),
        (&[4, 6], &[1, 4, 1, 6, 1]),
        (&[1], &[]),
        (&[], &[1, 1]),
        (&[3, 4, 2], &[6, 4]),
        (&[12, 12], &[144]),
        (&[144], &[12, 12]),
        (&[4, 9], &[6, 6]),
        (&[2, 3, 4], &[2, 3, 4]),
    ];
    for &(from, to) in cases {
        for (i, mesh) in meshes().iter().enumerate() {
            for dtype in [FLOAT, INT] {
                check(&mut Rng::new(i as u64), &Op::Reshape { shape: to.to_vec() }, &[ty(dtype, from)], (-3, 9), mesh);
            }
        }
    }
    // Random groupings of the same prime factors on both sides.
    family("reshape", 60, |rng| {
        let mut primes = vec![2, 2, 2, 3, 3];
        let mut group = || {
            rng.shuffle(&mut primes);
            let mut shape = vec![1u64; 1 + rng.below(4)];
            for &p in &primes {
                let d = rng.below(shape.len());
                shape[d] *= p;
            }
            shape
        };
        let (from, shape) = (group(), group());
        (Op::Reshape { shape }, vec![ty(FLOAT, &from)])
    });
}

#[test]
fn transpose() {
    family("transpose", 20, |rng| {
        let rank = rng.below(5);
        let mut perm: Vec<usize> = (0..rank).collect();
        rng.shuffle(&mut perm);
        (Op::Transpose { perm }, vec![ty(FLOAT, &shape(rng, rank))])
    });
}

#[test]
fn slice() {
    family("slice", 40, |rng| {
        let s = shape(rng, 3);
        let (mut start, mut limit) = (vec![0; 3], s.clone());
        for d in 0..3 {
            if rng.chance(40) {
                start[d] = rng.below(s[d] as usize + 1) as u64;
                limit[d] = start[d] + rng.below((s[d] - start[d]) as usize + 1) as u64;
            }
        }
        (Op::Slice { start, limit }, vec![ty(FLOAT, &s)])
    });
}

#[test]
fn pad() {
    family("pad", 40, |rng| {
        let mut width = || (0..3).map(|_| if rng.chance(60) { 0 } else { rng.below(4) as u64 }).collect();
        let (low, high) = (width(), width());
        (Op::Pad { low, high }, vec![ty(FLOAT, &shape(rng, 3))])
    });
}

#[test]
fn windows() {
    for dtype in [FLOAT, INT] {
        family("windows", 30, |rng| {
            let (dim, s) = (rng.below(3), shape(rng, 3));
            let mut one = |n| 1 + rng.below(n) as u64;
            let (size, stride, dilation) = (one(3), one(3), one(2));
            // Something is left to slide over.
            let (low, high) = (rng.below(5) as i64, rng.below(4) as i64 - (s[dim] as i64 - 1).min(1));
            let fill = Scalar::of(dtype, rng.below(2) as f64);
            (Op::Windows { dim, window: Window { size, stride, dilation, low, high, fill } }, vec![ty(dtype, &s)])
        });
    }
}

#[test]
fn reverse() {
    family("reverse", 20, |rng| (Op::Reverse { dim: rng.below(3) }, vec![ty(FLOAT, &shape(rng, 3))]));
}

#[test]
fn concatenate() {
    family("concatenate", 40, |rng| {
        let dim = rng.below(3);
        let base = shape(rng, 3);
        let types = (0..1 + rng.below(3))
            .map(|_| {
                let mut s = base.clone();
                s[dim] = shape(rng, 1)[0];
                ty(FLOAT, &s)
            })
            .collect();
        (Op::Concatenate { dim }, types)
    });
}

#[test]
fn dot_general() {
    for spec in [
        "ab,bc->ac",
        "ab,bc->ca",
        "ab,ab->",
        "ab,ab->ab",
        "ab,b->a",
        "a,b->ab",
        "a,b->",
        "abc,acd->abd",
        "abc,dbc->adb",
        "ab,cd->bd",
        ",a->a",
        ",->",
        "abcd,cdae->be",
        "ab,b->ba",
    ] {
        family(spec, 6, |rng| {
            let e = Einsum::parse(spec).unwrap();
            let sizes: Vec<u64> = (0..26).map(|_| rng.pick(&[1, 2, 3, 4, 5, 6, 7])).collect();
            let shape = |l: &[char]| l.iter().map(|&c| sizes[c as usize - 'a' as usize]).collect::<Vec<_>>();
            let types = e.operands.iter().map(|o| ty(FLOAT, &shape(o))).collect();
            (Op::DotGeneral(e), types)
        });
    }
}

#[test]
fn reduce() {
    for kind in KINDS {
        for dtype in [FLOAT, INT, DType::I8, DType::U8].into_iter().filter(|&d| kind.is_for(d)) {
            family("reduce", 15, |rng| {
                let dims = (0..3).filter(|_| rng.chance(50)).collect();
                (Op::Reduce { kind, dims }, vec![ty(dtype, &shape(rng, 3))])
            });
        }
    }
}

#[test]
fn cumulative() {
    for kind in KINDS {
        for dtype in [FLOAT, INT].into_iter().filter(|&d| kind.is_for(d)) {
            family("cumulative", 10, |rng| {
                let (dim, reverse, exclusive) = (rng.below(3), rng.chance(50), rng.chance(50));
                (Op::Cumulative { kind, dim, reverse, exclusive }, vec![ty(dtype, &shape(rng, 3))])
            });
        }
    }
}

#[test]
fn cumulative_log_sum_exp() {
    family("cumulative_log_sum_exp", 20, |rng| {
        let (dim, reverse) = (rng.below(3), rng.chance(50));
        (Op::CumLogSumExp { dim, reverse }, vec![ty(FLOAT, &shape(rng, 3))])
    });
}

#[test]
fn top_k() {
    for dtype in [FLOAT, INT, DType::I8, DType::U8] {
        family("top_k", 20, |rng| {
            let (dim, s) = (rng.below(3), shape(rng, 3));
            let k = 1 + rng.below(s[dim] as usize) as u64;
            (Op::TopK { dim, k, largest: rng.chance(50), indices: rng.chance(50) }, vec![ty(dtype, &s)])
        });
    }
}

#[test]
fn random_bits() {
    family("random_bits", 20, |rng| {
        let s = shape(rng, 3);
        (Op::RandomBits { shape: s.clone(), total: s, shard: vec![] }, vec![ty(INT, &[2])])
    });
}

#[test]
fn gather() {
    for dtype in [FLOAT, INT, DType::Bool] {
        family("gather", 25, |rng| {
            let (r, k) = (1 + rng.below(3), rng.below(3));
            // Indices from -3 to 9: some are clamped.
            (Op::Gather { shard: vec![], total: None }, vec![ty(dtype, &shape(rng, r)), ty(INT, &shape(rng, k))])
        });
    }
}

#[test]
fn scatter() {
    family("scatter", 40, |rng| {
        let k = rng.below(3);
        let indices = shape(rng, k);
        let row = rng.below(3);
        let updates: Vec<u64> = indices.iter().copied().chain(shape(rng, row)).collect();
        let rows = shape(rng, 1)[0];
        (Op::Scatter { rows, total: rows, shard: vec![] }, vec![ty(INT, &indices), ty(FLOAT, &updates)])
    });
}

#[test]
fn rotate() {
    family("rotate", 20, |rng| {
        let shape = shape(rng, 2);
        let dim = rng.below(2);
        let by = rng.below(shape[dim] as usize) as u64;
        (Op::Rotate { dim, by, mirror: rng.below(2) == 1 }, vec![ty(FLOAT, &shape)])
    });
}

#[test]
fn constrain() {
    family("constrain", 10, |rng| (Op::Constrain(Constraint::absent(2)), vec![ty(FLOAT, &shape(rng, 2))]));
}

/// The element of a result at `idx`, written out for each op that moves elements, from what docs/ir.md says of it.
fn written_out(op: &Op, xs: &[Tensor], result: &[u64], idx: &[usize]) -> f64 {
    let at = |x: &Tensor, i: &[i64]| -> Option<f64> {
        let mut flat = 0;
        for (&i, &n) in i.iter().zip(&x.ty.shape) {
            let inside = usize::try_from(i).ok().filter(|&i| i < n as usize)?;
            flat = flat * n as usize + inside;
        }
        Some(x.f(flat))
    };
    let mut i: Vec<i64> = idx.iter().map(|&i| i as i64).collect();
    let x = &xs[0];
    match op {
        Op::Constrain(_) => at(x, &i).unwrap(),
        Op::Broadcast { dims, .. } => {
            let own = |(&d, &n): (&usize, &u64)| if n == 1 { 0 } else { i[d] };
            at(x, &dims.iter().zip(&x.ty.shape).map(own).collect::<Vec<_>>()).unwrap()
        }
        Op::Reshape { .. } => x.f(idx.iter().zip(result).fold(0, |flat, (&i, &n)| flat * n as usize + i)),
        Op::Transpose { perm } => {
            let place = |d: usize| i[perm.iter().position(|&p| p == d).unwrap()];
            at(x, &(0..perm.len()).map(place).collect::<Vec<_>>()).unwrap()
        }
        Op::Slice { start, .. } => at(x, &i.iter().zip(start).map(|(i, &s)| i + s as i64).collect::<Vec<_>>()).unwrap(),
        Op::Pad { low, .. } => at(x, &i.iter().zip(low).map(|(i, &n)| i - n as i64).collect::<Vec<_>>()).unwrap_or(0.0),
        &Op::Concatenate { dim } => {
            for x in xs {
                match at(x, &i) {
                    Some(found) => return found,
                    None => i[dim] -= x.ty.shape[dim] as i64,
                }
            }
            unreachable!("behind the last operand")
        }
        &Op::Rotate { dim, by, mirror } => {
            // Entry `j` goes to place `j + by`, or `by - j`.
            let n = x.ty.shape[dim] as i64;
            let place = |j: i64| (by as i64 + if mirror { n - j } else { j }) % n;
            i[dim] = (0..n).find(|&j| place(j) == i[dim]).unwrap();
            at(x, &i).unwrap()
        }
        &Op::Reverse { dim } => {
            i[dim] = x.ty.shape[dim] as i64 - 1 - i[dim];
            at(x, &i).unwrap()
        }
        Op::Windows { dim, window: w } => {
            let place = i.remove(dim + 1);
            i[*dim] = i[*dim] * w.stride as i64 + place * w.dilation as i64 - w.low;
            at(x, &i).unwrap_or(w.fill.as_f64())
        }
        other => unreachable!("`{}` moves no elements", other.name()),
    }
}

/// Index maps say where elements come from: of every op that has one, element by element, and so that nothing else has one.
#[test]
fn index_maps_hold() {
    let mut rng = Rng::new(7);
    let mut met = BTreeSet::new();
    for i in instances() {
        let refs: Vec<&TensorType> = i.operands.iter().collect();
        let result = table::infer(&i.op, &refs).unwrap();
        let map = i.op.index_map(&refs, &result);
        let moves = matches!(i.op.class(), Class::View | Class::Pin | Class::Window | Class::Move);
        assert_eq!(map.is_some(), moves, "{:?}", i.op);
        let Some(map) = map else { continue };
        met.insert(i.op.name());
        let xs: Vec<Tensor> = i.operands.iter().map(|t| tensor(&mut rng, t, (-9, 9))).collect();
        let got = map.eval(&xs.iter().collect::<Vec<_>>(), &result);
        assert_eq!(got.ty, result);
        for_each_index(&result.shape, |flat, idx| {
            assert_eq!(got.f(flat), written_out(&i.op, &xs, &result.shape, idx), "{:?} at {idx:?}", i.op);
        });
    }
    assert_eq!(met.len(), 10, "{met:?}");
}

/// An op's form under a further leading dim does to every entry of that dim what the op does, and moves what the op moves.
#[test]
fn batches_hold() {
    const LEAD: usize = 3;
    let mut rng = Rng::new(8);
    let mut met = BTreeSet::new();
    let mesh = Mesh::default();
    let eval = |op: &Op, xs: &[Tensor]| {
        (op.entry().eval)(op, &xs.iter().collect::<Vec<_>>(), &EvalCx { mesh: &mesh, device: 0 })
    };
    let above = |t: &TensorType| TensorType::new(t.dtype, [&[LEAD as u64], &t.shape[..]].concat());
    for i in instances() {
        let Ok(batched) = (i.op.entry().batch)(&i.op, &[LEAD as u64]) else { continue };
        met.insert(i.op.name());
        let each: Vec<Vec<Tensor>> =
            (0..LEAD).map(|_| i.operands.iter().map(|t| tensor(&mut rng, t, (-9, 9))).collect()).collect();
        let stack = |k: usize| {
            let all = each.iter().map(|xs: &Vec<Tensor>| &xs[k]);
            let ty = above(&i.operands[k]);
            if ty.dtype.is_float() {
                Tensor::floats(ty.dtype, &ty.shape, all.flat_map(|x| (0..x.len()).map(|n| x.f(n))).collect())
            } else {
                Tensor::ints(ty.dtype, &ty.shape, all.flat_map(|x| (0..x.len()).map(|n| x.i(n))).collect())
            }
        };
        let stacked: Vec<Tensor> = (0..i.operands.len()).map(stack).collect();
        let got = eval(&batched, &stacked);
        for (n, xs) in each.iter().enumerate() {
            let one = eval(&i.op, xs);
            assert_eq!(got.ty, above(&one.ty), "{:?}", i.op);
            let equal = |k: usize| got.f(n * one.len() + k).to_bits() == one.f(k).to_bits();
            assert!((0..one.len()).all(equal), "{:?} under a further dim", i.op);
        }
        let refs: Vec<&TensorType> = i.operands.iter().collect();
        let result = table::infer(&i.op, &refs).unwrap();
        let above_refs: Vec<TensorType> = i.operands.iter().map(above).collect();
        let maps = (
            i.op.index_map(&refs, &result),
            batched.index_map(&above_refs.iter().collect::<Vec<_>>(), &above(&result)),
        );
        if let (Some(IndexMap::Affine { parts, fill }), there) = maps {
            let later = |at: &At| At { terms: at.terms.iter().map(|&(d, k)| (d + 1, k)).collect(), ..at.clone() };
            let lifted = parts.iter().map(|p| Part {
                operand: p.operand,
                at: [At::dim(0)].into_iter().chain(p.at.iter().map(later)).collect(),
            });
            assert_eq!(there, Some(IndexMap::Affine { parts: lifted.collect(), fill }), "{:?}", i.op);
        }
    }
    assert!(met.len() >= 12 && met.contains("top_k") && met.contains("windows"), "{met:?}");
}

/// The tests above name every op of the table.
#[test]
fn every_entry_is_tested() {
    let source = include_str!("rules.rs");
    // Every op with an entry of its own that one device computes by itself: the arms of `Op::entry`, read from its source.
    let declared = include_str!("../../src/op.rs");
    let arms = declared.split("pub fn entry(").nth(1).and_then(|t| t.split("Op::Composite").next()).unwrap();
    let arms: Vec<&str> = arms.lines().filter(|l| l.contains("=> &")).collect();
    assert!(arms.len() >= 21, "{arms:?}");
    for arm in arms {
        let op = arm.trim().trim_start_matches("Op::").split([' ', '(']).next().unwrap();
        assert!(op == "Elem" || source.matches(&format!("Op::{op}")).count() > 0, "`{op}` has no test here");
    }
    let names: BTreeSet<&str> = TABLE.iter().map(|d| d.name).collect();
    assert_eq!(names.len(), TABLE.len(), "an elementwise op stands twice");
}

/// A rule that is wrong is found: the test has teeth.
#[test]
fn wrong_rules_fail() {
    let mesh = Mesh::new([("a", 2)]);
    let op = Op::elem("tanh").unwrap();
    let x = ty(FLOAT, &[4]);
    let def = table::def(&op).unwrap();
    let mut rule = (def.factors)(&op, &[&x], &x);
    rule.linear = vec![vec![0]];
    let mut a = meshloom_ir::Assignment::default();
    a.linear.insert(Axis(0), 0);
    let mut rng = Rng::new(1);
    let t = tensor(&mut rng, &x, (0, 1));
    let parts = split(&mut rng, &t, &rule.operand_layout(&a, 0), &mesh);
    let cx = |device| EvalCx { mesh: &mesh, device };
    let outs: Vec<Tensor> = (0..2).map(|d| (def.eval)(&op, &[&parts[d as usize]], &cx(d))).collect();
    let together = interp::unshard(&outs, &rule.result_layout(&a, 0), &mesh).unwrap();
    assert!(close(&(def.eval)(&op, &[&t], &cx(0)), &together, 1e-12).is_err());
}

/// A dim that is cut at its end, or has zeros put there, is split where its blocks stay as long, and nowhere else.
#[test]
fn dims_of_another_length_are_split_in_equal_blocks() {
    let rng = &mut Rng::new(17);
    let meshes = meshes();
    let mut count = |op: &Op, n: u64| -> Vec<usize> {
        let types = [TensorType::new(FLOAT, vec![n, 2])];
        meshes.iter().map(|mesh| check(rng, op, &types, (-9, 9), mesh)).collect()
    };
    for (n, m) in [(8u64, 7u64), (8, 6), (7, 6), (12, 11), (6, 5), (9, 2), (24, 13)] {
        let blocks = |d: u64| n.div_ceil(d) == m.div_ceil(d);
        let cut = count(&Op::Slice { start: vec![0, 0], limit: vec![m, 2] }, n);
        let filled = count(&Op::Pad { low: vec![0, 0], high: vec![n - m, 0] }, m);
        let blocked = count(&Op::Slice { start: vec![1, 0], limit: vec![m + 1, 2] }, n);
        for (i, mesh) in meshes.iter().enumerate() {
            let sizes = mesh.axes.iter().map(|a| a.1);
            let alike = sizes.chain([mesh.devices()]).filter(|&d| d > 1).any(blocks);
            assert_eq!(alike, cut[i] > blocked[i], "{n} to {m} on {mesh}");
            assert_eq!(alike, filled[i] > blocked[i], "{m} to {n} on {mesh}");
        }
    }
}
