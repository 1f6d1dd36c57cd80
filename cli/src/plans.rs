//! Plans as files: what `plan --json` writes, and what `diff` and lock files read.

use crate::model;
use meshloom_driver::report::{self, Report};
use meshloom_report::PlanReport;
use meshloom_terminal::{Failed, Result, load};
use std::path::Path;

/// Of the object around the plans: 1 was one plan, or a list of them.
const SCHEMA: u32 = 2;

/// One object, with a plan for each entry, however many there are.
pub fn write(reports: &[Report]) -> String {
    let texts: Vec<String> = reports.iter().map(Report::json).collect();
    let entries: Vec<&str> = texts.iter().map(|t| t.trim_end()).collect();
    format!("{{\n\"schema\": {SCHEMA},\n\"entries\": [\n{}\n]\n}}\n", entries.join(",\n"))
}

/// The plans of a text that [`write`] made.
///
/// # Errors
/// What is wrong with it.
pub fn read(name: &str, text: &str) -> Result<Vec<PlanReport>> {
    PlanReport::list_from_json(text).map_err(|e| Failed::usage(format!("{name}: is no plan: {e}")))
}

/// The plans that a bundle holds, as far as its programs tell.
///
/// # Errors
/// A bundle that cannot be read.
pub fn of_bundle(path: &Path) -> Result<Vec<PlanReport>> {
    let name = model::display(path);
    let fail = |e: String| Failed::usage(format!("{name}: {e}"));
    let bundle = load::bundle(path, None)?;
    bundle.contents.entries.iter().map(|e| report::of_bundle(e, &bundle.manifest.target).map_err(fail)).collect()
}
