//! Row and column kernels against the reference: written-out ones as the scheduler makes them, and random bodies on random shapes.

use crate::support::{Case, Rng, check};
use meshloom_kernels::gpu::{GpuArch, Grid};
use meshloom_kernels::spec::{Column, Fused};
use meshloom_kernels::split::PartBuffer;
use meshloom_kernels::{Access, Body, Comparison, DType, Elem, KernelSpec, Node, NodeId, Reduction};

const SIZES: [u64; 18] = [1, 2, 3, 5, 7, 8, 9, 15, 16, 17, 24, 31, 33, 64, 65, 100, 129, 300];

fn access(buffer: u32, strides: &[i64]) -> Access {
    Access::new(buffer, strides)
}

fn fused(shape: &[u64], body: Body) -> KernelSpec {
    KernelSpec::Fused(Fused::new(shape, body))
}

pub fn layer_norm(dtype: DType, rows: u64, cols: u64) -> KernelSpec {
    let mut b = Body::new(&[dtype; 6]);
    let n = cols as i64;
    let (x, g, s) = (b.leaf(access(0, &[n, 1])), b.leaf(access(1, &[0, 1])), b.leaf(access(2, &[0, 1])));
    let (inverse, epsilon) = (b.constant(dtype, 1.0 / cols as f64), b.constant(dtype, 1e-5));
    let sum = b.reduce(Reduction::Sum, x);
    let mean = b.elem(Elem::Multiply, &[sum, inverse]);
    let d = b.elem(Elem::Subtract, &[x, mean]);
    let square = b.elem(Elem::Multiply, &[d, d]);
    let sum = b.reduce(Reduction::Sum, square);
    let variance = b.elem(Elem::Multiply, &[sum, inverse]);
    let variance = b.elem(Elem::Add, &[variance, epsilon]);
    let r = b.elem(Elem::Rsqrt, &[variance]);
    let y = b.elem(Elem::Multiply, &[d, r]);
    let y = b.elem(Elem::Multiply, &[y, g]);
    let y = b.elem(Elem::Add, &[y, s]);
    b.output(y, access(3, &[n, 1]));
    b.output(mean, access(4, &[1, 0]));
    b.output(r, access(5, &[1, 0]));
    fused(&[rows, cols], b)
}

/// Log-sum-exp and softmax; the exponential is needed twice and kept.
fn softmax(dtype: DType, rows: u64, cols: u64) -> KernelSpec {
    let mut b = Body::new(&[dtype; 3]);
    let n = cols as i64;
    let x = b.leaf(access(0, &[n, 1]));
    let max = b.reduce(Reduction::Max, x);
    let d = b.elem(Elem::Subtract, &[x, max]);
    let e = b.elem(Elem::Exponential, &[d]);
    let sum = b.reduce(Reduction::Sum, e);
    let y = b.elem(Elem::Divide, &[e, sum]);
    let log = b.elem(Elem::Log, &[sum]);
    let lse = b.elem(Elem::Add, &[log, max]);
    b.output(y, access(1, &[n, 1]));
    b.output(lse, access(2, &[1, 0]));
    fused(&[rows, cols], b)
}

#[test]
pub fn layer_norm_and_softmax() {
    let mut rng = Rng(1);
    let mut cases = Vec::new();
    for (rows, cols) in [(3, 256), (70, 65), (5, 16), (1, 7), (300, 1), (2, 1000)] {
        for dtype in [DType::F32, DType::F64] {
            cases.push(Case::random(layer_norm(dtype, rows, cols), &mut rng, &[], 400.0));
            cases.push(Case::random(softmax(dtype, rows, cols), &mut rng, &[], 32.0));
        }
    }
    assert!(cases[1].spec.scratch_bytes() > 0, "the exponential is kept");
    check(&cases);
}

#[test]
pub fn long_rows_are_split() {
    let mut rng = Rng(2);
    let mut cases = Vec::new();
    for shape in [vec![40_000], vec![3, 20_011]] {
        let mut b = Body::new(&[DType::F32, DType::F32, DType::F32]);
        let strides = |outer: i64| if shape.len() == 1 { vec![1] } else { vec![outer, 1] };
        // A row stride that keeps the dims apart.
        let (x, s) = (b.leaf(access(0, &strides(20_500))), b.leaf(access(1, &vec![0; shape.len()])));
        let y = b.elem(Elem::Multiply, &[x, s]);
        b.output(y, access(2, &strides(20_017)));
        let spec = fused(&shape, b);
        assert!(spec.units() > 3);
        cases.push(Case::random(spec, &mut rng, &[], 1.0));
    }
    check(&cases);
}

