//! Many ways to use so many devices, side by side: the rounds of [`super::choose`], with more plans in full, and with what was only
//! composed behind them. What does not fit is listed as well.

use super::candidate::Candidate;
use super::full::{self, FullPlan, Tried};
use super::rough::Estimate;
use super::search::Search;
use super::{Choice, budget, choice, report};
use crate::compiler::{self, Compiler};
use crate::settings::Settings;
use meshloom_plan::Recompute;
use meshloom_report::{Strategy, SweepReport};
use meshloom_source::CompileResult;
use std::cmp::Reverse;

/// Candidates without a plan in full that are listed: the fastest that should fit, and those that come nearest to it.
const COMPOSED: usize = 12;
const LARGE: usize = 6;

/// Plans `most` candidates in full, and lists them with others.
///
/// # Errors
/// Those of the source; a number of devices that no mesh has; nothing that can be planned.
pub fn sweep(by: &dyn Compiler, settings: &Settings, devices: u64, most: usize) -> CompileResult<SweepReport> {
    let Choice { shape, open, candidates, map } = choice(by, settings, devices)?;
    let search = Search { by, shape: &shape, settings, open: &open, budget: budget(settings) };
    let rough = search.rough(&candidates);
    // Without stages the planner decides itself what is recomputed.
    let own = |c: &Candidate| {
        let recompute = if c.pipe > 1 { c.recompute } else { Recompute::None };
        Candidate { recompute, ..c.clone() }
    };
    let mut chosen: Vec<(Estimate, Candidate)> = Vec::new();
    for (estimate, c) in search.closer(&rough, most) {
        if !chosen.iter().any(|(_, o)| *o == own(&c)) {
            chosen.push((estimate, own(&c)));
        }
    }
    let tried = compiler::map(by, &chosen, |(e, c)| {
        // Its ranks were arranged, and did not fit.
        let large = c.pipe > 1 && e.bytes > search.budget;
        if large { Tried::TooLarge(e.bytes) } else { full::plan(by, &shape, c, e.schedule, settings, false) }
    });
    let mut cannot = None;
    let mut strategies = Vec::new();
    let composed = |e: &Estimate, c: &Candidate, bytes: u64| {
        let plan = FullPlan {
            candidate: c.clone(),
            schedule: e.schedule,
            step_ps: e.step_ps.max(1),
            peak: bytes,
            exposed_us: None,
            bubble: 0.0,
            wire: Vec::new(),
            lines: full::lines(&shape, c, e.schedule, settings),
        };
        let plan = report::plan(&shape, settings, devices, &plan);
        Strategy { fits: bytes <= search.budget, figures: "estimate".into(), exposed_us: None, plan }
    };
    for ((e, c), made) in chosen.iter().zip(tried) {
        match made {
            Tried::Planned(p) => {
                let plan = report::plan(&shape, settings, devices, &p);
                let fits = p.peak <= search.budget;
                strategies.push(Strategy { fits, figures: "plan".into(), exposed_us: p.exposed_us, plan });
            }
            Tried::TooLarge(bytes) => strategies.push(composed(e, c, bytes)),
            Tried::Cannot(why) => cannot = cannot.or(Some(why)),
        }
    }
    // Without layers there are no estimates of memory.
    let others = rough.ranked.iter().filter(|(e, c)| e.bytes > 0 && !chosen.iter().any(|(_, o)| *o == own(c)));
    let (fit, large): (Vec<_>, Vec<_>) = others.partition(|(e, _)| e.bytes <= search.budget);
    for (e, c) in fit.into_iter().take(COMPOSED).chain(large.into_iter().take(LARGE)) {
        let mut made = composed(e, c, e.bytes);
        // What the planner would recompute is not known yet.
        made.plan.choice.recompute = settings.plan.recompute_all.unwrap_or(c.recompute).name().to_owned();
        strategies.push(made);
    }
    if strategies.is_empty() {
        return Err((search.nothing(devices, None, cannot), map));
    }
    strategies.sort_by_key(|s| (!s.fits, Reverse(s.plan.tokens_per_second as u64), s.plan.peak_bytes_per_device));
    Ok(SweepReport {
        schema: meshloom_report::SCHEMA,
        entry: shape.train.clone(),
        target: settings.plan.target.name.clone(),
        profile: settings.plan.target.profile.as_ref().map(meshloom_report::ProfileReport::of),
        devices,
        tokens_per_step: shape.work.tokens,
        flops_per_step: shape.work.flops as f64,
        budget_bytes: search.budget,
        considered: candidates.len() as u64,
        strategies,
    })
}
