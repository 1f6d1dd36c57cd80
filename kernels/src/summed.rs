//! Row kernels that add up columns, too: gradients of biases and of norms' scales, where a row kernel reads the same rows anyway.
//!
//! Rows are cut into parts, each for a block of a GPU. The block keeps each row in registers, and a sum of each column beside it; what the
//! rows of a part add up to is written once, and a column kernel adds up the parts. Rows are added in order and parts in order, so
//! the bits depend on the shape alone. Whether that is less work than reading the rows twice, `lower` decides by [`Summed::moved`].
//!
//! Not here: kernels for CPUs, where a row that was just read is in a cache of its own core, and column kernels find it there.

use crate::expr::{Access, Body, DType, Node, NodeId, Reduction};
use crate::fused::Fused;
use crate::geometry::{collapse, product};
use crate::gpu::{GpuArch, WARP};
use crate::grid::{fused_has_template, is_exchanged, lanes};

/// Rows as [`Fused`] has them, and sums of columns over the rows of each part.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Summed {
    /// The space: parts, rows of a part, columns.
    pub shape: Vec<u64>,
    /// As that of a row kernel, but for the last nodes: these reduce the rows of a part. Only the last outputs read them, each one.
    pub body: Body,
    /// How many such nodes there are.
    pub sums: u32,
}

/// Threads that a multiprocessor is given, at most; the fewest rows of a part.
const THREADS: u64 = 512;
const ROWS: u64 = 8;

/// The most words of memory that a thread holds of a row, and those of sums that it keeps.
const HELD: u64 = 64;
const KEPT: u64 = 32;

/// The most vectors of a row that a thread has.
const VECTORS: u64 = 2;

impl Summed {
    /// The rows of `space`, each dim but the last one of rows, with sums of columns. `body` is that of the rows, and `sums` are the
    /// reductions and what they reduce; their parts get buffers behind all others. `None` if a block cannot keep a row in registers, or
    /// if rows cannot be cut into parts for all multiprocessors.
    pub fn of(space: &[u64], body: Body, sums: &[(Reduction, NodeId)], gpu: GpuArch) -> Option<Summed> {
        let (mut shape, mut body) = (space.to_vec(), body);
        let last = shape.len().checked_sub(1).filter(|&last| last > 0 && product(space) > 0)?;
        let last = last - collapse(&mut shape, &mut body, 0..last);
        let rows = product(&shape[..last]);
        let numbered = body.nodes.iter().any(|n| matches!(n, Node::Iota { dim: 0 }));
        let plain = sums.iter().all(|s| is_exchanged(body.dtype(s.1)));
        if numbered || !plain || !fused_has_template(&Fused { shape: shape.clone(), body: body.clone() }) {
            return None;
        }
        // How many threads a block has depends on the buffers alone, and parts are as many columns wide.
        let threads = Summed::in_parts(1, &shape, body.clone(), sums).threads()?;
        let most = gpu.processors() * (THREADS / threads).max(1);
        let fits = |n: &u64| shape[0].is_multiple_of(*n) && rows / n >= ROWS;
        let parts = (gpu.processors()..=most).rev().find(fits)?;
        Some(Summed::in_parts(parts, &shape, body, sums))
    }

    /// As [`Summed::of`], in so many parts, which divide the first dim of `shape`.
    pub fn in_parts(parts: u64, shape: &[u64], mut body: Body, sums: &[(Reduction, NodeId)]) -> Summed {
        let (rows, last) = ((shape[0] / parts) as i64, shape.len());
        body.accesses_mut().for_each(|a| a.strides.insert(0, a.strides[0] * rows));
        for n in &mut body.nodes {
            if let Node::Iota { dim } = n {
                *dim += 1;
            }
        }
        let shape = [&[parts, rows as u64], &shape[1..]].concat();
        for &(kind, arg) in sums {
            let buffer = body.buffer(body.dtype(arg));
            // Rows may reduce the same value, along the other dim.
            body.nodes.push(Node::Reduce { kind, arg });
            let mut strides = vec![0; last + 1];
            (strides[0], strides[last]) = (shape[last] as i64, 1);
            body.output(NodeId(body.nodes.len() as u32 - 1), Access::new(buffer, &strides));
        }
        Summed { shape, body, sums: sums.len() as u32 }
    }

    pub fn cols(&self) -> u64 {
        self.shape.last().copied().unwrap_or(1)
    }

    pub fn parts(&self) -> u64 {
        self.shape.first().copied().unwrap_or(1)
    }

    /// The dims over which columns are added up.
    pub fn added(&self) -> std::ops::Range<usize> {
        1..self.shape.len().max(2) - 1
    }

    /// Where the nodes that reduce columns begin.
    pub fn first_sum(&self) -> usize {
        self.body.nodes.len().saturating_sub(self.sums as usize)
    }

    /// The reductions of columns, and what they reduce.
    pub fn reductions(&self) -> Vec<(Reduction, NodeId)> {
        let of = |n: &Node| if let Node::Reduce { kind, arg } = n { Some((*kind, *arg)) } else { None };
        self.body.nodes[self.first_sum()..].iter().filter_map(of).collect()
    }

    /// The kernel without sums of columns.
    pub fn rows(&self) -> Fused {
        let mut body = self.body.clone();
        body.nodes.truncate(self.first_sum());
        body.outputs.truncate(self.body.outputs.len().saturating_sub(self.sums as usize));
        Fused { shape: self.shape.clone(), body }
    }

    /// Bytes of all parts of sums: written once, and read once.
    pub fn moved(&self) -> u64 {
        let of = |(_, arg): &(Reduction, NodeId)| self.body.dtype(*arg).bytes();
        self.parts() * self.cols() * self.reductions().iter().map(of).sum::<u64>()
    }

    /// The neighbouring columns that a thread takes at a time, where buffers are aligned.
    pub(crate) fn lanes(&self) -> u64 {
        let mut lanes = lanes(&self.body, self.shape.len() - 1, self.cols());
        while lanes > 1 && self.cols() / lanes < WARP {
            lanes /= 2;
        }
        lanes
    }

    /// The threads of a block, each with as many vectors of a row; `None` if a row or its sums do not fit into registers.
    pub(crate) fn threads(&self) -> Option<u64> {
        let (lanes, dim) = (self.lanes(), self.shape.len() - 1);
        let vectors = self.cols() / lanes;
        let even = |v: &u64| vectors.is_multiple_of(v * WARP) && vectors / v <= THREADS;
        let each = (1..=VECTORS).find(even)?;
        let moving = self.body.nodes.iter().filter(|n| matches!(n, Node::Leaf(a) if a.strides[dim] != 0));
        let words = |dtype: DType| dtype.bytes().div_ceil(4) * lanes * each;
        let kept: u64 = self.reductions().iter().map(|s| words(self.body.dtype(s.1))).sum();
        let held = moving.count() as u64 * lanes * each;
        (kept <= KEPT && held <= HELD).then_some(vectors / each)
    }

    /// Rows that a block has in registers at a time: with more than one, more bytes are under way, and their reductions meet at once.
    pub(crate) fn at_once(&self) -> u64 {
        let dim = self.shape.len() - 1;
        let moves = |a: &Access| a.strides[dim] != 0 && a.strides[..dim].iter().any(|&s| s != 0);
        let moving = self.body.nodes.iter().filter(|n| matches!(n, Node::Leaf(a) if moves(a))).count() as u64;
        let each = self.threads().map_or(1, |t| self.cols() / t);
        let rows = product(&self.shape[1..dim]);
        if rows.is_multiple_of(2) && 2 * moving * each <= HELD { 2 } else { 1 }
    }
}