/// Rows of so many bytes that a block of the usual width would push them out of the cache between two passes.
#[test]
pub fn rows_of_many_bytes_have_wide_blocks() {
    let mut rng = Rng(5);
    let cases: Vec<Case> = [10_004, 20_012]
        .into_iter()
        .map(|cols| Case::random(softmax(DType::F32, 2, cols), &mut rng, &[], 64.0))
        .collect();
    let threads = cases.iter().map(|c| Grid::of(&c.spec, GpuArch::Sm90a, true).threads);
    assert_eq!(threads.collect::<Vec<_>>(), [512, 768]);
    check(&cases);
}

#[test]
pub fn copies_of_any_order() {
    let mut rng = Rng(3);
    let mut cases = Vec::new();
    for dtype in [DType::F32, DType::F64, DType::I32, DType::Bool] {
        for (shape, from, to) in [
            (vec![5, 7, 33], vec![231, 33, 1], vec![33, 165, 1]),
            (vec![20, 37], vec![37, 1], vec![1, 20]),
            (vec![20, 37], vec![1, 20], vec![37, 1]),
            (vec![4, 3, 2, 5], vec![30, 10, 5, 1], vec![1, 40, 20, 4]),
            (vec![9, 10], vec![40, 2], vec![30, 3]),
            (vec![1], vec![1], vec![1]),
        ] {
            let spec = KernelSpec::copy(dtype, &shape, access(0, &from).at(2), access(0, &to).at(1));
            cases.push(Case::random(spec, &mut rng, &[], 0.0));
        }
    }
    check(&cases);
}

#[test]
pub fn rows_of_tables() {
    let mut rng = Rng(4);
    let mut cases = Vec::new();
    for (tokens, width, sharded) in [(20, 32, false), (20, 33, true), (7, 5, true)] {
        // x[t] = table[index[t]] + position[t]
        let mut b = Body::new(&[DType::I32, DType::F32, DType::F32, DType::F32]);
        let w = width as i64;
        let i = b.leaf(access(0, &[1, 0]));
        let (rows, total) = if sharded { (4, Some((8, 0))) } else { (6, None) };
        let row = b.gather(access(1, &[0, 1]), i, w, rows, total);
        let p = b.leaf(access(2, &[w, 1]));
        let sum = b.elem(Elem::Add, &[row, p]);
        b.output(sum, access(3, &[w, 1]));
        let dims: &[i64] = if sharded { &[4] } else { &[] };
        let mut case = Case::random(fused(&[tokens, width], b), &mut rng, dims, 1.0);
        case.buffers[0].iter_mut().for_each(|i| *i = rng.below(12) as f64 - 2.0);
        cases.push(case);
        // 1 / table[index[t]]: what is missing here is -0, which a sum does not change.
        for table in [DType::F32, DType::F16, DType::BF16, DType::F8E4M3, DType::F8E5M2] {
            let mut b = Body::new(&[DType::I32, table, DType::F32]);
            let i = b.leaf(access(0, &[1, 0]));
            let row = b.gather(access(1, &[0, 1]), i, w, rows, total);
            let row = b.convert(row, DType::F32);
            let one = b.constant(DType::F32, 1.0);
            let over = b.elem(Elem::Divide, &[one, row]);
            b.output(over, access(2, &[w, 1]));
            let mut case = Case::random(fused(&[tokens, width], b), &mut rng, dims, 1.0);
            case.buffers[0].iter_mut().for_each(|i| *i = rng.below(12) as f64 - 2.0);
            cases.push(case);
        }
        // z[t, target[t]] for each t: the index varies along the vectorised dim.
        let mut b = Body::new(&[DType::I32, DType::F64, DType::F64]);
        let i = b.leaf(access(0, &[1]));
        let z = b.gather(access(1, &[w]), i, 1, width, None);
        b.output(z, access(2, &[1]));
        let mut case = Case::random(fused(&[tokens], b), &mut rng, &[], 0.0);
        case.buffers[0].iter_mut().for_each(|i| *i = rng.below(width) as f64);
        cases.push(case);
    }
    check(&cases);
}

