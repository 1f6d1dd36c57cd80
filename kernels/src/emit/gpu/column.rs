//! Column kernels. The lanes of a warp are neighbouring columns, 16 bytes each where the layout allows it. The warps of the block take
//! the reduced rows in turn, and the first warp adds up their results in the order of warps.
//!
//! A thread loads what it needs of several rows before it computes with them: with one row at a time, a block would have a few hundred
//! bytes under way, and wait for each. The rows are still added one after the other, so the bits do not depend on how many these are.
//!
//! Not here: rows that are split over several blocks ([`Column::split`]).

use super::turns::turns;
use crate::emit::builder::{Builder, ElemKind, Ix, Ty, Val};
use crate::emit::eval::{Eval, Frame, Points, Values};
use crate::expr::{Body, Node, NodeId, Reduction};
use crate::geometry::{ceil_div, product};
use crate::gpu::Grid;
use crate::gpu::WARP;
use crate::spec::Column;

/// The most rows that a thread loads at once, and the most words of memory that it has loaded and not used.
const ROWS: u64 = 4;
const WORDS: u64 = 64;

pub fn emit(b: &mut Builder, spec: &Column, grid: &Grid) {
    let body = &spec.body;
    let eval = Eval { body, dim: spec.reduced().end, lanes: grid.lanes, aligned: true };
    let reductions = body.reductions();
    let leaves = leaves(body, &reductions);
    let columns = Columns { spec, eval, reductions, leaves, warps: u64::from(grid.threads) / WARP };
    columns.emit(b);
}

struct Columns<'a> {
    spec: &'a Column,
    eval: Eval<'a>,
    reductions: Vec<(NodeId, Reduction, NodeId)>,
    /// What is loaded for what is reduced.
    leaves: Vec<NodeId>,
    warps: u64,
}

