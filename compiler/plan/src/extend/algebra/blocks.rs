//! Work in blocks along a dim that mesh axes may split: running sums, running sums of exponentials as logarithms, and the
//! first few by size. The dim gets as many blocks as one axis, or two, have devices. The op runs in each block, and again
//! over the blocks' totals or candidates. Only these have to be sent, so no device needs the full dim.
//!
//! These rules are also on when annotations are followed: without them an op along a split dim has no form but a gathered one.

use super::graph::{Algebra, Rule};
use super::law;
use meshloom_ir::{Class, DType, Literal, Op, OpId, Reduction, Scalar, ValueId};

pub const RULES: &[Rule] = &[
    Rule {
        name: "sums-in-blocks",
        about: "running sums along a dim are those of its blocks plus the sums of the blocks before",
        reassociates: true,
        apply: |a, o| cumulative(a, o, true),
    },
    Rule {
        name: "cumulative-in-blocks",
        about: "running extremes along a dim are those of its blocks combined with the extremes of the blocks before",
        reassociates: false,
        apply: |a, o| cumulative(a, o, false),
    },
    Rule {
        name: "log-sums-in-blocks",
        about: "running sums of exponentials along a dim, as logarithms, are those of its blocks plus those of the blocks before",
        reassociates: true,
        apply: cumulative_log_sum_exp,
    },
    Rule {
        name: "top-k-in-blocks",
        about: "the first k along a dim are the first k of the first k of its blocks",
        reassociates: false,
        apply: top_k,
    },
];

/// Whether a program has ops that these rules are about.
pub fn concern(op: &Op) -> bool {
    matches!(op.class(), Class::Scan | Class::Sort)
}

/// Numbers of blocks worth a form: devices of one axis or of two, where they divide the dim.
pub(super) fn counts(a: &Algebra<'_>, n: u64) -> Vec<u64> {
    all_counts(a).into_iter().filter(|&k| k < n && n.is_multiple_of(k)).collect()
}

/// The same, of any dim.
pub(super) fn all_counts(a: &Algebra<'_>) -> Vec<u64> {
    let sizes: Vec<u64> = a.func().mesh.axes.iter().map(|x| x.1).filter(|&s| s > 1).collect();
    let pairs = sizes.iter().enumerate().flat_map(|(i, x)| sizes[i + 1..].iter().map(move |y| x * y));
    let mut out: Vec<u64> = sizes.iter().copied().chain(pairs).collect();
    out.sort_unstable();
    out.dedup();
    out
}

pub(super) fn in_blocks(shape: &[u64], dim: usize, blocks: u64) -> Vec<u64> {
    [&shape[..dim], &[blocks, shape[dim] / blocks], &shape[dim + 1..]].concat()
}

fn but(rank: usize, dim: usize) -> Vec<usize> {
    (0..rank).filter(|&d| d != dim).collect()
}

fn cumulative(a: &mut Algebra<'_>, o: OpId, sums: bool) {
    let Op::Cumulative { kind, dim, reverse, exclusive } = a.op(o).op else { return };
    let x = a.op(o).operands[0];
    let of_sums = matches!(kind, Reduction::Sum | Reduction::Prod) && a.ty(x).dtype.is_float();
    // Blocks of blocks are for nothing.
    if of_sums != sums || !a.given(o) {
        return;
    }
    let shape = a.shape(x).to_vec();
    for blocks in counts(a, shape[dim]) {
        if !a.first(if sums { "sums-in-blocks" } else { "cumulative-in-blocks" }, o, OpId(blocks as u32)) {
            continue;
        }
        let mut form = || -> Option<ValueId> {
            let split = in_blocks(&shape, dim, blocks);
            let x = a.make(o, Op::Reshape { shape: split.clone() }, &[x])?;
            let inside = a.make(o, Op::Cumulative { kind, dim: dim + 1, reverse, exclusive }, &[x])?;
            let totals = a.make(o, Op::Reduce { kind, dims: vec![dim + 1] }, &[x])?;
            let before = a.make(o, Op::Cumulative { kind, dim, reverse, exclusive: true }, &[totals])?;
            let dims = but(split.len(), dim + 1);
            let before = a.make(o, Op::Broadcast { shape: split, dims }, &[before])?;
            let both = a.make(o, Op::elem(kind.elementwise())?, &[inside, before])?;
            a.make(o, Op::Reshape { shape: shape.clone() }, &[both])
        };
        let form = form();
        a.equate(o, form, if sums { law::SUM_BLOCKS } else { law::BLOCKS });
    }
}

