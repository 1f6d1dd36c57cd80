//! Tensor types and the literals of constants.

use crate::lexer::{Lexeme, Token};
use crate::small_float::SmallFloat;
use crate::tree::Tree;
use meshloom_ir::types::{Literal, Scalar};
use meshloom_ir::verify::{MAX_ELEMENTS, MAX_RANK};
use meshloom_ir::{DType, TensorType};

/// Elements of one constant; a module that holds more has weights in it, and weights are inputs.
const MOST: u64 = 1 << 24;

/// `tensor<4x8xf32>`; of complex numbers, the type of real and imaginary parts ([`is_complex`] tells them apart); of a token, what
/// stands for it.
///
/// # Errors
/// A sentence: dynamic dims, and element types that have no counterpart.
pub fn tensor(text: &str) -> Result<TensorType, String> {
    if is_token(text) {
        return Ok(TensorType::scalar(DType::Bool));
    }
    let inner = text
        .strip_prefix("tensor<")
        .and_then(|t| t.strip_suffix('>'))
        .ok_or_else(|| format!("the type `{text}` is not supported"))?;
    let mut shape = Vec::new();
    let mut rest = inner;
    while let Some((size, after)) = rest.split_once('x') {
        if size == "?" {
            return Err(format!(
                "`{text}` has a dynamic dim; shapes must be known\n{}",
                "lower with arguments of fixed shapes"
            ));
        }
        let Ok(n) = size.parse::<u64>() else { break };
        shape.push(n);
        rest = after;
    }
    if rest.contains(',') && !rest.starts_with('!') {
        return Err(format!("`{text}` has an encoding, which is not supported"));
    }
    let ty = TensorType::new(dtype(part(rest).unwrap_or(rest))?, shape);
    if ty.rank() > MAX_RANK {
        let rank = ty.rank();
        return Err(format!(
            "`{text}` has {rank} dims, and a tensor at most {MAX_RANK}\n{}",
            "make one of neighbouring dims, or leave out those of size 1: `x.reshape(..)` before this line"
        ));
    }
    if ty.elements() > MAX_ELEMENTS || ty.shape.iter().any(|&n| n > MAX_ELEMENTS) {
        return Err(format!(
            "`{text}` is larger than any tensor may be, which is {MAX_ELEMENTS} elements\n{}",
            "go over parts of it in a `lax.scan` or `lax.map`"
        ));
    }
    Ok(ty)
}

/// Whether values of a type put effects in order, and are nothing else.
pub fn is_token(text: &str) -> bool {
    matches!(text, "!stablehlo.token" | "!mhlo.token")
}

/// The type of the parts of complex numbers: `f32` of `complex<f32>`.
fn part(element: &str) -> Option<&str> {
    element.strip_prefix("complex<")?.strip_suffix('>').filter(|&part| matches!(part, "f32" | "f64"))
}

/// Whether a tensor's elements are complex.
pub fn is_complex(tensor: &str) -> bool {
    part(element(tensor)).is_some()
}

fn dtype(text: &str) -> Result<DType, String> {
    Ok(match text {
        "f32" => DType::F32,
        "f64" => DType::F64,
        "bf16" => DType::BF16,
        "f16" => DType::F16,
        "f8E4M3FN" => DType::F8E4M3,
        "f8E5M2" => DType::F8E5M2,
        "i32" | "si32" => DType::I32,
        "i64" | "si64" => DType::I64,
        "i8" | "si8" => DType::I8,
        "ui8" => DType::U8,
        "ui32" => DType::U32,
        "i1" => DType::Bool,
        // Held in wider ones: see `import/numbers.rs`.
        "ui64" => DType::I64,
        _ if narrow(text).is_some() => DType::I32,
        _ if SmallFloat::of(text).is_some() => DType::BF16,
        _ if text.starts_with("complex") => {
            return Err(format!(
                "complex numbers of `{text}` are not supported\ncompute in complex<f32> or complex<f64>"
            ));
        }
        _ if text.starts_with('!') => {
            return Err(format!(
                "quantised types (`{text}`) are not supported\nread the integers and their scales as two tensors"
            ));
        }
        _ => {
            let known = "convert to one of f64, f32, bf16, f16, f8E4M3FN, f8E5M2, f8E8M0FNU, f4E2M1FN, i64, i32, i8, ui32, ui8, i1";
            return Err(format!("element type `{text}` is not supported\n{known}"));
        }
    })
}

/// An integer type that the IR represents by a wider one: its bits, and whether it has a sign.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Narrow {
    pub bits: u32,
    pub signed: bool,
}

/// `i16` of `tensor<4xi16>`.
pub fn element(tensor: &str) -> &str {
    let inner = tensor.strip_prefix("tensor<").and_then(|t| t.strip_suffix('>')).unwrap_or(tensor);
    let shape = inner.find("complex<").unwrap_or(inner.len());
    match inner[..shape].rfind('x') {
        Some(at) => &inner[at + 1..],
        None => inner,
    }
}

