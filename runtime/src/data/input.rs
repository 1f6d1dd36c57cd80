//! `--input`: one value for a whole run.
//!
//! The syntax is `NAME=@FILE[:ARRAY]`, `NAME=det:uniform:KEY:SCALE` or `NAME=det:tokens:KEY:VOCAB[:WIDTH[:COLUMN]]`.
//! With a WIDTH, the tokens are a matrix of that many columns, and the input takes as many columns as it has, from
//! COLUMN on. Next-token targets are the inputs' matrix one column further.

use super::arrays::Array;
use super::{convert, det};
use crate::error::{Result, RuntimeError};
use crate::host::HostTensor;
use meshloom_bundle::Port;
use std::path::{Path, PathBuf};

/// `NAME=VALUE` of `--input`, parsed.
#[derive(Clone, Debug, PartialEq)]
pub struct Input {
    pub name: String,
    pub value: InputSource,
}

#[derive(Clone, Debug, PartialEq)]
pub enum InputSource {
    /// A file, and which of its arrays.
    File(PathBuf, Option<String>),
    Uniform {
        key: String,
        scale: f32,
    },
    Tokens {
        key: String,
        vocab: u64,
        width: Option<u64>,
        column: u64,
    },
}

/// `FILE` or `FILE:ARRAY`. Only kinds of files that hold several arrays have a name behind a colon.
pub fn split_name(text: &str) -> (PathBuf, Option<String>) {
    for kind in [".npz:", ".safetensors:"] {
        if let Some(at) = text.find(kind) {
            let (file, name) = text.split_at(at + kind.len());
            return (Path::new(&file[..file.len() - 1]).to_owned(), Some(name.to_owned()));
        }
    }
    (text.into(), None)
}

impl std::str::FromStr for Input {
    type Err = RuntimeError;

    fn from_str(s: &str) -> Result<Input> {
        let fail = |m: &str| RuntimeError::usage(format!("--input {s}"), m);
        let (name, value) = s.split_once('=').ok_or_else(|| fail("expected NAME=@FILE or NAME=det:.."))?;
        if name.is_empty() {
            return Err(fail("expected a name before `=`"));
        }
        let value = if let Some(path) = value.strip_prefix('@') {
            let (file, array) = split_name(path);
            InputSource::File(file, array)
        } else {
            let number = |t: &str| t.parse::<u64>().map_err(|_| fail(&format!("`{t}` is no number")));
            match *value.split(':').collect::<Vec<_>>().as_slice() {
                ["det", "uniform", key, scale] => {
                    let scale = scale.parse().map_err(|_| fail(&format!("`{scale}` is no number")))?;
                    InputSource::Uniform { key: key.into(), scale }
                }
                ["det", "tokens", key, vocab, ref rest @ ..] if rest.len() <= 2 => {
                    let width = rest.first().map(|w| number(w)).transpose()?;
                    let column = rest.get(1).map_or(Ok(0), |c| number(c))?;
                    InputSource::Tokens { key: key.into(), vocab: number(vocab)?, width, column }
                }
                _ => {
                    return Err(fail("expected @FILE, det:uniform:KEY:SCALE or det:tokens:KEY:VOCAB[:WIDTH[:COLUMN]]"));
                }
            }
        };
        Ok(Input { name: name.into(), value })
    }
}

impl InputSource {
    /// Where the value of the tensor `name` is from, for messages: `x=@x.npy`, or the name alone.
    pub fn place(&self, name: &str) -> String {
        match self {
            InputSource::File(path, None) => format!("{name}=@{}", path.display()),
            InputSource::File(path, Some(array)) => format!("{name}=@{}:{array}", path.display()),
            InputSource::Uniform { .. } | InputSource::Tokens { .. } => name.to_owned(),
        }
    }

    /// The tensor for a port, or for a layer of it, of this shape. `layer` replaces a `*` in a formula's key.
    pub fn tensor(&self, name: &str, port: &Port, shape: &[u64], layer: Option<u64>) -> Result<HostTensor> {
        let dtype = port.dtype;
        let n: u64 = shape.iter().product();
        let key = |k: &str| layer.map_or_else(|| k.to_owned(), |l| k.replace('*', &l.to_string()));
        match self {
            InputSource::File(path, array) => {
                let array = Array::open(path, array.as_deref())?;
                array.tensor(port, shape).map_err(|m| RuntimeError::usage(format!("{name}=@{}", array.place), m))
            }
            InputSource::Uniform { key: k, scale } => {
                convert(HostTensor::f32(shape, &det::uniform(&key(k), n, *scale)), dtype, shape)
                    .map_err(|m| RuntimeError::usage(name, m))
            }
            InputSource::Tokens { key: k, vocab, width, column } => {
                let columns = shape.last().copied().unwrap_or(1);
                let width = width.unwrap_or(columns);
                if columns == 0
                    || column.checked_add(columns).is_none_or(|c| c > width)
                    || *vocab == 0
                    || *vocab > 1 << 31
                {
                    return Err(RuntimeError::usage(
                        name,
                        format!("columns {column}..{column}+{columns} of {width}, vocabulary {vocab}"),
                    ));
                }
                let rows = n / columns;
                let total = rows.checked_mul(width).filter(|&t| t <= 1 << 32);
                let total = total
                    .ok_or_else(|| RuntimeError::usage(name, format!("{rows} rows of {width} tokens are too many")))?;
                let all = det::tokens(&key(k), total, *vocab);
                let row = |r: u64| &all[(r * width + column) as usize..][..columns as usize];
                let cut: Vec<i32> = (0..rows).flat_map(row).copied().collect();
                convert(HostTensor::i32(shape, &cut), dtype, shape).map_err(|m| RuntimeError::usage(name, m))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use meshloom_bundle::{DType, Init, Role};

    #[test]
    fn input_syntax() {
        let parse = |s: &str| s.parse::<Input>().map(|i| i.value);
        assert_eq!(parse("x=@a/b.npy").unwrap(), InputSource::File("a/b.npy".into(), None));
        assert_eq!(parse("x=@a.npz:b:c").unwrap(), InputSource::File("a.npz".into(), Some("b:c".into())));
        assert_eq!(parse("x=det:uniform:m/x:0.5").unwrap(), InputSource::Uniform { key: "m/x".into(), scale: 0.5 });
        let tokens = InputSource::Tokens { key: "m/t".into(), vocab: 10, width: Some(5), column: 1 };
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
        let port = Port {
            name: "x".into(),
            role: Role::Input,
            dtype: DType::I32,
            global_shape: vec![2, 4],
            local_shape: vec![2, 4],
            layout: vec![vec![]; 2],
            offset: 0,
            bytes: 32,
            stacked: false,
            first_layer: 0,
            entries: Vec::new(),
            complex: false,
            unsigned: false,
            alias: None,
            init: Init::Zeros,
            range: None,
        };
        let get = |s: &str, shape: &[u64]| s.parse::<Input>().unwrap().value.tensor("x", &port, shape, None);
        let all = get("x=det:tokens:k:100", &[2, 4]).unwrap().to_i64().unwrap();
        let inputs = get("x=det:tokens:k:100:4", &[2, 3]).unwrap().to_i64().unwrap();
        let targets = get("x=det:tokens:k:100:4:1", &[2, 3]).unwrap().to_i64().unwrap();
        assert_eq!(inputs, [&all[0..3], &all[4..7]].concat());
        assert_eq!(targets, [&all[1..4], &all[5..8]].concat());
        assert!(get("x=det:tokens:k:100:4:2", &[2, 3]).is_err());
    }
}
