//! What the checker says when it refuses a certificate: which local op is wrong, and why.

use meshloom_ir::print::{self, PrintedLine};
use meshloom_ir::{Func, OpId, Span};
use std::collections::BTreeMap;
use std::fmt;

/// One thing that does not hold. An `op` of `None` means the program as a whole: its ports, mesh or size.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rejection {
    /// The local op whose step fails.
    pub op: Option<OpId>,
    /// The op of the certificate's form of which the certificate says something wrong.
    pub form: Option<OpId>,
    /// The op's line of the printed program.
    pub text: String,
    /// The place in the source that the op comes from.
    pub span: Span,
    pub message: String,
}

impl Rejection {
    pub(crate) fn program(message: impl Into<String>) -> Rejection {
        let message = message.into();
        Rejection { op: None, form: None, text: String::new(), span: Span::default(), message }
    }

    /// A rejection of an op of the certificate's form, or of the form as a whole.
    pub(crate) fn form(func: &Func, op: Option<OpId>, message: String) -> Rejection {
        let Some(o) = op else { return Rejection::program(message) };
        let lines = print::lines(func, false);
        let line = lines.into_iter().find(|l| l.at == PrintedLine::Op(o));
        let text = line.map_or_else(String::new, |l| l.text.trim_end_matches(" {").to_string());
        let span = func.ops.get(o.index()).map_or(Span::default(), |d| d.span);
        Rejection { op: None, form: Some(o), text, span, message }
    }

    /// A rejection of a local op. [`with_text`] fills in the text.
    pub(crate) fn at(local: &Func, op: OpId, message: impl Into<String>) -> Rejection {
        Rejection { op: Some(op), form: None, text: String::new(), span: local.op(op).span, message: message.into() }
    }
}

impl fmt::Display for Rejection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.op.or(self.form) {
            Some(_) => write!(f, "`{}`: {}", self.text, self.message),
            None => write!(f, "{}", self.message),
        }
    }
}

/// Fills in the lines of the ops that are rejected. The program is printed once for all of them.
pub(crate) fn with_text(local: &Func, mut rejected: Vec<Rejection>) -> Vec<Rejection> {
    let mut texts = BTreeMap::new();
    for line in print::lines(local, false) {
        if let PrintedLine::Op(o) = line.at {
            // The first line of an op with a body is the one that says what it is.
            texts.entry(o).or_insert(line.text);
        }
    }
    for r in &mut rejected {
        if let Some(o) = r.op {
            r.text = texts.get(&o).map_or("", |t| t.trim_end_matches(" {")).to_string();
        }
    }
    rejected
}
