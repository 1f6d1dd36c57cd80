//! Column kernels: vector accumulators walk the reduced rows, in order.

use super::builder::{Builder, ElemKind, Ix, Ty};
use super::eval::{Eval, Frame, Points, Values};
use super::lanes::lanes_of;
use super::walk::{Accumulators, axes, walk};
use crate::column::ColumnGrid;
use crate::expr::{Node, NodeId, Reduction};
use crate::geometry::ceil_div;
use crate::spec::Column;
use crate::target::Target;

pub fn emit(b: &mut Builder, spec: &Column, target: &Target) {
    let grid = ColumnGrid::of(spec);
    let lanes = lanes_of(&spec.body, target);
    let eval = Eval { body: &spec.body, dim: spec.outer.len() + spec.reduce.len(), lanes, aligned: false };
    let columns = Columns { spec, eval, reductions: reductions(spec) };
    let (lo, hi) = (b.lo(), b.hi());
    b.loop_(lo, hi, 1, |b, u| {
        let (outer, block) = b.div_rem(u, grid.col_units());
        let from = b.scale(block, grid.col_block as i64);
        let tail = grid.cols % grid.col_block;
        if tail == 0 {
            return columns.emit(b, outer, from, grid.col_block);
        }
        if grid.col_units() == 1 {
            return columns.emit(b, outer, from, tail);
        }
        let last = b.test("eq", block, (grid.col_units() - 1).into());
        b.if_else(
            last,
            &[],
            |b| {
                columns.emit(b, outer, from, tail);
                Vec::new()
            },
            |b| {
                columns.emit(b, outer, from, grid.col_block);
                Vec::new()
            },
        );
    });
}

fn reductions(spec: &Column) -> Vec<(NodeId, Reduction, NodeId)> {
    let nodes = spec.body.nodes.iter().enumerate();
    nodes
        .filter_map(
            |(i, n)| if let Node::Reduce { kind, arg } = n { Some((NodeId(i as u32), *kind, *arg)) } else { None },
        )
        .collect()
}

struct Columns<'a> {
    spec: &'a Column,
    eval: Eval<'a>,
    reductions: Vec<(NodeId, Reduction, NodeId)>,
}

impl Columns<'_> {
    /// Columns `from..from + count` of one outer index.
    fn emit(&self, b: &mut Builder, outer: Ix, from: Ix, count: u64) {
        let (body, lanes) = (&self.spec.body, self.eval.lanes);
        let mut index = vec![Ix::ZERO; self.eval.dim + 1];
        let mut rest = outer;
        for (i, &d) in self.spec.outer.iter().enumerate().rev() {
            (rest, index[i]) = b.div_rem(rest, d);
        }
        index[self.eval.dim] = from;
        let frame = Frame::new(b, body, index);
        let mut vectors = Vec::new();
        for v in 0..ceil_div(count, lanes) {
            let mask = (count < (v + 1) * lanes).then(|| b.mask(lanes, count - v * lanes));
            vectors.push(Points { at: (v * lanes).into(), mask });
        }
        let sums = self.accumulators(b, vectors.len());
        let roots: Vec<NodeId> = self.reductions.iter().map(|r| r.2).collect();
        let start = sums.identities.clone();
        let reduced = axes(self.spec.outer.len(), &self.spec.reduce, 1);
        let sums = walk(b, body, &frame, &reduced, &sums, start, &mut |b, frame, _, acc| {
            let mut terms = Vec::new();
            for points in &vectors {
                let mut values: Values = vec![None; body.nodes.len()];
                self.eval.compute(b, frame, *points, &mut values, &roots);
                terms.extend(roots.iter().filter_map(|r| values[r.index()]));
            }
            sums.join(b, &acc, &terms)
        });
        for (v, points) in vectors.iter().enumerate() {
            let mut values: Values = vec![None; body.nodes.len()];
            for (r, (id, ..)) in self.reductions.iter().enumerate() {
                values[id.index()] = Some(sums[v * self.reductions.len() + r]);
            }
            let roots: Vec<NodeId> = body.outputs.iter().map(|o| o.node).collect();
            self.eval.compute(b, &frame, *points, &mut values, &roots);
            for (i, o) in body.outputs.iter().enumerate() {
                if let Some(value) = values[o.node.index()] {
                    self.eval.store(b, o, frame.output(i), *points, value);
                }
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
