//! Running a bundle from the command line, as one process or as one of several: options, progress, Ctrl-C, checkpoints,
//! outputs and sampled text. Starting several processes is here too.
//!
//! Two programs share this crate: `meshloom run`, which compiles first, and `meshloom-run`, which holds the runtime
//! alone.
//!
//! Not here: anything that compiles (`cli`), and everything that executes (`runtime`).

mod agree;
mod args;
pub mod doctor;
mod draw;
pub mod elastic;
mod ends;
mod execute;
pub mod inputs;
pub mod interrupt;
mod join;
pub mod kernels;
pub mod launch;
mod measured;
mod outputs;
mod plot;
mod progress;
mod sample;
mod signals;
mod stages;
mod stragglers;
mod timed;

pub use args::{DeviceArgs, RunArgs};
pub use execute::{check_devices, execute, main_entry};
pub use measured::{Measured, MeasuredStep};

use meshloom_terminal::{Failed, INTERRUPTED, PREEMPTED, RESHAPED, Result, load, status};
