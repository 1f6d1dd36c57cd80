//! Laws of linear combinations.

use super::element::{self, Reading};
use super::{Law, LawCx, sample};
use meshloom_ir::random::Rng;
use meshloom_ir::{Arithmetic, Builder, Op, Reduction, ValueId};

pub const LAWS: &[Law] = &[Law {
    name: "linear",
    law: "x (a + b) = x a + x b, with differences, scalings, sums and contractions for products",
    reassociates: true,
    check: |cx, a, b| (adds(cx, a) || adds(cx, b)) && element::equal(cx, a, b, Reading::Real),
    sample,
}];

/// Made by adding up.
fn adds(cx: &LawCx<'_>, v: ValueId) -> bool {
    let adds = |op: &Op| matches!(op.arithmetic(), Arithmetic::Add | Arithmetic::Subtract | Arithmetic::Negate);
    cx.ty(v).dtype.is_float() && cx.defs(v).any(|d| adds(&d.op))
}

fn sample(rng: &mut Rng, b: &mut Builder) -> (ValueId, ValueId) {
    let [m, k, n] = [0; 3].map(|_: u64| sample::size(rng));
    let (x, w, v) = (sample::input(b, &[m, k]), sample::input(b, &[k, n]), sample::input(b, &[n, k]));
    let spec = || sample::einsum("mk,kn->mn");
    let sum = rng.pick(&["add", "subtract"]);
    let turned = b.op(Op::Transpose { perm: vec![1, 0] }, &[v]);
    match rng.below(3) {
        // One factor in common, one of the others transposed and scaled.
        0 => {
            let c = rng.pick(&[-1.0, 0.5, 2.0]);
            let (small, large) = (b.constant(b.ty(x).dtype, &[k, n], c), b.constant(b.ty(x).dtype, &[m, n], c));
            let scaled = b.mul(turned, small);
            let inside = b.elem(sum, &[w, scaled]);
            let (left, right) = (b.dot(spec(), x, w), b.dot(sample::einsum("mk,nk->mn"), x, v));
            let right = b.mul(right, large);
            (b.dot(spec(), x, inside), b.elem(sum, &[left, right]))
        }
        // Three terms, of which two are put together.
        1 => {
            let (z, first, second) = (sample::input(b, &[m, n]), b.dot(spec(), x, w), b.dot(spec(), x, turned));
            let inner = b.elem(sum, &[first, z]);
            let left = b.add(inner, second);
            let both = b.add(w, turned);
            let product = b.dot(spec(), x, both);
            (left, b.elem(sum, &[product, z]))
        }
        _ => {
            let both = b.elem(sum, &[w, turned]);
            let dims = vec![rng.below(2)];
            let op = || Op::Reduce { kind: Reduction::Sum, dims: dims.clone() };
            let whole = b.op(op(), &[both]);
            let (left, right) = (b.op(op(), &[w]), b.op(op(), &[turned]));
            (whole, b.elem(sum, &[left, right]))
        }
    }
}
