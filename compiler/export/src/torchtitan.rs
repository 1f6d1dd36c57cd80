//! The tables of a torchtitan TOML that say how a model is parallelized.
//!
//! torchtitan splits modules by a plan of its own for each model, which is sequence-parallel and splits vocabulary and loss.

use crate::describe::{Description, Sharded};
use crate::launched;
use crate::lost::Lost;
use crate::settings::{Degrees, quoted, rows, tokens};
use crate::words::Stack;
use crate::words::{Key, SCHEDULES, word};
use std::fmt::Write;

/// A setting in torchtitan's words.
fn set(key: Key, value: impl std::fmt::Display) -> String {
    format!("{} = {value}\n", word(Stack::Torchtitan, key))
}

pub fn write(d: &Description<'_>) -> (String, Vec<Lost>) {
    let n = Degrees::of(d);
    let mut out = String::from("[training]\n");
    let mut lost = Vec::new();
    let micro = d.plan.pipeline.as_ref().map_or(1, |p| p.microbatches.max(1));
    if let Some(rows) = rows(d) {
        let own = rows / (n.replicate * n.shard).max(1);
        out += &(set(Key::LocalBatch, own) + &set(Key::GlobalBatch, rows));
    }
    if let Some(tokens) = tokens(d) {
        out += &set(Key::Seq, tokens);
    }
    let bf16 = crate::settings::precision(d) == "bf16";
    out += &set(Key::Precision, quoted(if bf16 { "bfloat16" } else { "float32" }));
    let sharded = d.data.sharded == Sharded::Parameters;
    let (replicate, shard) = if sharded { (n.replicate, n.shard) } else { (n.replicate * n.shard, 1) };
    out += "\n[parallelism]\n";
    out += &(set(Key::Replicate, replicate) + &set(Key::Shard, shard));
    if sharded {
        out += &set(Key::Reshard, quoted(if d.data.again { "always" } else { "never" }));
    }
    out += &set(Key::Tensor, n.tensor);
    if !d.tensor.is_empty() {
        let _ = writeln!(out, "disable_loss_parallel = {}", !d.split_loss());
    }
    out += &set(Key::Pipe, n.stages);
    if let Some(p) = &d.plan.pipeline {
        match SCHEDULES.iter().find(|s| s.0 == p.schedule) {
            Some((_, name)) => out += &set(Key::Schedule, quoted(name)),
            None => lost.push(Lost::new(
                format!("the schedule {}, of which torchtitan has no name", p.schedule),
                bubble(p.bubble),
            )),
        }
        if let Some(rows) = rows(d) {
            let own = rows / (n.replicate * n.shard).max(1);
            out += &set(Key::PipeMicro, own / micro);
        }
        let most = p.stages.iter().map(|s| s.layers).max().unwrap_or(0);
        if p.stages.iter().any(|s| s.layers != most) {
            let sizes: Vec<String> = p.stages.iter().map(|s| s.layers.to_string()).collect();
            lost.push(Lost::new(
                format!("stages of {} layers, which torchtitan cuts evenly", sizes.join(", ")),
                bubble(p.predicted_bubble),
            ));
        }
        out += &set(Key::LayersPerStage, most.max(1));
        // Else it counts embeddings and head as a layer each, and has more stages than the plan.
        out.push_str("pipeline_parallel_first_stage_less_layers = 0\npipeline_parallel_last_stage_less_layers = 0\n");
    }
    let mode = if d.recomputes_layers { "full" } else { "none" };
    out += "\n[activation_checkpoint]\n";
    out += &set(Key::Recompute, quoted(mode));
    if !d.tensor.is_empty() && d.sequence.is_none() {
        lost.push(Lost::new(
            "what lies between layers is whole over the tensor axis, and torchtitan splits it by the sequence",
            "less memory there, and as many bytes sent".to_string(),
        ));
    }
    lost.extend(launched::moments(d, "torchtitan"));
    lost.extend(launched::modules(d, "torchtitan"));
    lost.extend(launched::dims(d, "torchtitan"));
    (out, lost)
}

/// What a pipeline waits, in words.
fn bubble(share: Option<f64>) -> String {
    share.map_or("the time that ranks wait is unknown".into(), |b| {
        format!("ranks wait {:.1} % of the time as planned", b * 100.0)
    })
}
