//! What a candidate is expected to take, without a plan of its own: the planner decides the layers once for a layout and the
//! sizes of the axes in them, and stages, microbatches and schedules are composed of the figures of that plan.
//!
//! A plan contains a mesh by its figures only, and all layers of a list are alike. So one plan says what a layer takes, forward
//! and backward, what it keeps, and what stands around the layers; how many layers a stage has, how many stages and
//! microbatches there are, and in which order they come follows by the lines that [`crate::cut`] draws and by
//! [`meshloom_pipeline::simulate`].
//!
//! Not here: what is printed. That is predicted of a full plan ([`super::full`]).

use super::candidate::{Candidate, ScheduleOf};
use super::shape::ModelShape;
use crate::compiler::Compiler;
use crate::cut::{CutRequest, Lines, StageCost, StageTable, choose, lines};
use crate::rank_program::{plain, some_ranks};
use crate::settings::Settings;
use meshloom_ir::{Func, Role};
use meshloom_lower::Runs;
use meshloom_lower::arrange::arrange_stage;
use meshloom_pipeline::{Fraction, PipelineSchedule, PipelineTimes, ScheduleRequest, schedules, simulate};
use meshloom_plan::cost::Target;
use meshloom_plan::{self as planner, Limits, PlanOptions, Recompute};

/// A plan to compose from: what stages cost by their number of layers, at the mesh and microbatch of `of`.
pub struct Base {
    pub of: Candidate,
    lines: Lines,
    /// The plan, the program that it computes, and the path of the list in it.
    local: Func,
    global: Func,
    list: String,
    runs: Runs,
    /// What the plan keeps from step to step and for the update, all layers together; and what it needs beside that, but
    /// for what waits for the backward pass.
    kept: u64,
    scratch: u64,
    /// The step that is predicted of the plan as it is, without stages.
    whole_ps: u64,
    /// Of parameters, state and gradients, how much is split over the data axis: per mille.
    split: u64,
    list_layers: u64,
}

/// What is expected of a candidate.
#[derive(Clone, Copy, Debug)]
pub struct Estimate {
    pub step_ps: u64,
    /// Bytes of the device that holds most.
    pub bytes: u64,
    pub schedule: Option<ScheduleOf>,
}

/// What is expected of a model without layers that could be stages: by a plan that is searched less thoroughly.
pub fn whole(by: &dyn Compiler, shape: &ModelShape, of: &Candidate, asked: &Settings) -> Option<Estimate> {
    let mut own = super::full::settings(shape, of, asked);
    own.front.overrides = of.overrides(shape, None, false);
    let entries = by.entries(&own).ok()?;
    let entry = entries.first()?;
    let asked = PlanOptions { budget: Some(u64::MAX), limits: Limits::BRIEF, ..entry.plan_options(&own.plan) };
    let plan = planner::plan(&entry.global, &asked).ok()?;
    // What it holds beyond the budget may be recomputed, so that is left to the full plan.
    Some(Estimate { step_ps: (plan.totals.predicted_step_us * 1e6) as u64, bytes: 0, schedule: None })
}

