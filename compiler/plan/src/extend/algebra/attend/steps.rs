//! Single steps of recognition: dims by subscripts, and the ops that the forms are made of.

use crate::extend::algebra::graph::Algebra;
use meshloom_ir::table::composite::{ATTENTIONS, Attention};
use meshloom_ir::{Einsum, Op, OpId, Reduction, ValueId};

/// The attention whose scores have so many dims.
pub fn of_rank(rank: usize) -> Option<&'static Attention> {
    ATTENTIONS.into_iter().find(|f| f.scores.len() == rank)
}

/// Whether these are the same dims, in whichever order.
pub fn same(x: &str, y: &str) -> bool {
    let sorted = |s: &str| {
        let mut all: Vec<char> = s.chars().collect();
        all.sort_unstable();
        all
    };
    sorted(x) == sorted(y)
}

/// Subscripts of the operand of a transpose whose result has `dims`.
pub fn before(perm: &[usize], dims: &str) -> String {
    let mut out = vec![' '; perm.len()];
    for (c, &p) in dims.chars().zip(perm) {
        out[p] = c;
    }
    out.into_iter().collect()
}

/// Subscripts of the result of a transpose whose operand has `dims`.
pub fn after(perm: &[usize], dims: &str) -> Option<String> {
    perm.iter().map(|&p| dims.chars().nth(p)).collect()
}

/// `x`, whose dims are `from`, with its dims in the order `to`.
pub fn turned(a: &mut Algebra<'_>, at: OpId, x: ValueId, from: &str, to: &str) -> Option<ValueId> {
    let perm = to.chars().map(|c| from.find(c)).collect::<Option<Vec<usize>>>()?;
    a.make(at, Op::Transpose { perm }, &[x])
}

pub fn dot(a: &mut Algebra<'_>, at: OpId, spec: [&str; 3], x: ValueId, y: ValueId) -> Option<ValueId> {
    let [x_dims, y_dims, out] = spec.map(|s| s.chars().collect::<Vec<char>>());
    a.make(at, Op::DotGeneral(Einsum::new(vec![x_dims, y_dims], out)), &[x, y])
}

/// A row of numbers, repeated along the last dim of `like`.
pub fn wide(a: &mut Algebra<'_>, at: OpId, row: ValueId, like: ValueId) -> Option<ValueId> {
    let shape = a.shape(like).to_vec();
    let dims = (0..shape.len().checked_sub(1)?).collect();
    a.make(at, Op::Broadcast { shape, dims }, &[row])
}

pub fn make(a: &mut Algebra<'_>, at: OpId, name: &str, operands: &[ValueId]) -> Option<ValueId> {
    a.make(at, Op::elem(name)?, operands)
}

pub fn row_sums(a: &mut Algebra<'_>, at: OpId, x: ValueId) -> Option<ValueId> {
    let last = a.shape(x).len().checked_sub(1)?;
    a.make(at, Op::Reduce { kind: Reduction::Sum, dims: vec![last] }, &[x])
}
