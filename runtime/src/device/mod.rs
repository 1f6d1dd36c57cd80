//! CPU devices: memory, worker threads, loaded kernels, and the loop that runs a program.

mod arenas;
mod call;
mod exec;
pub mod library;
pub mod memory;
mod pool;
mod prepare;

/// The bytes of one element.
pub(crate) fn element(dtype: meshloom_bundle::DType, x: f64) -> [u8; 8] {
    prepare::pattern(dtype, x).bytes
}

pub use exec::Machine;
pub use pool::{affinity, cores, may_spin};
