//! Devices: what runs a program. [`cpu`] are those of the host's cores and [`gpu`] those of CUDA; neither names the other.
//!
//! Beside them lies what both need: loaded kernels ([`library`], [`call`]; the simulated GPU runs kernels on the host), memory that is
//! counted ([`memory`]), and values as bytes ([`pattern`]). Not here: what devices say to each other ([`crate::collectives`]).

pub mod call;
pub mod cpu;
pub mod gpu;
pub mod library;
pub mod memory;
pub(crate) mod pattern;

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
        if libraries.iter().any(gpu::images::is_gpu) { DeviceKind::Cuda } else { DeviceKind::Cpu }
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
            let cuda = gpu::Cuda::open()?;
            gpu::images::choose(libraries, &cuda.gpus[0], cuda.version).map(|l| l.name.clone())
        }
    }
}

/// The bytes of one element.
pub(crate) fn element(dtype: meshloom_bundle::DType, x: f64) -> [u8; 8] {
    pattern::pattern(dtype, meshloom_bundle::Number::Float(x)).bytes
}

pub use cpu::{Channels, CpuMachine, LateStages, RankWires, Share, TurnTime, TurnTimes, affinity, cores, may_spin};
