//! CPU devices: memory, worker threads, loaded kernels, and the loop that runs a program. [`cuda`] is the same for GPUs.

mod arenas;
pub mod call;
mod channels;
mod courier;
pub mod cuda;
mod exec;
mod late;
pub mod library;
pub mod memory;
mod pool;
pub(crate) mod prepare;
mod turns;

use crate::error::Result;
use meshloom_bundle::LibraryContents;

/// What a bundle's devices are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeviceKind {
    Cpu,
    Cuda,
}

impl DeviceKind {
    /// A bundle with kernels for GPUs is for GPUs.
    pub fn of(libraries: &[LibraryContents]) -> DeviceKind {
        if libraries.iter().any(cuda::images::is_gpu) { DeviceKind::Cuda } else { DeviceKind::Cpu }
    }

    pub fn name(self) -> &'static str {
        match self {
            DeviceKind::Cpu => "cpu",
            DeviceKind::Cuda => "cuda",
        }
    }
}

/// The name of the library that this machine takes of a bundle's.
///
/// # Errors
/// It takes none, or has no device of the kind.
pub(crate) fn kernels(libraries: &[LibraryContents]) -> Result<String> {
    match DeviceKind::of(libraries) {
        DeviceKind::Cpu => library::choose(libraries).map(|l| l.name.clone()),
        DeviceKind::Cuda => {
            let cuda = cuda::Cuda::open()?;
            cuda::images::choose(libraries, &cuda.gpus[0], cuda.version).map(|l| l.name.clone())
        }
    }
}

/// The bytes of one element.
pub(crate) fn element(dtype: meshloom_bundle::DType, x: f64) -> [u8; 8] {
    prepare::pattern(dtype, meshloom_bundle::Number::Float(x)).bytes
}

pub(crate) use prepare::pattern;

pub use channels::{Channels, RankWires};
pub use exec::{CpuMachine, Share};
pub use late::LateStages;
pub use pool::{affinity, cores, may_spin};
pub use turns::{TurnTime, TurnTimes};
