//! The e-graph's terms. `At(L, x)` means "tensor x in layout L", and every way of obtaining that is in its class: a local
//! op on operands in the layouts it needs, or a collective on the same tensor in another layout. So `all_reduce(x) +
//! all_reduce(y) = all_reduce(x + y)`, casting before a gather and delaying partial sums are congruences, not rules.
//!
//! Growing the other way, `assemble(L, piece)` from the inputs, is not injective and explodes.

use egg::{Analysis, DidMerge, EGraph, Id, Language};
use meshloom_ir::{Func, ValueId};
use std::fmt;
use std::rc::Rc;

/// Ids of interned layouts, assignments and steps; see [`super::tables`].
pub type LayoutId = u32;

/// Types of the values that leaves and ops stand for.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Term {
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

impl Language for Term {
    type Discriminant = (u8, u32);

    fn discriminant(&self) -> (u8, u32) {
        match self {
            Term::Arg(v) => (0, *v),
            Term::Op(s, _) => (1, *s),
            Term::Res(i, _) => (2, *i),
            Term::At(..) => (3, 0),
            Term::Loc(s, ..) => (4, *s),
            Term::Port(p, ..) => (5, *p),
            Term::Coll(..) => (6, 0),
            Term::Any(u) => (7, *u),
        }
    }

    fn matches(&self, other: &Term) -> bool {
        match (self, other) {
            (Term::Arg(a), Term::Arg(b)) | (Term::Any(a), Term::Any(b)) => a == b,
            (Term::Op(a, x), Term::Op(b, y)) => a == b && x.len() == y.len(),
            (Term::Res(a, _), Term::Res(b, _)) | (Term::At(a, _), Term::At(b, _)) => a == b,
            (Term::Coll(a, _), Term::Coll(b, _)) => a == b,
            (Term::Loc(a, f, x), Term::Loc(b, g, y)) | (Term::Port(a, f, x), Term::Port(b, g, y)) => {
                a == b && f == g && x.len() == y.len()
            }
            _ => false,
        }
    }

    fn children(&self) -> &[Id] {
        match self {
            Term::Arg(_) | Term::Any(_) => &[],
            Term::Op(_, c) | Term::Loc(_, _, c) | Term::Port(_, _, c) => c,
            Term::Res(_, c) | Term::At(_, c) | Term::Coll(_, c) => c,
        }
    }

    fn children_mut(&mut self) -> &mut [Id] {
        match self {
            Term::Arg(_) | Term::Any(_) => &mut [],
            Term::Op(_, c) | Term::Loc(_, _, c) | Term::Port(_, _, c) => c,
            Term::Res(_, c) | Term::At(_, c) | Term::Coll(_, c) => c,
        }
    }
}

impl fmt::Display for Term {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Term::Arg(v) => write!(f, "arg{v}"),
            Term::Op(s, _) => write!(f, "op{s}"),
            Term::Res(i, _) => write!(f, "result{i}"),
            Term::At(l, _) => write!(f, "at{l}"),
            Term::Loc(s, a, _) => write!(f, "local{s}.{a}"),
            Term::Port(p, l, _) => write!(f, "port{p}.{l}"),
            Term::Coll(s, _) => write!(f, "step{s}"),
            Term::Any(u) => write!(f, "any{u}"),
        }
    }
}

/// What a class stands for. Shapes and dtypes only: costs depend on what is shared, which no per-class number can say.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Data {
    /// A global tensor; the value of least id that is it.
    Tensor(ValueId),
    /// The results of a global op, or of a local one.
    Tuple,
    /// A tensor on one device.
    Local,
}

/// Gives every class its [`Data`].
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

impl Analysis<Term> for Shapes {
    type Data = Data;

    fn make(egraph: &mut EGraph<Term, Shapes>, term: &Term, _: Id) -> Data {
        match term {
            Term::Arg(v) => Data::Tensor(ValueId(*v)),
            Term::Op(s, _) => match egraph.analysis.results[*s as usize][..] {
                [v] => Data::Tensor(v),
                _ => Data::Tuple,
            },
            Term::Res(i, [x]) => {
                let op = egraph[*x].nodes.iter().find_map(|n| if let Term::Op(s, _) = n { Some(*s) } else { None });
                match op {
                    Some(s) => Data::Tensor(egraph.analysis.results[s as usize][*i as usize]),
                    None => Data::Local,
                }
            }
            Term::Loc(..) | Term::At(..) | Term::Port(..) | Term::Coll(..) | Term::Any(_) => Data::Local,
        }
    }

    fn merge(&mut self, a: &mut Data, b: Data) -> DidMerge {
        match (&*a, &b) {
            (Data::Tensor(x), Data::Tensor(y)) if y < x => {
                *a = b;
                DidMerge(true, false)
            }
            (x, y) => DidMerge(false, x != y),
        }
    }
}
