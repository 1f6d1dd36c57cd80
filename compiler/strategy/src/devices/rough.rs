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
    /// The same where arithmetic, memory and links take no time: launches and latencies, which a microbatch has however large it is.
    started: Lines,
    /// The plan, the program that it computes, and the path of the list in it.
    local: Func,
    global: Func,
    list: String,
    runs: Runs,
    /// What a rank needs beside what its lines say, if its stages are of these kinds: first, between, last. That grows with the layers
    /// too, and is what it is for so many.
    beside: ([u64; 3], u64),
    /// The step that is predicted of the plan as it is, without stages.
    whole_ps: u64,
    /// Of what a stage holds for the whole step, how much is split over the data axis: per mille.
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
        let endless = without_limits(&settings.plan.target);
        let started = lines(&CutRequest { target: &endless, ..request }).ok()?;
        let lines = lines(&request).ok()?;
        let mesh = &entry.global.mesh;
        let data = mesh.axis(&shape.axes[shape.rest].name);
        let held = plan.tensors.iter().filter(|t| !t.is_output);
        let held = held.filter(|t| matches!(t.role, Some(Role::Parameter | Role::State)));
        let split = held.filter(|t| data.is_some_and(|a| t.layout.dims.iter().any(|d| d.contains(&a))));
        let part = split.map(|t| t.bytes_per_device).fold(0, u64::saturating_add);
        let sizes: Vec<u64> = even(list.layers, kinds);
        let fixed = |(s, n): (usize, &u64)| lines.stage(s, *n).fixed;
        let fixed = sizes.iter().enumerate().map(fixed).fold(0, u64::saturating_add).max(part).max(1);
        let share = u128::from(part) * 1000 / u128::from(fixed);
        let mut base = Base {
            of: of.clone(),
            lines,
            started,
            local: plan.local,
            global: entry.global.clone(),
            list: path_of,
            runs: settings.plan.target.runs(),
            beside: ([0; 3], list.layers.div_ceil(kinds)),
            whole_ps: (plan.totals.predicted_step_us * 1e6) as u64,
            split: u64::try_from(share).ok()?,
            list_layers: list.layers,
        };
        base.beside.0 = base.left_out(&staged)?;
        Some(base)
    }

    /// Whether it is the plan of a candidate: the number of its ranks is composed.
    pub fn is_of(&self, of: &Candidate) -> bool {
        Candidate { pipe: of.pipe, ..self.of.clone() } == *of
    }

    /// What the first and the last rank hold beside what the lines say, by kind of stage. Stages between these two have no more.
    fn left_out(&self, of: &Candidate) -> Option<[u64; 3]> {
        let table = made("1f1b", u32::try_from(of.pipe).ok()?, u32::try_from(of.microbatches).ok()?, None)?;
        let said = self.ranks_by_lines(of, &StageTable::of(&plain(&table)).ok()?);
        let held = self.ends(&table)?;
        let off = |held: Option<&u64>, said: Option<&u64>| Some(held?.saturating_sub(*said?));
        let (first, last) = (off(held.first(), said.first())?, off(held.last(), said.last())?);
        Some([first, first.min(last), last])
    }

    /// Layers of the list.
    pub fn layers(&self) -> u64 {
        self.list_layers
    }

    /// A stage of a candidate: the first, the last (of those that are left), or one between.
    fn stage(&self, kind: usize, layers: u64, of: &Candidate) -> StageCost {
        let kind = kind.min(self.list_layers.min(3) as usize - 1);
        let mut cost = self.lines.stage(kind, layers);
        // A microbatch of other size takes as much longer, but for what starts it.
        let scaled = |n: u64, by: u64, over: u64| {
            u64::try_from(u128::from(n) * u128::from(by) / u128::from(over.max(1))).unwrap_or(u64::MAX)
        };
        let rows = |n: u64| scaled(n, of.rows, self.of.rows);
        let started = self.started.stage(kind, layers).times;
        for (time, least) in cost.times.iter_mut().zip(started) {
            *time = rows(time.saturating_sub(least)).saturating_add(least.min(*time));
        }
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

    /// What a stage holds for the whole step: shards of the data axis are as much smaller as it is larger.
    fn fixed(&self, of: &Candidate, bytes: u64) -> u64 {
        let sizes = self.of.sizes.iter().zip(&of.sizes).filter(|(a, b)| a != b);
        let (was, is) = sizes.fold((1u128, 1u128), |n, (a, b)| (n.0 * u128::from(*a), n.1 * u128::from(*b)));
        let part = u128::from(bytes) * u128::from(self.split) / 1000;
        u64::try_from(u128::from(bytes) - part + part * was / is.max(1)).unwrap_or(u64::MAX)
    }

    /// What a rank holds whose stages are these, each with its kind, its layers and its slots. One stage runs at a time, so of what is
    /// there only while a stage runs, that of the largest stage counts.
    fn rank_bytes(&self, of: &Candidate, own: &[Own<'_>]) -> u64 {
        let (beside, layers) = self.beside;
        let one = |s: &Own<'_>| StageCost { fixed: self.fixed(of, s.cost.fixed), ..s.cost.clone() }.bytes(&s.slots);
        let running = |s: &Own<'_>| {
            let beside = u128::from(beside[s.kind]) * u128::from(s.layers) / u128::from(layers.max(1));
            let again = if s.slots[1][2] == 0 { s.cost.stash[1][2] } else { 0 };
            u64::try_from(beside).unwrap_or(u64::MAX).saturating_add(again)
        };
        let most = own.iter().map(running).max().unwrap_or(0);
        own.iter().map(one).fold(most, u64::saturating_add)
    }

    /// What each rank holds by the lines, with as many microbatches in flight as a table has.
    fn ranks_by_lines(&self, of: &Candidate, table: &StageTable) -> Vec<u64> {
        let stages = self.stages(of, table.stages as u64);
        let slots = |u: usize| {
            let [mut forward, mut backward, weights] = table.slots[u];
            // Where weights are no actions of their own, what is kept for them is kept for the whole backward, and what the backward
            // leaves for them is there while it runs.
            if !table.weights {
                (forward[2], backward[2]) = (forward[1], 0);
            }
            [forward, backward, weights]
        };
        let ranks = table.rank_of.iter().copied().max().map_or(0, |r| r + 1);
        let layers = even(self.list_layers, table.stages as u64);
        let own = |rank: usize| {
            let of_rank = table.own(rank).map(|u| (u % table.stages, u));
            let own = |(s, u): (usize, usize)| {
                let kind = kind_of(s, table.stages);
                Own { kind, layers: layers[s], cost: &stages[s], slots: slots(u) }
            };
            of_rank.map(own).collect::<Vec<_>>()
        };
        (0..ranks).map(|rank| self.rank_bytes(of, &own(rank))).collect()
    }

    /// The stages of a candidate under a schedule, as many layers in each as in any other.
    fn stages(&self, of: &Candidate, stages: u64) -> Vec<StageCost> {
        let sizes = even(self.list_layers, stages);
        sizes.iter().enumerate().map(|(s, n)| self.stage(kind_of(s, sizes.len()), *n, of)).collect()
    }

    /// The figures of a candidate without stages: those of the plan, in the proportion of what the stages take one after the
    /// other. A plan as a whole hides collectives that stages show.
    pub fn alone(&self, of: &Candidate) -> Estimate {
        let (here, there) = (u128::from(self.in_turn(of)), u128::from(self.in_turn(&self.of)));
        let step_ps = u64::try_from(u128::from(self.whole_ps) * here / there.max(1)).unwrap_or(u64::MAX);
        let stages = self.stages(of, 2);
        let layers = even(self.list_layers, 2);
        let own = |(s, cost)| Own { kind: 2 * s, layers: layers[s], cost, slots: [[1; 3]; 3] };
        let own: Vec<Own<'_>> = stages.iter().enumerate().map(own).collect();
        Estimate { step_ps, bytes: self.rank_bytes(of, &own), schedule: None }
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
        let waits = waits(schedule, p, m, [f, i, w]);
        let layers = even(self.list_layers, p * v);
        let bytes = |r: u64| {
            let slots = slots(schedule, r, p, m);
            let own = |s: u64| {
                let at = usize::try_from(s).ok()?;
                let kind = kind_of(at, stages.len());
                let mut slots = slots;
                // The backward of the last stage comes right behind its forward.
                if v > 1 && at + 1 == stages.len() {
                    slots[0][1] = 1;
                }
                Some(Own { kind, layers: *layers.get(at)?, cost: stages.get(at)?, slots })
            };
            self.rank_bytes(of, &rank(r).filter_map(own).collect::<Vec<_>>())
        };
        let outside = (0..p).map(|r| of_rank(r, &|s| s.outside)).max().unwrap_or(0);
        let bubble = waits.saturating_add((2 * self.lines.send_ps).saturating_mul(p - 1));
        Estimate {
            step_ps: slowest.saturating_mul(m).saturating_add(bubble).saturating_add(outside),
            bytes: (0..p).map(bytes).max().unwrap_or(0),
            schedule: Some(schedule),
        }
    }

    /// The step by the simulator and the table, and memory by the lines and the slots of the table; `None` where the schedule is not
    /// for these numbers.
    pub fn simulated(&self, of: &Candidate, schedule: ScheduleOf) -> Option<(Estimate, PipelineSchedule)> {
        let each = schedule.open.then_some(schedule.each);
        let table = made(schedule.name, u32::try_from(of.pipe).ok()?, u32::try_from(of.microbatches).ok()?, each)?;
        let slots = StageTable::of(&plain(&table)).ok()?;
        let stages = self.stages(of, u64::from(table.stages()));
        // Ticks of a nanosecond.
        let whole = |ps: u64| Fraction::new(ps.div_ceil(1000), 1);
        let times: Vec<[Fraction; 3]> = stages.iter().map(|s| s.times.map(whole)).collect();
        let times = PipelineTimes::new(&times, whole(self.lines.send_ps), None).ok()?;
        let run = simulate(&table, &times).ok()?;
        let mut outside = vec![0u64; table.ranks()];
        // Where there are two ways, those of both.
        for (rank, cost) in slots.rank_of.iter().zip(stages.iter().cycle()) {
            outside[*rank] = outside[*rank].saturating_add(cost.outside);
        }
        let end = |r: usize| run.events[r].last().map_or(0, |e| e.end).saturating_mul(1000).saturating_add(outside[r]);
        let step_ps = (0..outside.len()).map(end).max()?;
        let bytes = self.ranks_by_lines(of, &slots).into_iter().max()?;
        Some((Estimate { step_ps, bytes, schedule: Some(schedule) }, table))
    }

    /// What the first and the last rank hold under a table, the larger of the two: their programs as they would run, with as
    /// many layers in each stage as in any other.
    pub fn held(&self, table: &PipelineSchedule) -> Option<u64> {
        self.ends(table)?.into_iter().max()
    }

    /// The first rank and the last, arranged.
    fn ends(&self, table: &PipelineSchedule) -> Option<Vec<u64>> {
        let sizes = even(self.list_layers, u64::from(table.stages()));
        let ends = |rank: usize| rank == 0 || rank + 1 == table.ranks();
        let ranks = some_ranks(&self.local, &self.global, &self.list, &sizes, &plain(table), &ends).ok()?.1;
        let held =
            ranks.iter().map(|r| arrange_stage(&r.program.func, self.runs, &r.weave).ok().map(|a| a.peak().total));
        held.collect()
    }

    /// The cut whose ranks all keep to the budget, where the even one does not: its step, and what the fullest rank holds.
    pub fn uneven(&self, table: &PipelineSchedule, target: &Target, budget: u64) -> Option<(u64, u64)> {
        let request =
            CutRequest { local: &self.local, global: &self.global, list: &self.list, schedule: table, target, budget };
        let cut = choose(&request).ok()?;
        Some((cut.step.ps, cut.memory.iter().copied().max()?))
    }
}

