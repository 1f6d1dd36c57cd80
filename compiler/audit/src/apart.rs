//! Pairs of elements that no proof can show to be the same, found without one.
//!
//! A proof opens both of its terms until they meet. Where they do not meet, it would go on down to the inputs of the program, once
//! for each order of a sum on the way. Three things about a value end that early: the dims that its elements depend on, the loops
//! whose iterations it depends on, and the inputs that it is computed from. They are facts of the value as a whole.
//!
//! Being apart says that there is no proof, not that the numbers differ: `x - x` does not depend on `x`. And what is true of a value
//! as a whole need not be true of each of its elements, and of each iteration: carries that begin equal are equal at first. So
//! nothing is refused for such a fact alone ([`Facts::without`]).

use crate::affine::Affine;
use crate::memo::Memo;
use crate::place::Place;
use crate::space::{Proof, Space, unfollowed};
use meshloom_ir::{Def, Func, IndexMap, Literal, Op, OpId, TensorType, ValueId};
use std::cell::{Cell, RefCell};

/// What a value is computed from, as bits: inputs by number, and loops by number.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
struct From {
    /// What some of its elements are computed from.
    inputs: u128,
    /// What each of them is.
    all: u128,
    loops: u128,
}

impl From {
    /// Of what is computed from both.
    fn and(self, other: From) -> From {
        let all = self.all | other.all;
        From { inputs: self.inputs | other.inputs, all, loops: self.loops | other.loops }
    }

    /// Of elements some of which are computed from the one, and others from the other.
    fn or(self, other: From) -> From {
        From { all: self.all & other.all, ..self.and(other) }
    }
}

pub(crate) struct Facts<'a> {
    pub func: &'a Func,
    of: Vec<From>,
    /// Loops, by number; none if there are more than there are bits.
    loops: Vec<OpId>,
    /// Comparisons of the present instruction, and how many there may be.
    work: Cell<u32>,
    most: Cell<u32>,
    /// Comparisons of all instructions.
    in_all: Cell<u64>,
    /// Facts end no comparison.
    silent: Cell<bool>,
    /// What was compared before.
    pub memo: RefCell<Memo>,
}

/// How far the dims of a value are followed.
const DEPTH: u32 = 12;

/// The most comparisons of one launch. Of the examples all launches but one need fewer than 5,000, and that one 34,000.
const WORK: u32 = 1 << 20;

/// The most comparisons of a proof without facts, which may have no end in sight.
const WORK_WITHOUT: u32 = 1 << 16;

/// The most comparisons of all launches together: what is left then is not followed.
const ALL: u64 = 1 << 24;

