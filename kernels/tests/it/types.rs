//! Types that are stored and not computed in, and integers of other widths: conversions bit by bit, and each kernel family on 16-bit
//! operands.

use crate::support;
use crate::support::{Case, Rng, check};
use half::{bf16, f16};
use meshloom_kernels::contraction::Contraction;
use meshloom_kernels::reference::store;
use meshloom_kernels::spec::{Scan, ScatterRows, TopK};
use meshloom_kernels::{Access, Body, Comparison, DType, Elem, Fused, KernelSpec, Node, NodeId, Reduction};

fn access(buffer: u32, strides: &[i64]) -> Access {
    Access::new(buffer, strides)
}

/// A map over one dim: each leaf in the type that it is computed in, then `f`, then a conversion to the output's type.
fn map(from: &[DType], to: DType, n: u64, f: impl Fn(&mut Body, &[NodeId]) -> NodeId) -> KernelSpec {
    let mut b = Body::new(&[from, &[to]].concat());
    let mut args = Vec::new();
    for (i, d) in from.iter().enumerate() {
        let x = b.leaf(access(i as u32, &[1]));
        args.push(b.convert(x, d.computed()));
    }
    let y = f(&mut b, &args);
    let y = b.convert(y, to);
    b.output(y, access(from.len() as u32, &[1]));
    KernelSpec::Fused(Fused::new(&[n], b))
}

fn case(spec: KernelSpec, buffers: Vec<Vec<f64>>) -> Case {
    Case { spec, buffers, dims: Vec::new(), ulps: 0.0 }
}

/// Every 16-bit pattern to f32 and back, and f32 values around the middles between neighbours: no bit may differ.
#[test]
pub fn every_sixteen_bit_number_converts() {
    let mut cases = Vec::new();
    for dtype in [DType::BF16, DType::F16] {
        let wide = |bits: u16| match dtype {
            DType::BF16 => f64::from(bf16::from_bits(bits).to_f32()),
            _ => f64::from(f16::from_bits(bits).to_f32()),
        };
        let all: Vec<f64> = (0..=u16::MAX).map(wide).collect();
        let n = all.len();
        cases.push(case(map(&[dtype], DType::F32, n as u64, |_, x| x[0]), vec![all.clone(), vec![0.0; n]]));
        // Between each number and the next one: the middle, and the f32 on either side of it.
        for off in [-1i32, 0, 1] {
            let between = |i: usize| {
                let (x, y) = (all[i] as f32, all[(i + 1) % n] as f32);
                let middle = if x.is_finite() && y.is_finite() { x / 2.0 + y / 2.0 } else { x };
                f64::from(f32::from_bits(middle.to_bits().wrapping_add_signed(off)))
            };
            let values: Vec<f64> = (0..n).map(between).collect();
            let spec = map(&[DType::F32], dtype, n as u64, |_, x| x[0]);
            cases.push(case(spec, vec![values, vec![0.0; n]]));
        }
    }
    exact(&cases);
}

/// Every byte to f32 and back, and f32 values around the middles between neighbours, the largest and the smallest.
#[test]
pub fn every_eight_bit_number_converts() {
    let mut cases = Vec::new();
    for dtype in [DType::F8E4M3, DType::F8E5M2] {
        let all: Vec<f64> = (0..=u8::MAX).map(|b| support::of_bits(dtype, b)).collect();
        assert!(all.iter().all(|&x| x.is_nan() || store(dtype, x).to_bits() == x.to_bits()));
        let n = all.len();
        for to in [DType::F32, DType::BF16, dtype] {
            cases.push(case(map(&[dtype], to, n as u64, |_, x| x[0]), vec![all.clone(), vec![0.0; n]]));
        }
        let mut values: Vec<f64> = Vec::new();
        for i in 0..n {
            let (x, y) = (all[i] as f32, all[(i + 1) % n] as f32);
            let middle = if x.is_finite() && y.is_finite() { x / 2.0 + y / 2.0 } else { x };
            values
                .extend([-1i32, 0, 1].map(|off| f64::from(f32::from_bits(middle.to_bits().wrapping_add_signed(off)))));
        }
        for x in [
            448.0f32,
            464.0,
            480.0,
            57344.0,
            61440.0,
            65536.0,
            f32::MAX,
            f32::INFINITY,
            f32::NAN,
            1e-30,
            f32::MIN_POSITIVE,
            1e-45,
        ] {
            let near = [-1i32, 0, 1].map(|off| f64::from(f32::from_bits(x.to_bits().wrapping_add_signed(off))));
            values.extend(near.iter().flat_map(|x| [*x, -x]));
        }
        let spec = map(&[DType::F32], dtype, values.len() as u64, |_, x| x[0]);
        let zeros = vec![0.0; values.len()];
        cases.push(case(spec, vec![values, zeros]));
    }
    exact(&cases);
}

