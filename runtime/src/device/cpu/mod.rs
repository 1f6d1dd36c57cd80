//! CPU devices: arenas, worker threads, and the loop that runs a program.
//!
//! ```text
//! prepare    a program's instructions, ready to be run
//! exec       the loop over them, for the devices of one program
//! arenas     the memory that each device has
//! pool       worker threads, and the cores that they may use
//! channels   wires between the ranks of a pipeline, in memory that both have
//! courier    the same between hosts
//! late       which rank is where, and which is late
//! turns      how long the actions of a schedule took
//! ```
//!
//! Not here: GPUs, and the kernels themselves.

mod arenas;
mod channels;
mod courier;
mod exec;
mod late;
mod pool;
mod prepare;
mod turns;

pub use channels::{Channels, RankWires};
pub use exec::{CpuMachine, Share};
pub use late::LateStages;
pub use pool::{affinity, cores, may_spin};
pub use turns::{TurnTime, TurnTimes};
