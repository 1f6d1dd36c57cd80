//! Elementwise ops: one row of [`TABLE`] each. A row says everything: types, value, gradient, linearity, cost and how
//! kernels compute it. Adding an op is adding a row (docs/ir.md shows one).

pub use super::algebra::{Arithmetic, Comparison, Drawn, Formula, Lower, Sig, Ulps, Upper};
use super::contract::combine;
use super::{BASE, Cost, EvalCx, FLOAT, GradCx, INT, NO_TEXT, OpDef, Text, arity, attrs, one_per_element};
use crate::builder::Builder;
use crate::factor::FactorRule;
use crate::graph::ValueId;
use crate::layout::Reduction;
use crate::mesh::Mesh;
use crate::op::Op;
use crate::tensor::{Data, Tensor, round_integer, saturate};
use crate::types::{DType, TensorType};
use std::fmt;

/// The entries of this family.
pub static ENTRIES: &[&OpDef] = &[&ELEM, &CONVERT];

/// Gradient of a row: operands, result and cotangent to the operands' cotangents.
pub type ElemGrad = fn(&mut Builder, &[ValueId], ValueId, ValueId) -> Vec<Option<ValueId>>;

pub struct ElemDef {
    /// StableHLO's name; comparisons are `compare_lt` and so on.
    pub name: &'static str,
    /// The op of StableHLO, with its dialect. Empty: there is none, and it is written as its expression.
    pub hlo: &'static str,
    /// The function of Loom, and then its parameters. Empty: operators make it, or other functions do.
    pub loom: &'static [&'static str],
    pub arity: usize,
    pub sig: Sig,
    /// What laws and rules take it for.
    pub arithmetic: Arithmetic,
    pub eval: fn(&[f64]) -> f64,
    /// For integers and booleans; `None` where the row takes floats only.
    pub eval_int: Option<fn(&[i64], DType) -> i64>,
    /// Absent: where a loss depends on the op, there is an error, unless it is `flat`.
    pub grad: Option<ElemGrad>,
    /// Whether its gradient is zero wherever there is one, or by its meaning.
    pub flat: bool,
    /// Sets of operands that it is jointly linear in.
    pub linear: &'static [&'static [usize]],
    /// Sets of operands in which it commutes with another reduction than the sum, the others being equal: to the last bit, since
    /// rounding never turns an order around. Not what is rounded by a polynomial (`exponential`), which may.
    pub commuting: &'static [(Reduction, &'static [usize])],
    pub lower: Lower,
    /// Whether a small difference in an operand can make a large one in the result, as in a comparison.
    pub step: bool,
    /// Whether the result is one of the operands, but for the sign, or an integer: it is rounded already if they are.
    pub keeps: bool,
    /// Whether 16 bits are enough to compute it in (`precision: bf16`). Not where results span more than these hold, or are
    /// differences of close numbers.
    pub narrow: bool,
    /// Whether the sign of an integer counts: it is another op of integers without one.
    pub signed: bool,
    pub upper: Upper,
    /// For each operand, from the first on: in which numbers tests try it out.
    pub domain: &'static [Drawn],
    pub ulps: Ulps,
}

impl ElemDef {
    /// Whether it sees the bits above those of a narrow type.
    pub fn sees_upper_bits(&self) -> bool {
        self.eval_int.is_some() && self.upper != Upper::Ignored
    }
}

/// What a row says that leaves a column out: the answer with which nothing is computed wrongly, whatever the op is.
pub const PLAIN: ElemDef = ElemDef {
    name: "",
    hlo: "",
    loom: &[],
    arity: 1,
    sig: Sig::Float,
    arithmetic: Arithmetic::Other,
    eval: |_| f64::NAN,
    eval_int: None,
    grad: None,
    flat: false,
    linear: &[],
    commuting: &[],
    lower: Lower::Primitive,
    step: true,
    keeps: false,
    narrow: false,
    signed: true,
    upper: Upper::Seen,
    domain: &[],
    ulps: ROUNDED,
};

const fn ulps(f32: u8, f64: u8, gpu: u8) -> Ulps {
    Ulps { f32, f64, gpu }
}

const ROUNDED: Ulps = ulps(0, 0, 0);

/// What never decreases in its first operand; in either of two.
const RISING: &[(Reduction, &[usize])] = &[(Reduction::Max, &[0]), (Reduction::Min, &[0])];
const RISING_IN_BOTH: &[(Reduction, &[usize])] =
    &[(Reduction::Max, &[0]), (Reduction::Min, &[0]), (Reduction::Max, &[1]), (Reduction::Min, &[1])];

/// A row of the table.
#[derive(Clone, Copy)]
pub struct Elem(&'static ElemDef);

impl Elem {
    pub fn by_name(name: &str) -> Option<Elem> {
        TABLE.iter().find(|d| d.name == name).map(Elem)
    }

    /// The op of a row that need not stand in the table: tests try out what phases make of an op that they do not know.
    pub const fn of(row: &'static ElemDef) -> Elem {
        Elem(row)
    }

    pub fn def(self) -> &'static ElemDef {
        self.0
    }

    /// Whether two operands may change places, to the last bit.
    pub fn commutes(self) -> bool {
        Reduction::ALL.iter().any(|r| r.elementwise() == self.0.name)
    }
}

