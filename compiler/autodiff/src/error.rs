//! What autodiff refuses, as a value with a place; the driver shows it as a diagnostic.

use meshloom_ir::Span;
use std::fmt;

#[derive(Clone, PartialEq, Debug)]
pub struct Error {
    /// Where in the source; none when the whole program is meant.
    pub span: Span,
    pub message: String,
    pub help: Option<String>,
}

impl Error {
    pub(crate) fn new(span: Span, message: impl Into<String>) -> Error {
        Error { span, message: message.into(), help: None }
    }

    pub(crate) fn help(mut self, help: impl Into<String>) -> Error {
        self.help = Some(help.into());
        self
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Error {}
