//! Element types as files have them, and their conversion to the types of a program.
//!
//! Data is converted only where every value is kept: floats to wider floats, integers to integer types that can
//! represent them. Weights may also be rounded: a bf16 checkpoint can start f32 masters, and the other way round.

use half::{bf16, f16};
use meshloom_bundle::{DType, Port};
use safetensors::Dtype;

/// What an element of a file is; little-endian.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Element {
    Of(DType),
    // Files have these too, and programs do not.
    I16,
    U16,
    U64,
}

/// Whether floats may be rounded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rounding {
    Exact,
    Allowed,
}

impl Element {
    /// Bytes of one element.
    pub fn size(self) -> usize {
        match self {
            Element::Of(d) => d.bytes() as usize,
            Element::I16 | Element::U16 => 2,
            Element::U64 => 8,
        }
    }

    pub fn name(self) -> &'static str {
        match self {
            Element::Of(d) => d.name(),
            Element::I16 => "i16",
            Element::U16 => "u16",
            Element::U64 => "u64",
        }
    }

    /// As programs have it.
    pub fn dtype(self) -> Option<DType> {
        if let Element::Of(d) = self { Some(d) } else { None }
    }

    pub fn is_float(self) -> bool {
        self.dtype().is_some_and(DType::is_float)
    }

    pub fn is_integer(self) -> bool {
        self.dtype().is_none_or(DType::is_int)
    }

    /// `f32[2, 3]`, for messages.
    pub fn describe(self, shape: &[u64]) -> String {
        format!("{}{shape:?}", self.name())
    }

    /// The element type of a safetensors file, of complex numbers that of their parts; `None` for those that no program takes.
    pub fn of_safetensors(d: Dtype) -> Option<Element> {
        Some(Element::Of(match d {
            Dtype::F16 => DType::F16,
            Dtype::BF16 => DType::BF16,
            Dtype::F32 => DType::F32,
            Dtype::F64 => DType::F64,
            // Complex numbers, as their parts; the shape has a last dim of two more.
            Dtype::C64 => DType::F32,
            Dtype::BOOL => DType::Bool,
            Dtype::I8 => DType::I8,
            Dtype::U8 => DType::U8,
            Dtype::I32 => DType::I32,
            Dtype::U32 => DType::U32,
            Dtype::I64 => DType::I64,
            Dtype::I16 => return Some(Element::I16),
            Dtype::U16 => return Some(Element::U16),
            Dtype::U64 => return Some(Element::U64),
            _ => return None,
        }))
    }

    /// The integer in the first bytes of `b`. Callers cut `b` to size and have asked [`Element::is_integer`].
    pub fn integer(self, b: &[u8]) -> i128 {
        fn get<const N: usize>(b: &[u8]) -> [u8; N] {
            b.first_chunk::<N>().copied().unwrap_or([0; N])
        }
        match self {
            Element::Of(DType::I8) => i128::from(i8::from_le_bytes(get(b))),
            Element::Of(DType::U8 | DType::Bool) => i128::from(u8::from_le_bytes(get(b))),
            Element::I16 => i128::from(i16::from_le_bytes(get(b))),
            Element::U16 => i128::from(u16::from_le_bytes(get(b))),
            Element::Of(DType::I32) => i128::from(i32::from_le_bytes(get(b))),
            Element::Of(DType::U32) => i128::from(u32::from_le_bytes(get(b))),
            Element::Of(DType::I64) => i128::from(i64::from_le_bytes(get(b))),
            Element::U64 => i128::from(u64::from_le_bytes(get(b))),
            Element::Of(_) => 0,
        }
    }

    /// Elements in `bytes` as elements of `to`.
    ///
    /// # Errors
    /// A conversion that is not allowed, or the first value that `to` cannot hold.
    pub fn convert(self, bytes: &[u8], to: DType, rounding: Rounding) -> Result<Vec<u8>, String> {
        if self == Element::Of(to) {
            return Ok(bytes.to_vec());
        }
        let rank = |e: &str| ["f16", "bf16", "f32", "f64"].iter().position(|n| *n == e).map(|i| i.max(1));
        match (rank(self.name()), rank(to.name())) {
            // f16 and bf16 keep different values, so neither widens to the other.
            (Some(a), Some(b)) if a < b || rounding == Rounding::Allowed => Ok(self.floats(bytes, to)),
            (Some(_), Some(_)) => Err(format!(
                "{} where {} is taken; save it as {} to say that it may be rounded",
                self.name(),
                to.name(),
                to.name()
            )),
            (None, None) if self.is_integer() && to != DType::Bool => self.integers(bytes, to),
            (None, Some(_)) if self.is_integer() => Err(format!(
                "{} where {} is taken; take {} in the program and convert it there, with `x as {}`",
                self.name(),
                to.name(),
                self.name(),
                to.name()
            )),
            _ => Err(format!("{} where {} is taken", self.name(), to.name())),
        }
    }

    /// As [`Element::convert`], to what a port holds: unsigned integers of 64 bits are held as they are.
    ///
    /// # Errors
    /// As there.
    pub fn convert_for(self, bytes: &[u8], port: &Port, rounding: Rounding) -> Result<Vec<u8>, String> {
        if port.unsigned && self == Element::U64 {
            return Ok(bytes.to_vec());
        }
        self.convert(bytes, port.dtype, rounding)
    }

    fn floats(self, bytes: &[u8], to: DType) -> Vec<u8> {
        fn each<const N: usize, const M: usize>(bytes: &[u8], f: impl Fn([u8; N]) -> [u8; M]) -> Vec<u8> {
            bytes.as_chunks::<N>().0.iter().flat_map(|&c| f(c)).collect()
        }
        fn write<const N: usize>(bytes: &[u8], to: DType, read: impl Fn([u8; N]) -> f64) -> Vec<u8> {
            match to {
                DType::F32 => each(bytes, |c| (read(c) as f32).to_le_bytes()),
                DType::F16 => each(bytes, |c| f16::from_f32(odd(read(c))).to_le_bytes()),
                DType::BF16 => each(bytes, |c| bf16::from_f32(odd(read(c))).to_le_bytes()),
                _ => each(bytes, |c| read(c).to_le_bytes()),
            }
        }
        match self {
            Element::Of(DType::F16) => write(bytes, to, |c| f16::from_le_bytes(c).to_f64()),
            Element::Of(DType::BF16) => write(bytes, to, |c| bf16::from_le_bytes(c).to_f64()),
            Element::Of(DType::F32) => write(bytes, to, |c| f64::from(f32::from_le_bytes(c))),
            _ => write(bytes, to, f64::from_le_bytes),
        }
    }

    fn integers(self, bytes: &[u8], to: DType) -> Result<Vec<u8>, String> {
        let size = to.bytes() as usize;
        let mut out = Vec::with_capacity(bytes.len() / self.size() * size);
        for (at, c) in bytes.chunks_exact(self.size()).enumerate() {
            let v = self.integer(c);
            let fits = i64::try_from(v).is_ok_and(|v| to.range().is_some_and(|r| r.contains(&v)));
            if !fits {
                return Err(format!("element {at} is {v}, which does not fit into {}", to.name()));
            }
            out.extend(&v.to_le_bytes()[..size]);
        }
        Ok(out)
    }
}