impl PartialEq for Elem {
    fn eq(&self, other: &Elem) -> bool {
        self.0.name == other.0.name
    }
}

impl Eq for Elem {}

impl std::hash::Hash for Elem {
    fn hash<H: std::hash::Hasher>(&self, h: &mut H) {
        self.0.name.hash(h);
    }
}

impl fmt::Debug for Elem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.name)
    }
}

/// What most ops of floats and integers have in common.
const NUMERIC: ElemDef = ElemDef { sig: Sig::Number, step: false, narrow: true, upper: Upper::Ignored, ..PLAIN };

/// The name in a name with a dialect.
const fn bare(hlo: &'static str) -> &'static str {
    let mut at = hlo.len();
    while at > 0 && hlo.as_bytes()[at - 1] != b'.' {
        at -= 1;
    }
    hlo.split_at(at).1
}

macro_rules! compare {
    ($comparison:ident, $signed:literal) => {
        ElemDef {
            name: Comparison::$comparison.name(),
            hlo: "stablehlo.compare",
            arity: 2,
            sig: Sig::Compare,
            arithmetic: Arithmetic::Compare(Comparison::$comparison),
            eval: |x| f64::from(Comparison::$comparison.holds(&x[0], &x[1])),
            eval_int: Some(|x, _| i64::from(Comparison::$comparison.holds(&x[0], &x[1]))),
            narrow: true,
            signed: $signed,
            upper: Upper::Ignored,
            ..PLAIN
        }
    };
}

macro_rules! float {
    ($hlo:literal, $loom:literal, $domain:ident, $ulps:expr, $eval:expr, $grad:expr) => {
        float!($hlo, $loom, $domain, $ulps, $eval, $grad, Lower::Primitive)
    };
    ($hlo:literal, $loom:literal, $domain:ident, $ulps:expr, $eval:expr, $grad:expr, $lower:expr) => {
        ElemDef {
            name: bare($hlo),
            hlo: $hlo,
            loom: &[$loom, "x"],
            eval: $eval,
            grad: Some($grad),
            lower: $lower,
            step: false,
            domain: &[Drawn::$domain],
            ulps: $ulps,
            ..PLAIN
        }
    };
}

/// Ops that round or classify: their gradient is zero, which is no gradient.
macro_rules! stepwise {
    ($hlo:literal, $loom:expr, $sig:expr, $eval:expr, $lower:expr) => {
        ElemDef {
            name: bare($hlo),
            hlo: $hlo,
            loom: $loom,
            sig: $sig,
            eval: $eval,
            flat: true,
            lower: $lower,
            narrow: true,
            ..PLAIN
        }
    };
}

/// Ops on the bits of integers.
macro_rules! bits {
    ($hlo:literal, $loom:expr, $arity:literal, $sig:expr, $upper:ident, $eval:expr) => {
        ElemDef {
            name: bare($hlo),
            hlo: $hlo,
            loom: $loom,
            arity: $arity,
            sig: $sig,
            eval: |x| x[0],
            eval_int: Some($eval),
            step: false,
            narrow: true,
            signed: false,
            upper: Upper::$upper,
            ..PLAIN
        }
    };
}

/// All elementwise ops.
pub static TABLE: &[ElemDef] = &[
    ElemDef {
        name: "add",
        hlo: "stablehlo.add",
        arity: 2,
        arithmetic: Arithmetic::Add,
        eval: |x| x[0] + x[1],
        eval_int: Some(|x, _| x[0].wrapping_add(x[1])),
        grad: Some(|_, _, _, ct| vec![Some(ct), Some(ct)]),
        linear: &[&[0, 1]],
        commuting: RISING_IN_BOTH,
        signed: false,
        ..NUMERIC
    },
    ElemDef {
        name: "subtract",
        hlo: "stablehlo.subtract",
        arity: 2,
        arithmetic: Arithmetic::Subtract,
        eval: |x| x[0] - x[1],
        eval_int: Some(|x, _| x[0].wrapping_sub(x[1])),
        grad: Some(|b, _, _, ct| vec![Some(ct), Some(b.neg(ct))]),
        linear: &[&[0, 1]],
        commuting: RISING,
        signed: false,
        ..NUMERIC
    },
    ElemDef {
        name: "multiply",
        hlo: "stablehlo.multiply",
        arity: 2,
        arithmetic: Arithmetic::Multiply,
        eval: |x| x[0] * x[1],
        eval_int: Some(|x, _| x[0].wrapping_mul(x[1])),
        grad: Some(|b, x, _, ct| vec![Some(b.mul(ct, x[1])), Some(b.mul(ct, x[0]))]),
        linear: &[&[0], &[1]],
        commuting: &[(Reduction::Prod, &[0, 1])],
        signed: false,
        domain: &[Drawn::Small, Drawn::Small],
        ..NUMERIC
    },
    ElemDef {
        name: "divide",
        hlo: "stablehlo.divide",
        arity: 2,
        arithmetic: Arithmetic::Divide,
        eval: |x| x[0] / x[1],
        // Division by zero is defined as -1 (StableHLO), so that no data can trap, and the quotient that overflows wraps.
        eval_int: Some(|x, _| if x[1] == 0 { -1 } else { x[0].wrapping_div(x[1]) }),
        grad: Some(|b, x, y, ct| {
            let dx = b.div(ct, x[1]);
            let t = b.mul(dx, y);
            vec![Some(dx), Some(b.neg(t))]
        }),
        linear: &[&[0]],
        ulps: ulps(0, 0, 2),
        domain: &[Drawn::Small, Drawn::Positive],
        ..NUMERIC
    },
    ElemDef {
        name: "maximum",
        hlo: "stablehlo.maximum",
        loom: &["maximum", "x", "y"],
        arity: 2,
        eval: |x| combine(Reduction::Max, x[0], x[1]),
        eval_int: Some(|x, _| x[0].max(x[1])),
        grad: Some(|b, x, _, ct| share_between_ties(b, x, ct, "compare_gt")),
        commuting: &[
            (Reduction::Max, &[0]),
            (Reduction::Min, &[0]),
            (Reduction::Max, &[1]),
            (Reduction::Min, &[1]),
            (Reduction::Max, &[0, 1]),
        ],
        keeps: true,
        ..NUMERIC
    },
    ElemDef {
        name: "minimum",
        hlo: "stablehlo.minimum",
        loom: &["minimum", "x", "y"],
        arity: 2,
        eval: |x| combine(Reduction::Min, x[0], x[1]),
        eval_int: Some(|x, _| x[0].min(x[1])),
        grad: Some(|b, x, _, ct| share_between_ties(b, x, ct, "compare_lt")),
        commuting: &[
            (Reduction::Max, &[0]),
            (Reduction::Min, &[0]),
            (Reduction::Max, &[1]),
            (Reduction::Min, &[1]),
            (Reduction::Min, &[0, 1]),
        ],
        keeps: true,
        ..NUMERIC
    },
    ElemDef {
        name: "power",
        hlo: "stablehlo.power",
        loom: &["pow", "x", "y"],
        arity: 2,
        sig: Sig::Float,
        // Also of a NaN that signals, which C's may pass on.
        eval: |x| if x[1] == 0.0 || x[0] == 1.0 { 1.0 } else { x[0].powf(x[1]) },
        grad: Some(|b, x, y, ct| {
            // d/dx x^p = p x^(p-1), which is 0 where p is, whatever x; d/dp x^p = x^p log x, which is 0 where x is.
            let (zero, one) = (b.constant_like(x[1], 0.0), b.constant_like(x[1], 1.0));
            let less = b.sub(x[1], one);
            let pow = b.elem("power", &[x[0], less]);
            let constant = b.elem("compare_eq", &[x[1], zero]);
            let pow = b.select(constant, one, pow);
            let dx = b.mul(x[1], pow);
            let at_zero = b.elem("compare_eq", &[x[0], zero]);
            let base = b.select(at_zero, one, x[0]);
            let log = b.elem("log", &[base]);
            let dp = b.mul(y, log);
            vec![Some(b.mul(ct, dx)), Some(b.mul(ct, dp))]
        }),
        step: false,
        ulps: ulps(1, 2, 1),
        domain: &[Drawn::Positive, Drawn::Small],
        ..PLAIN
    },
    ElemDef {
        name: "remainder",
        hlo: "stablehlo.remainder",
        loom: &["rem", "x", "y"],
        arity: 2,
        eval: |x| x[0] % x[1],
        // What is left of a division by zero is the dividend.
        eval_int: Some(|x, _| x[0].checked_rem(x[1]).unwrap_or(if x[1] == 0 { x[0] } else { 0 })),
        grad: Some(|b, x, y, ct| {
            // x - trunc(x / d) d, and the quotient is constant.
            let whole = b.sub(x[0], y);
            let quotient = b.div(whole, x[1]);
            let t = b.mul(ct, quotient);
            vec![Some(ct), Some(b.neg(t))]
        }),
        domain: &[Drawn::Exact, Drawn::ExactPositive],
        step: true,
        ..NUMERIC
    },
    // The angle of the point (second, first).
    ElemDef {
        name: "atan2",
        hlo: "stablehlo.atan2",
        loom: &["atan2", "y", "x"],
        arity: 2,
        sig: Sig::Float,
        eval: |x| x[0].atan2(x[1]),
        grad: Some(|b, x, _, ct| {
            let (yy, xx) = (b.mul(x[0], x[0]), b.mul(x[1], x[1]));
            let square = b.add(yy, xx);
            let t = b.div(ct, square);
            let (dy, dx) = (b.mul(t, x[1]), b.mul(t, x[0]));
            vec![Some(dy), Some(b.neg(dx))]
        }),
        step: false,
        ulps: ulps(1, 3, 1),
        domain: &[Drawn::Small, Drawn::Positive],
        ..PLAIN
    },
    // Least, operand, greatest, as in StableHLO; where the limits cross the greatest wins.
    ElemDef {
        name: "clamp",
        hlo: "stablehlo.clamp",
        loom: &["clamp", "x", "low", "high"],
        arity: 3,
        eval: |x| combine(Reduction::Min, combine(Reduction::Max, x[0], x[1]), x[2]),
        eval_int: Some(|x, _| x[1].max(x[0]).min(x[2])),
        grad: Some(|b, x, _, ct| {
            // At a limit the gradient is the operand's zero, as in JAX.
            let zero = b.constant_like(ct, 0.0);
            let (above, below) = (b.elem("compare_gt", &[x[1], x[0]]), b.elem("compare_lt", &[x[1], x[2]]));
            let (raised, proper) = (b.elem("compare_gt", &[x[0], x[1]]), b.elem("compare_lt", &[x[0], x[2]]));
            let lowered = b.elem("compare_gt", &[x[1], x[2]]);
            let crossed = b.elem("compare_ge", &[x[0], x[2]]);
            let inside = b.elem("and", &[above, below]);
            let at_least = b.elem("and", &[raised, proper]);
            let at_most = b.elem("or", &[lowered, crossed]);
            vec![
                Some(b.select(at_least, ct, zero)),
                Some(b.select(inside, ct, zero)),
                Some(b.select(at_most, ct, zero)),
            ]
        }),
        lower: Lower::Expr("(minimum (maximum $0 $1) $2)"),
        keeps: true,
        ..NUMERIC
    },
    ElemDef {
        name: "negate",
        hlo: "stablehlo.negate",
        arithmetic: Arithmetic::Negate,
        eval: |x| -x[0],
        eval_int: Some(|x, _| x[0].wrapping_neg()),
        grad: Some(|b, _, _, ct| vec![Some(b.neg(ct))]),
        linear: &[&[0]],
        keeps: true,
        signed: false,
        ..NUMERIC
    },
    ElemDef {
        name: "abs",
        hlo: "stablehlo.abs",
        loom: &["abs", "x"],
        eval: |x| x[0].abs(),
        eval_int: Some(|x, _| x[0].wrapping_abs()),
        grad: Some(|b, x, _, ct| {
            let s = b.elem("sign", &[x[0]]);
            vec![Some(b.mul(ct, s))]
        }),
        keeps: true,
        ..NUMERIC
    },
    ElemDef {
        name: "sign",
        hlo: "stablehlo.sign",
        loom: &["sign", "x"],
        sig: Sig::Float,
        eval: |x| {
            if x[0] > 0.0 {
                1.0
            } else if x[0] < 0.0 {
                -1.0
            } else {
                x[0]
            }
        },
        flat: true,
        keeps: true,
        narrow: true,
        ..PLAIN
    },
    // The identity, but what it was made from gets no gradient: the maximum that softmax subtracts, targets, detached
    // values. Autodiff drops it once the gradient is taken.
    ElemDef {
        name: "stop_gradient",
        loom: &["stop_gradient", "x"],
        arithmetic: Arithmetic::Same,
        eval: |x| x[0],
        eval_int: Some(|x, _| x[0]),
        linear: &[&[0]],
        commuting: RISING,
        lower: Lower::Expr("$0"),
        flat: true,
        keeps: true,
        signed: false,
        ..NUMERIC
    },
    ElemDef {
        arithmetic: Arithmetic::Exponential,
        ..float!("stablehlo.exponential", "exp", Small, ulps(2, 2, 8), |x| x[0].exp(), |b, _, y, ct| vec![Some(
            b.mul(ct, y)
        )])
    },
    ElemDef {
        arithmetic: Arithmetic::Logarithm,
        ..float!("stablehlo.log", "log", Positive, ulps(1, 1, 2), |x| x[0].ln(), |b, x, _, ct| vec![Some(
            b.div(ct, x[0])
        )])
    },
    ElemDef {
        narrow: true,
        ..float!("stablehlo.tanh", "tanh", Any, ulps(2, 2, 4), |x| x[0].tanh(), |b, _, y, ct| {
            let one = b.constant_like(y, 1.0);
            let yy = b.mul(y, y);
            let d = b.sub(one, yy);
            vec![Some(b.mul(ct, d))]
        })
    },
    ElemDef {
        arithmetic: Arithmetic::Root,
        ..float!("stablehlo.sqrt", "sqrt", Positive, ulps(0, 0, 1), |x| x[0].sqrt(), |b, _, y, ct| {
            let half = b.constant_like(y, 0.5);
            let t = b.mul(ct, half);
            vec![Some(b.div(t, y))]
        })
    },
    float!("stablehlo.rsqrt", "rsqrt", Positive, ulps(1, 1, 2), |x| 1.0 / x[0].sqrt(), |b, x, y, ct| {
        let half = b.constant_like(y, -0.5);
        let t = b.mul(ct, half);
        let r = b.div(y, x[0]);
        vec![Some(b.mul(t, r))]
    }),
    ElemDef {
        narrow: true,
        ..float!("stablehlo.logistic", "sigmoid", Any, ulps(3, 3, 16), |x| logistic(x[0]), |b, _, y, ct| {
            let one = b.constant_like(y, 1.0);
            let r = b.sub(one, y);
            let d = b.mul(y, r);
            vec![Some(b.mul(ct, d))]
        })
    },
    // By `libm`: glibc's are off by several units where an angle comes closest to a multiple of pi/2.
    float!("stablehlo.sine", "sin", Any, ulps(1, 1, 1), |x| libm::sin(x[0]), |b, x, _, ct| {
        let d = b.elem("cosine", &[x[0]]);
        vec![Some(b.mul(ct, d))]
    }),
    float!("stablehlo.cosine", "cos", Any, ulps(1, 1, 1), |x| libm::cos(x[0]), |b, x, _, ct| {
        let d = b.elem("sine", &[x[0]]);
        let t = b.mul(ct, d);
        vec![Some(b.neg(t))]
    }),
    float!(
        "stablehlo.tan",
        "tan",
        Small,
        ulps(2, 3, 4),
        |x| libm::tan(x[0]),
        |b, _, y, ct| {
            let one = b.constant_like(y, 1.0);
            let yy = b.mul(y, y);
            let d = b.add(one, yy);
            vec![Some(b.mul(ct, d))]
        },
        Lower::Expr("(divide (sine $0) (cosine $0))")
    ),
    float!("stablehlo.exponential_minus_one", "expm1", Small, ulps(3, 3, 10), |x| x[0].exp_m1(), |b, _, y, ct| {
        let one = b.constant_like(y, 1.0);
        let d = b.add(y, one);
        vec![Some(b.mul(ct, d))]
    }),
    float!("stablehlo.log_plus_one", "log1p", Positive, ulps(3, 3, 6), |x| x[0].ln_1p(), |b, x, _, ct| {
        let one = b.constant_like(x[0], 1.0);
        let d = b.add(x[0], one);
        vec![Some(b.div(ct, d))]
    }),
    ElemDef {
        narrow: true,
        ..float!("chlo.erf", "erf", Any, ulps(2, 2, 4), |x| libm::erf(x[0]), |b, x, _, ct| {
            let scale = b.constant_like(x[0], std::f64::consts::FRAC_2_SQRT_PI);
            let square = b.mul(x[0], x[0]);
            let minus = b.neg(square);
            let e = b.elem("exponential", &[minus]);
            let d = b.mul(scale, e);
            vec![Some(b.mul(ct, d))]
        })
    },
    float!("stablehlo.cbrt", "cbrt", Positive, ulps(1, 1, 1), |x| x[0].cbrt(), |b, x, y, ct| {
        let third = b.constant_like(y, 1.0 / 3.0);
        let t = b.mul(ct, third);
        let d = b.div(y, x[0]);
        vec![Some(b.mul(t, d))]
    }),
    ElemDef {
        commuting: RISING,
        keeps: true,
        ..stepwise!("stablehlo.floor", &["floor", "x"], Sig::Float, |x| x[0].floor(), Lower::Primitive)
    },
    ElemDef {
        commuting: RISING,
        keeps: true,
        ..stepwise!("stablehlo.ceil", &["ceil", "x"], Sig::Float, |x| x[0].ceil(), Lower::Primitive)
    },
    stepwise!(
        "stablehlo.round_nearest_even",
        &["round", "x"],
        Sig::Float,
        |x| x[0].round_ties_even(),
        Lower::Primitive
    ),
    // Ties away from zero. What is left after rounding down is exact, so no sum rounds on the way.
    stepwise!(
        "stablehlo.round_nearest_afz",
        &[],
        Sig::Float,
        |x| x[0].round(),
        Lower::Expr(
            "(select (compare_lt $0 0) \
             (select (compare_ge (subtract (ceil $0) $0) 0.5) (floor $0) (ceil $0)) \
             (select (compare_ge (subtract $0 (floor $0)) 0.5) (ceil $0) (floor $0)))"
        )
    ),
    compare!(Eq, false),
    compare!(Ne, false),
    compare!(Lt, true),
    compare!(Le, true),
    compare!(Gt, true),
    compare!(Ge, true),
    ElemDef {
        commuting: &[
            (Reduction::And, &[0, 1]),
            (Reduction::And, &[0]),
            (Reduction::And, &[1]),
            (Reduction::Or, &[0]),
            (Reduction::Or, &[1]),
        ],
        arithmetic: Arithmetic::And,
        ..bits!("stablehlo.and", &["bit_and", "x", "y"], 2, Sig::Bits, Ignored, |x, _| x[0] & x[1])
    },
    ElemDef {
        commuting: &[
            (Reduction::Or, &[0, 1]),
            (Reduction::Or, &[0]),
            (Reduction::Or, &[1]),
            (Reduction::And, &[0]),
            (Reduction::And, &[1]),
        ],
        ..bits!("stablehlo.or", &["bit_or", "x", "y"], 2, Sig::Bits, Ignored, |x, _| x[0] | x[1])
    },
    bits!("stablehlo.xor", &["bit_xor", "x", "y"], 2, Sig::Bits, Ignored, |x, _| x[0] ^ x[1]),
    bits!("stablehlo.not", &["bit_not", "x"], 1, Sig::Bits, Ignored, |x, _| !x[0]),
    // Shifts by as many bits as there are or more shift everything out, as in StableHLO.
    bits!(
        "stablehlo.shift_left",
        &["shift_left", "x", "bits"],
        2,
        Sig::Integer,
        Ignored,
        |x, t| if shifts_out(x[1], t) { 0 } else { x[0] << x[1] }
    ),
    bits!("stablehlo.shift_right_arithmetic", &["shift_right", "x", "bits"], 2, Sig::Integer, Ignored, |x, t| x[0]
        >> if shifts_out(x[1], t) { 63 } else { x[1] }),
    bits!("stablehlo.shift_right_logical", &[], 2, Sig::Integer, Seen, |x, t| {
        if shifts_out(x[1], t) { 0 } else { (unsigned(x[0], t) >> x[1]) as i64 }
    }),
    bits!("stablehlo.popcnt", &[], 1, Sig::Integer, Seen, |x, t| i64::from(unsigned(x[0], t).count_ones())),
    bits!("stablehlo.count_leading_zeros", &[], 1, Sig::Integer, Counted, |x, t| {
        i64::from(unsigned(x[0], t).leading_zeros()) - (64 - 8 * t.bytes() as i64)
    }),
    stepwise!(
        "stablehlo.is_finite",
        &["is_finite", "x"],
        Sig::Test,
        |x| f64::from(x[0].is_finite()),
        Lower::Expr("(compare_lt (maximum $0 (negate $0)) inf)")
    ),
    // `bitcast_convert` between types with arithmetic; other integers are a `convert` away, which keeps their bits.
    ElemDef {
        name: "bits_of_float",
        ..stepwise!("stablehlo.bitcast_convert", &[], Sig::ToBits, |x| x[0], Lower::Primitive)
    },
    ElemDef {
        name: "float_of_bits",
        domain: &[Drawn::Bits],
        ..bits!("stablehlo.bitcast_convert", &[], 1, Sig::OfBits, Ignored, |x, _| x[0])
    },
    ElemDef {
        name: "select",
        hlo: "stablehlo.select",
        loom: &["select", "condition", "x", "y"],
        arity: 3,
        sig: Sig::Select,
        arithmetic: Arithmetic::Select,
        eval: |x| if x[0] != 0.0 { x[1] } else { x[2] },
        eval_int: Some(|x, _| if x[0] != 0 { x[1] } else { x[2] }),
        grad: Some(|b, x, _, ct| {
            let zero = b.constant_like(ct, 0.0);
            vec![None, Some(b.select(x[0], ct, zero)), Some(b.select(x[0], zero, ct))]
        }),
        linear: &[&[1, 2]],
        commuting: &[
            (Reduction::Max, &[1, 2]),
            (Reduction::Min, &[1, 2]),
            (Reduction::Prod, &[1, 2]),
            (Reduction::And, &[1, 2]),
            (Reduction::Or, &[1, 2]),
            (Reduction::Max, &[1]),
            (Reduction::Min, &[1]),
            (Reduction::And, &[1]),
            (Reduction::Or, &[1]),
            (Reduction::Max, &[2]),
            (Reduction::Min, &[2]),
            (Reduction::And, &[2]),
            (Reduction::Or, &[2]),
        ],
        step: false,
        keeps: true,
        narrow: true,
        signed: false,
        upper: Upper::Ignored,
        ..PLAIN
    },
];

/// From the exponential that does not overflow, so that what is next to nothing is not nothing.
fn logistic(x: f64) -> f64 {
    let e = (-x.abs()).exp();
    if x < 0.0 { e / (1.0 + e) } else { 1.0 / (1.0 + e) }
}

/// Gradient of max and min: the winner takes it, ties share it equally, as JAX does.
fn share_between_ties(b: &mut Builder, x: &[ValueId], ct: ValueId, wins: &str) -> Vec<Option<ValueId>> {
    let zero = b.constant_like(ct, 0.0);
    let half = b.constant_like(ct, 0.5);
    let shared = b.mul(ct, half);
    let tie = b.elem("compare_eq", &[x[0], x[1]]);
    let mut side = |first: ValueId, second: ValueId| {
        let w = b.elem(wins, &[first, second]);
        let rest = b.select(tie, shared, zero);
        b.select(w, ct, rest)
    };
    let (d0, d1) = (side(x[0], x[1]), side(x[1], x[0]));
    vec![Some(d0), Some(d1)]
}

/// Whether a shift by `by` leaves nothing of an integer.
fn shifts_out(by: i64, dtype: DType) -> bool {
    !(0..8 * dtype.bytes() as i64).contains(&by)
}

/// The bits of an integer.
fn unsigned(x: i64, dtype: DType) -> u64 {
    x as u64 & (u64::MAX >> (64 - 8 * dtype.bytes()))
}

/// The bits of a float as an integer of type `to`.
fn bits_of(to: DType, x: f64) -> i64 {
    if to == DType::I32 { i64::from((x as f32).to_bits() as i32) } else { x.to_bits() as i64 }
}

/// The float of type `to` whose bits these are.
fn float_of(to: DType, bits: i64) -> f64 {
    if to == DType::F32 { f64::from(f32::from_bits(bits as u32)) } else { f64::from_bits(bits as u64) }
}

fn elem_of(op: &Op) -> &'static ElemDef {
    match op {
        Op::Elem(e) => e.def(),
        _ => unreachable!("the entry for elementwise ops is used for them alone"),
    }
}

