//! Float types that the IR lacks, and all of whose values bf16 can represent: `f8E8M0FNU`, the scales of MXFP8, and `f4E2M1FN`, the
//! elements of NVFP4 and MXFP4 (OCP Microscaling Formats, 2023). The IR has them as bf16.
//!
//! This file has what constants need: the number that some bits are, and the bits of the number that is nearest to a value.
//! `import/small_float.rs` has the ops.
//!
//! Not here: the two types of 8 bits with a sign, which are types of the IR.

/// `f8E8M0FNU` has exponents alone: bits e are 2^(e - 127), and 255 is NaN. `f4E2M1FN` has a sign, and neither infinities nor NaN.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SmallFloat {
    E8M0,
    E2M1,
}

/// Sizes of `f4E2M1FN`, by their bits.
const E2M1: [f64; 8] = [0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0];

impl SmallFloat {
    /// The type of an element as it is written.
    pub fn of(element: &str) -> Option<SmallFloat> {
        match element {
            "f8E8M0FNU" => Some(SmallFloat::E8M0),
            "f4E2M1FN" => Some(SmallFloat::E2M1),
            _ => None,
        }
    }

    /// Bits of an element. A file has it in a byte.
    pub fn bits(self) -> u32 {
        match self {
            SmallFloat::E8M0 => 8,
            SmallFloat::E2M1 => 4,
        }
    }

    /// The number whose bits are the lowest of these.
    pub fn number(self, bits: u64) -> f64 {
        match self {
            SmallFloat::E8M0 if bits & 0xff == 0xff => f64::NAN,
            SmallFloat::E8M0 => 2f64.powi((bits & 0xff) as i32 - 127),
            SmallFloat::E2M1 => (if bits & 8 == 0 { 1.0 } else { -1.0 }) * E2M1[(bits & 7) as usize],
        }
    }

    /// The number of this type that is nearest to what is written in decimal: in the middle, the even one of `f4E2M1FN`, and the larger
    /// one of `f8E8M0FNU`, which has NaN for what is not positive and for what is too large. So XLA converts.
    pub fn nearest(self, x: f64) -> f64 {
        match self {
            SmallFloat::E8M0 if x.is_nan() || x <= 0.0 || x >= 1.5 * 2f64.powi(127) => f64::NAN,
            SmallFloat::E8M0 => {
                let below = x.log2().floor().clamp(-127.0, 127.0);
                let up = below < 127.0 && x >= 1.5 * below.exp2();
                (below + f64::from(u8::from(up))).exp2()
            }
            SmallFloat::E2M1 if x.is_nan() => -0.0,
            SmallFloat::E2M1 => {
                let size = x.abs();
                let place = E2M1.windows(2).enumerate().filter(|(low, pair)| {
                    let middle = f64::midpoint(pair[0], pair[1]);
                    size > middle || size == middle && low % 2 == 1
                });
                E2M1[place.count()].copysign(x)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::SmallFloat;

    #[test]
    fn every_number_is_the_nearest_to_itself() {
        for ty in [SmallFloat::E8M0, SmallFloat::E2M1] {
            for bits in 0..1u64 << ty.bits() {
                let x = ty.number(bits);
                let again = ty.nearest(x);
                assert!(x.is_nan() && again.is_nan() || x.to_bits() == again.to_bits(), "{ty:?} {bits}: {x} {again}");
            }
        }
    }

    /// As `ml_dtypes` and XLA's CPU backend have it.
    #[test]
    fn numbers_between_are_rounded() {
        let four = [0.25, 0.26, 0.75, 1.25, 1.75, 2.5, 3.5, 5.0, 5.1, -7.0, f64::INFINITY];
        let four = four.map(|x| SmallFloat::E2M1.nearest(x));
        assert_eq!(four, [0.0, 0.5, 1.0, 1.0, 2.0, 2.0, 4.0, 4.0, 6.0, -6.0, 6.0]);
        let eight = [1.49, 1.5, 3.0, 6.0, 5.877470e-39, 1.701412e38].map(|x| SmallFloat::E8M0.nearest(x));
        assert_eq!(eight, [1.0, 2.0, 4.0, 8.0, 2f64.powi(-127), 2f64.powi(127)]);
        assert!([0.0, -1.0, 2.6e38, f64::INFINITY].iter().all(|&x| SmallFloat::E8M0.nearest(x).is_nan()));
    }
}
