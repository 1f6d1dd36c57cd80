//! Where the formatter is in its text: the comments that are still to be written, and lines with the comments around them.
//!
//! Not here: what any construct looks like ([`super`] and `expr`).

use super::doc::Doc;
use crate::token::Comment;
use meshloom_ir::Span;

pub struct Formatter<'a> {
    pub source: &'a str,
    pub comments: Vec<Comment<'a>>,
    /// The first comment that is not written yet.
    pub next: usize,
}

/// A line to be, with its place in the source.
pub struct FormattedLine {
    pub doc: Doc,
    pub start: usize,
    pub end: usize,
    /// Wants an empty line around it.
    pub apart: bool,
}

impl<'a> Formatter<'a> {
    pub fn new(source: &'a str, comments: Vec<Comment<'a>>) -> Formatter<'a> {
        Formatter { source, comments, next: 0 }
    }

    pub fn text(&self, span: Span) -> &'a str {
        self.source.get(span.start as usize..span.end as usize).unwrap_or("")
    }

    pub fn newlines(&self, from: usize, to: usize) -> usize {
        self.source.get(from..to).unwrap_or("").matches('\n').count()
    }

    /// Whether the source has an empty line between two places.
    pub fn blank(&self, from: usize, to: usize) -> bool {
        let gap = self.source.get(from..to).unwrap_or("");
        let lines = gap.matches('\n').count();
        gap.split('\n').enumerate().any(|(i, l)| i > 0 && i < lines && l.trim().is_empty())
    }

    /// The next comment, if it starts before `end`.
    pub fn comment_before(&mut self, end: usize) -> Option<Comment<'a>> {
        let c = *self.comments.get(self.next)?;
        (c.start < end).then(|| {
            self.next += 1;
            c
        })
    }

    /// A comment behind `end` on its line, before `limit`.
    pub fn trailing(&mut self, end: usize, limit: usize) -> Option<Comment<'a>> {
        let c = *self.comments.get(self.next)?;
        if c.start < end || c.start >= limit || c.own_line || self.newlines(end, c.start) > 0 {
            return None;
        }
        self.next += 1;
        Some(c)
    }

    pub fn comment_entries(&mut self, end: usize, out: &mut Vec<FormattedLine>) {
        while let Some(c) = self.comment_before(end) {
            out.push(FormattedLine {
                doc: Doc::text(c.text),
                start: c.start,
                end: c.start + c.text.len(),
                apart: false,
            });
        }
    }

    /// Nodes on lines of their own, with the comments around them. `close` is where what holds them ends.
    pub fn lines<T>(
        &mut self,
        nodes: &[T],
        close: usize,
        span: impl Fn(&T) -> Span,
        apart: impl Fn(&T) -> bool,
        mut print: impl FnMut(&mut Self, &T) -> Doc,
    ) -> Vec<FormattedLine> {
        let mut out = Vec::new();
        for (i, node) in nodes.iter().enumerate() {
            let s = span(node);
            let (start, mut end) = (s.start as usize, s.end as usize);
            let limit = nodes.get(i + 1).map_or(close, |n| span(n).start as usize);
            self.comment_entries(start, &mut out);
            let doc = print(self, node);
            self.comment_entries(end, &mut out);
            let mut parts = vec![doc];
            if let Some(c) = self.trailing(end, limit) {
                end = c.start + c.text.len();
                parts.push(Doc::Comment(c.text.into()));
            }
            out.push(FormattedLine { doc: Doc::Concat(parts), start, end, apart: apart(node) });
        }
        self.comment_entries(close, &mut out);
        out
    }

    /// Lines one under the other; an empty line stays where the source has one.
    pub fn stack(&self, entries: Vec<FormattedLine>) -> Doc {
        let breaks: Vec<Doc> = entries
            .windows(2)
            .map(|w| if self.parted(&w[0], &w[1]) { Doc::BlankLine } else { Doc::HardLine })
            .collect();
        let mut breaks = breaks.into_iter();
        Doc::Concat(entries.into_iter().flat_map(|e| [Some(e.doc), breaks.next()]).flatten().collect())
    }

    /// Whether an empty line is written between an entry and the next.
    pub fn parted(&self, before: &FormattedLine, e: &FormattedLine) -> bool {
        before.apart || (e.apart && !self.is_comment(before.start)) || self.blank(before.end, e.start)
    }

    pub fn is_comment(&self, start: usize) -> bool {
        self.source.get(start..).is_some_and(|s| s.starts_with("//"))
    }

    /// `{` lines `}`, with a comment behind the brace kept there.
    pub fn braces(&self, opening: Option<Comment<'a>>, entries: Vec<FormattedLine>) -> Doc {
        let mut parts = vec![Doc::text("{")];
        parts.extend(opening.map(|c| Doc::Comment(c.text.into())));
        if entries.is_empty() && parts.len() == 1 {
            return Doc::text("{}");
        }
        if !entries.is_empty() {
            parts.push(Doc::Concat(vec![Doc::HardLine, self.stack(entries)]).indent());
        }
        parts.push(Doc::HardLine);
        parts.push(Doc::text("}"));
        Doc::Concat(parts)
    }

    /// Entries between brackets: on one line, or each on its own with a comma at the end.
    pub fn list<T>(
        &mut self,
        brackets: (&str, &str),
        nodes: &[T],
        close: usize,
        span: impl Fn(&T) -> Span,
        mut print: impl FnMut(&mut Self, &T) -> Doc,
    ) -> Doc {
        if nodes.is_empty() {
            return Doc::text(format!("{}{}", brackets.0, brackets.1));
        }
        let mut parts = vec![Doc::SoftLine];
        for (i, node) in nodes.iter().enumerate() {
            let s = span(node);
            let last = i + 1 == nodes.len();
            while let Some(c) = self.comment_before(s.start as usize) {
                parts.extend([Doc::text(c.text), Doc::HardLine]);
            }
            let doc = print(self, node);
            while let Some(c) = self.comment_before(s.end as usize) {
                parts.extend([Doc::text(c.text), Doc::HardLine]);
            }
            parts.push(doc);
            parts.push(if last { Doc::IfBroken(",") } else { Doc::text(",") });
            let limit = nodes.get(i + 1).map_or(close, |n| span(n).start as usize);
            if let Some(c) = self.trailing(s.end as usize, limit) {
                parts.push(Doc::Comment(c.text.into()));
            }
            if !last {
                parts.push(Doc::Line);
            }
        }
        while let Some(c) = self.comment_before(close) {
            parts.extend([Doc::HardLine, Doc::text(c.text)]);
        }
        Doc::Concat(vec![Doc::text(brackets.0), Doc::Concat(parts).indent(), Doc::SoftLine, Doc::text(brackets.1)])
            .group()
    }

    // ---- items
}
