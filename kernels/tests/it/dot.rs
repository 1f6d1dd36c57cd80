//! Contractions for GPUs against the reference, on the emulator: every way that operands can lie, every remainder, batches, transposed
//! results, epilogues.

use crate::support::{Case, Rng, gpu};
use meshloom_kernels::contraction::Contraction;
use meshloom_kernels::dot::{Dot, Tiling};
use meshloom_kernels::geometry::row_major;
use meshloom_kernels::gpu::Grid;
use meshloom_kernels::{Access, Body, DType, Elem, GpuArch, KernelSpec, Node};

/// A dim by its subscript, as in an einsum.
pub type Sizes<'a> = &'a [(char, u64)];

fn size(c: char, sizes: Sizes) -> u64 {
    sizes.iter().find(|(d, _)| *d == c).map_or(1, |(_, n)| *n)
}

fn strides(subscripts: &str, layout: &str, sizes: Sizes) -> Vec<i64> {
    let steps = row_major(&layout.chars().map(|c| size(c, sizes)).collect::<Vec<_>>());
    subscripts.chars().map(|c| layout.find(c).map_or(0, |i| steps[i])).collect()
}

/// `spec` is an einsum over subscripts, such as `bse,nehd->nbhsd`. With `epilogue`, what is stored is `tanh(acc + bias[n]) * index` and the sum
/// besides.
pub fn einsum(spec: &str, sizes: Sizes, dtype: DType, epilogue: bool) -> KernelSpec {
    einsum_of(spec, sizes, [dtype; 2], dtype, epilogue)
}

/// The same of operands of these types.
fn einsum_of(spec: &str, sizes: Sizes, stored: [DType; 2], dtype: DType, epilogue: bool) -> KernelSpec {
    let (inputs, out) = spec.split_once("->").expect("an einsum");
    let (a, b) = inputs.split_once(',').expect("two operands");
    let keep = |f: &dyn Fn(char) -> bool, from: &str| -> String { from.chars().filter(|c| f(*c)).collect() };
    let batch = keep(&|c| a.contains(c) && b.contains(c), out);
    let m = keep(&|c| a.contains(c) && !b.contains(c), out);
    let n = keep(&|c| !a.contains(c) && b.contains(c), out);
    let k = keep(&|c| b.contains(c) && !out.contains(c), a);
    let of = |s: &str| s.chars().map(|c| size(c, sizes)).collect::<Vec<_>>();
    let space = format!("{batch}{m}{n}");
    let full = strides(&space, out, sizes);
    let mut body = Body::new(&[stored[0], stored[1], dtype]);
    let acc = body.node(Node::Acc);
    if epilogue {
        let (bias, second) = (body.buffer(dtype), body.buffer(dtype.computed()));
        let bias = body.leaf(Access::new(bias, &strides(&space, &n, sizes)));
        let bias = body.convert(bias, dtype.computed());
        let sum = body.elem(Elem::Add, &[acc, bias]);
        let y = body.elem(Elem::Tanh, &[sum]);
        let i = body.iota((space.len() - 1) as u32);
        let i = body.convert(i, dtype.computed());
        let y = body.elem(Elem::Multiply, &[y, i]);
        let y = body.convert(y, dtype);
        body.output(y, Access::new(2, &full));
        body.output(sum, Access::new(second, &full));
    } else {
        let y = body.convert(acc, dtype);
        body.output(y, Access::new(2, &full));
    }
    let operand = |which: u32, free: &str, layout: &str| {
        Access::new(which, &strides(&format!("{batch}{free}{k}"), layout, sizes))
    };
    let (a, b) = (operand(0, &m, a), operand(1, &n, b));
    let contraction = Contraction { batch: of(&batch), m: of(&m), n: of(&n), k: of(&k), a, b, stored: stored[0], body };
    KernelSpec::Dot(contraction.dot().0)
}

/// What comes out of cases.
fn answers(cases: &[Case]) -> Vec<Vec<Vec<f64>>> {
    let answer = |c: &Case| {
        let mut buffers = c.buffers.clone();
        c.spec.reference(&mut buffers, &[]);
        buffers
    };
    cases.iter().map(answer).collect()
}

