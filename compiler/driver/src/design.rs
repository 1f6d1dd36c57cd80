//! `plan --review`: what a run of a plan takes beside its step, and what would make another plan the better one.
//!
//! Of the finished plan: its goodput with failures and checkpoints, its power, the use of each level of the network, and its step where
//! something is slower (`strategy::retimed`). Planned anew: larger batches, and the same mesh on other hardware. Nothing is estimated from
//! a plan that was not made.
//!
//! Not here: facts of the cluster ([`crate::cluster`]) and the text ([`meshloom_report::design`]).

use crate::cluster::Cluster;
use crate::program::{CompileOptions, HasPlan, Program};
use crate::{front, parallel, pipeline, report};
use meshloom_bundle::EntryKind;
use meshloom_ir::Role;
use meshloom_plan::cost::{Level, Target};
use meshloom_report::design::{BatchRow, ChoiceRow, DesignReview, Goodput, LevelUse, PowerReport, Sensitivity};
use meshloom_report::{PlanReport, TensorReport, TotalsReport, show_layout};
use meshloom_source::Failure;
use meshloom_strategy::retimed;

/// What is left of a rate where something is slower.
const SLOWER: f64 = 0.8;
/// By what rates of links are multiplied to see whether another plan is chosen.
const OTHER_LINKS: [(f64, &str); 2] = [(0.5, "half of its bandwidth"), (2.0, "twice its bandwidth")];
/// Larger batches that are planned, as multiples of the source's.
const BATCHES: [u64; 2] = [2, 4];

/// Reviews the first entry that trains, or the first of all.
///
/// # Errors
/// A program without entries, or whose step is not predicted.
pub fn review<E: HasPlan + Sync>(
    program: &Program<E>,
    options: &CompileOptions,
    cluster: &Cluster,
) -> Result<DesignReview, String> {
    let trains = program.entries.iter().find(|e| e.planned().kind == EntryKind::Train);
    let entry = trains.or(program.entries.first()).ok_or("it has no entry to review")?;
    let data = report::of(program, entry).data;
    if data.totals.predicted_step_us <= 0.0 {
        return Err("its step is not predicted: the target cannot run it".into());
    }
    let asked = Asked { program, options, entry, data: &data };
    let work: Vec<Planned> = asked.work();
    options.progress.expect(work.len());
    let made = parallel::map(&work, |w| {
        let made = asked.made(w);
        options.progress.done();
        made
    });
    let (mut batch, mut choices) = (Vec::new(), Vec::new());
    for row in made {
        match row {
            Row::Batch(b) => batch.push(b),
            Row::Choice(c) => choices.push(c),
        }
    }
    let devices = entry.planned().mesh().devices();
    let axes: Vec<String> = entry.planned().mesh().axes.iter().map(|(n, s)| format!("{n}={s}")).collect();
    Ok(DesignReview {
        schema: 1,
        entry: data.entry.clone(),
        target: program.target.name.clone(),
        cluster: cluster.name.clone(),
        mesh: axes.join(" x "),
        devices,
        room_bytes: program.target.room(),
        goodput: goodput(cluster, devices, asked.checkpoint_bytes(), &data.totals),
        power: power(cluster, &program.target, devices, &data.totals),
        network: asked.network(),
        sensitivity: asked.sensitivity(cluster),
        totals: data.totals.clone(),
        batch,
        choices,
    })
}

struct Asked<'a, E> {
    program: &'a Program<E>,
    options: &'a CompileOptions,
    entry: &'a E,
    data: &'a PlanReport,
}

/// What is planned anew.
enum Planned {
    Batch(u64),
    On { condition: String, target: Box<Target> },
}

enum Row {
    Batch(BatchRow),
    Choice(ChoiceRow),
}

