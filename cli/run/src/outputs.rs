//! Outputs after the last step: as safetensors, or as text for those that are small enough to read.

use crate::{Failed, Result, status};
use meshloom_bundle::{DType, Port, Role};
use meshloom_runtime::checkpoint::to_safetensors;
use meshloom_runtime::{HostTensor, Session, describe_port};
use safetensors::Dtype;
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
    for port in session.ports(OUTPUTS).filter(|p| p.numbers(&p.global_shape).is_empty()) {
        let t = session.read(&port.name)?;
        said.push(format!("{} = {}", port.name, values(port, &t)));
        // JSON has no complex numbers: real and imaginary part.
        if port.complex {
            object.insert(port.name.clone(), t.to_f64().into());
            continue;
        }
        // An f64 does not hold every integer of 64 bits.
        let whole = t.to_i64().and_then(|v| v.first().copied());
        if let Some(n) = whole.filter(|_| port.unsigned) {
            object.insert(port.name.clone(), (n as u64).into());
            continue;
        }
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
    let mut tensors: Vec<(String, Dtype, HostTensor)> = Vec::new();
    // What a `train` updates is saved as a checkpoint.
    let function = session.kind() == meshloom_bundle::EntryKind::Function;
    let updated = |p: &Port| p.role == Role::State && function;
    for port in session.ports(OUTPUTS_AND_STATE).filter(|p| p.role != Role::State || updated(p)) {
        for name in names(port) {
            let mut t = session.read(&name)?;
            let mut dtype = if port.unsigned { Dtype::U64 } else { to_safetensors(t.dtype) };
            // The format has no complex128, which is saved as f64 with a last dim of real and imaginary part.
            if port.complex && t.dtype == DType::F32 {
                dtype = Dtype::C64;
                t.shape.pop();
            }
            tensors.push((name, dtype, t));
        }
    }
    let fail = |e: String| Failed::usage(format!("{}: cannot be written: {e}", path.display()));
    let mut views = Vec::new();
    for (name, dtype, t) in &tensors {
        let shape = t.shape.iter().map(|&n| n as usize).collect();
        let view = TensorView::new(*dtype, shape, &t.bytes).map_err(|e| fail(format!("`{name}`: {e}")))?;
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
        status::data(&format!("{} {} = {}\n", port.name, describe_port(port, &t.shape), values(port, &t)));
    }
    Ok(())
}

fn values(port: &Port, t: &HostTensor) -> String {
    let number = |z: &[f64]| format!("{:?}{:+?}j", z[0], z[1]);
    let texts: Vec<String> = match (t.to_i64(), t.to_f64()) {
        (_, Some(v)) if port.complex => v.chunks_exact(2).take(SHOWN).map(number).collect(),
        (Some(v), _) if port.unsigned => v.iter().take(SHOWN).map(|&n| (n as u64).to_string()).collect(),
        (Some(v), _) => v.iter().take(SHOWN).map(i64::to_string).collect(),
        (None, Some(v)) => v.iter().take(SHOWN).map(|x| format!("{x:?}")).collect(),
        (None, None) => Vec::new(),
    };
    let shape = port.numbers(&t.shape);
    if shape.is_empty() {
        return texts.join("");
    }
    let more = if shape.iter().product::<u64>() as usize > texts.len() { ", .." } else { "" };
    format!("[{}{more}]", texts.join(", "))
}
