//! What the phases have in common of failures: a check of the IR behind each, and the words for a program that a target cannot run.
//!
//! Not here: how a compilation ends ([`meshloom_source::Failure`]).

use meshloom_ir::{Func, print, verify};
use meshloom_lower::LowerError;
use meshloom_source::{Diagnostic, Failure};

/// Holds what a phase gave to the rules of the IR.
///
/// # Errors
/// What is broken, as a bug of the phase.
pub(crate) fn verified(phase: &'static str, func: &Func) -> Result<(), Failure> {
    verify::verify(func).map_err(|errors| {
        let message = errors.iter().map(|e| e.to_string()).collect::<Vec<_>>().join("; ");
        Failure::Internal { phase, message, reproducer: print::print(func) }
    })
}

/// What says that a target cannot run a program.
pub fn unscheduled(e: LowerError) -> Diagnostic {
    let way_out = match e == LowerError::too_large() {
        true => "smaller sizes (`--dim`), or more devices that share them (`--mesh`)",
        false => "`--target cpu` runs the most; on it, another layout or another form of this line may do",
    };
    Diagnostic::error("target", e.message).at(e.span, "").help(way_out)
}