/// As `check`, without the step that close calls of rounding are allowed elsewhere.
fn exact(cases: &[Case]) {
    if support::carry::carry(cases, &support::expected(cases)) {
        return;
    }
    for target in support::targets() {
        let specs: Vec<KernelSpec> = cases.iter().map(|c| c.spec.clone()).collect();
        let library = support::Library::new(&specs, target);
        for (case, &f) in cases.iter().zip(&library.functions) {
            let mut expected = case.buffers.clone();
            case.spec.reference(&mut expected, &[]);
            let got = case.run(f, &[(0, case.spec.units())]);
            for (at, (g, w)) in got[1].values().iter().zip(&expected[1]).enumerate() {
                let same = g.to_bits() == w.to_bits() || (g.is_nan() && w.is_nan());
                assert!(same, "{target:?}: [{at}] of {} is {g}, not {w}\n{}", case.buffers[0][at], case.spec);
            }
        }
    }
}

/// Floats around the ends of every integer type, infinities and NaN: the nearest integer, and 0.
#[test]
pub fn floats_out_of_range_saturate() {
    let ends = [7, 8, 15, 16, 31, 32, 53, 62, 63, 64, 100].map(|bits| f64::powi(2.0, bits));
    let mut values = vec![0.0, -0.0, f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 300.2, -3.7, -0.9, 1e9];
    for end in ends {
        let near = [-1i32, 0, 1].map(|off| f64::from(f32::from_bits((end as f32).to_bits().wrapping_add_signed(off))));
        let more = [-1.5, -1.0, -0.5, 0.5, 1.0].map(|x| end + x);
        values.extend(near.iter().chain(&more).flat_map(|&x| [x, -x]));
    }
    let mut cases = Vec::new();
    for from in [DType::F32, DType::F64, DType::BF16, DType::F16, DType::F8E5M2] {
        let xs: Vec<f64> = values.iter().map(|&x| store(from, x)).collect();
        for to in [DType::I8, DType::U8, DType::U32, DType::I32, DType::I64] {
            let zeros = vec![0.0; xs.len()];
            cases.push(case(map(&[from], to, xs.len() as u64, |_, x| x[0]), vec![xs.clone(), zeros]));
        }
    }
    exact(&cases);
}

