//! A run whose processes change: what ranks keep in memory, so that other ranks can go on from the same step.
//!
//! A *generation* is a set of processes that run one plan. It ends when a process is lost, or when the launcher asks for
//! it. The next one may have another number of processes, and another plan of the same bundle.
//!
//! ```text
//! memory    a file in memory for each rank; the launcher holds them, so they outlive the ranks
//! format    what is in such a file: two slots, each with the parts of one step
//! keep      between two steps each rank writes its parts into the slot that is older
//! restore   the next generation finds the newest step of which everything is there, and each rank takes what it needs
//! ```
//!
//! Ranks meet between two steps, so no rank is more than one step ahead of another. While one slot is written, all ranks
//! have the step of the other one. So a process may be killed at any moment.
//!
//! The ranks keep the parts that they would write to a sharded checkpoint ([`crate::checkpoint`]), so together they
//! keep each element once. More copies would not help, since the memory of a killed rank outlives it. If the whole host
//! is lost, the last checkpoint has the state.
//!
//! Not here: starting processes and choosing how many (`meshloom launch`).

mod format;
mod keep;
mod memory;
mod restore;

pub use keep::Keeper;
pub use memory::{Handed, KeptMemory};
pub use restore::restore;
