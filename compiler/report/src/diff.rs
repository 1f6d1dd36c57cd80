//! What changed from one plan to another: tensors with another layout, collectives that were added, removed or changed,
//! and the totals. Source lines do not count: a plan whose lines moved is the same plan.

use crate::human;
use crate::model::{CollectiveReport, PlanReport, SourcePlace, TensorReport};
use crate::table::{Align, Table};
use serde::Serialize;
use std::fmt::Write;

#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Difference {
    pub entry: String,
    /// `data=2 x model=4`, where they differ.
    pub mesh: Option<Change<String>>,
    pub target: Option<Change<String>>,
    /// In the order of the second plan, then what only the first has.
    pub tensors: Vec<TensorChange>,
    pub collectives: Vec<CollectiveChange>,
    /// All of them where any differs.
    pub totals: Vec<TotalChange>,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Change<T> {
    pub before: T,
    pub after: T,
}

/// A tensor's layout and bytes on each side; `None` where it is not in the plan.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct TensorChange {
    pub name: String,
    pub role: String,
    pub layout: Change<Option<String>>,
    pub bytes_per_device: Change<Option<u64>>,
}

/// Collectives that are alike, counted together; `None` where there is none.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct CollectiveChange {
    /// `added`, `removed` or `changed`.
    pub what: String,
    pub before: Option<CollectiveGroup>,
    pub after: Option<CollectiveGroup>,
}

#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct CollectiveGroup {
    pub op: String,
    pub axes: Vec<String>,
    pub count: u64,
    pub times_per_step: u64,
    #[serde(serialize_with = "crate::model::number")]
    pub wire_bytes_per_device: f64,
    pub phase: String,
    pub source: Option<SourcePlace>,
    pub why: String,
}

#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct TotalChange {
    /// Its key in the JSON of a plan.
    pub name: String,
    #[serde(serialize_with = "crate::model::rounded_option")]
    pub before: Option<f64>,
    #[serde(serialize_with = "crate::model::rounded_option")]
    pub after: Option<f64>,
    /// After over before.
    #[serde(serialize_with = "crate::model::rounded_option")]
    pub ratio: Option<f64>,
}

impl Difference {
    /// Whether the two plans do the same. A figure that one side does not know is no difference.
    pub fn is_empty(&self) -> bool {
        let changed = |t: &TotalChange| matches!((t.before, t.after), (Some(a), Some(b)) if a != b);
        let same = self.mesh.is_none() && self.target.is_none();
        same && self.tensors.is_empty() && self.collectives.is_empty() && !self.totals.iter().any(changed)
    }
}

pub fn diff(before: &PlanReport, after: &PlanReport) -> Difference {
    let change =
        |a: String, b: String| (a != b && !a.is_empty() && !b.is_empty()).then_some(Change { before: a, after: b });
    let mesh = |r: &PlanReport| {
        let axes: Vec<String> = r.mesh.axes.iter().map(|a| format!("{}={}", a.name, a.size)).collect();
        if axes.is_empty() { "1 device".into() } else { axes.join(" x ") }
    };
    let entry = match before.entry == after.entry {
        true => after.entry.clone(),
        false => format!("{} -> {}", before.entry, after.entry),
    };
    Difference {
        entry,
        mesh: change(mesh(before), mesh(after)),
        target: change(before.target.clone(), after.target.clone()),
        tensors: tensors(before, after),
        collectives: collectives(&before.collectives, &after.collectives),
        totals: totals(before, after),
    }
}

/// Tensors are matched by role and name; several of one name (a shadowed `x`) in their order.
fn tensors(before: &PlanReport, after: &PlanReport) -> Vec<TensorChange> {
    // What is made from a bundle has no intermediates.
    let knows = |r: &PlanReport| r.tensors.iter().any(|t| t.role == "activation");
    let listed = |t: &&TensorReport| t.role != "activation" || (knows(before) && knows(after));
    let mut old: Vec<Option<&TensorReport>> = before.tensors.iter().filter(listed).map(Some).collect();
    let mut out = Vec::new();
    let mut put = |a: Option<&TensorReport>, b: Option<&TensorReport>| {
        let same = matches!((a, b), (Some(a), Some(b))
            if (&a.layout, &a.partial, &a.local_shape) == (&b.layout, &b.partial, &b.local_shape));
        if let (false, Some(t)) = (same, a.or(b)) {
            out.push(TensorChange {
                name: t.name.clone(),
                role: t.role.clone(),
                layout: Change { before: a.map(show_layout), after: b.map(show_layout) },
                bytes_per_device: Change {
                    before: a.map(|t| t.bytes_per_device),
                    after: b.map(|t| t.bytes_per_device),
                },
            });
        }
    };
    for t in after.tensors.iter().filter(listed) {
        let found = old.iter_mut().find(|o| o.is_some_and(|o| o.name == t.name && o.role == t.role));
        put(found.and_then(Option::take), Some(t));
    }
    old.into_iter().flatten().for_each(|t| put(Some(t), None));
    out
}

