//! Laws of ops that move elements, alone and past ops that treat the elements of a dim alike. All are exact: both sides
//! compute the same numbers, fewer of them or in other places.

use super::element::{self, Reading};
use super::{Law, LawCx, sample};
use meshloom_ir::random::Rng;
use meshloom_ir::{Builder, Class, DType, Einsum, Op, Reduction, ValueId};

pub const LAWS: &[Law] = &[
    Law {
        name: "move-move",
        law: "ops that only move elements and take each from the same place are one: transposes, reshapes, slices, broadcasts, ..",
        reassociates: false,
        check: |cx, a, b| reshaped(cx, a, b) || moved(cx, a) && element::equal(cx, a, b, Reading::Exact),
        sample: moves_sample,
    },
    Law {
        name: "move-elementwise",
        law: "f(move x, move y) = move f(x, y) for an elementwise f, and the rows that a gather takes are moved as well",
        reassociates: false,
        check: |cx, a, b| moved(cx, a) && element::equal(cx, a, b, Reading::Exact),
        sample: elementwise_sample,
    },
    Law {
        name: "move-product",
        law: "a move of the dims that a contraction or a reduction keeps is one of its operands' dims",
        reassociates: false,
        check: |cx, a, b| moved(cx, a) && element::equal(cx, a, b, Reading::Exact),
        sample: product_sample,
    },
    Law {
        name: "convert-convert",
        law: "convert(convert(x)) = convert(x), if every value of x is one of the type between",
        reassociates: false,
        check: converts,
        sample: converts_sample,
    },
];

/// Whether an op that moves elements defines the value.
fn moved(cx: &LawCx<'_>, v: ValueId) -> bool {
    cx.defs(v).any(|d| matches!(d.op.class(), Class::View | Class::Move) || matches!(d.op, Op::Gather { .. }))
}

/// `a` is a reshape of a reshape of `x`, and `b` is a reshape of `x` or `x` itself. In any shape in between, elements keep their
/// order.
fn reshaped(cx: &LawCx<'_>, a: ValueId, b: ValueId) -> bool {
    let from = |v: ValueId| cx.defs(v).filter(|d| matches!(d.op, Op::Reshape { .. })).map(|d| d.operands[0]);
    from(a).any(|middle| from(middle).any(|x| cx.same(x, b) || from(b).any(|y| cx.same(x, y))))
}

/// Ranges of a shape, none of them empty.
fn ranges(rng: &mut Rng, shape: &[u64]) -> (Vec<u64>, Vec<u64>) {
    let range = |&n: &u64| {
        let start = rng.below(n as usize) as u64;
        (start, start + 1 + rng.below((n - start) as usize) as u64)
    };
    shape.iter().map(range).unzip()
}

fn slice(b: &mut Builder, x: ValueId, start: &[u64], limit: &[u64]) -> ValueId {
    b.op(Op::Slice { start: start.to_vec(), limit: limit.to_vec() }, &[x])
}

fn moves_sample(rng: &mut Rng, b: &mut Builder) -> (ValueId, ValueId) {
    let [m, n, k] = [0; 3].map(|_: u64| 1 + sample::size(rng));
    let x = sample::input(b, &[m, n, k]);
    match rng.below(5) {
        // A slice of a reshape that splits a dim.
        0 => {
            let y = b.op(Op::Reshape { shape: vec![m * n, k] }, &[x]);
            let i = rng.below(m as usize) as u64;
            let left = slice(b, y, &[i * n, 0], &[(i + 1) * n, k]);
            let part = slice(b, x, &[i, 0, 0], &[i + 1, n, k]);
            (left, b.op(Op::Reshape { shape: vec![n, k] }, &[part]))
        }
        1 => {
            let (perm, q) = (sample::permutation(rng, 3), sample::permutation(rng, 3));
            let first = b.op(Op::Transpose { perm: perm.clone() }, &[x]);
            let both = q.iter().map(|&i| perm[i]).collect();
            (b.op(Op::Transpose { perm: q }, &[first]), b.op(Op::Transpose { perm: both }, &[x]))
        }
        2 => {
            let y = sample::input(b, &[m, n, k]);
            let both = b.op(Op::Concatenate { dim: 1 }, &[x, y]);
            let (start, limit) = ranges(rng, &[m, n, k]);
            let right = slice(b, y, &start, &limit);
            let (mut low, mut high) = (start, limit);
            low[1] += n;
            high[1] += n;
            (slice(b, both, &low, &high), right)
        }
        3 => {
            let y = b.op(Op::Pad { low: vec![1, 0, 2], high: vec![0, 1, 1] }, &[x]);
            let (start, limit) = ranges(rng, &[m, n, k]);
            let [low, high] = [&start, &limit].map(|at| [at[0] + 1, at[1], at[2] + 2]);
            (slice(b, y, &low, &high), slice(b, x, &start, &limit))
        }
        _ => {
            let y = b.op(Op::Reshape { shape: vec![n * k, m] }, &[x]);
            let z = b.op(Op::Reshape { shape: vec![k, m, n] }, &[y]);
            (z, b.op(Op::Reshape { shape: vec![k, m, n] }, &[x]))
        }
    }
}

