//! Tensor maps of what a contraction makes: of its results, and of what its body reads beside them row by row. Each warp stores, and
//! brings, its own rows of a tile in boxes of 16 rows and a line of 128 bytes.
//!
//! A warp has memory for two boxes at the most. They are those of two results; or those of one result, of two parts of the tile after
//! each other; and what is read of a part lies where its result will. Bodies that need more have no maps: their threads load and
//! store.

use super::{Boxes, LinearIndex, TensorMap, cut, dims};
use crate::dot::{Dot, Tiling};
use crate::expr::{Access, DType, Node, NodeId};
use crate::geometry::product;
use crate::gpu::{LINE, WARP};
use crate::grid::dot_lanes;

/// The rows of a tile that a warp has at a time.
pub const WARP_ROWS: u64 = 16;

/// Bytes of a box.
pub const BOX: u64 = WARP_ROWS * LINE;

/// The most boxes in the memory of a warp.
const MOST: u64 = 2;

/// The most cost ([`crate::expr::Body::cost`]) of a body that reads what comes in boxes. On an H100 (2026-11-26) a residual and a bias
/// took a product of 8192 x 1024 x 1024 from 42 to 37 us, while GELU's gradient, whose argument came so, went from 146 to 157.
const MOST_COST: u64 = 20;

/// The most nodes of a body, of which there is code for each pair of sums that a thread has of a part.
const LONGEST_BODY: usize = 48;

/// How a warp's rows of a tile come and go.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ResultBoxes {
    /// The columns of a part: a line.
    pub cols: u64,
    pub outputs: Vec<Boxes>,
    /// A leaf of the body of which each row has its own elements.
    pub input: Option<(NodeId, Boxes)>,
    /// For how many parts, one after the other, a warp has memory.
    pub depth: u64,
}

impl ResultBoxes {
    /// Boxes in the memory of a warp.
    pub fn boxes(&self) -> u64 {
        self.depth * self.outputs.len() as u64
    }

    /// Bytes of shared memory for a tiling: the boxes of its warps, then the barriers of those that come.
    pub fn bytes(&self, tiling: &Tiling) -> u64 {
        self.barriers(tiling) + u64::from(tiling.threads) / WARP * self.depth * if self.input.is_some() { 8 } else { 0 }
    }

    /// Where those barriers begin.
    pub fn barriers(&self, tiling: &Tiling) -> u64 {
        u64::from(tiling.threads) / WARP * self.boxes() * BOX
    }

    /// In the order of the kernel's arguments.
    pub fn maps(self) -> Vec<TensorMap> {
        self.outputs.into_iter().chain(self.input.map(|i| i.1)).map(|b| b.map).collect()
    }
}

impl Dot {
    /// How results come and go by the tensor memory accelerator; `None` where threads load and store.
    pub fn results(&self, tiling: &Tiling) -> Option<ResultBoxes> {
        let body = &self.body;
        let rows = self.batch.len()..self.batch.len() + self.m.len();
        let leaves = body.nodes.iter().enumerate().filter_map(|(i, n)| match n {
            Node::Leaf(a) => Some((NodeId(i as u32), a)),
            _ => None,
        });
        let mut inputs: Vec<(NodeId, &Access)> =
            leaves.filter(|(_, a)| a.strides[rows.clone()].iter().any(|s| *s != 0)).collect();
        let outputs: Vec<&Access> = body.outputs.iter().map(|o| &o.access).collect();
        let most = if inputs.is_empty() { MOST as usize } else { 1 };
        let few = (1..=most).contains(&outputs.len()) && inputs.len() <= 1 && body.nodes.len() <= LONGEST_BODY;
        let pairs = dot_lanes(self) >= 2 && self.n.last().is_some_and(|n| n.is_multiple_of(2));
        if tiling.producers == 0
            || tiling.in_tensor_memory()
            || self.by_threads
            || !few
            || !pairs
            || product(&self.space()) == 0
        {
            return None;
        }
        if !inputs.is_empty() && body.cost() > MOST_COST {
            return None;
        }
        let of = |a: &Access| body.buffers[a.buffer as usize];
        let size = of(outputs[0]).bytes();
        let all = || outputs.iter().copied().chain(inputs.iter().map(|i| i.1));
        let cols = LINE / size;
        let floats = |d: DType| matches!(d, DType::BF16 | DType::F16 | DType::F32);
        if all().any(|a| !floats(of(a)) || of(a).bytes() != size) || !tiling.cols.is_multiple_of(cols) {
            return None;
        }
        // Results of several batches in one place have no order.
        let batch = |a: &Access| dims(LinearIndex::Batch, &self.batch, &a.strides[..self.batch.len()]);
        if outputs.iter().any(|a| batch(a).iter().any(|d| d.stride == 0)) {
            return None;
        }
        let boxes: Vec<Boxes> = all().map(|a| self.result_boxes(a, of(a), cols)).collect::<Option<_>>()?;
        let (stored, brought) = boxes.split_at(outputs.len());
        let input = inputs.pop().map(|i| i.0).zip(brought.first().cloned());
        let depths = if outputs.len() > 1 { 1..=1 } else { 1..=MOST };
        let of_depth = |depth| ResultBoxes { cols, outputs: stored.to_vec(), input: input.clone(), depth };
        let fitting = depths.rev().map(of_depth).find(|r| r.bytes(tiling) <= tiling.room())?;
        // What is read of the next part has no place where there is one box.
        (fitting.input.is_none() || fitting.depth > 1).then_some(fitting)
    }

    fn result_boxes(&self, access: &Access, dtype: DType, cols: u64) -> Option<Boxes> {
        let (batch, rest) = access.strides.split_at(self.batch.len());
        let (of_rows, of_cols) = rest.split_at(self.m.len());
        let first = cut(LinearIndex::Cols, &self.n, of_cols, cols)?;
        let second = cut(LinearIndex::Rows, &self.m, of_rows, WARP_ROWS)?;
        self.boxed(access, dtype, [first, second], batch, WARP_ROWS)
    }
}
