//! Which ops compute a run of rows of their result from runs of rows: entry `i` of dim 0 from entries `i`, and whatever has no
//! rows. Dims that are one index are those of the op table's factor rules, on which the certificate rests as well.
//!
//! Not here: what is written into a row by its place (`iota` along dim 0, random bits), which has no runs.

use meshloom_ir::table;
use meshloom_ir::{FactorKind, Func, Literal, Op, OpId};

/// For each operand whether its rows are meant, or all of it; `None` if rows are not computed from rows.
pub fn operands(func: &Func, o: OpId) -> Option<Vec<bool>> {
    let data = func.op(o);
    let all = vec![true; data.operands.len()];
    match &data.op {
        // What devices do together happens in each place by itself, along one dim.
        Op::AllReduce { .. } | Op::PartialSplit { .. } | Op::CollectiveShift { .. } => Some(all),
        Op::AllGather { dim, .. }
        | Op::ReduceScatter { dim, .. }
        | Op::ShardSlice { dim, .. }
        | Op::PadMask { dim, .. } => (*dim != 0).then_some(all),
        Op::AllToAll { split, concat, .. } => (*split != 0 && *concat != 0).then_some(all),
        Op::CollectivePermute { from, to, .. } => {
            let still = |axes: &[Vec<meshloom_ir::Axis>]| axes.first().is_some_and(Vec::is_empty);
            (still(from) && still(to)).then_some(all)
        }
        Op::Constant { value: Literal::Splat(_), .. } => Some(all),
        Op::Iota { dim, .. } => (*dim != 0).then_some(all),
        Op::Pad { low, high } if low.first() != Some(&0) || high.first() != Some(&0) => None,
        Op::Slice { start, .. } if start.first() != Some(&0) => None,
        Op::Elem(_)
        | Op::Convert { .. }
        | Op::Broadcast { .. }
        | Op::Reshape { .. }
        | Op::Transpose { .. }
        | Op::Slice { .. }
        | Op::Pad { .. }
        | Op::Concatenate { .. }
        | Op::Rotate { .. }
        | Op::Reverse { .. }
        | Op::Windows { .. }
        | Op::DotGeneral(_)
        | Op::Reduce { .. }
        | Op::Cumulative { .. }
        | Op::CumLogSumExp { .. }
        | Op::TopK { .. } => by_factor(func, o),
        _ => None,
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

/// The op that gives `n` rows.
pub fn resized(op: &Op, n: u64) -> Op {
    let mut op = op.clone();
    let size = match &mut op {
        Op::Constant { shape, .. } | Op::Broadcast { shape, .. } | Op::Reshape { shape } | Op::Iota { shape, .. } => {
            shape.first_mut()
        }
        Op::Slice { limit, .. } => limit.first_mut(),
        _ => None,
    };
    if let Some(size) = size {
        *size = n;
    }
    op
}
