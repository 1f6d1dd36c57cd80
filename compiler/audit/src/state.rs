//! The state of the abstract machine: where it is in the program, and what lies in the arena.

use crate::affine::Affine;
use crate::apart::Facts;
use crate::asked::Asked;
use crate::bytes::{Bytes, Rounds};
use crate::index;
use crate::memory::{Buffer, Memory, Piece};
use crate::place::Place;
use crate::prove::Prover;
use crate::space::{Proof, Role, Space, Stop, cases, wrong};
use crate::steps::Steps;
use crate::term::Term;
use crate::values::position;
use meshloom_bundle::program::{BufRef, Dim, LoopIndex, Program};
use meshloom_ir::{Axis, Func, Op, OpId, RegionId, ValueId};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

pub(crate) struct State<'a> {
    pub func: &'a Func,
    pub facts: Facts<'a>,
    pub program: &'a Program,
    /// Devices along each mesh axis.
    pub axes: Vec<u64>,
    pub memory: Rc<Memory>,
    /// Writes so far.
    writes: u64,
    /// The iteration of each loop around, outermost first.
    pub iterations: Vec<Affine>,
    /// Loops are followed as a whole where that takes fewer steps.
    pub whole: bool,
    /// Each op of the program rounds to its type: nothing is kept wider inside of kernels.
    pub rounds_each: bool,
    /// The loop that is followed as a whole, if one is.
    pub rounds: Rounds,
    /// The bytes that were written, while a log of them is kept.
    pub log: Option<Vec<Bytes>>,
    /// The pairs of devices of each permutation that was run.
    pub permuted: RefCell<BTreeMap<OpId, Vec<(u32, u32)>>>,
    /// What was sent and received so far: wires, with the microbatch.
    pub transferred: BTreeSet<(u32, Option<u64>)>,
    /// The microbatch whose action is run.
    pub microbatch: Option<i64>,
    /// What proofs used of loops since this was last taken.
    pub steps: RefCell<Steps>,
    /// What the turn that is run reads of memory, if that is noted.
    pub asked: RefCell<Option<Asked>>,
}

