//! Windows of a product, added up along their diagonal: the gradient of what a convolution reads.
//!
//! Let `P[y, h] = sum_o X[y, o] Y[h, o]`, with places `y` and taps `h`. Window `r` of it along `y`, with zeros beyond the ends, has
//! `P[r + k d - low, h]` at its place `k`; the sum over `k + h = size - 1` takes tap `size - 1 - k` from place `k`. That is
//! `sum_k sum_o X[r + k d - low, o] Y[size - 1 - k, o]`: a contraction of windows of `X` with `Y` reversed. Zeros put between places are
//! put between those of `X`, since a product with zero is zero. All other dims stay as they are.
//!
//! As in [`super::blocks`], the right side is written down completely, and the values must be that.

use super::blocks::Is;
use super::{Law, LawCx, sample};
use meshloom_ir::random::Rng;
use meshloom_ir::table::window::Window;
use meshloom_ir::{Arithmetic, Builder, DType, Einsum, Literal, Op, Reduction, Scalar, ValueId};

pub const LAWS: &[Law] = &[Law {
    name: "window-product",
    law: "the sum along the diagonal of windows of a product is the product of windows of one factor with the other reversed",
    reassociates: true,
    check: |cx, a, b| sums(cx, a).into_iter().any(|s| products(cx, &s).any(|p| p.meets(cx, &s, b))),
    sample: windows_sample,
}];

/// A sum along the diagonal of windows of `of`, whose dim `dim` has places and the next one taps.
struct Sum {
    dim: usize,
    window: Window,
    of: ValueId,
}

/// The product that a sum is about, between whose places zeros were put, `stride` apart.
struct Product {
    spec: Einsum,
    factors: [ValueId; 2],
    stride: u64,
}

fn zero(s: Scalar) -> bool {
    s == Scalar::float(0.0) || s == Scalar::Int(0)
}

fn sums(cx: &LawCx<'_>, a: ValueId) -> Vec<Sum> {
    let mut found = Vec::new();
    for reduce in cx.defs(a) {
        let Op::Reduce { kind: Reduction::Sum, dims } = &reduce.op else { continue };
        let &[places, taps] = &dims[..] else { continue };
        if places == 0 || taps != places + 1 {
            continue;
        }
        for select in cx.defs(reduce.operands[0]).filter(|d| d.op.arithmetic() == Arithmetic::Select) {
            let [on, kept, other] = [0, 1, 2].map(|i| select.operands[i]);
            let none =
                cx.defs(other).any(|d| matches!(&d.op, Op::Constant { value: Literal::Splat(s), .. } if zero(*s)));
            for d in cx.defs(kept).filter(|_| none) {
                let Op::Windows { dim, window } = d.op else { continue };
                let fits = dim + 1 == places && window.stride == 1 && zero(window.fill);
                let shape = &cx.ty(kept).shape;
                if fits && diagonal(shape, places, window.size).is_some_and(|is| is.met(cx, on)) {
                    found.push(Sum { dim, window, of: d.operands[0] });
                }
            }
        }
    }
    found
}

/// Where the indices of dims `dim` and `dim + 1` add up to `size - 1`.
fn diagonal(shape: &[u64], dim: usize, size: u64) -> Option<Is> {
    let index = |dim| Is::Op(Op::Iota { dtype: DType::I32, shape: shape.to_vec(), dim, shard: Vec::new() }, Vec::new());
    let value = Literal::Splat(Scalar::Int(i64::try_from(size).ok()? - 1));
    let last = Is::Op(Op::Constant { dtype: DType::I32, shape: shape.to_vec(), value }, Vec::new());
    Is::elem("compare_eq", vec![Is::elem("add", vec![index(dim), index(dim + 1)])?, last])
}

/// A dim taken apart, with zeros behind each element, and put together again.
fn stretch(shape: &[u64], dim: usize, stride: u64) -> Option<[Op; 3]> {
    let [mut apart, mut all] = [shape.to_vec(), shape.to_vec()];
    apart.insert(dim + 1, 1);
    let (low, mut high) = (vec![0; apart.len()], vec![0; apart.len()]);
    high[dim + 1] = stride - 1;
    all[dim] = all[dim].checked_mul(stride)?;
    Some([Op::Reshape { shape: apart }, Op::Pad { low, high }, Op::Reshape { shape: all }])
}

fn products<'a>(cx: &'a LawCx<'_>, s: &Sum) -> impl Iterator<Item = Product> + use<'a> {
    let mut of = vec![(1, s.of)];
    for last in cx.defs(s.of).filter(|d| matches!(d.op, Op::Reshape { .. })) {
        for pad in cx.defs(last.operands[0]) {
            let Op::Pad { high, .. } = &pad.op else { continue };
            let stride = high.get(s.dim + 1).map_or(1, |n| n + 1);
            for first in cx.defs(pad.operands[0]).filter(|d| matches!(d.op, Op::Reshape { .. })) {
                let x = first.operands[0];
                let shape = &cx.ty(x).shape;
                let ops = if s.dim < shape.len() { stretch(shape, s.dim, stride) } else { None };
                if ops.is_some_and(|ops| ops.iter().eq([&first.op, &pad.op, &last.op])) {
                    of.push((stride, x));
                }
            }
        }
    }
    of.into_iter().flat_map(move |(stride, v)| {
        cx.defs(v).filter_map(move |d| match (&d.op, &d.operands[..]) {
            (Op::DotGeneral(spec), &[x, y]) => Some(Product { spec: spec.clone(), factors: [x, y], stride }),
            _ => None,
        })
    })
}