#[test]
pub fn dims_of_the_launch() {
    let mut rng = Rng(5);
    // Keeps a copied value on the first device only, and reads a block that starts where the device's shard does.
    let mut b = Body::new(&[DType::F32, DType::F32]);
    let x = b.leaf(access(0, &[40, 1]).from_dim(1, 1));
    let (start, zero) = (b.node(Node::Dim { dim: 0 }), b.constant(DType::I32, 0.0));
    let first = b.elem(Elem::Compare(Comparison::Eq), &[start, zero]);
    let nothing = b.constant(DType::F32, 0.0);
    let y = b.elem(Elem::Select, &[first, x, nothing]);
    b.output(y, access(1, &[20, 1]));
    let spec = fused(&[6, 20], b);
    check(&[Case::random(spec.clone(), &mut rng, &[0, 20], 0.0), Case::random(spec, &mut rng, &[3, 0], 0.0)]);
}

/// Every elementwise operation on hard arguments.
#[test]
pub fn elementwise_operations() {
    let special: [f64; 16] =
        [0.0, -0.0, 1.0, -1.0, 0.5, -0.25, 2.0, 3.0, -3.0, 20.0, -20.0, 1e-3, 80.0, -80.0, 1e-6, 0.9];
    let mut cases = Vec::new();
    for dtype in [DType::F32, DType::F64, DType::I32, DType::Bool] {
        for op in Elem::ALL {
            if op == Elem::Convert || op == Elem::Threefry {
                continue;
            }
            let mut b = Body::new(&[dtype, dtype, DType::Bool, dtype]);
            let (x, y, c) = (b.leaf(access(0, &[1])), b.leaf(access(1, &[1])), b.leaf(access(2, &[1])));
            let args = if op == Elem::Select { vec![c, x, y] } else { [x, y][..op.arity()].to_vec() };
            let z = b.elem(op, &args);
            let out = b.dtype(z);
            b.buffers[3] = out;
            b.output(z, access(3, &[1]));
            let spec = fused(&[256], b);
            if spec.verify().is_err() {
                continue;
            }
            let mut rng = Rng(6);
            let ulps = if op == Elem::Power { 200.0 } else { 8.0 };
            let mut case = Case::random(spec, &mut rng, &[], ulps);
            for i in 0..256 {
                let (u, v) = (special[i / 16], special[i % 16]);
                let (u, v) = match (dtype, op) {
                    (DType::Bool, _) => (f64::from(u != 0.0), f64::from(v != 0.0)),
                    (DType::I32, _) => (u.trunc(), v.trunc()),
                    // Poles and branches are told apart by signs of zeros, which rounding to f32 keeps.
                    (_, Elem::Sine | Elem::Cosine) => (u * 37.5 + v, v),
                    // Results beyond f32 are not the question here.
                    (_, Elem::Power) => (u.clamp(-4.0, 4.0), v.clamp(-6.0, 6.0)),
                    _ => (u, v),
                };
                (case.buffers[0][i], case.buffers[1][i]) = (f64::from(u as f32), f64::from(v as f32));
                if dtype == DType::I32 && op == Elem::Divide && v == 0.0 {
                    case.buffers[1][i] = 1.0;
                }
            }
            cases.push(case);
        }
        for to in [DType::F32, DType::F64, DType::I32, DType::Bool] {
            let mut b = Body::new(&[dtype, to]);
            let x = b.leaf(access(0, &[1]));
            let y = b.convert(x, to);
            b.output(y, access(1, &[1]));
            cases.push(Case::random(fused(&[50], b), &mut Rng(7), &[], 1.0));
        }
    }
    check(&cases);
}

/// Angles of any size, and quotients of more digits than an f64 has: in a few lanes, in all of them, in the rest of a row.
#[test]
pub fn large_arguments() {
    let mut cases = Vec::new();
    for dtype in [DType::F32, DType::F64] {
        let most = if dtype == DType::F32 { 126 } else { 1022 };
        for op in [Elem::Sine, Elem::Cosine, Elem::Remainder] {
            for n in [3, 64, 77] {
                let mut b = Body::new(&vec![dtype; op.arity() + 1]);
                let args: Vec<NodeId> = (0..op.arity()).map(|i| b.leaf(access(i as u32, &[1]))).collect();
                let z = b.elem(op, &args);
                b.output(z, access(op.arity() as u32, &[1]));
                let mut rng = Rng(20 + n);
                let mut case = Case::random(fused(&[n], b), &mut rng, &[], 1.0);
                for x in case.buffers.iter_mut().take(op.arity()).flatten() {
                    let by = if n == 64 || rng.flip() { rng.below(2 * most) as i32 - most as i32 } else { 0 };
                    *x *= f64::powi(2.0, by);
                }
                cases.push(case);
            }
        }
    }
    check(&cases);
}

