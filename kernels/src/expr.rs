//! The expression language of kernels: a DAG of scalar operations over an index space, with strided leaves.
//!
//! Every kernel family evaluates a [`Body`] somewhere: a fused kernel over its whole index space, a GEMM in its
//! epilogue, a pack while it moves data. So fusion knows one language, and so does the emitter. A body says nothing of
//! vectors, passes or threads.
//!
//! The index space is a list of dims that the kernel names ("rows, then cols" for a fused kernel). An [`Access`] has
//! one stride per dim of the space, in elements. Stride 0 is broadcasting, so there is no broadcast node. Transpose,
//! slice and reshape are strides and offsets too.
//!
//! Types that are stored only ([`DType::is_stored_only`]) are types of memory. Leaves have them, and outputs may. The only
//! operation on them is `Convert`, to and from the type that they are computed in. So a body says itself where it rounds.

pub use meshloom_scalar::{Comparison, DType, Reduction};

/// A node of a [`Body`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct NodeId(pub u32);

impl NodeId {
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// Where a value lies: element `offset + sum(strides[d] * index[d]) + start.stride * dims[start.dim]` of a buffer.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Access {
    /// Index into [`Body::buffers`].
    pub buffer: u32,
    pub offset: i64,
    /// One per dim of the space.
    pub strides: Vec<i64>,
    /// A part of the offset that only the device knows.
    pub start: Option<Start>,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Start {
    /// Index among the launch's dims.
    pub dim: u32,
    pub stride: i64,
}

impl Access {
    pub fn new(buffer: u32, strides: &[i64]) -> Access {
        Access { buffer, offset: 0, strides: strides.to_vec(), start: None }
    }

    pub fn at(mut self, offset: i64) -> Access {
        self.offset = offset;
        self
    }

    pub fn from_dim(mut self, dim: u32, stride: i64) -> Access {
        self.start = Some(Start { dim, stride });
        self
    }
}

/// The rotations of the second word in the eight rounds of Threefry-2x32, and the constant that its third key word
/// contains.
pub const THREEFRY_ROTATIONS: [u32; 8] = [13, 15, 26, 6, 17, 29, 16, 24];
pub const THREEFRY_PARITY: i32 = 0x1bd1_1bda;

/// Elementwise operations, named as in StableHLO.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Elem {
    Add,
    Subtract,
    Multiply,
    Divide,
    Maximum,
    Minimum,
    Power,
    Negate,
    Abs,
    Sign,
    Exponential,
    ExponentialMinusOne,
    Log,
    LogPlusOne,
    Tanh,
    Logistic,
    Erf,
    Sqrt,
    Rsqrt,
    Floor,
    Ceil,
    RoundNearestEven,
    Sine,
    Cosine,
    /// The angle of the point (second, first).
    Atan2,
    Cbrt,
    /// The remainder of a division that truncates: it has the dividend's sign.
    Remainder,
    Compare(Comparison),
    /// `select(pred, on_true, on_false)`.
    Select,
    And,
    Or,
    Xor,
    Not,
    /// A shift by at least as many bits as there are (or by a negative number) shifts everything out.
    ShiftLeft,
    ShiftRightArithmetic,
    ShiftRightLogical,
    Popcnt,
    CountLeadingZeros,
    /// The bits of a float as an integer of the same width: f32 to i32, f64 to i64.
    BitsOfFloat,
    /// The reverse of [`Elem::BitsOfFloat`].
    FloatOfBits,
    /// The first word of Threefry-2x32 with 20 rounds. Key and counter are two words each.
    Threefry,
    /// To the node's dtype. Floats to integers are cut towards zero and saturate; NaN becomes 0. Integers to narrower
    /// ones wrap. Floats to narrower ones round to nearest even. Anything to bool is `!= 0`.
    Convert,
}

