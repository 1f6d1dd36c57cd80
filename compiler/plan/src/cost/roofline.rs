//! What each op of a local program asks of a device in a step, against the most that the target can do.
//!
//! The times are those by which plans are compared ([`super::model`]), each op for itself: what overlaps is not counted here.

use super::Model;
use meshloom_ir::{DType, Func, Op, OpId, RegionId, table};
use std::cmp::Reverse;

/// What an op's time is bound by.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bound {
    Arithmetic,
    Memory,
    /// Starting the kernel takes longer than its work.
    Launch,
}

impl Bound {
    pub fn name(self) -> &'static str {
        match self {
            Bound::Arithmetic => "arithmetic",
            Bound::Memory => "memory",
            Bound::Launch => "launch",
        }
    }
}

/// All executions of one op in a step.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct OpLoad {
    pub op: OpId,
    pub times: u64,
    pub ps: u64,
    pub flops: u64,
    /// To and from memory.
    pub bytes: u64,
    /// The shares of the target's peak arithmetic and of its bandwidth that this is.
    pub peak: f64,
    pub bandwidth: f64,
    pub bound: Bound,
}

/// The ops that a device computes in a step, the costliest first. Collectives, and ops that take no time, are left out.
pub fn loads(model: &Model, local: &Func) -> Vec<OpLoad> {
    let mut all = Vec::new();
    region(model, local, Func::BODY, 1, &mut all);
    all.sort_by_key(|l| (Reverse(l.ps), l.op));
    all
}

fn region(model: &Model, local: &Func, r: RegionId, times: u64, all: &mut Vec<OpLoad>) {
    for &o in &local.region(r).ops {
        let data = local.op(o);
        if let Op::Repeat { .. } = data.op {
            let each = times.saturating_mul(data.op.iterations());
            data.regions.iter().for_each(|&r| region(model, local, r, each, all));
            continue;
        }
        let price = model.local_price(local, o);
        let ps = price.ps();
        if ps == 0 {
            continue;
        }
        let flops = table::flops(local, o);
        let dtype = data.operands.first().map_or(DType::F32, |&v| local.ty(v).dtype);
        let share = |least: u64| least as f64 / ps as f64;
        all.push(OpLoad {
            op: o,
            times,
            ps: ps.saturating_mul(times),
            flops: flops.saturating_mul(times),
            bytes: price.bytes.saturating_mul(times),
            peak: share(model.at_peak_ps(&data.op, dtype, flops)),
            bandwidth: share(model.at_bandwidth_ps(price.bytes)),
            bound: match () {
                () if price.launch_ps > price.arithmetic_ps.max(price.memory_ps) => Bound::Launch,
                () if price.arithmetic_ps > price.memory_ps => Bound::Arithmetic,
                () => Bound::Memory,
            },
        });
    }
}