fn cumulative_log_sum_exp(a: &mut Algebra<'_>, o: OpId) {
    let Op::CumLogSumExp { dim, .. } = a.op(o).op else { return };
    let x = a.op(o).operands[0];
    if !a.given(o) {
        return;
    }
    let shape = a.shape(x).to_vec();
    for blocks in counts(a, shape[dim]) {
        if a.first("log-sums-in-blocks", o, OpId(blocks as u32)) {
            let form = log_sums_in_blocks(a, o, x, blocks);
            a.equate(o, form, law::LOG_SUM_BLOCKS);
        }
    }
}

fn log_sums_in_blocks(a: &mut Algebra<'_>, o: OpId, x: ValueId, blocks: u64) -> Option<ValueId> {
    let Op::CumLogSumExp { dim, reverse } = a.op(o).op else { return None };
    let (shape, dtype) = (a.shape(x).to_vec(), a.ty(x).dtype);
    let split = in_blocks(&shape, dim, blocks);
    let constant =
        |shape: &[u64], x: f64| Op::Constant { dtype, shape: shape.to_vec(), value: Literal::Splat(Scalar::float(x)) };
    let part = |shape: &[u64], dim: usize, from: u64, to: u64| {
        let (mut start, mut limit) = (vec![0; shape.len()], shape.to_vec());
        (start[dim], limit[dim]) = (from, to);
        Op::Slice { start, limit }
    };
    let x = a.make(o, Op::Reshape { shape: split.clone() }, &[x])?;
    let inside = a.make(o, Op::CumLogSumExp { dim: dim + 1, reverse }, &[x])?;
    // The last result of a block is about all of it.
    let last = if reverse { 0 } else { split[dim + 1] - 1 };
    let totals = a.make(o, part(&split, dim + 1, last, last + 1), &[inside])?;
    let (mut few, mut one) = (shape.clone(), shape.clone());
    (few[dim], one[dim]) = (blocks, 1);
    let totals = a.make(o, Op::Reshape { shape: few.clone() }, &[totals])?;
    let so_far = a.make(o, Op::CumLogSumExp { dim, reverse }, &[totals])?;
    // What is so far at one block is before the next; before the first there is nothing.
    let nothing = a.make(o, constant(&one, f64::NEG_INFINITY), &[])?;
    let before = if reverse {
        let rest = a.make(o, part(&few, dim, 1, blocks), &[so_far])?;
        a.make(o, Op::Concatenate { dim }, &[rest, nothing])?
    } else {
        let rest = a.make(o, part(&few, dim, 0, blocks - 1), &[so_far])?;
        a.make(o, Op::Concatenate { dim }, &[nothing, rest])?
    };
    let dims = but(split.len(), dim + 1);
    let before = a.make(o, Op::Broadcast { shape: split.clone(), dims }, &[before])?;
    // log(exp(x) + exp(y)) = max(x, y) + log(1 + exp(-|x - y|)); equal infinities differ by nothing.
    let most = a.make(o, Op::elem("maximum")?, &[inside, before])?;
    let apart = a.make(o, Op::elem("subtract")?, &[inside, before])?;
    let apart = a.make(o, Op::elem("abs")?, &[apart])?;
    let same = a.make(o, Op::elem("compare_eq")?, &[inside, before])?;
    let zero = a.make(o, constant(&split, 0.0), &[])?;
    let apart = a.make(o, Op::elem("select")?, &[same, zero, apart])?;
    let less = a.make(o, Op::elem("negate")?, &[apart])?;
    let share = a.make(o, Op::elem("exponential")?, &[less])?;
    let more = a.make(o, Op::elem("log_plus_one")?, &[share])?;
    let both = a.make(o, Op::elem("add")?, &[most, more])?;
    a.make(o, Op::Reshape { shape }, &[both])
}