impl Base {
    /// Plans a candidate as it is, but for its stages: two, three with enough layers.
    pub fn of(by: &dyn Compiler, shape: &ModelShape, of: &Candidate, asked: &Settings) -> Option<Base> {
        let list = shape.list.as_ref()?;
        let kinds = list.layers.min(3);
        let staged = Candidate { pipe: kinds, ..of.clone() };
        let mut settings = super::full::settings(shape, of, asked);
        (settings.front.schedule, settings.front.virtual_stages) = (None, None);
        let plain = ScheduleOf { name: "1f1b", each: 1, open: false };
        settings.front.overrides = staged.overrides(shape, Some(plain), false);
        let entries = by.entries(&settings).ok()?;
        let entry = entries.first()?;
        let path_of = entry.pipeline.as_ref()?.list.clone();
        let recompute_all = Some(of.recompute);
        let own = entry.plan_options(&settings.plan);
        let asked = PlanOptions { budget: Some(u64::MAX), recompute_all, limits: Limits::BRIEF, ..own };
        let plan = planner::plan(&entry.global, &asked).ok()?;
        let halves = made("zb-h1", u32::try_from(kinds).ok()?, u32::try_from(of.microbatches).ok()?, None)?;
        let request = CutRequest {
            local: &plan.local,
            global: &entry.global,
            list: &path_of,
            schedule: &halves,
            target: &settings.plan.target,
            budget: u64::MAX,
        };
        let lines = lines(&request).ok()?;
        let mesh = &entry.global.mesh;
        let data = mesh.axis(&shape.axes[shape.rest].name);
        let held = plan.tensors.iter().filter(|t| !t.is_output);
        let held = held.filter(|t| matches!(t.role, Some(Role::Parameter | Role::State)));
        let (mut whole, mut part) = (0u64, 0u64);
        for t in held {
            whole = whole.saturating_add(t.bytes_per_device);
            if data.is_some_and(|a| t.layout.dims.iter().any(|d| d.contains(&a))) {
                part = part.saturating_add(t.bytes_per_device);
            }
        }
        let split = part.saturating_mul(1000) / whole.max(1);
        let peak = *plan.memory.as_ref().ok()?;
        let kept = [peak.parameters, peak.state, peak.gradients].into_iter().fold(0, u64::saturating_add);
        Some(Base {
            of: of.clone(),
            lines,
            local: plan.local,
            global: entry.global.clone(),
            list: path_of,
            runs: settings.plan.target.runs(),
            kept,
            scratch: peak.ports.saturating_add(peak.scratch),
            whole_ps: (plan.totals.predicted_step_us * 1e6) as u64,
            split,
            list_layers: list.layers,
        })
    }

    /// Layers of the list.
    pub fn layers(&self) -> u64 {
        self.list_layers
    }

    /// A stage of a candidate: the first, the last (of those that are left), or one between.
    fn stage(&self, kind: usize, layers: u64, of: &Candidate) -> StageCost {
        let kind = kind.min(self.list_layers.min(3) as usize - 1);
        let mut cost = self.lines.stage(kind, layers);
        // A microbatch of other size takes as much longer.
        let scaled = |n: u64, by: u64, over: u64| {
            u64::try_from(u128::from(n) * u128::from(by) / u128::from(over.max(1))).unwrap_or(u64::MAX)
        };
        let rows = |n: u64| scaled(n, of.rows, self.of.rows);
        cost.times = cost.times.map(rows);
        cost.stash = cost.stash.map(|s| s.map(rows));
        if of.recompute != self.of.recompute && of.recompute == Recompute::Full {
            cost.times[1] = cost.times[1].saturating_add(cost.times[0]);
            // What enters each layer is kept.
            let all: u64 = cost.stash[0][1].saturating_add(cost.stash[0][2]);
            let entering = self.lines.send_bytes.saturating_mul(of.rows) / self.of.rows.max(1);
            cost.stash[0] = [0, entering.saturating_mul(layers).min(all), 0];
        }
        cost
    }

    /// What a device keeps on one of so many ranks, with so many copies of each stage: shards of the data axis are as much
    /// smaller as it is larger.
    fn kept(&self, of: &Candidate, copies: u64) -> u64 {
        let sizes = self.of.sizes.iter().zip(&of.sizes).filter(|(a, b)| a != b);
        let (was, is) = sizes.fold((1u128, 1u128), |n, (a, b)| (n.0 * u128::from(*a), n.1 * u128::from(*b)));
        let part = u128::from(self.kept) * u128::from(self.split) / 1000;
        let all = u128::from(self.kept) - part + part * was / is.max(1);
        let own = all * u128::from(copies) / u128::from(of.pipe.max(1));
        u64::try_from(own).unwrap_or(u64::MAX).saturating_add(self.scratch)
    }

