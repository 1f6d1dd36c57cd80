//! Diagnostics as values: what is wrong, where, and what to do about it. Rendering is apart from making, so the command
//! line, `--json`, and tests read the same thing.
//!
//! The bar: the message is one terse line that names the user's own things, the primary label says what was found there,
//! and where a next step is known there is a help line.

use crate::source::SourceMap;
use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};
use meshloom_ir::{FileId, Span};
use serde::Serialize;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    Error,
    Warning,
}

/// A place and what is to be said there. An empty text only underlines.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Label {
    pub span: Span,
    pub text: String,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Diagnostic {
    /// Stable name, `shape-mismatch`; docs/language.md lists them.
    pub code: &'static str,
    pub severity: Severity,
    pub message: String,
    /// Where it is wrong. `None` for what has no place in a file, such as a command-line option.
    pub primary: Option<Label>,
    /// Other places that explain it.
    pub secondary: Vec<Label>,
    pub notes: Vec<String>,
    pub help: Vec<String>,
}

impl Diagnostic {
    pub fn error(code: &'static str, message: impl Into<String>) -> Diagnostic {
        Diagnostic {
            code,
            severity: Severity::Error,
            message: message.into(),
            primary: None,
            secondary: Vec::new(),
            notes: Vec::new(),
            help: Vec::new(),
        }
    }

    pub fn warning(code: &'static str, message: impl Into<String>) -> Diagnostic {
        Diagnostic { severity: Severity::Warning, ..Diagnostic::error(code, message) }
    }

    /// Sets the primary place.
    pub fn at(mut self, span: Span, text: impl Into<String>) -> Diagnostic {
        if !span.is_none() {
            self.primary = Some(Label { span, text: text.into() });
        }
        self
    }

    /// Adds a place that explains the error.
    pub fn also(mut self, span: Span, text: impl Into<String>) -> Diagnostic {
        if !span.is_none() {
            self.secondary.push(Label { span, text: text.into() });
        }
        self
    }

    pub fn note(mut self, text: impl Into<String>) -> Diagnostic {
        self.notes.push(text.into());
        self
    }

    pub fn help(mut self, text: impl Into<String>) -> Diagnostic {
        self.help.push(text.into());
        self
    }

    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }
}

/// Whether rendered text may carry terminal colours.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Style {
    Plain,
    Coloured,
}

/// The diagnostic as text for people, with the source lines it speaks of. Ends without a newline.
pub fn render(diagnostic: &Diagnostic, sources: &SourceMap, style: Style) -> String {
    let renderer = match style {
        Style::Plain => Renderer::plain(),
        Style::Coloured => Renderer::styled(),
    };
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    let title = level.primary_title(&diagnostic.message).id(diagnostic.code);
    let mut files: Vec<FileId> = Vec::new();
    for label in diagnostic.primary.iter().chain(&diagnostic.secondary) {
        if sources.get(label.span.file).is_some() && !files.contains(&label.span.file) {
            files.push(label.span.file);
        }
    }
    let mut group = Group::with_title(title);
    for id in files {
        let Some(file) = sources.get(id) else { continue };
        let in_file = |l: &&Label| l.span.file == id;
        let mut snippet = Snippet::source(file.text.as_str()).path(file.name.as_str()).line_start(1);
        for label in diagnostic.primary.iter().filter(in_file) {
            snippet = snippet.annotation(annotation(AnnotationKind::Primary, label, &file.text));
        }
        for label in diagnostic.secondary.iter().filter(in_file) {
            snippet = snippet.annotation(annotation(AnnotationKind::Context, label, &file.text));
        }
        group = group.element(snippet);
    }
    for note in &diagnostic.notes {
        group = group.element(Level::NOTE.message(note));
    }
    for help in &diagnostic.help {
        group = group.element(Level::HELP.message(help));
    }
    renderer.render(&[group])
}

/// All diagnostics, a blank line between them.
pub fn render_all(diagnostics: &[Diagnostic], sources: &SourceMap, style: Style) -> String {
    diagnostics.iter().map(|d| render(d, sources, style)).collect::<Vec<_>>().join("\n\n")
}

fn annotation<'a>(kind: AnnotationKind, label: &'a Label, text: &str) -> annotate_snippets::Annotation<'a> {
    let (start, end) = clamp(label.span, text);
    let a = kind.span(start..end);
    if label.text.is_empty() { a } else { a.label(label.text.as_str()) }
}

/// The span as a range that is safe to slice `text` with, whatever made it.
fn clamp(span: Span, text: &str) -> (usize, usize) {
    let mut start = (span.start as usize).min(text.len());
    while !text.is_char_boundary(start) {
        start -= 1;
    }
    let mut end = (span.end as usize).clamp(start, text.len());
    while !text.is_char_boundary(end) {
        end += 1;
    }
    (start, end)
}

/// The form that `--json` prints.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct DiagnosticJson {
    pub code: &'static str,
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
        code: diagnostic.code,
        severity: diagnostic.severity,
        message: diagnostic.message.clone(),
        primary: diagnostic.primary.as_ref().and_then(label),
        secondary: diagnostic.secondary.iter().filter_map(label).collect(),
        notes: diagnostic.notes.clone(),
        help: diagnostic.help.clone(),
    }
}
