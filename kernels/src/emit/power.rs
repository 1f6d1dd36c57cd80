//! Powers: those that are a few multiplications or a root, and the general one through a logarithm and an exponential.
//!
//! An error of one unit in `y * log(x)` is one of many units in the power, and `1 - beta ^ step` would magnify it. So an f32 is computed
//! in f64, and an f64 with a logarithm that is the sum of two (Dekker, 1971).

use super::builder::{Builder, ElemKind, Val};
use super::trig;

/// Whole exponents up to here are multiplications.
const FEW: f64 = 16.0;

/// In f64; `exact` where that is the type of the operands, and no other is rounded to.
pub fn emit(b: &mut Builder, x: Val, y: Val, exact: bool) -> Val {
    let size = b.unary("math.absf", x);
    let positive = if exact { of_size(b, size, y) } else { by_logarithm(b, size, y) };
    with_sign(b, x, y, positive)
}

/// By multiplications, or as a root, where the exponent is a constant for which that is shorter.
pub fn by_few(b: &mut Builder, x: Val, n: f64) -> Option<Val> {
    let ty = b.ty(x);
    let one = b.float(ty, 1.0);
    if n.abs() == 0.5 {
        let root = b.unary("math.sqrt", x);
        return Some(if n > 0.0 { root } else { b.binary("divf", one, root) });
    }
    if n.fract() != 0.0 || n.abs() > FEW {
        return None;
    }
    let mut result: Option<Val> = None;
    let (mut square, mut left) = (x, n.abs() as u32);
    while left > 0 {
        if left & 1 == 1 {
            result = Some(result.map_or(square, |r| b.binary("mulf", r, square)));
        }
        left >>= 1;
        if left > 0 {
            square = b.binary("mulf", square, square);
        }
    }
    let result = result.unwrap_or(one);
    Some(if n < 0.0 { b.binary("divf", one, result) } else { result })
}

/// The power of |x|, to the precision of an f32.
fn by_logarithm(b: &mut Builder, size: Val, y: Val) -> Val {
    let log = b.unary("loom.log", size);
    let scaled = b.binary("mulf", y, log);
    let scaled = zero_of_one(b, size, scaled);
    b.unary("loom.exp", scaled)
}

/// 1 to whatever power, infinity included.
fn zero_of_one(b: &mut Builder, size: Val, scaled: Val) -> Val {
    let ty = b.ty(size);
    let (zero, one) = (b.float(ty, 0.0), b.float(ty, 1.0));
    let unit = b.compare("oeq", size, one);
    b.select(unit, zero, scaled)
}

/// What the power of |x| is of x: below zero by whether the exponent is odd, even or no integer.
fn with_sign(b: &mut Builder, x: Val, y: Val, positive: Val) -> Val {
    let ty = b.ty(x);
    let [zero, one, half] = [0.0, 1.0, 0.5].map(|c| b.float(ty, c));
    let (nan, inf) = (b.float(ty, f64::NAN), b.float(ty, f64::INFINITY));
    let floor = b.unary("math.floor", y);
    let whole = b.compare("oeq", floor, y);
    let halved = b.binary("mulf", y, half);
    let half_floor = b.unary("math.floor", halved);
    let even = b.compare("oeq", half_floor, halved);
    let flipped = b.unary("arith.negf", positive);
    let signed = b.select(even, positive, flipped);
    // Infinity has no sign that a broken exponent could not take.
    let endless = b.float(ty, f64::NEG_INFINITY);
    let endless = b.compare("oeq", x, endless);
    let broken = b.select(endless, positive, nan);
    let negative = b.select(whole, signed, broken);
    let below = b.compare("olt", x, zero);
    let result = b.select(below, negative, positive);
    // An odd exponent keeps the sign of a zero, and that of its inverse; no number keeps nothing.
    let rising = b.compare("ogt", y, zero);
    let plain = b.select(rising, zero, inf);
    let inverse = b.binary("divf", one, x);
    let signed_zero = b.select(rising, x, inverse);
    let odd = b.select(even, plain, signed_zero);
    let of_zero = b.select(whole, odd, plain);
    let unknown = b.compare("uno", y, y);
    let of_zero = b.select(unknown, y, of_zero);
    let is_zero = b.compare("oeq", x, zero);
    let result = b.select(is_zero, of_zero, result);
    let constant = b.compare("oeq", y, zero);
    b.select(constant, one, result)
}

/// ln 2 in two parts, the first of so few digits that its multiples by exponents are exact.
const LN2: [f64; 2] = [6.931_471_803_691_238e-1, 1.908_214_929_270_587_7e-10];

/// A third, and what is left of it.
const THIRD: [f64; 2] = [1.0 / 3.0, 1.850_371_707_708_594e-17];

/// The power of |x|. Where the exponential is beyond all numbers, its argument needs no lower part.
fn of_size(b: &mut Builder, size: Val, y: Val) -> Val {
    let ty = b.ty(size);
    let [zero, half, inf, least] = [0.0, 0.5, f64::INFINITY, -707.5].map(|c| b.float(ty, c));
    let log = logarithm(b, size);
    let product = b.binary("mulf", y, log[0]);
    let lost = product_error(b, y, log[0], product);
    let low = b.multiply_add(y, log[1], lost);
    let (product, low) = (zero_of_one(b, size, product), zero_of_one(b, size, low));
    // Below the normal range in two factors, since the exponential ends with it.
    let deep = b.compare("olt", product, least);
    let halved = b.binary("mulf", product, half);
    let argument = b.select(deep, halved, product);
    let e = b.unary("loom.exp", argument);
    let corrected = b.multiply_add(e, low, e);
    let (some, finite) = (b.compare("ogt", e, zero), b.compare("olt", e, inf));
    let plain = b.binary("andi", some, finite);
    let corrected = b.select(plain, corrected, e);
    let squared = b.binary("mulf", corrected, e);
    b.select(deep, squared, corrected)
}

