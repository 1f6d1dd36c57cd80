//! The answer of `explain`: the layout of a tensor and what decided it, the collectives that follow from it, and what
//! other layouts would cost. Each other layout was written into the source and planned, so the answer has its
//! annotation.

use crate::diff::show_layout;
use crate::human::{self, signed};
use crate::model::{CollectiveReport, SourcePlace, TensorReport, TotalsReport};
use crate::table::{Align, Table};
use serde::Serialize;

/// `explain --json`.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Explanation {
    pub schema: u32,
    pub entry: String,
    pub question: String,
    pub tensor: TensorReport,
    /// Other tensors of the same name, as they are asked for: `x@22`.
    pub others: Vec<String>,
    /// Of a list whose layers lie otherwise by stage since the search chose so: what this tensor is of the list.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub part: Option<PartReason>,
    /// For each axis of the layout.
    pub reasons: Vec<Reason>,
    /// The collectives that convert this tensor.
    pub collectives: Vec<CollectiveReport>,
    /// The value that an annotation would stand on, if it cannot stand on this tensor.
    pub instead: Option<String>,
    /// The totals of the plan as it is.
    pub totals: TotalsReport,
    /// The fastest first.
    pub alternatives: Vec<Alternative>,
    /// Layouts that were tried and cannot be.
    pub refused: Vec<Refused>,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Reason {
    pub axis: String,
    /// `dim 0`, or `partial`.
    pub place: String,
    /// `annotation`, or `cost` if no annotation leads here.
    pub decided_by: String,
    /// The annotation as it stands in the source.
    pub annotation: Option<QuotedSource>,
    /// The ops through which the axis came from there to here, each at its line.
    pub chain: Vec<Hop>,
}

/// Why some layers of a list have a layout of their own.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct PartReason {
    pub list: String,
    /// Layers `first_layer..first_layer + layers` of the list.
    pub first_layer: u64,
    pub layers: u64,
    /// `memory`: in the stages of these layers it is what keeps a faster layout away. `time`: there is room for the faster one.
    pub decided_by: String,
    /// The same tensor of the other layers.
    pub others: Vec<OtherPart>,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct OtherPart {
    /// `blocks[2..8].w1`
    pub name: String,
    pub layout: String,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct QuotedSource {
    pub text: String,
    pub source: Option<SourcePlace>,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Hop {
    pub op: String,
    pub phase: String,
    pub source: Option<SourcePlace>,
    /// The text at that place.
    pub text: String,
}

/// Another layout, and the plan that it leads to.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Alternative {
    pub layout: String,
    pub suggestion: Suggestion,
    pub totals: TotalsReport,
    pub change: Delta,
}

/// An edit of the source that gives a tensor another layout.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Suggestion {
    /// `annotation`: written in the source; `rule`: added to the layout block in use; `layout`: a block of its own; `option`: of the
    /// command, with no edit.
    pub kind: String,
    /// The text after the edit.
    pub text: String,
    pub source: Option<SourcePlace>,
    /// Byte range of the file that is replaced, and by what.
    pub start: usize,
    pub end: usize,
    pub with: String,
}

/// Differences from the plan as it is.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Delta {
    #[serde(serialize_with = "crate::model::rounded")]
    pub wire_bytes_per_device: f64,
    #[serde(serialize_with = "crate::model::rounded")]
    pub predicted_step_us: f64,
    /// Null where either is not known.
    pub peak_bytes_per_device: Option<i64>,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Refused {
    pub layout: String,
    pub reason: String,
}

/// The most alternatives and hops that the text shows.
const SHOWN: usize = 5;
const HOPS: usize = 8;

/// The answer for people, every line ended by a newline.
pub fn text(e: &Explanation) -> String {
    answer(e) + &priced(e)
}

/// What is known of the plan alone.
pub fn answer(e: &Explanation) -> String {
    let mut out = vec![head(e)];
    if let Some(o) = e.tensor.source.as_ref().and_then(|s| s.origin.as_ref()) {
        out.push(format!("  from {}", o.text));
    }
    if !e.others.is_empty() {
        out.push(format!("  others of this name: {}", e.others.join(", ")));
    }
    out.push(String::new());
    reasons(&mut out, e);
    collectives(&mut out, e);
    lines(&out)
}

/// What other layouts would cost.
pub fn priced(e: &Explanation) -> String {
    let mut out = Vec::new();
    alternatives(&mut out, e);
    lines(&out)
}

fn lines(out: &[String]) -> String {
    out.iter().flat_map(|l| [l.trim_end(), "\n"]).collect()
}

fn head(e: &Explanation) -> String {
    let t = &e.tensor;
    let shape: Vec<String> = t.shape.iter().map(u64::to_string).collect();
    let shape = if shape.is_empty() { String::new() } else { format!("[{}]", shape.join(", ")) };
    let at = t.source.as_ref().map_or(String::new(), |s| format!(" at {}", place(s)));
    let size = human::bytes(t.bytes_per_device as f64);
    let where_ = if t.in_host { ", in the host's memory" } else { "" };
    format!(
        "{}: {} of {}{at}, {}{shape} laid out {}, {size} per device{where_}",
        t.name,
        t.role,
        e.entry,
        t.dtype,
        show_layout(t)
    )
}

fn place(s: &SourcePlace) -> String {
    format!("{}:{}", s.file, s.line)
}

