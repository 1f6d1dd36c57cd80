//! One entry with a plan that is certified.
//!
//! Not here: all entries of a program ([`crate::pipeline`]), and which plan is the best ([`meshloom_strategy::variants`]).

use crate::failure::{unscheduled, verified};
use meshloom_certify as certify;
use meshloom_ir::{Func, print};
use meshloom_plan::{Plan, PlanError};
use meshloom_source::{Diagnostic, Failure};
use meshloom_strategy::compiler::Attempt;
use meshloom_strategy::entry::Elaborated;
use meshloom_strategy::entry_plan::EntryRefused;
use meshloom_strategy::settings::Settings;
use meshloom_strategy::variants::best;

/// Plans and certifies an entry as [`crate::pipeline::plan`] does, without a search for what would help where it does not fit.
///
/// # Errors
/// Those of [`crate::pipeline::plan`].
pub fn attempt(entry: &Elaborated, settings: &Settings) -> Result<Attempt, Failure> {
    let (made, step) = best(entry, settings, false);
    match made {
        Ok((plan, ranks)) => {
            let apart = ranks.as_ref().and_then(|r| r.apart.as_ref());
            let apart = apart.or(step.as_ref().map(|s| &s.global));
            certified(apart.unwrap_or(&entry.global), &plan)?;
            Ok(Attempt::Planned(Box::new((plan, ranks))))
        }
        Err(EntryRefused::TooLarge { needs, .. }) => Ok(Attempt::TooLarge { needs }),
        Err(EntryRefused::Layouts(e)) => Err(Failure::Rejected(e.into_iter().map(refused).collect())),
        Err(EntryRefused::Target(e)) => Err(Failure::Rejected(vec![unscheduled(e)])),
        Err(EntryRefused::Said(d)) => Err(Failure::Rejected(vec![*d])),
    }
}

/// Has the checker prove a plan.
///
/// # Errors
/// What it refused, as a mistake of the planner.
pub fn certified(global: &Func, plan: &Plan) -> Result<certify::Proof, Failure> {
    verified("local", &plan.local)?;
    certify::check(global, &plan.local, &plan.certificate).map_err(|rejections| Failure::Internal {
        phase: "certify",
        message: rejections.iter().take(5).map(|r| r.to_string()).collect::<Vec<_>>().join("; "),
        reproducer: format!(
            "{}\n{}\n{}",
            print::print(global),
            print::print(&plan.local),
            certify::text::print(&plan.certificate, global, &plan.local)
        ),
    })
}

/// Annotations that cannot hold.
pub fn refused(e: PlanError) -> Diagnostic {
    let d = Diagnostic::error("layout", e.message).at(e.span, "");
    match e.help {
        Some(h) => d.help(h),
        None => d,
    }
}
