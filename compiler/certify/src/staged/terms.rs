//! Terms: what values of both sides compute, whatever op, loop and rank they stand in. Equal terms are one term, apart from what
//! loops carry, which [`super::same`] compares.
//!
//! A term in a loop stands for a *family* of tensors, one for each iteration of the loops around it: its space, a list of trip
//! counts. Iteration `i` of a loop reads entry `i` of a stack and writes entry `i`, whichever way the loop runs. So a slice of a
//! stack that a loop of as many iterations yields is what was yielded there, and it makes no difference in which of several
//! loops an op stands. A term that is the same in all iterations belongs to the space around the loop. So do all terms of a loop
//! with one iteration, whose carries are their initial values.
//!
//! Sums are sums of many, in no order. A carry that is added to in each iteration and read by nothing else leaves its start
//! and the total of what is added; so sums over all microbatches and over some of them add up.
//!
//! Every rule here leads from a term to terms that it is computed from. So a proof may assume that carries are equal and then
//! confirm it, by induction over the order of computation.

use crate::spaces::{Space, Spaces};
use crate::term_ref::TermRef;
use indexmap::IndexSet;
use meshloom_ir::{Literal, Op, OpId, TensorType};

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum TermKind {
    /// Rows of an input of the local program; all of a scalar.
    Input(usize, u64, u64),
    /// An op by its number, and which of its results.
    Op(u32, u32),
    Sum,
    /// `t -> x[t]`.
    Slice(Space),
    /// The tensors of all iterations of the innermost loop, along a new dim 0.
    Stack(Space),
    /// Rows `lo..hi` of so many.
    Rows(u64, u64, u64),
    /// Runs of rows, one after the other.
    Join,
    /// What a loop carries, by number. Its start and its next value are in [`Terms::carries`].
    Carry(u32),
    /// What a carry is in the end.
    Last,
    /// The sum over the iterations of the innermost loop.
    Total(Space),
}

/// Where a term comes from: side 0 is the local program, side `k + 1` rank `k`.
pub type MadeBy = (usize, Option<OpId>);

#[derive(Clone, Debug)]
pub struct TermNode {
    pub kind: TermKind,
    pub of: Vec<TermRef>,
    pub space: Space,
    pub origin: MadeBy,
    zero: bool,
    /// Terms made of it, and carries that start with it or go on as it.
    users: u32,
}

/// What a loop carries.
#[derive(Clone, Debug)]
pub struct Carry {
    pub space: Space,
    pub reverse: bool,
    pub ty: TensorType,
    pub start: TermRef,
    pub next: TermRef,
}

/// The most summands of one term: longer sums keep the order in which they are written. A norm over all layers has one for each segment
/// of the loop over them.
const MAX_SUMMANDS: usize = meshloom_ir::segments::MAX_SEGMENTS;

#[derive(Debug)]
pub struct Terms {
    nodes: Vec<TermNode>,
    known: IndexSet<(TermKind, Vec<TermRef>)>,
    pub carries: Vec<Carry>,
    spaces: Spaces,
    meanings: IndexSet<Meaning>,
}

/// What an op that has a number is.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Meaning {
    Op(Op),
    /// The text of an op with a body that is compared as it stands.
    Body(String),
}

impl Terms {
    pub fn new() -> Terms {
        Terms {
            nodes: Vec::new(),
            known: IndexSet::new(),
            carries: Vec::new(),
            spaces: Spaces::new(),
            meanings: IndexSet::new(),
        }
    }

    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    pub fn node(&self, t: TermRef) -> &TermNode {
        &self.nodes[t.index()]
    }

    pub fn nodes(&self) -> &[TermNode] {
        &self.nodes
    }

    pub fn meaning(&self, number: u32) -> &Meaning {
        &self.meanings[number as usize]
    }

    /// The space of a loop of `trip` iterations in `outer`.
    pub fn inside(&mut self, outer: Space, trip: u64) -> Space {
        let outer = self.lies_in(outer);
        self.spaces.inside(outer, trip)
    }

