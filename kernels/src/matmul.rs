//! GEMMs on CPUs: operands are copied into panels ([`Pack`]), and a kernel multiplies panels ([`Matmul`]).
//!
//! Not here: contractions on GPUs, which read operands as they lie in memory ([`crate::dot`]).

use crate::expr::{Access, Body, DType, NodeId};
use crate::geometry::{ceil_div, product};

/// Rows of a packed A panel, which are the rows of a tile.
pub const TILE_ROWS: u64 = 8;

/// Columns of a packed B panel: two vector registers of the widest target.
pub fn panel_cols(dtype: DType) -> u64 {
    128 / dtype.bytes()
}

/// Copies a matrix operand into panels: `[batch.., outer.., ceil(run / width)][k][width]` where `rows = [outer.., run]`
/// is the M of A (width [`TILE_ROWS`]) or the N of B (width [`panel_cols`]). Elements beyond `run` are zero. The space
/// is `batch`, `rows`, `k`. The body may compute the operand on the way, and sum it over `k` as it passes (a bias
/// gradient).
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Pack {
    pub batch: Vec<u64>,
    pub rows: Vec<u64>,
    pub k: Vec<u64>,
    pub width: u64,
    /// What is computed on the way. Outputs are stored besides the panels: sums over `k` if the node is a `Reduce`,
    /// which then has stride 0 along `k`.
    pub body: Body,
    /// The value that is packed.
    pub value: NodeId,
    /// The buffer of the panels.
    pub panels: u32,
}

/// How a matmul reads an operand.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Operand {
    /// Panels, as [`Pack`] writes them, from the buffer's start.
    Packed,
    /// In place. Strides are over `batch`, then `m` (for A) or `n` (for B, where the last stride is 1). `k` advances by
    /// `k_stride`.
    Direct { access: Access, k_stride: i64 },
}

/// `acc[batch, m, n] = sum over k of a[batch, m, k] * b[batch, n, k]`, then the body over the space `batch`, `m`, `n`, in which
/// [`crate::expr::Node::Acc`] is the sum. Buffer 0 is A, buffer 1 is B.
///
/// When `k` exceeds [`Matmul::K_BLOCK`], partial sums wait in the buffer of output 0, which must then have the accumulator's dtype,
/// a distinct element for each point of the space, and no memory in common with a leaf.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Matmul {
    pub batch: Vec<u64>,
    /// At least one dim. Tiles do not cross the last one, and all accesses are linear in it.
    pub m: Vec<u64>,
    pub n: Vec<u64>,
    pub k: u64,
    pub a: Operand,
    pub b: Operand,
    pub body: Body,
}

impl Matmul {
    pub const K_BLOCK: u64 = 256;

    /// Whether partial sums pass through output 0.
    pub fn spills(&self) -> bool {
        self.k > Matmul::K_BLOCK
    }

    pub fn dtype(&self) -> DType {
        self.body.acc_dtype()
    }
}

impl Pack {
    pub fn run(&self) -> u64 {
        self.rows.last().copied().unwrap_or(1)
    }

    /// The number of runs: the size of everything before the last of `rows`.
    pub fn outer(&self) -> u64 {
        product(&self.batch) * product(&self.rows[..self.rows.len().saturating_sub(1)])
    }

    /// The number of elements of the panels.
    pub fn elements(&self) -> u64 {
        self.outer() * ceil_div(self.run(), self.width) * product(&self.k) * self.width
    }

    pub fn space(&self) -> Vec<u64> {
        [&self.batch[..], &self.rows, &self.k].concat()
    }
}

impl Matmul {
    /// The number of units: tiles of [`TILE_ROWS`] rows (fewer at the end of a run), over all batches.
    pub fn row_tiles(&self) -> u64 {
        product(&self.batch) * product(&self.m[..self.m.len() - 1]) * ceil_div(self.m[self.m.len() - 1], TILE_ROWS)
    }

    /// The number of column panels of one batch.
    pub fn col_panels(&self) -> u64 {
        product(&self.n[..self.n.len() - 1]) * ceil_div(self.n[self.n.len() - 1], panel_cols(self.dtype()))
    }

    pub fn space(&self) -> Vec<u64> {
        [&self.batch[..], &self.m, &self.n].concat()
    }
}
