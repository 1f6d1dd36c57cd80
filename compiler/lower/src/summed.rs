//! Row kernels that add up columns of what they read: which of them are worth it, and their specs.
//!
//! A column reduction (the gradient of a bias, of a norm's scale) reads an array once more, for a few thousand results. Where a row
//! kernel reads or computes the same array, a GPU adds up the columns there, in parts ([`meshloom_kernels::summed`]), and a small
//! column kernel adds up the parts. What that saves are the bytes that both would read; what it costs are the parts, written and read.

use crate::columns::ColumnCall;
use crate::error::LowerError;
use crate::expand::{Affine, BufferArg, Expander, Stop, ViewOf};
use crate::facts::Facts;
use crate::memory::Step;
use crate::state::Lowering;
use crate::view::{Home, Views};
use meshloom_bundle::program::Dim;
use meshloom_ir::{Func, Op, OpId, ValueId};
use meshloom_kernels::spec::{Column, Summed};
use meshloom_kernels::{Access, GpuArch, KernelSpec};
use std::collections::BTreeSet;

/// A row kernel with sums of columns, over buffers. The buffers of the sums' parts come last, and are not among `args`.
pub struct SummedCall {
    pub spec: Summed,
    pub args: Vec<BufferArg>,
    pub dims: Vec<Dim>,
    /// Values with memory that it reads.
    pub reads: BTreeSet<ValueId>,
}

/// The kernel of the rows `roots` over `space`, which also computes the column reductions `sums` of values of that shape.
///
/// # Errors
/// A value that has to get memory first, or that no kernel does this.
pub fn expand(
    func: &Func,
    facts: &Facts<'_>,
    view_of: &ViewOf<'_>,
    space: &[u64],
    roots: &[ValueId],
    sums: &[ValueId],
) -> Result<SummedCall, Stop> {
    let no = || Stop::Fail("rows whose columns cannot be added up beside them".into());
    let gpu: GpuArch = facts.gpu.ok_or_else(no)?;
    let members: BTreeSet<ValueId> = roots.iter().copied().collect();
    let mut x = Expander::new(func, view_of, &members, &facts.rounded, space);
    x.reduces = true;
    let mut nodes = Vec::new();
    for &r in roots {
        let map = x.leading(func.ty(r).rank());
        nodes.push(x.value(r, &map)?);
    }
    let all = x.leading(space.len());
    let mut added = Vec::new();
    for &s in sums {
        let data = func.op(func.def_op(s).ok_or_else(no)?);
        let Op::Reduce { kind, .. } = data.op else { return Err(no()) };
        added.push((kind, x.value(data.operands[0], &all)?));
    }
    for (&r, n) in roots.iter().zip(nodes) {
        let map = x.leading(func.ty(r).rank());
        let view = view_of(r).ok_or(Stop::Materialize(r))?;
        let access = x.access(&view, &map, func.ty(r))?;
        x.output(n, access);
    }
    let (args, dims, reads) = (x.args, x.dims, x.reads);
    let spec = Summed::of(space, x.body, &added, gpu).ok_or_else(no)?;
    Ok(SummedCall { spec, args, dims, reads })
}

impl Lowering<'_> {
    /// Rows with the parts of sums, and the sums of these parts.
    pub fn summed(
        &mut self,
        views: &Views,
        space: &[u64],
        roots: &[ValueId],
        sums: &[ValueId],
    ) -> Result<Vec<Step>, LowerError> {
        let ops_of = |values: &[ValueId]| -> Vec<OpId> { values.iter().filter_map(|&v| self.func.def_op(v)).collect() };
        let (rows, added) = (ops_of(roots), ops_of(sums));
        let (Some(&op), Some(&sum)) = (rows.first(), added.first()) else { return Ok(Vec::new()) };
        let view_of = |v: ValueId| views.get(&v).cloned();
        let call = expand(self.func, &self.facts, &view_of, space, roots, sums).map_err(|s| self.stopped(op, s))?;
        let SummedCall { spec, mut args, dims, .. } = call;
        let (parts, cols) = (spec.parts(), spec.cols());
        let mut partial = Vec::new();
        for &(_, arg) in &spec.reductions() {
            let dtype = spec.body.dtype(arg);
            let home = Home::fixed(self.temporary(parts * cols * dtype.bytes()));
            partial.push(BufferArg { home, offset: 0, dtype });
        }
        let total = self.total(views, sums, [parts, cols], &partial).map_err(|s| self.stopped(sum, s))?;
        args.extend(partial);
        let spec = KernelSpec::Summed(spec);
        Ok(vec![
            self.launch(spec, &args, dims, op, &rows),
            self.launch(KernelSpec::Column(total.spec), &total.args, total.dims, sum, &added),
        ])
    }

    /// The kernel that adds up parts.
    fn total(
        &self,
        views: &Views,
        sums: &[ValueId],
        space: [u64; 2],
        partial: &[BufferArg],
    ) -> Result<ColumnCall, Stop> {
        let (members, none) = (BTreeSet::new(), |_: ValueId| None);
        let mut x = Expander::new(self.func, &none, &members, &self.facts.rounded, &space);
        for (&s, part) in sums.iter().zip(partial) {
            let Some(Op::Reduce { kind, .. }) = self.func.def_op(s).map(|o| &self.func.op(o).op) else { continue };
            let buffer = x.buffer(part.home, part.offset, part.dtype)?;
            let leaf = x.body.leaf(Access::new(buffer, &[space[1] as i64, 1]));
            let sum = x.body.reduce(*kind, leaf);
            let access = x.access(&views[&s], &vec![Affine::dim(2, 1)], self.func.ty(s))?;
            x.output(sum, access);
        }
        let spec = Column::new(&[], &space[..1], space[1], x.body);
        Ok(ColumnCall { spec, args: x.args, dims: x.dims })
    }
}
