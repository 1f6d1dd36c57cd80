//! What launchers share that split a model by a plan of their own: they take degrees, and no module by name.
//!
//! So each module that the plan has otherwise than the usual pairs of column- and row-parallel layers is listed.

use crate::describe::{Description, Sharded};
use crate::lost::{Lost, held, some};
use crate::modules::{Output, Style};
use crate::paths;
use meshloom_report::human::bytes;

/// Modules that a stack splits by its own plan, and this plan otherwise.
pub fn modules(d: &Description<'_>, stack: &str) -> Vec<Lost> {
    let mut out = Vec::new();
    if d.tensor.is_empty() {
        return out;
    }
    let of = |wanted: &dyn Fn(&Style) -> bool| -> Vec<String> {
        d.modules.iter().filter(|m| wanted(&m.style)).map(|m| m.path.clone()).collect()
    };
    let mut list = |names: Vec<String>, how: &str| {
        if names.is_empty() {
            return;
        }
        let n: u64 = d
            .parameters
            .iter()
            .filter(|t| names.contains(&paths::pattern(paths::split(&t.name).0)))
            .map(|t| t.bytes_per_device)
            .sum();
        out.push(Lost::new(
            format!("{how}, where {stack} splits modules by its own plan: {}", some(&names)),
            format!("{} of parameters", held(n)),
        ));
    };
    list(of(&|s| *s == Style::Whole), "modules that are whole");
    list(of(&|s| matches!(s, Style::Column { output: Output::Gathered, .. })), "modules that give whole results");
    list(of(&|s| matches!(s, Style::Row { fed: false, .. })), "modules that take whole inputs");
    list(of(&|s| matches!(s, Style::TableColumns { .. })), "tables that are split by columns");
    if d.tensor.len() > 1 {
        out.push(Lost::new(
            format!("{} are axes of tensors, and {stack} has one", some(&d.tensor)),
            "their product is given".to_string(),
        ));
    }
    out
}

/// Dims that a stack shards, which is dim 0 in all of them, or a flat buffer.
pub fn dims(d: &Description<'_>, stack: &str) -> Vec<Lost> {
    if d.data.sharded != Sharded::Parameters {
        return Vec::new();
    }
    let other: Vec<&&meshloom_report::TensorReport> =
        d.parameters.iter().filter(|t| d.sharded_dim(t).is_some_and(|dim| dim > 0)).collect();
    if other.is_empty() {
        return Vec::new();
    }
    let names: Vec<String> = other.iter().map(|t| t.name.clone()).collect();
    let n: u64 = other.iter().map(|t| t.bytes_per_device).sum();
    vec![Lost::new(
        format!("sharded by other dims than 0, which {stack} does not ask: {}", some(&names)),
        format!("no more bytes; {} lie elsewhere", bytes(n as f64)),
    )]
}

/// Stages, where a stack has none.
pub fn stages(d: &Description<'_>, stack: &str) -> Vec<Lost> {
    let Some(p) = &d.plan.pipeline else { return Vec::new() };
    let most = p.ranks.iter().map(|r| r.parameters).max().unwrap_or(0);
    let all: u64 = p.ranks.iter().map(|r| r.parameters).sum();
    let what = format!("{} stages over {} by {}, which {stack} does not take", p.stages.len(), p.axis, p.schedule);
    vec![Lost::new(what, format!("{all} parameters on a device in the place of at most {most}"))]
}

/// Moments that are sharded over data where parameters are not, which is ZeRO 1, for a stack that has no word for it.
pub fn moments(d: &Description<'_>, stack: &str) -> Vec<Lost> {
    if d.data.sharded != Sharded::State {
        return Vec::new();
    }
    let sharded = |t: &&meshloom_report::TensorReport| t.layout.iter().flatten().any(|a| d.data.over.contains(a));
    let state = d.plan.tensors.iter().filter(|t| t.role == "state");
    let n: u64 = state.filter(sharded).map(|t| t.bytes_per_device).sum();
    let copies = d.product(&d.data.over).saturating_sub(1);
    let what = format!("moments are sharded and parameters are not, which {stack} has no word for");
    vec![Lost::new(what, format!("{} more", held(n.saturating_mul(copies))))]
}

/// Layers that are recomputed, for a stack whose settings do not say so.
pub fn checkpoints(d: &Description<'_>, stack: &str) -> Vec<Lost> {
    let gone = d.plan.stashes.iter().filter(|s| s.recomputed);
    let n: u64 = gone.map(|s| s.bytes_per_device).sum();
    let what = format!("layers are recomputed, which the model's code tells {stack} (gradient_checkpointing_enable())");
    vec![Lost::new(what, format!("{} more without it", held(n)))]
}
