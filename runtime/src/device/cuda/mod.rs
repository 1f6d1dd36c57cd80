//! GPUs, by CUDA's driver API alone: nothing of the toolkit is needed, and a machine without a driver runs the same binary.
//!
//! ```text
//! functions    the driver's functions, loaded when a bundle for GPUs is opened
//! probe        what this machine has, and why it has not
//! order        which work waits for which, on several streams
//! images       which of a bundle's libraries a GPU takes
//! ```

pub mod functions;
pub mod images;
pub mod order;
pub mod probe;

pub use probe::{Cuda, Gpu, Missing};
