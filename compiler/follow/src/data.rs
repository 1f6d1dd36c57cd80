//! Axes of data: each of their ranks computes loss and gradients of its own rows, and the gradients of all parameters have to be averaged.
//!
//! With losses that are means over as many rows (or tokens) on each rank, the average of the ranks' gradients is the gradient of the whole
//! batch. That each rank's loss is a mean over as many as another's is for the caller to see to.

use crate::plan::{DtensorPlan, PlanCall};
use crate::refusal::PlanRefusal;
use crate::styles::PARAMETERS;
use crate::tree::Modules;
use meshloom_ir::Func;

/// What the calls about data leave out.
pub fn uncovered(plan: &DtensorPlan, modules: &Modules, func: &Func) -> Vec<PlanRefusal> {
    let mut out = Vec::new();
    let tensor: Vec<&String> = plan
        .calls
        .iter()
        .filter_map(|c| if let PlanCall::ParallelizeModule { mesh, .. } = c { Some(mesh) } else { None })
        .collect();
    let many = |axis: &&String| plan.mesh.get(*axis).is_some_and(|n| *n > 1);
    for axis in plan.batch.iter().filter(many).filter(|a| tensor.contains(a)) {
        out.push(PlanRefusal::new("", format!("rows of the batch are split over `{axis}`, over which modules are split: their ranks have to see the same rows")));
    }
    let wraps: Vec<(usize, &[String], Vec<&str>)> = plan
        .calls
        .iter()
        .enumerate()
        .filter_map(|(i, c)| wrap(c).map(|w| (i, w.0, w.1)))
        .map(|(i, axes, patterns)| (i, axes, patterns.iter().flat_map(|p| modules.matching("", p)).collect()))
        .collect();
    for (i, axes, wrapped) in &wraps {
        if let Some(axis) = axes.iter().find(|a| tensor.contains(a)) {
            let module = wrapped.first().copied().unwrap_or_default();
            out.push(PlanRefusal::new(module, format!("its gradients are averaged over `{axis}`, over which modules are split: each rank has gradients of its own part")));
        }
        let later = plan.calls[*i..].iter().find(|c| matches!(c, PlanCall::ParallelizeModule { .. }));
        if later.is_some() {
            let module = wrapped.first().copied().unwrap_or_default();
            out.push(PlanRefusal::new(module, "its parameters are sharded over data before `parallelize_module` places them: PyTorch wants it the other way round"));
        }
    }
    for axis in plan.batch.iter().filter(many) {
        for port in &func.inputs {
            let Some(own) = port.name.strip_prefix(PARAMETERS) else { continue };
            let covered = wraps.iter().any(|w| {
                w.1.contains(axis) && w.2.iter().any(|m| modules.names(own).iter().any(|n| Modules::is_within(n, m)))
            });
            if !covered {
                let (module, leaf) = own.rsplit_once('.').unwrap_or(("", own));
                out.push(PlanRefusal::new(module, format!("nothing averages the gradient of `{leaf}` over `{axis}`: it is inside of no module that `fully_shard` or `replicate` is called on")));
            }
        }
    }
    out
}

fn wrap(call: &PlanCall) -> Option<(&[String], &[String])> {
    match call {
        PlanCall::FullyShard { mesh, modules } | PlanCall::Replicate { mesh, modules } => Some((mesh, modules)),
        _ => None,
    }
}
