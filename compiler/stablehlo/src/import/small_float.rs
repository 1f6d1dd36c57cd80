//! Ops of `f8E8M0FNU` and `f4E2M1FN`, whose values the IR represents as bf16 ([`crate::small_float`]). A conversion rounds to the
//! numbers of the type, as XLA does. `bitcast_convert` goes by the bits of those numbers. Every other op that gives such a type has to
//! give elements of its operands: it moves or selects them. Arithmetic is refused, since its results would not be of the type.
//!
//! Parameters and results of a program cannot be of 8 bits ([`held_at_ports`]).

use super::state::Import;
use crate::module::TextOp;
use crate::small_float::SmallFloat;
use meshloom_ir::{DType, ValueId};

/// The ops that may give such a type, without the dialect. Ops in regions are checked one by one.
const MOVES: &[&str] = &[
    "all_gather",
    "all_to_all",
    "bitcast_convert",
    "broadcast",
    "broadcast_in_dim",
    "case",
    "clamp",
    "collective_broadcast",
    "collective_permute",
    "composite",
    "concatenate",
    "constant",
    "convert",
    "custom_call",
    "dynamic_slice",
    "dynamic_update_slice",
    "gather",
    "get_tuple_element",
    "if",
    "maximum",
    "minimum",
    "optimization_barrier",
    "pad",
    "reshape",
    "reverse",
    "select",
    "slice",
    "sort",
    "transpose",
    "while",
];

/// The type in which a parameter or a result of a program is given.
pub fn held_at_ports(dtype: DType) -> DType {
    if dtype.is_float8() { DType::BF16 } else { dtype }
}

/// Whether an op may give a type of this file.
///
/// # Errors
/// A sentence about arithmetic.
pub fn check(op: &TextOp<'_>) -> Result<(), String> {
    let element = op.elements()[1];
    let name = op.name.split_once('.').map_or("", |n| n.1);
    if SmallFloat::of(element).is_none() || op.name.starts_with("sdy.") || MOVES.contains(&name) {
        return Ok(());
    }
    Err(format!("`{}` of `{element}` is not supported\nconvert to f32 or bf16 before it, and back behind it", op.name))
}

