//! From a contraction with strides (an einsum whose layout in memory is known) to the kernels that compute it: a GEMM,
//! and the packs that its operands need.
//!
//! Dims are merged as far as all operands allow. The dim in which the result is contiguous becomes the columns. An
//! operand is read in place where that costs nothing: A if its k is contiguous, B if too few rows would share its
//! panels.

use crate::dot::Dot;
use crate::expr::{Access, Body, DType, Node};
use crate::geometry::{collapse, product};
use crate::spec::{Matmul, Operand, Pack, TILE_ROWS, panel_cols};

/// A contraction: `sum over k of a * b`, then `body`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Contraction {
    pub batch: Vec<u64>,
    pub m: Vec<u64>,
    pub n: Vec<u64>,
    pub k: Vec<u64>,
    /// How a is read, over `batch`, `m`, `k`. Its buffer is ignored.
    pub a: Access,
    /// How b is read, over `batch`, `n`, `k`. Its buffer is ignored.
    pub b: Access,
    /// The type of the operands in memory. If sums are of another type, both operands are packed, and converted on the
    /// way.
    pub stored: DType,
    /// The epilogue, over `batch`, `m`, `n`. Buffers 0 and 1 are the operands as the GEMM reads them; [`Node::Acc`] is
    /// the sum.
    pub body: Body,
}

/// The kernels of a [`Contraction`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Lowered {
    /// For buffers 0 and 1 of the GEMM: the pack that writes its panels. Buffers of a pack: the operand, the panels.
    pub packs: [Option<Pack>; 2],
    pub matmul: Matmul,
    /// Whether the GEMM's buffer 0 is `b` and its buffer 1 `a`, so that the result is computed transposed.
    pub swapped: bool,
}

/// One side of a contraction: its dims, and their strides in the operand and in the body's space.
struct Side {
    dims: Vec<u64>,
    operand: Vec<i64>,
    /// Strides of each access of the body; then, for each index that the body reads, 1 at its dim.
    body: Vec<Vec<i64>>,
}

impl Side {
    fn permute(&mut self, order: &[usize]) {
        self.dims = order.iter().map(|&i| self.dims[i]).collect();
        self.operand = order.iter().map(|&i| self.operand[i]).collect();
        self.body.iter_mut().for_each(|b| *b = order.iter().map(|&i| b[i]).collect());
    }

    fn move_last(&mut self, i: usize) {
        let mut order: Vec<usize> = (0..self.dims.len()).filter(|&j| j != i).collect();
        order.push(i);
        self.permute(&order);
    }

    /// Drops size-1 dims and merges neighbours; at least one dim remains.
    fn collapse(&mut self) {
        let mut scratch = Body::new(&[DType::F32]);
        // Not through `leaf`, which would make equal accesses one.
        for strides in std::iter::once(&self.operand).chain(&self.body) {
            scratch.nodes.push(Node::Leaf(Access::new(0, strides)));
        }
        if self.dims.is_empty() {
            self.dims.push(1);
            scratch.accesses_mut().for_each(|a| a.strides.push(0));
        }
        let count = self.dims.len();
        collapse(&mut self.dims, &mut scratch, 0..count);
        let mut strides = scratch.accesses().map(|a| a.strides.clone());
        self.operand = strides.next().unwrap_or_default();
        self.body = strides.collect();
    }
}

/// The one stride that walks `dims` in row-major order, if there is one.
fn linear(dims: &[u64], strides: &[i64]) -> Option<i64> {
    let mut step: Option<(i64, i64)> = None;
    for (&d, &s) in dims.iter().zip(strides).rev().filter(|(d, _)| **d != 1) {
        match step {
            None => step = Some((s, s * d as i64)),
            Some((first, next)) if next == s => step = Some((first, s * d as i64)),
            Some(_) => return None,
        }
    }
    Some(step.map_or(1, |(first, _)| first))
}

/// The dim whose index a node reads.
fn index(node: &Node) -> Option<usize> {
    match node {
        Node::Iota { dim } => Some(*dim as usize),
        _ => None,
    }
}

