//! Diagnostics for people, in the look of rustc and by the same crate.

use super::excerpt::{Excerpt, excerpt};
use super::{Diagnostic, Label, Severity};
use crate::map::{SourceFile, SourceMap};
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
    reaching(diagnostic, sources, style, REACH)
}

/// How much of a long line is looked at around its labels.
#[derive(Clone, Copy)]
struct Reach {
    bytes: usize,
    /// What lies before the labels may be left out.
    head: bool,
}

/// Several times the columns that are drawn, so that the cut is never seen.
const REACH: Reach = Reach { bytes: 4096, head: true };

fn reaching(diagnostic: &Diagnostic, sources: &SourceMap, style: Style, reach: Reach) -> String {
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
    let mut counted = None;
    for &id in &files {
        let Some(file) = sources.get(id) else { continue };
        let reach = Reach { head: reach.head && files.len() == 1, ..reach };
        (group, counted) = lines(group, diagnostic, id, file, reach);
    }
    let notes = diagnostic.all_notes(sources);
    for note in &notes {
        group = group.element(Level::NOTE.message(note));
    }
    for help in &diagnostic.help {
        group = group.element(Level::HELP.message(help));
    }
    let text = renderer.render(&[group]);
    match counted {
        Some((shown, place)) => text.replacen(&shown, &place, 1),
        None => text,
    }
}

/// All diagnostics, a blank line between them.
pub fn render_all(diagnostics: &[Diagnostic], sources: &SourceMap, style: Style) -> String {
    diagnostics.iter().map(|d| render(d, sources, style)).collect::<Vec<_>>().join("\n\n")
}

/// Adds the lines of a file that have labels. Where a line is shown without its beginning, the renderer cannot count the
/// column of the place: returned are the place as it writes it and as it must be.
fn lines<'a>(
    group: Group<'a>,
    of: &'a Diagnostic,
    id: FileId,
    file: &'a SourceFile,
    reach: Reach,
) -> (Group<'a>, Option<(String, String)>) {
    let primary = of.primary.iter().map(|l| (AnnotationKind::Primary, l));
    let labels: Vec<(AnnotationKind, &Label, (usize, usize))> = primary
        .chain(of.secondary.iter().map(|l| (AnnotationKind::Context, l)))
        .filter(|(_, l)| l.span.file == id)
        .map(|(kind, l)| (kind, l, clamp(l.span, &file.text)))
        .collect();
    let Some(&(_, _, (first, _))) = labels.first() else { return (group, None) };
    let spans: Vec<(usize, usize)> = labels.iter().map(|l| l.2).collect();
    let Excerpt { range, inside } = excerpt(&file.text, &spans, reach.bytes, reach.head);
    let line = file.position(range.start).line;
    let mut snippet = Snippet::source(&file.text[range.clone()]).line_start(line).path(file.name.as_str());
    let counted = inside.then(|| {
        let column = file.position(first).column;
        let skipped = file.position(range.start).column - 1;
        let place = |column: usize| format!("{}:{line}:{column}", file.name);
        (place(column - skipped), place(column))
    });
    for (kind, label, (start, end)) in labels {
        let a = kind.span(start - range.start..end - range.start);
        snippet = snippet.annotation(if label.text.is_empty() { a } else { a.label(label.text.as_str()) });
    }
    (group.element(snippet), counted)
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

#[cfg(test)]
mod tests {
    use super::*;

    const WHOLE: Reach = Reach { bytes: usize::MAX, head: false };

    /// A text of long and short lines, and a diagnostic with labels in it, both from a seed.
    fn sample(seed: u64) -> (SourceMap, Diagnostic) {
        let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
        let mut next = |n: usize| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state >> 33) as usize % n
        };
        let mut text = String::new();
        for _ in 0..1 + next(5) {
            let length = if next(2) == 0 { next(20) } else { 9_000 + next(20_000) };
            text.extend((0..length).map(|_| ['a', ' ', ',', 'é', '(', '\t', '木', 'b'][next(8)]));
            if next(4) > 0 {
                text.push('\n');
            }
        }
        let mut sources = SourceMap::new();
        let file = sources.add("f.loom", text.clone());
        let length = text.len();
        let at = next(length + 1);
        let mut span = |by: usize| {
            let start = (at + next(by)).min(length);
            Span { file, start: start as u32, end: (start + next(30)).min(length) as u32 }
        };
        let mut d = Diagnostic::error("syntax", "no").at(span(1), "here");
        if seed.is_multiple_of(2) {
            d = d.also(span(60), "because of this");
        }
        (sources, d)
    }

    #[test]
    fn a_part_of_a_file_looks_as_the_whole() {
        let mut cut = 0;
        for seed in 1..400 {
            let (sources, d) = sample(seed);
            let whole = reaching(&d, &sources, Style::Plain, WHOLE);
            assert_eq!(reaching(&d, &sources, Style::Plain, REACH), whole, "seed {seed}");
            cut += usize::from(whole.contains("...") || whole.contains('…'));
        }
        assert!(cut > 100, "{cut} of the lines are longer than what is drawn");
    }
}
