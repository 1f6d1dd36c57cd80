//! Elastic runs: with `launch --elastic MIN..MAX` a run goes on when ranks are lost, and when ranks are added.
//!
//! ```text
//! agent     starts a generation of ranks, finds out how it ended, and starts the next one
//! members   how many ranks there are: some die, some come back after a while, people add and take some (`members::ask`)
//! sizes     how many of them take part: the most for which the bundle has a plan
//! rank      the other side: what a rank of a generation does otherwise than another one
//! ```
//!
//! The launcher is the agent, as `torchrun`'s is: ranks are processes that live for one generation. So nothing of a
//! generation is left in the next one but what `meshloom_runtime::elastic` keeps.
//!
//! Not here: several hosts. There `torchrun` or SLURM start ranks again, and these go on from a checkpoint
//! (`--resume auto`).

pub mod agent;
pub mod members;
pub(crate) mod rank;
mod sizes;

pub use sizes::{Range, Sizes};
