//! Where tensors come from: `.npy` files, text, formulas and initialisers.
//!
//! The syntax of `--input` is `NAME=@x.npy`, `NAME=det:uniform:KEY:SCALE` or `NAME=det:tokens:KEY:VOCAB[:WIDTH[:COLUMN]]`. With a WIDTH
//! the tokens are a matrix of that many columns, of which the input takes its own number from COLUMN on: next-token targets are the
//! inputs' matrix one column further.

pub mod det;
pub mod init;
pub mod npy;
pub mod text;

pub use text::Text;

use crate::error::{Error, Result};
use crate::host::{Tensor, describe};
use meshloom_bundle::DType;
use std::path::PathBuf;

/// `NAME=VALUE` of `--input`, parsed.
#[derive(Clone, Debug, PartialEq)]
pub struct Input {
    pub name: String,
    pub value: Value,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    Npy(PathBuf),
    Uniform { key: String, scale: f32 },
    Tokens { key: String, vocab: u64, width: Option<u64>, column: u64 },
}

impl std::str::FromStr for Input {
    type Err = Error;

    fn from_str(s: &str) -> Result<Input> {
        let fail = |m: &str| Error::usage(format!("--input {s}"), m);
        let (name, value) = s.split_once('=').ok_or_else(|| fail("expected NAME=@file.npy or NAME=det:.."))?;
        if name.is_empty() {
            return Err(fail("expected a name before `=`"));
        }
        let value = if let Some(path) = value.strip_prefix('@') {
            Value::Npy(path.into())
        } else {
            let number = |t: &str| t.parse::<u64>().map_err(|_| fail(&format!("`{t}` is no number")));
            match *value.split(':').collect::<Vec<_>>().as_slice() {
                ["det", "uniform", key, scale] => {
                    let scale = scale.parse().map_err(|_| fail(&format!("`{scale}` is no number")))?;
                    Value::Uniform { key: key.into(), scale }
                }
                ["det", "tokens", key, vocab, ref rest @ ..] if rest.len() <= 2 => {
                    let width = rest.first().map(|w| number(w)).transpose()?;
                    let column = rest.get(1).map_or(Ok(0), |c| number(c))?;
                    Value::Tokens { key: key.into(), vocab: number(vocab)?, width, column }
                }
                _ => {
                    return Err(fail(
                        "expected @file.npy, det:uniform:KEY:SCALE or det:tokens:KEY:VOCAB[:WIDTH[:COLUMN]]",
                    ));
                }
            }
        };
        Ok(Input { name: name.into(), value })
    }
}

impl Value {
    /// The tensor for a port of this dtype and shape. `layer` replaces a `*` in a formula's key.
    pub fn tensor(&self, name: &str, dtype: DType, shape: &[u64], layer: Option<u64>) -> Result<Tensor> {
        let n: u64 = shape.iter().product();
        let key = |k: &str| layer.map_or_else(|| k.to_owned(), |l| k.replace('*', &l.to_string()));
        match self {
            Value::Npy(path) => convert(npy::read(path)?, dtype, shape)
                .map_err(|m| Error::usage(format!("{name}=@{}", path.display()), m)),
            Value::Uniform { key: k, scale } => {
                convert(Tensor::f32(shape, &det::uniform(&key(k), n, *scale)), dtype, shape)
                    .map_err(|m| Error::usage(name, m))
            }
            Value::Tokens { key: k, vocab, width, column } => {
                let columns = shape.last().copied().unwrap_or(1);
                let width = width.unwrap_or(columns);
                if columns == 0
                    || column.checked_add(columns).is_none_or(|c| c > width)
                    || *vocab == 0
                    || *vocab > 1 << 31
                {
                    return Err(Error::usage(
                        name,
                        format!("columns {column}..{column}+{columns} of {width}, vocabulary {vocab}"),
                    ));
                }
                let rows = n / columns;
                let total = rows.checked_mul(width).filter(|&t| t <= 1 << 32);
                let total =
                    total.ok_or_else(|| Error::usage(name, format!("{rows} rows of {width} tokens are too many")))?;
                let all = det::tokens(&key(k), total, *vocab);
                let row = |r: u64| &all[(r * width + column) as usize..][..columns as usize];
                let cut: Vec<i32> = (0..rows).flat_map(row).copied().collect();
                convert(Tensor::i32(shape, &cut), dtype, shape).map_err(|m| Error::usage(name, m))
            }
        }
    }
}

