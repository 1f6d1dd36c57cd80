//! The operations. Names are StableHLO's; attributes are the few that static shapes need. What an op means stands in its
//! entry of [`crate::table`].

use crate::einsum::{ContractionOp, Einsum};
use crate::index_map::IndexMap;
use crate::layout::{Constraint, Reduction};
use crate::mesh::{Axis, Mesh};
use crate::table::comm::Effect;
use crate::table::elem::{Arithmetic, Elem};
use crate::table::window::Window;
use crate::table::{
    self, Class, Cost, Exchange, GradRule, OpDef, comm, contract, elem, index, order, random, region, shape, window,
};
use crate::types::{DType, Literal, TensorType};
use std::collections::BTreeMap;

/// The trip count of a `while` that has no limit.
pub const UNBOUNDED: u64 = u64::MAX;

/// Iterations that costs assume of a `while` without a limit: enough that what a loop can have done before it is done there.
pub const ASSUMED_ITERATIONS: u64 = 100;

/// An attribute of a composite.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Attr {
    Bool(bool),
    Int(i64),
    /// Bits of an f64.
    Float(u64),
    Str(String),
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Op {
    Constant {
        dtype: DType,
        shape: Vec<u64>,
        value: Literal,
    },
    /// Index along `dim`. In a local program `shard` names the axes that split it: the index is then the global one.
    Iota {
        dtype: DType,
        shape: Vec<u64>,
        dim: usize,
        shard: Vec<Axis>,
    },
    /// Elementwise op, one entry of [`crate::table::elem::TABLE`].
    Elem(Elem),
    Convert {
        to: DType,
    },
    /// `broadcast_in_dim`: operand dim `i` becomes result dim `dims[i]`.
    Broadcast {
        shape: Vec<u64>,
        dims: Vec<usize>,
    },
    Reshape {
        shape: Vec<u64>,
    },
    Transpose {
        perm: Vec<usize>,
    },
    /// `start..limit` of each dim.
    Slice {
        start: Vec<u64>,
        limit: Vec<u64>,
    },
    /// Zeros around the operand.
    Pad {
        low: Vec<u64>,
        high: Vec<u64>,
    },
    Concatenate {
        dim: usize,
    },
    /// Entry `i` along `dim` goes to place `i + by`, around the end; with `mirror` to place `by - i`.
    Rotate {
        dim: usize,
        by: u64,
        mirror: bool,
    },
    /// Windows that slide over `dim`: it becomes two dims, the windows and the places in each.
    Windows {
        dim: usize,
        window: Window,
    },
    /// `dim` from its end to its start.
    Reverse {
        dim: usize,
    },
    DotGeneral(Einsum),
    Reduce {
        kind: Reduction,
        dims: Vec<usize>,
    },
    /// What `kind` makes of the elements along `dim` up to each, itself included unless `exclusive`; with `reverse` from each to
    /// the end.
    Cumulative {
        kind: Reduction,
        dim: usize,
        reverse: bool,
        exclusive: bool,
    },
    /// The logarithm of the sum of the exponentials of the elements along `dim` up to each, itself included; with `reverse` from
    /// each to the end. Floats only. It never overflows where the result does not.
    CumLogSumExp {
        dim: usize,
        reverse: bool,
    },
    /// The `k` largest (or smallest) elements along `dim`, in their order, ties in the order of their positions, NaN larger than
    /// all numbers; with `indices` their positions, as i32. A sort is the case that keeps all.
    TopK {
        dim: usize,
        k: u64,
        largest: bool,
        indices: bool,
    },
    /// Random bits as i32, from a key (i32[2]) and the element's index in a tensor of shape `total`. In a local program `shard`
    /// names the axes that split each dim; it is empty where none does.
    RandomBits {
        shape: Vec<u64>,
        total: Vec<u64>,
        shard: Vec<Vec<Axis>>,
    },
    /// Rows of operand 0 (its dim 0) at the indices of operand 1, clamped to the range as StableHLO does. Result shape:
    /// indices' shape, then the row's. In a local program `shard` names the axes that split dim 0: rows of other shards
    /// read as zero (-0 of floats, which no sum changes), and the result is partial over them; `total` is the global count where the axes do not divide it.
    Gather {
        shard: Vec<Axis>,
        total: Option<u64>,
    },
    /// Sum of the rows of operand 1 (updates) into `rows` zero rows at the indices of operand 0; the transpose of
    /// `gather`, clamping included. `rows` is the local count and `total` the global one.
    Scatter {
        rows: u64,
        total: u64,
        shard: Vec<Axis>,
    },
    /// Identity that pins the layout of its operand.
    Constrain(Constraint),
    /// A named op whose body region is its meaning.
    Composite {
        name: String,
        attrs: BTreeMap<String, Attr>,
    },
    /// Runs its body `trip` times. Operands: carries, xs (dim 0 = `trip`), invariants; results: carries, stacked ys.
    /// An `early` one is printed as `while`: its first carry is a bool, asked before each iteration, and the loop ends as soon as
    /// that is false, or at `trip` ([`UNBOUNDED`]: never). It has neither xs nor ys.
    Repeat {
        trip: u64,
        reverse: bool,
        carries: usize,
        xs: usize,
        early: bool,
    },

    // Local programs only.
    AllReduce {
        axes: Vec<Axis>,
        kind: Reduction,
    },
    /// `size` of the result's dim is given where the axes do not divide it: what pads the last blocks is dropped.
    AllGather {
        axes: Vec<Axis>,
        dim: usize,
        size: Option<u64>,
    },
    /// Here and below, a dim of n is split in blocks of ceil(n / k); what pads the last ones is unspecified.
    ReduceScatter {
        axes: Vec<Axis>,
        dim: usize,
        kind: Reduction,
    },
    /// Splits `split` by the axes and gathers `concat`, to `size` where the axes do not divide that.
    AllToAll {
        axes: Vec<Axis>,
        split: usize,
        concat: usize,
        size: Option<u64>,
    },
    /// Whole blocks change places: each dim, of which the axes `from[dim]` are the minor ones, becomes split by `to[dim]` in
    /// their place, in as many blocks ([`Op::permute`], [`crate::table::comm::permute_source`]).
    CollectivePermute {
        /// All that `from` or `to` name.
        axes: Vec<Axis>,
        from: Vec<Vec<Axis>>,
        to: Vec<Vec<Axis>>,
    },
    /// Device `i` of the group sends what it has to device `i + by`, around the end, and with `mirror` to device `by - i`: a
    /// `rotate` of a dim of which each device has one entry.
    CollectiveShift {
        axes: Vec<Axis>,
        by: u64,
        mirror: bool,
    },
    /// This device's block of a dim that was whole; moves nothing.
    ShardSlice {
        axes: Vec<Axis>,
        dim: usize,
    },
    /// A copied value read as partial (sum): kept by the first device of each group, zero on the others (-0 of floats); moves
    /// nothing.
    PartialSplit {
        axes: Vec<Axis>,
    },
    /// Puts the identity of a reduction where this device's block of dim `dim`, which has `size` elements in all and is split
    /// by `axes`, lies beyond the end; moves nothing.
    PadMask {
        axes: Vec<Axis>,
        dim: usize,
        size: u64,
        kind: Reduction,
    },
}

