//! Attention, forward and backward, against the reference: sequences and heads that fill no tile, several blocks of keys, layouts in
//! which q, k, v are interleaved, with and without a causal mask; groups of queries, windows, segments, and blocks of longer
//! sequences; in the types that are computed in, and in 16 bits, where the reference rounds results once and nothing else.

use crate::support::{Case, Rng, check_in_turns};
use meshloom_kernels::attention::{Attention, AttentionBackward, AttentionShape, Strides};
use meshloom_kernels::{DType, KernelSpec};

const DTYPES: [DType; 4] = [DType::F32, DType::F64, DType::BF16, DType::F16];

/// All of a list, or the beginning for 16 bits: what differs there is how operands are read and written.
fn few<T: Copy>(dtype: DType, all: &[T]) -> impl Iterator<Item = T> {
    let n = match dtype {
        DType::BF16 => 2,
        DType::F16 => 1,
        _ => all.len(),
    };
    all.iter().copied().take(n)
}

/// `[b, h, s, d]`.
fn split(heads: u64, len: u64, head: u64) -> Strides {
    let (h, s, d) = (heads as i64, len as i64, head as i64);
    Strides { offset: 0, batch: h * s * d, head: s * d, group: 0, seq: d }
}

/// `[b, s, 3, h, d]`, the `part`th of three.
fn joined(heads: u64, len: u64, head: u64, part: i64) -> Strides {
    let (h, s, d) = (heads as i64, len as i64, head as i64);
    Strides { offset: part * h * d, batch: 3 * s * h * d, head: d, group: 0, seq: 3 * h * d }
}

fn shape(dtype: DType, heads: u64, [q_len, kv_len]: [u64; 2], head: u64, causal: bool) -> AttentionShape {
    let scale = (head as f64).powf(-0.5).to_bits();
    AttentionShape {
        dtype,
        batch: 2,
        heads,
        group: 1,
        q_len,
        kv_len,
        head,
        value: head,
        causal,
        window: 0,
        segments: None,
        shifted: false,
        scale,
        by_threads: false,
    }
}

/// `[b, s, h, g, d]`: heads of queries beside each other, as a model dim that was split has them.
fn grouped(s: &AttentionShape, len: u64, row: u64) -> Strides {
    let (h, g, n, d) = (s.heads as i64, s.group as i64, len as i64, row as i64);
    Strides { offset: 0, batch: n * h * g * d, head: g * d, group: d, seq: h * g * d }
}

/// `[b, s]`.
fn numbers(len: u64) -> Strides {
    Strides { offset: 0, batch: len as i64, head: 0, group: 0, seq: 1 }
}

/// Groups, windows, segments and heads of two sizes, alone and together; where blocks begin.
fn masked() -> Vec<(AttentionShape, Vec<i64>)> {
    let mut all = Vec::new();
    for dtype in DTYPES {
        let sizes = [(33, 8, 8), (7, 5, 3), (150, 8, 20), (64, 16, 16)];
        for (i, (len, head, value)) in few(dtype, &sizes).enumerate() {
            let masks = [
                (3, true, 0, false),
                (2, false, 0, false),
                (1, true, 1, false),
                (1, true, 5, false),
                (2, true, 24, false),
                (1, false, 9, false),
                (2, false, 40, false),
                (1, true, 0, true),
                (2, false, 0, true),
                (4, true, 20, true),
                (1, false, 3, true),
            ];
            // Each mask with half of the sizes, where a type has several.
            for &(group, causal, window, segments) in masks.iter().skip(i % 2).step_by(2) {
                let base = shape(dtype, 2, [len, len], head, causal);
                let segments = segments.then(|| [numbers(len); 2]);
                all.push((AttentionShape { group, value, window, segments, ..base }, vec![]));
            }
        }
        // Blocks of queries and of keys; the last two have queries that see no key, and keys that no query sees.
        let blocks = [
            ([9, 30], [3, 0], true, 7),
            ([16, 64], [32, 0], true, 10),
            ([16, 64], [48, 0], false, 20),
            ([160, 320], [160, 0], true, 130),
            ([320, 160], [0, 160], true, 150),
            ([64, 16], [0, 16], true, 12),
            ([40, 16], [0, 32], false, 6),
        ];
        for (lens, at, causal, window) in few(dtype, &blocks) {
            let base = shape(dtype, 2, lens, 8, causal);
            all.push((AttentionShape { group: 2, window, shifted: true, ..base }, at.to_vec()));
        }
    }
    all
}

