//! What is wrong with a plan: a module, an op, a layout, and a sentence.

use serde::Serialize;

/// One thing that a plan does wrong.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct PlanRefusal {
    /// The module's path; empty for the model itself.
    pub module: String,
    /// The op, as PyTorch calls it, where it is one.
    pub op: Option<String>,
    /// The line of Python that it comes from.
    pub line: Option<String>,
    /// What does not hold.
    pub message: String,
    /// How many modules more have it alike.
    pub more: usize,
}

impl PlanRefusal {
    pub fn new(module: &str, message: impl Into<String>) -> PlanRefusal {
        PlanRefusal { module: module.into(), op: None, line: None, message: message.into(), more: 0 }
    }

    /// What the checker of certificates does not accept, though nothing was found before: a mistake of this crate.
    pub(crate) fn unproved(message: &str) -> PlanRefusal {
        PlanRefusal::new("", format!("nothing wrong was found, and it could not be proved: {message}"))
    }
}

impl std::fmt::Display for PlanRefusal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let module = if self.module.is_empty() { "the model" } else { &self.module };
        write!(f, "{module}")?;
        if let Some(op) = &self.op {
            write!(f, ", {op}")?;
        }
        if let Some(line) = &self.line {
            write!(f, " ({line})")?;
        }
        write!(f, ": {}", self.message)?;
        match self.more {
            0 => Ok(()),
            1 => write!(f, "; so in 1 module more"),
            n => write!(f, "; so in {n} modules more"),
        }
    }
}

/// What is known of a plan in the end. It is accepted where nothing is refused; then `steps` of its certificate were proved.
#[derive(Clone, Debug, Serialize)]
pub struct Verdict {
    pub refusals: Vec<PlanRefusal>,
    /// What PyTorch would warn of.
    pub warnings: Vec<String>,
    pub steps: usize,
    /// Ops of one device's program that send something.
    pub collectives: usize,
}

impl Verdict {
    pub fn is_accepted(&self) -> bool {
        self.refusals.is_empty()
    }
}

/// Refusals that differ in the numbers of layers alone, once.
pub(crate) fn gathered(all: Vec<PlanRefusal>) -> Vec<PlanRefusal> {
    let mut out: Vec<PlanRefusal> = Vec::new();
    for r in all {
        let same = |o: &&mut PlanRefusal| {
            pattern(&o.module) == pattern(&r.module) && o.op == r.op && pattern(&o.message) == pattern(&r.message)
        };
        match out.iter_mut().find(same) {
            Some(first) => first.more += 1,
            None => out.push(r),
        }
    }
    out
}

/// A text with `*` for the numbers between dots.
fn pattern(text: &str) -> String {
    let number = |s: &str| !s.is_empty() && s.bytes().all(|b| b.is_ascii_digit());
    let parts: Vec<&str> = text.split('.').map(|s| if number(s) { "*" } else { s }).collect();
    parts.join(".")
}
