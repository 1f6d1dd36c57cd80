//! An accelerate config: FSDP2, and degrees of its ParallelismConfig.

use crate::describe::{Description, Sharded};
use crate::launched;
use crate::lost::Lost;
use crate::settings::{Degrees, precision};
use crate::words::Stack;
use crate::words::{Key, word};
use std::fmt::Write;

/// A setting in accelerate's words.
fn set(key: Key, value: impl std::fmt::Display) -> String {
    format!("{}: {value}\n", word(Stack::Accelerate, key))
}

pub fn write(d: &Description<'_>) -> (String, Vec<Lost>) {
    let n = Degrees::of(d);
    let mut lost = Vec::new();
    let sharded = d.data.sharded == Sharded::Parameters;
    let mut out = String::from("compute_environment: LOCAL_MACHINE\n");
    out += &set(Key::Distributed, if sharded { "FSDP" } else { "MULTI_GPU" });
    let mixed = if precision(d) == "fp32" { "'no'" } else { precision(d) };
    out += &(set(Key::Precision, mixed) + &set(Key::Processes, d.plan.mesh.devices));
    if sharded {
        out.push_str("fsdp_config:\n  fsdp_version: 2\n  fsdp_auto_wrap_policy: TRANSFORMER_BASED_WRAP\n");
        let _ = write!(out, "  {}", set(Key::Reshard, d.data.again));
        let _ = write!(out, "  {}", set(Key::Recompute, d.recomputes_layers));
        out.push_str("  fsdp_state_dict_type: SHARDED_STATE_DICT\n");
    } else if d.recomputes_layers {
        lost.extend(launched::checkpoints(d, "accelerate without FSDP"));
    }
    let (replicate, shard) = if sharded { (n.replicate, n.shard) } else { (n.replicate * n.shard, 1) };
    out.push_str("parallelism_config:\n");
    for (key, size) in [(Key::Replicate, replicate), (Key::Shard, shard), (Key::Tensor, n.tensor)] {
        let _ = write!(out, "  {}", set(key, size));
    }
    lost.extend(launched::moments(d, "FSDP2"));
    if d.sequence.is_some() {
        lost.push(Lost::new(
            "what lies between layers is split by the sequence, which the model's own tp_plan says or not",
            "whole activations there".to_string(),
        ));
    }
    lost.extend(launched::stages(d, "accelerate"));
    lost.extend(launched::modules(d, "the model's tp_plan"));
    lost.extend(launched::dims(d, "accelerate"));
    (out, lost)
}