/// Two rows of the published test vectors, and a pattern of counters against the reference.
#[test]
pub fn random_bits() {
    let mut b = Body::new(&[DType::I32; 5]);
    let words: Vec<NodeId> = (0..4).map(|i| b.leaf(access(i, &[1]))).collect();
    let bits = b.elem(Elem::Threefry, &words);
    b.output(bits, access(4, &[1]));
    let mut case = Case::random(fused(&[37], b), &mut Rng(12), &[], 0.0);
    for (i, word) in [0x1319_8a2eu32, 0x0370_7344, 0x243f_6a88, 0x85a3_08d3].into_iter().enumerate() {
        case.buffers[i][0] = f64::from(word as i32);
        case.buffers[i][1] = -1.0;
    }
    let mut out = case.buffers.clone();
    case.spec.reference(&mut out, &[]);
    assert_eq!(out[4][..2], [f64::from(0xc492_3a9cu32 as i32), f64::from(0x1cb9_96fcu32 as i32)]);
    check(&[case]);
}

#[test]
pub fn small_powers() {
    let mut cases = Vec::new();
    for n in [0.0, 1.0, 2.0, 3.0, 7.0, -1.0, -2.0, 0.5, -0.5, 1.7] {
        let mut b = Body::new(&[DType::F64, DType::F64]);
        let (x, n) = (b.leaf(access(0, &[1])), b.constant(DType::F64, n));
        let y = b.elem(Elem::Power, &[x, n]);
        b.output(y, access(1, &[1]));
        let mut case = Case::random(fused(&[19], b), &mut Rng(8), &[], 50.0);
        case.buffers[0].iter_mut().for_each(|x| *x += 1.5);
        cases.push(case);
    }
    check(&cases);
}

/// Strides of a random view of a space: contiguous in a random order of dims, some of them broadcast.
fn random_access(rng: &mut Rng, buffer: u32, shape: &[u64], broadcast: bool) -> Access {
    let mut order: Vec<usize> = (0..shape.len()).collect();
    if rng.below(3) == 0 {
        let (i, j) = (rng.below(shape.len() as u64) as usize, rng.below(shape.len() as u64) as usize);
        order.swap(i, j);
    }
    let mut strides = vec![0; shape.len()];
    let mut step = if rng.below(5) == 0 { 2 } else { 1 };
    for &d in order.iter().rev() {
        if broadcast && rng.below(3) == 0 {
            continue;
        }
        strides[d] = step;
        step *= shape[d] as i64 + i64::from(rng.below(4) == 0);
    }
    access(buffer, &strides).at(rng.below(3) as i64)
}

/// A few operations that stay within a small range, so that errors do too.
fn grow(b: &mut Body, rng: &mut Rng, mut pool: Vec<NodeId>, dtype: DType, rank: usize, reduce: bool) -> Vec<NodeId> {
    let (half, one) = (b.constant(dtype, 0.5), b.constant(dtype, 1.0));
    for _ in 0..2 + rng.below(7) {
        let (x, y) = (rng.pick(&pool), rng.pick(&pool));
        let node = match rng.below(if reduce { 10 } else { 8 }) {
            0 => b.elem(Elem::Maximum, &[x, y]),
            1 => {
                let s = b.elem(Elem::Add, &[x, y]);
                b.elem(Elem::Multiply, &[s, half])
            }
            2 => {
                let s = b.elem(Elem::Subtract, &[x, y]);
                b.elem(Elem::Tanh, &[s])
            }
            3 => b.elem(Elem::Multiply, &[x, y]),
            4 => b.elem(Elem::Logistic, &[x]),
            5 => {
                let square = b.elem(Elem::Multiply, &[y, y]);
                let d = b.elem(Elem::Add, &[square, one]);
                b.elem(Elem::Divide, &[x, d])
            }
            6 => {
                let t = b.elem(Elem::Tanh, &[x]);
                let e = b.elem(Elem::Exponential, &[t]);
                b.elem(Elem::Multiply, &[e, half])
            }
            7 => {
                let (i, limit) = (b.iota(rng.below(rank as u64) as u32), b.constant(DType::I32, rng.below(20) as f64));
                let c = b.elem(Elem::Compare(Comparison::Lt), &[i, limit]);
                b.elem(Elem::Select, &[c, x, y])
            }
            8 => b.reduce(rng.pick(&[Reduction::Max, Reduction::Min]), x),
            _ => {
                let s = b.reduce(Reduction::Sum, x);
                let scale = b.constant(dtype, 1.0 / 512.0);
                b.elem(Elem::Multiply, &[s, scale])
            }
        };
        pool.push(node);
    }
    pool
}