/// Of each operation its name, number of operands, and cost. The cost is that of one element in vector instructions, roughly. Fusion
/// decides by it what to compute twice, and the emitter what to keep between passes.
macro_rules! elems {
    ($($elem:ident $(($cmp:ident))? $name:literal $arity:literal $cost:literal,)*) => {
        impl Elem {
            pub const ALL: [Elem; 47] = [$(Elem::$elem $((Comparison::$cmp))?),*];

            fn facts(self) -> (&'static str, usize, u64) {
                match self {
                    $(Elem::$elem $((Comparison::$cmp))? => ($name, $arity, $cost),)*
                }
            }
        }
    };
}

elems! {
    Add "add" 2 1,
    Subtract "subtract" 2 1,
    Multiply "multiply" 2 1,
    Divide "divide" 2 8,
    Maximum "maximum" 2 1,
    Minimum "minimum" 2 1,
    Power "power" 2 60,
    Negate "negate" 1 1,
    Abs "abs" 1 1,
    Sign "sign" 1 3,
    Exponential "exponential" 1 16,
    ExponentialMinusOne "exponential_minus_one" 1 40,
    Log "log" 1 24,
    LogPlusOne "log_plus_one" 1 40,
    Tanh "tanh" 1 24,
    Logistic "logistic" 1 24,
    Erf "erf" 1 24,
    Sqrt "sqrt" 1 8,
    Rsqrt "rsqrt" 1 8,
    Floor "floor" 1 1,
    Ceil "ceil" 1 1,
    Sine "sine" 1 40,
    Cosine "cosine" 1 40,
    Atan2 "atan2" 2 60,
    Cbrt "cbrt" 1 60,
    Remainder "remainder" 2 16,
    RoundNearestEven "round_nearest_even" 1 1,
    Compare(Eq) "compare_eq" 2 1,
    Compare(Ne) "compare_ne" 2 1,
    Compare(Lt) "compare_lt" 2 1,
    Compare(Le) "compare_le" 2 1,
    Compare(Gt) "compare_gt" 2 1,
    Compare(Ge) "compare_ge" 2 1,
    Select "select" 3 1,
    And "and" 2 1,
    Or "or" 2 1,
    Xor "xor" 2 1,
    Not "not" 1 1,
    ShiftLeft "shift_left" 2 1,
    ShiftRightArithmetic "shift_right_arithmetic" 2 1,
    ShiftRightLogical "shift_right_logical" 2 1,
    Popcnt "popcnt" 1 1,
    CountLeadingZeros "count_leading_zeros" 1 1,
    BitsOfFloat "bits_of_float" 1 1,
    FloatOfBits "float_of_bits" 1 1,
    Threefry "threefry" 4 100,
    Convert "convert" 1 1,
}

impl Elem {
    pub fn name(self) -> &'static str {
        self.facts().0
    }

    pub fn by_name(name: &str) -> Option<Elem> {
        Elem::ALL.into_iter().find(|e| e.name() == name)
    }

    pub fn arity(self) -> usize {
        self.facts().1
    }

    pub fn cost(self) -> u64 {
        self.facts().2
    }
}

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Node {
    Leaf(Access),
    /// Row `index` of a table: the access plus `stride * index`; 0 (or false) when `index` is not in `0..rows`.
    Gather {
        access: Access,
        index: NodeId,
        stride: i64,
        rows: u64,
    },
    /// The bits of an f64 if the dtype is a float type, otherwise those of an i64: see [`constant_as_f64`].
    Const {
        dtype: DType,
        bits: u64,
    },
    /// The index along one dim of the space, i32.
    Iota {
        dim: u32,
    },
    /// A dim of the launch, as i32: where this device's shard begins.
    Dim {
        dim: u32,
    },
    Elem {
        op: Elem,
        dtype: DType,
        args: Vec<NodeId>,
    },
    /// A reduction over the dims that the kernel reduces.
    Reduce {
        kind: Reduction,
        arg: NodeId,
    },
    /// The sum that a GEMM has accumulated. It occurs in epilogues only.
    Acc,
}