    pub fn trip(&self, s: Space) -> u64 {
        self.spaces.trip(s)
    }

    fn outer(&self, s: Space) -> Space {
        self.spaces.outer(s).unwrap_or(Spaces::OUTSIDE)
    }

    /// The space of terms of a loop of `s`: the one around, where it has one iteration.
    fn lies_in(&self, s: Space) -> Space {
        if self.trip(s) == 1 { self.outer(s) } else { s }
    }

    /// The deepest of the spaces of some terms, which all lie on one way inwards.
    fn deepest(&self, of: &[TermRef]) -> Space {
        let spaces = of.iter().map(|t| self.node(*t).space);
        spaces.max_by_key(|&s| self.spaces.depth(s)).unwrap_or(Spaces::OUTSIDE)
    }

    fn add(&mut self, kind: TermKind, of: Vec<TermRef>, space: Space, origin: MadeBy, zero: bool) -> TermRef {
        let (at, new) = self.known.insert_full((kind, of));
        if new {
            let (kind, of) = self.known[at].clone();
            for t in &of {
                self.nodes[t.index()].users += 1;
            }
            let space = self.lies_in(space);
            self.nodes.push(TermNode { kind, of, space, origin, zero, users: 0 });
        }
        TermRef(at as u32)
    }

    pub fn input(&mut self, input: usize, lo: u64, hi: u64, origin: MadeBy) -> TermRef {
        self.add(TermKind::Input(input, lo, hi), Vec::new(), Spaces::OUTSIDE, origin, false)
    }

    /// The number of an op that is a function of its operands.
    pub fn number(&mut self, op: &Op) -> u32 {
        self.meanings.insert_full(Meaning::Op(op.clone())).0 as u32
    }

    /// The number of an op with a body, by its text.
    pub fn body(&mut self, text: String) -> u32 {
        self.meanings.insert_full(Meaning::Body(text)).0 as u32
    }

    pub fn op(&mut self, number: u32, result: u32, of: Vec<TermRef>, origin: MadeBy) -> TermRef {
        let space = self.deepest(&of);
        let zero = match &self.meanings[number as usize] {
            Meaning::Op(Op::Constant { value: Literal::Splat(x), .. }) => x.as_f64() == 0.0,
            Meaning::Op(Op::Broadcast { .. } | Op::Reshape { .. } | Op::Convert { .. } | Op::PartialSplit { .. }) => {
                of.iter().all(|t| self.node(*t).zero)
            }
            _ => false,
        };
        self.add(TermKind::Op(number, result), of, space, origin, zero)
    }

    /// The sum of tensors of one type.
    pub fn sum(&mut self, items: &[TermRef], origin: MadeBy) -> TermRef {
        let parts = |t: &TermRef| match self.node(*t).kind {
            TermKind::Sum => self.node(*t).of.clone(),
            _ => vec![*t],
        };
        let mut all: Vec<TermRef> = items.iter().flat_map(parts).collect();
        if all.len() > MAX_SUMMANDS {
            all = items.to_vec();
        }
        let zero = all.iter().copied().find(|t| self.node(*t).zero);
        all.retain(|t| !self.node(*t).zero);
        match (all.as_slice(), zero) {
            ([one], _) => return *one,
            ([], Some(zero)) => return zero,
            _ => {}
        }
        all.sort_unstable();
        let space = self.deepest(&all);
        self.add(TermKind::Sum, all, space, origin, false)
    }

    pub fn slice(&mut self, space: Space, x: TermRef, origin: MadeBy) -> TermRef {
        let node = self.node(x);
        if let TermKind::Stack(s) = node.kind {
            let y = node.of[0];
            // What is the same in all iterations can be read in any loop of as many.
            let alike = self.node(y).space != s && self.trip(s) == self.trip(space);
            if s == space || alike {
                return y;
            }
        }
        let zero = node.zero;
        self.add(TermKind::Slice(space), vec![x], space, origin, zero)
    }

