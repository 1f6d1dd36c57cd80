//! GPUs, by CUDA's driver API alone: nothing of the toolkit is needed, and a machine without a driver runs the same binary.
//!
//! ```text
//! functions    the driver's functions, loaded when a bundle for GPUs is opened
//! probe        what this machine has, and why it has not
//! images       which of a bundle's libraries a GPU takes
//! driver       what the executor asks of a device: hardware by CUDA, simulated on the host
//! sequence     the programs of a pipeline's ranks in one order, and when to be ready for what others send
//! unroll       programs' loops as a list of work
//! order        which work waits for which, on several streams
//! blas         matmuls by cuBLASLt
//! exchange     collectives between devices of one GPU, with reduction's kernels
//! parts        the devices of one program: memory, kernels, ends of wires
//! exec         the step: given out, captured, replayed
//! recording    a step as it is traced
//! timed        many steps, one wait
//! progress     how far a stream is, for the host to see
//! whereabouts  where the rank of a pipeline is, for others to see
//! newer        clusters and tensor maps, of newer drivers
//! ready        kernels made ready, and what takes the place of those whose tensor maps are refused
//! staging      to and from the host
//! passed       to and from memory of others on the same GPU
//! lent         memory that callers own
//! waited       what a kernel says that gave up waiting
//! ```

pub mod blas;
pub mod driver;
pub mod exchange;
mod exec;
pub mod functions;
pub mod hardware;
pub mod images;
mod lent;
pub mod newer;
pub mod order;
mod parts;
mod passed;
pub mod probe;
pub mod progress;
mod ready;
mod recording;
mod reduction;
mod sequence;
pub mod simulated;
mod staging;
mod timed;
mod unroll;
mod waited;
pub mod whereabouts;

pub use exchange::MakeExchange;
pub use exec::GpuMachine;
pub use lent::DeviceMemory;
pub use passed::Direction;
pub use probe::{Cuda, GpuInfo, Missing};

use crate::collectives::nccl::{ID_BYTES, Nccl, Ranks, Remote, SplitPlace, Splits, Watched};
use crate::error::{Result, RuntimeError};
use crate::held::Held;
use crate::world::{Spot, World};
use meshloom_bundle::{LibraryContents, Pipeline, Program};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Lets several ranks of NCCL use one GPU.
const SHARED: &str = "NCCL_MULTI_RANK_GPU_ENABLE";

/// An entry on this machine's GPUs: all devices of its mesh share the first one, or each process has one of its own, and NCCL carries
/// out the collectives and what stages send each other.
///
/// # Errors
/// There is no GPU that runs it, or it has too little memory; several processes and no NCCL.
pub fn open(
    program: &Program,
    pipeline: Option<&Pipeline>,
    libraries: &[LibraryContents],
    world: Option<&Arc<World>>,
) -> Result<GpuMachine> {
    let cuda = Cuda::open()?;
    let Some(world) = world else {
        let driver = hardware::Gpu::open(cuda, 0, libraries)?;
        return GpuMachine::of(program, pipeline, Box::new(driver), 0..program.devices(), None, &[]);
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
    let driver = hardware::Gpu::open(cuda, world.local() % gpus, libraries)?;
    let ranks = Ranks {
        rank: world.rank(),
        size: world.size(),
        timeout: world.timeout(),
        watch: Some(Watched::watch_of(world)),
    };
    let share = |id: &mut [u8; ID_BYTES]| world.combine(id, Spot::START);
    let held = Held { whole: program, pipeline };
    let (stage, _) = held.place(own.start);
    // All processes number all programs alike.
    let numbers: Vec<usize> = (0..held.ranks()).map(|k| world.register(held.program(k))).collect();
    let others: Box<MakeExchange<'_>> = Box::new(move |driver, calls, arena| {
        let splits = match pipeline {
            None => Splits::alike(calls, ranks.rank)?,
            Some(p) => splits(held, p, own.start),
        };
        let remote = Remote::split(&Arc::new(nccl), driver, calls, arena, &ranks, &splits, share)?;
        Ok(Box::new(Watched::new(remote, world, numbers[stage])))
    });
    // Each process has the device of its number.
    let processes: Vec<usize> = (0..devices).collect();
    GpuMachine::of(program, pipeline, Box::new(driver), world.devices(devices)?, Some(others), &processes)
}

/// The communicators of a pipeline's processes, each of which has one device: for the collectives of all ranks' programs, and for each
/// pair of ranks of which one sends to the other.
pub fn splits(held: Held<'_>, pipeline: &Pipeline, device: usize) -> Splits {
    let (stage, place) = held.place(device);
    let mut groups: BTreeMap<Vec<u32>, Option<SplitPlace>> = BTreeMap::new();
    for (k, program) in pipeline.ranks.iter().enumerate() {
        for call in parts::calls(program).into_values().filter(|c| c.group_size() > 1) {
            let own = groups.entry(call.collective.axes.clone()).or_default();
            if k == stage {
                let found = Splits::place(&call, place);
                // Ranks of the pipeline have the same places, and communicators of their own.
                *own = found.map(|p| SplitPlace { colour: stage * program.devices() + p.colour, ..p });
            }
        }
    }
    let of = |(from, to): (usize, usize)| {
        let takes_part = [from, to].contains(&stage);
        ((from, to), takes_part.then_some(SplitPlace { colour: place, key: usize::from(stage == to), size: 2 }))
    };
    Splits { groups, pairs: exec::neighbours(pipeline).into_iter().map(of).collect(), stage }
}
