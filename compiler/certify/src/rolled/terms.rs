//! Terms: what values of both programs compute. Equal ops on equal operands are one term, and a stack is its entries.
//!
//! An op that works on each entry of a stack by itself is never compared as an op on the stack. Its entries are compared
//! ([`Terms::entry`]), and each of these is an op on entries. The ops that are followed this way, and those that only rename (a
//! reshape that adds or drops a leading dim of 1, a broadcast that changes nothing), are listed here from their definitions, and
//! nowhere else.

use crate::term_ref::TermRef;
use indexmap::{IndexMap, IndexSet};
use meshloom_ir::{Literal, Op, OpId, TensorType};
use std::collections::HashMap;

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
enum Kind {
    Input(String),
    /// Argument `i` of the body that the term stands in. Bodies see nothing else.
    Arg(u32),
    /// An op by its number, which of its results, what it reads, and its bodies.
    Op(u32, u32, Vec<TermRef>, Vec<TermRef>),
    /// What a body yields.
    Body(Vec<TermRef>),
    /// Tensors of one type along a new dim 0.
    Stack(Vec<TermRef>),
    /// `x[i]` along dim 0 of something that is not taken apart.
    Entry(u64, TermRef),
}

/// Ops on stacks in a row that are followed to one entry. What lies deeper is not taken apart.
const MAX_DEPTH: usize = 500;

#[derive(Default, Debug)]
pub(super) struct Terms {
    /// With the op of the given program that made each first.
    nodes: IndexMap<(Kind, TensorType), Option<OpId>>,
    ops: IndexSet<Op>,
    entries: HashMap<(u64, TermRef), TermRef>,
    depth: usize,
    /// The op that is read, if it is one of the given program.
    pub reading: Option<OpId>,
}

impl Terms {
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    pub fn ty(&self, t: TermRef) -> &TensorType {
        &self.at(t).0.1
    }

    fn kind(&self, t: TermRef) -> &Kind {
        &self.at(t).0.0
    }

    pub fn origin(&self, t: TermRef) -> Option<OpId> {
        *self.at(t).1
    }

    fn at(&self, t: TermRef) -> (&(Kind, TensorType), &Option<OpId>) {
        self.nodes.get_index(t.index()).expect("terms are never removed")
    }

    fn add(&mut self, kind: Kind, ty: TensorType) -> TermRef {
        let reading = self.reading;
        let entry = self.nodes.entry((kind, ty));
        let t = TermRef(entry.index() as u32);
        entry.or_insert(reading);
        t
    }

    pub fn input(&mut self, name: String, ty: TensorType) -> TermRef {
        self.add(Kind::Input(name), ty)
    }

    pub fn arg(&mut self, place: usize, ty: TensorType) -> TermRef {
        self.add(Kind::Arg(place as u32), ty)
    }

    pub fn body(&mut self, yields: Vec<TermRef>) -> TermRef {
        self.add(Kind::Body(yields), TensorType::scalar(meshloom_ir::DType::Bool))
    }

    fn number(&mut self, op: &Op) -> u32 {
        self.ops.insert_full(op.clone()).0 as u32
    }

    /// Result `result`, of type `ty`, of an op with bodies.
    pub fn with_bodies(
        &mut self,
        op: &Op,
        result: usize,
        of: &[TermRef],
        bodies: &[TermRef],
        ty: TensorType,
    ) -> TermRef {
        let number = self.number(op);
        self.add(Kind::Op(number, result as u32, of.to_vec(), bodies.to_vec()), ty)
    }

    /// Whether there is such a term.
    pub fn knows(&mut self, op: &Op, of: &[TermRef], bodies: &[TermRef], ty: &TensorType) -> bool {
        let number = self.number(op);
        self.nodes.contains_key(&(Kind::Op(number, 0, of.to_vec(), bodies.to_vec()), ty.clone()))
    }

    /// Result `result`, of type `ty`, of an op without bodies.
    pub fn op(&mut self, op: &Op, result: usize, of: &[TermRef], ty: TensorType) -> TermRef {
        if let &[x] = of
            && let Some(t) = self.renamed(op, x, &ty)
        {
            return t;
        }
        if let Op::Concatenate { dim: 0 } = op {
            let stacks: Option<Vec<_>> = of.iter().map(|&t| self.stacked(t)).collect();
            if let Some(all) = stacks {
                return self.stack(&all.concat(), ty);
            }
        }
        self.with_bodies(op, result, of, &[], ty)
    }

    fn stacked(&self, t: TermRef) -> Option<Vec<TermRef>> {
        match self.kind(t) {
            Kind::Stack(entries) => Some(entries.clone()),
            _ => None,
        }
    }

    /// What an op makes of `x` that only has another name for it.
    fn renamed(&mut self, op: &Op, x: TermRef, ty: &TensorType) -> Option<TermRef> {
        let was = self.ty(x);
        let whole = was == ty;
        let counts = |list: &[usize]| list.iter().copied().eq(0..list.len());
        match op {
            Op::Constrain(_) => Some(x),
            Op::Reshape { .. } | Op::Slice { .. } if whole => Some(x),
            Op::Broadcast { dims, .. } if whole && counts(dims) => Some(x),
            Op::Transpose { perm } if counts(perm) => Some(x),
            Op::Reshape { .. } if ty.shape.first() == Some(&1) && ty.shape[1..] == was.shape[..] => {
                Some(self.stack(&[x], ty.clone()))
            }
            Op::Reshape { .. } if was.shape.first() == Some(&1) && was.shape[1..] == ty.shape[..] => {
                Some(self.entry(0, x))
            }
            _ => None,
        }
    }

