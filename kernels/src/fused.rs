//! Row kernels: how a [`Fused`] spec is cut into units and passes.
//!
//! A row with reductions is read several times. Pass `p` computes the reductions whose arguments need `p` earlier
//! reductions. A last pass stores the outputs that vary along the row. Most values are recomputed in each pass, since a
//! row is in L1 by then. Expensive values (an exponential) are kept in scratch instead. Outputs are stored in the last
//! pass only, so an output may lie over a leaf.

use crate::expr::{Access, Body, Node, NodeId};
use crate::geometry::{ceil_div, collapse, product, round_up};

/// A loop nest over `shape`. Its last dim is vectorised, and [`Node::Reduce`] reduces along it. The other dims are
/// parallel. Elementwise chains, copies, row reductions (softmax, layer norm, losses) and gathers of rows are such
/// kernels.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Fused {
    /// The space: rows, then columns. It has at least one dim.
    pub shape: Vec<u64>,
    pub body: Body,
}

/// The least points of the space in one unit: a few microseconds of work.
const UNIT_POINTS: u64 = 8192;

/// The [`crate::expr::Elem::cost`] from which on a value that two passes need is kept in scratch.
const KEEP_COST: u64 = 16;

/// The [`Body::cost`] up to which a body is written out for each row of a square.
const TURNED_COST: u64 = 16;

/// Columns of a block of squares that are transposed; units have as many rows.
pub const TURNED_BLOCK: u64 = 64;

/// Whether an access lies across rows: side by side along the dim before the last.
fn lies_across(access: &Access) -> bool {
    let [.., before, last] = access.strides[..] else { return false };
    before == 1 && last != 0 && last != 1
}

/// The leaves that lie across the rows that are written, where squares of them are transposed: enough rows and columns, what is read
/// side by side in a dim that blocks of rows fit, and little else to do.
pub fn lying_across(spec: &Fused) -> Vec<NodeId> {
    let (body, last) = (&spec.body, spec.shape.len() - 1);
    if last == 0 || body.has_reduce() || body.cost() > TURNED_COST || spec.cols() < TURNED_BLOCK {
        return Vec::new();
    }
    let (before, rows) = (spec.shape[last - 1], product(&spec.shape[..last]));
    let fits = before >= TURNED_BLOCK && (before == rows || before.is_multiple_of(TURNED_BLOCK));
    let narrow = (0..body.nodes.len()).all(|i| body.dtype(NodeId(i as u32)).computed().bytes() <= 4);
    let along = body.outputs.iter().all(|o| o.access.strides[last] == 1);
    let strided = |n: &Node| matches!(n, Node::Gather { .. });
    if !fits || !narrow || !along || body.nodes.iter().any(strided) {
        return Vec::new();
    }
    let across = |(i, n): (usize, &Node)| match n {
        Node::Leaf(a) if lies_across(a) => Some(NodeId(i as u32)),
        _ => None,
    };
    body.nodes.iter().enumerate().filter_map(across).collect()
}

/// Units of a kernel: blocks of rows, or blocks of columns if rows are long and points independent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FusedGrid {
    pub rows: u64,
    pub cols: u64,
    pub row_block: u64,
    pub col_block: u64,
}

impl FusedGrid {
    pub fn of(spec: &Fused) -> FusedGrid {
        let (cols, rows) = match spec.shape.split_last() {
            Some((c, r)) => (*c, product(r)),
            None => (1, 1),
        };
        if !lying_across(spec).is_empty() {
            return FusedGrid { rows, cols, row_block: TURNED_BLOCK, col_block: cols };
        }
        let split = !spec.body.has_reduce() && cols >= 2 * UNIT_POINTS;
        let row_block = if split { 1 } else { (UNIT_POINTS / cols.max(1)).clamp(1, rows.max(1)) };
        FusedGrid { rows, cols, row_block, col_block: if split { UNIT_POINTS } else { cols } }
    }

    pub fn row_units(&self) -> u64 {
        ceil_div(self.rows, self.row_block)
    }

    pub fn col_units(&self) -> u64 {
        if self.col_block == 0 { 1 } else { ceil_div(self.cols, self.col_block) }
    }

    pub fn units(&self) -> u64 {
        self.row_units() * self.col_units()
    }
}

