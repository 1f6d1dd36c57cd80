//! GPUs: the architectures that kernels are made for, and the figures of their hardware that specs, grids and templates share.
//!
//! Not here: how a launch covers the units of a kernel ([`crate::grid`]).

pub use crate::grid::{Grid, Mapping};
pub use crate::launch::scratch_of_thread;

/// An architecture of GPUs.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Gpu {
    Sm80,
    Sm90a,
    Sm100a,
}

/// What kind of device a program is scheduled for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum Device {
    #[default]
    Cpu,
    Gpu(Gpu),
    /// The same without the tensor memory accelerator: threads copy what it would bring to contractions. To see what it is worth.
    GpuWithoutTma(Gpu),
}

impl Device {
    pub fn gpu(self) -> Option<Gpu> {
        match self {
            Device::Cpu => None,
            Device::Gpu(gpu) | Device::GpuWithoutTma(gpu) => Some(gpu),
        }
    }

    /// Whether kernels multiply floats of 8 bits as they are.
    pub fn multiplies_float8(self) -> bool {
        matches!(self.gpu(), Some(Gpu::Sm90a | Gpu::Sm100a))
    }
}

impl Gpu {
    /// Whether it has a tensor memory accelerator that templates use.
    pub fn fetches(self) -> bool {
        self == Gpu::Sm90a
    }

    pub const ALL: [Gpu; 3] = [Gpu::Sm80, Gpu::Sm90a, Gpu::Sm100a];

    /// As LLVM, ptxas and the bundle's members call it.
    pub fn name(self) -> &'static str {
        match self {
            Gpu::Sm80 => "sm_80",
            Gpu::Sm90a => "sm_90a",
            Gpu::Sm100a => "sm_100a",
        }
    }

    pub fn by_name(name: &str) -> Option<Gpu> {
        Gpu::ALL.into_iter().find(|g| g.name() == name)
    }

    /// Multiprocessors.
    pub fn processors(self) -> u64 {
        match self {
            Gpu::Sm80 => 108,
            Gpu::Sm90a => 132,
            Gpu::Sm100a => 148,
        }
    }
}

/// Bytes that one access of a thread moves at best. Kernels whose buffers do not all begin at multiples of it have a variant of their
/// own.
pub const ALIGN: u64 = 16;

/// Lanes of a warp.
pub const WARP: u64 = 32;

/// Bytes of a line, and what it holds of 16-bit numbers.
pub const LINE: u64 = 128;
pub const LINE_ELEMENTS: u64 = 64;