/// Cases of random numbers, and what comes out of them.
fn cases(specs: Vec<KernelSpec>, rng: &mut Rng) -> (Vec<Case>, Vec<Vec<Vec<f64>>>) {
    // Sums of a few hundred products of numbers up to 1.
    let cases: Vec<Case> = specs.into_iter().map(|s| Case::random(s, rng, &[], 600.0)).collect();
    let expected = answers(&cases);
    (cases, expected)
}

fn check(specs: Vec<KernelSpec>, rng: &mut Rng) {
    let (cases, expected) = cases(specs, rng);
    gpu::check(&cases, &expected, GpuArch::Sm80);
}

fn tiling_name(t: &Tiling) -> String {
    let (turns, pairs) = (if t.ping_pong { "_turns" } else { "" }, if t.pairs { "_pairs" } else { "" });
    format!("{}_{}{turns}{pairs}", t.rows, t.cols)
}

/// On every tiling that a GPU has for what is aligned.
fn check_tilings(specs: Vec<KernelSpec>, gpu: GpuArch, rng: &mut Rng) {
    let (cases, expected) = cases(specs, rng);
    check_tilings_of(&cases, &expected, gpu);
}

fn check_tilings_of(cases: &[Case], expected: &[Vec<Vec<f64>>], gpu: GpuArch) {
    gpu::check_grids(cases, expected, gpu, &|spec| {
        let KernelSpec::Dot(dot) = spec else { return Vec::new() };
        let tilings = Tiling::table(dot, gpu, true);
        assert!(tilings.iter().all(|t| t.stages > 0 && t.warpgroups == gpu.has_warpgroups()), "{spec}");
        assert!(tilings.iter().all(|t| (t.producers > 0) == (gpu.fetches() && !dot.by_threads)), "{spec}");
        let grid = |t: &Tiling| (format!("{}_{}", spec.symbol(), tiling_name(t)), Grid::tiled(dot, *t, true));
        tilings.iter().map(grid).collect()
    });
}

/// The same, with slices that threads copy.
pub fn by_threads(spec: KernelSpec) -> KernelSpec {
    let KernelSpec::Dot(dot) = spec else { panic!("a contraction") };
    KernelSpec::Dot(Dot { by_threads: true, ..dot })
}

#[test]
pub fn operands_lie_in_any_way() {
    let mut rng = Rng(11);
    let sizes: Sizes = &[('m', 72), ('n', 40), ('k', 48)];
    let mut specs = Vec::new();
    for dtype in [DType::BF16, DType::F16, DType::F32, DType::F64] {
        for (i, spec) in ["mk,kn->mn", "mk,nk->mn", "km,kn->mn", "km,nk->nm"].into_iter().enumerate() {
            specs.push(einsum(spec, sizes, dtype, i % 2 == 1));
        }
    }
    check(specs, &mut rng);
}

/// The same contraction with its operands rounded to tf32.
pub fn in_tf32(spec: KernelSpec) -> KernelSpec {
    match spec {
        KernelSpec::Dot(dot) => KernelSpec::Dot(Dot { tf32: true, ..dot }),
        other => other,
    }
}