fn infer(op: &Op, xs: &[&TensorType], _: &Mesh) -> Result<TensorType, String> {
    let d = elem_of(op);
    arity(op, xs, d.arity)?;
    if let Some(other) = xs.iter().find(|x| x.shape != xs[0].shape) {
        return Err(format!("`{}` needs equal shapes, not {} and {other}", d.name, xs[0]));
    }
    let values = if d.sig == Sig::Select { &xs[1..] } else { xs };
    let dtype = values[0].dtype;
    if let Some(other) = values.iter().find(|x| x.dtype != dtype) {
        return Err(format!("`{}` needs equal element types, not {dtype} and {}", d.name, other.dtype));
    }
    if dtype == DType::I8 && d.sees_upper_bits() {
        return Err(format!("`{}` is not for i8, which kernels compute in i32: convert it first", d.name));
    }
    let fits = match d.sig {
        Sig::Float | Sig::Test => dtype.is_float(),
        Sig::ToBits => dtype.is_computed_float(),
        Sig::OfBits => matches!(dtype, DType::I32 | DType::I64),
        Sig::Number => dtype != DType::Bool,
        Sig::Bits => dtype == DType::Bool || dtype.is_int(),
        Sig::Integer => dtype.is_int(),
        Sig::Select => xs[0].dtype == DType::Bool,
        Sig::Compare => true,
    };
    if !fits {
        return Err(match d.sig {
            Sig::Select => format!("`select` needs a bool condition, not {}", xs[0].dtype),
            Sig::Float | Sig::Test => format!("`{}` is for floats, not {dtype}", d.name),
            _ => format!("`{}` is not for {dtype}", d.name),
        });
    }
    let dtype = match d.sig {
        Sig::Compare | Sig::Test => DType::Bool,
        Sig::ToBits | Sig::OfBits => dtype.bits_as(),
        _ => dtype,
    };
    Ok(TensorType::new(dtype, xs[0].shape.clone()))
}