impl Op {
    pub fn elem(name: &str) -> Option<Op> {
        Elem::by_name(name).map(Op::Elem)
    }

    /// The first `k` by size along `dim`, or their positions.
    pub fn top_k(dim: usize, k: u64, largest: bool, indices: bool) -> Op {
        Op::TopK { dim, k, largest, indices }
    }

    /// The all_to_all that splits one dim by axes that divide it, and gathers another.
    pub fn all_to_all(axes: Vec<Axis>, split: usize, concat: usize) -> Op {
        Op::AllToAll { axes, split, concat, size: None }
    }

    /// The entry of the op in the table: all that phases ask of it.
    pub fn entry(&self) -> &'static OpDef {
        match self {
            Op::Constant { .. } => &shape::CONSTANT,
            Op::Iota { .. } => &shape::IOTA,
            Op::Elem(_) => &elem::ELEM,
            Op::Convert { .. } => &elem::CONVERT,
            Op::Broadcast { .. } => &shape::BROADCAST,
            Op::Reshape { .. } => &shape::RESHAPE,
            Op::Transpose { .. } => &shape::TRANSPOSE,
            Op::Slice { .. } => &shape::SLICE,
            Op::Pad { .. } => &shape::PAD,
            Op::Concatenate { .. } => &shape::CONCATENATE,
            Op::Rotate { .. } => &shape::ROTATE,
            Op::Windows { .. } => &window::WINDOWS,
            Op::Reverse { .. } => &window::REVERSE,
            Op::DotGeneral(_) => &contract::DOT_GENERAL,
            Op::Reduce { .. } => &contract::REDUCE,
            Op::Cumulative { .. } => &order::CUMULATIVE,
            Op::CumLogSumExp { .. } => &order::CUM_LOG_SUM_EXP,
            Op::TopK { .. } => &order::TOP_K,
            Op::RandomBits { .. } => &random::RANDOM_BITS,
            Op::Gather { .. } => &index::GATHER,
            Op::Scatter { .. } => &index::SCATTER,
            Op::Constrain(_) => &shape::CONSTRAIN,
            Op::Composite { .. } => &region::COMPOSITE,
            Op::Repeat { early: true, .. } => &region::WHILE,
            Op::Repeat { .. } => &region::REPEAT,
            Op::AllReduce { .. } => &comm::ALL_REDUCE,
            Op::AllGather { .. } => &comm::ALL_GATHER,
            Op::ReduceScatter { .. } => &comm::REDUCE_SCATTER,
            Op::AllToAll { .. } => &comm::ALL_TO_ALL,
            Op::CollectivePermute { .. } => &comm::COLLECTIVE_PERMUTE,
            Op::CollectiveShift { .. } => &comm::COLLECTIVE_SHIFT,
            Op::ShardSlice { .. } => &comm::SHARD_SLICE,
            Op::PartialSplit { .. } => &comm::PARTIAL_SPLIT,
            Op::PadMask { .. } => &comm::PAD_MASK,
        }
    }

    pub fn name(&self) -> &'static str {
        match self {
            Op::Elem(e) => e.def().name,
            op => op.entry().name,
        }
    }

    pub fn class(&self) -> Class {
        self.entry().class
    }

    /// Where the elements of the result come from, for an op that moves elements.
    pub fn index_map(&self, operands: &[&TensorType], result: &TensorType) -> Option<IndexMap> {
        self.entry().map.map(|map| map(self, operands, result))
    }

    /// Whether its meaning is a body.
    pub fn has_region(&self) -> bool {
        self.class() == Class::Region
    }

    /// Iterations of a `repeat` as far as costs go: of a `while` all that its limit allows. 1 for other ops.
    pub fn iterations(&self) -> u64 {
        match *self {
            Op::Repeat { trip: UNBOUNDED, .. } => ASSUMED_ITERATIONS,
            Op::Repeat { trip, .. } => trip,
            _ => 1,
        }
    }

    /// Whether the op is a loop that ends when its first carry says so.
    pub fn ends_early(&self) -> bool {
        matches!(self, Op::Repeat { early: true, .. })
    }

    /// Whether the op reads the position of its device: then it is one of a local program.
    pub fn reads_device(&self) -> bool {
        (self.entry().reads_device)(self)
    }

    /// The axes a local-only op works over; `None` for ops of global programs.
    pub fn collective_axes(&self) -> Option<&[Axis]> {
        self.entry().group.map(|g| (g.axes)(self))
    }

    /// What a local-only op does between layouts; nothing for ops of global programs, and for what has a rule of its own.
    pub fn effect(&self) -> Effect {
        self.entry().group.map_or_else(Effect::default, |g| (g.effect)(self))
    }

    /// Of an op that hands on whole blocks: who sends to whom in each group, in the order of the senders.
    pub fn pairs(&self, mesh: &Mesh) -> Option<Vec<(u32, u32)>> {
        let group = self.entry().group?;
        let source = group.source?;
        let members = mesh.group(0, (group.axes)(self));
        let mut pairs: Vec<(u32, u32)> =
            members.iter().zip(0..).map(|(&d, i)| (source(self, mesh, d) as u32, i)).collect();
        pairs.sort_unstable();
        Some(pairs)
    }

    /// The collective_permute from one way of splitting dims by minor axes to another; a list for each dim.
    pub fn permute(from: Vec<Vec<Axis>>, to: Vec<Vec<Axis>>) -> Op {
        let mut axes: Vec<Axis> = from.iter().chain(&to).flatten().copied().collect();
        axes.sort_unstable();
        axes.dedup();
        Op::CollectivePermute { axes, from, to }
    }

    /// The collective_permute that changes the order of the minor axes of one dim of `rank`.
    pub fn reorder(rank: usize, dim: usize, from: Vec<Axis>, to: Vec<Axis>) -> Op {
        let of = |axes: Vec<Axis>| (0..rank).map(|d| if d == dim { axes.clone() } else { Vec::new() }).collect();
        Op::permute(of(from), of(to))
    }

    /// Whether it reads and writes buffers of its own: others are fused around it, not with it.
    pub fn is_anchor(&self) -> bool {
        (self.entry().anchor)(self)
    }

    /// Whether devices exchange bytes in this op.
    pub fn communicates(&self) -> bool {
        self.exchange().is_some()
    }

    /// How devices exchange bytes in this op; `None` where none do.
    pub fn exchange(&self) -> Option<Exchange> {
        self.entry().group.and_then(|g| g.exchange)
    }

    /// Whether an element of the result is a function of the elements in the same place.
    pub fn is_elementwise(&self) -> bool {
        self.class() == Class::Elementwise
    }

    /// How its gradient is made; `None` where it has none, also of an elementwise op.
    pub fn grad(&self) -> Option<GradRule> {
        match self {
            Op::Elem(e) if e.def().grad.is_none() => None,
            op => table::def(op)?.grad,
        }
    }

    /// Whether its gradient is zero wherever there is one.
    pub fn is_flat(&self) -> bool {
        matches!(self, Op::Elem(e) if e.def().flat)
    }

    /// Which sum of products it is, if it is one.
    pub fn contraction(&self) -> Option<ContractionOp> {
        match self {
            Op::DotGeneral(_) => Some(ContractionOp::Dot),
            Op::Reduce { kind: Reduction::Sum, .. } => Some(ContractionOp::Sum),
            Op::Transpose { .. } => Some(ContractionOp::Transpose),
            Op::Broadcast { .. } => Some(ContractionOp::Broadcast),
            op => (op.arithmetic() == Arithmetic::Multiply).then_some(ContractionOp::Multiply),
        }
    }

    /// What laws and rules take it for.
    pub fn arithmetic(&self) -> Arithmetic {
        match self {
            Op::Elem(e) => e.def().arithmetic,
            _ => Arithmetic::Other,
        }
    }

    /// Whether a small difference in an operand can make a large one in the result.
    pub fn decides(&self) -> bool {
        (self.entry().decides)(self)
    }

    /// Whether the result is rounded to its type if the operands are.
    pub fn keeps_rounded(&self) -> bool {
        (self.entry().keeps_rounded)(self)
    }

    /// Whether what it gives of the parts of a sum adds up to what it gives of the sum, but for the order of additions: it only moves
    /// elements or adds them. A product does not, since each part of it is rounded.
    pub fn takes_parts(&self) -> bool {
        let moves = matches!(self.class(), Class::View | Class::Window | Class::Pin | Class::Move | Class::Rows);
        moves || self.keeps_rounded() || (self.entry().adds)(self)
    }

    /// Whether it combines elements in a kernel or collective of its own.
    pub fn accumulates(&self) -> bool {
        (self.entry().accumulates)(self)
    }

    /// Whether it moves nothing and computes nothing.
    pub fn is_free(&self) -> bool {
        matches!(self, Op::Reshape { .. } | Op::Broadcast { .. } | Op::Constant { .. } | Op::Iota { .. })
    }

    /// Whether the result is elements of the first operand and nothing else, in any order and number, and is made without memory.
    pub fn is_view(&self) -> bool {
        matches!(self.class(), Class::View | Class::Pin)
    }

    /// Whether kernels read the operand through strides where the result is asked for: also what is a block of a device's own.
    pub fn reads_in_place(&self) -> bool {
        matches!(self.class(), Class::View | Class::Pin | Class::Window) || matches!(self, Op::ShardSlice { .. })
    }

    /// Whether a result costs next to nothing where the operands are there: others compute it where they read it.
    pub fn is_cheap(&self) -> bool {
        let d = self.entry();
        matches!(d.cost, Cost::Free | Cost::Result | Cost::Fused)
            && !matches!(d.class, Class::Pin | Class::Region | Class::Collective | Class::Shard)
            && !d.exchanges
    }
}
