//! Contractions that add up an operand, against their reference: on the emulator here, and in the interpreter of PTX (`ptx`).

use crate::dot::{Sizes, einsum};
use crate::support::{Case, Rng, expected, gpu};
use meshloom_kernels::dot::{Dot, Tiling};
use meshloom_kernels::gpu::Grid;
use meshloom_kernels::spec::{Column, DotAndSum};
use meshloom_kernels::{Access, Body, DType, GpuArch, KernelSpec, Reduction};

fn product(spec: &str, sizes: Sizes, dtype: DType, epilogue: bool) -> Dot {
    match einsum(spec, sizes, dtype, epilogue) {
        KernelSpec::Dot(dot) => dot,
        other => panic!("{other}"),
    }
}

fn sum(dot: Dot, which: u32, parts: u64) -> KernelSpec {
    let spec = KernelSpec::DotAndSum(DotAndSum::new(dot, which, parts));
    spec.verify().unwrap();
    spec
}

/// Either operand, whose columns end within a tile; parts for some and for all of the tiles that share them, and more parts than tiles; summed
/// dims and columns of several dims; a sum in one part.
fn specs() -> Vec<KernelSpec> {
    let sizes: Sizes = &[('m', 136), ('n', 264), ('k', 256)];
    let split: Sizes = &[('b', 4), ('s', 64), ('m', 136), ('n', 3), ('d', 64)];
    vec![
        sum(product("km,kn->mn", sizes, DType::BF16, false), 1, 2),
        sum(product("km,kn->mn", sizes, DType::BF16, true), 0, 4),
        sum(product("mk,kn->mn", sizes, DType::F16, false), 1, 4),
        sum(product("bsm,nbsd->nmd", split, DType::BF16, false), 1, 2),
        sum(product("mbs,bsnd->mnd", split, DType::BF16, false), 1, 1),
    ]
}

fn cases(specs: Vec<KernelSpec>, seed: u64) -> Vec<Case> {
    let mut rng = Rng(seed);
    specs.into_iter().map(|s| Case::random(s, &mut rng, &[], 600.0)).collect()
}

/// By spare warps in each tiling that has some.
#[test]
fn operands_are_added_up() {
    on_all_tilings(specs());
}

/// The same of two of them, for the interpreter: the first operand beside results that threads store, and the second one beside boxes.
pub fn some_operands_are_added_up() {
    on_all_tilings(specs().into_iter().skip(1).step_by(2).collect());
}

fn on_all_tilings(specs: Vec<KernelSpec>) {
    let cases = cases(specs, 31);
    gpu::check_grids(&cases, &expected(&cases), GpuArch::Sm90a, &|spec| {
        let KernelSpec::DotAndSum(s) = spec else { return Vec::new() };
        let tilings = Tiling::table(&s.dot, GpuArch::Sm90a, true).into_iter().filter(Tiling::spares_warps);
        let grid = |t: Tiling| {
            let (turns, pairs) = (if t.ping_pong { "_turns" } else { "" }, if t.pairs { "_pairs" } else { "" });
            let name = format!("{}_{}_{}{turns}{pairs}", spec.symbol(), t.rows, t.cols);
            (name, Grid::tiled(&s.dot, t, true))
        };
        let all: Vec<_> = tilings.map(grid).collect();
        assert!(all.len() > 2, "{spec}");
        all
    });
}

/// By all threads, where buffers begin anywhere or threads copy.
#[test]
fn operands_are_added_up_by_threads() {
    let specs = specs().into_iter().flat_map(|s| [s.by_threads().expect("a kernel"), s]);
    by_threads_of(specs.collect(), GpuArch::Sm90a);
}

#[test]
fn operands_are_added_up_without_warpgroups() {
    by_threads_of(specs(), GpuArch::Sm80);
}

/// Two of them for the interpreter.
pub fn some_operands_are_added_up_by_threads() {
    let specs = specs().into_iter().take(2).map(|s| s.by_threads().expect("a kernel"));
    by_threads_of(specs.collect(), GpuArch::Sm90a);
}

fn by_threads_of(specs: Vec<KernelSpec>, gpu: GpuArch) {
    let cases = cases(specs, 32);
    gpu::check(&cases, &expected(&cases), gpu);
}

/// A column reduction of what a weight's gradient reads: `rows` of `cols`, with `apart` elements from one row to the next.
fn columns(dtype: DType, rows: u64, cols: u64, apart: i64) -> Column {
    let mut body = Body::new(&[dtype, DType::F32]);
    let x = body.leaf(Access::new(0, &[apart, 1]));
    let x = body.convert(x, DType::F32);
    let sum = body.reduce(Reduction::Sum, x);
    body.output(sum, Access::new(1, &[0, 1]));
    Column::new(&[], &[rows], cols, body)
}

