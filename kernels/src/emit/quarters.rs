//! Angles as whole quarters of a turn and a rest: `x = k pi/2 + r` with `|r| <= pi/4`, for every f64.
//!
//! Up to [`LARGE`], pi/2 is taken off `k` times in three parts with fused multiply-adds (Cody and Waite, 1980). Beyond, `x` is multiplied
//! by those binary digits of 2/pi that are not whole turns (Payne and Hanek, 1983): in integers, one lane after the other, since a
//! table of digits is no vector. That path is behind a branch, which arguments of ordinary size do not take.
//!
//! Not here: functions of the rest ([`super::trig`]).

use super::builder::{Builder, ElemKind, Ix, Ty, Val};
use std::f64::consts::{FRAC_2_PI, FRAC_PI_2};

/// pi/2 minus its nearest f64, and what is left of that.
const HALF_PI_LOW: [f64; 2] = [6.123_233_995_736_766e-17, -1.497_384_904_859_169_5e-33];

/// Where three parts of pi/2 are too few.
const LARGE: f64 = (1u64 << 30) as f64;

/// Zeros before the digits of 2/pi in [`DIGITS`]: the window of [`LARGE`] begins with them.
const ZEROS: i64 = 24;

/// 2/pi in binary, as far as the largest f64 needs it.
const DIGITS: [u64; 19] = [
    0x0000_00a2_f983_6e4e,
    0x4415_29fc_2757_d1f5,
    0x34dd_c0db_6295_993c,
    0x4390_41fe_5163_abde,
    0xbbc5_61b7_246e_3a42,
    0x4dd2_e006_492e_ea09,
    0xd192_1cfe_1deb_1cb1,
    0x29a7_3ee8_8235_f52e,
    0xbb44_84e9_9c70_26b4,
    0x5f7e_4139_91d6_3983,
    0x5339_f49c_845f_8bbd,
    0xf928_3b1f_f897_ffde,
    0x0598_0fef_2f11_8b5a,
    0x0a6d_1f6d_367e_cf27,
    0xcb09_b74f_463f_669e,
    0x5fea_2d75_27ba_c7eb,
    0xe5f1_7b3d_0739_f78a,
    0x5292_ea6b_fb5f_b11f,
    0x8d5d_0856_0330_46fc,
];

/// `f` of the rest of an angle and the number of its quarters, which is a whole number and right in its last two bits.
pub fn of_angle(b: &mut Builder, x: Val, f: impl Fn(&mut Builder, [Val; 2]) -> Val) -> Val {
    let ty = b.ty(x);
    let quarters = b.float(ty, FRAC_2_PI);
    let turns = b.binary("mulf", x, quarters);
    let k = b.unary("math.roundeven", turns);
    let parts = [FRAC_PI_2, HALF_PI_LOW[0], HALF_PI_LOW[1]].map(|c| b.float(ty, -c));
    let r = parts.into_iter().fold(x, |r, part| b.multiply_add(k, part, r));
    let y = f(b, [r, k]);
    // Nothing but the angle and the value is kept across the branch: kernels have few registers left.
    let large = is_large(b, x);
    let some = b.any(large);
    b.if_else(some, &[ty], |b| vec![with_large(b, x, y, f)], |_| vec![y])[0]
}

fn is_large(b: &mut Builder, x: Val) -> Val {
    let ty = b.ty(x);
    let (size, limit) = (b.unary("math.absf", x), b.float(ty, LARGE));
    b.compare("ogt", size, limit)
}

/// The values with those of large angles replaced: the lanes go past the first place of their vectors, one after the other.
fn with_large(b: &mut Builder, x: Val, y: Val, f: impl Fn(&mut Builder, [Val; 2]) -> Val) -> Val {
    let large = |b: &mut Builder, x: Val| {
        let parts = of_large(b, x);
        f(b, parts)
    };
    let lanes = b.ty(x).lanes;
    if lanes == 0 {
        return large(b, x);
    }
    let done = b.for_(Ix::ZERO, (lanes as i64).into(), 1, &[x, y], |b, _, all| {
        let (x, y) = (b.extract(all[0], 0), b.extract(all[1], 0));
        let beyond = is_large(b, x);
        let y = b.if_else(beyond, &[Ty::scalar(ElemKind::F64)], |b| vec![large(b, x)], |_| vec![y]);
        vec![b.rotate(all[0], x), b.rotate(all[1], y[0])]
    });
    done[1]
}

