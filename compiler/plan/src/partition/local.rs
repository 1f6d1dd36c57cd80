//! The program that one device runs, with its certificate.

use super::origin::OpOrigin;
use meshloom_certify::Certificate;
use meshloom_ir::{Func, Span};

#[derive(Clone)]
pub struct LocalProgram {
    pub func: Func,
    pub certificate: Certificate,
    /// By op of `func`.
    pub origins: Vec<OpOrigin>,
    /// What nothing brings about, if there is something: then this is no plan, and the planner has a mistake.
    pub missing: Option<Missing>,
}

/// A tensor that is read in a layout in which it never comes about.
#[derive(Clone, Debug)]
pub struct Missing {
    pub what: String,
    pub span: Span,
}
