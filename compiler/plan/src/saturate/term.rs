//! The e-graph's terms. `At(L, x)` means "tensor x in layout L", and every way of obtaining that is in its class: a local
//! op on operands in the layouts it needs, or a collective on the same tensor in another layout. So `all_reduce(x) +
//! all_reduce(y) = all_reduce(x + y)`, casting before a gather and delaying partial sums are congruences, not rules.
//!
//! Growing the other way, `assemble(L, shard)` from the inputs, is not injective and explodes.

use egg::{Analysis, DidMerge, EGraph, Id, Language};
use meshloom_ir::{Func, ValueId};
use std::fmt;
use std::rc::Rc;

pub(crate) type Graph = EGraph<LayoutTerm, Shapes>;

/// Ids of interned layouts, assignments and steps; see [`super::tables`].
pub type LayoutId = u32;

/// Types of the values that leaves and ops stand for.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum LayoutTerm {
    /// A global tensor that no op computes: an argument of the program or of a region, by value id.
    Arg(u32),
    /// A global op, by spec. An op of several results stands for their tuple.
    Op(u32, Box<[Id]>),
    /// One result of a tuple, global or local.
    Res(u32, [Id; 1]),
    /// A global tensor in a layout.
    At(LayoutId, [Id; 1]),
    /// The local form of spec `0` under assignment `1`.
    Loc(u32, u32, Box<[Id]>),
    /// The value of port `0` (a value id) in a layout, given what flows into the port.
    Port(u32, LayoutId, Box<[Id]>),
    /// A collective, `shard_slice` or `partial_split`, by step.
    Coll(u32, [Id; 1]),
    /// Any tensor of a universe. Steps between layouts do not depend on the tensor, so they are stated of this one.
    Any(u32),
}

impl Language for LayoutTerm {
    type Discriminant = (u8, u32);

    fn discriminant(&self) -> (u8, u32) {
        match self {
            LayoutTerm::Arg(v) => (0, *v),
            LayoutTerm::Op(s, _) => (1, *s),
            LayoutTerm::Res(i, _) => (2, *i),
            LayoutTerm::At(..) => (3, 0),
            LayoutTerm::Loc(s, ..) => (4, *s),
            LayoutTerm::Port(p, ..) => (5, *p),
            LayoutTerm::Coll(..) => (6, 0),
            LayoutTerm::Any(u) => (7, *u),
        }
    }

    fn matches(&self, other: &LayoutTerm) -> bool {
        match (self, other) {
            (LayoutTerm::Arg(a), LayoutTerm::Arg(b)) | (LayoutTerm::Any(a), LayoutTerm::Any(b)) => a == b,
            (LayoutTerm::Op(a, x), LayoutTerm::Op(b, y)) => a == b && x.len() == y.len(),
            (LayoutTerm::Res(a, _), LayoutTerm::Res(b, _)) | (LayoutTerm::At(a, _), LayoutTerm::At(b, _)) => a == b,
            (LayoutTerm::Coll(a, _), LayoutTerm::Coll(b, _)) => a == b,
            (LayoutTerm::Loc(a, f, x), LayoutTerm::Loc(b, g, y))
            | (LayoutTerm::Port(a, f, x), LayoutTerm::Port(b, g, y)) => a == b && f == g && x.len() == y.len(),
            _ => false,
        }
    }

    fn children(&self) -> &[Id] {
        match self {
            LayoutTerm::Arg(_) | LayoutTerm::Any(_) => &[],
            LayoutTerm::Op(_, c) | LayoutTerm::Loc(_, _, c) | LayoutTerm::Port(_, _, c) => c,
            LayoutTerm::Res(_, c) | LayoutTerm::At(_, c) | LayoutTerm::Coll(_, c) => c,
        }
    }

    fn children_mut(&mut self) -> &mut [Id] {
        match self {
            LayoutTerm::Arg(_) | LayoutTerm::Any(_) => &mut [],
            LayoutTerm::Op(_, c) | LayoutTerm::Loc(_, _, c) | LayoutTerm::Port(_, _, c) => c,
            LayoutTerm::Res(_, c) | LayoutTerm::At(_, c) | LayoutTerm::Coll(_, c) => c,
        }
    }
}

impl fmt::Display for LayoutTerm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LayoutTerm::Arg(v) => write!(f, "arg{v}"),
            LayoutTerm::Op(s, _) => write!(f, "op{s}"),
            LayoutTerm::Res(i, _) => write!(f, "result{i}"),
            LayoutTerm::At(l, _) => write!(f, "at{l}"),
            LayoutTerm::Loc(s, a, _) => write!(f, "local{s}.{a}"),
            LayoutTerm::Port(p, l, _) => write!(f, "port{p}.{l}"),
            LayoutTerm::Coll(s, _) => write!(f, "step{s}"),
            LayoutTerm::Any(u) => write!(f, "any{u}"),
        }
    }
}

/// What a class stands for. Shapes and dtypes only: costs depend on what is shared, which no per-class number can say.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ClassData {
    /// A global tensor; the value of least id that is it.
    Tensor(ValueId),
    /// The results of a global op, or of a local one.
    Tuple,
    /// A tensor on one device.
    Local,
}

/// Gives every class its [`ClassData`].
#[derive(Clone)]
pub struct Shapes {
    /// By spec: the values that its op defines.
    pub results: Rc<[Vec<ValueId>]>,
}

impl Shapes {
    /// One spec per op of the program; algebra would intern more.
    pub fn new(func: &Func) -> Shapes {
        Shapes { results: func.ops.iter().map(|o| o.results.clone()).collect() }
    }
}

impl Analysis<LayoutTerm> for Shapes {
    type Data = ClassData;

    fn make(egraph: &mut EGraph<LayoutTerm, Shapes>, term: &LayoutTerm, _: Id) -> ClassData {
        match term {
            LayoutTerm::Arg(v) => ClassData::Tensor(ValueId(*v)),
            LayoutTerm::Op(s, _) => match egraph.analysis.results[*s as usize][..] {
                [v] => ClassData::Tensor(v),
                _ => ClassData::Tuple,
            },
            LayoutTerm::Res(i, [x]) => {
                let op =
                    egraph[*x].nodes.iter().find_map(|n| if let LayoutTerm::Op(s, _) = n { Some(*s) } else { None });
                match op {
                    Some(s) => ClassData::Tensor(egraph.analysis.results[s as usize][*i as usize]),
                    None => ClassData::Local,
                }
            }
            LayoutTerm::Loc(..)
            | LayoutTerm::At(..)
            | LayoutTerm::Port(..)
            | LayoutTerm::Coll(..)
            | LayoutTerm::Any(_) => ClassData::Local,
        }
    }

    fn merge(&mut self, a: &mut ClassData, b: ClassData) -> DidMerge {
        match (&*a, &b) {
            (ClassData::Tensor(x), ClassData::Tensor(y)) if y < x => {
                *a = b;
                DidMerge(true, false)
            }
            (x, y) => DidMerge(false, x != y),
        }
    }
}