/// Operands in any way, nothing that divides, batches; and what must differ from f32: numbers that tf32 does not have.
#[test]
pub fn tensor_cores_multiply_f32_in_tf32() {
    let mut rng = Rng(19);
    let (even, odd): (Sizes, Sizes) = (&[('m', 72), ('n', 40), ('k', 48)], &[('m', 65), ('n', 67), ('k', 33)]);
    let many: Sizes = &[('b', 2), ('s', 12), ('e', 24), ('n', 3), ('h', 2), ('d', 8)];
    let mut specs = Vec::new();
    for (i, spec) in ["mk,kn->mn", "mk,nk->mn", "km,kn->mn", "km,nk->nm"].into_iter().enumerate() {
        specs.push(in_tf32(einsum(spec, even, DType::F32, i % 2 == 1)));
    }
    specs.push(in_tf32(einsum("mk,kn->mn", odd, DType::F32, true)));
    specs.push(in_tf32(einsum("bse,nehd->nbhsd", many, DType::F32, false)));
    let KernelSpec::Dot(exact) = einsum("mk,nk->mn", even, DType::F32, false) else { panic!("a contraction") };
    let rounded = Dot { tf32: true, ..exact.clone() };
    let case = Case::random(KernelSpec::Dot(exact.clone()), &mut rng, &[], 600.0);
    let results = [exact, rounded].map(|dot| {
        let mut buffers = case.buffers.clone();
        KernelSpec::Dot(dot).reference(&mut buffers, &[]);
        buffers[2].clone()
    });
    let off = results[0].iter().zip(&results[1]).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    // Products are off by 2^-11 at most, 48 of them to both sides.
    assert!(off > 1e-4 && off < 48.0 * f64::powi(2.0, -10), "{off}");
    check(specs, &mut rng);
}

#[test]
pub fn pipelines_of_warps_in_tf32() {
    let mut rng = Rng(20);
    let sizes = |m: u64, n: u64, k: u64| [('b', 2), ('m', m), ('n', n), ('k', k)];
    let specs = vec![
        in_tf32(einsum("mk,nk->mn", &sizes(136, 200, 72), DType::F32, true)),
        in_tf32(einsum("bmk,bnk->bnm", &sizes(64, 72, 196), DType::F32, false)),
    ];
    check_tilings(specs, GpuArch::Sm80, &mut rng);
}

/// Formats of 8 bits, which a GPU without instructions for them multiplies in bf16; the second result is transposed, and its operands
/// change places.
#[test]
pub fn eight_bits_lie_in_any_way() {
    let mut rng = Rng(16);
    let sizes: Sizes = &[('m', 72), ('n', 48), ('k', 80)];
    let (narrow, wide) = (DType::F8E4M3, DType::F8E5M2);
    let specs = vec![
        einsum_of("mk,nk->mn", sizes, [narrow, wide], DType::BF16, true),
        einsum_of("km,kn->nm", sizes, [wide, narrow], DType::F32, false),
        einsum_of("mk,kn->mn", &[('m', 5), ('n', 7), ('k', 9)], [narrow; 2], DType::F32, false),
    ];
    check(specs, &mut rng);
}

/// `acc + bias[n]` of integers, and the same as a float times a scale of its column: what dequantises.
fn of_integers(spec: &str, sizes: Sizes, stored: [DType; 2]) -> KernelSpec {
    let KernelSpec::Dot(mut dot) = einsum_of(spec, sizes, stored, DType::I32, false) else { panic!("a contraction") };
    let (space, lead) = (dot.space(), dot.space().len() - dot.n.len());
    let along: Vec<i64> = [vec![0; lead], row_major(&space[lead..])].concat();
    let body = &mut dot.body;
    let (acc, output) = (body.outputs[0].node, body.outputs[0].access.clone());
    let (bias, scale, second) = (body.buffer(DType::I32), body.buffer(DType::F32), body.buffer(DType::F32));
    let bias = body.leaf(Access::new(bias, &along));
    let sum = body.elem(Elem::Add, &[acc, bias]);
    body.outputs[0].node = sum;
    let (wide, scale) = (body.convert(sum, DType::F32), body.leaf(Access::new(scale, &along)));
    let y = body.elem(Elem::Multiply, &[wide, scale]);
    body.output(y, Access { buffer: second, ..output });
    KernelSpec::Dot(dot)
}