impl<E: HasPlan + Sync> Asked<'_, E> {
    /// Parameters and state of the whole model.
    fn checkpoint_bytes(&self) -> u64 {
        let f = &self.entry.planned().global;
        let ports = f.inputs.iter().zip(&f.body().args);
        let kept = ports.filter(|(p, _)| matches!(p.role, Role::Parameter | Role::State));
        kept.fold(0u64, |n, (_, &v)| n.saturating_add(f.ty(v).bytes()))
    }

    fn network(&self) -> Vec<LevelUse> {
        let seconds = self.data.totals.predicted_step_us / 1e6;
        let of = |name: &str| self.program.target.levels.iter().find(|l| l.name == name);
        let used = self.data.levels.iter().filter_map(|l| Some((l, of(&l.level)?)));
        used.map(|(l, level)| LevelUse {
            level: l.level.clone(),
            bytes_per_device: l.wire_bytes_per_device,
            share: l.wire_bytes_per_device as f64 / (level.bandwidth as f64 * seconds).max(1.0),
        })
        .collect()
    }

    fn sensitivity(&self, cluster: &Cluster) -> Vec<Sensitivity> {
        let target = &self.program.target;
        let used = |l: &Level| self.data.levels.iter().any(|d| d.level == l.name);
        let mut all = Vec::new();
        let mut add = |condition: String, target: Target| {
            all.push(Sensitivity { condition, predicted_step_us: self.kept(&target) });
        };
        for (k, level) in target.levels.iter().enumerate().filter(|(_, l)| used(l)) {
            add(format!("{} at 80 % of its bandwidth", level.name), with_links(target, k, SLOWER));
        }
        let last = target.levels.len() - 1;
        if used(&target.levels[last]) {
            let taper = if cluster.taper > 1.0 { cluster.taper } else { 2.0 };
            let condition = format!("all of {} through a {taper}:1 fat tree", target.levels[last].name);
            add(condition, with_links(target, last, 1.0 / taper));
        }
        add("one node whose devices run at 80 %: all wait for it".into(), slower(target));
        all
    }

    /// The step of the plan at hand on a target.
    fn kept(&self, target: &Target) -> Option<f64> {
        let p = self.entry.planned();
        retimed::step_us(p, &p.plan, p.ranks.as_ref(), target)
    }

    fn work(&self) -> Vec<Planned> {
        let target = &self.program.target;
        let mut all = Vec::new();
        if let Some(batch) = self.batch() {
            all.extend(BATCHES.iter().map(|n| Planned::Batch(batch * n)));
        }
        for (k, level) in target.levels.iter().enumerate() {
            if !self.data.levels.iter().any(|d| d.level == level.name) {
                continue;
            }
            for (by, words) in OTHER_LINKS {
                let target = Box::new(with_links(target, k, by));
                all.push(Planned::On { condition: format!("{} with {words}", level.name), target });
            }
        }
        let less = Target { memory: target.memory - target.memory / 5, ..target.clone() };
        all.push(Planned::On { condition: "a fifth less memory".into(), target: Box::new(less) });
        all
    }

    /// The dim or the constant `batch` of the source.
    fn batch(&self) -> Option<u64> {
        let said = self.options.front.dims.iter().find(|d| d.0 == "batch").map(|d| d.1);
        said.or_else(|| self.entry.planned().settings.get("batch")?.parse().ok()).filter(|n| *n > 0)
    }

    fn made(&self, work: &Planned) -> Row {
        let mut options = self.options.clone();
        options.front.entry = Some(self.entry.planned().name.clone());
        (options.asserts_later, options.reshards) = (true, Default::default());
        match work {
            Planned::Batch(batch) => {
                options.front.dims.retain(|d| d.0 != "batch");
                options.front.dims.push(("batch".into(), *batch));
                let (totals, refused) = split(self.planned(&options).map(|made| made.0.totals));
                Row::Batch(BatchRow { batch: *batch, totals, refused })
            }
            Planned::On { condition, target } => {
                options.plan.target = (**target).clone();
                let (planned, refused) = split(self.planned(&options));
                let kept_step_us = self.kept(target);
                let (moved, of, example) = planned.as_ref().map_or((0, 0, None), |p| moved(self.data, &p.0));
                Row::Choice(ChoiceRow {
                    condition: condition.clone(),
                    kept_step_us,
                    planned_step_us: planned.as_ref().map(|p| p.0.totals.predicted_step_us),
                    here_step_us: planned.and_then(|p| p.1),
                    moved,
                    of,
                    example,
                    refused,
                })
            }
        }
    }

    /// The plan that is made with these options, and what it would take on the target at hand.
    fn planned(&self, options: &CompileOptions) -> Result<(PlanReport, Option<f64>), String> {
        let failed = |(f, _): (Failure, _)| f.to_string().lines().next().unwrap_or_default().to_owned();
        let program = front::check(&self.program.path, &self.program.text, options).map_err(failed)?;
        let program = pipeline::plan(program, options).map_err(failed)?;
        let entry = program.entry(&self.data.entry).ok_or("the entry is gone")?;
        let here = retimed::step_us(entry, &entry.plan, entry.ranks.as_ref(), &self.program.target);
        Ok((report::of(&program, entry).data, here))
    }
}

