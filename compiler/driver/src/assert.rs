//! Whether a plan does what its source asserts, and whether a reshard in it is more expensive than it may be.
//!
//! Each finding is a diagnostic at the assertion, with the source lines of the collectives that break it.

use crate::failure::unscheduled;
use crate::program::{Bounds, HasPlan, Planned, Program};
use crate::{report, staged};
use meshloom_bundle::EntryKind;
use meshloom_ir::{Axis, Comparison, Layout, Mesh, Span};
use meshloom_plan::{CollectiveInfo, Plan, TensorPlan, explain};
use meshloom_report::human;
use meshloom_source::assertion::{Assert, Check, Name, Quantity, Scope};
use meshloom_source::{Diagnostic, suggest};
use meshloom_strategy::entry::Elaborated;

/// Guilty collectives that are shown.
const SHOWN: usize = 3;

/// Every assertion that a planned program breaks. One about memory is broken too where the target cannot run the program.
pub fn check<E: HasPlan>(program: &Program<E>) -> Vec<Diagnostic> {
    program.asserts.iter().flat_map(|a| one(program, a)).collect()
}

fn one<E: HasPlan>(program: &Program<E>, a: &Assert) -> Vec<Diagnostic> {
    let planned = || {
        let own = program.entries.iter().filter(|e| !e.elaborated().derived);
        own.map(|e| (e.planned(), &e.planned().plan))
    };
    match &a.check {
        Check::Layout { glob, constraint } => {
            let path = glob.segments.join(".");
            let mut found = false;
            let mut out = Vec::new();
            for (entry, plan) in planned() {
                for t in plan.tensors.iter().filter(|t| report::shown(t) && glob.matches(&t.name)) {
                    found = true;
                    let mesh = &entry.global.mesh;
                    let own = own_layout(entry, t);
                    let constraint = match &entry.pipeline {
                        // No layout of a step with stages names their axis.
                        Some(of) if constraint.names(of.axis) => None,
                        Some(of) => Some(constraint.on_mesh_without(of.axis)),
                        None => Some(constraint.clone()),
                    };
                    if !constraint.is_some_and(|c| c.effective(mesh).admits(&own)) {
                        out.push(layout(a, entry, mesh, t, &own));
                    }
                }
            }
            // Which intermediates there are depends on the entry, so a path may be missing from one, but not from all.
            if !found && planned().next().is_some() {
                let names: Vec<&str> = planned()
                    .flat_map(|(_, p)| &p.tensors)
                    .filter(|t| report::shown(t))
                    .map(|t| t.name.as_str())
                    .collect();
                let d = Diagnostic::error("assertion", format!("no tensor is called `{path}`")).at(glob.span, "");
                out.push(match suggest::nearest(&path, names) {
                    Some(n) => d.help(format!("did you mean `{n}`?")),
                    None => d.help("`meshloom plan --json` lists the names"),
                });
            }
            out
        }
        Check::Absent { kind, axis, scope } => planned()
            .filter(|(e, _)| !matches!(scope, Scope::Entry(n) if *n != e.name))
            .filter_map(|(e, plan)| {
                let axis = &axis.map(|a| on_own_mesh(e, a));
                let guilty: Vec<(&CollectiveInfo, f64)> = plan
                    .collectives
                    .iter()
                    .zip(e.sent())
                    .filter(|(c, _)| kind.as_ref().is_none_or(|k| k == c.does.name()))
                    .filter(|(c, _)| over(axis, c) && inside(scope, c))
                    .collect();
                let what = kind.as_deref().unwrap_or("collective");
                (!guilty.is_empty()).then(|| {
                    let message = format!("`{}` has {}", e.name, count(guilty.len(), what));
                    blame(
                        program,
                        Diagnostic::error("assertion", message).at(a.span, "asserted here"),
                        &e.global.mesh,
                        guilty,
                    )
                })
            })
            .collect(),
        Check::Bound { quantity, op, value } => {
            let own = program.entries.iter().filter(|e| !e.elaborated().derived);
            own.filter_map(|e| bound(program, a, e, quantity, *op, *value)).collect()
        }
    }
}

/// An axis of the source on the mesh of an entry's step; `None` for the axis of its stages.
pub(crate) fn on_own_mesh(e: &Elaborated, axis: Axis) -> Option<Axis> {
    e.pipeline.as_ref().map_or(Some(axis), |of| of.own_axis(axis))
}

/// Whether a collective is over the axis, if one is named.
fn over(axis: &Option<Option<Axis>>, c: &CollectiveInfo) -> bool {
    axis.is_none_or(|a| a.is_some_and(|a| c.axes.contains(&a)))
}

