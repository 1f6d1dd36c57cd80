//! A ds_config.json: ZeRO's stage, batch sizes, precision, and AutoTP's degree.

use crate::describe::{Description, Sharded};
use crate::launched;
use crate::lost::{Lost, held};
use crate::settings::{Degrees, precision, rows};
use crate::words::Stack;
use crate::words::{Key, word};

/// A key of DeepSpeed's with its value.
fn set(key: Key, value: impl std::fmt::Display) -> String {
    format!("\"{}\": {value}", word(Stack::Deepspeed, key))
}

pub fn write(d: &Description<'_>) -> (String, Vec<Lost>) {
    let n = Degrees::of(d);
    let mut lost = Vec::new();
    let mut keys: Vec<String> = Vec::new();
    if let Some(rows) = rows(d) {
        let own = rows / (n.replicate * n.shard).max(1);
        keys.push(set(Key::GlobalBatch, rows));
        keys.push(set(Key::MicroBatch, own.max(1)));
        keys.push(set(Key::Accumulate, 1));
    }
    if precision(d) != "fp32" {
        keys.push(format!("\"{}\": {{ \"enabled\": true }}", precision(d)));
    }
    let stage = match d.data.sharded {
        Sharded::Nothing => 0,
        Sharded::State => 1,
        Sharded::Parameters => 3,
    };
    let mut zero = vec![set(Key::Stage, stage)];
    if stage == 3 && n.replicate > 1 {
        zero.push(set(Key::Shard, n.shard));
    } else if stage == 1 && n.replicate > 1 {
        let state: u64 = d.plan.tensors.iter().filter(|t| t.role == "state").map(|t| t.bytes_per_device).sum();
        lost.push(Lost::new(
            format!(
                "moments are sharded over {} of {} devices, and ZeRO 1 shards over all",
                n.shard,
                n.shard * n.replicate
            ),
            format!("{} or less", held(state)),
        ));
    }
    if stage == 3 && !d.data.again {
        let kept: u64 = d.parameters.iter().map(|t| t.bytes_per_device).sum();
        // ZeRO 3 lets go of a parameter unless so many live at once.
        let whole: u64 = d.parameters.iter().map(|t| t.shape.iter().product::<u64>()).sum();
        zero.push(format!("\"stage3_max_live_parameters\": {whole}"));
        zero.push(format!("\"stage3_max_reuse_distance\": {whole}"));
        lost.push(Lost::new(
            "gathered parameters are kept for the backward pass: the limits of ZeRO 3 allow it and do not promise it",
            format!("{} gathered once more where it does not", held(kept.saturating_mul(n.shard.saturating_sub(1)))),
        ));
    }
    keys.push(format!("\"zero_optimization\": {{ {} }}", zero.join(", ")));
    if n.tensor > 1 {
        keys.push(format!("\"tensor_parallel\": {{ {} }}", set(Key::Tensor, n.tensor)));
    }
    if d.recomputes_layers {
        lost.extend(launched::checkpoints(d, "DeepSpeed"));
    }
    if d.sequence.is_some() {
        lost.push(Lost::new(
            "what lies between layers is split by the sequence, which AutoTP does not do",
            "whole activations there".to_string(),
        ));
    }
    lost.extend(launched::stages(d, "DeepSpeed without its PipelineModule"));
    lost.extend(launched::modules(d, "AutoTP"));
    lost.extend(launched::dims(d, "DeepSpeed"));
    let keys: Vec<String> = keys.iter().map(|k| format!("  {k}")).collect();
    (format!("{{\n{}\n}}\n", keys.join(",\n")), lost)
}
