//! What programs are compiled for.
//!
//! Not here: how fast it is ([`super::Target`]).

use meshloom_lower::{Device, GpuArch};

/// What programs are compiled for. GPUs by the architecture that PTX is made for, as LLVM and ptxas name it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Arch {
    /// CPUs: devices are threads that share memory.
    X86_64,
    /// Ampere
    Sm80,
    /// Hopper
    Sm90a,
    /// Blackwell
    Sm100a,
}

impl Arch {
    pub const ALL: [Arch; 4] = [Arch::X86_64, Arch::Sm80, Arch::Sm90a, Arch::Sm100a];

    /// As `arch` in a target file has it.
    pub fn name(self) -> &'static str {
        match self {
            Arch::X86_64 => "x86-64",
            Arch::Sm80 => "sm_80",
            Arch::Sm90a => "sm_90a",
            Arch::Sm100a => "sm_100a",
        }
    }

    pub fn by_name(name: &str) -> Option<Arch> {
        Arch::ALL.into_iter().find(|a| a.name() == name)
    }

    pub fn is_gpu(self) -> bool {
        self != Arch::X86_64
    }

    /// What runs the programs.
    pub fn device(self) -> Device {
        match self {
            Arch::X86_64 => Device::Cpu,
            Arch::Sm80 => Device::Gpu(GpuArch::Sm80),
            Arch::Sm90a => Device::Gpu(GpuArch::Sm90a),
            Arch::Sm100a => Device::Gpu(GpuArch::Sm100a),
        }
    }

    /// `"x86-64" for CPUs, "sm_80", "sm_90a" or "sm_100a" for GPUs`
    pub(super) fn choices() -> String {
        let gpus: Vec<String> = Arch::ALL.iter().filter(|a| a.is_gpu()).map(|a| format!("\"{}\"", a.name())).collect();
        let (last, others) = gpus.split_last().map_or(("", &[][..]), |(last, others)| (last.as_str(), others));
        format!("\"{}\" for CPUs, {} or {last} for GPUs", Arch::X86_64.name(), others.join(", "))
    }
}
