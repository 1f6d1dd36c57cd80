//! Attention for GPUs against the reference, on the emulator: tiles that sequences and heads do not fill, several of them, groups,
//! windows, segments, blocks of longer sequences, operands beside each other, large tiles.
//!
//! The suite has an even part of the matrix; `MESHLOOM_GPU_ATTENTION=1` runs all of it, and any other number one in so many.

use crate::support;
use crate::support::{Case, Rng, gpu};
use meshloom_kernels::attention::{Attention, AttentionBackward, AttentionShape, Strides};
use meshloom_kernels::gpu::Grid;
use meshloom_kernels::target::AttentionTiles;
use meshloom_kernels::{DType, GpuArch, KernelSpec};

const DTYPES: [DType; 3] = [DType::BF16, DType::F16, DType::F32];

/// What of the matrix the suite has: one in so many, from a different one on for each list.
const PART: usize = 37;

fn asked() -> Option<usize> {
    std::env::var("MESHLOOM_GPU_ATTENTION").ok().and_then(|n| n.parse().ok())
}

fn part<T>(from: usize, all: Vec<T>) -> Vec<T> {
    let part = asked().unwrap_or(PART).max(1);
    all.into_iter().skip(from % part).step_by(part).collect()
}

/// One of every three and a different one each time, where the suite has a part.
fn in_turns<T>(all: Vec<T>) -> Vec<T> {
    let some = |i: &usize| asked().is_some() || i % 3 == i / 3 % 3;
    all.into_iter().enumerate().filter(|(i, _)| some(i)).map(|x| x.1).collect()
}

fn shape(dtype: DType, [batch, heads, group]: [u64; 3], [q_len, kv_len]: [u64; 2], head: u64) -> AttentionShape {
    AttentionShape {
        dtype,
        batch,
        heads,
        group,
        q_len,
        kv_len,
        head,
        value: head,
        causal: false,
        window: 0,
        segments: None,
        shifted: false,
        scale: (head as f64).powf(-0.5).to_bits(),
        by_threads: false,
    }
}

/// `[b, s, h, g, d]`.
fn beside(s: &AttentionShape, group: u64, len: u64, row: u64) -> Strides {
    let (h, g, n, d) = (s.heads as i64, group as i64, len as i64, row as i64);
    Strides { offset: 0, batch: n * h * g * d, head: g * d, group: if g > 1 { d } else { 0 }, seq: h * g * d }
}

/// `[b, h, g, s, d]`.
fn apart(s: &AttentionShape, group: u64, len: u64, row: u64) -> Strides {
    let (h, g, n, d) = (s.heads as i64, group as i64, len as i64, row as i64);
    Strides { offset: 0, batch: h * g * n * d, head: g * n * d, group: if g > 1 { n * d } else { 0 }, seq: d }
}

type Layout = fn(&AttentionShape, u64, u64, u64) -> Strides;

/// Masks: causal, window, segments.
const MASKS: [(bool, u64, bool); 8] = [
    (false, 0, false),
    (true, 0, false),
    (true, 20, false),
    (false, 33, false),
    (true, 0, true),
    (false, 0, true),
    (true, 70, true),
    (true, 1, false),
];

