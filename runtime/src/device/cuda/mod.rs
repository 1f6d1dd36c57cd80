//! GPUs, by CUDA's driver API alone: nothing of the toolkit is needed, and a machine without a driver runs the same binary.
//!
//! ```text
//! functions    the driver's functions, loaded when a bundle for GPUs is opened
//! probe        what this machine has, and why it has not
//! images       which of a bundle's libraries a GPU takes
//! driver       what the executor asks of a device: gpu by CUDA, simulated on the host
//! unroll       a program's loops as a list of work
//! order        which work waits for which, on several streams
//! blas         matmuls by cuBLASLt
//! exchange     collectives between devices of one GPU, with reduction's kernels
//! exec         the step: given out, captured, replayed
//! newer        clusters and tensor maps, of newer drivers
//! ready        kernels made ready, and what takes the place of those whose tensor maps are refused
//! staging      to and from the host
//! waited       what a kernel says that gave up waiting
//! ```

pub mod blas;
pub mod driver;
pub mod exchange;
mod exec;
pub mod functions;
pub mod gpu;
pub mod images;
pub mod newer;
pub mod order;
pub mod probe;
mod ready;
mod reduction;
pub mod simulated;
mod staging;
mod unroll;
mod waited;

pub use exec::{GpuMachine, MakeExchange};
pub use probe::{Cuda, GpuInfo, Missing};

use crate::collectives::nccl::{ID_BYTES, Nccl, Ranks, Remote, Watched};
use crate::error::{Result, RuntimeError};
use crate::world::{Spot, World};
use meshloom_bundle::{LibraryContents, Program};
use std::sync::Arc;

/// Lets several ranks of NCCL use one GPU.
const SHARED: &str = "NCCL_MULTI_RANK_GPU_ENABLE";

/// A program on this machine's GPUs: all devices of its mesh share the first one, or each process has one of its own, and NCCL carries
/// out the collectives.
///
/// # Errors
/// There is no GPU that runs it, or it has too little memory; several processes and no NCCL.
pub fn open(program: &Program, libraries: &[LibraryContents], world: Option<&Arc<World>>) -> Result<GpuMachine> {
    let cuda = Cuda::open()?;
    let Some(world) = world else {
        let driver = gpu::Gpu::open(cuda, 0, libraries)?;
        return GpuMachine::new(program, Box::new(driver), 0..program.devices(), None);
    };
    let (own, devices) = (world.devices(program.devices())?, program.devices());
    if own.len() != 1 {
        let message = format!("on GPUs each process has one device: start {devices}, or one with `--launcher none`");
        return Err(RuntimeError::usage("world size", message));
    }
    let nccl = Nccl::open().map_err(|why| RuntimeError::usage("nccl", format!("several GPUs need it: {why}")))?;
    let (gpus, size) = (cuda.gpus.len(), world.on_this_host());
    let shared = std::env::var(SHARED).is_ok_and(|v| v == "1") && nccl.version >= 23_004;
    if gpus > 1 && gpus < size && !shared {
        let message = format!(
            "{size} processes on this host and {gpus} GPUs: NCCL 2.30.4 or newer with {SHARED}=1 lets several share one"
        );
        return Err(RuntimeError::usage("nccl", message));
    }
    // Launchers that give each process a GPU of its own show it no other.
    let driver = gpu::Gpu::open(cuda, world.local() % gpus, libraries)?;
    let ranks = Ranks {
        rank: world.rank(),
        size: world.size(),
        timeout: world.timeout(),
        watch: Some(Watched::watch_of(world)),
    };
    let share = |id: &mut [u8; ID_BYTES]| world.combine(id, Spot::START);
    let others: Box<MakeExchange<'_>> = Box::new(move |driver, calls, arena| {
        let remote = Remote::new(&Arc::new(nccl), driver, calls, arena, &ranks, share)?;
        Ok(Box::new(Watched::new(remote, world, program)))
    });
    GpuMachine::new(program, Box::new(driver), own, Some(others))
}
