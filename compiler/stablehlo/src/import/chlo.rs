//! Functions of chlo of one operand, as XLA computes them: each of ops that the IR has. Others are in `special`.

use super::state::{Import, ImportRule};
use crate::module::TextOp;
use meshloom_ir::{DType, ValueId};
use std::f64::consts::{LN_2, PI};

type Made = Result<Vec<ValueId>, String>;

pub const RULES: &[(&str, ImportRule)] = &[
    ("chlo.acos", of_one),
    ("chlo.acosh", of_one),
    ("chlo.asin", of_one),
    ("chlo.asinh", of_one),
    ("chlo.atan", of_one),
    ("chlo.atanh", of_one),
    ("chlo.cosh", of_one),
    ("chlo.sinh", of_one),
    ("chlo.erfc", of_one),
    ("chlo.erf_inv", of_one),
    ("chlo.lgamma", of_one),
    ("chlo.digamma", of_one),
    ("chlo.is_inf", of_one),
    ("chlo.is_pos_inf", of_one),
    ("chlo.is_neg_inf", of_one),
];

/// Cephes, of exp(-x^2) / x in 1 / x^2, for 1 <= x < 2 and from there on.
const ERFC_NEAR: [f64; 9] = [
    2.326819970068386e-2,
    -1.387039388740657e-1,
    3.687424674597105e-1,
    -5.824733027278666e-1,
    6.210004621745983e-1,
    -4.944515323274145e-1,
    3.404879937665872e-1,
    -2.741127028184656e-1,
    5.638259427386472e-1,
];
const ERFC_FAR: [f64; 8] = [
    -1.047766399936249e1,
    1.297719955372516e1,
    -7.495518717768503,
    2.921019019210786,
    -1.015_265_279_202_7,
    4.218463358204948e-1,
    -2.820767439740514e-1,
    5.641895067754075e-1,
];
/// Giles, "Approximating the erfinv function" (2010), in w = -log(1 - x^2): below 5 and from there on.
const ERF_INV_NEAR: [f64; 9] = [
    2.81022636e-08,
    3.43273939e-07,
    -3.5233877e-06,
    -4.39150654e-06,
    0.00021858087,
    -0.00125372503,
    -0.00417768164,
    0.246640727,
    1.50140941,
];
const ERF_INV_FAR: [f64; 9] = [
    -0.000200214257,
    0.000100950558,
    0.00134934322,
    -0.00367342844,
    0.00573950773,
    -0.0076224613,
    0.00943887047,
    1.00167406,
    2.83297682,
];
/// Lanczos, g = 7.
const LANCZOS: [f64; 8] = [
    676.520_368_121_885_1,
    -1_259.139_216_722_402_8,
    771.323_428_777_653_1,
    -176.615_029_162_140_6,
    12.507_343_278_686_905,
    -0.138_571_095_265_720_12,
    9.984_369_578_019_572e-6,
    1.505_632_735_149_311_6e-7,
];
const LANCZOS_BASE: f64 = 0.999_999_999_999_809_9;

/// In f32 at least, as XLA does.
fn of_one(i: &mut Import<'_>, op: &TextOp<'_>) -> Made {
    let [x] = i.exactly(op)?;
    let dtype = i.b.ty(x).dtype;
    if !dtype.is_float() {
        return Err(format!("`{}` is for floats", op.name));
    }
    let name = op.name.trim_start_matches("chlo.");
    // Sums that cancel are taken in twice the precision of what is asked for, where there is one.
    let wide = if matches!(name, "lgamma" | "digamma" | "erf_inv") { DType::F64 } else { DType::F32 };
    let x = if dtype == DType::F64 { x } else { i.convert(x, wide)? };
    let mut m = Math { i, like: x };
    let y = match name {
        "is_inf" => {
            let size = m.f("abs", &[x])?;
            let infinity = m.c(f64::INFINITY);
            return Ok(vec![m.f("compare_eq", &[size, infinity])?]);
        }
        "is_pos_inf" | "is_neg_inf" => {
            let infinity = m.c(if name == "is_pos_inf" { f64::INFINITY } else { f64::NEG_INFINITY });
            return Ok(vec![m.f("compare_eq", &[x, infinity])?]);
        }
        "acos" => m.acos(x)?,
        "asin" => m.asin(x)?,
        "atan" => {
            let one = m.c(1.0);
            m.f("atan2", &[x, one])?
        }
        "sinh" => m.sinh(x)?,
        "cosh" => m.cosh(x)?,
        "asinh" => m.asinh(x)?,
        "acosh" => m.acosh(x)?,
        "atanh" => {
            let minus = m.f("negate", &[x])?;
            let (up, down) = (m.f("log_plus_one", &[x])?, m.f("log_plus_one", &[minus])?);
            let difference = m.f("subtract", &[up, down])?;
            m.times(difference, 0.5)?
        }
        "erfc" => m.erfc(x, dtype == DType::F64)?,
        "erf_inv" => m.erf_inv(x, dtype == DType::F64)?,
        "lgamma" => m.lgamma(x)?,
        "digamma" => m.digamma(x)?,
        other => return Err(format!("`chlo.{other}` is not supported")),
    };
    Ok(vec![i.convert(y, dtype)?])
}