/// A target on which only launches and latencies take time: a thousandth of the rest is none.
fn without_limits(target: &Target) -> Target {
    let mut t = target.clone();
    let more = |n: &mut u64| *n = n.saturating_mul(1000);
    t.flops.values_mut().for_each(more);
    t.tf32.iter_mut().for_each(more);
    more(&mut t.bandwidth);
    t.levels.iter_mut().for_each(|l| more(&mut l.bandwidth));
    t
}

/// A stage of a rank.
struct Own<'a> {
    kind: usize,
    layers: u64,
    cost: &'a StageCost,
    slots: [[u64; 3]; 3],
}

/// As many layers in each of so many stages; the first ones have one more where they do not divide.
fn even(layers: u64, stages: u64) -> Vec<u64> {
    (0..stages).map(|s| layers / stages + u64::from(s < layers % stages)).collect()
}

/// First, between, last.
fn kind_of(stage: usize, stages: usize) -> usize {
    match stage {
        0 => 0,
        s if s + 1 == stages => 2,
        _ => 1,
    }
}

/// How long a rank waits in a step, where its stages take so long for a microbatch: forward, and the two gradients. What fills the
/// time with gradients of weights has too few of them where there are few microbatches, and one alone waits as long as with 1F1B.
fn waits(schedule: ScheduleOf, p: u64, m: u64, [f, i, w]: [u64; 3]) -> u64 {
    let each = |n: u64| n.saturating_mul(p - 1);
    match schedule.name {
        "zb-h1" => each((f + i).saturating_sub(w)).saturating_add(w.saturating_mul(p.saturating_sub(m))),
        "zb-h2" | "zb-v" => {
            let few = (f + i).saturating_mul((2 * p - 1).saturating_sub(m)) / 2;
            each((f + i).saturating_sub(2 * w)).max(few)
        }
        // Of half as many ranks, or of stages half as long.
        "dualpipe" | "dualpipe-v" => each((f + 2 * i).saturating_sub(w) / 2),
        _ => each((f + i + w) / u64::from(schedule.each)),
    }
}

