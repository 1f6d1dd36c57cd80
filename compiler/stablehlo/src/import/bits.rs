//! Bits of floats as integers and back: `bitcast_convert`, and the order of all floats that it gives.

use super::state::{Import, ImportRule};
use crate::module::TextOp;
use crate::small_float::SmallFloat;
use crate::types::{Narrow, narrow};
use meshloom_ir::{DType, Op as Ir, ValueId};

type Made = Result<Vec<ValueId>, String>;

pub const RULES: &[(&str, ImportRule)] = &[("stablehlo.bitcast_convert", bitcast), ("chlo.mulhi", upper_product)];

/// Bits of an element type as it is written.
fn width(element: &str) -> Result<u32, String> {
    let digits = match element {
        "bf16" => "16",
        "f8E8M0FNU" => "8",
        "f4E2M1FN" => "4",
        other => other.trim_start_matches(|c: char| c.is_ascii_alphabetic()),
    };
    let bits = digits.parse().ok().filter(|b| matches!(b, 4 | 8 | 16 | 32 | 64));
    bits.ok_or_else(|| {
        format!("the bits of `{element}` cannot be reinterpreted here; only of types of 4, 8, 16, 32 and 64 bits")
    })
}

/// To the same shape, or to or from a last dim that holds the parts of one element, the lowest first.
fn bitcast(i: &mut Import<'_>, op: &TextOp<'_>) -> Made {
    let [x] = i.exactly(op)?;
    let [from, to] = op.elements();
    let ty = op.result_types()?.into_iter().next().ok_or("the type of the result is missing")?;
    if from == to && i.b.ty(x) == &ty {
        return Ok(vec![x]);
    }
    let (wide, narrow) = (width(from)?, width(to)?);
    let bits = i.bits_of(x, from)?;
    let shape = i.b.shape(bits);
    let carrier = |w: u32| if w == 64 { DType::I64 } else { DType::I32 };
    let bits = if wide == narrow {
        bits
    } else if wide > narrow {
        let parts = u64::from(wide / narrow);
        let spread = [&shape[..], &[parts]].concat();
        let dims: Vec<usize> = (0..shape.len()).collect();
        let all = i.broadcast(bits, &spread, &dims)?;
        let by = i.places(&all, parts, narrow)?;
        let down = i.elem("shift_right_logical", &[all, by])?;
        let down = i.convert(down, carrier(narrow))?;
        i.lowest(down, narrow)?
    } else {
        let parts = u64::from(narrow / wide);
        if shape.last() != Some(&parts) {
            return Err(format!("the last dim of the operand must be {parts}, the parts of one element"));
        }
        let all = i.lowest(bits, wide)?;
        let all = i.convert(all, carrier(narrow))?;
        // An i32 with its top bit set came with its sign.
        let all = if wide == 32 { i.low_word(all)? } else { all };
        let by = i.places(&all, parts, wide)?;
        let up = i.elem("shift_left", &[all, by])?;
        i.reduce(meshloom_ir::Reduction::Sum, up, &[shape.len() - 1])?
    };
    let out = i.of_bits(bits, to, ty.dtype)?;
    Ok(vec![out])
}