/// Ops on values of one type.
pub struct Math<'i, 'm> {
    pub i: &'i mut Import<'m>,
    pub like: ValueId,
}

pub type ImportResult = Result<ValueId, String>;

impl Math<'_, '_> {
    pub fn f(&mut self, name: &str, xs: &[ValueId]) -> ImportResult {
        self.i.elem(name, xs)
    }

    pub fn c(&mut self, x: f64) -> ValueId {
        self.i.b.constant_like(self.like, x)
    }

    pub fn plus(&mut self, x: ValueId, c: f64) -> ImportResult {
        let c = self.c(c);
        self.f("add", &[x, c])
    }

    pub fn times(&mut self, x: ValueId, c: f64) -> ImportResult {
        let c = self.c(c);
        self.f("multiply", &[x, c])
    }

    pub fn inverse(&mut self, x: ValueId) -> ImportResult {
        let one = self.c(1.0);
        self.f("divide", &[one, x])
    }

    pub fn square(&mut self, x: ValueId) -> ImportResult {
        self.f("multiply", &[x, x])
    }

    pub fn select(&mut self, compare: &str, x: ValueId, c: f64, yes: ValueId, no: ValueId) -> ImportResult {
        let c = self.c(c);
        let p = self.f(compare, &[x, c])?;
        self.i.select(p, yes, no)
    }

    /// The highest power first.
    fn polynomial(&mut self, x: ValueId, coefficients: &[f64]) -> ImportResult {
        let mut sum = self.c(coefficients[0]);
        for &c in &coefficients[1..] {
            let up = self.f("multiply", &[sum, x])?;
            sum = self.plus(up, c)?;
        }
        Ok(sum)
    }

    /// The root of 1 - x^2, as (1 - x) (1 + x).
    fn other_leg(&mut self, x: ValueId) -> ImportResult {
        let minus = self.f("negate", &[x])?;
        let (less, more) = (self.plus(minus, 1.0)?, self.plus(x, 1.0)?);
        let product = self.f("multiply", &[less, more])?;
        self.f("sqrt", &[product])
    }

    fn asin(&mut self, x: ValueId) -> ImportResult {
        let leg = self.other_leg(x)?;
        let below = self.plus(leg, 1.0)?;
        let half = self.f("atan2", &[x, below])?;
        self.times(half, 2.0)
    }

    fn acos(&mut self, x: ValueId) -> ImportResult {
        let leg = self.other_leg(x)?;
        let below = self.plus(x, 1.0)?;
        let half = self.f("atan2", &[leg, below])?;
        self.times(half, 2.0)
    }

    /// Small arguments need `expm1`; of large ones e^x may be beyond the type where the result is not.
    pub fn sinh(&mut self, x: ValueId) -> ImportResult {
        let minus = self.f("negate", &[x])?;
        let (up, down) = (self.plus(x, -LN_2)?, self.plus(minus, -LN_2)?);
        let (up, down) = (self.f("exponential", &[up])?, self.f("exponential", &[down])?);
        let large = self.f("subtract", &[up, down])?;
        let e = self.f("exponential_minus_one", &[x])?;
        let below = self.plus(e, 1.0)?;
        let part = self.f("divide", &[e, below])?;
        let small = self.f("add", &[e, part])?;
        let small = self.times(small, 0.5)?;
        let size = self.f("abs", &[x])?;
        self.select("compare_lt", size, 1.0, small, large)
    }

