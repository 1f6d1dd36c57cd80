//! Floats of 8 bits ("FP8 Formats for Deep Learning", Micikevicius et al. 2022) as bytes: to f32, exactly, and from f32, to nearest, ties to
//! even.
//!
//! Written as operations on bits, which every target has, and which give every target the same bits; the few GPUs with
//! instructions for it are not asked. What is too large becomes NaN where there are no infinities, as in XLA.

use super::builder::{Builder, ElemKind, Val};

/// Bits of the mantissa, and what exponents are biased by.
fn form(kind: ElemKind) -> (i64, i64) {
    if kind == ElemKind::F8E4m3 { (3, 7) } else { (2, 15) }
}

const SIGN: i64 = 0x80;
/// The mantissa of an f32, and its exponents' bias.
const WIDE: (i64, i64) = (23, 127);

/// To f32: the bits are moved to where an f32 has its own, which is the number but for a power of two, also where it is subnormal.
pub fn read(b: &mut Builder, x: Val) -> Val {
    let kind = b.ty(x).kind;
    let (mantissa, bias) = form(kind);
    let bits = b.cast("extui", x, ElemKind::I32);
    let ty = b.ty(bits);
    let (rest, sign) = (b.int(ty, SIGN - 1), b.int(ty, SIGN));
    let (up, to_top) = (b.int(ty, WIDE.0 - mantissa), b.int(ty, 24));
    let size = b.binary("andi", bits, rest);
    let moved = b.binary("shli", size, up);
    let moved = b.bitcast(moved, ElemKind::F32);
    let float = b.ty(moved);
    let power = b.float(float, f64::powi(2.0, (WIDE.1 - bias) as i32));
    let scaled = b.binary("mulf", moved, power);
    let scaled = b.bitcast(scaled, ElemKind::I32);
    // The last exponent of e5m2 is that of infinities and NaN, as in f32; e4m3 has one number in it that is none.
    let (first, special) = match kind {
        ElemKind::F8E4m3 => (0x7f, 0x7fc0_0000),
        _ => (0x7c, 0x7f80_0000),
    };
    let (first, special) = (b.int(ty, first), b.int(ty, special));
    let rest = moved_bits(b, size, mantissa);
    let with_mantissa = b.binary("ori", rest, special);
    let is_special = b.compare("sge", size, first);
    let size = b.select(is_special, with_mantissa, scaled);
    let minus = b.binary("andi", bits, sign);
    let minus = b.binary("shli", minus, to_top);
    let all = b.binary("ori", size, minus);
    b.bitcast(all, ElemKind::F32)
}

/// The mantissa at the place of an f32's.
fn moved_bits(b: &mut Builder, size: Val, mantissa: i64) -> Val {
    let ty = b.ty(size);
    let (mask, up) = (b.int(ty, (1 << mantissa) - 1), b.int(ty, WIDE.0 - mantissa));
    let low = b.binary("andi", size, mask);
    b.binary("shli", low, up)
}

/// From f32. A normal number is rounded in its bits, as to bf16; a subnormal one by an addition that leaves no bits below its last.
pub fn write(b: &mut Builder, x: Val, to: ElemKind) -> Val {
    let (mantissa, bias) = form(to);
    let bits = b.bitcast(x, ElemKind::I32);
    let ty = b.ty(bits);
    let down = WIDE.0 - mantissa;
    let (rest, shift, one) = (b.int(ty, 0x7fff_ffff), b.int(ty, down), b.int(ty, 1));
    let size = b.binary("andi", bits, rest);

    let below_half = b.int(ty, (1 << (down - 1)) - 1);
    let cut = b.binary("shrui", size, shift);
    let last = b.binary("andi", cut, one);
    let more = b.binary("addi", below_half, last);
    let sum = b.binary("addi", size, more);
    let normal = b.binary("shrui", sum, shift);
    let bias_apart = b.int(ty, (WIDE.1 - bias) << mantissa);
    let normal = b.binary("subi", normal, bias_apart);
    // Above the largest: NaN of e4m3, infinity of e5m2.
    let top = b.int(ty, if to == ElemKind::F8E4m3 { 0x7f } else { 0x7c });
    let normal = b.binary("minsi", normal, top);

    let magnitude = b.bitcast(size, ElemKind::F32);
    let float = b.ty(magnitude);
    // A power of two whose last bit is worth what the last bit of a subnormal number is.
    let least = 1 - bias - mantissa;
    let magic = f64::powi(2.0, (least + WIDE.0) as i32);
    let magic_bits = b.int(ty, i64::from((magic as f32).to_bits()));
    let magic = b.float(float, magic);
    let sum = b.binary("addf", magnitude, magic);
    let sum = b.bitcast(sum, ElemKind::I32);
    let subnormal = b.binary("subi", sum, magic_bits);

    let smallest = b.int(ty, (WIDE.1 + 1 - bias) << WIDE.0);
    let small = b.compare("slt", size, smallest);
    let size = b.select(small, subnormal, normal);
    let nan = b.int(ty, 0x7f);
    let is_nan = b.compare("uno", x, x);
    let size = b.select(is_nan, nan, size);
    let to_low = b.int(ty, 24);
    let top_byte = b.binary("shrui", bits, to_low);
    let sign = b.int(ty, SIGN);
    let minus = b.binary("andi", top_byte, sign);
    let all = b.binary("ori", size, minus);
    b.cast("trunci", all, to)
}
