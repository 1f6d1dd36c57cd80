//! `.npy` files: one array each, as numpy writes them. Numbers and bools in little-endian and C order are read;
//! everything else is refused.
//!
//! The header is a Python dict literal. This parser takes exactly the three keys that the format defines, in any order,
//! and no Python beyond them.

use super::element::Element;
use crate::error::{Result, RuntimeError};
use crate::host::HostTensor;
use meshloom_bundle::DType;
use std::path::Path;

const MAGIC: &[u8] = b"\x93NUMPY";
/// numpy itself refuses longer headers.
const MAX_HEADER: usize = 10_000;
/// The header lies within so many bytes.
pub const HEAD: u64 = MAX_HEADER as u64 + 12;

pub fn write(path: &Path, t: &HostTensor) -> Result<()> {
    std::fs::write(path, to_bytes(t)).map_err(|e| RuntimeError::io(path, "cannot be written", &e))
}

fn code(dtype: DType) -> &'static str {
    match dtype {
        DType::F32 => "<f4",
        DType::F64 => "<f8",
        DType::F16 => "<f2",
        // numpy has no bf16; its bits.
        DType::BF16 => "<u2",
        DType::I32 => "<i4",
        DType::I64 => "<i8",
        DType::U32 => "<u4",
        DType::I8 => "|i1",
        DType::U8 | DType::F8E4M3 | DType::F8E5M2 => "|u1",
        DType::Bool => "|b1",
    }
}

/// The file's bytes, as numpy would write them.
pub fn to_bytes(t: &HostTensor) -> Vec<u8> {
    let dims: Vec<String> = t.shape.iter().map(u64::to_string).collect();
    let shape = if dims.len() == 1 { format!("{},", dims[0]) } else { dims.join(", ") };
    let mut header = format!("{{'descr': '{}', 'fortran_order': False, 'shape': ({shape}), }}", code(t.dtype));
    // Data begins at a multiple of 64.
    let used = MAGIC.len() + 4 + header.len() + 1;
    header.extend(std::iter::repeat_n(' ', used.next_multiple_of(64) - used));
    header.push('\n');
    let mut out = MAGIC.to_vec();
    out.extend([1, 0]);
    out.extend((header.len() as u16).to_le_bytes());
    out.extend(header.as_bytes());
    out.extend(&t.bytes);
    out
}

/// What stands before the data.
#[derive(Clone, Debug, PartialEq)]
pub struct Array {
    /// Of complex numbers, that of their parts, which are a last dim of two.
    pub element: Element,
    pub shape: Vec<u64>,
    pub complex: bool,
    /// Where the data begins.
    pub offset: usize,
}

/// Parses a file's header, and compares it with the file's length.
///
/// # Errors
/// What is wrong with the file; without its name.
pub fn parse(bytes: &[u8]) -> Result<Array, String> {
    parse_head(bytes, bytes.len() as u64)
}

/// As [`parse`], by the first [`HEAD`] bytes and the length of the file.
///
/// # Errors
/// As there.
pub fn parse_head(head: &[u8], len: u64) -> Result<Array, String> {
    let array = header(head)?;
    let size = array.bytes();
    let found = len - array.offset as u64;
    if size != Some(found) {
        return Err(format!("{found} bytes of data for {}", array.describe()));
    }
    Ok(array)
}

/// Parses the header alone, from a file's first bytes.
///
/// # Errors
/// What is wrong with it.
pub fn header(bytes: &[u8]) -> Result<Array, String> {
    let rest = bytes.strip_prefix(MAGIC).ok_or("no .npy file: it does not begin with \\x93NUMPY")?;
    let (len, rest) = match rest {
        [1, 0, a, b, rest @ ..] => (u16::from_le_bytes([*a, *b]) as usize, rest),
        [2 | 3, 0, a, b, c, d, rest @ ..] => (u32::from_le_bytes([*a, *b, *c, *d]) as usize, rest),
        _ => return Err("a .npy version that is not 1, 2 or 3, or a truncated header".into()),
    };
    if len > MAX_HEADER || len > rest.len() {
        return Err(format!("a header of {len} bytes in {} bytes", rest.len()));
    }
    let offset = bytes.len() - rest.len() + len;
    let text = std::str::from_utf8(&rest[..len]).map_err(|_| "a header that is no text")?;
    let (element, shape, complex) =
        Header { rest: text }.parse().map_err(|m| format!("header `{}`: {m}", text.trim_end().escape_debug()))?;
    Ok(Array { element, shape, complex, offset })
}

impl Array {
    /// `f32[2, 3]`, `complex64[2, 3]`.
    pub fn describe(&self) -> String {
        match self.shape[..] {
            [ref numbers @ .., _] if self.complex => format!("complex{}{numbers:?}", 16 * self.element.size()),
            _ => self.element.describe(&self.shape),
        }
    }

    /// Bytes of the data; `None` when no memory holds so many.
    pub fn bytes(&self) -> Option<u64> {
        self.shape.iter().try_fold(self.element.size() as u64, |a, &b| a.checked_mul(b))
    }
}

struct Header<'a> {
    rest: &'a str,
}

