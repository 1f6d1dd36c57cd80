//! One-step collectives, and the two conversions that move nothing: `At(L, x) = step(At(L', x))`.
//!
//! Steps are strict about the order of axes inside a dim: gathering and splitting work at the minor end, and a change of
//! order is a `collective_permute`. Groups of several axes are one step, since one collective over 8 devices moves less
//! than one over 2 and one over 4.

use super::{Applies, Form, Rule};
use crate::saturate::tables::copied_axes;
use meshloom_ir::{Axis, DType, Layout, Op, Reduction};

/// Most axes in one group. More are reached in several steps.
const GROUP: usize = 3;

pub const ALL_REDUCE: Rule = Rule {
    name: "all-reduce",
    law: "x copied over A = all_reduce over A of x partial over A",
    applies: Applies::Tensors,
    expand: |goal, add| {
        for axes in subsets(&copied_axes(goal.layout, &goal.program.axes)) {
            for kind in [Reduction::Sum, Reduction::Max, Reduction::Min] {
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
            for kind in [Reduction::Sum, Reduction::Max, Reduction::Min] {
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
                add(Form::Step(Op::AllToAll { axes: axes.clone(), split, concat, size: None }, from));
            }
        }
    },
};

pub const COLLECTIVE_PERMUTE: Rule = Rule {
    name: "collective-permute",
    law: "x split by A in dim d = collective_permute of x split by a reordering of A in dim d",
    applies: Applies::Tensors,
    expand: |goal, add| {
        for (dim, to, whole) in minor_ends(goal.layout) {
            for old in ordered(&sorted(&to)).into_iter().filter(|o| o.len() == to.len() && *o != to) {
                // Only the minor axes that change place take part.
                if old[0] == to[0] {
                    continue;
                }
                let mut from = whole.clone();
                from.dims[dim].extend(&old);
                add(Form::Step(Op::reorder(goal.layout.dims.len(), dim, old, to.clone()), from));
            }
        }
    },
};

pub const SHARD_SLICE: Rule = Rule {
    name: "shard-slice",
    law: "x split by A (minor) in dim d = this device's block of x copied over A; moves nothing",
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
        let pending = goal.layout.partial.iter().filter(|p| *p.1 == Reduction::Sum);
        let pending: Vec<Axis> = pending.map(|p| *p.0).collect();
        if goal.ty.dtype == DType::Bool {
            return;
        }
        for axes in subsets(&pending) {
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
        for n in 1..=axes.len().min(GROUP) {
            let at = axes.len() - n;
            let mut whole = l.clone();
            whole.dims[d].truncate(at);
            out.push((d, axes[at..].to_vec(), whole));
        }
    }
    out
}

fn sorted(axes: &[Axis]) -> Vec<Axis> {
    let mut v = axes.to_vec();
    v.sort_unstable();
    v
}

/// Non-empty selections of up to [`GROUP`] axes, in order.
fn subsets(axes: &[Axis]) -> Vec<Vec<Axis>> {
    ordered(axes).into_iter().filter(|s| s.is_sorted()).collect()
}

/// Non-empty ordered selections of up to [`GROUP`] axes.
fn ordered(axes: &[Axis]) -> Vec<Vec<Axis>> {
    let mut out: Vec<Vec<Axis>> = Vec::new();
    let mut last: Vec<Vec<Axis>> = vec![Vec::new()];
    for _ in 0..GROUP.min(axes.len()) {
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
