//! Column reductions of what a contraction reads: which of them its kernel takes along.
//!
//! The gradient of a weight is a product over all rows of a batch, of which one operand is a gradient; the gradient of the bias beside the
//! weight is the sum of that gradient's rows. On a GPU that has warps to spare, these add up what is in shared memory for the product
//! ([`meshloom_kernels::added`]), and the array is not read once more. A small column kernel adds up the parts.
//!
//! Not here: the launches ([`crate::lower`]).

use crate::columns::{ColumnCall, column};
use crate::contracted::{Groups, operand, size_of};
use crate::expand::{BufferArg, ViewOf, resolve};
use crate::facts::Facts;
use meshloom_ir::{Func, Op, OpId, Reduction, ValueId};
use meshloom_kernels::contraction::Contraction;
use meshloom_kernels::geometry::row_major;
use meshloom_kernels::spec::{Column, Dot, DotAndSum};
use meshloom_kernels::{Access, Body, GpuArch, Node};

/// Whether the kernel of the contraction `op` would take along the column reduction `sum`. Its epilogue is not known here: one that makes another
/// tiling the best one can still decide against it.
pub fn fits(func: &Func, facts: &Facts<'_>, view_of: &ViewOf<'_>, op: OpId, sum: ValueId, gpu: GpuArch) -> bool {
    let Some(call) = call_of(func, facts, view_of, sum) else { return false };
    let data = func.op(op);
    let Op::DotGeneral(e) = &data.op else { return false };
    let groups = Groups::of(e);
    if groups.alone.is_some() || !groups.batch.is_empty() {
        return false;
    }
    let of = |i: usize| {
        let view = resolve(func, data.operands[i], view_of, None)?.0;
        view.shard.is_none().then(|| operand(func, op, i, e, &groups, view))
    };
    let (Some(a), Some(b)) = (of(0), of(1)) else { return false };
    let sizes =
        |subscripts: &[char]| -> Vec<u64> { subscripts.iter().map(|&c| size_of(func, &data.operands, e, c)).collect() };
    let (m, n, k) = (sizes(&groups.m), sizes(&groups.n), sizes(&groups.k));
    let stored = [0, 1].map(|i| func.ty(data.operands[i]).dtype);
    let mut body = Body::new(&[stored[0], stored[1], stored[0].computed()]);
    let acc = body.node(Node::Acc);
    body.output(acc, Access::new(2, &row_major(&[&m[..], &n].concat())));
    let contraction = Contraction { batch: Vec::new(), m, n, k, a: a.0, b: b.0, stored: stored[0], body };
    let (dot, swapped) = contraction.dot();
    let sources = if swapped { [b.1, a.1] } else { [a.1, b.1] };
    joined(&dot, &sources, &call, gpu).is_some()
}

/// The kernel of a column reduction: a sum of elements of one buffer.
pub fn call_of(func: &Func, facts: &Facts<'_>, view_of: &ViewOf<'_>, sum: ValueId) -> Option<ColumnCall> {
    let data = func.op(func.def_op(sum)?);
    let Op::Reduce { kind: Reduction::Sum, dims } = &data.op else { return None };
    let of = &func.ty(data.operands[0]).shape;
    column(func, facts, view_of, of, dims, &[sum]).ok().filter(|c| c.dims.is_empty())
}

/// A contraction whose operands are `sources` with a column reduction of one of them, and the kernel that adds up its parts.
pub fn joined(dot: &Dot, sources: &[BufferArg], sum: &ColumnCall, gpu: GpuArch) -> Option<(DotAndSum, Column)> {
    let read = sum.spec.body.nodes.iter().find_map(|n| if let Node::Leaf(a) = n { Some(a) } else { None })?;
    let lies =
        |arg: &BufferArg, access: &Access| (arg.home, arg.offset + access.offset as u64 * arg.dtype.bytes(), arg.dtype);
    let place = lies(sum.args.get(read.buffer as usize)?, read);
    let operands = [(0, &dot.a), (1, &dot.b)].into_iter().zip(sources);
    let same = operands.filter(|((_, access), arg)| lies(arg, access) == place).map(|x| x.0.0);
    same.into_iter().find_map(|which| DotAndSum::joined(dot, which, &sum.spec, gpu))
}