/// The layout as it is written in a source; of one entry where the tensor is a list of them.
pub fn show_layout(t: &TensorReport) -> String {
    crate::text::stacked(t).2
}

/// Pairs collectives that are the same but for their place first, then those that one op has on both sides. The rest was
/// added or removed.
fn collectives(before: &[CollectiveReport], after: &[CollectiveReport]) -> Vec<CollectiveChange> {
    type C = CollectiveReport;
    let mut old: Vec<Option<&C>> = before.iter().map(Some).collect();
    let mut new: Vec<Option<&C>> = after.iter().map(Some).collect();
    let line = |c: &C| c.source.as_ref().map(|s| (s.file.clone(), s.line));
    let alike = |a: &C, b: &C| {
        (&a.op, &a.axes, &a.dtype, a.bytes, a.times_per_step, &a.phase)
            == (&b.op, &b.axes, &b.dtype, b.bytes, b.times_per_step, &b.phase)
            && a.wire_bytes_per_device == b.wire_bytes_per_device
    };
    let mut changed: Vec<(&C, &C)> = Vec::new();
    type Rule<'r> = &'r dyn Fn(&C, &C) -> bool;
    let rules: [Rule<'_>; 3] = [&|a, b| alike(a, b) && line(a) == line(b), &|a, b| alike(a, b), &|a, b| {
        line(a) == line(b) && a.phase == b.phase && (a.op == b.op || a.axes == b.axes)
    }];
    for (i, same) in rules.iter().enumerate() {
        for o in &mut old {
            let Some(a) = *o else { continue };
            let found = new.iter_mut().find(|n| n.is_some_and(|b| same(a, b)));
            if let Some(b) = found.and_then(Option::take) {
                *o = None;
                if i == 2 {
                    changed.push((a, b));
                }
            }
        }
    }
    let mut out: Vec<CollectiveChange> = Vec::new();
    let all = changed.into_iter().map(|(a, b)| (Some(a), Some(b)));
    let all = all.chain(old.into_iter().flatten().map(|a| (Some(a), None)));
    for (a, b) in all.chain(new.into_iter().flatten().map(|b| (None, Some(b)))) {
        let what = match (a, b) {
            (Some(_), Some(_)) => "changed",
            (Some(_), None) => "removed",
            _ => "added",
        };
        let same = |x: &Option<CollectiveGroup>, c: Option<&C>| match (x, c) {
            (Some(x), Some(c)) => {
                (&x.op, &x.axes, &x.phase, x.times_per_step, &x.why)
                    == (&c.op, &c.axes, &c.phase, c.times_per_step, &c.why)
                    && x.source == c.source
            }
            (None, None) => true,
            _ => false,
        };
        match out.iter_mut().find(|g| g.what == what && same(&g.before, a) && same(&g.after, b)) {
            Some(g) => {
                for (x, c) in [(&mut g.before, a), (&mut g.after, b)] {
                    if let (Some(x), Some(c)) = (x, c) {
                        x.count += 1;
                        x.wire_bytes_per_device += c.wire_bytes_per_device;
                    }
                }
            }
            None => out.push(CollectiveChange { what: what.into(), before: a.map(first), after: b.map(first) }),
        }
    }
    let weight = |c: &CollectiveChange| {
        let wire = |x: &Option<CollectiveGroup>| x.as_ref().map_or(0.0, |x| x.wire_bytes_per_device);
        (wire(&c.after) - wire(&c.before)).abs()
    };
    out.sort_by(|a, b| weight(b).total_cmp(&weight(a)));
    out
}

fn first(c: &CollectiveReport) -> CollectiveGroup {
    CollectiveGroup {
        op: c.op.clone(),
        axes: c.axes.clone(),
        count: 1,
        times_per_step: c.times_per_step,
        wire_bytes_per_device: c.wire_bytes_per_device,
        phase: c.phase.clone(),
        source: c.source.clone(),
        why: c.why.clone(),
    }
}

