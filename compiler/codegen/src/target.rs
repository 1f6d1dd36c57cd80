//! What code is generated for, and how a GPU runs a kernel's text.

use serde::{Deserialize, Serialize};
use std::fmt;

/// Which CPU to generate for. Bundles carry the two levels; `run` compiles for the machine it is on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum CpuTarget {
    #[default]
    Host,
    /// AVX2 and FMA.
    X86_64V3,
    /// AVX-512 F, BW, CD, DQ, VL.
    X86_64V4,
}

/// What a kernel's text is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Mapping {
    /// A function of a range of units, as for a CPU.
    #[default]
    Units,
    /// The same, whose last buffer is scratch of this many bytes.
    UnitsWithScratch(u64),
    /// What one block of a GPU's grid does.
    Blocks,
}

/// A GPU to generate for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum GpuTarget {
    Sm80,
    Sm90a,
    Sm100a,
}

impl GpuTarget {
    pub const ALL: [GpuTarget; 3] = [GpuTarget::Sm80, GpuTarget::Sm90a, GpuTarget::Sm100a];

    /// As LLVM and ptxas both write it.
    pub fn architecture(self) -> &'static str {
        match self {
            GpuTarget::Sm80 => "sm_80",
            GpuTarget::Sm90a => "sm_90a",
            GpuTarget::Sm100a => "sm_100a",
        }
    }

    /// The oldest PTX version that has the architecture, so that old drivers load it.
    pub fn features(self) -> &'static str {
        match self {
            GpuTarget::Sm80 => "+ptx70",
            GpuTarget::Sm90a => "+ptx80",
            GpuTarget::Sm100a => "+ptx86",
        }
    }
}

impl fmt::Display for GpuTarget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.architecture())
    }
}
