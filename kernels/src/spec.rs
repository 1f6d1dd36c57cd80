//! What a kernel computes, as data. The scheduler writes these; the emitter turns them into MLIR, [`crate::reference`] into values.
//!
//! A spec holds everything the machine code depends on and nothing else: no buffer addresses, no names from the source, no target.
//! Equal specs are one kernel, and the hash of the text form ([`crate::text`]) is its name and the key of the kernel cache.
//!
//! A kernel is called as `void k(ptr buffer.., [ptr scratch], i64 lo, i64 hi, i64 dim..)` and computes units `lo..hi` of `units()`.
//! Units are independent and each is computed in one fixed order, so that the bits depend on no split. Panel formats, units and
//! scratch do not depend on the target, so one program serves kernels of every CPU level.

pub use crate::attention::{Attention, AttentionBackward, AttentionShape, Strides};
pub use crate::column::Column;
pub use crate::dot::Dot;
pub use crate::expr::{Access, Body, Cmp, DType, Elem, Node, NodeId, Output, ReduceKind, Start};
use crate::fnv::fnv128;
pub use crate::fused::Fused;
use crate::geometry::{ceil_div, product};
pub use crate::order::{Scan, TopK};
use crate::{column, fused};

/// Rows of a packed A panel: the rows of a matmul tile.
pub const TILE_ROWS: u64 = 8;

/// Columns of a packed B panel: two vector registers of the widest target.
pub fn panel_cols(dtype: DType) -> u64 {
    128 / dtype.bytes()
}

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum KernelSpec {
    Fused(Fused),
    Column(Column),
    Pack(Pack),
    Matmul(Matmul),
    Dot(Dot),
    Attention(Attention),
    AttentionBackward(AttentionBackward),
    SegmentSort(SegmentSort),
    ScatterRows(ScatterRows),
    Scan(Scan),
    TopK(TopK),
}

/// Copies a matrix operand into panels: `[batch.., outer.., ceil(run / width)][k][width]` where `rows = [outer.., run]` is the M of
/// A (width [`TILE_ROWS`]) or the N of B (width [`panel_cols`]); what lies beyond `run` is zero. The space is `batch`, `rows`, `k`.
/// The operand may be computed by the body on the way, and summed over `k` as it passes (a bias gradient).
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Pack {
    pub batch: Vec<u64>,
    pub rows: Vec<u64>,
    pub k: Vec<u64>,
    pub width: u64,
    /// Outputs are stored besides the panels: sums over `k` if the node is a `Reduce`, which then has stride 0 along `k`.
    pub body: Body,
    /// What is packed.
    pub value: NodeId,
    /// The buffer of the panels.
    pub panels: u32,
}

/// How a matmul reads an operand.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Operand {
    /// Panels, as [`Pack`] writes them, from the buffer's start.
    Packed,
    /// In place. Strides over `batch`, then `m` (for A) or `n` (for B, whose last stride is 1); `k` advances by `k_stride`.
    Direct { access: Access, k_stride: i64 },
}

/// `acc[batch, m, n] = sum over k of a[batch, m, k] * b[batch, n, k]`, then the body over the space `batch`, `m`, `n`, in which
/// [`Node::Acc`] is the sum. Buffer 0 is A, buffer 1 is B.
///
/// When `k` exceeds [`Matmul::K_BLOCK`], partial sums wait in the buffer of output 0, which must then have the accumulator's dtype,
/// a distinct element for each point of the space, and no memory in common with a leaf.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Matmul {
    pub batch: Vec<u64>,
    /// At least one dim; tiles do not cross the last one, and all accesses are linear in it.
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

/// Sorts `count` indices by the row of a table they name: buffers are the indices, `order` (`count` elements: positions, grouped by
/// row, ascending within a row) and `segments` (`rows + 1`: where each row's group begins). Indices are clamped to `0..total`, then
/// taken relative to the launch's dim 0 if `sharded`; those outside `0..rows` are left out. All i32, one unit.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct SegmentSort {
    pub count: u64,
    pub rows: u64,
    pub total: u64,
    pub sharded: bool,
}

