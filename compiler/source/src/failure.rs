//! How a compilation ends when it does not end well.
//!
//! Not here: what is wrong with a program ([`Diagnostic`]), and which phase finds it (`driver`).

use crate::diagnostic::Diagnostic;
use crate::map::SourceMap;
use std::fmt;

/// Both what went wrong and the sources its spans point into.
pub type CompileResult<T> = Result<T, (Failure, SourceMap)>;

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
