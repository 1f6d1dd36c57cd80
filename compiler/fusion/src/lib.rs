//! Fusion: what a device runs for a local program (one device's ops on shards), and what it holds meanwhile. The planner asks
//! this for the memory of a plan, and the scheduler writes it down as an executable program: there is one answer.
//!
//! Six decisions are taken here, in this order, each in its own file:
//! - [`fuse`]: which values get memory at all. Contractions, attention, scatters, collectives and loops read and write buffers;
//!   everything elementwise, every broadcast, view and row reduction between them is computed inside a neighbour's kernel.
//! - [`storage`]: in which order the dims of a value lie in memory.
//! - [`region`]: the order, and where loops keep their carries and stacks.
//! - [`lower`] and [`attention`]: each kernel as a `KernelSpec`.
//! - [`bucket`]: small collectives that can be one call.
//! - [`memory`]: lifetimes and arena offsets.
//!
//! [`arrange`] takes them all for one program, and [`held`] tells what of the arena is what.
//!
//! Not here: layouts and what is computed twice (`plan`), the types of an executable program (`schedule`), and what a kernel's
//! machine code looks like (`kernels`, `codegen`).

pub mod arrange;
pub mod attention;
pub mod bucket;
pub mod composite;
pub mod dtype;
mod error;
pub mod expand;
pub mod facts;
pub mod fuse;
pub mod held;
pub mod joined;
pub mod lower;
pub mod memory;
pub mod normalize;
pub mod region;
pub mod rounding;
pub mod scalar;
pub mod state;
pub mod storage;
pub mod uneven;
pub mod view;

pub use arrange::Runs;
pub use error::FusionError;
pub use held::{Peak, peak};
pub use meshloom_kernels::{Device, GpuArch};
