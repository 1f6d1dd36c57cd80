//! The table that `plan` prints: layouts and who decided them, collectives and their reasons, memory and time. Rows are
//! sorted by bytes, and the table is short: rows that are left out are counted.

use crate::human;
use crate::model::{
    AskedReport, CollectiveReport, Iterations, LevelReport, PlanReport, SourcePlace, StashReport, TensorReport,
    with_band,
};
use crate::pipeline;
use crate::table::{Align, Table};
use meshloom_ir::layout::text::{show, show_dim};
use serde::Serialize;

/// What the table shows beside the report.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Shown {
    /// `train step`, `function`.
    pub kind: String,
    /// Name of the layout block in use.
    pub layout: Option<String>,
    /// Of the device arena; known once the program is scheduled.
    pub memory: Option<Memory>,
    pub time: Option<Time>,
    /// Bytes of a device that programs can have.
    pub room: Option<u64>,
    /// Every row, intermediates too.
    pub all: bool,
}

/// One device's peak and what it is made of, in bytes.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct Memory {
    pub parameters: u64,
    pub state: u64,
    pub gradients: u64,
    pub activations: u64,
    /// Inputs and outputs of the step.
    pub data: u64,
    pub scratch: u64,
    /// In the host's memory, beside the peak.
    pub host: u64,
    /// Where the peak is.
    pub at: Option<String>,
}

/// One step, in microseconds.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Time {
    pub compute: f64,
    pub communication: f64,
    /// Copies to and from the host's memory.
    pub host: f64,
    /// Communication and copies that run under computation.
    pub hidden: f64,
}

/// Rows of a section before the rest is only counted.
const ROWS: usize = 10;

/// The table, every line ended by a newline.
pub fn text(r: &PlanReport, shown: &Shown) -> String {
    let mut out = vec![header(r, shown), String::new()];
    let of = |role: &'static str| r.tensors.iter().filter(move |t| t.role == role);
    let parameters: Vec<&TensorReport> = of("parameter").collect();
    let (following, own): (Vec<&TensorReport>, Vec<&TensorReport>) = of("state").partition(|s| follows(s, &parameters));
    let state: u64 = following.iter().map(|t| t.bytes_per_device).sum();
    // Tensors of a pipeline are on different ranks, and no device has their sum.
    let summed = r.pipeline.is_none();
    let note = match (state, summed) {
        (0, true) => String::new(),
        (_, true) => format!("state {} follows its parameters", human::bytes(state as f64)),
        (0, false) => "on the rank that has most of it".to_string(),
        (_, false) => "on the rank that has most of it; state follows its parameters".to_string(),
    };
    let rows = Rows { all: shown.all, summed };
    section(&mut out, "parameters", &parameters, rows, &note);
    section(&mut out, "state", &own, rows, "");
    section(&mut out, "inputs", &of("input").collect::<Vec<_>>(), rows, "");
    section(&mut out, "outputs", &of("output").filter(|t| !t.shape.is_empty()).collect::<Vec<_>>(), rows, "");
    if shown.all {
        section(&mut out, "activations", &of("activation").collect::<Vec<_>>(), Rows { all: true, summed }, "");
    }
    collectives(&mut out, r, shown);
    if let Some(of) = &r.pipeline {
        out.extend(pipeline::lines(of));
    }
    out.extend(memory(r, shown));
    out.extend(asked(r));
    out.extend(recomputed(r));
    if r.last_apart {
        out.push("apart     the last microbatch, from the loop over the others: its sums over devices are taken beside its backward pass".into());
    }
    out.push(time(r, shown));
    out.extend(r.totals.profile.as_ref().map(|p| format!("band      {}", p.from())));
    out.extend(levels(r));
    out.extend(speed(r));
    for e in &r.expanded {
        let place = e.source.as_ref().map_or(String::new(), |s| format!(" of {}:{}", s.file, s.line));
        let (name, why) = (&e.name, &e.why);
        out.push(format!("expanded  {name}{place} into the ops of its body, whose scores are kept in memory: {why}"));
    }
    for limit in &r.limits {
        out.push(format!("limit     {limit}"));
    }
    out.iter().flat_map(|l| [l.as_str(), "\n"]).collect()
}