impl Import<'_> {
    /// 0, w, 2w .. along the last dim of `like`.
    fn places(&mut self, like: &ValueId, parts: u64, w: u32) -> Result<ValueId, String> {
        let ty = self.b.ty(*like).clone();
        let steps = Ir::Iota { dtype: ty.dtype, shape: vec![parts], dim: 0, shard: Vec::new() };
        let steps = self.emit(steps, &[])?;
        let w = self.b.constant_like(steps, w.into());
        let steps = self.elem("multiply", &[steps, w])?;
        self.broadcast(steps, &ty.shape, &[ty.rank() - 1])
    }

    /// The lowest bits of an integer, as a number of no sign where they are fewer than its type has.
    fn lowest(&mut self, x: ValueId, w: u32) -> Result<ValueId, String> {
        if w >= 32 { Ok(x) } else { self.wrap(x, Narrow { bits: w, signed: false }) }
    }

    /// The low 32 bits of an i64.
    fn low_word(&mut self, x: ValueId) -> Result<ValueId, String> {
        let mask = self.b.constant_like(x, f64::from(u32::MAX));
        self.elem("and", &[x, mask])
    }

    /// The bits of a value whose element type is written `element`: i64 of 64 bits, i32 of fewer.
    pub fn bits_of(&mut self, x: ValueId, element: &str) -> Result<ValueId, String> {
        if let Some(small) = SmallFloat::of(element) {
            return self.bits_of_small(x, small);
        }
        match element {
            "f32" | "f64" => self.elem("bits_of_float", &[x]),
            "bf16" => {
                let wide = self.convert(x, DType::F32)?;
                let bits = self.elem("bits_of_float", &[wide])?;
                let by = self.b.constant_like(bits, 16.0);
                self.elem("shift_right_logical", &[bits, by])
            }
            "f16" => self.bits_of_half(x),
            "ui64" | "i64" => Ok(x),
            _ if self.b.ty(x).dtype.is_float() => Err(format!("the bits of `{element}` are not supported")),
            _ => self.convert(x, DType::I32),
        }
    }

    /// The value whose bits these are.
    pub fn of_bits(&mut self, bits: ValueId, element: &str, dtype: DType) -> Result<ValueId, String> {
        if let Some(small) = SmallFloat::of(element) {
            return self.small_of_bits(bits, small);
        }
        match element {
            "f32" | "f64" => self.elem("float_of_bits", &[bits]),
            "bf16" => {
                let by = self.b.constant_like(bits, 16.0);
                let up = self.elem("shift_left", &[bits, by])?;
                let wide = self.elem("float_of_bits", &[up])?;
                self.convert(wide, DType::BF16)
            }
            "f16" => self.half_of_bits(bits),
            _ if dtype.is_float() => Err(format!("bits as `{element}` are not supported")),
            _ => match narrow(element) {
                Some(n) => self.wrap(bits, n),
                None => self.convert(bits, dtype),
            },
        }
    }

    fn bits_of_half(&mut self, x: ValueId) -> Result<ValueId, String> {
        let wide = self.convert(x, DType::F32)?;
        let bits = self.elem("bits_of_float", &[wide])?;
        let c = |i: &mut Self, n: i64| i.b.constant_like(bits, n as f64);
        let (sixteen, sign_bit) = (c(self, 16), c(self, 0x8000));
        let sign = self.elem("shift_right_logical", &[bits, sixteen])?;
        let sign = self.elem("and", &[sign, sign_bit])?;
        let mask = c(self, 0x7fff_ffff);
        let size = self.elem("and", &[bits, mask])?;
        // From one bias of the exponent to the other; at most the highest exponent, which infinity and NaN have.
        let (bias, thirteen, infinity) = (c(self, 112 << 23), c(self, 13), c(self, 0x7f80_0000));
        let normal = self.elem("subtract", &[size, bias])?;
        let normal = self.elem("shift_right_logical", &[normal, thirteen])?;
        let mantissa_bits = c(self, 0x007f_ffff);
        let mantissa = self.elem("and", &[size, mantissa_bits])?;
        let mantissa = self.elem("shift_right_logical", &[mantissa, thirteen])?;
        let top = c(self, 0x7c00);
        let special = self.elem("or", &[mantissa, top])?;
        let is_special = self.elem("compare_ge", &[size, infinity])?;
        let large = self.select(is_special, special, normal)?;
        // Below 2^-14 the bits are the number in units of 2^-24.
        let magnitude = self.elem("abs", &[wide])?;
        let unit = self.b.constant_like(wide, 2f64.powi(24));
        let units = self.elem("multiply", &[magnitude, unit])?;
        let units = self.convert(units, DType::I32)?;
        let least = c(self, 113 << 23);
        let small = self.elem("compare_lt", &[size, least])?;
        let out = self.select(small, units, large)?;
        self.elem("or", &[out, sign])
    }

    fn half_of_bits(&mut self, bits: ValueId) -> Result<ValueId, String> {
        let c = |i: &mut Self, n: i64| i.b.constant_like(bits, n as f64);
        let (sixteen, sign_bit, rest, thirteen) = (c(self, 16), c(self, 0x8000), c(self, 0x7fff), c(self, 13));
        let sign = self.elem("and", &[bits, sign_bit])?;
        let sign = self.elem("shift_left", &[sign, sixteen])?;
        let size = self.elem("and", &[bits, rest])?;
        let up = self.elem("shift_left", &[size, thirteen])?;
        let bias = c(self, 112 << 23);
        let normal = self.elem("add", &[up, bias])?;
        let (top, infinity) = (c(self, 0x7c00), c(self, 0x7f80_0000));
        let special = self.elem("or", &[up, infinity])?;
        let is_special = self.elem("compare_ge", &[size, top])?;
        let large = self.select(is_special, special, normal)?;
        let large = self.elem("float_of_bits", &[large])?;
        let units = self.convert(size, DType::F32)?;
        let unit = self.b.constant_like(units, 2f64.powi(-24));
        let units = self.elem("multiply", &[units, unit])?;
        let least = c(self, 0x400);
        let small = self.elem("compare_lt", &[size, least])?;
        let magnitude = self.select(small, units, large)?;
        let positive = self.elem("bits_of_float", &[magnitude])?;
        let out = self.elem("or", &[positive, sign])?;
        let out = self.elem("float_of_bits", &[out])?;
        self.convert(out, DType::F16)
    }

    /// Integers that are in the total order of floats: by size from negative NaN over -0 and 0 to NaN.
    pub fn total_order(&mut self, x: ValueId) -> Result<ValueId, String> {
        let dtype = self.b.ty(x).dtype;
        let x = if dtype == DType::F64 { x } else { self.convert(x, DType::F32)? };
        let bits = self.elem("bits_of_float", &[x])?;
        self.turned(bits)
    }

    /// The floats whose total order these integers are in.
    pub fn floats_in_total_order(&mut self, x: ValueId, dtype: DType) -> Result<ValueId, String> {
        let bits = self.turned(x)?;
        let x = self.elem("float_of_bits", &[bits])?;
        self.convert(x, dtype)
    }

    /// Of negative numbers all but the sign is turned around; and back.
    fn turned(&mut self, bits: ValueId) -> Result<ValueId, String> {
        let last = if self.b.ty(bits).dtype == DType::I64 { 63.0 } else { 31.0 };
        let (sign, one) = (self.b.constant_like(bits, last), self.b.constant_like(bits, 1.0));
        let all = self.elem("shift_right_arithmetic", &[bits, sign])?;
        let but_sign = self.elem("shift_right_logical", &[all, one])?;
        self.elem("xor", &[bits, but_sign])
    }
}

