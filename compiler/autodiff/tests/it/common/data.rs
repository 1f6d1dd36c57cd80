//! The oracles' files: tensors in .npy and safetensors, losses in JSON.

use meshloom_ir::{DType, Port, Tensor, TensorType};
use safetensors::SafeTensors;
use std::path::PathBuf;

pub fn path(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/oracles").join(name)
}

pub fn expected_losses(workload: &str) -> Vec<f64> {
    let text = std::fs::read_to_string(path(&format!("{workload}/expected.json"))).unwrap();
    let json: serde_json::Value = serde_json::from_str(&text).unwrap();
    json["loss_curve"].as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect()
}

/// A little-endian array of 4-byte elements in C order.
pub fn npy(name: &str, ty: &TensorType) -> Tensor {
    let bytes = std::fs::read(path(name)).unwrap();
    let header = 10 + usize::from(u16::from_le_bytes([bytes[8], bytes[9]]));
    tensor(ty, &bytes[header..])
}

fn tensor(ty: &TensorType, bytes: &[u8]) -> Tensor {
    let words = bytes.chunks_exact(4).map(|c| [c[0], c[1], c[2], c[3]]);
    match ty.dtype {
        DType::I32 => Tensor::ints(ty.dtype, &ty.shape, words.map(|w| i64::from(i32::from_le_bytes(w))).collect()),
        _ => Tensor::floats(ty.dtype, &ty.shape, words.map(|w| f64::from(f32::from_le_bytes(w))).collect()),
    }
}

/// Reads a parameter; a stacked one from the entries `blocks.0.w`, `blocks.1.w`, ...
pub fn parameter(file: &[u8], port: &Port, ty: &TensorType) -> Tensor {
    let tensors = SafeTensors::deserialize(file).unwrap();
    let name = port.name.strip_prefix("grad.").unwrap_or(&port.name);
    let read = |name: &str| tensors.tensor(name).unwrap().data().to_vec();
    let bytes = match name.split_once('*') {
        Some((before, after)) => (0..ty.shape[0]).flat_map(|i| read(&format!("{before}{i}{after}"))).collect(),
        None => read(name),
    };
    tensor(ty, &bytes)
}