fn header(r: &PlanReport, shown: &Shown) -> String {
    let axes: Vec<String> = r.mesh.axes.iter().map(|a| format!("{}={}", a.name, a.size)).collect();
    let devices = match r.mesh.devices {
        1 => "1 device".to_string(),
        n => format!("{n} devices, {}", axes.join(" x ")),
    };
    let kind = if shown.kind.is_empty() { String::new() } else { format!("{} ", shown.kind) };
    let mut s = format!("{}: {kind}on {devices}, target {}", r.entry, r.target);
    if let Some(l) = &shown.layout {
        s += &format!(", layout {l}");
    }
    let c = &r.certificate;
    let gap = 80usize.saturating_sub(s.chars().count()).max(6);
    s + &" ".repeat(gap) + &format!("certificate {}, {} step{}", c.status, c.steps, plural(c.steps))
}

fn plural(n: u64) -> &'static str {
    if n == 1 { "" } else { "s" }
}

/// Whether a state tensor has the layout of the parameter that it belongs to.
fn follows(s: &TensorReport, parameters: &[&TensorReport]) -> bool {
    s.shape.is_empty() || parameters.iter().any(|p| s.of.as_ref() == Some(&p.name) && s.layout == p.layout)
}

/// Which rows of a section are shown, and whether their sum is.
#[derive(Clone, Copy)]
struct Rows {
    all: bool,
    summed: bool,
}

fn section(out: &mut Vec<String>, title: &str, tensors: &[&TensorReport], rows: Rows, note: &str) {
    if tensors.is_empty() {
        return;
    }
    use Align::{Left, Right};
    let columns =
        [(title, Left), ("", Left), ("shape", Left), ("layout", Left), ("per device", Right), ("decided by", Left)];
    let mut table = Table::new(&columns);
    let mut sorted = tensors.to_vec();
    // Stable: equals stay in the order of the program.
    sorted.sort_by_key(|t| std::cmp::Reverse(t.bytes_per_device));
    let show = if rows.all || sorted.len() <= ROWS + 1 { sorted.len() } else { ROWS };
    for t in &sorted[..show] {
        let (count, shape, layout) = stacked(t);
        let size = human::bytes(t.bytes_per_device as f64);
        table.row([t.name.clone(), count, list(&shape), layout, size, decided_by(t)]);
    }
    out.extend(table.lines());
    let total: u64 = tensors.iter().map(|t| t.bytes_per_device).sum();
    let mut last = Vec::new();
    if show < sorted.len() {
        last.push(format!("... {} more", sorted.len() - show));
    }
    if tensors.len() > 1 && rows.summed {
        let sum = format!("{} in all", human::bytes(total as f64));
        last = vec![last.into_iter().chain([sum]).collect::<Vec<_>>().join(", ")];
    }
    last.extend((!note.is_empty()).then(|| note.to_string()));
    if !last.is_empty() {
        out.push(format!("  {}", last.join("; ")));
    }
    out.push(String::new());
}

/// A stacked tensor is shown as its count, and one entry.
pub(crate) fn stacked(t: &TensorReport) -> (String, Vec<u64>, String) {
    let mut layout = t.layout.clone();
    let mut shape = t.shape.clone();
    let mut count = String::new();
    if t.name.contains('*') && layout.first().is_some_and(Vec::is_empty) {
        count = format!("x{}", shape.remove(0));
        layout.remove(0);
    }
    let dims: Vec<String> = layout.iter().map(|axes| show_dim(axes, false)).collect();
    let s = show(&dims, t.partial.iter().map(|p| (p.axis.as_str(), p.reduction.as_str())));
    (count, shape, s)
}

fn list(shape: &[u64]) -> String {
    let dims: Vec<String> = shape.iter().map(u64::to_string).collect();
    format!("[{}]", dims.join(", "))
}

fn decided_by(t: &TensorReport) -> String {
    match (t.decided_by.as_str(), t.rule.as_ref().or(t.source.as_ref())) {
        ("annotation", Some(s)) => place(s),
        ("annotation", None) => "annotation".into(),
        ("propagation", _) if t.layout.iter().all(Vec::is_empty) => "follow: unannotated".into(),
        ("propagation", _) => "follow: propagated".into(),
        (other, _) => other.into(),
    }
}

