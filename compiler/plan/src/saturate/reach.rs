//! How far annotations reach: for each tensor and axis the dims that an annotation can come to split by propagation, and
//! whether partial values can arise. Following annotations means choosing within this; a layout that no annotation implies
//! is never tried, and the e-graph stays small. A search starts from every dim that an axis divides.

use crate::Mode;
use crate::saturate::program::SearchedProgram;
use meshloom_ir::{Constraint, DimSpec, FactorKind, Op, OpId, Reduction, ValueId};

/// What one tensor can come to, per axis of the program.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Reach {
    /// Bit `d`: dim `d` may be split.
    split: Vec<u64>,
    /// Bits of the reductions under which a value may be partial.
    partial: Vec<u8>,
    /// The same for layouts that only a reader asks for: the copied side of a sum with a partial value.
    asked: Vec<u8>,
}

impl Reach {
    pub fn splits(&self, axis: usize, dim: usize) -> bool {
        dim < 64 && self.split[axis] >> dim & 1 == 1
    }

    pub fn partial(&self, axis: usize, kind: Reduction) -> bool {
        (self.partial[axis] | self.asked[axis]) & bit(kind) != 0
    }
}

fn bit(kind: Reduction) -> u8 {
    match kind {
        Reduction::Sum => 1,
        Reduction::Max => 2,
        Reduction::Min => 4,
        Reduction::Prod => 8,
        Reduction::And => 16,
        Reduction::Or => 32,
    }
}

struct Spread<'p, 'a> {
    program: &'p SearchedProgram<'a>,
    reach: Vec<Reach>,
    /// By value: dims (bits) along which it is the same everywhere.
    uniform: Vec<u64>,
    changed: bool,
}

/// The reach of every value, to its fixpoint.
pub fn reach(program: &SearchedProgram<'_>) -> Vec<Reach> {
    let n = program.axes.len();
    let empty = Reach { split: vec![0; n], partial: vec![0; n], asked: vec![0; n] };
    let reach = vec![empty; program.func.values.len()];
    let mut s = Spread { program, reach, uniform: uniform(program), changed: true };
    if program.mode == Mode::Search {
        s.everywhere();
    }
    let body = program.func.body();
    for (&v, c) in body.args.iter().zip(&program.inputs) {
        s.pinned(v, c);
    }
    for (&v, c) in body.yields.iter().zip(&program.outputs) {
        if let Some(c) = c {
            s.pinned(v, c);
        }
    }
    for &o in &program.order {
        if let Some(c) = &program.pinned[o.index()] {
            s.pinned(program.func.op(o).results[0], c);
        }
    }
    // Each round adds at least one bit, so this ends; in practice after three or four.
    while std::mem::take(&mut s.changed) {
        for &o in &program.order {
            s.op(o);
        }
        for &o in program.order.iter().rev() {
            s.op(o);
        }
        for (i, p) in program.func.outputs.iter().enumerate() {
            if let Some(j) = p.updates {
                s.tie(body.yields[i], body.args[j], 0);
            }
        }
        for (&v, all) in &program.members {
            for &w in all {
                s.same(v, w);
            }
        }
    }
    s.reach
}

impl Spread<'_, '_> {
    /// Every dim of every live tensor may be split over every axis that divides it.
    fn everywhere(&mut self) {
        for v in (0..self.program.func.values.len() as u32).map(ValueId).filter(|&v| self.program.live(v)) {
            for d in 0..self.program.func.ty(v).rank() {
                for axis in 0..self.program.axes.len() {
                    self.split(v, axis, d);
                }
            }
        }
    }

    fn pinned(&mut self, v: ValueId, c: &Constraint) {
        for (d, spec) in c.dims.iter().enumerate() {
            let (DimSpec::Exactly(axes) | DimSpec::AtLeast(axes)) = spec;
            for axis in axes {
                if let Some(i) = self.program.axes.iter().position(|a| a == axis) {
                    self.reach[v.index()].split[i] |= 1 << (d as u32).min(63);
                }
            }
        }
        for (axis, &kind) in &c.partial {
            if let Some(i) = self.program.axes.iter().position(|a| a == axis) {
                self.reach[v.index()].partial[i] |= bit(kind);
            }
        }
    }

    fn split(&mut self, v: ValueId, axis: usize, dim: usize) {
        if dim == 0 && self.program.layered[v.index()] {
            return;
        }
        let n = self.program.func.ty(v).shape[dim];
        let old = self.reach[v.index()].split[axis];
        if dim < 64 && old >> dim & 1 == 0 && self.program.reaches(n, self.program.axes[axis]) {
            self.reach[v.index()].split[axis] |= 1 << dim;
            self.changed = true;
        }
    }

    fn partial(&mut self, v: ValueId, axis: usize, bits: u8, asked: bool) {
        let r = &mut self.reach[v.index()];
        let field = if asked { &mut r.asked[axis] } else { &mut r.partial[axis] };
        if *field | bits != *field {
            *field |= bits;
            self.changed = true;
        }
    }

    /// Both values have one layout, but for `shift` leading dims that the first has more.
    fn tie(&mut self, a: ValueId, b: ValueId, shift: usize) {
        let rank = self.program.func.ty(b).rank();
        for axis in 0..self.program.axes.len() {
            for d in 0..rank {
                if self.reach[a.index()].splits(axis, d + shift) {
                    self.split(b, axis, d);
                }
                if self.reach[b.index()].splits(axis, d) {
                    self.split(a, axis, d + shift);
                }
            }
        }
    }

