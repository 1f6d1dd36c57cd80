//! Contractions and column reductions with long sums and few results, as two kernels for a GPU. The first computes parts of the sums.
//! The second adds the parts and runs the body.
//!
//! A result of a few tiles keeps only a few multiprocessors busy, no matter how long its sums are. So `k` is cut into
//! equal parts, which become one more batch dim. A column kernel adds the parts of a sum in order. The bits depend on
//! the number of parts, which follows from the shape alone. In the same way the rows of a column reduction are cut, where a warp's width of
//! columns for each block would leave multiprocessors idle.

use crate::dot::{Dot, Tiling};
use crate::expr::{Access, Body, DType, Node, NodeId, Reduction};
use crate::geometry::{ceil_div, product, row_major};
use crate::gpu::{GpuArch, WARP};
use crate::grid::{column_has_template, column_lanes};
use crate::spec::Column;
use std::collections::BTreeMap;

/// The most parts of a sum. Each part is written and read once.
const MOST: u64 = 16;

/// The fewest steps of `k` in a part, which is a multiple of them: whole lines of shared memory in every type.
const SHORTEST: u64 = 512;
const MULTIPLE: u64 = 128;

/// How many parts of sums are written and read, 8 bytes of memory each, in a unit of [`Tiling::time`]. And what a second launch costs:
/// about 2 us.
const PARTS_RATE: u64 = 6;
const SECOND_COST: u64 = 100_000;

impl Dot {
    /// The number of parts into which the sums are cut; 1 if there are tiles enough, or if `k` is short.
    pub fn parts(&self, gpu: GpuArch) -> u64 {
        let (tiling, outer, inner) = (Tiling::of(self, gpu, true), self.k[0], product(&self.k[1..]));
        let (tiles, timed) = (tiling.tiles(self), tiling.producers > 0);
        let busy = |tiles: u64| tiles >= gpu.processors() / 2;
        if tiles == 0 || !timed && busy(tiles) {
            return 1;
        }
        let possible = |n: &u64| {
            let part = outer / n * inner;
            outer.is_multiple_of(*n) && part >= SHORTEST && part.is_multiple_of(MULTIPLE)
        };
        let fitting: Vec<u64> = (2..=MOST).filter(possible).collect();
        if timed {
            let time = |n: &u64| {
                let part = self.partial(*n);
                let tiling = Tiling::of(&part, gpu, true);
                let written = n * product(&self.space()) / PARTS_RATE + SECOND_COST;
                (tiling.producers > 0).then(|| tiling.time(&part, gpu) + written)
            };
            let best = fitting.iter().filter_map(|n| Some((time(n)?, *n))).min();
            return best.filter(|(t, _)| *t < tiling.time(self, gpu)).map_or(1, |(_, n)| n);
        }
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
                    Node::Reduce { kind: Reduction::Sum, arg }
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

/// Blocks for each multiprocessor of a column reduction whose rows are cut, the fewest rows of a part, and the fewest bytes of all rows: less
/// is read before a second kernel could begin.
const BLOCKS: u64 = 4;
const ROWS: u64 = 64;
const WORTH: u64 = 1 << 20;

/// A column reduction as two kernels.
pub struct SplitColumn {
    pub parts: Column,
    pub sum: Column,
    /// What each buffer of the two kernels is.
    pub buffers: [Vec<PartBuffer>; 2],
    /// The type of the parts of each reduction, and how many there are of it.
    pub partial: Vec<(DType, u64)>,
}

/// A buffer of one of two kernels.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum PartBuffer {
    /// The buffer of the kernel that was cut.
    Given(u32),
    /// The parts of a reduction.
    Partial(u32),
}

/// Nodes of a body as nodes of another, whose buffers are found by what they are.
struct Moved<'a> {
    from: &'a Body,
    to: Body,
    sources: BTreeMap<PartBuffer, u32>,
    at: BTreeMap<NodeId, NodeId>,
}

