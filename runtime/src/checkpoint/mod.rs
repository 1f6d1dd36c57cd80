//! Checkpoints: a folder that is complete or absent.
//!
//! ```text
//! DIR/latest                         name of the newest, and a hash of the name
//! DIR/step-000100/model.safetensors  parameters, one tensor per layer: `blocks.0.qkv`
//! DIR/step-000100/state.safetensors  optimizer state, counters
//! DIR/step-000100/manifest.json      step, seed, position in the data, entry, and the hash of each file; written last
//! DIR/step-000100/manifest.sha256    hash of the manifest
//! DIR/.lock                          who saves here, while somebody does
//! ```
//!
//! A file larger than `--shard-size` is cut as Hugging Face cuts it: `model-00001-of-00003.safetensors` .., and
//! `model.safetensors.index.json` says which tensor lies where. Of several processes each may
//! write its own shards (`shards`). Either way any mesh reads the checkpoint of any other. The folder is written under a
//! random name and published by one rename. A tensor that is missing, or has another shape or dtype, is refused by name,
//! before anything is written to a device.
//!
//! [`load_parameters`] reads weights that other programs wrote, and changes their names and dims as a [`Renames`] file
//! says. [`export`] is the way back.

mod adapters;
mod export;
mod load;
mod lock;
mod manifest;
mod pattern;
mod publish;
mod rename;
mod save;
mod shards;
mod weights;
mod write;

pub use export::{Exported, export, export_only};
pub use load::{Loaded, Resumed, has_checkpoint, load, load_parameters, read_parameters, resume};
pub use lock::release_locks;
pub use rename::Renames;
pub use save::{Saved, Saver, Saving, save};
pub(crate) use shards::{PartPlan, plan as shard_plan};

use meshloom_bundle::DType;
use safetensors::Dtype;
use serde::{Deserialize, Serialize};

/// What the files of parameters and of state begin with.
const MODEL: &str = "model";
const STATE: &str = "state";

/// Hugging Face's index of a model in several files.
#[derive(Debug, Serialize, Deserialize)]
struct Index {
    /// Not looked at: files have been seen with sizes that are no whole numbers, and with none.
    #[serde(default)]
    metadata: serde_json::Value,
    /// Tensor to file.
    weight_map: std::collections::BTreeMap<String, String>,
}

fn single(stem: &str) -> String {
    format!("{stem}.safetensors")
}

fn index(stem: &str) -> String {
    format!("{stem}.safetensors.index.json")
}

/// The type of safetensors that an element type is written as. To the runtime, floats of 8 bits are bytes.
pub fn to_safetensors(d: DType) -> Dtype {
    match d {
        DType::F32 => Dtype::F32,
        DType::F64 => Dtype::F64,
        DType::F16 => Dtype::F16,
        DType::BF16 => Dtype::BF16,
        DType::I32 => Dtype::I32,
        DType::I64 => Dtype::I64,
        DType::U32 => Dtype::U32,
        DType::I8 => Dtype::I8,
        DType::U8 | DType::F8E4M3 | DType::F8E5M2 => Dtype::U8,
        DType::Bool => Dtype::BOOL,
    }
}
