//! Whether somebody's DTensor plan computes what a module computes: `parallelize_module` with its styles, `fully_shard` and `replicate`, as
//! data, against the loss and the gradients of the module.
//!
//! The program of one device is written as PyTorch would run it ([`walk`]). Outside of modules with a style each op computes on what a
//! device has, and nothing is exchanged. Where a tensor goes into a module with a style or comes out of one, the style's `from_local`,
//! `redistribute` and `to_local` are applied ([`cross`]), and in the backward pass what PyTorch's autograd makes of them. Between them,
//! tensors are DTensors, which exchange what an op needs. What of this cannot be is refused, with module, op and layout. What is left
//! goes with its claims to `certify`, so that an accepted plan is one that is proved.
//!
//! Axes of data are no part of that program. Each of their ranks runs the module on rows of its own; what is checked is that the gradients
//! of all parameters are averaged over them ([`data`]).
//!
//! Not here: how a program comes to say where modules begin and end (`meshloom.torch.boundaries`), and files.

mod assign;
mod boundary;
mod cross;
mod data;
mod free;
mod local;
mod places;
mod plan;
mod refusal;
mod reshard;
mod state;
mod styles;
mod tensor;
mod tree;
mod walk;
mod words;

pub use places::Place;
pub use plan::{DtensorPlan, Placement};
pub use refusal::{PlanRefusal, Verdict};
pub use tree::Modules;

use meshloom_ir::{Func, Mesh, Span};

/// Follows a plan through the loss and the gradients of a module.
///
/// `place` says where in the user's Python an op comes from.
///
/// # Errors
/// The plan names an axis that its mesh lacks, or the program is none with boundaries.
pub fn check(
    func: &Func,
    modules: &Modules,
    place: &dyn Fn(Span) -> Option<Place>,
    plan: &DtensorPlan,
) -> Result<Verdict, String> {
    let styled = styles::resolve(plan, modules, func)?;
    let mut func = func.clone();
    func.mesh = Mesh::new(styled.axes.iter().map(|(n, s)| (n.clone(), *s)));
    let (mut refusals, mut warnings) = (styled.refusals.clone(), styled.warnings.clone());
    refusals.extend(data::uncovered(plan, modules, &func));
    let walked = walk::walk(&func, modules, place, &styled);
    refusals.extend(walked.refusals);
    warnings.extend(walked.warnings);
    if !refusals.is_empty() {
        return Ok(Verdict { refusals: refusal::gathered(refusals), warnings, steps: 0, collectives: 0 });
    }
    let collectives = walked.local.ops.iter().filter(|o| o.op.communicates()).count();
    match meshloom_certify::check(&func, &walked.local, &walked.certificate) {
        Ok(proof) => Ok(Verdict { refusals, warnings, steps: proof.steps, collectives }),
        Err(rejected) => {
            let refusals = rejected.iter().map(|r| PlanRefusal::unproved(&r.to_string())).collect();
            Ok(Verdict { refusals: refusal::gathered(refusals), warnings, steps: 0, collectives })
        }
    }
}
