//! Running sums and extremes, and the first few by size, against the reference: ties, NaN and infinities, rows and columns.

use crate::support::{Case, Rng, check};
use meshloom_kernels::spec::{CumLogSumExp, Scan, TopK};
use meshloom_kernels::{DType, KernelSpec, Reduction};

const KINDS: [Reduction; 6] =
    [Reduction::Sum, Reduction::Max, Reduction::Min, Reduction::Prod, Reduction::And, Reduction::Or];

#[test]
pub fn scans() {
    let mut rng = Rng(50);
    let mut cases = Vec::new();
    for (outer, n, inner) in [(3, 17, 1), (1, 1, 1), (2, 5, 7), (2, 9, 16), (1, 6, 150), (4, 0, 3), (3, 4, 64)] {
        for kind in KINDS {
            for dtype in [DType::F32, DType::F64, DType::I32] {
                if dtype.is_float() && matches!(kind, Reduction::And | Reduction::Or) {
                    continue;
                }
                let (reverse, exclusive) = (rng.flip(), rng.flip());
                let spec = KernelSpec::Scan(Scan { dtype, kind, outer, n, inner, reverse, exclusive });
                cases.push(Case::random(spec, &mut rng, &[], 16.0));
            }
        }
    }
    // On GPUs: several chunks, threads beyond the end, columns of several blocks, neighbours at once from both ends.
    for (outer, n, inner) in [(2, 1028, 1), (1, 2050, 1), (2, 90, 3), (1, 40, 70), (1, 300, 32), (3, 256, 1)] {
        for (reverse, exclusive) in [(false, false), (true, false), (false, true), (true, true)] {
            let (kind, dtype) = if rng.flip() { (Reduction::Sum, DType::F32) } else { (Reduction::Max, DType::I32) };
            let spec = KernelSpec::Scan(Scan { dtype, kind, outer, n, inner, reverse, exclusive });
            cases.push(Case::random(spec, &mut rng, &[], 64.0));
        }
    }
    check(&cases);
}

#[test]
pub fn running_log_sums() {
    let mut rng = Rng(52);
    let mut cases = Vec::new();
    // As for scans: rows, columns, several chunks of a block, threads and columns beyond the end, neighbours at once.
    let shapes = [(3, 17, 1), (2, 5, 7), (1, 6, 150), (4, 0, 3), (2, 1028, 1), (2, 90, 3), (1, 300, 32), (1, 2050, 1)];
    for (outer, n, inner) in shapes {
        for (dtype, reverse) in [(DType::F32, false), (DType::F64, true), (DType::BF16, rng.flip())] {
            let spec = KernelSpec::CumLogSumExp(CumLogSumExp { dtype, outer, n, inner, reverse });
            let mut case = Case::random(spec, &mut rng, &[], 64.0);
            // Far apart, and far from 0: as exponentials none of them is a number.
            if dtype != DType::BF16 {
                case.buffers[0].iter_mut().for_each(|x| *x = *x * 200.0 + 500.0);
            }
            if dtype == DType::F64 {
                case.buffers[0].iter_mut().step_by(3).for_each(|x| *x = f64::NEG_INFINITY);
            }
            cases.push(case);
        }
    }
    let spec = CumLogSumExp { dtype: DType::F32, outer: 4, n: 5, inner: 1, reverse: false };
    let mut case = Case::random(KernelSpec::CumLogSumExp(spec), &mut rng, &[], 4.0);
    let (inf, nan) = (f64::INFINITY, f64::NAN);
    case.buffers[0] = [
        [-inf, -inf, 1.0, -inf, 1.0],
        [1.0, inf, 2.0, inf, -inf],
        [3.0, nan, 1.0, inf, -inf],
        [-inf, -inf, -inf, -inf, -inf],
    ]
    .concat();
    cases.push(case);
    check(&cases);
}

#[test]
pub fn first_by_size() {
    let mut rng = Rng(51);
    let mut cases = Vec::new();
    let results = [[(true, false), (false, true)], [(false, false), (true, true)]];
    for (shape, (rows, n, k)) in
        [(3, 8, 2), (1, 1, 1), (2, 5, 5), (4, 33, 7), (1, 100, 100), (2, 64, 1)].into_iter().enumerate()
    {
        for (i, dtype) in [DType::F32, DType::F64, DType::I32].into_iter().enumerate() {
            // By turns: each type gives all of them, and each shape.
            for (largest, indices) in results[(shape + i) % 2] {
                let spec = KernelSpec::TopK(TopK { dtype, rows, n, k, largest, indices });
                let mut case = Case::random(spec, &mut rng, &[], 0.0);
                if dtype.is_float() {
                    let odd = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 0.0, -0.0, 0.5, 0.5];
                    case.buffers[0].iter_mut().filter(|_| rng.below(3) == 0).for_each(|x| *x = rng_pick(&odd));
                }
                cases.push(case);
            }
        }
    }
    // Lists of one vector and of several, full and not, whose rows end in the middle of a vector; as sorted as rows may be.
    for (n, k) in [(1000, 8), (300, 65), (257, 128), (130, 1), (515, 16)] {
        for (i, dtype) in [DType::F32, DType::BF16, DType::I32, DType::I8].into_iter().enumerate() {
            let (largest, indices) = [(true, false), (true, true), (false, true), (false, false)][(i + n as usize) % 4];
            let spec = KernelSpec::TopK(TopK { dtype, rows: 4, n, k, largest, indices });
            let mut case = Case::random(spec, &mut rng, &[], 0.0);
            let row = |r: usize| r * n as usize..(r + 1) * n as usize;
            // Few numbers, so that there are ties; then rows in order, upwards and downwards.
            case.buffers[0][row(1)].iter_mut().for_each(|x| *x = rng.below(5) as f64);
            case.buffers[0][row(2)].iter_mut().enumerate().for_each(|(i, x)| *x = (i % 100) as f64);
            case.buffers[0][row(3)].iter_mut().enumerate().for_each(|(i, x)| *x = -((i / 9) as f64));
            if dtype.is_float() {
                let odd = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 0.0, -0.0];
                case.buffers[0][row(0)].iter_mut().filter(|_| rng.below(4) == 0).for_each(|x| *x = rng_pick(&odd));
            }
            cases.push(case);
        }
    }
    // Rows that several pieces of a block share; sorted, searched by a warp, searched by a block.
    for (dtype, n, k) in [(DType::F32, 700, 40), (DType::BF16, 530, 33), (DType::I64, 40, 3), (DType::F16, 1100, 7)] {
        for (largest, indices) in [(true, true), (false, false)] {
            let spec = KernelSpec::TopK(TopK { dtype, rows: 2, n, k, largest, indices });
            cases.push(Case::random(spec, &mut rng, &[], 0.0));
        }
    }
    check(&cases);

    /// In turn: what is picked does not matter, only that all are.
    fn rng_pick(from: &[f64]) -> f64 {
        use std::sync::atomic::{AtomicUsize, Ordering};
        static NEXT: AtomicUsize = AtomicUsize::new(0);
        from[NEXT.fetch_add(1, Ordering::Relaxed) % from.len()]
    }
}
