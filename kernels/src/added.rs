//! Contractions that add up one of their operands, too. A weight's gradient is a product over all rows of a batch, and the gradient of the
//! bias beside that weight is the sum of the same rows: of the operand that the product reads.
//!
//! On Hopper, warps beside the one that has slices copied add up what lies in shared memory anyway ([`crate::emit::gpu::added`]). Blocks
//! whose tiles lie beside each other have the same slices of the operand, so each of them takes some parts of the summed dim. What a
//! part adds up to is written once, and a column kernel adds the parts in their order. So the bits depend on the shape alone.
//!
//! Not here: which column reduction is such a sum (`lower`), and epilogues that add up what they store.

use crate::column::Column;
use crate::dot::{Dot, Tiling};
use crate::expr::{Access, Body, DType, Node, NodeId, Reduction};
use crate::geometry::{ceil_div, product, row_major};
use crate::gpu::{GpuArch, LINE_ELEMENTS};

/// A contraction without batches, and the sums of an operand over parts of the summed dims.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct DotAndSum {
    pub dot: Dot,
    /// The operand that is added up: 0 or 1.
    pub which: u32,
    /// Into how many parts the first summed dim is cut.
    pub parts: u64,
    /// What both compute, over [`DotAndSum::space`]: the contraction's body, and a reduction of the operand. Its buffer is the last one.
    pub body: Body,
}

/// Bytes that a device moves in the unit of [`Tiling::time`].
const MOVED_RATE: u64 = 48;

/// By which part of our kernel's time a library may be faster at wide matmuls: up to a tenth on an H100 (2026-11-26). It adds up nothing, so
/// a matmul that it could have been given has to save more than that.
const LIBRARY_GAIN: u64 = 10;

impl DotAndSum {
    /// `parts` divides the first summed dim.
    pub fn new(dot: Dot, which: u32, parts: u64) -> DotAndSum {
        let mut sum = DotAndSum { body: Body::default(), dot, which, parts };
        sum.body = sum.whole();
        sum
    }

    /// The contraction with the sums of its operand `which`, if an architecture has warps to spare for that and if it is less work than to
    /// read the operand once more.
    pub fn of(dot: &Dot, which: u32, gpu: GpuArch) -> Option<DotAndSum> {
        let operand = dot.operand(which as usize, true);
        if !dot.batch.is_empty() || operand.along_k || product(&dot.space()) == 0 || dot.parts(gpu) > 1 {
            return None;
        }
        let tiling = spare(dot, gpu)?;
        let (depth, others) = (product(&dot.k), sharing(dot, which, &tiling));
        let whole = |n: &u64| dot.k[0].is_multiple_of(*n) && (depth / n).is_multiple_of(LINE_ELEMENTS);
        let parts = (1..=others).rev().find(whole)?;
        let size = dot.stored(which as usize).bytes();
        let moved = 2 * parts * product(operand.free) * DType::F32.bytes();
        let saved = (product(operand.free) * depth * size).checked_sub(moved)?;
        let best = Tiling::of(dot, gpu, true).time(dot, gpu);
        let given_up = if dot.gemm().is_some() { best / LIBRARY_GAIN } else { 0 };
        let worth = tiling.time(dot, gpu) + given_up <= best + saved / MOVED_RATE;
        worth.then(|| DotAndSum::new(dot.clone(), which, parts))
    }

    /// The same where a column kernel is known whose sums these are, of an operand in the same place; and the column kernel that adds the
    /// parts and has one buffer less: the parts are its first one.
    pub fn joined(dot: &Dot, which: u32, column: &Column, gpu: GpuArch) -> Option<(DotAndSum, Column)> {
        let summed = column.plain_sum()?;
        let operand = dot.operand(which as usize, true);
        let (first, free) = (column.outer.len(), operand.free.len());
        let strides = &operand.access.strides;
        let (outer, rest) = summed.strides.split_at(first);
        let (rows, cols) = rest.split_at(column.reduce.len());
        let kept = runs(&[&column.outer[..], &[column.cols]].concat(), &[outer, cols].concat());
        let alike = strides.len() == free + dot.k.len()
            && kept == runs(operand.free, &strides[..free])
            && runs(&column.reduce, rows) == runs(&dot.k, &strides[free..])
            && summed.start.is_none()
            && operand.access.start.is_none();
        let sum = DotAndSum::of(dot, which, gpu).filter(|_| alike)?;
        let parts = column.of_parts(sum.parts)?;
        Some((sum, parts))
    }

    /// The space of the body: rows, columns, parts, and the summed dims of a part.
    pub fn space(&self) -> Vec<u64> {
        [&self.dot.space()[..], &[self.parts], &self.part()].concat()
    }

    /// The summed dims of a part.
    fn part(&self) -> Vec<u64> {
        let mut k = self.dot.k.clone();
        if let Some(first) = k.first_mut() {
            *first /= self.parts.max(1);
        }
        k
    }

    /// The dims of the space over which the operand is added up.
    pub fn added(&self) -> std::ops::Range<usize> {
        let first = self.dot.space().len() + 1;
        first..first + self.dot.k.len()
    }

