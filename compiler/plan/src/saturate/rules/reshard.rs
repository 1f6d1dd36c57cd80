//! One-step collectives, and the two conversions that move nothing: `At(L, x) = step(At(L', x))`.
//!
//! Steps are strict about the order of axes inside a dim: gathering and splitting work at the minor end, and a change of
//! order is a `collective_permute`. Groups of several axes are one step, since one collective over 8 devices moves less
//! than one over 2 and one over 4.

use super::rule::{Applies, Form, Goal, Rule};
use crate::effort;
use crate::saturate::tables::copied_axes;
use meshloom_ir::{Axis, DType, Layout, Op, Reduction};

/// The reductions under which values of the goal's type can be partial.
fn kinds(goal: &Goal<'_>) -> impl Iterator<Item = Reduction> {
    let float = goal.ty.dtype.is_float();
    Reduction::ALL.into_iter().filter(move |k| !float || !matches!(k, Reduction::And | Reduction::Or))
}

pub const ALL_REDUCE: Rule = Rule {
    name: "all-reduce",
    law: "x replicated over A = all_reduce over A of x partial over A",
    applies: Applies::Tensors,
    expand: |goal, add| {
        for axes in subsets(&copied_axes(goal.layout, &goal.program.axes)) {
            for kind in kinds(goal) {
                let from = partial_over(goal.layout, &axes, kind);
                add(Form::Step(Op::AllReduce { axes: axes.clone(), kind }, from));
            }
        }
    },
};

pub const REDUCE_SCATTER: Rule = Rule {
    name: "reduce-scatter",
    law: "x split by A (minor) in dim d = reduce_scatter over A of x partial over A",
    applies: Applies::Tensors,
    expand: |goal, add| {
        for (dim, axes, whole) in minor_ends(goal.layout) {
            for kind in kinds(goal) {
                let from = partial_over(&whole, &axes, kind);
                add(Form::Step(Op::ReduceScatter { axes: axes.clone(), dim, kind }, from));
            }
        }
    },
};

pub const ALL_GATHER: Rule = Rule {
    name: "all-gather",
    law: "x whole in dim d = all_gather over A of x split by A (minor) in dim d",
    applies: Applies::Tensors,
    expand: |goal, add| {
        for axes in ordered(&copied_axes(goal.layout, &goal.program.axes)) {
            for dim in 0..goal.layout.dims.len() {
                let mut from = goal.layout.clone();
                from.dims[dim].extend(&axes);
                add(Form::Step(Op::AllGather { axes: axes.clone(), dim, size: None }, from));
            }
        }
    },
};

pub const ALL_TO_ALL: Rule = Rule {
    name: "all-to-all",
    law: "x split by A (minor) in dim d = all_to_all over A of x split by A (minor) in another dim",
    applies: Applies::Tensors,
    expand: |goal, add| {
        for (split, axes, whole) in minor_ends(goal.layout) {
            for concat in (0..goal.layout.dims.len()).filter(|&c| c != split) {
                let mut from = whole.clone();
                from.dims[concat].extend(&axes);
                add(Form::Step(Op::all_to_all(axes.clone(), split, concat), from));
            }
        }
    },
};

pub const COLLECTIVE_PERMUTE: Rule = Rule {
    name: "collective-permute",
    law: "x split over axes = collective_permute of x split over other axes, or over the same in other places, where every \
          dim is in as many blocks",
    applies: Applies::Tensors,
    expand: |goal, add| {
        let to = goal.layout;
        let mut free = copied_axes(to, &goal.program.axes);
        free.extend(to.dims.iter().flatten());
        free.sort_unstable();
        let blocks: Vec<u64> = to.dims.iter().map(|d| goal.program.func.mesh.group_size(d)).collect();
        for dims in in_blocks(&blocks, &free, goal) {
            if dims == to.dims {
                continue;
            }
            // Major axes that stay in their place take no part.
            let kept: Vec<usize> = to.dims.iter().zip(&dims).map(|(a, b)| common(a, b)).collect();
            let minor = |all: &[Vec<Axis>]| all.iter().zip(&kept).map(|(d, &n)| d[n..].to_vec()).collect::<Vec<_>>();
            let (old, new) = (minor(&dims), minor(&to.dims));
            add(Form::Step(Op::permute(old, new), Layout { dims, partial: to.partial.clone() }));
        }
    },
};

