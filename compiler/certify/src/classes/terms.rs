//! The term of each value of a program: what the value computes, whatever op and region it stands in.
//!
//! Bodies of repeats are families over the iteration. `interp` defines them by index: whichever way a repeat runs,
//! iteration `i` sees slice `i` of each stack and writes entry `i` of each stacked result. (`reverse` is only the order
//! in time, which affects carries alone.) Therefore:
//! - A slice argument over stack `x` is the family `t -> x[t]`, the same one for all repeats of its trip count.
//! - A stacked result is the stack of its yield's family, and a slice over it is that family again. So what a forward
//!   body stashes and a backward body reads is one family, and an op written again in the backward body is equal to its
//!   stash.
//! - An invariant argument is its operand in all iterations.
//! - A carry is a leaf of its own; only the induction over iterations says more of it ([`crate::laws::ITERATION`]).
//!
//! A composite is its body: arguments are the operands, results the yields. `constrain` moves nothing and is its
//! operand. All ops are functions of operands and attributes alone, so terms with one op and equal operands are equal.

use super::congruence::{Congruence, Term, TermId};
use crate::spaces::{Space, Spaces};
use indexmap::IndexSet;
use meshloom_ir::{Func, Op, OpId, RegionId, ValueId};

/// The classes of equal values of a program.
#[derive(Clone, Debug)]
pub struct Classes {
    pub(super) terms: Congruence,
    /// By value; of what no region reaches there is nothing to say.
    pub(super) nodes: Vec<Option<TermId>>,
    /// By region.
    pub(super) spaces: Vec<Space>,
}

impl Classes {
    /// The classes of a program that verifies: what is equal without any law.
    pub fn new(func: &Func) -> Classes {
        let mut b = Build {
            func,
            kinds: IndexSet::new(),
            out: Classes {
                terms: Congruence::new(),
                nodes: vec![None; func.values.len()],
                spaces: vec![Spaces::OUTSIDE; func.regions.len()],
            },
        };
        for &v in &func.body().args {
            b.leaf(v, Spaces::OUTSIDE);
        }
        b.region(Func::BODY, Spaces::OUTSIDE);
        b.out
    }

    /// Whether `a` and `b` are one tensor; where they stand in loops, in each iteration.
    pub fn same(&self, a: ValueId, b: ValueId) -> bool {
        match (self.node(a), self.node(b)) {
            (Some(x), Some(y)) => self.terms.same(x, y),
            _ => a == b,
        }
    }

    /// The ops that define `v` and what is equal to it.
    pub(crate) fn defs(&self, v: ValueId) -> &[OpId] {
        self.node(v).map_or(&[], |n| self.terms.defs(n))
    }

    /// What all values that are equal to `v` have in common. It changes as classes grow.
    pub fn class(&self, v: ValueId) -> Option<TermId> {
        self.node(v).map(|n| self.terms.find(n))
    }

    fn node(&self, v: ValueId) -> Option<TermId> {
        self.nodes.get(v.index()).copied().flatten()
    }

    /// Takes `a` and `b`, of one type and region, to be one tensor: for one who has a reason to.
    pub fn unite(&mut self, a: ValueId, b: ValueId) {
        if let (Some(x), Some(y)) = (self.node(a), self.node(b)) {
            self.terms.unite(x, y);
        }
    }
}

struct Build<'a> {
    func: &'a Func,
    /// Operations with their attributes, by number.
    kinds: IndexSet<&'a Op>,
    out: Classes,
}

impl Build<'_> {
    fn set(&mut self, v: ValueId, n: TermId) {
        self.out.nodes[v.index()] = Some(n);
    }

    fn leaf(&mut self, v: ValueId, space: Space) {
        let n = self.out.terms.add(Term::Leaf(v.0), space);
        self.set(v, n);
    }

    fn of(&self, v: ValueId) -> TermId {
        self.out.nodes[v.index()].expect("the verifier saw that definitions come before uses")
    }

    /// The ops of a region whose arguments have their terms.
    fn region(&mut self, r: RegionId, space: Space) {
        self.out.spaces[r.index()] = space;
        let func = self.func;
        for &o in &func.region(r).ops {
            let data = func.op(o);
            match &data.op {
                Op::Constrain(_) => {
                    let n = self.of(data.operands[0]);
                    self.set(data.results[0], n);
                }
                Op::Composite { .. } => {
                    let body = func.region(data.regions[0]);
                    for (&a, &x) in body.args.iter().zip(&data.operands) {
                        let n = self.of(x);
                        self.set(a, n);
                    }
                    self.region(data.regions[0], space);
                    for (&v, &y) in data.results.iter().zip(&body.yields) {
                        let n = self.of(y);
                        self.set(v, n);
                        self.out.terms.define(n, o);
                    }
                }
                Op::Repeat { .. } => self.repeat(o, space),
                op => {
                    let kind = self.kinds.insert_full(op).0 as u32;
                    let xs = data.operands.iter().map(|&x| self.of(x)).collect();
                    let term = Term::Op(kind, xs);
                    for &v in &data.results {
                        let n = if data.operands.is_empty() {
                            // Without operands it is the same in all iterations.
                            let once = self.out.terms.add(term.clone(), Spaces::OUTSIDE);
                            self.lifted(once, space)
                        } else {
                            self.out.terms.add(term.clone(), space)
                        };
                        self.set(v, n);
                        self.out.terms.define(n, o);
                    }
                }
            }
        }
    }

    /// A term of no loop, in every iteration of `space`.
    fn lifted(&mut self, n: TermId, space: Space) -> TermId {
        let mut at = n;
        for s in self.out.terms.spaces.path(space) {
            at = self.out.terms.add(Term::Lift(s, at), s);
        }
        at
    }

    fn repeat(&mut self, o: OpId, space: Space) {
        let func = self.func;
        let data = func.op(o);
        let &Op::Repeat { trip, carries, xs, .. } = &data.op else { return };
        let inside = self.out.terms.spaces.inside(space, trip);
        let body = func.region(data.regions[0]);
        for (i, (&a, &x)) in body.args.iter().zip(&data.operands).enumerate() {
            if i < carries {
                self.leaf(a, inside);
                continue;
            }
            let x = self.of(x);
            let term = if i < carries + xs { Term::Slice(inside, x) } else { Term::Lift(inside, x) };
            let n = self.out.terms.add(term, inside);
            self.set(a, n);
        }
        self.region(data.regions[0], inside);
        for (i, (&v, &y)) in data.results.iter().zip(&body.yields).enumerate() {
            if i < carries {
                self.leaf(v, space);
            } else {
                let y = self.of(y);
                let n = self.out.terms.add(Term::Stack(space, y), space);
                self.set(v, n);
            }
            let n = self.of(v);
            self.out.terms.define(n, o);
        }
    }
}