fn place(s: &SourcePlace) -> String {
    format!("{}:{}", s.file, s.line)
}

/// Collectives that do the same for the same reason at the same place: a row.
pub(crate) struct Group<'a> {
    pub first: &'a CollectiveReport,
    /// Positions in the list.
    pub members: Vec<usize>,
    pub wire: f64,
    pub predicted: f64,
    pub exposed: f64,
}

/// The rows of the table, the most expensive first.
pub(crate) fn groups(collectives: &[CollectiveReport]) -> Vec<Group<'_>> {
    let mut groups: Vec<Group<'_>> = Vec::new();
    for (i, c) in collectives.iter().enumerate() {
        let line = |c: &CollectiveReport| c.source.as_ref().map(place);
        let same = |g: &Group<'_>| {
            let f = g.first;
            (&f.op, &f.axes, &f.phase, &f.why, f.times_per_step) == (&c.op, &c.axes, &c.phase, &c.why, c.times_per_step)
                && line(f) == line(c)
                && f.rank == c.rank
        };
        match groups.iter_mut().find(|g| same(g)) {
            Some(g) => {
                g.members.push(i);
                g.wire += c.wire_bytes_per_device;
                g.predicted += c.predicted_us;
                g.exposed += c.exposed_us;
            }
            None => groups.push(Group {
                first: c,
                members: vec![i],
                wire: c.wire_bytes_per_device,
                predicted: c.predicted_us,
                exposed: c.exposed_us,
            }),
        }
    }
    groups.sort_by(|a, b| b.wire.total_cmp(&a.wire));
    groups
}

fn collectives(out: &mut Vec<String>, r: &PlanReport, shown: &Shown) {
    if r.collectives.is_empty() {
        out.extend(["collectives       none".to_string(), String::new()]);
        return;
    }
    let groups = groups(&r.collectives);
    use Align::{Left, Right};
    // Without overlap all time is exposed, and of a bundle no time is known.
    let timed = groups.iter().any(|g| g.predicted > 0.0);
    let hidden = shown.time.is_some_and(|t| t.hidden > 0.0);
    let figures = [("time", timed), ("exposed", hidden)].into_iter().filter(|f| f.1).map(|f| (f.0, Right));
    let mut columns = vec![("collectives", Left), ("#", Right), ("axis", Left)];
    columns.extend(r.pipeline.is_some().then_some(("rank", Right)));
    columns.extend([("times", Right), ("wire/device", Right)]);
    columns.extend(figures);
    columns.extend([("where", Left), ("", Left), ("why", Left)]);
    let mut table = Table::new(&columns);
    let show = if shown.all || groups.len() <= ROWS + 1 { groups.len() } else { ROWS };
    for (i, g) in groups[..show].iter().enumerate() {
        let c = g.first;
        let times = match (g.members.len() as u64, c.times_per_step) {
            (1, n) => n.to_string(),
            (k, 1) => k.to_string(),
            (k, n) => format!("{k}x{n}"),
        };
        let at = match (&c.source, c.phase.as_str()) {
            (Some(s), "forward") => place(s),
            (Some(s), phase) => format!("{phase} of {}", place(s)),
            (None, phase) => phase.to_string(),
        };
        let code = c.source.as_ref().map_or(String::new(), |s| snippet(&s.text));
        let mut row = vec![c.op.clone(), (i + 1).to_string(), c.axes.join(", ")];
        row.extend(r.pipeline.is_some().then(|| c.rank.map_or(String::new(), |k| k.to_string())));
        row.extend([times, human::bytes(g.wire)]);
        row.extend(timed.then(|| human::micros(g.predicted)));
        row.extend(hidden.then(|| if g.exposed < 0.05 { "-".into() } else { human::micros(g.exposed) }));
        row.extend([at, code, c.why.clone()]);
        table.row(row);
    }
    out.extend(table.lines());
    out.extend(sums(r, &groups, show));
    out.push(String::new());
}

