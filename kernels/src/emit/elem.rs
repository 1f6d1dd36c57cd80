//! Elementwise operations as MLIR: one arm per [`Elem`], on scalars and vectors alike.
//!
//! `loom.exp`, `loom.log`, `loom.tanh` and `loom.erf` are the four functions that code generation expands to polynomials; everything
//! else is made of them and of `arith`.

use super::builder::{Builder, ElemKind, Ty, Val};
use super::{float8, power, remainder, trig};
use crate::expr::{Comparison, DType, Elem, THREEFRY_PARITY, THREEFRY_ROTATIONS};

/// `power_of` is the exponent of a power, where it is a constant.
pub fn emit(b: &mut Builder, op: Elem, dtype: DType, args: &[Val], power_of: Option<f64>) -> Val {
    let x = args[0];
    let ty = b.ty(x);
    let float = ty.kind.is_float();
    match op {
        Elem::Add => b.binary(if float { "addf" } else { "addi" }, x, args[1]),
        Elem::Subtract => b.binary(if float { "subf" } else { "subi" }, x, args[1]),
        Elem::Multiply => b.binary(if float { "mulf" } else { "muli" }, x, args[1]),
        Elem::Divide if float => b.binary("divf", x, args[1]),
        Elem::Divide => integer_divide(b, x, args[1]),
        Elem::Maximum => b.binary(if float { "maximumf" } else { "maxsi" }, x, args[1]),
        Elem::Minimum => b.binary(if float { "minimumf" } else { "minsi" }, x, args[1]),
        Elem::Power => power(b, args, power_of),
        Elem::Negate if float => b.unary("arith.negf", x),
        Elem::Negate => {
            let zero = b.int(ty, 0);
            b.binary("subi", zero, x)
        }
        Elem::Abs if float => b.unary("math.absf", x),
        Elem::Abs => {
            let zero = b.int(ty, 0);
            let minus = b.binary("subi", zero, x);
            b.binary("maxsi", x, minus)
        }
        Elem::Sign => sign(b, x),
        Elem::Exponential => exponential(b, x),
        Elem::ExponentialMinusOne => exponential_minus_one(b, x),
        Elem::Log => b.unary("loom.log", x),
        Elem::LogPlusOne => log_plus_one(b, x),
        Elem::Tanh => b.unary("loom.tanh", x),
        Elem::Logistic => logistic(b, x),
        Elem::Erf => b.unary("loom.erf", x),
        Elem::Sqrt => b.unary("math.sqrt", x),
        Elem::Rsqrt => {
            let root = b.unary("math.sqrt", x);
            let one = b.float(ty, 1.0);
            b.binary("divf", one, root)
        }
        Elem::Floor => b.unary("math.floor", x),
        Elem::Ceil => b.unary("math.ceil", x),
        Elem::RoundNearestEven => b.unary("math.roundeven", x),
        Elem::Sine => in_f64(b, &[x], |b, x| trig::sine(b, x[0], 0)),
        Elem::Cosine => in_f64(b, &[x], |b, x| trig::sine(b, x[0], 1)),
        Elem::Atan2 => in_f64(b, args, |b, x| trig::atan2(b, x[0], x[1])),
        Elem::Cbrt => in_f64(b, &[x], |b, x| cbrt(b, x[0])),
        Elem::Remainder if float => in_f64(b, args, |b, x| remainder::emit(b, x[0], x[1])),
        Elem::Remainder => {
            let quotient = integer_divide(b, x, args[1]);
            let whole = b.binary("muli", quotient, args[1]);
            b.binary("subi", x, whole)
        }
        Elem::Compare(c) => b.compare(predicate(c, ty.kind), x, args[1]),
        Elem::Select => b.select(x, args[1], args[2]),
        Elem::And => b.binary("andi", x, args[1]),
        Elem::Or => b.binary("ori", x, args[1]),
        Elem::Xor => b.binary("xori", x, args[1]),
        Elem::ShiftLeft => shift(b, "shli", x, args[1]),
        Elem::ShiftRightArithmetic => shift(b, "shrsi", x, args[1]),
        Elem::ShiftRightLogical => shift(b, "shrui", x, args[1]),
        Elem::Threefry => threefry(b, args),
        Elem::Popcnt => b.unary("math.ctpop", x),
        Elem::CountLeadingZeros => b.unary("math.ctlz", x),
        Elem::BitsOfFloat | Elem::FloatOfBits => b.bitcast(x, ElemKind::value(dtype)),
        Elem::Not => {
            let ones = b.int(ty, if ty.kind == ElemKind::I1 { 1 } else { -1 });
            b.binary("xori", x, ones)
        }
        Elem::Convert => convert(b, x, ElemKind::value(dtype)),
    }
}

