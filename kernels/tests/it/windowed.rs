//! Kernels that look where a condition can hold ([`meshloom_kernels`] has them in `windowed.rs`): updates in place, sums of masked rows,
//! masked sums. And kernels that read across rows, or add up long ones.

use crate::support::{Case, Guarded, Library, Rng, check, expected, targets};
use meshloom_kernels::spec::{Column, Fused};
use meshloom_kernels::{Access, Body, Comparison, DType, Elem, KernelSpec, NodeId, Reduction};

fn strides(shape: &[u64]) -> Vec<i64> {
    (0..shape.len()).map(|d| shape[d + 1..].iter().product::<u64>() as i64).collect()
}

/// `0 <= index - start < len` of a dim, as an update of a part says it.
fn inside(b: &mut Body, dim: u32, start: NodeId, len: i64) -> NodeId {
    let at = b.iota(dim);
    let at = b.elem(Elem::Subtract, &[at, start]);
    let (zero, len) = (b.integer(DType::I32, 0), b.integer(DType::I32, len));
    let from = b.elem(Elem::Compare(Comparison::Ge), &[at, zero]);
    let to = b.elem(Elem::Compare(Comparison::Lt), &[at, len]);
    b.elem(Elem::And, &[from, to])
}

/// An update of `len` indices of each of the dims `at`, from the starts in the second buffer on. Buffers: what is put there, starts,
/// old, new.
fn update(dtype: DType, shape: &[u64], at: &[u32], len: i64) -> KernelSpec {
    let mut b = Body::new(&[dtype, DType::I32, dtype, dtype]);
    let own = strides(shape);
    let mut condition = None;
    for (i, &d) in at.iter().enumerate() {
        let start = b.leaf(Access::new(1, &vec![0; shape.len()]).at(i as i64));
        let here = inside(&mut b, d, start, len);
        condition = Some(condition.map_or(here, |c| b.elem(Elem::And, &[c, here])));
    }
    let x = b.leaf(Access::new(0, &own));
    let old = b.leaf(Access::new(2, &own));
    let (x, old) = (b.convert(x, dtype.computed()), b.convert(old, dtype.computed()));
    let y = b.elem(Elem::Select, &[condition.expect("a dim"), x, old]);
    let y = b.convert(y, dtype);
    b.output(y, Access::new(3, &own));
    KernelSpec::Fused(Fused::new(shape, b))
}

/// Updates give what the reference says where the new value lies over the old one, and where it does not, in whole and in pieces.
#[test]
pub fn updates_in_place() {
    let mut rng = Rng(71);
    let shapes: [(&[u64], &[u32]); 6] = [
        (&[5, 40, 24], &[1]),
        (&[6, 9, 70], &[0]),
        (&[3, 4, 5, 33], &[0, 2]),
        (&[300, 48], &[0]),
        (&[7, 130], &[1]),
        (&[2, 600, 16], &[1]),
    ];
    let mut cases = Vec::new();
    for (i, (shape, at)) in shapes.into_iter().enumerate() {
        for (j, len) in [1, 3].into_iter().enumerate() {
            let dtype = [DType::F32, DType::BF16, DType::F64, DType::I32][(i + j) % 4];
            for start in [0, 2, 4, -1, 1000, i32::MIN, i32::MAX] {
                let mut case = Case::random(update(dtype, shape, at, len), &mut rng, &[], 0.0);
                case.buffers[1] = vec![f64::from(start), 1.0];
                cases.push(case);
            }
        }
    }
    let expected = expected(&cases);
    for target in targets() {
        let specs: Vec<KernelSpec> = cases.iter().map(|c| c.spec.clone()).collect();
        let library = Library::new(&specs, target);
        for ((case, expected), &f) in cases.iter().zip(&expected).zip(&library.functions) {
            let (n, dtype) = (case.spec.units(), case.spec.args()[2].dtype);
            let cut: Vec<(u64, u64)> = (0..n).rev().map(|u| (u, u + 1)).collect();
            for pieces in [&[(0, n)][..], &cut] {
                let over = case.run_over(f, pieces, &[(3, 2)]);
                let apart = case.run(f, pieces);
                let elements = case.spec.args()[3].elements as usize;
                let wanted = Guarded::of(dtype, &expected[3][..elements]);
                let whole = |g: &Guarded| Guarded::of(dtype, &g.values()[..elements]);
                assert!(whole(&over[2]).bytes() == wanted.bytes(), "{target:?}, in place\n{}", case.spec);
                assert!(whole(&apart[3]).bytes() == wanted.bytes(), "{target:?}, apart\n{}", case.spec);
            }
        }
    }
}

