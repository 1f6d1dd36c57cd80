//! How a GPU runs the kernels of a program.
//!
//! A bundle for GPUs has the same program as one for CPUs, and a [`GpuLaunch`] for each kernel. Its kernels are in one
//! PTX module per architecture (`kernels/sm_90a.ptx`). If the compiler found an assembler, there is also a cubin of the
//! same name. A driver loads either at once, and every kernel is an entry of it under its symbol. A reader takes the
//! cubin if the device has that architecture, and the PTX otherwise.
//!
//! An entry takes these parameters, in this order:
//! 1. a 64-bit device pointer for each buffer of the launch, in the order of its `args`,
//! 2. where [`KernelRef::scratch`](crate::KernelRef::scratch) says so, a device pointer to the workspace (see [`GpuLaunch::workspace`]),
//! 3. `lo` and `hi` as `i64`: the units to compute, `0` and the launch's `units`,
//! 4. each dim of the launch as `i64`,
//! 5. each of [`GpuLaunch::tensor_maps`] as 128 bytes by value, aligned to 64.
//!
//! The grid has one dim. Each block takes `units_per_block` units at a time until none is left, so any number of blocks
//! gives the same bits. [`GpuLaunch::blocks`] is the number of blocks that have work; a device needs no more than a few
//! times what it can hold at one time. Kernels synchronise within a block (or a cluster) only, and none waits for
//! another.
//!
//! Not here: which device, streams, graphs (`runtime`), and what the kernels look like (`kernels`, `codegen`).

use crate::encoding;
use crate::gemm::Gemm;
use meshloom_scalar::DType;
use serde::{Deserialize, Serialize};

/// The launch of one kernel on a GPU.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GpuLaunch {
    /// Threads of a block, all in its first dim: a multiple of 32.
    pub threads: u32,
    /// Units that a block takes at a time.
    pub units_per_block: u64,
    /// Dynamic shared memory of a block. More than 48 KiB has to be asked for
    /// (`CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES`).
    #[serde(default, skip_serializing_if = "is_zero")]
    pub shared_bytes: u32,
    /// Blocks of a cluster, in the grid's dim; the number of blocks is a multiple of it.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub cluster: u32,
    /// Bytes of workspace that each block has to itself, at workspace + block x this; 0 if the kernel takes no workspace.
    /// All blocks of a launch share [`Program::scratch_bytes`](crate::Program::scratch_bytes), which bounds their number.
    #[serde(default, skip_serializing_if = "is_none")]
    pub workspace: u64,
    /// Descriptors for the tensor memory accelerator, made (`cuTensorMapEncodeTiled`) for the addresses of each launch. A kernel
    /// with descriptors fetches one unit while it stores the unit before. So it is fastest with as many blocks as a device
    /// holds at one time; more blocks gain nothing.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tensor_maps: Vec<TensorMap>,
    /// What is launched instead where the driver refuses a tensor map; only kernels with tensor maps have it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by_threads: Option<Box<ByThreads>>,
    /// What the kernel computes, if a library could compute it as well.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gemm: Option<Gemm>,
    /// Operands in f32 are rounded to tf32, by the option of the compilation.
    #[serde(default, skip_serializing_if = "is_false")]
    pub tf32: bool,
}

/// A kernel that takes the arguments of another and computes the same. Its threads copy what the other fetches by tensor maps.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ByThreads {
    pub symbol: String,
    /// Its units, in place of the launch's: its tiles have sizes of their own.
    pub units: u64,
    pub launch: GpuLaunch,
}

/// A tiled tensor map: the arguments of `cuTensorMapEncodeTiled`, without interleaving, with element strides of 1 and with zeros
/// outside of the tensor.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TensorMap {
    /// The argument of the launch in which the tensor lies.
    pub arg: u32,
    /// Bytes from the argument's start to the tensor's first element: a multiple of 16.
    #[serde(default, skip_serializing_if = "is_none")]
    pub offset: u64,
    #[serde(with = "encoding")]
    pub dtype: DType,
    /// Elements, innermost dim first.
    pub shape: Vec<u64>,
    /// Bytes from one index to the next, of every dim but the innermost: multiples of 16.
    pub strides: Vec<u64>,
    /// Elements of the box that one copy moves, innermost dim first.
    pub tile: Vec<u32>,
    pub swizzle: Swizzle,
}

/// How rows of a tile are permuted in shared memory, so that the elements of a column are in different banks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Swizzle {
    #[serde(rename = "none")]
    None,
    #[serde(rename = "32")]
    Bytes32,
    #[serde(rename = "64")]
    Bytes64,
    #[serde(rename = "128")]
    Bytes128,
}

impl GpuLaunch {
    /// Threads that take units one by one.
    pub fn per_thread(threads: u32) -> GpuLaunch {
        GpuLaunch { units_per_block: threads.into(), ..GpuLaunch::per_block(threads) }
    }

    /// Blocks that take units one by one.
    pub fn per_block(threads: u32) -> GpuLaunch {
        GpuLaunch {
            threads,
            units_per_block: 1,
            shared_bytes: 0,
            cluster: 1,
            workspace: 0,
            tensor_maps: Vec::new(),
            by_threads: None,
            gemm: None,
            tf32: false,
        }
    }

    /// The number of blocks of a launch: no more than have work, than fit the workspace of all blocks (in bytes), or than `most`. It is a
    /// whole number of clusters, and at least one.
    pub fn blocks(&self, units: u64, workspace: u64, most: u64) -> u64 {
        let busy = units.div_ceil(self.units_per_block.max(1));
        let room = workspace.checked_div(self.workspace).unwrap_or(u64::MAX);
        let cluster = u64::from(self.cluster.max(1));
        busy.min(room).min(most).div_ceil(cluster).max(1) * cluster
    }
}

fn is_zero(n: &u32) -> bool {
    *n == 0
}

fn is_false(b: &bool) -> bool {
    !*b
}

fn is_none(n: &u64) -> bool {
    *n == 0
}

fn is_one(n: &u32) -> bool {
    *n == 1
}

fn one() -> u32 {
    1
}