impl Fused {
    /// A kernel over `shape` in the simplest equal form. Dims of size 1 are dropped, and contiguous dims are merged. If
    /// nothing is reduced, the dim in which the outputs are contiguous becomes the last.
    pub fn new(shape: &[u64], body: Body) -> Fused {
        let (mut shape, mut body) = (shape.to_vec(), body);
        if shape.is_empty() {
            shape.push(1);
            body.accesses_mut().for_each(|a| a.strides.push(0));
        }
        let last = shape.len() - 1;
        if body.has_reduce() {
            collapse(&mut shape, &mut body, 0..last);
            return Fused { shape, body };
        }
        collapse(&mut shape, &mut body, 0..last + 1);
        let last = shape.len() - 1;
        let contiguous = |i: usize| shape[i] > 1 && body.outputs.iter().all(|o| o.access.strides[i] == 1);
        if let Some(i) = (0..last).rev().find(|&i| contiguous(i)).filter(|_| !contiguous(last)) {
            shape.swap(i, last);
            body.accesses_mut().for_each(|a| a.strides.swap(i, last));
            for n in &mut body.nodes {
                match n {
                    Node::Iota { dim } if *dim as usize == i => *dim = last as u32,
                    Node::Iota { dim } if *dim as usize == last => *dim = i as u32,
                    _ => {}
                }
            }
        }
        Fused { shape, body }
    }

    pub fn cols(&self) -> u64 {
        self.shape.last().copied().unwrap_or(1)
    }
}

/// Which values vary along the vectorised dim, in which pass each is known, and which are kept in scratch.
pub struct Passes {
    pub varies: Vec<bool>,
    /// How many passes run before the value is known. A `Reduce` is computed by pass `level - 1`.
    pub level: Vec<u32>,
    /// The number of passes that reduce. One more follows if an output varies.
    pub reducing: u32,
    /// The values in scratch, in the order of their places there, with the pass that computes them.
    pub kept: Vec<(NodeId, u32)>,
}

impl Passes {
    /// `last` is the dim that is vectorised and reduced.
    pub fn of(body: &Body, last: usize) -> Passes {
        let n = body.nodes.len();
        let (mut varies, mut level) = (vec![false; n], vec![0u32; n]);
        for i in 0..n {
            let args = body.args(NodeId(i as u32));
            let from_args = args.iter().any(|a| varies[a.index()]);
            level[i] = args.iter().map(|a| level[a.index()]).max().unwrap_or(0);
            varies[i] = match &body.nodes[i] {
                Node::Leaf(a) => a.strides[last] != 0,
                Node::Gather { access, .. } => access.strides[last] != 0 || from_args,
                Node::Iota { dim } => *dim as usize == last,
                Node::Reduce { .. } => {
                    level[i] += 1;
                    false
                }
                _ => from_args,
            };
        }
        let reducing = level.iter().copied().max().unwrap_or(0);
        let mut passes = Passes { varies, level, reducing, kept: Vec::new() };
        passes.keep(body);
        passes
    }

    /// The values that pass `p` has to compute: arguments of its reductions, or the varying outputs.
    pub fn roots(&self, body: &Body, p: u32) -> Vec<NodeId> {
        if p == self.reducing {
            return body.outputs.iter().map(|o| o.node).filter(|n| self.varies[n.index()]).collect();
        }
        let reduces = body.nodes.iter().enumerate().filter(|(i, _)| self.level[*i] == p + 1);
        reduces.filter_map(|(_, n)| if let Node::Reduce { arg, .. } = n { Some(*arg) } else { None }).collect()
    }

    /// Varying values that pass `p` computes or loads, given those that earlier passes keep.
    fn needed(&self, body: &Body, p: u32) -> Vec<bool> {
        let mut need = vec![false; body.nodes.len()];
        let mut work = self.roots(body, p);
        while let Some(id) = work.pop() {
            if !self.varies[id.index()] || std::mem::replace(&mut need[id.index()], true) {
                continue;
            }
            if !self.kept.iter().any(|&(k, q)| k == id && q < p) {
                work.extend_from_slice(body.args(id));
            }
        }
        need
    }

    fn keep(&mut self, body: &Body) {
        for p in 0..self.reducing {
            // From results to arguments: keeping a result makes keeping its arguments pointless.
            for i in (0..body.nodes.len()).rev() {
                let id = NodeId(i as u32);
                // Scratch has one dtype.
                let dtype = self.kept.first().map_or(body.dtype(id), |&(k, _)| body.dtype(k));
                let costly = matches!(&body.nodes[i], Node::Elem { op, dtype: d, .. }
                    if op.cost() >= KEEP_COST && d.is_float() && *d == dtype);
                if !costly || self.kept.iter().any(|&(k, _)| k == id) || !self.needed(body, p)[i] {
                    continue;
                }
                if (p + 1..=self.reducing).any(|q| self.needed(body, q)[i]) {
                    self.kept.push((id, p));
                }
            }
        }
    }
}

pub fn scratch_bytes(spec: &Fused) -> u64 {
    let passes = Passes::of(&spec.body, spec.shape.len() - 1);
    passes.kept.iter().map(|&(id, _)| round_up(spec.cols() * spec.body.dtype(id).bytes(), 64)).sum()
}