/// Masks by position, of results that are sums of rows and of what columns add up.
#[test]
pub fn masked_sums() {
    let mut rng = Rng(72);
    let mut cases = Vec::new();
    for (heads, rows, cols) in [(3, 40, 64), (1, 300, 24), (4, 70, 130)] {
        let shape = [heads, rows, cols];
        let comparisons =
            [Comparison::Le, Comparison::Lt, Comparison::Gt, Comparison::Ge, Comparison::Eq, Comparison::Ne];
        for (i, comparison) in comparisons.into_iter().enumerate() {
            let position = [-1, 0, 17, rows as i64 - 1, 5000, i64::from(i32::MIN)][(i + rows as usize) % 6];
            let mask = |b: &mut Body| {
                let (at, position) = (b.iota(1), b.leaf(Access::new(0, &[0, 0, 0])));
                // By turns on either side.
                let sides = if i % 2 == 0 { [at, position] } else { [position, at] };
                b.elem(Elem::Compare(comparison), &sides)
            };
            // select(mask, sum of the row, -1e9)
            let mut b = Body::new(&[DType::I32, DType::F32, DType::F32, DType::F32]);
            let within = mask(&mut b);
            let (q, k) = (b.leaf(Access::new(1, &[cols as i64, 0, 1])), b.leaf(Access::new(2, &strides(&shape))));
            let product = b.elem(Elem::Multiply, &[q, k]);
            let sum = b.reduce(Reduction::Sum, product);
            let low = b.constant(DType::F32, -1e9);
            let y = b.elem(Elem::Select, &[within, sum, low]);
            b.output(y, Access::new(3, &[rows as i64, 1, 0]));
            let mut scores = Case::random(KernelSpec::Fused(Fused::new(&shape, b)), &mut rng, &[], 64.0);
            // The sum over rows of select(mask, p, 0) * select(mask, v, 0).
            let mut b = Body::new(&[DType::I32, DType::F32, DType::F32, DType::F32]);
            let within = mask(&mut b);
            let (p, v) = (b.leaf(Access::new(1, &[rows as i64, 1, 0])), b.leaf(Access::new(2, &strides(&shape))));
            let zero = b.constant(DType::F32, 0.0);
            let (p, v) = (b.elem(Elem::Select, &[within, p, zero]), b.elem(Elem::Select, &[within, v, zero]));
            let product = b.elem(Elem::Multiply, &[p, v]);
            let sum = b.reduce(Reduction::Sum, product);
            b.output(sum, Access::new(3, &[cols as i64, 0, 1]));
            let spec = KernelSpec::Column(Column::new(&[heads], &[rows], cols, b));
            let mut values = Case::random(spec, &mut rng, &[], 200.0);
            for case in [&mut scores, &mut values] {
                case.buffers[0] = vec![position as f64];
            }
            cases.extend([scores, values]);
        }
    }
    check(&cases);
}

/// Transposes with something to compute, of which not all is squares.
#[test]
pub fn across_rows() {
    let mut rng = Rng(73);
    let mut cases = Vec::new();
    for (outer, rows, cols) in [(1, 64, 64), (1, 77, 130), (3, 128, 100), (1, 200, 65)] {
        for dtype in [DType::F32, DType::BF16, DType::I32] {
            let mut b = Body::new(&[dtype; 3]);
            let (n, m) = (cols as i64, rows as i64);
            let (x, y) = (b.leaf(Access::new(0, &[n * m, 1, m])), b.leaf(Access::new(1, &[n * m, n, 1])));
            let (x, y) = (b.convert(x, dtype.computed()), b.convert(y, dtype.computed()));
            let sum = b.elem(Elem::Subtract, &[x, y]);
            let sum = b.convert(sum, dtype);
            b.output(sum, Access::new(2, &[n * m, n, 1]));
            cases.push(Case::random(
                KernelSpec::Fused(Fused { shape: vec![outer, rows, cols], body: b }),
                &mut rng,
                &[],
                1.0,
            ));
        }
    }
    check(&cases);
}

/// Columns of long rows, which units add up in turns.
#[test]
pub fn columns_of_long_rows() {
    let mut rng = Rng(74);
    let mut cases = Vec::new();
    for (rows, cols) in [(300, 2048), (256, 1111), (515, 1500)] {
        for (dtype, kind) in [(DType::F32, Reduction::Sum), (DType::F64, Reduction::Max), (DType::I32, Reduction::Sum)]
        {
            let mut b = Body::new(&[dtype; 2]);
            let x = b.leaf(Access::new(0, &[cols as i64, 1]));
            let y = b.reduce(kind, x);
            b.output(y, Access::new(1, &[0, 1]));
            let spec = KernelSpec::Column(Column::new(&[], &[rows], cols, b));
            assert!(spec.scratch_bytes() > 0, "totals wait\n{spec}");
            cases.push(Case::random(spec, &mut rng, &[], 2000.0));
        }
    }
    check(&cases);
}
