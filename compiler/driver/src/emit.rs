//! The text of each phase's output, for `--emit` and for the tests.

use crate::failure::Failure;
use crate::pipeline::{Entry, Program};
use meshloom_ir::print::print;

/// An entry in the phases that speak StableHLO: the global program, or that of each device; `None` for other phases, and where
/// there is no plan.
///
/// # Errors
/// What StableHLO cannot say, all of it.
pub fn stablehlo(entry: &Entry, phase: &str) -> Option<Result<String, Failure>> {
    let text = match phase {
        "stablehlo" => meshloom_stablehlo::emit::global(&entry.global),
        "stablehlo-local" => meshloom_stablehlo::emit::local(&entry.plan.as_ref()?.local, &entry.global),
        _ => return None,
    };
    Some(text.map_err(Failure::Rejected))
}

/// The output of a phase for one entry; `None` where the phase was not run or is not per entry.
pub fn text(program: &Program, entry: &Entry, phase: &str) -> Option<String> {
    match phase {
        "parse" => meshloom_syntax::format::format(&program.text).ok(),
        "elaborate" => Some(print(&entry.elaborated)),
        "grad" => Some(print(&entry.global)),
        "local" => entry.plan.as_ref().map(|p| print(&p.local)),
        "certify" => {
            entry.plan.as_ref().map(|p| meshloom_certify::text::print(&p.certificate, &entry.global, &p.local))
        }
        "schedule" => entry.scheduled.as_ref().map(meshloom_schedule::print::print),
        "plan" => crate::report::of(program, entry).map(|r| r.text()),
        _ => None,
    }
}