    /// The tensor of type `ty` whose entries along dim 0 these are.
    pub fn stack(&mut self, entries: &[TermRef], ty: TensorType) -> TermRef {
        let of = |t: TermRef| match *self.kind(t) {
            Kind::Entry(i, x) => Some((i, x)),
            _ => None,
        };
        // All entries of one tensor, in their order.
        if let Some((_, x)) = entries.first().and_then(|&t| of(t))
            && *self.ty(x) == ty
            && entries.iter().enumerate().all(|(i, &t)| of(t) == Some((i as u64, x)))
        {
            return x;
        }
        self.add(Kind::Stack(entries.to_vec()), ty)
    }

    /// Entry `i` of a tensor along its dim 0.
    pub fn entry(&mut self, i: u64, x: TermRef) -> TermRef {
        if let Some(&t) = self.entries.get(&(i, x)) {
            return t;
        }
        let followed = if self.depth < MAX_DEPTH { self.follow(i, x) } else { None };
        let t = followed.unwrap_or_else(|| {
            let ty = rest(self.ty(x));
            self.add(Kind::Entry(i, x), ty)
        });
        self.entries.insert((i, x), t);
        t
    }

    /// Entry `i` of `x` by what makes `x`: entry `i` of an op that works on each entry by itself is that op on entries.
    fn follow(&mut self, i: u64, x: TermRef) -> Option<TermRef> {
        let (number, of) = match self.kind(x) {
            Kind::Stack(entries) => return entries.get(i as usize).copied(),
            Kind::Op(number, 0, of, bodies) if bodies.is_empty() => (*number, of.clone()),
            _ => return None,
        };
        let op = self.ops[number as usize].clone();
        let ty = rest(self.ty(x));
        let long = self.ty(x).shape[0];
        let alike = |t: &TermRef| self.ty(*t).shape.first() == Some(&long);
        let less = |dims: &[usize]| dims.iter().map(|d| d - 1).collect::<Vec<_>>();
        let one = match op {
            Op::Constant { dtype, value: Literal::Splat(v), .. } => {
                Op::Constant { dtype, shape: ty.shape.clone(), value: Literal::Splat(v) }
            }
            Op::Elem(_) | Op::Convert { .. } if of.iter().all(alike) => op,
            Op::Broadcast { dims, .. } if !dims.contains(&0) => {
                let op = Op::Broadcast { shape: ty.shape.clone(), dims: less(&dims) };
                return Some(self.op(&op, 0, &of, ty));
            }
            Op::Broadcast { dims, .. } if dims[0] == 0 && of.iter().all(alike) => {
                Op::Broadcast { shape: ty.shape.clone(), dims: less(&dims[1..]) }
            }
            Op::Reshape { .. } if of.iter().all(alike) => Op::Reshape { shape: ty.shape.clone() },
            Op::Transpose { perm } if perm[0] == 0 => Op::Transpose { perm: less(&perm[1..]) },
            Op::Reduce { kind, dims } if !dims.contains(&0) => Op::Reduce { kind, dims: less(&dims) },
            Op::Slice { start, limit } => {
                let entry = self.deeper(start[0] + i, of[0]);
                let op = Op::Slice { start: start[1..].to_vec(), limit: limit[1..].to_vec() };
                return Some(self.op(&op, 0, &[entry], ty));
            }
            Op::Concatenate { dim: 0 } => {
                let mut at = i;
                for t in of {
                    let n = self.ty(t).shape[0];
                    if at < n {
                        return Some(self.deeper(at, t));
                    }
                    at -= n;
                }
                return None;
            }
            _ => return None,
        };
        let entries: Vec<TermRef> = of.iter().map(|&t| self.deeper(i, t)).collect();
        Some(self.op(&one, 0, &entries, ty))
    }

    fn deeper(&mut self, i: u64, x: TermRef) -> TermRef {
        self.depth += 1;
        let t = self.entry(i, x);
        self.depth -= 1;
        t
    }

    /// The first operands in which two terms of one kind differ.
    pub fn part(&self, a: TermRef, b: TermRef) -> Option<(TermRef, TermRef)> {
        let pairs = |x: &[TermRef], y: &[TermRef]| {
            let mut all = x.iter().copied().zip(y.iter().copied());
            if x.len() == y.len() { all.find(|p| p.0 != p.1) } else { None }
        };
        match (self.kind(a), self.kind(b)) {
            (Kind::Op(n, r, x, p), Kind::Op(m, s, y, q)) if (n, r) == (m, s) => pairs(x, y).or_else(|| pairs(p, q)),
            (Kind::Body(x), Kind::Body(y)) | (Kind::Stack(x), Kind::Stack(y)) => pairs(x, y),
            (Kind::Entry(i, x), Kind::Entry(j, y)) if i == j => Some((*x, *y)),
            _ => None,
        }
    }

    /// A term in words.
    pub fn describe(&self, t: TermRef) -> String {
        match self.kind(t) {
            Kind::Input(name) => format!("`{name}`"),
            Kind::Arg(i) => format!("argument {i} of a body"),
            Kind::Op(number, ..) => format!("`{}`", self.ops[*number as usize].name()),
            Kind::Body(_) => "body".into(),
            Kind::Stack(all) => format!("stack of {}", all.len()),
            Kind::Entry(i, x) => format!("entry {i} of {}", self.describe(*x)),
        }
    }
}

/// The type of an entry.
fn rest(ty: &TensorType) -> TensorType {
    TensorType::new(ty.dtype, &ty.shape[1..])
}
