//! Lowering decides what a device runs for a local program (one device's ops on shards), and how much memory that takes.
//! The planner asks this crate for the memory of a plan, and [`executable`] writes the same answer down as an executable program.
//!
//! Eight decisions are taken here, in this order. Each has a file:
//! - [`fuse`]: which values get memory at all. Contractions, attention, scatters, collectives and loops read and write
//!   buffers. Elementwise ops, broadcasts, views and row reductions between them are computed inside a neighbour's
//!   kernel.
//! - [`storage`]: in which order the dims of a value lie in memory.
//! - [`region`]: in which order kernels run, and where loops keep their carries and stacks.
//! - [`lower`] and [`attention`]: which `KernelSpec` each kernel has.
//! - [`bucket`]: which small collectives become one [`call`].
//! - [`weave`]: in which order a pipeline stage runs the iterations of its loops over microbatches, and what it sends.
//! - [`stashes`] and [`offload`]: which stacks of loops lie in the host's memory, and which parts of what lies
//!   there are on the device when.
//! - [`memory`]: how long each buffer lives, and where in the arena it lies.
//!
//! [`arrange`] takes all of them for one program. [`held`] says what the bytes of the arena are for.
//!
//! Not here: layouts, and which values are rematerialized (`plan`); the types of an executable program (`bundle`);
//! the machine code of a kernel (`kernels`, `codegen`).

pub mod arrange;
pub mod attention;
pub mod bucket;
pub mod call;
pub mod columns;
pub mod composite;
pub mod contracted;
mod error;
pub mod executable;
pub mod expand;
pub mod facts;
pub mod fuse;
pub mod held;
pub mod inplace;
mod inserted;
pub mod joined;
pub mod listing;
pub mod lower;
pub mod memory;
pub mod normalize;
pub mod offload;
pub mod operand_sum;
pub mod region;
pub mod rounding;
mod runs;
pub mod scalar;
pub mod stashes;
pub mod state;
pub mod storage;
pub mod summed;
mod sums;
pub mod uneven;
pub mod vector_product;
pub mod view;
pub mod weave;

pub use error::LowerError;
pub use executable::program::{
    ScheduleOptions, Scheduled, Stage, declared, outline, schedule, schedule_stage, write_down,
};
pub use held::{Peak, peak};
pub use meshloom_kernels::{Device, GpuArch};
pub use normalize::Expanded;
pub use runs::Runs;
