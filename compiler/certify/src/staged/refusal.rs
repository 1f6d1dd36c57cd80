//! What the checker of staged programs says when it refuses one: which op of which rank, and why.

use meshloom_ir::print::{self, PrintedLine};
use meshloom_ir::{Func, OpId, Span};
use std::fmt;

/// One thing that does not hold, or is not followed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refusal {
    /// `None`: of the local program, or of all ranks.
    pub rank: Option<usize>,
    pub op: Option<OpId>,
    /// The line of the op in the printed program.
    pub text: String,
    /// The place in the source that the op comes from.
    pub span: Span,
    pub message: String,
}

impl Refusal {
    pub(super) fn whole(message: impl Into<String>) -> Refusal {
        Refusal { rank: None, op: None, text: String::new(), span: Span::default(), message: message.into() }
    }

    pub(super) fn rank(rank: usize, message: impl Into<String>) -> Refusal {
        Refusal { rank: Some(rank), ..Refusal::whole(message) }
    }

    pub(super) fn at(rank: Option<usize>, func: &Func, op: OpId, message: impl Into<String>) -> Refusal {
        let (text, span) = (line(func, op), func.op(op).span);
        Refusal { rank, op: Some(op), text, span, message: message.into() }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(rank) = self.rank {
            write!(f, "rank {rank}: ")?;
        }
        if !self.text.is_empty() {
            write!(f, "`{}`: ", self.text)?;
        }
        f.write_str(&self.message)
    }
}

/// The line of an op.
pub(super) fn line(func: &Func, op: OpId) -> String {
    let found = print::lines(func, false).into_iter().find(|l| l.at == PrintedLine::Op(op));
    found.map_or_else(String::new, |l| l.text.trim().trim_end_matches(" {").to_string())
}
