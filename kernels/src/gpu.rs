//! GPUs: the architectures that kernels are made for, and how a launch covers the units of a kernel.
//!
//! Two mappings. *Units*: the function that a CPU runs becomes a device function, and every thread calls it for single units; right for
//! any spec, and nothing more. *Blocks*: a template of its own for GPUs ([`crate::emit::gpu`]), which knows of threads, warps and shared
//! memory. What [`Grid::of`] says of a spec, the emitter and the bundle agree on.

use crate::spec::KernelSpec;

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
}

impl Gpu {
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

    /// The GPU of a built-in target description.
    pub fn of_target(target: &str) -> Option<Gpu> {
        match target {
            "a100-80g" => Some(Gpu::Sm80),
            "h100-sxm" | "h200" => Some(Gpu::Sm90a),
            "b200" => Some(Gpu::Sm100a),
            _ => None,
        }
    }
}

/// Who computes a unit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mapping {
    /// A thread, running the function that a CPU runs.
    Units,
    /// A block, running a template for GPUs.
    Blocks,
}

/// How the units of a kernel are spread over threads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Grid {
    pub mapping: Mapping,
    pub units: u64,
    /// Threads of a block.
    pub threads: u32,
    pub shared_bytes: u32,
    /// Bytes of device memory that a block needs to itself.
    pub workspace: u64,
}

/// Threads of a block of the mapping by units.
const THREADS: u32 = 128;

/// The same where each thread has scratch of its own: the fewer there are, the less memory a launch takes.
const THREADS_WITH_SCRATCH: u32 = 32;

/// Blocks that have a workspace at a time, at most; and what they may take together, unless one alone takes more.
const WORKSPACE_BLOCKS: u64 = 512;
const WORKSPACE_BYTES: u64 = 64 << 20;

impl Grid {
    pub fn of(spec: &KernelSpec, _gpu: Gpu) -> Grid {
        let (units, scratch) = (spec.units(), scratch_of_thread(spec));
        let threads = if scratch > 0 { THREADS_WITH_SCRATCH } else { THREADS };
        let threads = if units == 1 { 32 } else { threads };
        let used = u64::from(threads).min(units.max(1));
        Grid { mapping: Mapping::Units, units, threads, shared_bytes: 0, workspace: used * scratch }
    }

    /// Units that a block takes at a time.
    pub fn units_per_block(&self) -> u64 {
        match self.mapping {
            Mapping::Units => self.threads.into(),
            Mapping::Blocks => 1,
        }
    }

    /// Workspace of a whole launch.
    pub fn workspace_bytes(&self) -> u64 {
        let busy = self.units.div_ceil(self.units_per_block()).clamp(1, WORKSPACE_BLOCKS);
        self.workspace * busy.min(WORKSPACE_BYTES / self.workspace.max(1)).max(1)
    }
}

/// Bytes of workspace of a thread in the mapping by units.
pub fn scratch_of_thread(spec: &KernelSpec) -> u64 {
    spec.scratch_bytes().next_multiple_of(64)
}
