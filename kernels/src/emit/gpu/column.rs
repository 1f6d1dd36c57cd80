//! Column kernels. The lanes of a warp are neighbouring columns. The warps of the block take the reduced rows in turn, and the
//! first warp adds up their results in the order of warps.

use super::turns::turns;
use crate::emit::builder::{Builder, ElemKind, Ix, Ty, Val};
use crate::emit::eval::{Eval, Frame, Points, Values};
use crate::expr::{Node, NodeId, ReduceKind};
use crate::geometry::{ceil_div, product};
use crate::gpu::Grid;
use crate::gpu::WARP;
use crate::spec::Column;

pub fn emit(b: &mut Builder, spec: &Column, grid: &Grid) {
    let (body, reduced) = (&spec.body, spec.reduced());
    let eval = Eval { body, dim: reduced.end, lanes: 1, aligned: true };
    let reductions: Vec<(NodeId, ReduceKind, NodeId)> = body
        .nodes
        .iter()
        .enumerate()
        .filter_map(|(i, n)| match n {
            Node::Reduce { kind, arg } => Some((NodeId(i as u32), *kind, *arg)),
            _ => None,
        })
        .collect();
    let warps = u64::from(grid.threads) / WARP;
    let of = |id: &NodeId| ElemKind::value(body.dtype(*id));
    let parts: Vec<_> = reductions.iter().map(|(id, ..)| b.block_memory(of(id), u64::from(grid.threads))).collect();
    let (hi, thread) = (b.hi(), b.thread());
    let (warp, lane) = b.div_rem(thread, WARP);
    let (first, step) = turns(b, 1);
    b.loop_by(first, hi, step, |b, u| {
        let (outer, column_block) = b.div_rem(u, ceil_div(spec.cols, WARP));
        let from = b.scale(column_block, WARP as i64);
        let column = b.add(from, lane);
        // Lanes beyond the last column compute it too, and store nothing.
        let at = b.min(column, Ix::from(spec.cols).plus(-1));
        let mut index = vec![Ix::ZERO; eval.dim + 1];
        let mut rest = outer;
        for (i, &d) in spec.outer.iter().enumerate().rev() {
            (rest, index[i]) = b.div_rem(rest, d);
        }
        let roots: Vec<NodeId> = reductions.iter().map(|r| r.2).collect();
        let start: Vec<Val> = reductions.iter().map(|(id, kind, _)| b.identity(*kind, Ty::vector(of(id), 1))).collect();
        let sums = b.for_(warp, product(&spec.reduce).into(), warps, &start, |b, row, acc| {
            let (mut index, mut rest) = (index.clone(), row);
            for (i, &d) in spec.reduce.iter().enumerate().rev() {
                (rest, index[reduced.start + i]) = if i == 0 { (Ix::ZERO, rest) } else { b.div_rem(rest, d) };
            }
            let frame = Frame::new(b, body, index);
            let mut values: Values = vec![None; body.nodes.len()];
            eval.compute(b, &frame, Points { at, mask: None }, &mut values, &roots);
            let each = reductions.iter().zip(acc);
            each.map(|((_, kind, arg), &acc)| match values[arg.index()] {
                Some(v) => b.combine(*kind, acc, v),
                None => acc,
            })
            .collect()
        });
        for (&sum, &part) in sums.iter().zip(&parts) {
            let sum = b.extract(sum, 0);
            b.store(sum, part, thread);
        }
        b.barrier();
        let (in_first, inside) = (b.test("eq", warp, Ix::ZERO), b.test("slt", column, spec.cols.into()));
        let one = b.binary("andi", in_first, inside);
        b.if_(one, |b| {
            let mut values: Values = vec![None; body.nodes.len()];
            for ((id, kind, _), &part) in reductions.iter().zip(&parts) {
                let mut total = b.load(part, lane, 0);
                for w in 1..warps {
                    let next = b.load(part, lane.plus((w * WARP) as i64), 0);
                    total = b.combine(*kind, total, next);
                }
                values[id.index()] = Some(b.broadcast(total, 1));
            }
            let frame = Frame::new(b, body, index.clone());
            let roots: Vec<NodeId> = body.outputs.iter().map(|o| o.node).collect();
            eval.compute(b, &frame, Points { at, mask: None }, &mut values, &roots);
            for (i, o) in body.outputs.iter().enumerate() {
                if let Some(v) = values[o.node.index()] {
                    eval.store(b, o, frame.output(i), Points { at, mask: None }, v);
                }
            }
        });
        b.barrier();
    });
}