/// `x` as an f32, where it is none as the neighbour whose last bit is 1: rounded on to 16 bits it is `x`, rounded once. (`half`'s own
/// conversions of f64 ignore its last 32 bits.)
pub(crate) fn odd(x: f64) -> f32 {
    let near = x as f32;
    let bits = near.to_bits();
    if bits & 1 == 1 || x.is_nan() || f64::from(near) == x {
        return near;
    }
    f32::from_bits(if f64::from(near).abs() > x.abs() { bits - 1 } else { bits + 1 })
}

#[cfg(test)]
mod tests {
    use super::*;
    use Rounding::{Allowed, Exact};

    fn bytes<const N: usize>(values: &[[u8; N]]) -> Vec<u8> {
        values.concat()
    }

    #[test]
    fn floats_widen_and_round_when_allowed() {
        let third = bytes(&[(1.0f32 / 3.0).to_le_bytes()]);
        let wide = Element::Of(DType::F32).convert(&third, DType::F64, Exact).unwrap();
        assert_eq!(wide, f64::from(1.0f32 / 3.0).to_le_bytes());
        let e = Element::Of(DType::F32).convert(&third, DType::BF16, Exact).unwrap_err();
        assert_eq!(e, "f32 where bf16 is taken; save it as bf16 to say that it may be rounded");
        let short = Element::Of(DType::F32).convert(&third, DType::BF16, Allowed).unwrap();
        assert_eq!(short, bf16::from_f32(1.0 / 3.0).to_le_bytes());
        let back = Element::Of(DType::BF16).convert(&short, DType::F32, Exact).unwrap();
        assert_eq!(back, bf16::from_f32(1.0 / 3.0).to_f32().to_le_bytes());
        assert!(Element::Of(DType::F16).convert(&short, DType::BF16, Exact).is_err());
        assert!(Element::Of(DType::F16).convert(&short, DType::F32, Exact).is_ok());
        for x in [f32::INFINITY, -0.0, 1e-40, 65504.0] {
            let half = Element::Of(DType::F32).convert(&x.to_le_bytes(), DType::F16, Allowed).unwrap();
            assert_eq!(half, f16::from_f32(x).to_le_bytes());
        }
        // Just beside the middle of two neighbours, nearer than an f32 can tell.
        for (x, near) in
            [(1.0 + 2f64.powi(-8) + 2f64.powi(-40), 1.0 + 1.0 / 128.0), (-1.0 - 2f64.powi(-8) + 2f64.powi(-40), -1.0)]
        {
            let half = Element::Of(DType::F64).convert(&x.to_le_bytes(), DType::BF16, Allowed).unwrap();
            assert_eq!(half, bf16::from_f32(near as f32).to_le_bytes());
        }
    }

    #[test]
    fn integers_are_kept_or_refused() {
        let v = bytes(&[5u16.to_le_bytes(), 300u16.to_le_bytes()]);
        assert_eq!(
            Element::U16.convert(&v, DType::I32, Exact).unwrap(),
            bytes(&[5i32.to_le_bytes(), 300i32.to_le_bytes()])
        );
        let e = Element::U16.convert(&v, DType::U8, Exact).unwrap_err();
        assert_eq!(e, "element 1 is 300, which does not fit into u8");
        let e = Element::Of(DType::I64).convert(&(-1i64).to_le_bytes(), DType::U32, Allowed).unwrap_err();
        assert_eq!(e, "element 0 is -1, which does not fit into u32");
        assert!(Element::U64.convert(&u64::MAX.to_le_bytes(), DType::I64, Exact).is_err());
        let e = Element::Of(DType::U8).convert(&[1], DType::F32, Exact).unwrap_err();
        assert_eq!(e, "u8 where f32 is taken; take u8 in the program and convert it there, with `x as f32`");
        assert!(Element::Of(DType::F32).convert(&[0; 4], DType::I32, Allowed).is_err());
        assert!(Element::Of(DType::Bool).convert(&[1], DType::I32, Allowed).is_err());
        assert_eq!(Element::Of(DType::Bool).convert(&[1], DType::Bool, Exact).unwrap(), [1]);
    }
}
