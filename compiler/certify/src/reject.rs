//! What the checker says when it refuses: which local op, and what is wrong with it in the field's words.

use meshloom_ir::{Func, Op, OpId, Span, ValueId};
use std::fmt;

/// One thing that does not hold. An `op` of `None` is about the program as a whole: its ports, mesh or size.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rejection {
    /// The local op whose step fails.
    pub op: Option<OpId>,
    /// Its text, `%7 = all_reduce %6`.
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
            Some(op) => write!(f, "op {}, `{}`: {}", op.0, self.text, self.message),
            None => write!(f, "{}", self.message),
        }
    }
}

/// `%7, %8 = repeat %1, %2`: enough to find the op in the printed program.
pub(crate) fn op_text(func: &Func, op: OpId) -> String {
    let data = func.op(op);
    let list = |vs: &[ValueId]| {
        let names: Vec<String> = vs.iter().map(|v| format!("%{}", v.0)).collect();
        names.join(", ")
    };
    let mut s = format!("{} = {}", list(&data.results), data.op.name());
    if let Op::Composite { name, .. } = &data.op {
        s += &format!(" {name}");
    }
    if !data.operands.is_empty() {
        s += &format!(" {}", list(&data.operands));
    }
    s
}
