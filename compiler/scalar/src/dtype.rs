//! Element types, one row each: the name, the bytes, what numbers they are, and the type in which kernels compute with them.
//!
//! Not here: values (`meshloom_ir::Scalar`); rounding and wrapping, which the interpreters and the kernels each do for themselves, so
//! that a mistake of one shows in the other; types that only files have (`runtime/src/data/element.rs`).

use crate::named;
use std::fmt;
use std::ops::RangeInclusive;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Numbers {
    Float,
    Signed,
    Unsigned,
    Truth,
}

macro_rules! types {
    ($($(#[$doc:meta])* $dtype:ident $name:literal $bytes:literal $numbers:ident $computed:ident,)*) => {
        named! {
            /// Element type. Names are those of the Loom language.
            DType {
                $($(#[$doc])* $dtype $name,)*
            }
        }

        impl DType {
            fn row(self) -> (u64, Numbers, DType) {
                match self {
                    $(DType::$dtype => ($bytes, Numbers::$numbers, DType::$computed),)*
                }
            }
        }
    };
}

types! {
    F32 "f32" 4 Float F32,
    F64 "f64" 8 Float F64,
    BF16 "bf16" 2 Float F32,
    F16 "f16" 2 Float F32,
    /// `e4m3fn`: 3 bits of mantissa, up to 448, no infinities.
    F8E4M3 "f8e4m3" 1 Float F32,
    /// 2 bits of mantissa, up to 57344, infinities: the upper half of an f16.
    F8E5M2 "f8e5m2" 1 Float F32,
    I32 "i32" 4 Signed I32,
    I64 "i64" 8 Signed I64,
    I8 "i8" 1 Signed I32,
    U8 "u8" 1 Unsigned I32,
    U32 "u32" 4 Unsigned I64,
    /// One byte in memory, 0 or 1.
    Bool "bool" 1 Truth Bool,
}

impl DType {
    /// Size of one element in bytes.
    pub fn bytes(self) -> u64 {
        self.row().0
    }

    pub fn is_float(self) -> bool {
        self.row().1 == Numbers::Float
    }

    pub fn is_int(self) -> bool {
        matches!(self.row().1, Numbers::Signed | Numbers::Unsigned)
    }

    /// An integer without a sign.
    pub fn is_unsigned(self) -> bool {
        self.row().1 == Numbers::Unsigned
    }

    /// One of the two formats of 8 bits, which are multiplied and converted and nothing else.
    pub fn is_float8(self) -> bool {
        self.is_float() && self.bytes() == 1
    }

    /// An integer of 8 bits.
    pub fn is_int8(self) -> bool {
        self.is_int() && self.bytes() == 1
    }

    /// The integers that it holds, truth values as 0 and 1; `None` of floats.
    pub fn range(self) -> Option<RangeInclusive<i64>> {
        let (bytes, numbers, _) = self.row();
        let unused = 64 - 8 * bytes;
        match numbers {
            Numbers::Float => None,
            Numbers::Signed => Some(i64::MIN >> unused..=i64::MAX >> unused),
            Numbers::Unsigned => Some(0..=(u64::MAX >> unused) as i64),
            Numbers::Truth => Some(0..=1),
        }
    }

    /// Whether both are floats and every value is one of the other type, which is another.
    pub fn widens_to(self, to: DType) -> bool {
        self.is_float() && to.is_float() && to.bytes() > self.bytes()
    }

    /// The narrowest type with arithmetic in kernels that holds all values of this one.
    pub fn computed(self) -> DType {
        self.row().2
    }

    /// Whether kernels have this type in memory alone, and convert what they load and store.
    pub fn is_stored_only(self) -> bool {
        self.computed() != self
    }

    /// Whether kernels have floating point arithmetic in this type.
    pub fn is_computed_float(self) -> bool {
        self.is_float() && !self.is_stored_only()
    }

    /// The type of as many bits that the bits of a float are an integer of, and the other way.
    pub fn bits_as(self) -> DType {
        match self {
            DType::F32 => DType::I32,
            DType::F64 => DType::I64,
            DType::I64 => DType::F64,
            _ => DType::F32,
        }
    }

    /// What a sum of this type does not change, to the last bit: of floats -0, since -0 and 0 are 0.
    pub fn nothing(self) -> f64 {
        if self.is_float() { -0.0 } else { 0.0 }
    }
}

impl fmt::Display for DType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::DType;

    #[test]
    fn ranges_are_those_of_rust() {
        let ends = |d: DType| d.range().map(|r| (*r.start(), *r.end()));
        assert_eq!(ends(DType::I8), Some((i8::MIN.into(), i8::MAX.into())));
        assert_eq!(ends(DType::U8), Some((0, u8::MAX.into())));
        assert_eq!(ends(DType::I32), Some((i32::MIN.into(), i32::MAX.into())));
        assert_eq!(ends(DType::U32), Some((0, u32::MAX.into())));
        assert_eq!(ends(DType::I64), Some((i64::MIN, i64::MAX)));
        assert_eq!(ends(DType::Bool), Some((0, 1)));
        assert!(DType::ALL.into_iter().all(|d| d.range().is_none() == d.is_float()));
    }

    #[test]
    fn computed_types_hold_all_values() {
        for d in DType::ALL {
            let wide = d.computed();
            assert!(!wide.is_stored_only() && (wide == d || d.bytes() < wide.bytes()), "{d} in {wide}");
            assert_eq!((wide.is_float(), wide.is_int()), (d.is_float(), d.is_int()), "{d} in {wide}");
            assert_eq!(DType::from_name(d.name()), Some(d));
        }
    }
}
