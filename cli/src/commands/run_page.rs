//! The page of `run --html`: the plan's page with what a run measured.
//!
//! Not here: measuring (`meshloom_run::Measured`), and drawing (`meshloom_report::page`).

use crate::model;
use meshloom_bundle::Bundle;
use meshloom_driver::report;
use meshloom_report::page::{PageEntry, PageMeasured, PagePlace, PageStep, PageTraced, PageTracedSpan, PlanPage};
use meshloom_run::Measured;
use meshloom_runtime::trace::Trace;
use meshloom_terminal::{Failed, Result};
use std::path::Path;

/// Asked before the run, which may be long.
///
/// # Errors
/// The folder of the page is missing.
pub fn has_folder(path: &Path) -> Result<()> {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() && !folder.is_dir() => {
            Err(Failed::usage(format!("--html {}: there is no folder {}", path.display(), folder.display())))
        }
        _ => Ok(()),
    }
}

/// Of a bundle's plans, which are reports alone.
///
/// # Errors
/// A bundle whose plan this version cannot read.
pub fn of_bundle(path: &Path, bundle: &Bundle) -> Result<PlanPage> {
    let title = model::display(path);
    let plans = bundle.contents.entries.iter().map(|e| report::of_bundle(e, &bundle.manifest.target));
    let entries = plans.map(|p| p.map(PageEntry::reported)).collect::<std::result::Result<_, _>>();
    let entries = entries.map_err(|e| Failed::usage(format!("{title}: {e}")))?;
    Ok(PlanPage { title, version: env!("CARGO_PKG_VERSION").into(), entries, ..PlanPage::default() })
}

/// The entry that ran comes first.
pub fn with(mut page: PlanPage, measured: Measured) -> PlanPage {
    page.entries.sort_by_key(|e| e.plan.entry != measured.entry);
    let steps = measured.steps.iter().map(|s| PageStep {
        step: s.step,
        loss: s.loss.filter(|l| l.is_finite()),
        eval_loss: s.eval_loss.filter(|l| l.is_finite()),
        us: s.seconds * 1e6,
    });
    let traced = measured.traced.map(|(step, trace)| traced(step, trace, measured.devices));
    let measured = PageMeasured::of(&measured.entry, steps.collect(), measured.tokens_per_step, traced);
    PlanPage { measured: Some(measured), ..page }
}

fn traced(step: u64, trace: Trace, devices: usize) -> PageTraced {
    let spans = trace.spans.into_iter().map(|s| PageTracedSpan {
        what: s.label.what.name(),
        name: s.label.name,
        track: s.track,
        device: s.device,
        start: s.start,
        us: (s.end - s.start).max(0.0),
        at: s.label.source.map(|p| PagePlace(p.file, p.line.into())),
    });
    PageTraced::of(step, trace.tracks, devices, spans.collect())
}