/// Which column reductions a product takes along, in how many parts, and on which GPU.
#[test]
fn sums_are_taken_along_where_it_is_less_work() {
    let gpt2: Sizes = &[('k', 8192), ('m', 1024), ('n', 4096)];
    let dot = product("km,kn->mn", gpt2, DType::BF16, false);
    let of = |dot: &Dot, which, column: &Column, gpu| DotAndSum::joined(dot, which, column, gpu);
    let (sum, total) = of(&dot, 1, &columns(DType::BF16, 8192, 4096, 4096), GpuArch::Sm90a).expect("both in one");
    assert_eq!((sum.parts, sum.depth(), total.reduce, total.cols), (8, 1024, vec![8], 4096));
    KernelSpec::DotAndSum(sum).verify().unwrap();
    let column = columns(DType::BF16, 8192, 4096, 4096);
    assert_eq!(of(&dot, 1, &column, GpuArch::Sm80), None, "no warps to spare");
    assert_eq!(of(&dot, 1, &column, GpuArch::Sm100a), None, "no warps to spare");
    assert_eq!(of(&Dot { by_threads: true, ..dot.clone() }, 1, &column, GpuArch::Sm90a), None, "threads copy");
    assert_eq!(of(&dot, 0, &column, GpuArch::Sm90a), None, "the other operand");
    assert_eq!(of(&dot, 1, &columns(DType::BF16, 8192, 4096, 8192), GpuArch::Sm90a), None, "rows that lie elsewhere");
    assert_eq!(of(&dot, 1, &columns(DType::BF16, 4096, 4096, 4096), GpuArch::Sm90a), None, "half of the rows");
    let along = product("mk,nk->mn", gpt2, DType::BF16, false);
    assert_eq!(of(&along, 1, &column, GpuArch::Sm90a), None, "the operand lies along the summed dim");
    let single = product("km,kn->mn", gpt2, DType::F32, false);
    assert_eq!(of(&single, 1, &columns(DType::F32, 8192, 4096, 4096), GpuArch::Sm90a), None, "no warpgroups");
    let tiny: Sizes = &[('k', 512), ('m', 64), ('n', 64)];
    let small = product("km,kn->mn", tiny, DType::BF16, false);
    assert_eq!(of(&small, 1, &columns(DType::BF16, 512, 64, 64), GpuArch::Sm90a), None, "larger tiles take longer");
    let wide: Sizes = &[('k', 8192), ('m', 4096), ('n', 16384)];
    let column_of_wide = columns(DType::BF16, 8192, 16384, 16384);
    let large = product("km,kn->mn", wide, DType::BF16, false);
    assert_eq!(of(&large, 1, &column_of_wide, GpuArch::Sm90a), None, "a library may be faster by more than it saves");
    let large = product("km,kn->mn", wide, DType::BF16, true);
    assert!(of(&large, 1, &column_of_wide, GpuArch::Sm90a).is_some(), "no library has the epilogue");
    let mut squares = column.clone();
    let x = squares.body.nodes[1].clone();
    let square = squares.body.elem(meshloom_kernels::Elem::Multiply, &[meshloom_kernels::NodeId(1); 2]);
    squares.body.nodes[2] = meshloom_kernels::Node::Reduce { kind: Reduction::Sum, arg: square };
    assert!(matches!(x, meshloom_kernels::Node::Elem { .. }));
    assert_eq!(of(&dot, 1, &squares, GpuArch::Sm90a), None, "sums of squares");
}

/// Parts that do not come out even, sums that are none of an operand.
#[test]
fn specs_that_are_wrong() {
    let sizes: Sizes = &[('m', 128), ('n', 128), ('k', 512)];
    let good = || DotAndSum::new(product("km,kn->mn", sizes, DType::BF16, false), 1, 2);
    let said = |change: &dyn Fn(&mut DotAndSum)| {
        let mut spec = good();
        change(&mut spec);
        KernelSpec::DotAndSum(spec).verify().unwrap_err().0
    };
    let wrong = [
        said(&|s| s.which = 2),
        said(&|s| *s = DotAndSum::new(s.dot.clone(), 1, 16)),
        said(&|s| *s = DotAndSum::new(s.dot.clone(), 1, 3)),
        said(&|s| s.parts = 0),
        said(&|s| s.parts = 4),
        said(&|s| s.which = 0),
        said(&|s| s.dot.m[0] = 0),
    ];
    let expected = [
        "dot: no operand that can be added up",
        "dot: the sums of an operand over [512] in 16 parts",
        "dot: the sums of an operand over [512] in 3 parts",
        "dot: the sums of an operand over [512] in 0 parts",
        "dot: a body that is not of this contraction and these sums",
        "dot: a body that is not of this contraction and these sums",
        "dot: sums of bf16, or of nothing",
    ];
    assert_eq!(wrong, expected);
}
