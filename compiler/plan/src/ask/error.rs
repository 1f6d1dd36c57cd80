//! Why a program cannot be planned, as a value that the driver shows like any diagnostic.

use meshloom_ir::Span;
use std::fmt;

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlanError {
    pub message: String,
    pub span: Span,
    pub help: Option<String>,
    /// Nothing fits: what the smallest plan found needs on one device, and what there is, in bytes.
    pub too_large: Option<(u64, u64)>,
    /// Not the program is at fault, but the planner.
    pub mistake: bool,
}

impl PlanError {
    pub fn new(span: Span, message: impl Into<String>) -> PlanError {
        PlanError { message: message.into(), span, help: None, too_large: None, mistake: false }
    }

    pub fn too_large(needs: u64, budget: u64) -> PlanError {
        let message =
            format!("no plan fits: the smallest found needs {needs} bytes on a device, the budget is {budget}");
        PlanError { too_large: Some((needs, budget)), ..PlanError::new(Span::default(), message) }
    }

    /// What only a mistake of the planner brings about.
    pub fn mistake(span: Span, message: impl Into<String>) -> PlanError {
        PlanError { mistake: true, ..PlanError::new(span, message) }
    }

    pub fn help(mut self, help: impl Into<String>) -> PlanError {
        self.help = Some(help.into());
        self
    }
}

impl fmt::Display for PlanError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        if let Some(h) = &self.help {
            write!(f, "; {h}")?;
        }
        Ok(())
    }
}

impl std::error::Error for PlanError {}
