//! Prints diagnostics for the user.

use crate::ice;
use meshloom_source::diagnostic::{Diagnostic, Style, json, render_all, to_json};
use meshloom_source::{Failure, SourceMap};
use meshloom_terminal::{Failed, status};
use serde_json::{Value, json};

/// The error of a `CompileResult`, ready to be printed. Colours are in the text; anstream removes them where they are off.
pub fn failed(error: (Failure, SourceMap)) -> Failed {
    let (failure, sources) = error;
    let code = failure.exit_code();
    match &failure {
        Failure::Rejected(diagnostics) | Failure::TooLarge(diagnostics) => {
            Failed::rendered(code, rendered(diagnostics, &sources))
        }
        Failure::Internal { .. } => {
            ice::failure(&failure);
            Failed::silent(code)
        }
        Failure::Environment(message) | Failure::Text(message) => Failed::new(code, message.clone()),
    }
}

/// The text for people, with a last line that counts; or with `--message-format=json` a line for each.
pub fn rendered(diagnostics: &[Diagnostic], sources: &SourceMap) -> String {
    if status::json() {
        return lines(diagnostics, sources);
    }
    let errors = diagnostics.iter().filter(|d| d.is_error()).count();
    let text = render_all(diagnostics, sources, Style::Coloured);
    match errors {
        0 | 1 => text,
        n => format!("{text}\n\n{n} errors"),
    }
}

/// Warnings go to standard error and stop nothing.
pub fn warn(diagnostics: &[Diagnostic], sources: &SourceMap) {
    if !diagnostics.is_empty() && status::json() {
        status::stderr(&lines(diagnostics, sources));
    } else if !diagnostics.is_empty() {
        status::stderr(&render_all(diagnostics, sources, Style::Coloured));
    }
}

/// What `--message-format=json` prints.
fn lines(diagnostics: &[Diagnostic], sources: &SourceMap) -> String {
    let line = |d| serde_json::to_string(&json::message(d, sources)).unwrap_or_default();
    diagnostics.iter().map(line).collect::<Vec<_>>().join("\n")
}

/// What `check --json` prints.
pub fn as_json(diagnostics: &[Diagnostic], sources: &SourceMap) -> Value {
    let all: Vec<Value> = diagnostics.iter().map(|d| json!(to_json(d, sources))).collect();
    json!({ "schema": 1, "ok": !diagnostics.iter().any(Diagnostic::is_error), "diagnostics": all })
}
