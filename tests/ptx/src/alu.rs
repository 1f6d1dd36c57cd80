//! Instructions that compute a register from registers: one function for each operation and type.

use crate::number::*;

/// What is computed of up to three operands.
pub type Function = fn(u64, u64, u64) -> u64;

/// The function of an instruction that has one, by the words of its name.
pub fn function(words: &[&str]) -> Option<Function> {
    let ty = *words.last()?;
    match words[0] {
        "cvt" => conversion(words),
        // Halves that are multiplied and added to a whole.
        "fma" if words.ends_with(&["f32", "f16"]) => Some(|a, b, c| u(from_f16(a).mul_add(from_f16(b), f(c)))),
        "fma" if words.ends_with(&["f32", "bf16"]) => Some(|a, b, c| u(from_bf16(a).mul_add(from_bf16(b), f(c)))),
        // The first is a half.
        "add" if words.ends_with(&["f32", "f16"]) => Some(|a, b, _| u(from_f16(a) + f(b))),
        "add" if words.ends_with(&["f32", "bf16"]) => Some(|a, b, _| u(from_bf16(a) + f(b))),
        "sub" if words.ends_with(&["f32", "f16"]) => Some(|a, b, _| u(from_f16(a) - f(b))),
        "sub" if words.ends_with(&["f32", "bf16"]) => Some(|a, b, _| u(from_bf16(a) - f(b))),
        // Others of two types are not known.
        "add" | "sub" | "mul" | "fma" | "min" | "max"
            if words[1..words.len() - 1].iter().any(|w| crate::parse::bits(w).is_some()) =>
        {
            None
        }
        "prmt" if words.len() == 2 => Some(permuted),
        "shf" if words[1..] == ["l", "wrap", "b32"] => Some(|a, b, c| (of_words(a, b) << (c & 31)) >> 32),
        "shf" if words[1..] == ["r", "wrap", "b32"] => Some(|a, b, c| zero(of_words(a, b) >> (c & 31), 32)),
        "setp" => comparison(words[1], ty, words),
        _ if ty == "f32" => single(words),
        _ if ty == "f32x2" => pairs(words[0]),
        _ if ty == "f64" => double(words),
        _ if matches!(ty, "f16" | "bf16" | "f16x2" | "bf16x2") => halves_of(words[0], ty),
        _ => integer(words),
    }
}

/// Four bytes of eight, each by four bits of the third: its number, and whether its sign alone is repeated.
fn permuted(a: u64, b: u64, by: u64) -> u64 {
    let bytes = of_words(a, b).to_le_bytes();
    let one = |i: u64| {
        let choice = by >> (4 * i);
        let byte = bytes[(choice & 7) as usize];
        if choice & 8 == 0 { u64::from(byte) } else { u64::from(byte >> 7) * 0xff }
    };
    (0..4).fold(0, |all, i| all | one(i) << (8 * i))
}

/// Of two zeros -0 is the smaller one, and a number is taken for one that is none.
fn most<T: Into<f64> + Copy>(a: T, b: T) -> T {
    let (x, y): (f64, f64) = (a.into(), b.into());
    if y.is_nan() || x.total_cmp(&y).is_gt() && !x.is_nan() { a } else { b }
}

fn least<T: Into<f64> + Copy>(a: T, b: T) -> T {
    let (x, y): (f64, f64) = (a.into(), b.into());
    if y.is_nan() || x.total_cmp(&y).is_lt() && !x.is_nan() { a } else { b }
}