impl<'a> State<'a> {
    pub fn new(func: &'a Func, program: &'a Program) -> State<'a> {
        let axes = func.mesh.axes.iter().map(|a| a.1).collect();
        State {
            func,
            facts: Facts::new(func),
            program,
            axes,
            memory: Rc::default(),
            writes: 0,
            iterations: Vec::new(),
            whole: false,
            rounds_each: false,
            rounds: None,
            log: None,
            permuted: RefCell::default(),
            transferred: BTreeSet::new(),
            microbatch: None,
            steps: RefCell::default(),
            asked: RefCell::default(),
        }
    }

    /// Where a buffer begins in this iteration.
    pub fn address(&self, b: &BufRef) -> Affine {
        Self::at(b, &self.iterations)
    }

    /// Where a buffer begins in an iteration of each loop.
    pub fn at(b: &BufRef, iterations: &[Affine]) -> Affine {
        let none = Affine::default();
        b.moves.0.iter().enumerate().fold(Affine::constant(b.offset as i64), |mut at, (d, m)| {
            let by = indexed(m.index, iterations.get(d).unwrap_or(&none));
            if by.terms.is_empty() {
                at.offset = at.offset.wrapping_add(by.offset.wrapping_mul(m.stride as i64));
                return at;
            }
            at.plus(&by, m.stride as i64)
        })
    }

    /// The bytes of a buffer in this iteration.
    pub fn bytes(&self, b: &BufRef) -> Bytes {
        (self.address(b), i64::try_from(b.bytes).unwrap_or(i64::MAX))
    }

    /// Proves something for all devices and all rounds, in every box that the proof asks for.
    pub fn cases<T>(&self, mut prove: impl FnMut(&mut Space) -> Proof<T>) -> Proof<Vec<T>> {
        cases(&self.axes, self.rounds.map(|r| r.1), self.whole, |space| {
            space.rounds_each = self.rounds_each;
            let result = prove(space);
            if self.microbatch.is_some() {
                self.steps.borrow_mut().add(space.steps.take());
            }
            result
        })
    }

    pub fn write(&mut self, piece: Piece) {
        self.writes += 1;
        if let Some(log) = &mut self.log {
            log.push((piece.base.clone(), piece.reach()));
        }
        let memory = Rc::make_mut(&mut self.memory);
        memory.stamp = self.writes;
        memory.write(piece);
    }

    /// Puts a piece where others of the same elements are, over which nothing lies.
    pub fn exchange<'p>(&mut self, others: impl Iterator<Item = &'p Rc<Piece>>, piece: Piece) {
        Rc::make_mut(&mut self.memory).without(&others.collect::<Vec<_>>());
        self.write(piece);
    }

    /// The pieces that can be read in some bytes. They are noted as read by the turn.
    pub fn looked(&self, from: &Affine, bytes: i64) -> index::Some<'_, Rc<Piece>> {
        let seen = self.memory.seen(from, bytes);
        if let Some(asked) = &mut *self.asked.borrow_mut() {
            asked.looks(&self.memory, &seen, from, bytes);
        }
        seen
    }

    /// Notes a proof of the turn: the earliest iteration to which it followed carries, or `None` if it holds for this turn alone.
    pub fn rests(&self, least: Option<i64>) {
        if let Some(asked) = &mut *self.asked.borrow_mut() {
            asked.proved(least);
        }
    }

    /// A buffer and what lies in the arena now.
    pub fn buffer(&self, b: &BufRef) -> Buffer {
        let (start, bytes) = self.bytes(b);
        Buffer { start, bytes, memory: Rc::clone(&self.memory) }
    }

    /// Whether a buffer holds the elements of a value: those of each dim this many bytes apart.
    pub fn holds(&self, from: &Buffer, strides: &[i64], offset: i64, place: &Place) -> Proof<()> {
        let ty = self.func.ty(place.value);
        if ty.elements() == 0 {
            return Ok(());
        }
        let dtype = ty.dtype;
        self.proved(|space| {
            let at = space.indices(&ty.shape, Role::Free);
            let address = at.iter().zip(strides).fold(from.start.shifted(offset), |sum, (i, &s)| sum.plus(i, s));
            let load = Term::Load { from: from.clone(), address, dtype };
            let place = Place { at: at.into(), ..place.clone() };
            Prover::new(&self.facts, space).same(&load, &Term::Place(place))
        })
    }

    /// The same for the part of a value whose first indices are those of `place`, and the others range over `shape`.
    pub fn holds_part(&self, from: &Buffer, strides: &[i64], shape: &[u64], place: &Place) -> Proof<()> {
        if shape.contains(&0) {
            return Ok(());
        }
        let dtype = self.func.ty(place.value).dtype;
        self.proved(|space| {
            let rest = space.indices(shape, Role::Free);
            let address = rest.iter().zip(strides).fold(from.start.clone(), |sum, (i, &s)| sum.plus(i, s));
            let load = Term::Load { from: from.clone(), address, dtype };
            let place = Place { at: [&place.at[..], &rest].concat().into(), ..place.clone() };
            Prover::new(&self.facts, space).same(&load, &Term::Place(place))
        })
    }

    /// A proof in each box. Facts about whole values, and about stacks of any iteration, can hide that single elements are equal.
    /// So before a difference is an objection, the proof is tried again without facts and with one box for each slice of a stack.
    fn proved(&self, prove: impl Fn(&mut Space) -> Proof<()>) -> Proof<()> {
        let first = self.cases(&prove).map(|_| ());
        if !matches!(first, Err(Stop::Differs(_))) {
            return first;
        }
        let by_slice = |space: &mut Space| {
            space.take_slices();
            prove(space)
        };
        self.facts.without(|| self.cases(by_slice)).map(|_| ()).or(first)
    }

    /// A value in the iteration that is run, if it is one of the loops around.
    pub fn place(&self, value: ValueId) -> Option<Place> {
        let region = match self.func.value(value).def {
            meshloom_ir::Def::Arg(r, _) => r,
            meshloom_ir::Def::Op(o, _) => self.func.op(o).parent,
        };
        let depth = self.depth(region);
        (depth <= self.iterations.len()).then(|| Place {
            value,
            iterations: self.iterations[..depth].into(),
            at: Rc::from([]),
        })
    }

    /// Loops around the ops of a region.
    fn depth(&self, region: RegionId) -> usize {
        let (mut region, mut depth) = (region, 0);
        while let Some(o) = self.func.region(region).owner {
            depth += usize::from(matches!(self.func.op(o).op, Op::Repeat { .. }));
            region = self.func.op(o).parent;
        }
        depth
    }

    /// The values that ops make, those of composites' bodies among them; the last ones first.
    pub fn made_by(&self, ops: &[u32]) -> Proof<Vec<ValueId>> {
        let mut out = Vec::new();
        for &o in ops {
            if o as usize >= self.func.ops.len() {
                return wrong(format!("names op {o}, which the program does not have"));
            }
            let data = self.func.op(OpId(o));
            if let (Op::Composite { .. }, Some(&body)) = (&data.op, data.regions.first()) {
                out.extend(self.func.walk(body).into_iter().flat_map(|o| self.func.op(o).results.iter().copied()));
            }
            out.extend(&data.results);
        }
        out.reverse();
        Ok(out)
    }

    pub fn dim(&self, d: &Dim) -> Affine {
        match d {
            Dim::Const(n) => Affine::constant(*n),
            Dim::ShardStart { axes, block } => {
                let axes: Vec<Axis> = axes.iter().map(|&a| Axis(a as u8)).collect();
                position(&self.func.mesh, &axes).scaled(*block)
            }
        }
    }
}

/// What a buffer's move counts, in an iteration. Where a loop is followed as a whole, its rounds have the length of all periods.
fn indexed(index: LoopIndex, i: &Affine) -> Affine {
    match index {
        LoopIndex::Fixed => Affine::default(),
        LoopIndex::Iter { delta } => i.shifted(delta),
        LoopIndex::IterReversed { trip, delta } => {
            Affine::constant((trip as i64).wrapping_sub(1).wrapping_add(delta)).minus(i)
        }
        LoopIndex::IterMod { delta, period } => {
            let period = (period as i64).max(1);
            debug_assert!(i.terms.iter().all(|t| t.1 % period == 0));
            Affine::constant(i.offset.wrapping_add(delta).rem_euclid(period))
        }
    }
}