/// A contraction as it is computed: which operand gives the rows, with every dim in the order that suits the result.
struct Sides<'a> {
    rows: Side,
    cols: Side,
    /// The operand of the rows, then that of the columns.
    operands: [&'a Access; 2],
    /// Whether rows come from `b`.
    swapped: bool,
    /// The nodes of the body that read indices.
    indices: Vec<usize>,
    /// The summed dims, in the order of the rows' memory, so that the rows are read in place where they can be; with
    /// the strides of both operands.
    k: Vec<u64>,
    k_strides: [Vec<i64>; 2],
}

impl Contraction {
    fn sides(&self) -> Sides<'_> {
        let (nb, nm, nn) = (self.batch.len(), self.m.len(), self.n.len());
        let indices: Vec<usize> =
            (0..self.body.nodes.len()).filter(|&i| index(&self.body.nodes[i]).is_some()).collect();
        let of_body = |from: usize, len: usize| {
            let accesses = self.body.accesses().map(|a| a.strides[from..from + len].to_vec());
            let read = indices.iter().filter_map(|&i| index(&self.body.nodes[i]));
            accesses.chain(read.map(|d| (from..from + len).map(|i| i64::from(i == d)).collect())).collect()
        };
        let side = |dims: &[u64], operand: &Access, from: usize| Side {
            dims: dims.to_vec(),
            operand: operand.strides[nb..nb + dims.len()].to_vec(),
            body: of_body(from, dims.len()),
        };
        let (mut rows, mut cols) = (side(&self.m, &self.a, nb), side(&self.n, &self.b, nb + nm));
        let (mut a, mut b) = (&self.a, &self.b);
        let first_output = self.body.accesses().count() - self.body.outputs.len();
        let unit = |s: &Side| {
            (0..s.dims.len())
                .rev()
                .find(|&i| s.dims[i] > 1 && s.body[first_output..].first().is_some_and(|o| o[i] == 1))
        };
        let swapped = unit(&cols).is_none() && unit(&rows).is_some();
        if swapped {
            std::mem::swap(&mut rows, &mut cols);
            std::mem::swap(&mut a, &mut b);
        }
        if let Some(i) = unit(&cols) {
            cols.move_last(i);
        }
        cols.collapse();
        rows.collapse();
        if *rows.dims.last().unwrap_or(&1) < TILE_ROWS {
            let widest = (0..rows.dims.len()).max_by_key(|&i| (rows.dims[i], i)).unwrap_or(0);
            rows.move_last(widest);
        }
        let k_strides = |operand: &Access, free: usize| operand.strides[nb + free..].to_vec();
        let (ka, kb) =
            if swapped { (k_strides(a, nn), k_strides(b, nm)) } else { (k_strides(a, nm), k_strides(b, nn)) };
        let mut order: Vec<usize> = (0..self.k.len()).collect();
        order.sort_by_key(|&i| std::cmp::Reverse(ka[i]));
        let pick = |v: &[i64]| order.iter().map(|&i| v[i]).collect::<Vec<_>>();
        let k: Vec<u64> = order.iter().map(|&i| self.k[i]).collect();
        let k_strides = [pick(&ka), pick(&kb)];
        Sides { rows, cols, operands: [a, b], swapped, indices, k, k_strides }
    }

    /// An operand over `batch` and the dims of its side.
    fn operand_of(&self, s: &Side, operand: &Access) -> Access {
        Access { strides: [&operand.strides[..self.batch.len()], &s.operand].concat(), ..operand.clone() }
    }

    /// The body over `batch` and the dims of both sides.
    fn body_of(&self, s: &Sides<'_>) -> Body {
        let nb = self.batch.len();
        let mut body = self.body.clone();
        let accesses = body.accesses().count();
        for (i, access) in body.accesses_mut().enumerate() {
            access.strides = [&access.strides[..nb], &s.rows.body[i], &s.cols.body[i]].concat();
        }
        for (i, &node) in s.indices.iter().enumerate() {
            let moved = [&s.rows.body[accesses + i][..], &s.cols.body[accesses + i]].concat();
            match (&mut body.nodes[node], moved.iter().position(|&s| s == 1)) {
                (Node::Iota { dim }, _) if (*dim as usize) < nb => {}
                (Node::Iota { dim }, Some(at)) => *dim = (nb + at) as u32,
                // The index of a dim of size 1.
                (n, _) => *n = Node::Const { dtype: DType::I32, bits: 0 },
            }
        }
        body
    }

    /// The kernels for CPUs: packs, and a GEMM on panels.
    pub fn lower(&self) -> Lowered {
        let s = self.sides();
        let dtype = self.body.acc_dtype();
        let as_stored = self.stored == dtype;
        let direct_a = linear(&s.k, &s.k_strides[0]).filter(|&step| as_stored && (step == 1 || product(&s.k) == 1));
        let few = product(&s.rows.dims) <= 2 * TILE_ROWS && s.cols.operand.last() == Some(&1);
        let direct_b = linear(&s.k, &s.k_strides[1]).filter(|_| as_stored && few);
        let reading = |direct: Option<i64>, side: &Side, operand: &Access, buffer: u32| match direct {
            Some(k_stride) => Operand::Direct { access: Access { buffer, ..self.operand_of(side, operand) }, k_stride },
            None => Operand::Packed,
        };
        let pack = |direct: Option<i64>, side: &Side, operand: &Access, k_strides: &[i64], width: u64| {
            let mut access = Access { buffer: 0, ..self.operand_of(side, operand) };
            access.strides.extend_from_slice(k_strides);
            direct.is_none().then(|| Pack::new(&self.batch, &side.dims, &s.k, width, self.stored, access))
        };
        let [a, b] = s.operands;
        Lowered {
            packs: [
                pack(direct_a, &s.rows, a, &s.k_strides[0], TILE_ROWS),
                pack(direct_b, &s.cols, b, &s.k_strides[1], panel_cols(dtype)),
            ],
            matmul: Matmul {
                batch: self.batch.clone(),
                k: product(&s.k),
                a: reading(direct_a, &s.rows, a, 0),
                b: reading(direct_b, &s.cols, b, 1),
                body: self.body_of(&s),
                m: s.rows.dims,
                n: s.cols.dims,
            },
            swapped: s.swapped,
        }
    }

    /// The kernel for GPUs, which reads the operands as they lie in memory; and whether its first operand is `b`. The
    /// first two buffers of the body have the types of the operands in memory, `a` first.
    pub fn dot(&self) -> (Dot, bool) {
        let s = self.sides();
        // Neighbouring dims of k that both operands walk as one.
        let mut k: Vec<(u64, [i64; 2])> = Vec::new();
        for (i, &d) in s.k.iter().enumerate().filter(|(_, d)| **d != 1) {
            let strides = [s.k_strides[0][i], s.k_strides[1][i]];
            match k.last_mut() {
                Some((n, outer)) if *outer == strides.map(|s| s * d as i64) => (*n, *outer) = (*n * d, strides),
                _ => k.push((d, strides)),
            }
        }
        if k.is_empty() {
            k.push((1, [0; 2]));
        }
        let operand = |which: usize, side: &Side| {
            let mut access = Access { buffer: which as u32, ..self.operand_of(side, s.operands[which]) };
            access.strides.extend(k.iter().map(|(_, strides)| strides[which]));
            access
        };
        let (a, b) = (operand(0, &s.rows), operand(1, &s.cols));
        let mut body = self.body_of(&s);
        if s.swapped {
            body.buffers.swap(0, 1);
        }
        let dims = k.iter().map(|(d, _)| *d).collect();
        let (m, n) = (s.rows.dims, s.cols.dims);
        let dot = Dot { batch: self.batch.clone(), m, n, k: dims, a, b, body, by_threads: false, tf32: false };
        (dot, s.swapped)
    }
}

