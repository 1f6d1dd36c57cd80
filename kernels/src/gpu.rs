//! GPUs: the architectures that kernels are made for, and the figures of their hardware that specs, grids and templates share.
//!
//! Not here: how a launch covers the units of a kernel ([`crate::grid`]).

pub use crate::grid::{Grid, Mapping};
pub use crate::launch::scratch_of_thread;

/// An architecture of GPUs.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum GpuArch {
    Sm80,
    Sm90a,
    Sm100a,
}

/// What kind of device a program is scheduled for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum Device {
    #[default]
    Cpu,
    Gpu(GpuArch),
    /// A GPU whose contractions do not use the tensor memory accelerator: threads copy slices. It shows what the
    /// accelerator is worth.
    GpuWithoutTma(GpuArch),
}

impl Device {
    pub fn gpu(self) -> Option<GpuArch> {
        match self {
            Device::Cpu => None,
            Device::Gpu(gpu) | Device::GpuWithoutTma(gpu) => Some(gpu),
        }
    }

    /// Whether kernels multiply floats of 8 bits as they are.
    pub fn multiplies_float8(self) -> bool {
        matches!(self.gpu(), Some(GpuArch::Sm90a | GpuArch::Sm100a))
    }
}

impl GpuArch {
    /// Whether it has a tensor memory accelerator that templates use.
    pub fn fetches(self) -> bool {
        matches!(self, GpuArch::Sm90a | GpuArch::Sm100a)
    }

    /// Whether its warpgroups multiply what lies in shared memory (`wgmma`).
    pub fn has_warpgroups(self) -> bool {
        self == GpuArch::Sm90a
    }

    pub const ALL: [GpuArch; 3] = [GpuArch::Sm80, GpuArch::Sm90a, GpuArch::Sm100a];

    /// The name that LLVM, ptxas and the members of a bundle use.
    pub fn name(self) -> &'static str {
        match self {
            GpuArch::Sm80 => "sm_80",
            GpuArch::Sm90a => "sm_90a",
            GpuArch::Sm100a => "sm_100a",
        }
    }

    pub fn by_name(name: &str) -> Option<GpuArch> {
        GpuArch::ALL.into_iter().find(|g| g.name() == name)
    }

    /// The number of multiprocessors.
    pub fn processors(self) -> u64 {
        match self {
            GpuArch::Sm80 => 108,
            GpuArch::Sm90a => 132,
            GpuArch::Sm100a => 148,
        }
    }
}

/// The most bytes that one access of a thread moves. A kernel has a variant for launches whose buffers do not all begin
/// at multiples of it.
pub const ALIGN: u64 = 16;

/// Lanes of a warp.
pub const WARP: u64 = 32;

/// The bytes of a line of shared memory, and the 16-bit numbers that it has room for.
pub const LINE: u64 = 128;
pub const LINE_ELEMENTS: u64 = 64;