fn reasons(out: &mut Vec<String>, e: &Explanation) {
    out.push("why".into());
    out.extend(e.part.iter().flat_map(part));
    if e.reasons.is_empty() {
        let text = match (e.tensor.role.as_str(), e.tensor.decided_by.as_str()) {
            _ if e.tensor.shape.is_empty() => "a single number is on every device",
            (_, "annotation") => "its annotation leaves it replicated",
            (_, "search") => "to replicate it is what costs least",
            ("parameter" | "input", _) => "replicated on every device: nothing says otherwise",
            ("state", _) => "replicated on every device, as its parameter",
            _ => "replicated on every device: no annotation leads here, or splitting it costs more",
        };
        out.push(format!("  {text}"));
    }
    let width = e.reasons.iter().map(|r| head_of(r).chars().count()).max().unwrap_or(0);
    for r in &e.reasons {
        let head = head_of(r);
        let Some(a) = &r.annotation else {
            out.push(format!("  {head:width$}   no annotation leads here; it costs least"));
            continue;
        };
        let at = a.source.as_ref().map_or(String::new(), |s| format!("{}  ", place(s)));
        out.push(format!("  {head:width$}   {at}{}", a.text));
        let hops: Vec<&Hop> = r.chain.iter().collect();
        let (first, last) = if hops.len() > HOPS {
            (&hops[..HOPS / 2], &hops[hops.len() - HOPS / 2..])
        } else {
            (&hops[..], &hops[..0])
        };
        let show = |h: &Hop| {
            let phase = if h.phase == "forward" { String::new() } else { format!("{} of ", h.phase) };
            let at = h.source.as_ref().map_or(String::new(), place);
            let text = if h.text.is_empty() { String::new() } else { format!("  {}", h.text) };
            format!("  {:width$}     through {} at {phase}{at}{text}", "", h.op)
        };
        out.extend(first.iter().map(|h| show(h)));
        if !last.is_empty() {
            out.push(format!("  {:width$}     ... {} more", "", hops.len() - HOPS));
            out.extend(last.iter().map(|h| show(h)));
        }
    }
    out.push(String::new());
}

fn part(p: &PartReason) -> Vec<String> {
    let layers = human::layers(p.first_layer, p.layers);
    let why = match p.decided_by.as_str() {
        "memory" => "hold more microbatches, so layouts and gathers are those that need least room",
        _ => "have more room, so they are the fastest ones",
    };
    let head = format!("  the search planned {layers} of `{}` apart: their stages {why}", p.list);
    let other = |o: &OtherPart| format!("    {} lies {}", o.name, o.layout);
    std::iter::once(head).chain(p.others.iter().map(other)).collect()
}

fn head_of(r: &Reason) -> String {
    match r.place.as_str() {
        "partial" => format!("partial over {}", r.axis),
        dim => format!("{dim} over {}", r.axis),
    }
}

fn collectives(out: &mut Vec<String>, e: &Explanation) {
    if e.collectives.is_empty() {
        out.extend(["collectives on it: none".to_string(), String::new()]);
        return;
    }
    use Align::{Left, Right};
    let columns = [
        ("collectives on it", Left),
        ("#", Right),
        ("axis", Left),
        ("times", Right),
        ("buffer", Right),
        ("wire/device", Right),
        ("time", Right),
        ("phase", Left),
        ("why", Left),
    ];
    let mut t = Table::new(&columns);
    for c in &e.collectives {
        t.row([
            c.op.clone(),
            c.number.to_string(),
            c.axes.join(", "),
            c.times_per_step.to_string(),
            human::bytes(c.bytes as f64),
            human::bytes(c.wire_bytes_per_device),
            human::micros(c.predicted_us),
            c.phase.clone(),
            c.why.clone(),
        ]);
    }
    out.extend(t.lines());
    out.push(String::new());
}

fn alternatives(out: &mut Vec<String>, e: &Explanation) {
    let now = &e.totals;
    let peak = now.peak_bytes_per_device.map_or(String::new(), |p| format!(", peak {}", human::bytes(p as f64)));
    let (wire, step) = (human::bytes(now.wire_bytes_per_device), human::micros(now.predicted_step_us));
    out.push(format!("the plan: {wire} on the wire per device, step {step}{peak}"));
    if let Some(on) = &e.instead {
        out.push(format!("an annotation would stand on {on}"));
    }
    if e.alternatives.is_empty() {
        out.push("no other layout can be asked for here".into());
        return;
    }
    use Align::{Left, Right};
    let columns =
        [("other layouts", Left), ("step", Right), ("wire/device", Right), ("peak", Right), ("to get it", Left)];
    let mut t = Table::new(&columns);
    for a in e.alternatives.iter().take(SHOWN) {
        let d = &a.change;
        let s = &a.suggestion;
        let at = s.source.as_ref().map_or(String::new(), |s| format!("{}  ", place(s)));
        t.row([
            a.layout.clone(),
            signed(d.predicted_step_us, human::micros),
            signed(d.wire_bytes_per_device, human::bytes),
            d.peak_bytes_per_device.map_or("?".into(), |p| signed(p as f64, human::bytes)),
            format!("{at}{}", s.text),
        ]);
    }
    out.extend(t.lines());
    match e.alternatives.len().saturating_sub(SHOWN) {
        0 => {}
        n => out.push(format!("  {n} more that cost no less; --json has them")),
    }
    if let Some(s) = e.alternatives.iter().map(|a| &a.suggestion).find(|s| s.kind == "layout") {
        out.push(format!("  rules go into a block, `{} {{ .. }}`, that is chosen with --layout", s.text_of_block()));
    }
}

impl Suggestion {
    /// `layout explain`: how the block of a rule begins.
    fn text_of_block(&self) -> &str {
        self.with.split('{').next().map_or("", str::trim)
    }
}
