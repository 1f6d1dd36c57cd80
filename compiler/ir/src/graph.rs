//! The SSA graph: one arena of values, ops and regions per function. Ids are dense; ops stand in regions in an order in
//! which definitions precede uses. Functions are inlined by the front end, so a function is a whole program.

use crate::layout::{Constraint, Layout};
use crate::mesh::Mesh;
use crate::op::Op;
use crate::span::Span;
use crate::types::{Scalar, TensorType};
pub use meshloom_scalar::Role;

macro_rules! id {
    ($name:ident, $doc:literal) => {
        #[doc = $doc]
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub struct $name(pub u32);

        impl $name {
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }
    };
}

id!(ValueId, "A value of a function.");
id!(OpId, "An op of a function.");
id!(RegionId, "A region of a function; region 0 is its body.");

/// Where a value comes from.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Def {
    /// Result `1` of op `0`.
    Op(OpId, u32),
    /// Argument `1` of region `0`.
    Arg(RegionId, u32),
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Value {
    pub ty: TensorType,
    pub def: Def,
    /// The name the source gives it, for reports and the text form.
    pub name: Option<String>,
    pub span: Span,
    /// Its layout, once decided. In a local program: the layout of the global tensor that this is a shard of.
    pub layout: Option<Layout>,
}

/// Which part of a train step an op belongs to.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum Phase {
    #[default]
    Forward,
    Backward,
    Update,
}

impl Phase {
    pub fn name(self) -> &'static str {
        match self {
            Phase::Forward => "forward",
            Phase::Backward => "backward",
            Phase::Update => "update",
        }
    }
}

meshloom_scalar::named! {
    /// Which forward values the backward pass recomputes instead of keeping them.
    #[derive(Default)]
    Recompute {
        None "none" "None: all are kept",
        Full "full" "All but what enters the body of a loop",
        #[default]
        Auto "auto" "As much as the budget demands, the cheapest first",
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OpData {
    pub op: Op,
    pub operands: Vec<ValueId>,
    pub results: Vec<ValueId>,
    /// Bodies of `repeat` and `composite`.
    pub regions: Vec<RegionId>,
    pub parent: RegionId,
    pub span: Span,
    pub phase: Phase,
    /// Set by autodiff on the contraction that makes a parameter's gradient, so that pipelines can split it off.
    pub weight_grad: bool,
    /// Of a `repeat`: what the source says about computing its values again in the backward pass. `Full` of any other op: it is
    /// a forward op that is rematerialized, so that the result of the first one is not kept; see [`OpData::is_rematerialized`].
    pub recompute: Option<Recompute>,
}

impl OpData {
    /// Whether this is a copy of a forward op that stands where it does for the sake of memory: what merges or moves ops must
    /// not bring it back to the forward pass.
    pub fn is_rematerialized(&self) -> bool {
        self.recompute == Some(Recompute::Full) && !matches!(self.op, Op::Repeat { .. })
    }
}

#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Region {
    pub args: Vec<ValueId>,
    pub ops: Vec<OpId>,
    pub yields: Vec<ValueId>,
    /// The op it is the body of; `None` for a function's body.
    pub owner: Option<OpId>,
}

/// Initial value of a parameter. Floats are f64 bits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Init {
    /// One value everywhere: exact where it is an integer.
    Constant(Scalar),
    /// Standard deviation.
    Normal(u64),
    /// Uniform in `-bound..bound`.
    Uniform(u64),
    /// The seed of the run.
    Seed,
}

/// A function's input or output.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Port {
    /// Path of a parameter (`blocks.*.qkv`), of its state (`m.blocks.*.qkv`), or the name of an input or output.
    pub name: String,
    pub role: Role,
    pub constraint: Constraint,
    /// Dim 0 is the position in a list of structs; files name each entry (`blocks.0.qkv`).
    pub stacked: bool,
    /// Of a pipeline stage's part of a stack: the entry of the whole that dim 0 begins with.
    pub first_layer: u64,
    /// Names of the entries of a stacked port, where they are not `name` with a number for its `*`.
    pub entries: Vec<String>,
    /// Its elements are complex: the last dim, of size 2, has real and imaginary part.
    pub complex: bool,
    /// Its i64s are the bits of unsigned integers.
    pub unsigned: bool,
    pub init: Option<Init>,
    /// Range `lo..hi` that integer data is checked against.
    pub range: Option<(i64, i64)>,
    /// For an output: the input whose next value it is.
    pub updates: Option<usize>,
    /// For optimizer state: the name of the parameter that it belongs to.
    pub of: Option<String>,
    /// It lies in the host's memory between steps, and parts of it are on the device while they are read and written.
    pub host: bool,
    pub span: Span,
}

