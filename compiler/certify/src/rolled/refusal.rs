//! What the check of rolled programs says when it does not accept one.

use meshloom_ir::Span;

/// Why a rolled program does not stand for the given one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refusal {
    pub message: String,
    /// The place in the source of what differs, where that is an op of the given program.
    pub span: Option<Span>,
}

impl Refusal {
    pub(super) fn whole(message: impl Into<String>) -> Refusal {
        Refusal { message: message.into(), span: None }
    }
}