/// The number that a [`Node::Const`] is; integers beyond 2^53 are rounded.
pub fn constant_as_f64(dtype: DType, bits: u64) -> f64 {
    if dtype.is_float() { f64::from_bits(bits) } else { bits as i64 as f64 }
}

/// The value of a node, stored through an access.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Output {
    pub node: NodeId,
    pub access: Access,
}

/// Buffers, nodes in SSA order, and outputs.
///
/// An output's buffer may be the same memory as a leaf's, if every element is read only at the point of the space that
/// writes it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Body {
    /// The kernel's buffer arguments, in order.
    pub buffers: Vec<DType>,
    pub nodes: Vec<Node>,
    pub outputs: Vec<Output>,
}

impl Body {
    pub fn new(buffers: &[DType]) -> Body {
        Body { buffers: buffers.to_vec(), ..Body::default() }
    }

    /// A new buffer argument.
    pub fn buffer(&mut self, dtype: DType) -> u32 {
        self.buffers.push(dtype);
        (self.buffers.len() - 1) as u32
    }

    /// The node, which is added unless there is an equal one.
    pub fn node(&mut self, node: Node) -> NodeId {
        let at = self.nodes.iter().position(|n| *n == node).unwrap_or_else(|| {
            self.nodes.push(node);
            self.nodes.len() - 1
        });
        NodeId(at as u32)
    }

    pub fn leaf(&mut self, access: Access) -> NodeId {
        self.node(Node::Leaf(access))
    }

    pub fn constant(&mut self, dtype: DType, value: f64) -> NodeId {
        let bits = if dtype.is_float() { value.to_bits() } else { value as i64 as u64 };
        self.node(Node::Const { dtype, bits })
    }

    /// A constant of an integer type (or a truth value, 0 or 1). It is exact however large it is.
    pub fn integer(&mut self, dtype: DType, value: i64) -> NodeId {
        self.node(Node::Const { dtype, bits: value as u64 })
    }

    pub fn iota(&mut self, dim: u32) -> NodeId {
        self.node(Node::Iota { dim })
    }

    pub fn reduce(&mut self, kind: Reduction, arg: NodeId) -> NodeId {
        self.node(Node::Reduce { kind, arg })
    }

    /// An elementwise node; its dtype follows from its arguments.
    pub fn elem(&mut self, op: Elem, args: &[NodeId]) -> NodeId {
        let dtype = match op {
            Elem::Compare(_) => DType::Bool,
            Elem::Select => args.get(1).map_or(DType::F32, |&a| self.dtype(a)),
            Elem::BitsOfFloat | Elem::FloatOfBits => args.first().map_or(DType::F32, |&a| self.dtype(a).bits_as()),
            _ => args.first().map_or(DType::F32, |&a| self.dtype(a)),
        };
        self.node(Node::Elem { op, dtype, args: args.to_vec() })
    }

    pub fn convert(&mut self, arg: NodeId, dtype: DType) -> NodeId {
        if self.dtype(arg) == dtype {
            return arg;
        }
        self.node(Node::Elem { op: Elem::Convert, dtype, args: vec![arg] })
    }

    pub fn output(&mut self, node: NodeId, access: Access) {
        self.outputs.push(Output { node, access });
    }

    /// Row `index` of a table of `rows`, clamped as in StableHLO's gather. With `total` and `start` (a dim of the
    /// launch), the table is this device's block of a table of `total` rows, and rows of other blocks read as 0, which is -0 of
    /// floats: a sum does not change what is added to that.
    pub fn gather(
        &mut self,
        access: Access,
        index: NodeId,
        stride: i64,
        rows: u64,
        sharded: Option<(u64, u32)>,
    ) -> NodeId {
        let total = sharded.map_or(rows, |(total, _)| total);
        let zero = self.constant(DType::I32, 0.0);
        let last = self.constant(DType::I32, total.saturating_sub(1) as f64);
        let mut i = self.elem(Elem::Maximum, &[index, zero]);
        i = self.elem(Elem::Minimum, &[i, last]);
        if let Some((_, dim)) = sharded {
            let start = self.node(Node::Dim { dim });
            i = self.elem(Elem::Subtract, &[i, start]);
        }
        self.node(Node::Gather { access, index: i, stride, rows })
    }

