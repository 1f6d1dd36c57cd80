//! Column kernels: vector accumulators walk the reduced rows, in order.

use super::builder::{Buf, Builder, ElemKind, Ix, Ty, Val};
use super::eval::{Eval, Frame, Points, Values};
use super::lanes::lanes_of;
use super::walk::{Accumulators, Axis, BLOCK, axes, walk};
use crate::column::ColumnGrid;
use crate::expr::{Node, NodeId, Reduction};
use crate::geometry::ceil_div;
use crate::spec::Column;
use crate::target::Target;
use crate::windowed;

pub fn emit(b: &mut Builder, spec: &Column, target: &Target) {
    let grid = ColumnGrid::of(spec);
    let lanes = lanes_of(&spec.body, target);
    let eval = Eval { body: &spec.body, dim: spec.outer.len() + spec.reduce.len(), lanes, aligned: false };
    let columns = Columns { spec, eval, reductions: reductions(spec) };
    let (lo, hi) = (b.lo(), b.hi());
    b.loop_(lo, hi, 1, |b, u| {
        let (outer, unit) = b.div_rem(u, grid.col_units());
        if grid.blocks > 1 {
            return columns.in_turns(b, &grid, outer, unit);
        }
        let from = b.scale(unit, grid.col_block as i64);
        of_blocks(b, &grid, unit, &mut |b, count| columns.emit(b, outer, from, count));
    });
}

/// Calls `emit` with the number of columns of the block with this number: the last one may be narrower.
fn of_blocks(b: &mut Builder, grid: &ColumnGrid, block: Ix, emit: &mut dyn FnMut(&mut Builder, u64)) {
    let tail = grid.cols % grid.col_block;
    let all = grid.cols.div_ceil(grid.col_block);
    if tail == 0 || all == 1 {
        return emit(b, if tail == 0 { grid.col_block } else { tail });
    }
    let last = b.test("eq", block, (all - 1).into());
    let first = b.test("ne", block, (all - 1).into());
    b.if_(last, |b| emit(b, tail));
    b.if_(first, |b| emit(b, grid.col_block));
}

fn reductions(spec: &Column) -> Vec<(NodeId, Reduction, NodeId)> {
    let nodes = spec.body.nodes.iter().enumerate();
    nodes
        .filter_map(
            |(i, n)| if let Node::Reduce { kind, arg } = n { Some((NodeId(i as u32), *kind, *arg)) } else { None },
        )
        .collect()
}

/// What is done with the points of a block of columns.
type OfBlock<'f> = &'f mut dyn FnMut(&mut Builder, Frame, Vec<Points>, Ix);

struct Columns<'a> {
    spec: &'a Column,
    eval: Eval<'a>,
    reductions: Vec<(NodeId, Reduction, NodeId)>,
}