/// Zeros and NaN are their own sign.
fn sign(b: &mut Builder, x: Val) -> Val {
    let ty = b.ty(x);
    let (zero, one, minus) = (b.number(ty, 0.0), b.number(ty, 1.0), b.number(ty, -1.0));
    let (below, above) = if ty.kind.is_float() { ("olt", "ogt") } else { ("slt", "sgt") };
    let negative = b.compare(below, x, zero);
    let rest = b.select(negative, minus, x);
    let positive = b.compare(above, x, zero);
    b.select(positive, one, rest)
}

/// `loom.exp` gives 0 where the result is about below all normal numbers: there it is the square of another one.
fn exponential(b: &mut Builder, x: Val) -> Val {
    let (deep, argument) = halved_below(b, x, x);
    let e = b.unary("loom.exp", argument);
    let square = b.binary("mulf", e, e);
    b.select(deep, square, e)
}

/// `1 / (1 + exp(-x))`, which is `exp(x)` where that is next to nothing.
fn logistic(b: &mut Builder, x: Val) -> Val {
    let minus = b.unary("arith.negf", x);
    let (deep, argument) = halved_below(b, x, minus);
    let e = b.unary("loom.exp", argument);
    let ty = b.ty(x);
    let one = b.float(ty, 1.0);
    let sum = b.binary("addf", one, e);
    let y = b.binary("divf", one, sum);
    let square = b.binary("mulf", y, y);
    b.select(deep, square, y)
}

/// Whether the exponential of `x` is below what `loom.exp` gives, a little above the smallest normal number, and half of `argument` there.
fn halved_below(b: &mut Builder, x: Val, argument: Val) -> (Val, Val) {
    let ty = b.ty(x);
    let least = if ty.kind == ElemKind::F32 { -86.5 } else { -707.5 };
    let (least, half) = (b.float(ty, least), b.float(ty, 0.5));
    let deep = b.compare("olt", x, least);
    let halved = b.binary("mulf", argument, half);
    (deep, b.select(deep, halved, argument))
}

fn predicate(c: Comparison, kind: ElemKind) -> &'static str {
    let at = c as usize;
    match kind {
        ElemKind::F32 | ElemKind::F64 => ["oeq", "une", "olt", "ole", "ogt", "oge"][at],
        ElemKind::I1 => ["eq", "ne", "ult", "ule", "ugt", "uge"][at],
        _ => ["eq", "ne", "slt", "sle", "sgt", "sge"][at],
    }
}

