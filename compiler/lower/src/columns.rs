//! Column reductions as kernels: their space, and the spec over buffers.
//!
//! Not here: parts of rows for blocks of a GPU ([`meshloom_kernels::split`]), and the launches ([`crate::lower`]).

use crate::expand::{Affine, BufferArg, CoordinateMap, Expander, Stop, ViewOf};
use crate::facts::Facts;
use meshloom_bundle::program::Dim;
use meshloom_ir::{Func, Op, ValueId};
use meshloom_kernels::spec::Column;
use std::collections::BTreeSet;

/// A column kernel over buffers.
pub struct ColumnCall {
    pub spec: Column,
    pub args: Vec<BufferArg>,
    pub dims: Vec<Dim>,
}

/// The kernel of column reductions of values of shape `of` over `dims`.
///
/// # Errors
/// A value that has to get memory first.
pub fn column(
    func: &Func,
    facts: &Facts<'_>,
    view_of: &ViewOf<'_>,
    of: &[u64],
    dims: &[usize],
    roots: &[ValueId],
) -> Result<ColumnCall, Stop> {
    let (space, map) = column_space(of, dims);
    let (members, kept) = (BTreeSet::new(), of.len() - 1 - dims.len());
    let mut x = Expander::new(func, view_of, &members, &facts.rounded, &space);
    let mut nodes = Vec::new();
    for o in roots.iter().filter_map(|&r| func.def_op(r)) {
        let Op::Reduce { kind, .. } = func.op(o).op else { continue };
        let n = x.value(func.op(o).operands[0], &map)?;
        nodes.push(x.body.reduce(kind, n));
    }
    for (&r, n) in roots.iter().zip(nodes) {
        // Kept dims come first in the space, and the operand's last dim comes last.
        let mut at: CoordinateMap = x.leading(kept);
        at.push(Affine::dim(space.len(), space.len() - 1));
        let view = view_of(r).ok_or(Stop::Materialize(r))?;
        let access = x.access(&view, &at, func.ty(r))?;
        x.output(n, access);
    }
    let last = space.len() - 1;
    let spec = Column::new(&space[..kept], &space[kept..last], space[last], x.body);
    Ok(ColumnCall { spec, args: x.args, dims: x.dims })
}

/// The space of a column reduction (kept dims but the last, reduced dims, last dim), and the coordinates of the reduced
/// value.
pub fn column_space(of: &[u64], dims: &[usize]) -> (Vec<u64>, CoordinateMap) {
    let last = of.len() - 1;
    let mut order: Vec<usize> = (0..last).filter(|d| !dims.contains(d)).collect();
    order.extend(dims);
    order.push(last);
    let space: Vec<u64> = order.iter().map(|&d| of[d]).collect();
    let map = (0..of.len()).map(|d| Affine::dim(of.len(), order.iter().position(|&x| x == d).unwrap_or(0))).collect();
    (space, map)
}
