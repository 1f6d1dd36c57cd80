//! Row kernels that add up columns, against their reference: on the emulator here, and in the interpreter of PTX (`ptx`).

use crate::support::{Case, Rng, expected, gpu};
use meshloom_kernels::spec::Summed;
use meshloom_kernels::{Access, Body, DType, Elem, GpuArch, KernelSpec, NodeId, Reduction};

/// What rows compute, and what is added up of their columns.
type Rows = (Body, Vec<(Reduction, NodeId)>);

/// Elements of rows of `shape`, side by side.
fn rows(shape: &[u64]) -> Vec<i64> {
    let mut strides = vec![1; shape.len()];
    (0..shape.len() - 1).rev().for_each(|d| strides[d] = strides[d + 1] * shape[d + 1] as i64);
    strides
}

/// The gradient of a layer norm as GPT's backward pass has it: a residual's gradient is added, and the sums of columns are the gradients of
/// shift and scale and of a bias that the residual had.
fn norm_backward(shape: &[u64], dtype: DType) -> Rows {
    let mut b = Body::new(&[dtype, dtype, DType::F32, DType::F32, DType::F32, dtype]);
    let (all, cols) = (rows(shape), shape[shape.len() - 1]);
    let of_column = [vec![0; shape.len() - 1], vec![1]].concat();
    let of_row: Vec<i64> = all.iter().map(|s| s / cols as i64).collect();
    let load = |b: &mut Body, buffer: u32, strides: &[i64]| {
        let x = b.leaf(Access::new(buffer, strides));
        b.convert(x, DType::F32)
    };
    let (x, residual) = (load(&mut b, 0, &all), load(&mut b, 1, &all));
    let (dy, scale) = (load(&mut b, 2, &all), load(&mut b, 3, &of_column));
    let n = b.constant(DType::F32, cols as f64);
    let mean_of = |b: &mut Body, v: NodeId| {
        let sum = b.reduce(Reduction::Sum, v);
        b.elem(Elem::Divide, &[sum, n])
    };
    let mean = mean_of(&mut b, x);
    let apart = b.elem(Elem::Subtract, &[x, mean]);
    let square = b.elem(Elem::Multiply, &[apart, apart]);
    let variance = mean_of(&mut b, square);
    let tiny = b.constant(DType::F32, 1e-3);
    let variance = b.elem(Elem::Add, &[variance, tiny]);
    let inverse = b.elem(Elem::Rsqrt, &[variance]);
    let normal = b.elem(Elem::Multiply, &[apart, inverse]);
    let scaled = b.elem(Elem::Multiply, &[dy, scale]);
    let along = b.elem(Elem::Multiply, &[scaled, normal]);
    let along = mean_of(&mut b, along);
    let level = mean_of(&mut b, scaled);
    let back = b.elem(Elem::Multiply, &[normal, along]);
    let dx = b.elem(Elem::Subtract, &[scaled, back]);
    let dx = b.elem(Elem::Subtract, &[dx, level]);
    let dx = b.elem(Elem::Multiply, &[dx, inverse]);
    let dx = b.elem(Elem::Add, &[dx, residual]);
    let stored = b.convert(dx, dtype);
    let to_scale = b.elem(Elem::Multiply, &[dy, normal]);
    b.output(
        mean,
        Access::new(
            4,
            &of_row.iter().enumerate().map(|(d, s)| if d + 1 < shape.len() { *s } else { 0 }).collect::<Vec<_>>(),
        ),
    );
    b.output(stored, Access::new(5, &all));
    // The rows' own sum of the same value is another node.
    let sums = [(Reduction::Sum, dy), (Reduction::Sum, to_scale), (Reduction::Sum, residual)];
    (b, sums.to_vec())
}

