//! Where tensors come from: data sets, arrays in files, formulas and initialisers.
//!
//! ```text
//! text, .jsonl --tokenizer--> Tokens --windows or packing--> rows \
//! .bin, .idx, token arrays ---^                                     Feed: batches by (seed, sample), the same on every mesh
//! .npy, .npz, .safetensors --rows of arrays----------------------- /
//! ```
//!
//! What feeds which input is in [`feed`]; values that stay for a whole run are in [`input`]. docs/data.md is the user's page.

pub mod arrays;
pub mod det;
pub mod element;
pub mod feed;
pub mod init;
mod input;
mod megatron;
pub mod npy;
mod pack;
mod parallel;
pub mod random;
pub mod safetensors;
mod shuffle;
mod text;
pub mod tokenizer;
mod tokenizer_json;
mod tokens;

pub use arrays::names_in;
pub use feed::{Feed, Spec};
pub use input::{Input, InputSource, split_name};
pub use tokenizer::Tokenizer;

use crate::host::{HostTensor, describe};
use meshloom_bundle::DType;

/// The tensor as a port wants it. Dtypes are converted only where every value is kept: f32 to f64, and between integers.
pub fn convert(t: HostTensor, dtype: DType, shape: &[u64]) -> Result<HostTensor, String> {
    if t.shape != shape {
        return Err(format!("expected {}, found {}", describe(dtype, shape), t.describe()));
    }
    if t.dtype == dtype {
        return Ok(t);
    }
    let refuse = || format!("expected {}, found {}", describe(dtype, shape), t.describe());
    if (t.dtype, dtype) == (DType::F32, DType::F64) {
        return t.to_f64().map(|v| HostTensor::f64(shape, &v)).ok_or_else(refuse);
    }
    let values = t.to_i64().ok_or_else(refuse)?;
    let range = dtype.range().filter(|_| dtype.is_int()).ok_or_else(refuse)?;
    if let Some(v) = values.iter().find(|v| !range.contains(v)) {
        return Err(format!("{v} does not fit into {}", dtype.name()));
    }
    let size = dtype.bytes() as usize;
    Ok(HostTensor {
        dtype,
        shape: shape.to_vec(),
        bytes: values.iter().flat_map(|v| v.to_le_bytes().into_iter().take(size)).collect(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conversions_keep_values() {
        let i = HostTensor::i32(&[2], &[5, 300]);
        assert_eq!(convert(i.clone(), DType::I64, &[2]).unwrap().to_i64().unwrap(), [5, 300]);
        assert_eq!(convert(i.clone(), DType::U8, &[2]).unwrap_err(), "300 does not fit into u8");
        assert_eq!(convert(i.clone(), DType::F32, &[2]).unwrap_err(), "expected f32[2], found i32[2]");
        assert_eq!(convert(i, DType::I32, &[3]).unwrap_err(), "expected i32[3], found i32[2]");
        assert_eq!(
            convert(HostTensor::f32(&[1], &[0.1]), DType::F64, &[1]).unwrap().to_f64().unwrap(),
            [f64::from(0.1f32)]
        );
    }
}
