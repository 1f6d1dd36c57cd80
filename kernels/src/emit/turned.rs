//! Transposes on CPUs: row kernels that read across the rows that they write.
//!
//! One element of each row that is read would be a cache line for each element. So squares are read along the other dim, a register
//! wide, and transposed in registers. A block of squares is as wide as the pages that the machine keeps the addresses of.

use super::builder::{Builder, Ix, Val};
use super::eval::{Eval, Frame, Points, Values};
use crate::expr::{Node, NodeId};
use crate::fused::{TURNED_BLOCK as BLOCK, lying_across};
use crate::spec::Fused;

/// What is done with a row from one column to another, where no square is.
pub type RestOfRow<'r> = &'r dyn Fn(&mut Builder, Ix, Ix, Ix);

/// The rows `from..to` of a kernel that is one of [`lying_across`].
pub fn emit(b: &mut Builder, spec: &Fused, lanes: u64, [from, to]: [Ix; 2], rest: RestOfRow<'_>) {
    let (rows, cols) = (spec.shape[..spec.shape.len() - 1].iter().product::<u64>(), spec.cols());
    let squares = Squares { spec, lanes, leaves: lying_across(spec) };
    let whole = cols / BLOCK * BLOCK;
    let end = b.min(to, (rows / lanes * lanes).into());
    b.loop_(Ix::ZERO, whole.into(), BLOCK, |b, block| {
        b.loop_(from, end, lanes, |b, r| {
            b.loop_(Ix::ZERO, BLOCK.into(), lanes, |b, c| {
                let c = b.add(block, c);
                squares.emit(b, r, c);
            });
        });
    });
    if whole < cols {
        b.loop_(from, end, 1, |b, r| rest(b, r, whole.into(), cols.into()));
    }
    if !rows.is_multiple_of(lanes) {
        // A range may begin behind all squares.
        let begin = b.max(from, end);
        b.loop_(begin, to, 1, |b, r| rest(b, r, Ix::ZERO, cols.into()));
    }
}

struct Squares<'s> {
    spec: &'s Fused,
    lanes: u64,
    leaves: Vec<NodeId>,
}

impl Squares<'_> {
    /// The square of which the first row and column are these.
    fn emit(&self, b: &mut Builder, row: Ix, column: Ix) {
        let (body, shape, last) = (&self.spec.body, &self.spec.shape, self.spec.shape.len() - 1);
        let mut index = vec![Ix::ZERO; last + 1];
        let mut rest = row;
        for d in (0..last).rev() {
            (rest, index[d]) = if d == 0 { (Ix::ZERO, rest) } else { b.div_rem(rest, shape[d]) };
        }
        let frame = Frame::new(b, body, index);
        let across = Eval { body, dim: last - 1, lanes: self.lanes, aligned: false };
        let turned: Vec<Vec<Val>> = self.leaves.iter().map(|&id| self.load(b, &across, &frame, id, column)).collect();
        let along = Eval { body, dim: last, lanes: self.lanes, aligned: false };
        let roots: Vec<NodeId> = body.outputs.iter().map(|o| o.node).collect();
        for i in 0..self.lanes {
            let frame = frame.moved(b, body, last - 1, i.into());
            let points = Points { at: column, mask: None };
            let mut values: Values = vec![None; body.nodes.len()];
            for (id, rows) in self.leaves.iter().zip(&turned) {
                values[id.index()] = Some(rows[i as usize]);
            }
            along.compute(b, &frame, points, &mut values, &roots);
            for (o, output) in body.outputs.iter().enumerate() {
                if let Some(v) = values[output.node.index()] {
                    along.store(b, output, frame.output(o), points, v);
                }
            }
        }
    }

    /// The rows of a square of a leaf that lies across.
    fn load(&self, b: &mut Builder, across: &Eval<'_>, frame: &Frame, id: NodeId, column: Ix) -> Vec<Val> {
        let Node::Leaf(access) = &self.spec.body.nodes[id.index()] else { return Vec::new() };
        let step = access.strides[self.spec.shape.len() - 1];
        let first = b.scale(column, step);
        let first = b.add(frame.node(id), first);
        let points = Points { at: Ix::ZERO, mask: None };
        let rows: Vec<Val> =
            (0..self.lanes).map(|c| across.load(b, access, first.plus(c as i64 * step), points)).collect();
        b.transpose(&rows)
    }
}
