//! GPUs, by CUDA's driver API alone: nothing of the toolkit is needed, and a machine without a driver runs the same binary.
//!
//! ```text
//! functions    the driver's functions, loaded when a bundle for GPUs is opened
//! probe        what this machine has, and why it has not
//! images       which of a bundle's libraries a GPU takes
//! driver       what the executor asks of a device: gpu by CUDA, simulated on the host
//! unroll       a program's loops as a list of work
//! order        which work waits for which, on several streams
//! exchange     collectives between devices of one GPU, with reduction's kernels
//! exec         the step: given out, captured, replayed
//! staging      to and from the host
//! ```

pub mod driver;
mod exchange;
mod exec;
pub mod functions;
mod gpu;
pub mod images;
pub mod order;
pub mod probe;
mod reduction;
pub mod simulated;
mod staging;
mod unroll;

pub use exec::Machine;
pub use probe::{Cuda, Gpu, Missing};

use crate::error::{Error, Result};
use crate::world::World;
use meshloom_bundle::{LibraryContents, Program};
use std::sync::Arc;

/// A program on this machine's GPU: all devices of its mesh share the first one.
///
/// # Errors
/// There is no GPU that runs it, or it has too little memory.
pub fn open(program: &Program, libraries: &[LibraryContents], world: Option<&Arc<World>>) -> Result<Machine> {
    if world.is_some() {
        return Err(Error::usage("cuda", "this version runs programs on one GPU, in one process: `--launcher none`"));
    }
    let driver = gpu::Gpu::open(Cuda::open()?, 0, libraries)?;
    Machine::new(program, Box::new(driver), 0..program.devices(), None)
}
