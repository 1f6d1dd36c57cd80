//! Contractions as GEMMs: which part each subscript of an einsum has in the GEMM, and at which strides an operand lies
//! in its buffer.

use crate::expand::BufferArg;
use crate::view::View;
use meshloom_bundle::program::ALIGN;
use meshloom_ir::{Einsum, Func, OpId, ValueId};
use meshloom_kernels::Access;

/// Subscripts of an einsum, grouped by their part in a GEMM.
pub struct Groups {
    pub batch: Vec<char>,
    pub m: Vec<char>,
    pub n: Vec<char>,
    pub k: Vec<char>,
    /// A summed subscript that only one operand has. A GEMM has no such part, so the contraction is refused.
    pub alone: Option<char>,
}

impl Groups {
    pub fn of(e: &Einsum) -> Groups {
        let (mut batch, mut m, mut n, mut k, mut alone) = (Vec::new(), Vec::new(), Vec::new(), Vec::new(), None);
        for c in e.factors() {
            match (e.operands[0].contains(&c), e.operands[1].contains(&c), e.result.contains(&c)) {
                (true, true, true) => batch.push(c),
                (true, false, true) => m.push(c),
                (false, true, true) => n.push(c),
                (true, true, false) => k.push(c),
                _ => alone = Some(c),
            }
        }
        Groups { batch, m, n, k, alone }
    }
}

/// The size of a subscript, in an operand that has it; 1 if none has it.
pub fn size_of(func: &Func, operands: &[ValueId], e: &Einsum, c: char) -> u64 {
    (0..2).find_map(|i| e.operands[i].iter().position(|&x| x == c).map(|p| func.ty(operands[i]).shape[p])).unwrap_or(1)
}

/// How a kernel reads an operand of a contraction: the strides over its batch, free and summed dims in this order, and
/// the buffer. The buffer begins at a multiple of [`ALIGN`], and the rest of the offset is in the access.
pub fn operand(func: &Func, op: OpId, i: usize, e: &Einsum, groups: &Groups, view: View) -> (Access, BufferArg) {
    let dtype = func.ty(func.op(op).operands[i]).dtype;
    let free = if i == 0 { &groups.m } else { &groups.n };
    let subscripts: Vec<char> = [&groups.batch[..], free, &groups.k].concat();
    let stride = |c: &char| e.operands[i].iter().position(|x| x == c).map_or(0, |p| view.strides[p]);
    let bytes = view.offset as u64 * dtype.bytes();
    let base = bytes / ALIGN * ALIGN;
    let strides: Vec<i64> = subscripts.iter().map(stride).collect();
    let access = Access::new(i as u32, &strides).at(((bytes - base) / dtype.bytes()) as i64);
    (access, BufferArg { home: view.home, offset: base, dtype })
}