    /// The type of a node. An accumulator has the type of its operands: see [`Body::acc_dtype`].
    pub fn dtype(&self, id: NodeId) -> DType {
        let buffer = |b: u32| self.buffers.get(b as usize).copied().unwrap_or(DType::F32);
        match self.nodes.get(id.index()) {
            Some(Node::Leaf(a)) => buffer(a.buffer),
            Some(Node::Gather { access, .. }) => buffer(access.buffer),
            Some(Node::Const { dtype, .. } | Node::Elem { dtype, .. }) => *dtype,
            Some(Node::Iota { .. } | Node::Dim { .. }) => DType::I32,
            Some(Node::Reduce { arg, .. }) if *arg < id => self.dtype(*arg),
            Some(Node::Acc) => self.acc_dtype(),
            _ => DType::F32,
        }
    }

    /// The type of accumulators. By convention, a kernel that has them has its first operand as first buffer. 16 bits
    /// are summed in 32.
    pub fn acc_dtype(&self) -> DType {
        self.buffers.first().copied().unwrap_or(DType::F32).computed()
    }

    /// Arguments of a node.
    pub fn args(&self, id: NodeId) -> &[NodeId] {
        match &self.nodes[id.index()] {
            Node::Elem { args, .. } => args,
            Node::Gather { index, .. } => std::slice::from_ref(index),
            Node::Reduce { arg, .. } => std::slice::from_ref(arg),
            _ => &[],
        }
    }

    /// All accesses, of leaves and outputs.
    pub fn accesses(&self) -> impl Iterator<Item = &Access> {
        let leaves = self.nodes.iter().filter_map(|n| match n {
            Node::Leaf(a) | Node::Gather { access: a, .. } => Some(a),
            _ => None,
        });
        leaves.chain(self.outputs.iter().map(|o| &o.access))
    }

    pub fn accesses_mut(&mut self) -> impl Iterator<Item = &mut Access> {
        let leaves = self.nodes.iter_mut().filter_map(|n| match n {
            Node::Leaf(a) | Node::Gather { access: a, .. } => Some(a),
            _ => None,
        });
        leaves.chain(self.outputs.iter_mut().map(|o| &mut o.access))
    }

    /// The number of launch dims that the body reads.
    pub fn dims(&self) -> u32 {
        let nodes = self.nodes.iter().filter_map(|n| if let Node::Dim { dim } = n { Some(dim + 1) } else { None });
        let starts = self.accesses().filter_map(|a| a.start.map(|s| s.dim + 1));
        nodes.chain(starts).max().unwrap_or(0)
    }

    /// The reductions, each with its kind and what it reduces.
    pub fn reductions(&self) -> Vec<(NodeId, Reduction, NodeId)> {
        let of = |(i, n): (usize, &Node)| match n {
            Node::Reduce { kind, arg } => Some((NodeId(i as u32), *kind, *arg)),
            _ => None,
        };
        self.nodes.iter().enumerate().filter_map(of).collect()
    }

    pub fn has_reduce(&self) -> bool {
        self.nodes.iter().any(|n| matches!(n, Node::Reduce { .. }))
    }

    /// The cost of the body at one point, in the unit of [`Elem::cost`].
    pub fn cost(&self) -> u64 {
        let cost = |n: &Node| match n {
            Node::Elem { op, .. } => op.cost(),
            Node::Const { .. } | Node::Dim { .. } | Node::Acc => 0,
            _ => 1,
        };
        self.nodes.iter().map(cost).sum()
    }
}