fn factors(op: &Op, xs: &[&TensorType], result: &TensorType) -> FactorRule {
    let d = elem_of(op);
    let linear = if result.dtype.is_float() { d.linear } else { &[] };
    // Integers wrap around, so that a sum may be less than what it is of.
    let wraps = !result.dtype.is_float() && matches!(d.arithmetic, Arithmetic::Add | Arithmetic::Subtract);
    let commuting = d.commuting.iter().filter(|s| !wraps && s.0.is_for(result.dtype));
    FactorRule::elementwise(&result.shape, xs.len(), linear.iter().map(|s| s.to_vec()).collect())
        .commuting_with(commuting.map(|(r, s)| (*r, s.to_vec())).collect())
}

fn eval(op: &Op, xs: &[&Tensor], _: &EvalCx<'_>) -> Tensor {
    let d = elem_of(op);
    let types: Vec<&TensorType> = xs.iter().map(|x| &x.ty).collect();
    let ty = infer(op, &types, &Mesh::default()).expect("verified IR");
    let n = ty.elements() as usize;
    match d.sig {
        Sig::ToBits => {
            return Tensor::ints(ty.dtype, &ty.shape, (0..n).map(|i| bits_of(ty.dtype, xs[0].f(i))).collect());
        }
        Sig::OfBits => {
            return Tensor::floats(ty.dtype, &ty.shape, (0..n).map(|i| float_of(ty.dtype, xs[0].i(i))).collect());
        }
        _ => {}
    }
    let float_in = xs.last().is_some_and(|x| x.ty.dtype.is_float());
    let dtype = xs.last().map_or(ty.dtype, |x| x.ty.dtype);
    let mut buf_f = vec![0.0; d.arity];
    let mut buf_i = vec![0; d.arity];
    match (float_in, d.eval_int) {
        (true, _) => {
            let out = (0..n).map(|i| {
                for (b, x) in buf_f.iter_mut().zip(xs) {
                    *b = x.f(i);
                }
                (d.eval)(&buf_f)
            });
            if ty.dtype.is_float() {
                let out = out.collect();
                Tensor::floats(ty.dtype, &ty.shape, out)
            } else {
                let out = out.map(|x| x as i64).collect();
                Tensor::ints(ty.dtype, &ty.shape, out)
            }
        }
        (false, Some(f)) => {
            let out = (0..n)
                .map(|i| {
                    for (b, x) in buf_i.iter_mut().zip(xs) {
                        *b = x.i(i);
                    }
                    let y = f(&buf_i, dtype);
                    // A bool is one bit.
                    if ty.dtype == DType::Bool { y & 1 } else { y }
                })
                .collect();
            Tensor::ints(ty.dtype, &ty.shape, out)
        }
        (false, None) => unreachable!("`{}` takes floats only and the verifier saw to it", d.name),
    }
}