/// Every size with every mask, in both layouts by turns; then blocks of longer sequences.
fn shapes() -> Vec<(AttentionShape, Vec<i64>, Layout)> {
    // Head and value: whole fragments, ends within them, odd ones.
    let heads = [[16, 16], [64, 64], [128, 128], [24, 40], [20, 20], [5, 3], [80, 96]];
    let sizes = [([1, 2, 3], 150), ([2, 1, 1], 64), ([1, 2, 2], 65), ([1, 1, 4], 7)];
    let mut all: Vec<(AttentionShape, Vec<i64>, Layout)> = Vec::new();
    for dtype in DTYPES {
        for (h, [head, value]) in heads.into_iter().enumerate() {
            for (m, (causal, window, segments)) in MASKS.into_iter().enumerate() {
                let (counts, len) = sizes[(h + m) % sizes.len()];
                let segments =
                    segments.then_some([Strides { offset: 0, batch: len as i64, head: 0, group: 0, seq: 1 }; 2]);
                let s = AttentionShape { value, causal, window, segments, ..shape(dtype, counts, [len; 2], head) };
                all.push((s, vec![], if (h + m) % 2 == 0 { apart } else { beside }));
            }
        }
        for (lens, at, causal, window) in [
            ([9, 130], vec![70, 0], true, 0),
            ([100, 300], vec![200, 0], true, 90),
            ([64, 256], vec![128, 0], false, 50),
            ([1, 70], vec![69, 0], true, 0),
        ] {
            let s = AttentionShape { causal, window, shifted: true, ..shape(dtype, [1, 2, 2], lens, 32) };
            all.push((s, at, apart));
        }
        for lens in [[5, 40], [130, 9]] {
            all.push((shape(dtype, [1, 2, 1], lens, 64), vec![], beside));
        }
        // A negative scale turns the order of scores.
        all.push((
            AttentionShape { scale: (-0.3f64).to_bits(), ..shape(dtype, [1, 1, 1], [40; 2], 16) },
            vec![],
            apart,
        ));
    }
    all
}

/// Enough queries for the large tiles, with and without fragments that stay.
fn large() -> Vec<(AttentionShape, Vec<i64>, Layout)> {
    let mut all: Vec<(AttentionShape, Vec<i64>, Layout)> = Vec::new();
    for dtype in [DType::BF16, DType::F32] {
        for (head, causal) in [(32, true), (128, true), (64, false)] {
            let s = AttentionShape { causal, ..shape(dtype, [9, 1, 3], [136; 2], head) };
            all.push((s, vec![], beside));
        }
    }
    all
}

fn forward_of(s: AttentionShape, layout: Layout) -> Attention {
    let (q, o) = (layout(&s, s.group, s.q_len, s.head), layout(&s, s.group, s.q_len, s.value));
    let (k, v) = (layout(&s, 1, s.kv_len, s.head), layout(&s, 1, s.kv_len, s.value));
    Attention { shape: s, q, k, v, o, lse: layout(&s, s.group, s.q_len, 1) }
}

/// Numbers that rise with the position: of documents one after the other, the same for queries and keys.
fn documents(case: &mut Case, s: &AttentionShape, rng: &mut Rng) {
    if s.segments.is_some() {
        for b in 0..s.batch as usize {
            let mut number = -3.0;
            for i in 0..s.q_len as usize {
                number += f64::from(rng.below(20) == 0);
                let at = b * s.q_len as usize + i;
                (case.buffers[3][at], case.buffers[4][at]) = (number, number);
            }
        }
    }
}

fn check(cases: &[Case]) {
    gpu::check(cases, &support::expected(cases), GpuArch::Sm80);
}

fn forward_cases(all: Vec<(AttentionShape, Vec<i64>, Layout)>, rng: &mut Rng) -> Vec<Case> {
    let case = |(s, at, layout): (AttentionShape, Vec<i64>, Layout)| {
        let mut case = Case::random(KernelSpec::Attention(forward_of(s, layout)), rng, &at, 64.0);
        documents(&mut case, &s, rng);
        case
    };
    all.into_iter().map(case).collect()
}

fn backward_cases(all: Vec<(AttentionShape, Vec<i64>, Layout)>, rng: &mut Rng) -> Vec<Case> {
    let case = |(s, at, layout): (AttentionShape, Vec<i64>, Layout)| {
        let forward = forward_of(s, layout);
        let Attention { shape, q, k, v, o, lse } = forward;
        let spec = AttentionBackward { shape, q, k, v, o, lse, d_o: o, dq: q, dk: k, dv: v };
        let mut case = Case::random(KernelSpec::AttentionBackward(spec), rng, &at, 400.0);
        documents(&mut case, &s, rng);
        let o = s.inputs() as usize;
        if at.get(1).is_none_or(|&k| k == 0) {
            let mut buffers = case.buffers[..o + 2].to_vec();
            KernelSpec::Attention(forward).reference(&mut buffers, &at);
            case.buffers[..o + 2].clone_from_slice(&buffers);
            // Queries that see nothing: any number does.
            case.buffers[o..o + 2].iter_mut().flatten().filter(|x| x.is_nan()).for_each(|x| *x = 0.0);
        } else {
            // That of all keys, of which these are some: large enough for probabilities below 1.
            case.buffers[o + 1].fill(4.0);
        }
        case
    };
    all.into_iter().map(case).collect()
}