impl Pack {
    /// A pack of a strided operand, in the type that its elements are computed in. Buffers: the operand, the panels.
    pub fn new(batch: &[u64], rows: &[u64], k: &[u64], width: u64, dtype: DType, access: Access) -> Pack {
        let mut body = Body::new(&[dtype, dtype.computed()]);
        let value = body.leaf(access);
        let value = body.convert(value, dtype.computed());
        let (mut space, lead) = ([batch, rows, k].concat(), batch.len() + rows.len());
        let merged = if k.is_empty() { 0 } else { collapse(&mut space, &mut body, lead..lead + k.len()) };
        let k = space[lead..lead + k.len() - merged].to_vec();
        Pack { batch: batch.to_vec(), rows: rows.to_vec(), k, width, body, value, panels: 1 }
    }

    /// Also sums the packed operand over `k`, into a new buffer with these strides over `batch` and `rows`. Returns the
    /// buffer.
    pub fn with_sum(&mut self, strides: &[i64]) -> u32 {
        let dtype = self.body.dtype(self.value);
        let buffer = self.body.buffer(dtype);
        let sum = self.body.reduce(crate::expr::Reduction::Sum, self.value);
        let mut access = Access::new(buffer, strides);
        access.strides.resize(self.space().len(), 0);
        self.body.output(sum, access);
        buffer
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(m: &[u64], n: &[u64], k: &[u64], a: &[i64], b: &[i64], c: &[i64]) -> Lowered {
        let mut body = Body::new(&[DType::F32, DType::F32, DType::F32]);
        let acc = body.node(Node::Acc);
        body.output(acc, Access::new(2, c));
        let (m, n, k) = (m.to_vec(), n.to_vec(), k.to_vec());
        Contraction { batch: vec![], m, n, k, a: Access::new(0, a), b: Access::new(1, b), stored: DType::F32, body }
            .lower()
    }

    #[test]
    fn row_major_reads_a_in_place() {
        let l = plain(&[2, 64], &[48], &[32], &[64 * 32, 32, 1], &[1, 48], &[64 * 48, 48, 1]);
        assert!(l.packs[0].is_none() && l.packs[1].is_some() && !l.swapped);
        assert_eq!((&l.matmul.m[..], &l.matmul.n[..], l.matmul.k), (&[128][..], &[48][..], 32));
    }

    #[test]
    fn transposed_a_is_packed() {
        let l = plain(&[32], &[48], &[64], &[1, 32], &[1, 48], &[48, 1]);
        assert!(l.packs[0].is_some());
    }

    #[test]
    fn transposed_result_swaps_operands() {
        let l = plain(&[64], &[48], &[32], &[32, 1], &[1, 48], &[1, 64]);
        assert!(l.swapped);
        assert_eq!((&l.matmul.m[..], &l.matmul.n[..]), (&[48][..], &[64][..]));
        assert_eq!(l.matmul.body.outputs[0].access.strides, [64, 1]);
    }

    /// An epilogue that reads indices reads those of the same dims, in whichever order lowering puts them.
    #[test]
    fn indices_follow_their_dims() {
        let lowered = |m: &[u64], n: &[u64], c: &[i64]| {
            let mut body = Body::new(&[DType::F32, DType::F32, DType::F32]);
            let acc = body.node(Node::Acc);
            let mut sum = acc;
            for d in 0..m.len() + n.len() {
                let i = body.iota(d as u32);
                let i = body.convert(i, DType::F32);
                sum = body.elem(crate::expr::Elem::Add, &[sum, i]);
            }
            body.output(sum, Access::new(2, c));
            let (a, b) = (Access::new(0, &vec![0; m.len() + 1]), Access::new(1, &vec![0; n.len() + 1]));
            let l =
                Contraction { batch: vec![], m: m.to_vec(), n: n.to_vec(), k: vec![1], a, b, stored: DType::F32, body }
                    .lower();
            let of = |n: &Node| match n {
                Node::Iota { dim } => Some(*dim),
                Node::Const { .. } => Some(99),
                _ => None,
            };
            let dims = [l.matmul.m, l.matmul.n].concat();
            (dims, l.matmul.body.nodes.iter().filter_map(of).collect::<Vec<u32>>())
        };
        assert_eq!(lowered(&[1, 1], &[12], &[12, 12, 1]), (vec![1, 12], vec![99, 0, 1]));
        // Not merged, since their indices are read; the widest row dim is the last.
        assert_eq!(lowered(&[8, 2], &[12], &[24, 12, 1]), (vec![2, 8, 12], vec![1, 0, 2]));
        // The result is contiguous in the rows: rows and columns change places.
        assert_eq!(lowered(&[8], &[12], &[1, 8]), (vec![12, 8], vec![1, 0]));
    }

    #[test]
    fn heads_stay_runs() {
        // "bse,nehd->nbhsd" with b 2, s 16, e 24, n 3, h 4, d 8.
        let (b, s, e, h, d) = (2i64, 16i64, 24i64, 4i64, 8i64);
        let l = plain(
            &[2, 16],
            &[3, 4, 8],
            &[24],
            &[s * e, e, 1],
            &[e * h * d, d, 1, h * d],
            &[h * s * d, d, b * h * s * d, s * d, 1],
        );
        assert_eq!((&l.matmul.m[..], &l.matmul.n[..]), (&[2, 16][..], &[3, 4, 8][..]));
    }
}
