//! Scheduling: the kernels of a local program, over one arena, become an executable program.
//!
//! `meshloom_fusion` has decided which kernels there are, in which order they run and where their buffers lie. This crate writes
//! that down as the types of a bundle: ports, instructions with offsets, each distinct kernel once.
//!
//! Not here: what a kernel's machine code looks like (`kernels`, `codegen`), and overlap of communication with computation, which
//! comes with asynchronous collectives.

pub mod print;
pub mod program;

pub use meshloom_fusion::FusionError as ScheduleError;
pub use meshloom_fusion::normalize::Expanded;
pub use program::{ScheduleOptions, Scheduled, Stage, declared, outline, schedule, schedule_stage, write_down};