/// Ends of the 64-bit integers and neighbours of 2^53, which the reference does not hold: the results are Rust's.
#[test]
pub fn wide_integers_are_exact() {
    let ends = [i64::MIN, i64::MIN + 1, i64::MAX, i64::MAX - 1, (1 << 53) + 1, (1 << 53) - 1, -(1 << 53) - 1, -1];
    type Value = fn(i64, i64) -> i64;
    let of: [(Elem, Value); 9] = [
        (Elem::Add, i64::wrapping_add),
        (Elem::Subtract, i64::wrapping_sub),
        (Elem::Multiply, i64::wrapping_mul),
        (Elem::Maximum, i64::max),
        (Elem::Minimum, i64::min),
        (Elem::And, |x, y| x & y),
        (Elem::Or, |x, y| x | y),
        (Elem::Xor, |x, y| x ^ y),
        (Elem::Compare(Comparison::Lt), |x, y| i64::from(x < y)),
    ];
    // Enough for vectors and a rest.
    let small: Vec<f64> = (0..11).map(|i| f64::from(i - 5)).collect();
    let (mut cases, mut expected) = (Vec::new(), Vec::new());
    for (i, &first) in ends.iter().enumerate() {
        for (k, (op, by)) in of.iter().enumerate() {
            let second = ends[(i + k) % ends.len()];
            let spec = map(&[DType::I64], DType::I64, small.len() as u64, |b, x| {
                let [first, second] = [first, second].map(|n| b.integer(DType::I64, n));
                let sum = b.elem(Elem::Add, &[x[0], first]);
                b.elem(*op, &[sum, second])
            });
            cases.push(case(spec, vec![small.clone(), vec![0.0; small.len()]]));
            expected.push(small.iter().map(|&x| by(first.wrapping_add(x as i64), second)).collect::<Vec<_>>());
        }
    }
    for target in support::targets() {
        let specs: Vec<KernelSpec> = cases.iter().map(|c| c.spec.clone()).collect();
        let library = support::Library::new(&specs, target);
        for ((case, want), &f) in cases.iter().zip(&expected).zip(&library.functions) {
            let got = case.run(f, &[(0, case.spec.units())]);
            let got: Vec<i64> = got[1].bytes().as_chunks().0.iter().map(|b| i64::from_ne_bytes(*b)).collect();
            assert_eq!(&got, want, "{target:?}\n{}", case.spec);
        }
    }
}

#[test]
pub fn integers_of_other_widths() {
    let mut rng = Rng(70);
    let mut cases = Vec::new();
    let n = 77;
    let wrapped = |b: &mut Body, x: NodeId, d: DType| {
        let x = b.convert(x, d);
        b.convert(x, d.computed())
    };
    for d in [DType::I64, DType::I8, DType::U8, DType::U32] {
        let large = |rng: &mut Rng| match d {
            DType::I64 => rng.below(1 << 40) as f64 - (1u64 << 39) as f64,
            DType::I8 => rng.below(1 << 8) as f64 - 128.0,
            DType::U8 => rng.below(1 << 8) as f64,
            _ => rng.below(1 << 32) as f64,
        };
        for op in [Elem::Add, Elem::Subtract, Elem::Maximum, Elem::Minimum, Elem::Divide, Elem::Remainder, Elem::Xor] {
            let spec = map(&[d, d], d, n, |b, x| {
                let y = b.elem(op, &[x[0], x[1]]);
                wrapped(b, y, d)
            });
            let values = |rng: &mut Rng| (0..n).map(|_| large(rng)).collect::<Vec<f64>>();
            let (x, mut y) = (values(&mut rng), values(&mut rng));
            y.iter_mut().for_each(|y| *y = if *y == 0.0 { 3.0 } else { *y });
            cases.push(case(spec, vec![x, y, vec![0.0; n as usize]]));
        }
        let less = map(&[d, d], DType::Bool, n, |b, x| b.elem(Elem::Compare(Comparison::Lt), x));
        let values: Vec<Vec<f64>> = (0..2).map(|_| (0..n).map(|_| large(&mut rng)).collect()).collect();
        cases.push(case(less, [values.clone(), vec![vec![0.0; n as usize]]].concat()));
        for to in DType::ALL {
            if matches!(to, DType::I32 | DType::F16 | DType::F8E4M3 | DType::F8E5M2) {
                continue; // too large for these, which is not what is asked here
            }
            cases.push(case(map(&[d], to, n, |_, x| x[0]), vec![values[0].clone(), vec![0.0; n as usize]]));
        }
    }
    check(&cases);
}

