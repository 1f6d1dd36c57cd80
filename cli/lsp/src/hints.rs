//! Inlay hints: the shapes of variables, and after a plan the layouts of tensors and the collectives on their lines.

use crate::check::PlanNote;
use crate::mentions::{Mention, NameSpace, Symbol};
use crate::notes;
use crate::position::{Lines, Units};
use crate::snapshot::Snapshot;
use lsp_types::{InlayHint, InlayHintKind, InlayHintLabel, InlayHintTooltip, Position, Range};

/// The most collectives that are written out on one line.
const MAX_SHOWN: usize = 2;

pub fn hints(s: &Snapshot, planned: &[PlanNote], range: Range, units: Units) -> Vec<InlayHint> {
    let lines = Lines::new(s.text(), units);
    let mut out = Vec::new();
    for m in s.mentions(&s.path).all.iter().filter(|m| m.declares) {
        out.extend(variable(s, planned, m, &lines));
        out.extend(field(s, planned, m, &lines));
    }
    let mut on: Vec<u64> = planned.iter().map(|n| n.line).collect();
    on.sort_unstable();
    on.dedup();
    for line in on {
        out.extend(collectives(s, planned, line, units));
    }
    out.retain(|h| range.start <= h.position && h.position <= range.end);
    out.sort_by_key(|h| h.position);
    out
}

fn hint(position: Position, label: String, tooltip: Option<String>, kind: Option<InlayHintKind>) -> InlayHint {
    InlayHint {
        position,
        label: InlayHintLabel::String(label),
        kind,
        text_edits: None,
        tooltip: tooltip.map(InlayHintTooltip::String),
        padding_left: kind.is_none().then_some(true),
        padding_right: None,
        data: None,
    }
}

/// Whether the source says the type itself.
fn says_type(text: &str, m: &Mention) -> bool {
    text.get(m.end as usize..).is_some_and(|t| t.trim_start().starts_with(':'))
}

/// `let h` becomes `let h: f32[n, seq, embed] @ [data, _, _]`.
fn variable(s: &Snapshot, planned: &[PlanNote], m: &Mention, lines: &Lines<'_>) -> Option<InlayHint> {
    if !matches!(m.symbol, Some(Symbol::Local { .. })) || says_type(s.text(), m) {
        return None;
    }
    let types = s.shown(&s.path, m.start, m.end);
    let first = types.first().filter(|t| !t.starts_with("the number") && !t.starts_with("a string"))?;
    let more = if types.len() > 1 { ", .." } else { "" };
    let at = lines.position(m.end as usize);
    let layouts = notes::layouts(planned, u64::from(at.line) + 1, &m.text);
    let layout = match layouts.as_slice() {
        [(one, _)] => format!(" @ {one}"),
        _ => String::new(),
    };
    let tooltip = (types.len() > 1).then(|| types.join("\n"));
    Some(hint(at, format!(": {first}{more}{layout}"), tooltip, Some(InlayHintKind::TYPE)))
}

/// The layout of a parameter to which the source gives none.
fn field(s: &Snapshot, planned: &[PlanNote], m: &Mention, lines: &Lines<'_>) -> Option<InlayHint> {
    let field = matches!(m.space, NameSpace::Field { .. });
    let input = matches!(m.symbol, Some(Symbol::Local { .. }));
    if !(field || input) || !says_type(s.text(), m) {
        return None;
    }
    let at = lines.position(m.start as usize);
    let layouts = notes::layouts(planned, u64::from(at.line) + 1, &m.text);
    let [(one, _)] = layouts.as_slice() else { return None };
    let line = s.text().lines().nth(at.line as usize)?;
    let code = line.split("//").next().unwrap_or("");
    // Several parameters on one line, or a layout that is written down.
    if code.contains('@') || code.matches(':').count() > 1 {
        return None;
    }
    let start = lines.offset(Position { character: 0, ..at });
    let end = start + code.trim_end().trim_end_matches(',').len();
    Some(hint(lines.position(end), format!(" @ {one}"), None, Some(InlayHintKind::TYPE)))
}

fn collectives(s: &Snapshot, planned: &[PlanNote], line: u64, units: Units) -> Option<InlayHint> {
    let all = notes::collectives(planned, line);
    let (first, _) = all.split_at_checked(MAX_SHOWN.min(all.len()))?;
    if first.is_empty() {
        return None;
    }
    let mut label = first.iter().map(|c| c.0.as_str()).collect::<Vec<_>>().join("; ");
    if all.len() > MAX_SHOWN {
        label.push_str(&format!("; and {} more", all.len() - MAX_SHOWN));
    }
    let tooltip: Vec<String> =
        all.iter().map(|(what, why, entries)| format!("{} in {}: {why}", what, entries.join(", "))).collect();
    let index = usize::try_from(line).ok()?.checked_sub(1)?;
    let lines = Lines::new(s.text(), units);
    let start = lines.offset(Position { line: u32::try_from(index).ok()?, character: 0 });
    let end = start + s.text().get(start..)?.lines().next().map_or(0, str::len);
    Some(hint(lines.position(end), label, Some(tooltip.join("\n")), None))
}
