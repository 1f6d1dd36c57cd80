//! The law of a `select` whose condition is constant. With it a body can name a tensor that it does not need, so that
//! the tensor's dims are split as the others' are.

use super::{Law, LawCx, sample};
use meshloom_ir::{Arithmetic, DType, Literal, Op, ValueId};

pub const LAWS: &[Law] = &[Law {
    name: "select-constant",
    law: "select(c, x, y) = x where c is true everywhere, y where it is false everywhere",
    reassociates: false,
    check: |cx, a, b| {
        cx.defs(a).any(|d| match (&d.op, &d.operands[..]) {
            (op, &[c, x, y]) if op.arithmetic() == Arithmetic::Select => {
                truth(cx, c).is_some_and(|c| cx.same(if c { x } else { y }, b))
            }
            _ => false,
        })
    },
    sample: |rng, b| {
        let n = sample::size(rng);
        let shape = sample::shape(rng, n as usize);
        let (x, y) = (sample::input(b, &shape), sample::input(b, &shape));
        let c = rng.below(2) == 0;
        let everywhere = b.constant(DType::Bool, &shape, f64::from(u8::from(c)));
        (b.select(everywhere, x, y), if c { x } else { y })
    },
}];

/// The value of a bool tensor, if all of its elements are one constant.
fn truth(cx: &LawCx<'_>, c: ValueId) -> Option<bool> {
    cx.defs(c).find_map(|d| match &d.op {
        Op::Constant { dtype: DType::Bool, value: Literal::Splat(s), .. } => Some(s.as_f64() != 0.0),
        _ => None,
    })
}
