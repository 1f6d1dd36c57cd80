//! What is predicted of a launch: its program planned as the stack runs it, with the mesh, the layout and the schedule given.
//!
//! The layout says most of such a plan, so a brief search finds the rest. What does not fit a device is planned once more as if it had
//! room, so that the review can say by how much it does not.

use meshloom_driver::{CompileOptions, front, pipeline, report};
use meshloom_export::read::{Checkpoint, LAYOUT, LaunchFile, program};
use meshloom_ir::Recompute;
use meshloom_plan::cost::Target;
use meshloom_plan::{Limits, Mode, PlanOptions};
use meshloom_report::TotalsReport;
use meshloom_source::entry::ScheduleChoice;
use meshloom_source::{Failure, FrontOptions};
use serde::Serialize;

/// Room for what is planned without regard to memory.
const ENDLESS: u64 = 1 << 50;

/// What is predicted of a launch.
#[derive(Clone, Debug, Serialize)]
pub struct Figures {
    pub step_us: f64,
    pub tokens_per_second: f64,
    pub tokens_per_second_and_device: f64,
    pub mfu: Option<f64>,
    pub peak_bytes: u64,
    pub fits: bool,
}

/// Figures of a launch on a target.
///
/// # Errors
/// Why it cannot be planned.
pub fn predict(launch: &LaunchFile, target: &Target) -> Result<Figures, String> {
    let part = match launch.checkpoint {
        Checkpoint::None => 0.0,
        Checkpoint::Full => 1.0,
        Checkpoint::Part(percent) => percent as f64 / 100.0,
    };
    let (mut figures, peak) = match launch.checkpoint {
        Checkpoint::None => planned(launch, target, Recompute::None)?,
        Checkpoint::Full => planned(launch, target, Recompute::Full)?,
        // What is recomputed in part lies between none and all of it, in time and in memory.
        Checkpoint::Part(_) => {
            let (none, all) = (planned(launch, target, Recompute::None)?, planned(launch, target, Recompute::Full)?);
            let between = |a: f64, b: f64| a + part * (b - a);
            let mut f = none.0.clone();
            f.predicted_step_us = between(none.0.predicted_step_us, all.0.predicted_step_us);
            let scale = none.0.predicted_step_us / f.predicted_step_us.max(1.0);
            f.mfu = none.0.mfu.map(|m| m * scale);
            (f, between(none.1 as f64, all.1 as f64) as u64)
        }
    };
    if figures.predicted_step_us <= 0.0 {
        return Err("its time is not predicted: the target cannot run it".into());
    }
    figures.peak_bytes_per_device = Some(peak);
    let tokens = (launch.batch * launch.seq) as f64;
    let per_second = tokens / (figures.predicted_step_us / 1e6);
    Ok(Figures {
        step_us: figures.predicted_step_us,
        tokens_per_second: per_second,
        tokens_per_second_and_device: per_second / launch.devices as f64,
        mfu: figures.mfu,
        peak_bytes: peak,
        fits: peak <= target.room(),
    })
}

fn planned(launch: &LaunchFile, target: &Target, recompute: Recompute) -> Result<(TotalsReport, u64), String> {
    match totals(launch, target, recompute, target.room()) {
        Err(Failure::TooLarge(_)) => totals(launch, target, recompute, ENDLESS),
        other => other,
    }
    .map_err(|failure| failure.to_string().lines().next().unwrap_or_default().to_owned())
}

fn totals(
    launch: &LaunchFile,
    target: &Target,
    recompute: Recompute,
    budget: u64,
) -> Result<(TotalsReport, u64), Failure> {
    let made = program(launch);
    let front = FrontOptions {
        layout: Some(LAYOUT.into()),
        schedule: made.schedule.map(|s| ScheduleChoice::Named { name: s.0.into(), virtual_stages: None }),
        virtual_stages: made.schedule.map(|s| s.1).filter(|n| *n > 1),
        stages: made.stages.clone(),
        batches: 1,
        ..FrontOptions::default()
    };
    let limits = Limits {
        moves: Limits::default().moves / 100,
        perturbations: 20,
        programs: 40,
        smaller: 0,
        ..Limits::default()
    };
    let plan = PlanOptions {
        mode: Mode::Search,
        target: target.clone(),
        budget: Some(budget),
        recompute_all: Some(recompute),
        limits,
        disabled_rules: launch.unfused.then(|| "attention".to_owned()).into_iter().collect(),
        ..PlanOptions::default()
    };
    let options = CompileOptions { front, plan, asserts_later: true, ..CompileOptions::default() };
    let program = front::check("launch.loom", &made.text, &options).and_then(|p| pipeline::plan(p, &options));
    let program = program.map_err(|e| e.0)?;
    let Some(entry) = program.entries.first() else { return Err(Failure::Environment("no train step".into())) };
    let totals = report::of(&program, entry).data.totals;
    let peak = totals.peak_bytes_per_device.unwrap_or(u64::MAX);
    Ok((totals, peak))
}