fn single(w: &[&str]) -> Option<Function> {
    Some(match (w[0], w.contains(&"NaN")) {
        ("add", _) => |a, b, _| u(f(a) + f(b)),
        ("sub", _) => |a, b, _| u(f(a) - f(b)),
        ("mul", _) => |a, b, _| u(f(a) * f(b)),
        ("fma" | "mad", _) => |a, b, c| u(f(a).mul_add(f(b), f(c))),
        ("div", _) => |a, b, _| u(f(a) / f(b)),
        ("max", true) => |a, b, _| u(if f(a).is_nan() || f(b).is_nan() { f32::NAN } else { most(f(a), f(b)) }),
        ("min", true) => |a, b, _| u(if f(a).is_nan() || f(b).is_nan() { f32::NAN } else { least(f(a), f(b)) }),
        ("max", false) => |a, b, _| u(most(f(a), f(b))),
        ("min", false) => |a, b, _| u(least(f(a), f(b))),
        ("abs", _) => |a, _, _| u(f(a).abs()),
        ("neg", _) => |a, _, _| u(-f(a)),
        // The sign of the first, and the rest of the second.
        ("copysign", _) => |a, b, _| u(f(b).copysign(f(a))),
        ("ex2", _) => |a, _, _| approximate(a, f64::exp2),
        ("lg2", _) => |a, _, _| approximate(a, f64::log2),
        ("rcp", _) => |a, _, _| approximate(a, f64::recip),
        ("sqrt", _) => |a, _, _| approximate(a, f64::sqrt),
        ("rsqrt", _) => |a, _, _| approximate(a, |x| x.sqrt().recip()),
        ("sin", _) => |a, _, _| approximate(a, f64::sin),
        ("cos", _) => |a, _, _| approximate(a, f64::cos),
        ("tanh", _) => |a, _, _| approximate(a, f64::tanh),
        ("mov" | "selp", _) => |a, _, _| a,
        _ => return None,
    })
}

fn pairs(name: &str) -> Option<Function> {
    fn each(g: impl Fn(f32, f32, f32) -> f32, a: u64, b: u64, c: u64) -> u64 {
        let ((a0, a1), (b0, b1), (c0, c1)) = (words(a), words(b), words(c));
        of_words(u(g(f(a0), f(b0), f(c0))), u(g(f(a1), f(b1), f(c1))))
    }
    Some(match name {
        "add" => |a, b, c| each(|a, b, _| a + b, a, b, c),
        "sub" => |a, b, c| each(|a, b, _| a - b, a, b, c),
        "mul" => |a, b, c| each(|a, b, _| a * b, a, b, c),
        "fma" => |a, b, c| each(f32::mul_add, a, b, c),
        _ => return None,
    })
}

fn double(w: &[&str]) -> Option<Function> {
    fn b(x: f64) -> u64 {
        x.to_bits()
    }
    Some(match w[0] {
        "add" => |x, y, _| b(d(x) + d(y)),
        "sub" => |x, y, _| b(d(x) - d(y)),
        "mul" => |x, y, _| b(d(x) * d(y)),
        "fma" => |x, y, z| b(d(x).mul_add(d(y), d(z))),
        "div" => |x, y, _| b(d(x) / d(y)),
        "max" => |x, y, _| b(most(d(x), d(y))),
        "min" => |x, y, _| b(least(d(x), d(y))),
        "abs" => |x, _, _| b(d(x).abs()),
        "neg" => |x, _, _| b(-d(x)),
        "copysign" => |x, y, _| b(d(y).copysign(d(x))),
        "sqrt" => |x, _, _| b(d(x).sqrt()),
        "rcp" => |x, _, _| b(d(x).recip()),
        "mov" | "selp" => |a, _, _| a,
        _ => return None,
    })
}

fn halves_of(name: &str, ty: &str) -> Option<Function> {
    macro_rules! of {
        ($from:ident, $to:ident, $two:expr) => {{
            fn one(g: impl Fn(f32, f32, f32) -> f32, a: u64, b: u64, c: u64) -> u64 {
                if $two {
                    let ((a0, a1), (b0, b1), (c0, c1)) = (halves(a), halves(b), halves(c));
                    let of = |a, b, c| $to(g($from(a), $from(b), $from(c)));
                    pair(of(a0, b0, c0), of(a1, b1, c1))
                } else {
                    $to(g($from(a), $from(b), $from(c)))
                }
            }
            let function: Function = match name {
                "add" => |a, b, c| one(|a, b, _| a + b, a, b, c),
                "sub" => |a, b, c| one(|a, b, _| a - b, a, b, c),
                "mul" => |a, b, c| one(|a, b, _| a * b, a, b, c),
                // Products of 11 bits are exact in f32, and the sum of one with an addend is rounded twice at most in the last bit.
                "fma" => |a, b, c| one(|a, b, c| (f64::from(a) * f64::from(b) + f64::from(c)) as f32, a, b, c),
                "max" => |a, b, c| one(|a, b, _| a.max(b), a, b, c),
                "min" => |a, b, c| one(|a, b, _| a.min(b), a, b, c),
                "abs" => |a, b, c| one(|a, _, _| a.abs(), a, b, c),
                "neg" => |a, b, c| one(|a, _, _| -a, a, b, c),
                _ => return None,
            };
            function
        }};
    }
    Some(match ty {
        "f16" => of!(from_f16, to_f16, false),
        "bf16" => of!(from_bf16, to_bf16, false),
        "f16x2" => of!(from_f16, to_f16, true),
        _ => of!(from_bf16, to_bf16, true),
    })
}