    /// The space of what is made of all iterations in `space` of `y`.
    fn around(&self, space: Space, y: TermRef) -> Space {
        let own = self.node(y).space;
        if own == space { self.outer(space) } else { own }
    }

    pub fn stack(&mut self, space: Space, y: TermRef, origin: MadeBy) -> TermRef {
        let node = self.node(y);
        if node.kind == TermKind::Slice(space) {
            return node.of[0];
        }
        let (around, zero) = (self.around(space, y), node.zero);
        self.add(TermKind::Stack(space), vec![y], around, origin, zero)
    }

    /// Runs of rows of `x`, which has as many as the last of `cuts`.
    pub fn split(&mut self, x: TermRef, cuts: &[u64], origin: MadeBy) -> Vec<TermRef> {
        if cuts.len() <= 2 {
            return vec![x];
        }
        let node = self.node(x);
        if node.kind == TermKind::Join {
            return node.of.clone();
        }
        let (space, zero, n) = (node.space, node.zero, cuts[cuts.len() - 1]);
        let rows = |w: &[u64]| self.add(TermKind::Rows(w[0], w[1], n), vec![x], space, origin, zero);
        cuts.windows(2).map(rows).collect()
    }

    /// The tensor whose runs of rows these are.
    pub fn join(&mut self, runs: &[TermRef], cuts: &[u64], origin: MadeBy) -> TermRef {
        if let [one] = runs {
            return *one;
        }
        let n = cuts.last().copied().unwrap_or(0);
        let from = |(t, w): (&TermRef, &[u64])| {
            let node = self.node(*t);
            (node.kind == TermKind::Rows(w[0], w[1], n)).then(|| node.of[0])
        };
        let mut of = runs.iter().zip(cuts.windows(2)).map(from);
        if let Some(Some(x)) = of.next()
            && of.all(|y| y == Some(x))
        {
            return x;
        }
        let space = self.deepest(runs);
        let zero = runs.iter().all(|t| self.node(*t).zero);
        self.add(TermKind::Join, runs.to_vec(), space, origin, zero)
    }

    /// A new carry of a loop of `space`, whose next value is not known yet.
    pub fn carry(&mut self, space: Space, reverse: bool, ty: TensorType, start: TermRef, origin: MadeBy) -> TermRef {
        if self.trip(space) == 1 {
            return start;
        }
        self.nodes[start.index()].users += 1;
        let number = self.carries.len() as u32;
        let term = self.add(TermKind::Carry(number), Vec::new(), space, origin, false);
        self.carries.push(Carry { space, reverse, ty, start, next: term });
        term
    }

    /// Says what a carry of a loop of `space` becomes; `read`: something outside of the loop's terms reads the carry or its next value. Gives what the
    /// loop leaves.
    pub fn carried(&mut self, space: Space, term: TermRef, next: TermRef, read: bool, origin: MadeBy) -> TermRef {
        if self.trip(space) == 1 {
            return next;
        }
        let TermKind::Carry(number) = self.node(term).kind else { return term };
        let carry = &mut self.carries[number as usize];
        carry.next = next;
        let start = carry.start;
        if self.trip(space) == 0 {
            return start;
        }
        let node = self.node(next);
        if node.space != space {
            // No iteration changes it, nor does it depend on what is carried.
            return next;
        }
        let added = node.kind == TermKind::Sum && node.of.contains(&term);
        if added && !read && self.node(term).users == 1 && node.users == 0 {
            let rest: Vec<TermRef> = node.of.iter().copied().filter(|t| *t != term).collect();
            if rest.len() + 1 == node.of.len() {
                // The total of a sum is the sum of totals: parts of a gradient may be summed apart.
                let mut all = vec![start];
                for t in rest {
                    let around = self.around(space, t);
                    all.push(self.add(TermKind::Total(space), vec![t], around, origin, false));
                }
                return self.sum(&all, origin);
            }
        }
        self.nodes[next.index()].users += 1;
        let around = self.outer(space);
        self.add(TermKind::Last, vec![term], around, origin, false)
    }
}
