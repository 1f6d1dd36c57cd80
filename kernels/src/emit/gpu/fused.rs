//! Row kernels. Without reductions, each thread takes one vector of points at a time. With them, a block takes a row: its threads go
//! through the columns once per pass (see [`crate::fused`]), combine what they have, and go on.
//!
//! A row that is a few vectors for each thread is loaded once, before anything is computed, and stays in registers with whatever is
//! computed of it. Of longer rows, values that two passes need are computed twice.

use super::turns::{over_block, turns};
use crate::emit::builder::{Builder, ElemKind, Ix, Ty, Val};
use crate::emit::eval::{Eval, Frame, Points, Values};
use crate::expr::{Body, Node, NodeId, Reduction};
use crate::fused::Passes;
use crate::geometry::product;
use crate::gpu::Grid;
use crate::spec::Fused;

pub fn emit(b: &mut Builder, spec: &Fused, grid: &Grid) {
    if product(&spec.shape) == 0 && !spec.body.has_reduce() {
        return;
    }
    let rows = Rows::of(spec, grid);
    if spec.body.has_reduce() { rows.by_block(b) } else { rows.by_thread(b) }
}

/// The most words that a thread holds of a row.
const HELD: u64 = 64;

/// A reduction, what it reduces, and how.
type Reduced = (NodeId, NodeId, Reduction);

/// What is known of the row, to the values of a vector.
fn learn(values: &mut Values, known: &Values) {
    for (value, known) in values.iter_mut().zip(known) {
        *value = value.or(*known);
    }
}

/// Sums with a vector's values.
fn combined(b: &mut Builder, reductions: &[Reduced], sums: &[Val], values: &Values) -> Vec<Val> {
    let each = reductions.iter().zip(sums);
    each.map(|(&(_, arg, kind), &sum)| values[arg.index()].map_or(sum, |v| b.combine(kind, sum, v))).collect()
}

pub(super) struct Rows<'a> {
    spec: &'a Fused,
    body: &'a Body,
    pub eval: Eval<'a>,
    passes: Passes,
    threads: u64,
}

/// A row that stays in registers: the values that are the same all along it, and those of each vector that a thread has of it.
pub(super) struct HeldRow {
    frame: Frame,
    known: Values,
    pub vectors: Vec<(Points, Values)>,
}

impl<'a> Rows<'a> {
    pub fn of(spec: &'a Fused, grid: &Grid) -> Rows<'a> {
        let (body, dim) = (&spec.body, spec.shape.len() - 1);
        let eval = Eval { body, dim, lanes: grid.lanes, aligned: true };
        Rows { spec, body, eval, passes: Passes::of(body, dim), threads: grid.threads.into() }
    }
}

impl Rows<'_> {
    fn frame(&self, b: &mut Builder, row: Ix) -> Frame {
        let mut index = vec![Ix::ZERO; self.eval.dim + 1];
        let mut rest = row;
        for (i, &d) in self.spec.shape[..self.eval.dim].iter().enumerate().rev() {
            // The first dim needs no remainder: the row number is in range.
            (rest, index[i]) = if i == 0 { (Ix::ZERO, rest) } else { b.div_rem(rest, d) };
        }
        Frame::new(b, self.body, index)
    }

    fn by_thread(&self, b: &mut Builder) {
        let (vectors, hi) = (self.spec.cols() / self.eval.lanes, b.hi());
        let (first, step) = turns(b, self.threads);
        b.loop_by(first, hi, step, |b, u| {
            let (row, v) = if self.eval.dim == 0 { (Ix::ZERO, u) } else { b.div_rem(u, vectors) };
            let frame = self.frame(b, row);
            let at = b.scale(v, self.eval.lanes as i64);
            let mut values: Values = vec![None; self.body.nodes.len()];
            let roots: Vec<NodeId> = self.body.outputs.iter().map(|o| o.node).collect();
            self.eval.compute(b, &frame, Points { at, mask: None }, &mut values, &roots);
            self.store(b, &frame, at, &values, |_| true);
        });
    }