/// Between value kinds.
pub fn convert(b: &mut Builder, x: Val, to: ElemKind) -> Val {
    let ty = b.ty(x);
    match (ty.kind, to) {
        (from, to) if from == to => x,
        // What is stored in a type without arithmetic passes through the one that it is computed in.
        (ElemKind::Bf16, ElemKind::F32) => from_bf16(b, x),
        (ElemKind::F16, ElemKind::F32) => b.cast("extf", x, to),
        (ElemKind::I8, ElemKind::I32) => b.cast("extui", x, to),
        (ElemKind::S8, ElemKind::I32) => b.cast("extsi", x, to),
        (ElemKind::U32, ElemKind::I64) => b.cast("extui", x, to),
        (ElemKind::F8E4m3 | ElemKind::F8E5m2, ElemKind::F32) => float8::read(b, x),
        (ElemKind::F32, ElemKind::F8E4m3 | ElemKind::F8E5m2) => float8::write(b, x, to),
        (ElemKind::Bf16 | ElemKind::F16 | ElemKind::F8E4m3 | ElemKind::F8E5m2, _) => through(b, x, ElemKind::F32, to),
        (ElemKind::I8 | ElemKind::S8, ElemKind::I1) => is_not_zero(b, x),
        (ElemKind::I8 | ElemKind::S8, _) => through(b, x, ElemKind::I32, to),
        (ElemKind::U32, _) => through(b, x, ElemKind::I64, to),
        (ElemKind::F64, ElemKind::Bf16 | ElemKind::F16 | ElemKind::F8E4m3 | ElemKind::F8E5m2) => {
            let odd = to_odd(b, x);
            convert(b, odd, to)
        }
        // By way of types that hold all of an i32, and what is left of an i64, exactly.
        (ElemKind::I32, ElemKind::Bf16 | ElemKind::F16 | ElemKind::F8E4m3 | ElemKind::F8E5m2) => {
            let held = few_digits(b, x, f32::MANTISSA_DIGITS, 7);
            let single = convert(b, held, ElemKind::F32);
            convert(b, single, to)
        }
        (ElemKind::I64, ElemKind::Bf16 | ElemKind::F16 | ElemKind::F8E4m3 | ElemKind::F8E5m2) => {
            let held = few_digits(b, x, f64::MANTISSA_DIGITS, 11);
            let double = convert(b, held, ElemKind::F64);
            convert(b, double, to)
        }
        (ElemKind::F32, ElemKind::Bf16) => to_bf16(b, x),
        (ElemKind::F32, ElemKind::F16) => b.cast("truncf", x, to),
        (ElemKind::I32, ElemKind::I8 | ElemKind::S8) => b.cast("trunci", x, to),
        (ElemKind::I64, ElemKind::U32) => b.cast("trunci", x, to),
        (ElemKind::I1, ElemKind::I8 | ElemKind::S8) => b.cast("extui", x, to),
        (_, ElemKind::Bf16 | ElemKind::F16 | ElemKind::F8E4m3 | ElemKind::F8E5m2) => through(b, x, ElemKind::F32, to),
        (
            ElemKind::F32 | ElemKind::F64,
            ElemKind::I8 | ElemKind::S8 | ElemKind::I32 | ElemKind::U32 | ElemKind::I64,
        ) => saturate(b, x, to),
        (_, ElemKind::I8 | ElemKind::S8) => through(b, x, ElemKind::I32, to),
        (_, ElemKind::U32) => through(b, x, ElemKind::I64, to),
        (ElemKind::F32, ElemKind::F64) => b.cast("extf", x, to),
        (ElemKind::F64, ElemKind::F32) => b.cast("truncf", x, to),
        (ElemKind::F32 | ElemKind::F64, ElemKind::I1) => {
            let zero = b.float(ty, 0.0);
            b.compare("une", x, zero)
        }
        (ElemKind::F32 | ElemKind::F64, _) => b.cast("fptosi", x, to),
        (ElemKind::I1, ElemKind::F32 | ElemKind::F64) => b.cast("uitofp", x, to),
        (ElemKind::I1, _) => b.cast("extui", x, to),
        (_, ElemKind::F32 | ElemKind::F64) => b.cast("sitofp", x, to),
        (_, ElemKind::I1) => is_not_zero(b, x),
        (ElemKind::I32, ElemKind::I64) => b.cast("extsi", x, to),
        (ElemKind::I64, ElemKind::I32) => b.cast("trunci", x, to),
        _ => b.cast("index_cast", x, to),
    }
}

