//! Collectives between GPUs of several processes, by NCCL: a thin wrapper that owns its handles.
//!
//! ```text
//! library    the functions, loaded when they are needed
//! comm       communicators: made without blocking, asked for errors, ended in order or aborted
//! exchange   a program's collectives as calls, with packing where blocks are not contiguous
//! watched    the same under watch: who is late, who has failed
//! ```
//!
//! All ranks make the same calls of a communicator in the same order, since those that have it run the same program, or are the two ends
//! of wires, of which `bundle::validate_stages` finds circles of waits. A loop that ends early ends alike on all devices
//! (`certify::check::region`). Handles are owned here, because `Drop for Comm` of `cudarc` aborts a communicator
//! even at an orderly end.

mod comm;
mod exchange;
pub mod library;
mod watched;

pub use comm::{Comm, ID_BYTES, Watch};
pub use exchange::{Ranks, Remote, SplitPlace, Splits};
pub use library::Nccl;
pub use watched::Watched;
