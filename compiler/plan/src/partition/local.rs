//! The program that one device runs, with its certificate.

use super::origin::OpOrigin;
use crate::PlanError;
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

impl LocalProgram {
    /// Whether it is without what only a reader or the checker asks for: claims, steps, names, layouts.
    pub fn is_brief(&self) -> bool {
        self.certificate.values.len() < self.func.values.len()
    }

    /// # Errors
    /// A mistake of the planner: nothing brings about what is read.
    pub fn lacks_nothing(&self) -> Result<(), PlanError> {
        let Some(missing) = &self.missing else { return Ok(()) };
        Err(PlanError::mistake(missing.span, format!("the plan reads {}, which nothing makes", missing.what)))
    }
}

/// A tensor that is read in a layout in which it never comes about.
#[derive(Clone, Debug)]
pub struct Missing {
    pub what: String,
    pub span: Span,
}