impl Import<'_> {
    /// Rounds a number to the nearest one of a small type. The result is a bf16.
    ///
    /// # Errors
    /// It is a truth value.
    pub fn rounded_to(&mut self, x: ValueId, small: SmallFloat) -> Result<ValueId, String> {
        // An f64 is rounded once.
        let wide = self.b.ty(x).dtype == DType::F64;
        match small {
            SmallFloat::E2M1 => {
                let x = if wide { x } else { self.convert(x, DType::F32)? };
                self.rounded_to_e2m1(x)
            }
            SmallFloat::E8M0 => {
                let x = self.convert(x, DType::F32)?;
                self.rounded_to_e8m0(x)
            }
        }
    }

    /// In steps of 1/2 below 2, of 1 below 4, and of 2 up to 6, which larger ones become. NaN becomes -0.
    fn rounded_to_e2m1(&mut self, x: ValueId) -> Result<ValueId, String> {
        let size = self.elem("abs", &[x])?;
        let [half, one, two, four, six] = [0.5, 1.0, 2.0, 4.0, 6.0].map(|c| self.b.constant_like(x, c));
        let (below_two, below_four) = (self.elem("compare_lt", &[size, two])?, self.elem("compare_lt", &[size, four])?);
        let step = self.select(below_four, one, two)?;
        let step = self.select(below_two, half, step)?;
        let steps = self.elem("divide", &[x, step])?;
        let steps = self.elem("round_nearest_even", &[steps])?;
        let near = self.elem("multiply", &[steps, step])?;
        let least = self.b.constant_like(x, -6.0);
        let near = self.elem("minimum", &[near, six])?;
        let near = self.elem("maximum", &[near, least])?;
        let is_number = self.elem("compare_eq", &[x, x])?;
        let none = self.b.constant_like(x, -0.0);
        let out = self.select(is_number, near, none)?;
        self.convert(out, DType::BF16)
    }

    /// Half of the mantissa is added to the bits, so that the exponent is rounded, and up in the middle. Below the least normal number
    /// bits are not an exponent and a mantissa: 2^-127 is 0x400000, and what is above it is rounded up.
    fn rounded_to_e8m0(&mut self, x: ValueId) -> Result<ValueId, String> {
        let bits = self.elem("bits_of_float", &[x])?;
        let c = |i: &mut Self, n: i64| i.b.integer_like(bits, n);
        let (infinity, normal, half, less) =
            (c(self, 0x7f80_0000), c(self, 0x80_0000), c(self, 0x40_0000), c(self, 0x3f_ffff));
        let (zero, by, nan) = (c(self, 0), c(self, 23), c(self, 255));
        // NaNs have larger bits than infinity; what is negative, or nothing, has no sign bit to lose.
        let size = self.elem("minimum", &[bits, infinity])?;
        let is_small = self.elem("compare_lt", &[size, normal])?;
        let more = self.select(is_small, less, half)?;
        let up = self.elem("add", &[size, more])?;
        let exponent = self.elem("shift_right_logical", &[up, by])?;
        let is_positive = self.elem("compare_gt", &[bits, zero])?;
        let exponent = self.select(is_positive, exponent, nan)?;
        self.e8m0_of_bits(exponent)
    }

    /// 2 to the power of an i32 less 127; NaN of 255.
    fn e8m0_of_bits(&mut self, exponent: ValueId) -> Result<ValueId, String> {
        let c = |i: &mut Self, n: i64| i.b.integer_like(exponent, n);
        let (zero, by, last) = (c(self, 0), c(self, 23), c(self, 255));
        let (least, nan) = (c(self, 0x40_0000), c(self, 0x7fc0_0000));
        let bits = self.elem("shift_left", &[exponent, by])?;
        let is_least = self.elem("compare_eq", &[exponent, zero])?;
        let bits = self.select(is_least, least, bits)?;
        let is_nan = self.elem("compare_eq", &[exponent, last])?;
        let bits = self.select(is_nan, nan, bits)?;
        let out = self.elem("float_of_bits", &[bits])?;
        self.convert(out, DType::BF16)
    }

    /// The bits of a number of a small type, as an i32.
    ///
    /// # Errors
    /// It is not held in a float.
    pub fn bits_of_small(&mut self, x: ValueId, small: SmallFloat) -> Result<ValueId, String> {
        let x = self.convert(x, DType::F32)?;
        let bits = self.elem("bits_of_float", &[x])?;
        let c = |i: &mut Self, n: i64| i.b.integer_like(bits, n);
        if small == SmallFloat::E8M0 {
            let (by, mask) = (c(self, 23), c(self, 255));
            let exponent = self.elem("shift_right_logical", &[bits, by])?;
            return self.elem("and", &[exponent, mask]);
        }
        // 0, 1/2 .. 2 are 0 to 4, and 3, 4, 6 are 5 to 7.
        let size = self.elem("abs", &[x])?;
        let [two, seven] = [2.0, 7.0].map(|c| self.b.constant_like(x, c));
        let (twice, more) = (self.elem("multiply", &[size, two])?, self.elem("add", &[size, two])?);
        let place = self.elem("minimum", &[twice, more])?;
        let place = self.elem("minimum", &[place, seven])?;
        let place = self.convert(place, DType::I32)?;
        let (by, mask) = (c(self, 28), c(self, 8));
        let sign = self.elem("shift_right_logical", &[bits, by])?;
        let sign = self.elem("and", &[sign, mask])?;
        self.elem("or", &[place, sign])
    }

    /// The number of a small type whose bits are the lowest of an i32.
    ///
    /// # Errors
    /// It is no i32.
    pub fn small_of_bits(&mut self, bits: ValueId, small: SmallFloat) -> Result<ValueId, String> {
        let c = |i: &mut Self, n: i64| i.b.integer_like(bits, n);
        let mask = c(self, (1 << small.bits()) - 1);
        let bits = self.elem("and", &[bits, mask])?;
        if small == SmallFloat::E8M0 {
            return self.e8m0_of_bits(bits);
        }
        let (seven, eight) = (c(self, 7), c(self, 8));
        let place = self.elem("and", &[bits, seven])?;
        let place = self.convert(place, DType::F32)?;
        let [half, two, four] = [0.5, 2.0, 4.0].map(|c| self.b.constant_like(place, c));
        // Whatever is largest of k / 2, k - 2 and 2 (k - 4).
        let by_halves = self.elem("multiply", &[place, half])?;
        let by_ones = self.elem("subtract", &[place, two])?;
        let above = self.elem("subtract", &[place, four])?;
        let by_twos = self.elem("multiply", &[above, two])?;
        let size = self.elem("maximum", &[by_halves, by_ones])?;
        let size = self.elem("maximum", &[size, by_twos])?;
        let negated = self.elem("negate", &[size])?;
        let is_negative = self.elem("compare_ge", &[bits, eight])?;
        let out = self.select(is_negative, negated, size)?;
        self.convert(out, DType::BF16)
    }
}
