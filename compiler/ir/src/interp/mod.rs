//! What a program means: [`eval`] runs a global program as if on one enormous device, [`spmd`] runs a local program on
//! simulated devices in lock step, collectives included. Both go through [`machine`], op by op, on plain host tensors.
//!
//! These are the oracle for everything else (certificates, generated code, the runtime's byte counts), so they are written
//! to be read. Programs are verified first and sizes are limited: no program makes them panic or run out of memory.

pub mod collective;
pub mod eval;
mod machine;
pub mod shards;
pub mod spmd;

pub use eval::eval;
pub use shards::{shard, unshard, unshard_as};
pub use spmd::Traffic;
