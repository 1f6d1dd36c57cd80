//! Meshes that were chosen, as the data that is printed.

use super::full::FullPlan;
use super::shape::ModelShape;
use crate::settings::Settings;
use meshloom_plan::Recompute;
use meshloom_report::{AxisSize, DevicePlan, DevicesReport, LevelBytes, ProfileReport};

/// How many candidates came how far.
#[derive(Clone, Copy, Debug)]
pub struct Counts {
    pub considered: usize,
    pub composed: usize,
    pub planned: usize,
}

pub fn of(shape: &ModelShape, settings: &Settings, devices: u64, plans: &[FullPlan], counts: Counts) -> DevicesReport {
    let target = &settings.plan.target;
    DevicesReport {
        schema: meshloom_report::SCHEMA,
        entry: shape.train.clone(),
        target: target.name.clone(),
        profile: target.profile.as_ref().map(ProfileReport::of),
        devices,
        tokens_per_step: shape.work.tokens,
        flops_per_step: shape.work.flops as f64,
        considered: counts.considered as u64,
        composed: counts.composed as u64,
        planned: counts.planned as u64,
        plans: plans.iter().map(|p| plan(shape, settings, devices, p)).collect(),
    }
}

/// One of them.
pub fn plan(shape: &ModelShape, settings: &Settings, devices: u64, p: &FullPlan) -> DevicePlan {
    let target = &settings.plan.target;
    let seconds = p.step_ps as f64 / 1e12;
    let mesh = p.candidate.mesh(shape).into_iter().map(|(name, size)| AxisSize { name, size });
    let levels = target.levels.iter().zip(&p.wire);
    DevicePlan {
        mesh: mesh.collect(),
        layout: shape.layouts[p.candidate.layout].name.clone(),
        microbatches: p.candidate.microbatches,
        rows: p.candidate.rows,
        schedule: p.schedule.map(|s| s.name.to_owned()),
        virtual_stages: p.schedule.map(|s| u64::from(s.each)),
        recompute: match settings.plan.recompute_all {
            Some(said) => said.name(),
            None if p.candidate.pipe < 2 => Recompute::Auto.name(),
            None => p.candidate.recompute.name(),
        }
        .to_owned(),
        step_us: p.step_ps as f64 / 1e6,
        tokens_per_second: shape.work.tokens as f64 / seconds,
        mfu: shape.work.mfu(target, devices, seconds),
        bubble: p.bubble,
        peak_bytes_per_device: p.peak,
        wire: levels.map(|(l, bytes)| LevelBytes { level: l.name.clone(), bytes: *bytes }).collect(),
        source: p.lines.clone(),
    }
}
