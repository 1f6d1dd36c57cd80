//! How fast a step of training is in the figures that people compare: tokens per second, MFU, and what tokens cost.
//!
//! MFU counts the model's own operations, three times those of the loss (A. Chowdhery et al., PaLM, 2022, appendix B), and so
//! nothing that is recomputed.

use crate::program::Elaborated;
use meshloom_ir::{DType, Func, Op, RegionId, Role, table};
use meshloom_plan::cost::Target;
use std::collections::BTreeMap;

/// What a step of training does, however it is planned.
#[derive(Clone, Copy, Debug)]
pub struct StepWork {
    /// Tokens of a step, or rows where the inputs have none.
    pub tokens: u64,
    /// Operations of a step without recomputation.
    pub flops: u64,
    /// What most of them are computed in.
    pub dtype: DType,
}

impl StepWork {
    pub fn of(entry: &Elaborated) -> StepWork {
        let (all, part) = (tokens(&entry.global), tokens(&entry.elaborated));
        // A loss that is accumulated is elaborated for a microbatch.
        let microbatches = all.checked_div(part).unwrap_or(1).max(1);
        let body = entry.elaborated.body();
        let loss = body.ops.iter().fold(0u64, |n, &o| n.saturating_add(table::flops(&entry.elaborated, o)));
        StepWork {
            tokens: all,
            flops: loss.saturating_mul(3).saturating_mul(microbatches),
            dtype: computed_in(&entry.global),
        }
    }

    /// The part of the peak rate of `devices` that a step of `seconds` uses.
    pub fn mfu(&self, target: &Target, devices: u64, seconds: f64) -> f64 {
        let processors = target.workers.map_or(devices, |w| w.min(devices));
        let peak = target.peak(self.dtype) as f64 * processors as f64;
        self.flops as f64 / seconds / peak.max(1.0)
    }

    /// What a million tokens cost, in US dollars, where the target has a price.
    pub fn usd_per_million_tokens(&self, target: &Target, devices: u64, seconds: f64) -> Option<f64> {
        let hours = seconds / 3600.0 * devices as f64;
        target.price.filter(|_| self.tokens > 0).map(|micro| micro as f64 * hours / self.tokens as f64)
    }
}

/// The type of the operands of most of a step's contractions, by their operations.
fn computed_in(step: &Func) -> DType {
    let mut flops = BTreeMap::new();
    contractions(step, Func::BODY, 1, &mut flops);
    flops.into_iter().max_by_key(|f| f.1).map_or(DType::F32, |f| f.0)
}

fn contractions(step: &Func, region: RegionId, times: u64, flops: &mut BTreeMap<DType, u64>) {
    for &o in &step.region(region).ops {
        let data = step.op(o);
        if let Op::Repeat { .. } = data.op {
            let each = times.saturating_mul(data.op.iterations());
            data.regions.iter().for_each(|&r| contractions(step, r, each, flops));
        }
        if let (Op::DotGeneral(_), Some(&operand)) = (&data.op, data.operands.first()) {
            let sum = flops.entry(step.ty(operand).dtype).or_default();
            *sum = sum.saturating_add(table::flops(step, o).saturating_mul(times));
        }
    }
}

/// Tokens (or rows) that one step consumes: the elements of the first integer input, else the first dim of the first input.
pub fn tokens(func: &Func) -> u64 {
    let inputs =
        || func.inputs.iter().zip(&func.body().args).filter(|(p, _)| p.role == Role::Input).map(|(_, &a)| func.ty(a));
    let integer = inputs().find(|t| t.dtype.is_int()).map(|t| t.elements());
    integer.or_else(|| inputs().next().and_then(|t| t.shape.first().copied())).unwrap_or(0)
}