impl Moved<'_> {
    fn of(from: &Body) -> Moved<'_> {
        Moved { from, to: Body::new(&[]), sources: BTreeMap::new(), at: BTreeMap::new() }
    }

    fn buffer(&mut self, source: PartBuffer, dtype: DType) -> u32 {
        *self.sources.entry(source).or_insert_with(|| self.to.buffer(dtype))
    }

    fn access(&mut self, a: &Access, strides: &dyn Fn(&[i64]) -> Vec<i64>) -> Access {
        let buffer = self.buffer(PartBuffer::Given(a.buffer), self.from.buffers[a.buffer as usize]);
        Access { buffer, strides: strides(&a.strides), ..a.clone() }
    }

    /// A node and what it needs, with strides over another space. Nodes that are there already stay.
    fn node(&mut self, id: NodeId, dim: &dyn Fn(u32) -> u32, strides: &dyn Fn(&[i64]) -> Vec<i64>) -> NodeId {
        if let Some(&there) = self.at.get(&id) {
            return there;
        }
        let from = self.from;
        let args: Vec<NodeId> = from.args(id).iter().map(|&a| self.node(a, dim, strides)).collect();
        let node = match &from.nodes[id.index()] {
            Node::Leaf(a) => Node::Leaf(self.access(a, strides)),
            Node::Gather { access, stride, rows, .. } => {
                Node::Gather { access: self.access(access, strides), index: args[0], stride: *stride, rows: *rows }
            }
            Node::Iota { dim: d } => Node::Iota { dim: dim(*d) },
            Node::Elem { op, dtype, .. } => Node::Elem { op: *op, dtype: *dtype, args },
            Node::Reduce { kind, .. } => Node::Reduce { kind: *kind, arg: args[0] },
            other => other.clone(),
        };
        let made = self.to.node(node);
        self.at.insert(id, made);
        made
    }

    fn buffers(&self) -> Vec<PartBuffer> {
        let mut all: Vec<(u32, PartBuffer)> = self.sources.iter().map(|(&s, &at)| (at, s)).collect();
        all.sort_unstable();
        all.into_iter().map(|(_, s)| s).collect()
    }
}

impl Column {
    /// The number of parts into which the rows are cut; 1 if there are columns enough, or if there is little to read.
    pub fn parts(&self, gpu: GpuArch) -> u64 {
        let (rows, dim) = (product(&self.reduce), self.reduced().end);
        let blocks = product(&self.outer) * ceil_div(self.cols / column_lanes(self), WARP);
        let bytes = |a: &Access| if a.strides[dim] == 0 { 0 } else { self.body.buffers[a.buffer as usize].bytes() };
        let point: u64 = self.body.nodes.iter().map(|n| if let Node::Leaf(a) = n { bytes(a) } else { 0 }).sum();
        // A row number of the whole cannot be told from the row of a part, and rows of one column are no work for warps.
        let numbered = |n: &Node| matches!(n, Node::Iota { dim } if self.reduced().contains(&(*dim as usize)));
        let little = product(&self.space()) * point < WORTH || self.cols < WARP;
        if blocks == 0 || blocks >= gpu.processors() || little || self.body.nodes.iter().any(numbered) {
            return 1;
        }
        let wanted = ceil_div(BLOCKS * gpu.processors(), blocks);
        let fitting = (2..=self.reduce[0]).filter(|n| self.reduce[0].is_multiple_of(*n) && rows / n >= ROWS);
        let (mut best, mut enough) = (1, false);
        for n in fitting {
            if !enough {
                (best, enough) = (n, n >= wanted);
            }
        }
        best
    }