/// And blocks of which queries see nothing.
fn backward_shapes() -> Vec<(AttentionShape, Vec<i64>, Layout)> {
    let mut all = shapes();
    for (lens, at, causal, window) in
        [([64, 100], vec![0, 40], true, 0), ([100, 64], vec![0, 90], true, 30), ([40, 64], vec![200, 0], false, 20)]
    {
        for dtype in [DType::BF16, DType::F32] {
            let s = AttentionShape { causal, window, shifted: true, ..shape(dtype, [1, 2, 2], lens, 24) };
            all.push((s, at.clone(), beside));
        }
    }
    all
}

/// Tiles that see nothing, and that nothing sees, before others that a block takes after them: copies of the first are over when those
/// of the next begin.
#[test]
#[ignore = "takes long, and the interpreter of PTX runs its cases by the text that ships (`ptx`)"]
pub fn empty_tiles() {
    let mut all: Vec<(AttentionShape, Vec<i64>, Layout)> = Vec::new();
    for (lens, at, causal, window) in
        [([200, 70], vec![0, 0], true, 20), ([70, 200], vec![0, 0], true, 0), ([130, 130], vec![300, 0], false, 20)]
    {
        for (dtype, head) in [(DType::BF16, 128), (DType::BF16, 24), (DType::F32, 24)] {
            let s = AttentionShape { causal, window, shifted: true, ..shape(dtype, [1, 2, 1], lens, head) };
            all.push((s, at.clone(), beside));
        }
    }
    // Each of the sizes once in the suite, each with another type and head.
    let all = in_turns(all);
    let cases = forward_cases(all.clone(), &mut Rng(46));
    let mut expected = support::expected(&cases);
    for (case, expected) in cases.iter().zip(&mut expected) {
        let KernelSpec::Attention(s) = &case.spec else { continue };
        // The sum of no exponentials is 0.
        let lse = &mut expected[s.shape.inputs() as usize + 1];
        lse.iter_mut().filter(|x| x.is_nan()).for_each(|x| *x = f64::NEG_INFINITY);
    }
    gpu::check(&cases, &expected, GpuArch::Sm80);
    check(&backward_cases(all, &mut Rng(47)));
}

#[test]
pub fn backward() {
    check(&backward_cases(part(4, backward_shapes()), &mut Rng(42)));
}

/// Heads whose sums two blocks share.
#[test]
pub fn long_heads() {
    let mut all: Vec<(AttentionShape, Vec<i64>, Layout)> = Vec::new();
    for (dtype, [head, value], causal) in [(DType::BF16, [256, 256], true), (DType::F16, [192, 128], false)] {
        let s = AttentionShape { value, causal, ..shape(dtype, [1, 1, 1], [70; 2], head) };
        all.push((s, vec![], beside));
    }
    check(&forward_cases(all.clone(), &mut Rng(43)));
    check(&backward_cases(all, &mut Rng(44)));
}

#[test]
pub fn forward() {
    check(&forward_cases(part(0, shapes()), &mut Rng(40)));
}

#[test]
pub fn forward_of_large_tiles() {
    check(&forward_cases(part(1, large()), &mut Rng(41)));
}

/// On the tiles for warpgroups, which are fetched; causal ones in pairs, too.
fn check_fetched(cases: &[Case]) {
    check_fetched_to(cases, &support::expected(cases));
}

