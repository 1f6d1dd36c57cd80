//! The tables of a torchtitan TOML that say how a model is parallelized.
//!
//! torchtitan splits modules by a plan of its own for each model, which is sequence-parallel and splits vocabulary and loss.

use crate::describe::{Description, Sharded};
use crate::launched;
use crate::lost::Lost;
use crate::settings::{Degrees, quoted, rows, tokens};
use std::fmt::Write;

/// torchtitan's names of schedules, by ours.
const SCHEDULES: &[(&str, &str)] = &[
    ("gpipe", "GPipe"),
    ("1f1b", "1F1B"),
    ("interleaved", "Interleaved1F1B"),
    ("zb-v", "ZBVZeroBubble"),
    ("dualpipe-v", "DualPipeV"),
];

pub fn write(d: &Description<'_>) -> (String, Vec<Lost>) {
    let n = Degrees::of(d);
    let mut out = String::from("[training]\n");
    let mut lost = Vec::new();
    let micro = d.plan.pipeline.as_ref().map_or(1, |p| p.microbatches.max(1));
    if let Some(rows) = rows(d) {
        let own = rows / (n.replicate * n.shard).max(1);
        let _ = writeln!(out, "local_batch_size = {own}\nglobal_batch_size = {rows}");
    }
    if let Some(tokens) = tokens(d) {
        let _ = writeln!(out, "seq_len = {tokens}");
    }
    let bf16 = crate::settings::precision(d) == "bf16";
    let _ = writeln!(out, "mixed_precision_param = {}", quoted(if bf16 { "bfloat16" } else { "float32" }));
    let sharded = d.data.sharded == Sharded::Parameters;
    let (replicate, shard) = if sharded { (n.replicate, n.shard) } else { (n.replicate * n.shard, 1) };
    let _ = writeln!(
        out,
        "\n[parallelism]\ndata_parallel_replicate_degree = {replicate}\ndata_parallel_shard_degree = {shard}"
    );
    if sharded {
        let _ = writeln!(out, "fsdp_reshard_after_forward = {}", quoted(if d.data.again { "always" } else { "never" }));
    }
    let _ = writeln!(out, "tensor_parallel_degree = {}", n.tensor);
    if !d.tensor.is_empty() {
        let _ = writeln!(out, "disable_loss_parallel = {}", !d.split_loss());
    }
    let _ = writeln!(out, "pipeline_parallel_degree = {}", n.stages);
    if let Some(p) = &d.plan.pipeline {
        match SCHEDULES.iter().find(|s| s.0 == p.schedule) {
            Some((_, name)) => _ = writeln!(out, "pipeline_parallel_schedule = {}", quoted(name)),
            None => lost.push(Lost::new(
                format!("the schedule {}, of which torchtitan has no name", p.schedule),
                bubble(p.bubble),
            )),
        }
        if let Some(rows) = rows(d) {
            let own = rows / (n.replicate * n.shard).max(1);
            let _ = writeln!(out, "pipeline_parallel_microbatch_size = {}", own / micro);
        }
        let most = p.stages.iter().map(|s| s.layers).max().unwrap_or(0);
        if p.stages.iter().any(|s| s.layers != most) {
            let sizes: Vec<String> = p.stages.iter().map(|s| s.layers.to_string()).collect();
            lost.push(Lost::new(
                format!("stages of {} layers, which torchtitan cuts evenly", sizes.join(", ")),
                bubble(p.predicted_bubble),
            ));
        }
        let _ = writeln!(out, "pipeline_parallel_layers_per_stage = {}", most.max(1));
        // Else it counts embeddings and head as a layer each, and has more stages than the plan.
        out.push_str("pipeline_parallel_first_stage_less_layers = 0\npipeline_parallel_last_stage_less_layers = 0\n");
    }
    let mode = if d.recomputes_layers { "full" } else { "none" };
    let _ = writeln!(out, "\n[activation_checkpoint]\nmode = {}", quoted(mode));
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