/// The upper half of a product: of integers of up to 32 bits by the product in 64, of 64 bits by their halves.
fn upper_product(i: &mut Import<'_>, op: &TextOp<'_>) -> Made {
    let [x, y] = i.exactly(op)?;
    let element = op.elements()[0];
    let (bits, to) = (width(element)?, i.b.ty(x).dtype);
    if !to.is_int() {
        return Err(format!("`chlo.mulhi` is for integers, not for `{element}`"));
    }
    if bits == 64 {
        return Ok(vec![i.upper_of_halves(x, y, element)?]);
    }
    let (x, y) = (i.convert(x, DType::I64)?, i.convert(y, DType::I64)?);
    let product = i.elem("multiply", &[x, y])?;
    let by = i.b.constant_like(product, bits.into());
    let shift = if element.starts_with('u') { "shift_right_logical" } else { "shift_right_arithmetic" };
    let upper = i.elem(shift, &[product, by])?;
    Ok(vec![i.convert(upper, to)?])
}

impl Import<'_> {
    /// The upper 64 bits of a product of 128: sums of the products of 32-bit halves, read as unsigned; a negative factor of signed
    /// ones counted 2^64 too much of the other.
    fn upper_of_halves(&mut self, x: ValueId, y: ValueId, element: &str) -> Result<ValueId, String> {
        let (mask, half) = (self.b.integer_like(x, 0xFFFF_FFFF), self.b.constant_like(x, 32.0));
        let low = |i: &mut Self, v| i.elem("and", &[v, mask]);
        let high = |i: &mut Self, v| i.elem("shift_right_logical", &[v, half]);
        let [xl, xh, yl, yh] = [low(self, x)?, high(self, x)?, low(self, y)?, high(self, y)?];
        let product = |i: &mut Self, a, b| i.elem("multiply", &[a, b]);
        let [ll, lh, hl, hh] =
            [product(self, xl, yl)?, product(self, xl, yh)?, product(self, xh, yl)?, product(self, xh, yh)?];
        let mut middle = high(self, ll)?;
        let mut upper = hh;
        for cross in [lh, hl] {
            let (l, h) = (low(self, cross)?, high(self, cross)?);
            middle = self.elem("add", &[middle, l])?;
            upper = self.elem("add", &[upper, h])?;
        }
        let carry = high(self, middle)?;
        upper = self.elem("add", &[upper, carry])?;
        if element.starts_with('u') {
            return Ok(upper);
        }
        let zero = self.b.constant_like(x, 0.0);
        for (sign, other) in [(x, y), (y, x)] {
            let negative = self.elem("compare_lt", &[sign, zero])?;
            let over = self.select(negative, other, zero)?;
            upper = self.elem("subtract", &[upper, over])?;
        }
        Ok(upper)
    }
}