fn forward_of(s: AttentionShape) -> Attention {
    let (q, o) = (grouped(&s, s.q_len, s.head), grouped(&s, s.q_len, s.value));
    let (k, v) = (split(s.heads, s.kv_len, s.head), split(s.heads, s.kv_len, s.value));
    Attention { shape: s, q, k, v, o, lse: grouped(&s, s.q_len, 1) }
}

/// Numbers that rise with the position: of documents one after the other, the same for queries and keys.
fn documents(case: &mut Case, s: &AttentionShape, rng: &mut Rng) {
    if s.segments.is_some() {
        for b in 0..s.batch as usize {
            let mut number = -3.0;
            for i in 0..s.q_len as usize {
                number += f64::from(rng.below(6) == 0);
                let at = b * s.q_len as usize + i;
                (case.buffers[3][at], case.buffers[4][at]) = (number, number);
            }
        }
    }
}

#[test]
fn forward_of_groups_windows_and_segments() {
    let mut rng = Rng(32);
    let mut cases = Vec::new();
    // A query that sees nothing has no softmax: such blocks are for the backward pass alone.
    for (s, at) in masked().into_iter().filter(|(_, at)| at.get(1).is_none_or(|&k| k == 0)) {
        let mut case = Case::random(KernelSpec::Attention(forward_of(s)), &mut rng, &at, 64.0);
        documents(&mut case, &s, &mut rng);
        cases.push(case);
    }
    check_in_turns(&cases);
}

#[test]
fn backward_of_groups_windows_and_segments() {
    let mut rng = Rng(33);
    let mut cases = Vec::new();
    for (s, at) in masked() {
        let forward = forward_of(s);
        let Attention { shape, q, k, v, o, lse } = forward;
        let spec = AttentionBackward { shape, q, k, v, o, lse, d_o: o, dq: q, dk: k, dv: v };
        let mut case = Case::random(KernelSpec::AttentionBackward(spec), &mut rng, &at, 400.0);
        documents(&mut case, &s, &mut rng);
        let o = s.inputs() as usize;
        if at.get(1).is_none_or(|&k| k == 0) {
            let mut buffers = case.buffers[..o + 2].to_vec();
            KernelSpec::Attention(forward).reference(&mut buffers, &at);
            case.buffers[..o + 2].clone_from_slice(&buffers);
        } else {
            // That of all keys, of which these are some: large enough for probabilities below 1.
            case.buffers[o + 1].fill(4.0);
        }
        cases.push(case);
    }
    check_in_turns(&cases);
}

/// Blocks of longer sequences, and where they begin. The last ones have queries that see none of the keys.
fn blocks() -> Vec<(AttentionShape, [i64; 2])> {
    let mut all = Vec::new();
    for dtype in DTYPES {
        let blocks = [
            ([16, 64], 16, [48, 0]),
            ([16, 64], 16, [0, 0]),
            ([32, 256], 32, [96, 0]),
            ([5, 20], 8, [10, 0]),
            ([7, 21], 5, [14, 0]),
            ([1, 9], 4, [8, 0]),
            ([128, 256], 16, [128, 0]),
            ([64, 16], 16, [0, 16]),
            ([64, 16], 16, [0, 48]),
            ([20, 5], 8, [0, 10]),
            ([20, 7], 8, [32, 48]),
            ([256, 160], 16, [0, 96]),
            ([24, 16], 8, [0, 64]),
            ([24, 16], 8, [64, 0]),
        ];
        for (lens, head, at) in few(dtype, &blocks) {
            all.push((AttentionShape { shifted: true, ..shape(dtype, 3, lens, head, true) }, at));
        }
    }
    all
}

