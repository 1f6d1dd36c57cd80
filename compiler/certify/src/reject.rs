//! What the checker says when it refuses: which local op, and what is wrong with it.

use meshloom_ir::print::{self, PrintedLine};
use meshloom_ir::{Func, OpId, Span};
use std::collections::BTreeMap;
use std::fmt;

/// One thing that does not hold. An `op` of `None` is about the program as a whole: its ports, mesh or size.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rejection {
    /// The local op whose step fails.
    pub op: Option<OpId>,
    /// The op of the certificate's form that is not what is said of it.
    pub form: Option<OpId>,
    /// Its line of the printed program.
    pub text: String,
    /// The source it stems from.
    pub span: Span,
    pub message: String,
}

impl Rejection {
    pub(crate) fn program(message: impl Into<String>) -> Rejection {
        let message = message.into();
        Rejection { op: None, form: None, text: String::new(), span: Span::default(), message }
    }

    /// About an op of the certificate's form, or about the form as a whole.
    pub(crate) fn form(func: &Func, op: Option<OpId>, message: String) -> Rejection {
        let Some(o) = op else { return Rejection::program(message) };
        let lines = print::lines(func, false);
        let line = lines.into_iter().find(|l| l.at == PrintedLine::Op(o));
        let text = line.map_or_else(String::new, |l| l.text.trim_end_matches(" {").to_string());
        let span = func.ops.get(o.index()).map_or(Span::default(), |d| d.span);
        Rejection { op: None, form: Some(o), text, span, message }
    }

    /// Its text is filled in by [`with_text`].
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

/// The rejections with their ops' lines of the printed program, which is printed once for all of them.
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