fn top_k(a: &mut Algebra<'_>, o: OpId) {
    let Op::TopK { dim, k, indices, .. } = a.op(o).op else { return };
    let x = a.op(o).operands[0];
    let shape = a.shape(x).to_vec();
    if !a.given(o) {
        return;
    }
    for blocks in counts(a, shape[dim]) {
        // Fewer candidates than elements.
        if k >= shape[dim] / blocks || !a.first("top-k-in-blocks", o, OpId(blocks as u32)) {
            continue;
        }
        let form = if indices { positions(a, o, x, &shape, blocks) } else { elements(a, o, x, &shape, blocks) };
        a.equate(o, form, law::TOP_K_BLOCKS);
    }
}

/// The op of `o` along another dim.
fn like(a: &Algebra<'_>, o: OpId, dim: usize, indices: bool) -> Option<Op> {
    match a.op(o).op {
        Op::TopK { k, largest, .. } => Some(Op::TopK { dim, k, largest, indices }),
        _ => None,
    }
}

/// The first k of each block, one after the other.
fn candidates(a: &mut Algebra<'_>, o: OpId, x: ValueId, shape: &[u64], blocks: u64) -> Option<ValueId> {
    let Op::TopK { dim, k, .. } = a.op(o).op else { return None };
    let x = a.make(o, Op::Reshape { shape: in_blocks(shape, dim, blocks) }, &[x])?;
    let op = like(a, o, dim + 1, false)?;
    let inside = a.make(o, op, &[x])?;
    let mut all = shape.to_vec();
    all[dim] = blocks * k;
    a.make(o, Op::Reshape { shape: all }, &[inside])
}

fn elements(a: &mut Algebra<'_>, o: OpId, x: ValueId, shape: &[u64], blocks: u64) -> Option<ValueId> {
    let Op::TopK { dim, .. } = a.op(o).op else { return None };
    let all = candidates(a, o, x, shape, blocks)?;
    let op = like(a, o, dim, false)?;
    a.make(o, op, &[all])
}

/// Positions of the candidates in the whole dim, and of those the ones of the candidates that are picked.
fn positions(a: &mut Algebra<'_>, o: OpId, x: ValueId, shape: &[u64], blocks: u64) -> Option<ValueId> {
    let Op::TopK { dim, k, .. } = a.op(o).op else { return None };
    let rank = shape.len();
    let integer = |shape: &[u64], n: u64| Op::Constant {
        dtype: DType::I32,
        shape: shape.to_vec(),
        value: Literal::Splat(Scalar::Int(n as i64)),
    };
    let iota = |shape: &[u64], dim| Op::Iota { dtype: DType::I32, shape: shape.to_vec(), dim, shard: Vec::new() };
    let all = candidates(a, o, x, shape, blocks)?;
    let split = in_blocks(shape, dim, blocks);
    let x = a.make(o, Op::Reshape { shape: split.clone() }, &[x])?;
    let op = like(a, o, dim + 1, true)?;
    let inside = a.make(o, op, &[x])?;
    let few = a.shape(inside).to_vec();
    let number = a.make(o, iota(&few, dim), &[])?;
    let size = a.make(o, integer(&few, split[dim + 1]), &[])?;
    let start = a.make(o, Op::elem("multiply")?, &[number, size])?;
    let place = a.make(o, Op::elem("add")?, &[inside, start])?;
    let place = a.make(o, Op::Reshape { shape: a.shape(all).to_vec() }, &[place])?;
    let op = like(a, o, dim, true)?;
    let picked = a.make(o, op, &[all])?;
    let mut wide = a.shape(picked).to_vec();
    wide.push(blocks * k);
    let place = a.make(o, Op::Transpose { perm: [but(rank, dim), vec![dim]].concat() }, &[place])?;
    let dims = [but(rank, dim), vec![rank]].concat();
    let place = a.make(o, Op::Broadcast { shape: wide.clone(), dims }, &[place])?;
    let picked = a.make(o, Op::Broadcast { shape: wide.clone(), dims: (0..rank).collect() }, &[picked])?;
    let at = a.make(o, iota(&wide, rank), &[])?;
    let hit = a.make(o, Op::elem("compare_eq")?, &[picked, at])?;
    let none = a.make(o, integer(&wide, 0), &[])?;
    let chosen = a.make(o, Op::elem("select")?, &[hit, place, none])?;
    a.make(o, Op::Reduce { kind: Reduction::Sum, dims: vec![rank] }, &[chosen])
}