/// `out[row, c] = sum over q in segment of row of updates[order[q], c]`, in ascending order of position: scatter-add without
/// atomics, the same bits on any number of threads. Buffers: order, segments, updates, out.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ScatterRows {
    pub dtype: DType,
    pub rows: u64,
    pub cols: u64,
    /// Elements from one row of the updates to the next; their columns are contiguous.
    pub update_stride: i64,
    pub out_stride: i64,
}

/// How a kernel uses a buffer argument.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Role {
    Read,
    Write,
    ReadWrite,
}

/// A buffer argument of a kernel.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Arg {
    pub name: String,
    pub dtype: DType,
    pub role: Role,
    /// Elements that the kernel may touch, counted from the buffer's start (`start` offsets of accesses not included).
    pub elements: u64,
}

/// Why a spec is refused.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SpecError(pub String);

impl std::fmt::Display for SpecError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "invalid kernel: {}", self.0)
    }
}

impl std::error::Error for SpecError {}

impl KernelSpec {
    /// A strided copy of `shape`, element by element.
    pub fn copy(dtype: DType, shape: &[u64], src: Access, dst: Access) -> KernelSpec {
        let mut body = Body::new(&[dtype, dtype]);
        let x = body.leaf(Access { buffer: 0, ..src });
        body.output(x, Access { buffer: 1, ..dst });
        let shape = if shape.is_empty() { vec![1] } else { shape.to_vec() };
        KernelSpec::Fused(Fused { shape, body })
    }

