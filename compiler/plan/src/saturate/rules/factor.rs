//! Local forms of ops, from their factor rules.

use super::rule::{Applies, Form, Goal, Rule, TensorSource};
use meshloom_ir::layout::Slot;
use meshloom_ir::{Assignment, Axis, FactorKind, FactorRule, Layout, Mesh, Op, Reduction};

pub const FACTOR_RULE: Rule = Rule {
    name: "factor-rule",
    law: "At(L)(op xs) = op_local(At(in_i(a)) xs_i) for every assignment a of axes to factors with out(a) = L; a reduced \
          factor gives a partial result",
    applies: Applies::Ops,
    expand: |goal, add| local_forms(goal, Partials::Nothing, add),
};

pub const LINEAR_SETS: Rule = Rule {
    name: "linear-sets",
    law: "op is jointly linear in operands S: with all of S partial (sum) over an axis and the rest replicated over it, the \
          result is partial over it; with --strict-float only if op moves or adds",
    applies: Applies::Ops,
    expand: |goal, add| local_forms(goal, Partials::Sums, add),
};

pub const COMMUTING_SETS: Rule = Rule {
    name: "commuting-sets",
    law: "op commutes with a reduction (max, min, prod, and, or) in operands S: with all of S partial under it over an axis and \
          the rest replicated over it, the result is partial under it",
    applies: Applies::Ops,
    expand: |goal, add| local_forms(goal, Partials::Others, add),
};

/// What an assignment leaves partial of its operands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Partials {
    Nothing,
    Sums,
    Others,
}

fn partial(rule: &FactorRule, a: &Assignment) -> Partials {
    match a.linear.values().max() {
        None => Partials::Nothing,
        Some(&set) if set < rule.linear.len() => Partials::Sums,
        Some(_) => Partials::Others,
    }
}

fn local_forms(goal: &Goal<'_>, wanted: Partials, add: &mut dyn FnMut(Form)) {
    let TensorSource::Op(o, result) = goal.source else {
        return;
    };
    let op = &goal.program.func.op(o).op;
    if matches!(op, Op::Constrain(_)) || wanted == Partials::Sums && goal.program.strict_float && !op.takes_parts() {
        return;
    }
    let Some(rule) = goal.program.rule(o) else {
        return;
    };
    // Sets come into it where the layout leaves something partial.
    if wanted != Partials::Nothing && goal.layout.partial.is_empty() {
        return;
    }
    let mesh = &goal.program.func.mesh;
    for a in candidates(rule, result, goal.layout) {
        if partial(rule, &a) == wanted && gives(rule, &a, result, goal.layout, mesh) {
            add(Form::Local(a));
        }
    }
}

/// Every assignment under which result `result` has `layout`. The split axes are forced by the layout; each partial axis
/// may come from any reduced factor of its reduction, in any order among that factor's axes, or from a linear set.
pub fn assignments(rule: &FactorRule, result: usize, layout: &Layout, mesh: &Mesh) -> Vec<Assignment> {
    let mut all = candidates(rule, result, layout);
    all.retain(|a| gives(rule, a, result, layout, mesh));
    all
}

/// Whether an assignment is one of the op, and result `result` has `layout` under it.
fn gives(rule: &FactorRule, a: &Assignment, result: usize, layout: &Layout, mesh: &Mesh) -> bool {
    rule.admits(a, mesh) && rule.result_layout(a, result) == *layout
}

/// Assignments of which some may not be admitted.
fn candidates(rule: &FactorRule, result: usize, layout: &Layout) -> Vec<Assignment> {
    let mut base = Assignment::default();
    for (d, axes) in layout.dims.iter().enumerate().filter(|d| !d.1.is_empty()) {
        let factors = &rule.results[result][d];
        let major = factors.iter().find(|&&f| rule.sizes[f] != 1).or(factors.first());
        let Some(&f) = major else {
            return Vec::new();
        };
        if base.factors.insert(f, axes.clone()).is_some() {
            return Vec::new();
        }
    }
    let mut out = vec![base];
    for (&axis, &kind) in &layout.partial {
        let mut next = Vec::new();
        for a in &out {
            from_reduced(rule, a, axis, kind, &mut next);
            from_sets(rule, a, axis, kind, &mut next);
        }
        out = next;
    }
    out
}

fn from_reduced(rule: &FactorRule, a: &Assignment, axis: Axis, kind: Reduction, out: &mut Vec<Assignment>) {
    for f in (0..rule.sizes.len()).filter(|&f| rule.kinds[f] == FactorKind::Reduced(kind) && rule.splittable(f)) {
        let n = a.factors.get(&f).map_or(0, Vec::len);
        for at in (0..=n).rev() {
            let mut next = a.clone();
            next.factors.entry(f).or_default().insert(at, axis);
            out.push(next);
        }
    }
}

fn from_sets(rule: &FactorRule, a: &Assignment, axis: Axis, kind: Reduction, out: &mut Vec<Assignment>) {
    for set in (0..rule.sets()).filter(|&s| rule.set(s).is_some_and(|s| s.0 == kind)) {
        let mut next = a.clone();
        next.linear.insert(axis, set);
        out.push(next);
    }
}

/// Whether some assignment splits `factor` over `axis` at all.
pub fn may_split(rule: &FactorRule, factor: usize, axis: Axis, mesh: &Mesh) -> bool {
    if rule.kinds[factor] == FactorKind::Single && rule.sizes[factor] != mesh.size(axis) {
        return false;
    }
    rule.splits_unevenly(factor) || (rule.splittable(factor) && rule.sizes[factor].is_multiple_of(mesh.size(axis)))
}

/// Dims of `dims` that `axis` could split, as bits.
pub fn usable(rule: &FactorRule, dims: &[Vec<usize>], axis: Axis, mesh: &Mesh) -> u64 {
    let usable = |fs: &Vec<usize>| fs.iter().any(|&f| rule.sizes[f] != 1 && may_split(rule, f, axis, mesh));
    dims.iter().take(64).enumerate().fold(0, |bits, (d, fs)| bits | u64::from(usable(fs)) << d)
}

/// Axes that an assignment puts to use: each device computes a part along them.
pub fn used(a: &Assignment, axis: Axis) -> bool {
    a.factors.values().any(|axes| axes.contains(&axis))
}

/// Whether a layout splits over `axis`.
pub fn splits(l: &Layout, axis: Axis) -> bool {
    matches!(l.slot(axis), Slot::Split(_))
}