    fn by_block(&self, b: &mut Builder) {
        let (hi, thread) = (b.hi(), b.thread());
        let (first, step) = turns(b, 1);
        b.loop_by(first, hi, step, |b, row| {
            let frame = self.frame(b, row);
            if let Some(count) = self.held() {
                let vectors = self.vectors(b, count);
                let row = self.loaded(b, frame, vectors);
                return self.finish(b, &mut [row], &[]);
            }
            let mut known: Values = vec![None; self.body.nodes.len()];
            self.row_values(b, &frame, &mut known, 0);
            for p in 0..self.passes.reducing {
                self.reduce(b, &frame, &mut known, p);
                self.row_values(b, &frame, &mut known, p + 1);
            }
            let moves = |i: usize| self.body.outputs[i].access.strides[self.eval.dim] != 0;
            if (0..self.body.outputs.len()).any(moves) {
                self.columns(b, &[], |b, at, _| {
                    let mut values = known.clone();
                    let outputs = self.body.outputs.iter().enumerate().filter(|(i, _)| moves(*i));
                    let roots: Vec<NodeId> = outputs.map(|(_, o)| o.node).collect();
                    self.eval.compute(b, &frame, Points { at, mask: None }, &mut values, &roots);
                    self.store(b, &frame, at, &values, moves);
                    Vec::new()
                });
            }
            if !(0..self.body.outputs.len()).all(moves) {
                let one = b.test("eq", thread, Ix::ZERO);
                b.if_(one, |b| self.store(b, &frame, Ix::ZERO, &known, |i| !moves(i)));
            }
        });
    }

    /// How many vectors each thread has of a row that stays in registers.
    fn held(&self) -> Option<u64> {
        let each = self.threads * self.eval.lanes;
        let vectors = self.spec.cols() / each;
        let words = self.moving().len() as u64 * self.eval.lanes * vectors;
        (vectors > 0 && self.spec.cols().is_multiple_of(each) && words <= HELD).then_some(vectors)
    }

    /// What is loaded of a row.
    pub fn moving(&self) -> Vec<NodeId> {
        let ids = (0..self.body.nodes.len() as u32).map(NodeId);
        ids.filter(|id| matches!(&self.body.nodes[id.index()], Node::Leaf(a) if a.strides[self.eval.dim] != 0))
            .collect()
    }

    /// This thread's vectors of a row, none of whose values is known.
    pub fn vectors(&self, b: &mut Builder, count: u64) -> Vec<(Points, Values)> {
        let thread = b.thread();
        let from = b.scale(thread, self.eval.lanes as i64);
        let each = (self.threads * self.eval.lanes) as i64;
        let vector = |i: i64| (Points { at: from.plus(i * each), mask: None }, vec![None; self.body.nodes.len()]);
        (0..count as i64).map(vector).collect()
    }

    /// A row, of which everything is loaded that is not known yet.
    pub fn loaded(&self, b: &mut Builder, frame: Frame, mut vectors: Vec<(Points, Values)>) -> HeldRow {
        let moving = self.moving();
        for (points, values) in &mut vectors {
            self.eval.compute(b, &frame, *points, values, &moving);
        }
        HeldRow { frame, known: vec![None; self.body.nodes.len()], vectors }
    }

    /// Computes and stores the results of rows, and computes `also` at each of their points. What is reduced of all rows is exchanged
    /// at once.
    pub fn finish(&self, b: &mut Builder, rows: &mut [HeldRow], also: &[NodeId]) {
        for row in &mut *rows {
            self.row_values(b, &row.frame, &mut row.known, 0);
        }
        for p in 0..self.passes.reducing {
            let reductions = self.reductions(p);
            let roots: Vec<NodeId> = reductions.iter().map(|r| r.1).collect();
            let mut sums = Vec::with_capacity(rows.len());
            for HeldRow { frame, known, vectors } in &mut *rows {
                let mut of_row = self.identities(b, &reductions);
                for (points, values) in vectors {
                    learn(values, known);
                    self.eval.compute(b, frame, *points, values, &roots);
                    of_row = combined(b, &reductions, &of_row, values);
                }
                sums.push(of_row);
            }
            let mut known: Vec<&mut Values> = rows.iter_mut().map(|r| &mut r.known).collect();
            self.exchange(b, &reductions, &sums, &mut known);
            for row in &mut *rows {
                self.row_values(b, &row.frame, &mut row.known, p + 1);
            }
        }
        let moves = |i: usize| self.body.outputs[i].access.strides[self.eval.dim] != 0;
        let outputs = self.body.outputs.iter().enumerate().filter(|(i, _)| moves(*i));
        let roots: Vec<NodeId> = outputs.map(|(_, o)| o.node).chain(also.iter().copied()).collect();
        for HeldRow { frame, known, vectors } in &mut *rows {
            for (points, values) in vectors {
                learn(values, known);
                self.eval.compute(b, frame, *points, values, &roots);
                self.store(b, frame, points.at, values, moves);
            }
        }
        if !(0..self.body.outputs.len()).all(moves) {
            let thread = b.thread();
            let one = b.test("eq", thread, Ix::ZERO);
            b.if_(one, |b| {
                for row in &*rows {
                    self.store(b, &row.frame, Ix::ZERO, &row.known, |i| !moves(i));
                }
            });
        }
    }

