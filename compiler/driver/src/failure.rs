//! How a compilation ends when it does not end well.

use meshloom_ir::{Func, print, verify};
use meshloom_schedule::ScheduleError;
use meshloom_source::Diagnostic;
use std::fmt;

#[derive(Clone, Debug)]
pub enum Failure {
    /// The program is rejected; every diagnostic that was found.
    Rejected(Vec<Diagnostic>),
    /// No plan fits the memory of a device; what would help is in the notes.
    TooLarge(Vec<Diagnostic>),
    /// Text of IR that cannot be read, or is no program: where, and what is wrong.
    Text(String),
    /// A phase broke its own rules: a bug of Meshloom. The text reproduces it.
    Internal { phase: &'static str, message: String, reproducer: String },
    /// A tool or file that the environment should have.
    Environment(String),
}

impl Failure {
    /// The exit code that design and documentation promise.
    pub fn exit_code(&self) -> i32 {
        match self {
            Failure::Rejected(_) | Failure::Text(_) => 1,
            Failure::Environment(_) => 2,
            Failure::TooLarge(_) => 4,
            Failure::Internal { .. } => 101,
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Rejected(d) | Failure::TooLarge(d) => {
                let lines: Vec<&str> = d.iter().map(|d| d.message.as_str()).collect();
                f.write_str(&lines.join("\n"))
            }
            Failure::Internal { phase, message, .. } => write!(f, "internal error in phase `{phase}`: {message}"),
            Failure::Environment(m) | Failure::Text(m) => f.write_str(m),
        }
    }
}

impl std::error::Error for Failure {}

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
pub fn unscheduled(e: ScheduleError) -> Diagnostic {
    let way_out = match e == ScheduleError::too_large() {
        true => "smaller sizes (`--dim`), or more devices that share them (`--mesh`)",
        false => "`--target cpu` runs the most; on it, another layout or another form of this line may do",
    };
    Diagnostic::error("target", e.message).at(e.span, "").help(way_out)
}