impl Port {
    /// A port of `rank` dims without layout, initial value, range or place in the source.
    pub fn new(name: impl Into<String>, role: Role, rank: usize) -> Port {
        Port {
            name: name.into(),
            role,
            constraint: Constraint::absent(rank),
            stacked: false,
            first_layer: 0,
            entries: Vec::new(),
            complex: false,
            unsigned: false,
            init: None,
            range: None,
            updates: None,
            of: None,
            host: false,
            span: Span::default(),
        }
    }

    /// Whether it has a row for each layer of `list`: a parameter of the list, or state that belongs to one. The list
    /// [`Port::ALL_LAYERS`] has all stacked ports.
    pub fn is_of_list(&self, list: &str) -> bool {
        let name = self.of.as_deref().unwrap_or(&self.name);
        let below = || name.strip_prefix(list).is_some_and(|rest| rest.starts_with('.'));
        self.stacked && (list == Port::ALL_LAYERS || below())
    }

    /// The list of layers of a program whose names say nothing of lists.
    pub const ALL_LAYERS: &str = "*";
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Func {
    pub name: String,
    pub mesh: Mesh,
    pub values: Vec<Value>,
    pub ops: Vec<OpData>,
    pub regions: Vec<Region>,
    /// One per argument of the body.
    pub inputs: Vec<Port>,
    /// One per yield of the body.
    pub outputs: Vec<Port>,
    /// What loops of the forward pass stack for the backward pass lies in the host's memory meanwhile.
    pub stashes_in_host: bool,
}

impl Func {
    /// An empty function: its body has no arguments and yields nothing.
    pub fn new(name: impl Into<String>, mesh: Mesh) -> Func {
        Func {
            name: name.into(),
            mesh,
            values: Vec::new(),
            ops: Vec::new(),
            regions: vec![Region::default()],
            inputs: Vec::new(),
            outputs: Vec::new(),
            stashes_in_host: false,
        }
    }

    /// An empty function that is to become another form of `other`.
    pub fn like(other: &Func) -> Func {
        let new = Func::new(other.name.clone(), other.mesh.clone());
        Func { stashes_in_host: other.stashes_in_host, ..new }
    }

    pub const BODY: RegionId = RegionId(0);

    pub fn body(&self) -> &Region {
        &self.regions[0]
    }

    pub fn value(&self, v: ValueId) -> &Value {
        &self.values[v.index()]
    }

    pub fn ty(&self, v: ValueId) -> &TensorType {
        &self.values[v.index()].ty
    }

    pub fn op(&self, o: OpId) -> &OpData {
        &self.ops[o.index()]
    }

    pub fn region(&self, r: RegionId) -> &Region {
        &self.regions[r.index()]
    }

    /// The op that defines `v`, if it is not a region argument.
    pub fn def_op(&self, v: ValueId) -> Option<OpId> {
        match self.value(v).def {
            Def::Op(o, _) => Some(o),
            Def::Arg(..) => None,
        }
    }

    /// For a body argument that slices a stack which another `repeat` of as many iterations yields: that repeat and which of
    /// its results. In a train step these are the forward values that the backward pass reads, one iteration at a time.
    pub fn stash_of(&self, arg: ValueId) -> Option<(OpId, usize)> {
        let Def::Arg(r, i) = self.value(arg).def else { return None };
        let reader = self.op(self.region(r).owner?);
        let Op::Repeat { trip, carries, xs, .. } = reader.op else { return None };
        let i = i as usize;
        if !(carries..carries + xs).contains(&i) {
            return None;
        }
        let Def::Op(o, j) = self.value(reader.operands[i]).def else { return None };
        match self.op(o).op {
            Op::Repeat { trip: n, carries, .. } if n == trip && j as usize >= carries => Some((o, j as usize)),
            _ => None,
        }
    }

    /// Types of an op's operands.
    pub fn operand_types(&self, o: OpId) -> Vec<&TensorType> {
        self.op(o).operands.iter().map(|&v| self.ty(v)).collect()
    }

    /// Types of an op's results.
    pub fn result_types(&self, o: OpId) -> Vec<&TensorType> {
        self.op(o).results.iter().map(|&v| self.ty(v)).collect()
    }

    /// Ops of a region and of the regions inside it, in order, outer before inner.
    pub fn walk(&self, region: RegionId) -> Vec<OpId> {
        let mut out = Vec::new();
        let mut stack: Vec<std::slice::Iter<'_, OpId>> = vec![self.region(region).ops.iter()];
        while let Some(top) = stack.last_mut() {
            match top.next() {
                None => {
                    stack.pop();
                }
                Some(&o) => {
                    out.push(o);
                    for &r in self.op(o).regions.iter().rev() {
                        stack.push(self.region(r).ops.iter());
                    }
                }
            }
        }
        out
    }

    pub fn input(&self, name: &str) -> Option<usize> {
        self.inputs.iter().position(|p| p.name == name)
    }

    pub fn output(&self, name: &str) -> Option<usize> {
        self.outputs.iter().position(|p| p.name == name)
    }
}