fn elementwise_sample(rng: &mut Rng, b: &mut Builder) -> (ValueId, ValueId) {
    let [m, n] = [0; 2].map(|_: u64| 1 + sample::size(rng));
    let (x, y) = (sample::input(b, &[m, n]), sample::input(b, &[m, n]));
    let f = rng.pick(&["add", "multiply", "maximum", "subtract"]);
    match rng.below(4) {
        0 => {
            let both = b.elem(f, &[x, y]);
            let (start, limit) = ranges(rng, &[m, n]);
            let (p, q) = (slice(b, x, &start, &limit), slice(b, y, &start, &limit));
            (slice(b, both, &start, &limit), b.elem(f, &[p, q]))
        }
        1 => {
            let turn = || Op::Transpose { perm: vec![1, 0] };
            let both = b.elem(f, &[x, y]);
            let (p, q) = (b.op(turn(), &[x]), b.op(turn(), &[y]));
            (b.op(turn(), &[both]), b.elem(f, &[p, q]))
        }
        2 => {
            let wide = |b: &mut Builder, v| b.op(Op::Broadcast { shape: vec![m, 3, n], dims: vec![0, 2] }, &[v]);
            let both = b.elem(f, &[x, y]);
            let (p, q) = (wide(b, x), wide(b, y));
            (wide(b, both), b.elem(f, &[p, q]))
        }
        _ => {
            let rows = sample::typed_input(b, DType::I32, &[3]);
            let all = b.elem("tanh", &[x]);
            let gather = || Op::Gather { shard: Vec::new(), total: None };
            let some = b.op(gather(), &[x, rows]);
            (b.op(gather(), &[all, rows]), b.elem("tanh", &[some]))
        }
    }
}

fn product_sample(rng: &mut Rng, b: &mut Builder) -> (ValueId, ValueId) {
    let [m, k, n] = [0; 3].map(|_: u64| 1 + sample::size(rng));
    // Integers of 8 bits are multiplied as i32.
    let integers = rng.below(4) == 0;
    let [left, right] = if integers { [DType::I8, DType::U8] } else { [DType::F64; 2] };
    let (x, w) = (sample::typed_input(b, left, &[m, k]), sample::typed_input(b, right, &[k, n * 2]));
    let to = integers.then_some(DType::I32);
    let einsum = |text: &str| Einsum { to, ..sample::einsum(text) };
    let spec = || einsum("mk,kn->mn");
    match rng.below(3) {
        0 => {
            let all = b.dot(spec(), x, w);
            let (start, limit) = ranges(rng, &[m, n * 2]);
            let rows = slice(b, x, &[start[0], 0], &[limit[0], k]);
            let columns = slice(b, w, &[0, start[1]], &[k, limit[1]]);
            (slice(b, all, &start, &limit), b.dot(spec(), rows, columns))
        }
        1 => {
            let all = b.dot(spec(), x, w);
            let split = b.op(Op::Reshape { shape: vec![k, n, 2] }, &[w]);
            (b.op(Op::Reshape { shape: vec![m, n, 2] }, &[all]), b.dot(einsum("mk,knt->mnt"), x, split))
        }
        _ => {
            let kind = rng.pick(&[Reduction::Sum, Reduction::Max, Reduction::Min, Reduction::Prod]);
            let reduce = || Op::Reduce { kind, dims: vec![0] };
            let all = b.op(reduce(), &[w]);
            let (start, limit) = ranges(rng, &[n * 2]);
            let some = slice(b, w, &[0, start[0]], &[k, limit[0]]);
            (slice(b, all, &start, &limit), b.op(reduce(), &[some]))
        }
    }
}

/// `a` is a conversion of a conversion of `x`, `b` the direct conversion of `x`, or `x` itself.
fn converts(cx: &LawCx<'_>, a: ValueId, b: ValueId) -> bool {
    let converted = |v: ValueId| cx.defs(v).filter(|d| matches!(d.op, Op::Convert { .. })).map(|d| d.operands[0]);
    converted(a).any(|middle| {
        converted(middle).any(|x| {
            let at_once = || converted(b).any(|y| cx.same(x, y));
            cx.ty(x).dtype.widens_to(cx.ty(middle).dtype) && (cx.same(x, b) || at_once())
        })
    })
}

fn converts_sample(rng: &mut Rng, b: &mut Builder) -> (ValueId, ValueId) {
    let (from, middle) = rng.pick(&[(DType::F32, DType::F64), (DType::BF16, DType::F32), (DType::F8E5M2, DType::F16)]);
    let to = rng.pick(&[DType::F64, DType::F32, DType::BF16, from]);
    let x = sample::typed_input(b, from, &[4]);
    let between = b.op(Op::Convert { to: middle }, &[x]);
    (b.op(Op::Convert { to }, &[between]), b.convert(x, to))
}
