//! How an op is split, by how its operands are: the assignment of its factor rule that takes them as they are, or why there is none.

use meshloom_ir::{Assignment, Axis, FactorKind, FactorRule, Layout, Mesh, Op, Reduction};

/// An operand that would have to be split like the others, and is whole.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Demand {
    pub operand: usize,
    pub dim: usize,
    pub axes: Vec<Axis>,
    /// The operand that is split.
    pub by: usize,
}

/// Why an op cannot take its operands as they are.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Clash {
    /// Two operands are split by dims that are not the same.
    Dims(usize, usize),
    /// An operand is partial, and the op is not linear in it, or another one is not partial with it.
    Partial(usize),
    /// An operand is split by a dim of which the op needs the whole.
    Whole { operand: usize, dim: usize },
    /// A dim does not divide.
    Uneven { operand: usize, dim: usize },
}

impl Clash {
    /// An operand that it is about.
    pub fn operand(&self) -> usize {
        match *self {
            Clash::Dims(i, _)
            | Clash::Partial(i)
            | Clash::Whole { operand: i, .. }
            | Clash::Uneven { operand: i, .. } => i,
        }
    }
}

/// The factor of a dim that is split: of several the first with more than one entry.
pub fn major(rule: &FactorRule, dim: &[usize]) -> Option<usize> {
    dim.iter().copied().find(|&f| rule.sizes[f] != 1).or(dim.first().copied())
}

/// The assignment that operands in these layouts ask for, and what it asks of operands that are whole.
///
/// # Errors
/// There is none.
pub fn assignment(rule: &FactorRule, layouts: &[&Layout], mesh: &Mesh) -> Result<(Assignment, Vec<Demand>), Clash> {
    let mut a = Assignment::default();
    let mut first = std::collections::BTreeMap::new();
    for (i, l) in layouts.iter().enumerate() {
        for (d, axes) in l.dims.iter().enumerate().filter(|(_, axes)| !axes.is_empty()) {
            let whole = Clash::Whole { operand: i, dim: d };
            let f = rule.operands.get(i).and_then(|o| o.get(d)).and_then(|fs| major(rule, fs)).ok_or(whole.clone())?;
            if !rule.splittable(f) || rule.kinds[f] == FactorKind::Single {
                return Err(whole);
            }
            if !rule.sizes[f].is_multiple_of(mesh.group_size(axes)) {
                return Err(Clash::Uneven { operand: i, dim: d });
            }
            let by = *first.entry(f).or_insert(i);
            if a.factors.entry(f).or_insert_with(|| axes.clone()) != axes {
                return Err(Clash::Dims(by, i));
            }
        }
    }
    // An axis stands for one factor alone.
    let mut used: Vec<(Axis, usize)> = Vec::new();
    for (f, axes) in &a.factors {
        for &axis in axes {
            if let Some(other) = used.iter().find(|u| u.0 == axis) {
                return Err(Clash::Dims(other.1, first[f]));
            }
            used.push((axis, first[f]));
        }
    }
    for axis in mesh.all_axes() {
        if let Some(set) = partial_set(rule, layouts, axis)? {
            if let Some(other) = used.iter().find(|u| u.0 == axis) {
                return Err(Clash::Dims(other.1, partials(layouts, axis)[0].0));
            }
            a.linear.insert(axis, set);
        }
    }
    if !rule.admits(&a, mesh) {
        let operand = layouts.iter().position(|l| !l.is_replicated()).unwrap_or(0);
        let dim = layouts.get(operand).and_then(|l| l.dims.iter().position(|d| !d.is_empty())).unwrap_or(0);
        return Err(Clash::Whole { operand, dim });
    }
    let demands = demands(rule, layouts, &a, &first);
    Ok((a, demands))
}

fn partials(layouts: &[&Layout], axis: Axis) -> Vec<(usize, Reduction)> {
    layouts.iter().enumerate().filter_map(|(i, l)| Some((i, *l.partial.get(&axis)?))).collect()
}

/// The set of operands in which the op is linear that are just those which are partial.
fn partial_set(rule: &FactorRule, layouts: &[&Layout], axis: Axis) -> Result<Option<usize>, Clash> {
    let partial = partials(layouts, axis);
    let Some(&(one, kind)) = partial.first() else { return Ok(None) };
    let operands: Vec<usize> = partial.iter().map(|p| p.0).collect();
    let fits = |i: &usize| {
        rule.set(*i).is_some_and(|(k, set)| {
            let mut set = set.to_vec();
            set.sort_unstable();
            k == kind && set == operands && partial.iter().all(|p| p.1 == kind)
        })
    };
    (0..rule.sets()).find(fits).map(Some).ok_or(Clash::Partial(one))
}

fn demands(
    rule: &FactorRule,
    layouts: &[&Layout],
    a: &Assignment,
    first: &std::collections::BTreeMap<usize, usize>,
) -> Vec<Demand> {
    let mut out = Vec::new();
    for (i, l) in layouts.iter().enumerate() {
        for (d, fs) in rule.operands[i].iter().enumerate() {
            let axes = major(rule, fs).and_then(|f| Some((a.factors.get(&f)?, first[&f])));
            if let (Some((axes, by)), true) = (axes, l.dims[d].is_empty()) {
                out.push(Demand { operand: i, dim: d, axes: axes.clone(), by });
            }
        }
    }
    out
}

/// Why a local op on plain tensors is not what PyTorch runs, though it is right: PyTorch does not know what a device has of the whole.
pub fn unlike_torch(op: &Op, local: &Op, rule: &FactorRule, a: &Assignment, backward: bool) -> Option<&'static str> {
    if local.reads_device() {
        return Some("which part of the whole a device has counts here, and a plain tensor does not say it");
    }
    let reduced = |f: &usize| matches!(rule.kinds[*f], FactorKind::Reduced(_));
    // Sums of gradients are linear, and what is made of them is looked at where they end. A sum of the forward pass may be a mean,
    // whose divisor would be that of a part.
    if !backward && matches!(op, Op::Reduce { .. }) && a.factors.keys().any(reduced) {
        return Some("each device reduces over its part alone, and nothing puts the parts together");
    }
    None
}
