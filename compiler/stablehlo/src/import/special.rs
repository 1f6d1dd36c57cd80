//! Special functions of chlo, as XLA computes them: of two operands, and a Bessel function. In f64, and rounded once.

use super::chlo::{ImportResult, Math};
use super::state::{Import, ImportRule};
use crate::module::TextOp;
use meshloom_ir::{DType, ValueId};

type Made = Result<Vec<ValueId>, String>;

pub const RULES: &[(&str, ImportRule)] = &[
    ("chlo.next_after", next_after),
    ("chlo.zeta", of_two),
    ("chlo.polygamma", of_two),
    ("chlo.bessel_i1e", bessel_i1e),
];

/// Chebyshev series of i1e(x) / x in x / 2 - 2 up to 8, and of i1e(x) times the root of x in 32 / x - 2 from there on, as in Cephes;
/// the highest first.
const I1E_NEAR: [f64; 27] = [
    7.494005416219807e-17,
    -1.1096332186433244e-15,
    7.457368056407177e-15,
    -5.028963356856764e-14,
    3.2226415980218806e-13,
    -1.9839861697956705e-12,
    1.1736166483089506e-11,
    -6.663478213653207e-11,
    3.625590050404526e-10,
    -1.887249776177935e-09,
    9.38153729673763e-09,
    -4.4450591245304154e-08,
    2.0032947525422396e-07,
    -8.568720265031416e-07,
    3.470251308021477e-06,
    -1.3273163655881659e-05,
    4.781565107545474e-05,
    -0.00016176081582588043,
    0.0005122859561685564,
    -0.0015135724506312276,
    0.004156422944312771,
    -0.010564084894626142,
    0.02472644903062644,
    -0.05294598120809491,
    0.10264365868984704,
    -0.176416518357834,
    0.2525871864436336,
];
const I1E_FAR: [f64; 20] = [
    4.440892098500626e-16,
    -1.8407497748285097e-15,
    -3.884670363163423e-15,
    1.0311751452718453e-14,
    4.275690912436403e-14,
    -2.111644192837048e-14,
    -4.0836001247157586e-13,
    -7.199396634405275e-13,
    2.035722701521081e-12,
    1.4125753899918436e-11,
    3.2526044080327665e-11,
    -1.8974946058847308e-11,
    -5.589743112821566e-10,
    -3.835380517624998e-09,
    -2.631468840164075e-08,
    -2.512236238816357e-07,
    -3.8825648088014475e-06,
    -0.00011058893876265907,
    -0.009761097491361425,
    0.7785762350182802,
];
/// (2 j)! / B(2 j), of the terms of Euler and Maclaurin.
const TERMS: [f64; 12] = [
    12.0,
    -720.0,
    30_240.0,
    -1_209_600.0,
    47_900_160.0,
    -1.892_437_580_318_379_2e9,
    7.472_424_96e10,
    -2.950_130_727_918_164e12,
    1.164_678_281_435_006_7e14,
    -4.597_978_722_407_473e15,
    1.815_210_540_194_354_7e17,
    -7.166_165_256_175_667e18,
];

fn of_two(i: &mut Import<'_>, op: &TextOp<'_>) -> Made {
    let [x, y] = i.exactly(op)?;
    let dtype = floats(i, op, x)?;
    let (x, y) = (i.convert(x, DType::F64)?, i.convert(y, DType::F64)?);
    let mut m = Math { i, like: x };
    let z = if op.name == "chlo.zeta" { m.zeta(x, y)? } else { m.polygamma(x, y)? };
    Ok(vec![i.convert(z, dtype)?])
}

fn bessel_i1e(i: &mut Import<'_>, op: &TextOp<'_>) -> Made {
    let [x] = i.exactly(op)?;
    let dtype = floats(i, op, x)?;
    let x = i.convert(x, DType::F64)?;
    let y = Math { i, like: x }.bessel_i1e(x)?;
    Ok(vec![i.convert(y, dtype)?])
}

fn floats(i: &Import<'_>, op: &TextOp<'_>, x: ValueId) -> Result<DType, String> {
    let dtype = i.b.ty(x).dtype;
    if dtype.is_float() { Ok(dtype) } else { Err(format!("`{}` is for floats", op.name)) }
}

/// The bits of a float are ordered as its size is: one more, or one less.
fn next_after(i: &mut Import<'_>, op: &TextOp<'_>) -> Made {
    let [x, y] = i.exactly(op)?;
    let (dtype, element) = (floats(i, op, x)?, op.elements()[0]);
    let zero = i.b.constant_like(x, 0.0);
    let (up, above) = (i.elem("compare_gt", &[y, x])?, i.elem("compare_gt", &[x, zero])?);
    let away = i.elem("compare_eq", &[up, above])?;
    let bits = i.bits_of(x, element)?;
    let (one, minus) = (i.b.constant_like(bits, 1.0), i.b.constant_like(bits, -1.0));
    let step = i.select(away, one, minus)?;
    let next = i.elem("add", &[bits, step])?;
    let next = i.of_bits(next, element, dtype)?;
    // From zero to the smallest there is, with the sign of where it goes.
    let least = i.of_bits(one, element, dtype)?;
    let most = i.elem("negate", &[least])?;
    let least = i.select(up, least, most)?;
    let none = i.elem("compare_eq", &[x, zero])?;
    let next = i.select(none, least, next)?;
    let there = i.elem("compare_eq", &[x, y])?;
    let next = i.select(there, y, next)?;
    // A sum with a NaN is one.
    let sum = i.elem("add", &[x, y])?;
    let (good, own) = (i.elem("compare_eq", &[x, x])?, i.elem("compare_eq", &[y, y])?);
    let good = i.elem("and", &[good, own])?;
    Ok(vec![i.select(good, next, sum)?])
}