fn split<T>(made: Result<T, String>) -> (Option<T>, Option<String>) {
    match made {
        Ok(made) => (Some(made), None),
        Err(why) => (None, Some(why)),
    }
}

/// Inputs of the step that lie otherwise in another plan, of all of them; the first such, or else what differs in how it is run.
fn moved(now: &PlanReport, then: &PlanReport) -> (u64, u64, Option<String>) {
    let is_input = |t: &&TensorReport| matches!(t.role.as_str(), "parameter" | "state" | "input");
    let (mut moved, mut of, mut example) = (0, 0, None);
    for t in now.tensors.iter().filter(is_input) {
        let Some(other) = then.tensors.iter().find(|o| o.name == t.name && o.role == t.role && o.of == t.of) else {
            continue;
        };
        of += 1;
        if other.layout != t.layout {
            moved += 1;
            example.get_or_insert_with(|| format!("`{}` in {} and not {}", t.name, show_layout(other), show_layout(t)));
        }
    }
    let stages = |p: &PlanReport| p.pipeline.as_ref().map(|p| p.stages.iter().map(|s| s.layers).collect::<Vec<_>>());
    if moved == 0 && stages(now) != stages(then) {
        example = stages(then).map(|s| format!("stages of {s:?} layers"));
    } else if moved == 0 {
        let kept = |p: &PlanReport| p.stashes.iter().map(|s| s.recomputed).collect::<Vec<_>>();
        let sent = |p: &PlanReport| p.collectives.iter().map(|c| (c.op.clone(), c.axes.clone())).collect::<Vec<_>>();
        example = match (kept(now) == kept(then), sent(now) == sent(then)) {
            (true, true) => None,
            (false, _) => Some("other values recomputed".into()),
            (true, false) => Some("other collectives".into()),
        };
    }
    (moved, of, example)
}

/// The target with the bandwidth of one level times `by`.
fn with_links(target: &Target, level: usize, by: f64) -> Target {
    let mut target = target.clone();
    if let Some(l) = target.levels.get_mut(level) {
        l.bandwidth = ((l.bandwidth as f64 * by) as u64).max(1);
    }
    target
}

/// The target with slower arithmetic and memory.
fn slower(target: &Target) -> Target {
    let part = |n: u64| ((n as f64 * SLOWER) as u64).max(1);
    let mut target = target.clone();
    target.flops.values_mut().for_each(|n| *n = part(*n));
    (target.tf32, target.bandwidth) = (target.tf32.map(part), part(target.bandwidth));
    target
}

