//! What each module of a plan is in tensor parallelism: column-parallel, row-parallel, a vocabulary split over devices, or whole.
//!
//! It follows from how the plan reads a module's parameters, not from what modules are called. A split result is left split only where
//! the plan computes on with it, without an exchange, up to row-parallel layers. Everywhere else the module gives its whole result,
//! which is right whatever the code behind it does.
//!
//! Not here: what that is called in a stack (the writers).

use crate::paths;
use meshloom_report::{EndReport, PlanReport, ReadReport, TensorReport};
use std::collections::{BTreeMap, BTreeSet};

/// A module, or the same one of all layers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Module {
    /// `model.layers.*.mlp.up_proj`
    pub path: String,
    pub style: Style,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Style {
    /// The dim of the result is split. `inputs_first`: the weight is `[inputs, outputs]`, which is no `nn.Linear`.
    Column { axis: String, inputs_first: bool, output: Output },
    /// The dim that is summed over is split. `fed`: its input comes split.
    Row { axis: String, inputs_first: bool, fed: bool },
    /// A table of which each device has some rows.
    Vocabulary { axis: String },
    /// A table of which each device has some columns.
    TableColumns { axis: String },
    /// Entry by entry, on what column-parallel modules beside it left split by a dim.
    Inside { axis: String, dim: usize },
    /// Entry by entry, on the layers' input. `feeds`: other modules' matrices are all that takes its result.
    Norm { feeds: bool },
    /// It computes with whole parameters.
    Whole,
    /// Parameters of a module that no op above reads alone.
    Plain,
}

/// What becomes of a column-parallel module's result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Output {
    Split,
    Gathered,
    /// It is split until the loss is a number.
    Loss,
}

impl Style {
    /// The axis over which the module is split.
    pub fn axis(&self) -> Option<&str> {
        match self {
            Style::Column { axis, .. }
            | Style::Row { axis, .. }
            | Style::Vocabulary { axis }
            | Style::TableColumns { axis }
            | Style::Inside { axis, .. } => Some(axis),
            Style::Norm { .. } | Style::Whole | Style::Plain => None,
        }
    }

    /// Whether a whole activation is made of its result.
    pub fn gathers(&self) -> bool {
        matches!(self, Style::Column { output: Output::Gathered, .. } | Style::TableColumns { .. })
    }
}

/// What is known of a module before its neighbours are looked at.
struct Seen<'p> {
    path: String,
    style: Style,
    /// The end of a column's split.
    end: Option<&'p EndReport>,
    weight: String,
}

/// All modules of a plan's parameters, in the order of their first parameters; and tensors that are split in a way that no style has.
pub fn modules(plan: &PlanReport, parameters: &[&TensorReport], axes: &[String]) -> (Vec<Module>, Vec<String>) {
    let mut seen: Vec<Seen<'_>> = Vec::new();
    let mut strange = Vec::new();
    let mut by_path: BTreeMap<&str, Vec<&TensorReport>> = BTreeMap::new();
    let mut order = Vec::new();
    for &t in parameters {
        let path = paths::split(&t.name).0;
        if !by_path.contains_key(path) {
            order.push(path);
        }
        by_path.entry(path).or_default().push(t);
    }
    for path in order {
        let own = &by_path[path];
        let (made, other) = of_module(plan, path, own, axes);
        seen.extend(made);
        strange.extend(other);
    }
    settle(&mut seen);
    (gathered(seen), strange)
}

/// A module by how its parameters are read: one style, or two of a table that is a head as well.
fn of_module<'p>(
    plan: &'p PlanReport,
    path: &str,
    own: &[&'p TensorReport],
    axes: &[String],
) -> (Vec<Seen<'p>>, Vec<String>) {
    let reads = |t: &TensorReport| plan.reads.iter().filter(|r| r.tensor == t.name).collect::<Vec<_>>();
    let (mut out, mut strange) = (Vec::new(), Vec::new());
    let mut tabled = false;
    for t in own {
        let first = usize::from(paths::is_stacked(&t.name));
        let rank = t.shape.len().saturating_sub(first);
        let split =
            |r: &ReadReport, d: usize| r.layout.get(d).and_then(|l| l.iter().find(|a| axes.contains(a))).cloned();
        let stored = |d: usize| t.layout.get(d).and_then(|l| l.iter().find(|a| axes.contains(a))).cloned();
        for r in reads(t) {
            if r.op == "elementwise" {
                continue;
            }
            let found = (first..t.shape.len()).find_map(|d| split(r, d).or_else(|| stored(d)).map(|a| (d, a)));
            if rank != 2 {
                if found.is_some() {
                    strange.push(t.name.clone());
                }
                continue;
            }
            let contracted = |d: usize| r.contracted.contains(&(d as u64));
            let inputs_first = contracted(first);
            let style = match (r.op.as_str(), found) {
                (_, None) => Style::Whole,
                ("lookup", Some((d, axis))) if d == first => Style::Vocabulary { axis },
                ("lookup", Some((_, axis))) => Style::TableColumns { axis },
                (_, Some((d, axis))) if contracted(d) => Style::Row { axis, inputs_first, fed: false },
                (_, Some((_, axis))) => Style::Column { axis, inputs_first, output: Output::Gathered },
            };
            let end = r.ends.iter().find(|e| Some(e.axis.as_str()) == style.axis());
            // A tied head reads the table's weight under a name of its own.
            let traced = r.source.as_ref().and_then(|s| s.origin.as_ref()).and_then(|o| paths::traced(&o.name));
            let path =
                if tabled && r.op == "contraction" { traced.unwrap_or_else(|| path.into()) } else { path.into() };
            tabled |= r.op == "lookup";
            if !out.iter().any(|s: &Seen<'_>| s.path == path) {
                out.push(Seen { path, style, end, weight: t.name.clone() });
            }
        }
    }
    if out.is_empty() {
        let style = elementwise(plan, own, axes);
        out.push(Seen { path: path.into(), style, end: None, weight: String::new() });
    }
    (out, strange)
}

