//! A value in the bytes of a dtype, as every device fills memory with it.
//!
//! Not here: elements of files ([`crate::data`]).

use crate::data::element::odd;
use meshloom_bundle::{DType, Number};

/// One element, repeated.
#[derive(Clone, Copy)]
pub struct Pattern {
    pub bytes: [u8; 8],
    pub size: usize,
}

/// The bytes of a value in a dtype. Floats out of range saturate, as Rust's `as` does; integers out of range wrap.
pub fn pattern(dtype: DType, value: Number) -> Pattern {
    fn of<const N: usize>(b: [u8; N]) -> Pattern {
        let mut bytes = [0; 8];
        bytes[..N].copy_from_slice(&b);
        Pattern { bytes, size: N }
    }
    let x = value.as_f64();
    let integer = || match value {
        Number::Int(n) => n,
        Number::Float(x) => dtype.range().map_or(x as i64, |r| (x as i64).clamp(*r.start(), *r.end())),
    };
    match dtype {
        DType::F32 => of((x as f32).to_ne_bytes()),
        DType::F64 => of(x.to_ne_bytes()),
        DType::I32 => of((integer() as i32).to_ne_bytes()),
        DType::I64 => of(integer().to_ne_bytes()),
        DType::U32 => of((integer() as u32).to_ne_bytes()),
        DType::I8 => of((integer() as i8).to_ne_bytes()),
        DType::U8 | DType::F8E4M3 | DType::F8E5M2 => of([integer() as u8]),
        DType::Bool => of([u8::from(x != 0.0)]),
        DType::BF16 => of(half::bf16::from_f32(odd(x)).to_ne_bytes()),
        DType::F16 => of(half::f16::from_f32(odd(x)).to_ne_bytes()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_precision() {
        for (x, bits) in
            [(1.0, 0x3c00), (-2.0, 0xc000), (65504.0, 0x7bff), (65520.0, 0x7c00), (5.960_464_5e-8, 1), (0.1, 0x2e66)]
        {
            assert_eq!(pattern(DType::F16, Number::Float(x)).bytes[..2], u16::to_ne_bytes(bits), "{x}");
        }
        for n in [i64::MIN, i64::MAX, (1 << 53) + 1, -(1 << 53) - 1] {
            assert_eq!(pattern(DType::I64, Number::Int(n)).bytes, n.to_ne_bytes(), "{n}");
        }
        let ends = [(f64::INFINITY, i32::MAX), (-1e12, i32::MIN), (f64::NAN, 0)];
        for (x, n) in ends {
            assert_eq!(pattern(DType::I32, Number::Float(x)).bytes[..4], n.to_ne_bytes(), "{x}");
        }
        for (x, bits) in [(1.0, 0x3f80), (-0.1, 0xbdcd), (f64::INFINITY, 0x7f80)] {
            assert_eq!(pattern(DType::BF16, Number::Float(x)).bytes[..2], u16::to_ne_bytes(bits), "{x}");
        }
    }
}
