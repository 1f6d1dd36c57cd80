//! Flags of Megatron-LM's scripts. Megatron-Core splits modules by the classes that a model is built of.

use crate::describe::{Description, Sharded};
use crate::launched;
use crate::lost::{Lost, held};
use crate::settings::{Degrees, precision, rows, tokens};
use crate::words::Stack;
use crate::words::{Key, word};
use meshloom_report::PipelineReport;

/// A flag of Megatron's with its value.
fn flag(key: Key, value: impl std::fmt::Display) -> String {
    format!("{} {value}", word(Stack::Megatron, key)).trim_end().to_owned()
}

pub fn write(d: &Description<'_>) -> (String, Vec<Lost>) {
    let n = Degrees::of(d);
    let mut flags: Vec<String> = vec![flag(Key::Tensor, n.tensor), flag(Key::Pipe, n.stages)];
    let mut lost = Vec::new();
    let micro = d.plan.pipeline.as_ref().map_or(1, |p| p.microbatches.max(1));
    if let Some(p) = &d.plan.pipeline {
        stages(p, &mut flags, &mut lost);
    }
    if d.sequence.is_some() {
        flags.push(flag(Key::Sequence, ""));
    }
    match d.data.sharded {
        Sharded::Nothing => {}
        Sharded::State => flags.push(flag(Key::Optimizer, "")),
        Sharded::Parameters => {
            flags.push(flag(Key::Optimizer, ""));
            flags.push(flag(Key::FullShard, ""));
            flags.push(flag(Key::Strategy, "optim_grads_params"));
            flags.push("--ckpt-format fsdp_dtensor".into());
            if !d.data.again {
                let kept: u64 = d.parameters.iter().map(|t| t.bytes_per_device).sum();
                lost.push(Lost::new(
                    "gathered parameters are kept for the backward pass, and Megatron's FSDP gathers them again",
                    format!("{} gathered once more", held(kept.saturating_mul(n.shard.saturating_sub(1)))),
                ));
            }
        }
    }
    if n.replicate > 1 && n.shard > 1 {
        flags.push(flag(Key::Replicate, n.replicate));
    }
    if let Some(rows) = rows(d) {
        let own = rows / (n.replicate * n.shard).max(1) / micro;
        flags.push(flag(Key::MicroBatch, own.max(1)));
        flags.push(flag(Key::GlobalBatch, rows));
    }
    if let Some(tokens) = tokens(d) {
        flags.push(flag(Key::Seq, tokens));
    }
    if d.recomputes_layers {
        flags.extend(
            ["--recompute-granularity full", "--recompute-method uniform", "--recompute-num-layers 1"]
                .map(String::from),
        );
    }
    if precision(d) != "fp32" {
        flags.push(format!("--{}", precision(d)));
    }
    if !d.tensor.is_empty() && !d.split_loss() {
        lost.push(Lost::new(
            "the loss is computed of whole logits, and Megatron computes it of split ones",
            "fewer bytes are sent there than planned".to_string(),
        ));
    }
    lost.extend(launched::modules(d, "Megatron"));
    lost.extend(launched::dims(d, "Megatron"));
    (flags.join(" \\\n") + "\n", lost)
}

/// Layers of each stage, and the schedule, as far as flags say them.
fn stages(p: &PipelineReport, flags: &mut Vec<String>, lost: &mut Vec<Lost>) {
    let of_rank = crate::settings::virtual_stages(p);
    if of_rank > 1 {
        flags.push(flag(Key::Virtual, of_rank));
    }
    let sizes: Vec<u64> = p.stages.iter().map(|s| s.layers).collect();
    let (first, last) = (sizes.first().copied().unwrap_or(0), sizes.last().copied().unwrap_or(0));
    let inner = sizes.get(1..sizes.len().saturating_sub(1)).unwrap_or_default();
    if sizes.iter().any(|s| *s != first) {
        if inner.windows(2).all(|w| w[0] == w[1]) && of_rank == 1 {
            flags.push(format!("--decoder-first-pipeline-num-layers {first}"));
            flags.push(format!("--decoder-last-pipeline-num-layers {last}"));
        } else {
            lost.push(Lost::new(
                format!("stages of {sizes:?} layers, of which Megatron sets the first and the last"),
                "the others are as long as each other".to_string(),
            ));
        }
    }
    if !["1f1b", "interleaved"].contains(&p.schedule.as_str()) {
        let cost = p.bubble.map_or("the time that ranks wait is unknown".into(), |b| {
            format!("ranks wait {:.1} % of the time as planned", b * 100.0)
        });
        lost.push(Lost::new(
            format!("the schedule {}, where Megatron has 1F1B and interleaved 1F1B", p.schedule),
            cost,
        ));
    }
}
