//! What could be changed in a launch file, each change as the lines to write and the launch that they make.
//!
//! These are the changes that people try first: what is recomputed, how the batch is cut into microbatches, degrees of parallelism by twos,
//! stages of a rank, copies of nodes, and the precision. Whether one helps is for a plan to say; here stands which ones can be.
//!
//! Not here: planning them (the command line).

use super::launch::{Checkpoint, LaunchFile, Precision, Zero, places};
use crate::words::Stack;
use crate::words::{Key, word};

/// A change of a launch.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LaunchChange {
    /// What it is, in a few words.
    pub about: String,
    /// Lines to write: the line that stands there now, if any, and its new text.
    pub lines: Vec<(Option<usize>, String)>,
    pub launch: LaunchFile,
}

/// Devices of a node, as clusters of GPUs have them.
const NODE: u64 = 8;

/// The changes that can be made to a launch, in a fixed order.
pub fn changes(l: &LaunchFile) -> Vec<LaunchChange> {
    let mut out = Vec::new();
    checkpoints(l, &mut out);
    rows(l, &mut out);
    degrees(l, &mut out);
    stages(l, &mut out);
    sharding(l, &mut out);
    if l.precision != Precision::Fp8
        && l.precision != Precision::Fp32
        && matches!(l.stack, Stack::Torchtitan | Stack::Megatron)
    {
        let text = match l.stack {
            Stack::Torchtitan => set(l, Key::Fp8, "[\"float8\"]"),
            _ => set(l, Key::Fp8, "hybrid"),
        };
        out.push(LaunchChange {
            about: "matmuls in 8 bits".into(),
            lines: vec![text],
            launch: LaunchFile { precision: Precision::Fp8, ..l.clone() },
        });
    }
    out.retain(|c| c.launch != *l && possible(&c.launch));
    out
}

/// A setting with a new value, in the words of the stack, and the line where it stands now.
fn set(l: &LaunchFile, key: Key, value: impl std::fmt::Display) -> (Option<usize>, String) {
    let name = word(l.stack, key);
    let text = match l.stack {
        Stack::Torchtitan => match value.to_string() {
            v if v.starts_with('[') || v.parse::<f64>().is_ok() || v == "true" || v == "false" => {
                format!("{name} = {v}")
            }
            v => format!("{name} = \"{v}\""),
        },
        Stack::Megatron => format!("{name} {value}").trim_end().to_owned(),
        Stack::Deepspeed => format!("\"{name}\": {value}"),
        _ => format!("{name}: {value}"),
    };
    (l.lines.get(&key).copied(), text)
}

/// Whether a stack has a word for it.
fn says(l: &LaunchFile, key: Key) -> bool {
    !word(l.stack, key).is_empty()
}

fn checkpoints(l: &LaunchFile, out: &mut Vec<LaunchChange>) {
    let mut to = |checkpoint: Checkpoint, value: &str, about: &str| {
        let value = if l.stack == Stack::Accelerate { if value == "full" { "true" } else { "false" } } else { value };
        let mut lines = vec![match (l.stack, value) {
            (Stack::Megatron, "none") => {
                (l.lines.get(&Key::Recompute).copied(), "(no --recompute-granularity)".to_owned())
            }
            _ => set(l, Key::Recompute, value),
        }];
        if l.stack == Stack::Megatron && value == "full" {
            lines.extend([(None, "--recompute-method uniform".into()), (None, "--recompute-num-layers 1".into())]);
        }
        out.push(LaunchChange { about: about.into(), lines, launch: LaunchFile { checkpoint, ..l.clone() } });
    };
    if !says(l, Key::Recompute) {
        return;
    }
    to(Checkpoint::Full, "full", "all of a layer recomputed");
    if l.stack == Stack::Torchtitan {
        to(Checkpoint::Part(50), "selective", "every second matmul of a layer recomputed");
    }
    to(Checkpoint::None, "none", "nothing recomputed");
}

fn rows(l: &LaunchFile, out: &mut Vec<LaunchChange>) {
    // The batch of a step stays, so what is learnt stays too.
    let key = match l.stack {
        Stack::Torchtitan if l.pipe > 1 => Key::PipeMicro,
        Stack::Torchtitan => Key::LocalBatch,
        _ => Key::MicroBatch,
    };
    if !says(l, key) {
        return;
    }
    for micro in [l.micro * 2, l.micro / 2] {
        let mut lines = vec![set(l, key, micro)];
        if key == Key::LocalBatch {
            lines.push(set(l, Key::GlobalBatch, l.batch));
        }
        let about =
            format!("{micro} row{} of a microbatch, the step's batch as it is", if micro == 1 { "" } else { "s" });
        out.push(LaunchChange { about, lines, launch: LaunchFile { micro, ..l.clone() } });
    }
}