fn grad(b: &mut Builder, cx: &GradCx<'_>) -> Vec<Option<ValueId>> {
    match elem_of(cx.op).grad {
        Some(g) => g(b, cx.operands, cx.result, cx.ct),
        None => vec![None; cx.operands.len()],
    }
}

pub static ELEM: OpDef = OpDef {
    name: "elementwise",
    text: Text { bare: Some(Op::elem), ..NO_TEXT },
    infer,
    factors,
    grad: Some(grad),
    eval,
    flops: one_per_element,
    cost: Cost::Fused,
    batch: |op, _| Ok(op.clone()),
    decides: |op| attrs!(op, Op::Elem(e) => e.def().step),
    keeps_rounded: |op| attrs!(op, Op::Elem(e) => e.def().keeps),
    adds: |op| attrs!(op, Op::Elem(e) => matches!(e.def().arithmetic, Arithmetic::Add | Arithmetic::Subtract)),
    samples: |put| {
        for def in TABLE {
            let dtype = match def.sig {
                Sig::Float | Sig::Number | Sig::Compare | Sig::Test | Sig::ToBits | Sig::Select => FLOAT,
                Sig::Bits | Sig::Integer | Sig::OfBits => INT,
            };
            let mut operands: Vec<(DType, &[u64])> = vec![(dtype, &[4, 6][..]); def.arity];
            if def.sig == Sig::Select {
                operands[0].0 = DType::Bool;
            }
            put(Op::Elem(Elem(def)), &operands);
        }
    },
    ..BASE
};

