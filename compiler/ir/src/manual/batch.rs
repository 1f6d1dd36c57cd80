//! The op that does the same for every index of some further leading dims of its operands: one arm per op.

use crate::einsum::Einsum;
use crate::op::Op;

/// `op` with the dims `lead` in front of all operands and of the result. What has a form of its own ([`super::region`],
/// [`super::collective`]), or none, is an error that names the reason.
pub fn batched(op: &Op, lead: &[u64]) -> Result<Op, &'static str> {
    let k = lead.len();
    let with = |shape: &[u64]| -> Vec<u64> { lead.iter().chain(shape).copied().collect() };
    let moved = |dims: &[usize]| -> Vec<usize> { dims.iter().map(|d| d + k).collect() };
    let all = |dims: &[usize]| -> Vec<usize> { (0..k).chain(moved(dims)).collect() };
    let zeros = |v: &[u64]| -> Vec<u64> { std::iter::repeat_n(0, k).chain(v.iter().copied()).collect() };
    Ok(match op {
        Op::Elem(_) | Op::Convert { .. } => op.clone(),
        Op::Broadcast { shape, dims } => Op::Broadcast { shape: with(shape), dims: all(dims) },
        Op::Reshape { shape } => Op::Reshape { shape: with(shape) },
        Op::Transpose { perm } => Op::Transpose { perm: all(perm) },
        Op::Slice { start, limit } => Op::Slice { start: zeros(start), limit: with(limit) },
        Op::Pad { low, high } => Op::Pad { low: zeros(low), high: zeros(high) },
        &Op::Rotate { dim, by } => Op::Rotate { dim: dim + k, by },
        &Op::Windows { dim, window } => Op::Windows { dim: dim + k, window },
        &Op::Reverse { dim } => Op::Reverse { dim: dim + k },
        Op::Concatenate { dim } => Op::Concatenate { dim: dim + k },
        Op::Reduce { kind, dims } => Op::Reduce { kind: *kind, dims: moved(dims) },
        &Op::Cumulative { kind, dim, reverse, exclusive } => Op::Cumulative { kind, dim: dim + k, reverse, exclusive },
        &Op::TopK { dim, k: n, largest, indices } => Op::TopK { dim: dim + k, k: n, largest, indices },
        Op::Constant { .. } | Op::Iota { .. } => return Err("it has no operands"),
        Op::RandomBits { .. } => return Err("its key differs between devices"),
        Op::Gather { .. } | Op::Scatter { .. } => {
            return Err("it is not built for rows of bools, or sums of rows, that differ between devices");
        }
        Op::DotGeneral(_) | Op::Constrain(_) | Op::Composite { .. } | Op::Repeat { .. } => {
            return Err("it has a form of its own");
        }
        Op::AllReduce { .. }
        | Op::AllGather { .. }
        | Op::ReduceScatter { .. }
        | Op::AllToAll { .. }
        | Op::CollectivePermute { .. }
        | Op::CollectiveShift { .. }
        | Op::ShardSlice { .. }
        | Op::PartialSplit { .. }
        | Op::PadMask { .. } => return Err("it is between devices"),
    })
}

/// A contraction of operands of which `lead[i]` are the numbers of the further leading dims of operand `i`; the result has those
/// of `0..k`. `None` where letters run out.
pub fn einsum(e: &Einsum, lead: &[Vec<usize>], k: usize) -> Option<Einsum> {
    let factors = e.factors();
    let free: Vec<char> = ('A'..='Z').chain('a'..='z').filter(|c| !factors.contains(c)).take(k).collect();
    let with = |dims: &[usize], old: &[char]| -> Option<Vec<char>> {
        let mut new: Vec<char> = dims.iter().map(|&d| free.get(d).copied()).collect::<Option<_>>()?;
        new.extend(old);
        Some(new)
    };
    let operands = lead.iter().zip(&e.operands).map(|(l, o)| with(l, o)).collect::<Option<_>>()?;
    let all: Vec<usize> = (0..k).collect();
    Some(Einsum { operands, result: with(&all, &e.result)?, to: e.to })
}
