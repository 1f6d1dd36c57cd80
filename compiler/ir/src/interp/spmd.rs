//! A local program on all devices of its mesh, in lock step.

use super::eval::unwrap;
use super::machine::{Machine, Rows};
use super::shards::{shard, unshard_as};
use crate::graph::{Func, OpId, ValueId};
use crate::layout::Layout;
use crate::tensor::Tensor;
use std::collections::BTreeMap;
use std::rc::Rc;

/// The most devices that are simulated.
pub const MAX_SIMULATED: u64 = 1 << 12;

/// What went over the wire, counted where blocks were copied; the iterations of a repeat add up.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Traffic {
    /// Bytes that each device sent, for each op that moves data between devices (and zeros for those that only could).
    pub sent: BTreeMap<OpId, Vec<u64>>,
}

impl Traffic {
    /// Bytes sent by one device in one op, averaged over the devices (an uneven chunk goes to one of them).
    pub fn of(&self, op: OpId) -> f64 {
        self.sent.get(&op).map_or(0.0, |s| mean(s))
    }

    /// Bytes sent by one device in the whole program.
    pub fn per_device(&self) -> f64 {
        self.sent.values().map(|s| mean(s)).sum()
    }
}

fn mean(sent: &[u64]) -> f64 {
    sent.iter().sum::<u64>() as f64 / sent.len().max(1) as f64
}

/// Runs `func` on every device of its mesh: `inputs[device][input]` to `outputs[device][output]`.
///
/// # Errors
/// A program that does not verify, inputs that do not fit, values or a mesh too large to simulate.
pub fn run(func: &Func, inputs: &[Vec<Tensor>]) -> Result<(Vec<Vec<Tensor>>, Traffic), String> {
    let devices = func.mesh.devices();
    if devices > MAX_SIMULATED {
        return Err(format!("{devices} devices are too many to simulate"));
    }
    let mut machine = Machine::new(func, devices)?;
    if inputs.len() as u64 != devices {
        return Err(format!("inputs of {} devices for {devices}", inputs.len()));
    }
    let arity = func.inputs.len();
    if let Some(given) = inputs.iter().find(|i| i.len() != arity) {
        return Err(format!("{} inputs given for {arity}", given.len()));
    }
    let rows: Rows = (0..arity).map(|i| inputs.iter().map(|d| Rc::new(d[i].clone())).collect()).collect();
    let outputs = machine.run(rows)?;
    let mut per_device: Vec<Vec<Tensor>> = (0..devices).map(|_| Vec::new()).collect();
    for row in outputs {
        for (d, t) in per_device.iter_mut().zip(row) {
            d.push(unwrap(t));
        }
    }
    let sent = std::mem::take(&mut machine.sent);
    Ok((per_device, Traffic { sent }))
}

/// Runs `func` on whole inputs: they are sharded by the layouts of the function's arguments, and its results put together
/// by theirs. A value without a layout is taken as replicated. For layouts that leave no padding; [`run_as`] for all.
///
/// # Errors
/// As [`run`]; and copies of a result that differ between devices.
pub fn run_global(func: &Func, inputs: &[Tensor]) -> Result<(Vec<Tensor>, Traffic), String> {
    let shape = |v: &ValueId| -> Vec<u64> {
        let blocks = func.ty(*v).shape.iter().zip(layout(func, *v).dims);
        blocks.map(|(n, axes)| n * func.mesh.group_size(&axes)).collect()
    };
    let shapes: Vec<Vec<u64>> = func.body().yields.iter().map(shape).collect();
    run_as(func, inputs, &shapes)
}

/// Runs `func`, the local form of `global`, on whole inputs.
///
/// # Errors
/// As [`run`]; and copies of a result that differ between devices.
pub fn run_for(global: &Func, func: &Func, inputs: &[Tensor]) -> Result<(Vec<Tensor>, Traffic), String> {
    let shapes: Vec<Vec<u64>> = global.body().yields.iter().map(|&v| global.ty(v).shape.clone()).collect();
    run_as(func, inputs, &shapes)
}

fn layout(func: &Func, v: ValueId) -> Layout {
    let value = func.value(v);
    value.layout.clone().unwrap_or_else(|| Layout::replicated(value.ty.rank()))
}

/// `shapes` are those of the whole results.
fn run_as(func: &Func, inputs: &[Tensor], shapes: &[Vec<u64>]) -> Result<(Vec<Tensor>, Traffic), String> {
    let args = &func.body().args;
    if func.mesh.devices() > MAX_SIMULATED || inputs.len() != args.len() {
        return run(func, &[]).map(|_| Default::default());
    }
    let sharded = (0..func.mesh.devices())
        .map(|d| {
            let pairs = inputs.iter().zip(args).zip(&func.inputs);
            pairs
                .map(|((t, &v), port)| {
                    shard(t, &layout(func, v), &func.mesh, d).map_err(|e| format!("input `{}`: {e}", port.name))
                })
                .collect()
        })
        .collect::<Result<Vec<Vec<Tensor>>, String>>()?;
    let (outputs, traffic) = run(func, &sharded)?;
    let whole = (func.body().yields.iter().zip(&func.outputs).zip(shapes).enumerate())
        .map(|(i, ((&v, port), shape))| {
            let parts: Vec<Tensor> = outputs.iter().map(|d| d[i].clone()).collect();
            unshard_as(shape, &parts, &layout(func, v), &func.mesh).map_err(|e| format!("output `{}`: {e}", port.name))
        })
        .collect::<Result<Vec<Tensor>, String>>()?;
    Ok((whole, traffic))
}
