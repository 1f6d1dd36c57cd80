//! How fast a step of training is in the figures that people compare: tokens per second, MFU, and what tokens cost.
//!
//! MFU counts the model's own operations, three times those of the loss (A. Chowdhery et al., PaLM, 2022, appendix B), and so
//! nothing that is recomputed.

use crate::entry::Elaborated;
use meshloom_ir::{DType, Func, Op, OpId, RegionId, Role, table};
use meshloom_plan::cost::Target;
use std::collections::BTreeMap;

/// What a step of training does, however it is planned.
#[derive(Clone, Copy, Debug)]
pub struct StepWork {
    /// Tokens of a step, or rows where the inputs have none.
    pub tokens: u64,
    /// Operations of a step without recomputation. Those of all devices together can be more than 64 bits count.
    pub flops: u128,
    /// What most of them are computed in.
    pub dtype: DType,
}

impl StepWork {
    pub fn of(entry: &Elaborated) -> StepWork {
        let (all, part) = (tokens(&entry.global), tokens(&entry.elaborated));
        // A loss that is accumulated is elaborated for a microbatch.
        let microbatches = all.checked_div(part).unwrap_or(1).max(1);
        let loss = operations(&entry.elaborated, Func::BODY);
        StepWork {
            tokens: all,
            flops: loss.saturating_mul(3).saturating_mul(u128::from(microbatches)),
            dtype: computed_in(&entry.global),
        }
    }

    /// The part of the peak rate of `devices` that a step of `seconds` uses.
    pub fn mfu(&self, target: &Target, devices: u64, seconds: f64) -> f64 {
        let processors = target.workers.map_or(devices, |w| w.min(devices));
        let peak = target.peak(self.dtype) as f64 * processors as f64;
        self.flops as f64 / seconds / peak.max(1.0)
    }

    /// Picoseconds that a step takes on so many devices at least: its own operations, all at the rate of the fastest contractions.
    pub fn least_ps(&self, target: &Target, devices: u64) -> u64 {
        let rate = u128::from(target.peak(self.dtype)) * u128::from(target.achievable.contraction) / 1000;
        let all = rate.saturating_mul(u128::from(devices)).max(1);
        u64::try_from(self.flops.saturating_mul(1_000_000_000_000) / all).unwrap_or(u64::MAX)
    }

    /// What a million tokens cost, in US dollars, where the target has a price.
    pub fn usd_per_million_tokens(&self, target: &Target, devices: u64, seconds: f64) -> Option<f64> {
        let hours = seconds / 3600.0 * devices as f64;
        target.price.filter(|_| self.tokens > 0).map(|micro| micro as f64 * hours / self.tokens as f64)
    }
}

/// Operations of a region, with all iterations of its loops.
fn operations(func: &Func, region: RegionId) -> u128 {
    let of = |&o: &OpId| match &func.op(o).op {
        op @ Op::Repeat { .. } => {
            let each = func.op(o).regions.iter().fold(0u128, |n, &r| n.saturating_add(operations(func, r)));
            each.saturating_mul(u128::from(op.iterations()))
        }
        _ => u128::from(table::flops(func, o)),
    };
    func.region(region).ops.iter().map(of).fold(0, u128::saturating_add)
}

/// The type of the operands of most of a step's contractions and composites, by their operations.
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
        if let (Op::DotGeneral(_) | Op::Composite { .. }, Some(&operand)) = (&data.op, data.operands.first()) {
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

#[cfg(test)]
mod tests {
    use super::*;
    use meshloom_source::FrontOptions;
    use meshloom_syntax::elaborate::compile;

    #[test]
    fn a_step_may_have_more_operations_than_64_bits_count() {
        let text = "
mesh [data: 1]
struct Block { w: f32[1048576, 1048576] = normal(0.02) }
struct Net { blocks: [Block; 4] }
fn loss(m: Net, x: f32[2097152, 1048576]) -> f32 {
    for p in m.blocks { x = dot(x, p.w) }
    mean(x)
}
train step = sgd(loss, lr: 0.1)
";
        let mut entries = compile("large.loom", text, &FrontOptions::default()).elaborated.expect("a step").entries;
        let work = StepWork::of(&Elaborated::function(entries.remove(0).func));
        // Four products of 2^61 multiplications and as many additions, forward and twice backward, and the mean.
        assert!((3 << 64..(3 << 64) + (1u128 << 48)).contains(&work.flops), "{}", work.flops);
    }
}
