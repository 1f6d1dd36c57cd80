//! Which ops compute rows of their result from rows of their operands, a row being what is at one index of dim 0. Whoever takes
//! a stack apart asks, and so does the checker of what came of it.
//!
//! Which dims are one index is what the op table's factor rules say, on which certificates rest as well. Not here: ops that mix
//! rows, or change their order, and what is written into a row by its place (`iota` along dim 0, random bits).

use crate::factor::{Assignment, FactorKind, FactorRule};
use crate::graph::{Func, OpId};
use crate::op::Op;
use crate::table::{self, Class, Local};
use crate::types::{Literal, TensorType};

/// For each operand whether its rows are needed (or all of it), if rows of the result can be computed from rows.
pub fn operands(func: &Func, o: OpId) -> Option<Vec<bool>> {
    let data = func.op(o);
    let [result] = data.results[..] else { return None };
    func.ty(result).shape.first()?;
    match (&data.op, data.op.class()) {
        (Op::Constant { value: Literal::Splat(_), .. }, _) => Some(Vec::new()),
        (Op::Iota { dim, .. }, _) => (*dim != 0).then(Vec::new),
        // What devices do together happens in each row by itself, but along the dims that it is about.
        (op, Class::Collective | Class::Shard) => {
            let group = op.entry().group?;
            (!(group.touches)(op, 0)).then(|| vec![true; data.operands.len()])
        }
        (
            _,
            Class::View
            | Class::Window
            | Class::Move
            | Class::Elementwise
            | Class::Contraction
            | Class::Reduction
            | Class::Scan
            | Class::Sort,
        ) => by_factor(func, o),
        (_, Class::Source | Class::Pin | Class::Rows | Class::Random | Class::Region) => None,
    }
}

fn by_factor(func: &Func, o: OpId) -> Option<Vec<bool>> {
    let rule = table::factors(func, o)?;
    let [row] = rule.results.first()?.first()?[..] else { return None };
    if rule.kinds.get(row) != Some(&FactorKind::Parallel) {
        return None;
    }
    let elsewhere = rule.results.iter().flat_map(|r| r.iter().skip(1)).any(|dim| dim.contains(&row));
    let of = |dims: &Vec<Vec<usize>>| match dims.iter().position(|d| d.contains(&row)) {
        None => Some(false),
        Some(0) if dims[0] == [row] && !dims[1..].iter().any(|d| d.contains(&row)) => Some(true),
        Some(_) => None,
    };
    if elsewhere {
        return None;
    }
    rule.operands.iter().map(of).collect()
}

/// The op that gives `n` rows: as on a device that has so many.
pub fn resized(func: &Func, o: OpId, n: u64) -> Op {
    let data = func.op(o);
    let rule = table::factors(func, o).unwrap_or_else(|| FactorRule::opaque(&[], &[]));
    let mut result: TensorType = func.ty(data.results[0]).clone();
    if let Some(rows) = result.shape.first_mut() {
        *rows = n;
    }
    let local = Local { mesh: &func.mesh, rule: &rule, assignment: &Assignment::default(), result: &result };
    (data.op.entry().localize)(&data.op, &local)
}
