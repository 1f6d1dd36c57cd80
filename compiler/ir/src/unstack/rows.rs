//! Which ops compute rows of their result from rows of their operands, a row being what is at one index of dim 0.
//!
//! Not here: ops that mix rows, or change their order. They read their operands as a whole.

use crate::graph::{Func, OpId};
use crate::op::Op;
use crate::types::Literal;

/// For each operand whether its rows are needed (or all of it), if rows of the result can be computed from rows.
pub fn operands(func: &Func, o: OpId) -> Option<Vec<bool>> {
    let data = func.op(o);
    let [result] = data.results[..] else { return None };
    let shape = &func.ty(result).shape;
    let n = *shape.first()?;
    let all = || vec![true; data.operands.len()];
    let along = |keeps: bool| keeps.then(all);
    let first = |i: usize| func.ty(data.operands[i]).shape.first().copied();
    match &data.op {
        Op::Constant { value: Literal::Splat(_), .. } => Some(Vec::new()),
        Op::Elem(_)
        | Op::Convert { .. }
        | Op::AllReduce { .. }
        | Op::PartialSplit { .. }
        | Op::CollectiveShift { .. } => Some(all()),
        Op::Broadcast { dims, .. } => match dims.iter().position(|&d| d == 0) {
            None => Some(vec![false]),
            Some(0) => Some(vec![first(0) == Some(n)]),
            Some(_) => None,
        },
        Op::Reshape { .. } => along(first(0) == Some(n)),
        Op::Transpose { perm } => along(perm[0] == 0),
        Op::Slice { start, limit } => along(start[0] == 0 && Some(limit[0]) == first(0)),
        Op::Pad { low, high } => along(low[0] == 0 && high[0] == 0),
        Op::Concatenate { dim } | Op::Rotate { dim, .. } | Op::Reverse { dim } | Op::Windows { dim, .. } => {
            along(*dim != 0)
        }
        Op::Reduce { dims, .. } => along(!dims.contains(&0)),
        Op::Cumulative { dim, .. } | Op::CumLogSumExp { dim, .. } | Op::TopK { dim, .. } => along(*dim != 0),
        Op::DotGeneral(e) => {
            let c = *e.result.first()?;
            let of = |side: &Vec<char>| match side.iter().position(|&x| x == c) {
                None => Some(false),
                Some(0) => Some(true),
                Some(_) => None,
            };
            e.operands.iter().map(of).collect()
        }
        Op::AllGather { dim, .. }
        | Op::ReduceScatter { dim, .. }
        | Op::ShardSlice { dim, .. }
        | Op::PadMask { dim, .. }
        | Op::Iota { dim, .. } => along(*dim != 0),
        Op::AllToAll { split, concat, .. } => along(*split != 0 && *concat != 0),
        Op::CollectivePermute { from, to, .. } => along(from[0].is_empty() && to[0].is_empty()),
        _ => None,
    }
}

/// The op for `n` rows.
pub fn resized(op: &Op, n: u64) -> Op {
    let mut op = op.clone();
    match &mut op {
        Op::Constant { shape, .. } | Op::Broadcast { shape, .. } | Op::Reshape { shape } | Op::Iota { shape, .. } => {
            shape[0] = n;
        }
        Op::Slice { limit, .. } => limit[0] = n,
        _ => {}
    }
    op
}
