//! Row kernels that add up columns. A block takes the rows of a part, one or two at a time, and keeps sums of its columns in registers
//! all along. What is the same for all rows (the scale of a norm) is loaded once.
//!
//! Not here: what is done with a row ([`super::fused`]), and which parts there are ([`crate::summed`]).

use super::fused::{HeldRow, Rows};
use super::turns::turns;
use crate::emit::builder::{Builder, ElemKind, Ix, Ty, Val};
use crate::emit::eval::Eval;
use crate::emit::eval::{Frame, Points, Values, address};
use crate::expr::{Node, NodeId, Reduction};
use crate::geometry::product;
use crate::gpu::Grid;
use crate::spec::Summed;

pub fn emit(b: &mut Builder, spec: &Summed, grid: &Grid) {
    let fused = spec.rows();
    let rows = Rows::of(&fused, grid);
    let (sums, count) = (spec.reductions(), product(&spec.shape[spec.added()]));
    let args: Vec<NodeId> = sums.iter().map(|s| s.1).collect();
    let each = spec.cols() / (u64::from(grid.threads) * grid.lanes);
    let hi = b.hi();
    let (first, step) = turns(b, 1);
    b.loop_by(first, hi, step, |b, part| {
        let vectors = with_constants(b, spec, &rows, each);
        let start = identities(b, spec, &sums, grid.lanes, each);
        let total = b.for_(Ix::ZERO, count.into(), spec.at_once(), &start, |b, base, totals| {
            let mut held = Vec::new();
            for k in 0..spec.at_once() {
                let frame = frame(b, spec, part, base.plus(k as i64), &fused.body);
                held.push(rows.loaded(b, frame, vectors.clone()));
            }
            rows.finish(b, &mut held, &args);
            held.iter().fold(totals.to_vec(), |totals, row| with_row(b, &sums, &totals, row))
        });
        let mut index = vec![Ix::ZERO; spec.shape.len()];
        index[0] = part;
        let eval = Eval { body: &spec.body, ..rows.eval };
        let outputs = &spec.body.outputs[spec.body.outputs.len() - sums.len()..];
        for (v, (points, _)) in vectors.iter().enumerate() {
            for (k, out) in outputs.iter().enumerate() {
                let base = address(b, &out.access, &index);
                eval.store(b, out, base, *points, total[v * sums.len() + k]);
            }
        }
    });
}

/// This thread's vectors of any row, with what each row has the same loaded.
fn with_constants(b: &mut Builder, spec: &Summed, rows: &Rows<'_>, each: u64) -> Vec<(Points, Values)> {
    let dim = spec.shape.len() - 1;
    let same =
        |id: &NodeId| matches!(&spec.body.nodes[id.index()], Node::Leaf(a) if a.strides[..dim].iter().all(|&s| s == 0));
    let constants: Vec<NodeId> = rows.moving().into_iter().filter(same).collect();
    let frame = Frame::new(b, rows.eval.body, vec![Ix::ZERO; dim + 1]);
    let mut vectors = rows.vectors(b, each);
    for (points, values) in &mut vectors {
        rows.eval.compute(b, &frame, *points, values, &constants);
    }
    vectors
}

/// The place of a row of a part.
fn frame(b: &mut Builder, spec: &Summed, part: Ix, row: Ix, body: &crate::expr::Body) -> Frame {
    let mut index = vec![Ix::ZERO; spec.shape.len()];
    (index[0], index[1]) = (part, row);
    let mut rest = row;
    for d in spec.added().rev() {
        // The first of these dims needs no remainder: the row is one of the part.
        (rest, index[d]) = if d == 1 { (Ix::ZERO, rest) } else { b.div_rem(rest, spec.shape[d]) };
    }
    Frame::new(b, body, index)
}

/// One sum for each vector and reduction.
fn identities(b: &mut Builder, spec: &Summed, sums: &[(Reduction, NodeId)], lanes: u64, each: u64) -> Vec<Val> {
    let all = sums.iter().cycle().take(sums.len() * each as usize);
    all.map(|&(kind, arg)| b.identity(kind, Ty::vector(ElemKind::value(spec.body.dtype(arg)), lanes))).collect()
}

/// Sums with those of a row added.
fn with_row(b: &mut Builder, sums: &[(Reduction, NodeId)], totals: &[Val], row: &HeldRow) -> Vec<Val> {
    let mut out = totals.to_vec();
    for (v, (_, values)) in row.vectors.iter().enumerate() {
        for (k, &(kind, arg)) in sums.iter().enumerate() {
            let total = &mut out[v * sums.len() + k];
            if let Some(value) = values[arg.index()] {
                *total = b.combine(kind, *total, value);
            }
        }
    }
    out
}
