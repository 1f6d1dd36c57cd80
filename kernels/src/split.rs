//! Contractions with long sums and few results, as two kernels for a GPU. The first computes parts of the sums. The
//! second adds the parts and runs the body.
//!
//! A result of a few tiles keeps only a few multiprocessors busy, no matter how long its sums are. So `k` is cut into
//! equal parts, which become one more batch dim. A column kernel adds the parts of a sum in order. The bits depend on
//! the number of parts, which follows from the shape alone.

use crate::dot::{Dot, Tiling};
use crate::expr::{Access, Body, Node, NodeId, ReduceKind};
use crate::geometry::{product, row_major};
use crate::gpu::GpuArch;
use crate::spec::Column;

/// The most parts of a sum. Each part is written and read once.
const MOST: u64 = 16;

/// The fewest steps of `k` in a part, which is a multiple of them: whole lines of shared memory in every type.
const SHORTEST: u64 = 512;
const MULTIPLE: u64 = 128;

impl Dot {
    /// The number of parts into which the sums are cut; 1 if there are tiles enough, or if `k` is short.
    pub fn parts(&self, gpu: GpuArch) -> u64 {
        let (tiles, outer, inner) = (Tiling::of(self, gpu, true).tiles(self), self.k[0], product(&self.k[1..]));
        let busy = |tiles: u64| tiles >= gpu.processors() / 2;
        if tiles == 0 || busy(tiles) {
            return 1;
        }
        let possible = |n: &u64| {
            let part = outer / n * inner;
            outer.is_multiple_of(*n) && part >= SHORTEST && part.is_multiple_of(MULTIPLE)
        };
        let fitting: Vec<u64> = (2..=MOST).filter(possible).collect();
        fitting.iter().copied().find(|n| busy(tiles * n)).or(fitting.last().copied()).unwrap_or(1)
    }

    /// The two kernels, with [`Dot::parts`] parts. Buffers of the first: A, B, and the parts that it writes. Buffers of
    /// the second: the parts, and the others of the body. `None` if the sums are not cut.
    pub fn split(&self, gpu: GpuArch) -> Option<(Dot, Column)> {
        let parts = self.parts(gpu);
        let whole = self.body.nodes.contains(&Node::Acc);
        (parts > 1 && whole).then(|| (self.partial(parts), self.summed(parts)))
    }

    fn partial(&self, parts: u64) -> Dot {
        let mut k = self.k.clone();
        k[0] /= parts;
        let cut = |access: &Access| {
            let first = access.strides.len() - k.len();
            let strides = [&[access.strides[first] * k[0] as i64], &access.strides[..]].concat();
            Access { strides, ..access.clone() }
        };
        let batch = [&[parts], &self.batch[..]].concat();
        let mut body = Body::new(&[self.stored(0), self.stored(1), self.dtype().computed()]);
        let acc = body.node(Node::Acc);
        body.output(acc, Access::new(2, &row_major(&[&[parts], &self.space()[..]].concat())));
        let (m, n) = (self.m.clone(), self.n.clone());
        Dot { batch, m, n, a: cut(&self.a), b: cut(&self.b), k, body, by_threads: self.by_threads, tf32: self.tf32 }
    }

    fn summed(&self, parts: u64) -> Column {
        let space = self.space();
        let last = space.len() - 1;
        // The dim of parts comes before the last.
        let between = |strides: &[i64], step: i64| [&strides[..last], &[step], &strides[last..]].concat();
        let moved = |access: &Access| Access {
            buffer: access.buffer - 1,
            strides: between(&access.strides, 0),
            ..access.clone()
        };
        let mut body = Body::new(&[&[self.dtype().computed()], &self.body.buffers[2..]].concat());
        let mut at: Vec<NodeId> = Vec::new();
        for node in &self.body.nodes {
            let node = match node {
                Node::Acc => {
                    let part = Access::new(0, &between(&row_major(&space), product(&space) as i64));
                    let arg = body.leaf(part);
                    Node::Reduce { kind: ReduceKind::Sum, arg }
                }
                Node::Leaf(access) => Node::Leaf(moved(access)),
                Node::Gather { access, index, stride, rows } => {
                    Node::Gather { access: moved(access), index: at[index.index()], stride: *stride, rows: *rows }
                }
                Node::Iota { dim } if *dim as usize == last => Node::Iota { dim: dim + 1 },
                Node::Elem { op, dtype, args } => {
                    Node::Elem { op: *op, dtype: *dtype, args: args.iter().map(|a| at[a.index()]).collect() }
                }
                Node::Reduce { kind, arg } => Node::Reduce { kind: *kind, arg: at[arg.index()] },
                other => other.clone(),
            };
            at.push(body.node(node));
        }
        for output in &self.body.outputs {
            body.output(at[output.node.index()], moved(&output.access));
        }
        Column::new(&space[..last], &[parts], space[last], body)
    }
}