#[test]
pub fn random_row_kernels() {
    let mut rng = Rng(9);
    let mut cases = Vec::new();
    while cases.len() < 60 {
        let dtype = rng.pick(&[DType::F32, DType::F32, DType::F64]);
        let rank = 1 + rng.below(3) as usize;
        let mut shape: Vec<u64> = (0..rank).map(|_| rng.pick(&SIZES[..9])).collect();
        shape[rank - 1] = rng.pick(&SIZES);
        let mut b = Body::new(&[dtype; 3]);
        let leaves = (0..3).map(|i| random_access(&mut rng, i, &shape, true)).collect::<Vec<_>>();
        let pool = leaves.into_iter().map(|a| b.leaf(a)).collect();
        let reduce = rng.flip();
        let pool = grow(&mut b, &mut rng, pool, dtype, rank, reduce);
        for _ in 0..1 + rng.below(2) {
            let buffer = b.buffer(dtype);
            let node = *pool.last().expect("nodes");
            let node = if rng.flip() { node } else { rng.pick(&pool) };
            let out = random_access(&mut rng, buffer, &shape, false);
            b.output(node, out);
        }
        let spec = fused(&shape, b);
        if spec.verify().is_ok() {
            cases.push(Case::random(spec, &mut rng, &[], 200.0));
        }
    }
    check(&cases);
}

#[test]
pub fn random_column_kernels() {
    let mut rng = Rng(10);
    let mut cases = Vec::new();
    while cases.len() < 40 {
        let dtype = rng.pick(&[DType::F32, DType::F32, DType::F64]);
        let outer: Vec<u64> = (0..rng.below(2)).map(|_| rng.pick(&SIZES[..8])).collect();
        let reduce: Vec<u64> = (0..1 + rng.below(2)).map(|_| rng.pick(&SIZES[..14])).collect();
        let cols = rng.pick(&SIZES);
        let space = [&outer[..], &reduce, &[cols]].concat();
        let mut b = Body::new(&[dtype; 2]);
        let leaves = (0..2).map(|i| random_access(&mut rng, i, &space, true)).collect::<Vec<_>>();
        let pool: Vec<NodeId> = leaves.into_iter().map(|a| b.leaf(a)).collect();
        let pool = grow(&mut b, &mut rng, pool, dtype, space.len(), false);
        for kind in [Reduction::Sum, Reduction::Max] {
            let r = b.reduce(kind, rng.pick(&pool));
            let scale = b.constant(dtype, 1.0 / 64.0);
            let r = b.elem(Elem::Multiply, &[r, scale]);
            let buffer = b.buffer(dtype);
            let mut strides = vec![0; space.len()];
            strides[space.len() - 1] = 1;
            if outer.len() == 1 {
                strides[0] = cols as i64;
            }
            b.output(r, access(buffer, &strides));
        }
        let spec = KernelSpec::Column(Column::new(&outer, &reduce, cols, b));
        cases.push(Case::random(spec, &mut rng, &[], 300.0));
    }
    // Long sums go in blocks.
    let mut b = Body::new(&[DType::F32, DType::F32]);
    let x = b.leaf(access(0, &[70, 1]));
    let sum = b.reduce(Reduction::Sum, x);
    b.output(sum, access(1, &[0, 1]));
    cases.push(Case::random(KernelSpec::Column(Column::new(&[], &[1000], 70, b)), &mut rng, &[], 500.0));
    check(&cases);
}

