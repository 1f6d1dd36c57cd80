//! `.npy` files: one array each, as numpy writes them. f32, f64, i32, i64, u8; little-endian, C order; everything else is refused.
//!
//! The header is a Python dict literal. This parser takes exactly the three keys that the format defines, in any order, and no Python
//! beyond them.

use crate::error::{Error, Result};
use crate::host::Tensor;
use meshloom_bundle::DType;
use std::path::Path;

const MAGIC: &[u8] = b"\x93NUMPY";
/// numpy itself refuses longer headers.
const MAX_HEADER: usize = 10_000;

pub fn read(path: &Path) -> Result<Tensor> {
    let bytes = std::fs::read(path).map_err(|e| Error::io(path, "cannot be read", &e))?;
    parse(&bytes).map_err(|m| Error::usage(path.display().to_string(), m))
}

pub fn write(path: &Path, t: &Tensor) -> Result<()> {
    std::fs::write(path, to_bytes(t)).map_err(|e| Error::io(path, "cannot be written", &e))
}

fn code(dtype: DType) -> &'static str {
    match dtype {
        DType::F32 => "<f4",
        DType::F64 => "<f8",
        DType::F16 => "<f2",
        // numpy has no bf16; its bits.
        DType::Bf16 => "<u2",
        DType::I32 => "<i4",
        DType::I64 => "<i8",
        DType::U32 => "<u4",
        DType::U8 => "|u1",
        DType::Bool => "|b1",
    }
}

/// The file's bytes, as numpy would write them.
pub fn to_bytes(t: &Tensor) -> Vec<u8> {
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

/// Parses a file's bytes.
pub fn parse(bytes: &[u8]) -> Result<Tensor, String> {
    let rest = bytes.strip_prefix(MAGIC).ok_or("no .npy file: it does not begin with \\x93NUMPY")?;
    let (len, rest) = match rest {
        [1, 0, a, b, rest @ ..] => (u16::from_le_bytes([*a, *b]) as usize, rest),
        [2 | 3, 0, a, b, c, d, rest @ ..] => (u32::from_le_bytes([*a, *b, *c, *d]) as usize, rest),
        _ => return Err("a .npy version that is not 1, 2 or 3, or a truncated header".into()),
    };
    if len > MAX_HEADER || len > rest.len() {
        return Err(format!("a header of {len} bytes in {} bytes", rest.len()));
    }
    let (header, data) = rest.split_at(len);
    let header = std::str::from_utf8(header).map_err(|_| "a header that is no text")?;
    let (dtype, shape) =
        Header { rest: header }.parse().map_err(|m| format!("header `{}`: {m}", header.trim_end().escape_debug()))?;
    let size = shape.iter().try_fold(dtype.size(), |a, &b| a.checked_mul(b));
    if size != Some(data.len() as u64) {
        return Err(format!("{} bytes of data for {}", data.len(), crate::describe(dtype, &shape)));
    }
    Ok(Tensor { dtype, shape, bytes: data.to_vec() })
}

struct Header<'a> {
    rest: &'a str,
}

impl<'a> Header<'a> {
    fn parse(mut self) -> Result<(DType, Vec<u64>), String> {
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
        let dtype = match descr {
            "<f4" => DType::F32,
            "<f8" => DType::F64,
            "<i4" => DType::I32,
            "<i8" => DType::I64,
            "|u1" | "<u1" => DType::U8,
            other => {
                return Err(format!(
                    "dtype `{}`; f32, f64, i32, i64 and u8 in little-endian are read",
                    other.escape_debug()
                ));
            }
        };
        Ok((dtype, shape))
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
            Tensor::f32(&[2, 3], &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]),
            Tensor::i32(&[4], &[1, -2, 3, -4]),
            Tensor::f64(&[], &[7.5]),
            Tensor::zeros(DType::U8, &[2, 0, 3]),
            Tensor::zeros(DType::I64, &[1, 2]),
        ] {
            let bytes = to_bytes(&t);
            assert_eq!((bytes.len() - t.bytes.len()) % 64, 0);
            assert_eq!(parse(&bytes).unwrap(), t);
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
