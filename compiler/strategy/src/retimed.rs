//! The step that is predicted of a finished plan on other hardware: nothing of the plan changes, neither layouts nor the cut of its stages.
//!
//! Not here: what would be planned there.

use crate::cut::{self, CutRequest};
use crate::cut_plan::Ranks;
use crate::entry::Elaborated;
use meshloom_plan::Plan;
use meshloom_plan::cost::{Model, Target, simulate};

/// Microseconds of a step of `entry`'s `plan` and its programs of ranks on `target`; `None` where stages have no prediction.
pub fn step_us(entry: &Elaborated, plan: &Plan, ranks: Option<&Ranks>, target: &Target) -> Option<f64> {
    let model = Model::new(target, &entry.global.mesh);
    let (Some(of), Some(ranks)) = (&entry.pipeline, ranks) else {
        return Some(simulate(&model, &plan.local).step_ps as f64 / 1e6);
    };
    let global = ranks.apart.as_ref().unwrap_or(&entry.global);
    let (list, schedule) = (of.list.as_str(), &of.schedule);
    let request = CutRequest { local: &plan.local, global, list, schedule, target, budget: u64::MAX };
    let cut = cut::price(&request, &ranks.sizes).ok()?;
    let copies = model.host_ps(ranks.host_bytes().unwrap_or(0));
    Some(cut.step.ps.saturating_add(copies) as f64 / 1e6)
}