    /// Both values are one tensor.
    fn same(&mut self, a: ValueId, b: ValueId) {
        self.tie(a, b, 0);
        for (x, y) in [(a, b), (b, a)] {
            let from = self.reach[x.index()].clone();
            for axis in 0..self.program.axes.len() {
                self.partial(y, axis, from.partial[axis], false);
                self.partial(y, axis, from.asked[axis], true);
            }
        }
    }

    /// A partial reduction flows from `from` to `to`.
    fn flow(&mut self, from: ValueId, to: ValueId) {
        for axis in 0..self.program.axes.len() {
            let bits = self.reach[from.index()].partial[axis];
            self.partial(to, axis, bits, false);
        }
    }

    fn op(&mut self, o: OpId) {
        let program = self.program;
        let data = program.func.op(o);
        if let Op::Repeat { carries, xs, .. } = data.op {
            let body = program.func.region(program.body(o));
            for (i, (&outer, &arg)) in data.operands.iter().zip(&body.args).enumerate() {
                self.tie(outer, arg, usize::from(i >= carries && i < carries + xs));
                self.flow(outer, arg);
            }
            for (i, (&y, &r)) in body.yields.iter().zip(&data.results).enumerate() {
                self.tie(r, y, usize::from(i >= carries));
                self.flow(y, r);
                if i < carries {
                    self.tie(y, body.args[i], 0);
                    self.flow(y, body.args[i]);
                    self.flow(body.args[i], y);
                    self.flow(body.args[i], r);
                    self.ask(body.args[i], data.operands[i]);
                }
            }
            return;
        }
        let Some(rule) = program.rule(o) else {
            return;
        };
        let sides = || [(&data.operands, &rule.operands), (&data.results, &rule.results)];
        for (f, &size) in rule.sizes.iter().enumerate() {
            if !rule.splittable(f) {
                continue;
            }
            for axis in 0..program.axes.len() {
                if size == 1 && !program.reaches(size, program.axes[axis]) {
                    continue;
                }
                let places: Vec<(ValueId, usize)> = sides()
                    .into_iter()
                    .flat_map(|(vs, lists)| vs.iter().zip(lists))
                    .flat_map(|(&v, dims)| {
                        let dims = dims.iter().enumerate();
                        dims.filter(|(_, fs)| fs.contains(&f)).map(move |(d, _)| (v, d))
                    })
                    .collect();
                // What is the same along a dim takes any split of it and passes none on: a learning rate that is broadcast
                // once for two parameters does not make one split like the other.
                let reached = places.iter().any(|&(v, d)| {
                    self.reach[v.index()].splits(axis, d) && self.uniform[v.index()] >> d.min(63) & 1 == 0
                });
                let even = size.is_multiple_of(program.func.mesh.size(program.axes[axis]));
                if !reached || !(even || rule.splits_unevenly(f) && program.reaches(size, program.axes[axis])) {
                    continue;
                }
                for (v, d) in places {
                    self.split(v, axis, d);
                }
                if let FactorKind::Reduced(kind) = rule.kinds[f] {
                    for (&r, dims) in data.results.iter().zip(&rule.results) {
                        if !dims.iter().any(|d| d.contains(&f)) {
                            self.partial(r, axis, bit(kind), false);
                        }
                    }
                }
            }
        }
        for (kind, set) in (0..rule.sets()).filter_map(|s| rule.set(s)) {
            for &i in set {
                for axis in 0..program.axes.len() {
                    if self.reach[data.operands[i].index()].partial[axis] & bit(kind) == 0 {
                        continue;
                    }
                    for &r in &data.results {
                        self.partial(r, axis, bit(kind), false);
                    }
                    // A copied value can be read as a part of a sum, never of a maximum.
                    for &j in set.iter().filter(|_| kind == Reduction::Sum) {
                        self.partial(data.operands[j], axis, 1, true);
                    }
                }
            }
        }
    }

    fn ask(&mut self, from: ValueId, to: ValueId) {
        for axis in 0..self.program.axes.len() {
            let bits = self.reach[from.index()].partial[axis] & 1;
            self.partial(to, axis, bits, true);
        }
    }
}

/// Dims along which values are the same everywhere because they were broadcast, or depend on no input.
fn uniform(program: &SearchedProgram<'_>) -> Vec<u64> {
    let func = program.func;
    let mut out = vec![0u64; func.values.len()];
    for &o in &program.order {
        let data = func.op(o);
        let bits = match &data.op {
            Op::Repeat { carries, xs, .. } => {
                let args = &func.region(program.body(o)).args;
                for (&x, &a) in data.operands.iter().zip(args).skip(carries + xs) {
                    out[a.index()] = out[x.index()];
                }
                continue;
            }
            _ if data.results.iter().any(|&r| program.generated(r)) => u64::MAX,
            Op::Broadcast { shape, dims } => {
                let x = data.operands[0];
                (0..shape.len().min(64)).fold(0, |bits, d| {
                    let from = dims.iter().position(|&k| k == d).filter(|&i| func.ty(x).shape[i] == shape[d]);
                    bits | u64::from(from.is_none_or(|i| out[x.index()] >> i & 1 == 1)) << d
                })
            }
            op if op.is_elementwise() => data.operands.iter().fold(u64::MAX, |b, x| b & out[x.index()]),
            _ => 0,
        };
        for r in &data.results {
            out[r.index()] = bits;
        }
    }
    out
}
