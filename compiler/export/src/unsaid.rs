//! What of a plan no stack's words say: what lies in the host's memory, what is recomputed by itself, collectives of other kinds.
//!
//! The collectives of a plan are compared with those that the words of a [`Description`] stand for: what is left over is listed row by row,
//! so that nothing of a plan is passed over in silence. Sums of a few numbers are not, which every stack makes.

use crate::describe::{Description, Sharded, batch};
use crate::lost::{Lost, held, some};
use crate::modules::Style;
use meshloom_report::human::{bytes, micros};
use meshloom_report::{CollectiveReport, PlanReport};
use std::collections::BTreeMap;

/// What every stack does otherwise.
pub fn everywhere(d: &Description<'_>) -> Vec<Lost> {
    let mut out = Vec::new();
    host(d.plan, &mut out);
    inputs(d, &mut out);
    stationary(d, &mut out);
    recomputed(d, &mut out);
    collectives(d, &mut out);
    out
}

fn host(plan: &PlanReport, out: &mut Vec<Lost>) {
    let host: Vec<_> = plan.tensors.iter().filter(|t| t.in_host).collect();
    if !host.is_empty() {
        let names: Vec<String> = host.iter().map(|t| t.name.clone()).collect();
        let n = host.iter().map(|t| t.bytes_per_device).sum();
        out.push(Lost::new(
            format!("kept in the host's memory: {}", some(&names)),
            format!("{} more without offloading", held(n)),
        ));
    }
}

fn inputs(d: &Description<'_>, out: &mut Vec<Lost>) {
    for t in batch(d.plan) {
        let rows = t.layout.iter().take(1).flatten().filter(|a| !d.data.axes.contains(a));
        let other: Vec<String> = rows.chain(t.layout.iter().skip(1).flatten()).cloned().collect();
        if !other.is_empty() {
            let n = d.product(&other).saturating_sub(1);
            let what = format!("{} is split over {} too, and whole there in the stack", t.name, some(&other));
            out.push(Lost::new(what, format!("{} more", held(t.bytes_per_device.saturating_mul(n)))));
        }
    }
}

/// Parameters that the plan computes with where they lie, over an axis of the batch: the stack gathers them.
fn stationary(d: &Description<'_>, out: &mut Vec<Lost>) {
    let axes = &d.data.axes;
    let mut found: BTreeMap<&str, u64> = BTreeMap::new();
    for r in &d.plan.reads {
        if r.layout.iter().flatten().any(|a| axes.contains(a))
            && let Some(t) = d.plan.tensors.iter().find(|t| t.name == r.tensor)
        {
            let n = t.layout.iter().flatten().filter(|a| axes.contains(*a)).map(|a| d.size(a)).product::<u64>();
            found.insert(&r.tensor, t.bytes_per_device.saturating_mul(n.saturating_sub(1)));
        }
    }
    if !found.is_empty() {
        let names: Vec<String> = found.keys().map(ToString::to_string).collect();
        let what = format!(
            "computed with where they lie, split over {}, and gathered in the stack: {}",
            some(axes),
            some(&names)
        );
        out.push(Lost::new(what, format!("gathering them receives {}", bytes(found.values().sum::<u64>() as f64))));
    }
}

/// Values that are recomputed alone, where the stack recomputes whole layers or none.
fn recomputed(d: &Description<'_>, out: &mut Vec<Lost>) {
    let (gone, kept): (Vec<_>, Vec<_>) = d.plan.stashes.iter().partition(|s| s.recomputed);
    let sum = |all: &[&meshloom_report::StashReport]| all.iter().map(|s| s.bytes_per_device).sum::<u64>();
    if d.recomputes_layers && !kept.is_empty() {
        let what = format!("{} values are kept that a checkpointed layer computes again", kept.len());
        out.push(Lost::new(what, format!("{} less, and more time", held(sum(&kept)))));
    } else if !d.recomputes_layers && !gone.is_empty() {
        let names: Vec<String> = gone.iter().map(|s| s.name.clone()).collect();
        out.push(Lost::new(
            format!("recomputed by themselves, and kept in the stack: {}", some(&names)),
            format!("{} more", held(sum(&gone))),
        ));
    }
}

/// Rows of the plan's collectives that are none of those that the stack's words stand for.
fn collectives(d: &Description<'_>, out: &mut Vec<Lost>) {
    let mut rows: BTreeMap<u64, Vec<&CollectiveReport>> = BTreeMap::new();
    for c in d.plan.collectives.iter().filter(|c| !is_said(d, c)) {
        rows.entry(c.number).or_default().push(c);
    }
    for (number, row) in rows {
        let Some(c) = row.first() else { continue };
        let wire: f64 = row.iter().map(|c| c.wire_bytes_per_device).sum();
        let (all, alone): (f64, f64) =
            (row.iter().map(|c| c.predicted_us).sum(), row.iter().map(|c| c.exposed_us).sum());
        let place = c.source.as_ref().map_or(String::new(), |s| match &s.origin {
            Some(o) if !o.name.is_empty() => format!(", in {}", o.name),
            _ => format!(", at {}:{}", s.file, s.line),
        });
        let what = format!("{} #{number} over {}{place}", c.op, c.axes.join(", "));
        out.push(Lost::new(what, format!("{} sent, {} ({} exposed)", bytes(wire), micros(all), micros(alone))));
    }
}

/// Whether the stack makes such a collective for what it is told.
fn is_said(d: &Description<'_>, c: &CollectiveReport) -> bool {
    if c.bytes <= SMALL {
        return true;
    }
    let within = |axes: &[String]| !c.axes.is_empty() && c.axes.iter().all(|a| axes.contains(a));
    let batch = within(&d.data.axes);
    let sharded = d.data.sharded == Sharded::Parameters;
    let tensor = c.axes.len() == 1 && d.modules.iter().any(|m| m.style.axis() == c.axes.first().map(String::as_str));
    let sequence = d.sequence.is_some();
    let exchanges =
        d.modules.iter().any(|m| matches!(m.style, Style::Column { .. } | Style::Row { .. }) && m.style.gathers());
    match c.op.as_str() {
        "all_reduce" => batch || tensor,
        "all_gather" | "reduce_scatter" => (batch && sharded) || (tensor && (sequence || exchanges)),
        _ => false,
    }
}

/// Sums of a few numbers, such as a loss and a norm of gradients, are made by every stack.
const SMALL: u64 = 64;