fn goodput(cluster: &Cluster, devices: u64, bytes: u64, totals: &TotalsReport) -> Goodput {
    let n = devices.max(1) as f64;
    let between = 3600.0 * cluster.device_hours / n;
    let write = bytes as f64 / cluster.storage.min(cluster.device_storage * n);
    let (step, restart) = (totals.predicted_step_us / 1e6, 60.0 * cluster.restart_minutes);
    // A checkpoint is made between steps.
    let steps = (interval(write, between) / step).ceil().max(1.0);
    let interval_seconds = steps * step;
    let cycle = interval_seconds + write;
    // On average half of an interval is done again, and the checkpoint that was being written.
    let lost = (cycle / 2.0 + restart) / between;
    let lost_to_failures = lost / (1.0 + lost);
    let lost_to_checkpoints = (1.0 - lost_to_failures) * write / cycle;
    let goodput = (1.0 - lost_to_failures - lost_to_checkpoints).max(0.0);
    Goodput {
        hours_between_failures: between / 3600.0,
        checkpoint_bytes: bytes,
        checkpoint_seconds: write,
        restart_seconds: restart,
        interval_seconds,
        steps_between_checkpoints: steps as u64,
        lost_to_checkpoints,
        lost_to_failures,
        goodput,
        tokens_per_second: totals.tokens_per_second.map(|t| t * goodput),
    }
}

/// Seconds between two checkpoints that take `write` where a run is interrupted every `between` (Daly, 2006, equation 37).
fn interval(write: f64, between: f64) -> f64 {
    if write >= 2.0 * between {
        return between;
    }
    let ratio = (write / (2.0 * between)).sqrt();
    (2.0 * write * between).sqrt() * (1.0 + ratio / 3.0 + ratio * ratio / 9.0) - write
}

fn power(cluster: &Cluster, target: &Target, devices: u64, totals: &TotalsReport) -> Option<PowerReport> {
    let watts = *cluster.watts.get(&target.name)?;
    let kilowatts = watts * devices as f64 * cluster.building / 1e3;
    // Kilowatt seconds of a token, times a million, over the seconds of an hour.
    let energy = totals.tokens_per_second.map(|t| kilowatts / t.max(1e-9) * 1e6 / 3600.0);
    Some(PowerReport { watts_per_device: watts, kilowatts, kilowatt_hours_per_million_tokens: energy })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The best interval is where a little more and a little less lose more, by the sum that the review prints.
    #[test]
    fn the_interval_loses_least() {
        let cluster = Cluster { device_hours: 50_675.0, restart_minutes: 15.0, ..Cluster::usual() };
        let lost = |write: f64, between: f64, interval: f64| {
            let again = ((interval + write) / 2.0 + 900.0) / between;
            1.0 - (1.0 - again / (1.0 + again)) * interval / (interval + write)
        };
        for devices in [64u64, 1024, 16_384] {
            let between = 3600.0 * cluster.device_hours / devices as f64;
            for write in [1.0, 30.0, 300.0] {
                let best = interval(write, between);
                let at = lost(write, between, best);
                assert!([0.5, 2.0].iter().all(|by| lost(write, between, by * best) > at), "{devices} {write}");
            }
        }
    }

    /// 16,384 H100 with the checkpoints of 405 billion parameters: the report has more than 90 % effective training time (Grattafiori et
    /// al., 2024, section 3.3.4).
    #[test]
    fn goodput_is_that_of_the_published_run() {
        let totals =
            TotalsReport { predicted_step_us: 6.1e6, tokens_per_second: Some(2.75e6), ..TotalsReport::default() };
        let g = goodput(&Cluster::usual(), 16_384, 405_000_000_000 * 12, &totals);
        assert!((g.hours_between_failures - 3.09).abs() < 0.01, "{g:?}");
        assert!(g.goodput > 0.88 && g.goodput < 0.95, "{g:?}");
        let parts = g.goodput + g.lost_to_checkpoints + g.lost_to_failures;
        assert!((parts - 1.0).abs() < 1e-9, "{g:?}");
    }
}