/// The tensor as a port wants it. Dtypes are converted only where every value is kept: f32 to f64, and between integers.
pub fn convert(t: Tensor, dtype: DType, shape: &[u64]) -> Result<Tensor, String> {
    if t.shape != shape {
        return Err(format!("expected {}, found {}", describe(dtype, shape), t.describe()));
    }
    if t.dtype == dtype {
        return Ok(t);
    }
    let refuse = || format!("expected {}, found {}", describe(dtype, shape), t.describe());
    if (t.dtype, dtype) == (DType::F32, DType::F64) {
        return t.to_f64().map(|v| Tensor::f64(shape, &v)).ok_or_else(refuse);
    }
    let values = t.to_i64().ok_or_else(refuse)?;
    let range = match dtype {
        DType::I32 => i64::from(i32::MIN)..=i64::from(i32::MAX),
        DType::I64 => i64::MIN..=i64::MAX,
        DType::U32 => 0..=i64::from(u32::MAX),
        DType::U8 => 0..=255,
        _ => return Err(refuse()),
    };
    if let Some(v) = values.iter().find(|v| !range.contains(v)) {
        return Err(format!("{v} does not fit into {}", dtype.name()));
    }
    let size = dtype.size() as usize;
    Ok(Tensor {
        dtype,
        shape: shape.to_vec(),
        bytes: values.iter().flat_map(|v| v.to_le_bytes().into_iter().take(size)).collect(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn input_syntax() {
        let parse = |s: &str| s.parse::<Input>().map(|i| i.value);
        assert_eq!(parse("x=@a/b.npy").unwrap(), Value::Npy("a/b.npy".into()));
        assert_eq!(parse("x=det:uniform:m/x:0.5").unwrap(), Value::Uniform { key: "m/x".into(), scale: 0.5 });
        let tokens = Value::Tokens { key: "m/t".into(), vocab: 10, width: Some(5), column: 1 };
        assert_eq!(parse("x=det:tokens:m/t:10:5:1").unwrap(), tokens);
        for bad in [
            "x",
            "=@a",
            "x=a.npy",
            "x=det:uniform:k",
            "x=det:uniform:k:abc",
            "x=det:tokens:k:1:2:3:4",
            "x=det:other:k:1",
        ] {
            assert_eq!(parse(bad).unwrap_err().exit_code(), 2, "{bad}");
        }
    }

    /// Inputs and targets of a next-token task are two windows of one matrix.
    #[test]
    fn token_windows() {
        let get = |s: &str, shape: &[u64]| s.parse::<Input>().unwrap().value.tensor("x", DType::I32, shape, None);
        let all = get("x=det:tokens:k:100", &[2, 4]).unwrap().to_i64().unwrap();
        let inputs = get("x=det:tokens:k:100:4", &[2, 3]).unwrap().to_i64().unwrap();
        let targets = get("x=det:tokens:k:100:4:1", &[2, 3]).unwrap().to_i64().unwrap();
        assert_eq!(inputs, [&all[0..3], &all[4..7]].concat());
        assert_eq!(targets, [&all[1..4], &all[5..8]].concat());
        assert!(get("x=det:tokens:k:100:4:2", &[2, 3]).is_err());
    }

    #[test]
    fn conversions_keep_values() {
        let i = Tensor::i32(&[2], &[5, 300]);
        assert_eq!(convert(i.clone(), DType::I64, &[2]).unwrap().to_i64().unwrap(), [5, 300]);
        assert_eq!(convert(i.clone(), DType::U8, &[2]).unwrap_err(), "300 does not fit into u8");
        assert_eq!(convert(i.clone(), DType::F32, &[2]).unwrap_err(), "expected f32[2], found i32[2]");
        assert_eq!(convert(i, DType::I32, &[3]).unwrap_err(), "expected i32[3], found i32[2]");
        assert_eq!(
            convert(Tensor::f32(&[1], &[0.1]), DType::F64, &[1]).unwrap().to_f64().unwrap(),
            [f64::from(0.1f32)]
        );
    }
}
