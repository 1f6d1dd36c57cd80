//! Contractions that a library of GEMMs can compute too: [`Dot::gemm`] describes one in BLAS's words.
//!
//! BLAS knows one dim of rows, one of columns, one that is summed, and batches at equal distances. One of a matrix's
//! two dims is contiguous. A contraction over several dims has this form if the dims are neighbours in both operands
//! and in the result. There are three epilogues: to round the sum, to add a matrix that lies as the result does, and to
//! add a bias along the contiguous dim.

use crate::dot::Dot;
use crate::expr::{Access, Body, DType, Elem, Node, NodeId};
use std::ops::Range;

/// `D = op(A) op(B) + C + bias` by columns, for each of `batch`: the same as the bundle's `Gemm`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gemm {
    pub m: u64,
    pub n: u64,
    pub k: u64,
    pub batch: u64,
    /// The type of A and B; then that of C, D and the bias.
    pub dtype: DType,
    pub result: DType,
    /// Whether f32 operands are rounded to tf32.
    pub tf32: bool,
    pub a: Matrix,
    pub b: Matrix,
    pub d: Matrix,
    pub c: Option<Matrix>,
    pub bias: Option<Vector>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Matrix {
    pub buffer: u32,
    /// In elements, like all figures here.
    pub offset: u64,
    pub transposed: bool,
    pub ld: u64,
    pub stride: u64,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Vector {
    pub buffer: u32,
    pub offset: u64,
}

/// Strides of one operand along batch, rows and columns. For A and B, one of the latter two is `k`.
type Steps = [u64; 3];

impl Dot {
    /// This contraction as a GEMM; `None` if it is not one.
    pub fn gemm(&self) -> Option<Gemm> {
        let dtype = self.dtype();
        let [out] = &self.body.outputs[..] else { return None };
        let result = *self.body.buffers.get(out.access.buffer as usize)?;
        if !matches!(dtype, DType::F32 | DType::BF16 | DType::F16) || (result != dtype && result != DType::F32) {
            return None;
        }
        let addends = addends(&self.body, out.node, result)?;
        // The strides of each dim in the operands' accesses and in those of the body.
        let (b, m, n) = (self.batch.len(), self.m.len(), self.n.len());
        let (of_batch, of_m, of_n) = (0..b, b..b + m, b + m..b + m + n);
        let body: Vec<&Access> = std::iter::once(&out.access).chain(addends.iter().copied()).collect();
        let both = [&self.a, &self.b];
        let with = |operands: &[&Access], at: Range<usize>, dims: Range<usize>, sizes: &[u64]| {
            let places = operands.iter().map(|a| (*a, &at)).chain(body.iter().map(|a| (*a, &dims)));
            let strides: Option<Vec<&[i64]>> = places.map(|(a, at)| a.strides.get(at.clone())).collect();
            one_dim(sizes, &strides?)
        };
        let (batch, batches) = with(&both, of_batch.clone(), of_batch, &self.batch)?;
        let (rows, along_m) = with(&[&self.a], of_m.clone(), of_m.clone(), &self.m)?;
        let (cols, along_n) = with(&[&self.b], b..b + n, of_n, &self.n)?;
        let k_of = |a: &Access, free: usize| a.strides.get(b + free..).map(<[i64]>::to_vec);
        let (k_a, k_b) = (k_of(&self.a, m)?, k_of(&self.b, n)?);
        let (k, along_k) = one_dim(&self.k, &[&k_a, &k_b])?;
        if [batch, rows, cols, k].contains(&0) {
            return None;
        }
        // By columns, the result's contiguous dim is the rows: `n` if it can be, otherwise `m`.
        let steps = |i: usize| -> Steps { [batches[2 + i], along_m[1 + i], along_n[1 + i]] };
        let (first, second) =
            ((&self.b, batches[1], along_n[0], along_k[1]), (&self.a, batches[0], along_m[0], along_k[0]));
        let by_n = lies(cols, rows, steps(0)[2], steps(0)[1]).is_some();
        let ((a, a_batch, a_row, a_k), (bb, b_batch, b_col, b_k)) =
            if by_n { (first, second) } else { (second, first) };
        let (m, n) = if by_n { (cols, rows) } else { (rows, cols) };
        let result_at = |i: usize| {
            let [batch_step, of_m, of_n] = steps(i);
            let (row, col) = if by_n { (of_n, of_m) } else { (of_m, of_n) };
            Some(Matrix { stride: batch_step, ..matrix(body[i], false, lies(m, n, row, col)?)? })
        };
        let factor = |x: &Access, stride: u64, [rows, cols]: [u64; 2], [row, col]: [u64; 2]| {
            let plain = lies(rows, cols, row, col).map(|ld| (false, ld));
            let (transposed, ld) = plain.or_else(|| Some((true, lies(cols, rows, col, row)?)))?;
            Some(Matrix { stride, ..matrix(x, transposed, ld)? })
        };
        let d = result_at(0)?;
        // Two results in one place are no matrix.
        if batch > 1 && d.stride == 0 {
            return None;
        }
        let (mut c, mut bias) = (None, None);
        for (i, access) in addends.iter().enumerate().map(|(i, a)| (i + 1, *a)) {
            let [batch_step, of_m, of_n] = steps(i);
            let (row, col) = if by_n { (of_n, of_m) } else { (of_m, of_n) };
            let along_rows = (row == 1 || m == 1) && (col == 0 && n > 1) && (batch == 1 || batch_step == 0);
            if along_rows && bias.is_none() {
                bias = Some(Vector { buffer: access.buffer, offset: u64::try_from(access.offset).ok()? });
            } else if c.is_none() {
                c = Some(result_at(i)?);
            } else {
                return None;
            }
        }
        let a = factor(a, a_batch, [m, k], [a_row, a_k])?;
        let b = factor(bb, b_batch, [k, n], [b_k, b_col])?;
        Some(Gemm { m, n, k, batch, dtype, result, tf32: self.tf32, a, b, d, c, bias })
    }
}

fn matrix(access: &Access, transposed: bool, ld: u64) -> Option<Matrix> {
    if access.start.is_some() {
        return None;
    }
    Some(Matrix { buffer: access.buffer, offset: u64::try_from(access.offset).ok()?, transposed, ld, stride: 0 })
}

/// The elements from one column to the next of a matrix with these strides, if its rows are contiguous and its columns
/// lie apart.
fn lies(rows: u64, cols: u64, row: u64, col: u64) -> Option<u64> {
    match (rows == 1 || row == 1, cols == 1) {
        (true, true) => Some(rows),
        (true, false) if col >= rows => Some(col),
        _ => None,
    }
}

/// Neighbouring dims as one dim, in all of these accesses: its size, and its stride in each.
fn one_dim(sizes: &[u64], strides: &[&[i64]]) -> Option<(u64, Vec<u64>)> {
    let mut merged: Option<(u64, Vec<i64>)> = None;
    for (d, &size) in sizes.iter().enumerate().rev().filter(|(_, s)| **s != 1) {
        let here: Vec<i64> = strides.iter().map(|s| s[d]).collect();
        merged = Some(match merged {
            None => (size, here),
            Some((n, inner)) if inner.iter().zip(&here).all(|(i, h)| *h == i * n as i64) => (n * size, inner),
            Some(_) => return None,
        });
    }
    let (n, steps) = merged.unwrap_or_else(|| (1, vec![0; strides.len()]));
    Some((n, steps.into_iter().map(|s| u64::try_from(s).ok()).collect::<Option<_>>()?))
}

/// What is added to the sum before it is stored as `result`; `None` if anything else is done to it.
fn addends(body: &Body, node: NodeId, result: DType) -> Option<Vec<&Access>> {
    fn unconverted(body: &Body, id: NodeId) -> NodeId {
        match &body.nodes[id.index()] {
            Node::Elem { op: Elem::Convert, args, .. } => args[0],
            _ => id,
        }
    }
    let mut sum = node;
    if body.dtype(node) != DType::F32 {
        sum = unconverted(body, node);
    }
    let (mut open, mut found, mut accumulators) = (vec![sum], Vec::new(), 0);
    while let Some(id) = open.pop() {
        match &body.nodes[id.index()] {
            Node::Acc => accumulators += 1,
            Node::Elem { op: Elem::Add, dtype: DType::F32, args } => open.extend(args),
            _ => match &body.nodes[unconverted(body, id).index()] {
                Node::Leaf(a) if a.start.is_none() && body.buffers.get(a.buffer as usize) == Some(&result) => {
                    found.push(a)
                }
                _ => return None,
            },
        }
        if found.len() > 2 || accumulators > 1 {
            return None;
        }
    }
    (accumulators == 1).then_some(found)
}