/// A float as an integer: cut towards zero, the nearest integer of the type where it has none, and 0 of NaN. The machine leaves
/// all but the first open, so the float is brought into range before it is converted.
fn saturate(b: &mut Builder, x: Val, to: ElemKind) -> Val {
    let ty = b.ty(x);
    let (least, bits) = match to {
        ElemKind::I8 => (0.0, 8),
        ElemKind::S8 => (f64::from(i8::MIN), 7),
        ElemKind::U32 => (0.0, 32),
        ElemKind::I64 => (i64::MIN as f64, 63),
        _ => (f64::from(i32::MIN), 31),
    };
    // The first float that is too large, and the largest one that is not.
    let above = f64::powi(2.0, bits);
    let digits = if ty.kind == ElemKind::F64 { f64::MANTISSA_DIGITS } else { f32::MANTISSA_DIGITS } as i32;
    let most = above - f64::powi(2.0, (bits - digits).max(0));
    let (low, high) = (b.float(ty, least), b.float(ty, most));
    let above_low = b.compare("ogt", x, low);
    // NaN becomes the least number, which is 0 of a type without sign.
    let held = b.select(above_low, x, low);
    let below_high = b.compare("olt", held, high);
    let held = b.select(below_high, held, high);
    let middle = match to {
        ElemKind::I8 | ElemKind::S8 => ElemKind::I32,
        ElemKind::U32 => ElemKind::I64,
        other => other,
    };
    let mut n = b.cast("fptosi", held, middle);
    let int = b.ty(n);
    if bits > digits {
        let (over, top) = (b.float(ty, above), b.int(int, ((1u64 << bits) - 1) as i64));
        let too_large = b.compare("oge", x, over);
        n = b.select(too_large, top, n);
    }
    if least < 0.0 {
        let (nan, zero) = (b.compare("uno", x, x), b.int(int, 0));
        n = b.select(nan, zero, n);
    }
    if middle == to { n } else { convert(b, n, to) }
}

fn through(b: &mut Builder, x: Val, middle: ElemKind, to: ElemKind) -> Val {
    let x = convert(b, x, middle);
    convert(b, x, to)
}

fn is_not_zero(b: &mut Builder, x: Val) -> Val {
    let ty = b.ty(x);
    let zero = b.int(ty, 0);
    b.compare("ne", x, zero)
}

/// The upper half of an f32. A GPU takes both halves of a word, with one instruction each.
fn from_bf16(b: &mut Builder, x: Val) -> Val {
    let lanes = b.ty(x).lanes;
    if b.is_for_device() && lanes > 0 && lanes.is_multiple_of(2) {
        let n = lanes / 2;
        let words = b.regroup(x, Ty::vector(ElemKind::I32, n));
        let ty = b.ty(words);
        let (half, upper) = (b.int(ty, 16), b.int(ty, -0x1_0000));
        let (low, high) = (b.binary("shli", words, half), b.binary("andi", words, upper));
        let (low, high) = (b.bitcast(low, ElemKind::F32), b.bitcast(high, ElemKind::F32));
        let order: Vec<u64> = (0..n).flat_map(|i| [i, n + i]).collect();
        return b.shuffle(low, high, &order);
    }
    let bits = b.cast("extui", x, ElemKind::I32);
    let ty = b.ty(bits);
    let half = b.int(ty, 16);
    let bits = b.binary("shli", bits, half);
    b.bitcast(bits, ElemKind::F32)
}

/// To nearest, ties to even: half of what is cut off is added before cutting, less one bit where the last kept one is 0. A NaN
/// stays one, though the bits that make it one may all be cut off.
fn to_bf16(b: &mut Builder, x: Val) -> Val {
    if b.is_for_device() {
        return to_bf16_in_pairs(b, x);
    }
    let bits = b.bitcast(x, ElemKind::I32);
    let ty = b.ty(bits);
    let (half, one, below, quiet) = (b.int(ty, 16), b.int(ty, 1), b.int(ty, 0x7fff), b.int(ty, 0x40));
    let upper = b.binary("shrui", bits, half);
    let last = b.binary("andi", upper, one);
    let more = b.binary("addi", below, last);
    let sum = b.binary("addi", bits, more);
    let rounded = b.binary("shrui", sum, half);
    let nan = b.binary("ori", upper, quiet);
    let is_nan = b.compare("uno", x, x);
    let result = b.select(is_nan, nan, rounded);
    b.cast("trunci", result, ElemKind::Bf16)
}

/// The same by a GPU's own instruction, whose NaN has other bits.
fn to_bf16_in_pairs(b: &mut Builder, x: Val) -> Val {
    let ty = b.ty(x);
    if ty.lanes == 0 || !ty.lanes.is_multiple_of(2) {
        let each: Vec<Val> = (0..ty.lanes.max(1)).map(|i| if ty.lanes == 0 { x } else { b.extract(x, i) }).collect();
        let half = |b: &mut Builder, v: Val| {
            let word = b.bf16_pair(v, v);
            b.cast("trunci", word, ElemKind::Bf16)
        };
        let halves: Vec<Val> = each.into_iter().map(|v| half(b, v)).collect();
        return if ty.lanes == 0 { halves[0] } else { b.elements(&halves) };
    }
    let pair = |b: &mut Builder, i: u64| {
        let (low, high) = (b.extract(x, i), b.extract(x, i + 1));
        b.bf16_pair(low, high)
    };
    let words: Vec<Val> = (0..ty.lanes).step_by(2).map(|i| pair(b, i)).collect();
    let words = b.elements(&words);
    b.regroup(words, ty.with(ElemKind::Bf16))
}