/// Elementwise rows, with the largest of each column.
fn plain(shape: &[u64]) -> Rows {
    let mut b = Body::new(&[DType::F32, DType::F32]);
    let x = b.leaf(Access::new(0, &rows(shape)));
    let y = b.elem(Elem::Multiply, &[x, x]);
    b.output(y, Access::new(1, &rows(shape)));
    (b, vec![(Reduction::Max, x), (Reduction::Sum, y)])
}

/// Rows of a shape, in so many parts.
type Parted = (Vec<u64>, u64, Rows);

fn check(all: Vec<Parted>) {
    let mut rng = Rng(29);
    let of = |(shape, parts, (body, sums)): Parted| {
        let spec = KernelSpec::Summed(Summed::in_parts(parts, &shape, body, &sums));
        spec.verify().unwrap();
        Case::random(spec, &mut rng, &[], 400.0)
    };
    let cases: Vec<Case> = all.into_iter().map(of).collect();
    gpu::check(&cases, &expected(&cases), GpuArch::Sm80);
}

/// One and several warps for a row, one and two rows at a time, one and two vectors of a thread, rows of two dims.
#[test]
pub fn rows_with_sums_of_columns() {
    let norm = |shape: &[u64], parts, dtype| (shape.to_vec(), parts, norm_backward(shape, dtype));
    check(vec![
        norm(&[12, 128], 3, DType::F32),
        norm(&[9, 256], 3, DType::F32),
        norm(&[8, 512], 2, DType::BF16),
        norm(&[4, 3, 256], 2, DType::BF16),
        (vec![6, 128], 1, plain(&[6, 128])),
    ]);
}

/// Rows whose threads have two vectors each: one at a time.
#[test]
pub fn long_rows_with_sums_of_columns() {
    let shape = [4, 4096];
    check(vec![(shape.to_vec(), 2, plain(&shape))]);
}

/// How many parts there are, and what is refused.
#[test]
fn rows_are_cut_for_all_multiprocessors() {
    let of = |shape: &[u64], dtype| {
        let (body, sums) = norm_backward(shape, dtype);
        Summed::of(shape, body, &sums, GpuArch::Sm90a)
    };
    let spec = of(&[8, 1024, 1024], DType::BF16).expect("rows enough");
    assert_eq!(spec.shape, [512, 16, 1024]);
    assert_eq!(spec.moved(), 3 * 512 * 1024 * 4);
    KernelSpec::Summed(spec).verify().unwrap();
    assert_eq!(of(&[8, 1024, 4096], DType::BF16), None, "three sums of long rows do not fit into registers");
    assert_eq!(of(&[8, 1024, 72], DType::BF16), None, "a row is no whole number of warps");
    assert_eq!(of(&[1024, 1024], DType::BF16), None, "rows for half of the multiprocessors");
    assert_eq!(of(&[8, 1031, 1024], DType::BF16).map(|s| s.shape), None, "rows that cannot be cut evenly");
}

/// Sums that are no sums, or that somebody else reads.
#[test]
fn specs_that_are_wrong() {
    let good = || {
        let (body, sums) = norm_backward(&[12, 128], DType::F32);
        Summed::in_parts(3, &[12, 128], body, &sums)
    };
    let said = |change: &dyn Fn(&mut Summed)| {
        let mut spec = good();
        change(&mut spec);
        KernelSpec::Summed(spec).verify().unwrap_err().0
    };
    let wrong = [
        said(&|s| s.sums = 0),
        said(&|s| s.sums = 4),
        said(&|s| s.body.outputs.swap(0, 4)),
        said(&|s| s.body.outputs[4].access.strides[1] = 128),
        said(&|s| s.body.outputs[4].access.strides[0] = 64),
        said(&|s| s.shape[0] = 0),
    ];
    let expected = [
        "summed: no sums",
        "summed: %26 is no sum of columns that is stored",
        "summed: %29 is no sum of columns that is stored",
        "summed: b8[128, 128, 1] is no place of parts",
        "summed: b8[64, 0, 1] is no place of parts",
        "summed: no parts, rows or columns",
    ];
    assert_eq!(wrong, expected);
}