/// A module without a matrix: a norm, one inside of split heads, or nothing that has a style.
fn elementwise(plan: &PlanReport, own: &[&TensorReport], axes: &[String]) -> Style {
    let first = |t: &TensorReport| usize::from(paths::is_stacked(&t.name));
    let reads: Vec<&ReadReport> =
        plan.reads.iter().filter(|r| r.op == "elementwise" && own.iter().any(|t| t.name == r.tensor)).collect();
    if reads.is_empty() || own.iter().any(|t| t.shape.len() != first(t) + 1) {
        return Style::Plain;
    }
    let at = |r: &ReadReport| {
        let dims = r.with.iter().enumerate();
        dims.filter_map(|(d, l)| Some((d, l.iter().find(|a| axes.contains(a))?.clone()))).next()
    };
    match reads.iter().find_map(|r| at(r).filter(|_| r.with.len() > 3)) {
        Some((dim, axis)) => Style::Inside { axis, dim },
        None => Style::Norm { feeds: reads.iter().any(|r| r.only_contracted) },
    }
}

/// Decides together which columns leave their results split and which rows take them so, until nothing changes: all columns that lead to a
/// row have to, and all rows that a column leads to.
fn settle(seen: &mut [Seen<'_>]) {
    let rows: BTreeMap<String, String> = seen
        .iter()
        .filter_map(|s| match &s.style {
            Style::Row { axis, .. } => Some((s.weight.clone(), axis.clone())),
            _ => None,
        })
        .collect();
    let leads = |s: &Seen<'_>| match (&s.style, s.end) {
        (Style::Column { axis, .. }, Some(e)) => {
            let to = &e.contracted_with;
            !e.exchanged && !e.reduced && !to.is_empty() && to.iter().all(|t| rows.get(t) == Some(axis))
        }
        _ => false,
    };
    let mut kept: Vec<bool> = seen.iter().map(leads).collect();
    let targets: Vec<Vec<String>> =
        seen.iter().map(|s| s.end.map_or(Vec::new(), |e| e.contracted_with.clone())).collect();
    let fed = loop {
        let of = |wanted: bool| {
            let columns = seen.iter().zip(&kept).zip(&targets);
            let columns = columns.filter(|((s, k), _)| **k == wanted && matches!(s.style, Style::Column { .. }));
            columns.flat_map(|(_, to)| to.iter().cloned()).collect::<BTreeSet<String>>()
        };
        let (mut fed, broken) = (of(true), of(false));
        fed.retain(|t| !broken.contains(t));
        let next: Vec<bool> =
            kept.iter().zip(&targets).map(|(k, to)| *k && to.iter().all(|t| fed.contains(t))).collect();
        if next == kept {
            break fed;
        }
        kept = next;
    };
    for (s, kept) in seen.iter_mut().zip(kept) {
        let to_loss = s.end.is_some_and(|e| e.reduced && !e.exchanged && e.contracted_with.is_empty());
        let stacked = paths::is_stacked(&s.path);
        match &mut s.style {
            Style::Column { output, .. } if kept => *output = Output::Split,
            Style::Column { output, .. } if to_loss && !stacked => *output = Output::Loss,
            Style::Row { fed: is, .. } => *is = fed.contains(&s.weight),
            _ => {}
        }
    }
}

/// Modules by their patterns, where all layers have one style; else each by its own path.
fn gathered(seen: Vec<Seen<'_>>) -> Vec<Module> {
    let mut styles: BTreeMap<String, Vec<Style>> = BTreeMap::new();
    for s in &seen {
        let of = styles.entry(paths::pattern(&s.path)).or_default();
        if !of.contains(&s.style) {
            of.push(s.style.clone());
        }
    }
    let mut out: Vec<Module> = Vec::new();
    for s in seen {
        let pattern = paths::pattern(&s.path);
        let path = if styles[&pattern].len() == 1 { pattern } else { s.path };
        if !out.iter().any(|m| m.path == path) {
            out.push(Module { path, style: s.style });
        }
    }
    out
}