fn check_fetched_to(cases: &[Case], expected: &[Vec<Vec<f64>>]) {
    gpu::check_grids(cases, expected, GpuArch::Sm90a, &|spec| {
        let grid = |paired: bool| match spec {
            KernelSpec::Attention(s) => {
                let tiles = s.fetched_tiles().unwrap_or_else(|| panic!("its tiles are not fetched: {spec}"));
                Grid::attention_tiled(s, AttentionTiles { paired, ..tiles }, true)
            }
            KernelSpec::AttentionBackward(s) => {
                let tiles = s.fetched_tiles().unwrap_or_else(|| panic!("its tiles are not fetched: {spec}"));
                Grid::attention_backward_tiled(s, AttentionTiles { paired, ..tiles }, true)
            }
            other => panic!("no attention: {other}"),
        };
        let named =
            |paired: bool| (format!("{}_{}", spec.symbol(), if paired { "paired" } else { "single" }), grid(paired));
        [false, true].map(named).into()
    });
}

/// Tiles that sequences and heads do not fill, groups, windows, blocks of longer sequences; several tiles for each block.
fn fetched() -> Vec<(AttentionShape, Vec<i64>, Layout)> {
    let (bf16, f16) = (DType::BF16, DType::F16);
    let of = |dtype, counts, lens, head, causal, window, at: &[i64], layout: Layout| {
        let s = AttentionShape { causal, window, shifted: !at.is_empty(), ..shape(dtype, counts, lens, head) };
        (s, at.to_vec(), layout)
    };
    let packed = |counts, len: u64, head, causal, window, layout: Layout| {
        let at = Strides { offset: 0, batch: len as i64, head: 0, group: 0, seq: 1 };
        (
            AttentionShape { causal, window, segments: Some([at; 2]), ..shape(bf16, counts, [len; 2], head) },
            vec![],
            layout,
        )
    };
    let negative = AttentionShape { value: 128, scale: (-0.3f64).to_bits(), ..shape(bf16, [1, 1, 1], [64, 130], 96) };
    vec![
        of(bf16, [1, 1, 1], [256, 256], 128, true, 0, &[], beside),
        of(f16, [2, 1, 2], [200, 200], 64, true, 0, &[], beside),
        of(bf16, [1, 2, 1], [130, 300], 64, false, 0, &[], apart),
        of(bf16, [1, 1, 1], [300, 300], 64, true, 150, &[], beside),
        of(bf16, [1, 1, 2], [140, 390], 72, true, 0, &[200, 0], apart),
        (negative, vec![], beside),
        packed([2, 1, 2], 200, 64, true, 0, beside),
        packed([1, 1, 1], 150, 128, false, 70, apart),
    ]
}

#[test]
#[ignore = "takes long, and the interpreter of PTX runs its cases by the text that ships (`ptx`)"]
pub fn tiles_are_fetched() {
    let mut all = fetched();
    let long = AttentionShape { window: 40, shifted: true, ..shape(DType::F16, [1, 1, 1], [70, 170], 256) };
    all.push((long, vec![60, 0], beside));
    let at = Strides { offset: 0, batch: 100, head: 0, group: 0, seq: 1 };
    let packed =
        AttentionShape { causal: true, segments: Some([at; 2]), ..shape(DType::BF16, [1, 1, 1], [100; 2], 256) };
    all.push((packed, vec![], beside));
    check_fetched(&forward_cases(all, &mut Rng(48)));
}

#[test]
#[ignore = "takes long, and the interpreter of PTX runs its cases by the text that ships (`ptx`)"]
pub fn tiles_are_fetched_for_gradients() {
    let mut all = fetched();
    // Two blocks have the columns of a tile.
    let halves = AttentionShape { causal: true, ..shape(DType::BF16, [1, 1, 1], [140; 2], 256) };
    all.extend([
        (halves, vec![], beside as Layout),
        (AttentionShape { head: 128, causal: false, ..halves }, vec![], apart),
        (AttentionShape { segments: packed_rows(140), ..halves }, vec![], beside),
    ]);
    check_fetched(&backward_cases(all, &mut Rng(49)));
}