/// Rows in parts: the two kernels together are the one, and each is its reference on the emulator.
#[test]
pub fn columns_in_parts() {
    let mut rng = Rng(19);
    let mut parts = Vec::new();
    for (outer, reduce, cols) in [(vec![], vec![512, 16], 96), (vec![2], vec![4096], 136), (vec![], vec![8192], 70)] {
        let space = [&outer[..], &reduce, &[cols]].concat();
        let n = space.len();
        let strides = |kept: &dyn Fn(usize) -> bool| -> Vec<i64> {
            let mut step = 1;
            let all = (0..n).rev().map(|d| if kept(d) { (step, step *= space[d] as i64).0 } else { 0 });
            let mut all: Vec<i64> = all.collect();
            all.reverse();
            all
        };
        let reduced = outer.len()..n - 1;
        let mut b = Body::new(&[DType::BF16, DType::F32, DType::F32, DType::BF16, DType::F32]);
        let x = b.leaf(access(0, &strides(&|_| true)));
        let x = b.convert(x, DType::F32);
        // A number for each row, and one for each result.
        let row = b.leaf(access(1, &strides(&|d| d < n - 1)));
        let scale = b.leaf(access(2, &strides(&|d| d == n - 1)));
        let scaled = b.elem(Elem::Multiply, &[x, row]);
        let sum = b.reduce(Reduction::Sum, scaled);
        let most = b.reduce(Reduction::Max, x);
        let times = b.elem(Elem::Multiply, &[sum, scale]);
        let stored = b.convert(times, DType::BF16);
        let results = strides(&|d| !reduced.contains(&d));
        b.output(stored, access(3, &results));
        b.output(most, access(4, &results));
        let column = Column::new(&outer, &reduce, cols, b);
        let split = column.split(GpuArch::Sm90a).expect("few columns, many rows");
        let whole = KernelSpec::Column(column);
        let case = Case::random(whole.clone(), &mut rng, &[], 300.0);
        let mut expected = case.buffers.clone();
        whole.reference(&mut expected, &[]);
        let mut partial: Vec<Vec<f64>> = split.partial.iter().map(|p| vec![0.0; p.1 as usize]).collect();
        let mut given = case.buffers.clone();
        for (spec, sources) in [split.parts, split.sum].into_iter().zip(&split.buffers) {
            let spec = KernelSpec::Column(spec);
            spec.verify().unwrap();
            let of = |s: &PartBuffer| match *s {
                PartBuffer::Given(at) => given[at as usize].clone(),
                PartBuffer::Partial(at) => partial[at as usize].clone(),
            };
            let mut buffers: Vec<_> = sources.iter().map(of).collect();
            spec.reference(&mut buffers, &[]);
            for (s, made) in sources.iter().zip(buffers) {
                match *s {
                    PartBuffer::Given(at) => given[at as usize] = made,
                    PartBuffer::Partial(at) => partial[at as usize] = made,
                }
            }
            parts.push(Case::random(spec, &mut rng, &[], 300.0));
        }
        for (got, want) in given[3..].iter().flatten().zip(expected[3..].iter().flatten()) {
            assert!((got - want).abs() <= 0.01 * want.abs().max(1.0), "{got}, not {want}: {whole}");
        }
    }
    check(&parts);
}

/// Empty spaces are kernels that write nothing, or what a sum of nothing is.
#[test]
pub fn empty_spaces() {
    let mut rng = Rng(11);
    let sum_of = |rows: u64, cols: u64| {
        let mut b = Body::new(&[DType::F32, DType::F32]);
        let x = b.leaf(access(0, &[cols as i64, 1]));
        let sum = b.reduce(Reduction::Sum, x);
        b.output(sum, access(1, &[1, 0]));
        Fused { shape: vec![rows, cols], body: b }
    };
    let copy = |rows: u64, cols: u64| {
        let mut b = Body::new(&[DType::F32, DType::F32]);
        let x = b.leaf(access(0, &[cols as i64, 1]));
        b.output(x, access(1, &[cols as i64, 1]));
        Fused { shape: vec![rows, cols], body: b }
    };
    let mut cases = Vec::new();
    for spec in [sum_of(0, 4), copy(0, 4), copy(4, 0)] {
        cases.push(Case::random(KernelSpec::Fused(spec), &mut rng, &[], 0.0));
    }
    let mut nothing = Case::random(KernelSpec::Fused(sum_of(3, 0)), &mut rng, &[], 0.0);
    nothing.buffers = vec![Vec::new(), vec![5.0; 3]];
    cases.push(nothing);
    check(&cases);
}