impl Math<'_, '_> {
    /// Hurwitz' zeta function: ten terms of the series, and the formula of Euler and Maclaurin for the rest.
    fn zeta(&mut self, x: ValueId, q: ValueId) -> ImportResult {
        let minus = self.f("negate", &[x])?;
        let (mut a, mut sum) = (q, self.f("power", &[q, minus])?);
        for _ in 1..10 {
            a = self.plus(a, 1.0)?;
            let term = self.f("power", &[a, minus])?;
            sum = self.f("add", &[sum, term])?;
        }
        a = self.plus(a, 1.0)?;
        let power = self.f("power", &[a, minus])?;
        // power * (a / (x - 1) + 1/2 + x / (a c1) + x (x + 1) (x + 2) / (a^3 c2) ..)
        let less = self.plus(x, -1.0)?;
        let rest = self.f("divide", &[a, less])?;
        let mut rest = self.plus(rest, 0.5)?;
        let mut factor = self.f("divide", &[x, a])?;
        for (j, c) in TERMS.into_iter().enumerate() {
            if j > 0 {
                for k in [2 * j - 1, 2 * j] {
                    let next = self.plus(x, k as f64)?;
                    let next = self.f("divide", &[next, a])?;
                    factor = self.f("multiply", &[factor, next])?;
                }
            }
            let term = self.times(factor, 1.0 / c)?;
            rest = self.f("add", &[rest, term])?;
        }
        let rest = self.f("multiply", &[power, rest])?;
        let y = self.f("add", &[sum, rest])?;
        // Poles at q = 0, -1 ..: of an even x all terms are of one sign. Below zero other q are for whole x.
        let (nan, infinity, two) = (self.c(f64::NAN), self.c(f64::INFINITY), self.c(2.0));
        let odd = self.f("remainder", &[x, two])?;
        let pole = self.select("compare_eq", odd, 0.0, infinity, nan)?;
        let whole = self.f("floor", &[q])?;
        let whole = self.f("compare_eq", &[q, whole])?;
        let below = self.i.select(whole, pole, y)?;
        let floor = self.f("floor", &[x])?;
        let broken = self.f("compare_ne", &[x, floor])?;
        let below = self.i.select(broken, nan, below)?;
        let y = self.select("compare_le", q, 0.0, below, y)?;
        let y = self.select("compare_lt", x, 1.0, nan, y)?;
        self.select("compare_eq", x, 1.0, infinity, y)
    }

    /// (-1)^(n + 1) n! zeta(n + 1, x), and of n = 0 the digamma function.
    fn polygamma(&mut self, n: ValueId, x: ValueId) -> ImportResult {
        let more = self.plus(n, 1.0)?;
        let (log, zeta, digamma) = (self.lgamma(more)?, self.zeta(more, x)?, self.digamma(x)?);
        let size = self.f("exponential", &[log])?;
        let y = self.f("multiply", &[size, zeta])?;
        let minus = self.f("negate", &[y])?;
        let two = self.c(2.0);
        let odd = self.f("remainder", &[n, two])?;
        let y = self.select("compare_eq", odd, 0.0, minus, y)?;
        let y = self.select("compare_eq", n, 0.0, digamma, y)?;
        let nan = self.c(f64::NAN);
        let y = self.select("compare_lt", n, 0.0, nan, y)?;
        let floor = self.f("floor", &[n])?;
        let broken = self.f("compare_ne", &[n, floor])?;
        self.i.select(broken, nan, y)
    }

    fn bessel_i1e(&mut self, x: ValueId) -> ImportResult {
        let size = self.f("abs", &[x])?;
        let t = self.times(size, 0.5)?;
        let t = self.plus(t, -2.0)?;
        let near = self.chebyshev(t, &I1E_NEAR)?;
        let near = self.f("multiply", &[near, size])?;
        let inverse = self.inverse(size)?;
        let t = self.times(inverse, 32.0)?;
        let t = self.plus(t, -2.0)?;
        let far = self.chebyshev(t, &I1E_FAR)?;
        let root = self.f("sqrt", &[size])?;
        let far = self.f("divide", &[far, root])?;
        let y = self.select("compare_le", size, 8.0, near, far)?;
        let sign = self.f("sign", &[x])?;
        self.f("multiply", &[sign, y])
    }

    /// Clenshaw's sum of a Chebyshev series in t / 2.
    fn chebyshev(&mut self, t: ValueId, coefficients: &[f64]) -> ImportResult {
        let (mut now, mut before, mut last) = (self.c(0.0), self.c(0.0), self.c(0.0));
        for &c in coefficients {
            (last, before) = (before, now);
            let up = self.f("multiply", &[t, before])?;
            let up = self.f("subtract", &[up, last])?;
            now = self.plus(up, c)?;
        }
        let difference = self.f("subtract", &[now, last])?;
        self.times(difference, 0.5)
    }
}