fn inside(scope: &Scope, c: &CollectiveInfo) -> bool {
    match scope {
        Scope::Everywhere | Scope::Entry(_) => true,
        Scope::Phase(p) => c.phase == *p,
        Scope::Bodies(spans) => {
            spans.iter().any(|s| s.file == c.span.file && s.start <= c.span.start && c.span.end <= s.end)
        }
    }
}

fn bound<E: HasPlan>(
    program: &Program<E>,
    a: &Assert,
    entry: &E,
    q: &Quantity,
    op: Comparison,
    value: f64,
) -> Option<Diagnostic> {
    let e = entry.planned();
    let (mesh, plan) = (e.mesh(), &e.plan);
    let own = |a: &Option<Axis>| a.map(|a| on_own_mesh(e, a));
    let (name, found, of): (String, f64, Vec<usize>) = match q {
        Quantity::WireBytes(axis) => {
            let of: Vec<usize> =
                (0..plan.collectives.len()).filter(|&k| over(&own(axis), &plan.collectives[k])).collect();
            let name = axis.map_or("wire_bytes".into(), |a| format!("wire_bytes({})", mesh.name(a)));
            // Messages between ranks go over the axis of the stages.
            let messages = axis.is_none_or(|a| e.pipeline.as_ref().is_some_and(|p| p.axis == a));
            let sent = e.most_of_a_device(|s| {
                let calls: f64 = of.iter().map(|&k| s.collectives[k].wire_bytes).sum();
                calls + if messages { s.messages as f64 } else { 0.0 }
            });
            (name, sent, of)
        }
        Quantity::PeakBytes => match report::peak(entry) {
            Ok(bytes) => ("peak_bytes".into(), bytes as f64, Vec::new()),
            Err(e) => return Some(unscheduled(e)),
        },
        Quantity::Collectives { kind, axis } => {
            let is = |c: &CollectiveInfo| kind.as_ref().is_none_or(|k| k == c.does.name()) && over(&own(axis), c);
            let of: Vec<usize> = (0..plan.collectives.len()).filter(|&k| is(&plan.collectives[k])).collect();
            let times = e.most_of_a_device(|s| of.iter().map(|&k| s.collectives[k].times as f64).sum());
            let parts: Vec<&str> = kind.as_deref().into_iter().chain(axis.map(|a| mesh.name(a))).collect();
            let name =
                if parts.is_empty() { "collectives".into() } else { format!("collectives({})", parts.join(", ")) };
            (name, times, of)
        }
        Quantity::Stages(_) | Quantity::Bubble if e.kind != EntryKind::Train => return None,
        Quantity::Stages(list) => {
            if let Some(d) = list.as_ref().and_then(|l| no_list(e, l)) {
                return Some(d);
            }
            let own = e.pipeline.as_ref().filter(|of| list.as_ref().is_none_or(|l| l.text == of.list));
            let name = list.as_ref().map_or("stages".into(), |l| format!("stages({})", l.text));
            (name, own.map_or(1.0, |of| of.sizes.len() as f64), Vec::new())
        }
        Quantity::Bubble => {
            let simulated = e.pipeline.as_ref().and_then(|of| of.at_unit_times().ok());
            ("bubble".into(), simulated.map_or(0.0, |s| staged::bubble(&s)), Vec::new())
        }
    };
    let message = unmet(&e.name, &name, q, op, found, value)?;
    let sent = e.sent();
    let guilty = of.iter().map(|&k| (&plan.collectives[k], sent[k])).collect();
    Some(blame(program, Diagnostic::error("assertion", message).at(a.span, "asserted here"), &e.global.mesh, guilty))
}

/// What there is of a quantity, `found`, where that is not as much as the `value` that was asserted.
pub(crate) fn unmet(entry: &str, name: &str, q: &Quantity, op: Comparison, found: f64, value: f64) -> Option<String> {
    if op.holds(&found, &value) {
        return None;
    }
    let show = |x: f64| match q {
        _ if q.is_bytes() => human::bytes(x),
        Quantity::Bubble => format!("{:.3}", x),
        _ => format!("{x}"),
    };
    let mut shown = (show(found), show(value));
    if shown.0 == shown.1 {
        // Rounded they look alike.
        let unit = if q.is_bytes() { " B" } else { "" };
        shown = (format!("{found}{unit}"), format!("{value}{unit}"));
    }
    Some(format!("{name} of `{entry}` is {}, not {} {}", shown.0, op.symbol(), shown.1))
}

