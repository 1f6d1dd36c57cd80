//! Operands of a contraction in the form that the tensor memory accelerator of Hopper and Blackwell takes: a tensor map. One instruction
//! copies a box of the tensor to shared memory.
//!
//! A box consists of lines of 128 bytes, swizzled as in [`crate::emit::gpu::tile`]. If the operand lies along `k`, a
//! line is one row with as many steps of `k` as fit. If it lies across, a line is 64 rows (32 of f32) at one step. Zeros are copied
//! where a box reaches beyond the tensor's end. So a dim may only be cut where the box stays within it, except for the
//! outermost dims of the rows and of `k`. An operand has no map if it cannot be cut so, or if the hardware does not
//! take its strides. Threads copy the slices of such an operand.
//!
//! The limits are those of `cuTensorMapEncodeTiled` in the CUDA driver API. The runtime encodes the map.

pub mod attention;
pub mod results;

use crate::dot::{Dot, DotOperand, Tiling};
use crate::expr::{Access, DType};
use crate::geometry::product;
use crate::gpu::{ALIGN, LINE};

/// A tensor, and the box that one copy moves.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TensorMap {
    pub buffer: u32,
    /// Bytes from the buffer's start, a multiple of 16.
    pub offset: u64,
    pub dtype: DType,
    /// Elements, innermost dim first.
    pub shape: Vec<u64>,
    /// Bytes from one index to the next, for every dim but the innermost: multiples of 16.
    pub strides: Vec<u64>,
    /// Elements of a box, innermost dim first.
    pub tile: Vec<u32>,
}

/// What a coordinate is computed from: a linear index over a contraction's dims.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LinearIndex {
    Batch,
    Rows,
    /// Of a result.
    Cols,
    K,
}

/// The index along a dim of a map: `index / step % size`, or `index / step` if `size` is `None`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Coordinate {
    pub along: LinearIndex,
    pub step: u64,
    pub size: Option<u64>,
}

/// One operand's map, and how its boxes make up a slice.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Boxes {
    pub map: TensorMap,
    /// One for each dim of the map.
    pub coordinates: Vec<Coordinate>,
    /// The rows of a box. The rows of a tile are a multiple of them.
    pub rows: u64,
}

impl Boxes {
    /// Bytes of one box in shared memory.
    pub fn bytes(&self) -> u64 {
        self.map.tile.iter().map(|&n| u64::from(n)).product::<u64>() * self.map.dtype.bytes()
    }
}

const RANK: usize = 5;
/// The most elements of a box along one dim.
const WIDEST: u64 = 256;
/// The largest size of a dim: coordinates are 32-bit integers.
const LONGEST: u64 = 1 << 31;
const FARTHEST: u64 = 1 << 40;
/// The number of lines after which swizzled tiles repeat.
const LEAST: u64 = 8;

/// A dim of an operand.
#[derive(Clone, Copy)]
struct Dim {
    size: u64,
    stride: i64,
    at: Coordinate,
    tile: u64,
}

/// Dims that a linear index walks, innermost first, neighbours merged.
fn dims(along: LinearIndex, sizes: &[u64], strides: &[i64]) -> Vec<Dim> {
    let mut all: Vec<Dim> = Vec::new();
    let mut step = 1;
    for (&size, &stride) in sizes.iter().zip(strides).rev().filter(|(n, _)| **n != 1) {
        match all.last_mut() {
            Some(last) if last.stride * last.size as i64 == stride => last.size *= size,
            _ => all.push(Dim { size, stride, at: Coordinate { along, step, size: None }, tile: 1 }),
        }
        step *= size;
    }
    let count = all.len();
    all.iter_mut().take(count.saturating_sub(1)).for_each(|d| d.at.size = Some(d.size));
    all
}

/// The same dims with the sizes of a box of `want` neighbours. At least one dim is left.
fn cut(along: LinearIndex, sizes: &[u64], strides: &[i64], want: u64) -> Option<Vec<Dim>> {
    let mut all = dims(along, sizes, strides);
    if all.is_empty() {
        all.push(Dim { size: 1, stride: 1, at: Coordinate { along, step: 1, size: None }, tile: 1 });
    }
    let (mut left, count) = (want, all.len());
    for (i, d) in all.iter_mut().enumerate() {
        if i + 1 == count || d.size.is_multiple_of(left) {
            (d.tile, left) = (left, 1);
        } else if left.is_multiple_of(d.size) {
            (d.tile, left) = (d.size, left / d.size);
        } else {
            return None;
        }
    }
    all.iter().all(|d| d.stride > 0 && d.tile <= WIDEST).then_some(all)
}

impl Dot {
    /// The maps of both operands, with boxes for a tiling. `None` if one of them cannot have any.
    pub fn boxes(&self, tiling: &Tiling) -> Option<[Boxes; 2]> {
        let of = |which: usize, tile: u64| self.boxes_of(&self.operand(which, true), which, tile);
        Some([of(0, tiling.rows)?, of(1, tiling.brought_cols())?])
    }