/// Of integers and bits.
fn integer(w: &[&str]) -> Option<Function> {
    let ty = *w.last()?;
    macro_rules! of {
        ($u:ty, $s:ty, $n:expr) => {{
            let signed = ty.starts_with('s');
            let function: Function = match (w[0], w.get(1).copied().unwrap_or(""), signed) {
                ("add", ..) => |a, b, _| u64::from((a as $u).wrapping_add(b as $u)),
                ("sub", ..) => |a, b, _| u64::from((a as $u).wrapping_sub(b as $u)),
                ("mul", "lo", _) => |a, b, _| u64::from((a as $u).wrapping_mul(b as $u)),
                ("mul", "wide", false) => |a, b, _| u64::from(a as $u).wrapping_mul(u64::from(b as $u)),
                ("mul", "wide", true) => |a, b, _| (i64::from(a as $s).wrapping_mul(i64::from(b as $s))) as u64,
                ("mul", "hi", false) => |a, b, _| ((u128::from(a as $u) * u128::from(b as $u)) >> $n) as $u as u64,
                ("mul", "hi", true) => |a, b, _| ((i128::from(a as $s) * i128::from(b as $s)) >> $n) as $u as u64,
                ("mad", "lo", _) => |a, b, c| u64::from((a as $u).wrapping_mul(b as $u).wrapping_add(c as $u)),
                ("mad", "wide", false) => |a, b, c| u64::from(a as $u).wrapping_mul(u64::from(b as $u)).wrapping_add(c),
                ("mad", "wide", true) => {
                    |a, b, c| (i64::from(a as $s).wrapping_mul(i64::from(b as $s)) as u64).wrapping_add(c)
                }
                ("div", _, false) => |a, b, _| u64::from((a as $u).checked_div(b as $u).unwrap_or(<$u>::MAX)),
                ("div", _, true) => |a, b, _| (a as $s).checked_div(b as $s).unwrap_or(-1) as $u as u64,
                ("rem", _, false) => |a, b, _| u64::from((a as $u).checked_rem(b as $u).unwrap_or(a as $u)),
                ("rem", _, true) => |a, b, _| (a as $s).checked_rem(b as $s).unwrap_or(a as $s) as $u as u64,
                ("min", _, false) => |a, b, _| u64::from((a as $u).min(b as $u)),
                ("max", _, false) => |a, b, _| u64::from((a as $u).max(b as $u)),
                ("min", _, true) => |a, b, _| (a as $s).min(b as $s) as $u as u64,
                ("max", _, true) => |a, b, _| (a as $s).max(b as $s) as $u as u64,
                ("abs", ..) => |a, _, _| (a as $s).wrapping_abs() as $u as u64,
                ("neg", ..) => |a, _, _| (a as $s).wrapping_neg() as $u as u64,
                ("not", ..) => |a, _, _| u64::from(!(a as $u)),
                ("and", ..) => |a, b, _| a & b,
                ("or", ..) => |a, b, _| a | b,
                ("xor", ..) => |a, b, _| a ^ b,
                // Shifts by more than there are bits leave nothing, or the sign.
                ("shl", ..) => |a, b, _| u64::from((a as $u).checked_shl(b as u32).unwrap_or(0)),
                ("shr", _, false) => |a, b, _| u64::from((a as $u).checked_shr(b as u32).unwrap_or(0)),
                ("shr", _, true) => |a, b, _| ((a as $s) >> (b as u32).min($n - 1)) as $u as u64,
                ("bfe", _, false) => |a, b, c| {
                    let (from, len) = (b as u32 & 0xff, c as u32 & 0xff);
                    zero((a as $u).checked_shr(from).unwrap_or(0).into(), len)
                },
                ("bfe", _, true) => |a, b, c| {
                    let (from, len) = (b as u32 & 0xff, c as u32 & 0xff);
                    let whole = i64::from(a as $s) >> from.min(63);
                    if len == 0 { 0 } else { sign(whole as u64, len.min(64)) as $u as u64 }
                },
                ("popc", ..) => |a, _, _| u64::from((a as $u).count_ones()),
                ("clz", ..) => |a, _, _| u64::from((a as $u).leading_zeros()),
                ("brev", ..) => |a, _, _| u64::from((a as $u).reverse_bits()),
                ("mov" | "cvta" | "selp", ..) => |a, _, _| a,
                _ => return None,
            };
            function
        }};
    }
    Some(match ty {
        "pred" => match w[0] {
            "and" => |a, b, _| a & b,
            "or" => |a, b, _| a | b,
            "xor" => |a, b, _| a ^ b,
            "not" => |a, _, _| a ^ 1,
            "mov" => |a, _, _| a & 1,
            _ => return None,
        },
        "u16" | "s16" | "b16" => of!(u16, i16, 16),
        "u32" | "s32" | "b32" => of!(u32, i32, 32),
        "u64" | "s64" | "b64" => of!(u64, i64, 64),
        _ => return None,
    })
}