/// What stands below the rows that are shown. Rows of a pipeline are of several ranks, and no device sends their sum.
fn sums(r: &PlanReport, groups: &[Group<'_>], show: usize) -> Option<String> {
    let more = groups.len() - show;
    let Some(of) = &r.pipeline else {
        let wire = |g: &[Group<'_>]| human::bytes(g.iter().map(|g| g.wire).sum());
        return match more {
            0 => (groups.len() > 1).then(|| format!("  {} in all", wire(groups))),
            _ => Some(format!("  {more} more, {}; {} in all", wire(&groups[show..]), wire(groups))),
        };
    };
    let most = of.ranks.iter().reduce(|a, b| if b.wire_bytes_per_device > a.wire_bytes_per_device { b } else { a })?;
    let more = if more > 0 { format!("{more} more; ") } else { String::new() };
    Some(format!(
        "  {more}each on the rank that sends most of it; {} in all on rank {}, which sends most, {} of it to other ranks",
        human::bytes(most.wire_bytes_per_device),
        most.rank,
        human::bytes(most.message_bytes_per_device as f64)
    ))
}

/// Source text on one line, its middle cut out where it is long.
pub fn snippet(text: &str) -> String {
    const MOST: usize = 28;
    let words: Vec<&str> = text.split_whitespace().collect();
    let line: Vec<char> = words.join(" ").chars().collect();
    if line.len() <= MOST {
        return line.into_iter().collect();
    }
    let (head, tail) = (&line[..MOST - 12], &line[line.len() - 10..]);
    head.iter().chain(&['.', '.']).chain(tail).collect()
}

fn memory(r: &PlanReport, shown: &Shown) -> Option<String> {
    if r.pipeline.is_some() {
        let peak = r.totals.peak_bytes_per_device?;
        let peak_of = format!("memory    {} peak, on the rank that needs most", human::bytes(peak as f64));
        return Some(peak_of + &in_host(r.totals.host_bytes_per_device) + &too_much(peak, shown));
    }
    let Some(m) = &shown.memory else {
        let kept = r.tensors.iter().filter(|t| matches!(t.role.as_str(), "parameter" | "state"));
        let kept: u64 = kept.map(|t| t.bytes_per_device).sum();
        return (kept > 0)
            .then(|| format!("memory    {} of parameters and state per device", human::bytes(kept as f64)));
    };
    let parts = [
        ("parameters", m.parameters),
        ("state", m.state),
        ("gradients", m.gradients),
        ("activations", m.activations),
        ("data", m.data),
        ("scratch", m.scratch),
    ];
    let sum: u64 = parts.iter().map(|p| p.1).sum();
    let peak = r.totals.peak_bytes_per_device.unwrap_or(sum) as f64;
    let parts: Vec<String> = parts
        .iter()
        .filter(|p| p.1 > 0)
        .map(|(name, n)| format!("{name} {}", human::bytes_like(*n as f64, peak)))
        .collect();
    let at = m.at.as_ref().map_or(String::new(), |a| format!("      at {a}"));
    let host = in_host(Some(m.host));
    let too_much = too_much(peak as u64, shown);
    Some(format!("memory    {} peak = {}{host}{at}{too_much}", human::bytes(peak), parts.join(" + ")))
}

/// What lies in the host's memory, if anything does.
fn in_host(bytes: Option<u64>) -> String {
    bytes.filter(|&n| n > 0).map_or(String::new(), |n| format!("; {} in the host's memory", human::bytes(n as f64)))
}

/// A warning, since a plan that follows annotations was not planned for the memory of a device.
fn too_much(peak: u64, shown: &Shown) -> String {
    match shown.room {
        Some(room) if peak > room => format!("; a device has {}: it does not fit", human::bytes(room as f64)),
        _ => String::new(),
    }
}

/// The settings of recomputation and memory.
fn asked(r: &PlanReport) -> Option<String> {
    let one = |a: &AskedReport| match &a.source {
        Some(at) => format!("{} {} at {}", a.setting, a.value, place(at)),
        None => format!("{} {} on the command line", a.setting, a.value),
    };
    let all: Vec<String> = r.asked.iter().map(one).collect();
    (!all.is_empty()).then(|| format!("asked     {}", all.join(", ")))
}

/// What is recomputed in the backward pass, the largest first; by segment where a loop runs in several.
fn recomputed(r: &PlanReport) -> Option<String> {
    if !r.stashes.iter().any(|s| s.recomputed) {
        return None;
    }
    let whole = |s: &StashReport| s.iterations.from == 0 && s.iterations.to == s.iterations.of;
    if r.stashes.iter().all(whole) {
        let (again, kept): (Vec<&StashReport>, Vec<&StashReport>) = r.stashes.iter().partition(|s| s.recomputed);
        let (again_bytes, kept_bytes) = (stacks(&again), stacks(&kept));
        return Some(format!(
            "recompute {again_bytes} instead of keeping it, beside {kept_bytes} kept: {}",
            names(again)
        ));
    }
    let mut lines: Vec<String> = Vec::new();
    let mut done: Vec<&Iterations> = Vec::new();
    for s in &r.stashes {
        let i = &s.iterations;
        if done.contains(&i) {
            continue;
        }
        done.push(i);
        let of = r.stashes.iter().filter(|s| s.iterations == *i);
        let (again, kept): (Vec<&StashReport>, Vec<&StashReport>) = of.partition(|s| s.recomputed);
        let what = match again.is_empty() {
            true => "nothing".into(),
            false => format!("{} instead of keeping it: {}", stacks(&again), names(again)),
        };
        let list = i.list.as_deref().unwrap_or("iterations");
        let head = if lines.is_empty() { "recompute" } else { "         " };
        lines.push(format!("{head} in {list} {}..{} of {}: {what}; {} kept", i.from, i.to, i.of, stacks(&kept)));
    }
    Some(lines.join("\n"))
}

fn stacks(of: &[&StashReport]) -> String {
    human::bytes(of.iter().map(|s| s.bytes_per_device).sum::<u64>() as f64)
}

/// The largest by name.
fn names(mut of: Vec<&StashReport>) -> String {
    const MOST: usize = 4;
    of.sort_by_key(|s| std::cmp::Reverse(s.bytes_per_device));
    let one = |s: &&StashReport| match &s.source {
        Some(at) => format!("{} {}", s.name, place(at)),
        None => s.name.clone(),
    };
    let mut names: Vec<String> = of.iter().take(MOST).map(one).collect();
    if of.len() > MOST {
        names.push(format!("{} more", of.len() - MOST));
    }
    names.join(", ")
}

fn time(r: &PlanReport, shown: &Shown) -> String {
    let whole = r.totals.predicted_step_us;
    if r.pipeline.as_ref().is_some_and(|p| p.predicted_bubble.is_none()) {
        return "time      not predicted".into();
    }
    let profile = r.totals.profile.as_ref();
    let mut s = format!("time      {} predicted", with_band(whole, profile));
    if let Some(t) = &shown.time {
        let part = |us: f64| human::micros_like(us, whole);
        s += &format!(" = compute {} + communication {}", part(t.compute), part(t.communication));
        if t.host > 0.0 {
            s += &format!(" + copies to and from the host {}", part(t.host));
        }
        if t.hidden > 0.0 {
            s += &format!(", of which {} hidden", part(t.hidden));
        }
    }
    if let Some(bound) = r.totals.lower_bound_us {
        s += &format!("      lower bound {}", human::micros(bound));
    }
    s
}

/// What goes over each level of the network, where there are several.
fn levels(r: &PlanReport) -> Option<String> {
    let one = |l: &LevelReport| {
        let mut s = format!("{} {}", l.level, human::bytes(l.wire_bytes_per_device as f64));
        if let (Some(us), Some(exposed)) = (l.predicted_us, l.exposed_us) {
            s += &format!(" in {}", human::micros(us));
            s += &if exposed < 0.05 { ", all hidden".into() } else { format!(", {} exposed", human::micros(exposed)) };
        }
        s
    };
    let all: Vec<String> = r.levels.iter().map(one).collect();
    (all.len() > 1).then(|| format!("levels    {}", all.join("; ")))
}

fn speed(r: &PlanReport) -> Option<String> {
    let t = &r.totals;
    let mut s = format!("speed     {} tokens/s", human::count(t.tokens_per_second?.round()));
    if let Some(mfu) = t.mfu {
        s += &format!(", {:.1} % MFU", 100.0 * mfu);
    }
    if let Some(usd) = t.usd_per_million_tokens {
        s += &format!(", {usd:.2} USD per million tokens");
    }
    Some(s)
}
