//! The other direction: launch files of torchtitan, Megatron-LM, DeepSpeed and accelerate as programs that can be planned.
//!
//! ```text
//! text -> pairs | shell -> words -> launch -> program (Loom text)
//!                                      \-> changes -> launch ..
//! ```
//!
//! `words` is one table of what each stack calls what, which the writers use too.
//!
//! Not here: planning, and what is printed of it (the command line).

mod changes;
mod launch;
mod model;
mod pairs;
mod program;
mod shell;

pub use crate::words::Key;
pub use changes::{LaunchChange, changes};
pub use launch::{Checkpoint, LaunchFile, LaunchGiven, Precision, Unread, Zero, launch, stack};
pub use model::Model;
pub use program::{LAYOUT, LaunchProgram, program};

/// Why a launch file cannot be read, and at which line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReadError {
    pub line: usize,
    pub message: String,
}

impl ReadError {
    pub(crate) fn new(line: usize, message: impl Into<String>) -> ReadError {
        ReadError { line, message: message.into() }
    }
}