impl Product {
    fn meets(&self, cx: &LawCx<'_>, s: &Sum, b: ValueId) -> bool {
        [0, 1].into_iter().any(|k| {
            self.right(cx, s, k).is_some_and(|(spec, is)| {
                let same = |e: &Einsum| alike(e, &spec);
                cx.defs(b).any(|d| {
                    matches!(&d.op, Op::DotGeneral(e) if same(e))
                        && d.operands.len() == 2
                        && d.operands.iter().zip(&is).all(|(&v, is)| is.met(cx, v))
                })
            })
        })
    }

    /// The right side, if factor `k` has the places and the other one the taps.
    fn right(&self, cx: &LawCx<'_>, s: &Sum, k: usize) -> Option<(Einsum, [Is; 2])> {
        let (place, tap) = (*self.spec.result.get(s.dim)?, *self.spec.result.get(s.dim + 1)?);
        let find = |i: usize, c: char| self.spec.operands.get(i)?.iter().position(|&x| x == c);
        let (at, turned) = (find(k, place)?, find(1 - k, tap)?);
        if place == tap || find(k, tap).is_some() || find(1 - k, place).is_some() {
            return None;
        }
        let x = self.factors[k];
        let mut from = Is::Value(x);
        if self.stride > 1 {
            for op in stretch(&cx.ty(x).shape, at, self.stride)? {
                from = Is::Op(op, vec![from]);
            }
        }
        // Zeros of the factor's type, which may be another one than the product's.
        let fill = Scalar::of(cx.ty(x).dtype, 0.0);
        let x = Is::Op(Op::Windows { dim: at, window: Window { fill, ..s.window } }, vec![from]);
        let y = Is::Op(Op::Reverse { dim: turned }, vec![Is::Value(self.factors[1 - k])]);
        let mut spec = self.spec.clone();
        spec.operands[k].insert(at + 1, tap);
        spec.result.remove(s.dim + 1);
        Some((spec, if k == 0 { [x, y] } else { [y, x] }))
    }
}

/// Whether two specs differ in the names of subscripts alone.
fn alike(e: &Einsum, f: &Einsum) -> bool {
    let all = |e: &Einsum| e.operands.iter().chain([&e.result]).map(Vec::len).collect::<Vec<usize>>();
    let letters = |e: &Einsum| e.operands.iter().flatten().chain(&e.result).copied().collect::<Vec<char>>();
    let (x, y) = (letters(e), letters(f));
    let first = |of: &[char], i: usize| of.iter().position(|&c| c == of[i]);
    e.to == f.to && all(e) == all(f) && (0..x.len()).all(|i| first(&x, i) == first(&y, i))
}

/// A product with places and taps in random positions, perhaps stretched, and both sides.
fn windows_sample(rng: &mut Rng, b: &mut Builder) -> (ValueId, ValueId) {
    let mut small = |from: u64, n: usize| from + rng.below(n) as u64;
    let (size, stride, dilation, places) = (small(1, 3), small(1, 2), small(1, 2), small(1, 4));
    let (rows, sums, swapped) = (small(1, 3), small(1, 3), small(0, 2) == 1);
    let span = ((size - 1) * dilation + 1) as i64;
    let low = small(0, span as usize) as i64;
    let high = small(0, 3) as i64 + (span - low - (places * stride) as i64).max(0);
    let (x, y) = (sample::input(b, &[rows, places, sums]), sample::input(b, &[size, sums]));
    let spec = if swapped { "ho,byo->byh" } else { "byo,ho->byh" };
    let product = if swapped { b.dot(sample::einsum(spec), y, x) } else { b.dot(sample::einsum(spec), x, y) };
    let apart = |b: &mut Builder, v: ValueId| {
        let shape = b.shape(v);
        let ops = stretch(&shape, 1, stride).filter(|_| stride > 1);
        ops.into_iter().flatten().fold(v, |v, op| b.op(op, &[v]))
    };
    let window = Window { size, stride: 1, dilation, low, high, fill: Scalar::float(0.0) };
    let left = apart(b, product);
    let left = b.op(Op::Windows { dim: 1, window }, &[left]);
    let shape = b.shape(left);
    let [k, h] =
        [2, 3].map(|dim| b.op(Op::Iota { dtype: DType::I32, shape: shape.clone(), dim, shard: Vec::new() }, &[]));
    let both = b.add(k, h);
    let last = b.constant_like(both, size as f64 - 1.0);
    let on = b.elem("compare_eq", &[both, last]);
    let none = b.constant_like(left, 0.0);
    let kept = b.select(on, left, none);
    let left = b.reduce(Reduction::Sum, kept, &[2, 3]);
    let x = apart(b, x);
    let x = b.op(Op::Windows { dim: 1, window }, &[x]);
    let y = b.op(Op::Reverse { dim: 0 }, &[y]);
    let right =
        if swapped { b.dot(sample::einsum("ho,bkho->bk"), y, x) } else { b.dot(sample::einsum("bkho,ho->bk"), x, y) };
    (left, right)
}
