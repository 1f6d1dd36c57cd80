//! A run whose processes change: what is kept in memory, so that other processes go on where these were.
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
//! Who keeps which part is what [`crate::checkpoint`] says of sharded checkpoints: together the ranks keep each element
//! once. More copies would serve nobody here, since the memory of a rank that was killed is still there. What is lost
//! with the whole host is in the last checkpoint.
//!
//! Not here: starting processes and choosing how many (`meshloom launch`).

mod format;
mod keep;
mod memory;
mod restore;

pub use keep::Keeper;
pub use memory::{Handed, KeptMemory};
pub use restore::restore;
