//! Sorting indices by row and summing rows, whole tables and shards of one.

use crate::support::{Case, Rng, check};
use meshloom_kernels::spec::{ScatterRows, SegmentSort};
use meshloom_kernels::{DType, KernelSpec};

#[test]
pub fn sort_and_sum() {
    let mut rng = Rng(40);
    let mut cases = Vec::new();
    // The last has keys of several digits, and more positions than a block has threads.
    for (count, rows, total, start) in [
        (50, 10, 10, None),
        (1, 1, 1, None),
        (64, 5, 20, Some(5)),
        (30, 8, 8, Some(0)),
        (0, 4, 4, None),
        (1200, 600, 900, Some(150)),
    ] {
        let sort = SegmentSort { count, rows, total, sharded: start.is_some() };
        let dims: Vec<i64> = start.into_iter().collect();
        let mut case = Case::random(KernelSpec::SegmentSort(sort), &mut rng, &dims, 0.0);
        // Some beyond the ends, which clamp.
        case.buffers[0].iter_mut().for_each(|i| *i = rng.below(total + 4) as f64 - 2.0);
        let mut sorted = case.buffers.clone();
        case.spec.reference(&mut sorted, &dims);
        cases.push(case);
        for (dtype, cols) in [(DType::F32, 64), (DType::F32, 37), (DType::F64, 200), (DType::F64, 1)] {
            let stride = cols as i64 + 3;
            let sum = ScatterRows { dtype, rows, cols, update_stride: stride, out_stride: cols as i64 };
            let mut case = Case::random(KernelSpec::ScatterRows(sum), &mut rng, &[], 16.0);
            case.buffers[0] = sorted[1].clone();
            case.buffers[1] = sorted[2][..=rows as usize].to_vec();
            case.buffers[2] = rng.values(dtype, (count * stride as u64).max(1));
            cases.push(case);
        }
    }
    check(&cases);
}
