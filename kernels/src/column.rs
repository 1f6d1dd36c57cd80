//! Column kernels: how a [`Column`] spec is cut into units.
//!
//! A unit is a block of columns at one outer index. It walks the reduced rows in order, with one vector accumulator for
//! each reduction and each vector of columns. No two units share an output, so nothing has to be combined or ordered
//! afterwards.

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
}

impl ColumnGrid {
    pub fn of(spec: &Column) -> ColumnGrid {
        let bytes = spec.body.buffers.iter().map(|d| d.bytes()).max().unwrap_or(4).max(4);
        let outer = product(&spec.outer);
        let mut col_block = BLOCK_BYTES / bytes;
        // Narrow arrays: half a block still fills whole cache lines and leaves work for a second thread.
        while col_block > 64 / bytes && outer * ceil_div(spec.cols, col_block) < 8 {
            col_block /= 2;
        }
        ColumnGrid { outer, cols: spec.cols, col_block }
    }

    pub fn col_units(&self) -> u64 {
        ceil_div(self.cols, self.col_block)
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
