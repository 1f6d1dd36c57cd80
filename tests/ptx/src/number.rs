//! Numbers as registers hold them, and how they are rounded. What PTX calls approximate is computed in f64 and rounded to f32: closer
//! than any GPU is asked to come.

use half::{bf16, f16};

pub fn f(x: u64) -> f32 {
    f32::from_bits(x as u32)
}

pub fn u(x: f32) -> u64 {
    u64::from(x.to_bits())
}

pub fn d(x: u64) -> f64 {
    f64::from_bits(x)
}

pub fn approximate(x: u64, g: impl Fn(f64) -> f64) -> u64 {
    u(g(f64::from(f(x))) as f32)
}

pub fn from_f16(x: u64) -> f32 {
    f16::from_bits(x as u16).to_f32()
}

pub fn from_bf16(x: u64) -> f32 {
    bf16::from_bits(x as u16).to_f32()
}

pub fn to_f16(x: f32) -> u64 {
    u64::from(f16::from_f32(x).to_bits())
}

pub fn to_bf16(x: f32) -> u64 {
    u64::from(bf16::from_f32(x).to_bits())
}

/// To the nearest with 10 bits of mantissa, ties away from zero.
pub fn to_tf32(x: u64) -> u64 {
    let bits = x as u32;
    if f32::from_bits(bits).is_finite() { u64::from(bits.wrapping_add(0x1000) & !0x1fff) } else { x }
}

/// What a tensor core reads of an operand in tf32.
pub fn from_tf32(x: u64) -> f32 {
    f32::from_bits(x as u32 & !0x1fff)
}

/// A float of 8 bits: e4m3 has no infinities and one NaN, e5m2 is the upper half of an f16.
pub fn from_f8(x: u64, e4m3: bool) -> f32 {
    if !e4m3 {
        return from_f16((x & 0xff) << 8);
    }
    let (sign, size) = (if x & 0x80 == 0 { 1.0 } else { -1.0 }, x & 0x7f);
    let (exponent, mantissa) = ((size >> 3) as i32, (size & 7) as f32);
    sign * match (exponent, size) {
        (_, 0x7f) => f32::NAN,
        (0, _) => mantissa * f32::powi(2.0, -9),
        _ => (1.0 + mantissa / 8.0) * f32::powi(2.0, exponent - 7),
    }
}

/// To the nearest, ties to even; what is too large is the largest finite one (`.satfinite`).
pub fn to_f8(x: f32, e4m3: bool) -> u64 {
    let (mantissa, least, most, nan) = if e4m3 { (3, -6, 448.0, 0x7f) } else { (2, -14, 57344.0, 0x7f) };
    let sign = if x.is_sign_negative() { 0x80 } else { 0 };
    if x.is_nan() {
        return nan | sign;
    }
    let size = f64::from(x.abs());
    let exponent = if size == 0.0 { least } else { (size.log2().floor() as i32).max(least) };
    let step = f64::powi(2.0, exponent - mantissa);
    let rounded = ((size / step).round_ties_even() * step).min(most);
    // Numbers that are not negative have the order of their bits.
    let found = (0..0x7fu64).rev().find(|&b| {
        let v = f64::from(from_f8(b, e4m3));
        v.is_finite() && v <= rounded
    });
    sign | found.unwrap_or(0)
}

/// Two values of 16 bits in a register of 32.
pub fn halves(x: u64) -> (u64, u64) {
    (x & 0xffff, (x >> 16) & 0xffff)
}

pub fn pair(low: u64, high: u64) -> u64 {
    (low & 0xffff) | (high & 0xffff) << 16
}

pub fn words(x: u64) -> (u64, u64) {
    (x & 0xffff_ffff, x >> 32)
}

pub fn of_words(low: u64, high: u64) -> u64 {
    (low & 0xffff_ffff) | high << 32
}

pub fn sign(x: u64, bits: u32) -> i64 {
    let shift = 64 - bits;
    ((x << shift) as i64) >> shift
}

pub fn zero(x: u64, bits: u32) -> u64 {
    if bits >= 64 { x } else { x & ((1 << bits) - 1) }
}
