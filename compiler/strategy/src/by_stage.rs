//! Layouts by stage that the planner chooses by itself. Where memory binds, the layers of some stages get the layouts that hold
//! least, and those of the others get the fastest.
//!
//! All layers of a list are one tensor for each parameter, and lie alike. If the fastest plan is too large for the stage that holds
//! most, the planner takes another plan for all stages. So after planning, the fastest plan that fits is mixed with faster ones
//! that do not. Lines predict the time and the memory of a stage under each plan ([`crate::cut`]), and from them follows the stage
//! at which the layouts should change. The first stages keep the most microbatches, so theirs are the layouts that hold little.
//! Where that promises enough, the list is taken apart there, its layers are pinned to the two layouts, and the program is planned
//! again. All else is decided for each part by itself: whether its weights are gathered once in a step, or for each microbatch, and
//! what it recomputes. The memory of the later layers has no price in this. The new plan is taken if its prediction is better, like
//! any other plan.
//!
//! Not here: layers that recompute more than others, but lie alike (`meshloom_plan`), and layouts by stage that a source gives
//! ([`crate::pipelining`]).

use crate::cut::worth;
use crate::cut_plan::StageParts;
use crate::pipelining::{Stages, with_layouts};
use meshloom_ir::{Constraint, Func, Layout, Port, Role};
use meshloom_plan::{
    self as planner, DecidedBy, Limits, MeasuredProgram, MixedParts, Parts, Plan, PlanError, PlanOptions,
};
use meshloom_source::entry::LayerLayouts;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The most faster programs that are mixed with the one that fits.
const FASTER: usize = 2;

/// A plan with layouts by stage.
pub struct PlanByStage {
    /// The given program with its list in parts.
    pub global: Func,
    /// With the layers of each stage.
    pub stages: Stages,
    pub plan: Plan,
}

/// Layouts of the list's tensors, by role and name.
type OfList<'f> = BTreeMap<(Role, &'f str), &'f Layout>;

/// Collectives outside of all loops: weights that are gathered once in a step are not gathered in the loops.
fn once(local: &Func) -> usize {
    local.body().ops.iter().filter(|&&o| local.op(o).op.collective_axes().is_some()).count()
}

fn of_list<'f>(local: &'f Func, list: &str) -> OfList<'f> {
    let ports = local.inputs.iter().zip(&local.body().args).filter(|(p, _)| p.is_of_list(list));
    ports.filter_map(|(p, &v)| Some(((p.role, p.name.as_str()), local.value(v).layout.as_ref()?))).collect()
}

/// Layouts by stage that promise to be enough faster: the layers of the first stages lie as in one program, the others as in another.
pub struct Mix {
    cut: MixedParts,
    early: Arc<Func>,
    late: Arc<Func>,
}

/// Layouts by stage that promise to be enough faster than `plan`, or why there are none.
///
/// # Errors
/// A reason, for a reader.
pub fn promised(parts: &StageParts<'_>, plan: &Plan) -> Result<Mix, &'static str> {
    let StageParts { global, of, budget, .. } = *parts;
    let taken = plan.parts_ps.ok_or("nothing predicts how long a step takes")?;
    if global.inputs.iter().any(|p| p.is_of_list(&of.list) && p.first_layer > 0) {
        return Err("the source says how layers lie in each stage");
    }
    let fits = plan.measured.iter().filter(|m| m.bytes <= budget).min_by_key(|m| (m.step_ps, m.bytes));
    let fits = fits.ok_or("no program that was measured fits")?;
    let mut faster: Vec<&MeasuredProgram> =
        plan.measured.iter().filter(|m| m.bytes > budget && worth(m.step_ps, taken)).collect();
    faster.sort_by_key(|m| (m.step_ps, m.bytes));
    // Those that differ in what they recompute alone were mixed by the planner.
    let mut seen = vec![(of_list(&fits.local, &of.list), once(&fits.local))];
    faster.retain(|m| {
        let other = (of_list(&m.local, &of.list), once(&m.local));
        let new = !seen.contains(&other);
        seen.extend(new.then_some(other));
        new
    });
    faster.truncate(FASTER);
    let late: Vec<&Func> = faster.iter().map(|m| &*m.local).collect();
    let mixes = parts.mixes(&fits.local, &late).into_iter().zip(&faster);
    let mixed = mixes.filter_map(|(mix, late)| Some((mix?(0)?, late.local.clone())));
    let mixed = mixed.filter(|m| worth(m.0.step_ps, taken)).min_by_key(|m| (m.0.step_ps, m.0.first));
    let (cut, late) = mixed.ok_or("no layouts that are too large for some stages are faster by enough")?;
    Ok(Mix { cut, early: fits.local.clone(), late })
}

/// The plan of the program whose first layers lie as in one program, and the others as in another.
///
/// # Errors
/// Those of [`planner::plan_measured`].
pub fn planned(
    parts: &StageParts<'_>,
    Mix { cut: mix, early, late }: &Mix,
    options: &PlanOptions,
) -> Result<PlanByStage, Vec<PlanError>> {
    let StageParts { global, of, target, budget, cuts } = *parts;
    let cannot = |why: &str| vec![PlanError::new(of.span, format!("the list cannot be taken apart: {why}"))];
    let layers: u64 = mix.sizes.iter().sum();
    let runs = [(0, mix.first, of_list(early, &of.list)), (mix.first, layers, of_list(late, &of.list))];
    let exactly = |l: &&Layout| Constraint::exactly(l);
    let names = global.inputs.iter().filter(|p| p.is_of_list(&of.list) && p.role == Role::Parameter);
    let pinned = names.flat_map(|p| {
        runs.iter().filter_map(|(first, end, lie)| {
            let state = global.inputs.iter().find(|s| s.role == Role::State && s.of.as_ref() == Some(&p.name));
            Some(LayerLayouts {
                name: p.name.clone(),
                first: *first,
                end: *end,
                params: lie.get(&(p.role, p.name.as_str())).map(exactly)?,
                state: state.and_then(|s| lie.get(&(s.role, s.name.as_str()))).map(exactly),
            })
        })
    });
    let stages = Stages { sizes: mix.sizes.clone(), given: true, layers: pinned.collect(), ..of.clone() };
    let pinned = with_layouts(global, &stages).ok_or_else(|| cannot("its layouts do not hold"))?;
    let apart = meshloom_stage::apart(global, &of.list, &[0, mix.first, layers]).map_err(|e| cannot(&e.to_string()))?;
    let parts = StageParts { global: &apart, of: &stages, target, budget, cuts };
    let Limits { programs, smaller, segments, perturbations, moves, .. } = Limits::BRIEF;
    let limits = Limits { programs, smaller, segments, perturbations, moves, ..options.limits };
    let options = PlanOptions { limits, roomy: Some(mix.first), ..options.clone() };
    let mut plan = planner::plan_measured(&pinned, &options, Some(&parts))?;
    // No person has annotated what was pinned here, and the certificate is about the program without these pins.
    if let Some(form) = &mut plan.certificate.form {
        (form.func.inputs, form.func.outputs) = (apart.inputs.clone(), apart.outputs.clone());
    }
    let open = |ports: &[Port], role: Option<Role>, name: &str| {
        ports.iter().any(|p| Some(p.role) == role && p.name == name && p.constraint.absent)
    };
    for t in &mut plan.tensors {
        if open(if t.is_output { &apart.outputs } else { &apart.inputs }, t.role, &t.name) {
            t.decided_by = DecidedBy::Search;
        }
    }
    Ok(PlanByStage { global: apart, stages, plan })
}