    /// The stages of a candidate under a schedule, as many layers in each as in any other.
    fn stages(&self, of: &Candidate, stages: u64) -> Vec<StageCost> {
        let layers = |s: u64| self.list_layers / stages + u64::from(s < self.list_layers % stages);
        let kind = |s: u64| {
            if s == 0 {
                0
            } else if s + 1 == stages {
                2
            } else {
                1
            }
        };
        (0..stages).map(|s| self.stage(kind(s), layers(s), of)).collect()
    }

    /// The figures of a candidate without stages: those of the plan, in the proportion of what the stages take one after the
    /// other. A plan as a whole hides collectives that stages show.
    pub fn alone(&self, of: &Candidate) -> Estimate {
        let (here, there) = (u128::from(self.in_turn(of)), u128::from(self.in_turn(&self.of)));
        let step_ps = u64::try_from(u128::from(self.whole_ps) * here / there.max(1)).unwrap_or(u64::MAX);
        let kept = self.stages(of, 2).iter().fold(0, |n, s| waiting(s, &[[1; 3]; 3]).saturating_add(n));
        Estimate { step_ps, bytes: kept.saturating_add(self.kept(of, 1)), schedule: None }
    }

    /// The first stage and the last, on one rank.
    fn in_turn(&self, of: &Candidate) -> u64 {
        let stages = self.stages(of, 2);
        let sum = |f: &dyn Fn(&StageCost) -> u64| stages.iter().map(f).fold(0, u64::saturating_add);
        let step = sum(&|s| s.microbatch()).saturating_mul(of.microbatches);
        step.saturating_add(sum(&|s| s.outside))
    }

    /// What the formulas of schedules say: the slowest stage's time for all microbatches, and the bubble.
    pub fn by_formula(&self, of: &Candidate, schedule: ScheduleOf) -> Estimate {
        let (p, v) = (of.pipe, u64::from(schedule.each));
        let stages = self.stages(of, p * v);
        let m = of.microbatches;
        // Where microbatches go two ways, a rank has two stages, each for half of them.
        let ways = if schedule.name == "dualpipe" { 2 } else { 1 };
        let rank = |r: u64| (0..v * ways).map(move |k| stage_of(schedule, r, k, p));
        let of_rank = |r: u64, f: &dyn Fn(&StageCost) -> u64| {
            rank(r).filter_map(|s| stages.get(s as usize)).map(f).fold(0, u64::saturating_add)
        };
        let slowest = (0..p).map(|r| of_rank(r, &|s| s.microbatch())).max().unwrap_or(0) / ways;
        let time = |k: usize| (0..p).map(|r| of_rank(r, &|s| s.times[k])).sum::<u64>() / p / ways;
        let (f, i, w) = (time(0), time(1), time(2));
        let wait = match schedule.name {
            "zb-h1" => (f + i).saturating_sub(w),
            "zb-h2" | "zb-v" => (f + i).saturating_sub(2 * w),
            // Of half as many ranks, or of stages half as long.
            "dualpipe" | "dualpipe-v" => (f + 2 * i).saturating_sub(w) / 2,
            _ => (f + i + w) / v,
        };
        let kept = match schedule.name {
            "zb-h2" => 2 * p - 1,
            "zb-v" => 2 * p,
            "dualpipe" => (p + 1).div_ceil(2),
            "dualpipe-v" => 2 * p + 1,
            "interleaved" => p * v + p - 1,
            _ => p,
        };
        let kept = kept.min(m * v).div_ceil(v);
        let slots = [[kept; 3]; 3];
        let outside = (0..p).map(|r| of_rank(r, &|s| s.outside)).max().unwrap_or(0);
        let bubble = wait.saturating_add(2 * self.lines.send_ps).saturating_mul(p - 1);
        Estimate {
            step_ps: slowest.saturating_mul(m).saturating_add(bubble).saturating_add(outside),
            bytes: (0..p)
                .map(|r| of_rank(r, &|s| waiting(s, &slots)))
                .max()
                .unwrap_or(0)
                .saturating_add(self.kept(of, ways)),
            schedule: Some(schedule),
        }
    }