/// Numbers of all of a type's range: the sums of [`Case::random`] are small.
fn wide_cases(specs: Vec<KernelSpec>, rng: &mut Rng) -> (Vec<Case>, Vec<Vec<Vec<f64>>>) {
    // Bytes take the place of these numbers.
    let mut cases: Vec<Case> = specs.into_iter().map(|s| Case::random(s, rng, &[], 600.0)).collect();
    for case in &mut cases {
        for (buffer, arg) in case.buffers.iter_mut().zip(case.spec.args()).filter(|(_, a)| a.dtype.is_int8()) {
            let low = if arg.dtype == DType::I8 { 128.0 } else { 0.0 };
            buffer.iter_mut().for_each(|x| *x = rng.below(256) as f64 - low);
        }
    }
    let expected = answers(&cases);
    (cases, expected)
}

/// Integers of 8 bits, with and without a sign: vectors of 16 of them along `k`, vectors across it, and what no vector moves.
#[test]
pub fn integers_of_eight_bits_lie_in_any_way() {
    let mut rng = Rng(31);
    let (i, u) = (DType::I8, DType::U8);
    let sizes: Sizes = &[('m', 72), ('n', 48), ('k', 80)];
    let specs = vec![
        of_integers("mk,nk->mn", sizes, [i, i]),
        of_integers("mk,kn->mn", sizes, [i, u]),
        of_integers("km,kn->nm", sizes, [u, i]),
        of_integers("km,nk->mn", sizes, [u, u]),
        of_integers("mk,kn->mn", &[('m', 65), ('n', 67), ('k', 33)], [i, i]),
        of_integers("mk,kn->mn", &[('m', 1), ('n', 9), ('k', 1)], [i, i]),
        of_integers("bse,nehd->nbhsd", &[('b', 2), ('s', 12), ('e', 24), ('n', 3), ('h', 2), ('d', 8)], [i, i]),
    ];
    let (cases, expected) = wide_cases(specs, &mut rng);
    gpu::check(&cases, &expected, GpuArch::Sm80);
}

#[test]
pub fn pipelines_of_integers() {
    let (i, u) = (DType::I8, DType::U8);
    let sizes = |m: u64, n: u64, k: u64| [('b', 2), ('m', m), ('n', n), ('k', k)];
    let specs = vec![
        of_integers("mk,nk->mn", &sizes(136, 200, 144), [i, u]),
        of_integers("bmk,bnk->bnm", &sizes(64, 72, 784), [i, i]),
    ];
    check_integers(specs, GpuArch::Sm80, 32);
}

/// Sums of more than one slice, of which the last one is not whole; tiles that do not divide; factors of the first type by those of
/// the second.
fn of_eight_bits(i: DType, u: DType) -> Vec<KernelSpec> {
    let sizes = |m: u64, n: u64, k: u64| [('b', 2), ('m', m), ('n', n), ('k', k)];
    vec![
        of_integers("mk,nk->mn", &sizes(136, 200, 144), [i, u]),
        of_integers("bmk,bnk->bnm", &sizes(64, 72, 1040), [u, i]),
    ]
}

fn check_integers(specs: Vec<KernelSpec>, gpu: GpuArch, seed: u64) {
    let (cases, expected) = wide_cases(specs, &mut Rng(seed));
    check_tilings_of(&cases, &expected, gpu);
}

#[test]
#[ignore = "takes long, and the interpreter of PTX runs its cases by the text that ships (`ptx`)"]
pub fn slices_of_integers_are_fetched() {
    check_integers(of_eight_bits(DType::I8, DType::I8), GpuArch::Sm90a, 33);
    check_integers(of_eight_bits(DType::U8, DType::U8), GpuArch::Sm90a, 36);
}

#[test]
pub fn pipelines_of_warpgroups_of_integers() {
    check_integers(of_eight_bits(DType::I8, DType::I8).into_iter().map(by_threads).collect(), GpuArch::Sm90a, 34);
}

#[test]
pub fn sums_of_integers_in_tensor_memory() {
    check_integers(of_eight_bits(DType::I8, DType::U8), GpuArch::Sm100a, 35);
}