/// Of a number beyond [`LARGE`]. NaN of infinity.
fn of_large(b: &mut Builder, x: Val) -> [Val; 2] {
    let int = Ty::scalar(ElemKind::I64);
    let bits = b.bitcast(x, ElemKind::I64);
    let [exponent_at, exponent_mask] = [52, 0x7ff].map(|n| b.int(int, n));
    let [mantissa_mask, lead] = [(1 << 52) - 1, 1 << 52].map(|n| b.int(int, n));
    let exponent = b.binary("shrui", bits, exponent_at);
    let exponent = b.binary("andi", exponent, exponent_mask);
    let mantissa = b.binary("andi", bits, mantissa_mask);
    let mantissa = b.binary("ori", mantissa, lead);
    // x = mantissa * 2^(exponent - 1075), and digits beyond a fourth of a quarter's unit are whole turns.
    let skipped = b.int(int, 1075 + 2 - ZEROS);
    let from = b.binary("subi", exponent, skipped);
    let window = window(b, from);
    let [high, low] = fraction(b, window, mantissa);
    let (signs, top) = (b.int(int, 63), b.int(int, 62));
    let minus = b.binary("shrsi", bits, signs);
    // Which quarter, and how far in it: from its middle on, back from the next one.
    let quarter = b.binary("shrui", high, top);
    let two = b.int(int, 2);
    let (up, carried, low) = (b.binary("shli", high, two), b.binary("shrui", low, top), b.binary("shli", low, two));
    let high = b.binary("ori", up, carried);
    let back = b.binary("shrsi", high, signs);
    let quarter = b.binary("subi", quarter, back);
    let (high, low) = (b.binary("xori", high, back), b.binary("xori", low, back));
    let rest = angle(b, high, low);
    let rest = with_sign(b, rest, [minus, back]);
    let signed = b.binary("xori", quarter, minus);
    let signed = b.binary("subi", signed, minus);
    let nothing = b.binary("subf", x, x);
    [b.binary("addf", rest, nothing), b.cast("sitofp", signed, ElemKind::F64)]
}

/// 192 digits from `from` on, in three words: words are chosen by one bit of their number after the other.
fn window(b: &mut Builder, from: Val) -> [Val; 3] {
    let int = Ty::scalar(ElemKind::I64);
    let mut words: Vec<Val> = DIGITS.iter().map(|&w| b.int(int, w as i64)).collect();
    let zero = b.int(int, 0);
    for step in [8, 4, 2, 1] {
        let bit = b.int(int, step * 64);
        let set = b.binary("andi", from, bit);
        let further = b.compare("ne", set, zero);
        // What is chosen from afterwards are four words and as many as can be skipped yet.
        let step = step as usize;
        words = (0..step + 3).map(|i| b.select(further, words[i + step], words[i])).collect();
    }
    let (mask, one) = (b.int(int, 63), b.int(int, 1));
    let by = b.binary("andi", from, mask);
    let rest = b.binary("subi", mask, by);
    [0, 1, 2].map(|i| {
        let high = b.binary("shli", words[i], by);
        // In two steps, since a shift by all bits is none.
        let low = b.binary("shrui", words[i + 1], one);
        let low = b.binary("shrui", low, rest);
        b.binary("ori", high, low)
    })
}

/// The upper 128 bits of the fraction that is left of `factor * window / 2^192`.
fn fraction(b: &mut Builder, window: [Val; 3], factor: Val) -> [Val; 2] {
    let [_, carried] = b.wide_product(window[2], factor);
    let [low, upper] = b.wide_product(window[1], factor);
    let high = b.binary("muli", window[0], factor);
    let sum = b.binary("addi", carried, low);
    let over = b.compare("ult", sum, low);
    let over = b.cast("extui", over, ElemKind::I64);
    let high = b.binary("addi", high, upper);
    [b.binary("addi", high, over), sum]
}

/// pi/2 times a fraction of 128 bits below one half.
fn angle(b: &mut Builder, high: Val, low: Val) -> Val {
    let ty = Ty::scalar(ElemKind::F64);
    let parts = [(high, true), (high, false), (low, true), (low, false)];
    let [a, c, d, e] = [0, 1, 2, 3].map(|i| {
        let (word, upper) = parts[i];
        half_word(b, word, upper, -32 * (i as i32 + 1))
    });
    // As a sum of two: the larger ones first, each step exact but the last.
    let sum = b.binary("addf", a, c);
    let back = b.binary("subf", sum, a);
    let lost = b.binary("subf", c, back);
    let tail = b.binary("addf", d, e);
    let tail = b.binary("addf", lost, tail);
    let whole = b.binary("addf", sum, tail);
    let back = b.binary("subf", whole, sum);
    let tail = b.binary("subf", tail, back);
    let (pi, more) = (b.float(ty, FRAC_PI_2), b.float(ty, HALF_PI_LOW[0]));
    let product = b.binary("mulf", whole, pi);
    let minus = b.unary("arith.negf", product);
    let lost = b.multiply_add(whole, pi, minus);
    let lost = b.multiply_add(whole, more, lost);
    let lost = b.multiply_add(tail, pi, lost);
    b.binary("addf", product, lost)
}

/// The upper or lower 32 bits of a word, times a power of two.
fn half_word(b: &mut Builder, word: Val, upper: bool, power: i32) -> Val {
    let int = b.ty(word);
    let (half, mask) = (b.int(int, 32), b.int(int, 0xffff_ffff));
    let bits = if upper { b.binary("shrui", word, half) } else { b.binary("andi", word, mask) };
    let number = b.cast("sitofp", bits, ElemKind::F64);
    let scale = b.float(Ty::scalar(ElemKind::F64), f64::powi(2.0, power));
    b.binary("mulf", number, scale)
}

/// Negated for each of these that is -1, and not where it is 0.
fn with_sign(b: &mut Builder, x: Val, minus: [Val; 2]) -> Val {
    let bits = b.bitcast(x, ElemKind::I64);
    let sign = b.int(Ty::scalar(ElemKind::I64), i64::MIN);
    let odd = b.binary("xori", minus[0], minus[1]);
    let odd = b.binary("andi", odd, sign);
    let bits = b.binary("xori", bits, odd);
    b.bitcast(bits, ElemKind::F64)
}