    /// Everything that does not vary along the row and is known after `level` passes.
    fn row_values(&self, b: &mut Builder, frame: &Frame, known: &mut Values, level: u32) {
        let ids = (0..self.body.nodes.len() as u32).map(NodeId);
        let fixed: Vec<NodeId> =
            ids.filter(|id| !self.passes.varies[id.index()] && self.passes.level[id.index()] == level).collect();
        self.eval.compute(b, frame, Points { at: Ix::ZERO, mask: None }, known, &fixed);
    }

    /// This thread's vectors of a row.
    fn columns(
        &self,
        b: &mut Builder,
        carried: &[Val],
        body: impl FnOnce(&mut Builder, Ix, &[Val]) -> Vec<Val>,
    ) -> Vec<Val> {
        let thread = b.thread();
        let from = b.scale(thread, self.eval.lanes as i64);
        b.for_(from, self.spec.cols().into(), self.threads * self.eval.lanes, carried, body)
    }

    /// The reductions of a pass, with what they reduce.
    fn reductions(&self, p: u32) -> Vec<Reduced> {
        (0..self.body.nodes.len() as u32)
            .map(NodeId)
            .filter(|id| self.passes.level[id.index()] == p + 1)
            .filter_map(|id| match self.body.nodes[id.index()] {
                Node::Reduce { kind, arg } => Some((id, arg, kind)),
                _ => None,
            })
            .collect()
    }

    fn identities(&self, b: &mut Builder, reductions: &[Reduced]) -> Vec<Val> {
        let ty = |id: NodeId| Ty::vector(ElemKind::value(self.body.dtype(id)), self.eval.lanes);
        reductions.iter().map(|&(id, _, kind)| b.identity(kind, ty(id))).collect()
    }

    fn reduce(&self, b: &mut Builder, frame: &Frame, known: &mut Values, p: u32) {
        let reductions = self.reductions(p);
        let roots: Vec<NodeId> = reductions.iter().map(|r| r.1).collect();
        let start = self.identities(b, &reductions);
        let sums = self.columns(b, &start, |b, at, acc| {
            let mut values = known.clone();
            self.eval.compute(b, frame, Points { at, mask: None }, &mut values, &roots);
            combined(b, &reductions, acc, &values)
        });
        self.exchange(b, &reductions, &[sums], &mut [known]);
    }

    /// What all threads have of the reductions of each row, combined.
    fn exchange(&self, b: &mut Builder, reductions: &[Reduced], sums: &[Vec<Val>], known: &mut [&mut Values]) {
        let each = sums.iter().flat_map(|of_row| reductions.iter().zip(of_row));
        let of_thread: Vec<(Reduction, Val)> = each
            .map(|(&(.., kind), &v)| (kind, if self.eval.lanes > 1 { b.across(kind, v) } else { b.extract(v, 0) }))
            .collect();
        let totals = over_block(b, &of_thread, self.threads);
        for (known, totals) in known.iter_mut().zip(totals.chunks(reductions.len().max(1))) {
            for (&(id, ..), &total) in reductions.iter().zip(totals) {
                known[id.index()] = Some(b.broadcast(total, self.eval.lanes));
            }
        }
    }

    fn store(&self, b: &mut Builder, frame: &Frame, at: Ix, values: &Values, which: impl Fn(usize) -> bool) {
        for (i, o) in self.body.outputs.iter().enumerate().filter(|(i, _)| which(*i)) {
            if let Some(v) = values[o.node.index()] {
                self.eval.store(b, o, frame.output(i), Points { at, mask: None }, v);
            }
        }
    }
}