/// Along `k` bytes are multiplied as each GPU does best; across it by warps everywhere, as they are.
#[test]
fn integers_have_the_tilings_of_a_gpu() {
    let dot = |spec: &str, k: u64| match of_integers(spec, &[('m', 256), ('n', 256), ('k', k)], [DType::I8; 2]) {
        KernelSpec::Dot(dot) => dot,
        _ => panic!("a contraction"),
    };
    for gpu in GpuArch::ALL {
        let of = |spec: &str, k: u64| Tiling::of(&dot(spec, k), gpu, true);
        let along = of("mk,nk->mn", 1024);
        assert_eq!((along.k, along.warpgroups), (128, gpu == GpuArch::Sm90a));
        assert_eq!(along.in_tensor_memory(), gpu == GpuArch::Sm100a);
        let KernelSpec::Dot(mixed) =
            of_integers("mk,nk->mn", &[('m', 256), ('n', 256), ('k', 1024)], [DType::I8, DType::U8])
        else {
            panic!("a contraction")
        };
        assert!(!Tiling::of(&mixed, gpu, true).warpgroups);
        assert_eq!((of("mk,kn->mn", 1024).stages, of("mk,kn->mn", 1024).k), (0, 64));
        assert_eq!(of("mk,nk->mn", 33).k, 32);
    }
}

#[test]
pub fn nothing_has_to_divide() {
    let mut rng = Rng(12);
    let mut specs = Vec::new();
    for dtype in [DType::BF16, DType::F32] {
        for sizes in [[65, 67, 33], [1, 9, 1], [128, 1, 7]] {
            let [m, n, k] = sizes;
            specs.push(einsum("mk,kn->mn", &[('m', m), ('n', n), ('k', k)], dtype, true));
        }
    }
    check(specs, &mut rng);
}

#[test]
pub fn heads_and_batches() {
    let mut rng = Rng(13);
    let sizes: Sizes = &[('b', 2), ('s', 12), ('e', 24), ('n', 3), ('h', 2), ('d', 8), ('t', 12)];
    let mut specs = Vec::new();
    for dtype in [DType::BF16, DType::F32] {
        for spec in ["bse,nehd->nbhsd", "bhsd,bhtd->bhst", "bhsd,hde->bse", "bse,bsn->en"] {
            specs.push(einsum(spec, sizes, dtype, false));
        }
    }
    check(specs, &mut rng);
}

/// The large tiles, which only large results are given: two of them and a bit.
#[test]
pub fn large_tiles() {
    let mut rng = Rng(14);
    let mut specs = Vec::new();
    for dtype in [DType::BF16, DType::F32] {
        let sizes: Sizes = &[('b', 54), ('m', 4), ('n', 132), ('k', 16)];
        specs.push(einsum("bmk,bkn->bmn", sizes, dtype, false));
    }
    check(specs, &mut rng);
}

/// Long sums in parts: the two kernels together are the one, and each is its reference on the emulator.
#[test]
pub fn sums_in_parts() {
    let mut rng = Rng(18);
    let sizes: Sizes = &[('b', 2), ('m', 24), ('n', 8), ('h', 3), ('k', 1024)];
    let mut parts = Vec::new();
    for (spec, dtype, epilogue) in
        [("km,kn->mn", DType::BF16, true), ("bmk,bknh->bnhm", DType::F32, false), ("mk,nk->nm", DType::F32, true)]
    {
        let whole = einsum(spec, sizes, dtype, epilogue);
        let case = Case::random(whole.clone(), &mut rng, &[], 600.0);
        let KernelSpec::Dot(dot) = &whole else { panic!("a contraction") };
        let (partial, sum) = dot.split(GpuArch::Sm80).expect("few tiles, a long sum");
        assert_eq!(partial.batch[0], 2);
        let (partial, sum) = (KernelSpec::Dot(partial), KernelSpec::Column(sum));
        let mut expected = case.buffers.clone();
        whole.reference(&mut expected, &[]);
        let of_parts = vec![0.0; partial.args()[2].elements as usize];
        let mut first = vec![case.buffers[0].clone(), case.buffers[1].clone(), of_parts];
        partial.reference(&mut first, &[]);
        let mut second = [vec![first[2].clone()], case.buffers[2..].to_vec()].concat();
        sum.reference(&mut second, &[]);
        for (got, want) in second[1..].iter().flatten().zip(expected[2..].iter().flatten()) {
            assert!((got - want).abs() <= 0.01 * want.abs().max(1.0), "{got}, not {want}: {whole}");
        }
        parts.extend([partial, sum]);
    }
    let (cases, expected) = cases(parts, &mut rng);
    gpu::check(&cases, &expected, GpuArch::Sm80);
}