/// An f64 as an f32, where it is none as the neighbour whose last bit is 1. Rounding that to fewer bits gives what rounding the f64
/// itself would: a number just beside the middle of two does not become the middle (Boldo and Melquiond, "When double rounding is
/// odd", 2005).
fn to_odd(b: &mut Builder, x: Val) -> Val {
    let near = b.cast("truncf", x, ElemKind::F32);
    let back = b.cast("extf", near, ElemKind::F64);
    let bits = b.bitcast(near, ElemKind::I32);
    let ty = b.ty(bits);
    let (one, minus) = (b.int(ty, 1), b.int(ty, -1));
    let last = b.binary("andi", bits, one);
    let odd = b.compare("eq", last, one);
    // NaN too.
    let exact = b.compare("ueq", back, x);
    let keeps = b.binary("ori", odd, exact);
    let (size, rounded) = (b.unary("math.absf", x), b.unary("math.absf", back));
    let above = b.compare("ogt", rounded, size);
    let step = b.select(above, minus, one);
    let other = b.binary("addi", bits, step);
    let result = b.select(keeps, bits, other);
    b.bitcast(result, ElemKind::F32)
}

/// An integer that a float of so many digits holds: as it is, or, where it may have more, without its last `cut` bits, and the last
/// bit that stays is 1 if any of them was.
fn few_digits(b: &mut Builder, x: Val, digits: u32, cut: u32) -> Val {
    let ty = b.ty(x);
    let (low, bit) = (b.int(ty, (1 << cut) - 1), b.int(ty, 1 << cut));
    let (zero, kept) = (b.int(ty, 0), b.int(ty, -(1 << cut)));
    let cut_off = b.binary("andi", x, low);
    let none = b.compare("eq", cut_off, zero);
    let sticky = b.select(none, zero, bit);
    let rest = b.binary("andi", x, kept);
    let odd = b.binary("ori", rest, sticky);
    let (least, most) = (b.int(ty, -(1i64 << digits)), b.int(ty, 1i64 << digits));
    let (from, to) = (b.compare("sge", x, least), b.compare("sle", x, most));
    let small = b.binary("andi", from, to);
    b.select(small, x, odd)
}

/// The machine traps on division by zero and on the one quotient that overflows; the language does not.
fn integer_divide(b: &mut Builder, x: Val, y: Val) -> Val {
    let ty = b.ty(x);
    let (zero, one, minus) = (b.int(ty, 0), b.int(ty, 1), b.int(ty, -1));
    let (is_zero, is_minus) = (b.compare("eq", y, zero), b.compare("eq", y, minus));
    let special = b.binary("ori", is_zero, is_minus);
    let divisor = b.select(special, one, y);
    let quotient = b.binary("divsi", x, divisor);
    let negated = b.binary("subi", zero, x);
    let quotient = b.select(is_minus, negated, quotient);
    b.select(is_zero, minus, quotient)
}

/// Salmon et al., "Parallel random numbers: as easy as 1, 2, 3" (2011): twenty rounds of additions and rotations.
fn threefry(b: &mut Builder, args: &[Val]) -> Val {
    let ty = b.ty(args[0]);
    let parity = b.int(ty, i64::from(THREEFRY_PARITY));
    let both = b.binary("xori", args[0], args[1]);
    let keys = [args[0], args[1], b.binary("xori", both, parity)];
    let (mut x, mut y) = (b.binary("addi", args[2], keys[0]), b.binary("addi", args[3], keys[1]));
    for round in 0..20usize {
        x = b.binary("addi", x, y);
        let by = i64::from(THREEFRY_ROTATIONS[round % 8]);
        let (up, down) = (b.int(ty, by), b.int(ty, 32 - by));
        let (high, low) = (b.binary("shli", y, up), b.binary("shrui", y, down));
        let rotated = b.binary("ori", high, low);
        y = b.binary("xori", rotated, x);
        if round % 4 == 3 {
            let i = round / 4;
            let number = b.int(ty, i as i64 + 1);
            x = b.binary("addi", x, keys[(i + 1) % 3]);
            y = b.binary("addi", y, keys[(i + 2) % 3]);
            y = b.binary("addi", y, number);
        }
    }
    x
}

