//! A Python file with `parallelize(model, mesh)`: `parallelize_module` by module path, then FSDP2's `fully_shard`.
//!
//! Parameters that are read whole become DTensors too, so that gradients which devices have only a part of are summed where DTensor knows
//! of it, and not by a rule of ours. The helpers are `dtensor.py`, which the file has after its imports.
//!
//! Not here: stages. PyTorch splits a model into stages by the user's own code.

use crate::describe::{Description, Sharded};
use crate::launched;
use crate::lost::Lost;
use crate::modules::{Module, Output, Style};
use crate::paths;
use crate::settings::{quoted, rows};
use meshloom_report::human::bytes;
use std::fmt::Write;

const HELPERS: &str = include_str!("dtensor.py");

const IMPORTS: &str = "import contextlib

import torch
from torch import nn
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.tensor import DTensor, Replicate, Shard, distribute_module, distribute_tensor
from torch.distributed.tensor.parallel import ColwiseParallel, ParallelStyle, RowwiseParallel, SequenceParallel, loss_parallel
from torch.distributed.tensor.parallel import parallelize_module
";

pub fn write(d: &Description<'_>) -> (String, Vec<Lost>) {
    let mut out = String::from(IMPORTS);
    out.push_str(match d.data.sharded {
        Sharded::Parameters => "from torch.distributed.fsdp import MixedPrecisionPolicy, fully_shard\n",
        _ if !d.data.axes.is_empty() => "from torch.distributed._composable.replicate_with_fsdp import replicate\n",
        _ => "",
    });
    if d.recomputes_layers {
        out.push_str("from torch.distributed._composable import checkpoint\n");
    }
    let axes: Vec<String> = mesh(d).iter().map(|(n, s, _)| format!("({}, {s})", quoted(n))).collect();
    let _ = writeln!(out, "\n# Axes of the mesh, the outermost first.\nAXES = [{}]", axes.join(", "));
    if let Some(rows) = rows(d) {
        let _ = writeln!(
            out,
            "# Rows of a step, and axes that they are split over.\nROWS = {rows}\nBATCH = {}",
            list(&batch(d))
        );
    }
    out.push_str(HELPERS);
    out.push_str(&parallelize(d));
    (out, lost(d))
}

/// The mesh as the file makes it: axes of data that are treated alike are one.
fn mesh(d: &Description<'_>) -> Vec<(String, u64, bool)> {
    let mut out: Vec<(String, u64, bool)> = Vec::new();
    for (axes, is_batch) in [(replicated(d), true), (d.data.over.clone(), true)] {
        if !axes.is_empty() {
            out.push((axes.join("_"), d.product(&axes), is_batch));
        }
    }
    let rest = d.plan.mesh.axes.iter().filter(|a| !d.data.axes.contains(&a.name));
    out.extend(rest.filter(|a| a.size > 1).map(|a| (a.name.clone(), a.size, false)));
    out
}

/// Axes of the batch over which nothing is sharded.
fn replicated(d: &Description<'_>) -> Vec<String> {
    d.data.axes.iter().filter(|a| !d.data.over.contains(a)).cloned().collect()
}

fn batch(d: &Description<'_>) -> Vec<String> {
    mesh(d).into_iter().filter(|m| m.2).map(|m| m.0).collect()
}

fn list(names: &[String]) -> String {
    format!("[{}]", names.iter().map(|n| quoted(n)).collect::<Vec<_>>().join(", "))
}

fn parallelize(d: &Description<'_>) -> String {
    let mut out = String::from("\n\ndef make_mesh(device_type):\n    names, sizes = zip(*AXES)\n");
    out.push_str("    return init_device_mesh(device_type, sizes, mesh_dim_names=names)\n");
    out.push_str("\n\ndef step_context():\n    \"\"\"What forward and backward pass of a step run in.\"\"\"\n");
    out.push_str(if d.split_loss() { "    return loss_parallel()\n" } else { "    return contextlib.nullcontext()\n" });
    out.push_str("\n\ndef parallelize(model, mesh):\n    \"\"\"Splits a model over a mesh of `make_mesh`. All ranks hold the same model before.\"\"\"\n");
    // Before what takes a layer's input: it has to run again where the layer does.
    if d.recomputes_layers {
        for list in &d.lists {
            let _ = writeln!(out, "    for layer in model.get_submodule({}):\n        checkpoint(layer)", quoted(list));
        }
    }
    if !d.tensor.is_empty() {
        out.push_str("    tied = [names for names in parameter_names(model) if len(names) > 1]\n");
    }
    for axis in &d.tensor {
        out.push_str(&tensor_parallel(d, axis));
    }
    if !d.tensor.is_empty() {
        out.push_str("    for names in tied:\n        tie(model, names)\n");
    }
    out.push_str(&data_parallel(d));
    out.push_str("    return model\n");
    out
}

fn tensor_parallel(d: &Description<'_>, axis: &str) -> String {
    let mut out = String::from("    styles = {\n");
    let first = d.tensor.first().map(String::as_str) == Some(axis);
    if let Some(list) = d.lists.first().filter(|_| d.sequence.as_deref() == Some(axis)) {
        let _ = writeln!(out, "        {}: SplitInput(1),", quoted(&format!("{list}.0")));
    }
    for m in &d.modules {
        // What is whole belongs to the first axis alone.
        let own = m.style.axis().map_or(first, |a| a == axis);
        if let Some(style) = style(d, m).filter(|_| own) {
            let _ = writeln!(out, "        {}: {style},", quoted(&m.path));
        }
    }
    let _ = writeln!(out, "    }}\n    parallelize_module(model, mesh[{}], styles)", quoted(axis));
    out
}