/// Pipelines through shared memory: operands along `k` and across it, tiles that are not whole, fewer slices than stages and more.
fn pipelines(gpu: GpuArch) {
    let mut rng = Rng(15);
    let sizes = |m: u64, n: u64, k: u64| [('b', 2), ('m', m), ('n', n), ('k', k)];
    let specs = vec![
        einsum("mk,nk->mn", &sizes(136, 264, 72), DType::BF16, true),
        einsum("km,kn->mn", &sizes(200, 72, 200), DType::F16, true),
        einsum("bmk,bkn->bmn", &sizes(64, 64, 392), DType::BF16, false),
    ];
    check_tilings(specs.into_iter().map(by_threads).collect(), gpu, &mut rng);
}

/// The same in 8 bits, where both operands lie along `k`.
fn pipelines_of_eight_bits(gpu: GpuArch) {
    let mut rng = Rng(17);
    let sizes = |m: u64, n: u64, k: u64| [('b', 2), ('m', m), ('n', n), ('k', k)];
    let specs = vec![
        einsum_of("mk,nk->mn", &sizes(136, 200, 144), [DType::F8E4M3, DType::F8E5M2], DType::BF16, true),
        einsum_of("bmk,bnk->bnm", &sizes(64, 72, 784), [DType::F8E4M3; 2], DType::F32, false),
    ];
    check_tilings(specs.into_iter().map(by_threads).collect(), gpu, &mut rng);
}

#[test]
pub fn pipelines_of_warpgroups() {
    pipelines(GpuArch::Sm90a);
}

#[test]
pub fn pipelines_of_warpgroups_of_eight_bits() {
    pipelines_of_eight_bits(GpuArch::Sm90a);
}

#[test]
pub fn pipelines_of_warps_of_eight_bits() {
    pipelines_of_eight_bits(GpuArch::Sm100a);
}

#[test]
pub fn pipelines_of_warps() {
    pipelines(GpuArch::Sm80);
}

/// Slices that the tensor memory accelerator brings: along `k` and across it, tails of every dim, sums shorter than the stages and
/// longer, several tiles for a block, batches, rows and summed dims that are several, in parts of a box and whole.
fn fetched() -> Vec<KernelSpec> {
    let sizes = |m: u64, n: u64, k: u64| [('b', 2), ('m', m), ('n', n), ('k', k)];
    let heads: Sizes = &[('b', 3), ('s', 32), ('h', 2), ('d', 64), ('n', 72), ('t', 48)];
    vec![
        einsum("mk,nk->mn", &sizes(136, 264, 72), DType::BF16, true),
        einsum("km,kn->mn", &sizes(200, 72, 200), DType::F16, true),
        einsum("bmk,bkn->bmn", &sizes(64, 64, 520), DType::BF16, false),
        einsum("bmk,nk->nbm", &sizes(72, 40, 24), DType::F16, false),
        einsum("bhsd,hdn->bsn", heads, DType::BF16, false),
        einsum("bshd,bthd->bhst", heads, DType::BF16, true),
        einsum("bst,bshd->bhdt", heads, DType::F16, false),
    ]
}

#[test]
#[ignore = "takes long, and the interpreter of PTX runs its cases by the text that ships (`ptx`)"]
pub fn slices_are_fetched() {
    check_tilings(fetched(), GpuArch::Sm90a, &mut Rng(19));
}

