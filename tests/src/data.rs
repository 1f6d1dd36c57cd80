//! The oracles' data as tensors: `.npy`, safetensors by Loom path, the expected losses, and the formula that gives the same
//! numbers in any language (`data/oracles/det.py`). What XLA moves per step stands here too, as numbers to beat.

use meshloom_ir::{DType, Port, Tensor, TensorType};
use safetensors::SafeTensors;
use std::path::PathBuf;

/// A file of the oracles.
pub fn path(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("data/oracles").join(name)
}

fn read(name: &str) -> Result<Vec<u8>, String> {
    std::fs::read(path(name)).map_err(|e| format!("oracle {name}: {e}"))
}

/// `expected.json` of a workload.
///
/// # Errors
/// A file that is missing or no JSON.
pub fn expected(workload: &str) -> Result<serde_json::Value, String> {
    let name = format!("{workload}/expected.json");
    serde_json::from_slice(&read(&name)?).map_err(|e| format!("oracle {name}: {e}"))
}

/// The loss at each step, each taken before its update.
///
/// # Errors
/// As [`expected`]; or no `loss_curve` of numbers in it.
pub fn losses(workload: &str) -> Result<Vec<f64>, String> {
    let json = expected(workload)?;
    let curve = json["loss_curve"].as_array().ok_or_else(|| format!("{workload}: no loss_curve"))?;
    let numbers: Option<Vec<f64>> = curve.iter().map(serde_json::Value::as_f64).collect();
    numbers.ok_or_else(|| format!("{workload}: a loss is no number"))
}

/// A little-endian array of f32 or i32 in C order.
///
/// # Errors
/// A file that is no such array.
pub fn npy(name: &str) -> Result<Tensor, String> {
    let bytes = read(name)?;
    let bad = |what: &str| format!("oracle {name}: {what}");
    let header = bytes.strip_prefix(b"\x93NUMPY\x01\x00").ok_or_else(|| bad("not an npy file of version 1"))?;
    let n = header.first_chunk().map(|x| usize::from(u16::from_le_bytes(*x)));
    let n = n.ok_or_else(|| bad("it ends in its header"))?;
    let text = header.get(2..2 + n).ok_or_else(|| bad("it ends in its header"))?;
    let text = std::str::from_utf8(text).map_err(|_| bad("its header is no text"))?;
    if !text.contains("'fortran_order': False") {
        return Err(bad("it is not in C order"));
    }
    let dtype = match text {
        t if t.contains("'<f4'") => DType::F32,
        t if t.contains("'<i4'") => DType::I32,
        _ => return Err(bad("its elements are neither f32 nor i32")),
    };
    let shape = text.split_once("'shape': (").and_then(|x| x.1.split_once(')')).ok_or_else(|| bad("no shape"))?.0;
    let dims = shape.split(',').map(str::trim).filter(|d| !d.is_empty());
    let shape = dims.map(|d| d.parse().map_err(|_| bad("no shape"))).collect::<Result<Vec<u64>, _>>()?;
    words(&TensorType::new(dtype, shape), &header[2 + n..]).ok_or_else(|| bad("its size is not that of its shape"))
}

fn words(ty: &TensorType, bytes: &[u8]) -> Option<Tensor> {
    let words = bytes.as_chunks::<4>().0;
    if bytes.len() as u64 != ty.bytes() || ty.dtype.bytes() != 4 {
        return None;
    }
    Some(if ty.dtype.is_float() {
        Tensor::floats(ty.dtype, &ty.shape, words.iter().map(|w| f64::from(f32::from_le_bytes(*w))).collect())
    } else {
        Tensor::ints(ty.dtype, &ty.shape, words.iter().map(|w| i64::from(i32::from_le_bytes(*w))).collect())
    })
}

/// The tensor of a port in a safetensors file of f32; a stacked one is put together from its entries (`blocks.*.wq` from
/// `blocks.0.wq`, `blocks.1.wq`, ...). Elements are rounded to `dtype`.
///
/// # Errors
/// A file or an entry that is missing or does not fit.
pub fn parameter(file: &str, port: &Port, ty: &TensorType) -> Result<Tensor, String> {
    let bytes = read(file)?;
    let tensors = SafeTensors::deserialize(&bytes).map_err(|e| format!("oracle {file}: {e}"))?;
    let name = port.name.strip_prefix("grad.").unwrap_or(&port.name);
    let names: Vec<String> = match name.split_once('*') {
        Some((a, b)) => (0..ty.shape.first().copied().unwrap_or(0)).map(|i| format!("{a}{i}{b}")).collect(),
        None => vec![name.to_string()],
    };
    let mut all = Vec::new();
    for n in &names {
        let t = tensors.tensor(n).map_err(|e| format!("oracle {file}, `{n}`: {e}"))?;
        all.extend_from_slice(t.data());
    }
    let f32s = TensorType::new(DType::F32, ty.shape.clone());
    let t = words(&f32s, &all).ok_or_else(|| format!("oracle {file}: `{name}` is not {f32s}"))?;
    Ok(Tensor::floats(ty.dtype, &ty.shape, (0..t.len()).map(|i| t.f(i)).collect()))
}

/// Element `i` of the tensor `name`: FNV-1a of the name, then splitmix64.
fn bits(name: &str, i: u64) -> u64 {
    let h = name.bytes().fold(0xcbf2_9ce4_8422_2325u64, |h, b| (h ^ u64::from(b)).wrapping_mul(0x0100_0000_01b3));
    let mut z = h.wrapping_add((i + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// Uniform in `-scale..scale`, computed in f32.
pub fn uniform(name: &str, shape: &[u64], scale: f32) -> Tensor {
    let one = |i| {
        let u = (bits(name, i) >> 40) as f32 * f32::powi(2.0, -24);
        f64::from((2.0 * u - 1.0) * scale)
    };
    Tensor::floats(DType::F32, shape, (0..shape.iter().product()).map(one).collect())
}

/// Integers in `0..vocab`.
pub fn tokens(name: &str, shape: &[u64], vocab: u64) -> Tensor {
    let one = |i| ((bits(name, i) >> 33) % vocab) as i64;
    Tensor::ints(DType::I32, shape, (0..shape.iter().product()).map(one).collect())
}