/// Ways to split dims into so many blocks, each axis used once at most.
fn in_blocks(blocks: &[u64], free: &[Axis], goal: &Goal<'_>) -> Vec<Vec<Vec<Axis>>> {
    let Some((&n, rest)) = blocks.split_first() else {
        return vec![Vec::new()];
    };
    let mesh = &goal.program.func.mesh;
    let mut first: Vec<Vec<Axis>> = ordered(free).into_iter().filter(|s| mesh.group_size(s) == n).collect();
    if n == 1 {
        first.push(Vec::new());
    }
    let mut out = Vec::new();
    for f in first {
        let left: Vec<Axis> = free.iter().copied().filter(|a| !f.contains(a)).collect();
        for mut more in in_blocks(rest, &left, goal) {
            more.insert(0, f.clone());
            out.push(more);
        }
    }
    out
}

fn common(a: &[Axis], b: &[Axis]) -> usize {
    a.iter().zip(b).take_while(|(x, y)| x == y).count()
}

pub const SHARD_SLICE: Rule = Rule {
    name: "shard-slice",
    law: "x split by A (minor) in dim d = this device's block of x replicated over A; moves nothing",
    applies: Applies::Tensors,
    expand: |goal, add| {
        for (dim, axes, whole) in minor_ends(goal.layout) {
            add(Form::Step(Op::ShardSlice { axes, dim }, whole));
        }
    },
};

pub const PARTIAL_SPLIT: Rule = Rule {
    name: "partial-split",
    law: "x partial (sum) over A = x on the first device of each group over A and zero on the others; moves nothing",
    applies: Applies::Tensors,
    expand: |goal, add| {
        let partial = goal.layout.partial.iter().filter(|p| *p.1 == Reduction::Sum);
        let partial: Vec<Axis> = partial.map(|p| *p.0).collect();
        if goal.ty.dtype == DType::Bool {
            return;
        }
        for axes in subsets(&partial) {
            let mut from = goal.layout.clone();
            for a in &axes {
                from.partial.remove(a);
            }
            add(Form::Step(Op::PartialSplit { axes }, from));
        }
    },
};

fn partial_over(l: &Layout, axes: &[Axis], kind: Reduction) -> Layout {
    let mut from = l.clone();
    from.partial.extend(axes.iter().map(|&a| (a, kind)));
    from
}

/// Each dim, each non-empty run of its minor axes, and the layout without them.
fn minor_ends(l: &Layout) -> Vec<(usize, Vec<Axis>, Layout)> {
    let mut out = Vec::new();
    for (d, axes) in l.dims.iter().enumerate() {
        for n in 1..=axes.len().min(effort::GROUP_AXES) {
            let at = axes.len() - n;
            let mut whole = l.clone();
            whole.dims[d].truncate(at);
            out.push((d, axes[at..].to_vec(), whole));
        }
    }
    out
}

/// Non-empty selections of up to [`effort::GROUP_AXES`] axes, in order.
fn subsets(axes: &[Axis]) -> Vec<Vec<Axis>> {
    ordered(axes).into_iter().filter(|s| s.is_sorted()).collect()
}

/// Non-empty ordered selections of up to [`effort::GROUP_AXES`] axes.
fn ordered(axes: &[Axis]) -> Vec<Vec<Axis>> {
    let mut out: Vec<Vec<Axis>> = Vec::new();
    let mut last: Vec<Vec<Axis>> = vec![Vec::new()];
    for _ in 0..effort::GROUP_AXES.min(axes.len()) {
        let mut next = Vec::new();
        for s in &last {
            for &a in axes.iter().filter(|a| !s.contains(a)) {
                let mut t = s.clone();
                t.push(a);
                next.push(t);
            }
        }
        out.extend(next.iter().cloned());
        last = next;
    }
    out
}