/// Slices of f32, along `k` and across it, that become tf32 where they lie: squares that are not whole, both operands in all four ways, sums
/// shorter than the stages and longer, several tiles for a block.
#[test]
pub fn slices_are_rounded() {
    let sizes = |m: u64, n: u64, k: u64| [('b', 2), ('m', m), ('n', n), ('k', k)];
    let specs = [
        einsum("mk,nk->mn", &sizes(136, 264, 36), DType::F32, true),
        einsum("km,kn->mn", &sizes(200, 72, 260), DType::F32, true),
        einsum("bmk,bkn->bmn", &sizes(64, 160, 100), DType::F32, false),
        einsum("bkm,bnk->bnm", &sizes(72, 40, 136), DType::F32, false),
    ];
    check_tilings(specs.map(in_tf32).to_vec(), GpuArch::Sm90a, &mut Rng(23));
}

/// The same with sums in tensor memory: of several tiles for a block, those of one are stored while the next one is multiplied.
#[test]
pub fn sums_in_tensor_memory() {
    check_tilings(fetched(), GpuArch::Sm100a, &mut Rng(22));
}

/// `gelu(acc + bias[n])` and its argument, or `residual[m, n] + acc + bias[n]`, as transformers have them; what a tile reads and writes lies in
/// whole vectors.
pub fn transformer(sizes: [u64; 3], dtype: DType, residual: bool) -> KernelSpec {
    let [m, n, k] = sizes;
    let mut body = Body::new(&[dtype, dtype, dtype, DType::F32, dtype]);
    let (acc, whole) = (body.node(Node::Acc), Access::new(2, &[n as i64, 1]));
    let bias = body.leaf(Access::new(3, &[0, 1]));
    let x = body.elem(Elem::Add, &[acc, bias]);
    if residual {
        let r = body.leaf(Access { buffer: 4, ..whole.clone() });
        let r = body.convert(r, DType::F32);
        let y = body.elem(Elem::Add, &[r, x]);
        let y = body.convert(y, dtype);
        body.output(y, whole);
    } else {
        let number = |body: &mut Body, x: f64| body.constant(DType::F32, x);
        let (half, one, scale) = (number(&mut body, 0.5), number(&mut body, 1.0), number(&mut body, 0.796875));
        let u = body.elem(Elem::Multiply, &[x, scale]);
        let t = body.elem(Elem::Tanh, &[u]);
        let t = body.elem(Elem::Add, &[one, t]);
        let h = body.elem(Elem::Multiply, &[half, x]);
        let y = body.elem(Elem::Multiply, &[h, t]);
        let (y, x) = (body.convert(y, dtype), body.convert(x, dtype));
        body.output(y, whole.clone());
        body.output(x, Access { buffer: 4, ..whole });
    }
    let (a, b) = (Access::new(0, &[k as i64, 1]), Access::new(1, &[1, n as i64]));
    let of = |n| vec![n];
    KernelSpec::Dot(Dot { batch: vec![], m: of(m), n: of(n), k: of(k), a, b, body, by_threads: false, tf32: false })
}

fn transformers() -> Vec<KernelSpec> {
    vec![
        transformer([256, 384, 136], DType::BF16, true),
        transformer([256, 384, 72], DType::F16, false),
        transformer([200, 192, 328], DType::BF16, true),
        transformer([136, 264, 72], DType::BF16, false),
    ]
}

/// Epilogues that read other tensors ahead, of tiles that are whole and of tiles that are not, by warpgroups together and in turn, more
/// tiles than a block's warpgroups take at once.
#[test]
#[ignore = "takes long, and the interpreter of PTX runs its cases by the text that ships (`ptx`)"]
pub fn results_are_finished_in_turn() {
    check_tilings(transformers(), GpuArch::Sm90a, &mut Rng(22));
}

#[test]
pub fn results_from_tensor_memory() {
    check_tilings(transformers(), GpuArch::Sm100a, &mut Rng(24));
}