    fn boxes_of(&self, operand: &DotOperand<'_>, which: usize, tile: u64) -> Option<Boxes> {
        let dtype = self.stored(which);
        let access = operand.access;
        let (batch, rest) = access.strides.split_at(self.batch.len());
        let (of_rows, of_k) = rest.split_at(operand.free.len());
        let line = LINE / dtype.bytes();
        let halves = std::iter::successors(Some(tile.min(WIDEST)), |n| Some(n / 2));
        let mut along_rows = halves
            .take_while(|&n| n >= LEAST && n.is_multiple_of(LEAST))
            .filter_map(|n| Some((n, cut(LinearIndex::Rows, operand.free, of_rows, n)?)));
        let (rows, first, second) = if operand.along_k {
            let (rows, second) = along_rows.next()?;
            (rows, cut(LinearIndex::K, &self.k, of_k, line)?, second)
        } else {
            // Operands of 16 bits are read across, and those of 32 bits turned when they are rounded; in whole strips.
            let first = (dtype.bytes() >= 2 && tile.is_multiple_of(line))
                .then(|| cut(LinearIndex::Rows, operand.free, of_rows, line))??;
            (line, first, cut(LinearIndex::K, &self.k, of_k, line)?)
        };
        self.boxed(access, dtype, [first, second], batch, rows)
    }