fn degrees(l: &LaunchFile, out: &mut Vec<LaunchChange>) {
    // More or fewer devices for tensors, stages or context, and as many fewer or more for the batch.
    for (key, what, now) in
        [(Key::Tensor, "tensor", l.tensor), (Key::Pipe, "pipeline", l.pipe), (Key::Context, "context", l.context)]
    {
        if !says(l, key) {
            continue;
        }
        for to in [now / 2, now * 2] {
            if to == 0 || to == now || (key == Key::Tensor && to > NODE) {
                continue;
            }
            let mut launch = l.clone();
            match key {
                Key::Tensor => launch.tensor = to,
                Key::Pipe => launch.pipe = to,
                _ => launch.context = to,
            }
            let of = launch.tensor * launch.pipe * launch.context;
            if !l.devices.is_multiple_of(of) {
                continue;
            }
            let data = l.devices / of;
            // Copies stay as many; what is in parts is in more or fewer.
            (launch.replicate, launch.shard) = match l.zero {
                Zero::Nothing => (data, 1),
                _ => (l.replicate.min(data), data / l.replicate.min(data).max(1)),
            };
            launch.sequence =
                launch.tensor > 1 && (l.sequence || l.stack != Stack::Deepspeed && l.stack != Stack::Accelerate);
            if launch.pipe == 1 {
                (launch.schedule, launch.each) = ("1f1b", 1);
            }
            let mut lines = vec![set(l, key, to)];
            if launch.sequence && !l.sequence && l.stack == Stack::Megatron {
                lines.push(set(l, Key::Sequence, ""));
            }
            out.push(LaunchChange {
                about: format!("{what} parallelism of {to} in the place of {now}"),
                lines,
                launch,
            });
        }
    }
    if l.tensor > 1 && !l.sequence && l.stack == Stack::Megatron {
        let launch = LaunchFile { sequence: true, ..l.clone() };
        out.push(LaunchChange { about: "sequence parallelism".into(), lines: vec![set(l, Key::Sequence, "")], launch });
    }
    if let Some(e) = l.model.experts.as_ref().filter(|_| says(l, Key::Expert)) {
        for to in [l.expert / 2, l.expert * 2] {
            if to > 0 && e.number.is_multiple_of(to) {
                let launch = LaunchFile { expert: to, ..l.clone() };
                let about = format!("expert parallelism of {to} in the place of {}", l.expert);
                out.push(LaunchChange { about, lines: vec![set(l, Key::Expert, to)], launch });
            }
        }
    }
}

fn stages(l: &LaunchFile, out: &mut Vec<LaunchChange>) {
    if l.pipe < 2 {
        return;
    }
    for each in [2, 4, 1] {
        let (schedule, name) = if each > 1 { ("interleaved", "Interleaved1F1B") } else { ("1f1b", "1F1B") };
        if each == l.each || l.model.layers < l.pipe * each {
            continue;
        }
        let lines = match l.stack {
            Stack::Torchtitan => {
                let layers = (l.model.layers + 2).div_ceil(l.pipe * each);
                vec![set(l, Key::Schedule, name), set(l, Key::LayersPerStage, layers)]
            }
            _ => vec![set(l, Key::Virtual, each)],
        };
        let about = format!("{each} stage{} of each rank ({name})", if each == 1 { "" } else { "s" });
        out.push(LaunchChange { about, lines, launch: LaunchFile { each, schedule, ..l.clone() } });
    }
}

fn sharding(l: &LaunchFile, out: &mut Vec<LaunchChange>) {
    let data = l.replicate * l.shard;
    let node = NODE / (l.tensor * l.context).min(NODE);
    if l.zero == Zero::Parameters
        && l.replicate == 1
        && node > 1
        && data > node
        && data.is_multiple_of(node)
        && says(l, Key::Shard)
    {
        let mut lines = vec![set(l, Key::Shard, node)];
        if says(l, Key::Replicate) {
            lines.push(set(l, Key::Replicate, data / node));
        }
        let launch = LaunchFile { replicate: data / node, shard: node, ..l.clone() };
        out.push(LaunchChange {
            about: "parameters in parts within a node, and copies over nodes (HSDP)".into(),
            lines,
            launch,
        });
    }
    if l.zero == Zero::Parameters && l.replicate > 1 && says(l, Key::Replicate) {
        let lines = vec![set(l, Key::Shard, data), set(l, Key::Replicate, 1)];
        let launch = LaunchFile { replicate: 1, shard: data, ..l.clone() };
        out.push(LaunchChange { about: "parameters in parts over all devices of the batch".into(), lines, launch });
    }
    if data > 1 && l.stack == Stack::Megatron && l.zero == Zero::Nothing {
        let launch = LaunchFile { replicate: 1, shard: data, zero: Zero::State, ..l.clone() };
        let about = "the optimizer's state in parts (the distributed optimizer)".into();
        out.push(LaunchChange { about, lines: vec![set(l, Key::Optimizer, "")], launch });
    }
    if l.stack == Stack::Deepspeed {
        let (shard, replicate) = (data, 1);
        for (stage, zero) in [(1, Zero::State), (3, Zero::Parameters)] {
            if data > 1 && zero != l.zero {
                let launch = LaunchFile { replicate, shard, zero, ..l.clone() };
                out.push(LaunchChange {
                    about: format!("ZeRO stage {stage}"),
                    lines: vec![set(l, Key::Stage, stage)],
                    launch,
                });
            }
        }
    }
}

/// Whether the degrees of a launch fit each other, the model and the batch.
fn possible(l: &LaunchFile) -> bool {
    let data = l.replicate * l.shard;
    let of = l.micro * data;
    let m = &l.model;
    let stages = l.pipe * l.each;
    let microbatches = l.batch.checked_div(of).unwrap_or(0);
    of > 0
        && l.batch.is_multiple_of(of)
        && microbatches > 0
        && data * l.tensor * l.pipe * l.context == l.devices
        && m.heads.is_multiple_of(l.tensor)
        && m.kv_heads.is_multiple_of(l.tensor)
        && l.seq.is_multiple_of(l.context * l.tensor)
        && m.layers >= stages
        && (l.pipe == 1 || microbatches >= l.pipe && (l.each == 1 || microbatches.is_multiple_of(l.pipe)))
        && m.experts.as_ref().is_none_or(|e| e.number.is_multiple_of(l.expert))
        && places(l).is_some()
}