/// Tiles of the products of a transformer on 132 processors.
#[test]
fn tiles_fill_the_processors() {
    let tiling = |spec: &KernelSpec| match spec {
        KernelSpec::Dot(dot) => Tiling::of(dot, GpuArch::Sm90a, true),
        _ => panic!("a contraction"),
    };
    let of = |sizes, residual| {
        let t = tiling(&transformer(sizes, DType::BF16, residual));
        tiling_name(&t)
    };
    // Long sums: large tiles.
    assert_eq!(of([8192, 8192, 8192], true), "128_256");
    assert_eq!(of([8192, 1024, 4096], true), "128_256");
    // Short sums, of which much is made; an odd number of tiles above each other is not in pairs.
    assert_eq!(of([8192, 4096, 1024], false), "128_128_turns_pairs");
    assert_eq!(of([8064, 16384, 512], false), "128_128_turns");
    // 96 tiles of 128 x 256 would leave 36 processors without any.
    assert_eq!(of([1024, 3072, 8192], true), "128_192");
    // Few results: as many tiles as there are, or large ones for parts of the sums.
    assert_eq!(of([1024, 1024, 8192], true), "64_128");
    let parts = |sizes| match transformer(sizes, DType::BF16, true) {
        KernelSpec::Dot(dot) => dot.parts(GpuArch::Sm90a),
        _ => panic!("a contraction"),
    };
    assert_eq!([[1024, 1024, 8192], [1024, 3072, 8192], [512, 512, 1024], [8192, 1024, 1024]].map(parts), [2, 1, 1, 1]);
}

/// The same where tensor memory has the sums: the wider the tile, the less is read for a product.
#[test]
fn tiles_fill_the_processors_of_blackwell() {
    let of = |sizes, residual| match transformer(sizes, DType::BF16, residual) {
        KernelSpec::Dot(dot) => tiling_name(&Tiling::of(&dot, GpuArch::Sm100a, true)),
        _ => panic!("a contraction"),
    };
    assert_eq!(of([8192, 8192, 8192], true), "128_256");
    assert_eq!(of([8192, 4096, 1024], false), "128_256");
    assert_eq!(of([1024, 3072, 8192], true), "128_256");
    // Few results: as many tiles as there are.
    assert_eq!(of([1024, 1024, 8192], true), "128_64");
}

/// A box that never comes ends the kernel, which says what it waited for.
#[test]
pub fn what_never_comes_is_named() {
    // Kernels that are packed for a GPU elsewhere do not run here.
    if std::env::var_os("MESHLOOM_KERNEL_PACK").is_some() {
        return;
    }
    let spec = einsum("mk,nk->mn", &[('m', 64), ('n', 64), ('k', 64)], DType::BF16, true);
    let lost = std::thread::spawn(move || {
        gpu::lose_boxes();
        check_tilings(vec![spec], GpuArch::Sm90a, &mut Rng(21));
    });
    let message = lost.join().expect_err("the kernel waits for ever").downcast::<String>().expect("a message");
    assert!(message.starts_with("block 0 waited in vain: the barrier at byte "), "{message}");
    assert!(message.ends_with("of shared memory, phase of parity 0"), "{message}");
}

fn fetched_of_eight_bits() -> Vec<KernelSpec> {
    let sizes = |m: u64, n: u64, k: u64| [('b', 2), ('m', m), ('n', n), ('k', k)];
    vec![
        einsum_of("mk,nk->mn", &sizes(136, 200, 144), [DType::F8E4M3, DType::F8E5M2], DType::BF16, true),
        einsum_of("bmk,bnk->bnm", &sizes(64, 72, 1040), [DType::F8E5M2, DType::F8E4M3], DType::F32, false),
    ]
}

#[test]
#[ignore = "takes long, and the interpreter of PTX runs its cases by the text that ships (`ptx`)"]
pub fn slices_of_eight_bits_are_fetched() {
    check_tilings(fetched_of_eight_bits(), GpuArch::Sm90a, &mut Rng(20));
}

#[test]
#[ignore = "takes long, and the interpreter of PTX runs its cases by the text that ships (`ptx`)"]
pub fn sums_of_eight_bits_in_tensor_memory() {
    check_tilings(fetched_of_eight_bits(), GpuArch::Sm100a, &mut Rng(23));
}
