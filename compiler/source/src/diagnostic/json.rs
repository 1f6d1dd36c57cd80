//! Diagnostics for programs: the whole list as `check --json` prints it, and one object per line in the form that
//! editors know from rustc (`--message-format=json`). docs/diagnostics.md is the reference.

use super::{Diagnostic, Label, Severity, Style, render};
use crate::map::SourceMap;
use meshloom_ir::Span;
use serde::Serialize;

/// The form that `--json` prints.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct DiagnosticJson {
    /// `E0303`
    pub code: &'static str,
    /// `shape-mismatch`
    pub name: &'static str,
    pub severity: Severity,
    pub message: String,
    pub primary: Option<LabelJson>,
    pub secondary: Vec<LabelJson>,
    pub notes: Vec<String>,
    pub help: Vec<String>,
}

/// A place in JSON: lines and columns from 1, and the byte range.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct LabelJson {
    pub file: String,
    pub line: usize,
    pub column: usize,
    pub start: u32,
    pub end: u32,
    pub text: String,
}

/// The diagnostic as data, positions resolved.
pub fn to_json(diagnostic: &Diagnostic, sources: &SourceMap) -> DiagnosticJson {
    let label = |l: &Label| {
        let file = sources.get(l.span.file)?;
        let position = file.position(l.span.start as usize);
        Some(LabelJson {
            file: file.name.clone(),
            line: position.line,
            column: position.column,
            start: l.span.start,
            end: l.span.end,
            text: l.text.clone(),
        })
    };
    DiagnosticJson {
        code: diagnostic.number(),
        name: diagnostic.code,
        severity: diagnostic.severity,
        message: diagnostic.message.clone(),
        primary: diagnostic.primary.as_ref().and_then(label),
        secondary: diagnostic.secondary.iter().filter_map(label).collect(),
        notes: diagnostic.all_notes(sources),
        help: diagnostic.help.clone(),
    }
}

/// One line of `--message-format=json`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Message {
    pub reason: &'static str,
    pub level: &'static str,
    pub code: Option<MessageCode>,
    pub message: String,
    pub spans: Vec<MessageSpan>,
    pub children: Vec<Child>,
    /// The text for people.
    pub rendered: String,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct MessageCode {
    /// `E0303`
    pub code: &'static str,
    /// `shape-mismatch`
    pub name: &'static str,
}

/// A note or a help line.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Child {
    pub level: &'static str,
    pub message: String,
    /// Where a help line proposes a change: what to replace, and with what.
    pub spans: Vec<MessageSpan>,
}

/// Bytes count from 0, lines and columns from 1; columns count characters. The end is behind the last one.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct MessageSpan {
    pub file_name: String,
    pub byte_start: u32,
    pub byte_end: u32,
    pub line_start: usize,
    pub column_start: usize,
    pub line_end: usize,
    pub column_end: usize,
    pub is_primary: bool,
    pub label: Option<String>,
    pub suggested_replacement: Option<String>,
}

/// The diagnostic as a message of one line.
pub fn message(d: &Diagnostic, sources: &SourceMap) -> Message {
    let label = |l: &Label, primary: bool| {
        let text = (!l.text.is_empty()).then(|| l.text.clone());
        Some(MessageSpan { is_primary: primary, label: text, ..span(l.span, sources)? })
    };
    let mut spans: Vec<MessageSpan> = d.primary.iter().filter_map(|l| label(l, true)).collect();
    spans.extend(d.secondary.iter().filter_map(|l| label(l, false)));
    let mut children: Vec<Child> =
        d.all_notes(sources).into_iter().map(|message| Child { level: "note", message, spans: Vec::new() }).collect();
    for (i, help) in d.help.iter().enumerate() {
        let fixes = d.fixes.iter().filter(|f| f.help == i);
        let spans = fixes
            .filter_map(|f| {
                let with = Some(f.with.clone());
                Some(MessageSpan { is_primary: true, suggested_replacement: with, ..span(f.span, sources)? })
            })
            .collect();
        children.push(Child { level: "help", message: help.clone(), spans });
    }
    Message {
        reason: "diagnostic",
        level: match d.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
        },
        code: Some(MessageCode { code: d.number(), name: d.code }),
        message: d.message.clone(),
        spans,
        children,
        rendered: render(d, sources, Style::Plain),
    }
}

fn span(s: Span, sources: &SourceMap) -> Option<MessageSpan> {
    let file = sources.get(s.file)?;
    let (start, end) = (file.position(s.start as usize), file.position(s.end as usize));
    Some(MessageSpan {
        file_name: file.name.clone(),
        byte_start: s.start,
        byte_end: s.end,
        line_start: start.line,
        column_start: start.column,
        line_end: end.line,
        column_end: end.column,
        is_primary: false,
        label: None,
        suggested_replacement: None,
    })
}