    pub fn cosh(&mut self, x: ValueId) -> ImportResult {
        let minus = self.f("negate", &[x])?;
        let (up, down) = (self.plus(x, -LN_2)?, self.plus(minus, -LN_2)?);
        let (up, down) = (self.f("exponential", &[up])?, self.f("exponential", &[down])?);
        self.f("add", &[up, down])
    }

    /// log(|x| + root(x^2 + 1)), as log1p(|x| + x^2 / (1 + root(x^2 + 1))); of large arguments log(2 |x|).
    fn asinh(&mut self, x: ValueId) -> ImportResult {
        let size = self.f("abs", &[x])?;
        let square = self.square(x)?;
        let next = self.plus(square, 1.0)?;
        let root = self.f("sqrt", &[next])?;
        let below = self.plus(root, 1.0)?;
        let part = self.f("divide", &[square, below])?;
        let sum = self.f("add", &[size, part])?;
        let small = self.f("log_plus_one", &[sum])?;
        let log = self.f("log", &[size])?;
        let large = self.plus(log, LN_2)?;
        let y = self.select("compare_gt", size, 1e18, large, small)?;
        let sign = self.f("sign", &[x])?;
        self.f("multiply", &[sign, y])
    }

    fn acosh(&mut self, x: ValueId) -> ImportResult {
        let (less, more) = (self.plus(x, -1.0)?, self.plus(x, 1.0)?);
        let product = self.f("multiply", &[less, more])?;
        let root = self.f("sqrt", &[product])?;
        let sum = self.f("add", &[less, root])?;
        let small = self.f("log_plus_one", &[sum])?;
        let log = self.f("log", &[x])?;
        let large = self.plus(log, LN_2)?;
        self.select("compare_gt", x, 1e18, large, small)
    }

    fn erfc(&mut self, x: ValueId, double: bool) -> ImportResult {
        let erf = self.f("erf", &[x])?;
        let minus = self.f("negate", &[erf])?;
        let near = self.plus(minus, 1.0)?;
        let size = self.f("abs", &[x])?;
        let square = self.square(x)?;
        let down = self.f("negate", &[square])?;
        let e = self.f("exponential", &[down])?;
        let tail = if double {
            // Continued fraction 1 / (x + 1/2 / (x + 1 / (x + 3/2 / ..))), over the root of pi.
            let mut f = size;
            for k in (1..=60u32).rev() {
                let above = self.c(f64::from(k) / 2.0);
                let part = self.f("divide", &[above, f])?;
                f = self.f("add", &[size, part])?;
            }
            let f = self.times(f, PI.sqrt())?;
            self.f("divide", &[e, f])?
        } else {
            let q = self.inverse(square)?;
            let (close, far) = (self.polynomial(q, &ERFC_NEAR)?, self.polynomial(q, &ERFC_FAR)?);
            let p = self.select("compare_lt", size, 2.0, close, far)?;
            let e = self.f("divide", &[e, size])?;
            self.f("multiply", &[e, p])?
        };
        let minus = self.f("negate", &[tail])?;
        let other = self.plus(minus, 2.0)?;
        let tail = self.select("compare_lt", x, 0.0, other, tail)?;
        self.select("compare_lt", size, if double { 2.0 } else { 1.0 }, near, tail)
    }

    /// An f64 takes two steps of Newton's method behind what suffices for an f32.
    fn erf_inv(&mut self, x: ValueId, double: bool) -> ImportResult {
        let minus = self.f("negate", &[x])?;
        let product = self.f("multiply", &[x, minus])?;
        let log = self.f("log_plus_one", &[product])?;
        let w = self.f("negate", &[log])?;
        let root = self.f("sqrt", &[w])?;
        let (near, far) = (self.plus(w, -2.5)?, self.plus(root, -3.0)?);
        let (near, far) = (self.polynomial(near, &ERF_INV_NEAR)?, self.polynomial(far, &ERF_INV_FAR)?);
        let p = self.select("compare_lt", w, 5.0, near, far)?;
        let mut y = self.f("multiply", &[p, x])?;
        for _ in 0..if double { 2 } else { 0 } {
            let erf = self.f("erf", &[y])?;
            let off = self.f("subtract", &[erf, x])?;
            let square = self.square(y)?;
            let e = self.f("exponential", &[square])?;
            let step = self.f("multiply", &[off, e])?;
            let step = self.times(step, PI.sqrt() / 2.0)?;
            y = self.f("subtract", &[y, step])?;
        }
        let size = self.f("abs", &[x])?;
        let end = self.times(x, f64::INFINITY)?;
        self.select("compare_eq", size, 1.0, end, y)
    }

