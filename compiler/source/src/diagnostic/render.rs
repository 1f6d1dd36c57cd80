//! Diagnostics for people, in the look of rustc and by the same crate.

use super::{Diagnostic, Label, Severity};
use crate::map::SourceMap;
use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};
use meshloom_ir::{FileId, Span};

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
    let title = level.primary_title(&diagnostic.message).id(diagnostic.number());
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
    let notes = diagnostic.all_notes(sources);
    for note in &notes {
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
