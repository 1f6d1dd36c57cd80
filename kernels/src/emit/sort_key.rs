//! What `top_k` sorts by, and what it stores of an element that it found: on CPUs and GPUs alike.
//!
//! Not here: how the first elements are found ([`super::selection`], `spec/top_k.rs`).

use super::builder::{Buf, Builder, ElemKind, Ix, Val};
use super::scatter::store_index;
use crate::spec::TopK;

/// What elements are sorted by, as numbers whose order is that of signed integers: ties and NaN as [`TopK`] says.
pub fn key_of(b: &mut Builder, s: &TopK, x: Val) -> Val {
    let (given, computed) = (b.ty(x), ElemKind::value(s.dtype.computed()));
    let bits = match computed {
        ElemKind::F32 | ElemKind::F64 => {
            let (kind, nan, width) = if computed == ElemKind::F32 {
                (ElemKind::I32, 0x7fc0_0000, 32)
            } else {
                (ElemKind::I64, 0x7ff8 << 48, 64)
            };
            let ty = given.with(kind);
            // All zeros are one number, and so is all that is none.
            let (zero, float) = (b.float(given, 0.0), b.bitcast(x, kind));
            let (is_zero, is_nan) = (b.compare("oeq", x, zero), b.compare("uno", x, x));
            let (none, nan) = (b.int(ty, 0), b.int(ty, nan));
            let bits = b.select(is_zero, none, float);
            let bits = b.select(is_nan, nan, bits);
            // Numbers below zero descend as their bits ascend.
            let (all, sign) = (b.int(ty, width - 1), b.int(ty, if width == 32 { 0x7fff_ffff } else { i64::MAX }));
            let minus = b.binary("shrsi", bits, all);
            let flipped = b.binary("andi", minus, sign);
            b.binary("xori", bits, flipped)
        }
        _ => x,
    };
    if !s.largest {
        return bits;
    }
    let ones = b.int(b.ty(bits), -1);
    b.binary("xori", bits, ones)
}

pub fn store_result(b: &mut Builder, s: &TopK, base: Ix, position: Ix, to: Ix) {
    let (x, out) = (Buf::arg(0, s.dtype), Buf::arg(1, s.out_dtype()));
    if s.indices {
        return store_index(b, position, out, to);
    }
    let at = b.add(base, position);
    let value = b.load(x, at, 0);
    b.store(value, out, to);
}
