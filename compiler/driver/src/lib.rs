//! The driver: the phases in order. [`pipeline`] is the table of them, and the one place where a program passes from one to
//! the next; each phase's output is verified there before the next sees it.
//!
//! Not here: printing and options (`cli`), deciding anything. Files are read where a source imports them (`files`).

pub mod assert;
#[cfg(feature = "llvm")]
pub mod backend;
pub mod emit;
pub mod explain;
mod failure;
mod files;
pub mod fit;
mod gathered;
pub mod inspect;
mod parallel;
pub mod pipeline;
pub mod question;
pub mod report;

pub use failure::Failure;
pub use pipeline::{Asked, Entry, Options, PHASES, Phase, Program, check, lower, plan};