    pub fn kind(&self) -> &'static str {
        match self {
            KernelSpec::Fused(_) => "fused",
            KernelSpec::Column(_) => "column",
            KernelSpec::Pack(_) => "pack",
            KernelSpec::Matmul(_) => "matmul",
            KernelSpec::Dot(_) => "dot",
            KernelSpec::Attention(_) => "attention",
            KernelSpec::AttentionBackward(_) => "attention_backward",
            KernelSpec::SegmentSort(_) => "segment_sort",
            KernelSpec::ScatterRows(_) => "scatter_rows",
            KernelSpec::Scan(_) => "scan",
            KernelSpec::TopK(_) => "top_k",
        }
    }

    /// Hash of the text form.
    pub fn hash(&self) -> String {
        format!("{:032x}", fnv128(self.to_string().as_bytes()))
    }

    /// Name of the kernel's function: equal specs have equal names.
    pub fn symbol(&self) -> String {
        format!("{}_{}", self.kind(), &self.hash()[..16])
    }

    /// The body, for the families that have one.
    pub fn body(&self) -> Option<&Body> {
        match self {
            KernelSpec::Fused(s) => Some(&s.body),
            KernelSpec::Column(s) => Some(&s.body),
            KernelSpec::Pack(s) => Some(&s.body),
            KernelSpec::Matmul(s) => Some(&s.body),
            KernelSpec::Dot(s) => Some(&s.body),
            _ => None,
        }
    }

    /// How many independent pieces the work has. A launch covers `0..units()`.
    pub fn units(&self) -> u64 {
        match self {
            KernelSpec::Fused(s) => fused::Grid::of(s).units(),
            KernelSpec::Column(s) => column::Grid::of(s).units(),
            KernelSpec::Pack(s) => s.outer() * ceil_div(s.run(), panel_cols(s.body.dtype(s.value)).max(s.width)),
            KernelSpec::Matmul(s) => s.row_tiles(),
            // The tiles of one are a matter of the GPU: see `gpu::Grid`.
            KernelSpec::Dot(s) => product(&s.batch),
            KernelSpec::Attention(s) => s.units(),
            KernelSpec::AttentionBackward(s) => s.units(),
            KernelSpec::SegmentSort(_) => 1,
            KernelSpec::ScatterRows(s) => s.rows,
            KernelSpec::Scan(s) => s.units(),
            KernelSpec::TopK(s) => s.rows,
        }
    }

    /// Bytes of private memory that each worker hands to the kernel after the buffers; 0 means that it takes none.
    pub fn scratch_bytes(&self) -> u64 {
        match self {
            KernelSpec::Fused(s) => fused::scratch_bytes(s),
            KernelSpec::Attention(s) => s.scratch_bytes(),
            KernelSpec::AttentionBackward(s) => s.scratch_bytes(),
            KernelSpec::SegmentSort(s) => 4 * s.rows.max(1),
            KernelSpec::TopK(s) => s.scratch_bytes(),
            _ => 0,
        }
    }

    /// How many i64 dims the kernel takes after `hi`.
    pub fn dims(&self) -> u32 {
        match self {
            KernelSpec::SegmentSort(s) => u32::from(s.sharded),
            KernelSpec::Attention(s) => s.shape.dims(),
            KernelSpec::AttentionBackward(s) => s.shape.dims(),
            _ => self.body().map_or(0, Body::dims),
        }
    }

    /// Floating point operations of all units.
    pub fn flops(&self) -> u64 {
        match self {
            KernelSpec::Fused(s) => product(&s.shape) * s.body.cost(),
            KernelSpec::Column(s) => product(&s.outer) * product(&s.reduce) * s.cols * s.body.cost(),
            KernelSpec::Pack(s) => product(&s.batch) * product(&s.rows) * product(&s.k) * (s.body.cost() - 1),
            KernelSpec::Matmul(s) => product(&s.batch) * product(&s.m) * product(&s.n) * (2 * s.k + s.body.cost()),
            KernelSpec::Dot(s) => product(&s.space()) * (2 * product(&s.k) + s.body.cost()),
            KernelSpec::Attention(s) => s.shape.pairs() * (2 * (s.shape.head + s.shape.value) + 20),
            KernelSpec::AttentionBackward(s) => s.shape.pairs() * (6 * s.shape.head + 4 * s.shape.value + 24),
            KernelSpec::SegmentSort(_) => 0,
            KernelSpec::ScatterRows(s) => s.rows * s.cols,
            KernelSpec::Scan(s) => s.elements(),
            KernelSpec::TopK(s) => s.rows * s.n * u64::from(s.passes()),
        }
    }

    /// Bytes that have to move at least once.
    pub fn bytes(&self) -> u64 {
        self.args().iter().map(|a| a.elements * a.dtype.bytes() * if a.role == Role::ReadWrite { 2 } else { 1 }).sum()
    }
}

impl Pack {
    pub fn run(&self) -> u64 {
        self.rows.last().copied().unwrap_or(1)
    }

    /// Runs: everything before the last of `rows`.
    pub fn outer(&self) -> u64 {
        product(&self.batch) * product(&self.rows[..self.rows.len().saturating_sub(1)])
    }

    /// Elements of the panels.
    pub fn elements(&self) -> u64 {
        self.outer() * ceil_div(self.run(), self.width) * product(&self.k) * self.width
    }

    pub fn space(&self) -> Vec<u64> {
        [&self.batch[..], &self.rows, &self.k].concat()
    }
}

impl Matmul {
    /// Tiles of [`TILE_ROWS`] rows (fewer at the end of a run), over all batches: the units.
    pub fn row_tiles(&self) -> u64 {
        product(&self.batch) * product(&self.m[..self.m.len() - 1]) * ceil_div(self.m[self.m.len() - 1], TILE_ROWS)
    }

    /// Panels of columns of one batch.
    pub fn col_panels(&self) -> u64 {
        product(&self.n[..self.n.len() - 1]) * ceil_div(self.n[self.n.len() - 1], panel_cols(self.dtype()))
    }

    pub fn space(&self) -> Vec<u64> {
        [&self.batch[..], &self.m, &self.n].concat()
    }
}
