//! How a GPU launches a spec: by the grid that the spec's entry chooses, or by a thread for each unit. Also the name of
//! the function.

use crate::gpu::GpuArch;
use crate::grid::Grid;
use crate::spec::KernelSpec;

impl Grid {
    /// The grid of a spec. `aligned` says whether all buffers of the launch begin at multiples of
    /// [`crate::gpu::ALIGN`].
    pub fn of(spec: &KernelSpec, gpu: GpuArch, aligned: bool) -> Grid {
        let chosen = |aligned: bool| {
            let by_blocks = spec.entry().grid(gpu, aligned);
            by_blocks.unwrap_or_else(|| Grid::by_units(spec.units(), scratch_of_thread(spec)))
        };
        let grid = chosen(aligned);
        Grid { unaligned: !aligned && chosen(true) != grid, ..grid }
    }

    /// The name of the kernel's function.
    pub fn symbol(&self, spec: &KernelSpec) -> String {
        let name = spec.symbol();
        if self.unaligned { format!("{name}_unaligned") } else { name }
    }
}

/// Bytes of workspace of a thread, if threads compute units.
pub fn scratch_of_thread(spec: &KernelSpec) -> u64 {
    spec.scratch_bytes().next_multiple_of(64)
}