/// Operands of 8 bits: tiles are f16, which has all of their numbers. A result is off by at most a step of its type.
#[test]
pub fn operands_of_eight_bits() {
    let of = |dtype, counts, lens, head, causal, segments| {
        (AttentionShape { causal, segments, ..shape(dtype, counts, lens, head) }, vec![], beside as Layout)
    };
    let (e4m3, e5m2) = (DType::F8E4M3, DType::F8E5M2);
    let all = vec![
        of(e4m3, [1, 2, 1], [150; 2], 64, true, None),
        of(e4m3, [1, 1, 2], [70; 2], 128, true, None),
        of(e5m2, [2, 1, 2], [65; 2], 32, false, packed_rows(65)),
        of(e4m3, [1, 1, 1], [40, 70], 20, false, None),
    ];
    let cases = forward_cases(all, &mut Rng(51));
    // Threads copy them, whatever fetches others.
    let fetched = cases.iter().any(|c| Grid::of(&c.spec, GpuArch::Sm90a, true).tiles.producers > 0);
    assert!(!fetched && cases.iter().all(|c| Grid::of(&c.spec, GpuArch::Sm90a, true).tiles.rows > 0));
    check(&cases);
    support::check_in_turns(&cases);
}

fn packed_rows(len: i64) -> Option<[Strides; 2]> {
    Some([Strides { offset: 0, batch: len, head: 0, group: 0, seq: 1 }; 2])
}

/// Three documents, each as long as tiles are, the second of which has NaN for values and for gradients of outputs: a tile of it that
/// another one's rows went through would make NaN of these, for 0 times NaN is NaN. And what comes out.
fn poisoned(dtype: DType, causal: bool, rng: &mut Rng) -> (Vec<Case>, Vec<Vec<Vec<f64>>>) {
    const TILE: usize = 128;
    let s = AttentionShape { causal, segments: packed_rows(3 * 128), ..shape(dtype, [1, 1, 1], [3 * 128; 2], 64) };
    let forward = forward_of(s, apart);
    let Attention { shape, q, k, v, o, lse } = forward;
    let spec = AttentionBackward { shape, q, k, v, o, lse, d_o: o, dq: q, dk: k, dv: v };
    let mut cases = vec![
        Case::random(KernelSpec::Attention(forward), rng, &[], 64.0),
        Case::random(KernelSpec::AttentionBackward(spec), rng, &[], 400.0),
    ];
    for case in &mut cases {
        for i in 0..3 * TILE {
            // Numbers need not rise.
            let number = [5.0, -2.0, 7.0][i / TILE];
            (case.buffers[3][i], case.buffers[4][i]) = (number, number);
        }
    }
    // Outputs and log-sum-exps that fit the values.
    let mut buffers = cases[1].buffers[..7].to_vec();
    cases[0].spec.reference(&mut buffers, &[]);
    cases[1].buffers[..7].clone_from_slice(&buffers);
    let mut expected = support::expected(&cases);
    let second = TILE * 64..2 * TILE * 64;
    let mut poison = |of: usize, given: &[usize], made: &[usize]| {
        given.iter().chain(made).for_each(|&i| expected[of][i][second.clone()].fill(f64::NAN));
        given.iter().for_each(|&i| cases[of].buffers[i][second.clone()].fill(f64::NAN));
    };
    poison(0, &[2], &[5]);
    poison(1, &[2, 7], &[8, 9, 10]);
    (cases, expected)
}

#[test]
#[ignore = "takes long, and the interpreter of PTX runs its cases by the text that ships (`ptx`)"]
pub fn tiles_between_documents_are_passed_over() {
    let mut rng = Rng(50);
    for (dtype, causal) in [(DType::BF16, true), (DType::F32, false)] {
        let (cases, expected) = poisoned(dtype, causal, &mut rng);
        gpu::check(&cases, &expected, GpuArch::Sm80);
    }
    for (dtype, causal) in [(DType::BF16, false), (DType::F16, true)] {
        let (cases, expected) = poisoned(dtype, causal, &mut rng);
        check_fetched_to(&cases, &expected);
    }
}