    /// z of Lanczos' sums, at least -1/2: x - 1, or -x where the function is reflected.
    fn reflected(&mut self, x: ValueId) -> ImportResult {
        let (minus, less) = (self.f("negate", &[x])?, self.plus(x, -1.0)?);
        self.select("compare_lt", x, 0.5, minus, less)
    }

    pub fn lgamma(&mut self, x: ValueId) -> ImportResult {
        let z = self.reflected(x)?;
        let mut sum = self.c(LANCZOS_BASE);
        for (k, c) in LANCZOS.into_iter().enumerate() {
            let below = self.plus(z, k as f64 + 1.0)?;
            let above = self.c(c);
            let part = self.f("divide", &[above, below])?;
            sum = self.f("add", &[sum, part])?;
        }
        let t = self.plus(z, 7.5)?;
        let log = self.f("log", &[t])?;
        let half = self.plus(z, 0.5)?;
        let a = self.f("multiply", &[half, log])?;
        let a = self.f("subtract", &[a, t])?;
        let b = self.f("log", &[sum])?;
        let y = self.f("add", &[a, b])?;
        let y = self.plus(y, (2.0 * PI).sqrt().ln())?;
        // log(pi / |sin(pi x)|) - y below 1/2. The sine is that of what is left of |x| by rounding down.
        let size = self.f("abs", &[x])?;
        let floor = self.f("floor", &[size])?;
        let rest = self.f("subtract", &[size, floor])?;
        let angle = self.times(rest, PI)?;
        let sine = self.f("sine", &[angle])?;
        let sine = self.f("abs", &[sine])?;
        let log = self.f("log", &[sine])?;
        let below = self.f("add", &[log, y])?;
        let below = self.f("negate", &[below])?;
        let below = self.plus(below, PI.ln())?;
        let infinite = self.c(f64::INFINITY);
        let below = self.select("compare_eq", rest, 0.0, infinite, below)?;
        let y = self.select("compare_lt", x, 0.5, below, y)?;
        self.select("compare_eq", size, f64::INFINITY, infinite, y)
    }

    pub fn digamma(&mut self, x: ValueId) -> ImportResult {
        let z = self.reflected(x)?;
        let (mut above, mut below) = (self.c(0.0), self.c(LANCZOS_BASE));
        for (k, c) in LANCZOS.into_iter().enumerate() {
            let n = self.plus(z, k as f64 + 1.0)?;
            let c = self.c(c);
            let part = self.f("divide", &[c, n])?;
            below = self.f("add", &[below, part])?;
            let slope = self.f("divide", &[part, n])?;
            above = self.f("subtract", &[above, slope])?;
        }
        let t = self.plus(z, 7.5)?;
        let log = self.f("log", &[t])?;
        let part = self.f("divide", &[above, below])?;
        let seven = self.c(7.0);
        let last = self.f("divide", &[seven, t])?;
        let y = self.f("add", &[log, part])?;
        let y = self.f("subtract", &[y, last])?;
        // y - pi / tan(pi x) below 1/2; whole numbers there are poles.
        let floor = self.f("floor", &[x])?;
        let rest = self.f("subtract", &[x, floor])?;
        let angle = self.times(rest, PI)?;
        let (cosine, sine) = (self.f("cosine", &[angle])?, self.f("sine", &[angle])?);
        let cosine = self.times(cosine, PI)?;
        let part = self.f("divide", &[cosine, sine])?;
        let reflected = self.f("subtract", &[y, part])?;
        let nan = self.c(f64::NAN);
        let reflected = self.select("compare_eq", rest, 0.0, nan, reflected)?;
        self.select("compare_lt", x, 0.5, reflected, y)
    }
}