    /// The kernel that adds up sums of so many parts, wherever these come from: its first buffer. The others are those of this kernel that it
    /// needs, without those of elements that were added up. `None` where that is not how the sums come about.
    pub fn of_parts(&self, parts: u64) -> Option<Column> {
        let [(id, kind, _)] = &self.body.reductions()[..] else { return None };
        let [out] = &self.body.outputs[..] else { return None };
        if out.node != *id {
            return None;
        }
        let (outer, first, tail) = (&self.outer, self.outer.len(), self.reduce.len());
        let mut body = Body::new(&[self.body.dtype(*id), self.body.buffers[out.access.buffer as usize]]);
        let place = row_major(&[&outer[..], &[self.cols]].concat());
        let results = product(outer) * self.cols;
        let arg = body.leaf(Access::new(0, &[&place[..first], &[results as i64], &place[first..]].concat()));
        let sum = body.reduce(*kind, arg);
        let s = &out.access.strides;
        let strides = [&s[..first], &[0], &s[first + tail..]].concat();
        body.output(sum, Access { buffer: 1, strides, ..out.access.clone() });
        Some(Column::new(outer, &[parts], self.cols, body))
    }

    /// The two kernels, with [`Column::parts`] parts. `None` if the rows are not cut.
    pub fn split(&self, gpu: GpuArch) -> Option<SplitColumn> {
        let parts = self.parts(gpu);
        let reduces = self.body.reductions();
        // A reduction of what was reduced needs all of it.
        let template = column_has_template(self);
        let nested = reduces.iter().any(|r| reduces.iter().any(|s| s.0 != r.0 && self.needs(r.2, s.0)));
        if parts == 1 || nested || !template {
            return None;
        }
        let (outer, cols, first) = (&self.outer, self.cols, self.outer.len());
        let results = product(outer) * cols;
        // The first kernel: a part is one more outer dim.
        let mut reduce = self.reduce.clone();
        reduce[0] /= parts;
        let rows = reduce[0] as i64;
        let cut = |s: &[i64]| [&[s[first] * rows], s].concat();
        let mut one = Moved::of(&self.body);
        let roots: Vec<NodeId> = reduces.iter().map(|r| one.node(r.0, &|d| d + 1, &cut)).collect();
        let place = [&[results as i64], &row_major(&[&outer[..], &[cols]].concat())[..]].concat();
        let over = |reduced: usize| [&place[..=first], &vec![0; reduced], &place[first + 1..]].concat();
        for (k, (&root, (id, ..))) in roots.iter().zip(&reduces).enumerate() {
            let buffer = one.buffer(PartBuffer::Partial(k as u32), self.body.dtype(*id));
            one.to.output(root, Access::new(buffer, &over(reduce.len())));
        }
        // The second: parts are its rows.
        let mut two = Moved::of(&self.body);
        let (tail, last) = (self.reduce.len(), self.space().len() - 1);
        let kept = |s: &[i64]| [&s[..first], &[0], &s[first + tail..]].concat();
        let moved = |d: u32| if d as usize == last { first as u32 + 1 } else { d };
        for (k, (id, kind, _)) in reduces.iter().enumerate() {
            let buffer = two.buffer(PartBuffer::Partial(k as u32), self.body.dtype(*id));
            let strides = [&place[1..=first], &place[..1], &place[first + 1..]].concat();
            let arg = two.to.leaf(Access::new(buffer, &strides));
            let sum = two.to.reduce(*kind, arg);
            two.at.insert(*id, sum);
        }
        for o in &self.body.outputs {
            let node = two.node(o.node, &moved, &kept);
            let access = two.access(&o.access, &kept);
            two.to.output(node, access);
        }
        let buffers = [one.buffers(), two.buffers()];
        let partial = reduces.iter().map(|r| (self.body.dtype(r.0), parts * results)).collect();
        let parts_first = Column::new(&[&[parts], &outer[..]].concat(), &reduce, cols, one.to);
        Some(SplitColumn { parts: parts_first, sum: Column::new(outer, &[parts], cols, two.to), buffers, partial })
    }

    /// Whether a node is computed from another.
    fn needs(&self, from: NodeId, other: NodeId) -> bool {
        from == other || self.body.args(from).iter().any(|&a| self.needs(a, other))
    }
}