    /// The operand, over its own dims and the summed ones.
    pub fn access(&self) -> &Access {
        if self.which == 0 { &self.dot.a } else { &self.dot.b }
    }

    /// The sizes of the operand's own dims.
    pub fn free(&self) -> &[u64] {
        if self.which == 0 { &self.dot.m } else { &self.dot.n }
    }

    /// Steps of a part.
    pub fn depth(&self) -> u64 {
        product(&self.part())
    }

    /// Bytes of what all parts add up to.
    pub fn bytes_of_parts(&self) -> u64 {
        self.parts * product(self.free()) * DType::F32.bytes()
    }

    /// The buffer of what parts add up to.
    pub fn buffer(&self) -> u32 {
        self.dot.body.buffers.len() as u32
    }

    /// How many tiles have the same slices of the operand.
    pub(crate) fn sharing(&self, tiling: &Tiling) -> u64 {
        sharing(&self.dot, self.which, tiling)
    }

    /// The tiling of a launch whose spare warps add up; `None` if all threads do, after each tile.
    pub(crate) fn spare(&self, gpu: GpuArch) -> Option<Tiling> {
        if self.dot.operand(self.which as usize, true).along_k { None } else { spare(&self.dot, gpu) }
    }

    fn whole(&self) -> Body {
        let (rows, lead, part) = (self.dot.m.len(), self.dot.space().len(), self.part());
        let rank = lead + 1 + part.len();
        let mut body = self.dot.body.clone();
        body.accesses_mut().for_each(|a| a.strides.resize(rank, 0));
        let (own, access) = (self.free().len(), self.access());
        let first = if self.which == 0 { 0 } else { rows };
        let (of_free, of_k) = access.strides.split_at(own.min(access.strides.len()));
        let over = |free: &[i64], parts: i64, k: &[i64]| {
            let mut strides = vec![0; rank];
            strides.iter_mut().skip(first).zip(free).for_each(|(to, s)| *to = *s);
            strides[lead] = parts;
            strides.iter_mut().skip(lead + 1).zip(k).for_each(|(to, s)| *to = *s);
            strides
        };
        let step = of_k.first().zip(part.first()).map_or(0, |(s, n)| s * *n as i64);
        let leaf = Access { buffer: self.which, strides: over(of_free, step, of_k), ..access.clone() };
        // Not through `node`, which would make equal nodes one: what a contraction reads in its epilogue is another leaf.
        let mut push = |node: Node| {
            body.nodes.push(node);
            NodeId(body.nodes.len() as u32 - 1)
        };
        let mut arg = push(Node::Leaf(leaf));
        if self.dot.stored(self.which as usize) != DType::F32 {
            arg = push(Node::Elem { op: crate::expr::Elem::Convert, dtype: DType::F32, args: vec![arg] });
        }
        let sum = push(Node::Reduce { kind: Reduction::Sum, arg });
        let buffer = body.buffer(DType::F32);
        let dense = row_major(self.free());
        body.output(sum, Access::new(buffer, &over(&dense, product(self.free()) as i64, &[])));
        body
    }
}

impl Column {
    /// What a sum of elements as they are adds up, in f32; `None` if more is done.
    fn plain_sum(&self) -> Option<&Access> {
        let [out] = &self.body.outputs[..] else { return None };
        let Node::Reduce { kind: Reduction::Sum, arg } = &self.body.nodes[out.node.index()] else { return None };
        let arg = match &self.body.nodes[arg.index()] {
            Node::Elem { op: crate::expr::Elem::Convert, args, .. } => args[0],
            _ => *arg,
        };
        match &self.body.nodes[arg.index()] {
            Node::Leaf(access) if self.body.dtype(out.node) == DType::F32 => Some(access),
            _ => None,
        }
    }
}

/// Tiles with the same slices of an operand.
fn sharing(dot: &Dot, which: u32, tiling: &Tiling) -> u64 {
    if which == 0 { ceil_div(product(&dot.n), tiling.cols) } else { ceil_div(product(&dot.m), tiling.rows) }
}

/// The best tiling with warps that have nothing else to do: those of the producer's warpgroup.
fn spare(dot: &Dot, gpu: GpuArch) -> Option<Tiling> {
    let all = Tiling::table(dot, gpu, true).into_iter().filter(Tiling::spares_warps);
    all.filter(|_| dot.dtype().bytes() == 2).min_by_key(|t| t.time(dot, gpu))
}

/// Dims as they lie in memory, neighbours merged.
fn runs(sizes: &[u64], strides: &[i64]) -> Vec<(u64, i64)> {
    let mut all: Vec<(u64, i64)> = Vec::new();
    for (&n, &stride) in sizes.iter().zip(strides).filter(|x| *x.0 != 1) {
        match all.last_mut() {
            Some((size, step)) if *step == stride * n as i64 => (*size, *step) = (*size * n, stride),
            _ => all.push((n, stride)),
        }
    }
    all
}
