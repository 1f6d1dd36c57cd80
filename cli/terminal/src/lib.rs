//! What all commands share: status on standard error, how they fail, bundles that they were given, and the allocator.
//!
//! Not here: what a command does (`cli`, `cli/run`), and anything that needs the runtime, so that a command that only plans is built
//! without it.

mod failed;
pub mod limits;
pub mod load;
pub mod memory;
pub mod status;
mod waiting;

pub use failed::{Failed, ICE, INTERRUPTED, PREEMPTED, RESHAPED, Result, exit_code};