impl<'a> Header<'a> {
    fn parse(mut self) -> Result<(Element, Vec<u64>, bool), String> {
        let (mut descr, mut fortran, mut shape) = (None, None, None);
        self.expect('{')?;
        while !self.eat('}') {
            let key = self.string()?;
            self.expect(':')?;
            let twice = match key {
                "descr" => descr.replace(self.string()?).is_some(),
                "fortran_order" => fortran.replace(self.boolean()?).is_some(),
                "shape" => shape.replace(self.tuple()?).is_some(),
                other => return Err(format!("an unknown key `{}`", other.escape_debug())),
            };
            if twice {
                return Err(format!("`{key}` is there twice"));
            }
            if !self.eat(',') {
                self.expect('}')?;
                break;
            }
        }
        if !self.rest.trim().is_empty() {
            return Err("more after the closing brace".into());
        }
        let (Some(descr), Some(fortran), Some(shape)) = (descr, fortran, shape) else {
            return Err("needs `descr`, `fortran_order` and `shape`".into());
        };
        if fortran {
            return Err("Fortran order; save it with numpy.ascontiguousarray".into());
        }
        let element = match descr {
            "<f2" => Element::Of(DType::F16),
            "<f4" => Element::Of(DType::F32),
            "<f8" => Element::Of(DType::F64),
            // Real and imaginary part, one after the other.
            "<c8" => Element::Of(DType::F32),
            "<c16" => Element::Of(DType::F64),
            "|b1" => Element::Of(DType::Bool),
            "|i1" | "<i1" => Element::Of(DType::I8),
            "|u1" | "<u1" => Element::Of(DType::U8),
            "<i2" => Element::I16,
            "<u2" => Element::U16,
            "<i4" => Element::Of(DType::I32),
            "<u4" => Element::Of(DType::U32),
            "<i8" => Element::Of(DType::I64),
            "<u8" => Element::U64,
            other => {
                return Err(format!("dtype `{}`; numbers and bools in little-endian are read", other.escape_debug()));
            }
        };
        let complex = descr.starts_with("<c");
        let mut shape = shape;
        shape.extend(complex.then_some(2));
        Ok((element, shape, complex))
    }

    fn eat(&mut self, c: char) -> bool {
        self.rest = self.rest.trim_start_matches(' ');
        match self.rest.strip_prefix(c) {
            Some(r) => {
                self.rest = r;
                true
            }
            None => false,
        }
    }

    fn expect(&mut self, c: char) -> Result<(), String> {
        if self.eat(c) { Ok(()) } else { Err(format!("expected `{c}`")) }
    }

    fn string(&mut self) -> Result<&'a str, String> {
        let quote = if self.eat('\'') {
            '\''
        } else {
            self.expect('"')?;
            '"'
        };
        let (s, rest) = self.rest.split_once(quote).ok_or("a string without end")?;
        self.rest = rest;
        Ok(s)
    }

    fn boolean(&mut self) -> Result<bool, String> {
        self.rest = self.rest.trim_start_matches(' ');
        for (word, value) in [("True", true), ("False", false)] {
            if let Some(r) = self.rest.strip_prefix(word) {
                self.rest = r;
                return Ok(value);
            }
        }
        Err("expected `True` or `False`".into())
    }

    fn tuple(&mut self) -> Result<Vec<u64>, String> {
        let mut dims = Vec::new();
        self.expect('(')?;
        while !self.eat(')') {
            self.rest = self.rest.trim_start_matches(' ');
            let n = self.rest.bytes().take_while(u8::is_ascii_digit).count();
            dims.push(self.rest[..n].parse().map_err(|_| "expected a size")?);
            self.rest = &self.rest[n..];
            if dims.len() > meshloom_bundle::limits::RANK {
                return Err("too many dims".into());
            }
            if !self.eat(',') {
                self.expect(')')?;
                break;
            }
        }
        Ok(dims)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn round_trip() {
        for t in [
            HostTensor::f32(&[2, 3], &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]),
            HostTensor::i32(&[4], &[1, -2, 3, -4]),
            HostTensor::f64(&[], &[7.5]),
            HostTensor::zeros(DType::U8, &[2, 0, 3]),
            HostTensor::zeros(DType::I64, &[1, 2]),
        ] {
            let bytes = to_bytes(&t);
            let array = parse(&bytes).unwrap();
            assert_eq!((array.offset % 64, &bytes[array.offset..]), (0, t.bytes.as_slice()));
            assert_eq!((array.element.name(), array.shape), (t.dtype.name(), t.shape));
            for n in 0..bytes.len() {
                assert!(parse(&bytes[..n]).is_err());
            }
        }
    }

    #[test]
    fn refusals_say_why() {
        let with = |header: &str, data: usize| {
            let mut b = b"\x93NUMPY\x01\0".to_vec();
            b.extend((header.len() as u16).to_le_bytes());
            b.extend(header.as_bytes());
            b.extend(vec![0; data]);
            parse(&b).unwrap_err()
        };
        for (header, data, why) in [
            ("{'descr': '<f4', 'fortran_order': True, 'shape': (2,), }", 8, "Fortran order"),
            ("{'descr': '>f4', 'fortran_order': False, 'shape': (2,), }", 8, "dtype `>f4`"),
            ("{'descr': '|O', 'fortran_order': False, 'shape': (2,), }", 8, "dtype `|O`"),
            ("{'descr': '<f4', 'fortran_order': False, 'shape': (3,), }", 8, "8 bytes of data for f32[3]"),
            ("{'descr': '<f4', 'fortran_order': False, 'shape': (4294967296, 4294967296), }", 0, "0 bytes of data"),
            ("{'descr': '<f4', 'fortran_order': False, 'shape': (-3,), }", 8, "expected a size"),
            ("{'descr': '<f4', 'fortran_order': False}", 8, "needs"),
            ("{'descr': '<f4', 'descr': '<f4', 'fortran_order': False, 'shape': ()}", 4, "is there twice"),
            ("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': ()}", 4, "expected"),
            ("{'x': 1}", 8, "unknown key `x`"),
            ("{'descr': '<f4", 8, "without end"),
            ("", 8, "expected `{`"),
        ] {
            let e = with(header, data);
            assert!(e.contains(why), "{header}: {e}");
        }
    }
}
