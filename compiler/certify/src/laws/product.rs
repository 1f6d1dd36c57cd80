//! Laws of sums of products: contractions, sums, scalings.

use super::element::{self, Reading};
use super::{Law, LawCx, sample};
use meshloom_ir::random::Rng;
use meshloom_ir::{Builder, Einsum, Op, Reduction, ValueId};

pub const LAWS: &[Law] = &[
    Law {
        name: "product-order",
        law: "sum (sum x y) z = sum x (sum y z): products may be contracted in any order",
        reassociates: true,
        check: |cx, a, b| products(cx, a, b) && element::equal(cx, a, b, Reading::Real),
        sample: order_sample,
    },
    Law {
        name: "product-sum",
        law: "sum x y = (sum x) y over dims that only x has, sum n of x = n x",
        reassociates: true,
        check: |cx, a, b| products(cx, a, b) && element::equal(cx, a, b, Reading::Real),
        sample: sum_sample,
    },
    Law {
        name: "product-scale",
        law: "sum (c x) y = c (sum x y): what scales a factor along dims that are not summed may scale the result",
        reassociates: true,
        check: |cx, a, b| products(cx, a, b) && element::equal(cx, a, b, Reading::Real),
        sample: scale_sample,
    },
    Law {
        name: "product-dims",
        law: "a contraction or a sum of transposed operands, or its transpose, is one with its dims in another order",
        reassociates: false,
        check: |cx, a, b| products(cx, a, b) && element::equal(cx, a, b, Reading::Exact),
        sample: dims_sample,
    },
];

/// Both are made by ops that multiply, sum and repeat.
fn products(cx: &LawCx<'_>, a: ValueId, b: ValueId) -> bool {
    let one = |v: ValueId| cx.defs(v).any(|d| d.op.contraction().is_some());
    cx.ty(a).dtype.is_float() && one(a) && one(b)
}

const LETTERS: [char; 5] = ['a', 'b', 'c', 'd', 'e'];

/// Some of the subscripts, in any order.
fn subscripts(rng: &mut Rng, n: usize) -> Vec<char> {
    let mut all = LETTERS.to_vec();
    rng.shuffle(&mut all);
    all.truncate(n);
    all
}

fn sized(sizes: &[u64; 5], subscripts: &[char]) -> Vec<u64> {
    subscripts.iter().map(|c| LETTERS.iter().position(|l| l == c).map_or(1, |i| sizes[i])).collect()
}

/// Three factors contracted in two orders.
fn order_sample(rng: &mut Rng, b: &mut Builder) -> (ValueId, ValueId) {
    let sizes = [0; 5].map(|_: u64| sample::size(rng));
    let factors: [Vec<char>; 3] = [0; 3].map(|_: u8| {
        let n = 1 + rng.below(3);
        subscripts(rng, n)
    });
    let values = [0, 1, 2].map(|i| sample::input(b, &sized(&sizes, &factors[i])));
    let mut out: Vec<char> = LETTERS.into_iter().filter(|c| factors.iter().flatten().any(|l| l == c)).collect();
    rng.shuffle(&mut out);
    out.truncate(rng.below(4));
    let mut tree = |b: &mut Builder, i: usize, j: usize| {
        let k = 3 - i - j;
        let mut kept: Vec<char> = LETTERS
            .into_iter()
            .filter(|c| factors[i].contains(c) || factors[j].contains(c))
            .filter(|c| factors[k].contains(c) || out.contains(c))
            .collect();
        rng.shuffle(&mut kept);
        let pair = Einsum::new(vec![factors[i].clone(), factors[j].clone()], kept.clone());
        let pair = b.dot(pair, values[i], values[j]);
        b.dot(Einsum::new(vec![factors[k].clone(), kept], out.clone()), values[k], pair)
    };
    (tree(b, 0, 1), tree(b, 1, 2))
}

