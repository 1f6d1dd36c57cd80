//! Plans as files: what `plan --json` writes, and what `diff` and lock files read.

use crate::model;
use meshloom_driver::report::{self, Report};
use meshloom_report::PlanReport;
use meshloom_run::{Failed, Result, load};
use std::path::Path;

/// One entry is one object; several are a list of the same objects.
pub fn write(reports: &[Report]) -> String {
    let texts: Vec<String> = reports.iter().map(Report::json).collect();
    match texts.as_slice() {
        [only] => only.clone(),
        many => format!("[\n{}]\n", many.join(",")),
    }
}

/// The plans of a text that [`write`] made.
///
/// # Errors
/// What is wrong with it.
pub fn read(name: &str, text: &str) -> Result<Vec<PlanReport>> {
    let one = |text: &str| PlanReport::from_json(text).map(|p| vec![p]);
    let plans = if text.trim_start().starts_with('[') { PlanReport::list_from_json(text) } else { one(text) };
    plans.map_err(|e| Failed::usage(format!("{name}: is no plan: {e}")))
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
