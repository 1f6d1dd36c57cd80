//! Laws of transposes alone.

use super::{Law, LawCx, sample};
use meshloom_ir::random::Rng;
use meshloom_ir::{Builder, Op, ValueId};

pub const LAWS: &[Law] = &[
    Law {
        name: "transpose-transpose",
        law: "transpose(transpose(x, p), q) = transpose(x, q of p)",
        reassociates: false,
        check: transpose_transpose,
        sample: transpose_transpose_sample,
    },
    Law {
        name: "transpose-identity",
        law: "transpose(x, identity) = x",
        reassociates: false,
        check: |cx, a, b| {
            cx.defs(a).any(|o| matches!(&o.op, Op::Transpose { perm } if identity(perm)) && cx.same(o.operands[0], b))
        },
        sample: |rng, b| {
            let rank = rng.below(4);
            let shape = sample::shape(rng, rank);
            let x = sample::input(b, &shape);
            (b.op(Op::Transpose { perm: (0..rank).collect() }, &[x]), x)
        },
    },
];

fn identity(perm: &[usize]) -> bool {
    perm.iter().enumerate().all(|(i, &p)| i == p)
}

/// `a` is a transpose of a transpose of `x`, and `b` is a transpose of `x` or `x` itself.
fn transpose_transpose(cx: &LawCx<'_>, a: ValueId, b: ValueId) -> bool {
    for outer in cx.defs(a) {
        let Op::Transpose { perm: q } = &outer.op else { continue };
        for inner in cx.defs(outer.operands[0]) {
            let Op::Transpose { perm: p } = &inner.op else { continue };
            // Result dim i of the outer one is dim q[i] of the middle, and so dim p[q[i]] of x.
            let both: Vec<usize> = q.iter().map(|&i| p[i]).collect();
            let x = inner.operands[0];
            if identity(&both) && cx.same(x, b) {
                return true;
            }
            if cx.defs(b).any(|o| matches!(&o.op, Op::Transpose { perm } if *perm == both) && cx.same(o.operands[0], x))
            {
                return true;
            }
        }
    }
    false
}

fn transpose_transpose_sample(rng: &mut Rng, b: &mut Builder) -> (ValueId, ValueId) {
    let rank = 1 + rng.below(4);
    let shape = sample::shape(rng, rank);
    let x = sample::input(b, &shape);
    let (p, q) = (sample::permutation(rng, rank), sample::permutation(rng, rank));
    let both: Vec<usize> = q.iter().map(|&i| p[i]).collect();
    let middle = b.op(Op::Transpose { perm: p }, &[x]);
    let left = b.op(Op::Transpose { perm: q }, &[middle]);
    // The builder leaves out a transpose that does nothing: then the right side is x itself.
    let right = b.transpose(x, &both);
    (left, right)
}
