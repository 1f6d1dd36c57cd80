//! Column kernels: how a [`Column`] spec is cut into units.
//!
//! A unit is a block of columns at one outer index, or several blocks beside each other. It walks the reduced rows in order, with one
//! vector accumulator for each reduction and each vector of columns. No two units share an output, so nothing has to be combined or
//! ordered afterwards.
//!
//! Rows that are long lie in pages of their own. Of several blocks, all are added up over some rows before the next rows come, so
//! that the addresses of their pages are found once, and the totals wait in scratch memory. The order of additions is the same.

use crate::expr::Body;
use crate::geometry::{ceil_div, collapse, merge, product};

/// Reductions over other dims than the last. The space is `outer`, `reduce`, `cols`. [`crate::expr::Node::Reduce`]
/// reduces the dims of `reduce`, in order. Outputs are functions of reduced values and of leaves that do not move along
/// `reduce`; they have stride 0 there.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Column {
    pub outer: Vec<u64>,
    pub reduce: Vec<u64>,
    pub cols: u64,
    pub body: Body,
}

/// The most bytes that a unit reads of one row: four cache lines.
const BLOCK_BYTES: u64 = 256;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ColumnGrid {
    pub outer: u64,
    pub cols: u64,
    pub col_block: u64,
    /// Blocks of a unit.
    pub blocks: u64,
}

/// The most blocks of a unit, and the units that are worth more.
const BLOCKS: u64 = 16;
const UNITS: u64 = 8;

/// The bytes from which on rows lie apart, and the rows that are worth an order of their own.
const LONG_ROW: u64 = 2048;
const MANY_ROWS: u64 = 256;

impl ColumnGrid {
    pub fn of(spec: &Column) -> ColumnGrid {
        let bytes = spec.body.buffers.iter().map(|d| d.bytes()).max().unwrap_or(4).max(4);
        let outer = product(&spec.outer);
        let mut col_block = BLOCK_BYTES / bytes;
        // Narrow arrays: half a block still fills whole cache lines and leaves work for a second thread.
        while col_block > 64 / bytes && outer * ceil_div(spec.cols, col_block) < 8 {
            col_block /= 2;
        }
        let rows = spec.reduce.iter().product::<u64>();
        // Totals in scratch memory are of one type.
        let mut types = spec.body.reductions().into_iter().map(|(id, ..)| spec.body.dtype(id));
        let first = types.next();
        let alike = first.is_some_and(|d| !d.is_stored_only() && d.bytes() >= 4) && types.all(|d| Some(d) == first);
        let long = alike && spec.cols * bytes >= LONG_ROW && spec.reduce.len() == 1 && rows >= MANY_ROWS;
        let most = outer * ceil_div(spec.cols, col_block) / UNITS;
        let blocks = if long { most.clamp(1, BLOCKS) } else { 1 };
        ColumnGrid { outer, cols: spec.cols, col_block, blocks }
    }

    pub fn col_units(&self) -> u64 {
        ceil_div(self.cols, self.col_block * self.blocks)
    }

    pub fn units(&self) -> u64 {
        self.outer * self.col_units()
    }
}

impl Column {
    /// A kernel in the simplest equal form: neighbouring dims are merged within `outer` and within `reduce`, and dims of `outer` with
    /// the columns, where these lie side by side.
    pub fn new(outer: &[u64], reduce: &[u64], cols: u64, body: Body) -> Column {
        let mut space = [outer, reduce, &[cols]].concat();
        let mut body = body;
        let (o, r) = (outer.len(), reduce.len());
        let r = if r > 0 { r - collapse(&mut space, &mut body, o..o + r) } else { 0 };
        let mut o = if o > 0 { o - collapse(&mut space, &mut body, 0..o) } else { 0 };
        while o > 0 && merge(&mut space, &mut body, o - 1, o + r) {
            o -= 1;
        }
        Column { outer: space[..o].to_vec(), reduce: space[o..o + r].to_vec(), cols: space[o + r], body }
    }

    pub fn space(&self) -> Vec<u64> {
        [&self.outer[..], &self.reduce, &[self.cols]].concat()
    }

    /// What keeps the totals of a unit's blocks, where it has several.
    pub fn scratch_bytes(&self) -> u64 {
        let grid = ColumnGrid::of(self);
        let totals: u64 = self.body.reductions().iter().map(|(id, ..)| self.body.dtype(*id).computed().bytes()).sum();
        if grid.blocks > 1 { totals * grid.blocks * grid.col_block } else { 0 }
    }

    /// The dims of the space that are reduced.
    pub fn reduced(&self) -> std::ops::Range<usize> {
        self.outer.len()..self.outer.len() + self.reduce.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::expr::{Access, DType, Reduction};

    /// The gradient of a bias `[3, 16, 64]` from one of activations, `[3, rows, 16, 64]`: heads side by side are columns.
    #[test]
    fn outer_dims_beside_the_columns_are_columns() {
        let mut b = Body::new(&[DType::F32, DType::F32]);
        let x = b.leaf(Access::new(0, &[1024 * 100, 64, 1024, 1]));
        let sum = b.reduce(Reduction::Sum, x);
        b.output(sum, Access::new(1, &[1024, 64, 0, 1]));
        let c = Column::new(&[3, 16], &[100], 64, b);
        assert_eq!((&c.outer[..], &c.reduce[..], c.cols), (&[3][..], &[100][..], 1024));
        assert_eq!(c.body.outputs[0].access.strides, [1024, 0, 1]);
    }
}