/// A contraction or a sum, and one of what was summed before.
fn sum_sample(rng: &mut Rng, b: &mut Builder) -> (ValueId, ValueId) {
    let [m, k, n, l] = [0; 4].map(|_: u64| sample::size(rng));
    let (x, y) = (sample::input(b, &[l, m, k]), sample::input(b, &[k, n]));
    match rng.below(4) {
        0 => {
            let both = b.dot(sample::einsum("lmk,kn->mn"), x, y);
            let first = b.reduce(Reduction::Sum, x, &[0]);
            (both, b.dot(sample::einsum("mk,kn->mn"), first, y))
        }
        1 => {
            let product = b.dot(sample::einsum("lmk,kn->lmn"), x, y);
            let rows = b.reduce(Reduction::Sum, x, &[0, 1]);
            (b.reduce(Reduction::Sum, product, &[0, 1]), b.dot(sample::einsum("k,kn->n"), rows, y))
        }
        2 => {
            let wide = b.broadcast(y, &[l, k, n], &[1, 2]);
            let sum = b.op(Op::Reduce { kind: Reduction::Sum, dims: vec![0] }, &[wide]);
            let times = b.constant_like(y, l as f64);
            (sum, b.mul(times, y))
        }
        _ => {
            let z = sample::input(b, &[l, m]);
            let wide = b.broadcast(z, &[l, m, k], &[0, 1]);
            let product = b.mul(x, wide);
            let sum = b.op(Op::Reduce { kind: Reduction::Sum, dims: vec![2] }, &[product]);
            let first = b.op(Op::Reduce { kind: Reduction::Sum, dims: vec![2] }, &[x]);
            (sum, b.mul(first, z))
        }
    }
}

/// A scaling by a number, by rows or along the contracted dim, in two places.
fn scale_sample(rng: &mut Rng, b: &mut Builder) -> (ValueId, ValueId) {
    let [m, k, n] = [0; 3].map(|_: u64| sample::size(rng));
    let (x, y) = (sample::input(b, &[m, k]), sample::input(b, &[k, n]));
    let spec = || sample::einsum("mk,kn->mn");
    match rng.below(3) {
        0 => {
            let c = rng.pick(&[-1.0, 0.5, 2.0, 3.0]);
            let (in_x, in_out) = (b.constant_like(x, c), b.constant(b.ty(x).dtype, &[m, n], c));
            let scaled = b.mul(in_x, x);
            let product = b.dot(spec(), x, y);
            (b.dot(spec(), scaled, y), b.mul(product, in_out))
        }
        1 => {
            let r = sample::input(b, &[m]);
            let (in_x, in_out) = (b.broadcast(r, &[m, k], &[0]), b.broadcast(r, &[m, n], &[0]));
            let scaled = b.mul(x, in_x);
            let product = b.dot(spec(), x, y);
            (b.dot(spec(), scaled, y), b.mul(product, in_out))
        }
        _ => {
            let r = sample::input(b, &[k]);
            let (in_x, in_y) = (b.broadcast(r, &[m, k], &[1]), b.broadcast(r, &[k, n], &[0]));
            let (left, right) = (b.mul(x, in_x), b.mul(in_y, y));
            (b.dot(spec(), left, y), b.dot(spec(), x, right))
        }
    }
}

/// A contraction of transposed operands, transposed, and the one in place.
fn dims_sample(rng: &mut Rng, b: &mut Builder) -> (ValueId, ValueId) {
    let sizes = [0; 5].map(|_: u64| sample::size(rng));
    let (p, q) = (subscripts(rng, 3), subscripts(rng, 3));
    let (x, y) = (sample::input(b, &sized(&sizes, &p)), sample::input(b, &sized(&sizes, &q)));
    let mut out: Vec<char> = LETTERS.into_iter().filter(|c| p.contains(c) || q.contains(c)).collect();
    rng.shuffle(&mut out);
    out.truncate(1 + rng.below(4));
    let plain = b.dot(Einsum::new(vec![p.clone(), q.clone()], out.clone()), x, y);
    let perm = sample::permutation(rng, 3);
    let turned = b.op(Op::Transpose { perm: perm.clone() }, &[x]);
    let subscripts: Vec<char> = perm.iter().map(|&i| p[i]).collect();
    let order = sample::permutation(rng, out.len());
    let other: Vec<char> = order.iter().map(|&i| out[i]).collect();
    let dot = b.dot(Einsum::new(vec![subscripts, q], other), turned, y);
    let mut back = vec![0; order.len()];
    for (i, &p) in order.iter().enumerate() {
        back[p] = i;
    }
    (plain, b.op(Op::Transpose { perm: back }, &[dot]))
}
