//! Outputs after the last step: as safetensors, or as text for those that are small enough to read.

use crate::{Failed, Result, status};
use meshloom_bundle::{Port, Role};
use meshloom_runtime::checkpoint::to_safetensors;
use meshloom_runtime::{HostTensor, Session};
use safetensors::tensor::TensorView;
use std::path::Path;

const OUTPUTS: &[Role] = &[Role::Output, Role::Loss, Role::Metric];
const OUTPUTS_AND_STATE: &[Role] = &[Role::Output, Role::Loss, Role::Metric, Role::State];
/// Values of a tensor that are printed.
const SHOWN: usize = 8;

/// Says the single numbers among the outputs of a call: `step 2: result.1 = 4.85`, or an object with `--json`.
pub fn numbers(session: &Session, step: u64, json: bool) -> Result<()> {
    let mut said = Vec::new();
    let mut object = serde_json::Map::from_iter([("step".to_string(), step.into())]);
    for port in session.ports(OUTPUTS).filter(|p| p.global_shape.is_empty()) {
        let t = session.read(&port.name)?;
        said.push(format!("{} = {}", port.name, values(&t)));
        // An f64 does not hold every integer of 64 bits.
        let whole = t.to_i64().and_then(|v| v.first().copied());
        let number = || t.to_f64().and_then(|v| v.first().copied());
        object.insert(port.name.clone(), whole.map_or_else(|| number().into(), Into::into));
    }
    match (json, said.is_empty()) {
        (true, _) => status::data(&format!("{}\n", serde_json::Value::Object(object))),
        (false, false) => status::data(&format!("step {step}: {}\n", said.join(", "))),
        (false, true) => {}
    }
    Ok(())
}

/// Writes every output, the loss and the metrics, and what a function has updated; a stacked one (`grad.blocks.*.qkv`) as one tensor per layer.
pub fn save(session: &Session, path: &Path) -> Result<usize> {
    let mut tensors: Vec<(String, HostTensor)> = Vec::new();
    // What a `train` updates is saved as a checkpoint.
    let function = session.kind() == meshloom_bundle::EntryKind::Function;
    let updated = |p: &Port| p.role == Role::State && function;
    for port in session.ports(OUTPUTS_AND_STATE).filter(|p| p.role != Role::State || updated(p)) {
        for name in names(port) {
            let t = session.read(&name)?;
            tensors.push((name, t));
        }
    }
    let fail = |e: String| Failed::usage(format!("{}: cannot be written: {e}", path.display()));
    let mut views = Vec::new();
    for (name, t) in &tensors {
        let shape = t.shape.iter().map(|&n| n as usize).collect();
        let view =
            TensorView::new(to_safetensors(t.dtype), shape, &t.bytes).map_err(|e| fail(format!("`{name}`: {e}")))?;
        views.push((name.as_str(), view));
    }
    safetensors::serialize_to_file(views, None, path).map_err(|e| fail(e.to_string()))?;
    Ok(tensors.len())
}

fn names(p: &Port) -> Vec<String> {
    if p.stacked { (0..p.global_shape[0]).map(|l| p.layer_name(l)).collect() } else { vec![p.name.clone()] }
}

/// Prints the outputs of a function entry on standard output: `logits f32[1, 4] = [0.1, ..]`.
pub fn print(session: &Session) -> Result<()> {
    for port in session.ports(OUTPUTS) {
        let t = session.read(&port.name)?;
        status::data(&format!("{} {} = {}\n", port.name, t.describe(), values(&t)));
    }
    Ok(())
}

fn values(t: &HostTensor) -> String {
    let texts: Vec<String> = match (t.to_i64(), t.to_f64()) {
        (Some(v), _) => v.iter().take(SHOWN).map(i64::to_string).collect(),
        (None, Some(v)) => v.iter().take(SHOWN).map(|x| format!("{x:?}")).collect(),
        (None, None) => Vec::new(),
    };
    if t.shape.is_empty() {
        return texts.join("");
    }
    let more = if t.elements() as usize > texts.len() { ", .." } else { "" };
    format!("[{}{more}]", texts.join(", "))
}