impl Columns<'_> {
    fn emit(&self, b: &mut Builder) {
        let (spec, body, lanes) = (self.spec, self.eval.body, self.eval.lanes);
        let of = |id: &NodeId| ElemKind::value(body.dtype(*id));
        let room = self.warps * WARP * lanes;
        let parts: Vec<_> = self.reductions.iter().map(|(id, ..)| b.block_memory(of(id), room)).collect();
        let (hi, thread) = (b.hi(), b.thread());
        let (warp, lane) = b.div_rem(thread, WARP);
        let (first, step) = turns(b, 1);
        b.loop_by(first, hi, step, |b, u| {
            let (outer, block) = b.div_rem(u, ceil_div(spec.cols, WARP * lanes));
            let (from, own) = (b.scale(block, (WARP * lanes) as i64), b.scale(lane, lanes as i64));
            let column = b.add(from, own);
            // Lanes beyond the last column compute it too, and store nothing.
            let at = b.min(column, Ix::from(spec.cols).plus(-(lanes as i64)));
            let mut index = vec![Ix::ZERO; self.eval.dim + 1];
            let mut rest = outer;
            for (i, &d) in spec.outer.iter().enumerate().rev() {
                (rest, index[i]) = b.div_rem(rest, d);
            }
            let sums = self.sums(b, &index, at, warp);
            let mine = b.scale(thread, lanes as i64);
            for (&sum, &part) in sums.iter().zip(&parts) {
                b.store(sum, part, mine);
            }
            b.barrier();
            let (in_first, inside) = (b.test("eq", warp, Ix::ZERO), b.test("slt", column, spec.cols.into()));
            let one = b.binary("andi", in_first, inside);
            b.if_(one, |b| {
                let mut values: Values = vec![None; body.nodes.len()];
                for ((id, kind, _), &part) in self.reductions.iter().zip(&parts) {
                    let mut total = b.load(part, own, lanes);
                    for w in 1..self.warps {
                        let next = b.load(part, own.plus((w * WARP * lanes) as i64), lanes);
                        total = b.combine(*kind, total, next);
                    }
                    values[id.index()] = Some(total);
                }
                let frame = Frame::new(b, body, index.clone());
                let roots: Vec<NodeId> = body.outputs.iter().map(|o| o.node).collect();
                self.eval.compute(b, &frame, Points { at, mask: None }, &mut values, &roots);
                for (i, o) in body.outputs.iter().enumerate() {
                    if let Some(v) = values[o.node.index()] {
                        self.eval.store(b, o, frame.output(i), Points { at, mask: None }, v);
                    }
                }
            });
            b.barrier();
        });
    }

    /// What the rows of a warp add up to: several at a time, then those that are left.
    fn sums(&self, b: &mut Builder, index: &[Ix], at: Ix, warp: Ix) -> Vec<Val> {
        let (rows, at_once) = (product(&self.spec.reduce), self.rows_at_once());
        let start: Vec<Val> = self
            .reductions
            .iter()
            .map(|(id, kind, _)| {
                let ty = Ty::vector(ElemKind::value(self.eval.body.dtype(*id)), self.eval.lanes);
                b.identity(*kind, ty)
            })
            .collect();
        let round = self.warps * at_once;
        let whole = rows / round * round;
        let sums = b.for_(Ix::ZERO, whole.into(), round, &start, |b, base, acc| {
            let first = b.add(base, warp);
            let each: Vec<Ix> = (0..at_once).map(|i| first.plus((i * self.warps) as i64)).collect();
            self.add(b, index, at, &each, acc)
        });
        let first = warp.plus(whole as i64);
        if whole == rows {
            return sums;
        }
        b.for_(first, rows.into(), self.warps, &sums, |b, row, acc| self.add(b, index, at, &[row], acc))
    }

    /// Adds rows to sums in order, all of them loaded first.
    fn add(&self, b: &mut Builder, index: &[Ix], at: Ix, rows: &[Ix], sums: &[Val]) -> Vec<Val> {
        let (spec, body) = (self.spec, self.eval.body);
        let points = Points { at, mask: None };
        let roots: Vec<NodeId> = self.reductions.iter().map(|r| r.2).collect();
        let mut loaded: Vec<(Frame, Values)> = Vec::new();
        for &row in rows {
            let (mut index, mut rest) = (index.to_vec(), row);
            for (i, &d) in spec.reduce.iter().enumerate().rev() {
                let place = &mut index[spec.outer.len() + i];
                (rest, *place) = if i == 0 { (Ix::ZERO, rest) } else { b.div_rem(rest, d) };
            }
            let frame = Frame::new(b, body, index);
            let mut values: Values = vec![None; body.nodes.len()];
            self.eval.compute(b, &frame, points, &mut values, &self.leaves);
            loaded.push((frame, values));
        }
        let mut sums = sums.to_vec();
        for (frame, mut values) in loaded {
            self.eval.compute(b, &frame, points, &mut values, &roots);
            for ((_, kind, arg), sum) in self.reductions.iter().zip(&mut sums) {
                if let Some(v) = values[arg.index()] {
                    *sum = b.combine(*kind, *sum, v);
                }
            }
        }
        sums
    }

    /// As many rows as registers have room for.
    fn rows_at_once(&self) -> u64 {
        let body = self.eval.body;
        let words = self.leaves.iter().map(|id| match &body.nodes[id.index()] {
            Node::Leaf(a) if a.strides[self.eval.dim] != 0 => {
                ceil_div(self.eval.lanes * body.buffers[a.buffer as usize].bytes(), 4)
            }
            _ => 1,
        });
        let words = words.sum::<u64>().max(1);
        let mut rows = ROWS;
        while rows > 1 && (rows * words > WORDS || rows * self.warps > product(&self.spec.reduce)) {
            rows /= 2;
        }
        rows
    }
}

/// The leaves that reductions need.
fn leaves(body: &Body, reductions: &[(NodeId, Reduction, NodeId)]) -> Vec<NodeId> {
    let mut needed = vec![false; body.nodes.len()];
    let mut work: Vec<NodeId> = reductions.iter().map(|r| r.2).collect();
    while let Some(id) = work.pop() {
        if !std::mem::replace(&mut needed[id.index()], true) {
            work.extend_from_slice(body.args(id));
        }
    }
    let ids = (0..body.nodes.len() as u32).map(NodeId);
    ids.filter(|id| needed[id.index()] && matches!(body.nodes[id.index()], Node::Leaf(_))).collect()
}