/// The machine leaves shifts by all bits or more open; here they shift everything out. Negative numbers are large unsigned ones.
fn shift(b: &mut Builder, op: &str, x: Val, by: Val) -> Val {
    let ty = b.ty(x);
    let (zero, most) = (b.int(ty, 0), b.int(ty, if ty.kind == ElemKind::I64 { 63 } else { 31 }));
    let least = b.binary("minui", by, most);
    let shifted = b.binary(op, x, least);
    if op == "shrsi" {
        return shifted;
    }
    let fits = b.compare("ule", by, most);
    b.select(fits, shifted, zero)
}

/// `exp(log(x) / 3)` with one step of Newton's method.
fn cbrt(b: &mut Builder, x: Val) -> Val {
    let ty = b.ty(x);
    let (third, zero, inf) = (b.float(ty, 1.0 / 3.0), b.float(ty, 0.0), b.float(ty, f64::INFINITY));
    let a = b.unary("math.absf", x);
    let log = b.unary("loom.log", a);
    let scaled = b.binary("mulf", log, third);
    let y = b.unary("loom.exp", scaled);
    let square = b.binary("mulf", y, y);
    let ratio = b.binary("divf", a, square);
    let error = b.binary("subf", ratio, y);
    let better = b.multiply_add(error, third, y);
    let (above, finite) = (b.compare("ogt", a, zero), b.compare("olt", a, inf));
    let plain = b.binary("andi", above, finite);
    let size = b.select(plain, better, a);
    trig::copy_sign(b, size, x)
}

/// `exp(x) - 1`, exact near 0 by Kahan's correction: the error of `u = exp(x)` cancels in `(u - 1) / log(u)`.
fn exponential_minus_one(b: &mut Builder, x: Val) -> Val {
    let ty = b.ty(x);
    let (one, half) = (b.float(ty, 1.0), b.float(ty, 0.5));
    let u = b.unary("loom.exp", x);
    let less = b.binary("subf", u, one);
    let log = b.unary("loom.log", u);
    let ratio = b.binary("divf", less, log);
    let corrected = b.binary("mulf", ratio, x);
    let same = b.compare("oeq", u, one);
    let near = b.select(same, x, corrected);
    let size = b.unary("math.absf", x);
    let small = b.compare("olt", size, half);
    b.select(small, near, less)
}

/// `log(1 + x)`, by the same correction.
fn log_plus_one(b: &mut Builder, x: Val) -> Val {
    let ty = b.ty(x);
    let (one, half) = (b.float(ty, 1.0), b.float(ty, 0.5));
    let u = b.binary("addf", one, x);
    let log = b.unary("loom.log", u);
    let less = b.binary("subf", u, one);
    let ratio = b.binary("divf", x, less);
    let corrected = b.binary("mulf", log, ratio);
    let same = b.compare("oeq", u, one);
    let near = b.select(same, x, corrected);
    let size = b.unary("math.absf", x);
    let small = b.compare("olt", size, half);
    b.select(small, near, log)
}

fn power(b: &mut Builder, args: &[Val], exponent: Option<f64>) -> Val {
    let exact = b.ty(args[0]).kind == ElemKind::F64;
    let short = exponent.and_then(|n| power::by_few(b, args[0], n));
    short.unwrap_or_else(|| in_f64(b, args, |b, x| power::emit(b, x[0], x[1], exact)))
}

/// Computes in f64 and rounds back.
fn in_f64(b: &mut Builder, args: &[Val], f: impl FnOnce(&mut Builder, &[Val]) -> Val) -> Val {
    let kind = b.ty(args[0]).kind;
    let wide: Vec<Val> = args.iter().map(|&x| convert(b, x, ElemKind::F64)).collect();
    let y = f(b, &wide);
    convert(b, y, kind)
}