/// Predictions are compared as they are printed, to a nanosecond.
fn totals(before: &PlanReport, after: &PlanReport) -> Vec<TotalChange> {
    let (a, b) = (&before.totals, &after.totals);
    let micros = |us: f64| (us > 0.0).then(|| (us * 1e3).round() / 1e3);
    let row = |name: &str, before: Option<f64>, after: Option<f64>| TotalChange {
        name: name.into(),
        before,
        after,
        ratio: before.zip(after).filter(|(a, _)| *a > 0.0).map(|(a, b)| b / a),
    };
    let bytes = |x: Option<u64>| x.map(|x| x as f64);
    let rows = vec![
        row("wire_bytes_per_device", Some(a.wire_bytes_per_device), Some(b.wire_bytes_per_device)),
        row("peak_bytes_per_device", bytes(a.peak_bytes_per_device), bytes(b.peak_bytes_per_device)),
        row("predicted_step_us", micros(a.predicted_step_us), micros(b.predicted_step_us)),
        row("flops_per_device", Some(a.flops_per_device as f64), Some(b.flops_per_device as f64)),
    ];
    if rows.iter().any(|r| matches!((r.before, r.after), (Some(a), Some(b)) if a != b)) { rows } else { Vec::new() }
}

/// Tensors and collectives that are shown before the rest is counted.
const SHOWN: usize = 24;

/// The difference for people, every line ended by a newline; empty where there is none.
pub fn text(d: &Difference) -> String {
    if d.is_empty() {
        return String::new();
    }
    use Align::{Left, Right};
    let mut out = vec![d.entry.clone()];
    for c in [&d.mesh, &d.target].into_iter().flatten() {
        let _ = write!(out[0], ": {} -> {}", c.before, c.after);
    }
    let section = |out: &mut Vec<String>, t: &Table, more: usize| {
        out.push(String::new());
        out.extend(t.lines());
        if more > 0 {
            out.push(format!("  ... {more} more"));
        }
    };
    if !d.tensors.is_empty() {
        let mut t =
            Table::new(&[("tensors", Left), ("", Left), ("before", Left), ("after", Left), ("per device", Left)]);
        for c in d.tensors.iter().take(SHOWN) {
            let layout = |l: &Option<String>| l.clone().unwrap_or("-".into());
            let size = |b: Option<u64>| b.map_or("-".to_string(), |b| human::bytes(b as f64));
            let bytes = match (c.bytes_per_device.before, c.bytes_per_device.after) {
                (a, b) if a == b => size(a),
                (a, b) => format!("{} -> {}", size(a), size(b)),
            };
            t.row([c.name.clone(), c.role.clone(), layout(&c.layout.before), layout(&c.layout.after), bytes]);
        }
        section(&mut out, &t, d.tensors.len().saturating_sub(SHOWN));
    }
    if !d.collectives.is_empty() {
        let columns = [
            ("collectives", Left),
            ("axis", Left),
            ("times", Right),
            ("wire/device", Right),
            ("where", Left),
            ("why", Left),
        ];
        let mut t = Table::new(&columns);
        for c in d.collectives.iter().take(SHOWN) {
            for (sign, x) in [('-', &c.before), ('+', &c.after)] {
                t.rows.extend(x.as_ref().map(|x| collective(sign, x)));
            }
        }
        section(&mut out, &t, d.collectives.len().saturating_sub(SHOWN));
    }
    if !d.totals.is_empty() {
        let mut t = Table::new(&[("totals", Left), ("before", Right), ("after", Right), ("ratio", Right)]);
        for x in &d.totals {
            let (name, show): (&str, &dyn Fn(f64) -> String) = match x.name.as_str() {
                "wire_bytes_per_device" => ("wire/device", &human::bytes),
                "peak_bytes_per_device" => ("peak", &human::bytes),
                "predicted_step_us" => ("step", &human::micros),
                _ => ("operations", &human::count),
            };
            let side = |v: Option<f64>| v.map_or("?".to_string(), show);
            let ratio = x.ratio.map_or(String::new(), |r| format!("{r:.2}"));
            t.row([name.to_string(), side(x.before), side(x.after), ratio]);
        }
        section(&mut out, &t, 0);
    }
    out.iter().flat_map(|l| [l.as_str(), "\n"]).collect()
}

fn collective(sign: char, x: &CollectiveGroup) -> Vec<String> {
    let times = match (x.count, x.times_per_step) {
        (1, n) | (n, 1) => n.to_string(),
        (k, n) => format!("{k}x{n}"),
    };
    let place = x.source.as_ref().map(|s| format!("{}:{}", s.file, s.line));
    let at = match (place, x.phase.as_str()) {
        (Some(p), "forward") => p,
        (Some(p), phase) => format!("{phase} of {p}"),
        (None, phase) => phase.to_string(),
    };
    vec![format!("{sign} {}", x.op), x.axes.join(", "), times, human::bytes(x.wire_bytes_per_device), at, x.why.clone()]
}
