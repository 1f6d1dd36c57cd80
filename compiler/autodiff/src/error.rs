//! What autodiff refuses, as a value with a source location; the driver shows it as a diagnostic.

use meshloom_ir::Span;
use std::fmt;

#[derive(Clone, PartialEq, Debug)]
pub struct AutodiffError {
    /// Where in the source; none when the whole program is meant.
    pub span: Span,
    /// The code of the diagnostic it becomes.
    pub code: &'static str,
    pub message: String,
    pub help: Option<String>,
}

impl AutodiffError {
    pub(crate) fn new(span: Span, message: impl Into<String>) -> AutodiffError {
        AutodiffError { span, code: "not-differentiable", message: message.into(), help: None }
    }

    /// A loop whose number of iterations is known only while it runs: what its backward pass would keep has no size.
    pub(crate) fn early_loop(span: Span) -> AutodiffError {
        let message = "no gradient goes back through `while`, which ends when its condition says so";
        let help = "loop a fixed number of times, with `for i in 0..n` or `scan`; or pass `stop_gradient` of what the loop reads";
        AutodiffError { code: "while-gradient", ..AutodiffError::new(span, message).help(help) }
    }

    pub(crate) fn help(mut self, help: impl Into<String>) -> AutodiffError {
        self.help = Some(help.into());
        self
    }
}

impl fmt::Display for AutodiffError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for AutodiffError {}
