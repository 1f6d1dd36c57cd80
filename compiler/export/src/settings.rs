//! Small texts that several writers need: quoted strings, and what settings a plan comes to.

use crate::describe::{Description, Sharded, batch};
use meshloom_report::PipelineReport;

/// A string as JSON, TOML and Python all read it.
pub fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            c if (c as u32) < 32 => out.push(' '),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

/// Numbers that all launchers ask for.
pub struct Degrees {
    pub tensor: u64,
    pub stages: u64,
    /// Devices with a copy of all that is sharded, and devices that share one.
    pub replicate: u64,
    pub shard: u64,
}

impl Degrees {
    pub fn of(d: &Description<'_>) -> Degrees {
        let shard = match d.data.sharded {
            Sharded::Nothing => 1,
            Sharded::State | Sharded::Parameters => d.product(&d.data.over),
        };
        Degrees {
            tensor: d.product(&d.tensor),
            stages: d.plan.pipeline.as_ref().map_or(1, |p| d.size(&p.axis)),
            replicate: d.product(&d.data.axes) / shard.max(1),
            shard,
        }
    }
}

/// Stages of each rank, at most.
pub fn virtual_stages(p: &PipelineReport) -> usize {
    p.ranks.iter().map(|r| r.stages.len()).max().unwrap_or(1)
}

/// The element type of 16 bits that the step computes in, if its collectives show one; else f32.
pub fn precision(d: &Description<'_>) -> &'static str {
    let sends = |dtype: &str| d.plan.collectives.iter().any(|c| c.dtype == dtype);
    if sends("bf16") {
        "bf16"
    } else if sends("f16") {
        "fp16"
    } else {
        "fp32"
    }
}

/// Rows of the batch of the whole step: dim 0 of its first input.
pub fn rows(d: &Description<'_>) -> Option<u64> {
    batch(d.plan).next()?.shape.first().copied()
}

/// Tokens of a row, where the inputs have them.
pub fn tokens(d: &Description<'_>) -> Option<u64> {
    batch(d.plan).filter(|t| t.shape.len() == 2 && t.dtype.starts_with('i')).find_map(|t| t.shape.get(1).copied())
}