/// The call that makes a module's style; none for parameters that stay as they are.
fn style(d: &Description<'_>, m: &Module) -> Option<String> {
    let sequence = d.sequence.is_some() && paths::list(&m.path).is_some();
    let between = if sequence { "Shard(1)" } else { "Replicate()" };
    Some(match &m.style {
        Style::Column { inputs_first: true, output, .. } => {
            let output = if *output == Output::Split { "Shard(-1)" } else { "Replicate()" };
            format!("Split(1, Replicate(), {output})")
        }
        Style::Column { output: Output::Split, .. } => "ColwiseParallel()".into(),
        Style::Column { output: Output::Gathered, .. } => "ColwiseParallel(output_layouts=Replicate())".into(),
        Style::Column { output: Output::Loss, .. } => "ColwiseParallel(use_local_output=False)".into(),
        Style::Row { inputs_first: true, fed, .. } => {
            format!("Split(0, {}, {between})", if *fed { "Shard(-1)" } else { "Replicate()" })
        }
        Style::Row { fed, .. } => match (fed, sequence) {
            (true, false) => "RowwiseParallel()".into(),
            (true, true) => format!("RowwiseParallel(output_layouts={between})"),
            (false, false) => "RowwiseParallel(input_layouts=Replicate())".into(),
            (false, true) => format!("RowwiseParallel(input_layouts=Replicate(), output_layouts={between})"),
        },
        Style::Vocabulary { .. } => "RowwiseParallel(input_layouts=Replicate())".into(),
        Style::TableColumns { .. } => "ColwiseParallel(output_layouts=Replicate())".into(),
        Style::Inside { dim, .. } => format!("SequenceParallel(sequence_dim={dim}, use_local_output=True)"),
        Style::Norm { feeds: true } if d.sequence.is_some() => "GatheredNorm(sequence_dim=1)".into(),
        // On the way to a sum between layers, where all is split.
        Style::Norm { .. } if d.sequence.is_some() => "SequenceParallel(use_local_output=True)".into(),
        Style::Norm { feeds: true } => "Norm()".into(),
        Style::Norm { feeds: false } => "Whole()".into(),
        Style::Whole => "Whole()".into(),
        Style::Plain => return None,
    })
}

fn data_parallel(d: &Description<'_>) -> String {
    let names = batch(d);
    let mut out = String::new();
    let of_mesh = match &names[..] {
        [] => return out,
        [one] => format!("mesh[{}]", quoted(one)),
        many => format!("mesh[{}]", many.iter().map(|n| quoted(n)).collect::<Vec<_>>().join(", ")),
    };
    let layers = |out: &mut String, call: &str| {
        for list in &d.lists {
            let _ = writeln!(out, "    for layer in model.get_submodule({}):\n        {call}", quoted(list));
        }
    };
    if d.data.sharded != Sharded::Parameters {
        // Its mesh has one dim.
        let of_mesh = if names.len() > 1 { format!("{of_mesh}._flatten(\"batch\")") } else { of_mesh };
        let _ = writeln!(out, "    data = {of_mesh}");
        layers(&mut out, "replicate(layer, mesh=data)");
        out.push_str("    replicate(model, mesh=data)\n");
        return out;
    }
    let dims = sharded_dims(d);
    let _ = writeln!(out, "    # Dims that are sharded, where they are not 0.\n    dims = {{{}}}", dims.join(", "));
    out.push_str(
        "    placed = {id(model.get_parameter(n)): Shard(dims[p]) for p in dims for n in matching(model, p)}\n",
    );
    let _ = writeln!(
        out,
        "    sharded = dict(\n        mesh={of_mesh},\n        reshard_after_forward={},",
        if d.data.again { "True" } else { "False" }
    );
    out.push_str("        shard_placement_fn=lambda p: placed.get(id(p)),\n");
    if crate::settings::precision(d) == "bf16" {
        out.push_str(
            "        mp_policy=MixedPrecisionPolicy(param_dtype=torch.bfloat16, reduce_dtype=torch.float32),\n",
        );
    }
    out.push_str("    )\n");
    layers(&mut out, "fully_shard(layer, **sharded)");
    out.push_str("    fully_shard(model, **sharded)\n");
    out
}

/// `"model.layers.*.mlp.up_proj.weight": 1`, of what is sharded by another dim than 0, in blocks of one size.
fn sharded_dims(d: &Description<'_>) -> Vec<String> {
    let n = d.product(&d.data.over);
    let mut out: Vec<String> = Vec::new();
    for t in &d.parameters {
        let first = usize::from(paths::is_stacked(&t.name));
        let Some(dim) = d.sharded_dim(t).filter(|dim| *dim > 0) else { continue };
        let local = t.local_shape.get(dim + first).copied().unwrap_or(0);
        let whole = t.shape.get(dim + first).copied().unwrap_or(0);
        let one = format!("{}: {dim}", quoted(&paths::pattern(&t.name)));
        if local > 0 && whole.is_multiple_of(n.max(1)) && !out.contains(&one) {
            out.push(one);
        }
    }
    out
}

/// What PyTorch alone lacks.
fn lost(d: &Description<'_>) -> Vec<Lost> {
    let mut out = Vec::new();
    if let Some(p) = &d.plan.pipeline {
        let sent = p.ranks.iter().map(|r| r.message_bytes_per_device).max().unwrap_or(0);
        let what = format!(
            "{} stages over {} by {}, {} microbatches: torch.distributed.pipelining takes them from the model's own code",
            p.stages.len(),
            p.axis,
            p.schedule,
            p.microbatches
        );
        out.push(Lost::new(
            what,
            format!("{} of messages, and the layers of all stages on each device", bytes(sent as f64)),
        ));
    }
    out.extend(launched::moments(d, "FSDP2"));
    out
}