fn comparison(relation: &str, ty: &str, w: &[&str]) -> Option<Function> {
    if w.len() != 3 && !(w.len() == 4 && w[2] == "ftz") {
        return None;
    }
    macro_rules! ordered {
        ($of:expr) => {
            match relation {
                "eq" => |a, b, _| u64::from($of(a) == $of(b)),
                "ne" => |a, b, _| u64::from($of(a) != $of(b) && $of(a) == $of(a) && $of(b) == $of(b)),
                "lt" => |a, b, _| u64::from($of(a) < $of(b)),
                "le" => |a, b, _| u64::from($of(a) <= $of(b)),
                "gt" => |a, b, _| u64::from($of(a) > $of(b)),
                "ge" => |a, b, _| u64::from($of(a) >= $of(b)),
                // With an operand that is no number these are true.
                "equ" => |a, b, _| u64::from(!($of(a) < $of(b) || $of(a) > $of(b))),
                "neu" => |a, b, _| u64::from($of(a) != $of(b)),
                "ltu" => |a, b, _| u64::from(!($of(a) >= $of(b))),
                "leu" => |a, b, _| u64::from(!($of(a) > $of(b))),
                "gtu" => |a, b, _| u64::from(!($of(a) <= $of(b))),
                "geu" => |a, b, _| u64::from(!($of(a) < $of(b))),
                "num" => |a, b, _| u64::from($of(a) == $of(a) && $of(b) == $of(b)),
                "nan" => |a, b, _| u64::from($of(a) != $of(a) || $of(b) != $of(b)),
                _ => return None,
            }
        };
    }
    #[allow(clippy::eq_op, clippy::neg_cmp_op_on_partial_ord)]
    Some(match ty {
        "f32" => ordered!(f),
        "f64" => ordered!(d),
        "f16" => ordered!(from_f16),
        "bf16" => ordered!(from_bf16),
        "u16" | "b16" => ordered!((|x| zero(x, 16))),
        "u32" | "b32" => ordered!((|x| zero(x, 32))),
        "u64" | "b64" => ordered!((|x: u64| x)),
        "s16" => ordered!((|x| sign(x, 16))),
        "s32" => ordered!((|x| sign(x, 32))),
        "s64" => ordered!((|x| sign(x, 64))),
        _ => return None,
    })
}