/// Microbatches of each stage of rank `r` that are in flight: from forward to the gradient by the input, to that by the weights, and
/// from the one to the other. Where weights are no actions of their own, nothing waits between these two: no slot.
fn slots(schedule: ScheduleOf, r: u64, p: u64, m: u64) -> [[u64; 3]; 3] {
    let v = u64::from(schedule.each);
    let (kept, whole) = match schedule.name {
        "zb-h1" => (p - r, p),
        "zb-h2" => (2 * (p - r) - 1, 2 * p - 1),
        "zb-v" => (2 * p, 2 * p),
        "dualpipe" => ((p + 1).div_ceil(2), (p + 1).div_ceil(2)),
        "dualpipe-v" => (2 * p + 1, 2 * p + 1),
        "interleaved" => ((p * v + p).saturating_sub(1 + 2 * r), 0),
        _ => (p - r, 0),
    };
    let most = |n: u64| n.min(m * v).div_ceil(v).max(1);
    let (kept, whole, halves) = (most(kept), most(whole), whole > 0);
    match halves {
        true => [[1, kept, whole], [1, 1, whole + 1 - kept], [1; 3]],
        false => [[1, kept, kept], [1, 1, 0], [1; 3]],
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    /// What each stage of a rank keeps between the halves of its backward, and from its forward on.
    fn kept(name: &'static str, each: u32) -> ([u64; 3], u64) {
        let all = slots(ScheduleOf { name, each, open: false }, 0, 4, 8);
        (all[1], all[0][1])
    }

    #[test]
    fn what_a_backward_leaves_for_weights_waits_only_where_weights_wait() {
        assert_eq!(kept("1f1b", 1), ([1, 1, 0], 4));
        // 11 are in flight on rank 0, in two stages.
        assert_eq!(kept("interleaved", 2), ([1, 1, 0], 6));
        assert_eq!(kept("zb-h1", 1), ([1, 1, 1], 4));
        assert_eq!(kept("zb-h2", 1), ([1, 1, 1], 7));
    }
}