pub static CONVERT: OpDef = OpDef {
    name: "convert",
    text: Text {
        bare: Some(|_| Some(Op::Convert { to: DType::F32 })),
        complete: |op, ty| {
            if let Op::Convert { to } = op {
                *to = ty.dtype;
            }
        },
        ..NO_TEXT
    },
    cost: Cost::Fused,
    batch: |op, _| Ok(op.clone()),
    decides: |op| attrs!(op, Op::Convert { to } => !to.is_float()),
    infer: |op, xs, _| {
        arity(op, xs, 1)?;
        let Op::Convert { to } = op else { unreachable!("entry of convert") };
        Ok(TensorType::new(*to, xs[0].shape.clone()))
    },
    // Rounding is not linear, but the class of float rewrites that the planner may use treats it as such only between
    // floats that widen; a narrowing convert of partial sums would change numerics, so it is not offered.
    factors: |op, xs, r| {
        let Op::Convert { to } = op else { unreachable!("entry of convert") };
        let from = xs[0].dtype;
        let widens = from.is_float() && *to == from || from.widens_to(*to);
        // Rounding never turns an order around, so a maximum may be narrowed while it is partial. Where there are no infinities
        // the maximum of nothing would become NaN.
        let infinite = |t: DType| t.is_float() && t != DType::F8E4M3;
        let rises = if infinite(from) && infinite(*to) {
            [Reduction::Max, Reduction::Min].map(|r| (r, vec![0])).to_vec()
        } else {
            Vec::new()
        };
        FactorRule::elementwise(&r.shape, 1, if widens { vec![vec![0]] } else { Vec::new() }).commuting_with(rises)
    },
    grad: Some(|b, cx| {
        let from = b.ty(cx.operands[0]).dtype;
        vec![from.is_float().then(|| b.convert(cx.ct, from))]
    }),
    eval: |op, xs, _| {
        let Op::Convert { to } = op else { unreachable!("entry of convert") };
        let (n, shape) = (xs[0].len(), &xs[0].ty.shape);
        if to.is_float() {
            // An integer is rounded once: by way of f64 it would be rounded twice.
            let value = |i: usize| match &xs[0].data {
                Data::Int(v) => round_integer(*to, v[i]),
                Data::Float(v) => v[i],
            };
            return Tensor::floats(*to, shape, (0..n).map(value).collect());
        }
        let ints = match &xs[0].data {
            Data::Float(v) => v.iter().map(|&x| saturate(*to, x)).collect(),
            Data::Int(v) => v.clone(),
        };
        Tensor::ints(*to, shape, ints)
    },
    samples: |put| {
        put(Op::Convert { to: DType::F32 }, &[(FLOAT, &[4, 6])]);
        put(Op::Convert { to: INT }, &[(FLOAT, &[6, 5])]);
    },
    ..BASE
};