fn shapes() -> Vec<AttentionShape> {
    let mut shapes = Vec::new();
    let sizes = [(33, 17), (130, 24), (32, 16), (64, 32), (1, 1), (7, 5), (20, 64), (300, 8), (40, 100)];
    for dtype in DTYPES {
        for (len, head) in few(dtype, &sizes).filter(|&(len, _)| len < 100 || dtype != DType::F64) {
            shapes.extend([false, true].map(|causal| shape(dtype, 3, [len, len], head, causal)));
        }
    }
    shapes.push(shape(DType::F32, 1, [5, 40], 16, false));
    shapes.push(shape(DType::F32, 2, [40, 9], 12, false));
    shapes
}

fn lse(s: &AttentionShape) -> Strides {
    split(s.heads, s.q_len, 1)
}

#[test]
fn forward() {
    let mut rng = Rng(30);
    let mut cases = Vec::new();
    for s in shapes() {
        let (q, kv) = (split(s.heads, s.q_len, s.head), split(s.heads, s.kv_len, s.head));
        let spec = KernelSpec::Attention(Attention { shape: s, q, k: kv, v: kv, o: q, lse: lse(&s) });
        cases.push(Case::random(spec, &mut rng, &[], 64.0));
        if s.q_len == s.kv_len {
            let part = |i| joined(s.heads, s.q_len, s.head, i);
            let o = Strides { head: s.head as i64, seq: (s.heads * s.head) as i64, ..q };
            let spec =
                KernelSpec::Attention(Attention { shape: s, q: part(0), k: part(1), v: part(2), o, lse: lse(&s) });
            cases.push(Case::random(spec, &mut rng, &[], 64.0));
        }
    }
    for (s, at) in blocks().into_iter().filter(|(_, at)| at[1] == 0) {
        let (q, kv) = (split(s.heads, s.q_len, s.head), split(s.heads, s.kv_len, s.head));
        let spec = KernelSpec::Attention(Attention { shape: s, q, k: kv, v: kv, o: q, lse: lse(&s) });
        cases.push(Case::random(spec, &mut rng, &at, 64.0));
    }
    check_in_turns(&cases);
}

#[test]
fn backward() {
    let mut rng = Rng(31);
    let mut cases = Vec::new();
    for s in shapes() {
        let (q, kv) = (split(s.heads, s.q_len, s.head), split(s.heads, s.kv_len, s.head));
        let spec = AttentionBackward { shape: s, q, k: kv, v: kv, o: q, lse: lse(&s), d_o: q, dq: q, dk: kv, dv: kv };
        let mut case = Case::random(KernelSpec::AttentionBackward(spec), &mut rng, &[], 200.0);
        // The log-sum-exp of these scores, as the forward pass would have left it: probabilities stay below 1.
        let forward = Attention { shape: s, q, k: kv, v: kv, o: q, lse: lse(&s) };
        let mut buffers = case.buffers[..5].to_vec();
        KernelSpec::Attention(forward).reference(&mut buffers, &[]);
        case.buffers[3].clone_from(&buffers[3]);
        case.buffers[4].clone_from(&buffers[4]);
        cases.push(case);
    }
    for (s, at) in blocks() {
        let (q, kv) = (split(s.heads, s.q_len, s.head), split(s.heads, s.kv_len, s.head));
        let spec = AttentionBackward { shape: s, q, k: kv, v: kv, o: q, lse: lse(&s), d_o: q, dq: q, dk: kv, dv: kv };
        let mut case = Case::random(KernelSpec::AttentionBackward(spec), &mut rng, &at, 200.0);
        // That of all keys, of which these are some: large enough for probabilities below 1.
        case.buffers[4].fill(4.0);
        cases.push(case);
    }
    check_in_turns(&cases);
}

/// A million positions: their scores are in no buffer.
#[test]
fn long_sequences_are_within_bounds() {
    let long = |n: u64| KernelSpec::Attention(forward_of(shape(DType::BF16, 32, [n, n], 128, true)));
    assert_eq!(long(1 << 17).verify(), Ok(()));
    assert_eq!(long(1 << 20).verify(), Ok(()));
    assert!(long(1 << 40).verify().is_err());
}
