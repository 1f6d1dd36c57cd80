//! Meshes that were chosen, as the data that is printed.

use super::candidate::{Candidate, ScheduleOf};
use super::full::FullPlan;
use super::shape::ModelShape;
use crate::settings::Settings;
use meshloom_plan::Recompute;
use meshloom_report::{AxisSize, DeviceChoice, DevicePlan, DeviceTry, DevicesReport, LevelBytes, ProfileReport};

/// What was found, and how many candidates came how far.
pub struct Found<'a> {
    pub plans: &'a [FullPlan],
    pub outcomes: &'a [CandidateOutcome],
    pub considered: usize,
    pub composed: usize,
    pub planned: usize,
}

/// What became of a candidate in the last round.
pub struct CandidateOutcome {
    pub candidate: Candidate,
    pub schedule: Option<ScheduleOf>,
    pub expected_ps: u64,
    /// Time and bytes of its plan in full.
    pub made: Option<(u64, u64)>,
    pub verdict: &'static str,
    pub why: Option<String>,
}

pub fn of(shape: &ModelShape, settings: &Settings, devices: u64, found: &Found<'_>) -> DevicesReport {
    let target = &settings.plan.target;
    DevicesReport {
        schema: meshloom_report::SCHEMA,
        entry: shape.train.clone(),
        target: target.name.clone(),
        profile: target.profile.as_ref().map(ProfileReport::of),
        devices,
        tokens_per_step: shape.work.tokens,
        flops_per_step: shape.work.flops as f64,
        considered: found.considered as u64,
        composed: found.composed as u64,
        planned: found.planned as u64,
        tried: found.outcomes.iter().map(|t| tried(shape, settings, t)).collect(),
        plans: found.plans.iter().map(|p| plan(shape, settings, devices, p)).collect(),
    }
}

fn tried(shape: &ModelShape, settings: &Settings, t: &CandidateOutcome) -> DeviceTry {
    DeviceTry {
        choice: choice(shape, settings, &t.candidate, t.schedule),
        expected_step_us: t.expected_ps as f64 / 1e6,
        step_us: t.made.map(|m| m.0 as f64 / 1e6),
        peak_bytes_per_device: t.made.map(|m| m.1),
        verdict: t.verdict.to_owned(),
        why: t.why.clone(),
    }
}

fn choice(shape: &ModelShape, settings: &Settings, of: &Candidate, schedule: Option<ScheduleOf>) -> DeviceChoice {
    let recompute = match settings.plan.recompute_all {
        Some(said) => said,
        None if of.pipe < 2 => Recompute::Auto,
        None => of.recompute,
    };
    DeviceChoice {
        mesh: of.mesh(shape).into_iter().map(|(name, size)| AxisSize { name, size }).collect(),
        layout: shape.layouts[of.layout].name.clone(),
        microbatches: of.microbatches,
        rows: of.rows,
        schedule: schedule.map(|s| s.name.to_owned()),
        virtual_stages: schedule.map(|s| u64::from(s.each)),
        recompute: recompute.name().to_owned(),
    }
}

/// One of them.
pub fn plan(shape: &ModelShape, settings: &Settings, devices: u64, p: &FullPlan) -> DevicePlan {
    let target = &settings.plan.target;
    let seconds = p.step_ps as f64 / 1e12;
    let levels = target.levels.iter().zip(&p.wire);
    DevicePlan {
        choice: choice(shape, settings, &p.candidate, p.schedule),
        step_us: p.step_ps as f64 / 1e6,
        tokens_per_second: shape.work.tokens as f64 / seconds,
        mfu: shape.work.mfu(target, devices, seconds),
        bubble: p.bubble,
        peak_bytes_per_device: p.peak,
        wire: levels.map(|(l, bytes)| LevelBytes { level: l.name.clone(), bytes: *bytes }).collect(),
        source: p.lines.clone(),
    }
}
