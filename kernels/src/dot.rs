//! Contractions on operands as they lie in memory: what a GPU is given in place of packs and a matmul on panels.
//!
//! Here are the spec and the table of tilings; the template is in [`crate::emit::gpu`]. 16-bit operands are multiplied by tensor cores and
//! summed in f32; f32 is computed in f32, which tensor cores do not.

use crate::expr::{Access, Body, DType};
use crate::geometry::{ceil_div, product};
use crate::gpu::{ALIGN, Gpu};

/// `acc[batch, m, n] = sum over k of a[batch, m, k] * b[batch, n, k]`, then the body over the space `batch`, `m`, `n`, in which
/// [`crate::expr::Node::Acc`] is the sum. Buffer 0 is A, buffer 1 is B, of one float type; sums are of the type it is computed in.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Dot {
    pub batch: Vec<u64>,
    pub m: Vec<u64>,
    pub n: Vec<u64>,
    pub k: Vec<u64>,
    /// Over `batch`, `m`, `k`.
    pub a: Access,
    /// Over `batch`, `n`, `k`.
    pub b: Access,
    pub body: Body,
}

/// Version of the tables below. It is part of a spec's text, so that kernels of another version have other names.
pub const TUNING_VERSION: u32 = 1;

/// What a block computes at a time.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Tiling {
    pub rows: u64,
    pub cols: u64,
    pub k: u64,
    pub threads: u32,
    /// Warps beside each other along the columns, where tensor cores multiply.
    pub warp_cols: u64,
}

/// Tilings for tensor cores and for ordinary arithmetic, large ones first: the first that gives half of the processors a tile is taken.
/// Derived from what fits registers and shared memory; not yet from measurements.
const TENSOR: [Tiling; 2] = [
    Tiling { rows: 128, cols: 128, k: 32, threads: 256, warp_cols: 4 },
    Tiling { rows: 64, cols: 64, k: 32, threads: 128, warp_cols: 2 },
];
const SINGLE: [Tiling; 2] = [
    Tiling { rows: 128, cols: 128, k: 8, threads: 256, warp_cols: 0 },
    Tiling { rows: 64, cols: 64, k: 8, threads: 64, warp_cols: 0 },
];
/// The sums of doubles take twice the registers, which leaves fewer to fetch ahead with.
const DOUBLE: [Tiling; 1] = [Tiling { rows: 64, cols: 64, k: 4, threads: 64, warp_cols: 0 }];

impl Tiling {
    pub fn of(spec: &Dot, gpu: Gpu) -> Tiling {
        let processors = match gpu {
            Gpu::Sm80 => 108,
            Gpu::Sm90a => 132,
            Gpu::Sm100a => 148,
        };
        let table: &[Tiling] = match spec.dtype() {
            DType::Bf16 | DType::F16 => &TENSOR,
            DType::F64 => &DOUBLE,
            _ => &SINGLE,
        };
        let busy = |t: &&Tiling| t.tiles(spec) >= processors / 2;
        table.iter().find(busy).copied().unwrap_or(table[table.len() - 1])
    }

    /// Tiles of all batches.
    pub fn tiles(&self, spec: &Dot) -> u64 {
        product(&spec.batch) * ceil_div(product(&spec.m), self.rows) * ceil_div(product(&spec.n), self.cols)
    }
}

/// One operand: where its elements are, and how a block reads them.
pub struct Operand<'s> {
    pub access: &'s Access,
    /// `m` or `n`.
    pub free: &'s [u64],
    /// Neighbours in memory follow `k`; otherwise the last of `free`, or nothing.
    pub along_k: bool,
    /// Neighbours that are loaded at once.
    pub lanes: u64,
}

impl Dot {
    /// What the operands are in memory.
    pub fn dtype(&self) -> DType {
        self.body.buffers.first().copied().unwrap_or(DType::F32)
    }

    pub fn on_tensor_cores(&self) -> bool {
        matches!(self.dtype(), DType::Bf16 | DType::F16)
    }

    pub fn space(&self) -> Vec<u64> {
        [&self.batch[..], &self.m, &self.n].concat()
    }

    /// Operand 0 or 1; `aligned` as for [`crate::gpu::Grid::of`].
    pub fn operand(&self, which: usize, aligned: bool) -> Operand<'_> {
        let (access, free) = if which == 0 { (&self.a, &self.m[..]) } else { (&self.b, &self.n[..]) };
        let (first, last) = (self.batch.len(), access.strides.len() - 1);
        let of_free = (first + free.len()).checked_sub(1).filter(|_| !free.is_empty());
        let unit = |d: usize| access.strides[d] == 1;
        let along_k = unit(last) || !of_free.is_some_and(unit);
        let (dim, run) = if along_k { (last, self.k.last()) } else { (of_free.unwrap_or(last), free.last()) };
        let mut lanes = if aligned && unit(dim) { ALIGN / self.dtype().bytes() } else { 1 };
        let others = || access.strides.iter().enumerate().filter(move |(d, _)| *d != dim).map(|(_, &s)| s);
        let start = access.start.map_or(0, |s| s.stride);
        let whole = |lanes: u64| others().chain([access.offset, start]).all(|s| s % lanes as i64 == 0);
        while lanes > 1 && !(run.is_some_and(|r| r.is_multiple_of(lanes)) && whole(lanes)) {
            lanes /= 2;
        }
        Operand { access, free, along_k, lanes }
    }
}