fn conversion(w: &[&str]) -> Option<Function> {
    let [.., to, from] = *w else { return None };
    let has = |m: &str| w.contains(&m);
    Some(match (to, from) {
        ("bf16x2", "f32") => |a, b, _| pair(to_bf16(f(b)), to_bf16(f(a))),
        ("f16x2", "f32") => |a, b, _| pair(to_f16(f(b)), to_f16(f(a))),
        ("bf16", "f32") => |a, _, _| to_bf16(f(a)),
        ("f16", "f32") => |a, _, _| to_f16(f(a)),
        ("f32", "bf16") => |a, _, _| u(from_bf16(a)),
        ("f32", "f16") => |a, _, _| u(from_f16(a)),
        ("tf32", "f32") => |a, _, _| to_tf32(a),
        ("e4m3x2", "f32") => |a, b, _| to_f8(f(b), true) | to_f8(f(a), true) << 8,
        ("e5m2x2", "f32") => |a, b, _| to_f8(f(b), false) | to_f8(f(a), false) << 8,
        ("f16x2", "e4m3x2") => |a, _, _| pair(to_f16(from_f8(a & 0xff, true)), to_f16(from_f8(a >> 8, true))),
        ("f16x2", "e5m2x2") => |a, _, _| pair((a & 0xff) << 8, (a & 0xff00) & 0xffff),
        ("f64", "f32") => |a, _, _| f64::from(f(a)).to_bits(),
        ("f32", "f64") => |a, _, _| u(d(a) as f32),
        ("f32", "f32") if has("rni") => |a, _, _| u(f(a).round_ties_even()),
        ("f32", "f32") if has("rmi") => |a, _, _| u(f(a).floor()),
        ("f32", "f32") if has("rpi") => |a, _, _| u(f(a).ceil()),
        ("f32", "f32") if has("rzi") => |a, _, _| u(f(a).trunc()),
        ("f64", "f64") if has("rni") => |a, _, _| d(a).round_ties_even().to_bits(),
        ("f64", "f64") if has("rmi") => |a, _, _| d(a).floor().to_bits(),
        ("f64", "f64") if has("rpi") => |a, _, _| d(a).ceil().to_bits(),
        ("f64", "f64") if has("rzi") => |a, _, _| d(a).trunc().to_bits(),
        // Rust's conversions to integers keep to the range, as PTX's do.
        ("s32", "f32") if has("rzi") => |a, _, _| u64::from(f(a) as i32 as u32),
        ("s32", "f32") if has("rni") => |a, _, _| u64::from(f(a).round_ties_even() as i32 as u32),
        ("u32", "f32") if has("rzi") => |a, _, _| u64::from(f(a) as u32),
        ("s64", "f32") if has("rzi") => |a, _, _| f(a) as i64 as u64,
        ("u64", "f32") if has("rzi") => |a, _, _| f(a) as u64,
        ("u16", "f32") if has("rzi") => |a, _, _| u64::from(f(a) as u16),
        ("s32", "f64") if has("rzi") => |a, _, _| u64::from(d(a) as i32 as u32),
        ("s64", "f64") if has("rzi") => |a, _, _| d(a) as i64 as u64,
        ("u32", "f64") if has("rzi") => |a, _, _| u64::from(d(a) as u32),
        ("u64", "f64") if has("rzi") => |a, _, _| d(a) as u64,
        ("f32", "s8") => |a, _, _| u(sign(a, 8) as f32),
        ("f32", "s16") => |a, _, _| u(sign(a, 16) as f32),
        ("f32", "s32") => |a, _, _| u(sign(a, 32) as f32),
        ("f32", "s64") => |a, _, _| u(a as i64 as f32),
        ("f32", "u8") => |a, _, _| u(zero(a, 8) as f32),
        ("f32", "u16") => |a, _, _| u(zero(a, 16) as f32),
        ("f32", "u32") => |a, _, _| u(zero(a, 32) as f32),
        ("f32", "u64") => |a, _, _| u(a as f32),
        ("f64", "u16") => |a, _, _| (zero(a, 16) as f64).to_bits(),
        ("f64", "s16") => |a, _, _| (sign(a, 16) as f64).to_bits(),
        ("f64", "s32") => |a, _, _| (sign(a, 32) as f64).to_bits(),
        ("f64", "s64") => |a, _, _| (a as i64 as f64).to_bits(),
        ("f64", "u32") => |a, _, _| (zero(a, 32) as f64).to_bits(),
        ("f64", "u64") => |a, _, _| (a as f64).to_bits(),
        // Between integers: from the narrower of the two, with its sign or with zeros.
        (to, from) => {
            if to.contains('f') || from.contains('f') {
                return None;
            }
            let (wide, narrow) = (crate::parse::bits(to)?, crate::parse::bits(from)?);
            match (from.as_bytes()[0], narrow.min(wide)) {
                (b's', 8) => |a, _, _| sign(a, 8) as u64,
                (b's', 16) => |a, _, _| sign(a, 16) as u64,
                (b's', 32) => |a, _, _| sign(a, 32) as u64,
                (b'u' | b'b', 8) => |a, _, _| zero(a, 8),
                (b'u' | b'b', 16) => |a, _, _| zero(a, 16),
                (b'u' | b'b', 32) => |a, _, _| zero(a, 32),
                (b's' | b'u' | b'b', 64) => |a, _, _| a,
                _ => return None,
            }
        }
    })
}
