//! Diagnostics as values: what is wrong, where, and what to do about it. Rendering is apart from making, so the command
//! line, `--json` and tests read the same value.
//!
//! The standard for a diagnostic: the message is one terse line that names the user's own things, the primary label
//! says what was found there, and a help line gives the next step where one is known.
//!
//! Not here: how diagnostics look ([`render`]), their forms for programs ([`json`]), and the numbers and pages of codes
//! ([`codes`]).

pub mod codes;
mod excerpt;
pub mod json;
pub mod render;

pub use json::to_json;
pub use render::{Style, render, render_all};

use crate::map::SourceMap;
use meshloom_ir::Span;
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
    /// Stable name, `shape-mismatch`. People see its number, `E0303`; [`codes`] has both, and a page for each.
    pub code: &'static str,
    pub severity: Severity,
    pub message: String,
    /// Where it is wrong. `None` for what has no place in a file, such as a command-line option.
    pub primary: Option<Label>,
    /// Other places that explain it.
    pub secondary: Vec<Label>,
    pub notes: Vec<String>,
    pub help: Vec<String>,
    /// Changes of the source that some of the help lines stand for.
    pub fixes: Vec<Fix>,
}

/// A change that a help line proposes: what stands at `span` becomes `with`.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Fix {
    /// Position in [`Diagnostic::help`].
    pub help: usize,
    pub span: Span,
    pub with: String,
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
            fixes: Vec::new(),
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

    /// The notes, and where the line comes from if that is another text.
    fn all_notes(&self, sources: &SourceMap) -> Vec<String> {
        let origin = self.primary.as_ref().and_then(|l| sources.origins.get(l.span));
        self.notes.iter().cloned().chain(origin.map(|o| format!("from {}", o.long()))).collect()
    }

    pub fn help(mut self, text: impl Into<String>) -> Diagnostic {
        self.help.push(text.into());
        self
    }

    /// A help line that an editor can carry out.
    pub fn fix(mut self, span: Span, with: impl Into<String>, text: impl Into<String>) -> Diagnostic {
        if !span.is_none() {
            self.fixes.push(Fix { help: self.help.len(), span, with: with.into() });
        }
        self.help(text)
    }

    /// "Did you mean": `name` in place of what the primary label points at.
    pub fn did_you_mean(self, name: &str) -> Diagnostic {
        let span = self.primary.as_ref().map_or(Span::default(), |l| l.span);
        self.fix(span, name, format!("did you mean `{name}`?"))
    }

    /// `E0303`, or the name where it has no number.
    pub fn number(&self) -> &'static str {
        codes::named(self.code).map_or(self.code, |c| c.number)
    }

    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }
}
