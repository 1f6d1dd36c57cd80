//! Laws of quotients and exponentials: how the ways to write a softmax and its gradient differ.
//!
//! Denominators and arguments of logarithms must be positive whatever the inputs are (exponentials, their sums and
//! products). So each side of a law has a value exactly where the other has one.

use super::element::{self, Reading};
use super::{Law, LawCx, sample};
use meshloom_ir::random::Rng;
use meshloom_ir::{Arithmetic, Builder, Op, Reduction, ValueId};
use std::collections::BTreeSet;

pub const LAWS: &[Law] = &[
    Law {
        name: "exponential-quotient",
        law: "exp(x - log y) = exp(x) / y, for sums y of exponentials",
        reassociates: true,
        check: |cx, a, b| {
            made(cx, a, &[Arithmetic::Exponential])
                && made(cx, b, &[Arithmetic::Divide, Arithmetic::Multiply])
                && element::equal_within(cx, a, b, Reading::Real, &element::FAR)
        },
        sample: softmax_sample,
    },
    Law {
        name: "quotient",
        law: "(x / z) (y + c) = x y / z + x c / z, x / (y z) = (x / y) / z, for y, z > 0 that exponentials make",
        reassociates: true,
        check: |cx, a, b| {
            let quotients = [Arithmetic::Divide, Arithmetic::Multiply, Arithmetic::Add, Arithmetic::Subtract];
            let both = |check: &dyn Fn(ValueId) -> bool| check(a) && check(b);
            both(&|v| made(cx, v, &quotients) && divides_by_positive(cx, v))
                && element::equal_within(cx, a, b, Reading::Real, &element::FAR)
        },
        sample: gradient_sample,
    },
];

/// Made by one of these elementwise ops.
fn made(cx: &LawCx<'_>, v: ValueId, kinds: &[Arithmetic]) -> bool {
    cx.ty(v).dtype.is_float() && cx.defs(v).any(|d| kinds.contains(&d.op.arithmetic()))
}

/// The most tensors whose ops are searched for divisions.
const MOST: usize = 256;

/// Whether every divisor in the elementwise ops, moves and sums that make `v` is positive.
fn divides_by_positive(cx: &LawCx<'_>, v: ValueId) -> bool {
    let mut seen = BTreeSet::new();
    let mut open = vec![v];
    while let Some(v) = open.pop() {
        if seen.len() > MOST || !cx.class(v).is_some_and(|c| seen.insert(c)) {
            continue;
        }
        for d in cx.defs(v) {
            match &d.op {
                op if op.arithmetic() == Arithmetic::Divide && !element::positive(cx, d.operands[1]) => return false,
                Op::Elem(_)
                | Op::Broadcast { .. }
                | Op::Reshape { .. }
                | Op::Transpose { .. }
                | Op::Reduce { .. }
                | Op::Convert { .. } => open.extend(&d.operands),
                _ => {}
            }
        }
    }
    seen.len() <= MOST
}

/// Rows of x less their maxima: exponentials, their sums, and the quotient of the two.
fn softmax(b: &mut Builder, x: ValueId) -> [ValueId; 4] {
    let top = b.reduce(Reduction::Max, x, &[1]);
    let wide = b.unreduce(top, x, &[1]);
    let shifted = b.sub(x, wide);
    let e = b.elem("exponential", &[shifted]);
    let l = b.reduce(Reduction::Sum, e, &[1]);
    let below = b.unreduce(l, e, &[1]);
    let p = b.elem("divide", &[e, below]);
    [top, e, l, p]
}

/// A softmax, and the exponential of x less the log-sum-exp of its row.
fn softmax_sample(rng: &mut Rng, b: &mut Builder) -> (ValueId, ValueId) {
    let (m, n) = (sample::size(rng), sample::size(rng));
    let x = sample::input(b, &[m, n]);
    let [top, _, l, p] = softmax(b, x);
    let log = b.elem("log", &[l]);
    let lse = if rng.below(2) == 0 { b.add(log, top) } else { b.add(top, log) };
    let wide = b.unreduce(lse, x, &[1]);
    let shifted = b.sub(x, wide);
    (b.elem("exponential", &[shifted]), p)
}

/// The gradient of a softmax, op by op and in one formula.
fn gradient_sample(rng: &mut Rng, b: &mut Builder) -> (ValueId, ValueId) {
    let (m, n) = (sample::size(rng), sample::size(rng));
    let (x, dp) = (sample::input(b, &[m, n]), sample::input(b, &[m, n]));
    let [_, e, l, p] = softmax(b, x);
    let square = b.mul(l, l);
    let one = b.constant_like(square, 1.0);
    let over = b.elem("divide", &[one, square]);
    let over = b.unreduce(over, e, &[1]);
    let scaled = b.mul(dp, over);
    let both = b.mul(scaled, e);
    let lost = b.reduce(Reduction::Sum, both, &[1]);
    let lost = b.unreduce(lost, e, &[1]);
    let below = b.unreduce(l, e, &[1]);
    let straight = b.elem("divide", &[dp, below]);
    let inside = b.sub(straight, lost);
    let left = if rng.below(2) == 0 { b.mul(inside, e) } else { b.mul(e, inside) };
    let both = b.mul(p, dp);
    let delta = b.reduce(Reduction::Sum, both, &[1]);
    let delta = b.unreduce(delta, dp, &[1]);
    let centred = b.sub(dp, delta);
    (left, b.mul(p, centred))
}