/// Where the type is one of 2, 4 and 16 bits, which the IR lacks.
pub fn narrow(element: &str) -> Option<Narrow> {
    let (signed, bits) = match element.strip_prefix("ui") {
        Some(bits) => (false, bits),
        None => (true, element.strip_prefix("si").or(element.strip_prefix('i'))?),
    };
    let bits = bits.parse().ok()?;
    matches!(bits, 2 | 4 | 16).then_some(Narrow { bits, signed })
}

/// What stands in `dense<..>`: one element for all, nested lists, or the bytes of all in hexadecimal, as MLIR prints them.
///
/// # Errors
/// A sentence.
///
/// `element` is the type of an element as it is written. It says whether a wider type represents it.
pub fn dense(trees: &[Tree<'_>], ty: &TensorType, element: &str) -> Result<Literal, String> {
    if ty.elements() > MOST {
        return Err(format!("a constant of {} elements; at most {MOST} are read", ty.elements()));
    }
    if let [t] = trees
        && let Some(text) = t.leaf(Token::Str)
    {
        return bytes(text.trim_matches('"'), ty, element);
    }
    let mut leaves = Vec::new();
    flat(trees, &mut leaves)?;
    let all: Vec<Scalar> =
        leaves.iter().map(|l| scalar(l, ty.dtype, SmallFloat::of(element))).collect::<Result<_, _>>()?;
    let splat = trees.len() == 1 && trees[0].group(b'[').is_none();
    match all[..] {
        [x] if splat => Ok(Literal::Splat(x)),
        _ if all.len() as u64 == ty.elements() => Ok(Literal::Dense(all)),
        _ => Err(format!("{} elements for a tensor of {}", all.len(), ty.elements())),
    }
}

/// A constant of complex numbers, whose parts are of type `ty`: real parts and imaginary parts.
///
/// # Errors
/// A sentence.
pub fn complex(trees: &[Tree<'_>], ty: &TensorType) -> Result<[Literal; 2], String> {
    let one = trees.len() == 1 && trees[0].group(b'(').is_some();
    match trees {
        [t] if t.leaf(Token::Str).is_some() => {
            complex_bytes(t.leaf(Token::Str).unwrap_or_default().trim_matches('"'), ty)
        }
        _ => Ok(apart(dense(trees, &pairs(ty, one), "")?)),
    }
}

/// As [`complex`], of little-endian bytes in hexadecimal.
///
/// # Errors
/// A sentence.
pub fn complex_bytes(text: &str, ty: &TensorType) -> Result<[Literal; 2], String> {
    let one = text.len() as u64 == 2 + 4 * ty.dtype.bytes();
    Ok(apart(bytes(text, &pairs(ty, one), "")?))
}

/// The type of numbers with their parts side by side; or of `one` number for all.
fn pairs(ty: &TensorType, one: bool) -> TensorType {
    let mut shape = if one { Vec::new() } else { ty.shape.clone() };
    shape.push(2);
    TensorType::new(ty.dtype, shape)
}

fn apart(both: Literal) -> [Literal; 2] {
    [0, 1].map(|part| match &both {
        Literal::Splat(x) => Literal::Splat(*x),
        Literal::Dense(all) if all.len() == 2 => Literal::Splat(all[part]),
        Literal::Dense(all) => Literal::Dense(all.iter().skip(part).step_by(2).copied().collect()),
    })
}

fn flat<'t, 's>(trees: &'t [Tree<'s>], out: &mut Vec<&'t Lexeme<'s>>) -> Result<(), String> {
    for t in trees {
        match t {
            Tree::Group(g) if g.open == b'[' => flat(&g.trees, out)?,
            // A complex number, `(1.0, 0.0)`.
            Tree::Group(g) if g.open == b'(' => flat(&g.trees, out)?,
            Tree::Group(_) => return Err("a bracket that does not belong into a constant".to_string()),
            Tree::Leaf(l) if l.token == Token::Comma => {}
            Tree::Leaf(l) => out.push(l),
        }
    }
    Ok(())
}

fn scalar(l: &Lexeme<'_>, dtype: DType, small: Option<SmallFloat>) -> Result<Scalar, String> {
    let bad = || format!("`{}` is no element of a tensor of {dtype}", l.text);
    match (l.token, l.text) {
        (Token::Word, "true" | "false") if dtype == DType::Bool => Ok(Scalar::Int(i64::from(l.text == "true"))),
        (Token::Hex, hex) => {
            let bits = u64::from_str_radix(&hex[2..], 16).map_err(|_| bad())?;
            Ok(small.map_or_else(|| from_bits(bits, dtype), |s| Scalar::float(s.number(bits))))
        }
        (Token::Int | Token::Float, text) if dtype.is_float() => {
            let x = text.parse::<f64>().map_err(|_| bad())?;
            Ok(small.map_or_else(|| Scalar::of(dtype, x), |s| Scalar::float(s.nearest(x))))
        }
        (Token::Int, text) => {
            // The upper half of `ui64` is represented by negative numbers.
            let number = text.parse::<i64>().or_else(|_| text.parse::<u64>().map(|n| n as i64));
            Ok(Scalar::Int(number.map_err(|_| bad())?))
        }
        _ => Err(bad()),
    }
}

/// The element whose bits these are.
fn from_bits(bits: u64, dtype: DType) -> Scalar {
    let small = |exponent: u32, mantissa: u32| {
        let sign = if bits >> (exponent + mantissa) & 1 == 1 { -1.0 } else { 1.0 };
        let e = bits >> mantissa & ((1 << exponent) - 1);
        let m = (bits & ((1 << mantissa) - 1)) as f64 / f64::from(1u32 << mantissa);
        let bias = (1 << (exponent - 1)) - 1;
        let full = (1 << exponent) - 1;
        // e4m3fn has no infinities, and one NaN.
        let value = match e {
            _ if e == full && exponent == 4 && m < 0.875 => (1.0 + m) * 2f64.powi(e as i32 - bias),
            _ if e == full && exponent != 4 && m == 0.0 => f64::INFINITY,
            _ if e == full => f64::NAN,
            0 => m * 2f64.powi(1 - bias),
            _ => (1.0 + m) * 2f64.powi(e as i32 - bias),
        };
        Scalar::float(sign * value)
    };
    match dtype {
        DType::F64 => Scalar::float(f64::from_bits(bits)),
        DType::F32 => Scalar::float(f64::from(f32::from_bits(bits as u32))),
        DType::BF16 => Scalar::float(f64::from(f32::from_bits((bits as u32) << 16))),
        DType::F16 => small(5, 10),
        DType::F8E4M3 => small(4, 3),
        DType::F8E5M2 => small(5, 2),
        DType::I32 => Scalar::Int(i64::from(bits as i32)),
        DType::I8 => Scalar::Int(i64::from(bits as i8)),
        DType::I64 | DType::U8 | DType::U32 => Scalar::Int(bits as i64),
        DType::Bool => Scalar::Int(i64::from(bits != 0)),
    }
}

/// Little-endian bytes of all elements, or of one for all.
///
/// # Errors
/// A sentence.
pub fn bytes(text: &str, ty: &TensorType, element: &str) -> Result<Literal, String> {
    let hex = text.strip_prefix("0x").ok_or("a constant in quotes is hexadecimal, `\"0x..\"`")?;
    let digit = |c: u8| (c as char).to_digit(16).ok_or_else(|| format!("`{}` is no hexadecimal digit", c as char));
    let raw = hex.as_bytes();
    if raw.len() % 2 != 0 {
        return Err("an odd number of hexadecimal digits".to_string());
    }
    let raw: Vec<u8> =
        raw.chunks_exact(2).map(|p| Ok((digit(p[0])? * 16 + digit(p[1])?) as u8)).collect::<Result<_, String>>()?;
    let n = ty.elements();
    if ty.dtype == DType::Bool {
        let bit = |i: u64| Scalar::Int(i64::from(raw[(i / 8) as usize] >> (i % 8) & 1));
        return match raw[..] {
            [0] | [0xff] => Ok(Literal::Splat(bit(0))),
            _ if raw.len() as u64 == n.div_ceil(8) => Ok(Literal::Dense((0..n).map(bit).collect())),
            // A byte for each, as older printers write them.
            _ if raw.len() as u64 == n && raw.iter().all(|&b| b <= 1) => {
                Ok(Literal::Dense(raw.iter().map(|&b| Scalar::Int(b.into())).collect()))
            }
            _ => Err(format!("{} bytes for {n} bits", raw.len())),
        };
    }
    // Less than a byte is stored as one.
    let (narrow, small) = (narrow(element), SmallFloat::of(element));
    let held = narrow.map(|n| n.bits).or(small.map(SmallFloat::bits));
    let size = held.map_or(ty.dtype.bytes(), |bits| u64::from(bits.div_ceil(8))) as usize;
    let element = |c: &[u8]| {
        let bits = c.iter().rev().fold(0u64, |b, &x| b << 8 | u64::from(x));
        match (narrow, small) {
            (_, Some(small)) => Scalar::float(small.number(bits)),
            (Some(n), _) if n.signed => Scalar::Int((bits << (64 - n.bits)) as i64 >> (64 - n.bits)),
            _ => from_bits(bits, ty.dtype),
        }
    };
    if raw.len() as u64 == n * size as u64 {
        return Ok(Literal::Dense(raw.chunks_exact(size).map(element).collect()));
    }
    if raw.len() == size {
        return Ok(Literal::Splat(element(&raw)));
    }
    Err(format!("{} bytes for {n} elements of {size}", raw.len()))
}
