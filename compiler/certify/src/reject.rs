//! What the checker says when it refuses: which local op, and what is wrong with it in the field's words.

use meshloom_ir::{Func, OpId, Span, print};
use std::fmt;

/// One thing that does not hold. An `op` of `None` is about the program as a whole: its ports, mesh or size.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rejection {
    /// The local op whose step fails.
    pub op: Option<OpId>,
    /// Its line of the printed program.
    pub text: String,
    /// The source it stems from.
    pub span: Span,
    pub message: String,
}

impl Rejection {
    pub(crate) fn program(message: impl Into<String>) -> Rejection {
        Rejection { op: None, text: String::new(), span: Span::default(), message: message.into() }
    }

    pub(crate) fn at(local: &Func, op: OpId, message: impl Into<String>) -> Rejection {
        let data = local.op(op);
        Rejection { op: Some(op), text: op_text(local, op), span: data.span, message: message.into() }
    }
}

impl fmt::Display for Rejection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.op {
            Some(_) => write!(f, "`{}`: {}", self.text, self.message),
            None => write!(f, "{}", self.message),
        }
    }
}

/// The op's line in the printed program.
fn op_text(func: &Func, op: OpId) -> String {
    let lines = print::lines(func, false).into_iter();
    let mut at = lines.filter(|l| l.at == print::At::Op(op));
    let line = at.next().map(|l| l.text).unwrap_or_default();
    line.trim_end_matches(" {").to_string()
}
