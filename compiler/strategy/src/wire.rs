//! What a device sends in a step, by level of the links: NVLink, InfiniBand. The levels that a collective uses, and its bytes
//! over each, are those of the cost model's table (`plan::cost::network`).

use crate::cut_plan::Ranks;
use meshloom_ir::{Axis, Exchange, Func, Mesh, Op, OpId, RegionId};
use meshloom_plan::Plan;
use meshloom_plan::cost::{Model, buffer_bytes};
use meshloom_stage::Given;

/// Bytes by level, of one device; of a pipeline of `stages`, on the rank that sends most.
pub fn of_plan(model: &Model, plan: &Plan, ranks: Option<&Ranks>, stages: u64) -> Vec<u64> {
    let Some(ranks) = ranks else { return of(model, &plan.local, None) };
    let each = ranks.programs.iter().map(|p| of(model, &p.program.func, Some((&p.program.given, stages))));
    each.max_by_key(|levels| levels.iter().fold(0u64, |n, b| n.saturating_add(*b))).unwrap_or_default()
}

/// Of one device that runs `func`. Of a rank of a pipeline also what it sends on.
fn of(model: &Model, func: &Func, sent: Option<(&[Given], u64)>) -> Vec<u64> {
    let mut levels = vec![0u64; model.target.levels.len()];
    each_call(func, Func::BODY, 1, &mut |o, times| add(model, func, o, times, &mut levels));
    if let Some((given, ranks)) = sent {
        let devices = func.mesh.devices().saturating_mul(ranks);
        let at = model.target.levels.iter().position(|l| l.devices.is_none_or(|n| n >= devices));
        if let Some(level) = at.and_then(|k| levels.get_mut(k)) {
            *level = level.saturating_add(messages(func, given));
        }
    }
    levels
}

/// Bytes of what a device of a rank sends to other ranks in a step.
pub(crate) fn messages(func: &Func, given: &[Given]) -> u64 {
    let sent = given.iter().zip(&func.body().yields).filter(|(g, _)| matches!(g, Given::Sent(_)));
    sent.fold(0, |n, (_, y)| n.saturating_add(func.ty(*y).bytes()))
}

/// Gives every collective of a region that is run so many `times` in a step, and how often a device executes it.
pub(crate) fn each_call(func: &Func, region: RegionId, times: u64, call: &mut dyn FnMut(OpId, u64)) {
    for &o in &func.region(region).ops {
        let data = func.op(o);
        if let Op::Repeat { .. } = data.op {
            let each = times.saturating_mul(data.op.iterations());
            data.regions.iter().for_each(|r| each_call(func, *r, each, call));
        }
        if data.op.communicates() {
            call(o, times);
        }
    }
}

fn add(model: &Model, func: &Func, o: OpId, times: u64, levels: &mut [u64]) {
    let op = &func.op(o).op;
    let (Some(axes), Some(exchange), Some(&operand)) =
        (op.collective_axes(), op.exchange(), func.op(o).operands.first())
    else {
        return;
    };
    let bytes = u128::from(buffer_bytes(op, func.ty(operand), &func.mesh));
    let all = u128::from(func.mesh.group_size(axes).max(1));
    let mut inside = 1u128;
    let mut outermost = None;
    for (k, level) in model.target.levels.iter().enumerate() {
        let members = level.devices.map_or(all, |block| u128::from(members(&func.mesh, axes, block)));
        if members <= inside {
            continue;
        }
        let own = match exchange {
            Exchange::Twice => 2 * bytes * (members / inside - 1) / members,
            Exchange::Once => bytes * (members / inside - 1) / members,
            Exchange::Pairs => bytes * (members - inside) / all,
            Exchange::Permute => 0,
        };
        outermost = Some(k);
        let own = u64::try_from(own).unwrap_or(u64::MAX).saturating_mul(times);
        levels[k] = levels[k].saturating_add(own);
        inside = members;
    }
    // One message, over the slowest level that it crosses.
    if let (Exchange::Permute, Some(k)) = (exchange, outermost) {
        let own = u64::try_from(bytes).unwrap_or(u64::MAX).saturating_mul(times);
        levels[k] = levels[k].saturating_add(own);
    }
}

/// How many members of a group over `axes` are in one block of consecutive devices.
fn members(mesh: &Mesh, axes: &[Axis], block: u64) -> u64 {
    let stride = |a: Axis| mesh.axes.iter().skip(a.index() + 1).fold(1u64, |n, x| n.saturating_mul(x.1));
    let inside = |a: &Axis| match (mesh.size(*a), stride(*a)) {
        (size, _) if mesh.devices() <= block => size,
        (size, s) if block.is_multiple_of(s) => gcd(size, block / s),
        _ => 1,
    };
    axes.iter().map(inside).product()
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}