/// What `a * c` lost by rounding.
fn product_error(b: &mut Builder, a: Val, c: Val, product: Val) -> Val {
    let minus = b.unary("arith.negf", product);
    b.multiply_add(a, c, minus)
}

/// A sum of two, the larger first, and what rounding left.
fn sum(b: &mut Builder, large: Val, small: Val) -> [Val; 2] {
    let sum = b.binary("addf", large, small);
    let back = b.binary("subf", sum, large);
    [sum, b.binary("subf", small, back)]
}

/// The logarithm of a number that is not below zero, as a sum of two: with `s = f / (2 + f)` of the mantissa `1 + f`, it is
/// `2 s (1 + s^2/3 + s^4/5 + ..)`, of which the first two terms need both parts.
fn logarithm(b: &mut Builder, x: Val) -> [Val; 2] {
    let ty = b.ty(x);
    let (m, k) = mantissa(b, x);
    let [one, two, zero, inf] = [1.0, 2.0, 0.0, f64::INFINITY].map(|c| b.float(ty, c));
    let f = b.binary("subf", m, one);
    let [below, below_low] = sum(b, two, f);
    let s = b.binary("divf", f, below);
    let minus = b.unary("arith.negf", s);
    let left = b.multiply_add(minus, below, f);
    let left = b.multiply_add(minus, below_low, left);
    let s_low = b.binary("divf", left, below);
    let z = b.binary("mulf", s, s);
    let z_low = product_error(b, s, s, z);
    let doubled = b.binary("addf", s, s);
    let z_low = b.multiply_add(doubled, s_low, z_low);
    let u = series(b, z, z_low);
    let (d, d_low) = (doubled, b.binary("addf", s_low, s_low));
    let t = b.binary("mulf", d, u[0]);
    let t_low = product_error(b, d, u[0], t);
    let t_low = b.multiply_add(d, u[1], t_low);
    let t_low = b.multiply_add(d_low, u[0], t_low);
    let [log, rest] = sum(b, d, t);
    let rest = [t_low, d_low].into_iter().fold(rest, |rest, part| b.binary("addf", rest, part));
    let [upper, lower] = LN2.map(|c| b.float(ty, c));
    let whole = b.binary("mulf", k, upper);
    let [log, more] = sum(b, whole, log);
    let rest = b.binary("addf", rest, more);
    let rest = b.multiply_add(k, lower, rest);
    let [log, rest] = sum(b, log, rest);
    // Infinity and NaN are their own logarithms.
    let finite = b.compare("olt", x, inf);
    [b.select(finite, log, x), b.select(finite, rest, zero)]
}

/// `z/3 + z^2/5 + z^3/7 + ..` as a sum of two.
fn series(b: &mut Builder, z: Val, z_low: Val) -> [Val; 2] {
    let ty = b.ty(z);
    let coefficients: Vec<f64> = (2..14).rev().map(|n| 1.0 / f64::from(2 * n + 1)).collect();
    let tail = trig::polynomial(b, z, &coefficients);
    let square = b.binary("mulf", z, z);
    let tail = b.binary("mulf", tail, square);
    let [third, third_low] = THIRD.map(|c| b.float(ty, c));
    let first = b.binary("mulf", z, third);
    let low = product_error(b, z, third, first);
    let low = b.multiply_add(z, third_low, low);
    let low = b.multiply_add(z_low, third, low);
    let [sum, rest] = sum(b, first, tail);
    [sum, b.binary("addf", rest, low)]
}

/// `x = m 2^k`, m beside 1: at least the root of 1/2, and below that of 2.
fn mantissa(b: &mut Builder, x: Val) -> (Val, Val) {
    let ty = b.ty(x);
    let [smallest, up, shifted, zero] = [f64::MIN_POSITIVE, f64::powi(2.0, 54), 54.0, 0.0].map(|c| b.float(ty, c));
    let subnormal = b.compare("olt", x, smallest);
    let scaled = b.binary("mulf", x, up);
    let x = b.select(subnormal, scaled, x);
    let bits = b.bitcast(x, ElemKind::I64);
    let int = b.ty(bits);
    let half = 0x3fe6_a09e_0000_0000;
    let [to_one, half, at, bias, mask] = [(1023 << 52) - half, half, 52, 1023, (1 << 52) - 1].map(|n| b.int(int, n));
    let bits = b.binary("addi", bits, to_one);
    let exponent = b.binary("shrui", bits, at);
    let exponent = b.binary("subi", exponent, bias);
    let rest = b.binary("andi", bits, mask);
    let rest = b.binary("addi", rest, half);
    let k = b.cast("sitofp", exponent, ElemKind::F64);
    let off = b.select(subnormal, shifted, zero);
    (b.bitcast(rest, ElemKind::F64), b.binary("subf", k, off))
}