    /// Boxes of `rows` lines, whose elements follow the first dims and whose lines follow the second; `batch` has the strides of the
    /// batch's dims.
    fn boxed(
        &self,
        access: &Access,
        dtype: DType,
        [first, second]: [Vec<Dim>; 2],
        batch: &[i64],
        rows: u64,
    ) -> Option<Boxes> {
        let inner = first.first()?;
        if inner.stride != 1 || inner.tile * dtype.bytes() != LINE || access.start.is_some() {
            return None;
        }
        // A dim along which all batches lie in one place is no dim of the tensor.
        let batch = dims(LinearIndex::Batch, &self.batch, batch).into_iter().filter(|d| d.stride != 0);
        // The stride to the next line, or beyond it. For a dim with one index, the next line is empty.
        let beyond = inner.size.next_multiple_of(ALIGN) as i64;
        let lines = first.iter().skip(1).chain(&second).copied().chain(batch);
        let lines = lines.map(|d| if d.size == 1 { Dim { stride: beyond, ..d } } else { d });
        let mut all: Vec<Dim> = first.iter().take(1).copied().chain(lines).collect();
        if all[1..].iter().any(|d| d.stride < inner.size as i64) {
            return None;
        }
        // In the order of memory, as far as that does not reorder a box.
        let mut sorted = all.clone();
        sorted[1..].sort_by_key(|d| d.stride);
        let boxed = |all: &[Dim]| all.iter().filter(|d| d.tile > 1).map(|d| d.at).collect::<Vec<_>>();
        if boxed(&sorted) == boxed(&all) {
            all = sorted;
        }
        let bytes = |elements: i64| u64::try_from(elements).ok()?.checked_mul(dtype.bytes());
        let fits = |n: &u64| n.is_multiple_of(ALIGN) && *n < FARTHEST;
        let strides: Option<Vec<u64>> = all[1..].iter().map(|d| bytes(d.stride).filter(fits)).collect();
        if all.len() > RANK || all.iter().any(|d| d.size == 0 || d.size >= LONGEST) || product(&self.space()) == 0 {
            return None;
        }
        let map = TensorMap {
            buffer: access.buffer,
            offset: bytes(access.offset).filter(fits)?,
            dtype,
            shape: all.iter().map(|d| d.size).collect(),
            strides: strides?,
            tile: all.iter().map(|d| d.tile as u32).collect(),
        };
        Some(Boxes { map, coordinates: all.iter().map(|d| d.at).collect(), rows })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::expr::{Body, Node};
    use crate::gpu::GpuArch;

    /// `sum over k of a * b` in bf16, the result by rows.
    fn dot(batch: &[u64], m: &[u64], n: &[u64], k: &[u64], a: &[i64], b: &[i64]) -> Dot {
        let mut body = Body::new(&[DType::BF16; 3]);
        let acc = body.node(Node::Acc);
        let y = body.convert(acc, DType::BF16);
        body.output(y, Access::new(2, &crate::geometry::row_major(&[batch, m, n].concat())));
        let [batch, m, n, k] = [batch, m, n, k].map(<[u64]>::to_vec);
        Dot { batch, m, n, k, a: Access::new(0, a), b: Access::new(1, b), body, by_threads: false, tf32: false }
    }

    fn large() -> Tiling {
        Tiling::with_producer(128, 256, 4)
    }

    /// An operand along `k` has a box of whole rows of a tile. An operand across has a strip of 64 rows. The map cuts
    /// off tails.
    #[test]
    fn operands_along_k_and_across() {
        let d = dot(&[], &[200], &[136], &[72], &[72, 1], &[1, 136]);
        let [a, b] = d.boxes(&large()).expect("both fit");
        assert_eq!((a.map.shape, a.map.strides, a.map.tile, a.rows), (vec![72, 200], vec![144], vec![64, 128], 128));
        assert_eq!((b.map.shape, b.map.strides, b.map.tile, b.rows), (vec![136, 72], vec![272], vec![64, 64], 64));
        let at = |along| Coordinate { along, step: 1, size: None };
        assert_eq!(
            (a.coordinates, b.coordinates),
            (vec![at(LinearIndex::K), at(LinearIndex::Rows)], vec![at(LinearIndex::Rows), at(LinearIndex::K)])
        );
        assert_eq!(Tiling::of(&d, GpuArch::Sm90a, true).producers, 32);
        assert_eq!(Tiling::of(&Dot { by_threads: true, ..d.clone() }, GpuArch::Sm90a, true).producers, 0);
        assert_eq!(Tiling::of(&d, GpuArch::Sm90a, false).producers, 0);
    }

    /// Heads lie between positions and the summed dim, so rows have two dims. A box has whole inner rows, or a part of
    /// one. An operand that batches share has no dim of batches.
    #[test]
    fn rows_of_several_dims() {
        // A is [batch 3, position 32, head 4, 64] by (batch, head) x position; B is one [256, 64] for all batches.
        let d = dot(&[4], &[3, 32], &[256], &[64], &[64, 32 * 256, 256, 1], &[0, 64, 1]);
        let [a, b] = d.boxes(&large()).expect("both fit");
        // 3 * 32 rows are one dim of 96.
        assert_eq!((a.map.shape, a.map.strides, a.map.tile), (vec![64, 4, 96], vec![128, 512], vec![64, 1, 128]));
        assert_eq!((b.map.shape, b.map.tile), (vec![64, 256], vec![64, 256]));
        // With something between batches they are two.
        let d = dot(&[], &[3, 32], &[256], &[64], &[4096, 64, 1], &[64, 1]);
        let a = &d.boxes(&large()).expect("both fit")[0];
        assert_eq!((&a.map.shape, &a.map.tile, a.rows), (&vec![64, 32, 3], &vec![64, 32, 4], 128));
        let size = Some(32);
        assert_eq!(a.coordinates[1], Coordinate { along: LinearIndex::Rows, step: 1, size });
        assert_eq!(a.coordinates[2], Coordinate { along: LinearIndex::Rows, step: 32, size: None });
        // 48 is no part of 128 and no multiple; boxes of 16 rows are parts of both.
        let d = dot(&[], &[3, 48], &[256], &[64], &[4096, 64, 1], &[64, 1]);
        assert_eq!(d.boxes(&large()).expect("both fit")[0].rows, 16);
    }

    #[test]
    fn what_does_not_fit_has_no_map() {
        let fits = |d: &Dot| d.boxes(&large()).is_some();
        let plain = dot(&[], &[128], &[128], &[64], &[64, 1], &[64, 1]);
        assert!(fits(&plain));
        let with = |f: &dyn Fn(&mut Dot)| {
            let mut d = plain.clone();
            f(&mut d);
            fits(&d)
        };
        assert!(!with(&|d| d.a.strides = vec![68, 1]), "rows 136 bytes apart");
        assert!(!with(&|d| d.a.offset = 4), "an offset of 8 bytes");
        assert!(!with(&|d| d.b.strides = vec![-64, 1]), "rows upside down");
        assert!(!with(&|d| d.b.strides = vec![0, 1]), "a row for all");
        assert!(
            !with(&|d| d.a.start = Some(crate::expr::Start { dim: 0, stride: 64 })),
            "a place that the launch says"
        );
        assert!(!with(&|d| d.a.strides = vec![32, 1]), "rows that overlap");
        // A run of 48 steps is no line, and a box has no gaps.
        assert!(!fits(&dot(&[], &[128], &[128], &[4, 48], &[1024, 64, 1], &[1024, 64, 1])));
        assert!(!fits(&dot(&[], &[12, 12], &[128], &[64], &[4096, 64, 1], &[64, 1])), "rows in twelves");
        assert!(!fits(&dot(&[], &[128], &[128], &[0], &[64, 1], &[64, 1])), "nothing to sum");
        // One row, which is followed by nothing.
        let one = dot(&[], &[1], &[128], &[72], &[0, 1], &[72, 1]);
        assert_eq!(one.boxes(&large()).map(|[a, _]| (a.map.shape, a.map.strides)), Some((vec![72, 1], vec![160])));
    }
}
