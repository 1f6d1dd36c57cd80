//! Scheduling: a local program (one device's ops on shards) becomes an executable one: a list of kernel launches and
//! collectives over one planned arena.
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
//! Not here: what a kernel's machine code looks like (`kernels`, `codegen`), and overlap of communication with computation, which
//! comes with asynchronous collectives.

pub mod attention;
pub mod bucket;
pub mod expand;
pub mod fuse;
pub mod lower;
pub mod memory;
pub mod normalize;
pub mod print;
pub mod program;
pub mod region;
pub mod rounding;
pub mod scalar;
pub mod storage;
pub mod uneven;
pub mod view;

pub use normalize::Expanded;
pub use program::{Options, Scheduled, schedule};

/// Why a local program cannot be scheduled for this target.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ScheduleError {
    pub message: String,
    pub span: meshloom_ir::Span,
}

impl std::fmt::Display for ScheduleError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for ScheduleError {}
