//! The remainder of a division that truncates, exact for all floats. In f64 whatever the operands: f32 and what is narrower are exact there.
//!
//! A quotient below [`MOST`] has no more digits than an f64, and one division finds it. What is beyond goes behind a branch, as a
//! long division: [`DIGITS`] binary digits of the quotient at a time, each remainder exact as the first one is.

use super::builder::{Builder, ElemKind, Ix, Val};
use super::trig;

const MOST: f64 = (1u64 << 52) as f64;
const DIGITS: i64 = 50;
const MANTISSA: i64 = 52;
const BIAS: i64 = 1023;

pub fn emit(b: &mut Builder, x: Val, y: Val) -> Val {
    let ty = b.ty(x);
    let [zero, inf, most] = [0.0, f64::INFINITY, MOST].map(|c| b.float(ty, c));
    let (a, d) = (b.unary("math.absf", x), b.unary("math.absf", y));
    let quotient = b.binary("divf", a, d);
    let rest = less(b, a, d, quotient);
    let finite = b.compare("olt", a, inf);
    // Infinity times zero is not what is left of a finite number by infinity.
    let infinite = b.compare("oeq", d, inf);
    let keeps = b.binary("andi", finite, infinite);
    let rest = b.select(keeps, a, rest);
    // What remains of infinity, and by zero, is NaN already.
    let (long, divides) = (b.compare("oge", quotient, most), b.compare("ogt", d, zero));
    let long = b.binary("andi", long, finite);
    let long = b.binary("andi", long, divides);
    let some = b.any(long);
    let rest = b.if_else(
        some,
        &[ty],
        |b| {
            let other = long_division(b, a, d);
            vec![b.select(long, other, rest)]
        },
        |_| vec![rest],
    );
    trig::copy_sign(b, rest[0], x)
}

/// `a - floor(a / d) * d`, of a rounded quotient that is below [`MOST`]: rounding may have made it the next integer, never a smaller
/// one. Either way what is left is a number without rounding.
fn less(b: &mut Builder, a: Val, d: Val, quotient: Val) -> Val {
    let ty = b.ty(a);
    let zero = b.float(ty, 0.0);
    let whole = b.unary("math.floor", quotient);
    let minus = b.unary("arith.negf", whole);
    let rest = b.multiply_add(minus, d, a);
    let more = b.binary("addf", rest, d);
    let below = b.compare("olt", rest, zero);
    b.select(below, more, rest)
}

/// Of positive numbers, of which the first is at least [`MOST`] times the second. Other lanes have some number.
fn long_division(b: &mut Builder, a: Val, d: Val) -> Val {
    let (a, above) = parts(b, a);
    let (d, below) = parts(b, d);
    let int = b.ty(above);
    let (zero, digits) = (b.int(int, 0), b.int(int, DIGITS));
    let left = b.binary("subi", above, below);
    let left = b.binary("maxsi", left, zero);
    let longest = if int.lanes == 0 { left } else { b.reduction("maxsi", left) };
    let (round_up, at_once) = (b.int(int.scalar_of(), DIGITS - 1), b.int(int.scalar_of(), DIGITS));
    let turns = b.binary("addi", longest, round_up);
    let turns = b.binary("divsi", turns, at_once);
    let turns = b.cast("index_cast", turns, ElemKind::Index);
    let done = b.for_(Ix::ZERO, turns.into(), 1, &[a, left], |b, _, carried| {
        let (rest, left) = (carried[0], carried[1]);
        let by = b.binary("minsi", left, digits);
        let scale = power_of_two(b, by);
        let shifted = b.binary("mulf", rest, scale);
        let quotient = b.binary("divf", shifted, d);
        vec![less(b, shifted, d, quotient), b.binary("subi", left, by)]
    });
    // By two factors, since one may be below all normal numbers.
    let one = b.int(int, 1);
    let half = b.binary("shrsi", below, one);
    let other = b.binary("subi", below, half);
    let (first, second) = (power_of_two(b, half), power_of_two(b, other));
    let scaled = b.binary("mulf", done[0], first);
    b.binary("mulf", scaled, second)
}

/// A positive number as one of at least 1 and below 2, and the power of two that it is times.
fn parts(b: &mut Builder, x: Val) -> (Val, Val) {
    let ty = b.ty(x);
    let (smallest, up) = (b.float(ty, f64::MIN_POSITIVE), b.float(ty, f64::powi(2.0, 54)));
    let subnormal = b.compare("olt", x, smallest);
    let scaled = b.binary("mulf", x, up);
    let x = b.select(subnormal, scaled, x);
    let bits = b.bitcast(x, ElemKind::I64);
    let int = b.ty(bits);
    let [at, mask, bias] = [MANTISSA, (1 << MANTISSA) - 1, BIAS].map(|n| b.int(int, n));
    let [one, shifted] = [BIAS << MANTISSA, BIAS + 54].map(|n| b.int(int, n));
    let exponent = b.binary("shrui", bits, at);
    let off = b.select(subnormal, shifted, bias);
    let exponent = b.binary("subi", exponent, off);
    let mantissa = b.binary("andi", bits, mask);
    let mantissa = b.binary("ori", mantissa, one);
    (b.bitcast(mantissa, ElemKind::F64), exponent)
}

/// 2^n, of a normal number.
fn power_of_two(b: &mut Builder, n: Val) -> Val {
    let int = b.ty(n);
    let (bias, at) = (b.int(int, BIAS), b.int(int, MANTISSA));
    let biased = b.binary("addi", n, bias);
    let bits = b.binary("shli", biased, at);
    b.bitcast(bits, ElemKind::F64)
}