/// Sums of a row in f32, of values and to values of 16 bits.
#[test]
pub fn rows_and_copies() {
    let mut rng = Rng(71);
    let mut cases = Vec::new();
    for dtype in [DType::BF16, DType::F16] {
        for cols in [5u64, 64, 300] {
            let n = cols as i64;
            let mut b = Body::new(&[dtype, dtype, DType::F32]);
            let x = b.leaf(access(0, &[n, 1]));
            let x = b.convert(x, DType::F32);
            let sum = b.reduce(Reduction::Sum, x);
            let y = b.elem(Elem::Divide, &[x, sum]);
            let y = b.convert(y, dtype);
            b.output(y, access(1, &[n, 1]));
            b.output(sum, access(2, &[1, 0]));
            let mut c = Case::random(KernelSpec::Fused(Fused::new(&[7, cols], b)), &mut rng, &[], 64.0);
            c.buffers[0].iter_mut().for_each(|x| *x = store(dtype, x.abs() + 0.5));
            cases.push(c);
            let transposed = KernelSpec::copy(dtype, &[9, cols], access(0, &[1, 9]), access(1, &[n, 1]));
            cases.push(Case::random(transposed, &mut rng, &[], 0.0));
        }
        let rows = ScatterRows { dtype, rows: 3, cols: 37, update_stride: 37, out_stride: 37 };
        let buffers =
            vec![vec![4.0, 0.0, 2.0, 1.0, 3.0], vec![0.0, 3.0, 3.0, 5.0], rng.values(dtype, 5 * 37), vec![0.0; 3 * 37]];
        cases.push(case(KernelSpec::ScatterRows(rows), buffers));
        for (reverse, inner) in [(false, 1), (true, 40)] {
            let scan = Scan { dtype, kind: Reduction::Max, outer: 2, n: 9, inner, reverse, exclusive: false };
            cases.push(Case::random(KernelSpec::Scan(scan), &mut rng, &[], 1.0));
        }
        let top = TopK { dtype, rows: 3, n: 50, k: 7, largest: true, indices: false };
        cases.push(Case::random(KernelSpec::TopK(top), &mut rng, &[], 0.0));
    }
    check(&cases);
}

/// Integers that are computed in wider ones: what stands before the first is of the type itself.
#[test]
pub fn running_integers() {
    let mut rng = Rng(73);
    let mut cases = Vec::new();
    for dtype in [DType::I8, DType::U8, DType::U32] {
        for kind in [Reduction::Sum, Reduction::Max, Reduction::Min, Reduction::Prod] {
            for (exclusive, inner) in [(false, 1), (true, 1), (true, 40)] {
                let scan = Scan { dtype, kind, outer: 2, n: 9, inner, reverse: inner == 1, exclusive };
                cases.push(Case::random(KernelSpec::Scan(scan), &mut rng, &[], 0.0));
            }
        }
    }
    check(&cases);
}

/// Operands of 16 bits are packed as f32, results rounded once; long sums wait in a buffer of their own.
#[test]
pub fn contractions() {
    let mut rng = Rng(72);
    let mut cases = Vec::new();
    for dtype in [DType::BF16, DType::F16] {
        for (m, n, k) in [(8u64, 32u64, 16u64), (19, 45, 33), (9, 70, 600)] {
            let waits = k > meshloom_kernels::Matmul::K_BLOCK;
            let mut body = Body::new(&[DType::F32, DType::F32]);
            let acc = body.node(Node::Acc);
            if waits {
                let b = body.buffer(DType::F32);
                body.output(acc, access(b, &[n as i64, 1]));
            }
            let out = body.buffer(dtype);
            let y = body.elem(Elem::Tanh, &[acc]);
            let y = body.convert(y, dtype);
            body.output(y, access(out, &[n as i64, 1]));
            let l = Contraction {
                batch: vec![],
                m: vec![m],
                n: vec![n],
                k: vec![k],
                a: access(0, &[k as i64, 1]),
                b: access(1, &[1, n as i64]),
                stored: dtype,
                body,
            }
            .lower();
            assert!(l.packs.iter().all(Option::is_some), "16-bit operands are packed");
            for p in l.packs.into_iter().flatten() {
                let mut c = Case::random(KernelSpec::Pack(p), &mut rng, &[], 0.0);
                if let KernelSpec::Pack(p) = &c.spec {
                    c.buffers[p.panels as usize].truncate(p.elements() as usize);
                }
                cases.push(c);
            }
            cases.push(Case::random(KernelSpec::Matmul(l.matmul), &mut rng, &[], 16.0 + k as f64));
        }
    }
    check(&cases);
}