/// What says that an entry has no list of this path.
fn no_list(e: &Planned, list: &Name) -> Option<Diagnostic> {
    let stacked = e.elaborated.inputs.iter().filter(|p| p.stacked);
    let paths: Vec<&str> = stacked.filter_map(|p| p.name.split(".*").next()).collect();
    if paths.contains(&list.text.as_str()) {
        return None;
    }
    let d = Diagnostic::error("assertion", format!("`{}` has no list of layers `{}`", e.name, list.text));
    let d = d.at(list.span, "no such list");
    Some(match suggest::nearest(&list.text, paths) {
        Some(n) => d.did_you_mean(n),
        None => d,
    })
}

/// Adds the most expensive of the collectives that make up what was found.
fn blame<E>(program: &Program<E>, mut d: Diagnostic, mesh: &Mesh, guilty: Vec<(&CollectiveInfo, f64)>) -> Diagnostic {
    let mut sorted = guilty;
    sorted.sort_by(|a, b| b.1.total_cmp(&a.1));
    let mut spans: Vec<Span> = Vec::new();
    for &(c, sent) in sorted.iter().take(SHOWN) {
        let text = describe(program, c, sent, mesh);
        if c.span.is_none() || spans.contains(&c.span) {
            d = d.note(text);
        } else {
            spans.push(c.span);
            d = d.also(c.span, text);
        }
    }
    match sorted.len().saturating_sub(SHOWN) {
        0 => d,
        n => d.note(format!("and {n} more; `meshloom plan` lists them")),
    }
}

/// `all_gather over data, 64 KiB in the backward pass: dim 0 is split over data, and add needs it replicated`
fn describe<E>(program: &Program<E>, c: &CollectiveInfo, sent: f64, mesh: &Mesh) -> String {
    let axes: Vec<&str> = c.axes.iter().map(|&a| mesh.name(a)).collect();
    let phase = match c.phase.name() {
        "forward" => String::new(),
        phase => format!(" in the {phase} pass"),
    };
    let why = c.why.told(&|span| report::called(program, span));
    format!("{} over {}, {}{phase}: {why}", c.does.name(), axes.join(", "), human::bytes(sent))
}

fn layout(a: &Assert, entry: &Planned, mesh: &Mesh, t: &TensorPlan, own: &Layout) -> Diagnostic {
    let message = format!("`{}` of `{}` is laid out {}", t.name, entry.name, own.show(mesh));
    let d = Diagnostic::error("assertion", message).at(a.span, "asserted here").also(t.span, "this tensor");
    d.help(format!("`meshloom explain` says why: `explain FILE {}`", t.name))
}

/// The layout as it is written: of one entry, where the tensor is a list of them.
fn own_layout(entry: &Planned, t: &TensorPlan) -> Layout {
    let mut l = t.layout.clone();
    let stacked = entry.global.inputs.iter().any(|p| p.stacked && p.name == t.name);
    if (stacked || t.name.contains('*')) && !l.dims.is_empty() {
        l.dims.remove(0);
    }
    l
}

/// Reshards above the bounds: what only moves data to where the next op wants it. Sums over what was contracted are the
/// program's own, and not meant.
pub fn reshards(program: &Program<Planned>, bounds: Bounds) -> Vec<Diagnostic> {
    let mut out = Vec::new();
    for e in &program.entries {
        let plan = &e.plan;
        let all = plan.collectives.iter().zip(e.sent());
        for (c, sent) in all.filter(|(c, _)| c.does.effect().reduced.is_none()) {
            let above = |b: Option<u64>| b.filter(|b| sent > *b as f64);
            let (d, bound) = match (above(bounds.deny), above(bounds.warn)) {
                (Some(b), _) => (Diagnostic::error("reshard", message(e, plan, c, sent)), b),
                (None, Some(b)) => (Diagnostic::warning("reshard", message(e, plan, c, sent)), b),
                (None, None) => continue,
            };
            let place = program.locate(c.span).map_or(String::new(), |s| format!("@{}", s.line));
            out.push(
                d.at(c.span, describe(program, c, sent, &e.global.mesh))
                    .note(format!("the bound is {}", human::bytes(bound as f64)))
                    .help(format!("`meshloom explain {} {}{place}` prices other layouts", program.path, c.does.name())),
            );
        }
    }
    out
}

fn message(e: &Planned, plan: &Plan, c: &CollectiveInfo, sent: f64) -> String {
    let func = explain::program(&e.global, plan);
    let own = |v| explain::root(func, v) == explain::root(func, c.global);
    let next = func.outputs.iter().zip(&func.body().yields).find(|(_, y)| own(**y));
    // The next value of a parameter has no name of its own.
    let tensor = next.and_then(|(p, _)| p.updates).map_or(c.tensor.as_str(), |i| &func.inputs[i].name);
    format!("resharding `{tensor}` moves {} per device in a step of `{}`", human::bytes(sent), e.name)
}

fn count(n: usize, what: &str) -> String {
    if n == 1 { format!("1 {what}") } else { format!("{n} {what}s") }
}