impl<'a> Facts<'a> {
    pub fn new(func: &'a Func) -> Facts<'a> {
        let ids = || (0..func.ops.len()).map(|i| OpId(i as u32));
        let loops: Vec<OpId> = ids().filter(|&o| matches!(func.op(o).op, Op::Repeat { .. })).collect();
        let loops = if loops.len() > 128 { Vec::new() } else { loops };
        let of = vec![From::default(); func.values.len()];
        let mut facts = Facts {
            func,
            of,
            loops,
            work: Cell::new(0),
            most: Cell::new(WORK),
            in_all: Cell::default(),
            silent: Cell::default(),
            memo: RefCell::default(),
        };
        for (i, v) in func.body().args.iter().enumerate() {
            let own = 1 << (i % 128);
            facts.of[v.index()] = From { inputs: own, all: own, loops: 0 };
        }
        // Carries go around: until nothing is new.
        while ids().filter(|&o| facts.op(o)).count() > 0 {}
        facts
    }

    /// Another instruction begins.
    pub fn begin(&self) {
        self.work.set(0);
    }

    /// One comparison more.
    ///
    /// # Errors
    /// The launch has taken too many, or all of them have.
    pub fn compared(&self) -> Proof<()> {
        self.work.set(self.work.get() + 1);
        self.in_all.set(self.in_all.get() + 1);
        if self.in_all.get() > ALL {
            return unfollowed(format!("more than {ALL} comparisons in all"));
        }
        let most = self.most.get();
        if self.work.get() > most { unfollowed(format!("more than {most} comparisons")) } else { Ok(()) }
    }

    pub fn work(&self) -> u32 {
        self.work.get()
    }

    /// A proof in which facts end no comparison.
    pub fn without<T>(&self, prove: impl FnOnce() -> Proof<T>) -> Proof<T> {
        self.silent.set(true);
        self.most.set(self.work.get().saturating_add(WORK_WITHOUT));
        self.memo.borrow_mut().forget();
        let result = prove();
        self.memo.borrow_mut().forget();
        self.most.set(WORK);
        self.silent.set(false);
        result
    }

    /// A proof of so many comparisons at most, which do not count among those of the instruction.
    pub fn within<T>(&self, most: u32, prove: impl FnOnce() -> Proof<T>) -> Proof<T> {
        let (work, before) = (self.work.replace(0), self.most.replace(most));
        let result = prove();
        self.work.set(work);
        self.most.set(before);
        result
    }

    fn add(&mut self, to: ValueId, from: From) -> bool {
        let was = self.of[to.index()];
        let now = was.and(from);
        self.of[to.index()] = now;
        now != was
    }

    fn all(&self, values: &[ValueId]) -> From {
        values.iter().map(|v| self.of[v.index()]).fold(From::default(), From::and)
    }

    /// Follows an op once; whether that said anything new.
    fn op(&mut self, o: OpId) -> bool {
        let data = self.func.op(o);
        let mut new = false;
        match &data.op {
            &Op::Repeat { carries, xs, .. } => {
                let body = self.func.region(data.regions[0]);
                let own = self.loops.iter().position(|&l| l == o).map_or(0, |i| 1 << i);
                for (i, (&arg, &operand)) in body.args.iter().zip(&data.operands).enumerate() {
                    let mut from = self.of[operand.index()];
                    if i < carries && body.yields[i] != arg {
                        from = from.or(self.of[body.yields[i].index()]);
                        from.loops |= own;
                    } else if i >= carries && i < carries + xs {
                        from.loops |= own;
                    }
                    new |= self.add(arg, from);
                }
                for (i, &result) in data.results.iter().enumerate() {
                    let mut from = self.of[body.yields[i].index()];
                    if i < carries {
                        let first = self.of[data.operands[i].index()];
                        from.inputs |= first.inputs;
                    }
                    // All iterations, or the last one.
                    from.loops &= !own;
                    new |= self.add(result, from);
                }
            }
            Op::Composite { .. } => {
                let body = self.func.region(data.regions[0]);
                for (&arg, &operand) in body.args.iter().zip(&data.operands) {
                    new |= self.add(arg, self.of[operand.index()]);
                }
                for (&result, &inner) in data.results.iter().zip(&body.yields) {
                    new |= self.add(result, self.of[inner.index()]);
                }
            }
            op => {
                let all = self.all(&data.operands);
                let from = match op {
                    // Each element is one of one operand.
                    Op::Concatenate { .. } => {
                        data.operands.iter().map(|v| self.of[v.index()]).reduce(From::or).unwrap_or_default()
                    }
                    // Or a number that is filled in.
                    Op::Pad { .. } => From { all: 0, ..all },
                    _ => all,
                };
                for &r in &data.results {
                    new |= self.add(r, from);
                }
            }
        }
        new
    }

    /// Whether no proof shows two elements to be the same, where neither is a copy of another value's.
    pub fn apart(&self, space: &mut Space, a: &Place, b: &Place) -> bool {
        if self.silent.get() {
            return false;
        }
        let region = |v: ValueId| match self.func.value(v).def {
            Def::Arg(r, _) => r,
            Def::Op(o, _) => self.func.op(o).parent,
        };
        if a.value != b.value {
            let one = region(a.value) == region(b.value) && a.iterations == b.iterations;
            let (a, b) = (self.of[a.value.index()], self.of[b.value.index()]);
            return one && (a.all & !b.inputs != 0 || b.all & !a.inputs != 0);
        }
        let loops = self.around(region(a.value));
        for (l, (i, j)) in loops.iter().zip(a.iterations.iter().zip(b.iterations.iter())) {
            let bit = self.loops.iter().position(|x| x == l).map_or(0, |i| 1 << i);
            let distance = space.known(&i.minus(j));
            if distance.as_constant().is_none() {
                return false;
            }
            if distance != Affine::default() {
                return self.of[a.value.index()].loops & bit != 0;
            }
        }
        let mark = space.mark();
        let apart = a.at.iter().zip(b.at.iter()).enumerate().find_map(|(d, (x, y))| match space.equal(x, y) {
            Ok(true) => None,
            Ok(false) => self.depends(a.value, d, DEPTH).then_some(true),
            // In part of the box they may be equal.
            Err(_) => Some(false),
        });
        space.back(mark);
        apart == Some(true)
    }

    /// The loops around a region, outermost first.
    fn around(&self, mut region: meshloom_ir::RegionId) -> Vec<OpId> {
        let mut out = Vec::new();
        while let Some(o) = self.func.region(region).owner {
            if matches!(self.func.op(o).op, Op::Repeat { .. }) {
                out.push(o);
            }
            region = self.func.op(o).parent;
        }
        out.reverse();
        out
    }

    /// Whether elements of a value may differ that differ in this coordinate only; what is not followed does.
    fn depends(&self, v: ValueId, dim: usize, depth: u32) -> bool {
        let Def::Op(o, _) = self.func.value(v).def else { return true };
        let data = self.func.op(o);
        if depth == 0 {
            return true;
        }
        match &data.op {
            Op::Constant { value, .. } => !matches!(value, Literal::Splat(_)),
            Op::Iota { dim: d, .. } => *d == dim,
            Op::Elem(_) | Op::Convert { .. } => data.operands.iter().any(|&x| self.depends(x, dim, depth - 1)),
            op => {
                let types: Vec<&TensorType> = self.func.operand_types(o);
                match op.index_map(&types, self.func.ty(v)).as_ref().and_then(IndexMap::whole) {
                    None => true,
                    Some(part) => part.at.iter().enumerate().any(|(d, at)| {
                        at.terms.iter().any(|t| t.0 == dim) && self.depends(data.operands[part.operand], d, depth - 1)
                    }),
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Many instructions, none of which takes too many comparisons, take too many in all: then none of the others is followed.
    #[test]
    fn comparisons_of_all_instructions_are_bounded() {
        let func = Func::new("f", meshloom_ir::Mesh::default());
        let facts = Facts::new(&func);
        for _ in 0..ALL / u64::from(WORK) {
            facts.begin();
            (0..WORK).for_each(|_| assert!(facts.compared().is_ok()));
        }
        facts.begin();
        assert!(matches!(facts.compared(), Err(crate::space::Stop::Unfollowed(why)) if why.ends_with("in all")));
        assert!(facts.within(1, || facts.compared()).is_err());
    }
}
