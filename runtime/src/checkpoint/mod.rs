//! Checkpoints: a folder that is complete or absent.
//!
//! ```text
//! DIR/latest                         name of the newest, one line
//! DIR/step-000100/model.safetensors  parameters, one tensor per layer: `blocks.0.qkv`
//! DIR/step-000100/state.safetensors  optimizer state, counters
//! DIR/step-000100/manifest.json      step, seed, entry, and the hash of each file; written last
//! ```
//!
//! Tensors are global, so a checkpoint of one mesh is read on any other. The folder is written under another name and published by one
//! rename. A tensor that is missing, or of another shape or dtype, is refused by name, before anything is written to a device.

mod load;
mod save;

pub use load::{load_parameters, resume};
pub use save::save;

use meshloom_bundle::DType;
use safetensors::Dtype;
use serde::{Deserialize, Serialize};

const MODEL: &str = "model.safetensors";
const STATE: &str = "state.safetensors";
const MANIFEST: &str = "manifest.json";
const LATEST: &str = "latest";
const FORMAT: u32 = 1;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Manifest {
    format: u32,
    meshloom: String,
    entry: String,
    /// Steps done. With the seed this is also the position in the data.
    step: u64,
    seed: u64,
    /// Hash of the bundle that wrote it, for whoever wants to know; another bundle of the same model may read it.
    bundle: String,
    files: Vec<File>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    name: String,
    bytes: u64,
    sha256: String,
}

fn to_safetensors(d: DType) -> Dtype {
    match d {
        DType::F32 => Dtype::F32,
        DType::F64 => Dtype::F64,
        DType::F16 => Dtype::F16,
        DType::Bf16 => Dtype::BF16,
        DType::I32 => Dtype::I32,
        DType::I64 => Dtype::I64,
        DType::U32 => Dtype::U32,
        DType::U8 => Dtype::U8,
        DType::Bool => Dtype::BOOL,
    }
}

fn from_safetensors(d: Dtype) -> Option<DType> {
    Some(match d {
        Dtype::F32 => DType::F32,
        Dtype::F64 => DType::F64,
        Dtype::F16 => DType::F16,
        Dtype::BF16 => DType::Bf16,
        Dtype::I32 => DType::I32,
        Dtype::I64 => DType::I64,
        Dtype::U32 => DType::U32,
        Dtype::U8 => DType::U8,
        Dtype::BOOL => DType::Bool,
        _ => return None,
    })
}