    /// The step by the simulator and the table; `None` where the schedule is not for these numbers. Memory is not known yet.
    pub fn simulated(&self, of: &Candidate, schedule: ScheduleOf) -> Option<(Estimate, PipelineSchedule)> {
        let each = schedule.open.then_some(schedule.each);
        let table = made(schedule.name, u32::try_from(of.pipe).ok()?, u32::try_from(of.microbatches).ok()?, each)?;
        let rank_of = StageTable::of(&plain(&table)).ok()?.rank_of;
        let stages = self.stages(of, u64::from(table.stages()));
        // Ticks of a nanosecond.
        let whole = |ps: u64| Fraction::new(ps.div_ceil(1000), 1);
        let times: Vec<[Fraction; 3]> = stages.iter().map(|s| s.times.map(whole)).collect();
        let times = PipelineTimes::new(&times, whole(self.lines.send_ps), None).ok()?;
        let run = simulate(&table, &times).ok()?;
        let mut outside = vec![0u64; table.ranks()];
        // Where there are two ways, those of both.
        for (rank, cost) in rank_of.iter().zip(stages.iter().cycle()) {
            outside[*rank] = outside[*rank].saturating_add(cost.outside);
        }
        let end = |r: usize| run.events[r].last().map_or(0, |e| e.end).saturating_mul(1000).saturating_add(outside[r]);
        let step_ps = (0..outside.len()).map(end).max()?;
        Some((Estimate { step_ps, bytes: 0, schedule: Some(schedule) }, table))
    }

    /// What the first and the last rank hold under a table, the larger of the two: their programs as they would run, with as
    /// many layers in each stage as in any other.
    pub fn held(&self, table: &PipelineSchedule) -> Option<u64> {
        let stages = u64::from(table.stages());
        let layers = |s: u64| self.list_layers / stages + u64::from(s < self.list_layers % stages);
        let sizes: Vec<u64> = (0..stages).map(layers).collect();
        let ends = |rank: usize| rank == 0 || rank + 1 == table.ranks();
        let ranks = some_ranks(&self.local, &self.global, &self.list, &sizes, &plain(table), &ends).ok()?.1;
        let held =
            ranks.iter().map(|r| arrange_stage(&r.program.func, self.runs, &r.weave).ok().map(|a| a.peak().total));
        held.collect::<Option<Vec<u64>>>()?.into_iter().max()
    }

    /// The cut whose ranks all keep to the budget, where the even one does not: its step, and what the fullest rank holds.
    pub fn uneven(&self, table: &PipelineSchedule, target: &Target, budget: u64) -> Option<(u64, u64)> {
        let request =
            CutRequest { local: &self.local, global: &self.global, list: &self.list, schedule: table, target, budget };
        let cut = choose(&request).ok()?;
        Some((cut.step.ps, cut.memory.iter().copied().max()?))
    }
}

/// What waits for the backward pass, with so many slots.
fn waiting(of: &StageCost, slots: &[[u64; 3]; 3]) -> u64 {
    let all = of.stash.iter().flatten().zip(slots.iter().flatten());
    all.fold(0, |n, (bytes, slots)| n.saturating_add(bytes.saturating_mul(*slots)))
}

/// The stage that is the `k`-th of rank `r`.
fn stage_of(schedule: ScheduleOf, r: u64, k: u64, p: u64) -> u64 {
    match schedule.name {
        "zb-v" | "dualpipe-v" if k == 1 => 2 * p - 1 - r,
        "dualpipe" if k == 1 => p - 1 - r,
        _ => k * p + r,
    }
}

fn made(name: &str, ranks: u32, microbatches: u32, each: Option<u32>) -> Option<PipelineSchedule> {
    let request = ScheduleRequest { virtual_stages: each, ..ScheduleRequest::of(ranks, microbatches) };
    schedules::make(schedules::find(name)?, &request).ok()
}
