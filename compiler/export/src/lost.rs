//! What a stack does otherwise than a plan, with what it concerns in bytes or time.
//!
//! Not here: what that is (`describe`, `unsaid`, and the writers).

use meshloom_report::human::bytes;
use std::fmt;

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Lost {
    pub what: String,
    /// In words, with bytes or times.
    pub cost: String,
}

impl Lost {
    pub fn new(what: impl Into<String>, cost: impl Into<String>) -> Lost {
        Lost { what: what.into(), cost: cost.into() }
    }
}

impl fmt::Display for Lost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.what, self.cost)
    }
}

/// `a`, `a and b`, `a, b and 3 more`
pub fn some(names: &[String]) -> String {
    match names {
        [] => String::new(),
        [a] => a.clone(),
        [a, b] => format!("{a} and {b}"),
        [a, b, rest @ ..] => format!("{a}, {b} and {} more", rest.len()),
    }
}

/// Bytes that a device holds.
pub fn held(n: u64) -> String {
    format!("{} on a device", bytes(n as f64))
}