impl Columns<'_> {
    /// Columns `from..from + count` of one outer index.
    fn emit(&self, b: &mut Builder, outer: Ix, from: Ix, count: u64) {
        let frame = self.frame(b, outer, from);
        let vectors = self.vectors(b, count);
        let sums = self.accumulators(b, vectors.len());
        let start = sums.identities.clone();
        let mut reduced = axes(self.spec.outer.len(), &self.spec.reduce, 1);
        self.narrow(b, &mut reduced);
        let sums = self.sums(b, &frame, &vectors, &reduced, &sums, start);
        self.store(b, &frame, &vectors, &sums);
    }

    /// The blocks of a unit, of which each adds up some rows before the next rows come.
    fn in_turns(&self, b: &mut Builder, grid: &ColumnGrid, outer: Ix, unit: Ix) {
        let first = b.scale(unit, grid.blocks as i64);
        let end = b.min(first.plus(grid.blocks as i64), grid.cols.div_ceil(grid.col_block).into());
        let each = self.reductions.len() as u64 * grid.col_block;
        let size = Ix::from(self.spec.reduce[0]);
        let axis = axes(self.spec.outer.len(), &self.spec.reduce, 1)[0];
        let span = |b: &mut Builder| {
            let mut reduced = [axis];
            self.narrow(b, &mut reduced);
            reduced[0].span.unwrap_or((Ix::ZERO, size))
        };
        let (from, to) = span(b);
        let blocks = |b: &mut Builder, f: OfBlock<'_>| {
            b.loop_(first, end, 1, |b, block| {
                let minus = b.scale(first, -1);
                let number = b.add(block, minus);
                let (at, column) = (b.scale(number, each as i64), b.scale(block, grid.col_block as i64));
                of_blocks(b, grid, block, &mut |b, count| {
                    let (frame, vectors) = (self.frame(b, outer, column), self.vectors(b, count));
                    f(b, frame, vectors, at);
                });
            });
        };
        blocks(b, &mut |b, _, vectors, at| {
            let sums = self.accumulators(b, vectors.len());
            self.keep(b, at, &sums.identities);
        });
        b.loop_(from, to, BLOCK, |b, start| {
            let until = b.min(start.plus(BLOCK as i64), to);
            blocks(b, &mut |b, frame, vectors, at| {
                let sums = self.accumulators(b, vectors.len());
                let rows = [Axis { span: Some((start, until)), size: BLOCK, ..axis }];
                let part = self.sums(b, &frame, &vectors, &rows, &sums, sums.identities.clone());
                let total = self.kept(b, at, &sums);
                let total = sums.join(b, &total, &part);
                self.keep(b, at, &total);
            });
        });
        blocks(b, &mut |b, frame, vectors, at| {
            let sums = self.accumulators(b, vectors.len());
            let total = self.kept(b, at, &sums);
            self.store(b, &frame, &vectors, &total);
        });
    }

    /// Where totals are in scratch memory, by the number of the accumulator: all have the type of the first.
    fn total(&self, b: &mut Builder, at: Ix, i: usize) -> (Buf, Ix) {
        let buf = b.scratch(ElemKind::value(self.spec.body.dtype(self.reductions[0].0)));
        (buf, at.plus((i as u64 * self.eval.lanes) as i64))
    }

    fn keep(&self, b: &mut Builder, at: Ix, totals: &[Val]) {
        for (i, v) in totals.iter().enumerate() {
            let (buf, at) = self.total(b, at, i);
            b.store(*v, buf, at);
        }
    }

    fn kept(&self, b: &mut Builder, at: Ix, sums: &Accumulators) -> Vec<Val> {
        let load = |i: usize| {
            let (buf, at) = self.total(b, at, i);
            b.load(buf, at, self.eval.lanes)
        };
        (0..sums.kinds.len()).map(load).collect()
    }

    /// The place of a unit's first column.
    fn frame(&self, b: &mut Builder, outer: Ix, from: Ix) -> Frame {
        let mut index = vec![Ix::ZERO; self.eval.dim + 1];
        let mut rest = outer;
        for (i, &d) in self.spec.outer.iter().enumerate().rev() {
            (rest, index[i]) = b.div_rem(rest, d);
        }
        index[self.eval.dim] = from;
        Frame::new(b, &self.spec.body, index)
    }

    /// Vectors of so many columns.
    fn vectors(&self, b: &mut Builder, count: u64) -> Vec<Points> {
        let lanes = self.eval.lanes;
        let each = (0..ceil_div(count, lanes)).map(|v| {
            let mask = (count < (v + 1) * lanes).then(|| b.mask(lanes, count - v * lanes));
            Points { at: (v * lanes).into(), mask }
        });
        each.collect()
    }

    /// What the rows of the axes add up to.
    fn sums(
        &self,
        b: &mut Builder,
        frame: &Frame,
        vectors: &[Points],
        reduced: &[Axis],
        sums: &Accumulators,
        start: Vec<Val>,
    ) -> Vec<Val> {
        let body = &self.spec.body;
        let roots: Vec<NodeId> = self.reductions.iter().map(|r| r.2).collect();
        walk(b, body, frame, reduced, sums, start, &mut |b, frame, _, acc| {
            let mut terms = Vec::new();
            for points in vectors {
                let mut values: Values = vec![None; body.nodes.len()];
                self.eval.compute(b, frame, *points, &mut values, &roots);
                terms.extend(roots.iter().filter_map(|r| values[r.index()]));
            }
            sums.join(b, &acc, &terms)
        })
    }

    /// The outputs, of what was reduced.
    fn store(&self, b: &mut Builder, frame: &Frame, vectors: &[Points], sums: &[Val]) {
        let body = &self.spec.body;
        for (v, points) in vectors.iter().enumerate() {
            let mut values: Values = vec![None; body.nodes.len()];
            for (r, (id, ..)) in self.reductions.iter().enumerate() {
                values[id.index()] = Some(sums[v * self.reductions.len() + r]);
            }
            let roots: Vec<NodeId> = body.outputs.iter().map(|o| o.node).collect();
            self.eval.compute(b, frame, *points, &mut values, &roots);
            for (i, o) in body.outputs.iter().enumerate() {
                if let Some(value) = values[o.node.index()] {
                    self.eval.store(b, o, frame.output(i), *points, value);
                }
            }
        }
    }

    /// Sums of what is 0 outside of a window go over the window.
    fn narrow(&self, b: &mut Builder, reduced: &mut [Axis]) {
        let [(_, Reduction::Sum, summed)] = self.reductions[..] else { return };
        let (body, space) = (&self.spec.body, self.spec.space());
        for w in windowed::of_sum(body, &space, summed) {
            if let Some(axis) = reduced.iter_mut().find(|a| a.dim == w.dim) {
                let sizes = [space.len() as u64, axis.size];
                axis.span = Some(super::windowed::span(b, body, &w, sizes, self.eval.lanes));
            }
        }
    }

    /// One per vector and reduction.
    fn accumulators(&self, b: &mut Builder, vectors: usize) -> Accumulators {
        let (mut kinds, mut identities) = (Vec::new(), Vec::new());
        for (id, kind, _) in self.reductions.iter().cycle().take(vectors * self.reductions.len()) {
            let ty = Ty::vector(ElemKind::value(self.spec.body.dtype(*id)), self.eval.lanes);
            kinds.push(*kind);
            identities.push(b.identity(*kind, ty));
        }
        Accumulators { kinds, identities }
    }
}
