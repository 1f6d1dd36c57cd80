//! From a plan to the report that people and tools read.

use crate::pipeline::{Entry, Program};

/// What `meshloom plan` prints, as text.
pub struct Report(String);

impl Report {
    pub fn text(&self) -> String {
        self.0.clone()
    }
}

/// The report of a planned entry.
pub fn of(_program: &Program, _entry: &Entry) -> Option<Report> {
    None
}
